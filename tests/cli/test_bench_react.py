# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander bench react`: its report, the paper's tables, its picture; never its times."""

import os

import pytest
from conftest import assert_curves

WAYS = ["ours", "rows", "ring", "copy", "in-core", "plain", "vectorised", "int16", "int32"]


# A square of all three tables of the paper, one of the last alone, and none.
SIZES = "512x512,768x768,64x512,64x20"


@pytest.fixture
def report(measured):
    return measured("react", "--size", SIZES, "--threads", 1)


@pytest.fixture
def on_two_threads(measured):
    return measured("react", "--size", "96x96", "--threads", 2)


@pytest.fixture
def words(measured):
    return measured("react", "--size", "512x512,64x64", "--threads", 1, words=True)


def test_any_device_is_measured_beside_the_processor(run):
    report = run("bench", "react", "--size", "64x64", "--runs", 1, "--device", "reference", "--json").json
    assert report["device"]["name"] == "reference"
    (entry,) = report["result"]["sizes"]
    rows = {row["name"]: row for row in entry["rows"]}
    assert list(rows) == WAYS and "scaling" not in entry
    assert rows["rows"]["over_ours"] < 0.5  # those of the cpu are faster than that device


def test_every_way_has_all_figures(report):
    assert report["device"]["name"] == "cpu" and report["options"]["size"] == SIZES
    assert [entry["size"] for entry in report["result"]["sizes"]] == SIZES.split(",")
    for entry in report["result"]["sizes"]:
        rows = {row["name"]: row for row in entry["rows"]}
        assert list(rows) == WAYS
        for row in rows.values():
            for key in ("nanoseconds", "over_ours"):
                low, median, high = row[key + "_quartiles"]
                assert 0 < low <= median <= high and median == row[key]
            # One run, so ratios of medians are medians of ratios.
            assert row["over_ours"] == pytest.approx(row["nanoseconds"] / rows["ours"]["nanoseconds"])
            assert row["gigabytes_per_second"] == pytest.approx(row["bytes"] / row["nanoseconds"])
        assert [rows[name]["bytes"] for name in WAYS] == [16, 16, 16, 16, 0, 16, 16, 8, 16]
        width, height = map(int, entry["size"].split("x"))
        assert entry["seconds"] == pytest.approx(rows["ours"]["nanoseconds"] * 1e-9 * width * height * 200)


def test_bounds_are_those_of_the_rows(on_two_threads):
    entry = on_two_threads["result"]["sizes"][0]
    times = {row["name"]: row["nanoseconds"] for row in entry["rows"]}
    bounds = entry["bounds"]
    assert bounds["ours_over_copy"] == pytest.approx(times["ours"] / times["copy"])
    assert bounds["ours_over_core"] == pytest.approx(times["ours"] / times["in-core"])
    larger = max(("copy", "in-core"), key=times.get)
    assert bounds["larger"] == larger
    assert bounds["ours_over_larger"] == pytest.approx(times["ours"] / times[larger])


def test_the_engine_says_what_it_chose(report):
    entries = {entry["size"]: entry for entry in report["result"]["sizes"]}
    low, high = entries["64x20"], entries["64x512"]
    assert low["method"].startswith("rows: ") and low["level"] != ""
    assert "measured on this grid" in high["method"]
    assert high["method"].split(":")[0] in ("rows", "ring")


def test_threads_decide_the_clock_and_the_scaling(report, on_two_threads):
    one = report["result"]["sizes"][0]
    assert one["clock"] == "process" and one["threads"] == 1 and "scaling" not in one
    two = on_two_threads["result"]["sizes"][0]
    assert two["clock"] == "wall" and two["threads"] == 2
    scaling = two["scaling"]
    assert scaling["threads"] == 2
    assert scaling["share"] == pytest.approx(scaling["speedup"] / scaling["spin_speedup"])


def test_integers_are_measured_for_their_accuracy(report, on_two_threads):
    assert report["result"]["accuracy"][0]["size"] == "64x20"  # the smallest
    entries = {entry["arithmetic"]: entry for entry in on_two_threads["result"]["accuracy"]}
    assert list(entries) == ["float32", "int16", "int32"]
    for entry in entries.values():
        assert entry["size"] == "96x96" and entry["cells"] == 96 * 96
        assert 0 < entry["rms"] <= entry["max"]
    assert entries["float32"]["signs"] == entries["int32"]["signs"] == 0
    assert entries["int32"]["rms"] < entries["float32"]["rms"] < entries["int16"]["rms"]


def test_the_papers_tables_stand_beside_ours(report, on_two_threads):
    assert "paper" not in on_two_threads["result"]
    entries = {entry["size"]: entry for entry in report["result"]["paper"]}
    assert list(entries) == ["512x512", "768x768"]
    first, last = entries["512x512"], entries["768x768"]
    assert first["table2"] == {"cpu_plain_seconds": 2.56, "cpu_optimised_seconds": 1.33}
    assert first["table4"] == {"cpu_seconds": 1.33, "gpu_seconds": 0.05}
    assert last["table6"] == {"cpu_seconds": 2.474, "gpu_seconds": 0.052,
                              "cpu_nanoseconds": 20.972, "gpu_nanoseconds": 0.441}
    assert "table2" not in last and "table4" not in last
    for entry in entries.values():
        assert entry["cpu_over_ours"] == pytest.approx(entry["table6"]["cpu_seconds"] / entry["seconds"])
        assert entry["gpu_over_ours"] == pytest.approx(entry["table6"]["gpu_seconds"] / entry["seconds"])


def test_words_say_what_the_figures_are(words):
    out, _ = words
    for part in ("512x512 on cpu", "process time", "ns for each cell and step", "of the larger bound",
                 "many years older", "signs that differ"):
        assert part in out
    for way in WAYS:
        assert f"\n{way} " in out


def test_the_picture_has_a_curve_for_each_way(words):
    assert_curves(words[1], WAYS, of_each=1)


@pytest.fixture
def opencl(ok):
    if "opencl:0" not in ok("devices", "--names").out.split():
        pytest.skip("no OpenCL device here")


def test_groups_that_a_device_has_not_are_left_out(opencl, ok):
    """The paper's tables stand beside sizes of theirs."""
    environment = dict(os.environ, POCL_MAX_WORK_GROUP_SIZE="256")
    report = ok("bench", "react", "--groups", "--size", "128x128", "--runs", "1", "--device", "opencl:0", "--json", env=environment).json
    (entry,) = report["result"]["groups"]
    ways = {way["name"]: way for way in entry["ways"]}
    assert "groups of 16x16" in ways and "groups of 32x32" not in ways and "groups of 256x2" not in ways
    assert ways["one work item"]["paper_seconds"] == 2.73


def test_groups_of_work_items(opencl, ok):
    report = ok("bench", "react", "--groups", "--size", "64x48", "--runs", "1", "--device", "opencl:0", "--json").json
    (entry,) = report["result"]["groups"]
    names = [way["name"] for way in entry["ways"]]
    assert names[:2] == ["by default", "one step a launch"] and names[-1] == "one work item"
    assert "groups of 1x256" in names and "groups of 32x1" in names
    assert all(way["seconds"] > 0 and "paper_seconds" not in way for way in entry["ways"])


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["react", "--size", "0x5"], "size is 0"),
        (["react", "--runs", "0"], "runs is 0"),
        (["react", "--size", "8x8x8"], "--size: found 8x8x8, expected a plane"),
        (["react", "--paper", "--size", "8x8"], "--paper: found with --size"),
        (["react", "--sigma", "2"], "--sigma is for `bench smooth` alone"),
        (["smooth", "--paper"], "--paper is for `bench react` alone"),
        (["react", "--groups", "--paper"], "--groups: found with --paper"),
        (["react", "--groups", "--plot", "a.svg"], "--plot is for `bench react` without --groups alone"),
        (["smooth", "--groups"], "--groups is for `bench react` alone"),
        (["io", "--plot", "a.svg"], "--plot is for `bench smooth`, `bench react`, `bench flow` and `bench segment` alone"),
    ],
)
def test_bad_values_are_code_2(refused, arguments, part):
    assert part in refused(2, "bench", *arguments)


def test_a_processor_has_no_groups(refused):
    assert "has no groups of work items" in refused(4, "bench", "react", "--groups", "--size", "8x8", "--device", "cpu")


def test_a_budget_that_is_too_small_is_code_5(refused):
    assert "memory" in refused(5, "bench", "react", "--size", "512x512", "--memory", "1M")


def test_a_dry_run_measures_nothing(ok):
    out = ok("bench", "react", "--dry-run").out
    for side in (512, 1024, 2048, 4096):
        assert f"would run the edge detector on a {side}x{side} image in 9 ways, 9 times each" in out
    assert ok("bench", "react", "--dry-run", "--paper").out.count("\n") == 7
