# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Phantoms: what is in the files, against NumPy, SciPy, shapely and tifffile."""

import csv
import json

import numpy as np
import pytest
from conftest import needs_png, needs_tiff

ndimage = pytest.importorskip("scipy.ndimage")
shapely = pytest.importorskip("shapely")

CORNERS = np.ones((3, 3))


def load(path):
    return np.load(path).squeeze()


def test_count_is_exact_in_a_large_image(ok, tmp_path):
    report = ok("phantom", "blobs", "b.npy", "--size", "4096x4096", "--count", 500, "--labels", "l.npy", "--json").json
    assert report["result"]["objects"] == 500
    labels = np.load(tmp_path / "l.npy")
    assert labels.dtype == np.uint16
    assert ndimage.label(labels, CORNERS)[1] == 500
    assert np.array_equal(np.unique(labels), np.arange(501))


@pytest.mark.parametrize("kind", ["blobs", "rings"])
def test_labels_are_the_mask(ok, tmp_path, kind):
    ok("phantom", kind, "b.npy", "--size", "300x200", "--count", 13, "--labels", "l.npy", "--truth", "t.npy")
    labels, mask = np.load(tmp_path / "l.npy"), np.load(tmp_path / "t.npy")
    assert np.array_equal(labels > 0, mask == 255)
    parts, count = ndimage.label(labels, CORNERS)
    assert count == 13
    for number in range(1, 14):
        assert len(np.unique(parts[labels == number])) == 1
    holes = ndimage.label(labels == 0)[1] - 1
    assert holes == (13 if kind == "rings" else 0)


def test_pairs_touch_and_stay_apart_as_labels(ok, tmp_path):
    arguments = ["--size", "512x512", "--touching", "--seed", 4]
    ok("phantom", "blobs", "b.npy", *arguments, "--labels", "l.npy", "--truth", "t.geojson")
    labels = np.load(tmp_path / "l.npy")
    # Rows of 8 and of 7 blobs: 60 of them, in 4 and in 3 pairs, and one alone in each row of 7.
    assert labels.max() == 60
    assert ndimage.label(labels > 0, CORNERS)[1] == 4 * 4 + 4 * 4
    assert all(ndimage.label(labels == number)[1] == 1 for number in range(1, 61))
    shapes = [shapely.geometry.shape(f["geometry"]) for f in json.loads((tmp_path / "t.geojson").read_text())["features"]]
    assert all(s.is_valid for s in shapes)
    first, second = shapes[0], shapes[1]
    assert first.intersection(second).area == 0
    assert 5 < first.intersection(second).length < 30


@needs_tiff
def test_a_film_is_one_in_the_file_and_tracks_tell_it(ok, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    ok("phantom", "film", "f.tif", "--size", "200x160x20", "--count", 12, "--labels", "l.tif", "--truth", "tracks.csv")
    labels = tifffile.imread(tmp_path / "l.tif")
    assert labels.shape == (20, 160, 200)
    with tifffile.TiffFile(tmp_path / "f.tif") as file:
        assert file.series[0].axes[0] == "T"
    info = ok("info", "f.tif", "--json").json
    assert info["inputs"][0]["frames"] == 20
    tracks = [{k: float(v) for k, v in row.items()} for row in csv.DictReader((tmp_path / "tracks.csv").open())]
    seen = {(t["frame"], t["id"]) for t in tracks}
    assert seen == {(f, n) for f in range(20) for n in np.unique(labels[f]) if n > 0}
    assert sum(t["parent"] > 0 for t in tracks) > 0
    for t in tracks[:: len(tracks) // 20]:
        own = labels[int(t["frame"])] == t["id"]
        y, x = ndimage.center_of_mass(own)
        # Five times the 0.15 / sqrt(radius) that whole pixels make uncertain, for radii of at least 4.
        assert abs(x - t["x"]) < 0.4 and abs(y - t["y"]) < 0.4


def test_a_film_of_numpy_has_five_axes_and_is_a_film(ok, tmp_path):
    ok("phantom", "film", "f.npy", "--size", "100x80x9", "--labels", "l.npy", "--truth", "t.npy")
    assert np.load(tmp_path / "f.npy").shape == (9, 1, 80, 100, 1)
    labels, mask = load(tmp_path / "l.npy"), load(tmp_path / "t.npy")
    assert np.array_equal(labels > 0, mask == 255)
    assert ok("info", "f.npy", "--json").json["inputs"][0]["frames"] == 9


def test_shading_darkens_the_upper_left(ok, tmp_path):
    noise = ["--noise", "gaussian", "--snr", 4, "--seed", 3]
    ok("phantom", "constant", "c.npy", "--size", "256x256", "--shading", 0.5, *noise)
    image = np.load(tmp_path / "c.npy").astype(float)
    # Blocks of 16 x 16 pixels: means of 256 numbers of sigma 3000 are off by 188. The factor at a block's middle is
    # 0.5 + 7.5 / 255 and 1.5 - 7.5 / 255, times 20000.
    assert abs(image[:16, :16].mean() - 20000 * (0.5 + 7.5 / 255)) < 5 * 188
    assert abs(image[-16:, -16:].mean() - 20000 * (1.5 - 7.5 / 255)) < 5 * 188
    assert abs(image[:16, -16:].mean() - 20000) < 5 * 188


def test_rings_go_into_geojson_with_their_holes(ok, refused, tmp_path):
    ok("phantom", "rings", "r.npy", "--size", "200x120", "--count", 5, "--truth", "t.geojson", "--labels", "l.npy")
    features = json.loads((tmp_path / "t.geojson").read_text())["features"]
    labels = np.load(tmp_path / "l.npy")
    assert [f["properties"]["label"] for f in features] == [1, 2, 3, 4, 5]
    for feature in features:
        shape = shapely.geometry.shape(feature["geometry"])
        assert shape.is_valid and len(shape.interiors) == 1
        own = labels == feature["properties"]["label"]
        # Whole pixels make the area uncertain by about half a pixel for every 4 along all rings, at random.
        assert abs(own.sum() - shape.area) < 5 * 0.29 * np.sqrt(shape.length)
    refused(4, "phantom", "rings", "s.npy", "--size", "200x120", "--truth", "t.csv")


def flower(width, height, arms=7, amplitude=0.28, rotation=0.3, centre=(0.47, 0.53)):
    y, x = np.mgrid[:height, :width]
    dx, dy = x - centre[0] * width, y - centre[1] * height
    radius = 0.27 * min(width, height) * (1 + amplitude * np.cos(arms * np.arctan2(dy, dx) + rotation))
    return np.hypot(dx, dy) < radius


@pytest.mark.parametrize(
    "options, numbers",
    [
        ([], {}),
        (["--arms", 5], {"arms": 5}),
        (["--amplitude", 0.6], {"amplitude": 0.6}),
        (["--rotation", -1.2], {"rotation": -1.2}),
        (["--centre", "0.3,0.71"], {"centre": (0.3, 0.71)}),
        (["--arms", 12, "--amplitude", 0.1, "--rotation", 2, "--centre", "0,1"],
         {"arms": 12, "amplitude": 0.1, "rotation": 2, "centre": (0, 1)}),
    ],
)
def test_a_flower_is_its_formula(ok, tmp_path, options, numbers):
    ok("phantom", "flower", "f.npy", "--size", "640x512", "--truth", "t.npy", *options)
    expected = flower(640, 512, **numbers)
    assert np.array_equal(np.load(tmp_path / "t.npy"), np.where(expected, 255, 0))
    assert np.array_equal(np.load(tmp_path / "f.npy"), np.where(expected, 32000, 20000))


@pytest.mark.parametrize("centre", [None, (0.4, 0.25)])
def test_a_disc_has_the_centre_of_a_flower(ok, tmp_path, centre):
    options = ["--centre", f"{centre[0]},{centre[1]}"] if centre else []
    ok("phantom", "disc", "d.npy", "--size", "300x411", "--truth", "t.npy", *options)
    expected = flower(300, 411, amplitude=0, centre=centre or (0.47, 0.53))
    assert np.array_equal(np.load(tmp_path / "t.npy"), np.where(expected, 255, 0))


@pytest.mark.parametrize("kind", ["flower", "disc"])
def test_the_outline_of_a_curve_is_its_area_and_its_pixels(ok, tmp_path, kind):
    ok("phantom", kind, "f.npy", "--size", "400x400", "--truth", "t.geojson")
    (feature,) = json.loads((tmp_path / "t.geojson").read_text())["features"]
    shape = shapely.geometry.shape(feature["geometry"])
    assert shape.is_valid
    # Half of the integral of r^2: pi r0^2 (1 + amplitude^2 / 2). The outline stays within 1/128 pixel.
    amplitude = 0.28 if kind == "flower" else 0
    assert abs(shape.area - np.pi * 108**2 * (1 + amplitude**2 / 2)) < shape.length / 128
    y, x = np.mgrid[:400, :400]
    differs = shapely.contains_xy(shape, x, y) != flower(400, 400, amplitude=amplitude)
    assert all(shape.boundary.distance(shapely.Point(u, v)) < 1 / 128 for v, u in np.argwhere(differs))
    assert differs.sum() < shape.length / 64
    ok("phantom", kind, "f.npy", "--size", "400x400", "--truth", "t.csv")
    assert len((tmp_path / "t.csv").read_text().splitlines()) == len(shape.exterior.coords)


@pytest.mark.parametrize("kind", ["star", "flower", "disc", "blobs", "rings", "ushape"])
@pytest.mark.parametrize("sigma", [0.7, 2.5])
def test_blur_is_that_of_scipy_and_leaves_the_truth(ok, tmp_path, kind, sigma):
    arguments = ["--size", "200x150", "--type", "f64", "--levels", "1,3"]
    ok("phantom", kind, "sharp.npy", *arguments, "--truth", "t.npy")
    ok("phantom", kind, "b.npy", *arguments, "--blur", sigma, "--truth", "tb.npy")
    sharp, truth = np.load(tmp_path / "sharp.npy"), np.load(tmp_path / "t.npy")
    assert np.array_equal(np.load(tmp_path / "tb.npy"), truth)
    expected = ndimage.gaussian_filter(sharp, sigma, mode="nearest", radius=int(np.ceil(5 * sigma)))
    # Weights are rounded to 2^-24, that in the middle by what is left of up to 2 * 13 others.
    assert np.abs(np.load(tmp_path / "b.npy") - expected).max() < 2e-6


def test_noise_comes_after_the_blur(ok, tmp_path):
    arguments = ["--size", "120x100", "--type", "f64", "--blur", 2, "--levels", "100,200"]
    ok("phantom", "disc", "mean.npy", *arguments)
    ok("phantom", "disc", "n.npy", *arguments, "--noise", "gaussian", "--snr", 4, "--seed", 3)
    ok("phantom", "constant", "c.npy", "--size", "120x100", "--type", "f64", "--noise", "variance=1", "--seed", 3)
    noise = (np.load(tmp_path / "c.npy") - 20000) / 3000
    assert np.allclose(np.load(tmp_path / "n.npy"), np.load(tmp_path / "mean.npy") + 25 * noise, atol=1e-9)


@pytest.mark.parametrize("options", [["--count", 7], ["--touching"], ["--shading", 0.4], ["--blur", 2.2]])
def test_threads_and_slabs_do_not_matter(ok, tmp_path, options):
    arguments = ["--size", "300x260", "--noise", "poisson", *options]
    ok("phantom", "blobs", "a.npy", *arguments, "--labels", "la.npy", "--threads", 1)
    ok("phantom", "blobs", "b.npy", *arguments, "--labels", "lb.npy", "--threads", 3, "--memory", "300000")
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    assert (tmp_path / "la.npy").read_bytes() == (tmp_path / "lb.npy").read_bytes()
    ok("phantom", "blobs", "c.npy", "--size", "300x260", "--noise", "poisson")
    assert (tmp_path / "a.npy").read_bytes() != (tmp_path / "c.npy").read_bytes()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["star", "o.npy", "--count", 3], "count is 3 with kind star"),
        (["film", "o.npy", "--size", "90x90x9", "--touching"], "touching was given with kind film"),
        (["blobs", "o.npy", "--size", "64x64x64", "--touching"], "expected at least 2 in a 2-D image"),
        (["blobs", "o.npy", "--size", "64x64", "--count", 61], "expected no more than there is room for"),
        (["film", "o.npy"], "expected frames too"),
        (["vessels", "o.npy", "--labels", "l.npy"], "--labels: vessels has no objects"),
        (["blobs", "o.npy", "--labels", "o.npy"], "--labels: names the same file as OUT"),
        (["blobs", "o.npy", "--truth", "t.npy", "--labels", "t.npy"], "--labels: names the same file as --truth"),
        (["star", "o.npy", "--shading", 1], "shading"),
        (["constant", "o.npy", "--blur", 1], "blur is 1 with kind constant"),
        (["star", "o.npy", "--blur", 1, "--noise", "variance=2"], "blur is 1 with noise variance=2"),
        (["star", "o.npy", "--arms", 5], "arms is 5 with kind star, expected flower"),
        (["star", "o.npy", "--centre", "0.5,0.5"], "centre is 0.5,0.5 with kind star, expected flower or disc"),
        (["disc", "o.npy", "--rotation", 1], "rotation is 1 with kind disc, expected flower"),
        (["flower", "o.npy", "--centre", "0.5,1.5"], "centre is 1.5"),
        (["flower", "o.npy", "--labels", "l.npy"], "--labels: flower has no objects"),
        (["impulse", "o.npy", "--shading", 0.1], "shading is 0.1 and takes the level 65535"),
    ],
)
def test_options_that_do_not_apply_are_refused(refused, arguments, words):
    assert words in refused(2, "phantom", *arguments)


@needs_png
def test_a_film_does_not_fit_where_there_are_no_frames(refused):
    refused(4, "phantom", "film", "f.png", "--size", "90x90x9")
