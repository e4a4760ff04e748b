# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""A budget is kept: four gigabytes are smoothed in a quarter of one, and a gzip bomb stays a small file."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest
from conftest import EVERYTHING, FORMATS, PROGRAM, SCRATCH

BUDGET = 256 << 20
SIDE = 1024
SIGMA = 2.0
BRIGHT = [(0, 0, 0), (3, 700, 512), (511, 511, 511), (512, 510, 513), (1023, 1023, 1023)]  # z, y, x
AROUND = 24  # beyond the reach of a Gaussian of sigma 2 in float


# A process begins with the peak of the one it was forked from, so a small one stands between these tests and the program.
RUN_AND_SAY_PEAK = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run_and_measure(*arguments, cwd):
    """Exit code, stderr, peak of resident bytes, seconds."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-S", "-c", RUN_AND_SAY_PEAK, PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=True
    )
    code, kilobytes = map(int, done.stdout.split())
    return code, done.stderr, kilobytes << 10, time.monotonic() - begin


@pytest.fixture
def folder():
    """Not on a tmpfs, which would take the memory that is being saved."""
    where = pathlib.Path(SCRATCH) / f"faults-{os.getpid()}"
    where.mkdir()
    yield where
    shutil.rmtree(where)


def nifti_header(shape, code, bits):
    """Of a single file, little-endian; shape is x, y, z."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *shape, 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, code, bits)
    struct.pack_into("<8f", header, 76, *[1] * 8)
    struct.pack_into("<f", header, 108, len(header))
    header[344:348] = b"n+1\0"
    return bytes(header)


FLOAT = (16, 32)  # as NIfTI names it
VOXELS_BEGIN = {"nii": 352, "npy": 128}


def mapped(file, mode):
    offset = VOXELS_BEGIN[file.suffix[1:]]
    return np.memmap(file, np.dtype("<f4"), mode, offset, (SIDE, SIDE, SIDE))


def sparse_volume(file):
    """Zeros, of which the disk holds none, with a few bright voxels."""
    if file.suffix == ".npy":
        np.lib.format.open_memmap(file, "w+", np.float32, (SIDE, SIDE, SIDE))
    else:
        file.write_bytes(nifti_header((SIDE, SIDE, SIDE), *FLOAT))
        os.truncate(file, VOXELS_BEGIN["nii"] + 4 * SIDE**3)
    volume = mapped(file, "r+")
    for i, place in enumerate(BRIGHT):
        volume[place] = 1000 + 100 * i
    volume.flush()
    return volume


def around(place):
    return tuple(slice(max(0, at - AROUND), min(SIDE, at + AROUND + 1)) for at in place)


def check_against_a_crop(volume, result, folder):
    """Voxels near a bright one, against the smoothing of what lies around them, where the crop's ends are not felt."""
    for place in BRIGHT:
        np.save(folder / "crop.npy", np.ascontiguousarray(volume[around(place)]))
        subprocess.run([PROGRAM, "smooth", "crop.npy", "soft.npy", "--sigma", str(SIGMA), "--device", "cpu"], cwd=folder, check=True)
        soft = np.load(folder / "soft.npy")
        inner = tuple(slice(at - max(0, at - AROUND) - min(at, 8), at - max(0, at - AROUND) + 9) for at in place)
        outer = tuple(slice(max(0, at - 8), at + 9) for at in place)
        assert soft[inner].max() > 1
        # Both are FIR filters, which --dry-run says are within 4e-5 of the Gaussian; float32 adds some 1e-6.
        np.testing.assert_allclose(result[outer], soft[inner], atol=1e-4 * soft.max())


@pytest.mark.parametrize("suffix", ["nii", "npy"] if EVERYTHING else ["nii"])
def test_four_gigabytes_in_a_quarter_of_one(folder, suffix):
    free = shutil.disk_usage(folder).free
    if free < 6 << 30:
        pytest.skip(f"needs 6 GB of free disk, found {free >> 30}")
    volume = sparse_volume(folder / f"in.{suffix}")
    code, err, peak, seconds = run_and_measure(
        "smooth", f"in.{suffix}", f"out.{suffix}", "--sigma", SIGMA, "--memory", "256M", "--device", "cpu", "--threads", "2", cwd=folder
    )
    print(f"smooth of {volume.nbytes} bytes in {BUDGET}: {seconds:.1f} s, peak {peak} bytes, {peak / BUDGET:.3f} of the budget")
    assert code == 0, err
    assert peak <= 1.1 * BUDGET
    assert (folder / f"out.{suffix}").stat().st_size == (folder / f"in.{suffix}").stat().st_size
    result = mapped(folder / f"out.{suffix}", "r")
    check_against_a_crop(volume, result, folder)
    assert not result[300].any()


@pytest.mark.parametrize("kind", ["u8", "u16", "f64"])
@pytest.mark.parametrize("sigma", ["2", "2,2,0"])
def test_another_type_is_written_within_the_budget(folder, kind, sigma):
    np.lib.format.open_memmap(folder / "in.npy", "w+", np.uint8, (72, SIDE, SIDE))[30, 500, 500] = 200
    code, err, peak, _ = run_and_measure(
        "smooth", "in.npy", "out.npy", "--sigma", sigma, "--type", kind, "--memory", "256M", "--device", "cpu", "--threads", "2", cwd=folder
    )
    assert code == 0, err
    assert peak <= 1.1 * BUDGET
    assert np.load(folder / "out.npy", mmap_mode="r")[30, 500, 500] > 0


def gzip_bomb(file, header, zeros):
    """A header and then so many zeros as one gzip stream of a thousandth of their size. Deflated zeros end at a whole byte
    after a full flush, so that the same piece can follow itself."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    begin = deflate.compress(header) + deflate.flush(zlib.Z_FULL_FLUSH)
    content = bytes(64 << 20)
    piece = deflate.compress(content) + deflate.flush(zlib.Z_FULL_FLUSH)
    check = zlib.crc32(header)
    unfinished = file.with_suffix(f".{os.getpid()}")
    with open(unfinished, "wb") as out:
        out.write(b"\x1f\x8b\x08\0\0\0\0\0\x02\xff" + begin)
        for _ in range(zeros // len(content)):
            out.write(piece)
            check = zlib.crc32(content, check)
        out.write(deflate.flush() + struct.pack("<II", check, (len(header) + zeros) % (1 << 32)))
    unfinished.rename(file)


def bomb_of(side):
    """Zeros as f32, cached beside the build; returns the file and its zeros."""
    zeros = -(-4 * side**3 // (64 << 20)) * (64 << 20)
    file = pathlib.Path(SCRATCH) / f"bomb-{side}.nii.gz"
    if not file.exists():
        gzip_bomb(file, nifti_header((side, side, side), *FLOAT), zeros)
    assert file.stat().st_size < zeros / 1000
    return file, zeros


# Eight gigabytes of zeros in eight megabytes. To inflate them takes a minute, so a sample streams an eighth of them.
WHOLE_BOMB = 1290
STREAMED = WHOLE_BOMB if EVERYTHING else WHOLE_BOMB // 2


@pytest.mark.skipif("nii.gz" not in FORMATS, reason="this build has no NIfTI")
@pytest.mark.parametrize(
    "verb, side, expected",
    [("info", STREAMED, 0), ("convert", STREAMED, 0), ("flow", WHOLE_BOMB, 5)],
)
def test_a_gzip_bomb_stays_within_the_budget(folder, verb, side, expected):
    """What streams stays small, what cannot is refused."""
    bomb, zeros = bomb_of(side)
    arguments = {"info": [], "convert": ["out.npy", "--type", "u8"], "flow": ["out.npy"]}[verb]
    code, err, peak, seconds = run_and_measure(verb, bomb, *arguments, "--memory", "256M", "--device", "cpu", cwd=folder)
    print(f"{verb} of {zeros} zeros: code {code}, {seconds:.1f} s, peak {peak} bytes, {peak / BUDGET:.3f} of the budget")
    assert code == expected, err
    assert peak <= 1.1 * BUDGET
    assert (folder / "out.npy").exists() == (verb == "convert")
    if verb == "convert":
        assert np.load(folder / "out.npy", mmap_mode="r").shape == (side, side, side)
