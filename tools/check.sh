#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Style checks: format, licence headers, file length, include direction, comments of public names, and the short
# clang-tidy list.
# `tools/check.sh --quick` leaves out clang-tidy, `--sample` looks with it at what the last commits changed (not at what
# they moved) and an eighth of the rest, another one every day. Files of CUDA are compiled but not looked at.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
complain() {
  echo "check: $1"
  failed=1
}

sources=$(git ls-files '*.cpp' '*.hpp')
texts=$(git ls-files '*.cpp' '*.hpp' '*.cl' '*.cu' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt')

# shellcheck disable=SC2086
clang-format --dry-run -Werror $sources || complain "run clang-format -i on the files above"

for file in $texts; do
  [ -s "$file" ] || continue
  lines=$(wc -l <"$file")
  case "$file" in
    src/* | include/* | apps/*) most=400 ;;
    *) most=600 ;;
  esac
  [ "$lines" -le $most ] || complain "$file has $lines lines, expected at most $most; split it"
  case "$file" in
    *CMakeLists.txt) ;;  # the small ones need no header
    *) head -4 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || complain "$file has no SPDX header" ;;
  esac
done

wrong=$(tools/check_arrows.py) || complain "wrong include direction (tools/arrows.txt) or too large a folder:
$wrong"

if command -v doxygen >/dev/null; then
  wrong=$(make --no-print-directory docs 2>&1) || complain "make docs:
$wrong"
else
  echo "check: doxygen is not installed, comments of public names are not looked at"
fi

if [ "${1:-}" != --quick ]; then
  units=$(git ls-files 'src/*.cpp' 'apps/*.cpp' 'bench/*.cpp')
  # Compiled per instruction set, with flags of g++'s own; their warnings are errors in the build.
  units=$(grep -v 'backend/cpu/.*kernels.cpp' <<<"$units")
  # Of clang itself, and without the precompiled header of the tests, which is not built yet.
  cmake --preset asan >/dev/null && cmake --build build-asan --target meander_generated >/dev/null || complain "cmake --preset asan failed"
  mkdir -p build-asan/tidy
  sed 's/-Xclang -include[-pch]* -Xclang [^ ]*//g' build-asan/compile_commands.json >build-asan/tidy/compile_commands.json
  # Only what is in the compile commands: parts that are off are not built.
  known=$(for unit in $units; do grep -q "/$unit\"" build-asan/compile_commands.json && echo "$unit"; done)
  if [ "${1:-}" = --sample ]; then
    recent=$(git diff --name-only -M -l5000 --diff-filter=AM "$(git rev-list --max-count=10 HEAD | tail -1)" HEAD)
    known=$(awk -v day="$(date +%j)" -v recent="$recent" '
      BEGIN { n = split(recent, list, "\n"); for (i = 1; i <= n; i++) is_recent[list[i]] = 1 }
      ($0 in is_recent) || (NR + day) % 8 == 0' <<<"$known")
  fi
  # shellcheck disable=SC2086
  printf '%s\n' $known | xargs -P "$(nproc)" -n4 clang-tidy --quiet -p build-asan/tidy >build-asan/tidy.log 2>build-asan/tidy.err ||
    complain "clang-tidy:
$(grep -E 'error|warning' build-asan/tidy.log | sort -u | head -40)"
fi

[ "$failed" -eq 0 ] && echo "check: passed"
exit "$failed"
