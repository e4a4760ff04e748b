# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""--frame and --channel: what comes of a film is what its frames give one by one."""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import PROGRAM, needs_png, needs_tiff

FRAMES = 4


def film_of(values):
    """(t, y, x) as the five axes of a film in an .npy."""
    return values[:, None, :, :, None]


def names(folder):
    return sorted(p.name for p in folder.iterdir())


@pytest.fixture
def film(tmp_path):
    """A disc that moves and grows over noise, as a film and as files of one frame."""
    rng = np.random.default_rng(11)
    y, x = np.mgrid[0:60, 0:72]
    values = np.stack(
        [rng.normal(100, 5, (60, 72)) + 80 * (np.hypot(x - 28 - 4 * t, y - 30) < 12 + t) for t in range(FRAMES)]
    ).astype(np.uint8)
    np.save(tmp_path / "film.npy", film_of(values))
    for t, frame in enumerate(values):
        np.save(tmp_path / f"one{t}.npy", frame)
    return values


@pytest.mark.parametrize(
    "verb, options",
    [("convert", ["--type", "f32"]), ("smooth", ["--sigma", "2"]), ("flow", []), ("react", ["--steps", "9", "--window", "full"]), ("segment", [])],
)
def test_a_film_in_is_a_film_out(ok, film, tmp_path, verb, options):
    ok(verb, "film.npy", "all.npy", *options)
    found = np.load(tmp_path / "all.npy")
    assert found.shape[:4] == (FRAMES, 1, 60, 72)
    for t in range(FRAMES):
        ok(verb, f"one{t}.npy", "alone.npy", *options)
        np.testing.assert_array_equal(np.squeeze(found[t]), np.load(tmp_path / "alone.npy"))
    ok(verb, "film.npy", "third.npy", *options, "--frame", "2")
    np.testing.assert_array_equal(np.load(tmp_path / "third.npy"), np.squeeze(found[2]))


@pytest.mark.parametrize("verb, options", [("convert", []), ("react", ["--steps", "9", "--window", "full"])])
def test_a_range_leaves_out_its_end_and_numbers_files_by_frame(ok, film, tmp_path, verb, options):
    ok(verb, "film.npy", "part.npy", "--frame", "1:3", *options)
    ok(verb, "film.npy", "f%02d.npy", "--frame", "1:3", *options)
    assert [n for n in names(tmp_path) if n.startswith("f0")] == ["f01.npy", "f02.npy"]
    part = np.load(tmp_path / "part.npy")
    assert len(part) == 2
    for t in (1, 2):
        ok(verb, f"one{t}.npy", "alone.npy", *options)
        np.testing.assert_array_equal(np.load(tmp_path / f"f0{t}.npy"), np.load(tmp_path / "alone.npy"))
        np.testing.assert_array_equal(np.squeeze(part[t - 1]), np.load(tmp_path / "alone.npy"))


def test_react_sees_all_frames_by_one_window_as_those_of_a_stack(ok, film, tmp_path):
    np.save(tmp_path / "stack.npy", film[1:])
    ok("react", "film.npy", "a.npy", "--steps", "9", "--frame", "1:4", "--type", "u8")
    ok("react", "stack.npy", "b.npy", "--steps", "9", "--slice", "all", "--type", "u8")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy")[:, 0, :, :, 0], np.load(tmp_path / "b.npy"))


def test_outlines_and_what_goes_with_them_are_numbered(ok, film, tmp_path):
    arguments = ("--frame", "all", "--overlay", "o%d.npy", "--mask-out", "m%d.npy", "--truth", "truth.npy")
    y, x = np.mgrid[0:60, 0:72]
    truth = np.stack([np.hypot(x - 28 - 4 * t, y - 30) < 12 + t for t in range(FRAMES)]).astype(np.uint8)
    np.save(tmp_path / "truth.npy", film_of(truth))
    report = ok("segment", "film.npy", "c%d.geojson", *arguments, "--json").json
    assert report["result"]["frames"] == FRAMES
    assert [entry["frame"] for entry in report["result"]["per_frame"]] == list(range(FRAMES))
    assert all(entry["iou"] > 0.9 for entry in report["result"]["per_frame"])  # each with its own truth
    assert report["options"]["overlay"] == "o%d.npy"
    paths = [output["path"] for output in report["outputs"]]
    assert sorted(paths) == sorted(f"{k}{t}{s}" for t in range(FRAMES) for k, s in (("c", ".geojson"), ("o", ".npy"), ("m", ".npy")))
    for t in range(FRAMES):
        alone = ok("segment", f"one{t}.npy", "alone.geojson", "--mask-out", "alone.npy", "--json").json
        assert json.loads((tmp_path / f"c{t}.geojson").read_text()) == json.loads((tmp_path / "alone.geojson").read_text())
        np.testing.assert_array_equal(np.load(tmp_path / f"m{t}.npy"), np.load(tmp_path / "alone.npy"))
        assert report["result"]["per_frame"][t]["objects"] == alone["result"]["objects"]
    assert not [n for n in names(tmp_path) if n.startswith(".")]


def test_stages_are_folders_with_numbers(ok, film, tmp_path):
    edge = ("--model", "edge", "--init", "circle:36,30,20", "--keep", "--stages", "s%d")
    ok("segment", "film.npy", "c%d.csv", *edge, "--frame", "0:2")
    assert names(tmp_path / "s0") == names(tmp_path / "s1") != []


def test_masks_follow_the_frame_or_go_with_all(ok, refused, film, tmp_path):
    masks = (np.random.default_rng(3).random(film.shape) < 0.7).astype(np.uint8)
    np.save(tmp_path / "masks.npy", film_of(masks))
    np.save(tmp_path / "mask.npy", masks[1])
    ok("smooth", "film.npy", "a.npy", "--sigma", "2", "--mask", "masks.npy")
    ok("smooth", "film.npy", "b.npy", "--sigma", "2", "--mask", "mask.npy")
    ok("smooth", "one1.npy", "alone.npy", "--sigma", "2", "--mask", "mask.npy")
    a, b, alone = (np.squeeze(np.load(tmp_path / f"{n}.npy")) for n in ("a", "b", "alone"))
    np.testing.assert_array_equal(a[1], alone)
    np.testing.assert_array_equal(b[1], alone)
    assert (a[2] != b[2]).any()
    np.save(tmp_path / "short.npy", film_of(masks[:2]))
    error = refused(2, "smooth", "film.npy", "c.npy", "--sigma", "2", "--mask", "short.npy")
    assert "short.npy: a film of 2 frames, expected 4" in error


def test_info_shows_the_film(ok, film):
    report = ok("info", "film.npy", "--json").json
    assert report["inputs"][0]["frames"] == FRAMES and report["inputs"][0]["seconds_per_frame"] is None
    assert report["inputs"][0]["shape"] == [60, 72]
    assert report["result"]["sum"] == film.sum(dtype=np.int64)
    assert [f["sum"] for f in report["result"]["per_frame"]] == list(film.sum(axis=(1, 2), dtype=np.int64))
    assert ok("info", "film.npy", "--frame", "3", "--json").json["result"]["sum"] == film[3].sum(dtype=np.int64)
    assert ok("info", "film.npy", "--frame", "1:3", "--json").json["result"]["sum"] == film[1:3].sum(dtype=np.int64)
    assert "frames   4" in ok("info", "film.npy").out
    assert "frames" not in ok("info", "one0.npy").out


def test_compare_must_be_told_and_takes_a_still_for_all(ok, run, refused, film, tmp_path):
    error = refused(2, "compare", "film.npy", "film.npy")
    assert "film.npy: holds 4 frames: choose one with --frame N, or all with --frame all" in error
    ok("compare", "film.npy", "one2.npy", "--frame", "2")
    other = film.copy()
    other[3, 5, 6] += 1
    np.save(tmp_path / "other.npy", film_of(other))
    result = run("compare", "film.npy", "other.npy", "--frame", "all", "--json")
    assert result.code == 8
    assert [f["different"] for f in result.json["result"]["per_frame"]] == [0, 0, 0, 1]
    ok("compare", "film.npy", "other.npy", "--frame", "0:3")
    other[1] += 1
    other[3] = film[3]
    np.save(tmp_path / "early.npy", film_of(other))
    assert run("compare", "film.npy", "early.npy", "--frame", "all").code == 8  # whatever comes after it
    said = run("compare", "film.npy", "other.npy", "--frame", "2:4").out
    assert said.startswith("frame 2: max 0") and "\nframe 3: 1 numbers differ" in said


def test_reports_of_films(ok, film):
    report = ok("smooth", "film.npy", "o.npy", "--sigma", "2", "--json").json
    assert report["verb"] == "smooth" and report["result"]["frames"] == FRAMES
    assert report["inputs"][0]["frames"] == FRAMES
    assert len(report["outputs"]) == 1 and report["outputs"][0]["frames"] == FRAMES
    assert [f["frame"] for f in report["result"]["per_frame"]] == list(range(FRAMES))
    assert all("method" in f for f in report["result"]["per_frame"])
    seconds = report["seconds"]
    assert seconds["total"] >= seconds["read"] + seconds["compute"] + seconds["write"]
    react = ok("react", "film.npy", "o.npy", "--steps", "3", "--json").json
    assert react["result"]["frames"] == FRAMES and len(react["result"]["per_frame"]) == FRAMES
    assert react["outputs"][0]["frames"] == FRAMES


def test_a_dry_run_writes_nothing(ok, film, tmp_path):
    before = names(tmp_path)
    said = ok("smooth", "film.npy", "o.npy", "--sigma", "2", "--dry-run").out
    assert "frame 0: " in said and "frame 3: " in said
    report = ok("segment", "film.npy", "o%d.geojson", "--frame", "all", "--dry-run", "--json").json
    assert report["dry_run"] and report["result"]["frames"] == FRAMES
    assert names(tmp_path) == before


def test_an_image_is_a_film_of_one_frame(ok, refused, film, tmp_path):
    for choice in ("0", "all", "0:1"):
        ok("convert", "one0.npy", "o.npy", "--frame", choice)
        np.testing.assert_array_equal(np.load(tmp_path / "o.npy"), film[0])
    for verb in ("convert", "react"):
        assert "one0.npy" in refused(2, verb, "one0.npy", "p.npy", "--frame", "1")
        assert "one0.npy" in refused(2, verb, "one0.npy", "p.npy", "--frame", "0:2")
    ok("convert", "one0.npy", "n%d.npy", "--frame", "all")
    np.testing.assert_array_equal(np.load(tmp_path / "n0.npy"), film[0])


@pytest.mark.parametrize("verb", ["convert", "react", "info"])
@pytest.mark.parametrize("choice", ["4", "-1", "5:5", "3:2", "2:5", "x", "1:", ":2", "1:2:3", "1.5", "99999999999999999999", "9223372036854775807"])
def test_frames_that_are_none_are_refused(refused, film, verb, choice):
    out = [] if verb == "info" else ["o.npy"]
    error = refused(2, verb, "film.npy", *out, f"--frame={choice}")
    assert "--frame" in error or "found frame 4 of a film of 4" in error


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["segment", "film.npy", "o.geojson"], "choose one with --frame N, or all with --frame all"),
        (["segment", "film.npy", "o.geojson", "--frame", "all"], "expected numbered files as o%03d.geojson"),
        (["segment", "film.npy", "o%d.csv", "--frame", "all", "--overlay", "p.npy"], "expected numbered files as p%03d.npy"),
        (["segment", "film.npy", "o%d.npy", "--frame", "all", "--mask-out", "o%d.npy"], "named twice"),
        (["flow", "film.npy", "o.npy", "--picture", "p.npy"], "--picture: every frame would write p.npy"),
        (["smooth", "film.npy", "o.npy", "--sweep", "sigma=1:2:2"], "--sweep: film.npy: holds 4 frames: choose one"),
        (["react", "film.npy", "o.npy", "--sweep", "steps=1:2:2"], "--sweep: film.npy: holds 4 frames: choose one"),
        (["react", "film.npy", "o.npy", "--snapshots", "2"], "--snapshots"),
        (["smooth", "film.npy", "o.npy", "--sigma=-1"], "sigma is -1"),
        (["smooth", "film.npy", "o.npy", "--sigma", "2", "--frame", "0:3", "--sweep", "sigma=1:2:2"], "--sweep"),
    ],
)
def test_what_does_not_go_with_films_is_refused(refused, film, arguments, part):
    assert part in refused(2, *arguments)


@needs_png
@pytest.mark.parametrize("verb", ["convert", "react"])
def test_formats_without_films_are_refused(refused, ok, film, tmp_path, verb):
    assert "expected numbered files as o%03d.png" in refused(2, verb, "film.npy", "o.png", "--type", "u8")
    ok(verb, "film.npy", "o%03d.png", "--type", "u8")
    assert [n for n in names(tmp_path) if n.endswith(".png")] == [f"o00{t}.png" for t in range(FRAMES)]


def test_one_frame_may_be_swept(ok, film, tmp_path):
    ok("smooth", "film.npy", "s.npy", "--frame", "2", "--sweep", "sigma=1:2:2")
    ok("smooth", "one2.npy", "t.npy", "--sweep", "sigma=1:2:2")
    np.testing.assert_array_equal(np.load(tmp_path / "s.npy"), np.load(tmp_path / "t.npy"))


def test_a_frame_that_fails_is_named_and_nothing_is_left(refused, run, tmp_path):
    values = np.zeros((3, 80, 80), np.float32)
    values[0] = 1 + np.arange(80)
    values[1:] = np.hypot(*np.mgrid[-40:40, -40:40]) < 25
    np.save(tmp_path / "film.npy", film_of(values))
    hard = ("--max-cycles", "1", "--tolerance", "1e-7")
    for out in ("o.npy", "o%d.npy"):
        error = refused(8, "flow", "film.npy", out, *hard)
        assert "film.npy, frame 0: residual" in error
    values[2, 4, 5] = np.nan
    np.save(tmp_path / "film.npy", film_of(values))
    for out in ("o.npy", "o%d.npy"):
        error = refused(2, "smooth", "film.npy", out, "--sigma", "1", "--nonfinite", "error")
        assert "frame 2" in error
    result = run("flow", "film.npy", "kept.npy", *hard, "--keep", "--frame", "0:2", "--json")
    assert result.code == 8 and "film.npy, frame 0: residual" in result.err
    assert len(result.json["result"]["per_frame"]) == 2
    assert np.load(tmp_path / "kept.npy").shape == (2, 1, 80, 80, 2)


def has_written_megabytes(process, folder):
    """Into a file that may have no name yet, so the folder does not show it; or a frame that waits for the others."""
    waiting = [p.stat().st_size for p in folder.rglob("o*.npy")]
    for link in Path(f"/proc/{process.pid}/fd").glob("*"):
        with contextlib.suppress(OSError):  # closed meanwhile
            target = os.readlink(link)
            if target.startswith(str(folder)) and not target.endswith("film.npy"):
                waiting.append(link.stat().st_size)
    return max(waiting, default=0) > 1 << 20


@pytest.mark.parametrize("verb, options", [("flow", ["--tolerance", "1e-6"]), ("react", ["--steps", "100"])])
@pytest.mark.parametrize("out", ["o.npy", "o%d.npy"])
def test_an_interrupted_film_leaves_nothing(tmp_path, verb, options, out):
    np.save(tmp_path / "film.npy", np.random.default_rng(8).random((40, 1, 1024, 1024, 1), np.float32))
    command = [PROGRAM, verb, "film.npy", out, *options, "--threads", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not has_written_megabytes(process, tmp_path):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert error.count("\n") == 1
    assert names(tmp_path) == ["film.npy"]


def test_old_files_stay_until_all_frames_are_done(refused, ok, film, tmp_path):
    (tmp_path / "o0.npy").write_text("old")
    broken = film.astype(np.float32)
    broken[3, 0, 0] = np.nan
    np.save(tmp_path / "broken.npy", film_of(broken))
    refused(2, "smooth", "broken.npy", "o%d.npy", "--sigma", "1", "--nonfinite", "error")
    assert (tmp_path / "o0.npy").read_text() == "old"
    ok("smooth", "film.npy", "o%d.npy", "--sigma", "1")
    assert np.load(tmp_path / "o0.npy").shape == (60, 72)


def test_films_of_volumes_keep_the_budget(ok, tmp_path):
    rng = np.random.default_rng(5)
    volumes = rng.integers(0, 60000, (3, 160, 100, 100, 1)).astype(np.uint16)
    np.save(tmp_path / "v.npy", volumes)
    report = ok("smooth", "v.npy", "o.npy", "--sigma", "2", "--memory", "4M", "--json").json
    assert report["result"]["per_frame"][2]["slabs"] > 1
    assert report["memory"]["device_peak_bytes"] <= 4 << 20
    ok("smooth", "v.npy", "whole.npy", "--sigma", "2")
    found, expected = np.load(tmp_path / "o.npy"), np.load(tmp_path / "whole.npy")
    assert found.shape == volumes.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.05)


@needs_tiff
def test_the_interval_is_kept(ok, film, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "film.tif", film, imagej=True, metadata={"axes": "TYX", "finterval": 0.25})
    for out in ("o.tif", "o.ome.tif"):
        ok("smooth", "film.tif", out, "--sigma", "1")
        report = ok("info", out, "--json").json["inputs"][0]
        assert report["frames"] == FRAMES and report["seconds_per_frame"] == 0.25
    assert "frames   4, 0.25 s apart" in ok("info", "film.tif").out
    ok("smooth", "one2.npy", "alone.npy", "--sigma", "1")
    np.testing.assert_array_equal(tifffile.imread(tmp_path / "o.tif")[2], np.load(tmp_path / "alone.npy"))


def test_a_channel_is_taken_alone(ok, refused, tmp_path):
    colours = np.random.default_rng(6).integers(0, 255, (40, 50, 3), np.uint8)
    np.save(tmp_path / "c.npy", colours)
    np.save(tmp_path / "green.npy", colours[..., 1])
    for verb, options in (("convert", []), ("smooth", ["--sigma", "2"]), ("flow", []), ("react", ["--steps", "5"]), ("segment", [])):
        ok(verb, "c.npy", "a.npy", "--channels", "--channel", "1", *options)
        ok(verb, "green.npy", "b.npy", *options)
        np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))
    assert ok("info", "c.npy", "--channels", "--channel", "2", "--json").json["result"]["sum"] == colours[..., 2].sum(dtype=int)
    ok("compare", "c.npy", "c.npy", "--channels", "--channel", "1")
    ok("compare", "c.npy", "green.npy", "--channels", "--channel", "1")
    for bad in ("3", "-1", "x", "1.5"):
        refused(2, "convert", "c.npy", "o.npy", "--channels", f"--channel={bad}")


def test_channels_may_be_swept(ok, tmp_path):
    colours = np.random.default_rng(6).integers(0, 255, (40, 140, 3), np.uint8)
    np.save(tmp_path / "c.npy", colours)
    ok("convert", "c.npy", "s.npy", "--channels", "--sweep", "channel=0:2:3")
    runs = json.loads((tmp_path / "s.json").read_text())["runs"]
    assert [run["report"]["options"]["channel"] for run in runs] == [0, 1, 2]
    assert all(run["report"]["inputs"][0]["channels"] == 1 for run in runs)


def test_masks_beside_a_channel_are_taken_whole(ok, tmp_path):
    rng = np.random.default_rng(7)
    colours = rng.integers(0, 255, (40, 50, 3)).astype(np.uint8)
    np.save(tmp_path / "c.npy", colours)
    np.save(tmp_path / "blue.npy", colours[..., 2])
    np.save(tmp_path / "m.npy", (rng.random((40, 50)) < 0.7).astype(np.uint8))
    ok("smooth", "c.npy", "a.npy", "--channels", "--channel", "2", "--sigma", "2", "--mask", "m.npy")
    ok("smooth", "blue.npy", "b.npy", "--sigma", "2", "--mask", "m.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


def test_frames_are_no_numbers_of_files_or_slices(refused, ok, film, tmp_path):
    for t in range(2):
        np.save(tmp_path / f"n{t}.npy", film[t])
    assert "--frame" in refused(2, "react", "n%d.npy", "o.npy", "--frame", "0")
    np.save(tmp_path / "v.npy", np.stack([film, film + 1])[..., None])
    assert "expected one of them with --frame N" in refused(2, "react", "v.npy", "o.npy", "--frames", "--steps", "3")
    ok("react", "v.npy", "o.npy", "--slice", "all", "--steps", "3", "--frame", "1")
    np.save(tmp_path / "s.npy", film + 1)
    ok("react", "s.npy", "p.npy", "--slice", "all", "--steps", "3")
    np.testing.assert_array_equal(np.load(tmp_path / "o.npy"), np.load(tmp_path / "p.npy"))
