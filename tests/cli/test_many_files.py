# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Many files and a folder: one run for each, whatever becomes of the others."""

import csv
import json
import os
import pathlib
import pty
import signal
import struct
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, SECONDS, needs_jpeg, needs_png, needs_tiff

AS_NOBODY = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}


def write_tiff(path, values):
    """The least that a grey TIFF of 8 bits needs."""
    height, width = values.shape
    tags = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height), (279, values.size)]
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    directory = struct.pack("<H", len(tags)) + entries + struct.pack("<I", 0)
    path.write_bytes(b"II*\0" + struct.pack("<I", 8 + values.size) + values.tobytes() + directory)


def images(folder, count, write=np.save, suffix=".npy"):
    """Squares of different brightness; those of a size that objects are found in."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        values = np.random.default_rng(i).normal(50, 3, (48, 48))
        values[10:30, 12:34] += 60 + i % 90
        write(folder / f"{i:03}{suffix}", values.astype(np.uint8))


def make_slow(path):
    """So large that whatever is to be interrupted does not end before."""
    np.save(path, np.random.default_rng(1).normal(50, 3, (4000, 4000)).astype(np.uint8))


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def snapshot(folder):
    """A file that is written again is another file."""
    return {p.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in folder.iterdir() if not p.name.startswith(".")}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@needs_tiff
def test_a_folder_of_200_with_one_broken_gives_199_and_one_line(run, tmp_path):
    images(tmp_path / "in", 200, write_tiff, ".tif")
    broken = tmp_path / "in" / "117.tif"
    broken.write_bytes(broken.read_bytes()[:-20])
    result = run("smooth", "in/*.tif", "out/", "--sigma", "2", "--jobs", "2", "--device", "cpu")
    assert result.code == 9 and result.out == ""
    assert result.err.startswith("meander: in/117.tif: ") and result.err.count("\n") == 1
    assert names(tmp_path / "out") == [f"{i:03}.tif" for i in range(200) if i != 117]
    # Nothing is different from a run of its own.
    alone = run("smooth", "in/042.tif", "one.tif", "--sigma", "2", "--device", "cpu")
    assert alone.code == 0 and (tmp_path / "one.tif").read_bytes() == (tmp_path / "out" / "042.tif").read_bytes()


@pytest.mark.parametrize("how, code", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_killed_and_resumed_does_nothing_twice(run, ok, tmp_path, how, code):
    images(tmp_path / "in", 40)
    make_slow(tmp_path / "in" / "039.npy")
    out = tmp_path / "out"
    command = ["react", "in/*.npy", "out/", "--steps", "500", "--jobs", "2", "--device", "cpu"]
    process = subprocess.Popen([PROGRAM, *command], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + SECONDS
    while not (out.exists() and len(names(out)) >= 8) and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(how)
    assert process.communicate(timeout=SECONDS)[1] == ("" if how == signal.SIGKILL else "meander: stopped on request\n")
    assert process.returncode == code
    wait_for_end_of_children(tmp_path)
    before = snapshot(out)
    assert 8 <= len(before) < 40 and len(before) == len(names(out))  # and no file that is none of ours
    (tmp_path / "in" / "039.npy").write_bytes((tmp_path / "in" / "038.npy").read_bytes())
    lines = [json.loads(line) for line in ok(*command, "--resume", "--json").out.splitlines()]
    assert [line["inputs"][0]["path"] for line in lines] == [f"in/{i:03}.npy" for i in range(40)]
    assert {pathlib.Path(line["inputs"][0]["path"]).name for line in lines if line.get("skipped")} == set(before)
    after = snapshot(out)
    assert sorted(after) == names(tmp_path / "in") and {name: after[name] for name in before} == before


def wait_for_end_of_children(folder):
    """Those of a killed program are told to stop, and take a moment."""
    deadline = time.monotonic() + SECONDS / 10
    while time.monotonic() < deadline:
        places = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "exe") == os.path.realpath(PROGRAM):
                    places.append(os.readlink(process / "cwd"))
            except OSError:
                continue
        if str(folder) not in places:
            return
        time.sleep(0.01)
    pytest.fail("a child process is still there")


def test_resume_does_again_what_is_older_than_its_input(ok, tmp_path):
    images(tmp_path / "in", 4)
    command = ["convert", "in/*.npy", "out/", "--resume", "--type", "f32", "--verbose"]
    subprocess.run([PROGRAM, *command], cwd=tmp_path, check=True, capture_output=True)
    before = snapshot(tmp_path / "out")
    os.utime(tmp_path / "in" / "002.npy")
    (tmp_path / "out" / "001.npy").unlink()
    told = subprocess.run([PROGRAM, *command], cwd=tmp_path, check=True, capture_output=True, text=True).stderr
    assert "in/000.npy: complete, left out" in told and "in/002.npy: complete" not in told
    after = snapshot(tmp_path / "out")
    assert sorted(after) == names(tmp_path / "in")
    assert [name for name in sorted(after) if after[name] != before[name]] == ["001.npy", "002.npy"]
    ok("convert", "in/*.npy", "out/", "--type", "f32")
    assert all(snapshot(tmp_path / "out")[name] != after[name] for name in after)  # without --resume all of them


@pytest.mark.parametrize(
    "verb, options, suffix",
    [("smooth", ["--sigma", "1"], ".npy"), ("flow", ["--mu", "0.2"], ".npy"), ("segment", [], ".geojson"),
     ("segment", [], "_mask.npy"), ("react", ["--steps", "5"], ".npy"), ("convert", ["--type", "u16"], ".nrrd")],
)  # fmt: skip
def test_every_verb_makes_of_each_what_it_makes_of_one(ok, tmp_path, verb, options, suffix):
    images(tmp_path / "in", 2)
    ok(verb, "in/000.npy", "in/001.npy", "out/", "--suffix", suffix, *options)
    assert names(tmp_path / "out") == ["000" + suffix, "001" + suffix]
    ok(verb, "in/001.npy", "one" + suffix, *options)
    assert (tmp_path / "out" / ("001" + suffix)).read_bytes() == (tmp_path / ("one" + suffix)).read_bytes()


def test_one_file_and_a_folder_with_a_suffix_of_two_parts(ok, tmp_path):
    images(tmp_path / "in", 1)
    ok("convert", "in/000.npy", "a.nii.gz")
    ok("convert", "a.nii.gz", "deep/out/")
    ok("convert", "a.nii.gz", "deep/out/", "--suffix", ".mha")
    assert names(tmp_path / "deep" / "out") == ["a.mha", "a.nii.gz"]


def test_info_of_several_files(ok, tmp_path):
    images(tmp_path / "in", 3)
    both = ok("info", "in/000.npy", "in/002.npy").out
    assert both == ok("info", "in/000.npy").out + ok("info", "in/002.npy").out
    reports = [json.loads(line) for line in ok("info", "in/00[02].npy", "--json").out.splitlines()]
    assert [report["inputs"][0]["path"] for report in reports] == ["in/000.npy", "in/002.npy"]
    assert reports[1]["result"] == ok("info", "in/002.npy", "--json").json["result"]


def test_results_in_words_come_in_order_with_their_file(ok, tmp_path):
    images(tmp_path / "in", 5)
    lines = ok("segment", "in/*.npy", "out/", "--suffix", ".geojson", "--jobs", "2").out.splitlines()
    single = ok("segment", "in/003.npy", "one.geojson").out.splitlines()
    assert [line for line in lines if line.startswith("in/003.npy: ")] == ["in/003.npy: " + line for line in single]
    assert [line.split(":")[0] for line in lines] == sorted(line.split(":")[0] for line in lines)
    assert ok("segment", "in/*.npy", "out/", "--suffix", ".geojson", "--quiet").out == ""


def test_json_is_one_object_a_line_with_what_failed(run, tmp_path):
    images(tmp_path / "in", 3)
    (tmp_path / "in" / "001.npy").write_bytes(b"\x93NUMPY")
    result = run("smooth", "in/*.npy", "out/", "--json")
    reports = [json.loads(line) for line in result.out.splitlines()]
    assert result.code == 9 and len(reports) == 3
    assert [report.get("error", {}).get("code") for report in reports] == [None, 3, None]
    assert reports[1]["error"]["message"] in result.err and reports[1]["inputs"][0]["path"] == "in/001.npy"
    assert reports[2]["outputs"][0]["path"] == "out/002.npy" and reports[2]["result"]["method"]


def test_one_table_of_all_objects(ok, run, tmp_path):
    images(tmp_path / "in", 2)
    np.save(tmp_path / "in" / 'empty, "or" so.npy', np.full((48, 48), 7, np.uint8))
    (tmp_path / "in" / "bad.npy").write_bytes(b"bad")
    result = run("segment", "in/*.npy", "out/", "--suffix", ".csv", "--table", "all.csv")
    assert result.code == 9 and result.err.count("\n") == 1
    rows = rows_of(tmp_path / "all.csv")
    assert [row["file"] for row in rows] == ["in/000.npy", "in/001.npy", 'in/empty, "or" so.npy']
    for i in (0, 1):
        ok("segment", f"in/00{i}.npy", "one.csv", "--table", "one_table.csv")
        assert [{k: v for k, v in rows[i].items() if k != "file"}] == rows_of(tmp_path / "one_table.csv")
    assert set(rows[2].values()) == {'in/empty, "or" so.npy', ""}
    assert not [name for name in names(tmp_path) if name.startswith(".")]


def test_a_resumed_table_has_the_lines_of_what_was_done_before(ok, run, tmp_path):
    images(tmp_path / "in", 3)
    command = ["segment", "in/*.npy", "out/", "--suffix", ".csv", "--table", "all.csv"]
    good = (tmp_path / "in" / "001.npy").read_bytes()
    (tmp_path / "in" / "001.npy").write_bytes(b"bad")
    assert run(*command).code == 9
    assert [row["file"] for row in rows_of(tmp_path / "all.csv")] == ["in/000.npy", "in/002.npy"]
    before = snapshot(tmp_path / "out")
    (tmp_path / "in" / "001.npy").write_bytes(good)
    ok(*command, "--resume")
    resumed = (tmp_path / "all.csv").read_text()
    assert {name: snapshot(tmp_path / "out")[name] for name in before} == before
    ok(*command)
    assert resumed == (tmp_path / "all.csv").read_text()


def test_a_killed_batch_keeps_the_lines_of_its_table_for_later(ok, tmp_path):
    images(tmp_path / "in", 20)
    make_slow(tmp_path / "in" / "019.npy")
    out = tmp_path / "out"
    command = ["segment", "in/*.npy", "out/", "--suffix", ".csv", "--table", "all.csv"]
    process = subprocess.Popen([PROGRAM, *command], cwd=tmp_path, stdout=subprocess.DEVNULL)
    while not (out.exists() and len(names(out)) >= 4) and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    wait_for_end_of_children(tmp_path)
    before = snapshot(out)
    assert not (tmp_path / "all.csv").exists() and ".meander-rows-all.csv" in names(tmp_path)
    (tmp_path / "in" / "019.npy").write_bytes((tmp_path / "in" / "018.npy").read_bytes())
    ok(*command, "--resume")
    resumed = (tmp_path / "all.csv").read_text()
    assert {name: snapshot(out)[name] for name in before} == before
    ok(*command)
    assert resumed == (tmp_path / "all.csv").read_text() and len(rows_of(tmp_path / "all.csv")) == 20
    assert names(tmp_path) == ["all.csv", "in", "out"]


def test_a_table_of_figures(ok, tmp_path):
    images(tmp_path / "in", 2)
    assert ok("info", "in/*.npy", "--table", "all.csv").out == ""
    for row, i in zip(rows_of(tmp_path / "all.csv"), (0, 1), strict=True):
        result = ok("info", f"in/00{i}.npy", "--json").json["result"]
        assert row["file"] == f"in/00{i}.npy" and row["format"] == "NPY"
        assert {name: float(row[name]) for name in ("min", "max", "mean", "finite")} == {
            name: result[name] for name in ("min", "max", "mean", "finite")
        }
    ok("smooth", "in/*.npy", "out/", "--sigma", "3", "--table", "all.csv", "--jobs", "2")
    assert [row["method"] for row in rows_of(tmp_path / "all.csv")] == [
        ok("smooth", "in/000.npy", "one.npy", "--sigma", "3", "--json").json["result"]["method"]
    ] * 2


def test_a_star_in_options_is_the_name_of_the_input(ok, tmp_path):
    images(tmp_path / "in", 2)
    truth = np.zeros((48, 48), np.uint8)
    truth[10:30, 12:34] = 1
    for i, part in enumerate((truth, 1 - truth)):
        np.save(tmp_path / f"00{i}_truth.npy", part)
    lines = ok("segment", "in/*.npy", "out/", "--suffix", ".csv", "--labels-out", "out/*_labels.npy",
               "--truth", "*_truth.npy", "--table", "t*.csv", "--json").out.splitlines()  # fmt: skip
    assert names(tmp_path / "out") == ["000.csv", "000_labels.npy", "001.csv", "001_labels.npy"]
    assert len(rows_of(tmp_path / "t000.csv")) == len(rows_of(tmp_path / "t001.csv")) == 1
    iou = [json.loads(line)["result"]["iou"] for line in lines]
    assert iou[0] > 0.9 and iou[1] < 0.5


def test_jobs_share_threads_and_memory(ok, tmp_path):
    images(tmp_path / "in", 5)
    lines = ok("smooth", "in/*.npy", "out/", "--jobs", "2", "--threads", "5", "--memory", "64M", "--json").out.splitlines()
    options = [json.loads(line)["options"] for line in lines]
    assert {o["threads"] for o in options} == {2, 3} and {o["memory"] for o in options} == {"32M"}
    # Never more at once than there are threads.
    lines = ok("smooth", "in/*.npy", "out/", "--jobs", "4", "--threads", "1", "--memory", "64M", "--json").out.splitlines()
    assert {json.loads(line)["options"]["memory"] for line in lines} == {"64M"}


@pytest.mark.parametrize("how, code", [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_jobs_run_at_once_and_end_with_the_program(tmp_path, how, code):
    images(tmp_path / "in", 6)
    process = subprocess.Popen([PROGRAM, "react", "in/*.npy", "out/", "--steps", "10000000", "--jobs", "3", "--threads", "3"],
                               cwd=tmp_path, stderr=subprocess.DEVNULL)  # fmt: skip
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    seen = 0
    while process.poll() is None and seen < 3:
        seen = max(seen, len(children.read_text().split()))
    process.send_signal(how)
    begin = time.monotonic()
    assert process.wait(timeout=SECONDS) == code and seen == 3
    wait_for_end_of_children(tmp_path)
    assert time.monotonic() - begin < SECONDS / 40
    # Nothing was done, and the folder is left behind only where nobody could remove it.
    assert sorted(tmp_path.rglob("*.npy")) == sorted((tmp_path / "in").iterdir())
    assert (tmp_path / "out").exists() == (how == signal.SIGKILL)


def test_a_process_that_dies_is_one_failure(tmp_path):
    images(tmp_path / "in", 3)
    make_slow(tmp_path / "in" / "000.npy")
    process = subprocess.Popen([PROGRAM, "react", "in/*.npy", "out/", "--steps", "500"], cwd=tmp_path,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (child := children.read_text().split()):
        time.sleep(0.001)
    os.kill(int(child[0]), signal.SIGKILL)
    assert process.communicate(timeout=SECONDS)[1] == "meander: in/000.npy: ended by signal 9 (Killed)\n"
    assert process.returncode == 9 and names(tmp_path / "out") == ["001.npy", "002.npy"]


def test_failures_are_seen_where_ends_of_processes_are_ignored(run, tmp_path):
    (tmp_path / "a.npy").write_bytes(b"bad")
    result = run("smooth", "a.npy", "out/", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert result.code == 9 and names(tmp_path) == ["a.npy"]


def test_numbered_files_of_films_are_resumed(ok, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        np.save(tmp_path / "in" / f"{name}.npy", np.zeros((3, 1, 8, 8, 1), np.uint8))
    command = ["smooth", "in/*.npy", "out/", "--frame", "all", "--suffix", "_%d.npy", "--resume"]
    ok(*command)
    before = snapshot(tmp_path / "out")
    assert sorted(before) == [f"{name}_{i}.npy" for name in "ab" for i in range(3)]
    os.utime(tmp_path / "in" / "b.npy")
    ok(*command)
    after = snapshot(tmp_path / "out")
    assert [name for name in sorted(after) if after[name] != before[name]] == ["b_0.npy", "b_1.npy", "b_2.npy"]
    ok("info", "in/*.npy", "--table", "all.csv")
    assert [(row["file"], row["frame"]) for row in rows_of(tmp_path / "all.csv")] == [
        (f"in/{name}.npy", str(i)) for name in "ab" for i in range(3)
    ]


def test_one_line_of_progress_on_a_terminal(tmp_path):
    images(tmp_path / "in", 3)
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, "react", "in/*.npy", "out/", "--steps", "1000000"], cwd=tmp_path, stderr=slave)
    os.close(slave)
    seen = b""
    while b" of 3 files" not in seen and (piece := os.read(master, 1000)):
        seen += piece
    process.send_signal(signal.SIGINT)
    process.wait(timeout=SECONDS)
    assert seen.startswith(b"\r[") and b" %  0 of 3 files" in seen and b"\n" not in seen


def test_thousands_simply_work(ok, tmp_path):
    """All but one are there already, so that it takes no minutes."""
    for folder, seconds in (("in", 1e9), ("out", 2e9)):
        (tmp_path / folder).mkdir()
        np.save(tmp_path / folder / "0000.npy", np.zeros((4, 4), np.uint8))
        os.utime(tmp_path / folder / "0000.npy", (seconds, seconds))
        for i in range(1, 3000):
            os.link(tmp_path / folder / "0000.npy", tmp_path / folder / f"{i:04}.npy")
    (tmp_path / "out" / "1234.npy").unlink()
    lines = ok("convert", "in/*.npy", "out/", "--resume", "--json").out.splitlines()
    assert len(lines) == 3000 and ["skipped" in json.loads(line) for line in lines].index(False) == 1234
    assert len(names(tmp_path / "out")) == 3000


def test_a_name_with_a_bracket_is_no_pattern_where_there_is_such_a_file(ok, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a[1].npy", "a1.npy", "-b.npy"):
        np.save(tmp_path / "in" / name, np.zeros((4, 4), np.uint8))
    ok("convert", "in/a[1].npy", "out/")
    assert names(tmp_path / "out") == ["a[1].npy"]
    subprocess.run([PROGRAM, "convert", "*.npy", "../out/"], cwd=tmp_path / "in", check=True)
    assert names(tmp_path / "out") == ["-b.npy", "a1.npy", "a[1].npy"]


def test_a_pattern_of_folders_passes_over_files_and_links_to_nothing(ok, tmp_path):
    images(tmp_path / "in" / "deep", 2)
    images(tmp_path / "in", 1)
    (tmp_path / "in" / "file").symlink_to("000.npy")
    (tmp_path / "in" / "gone").symlink_to("nowhere")
    ok("convert", "in/*/*.npy", "out/")
    assert names(tmp_path / "out") == ["000.npy", "001.npy"]


def test_an_output_that_cannot_be_replaced_is_a_fault_of_one_file(run, tmp_path):
    images(tmp_path / "in", 2)
    (tmp_path / "out" / "000.npy").mkdir(parents=True)
    result = run("smooth", "in/*.npy", "out")
    assert result.code == 9 and result.err.startswith("meander: in/000.npy: out/000.npy: ")
    assert (tmp_path / "out" / "001.npy").is_file()


@needs_png
def test_outputs_beside_may_lie_in_a_folder_that_is_made(ok, tmp_path):
    images(tmp_path / "in", 1)
    ok("segment", "in/*.npy", "out/", "--suffix", ".csv", "--mask-out", "./out/*.npy", "--stages", "out/*_stages/", "--model", "edge",
       "--init", "box:8,8,38,34")  # fmt: skip
    assert names(tmp_path / "out") == ["000.csv", "000.npy", "000_stages"]


def test_folders_and_hidden_files_are_not_matched(ok, tmp_path):
    images(tmp_path / "in", 1)
    (tmp_path / "in" / "folder.npy").mkdir()
    (tmp_path / "in" / ".hidden.npy").write_bytes(b"")
    ok("smooth", "in/*", "out/")
    assert names(tmp_path / "out") == ["000.npy"]


def test_dry_run_says_it_for_each_and_leaves_no_folder(ok, tmp_path):
    images(tmp_path / "in", 2)
    lines = ok("convert", "in/*.npy", "out/", "--dry-run", "--device", "cpu").out.splitlines()
    assert lines[0] == "in/000.npy: would convert 48x48 u8 to u8 on cpu" and lines[2].startswith("in/001.npy: would convert")
    ok("smooth", "in/*.npy", "out/", "--dry-run", "--table", "all.csv")
    assert names(tmp_path) == ["in"]


@pytest.mark.parametrize(
    "code, arguments, part",
    [
        (7, ["smooth", "in/*.tif", "out/"], "in/*.tif: matches no file"),
        (7, ["smooth", "nowhere/*.npy", "out/"], "nowhere/*.npy: matches no file"),
        (7, ["info", "in/x*"], "in/x*: matches no file"),
        (7, ["smooth", "in/000.npy", "in/gone.npy", "out/"], "in/gone.npy: No such file"),
        (7, ["smooth", "in/", "out/"], "in/: a folder, expected files as 'in/*.tif'"),
        (7, ["smooth", "in/*.npy", "in/000.npy"], "in/000.npy: no folder"),
        (7, ["smooth", "in/*.npy", "in/000.npy/"], "in/000.npy/: no folder"),
        (7, ["smooth", "in/*.npy", "out"], "out: no folder, expected one"),
        (7, ["smooth", "in/000.npy", "in/000.npy/x/"], "in/000.npy/x/: the folder cannot be made"),
        (2, ["smooth", "in/*.npy", "in/"], "in/000.npy: an input too"),
        (2, ["smooth", "in/*.npy", "linked/"], "linked/000.npy: an input too"),
        (2, ["smooth", "in/000.npy", "again/000.npy", "out/"], "out/000.npy: would be made of in/000.npy and of again/000.npy"),
        (2, ["smooth", "in/*.npy", "in/000.npy", "out/"], "out/000.npy: would be made of in/000.npy and of in/000.npy"),
        (2, ["convert", "in/*", "mixed/000.nrrd", "out/", "--suffix", ".mha"], "out/000.mha: would be made of"),
        (2, ["smooth", "in/*.npy", "out/", "--mask", "out/001.npy"], "out/001.npy: an input too"),
        (2, ["segment", "in/*.npy", "out/", "--suffix", ".csv", "--table", "out/000.csv"], "out/000.csv: would be made of"),
        (2, ["segment", "in/*.npy", "out/", "--overlay", "o.png"], "--overlay: every file would write o.png, expected a *"),
        (7, ["segment", "in/*.npy", "out/", "--mask-out", "masks/*.npy"], "masks"),
        (4, ["segment", "in/*.npy", "out/", "--table", "all.txt"], "all.txt: found the suffix '.txt', expected .csv"),
        (7, ["info", "in/*.npy", "--table", "nowhere/all.csv"], "nowhere"),
        (4, ["smooth", "in/*.npy", "out/", "--suffix", ".geojson"], "--suffix: no format of this build ends in '.geojson'"),
        (4, ["segment", "in/*.npy", "out/", "--suffix", ".txt"], "expected .geojson"),
        (4, ["convert", "photos/*.bmp", "out/"], "out/000.bmp: BMP is only read, expected --suffix .png"),
        (4, ["smooth", "in/*.npy", "photos/000.bmp", "out/"], "out/000.bmp: BMP is only read"),
        (4, ["smooth", "in/*.npy", "in/", "--suffix", ".bmp"], "--suffix .bmp: BMP is only read"),
        (4, ["segment", "in/*.npy", "out/", "--suffix", ".bmp"], "--suffix .bmp: BMP is only read"),
        pytest.param(4, ["convert", "photos/*.jpg", "out/"], "out/000.jpg: JPEG is only read, expected --suffix .png", marks=needs_jpeg),
        pytest.param(4, ["smooth", "in/*.npy", "in/", "--suffix", ".jpg"], "--suffix .jpg: JPEG is only read", marks=needs_jpeg),
        (2, ["smooth", "in/*.npy", "out/", "--suffix", "x/.npy"], "--suffix: found 'x/.npy'"),
        (2, ["info", "in/*.npy", "--table", "*.csv"], "--table: one of all files"),
        (2, ["info", "in/*.npy", "--suffix", ".npy"], "--suffix"),
        (2, ["info", "in/*.npy", "--resume"], "--resume"),
        (2, ["smooth", "in/*.npy", "out/", "--jobs", "0"], "jobs is 0"),
        (2, ["smooth", "in/*.npy", "out/", "--repeat", "0"], "repeat is 0"),
        (2, ["smooth", "in/*.npy", "out/", "--sweep", "sigma=1:2:2"], "--sweep"),
        (2, ["smooth", "in/*.npy", "out/", "--device", "tpu"], "device 'tpu' is unknown"),
        (2, ["smooth", "in/000.npy", "b.npy", "--jobs", "2"], "--jobs: goes with many files"),
        (2, ["smooth", "in/000.npy", "b.npy", "--suffix", ".npy"], "--suffix: goes with many files"),
        (2, ["info", "in/000.npy", "--table", "a.csv"], "--table: goes with many files"),
        (2, ["compare", "in/000.npy", "in/001.npy", "again/000.npy"], "again/000.npy"),
    ],
)
def test_what_cannot_be_done_is_refused_before_any_work(refused, tmp_path, code, arguments, part):
    images(tmp_path / "in", 2)
    images(tmp_path / "again", 1)
    images(tmp_path / "mixed", 1, lambda path, values: path.write_bytes(b""), ".nrrd")
    for suffix in (".jpg", ".bmp"):
        images(tmp_path / "photos", 1, lambda path, values: path.write_bytes(b""), suffix)
    (tmp_path / "linked").symlink_to("in")
    before = names(tmp_path / "in")
    assert part in refused(code, *arguments)
    assert names(tmp_path / "in") == before


@pytest.mark.parametrize("mode, folder", [(0o000, "in"), (0o444, "in"), (0o555, "out")])
def test_folders_without_permission(refused, tmp_path, mode, folder):
    for place in (tmp_path, *tmp_path.parents):
        if "pytest" in str(place) and os.geteuid() == 0:
            place.chmod(0o755)
    images(tmp_path / "in", 2)
    (tmp_path / "out").mkdir()
    (tmp_path / folder).chmod(mode)
    error = refused(7, "smooth", "in/*.npy", "out/", **AS_NOBODY)
    (tmp_path / folder).chmod(0o755)
    assert f"meander: {folder}" in error and "ermission denied" in error


def test_help_and_options_say_what_9_means(ok):
    assert "IN... FOLDER/ [options]" in ok("smooth", "--help").out
    assert "| 9 | some of many files failed" in ok("docs", "options").out
    assert "--jobs" not in ok("phantom", "--help").out
