# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Bad input gets a clear one-line error, the right exit code, and nothing is lost."""

import os
import resource
import signal
import struct
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM, needs_gif, needs_png, needs_tiff

AS_NOBODY = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}


@pytest.fixture
def image(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(10000, dtype=np.float32).reshape(100, 100))
    return tmp_path / "a.npy"


def test_missing_file(refused):
    assert "nothing.npy" in refused(7, "info", "nothing.npy")


def test_directory_instead_of_a_file(refused, tmp_path):
    (tmp_path / "folder.npy").mkdir()
    assert "folder.npy" in refused(7, "info", "folder.npy")


def test_unreadable_file(refused, image, tmp_path):
    image.chmod(0)
    tmp_path.chmod(0o777)
    refused(7, "info", image, **AS_NOBODY)


def test_empty_file(refused, tmp_path):
    (tmp_path / "empty.tif").write_bytes(b"")
    refused(3, "info", "empty.tif")


def test_a_text_file(refused, tmp_path):
    (tmp_path / "notes.npy").write_text("these are my notes\n")
    assert "NPY" in refused(4, "info", "notes.npy")


def test_truncated_npy(refused, image):
    image.write_bytes(image.read_bytes()[:-100])
    assert "a.npy" in refused(3, "info", image)


def test_failed_convert_leaves_the_old_output(refused, image, tmp_path):
    (tmp_path / "out.npy").write_bytes(b"old")
    image.write_bytes(image.read_bytes()[:-100])
    refused(3, "convert", image, "out.npy")
    assert (tmp_path / "out.npy").read_bytes() == b"old"


def lying_npy(path, shape):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 800)


@pytest.mark.parametrize("shape", [(100000, 100000, 100000), (10**15,), (1, 10**15), (2**62, 2**62), (10**18, 1, 1)])
def test_a_claim_beyond_memory_is_code_5_at_once(refused, tmp_path, shape):
    lying_npy(tmp_path / "a.npy", shape)
    # The claim itself is refused; nothing was allocated that could have failed.
    assert "beyond the memory budget" in refused(5, "info", "a.npy")


def test_a_claim_within_memory_but_beyond_the_file_is_code_3(refused, tmp_path):
    lying_npy(tmp_path / "a.npy", (1000, 1000))
    refused(3, "info", "a.npy")


@needs_tiff
def test_a_small_tiff_that_claims_10_to_the_15(refused, tmp_path):
    tags = [(256, 4, 1, 32000000), (257, 4, 1, 31250000), (258, 3, 1, 16), (259, 3, 1, 1), (262, 3, 1, 1),
            (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, 31250000), (279, 4, 1, 700)]
    data = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags))
    data += b"".join(struct.pack("<HHII", *tag) for tag in tags) + b"\0" * 4
    (tmp_path / "a.tif").write_bytes(data + b"\0" * (1000 - len(data)))
    refused(5, "info", "a.tif")


@needs_tiff
def test_a_compressed_strip_beyond_the_budget_is_code_5(refused, tmp_path):
    pytest.importorskip("imagecodecs")
    tifffile = pytest.importorskip("tifffile")
    noise = np.random.default_rng(0).integers(0, 65536, (1500, 1500)).astype(np.uint16)
    tifffile.imwrite(tmp_path / "a.tif", noise, compression="zlib", rowsperstrip=1500)
    assert "to decode" in refused(5, "convert", "a.tif", "b.npy", "--memory", "2M")


@needs_png
def test_png_that_lies_about_its_size(refused, tmp_path, ok):
    ok("phantom", "star", "a.png", "--size", "20x20")
    data = bytearray((tmp_path / "a.png").read_bytes())
    data[16:24] = struct.pack(">II", 2**31 - 1, 2**31 - 1)
    (tmp_path / "a.png").write_bytes(data)
    result = subprocess.run([PROGRAM, "info", "a.png"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode in (3, 5) and result.stderr.count("\n") == 1


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0, 5)])
def test_zero_sized(refused, tmp_path, shape):
    np.save(tmp_path / "a.npy", np.zeros(shape, np.float32))
    refused(3, "info", "a.npy")


def test_pickled_objects_are_refused(refused, tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    refused(4, "info", "a.npy")


def test_types_that_are_not_supported(refused, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((4, 4), np.complex64))
    refused(4, "info", "a.npy")


def test_content_counts_not_the_suffix(ok, image, tmp_path):
    image.rename(tmp_path / "a.tif")
    assert "NPY" in ok("info", "a.tif").out


def test_unknown_output_suffix(refused, image):
    assert ".npy" in refused(4, "convert", image, "b.jpg")


@needs_png
def test_png_cannot_hold_float(refused, image):
    assert "PNG cannot hold f32 pixels, expected --type u8 or u16" in refused(4, "convert", image, "b.png")
    refused(4, "convert", image, "b.png", "--dry-run")


@needs_png
def test_png_cannot_hold_a_volume(refused, tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((3, 4, 5), np.uint8))
    refused(4, "convert", "v.npy", "b.png")


@needs_gif
def test_gif_holds_bytes(refused, image, tmp_path):
    assert "GIF cannot hold f32 pixels, expected --type u8" in refused(4, "convert", image, "b.gif")
    np.save(tmp_path / "c.npy", np.zeros((4, 5, 4), np.uint8))
    assert "1 or 3 channels" in refused(4, "convert", "c.npy", "b.gif", "--channels")


def test_gif_is_not_read(refused, tmp_path):
    (tmp_path / "a.gif").write_bytes(b"GIF89a" + bytes(100))
    assert "can only be written" in refused(4, "info", "a.gif")


def test_output_folder_does_not_exist(refused, image):
    refused(7, "convert", image, "nowhere/b.npy")


def test_output_is_a_folder(refused, image, tmp_path):
    (tmp_path / "b.npy").mkdir()
    refused(7, "convert", image, "b.npy")


def test_read_only_target_stays(refused, image, tmp_path):
    target = tmp_path / "b.npy"
    target.write_bytes(b"old")
    target.chmod(0o444)
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents:
        if str(parent) != "/tmp" and parent.owner() == "root" and os.geteuid() == 0 and "pytest" in str(parent):
            parent.chmod(0o755)
    refused(7, "convert", image, "b.npy", **AS_NOBODY)
    assert target.read_bytes() == b"old"


def test_read_only_folder(refused, image, tmp_path):
    tmp_path.chmod(0o555)
    for parent in tmp_path.parents:
        if "pytest" in str(parent) and os.geteuid() == 0:
            parent.chmod(0o755)
    refused(7, "convert", image, "b.npy", **AS_NOBODY)
    tmp_path.chmod(0o755)


def test_a_device_file_is_no_target(refused, image, tmp_path):
    (tmp_path / "b.npy").symlink_to("/dev/full")
    refused(7, "convert", image, "b.npy")


def test_file_size_limit_is_code_7_and_the_old_output_stays(refused, image, tmp_path):
    (tmp_path / "b.npy").write_bytes(b"old")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

    refused(7, "convert", image, "b.npy", preexec_fn=limit)
    assert (tmp_path / "b.npy").read_bytes() == b"old"


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("mounting a small tmpfs is not allowed here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("name", ["b.npy", pytest.param("b.tif", marks=needs_tiff), pytest.param("b.png", marks=needs_png),
                                  pytest.param("b.gif", marks=needs_gif)])
def test_full_disk(run, small_disk, tmp_path, name):
    (small_disk / name).write_bytes(b"old")
    result = run("phantom", "star", small_disk / name, "--size", "400x400", "--noise", "gaussian",
                 "--levels", "70,180", "--type", "u8")
    assert result.code == 7, result.err
    assert result.err.count("\n") == 1 and "space" in result.err
    assert [p.name for p in small_disk.iterdir()] == [name]
    assert (small_disk / name).read_bytes() == b"old"


def signal_mask(process, field):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1], 16) for line in status if line.startswith(field))


def wait_until_signals_are(process, field, number):
    """A signal that comes before the program has begun to look for it is the system's affair."""
    while process.poll() is None and not signal_mask(process, field) >> (number - 1) & 1:
        time.sleep(0.005)


def started(tmp_path, *arguments, **options):
    process = subprocess.Popen([PROGRAM, *arguments], cwd=tmp_path, stderr=subprocess.PIPE, text=True, **options)
    wait_until_signals_are(process, "SigBlk:", signal.SIGINT)
    return process


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("after", [0.05, 0.3, 0.8])
def test_interrupt_leaves_the_old_file_and_nothing_else(tmp_path, how, after):
    (tmp_path / "b.npy").write_bytes(b"old")
    process = started(tmp_path, "phantom", "star", "b.npy", "--size", "20000x20000", "--noise", "gamma", "--looks", "2")
    time.sleep(after)
    process.send_signal(how)
    error = process.communicate(timeout=20)[1]
    assert process.returncode == 130, error
    assert error == "meander: stopped on request\n"
    assert [p.name for p in tmp_path.iterdir()] == ["b.npy"]
    assert (tmp_path / "b.npy").read_bytes() == b"old"


def test_interrupt_leaves_neither_image_nor_mask(tmp_path):
    process = started(tmp_path, "phantom", "star", "b.npy", "--size", "20000x20000", "--noise", "gamma", "--truth", "t.npy")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert list(tmp_path.iterdir()) == []


def test_a_bad_place_for_the_truth_is_refused_before_the_image_is_made(refused):
    refused(7, "phantom", "star", "b.npy", "--truth", "nowhere/t.npy")
    refused(4, "phantom", "star", "b.npy", "--truth", "t.xyz")
    refused(7, "phantom", "star", "b.npy", "--truth", "nowhere/t.npy", "--dry-run")
    refused(7, "phantom", "star", "b.npy", "--truth", "nowhere/t.geojson")


def test_under_nohup_a_hangup_is_ignored(tmp_path):
    process = subprocess.Popen(["sh", "-c", f"trap '' HUP; exec {PROGRAM} phantom star b.npy --size 3000x3000 --noise gamma"],
                               cwd=tmp_path, stdout=subprocess.DEVNULL)
    wait_until_signals_are(process, "SigBlk:", signal.SIGINT)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == 0


def test_interrupted_benchmark_removes_its_files(tmp_path):
    process = started(tmp_path, "bench", "io", "--size", "4000x4000", "--runs", "1000",
                      env=dict(os.environ, TMPDIR=str(tmp_path)), stdout=subprocess.DEVNULL)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert list(tmp_path.iterdir()) == []


def test_benchmark_beyond_its_budget_is_code_5(refused):
    refused(5, "bench", "io", "--size", "2000x2000", "--memory", "1M")


def test_more_than_the_disk_holds_is_refused_at_once(refused):
    assert "free" in refused(7, "phantom", "star", "b.npy", "--size", "1000000x1000000")


def test_even_a_kill_leaves_the_old_file(tmp_path):
    (tmp_path / "b.npy").write_bytes(b"old")
    process = started(tmp_path, "phantom", "star", "b.npy", "--size", "20000x20000", "--noise", "gamma")
    time.sleep(0.4)
    process.kill()
    process.wait()
    assert (tmp_path / "b.npy").read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["b.npy"]


def test_strange_file_names_stay_one_line(refused):
    refused(7, "info", "two\nlines.npy")

