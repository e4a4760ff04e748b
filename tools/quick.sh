#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# quick.sh [BASE]: builds and runs the tests that changes since BASE (the last commit unless told otherwise) reach, folder
# by folder. A change of a public header, of src/core or of the build reaches everything, for which there is `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

declare -A labels=()
reach() { for label in "$@"; do labels[$label]=1; done; }
files=$(git diff --name-only "${1:-HEAD}" && git ls-files --others --exclude-standard) || exit 1
while read -r file; do
  case "$file" in
    src/rules/* | src/engine/* | src/backend/*) reach engine backend rules filter ;;
    src/conformance/*) reach engine ;;
    src/filter/* | presets/*) reach filter ;;
    src/outline_io/*) reach outline_io cli ;;
    src/contour/* | src/io/* | src/phantom/* | src/picture/*) reach "$(cut -d/ -f2 <<<"$file")" ;;
    apps/* | docs/* | README.md | tools/*.py) reach cli ;;
    bench/*.?pp | bench/*/*.?pp | bench/CMakeLists.txt) reach bench ;;
    tests/fuzz/*) reach io cli ;;
    tests/*/*) reach "$(cut -d/ -f2 <<<"$file")" ;;
    include/* | src/* | tests/* | cmake/* | CMake* | examples/*) reach everything ;;
  esac
done <<<"$files"
if [ ${#labels[@]} -eq 0 ]; then
  echo "quick: no file that a test reaches has changed since ${1:-the last commit}"
  exit 0
fi

echo "quick: tests of ${!labels[*]}"
if [ -n "${labels[everything]:-}" ]; then
  targets=(all) chosen=()
else
  # Of parts that are not built there are no tests.
  mapfile -t known < <(ninja -C build -t targets all | grep -oP '^tests_\w+(?=: phony)')
  targets=() chosen=(-L "^($(IFS='|' && echo "${!labels[*]}"))\$")
  for target in "${known[@]}"; do
    [ -z "${labels[${target#tests_}]:-}" ] || targets+=("$target")
  done
fi
cmake --build build -j "$jobs" --target "${targets[@]}"
ctest --test-dir build "${chosen[@]}" --output-on-failure --no-tests=error -j "$jobs"
