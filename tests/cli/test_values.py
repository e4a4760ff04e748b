# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""What becomes of values on their way: windows, saturation, NaN, and files that would be written over themselves."""

import os

import numpy as np
import pytest
from conftest import HAS_PNG, needs_png

RNG = np.random.default_rng(5)


@pytest.fixture
def save(tmp_path):
    def write(name, array):
        np.save(tmp_path / name, array)
        return array

    return write


@pytest.fixture
def load(tmp_path):
    return lambda name: np.load(tmp_path / name)


def hot(shape=(100, 200), low=100, high=300, pixels=7):
    """Plain noise and a few hot pixels that hold nearly all of the range."""
    values = RNG.integers(low, high, shape).astype(np.uint16)
    values.flat[RNG.choice(values.size, pixels, replace=False)] = 60000
    return values


def percentiles(values):
    """The values that one in 1000 lies below and above."""
    ordered = np.sort(values[np.isfinite(values)], axis=None)
    beyond = len(ordered) // 1000
    return float(ordered[beyond]), float(ordered[-1 - beyond])


# --window auto


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int16, np.float16, np.float32, np.float64])
def test_convert_window_auto_takes_the_percentiles(ok, save, load, kind):
    values = RNG.normal(90, 30, (150, 101)).astype(kind)
    if kind == np.int16:
        values -= 120
    if np.issubdtype(kind, np.floating):
        values[3, 4:7] = [np.nan, np.inf, -np.inf]
        values[5] -= 200
    save("a.npy", values)
    report = ok("convert", "a.npy", "b.npy", "--type", "u8", "--window", "auto", "--quiet", "--json").json
    low, high = percentiles(values)
    assert report["result"]["window"] == [low, high]
    expected = np.rint(np.clip((np.nan_to_num(values.astype(np.float64), nan=-1e9, posinf=1e9, neginf=-1e9) - low) / (high - low), 0, 1) * 255)
    assert np.abs(load("b.npy") - expected).max() <= 1


def test_convert_window_auto_in_slabs_is_that_of_the_whole(ok, save, load):
    save("a.npy", RNG.normal(0, 1, (700, 600)).astype(np.float32))
    ok("convert", "a.npy", "whole.npy", "--type", "u16", "--window", "auto")
    report = ok("convert", "a.npy", "slabs.npy", "--type", "u16", "--window", "auto", "--memory", "600000", "--json").json
    assert report["result"]["slabs"] > 3
    assert np.array_equal(load("whole.npy"), load("slabs.npy"))


def test_convert_window_auto_of_a_film_is_one_for_all_frames(ok, save, load):
    film = np.stack([np.full((1, 40, 50, 1), level) + RNG.integers(0, 9, (1, 40, 50, 1)) for level in (100, 200, 400)]).astype(np.uint16)
    save("film.npy", film)
    ok("convert", "film.npy", "b.npy", "--type", "u8", "--window", "auto")
    means = load("b.npy").reshape(3, -1).mean(axis=1)
    assert means[0] < 10 and 60 < means[1] < 100 and means[2] > 245


def test_convert_window_auto_of_a_constant_is_the_lower_end(ok, save, load):
    save("a.npy", np.full((9, 9), 3000, np.uint16))
    ok("convert", "a.npy", "b.npy", "--type", "u8", "--window", "auto")
    assert not load("b.npy").any()
    save("a.npy", np.full((9, 9), np.nan, np.float32))
    ok("convert", "a.npy", "b.npy", "--type", "u8", "--window", "auto", "--quiet")
    assert not load("b.npy").any()


def test_small_things_on_a_plain_ground_are_seen_with_window_auto(ok, save, load):
    values = np.zeros((100, 100), np.uint8)
    values[50, 50:52] = 9
    save("a.npy", values)
    ok("convert", "a.npy", "b.npy", "--window", "auto")
    assert (load("b.npy") == np.where(values, 255, 0)).all()


def test_convert_says_how_many_pixels_were_nan(run, save, load):
    values = np.tile(np.arange(100, dtype=np.float32), (50, 1))
    values[3, 4:7] = np.nan
    save("a.npy", values)
    result = run("convert", "a.npy", "b.npy", "--type", "u8", "--json")
    assert result.code == 0 and not load("b.npy")[3, 4:7].any() and result.json["result"]["nan_to_zero"] == 3
    assert result.err == "meander: a.npy: 3 of 5000 values (0.06 %) were NaN and became 0; --type f32 keeps them\n"
    assert "3 of 5000" in run("convert", "a.npy", "b.npy", "--type", "u8", "--window", "auto").err
    assert run("convert", "a.npy", "b.npy", "--type", "f64").err == ""
    values[:, 50:] = 1000
    save("a.npy", values)
    error = run("convert", "a.npy", "b.npy", "--type", "u8").err
    assert error.count("\n") == 1 and "2500 of 5000 values (50 %) saturated" in error
    assert ", and 3 of 5000 values (0.06 %) were NaN and became 0; --window auto" in error


@needs_png
def test_overlays_have_a_window(ok, refused, save, tmp_path):
    values = hot((120, 160))
    values[40:80, 50:100] += 400
    save("a.npy", values)

    def picture(*options):
        ok("segment", "a.npy", "b.geojson", "--init", "box:45,35,105,85", "--overlay", "o.png", *options)
        ok("convert", "o.png", "o.npy")
        return np.load(tmp_path / "o.npy")

    shown = picture()
    assert np.array_equal(shown, picture("--window", "auto"))
    assert np.ptp(shown[:60, :60]) > 20  # hot pixels do not make the rest black
    assert picture("--window", "0,65535")[:60, :60].max() < 4
    for verb, out in (("segment", "c.geojson"), ("convert", "c.npy"), ("react", "c.npy")):
        options = ["--overlay", "p.png"] if verb == "segment" else []
        assert "LO,HI, LO smaller than HI" in refused(2, verb, "a.npy", out, *options, "--window", "9,3")
    assert "--overlay" in refused(2, "segment", "a.npy", "c.geojson", "--window", "auto")


def test_react_leaves_out_a_few_pixels_that_hold_the_range(ok, save, load):
    values = save("a.npy", hot())
    low, high = percentiles(values)
    options = ["--steps", "0", "--gain", "0.5"]
    result = ok("react", "a.npy", "b.npy", *options)
    beyond = int((values > high).sum() + (values < low).sum())
    assert f"window {low:g} to {high:g}: {beyond} pixels beyond it became -1 or 1; --window range takes them in" in result.out
    states = load("b.npy")
    expected = np.clip((values - low) / (high - low) * 2 - 1, -1, 1) * 0.5
    assert np.abs(states - expected).max() < 1e-6
    ok("react", "a.npy", "auto.npy", *options, "--window", "auto")
    assert np.array_equal(load("auto.npy"), states)
    assert "window" not in ok("react", "a.npy", "range.npy", *options, "--window", "range").out
    assert load("range.npy").max() == 0.5 and np.median(load("range.npy")) < -0.49


def test_react_takes_the_whole_range_of_plain_images(ok, save, load):
    save("a.npy", RNG.normal(1000, 100, (300, 300)).astype(np.float32))
    result = ok("react", "a.npy", "b.npy", "--steps", "3", "--json").json["result"]
    assert result["window"] == [float(load("a.npy").min()), float(load("a.npy").max())]
    assert "beyond_window" not in result
    narrow = ok("react", "a.npy", "b.npy", "--steps", "3", "--window", "auto", "--json").json["result"]
    assert narrow["window"] == list(percentiles(load("a.npy"))) and narrow["beyond_window"] == 180


def test_frames_of_a_film_share_the_window_that_react_finds(ok, save, load):
    film = np.stack([hot((80, 90), 100, 200, 3), hot((80, 90), 200, 300, 3)])[:, None, :, :, None]
    save("film.npy", film)
    result = ok("react", "film.npy", "b.npy", "--steps", "0")
    low, high = percentiles(film)
    assert f"window {low:g} to {high:g}" in result.out
    expected = np.clip((film.astype(np.float64) - low) / (high - low) * 2 - 1, -1, 1) * 0.5
    assert np.abs(load("b.npy") - expected).max() < 1e-6


# Saturation


def test_values_that_saturate_are_counted(run, ok, save):
    save("a.npy", np.arange(10000, dtype=np.float32).reshape(100, 100) - 3)
    result = run("convert", "a.npy", "b.npy", "--type", "u8", "--json")
    assert result.code == 0
    assert result.err == (
        "meander: a.npy: 9744 of 10000 values (97.4 %) saturated at the ends of u8, 0 and 255; --window auto scales instead, --type f32 keeps them\n"
    )
    assert result.json["result"]["saturated"] == 9744
    ok("convert", "a.npy", "b.npy", "--type", "u8", "--quiet")
    ok("convert", "a.npy", "b.npy", "--type", "u16")  # 3 of them are no news


def test_exactly_one_in_a_thousand_is_no_news(run, ok, save):
    values = np.zeros((100, 100), np.float32)
    values.flat[:10] = 300
    save("a.npy", values)
    assert ok("convert", "a.npy", "b.npy", "--type", "u8", "--json").json["result"]["saturated"] == 10
    values.flat[10] = np.inf
    save("a.npy", values)
    assert "11 of 10000 values (0.11 %)" in run("convert", "a.npy", "b.npy", "--type", "u8").err


def test_a_given_window_counts_what_it_cuts_off(run, save):
    # 99 and 900 are rounded to the ends.
    save("a.npy", np.arange(1000, dtype=np.uint16).reshape(10, 100))
    assert "a.npy: 198 of 1000 values (19.8 %) saturated at the ends of u8, 0 and 255; --window auto or a wider one" in run("convert", "a.npy", "b.npy", "--type", "u8", "--window", "100,899").err


def test_smooth_flow_and_react_count_what_their_output_cannot_hold(run, ok, save):
    values = np.zeros((40, 50), np.float32)
    values[:, 25:] = 1000
    save("a.npy", values)
    text = run("smooth", "a.npy", "b.npy", "--sigma", "1", "--type", "u8").err
    assert text.startswith("meander: a.npy: ") and "at the ends of u8, 0 and 255" in text and text.endswith("--type f32 keeps them\n")
    save("f.npy", np.full((40, 50, 2), 1000, np.float32))
    assert "4000 of 4000 values (100 %) saturated" in run("flow", "f.npy", "b.npy", "--field", "--channels", "--type", "u8").err
    noisy = save("n.npy", RNG.integers(0, 256, (60, 60)).astype(np.uint8))
    assert noisy.min() == 0 and noisy.max() == 255
    options = ["--genes", "a=0,b=1,c=2,e=-0.1", "--steps", "9", "--output-map", "input", "--type", "u8"]
    assert "saturated at the ends of u8" in run("react", "n.npy", "b.npy", *options).err
    ok("react", "n.npy", "b.npy", "--type", "u8")  # by its own range
    ok("react", "n.npy", "b.npy", "--preset", "binarise", "--type", "u8")  # by ends that are asked for


def test_frames_are_counted_together(run, save):
    save("film.npy", np.full((3, 1, 20, 30, 1), 400, np.uint16))
    text = run("convert", "film.npy", "b.npy", "--type", "u8").err
    assert text.count("\n") == 1 and "film.npy: 1800 of 1800 values (100 %)" in text


@pytest.mark.skipif(not HAS_PNG, reason="this build has no PNG")
def test_the_advice_for_a_picture_is_another_file(run, save):
    save("a.npy", np.full((20, 30), 400, np.float32))
    assert "such as .tif" in run("smooth", "a.npy", "b.png", "--sigma", "1", "--type", "u8").err


# NaN


def test_smooth_says_how_many_pixels_became_nan(run, ok, save, load):
    values = np.ones((30, 40), np.float32)
    values[10, 10] = np.nan
    values[20, 30] = np.inf
    save("a.npy", values)
    result = run("smooth", "a.npy", "b.npy", "--sigma", "1", "--method", "fir", "--json")
    count = int((~np.isfinite(load("b.npy"))).sum())
    assert 2 < count < 400 and result.json["result"]["became_nan"] == count
    assert result.err.startswith(f"meander: a.npy: {count} of 1200 values (") and result.err.count("\n") == 1
    assert "became NaN, because IN holds NaN or infinities; --nonfinite ignore" in result.err
    assert "which is written as 0" in run("smooth", "a.npy", "b.npy", "--sigma", "1", "--type", "u8").err
    ok("smooth", "a.npy", "b.npy", "--sigma", "1", "--nonfinite", "ignore")
    assert np.isfinite(load("b.npy")).all()


# Files that would be written over themselves


VERBS = [("smooth", ["--sigma", "1"]), ("flow", []), ("react", ["--steps", "3"]), ("convert", []), ("segment", [])]


@pytest.mark.parametrize("verb, options", VERBS, ids=[verb for verb, options in VERBS])
@pytest.mark.parametrize("link", ["itself", "symbolic", "hard"])
def test_an_image_is_not_written_over_itself(refused, image, tmp_path, verb, options, link):
    before = (tmp_path / "a.npy").read_bytes()
    out = "a.npy" if link == "itself" else "b.npy"
    if link == "symbolic":
        os.symlink("a.npy", tmp_path / out)
    if link == "hard":
        os.link(tmp_path / "a.npy", tmp_path / out)
    text = refused(2, verb, "a.npy", out, *options)
    assert f"{out}: is IN too, expected another OUT" in text
    assert ("--in-place" in text) == (verb != "segment")
    assert (tmp_path / "a.npy").read_bytes() == before


@pytest.mark.parametrize("verb, options", VERBS[:4], ids=[verb for verb, options in VERBS[:4]])
def test_in_place_writes_over_the_image(ok, image, load, tmp_path, verb, options):
    ok(verb, "a.npy", "b.npy", *options)
    ok(verb, "a.npy", "a.npy", *options, "--in-place")
    assert np.array_equal(load("a.npy"), load("b.npy"))


def test_in_place_through_a_link_writes_what_it_leads_to(ok, image, load, tmp_path):
    os.symlink("a.npy", tmp_path / "link.npy")
    ok("convert", "a.npy", "link.npy", "--type", "f32", "--in-place")
    assert load("a.npy").dtype == np.float32 and (tmp_path / "link.npy").is_symlink()


def test_other_inputs_are_not_written_over_either(refused, image, save):
    save("m.npy", np.ones((45, 61), np.uint8))
    assert "m.npy: an input too" in refused(2, "smooth", "a.npy", "m.npy", "--sigma", "1", "--mask", "m.npy", "--in-place")
    assert "--picture: a.npy" in refused(2, "flow", "a.npy", "b.npy", "--picture", "a.npy")


def test_numbered_files_are_not_written_over_themselves(ok, refused, save, load):
    for i in range(3):
        save(f"f{i}.npy", RNG.integers(0, 255, (20, 30)).astype(np.uint8))
    assert "is IN too" in refused(2, "react", "f%d.npy", "f%d.npy", "--steps", "3")
    assert "f1.npy: is IN too" in refused(2, "react", "f%d.npy", "f1.npy", "--steps", "3")
    ok("react", "f%d.npy", "g%d.npy", "--steps", "3")
    ok("react", "f%d.npy", "f%d.npy", "--steps", "3", "--in-place")
    assert np.array_equal(load("f1.npy"), load("g1.npy"))


def test_many_files_in_place(ok, refused, save, load, tmp_path):
    (tmp_path / "in").mkdir()
    for name in "ab":
        save(f"in/{name}.npy", RNG.integers(0, 255, (20, 30)).astype(np.uint8))
    assert "or --in-place" in refused(2, "smooth", "in/*.npy", "in", "--sigma", "1")
    assert "--resume" in refused(2, "smooth", "in/*.npy", "in", "--sigma", "1", "--in-place", "--resume")
    ok("smooth", "in/*.npy", "out/", "--sigma", "1")
    ok("smooth", "in/*.npy", "in", "--sigma", "1", "--in-place")
    assert np.array_equal(load("in/a.npy"), load("out/a.npy"))
    (tmp_path / "out/a.npy").unlink()
    os.link(tmp_path / "in/b.npy", tmp_path / "out/a.npy")
    assert "an input too" in refused(2, "smooth", "in/*.npy", "out/", "--sigma", "1")


# Words


def test_a_curve_that_did_not_settle_is_still_moving(run, image):
    result = run("segment", "a.npy", "b.geojson", "--model", "edge", "--init", "circle:25,20,6", "--max-steps", "9", "--keep")
    assert result.code == 8
    assert "still moving after" in result.out and "steps after" not in result.out


def test_flow_of_a_constant_has_no_correction(ok, save):
    save("a.npy", np.full((20, 30), 7, np.uint8))
    result = ok("flow", "a.npy", "b.npy")
    assert result.out == "multigrid: 0 cycles, residual 0\n"


def test_arguments_that_are_too_many_are_named_in_order(refused):
    assert "one two three" in refused(2, "devices", "one", "two", "three")
    assert "b.npy c.npy" in refused(2, "phantom", "star", "a.npy", "b.npy", "c.npy")


def test_objects_that_are_none_of_the_truths_are_said_so(ok, save):
    values = RNG.normal(100, 3, (100, 120))
    truth = np.zeros((100, 120), np.uint8)
    for label, (y, x) in enumerate([(20, 20), (20, 80), (70, 20)], 1):
        values[y : y + 15, x : x + 15] += 60
        truth[y : y + 15, x : x + 15] = label if label < 3 else 0
    save("a.npy", values.astype(np.float32))
    save("t.npy", truth)
    text = ok("segment", "a.npy", "b.geojson", "--truth", "t.npy").out
    assert "objects of the truth: 2 found" in text and "; 0 missed; outlines that match none: 1\n" in text


def test_objects_around_several_of_the_truth_are_counted(ok, save):
    values = RNG.normal(100, 3, (100, 120))
    values[20:40, 20:60] += 60
    truth = np.zeros((100, 120), np.uint8)
    truth[20:40, 20:40], truth[20:40, 40:60] = 1, 2
    save("a.npy", values.astype(np.float32))
    save("t.npy", truth)
    found = ok("segment", "a.npy", "b.geojson", "--truth", "t.npy", "--json").json["result"]
    assert (found["objects_missed"], found["objects_split"], found["objects_merged"]) == (2, 0, 1)
    text = ok("segment", "a.npy", "b.geojson", "--truth", "t.npy").out
    assert "; 2 missed; outlines that match none: 1, 1 of them around several\n" in text
