# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""--roi: what comes out is what the cropped file gives."""

import json
import re

import numpy as np
import pytest
from conftest import needs_png

X0, Y0, X1, Y1 = 7, 5, 50, 38
ROI = f"{X0},{Y0},{X1},{Y1}"


def crop(values):
    return values[..., Y0:Y1, X0:X1]


@pytest.fixture
def pair(tmp_path, image):
    """The image, its crop, and a mask with its crop."""
    np.save(tmp_path / "crop.npy", crop(image))
    mask = (np.random.default_rng(1).random(image.shape) < 0.8).astype(np.uint8)
    np.save(tmp_path / "mask.npy", mask)
    np.save(tmp_path / "mask_crop.npy", crop(mask))
    return image


@pytest.mark.parametrize(
    "verb, options",
    [
        ("convert", []),
        ("smooth", ["--sigma", "2.5"]),
        ("smooth", ["--sigma", "2", "--mask", "mask.npy"]),
        ("flow", []),
        ("flow", ["--mask", "mask.npy"]),
        ("react", ["--steps", "20"]),
    ],
)
def test_the_result_is_that_of_the_cropped_file(ok, pair, tmp_path, verb, options):
    ok(verb, "a.npy", "part.npy", *options, "--roi", ROI)
    ok(verb, "crop.npy", "whole.npy", *[o.replace("mask.npy", "mask_crop.npy") for o in options])
    found, expected = np.load(tmp_path / "part.npy"), np.load(tmp_path / "whole.npy")
    assert found.shape[:2] == (Y1 - Y0, X1 - X0)
    np.testing.assert_array_equal(found, expected)


def test_convert_crops_every_slice_and_channel(ok, tmp_path):
    volume = np.random.default_rng(2).integers(0, 65535, (3, 40, 60), np.uint16)
    np.save(tmp_path / "v.npy", volume)
    ok("convert", "v.npy", "part.npy", "--roi", ROI)
    np.testing.assert_array_equal(np.load(tmp_path / "part.npy"), volume[:, Y0:Y1, X0:X1])
    colours = np.random.default_rng(3).integers(0, 255, (40, 60, 3), np.uint8)
    np.save(tmp_path / "c.npy", colours)
    ok("convert", "c.npy", "part.npy", "--roi", ROI, "--channels")
    np.testing.assert_array_equal(np.load(tmp_path / "part.npy"), colours[Y0:Y1, X0:X1])


@needs_png
def test_spacing_is_carried_and_pngs_are_cropped(ok, tmp_path):
    ok("phantom", "star", "s.png", "--size", "64x48", "--noise", "gaussian", "--snr", "3")
    ok("convert", "s.png", "whole.npy")
    ok("convert", "s.png", "part.npy", "--roi", ROI)
    np.testing.assert_array_equal(np.load(tmp_path / "part.npy"), crop(np.load(tmp_path / "whole.npy")))


def test_a_start_field_is_cropped_too(ok, pair, tmp_path):
    ok("flow", "a.npy", "field.npy")
    np.save(tmp_path / "field_crop.npy", np.load(tmp_path / "field.npy")[Y0:Y1, X0:X1])
    part = ok("flow", "a.npy", "p.npy", "--roi", ROI, "--start", "field.npy", "--json").json
    whole = ok("flow", "crop.npy", "w.npy", "--start", "field_crop.npy", "--json").json
    np.testing.assert_array_equal(np.load(tmp_path / "p.npy"), np.load(tmp_path / "w.npy"))
    assert part["result"]["history"] == whole["result"]["history"]
    assert part["inputs"][0]["shape"] == [Y1 - Y0, X1 - X0]


def test_info_and_compare_see_the_part(ok, run, pair, tmp_path):
    found = ok("info", "a.npy", "--roi", ROI, "--json").json
    assert found["inputs"][0]["shape"] == [Y1 - Y0, X1 - X0]
    assert found["result"]["sum"] == crop(pair).sum(dtype=np.int64)
    assert found["options"]["roi"] == ROI
    other = pair.copy()
    other[0, 0] += 1  # beside the part
    np.save(tmp_path / "b.npy", other)
    assert run("compare", "a.npy", "b.npy").code == 8
    ok("compare", "a.npy", "b.npy", "--roi", ROI)
    other[Y0, X0] += 1  # its first pixel
    np.save(tmp_path / "b.npy", other)
    result = run("compare", "a.npy", "b.npy", "--roi", ROI, "--json")
    assert result.code == 8 and result.json["result"]["different"] == 1
    assert result.json["result"]["first_difference"]["x"] == 0


def test_films_are_cropped_frame_by_frame(ok, tmp_path):
    frames = np.random.default_rng(4).integers(0, 255, (3, 40, 60), np.uint8)
    np.save(tmp_path / "f.npy", frames)
    np.save(tmp_path / "g.npy", frames[:, Y0:Y1, X0:X1])
    ok("react", "f.npy", "part.npy", "--slice", "all", "--steps", "5", "--roi", ROI)
    ok("react", "g.npy", "whole.npy", "--slice", "all", "--steps", "5")
    np.testing.assert_array_equal(np.load(tmp_path / "part.npy"), np.load(tmp_path / "whole.npy"))


def test_the_budget_counts_the_part_only(ok, refused, tmp_path):
    np.save(tmp_path / "big.npy", np.zeros((1500, 1500), np.float32))
    error = refused(5, "flow", "big.npy", "o.npy", "--memory", "16M")
    assert "big.npy" in error
    ok("flow", "big.npy", "o.npy", "--memory", "16M", "--roi", "1000,1200,1100,1250")
    assert np.load(tmp_path / "o.npy").shape == (50, 100, 2)


@pytest.mark.parametrize(
    "roi, part",
    [
        ("0,0,62,45", "image of 61x45"),
        ("0,0,61,46", "image of 61x45"),
        ("5,5,5,9", "--roi: found '5,5,5,9'"),
        ("9,9,5,5", "--roi: found '9,9,5,5'"),
        ("-1,0,5,5", "--roi: found"),
        ("1,2,3", "four integers"),
        ("1,2,3,4.5", "four integers"),
        ("1,2,3,x", "four integers"),
    ],
)
def test_a_part_that_is_none_is_refused_with_the_size(refused, image, roi, part):
    assert part in refused(2, "smooth", "a.npy", "b.npy", "--sigma", "1", "--roi", roi)


def test_a_mask_of_another_size_is_refused_though_the_part_fits(refused, image, tmp_path):
    np.save(tmp_path / "m.npy", np.ones((90, 90), np.uint8))
    error = refused(2, "smooth", "a.npy", "b.npy", "--sigma", "1", "--mask", "m.npy", "--roi", ROI)
    assert "m.npy" in error and "90x90" in error and "61x45" in error


@pytest.fixture
def star(ok, tmp_path):
    """A noisy star, its truth, and a part that holds it."""
    ok("phantom", "star", "s.npy", "--size", "160x150", "--noise", "gaussian", "--snr", "4", "--truth", "t.npy")
    x0, y0, x1, y1 = 12, 9, 150, 141
    for name in ("s", "t"):
        np.save(tmp_path / f"{name}_crop.npy", np.load(tmp_path / f"{name}.npy")[y0:y1, x0:x1])
    return (x0, y0, x1, y1), ("--roi", f"{x0},{y0},{x1},{y1}")


def rings(path):
    return [np.array(f["geometry"]["coordinates"][0]) for f in json.loads(path.read_text())["features"]]


@pytest.mark.parametrize(
    "init, init_crop", [("auto", "auto"), ("circle:80,75,30", "circle:68,66,30"), ("box:40,40,110,100", "box:28,31,98,91")]
)
def test_outlines_have_the_coordinates_of_the_whole_image(ok, star, tmp_path, init, init_crop):
    (x0, y0, x1, y1), roi = star
    part = ok("segment", "s.npy", "p.geojson", *roi, "--init", init, "--truth", "t.npy", "--json").json
    crop = ok("segment", "s_crop.npy", "c.geojson", "--init", init_crop, "--truth", "t_crop.npy", "--json").json
    for found, of_crop in zip(part["result"]["objects"], crop["result"]["objects"], strict=True):
        assert (found.pop("x") - x0, found.pop("y") - y0) == pytest.approx((of_crop.pop("x"), of_crop.pop("y")), rel=1e-12)
        assert found == of_crop
    assert part["result"]["iou"] == crop["result"]["iou"] > 0.9
    (found,), (expected,) = rings(tmp_path / "p.geojson"), rings(tmp_path / "c.geojson")
    np.testing.assert_array_equal(found, expected + [x0, y0])


def test_masks_have_the_size_of_the_whole_image(ok, star, tmp_path):
    (x0, y0, x1, y1), roi = star
    ok("segment", "s.npy", "p.npy", *roi, "--mask-out", "q.npy", "--overlay", "po.npy")
    ok("segment", "s_crop.npy", "c.npy", "--overlay", "co.npy")
    expected = np.zeros((150, 160), np.uint8)
    expected[y0:y1, x0:x1] = np.load(tmp_path / "c.npy")
    assert expected.any()
    np.testing.assert_array_equal(np.load(tmp_path / "p.npy"), expected)
    np.testing.assert_array_equal(np.load(tmp_path / "q.npy"), expected)
    np.testing.assert_array_equal(np.load(tmp_path / "po.npy"), np.load(tmp_path / "co.npy"))


def test_masks_end_where_the_part_does(ok, tmp_path):
    """An object that is cut by the part's border has no pixel beside it."""
    rng = np.random.default_rng(9)
    values = rng.normal(0, 1, (60, 80)).astype(np.float32)
    values[:, 40:] += 8
    np.save(tmp_path / "a.npy", values)
    ok("segment", "a.npy", "m.npy", "--roi", "10,10,60,50", "--quiet")  # it covers more than half, of which it warns
    mask = np.load(tmp_path / "m.npy")
    inside = mask[10:50, 10:60] > 0
    assert (inside[:, 30:] != inside[:, :1]).mean() > 0.9
    mask[10:50, 10:60] = 0
    assert not mask.any()


def test_starts_from_files_lie_on_the_whole_image(ok, star, tmp_path):
    (x0, y0, x1, y1), roi = star
    ok("segment", "s.npy", "first.geojson")
    ok("segment", "s.npy", "again.geojson", *roi, "--init", "first.geojson")
    ok("segment", "s.npy", "mask.npy")
    ok("segment", "s.npy", "from_mask.csv", *roi, "--init", "mask.npy")
    np.save(tmp_path / "mask_crop.npy", np.load(tmp_path / "mask.npy")[y0:y1, x0:x1])
    ok("segment", "s_crop.npy", "from_crop.csv", "--init", "mask_crop.npy")
    (first,), (again,) = rings(tmp_path / "first.geojson"), rings(tmp_path / "again.geojson")
    moved = {"type": "Polygon", "coordinates": [(first - [x0, y0]).tolist()]}
    (tmp_path / "moved.json").write_text(json.dumps(moved))
    ok("segment", "s_crop.npy", "crop.geojson", "--init", "moved.json")
    np.testing.assert_array_equal(again, rings(tmp_path / "crop.geojson")[0] + [x0, y0])
    files = ("from_mask.csv", "from_crop.csv")
    table = [np.loadtxt(tmp_path / f, delimiter=",", skiprows=1, usecols=(2, 3)) for f in files]
    np.testing.assert_array_equal(table[0], table[1] + [x0, y0])


def test_drawings_have_the_size_of_the_whole_image(ok, star, tmp_path):
    _, roi = star
    for shape, letter in ("polygon", "L"), ("curve", "C"):
        ok("segment", "s.npy", "p.svg", *roi, "--shape", shape)
        ok("segment", "s.npy", "p.csv", *roi, "--shape", shape)
        text = (tmp_path / "p.svg").read_text()
        assert 'viewBox="-0.5 -0.5 160 150"' in text
        first = (tmp_path / "p.csv").read_text().splitlines()[1].split(",")
        x, y = re.search(f'd="M([0-9.]+) ([0-9.]+){letter}', text).groups()
        # A curve begins between points of the grid.
        assert abs(float(x) - float(first[2])) < 1 / 256 and abs(float(y) - float(first[3])) < 1 / 256


def test_edge_snakes_keep_to_the_whole_image_too(ok, star, tmp_path):
    (x0, y0, x1, y1), roi = star
    edge = ("--model", "edge", "--sigma", "2")
    ok("segment", "s.npy", "p.geojson", *roi, *edge, "--init", "circle:80,75,58", "--evolution", "p.json")
    ok("segment", "s_crop.npy", "c.geojson", *edge, "--init", f"circle:{80 - x0},{75 - y0},58", "--evolution", "c.json")
    (found,), (expected,) = rings(tmp_path / "p.geojson"), rings(tmp_path / "c.geojson")
    np.testing.assert_array_equal(found, expected + [x0, y0])
    part, crop = (json.loads((tmp_path / f).read_text()) for f in ("p.json", "c.json"))
    assert part["image"]["shape"] == [150, 160] and len(part["frames"]) == len(crop["frames"])
    for a, b in zip(part["frames"], crop["frames"], strict=True):
        points = [np.array(f["curves"][0]["points"]) for f in (a, b)]
        np.testing.assert_array_equal(points[0], points[1] + [x0, y0])


def test_a_field_beside_the_image_is_cropped_with_it(ok, star, tmp_path):
    (x0, y0, x1, y1), roi = star
    ok("smooth", "s.npy", "e.npy", "--sigma", "2", "--output", "magnitude")
    ok("flow", "e.npy", "f.npy", "--mu", "0.01")
    np.save(tmp_path / "f_crop.npy", np.load(tmp_path / "f.npy")[y0:y1, x0:x1])
    edge = ("--model", "edge")
    ok("segment", "s.npy", "p.csv", *roi, *edge, "--field", "f.npy", "--init", "circle:80,75,50")
    ok("segment", "s_crop.npy", "c.csv", *edge, "--field", "f_crop.npy", "--init", f"circle:{80 - x0},{75 - y0},50")
    table = [np.loadtxt(tmp_path / f, delimiter=",", skiprows=1, usecols=(2, 3)) for f in ("p.csv", "c.csv")]
    np.testing.assert_array_equal(table[0], table[1] + [x0, y0])


def test_verbs_without_an_image_have_no_part(refused):
    refused(2, "phantom", "star", "b.npy", "--roi", ROI)
