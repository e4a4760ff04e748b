# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""What each verb says and does."""

import numpy as np
import pytest
from conftest import HAS_TIFF, needs_png, needs_tiff


def save(path, array):
    np.save(path, array)
    return path


def test_info_reports_shape_type_and_figures(ok, tmp_path):
    values = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    report = ok("info", save(tmp_path / "a.npy", values), "--json").json
    assert report["verb"] == "info"
    assert report["inputs"][0]["shape"] == [2, 3, 4]
    assert report["inputs"][0]["type"] == "f32"
    assert report["device"]["name"]
    result = report["result"]
    assert (result["min"], result["max"], result["mean"]) == (0, 23, 11.5)
    assert result["standard_deviation"] == pytest.approx(values.std(), rel=1e-6)
    assert result["norm2"] == pytest.approx(np.linalg.norm(values), rel=1e-6)
    for key in ("read", "compute", "write", "total"):
        assert report["seconds"][key] >= 0
    assert report["memory"]["peak_bytes"] > 1e6


def test_info_in_words(ok, tmp_path):
    text = ok("info", save(tmp_path / "a.npy", np.zeros((5, 7), np.uint16))).out
    assert "NPY, 7x5, 1 channel, u16" in text
    assert "min 0, max 0" in text


def test_info_of_nan_has_null_figures_and_a_count(ok, tmp_path):
    result = ok("info", save(tmp_path / "a.npy", np.full((3, 3), np.nan, np.float32)), "--json").json["result"]
    assert result["min"] is None and result["nonfinite"] == 9


def test_channels_option_takes_the_last_axis_as_channels(ok, tmp_path):
    path = save(tmp_path / "a.npy", np.zeros((5, 7, 3), np.uint8))
    assert ok("info", path, "--json").json["inputs"][0]["shape"] == [5, 7, 3]
    with_channels = ok("info", path, "--channels", "--json").json["inputs"][0]
    assert with_channels["shape"] == [5, 7] and with_channels["channels"] == 3


def test_convert_keeps_values_and_changes_the_type(ok, tmp_path):
    values = np.array([[-3, 0.5, 1.5, 300, np.nan, np.inf]], np.float32)
    ok("convert", save(tmp_path / "a.npy", values), "b.npy", "--type", "u8", "--quiet")
    assert np.load(tmp_path / "b.npy").tolist() == [[0, 0, 2, 255, 0, 255]]


def test_convert_window_rescales(ok, tmp_path):
    ok("convert", save(tmp_path / "a.npy", np.array([[100, 300]], np.uint16)), "b.npy", "--type", "u8", "--window", "100,300")
    assert np.load(tmp_path / "b.npy").tolist() == [[0, 255]]


def test_convert_in_slabs_within_a_small_budget_equals_the_whole(ok, tmp_path):
    values = np.random.default_rng(1).integers(0, 65536, (37, 101, 53)).astype(np.uint16)
    path = save(tmp_path / "a.npy", values)
    report = ok("convert", path, "b.npy", "--type", "f32", "--memory", "400K", "--json").json
    assert report["result"]["slabs"] == 19  # pairs of 37 slices: the last slab is smaller
    assert np.array_equal(np.load(tmp_path / "b.npy"), values.astype(np.float32))
    assert report["memory"]["device_peak_bytes"] <= 400 * 1024


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_convert_runs_on_the_device_asked_for(ok, tmp_path, device):
    path = save(tmp_path / "a.npy", np.ones((4, 4), np.uint8))
    report = ok("convert", path, "b.npy", "--device", device, "--json").json
    assert report["device"]["name"] == device


@needs_tiff
def test_spacing_is_carried_over(ok, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", np.zeros((3, 5, 7), np.uint16), imagej=True, resolution=(4, 2),
                     metadata={"spacing": 0.75, "unit": "um", "axes": "ZYX"})
    ok("convert", "a.tif", "b.tif", "--type", "f32")
    assert ok("info", "b.tif", "--json").json["inputs"][0]["spacing"] == [0.75, 0.5, 0.25]
    assert ok("info", "b.tif", "--json").json["inputs"][0]["unit"] == "um"


@needs_tiff
def test_report_gives_shape_and_spacing_slowest_axis_first(ok, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", np.zeros((5, 7), np.uint16), imagej=True, resolution=(4, 2), metadata={"unit": "um"})
    entry = ok("info", "a.tif", "--json").json["inputs"][0]
    assert entry["shape"] == [5, 7] and entry["spacing"] == [0.5, 0.25]


def test_compare_within_and_beyond_the_tolerance(run, tmp_path):
    a = save(tmp_path / "a.npy", np.zeros((4, 5), np.float32))
    values = np.zeros((4, 5), np.float32)
    values[2, 3] = 0.5
    b = save(tmp_path / "b.npy", values)
    assert run("compare", a, a).code == 0
    assert run("compare", a, b, "--tolerance", "0.5").code == 0
    beyond = run("compare", a, b, "--tolerance", "0.4", "--json")
    assert beyond.code == 8
    result = beyond.json["result"]
    assert result["max"] == 0.5 and result["different"] == 1
    assert result["first_difference"]["x"] == 3 and result["first_difference"]["y"] == 2
    assert result["rms"] == pytest.approx(0.5 / 20**0.5)


def test_compare_gives_iou_of_masks(run, tmp_path):
    a, b = np.zeros((2, 4), np.uint8), np.zeros((2, 4), np.uint8)
    a[0, :3] = 255
    b[0, 1:] = 255
    result = run("compare", save(tmp_path / "a.npy", a), save(tmp_path / "b.npy", b), "--json").json["result"]
    assert result["iou"] == 0.5


def test_compare_refuses_other_shapes(refused, tmp_path):
    a = save(tmp_path / "a.npy", np.zeros((4, 5), np.float32))
    b = save(tmp_path / "b.npy", np.zeros((5, 4), np.float32))
    assert "do not match" in refused(2, "compare", a, b)


def test_phantom_is_reproducible_and_its_mask_is_the_target(ok, tmp_path):
    for name in ("a", "b"):
        ok("phantom", "star", f"{name}.npy", "--size", "64x48", "--noise", "gaussian", "--seed", 5, "--truth", f"{name}t.npy")
    image, mask = np.load(tmp_path / "a.npy"), np.load(tmp_path / "at.npy")
    assert np.array_equal(image, np.load(tmp_path / "b.npy"))
    assert image.shape == (48, 64) and image.dtype == np.uint16
    assert set(np.unique(mask)) == {0, 255}
    inside, outside = image[mask == 255].astype(float), image[mask == 0].astype(float)
    assert inside.mean() - outside.mean() == pytest.approx(12000, abs=1000)


def test_phantom_in_slabs_equals_the_whole(ok, tmp_path):
    common = ["--size", "50x40x30", "--noise", "poisson"]
    ok("phantom", "vessels", "a.npy", *common)
    ok("phantom", "vessels", "b.npy", *common, "--memory", "100K")
    assert np.array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


def test_phantom_writes_outlines(ok, tmp_path):
    import json

    report = ok("phantom", "ushape", "a.npy", "--size", "64x64", "--truth", "t.geojson", "--json").json
    outlines = json.loads((tmp_path / "t.geojson").read_text())
    assert outlines["features"][0]["geometry"]["type"] == "Polygon"
    assert report["result"]["outlines"] == 1
    ok("phantom", "ushape", "a.npy", "--size", "64x64", "--truth", "t.csv")
    assert (tmp_path / "t.csv").read_text().startswith("outline,vertex,x,y\n")


@needs_tiff
@needs_png
def test_phantom_into_every_format(ok, tmp_path):
    for name in ("a.tif", "a.png", "a.npy", "a.ome.tif"):
        ok("phantom", "blobs", name, "--size", "65x33", "--noise", "gaussian")
        assert ok("compare", "a.tif", name).code == 0


def test_verify_of_one_device(ok):
    text = ok("verify", "--device", "cpu").out
    assert "all checks passed on cpu\n" in text and "reference" not in text.splitlines()[0]


def test_verify_reports_every_check(ok):
    report = ok("verify", "--device", "cpu", "--json").json
    assert report["result"]["failures"] == 0
    assert {check["device"] for check in report["result"]["checks"]} == {"cpu"}
    assert {check["engine"] for check in report["result"]["checks"]} == {
        "copy", "convert", "reduce", "scan", "fir", "prefix", "pointwise", "stencil", "contour"}


def test_verify_is_of_every_device(ok):
    """What each of them computes is the subject of the conformance tests."""
    listed = [device["name"] for device in ok("devices", "--json").json["result"]["devices"]]
    out = ok("verify", "--dry-run").out
    assert [name for name in listed if f" {name}" in out.replace(",", " ")] == [name for name in listed if name != "reference"]


def test_devices_says_what_auto_is_and_why_others_are_absent(ok):
    result = ok("devices", "--json").json["result"]
    assert "cpu" in [device["name"] for device in result["devices"]]
    assert result["auto"] in [device["name"] for device in result["devices"]]
    for absent in result["absent"]:
        assert absent["reason"]


def test_without_an_opencl_library_the_program_works_and_says_why(ok):
    import os

    environment = dict(os.environ, MEANDER_OPENCL_LIBRARY="/nonexistent/libOpenCL.so")
    result = ok("devices", "--json", env=environment).json["result"]
    reasons = {absent["name"]: absent["reason"] for absent in result["absent"]}
    assert "opencl" in reasons
    if "without OpenCL" not in reasons["opencl"]:
        assert "/nonexistent/libOpenCL.so" in reasons["opencl"]


def test_bench_io_prints_ratios(ok):
    result = ok("bench", "io", "--size", "300x200", "--runs", "3", "--json").json["result"]
    names = [row["name"].split(",")[0] for row in result["rows"]]
    assert names == ["read() into a fresh buffer", "NPY"] + ["TIFF"] * HAS_TIFF
    assert result["rows"][0]["ratio"] == 1
    assert all(row["ratio"] > 0 for row in result["rows"])
