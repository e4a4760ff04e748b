# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Writes criterion_golden.txt: whole log-likelihoods of images cut in two, for criterion_golden_test.cpp.

    python criterion_golden.py > criterion_golden.txt        (needs numpy and scipy)

Each line of the file is a word and what belongs to it, x fastest:
    image FAMILY LOOKS X Y VALUES     pixels; LOOKS is 0 but for gamma
    cut BITS LENGTHS                  a 1 for every pixel inside, then -log likelihood of both regions together, each with the
                                      parameters that make it likeliest, under every family that the image can come from:
                                      FAMILY=NUMBER (gamma: of the image's looks, 1 where it has none)
A bernoulli image has the values 7 and 12.
"""
import numpy as np
from scipy import stats

SHAPE = (11, 14)


def gaussian(z, looks):
    return stats.norm.logpdf(z, z.mean(), z.std()).sum()


def gamma(z, looks):
    return stats.gamma.logpdf(z, looks, scale=z.mean() / looks).sum()


def poisson(z, looks):
    return stats.poisson.logpmf(z, z.mean()).sum()


def rayleigh(z, looks):
    return stats.rayleigh.logpdf(z, scale=np.sqrt((z.astype(float)**2).mean() / 2)).sum()


def bernoulli(z, looks):
    high = z == 12
    return stats.bernoulli.logpmf(high, high.mean()).sum()


POSITIVE = {"gaussian": gaussian, "gamma": gamma, "poisson": poisson, "rayleigh": rayleigh}


def drawn(family, looks, inside, rng):
    """Contrasted regions, integers of at least 1."""
    mean = np.where(inside, 160.0, 90.0)
    z = {
        "gaussian": lambda: rng.normal(mean, np.where(inside, 12, 20)),
        "gamma": lambda: rng.gamma(looks or 1, mean / (looks or 1)),
        "poisson": lambda: rng.poisson(mean / 10),
        "rayleigh": lambda: rng.rayleigh(mean),
        "bernoulli": lambda: np.where(rng.random(SHAPE) < mean / 200, 12, 7),
    }[family]()
    return np.maximum(np.rint(z), 1).astype(int)


def discs():
    y, x = np.mgrid[:SHAPE[0], :SHAPE[1]]
    for cx, cy, r in ((6, 5, 4), (7.5, 4.5, 4.4), (3, 8, 2.7), (11, 2, 6)):
        yield (x - cx)**2 + (y - cy)**2 <= r * r


def main():
    print("# see criterion_golden.py")
    rng = np.random.default_rng(20240711)
    cuts = list(discs())
    for family, looks in (("gaussian", 0), ("gamma", 1), ("gamma", 3.5), ("poisson", 0), ("rayleigh", 0), ("bernoulli", 0)):
        z = drawn(family, looks, cuts[0], rng)
        print("image", family, looks, SHAPE[1], SHAPE[0], " ".join(map(str, z.ravel())))
        families = {"bernoulli": bernoulli} if family == "bernoulli" else POSITIVE
        for inside in cuts:
            lengths = (f"{name}={-sum(whole(z[side], looks or 1) for side in (inside, ~inside)):.12g}"
                       for name, whole in families.items())
            print("cut", "".join(map(str, inside.ravel().astype(int))), *lengths)


if __name__ == "__main__":
    main()
