#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: fetch-promtool.sh DIR
# Puts Prometheus' own checker into DIR/promtool: out of the Debian package "prometheus", which is downloaded through apt
# and unpacked, not installed, as it would start a server. Does nothing when it is there; safe to run several times at once.
# Exit codes: 0 DIR/promtool runs, 1 it failed, 3 it cannot be done on this system.
set -euo pipefail

say() { printf 'fetch-promtool: %s\n' "$*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }

[ $# -eq 1 ] || fail "usage: fetch-promtool.sh DIR"
target=$1
hint="Name a promtool in KV_PERSIST_TEST_PROMTOOL instead."
[ -x "$target/promtool" ] && exit 0
for tool in apt-get dpkg-deb flock; do
    command -v "$tool" >/dev/null || fail "$tool is not installed, so promtool cannot be fetched. $hint" 3
done
mkdir -p "$target"
target=$(cd "$target" && pwd)

exec 9>"$target.lock"
flock 9
[ -x "$target/promtool" ] && exit 0 # another run was first

work=$(mktemp -d "$target/new.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,root}

# With the lists that apt has, else with lists of our own: only root may renew apt's.
download() { (cd "$work" && apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=3 "$@" download prometheus) >"$work/log" 2>&1; }
own=(-o "Dir::State::lists=$work/state/lists" -o "Dir::Cache=$work/cache")
download || {
    apt-get -q -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 "${own[@]}" update >"$work/log" 2>&1 &&
        download "${own[@]}"
} || {
    tail -n 5 "$work/log" >&2
    fail "apt cannot download the package prometheus; the lines above are its own. $hint" 3
}
dpkg-deb --fsys-tarfile "$work"/prometheus_*.deb | tar -x -C "$work/root" ./usr/bin/promtool ||
    fail "the package prometheus holds no promtool any more. $hint"
"$work/root/usr/bin/promtool" --version >"$work/version" 2>&1 || {
    cat "$work/version" >&2
    fail "the unpacked promtool does not run; its own words are above. $hint"
}
mv "$work/version" "$target/version.txt"
mv "$work/root/usr/bin/promtool" "$target/promtool"
say "$(head -n 1 "$target/version.txt") is in $target"
