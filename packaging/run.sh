#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: run.sh [arguments of kv-persistd]
# Installs what is missing, builds the release, and runs the daemon in the foreground (Ctrl+C stops it, after it has
# saved the sessions). With KV_PERSIST_BUILD_ONLY set it stops after the build.
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-deps.sh run
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
strict=OFF # warnings of compilers that nobody here has seen yet stop no user, but they stop the gate
[ "${CI:-}" != true ] || strict=ON
cmake --preset release -DKV_PERSIST_TESTS=OFF -DKV_PERSIST_WERROR=$strict >build-release.log 2>&1 || {
    cat build-release.log >&2
    exit 1
}
rm -f build-release.log
cmake --build --preset release
[ -z "${KV_PERSIST_BUILD_ONLY:-}" ] || exit 0
echo "The command line is $PWD/build/release/bin/kv-persist; try: kv-persist status. The tray: kv-persist-tray there" >&2
exec build/release/bin/kv-persistd "$@"
