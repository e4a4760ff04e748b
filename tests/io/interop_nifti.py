# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""NIfTI files that nibabel writes must open, and nibabel must read ours.

Run by pytest; MEANDER_BRIDGE names the program that describes and copies files with Meander.
"""

import json
import os
import subprocess

import nibabel as nib
import numpy as np
import pytest

BRIDGE = os.environ["MEANDER_BRIDGE"]
SUFFIXES = [".nii", ".nii.gz", ".hdr", ".img"]
SHAPES = [(59, 43), (7, 5, 3), (1, 9, 4), (7, 5, 3, 4), (7, 5, 3, 1, 3), (9, 4, 1, 1, 2), (6, 5, 3, 2, 3)]
# What arrives, by what is stored.
ARRIVES = {"u1": "u1", "i1": "i2", "i2": "i2", "u2": "u2", "i4": "f8", "u4": "f8", "i8": "f8", "u8": "f8",
           "f4": "f4", "f8": "f8"}
WRITTEN = ["u1", "u2", "i2", "f4", "f8"]
NAMES = {"u1": "u8", "u2": "u16", "i2": "i16", "f4": "f32", "f8": "f64"}

ROTATED = nib.affines.from_matvec(
    nib.eulerangles.euler2mat(z=0.3, y=-0.5, x=1.1) @ np.diag([0.7, 0.8, 2.5]), [-90.25, 126.5, -72.125])
SHEARED = ROTATED @ np.array([[1, 0.3, 0, 0], [0, 1, -0.2, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
AFFINES = {"plain": np.diag([0.7, 0.8, 2.5, 1]),
           "left-handed": np.diag([-0.7, 0.8, 2.5, 1]) + np.array([[0, 0, 0, 90]] + 3 * [[0] * 4]),
           "half-turn": np.diag([-0.7, -0.8, 2.5, 1]), "oblique": ROTATED,
           "mirrored": ROTATED @ np.diag([1, 1, -1, 1]), "sheared": SHEARED}


def bridge(*arguments):
    done = subprocess.run([BRIDGE, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def seen_by_meander(path, tmp_path, *choices):
    found = bridge(path, tmp_path / "seen.npy", *choices)
    return np.load(tmp_path / "seen.npy"), found


def numbers(shape, code):
    """Values that use every byte of a number, of 64 bits those that float64 holds."""
    random = np.random.default_rng(7)
    if code[0] == "f":
        return (random.standard_normal(shape) * 100).astype(code)
    limits = np.iinfo(code)
    if limits.bits == 64:
        return random.integers(max(limits.min, -2**53), 2**53, shape, dtype=code, endpoint=True)
    return random.integers(limits.min, limits.max, shape, dtype=code, endpoint=True)


def as_meander(array, frame=0):
    """One frame of an array in NIfTI's order (x, y, z, t, c) as an NPY that Meander writes."""
    array = array.reshape(array.shape + (1,) * (5 - array.ndim))[:, :, :, frame, :].transpose(2, 1, 0, 3)
    array = array if array.shape[3] > 1 else array[..., 0]
    return array if array.shape[0] > 1 else array[0]


def assert_same_bits(found, expected):
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype.newbyteorder("=")
    expected = np.ascontiguousarray(expected.astype(expected.dtype.newbyteorder("=")))
    assert found.tobytes() == expected.tobytes()


def saved(path, array, affine=None, kind=nib.Nifti1Image, endian="<", change=None):
    """A file of nibabel's with the numbers as they are. `change` may alter its header."""
    pair = path.suffix in (".hdr", ".img")
    kinds = {nib.Nifti1Image: nib.Nifti1Pair, nib.Nifti2Image: nib.Nifti2Pair}
    kind = kinds[kind] if pair else kind
    header = kind.header_class(endianness=endian)
    header.set_data_dtype(array.dtype)
    image = kind(array, affine, header)
    if change:
        change(image.header)
    nib.save(image, path)
    return nib.load(path)


def affine_of(found):
    placement = found["placement"]
    matrix = np.eye(4)
    matrix[:3, :3] = np.transpose(placement["step"])
    matrix[:3, 3] = placement["origin"]
    return matrix


# What nibabel wrote


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("code", ARRIVES)
def test_every_type_and_shape(tmp_path, code, shape):
    array = numbers(shape, code)
    saved(tmp_path / "a.nii", array)
    frames = shape[3] if len(shape) > 3 else 1
    for frame in range(frames):
        found, description = seen_by_meander(tmp_path / "a.nii", tmp_path, f"frame={frame}")
        assert_same_bits(found, as_meander(array, frame).astype(ARRIVES[code]))
        assert description["type"] == NAMES[ARRIVES[code]]
        assert description["frames"] == frames
        assert description["channels"] == (shape[4] if len(shape) > 4 else 1)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", [nib.Nifti1Image, nib.Nifti2Image])
@pytest.mark.parametrize("endian", ["<", ">"])
@pytest.mark.parametrize("code", ["u1", "i2", "i4", "f4", "f8"])
def test_every_container(tmp_path, code, endian, kind, suffix):
    array = numbers((7, 5, 3), code)
    saved(tmp_path / f"a{suffix}", array, ROTATED, kind, endian)
    found, description = seen_by_meander(tmp_path / f"a{suffix}", tmp_path)
    assert_same_bits(found, as_meander(array).astype(ARRIVES[code]))
    # nibabel sets pixdim from the affine; a float is read as the decimal it was meant to be.
    assert description["spacing"] == pytest.approx([0.7, 0.8, 2.5], rel=1e-7 if kind == nib.Nifti1Image else 1e-15)
    assert description["format"] == "NIfTI"


@pytest.mark.parametrize("colours", [3, 4])
@pytest.mark.parametrize("suffix", [".nii", ".nii.gz"])
def test_colours(tmp_path, colours, suffix):
    array = numbers((7, 5, 3, colours), "u1")
    names = "RGBA"[:colours]
    stored = np.ascontiguousarray(array).view([(name, "u1") for name in names])[..., 0]
    saved(tmp_path / f"a{suffix}", stored)
    found, description = seen_by_meander(tmp_path / f"a{suffix}", tmp_path)
    assert description["channels"] == colours
    assert_same_bits(found, array.transpose(2, 1, 0, 3))
    for channel in range(colours):
        found, _ = seen_by_meander(tmp_path / f"a{suffix}", tmp_path, f"channel={channel}")
        assert_same_bits(found, array[..., channel].transpose())


def test_one_channel_of_one_frame(tmp_path):
    array = numbers((6, 5, 3, 2, 3), "i2")
    saved(tmp_path / "a.nii.gz", array)
    found, _ = seen_by_meander(tmp_path / "a.nii.gz", tmp_path, "frame=1", "channel=2")
    assert_same_bits(found, array[:, :, :, 1, 2].transpose())


def rewritten(path, change, kind=nib.Nifti1Image, endian="<"):
    """The header's bytes changed where nibabel would have put them right."""
    bytes_ = path.read_bytes()
    length = kind.header_class.sizeof_hdr
    header = kind.header_class(bytes_[:length], endian)
    change(header)
    path.write_bytes(header.binaryblock + bytes_[length:])
    return nib.load(path)


def stored_with(path, array, slope, inter, kind=nib.Nifti1Image, endian="<"):
    """Numbers as they are under a slope that nibabel would have divided them by."""
    def change(header):
        header["scl_slope"], header["scl_inter"] = slope, inter

    saved(path, array, None, kind, endian)
    return rewritten(path, change, kind, endian)


@pytest.mark.parametrize("code", ARRIVES)
@pytest.mark.parametrize("slope, inter", [(0.1, 0), (1, -1024.5), (-2.75, 3e-5), (1e-30, 1e30), (3.4e38, 0)])
@pytest.mark.parametrize("kind, endian", [(nib.Nifti1Image, "<"), (nib.Nifti1Image, ">"), (nib.Nifti2Image, "<")])
def test_scaling_is_that_of_nibabel_to_the_bit(tmp_path, code, slope, inter, kind, endian):
    array = numbers((9, 5, 4), code)
    if code[0] == "f":
        array.ravel()[:6] = [np.nan, -0.0, 0.0, np.inf, -np.inf, np.finfo(code).tiny / 8]
        array.ravel()[6] = -np.nan
    with np.errstate(all="ignore"):
        image = stored_with(tmp_path / "a.nii", array, slope, inter, kind, endian)
        assert image.dataobj.slope == np.dtype("f4" if kind == nib.Nifti1Image else "f8").type(slope)
        arrives = "f8" if ARRIVES[code] == "f8" else "f4"
        expected = image.get_fdata().astype(arrives)
    found, description = seen_by_meander(tmp_path / "a.nii", tmp_path)
    assert_same_bits(found, as_meander(expected))
    assert description["type"] == NAMES[arrives]


@pytest.mark.parametrize("code", ["u1", "f4"])
@pytest.mark.parametrize("slope, inter", [(0, 5), (np.nan, np.nan), (np.inf, 0), (1, 0)])
def test_no_scaling(tmp_path, code, slope, inter):
    array = numbers((9, 5, 4), code)
    if code == "f4":
        array.ravel()[:3] = [np.nan, -0.0, np.inf]
    image = stored_with(tmp_path / "a.nii", array, slope, inter)
    found, _ = seen_by_meander(tmp_path / "a.nii", tmp_path)
    assert_same_bits(found, as_meander(np.asanyarray(image.dataobj)))


@pytest.mark.parametrize("forms", ["sform", "qform", "both", "none"])
@pytest.mark.parametrize("name", AFFINES)
@pytest.mark.parametrize("kind, endian", [(nib.Nifti1Image, "<"), (nib.Nifti1Image, ">"), (nib.Nifti2Image, "<")])
def test_placement(tmp_path, name, forms, kind, endian):
    affine = AFFINES[name]

    def change(header):
        header.set_sform(affine, 4 if forms in ("sform", "both") else 0)
        header.set_qform(affine, 1 if forms in ("qform", "both") else 0)

    image = saved(tmp_path / "a.nii", numbers((7, 5, 3), "u1"), None, kind, endian, change)
    found = bridge("describe", tmp_path / "a.nii")
    if forms == "none":
        assert found["placement"] is None
        return
    assert found["placement"]["axes"] == "ras"
    assert found["placement"]["from"] == ("scanner" if forms == "qform" else "mni152")
    if forms == "qform":
        np.testing.assert_allclose(affine_of(found), image.affine, rtol=0, atol=1e-15)
    else:
        np.testing.assert_array_equal(affine_of(found), image.affine)


@pytest.mark.parametrize("code, name", enumerate(["scanner", "aligned", "talairach", "mni152", "other"], 1))
def test_codes(tmp_path, code, name):
    def change(header):
        header["sform_code"] = code
        header["srow_x"], header["srow_y"], header["srow_z"] = np.eye(4)[:3]

    saved(tmp_path / "a.nii", numbers((7, 5, 3), "u1"), None, change=change)
    assert bridge("describe", tmp_path / "a.nii")["placement"]["from"] == name
    bridge(tmp_path / "a.nii", tmp_path / "b.nii")
    assert nib.load(tmp_path / "b.nii").header["sform_code"] == code


@pytest.mark.parametrize("kind", [nib.Nifti1Image, nib.Nifti2Image])
@pytest.mark.parametrize("space, unit", [("meter", "m"), ("mm", "mm"), ("micron", "um"), ("unknown", "px")])
def test_units(tmp_path, kind, space, unit):
    for time, seconds in [("sec", 2.2), ("msec", 2.2e-3), ("usec", 2.2e-6), ("unknown", 0), ("hz", 0)]:
        def change(header):
            header.set_xyzt_units(space, time)
            header.set_zooms((0.1, 0.2, 0.3, 2.2))

        saved(tmp_path / "a.nii", numbers((7, 5, 3, 4), "u1"), None, kind, change=change)
        found = bridge("describe", tmp_path / "a.nii")
        assert found["unit"] == unit
        assert found["spacing"] == [0.1, 0.2, 0.3]
        assert found["seconds"] == pytest.approx(seconds, rel=1e-15)


def test_what_is_placed_without_a_unit_is_in_millimetres(tmp_path):
    saved(tmp_path / "a.nii", numbers((7, 5, 3), "u1"), np.diag([0.5, 2, 3, 1]))
    assert nib.load(tmp_path / "a.nii").header.get_xyzt_units()[0] == "unknown"
    assert bridge("describe", tmp_path / "a.nii")["unit"] == "mm"


def test_a_singular_sform_counts_for_nothing(tmp_path):
    def change(header):
        header["sform_code"] = 1
        header["srow_x"] = header["srow_y"] = header["srow_z"] = 0
        header["qform_code"] = code

    for code in (0, 1):
        saved(tmp_path / "a.nii", numbers((7, 5, 3), "u1"), None, change=change)
        assert (bridge("describe", tmp_path / "a.nii")["placement"] is None) == (code == 0)


def test_pixdim_that_makes_no_sense(tmp_path):
    def change(header):
        header["pixdim"][1:4] = [0, -2, np.nan]

    saved(tmp_path / "a.nii", numbers((7, 5, 3), "u1"), None, change=change)
    assert bridge("describe", tmp_path / "a.nii")["spacing"] == [1, 2, 1]


def test_axes_beyond_the_last_may_say_anything(tmp_path):
    def change(header):
        header["dim"][4:] = [0, -3, 9, 0]

    array = numbers((7, 5, 3), "u1")
    saved(tmp_path / "a.nii", array)
    rewritten(tmp_path / "a.nii", change)
    assert_same_bits(seen_by_meander(tmp_path / "a.nii", tmp_path)[0], as_meander(array))


def test_extensions_are_passed_over(tmp_path):
    array = numbers((7, 5, 3), "u2")
    image = nib.Nifti1Image(array, None)
    image.header.extensions.append(nib.nifti1.Nifti1Extension("comment", b"a remark" * 30))
    nib.save(image, tmp_path / "a.nii.gz")
    assert nib.load(tmp_path / "a.nii.gz").dataobj.offset > 352
    assert_same_bits(seen_by_meander(tmp_path / "a.nii.gz", tmp_path)[0], as_meander(array))


# What we wrote


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("code", WRITTEN)
@pytest.mark.parametrize("shape", [(43, 59), (3, 43, 59), (2, 5, 7, 3), (1, 5, 7, 2)])
def test_nibabel_reads_what_we_write(tmp_path, code, shape, suffix):
    array = numbers(shape, code)
    np.save(tmp_path / "a.npy", array)
    bridge(tmp_path / "a.npy", tmp_path / f"b{suffix}", "0.1,0.2,0.7,mm")
    image = nib.load(tmp_path / f"b{suffix}")
    assert image.get_data_dtype() == np.dtype(code)
    found = np.asanyarray(image.dataobj)
    assert found.ndim == (5 if len(shape) == 4 else len(shape))
    assert_same_bits(as_meander(found), array if shape[0] > 1 else array[0])
    assert image.header.get_zooms()[:len(shape)][:3] == tuple(np.float32([0.1, 0.2, 0.7][:min(len(shape), 3)]))
    assert image.header.get_xyzt_units() == ("mm", "unknown")
    assert image.header["sform_code"] == 0 and image.header["qform_code"] == 0
    assert image.header["intent_code"] == (1007 if len(shape) == 4 else 0)
    assert image.dataobj.slope == 1 and image.dataobj.inter == 0


@pytest.mark.parametrize("unit, name, factor", [("px", "unknown", 1), ("nm", "micron", 1e-3), ("um", "micron", 1),
                                                ("mm", "mm", 1), ("cm", "mm", 10), ("m", "meter", 1)])
def test_units_that_we_write(tmp_path, unit, name, factor):
    np.save(tmp_path / "a.npy", numbers((3, 5, 7), "u1"))
    bridge(tmp_path / "a.npy", tmp_path / "b.nii", f"0.5,0.25,2,{unit}")
    header = nib.load(tmp_path / "b.nii").header
    assert header.get_xyzt_units()[0] == name
    np.testing.assert_array_equal(header.get_zooms(), np.float32(np.array([0.5, 0.25, 2]) * factor))


@pytest.mark.parametrize("name", AFFINES)
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("form", ["sform", "qform"])
def test_placement_that_we_write(tmp_path, name, suffix, form):
    def change(header):
        header.set_xyzt_units("mm")
        header.set_qform(AFFINES[name], 3 if form == "qform" else 0)
        header.set_sform(AFFINES[name], 3 if form == "sform" else 0)

    source = saved(tmp_path / "a.nii", numbers((7, 5, 3), "i2"), None, change=change)
    bridge(tmp_path / "a.nii", tmp_path / f"b{suffix}")
    image = nib.load(tmp_path / f"b{suffix}")
    if form == "sform":
        np.testing.assert_array_equal(image.affine, source.affine)
    else:
        np.testing.assert_array_equal(image.affine.astype("f4"), source.affine.astype("f4"))
    assert image.header["sform_code"] == 3
    assert image.header.get_zooms() == source.header.get_zooms()
    if name == "sheared" and form == "sform":
        assert image.header["qform_code"] == 0
        return
    assert image.header["qform_code"] == 3
    np.testing.assert_allclose(image.get_qform(), image.affine, rtol=0, atol=2e-5)


def test_spacing_that_is_not_what_the_steps_measure_has_no_qform(tmp_path):
    def change(header):
        header.set_sform(ROTATED, 1)
        header["pixdim"][1:4] = [1, 1, 1]

    source = saved(tmp_path / "a.nii", numbers((7, 5, 3), "i2"), None, change=change)
    bridge(tmp_path / "a.nii", tmp_path / "b.nii")
    image = nib.load(tmp_path / "b.nii")
    np.testing.assert_array_equal(image.affine, source.affine)
    assert image.header["qform_code"] == 0
    assert image.header.get_zooms() == (1, 1, 1)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("shape", [(7, 5, 3, 4), (7, 5, 1, 4), (7, 5, 3, 4, 2)])
def test_films_that_we_write(tmp_path, suffix, shape):
    def change(header):
        header.set_xyzt_units("mm", "msec")
        header["pixdim"][4] = 2500

    array = numbers(shape, "f4")
    saved(tmp_path / "a.nii.gz", array, ROTATED, change=change)
    assert bridge(tmp_path / "a.nii.gz", tmp_path / f"b{suffix}")["frames"] == 4
    image = nib.load(tmp_path / f"b{suffix}")
    assert_same_bits(np.asanyarray(image.dataobj).copy("F").reshape(-1, order="F"), array.reshape(-1, order="F"))
    assert image.shape == shape
    assert image.header.get_zooms()[3] == 2.5
    assert image.header.get_xyzt_units() == ("mm", "sec")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("shape", [(2, 32768), (32768, 2), (32767, 2)])
def test_long_axes_are_written_as_version_2(tmp_path, suffix, shape):
    array = numbers(shape, "u2")
    np.save(tmp_path / "a.npy", array)
    bridge(tmp_path / "a.npy", tmp_path / f"b{suffix}", "0.1,0.2,0.7,um")
    image = nib.load(tmp_path / f"b{suffix}")
    assert image.header["sizeof_hdr"] == (540 if max(shape) > 32767 else 348)
    assert_same_bits(np.asanyarray(image.dataobj).transpose().copy(), array)
    if max(shape) > 32767:
        assert image.header.get_zooms() == (0.1, 0.2)
    assert_same_bits(seen_by_meander(tmp_path / f"b{suffix}", tmp_path)[0], array)


def test_placement_in_version_2(tmp_path):
    array = numbers((32768, 1, 2), "u1")
    source = saved(tmp_path / "a.nii", array, ROTATED, nib.Nifti2Image)
    bridge(tmp_path / "a.nii", tmp_path / "b.nii")
    image = nib.load(tmp_path / "b.nii")
    assert isinstance(image, nib.Nifti2Image)
    np.testing.assert_array_equal(image.get_sform(), source.affine)
    np.testing.assert_allclose(image.get_qform(), source.affine, rtol=0, atol=1e-14)


def test_quaternions(tmp_path):
    """Quaternions in every octant, those near half turns too, where the first part nearly vanishes."""
    random = np.random.default_rng(3)
    for _ in range(40):
        quaternion = random.standard_normal(4) * random.choice([1e-4, 1, 100], 4)
        rotation = nib.quaternions.quat2mat(quaternion / np.linalg.norm(quaternion))
        affine = nib.affines.from_matvec(rotation @ np.diag([0.5, 2, -1.5]), [1, 2, 3])
        saved(tmp_path / "a.nii", numbers((2, 2, 2), "u1"), affine)
        bridge(tmp_path / "a.nii", tmp_path / "b.nii")
        header = nib.load(tmp_path / "b.nii").header
        assert header["qform_code"] == 2
        # nibabel takes a first part below 6e-4 for none, because floats cannot tell.
        np.testing.assert_allclose(header.get_qform(), affine, rtol=0, atol=4e-3)
        expected = nib.Nifti1Image(np.zeros((2, 2, 2), "u1"), affine).header
        expected.set_qform(affine, 2)
        np.testing.assert_allclose(np.abs(header.get_qform_quaternion().astype("f8")),
                                   np.abs(expected.get_qform_quaternion().astype("f8")), rtol=0, atol=7e-4)
