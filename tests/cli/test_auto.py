# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Where --device auto computes, and why. MEANDER_OPENCL_CPU=gpu makes a GPU of an OpenCL driver for processors."""

import json
import os
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM, needs_png

KINDS = ["lines", "steps", "cycles", "outlines"]
AS_GPU = {"MEANDER_OPENCL_CPU": "gpu"}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder of caches that holds no figures yet."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("MEANDER_CACHE", str(folder))
    return folder


def devices():
    shown = subprocess.run([PROGRAM, "devices", "--json"], env=os.environ | AS_GPU, capture_output=True, text=True, check=True)
    return {device["name"]: device for device in json.loads(shown.stdout)["result"]["devices"]}


def figures(version, described, seconds_on_cpu, start=0.001):
    """In which every GPU takes nearly nothing for a unit of work, once it has started."""

    def costs(seconds):
        return [f"{kind} {seconds} 1e-9" for kind in KINDS]

    lines = ["meander figures 1", f"version {version}", "driver ", f"threads {os.cpu_count()}", "device cpu"]
    lines += [f"description {described['cpu']['description']}", *costs(seconds_on_cpu)]
    for name, device in described.items():
        if device["gpu"]:
            lines += [f"device {name}", f"description {device['description']}", f"start {start}"]
            lines += ["upload 1e-15", "download 1e-15", *costs(1e-15)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def gpu(cache, run, monkeypatch):
    """The name of a GPU that ends everything sooner, or so the figures say."""
    if os.path.exists("/sys/module/nvidia/version"):
        pytest.skip("figures would have to be of this machine's driver")
    described = devices()
    names = [name for name, device in described.items() if device["gpu"]]
    if not names:
        pytest.skip("no OpenCL device")
    monkeypatch.setenv("MEANDER_OPENCL_CPU", "gpu")
    version = run("--version").out.split()[1]
    (cache / "figures.txt").write_text(figures(version, described, 1e-3))
    return names[0]


@pytest.fixture
def broken(gpu, cache, monkeypatch):
    """Makes calls of the driver fail, from the first on or a later one."""
    library = os.environ.get("MEANDER_FAILING_OPENCL", "")
    if not os.path.exists(library):
        pytest.skip("no library of failing calls")
    monkeypatch.setenv("MEANDER_OPENCL_LIBRARY", library)

    def fail(calls, first=1):
        monkeypatch.setenv("FAULT_CALLS", calls)
        monkeypatch.setenv("FAULT_FIRST", str(first))

    return fail


WORK = {
    "smooth": ["smooth", "a.npy", "out.npy", "--sigma", 2],
    "flow": ["flow", "a.npy", "out.npy"],
    "react": ["react", "a.npy", "out.npy", "--steps", 20],
    "segment": ["segment", "a.npy", "out.geojson"],
    "edge": ["segment", "a.npy", "out.geojson", "--model", "edge", "--init", "circle:25,20,17"],
}


@pytest.mark.parametrize("verb", WORK)
def test_small_work_stays_on_cpu_and_loads_no_driver(image, cache, ok, tmp_path, verb):
    libraries = {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(tmp_path / "loaded")}
    report = ok(*WORK[verb], "--json", env=os.environ | libraries).json
    assert report["device"]["name"] == "cpu"
    assert report["chosen"].startswith(("cpu: 0.0", "cpu: less than 0.001 s here, 0.4 s on ")) and "of which 0.4 s are its start" in report["chosen"]
    loaded = "".join(file.read_text() for file in tmp_path.glob("loaded*"))
    assert "libstdc++" in loaded and "libOpenCL" not in loaded and "libcuda.so" not in loaded


def test_reading_and_converting_stay_on_cpu(image, gpu, ok):
    for arguments in (["info", "a.npy"], ["convert", "a.npy", "out.npy", "--type", "f32"]):
        report = ok(*arguments, "--json").json
        assert report["device"]["name"] == "cpu"
        assert report["chosen"] == "cpu: nothing here gains by a GPU"


def test_what_was_chosen_is_said(image, cache, ok, run):
    dry = ok(*WORK["smooth"], "--dry-run").out
    assert "would compute on cpu: " in dry and " s are its start\n" in dry
    assert "would compute on cpu\n" in ok(*WORK["smooth"], "--dry-run", "--device", "cpu").out
    assert "meander: chosen by the work: cpu: " in run(*WORK["smooth"], "--verbose").err
    assert "chosen" not in ok(*WORK["smooth"], "--json", "--device", "cpu").json


@pytest.mark.parametrize("verb", ["smooth", "react"])
def test_work_that_a_gpu_ends_sooner_goes_there(image, gpu, run, verb):
    report = run(*WORK[verb], "--json").json  # on stderr the driver tells of its compiler
    assert report["device"]["name"] == gpu
    assert report["chosen"].startswith(f"{gpu}: 0.001 s there, of which 0.001 s are its start, ")


def test_all_frames_count(gpu, cache, ok, run, tmp_path):
    version = run("--version").out.split()[1]
    np.save(tmp_path / "film.npy", np.zeros((50, 1, 8, 16, 1), np.uint8) + np.arange(8, dtype=np.uint8)[:, None, None])
    # A frame takes 256 units, a quarter of a millisecond.
    (cache / "figures.txt").write_text(figures(version, devices(), 1e-6, start=0.002))

    def where(*arguments):
        return ok(*arguments, "--dry-run", "--json").json["device"]["name"]

    smooth = ["smooth", "film.npy", "out.npy", "--sigma", 2]
    assert where(*smooth, "--frame", 0) == "cpu"
    assert where(*smooth, "--frame", "all") == gpu
    react = ["react", "film.npy", "out.npy", "--steps", 1]
    assert where(*react, "--frame", 0) == "cpu"
    assert where(*react, "--frame", "all") == gpu


@needs_png
def test_a_gpu_that_is_in_use_has_been_started(image, gpu, run):
    runs = run("smooth", "a.npy", "sheet.png", "--sweep", "sigma=1:2:2", "--json").json["runs"]
    first, second = (one["report"]["chosen"] for one in runs)
    assert ", of which 0.001 s are its start, " in first
    assert second.startswith(f"{gpu}: less than 0.001 s there, which has been started, ")


def test_what_has_no_room_on_the_gpu_stays_on_cpu(image, gpu, cache, ok):
    """On a GPU a search needs 4 MiB for batches of nodes."""
    report = ok("segment", "a.npy", "out.geojson", "--json", "--memory", "3M").json
    assert report["chosen"] == f"cpu: {gpu} has no room for it"
    assert report["device"]["name"] == "cpu"


DAMAGED = {
    "empty": "",
    "rubbish": "rubbish",
    "old": "meander figures 1\nversion 0.0.1\n",
    "long": "meander figures 1\n" * 9999,
    "zeros": "\0" * 99,
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_figures_that_are_damaged_or_old_are_ignored_with_a_line(image, cache, run, damage):
    (cache / "figures.txt").write_text(DAMAGED[damage])
    result = run(*WORK["smooth"], "--json")
    assert result.code == 0 and result.json["device"]["name"] == "cpu"
    assert result.err.count("\n") == 1
    assert result.err.startswith(f"meander: {cache}/figures.txt: ")
    assert "these figures are ignored, `meander devices --measure` renews them" in result.err


def test_a_film_says_once_that_figures_are_ignored(cache, run, tmp_path):
    np.save(tmp_path / "film.npy", np.zeros((3, 1, 8, 16, 1), np.uint8))
    (cache / "figures.txt").write_text("rubbish")
    result = run("smooth", "film.npy", "out.npy", "--sigma", 2, "--frame", "all")
    assert result.code == 0 and result.err.count("\n") == 1


def test_figures_of_a_gpu_that_is_gone_are_ignored(image, gpu, run, monkeypatch):
    monkeypatch.setenv("MEANDER_OPENCL_LIBRARY", "no-such-library.so")
    result = run("react", "a.npy", "out.npy", "--steps", 10, "--json")
    assert result.code == 0 and result.json["device"]["name"] == "cpu"
    assert f"figures.txt: is of {gpu}, which is not here; these figures are ignored" in result.err
    assert result.err.count("\n") == 1


def test_devices_can_be_measured(cache, ok, image):
    shown = ok("devices", "--measure", "--json", "--threads", 1).json["result"]["figures"]
    assert shown["threads"] == 1 and shown["file"] == str(cache / "figures.txt")
    assert shown["devices"][0]["name"] == "cpu"
    for kind in KINDS:
        assert shown["devices"][0][kind]["seconds_a_unit"] > 0
        assert shown["devices"][0][kind]["seconds_a_launch"] > 0
    kept = (cache / "figures.txt").read_text()
    assert kept.startswith("meander figures 1\nversion ") and "\nthreads 1\n" in kept
    # They are taken: without a word, and for another number of threads too.
    assert ok(*WORK["smooth"], "--json", "--threads", 2).json["chosen"].startswith("cpu: ")


def test_figures_that_cannot_be_kept_are_shown_all_the_same(cache, run):
    cache.rmdir()
    cache.write_text("a file in place of the folder")
    result = run("devices", "--measure", "--threads", 2)
    assert result.code == 0
    assert "lines " in result.out and "ns a unit" in result.out
    assert result.err.startswith("meander: the figures are not kept: ") and result.err.count("\n") == 1


def test_devices_says_what_auto_does(gpu, cache, ok, monkeypatch):
    said = ok("devices").out
    assert "auto chooses by the work: cpu, or a GPU where that ends sooner" in said
    assert f"figures of {cache}/figures.txt" in said
    assert "would measure devices" in ok("devices", "--measure", "--dry-run").out
    monkeypatch.delenv("MEANDER_OPENCL_CPU")
    assert "auto is cpu: there is no GPU" in ok("devices").out


GONE = "CL_DEVICE_NOT_AVAILABLE; going on with cpu"
FAULTS = {"context": GONE, "kernel": GONE, "wait": GONE, "memory": "CL_MEM_OBJECT_ALLOCATION_FAILURE; going on with cpu"}


def lines_of_ours(result):
    return [line for line in result.err.splitlines() if line.startswith("meander: ")]


def check_like_cpu(run, tmp_path, arguments, outputs, fault):
    """Said once; what comes out, words and files, is what --device cpu makes."""
    result = run(*arguments)
    assert result.code == 0, result.err
    (line,) = lines_of_ours(result)
    assert "opencl:0" in line and line.endswith(fault)
    made = {name: (tmp_path / name).read_bytes() for name in outputs}
    expected = run(*arguments, "--device", "cpu")
    assert expected.code == 0 and result.out == expected.out
    assert made == {name: (tmp_path / name).read_bytes() for name in outputs}


@pytest.mark.parametrize("calls", FAULTS)
def test_a_gpu_that_fails_gives_way_to_cpu(image, broken, run, tmp_path, calls):
    broken(calls)
    check_like_cpu(run, tmp_path, WORK["smooth"], ["out.npy"], FAULTS[calls])


def test_a_driver_that_does_not_start_is_told(image, broken, run):
    broken("start")
    result = run(*WORK["smooth"], "--json")
    assert result.code == 0 and result.json["device"]["name"] == "cpu"
    (line,) = result.err.splitlines()
    assert "opencl did not start (no device of platform " in line and line.endswith("): going on with cpu")
    assert run(*WORK["smooth"], "--device", "opencl").code == 6


@pytest.mark.parametrize("verb", WORK)
def test_every_verb_gives_way(image, broken, run, tmp_path, verb):
    broken("context")
    check_like_cpu(run, tmp_path, WORK[verb], [WORK[verb][2]], GONE)


def test_a_gpu_that_vanishes_in_the_middle_of_a_film(broken, run, tmp_path):
    np.save(tmp_path / "film.npy", np.random.default_rng(1).random((6, 1, 20, 30, 1), np.float32))
    film = ["smooth", "film.npy", "out.npy", "--sigma", 2, "--frame", "all"]
    broken("kernel", 8)
    check_like_cpu(run, tmp_path, film, ["out.npy"], GONE)
    numbered = ["smooth", "film.npy", "out%02d.npy", "--sigma", 2, "--frame", "all"]
    check_like_cpu(run, tmp_path, numbered, [f"out{i:02}.npy" for i in range(6)], GONE)
    assert sorted(file.name for file in tmp_path.glob("*.npy")) == ["film.npy", "out.npy"] + [f"out{i:02}.npy" for i in range(6)]


@needs_png
def test_a_gpu_that_vanishes_in_the_middle_of_a_sweep(image, broken, run, tmp_path):
    broken("kernel", 4)
    sweep = ["smooth", "a.npy", "sheet.png", "--sweep", "sigma=1:4:4"]
    check_like_cpu(run, tmp_path, sweep, ["sheet.png"], GONE)


def test_the_report_says_why_it_went_on_with_cpu(image, broken, run):
    broken("context")
    report = run(*WORK["smooth"], "--json").json
    assert report["device"]["name"] == "cpu"
    assert report["chosen"].startswith("cpu: opencl:0: ") and "CL_DEVICE_NOT_AVAILABLE" in report["chosen"]


@pytest.mark.parametrize("calls", FAULTS)
def test_a_device_that_was_named_and_fails_is_code_6(image, broken, run, tmp_path, calls):
    broken(calls)
    result = run(*WORK["smooth"], "--device", "opencl:0")
    assert result.code == 6 and result.out == ""
    (line,) = lines_of_ours(result)
    assert line.startswith("meander: opencl:0") and "going on" not in line
    assert not (tmp_path / "out.npy").exists()


def test_a_budget_that_was_set_stays_code_5(image, gpu, refused):
    for device in (gpu, "auto"):
        assert "the budget is 1000" in refused(5, *WORK["flow"], "--memory", "1000", "--device", device)
