# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Writes gauss_golden.txt: Gaussians and filtered lines as SciPy computes them, for gauss_golden_test.cpp.

    python gauss_golden.py > gauss_golden.txt        (needs numpy and scipy)

Each line of the file is a word, its parameters and numbers:
    signal VALUES
    kernel SIGMA ORDER RADIUS WEIGHTS      the response to an impulse, as weights of the pixels around
    line SIGMA ORDER BORDER VALUES         the signal filtered; the constant border has the value 0.25
"""
import numpy as np
import scipy
from scipy.ndimage import gaussian_filter1d

MODES = {"clamp": "nearest", "constant": "constant", "reflect": "reflect", "mirror": "mirror", "periodic": "wrap"}


def text(values):
    return " ".join(repr(float(v)) for v in values)


def kernel(sigma, order, radius):
    impulse = np.zeros(2 * radius + 1)
    impulse[radius] = 1
    # The response to an impulse is the weights from the last to the first.
    return gaussian_filter1d(impulse, sigma, order=order, mode="constant", radius=radius)[::-1]


def main():
    print(f"# SciPy {scipy.__version__}; see gauss_golden.py")
    rng = np.random.default_rng(20240611)
    signal = np.round(rng.random(37) + 0.5 * (np.arange(37) > 18), 6)
    print("signal", text(signal))
    # SciPy does not make the moments of derivatives exact, which is seen below σ = 2.
    cases = [(0.3, 0, 4), (0.5, 0, 6), (1.0, 0, 12), (2.0, 0, 20), (3.7, 0, 40)]
    cases += [(s, order, r) for s, r in ((2.0, 26), (3.7, 48)) for order in (1, 2)]
    for sigma, order, radius in cases:
        print("kernel", sigma, order, radius, text(kernel(sigma, order, radius)))
    for sigma in (2.0, 6.5):
        for order in (0, 1, 2):
            for border, mode in MODES.items():
                radius = int(14 * sigma)
                result = gaussian_filter1d(signal, sigma, order=order, mode=mode, cval=0.25, radius=radius)
                print("line", sigma, order, border, text(result))


if __name__ == "__main__":
    main()
