# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Curved outlines beside a maximum-likelihood fit by SciPy, which shares nothing with the program."""

import numpy as np
import pytest
from outline_oracle import iou

interpolate = pytest.importorskip("scipy.interpolate")
ndimage = pytest.importorskip("scipy.ndimage")
optimize = pytest.importorskip("scipy.optimize")

SIDE = 480
CENTRE = 235.4, 243.7


def radius(phi):
    return 150 * (1 + 0.2 * np.cos(5 * phi + 0.4))


def polar():
    y, x = np.mgrid[:SIDE, :SIDE]
    dx, dy = x - CENTRE[0], y - CENTRE[1]
    return np.hypot(dx, dy), np.arctan2(dy, dx)


def criterion(image, inside):
    """n/2 log of the variance, of both sides."""
    return sum(m.sum() / 2 * np.log(image[m].var()) for m in (inside, ~inside))


def fitted(image, truth, knots):
    """The periodic cubic spline r(phi) under which two levels of Gaussian noise are likeliest. Levels
    are the true ones, the search goes from a blurred likelihood to a sharp one, from a circle."""
    middle = (image[truth].mean() + image[~truth].mean()) / 2
    phi = np.linspace(0, 2 * np.pi, 1024, endpoint=False)
    r = np.arange(0, 230, 0.5)
    rays = [CENTRE[1] + np.outer(np.sin(phi), r), CENTRE[0] + np.outer(np.cos(phi), r)]
    gain = np.cumsum((ndimage.map_coordinates(image - middle, rays, order=1, mode="nearest")) * r, 1)
    at = np.linspace(0, 2 * np.pi, knots + 1)
    basis = np.stack([interpolate.CubicSpline(at, np.append(e, e[0]), bc_type="periodic")(phi) for e in np.eye(knots)], 1)
    control = np.full(knots, 130.0)
    for blur in (40, 20, 10, 5, 2):
        smooth = ndimage.gaussian_filter(gain, (blur, blur), mode=("wrap", "nearest"))
        slope = np.gradient(smooth, 0.5, axis=1)

        def loss(c):
            place = np.clip(basis @ c, 1, 228) / 0.5
            low = place.astype(int)
            part, row = place - low, np.arange(len(phi))
            value = (1 - part) * smooth[row, low] + part * smooth[row, low + 1]
            grad = (1 - part) * slope[row, low] + part * slope[row, low + 1]
            return -value.sum(), -(basis.T @ grad)

        control = optimize.minimize(loss, control, jac=True, method="L-BFGS-B").x
    away, angle = polar()
    return away < interpolate.CubicSpline(at, np.append(control, control[0]), bc_type="periodic")(np.mod(angle, 2 * np.pi))


@pytest.mark.parametrize("snr", [2, 1, 0.5])
def test_curves_are_as_likely_as_a_fit_that_knows_the_centre_and_the_levels(ok, tmp_path, snr):
    away, angle = polar()
    truth = away < radius(angle)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        image = np.round(2000 + 100 * (truth * snr + rng.standard_normal(truth.shape))).astype(np.uint16)
        np.save(tmp_path / "a.npy", image)
        ok("segment", "a.npy", "m.npy", "--max-objects", "1", "--noise", "gaussian")
        mask = np.load(tmp_path / "m.npy") > 0
        oracle = fitted(image.astype(float), truth, 30)
        # Of nodes that the oracle has and we do not each is worth less than it costs, 7 or so.
        assert criterion(image, mask) < criterion(image, oracle) + 7 * 5, seed
        assert iou(mask, truth) > iou(oracle, truth) - 0.015, seed
