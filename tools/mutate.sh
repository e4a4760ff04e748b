#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Proves that the tests bite: applies the one-line faults of tools/mutations.txt, one at a time, in a copy
# of the tree, and expects a test to fail for each.
#
#   tools/mutate.sh              all of them
#   tools/mutate.sh --sample N   N of them, others on other days
#   tools/mutate.sh NAME...      those named
set -euo pipefail
cd "$(dirname "$0")/.."
list=tools/mutations.txt
copy=build-mutate

mapfile -t names < <(grep -oP '^mutation \K\S+' "$list")
case "${1:-}" in
  --sample)
    offset=$((10#$(date +%j) * $2 % ${#names[@]}))
    rotated=("${names[@]:offset}" "${names[@]:0:offset}")
    names=("${rotated[@]:0:$2}")
    ;;
  "") ;;
  *) names=("$@") ;;
esac

# field NAME KEY: the text after "KEY " in the block of that mutation.
field() {
  awk -v name="$1" -v key="$2" '
    $1 == "mutation" { inside = ($2 == name) }
    inside && $1 == key { sub("^ *" key " ", ""); print; exit }' "$list"
}

# The copy is laid out like the tree and built like it, so that ccache has nearly all of it from `make build`; only
# what is mutated may have warnings.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
mkdir -p "$copy"
rm -rf "${copy:?}"/{src,include,apps,tests,bench,examples,cmake,tools}
git ls-files -co --exclude-standard | tar cf - -T - | tar xf - -C "$copy"
cat >"$copy/compiler" <<'LAUNCHER'
#!/bin/sh
exec $(command -v ccache) "$@" ${MEANDER_MUTANT:+-w}
LAUNCHER
chmod +x "$copy/compiler"
(cd "$copy" && cmake --preset dev "-DCMAKE_CXX_COMPILER_LAUNCHER=$PWD/compiler" "-DCMAKE_CUDA_COMPILER_LAUNCHER=$PWD/compiler") >"$copy/configure.log"
cmake --build "$copy/build" >"$copy/build.log" || { tail -30 "$copy/build.log"; exit 1; }
export MEANDER_MUTANT=1
# tests/ may use the Python tools of the main build
export MEANDER_PYTHON=${MEANDER_PYTHON:-$PWD/build/venv/bin/python}

# tests_pass TESTS: a pattern of ctest's, or a file of the command line's tests.
tests_pass() {
  case "$1" in
    *.py)
      MEANDER_PROGRAM=$PWD/$copy/build/bin/meander MEANDER_HAS_TIFF=1 MEANDER_HAS_PNG=1 MEANDER_HAS_GIF=1 \
        tests/run_pytest.sh build/venv "$copy/$1" numpy
      ;;
    *) ctest --test-dir "$copy/build" -R "$1" --no-tests=error --timeout 60 ;;
  esac
}

survivors=0
for name in "${names[@]}"; do
  file=$(field "$name" file)
  from=$(field "$name" from) to=$(field "$name" to) tests=$(field "$name" tests)
  count=$(grep -cF -- "$from" "$file" || true)
  if [ -z "$file" ] || [ "$count" != 1 ]; then
    echo "$name: the line to change occurs $count times in '$file', expected once"
    exit 1
  fi
  cp "$copy/$file" "$copy/original"
  FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$copy/$file"
  if ! cmake --build "$copy/build" >"$copy/build.log" 2>&1; then
    echo "$name: DOES NOT COMPILE"
    grep -m3 'error' "$copy/build.log"
    survivors=$((survivors + 1))
  elif tests_pass "$tests" >"$copy/test.log" 2>&1; then
    echo "$name: SURVIVED $tests"
    survivors=$((survivors + 1))
  elif grep -qE 'No tests were found|no tests ran|^SKIPPED' "$copy/test.log"; then
    echo "$name: no test matches $tests"
    exit 1
  else
    echo "$name: caught by $(grep -cE '^FAILED|\(Failed\)|\(Timeout\)|SEGFAULT|Subprocess aborted' "$copy/test.log") tests"
  fi
  cp "$copy/original" "$copy/$file"
done
echo "mutate: $((${#names[@]} - survivors)) passed, $survivors failed"
[ "$survivors" -eq 0 ]
