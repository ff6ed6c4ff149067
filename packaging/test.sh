#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: test.sh [arguments of ctest], e.g. test.sh -L unit
# Installs what is missing, builds, and runs the tests; those with a real llama-server and the real DeepSeek Harness too,
# which are fetched once into ${XDG_CACHE_HOME:-~/.cache}/kv-persist (or named in KV_PERSIST_TEST_LLAMA_SERVER,
# KV_PERSIST_TEST_DSH_PROGRAM, KV_PERSIST_TEST_CLIENTS and KV_PERSIST_TEST_PROMTOOL). KV_PERSIST_PRESET chooses another build than "dev". The last line is the result.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${KV_PERSIST_PRESET:-dev}

packaging/install-deps.sh test
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
strict=OFF # warnings of compilers that nobody here has seen yet stop no user, but they stop the gate
[ "${CI:-}" != true ] || strict=ON
# shellcheck disable=SC2086 # several words
cmake --preset "$preset" -DKV_PERSIST_WERROR=$strict ${KV_PERSIST_CMAKE_FLAGS:-} >/dev/null
cmake --build --preset "$preset"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/kv-persist
if [ -z "${KV_PERSIST_TEST_LLAMA_SERVER:-}" ]; then
    # Without a server the tests that need one say so themselves.
    packaging/fetch-llama-server.sh "$cache/llama-server" || echo "Tests with a real server will be skipped." >&2
fi
if [ -z "${KV_PERSIST_TEST_DSH_PROGRAM:-}" ]; then
    packaging/fetch-dsh.sh "$cache/dsh" || echo "Tests with the DeepSeek Harness will be skipped." >&2
fi
if [ -z "${KV_PERSIST_TEST_CLIENTS:-}" ]; then
    packaging/fetch-clients.sh "$cache/clients" || echo "Tests with client libraries will be skipped." >&2
fi
if [ -z "${KV_PERSIST_TEST_PROMTOOL:-}" ]; then
    packaging/fetch-promtool.sh "$cache/promtool" || echo "Tests with Prometheus' checker will be skipped." >&2
fi
/usr/bin/python3 tests/tools/make_tiny_gguf.py "${KV_PERSIST_TEST_MODELS:-$cache/models}" >/dev/null

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
results=build/$preset/test-results.xml
rm -f "$results"
ctest --test-dir "build/$preset" -j3 --output-on-failure --no-tests=error --output-junit "$PWD/$results" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@" || true
/usr/bin/python3 packaging/test-summary.py "$results" "build/$preset"
