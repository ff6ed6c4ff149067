#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: fetch-llama-server.sh DIR
# Puts a real llama-server into DIR (DIR/llama-server runs it) without touching the system: Debian packages of the
# unstable suite, with the libraries they need, unpacked side by side. The packages come from the mirror that apt is
# configured with, and apt itself verifies their signatures, in a state folder of its own. Does nothing when DIR is
# already complete; safe to run several times at once.
# Exit codes: 0 DIR is ready, 1 it failed, 3 it cannot be done on this system (no Debian mirror, another processor).
set -euo pipefail

say() { printf 'fetch-llama-server: %s\n' "$*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }

[ $# -eq 1 ] || fail "usage: fetch-llama-server.sh DIR"
target=$1
suite=unstable
packages="llama.cpp-tools libllama0 libggml0 libc6 libstdc++6 libgcc-s1 libgomp1 libssl3t64 libzstd1 zlib1g"
hint="Name a llama-server binary in KV_PERSIST_TEST_LLAMA_SERVER instead."

[ -e "$target/.complete" ] && exit 0
for tool in apt-get dpkg dpkg-deb patchelf flock; do
    command -v "$tool" >/dev/null || fail "$tool is not installed, so no server can be fetched. $hint" 3
done
[ "$(dpkg --print-architecture)" = amd64 ] || fail "only the amd64 packages are known to work here. $hint" 3
mkdir -p "$(dirname "$target")"
target=$(cd "$(dirname "$target")" && pwd)/$(basename "$target")

exec 9>"$target.lock"
flock 9
[ -e "$target/.complete" ] && exit 0 # another run was first

work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,debs,root,etc}
: >"$work/state/status"

# The mirrors in use, each tried in turn: the suite is on Debian's main archive, not on its security archive.
sites=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 2>/dev/null | awk '$2 !~ /security/ && !seen[$1]++ {print $1}')
[ -n "$sites" ] || fail "apt has no mirror configured. $hint" 3

apt_private() {
    apt-get -q -o Dir::State="$work/state" -o Dir::State::status="$work/state/status" \
        -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/etc/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
        -o APT::Sandbox::User=root -o APT::Architecture=amd64 -o APT::Architectures::=amd64 \
        -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
options=""
[ -r "$keyring" ] && options="[signed-by=$keyring] "
found=""
for site in $sites; do
    printf 'deb %s%s %s main\n' "$options" "$site" "$suite" >"$work/etc/sources.list"
    if apt_private -o APT::Update::Error-Mode=any update >"$work/update.log" 2>&1; then
        found=$site
        break
    fi
done
if [ -z "$found" ]; then
    tail -n 5 "$work/update.log" >&2
    fail "none of apt's mirrors serves Debian's suite '$suite' (is this another distribution?). $hint" 3
fi

# shellcheck disable=SC2086 # a list of names
(cd "$work/debs" && apt_private download $packages) >"$work/download.log" 2>&1 || {
    tail -n 5 "$work/download.log" >&2
    fail "the packages could not be downloaded; the lines above are apt's. Try again later. $hint"
}
for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$work/root"
done

binary=$(find "$work/root/usr" -name llama-server -type f -perm -u+x | head -n 1)
loader=$(find "$work/root" -name 'ld-linux-x86-64.so.2' | head -n 1)
[ -n "$binary" ] || fail "the package holds no llama-server any more: the list of packages here needs care. $hint"
[ -n "$loader" ] || fail "the package libc6 holds no loader where it is expected. $hint"
patchelf --set-interpreter "$target/${loader#"$work/root/"}" "$binary" # its place after the move below
for level in haswell x64; do
    [ -n "$(find "$work/root" -name "libggml-cpu-$level.so")" ] || fail "the package libggml0 has no $level back end. $hint"
done

cat >"$work/root/llama-server" <<'LAUNCHER'
#!/bin/sh
# Runs the unpacked llama-server with the libraries beside it.
root=$(cd "$(dirname "$0")" && pwd)
libs=$root/usr/lib/x86_64-linux-gnu
if grep -qw avx2 /proc/cpuinfo; then level=haswell; else level=x64; fi
# First the search: once LD_LIBRARY_PATH is set, nothing but the server may run.
GGML_BACKEND_PATH=$(find "$libs" -name "libggml-cpu-$level.so" | head -n 1)
LD_LIBRARY_PATH=$libs:$libs/llama:$root/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH GGML_BACKEND_PATH
LAUNCHER
printf 'exec "$root/%s" "$@"\n' "${binary#"$work/root/"}" >>"$work/root/llama-server"
chmod 755 "$work/root/llama-server"
(cd "$work/debs" && for deb in *.deb; do dpkg-deb -W --showformat='${Package} ${Version}\n' "$deb"; done) >"$work/root/packages.txt"

rm -rf "$target" # an incomplete one
mv "$work/root" "$target"
"$target/llama-server" --version >"$target/version.txt" 2>&1 || {
    cat "$target/version.txt" >&2
    fail "the unpacked llama-server does not run; its own words are above. $hint"
}
: >"$target/.complete"
say "$(head -n 1 "$target/version.txt") is in $target"
