#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Proves that the tests bite: applies the one-line faults of tools/mutations.txt, one at a time, in a copy
# of the tree, and expects a test to fail for each.
#
#   tools/mutate.sh              all of them
#   tools/mutate.sh --sample N   N of them, others on other days
#   tools/mutate.sh --part K/N   every N-th from the K-th on, counted from 0, in a copy of its own: parts may run side by side
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
  --part)
    part=${2%/*} parts=${2#*/}
    names=($(printf '%s\n' "${names[@]}" | awk -v k="$part" -v n="$parts" '(NR - 1) % n == k'))
    copy=build-mutate-$part
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

# Every listed line must still be there, also of those that are not in the sample.
gone=0
while IFS= read -r name; do
  count=$(grep -cF -- "$(field "$name" from)" "$(field "$name" file)" || true)
  [ "$count" = 1 ] || { echo "$name: the line to change occurs $count times in $(field "$name" file), expected once"; gone=1; }
done < <(grep -oP '^mutation \K\S+' "$list")
[ $gone = 0 ] || exit 1

# The copy is laid out like the tree and built like it, so that ccache has nearly all of it from `make build`; only
# what is mutated may have warnings.
mkdir -p "$copy"
rm -rf "${copy:?}"/{src,include,apps,tests,bench,examples,cmake,tools}
git ls-files -co --exclude-standard | tar cf - -T - | tar xf - -C "$copy"
cat >"$copy/compiler" <<'LAUNCHER'
#!/bin/sh
exec env CCACHE_BASEDIR="$(dirname "$0")" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros \
  $(command -v ccache) "$@" ${MEANDER_MUTANT:+-w}
LAUNCHER
chmod +x "$copy/compiler"
(cd "$copy" && cmake --preset dev "-DCMAKE_CXX_COMPILER_LAUNCHER=$PWD/compiler" "-DCMAKE_CUDA_COMPILER_LAUNCHER=$PWD/compiler") >"$copy/configure.log"
# tests/ may use the Python tools of the main build
export MEANDER_PYTHON=${MEANDER_PYTHON:-$PWD/build/venv/bin/python}

# targets_of TESTS: what these tests need, by the names that the alternatives of the pattern begin with.
targets_of() {
  tr -d '^()\\' <<<"$1" | tr '|' '\n' | sed -E 's,^(cli|faults)\b.*,meander_program,; t; s,^deferred\.,,; s,[.*].*,,; s,^,test_,' | sort -u
}
mapfile -t targets < <(for name in "${names[@]}"; do targets_of "$(field "$name" tests)"; done | sort -u)
cmake --build "$copy/build" --target "${targets[@]}" >"$copy/build.log" || { tail -30 "$copy/build.log"; exit 1; }
export MEANDER_MUTANT=1

survivors=0
for name in "${names[@]}"; do
  file=$(field "$name" file)
  from=$(field "$name" from) to=$(field "$name" to) tests=$(field "$name" tests)
  cp "$copy/$file" "$copy/original"
  FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$copy/$file"
  mapfile -t targets < <(targets_of "$tests")
  if ! cmake --build "$copy/build" --target "${targets[@]}" >"$copy/build.log" 2>&1; then
    echo "$name: DOES NOT COMPILE"
    grep -m3 'error' "$copy/build.log"
    survivors=$((survivors + 1))
  elif status=0 && timeout 120 ctest --test-dir "$copy/build" -R "$tests" --no-tests=error -j "$(nproc)" >"$copy/test.log" 2>&1 ||
    status=$? && [ "$status" -eq 0 ]; then
    echo "$name: SURVIVED $tests"
    survivors=$((survivors + 1))
  elif [ "$status" -eq 124 ]; then
    pkill -KILL -f "$PWD/$copy/build/bin/" || true
    echo "$name: caught, for it hangs"
  elif ! grep -q 'The following tests FAILED' "$copy/test.log" || grep -qE 'Not Run|not_built' "$copy/test.log"; then
    echo "$name: no test matches $tests"
    survivors=$((survivors + 1))
  else
    echo "$name: caught by $(sed -n '/The following tests FAILED/,$s/^.* - \(.*\) (.*)$/\1/p' "$copy/test.log" | paste -sd' ')"
  fi
  cp "$copy/original" "$copy/$file"
done
echo "mutate: $((${#names[@]} - survivors)) passed, $survivors failed"
[ "$survivors" -eq 0 ]
