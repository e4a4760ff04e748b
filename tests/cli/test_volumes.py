# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Volumes of radiology: where an image lies in the world comes through every verb."""

import json

import numpy as np
import pytest
from conftest import needs_png

nibabel = pytest.importorskip("nibabel")
nrrd = pytest.importorskip("nrrd")
itk = pytest.importorskip("SimpleITK")

SPACING = (0.5, 0.75, 2.0)
SUFFIXES = ["nii", "nii.gz", "nrrd", "mha", "mhd"]
TO_LPS = np.diag([-1, -1, 1, 1])


def oblique_affine():
    """Turned about all axes, one of them mirrored, in the right, anterior, superior world."""
    a, b = 0.3, -0.2
    turn_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    turn_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    affine = np.eye(4)
    affine[:3, :3] = turn_z @ turn_x @ np.diag([-1, 1, 1]) @ np.diag(SPACING)
    affine[:3, 3] = [-31.5, 12.25, 7.125]
    return affine


AFFINE = oblique_affine()
# Headers of NIfTI-1 hold float32: the origin, below 32, is off by at most 2^-20, a step, below 2, by 2^-24. A part's
# origin adds eight steps at most, 5e-7. Twice their sum is enough for writing and reading back.
ROUNDING = 3e-6


def save(path, values, affine):
    image = nibabel.Nifti1Image(values, affine, dtype=values.dtype)
    image.header.set_xyzt_units("mm")
    nibabel.save(image, path)


@pytest.fixture
def volume(tmp_path):
    """As nibabel writes it; array indices are x, y, z."""
    x, y, z = np.mgrid[0:40, 0:34, 0:9]
    values = (100 + 2 * x + y + (np.hypot(x - 19, y - 16) < 8) * 90 + z).astype(np.int16)
    save(tmp_path / "v.nii", values, AFFINE)
    return values


def read_ras(path):
    """Values with axes x, y, z and the affine into the right, anterior, superior world, by the libraries."""
    if ".nii" in path.name:
        image = nibabel.load(path)
        return np.asanyarray(image.dataobj), image.affine
    if path.suffix == ".nrrd":
        values, header = nrrd.read(str(path))
        vectors = np.array(header["space directions"], float)
        affine = np.eye(4)
        affine[:3, :3] = vectors[~np.isnan(vectors).any(axis=1)].T
        affine[:3, 3] = header["space origin"]
        flip = {"left-posterior-superior": TO_LPS, "right-anterior-superior": np.eye(4)}[header["space"]]
        return values, flip @ affine
    image = itk.ReadImage(str(path))
    affine = np.eye(4)
    affine[:3, :3] = np.array(image.GetDirection()).reshape(3, 3) @ np.diag(image.GetSpacing())
    affine[:3, 3] = image.GetOrigin()
    values = itk.GetArrayFromImage(image)
    return np.moveaxis(values, (0, 1, 2), (2, 1, 0)), TO_LPS @ affine


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_convert_carries_the_place_and_the_values(ok, volume, tmp_path, suffix):
    ok("convert", "v.nii", f"o.{suffix}")
    values, affine = read_ras(tmp_path / f"o.{suffix}")
    np.testing.assert_array_equal(values, volume)
    np.testing.assert_allclose(affine, AFFINE, atol=ROUNDING)
    ok("convert", f"o.{suffix}", "back.nii")
    np.testing.assert_allclose(nibabel.load(tmp_path / "back.nii").affine, nibabel.load(tmp_path / "v.nii").affine, atol=ROUNDING)
    assert nibabel.load(tmp_path / "back.nii").header.get_zooms() == pytest.approx(SPACING, rel=1e-6)


@pytest.mark.parametrize("suffix", ["nii", "nrrd", "mha"])
@pytest.mark.parametrize(
    "verb, options",
    [
        ("smooth", ["--sigma", "1"]),
        ("smooth", ["--sigma", "1mm", "--output", "magnitude"]),
        ("smooth", ["--sigma", "1", "--output", "gradient"]),
        ("smooth", ["--sigma", "1", "--output", "hessian"]),
        ("smooth", ["--sigma", "1", "--memory", "1500K"]),
        ("flow", []),
        ("flow", ["--solver", "explicit", "--iterations", "5", "--storage", "f16"]),
        ("flow", ["--output", "magnitude"]),
        ("flow", ["--output", "unit"]),
        ("react", ["--steps", "5"]),
        ("react", ["--steps", "5", "--layer", "both"]),
    ],
)
def test_every_verb_carries_the_place(ok, volume, tmp_path, suffix, verb, options):
    ok(verb, "v.nii", f"o.{suffix}", *options)
    _, affine = read_ras(tmp_path / f"o.{suffix}")
    np.testing.assert_allclose(affine, AFFINE, atol=ROUNDING)


def test_results_of_one_volume_are_the_same_in_every_format(ok, volume, tmp_path):
    ok("smooth", "v.nii", "a.nii", "--sigma", "2")
    expected, _ = read_ras(tmp_path / "a.nii")
    for suffix in SUFFIXES:
        ok("convert", "v.nii", f"in.{suffix}")
        ok("smooth", f"in.{suffix}", f"out.{suffix}", "--sigma", "2")
        np.testing.assert_array_equal(read_ras(tmp_path / f"out.{suffix}")[0], expected)


def moved(affine, x, y):
    result = affine.copy()
    result[:3, 3] += affine[:3, 0] * x + affine[:3, 1] * y
    return result


@pytest.mark.parametrize("verb, options", [("convert", []), ("smooth", ["--sigma", "1"]), ("flow", []), ("react", ["--steps", "3"])])
def test_a_part_lies_where_it_was_cut(ok, volume, tmp_path, verb, options):
    ok(verb, "v.nii", "o.mha", "--roi", "5,3,30,31", *options)
    values, affine = read_ras(tmp_path / "o.mha")
    assert values.shape[:3] == (25, 28, 9)
    np.testing.assert_allclose(affine, moved(AFFINE, 5, 3), atol=ROUNDING)


@pytest.fixture
def slice_of_volume(tmp_path, volume):
    save(tmp_path / "s.nii", volume[:, :, 4:5], AFFINE)
    return volume[:, :, 4]


@pytest.mark.parametrize("roi", [[], ["--roi", "5,3,36,31"]])
def test_masks_lie_where_the_whole_image_does(ok, slice_of_volume, tmp_path, roi):
    ok("segment", "s.nii", "m.nii", "--mask-out", "n.mha", *roi)
    for name in ("m.nii", "n.mha"):
        values, affine = read_ras(tmp_path / name)
        assert values.shape[:2] == (40, 34) and values.any()
        np.testing.assert_allclose(affine, AFFINE, atol=ROUNDING)


def test_info_says_how_it_lies(ok, volume, tmp_path):
    report = ok("info", "v.nii", "--json").json["inputs"][0]
    expected = "".join(nibabel.aff2axcodes(AFFINE))
    assert expected == "LAS"
    place = report["placement"]
    assert place["axes"] == "ras" and place["orientation"] == expected
    np.testing.assert_allclose(np.array(place["steps"]).T, AFFINE[:3, :3], atol=ROUNDING)
    np.testing.assert_allclose(place["origin"], AFFINE[:3, 3], atol=ROUNDING)
    assert report["unit"] == "mm" and report["spacing"] == pytest.approx(SPACING[::-1])
    ok("convert", "v.nii", "o.mha")
    other = ok("info", "o.mha", "--json").json["inputs"][0]["placement"]
    assert other["axes"] == "lps" and other["orientation"] == expected
    said = ok("info", "v.nii").out
    assert "NIfTI" in said and "world    LAS in ras axes, origin -31.5 12.25 7.125 mm" in said


@pytest.mark.parametrize("order, signs", [((0, 1, 2), (1, 1, 1)), ((2, 0, 1), (1, -1, 1)), ((1, 2, 0), (-1, -1, -1)), ((2, 1, 0), (-1, 1, -1))])
def test_orientations_are_those_of_nibabel(ok, tmp_path, order, signs):
    affine = np.eye(4)
    affine[:3, :3] = (np.eye(3)[list(order)] * np.array(signs)) @ np.diag([1.5, 1, 2]) + 0.05
    nibabel.save(nibabel.Nifti1Image(np.zeros((3, 4, 5), np.uint8), affine), tmp_path / "a.nii")
    found = ok("info", "a.nii", "--json").json["inputs"][0]["placement"]["orientation"]
    assert found == "".join(nibabel.aff2axcodes(affine))


@needs_png
def test_what_a_format_has_no_room_for_is_told(run, ok, slice_of_volume):
    result = run("convert", "s.nii", "o.png", "--type", "u8", "--window", "auto")
    assert result.code == 0 and result.err.count("\n") == 1
    assert result.err.startswith("meander: o.png: PNG has no room")
    ok("convert", "s.nii", "o.png", "--type", "u8", "--quiet")
    ok("convert", "s.nii", "o.nrrd")
    result = run("convert", "s.nii", "o%d.png", "--type", "u8", "--frame", "all")
    assert result.code == 0 and result.err.count("has no room") == 1


def test_compare_tells_of_other_places(ok, run, volume, tmp_path):
    ok("convert", "v.nii", "same.mha")
    same = ok("compare", "v.nii", "same.mha", "--json").json["result"]
    assert same["same_spacing"] and same["displacement_pixels"] < 1e-3
    assert "apart" not in ok("compare", "v.nii", "same.mha").out
    affine = AFFINE.copy()
    affine[:3, 3] += AFFINE[:3, 0] * 2  # two pixels along x
    save(tmp_path / "moved.nii", volume, affine)
    said = ok("compare", "v.nii", "moved.nii", "--json").json["result"]
    assert said["displacement_pixels"] == pytest.approx(2, rel=1e-4) and said["same_spacing"] and said["max"] == 0
    assert "they lie 2" in ok("compare", "v.nii", "moved.nii").out
    save(tmp_path / "thick.nii", volume, AFFINE @ np.diag([1, 1, 1.5, 1]))
    found = ok("compare", "v.nii", "thick.nii")
    assert "their pixels differ in size" in found.out and "pixels apart" in found.out
    np.save(tmp_path / "plain.npy", np.moveaxis(volume, (0, 1, 2), (2, 1, 0)))
    plain = ok("compare", "v.nii", "plain.npy", "--json").json["result"]
    assert plain["displacement_pixels"] is None and not plain["same_spacing"]
    assert "only one of them" in ok("compare", "v.nii", "plain.npy").out


@pytest.mark.parametrize("suffix", ["nrrd", "mha", "nii.gz"])
def test_compressed_files_are_smaller_and_the_same(ok, volume, tmp_path, suffix):
    for verb in ("convert", "smooth"):
        options = ["--sigma", "4"] if verb == "smooth" else []
        ok(verb, "v.nii", f"plain.{suffix}", *options)
        ok(verb, "v.nii", f"small.{suffix}", "--compress", *options)
        a, b = tmp_path / f"plain.{suffix}", tmp_path / f"small.{suffix}"
        np.testing.assert_array_equal(read_ras(a)[0], read_ras(b)[0])
        if suffix != "nii.gz":
            assert b.stat().st_size < 0.9 * a.stat().st_size


@pytest.mark.parametrize(
    "code, arguments",
    [
        (4, ["convert", "v.nii", "o.npy", "--compress"]),
        (4, ["convert", "v.nii", "o.nii", "--compress"]),
        (4, ["phantom", "star", "o.npy", "--compress"]),
        (2, ["smooth", "v.nii", "o.npy", "--compress", "--sweep", "sigma=1:2:2"]),
        (4, ["segment", "s.nii", "o.geojson", "--compress"]),
        (4, ["phantom", "star", "o.npy", "--truth", "t.npy", "--compress"]),
    ],
)
def test_what_is_not_compressed_is_refused(refused, slice_of_volume, code, arguments):
    refused(code, *arguments)


def test_masks_and_phantoms_are_compressed_too(ok, slice_of_volume, tmp_path):
    ok("segment", "s.nii", "o.geojson", "--mask-out", "m.mha", "--compress")
    assert "CompressedData = True" in (tmp_path / "m.mha").read_bytes().decode("latin1")
    ok("phantom", "star", "p.nrrd", "--truth", "t.nrrd", "--compress", "--size", "64x64")
    for name in ("p.nrrd", "t.nrrd"):
        assert nrrd.read_header(str(tmp_path / name))["encoding"] in ("gzip", "gz")
    ok("react", "s.nii", "r.nrrd", "--compress", "--steps", "3", "--snapshots", "1")
    for name in ("r.nrrd", "r_t1.nrrd"):
        assert nrrd.read_header(str(tmp_path / name))["encoding"] in ("gzip", "gz")


def test_outputs_that_cannot_be_compressed_are_written_beside_those_that_can(ok, slice_of_volume, tmp_path):
    ok("phantom", "star", "p.nrrd", "--truth", "t.npy", "--compress", "--size", "64x64")
    ok("phantom", "star", "q.npy", "--truth", "u.nrrd", "--compress", "--size", "64x64")
    for name in ("p.nrrd", "u.nrrd"):
        assert nrrd.read_header(str(tmp_path / name))["encoding"] in ("gzip", "gz")
    np.testing.assert_array_equal(nrrd.read(str(tmp_path / "u.nrrd"))[0].T, np.load(tmp_path / "t.npy"))
    ok("segment", "s.nii", "m.nrrd", "--overlay", "o.npy", "--compress")
    assert np.load(tmp_path / "o.npy").shape[-1] == 3


def test_what_is_left_out_is_told_of_masks_and_not_beside_an_error(run, refused, slice_of_volume, volume, tmp_path):
    result = run("segment", "s.nii", "o.geojson", "--mask-out", "m.npy")
    assert result.code == 0 and result.err.startswith("meander: m.npy: NPY has no room") and result.err.count("\n") == 1
    save(tmp_path / "big.nii", np.full((3, 4, 5), 2**63 + 1, np.uint64), AFFINE)
    assert "big.nii" in refused(4, "convert", "big.nii", "o.npy")
    broken = np.stack([volume, volume], axis=-1).astype(np.float32)
    broken[2, 3, 4, 1] = np.nan
    save(tmp_path / "film.nii", broken, AFFINE)
    for out in ("o.npy", "o%d.npy"):
        assert "frame 1" in refused(2, "smooth", "film.nii", out, "--sigma", "1", "--nonfinite", "error")
    result = run("convert", "film.nii", "o%d.npy")
    assert result.code == 0 and result.err.startswith("meander: o0.npy: NPY has no room") and result.err.count("\n") == 1


@pytest.fixture
def film(tmp_path, volume):
    frames = np.stack([volume + 3 * t for t in range(3)], axis=-1)
    image = nibabel.Nifti1Image(frames, AFFINE)
    image.header.set_xyzt_units("mm", "sec")
    image.header["pixdim"][4] = 1.5
    nibabel.save(image, tmp_path / "f.nii.gz")
    return frames


def test_films_of_volumes_keep_place_and_interval(ok, film, tmp_path):
    report = ok("smooth", "f.nii.gz", "o.nii.gz", "--sigma", "1", "--json").json
    assert report["inputs"][0]["frames"] == 3 and report["inputs"][0]["seconds_per_frame"] == 1.5
    found = nibabel.load(tmp_path / "o.nii.gz")
    assert found.shape == film.shape and found.header.get_zooms()[3] == 1.5
    np.testing.assert_allclose(found.affine, AFFINE, atol=ROUNDING)
    ok("smooth", "f.nii.gz", "alone.nii", "--sigma", "1", "--frame", "1")
    np.testing.assert_array_equal(np.asanyarray(found.dataobj)[..., 1], np.asanyarray(nibabel.load(tmp_path / "alone.nii").dataobj))
    ok("convert", "f.nii.gz", "o%d.mhd", "--frame", "1:3")
    for t in (1, 2):
        np.testing.assert_array_equal(read_ras(tmp_path / f"o{t}.mhd")[0], film[..., t])
    assert json.loads(ok("info", "f.nii.gz", "--json").out)["result"]["max"] == film.max()


@pytest.mark.parametrize("suffix", ["nrrd", "mha"])
def test_a_film_stays_one_in_other_formats(ok, film, tmp_path, suffix):
    ok("convert", "f.nii.gz", f"o.{suffix}", "--compress")
    report = ok("info", f"o.{suffix}", "--json").json["inputs"][0]
    assert report["frames"] == 3 and report["seconds_per_frame"] == 1.5
    ok("convert", f"o.{suffix}", "back.nii")
    found = nibabel.load(tmp_path / "back.nii")
    np.testing.assert_array_equal(np.asanyarray(found.dataobj), film)
    np.testing.assert_allclose(found.affine, AFFINE, atol=ROUNDING)
