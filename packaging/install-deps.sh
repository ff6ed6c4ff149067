#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: install-deps.sh run|test|check
# Installs what is missing for running, testing or checking the project, with apt-get (Debian 12, Ubuntu 24.04). Does
# nothing, and asks for no rights, when all is there.
set -euo pipefail

run="g++ cmake ninja-build ccache pkg-config qt6-base-dev libqt6sql6-sqlite qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
     libyaml-cpp-dev libcli11-dev libxxhash-dev libboost-dev"
test="$run python3 python3-jsonschema python3-numpy patchelf strace xvfb openbox trayer xdotool imagemagick dbus-daemon"
check="$test git clang-format clang-tidy clazy clang libclang-rt-dev"
case "${1:-}" in
run) wanted=$run ;;
test) wanted=$test ;;
check) wanted=$check ;;
*)
    sed -n 3,5p "$0" >&2
    exit 2
    ;;
esac
[ "$1" = run ] || command -v node >/dev/null || wanted="$wanted nodejs"
[ "$1" = run ] || command -v npm >/dev/null || wanted="$wanted npm" # fetches the DeepSeek Harness for its tests
# Validators of what is around the programs, and what makes a clean root to install the package in.
[ "$1" = run ] || wanted="$wanted desktop-file-utils appstream librsvg2-bin systemd lintian dpkg-dev debootstrap"

missing=""
for package in $wanted; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "These Debian packages, or what your system calls them, are needed first:$missing" >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
    as_root="sudo"
fi
echo "Installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -q update >&2
# shellcheck disable=SC2086 # a list of names
$as_root apt-get -qq install -y --no-install-recommends $missing >&2
