# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Many objects in one image by Meander and by scikit-image, side by side on one thread.

Images are phantoms of 16 bits with known labels, 30 objects at 1024x1024, 120 at 2048x2048 and 500 at 4096x4096, so
that objects have one size; and `coins` of scikit-image, whose truth is a count: 24 circles, checked by eye, tell
which coin was found. All answers are images of labels and are scored by the same lines below: an object is found when the
intersection over union (IoU) with one of the answer is more than 0.5, and what is no such match is false.

Times are CPU time: of Meander the whole process, start, reading and writing included (`meander segment --device cpu
--threads 1`), of scikit-image the method alone. Ratios are to the last row of Meander in the same run. scikit-image's methods are helped where a user
would have to search: scales, distances between markers, whether a broad blur is taken off first and whether there is
a watershed at all are the best of a few for each kind of image, chosen by the truth at 1024x1024 and kept for larger
ones. A method that has used up its time is skipped, by name, at this size and larger ones.

    bench/peers/objects.py PROGRAM [--sizes 1024,4096] [--kinds LIST] [--limit SECONDS] [--quick]
"""

import argparse
import dataclasses
import itertools
import json
import multiprocessing
import os
import resource
import subprocess
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import scipy.ndimage
import skimage.data
import skimage.feature
import skimage.filters
import skimage.measure
import skimage.morphology
import skimage.segmentation

COUNTS = {512: 8, 1024: 30, 2048: 120, 4096: 500}
SMALLEST = 25  # pixels
REDUCTION = 16  # a background is found on an image so much smaller
COINS = [  # x, y, radius: from the example of scikit-image, checked by eye
    (335, 44, 29), (155, 51, 23), (215, 51, 23), (276, 52, 20), (44, 54, 21), (100, 56, 19),
    (271, 119, 25), (45, 124, 20), (205, 124, 20), (336, 125, 19), (102, 126, 19), (154, 127, 19),
    (347, 187, 32), (212, 193, 23), (274, 194, 22), (102, 196, 22), (44, 197, 19), (154, 198, 19),
    (46, 260, 28), (172, 261, 27), (301, 263, 25), (244, 263, 24), (114, 266, 21), (358, 268, 22),
]  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of image: arguments of `meander phantom` and, for each row of Meander's, of `meander segment`."""

    name: str
    phantom: str
    ours: tuple[str, ...] = ("",)
    least: int = SMALLEST
    is_uneven: bool = False  # the light


KINDS = [
    Kind("blobs, SNR 1", "blobs --snr 1"),
    Kind("blobs, SNR 2", "blobs --snr 2"),
    Kind("shaded, SNR 1", "blobs --snr 1 --shading 0.5", ("--background global", ""), is_uneven=True),
    Kind("shaded, SNR 2", "blobs --snr 2 --shading 0.5", ("--background global", ""), is_uneven=True),
    Kind("touching, SNR 2", "blobs --snr 2 --touching", ("--no-split", "")),
    Kind("rings, SNR 2", "rings --snr 2"),
]
REAL = Kind("coins", "", ("",), least=200, is_uneven=True)


def without_small(mask, least):
    return skimage.morphology.remove_small_objects(mask, least)


def flattened(image, broad):
    """Less a blur of so many pixels, for which the image is made smaller and larger again; 0: as it is."""
    if broad == 0:
        return image
    small = skimage.measure.block_reduce(image, REDUCTION, np.mean, cval=image.mean())
    soft = scipy.ndimage.gaussian_filter(small, broad / REDUCTION)
    rows, columns = (np.clip((np.arange(side) + 0.5) / REDUCTION - 0.5, 0, few - 1)
                     for side, few in zip(image.shape, soft.shape))  # fmt: skip
    upper, left = (np.minimum(place.astype(int), few - 2) for place, few in zip((rows, columns), soft.shape))
    across = soft[:, left] * (left + 1 - columns) + soft[:, left + 1] * (columns - left)
    down = (rows - upper)[:, None]
    return image - (across[upper] * (1 - down) + across[upper + 1] * down)


def otsu_watershed(image, sigma, distance, broad, least):
    """Blur, Otsu's threshold, and a watershed of the distances to the background from their peaks."""
    soft = scipy.ndimage.gaussian_filter(flattened(image, broad), sigma)
    mask = without_small(soft > skimage.filters.threshold_otsu(soft), least)
    if distance == 0:
        return skimage.measure.label(mask)
    depth = scipy.ndimage.distance_transform_edt(mask)
    places = skimage.feature.peak_local_max(depth, min_distance=distance, labels=skimage.measure.label(mask))
    markers = np.zeros(image.shape, np.int32)
    markers[tuple(places.T)] = np.arange(1, len(places) + 1)
    return skimage.segmentation.watershed(-depth, markers, mask=mask)


def morphological(image, sigma, broad, least):
    soft = scipy.ndimage.gaussian_filter(flattened(image, broad), sigma)
    mask = skimage.segmentation.morphological_chan_vese(soft, num_iter=10, smoothing=1).astype(bool)
    if mask.mean() > 0.5:
        mask = ~mask
    return skimage.measure.label(without_small(mask, least))


def tutorial(image, least):
    """What scikit-image's own example does with its coins; the two grey levels are made for this image."""
    markers = np.where(image < 30, 1, np.where(image > 150, 2, 0))
    mask = skimage.segmentation.watershed(skimage.filters.sobel(image), markers) == 2
    return skimage.measure.label(without_small(scipy.ndimage.binary_fill_holes(mask), least))


def tried(kind):
    """Each method with what of it is tried; the first that scores best is kept."""
    broad = (0, 64, 256) if kind.is_uneven else (0,)
    watersheds = itertools.product((2, 4, 8), (0, 15, 40), broad)
    return {
        "Otsu + watershed": (otsu_watershed, [dict(sigma=s, distance=d, broad=b) for s, d, b in watersheds]),
        "morphological_chan_vese": (morphological, [dict(sigma=s, broad=b) for s, b in itertools.product((2, 4), broad)]),
    }


@dataclasses.dataclass(frozen=True)
class Score:
    found: int
    missed: int
    false: int
    iou: float  # mean over those found

    @property
    def rank(self):
        return self.found - self.false, self.iou


def score_of(answer, truth):
    """Of two images of labels, numbers from 1 on."""
    answer, truth = answer.astype(np.int64), truth.astype(np.int64)
    wanted, given = np.bincount(truth.ravel()), np.bincount(answer.ravel())
    both = np.flatnonzero((answer > 0) & (truth > 0))
    pairs, common = np.unique(truth.ravel()[both] * len(given) + answer.ravel()[both], return_counts=True)
    wanted_of, given_of = wanted[pairs // len(given)], given[pairs % len(given)]
    ious = common / (wanted_of + given_of - common)
    good = ious[ious > 0.5]  # at most one for each object
    objects, answers = np.count_nonzero(wanted[1:]), np.count_nonzero(given[1:])
    return Score(len(good), objects - len(good), answers - len(good), good.mean() if len(good) else 0.0)


def in_child(function, limit):
    """CPU seconds and what the function returned, or nothing when its CPU time was up."""

    def work(end):
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + limit) + 1, resource.RLIM_INFINITY))
        begin = time.process_time()
        answer = function()
        end.send((time.process_time() - begin, answer))

    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=work, args=(there,))
    child.start()
    there.close()
    try:
        return here.recv()
    except EOFError:
        return None
    finally:
        child.join()


@dataclasses.dataclass
class Scene:
    kind: Kind
    title: str
    file: str  # for Meander
    image: np.ndarray
    truth: np.ndarray


def phantom(program, kind, side, folder):
    image, labels = (os.path.join(folder, f"{name}.npy") for name in ("image", "labels"))
    subprocess.run([program, "phantom", *kind.phantom.split(), "--size", f"{side}x{side}", "--count", str(COUNTS[side]),
                    "--noise", "gaussian", "--labels", labels, "--quiet", image], check=True)  # fmt: skip
    truth = np.load(labels)
    return Scene(kind, f"{kind.name}, {side}x{side}, {truth.max()} objects", image, np.load(image).astype(np.float64), truth)


def coins(folder):
    image = skimage.data.coins()
    truth = np.zeros(image.shape, np.int32)
    y, x = np.indices(image.shape)
    for number, (left, top, radius) in enumerate(COINS, 1):
        truth[(x - left) ** 2 + (y - top) ** 2 <= radius**2] = number
    file = os.path.join(folder, "coins.npy")
    np.save(file, image)
    return Scene(REAL, "coins of scikit-image, 24 objects", file, image.astype(np.float64), truth)


def meander_row(program, scene, arguments):
    labels = f"{scene.file}.found.npy"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "segment", scene.file, f"{scene.file}.csv", *arguments.split(), "--labels-out", labels,
                           "--device", "cpu", "--threads", "1", "--json"],
                          stdout=subprocess.PIPE, text=True, check=True)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    compute = json.loads(done.stdout)["seconds"]["compute"]
    return seconds, score_of(np.load(labels), scene.truth), f"`{arguments or 'defaults'}`; computing {compute:.2f} s of wall clock"


def peer_score(function, scene, choice, limit):
    return in_child(lambda: score_of(function(scene.image, least=scene.kind.least, **choice), scene.truth), limit)


def chosen(name, scene, limit):
    """The choice that scores best on a small image of this kind; nothing when time is up."""
    function, choices = tried(scene.kind)[name]
    tries = []
    for choice in choices:
        found = peer_score(function, scene, choice, limit)
        if found is None:
            return None
        tries.append((found[1].rank, choice))
    return max(tries, key=lambda one: one[0])[1]


def peer_rows(scene, choices, limit, skipped):
    for name, choice in choices.items():
        if scene.image.size >= skipped.get(name, np.inf):
            continue
        found = None if choice is None else peer_score(tried(scene.kind)[name][0], scene, choice, limit)
        if found is None:
            skipped[name] = scene.image.size
            print(f"\n{name} was ended after {limit:g} s of CPU time, and is left out at this size from here on.\n")
            continue
        words = ", ".join(f"{key} {value}" for key, value in choice.items())
        yield name, *found, words


def print_table(scene, rows):
    objects = len(np.unique(scene.truth)) - 1
    print(f"\n{scene.title}\n")
    print("| | found | missed | false | mean IoU | CPU s | over Meander | |")
    print("|---|---|---|---|---|---|---|---|")
    ours = None
    for name, seconds, score, words in rows:
        is_ours = name == "Meander"
        ours = seconds if is_ours else ours  # its last row, with the options that suit the image
        ratio = "" if is_ours else f"{seconds / ours:.2f}"
        iou = f"{score.iou:.4f}" if scene.kind is not REAL else "–"
        print(f"| {name} | {score.found} of {objects} | {score.missed} | {score.false} | {iou} | {seconds:.2f} | "
              f"{ratio} | {words} |", flush=True)  # fmt: skip


def rows_of(program, scene, choices, limit, skipped):
    for arguments in scene.kind.ours:
        yield "Meander", *meander_row(program, scene, arguments)
    yield from peer_rows(scene, choices, limit, skipped)
    if scene.kind is REAL:
        seconds, score = in_child(lambda: score_of(tutorial(scene.image, REAL.least), scene.truth), limit)
        yield "sobel + watershed of its tutorial", seconds, score, "levels 30 and 150, made for this image"


def run_kind(program, kind, sizes, limit, skipped):
    with tempfile.TemporaryDirectory() as folder:
        small = coins(folder) if kind is REAL else phantom(program, kind, min(sizes + [1024]), folder)
        choices = {name: chosen(name, small, limit) for name in tried(kind) if small.image.size < skipped.get(name, np.inf)}
        for side in [0] if kind is REAL else sizes:
            scene = small if kind is REAL else phantom(program, kind, side, folder)
            print_table(scene, rows_of(program, scene, choices, limit, skipped))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="build/bin/meander")
    parser.add_argument("--sizes", default="1024,4096", help=f"sides of the square images: {', '.join(map(str, COUNTS))}")
    kinds = {kind.name.replace(", SNR ", ""): kind for kind in [*KINDS, REAL]}
    parser.add_argument("--kinds", default=",".join(kinds), help="of images")
    parser.add_argument("--limit", type=float, default=10, help="seconds of CPU time that a method may take")
    parser.add_argument("--quick", action="store_true", help="512x512, one kind of phantom and the coins")
    options = parser.parse_args()
    if options.quick:
        options.sizes, options.kinds = "512", "blobs2,coins"
    sizes, wanted = sorted(map(int, options.sizes.split(","))), options.kinds.split(",")
    if unknown := [side for side in sizes if side not in COUNTS] + [name for name in wanted if name not in kinds]:
        parser.error(f"found {', '.join(map(str, unknown))}, expected some of {', '.join(map(str, [*COUNTS, *kinds]))}")
    print(f"Many objects, one thread, CPU time; scikit-image {skimage.__version__}; load of the machine at the start "
          f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")  # fmt: skip
    skipped = {}  # pixels from which on a method is left out, by name
    for name in wanted:
        run_kind(options.program, kinds[name], sizes, options.limit, skipped)


if __name__ == "__main__":
    main()
