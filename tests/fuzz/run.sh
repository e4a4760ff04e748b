#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# run.sh TARGETS FOLDER LIMIT...: runs each fuzz_* of the folder TARGETS from the corpora and dictionaries beside
# this script until a LIMIT (-max_total_time=60, -runs=2000) is reached, and prints a table. What it
# learns and finds is left under FOLDER; a crash is a failure. FUZZ_JOBS targets run at a time [1].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
targets=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
export ASAN_OPTIONS=allocator_may_return_null=1:${ASAN_OPTIONS:-}
unset LSAN_OPTIONS # nothing of ours is suppressed

memory=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$memory"' EXIT

# The sanitizer of clang 14 does not start reliably where addresses are random in more than 28 bits.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi

run_target() {
  local name=$1 status=0
  shift
  mkdir -p "$folder/$name" "$memory/$name"
  TMPDIR=$memory/$name "${fixed[@]}" "$targets/fuzz_$name" -max_len=4096 -rss_limit_mb=512 -timeout=10 -detect_leaks=1 \
    -print_final_stats=1 -verbosity=1 -print_funcs=0 -dict="$here/dictionaries/$name.dict" -artifact_prefix="$folder/$name." \
    "$@" "$folder/$name" "$here/corpus/$name" >"$folder/$name.log" 2>&1 || status=$?
  echo "$status" >"$folder/$name.status"
}

names=()
for target in "$targets"/fuzz_*; do names+=("${target##*/fuzz_}"); done
for name in "${names[@]}"; do
  while [ "$(jobs -pr | wc -l)" -ge "${FUZZ_JOBS:-1}" ]; do wait -n; done
  run_target "$name" "$@" &
done
wait

figure() { awk -v key="stat::$2:" '$1 == key {print $2}' "$folder/$1.log"; }
format='%-11s %12s %14s %12s %10s %9s  %s\n'
printf "$format" target executions "of the format" opened "a second" "peak MB" outcome
failed=0
for name in "${names[@]}"; do
  outcome=passed
  if [ "$(cat "$folder/$name.status")" -ne 0 ]; then
    outcome="FAILED, see $folder/$name.log"
    failed=1
  fi
  printf "$format" "$name" "$(figure "$name" number_of_executed_units)" "$(figure "$name" of_the_format)" \
    "$(figure "$name" opened)" "$(figure "$name" average_exec_per_sec)" "$(figure "$name" peak_rss_mb)" "$outcome"
done
exit $failed
