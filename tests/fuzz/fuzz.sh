#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: fuzz.sh SECONDS [target ...]; fuzz.sh minimise [target ...]
# Builds the libFuzzer programs with clang++ (packaging/install-deps.sh check brings it) and runs each for SECONDS, all by
# default. What is found on the way is kept in build/fuzz/corpus, what fails in build/fuzz/failed. "minimise" copies those
# of build/fuzz/corpus that reach something new, up to 1 KiB each, into the corpus of the tests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
what=${1:?Usage: fuzz.sh SECONDS [target ...]}
shift
build=${KV_PERSIST_FUZZ_BUILD:-$root/build/fuzz}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DKV_PERSIST_TRAY=OFF -DKV_PERSIST_FUZZ=ON >/dev/null
nice cmake --build "$build" --target fuzzers
[ $# -gt 0 ] || set -- protocol daemonline config serverjson commandline filecheck journal httprequest requestbody

failed=0
for target; do
    program=$build/tests/fuzz/fuzz_$target
    kept=$build/corpus/$target
    mkdir -p "$kept" "$build/failed"
    if [ "$what" = minimise ]; then
        nice "$program" -merge=1 -max_len=1024 "$here/corpus/$target" "$kept" 2>&1 | grep '^MERGE-OUTER: .*new' || true
        continue
    fi
    log=$build/$target.log
    if nice "$program" -max_total_time="$what" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$build/failed/$target-" -dict="$here/dict/$target.dict" "$kept" "$here/corpus/$target" \
        >"$log" 2>&1; then
        echo "ok $target, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
    else
        echo "FAILED $target: see $log"
        failed=1
    fi
done
exit $failed
