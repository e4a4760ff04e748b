# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Segmentation of a noisy star by Meander and by scikit-image, side by side on one thread.

The image is that of `meander phantom star --noise gaussian --snr 1`, 16 bits. In every round Meander runs once in
its own process (`meander bench segment`, median of 3 runs) and each method of scikit-image once, in a process of its
own that is ended when it has used up its time; a method that has is skipped, by name, at the larger sizes. One that
takes more than ten seconds runs in one round only. Times are process CPU time, without reading the image; ratios are
of one round, and their median counts. IoU is against the known star. scikit-image's methods were helped where a user
would have to search: scales and weights are the best of a few tried on this star at 512x512 (blur + Otsu has sigma
3), a mask may be its complement, and the snake begins with a circle about the star's middle.

With --flower: mean IoU on smooth flowers in noise, of curves, polygons, two methods of scikit-image and an oracle, the
threshold halfway between the true levels. Of the last three each has the scale that is best on those images.

    bench/peers/segment.py PROGRAM [--sizes 512,1024,2048] [--rounds R] [--limit SECONDS] [--methods LIST]
    bench/peers/segment.py PROGRAM --flower [--sizes 1024] [--rounds SEEDS]
"""

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import skimage.draw
import skimage.filters
import skimage.segmentation

OURS = ("defaults", "base32 pyramid", "blur + Otsu")
SLOW = 10  # seconds beyond which a method runs in one round only


def blurred(image, sigma=3):
    return skimage.filters.gaussian(image, sigma, preserve_range=True)


def otsu(image):
    soft = blurred(image)
    return soft > skimage.filters.threshold_otsu(soft)


def morphological(image):
    return skimage.segmentation.morphological_chan_vese(blurred(image, 2), num_iter=60, smoothing=1)


def chan_vese(image):
    return skimage.segmentation.chan_vese(blurred(image, 2), mu=0.1, max_num_iter=100)


def active_contour(image):
    middle, radius = image.shape[0] / 2, 0.3 * image.shape[0]
    angles = np.linspace(0, 2 * np.pi, 400)
    circle = middle + radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    soft = blurred(image, 8)
    found = skimage.segmentation.active_contour((soft - soft.min()) / np.ptp(soft), circle, alpha=0.005, beta=0.1,
                                                w_edge=10, max_num_iter=2500)
    return skimage.draw.polygon2mask(image.shape, found)


def random_walker(image):
    soft = blurred(image)
    low, high = np.quantile(soft, [0.6, 0.85])
    seeds = np.where(soft < low, 1, np.where(soft > high, 2, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a probability is a little beyond 1, in every run
        return skimage.segmentation.random_walker(image, seeds, beta=10, mode="cg_j") == 2


PEERS = {
    "gaussian + threshold_otsu": otsu,
    "morphological_chan_vese": morphological,
    "chan_vese": chan_vese,
    "active_contour": active_contour,
    "random_walker": random_walker,
}


def iou_of(mask, truth):
    return np.count_nonzero(mask & truth) / np.count_nonzero(mask | truth)


def score(mask, truth):
    mask = np.asarray(mask).astype(bool)
    return max(iou_of(mask, truth), iou_of(~mask, truth))


def measure(function, image, truth, end):
    begin = time.process_time()
    mask = function(image)
    end.send((time.process_time() - begin, score(mask, truth)))


def in_child(function, image, truth, limit):
    """Seconds and IoU, or nothing when the time was up."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=measure, args=(function, image, truth, there))
    child.start()
    there.close()
    try:
        found = here.recv() if here.poll(limit) else None
    finally:
        child.kill()
        child.join()
    return found


def made_image(program, side, kind="star", snr=1, seed=0, shapes=()):
    """The image, its truth, and what Meander makes of it as each of some shapes."""
    with tempfile.TemporaryDirectory() as folder:
        image, truth, mask = (os.path.join(folder, name) for name in ("image.npy", "truth.npy", "mask.npy"))
        subprocess.run([program, "phantom", kind, image, "--size", f"{side}x{side}", "--noise", "gaussian", "--snr",
                        str(snr), "--seed", str(seed), "--truth", truth, "--quiet"], check=True)
        masks = []
        for shape in shapes:
            subprocess.run([program, "segment", image, mask, "--max-objects", "1", "--shape", shape, "--quiet"], check=True)
            masks.append(np.load(mask) > 0)
        return np.load(image).astype(np.float64), np.load(truth) > 0, *masks


def print_flowers(program, side, seeds):
    sigmas = (1, 2, 3, 5, 8, 12, 16)
    soft_ways = {
        "oracle threshold": lambda soft, middle: soft > middle,
        "gaussian + threshold_otsu": lambda soft, _: soft > skimage.filters.threshold_otsu(soft),
        "morphological_chan_vese": lambda soft, _: skimage.segmentation.morphological_chan_vese(soft, num_iter=60),
    }
    print(f"Flowers of {side}x{side}, Gaussian noise, mean IoU of {seeds} seeds; scikit-image {skimage.__version__}\n")
    print("| SNR | Meander, defaults | Meander, polygons |", " | ".join(f"{name} (sigma)" for name in soft_ways), "|")
    print("|---" * (3 + len(soft_ways)) + "|")
    for snr in (2, 1, 0.5, 0.25):
        cells = []
        images = [made_image(program, side, "flower", snr, seed, ("auto", "polygon")) for seed in range(seeds)]
        for shape in (2, 3):
            cells.append(f"{np.mean([iou_of(made[shape], made[1]) for made in images]):.4f}")
        middles = [(image[truth].mean() + image[~truth].mean()) / 2 for image, truth, *_ in images]
        softs = {sigma: [blurred(made[0], sigma) for made in images] for sigma in sigmas}
        for way in soft_ways.values():
            means = {}
            for sigma, blurs in softs.items():
                masks = [way(soft, middle) for soft, middle in zip(blurs, middles)]
                means[sigma] = np.mean([score(mask, made[1]) for mask, made in zip(masks, images)])
            best = max(means, key=means.get)
            cells.append(f"{means[best]:.4f} ({best})")
        print(f"| {snr} |", " | ".join(cells), "|", flush=True)


def meander_round(program, side):
    done = subprocess.run([program, "bench", "segment", "--device", "cpu", "--threads", "1", "--runs", "3", "--json",
                           "--size", f"{side}x{side}"], stdout=subprocess.PIPE, text=True, check=True)
    (size,) = json.loads(done.stdout)["result"]["sizes"]
    rows = {row["name"]: row for row in size["rows"]}
    return {f"meander {name}": (rows[name]["seconds"], rows[name]["iou"]) for name in OURS}


def measured(program, side, rounds, limit, peers, skipped):
    """Seconds by name, a number or None for each round, and IoU by name."""
    image, truth = made_image(program, side)
    times, scores = {}, {}
    for index in range(rounds):
        for name, (seconds, iou) in meander_round(program, side).items():
            times.setdefault(name, []).append(seconds)
            scores[name] = iou
        for name, function in peers.items():
            earlier = times.setdefault(name, [])
            if name in skipped or (index > 0 and earlier[0] > SLOW):
                continue
            found = in_child(function, image, truth, limit)
            if found is None:
                skipped[name] = f"{name} was ended after {limit:g} s at {side}x{side}"
            else:
                earlier.append(found[0])
                scores[name] = found[1]
    return {name: values for name, values in times.items() if values}, scores


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def print_table(side, times, scores):
    ours = times["meander defaults"]
    print(f"\n{side}x{side}\n")
    print("| | ms | quartiles | over meander defaults | rounds | IoU |")
    print("|---|---|---|---|---|---|")
    for name, values in times.items():
        low, median, high = (1e3 * value for value in quartiles(values))
        ratio = "{1:.2f} ({0:.2f} to {2:.2f})".format(*quartiles([a / b for a, b in zip(values, ours)]))
        print(f"| {name} | {median:.1f} | {low:.1f} to {high:.1f} | {ratio} | {len(values)} | {scores[name]:.4f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="build/bin/meander")
    parser.add_argument("--sizes", default="512,1024,2048", help="sides of the square images, in pixels")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--flower", action="store_true", help="mean IoU on smooth flowers instead of times on stars")
    parser.add_argument("--limit", type=float, default=60, help="seconds on the wall that a method may take")
    parser.add_argument("--methods", default=",".join(PEERS), help="of scikit-image")
    options = parser.parse_args()
    if options.flower:
        for side in map(int, options.sizes.split(",")):
            print_flowers(options.program, side, options.rounds)
        return
    wanted = options.methods.split(",")
    if unknown := [name for name in wanted if name not in PEERS]:
        parser.error(f"found {', '.join(unknown)}, expected some of {', '.join(PEERS)}")
    print(f"Star with Gaussian noise of SNR 1, u16, one thread, process CPU time, {options.rounds} rounds; "
          f"scikit-image {skimage.__version__}")
    skipped = {}
    for side in sorted(map(int, options.sizes.split(","))):
        peers = {name: PEERS[name] for name in wanted if name not in skipped}
        print_table(side, *measured(options.program, side, options.rounds, options.limit, peers, skipped))
    print("".join(f"\n{reason}; it is left out from there on." for reason in skipped.values()))


if __name__ == "__main__":
    main()
