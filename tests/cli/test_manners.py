# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Help, reports, and the options every verb has."""

import os
import pathlib
import pty
import shutil
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM

VERBS = ["info", "convert", "phantom", "compare", "verify", "devices", "bench", "docs"]


def test_alone_it_prints_what_there_is(ok):
    text = ok().out
    assert text == ok("--help").out
    for verb in VERBS:
        assert f"  {verb} " in text


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_has_types_defaults_and_an_example(ok, verb):
    text = ok(verb, "--help").out
    assert text.startswith(f"usage: meander {verb}")
    assert "--memory" in text and "0 to 1024; default 0" in text
    assert "Example:\n  meander" in text


def test_only_verbs_that_use_a_device_offer_one(ok, refused):
    for verb in VERBS:
        assert ("\n  --device" in ok(verb, "--help").out) == (verb in ("bench", "info", "convert", "verify"))
        assert ("\n  --channels" in ok(verb, "--help").out) == (verb in ("info", "convert", "compare"))
    refused(2, "phantom", "star", "a.npy", "--device", "cpu")


@pytest.mark.parametrize("verb", ["info", "convert", "phantom", "compare"])
def test_a_verb_alone_prints_its_help(ok, verb):
    assert ok(verb).out == ok(verb, "--help").out


def test_version(ok):
    assert ok("--version").out.startswith("meander 0.")


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["frobnicate"], "unknown verb 'frobnicate'"),
        (["info", "a.npy", "--frob"], "--frob"),
        (["compare", "a.npy", "a.npy", "b.npy"], "b.npy"),
        (["convert", "a.npy"], "OUT is missing"),
        (["convert", "a.npy", "b.npy", "--type", "u32"], "--type: found 'u32', expected u8, u16"),
        (["convert", "a.npy", "b.npy", "--window", "5"], "--window: found '5'"),
        (["convert", "a.npy", "b.npy", "--window", "9,5"], "--window: found '9,5'"),
        (["phantom", "cube", "b.npy"], "expected one of star, blobs"),
        (["phantom", "star", "b.npy", "--size", "0x5"], "size is 0"),
        (["phantom", "star", "b.npy", "--noise", "pink"], "--noise: found 'pink'"),
        (["phantom", "star", "b.npy", "--noise", "gaussian", "--snr", "-1"], "snr is -1"),
        (["info", "a.npy", "--threads", "-1"], "threads is -1"),
        (["info", "a.npy", "--threads", "x"], "--threads: found 'x', expected an integer"),
        (["info", "a.npy", "--memory", "lots"], "--memory: found 'lots'"),
        (["info", "a.npy", "--device", "tpu"], "device 'tpu' is unknown"),
        (["compare", "a.npy", "a.npy", "--tolerance", "-1"], "tolerance is -1"),
        (["compare", "a.npy", "a.npy", "--tolerance", "nan"], "tolerance is nan"),
        (["docs", "pdf"], "expected one of man, bash, options"),
        (["docs", "p\ndf"], "expected one of man, bash, options"),
        (["in\nfo"], "unknown verb"),
        (["info", "a.npy", "--memory", ""], "--memory: found nothing"),
        (["convert", "a.npy", "b.npy", "--window", "0,1e-320"], "too narrow"),
        (["phantom", "star", "b.npy", "--truth", "./b.npy"], "same file"),
    ],
)
def test_wrong_usage_is_code_2_and_one_sentence(refused, tmp_path, arguments, part):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.float32))
    assert part in refused(2, *arguments)


def test_a_device_that_is_not_here_is_code_4_with_the_reason(refused, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.float32))
    assert "cpu:9" in refused(4, "info", "a.npy", "--device", "cpu:9")


def test_quiet_says_nothing(ok, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.float32))
    assert ok("info", "a.npy", "--quiet").out == ""


def test_verbose_says_what_is_done_on_stderr_only(run, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.float32))
    result = run("convert", "a.npy", "b.npy", "--device", "cpu", "--verbose")
    assert result.out == ""
    assert "meander: device cpu: " in result.err and "1 slabs of" in result.err


def test_dry_run_does_nothing_and_says_what_it_would(ok, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((40, 40), np.float32))
    text = ok("convert", "a.npy", "b.npy", "--dry-run", "--device", "cpu").out
    assert text == "would convert 40x40 f32 to f32 on cpu\nwould work in 1 slabs of 15360 bytes\n"
    report = ok("phantom", "star", "c.npy", "--dry-run", "--json").json
    assert report["dry_run"] is True and "seconds" not in report
    assert report["outputs"][0]["path"] == "c.npy" and report["options"]["kind"] == "star"
    assert report["result"]["slabs"] == 1 and report["result"]["slab_bytes"] == 512 * 512 * 2
    assert "would compute on cpu" in ok("info", "a.npy", "--dry-run", "--device", "cpu").out
    assert ok("verify", "--dry-run").out.startswith("would verify ")
    assert ok("devices", "--dry-run").out == "would look for devices and list them\n"
    assert ok("docs", "man", "--dry-run").out == "would print man\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.npy"]


def test_threads_are_reported_and_do_not_change_the_result(ok, tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).normal(size=(999, 333)).astype(np.float32))
    reports = [ok("info", "a.npy", "--threads", n, "--json").json for n in (1, 2, 5)]
    assert [report["threads"] for report in reports] == [1, 2, 5]
    assert len({report["result"]["sum"] for report in reports}) == 1


def test_memory_budget_is_refused_with_code_5_when_one_row_is_too_much(refused, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 100000), np.float32))
    assert "budget of 1024 bytes" in refused(5, "info", "a.npy", "--memory", "1K")


def test_slabs_stay_small_so_that_cancelling_is_quick(ok, tmp_path):
    np.lib.format.open_memmap(tmp_path / "a.npy", mode="w+", dtype=np.uint8, shape=(20000, 20000))
    result = ok("convert", "a.npy", "b.npy", "--dry-run", "--json").json["result"]
    assert result["slab_bytes"] <= 32 << 20 and result["slabs"] > 20


def test_every_report_is_json(ok, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.float32))
    assert ok("compare", "a.npy", "a.npy", "--tolerance", "inf", "--json").json["options"]["tolerance"] == "inf"
    assert ok("docs", "man", "--json").json["result"]["text"].startswith(".TH MEANDER")
    options = ok("convert", "a.npy", "b.npy", "--json", "--threads", "1").json["options"]
    assert options["type"] == "f32" and options["threads"] == 1


def test_options_are_reported_as_used(ok):
    options = ok("phantom", "star", "a.npy", "--size", "9x8", "--noise", "variance=1.5", "--json").json["options"]
    assert options["size"] == "9x8" and options["noise"] == "variance=1.5"
    assert options["seed"] == 0 and options["snr"] is None


def test_output_that_cannot_be_written_is_code_7(run, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.float32))
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "info", "a.npy"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 7 and done.stderr.count("\n") == 1


def test_progress_bar_appears_on_a_terminal_after_a_second(tmp_path):
    """A long job under a pseudo-terminal draws a bar; without one there is none."""
    arguments = [PROGRAM, "phantom", "star", "a.npy", "--size", "20000x8000", "--noise", "gamma", "--looks", "3", "--threads", "1"]
    master, slave = pty.openpty()
    process = subprocess.Popen(arguments, cwd=tmp_path, stderr=slave, stdout=subprocess.DEVNULL)
    os.close(slave)
    seen = b""
    try:
        while b" %" not in seen:
            piece = os.read(master, 1000)
            if not piece:
                break
            seen += piece
    except OSError:
        pass
    process.kill()
    process.wait()
    assert b"\r[" in seen and b" %" in seen


def test_bash_completion_completes(ok, tmp_path):
    script = tmp_path / "completion"
    script.write_text(ok("docs", "bash").out)

    def completed(*words):
        text = " ".join(f"'{word}'" for word in words)
        command = f"source {script}; COMP_WORDS=({text}); COMP_CWORD={len(words) - 1}; _meander; echo ${{COMPREPLY[@]}}"
        environment = dict(os.environ, PATH=str(pathlib.Path(PROGRAM).parent) + ":" + os.environ["PATH"])
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment).stdout.split()

    assert completed("meander", "ver") == ["verify"]
    assert completed("meander", "convert", "--typ") == ["--type"]
    assert completed("meander", "convert", "--type", "f") == ["f16", "f32", "f64"]
    assert completed("meander", "phantom", "sh") == ["shepp-logan"]
    assert "cpu" in completed("meander", "info", "--device", "")


@pytest.mark.skipif(shutil.which("man") is None, reason="no man to read the page with")
def test_man_page_is_clean(ok, tmp_path):
    page = tmp_path / "meander.1"
    page.write_text(ok("docs", "man").out)
    done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    for verb in VERBS:
        assert f".SS meander {verb}" in page.read_text()
    assert "--snr" in page.read_text().replace("\\-", "-")


def test_committed_option_tables_are_up_to_date(ok):
    committed = pathlib.Path(__file__).parents[2] / "docs" / "options.md"
    assert committed.read_text() == ok("docs", "options").out
