# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander bench flow`: its report, the paper's tables, its picture; never its times."""

import math

import pytest
from conftest import assert_curves

WAYS = ["f32", "f16", "snorm16", "copy", "plain", "vectorised"]
SOLVERS = [("multigrid", True), ("multigrid", False), ("fed", True)]


# In no order, two planes and two volumes.
SIZES = "96x64,512x512,16x12x20,12x12x12"


@pytest.fixture
def report(measured):
    return measured("flow", "--device", "cpu", "--size", SIZES, "--threads", 1)


@pytest.fixture
def on_two_threads(measured):
    return measured("flow", "--device", "cpu", "--size", "64x64,16x16x16", "--threads", 2)


@pytest.fixture
def words(measured):
    return measured("flow", "--device", "cpu", "--size", "512x512,64x64,8x8x8,12x12x12", "--threads", 1, words=True)


def test_every_way_and_solver_has_all_figures(report):
    assert report["device"]["name"] == "cpu" and report["options"]["size"] == SIZES
    plane, _, volume, _ = report["result"]["sizes"]
    assert (plane["size"], plane["plain_steps"]) == ("96x64", 512)
    assert (volume["size"], volume["plain_steps"]) == ("16x12x20", 100)
    assert [row["bytes"] for row in plane["rows"]] == [24, 12, 12, 16, 24, 24]
    assert [row["bytes"] for row in volume["rows"]] == [36, 18, 18, 24, 36, 36]
    for entry, pixels in ((plane, 96 * 64), (volume, 16 * 12 * 20)):
        rows = {row["name"]: row for row in entry["rows"]}
        assert list(rows) == WAYS and entry["method"] != "" and entry["level"] != ""
        for row in rows.values():
            for key in ("nanoseconds", "over_ours"):
                low, median, high = row[key + "_quartiles"]
                assert 0 < low <= median <= high and median == row[key]
            # One run, so ratios of medians are medians of ratios.
            assert row["over_ours"] == pytest.approx(row["nanoseconds"] / rows["f32"]["nanoseconds"])
            assert row["gigabytes_per_second"] == pytest.approx(row["bytes"] / row["nanoseconds"])
        plain = rows["plain"]["nanoseconds"] * 1e-9 * pixels * entry["plain_steps"]
        assert [(row["solver"], row["noise"]) for row in entry["solvers"]] == SOLVERS
        for row in entry["solvers"]:
            assert row["over_plain"] == pytest.approx(row["seconds"] / plain)
            assert row["nanoseconds"] == pytest.approx(row["seconds"] * 1e9 / pixels)
        *multigrid, fed = entry["solvers"]
        for row in multigrid:
            assert row["converged"] and row["relative_residual"] <= 1e-6
            assert 1 <= row["cycles"] <= 6 and row["iterations"] == 0
        assert fed["iterations"] == 64 and fed["cycles"] == 0


def test_threads_decide_the_clock_and_the_scaling(report, on_two_threads):
    one = report["result"]["sizes"][0]
    assert one["clock"] == "process" and one["threads"] == 1
    assert "scaling" not in one and "scaling" not in one["solvers"][0]
    two = on_two_threads["result"]["sizes"][0]
    assert two["clock"] == "wall" and two["threads"] == 2
    for scaling in (two["scaling"], two["solvers"][0]["scaling"]):
        assert scaling["threads"] == 2
        assert scaling["share"] == pytest.approx(scaling["speedup"] / scaling["spin_speedup"])


def test_memory_stands_beside_the_papers(report):
    rows = report["result"]["memory"]
    ways = [("explicit", "f32"), ("explicit", "f16"), ("explicit", "snorm16"), ("multigrid", "f32")]
    published = {"512x512": [24, 12, 12, None], "16x12x20": [36, 18, 18, None]}
    for size, figures in published.items():
        assert [(row["solver"], row["storage"], row["published_bytes"]) for row in rows if row["size"] == size] == [
            (*way, figure) for way, figure in zip(ways, figures)]
    for row in rows:
        assert 0 < row["measured_bytes"] <= 1.05 * row["estimated_bytes"]


def test_growth_is_told_of_planes_and_of_volumes(report, on_two_threads):
    assert "growth" not in on_two_threads["result"]
    result = report["result"]
    costs = {(entry["size"], row["noise"]): row["nanoseconds"]
             for entry in result["sizes"] for row in entry["solvers"] if row["solver"] == "multigrid"}
    found = {(growth["axes"], growth["noise"]): growth["nanoseconds"] for growth in result["growth"]}
    # By the number of pixels, whatever the order of sizes.
    assert found == {
        (axes, noise): [costs[size, noise] for size in sizes]
        for axes, sizes in ((2, ("96x64", "512x512")), (3, ("12x12x12", "16x12x20")))
        for noise in (True, False)
    }
    for growth in result["growth"]:
        assert growth["slowest_over_fastest"] == max(growth["nanoseconds"]) / min(growth["nanoseconds"])


def test_the_papers_table_stands_beside_ours(report):
    result = report["result"]
    (table,) = result["paper"]
    assert (table["table"], table["size"], table["iterations"]) == (1, "512x512", 512)
    step = result["sizes"][1]["rows"][0]["nanoseconds"] * 1e-6 * 512 * 512
    assert table["one_iteration_milliseconds"] == pytest.approx(step)
    assert table["all_iterations_milliseconds"] == pytest.approx(512 * step)
    assert table["multigrid_milliseconds"] == pytest.approx(1e3 * result["sizes"][1]["solvers"][0]["seconds"])
    first, last = table["processors"][0], table["processors"][-1]
    assert (first["processor"], first["gpu"], first["one_iteration_milliseconds"]) == ("AMD 5870", True, 0.035)
    assert (last["processor"], last["gpu"], last["all_iterations_milliseconds"]) == ("Intel i7 720", False, 1550)
    assert last["over_ours"] == pytest.approx(1550 / (512 * step))


def test_accuracy_says_how_far_storages_and_solvers_are_off(ok):
    found = ok("bench", "flow", "--accuracy", "--size", "96x80", "--device", "cpu", "--json").json["result"]
    (entry,) = found["accuracy"]
    assert (entry["size"], entry["steps"]) == ("96x80", 96) and "sizes" not in found
    rows = {(row["image"], row["field"], row["beside"]): row for row in entry["rows"]}
    assert len(rows) == 14
    for image in ("head", "star with noise"):
        for storage in ("f16", "snorm16"):
            for beside in ("explicit f32", "converged"):
                row = rows[image, f"explicit {storage}", beside]
                assert row["vectors"] == 96 * 80
                for errors in (row["magnitude"], row["angle"]):
                    assert 0 <= errors["min"] <= errors["mean"] <= errors["max"]
                    assert 0 < errors["variance"] <= (errors["max"] - errors["min"]) ** 2 / 4
                assert row["angle"]["max"] <= math.pi
        assert rows[image, "multigrid 1e-6", "converged"]["distance"] < 2e-3
        assert rows[image, "explicit f32", "converged"]["distance"] > 0.01
    assert entry["paper"]["magnitude"] == {"mean": 0.00078, "variance": 4.29e-7, "max": 0.00377, "min": 8.92e-10}
    assert entry["paper"]["angle"] == {"mean": 0.55, "variance": 0.59, "max": 3.14, "min": 0}
    assert entry["paper"]["largest_turned"] == 9.15e-4


def test_accuracy_is_a_table_in_markdown(ok):
    lines = ok("bench", "flow", "--accuracy", "--size", "48x48", "--device", "cpu").out.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 14 + 1 and {line.count("|") for line in table} == {14}
    assert table[-1].startswith("| published: 16 bits | 32 bits | 7.80e-04 |")


def test_words_say_what_the_figures_are(words):
    out, _ = words
    for part in ("512x512 with noise on cpu", "process time", "ns for each pixel and step", "of what a copy does",
                 "512 steps of the plain loop, which do not converge", "slowest over fastest", "many years older",
                 "Table 1: 512x512, 512 iterations", "Intel i5 750", "bytes for each pixel of 512x512"):
        assert part in out
    for name in [*WAYS, "multigrid", "multigrid, no noise", "fed"]:
        assert f"\n{name} " in out
    assert "did not reach" not in out


def test_the_picture_has_a_curve_for_each_way(words):
    assert_curves(words[1], WAYS + ["multigrid, all"], of_each=2)


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["flow", "--size", "0x5"], "size is 0"),
        (["flow", "--runs", "0"], "runs is 0"),
        (["flow", "--device", "tpu"], "device 'tpu' is unknown"),
        (["flow", "--accuracy", "--runs", "3"], "--accuracy: found with --runs"),
        (["flow", "--accuracy", "--plot", "a.svg"], "--plot: found with --accuracy"),
        (["flow", "--paper"], "--paper is for `bench react` alone"),
        (["flow", "--sigma", "2"], "--sigma is for `bench smooth` alone"),
        (["react", "--accuracy"], "--accuracy is for `bench smooth`, `bench flow` and `bench segment` alone"),
        (["io", "--accuracy"], "--accuracy is for `bench smooth`, `bench flow` and `bench segment` alone"),
    ],
)
def test_bad_values_are_code_2(refused, arguments, part):
    assert part in refused(2, "bench", *arguments)


def test_a_budget_that_is_too_small_is_code_5(refused):
    assert "memory" in refused(5, "bench", "flow", "--size", "512x512", "--device", "cpu", "--memory", "1M")


def test_a_dry_run_measures_nothing(ok):
    out = ok("bench", "flow", "--dry-run").out
    for size in ("256x256", "4096x4096", "64x64x64", "256x256x256"):
        assert f"would run the flow of a {size} image in 9 ways, 9 times each\n" in out
    assert out.count("\n") == 8
    assert ok("bench", "flow", "--dry-run", "--accuracy").out == "would solve two 512x512 images in 6 ways\n"
