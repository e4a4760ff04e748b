# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Ctrl-C at any instant: code 130 soon, the older file as it was, nothing left."""

import tempfile

import interrupt_latency
import pytest
from conftest import EVERYTHING, SCRATCH

# On a busy machine a process may wait for its turn; how long it really takes is printed by interrupt_latency.py.
SOON = 2.0
INSTANTS = 20 if EVERYTHING else 2


@pytest.fixture(scope="session")
def folder():
    """One for all, whose inputs are made once."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as made:
        yield made


@pytest.mark.parametrize("job", interrupt_latency.jobs(), ids=lambda job: job.name)
def test_ends_soon_and_leaves_nothing(folder, job):
    found = interrupt_latency.measure(job, folder, INSTANTS)
    assert found.codes <= {0, 130}
    assert found.interrupted > 0
    assert max(found.seconds) < SOON
