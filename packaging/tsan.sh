#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: tsan.sh
# Builds the tests of what runs in threads (the database and the file work, in pools) with ThreadSanitizer, and runs them.
# Qt itself is not built with it, so packaging/tsan.supp leaves out what only Qt's own synchronisation explains.
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
build=build/tsan
tests="tst_filecheck tst_modelfileprobe tst_snapshotstore tst_storefaults tst_storedamage"
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DKV_PERSIST_SANITIZE=thread -DKV_PERSIST_TRAY=OFF >/dev/null
# shellcheck disable=SC2086 # a list of targets
nice cmake --build $build --target $tests
export TSAN_OPTIONS="suppressions=$PWD/packaging/tsan.supp halt_on_error=0 exitcode=66 ${TSAN_OPTIONS:-}"
failed=0
for test in $tests; do
    if "$build/tests/snapshots/$test" >"$build/$test.log" 2>&1; then
        echo "ok $test"
    else
        echo "FAILED $test: see $build/$test.log"
        failed=1
    fi
done
exit $failed
