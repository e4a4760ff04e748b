#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Installs the Debian packages that build, tests and docs need and that are missing: as root or through sudo on Debian and
# its relatives. Where it cannot, it says what is missing, and fails only for what nothing is built without.
set -euo pipefail

needed=(
  g++ cmake make ninja-build zlib1g-dev
  libtiff-dev libpng-dev libjpeg62-turbo-dev libgif-dev # image files
  libcli11-dev libfmt-dev nlohmann-json3-dev # the program
  libgtest-dev python3 python3-venv          # demo and tests
)
wanted=(
  ccache git
  opencl-c-headers ocl-icd-libopencl1 pocl-opencl-icd # OpenCL, and a device to test it on
  clang libclang-rt-dev                      # make fuzz, and the sanitizers
  clang-format clang-tidy                    # tools/check.sh
  doxygen                                    # make docs
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
# Not again what failed the last time.
tried=build/not_installed.txt
if { [ ${#as_root[@]} -eq 0 ] || command -v sudo >/dev/null; } && [ "$(cat "$tried" 2>/dev/null)" != "${absent[*]}" ]; then
  echo "installing: ${absent[*]}"
  install() { DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
  "${as_root[@]}" apt-get update -qq || true
  # One that cannot be had must not keep the others away.
  install "${absent[@]}" || for package in "${absent[@]}"; do install "$package" || true; done
  mapfile -t absent < <(missing "${needed[@]}" "${wanted[@]}")
  [ ${#absent[@]} -eq 0 ] && exit 0
  mkdir -p build && echo "${absent[*]}" >"$tried"
fi
absent=$(missing "${wanted[@]}" | paste -sd' ')
[ -z "$absent" ] || echo "not installed, and what needs them is left out: $absent"
absent=$(missing "${needed[@]}" | paste -sd' ')
[ -z "$absent" ] && exit 0
echo "not installed, and the two commands need them: $absent"
exit 1
