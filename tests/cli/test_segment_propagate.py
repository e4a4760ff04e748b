# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""segment --propagate: objects through the frames of a film and the slices of a volume."""

import csv
import json
import signal
import struct
import subprocess
import time
import zipfile

import numpy as np
import pytest
from conftest import PROGRAM, needs_gif, needs_png, needs_tiff

FRAMES = 5


def frame_with(discs, rng, shape=(80, 120)):
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    values = rng.normal(60, 12, shape)
    for cx, cy, radius in discs:
        values += 60 * (np.hypot(x - cx, y - cy) <= radius)
    return np.clip(values, 0, 255).astype(np.uint8)


def moving_disc(t):
    return (30 + 8 * t, 40, 12)


@pytest.fixture
def volume(tmp_path):
    """A slanted tube: one disc that moves from slice to slice."""
    rng = np.random.default_rng(3)
    values = np.stack([frame_with([moving_disc(t)], rng) for t in range(FRAMES)])
    np.save(tmp_path / "volume.npy", values)
    np.save(tmp_path / "film.npy", values[:, None, :, :, None])
    return values


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


ONE = ["--propagate", "--max-objects", "1"]


@pytest.mark.parametrize("name", ["volume.npy", "film.npy"])
def test_a_table_a_label_volume_and_outlines_of_one_object(ok, volume, tmp_path, name):
    done = ok("segment", name, "out.geojson", *ONE, "--table", "t.csv", "--labels-out", "l.npy", "--json")
    rows = table(tmp_path / "t.csv")
    assert [(int(r["frame"]), int(r["id"])) for r in rows] == [(t, 1) for t in range(FRAMES)]
    assert [r["event"] for r in rows] == ["appeared"] + ["continued"] * (FRAMES - 1)
    assert rows[0]["speed"] == "" and rows[0]["parent"] == ""
    for t, row in enumerate(rows):
        x, y, radius = moving_disc(t)
        assert abs(float(row["x"]) - x) < 1 and abs(float(row["y"]) - y) < 1
        assert abs(float(row["area"]) / (np.pi * radius**2) - 1) < 0.1
        if t:
            assert abs(float(row["speed"]) - 8) < 1.5
    labels = np.load(tmp_path / "l.npy")
    assert labels.dtype == np.uint16
    assert labels.shape[:1] == (FRAMES,) and labels.size == volume.size
    assert set(np.unique(labels)) == {0, 1}
    for t, frame in enumerate(np.squeeze(labels)):
        assert abs(np.count_nonzero(frame) / float(rows[t]["area"]) - 1) < 0.1
    features = json.loads((tmp_path / "out.geojson").read_text())["features"]
    assert [(f["properties"]["frame"], f["properties"]["id"]) for f in features] == [(t, 1) for t in range(FRAMES)]
    result = done.json["result"]
    assert [f["objects"] for f in result["frames"]] == [1] * FRAMES
    assert (result["tracks"], result["appeared"], result["vanished"], result["divided"]) == (1, 1, 0, 0)


def test_a_mask_out_is_the_labels_and_outlines_as_csv_have_frames(ok, volume, tmp_path):
    ok("segment", "volume.npy", "m.npy", *ONE, "--labels-out", "l.npy", "--mask-out", "n.npy")
    mask = np.load(tmp_path / "m.npy")
    np.testing.assert_array_equal(mask, np.load(tmp_path / "n.npy"))
    np.testing.assert_array_equal(mask, 255 * (np.load(tmp_path / "l.npy") > 0))
    ok("segment", "volume.npy", "o.csv", *ONE)
    rows = table(tmp_path / "o.csv")
    assert sorted({int(r["frame"]) for r in rows}) == list(range(FRAMES))
    assert {(r["id"], r["ring"]) for r in rows} == {("1", "0")}


def test_frames_chosen_keep_their_numbers_and_a_part_its_place(ok, volume, tmp_path):
    ok("segment", "film.npy", "o.geojson", *ONE, "--frame", "1:4", "--table", "t.csv")
    assert [int(r["frame"]) for r in table(tmp_path / "t.csv")] == [1, 2, 3]
    ok("segment", "volume.npy", "o.geojson", *ONE, "--table", "t.csv", "--roi", "10,20,90,70", "--labels-out", "l.npy")
    first = table(tmp_path / "t.csv")[0]
    assert abs(float(first["x"]) - 30) < 1 and abs(float(first["y"]) - 40) < 1
    labels = np.load(tmp_path / "l.npy")
    assert labels.shape == volume.shape
    assert labels[0, 40, 30] == 1
    assert not labels[:, :20].any() and not labels[:, :, :10].any()


def test_regions_of_interest_have_their_place_in_the_stack(ok, volume, tmp_path):
    ok("segment", "volume.npy", "o.zip", *ONE, "--table", "t.csv")
    rows = table(tmp_path / "t.csv")
    with zipfile.ZipFile(tmp_path / "o.zip") as archive:
        assert archive.namelist() == [f"{t + 1:04d}-0001.roi" for t in range(FRAMES)]
        for t, name in enumerate(archive.namelist()):
            roi = archive.read(name)
            top, left, bottom, right = struct.unpack(">4h", roi[8:16])
            assert roi[:4] == b"Iout" and struct.unpack(">i", roi[56:60]) == (t + 1,)
            assert left < float(rows[t]["x"]) < right and top < float(rows[t]["y"]) < bottom


def test_objects_keep_their_numbers_appear_vanish_and_divide(ok, tmp_path):
    rng = np.random.default_rng(8)
    frames = []
    for t in range(6):
        discs = [(30 + 3 * t, 30, 11), (120 - 3 * t, 36, 11)]
        discs += [(30, 100, 11)] if t < 3 else []
        discs += [(80, 72, 10)] if t >= 2 else []
        discs += [(122, 104, 13)] if t < 4 else [(113, 104, 8), (133, 104, 8)]
        frames.append(frame_with(discs, rng, (140, 160)))
    np.save(tmp_path / "v.npy", np.stack(frames))
    done = ok("segment", "v.npy", "o.geojson", "--propagate", "--table", "t.csv", "--labels-out", "l.npy", "--json")
    rows, labels = table(tmp_path / "t.csv"), np.load(tmp_path / "l.npy")
    left, right = labels[0, 30, 30], labels[0, 36, 120]
    assert left and right and left != right
    for t in range(6):
        assert labels[t, 30, 30 + 3 * t] == left and labels[t, 36, 120 - 3 * t] == right
    frames = done.json["result"]["frames"]
    assert [f["objects"] for f in frames] == [4, 4, 5, 4, 5, 5]
    assert [f["appeared"] for f in frames] == [4, 0, 1, 0, 0, 0]
    assert [f["vanished"] for f in frames] == [0, 0, 0, 1, 0, 0]
    assert [f["divided"] for f in frames] == [0, 0, 0, 0, 1, 0]
    parts = [r for r in rows if r["event"] == "divided"]
    assert [r["frame"] for r in parts] == ["4", "4"]
    assert {int(r["parent"]) for r in parts} == {labels[3, 104, 122]}


@pytest.mark.parametrize("model", ["edge", "region+edge"])
def test_curves_follow_edges(ok, tmp_path, model):
    rng = np.random.default_rng(4)
    np.save(tmp_path / "v.npy", np.stack([frame_with([(50 + t, 40, 20)], rng) for t in range(3)]))
    start = ["--init", "circle:50,40,26"] if model == "edge" else ["--max-objects", "1"]
    done = ok("segment", "v.npy", "o.geojson", "--propagate", "--model", model, *start, "--table", "t.csv", "--json")
    rows = table(tmp_path / "t.csv")
    assert [int(r["id"]) for r in rows] == [1, 1, 1]
    for t, row in enumerate(rows):
        assert abs(float(row["x"]) - 50 - t) < 1 and abs(float(row["area"]) / (np.pi * 400) - 1) < 0.1
    assert all(f["flow_cycles"] > 0 for f in done.json["result"]["frames"])


def test_what_is_started_from_is_what_is_followed(ok, tmp_path):
    rng = np.random.default_rng(5)
    discs = [(30, 40, 12), (90, 40, 12)]
    np.save(tmp_path / "v.npy", np.stack([frame_with(discs, rng) for _ in range(3)]))
    mask = np.zeros((80, 120), np.uint8)
    mask[36:45, 86:95] = 1
    np.save(tmp_path / "m.npy", mask)
    for init in ["m.npy", "circle:90,40,6"]:
        ok("segment", "v.npy", "o.geojson", "--propagate", "--init", init, "--table", "t.csv")
        rows = table(tmp_path / "t.csv")
        assert [int(r["id"]) for r in rows] == [1, 1, 1]
        assert all(abs(float(r["x"]) - 90) < 1 for r in rows)


def test_a_mask_keeps_its_object_near_it_and_a_circle_grows(ok, tmp_path):
    rng = np.random.default_rng(6)
    np.save(tmp_path / "v.npy", np.stack([frame_with([(60, 40, 30)], rng) for _ in range(2)]))
    mask = np.zeros((80, 120), np.uint8)
    mask[36:45, 56:65] = 1
    np.save(tmp_path / "m.npy", mask)
    areas = []
    for init in ["m.npy", "circle:60,40,5"]:
        ok("segment", "v.npy", "o.geojson", "--propagate", "--init", init, "--table", "t.csv")
        areas.append(float(table(tmp_path / "t.csv")[0]["area"]))
    # A disc of 81 pixels has a radius of 5: the zone has at most 9 + 2 * 6 pixels along either side.
    assert areas[0] < 21**2 and areas[1] > 2600


def test_curves_keep_their_nodes(ok, volume, tmp_path):
    ok("segment", "volume.npy", "o.geojson", *ONE)
    ok("segment", "volume.npy", "part.geojson", *ONE, "--roi", "4,6,116,76")
    curves = 0
    for name in ("o.geojson", "part.geojson"):
        for feature in json.loads((tmp_path / name).read_text())["features"]:
            properties, ring = feature["properties"], np.array(feature["geometry"]["coordinates"][0])
            if "splines" not in properties:
                continue
            curves += 1
            (nodes,) = properties["splines"]
            assert properties["nodes"] == len(nodes) == len(properties["node_vertices"]) < len(ring) / 2
            control = np.array(nodes)[:, :2]
            passes = (np.roll(control, 1, 0) + 4 * control + np.roll(control, -1, 0)) / 6
            assert any(node[2] for node in nodes) or np.allclose(ring[properties["node_vertices"]], passes, atol=0.01)
    assert curves > 0


def test_frames_that_outlines_cover_are_warned_of(run, tmp_path):
    rng = np.random.default_rng(7)
    np.save(tmp_path / "v.npy", np.stack([frame_with([(60, 40, 52)], rng) for _ in range(2)]))
    done = run("segment", "v.npy", "o.geojson", "--propagate", "--init", "circle:60,40,30")
    assert done.code == 0 and "more than half" in done.err and done.err.count("\n") == 1


@needs_tiff
def test_units_and_seconds(ok, volume, tmp_path):
    import tifffile

    tifffile.imwrite(
        tmp_path / "f.tif", volume, imagej=True, resolution=(4, 4), metadata={"axes": "TYX", "unit": "um", "finterval": 0.5}
    )
    ok("segment", "f.tif", "o.geojson", *ONE, "--table", "t.csv")
    rows = table(tmp_path / "t.csv")
    assert [r["unit"] for r in rows] == ["um"] * FRAMES
    np.testing.assert_allclose([float(r["seconds"]) for r in rows], np.arange(FRAMES) * 0.5)
    assert abs(float(rows[1]["speed"]) - 8 * 0.25 / 0.5) < 0.75
    ok("segment", "f.tif", "o.geojson", *ONE, "--table", "t.csv", "--units", "pixel")
    assert abs(float(table(tmp_path / "t.csv")[1]["speed"]) - 8 / 0.5) < 3


@needs_png
@needs_gif
def test_overlays_of_every_frame(ok, volume, tmp_path):
    ok("segment", "volume.npy", "o.csv", *ONE, "--overlay", "p%02d.png")
    assert sorted(p.name for p in tmp_path.glob("p*.png")) == [f"p{t:02d}.png" for t in range(FRAMES)]
    ok("segment", "volume.npy", "o.csv", *ONE, "--overlay", "all.gif")
    assert (tmp_path / "all.gif").read_bytes()[:6] == b"GIF89a"


@needs_png
def test_numbered_files_are_a_film(ok, volume, tmp_path):
    for t in range(FRAMES):
        ok("convert", "film.npy", f"f{t}.png", "--frame", str(t))
    ok("segment", "f%d.png", "o.geojson", *ONE, "--table", "t.csv")
    assert [int(r["id"]) for r in table(tmp_path / "t.csv")] == [1] * FRAMES


@pytest.mark.parametrize(
    "arguments, code, says",
    [
        (["a.npy", "o.geojson"], 2, "expected a film or a volume"),
        (["film.npy", "o.geojson", "--frame", "2"], 2, "expected a film or a volume"),
        (["volume.npy", "o.svg"], 4, "expected .geojson"),
        (["volume.npy", "o.geojson", "--table", "t.txt"], 2, "expected .csv"),
        (["volume.npy", "o.geojson", "--overlay", "o.png"], 2, "o%03d.png"),
        (["volume.npy", "o.geojson", "--evolution", "e.gif"], 2, "--evolution"),
        (["volume.npy", "o.geojson", "--truth", "a.npy"], 2, "a.npy: a mask of"),
        (["volume.npy", "o.geojson", "--truth", "short.npy"], 2, "short.npy: a truth of 2 frames, expected 5"),
        (["volume.npy", "o.geojson", "--from", "5"], 2, "found --from 5, expected 0 to 4"),
        (["film.npy", "o.geojson", "--frame", "1:3", "--from", "0"], 2, "found --from 0, expected 1 to 2"),
        (["volume.npy", "o.geojson", "--gap", "-1"], 2, "--gap is -1, expected 0 to 1000"),
        (["volume.npy", "o.geojson", "--from", "-1"], 2, "--from is -1, expected at least 0"),
        (["volume.npy", "o.geojson", "--repeat", "2"], 2, "--repeat"),
        (["volume.npy", "o.npy", "--labels-out", "o.npy"], 2, "named twice"),
        (["film.npy", "o.geojson", "--labels-out", "l.png"], 2, "expected a format that has films"),
        (["film.npy", "m%d.png"], 2, "expected a format that has films"),
        (["volume.npy", "o.npy", "--sweep", "min-segment=8:16:2"], 2, "--propagate"),
        (["volume.npy", "o.geojson", "--memory", "1000"], 5, "one frame needs"),
    ],
)
def test_what_cannot_be_followed_is_refused(run, image, volume, tmp_path, arguments, code, says):
    np.save(tmp_path / "short.npy", volume[:2])
    before = sorted(p.name for p in tmp_path.iterdir())
    done = run("segment", *arguments, "--propagate")
    assert done.code == code and says in done.err and done.err.count("\n") == 1, done.err
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize("option", ["--from", "--gap"])
def test_options_of_following_go_with_it(refused, volume, option):
    error = refused(2, "segment", "volume.npy", "o.geojson", "--slice", "1", option, "1")
    assert f"{option} goes with --propagate" in error
    assert f"{option} goes with --propagate" in refused(2, "segment", "film.npy", "o.geojson", option, "1")


def test_words_are_those_of_what_was_followed(ok, volume):
    for name, word in (("volume.npy", "slices"), ("film.npy", "frames")):
        assert ok("segment", name, "o.geojson", *ONE).out.startswith(f"{FRAMES} {word}, 1 object: 1 appeared")
        assert f"through {FRAMES} {word}, one in memory" in ok("segment", name, "p.geojson", *ONE, "--dry-run").out


@pytest.mark.parametrize("model", [[], ["--model", "edge"]])
def test_following_begins_in_any_slice_and_goes_both_ways(ok, tmp_path, model):
    rng = np.random.default_rng(12)
    values = np.stack([frame_with([(40 + 3 * t, 40, 14), (95, 20 + 4 * t, 9)], rng) for t in range(FRAMES)])
    np.save(tmp_path / "v.npy", values)
    x, y, radius = 40 + 3 * 3, 40, 14
    start = ["--init", f"circle:{x},{y},{radius + 3}", "--from", "3"]
    ok("segment", "v.npy", "o.geojson", "--propagate", *start, *model, "--table", "t.csv", "--labels-out", "l.npy", "--overlay", "p%d.npy")
    rows, labels = table(tmp_path / "t.csv"), np.load(tmp_path / "l.npy")
    assert [(int(r["frame"]), int(r["id"])) for r in rows] == [(t, 1) for t in range(FRAMES)]
    assert [r["event"] for r in rows] == ["appeared"] + ["continued"] * (FRAMES - 1)
    for t, row in enumerate(rows):
        assert abs(float(row["x"]) - 40 - 3 * t) < 1.5 and abs(float(row["y"]) - 40) < 1.5
        assert labels[t, 40, 40 + 3 * t] == 1 and not labels[t, 20 + 4 * t, 95]
        assert row["speed"] == "" if t == 0 else abs(float(row["speed"]) - 3) < 1.5
    assert len(list(tmp_path.glob("p*.npy"))) == FRAMES


def test_numbers_of_what_is_seen_on_the_way_back_are_its_own(ok, tmp_path):
    rng = np.random.default_rng(13)
    discs = [[(30, 40, 12)] + ([(90, 30, 11)] if t == 0 else []) + ([(90, 60, 10)] if t == 4 else []) for t in range(FRAMES)]
    np.save(tmp_path / "v.npy", np.stack([frame_with(d, rng) for d in discs]))
    done = ok("segment", "v.npy", "o.geojson", "--propagate", "--from", "2", "--labels-out", "l.npy", "--json").json["result"]
    labels = np.load(tmp_path / "l.npy")
    assert {int(labels[t, 40, 30]) for t in range(FRAMES)} == {1}
    assert sorted([int(labels[0, 30, 90]), int(labels[4, 60, 90])]) == [2, 3]
    assert [f["vanished"] for f in done["frames"]] == [0, 1, 0, 0, 0]
    assert (done["tracks"], done["appeared"], done["vanished"]) == (3, 3, 1)


def dividing(t):
    return [(25, 40, 10)] + ([(80, 40, 13)] if t < 2 else [(80 - 9 - t, 40, 8), (80 + 9 + t, 40, 8)])


@pytest.fixture
def divided_film(tmp_path):
    rng = np.random.default_rng(15)
    np.save(tmp_path / "v.npy", np.stack([frame_with(dividing(t), rng) for t in range(FRAMES)]))


def lineage(rows):
    """Frame, place and event of each object, and the place of its parent's last outline: all but the numbers."""
    last = {}
    found = []
    for row in rows:
        found.append((row["frame"], row["x"], row["y"], row["event"], last.get(row["parent"])))
        last[row["id"]] = (row["x"], row["y"])
    return sorted(found, key=str)


def test_divisions_are_the_same_whichever_frame_one_begins_with(ok, divided_film, tmp_path):
    found = {}
    for begin in range(FRAMES):
        done = ok("segment", "v.npy", "o.geojson", "--propagate", "--from", str(begin), "--table", "t.csv", "--json").json["result"]
        assert done["divided"] == 1
        rows = table(tmp_path / "t.csv")
        found[begin] = lineage(rows)
        assert {int(r["id"]) for r in rows if int(r["frame"]) == begin} == set(range(1, len(dividing(begin)) + 1))
    assert all(found[begin] == found[0] for begin in found)


def test_starts_that_join_on_the_way_back_have_divided(ok, divided_film, tmp_path):
    (tmp_path / "points.csv").write_text("x,y\n67,40\n93,40\n")
    done = ok("segment", "v.npy", "o.geojson", "--propagate", "--from", "4", "--init", "points.csv", "--table", "t.csv", "--json").json["result"]
    rows = [(int(r["frame"]), int(r["id"]), r["parent"], r["event"]) for r in table(tmp_path / "t.csv")]
    assert rows[:4] == [(0, 3, "", "appeared"), (1, 3, "", "continued"), (2, 1, "3", "divided"), (2, 2, "3", "divided")]
    assert [row[1:] for row in rows[4:]] == [(1, "", "continued"), (2, "", "continued")] * 2
    assert (done["divided"], done["vanished"], done["tracks"]) == (1, 0, 3)


def test_an_object_that_is_lost_for_the_gap_keeps_its_number(ok, tmp_path):
    rng = np.random.default_rng(14)
    discs = [[(30, 40, 12)] + ([(90 - 3 * t, 40, 11)] if t != 2 else []) for t in range(FRAMES)]
    np.save(tmp_path / "v.npy", np.stack([frame_with(d, rng) for d in discs]))
    for gap, tracks in ((None, 2), (0, 3)):
        options = [] if gap is None else ["--gap", str(gap)]
        done = ok("segment", "v.npy", "o.geojson", "--propagate", *options, "--table", "t.csv", "--labels-out", "l.npy", "--json").json["result"]
        labels = np.load(tmp_path / "l.npy")
        before, after = labels[1, 40, 87], labels[3, 40, 81]
        assert before and (before == after) == (gap is None)
        assert (done["tracks"], done["vanished"]) == (tracks, 0 if gap is None else 1)
        events = [r["event"] for r in table(tmp_path / "t.csv") if int(r["frame"]) == 3]
        assert sorted(events) == ["continued", "returned" if gap is None else "appeared"] or gap == 0
        assert [f["returned"] for f in done["frames"]] == [0, 0, 0, 1 if gap is None else 0, 0]


def test_the_truth_of_every_frame(ok, volume, tmp_path):
    y, x = np.mgrid[0:80, 0:120]
    truth = np.stack([np.hypot(x - moving_disc(t)[0], y - 40) <= 12 for t in range(FRAMES)]).astype(np.uint8)
    np.save(tmp_path / "truth.npy", truth)
    np.save(tmp_path / "truth_film.npy", truth[:, None, :, :, None])
    results = []
    for image, name in (("volume.npy", "truth.npy"), ("film.npy", "truth_film.npy"), ("film.npy", "truth.npy")):
        results.append(ok("segment", image, "m.npy", *ONE, "--truth", name, "--json").json["result"])
    mask = np.squeeze(np.load(tmp_path / "m.npy")) > 0
    each = [(m & t).sum() / (m | t).sum() for m, t in zip(mask, truth > 0)]
    for result in results:
        np.testing.assert_allclose([f["iou"] for f in result["frames"]], each)
        np.testing.assert_allclose(result["iou"], (mask & (truth > 0)).sum() / (mask | (truth > 0)).sum())
        assert result["iou"] > 0.9 and "objects_found" not in result
    part = ok("segment", "film.npy", "m.npy", *ONE, "--truth", "truth.npy", "--frame", "1:3", "--json").json["result"]
    assert len(part["frames"]) == 2 and all(f["iou"] > 0.85 for f in part["frames"])
    labels = truth.astype(np.uint16)
    labels[:, :4, :4] = 7  # an object that nobody finds
    np.save(tmp_path / "labels.npy", labels)
    found = ok("segment", "volume.npy", "m.npy", *ONE, "--truth", "labels.npy", "--json").json["result"]
    assert (found["objects_found"], found["objects_missed"], found["objects_false"]) == (FRAMES, FRAMES, 0)


def test_slices_across_another_axis_are_followed(ok, tmp_path):
    rng = np.random.default_rng(15)
    values = np.stack([frame_with([moving_disc(t)], rng) for t in range(FRAMES)])
    np.save(tmp_path / "turned.npy", values.transpose(1, 0, 2))  # its slices across y are those of `values`
    ok("segment", "turned.npy", "o.geojson", *ONE, "--axis", "y", "--table", "t.csv", "--labels-out", "l.npy")
    assert [int(r["id"]) for r in table(tmp_path / "t.csv")] == [1] * FRAMES
    assert np.load(tmp_path / "l.npy").shape == values.shape
    ok("segment", "turned.npy", "o.geojson", *ONE, "--axis", "y", "--slice", "1:4", "--table", "t.csv")
    assert [int(r["frame"]) for r in table(tmp_path / "t.csv")] == [1, 2, 3]


def test_a_dry_run_writes_nothing(ok, volume, tmp_path):
    done = ok("segment", "volume.npy", "o.geojson", *ONE, "--dry-run")
    assert f"{FRAMES} slices" in done.out
    assert not (tmp_path / "o.geojson").exists()


@needs_png
def test_an_interrupted_run_leaves_nothing(tmp_path):
    """Stopped when pictures of some frames wait for the others."""
    rng = np.random.default_rng(6)
    np.save(tmp_path / "v.npy", np.stack([frame_with([moving_disc(0)], rng)] * 400))
    command = [PROGRAM, "segment", "v.npy", "o.geojson", *ONE, "--overlay", "p%d.png", "--labels-out", "l.npy"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not any(tmp_path.glob("*/p3.png")) and not any(tmp_path.glob(".*/p3.png")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert [p.name for p in tmp_path.iterdir()] == ["v.npy"]


def test_a_frame_that_cannot_be_searched_is_named_and_leaves_nothing(run, volume, tmp_path):
    broken = volume.astype(np.float32)
    broken[3, 0, 0] = np.nan
    np.save(tmp_path / "b.npy", broken)
    done = run("segment", "b.npy", "o.geojson", *ONE, "--labels-out", "l.npy")
    assert done.code == 2 and done.err.startswith("meander: b.npy, slice 3: "), done.err
    assert not (tmp_path / "o.geojson").exists() and not (tmp_path / "l.npy").exists()


def test_starts_that_overlap_or_hold_nothing_are_refused(refused, volume, tmp_path):
    propagate = ["segment", "film.npy", "o.geojson", "--propagate", "--init"]
    for name, rows, words in (
        ("two.csv", ["20,30,40,50", "35,35,60,60"], "outlines 1 and 2 both hold pixel 35,35"),
        ("far.csv", ["20,30,40,50", "300,30,340,50"], "outline 2 of 2 holds no pixel of the image"),
        ("all.csv", ["-1,-1,121,81"], "the outline holds all pixels of the image"),
    ):
        (tmp_path / name).write_text("\n".join(["x0,y0,x1,y1", *rows]))
        message = refused(2, *propagate, name)
        assert name in message and words in message
        assert not (tmp_path / "o.geojson").exists()
    assert "holds all pixels of the image" in refused(2, *propagate, "box:-10,-10,200,200")
