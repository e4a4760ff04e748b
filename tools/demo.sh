#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# demo.sh PROGRAM FOLDER: what Meander can do today, on the CPU and with generated data. Leaves pictures and a
# page that shows them.
set -euo pipefail
program=$1 out=$2
mkdir -p "$out"

meander() {
  printf '\n$ meander %s\n' "$*"
  "$program" "$@"
}

cd "$out"
program=$(cd - >/dev/null && realpath "$program")
kinds=(star blobs ushape vessels shepp-logan)
for kind in "${kinds[@]}"; do
  meander phantom "$kind" "$kind.png" --size 512x512 --noise gaussian --levels 70,180 --snr 4 --seed 7 --type u8 \
    --truth "truth_$kind.png"
done
# Each family of noise at levels where a byte shows it.
while read -r noise levels; do
  meander phantom star "star_${noise%=*}.png" --size 256x256 --noise "$noise" --levels "$levels" --type u8
done <<'FAMILIES'
gamma 40,80
poisson 40,90
rayleigh 40,80
bernoulli 0.2,0.6
variance=3 100,100
FAMILIES
meander phantom star stack.tif --size 256x256x32 --noise gaussian --snr 1 --truth mask.tif
meander phantom star star.tif --size 2048x2048 --noise gaussian --snr 1 --seed 7 --truth truth.geojson
meander info star.tif --device cpu
meander convert star.tif star_preview.png --type u8 --window 11000,32000 --device cpu
meander convert stack.tif stack.npy --type f32 --device cpu
meander compare stack.tif stack.npy
meander smooth star.tif soft.tif --sigma 8 --device cpu
meander convert soft.tif soft_preview.png --type u8 --window 18000,25000 --device cpu
meander smooth star.tif edges.tif --sigma 8 --output magnitude --device cpu
meander convert edges.tif edges_preview.png --type u8 --window 0,200 --device cpu
meander smooth vessels.png vessels_soft.png --sigma 2 --device cpu
meander smooth stack.tif stack_soft.tif --sigma 3,3,2 --memory 24M --device cpu --verbose
meander flow ushape.png ushape_flow.tif --sigma 3 --picture flow.png --device cpu --verbose
meander phantom blobs cells.png --size 512x512 --seed 3
meander react cells.png cells_edges.png --preset edges --snapshots 50,100,150,200 --sheet network.png --device cpu --verbose
for preset in contrast binarise denoise labyrinth; do
  meander react vessels.png "react_$preset.png" --preset "$preset" --device cpu
done
meander phantom blobs film.tif --size 256x256x20 --type u8 --levels 70,180 --noise gaussian --snr 4
meander react film.tif film_edges.tif --preset edges --frames --device cpu
meander segment star.tif star.geojson --overlay star_outline.png --evolution star_evolution.gif --device cpu --verbose
meander segment star.tif star.svg --units pixel --device cpu
meander phantom star speckle.tif --size 512x512 --noise gamma --levels 8000,10400 --seed 7 --truth speckle_truth.png
meander segment speckle.tif speckle_mask.png --overlay speckle_outline.png --truth speckle_truth.png --device cpu
meander bench smooth --accuracy --sigma 2 --methods fir,deriche,yvv1995,vanvliet3,exponential6 --plot impulse.svg
meander devices
meander verify

figure() { echo "<figure><img src=\"$1\" alt=\"$2\"><figcaption>$2</figcaption></figure>"; }
{
  echo '<!doctype html><meta charset="utf-8"><title>Meander demo</title>'
  echo '<style>body{font:16px sans-serif;margin:2em}figure{display:inline-block;margin:.5em}img{width:224px}</style>'
  echo '<h1>Meander: phantoms with known truth, smoothing, gradient vector flow, reaction–diffusion networks and outlines</h1><h2>Gaussian noise, SNR 4</h2><div>'
  for kind in "${kinds[@]}"; do figure "$kind.png" "$kind"; done
  echo '</div><h2>Their truth, exact to the pixel</h2><div>'
  for kind in "${kinds[@]}"; do figure "truth_$kind.png" "$kind"; done
  echo '</div><h2>Other families of noise</h2><div>'
  for noise in gamma poisson rayleigh bernoulli; do figure "star_$noise.png" "$noise"; done
  figure star_variance.png "equal means, three times the sigma inside"
  echo '</div><h2>2048×2048 at SNR 1</h2>'
  figure star_preview.png "star.tif through the window 11000 to 32000"
  figure soft_preview.png "smoothed, sigma 8, through the window 18000 to 25000"
  figure edges_preview.png "magnitude of its gradient at sigma 8"
  echo '<h2>Vessels, before and after sigma 2; responses of the methods to a single pixel</h2>'
  figure vessels.png "vessels"
  figure vessels_soft.png "smoothed"
  figure impulse.svg "impulse responses, sigma 2"
  echo '<h2>Gradient vector flow of a shape: lengths, directions, arrows</h2>'
  echo '<figure><img style="width:1100px" src="flow.png" alt="gradient vector flow"></figure>'
  echo '<h2>A reaction–diffusion network finds edges: u and v after 50 to 200 steps</h2>'
  echo '<figure><img style="width:920px" src="network.png" alt="u and v"></figure>'
  echo '<h2>Other genes, on the vessels above</h2>'
  for preset in contrast binarise denoise labyrinth; do figure "react_$preset.png" "$preset"; done
  echo '<h2>Outlines found in noise by a region snake</h2>'
  figure star_outline.png "the star above at SNR 1, and its outline"
  figure star_evolution.gif "how it was found"
  figure star.svg "the same outline as SVG, nodes coloured by confidence"
  figure speckle_outline.png "speckle of ratio 1.3"
  figure speckle_mask.png "its mask"
} >index.html
echo
echo "pictures: $out/*.png; all of them on one page: $out/index.html"
