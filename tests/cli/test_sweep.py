# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""--sweep: a sheet of what single runs give, and their reports."""

import json
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, needs_png

MARGIN, LABEL, CHARACTER = 8, 20, 12  # of a contact sheet


def as_bytes(values, window):
    """What `convert --type u8 --window` makes of the values."""
    low, high = window
    scaled = (values.astype(np.float64) - low) / (high - low) * 255
    return np.clip(np.rint(scaled), 0, 255).astype(np.uint8)


def tiles_of(sheet, rows, columns, shape, labels):
    """The pictures of a sheet whose tiles all have one shape, and the labels above them."""
    height, width = shape
    place = [max(width, *(CHARACTER * len(labels[r * columns + c]) for r in range(rows))) for c in range(columns)]
    assert sheet.shape == (MARGIN + rows * (LABEL + height + MARGIN), MARGIN + sum(place) + columns * MARGIN, 3)
    found, heads = [], []
    for row in range(rows):
        top = MARGIN + row * (LABEL + height + MARGIN)
        left = MARGIN
        for column in range(columns):
            heads.append(sheet[top : top + LABEL, left : left + place[column]])
            found.append(sheet[top + LABEL : top + LABEL + height, left : left + width])
            left += place[column] + MARGIN
    return found, heads


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def assert_nothing_hidden(folder):
    assert not [name for name in names(folder) if name.startswith(".")]


def test_tiles_are_what_single_runs_give(ok, image, tmp_path):
    ok("smooth", "a.npy", "sheet.npy", "--sweep", "sigma=0.5:2:4")
    assert names(tmp_path) == ["a.npy", "sheet.json", "sheet.npy"]
    sweep = json.loads((tmp_path / "sheet.json").read_text())
    assert sweep["verb"] == "smooth" and sweep["columns"] == 4
    assert sweep["sweep"] == [{"option": "sigma", "spacing": "linear", "values": [0.5, 1, 1.5, 2]}]
    single = []
    for run, sigma in zip(sweep["runs"], ["0.5", "1", "1.5", "2"], strict=True):
        alone = ok("smooth", "a.npy", f"{sigma}.npy", "--sigma", sigma, "--json").json
        single.append(np.load(tmp_path / f"{sigma}.npy"))
        assert run["values"] == {"sigma": float(sigma)} and run["error"] is None
        assert run["report"]["options"] == {**alone["options"], "json": False}
        assert run["report"]["result"] == alone["result"]
        assert run["report"]["outputs"][0]["path"] is None
        assert run["report"]["seconds"]["compute"] > 0
    window = [min(s.min() for s in single), max(s.max() for s in single)]
    np.testing.assert_allclose(sweep["window"], window, rtol=1e-6)
    labels = ["sigma=0.5", "sigma=1", "sigma=1.5", "sigma=2"]
    tiles, heads = tiles_of(np.load(tmp_path / "sheet.npy"), 1, 4, image.shape, labels)
    for tile, values in zip(tiles, single, strict=True):
        for channel in range(3):
            np.testing.assert_array_equal(tile[..., channel], as_bytes(values, window))
    assert all((head == 0).any() for head in heads)  # ink
    assert len({head.tobytes() for head in heads}) == 4


def test_two_options_make_rows_and_columns(ok, tmp_path):
    printed = ok(
        "phantom", "star", "s.npy", "--size", "40x30", "--noise", "gaussian", "--type", "f32",
        "--sweep", "snr=1:4:2", "--sweep", "seed=1:3:3", "--json",
    )
    sweep = json.loads((tmp_path / "s.json").read_text())
    assert printed.json == sweep
    assert [run["values"] for run in sweep["runs"]] == [{"snr": s, "seed": d} for s in (1, 4) for d in (1, 2, 3)]
    labels = [f"snr={s} seed={d}" for s in (1, 4) for d in (1, 2, 3)]
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 2, 3, (30, 40), labels)
    for tile, run in zip(tiles, sweep["runs"], strict=True):
        ok("phantom", "star", "one.npy", "--size", "40x30", "--noise", "gaussian", "--type", "f32",
           "--snr", run["values"]["snr"], "--seed", run["values"]["seed"])  # fmt: skip
        np.testing.assert_array_equal(tile[..., 1], as_bytes(np.load(tmp_path / "one.npy"), sweep["window"]))


def test_long_sweeps_take_several_rows(ok, image, tmp_path):
    ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=0:9:10")
    sweep = json.loads((tmp_path / "s.json").read_text())
    assert sweep["columns"] == 8 and len(sweep["runs"]) == 10
    sheet = np.load(tmp_path / "s.npy")
    assert sheet.shape[0] == MARGIN + 2 * (LABEL + 45 + MARGIN)
    ninth = sheet[MARGIN + 2 * LABEL + 45 + MARGIN :, MARGIN : MARGIN + 61][:45, :, 0]
    ok("smooth", "a.npy", "one.npy", "--sigma", "8")
    np.testing.assert_array_equal(ninth, as_bytes(np.load(tmp_path / "one.npy"), sweep["window"]))


def test_equal_ratios_and_decimals(ok, image, tmp_path):
    ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=0.5:8:5:log")
    sweep = json.loads((tmp_path / "s.json").read_text())["sweep"][0]
    assert sweep["values"] == [0.5, 1, 2, 4, 8] and sweep["spacing"] == "log"
    ok("flow", "a.npy", "f.npy", "--sweep", "mu=0.1:0.5:5")
    assert json.loads((tmp_path / "f.json").read_text())["sweep"][0]["values"] == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_large_results_are_reduced_by_means(ok, tmp_path):
    values = np.random.default_rng(5).normal(0, 1, (700, 1100)).astype(np.float32)
    np.save(tmp_path / "a.npy", values)
    ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=0:1:2")
    window = json.loads((tmp_path / "s.json").read_text())["window"]
    means = np.array([[values[y : y + 3, x : x + 3].mean(dtype=float) for x in range(0, 1100, 3)] for y in range(0, 700, 3)])
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, means.shape, ["sigma=0", "sigma=1"])
    difference = tiles[0][..., 0].astype(int) - as_bytes(means, window)
    assert np.abs(difference).max() <= 1 and (difference != 0).mean() < 0.01


def test_each_run_finds_its_own_window(ok, tmp_path):
    planes = np.stack([np.arange(256.0).reshape(16, 16), 7 * np.arange(256.0).reshape(16, 16)])
    np.save(tmp_path / "c.npy", np.moveaxis(planes, 0, 2).astype(np.float32))
    ok("convert", "c.npy", "s.npy", "--channels", "--window", "auto", "--type", "u8", "--sweep", "channel=0:1:2")
    runs = json.loads((tmp_path / "s.json").read_text())["runs"]
    first, second = (run["report"]["result"]["window"] for run in runs)
    np.testing.assert_allclose(np.multiply(first, 7), second)


def test_what_a_run_settles_is_not_given_to_the_next(ok, tmp_path):
    np.save(tmp_path / "c.npy", np.repeat(np.arange(256, dtype=np.uint8).reshape(16, 16, 1), 3, axis=2))
    ok("smooth", "c.npy", "s.npy", "--channels", "--sweep", "sigma=1:2:2")
    first, second = (run["report"]["options"] for run in json.loads((tmp_path / "s.json").read_text())["runs"])
    assert {**first, "sigma": None} == {**second, "sigma": None}


def test_volumes_show_the_middle_slice_and_colours_their_colours(ok, tmp_path):
    volume = np.random.default_rng(6).normal(0, 1, (5, 20, 100)).astype(np.float32)
    np.save(tmp_path / "v.npy", volume)
    ok("smooth", "v.npy", "s.npy", "--sweep", "sigma=0:1:2")
    window = json.loads((tmp_path / "s.json").read_text())["window"]
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, (20, 100), ["sigma=0", "sigma=1"])
    np.testing.assert_array_equal(tiles[0][..., 0], as_bytes(volume[2], window))
    colours = np.random.default_rng(7).integers(0, 256, (20, 100, 3)).astype(np.uint8)
    np.save(tmp_path / "c.npy", colours)
    ok("smooth", "c.npy", "s.npy", "--channels", "--sweep", "sigma=0:1:2")
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, (20, 100), ["sigma=0", "sigma=1"])
    np.testing.assert_array_equal(tiles[0], as_bytes(colours, (colours.min(), colours.max())))


def test_fields_are_shown_by_direction_and_lengths_by_value(ok, image, tmp_path):
    ok("flow", "a.npy", "s.npy", "--sweep", "mu=0.1:0.3:2")
    assert json.loads((tmp_path / "s.json").read_text())["window"] is None
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, image.shape, ["mu=0.1", "mu=0.3"])
    for tile, mu in zip(tiles, ("0.1", "0.3"), strict=True):
        ok("flow", "a.npy", "one.npy", "--mu", mu)
        u, v = np.moveaxis(np.load(tmp_path / "one.npy").astype(float), -1, 0)
        length = np.hypot(u, v)
        brightest = tile.max(axis=-1) / 255.0
        np.testing.assert_allclose(brightest, np.sqrt(length / length.max()), atol=0.01)
        right = (u > 0.5 * length.max()) & (np.abs(v) < 0.05 * u)
        assert right.any() and (tile[right].argmax(axis=-1) == 0).all()  # red
    ok("flow", "a.npy", "s.npy", "--output", "magnitude", "--sweep", "mu=0.1:0.3:2")
    window = json.loads((tmp_path / "s.json").read_text())["window"]
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, image.shape, ["mu=0.1", "mu=0.3"])
    ok("flow", "a.npy", "one.npy", "--mu", "0.3", "--output", "magnitude")
    np.testing.assert_array_equal(tiles[1][..., 2], as_bytes(np.load(tmp_path / "one.npy"), window))


def test_react_takes_the_swept_value_over_its_preset(ok, image, tmp_path):
    ok("react", "a.npy", "s.npy", "--preset", "contrast", "--sweep", "steps=3:9:2")
    sweep = json.loads((tmp_path / "s.json").read_text())
    assert [run["report"]["result"]["steps"] for run in sweep["runs"]] == [3, 9]
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, image.shape, ["steps=3", "steps=9"])
    ok("react", "a.npy", "one.npy", "--preset", "contrast", "--steps", "9")
    np.testing.assert_array_equal(tiles[1][..., 0], as_bytes(np.load(tmp_path / "one.npy"), sweep["window"]))


@needs_png
def test_outlines_are_shown_on_the_image(ok, tmp_path):
    ok("phantom", "star", "a.npy", "--size", "300x280", "--noise", "gaussian", "--snr", "3")
    ok("segment", "a.npy", "s.npy", "--sweep", "min-segment=8:40:2")
    sweep = json.loads((tmp_path / "s.json").read_text())
    assert sweep["window"] is None
    labels = ["min-segment=8", "min-segment=40"]
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, (280, 300), labels)
    nodes = []
    for tile, run, value in zip(tiles, sweep["runs"], ("8", "40"), strict=True):
        alone = ok("segment", "a.npy", "one.geojson", "--min-segment", value, "--overlay", "one.png", "--json").json
        ok("convert", "one.png", "one.npy")
        np.testing.assert_array_equal(tile, np.load(tmp_path / "one.npy"))
        assert run["report"]["result"]["objects"] == alone["result"]["objects"]
        assert run["report"]["options"]["overlay"] is None
        nodes.append(run["report"]["result"]["objects"][0]["nodes"])
    assert nodes[0] != nodes[1]


def test_edge_snakes_are_swept_as_well(ok, tmp_path):
    ok("phantom", "star", "a.npy", "--size", "300x280", "--noise", "gaussian", "--snr", "4")
    edge = ("--model", "edge", "--init", "circle:150,140,110", "--keep")
    ok("segment", "a.npy", "s.npy", *edge, "--sweep", "sigma=2:4:2")
    runs = json.loads((tmp_path / "s.json").read_text())["runs"]
    tiles, _ = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, (280, 300), ["sigma=2", "sigma=4"])
    ok("segment", "a.npy", "one.csv", *edge, "--sigma", "4", "--overlay", "one.npy")
    np.testing.assert_array_equal(tiles[1], np.load(tmp_path / "one.npy"))
    assert runs[0]["report"]["result"]["objects"] != runs[1]["report"]["result"]["objects"]


@needs_png
def test_a_sheet_may_be_a_png(ok, image, tmp_path):
    ok("smooth", "a.npy", "s.png", "--sweep", "sigma=1:2:2")
    ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2")
    ok("convert", "s.png", "p.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "p.npy"), np.load(tmp_path / "s.npy"))


def test_runs_that_do_not_converge_leave_their_tiles_empty(ok, run, tmp_path):
    y, x = np.mgrid[0:200, 0:200]
    np.save(tmp_path / "a.npy", (np.hypot(x - 100, y - 100) < 60).astype(np.float32))
    said = ok("flow", "a.npy", "s.npy", "--output", "magnitude", "--sweep", "max-cycles=1:29:2")
    assert "max-cycles=1: a.npy: residual" in said.out and "\nmax-cycles=29\n" in said.out
    sweep = json.loads((tmp_path / "s.json").read_text())
    first, second = sweep["runs"]
    assert first["error"]["code"] == 8 and "residual" in first["error"]["message"]
    assert second["error"] is None and second["report"]["result"]["converged"]
    labels = ["max-cycles=1: not converged", "max-cycles=29"]
    tiles, heads = tiles_of(np.load(tmp_path / "s.npy"), 1, 2, (200, 200), labels)
    assert (tiles[0] == 255).all() and (tiles[1] == 0).any() and (heads[0] == 0).any()
    before = (tmp_path / "s.json").read_bytes()
    result = run("flow", "a.npy", "s.npy", "--sweep", "max-cycles=1:2:2", "--tolerance", "1e-7")
    assert result.code == 8 and result.err.count("\n") == 1
    assert "no run of the sweep ended well: a.npy: residual" in result.err
    assert (tmp_path / "s.json").read_bytes() == before
    assert_nothing_hidden(tmp_path)
    result = run("flow", "a.npy", "k.npy", "--sweep", "max-cycles=1:2:2", "--tolerance", "1e-7", "--keep")
    assert result.code == 8 and len(json.loads((tmp_path / "k.json").read_text())["runs"]) == 2
    tiles, _ = tiles_of(np.load(tmp_path / "k.npy"), 1, 2, (200, 200), ["max-cycles=1", "max-cycles=2"])
    assert (tiles[0].reshape(-1, 3).max(axis=0) == 255).any()


@pytest.mark.parametrize(
    "code, arguments, part",
    [
        (2, ["info", "a.npy", "--sweep", "threads=1:2:2"], "info writes no image, expected one of smooth, flow"),
        (2, ["compare", "a.npy", "a.npy", "--sweep", "tolerance=1:2:2"], "compare writes no image"),
        (2, ["devices", "--sweep", "threads=1:2:2"], "devices writes no image"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sgma=1:2:2"], "'sgma', which is no option of smooth, expected one of sigma"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "border=1:2:2"], "--border of smooth takes no single number"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "mask=1:2:2"], "--mask of smooth takes no single number"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "threads=1:2:2"], "'threads', which is no option of smooth"),
        (2, ["convert", "a.npy", "s.npy", "--sweep", "window=1:2:2"], "--window of convert takes no single number, expected one of channel"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:0"], "a count from 1 to 64"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:65"], "a count from 1 to 64"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:1:2"], "from and to that differ"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:1"], "from and to that differ"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=0:2:3:log"], "numbers above 0"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:inf:3"], "finite numbers"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2"], "expected option=from:to:count"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:3:lin"], "expected option=from:to:count"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:3:log:4"], "expected option=from:to:count"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "1:2:3"], "expected option=from:to:count"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "=1:2:3"], "expected option=from:to:count"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=a:2:3"], "expected option=from:to:count"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", ""], "--sweep: found nothing"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=-1:2:4"], "sigma=-1: sigma is -1"),
        (2, ["flow", "a.npy", "s.npy", "--sweep", "max-cycles=1:2:3"], "max-cycles=1.5: found '1.5', expected an integer"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2", "--sigma", "1"], "expected no --sigma beside it"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2", "--sweep", "sigma=3:4:2"], "swept twice"),
        (2, ["smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:20", "--sweep", "error-bound=1e-3:1e-2:20"], "400 runs"),
        (2, ["flow", "a.npy", "s.npy"] + 3 * ["--sweep", "mu=1:2:2"], "found 3 options"),
        (2, ["flow", "a.npy", "s.npy", "--sweep", "mu=0.1:0.2:2", "--picture", "p.npy"], "expected no --picture beside"),
        (2, ["phantom", "star", "s.npy", "--sweep", "seed=1:2:2", "--truth", "t.npy"], "expected no --truth beside"),
        (2, ["segment", "a.npy", "s.npy", "--sweep", "min-segment=8:9:2", "--mask-out", "t.npy"], "no --mask-out beside"),
        (2, ["react", "a.npy", "s.npy", "--sweep", "steps=8:9:2", "--snapshots", "2"], "no --snapshots beside"),
        (2, ["smooth", "a.npy", "./a.npy", "--sweep", "sigma=1:2:2"], "would write over it"),
        (2, ["segment", "a.npy", "s.npy", "--init", "s.json", "--sweep", "min-segment=8:9:2"], "would write over it"),
        (4, ["smooth", "a.npy", "s.geojson", "--sweep", "sigma=1:2:2"], "s.geojson: found suffix"),
        (4, ["smooth", "a.npy", "s%d.npy", "--sweep", "sigma=1:2:2"], "expected one name"),
        (7, ["smooth", "a.npy", "none/s.npy", "--sweep", "sigma=1:2:2"], "none/s.npy"),
        (7, ["smooth", "no.npy", "s.npy", "--sweep", "sigma=1:2:2"], "no.npy"),
        (5, ["flow", "a.npy", "s.npy", "--sweep", "mu=0.1:0.2:2", "--memory", "100K"], "the budget is"),
    ],
)
def test_what_cannot_be_swept_is_refused(refused, image, code, arguments, part):
    assert part in refused(code, *arguments)


def test_an_error_on_the_way_stops_it(refused, image):
    error = refused(2, "react", "a.npy", "s.npy", "--steps", "3", "--sweep", "dt=0.01:50:2", "--quiet")
    assert "dt" in error and "50" in error


def test_a_dry_run_says_what_would_be_run(ok, image, tmp_path):
    said = ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2", "--dry-run").out
    assert said == "would run smooth with sigma=1\nwould run smooth with sigma=2\n"
    assert names(tmp_path) == ["a.npy"]
    reports = ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2", "--dry-run", "--json").json["runs"]
    assert [run["report"]["dry_run"] for run in reports] == [True, True]
    assert ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2", "--quiet").out == ""


def test_a_sweep_of_a_part_keeps_threads_and_memory(ok, image, tmp_path):
    ok("smooth", "a.npy", "s.npy", "--sweep", "sigma=1:2:2", "--roi", "3,4,40,30", "--threads", "1", "--memory", "8M")
    sweep = json.loads((tmp_path / "s.json").read_text())
    for run in sweep["runs"]:
        assert run["report"]["threads"] == 1 and run["report"]["options"]["memory"] == "8M"
        assert run["report"]["memory"]["device_peak_bytes"] <= 8 << 20
        assert run["report"]["inputs"][0]["shape"] == [26, 37]
    np.save(tmp_path / "crop.npy", image[4:30, 3:40])
    ok("smooth", "crop.npy", "t.npy", "--sweep", "sigma=1:2:2")
    np.testing.assert_array_equal(np.load(tmp_path / "s.npy"), np.load(tmp_path / "t.npy"))


def test_an_interrupted_sweep_leaves_nothing(tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(8).random((512, 512), np.float32))
    command = [PROGRAM, "react", "a.npy", "s.npy", "--steps", "200000", "--sweep", "gain=0.1:0.5:64", "--force"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(500):
        if any(name.startswith(".meander-sweep") for name in names(tmp_path)):
            break
        time.sleep(0.01)
    else:
        pytest.fail("no temporary folder appeared")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 130, error
    assert error.count("\n") == 1
    assert names(tmp_path) == ["a.npy"]
