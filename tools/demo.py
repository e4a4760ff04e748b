#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""What Meander can do today, on the CPU and with generated data. Leaves pictures and a page that shows them.

    tools/demo.py PROGRAM FOLDER [--size N] [--pictures-only]
"""

import argparse
import pathlib

from showcase import Picture, Section, Session, Step, write_page

# Each family of noise at levels where a byte shows it.
FAMILIES = {"gamma": "40,80", "poisson": "40,90", "rayleigh": "40,80", "bernoulli": "0.2,0.6", "variance=3": "100,100"}


def phantoms(side):
    def one(kind):
        command = (f"phantom {kind} {kind}.png --size {side}x{side} --noise gaussian --levels 70,180 --snr 4 --seed 7"
                   f" --type u8 --truth truth_{kind}.png")
        return Step([command], [Picture(f"{kind}.png", kind), Picture(f"truth_{kind}.png", "its truth")])

    kinds = ("star", "blobs", "ushape", "vessels", "shepp-logan")
    return Section("Phantoms at SNR 4, and their truth, exact to the pixel", [one(kind) for kind in kinds])


def noises(side):
    def one(noise, levels):
        name = noise.split("=")[0]
        caption = "equal means, three times the sigma inside" if name == "variance" else name
        command = f"phantom star star_{name}.png --size {side}x{side} --noise {noise} --levels {levels} --type u8"
        return Step([command], [Picture(f"star_{name}.png", caption)])

    return Section("Other families of noise", [one(*family) for family in FAMILIES.items()])


def edge_snake(side):
    middle, radius = side // 2, round(0.43 * side)
    command = (f"segment ushape.png ushape.geojson --model edge --init circle:{middle},{middle},{radius}"
               " --overlay ushape_outline.png --stages stages --evolution ushape_evolution.gif"
               " --truth truth_ushape.png --device cpu")
    pictures = [
        Picture("stages/figure.png", "the stages side by side", wide=True),
        Picture("stages/1_smoothed.png", "1. smoothed"),
        Picture("stages/2_edges.png", "2. edges above the noise"),
        Picture("stages/3_flow.png", "3. gradient vector flow of the edges"),
        Picture("stages/4_outline.png", "4. the outline that the flow pulled into place"),
        Picture("ushape_outline.png", "the outline on the image"),
        Picture("ushape_evolution.gif", "its way there, from a circle"),
    ]
    return Section("From noise to an outline by edges: smooth, edges, flow, snake in one command",
                   [Step([command], pictures)])


def region_snake(large, side):
    star = Step([f"phantom star star.tif --size {large}x{large} --noise gaussian --snr 1 --seed 7 --truth truth.png",
                 "segment star.tif star.geojson --overlay star_outline.png --evolution star_evolution.gif --truth truth.png"
                 " --device cpu"],
                [Picture("star_outline.png", f"a star at SNR 1, {large}×{large}, and its outline"),
                 Picture("star_evolution.gif", "how it was found")])  # fmt: skip
    vector = Step(["segment star.tif star.svg --units pixel --device cpu",
                   f"phantom star star.tif --size {large}x{large} --noise gaussian --snr 1 --seed 7 --truth truth.geojson"],
                  [Picture("star.svg", "the same outline as SVG, nodes coloured by confidence")],
                  text="Outlines are files that other programs open, the truth of a phantom too.")
    speckle = Step([f"phantom star speckle.tif --size {side}x{side} --noise gamma --levels 8000,10400 --seed 7"
                    " --truth speckle_truth.png",
                    "segment speckle.tif speckle_mask.png --overlay speckle_outline.png --truth speckle_truth.png"
                    " --device cpu"],
                   [Picture("speckle_outline.png", "speckle of ratio 1.3"), Picture("speckle_mask.png", "its mask")])
    return Section("Outlines found in noise by a region snake, without threshold and smoothing", [star, vector, speckle])


def many_objects(side):
    cells = Step([f"phantom blobs field.tif --size {2 * side}x{2 * side} --count 24 --noise gaussian --snr 2 --shading 0.5"
                  " --seed 5 --labels field_truth.tif",
                  "segment field.tif field.zip --overlay field_outlines.png --labels-out field_labels.tif"
                  " --table field.csv --truth field_truth.tif --device cpu"],
                 [Picture("field_outlines.png", "24 objects in uneven light, found, outlined and numbered")],
                 text="Regions of interest for ImageJ, an image of labels and a table of measures from one command.")
    rings = Step([f"phantom rings rings.tif --size {side}x{side} --count 9 --noise gaussian --snr 2 --seed 5"
                  " --labels rings_truth.tif",
                  "segment rings.tif rings.geojson --overlay rings_outlines.png --truth rings_truth.tif --device cpu"],
                 [Picture("rings_outlines.png", "rings, each with its hole")])
    film = Step([f"phantom film moving.tif --size {side // 2}x{side // 2}x16 --count 6 --noise gaussian --snr 3 --seed 5",
                 "segment moving.tif moving.geojson --propagate --overlay moving.gif --table tracks.csv --device cpu"],
                [Picture("moving.gif", "a film: numbers stay with their objects")])
    return Section("Many objects at once: found without a threshold, told apart, followed", [cells, rings, film])


def smoothing(large, side):
    soft = Step(["smooth star.tif soft.tif --sigma 8 --device cpu",
                 "convert soft.tif soft_preview.png --type u8 --window 18000,25000 --device cpu"],
                [Picture("soft_preview.png", "sigma 8, through the window 18000 to 25000")])
    before = Step(["convert star.tif star_preview.png --type u8 --window 11000,32000 --device cpu"],
                  [Picture("star_preview.png", f"{large}×{large} at SNR 1, through the window 11000 to 32000")])
    edges = Step(["smooth star.tif edges.tif --sigma 8 --output magnitude --device cpu",
                  "convert edges.tif edges_preview.png --type u8 --window 0,200 --device cpu"],
                 [Picture("edges_preview.png", "magnitude of its gradient at sigma 8")])
    vessels = Step(["smooth vessels.png vessels_soft.png --sigma 2 --device cpu"],
                   [Picture("vessels.png", "the vessels above"), Picture("vessels_soft.png", "smoothed, sigma 2")])
    impulse = Step(["bench smooth --accuracy --sigma 2 --methods fir,deriche,yvv1995,vanvliet3,exponential6"
                    " --plot impulse.svg"],
                   [Picture("impulse.svg", "responses of the methods to a single pixel, sigma 2")])
    volume = Step([f"phantom star stack.tif --size {side // 2}x{side // 2}x32 --noise gaussian --snr 1 --truth mask.tif",
                   "smooth stack.tif stack_soft.tif --sigma 3,3,2 --memory 24M --device cpu --verbose",
                   "convert stack.tif stack.npy --type f32 --device cpu"],
                  text="A volume, slab by slab within a budget of 24 MB.")
    return Section("Smoothing and its derivatives", [before, soft, edges, vessels, impulse, volume])


def flow():
    return Section("Gradient vector flow of a shape: lengths, directions, arrows", [Step(
        ["flow ushape.png ushape_flow.tif --sigma 3 --picture flow.png --device cpu --verbose"],
        [Picture("flow.png", "the image, its gradient, and the flow that carries it into the concavity", wide=True)])])


def networks(side):
    edges = Step([f"phantom blobs cells.png --size {side}x{side} --seed 3",
                  "react cells.png cells_edges.png --preset edges --snapshots 50,100,150,200 --sheet network.png"
                  " --device cpu --verbose"],
                 [Picture("network.png", "u and v of a network that finds edges, after 50 to 200 steps", wide=True)])
    others = [Step([f"react vessels.png react_{preset}.png --preset {preset} --device cpu"],
                   [Picture(f"react_{preset}.png", f"{preset}, on the vessels above")])
              for preset in ("contrast", "binarise", "denoise", "labyrinth")]
    film = Step([f"phantom blobs film.tif --size {side // 2}x{side // 2}x20 --type u8 --levels 70,180 --noise gaussian"
                 " --snr 4",
                 "react film.tif film_edges.tif --preset edges --slice all --device cpu"],
                text="A stack, every slice an image of its own.")
    return Section("Reaction–diffusion networks", [edges, *others, film])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="build/bin/meander")
    parser.add_argument("folder", type=pathlib.Path, help="where the pictures and the page go")
    parser.add_argument("--size", type=int, default=512, help="side of the images in pixels; the largest is four times that")
    parser.add_argument("--pictures-only", action="store_true", help="without what only prints: the devices, and their proof")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    side, large = options.size, 4 * options.size
    sections = [phantoms(side), edge_snake(side), region_snake(large, side), many_objects(side),
                smoothing(large, side), flow(), networks(side),
                noises(side // 2)]  # fmt: skip
    session = Session(options.program, options.folder)
    session.make(sections)
    if not options.pictures_only:
        for command in ("info star.tif --device cpu", "compare stack.tif stack.npy", "devices", "verify"):
            session.run(command)
    write_page(session, "Meander: what it does today",
               ["Generated images with known truth, smoothing, gradient vector flow, reaction–diffusion networks and outlines,"
                " all made by the commands beside the pictures, in this folder."], sections)
    print(f"\npictures: {options.folder}/*.png; all of them on one page: {options.folder}/index.html")


if __name__ == "__main__":
    main()
