# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander flow`: its refusals, what it needs of memory, and its pictures."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, needs_png
from flow_oracle import error, gradient, solution, v0_of


def test_types_and_formats(ok, refused, tmp_path, image):
    ok("flow", "a.npy", "b.npy", "--type", "f16")
    half = np.load(tmp_path / "b.npy")
    ok("flow", "a.npy", "b.npy")
    assert half.dtype == np.float16 and np.allclose(half, np.load(tmp_path / "b.npy"), atol=1e-3)
    np.save(tmp_path / "wide.npy", image.astype(float))
    ok("flow", "wide.npy", "b.npy")
    assert np.load(tmp_path / "b.npy").dtype == np.float64


@needs_png
def test_pictures_cannot_hold_a_field(ok, refused, tmp_path, image):
    for options in ([], ["--output", "unit"], ["--output", "magnitude"], ["--type", "u8"]):
        assert "TIFF or NPY" in refused(4, "flow", "a.npy", "b.png", *options)
    ok("flow", "a.npy", "b.png", "--output", "magnitude", "--type", "u8")  # rounded, because it was asked for


def test_not_converged(run, refused, tmp_path, image):
    options = ["--tolerance", "1e-9", "--precision", "double", "--max-cycles", "2"]
    message = refused(8, "flow", "a.npy", "b.npy", *options)
    assert "after 2 cycles" in message and "1e-09" in message and "residual" in message
    kept = run("flow", "a.npy", "b.npy", *options, "--keep", "--json")
    assert kept.code == 8 and kept.err.count("\n") == 1 and "after 2 cycles" in kept.err
    assert kept.json["result"]["converged"] is False and kept.json["result"]["cycles"] == 2
    found = np.load(tmp_path / "b.npy")
    assert found.shape == (45, 61, 2) and error(found, solution(gradient(image))) < 0.1


def test_mu_beyond_the_limit_is_refused_with_it(ok, refused, image):
    largest = np.linalg.norm(gradient(image), axis=-1).max()
    limit = (2 - largest**2) / 8
    message = refused(2, "flow", "a.npy", "b.npy", "--solver", "explicit", "--mu", limit * 1.01)
    stated = float(message.split("at most ")[1].split()[0])
    assert stated == pytest.approx(limit, rel=1e-5) and "a.npy" in message
    result = ok("flow", "a.npy", "b.npy", "--solver", "explicit", "--mu", limit * 0.99, "--json").json["result"]
    assert result["mu_limit"] == pytest.approx(limit, rel=1e-5)


def test_options_that_do_not_go_together(refused, image):
    refused(2, "flow", "a.npy", "b.npy", "--solver", "explicit", "--generalised", "0.1")
    refused(2, "flow", "a.npy", "b.npy", "--storage", "f16")
    refused(2, "flow", "a.npy", "b.npy", "--iterations", "5")
    refused(2, "flow", "a.npy", "b.npy", "--solver", "explicit", "--storage", "f16", "--precision", "double")
    for option, value in (("mu", "0"), ("tolerance", "2"), ("max-cycles", "0"), ("solver", "gauss"), ("repeat", "0")):
        assert f"{option}" in refused(2, "flow", "a.npy", "b.npy", f"--{option}", value)


def test_colour_images_are_refused(refused, tmp_path):
    np.save(tmp_path / "rgb.npy", np.eye(6, dtype=np.uint8)[:5, :, None] * [1, 2, 3])
    message = refused(2, "flow", "rgb.npy", "b.npy", "--channels")
    assert "rgb.npy: an image with 3 channels" in message and "--field" in message


@needs_png
def test_transparency_is_left_out(ok, tmp_path, image):
    np.save(tmp_path / "ga.npy", np.stack([image, image // 2], -1))
    ok("convert", "ga.npy", "ga.png", "--channels")
    ok("flow", "ga.png", "b.npy")
    ok("flow", "a.npy", "c.npy")
    assert np.array_equal(np.load(tmp_path / "b.npy"), np.load(tmp_path / "c.npy"))


def test_bad_values(refused, tmp_path, image):
    holed = image.astype(np.float32)
    holed[3, 4] = np.nan
    np.save(tmp_path / "nan.npy", holed)
    message = refused(2, "flow", "nan.npy", "b.npy")
    assert "nan.npy: " in message and " 1 number" in message
    refused(7, "flow", "none.npy", "b.npy")
    refused(7, "flow", "a.npy", "none/b.npy")
    refused(4, "flow", "a.npy", "b.txt")
    refused(4, "flow", "a.npy", "b.npy", "--picture", "p.txt")
    refused(4, "flow", "a.npy", "b.npy", "--picture", "./b.npy")


@needs_png
def test_picture_shows_the_flow(ok, tmp_path, image):
    y, x = np.mgrid[0:96, 0:96]
    np.save(tmp_path / "a.npy", (np.hypot(x - 48, y - 48) < 24).astype(np.uint8) * 200)
    plain = ok("flow", "a.npy", "b.npy").out
    before = (tmp_path / "b.npy").read_bytes()
    report = ok("flow", "a.npy", "b.npy", "--picture", "p.png", "--json").json
    assert [entry["path"] for entry in report["outputs"]] == ["b.npy", "p.png"] and plain
    assert (tmp_path / "b.npy").read_bytes() == before
    ok("convert", "p.png", "p.npy")
    sheet = np.load(tmp_path / "p.npy").astype(int)
    # Four tiles of 96 pixels, four times enlarged, above the part of 24 pixels, sixteen times.
    assert sheet.shape == (8 + 20 + 384 + 8 + 20 + 384 + 8, 8 + 4 * 392, 3)

    def tile(index, x, y):
        return sheet[28 + 4 * y + 2, 8 + index * 392 + 4 * x + 2]

    assert tile(0, 48, 48).tolist() == [255] * 3 and tile(0, 5, 5).tolist() == [0] * 3
    assert tile(1, 48, 48).tolist() == [0] * 3 and tile(2, 24, 48).min() > 150
    # Left of the disc the field points right, above it down.
    for (px, py), colour in {(10, 48): (255, 0, 0), (48, 10): (128, 255, 0), (48, 86): (128, 0, 255)}.items():
        assert np.abs(tile(3, px, py) - colour).max() < 12, (px, py)
    arrows = sheet[28 + 384 + 28 :, 8 + 392 : 8 + 2 * 392 - 8]
    assert (np.abs(arrows - (255, 196, 0)).max(-1) < 40).sum() > 100


@needs_png
def test_pictures_of_fields_volumes_and_pixels(ok, tmp_path, image):
    v0_of(ok, tmp_path)
    ok("flow", "v0.npy", "b.npy", "--field", "--picture", "p.png")
    assert ok("info", "p.png", "--json").json["inputs"][0]["channels"] == 3
    for shape in ((5, 6, 7), (1, 1), (1, 40)):
        np.save(tmp_path / "v.npy", np.arange(np.prod(shape), dtype=np.uint8).reshape(shape))
        ok("flow", "v.npy", "w.npy", "--picture", "p.png")


def test_stated_memory_is_enough(ok, refused, tmp_path, image):
    np.save(tmp_path / "mask.npy", np.ones_like(image))
    ok("flow", "a.npy", "start.npy")
    for options in ([], ["--solver", "explicit"], ["--solver", "explicit", "--storage", "f16"], ["--output", "unit"],
                    ["--precision", "double"], ["--mask", "mask.npy"], ["--start", "start.npy"], ["--type", "f64"],
                    ["--sigma", "2"], ["--picture", "p.npy"], ["--solver", "explicit", "--storage", "f16", "--output", "unit"],
                    ["--solver", "explicit", "--storage", "snorm16", "--output", "magnitude"]):  # fmt: skip
        budget = [*options, "--device", "cpu"]
        stated = ok("flow", "a.npy", "b.npy", *budget, "--json").json["result"]["memory_bytes"]
        ok("flow", "a.npy", "b.npy", *budget, "--memory", stated)
        refused(5, "flow", "a.npy", "new.npy", *budget, "--memory", stated - 1)


def test_refusal_names_what_would_fit(ok, refused, tmp_path):
    z, y, x = np.mgrid[0:24, 0:25, 0:26]
    np.save(tmp_path / "v.npy", (x + y + z).astype(np.float32))
    needs = {}
    for name, options in {"multigrid": [], "f32": ["--solver", "explicit"],
                          "f16": ["--solver", "explicit", "--storage", "f16"]}.items():  # fmt: skip
        report = ok("flow", "v.npy", "w.npy", *options, "--device", "cpu", "--dry-run", "--json").json
        needs[name] = report["result"]["memory_bytes"]
    assert needs["f16"] < needs["f32"] < needs["multigrid"]

    def answer(budget, *options):
        return refused(5, "flow", "v.npy", "w.npy", *options, "--device", "cpu", "--memory", budget)

    message = answer(needs["multigrid"] - 1)
    assert str(needs["multigrid"]) in message and f"--solver fed needs {needs['f32']}" in message
    for options in ([], ["--solver", "explicit"]):
        assert f"--solver explicit --storage f16 needs {needs['f16']}" in answer(needs["f32"] - 1, *options)
    assert "no solver or storage" in answer(needs["f16"] - 1)
    # Explicit steps would refuse such a mu.
    assert "no solver or storage" in answer(needs["f32"] - 1, "--mu", "5")
    assert "no solver or storage" in answer(needs["multigrid"] - 1, "--precision", "double", "--solver", "explicit")
    assert "no solver or storage" in answer(needs["f16"], "--generalised", "0.1")
    ok("flow", "v.npy", "w.npy", "--solver", "explicit", "--storage", "f16", "--device", "cpu", "--memory", needs["f16"])


def test_repeat_and_dry_run(ok, tmp_path, image):
    report = ok("flow", "a.npy", "b.npy", "--repeat", "3", "--json").json
    assert len(report["seconds"]["compute_runs"]) == 3 and report["seconds"]["compute"] > 0
    (tmp_path / "b.npy").unlink()
    assert "would run multigrid, mu 0.1, tolerance 0.0001" in ok("flow", "a.npy", "b.npy", "--dry-run").out
    assert "61 steps" in ok("flow", "a.npy", "b.npy", "--solver", "fed", "--dry-run").out
    assert not (tmp_path / "b.npy").exists()


def test_interrupted_run_leaves_nothing(tmp_path):
    rng = np.random.default_rng(2)
    np.save(tmp_path / "a.npy", rng.integers(0, 256, (1500, 1500)).astype(np.uint8))
    # A shell's background jobs ignore SIGINT, and so would this one.
    started = subprocess.Popen([PROGRAM, "flow", "a.npy", "b.npy", "--solver", "explicit", "--iterations", "10000000", "--mu",
                                "0.01", "--device", "cpu"], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))  # fmt: skip
    try:
        time.sleep(1)
        started.send_signal(signal.SIGINT)
        assert started.wait(timeout=60) == 130
    finally:
        started.kill()
    assert started.stderr.read().count("\n") == 1
    assert os.listdir(tmp_path) == ["a.npy"]


def test_options_that_would_do_nothing_are_refused(refused, image):
    for options in (["--solver", "explicit", "--max-cycles", "5"], ["--solver", "fed", "--keep"]):
        assert "multigrid" in refused(2, "flow", "a.npy", "x.npy", *options)


def test_pictures_that_cannot_be_written_are_refused_before_the_work(refused, image):
    for target, code in (("nowhere/p.png", 7), ("p.csv", 4), ("a.npy", 2), ("x.npy", 4)):
        for options in ([], ["--dry-run"]):
            assert refused(code, "flow", "a.npy", "x.npy", "--picture", target, *options).count("\n") == 1


def test_starts_and_masks_that_hold_nonsense_are_refused(refused, tmp_path, image):
    start = np.zeros((*image.shape, 2), np.float32)
    mask = np.ones(image.shape, np.float32)
    start[3, 4, 1] = mask[3, 4] = np.nan
    np.save(tmp_path / "mask.npy", mask)
    assert "mask" in refused(2, "flow", "a.npy", "x.npy", "--mask", "mask.npy")
    explicit = ["--solver", "explicit", "--start", "start.npy", "--storage"]
    for value, storages in ((np.nan, ("f32", "f16", "snorm16")), (3e38, ("f16", "snorm16")), (-1.5, ("snorm16",))):
        start[3, 4, 1] = value
        np.save(tmp_path / "start.npy", start)
        for storage in storages:
            assert "start" in refused(2, "flow", "a.npy", "x.npy", *explicit, storage)


def test_weak_gradients_say_that_float_is_not_enough(refused, ok, tmp_path):
    y, x = np.mgrid[:64, :64]
    np.save(tmp_path / "d.npy", (np.hypot(y - 30, x - 33) < 18).astype(np.float32))
    weak = ["flow", "d.npy", "x.npy", "--sigma", "30", "--mu", "100"]
    assert "--precision double" in refused(8, *weak, "--max-cycles", "100")
    ok(*weak, "--precision", "double")
