# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""segment from a circle drawn by hand, somewhat too small or too large and beside the middle, among things that look alike."""

import json

import numpy as np
import pytest

RADIUS, CENTRE = 30, (150, 140)


DIRECTIONS = [(3 * np.cos(angle), 3 * np.sin(angle)) for angle in np.arange(8) * np.pi / 4]


def chest_values(neck=0, vessels=-50, body=None):
    """A bump on a wall of its own level, a brighter bone in the wall, and vessels that end at it; its truth ends at the wall.

    Fat lies between them but for a neck of that half width; `body`: beyond it a ring of the wall's level, and air.
    """
    y, x = np.mgrid[:300, :300].astype(float)
    away, below = np.hypot(x - CENTRE[0], y - CENTRE[1]), y - CENTRE[1] - 0.15 * (x - CENTRE[0])
    truth, wall = away <= RADIUS, below > 28
    values = np.full(x.shape, -850.0)
    values[truth | wall] = 40
    outside = np.hypot(x - 150, y - 150)
    if body is not None:
        values[outside > body] = 40
    values[wall & (below < 28 + 4) & (np.abs(x - CENTRE[0]) > neck)] = -110  # fat
    values[(below > 38) & (below < 50)] = 500
    if body is not None:
        values[outside > body + 14] = -1000
    values[(np.abs(below + 8 - 0.4 * (x - CENTRE[0] - 30)) < 1.5) & (x > CENTRE[0] + 25) & ~wall] = vessels
    values[(np.abs(x - CENTRE[0] + 14 + 0.2 * below) < 2.5) & (below < 0) & ~truth] = vessels
    for angle in np.arange(-2.6, 0.3, 0.4):
        spot = CENTRE[0] + 1.25 * RADIUS * np.cos(angle), CENTRE[1] + 1.25 * RADIUS * np.sin(angle)
        values[np.hypot(x - spot[0], y - spot[1]) < 2.5] = -500
    for _ in range(2):  # about the blur of a scanner
        for axis in 0, 1:
            values = (np.roll(values, 1, axis) + 2 * values + np.roll(values, -1, axis)) / 4
    values += np.random.default_rng(4).normal(0, 15, values.shape)
    return values.round().astype(np.int16), (truth & ~wall).astype(np.uint8)


@pytest.fixture(scope="module")
def chest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chest")
    values, truth = chest_values()
    np.save(folder / "chest.npy", values)
    np.save(folder / "body.npy", chest_values(neck=4, vessels=-400, body=126)[0])
    np.save(folder / "truth.npy", truth)
    return folder


def circle_off(off, size):
    return f"circle:{CENTRE[0] + off[0]:.2f},{CENTRE[1] + off[1]:.2f},{size * RADIUS}"


@pytest.mark.parametrize("model", ["edge", "region"])
@pytest.mark.parametrize("size", [0.8, 1.3])
@pytest.mark.parametrize("off", DIRECTIONS)
def test_a_circle_by_hand_finds_its_object(ok, chest, model, size, off):
    done = ok("segment", chest / "chest.npy", "out.geojson", "--model", model, "--init", circle_off(off, size),
              "--truth", chest / "truth.npy", "--json")  # fmt: skip
    assert done.json["result"]["iou"] >= 0.8


@pytest.mark.parametrize("options", [[], ["--polarity", "bright"]], ids=["alone", "with a bound"])
@pytest.mark.parametrize("off", DIRECTIONS)
def test_a_circle_within_its_object_does_not_become_the_body(ok, chest, off, options):
    """The object hangs together with the wall by a neck: no outline in the start is at rest, one a little farther out is."""
    done = ok("segment", chest / "body.npy", "out.geojson", "--init", circle_off(off, 0.8), *options,
              "--truth", chest / "truth.npy", "--json")  # fmt: skip
    assert done.json["result"]["iou"] >= 0.6


def test_the_search_is_shown_as_one(ok, chest, tmp_path):
    """One after another in larger and larger confinements, with steps that go on."""
    ok("segment", chest / "body.npy", "out.geojson", "--init", circle_off((2, 2), 0.8), "--evolution", "e.json")
    steps = [frame["step"] for frame in json.loads((tmp_path / "e.json").read_text())["frames"]]
    assert steps == sorted(set(steps))


def test_a_small_circle_still_grows_as_far_as_its_object(ok, chest):
    """What looks like the object and is much larger than the start is its object when the start holds it back."""
    done = ok("segment", chest / "chest.npy", "out.geojson", "--init", "circle:150,230,9", "--json")
    assert done.json["result"]["objects"][0]["area"] > 5000


def test_within_bounds_too(ok, chest):
    done = ok("segment", chest / "chest.npy", "out.geojson", "--init", f"circle:150,137,{1.3 * RADIUS}", "--polarity", "bright",
              "--truth", chest / "truth.npy", "--json")  # fmt: skip
    assert done.json["result"]["iou"] >= 0.8


def test_a_curve_that_does_not_settle_says_what_to_try(run, chest):
    done = run("segment", chest / "chest.npy", "out.geojson", "--model", "edge", "--init", "circle:150,140,24", "--max-steps", "9",
               "--sigma", "1.5")  # fmt: skip
    assert done.code == 8
    assert "--sigma 3 (it is 1.5)" in done.err and "--noise-floor 8 (it is 4, edges of " in done.err
    done = run("segment", chest / "chest.npy", "out.geojson", "--model", "edge", "--init", "circle:230,60,8", "--noise-floor", "100",
               "--sigma", "2", "--balloon", "-0.5")  # fmt: skip
    assert done.code == 8
    assert "--noise-floor 50 (it is 100, edges of " in done.err and "--sigma 1 (it is 2)" in done.err
    assert "--balloon -0.2 (it is -0.5) pushes outwards" in done.err
