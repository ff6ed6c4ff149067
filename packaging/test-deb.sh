#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: test-deb.sh [BUILD_FOLDER]   (else build/release)
# Packs what is built there, and tries the package in a clean root of this system's own release: apt installs it, the
# programs run, daemon and command line talk, apt removes and purges it, nothing of it is left. The root is made once,
# by debootstrap from the mirror that apt is configured with, in ${XDG_CACHE_HOME:-~/.cache}/kv-persist; each run has a
# copy. Needs root; where it cannot be done, it says why in the words that the tests' summary reads as "skipped".
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build/release}")

say() { printf 'test-deb: %s\n' "$*"; }
fail() { say "FAILED: $1"; exit 1; }
skip() { printf 'SKIP   : deb_clean_root::initTestCase() %s\n' "$1"; exit 77; }

[ "$(id -u)" = 0 ] || skip "only root can make a clean root"
for tool in debootstrap dpkg-shlibdeps cpack; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
site=$(apt-get indextargets --format '$(CODENAME) $(SITE)' 2>/dev/null | awk -v s="$suite" '$1 == s {print $2; exit}')
components=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT)' 2>/dev/null |
    awk -v s="$suite" '$1 == s && !seen[$2]++ {print $2}' | paste -sd,)
[ -n "$suite" ] && [ -n "$site" ] || skip "apt has no mirror for this system's release"

work=$(mktemp -d)
daemon=""
cleanup() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

say "packing $build"
cpack --config "$build/CPackConfig.cmake" -B "$work/package" >"$work/cpack.log" 2>&1 || {
    cat "$work/cpack.log"
    fail "cpack"
}
deb=$(ls "$work"/package/*.deb)
if command -v lintian >/dev/null; then
    # No bug of Debian's asked for a package that is built in place.
    lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$deb" || fail "lintian is not content"
fi

cache=${XDG_CACHE_HOME:-$HOME/.cache}/kv-persist
mkdir -p "$cache"
base=$cache/debroot-$suite
exec 9>"$base.lock"
flock 9
if [ ! -e "$base/.complete" ]; then
    say "making a clean root of $suite, once"
    rm -rf "$base" "$base.debs"
    debootstrap --variant=minbase --components="${components:-main}" "$suite" "$base" "$site" >"$work/debootstrap.log" 2>&1 || {
        tail -n 5 "$work/debootstrap.log"
        rm -rf "$base"
        skip "debootstrap could make no clean root here (no network?)"
    }
    : >"$base/.complete"
fi
root=$work/root
cp -a --reflink=auto "$base" "$root"
rm "$root/.complete"
mkdir -p "$base.debs" # downloaded once, too
find "$base.debs" -name '*.deb' -exec cp --reflink=auto -t "$root/var/cache/apt/archives" {} +

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_user=(chroot --userspec=1000:1000 "$root" /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/home/user
    XDG_RUNTIME_DIR=/home/user/run QT_QPA_PLATFORM=offscreen) # no function: in the background its process is the program
apt_inside() { inside apt-get -qq -o APT::Sandbox::User=root "$@" >"$work/apt.log" 2>&1 || {
    tail -n 30 "$work/apt.log"
    fail "apt-get $*"
}; }

cp /etc/resolv.conf "$root/etc/resolv.conf"
eval "$(apt-config shell proxy Acquire::http::Proxy)"
[ -z "${proxy:-}" ] || echo "Acquire::http::Proxy \"$proxy\";" >"$root/etc/apt/apt.conf.d/90proxy"
cp "$deb" "$root/kv-persist.deb"
inside apt-get -qq -o APT::Sandbox::User=root -o APT::Update::Error-Mode=any update >"$work/apt.log" 2>&1 || {
    tail -n 5 "$work/apt.log"
    skip "the mirror does not answer"
}
say "installing"
apt_inside install -y --no-install-recommends /kv-persist.deb
cp -an "$root"/var/cache/apt/archives/*.deb "$base.debs/" 2>/dev/null || true
inside dpkg --verify kv-persist

say "running"
mkdir -p -m 700 "$root/home/user/run"
chown -R 1000:1000 "$root/home/user"
for program in kv-persistd kv-persist kv-persist-tray; do
    "${as_user[@]}" timeout 20 $program --version || fail "$program does not run"
done
"${as_user[@]}" kv-persistd >"$work/daemon.log" 2>&1 &
daemon=$!
answered=""
for _ in $(seq 100); do
    "${as_user[@]}" kv-persist status >"$work/status" 2>&1 && answered=yes && break
    sleep 0.2
done
cat "$work/status"
[ -n "$answered" ] || {
    cat "$work/daemon.log"
    fail "the daemon does not answer"
}
kill -TERM "$daemon"
wait "$daemon" || fail "the daemon ended with $?"
daemon=""

say "removing"
apt_inside remove -y kv-persist
inside dpkg --purge kv-persist >"$work/purge.log" 2>&1 || fail "dpkg --purge" # apt forgets what left no configuration
! inside dpkg -L kv-persist >/dev/null 2>&1 || fail "dpkg still knows the package"
left=$(find "$root"/{etc,usr,var,lib,opt,srv} -xdev -name '*kv[-_]persist*' ! -path "$root/var/cache/apt/*")
[ -z "$left" ] || fail "left behind: $left"
say "ok: installed, ran and was removed cleanly"
