#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# compile_cuda.sh NVCC SOURCES OUTPUT: compiles every rule for a device as the CUDA backend does, in float and
# double, and looks for all of them in the outcome.
set -euo pipefail
nvcc=$1 sources=$2 output=$3
case "$nvcc" in
  "" | *-NOTFOUND)
    echo "SKIPPED: no nvcc was found to compile the rules with"
    exit 77
    ;;
esac
"$nvcc" -std=c++20 -fmad=false -Werror=all-warnings -I "$sources" -ptx -o "$output" "$sources/backend/cuda/stencil.cu"

rules=$(sed -n 's/^MEANDER_RULE(\([a-z0-9_]*\),.*/\1/p' "$sources/rules/table.inc")
[ -n "$rules" ] || { echo "no rules in table.inc"; exit 1; }
for rule in $rules; do
  name=rule_$rule
  for real in f d; do
    # As compilers spell step_cells<rule, float, 4> and step_cells<rule, double, 4>.
    grep -qE "\.entry .*10step_cells.*${#name}${name}E${real}Li4E" "$output" || { echo "no $name of type $real"; exit 1; }
  done
done
for fused in fma.rn.f32 fma.rn.f64; do
  grep -q "$fused" "$output" || { echo "mad does not fuse: no $fused"; exit 1; }
done
