# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Gradient vector flow written out plainly: a sparse direct solve and the published steps."""

import numpy as np
import pytest

sparse = pytest.importorskip("scipy.sparse")
spsolve = pytest.importorskip("scipy.sparse.linalg").spsolve


def gradient(values, mode="reflect", sides=None):
    """V0, components last, x first: central differences of the image scaled to 0 to 1."""
    scaled = (values.astype(float) - values.min()) / (float(values.max()) - values.min())
    sides = sides or [1] * values.ndim
    components = []
    for axis in reversed(range(values.ndim)):
        if values.shape[axis] == 1:
            components.append(np.zeros_like(scaled))
            continue
        padded = np.pad(scaled, [(1, 1) if a == axis else (0, 0) for a in range(values.ndim)], mode=mode)
        n = values.shape[axis]
        components.append((padded.take(range(2, n + 2), axis) - padded.take(range(n), axis)) / 2 / sides[axis])
    return np.stack(components, -1)


def second_difference(n, mode):
    """Along one axis, as a matrix."""
    matrix = sparse.lil_matrix((n, n))
    for i in range(n if n > 1 else 0):
        for j in (i - 1, i + 1):
            if j < 0 or j >= n:
                j = (1 if j < 0 else n - 2) if mode == "reflect" else i
            matrix[i, j] += 1
            matrix[i, i] -= 1
    return matrix.tocsr()


def laplacian(shape, mode="reflect", sides=None):
    """The matrix of all axes, the slowest first, over the squares of the pixel's sides."""
    sides = sides or [1] * len(shape)
    total = sparse.csr_matrix((np.prod(shape), np.prod(shape)))
    for axis, n in enumerate(shape):
        before, after = int(np.prod(shape[:axis])), int(np.prod(shape[axis + 1 :]))
        term = sparse.kron(sparse.kron(sparse.eye(before), second_difference(n, mode)), sparse.eye(after))
        total = total + term / sides[axis] ** 2
    return total.tocsr()


def solution(v0, mu=0.1, mode="reflect", sides=None):
    """(b - mu Laplacian) V = b V0, directly."""
    shape = v0.shape[:-1]
    b = (v0**2).sum(-1).ravel()
    matrix = (sparse.diags(b) - mu * laplacian(shape, mode, sides)).tocsc()
    return np.stack([spsolve(matrix, b * v0[..., c].ravel()).reshape(shape) for c in range(v0.shape[-1])], -1)


def steps(v0, count, mu=0.1, mode="reflect"):
    """The published scheme."""
    shape = v0.shape[:-1]
    matrix = laplacian(shape, mode)
    b = (v0**2).sum(-1)[..., None]
    v = v0.copy()
    for _ in range(count):
        change = np.stack([(matrix @ v[..., c].ravel()).reshape(shape) for c in range(v.shape[-1])], -1)
        v = v + mu * change - b * (v - v0)
    return v


def error(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


def v0_of(ok, tmp_path, *options):
    """No steps leave the gradient as it is."""
    ok("flow", "a.npy", "v0.npy", "--solver", "explicit", "--iterations", "0", *options)
    return np.load(tmp_path / "v0.npy")
