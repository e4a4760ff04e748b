# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Writes react_golden.txt: reaction-diffusion networks in the plain variables u and v, float64, for react_golden_test.cpp.

    python react_golden.py > react_golden.txt        (needs numpy)

Each line of the file is a word, its parameters and numbers, x fastest:
    image X Y Z VALUES                                      pixels between -1 and 1
    run POINTS BORDER D1 STEPS u VALUES                     POINTS 5, 9 (the first image) or 7 (the second)
    run POINTS BORDER D1 STEPS v VALUES
All with a = -0.5, b = 1.2, c = 1, e = -0.1, D2 = 1.3, dt = 0.1, gain 0.5.
"""
import numpy as np

A, B, C, E, D2, DT, GAIN = -0.5, 1.2, 1.0, -0.1, 1.3, 0.1, 0.5
MODES = {"clamp": "edge", "mirror": "reflect", "periodic": "wrap", "fixed": "constant"}


def laplacian(state, points, border):
    rank3 = state.shape[0] > 1
    around = np.pad(state, ((1, 1) if rank3 else (0, 0), (1, 1), (1, 1)), mode=MODES[border])

    def moved(z, y, x):
        nz, ny, nx = state.shape
        first = 1 + z if rank3 else 0
        return around[first:first + nz, 1 + y:1 + y + ny, 1 + x:1 + x + nx]

    sides = moved(0, 0, 1) + moved(0, 0, -1) + moved(0, 1, 0) + moved(0, -1, 0)
    if points == 5:
        return sides - 4 * state
    if points == 7:
        return sides + moved(1, 0, 0) + moved(-1, 0, 0) - 6 * state
    corners = moved(0, 1, 1) + moved(0, 1, -1) + moved(0, -1, 1) + moved(0, -1, -1)
    return (4 * sides + corners - 20 * state) / 6


def network(pixels, points, border, d1, steps):
    u = GAIN * pixels
    v = GAIN * pixels
    for _ in range(steps):
        reaction_u = C * u - u**3 / 3 - v
        reaction_v = -E * (u - B * v + A)
        u, v = (u + DT * (reaction_u + d1 * laplacian(u, points, border)),
                v + DT * (reaction_v + D2 * laplacian(v, points, border)))
    return u, v


def text(values):
    return " ".join(f"{v:.13g}" for v in np.ravel(values))


def main():
    print("# see react_golden.py")
    rng = np.random.default_rng(20240704)
    images = {}
    for shape in ((1, 5, 7), (3, 4, 5)):
        pixels = np.round(2 * rng.random(shape) - 1, 3)
        images[len(images)] = pixels
        print("image", shape[2], shape[1], shape[0], text(pixels))
    cases = [("clamp", d1, steps) for d1 in (0, 0.4) for steps in (1, 2, 33, 200)]
    cases += [(border, d1, steps) for border in ("mirror", "periodic", "fixed") for d1, steps in ((0.4, 1), (0, 33))]
    for points in (5, 9, 7):
        for border, d1, steps in cases:
            for name, state in zip("uv", network(images[points == 7], points, border, d1, steps)):
                print("run", points, border, d1, steps, name, text(state))


if __name__ == "__main__":
    main()
