# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander segment`: its refusals, what it needs of memory, and what an interrupt leaves."""

import json
import os
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, needs_gif, needs_png
from outline_oracle import disc, outline, write_geojson


@pytest.fixture
def truth(tmp_path):
    image, mask = disc()
    np.save(tmp_path / "a.npy", image)
    return mask


SQUARE = [[40, 30], [60, 30], [60, 50], [40, 50]]


def polygon(*rings):
    return json.dumps({"type": "Polygon", "coordinates": list(rings)})


@pytest.mark.parametrize("name,content,code,part", [
    ("empty.geojson", "", 3, "no GeoJSON: found the end of the file after 0 bytes"),
    ("cut.geojson", polygon(SQUARE)[:-20], 3, f"the end of the file after {len(polygon(SQUARE)) - 20} bytes"),
    ("words.json", "hello", 3, "no GeoJSON: found 'h' at byte 1, expected JSON"),
    ("comma.json", '{"type":,}', 3, "found ',' at byte 9"),
    ("tail.json", polygon(SQUARE) + "\x1b", 3, f"found 0x1b at byte {len(polygon(SQUARE)) + 1}"),
    ("nan.geojson", '{"type":"Polygon","coordinates":[[[NaN,1],[2,3],[4,9]]]}', 3, "found 'N' at byte 36"),
    ("huge.geojson", polygon([[0, 0], [1e300, 0], [5, 5]]), 3, "node 1: "),
    ("endless.geojson", '{"type":"Polygon","coordinates":[[[1e999,1],[2,3],[4,9]]]}', 3, "a number too large"),
    ("two.geojson", polygon([[0, 0], [9, 9], [0, 0]]), 3, "2 different nodes"),
    ("point.geojson", polygon([[5, 5]] * 6), 3, "1 different nodes"),
    ("none.geojson", polygon(), 3, "without a ring"),
    ("words.geojson", polygon([["a", "b"], [1, 2], [3, 9]]), 3, "found a position"),
    ("flat.geojson", polygon([1, 2, 3, 4]), 3, "found a position"),
    ("short.geojson", polygon([[1], [2], [3]]), 3, "found a position"),
    ("list.geojson", "[1,2,3]", 3, "found no 'type'"),
    ("number.geojson", "7", 3, "found no 'type'"),
    ("kind.geojson", '{"type":7}', 3, ""),
    ("noring.geojson", '{"type":"Polygon"}', 3, "'coordinates'"),
    ("deep.geojson", "[" * 100000, 3, "nested more than 16"),
    ("spacing.geojson", '{"spacing":[1,0],"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]]]}', 3, "'spacing' is"),
    ("line.geojson", '{"type":"LineString","coordinates":[[0,0],[9,9]]}', 4, "found a LineString"),
    ("nothing.geojson", '{"type":"FeatureCollection","features":[]}', 3, "found no feature"),
    ("several.geojson", '{"type":"FeatureCollection","features":[{},{}]}', 3, "found no 'type'"),
    ("multi.geojson", '{"type":"MultiPolygon","coordinates":[]}', 3, "found no polygon"),
    ("eight.geojson", polygon([[40, 30], [60, 50], [60, 30], [40, 50]]), 2, "crosses itself"),
    ("far.geojson", polygon([[-90, -30], [-60, -30], [-60, -10]]), 2, "holds no pixel"),
    ("between.geojson", polygon([[5.25, 5.25], [5.75, 5.25], [5.75, 5.75]]), 2, "holds no pixel"),
    ("wide.geojson", polygon([[-9, -9], [500, -9], [500, 500], [-9, 500]]), 2, "holds all pixels"),
    ("far.csv", "outline,vertex,x,y\n0,0,-9,-9\n0,1,-5,-9\n0,2,-5,-5\n", 2, "holds no pixel"),
    ("full.npy", None, 2, "holds all pixels"),
    ("empty.csv", "", 3, "expected the header"),
    ("header.csv", "a,b\n1,2\n", 3, "expected the header"),
    ("only.csv", "outline,vertex,x,y\n", 3, "0 different nodes"),
    ("cells.csv", "outline,vertex,x,y\n0,0,1\n", 3, "found 3 cells"),
    ("letters.csv", "outline,vertex,x,y\n0,0,1,b\n", 3, "found 'b'"),
    ("nan.csv", "outline,vertex,x,y\n0,0,1,nan\n", 3, "node 0: "),
    ("several.csv", "outline,vertex,x,y\n0,0,1,2\n1,0,3,4\n", 3, "1 different nodes"),
    ("unit.csv", "outline,vertex,x,y,unit\n0,0,1,2,ell\n", 3, "the unit 'ell'"),
    ("um.csv", "outline,vertex,x,y,unit\n0,0,1,2,um\n", 2, "no spacing in a unit of length"),
    ("zero.npy", None, 2, "zero.npy"),
    ("text.txt", "hello", 4, "text.txt"),
    ("no.geojson/", None, 7, "")])  # fmt: skip
def test_bad_starts_are_named(refused, tmp_path, truth, name, content, code, part):
    if name.endswith(".npy"):
        np.save(tmp_path / name, np.full(truth.shape, name == "full.npy", np.uint8))
    elif content is not None:
        (tmp_path / name).write_text(content)
    message = refused(code, "segment", "a.npy", "o.csv", "--init", name)
    assert part in message and f"{name}: " in message and "json.exception" not in message


BAD = b"\xff\x1b[31m\xe2\x82"


@pytest.mark.parametrize("name,content", [
    ("bytes.json", BAD),
    ("string.json", b'{"type":"' + BAD + b'"}'),
    ("escaped.json", b'{"type":"\\u001b[31m\xc3\xa9"}'),
    ("position.json", b'{"type":"Polygon","coordinates":[["\xc3\xa9' + b"z" * 5000 + b'"]]}'),
    ("header.csv", BAD),
    ("row.csv", b"outline,vertex,x,y\n" + BAD),
    ("cell.csv", b"outline,vertex,x,y\n0,0,1," + BAD),
    ("unit.csv", b"outline,vertex,x,y,unit\n0,0,1,2," + BAD)])  # fmt: skip
def test_bytes_of_bad_starts_are_not_copied(run, tmp_path, truth, name, content):
    (tmp_path / name).write_bytes(content)
    done = run("segment", "a.npy", "o.csv", "--init", name)
    assert done.code in (3, 4) and f"{name}: " in done.err
    assert done.err.isascii() and done.err[:-1].isprintable() and len(done.err) < 200, done.err


def test_blank_lines_at_the_end_are_left_out(ok, refused, tmp_path, truth):
    rows = ["outline,vertex,x,y", *(f"0,{i},{x},{y}" for i, (x, y) in enumerate(SQUARE))]
    found = set()
    for end, tail in (("\n", ""), ("\n", "\n"), ("\n", "\n\n\n"), ("\r\n", "\r\n\r\n"), ("\n", "\n \t\n")):
        (tmp_path / "s.csv").write_bytes((end.join(rows) + tail).encode())
        ok("segment", "a.npy", "o.csv", "--init", "s.csv")
        found.add((tmp_path / "o.csv").read_text())
    assert len(found) == 1
    (tmp_path / "s.csv").write_text("\n\n".join(rows))
    assert "found 1 cells in ''" in refused(3, "segment", "a.npy", "o.csv", "--init", "s.csv")


def test_starts_that_are_too_long_are_not_read(refused, tmp_path, truth):
    with open(tmp_path / "long.geojson", "wb") as file:
        file.truncate(1 << 40)
    assert "expected at most" in refused(4, "segment", "a.npy", "o.csv", "--init", "long.geojson")


def test_starts_on_the_command_line(refused, truth):
    for text in ("box:1,2,3", "box:1,2,3,4,5", "box:a,2,3,4", "circle:1,2", "circle:", "box:"):
        assert "--init: " in refused(2, "segment", "a.npy", "o.csv", "--init", text), text
    for text in ("box:5,5,5,9", "box:5,5,9,5", "circle:5,5,0", "circle:5,5,-3", "circle:5,5,nan", "box:1e300,0,5,5",
                 "circle:0,0,inf"):  # fmt: skip
        assert "--init: " in refused(2, "segment", "a.npy", "o.csv", "--init", text), text
    refused(2, "segment", "a.npy", "o.csv", "--init", "circle:-100,-100,5")  # holds no pixel
    refused(2, "segment", "a.npy", "o.csv", "--init", "")


def test_values_out_of_range(refused, truth):
    for option, value in (("noise", "white"), ("looks", "0"), ("schedule", "fast"), ("store", "half"), ("min-segment", "1"),
                          ("units", "inch"), ("repeat", "0"), ("max-step", "0"), ("looks", "nan")):  # fmt: skip
        assert option in refused(2, "segment", "a.npy", "o.csv", f"--{option}", value)


def test_options_that_would_do_nothing_are_refused(refused, truth):
    assert "gamma" in refused(2, "segment", "a.npy", "o.csv", "--noise", "gaussian", "--looks", "3")
    assert "classic" in refused(2, "segment", "a.npy", "o.csv", "--max-step", "8")
    assert "--evolution" in refused(2, "segment", "a.npy", "o.csv", "--repeat", "2", "--evolution", "e.gif")


def test_images_of_another_kind(refused, tmp_path, truth):
    np.save(tmp_path / "v.npy", np.zeros((4, 5, 6), np.uint8))
    said = refused(2, "segment", "v.npy", "o.csv")
    assert "v.npy: a volume of 6x5x4" in said and "--propagate" in said
    assert "exclude each other" in refused(2, "segment", "a.npy", "o.csv", "--split", "--no-split")
    assert "v.npy: an image with 6 channels" in refused(2, "segment", "v.npy", "o.csv", "--channels")
    holed = np.load(tmp_path / "a.npy").astype(np.float32)
    holed[3, 4] = np.nan
    np.save(tmp_path / "nan.npy", holed)
    assert "nan.npy: " in refused(2, "segment", "nan.npy", "o.csv")
    np.save(tmp_path / "low.npy", np.load(tmp_path / "a.npy").astype(np.int16) - 150)
    assert "low.npy: " in refused(2, "segment", "low.npy", "o.csv", "--noise", "poisson")
    assert "a.npy: " in refused(2, "segment", "a.npy", "o.csv", "--noise", "bernoulli")
    refused(7, "segment", "none.npy", "o.csv")


@needs_png
def test_transparency_is_left_out(ok, tmp_path, truth):
    image = np.load(tmp_path / "a.npy")
    np.save(tmp_path / "ga.npy", np.stack([image, 255 - image], -1))
    np.save(tmp_path / "gt.npy", np.stack([truth * 255, np.full(truth.shape, 255)], -1).astype(np.uint8))
    ok("convert", "ga.npy", "ga.png", "--channels")
    ok("convert", "gt.npy", "gt.png", "--channels")
    ok("segment", "a.npy", "o.geojson")
    text = (tmp_path / "o.geojson").read_text()
    result = ok("segment", "ga.png", "o.geojson", "--truth", "gt.png", "--json").json["result"]
    assert (tmp_path / "o.geojson").read_text() == text and result["iou"] > 0.9
    ok("segment", "ga.png", "o.geojson", "--init", "gt.png")
    # The transparency is read all the same, and counts for the memory.
    need = [ok("segment", name, "o.csv", "--device", "cpu", "--dry-run", "--json").json["result"]["memory_bytes"]
            for name in ("a.npy", "ga.png")]  # fmt: skip
    assert need[1] - need[0] >= image.size


def test_masks_of_another_shape(refused, tmp_path, truth):
    np.save(tmp_path / "t.npy", np.zeros((90, 121), np.uint8))
    np.save(tmp_path / "v.npy", np.zeros((2, 90, 120), np.uint8))
    for option in ("--truth", "--init"):
        assert "t.npy: a mask of 121x90 with 1 channel, expected 120x90" in refused(2, "segment", "a.npy", "o.csv", option, "t.npy")
        assert "v.npy: a mask" in refused(2, "segment", "a.npy", "o.csv", option, "v.npy")
        refused(7, "segment", "a.npy", "o.csv", option, "none.npy")
        refused(7, "segment", "a.npy", "o.csv", option, "none.npy", "--dry-run")


def test_targets_that_cannot_be_written_are_refused_before_the_work(refused, truth):
    assert ".geojson" in refused(4, "segment", "a.npy", "o.txt")
    assert ".geojson" in refused(4, "segment", "a.npy", "o")
    for option, target, code in (("mask-out", "m.txt", 4), ("mask-out", "none/m.npy", 7), ("overlay", "p.txt", 4),
                                 ("overlay", "none/p.npy", 7), ("evolution", "e.csv", 4), ("evolution", "none/e.npy", 7)):  # fmt: skip
        for options in ([], ["--dry-run"]):
            assert target in refused(code, "segment", "a.npy", "o.csv", f"--{option}", target, *options)
    for target in ("none/o.geojson", "none/o.npy"):
        refused(7, "segment", "a.npy", target, "--dry-run")


def test_every_output_is_a_file_of_its_own(refused, tmp_path, truth):
    np.save(tmp_path / "t.npy", truth.astype(np.uint8))
    for words, *options in (("named twice", "o.npy", "--overlay", "./o.npy"), ("is IN too", "a.npy"),
                            ("a.npy is an input too", "o.csv", "--mask-out", "a.npy"),
                            ("t.npy: an input too", "t.npy", "--truth", "t.npy"), ("t.npy: an input too", "t.npy", "--init", "t.npy"),
                            ("named twice", "o.csv", "--mask-out", "m.npy", "--overlay", "m.npy"),
                            ("named twice", "o.csv", "--evolution", "m.npy", "--overlay", "m.npy")):  # fmt: skip
        before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
        assert words in refused(2, "segment", "a.npy", *options)
        assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


@needs_png
def test_a_film_needs_a_format_for_films(refused, truth):
    refused(4, "segment", "a.npy", "o.csv", "--evolution", "e.png")


def test_stated_memory_is_enough(ok, refused, tmp_path, truth):
    np.save(tmp_path / "t.npy", truth.astype(np.float64))
    for options in ([], ["--store", "full"], ["--schedule", "classic"], ["--overlay", "p.npy"], ["--evolution", "e.npy"],
                    ["--mask-out", "m.npy", "--overlay", "p.npy", "--evolution", "e.npy"], ["--init", "t.npy"],
                    ["--truth", "t.npy"]):  # fmt: skip
        given = [*options, "--device", "cpu"]
        stated = ok("segment", "a.npy", "o.geojson", *given, "--json").json["result"]["memory_bytes"]
        first = (tmp_path / "o.geojson").read_bytes()
        ok("segment", "a.npy", "o.geojson", *given, "--memory", stated)
        assert (tmp_path / "o.geojson").read_bytes() == first
        assert str(stated) in refused(5, "segment", "a.npy", "new.csv", *given, "--memory", stated - 1)


def test_refusal_names_what_would_fit(ok, refused, truth):
    def need(*options):
        return ok("segment", "a.npy", "o.csv", *options, "--device", "cpu", "--dry-run", "--json").json["result"]["memory_bytes"]

    base, full = need(), need("--store", "full")
    assert base < full
    message = refused(5, "segment", "a.npy", "o.csv", "--store", "full", "--device", "cpu", "--memory", full - 1)
    assert f"--store base32 needs {base}" in message and str(full) in message
    assert "no schedule or store" in refused(5, "segment", "a.npy", "o.csv", "--device", "cpu", "--memory", "11000")


def test_masks_and_truths_pass_in_slabs(ok, tmp_path):
    """Files of more pixels than the budget has room for once the search is over."""
    ok("phantom", "star", "p.npy", "--size", "700x500", "--noise", "gaussian", "--snr", "2", "--type", "u8", "--truth", "t.npy")
    np.save(tmp_path / "wide.npy", np.load(tmp_path / "t.npy").astype(np.float64))
    one = ("--max-objects", "1", "--device", "cpu", "--json")  # finding many takes more than the masks do
    plain = ok("segment", "p.npy", "m.npy", "--truth", "t.npy", *one).json["result"]
    stated, first = plain["memory_bytes"], (tmp_path / "m.npy").read_bytes()
    assert stated < (tmp_path / "wide.npy").stat().st_size
    tight = ok("segment", "p.npy", "m.npy", "--truth", "wide.npy", "--memory", stated, *one).json["result"]
    assert tight["iou"] == plain["iou"] and (tmp_path / "m.npy").read_bytes() == first


@needs_gif
def test_a_failure_at_the_end_leaves_no_outline_alone(run, tmp_path, truth):
    """A disk that is full: the film cannot be written, and OUT is not there either."""
    import resource

    done = run("segment", "a.npy", "o.geojson", "--evolution", "e.gif",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))  # fmt: skip
    assert done.code in (7, -signal.SIGXFSZ) and not (tmp_path / "o.geojson").exists()
    assert not (tmp_path / "e.gif").exists()


def interrupt(folder, seconds, *arguments):
    """The program after SIGINT, which came while it was at work."""
    # A shell's background jobs ignore SIGINT, and so would this one.
    started = subprocess.Popen([PROGRAM, *arguments, "--device", "cpu"], cwd=folder, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))  # fmt: skip
    try:
        time.sleep(seconds)
        assert started.poll() is None, "done before the interrupt"
        started.send_signal(signal.SIGINT)
        assert started.wait(timeout=15) == 130
    finally:
        started.kill()
    assert started.stderr.read().count("\n") == 1


def test_interrupted_run_leaves_nothing(tmp_path):
    rng = np.random.default_rng(2)
    y, x = np.mgrid[:3000, :3000]
    np.save(tmp_path / "a.npy", (100 + 20 * (np.sin(x / 9) * np.sin(y / 9) > 0) + rng.normal(0, 5, (3000, 3000))).astype(np.uint8))
    interrupt(tmp_path, 1, "segment", "a.npy", "o.geojson", "--mask-out", "m.npy", "--repeat", "1000")
    assert os.listdir(tmp_path) == ["a.npy"]


def test_one_long_search_is_interrupted(ok, tmp_path):
    """A search that takes minutes ends within its rounds."""
    ok("phantom", "star", "p.npy", "--size", "1024x1024", "--noise", "gamma", "--looks", "1", "--levels", "1000,2000", "--type", "u16")
    interrupt(tmp_path, 2, "segment", "p.npy", "o.geojson", "--mask-out", "m.npy", "--schedule", "classic", "--min-segment", "4")
    assert os.listdir(tmp_path) == ["p.npy"]


def test_an_outline_beyond_the_border_is_a_start(ok, tmp_path, truth):
    write_geojson(tmp_path / "wide.geojson", [[-500, -500], [60, -500], [60, 500], [-500, 500]])
    ok("segment", "a.npy", "o.geojson", "--init", "wide.geojson")
    assert len(outline(tmp_path / "o.geojson")[0]) >= 3


def test_outlines_over_most_of_the_image_are_warned_of(run, tmp_path):
    y, x = np.mgrid[:160, :160]
    noise = np.random.default_rng(1).normal(100, 10, (160, 160))
    for radius, is_most in ((75, True), (40, False)):
        np.save(tmp_path / "a.npy", (noise + 80 * (np.hypot(x - 80, y - 80) < radius)).astype(np.uint8))
        for repeat in ((), ("--repeat", "2")):
            done = run("segment", "a.npy", "o.geojson", *repeat)
            assert done.code == 0
            assert done.err.count("more than half of the image") == is_most
