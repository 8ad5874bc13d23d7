#!/usr/bin/env bash
# What takes too long for every change: the slow tests, the ordinary ones with array bounds checked
# in compiled code, and the benchmarks.  The exit code is that of the first failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

first_failure=0

step() {
    printf '\n=== %s ===\n' "$*"
    local status=0
    "$@" </dev/null || status=$?
    if ((status != 0 && first_failure == 0)); then first_failure=$status; fi
}

# Compiled code with checks must not land in the cache of the code without.
checked_cache=$(mktemp -d)
trap 'rm -rf "$checked_cache"' EXIT

step make --no-print-directory slow
step env NUMBA_BOUNDSCHECK=1 ARENA_CACHE_DIR="$checked_cache" make --no-print-directory test
step make --no-print-directory bench
exit "$first_failure"
