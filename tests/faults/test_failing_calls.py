# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Each call into the system fails in turn: memory is code 5, files are code 7, always one line, never a crash."""

import errno

import pytest
from conftest import assert_one_line, run_with_faults, sampled

WITHOUT_END = 1 << 30


def calls_in(job, place, calls):
    """Names of the calls that there are when none fails."""
    outcome = run_with_faults(job, place, calls, first=1, does="watch", count=WITHOUT_END)
    assert outcome.code == 0, outcome.err
    return outcome.happened


def fail_in_turn(job, place, calls, code, error, count=1, may_do_without=False):
    """Every outcome is the code and one line, with every output old or whole. A call that the program can do without
    may fail unnoticed: then everything is there. What fails after the last output is there changes nothing about that."""
    expected = place.expected(job)
    most = len(calls_in(job, place, calls))
    for first in sampled(most):
        older = first % 2 == 0
        place.clear(job, older)
        outcome = run_with_faults(job, place, calls, first, count=count, error=error)
        where = (job.name, calls, first, outcome.happened[:1], outcome.code, outcome.err)
        new = place.check_old_or_new(job, expected, older)
        if not outcome.happened:  # a run may need a few calls less than another
            assert (outcome.code, new) == (0, len(job.outputs)), where
            continue
        if may_do_without and outcome.code == 0:
            assert new == len(job.outputs), where
            continue
        assert outcome.code == code, where
        assert_one_line(outcome)
        assert new < len(job.outputs) or code == 5, where
    print(f"{job.name}: {calls}: {most} calls, {len(sampled(most))} of them failed in turn")
    return most


def test_memory_runs_out_once(any_job, place):
    assert fail_in_turn(any_job, place, "memory", 5, errno.ENOMEM, may_do_without=True) > 100


def test_memory_runs_out_for_good(any_job, place):
    fail_in_turn(any_job, place, "memory", 5, errno.ENOMEM, count=WITHOUT_END, may_do_without=True)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_writes_fail(write_job, place, error):
    assert fail_in_turn(write_job, place, "write", 7, error) > 0


def test_files_cannot_be_made_durable(write_job, place):
    assert fail_in_turn(write_job, place, "sync", 7, errno.EIO) >= len(write_job.outputs)


def test_files_cannot_be_named(write_job, place):
    assert fail_in_turn(write_job, place, "link,rename", 7, errno.ENOSPC) > 0


@pytest.mark.parametrize("error", [errno.EMFILE, errno.ENOSPC])
def test_files_cannot_be_opened(any_job, place, error):
    assert fail_in_turn(any_job, place, "open", 7, error, may_do_without=True) > 0


def test_reads_fail(any_job, place):
    assert fail_in_turn(any_job, place, "read", 7, errno.EIO, may_do_without=True) > 0 or any_job.name == "phantom"


def test_reads_fail_for_good(any_job, place):
    fail_in_turn(any_job, place, "read", 7, errno.EIO, count=WITHOUT_END, may_do_without=any_job.name == "phantom")


def test_permissions_cannot_be_kept(write_job, place):
    expected = place.expected(write_job)
    place.clear(write_job, older=True)
    outcome = run_with_faults(write_job, place, "chmod", first=1, error=errno.EPERM)
    assert outcome.code == 7 and outcome.happened == ["fchmod"]
    assert place.check_old_or_new(write_job, expected, older=True) == 0


def test_threads_cannot_be_started(place, write_job):
    fail_in_turn(write_job, place, "spawn", 5, errno.EAGAIN)


def test_transfers_in_crumbs_and_interruptions_change_nothing(any_job, place):
    expected = place.expected(any_job)
    outcome = run_with_faults(any_job, place, "read,write", first=1, count=WITHOUT_END, does="crumble")
    assert outcome.code == 0, outcome.err
    assert len(outcome.happened) > 4
    assert place.check_old_or_new(any_job, expected, older=False) == len(any_job.outputs)


def test_without_unnamed_files_there_are_named_ones(write_job, place):
    """Some file systems, NFS among them, know no files without a name."""
    expected = place.expected(write_job)
    for first in sampled(len(calls_in(write_job, place, "open"))):
        for older in (False, True):
            place.clear(write_job, older)
            outcome = run_with_faults(write_job, place, "open", first=first, error=errno.EOPNOTSUPP)
            new = place.check_old_or_new(write_job, expected, older)
            assert (outcome.code, new) == (0, len(write_job.outputs)) or outcome.code == 7, (first, outcome)
