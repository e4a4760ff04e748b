#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""make_corpus.py [FOLDER]: small files of every format that is read, made by other libraries.

Seeds for the fuzz targets and for mutations through the command line. What is made lies in
tests/fuzz/corpus, so that nobody needs these libraries to fuzz; this says where it came from.
"""

import json
import struct
import sys
from pathlib import Path

import nibabel
import nrrd
import numpy as np
import SimpleITK as sitk
import tifffile
from PIL import Image, PngImagePlugin

NUMBERS = np.random.default_rng(8)


def pixels(shape, kind):
    kind = np.dtype(kind)
    if kind.kind == "f":
        return NUMBERS.normal(100, 50, shape).astype(kind)
    span = np.iinfo(kind)
    return NUMBERS.integers(max(span.min, -2000), min(span.max, 2000), shape).astype(kind)


def make_npy(folder):
    for kind in ("u1", "<u2", ">i2", "<f2", ">f4", "<f8", "i1", "<i4", "<u8", "?"):
        name = kind.strip("<>").replace("?", "bool") + ("_big" if kind[0] == ">" else "")
        data = np.ones((3, 5), bool) if kind == "?" else pixels((3, 5), kind)
        np.save(folder / f"{name}.npy", data)
    np.save(folder / "volume.npy", pixels((2, 3, 4), "<u2"))
    np.save(folder / "field.npy", pixels((2, 3, 2, 3), "<f4"))
    np.save(folder / "film.npy", pixels((2, 1, 3, 2, 2), "u1"))
    np.save(folder / "fortran.npy", np.asfortranarray(pixels((4, 3), "<f4")))
    np.save(folder / "fortran_volume.npy", np.asfortranarray(pixels((2, 3, 4), ">u2")))
    for version in ((2, 0), (3, 0)):
        with open(folder / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, pixels((3, 2), "<i2"), version)


def make_png(folder):
    modes = {"1": "grey1", "L": "grey8", "LA": "grey_alpha", "P": "palette", "RGB": "rgb", "RGBA": "rgba"}
    picture = Image.fromarray(pixels((7, 9, 4), "u1"), "RGBA")
    for mode, name in modes.items():
        picture.convert(mode).save(folder / f"{name}.png")
    Image.fromarray(pixels((5, 6), "u2")).save(folder / "grey16.png")
    for bits in (1, 2, 4):
        picture.convert("P").quantize(2**bits).save(folder / f"palette{bits}.png", bits=bits)
    picture.convert("L").save(folder / "density.png", dpi=(300, 150))
    picture.convert("P").save(folder / "transparent.png", transparency=3)
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Title", "a note")
    notes.add_text("Comment", "packed " * 10, zip=True)
    picture.save(folder / "text.png", pnginfo=notes)


def make_tiff(folder):
    for kind in ("u1", "u2", "i2", "f4", "f8"):
        tifffile.imwrite(folder / f"{kind}.tif", pixels((6, 5), kind), metadata=None)
    grey, colour = pixels((16, 17), "u2"), pixels((16, 16, 3), "u1")
    tifffile.imwrite(folder / "big_endian.tif", grey[:4], byteorder=">", metadata=None)
    tifffile.imwrite(folder / "big.tif", grey[:4], bigtiff=True, metadata=None)
    tifffile.imwrite(folder / "tiled.tif", grey, tile=(16, 16), metadata=None)
    tifffile.imwrite(folder / "rgb.tif", colour, photometric="rgb", metadata=None)
    tifffile.imwrite(folder / "planar.tif", colour.transpose(2, 0, 1)[:, :6], photometric="rgb",
                     planarconfig="separate", metadata=None)
    for code in ("lzw", "deflate", "packbits", "zstd", "lzma"):
        tifffile.imwrite(folder / f"{code}.tif", grey[:4], compression=code, metadata=None)
    tifffile.imwrite(folder / "predictor.tif", grey[:4], compression="lzw", predictor=True, metadata=None)
    tifffile.imwrite(folder / "jpeg.tif", colour[..., 0], compression="jpeg", metadata=None)
    tifffile.imwrite(folder / "stack.tif", pixels((3, 4, 5), "u1"), metadata=None, photometric="minisblack")
    tifffile.imwrite(folder / "strips.tif", grey, rowsperstrip=3, metadata=None)
    tifffile.imwrite(folder / "imagej.tif", pixels((2, 3, 2, 4, 5), "u2"), imagej=True, photometric="minisblack",
                     resolution=(4, 4), metadata={"axes": "TZCYX", "spacing": 2, "unit": "um", "finterval": 0.5})
    for order, shape in (("ZYX", (3, 4, 5)), ("TCZYX", (2, 2, 2, 3, 4))):
        tifffile.imwrite(folder / f"ome_{order.lower()}.ome.tif", pixels(shape, "u2"), photometric="minisblack", metadata={
            "axes": order, "PhysicalSizeX": 0.25, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.25,
            "PhysicalSizeYUnit": "µm", "PhysicalSizeZ": 1.5, "PhysicalSizeZUnit": "µm", "TimeIncrement": 2.0})


AFFINE = np.array([[-0.5, 0.1, 0, 10], [0.1, 0.6, 0, -20], [0, 0, 2, 30], [0, 0, 0, 1]])


def make_nifti(folder):
    for kind in ("u1", "i2", "i4", "f4", "f8", "i1", "u2", "u8"):
        nibabel.Nifti1Image(pixels((4, 3, 2), kind), AFFINE, dtype=kind).to_filename(folder / f"{kind}.nii")
    nibabel.Nifti2Image(pixels((4, 3, 2), "f4"), AFFINE).to_filename(folder / "version2.nii")
    big = nibabel.Nifti1Header(endianness=">")
    big.set_data_dtype(">i2")
    nibabel.Nifti1Image(pixels((4, 3), "i2"), AFFINE, big).to_filename(folder / "big_endian.nii")
    scaled = nibabel.Nifti1Image(pixels((4, 3, 2), "f4"), AFFINE)
    scaled.header.set_data_dtype("i2")
    scaled.header.set_xyzt_units("mm", "sec")
    scaled.to_filename(folder / "scaled.nii")
    scaled.to_filename(folder / "packed.nii.gz")
    scaled.set_qform(AFFINE @ np.diag([1, 1, -1, 1]), 1)
    scaled.set_sform(None, 0)
    scaled.to_filename(folder / "qform.nii")
    nibabel.Nifti1Image(pixels((4, 3, 2, 3), "u1"), AFFINE).to_filename(folder / "film.nii")
    field = nibabel.Nifti1Image(pixels((4, 3, 2, 1, 3), "f4"), AFFINE)
    field.header.set_intent("vector")
    field.to_filename(folder / "field.nii")
    rgb = np.zeros((4, 3, 2), np.dtype([("R", "u1"), ("G", "u1"), ("B", "u1")]))
    nibabel.Nifti1Image(rgb, AFFINE).to_filename(folder / "rgb.nii")
    nibabel.Nifti1Pair(pixels((4, 3, 2), "i2"), AFFINE).to_filename(folder / "image.hdr")


def make_nrrd(folder):
    space = {"space": "left-posterior-superior", "space directions": AFFINE[:3, :3], "space origin": AFFINE[:3, 3],
             "kinds": ["domain"] * 3, "space units": ["mm"] * 3}
    for kind in ("u1", "i2", "i4", "f4", "f8", "i1", "u2", "u8"):
        nrrd.write(str(folder / f"{kind}.nrrd"), pixels((4, 3, 2), kind), {"encoding": "raw"})
    nrrd.write(str(folder / "space.nrrd"), pixels((4, 3, 2), "i2"), {**space, "encoding": "raw"})
    nrrd.write(str(folder / "packed.nrrd"), pixels((4, 3, 2), "i2"), {**space, "encoding": "gzip"})
    nrrd.write(str(folder / "text.nrrd"), pixels((4, 3), "u1"), {"encoding": "ascii"})
    nrrd.write(str(folder / "spacings.nrrd"), pixels((4, 3, 2), ">u2"),
               {"spacings": [0.5, 0.5, 2], "units": ["mm"] * 3, "endian": "big", "encoding": "raw"})
    nrrd.write(str(folder / "vectors.nrrd"), pixels((3, 4, 3), "f4"),
               {"kinds": ["vector", "domain", "domain"], "encoding": "raw"})
    nrrd.write(str(folder / "film.nrrd"), pixels((4, 3, 2, 3), "u1"),
               {"kinds": ["domain", "domain", "domain", "time"], "encoding": "raw"})
    nrrd.write(str(folder / "image.nhdr"), pixels((4, 3, 2), "i2"), {**space, "encoding": "raw"})
    nrrd.write(str(folder / "packed.nhdr"), pixels((4, 3, 2), "i2"), {**space, "encoding": "gzip"})


def make_meta_image(folder):
    for kind in ("u1", "i2", "i4", "f4", "f8", "i1", "u2", "u8"):
        sitk.WriteImage(sitk.GetImageFromArray(pixels((2, 3, 4), kind)), str(folder / f"{kind}.mha"))
    placed = sitk.GetImageFromArray(pixels((2, 3, 4), "i2"))
    placed.SetSpacing((0.5, 0.25, 2))
    placed.SetOrigin((10, -20, 30))
    placed.SetDirection((0, 1, 0, -1, 0, 0, 0, 0, 1))
    sitk.WriteImage(placed, str(folder / "placed.mha"))
    sitk.WriteImage(placed, str(folder / "packed.mha"), True)
    sitk.WriteImage(placed, str(folder / "image.mhd"))
    sitk.WriteImage(placed, str(folder / "packed.mhd"), True)
    vectors = sitk.GetImageFromArray(pixels((3, 4, 3), "f4"), isVector=True)
    sitk.WriteImage(vectors, str(folder / "vectors.mha"))
    sitk.WriteImage(sitk.GetImageFromArray(pixels((2, 2, 3, 4), "u1"), isVector=False), str(folder / "film.mha"))


def make_jpeg(folder):
    colours = Image.fromarray(pixels((19, 21, 3), "u1"), "RGB")
    for mode in ("L", "RGB"):
        picture = colours.convert(mode)
        picture.save(folder / f"{mode.lower()}.jpg")
        picture.save(folder / f"{mode.lower()}_progressive.jpg", progressive=True)
    colours.save(folder / "full.jpg", subsampling=0, quality=90)
    colours.save(folder / "optimised.jpg", optimize=True, subsampling=1)
    colours.convert("L").save(folder / "restarts.jpg", restart_marker_blocks=2)
    colours.convert("CMYK").save(folder / "cmyk.jpg")
    exif = Image.Exif()
    exif[274] = 6
    colours.save(folder / "turned.jpg", exif=exif.tobytes())


def bitmap(shape, bits, body, compression=0, size=40, behind=b""):
    head = struct.pack("<IiiHHIIiiII", size, shape[1], shape[0], 1, bits, compression, 0, 0, 0, 0, 0)
    if size == 12:
        head = struct.pack("<IHHHH", size, shape[1], shape[0], 1, bits)
    head = head.ljust(size, b"\0") + behind
    return b"BM" + struct.pack("<IHHI", 0, 0, 0, 14 + len(head)) + head + body


def make_bmp(folder):
    colours = Image.fromarray(pixels((7, 9, 3), "u1"), "RGB")
    for mode in ("1", "L", "P", "RGB", "RGBA"):
        colours.convert(mode).save(folder / f"{mode.lower()}.bmp")
    body, palette = pixels((256,), "u1").tobytes(), pixels((64,), "u1").tobytes()
    masks = struct.pack("<IIII", 0xF800, 0x7E0, 0x1F, 0)
    runs = bytes([4, 7, 0, 3, 1, 2, 3, 0, 2, 9, 0, 0, 0, 2, 1, 1, 5, 6, 0, 0, 7, 1, 0, 1])
    (folder / "core.bmp").write_bytes(bitmap((4, 5), 24, body, size=12))
    (folder / "bits4.bmp").write_bytes(bitmap((4, 5), 4, body, behind=palette))
    (folder / "rgb16.bmp").write_bytes(bitmap((4, 5), 16, body))
    (folder / "masks16.bmp").write_bytes(bitmap((4, 5), 16, body, 3, behind=masks[:12]))
    (folder / "top_down.bmp").write_bytes(bitmap((-4, 5), 32, body, size=124))
    (folder / "rle8.bmp").write_bytes(bitmap((5, 9), 8, runs, 1, behind=palette * 16))
    (folder / "rle4.bmp").write_bytes(bitmap((5, 9), 4, runs, 2, behind=palette))


def make_png_palettes(folder):
    grey = Image.fromarray(pixels((5, 6), "u1"), "P")
    grey.putpalette(bytes(level for i in range(256) for level in [(7 * i) % 256] * 3))
    grey.save(folder / "grey_palette.png")
    exif = Image.Exif()
    exif[274] = 8
    grey.convert("RGB").save(folder / "turned.png", exif=exif.tobytes())


def make_tiff_palettes(folder):
    bits, indices = pixels((9, 11), "u1") > 99, pixels((9, 11), "u1")
    tifffile.imwrite(folder / "bits.tif", bits, metadata=None)
    for code in ("group3", "group4", "packbits"):
        Image.fromarray(bits).save(folder / f"bits_{code}.tif", compression=code)
    map = pixels((3, 256), "u2")
    tifffile.imwrite(folder / "palette.tif", indices, photometric="palette", colormap=map, metadata=None)
    tifffile.imwrite(folder / "palette_grey.tif", indices, photometric="palette", colormap=map[[0, 0, 0]],
                     compression="lzw", metadata=None)
    tifffile.imwrite(folder / "turned.tif", indices, extratags=[(274, 3, 1, 6, True)], metadata=None)


def make_geojson(folder):
    ring = [[2, 2], [20.5, 2], [20, 17.25], [2, 2]]
    hole = [[10, 4], [15, 8], [14, 4], [10, 4]]
    square = [[30, 30], [40, 30], [40, 40], [30, 40], [30, 30]]
    polygon, holed = {"type": "Polygon", "coordinates": [ring]}, {"type": "Polygon", "coordinates": [ring, hole]}
    several = {"type": "MultiPolygon", "coordinates": [[ring, hole], [square]]}
    line = {"type": "LineString", "coordinates": [[1, 1], [5.5, 2], [1e1, 7, 3]]}
    lines = {"type": "MultiLineString", "coordinates": [line["coordinates"], [[0, 0], [3, 3]]]}
    feature = {"type": "Feature", "properties": {"id": 1, "name": "\u00e9"}, "geometry": holed}
    collection = {"type": "FeatureCollection", "spacing": [0.5, 0.25], "unit": "um",
                  "features": [feature, {"type": "Feature", "properties": None, "geometry": polygon}]}
    shapes = {"polygon": polygon, "holed": holed, "several": several, "line": line, "lines": lines, "feature": feature,
              "collection": collection}
    for name, shape in shapes.items():
        (folder / f"{name}.geojson").write_text(json.dumps(shape) + "\n")


def make_csv(folder):
    triangle = "1,0,2,2\n1,1,20.5,2\n1,2,20,17.25\n"
    tables = {"outlines": "outline,vertex,x,y,confidence\n" + triangle.replace("\n", ",0.5\n"),
              "two": "outline,vertex,x,y\n" + triangle + "2,0,30,30\n2,1,40,30\n2,2,40,40\n",
              "holed": "outline,vertex,x,y,ring\n" + triangle.replace("\n", ",0\n") + "1,0,10,4,1\n1,1,15,8,1\n1,2,14,4,1\n",
              "unit": "outline,vertex,x,y,unit\n" + triangle.replace("\n", ",um\n"),
              "points": "x,y\n10,10\n14.5,10\n1e2,-3\n", "circles": "x,y,r,unit\n10,10,4,um\n40,1e1,.5,um\n",
              "boxes": "x0,y0,x1,y1\r\n2,2,9,8\r\n30,30,20,20\r\n"}
    for name, table in tables.items():
        (folder / f"{name}.csv").write_bytes(table.encode())


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "corpus")
    # New ones come last: they draw from the same random numbers.
    makers = [("npy", make_npy), ("png", make_png), ("tiff", make_tiff), ("nifti", make_nifti), ("nrrd", make_nrrd),
              ("meta_image", make_meta_image), ("jpeg", make_jpeg), ("bmp", make_bmp), ("png", make_png_palettes),
              ("tiff", make_tiff_palettes), ("geojson", make_geojson), ("csv", make_csv)]
    for name, make in makers:
        (root / name).mkdir(parents=True, exist_ok=True)
        make(root / name)


if __name__ == "__main__":
    main()
