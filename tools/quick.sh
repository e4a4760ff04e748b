#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# quick.sh [BASE]: builds and runs the tests that changes since BASE (the last commit unless told otherwise) reach, folder
# by folder. A change of a public header, of src/core or of the build reaches everything, for which there is `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

declare -A labels
reach() { for label in "$@"; do labels[$label]=1; done; }
while read -r file; do
  case "$file" in
    src/rules/* | src/engine/* | src/backend/*) reach engine backend rules filter ;;
    src/conformance/*) reach engine ;;
    src/filter/* | presets/*) reach filter ;;
    src/contour/* | src/io/* | src/phantom/* | src/picture/*) reach "$(cut -d/ -f2 <<<"$file")" ;;
    apps/*) reach cli ;;
    bench/*.?pp | bench/CMakeLists.txt) reach bench ;;
    tests/*/*) reach "$(cut -d/ -f2 <<<"$file")" ;;
    include/* | src/* | tests/* | cmake/* | CMake* | examples/*) reach '.*' ;;
  esac
done < <(git diff --name-only "${1:-HEAD}" && git ls-files --others --exclude-standard)
if [ ${#labels[@]} -eq 0 ]; then
  echo "quick: no file that a test reaches has changed since ${1:-the last commit}"
  exit 0
fi

pattern="^($(IFS='|' && echo "${!labels[*]}"))\$"
echo "quick: tests of ${!labels[*]}"
targets=()
for label in "${!labels[@]}"; do
  [ "$label" = '.*' ] && targets=(all) && break
  targets+=("tests_$label")
done
cmake --build build -j "$jobs" --target "${targets[@]}"
ctest --test-dir build -L "$pattern" --output-on-failure --no-tests=error -j "$jobs"
