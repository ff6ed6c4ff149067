#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: fetch-clients.sh DIR
# Puts the client libraries that the proxy's tests use (openai, @anthropic-ai/sdk, ai) into DIR, in the versions that
# tests/clients/app locks. They come from the registry that npm is configured with and are checked against the lock
# file; no install script of any package is run. Does nothing when DIR holds these versions; safe to run several times
# at once. Exit codes: 0 DIR is ready, 1 it failed, 3 it cannot be done on this system (no npm).
set -euo pipefail

say() { printf 'fetch-clients: %s\n' "$*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }

[ $# -eq 1 ] || fail "usage: fetch-clients.sh DIR"
target=$1
locks=$(cd "$(dirname "$0")/../tests/clients/app" && pwd)
wanted=$(cat "$locks"/package*.json | sha256sum)

[ "$(cat "$target/.complete" 2>/dev/null)" != "$wanted" ] || exit 0
for tool in npm flock; do
    command -v "$tool" >/dev/null || fail "$tool is not installed, so the libraries cannot be fetched." 3
done
mkdir -p "$(dirname "$target")"
target=$(cd "$(dirname "$target")" && pwd)/$(basename "$target")

exec 9>"$target.lock"
flock 9
[ "$(cat "$target/.complete" 2>/dev/null)" != "$wanted" ] || exit 0 # another run was first

work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$locks"/package*.json "$work/"
done=""
for _ in 1 2; do
    (cd "$work" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 \
        --cache "$work/npm-cache") >"$work/log" 2>&1 && done=yes && break
    sleep 2
done
if [ -z "$done" ]; then
    tail -n 15 "$work/log" >&2
    fail "the packages could not be downloaded; the lines above say why. Try again later."
fi
rm -rf "$work/npm-cache" "$work/log"
rm -rf "$target"
mv "$work" "$target"
trap - EXIT
printf '%s\n' "$wanted" >"$target/.complete"
say "the client libraries are in $target"
