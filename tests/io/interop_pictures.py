# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Pictures that Pillow, imageio and tifffile write must open with the pixels that they read themselves: JPEG,
bitmaps, palettes, single bits and orientations. The bitmaps that Pillow cannot write are put together here.

Run by pytest; MEANDER_BRIDGE names the program that copies one file to another with Meander.
"""

import os
import struct
import subprocess

import numpy as np
import pytest
import tifffile
from PIL import Image, ImageOps

BRIDGE = os.environ["MEANDER_BRIDGE"]
RANDOM = np.random.default_rng(21)
has_jpeg = pytest.mark.skipif(os.environ["MEANDER_HAS_JPEG"] != "1", reason="this build has no JPEG")


def seen_by_meander(path):
    target = path.with_name("seen.npy")
    done = subprocess.run([BRIDGE, path, target], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return np.load(target)


def seen_by_pillow(path):
    """Upright, palettes as their greys or colours, bits as 0 and 255."""
    with Image.open(path) as opened:
        picture = ImageOps.exif_transpose(opened)
        if picture.mode == "P":
            picture = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
            colours = np.asarray(picture)
            if (colours[..., :1] == colours[..., :3]).all():
                picture = picture.convert("LA" if picture.mode == "RGBA" else "L")
        elif picture.mode == "1":
            picture = picture.convert("L")
        return np.asarray(picture)


def assert_seen_alike(path):
    found, expected = seen_by_meander(path), seen_by_pillow(path)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def picture(mode, shape=(29, 37)):
    """Something smooth with an edge and some noise, without symmetry."""
    y, x = np.mgrid[:shape[0], :shape[1]]
    colours = np.stack([4 * x + y + 60 * (x > 11), 200 - 3 * x + 2 * y, 5 * y + 0 * x, 255 - x], -1)
    colours = np.clip(colours + RANDOM.integers(-9, 9, colours.shape), 0, 255).astype("u1")
    return Image.fromarray(colours, "RGBA").convert("RGB").convert(mode)


def with_grey_palette(shape=(29, 37)):
    """Indices whose greys are in another order than they are."""
    image = Image.fromarray(RANDOM.integers(0, 256, shape).astype("u1"), "P")
    image.putpalette(np.repeat((7 * np.arange(256) + 5) % 256, 3).astype("u1").tobytes())
    return image


# JPEG


@has_jpeg
@pytest.mark.parametrize("mode", ["L", "RGB"])
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"quality": 95, "subsampling": 0}, {"quality": 20},
                                     {"subsampling": 1, "optimize": True}, {"subsampling": 2, "progressive": True}])
def test_jpeg(tmp_path, mode, options):
    picture(mode).save(tmp_path / "a.jpg", **options)
    assert_seen_alike(tmp_path / "a.jpg")


@pytest.mark.parametrize("suffix", [pytest.param("jpg", marks=has_jpeg), "png", "tif"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientations(tmp_path, suffix, orientation):
    exif = Image.Exif()
    exif[274] = orientation
    path = tmp_path / f"a.{suffix}"
    upright = picture("RGB")
    upright.save(path, exif=exif.tobytes())
    assert_seen_alike(path)
    assert seen_by_meander(path).shape[:2] == ((29, 37) if orientation < 5 else (37, 29))


# Bitmaps


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_bmp(tmp_path, mode):
    picture(mode).save(tmp_path / "a.bmp")
    assert_seen_alike(tmp_path / "a.bmp")


def test_bmp_with_a_grey_palette_is_grey(tmp_path):
    with_grey_palette().save(tmp_path / "a.bmp")
    assert_seen_alike(tmp_path / "a.bmp")
    assert seen_by_meander(tmp_path / "a.bmp").ndim == 2


def bitmap(shape, bits, rows, compression=0, size=40, extra=b"", palette=b"", top_down=False):
    height, width = shape
    head = struct.pack("<IiiHHIIiiII", size, width, -height if top_down else height, 1, bits, compression, len(rows),
                       2835, 2835, 0, 0)
    if size == 12:
        head = struct.pack("<IHHHH", size, width, height, 1, bits)
    head = (head + extra).ljust(size, b"\0")
    begin = 14 + len(head) + len(palette)
    return b"BM" + struct.pack("<IHHI", begin + len(rows), 0, 0, begin) + head + palette + rows


def padded(rows):
    """Rows of bytes as a bitmap has them: filled up to words, the last one first."""
    return b"".join(row + b"\0" * (-len(row) % 4) for row in reversed([bytes(row) for row in rows]))


def packed(indices, bits):
    if bits == 8:
        return indices.astype("u1")
    digits = np.unpackbits(indices[..., None].astype("u1"), axis=-1)[..., 8 - bits:]
    return np.packbits(digits.reshape(len(indices), -1), axis=-1)


@pytest.mark.parametrize("bits", [1, 4, 8])
@pytest.mark.parametrize("size", [12, 40, 56, 108, 124])
@pytest.mark.parametrize("grey", [False, True])
def test_bmp_palettes(tmp_path, bits, size, grey):
    indices = RANDOM.integers(0, 2**bits, (11, 13))
    colours = RANDOM.integers(0, 256, (2**bits, 3)).astype("u1")
    if grey:
        colours[:] = colours[:, :1]
    entries = np.zeros((2**bits, 3 if size == 12 else 4), "u1")
    entries[:, :3] = colours[:, ::-1]
    path = tmp_path / "a.bmp"
    path.write_bytes(bitmap((11, 13), bits, padded(packed(indices, bits)), size=size, palette=entries.tobytes()))
    expected = colours[indices]
    np.testing.assert_array_equal(seen_by_meander(path), expected[..., 0] if grey else expected)
    np.testing.assert_array_equal(np.asarray(Image.open(path).convert("RGB")), expected)


def masks(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


@pytest.mark.parametrize("bits,compression,size,extra", [
    (16, 0, 40, b""), (16, 3, 40, masks(0xF800, 0x7E0, 0x1F)), (16, 3, 40, masks(0x7C00, 0x3E0, 0x1F)),
    (16, 3, 108, masks(0xF800, 0x7E0, 0x1F, 0)), (24, 0, 40, b""), (24, 0, 12, b""), (24, 0, 124, b""),
    (32, 0, 40, b""), (32, 0, 108, b""), (32, 3, 40, masks(0xFF0000, 0xFF00, 0xFF)),
    (32, 3, 56, masks(0xFF0000, 0xFF00, 0xFF, 0xFF000000)), (32, 3, 124, masks(0xFF, 0xFF00, 0xFF0000, 0xFF000000)),
    (32, 3, 52, masks(0xFF000000, 0xFF0000, 0xFF00))])
@pytest.mark.parametrize("top_down", [False, True])
def test_bmp_colours(tmp_path, bits, compression, size, extra, top_down):
    if top_down and size == 12:
        pytest.skip("OS/2 has no rows from the top")
    rows = padded(RANDOM.integers(0, 256, (11, 13 * bits // 8)).astype("u1"))
    path = tmp_path / "a.bmp"
    path.write_bytes(bitmap((11, 13), bits, rows, compression, size, extra, top_down=top_down))
    assert_seen_alike(path)


RLE8 = bytes([4, 7, 0, 3, 1, 2, 3, 0, 2, 9, 0, 0,  # 4 x 7; 1 2 3 as they are; 2 x 9; end of the row
              0, 2, 3, 1, 5, 6, 0, 0,              # three to the right, one up; 5 x 6; end of the row
              9, 200, 0, 4, 1, 2, 3, 4, 0, 1])     # end of the image, its last row being absent
RLE4 = bytes([5, 0x12, 0, 5, 0x34, 0x56, 0x70, 0, 0, 0, 3, 0xAB, 0, 2, 1, 1, 4, 0xCD, 0, 0, 10, 0x99, 0, 1])


@pytest.mark.parametrize("bits,runs", [(8, RLE8), (4, RLE4)])
def test_bmp_runs(tmp_path, bits, runs):
    colours = RANDOM.integers(0, 256, (2**bits, 4)).astype("u1")
    path = tmp_path / "a.bmp"
    path.write_bytes(bitmap((5, 13), bits, runs, 1 if bits == 8 else 2, palette=colours.tobytes()))
    expected = np.zeros((5, 13), int)
    if bits == 8:
        expected[4, :9] = [7, 7, 7, 7, 1, 2, 3, 9, 9]
        expected[2, 3:8] = 6
        expected[1] = [200] * 9 + [1, 2, 3, 4]
    else:
        expected[4, :10] = [1, 2, 1, 2, 1, 3, 4, 5, 6, 7]
        expected[3, :3] = [10, 11, 10]
        expected[2, 4:8] = [12, 13, 12, 13]
        expected[1, :10] = 9
    np.testing.assert_array_equal(seen_by_meander(path), colours[expected][..., 2::-1])


# Palettes and bits of PNG and TIFF


@pytest.mark.parametrize("suffix", ["png", "tif"])
@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
def test_modes(tmp_path, suffix, mode):
    picture(mode).save(tmp_path / f"a.{suffix}")
    assert_seen_alike(tmp_path / f"a.{suffix}")


@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_a_grey_palette_is_grey(tmp_path, suffix):
    with_grey_palette().save(tmp_path / f"a.{suffix}")
    assert_seen_alike(tmp_path / f"a.{suffix}")
    assert seen_by_meander(tmp_path / f"a.{suffix}").ndim == 2


def test_a_grey_palette_with_transparency_keeps_it(tmp_path):
    with_grey_palette().save(tmp_path / "a.png", transparency=bytes(range(256)))
    assert_seen_alike(tmp_path / "a.png")
    assert seen_by_meander(tmp_path / "a.png").shape == (29, 37, 2)


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_png_palettes_of_few_bits(tmp_path, bits):
    picture("RGB").quantize(2**bits).save(tmp_path / "a.png", bits=bits)
    assert_seen_alike(tmp_path / "a.png")


@pytest.mark.parametrize("compression", [None, "packbits", "group3", "group4", "tiff_lzw", "tiff_adobe_deflate"])
def test_tiff_of_single_bits(tmp_path, compression):
    picture("1").save(tmp_path / "a.tif", compression=compression)
    assert_seen_alike(tmp_path / "a.tif")


@pytest.mark.parametrize("options", [{"photometric": "minisblack"}, {"photometric": "miniswhite"}, {},
                                     {"compression": "zlib"}, {"bigtiff": True}, {"byteorder": ">"},
                                     {"rowsperstrip": 5}])
def test_tiff_bits_that_tifffile_writes(tmp_path, options):
    bits = RANDOM.integers(0, 2, (29, 37)).astype(bool)
    tifffile.imwrite(tmp_path / "a.tif", bits, **options)
    expected = tifffile.imread(tmp_path / "a.tif")
    np.testing.assert_array_equal(seen_by_meander(tmp_path / "a.tif"), expected.astype("u1") * 255)


@pytest.mark.parametrize("options", [{}, {"compression": "zlib"}, {"tile": (16, 16)}, {"byteorder": ">"},
                                     {"rowsperstrip": 5}])
def test_tiff_palettes_that_tifffile_writes(tmp_path, options):
    indices = RANDOM.integers(0, 256, (29, 37)).astype("u1")
    colours = RANDOM.integers(0, 65536, (3, 256)).astype("u2")
    tifffile.imwrite(tmp_path / "a.tif", indices, photometric="palette", colormap=colours, **options)
    expected = np.moveaxis(colours[:, indices] >> 8, 0, -1)
    np.testing.assert_array_equal(seen_by_meander(tmp_path / "a.tif"), expected)


def test_tiff_stack_of_palettes(tmp_path):
    """Each page has a palette of its own."""
    indices = RANDOM.integers(0, 256, (3, 11, 13)).astype("u1")
    colours = RANDOM.integers(0, 65536, (3, 3, 256)).astype("u2")
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page, palette in zip(indices, colours):
            writer.write(page, photometric="palette", colormap=palette, metadata=None)
    expected = [np.moveaxis(palette[:, page] >> 8, 0, -1) for page, palette in zip(indices, colours)]
    np.testing.assert_array_equal(seen_by_meander(tmp_path / "a.tif"), expected)


@pytest.mark.parametrize("code", ["u1", "u2"])
@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_grey_of_8_and_16_bits(tmp_path, suffix, code):
    Image.fromarray(RANDOM.integers(0, np.iinfo(code).max, (29, 37)).astype(code)).save(tmp_path / f"a.{suffix}")
    found = seen_by_meander(tmp_path / f"a.{suffix}")
    assert found.dtype == np.dtype(code)
    np.testing.assert_array_equal(found, seen_by_pillow(tmp_path / f"a.{suffix}"))


@pytest.mark.parametrize("suffix,kind", [
    pytest.param("jpg", "L", marks=has_jpeg), pytest.param("jpg", "RGB", marks=has_jpeg), ("bmp", "L"), ("bmp", "RGB"),
    ("png", "L"), ("png", "RGB"), ("png", "RGBA"), ("png", "1"), ("png", "u2"), ("tif", "L"), ("tif", "RGB"), ("tif", "1"),
    ("tif", "u2"), ("tif", "f4")])
def test_what_imageio_writes(tmp_path, suffix, kind):
    imageio = pytest.importorskip("imageio.v3")
    grey = np.asarray(picture("L"))
    pixels = (grey * 200.5).astype(kind) if kind in ("u2", "f4") else grey > 90 if kind == "1" else np.asarray(picture(kind))
    imageio.imwrite(tmp_path / f"a.{suffix}", pixels)
    expected = imageio.imread(tmp_path / f"a.{suffix}")
    if expected.dtype == bool:
        expected = expected.astype("u1") * 255
    found = seen_by_meander(tmp_path / f"a.{suffix}")
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
