# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Outlines as others read them: shapely, NumPy and the standard library."""

import csv
import io
import json
import re

import numpy as np


def disc(shape=(90, 120), centre=(50, 40), radius=22, seed=1, contrast=60, sigma=20, dtype=np.uint8):
    """A noisy disc and its mask; centre is x, y."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    mask = np.hypot(x - centre[0], y - centre[1]) < radius
    noise = np.random.default_rng(seed).normal(0, sigma, shape)
    return np.clip(np.rint(80 + contrast * mask + noise), 0, 255).astype(dtype), mask


def features(path):
    """The collection and its features, each with coordinates of an array (n, 2) without the closing point."""
    collection = json.loads(path.read_text())
    assert collection["type"] == "FeatureCollection"
    found = []
    for feature in collection["features"]:
        (ring,) = feature["geometry"]["coordinates"]
        assert feature["type"] == "Feature" and feature["geometry"]["type"] == "Polygon" and ring[0] == ring[-1]
        found.append((np.array(ring[:-1], float), feature["properties"]))
    return collection, found


def outline(path):
    (only,) = features(path)[1]
    return only


def csv_rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def svg_points(path):
    (d,) = re.findall(r' d="(M[^"]*Z)"', path.read_text())
    return np.array([[float(v) for v in pair.split()] for pair in re.split("[ML]", d[:-1])[1:]])


def svg_cubics(path):
    """Of one curve, each with its four points."""
    (d,) = re.findall(r' d="(M[^"]*Z)"', path.read_text())
    start, *rest = [[float(v) for v in part.split()] for part in re.split("[MC]", d[:-1])[1:]]
    cubics, last = [], np.array(start)
    for numbers in rest:
        cubics.append(np.vstack([last, np.reshape(numbers, (3, 2))]))
        last = cubics[-1][-1]
    assert np.allclose(last, start)
    return cubics


def b_spline(nodes, steps=100):
    """Points of the closed uniform cubic B-spline of nodes (x, y, corner), corners three times."""
    control = np.array([node[:2] for node in nodes for _ in range(3 if node[2] else 1)])
    t = np.arange(steps)[:, None] / steps
    basis = [(1 - t) ** 3 / 6, (3 * t**3 - 6 * t**2 + 4) / 6, (-3 * t**3 + 3 * t**2 + 3 * t + 1) / 6, t**3 / 6]
    pieces = zip(*(np.roll(control, -k, 0) for k in range(4)))
    return np.concatenate([sum(b * p for b, p in zip(basis, piece)) for piece in pieces])


def write_geojson(path, points, **members):
    ring = [list(map(float, p)) for p in points]
    geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    feature = {"type": "Feature", "properties": {}, "geometry": geometry}
    path.write_text(json.dumps({"type": "FeatureCollection", **members, "features": [feature]}))


def iou(a, b):
    return (a & b).sum() / (a | b).sum()
