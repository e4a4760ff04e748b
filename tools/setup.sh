#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Installs the Debian packages that build, tests and docs need and that are missing: as root or through
# sudo on Debian and its relatives, elsewhere it only prints the list.
set -euo pipefail

packages=(
  g++ cmake make ninja-build ccache git
  libtiff-dev libpng-dev libgif-dev zlib1g-dev # image files
  libcli11-dev libfmt-dev nlohmann-json3-dev # the program
  opencl-c-headers ocl-icd-libopencl1 pocl-opencl-icd # OpenCL, and a device to test it on
  libgtest-dev python3 python3-venv          # tests
  clang libclang-rt-dev                      # make fuzz
  clang-format clang-tidy                    # tools/check.sh
  man-db bash-completion
)

if ! command -v dpkg-query >/dev/null; then
  command -v cmake >/dev/null && command -v ninja >/dev/null && exit 0
  printf 'Meander needs these (Debian names); please install them:\n  %s\n' "${packages[*]}"
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    printf 'These packages are missing and there is no sudo; please install them:\n  %s\n' "${missing[*]}"
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
