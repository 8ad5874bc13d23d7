#!/usr/bin/env bash
# The gate: lint, types and import contracts, then the README's two commands (a short match, all
# tests).  A step that fails does not keep the later ones from running; the exit code is that of
# the first failure.
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

# The pages are tested in a browser where there is one
if [[ -z $(type -P chromium chromium-browser google-chrome) ]] && ((EUID == 0)); then
    timeout 300 sh -c 'apt-get update && apt-get install --yes --no-install-recommends chromium' \
        &>/dev/null </dev/null || true
fi

step make --no-print-directory --keep-going --jobs 2 --output-sync check
step make --no-print-directory match HANDS=100 OUT=build/ci-match MATCH=--force
step make --no-print-directory test
exit "$first_failure"
