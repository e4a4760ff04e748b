#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# run.sh CMAKE BUILD SCRATCH COMPILER SANITIZERS: installs BUILD below SCRATCH, builds examples/find_package
# with it and runs that.
set -euo pipefail
cmake=$1 build=$2 scratch=$3 compiler=$4 sanitizers=$5
source=$(cd "$(dirname "$0")/../../examples/find_package" && pwd)
prefix=$scratch/prefix
rm -rf "$prefix" "$scratch/consumer"
"$cmake" --install "$build" --prefix "$prefix" >"$scratch/install.log"
# Only the public headers, no trace of the source tree.
if find "$prefix" -path '*include*' -name '*.hpp' | grep -v '/meander/'; then
  echo "headers outside include/meander were installed"
  exit 1
fi
grep -rq 'engine/\|core/' "$prefix/include" && { echo "a public header includes a private one"; exit 1; }
test -s "$prefix/share/meander/presets/edges.preset"
flags=()
[ -z "$sanitizers" ] || flags=(-DCMAKE_CXX_FLAGS="-fsanitize=$sanitizers")
"$cmake" -S "$source" -B "$scratch/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" "${flags[@]}" >"$scratch/configure.log"
"$cmake" --build "$scratch/consumer" >"$scratch/build.log" || { cat "$scratch/build.log"; exit 1; }
output=$("$scratch/consumer/consumer")
[ "$output" = "mean 3" ] || { echo "expected 'mean 3', found '$output'"; exit 1; }
if [ -x "$prefix/bin/meander" ]; then
  "$prefix/bin/meander" --version
  test -s "$prefix/share/man/man1/meander.1"
  test -s "$prefix/share/bash-completion/completions/meander"
fi
