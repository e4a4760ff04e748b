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
ALL_OF_THEM = "include/meander/meander.hpp"


def read_arrows(path):
    """Of folders, of parts of the library, and the part of each public header."""
    arrows, parts, part_of = {}, {}, {}
    for line in open(path):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, listed = line.partition(":")
        if not name.startswith("public "):
            arrows[name] = set(listed.split())
            continue
        part, _, seen = name.removeprefix("public ").partition("<")
        parts[part.strip()] = set(seen.split())
        part_of.update((f"include/meander/{header}.hpp", part.strip()) for header in listed.split())
    return arrows, parts, part_of


def part_of_file(name, parts, part_of):
    """None of what may include every public header."""
    if name.startswith("src/"):
        folder = name.split("/")[1]
        return folder if folder in parts else "core"
    return part_of.get(name)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = {os.path.join(folder, name) for top in ROOTS for folder, _, names in os.walk(top) for name in names
             if name.endswith(SUFFIXES)}
    arrows, parts, part_of = read_arrows("tools/arrows.txt")
    public = {name for name in files if name.startswith("include/")} - {ALL_OF_THEM}
    faults = [f"{name}: stands in tools/arrows.txt or in include/, not in both" for name in public ^ set(part_of)]
    used, used_by_parts = collections.defaultdict(set), collections.defaultdict(set)
    for name in sorted(files):
        folder = os.path.dirname(name)
        if folder not in arrows:
            faults.append(f"{name}: {folder} is not in tools/arrows.txt")
            continue
        for number, line in enumerate(open(name, encoding="utf8"), 1):
            match = re.match(r'\s*#\s*include ["<]([^">]+)[">]', line)
            if not match:
                continue
            places = [os.path.normpath(os.path.join(start, match[1]))
                      for start in (folder, "src", "include", ".", "apps/meander")]
            header = next((place for place in places if place in files), None)
            if header is None:  # made by the build
                continue
            if header == ALL_OF_THEM and name.startswith(("src/", "include/")):
                faults.append(f"{name}:{number}: the library may not include all of its headers at once")
            seen = os.path.dirname(header)
            used[folder].add(seen)
            part, seen_part = part_of_file(name, parts, part_of), part_of.get(header)
            if part is not None and seen_part is not None and part != seen_part:
                used_by_parts[part].add(seen_part)
                if seen_part not in parts[part]:
                    faults.append(f"{name}:{number}: {part} may not include public headers of {seen_part}")
            if seen not in arrows[folder] | {folder, "include/meander"}:
                faults.append(f"{name}:{number}: {folder} may not include {seen}")
    for part, seen in parts.items():
        for other in sorted(seen - used_by_parts[part]):
            faults.append(f"tools/arrows.txt: {part} includes no public header of {other}")
    for folder, seen in arrows.items():
        if folder not in map(os.path.dirname, files):
            faults.append(f"tools/arrows.txt: {folder} has no source")
        for other in sorted(seen - used[folder]):
            faults.append(f"tools/arrows.txt: {folder} does not include {other}")
    tests = [folder for folder, _, names in os.walk("tests") for name in names if name.endswith((*SUFFIXES, ".py"))]
    for folder, count in collections.Counter([*map(os.path.dirname, files), *tests]).items():
        if count > MOST_SOURCES:
            faults.append(f"{folder}: {count} sources, expected at most {MOST_SOURCES}; divide it")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
