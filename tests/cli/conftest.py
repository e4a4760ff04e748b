# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""The program as its users meet it: every test starts it and looks at what came out."""

import json
import math
import os
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

PROGRAM = os.environ["MEANDER_PROGRAM"]
HAS_TIFF = os.environ.get("MEANDER_HAS_TIFF") == "1"
HAS_PNG = os.environ.get("MEANDER_HAS_PNG") == "1"
HAS_GIF = os.environ.get("MEANDER_HAS_GIF") == "1"
HAS_JPEG = os.environ.get("MEANDER_HAS_JPEG") == "1"

needs_tiff = pytest.mark.skipif(not HAS_TIFF, reason="this build has no TIFF")
needs_png = pytest.mark.skipif(not HAS_PNG, reason="this build has no PNG")
needs_gif = pytest.mark.skipif(not HAS_GIF, reason="this build has no GIF")
needs_jpeg = pytest.mark.skipif(not HAS_JPEG, reason="this build has no JPEG")


# What hangs is ended; nothing here takes a minute on a busy machine, or ten with sanitizers.
SECONDS = float(os.environ.get("MEANDER_TEST_SECONDS", "120"))


class Run:
    def __init__(self, arguments, **options):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, **options)
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def image(tmp_path):
    """A disc on a slope, so that no two rows or columns are alike."""
    y, x = np.mgrid[0:45, 0:61]
    values = (60 + x + (np.hypot(x - 25, y - 20) < 12) * 90).astype(np.uint8)
    np.save(tmp_path / "a.npy", values)
    return values


@pytest.fixture
def run(tmp_path):
    """Runs the program in a folder of its own and returns code, out and err."""

    def start(*arguments, **options):
        return Run(arguments, cwd=tmp_path, **options)

    return start


@pytest.fixture
def ok(run):
    """The same, for what must succeed."""

    def start(*arguments, **options):
        result = run(*arguments, **options)
        assert result.code == 0, result.err
        assert result.err == ""
        return result

    return start


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The report of a benchmark, or with `words` what it says and its picture; measured once for all tests of a file."""
    folder = tmp_path_factory.mktemp("bench")
    known = {}

    def start(*arguments, words=False):
        if (arguments, words) not in known:
            options = ["--plot", "a.svg"] if words else ["--json"]
            result = Run(["bench", *arguments, "--runs", 1, *options], cwd=folder)
            assert (result.code, result.err) == (0, ""), result.err
            known[arguments, words] = (result.out, ElementTree.parse(folder / "a.svg")) if words else result.json
        return known[arguments, words]

    return start


SVG = "{http://www.w3.org/2000/svg}"


def assert_curves(picture, names, of_each):
    """Each of two points, and their names in the legend."""
    curves = picture.findall(f".//{SVG}polyline")
    assert len(curves) == of_each * len(names)
    texts = [text.text for text in picture.findall(f".//{SVG}text")]
    assert all(texts.count(name) == 1 for name in names)
    for curve in curves:
        points = [tuple(map(float, point.split(","))) for point in curve.get("points").split()]
        assert len(points) == 2 and all(map(math.isfinite, sum(points, ())))


@pytest.fixture
def refused(run, tmp_path):
    """The same, for what must fail: one line on stderr, nothing on stdout, no new file."""

    def start(code, *arguments, **options):
        before = sorted(p.name for p in tmp_path.iterdir())
        result = run(*arguments, **options)
        assert result.code == code, (result.code, result.err)
        assert result.err.startswith("meander: ") and result.err.count("\n") == 1, result.err
        assert result.out == ""
        assert sorted(p.name for p in tmp_path.iterdir()) == before
        return result.err

    return start
