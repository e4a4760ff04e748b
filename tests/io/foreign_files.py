#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""foreign_files.py BRIDGE FOLDER...: every file below the folders through Meander and through Pillow or tifffile.

For the test files in the source packages of Pillow and pydicom, which are fetched by hand and never kept here:
    pip download --no-binary :all: --no-deps pillow pydicom
BRIDGE is build/bin/meander_npy_bridge. Prints a line for each file that needs a look, then a table: what opened with the
pixels that the library reads, what is refused and how, and what differs.
"""

import collections
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import tifffile
from PIL import Image, ImageOps

IMAGES = {".bmp", ".dib", ".jpg", ".jpeg", ".jpe", ".mpo", ".png", ".apng", ".tif", ".tiff"}


def seen_by_meander(bridge, path, target):
    done = subprocess.run([bridge, path, target], capture_output=True, timeout=60)
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == 0:
        return np.load(target), ""
    assert done.returncode == 1 and said.count("\n") == 0, (path, done.returncode, said)
    return None, said.removeprefix(f"{path}: ")


def seen_by_pillow(path):
    try:
        with Image.open(path) as opened:
            pages = getattr(opened, "n_frames", 1) if opened.format == "TIFF" else 1
            all = []
            for page in range(pages):
                opened.seek(page)
                picture = ImageOps.exif_transpose(opened)
                if picture.mode == "P":
                    picture = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
                if picture.mode == "1":
                    picture = picture.convert("L")
                all.append(np.asarray(picture))
            return all[0] if pages == 1 else np.stack(all)
    except Exception:  # whatever a broken file brings about
        return None


def seen_by_tifffile(path):
    try:
        found = tifffile.imread(path)
        return found.astype("u1") * 255 if found.dtype == bool else found
    except Exception:
        return None


def is_same(found, expected):
    """A palette of greys arrives as grey, which Pillow gives three or four times."""
    if expected is None:
        return False
    if expected.ndim == found.ndim + 1 and (expected[..., :1] == expected[..., :3]).all():
        expected = expected[..., 0]
    return found.shape == expected.shape and bool((found.astype("f8") == expected.astype("f8")).all())


def outcome(bridge, path, target):
    found, said = seen_by_meander(bridge, path, target)
    if found is None:
        return "refused: " + ("damaged" if "damaged" in said or "ends" in said else "by name or reason"), said
    if is_same(found, seen_by_pillow(path)):
        return "equal to Pillow", ""
    expected = seen_by_tifffile(path)
    if is_same(found, expected) or (expected is not None and is_same(found, np.moveaxis(expected, 0, -1))):
        return "equal to tifffile", ""
    if found.dtype == np.uint8 and is_same(255 - found, seen_by_pillow(path)):
        return "equal to Pillow, which inverts 'white is zero'", ""
    return ("OPENED, BUT NO LIBRARY READS IT" if seen_by_pillow(path) is None else "DIFFERENT"), f"{found.shape} {found.dtype}"


def main():
    bridge, *folders = sys.argv[1:]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            for path in sorted(Path(folder).rglob("*")):
                if not path.is_file():
                    continue
                what, said = outcome(bridge, path, Path(scratch) / "seen.npy")
                kind = path.suffix.lower() if path.suffix.lower() in IMAGES | {".dcm"} else "others"
                counts[kind, what] += 1
                if said:
                    print(f"{what}: {path.relative_to(folder)}: {said}")
    print("\n| files | outcome | number |\n|---|---|---|")
    for (kind, what), number in sorted(counts.items()):
        print(f"| {kind} | {what} | {number} |")


if __name__ == "__main__":
    main()
