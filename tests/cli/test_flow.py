# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander flow` against a sparse solve and the published steps; its outputs, pictures and refusals."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, needs_png, needs_tiff

ndimage = pytest.importorskip("scipy.ndimage")
sparse = pytest.importorskip("scipy.sparse")
spsolve = pytest.importorskip("scipy.sparse.linalg").spsolve

# Residual and correction of 1e-10 leave an error of some 1e-9 of the field in float64.
SOLVED = ["--precision", "double", "--tolerance", "1e-10"]
MODES = {"mirror": "reflect", "clamp": "edge"}


@pytest.fixture
def image(tmp_path):
    """A disc on a slope, so that no two rows or columns are alike."""
    y, x = np.mgrid[0:45, 0:61]
    values = (60 + x + (np.hypot(x - 25, y - 20) < 12) * 90).astype(np.uint8)
    np.save(tmp_path / "a.npy", values)
    return values


def gradient(values, mode="reflect", sides=None):
    """V0, components last, x first: central differences of the image scaled to 0 to 1."""
    scaled = (values.astype(float) - values.min()) / (float(values.max()) - values.min())
    sides = sides or [1] * values.ndim
    components = []
    for axis in reversed(range(values.ndim)):
        if values.shape[axis] == 1:
            components.append(np.zeros_like(scaled))
            continue
        padded = np.pad(scaled, [(1, 1) if a == axis else (0, 0) for a in range(values.ndim)], mode=mode)
        n = values.shape[axis]
        components.append((padded.take(range(2, n + 2), axis) - padded.take(range(n), axis)) / 2 / sides[axis])
    return np.stack(components, -1)


def second_difference(n, mode):
    """Along one axis, as a matrix."""
    matrix = sparse.lil_matrix((n, n))
    for i in range(n if n > 1 else 0):
        for j in (i - 1, i + 1):
            if j < 0 or j >= n:
                j = (1 if j < 0 else n - 2) if mode == "reflect" else i
            matrix[i, j] += 1
            matrix[i, i] -= 1
    return matrix.tocsr()


def laplacian(shape, mode="reflect", sides=None):
    """The matrix of all axes, the slowest first, over the squares of the pixel's sides."""
    sides = sides or [1] * len(shape)
    total = sparse.csr_matrix((np.prod(shape), np.prod(shape)))
    for axis, n in enumerate(shape):
        before, after = int(np.prod(shape[:axis])), int(np.prod(shape[axis + 1 :]))
        term = sparse.kron(sparse.kron(sparse.eye(before), second_difference(n, mode)), sparse.eye(after))
        total = total + term / sides[axis] ** 2
    return total.tocsr()


def solution(v0, mu=0.1, mode="reflect", sides=None):
    """(b - mu Laplacian) V = b V0, directly."""
    shape = v0.shape[:-1]
    b = (v0**2).sum(-1).ravel()
    matrix = (sparse.diags(b) - mu * laplacian(shape, mode, sides)).tocsc()
    return np.stack([spsolve(matrix, b * v0[..., c].ravel()).reshape(shape) for c in range(v0.shape[-1])], -1)


def steps(v0, count, mu=0.1, mode="reflect"):
    """The published scheme."""
    shape = v0.shape[:-1]
    matrix = laplacian(shape, mode)
    b = (v0**2).sum(-1)[..., None]
    v = v0.copy()
    for _ in range(count):
        change = np.stack([(matrix @ v[..., c].ravel()).reshape(shape) for c in range(v.shape[-1])], -1)
        v = v + mu * change - b * (v - v0)
    return v


def error(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


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


def v0_of(ok, tmp_path, *options):
    """No steps leave the gradient as it is."""
    ok("flow", "a.npy", "v0.npy", "--solver", "explicit", "--iterations", "0", *options)
    return np.load(tmp_path / "v0.npy")


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


def test_types_and_formats(ok, refused, tmp_path, image):
    ok("flow", "a.npy", "b.npy", "--type", "f16")
    half = np.load(tmp_path / "b.npy")
    ok("flow", "a.npy", "b.npy")
    assert half.dtype == np.float16 and np.allclose(half, np.load(tmp_path / "b.npy"), atol=1e-3)
    np.save(tmp_path / "wide.npy", image.astype(float))
    ok("flow", "wide.npy", "b.npy")
    assert np.load(tmp_path / "b.npy").dtype == np.float64


@needs_png
def test_pictures_cannot_hold_a_field(ok, refused, tmp_path, image):
    for options in ([], ["--output", "unit"], ["--output", "magnitude"], ["--type", "u8"]):
        assert "TIFF or NPY" in refused(4, "flow", "a.npy", "b.png", *options)
    ok("flow", "a.npy", "b.png", "--output", "magnitude", "--type", "u8")  # rounded, because it was asked for


def test_not_converged(run, refused, tmp_path, image):
    options = ["--tolerance", "1e-9", "--precision", "double", "--max-cycles", "2"]
    message = refused(8, "flow", "a.npy", "b.npy", *options)
    assert "after 2 cycles" in message and "1e-09" in message and "residual" in message
    kept = run("flow", "a.npy", "b.npy", *options, "--keep", "--json")
    assert kept.code == 8 and kept.err.count("\n") == 1 and "after 2 cycles" in kept.err
    assert kept.json["result"]["converged"] is False and kept.json["result"]["cycles"] == 2
    found = np.load(tmp_path / "b.npy")
    assert found.shape == (45, 61, 2) and error(found, solution(gradient(image))) < 0.1


def test_mu_beyond_the_limit_is_refused_with_it(ok, refused, image):
    largest = np.linalg.norm(gradient(image), axis=-1).max()
    limit = (2 - largest**2) / 8
    message = refused(2, "flow", "a.npy", "b.npy", "--solver", "explicit", "--mu", limit * 1.01)
    stated = float(message.split("at most ")[1].split()[0])
    assert stated == pytest.approx(limit, rel=1e-5) and "a.npy" in message
    result = ok("flow", "a.npy", "b.npy", "--solver", "explicit", "--mu", limit * 0.99, "--json").json["result"]
    assert result["mu_limit"] == pytest.approx(limit, rel=1e-5)


def test_options_that_do_not_go_together(refused, image):
    refused(2, "flow", "a.npy", "b.npy", "--solver", "explicit", "--generalised", "0.1")
    refused(2, "flow", "a.npy", "b.npy", "--storage", "f16")
    refused(2, "flow", "a.npy", "b.npy", "--iterations", "5")
    refused(2, "flow", "a.npy", "b.npy", "--solver", "explicit", "--storage", "f16", "--precision", "double")
    for option, value in (("mu", "0"), ("tolerance", "2"), ("max-cycles", "0"), ("solver", "gauss"), ("repeat", "0")):
        assert f"{option}" in refused(2, "flow", "a.npy", "b.npy", f"--{option}", value)


def test_colour_images_are_refused(refused, tmp_path):
    np.save(tmp_path / "rgb.npy", np.zeros((5, 6, 3), np.uint8))
    message = refused(2, "flow", "rgb.npy", "b.npy", "--channels")
    assert "rgb.npy: an image with 3 channels" in message and "--field" in message


@needs_png
def test_transparency_is_left_out(ok, tmp_path, image):
    np.save(tmp_path / "ga.npy", np.stack([image, image // 2], -1))
    ok("convert", "ga.npy", "ga.png", "--channels")
    ok("flow", "ga.png", "b.npy")
    ok("flow", "a.npy", "c.npy")
    assert np.array_equal(np.load(tmp_path / "b.npy"), np.load(tmp_path / "c.npy"))


def test_bad_values(refused, tmp_path, image):
    holed = image.astype(np.float32)
    holed[3, 4] = np.nan
    np.save(tmp_path / "nan.npy", holed)
    message = refused(2, "flow", "nan.npy", "b.npy")
    assert "nan.npy: " in message and " 1 number" in message
    refused(7, "flow", "none.npy", "b.npy")
    refused(7, "flow", "a.npy", "none/b.npy")
    refused(4, "flow", "a.npy", "b.txt")
    refused(4, "flow", "a.npy", "b.npy", "--picture", "p.txt")
    refused(4, "flow", "a.npy", "b.npy", "--picture", "./b.npy")


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


@needs_png
def test_picture_shows_the_flow(ok, tmp_path, image):
    y, x = np.mgrid[0:96, 0:96]
    np.save(tmp_path / "a.npy", (np.hypot(x - 48, y - 48) < 24).astype(np.uint8) * 200)
    plain = ok("flow", "a.npy", "b.npy").out
    before = (tmp_path / "b.npy").read_bytes()
    report = ok("flow", "a.npy", "b.npy", "--picture", "p.png", "--json").json
    assert [entry["path"] for entry in report["outputs"]] == ["b.npy", "p.png"] and plain
    assert (tmp_path / "b.npy").read_bytes() == before
    ok("convert", "p.png", "p.npy")
    sheet = np.load(tmp_path / "p.npy").astype(int)
    # Four tiles of 96 pixels, four times enlarged, above the part of 24 pixels, sixteen times.
    assert sheet.shape == (8 + 20 + 384 + 8 + 20 + 384 + 8, 8 + 4 * 392, 3)

    def tile(index, x, y):
        return sheet[28 + 4 * y + 2, 8 + index * 392 + 4 * x + 2]

    assert tile(0, 48, 48).tolist() == [255] * 3 and tile(0, 5, 5).tolist() == [0] * 3
    assert tile(1, 48, 48).tolist() == [0] * 3 and tile(2, 24, 48).min() > 150
    # Left of the disc the field points right, above it down.
    for (px, py), colour in {(10, 48): (255, 0, 0), (48, 10): (128, 255, 0), (48, 86): (128, 0, 255)}.items():
        assert np.abs(tile(3, px, py) - colour).max() < 12, (px, py)
    arrows = sheet[28 + 384 + 28 :, 8 + 392 : 8 + 2 * 392 - 8]
    assert (np.abs(arrows - (255, 196, 0)).max(-1) < 40).sum() > 100


@needs_png
def test_pictures_of_fields_volumes_and_pixels(ok, tmp_path, image):
    v0_of(ok, tmp_path)
    ok("flow", "v0.npy", "b.npy", "--field", "--picture", "p.png")
    assert ok("info", "p.png", "--json").json["inputs"][0]["channels"] == 3
    for shape in ((5, 6, 7), (1, 1), (1, 40)):
        np.save(tmp_path / "v.npy", np.arange(np.prod(shape), dtype=np.uint8).reshape(shape))
        ok("flow", "v.npy", "w.npy", "--picture", "p.png")


def test_stated_memory_is_enough(ok, refused, tmp_path, image):
    np.save(tmp_path / "mask.npy", np.ones_like(image))
    ok("flow", "a.npy", "start.npy")
    for options in ([], ["--solver", "explicit"], ["--solver", "explicit", "--storage", "f16"], ["--output", "unit"],
                    ["--precision", "double"], ["--mask", "mask.npy"], ["--start", "start.npy"], ["--type", "f64"],
                    ["--sigma", "2"], ["--picture", "p.npy"]):  # fmt: skip
        budget = [*options, "--device", "cpu"]
        stated = ok("flow", "a.npy", "b.npy", *budget, "--json").json["result"]["memory_bytes"]
        ok("flow", "a.npy", "b.npy", *budget, "--memory", stated)
        refused(5, "flow", "a.npy", "new.npy", *budget, "--memory", stated - 1)


def test_refusal_names_what_would_fit(ok, refused, tmp_path):
    z, y, x = np.mgrid[0:24, 0:25, 0:26]
    np.save(tmp_path / "v.npy", (x + y + z).astype(np.float32))
    needs = {}
    for name, options in {"multigrid": [], "f32": ["--solver", "explicit"],
                          "f16": ["--solver", "explicit", "--storage", "f16"]}.items():  # fmt: skip
        report = ok("flow", "v.npy", "w.npy", *options, "--device", "cpu", "--dry-run", "--json").json
        needs[name] = report["result"]["memory_bytes"]
    assert needs["f16"] < needs["f32"] < needs["multigrid"]

    def answer(budget, *options):
        return refused(5, "flow", "v.npy", "w.npy", *options, "--device", "cpu", "--memory", budget)

    message = answer(needs["multigrid"] - 1)
    assert str(needs["multigrid"]) in message and f"--solver explicit --storage f32 needs {needs['f32']}" in message
    for options in ([], ["--solver", "explicit"]):
        assert f"--solver explicit --storage f16 needs {needs['f16']}" in answer(needs["f32"] - 1, *options)
    assert "no solver or storage" in answer(needs["f16"] - 1)
    assert "no solver or storage" in answer(needs["multigrid"] - 1, "--precision", "double", "--solver", "explicit")
    assert "no solver or storage" in answer(needs["f16"], "--generalised", "0.1")
    ok("flow", "v.npy", "w.npy", "--solver", "explicit", "--storage", "f16", "--device", "cpu", "--memory", needs["f16"])


def test_repeat_and_dry_run(ok, tmp_path, image):
    report = ok("flow", "a.npy", "b.npy", "--repeat", "3", "--json").json
    assert len(report["seconds"]["compute_runs"]) == 3 and report["seconds"]["compute"] > 0
    (tmp_path / "b.npy").unlink()
    assert "would run multigrid, mu 0.1, tolerance 0.0001" in ok("flow", "a.npy", "b.npy", "--dry-run").out
    assert "61 steps" in ok("flow", "a.npy", "b.npy", "--solver", "fed", "--dry-run").out
    assert not (tmp_path / "b.npy").exists()


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


def test_interrupted_run_leaves_nothing(tmp_path):
    rng = np.random.default_rng(2)
    np.save(tmp_path / "a.npy", rng.integers(0, 256, (1500, 1500)).astype(np.uint8))
    started = subprocess.Popen([PROGRAM, "flow", "a.npy", "b.npy", "--solver", "explicit", "--iterations", "10000000", "--mu",
                                "0.01", "--device", "cpu"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)  # fmt: skip
    time.sleep(1)
    started.send_signal(signal.SIGINT)
    assert started.wait(timeout=60) == 130
    assert started.stderr.read().count("\n") == 1
    assert os.listdir(tmp_path) == ["a.npy"]
