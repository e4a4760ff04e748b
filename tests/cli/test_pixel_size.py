# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""How large a pixel is: what files say of it, --spacing, and the units of what is measured."""

import csv
import json
import re

import numpy as np
import pytest

from conftest import needs_jpeg, needs_png, needs_tiff

IGNORED = "are for printers, not a size of pixels: ignored; --spacing sets it"


def size_of_pixel(ok, *arguments):
    found = ok("info", *arguments, "--json").json["inputs"][0]
    return found["spacing"], found["unit"]


def save_picture(path, values, **options):
    pytest.importorskip("PIL.Image").fromarray(values).save(path, **options)


@needs_png
@needs_jpeg
@needs_tiff
def test_dots_per_inch_are_for_printers(ok, run, tmp_path, image):
    for name in ("a.tif", "a.png", "a.jpg"):
        save_picture(tmp_path / name, image, dpi=(300, 300))
        assert size_of_pixel(ok, name) == ([1, 1], "px"), name
        assert ok("info", name).err == ""
        for verb in (["info", name], ["convert", name, "o.npy"], ["smooth", name, "o.npy", "--sigma", "1"], ["compare", name, name],
                     ["react", name, "o.npy", "--steps", "1"], ["segment", name, "o.csv"], ["flow", name, "o.npy"]):  # fmt: skip
            lines = [line for line in run(*verb, "--verbose").err.splitlines() if IGNORED in line]
            assert len(lines) == (2 if verb[0] == "compare" else 1) and lines[0].startswith(f"meander: {name}: "), verb
        assert IGNORED not in run("info", name, "--verbose", "--spacing", "1um").err
    assert "300 x 300 pixels per inch" in run("info", "a.jpg", "--verbose").err
    assert "300 x 300 pixels per inch" in run("info", "a.tif", "--verbose").err
    assert "11811 x 11811 pixels per metre" in run("info", "a.png", "--verbose").err


@needs_tiff
def test_pixels_per_centimetre_of_another_program_are_ignored_too(ok, run, tmp_path, image):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", image, resolution=(100, 100), resolutionunit="CENTIMETER", metadata=None)
    assert size_of_pixel(ok, "a.tif") == ([1, 1], "px")
    assert "100 x 100 pixels per centimetre" in run("info", "a.tif", "--verbose").err


@needs_png
@needs_tiff
def test_what_imagej_ome_and_meander_wrote_counts(ok, run, tmp_path, image):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "ij.tif", image, imagej=True, resolution=(4, 2), metadata={"unit": "um"})
    tifffile.imwrite(tmp_path / "o.ome.tif", image, resolution=(72, 72), resolutionunit="INCH",
                     metadata={"axes": "YX", "PhysicalSizeX": 0.25, "PhysicalSizeY": 0.5})  # fmt: skip
    for name in ("m.tif", "m.ome.tif", "m.png", "m.nrrd"):
        ok("convert", "a.npy", name, "--spacing", "0.25um,0.5")
    for name in ("ij.tif", "o.ome.tif", "m.tif", "m.ome.tif", "m.png", "m.nrrd"):
        assert size_of_pixel(ok, name) == ([0.5, 0.25], "um"), name
        assert IGNORED not in run("info", name, "--verbose").err


@pytest.mark.parametrize(
    "text, spacing, unit",
    [("0.1um", [0.1, 0.1, 0.1], "um"), ("0.1um,0.2", [0.1, 0.2, 0.1], "um"), ("0.1µm,0.2,0.5", [0.5, 0.2, 0.1], "um"),
     ("0.1um,200nm,0.5um", [0.5, 0.2, 0.1], "um"), ("65nm", [65, 65, 65], "nm"), ("1.5mm", [1.5, 1.5, 1.5], "mm"), ("2cm", [2, 2, 2], "cm"),
     ("1e-3m", [1e-3] * 3, "m"), ("1pixel,1,3", [3, 1, 1], "px")],
)  # fmt: skip
def test_spacing_is_what_the_user_says(ok, tmp_path, text, spacing, unit):
    np.save(tmp_path / "v.npy", np.zeros((3, 4, 5), np.uint8))
    assert size_of_pixel(ok, "v.npy", "--spacing", text) == (spacing, unit)


def test_spacing_on_every_verb(ok, tmp_path, image):
    """The same as if the file had said so."""
    ok("convert", "a.npy", "a.nrrd", "--spacing", "0.25um,0.5")
    for verb, out, *options in (
        ("convert", "o.nrrd"), ("smooth", "o.nrrd", "--sigma", "1um"), ("react", "o.nrrd", "--steps", "4"),
        ("flow", "o.nrrd"), ("segment", "o.geojson", "--table", "t.csv")
    ):  # fmt: skip
        ok(verb, "a.nrrd", out, *options)
        expected = (tmp_path / out).read_bytes()
        ok(verb, "a.npy", out, *options, "--spacing", "0.25um,0.5")
        assert (tmp_path / out).read_bytes() == expected, verb
    assert "differ in size" not in ok("compare", "a.npy", "a.nrrd", "--spacing", "2mm").out


def test_spacing_moves_an_image_in_the_world(ok, tmp_path):
    nibabel = pytest.importorskip("nibabel")
    affine = np.array([[0, -2, 0, 10], [2, 0, 0, -20], [0, 0, 3, 5], [0, 0, 0, 1.0]])
    nibabel.save(nibabel.Nifti1Image(np.zeros((5, 4, 3), np.int16), affine), tmp_path / "a.nii")
    ok("convert", "a.nii", "b.nii", "--spacing", "1mm,0.5,6")
    expected = affine.copy()
    expected[:3, :3] = affine[:3, :3] / [2, 2, 3] * [1, 0.5, 6]
    assert np.allclose(nibabel.load(tmp_path / "b.nii").affine, expected, atol=1e-6)


@pytest.mark.parametrize("bad", ["0.1", "0um", "-1um", "1parsec", "um", "1um,", "1um,2,3,4", "nanum", "1um,2px", "infmm", ""])
def test_bad_spacing(refused, image, bad):
    error = refused(2, "convert", "a.npy", "b.npy", f"--spacing={bad}")
    assert "spacing" in error


def measured(ok, tmp_path, *options):
    """The area of one disc in words, table, file and report, each with its unit."""
    words = ok("segment", "a.npy", "o.geojson", "--table", "t.csv", *options).out
    area, unit = re.search(r"area ([^ ]+) (\w+)\^2, perimeter", words).groups()
    row = next(csv.DictReader((tmp_path / "t.csv").open()))
    collection = json.loads((tmp_path / "o.geojson").read_text())
    properties = collection["features"][0]["properties"]
    thing = ok("segment", "a.npy", "o.geojson", *options, "--json").json["result"]["objects"][0]
    found = thing.get("physical", {**thing, "unit": "px"})
    units = {unit, row.get("unit", "px"), collection["unit"], properties["unit"], found["unit"]}
    areas = [float(area), float(row["area"]), properties["area"], found["area"]]
    assert len(units) == 1 and np.allclose(areas, areas[0], rtol=1e-5)
    return areas[1], unit


@pytest.mark.parametrize(
    "spacing, unit, side",
    [("0.0003cm", "um", 3), ("0.0001mm", "um", 0.1), ("65nm", "um", 0.065), ("5nm", "nm", 5), ("0.5mm", "mm", 0.5), ("12.5um", "um", 12.5),
     ("0.0005m", "mm", 0.5), ("0.02cm", "cm", 0.02), ("2000um", "mm", 2), ("1e-12m", "nm", 1e-3), ("3pixel", "px", 1)],
)  # fmt: skip
def test_areas_are_in_the_unit_that_reads_well(ok, tmp_path, image, spacing, unit, side):
    pixels, _ = measured(ok, tmp_path)
    area, found = measured(ok, tmp_path, "--spacing", spacing)
    assert found == unit
    assert area == pytest.approx(pixels * side**2, rel=1e-9)


def test_units_pixel_means_pixels_everywhere(ok, tmp_path, image):
    expected = measured(ok, tmp_path)
    assert expected[1] == "px"
    assert measured(ok, tmp_path, "--spacing", "0.5um", "--units", "pixel") == expected
    start = ("--model", "edge", "--init", "circle:25,20,14", "--spacing", "0.5um")
    assert re.search(r"area \S+ um\^2, perimeter \S+ um;", ok("segment", "a.npy", "o.csv", *start).out)
    assert re.search(r"area \S+ px\^2, perimeter \S+ px;", ok("segment", "a.npy", "o.csv", *start, "--units", "pixel").out)
    assert "unit" not in (tmp_path / "o.csv").read_text()
    result = ok("segment", "a.npy", "o.csv", *start, "--units", "pixel", "--json").json["result"]
    assert "physical" not in result["objects"][0]


def test_outlines_in_a_readable_unit_are_starts_again(ok, tmp_path, image):
    ok("segment", "a.npy", "first.csv", "--spacing", "0.0003cm")
    assert ",um" in (tmp_path / "first.csv").read_text()
    ok("segment", "a.npy", "pixels.csv", "--units", "pixel", "--spacing", "0.0003cm")
    for name in ("first", "pixels"):
        ok("segment", "a.npy", name + ".geojson", "--init", name + ".csv", "--spacing", "0.0003cm")
    assert (tmp_path / "first.geojson").read_bytes() == (tmp_path / "pixels.geojson").read_bytes()
