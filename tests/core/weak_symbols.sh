#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# weak_symbols.sh OBJECT: fails when the object defines a weak symbol. The linker keeps one copy of each
# for the whole program; should it keep this one, older processors meet instructions they do not have.
set -euo pipefail
weak=$(nm --defined-only "$1" | grep -E ' [WVu] ' | grep -v ' DW.ref' || true)
if [ -n "$weak" ]; then
  echo "weak symbols in $1:"
  echo "$weak"
  exit 1
fi
# Read to the end first: grep -q stops at what it was looking for, and nm would fail for want of a reader.
symbols=$(nm -C --defined-only "$1")
grep -qE '::((contour_|grid_|packed_|scan_|snake_|stencil_)?kernels(_float|_double)?$|[a-z0-9_]+_step\()' <<<"$symbols" || {
  echo "no kernels in $1"
  exit 1
}
