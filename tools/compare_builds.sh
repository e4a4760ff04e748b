#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# compare_builds.sh PROGRAM OTHER [SIZE]: runs the commands of `make demo` with two builds of the program and compares every
# file they write, byte by byte. For changes that move code and are to change no result. Ends with 1 when files differ.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM OTHER [SIZE]" >&2; exit 2; }
programs=("$(realpath "$1")" "$(realpath "$2")")
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for which in "${programs[@]}"; do
  python3 -B tools/demo.py "$which" "$folder/out" --size "${3:-256}" >/dev/null 2>&1
  mv "$folder/out" "$folder/$([ -d "$folder/first" ] && echo second || echo first)"
done
count=$(find "$folder/first" -type f | wc -l)
[ "$count" -gt 0 ] || { echo "the demo wrote nothing" >&2; exit 1; }
# The page and the reports tell how long commands took.
if diff -rq -x '*.html' -x '*.md' -x reports.json "$folder/first" "$folder/second"; then
  echo "$count files of the demo, all the same but for its page and reports, which tell times"
else
  exit 1
fi
