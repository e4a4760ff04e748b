#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Everything that needs a machine with an NVIDIA GPU, in one go: builds with CUDA, runs all tests on every
# device and instruction set found there, verifies the devices and prints the benchmarks. Then the minimal
# build and its tests. Needs no network.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
step() {
  echo "=== $*"
  "$@" || { echo "=== FAILED: $*"; failed=1; }
}

step cmake --preset cuda
step cmake --build build-cuda
step ctest --test-dir build-cuda --output-on-failure -j8
step build-cuda/bin/meander devices
step build-cuda/bin/meander verify
step build-cuda/bin/meander bench io
step build-cuda/bin/meander bench smooth --size 1024x1024,1024x1024x32 --runs 3 --methods auto,yvv2002,fir --against cpu
step cmake --preset minimal
step cmake --build build-minimal
step ctest --test-dir build-minimal --output-on-failure -j8
exit "$failed"
