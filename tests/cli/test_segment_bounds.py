# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""segment: which objects are meant (--polarity, --min-contrast, --max-area, --mask) and how far outlines go (--within)."""

import csv
import json

import numpy as np
import pytest

SHAPE = (160, 200)
# x, y, r and by how many noise levels it differs.
BRIGHT, DIM, DARK, LARGE = (40, 40, 12, 9), (150, 45, 12, 3), (45, 120, 12, -9), (140, 115, 26, 9)


def frame_with(discs, seed=5):
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    values = np.random.default_rng(seed).normal(120, 10, SHAPE)
    for cx, cy, radius, levels in discs:
        values += 10 * levels * (np.hypot(x - cx, y - cy) <= radius)
    return np.clip(values, 0, 255).round().astype(np.uint8)


@pytest.fixture
def scene(tmp_path):
    discs = [BRIGHT, DIM, DARK, LARGE]
    np.save(tmp_path / "a.npy", frame_with(discs))
    np.save(tmp_path / "film.npy", np.stack([frame_with(discs, seed) for seed in range(3)])[:, None, :, :, None])
    mask = np.zeros(SHAPE, np.uint8)
    mask[:, :100] = 1
    mask[:, 100:] = np.arange(100, 200) < 135  # less than half of the large disc
    np.save(tmp_path / "left.npy", mask)
    return discs


def found_in(path):
    """The discs that a file's outlines lie on."""
    found = []
    for feature in json.loads(path.read_text())["features"]:
        x, y = np.array(feature["geometry"]["coordinates"][0])[:-1].mean(0)
        found.append(next(d for d in (BRIGHT, DIM, DARK, LARGE) if np.hypot(x - d[0], y - d[1]) < 6))
    return sorted(found)


BOUNDS = [
    ([], [BRIGHT, DIM, DARK, LARGE]),
    (["--polarity", "bright"], [BRIGHT, DIM, LARGE]),
    (["--polarity", "dark"], [DARK]),
    (["--polarity", "both"], [BRIGHT, DIM, DARK, LARGE]),
    (["--min-contrast", "5"], [BRIGHT, DARK, LARGE]),
    (["--max-area", "1000"], [BRIGHT, DIM, DARK]),
    (["--mask", "left.npy"], [BRIGHT, DARK]),
    (["--mask", "left.npy", "--polarity", "bright"], [BRIGHT]),
    (["--max-objects", "1", "--polarity", "dark"], [DARK]),
    (["--max-objects", "1", "--mask", "left.npy", "--polarity", "bright", "--background", "local"], [BRIGHT]),
    (["--max-objects", "1", "--max-area", "1000", "--min-contrast", "20"], []),
    (["--schedule", "classic", "--polarity", "dark", "--max-area", "1"], []),
]


@pytest.mark.parametrize("options, discs", BOUNDS, ids=[" ".join(o) for o, _ in BOUNDS])
def test_only_what_is_within_the_bounds_is_found(ok, scene, tmp_path, options, discs):
    ok("segment", "a.npy", "out.geojson", *options)
    assert found_in(tmp_path / "out.geojson") == sorted(discs)


@pytest.mark.parametrize("options, discs", BOUNDS[1:7], ids=[" ".join(o) for o, _ in BOUNDS[1:7]])
def test_the_same_of_every_frame_of_a_film(ok, scene, tmp_path, options, discs):
    ok("segment", "film.npy", "out.geojson", "--propagate", "--table", "t.csv", *options)
    with open(tmp_path / "t.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for frame in range(3):
        places = [(float(r["x"]), float(r["y"])) for r in rows if int(r["frame"]) == frame]
        assert len(places) == len(discs)
        for x, y, *_ in discs:
            assert min(np.hypot(x - px, y - py) for px, py in places) < 2


@pytest.mark.parametrize("options, discs", BOUNDS[1:7], ids=[" ".join(o) for o, _ in BOUNDS[1:7]])
def test_starts_that_end_beyond_the_bounds_have_no_outline(ok, scene, tmp_path, options, discs):
    (tmp_path / "s.csv").write_text("x,y,r\n" + "".join(f"{x},{y},{r - 3}\n" for x, y, r, _ in scene))
    ok("segment", "a.npy", "out.geojson", "--init", "s.csv", *options)
    assert found_in(tmp_path / "out.geojson") == sorted(discs)


def test_one_start_too(ok, scene, tmp_path):
    for polarity, outlines in ("dark", 0), ("bright", 1):
        out = f"{polarity}.geojson"
        ok("segment", "a.npy", out, "--init", "circle:42,41,9", "--polarity", polarity)
        assert len(found_in(tmp_path / out)) == outlines


LEFT_OUT = [
    (["--polarity", "dark"], "2 objects were found and left out: 2 by --polarity", {"polarity": 2}),
    (["--min-contrast", "5", "--max-area", "9"], "2 objects were found and left out: 1 by --min-contrast, 1 by --max-area",
     {"min-contrast": 1, "max-area": 1}),
    (["--min-area", "5000"], "2 objects were found and left out: 2 by --min-area", {"min-area": 2}),
    (["--mask", "corner.npy"], "2 objects were found and left out: 2 by --mask", {"mask": 2}),
    (["--init", "circle:40,40,9", "--polarity", "dark"], "1 object was found and left out: 1 by --polarity", {"polarity": 1}),
]  # fmt: skip


@pytest.mark.parametrize("options, words, counts", LEFT_OUT, ids=[" ".join(o) for o, *_ in LEFT_OUT])
def test_it_is_said_what_left_all_objects_out(ok, tmp_path, options, words, counts):
    np.save(tmp_path / "b.npy", frame_with([BRIGHT, DIM]))
    corner = np.zeros(SHAPE, np.uint8)
    corner[-20:, -20:] = 1
    np.save(tmp_path / "corner.npy", corner)
    assert f"no outline: {words}\n" in ok("segment", "b.npy", "out.geojson", *options).out
    assert ok("segment", "b.npy", "out.geojson", *options, "--json").json["result"]["left_out"] == counts


def test_where_nothing_is_found_no_bound_is_blamed(ok, tmp_path):
    np.save(tmp_path / "b.npy", frame_with([]))
    done = ok("segment", "b.npy", "out.geojson", "--polarity", "dark")
    assert "described best as one region" in done.out


def test_the_background_is_no_dark_object(ok, tmp_path):
    """Between bright stars: divided once, the image is its background and the stars."""
    random = np.random.default_rng(0)
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    values = random.normal(1200, 10, SHAPE)
    for cx, cy in random.uniform(0, 160, (12, 2)):
        values += 1500 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 8)
    np.save(tmp_path / "stars.npy", values.astype(np.uint16))
    done = ok("segment", "stars.npy", "out.geojson", "--polarity", "dark")
    assert "no outline: 12 objects were found" in done.out


@pytest.mark.parametrize("frames", [False, True])
def test_an_outline_goes_no_farther_from_its_start_than_within(ok, scene, tmp_path, frames):
    image = ["film.npy", "l.npy", "--propagate"] if frames else ["a.npy", "l.npy"]
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    areas = []
    for within in [["--within", "4"], ["--within", "9"], []]:
        ok("segment", *image, "--init", "circle:140,115,14", *within)
        covered = np.load(tmp_path / "l.npy").reshape(-1, *SHAPE)[0] > 0
        areas.append(covered.sum())
        if within:
            assert np.hypot(x - 140, y - 115)[covered].max() <= 14 + int(within[1])
    assert areas[0] < areas[1] < areas[2]
    assert abs(areas[2] / (np.pi * 26**2) - 1) < 0.05


def test_within_takes_the_place_of_half_the_size_of_a_mask(ok, scene, tmp_path):
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    small = np.hypot(x - 140, y - 115) <= 10
    np.save(tmp_path / "small.npy", small.astype(np.uint8))
    areas = []
    for within in [["--within", "3"], [], ["--within", "40"]]:
        ok("segment", "a.npy", "m.npy", "--init", "small.npy", *within)
        areas.append((np.load(tmp_path / "m.npy") > 0).sum())
    assert areas[0] < areas[1] < areas[2]
    assert abs(areas[2] / (np.pi * 26**2) - 1) < 0.05


REFUSED = [
    (["--polarity", "white"], "polarity"),
    (["--min-contrast", "-1"], "min-contrast"),
    (["--min-contrast", "nan"], "min-contrast"),
    (["--max-area", "0", "--min-area", "9"], "max-area"),
    (["--within", "5"], "--init"),
    (["--within", "0", "--init", "circle:40,40,9"], "within"),
    (["--mask", "none.npy"], "none.npy"),
    (["--mask", "small.npy"], "small.npy"),
    (["--mask", "black.npy"], "black.npy"),
    (["--mask", "left.npy", "--model", "edge"], "--mask"),
    (["--polarity", "bright", "--model", "edge"], "--polarity"),
    (["--max-area", "100", "--evolution", "e.json"], "--evolution"),
]


@pytest.mark.parametrize("options, name", REFUSED, ids=[" ".join(o) for o, _ in REFUSED])
def test_bounds_that_make_no_sense_are_refused(refused, scene, tmp_path, options, name):
    np.save(tmp_path / "small.npy", np.ones((16, 16), np.uint8))
    np.save(tmp_path / "black.npy", np.zeros(SHAPE, np.uint8))
    code = 7 if name == "none.npy" else 2
    assert name in refused(code, "segment", "a.npy", "out.geojson", *options)
    if "--evolution" not in options:
        assert name in refused(code, "segment", "film.npy", "out.geojson", "--propagate", *options)
