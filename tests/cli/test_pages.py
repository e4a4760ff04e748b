# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""--pages, --slice and --axis: stacks that do not say what they are, and slices of those that do."""

import numpy as np
import pytest
from conftest import needs_gif, needs_png, needs_tiff

PAGES = 4
SMOOTH = ["--sigma", "1.5"]


def names(folder, start):
    return sorted(p.name for p in folder.iterdir() if p.name.startswith(start))


@pytest.fixture
def volume(tmp_path):
    """A slanted tube over noise; no two slices, rows or columns are alike."""
    rng = np.random.default_rng(21)
    z, y, x = np.mgrid[0:PAGES, 0:40, 0:52]
    values = (rng.normal(90, 4, z.shape) + 80 * (np.hypot(x - 20 - 4 * z, y - 20) < 9)).astype(np.uint8)
    np.save(tmp_path / "v.npy", values)
    for t, page in enumerate(values):
        np.save(tmp_path / f"one{t}.npy", page)
    return values


@pytest.fixture
def plain(volume, tmp_path):
    """The same as pages of a TIFF that nobody has noted anything about."""
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "plain.tif", volume, photometric="minisblack", metadata=None)
    tifffile.imwrite(tmp_path / "film.tif", volume, imagej=True, metadata={"axes": "TYX"})
    tifffile.imwrite(tmp_path / "stack.tif", volume, imagej=True, metadata={"axes": "ZYX"})
    return volume


@needs_tiff
@pytest.mark.parametrize("arguments", [["smooth", "plain.tif", "o.npy", *SMOOTH], ["flow", "plain.tif", "o.npy"], ["compare", "plain.tif", "plain.tif"]])
def test_verbs_ask_where_frames_and_slices_differ(ok, refused, plain, tmp_path, arguments):
    error = refused(2, *arguments)
    assert "plain.tif: does not say whether its 4 pages are frames or slices, expected --pages frames or --pages slices" in error
    ok(*arguments, "--pages", "slices")
    ok(*arguments, "--pages", "frames", "--frame", "all")


@needs_tiff
def test_what_pages_are_is_what_is_made_of_them(ok, plain, tmp_path):
    ok("smooth", "plain.tif", "slices.npy", *SMOOTH, "--pages", "slices")
    ok("smooth", "v.npy", "volume.npy", *SMOOTH)
    np.testing.assert_array_equal(np.load(tmp_path / "slices.npy"), np.load(tmp_path / "volume.npy"))
    ok("smooth", "plain.tif", "frames.npy", *SMOOTH, "--pages", "frames")
    ok("smooth", "film.tif", "film.npy", *SMOOTH)
    frames = np.load(tmp_path / "frames.npy")
    np.testing.assert_array_equal(frames, np.load(tmp_path / "film.npy"))
    assert frames.shape == (PAGES, 1, 40, 52, 1)
    ok("smooth", "v.npy", "array.npy", *SMOOTH, "--pages", "frames")  # an array is a volume, unless
    np.testing.assert_array_equal(np.load(tmp_path / "array.npy"), frames)


@needs_tiff
def test_segment_and_react_take_pages_for_frames(ok, plain, tmp_path):
    for verb, options in (("segment", []), ("react", ["--steps", "9"])):
        ok(verb, "plain.tif", "a.npy", *options)
        ok(verb, "film.tif", "b.npy", *options)
        a = np.load(tmp_path / "a.npy")
        assert a.shape[:2] == (PAGES, 1)
        np.testing.assert_array_equal(a, np.load(tmp_path / "b.npy"))
    ok("react", "plain.tif", "a.npy", "--steps", "9", "--pages", "slices")
    ok("react", "stack.tif", "b.npy", "--steps", "9")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


@needs_tiff
def test_info_says_that_it_does_not_know_and_convert_keeps_it(ok, plain, tmp_path):
    assert "pages: unknown" in ok("info", "plain.tif").out
    assert ok("info", "plain.tif", "--json").json["result"]["pages"] == "unknown"
    for known in (["film.tif"], ["stack.tif"], ["plain.tif", "--pages", "frames"]):
        assert "unknown" not in ok("info", *known).out
    ok("convert", "plain.tif", "again.tif", "--type", "f32")
    assert "pages: unknown" in ok("info", "again.tif").out
    ok("compare", "again.tif", "v.npy", "--pages", "slices")
    ok("convert", "plain.tif", "known.tif", "--pages", "slices")
    assert "unknown" not in ok("info", "known.tif").out
    ok("convert", "plain.tif", "film_of_it.tif", "--pages", "frames")
    assert "frames   4" in ok("info", "film_of_it.tif").out


@needs_tiff
def test_who_counts_frames_or_slices_has_said_what_pages_are(ok, plain, tmp_path):
    for option in ("--frame", "--slice"):
        ok("smooth", "plain.tif", "a.npy", *SMOOTH, option, "2")
        ok("smooth", "one2.npy", "b.npy", *SMOOTH)
        np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


@needs_tiff
@pytest.mark.parametrize("name, pages, found", [("stack.tif", "frames", "slices"), ("film.tif", "slices", "frames")])
@pytest.mark.parametrize("verb", ["smooth", "segment", "react", "info"])
def test_pages_that_contradict_the_file_are_refused(refused, plain, name, pages, found, verb):
    out = [] if verb == "info" else ["o.npy"]
    error = refused(2, verb, name, *out, "--pages", pages)
    assert f"{name}: says that it holds {found}" in error


def test_frames_of_react_is_an_old_name(run, volume, tmp_path):
    done = run("react", "v.npy", "a.npy", "--steps", "9", "--frames")
    assert done.code == 0 and done.err.count("\n") == 1
    assert "--pages frames" in done.err and "--slice all" in done.err
    done = run("react", "v.npy", "b.npy", "--steps", "9", "--slice", "all")
    assert done.code == 0 and done.err == ""
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


@pytest.mark.parametrize("verb, options", [("convert", []), ("smooth", SMOOTH), ("flow", []), ("segment", []), ("react", ["--steps", "9", "--window", "full"])])
def test_a_slice_is_an_image_and_several_are_a_stack(ok, volume, tmp_path, verb, options):
    ok(verb, "v.npy", "two.npy", *options, "--slice", "2")
    ok(verb, "one2.npy", "alone.npy", *options)
    alone = np.load(tmp_path / "alone.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "two.npy"), alone)
    ok(verb, "v.npy", "some.npy", *options, "--slice", "1:3")
    some = np.load(tmp_path / "some.npy")
    assert some.shape[:3] == (2, 40, 52)
    np.testing.assert_array_equal(some[1], alone)
    ok(verb, "v.npy", "all.npy", *options, "--slice", "all")
    np.testing.assert_array_equal(np.load(tmp_path / "all.npy")[1:3], some)


@pytest.mark.parametrize("axis, plane", [("z", lambda v, i: v[i]), ("y", lambda v, i: v[:, i]), ("x", lambda v, i: v[:, :, i])])
def test_slices_lie_across_any_axis(ok, volume, tmp_path, axis, plane):
    ok("convert", "v.npy", "o.npy", "--slice", "3", "--axis", axis)
    np.testing.assert_array_equal(np.load(tmp_path / "o.npy"), plane(volume, 3))
    ok("convert", "v.npy", "o.npy", "--slice", "all", "--axis", axis)
    everything = np.load(tmp_path / "o.npy")
    for i in range(len(everything)):
        np.testing.assert_array_equal(everything[i], plane(volume, i))
    ok("convert", "v.npy", "o.npy", "--slice", "3", "--axis", axis, "--roi", "1,2,4,4")
    np.testing.assert_array_equal(np.load(tmp_path / "o.npy"), plane(volume, 3)[2:4, 1:4])


@needs_tiff
def test_slices_have_their_own_spacing(ok, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    values = np.zeros((3, 5, 7), np.uint16)
    tifffile.imwrite(tmp_path / "a.tif", values, imagej=True, resolution=(4, 2), metadata={"axes": "ZYX", "unit": "um", "spacing": 3.0})
    for axis, spacing in (("z", [0.5, 0.25]), ("y", [3, 0.25]), ("x", [3, 0.5])):
        found = ok("convert", "a.tif", "o.tif", "--slice", "1", "--axis", axis, "--json").json["outputs"][0]
        assert found["spacing"] == spacing and found["unit"] == "um"


def test_outlines_and_statistics_of_slices_are_numbered_by_them(ok, volume, tmp_path):
    ok("segment", "v.npy", "o%02d.geojson", "--slice", "1:3", "--mask-out", "m%d.npy")
    assert names(tmp_path, "o0") == ["o01.geojson", "o02.geojson"] and names(tmp_path, "m") == ["m1.npy", "m2.npy"]
    ok("segment", "v.npy", "p%02d.geojson", "--slice", "3")
    assert names(tmp_path, "p") == ["p03.geojson"]
    report = ok("info", "v.npy", "--slice", "1:3", "--json").json["result"]
    assert report["slices"] == 2 and report["sum"] == volume[1:3].sum(dtype=np.int64)
    assert [(s["slice"], s["sum"]) for s in report["per_slice"]] == [(i, volume[i].sum(dtype=np.int64)) for i in (1, 2)]
    assert ok("info", "v.npy", "--slice", "5", "--axis", "y", "--json").json["result"]["sum"] == volume[:, 5].sum(dtype=np.int64)
    report = ok("smooth", "v.npy", "s.npy", *SMOOTH, "--slice", "all", "--json").json
    assert report["result"]["slices"] == PAGES and report["outputs"][0]["shape"] == [PAGES, 40, 52]
    assert [s["slice"] for s in report["result"]["per_slice"]] == list(range(PAGES))


def test_masks_are_sliced_with_the_image(ok, refused, run, volume, tmp_path):
    mask = (np.random.default_rng(2).random(volume.shape) < 0.6).astype(np.uint8)
    np.save(tmp_path / "mask.npy", mask)
    np.save(tmp_path / "mask1.npy", mask[1])
    np.save(tmp_path / "short.npy", mask[:2])
    ok("smooth", "v.npy", "a.npy", *SMOOTH, "--slice", "1", "--mask", "mask.npy")
    ok("smooth", "one1.npy", "b.npy", *SMOOTH, "--mask", "mask1.npy")
    ok("smooth", "v.npy", "c.npy", *SMOOTH, "--slice", "0:2", "--mask", "mask1.npy")  # one for all
    b = np.load(tmp_path / "b.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), b)
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy")[1], b)
    assert "short.npy: a volume of 2 slices, expected 4" in refused(2, "smooth", "v.npy", "x.npy", *SMOOTH, "--slice", "1", "--mask", "short.npy")
    other = volume.copy()
    other[2, 5, 5] += 1
    np.save(tmp_path / "other.npy", other)
    ok("compare", "v.npy", "other.npy", "--slice", "1")
    assert run("compare", "v.npy", "other.npy", "--slice", "all").out.count("slice 2: 1 numbers differ") == 1
    ok("compare", "v.npy", "one2.npy", "--slice", "2")


def test_films_of_volumes_give_one_slice_of_each_frame_or_all_of_one(ok, refused, volume, tmp_path):
    film = np.stack([volume, volume + 3, volume + 9])
    np.save(tmp_path / "f.npy", film[..., None])
    ok("convert", "f.npy", "a.npy", "--slice", "2")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy")[:, 0, :, :, 0], film[:, 2])
    ok("convert", "f.npy", "a.npy", "--slice", "all", "--frame", "1")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), film[1])
    assert "expected one of them with --frame N or --slice N" in refused(2, "convert", "f.npy", "x.npy", "--slice", "all")


def test_slices_across_y_keep_the_budget(ok, tmp_path):
    values = np.random.default_rng(4).integers(0, 60000, (40, 300, 200)).astype(np.uint16)
    np.save(tmp_path / "v.npy", values)
    ok("convert", "v.npy", "o.npy", "--slice", "all", "--axis", "y", "--memory", "1M")
    np.testing.assert_array_equal(np.load(tmp_path / "o.npy"), values.transpose(1, 0, 2))


@needs_gif
def test_slices_of_a_volume_as_a_picture_that_moves(ok, volume, tmp_path):
    ok("convert", "v.npy", "o.gif", "--slice", "all", "--axis", "y")
    assert (tmp_path / "o.gif").read_bytes()[:6] == b"GIF89a"


@needs_png
def test_a_format_without_stacks_is_told_before_any_work(refused, volume, tmp_path):
    refused(4, "convert", "v.npy", "o.png", "--slice", "all")


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["convert", "v.npy", "o.npy", "--slice", "4"], "found slice 4 of 4 across z, expected 0 to 3"),
        (["convert", "v.npy", "o.npy", "--slice", "2:5"], "found --slice 2:5 of a volume of 4, expected 0 to 3"),
        (["convert", "v.npy", "o.npy", "--slice", "40", "--axis", "y"], "found slice 40 of 40 across y"),
        (["info", "v.npy", "--slice", "4"], "found slice 4 of 4"),
        (["react", "v.npy", "o.npy", "--slice", "1:9"], "--slice 1:9"),
        (["segment", "v.npy", "o%d.csv", "--slice", "9"], "found slice 9 of 4"),
        (["convert", "v.npy", "o.npy", "--slice", "-1"], "--slice"),
        (["convert", "v.npy", "o.npy", "--slice", "1:1"], "--slice"),
        (["convert", "v.npy", "o.npy", "--axis", "y"], "--axis goes with slices"),
        (["convert", "v.npy", "o.npy", "--slice", "1", "--axis", "w"], "--axis"),
        (["convert", "one0.npy", "o.npy", "--slice", "1"], "found slice 1 of 1"),
        (["convert", "one0.npy", "o.npy", "--slice", "1", "--axis", "x"], "expected a volume for slices across x"),
        (["convert", "v.npy", "o.npy", "--pages", "frames", "--slice", "1"], "found slice 1 of 1"),
        (["convert", "v.npy", "o.npy", "--pages", "depth"], "--pages"),
        (["segment", "v.npy", "o.csv"], "--slice chooses one"),
        (["segment", "v.npy", "o.csv", "--slice", "all"], "expected numbered files as o%03d.csv"),
        (["smooth", "v.npy", "o.npy", "--slice", "all", "--sweep", "sigma=1:2:2"], "--sweep: v.npy: holds 4 slices: choose one with --slice N"),
    ],
)
def test_slices_that_are_none_are_refused(refused, volume, arguments, part):
    assert part in refused(2, *arguments)
