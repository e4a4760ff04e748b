# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Files that NumPy, tifffile, Pillow and OpenCV write must open, and they must read ours.

Run by pytest; MEANDER_BRIDGE names the program that copies one file to another with Meander.
"""

import json
import os
import struct
import subprocess
import zlib

import cv2
import numpy as np
import pytest
import tifffile
from PIL import Image

BRIDGE = os.environ["MEANDER_BRIDGE"]
TYPES = ["u1", "u2", "i2", "f2", "f4", "f8"]
NAMES = {"u1": "u8", "u2": "u16", "i2": "i16", "f2": "f16", "f4": "f32", "f8": "f64"}


def convert(source, target, *spacing):
    """What Meander says about `source`, after it has written it as `target`."""
    done = subprocess.run([BRIDGE, source, target, *spacing], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def seen_by_meander(path, tmp_path):
    """The pixels and the description of a file as Meander reads them."""
    found = convert(path, tmp_path / "seen.npy")
    return np.load(tmp_path / "seen.npy"), found


def numbers(shape, code):
    """Values that use every byte of a number."""
    random = np.random.default_rng(7)
    if code[0] == "f":
        return (random.standard_normal(shape) * 100).astype(code)
    limits = np.iinfo(code)
    return random.integers(limits.min, limits.max, shape, dtype=code, endpoint=True)


def assert_same(found, expected):
    assert found.shape == expected.shape
    assert found.dtype.newbyteorder("=") == expected.dtype.newbyteorder("=")
    np.testing.assert_array_equal(found, expected)


# NPY


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("shape", [(43, 59), (3, 43, 59), (2, 5, 7, 3)])
def test_npy_round_trip(tmp_path, code, shape):
    array = numbers(shape, code)
    np.save(tmp_path / "a.npy", array)
    found, description = seen_by_meander(tmp_path / "a.npy", tmp_path)
    assert_same(found, array)
    assert description["type"] == NAMES[code]


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("endian", ["<", ">"])
def test_npy_orders(tmp_path, code, order, endian):
    array = np.array(numbers((4, 11, 7), code), order=order).astype(endian + code)
    np.save(tmp_path / "a.npy", array)
    found, _ = seen_by_meander(tmp_path / "a.npy", tmp_path)
    assert_same(found, array)


@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_channels(tmp_path, order):
    array = np.array(numbers((11, 7, 4), "f4"), order=order)
    np.save(tmp_path / "channels.npy", array)
    found, description = seen_by_meander(tmp_path / "channels.npy", tmp_path)
    assert (description["x"], description["y"], description["channels"]) == (7, 11, 4)
    assert_same(found, array)


@pytest.mark.parametrize("code,arrives", [("i1", "i2"), ("u4", "f8"), ("i4", "f8"), ("i8", "f8"),
                                          ("u8", "f8")])
@pytest.mark.parametrize("endian", ["<", ">"])
def test_npy_integers_of_every_width(tmp_path, code, arrives, endian):
    """What images do not have arrives in what holds every value of it; 2^53 is the last such."""
    array = numbers((5, 11, 7), code)
    if code in ("i8", "u8"):
        array = (array >> 11 if code == "u8" else array >> 10).astype(code)
        array[0, 0, :2] = [2**53, 1]
    np.save(tmp_path / "a.npy", array.astype(endian + code))
    found, description = seen_by_meander(tmp_path / "a.npy", tmp_path)
    assert description["type"] == NAMES[arrives]
    assert_same(found, array.astype(arrives))
    assert (found.astype(code) == array).all()


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_versions(tmp_path, version):
    array = numbers((5, 6), "u2")
    with open(tmp_path / "a.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    assert_same(seen_by_meander(tmp_path / "a.npy", tmp_path)[0], array)


def test_npy_booleans_are_bytes(tmp_path):
    array = numbers((5, 6), "u1") > 100
    np.save(tmp_path / "a.npy", array)
    assert_same(seen_by_meander(tmp_path / "a.npy", tmp_path)[0], array.astype("u1"))


# TIFF that others wrote


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("byteorder", ["<", ">"])
@pytest.mark.parametrize("bigtiff", [False, True])
@pytest.mark.parametrize("tile", [None, (16, 32)])
def test_tiff_layouts(tmp_path, code, byteorder, bigtiff, tile):
    array = numbers((3, 43, 59), code)
    tifffile.imwrite(tmp_path / "a.tif", array, byteorder=byteorder, bigtiff=bigtiff, tile=tile,
                     photometric="minisblack")
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], array)


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("compression", ["lzw", "zlib", "zstd", "packbits", "lzma"])
@pytest.mark.parametrize("tile", [None, (16, 16)])
def test_tiff_compressions(tmp_path, code, compression, tile):
    array = numbers((43, 59), code)
    tifffile.imwrite(tmp_path / "a.tif", array, compression=compression, tile=tile)
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], array)


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("byteorder", ["<", ">"])
@pytest.mark.parametrize("compression", ["lzw", "zlib"])
def test_tiff_predictors(tmp_path, code, byteorder, compression):
    array = numbers((43, 59), code)
    tifffile.imwrite(tmp_path / "a.tif", array, compression=compression, predictor=True,
                     byteorder=byteorder)
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], array)


@pytest.mark.parametrize("code", ["u1", "u2"])
@pytest.mark.parametrize("planar", ["contig", "separate"])
@pytest.mark.parametrize("compression", [None, "zlib"])
@pytest.mark.parametrize("channels", [3, 4])
def test_tiff_colour(tmp_path, code, planar, compression, channels):
    array = numbers((43, 59, channels), code)
    stored = array if planar == "contig" else np.moveaxis(array, -1, 0)
    tifffile.imwrite(tmp_path / "a.tif", stored, photometric="rgb", planarconfig=planar,
                     compression=compression)
    found, description = seen_by_meander(tmp_path / "a.tif", tmp_path)
    assert description["channels"] == channels
    assert_same(found, array)


@pytest.mark.parametrize("code", ["u1", "u2", "f4"])
def test_tiff_imagej_stack(tmp_path, code):
    array = numbers((5, 43, 59), code)
    tifffile.imwrite(tmp_path / "a.tif", array, imagej=True, resolution=(1 / 0.25, 1 / 0.5),
                     metadata={"spacing": 1.5, "unit": "um", "axes": "ZYX"})
    found, description = seen_by_meander(tmp_path / "a.tif", tmp_path)
    assert_same(found, array)
    assert description["unit"] == "um"
    assert description["spacing"] == pytest.approx([0.25, 0.5, 1.5], rel=1e-6)


def test_tiff_imagej_stack_of_one_page(tmp_path):
    """ImageJ writes stacks beyond 4 GB with the directory of the first page only."""
    array = numbers((5, 43, 59), "u2").astype(">u2")
    text = b"ImageJ=1.53t\nimages=5\nslices=5\nunit=um\nspacing=2.0\n\0"
    entries = [(256, 4, 1, 59), (257, 4, 1, 43), (258, 3, 1, 16 << 16), (262, 3, 1, 1 << 16),
               (270, 2, len(text), 200), (273, 4, 1, 512), (277, 3, 1, 1 << 16),
               (278, 3, 1, 43 << 16), (279, 4, 1, 59 * 43 * 2)]
    head = b"MM\0*" + struct.pack(">IH", 8, len(entries))
    head += b"".join(struct.pack(">HHII", *entry) for entry in entries) + bytes(4)
    head = head.ljust(200, b"\0") + text
    (tmp_path / "a.tif").write_bytes(head.ljust(512, b"\0") + array.tobytes())
    found, description = seen_by_meander(tmp_path / "a.tif", tmp_path)
    assert_same(found, array)
    assert description["spacing"][2] == 2.0


@pytest.mark.parametrize("unit", ["µm", "nm", "mm"])
def test_tiff_ome(tmp_path, unit):
    array = numbers((5, 43, 59), "u2")
    metadata = {"axes": "ZYX"}
    for axis, step in zip("XYZ", (0.1, 0.2, 0.7)):
        metadata[f"PhysicalSize{axis}"] = step
        metadata[f"PhysicalSize{axis}Unit"] = unit
    tifffile.imwrite(tmp_path / "a.ome.tif", array, metadata=metadata)
    found, description = seen_by_meander(tmp_path / "a.ome.tif", tmp_path)
    assert_same(found, array)
    assert description["spacing"] == [0.1, 0.2, 0.7]
    assert description["unit"] == {"µm": "um"}.get(unit, unit)


def test_tiff_pyramid_levels_are_skipped(tmp_path):
    array = numbers((64, 64), "u2")
    with tifffile.TiffWriter(tmp_path / "a.tif") as file:
        file.write(array, tile=(16, 16))
        file.write(array[::2, ::2], tile=(16, 16), subfiletype=1)
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], array)


@pytest.mark.parametrize("compression", ["raw", "tiff_lzw", "tiff_adobe_deflate"])
def test_tiff_of_pillow(tmp_path, compression):
    array = numbers((43, 59, 3), "u1")
    Image.fromarray(array).save(tmp_path / "a.tif", compression=compression, dpi=(254, 254))
    found, description = seen_by_meander(tmp_path / "a.tif", tmp_path)
    assert_same(found, array)
    assert (description["unit"], description["spacing"][:2]) == ("px", [1, 1])


@pytest.mark.parametrize("code", ["u1", "u2", "f4", "f8"])
def test_tiff_of_opencv(tmp_path, code):
    array = numbers((43, 59), code)
    assert cv2.imwrite(str(tmp_path / "a.tif"), array)
    assert_same(seen_by_meander(tmp_path / "a.tif", tmp_path)[0], array)


# TIFF that we wrote


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("shape", [(43, 59), (5, 43, 59)])
@pytest.mark.parametrize("suffix", [".tif", ".ome.tif"])
def test_tiff_is_read_by_tifffile(tmp_path, code, shape, suffix):
    if code == "f2" and suffix == ".ome.tif":
        pytest.skip("OME has no 16-bit floats")
    array = numbers(shape, code)
    np.save(tmp_path / "a.npy", array)
    convert(tmp_path / "a.npy", tmp_path / f"b{suffix}", "0.25,0.5,1.5,um")
    with tifffile.TiffFile(tmp_path / f"b{suffix}") as file:
        assert_same(file.asarray(), array)
        assert file.is_ome == (suffix == ".ome.tif")
        assert file.is_imagej == (suffix == ".tif")
        if file.is_imagej:
            assert file.imagej_metadata["unit"] == "um"
            assert file.imagej_metadata["spacing"] == 1.5
            assert file.pages[0].tags["XResolution"].value == (4, 1)
        else:
            pixels = tifffile.xml2dict(file.ome_metadata)["OME"]["Image"]["Pixels"]
            assert pixels["PhysicalSizeX"] == 0.25
            assert pixels["PhysicalSizeZUnit"] == "µm"


@pytest.mark.parametrize("code", ["u1", "u2", "f4"])
@pytest.mark.parametrize("channels", [2, 3, 4, 5])
@pytest.mark.parametrize("suffix", [".tif", ".ome.tif"])
def test_tiff_channels_are_read_by_tifffile(tmp_path, code, channels, suffix):
    array = numbers((43, 59, channels), code)
    np.save(tmp_path / "channels.npy", array)
    convert(tmp_path / "channels.npy", tmp_path / f"b{suffix}")
    assert_same(tifffile.imread(tmp_path / f"b{suffix}"), array)


def test_tiff_volume_with_channels_is_read_by_tifffile(tmp_path):
    array = numbers((4, 43, 59, 3), "u1")
    np.save(tmp_path / "a.npy", array)
    convert(tmp_path / "a.npy", tmp_path / "b.tif")
    assert_same(tifffile.imread(tmp_path / "b.tif"), array)


@pytest.mark.parametrize("code", ["u1", "u2"])
def test_tiff_is_read_by_pillow(tmp_path, code):
    array = numbers((43, 59), code)
    np.save(tmp_path / "a.npy", array)
    convert(tmp_path / "a.npy", tmp_path / "b.tif")
    assert_same(np.asarray(Image.open(tmp_path / "b.tif")), array)


@pytest.mark.parametrize("code", ["u1", "u2", "f4", "f8"])
@pytest.mark.parametrize("suffix", [".tif", ".ome.tif"])
def test_tiff_is_read_by_opencv(tmp_path, code, suffix):
    array = numbers((1200, 900), code)
    np.save(tmp_path / "a.npy", array)
    convert(tmp_path / "a.npy", tmp_path / f"b{suffix}")
    assert_same(cv2.imread(str(tmp_path / f"b{suffix}"), cv2.IMREAD_UNCHANGED), array)


def test_tiff_colour_is_read_by_opencv(tmp_path):
    array = numbers((43, 59, 3), "u2")
    np.save(tmp_path / "channels.npy", array)
    convert(tmp_path / "channels.npy", tmp_path / "b.tif")
    assert_same(cv2.imread(str(tmp_path / "b.tif"), cv2.IMREAD_UNCHANGED)[:, :, ::-1], array)


# PNG


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_of_pillow(tmp_path, channels):
    array = numbers((43, 59, channels), "u1")
    mode = ["L", "LA", "RGB", "RGBA"][channels - 1]
    picture = Image.fromarray(array[:, :, 0] if channels == 1 else array, mode)
    picture.save(tmp_path / "a.png", dpi=(254, 508))
    found, description = seen_by_meander(tmp_path / "a.png", tmp_path)
    assert_same(found.reshape(array.shape), array)
    assert (description["unit"], description["spacing"][:2]) == ("px", [1, 1])


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("code", ["u1", "u2"])
def test_png_of_opencv(tmp_path, channels, code):
    array = numbers((43, 59, channels), code)
    assert cv2.imwrite(str(tmp_path / "a.png"), array)
    order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]
    found, _ = seen_by_meander(tmp_path / "a.png", tmp_path)
    assert_same(found.reshape(array.shape), array[:, :, order])


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_png_palette(tmp_path, bits):
    colours = numbers((2**bits, 3), "u1")
    indices = (np.arange(43 * 59) % 2**bits).astype("u1").reshape(43, 59)
    picture = Image.fromarray(indices, "P")
    picture.putpalette(colours.tobytes())
    picture.save(tmp_path / "a.png", bits=bits)
    assert_same(seen_by_meander(tmp_path / "a.png", tmp_path)[0], colours[indices])


def test_png_of_one_bit(tmp_path):
    array = numbers((43, 59), "u1") > 127
    Image.fromarray(array).save(tmp_path / "a.png")
    assert_same(seen_by_meander(tmp_path / "a.png", tmp_path)[0], array.astype("u1") * 255)


def test_png_interlaced(tmp_path):
    """The smallest Adam7 image with every pass, put together by hand and checked by Pillow."""
    array = numbers((8, 8), "u1")
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
              (0, 1, 1, 2)]
    raw = b""
    for x, y, step_x, step_y in passes:
        for row in array[y::step_y, x::step_x]:
            raw += b"\0" + row.tobytes()

    def chunk(kind, data):
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 1)
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                                     chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
    assert_same(np.asarray(Image.open(tmp_path / "a.png")), array)
    assert_same(seen_by_meander(tmp_path / "a.png", tmp_path)[0], array)


@pytest.mark.parametrize("code", ["u1", "u2"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_is_read_by_others(tmp_path, code, channels):
    array = numbers((43, 59, channels), code)
    name = "channels.npy" if channels > 1 else "a.npy"
    np.save(tmp_path / name, array if channels > 1 else array[:, :, 0])
    convert(tmp_path / name, tmp_path / "b.png", "0.1,0.05,1,mm")
    picture = Image.open(tmp_path / "b.png")
    assert picture.info["dpi"] == pytest.approx((254, 508))
    if code == "u1":
        assert_same(np.asarray(picture).reshape(array.shape), array)
    if channels != 2:
        order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]
        found = cv2.imread(str(tmp_path / "b.png"), cv2.IMREAD_UNCHANGED).reshape(array.shape)
        assert_same(found[:, :, order], array)


# GIF


@pytest.mark.skipif(os.environ.get("MEANDER_HAS_GIF") != "1", reason="this build has no GIF")
@pytest.mark.parametrize("shape", [(43, 59), (5, 43, 59)])
def test_gif_is_read_by_pillow(tmp_path, shape):
    array = numbers(shape, "u1")
    np.save(tmp_path / "a.npy", array)
    convert(tmp_path / "a.npy", tmp_path / "b.gif")
    with Image.open(tmp_path / "b.gif") as picture:
        assert picture.info["loop"] == 0
        frames = []
        for index in range(picture.n_frames):
            picture.seek(index)
            assert picture.info["duration"] == 100
            frames.append(np.asarray(picture.convert("L")))
    assert_same(np.stack(frames).reshape(shape), array)
