# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander flow` against a sparse solve and the published steps, option by option."""

import numpy as np
import pytest
from conftest import needs_tiff
from flow_oracle import error, gradient, solution, steps, v0_of

ndimage = pytest.importorskip("scipy.ndimage")

# Residual and correction of 1e-10 leave an error of some 1e-9 of the field in float64.
SOLVED = ["--precision", "double", "--tolerance", "1e-10"]
MODES = {"mirror": "reflect", "clamp": "edge"}


@pytest.mark.parametrize("border", ["mirror", "clamp"])
def test_field_is_the_solution_of_the_equation(ok, tmp_path, image, border):
    ok("flow", "a.npy", "b.npy", *SOLVED, "--border", border, "--mu", "0.3")
    found = np.load(tmp_path / "b.npy")
    assert found.shape == (45, 61, 2) and found.dtype == np.float64
    expected = solution(gradient(image, MODES[border]), 0.3, MODES[border])
    assert error(found, expected) < 1e-6
    other = solution(gradient(image, MODES[border]), 0.1, MODES[border])
    assert error(found, other) > 0.05  # mu counts


def test_tolerance_says_how_near(ok, tmp_path, image):
    expected = solution(gradient(image))
    errors = []
    for tolerance in ("1e-2", "1e-4", "1e-6"):
        result = ok("flow", "a.npy", "b.npy", "--tolerance", tolerance, "--json").json["result"]
        assert result["converged"] and result["relative_residual"] <= float(tolerance)
        errors.append(error(np.load(tmp_path / "b.npy"), expected))
    assert np.load(tmp_path / "b.npy").dtype == np.float32
    assert errors[0] > errors[1] > errors[2] and errors[1] < 0.02 and errors[2] < 2e-3


@pytest.mark.parametrize("count", [1, 2, 7, 24])
def test_explicit_takes_exactly_these_steps(ok, tmp_path, image, count):
    for border, mode in MODES.items():
        report = ok("flow", "a.npy", "b.npy", "--solver", "explicit", "--iterations", count, "--border", border,
                    "--precision", "double", "--json").json  # fmt: skip
        assert report["result"]["iterations"] == count and report["result"]["time"] == count
        found = np.load(tmp_path / "b.npy")
        assert error(found, steps(gradient(image, mode), count, mode=mode)) < 1e-12
        assert error(found, steps(gradient(image, mode), count + 1, mode=mode)) > 1e-6


def test_fed_goes_farther_in_as_many_steps(ok, tmp_path, image):
    expected = solution(gradient(image))
    errors = {}
    for solver in ("explicit", "fed"):
        report = ok("flow", "a.npy", "b.npy", "--solver", solver, "--json").json
        assert report["result"]["iterations"] == report["options"]["iterations"] == 61  # the longer side
        errors[solver] = error(np.load(tmp_path / "b.npy"), expected)
    assert errors["fed"] < errors["explicit"] / 2


def test_report_tells_of_every_cycle(ok, run, image):
    result = ok("flow", "a.npy", "b.npy", "--tolerance", "1e-6", "--json").json["result"]
    history = result["history"]
    assert [entry["cycle"] for entry in history] == list(range(1, result["cycles"] + 1)) and len(history) >= 3
    residuals = [entry["relative_residual"] for entry in history]
    assert residuals == sorted(residuals, reverse=True) and residuals[-1] == result["relative_residual"]
    assert history[-1]["correction"] == result["correction"] < 1e-3
    assert result["solver"] == "multigrid" and result["iterations"] == 0 and result["mu_limit"] is None
    assert (result["image_min"], result["image_max"]) == (image.min(), image.max())
    assert result["max_v0"] == pytest.approx(np.linalg.norm(gradient(image), axis=-1).max(), rel=1e-5)
    assert result["method"] and result["memory_bytes"] > 0
    told = run("flow", "a.npy", "b.npy", "--tolerance", "1e-6", "--verbose").err
    assert told.count("cycle ") == len(history) and f"cycle {len(history)}: residual " in told
    said = ok("flow", "a.npy", "b.npy").out
    assert "cycles, residual" in said and said.count("\n") == 1


def test_outputs_are_made_of_the_field(ok, tmp_path, image):
    fields = {}
    for output in ("field", "magnitude", "unit"):
        ok("flow", "a.npy", "b.npy", "--output", output)
        fields[output] = np.load(tmp_path / "b.npy")
    length = np.linalg.norm(fields["field"], axis=-1)
    assert fields["magnitude"].shape == (45, 61) and np.allclose(fields["magnitude"], length, rtol=1e-5)
    assert np.allclose(fields["unit"] * length[..., None], fields["field"], atol=1e-6)
    assert np.allclose(np.linalg.norm(fields["unit"], axis=-1), 1, atol=1e-5)


def test_a_field_is_taken_as_it_is(ok, refused, tmp_path, image):
    v0 = v0_of(ok, tmp_path)
    assert np.abs(v0 - gradient(image)).max() < 1e-6
    ok("flow", "a.npy", "of_image.npy")
    report = ok("flow", "v0.npy", "of_field.npy", "--field", "--json").json
    assert report["inputs"][0]["channels"] == 2 and "image_min" not in report["result"]
    assert error(np.load(tmp_path / "of_field.npy"), np.load(tmp_path / "of_image.npy")) < 1e-5
    np.save(tmp_path / "twice.npy", 2 * v0)  # b is four times as large: not the same flow
    ok("flow", "twice.npy", "double.npy", "--field")
    assert error(np.load(tmp_path / "double.npy") / 2, np.load(tmp_path / "of_image.npy")) > 0.05
    assert "channels" in refused(2, "flow", "v0.npy", "x.npy", "--channels")
    np.save(tmp_path / "three.npy", np.zeros((5, 6, 3), np.float32))
    assert "three.npy" in refused(2, "flow", "three.npy", "x.npy", "--field")
    assert "sigma" in refused(2, "flow", "v0.npy", "x.npy", "--field", "--sigma", "1")


def test_sigma_takes_gaussian_derivatives(ok, tmp_path, image):
    found = v0_of(ok, tmp_path, "--sigma", "2")
    scaled = (image.astype(float) - image.min()) / (float(image.max()) - image.min())
    expected = np.stack([ndimage.gaussian_filter(scaled, 2, order=o, mode="mirror") for o in ((0, 1), (1, 0))], -1)
    inside = (slice(10, -10), slice(10, -10))
    assert error(found[inside], expected[inside]) < 5e-3
    assert error(v0_of(ok, tmp_path)[inside], expected[inside]) > 0.1


def test_generalised_flow_follows_k(ok, tmp_path, image):
    fields = []
    for options in ([], ["--generalised", "0.1"], ["--generalised", "0.02"], ["--generalised", "0.1", "--mu", "9"]):
        ok("flow", "a.npy", "b.npy", "--tolerance", "1e-6", *options)
        fields.append(np.load(tmp_path / "b.npy"))
    assert error(fields[0], fields[1]) > 0.01 and error(fields[1], fields[2]) > 0.01
    assert np.array_equal(fields[1], fields[3])
    # The smaller K, the more of the gradient is kept.
    v0 = gradient(image)
    assert error(fields[2], v0) < error(fields[1], v0)


def test_mask_confines_the_field(ok, refused, tmp_path, image):
    mask = np.zeros_like(image)
    mask[5:40, 5:45] = 1
    np.save(tmp_path / "mask.npy", mask)
    ok("flow", "a.npy", "b.npy", "--mask", "mask.npy")
    ok("flow", "a.npy", "all.npy")
    found, without = np.load(tmp_path / "b.npy"), np.load(tmp_path / "all.npy")
    assert np.abs(found[mask == 0]).max() == 0 and (np.abs(found[mask == 1]).sum(-1) > 0).all()
    assert error(found[mask == 1], without[mask == 1]) > 1e-3
    np.save(tmp_path / "small.npy", mask[:-1])
    assert "small.npy" in refused(2, "flow", "a.npy", "x.npy", "--mask", "small.npy")
    assert "mask" in refused(2, "flow", "a.npy", "x.npy", "--mask", "mask.npy", "--solver", "explicit")


def test_start_saves_cycles(ok, refused, tmp_path, image):
    far = ok("flow", "a.npy", "b.npy", "--tolerance", "1e-6", "--json").json["result"]
    near = ok("flow", "a.npy", "c.npy", "--tolerance", "1e-6", "--start", "b.npy", "--json").json["result"]
    assert near["cycles"] < far["cycles"] and near["history"][0]["correction"] < 1e-3
    assert error(np.load(tmp_path / "c.npy"), np.load(tmp_path / "b.npy")) < 1e-3
    np.save(tmp_path / "short.npy", np.zeros((44, 61, 2), np.float32))
    np.save(tmp_path / "three.npy", np.zeros((45, 61, 3), np.float32))
    for start in ("short.npy", "three.npy"):
        message = refused(2, "flow", "a.npy", "x.npy", "--start", start)
        assert start in message and "61x45 with 2" in message


def test_storage_rounds_the_field(ok, tmp_path, image):
    fields = {}
    for storage in ("f32", "f16", "snorm16"):
        result = ok("flow", "a.npy", "b.npy", "--solver", "explicit", "--storage", storage, "--json").json["result"]
        assert (result["relative_residual"] is None) == (storage != "f32")
        fields[storage] = np.load(tmp_path / "b.npy")
        assert fields[storage].dtype == np.float32
    assert 1e-5 < error(fields["f16"], fields["f32"]) < 1e-2
    assert 1e-5 < error(fields["snorm16"], fields["f32"]) < 1e-2
    assert np.abs(fields["snorm16"] * 32767 - np.rint(fields["snorm16"] * 32767)).max() < 1e-2


def test_constant_images_give_no_field(ok, tmp_path):
    for shape in ((1, 1), (1, 9), (6, 7), (3, 4, 5)):
        np.save(tmp_path / "a.npy", np.full(shape, 7, np.uint16))
        for options in ([], ["--solver", "explicit"], ["--solver", "fed"], ["--output", "unit"]):
            ok("flow", "a.npy", "b.npy", *options)
            found = np.load(tmp_path / "b.npy")
            assert found.shape == (*shape, len(shape)) and not found.any()


def test_a_single_row_has_no_vectors_along_y(ok, tmp_path):
    values = np.zeros((1, 30), np.uint8)
    values[0, 11:19] = 200
    np.save(tmp_path / "a.npy", values)
    ok("flow", "a.npy", "b.npy", *SOLVED)
    found = np.load(tmp_path / "b.npy")
    expected = solution(gradient(values))
    assert error(found, expected) < 1e-6 and not found[..., 1].any()


def test_volumes(ok, tmp_path):
    z, y, x = np.mgrid[0:9, 0:11, 0:13]
    values = (np.sqrt((x - 6) ** 2 + (y - 5) ** 2 + (z - 3) ** 2) < 3.5).astype(np.uint8) * 100
    np.save(tmp_path / "v.npy", values)
    ok("flow", "v.npy", "w.npy", *SOLVED)
    found = np.load(tmp_path / "w.npy")
    assert found.shape == (9, 11, 13, 3)
    assert error(found, solution(gradient(values))) < 1e-6
    ok("flow", "w.npy", "again.npy", "--field")  # four axes: components last
    ok("flow", "v.npy", "s.npy", "--start", "w.npy", "--solver", "fed", "--iterations", "5")


@needs_tiff
def test_spacing_counts_and_is_carried(ok, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    rng = np.random.default_rng(5)
    values = ndimage.gaussian_filter(rng.random((8, 10, 12)), 1).astype(np.float32)
    tifffile.imwrite(tmp_path / "a.tif", values, imagej=True, resolution=(4, 2),
                     metadata={"spacing": 1.0, "unit": "um", "axes": "ZYX"})  # fmt: skip
    report = ok("flow", "a.tif", "b.tif", *SOLVED, "--json").json
    assert report["outputs"][0]["spacing"] == [1, 0.5, 0.25] and report["outputs"][0]["unit"] == "um"
    assert ok("info", "b.tif", "--json").json["inputs"][0]["spacing"] == [1, 0.5, 0.25]
    ok("convert", "b.tif", "b.npy")
    sides = [4, 2, 1]
    assert error(np.load(tmp_path / "b.npy"), solution(gradient(values, sides=sides), sides=sides)) < 1e-5


@pytest.mark.parametrize("device", ["reference", "opencl:0"])
def test_devices_agree(ok, tmp_path, image, device):
    ok("flow", "a.npy", "cpu.npy", "--device", "cpu", "--tolerance", "1e-6")
    if device not in ok("devices", "--names").out.split():
        pytest.skip(f"no device {device} here")
    ok("flow", "a.npy", "other.npy", "--device", device, "--tolerance", "1e-6")
    expected = np.load(tmp_path / "cpu.npy")
    assert error(np.load(tmp_path / "other.npy"), expected) < 1e-3
    for storage in ("f32", "f16", "snorm16"):
        options = ["--solver", "explicit", "--storage", storage]
        ok("flow", "a.npy", "cpu.npy", "--device", "cpu", *options)
        ok("flow", "a.npy", "other.npy", "--device", device, *options)
        assert error(np.load(tmp_path / "other.npy"), np.load(tmp_path / "cpu.npy")) < 2e-3, storage
