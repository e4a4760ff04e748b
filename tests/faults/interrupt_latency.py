# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""How long Ctrl-C takes, from the signal to the end of the process, at instants spread over the run of each verb.

    MEANDER_PROGRAM=build/apps/meander/meander python tests/faults/interrupt_latency.py [FOLDER] [INSTANTS] [JOB...]
"""

import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

PROGRAM = os.environ["MEANDER_PROGRAM"]
FORMATS = os.environ.get("MEANDER_FAULT_FORMATS", "npy").split(",")
OLD = b"an older file with pixels in OUT.raw"  # others would not be replaced
# Formats of two files: the one that is not named.
BESIDE = {"mhd": "raw", "nhdr": "raw", "hdr": "img"}
COMPRESSED = ("nii.gz", "png")


@dataclasses.dataclass
class Job:
    name: str
    arguments: list
    image: str = "plane"  # or volume, or zeros
    suffix: str = "npy"  # of the input


@dataclasses.dataclass
class Found:
    seconds: list  # from signal to end, of those that were interrupted
    cpu_seconds: list
    codes: set
    interrupted: int
    whole: float  # seconds of an undisturbed run


def jobs():
    made = [
        Job("smooth", ["smooth", "IN", "OUT.npy", "--sigma", "12"]),
        Job("smooth volume", ["smooth", "IN", "OUT.npy", "--sigma", "3"], image="volume"),
        Job("smooth in slabs", ["smooth", "IN", "OUT.npy", "--sigma", "3", "--memory", "48M"], image="volume"),
        Job("flow", ["flow", "IN", "OUT.npy"]),
        Job("flow volume", ["flow", "IN", "OUT.npy"], image="volume"),
        Job("react", ["react", "IN", "OUT.npy", "--preset", "edges", "--steps", "50"]),
        Job("segment", ["segment", "IN", "OUT.geojson", "--init", "circle:2000,1500,900"]),
        Job("phantom", ["phantom", "star", "OUT.npy", "--size", "6000x4000", "--noise", "gamma"]),
        Job("info", ["info", "IN"], image="zeros"),
        Job("write a gigabyte", ["convert", "IN", "OUT.npy", "--type", "f64"], image="zeros"),
    ]
    for suffix in FORMATS:
        # What is not compressed is done before a signal could come, unless there is much of it.
        image = "plane" if suffix in COMPRESSED else "zeros"
        made.append(Job(f"write {suffix}", ["convert", "IN", f"OUT.{suffix}", *of_png(suffix)], image))
        if suffix != "npy":
            made.append(Job(f"read {suffix}", ["convert", "IN", "OUT.npy"], image, suffix))
    return made


def of_png(suffix):
    return ["--type", "u8"] if suffix == "png" else []


def input_of(job, folder):
    """Noise, which is the hardest to compress, with something to find in it."""
    file = folder / f"{job.image}.npy"
    if not file.exists():
        random = np.random.default_rng(3)
        if job.image == "zeros":
            np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=(512, 512, 512))
        elif job.image == "volume":
            np.save(file, random.integers(0, 1000, (200, 256, 256), np.uint16))
        else:
            y, x = np.mgrid[0:3000, 0:4000]
            np.save(file, (random.integers(0, 100, x.shape) + 100 * (np.hypot(x - 2000, y - 1500) < 800)).astype(np.uint8))
    if job.suffix == "npy":
        return file
    other = folder / f"{job.image}_{job.suffix}.{job.suffix}"
    if not other.exists():
        subprocess.run([PROGRAM, "convert", str(file), str(other), *of_png(job.suffix)], check=True)
    return other


def start(job, folder):
    words = {"IN": str(input_of(job, folder))}
    command = [words.get(word, word) for word in job.arguments]
    if job.name != "phantom":
        command += ["--device", "cpu"]
    return subprocess.Popen(
        [PROGRAM, *command],
        cwd=folder / "out",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Shells let what runs in the background ignore Ctrl-C, and the program respects that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait(process):
    """Exit code, and seconds of the processor that the process took."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def cpu_seconds_so_far(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def listens(pid):
    """Whether the program has seen to it that Ctrl-C does not end it as it ends any other."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigBlk:", "SigCgt:"))]
    return any(mask >> (signal.SIGINT - 1) & 1 for mask in masks)


def outputs_of(job):
    named = [word for word in job.arguments if word.startswith("OUT.")]
    beside = [f"OUT.{BESIDE[word[4:]]}" for word in named if word[4:] in BESIDE]
    return named + beside


def reset(job, folder):
    out = folder / "out"
    out.mkdir(exist_ok=True)
    for file in out.iterdir():
        file.unlink()
    for name in outputs_of(job):
        (out / name).write_bytes(OLD)


def check_left(job, folder, code):
    names = sorted(file.name for file in (folder / "out").iterdir())
    assert names == sorted(outputs_of(job)), names
    for name in names:
        file = folder / "out" / name
        old = file.stat().st_size == len(OLD) and file.read_bytes() == OLD
        assert old == (code == 130), (code, f"the older {name} is " + ("there" if old else "gone"))


def measure(job, folder, instants):
    folder = pathlib.Path(folder).resolve()
    input_of(job, folder)
    reset(job, folder)
    begin = time.monotonic()
    code, _ = wait(start(job, folder))
    whole = time.monotonic() - begin
    assert code == 0, job
    found = Found([], [], set(), 0, whole)
    for turn in range(instants):
        reset(job, folder)
        process = start(job, folder)
        begin = time.monotonic()
        while not listens(process.pid) and time.monotonic() - begin < 10:
            time.sleep(0.0005)
        time.sleep(max(0, begin + whole * turn / instants - time.monotonic()))
        before = cpu_seconds_so_far(process.pid)
        begin = time.monotonic()
        os.kill(process.pid, signal.SIGINT)  # not send_signal, which takes away what wait4 is to find
        code, cpu = wait(process)
        seconds = time.monotonic() - begin
        check_left(job, folder, code)
        found.codes.add(code)
        if code == 130:
            found.interrupted += 1
            found.seconds.append(seconds)
            found.cpu_seconds.append(cpu - before)
    return found


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else None
    instants = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory(dir=where) as folder:
        print("milliseconds from signal to end: median, 90 %, longest; processor time: longest")
        for job in [j for j in jobs() if len(sys.argv) < 4 or j.name in sys.argv[3:]]:
            found = measure(job, folder, instants)
            if not found.seconds:
                print(f"{job.name:18} was done before every signal")
                continue
            ordered = sorted(found.seconds)
            print(
                f"{job.name:18} {1000 * ordered[len(ordered) // 2]:7.1f} {1000 * ordered[len(ordered) * 9 // 10]:7.1f} {1000 * ordered[-1]:7.1f}"
                f"   {1000 * max(found.cpu_seconds):7.1f}   of {found.interrupted} in a run of {found.whole:.2f} s"
            )


if __name__ == "__main__":
    main()
