#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""mutate_cli.py PROGRAM COUNT [--jobs N] [--first I]: damaged files through the command line.

Damages the files of tests/fuzz/corpus in ways that a number determines, and has the program read each.
It must end by itself with 0 (read), 3 (malformed), 4 (unsupported) or 5 (memory), say one line when it
is not 0, take under 2 s and leave nothing behind.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
MOST_SECONDS = 2
# No image is in these.
OUTLINES = ("csv", "geojson")
# The header of pixels that lie in a file of their own.
HEADERS = {"nifti/image.img": "image.hdr", "nrrd/image.raw": "image.nhdr", "nrrd/packed.raw.gz": "packed.nhdr",
           "meta_image/image.raw": "image.mhd", "meta_image/packed.zraw": "packed.mhd"}
NUMBERS = [0, 1, 2, 8, 16, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
           1 << 32, 1 << 62, 1 << 63, (1 << 64) - 1]
WORDS = [b"-1", b"0", b"99999999999999999999", b"9223372036854775807", b"1e308", b"nan", b"inf", b"\n", b" ", b"(",
         b"\0", b"\x1b[2J", b"../", b"/etc/passwd", b"%s%n"]
Outcome = collections.namedtuple("Outcome", "number kind seconds cpu_seconds fault")


def place(rng, data):
    """Structure is at the front and, in TIFF, at the end."""
    way = rng.randrange(4)
    if way == 0:
        return rng.randrange(len(data))
    near = rng.randrange(min(len(data), 400))
    return len(data) - 1 - near if way == 1 else near


def number_as_digits(rng, data, at):
    """Another number in place of the digits at or behind `at`."""
    while at < len(data) and not chr(data[at]).isdigit():
        at += 1
    end = at
    while end < len(data) and chr(data[end]).isdigit():
        end += 1
    data[at:end] = str(rng.choice(NUMBERS)).encode()


def damage(rng, data, other):
    if not data:
        return
    at = place(rng, data)
    way = rng.randrange(10)
    if way == 0:
        del data[at:]
    elif way == 1:
        begin = rng.randrange(len(other))
        data[at:at] = other[begin:begin + rng.randrange(64)]
    elif way == 2:
        del data[at:at + rng.randrange(32)]
    elif way == 3:
        data[at] = rng.randrange(256)
    elif way == 4:
        data[at] ^= 1 << rng.randrange(8)
    elif way == 5:
        word = rng.choice(WORDS)
        data[at:at + rng.choice([0, len(word)])] = word
    elif way in (6, 7):
        number_as_digits(rng, data, at)
    else:
        kind = rng.choice("BHIQ")
        value = rng.choice(NUMBERS) & ((1 << 8 * struct.calcsize(kind)) - 1)
        raw = struct.pack(rng.choice("<>") + kind, value)
        data[at:at + len(raw)] = raw


class Worker:
    """One process at a time in a folder of its own, which holds the whole corpus."""

    def __init__(self, program, root):
        self.program = program
        self.folder = Path(tempfile.mkdtemp(dir=root))
        shutil.copytree(CORPUS, self.folder / "in")
        (self.folder / "out").mkdir()
        self.seeds = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.parent.name not in OUTLINES)
        self.bytes = {path: path.read_bytes() for path in self.seeds}

    def arguments(self, rng, seed):
        relative = seed.relative_to(CORPUS)
        opened = self.folder / "in" / relative.with_name(HEADERS.get(str(relative), relative.name))
        verb = ["info", opened] if rng.randrange(2) else ["convert", opened, self.folder / "out" / "image.npy"]
        extra = ["--channels"] if rng.randrange(4) == 0 else []
        return [self.program, *map(str, verb), "--memory", "64M", "--quiet", *extra]

    def run(self, number):
        rng = random.Random(number)
        seed = self.seeds[number % len(self.seeds)]
        data, other = bytearray(self.bytes[seed]), self.bytes[rng.choice(self.seeds)]
        for _ in range(rng.randrange(1, 5)):
            damage(rng, data, other)
        path = self.folder / "in" / seed.relative_to(CORPUS)
        path.write_bytes(data)
        outcome = self.outcome_of(number, self.arguments(rng, seed))
        path.write_bytes(self.bytes[seed])
        return outcome

    def outcome_of(self, number, arguments):
        begin = time.monotonic()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
            alarm = time.monotonic() + 10 * MOST_SECONDS
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() > alarm:
                    process.send_signal(signal.SIGKILL)
                time.sleep(0.0005)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - begin
            said.seek(0)
            text = said.read().decode("utf-8", "backslashreplace")
        cpu = usage.ru_utime + usage.ru_stime
        return Outcome(number, process.returncode, seconds, cpu, self.fault(process.returncode, text, cpu, seconds))

    def fault(self, code, text, cpu, seconds):
        left = sorted(path.name for path in (self.folder / "out").iterdir())
        for name in left:
            (self.folder / "out" / name).unlink()
        if code not in (0, 3, 4, 5):
            return f"ended with {code}: {text.strip()}"
        if code == 0 and (text or left not in ([], ["image.npy"])):
            return f"said {text!r} and left {left}"
        if code != 0 and (text.count("\n") != 1 or not text.endswith("\n")):
            return f"said {text!r}, expected one line"
        if code != 0 and left:
            return f"left {left} behind"
        if seconds > MOST_SECONDS:
            return f"took {seconds:.1f} s, {cpu:.2f} s of them on the processor"
        return None


def run_share(program, root, numbers):
    worker = Worker(program, root)
    return [worker.run(number) for number in numbers]


def report(outcomes):
    kinds = collections.Counter(outcome.kind for outcome in outcomes)
    faults = [outcome for outcome in outcomes if outcome.fault]
    for outcome in faults[:50]:
        print(f"file {outcome.number}: {outcome.fault}")
    slowest = max(outcomes, key=lambda outcome: outcome.seconds)
    busiest = max(outcomes, key=lambda outcome: outcome.cpu_seconds)
    mean = sum(outcome.cpu_seconds for outcome in outcomes) / len(outcomes)
    print(f"{len(outcomes)} files: " + ", ".join(f"{kinds[kind]} ended with {kind}" for kind in sorted(kinds)))
    print(f"slowest {slowest.seconds:.3f} s (file {slowest.number}), most processor time {busiest.cpu_seconds:.3f} s"
          f" (file {busiest.number}), mean {1000 * mean:.1f} ms; {len(faults)} faults")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="meander-mutate-", dir=memory) as root:
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            step = 200
            shares = [numbers[begin:begin + step] for begin in range(0, len(numbers), step)]
            runs = [pool.submit(run_share, options.program, root, share) for share in shares]
            outcomes = [outcome for run in runs for outcome in run.result()]
    sys.exit(report(outcomes))


if __name__ == "__main__":
    main()
