#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Installs the Debian packages that build, tests and docs need and that are missing: as root or through sudo on Debian and
# its relatives. Where it cannot, it says what is missing, and fails only for what nothing is built without.
set -euo pipefail

needed=(
  g++ cmake make ninja-build zlib1g-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev # the program
)
wanted=(
  ccache git
  libtiff-dev libpng-dev libgif-dev          # image files
  opencl-c-headers ocl-icd-libopencl1 pocl-opencl-icd # OpenCL, and a device to test it on
  libgtest-dev python3 python3-venv          # tests
  clang libclang-rt-dev                      # make fuzz, and the sanitizers
  clang-format clang-tidy                    # tools/check.sh
  man-db bash-completion
)

if ! command -v dpkg-query >/dev/null; then
  command -v cmake >/dev/null && command -v ninja >/dev/null && exit 0
  printf 'Meander needs these (Debian names); please install them:\n  %s\n' "${needed[*]} ${wanted[*]}"
  exit 1
fi

# missing PACKAGES...: those that are not installed, a line each.
missing() {
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}
mapfile -t absent < <(missing "${needed[@]}" "${wanted[@]}")
[ ${#absent[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
if [ ${#as_root[@]} -eq 0 ] || command -v sudo >/dev/null; then
  echo "installing: ${absent[*]}"
  "${as_root[@]}" apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${absent[@]}" >/dev/null &&
    exit 0
fi
absent=$(missing "${wanted[@]}" | paste -sd' ')
[ -z "$absent" ] || echo "these packages could not be installed, and what needs them is left out: $absent"
absent=$(missing "${needed[@]}" | paste -sd' ')
[ -z "$absent" ] && exit 0
echo "these packages could not be installed, and nothing is built without them: $absent"
exit 1
