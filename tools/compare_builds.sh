#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# compare_builds.sh PROGRAM OTHER [SIZE]: runs the commands of `make demo` with two builds of the program and compares what
# they write byte by byte, and their reports but for times. For changes that move code and are to change no result. The page
# of the demo is left out. Ends with 1 when files differ, with 2 when the demo fails.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM OTHER [SIZE]" >&2; exit 2; }
programs=("$(realpath "$1")" "$(realpath "$2")")
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# What is measured: seconds, memory, and which of two ways was faster.
measured='.*second.*|times|notes|ns|rate|.*peak_bytes|version|method|why|chosen'
for i in 0 1; do
  python3 -B tools/demo.py "${programs[i]}" "$folder/out" --size "${3:-256}" >"$folder/log" 2>&1 || { tail -5 "$folder/log" >&2; exit 2; }
  mv "$folder/out" "$folder/$i"
  python3 - "$folder/$i/reports.json" "$measured" <<'END'
import json, re, sys
path, measured = sys.argv[1:]
def still(value):
    if isinstance(value, dict):
        return {k: still(v) for k, v in value.items() if not re.fullmatch(measured, k)}
    return [still(v) for v in value] if isinstance(value, list) else value
json.dump(still(json.load(open(path))), open(path, "w"), indent=1)
END
done
diff -rq -x '*.html' -x '*.md' "$folder/0" "$folder/1" || { diff "$folder/0/reports.json" "$folder/1/reports.json" | head -20; exit 1; }
echo "$(find "$folder/0" -type f | wc -l) files of the demo, all the same"
