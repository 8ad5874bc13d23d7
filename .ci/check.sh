#!/usr/bin/env bash
# The gate: lint, types and import contracts beside the README's first command (a short match), then
# its second (all tests).  A step that fails does not keep the later ones from running; the exit
# code is that of the first failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

first_failure=0

step() {
    printf '\n=== %s ===\n' "$*"
    local status=0
    "$@" </dev/null || status=$?
    if ((status != 0)); then
        printf '=== failed with exit code %d: %s ===\n' "$status" "$*"
        if ((first_failure == 0)); then first_failure=$status; fi
    fi
}

# Without a browser the tests of pages are skipped, and say so: that fails no gate
printf '\n=== make setup-browser ===\n'
timeout 300 make --no-print-directory setup-browser </dev/null || true

step make --no-print-directory setup
step make --no-print-directory --keep-going --jobs 2 --output-sync check match \
    HANDS=100 OUT=build/ci-match MATCH=--force
step make --no-print-directory test
exit "$first_failure"
