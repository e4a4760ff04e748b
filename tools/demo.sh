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
for kind in star blobs ushape vessels shepp-logan; do
  meander phantom "$kind" "$kind.png" --size 512x512 --noise gaussian --levels 70,180 --snr 4 --seed 7 --type u8
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
meander devices
meander verify

{
  echo '<!doctype html><meta charset="utf-8"><title>Meander demo</title>'
  echo '<style>body{font:16px sans-serif;margin:2em}figure{display:inline-block;margin:.5em}img{width:256px}</style>'
  echo '<h1>Meander: phantoms with known truth</h1>'
  for picture in *.png; do
    echo "<figure><img src=\"$picture\" alt=\"$picture\"><figcaption>${picture%.png}</figcaption></figure>"
  done
} >index.html
echo
echo "pictures: $out/*.png; all of them on one page: $out/index.html"
