# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Writes roi_golden.txt: files of ImageJ as the package roifile writes them, of outlines that outline_roi_test.cpp has too.

python3 tests/outline_io/roi_golden.py > tests/outline_io/roi_golden.txt
"""

import numpy as np
from roifile import ROI_OPTIONS, ROI_TYPE, ImagejRoi

# In pixels, 0 at the centre of the first one.
TRIANGLE = np.array([[0.5, -0.75], [30.25, 2], [4, 40.00390625]])
HOLE = np.array([[5, 5], [5, 8.5], [9.125, 5]])
OTHER_HOLE = np.array([[12, 4], [12, 6], [14, 6], [14, 4]])
FAR = np.array([[-12.5, 3], [65535, 9], [40000.5, 60000]])


def begun(points, roitype, name):
    """Bounds are whole pixels that hold all points."""
    roi = ImagejRoi()
    roi.version, roi.roitype, roi.name = 228, roitype, name
    roi.left, roi.top = (int(max(v, -5000)) for v in np.floor(points.min(axis=0)))
    roi.right, roi.bottom = (int(min(v, 60535)) for v in np.ceil(points.max(axis=0)))
    return roi


def line(points, roitype, name):
    points = points + 0.5
    roi = begun(points, roitype, name)
    roi.options = ROI_OPTIONS.SUB_PIXEL_RESOLUTION
    roi.n_coordinates = len(points)
    whole = np.floor(points + 0.5) - np.floor(points.min(axis=0))
    roi.integer_coordinates = np.minimum(whole, 32767).astype(np.int32)
    roi.subpixel_coordinates = points.astype(np.float32)
    return roi.tobytes()


def composite(rings, name):
    roi = begun(rings[0] + 0.5, ROI_TYPE.RECT, name)
    path = []
    for ring in rings:
        for k, (x, y) in enumerate(ring + 0.5):
            path += [0 if k == 0 else 1, x, y]
        path.append(4)
    roi.multi_coordinates = np.array(path, np.float32)
    roi.shape_roi_size = len(path)
    return roi.tobytes()


print("polygon", line(TRIANGLE, ROI_TYPE.POLYGON, "0007").hex())
print("composite", composite([TRIANGLE, HOLE, OTHER_HOLE], "12345").hex())
print("polyline", line(TRIANGLE, ROI_TYPE.POLYLINE, "0001").hex())
print("far", line(FAR, ROI_TYPE.POLYGON, "0002").hex())
