#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Checks every #include of our own headers against tools/arrows.txt, and that no folder holds more than 40 sources."""
import collections
import os
import re
import sys

ROOTS = ("include", "src", "apps", "bench", "examples")
SUFFIXES = (".cpp", ".hpp", ".h", ".inc", ".cu", ".cuh", ".cl")
MOST_SOURCES = 40


def read_arrows(path):
    arrows = {}
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            folder, _, seen = line.partition(":")
            arrows[folder] = set(seen.split())
    return arrows


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = {os.path.join(folder, name) for top in ROOTS for folder, _, names in os.walk(top) for name in names
             if name.endswith(SUFFIXES)}
    arrows = read_arrows("tools/arrows.txt")
    faults = []
    used = collections.defaultdict(set)
    for name in sorted(files):
        folder = os.path.dirname(name)
        if folder not in arrows:
            faults.append(f"{name}: {folder} is not in tools/arrows.txt")
            continue
        for number, line in enumerate(open(name, encoding="utf8"), 1):
            match = re.match(r'\s*#\s*include "([^"]+)"', line)
            if not match:
                continue
            places = [os.path.normpath(os.path.join(start, match[1]))
                      for start in (folder, "src", "include", ".", "apps/meander")]
            header = next((place for place in places if place in files), None)
            if header is None:  # made by the build
                continue
            seen = os.path.dirname(header)
            used[folder].add(seen)
            if seen not in arrows[folder] | {folder, "include/meander"}:
                faults.append(f"{name}:{number}: {folder} may not include {seen}")
    for folder, seen in arrows.items():
        if folder not in map(os.path.dirname, files):
            faults.append(f"tools/arrows.txt: {folder} has no source")
        for other in sorted(seen - used[folder]):
            faults.append(f"tools/arrows.txt: {folder} does not include {other}")
    for folder, count in collections.Counter(map(os.path.dirname, files)).items():
        if count > MOST_SOURCES:
            faults.append(f"{folder}: {count} sources, expected at most {MOST_SOURCES}; divide it")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
