# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Channels, slices and frames of ImageJ and OME: tifffile's files must open, and it must read ours.
Films in other formats.

Run by pytest; MEANDER_BRIDGE names the program that copies one file to another with Meander.
"""

import os
import subprocess

import numpy as np
import pytest
import tifffile
from PIL import Image

from interop import BRIDGE, NAMES, assert_same, convert, numbers, seen_by_meander

LENGTHS = {"T": 3, "Z": 4, "C": 2, "Y": 23, "X": 31, "S": 3}
AXES = ["TZCYX", "ZCYX", "TCYX", "TZYX", "TYX", "CYX", "ZYX"]


def stack(axes, code):
    return numbers(tuple(LENGTHS[axis] for axis in axes), code)


def as_npy(array, axes):
    """The array as Meander writes it: (t, z, y, x, c) for a film, otherwise without short axes."""
    for axis in "TZC":
        if axis not in axes:
            array, axes = array[np.newaxis], axis + axes
    array = array.transpose([axes.index(axis) for axis in "TZYXC"])
    if array.shape[0] > 1:
        return array
    array = array[0]
    array = array[..., 0] if array.shape[-1] == 1 else array
    return array[0] if array.shape[0] == 1 else array


def ome_metadata(axes, **more):
    metadata = {"axes": axes, "TimeIncrement": 0.125, "TimeIncrementUnit": "s", **more}
    for axis, step in zip("XYZ", (0.25, 0.5, 1.5)):
        metadata[f"PhysicalSize{axis}"] = step
        metadata[f"PhysicalSize{axis}Unit"] = "µm"
    return metadata


def assert_described(found, axes, code):
    assert found["frames"] == (LENGTHS["T"] if "T" in axes else 1)
    assert found["z"] == (LENGTHS["Z"] if "Z" in axes else 1)
    assert found["channels"] == (LENGTHS["C"] if "C" in axes else 1)
    assert (found["type"], found["unit"]) == (NAMES[code], "um")
    if "T" in axes:
        assert found["seconds"] == 0.125
    # ImageJ's resolution is a quotient of two 32-bit integers, which tifffile makes with denominators up to a million.
    assert found["spacing"][:2] == pytest.approx([0.25, 0.5], rel=1e-6)
    if "Z" in axes:
        assert found["spacing"][2] == 1.5


LAYOUTS = [{}, {"compression": "zlib"}, {"tile": (16, 16)}, {"byteorder": ">"},
           {"compression": "lzw", "tile": (16, 16), "byteorder": ">"}]


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("code", ["u1", "u2", "f4"])
def test_imagej(tmp_path, axes, code):
    array = stack(axes, code)
    tifffile.imwrite(tmp_path / "a.tif", array, imagej=True, resolution=(4, 2),
                     metadata={"axes": axes, "unit": "um", "spacing": 1.5, "finterval": 0.125})
    found, description = seen_by_meander(tmp_path / "a.tif", tmp_path)
    assert_described(description, axes, code)
    assert_same(found, as_npy(array, axes))


@pytest.mark.parametrize("axes", ["TZCYX", "TYX", "CYX", "ZYX"])
@pytest.mark.parametrize("layout", [{"byteorder": ">"}, {"byteorder": "<"},
                                    {"compression": "zlib"}])
def test_imagej_layouts(tmp_path, axes, layout):
    array = stack(axes, "u2")
    tifffile.imwrite(tmp_path / "a.tif", array, imagej=True, metadata={"axes": axes}, **layout)
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], as_npy(array, axes))


@pytest.mark.parametrize("axes", AXES)
def test_imagej_on_one_page(tmp_path, axes):
    """Beyond 4 GB ImageJ writes the directory of the first page only."""
    array = stack(axes, "f4")
    with tifffile.TiffWriter(tmp_path / "a.tif", imagej=True) as file:
        file.write(array, truncate=True, metadata={"axes": axes})
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        assert len(file.pages) == 1
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], as_npy(array, axes))


@pytest.mark.parametrize("axes", ["TYXS", "ZYXS", "TZYXS", "YXS"])
@pytest.mark.parametrize("kind", ["imagej", "ome"])
def test_colours(tmp_path, axes, kind):
    array = stack(axes, "u1")
    tifffile.imwrite(tmp_path / "a.ome.tif", array, photometric="rgb", metadata={"axes": axes},
                     **{kind: True})
    found, description = seen_by_meander(tmp_path / "a.ome.tif", tmp_path)
    assert description["channels"] == 3
    assert_same(found, as_npy(array, axes.replace("S", "C")))


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("code", ["u1", "u2", "f4"])
def test_ome(tmp_path, axes, code):
    array = stack(axes, code)
    tifffile.imwrite(tmp_path / "a.ome.tif", array, ome=True, photometric="minisblack",
                     metadata=ome_metadata(axes))
    found, description = seen_by_meander(tmp_path / "a.ome.tif", tmp_path)
    assert_described(description, axes, code)
    assert_same(found, as_npy(array, axes))


@pytest.mark.parametrize("axes", ["TZCYX", "TYX", "CYX", "ZCYX"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ome_layouts(tmp_path, axes, layout):
    array = stack(axes, "u2")
    tifffile.imwrite(tmp_path / "a.ome.tif", array, ome=True, photometric="minisblack",
                     metadata=ome_metadata(axes), **layout)
    assert_same(seen_by_meander(tmp_path / "a.ome.tif", tmp_path)[0], as_npy(array, axes))


@pytest.mark.parametrize("axes", ["TZCYX", "TCZYX", "ZTCYX", "ZCTYX", "CTZYX", "CZTYX"])
def test_ome_dimension_orders(tmp_path, axes):
    array = stack(axes, "u2")
    tifffile.imwrite(tmp_path / "a.ome.tif", array, ome=True, photometric="minisblack",
                     metadata={"axes": axes})
    assert_same(seen_by_meander(tmp_path / "a.ome.tif", tmp_path)[0], as_npy(array, axes))


def test_ome_samples_times_pages(tmp_path):
    array = stack("ZCYXS", "u1")
    tifffile.imwrite(tmp_path / "a.ome.tif", array, ome=True, photometric="rgb",
                     metadata={"axes": "ZCYXS"})
    found, description = seen_by_meander(tmp_path / "a.ome.tif", tmp_path)
    assert description["channels"] == 6
    assert_same(found, array.transpose(0, 2, 3, 1, 4).reshape(4, 23, 31, 6))


@pytest.mark.parametrize("unit,seconds", [("ms", 0.04), ("min", 2400), ("h", 144000), ("s", 40),
                                          ("µs", 4e-5)])
def test_ome_units_of_time(tmp_path, unit, seconds):
    tifffile.imwrite(tmp_path / "a.ome.tif", stack("TYX", "u1"), ome=True, metadata={
        "axes": "TYX", "TimeIncrement": 40, "TimeIncrementUnit": unit})
    found = convert(tmp_path / "a.ome.tif", tmp_path / "b.npy", "frame=0")
    assert found["seconds"] == pytest.approx(seconds, rel=1e-15)


def test_ome_reads_the_first_of_several_images(tmp_path):
    first, second = stack("TZYX", "u2"), numbers((5, 7), "u1")
    with tifffile.TiffWriter(tmp_path / "a.ome.tif", ome=True) as file:
        file.write(first, photometric="minisblack", metadata={"axes": "TZYX"})
        file.write(second, photometric="minisblack", metadata={"axes": "YX"})
    assert_same(seen_by_meander(tmp_path / "a.ome.tif", tmp_path)[0], as_npy(first, "TZYX"))


@pytest.mark.parametrize("kind", ["imagej", "ome"])
def test_one_channel_of_one_frame(tmp_path, kind):
    array = stack("TZCYX", "u2")
    tifffile.imwrite(tmp_path / "a.ome.tif", array, photometric="minisblack",
                     metadata={"axes": "TZCYX"}, **{kind: True})
    convert(tmp_path / "a.ome.tif", tmp_path / "b.npy", "frame=2", "channel=1")
    assert_same(np.load(tmp_path / "b.npy"), array[2, :, 1])


def test_a_film_gives_no_frame_by_accident(tmp_path):
    tifffile.imwrite(tmp_path / "a.tif", stack("TYX", "u1"), imagej=True,
                     metadata={"axes": "TYX"})
    done = subprocess.run([BRIDGE, tmp_path / "a.tif", tmp_path / "b.npy", "frame=3"],
                          capture_output=True, text=True)
    assert done.returncode == 1
    assert "found frame 3 of a film of 3, expected 0 to 2" in done.stderr


@pytest.mark.parametrize("code,arrives", [("i1", "i2"), ("u4", "f8"), ("i4", "f8")])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axes", ["TZCYX", "CYX", "YXS"])
def test_integers_that_images_do_not_have(tmp_path, code, arrives, layout, axes):
    array = stack(axes, code)
    tifffile.imwrite(tmp_path / "a.ome.tif", array, ome=True, metadata={"axes": axes}, **layout,
                     photometric="rgb" if "S" in axes else "minisblack")
    found, description = seen_by_meander(tmp_path / "a.ome.tif", tmp_path)
    assert description["type"] == NAMES[arrives]
    assert_same(found, as_npy(array, axes.replace("S", "C")).astype(arrives))
    if axes != "YXS":
        return
    large = numbers((1500, 1200), code)
    tifffile.imwrite(tmp_path / "b.tif", large, **layout)
    assert_same(seen_by_meander(tmp_path / "b.tif", tmp_path)[0], large.astype(arrives))


# What we write


def time_of(file):
    if file.is_imagej:
        return file.imagej_metadata["finterval"]
    pixels = tifffile.xml2dict(file.ome_metadata)["OME"]["Image"]["Pixels"]
    assert pixels["TimeIncrementUnit"] == "s"
    return pixels["TimeIncrement"]


def spacing_of(file):
    if file.is_imagej:
        top, bottom = file.pages[0].tags["XResolution"].value
        assert file.imagej_metadata["unit"] == "um"
        return bottom / top, file.imagej_metadata["spacing"]
    pixels = tifffile.xml2dict(file.ome_metadata)["OME"]["Image"]["Pixels"]
    assert pixels["PhysicalSizeXUnit"] == "µm"
    return pixels["PhysicalSizeX"], pixels["PhysicalSizeZ"]


@pytest.mark.parametrize("axes", ["TZCYX", "ZCYX", "TCYX", "TZYX", "TYX", "ZYX"])
@pytest.mark.parametrize("code", ["u1", "u2", "f4"])
@pytest.mark.parametrize("suffix", [".tif", ".ome.tif"])
def test_tifffile_reads_what_we_write(tmp_path, axes, code, suffix):
    array = stack(axes, code)
    np.save(tmp_path / "a.npy", as_npy(array, axes))
    convert(tmp_path / "a.npy", tmp_path / f"b{suffix}", "0.25,0.5,1.5,um", "seconds=0.04")
    with tifffile.TiffFile(tmp_path / f"b{suffix}") as file:
        assert file.is_imagej == (suffix == ".tif")
        assert file.is_ome == (suffix == ".ome.tif")
        assert file.series[0].axes == axes
        assert_same(file.asarray(), array)
        assert time_of(file) == 0.04
        assert spacing_of(file) == (0.25, 1.5)
        if file.is_imagej:
            counts = {"T": "frames", "Z": "slices", "C": "channels"}
            for axis, key in counts.items():
                assert file.imagej_metadata.get(key, 1) == (LENGTHS[axis] if axis in axes else 1)
            assert file.imagej_metadata["images"] == len(file.pages)
            assert file.imagej_metadata.get("hyperstack", False) == (axes != "ZYX")
    again = convert(tmp_path / f"b{suffix}", tmp_path / "c.npy")
    assert_same(np.load(tmp_path / "c.npy"), as_npy(array, axes))
    assert (again["spacing"], again["unit"], again["seconds"]) == ([0.25, 0.5, 1.5], "um", 0.04)


@pytest.mark.parametrize("axes", ["TYXS", "ZYXS", "TZYXS"])
@pytest.mark.parametrize("code", ["u1", "u2"])
@pytest.mark.parametrize("suffix", [".tif", ".ome.tif"])
def test_tifffile_reads_our_colours(tmp_path, axes, code, suffix):
    array = stack(axes, code)
    np.save(tmp_path / "a.npy", as_npy(array, axes.replace("S", "C")))
    convert(tmp_path / "a.npy", tmp_path / f"b{suffix}")
    with tifffile.TiffFile(tmp_path / f"b{suffix}") as file:
        assert file.series[0].axes == axes
        assert file.pages[0].photometric == tifffile.PHOTOMETRIC.RGB
        assert_same(file.asarray(), array)


# Films in other formats


@pytest.mark.parametrize("shape", [(2, 1, 11, 7, 1), (3, 4, 11, 7, 1), (2, 1, 11, 7, 3),
                                   (2, 3, 11, 7, 2)])
def test_npy_films(tmp_path, shape):
    array = numbers(shape, "f4")
    np.save(tmp_path / "a.npy", array)
    found, description = seen_by_meander(tmp_path / "a.npy", tmp_path)
    assert description["frames"] == shape[0]
    assert_same(found, array)


@pytest.mark.skipif(os.environ.get("MEANDER_HAS_GIF") != "1", reason="this build has no GIF")
@pytest.mark.parametrize("seconds,shown", [(0.04, 40), (2.5, 2500), (0.001, 20), (1e9, 655350),
                                           (0, 100)])
def test_gif_films_have_their_own_pace(tmp_path, seconds, shown):
    array = numbers((3, 1, 43, 59, 1), "u1")
    np.save(tmp_path / "a.npy", array)
    convert(tmp_path / "a.npy", tmp_path / "b.gif", f"seconds={seconds}")
    with Image.open(tmp_path / "b.gif") as picture:
        assert picture.n_frames == 3
        for index in range(3):
            picture.seek(index)
            assert picture.info["duration"] == shown
            assert_same(np.asarray(picture.convert("L")), array[index, 0, :, :, 0])
