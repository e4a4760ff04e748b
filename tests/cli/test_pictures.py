# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Photographs, bitmaps, palettes and masks of single bits as people have them, and files that are none of ours."""

import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
from conftest import needs_jpeg, needs_png, needs_tiff

CORPUS = Path(__file__).parent.parent / "fuzz" / "corpus"


@pytest.fixture
def have(tmp_path):
    """Brings a small file that another library made."""

    def bring(name, as_name):
        return shutil.copy(CORPUS / name, tmp_path / as_name)

    return bring


def described(ok, path):
    found = ok("info", path, "--json").json["inputs"][0]
    return found["shape"], found["channels"], found["type"]


@needs_jpeg
def test_photographs(ok, have, tmp_path):
    have("jpeg/rgb.jpg", "photo.jpg")
    have("jpeg/l_progressive.jpg", "grey.jpeg")
    assert described(ok, "photo.jpg") == ([19, 21], 3, "u8")
    assert described(ok, "grey.jpeg") == ([19, 21], 1, "u8")
    assert "photo.jpg: JPEG, 21x19, 3 channels, u8" in ok("info", "photo.jpg").out
    ok("smooth", "grey.jpeg", "smooth.npy", "--sigma", 2)
    assert np.load(tmp_path / "smooth.npy").shape == (19, 21)


@needs_jpeg
def test_a_photograph_that_was_turned_is_upright(ok, have, tmp_path):
    have("jpeg/turned.jpg", "photo.jpg")
    assert described(ok, "photo.jpg") == ([21, 19], 3, "u8")
    ok("convert", "photo.jpg", "whole.npy")
    ok("convert", "photo.jpg", "part.npy", "--roi", "2,3,15,18")
    np.testing.assert_array_equal(np.load(tmp_path / "part.npy"), np.load(tmp_path / "whole.npy")[3:18, 2:15])


@needs_jpeg
def test_photographs_that_are_refused(refused, have, tmp_path):
    have("jpeg/cmyk.jpg", "print.jpg")
    assert "CMYK" in refused(4, "info", "print.jpg")
    whole = Path(have("jpeg/rgb.jpg", "photo.jpg")).read_bytes()
    (tmp_path / "photo.jpg").write_bytes(whole[:-60])
    assert "photo.jpg: damaged JPEG: Premature end" in refused(3, "convert", "photo.jpg", "out.npy")


def test_pictures_that_are_not_written(refused, image):
    for name in ("out.jpg", "out.bmp"):
        assert "can only be read" in refused(4, "convert", "a.npy", name)


def test_bitmaps(ok, have, tmp_path):
    have("bmp/p.bmp", "colours.bmp")
    have("bmp/l.bmp", "grey.bmp")
    have("bmp/1.bmp", "mask.bmp")
    assert described(ok, "colours.bmp") == ([7, 9], 3, "u8")
    assert described(ok, "grey.bmp") == ([7, 9], 1, "u8")
    ok("convert", "mask.bmp", "mask.npy")
    assert set(np.unique(np.load(tmp_path / "mask.npy"))) == {0, 255}


@needs_png
@needs_tiff
def test_palettes_and_single_bits(ok, have, tmp_path):
    assert described(ok, have("png/grey_palette.png", "grey.png"))[1] == 1
    assert described(ok, have("tiff/palette.tif", "colours.tif"))[1] == 3
    assert described(ok, have("tiff/palette_grey.tif", "grey.tif"))[1] == 1
    have("tiff/bits_group4.tif", "mask.tif")
    ok("convert", "mask.tif", "mask.npy")
    assert set(np.unique(np.load(tmp_path / "mask.npy"))) == {0, 255}
    assert described(ok, have("tiff/turned.tif", "turned.tif"))[0] == [11, 9]


@pytest.mark.parametrize("front", [b"", b"II*\0\x08\0\0\0", struct.pack("<i", 348)])
def test_dicom_is_called_dicom_whatever_it_begins_with(refused, tmp_path, front):
    (tmp_path / "scan.dcm").write_bytes(front.ljust(128, b"\0") + b"DICM" + bytes(1000))
    assert "found a DICOM file: convert it with dcm2niix" in refused(4, "info", "scan.dcm")


@pytest.mark.parametrize("bytes,name", [(b"\x89HDF\r\n\x1a\n", "HDF5"), (b"SIMPLE  =", "FITS"), (b"ZISRAWFILE", "CZI"),
                                        (b"\xda\xce\xbe\x0a", "ND2"), (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000")])
def test_other_files_are_named(refused, tmp_path, bytes, name):
    (tmp_path / "image.tif").write_bytes(bytes.ljust(300, b"\3"))
    assert name in refused(4, "info", "image.tif")


def test_help_says_which_formats_are_only_read(ok):
    assert "BMP (in only)" in ok("--help").out
