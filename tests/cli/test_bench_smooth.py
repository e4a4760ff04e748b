# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander bench smooth`: its report, its figures of accuracy, its picture; never its times."""

import pathlib
import py_compile
import re
import shlex
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
METHODS = ["auto", "fir", "yvv1995", "yvv2002", "vanvliet3", "vanvliet4", "vanvliet5", "deriche",
           "exponential4", "exponential6", "exponential8"]


@pytest.fixture
def bench(ok):
    def start(*arguments):
        runs = [] if "--accuracy" in arguments else ["--runs", 1]
        return ok("bench", "smooth", "--device", "cpu", *runs, *arguments, "--json").json

    return start


def by_method(rows):
    return {row["method"]: row for row in rows}


def test_rows_of_every_method_have_all_figures(bench):
    result = bench("--size", "200x150")["result"]
    rows = by_method(result["rows"])
    assert list(rows) == METHODS
    assert rows["auto"]["chosen"] == "vanvliet5"
    for row in rows.values():
        assert row["device"] == "cpu" and row["size"] == "200x150" and row["sigma"] == 12 and row["axes"] == 2
        assert row["nanoseconds"] == pytest.approx(row["seconds"] * 1e9 / (200 * 150 * 2))
        assert row["copies"] > 0 and row["transfers"] is False
        for key in ("seconds", "nanoseconds", "copies"):
            low, median, high = row[key + "_quartiles"]
            assert low <= median <= high and median == row[key]
    assert result["copies"][0]["gigabytes_per_second"] > 0


def test_accuracy_is_what_it_must_be(bench):
    rows = by_method(bench("--size", "300x200")["result"]["rows"])
    assert rows["exponential6"]["impulse_error"] <= 6e-6
    assert rows["exponential4"]["impulse_error"] <= 3e-4
    assert 0.008 <= rows["vanvliet3"]["impulse_error"] <= 0.012
    assert rows["vanvliet3"]["impulse_sigma"] == pytest.approx(12, abs=1e-3)
    assert rows["yvv2002"]["impulse_sigma"] == pytest.approx(13.05, abs=0.01)
    assert rows["deriche"]["impulse_sigma"] == pytest.approx(11.62, abs=0.01)
    # The star has an edge, which shows a wrong kernel, and borders.
    assert rows["fir"]["difference"]["max"] < 1e-6
    assert rows["exponential8"]["difference"]["max"] < 1e-6
    assert 1e-4 < rows["vanvliet3"]["difference"]["max"] < 3e-3
    assert rows["yvv1995"]["difference"]["rms"] < rows["yvv1995"]["difference"]["max"] < 0.02


def test_differences_are_those_to_scipys_gaussian(bench, ok, tmp_path):
    ndimage = pytest.importorskip("scipy.ndimage")
    image = np.random.default_rng(3).random((40, 32)).astype(np.float32)  # 32 columns: all are looked at
    np.save(tmp_path / "a.npy", image)
    rows = by_method(bench("--image", "a.npy", "--sigma", 3, "--methods", "vanvliet3,deriche")["result"]["rows"])
    exact = ndimage.gaussian_filter(image.astype(np.float64), 3, mode="nearest", truncate=8)
    for method, row in rows.items():
        ok("smooth", "a.npy", "b.npy", "--sigma", 3, "--method", method, "--device", "cpu")
        difference = np.abs(np.load(tmp_path / "b.npy") - exact) / np.ptp(image)
        assert row["difference"]["max"] == pytest.approx(difference.max(), rel=1e-4)
        assert row["difference"]["rms"] == pytest.approx(np.sqrt((difference**2).mean()), rel=1e-4)


def test_double_is_more_exact_than_float(bench):
    errors = {}
    for precision in ("float", "double"):
        report = bench("--size", "100x90", "--precision", precision, "--methods", "exponential8")
        assert report["options"]["precision"] == precision
        errors[precision] = report["result"]["rows"][0]["impulse_error"]
    assert errors["double"] < 1e-7 < errors["float"] < 2e-6


def test_volumes_have_three_axes(bench):
    row = bench("--size", "40x30x20", "--sigma", 2, "--methods", "fir")["result"]["rows"][0]
    assert row["axes"] == 3 and row["difference"]["max"] < 1e-6


def test_lists_of_sizes_and_scales(bench):
    result = bench("--size", "64x64,32x32", "--sigma", "2,5", "--methods", "vanvliet3")["result"]
    assert [(row["size"], row["sigma"]) for row in result["rows"]] == [
        ("64x64", 2), ("64x64", 5), ("32x32", 2), ("32x32", 5)]
    assert [entry["size"] for entry in result["flatness"]] == ["64x64", "32x32"]
    assert all(entry["slowest_over_fastest"] >= 1 for entry in result["flatness"])


def test_a_blank_image_stays_blank(bench):
    for row in bench("--size", "64x64", "--blank")["result"]["rows"]:
        assert row["difference"] == {"max": 0, "rms": 0}, row["method"]


def test_between_two_devices(bench):
    result = bench("--size", "120x100", "--against", "reference")["result"]
    assert [entry["device"] for entry in result["copies"]] == ["cpu", "reference"]
    rows = [row for row in result["rows"] if row["device"] == "reference"]
    assert [row["method"] for row in rows] == METHODS
    for row in rows:
        assert 0 <= row["between_devices"]["rms"] <= row["between_devices"]["max"] <= 5e-6
    assert all("between_devices" not in row for row in result["rows"] if row["device"] == "cpu")


def test_threads_decide_the_clock_and_the_scaling_row(bench):
    one = bench("--size", "64x64", "--methods", "auto", "--threads", 1)["result"]
    assert one["copies"][0]["clock"] == "process" and "scaling" not in one
    two = bench("--size", "64x64", "--methods", "auto", "--threads", 2)["result"]
    assert two["copies"][0]["clock"] == "wall"
    assert two["scaling"]["threads"] == 2 and two["scaling"]["method"] == "auto"
    assert two["scaling"]["share"] == pytest.approx(two["scaling"]["speedup"] / two["scaling"]["spin_speedup"])


def test_published_times_stand_beside_ours(bench):
    result = bench("--size", "1024x1024", "--methods", "yvv1995")["result"]
    assert {entry["what"]: entry["seconds"] for entry in result["published"]}["CPU YVV"] == 9.798e-3
    assert "published" not in bench("--size", "64x64", "--methods", "yvv1995")["result"]


def test_the_committed_table_of_errors_is_up_to_date(ok):
    text = (ROOT / "docs/algorithms/gaussian.md").read_text()
    command = re.search(r"`meander (bench smooth --accuracy [^`]*)`", text)[1]
    table = ok(*shlex.split(command)).out
    assert table.count("\n") > 10
    assert table in text, f"run `meander {command}` and put its output into docs/algorithms/gaussian.md"


def test_the_picture_has_a_curve_for_each_method_and_panel(ok, tmp_path):
    ok("bench", "smooth", "--accuracy", "--sigma", 2, "--methods", "deriche,yvv2002", "--plot", "a.svg")
    ok("bench", "smooth", "--size", "64x64,32x32", "--runs", 1, "--methods", "deriche,yvv2002", "--plot", "b.svg")
    for name, panels in (("a.svg", 2), ("b.svg", 3)):
        picture = ElementTree.parse(tmp_path / name)
        curves = picture.findall(".//{http://www.w3.org/2000/svg}polyline")
        assert len(curves) == 2 * panels
        texts = [text.text for text in picture.findall(".//{http://www.w3.org/2000/svg}text")]
        assert texts.count("deriche") == 1 and texts.count("yvv2002") == 1
        for curve in curves:
            points = [tuple(map(float, point.split(","))) for point in curve.get("points").split()]
            assert len(points) >= 2 and all(np.isfinite(point).all() for point in points)


def test_ringing_of_deriche_and_none_of_young_and_van_vliet(bench):
    rows = by_method(bench("--accuracy", "--sigma", 2)["result"]["accuracy"])
    assert rows["deriche"]["impulse_lowest"] < -1e-3
    assert rows["yvv1995"]["impulse_lowest"] > -1e-6


def test_methods_that_cannot_do_a_scale_are_left_out_unless_asked_for(bench, refused):
    methods = by_method(bench("--accuracy", "--sigma", 0.2)["result"]["accuracy"])
    assert "fir" in methods and "yvv1995" not in methods
    assert "yvv1995" in refused(2, "bench", "smooth", "--methods", "yvv1995", "--sigma", 0.2)


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["smooth", "--sigma", "0"], "sigma is 0"),
        (["smooth", "--sigma", "-1"], "sigma is -1"),
        (["smooth", "--sigma", "2,nan"], "sigma is nan"),
        (["smooth", "--sigma", "2,"], "--sigma: found ''"),
        (["smooth", "--methods", "box"], "--methods: found 'box'"),
        (["smooth", "--precision", "half"], "--precision: found 'half'"),
        (["smooth", "--size", "0x5"], "size is 0"),
        (["smooth", "--runs", "0"], "runs is 0"),
        (["smooth", "--against", "cpu", "--device", "cpu"], "cpu on both sides"),
        (["smooth", "--against", "tpu"], "device 'tpu' is unknown"),
        (["smooth", "--accuracy", "--size", "5x5"], "--accuracy: found with --size"),
        (["smooth", "--accuracy", "--runs", "3"], "--accuracy: found with --runs"),
        (["smooth", "--image", "a.npy", "--size", "5x5"], "--image: found with --size"),
        (["smooth", "--image", "nan.npy"], "not finite"),
        (["io", "--sigma", "12"], "--sigma is for `bench smooth` alone"),
        (["io", "--blank"], "--blank is for `bench smooth` alone"),
        (["io", "--device", "cpu"], "--device is for `bench smooth`, `bench react`, `bench flow`, `bench segment` and `bench device` alone"),
        (["io", "--size", "5x5,6x6"], "expected one for io"),
    ],
)
def test_bad_values_are_code_2(refused, tmp_path, arguments, part):
    np.save(tmp_path / "nan.npy", np.full((4, 4), np.nan, np.float32))
    assert part in refused(2, "bench", *arguments)


def test_a_dry_run_measures_nothing(ok):
    assert "would smooth a 2048x2048 image in 11 ways, 9 times each" in ok("bench", "smooth", "--dry-run").out


def test_peers_compile(tmp_path):
    py_compile.compile(str(ROOT / "bench/peers/smooth.py"), cfile=str(tmp_path / "smooth.pyc"), doraise=True)
