# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Writes golden.txt: phantoms computed a second time, without Meander and by other means.

Pixels by exact fractions where the library divides integers, normals by the standard library's NormalDist,
logarithms and gamma functions by the mathematics library, pixel by pixel and without chunks. Differences of
a last bit in these cannot survive the rounding to integers but with a chance of 1e-10 a pixel.

    python3 golden.py > golden.txt
"""
import math
from fractions import Fraction
from statistics import NormalDist

PAIR, SEQUENCE, GEOMETRY = 0, 1, 2
HIGHEST = {"u8": 255, "u16": 65535, "i16": 32767}
LOWEST = {"u8": 0, "u16": 0, "i16": -32768}


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        even, odd = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [odd >> 32 ^ c[1] ^ k[0], odd & 0xFFFFFFFF, even >> 32 ^ c[3] ^ k[1], even & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def uniform(seed, index, number, purpose):
    counter = (index & 0xFFFFFFFF, index >> 32, number // 2, purpose)
    words = philox(counter, (seed & 0xFFFFFFFF, seed >> 32))
    low, high = words[2 * (number % 2):2 * (number % 2) + 2]
    return (2 * ((high << 32 | low) >> 12) + 1) / 2**53


def uniforms(seed, index, purpose):
    number = 0
    while True:
        yield uniform(seed, index, number, purpose)
        number += 1


# ---------------------------------------------------------------- shapes

def on_grid(x, y):
    return math.floor(x * 256 + 0.5), math.floor(y * 256 + 0.5)


def inside(polygon, x, y):
    crossings = 0
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        if min(ay, by) <= 256 * y < max(ay, by):
            crossings += ax + Fraction((256 * y - ay) * (bx - ax), by - ay) <= 256 * x
    return crossings % 2 == 1


def middle_half(z, depth):
    return depth // 4 <= z < depth - depth // 4


def star(shape, seed, z):
    nx, ny, nz = shape
    radius = 0.42 * min(nx, ny)
    corners = []
    for i in range(14):
        angle = 2 * math.pi * (0.018 + i / 14)
        r = radius * (0.4 if i % 2 else 1)
        corners.append(on_grid((nx - 1) / 2 + r * math.cos(angle), (ny - 1) / 2 + r * math.sin(angle)))
    return [(corners, 10)] if middle_half(z, nz) else []


def ushape(shape, seed, z):
    nx, ny, nz = shape
    corners = [(-.32, -.34), (-.10, -.34), (-.10, .16), (.10, .16), (.10, -.34), (.32, -.34), (.32, .34), (-.32, .34)]
    side = min(nx, ny)
    polygon = [on_grid((nx - 1) / 2 + side * x, (ny - 1) / 2 + side * y) for x, y in corners]
    return [(polygon, 10)] if middle_half(z, nz) else []


def cells(nx, ny, nz, pitch, depth):
    columns, rows, layers = nx // pitch, ny // pitch, nz // depth
    for index in range(columns * rows * layers):
        column, row, layer = index % columns, index // columns % rows, index // columns // rows
        shifted = (row + layer) % 2 == 1 and columns > 1
        if not shifted or column < columns - 1:
            yield index, column, row, layer, shifted


def blobs(shape, seed, z, count=None, hollow=False):
    nx, ny, nz = shape
    pitch, depth, reach = min(64, nx, ny), min(64, nz), 0.48
    if count is not None:
        pitch = max(p for p in range(8, min(nx, ny) + 1) if len(list(cells(nx, ny, nz, p, min(p, nz)))) >= count)
        depth, reach = min(pitch, nz), min(0.48, 0.5 - 1 / pitch)
    columns, rows, layers = nx // pitch, ny // pitch, nz // depth
    found = []
    for index, column, row, layer, shifted in list(cells(nx, ny, nz, pitch, depth))[:count]:
        u = uniforms(seed, index, GEOMETRY)
        radius = (0.24 + 0.12 * next(u)) * (reach / 0.48)
        w2, p2, w3, p3 = 0.12 * next(u), next(u), 0.06 * next(u), next(u)
        room = reach - radius * (1 + w2 + w3)
        sx, sy, sz = (room * (2 * next(u) - 1) for _ in range(3))
        x = (nx - columns * pitch) / 2 - 0.5 + pitch * (column + (1.0 if shifted else 0.5) + sx)
        y = (ny - rows * pitch) / 2 - 0.5 + pitch * (row + 0.5 + sy)
        away = 0
        if nz > 1:
            centre = (nz - layers * depth) / 2 - 0.5 + depth * (layer + 0.5 + sz)
            away = (z - centre) / (depth * radius)
        if abs(away) >= 1:
            continue
        polygon = []
        for i in range(48):
            t = i / 48
            wobble = 1 + w2 * math.cos(2 * math.pi * (2 * t + p2)) + w3 * math.cos(2 * math.pi * (3 * t + p3))
            r = pitch * radius * wobble * math.sqrt(1 - away * away)
            polygon.append(on_grid(x + r * math.cos(2 * math.pi * t), y + r * math.sin(2 * math.pi * t)))
        found.append((polygon, 10))
        if hollow and abs(2 * away) < 1:
            r = pitch * radius / 2 * math.sqrt(1 - 4 * away * away)
            turns = [2 * math.pi * i / 48 for i in range(48)]
            found.append(([on_grid(x + r * math.cos(t), y + r * math.sin(t)) for t in turns], -10))
    return found


def rings(shape, seed, z, count=None):
    return blobs(shape, seed, z, count, hollow=True)


HEAD = """ 10 .6900 .9200 .810    0      0    0   0
           -8 .6624 .8740 .780    0 -.0184    0   0
           -2 .1100 .3100 .220  .22      0    0 -18
           -2 .1600 .4100 .280 -.22      0    0  18
            1 .2100 .2500 .410    0    .35 -.15   0
            1 .0460 .0460 .050    0     .1  .25   0
            1 .0460 .0460 .050    0    -.1  .25   0
            1 .0460 .0230 .050 -.08  -.605    0   0
            1 .0230 .0230 .020    0  -.606    0   0
            1 .0230 .0460 .020  .06  -.605    0   0"""


def shepp_logan(shape, seed, z):
    nx, ny, nz = shape
    found = []
    for line in HEAD.splitlines():
        tenths, a, b, c, x0, y0, z0, degrees = map(float, line.split())
        height = 0 if nz == 1 else ((z - (nz - 1) / 2) / (nz / 2) - z0) / c
        if abs(height) >= 1:
            continue
        shrink = math.sqrt(1 - height * height)
        count = max(12, math.ceil(math.pi * math.sqrt(32 * max(a, b) * max(nx, ny) / 2)))
        turn = math.radians(degrees)
        polygon = []
        for i in range(count):
            t = 2 * math.pi * i / count
            p, q = shrink * a * math.cos(t), -shrink * b * math.sin(t)
            x = x0 + p * math.cos(turn) - q * math.sin(turn)
            y = y0 + p * math.sin(turn) + q * math.cos(turn)
            polygon.append(on_grid((nx - 1) / 2 + x * nx / 2, (ny - 1) / 2 - y * ny / 2))
        found.append((polygon, int(tenths)))
    return found


def flower(shape, x, y, z, amplitude=0.28):
    dx, dy = x - 0.47 * shape[0], y - 0.53 * shape[1]
    radius = 0.27 * min(shape[:2]) * (1 + amplitude * math.cos(7 * math.atan2(dy, dx) + 0.3))
    return math.hypot(dx, dy) < radius and middle_half(z, shape[2])


def blurred(tenths, shape, sigma):
    """Of a 2-D image, pixel by pixel over all pixels and what continues them."""
    nx, ny, _ = shape
    reach = range(-math.ceil(5 * sigma), math.ceil(5 * sigma) + 1)
    weights = {d: math.exp(-d * d / (2 * sigma * sigma)) for d in reach}
    total = sum(weights.values()) ** 2
    for y in range(ny):
        for x in range(nx):
            yield sum(weights[i] * weights[j] * tenths[min(max(y + j, 0), ny - 1) * nx + min(max(x + i, 0), nx - 1)]
                      for j in reach for i in reach) / total


def by_polygons(regions):
    def tenths(shape, seed, **options):
        for z in range(shape[2]):
            polygons = regions(shape, seed, z, **options)
            for y in range(shape[1]):
                for x in range(shape[0]):
                    yield sum(t for polygon, t in polygons if inside(polygon, x, y))
    return tenths


def by_rule(rule):
    def tenths(shape, seed):
        for z in range(shape[2]):
            for y in range(shape[1]):
                for x in range(shape[0]):
                    yield 10 if rule(shape, x, y, z) else 0
    return tenths


def vessels(shape, seed):
    nx, ny, nz = shape
    longest = max(shape)
    extent = [nx / longest, ny / longest, nz / longest if nz > 1 else 0]
    area = extent[0] * extent[1]
    gap = max(0.01, (area * extent[2] / 1000) ** (1 / 3) if nz > 1 else math.sqrt(area / 500))
    counts = [max(1, int(e / gap)) for e in extent]
    u = uniforms(seed, 0, GEOMETRY)
    demand = []
    for k in range(counts[2]):
        for j in range(counts[1]):
            for i in range(counts[0]):
                demand.append([extent[a] * (n + next(u)) / counts[a] for a, n in enumerate((i, j, k))])
    nodes, parents = [[extent[0] / 2, extent[1], extent[2] / 2]], [None]
    nearest = {d: (math.dist(p, nodes[0]), 0) for d, p in enumerate(demand) if math.dist(p, nodes[0]) >= 0.7 * gap}
    stride = 0.25 * gap
    while nearest:
        first = len(nodes)
        pulled = {}
        for d, (distance, node) in nearest.items():
            pull = pulled.setdefault(node, [0, 0, 0, 0])
            for a in range(3):
                pull[a] += (demand[d][a] - nodes[node][a]) / distance
            pull[3] += 1
        for node in sorted(pulled):
            strength = math.hypot(*pulled[node][:3])
            nodes.append([nodes[node][a] + stride * pulled[node][a] / strength for a in range(3)])
            parents.append(node)
        for d, (distance, node) in nearest.items():
            for i in range(first, len(nodes)):
                closer = math.dist(demand[d], nodes[i])
                if closer < distance - 1e-3 * stride:
                    distance, node = closer, i
            nearest[d] = (distance, node)
        left = [node for _, node in nearest.values()]
        nearest = {d: (distance, node) for d, (distance, node) in nearest.items()
                   if distance >= 0.7 * gap and not (node in pulled and left.count(node) == pulled[node][3])}
    tip = max(0.75, 0.004 * longest)
    cubes = [0.0] * len(nodes)
    for i in reversed(range(len(nodes))):
        cubes[i] = cubes[i] or tip**3
        if i:
            cubes[parents[i]] += cubes[i]
    radii = [c ** (1 / 3) for c in cubes]
    places = [[longest * n[0] - 0.5, longest * n[1] - 0.5, longest * n[2] - 0.5 if nz > 1 else 0] for n in nodes]
    tubes = [(places[parents[i]], places[i], radii[parents[i]], radii[i]) for i in range(1, len(nodes))]

    def covered(pixel):
        for a, b, ra, rb in tubes:
            length = sum((q - p) ** 2 for p, q in zip(a, b))
            t = sum((x - p) * (q - p) for x, p, q in zip(pixel, a, b)) / length
            t = min(1, max(0, t))
            if math.dist(pixel, [p + t * (q - p) for p, q in zip(a, b)]) <= ra + t * (rb - ra):
                return True
        return False
    for z in range(nz):
        for y in range(ny):
            for x in range(nx):
                yield 10 if covered((x, y, z)) else 0


KINDS = {"star": by_polygons(star), "blobs": by_polygons(blobs), "ushape": by_polygons(ushape),
         "shepp-logan": by_polygons(shepp_logan), "vessels": vessels,
         "impulse": by_rule(lambda s, x, y, z: (x, y, z) == (s[0] // 2, s[1] // 2, s[2] // 2)),
         "step": by_rule(lambda s, x, y, z: 2 * x >= s[0] - 1), "constant": by_rule(lambda s, x, y, z: False),
         "rings": by_polygons(rings), "flower": by_rule(flower),
         "disc": by_rule(lambda s, x, y, z: flower(s, x, y, z, amplitude=0))}


# ---------------------------------------------------------------- noise

def gamma(seed, index, looks):
    u = uniforms(seed, index, SEQUENCE)
    d = looks - 1 / 3
    while True:
        x, v = NormalDist().inv_cdf(next(u)), next(u)
        cube = (1 + x / math.sqrt(9 * d)) ** 3
        if cube > 0 and math.log(v) < x * x / 2 + d - d * cube + d * math.log(cube):
            return d * cube / looks


def poisson(seed, index, mean):
    u = uniforms(seed, index, SEQUENCE)
    if mean < 10:
        count, total = 0, -math.log(next(u))
        while total < mean:
            count, total = count + 1, total - math.log(next(u))
        return count
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    while True:
        x, v = next(u) - 0.5, next(u)
        us = 0.5 - abs(x)
        k = math.floor((2 * a / us + b) * x + mean + 0.43)
        if us >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        hat = math.log(v) + math.log(1.1239 + 1.1328 / (b - 3.4)) - math.log(a / us**2 + b)
        if hat <= k * math.log(mean) - mean - math.lgamma(k + 1):
            return k


def value(noise, looks, kind_of_pixel, seed, index, mean, sigma):
    single = uniform(seed, index // 2, index % 2, PAIR)
    if noise == "none":
        return mean
    if noise == "gaussian" or noise.startswith("variance"):
        return mean + sigma * NormalDist().inv_cdf(single)
    if noise == "rayleigh":
        return mean * math.sqrt(2 / math.pi) * math.sqrt(-2 * math.log(single))
    if noise == "bernoulli":
        return HIGHEST[kind_of_pixel] if single < mean else 0
    return mean * gamma(seed, index, looks) if noise == "gamma" else poisson(seed, index, mean)


def image(kind, size, type="u16", noise="none", seed=0, looks=1, levels=None, snr=None, sigmas=(0, 0), count=None, shading=0, blur=0):
    """`levels` and `sigmas` as the table of PhantomOptions says, worked out by hand below."""
    shape = (tuple(int(n) for n in size.split("x")) + (1,))[:3]
    background, target = levels
    pixels = []
    options = {} if count is None else {"count": count}
    shown = list(KINDS[kind](shape, seed, **options))
    for index, tenths in enumerate(blurred(shown, shape, blur) if blur else shown):
        x, y = index % shape[0], index // shape[0] % shape[1]
        light = 1 + shading * (x / max(shape[0] - 1, 1) + y / max(shape[1] - 1, 1) - 1)
        mean = background + (target - background) * tenths / 10
        sigma = sigmas[0] + (sigmas[1] - sigmas[0]) * tenths / 10
        number = round(value(noise, looks, type, seed, index, mean * light, sigma))
        pixels.append(max(LOWEST[type], min(HIGHEST[type], number)))
    return shape, pixels


def write(options, shape, pixels, art):
    print("art" if art else "values", " ".join(f"{k}={v}" for k, v in options.items()))
    for start in range(0, len(pixels), shape[0]):
        row = pixels[start:start + shape[0]]
        print("".join(".123456789#"[p] for p in row) if art else " ".join(map(str, row)))


def main():
    arts = [("star", "23x19", 0), ("star", "7x9x9", 0), ("ushape", "22x20", 0), ("ushape", "6x6x5", 0),
            ("blobs", "48x20", 5), ("blobs", "9x9x9", 2**40 + 3), ("blobs", "80x64", 1), ("shepp-logan", "40x44", 0),
            ("shepp-logan", "12x13x11", 0), ("vessels", "60x40", 3), ("vessels", "14x12x10", 4), ("impulse", "6x5", 0),
            ("impulse", "3x3x3", 0), ("step", "7x2", 0), ("step", "6x1", 0), ("step", "3x2x2", 0), ("constant", "4x2", 0)]
    arts += [(kind, size, 1) for kind in KINDS for size in ("1x1", "1x3", "2x2", "3x3", "2x1x2")]
    for kind, size, seed in arts:
        options = dict(kind=kind, size=size, type="u8", levels="0,10", seed=seed)
        write(options, *image(kind, size, "u8", seed=seed, levels=(0, 10)), art=True)
    rayleigh = math.sqrt(4 / math.pi - 1)
    noises = [
        (dict(noise="gaussian", seed=1), (20000, 32000), (3000, 3000)),
        (dict(noise="gaussian", snr=1, seed=2**33 + 1), (20000, 23000), (3000, 3000)),
        (dict(noise="gaussian", type="u8", snr=2), (78.125, 101.5625), (11.71875, 11.71875)),
        (dict(noise="gaussian", type="i16", levels="-500,700", snr=3), (-500, 700), (400, 400)),
        (dict(noise="gaussian", type="i16"), (10000, 16000), (1500, 1500)),
        (dict(noise="gaussian", type="u8", levels="10,240", snr=1), (10, 240), (230, 230)),
        (dict(noise="variance=2.5", seed=7), (20000, 20000), (3000, 7500)),
        (dict(noise="gamma", seed=1), (2000, 10000), None),
        (dict(noise="gamma", looks=3.5, snr=2, seed=3), (2000, 2000 + 2 * 2000 / math.sqrt(3.5)), None),
        (dict(noise="gamma", looks=400, levels="3000,1000"), (3000, 1000), None),
        (dict(noise="poisson", seed=4), (100, 140), None),
        (dict(noise="poisson", levels="0,9.5", seed=5), (0, 9.5), None),
        (dict(noise="poisson", levels="10,30000", seed=6), (10, 30000), None),
        (dict(noise="poisson", type="u8", levels="2,11"), (2, 11), None),
        (dict(noise="bernoulli", seed=8), (0.1, 0.7), None),
        (dict(noise="bernoulli", type="u8", snr=1), (0.1, 0.4), None),
        (dict(noise="rayleigh", seed=9), (2000, 2000 * (1 + 4 * rayleigh)), None),
        (dict(noise="rayleigh", type="i16", levels="50,2000"), (50, 2000), None)]
    for options, levels, sigmas in noises:
        options = dict(kind="step", size="12x5") | options
        work = options | dict(levels=levels, sigmas=sigmas or (0, 0))
        write(options, *image(**work), art=False)
    for kind in ("star", "shepp-logan"):
        options = dict(kind=kind, size="9x8", noise="poisson", levels="5,50", seed=11)
        write(options, *image(**(options | dict(levels=(5, 50)))), art=False)
    for kind, size, count in [("blobs", "60x50", 11), ("blobs", "33x26x18", 4), ("rings", "110x60", 5), ("rings", "24x24x24", 1)]:
        options = dict(kind=kind, size=size, type="u8", levels="0,10", seed=12, count=count)
        write(options, *image(kind, size, "u8", seed=12, levels=(0, 10), count=count), art=True)
    shaded = [
        (dict(noise="gaussian", seed=1), (20000, 32000), (3000, 3000)),
        (dict(noise="gamma", levels="3000,1000"), (3000, 1000), (0, 0)),
        (dict(noise="poisson", levels="8,30", seed=5), (8, 30), (0, 0)),
        (dict(noise="bernoulli", levels="0.1,0.6", seed=8), (0.1, 0.6), (0, 0)),
        (dict(noise="rayleigh", seed=9), (2000, 2000 * (1 + 4 * rayleigh)), (0, 0))]
    for options, levels, sigmas in shaded:
        options = dict(kind="step", size="12x5", shading=0.5) | options
        write(options, *image(**(options | dict(levels=levels, sigmas=sigmas))), art=False)
    for kind, size in [("flower", "41x37"), ("disc", "20x26"), ("flower", "20x22x5")]:
        options = dict(kind=kind, size=size, type="u8", levels="0,10")
        write(options, *image(kind, size, "u8", levels=(0, 10)), art=True)
    for kind, noise, levels, sigmas in [("flower", "none", (20000, 32000), (0, 0)), ("disc", "gaussian", (20000, 32000), (3000, 3000)),
                                        ("step", "poisson", (100, 140), (0, 0))]:
        options = dict(kind=kind, size="14x12", noise=noise, blur=1.3, seed=3)
        write(options, *image(**(options | dict(levels=levels, sigmas=sigmas))), art=False)
    options = dict(kind="impulse", size="3x2", type="i16")
    write(options, *image("impulse", "3x2", "i16", levels=(0, 32767)), art=False)


main()
