# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander react` against the plain equations, its presets, snapshots, films, pictures and refusals."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import HAS_PNG, PROGRAM, needs_gif, needs_png, needs_tiff

# A step of float32 rounds by about 6e-8 of the states, which are near 1; reactions make an error grow by at most
# exp(c·steps·dt), 8 times in 21 steps: below 21 · 6e-8 · 8 = 1e-5.
FEW_STEPS = 1e-5

GENES = {"a": -0.5, "b": 1.2, "c": 1.0, "e": -0.1}


def network(values, window, steps, dt=0.1, d1=0.0, d2=2.2, gain=0.5, genes=GENES):
    """The published equations, step by step, in float64."""
    u = gain * (2 * (values.astype(float) - window[0]) / (window[1] - window[0]) - 1)
    v = u.copy()

    def laplacian(s):
        p = np.pad(s, 1, mode="edge")
        return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * s

    for _ in range(steps):
        u, v = (
            u + dt * (genes["c"] * u - u**3 / 3 - v + d1 * laplacian(u)),
            v + dt * (-genes["e"] * (u - genes["b"] * v + genes["a"]) + d2 * laplacian(v)),
        )
    return u, v


def test_layers_are_those_of_the_equations(ok, tmp_path, image):
    ok("react", "a.npy", "b.npy", "--layer", "both", "--window", "0,255", "--steps", "21")
    found = np.load(tmp_path / "b.npy")
    assert found.shape == (45, 61, 2) and found.dtype == np.float32
    u, v = network(image, (0, 255), 21)
    assert np.abs(found[..., 0] - u).max() < FEW_STEPS
    assert np.abs(found[..., 1] - v).max() < FEW_STEPS


def test_every_number_of_the_network_counts(ok, tmp_path, image):
    genes = {"a": 0.1, "b": 2.0, "c": 0.7, "e": -0.3}
    given = ",".join(f"{name}={value}" for name, value in genes.items())
    ok("react", "a.npy", "b.npy", "--genes", given, "--diffusion", "0.4,1.1", "--dt", "0.07", "--gain", "0.8",
       "--steps", "12", "--window", "20,200", "--layer", "v")  # fmt: skip
    expected = network(image, (20, 200), 12, dt=0.07, d1=0.4, d2=1.1, gain=0.8, genes=genes)[1]
    assert np.abs(np.load(tmp_path / "b.npy") - expected).max() < FEW_STEPS


def test_options_count_more_than_the_preset(ok, tmp_path, image):
    report = ok("react", "a.npy", "b.npy", "--preset", "labyrinth", "--genes", "a=0.2", "--steps", "9", "--json").json
    assert report["options"]["genes"] == "a=0.2,b=2,c=1,e=-0.05"
    assert report["options"]["diffusion"] == "1,4" and report["options"]["dt"] == 0.05
    assert report["result"]["steps"] == 9
    expected = network(image, (image.min(), image.max()), 9, 0.05, 1, 4, 0.5, {"a": 0.2, "b": 2, "c": 1, "e": -0.05})[0]
    assert np.abs(np.load(tmp_path / "b.npy") - expected).max() < FEW_STEPS


def test_preset_from_a_file(ok, refused, tmp_path, image):
    (tmp_path / "own.preset").write_text("# mine\ngenes = a=0,b=10,c=1,e=-1\ndiffusion = 0,0\nsteps = 3\n")
    report = ok("react", "a.npy", "b.npy", "--preset", "own.preset", "--json").json
    assert report["options"]["steps"] == 3 and report["options"]["genes"] == "a=0,b=10,c=1,e=-1"
    (tmp_path / "bad.preset").write_text("steps = 3\ngense = a=0\n")
    message = refused(3, "react", "a.npy", "b2.npy", "--preset", "bad.preset")
    assert "bad.preset" in message and "2" in message and "gense" in message
    assert "labyrinth" in refused(2, "react", "a.npy", "b2.npy", "--preset", "none.preset")


def test_report_states_the_limit_and_the_maps(ok, image):
    report = ok("react", "a.npy", "b.npy", "--json").json
    result = report["result"]
    assert result["dt_limit"] == pytest.approx(2 / (8 * 2.2 + 0.12))
    assert result["dt"] == 0.1 and result["steps"] == 200
    assert result["window"] == [image.min(), image.max()]
    assert result["min"] == result["u"][0] < -1 < 1 < result["u"][1] == result["max"]
    assert result["method"] and report["seconds"]["compute"] > 0


def test_unstable_dt_is_refused_with_the_limit(refused, run, tmp_path, image):
    assert "0.112867" in refused(2, "react", "a.npy", "b.npy", "--dt", "0.13")
    assert "ran away" in refused(8, "react", "a.npy", "b.npy", "--dt", "0.13", "--force", "--steps", "600")


def test_volumes_get_a_smaller_dt_and_more_steps(ok, refused, tmp_path):
    np.save(tmp_path / "v.npy", np.random.default_rng(1).integers(0, 256, (6, 7, 8)).astype(np.uint8))
    report = ok("react", "v.npy", "w.npy", "--json").json
    result = report["result"]
    assert result["dt"] < result["dt_limit"] == pytest.approx(2 / (12 * 2.2 + 0.12))
    assert result["dt"] * result["steps"] == pytest.approx(20)
    assert report["options"]["dt"] == result["dt"]
    refused(2, "react", "v.npy", "x.npy", "--dt", "0.1")
    refused(2, "react", "v.npy", "x.npy", "--laplacian", "9")


def test_laplacian_and_border_have_effects(ok, tmp_path, image):
    outcomes = set()
    for options in ([], ["--laplacian", "9"], ["--border", "mirror"], ["--border", "periodic"], ["--border", "fixed"]):
        ok("react", "a.npy", "b.npy", *options)
        outcomes.add((tmp_path / "b.npy").read_bytes())
    assert len(outcomes) == 5


def test_precision_and_settle_have_effects(ok, tmp_path, image):
    report = ok("react", "a.npy", "b.npy", "--precision", "double", "--settle", "0.5", "--json").json
    assert np.load(tmp_path / "b.npy").dtype == np.float64
    assert report["result"]["settled"] and report["result"]["steps"] < 200
    assert 0 < report["result"]["change"] <= 0.5
    assert not ok("react", "a.npy", "b.npy", "--settle", "1e-9", "--json").json["result"]["settled"]


@needs_png
def test_integer_files_hold_the_stated_map(ok, tmp_path, image):
    ok("convert", "a.npy", "a.png")
    ok("react", "a.png", "u.npy", "--steps", "30")
    states = np.load(tmp_path / "u.npy")
    ok("react", "a.png", "own.png", "--steps", "30")
    ok("convert", "own.png", "own.npy")
    own = np.load(tmp_path / "own.npy")
    assert own.dtype == np.uint8
    expected = (states - states.min()) / (states.max() - states.min()) * 255
    assert np.abs(own - expected).max() < 0.51
    ok("react", "a.png", "window.npy", "--steps", "30", "--output-map", "-0.5,0.5", "--type", "u8")
    expected = np.clip((states + 0.5) * 255, 0, 255)
    assert np.abs(np.load(tmp_path / "window.npy") - expected).max() < 0.51
    ok("react", "a.png", "input.npy", "--steps", "30", "--output-map", "input")
    middle, half = (float(image.max()) + image.min()) / 2, (float(image.max()) - image.min()) / 2
    assert np.abs(np.load(tmp_path / "input.npy") - (middle + states / 0.5 * half)).max() < 1e-3


def test_snapshots_are_the_runs_that_stop_there(ok, tmp_path, image):
    report = ok("react", "a.npy", "b.npy", "--snapshots", "0,7,200", "--json").json
    names = [output["path"] for output in report["outputs"]]
    assert names == ["b.npy", "b_t000.npy", "b_t007.npy", "b_t200.npy"]
    ok("react", "a.npy", "seven.npy", "--steps", "7")
    assert (tmp_path / "seven.npy").read_bytes() == (tmp_path / "b_t007.npy").read_bytes()
    assert (tmp_path / "b.npy").read_bytes() == (tmp_path / "b_t200.npy").read_bytes()


def as_bytes(states, low, high):
    return np.clip(np.rint((states - low) / (high - low) * 255), 0, 255)


@needs_png
def test_sheet_shows_both_layers_at_every_snapshot(ok, refused, tmp_path, image):
    ok("react", "a.npy", "b.npy", "--snapshots", "50,100,200", "--sheet", "sheet.png")
    assert not list(tmp_path.glob("b_t*"))
    ok("convert", "sheet.png", "sheet.npy")
    sheet = np.load(tmp_path / "sheet.npy").astype(int)
    for row, layer in enumerate("uv"):
        for column, steps in enumerate((50, 100, 200)):
            ok("react", "a.npy", "one.npy", "--steps", str(steps), "--layer", layer)
            states = np.load(tmp_path / "one.npy")
            expected = as_bytes(states, states.min(), states.max())
            # A picture on white, after a margin of 8 and a label of 20.
            top, left = 8 + 20 + row * (45 + 28), 8 + column * (61 + 8)
            found = sheet[top : top + 45, left : left + 61]
            assert np.abs(found - expected).max() <= 1, (layer, steps)
    ok("react", "a.npy", "plain.npy")
    assert (tmp_path / "plain.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    refused(2, "react", "a.npy", "c.npy", "--sheet", "s.png")
    refused(2, "react", "a.npy", "c.npy", "--snapshots", "201")
    refused(4, "react", "a.npy", "c.npy", "--snapshots", "20", "--sheet", "s.txt")


@needs_gif
def test_gif_shows_the_evolution(ok, refused, tmp_path, image):
    pillow = pytest.importorskip("PIL.Image")
    ok("react", "a.npy", "e.gif", "--snapshots", "0,10,100", "--steps", "100")
    film = pillow.open(tmp_path / "e.gif")
    assert film.n_frames == 3 and film.size == (61, 45)
    ok("react", "a.npy", "end.npy", "--steps", "100")
    end = np.load(tmp_path / "end.npy")
    for frame, steps in enumerate((0, 10, 100)):
        ok("react", "a.npy", "then.npy", "--steps", str(steps))
        film.seek(frame)
        # All frames have the map of the last.
        expected = as_bytes(np.load(tmp_path / "then.npy"), end.min(), end.max())
        assert np.abs(np.asarray(film.convert("L")).astype(int) - expected).max() <= 1
    if HAS_PNG:
        first = (tmp_path / "e.gif").read_bytes()
        ok("react", "a.npy", "e.gif", "--snapshots", "0,10,100", "--steps", "100", "--sheet", "both.png")
        assert (tmp_path / "e.gif").read_bytes() == first
    ok("react", "a.npy", "whole.gif", "--settle", "0.5")
    assert pillow.open(tmp_path / "whole.gif").n_frames == 41
    np.save(tmp_path / "v.npy", np.zeros((6, 7, 8), np.uint8))
    refused(4, "react", "v.npy", "v.gif")


def test_films_have_one_window_and_one_map(ok, tmp_path, image):
    """A blank frame, a dark one and the image: what the first has must not decide for all."""
    stack = np.stack([np.zeros_like(image), image // 20, image])
    np.save(tmp_path / "stack.npy", stack)
    ok("react", "stack.npy", "states.npy", "--slice", "all", "--steps", "60")
    states = np.load(tmp_path / "states.npy")
    for frame, values in zip(states, stack):
        expected = network(values, (0, stack.max()), 60)[0]
        assert np.sqrt(np.mean((frame - expected) ** 2)) < 1e-4
    ok("react", "stack.npy", "bytes.npy", "--slice", "all", "--steps", "60", "--type", "u8")
    found = np.load(tmp_path / "bytes.npy").astype(int)
    assert np.abs(found - as_bytes(states, states[2].min(), states[2].max())).max() <= 1


def test_steps_asked_for_stay_in_volumes(ok, tmp_path):
    np.save(tmp_path / "v.npy", np.random.default_rng(1).integers(0, 256, (6, 7, 8)).astype(np.uint8))
    result = ok("react", "v.npy", "w.npy", "--steps", "33", "--json").json["result"]
    assert result["steps"] == 33 and result["dt"] < result["dt_limit"]
    assert "dt lowered" in ok("react", "v.npy", "w.npy").out


def test_figures_are_of_all_channels(ok, tmp_path, image):
    values = np.stack([image, image // 3, 255 - image], -1)
    np.save(tmp_path / "rgb.npy", values)
    options = ["--channels", "--window", "0,255", "--steps", "32", "--settle", "1e-6", "--json"]
    result = ok("react", "rgb.npy", "b.npy", "--layer", "both", *options).json["result"]
    found = np.load(tmp_path / "b.npy")
    for layer, name in enumerate("uv"):
        states = found[..., layer::2]
        assert result[name] == pytest.approx([states.min(), states.max()], rel=1e-5)
    changes = []
    for channel in range(3):
        np.save(tmp_path / "one.npy", values[..., channel])
        changes.append(ok("react", "one.npy", "c.npy", *options[1:]).json["result"]["change"])
    assert result["change"] == pytest.approx(max(changes), rel=1e-3) and max(changes) > min(changes)


def test_stated_memory_is_enough(ok, refused, tmp_path, image):
    for options in ([], ["--layer", "both"], ["--snapshots", "5,9"], ["--type", "u8"], ["--precision", "double"]):
        stated = ok("react", "a.npy", "b.npy", *options, "--device", "cpu", "--json").json["result"]["memory_bytes"]
        budget = ["--device", "cpu", "--memory"]
        ok("react", "a.npy", "b.npy", *options, *budget, str(stated))
        refused(5, "react", "a.npy", "new.npy", *options, *budget, str(stated - 1))
    np.save(tmp_path / "wide.npy", image.astype(float))
    options = ["--type", "u8", "--snapshots", "5,9", "--device", "cpu"]
    stated = ok("react", "wide.npy", "b.npy", *options, "--json").json["result"]["memory_bytes"]
    ok("react", "wide.npy", "b.npy", *options, "--memory", str(stated))


def test_windows_that_begin_too_far_out_are_refused(refused, image):
    assert "wider" in refused(2, "react", "a.npy", "b.npy", "--window", "100,104")
    refused(2, "react", "a.npy", "b.npy", "--gain", "9")


@needs_png
def test_transparency_is_left_out(ok, tmp_path, image):
    values = np.stack([image, 255 - image, image // 2, np.full_like(image, 255)], -1)
    np.save(tmp_path / "rgba.npy", values)
    ok("convert", "rgba.npy", "rgba.png", "--channels")
    np.save(tmp_path / "rgb.npy", values[..., :3])
    ok("react", "rgba.png", "a_out.npy")
    ok("react", "rgb.npy", "b_out.npy", "--channels")
    assert np.array_equal(np.load(tmp_path / "a_out.npy"), np.load(tmp_path / "b_out.npy"))


def test_channels_are_networks_of_their_own(ok, tmp_path):
    values = np.random.default_rng(3).integers(0, 256, (20, 30, 3)).astype(np.uint8)
    np.save(tmp_path / "rgb.npy", values)
    ok("react", "rgb.npy", "b.npy", "--channels", "--window", "0,255", "--steps", "40")
    found = np.load(tmp_path / "b.npy")
    assert found.shape == (20, 30, 3)
    for channel in range(3):
        expected = network(values[..., channel], (0, 255), 40)[0]
        assert np.sqrt(np.mean((found[..., channel] - expected) ** 2)) < 1e-4


@needs_tiff
@needs_png
def test_films(ok, refused, tmp_path, image):
    stack = np.stack([image, image[::-1], image[:, ::-1]])
    np.save(tmp_path / "stack.npy", stack)
    report = ok("react", "stack.npy", "film.tif", "--slice", "all", "--json").json
    assert report["result"]["frames"] == 3
    assert report["result"]["frames_per_second_compute"] >= report["result"]["frames_per_second"] > 0
    ok("convert", "film.tif", "film.npy")
    film = np.load(tmp_path / "film.npy")
    ok("react", "a.npy", "first.npy")
    first = np.load(tmp_path / "first.npy")
    assert film.shape == stack.shape
    # A frame knows nothing of the one before it.
    assert np.array_equal(film[0], first)
    assert np.array_equal(film[1], first[::-1]) and np.array_equal(film[2], first[:, ::-1])
    ok("react", "stack.npy", "f%02d.png", "--slice", "all")
    assert sorted(p.name for p in tmp_path.glob("f*.png")) == ["f00.png", "f01.png", "f02.png"]
    assert ok("react", "f%02d.png", "again.npy", "--json").json["result"]["frames"] == 3
    assert np.load(tmp_path / "again.npy").shape == (3, 45, 61)
    refused(2, "react", "stack.npy", "x.npy", "--frames", "--snapshots", "5")
    refused(7, "react", "none%d.png", "x.npy")
    refused(2, "react", "f%02d.png", "f%02d.png")
    refused(2, "react", "a.npy", "x%d.npy")
    refused(4, "react", "stack.npy", "x.png", "--frames", "--layer", "both")
    np.save(tmp_path / "g0.npy", image)
    np.save(tmp_path / "g1.npy", image[:9])
    assert "g1.npy" in refused(3, "react", "g%d.npy", "x.npy")


def test_constant_and_tiny_images(ok, tmp_path):
    for shape in ((1, 1), (1, 9), (2, 3)):
        np.save(tmp_path / "a.npy", np.full(shape, 7, np.uint16))
        ok("react", "a.npy", "b.npy")
        found = np.load(tmp_path / "b.npy")
        assert found.shape == shape and np.isfinite(found).all() and np.ptp(found) == 0


def test_bad_values(refused, tmp_path, image):
    holed = image.astype(np.float32)
    holed[3, 4] = np.nan
    np.save(tmp_path / "nan.npy", holed)
    message = refused(2, "react", "nan.npy", "b.npy")
    assert "nan.npy: " in message and "1 number" in message
    refused(2, "react", "a.npy", "b.npy", "--genes", "e=0.1")
    refused(2, "react", "a.npy", "b.npy", "--genes", "x=1")
    refused(2, "react", "a.npy", "b.npy", "--window", "9,3")
    refused(2, "react", "a.npy", "b.npy", "--steps", "-1")
    refused(5, "react", "a.npy", "b.npy", "--memory", "20K", "--device", "cpu")
    refused(2, "react", "a.npy", "b.npy", "--repeat", "2", "--snapshots", "3")


def test_repeat_and_dry_run(ok, tmp_path, image):
    report = ok("react", "a.npy", "b.npy", "--repeat", "3", "--json").json
    assert len(report["seconds"]["compute_runs"]) == 3
    (tmp_path / "b.npy").unlink()
    assert "0.112867" in ok("react", "a.npy", "b.npy", "--dry-run").out
    assert not (tmp_path / "b.npy").exists()


def test_verbose_says_how_and_why(run, image):
    told = run("react", "a.npy", "b.npy", "--verbose", "--device", "cpu").err
    assert "limit of stability 0.112867" in told and "became -1 to 1" in told
    assert "rows" in told


# Of a film the frame with the widest range is run first, for the map of all.
@pytest.mark.parametrize("shape", [(2000, 2000), (2, 1, 2000, 2000, 1)])
def test_interrupted_run_leaves_nothing(tmp_path, shape):
    np.save(tmp_path / "a.npy", np.zeros(shape, np.uint8))
    started = subprocess.Popen([PROGRAM, "react", "a.npy", "b.npy", "--steps", "1000000", "--type", "u8", "--device", "cpu"], cwd=tmp_path,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    time.sleep(1)
    started.send_signal(signal.SIGINT)
    assert started.wait(timeout=60) == 130
    assert started.stderr.read().count("\n") == 1
    assert os.listdir(tmp_path) == ["a.npy"]
