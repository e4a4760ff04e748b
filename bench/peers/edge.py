# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Edge snakes from one circle: Meander beside scikit-image, on one thread and on the same image files.

The images are those of `meander phantom ushape --snr 4` and `meander phantom star --snr 2`, Gaussian noise, 16 bits; the
circle lies about the middle and around all of the object. Meander runs as a user calls it, `meander segment --model
edge` with its defaults, once in each round: `seconds.compute` of its report, by the wall clock, and the wall clock and CPU
time of the whole process with its start, reading and writing. Each method of scikit-image runs in a process of its own that is ended when it has used
up its time; its times are process CPU time of the method alone, smoothing included. They were helped where a user
would have to search: several sets of parameters are tried, and the set of the best IoU counts, with its time alone; so
is a second row of Meander, by its scale.
`active_contour` is tuned so at every size; `morphological_geodesic_active_contour`, which takes minutes, at the smallest
size only. Iterations and points grow with the image. IoU is against the known mask, by the same function for all.

    bench/peers/edge.py PROGRAM [--sizes 512,2048] [--rounds R] [--limit SECONDS] [--methods LIST] [--json FILE]
"""

import argparse
import functools
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import skimage.draw
import skimage.segmentation
from segment import blurred, in_child, iou_of

IMAGES = {"ushape": 4, "star": 2}  # and their SNR
RADIUS = 0.48  # of the start, in sides of the image: around all of both objects
OURS = "meander segment --model edge"
SCALES = (1, 1.5, 2, 3)  # of the smoothing, for the row that is tuned as the others are


def circle_of(side, points):
    angles = np.linspace(0, 2 * np.pi, points)
    return side / 2 + RADIUS * side * np.stack([np.sin(angles), np.cos(angles)], axis=1)


def scaled(image):
    return (image - image.min()) / np.ptp(image)


def active_contour(image, sigma, alpha, weight):
    side = len(image)
    found = skimage.segmentation.active_contour(
        scaled(blurred(image, sigma)), circle_of(side, 400 * side // 512), alpha=alpha, beta=0.1, w_edge=weight,
        max_num_iter=2500 * side // 512)  # fmt: skip
    return skimage.draw.polygon2mask(image.shape, found)


def geodesic(image, sigma, alpha, threshold):
    side = len(image)
    start = skimage.draw.polygon2mask(image.shape, circle_of(side, 400))
    speed = skimage.segmentation.inverse_gaussian_gradient(scaled(image), alpha=alpha, sigma=sigma)
    return skimage.segmentation.morphological_geodesic_active_contour(
        speed, 25 * side // 32, init_level_set=start, smoothing=1, threshold=threshold, balloon=-1)


def contour_sets(side):
    """Scales and weights for a side; with the image also the scale may grow, and with both the weight of edges."""
    growth = side / 512
    sets = {(3, 0.015, 10), (8, 0.005, 10), (8, 0.015, 10), (8 * growth, 0.005, 10 * growth**2),
            (8 * growth, 0.015, 10 * growth**2), (12 * growth, 0.005, 10 * growth**2)}  # fmt: skip
    return sorted(sets)


def geodesic_sets(_):
    return [(3, 1000, 0.3), (3, 1000, 0.4), (5, 1000, 0.4), (5, 1000, "auto")]


# Function, its sets of parameters for a side, and whether it is tuned at every size.
PEERS = {
    "active_contour": (active_contour, contour_sets, True),
    "morphological_geodesic_active_contour": (geodesic, geodesic_sets, False),
}


def made_files(program, folder, kind, side):
    image, truth = (os.path.join(folder, f"{kind}_{side}_{name}.npy") for name in ("image", "truth"))
    subprocess.run([program, "phantom", kind, image, "--size", f"{side}x{side}", "--noise", "gaussian", "--snr",
                    str(IMAGES[kind]), "--truth", truth, "--quiet"], check=True)
    return image, truth


def children_seconds():
    """CPU time of all processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def meander_round(program, image, truth, side, extra):
    """Seconds of computing, of the process on the wall and of its CPU time; and IoU."""
    mask = f"{image}.mask.npy"
    begin, before = time.perf_counter(), children_seconds()
    done = subprocess.run([program, "segment", image, mask, "--model", "edge", "--init",
                           f"circle:{side / 2:g},{side / 2:g},{RADIUS * side:g}", "--device", "cpu", "--threads", "1",
                           "--json", *extra], stdout=subprocess.PIPE, text=True, check=True)
    wall, cpu = time.perf_counter() - begin, children_seconds() - before
    score = iou_of(np.load(mask) > 0, np.load(truth) > 0)
    return json.loads(done.stdout)["seconds"]["compute"], wall, cpu, score


def our_row(program, image, truth, side, rounds, extra=()):
    runs = [meander_round(program, image, truth, side, extra) for _ in range(rounds)]
    compute, wall, cpu, score = map(statistics.median, zip(*runs))
    return {"name": " ".join([OURS, *extra]), "seconds": compute, "process_seconds": wall, "process_cpu_seconds": cpu,
            "iou": score}  # fmt: skip


def tuned_row(program, image, truth, side, rounds):
    """The scale of the best IoU, chosen by the truth as the parameters of the others are; scales may also fail."""
    rows = []
    for sigma in SCALES:
        try:
            rows.append(our_row(program, image, truth, side, rounds, ("--sigma", str(sigma))))
        except subprocess.CalledProcessError as error:
            print(f"\nsigma {sigma} ended with exit code {error.returncode} on {os.path.basename(image)}", flush=True)
    return max(rows, key=lambda row: row["iou"])


def peer_row(name, image, truth, sets, limit):
    """The set of the best IoU among those that were done in time, or none."""
    function, best = PEERS[name][0], None
    for parameters in sets:
        found = in_child(functools.partial(call, function, parameters), image, truth, limit)
        if found is not None and (best is None or found[1] > best["iou"]):
            best = {"name": name, "seconds": found[0], "iou": found[1], "parameters": parameters}
    return best


def call(function, parameters, image):
    return function(image, *parameters)


def measured(program, folder, kind, side, options, kept):
    """Rows of one image: ours first, then those of the peers that were done in time."""
    image, truth = made_files(program, folder, kind, side)
    ours = our_row(program, image, truth, side, options.rounds)
    rows, late = [ours, tuned_row(program, image, truth, side, options.rounds)], []
    values, inside = np.load(image).astype(np.float64), np.load(truth) > 0
    for name in options.methods.split(","):
        _, sets, everywhere = PEERS[name]
        tried = sets(side) if everywhere or (kind, name) not in kept else [kept[kind, name]]
        row = peer_row(name, values, inside, tried, options.limit)
        if row is None:
            late.append(name)
            continue
        kept[kind, name] = row["parameters"]
        row["over_compute"] = row["seconds"] / ours["seconds"]
        row["over_process"] = row["seconds"] / ours["process_cpu_seconds"]
        rows.append(row)
    return {"image": kind, "snr": IMAGES[kind], "side": side, "rows": rows, "ended": late}


def print_table(result, limit):
    print(f"\n{result['image']} at SNR {result['snr']}, {result['side']}x{result['side']}\n")
    print("| | ms | over our computing | over our process, CPU time | IoU | IoU less ours | parameters |")
    print("|---|---|---|---|---|---|---|")
    ours = result["rows"][0]
    for row in result["rows"]:
        words = ", ".join(map(str, row.get("parameters", ())))
        ratios = [f"{row[key]:.1f}" if key in row else "" for key in ("over_compute", "over_process")]
        print(f"| {row['name']} | {1e3 * row['seconds']:.1f} | {' | '.join(ratios)} | {row['iou']:.4f} |"
              f" {row['iou'] - ours['iou']:+.4f} | {words} |")
    print(f"\nOur whole process with defaults: {1e3 * ours['process_seconds']:.1f} ms on the wall, "
          f"{1e3 * ours['process_cpu_seconds']:.1f} ms of CPU time.", flush=True)
    for name in result["ended"]:
        print(f"\n{name} was ended after {limit:g} s with every set of parameters.", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="build/bin/meander")
    parser.add_argument("--sizes", default="512,2048", help="sides of the square images, in pixels")
    parser.add_argument("--rounds", type=int, default=3, help="of Meander; the others run once")
    parser.add_argument("--limit", type=float, default=900, help="seconds on the wall that a run of a method may take")
    parser.add_argument("--methods", default=",".join(PEERS), help="of scikit-image")
    parser.add_argument("--json", help="a file for all figures")
    options = parser.parse_args()
    if unknown := [name for name in options.methods.split(",") if name not in PEERS]:
        parser.error(f"found {', '.join(unknown)}, expected some of {', '.join(PEERS)}")
    print(f"Edge snakes from one circle, one thread, median of {options.rounds} runs of Meander; "
          f"scikit-image {skimage.__version__}", flush=True)
    results, kept = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for side in sorted(map(int, options.sizes.split(","))):
            for kind in IMAGES:
                results.append(measured(options.program, folder, kind, side, options, kept))
                print_table(results[-1], options.limit)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"scikit-image": skimage.__version__, "images": results}, file, indent=1)


if __name__ == "__main__":
    main()
