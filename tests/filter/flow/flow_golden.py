# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Writes flow_golden.txt: gradient vector flow in float64, N explicit steps or a sparse direct solve, for flow_golden_test.cpp.

    python flow_golden.py > flow_golden.txt          (needs numpy and scipy)

Each line of the file is a word, its parameters and numbers, x fastest, components one after another:
    image NAME X Y Z VALUES
    mask NAME X Y Z VALUES
    run SOLVER IMAGE MASK BORDER SPACING_X SPACING_Y SPACING_Z LAW VALUE STEPS VALUES
SOLVER is explicit or direct, MASK a name or none, LAW mu or K (the generalised flow), STEPS 0 for direct.
"""
import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import spsolve

MOST_HELD = 2.0**20


def beyond(i, n, border):
    """The cell that stands for the one at i, which may be one step beyond the grid."""
    if border == "clamp" or n == 1:
        return min(max(i, 0), n - 1)
    return abs(i) if i < n else 2 * n - 2 - i


def ghosts(length, border):
    before = [beyond(i - 1, length, border) for i in range(length)]
    after = [beyond(i + 1, length, border) for i in range(length)]
    return before, after


def relative(spacing, shape):
    """Sides of a pixel over the smallest, for the axes z, y, x; a plane has no z."""
    sides = np.array(spacing[::-1], float)
    return sides / (sides if shape[0] > 1 else sides[1:]).min()


def gradient(pixels, border, h):
    scaled = (pixels - pixels.min()) / (pixels.max() - pixels.min())
    axes = (2, 1, 0) if pixels.shape[0] > 1 else (2, 1)
    field = []
    for axis in axes:
        before, after = ghosts(pixels.shape[axis], border)
        field.append((np.take(scaled, after, axis) - np.take(scaled, before, axis)) / 2 / h[axis])
    return np.array(field)


def laplacian(shape, border, h, inside):
    """The sum of the differences to the neighbours inside, over h squared, as a matrix."""
    number = np.arange(np.prod(shape)).reshape(shape)
    rows, columns, weights = [], [], []
    for axis in range(3):
        for moved in ghosts(shape[axis], border):
            other = np.take(number, moved, axis)
            flows = inside & np.take(inside, moved, axis)
            rows += [number[flows], number[flows]]
            columns += [other[flows], number[flows]]
            weights += [np.full(flows.sum(), 1 / h[axis]**2), np.full(flows.sum(), -1 / h[axis]**2)]
    size = int(np.prod(shape))
    return csr_matrix((np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))), (size, size))


def flow(pixels, inside, border, spacing, law, value, steps):
    h = relative(spacing, pixels.shape)
    v0 = gradient(pixels, border, h) * inside
    squares = (v0**2).sum(0).ravel()
    held, mu = (squares, value) if law == "mu" else (np.minimum(np.expm1(squares / value**2), MOST_HELD), 1.0)
    differences = mu * laplacian(pixels.shape, border, h, inside)
    v0 = [component.ravel() for component in v0]
    if steps:
        return [explicit(component, held, differences, steps) for component in v0]
    # Cells outside have equations of their own, V = 0.
    matrix = (diags(held + ~inside.ravel()) - differences).tocsc()
    return [spsolve(matrix, held * component) for component in v0]


def explicit(v0, held, differences, steps):
    v = v0.copy()
    for _ in range(steps):
        v = v + differences @ v - held * (v - v0)
    return v


def axes_of(shape):
    return np.meshgrid(*(np.arange(float(n)) for n in shape), indexing="ij")


def images():
    z, y, x = axes_of((1, 9, 13))
    yield "small", np.round(90 * np.sin(0.7 * x + 0.2 * y) + 40 * np.cos(0.15 * x * y) + 60 * (x + 2 * y > 14), 2)
    z, y, x = axes_of((1, 12, 17))
    edge = (x - 7.3)**2 + 1.4 * (y - 5.1)**2 < 19
    yield "disc", np.round(1000 + 200 * edge + 15 * np.sin(1.9 * x) * np.cos(1.3 * y), 2)
    z, y, x = axes_of((4, 5, 6))
    yield "volume", np.round(3 * np.sin(0.8 * x + 0.5 * z) + 2 * np.cos(1.1 * y - 0.3 * x * z) + 4 * (x + y + z > 7), 3)


def masks():
    z, y, x = axes_of((1, 12, 17))
    yield "round", (x - 8)**2 + 1.8 * (y - 3)**2 < 40
    yield "thin", np.abs(y - 6 - 4 * np.sin(0.45 * x)) < 1.6
    z, y, x = axes_of((4, 5, 6))
    yield "ball", (x - 2.2)**2 + (y - 1.9)**2 + 1.5 * (z - 1.4)**2 < 6.5


def cases():
    """Solver, image, mask, border, spacing, law and its value, steps."""
    for border in ("mirror", "clamp"):
        yield "explicit", "small", "none", border, (1, 1, 1), "mu", 0.15, 64
        yield "explicit", "small", "none", border, (0.6, 0.3, 9), "mu", 0.2, 7
        yield "explicit", "small", "none", border, (2, 3, 1), "mu", 0.1, 512
        yield "explicit", "volume", "none", border, (1, 1, 1), "mu", 0.1, 33
        yield "explicit", "volume", "none", border, (1, 1.5, 4), "mu", 0.1, 8
        yield "direct", "disc", "none", border, (1, 1, 1), "mu", 0.1, 0
        yield "direct", "disc", "round", border, (1, 1, 1), "mu", 0.1, 0
        yield "direct", "disc", "thin", border, (2, 1, 1), "mu", 0.3, 0
        yield "direct", "small", "none", border, (1, 1, 1), "K", 0.2, 0
    yield "direct", "disc", "none", "mirror", (3, 1, 1), "mu", 0.1, 0
    yield "direct", "disc", "none", "clamp", (0.5, 5, 1), "mu", 0.7, 0
    yield "direct", "small", "none", "mirror", (1, 1.25, 1), "K", 0.05, 0
    yield "direct", "volume", "none", "mirror", (1, 1, 1), "mu", 0.1, 0
    yield "direct", "volume", "none", "clamp", (1, 2, 5), "mu", 0.2, 0
    yield "direct", "volume", "ball", "mirror", (1, 1, 3), "mu", 0.1, 0


def text(values):
    return " ".join(repr(float(v)).removesuffix(".0") for v in np.ravel(values))


def main():
    print("# see flow_golden.py")
    pixels, inside = dict(images()), dict(masks())
    for word, arrays in (("image", pixels), ("mask", inside)):
        for name, array in arrays.items():
            print(word, name, *array.shape[::-1], text(array))
    for solver, image, mask, border, spacing, law, value, steps in cases():
        within = inside[mask] if mask != "none" else np.ones(pixels[image].shape, bool)
        field = flow(pixels[image], within, border, spacing, law, value, steps)
        print("run", solver, image, mask, border, *spacing, law, value, steps, text(field))


if __name__ == "__main__":
    main()
