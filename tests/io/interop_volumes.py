# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""NRRD and MetaImage that pynrrd and SimpleITK write must open, and they must read ours.

Run by pytest; MEANDER_BRIDGE names the program that copies one file to another with Meander.
"""

import gzip
import json
import subprocess

import nrrd
import numpy as np
import pytest
import SimpleITK as sitk
from interop import BRIDGE, NAMES, assert_same, convert, numbers, seen_by_meander

TYPES = ["u1", "u2", "i2", "f4", "f8"]
# What arrives in a type that holds every value.
WIDER = {"i1": "i2", "i4": "f8", "u4": "f8", "i8": "f8", "u8": "f8"}
SUFFIXES = [".nrrd", ".nhdr", ".mha", ".mhd"]
# A permutation with a mirror image, and a turn about a skew axis.
TURNED = np.array([[0, 0, -1], [1, 0, 0], [0, 1, 0.0]])
AXIS = np.array([1, 2, 2]) / 3
CROSS = np.array([[0, -AXIS[2], AXIS[1]], [AXIS[2], 0, -AXIS[0]], [-AXIS[1], AXIS[0], 0]])
OBLIQUE = np.eye(3) + np.sin(0.3) * CROSS + (1 - np.cos(0.3)) * CROSS @ CROSS


def values(shape, code):
    """Numbers that f64 holds exactly."""
    array = numbers(shape, code)
    return array // 4096 if code in ("i8", "u8") else array


def described(path):
    done = subprocess.run([BRIDGE, "describe", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def itk_image(array, vector=False, direction=None):
    image = sitk.GetImageFromArray(array, isVector=vector)
    axes = image.GetDimension()
    image.SetSpacing((0.3, 1 / 3, 2.5, 0.5)[:axes])
    image.SetOrigin((10.1, -20.7, 30.3, 0)[:axes])
    if direction is None:
        direction = TURNED if axes == 3 else np.array([[0, -1], [1, 0.0]])
    if axes < 4:
        image.SetDirection(direction.ravel())
    return image


def assert_same_image(found, expected, exactly=True):
    assert found.GetSize() == expected.GetSize()
    assert found.GetNumberOfComponentsPerPixel() == expected.GetNumberOfComponentsPerPixel()
    assert_same(sitk.GetArrayFromImage(found), sitk.GetArrayFromImage(expected))
    tolerance = 0 if exactly else 1e-15
    for place in ("GetSpacing", "GetOrigin", "GetDirection"):
        np.testing.assert_allclose(getattr(found, place)(), getattr(expected, place)(),
                                   rtol=tolerance, atol=tolerance)


def assert_placed_as(description, image, exactly=True):
    """Steps are the columns of ITK's direction times its spacing."""
    axes = image.GetDimension()
    spacing = np.array(image.GetSpacing())
    steps = (np.array(image.GetDirection()).reshape(axes, axes) * spacing).T
    place = description["placement"]
    tolerance = 0 if exactly else 1e-15
    np.testing.assert_allclose(description["spacing"][:axes], spacing, rtol=tolerance)
    np.testing.assert_allclose(place["origin"][:axes], image.GetOrigin(), rtol=0)
    np.testing.assert_allclose(np.array(place["step"])[:axes, :axes], steps, rtol=tolerance,
                               atol=tolerance)
    assert place["axes"] == ("lps" if axes == 3 else "unnamed")


# Files of SimpleITK


@pytest.mark.parametrize("code", TYPES + list(WIDER))
@pytest.mark.parametrize("shape", [(43, 59), (5, 43, 59)])
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("compress", [False, True])
def test_files_of_itk(tmp_path, code, shape, suffix, compress):
    array = values(shape, code)
    image = itk_image(array)
    sitk.WriteImage(image, tmp_path / f"a{suffix}", useCompression=compress)
    found, description = seen_by_meander(tmp_path / f"a{suffix}", tmp_path)
    assert_same(found, array.astype(WIDER.get(code, code)))
    assert description["type"] == NAMES[WIDER.get(code, code)]
    assert_placed_as(description, image)
    no_unit = len(shape) == 2 and suffix in (".nrrd", ".nhdr")
    assert description["unit"] == ("px" if no_unit else "mm")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_oblique_files_of_itk(tmp_path, suffix):
    image = itk_image(numbers((5, 7, 9), "i2"), direction=OBLIQUE)
    sitk.WriteImage(image, tmp_path / f"a{suffix}")
    written = sitk.ReadImage(tmp_path / f"a{suffix}")  # its digits may be fewer than ours
    assert_placed_as(described(tmp_path / f"a{suffix}"), written, exactly=False)


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("shape", [(43, 59, 2), (5, 43, 59, 3)])
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("compress", [False, True])
def test_vectors_of_itk(tmp_path, code, shape, suffix, compress):
    array = numbers(shape, code)
    image = itk_image(array, vector=True)
    sitk.WriteImage(image, tmp_path / f"a{suffix}", useCompression=compress)
    found, description = seen_by_meander(tmp_path / f"a{suffix}", tmp_path)
    assert description["channels"] == shape[-1]
    assert_same(found, array)
    assert_placed_as(description, image)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("compress", [False, True])
def test_films_of_itk(tmp_path, suffix, compress):
    array = numbers((4, 3, 11, 7), "u2")
    sitk.WriteImage(itk_image(array), tmp_path / f"a{suffix}", useCompression=compress)
    description = described(tmp_path / f"a{suffix}")
    assert (description["frames"], description["z"]) == (4, 3)
    assert description["seconds"] == (0.5 if suffix in (".mha", ".mhd") else 0)
    for frame in (2, 0):
        convert(tmp_path / f"a{suffix}", tmp_path / "b.npy", f"frame={frame}")
        assert_same(np.load(tmp_path / "b.npy"), array[frame])


# Files that SimpleITK reads


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("shape", [(43, 59), (1, 43, 59), (5, 43, 59)])
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("compress", [[], ["compress"]])
def test_files_are_read_by_itk(tmp_path, code, shape, suffix, compress):
    image = itk_image(numbers(shape, code))
    for source in (".mha", ".nrrd"):
        sitk.WriteImage(image, tmp_path / f"a{source}")
        convert(tmp_path / f"a{source}", tmp_path / f"b{suffix}", *compress)
        assert_same_image(sitk.ReadImage(tmp_path / f"b{suffix}"), image)


@pytest.mark.parametrize("code", ["u1", "f4"])
@pytest.mark.parametrize("shape", [(43, 59, 2), (5, 43, 59, 3)])
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("compress", [[], ["compress"]])
def test_vectors_are_read_by_itk(tmp_path, code, shape, suffix, compress):
    image = itk_image(numbers(shape, code), vector=True)
    sitk.WriteImage(image, tmp_path / "a.mha")
    convert(tmp_path / "a.mha", tmp_path / f"b{suffix}", *compress)
    assert_same_image(sitk.ReadImage(tmp_path / f"b{suffix}"), image)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_oblique_files_are_read_by_itk(tmp_path, suffix):
    image = itk_image(numbers((5, 7, 9), "i2"), direction=OBLIQUE)
    sitk.WriteImage(image, tmp_path / "a.nrrd")
    convert(tmp_path / "a.nrrd", tmp_path / f"b{suffix}")
    assert_same_image(sitk.ReadImage(tmp_path / f"b{suffix}"), image, exactly=False)


@pytest.mark.parametrize("suffix", [".nrrd", ".mha"])
def test_films_are_read_by_itk(tmp_path, suffix):
    """Without a placement: ITK refuses an NRRD with more axes than its world has."""
    array = numbers((4, 3, 11, 7), "u2")
    nrrd.write(str(tmp_path / "a.nrrd"), array, {"kinds": ["domain"] * 3 + ["time"]},
               index_order="C")
    convert(tmp_path / "a.nrrd", tmp_path / f"b{suffix}")
    assert_same(sitk.GetArrayFromImage(sitk.ReadImage(tmp_path / f"b{suffix}")), array)


@pytest.mark.parametrize("signs", [(1, 1, 1), (-1, 1, 1), (1, -1, -1)])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)])
def test_the_orientation_is_named_as_by_itk(tmp_path, signs, order):
    direction = np.zeros((3, 3))
    direction[order, (0, 1, 2)] = signs
    sitk.WriteImage(itk_image(numbers((2, 2, 2), "u1"), direction=direction), tmp_path / "a.mha")
    convert(tmp_path / "a.mha", tmp_path / "b.mha")
    named = [[line for line in (tmp_path / name).read_bytes().split(b"\n")
              if line.startswith(b"AnatomicalOrientation")] for name in ("a.mha", "b.mha")]
    assert len(named[0]) == 1 and named[0] == named[1]


@pytest.mark.parametrize("space", ["right-anterior-superior", "left-anterior-superior"])
def test_the_world_of_an_nrrd_is_the_same_for_itk(tmp_path, space):
    header = {"space": space, "space directions": TURNED * [[0.5], [0.25], [2]],
              "space origin": [1, 2, 3]}
    nrrd.write(str(tmp_path / "a.nrrd"), numbers((4, 5, 6), "u1"), header)
    for suffix in SUFFIXES:
        description = convert(tmp_path / "a.nrrd", tmp_path / f"b_{suffix[1:]}{suffix}")
        assert description["placement"]["axes"] == {"r": "ras", "l": "las"}[space[0]]
    # ITK mirrors ras to lps but knows no las.
    if space[0] == "r":
        image = sitk.ReadImage(tmp_path / "a.nrrd")
        for suffix in SUFFIXES:
            assert_same_image(sitk.ReadImage(tmp_path / f"b_{suffix[1:]}{suffix}"), image)
    else:
        assert sitk.ReadImage(tmp_path / "b_mha.mha").GetOrigin() == (1, -2, 3)


# MetaImage by hand, where SimpleITK is asked what it means


def meta_image(path, fields, array):
    header = {"ObjectType": "Image", "NDims": array.ndim,
              "DimSize": " ".join(map(str, array.shape[::-1])), **fields, "ElementDataFile": "LOCAL"}
    text = "".join(f"{key} = {value}\n" for key, value in header.items())
    path.write_bytes(text.encode() + array.tobytes())


MET = {"i1": "CHAR", "u1": "UCHAR", "i2": "SHORT", "u2": "USHORT", "i4": "INT", "u4": "UINT",
       "i8": "LONG_LONG", "u8": "ULONG_LONG", "f4": "FLOAT", "f8": "DOUBLE"}


@pytest.mark.parametrize("code", MET)
@pytest.mark.parametrize("key", ["BinaryDataByteOrderMSB", "ElementByteOrderMSB"])
def test_big_endian_meta_image(tmp_path, code, key):
    array = values((3, 5, 7), code)
    meta_image(tmp_path / "a.mha", {"ElementType": f"MET_{MET[code]}", key: "True"},
               array.astype(">" + code))
    found, _ = seen_by_meander(tmp_path / "a.mha", tmp_path)
    assert_same(found, array.astype(WIDER.get(code, code)))
    assert_same(sitk.GetArrayFromImage(sitk.ReadImage(tmp_path / "a.mha")), array)


@pytest.mark.parametrize("fields", [
    {"ElementSpacing": "0.5 0.25 2", "Offset": "1 2 3"},
    {"ElementSize": "0.5 0.25 2", "Position": "1 2 3"},
    {"ElementSpacing": "0.5 0.25 2", "ElementSize": "7 7 7", "Origin": "1 2 3"},
    {"ElementSpacing": "-0.5 0.25 2", "Offset": "1 2 3"},
    {"TransformMatrix": "1 2 3 4 5 6 7 8 10", "ElementSpacing": "1 2 3"},
    {"Orientation": "0 1 0 0 0 1 1 0 0", "ElementSpacing": "1 2 3", "CenterOfRotation": "5 6 7"},
    {"Rotation": "0 1 0 1 0 0 0 0 -1", "HeaderSize": "-1"}])
def test_fields_of_meta_image_mean_what_itk_takes_them_for(tmp_path, fields):
    array = numbers((3, 5, 7), "i2")
    meta_image(tmp_path / "a.mha", {"ElementType": "MET_SHORT", **fields}, array)
    found, description = seen_by_meander(tmp_path / "a.mha", tmp_path)
    assert_same(found, array)
    assert_placed_as(description, sitk.ReadImage(tmp_path / "a.mha"))


@pytest.mark.parametrize("name, code", [("MET_LONG", "i4"), ("MET_ULONG", "u4")])
def test_long_numbers_of_meta_image_have_four_bytes(tmp_path, name, code):
    array = numbers((3, 5, 7), code)
    meta_image(tmp_path / "a.mha", {"ElementType": name}, array)
    assert_same(seen_by_meander(tmp_path / "a.mha", tmp_path)[0], array.astype("f8"))
    assert_same(sitk.GetArrayFromImage(sitk.ReadImage(tmp_path / "a.mha")), array)


# Files of pynrrd, whose arrays are (x, y, z) unless asked for C order


@pytest.mark.parametrize("code", TYPES + list(WIDER))
@pytest.mark.parametrize("endian", ["little", "big"])
@pytest.mark.parametrize("encoding", ["raw", "gzip"])
@pytest.mark.parametrize("detached", [False, True])
def test_files_of_pynrrd(tmp_path, code, endian, encoding, detached):
    array = values((3, 11, 7), code)
    path = tmp_path / ("a.nhdr" if detached else "a.nrrd")
    header = {"endian": endian, "encoding": encoding, "spacings": [0.3, 1 / 3, 2.5],
              "units": ["um"] * 3, "note": "a key of one's own"}
    nrrd.write(str(path), array.astype({"little": "<", "big": ">"}[endian] + code), header,
               index_order="C")
    found, description = seen_by_meander(path, tmp_path)
    assert_same(found, array.astype(WIDER.get(code, code)))
    assert description["spacing"] == [0.3, 1 / 3, 2.5]
    assert description["unit"] == "um"
    assert description["placement"] is None


@pytest.mark.parametrize("encoding", ["ascii", "bzip2"])
def test_other_encodings_are_refused(tmp_path, encoding):
    nrrd.write(str(tmp_path / "a.nrrd"), numbers((5, 7), "u1"), {"encoding": encoding})
    done = subprocess.run([BRIDGE, "describe", tmp_path / "a.nrrd"], capture_output=True, text=True)
    assert done.returncode == 1
    assert f"found encoding '{encoding.lower()}', expected raw or gzip" in done.stderr


@pytest.mark.parametrize("centre", ["cell", "node", "???"])
def test_where_axes_start_is_the_same_for_itk(tmp_path, centre):
    header = {"spacings": [0.3, 0.25, 1.5], "axis mins": [1, 2, 3], "centerings": [centre] * 3}
    nrrd.write(str(tmp_path / "a.nrrd"), numbers((4, 5, 6), "u1"), header)
    image = sitk.ReadImage(tmp_path / "a.nrrd")
    description = described(tmp_path / "a.nrrd")
    assert description["placement"]["origin"] == list(image.GetOrigin())
    assert description["placement"]["step"] == np.diag([0.3, 0.25, 1.5]).tolist()
    convert(tmp_path / "a.nrrd", tmp_path / "b.nrrd")
    assert_same_image(sitk.ReadImage(tmp_path / "b.nrrd"), image)


@pytest.mark.parametrize("kinds, place", [
    (["vector", "domain", "domain", "domain"], 0), (["RGB-color", "space", "space", "space"], 0),
    (["domain", "domain", "domain", "list"], 3), (["domain", "domain", "vector", "domain"], 2)])
@pytest.mark.parametrize("encoding", ["raw", "gzip"])
def test_channels_of_pynrrd(tmp_path, kinds, place, encoding):
    array = numbers((7, 5, 3, 3), "u2")  # x, y, z, channels
    nrrd.write(str(tmp_path / "a.nrrd"), np.moveaxis(array, -1, place),
               {"kinds": kinds, "encoding": encoding})
    found, description = seen_by_meander(tmp_path / "a.nrrd", tmp_path)
    assert description["channels"] == 3
    assert_same(found, array.transpose(2, 1, 0, 3))


@pytest.mark.parametrize("place", [3, 4])
def test_films_of_pynrrd(tmp_path, place):
    array = numbers((7, 5, 3, 4), "f4")  # x, y, z, time
    kinds = ["domain"] * 3
    kinds.insert(place, "time")
    header = {"kinds": kinds, "spacings": [1, 1, 1, 250], "units": ["mm"] * 3 + ["ms"]}
    if place == 4:
        array = np.stack([array, array + 1], axis=-2)  # x, y, z, channels, time
        header = {"kinds": ["domain"] * 3 + ["vector", "time"],
                  "spacings": [1, 1, 1, np.nan, 250], "units": ["mm"] * 3 + ["", "ms"]}
    nrrd.write(str(tmp_path / "a.nrrd"), array, header)
    description = described(tmp_path / "a.nrrd")
    assert (description["frames"], description["seconds"]) == (4, 0.25)
    convert(tmp_path / "a.nrrd", tmp_path / "b.npy", "frame=3")
    frame = array[..., 3]
    assert_same(np.load(tmp_path / "b.npy"), np.moveaxis(frame, (0, 2), (2, 0)))


def test_numbers_behind_others(tmp_path):
    """Lines are skipped in the file, bytes in what a stream holds, as for ITK."""
    array = numbers((5, 7), "u2")
    for encoding, front, skip in [("raw", b"abc", 3), ("gzip", b"abc", 3), ("raw", b"abc", -1)]:
        data = front + array.tobytes()
        data = b"one\ntwo\n" + (gzip.compress(data) if encoding == "gzip" else data)
        (tmp_path / "a.raw").write_bytes(data)
        (tmp_path / "a.nhdr").write_text(
            f"NRRD0004\ntype: uint16\ndimension: 2\nsizes: 7 5\nendian: little\n"
            f"encoding: {encoding}\nline skip: 2\nbyte skip: {skip}\ndata file: a.raw\n")
        assert_same(seen_by_meander(tmp_path / "a.nhdr", tmp_path)[0], array)
        assert_same(sitk.GetArrayFromImage(sitk.ReadImage(tmp_path / "a.nhdr")), array)


# Files that pynrrd reads


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("shape", [(43, 59), (5, 43, 59), (5, 43, 59, 3)])
@pytest.mark.parametrize("suffix", [".nrrd", ".nhdr"])
@pytest.mark.parametrize("compress", [[], ["compress"]])
def test_files_are_read_by_pynrrd(tmp_path, code, shape, suffix, compress):
    array = numbers(shape, code)
    np.save(tmp_path / "a.npy", array)
    spacing = [0.3, 0.25, 1] if len(shape) == 2 else [0.3, 0.25, 1.5]
    convert(tmp_path / "a.npy", tmp_path / f"b{suffix}", ",".join(map(str, spacing)) + ",um",
            *compress)
    found, header = nrrd.read(str(tmp_path / f"b{suffix}"), index_order="C")
    assert_same(found, array)
    axes = min(len(shape), 3)
    np.testing.assert_array_equal(header["spacings"][-axes:], spacing[:axes])
    assert header["units"][-axes:] == ["um"] * axes
    assert header["encoding"] == ("gzip" if compress else "raw")


def test_films_are_read_by_pynrrd(tmp_path):
    array = numbers((7, 5, 3, 4), "f4")
    directions = np.vstack([OBLIQUE * 0.7, [np.nan] * 3])
    header = {"space": "scanner-xyz", "space directions": directions,
              "space origin": [0.1, 0.2, 0.3], "kinds": ["domain"] * 3 + ["time"],
              "spacings": [np.nan] * 3 + [0.5], "units": ["", "", "", "s"]}
    nrrd.write(str(tmp_path / "a.nrrd"), array, header)
    convert(tmp_path / "a.nrrd", tmp_path / "b.nrrd")
    found, back = nrrd.read(str(tmp_path / "b.nrrd"))
    assert_same(found, array)
    assert back["kinds"] == header["kinds"]
    assert back["space"] == "scanner-xyz"
    np.testing.assert_array_equal(back["space directions"], directions)
    np.testing.assert_array_equal(back["space origin"], header["space origin"])
    assert back["spacings"][3] == 0.5
