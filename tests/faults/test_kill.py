# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""SIGKILL, which nobody can catch: the older file or the whole new one, and nothing else."""

import random
import re
import subprocess
import time

import numpy as np
from conftest import EVERYTHING, Place, make_inputs, run_with_faults, sampled, write_jobs

KILLS = 200
OF_WRITING = "open,write,chmod,sync,link,rename"


def test_killed_instead_of_each_call_that_writes(write_job, place):
    """The sharp form: the process ends right before each call on the way of an output to its place."""
    expected = place.expected(write_job)
    for older in (False, True):
        place.clear(write_job, older)
        calls = run_with_faults(write_job, place, OF_WRITING, first=1, count=1 << 30, does="watch").happened
        assert "fsync" in calls and ("rename" in calls) == older
        for first in sampled(len(calls)):
            call = calls[first - 1]
            place.clear(write_job, older)
            outcome = run_with_faults(write_job, place, OF_WRITING, first, does="kill")
            assert outcome.code == -9 and outcome.happened == [call]
            if call == "rename":
                check_whole_under_a_temporary_name(write_job, place, expected)
            new = place.check_old_or_new(write_job, expected, older)
            assert new < len(write_job.outputs)


def check_whole_under_a_temporary_name(job, place, expected):
    """A link cannot replace, so a file that replaces another has a second name for the length of one call. A kill in
    that instant leaves that name, and the whole new content under it; takes it away."""
    left = place.leftovers(job)
    assert len(left) == 1 and re.fullmatch(r"\.meander-\d+-\d+\.tmp", left[0])
    file = place.folder / left[0]
    assert file.read_bytes() in expected.values()
    file.unlink()


def seconds_of(job, place, times=3):
    def once():
        begin = time.monotonic()
        subprocess.run(job.command(), cwd=place.folder, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begin

    return sorted(once() for _ in range(times))[times // 2]


def kill_after(job, place, seconds):
    """Returns whether the program was killed: it may have been done before."""
    process = subprocess.Popen(job.command(), cwd=place.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.kill()
    return process.wait() == -9


def test_killed_at_random_instants(tmp_path):
    """The blunt form, 200 times over all formats; files of half a megabyte, so that most of the time goes into writing."""
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    chance = random.Random(8)
    noise = np.random.default_rng(8).integers(0, 256, (600, 800), np.uint8)
    make_inputs(inputs, noise)
    place = Place(tmp_path / "place", inputs)
    jobs = [job for job in write_jobs() if job.name.startswith("convert") or job.name == "smooth"]
    each = -(-KILLS * (5 if EVERYTHING else 1) // len(jobs))
    killed = finished = new_although_killed = between_names = 0
    for job in jobs:
        expected = place.expected(job)
        whole = seconds_of(job, place)
        for turn in range(each):
            older = turn % 2 == 0
            place.clear(job, older)
            was_killed = kill_after(job, place, chance.uniform(0.1, 1.1) * whole)
            if was_killed and older and place.leftovers(job):
                check_whole_under_a_temporary_name(job, place, expected)
                between_names += 1
            new = place.check_old_or_new(job, expected, older)
            killed += was_killed
            finished += not was_killed
            new_although_killed += was_killed and new > 0
            assert was_killed or new == len(job.outputs)
        place.clear(job)
    print(
        f"{killed} killed, {new_although_killed} of them after their file had its name, {between_names} while it had two; "
        f"{finished} were done before"
    )
    assert killed + finished >= KILLS
    assert killed > KILLS // 4 and finished > 0
