# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander bench segment`: its report, the paper's statements, its picture; never its times."""

import pathlib
import py_compile

import pytest
from conftest import assert_curves

ROOT = pathlib.Path(__file__).resolve().parents[2]
SNAKES = ["full classic, 1 thread", "base32 classic", "full pyramid", "base32 pyramid", "defaults"]
WAYS = SNAKES + ["blur + Otsu", "read pass, 1 thread"]


@pytest.fixture
def report(measured):
    return measured("segment", "--device", "cpu", "--size", "256x200,160x128", "--threads", 1)


@pytest.fixture
def on_two_threads(measured):
    return measured("segment", "--device", "cpu", "--size", "128x128", "--threads", 2)


@pytest.fixture
def words(measured):
    return measured("segment", "--device", "cpu", "--size", "128x128,96x96", "--threads", 1, words=True)


def test_every_way_has_all_figures(report):
    assert report["device"]["name"] == "cpu" and report["options"]["size"] == "256x200,160x128"
    size, _ = report["result"]["sizes"]
    assert (size["size"], size["clock"], size["threads"], size["runs"]) == ("256x200", "process", 1, 1)
    assert size["otsu_sigma"] in (2, 3, 5, 8) and "scaling" not in size
    rows = {row["name"]: row for row in size["rows"]}
    assert list(rows) == WAYS
    for row in rows.values():
        for key, baseline in (("over_paper", WAYS[0]), ("over_read", WAYS[-1])):
            # One run, so ratios of medians are medians of ratios.
            assert row[key] == pytest.approx(row["seconds"] / rows[baseline]["seconds"])
        for key in ("seconds", "over_paper", "over_read"):
            low, median, high = row[key + "_quartiles"]
            assert 0 < low <= median <= high and median == row[key]
        assert row["nanoseconds_of_pixel"] == pytest.approx(row["seconds"] * 1e9 / (256 * 200))
    assert rows["read pass, 1 thread"]["iou"] is None
    assert rows["blur + Otsu"]["iou"] > 0.9
    for name in SNAKES:
        course, memory = rows[name]["course"], rows[name]["memory"]
        assert course["noise"] == "gaussian" and rows[name]["iou"] > 0.8
        total = course["build_seconds"] + course["search_seconds"]
        assert course["build_share"] == pytest.approx(course["build_seconds"] / total)
        assert course["seconds_of_iteration"] == pytest.approx(course["search_seconds"] / course["iterations"])
        assert 0 < course["sums_share"] < 1 and course["evaluations"] > course["nodes"] > 2
        assert 0 < memory["measured_bytes"] <= 1.05 * memory["estimated_bytes"]
        assert memory["process_bytes"] >= 0 and memory["fresh_seconds"] > 0


def test_stores_do_not_change_what_is_found(report):
    rows = {row["name"]: row for row in report["result"]["sizes"][0]["rows"]}
    for one, other in (("full classic, 1 thread", "base32 classic"), ("full pyramid", "base32 pyramid")):
        assert rows[one]["iou"] == rows[other]["iou"]
        for key in ("criterion", "nodes", "evaluations", "iterations"):
            assert rows[one]["course"][key] == rows[other]["course"][key], key
    assert rows["full pyramid"]["memory"]["measured_bytes"] > 16
    assert rows["base32 pyramid"]["memory"]["measured_bytes"] < 2


def test_several_threads_have_a_scaling(on_two_threads):
    size = on_two_threads["result"]["sizes"][0]
    assert size["clock"] == "wall" and size["threads"] == 2 and size["scaling"]["threads"] == 2
    assert size["scaling"]["share"] == pytest.approx(size["scaling"]["speedup"] / size["scaling"]["spin_speedup"])


def test_growth_is_told_by_the_number_of_pixels(report, on_two_threads):
    assert "growth" not in on_two_threads["result"]
    result = report["result"]
    larger, smaller = ({row["name"]: row["nanoseconds_of_pixel"] for row in size["rows"]} for size in result["sizes"])
    assert [growth["name"] for growth in result["growth"]] == ["full classic, 1 thread", "base32 pyramid"]
    for growth in result["growth"]:
        costs = [smaller[growth["name"]], larger[growth["name"]]]
        assert growth["nanoseconds_of_pixel"] == pytest.approx(costs)
        assert growth["slowest_over_fastest"] == pytest.approx(max(costs) / min(costs))


def test_the_papers_statements_stand_beside_ours(on_two_threads):
    result = on_two_threads["result"]
    rows = {row["name"]: row for row in result["sizes"][0]["rows"]}
    course = rows["full classic, 1 thread"]["course"]
    found = {entry["statement"]: (entry["paper"], [ours["value"] for ours in entry["ours"]])
             for entry in result["paper"]}
    # The paper's speedup is of larger images.
    assert found == {
        "share of the criterion": (0.6, [course["sums_share"]]),
        "share of the cumulated images": (0.2, [pytest.approx(course["build_share"])]),
        "milliseconds of a round over all nodes": (None, [pytest.approx(1e3 * course["seconds_of_iteration"])]),
        "largest image of the program on the processor, Mpixel": (15, [128 * 128 / 1e6]),
        "bytes a pixel beyond the image": (16, [rows["base32 pyramid"]["memory"]["measured_bytes"]]),
    }


def test_what_does_not_fit_is_skipped_by_name(measured):
    result = measured("segment", "--device", "cpu", "--size", "256x256", "--memory", "900000")["result"]
    rows = {row["name"]: row for row in result["sizes"][0]["rows"]}
    for name in ("full classic, 1 thread", "full pyramid"):
        assert "beyond the budget of" in rows[name]["skipped"] and "seconds" not in rows[name]
    assert rows["base32 pyramid"]["over_paper"] is None and rows["base32 pyramid"]["over_read"] > 0


def test_default_sizes_that_do_not_fit_are_left_out_by_name(ok):
    out = ok("bench", "segment", "--dry-run", "--memory", "100M").out
    assert "12000x12000 is left out: its image and mask need" in out
    assert out.count("would segment a") == 3


def test_accuracy_scores_every_kind_of_image(ok):
    run = ["bench", "segment", "--accuracy", "--device", "cpu", "--size"]
    (entry,) = ok(*run, "256x256", "--json").json["result"]["accuracy"]
    assert (entry["size"], entry["seeds"]) == ("256x256", 10)
    rows = {row["image"]: row for row in entry["rows"]}
    kinds = ["SNR 2", "SNR 1", "SNR 0.5", "SNR 0.25", "equal means, 1.5 sigma", "speckle, 1.3 times as bright"]
    assert list(rows) == [*kinds, "SNR 2, 0.13 % of the area", "SNR 1, 0.13 % of the area", *("flower, " + k for k in kinds)]
    for row in rows.values():
        for key in ("given", "polygon", "auto", "otsu"):
            assert 0 <= row[key]["least"] <= row[key]["mean"] + 1e-12 <= 1 + 1e-12
        assert 0 <= row["auto_chose_it"] <= 10
    assert rows["SNR 2"]["given"]["least"] > 0.97
    assert rows["equal means, 1.5 sigma"]["given"]["mean"] > rows["equal means, 1.5 sigma"]["otsu"]["mean"] + 0.2
    # A smooth outline of 256 pixels has some 20 nodes; a polygon of as many is farther off.
    assert rows["flower, SNR 1"]["given"]["mean"] > rows["flower, SNR 1"]["polygon"]["mean"] + 0.003
    assert 5 <= rows["flower, SNR 1"]["nodes"] < 60
    table = [line for line in ok(*run, "64x64").out.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 14 and {line.count("|") for line in table} == {13}


def test_words_say_what_the_figures_are(words):
    out, _ = words
    for part in ("128x128 u16 with noise of SNR 1 on cpu", "process time", "of a read", "fresh ms",
                 "device memory beyond the image", "the best of 4 against the truth", "slowest over fastest",
                 "no absolute times", "| share of the criterion | 60 % |"):
        assert part in out
    for name in WAYS:
        assert f"\n{name} " in out


def test_the_picture_has_a_curve_for_each_way(words):
    assert_curves(words[1], WAYS, of_each=1)


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["--size", "0x5"], "size is 0"),
        (["--size", "64x64x64"], "--size: found 64x64x64, expected planes for segment"),
        (["--runs", "0"], "runs is 0"),
        (["--device", "tpu"], "device 'tpu' is unknown"),
        (["--accuracy", "--runs", "3"], "--accuracy: found with --runs"),
        (["--accuracy", "--plot", "a.svg"], "--plot: found with --accuracy"),
        (["--paper"], "--paper is for `bench react` alone"),
        (["--sigma", "2"], "--sigma is for `bench smooth` alone"),
    ],
)
def test_bad_values_are_code_2(refused, arguments, part):
    assert part in refused(2, "bench", "segment", *arguments)


def test_a_budget_below_the_image_is_code_5(refused):
    assert "memory" in refused(5, "bench", "segment", "--size", "512x512", "--device", "cpu", "--memory", "100000")


def test_a_dry_run_measures_nothing(ok):
    out = ok("bench", "segment", "--dry-run", "--size", "1024x1024,12000x12000").out
    for size in ("1024x1024", "12000x12000"):
        assert f"would segment a {size} image in 7 ways, at most 9 times each\n" in out
    assert ok("bench", "segment", "--dry-run", "--accuracy").out == (
        "would segment 14 kinds of 1024x1024 images, 10 of each, in 4 ways\n")


@pytest.mark.parametrize("name", ["segment", "objects"])
def test_peers_compile(tmp_path, name):
    py_compile.compile(str(ROOT / f"bench/peers/{name}.py"), cfile=str(tmp_path / f"{name}.pyc"), doraise=True)
