# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Gaussian smoothing by Meander and by libraries people use, side by side on one thread in float32.

Every round times each of them once, in turn, by process CPU time: the libraries in this process after a warm-up,
Meander in its own (`meander bench smooth`, median of 3 runs after a warm-up). Figures are nanoseconds for each pixel
and axis; ratios are of one round, and their median counts. How far each result is from the exact Gaussian (float64,
to 8 sigma, clamped borders) says whether the same thing was computed; libraries differ at borders, so that is taken
8 sigma away from them.

    bench/peers/smooth.py PROGRAM [--size N] [--sigma S] [--rounds R]
"""

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np
import scipy.ndimage

AGREEMENT = 5e-3  # of the range of the image; the coarsest method makes a third of it


def peers_of(sigma):
    """Name and function, each on one thread."""
    cv2.setNumThreads(1)
    found = {
        "OpenCV GaussianBlur": lambda image: cv2.GaussianBlur(image, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE),
        "SciPy gaussian_filter": lambda image: scipy.ndimage.gaussian_filter(image, sigma, mode="nearest"),
    }
    if importlib.util.find_spec("itk") is not None:
        found |= itk_peers(sigma)
    return found


def itk_peers(sigma):
    import itk

    itk.MultiThreaderBase.SetGlobalMaximumNumberOfThreads(1)
    itk.MultiThreaderBase.SetGlobalDefaultNumberOfThreads(1)

    def run(filter_type, image, **settings):
        view = itk.image_view_from_array(image)
        smoother = filter_type.New(view, **settings)
        smoother.SetNumberOfWorkUnits(1)
        smoother.Update()
        return itk.array_view_from_image(smoother.GetOutput())

    kind = itk.Image[itk.F, 2]
    both_axes = itk.SmoothingRecursiveGaussianImageFilter[kind, kind]
    discrete = itk.DiscreteGaussianImageFilter[kind, kind]
    width = int(8 * sigma) + 1
    return {
        "ITK recursive (Deriche)": lambda image: run(both_axes, image, Sigma=sigma),
        "ITK discrete": lambda image: run(discrete, image, Variance=sigma**2, MaximumError=0.001,
                                          MaximumKernelWidth=width),
    }


def process_seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def meander_round(program, path, sigma):
    """Nanoseconds and difference of each method, in a process of its own."""
    done = subprocess.run([program, "bench", "smooth", "--device", "cpu", "--threads", "1", "--runs", "3", "--json",
                           "--image", path, "--sigma", str(sigma), "--methods", "vanvliet3,auto"],
                          stdout=subprocess.PIPE, text=True, check=True)
    rows = json.loads(done.stdout)["result"]["rows"]
    return {f"meander {row['method']}": (row["nanoseconds"], row["difference"]["max"]) for row in rows}


def measured_rounds(program, peers, image, sigma, rounds):
    """Nanoseconds of all by name, round by round, and the differences of Meander's results."""
    times, differences = {}, {}
    per_number = 1e9 / (image.size * image.ndim)
    for function in peers.values():
        function(image)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "image.npy")
        np.save(path, image)
        for _ in range(rounds):
            for name, (nanoseconds, difference) in meander_round(program, path, sigma).items():
                times.setdefault(name, []).append(nanoseconds)
                differences[name] = difference
            for name, function in peers.items():
                times.setdefault(name, []).append(process_seconds(lambda: function(image)) * per_number)
    return times, differences


def peer_differences(peers, image, sigma):
    """Of each library's result to the exact Gaussian, of the range of the image."""
    exact = scipy.ndimage.gaussian_filter(image.astype(np.float64), sigma, mode="nearest", truncate=8)
    margin = int(8 * sigma)
    inside = (slice(margin, -margin),) * 2
    return {name: np.abs(function(image)[inside] - exact[inside]).max() / np.ptp(image)
            for name, function in peers.items()}


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def print_table(times, errors):
    baselines = ["meander vanvliet3", "meander auto"]
    print(f"| | ns per pixel and axis | quartiles | over {baselines[0]} | over {baselines[1]} | max difference |")
    print("|---|---|---|---|---|---|")
    for name, values in times.items():
        low, median, high = quartiles(values)
        ratios = ["{1:.2f} ({0:.2f} to {2:.2f})".format(*quartiles([a / b for a, b in zip(values, times[base])]))
                  for base in baselines]
        print(f"| {name} | {median:.2f} | {low:.2f} to {high:.2f} | {ratios[0]} | {ratios[1]} | {errors[name]:.1e} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="build/bin/meander")
    parser.add_argument("--size", type=int, default=2048, help="side of the square image, in pixels")
    parser.add_argument("--sigma", type=float, default=12)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if options.size <= 16 * options.sigma:
        parser.error("the image must be larger than 16 sigma")
    y, x = np.mgrid[:options.size, :options.size] - options.size / 2
    noise = np.random.default_rng(7).normal(0, 32, x.shape)
    image = (np.where(np.hypot(x, y) < options.size / 4, 192, 64) + noise).astype(np.float32)
    peers = peers_of(options.sigma)
    times, errors = measured_rounds(options.program, peers, image, options.sigma, options.rounds)
    errors |= peer_differences(peers, image, options.sigma)
    print(f"{options.size}x{options.size} float32, sigma {options.sigma:g}, one thread, process CPU time, "
          f"{options.rounds} rounds\n")
    print_table(times, errors)
    if "ITK recursive (Deriche)" not in peers:
        print("\nITK is not installed and was left out.")
    far = [name for name, error in errors.items() if error > AGREEMENT]
    if far:
        sys.exit(f"these did not compute a Gaussian of that scale: {', '.join(far)}")


if __name__ == "__main__":
    main()
