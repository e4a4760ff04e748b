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


def write_geojson(path, points, **members):
    ring = [list(map(float, p)) for p in points]
    geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    feature = {"type": "Feature", "properties": {}, "geometry": geometry}
    path.write_text(json.dumps({"type": "FeatureCollection", **members, "features": [feature]}))


def iou(a, b):
    return (a & b).sum() / (a | b).sum()
