# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""What goes wrong around the program: no memory, no disk, kills and Ctrl-C. Whatever happens, an older file stays as it
was or the whole new one takes its place, and nothing else is left.

MEANDER_FAULTS=all does every instant and every call; otherwise a sample of them, which takes a minute or so."""

import dataclasses
import os
import shutil
import subprocess
import time

import numpy as np
import pytest

PROGRAM = os.environ["MEANDER_PROGRAM"]
FAILING_CALLS = os.environ["MEANDER_FAILING_CALLS"]
EVERYTHING = os.environ.get("MEANDER_FAULTS") == "all"
FORMATS = os.environ.get("MEANDER_FAULT_FORMATS", "npy").split(",")

# Formats of two files: the one that is not named.
BESIDE = {"mhd": ["raw"], "nhdr": ["raw"], "hdr": ["img"]}
# Where large files go: a folder on a disk.
SCRATCH = os.environ.get("MEANDER_SCRATCH", ".")

MADE = {}  # see Place.expected
# An older header must name its pixels, or they would be somebody else's and not be replaced.
OLD = b"an older file, which is none of the program's business; its pixels are in out.raw"
MOST_IN_A_SAMPLE = 8
LONGEST_RUN = 10 if not EVERYTHING else 60


@dataclasses.dataclass
class Job:
    """A command that reads `in.*` and writes `outputs`."""

    name: str
    arguments: list
    outputs: list

    def command(self):
        return [PROGRAM, *self.arguments, "--threads", "1"]


def write_jobs():
    """One command for every format that can be written, and one for every way there."""
    jobs = []
    for suffix in FORMATS:
        kind = ["--type", "u8"] if suffix == "png" else []
        outputs = [f"out.{suffix}"] + [f"out.{other}" for other in BESIDE.get(suffix, [])]
        jobs.append(
            Job(f"convert-{suffix}", ["convert", "in.npy", f"out.{suffix}", "--device", "cpu", *kind], outputs)
        )
    jobs.append(Job("smooth", ["smooth", "in.npy", "out.npy", "--sigma", "2", "--device", "cpu"], ["out.npy"]))
    jobs.append(
        Job(
            "smooth-slabs",
            ["smooth", "tall.npy", "out.npy", "--sigma", "9", "--method", "deriche", "--device", "cpu", "--memory", "200K"],
            ["out.npy"],
        )
    )
    jobs.append(Job("flow", ["flow", "in.npy", "out.npy", "--device", "cpu"], ["out.npy"]))
    jobs.append(Job("phantom", ["phantom", "star", "out.npy", "--size", "64x48", "--truth", "truth.npy"], ["out.npy", "truth.npy"]))
    segment = ["segment", "in.npy", "out.geojson", "--init", "circle:40,30,14", "--device", "cpu", "--mask-out", "mask.npy", "--quiet"]
    jobs.append(Job("segment", segment, ["out.geojson", "mask.npy"]))
    if os.environ.get("MEANDER_HAS_GIF") == "1":
        jobs.append(
            Job("react-gif", ["react", "in.npy", "out.gif", "--preset", "edges", "--steps", "20", "--device", "cpu"], ["out.gif"])
        )
    return jobs


def read_jobs():
    """One command for every format that can be read."""
    return [
        Job(f"read-{suffix}", ["convert", f"in_{suffix}.{suffix}", "out.npy", "--device", "cpu"], ["out.npy"]) for suffix in FORMATS if suffix != "npy"
    ]


def make_inputs(folder, image):
    """The image in every format."""
    np.save(folder / "in.npy", image)
    np.save(folder / "tall.npy", np.tile(image[:50, :70], (12, 1)))
    for suffix in FORMATS:
        if suffix != "npy":
            kind = ["--type", "u8"] if suffix == "png" else []
            subprocess.run([PROGRAM, "convert", "in.npy", f"in_{suffix}.{suffix}", *kind], cwd=folder, check=True)


class Place:
    """A folder with inputs, in which a job is run again and again, and what it makes there when nothing goes wrong."""

    def __init__(self, folder, inputs):
        self.folder = folder
        self.inputs = inputs
        shutil.copytree(inputs, folder, dirs_exist_ok=True)
        self.kept = sorted(p.name for p in folder.iterdir())

    def expected(self, job):
        """By the name of the file; computed once for all tests with the same inputs."""
        if (self.inputs, job.name) not in MADE:
            self.clear(job)
            done = subprocess.run(job.command(), cwd=self.folder, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, (job, done.stderr)
            MADE[self.inputs, job.name] = {name: (self.folder / name).read_bytes() for name in job.outputs}
        self.clear(job)
        return MADE[self.inputs, job.name]

    def clear(self, job, older=False):
        for name in job.outputs:
            (self.folder / name).unlink(missing_ok=True)
            if older:
                (self.folder / name).write_bytes(OLD)

    def found(self, job):
        return {name: (self.folder / name).read_bytes() for name in job.outputs if (self.folder / name).exists()}

    def leftovers(self, job):
        return sorted({p.name for p in self.folder.iterdir()} - set(self.kept) - set(job.outputs))

    def check_old_or_new(self, job, expected, older):
        """Returns how many outputs are new."""
        assert self.leftovers(job) == []
        found = self.found(job)
        if older:
            assert sorted(found) == sorted(job.outputs)
        for name, content in found.items():
            assert content == expected[name] or (older and content == OLD), f"{name}: neither the older file nor the whole new one"
        return sum(content == expected[name] for name, content in found.items())


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str
    happened: list  # calls that went wrong
    seconds: float


def run_with_faults(job, place, calls, first, does="fail", count=1, error=12):
    log = place.folder.parent / f"log-{place.folder.name}"
    log.unlink(missing_ok=True)
    environment = dict(
        os.environ,
        LD_PRELOAD=FAILING_CALLS,
        FAULT_CALLS=calls,
        FAULT_FIRST=str(first),
        FAULT_COUNT=str(count),
        FAULT_DOES=does,
        FAULT_ERRNO=str(error),
        FAULT_LOG=str(log),
    )
    begin = time.monotonic()
    done = subprocess.run(
        job.command(), cwd=place.folder, env=environment, capture_output=True, text=True, errors="replace", timeout=LONGEST_RUN
    )
    seconds = time.monotonic() - begin
    happened = log.read_text().split() if log.exists() else []
    return Outcome(done.returncode, done.stdout, done.stderr, happened, seconds)


def sampled(most):
    """1 to `most`; in a sample the first few and the last, and between them ever wider apart."""
    if EVERYTHING or most <= MOST_IN_A_SAMPLE:
        return range(1, most + 1)
    step = most ** (1 / (MOST_IN_A_SAMPLE - 3))
    chosen = {int(step**i) for i in range(MOST_IN_A_SAMPLE - 3)}
    return sorted(chosen | {2, most - 1, most})


def assert_one_line(outcome):
    assert outcome.err.startswith("meander: ") and outcome.err.endswith("\n") and outcome.err.count("\n") == 1, repr(outcome.err)


@pytest.fixture(scope="module")
def image():
    """A disc on a slope, so that no two rows or columns are alike."""
    y, x = np.mgrid[0:60, 0:80]
    return (60 + x + (np.hypot(x - 40, y - 30) < 15) * 90).astype(np.uint8)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory, image):
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder, image)
    return folder


@pytest.fixture
def place(tmp_path, inputs):
    return Place(tmp_path / "place", inputs)


def pytest_generate_tests(metafunc):
    if "write_job" in metafunc.fixturenames:
        metafunc.parametrize("write_job", write_jobs(), ids=lambda job: job.name)
    if "any_job" in metafunc.fixturenames:
        metafunc.parametrize("any_job", write_jobs() + read_jobs(), ids=lambda job: job.name)
