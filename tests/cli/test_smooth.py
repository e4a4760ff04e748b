# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander smooth` against SciPy, in slabs, with bad values, and when it is interrupted."""

import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, needs_png, needs_tiff

ndimage = pytest.importorskip("scipy.ndimage")

# SciPy's names of our borders: its reflect is half-sample too, its mirror whole-sample.
BORDERS = {"clamp": "nearest", "reflect": "reflect", "mirror": "mirror", "periodic": "wrap", "zero": "constant"}

SMALL = ["--memory", "100K", "--threads", "1", "--device", "cpu"]  # less than `image` needs there at once


@pytest.fixture
def image(tmp_path):
    values = np.random.default_rng(1).integers(0, 65536, (90, 70)).astype(np.uint16)
    np.save(tmp_path / "a.npy", values)
    return values


@pytest.fixture
def volume(tmp_path):
    values = np.random.default_rng(2).integers(0, 256, (30, 40, 50)).astype(np.uint8)
    np.save(tmp_path / "v.npy", values)
    return values


def scipy_smooth(values, sigma, order=0, border="clamp"):
    return ndimage.gaussian_filter(values.astype(np.float64), sigma, order, mode=BORDERS[border], truncate=9)


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("method,bound", [("exponential6", 1e-5), ("fir", 1e-5), ("auto", 2e-3), ("vanvliet5", 1e-2)])
def test_image_is_scipys(ok, tmp_path, image, border, method, bound):
    ok("smooth", "a.npy", "b.npy", "--sigma", "4", "--border", border, "--method", method, "--error-bound", "1e-3")
    found = np.load(tmp_path / "b.npy")
    assert found.dtype == np.float32
    assert np.abs(found - scipy_smooth(image, 4, border=border)).max() <= bound * 65535


@pytest.mark.parametrize("border", BORDERS)
def test_volume_is_scipys(ok, tmp_path, volume, border):
    ok("smooth", "v.npy", "b.npy", "--sigma", "1.5,2,3", "--border", border, "--method", "exponential8")
    # x is our first axis and SciPy's last.
    assert np.abs(np.load(tmp_path / "b.npy") - scipy_smooth(volume, (3, 2, 1.5), border=border)).max() <= 2e-5 * 255


@pytest.mark.parametrize("order,scipys", [("1,0,0", (0, 0, 1)), ("0,1,1", (1, 1, 0)), ("0,0,2", (2, 0, 0))])
def test_derivatives_are_scipys(ok, tmp_path, volume, order, scipys):
    ok("smooth", "v.npy", "b.npy", "--sigma", "2.5", "--order", order, "--method", "exponential8")
    expected = scipy_smooth(volume, 2.5, scipys)
    # Ours answer ramps and parabolas exactly, which SciPy's samples of the formula nearly do.
    assert np.abs(np.load(tmp_path / "b.npy") - expected).max() <= 1e-3 * np.abs(expected).max() + 2e-4


def test_gradient_and_magnitude_have_components_last(ok, tmp_path, image):
    ok("smooth", "a.npy", "g.npy", "--sigma", "3", "--output", "gradient", "--error-bound", "1e-4")
    ok("smooth", "a.npy", "m.npy", "--sigma", "3", "--output", "magnitude", "--error-bound", "1e-4")
    gradient = np.load(tmp_path / "g.npy")
    assert gradient.shape == (90, 70, 2)
    expected = np.stack([scipy_smooth(image, 3, (0, 1)), scipy_smooth(image, 3, (1, 0))], -1)
    assert np.abs(gradient - expected).max() <= 2e-3 * np.abs(expected).max()
    assert np.allclose(np.load(tmp_path / "m.npy"), np.hypot(gradient[..., 0], gradient[..., 1]), atol=0.01)


def test_mask_and_nan(ok, tmp_path, image):
    mask = (image > 20000).astype(np.uint8)
    np.save(tmp_path / "m.npy", mask)
    options = ["--sigma", "2", "--method", "exponential8"]
    ok("smooth", "a.npy", "b.npy", "--mask", "m.npy", *options)
    average = scipy_smooth(image * mask.astype(float), 2) / scipy_smooth(mask, 2)
    expected = np.where(mask, average, image)
    assert np.abs(np.load(tmp_path / "b.npy") - expected).max() <= 0.5
    np.save(tmp_path / "n.npy", np.where(mask, image, np.nan).astype(np.float32))
    ok("smooth", "n.npy", "b.npy", "--nonfinite", "ignore", *options)
    assert np.abs(np.load(tmp_path / "b.npy") - average).max() <= 0.5


def test_report_says_what_each_axis_got(ok, image):
    report = ok("smooth", "a.npy", "b.npy", "--sigma", "3,0.8", "--json", "--repeat", "3").json
    result = report["result"]
    assert [axis["axis"] for axis in result["axes"]] == ["x", "y"]
    assert [axis["sigma_pixels"] for axis in result["axes"]] == [3, 0.8]
    assert all(axis["error"] <= result["error_bound"] == 1e-3 for axis in result["axes"])
    assert result["order"] == [0, 0, 0] and result["slabs"] == 1 and result["spill_bytes"] == 0
    assert set(result["method"].split(",")) == {axis["method"] for axis in result["axes"]}
    assert len(report["seconds"]["compute_runs"]) == 3
    assert report["seconds"]["compute"] in report["seconds"]["compute_runs"]
    assert report["outputs"][0]["type"] == "f32" and report["options"]["type"] == "f32"


def test_dry_run_says_the_plan_and_writes_nothing(ok, tmp_path, image):
    text = ok("smooth", "a.npy", "b.npy", "--sigma", "3", "--dry-run").out
    assert "axis x: sigma 3 pixels" in text and "in memory at once" in text
    text = ok("smooth", "a.npy", "b.npy", "--sigma", "6", "--dry-run", *SMALL).out
    assert "slabs" in text and "temporary file" in text
    assert not (tmp_path / "b.npy").exists()


def test_types_to_write(ok, tmp_path, image):
    ok("smooth", "a.npy", "b.npy", "--sigma", "2", "--type", "u16")
    ok("smooth", "a.npy", "f.npy", "--sigma", "2")
    rounded = np.load(tmp_path / "b.npy")
    assert rounded.dtype == np.uint16
    assert np.array_equal(rounded, np.rint(np.load(tmp_path / "f.npy")).astype(np.uint16))
    ok("smooth", "a.npy", "d.npy", "--sigma", "2", "--precision", "double")
    assert np.load(tmp_path / "d.npy").dtype == np.float64


@needs_png
def test_png_gets_the_inputs_type_or_is_refused(ok, refused, tmp_path, image):
    report = ok("smooth", "a.npy", "b.png", "--sigma", "2", "--json").json
    assert report["outputs"][0]["type"] == "u16"
    ok("smooth", "a.npy", "b.npy", "--sigma", "2", "--type", "u16")
    ok("compare", "b.png", "b.npy")
    np.save(tmp_path / "f.npy", image.astype(np.float32))
    assert "PNG cannot hold f32" in refused(4, "smooth", "f.npy", "c.png", "--sigma", "2")
    np.save(tmp_path / "v.npy", np.zeros((5, 6, 7), np.uint8))
    refused(4, "smooth", "v.npy", "c.png", "--sigma", "2", "--output", "hessian")


@needs_tiff
def test_physical_units_and_spacing(ok, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    values = np.random.default_rng(3).integers(0, 255, (8, 40, 50)).astype(np.uint16)
    tifffile.imwrite(tmp_path / "a.tif", values, imagej=True, resolution=(4, 2), metadata={"spacing": 1.0, "unit": "um", "axes": "ZYX"})
    report = ok("smooth", "a.tif", "b.tif", "--sigma", "1um", "--json").json
    assert [axis["sigma_pixels"] for axis in report["result"]["axes"]] == [4, 2, 1]
    assert report["outputs"][0]["spacing"] == [1, 0.5, 0.25] and report["outputs"][0]["unit"] == "um"
    np.save(tmp_path / "a.npy", values)
    ok("smooth", "a.npy", "c.npy", "--sigma", "4,2,1")
    ok("compare", "b.tif", "c.npy")


@pytest.mark.parametrize("options,words", [
    (["--method", "magic"], "'magic', expected auto, fir"),
    (["--sigma", "-1"], "sigma is -1, expected 0 to"),
    (["--sigma", "nan"], "sigma is nan, expected 0 to"),
    (["--sigma", "1,2,3,4"], "found '1,2,3,4'"),
    (["--sigma", "1parsec"], "found '1parsec'"),
    (["--sigma", "1um"], "spacing has no unit"),
    (["--order", "3"], "order is 3, expected 0 to 2"),
    (["--order", "1", "--sigma", "0"], "sigma is 0 along x"),
    (["--order", "1", "--output", "gradient"], "sets the orders itself"),
    (["--output", "everything"], "'everything', expected image, gradient"),
    (["--border", "constant"], "constant"),
    (["--error-bound", "0"], "error-bound is 0"),
    (["--mask", "other.npy"], "other.npy: a mask of 5x4 with 1 channel, expected 70x90"),
    (["--mask", "a.npy", "--order", "1"], "a mask"),
    (["--nonfinite", "ignore", "--output", "laplacian"], "nonfinite=ignore"),
    (["--repeat", "0"], "repeat is 0"),
    (["--repeat", "2", "--sigma", "6", *SMALL], "--repeat"),
])
def test_bad_values_are_code_2_and_a_sentence(refused, tmp_path, image, options, words):
    np.save(tmp_path / "other.npy", np.ones((4, 5), np.uint8))
    assert words in refused(2, "smooth", "a.npy", "b.npy", *options)


def test_nan_is_refused_with_the_count(refused, tmp_path):
    values = np.ones((20, 20), np.float32)
    values[3, 4:7] = np.nan
    np.save(tmp_path / "a.npy", values)
    assert "holds 3 numbers" in refused(2, "smooth", "a.npy", "b.npy", "--nonfinite", "error")


def test_a_pipe_is_code_4(refused, tmp_path, image):
    os.mkfifo(tmp_path / "pipe.npy")
    assert "pipe" in refused(4, "smooth", "pipe.npy", "b.npy")
    assert "pipe" in refused(4, "smooth", "/dev/stdin", "b.npy", input="not a file")
    assert "pipe" in refused(4, "smooth", "a.npy", "b.npy", "--mask", "pipe.npy")


def test_a_budget_below_one_slice_is_code_5(refused, image):
    assert "needs" in refused(5, "smooth", "a.npy", "b.npy", "--memory", "10K", "--device", "cpu")


@pytest.mark.parametrize("options", [
    ["--sigma", "6"], ["--sigma", "1"], ["--sigma", "6", "--method", "vanvliet4", "--border", "periodic"],
    ["--sigma", "8", "--output", "hessian", "--border", "reflect"], ["--sigma", "1.5", "--mask", "m.npy"], ["--sigma", "8", "--mask", "m.npy"],
    ["--sigma", "6", "--type", "u8"], ["--sigma", "6,6"],
])
def test_slabs_give_the_same_bytes_and_leave_nothing(ok, tmp_path, options):
    volume = np.random.default_rng(4).integers(0, 256, (150, 80, 100)).astype(np.uint8)
    np.save(tmp_path / "v.npy", volume)
    np.save(tmp_path / "m.npy", (volume > 60).astype(np.uint8))
    before = sorted(p.name for p in tmp_path.iterdir())
    ok("smooth", "v.npy", "whole.npy", *options)
    megabytes = 8 if "--mask" in options else 6
    report = ok("smooth", "v.npy", "slabs.npy", *options, "--memory", f"{megabytes}M", "--threads", "1", "--json").json
    assert report["result"]["slabs"] > 1
    assert (report["result"]["spill_bytes"] > 0) == (options[1] in ("6", "8"))
    assert report["memory"]["device_peak_bytes"] <= megabytes << 20
    assert (tmp_path / "slabs.npy").read_bytes() == (tmp_path / "whole.npy").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*before, "slabs.npy", "whole.npy"])


@pytest.mark.parametrize("how,code", [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_nothing_is_left_after_an_interruption(tmp_path, how, code):
    folder = tmp_path / "work"
    folder.mkdir()
    np.save(tmp_path / "v.npy", np.zeros((400, 500, 500), np.uint8))
    process = subprocess.Popen([PROGRAM, "smooth", tmp_path / "v.npy", folder / "b.npy", "--memory", "20M", "--sigma", "5"],
                               stderr=subprocess.PIPE)
    spills = f"/proc/{process.pid}/fd"
    deadline = time.monotonic() + 60
    # It is at work once it holds two files without a name: the output and the spill.
    while process.poll() is None and time.monotonic() < deadline:
        try:
            unnamed = [os.readlink(f"{spills}/{n}") for n in os.listdir(spills)]
        except FileNotFoundError:
            continue
        if sum("(deleted)" in name for name in unnamed) >= 2:
            break
    assert process.poll() is None
    process.send_signal(how)
    assert process.wait(timeout=60) == code
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("device", ["cpu", "opencl:0"])  # by a second thread where a device has memory of its own
def test_a_full_disk_is_code_7_and_names_the_folder(ok, refused, tmp_path, device):
    if device not in ok("devices", "--names").out.split():
        pytest.skip(f"no device {device} here")
    np.save(tmp_path / "v.npy", np.zeros((150, 80, 100), np.uint8))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))  # the nearest thing to a full disk
    options = ["--sigma", "6", "--memory", "6M", "--threads", "1", "--device", device]
    error = refused(7, "smooth", "v.npy", "./b.npy", *options, preexec_fn=limit)
    assert ".: a temporary file in this folder cannot be used: File too large" in error


@pytest.mark.parametrize("device", ["cpu", "opencl:0"])
@pytest.mark.parametrize("shape", [(4300, 4100), (200, 350, 350)])
def test_a_large_result_is_written_in_parts(ok, tmp_path, shape, device):
    """Parts of 64 MB, against slabs, which are far smaller."""
    if device not in ok("devices", "--names").out.split():
        pytest.skip(f"no device {device} here")
    np.save(tmp_path / "a.npy", np.random.default_rng(5).integers(0, 200, shape, dtype=np.uint8))
    ok("smooth", "a.npy", "whole.npy", "--sigma", "3", "--device", device)
    ok("smooth", "a.npy", "slabs.npy", "--sigma", "3", "--device", device, "--memory", "60M")
    assert (tmp_path / "whole.npy").read_bytes() == (tmp_path / "slabs.npy").read_bytes()
