# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""No room: code 7, one line, the older file as it was, nothing left."""

import os
import resource
import shutil
import subprocess

import numpy as np
import pytest
from conftest import EVERYTHING, OLD, PROGRAM, Outcome, assert_one_line, write_jobs

LARGE = (450, 550)


@pytest.fixture(scope="module")
def image():
    y, x = np.mgrid[0 : LARGE[0], 0 : LARGE[1]]
    noise = np.random.default_rng(5).integers(0, 60, LARGE)
    return (60 + noise + (np.hypot(x - 250, y - 200) < 120) * 90).astype(np.uint8)


def mounts_are_allowed():
    trial = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True)
    return None if trial.returncode == 0 else trial.stderr.strip()


def limited_run(job, place, most_bytes):
    """No file may grow beyond `most_bytes`, as under `ulimit -f`."""
    done = subprocess.run(
        job.command(),
        cwd=place.folder,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
    )
    return Outcome(done.returncode, done.stdout, done.stderr, [], 0)


def image_jobs():
    return [job for job in write_jobs() if job.name not in ("segment", "phantom", "flow", "smooth-slabs", "react-gif")]


@pytest.mark.parametrize("job", image_jobs(), ids=lambda job: job.name)
@pytest.mark.parametrize("part", [0, 0.5, 0.999] if EVERYTHING else [0.5, 0.999])
def test_a_limit_of_file_size(job, place, part):
    expected = place.expected(job)
    size = max(map(len, expected.values()))
    for older in (False, True):
        place.clear(job, older)
        outcome = limited_run(job, place, min(int(size * part), size - 1))
        assert outcome.code == 7, outcome
        assert_one_line(outcome)
        assert place.check_old_or_new(job, expected, older) < len(job.outputs)


def test_outlines_and_masks_under_a_limit_of_file_size(place):
    job = next(job for job in write_jobs() if job.name == "segment")
    expected = place.expected(job)
    place.clear(job, older=True)
    outcome = limited_run(job, place, min(map(len, expected.values())) - 1)
    assert outcome.code == 7
    assert_one_line(outcome)
    assert place.check_old_or_new(job, expected, older=True) == 0


@pytest.mark.parametrize("verb", [["info", "in.npy"], ["info", "in.npy", "--json"], ["compare", "in.npy", "in.npy", "--json"], ["docs", "man"]])
def test_a_full_stdout(place, verb):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, *verb], cwd=place.folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 7
    assert done.stderr.startswith("meander: ") and done.stderr.count("\n") == 1


def test_a_full_disk(place, tmp_path):
    """A tmpfs of two megabytes, half of them taken."""
    reason = "no unshare here" if shutil.which("unshare") is None else mounts_are_allowed()
    if reason:
        pytest.skip(f"mounting is not allowed: {reason}")
    full = tmp_path / "full"
    full.mkdir()
    script = tmp_path / "script"
    for job in image_jobs():
        expected = place.expected(job)
        size = sum(map(len, expected.values()))
        room = 2 * len(OLD) * 4096 + size // 2 // 4096 * 4096
        outputs = " ".join(f"'{full}/{name}'" for name in job.outputs)
        script.write_text(
            f"set -e; mount -t tmpfs -o size={max(room, 65536)} none '{full}'\n"
            f"for f in {outputs}; do printf %s {OLD.decode()!r} > $f; done\n"
            f"head -c 100000000 /dev/zero > '{full}/filler' 2>/dev/null || true\n"
            f"truncate -s -{max(8192, size // 2)} '{full}/filler'\n"
            f"cp in.npy /dev/null; set +e\n"
            + " ".join(f"'{word}'" for word in in_folder(job, full))
            + f" > '{tmp_path}/out' 2> '{tmp_path}/err'; echo $? > '{tmp_path}/code'\n"
            f"ls -A '{full}' > '{tmp_path}/left'; cat {outputs} > '{tmp_path}/content'\n"
        )
        subprocess.run(["unshare", "-rm", "bash", str(script)], cwd=place.folder, check=True, timeout=60)
        code = int((tmp_path / "code").read_text())
        err = (tmp_path / "err").read_text()
        assert code == 7, (job.name, code, err)
        assert_one_line(Outcome(code, "", err, [], 0))
        assert sorted((tmp_path / "left").read_text().split()) == sorted([*job.outputs, "filler"])
        assert (tmp_path / "content").read_bytes() == OLD * len(job.outputs)


def in_folder(job, folder):
    return [os.path.join(folder, word) if word in job.outputs else word for word in job.command()]
