#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: checks.sh [format|house|canary|includes|clazy|tidy ...], all by default
# Checks the sources. Each check prints one line, `ok NAME` or `FAILED NAME`, after what it found. The exit code is the
# number of failed checks.
set -uo pipefail
cd "$(dirname "$0")/.."
build=build/plain
jobs=2

clang_format=clang-format-14 # other versions format differently; Debian 12 calls its version 14 clang-format
command -v $clang_format >/dev/null || clang_format=clang-format

sources() { git ls-files -- "$@" ':!packaging/canary' | xargs -r ls -d 2>/dev/null; }

check_format() {
    sources '*.cpp' '*.h' | xargs -r $clang_format --dry-run -Werror
}

# What no tool checks: licence lines, unique names, sizes, includes past the layers, what belongs to one machine.
check_house() {
    local bad=0 found
    tell() {
        [ -z "$2" ] || { printf '%s\n%s\n' "$1" "$2"; bad=1; }
    }
    found=$(sources '*.cpp' '*.h' '*.py' '*.sh' '*.mjs' '*.js' '*.cmake' '*CMakeLists.txt' '.ci/run' |
        while read -r file; do head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "  $file"; done)
    tell "Without a licence line (SPDX-License-Identifier: MIT) at the top:" "$found"
    found=$(sources '*.cpp' '*.h' | sed 's#.*/##' | sort | uniq -d | sed 's/^/  /')
    tell "File names that are there twice:" "$found"
    found=$(sources 'src/*.cpp' 'src/*.h' 'ui/*.cpp' 'ui/*.h' | xargs -r wc -l | awk '$1 > 400 && $2 != "total" {print "  " $2 ": " $1 " lines"}')
    tell "Over 400 lines, so probably two reasons to change:" "$found"
    found=$(git grep -nIE '#include "\.\./' -- 'src/*' 'ui/*' 'tests/*')
    tell "Includes by a path past the layers:" "$found"
    found=$(git grep -nIE '\b(TODO|FIXME|XXX)\b' -- ':!packaging/checks.sh')
    tell "Marks of unfinished work:" "$found"
    local hosts
    hosts=$({ apt-get indextargets --format '$(SITE)'; npm config get registry; } 2>/dev/null |
        sed -nE 's#^[a-z]+://([^/]+).*#\1#p' | sort -u | sed 's/\./\\./g' | paste -sd'|')
    found=$(git grep -nIE "(^|[^A-Za-z0-9_.])/(work|farm|root)/${hosts:+|$hosts}" -- ':!*-lock.json' ':!packaging/checks.sh')
    tell "Paths of one machine, or hosts of a package registry:" "$found"
    return $bad
}

# A typo in a list of checks switches them off without a word: known defects must be found.
expect_all() { # FILE OUTPUT: each "expect NAME" in FILE is in OUTPUT, for its line
    local bad=0 line name
    while IFS=: read -r line name; do
        grep -qE "$(basename "$1"):$line:.*[[-]$name[],]" <<<"$2" || {
            echo "  $1:$line: $name was not reported"
            bad=1
        }
    done < <(grep -noE 'expect [A-Za-z0-9.-]+' "$1" | sed 's/expect //')
    return $bad
}
check_canary() {
    local folder=packaging/canary flags clazy_options bad=0
    clazy_options=$(PYTHONPATH=packaging /usr/bin/python3 -Bc 'import lint; print(*lint.CLAZY)') || return 1
    flags=$(pkg-config --cflags Qt6Core) || return 1
    ! $clang_format --dry-run -Werror $folder/canary_format.cpp 2>/dev/null || {
        echo "  $folder/canary_format.cpp was not refused"
        bad=1
    }
    expect_all $folder/canary_tidy.cpp \
        "$(clang-tidy --quiet $folder/canary_tidy.cpp -- -std=c++20 2>&1)" || bad=1
    # shellcheck disable=SC2086 # lists of flags
    expect_all $folder/canary_clazy.cpp "$(clazy-standalone $clazy_options \
        $folder/canary_clazy.cpp -- -std=c++20 -fPIC $flags 2>&1)" || bad=1
    return $bad
}

# Compile commands, and what moc and uic make. Not by the build: its targets for that wait for the libraries they link.
make_database() {
    local log
    log=$({ cmake --preset plain -DKV_PERSIST_TESTS=OFF &&
        find $build -name AutogenInfo.json -print0 | xargs -0 -P$jobs -I{} cmake -E cmake_autogen {} ""; } 2>&1) && return 0
    echo "$log"
    return 1
}
# All programs and libraries.
lint() { # TOOL
    make_database || return 1
    # shellcheck disable=SC2046 # file names without spaces
    /usr/bin/python3 packaging/lint.py "$1" $build $jobs $(sources 'src/*.cpp' 'ui/*.cpp')
}
check_includes() { lint includes; }
check_clazy() { lint clazy; }
check_tidy() { lint tidy; }

failed=0
for name in "${@:-}"; do
    for check in ${name:-format house canary includes clazy tidy}; do
        start=$SECONDS
        if "check_$check"; then verdict=ok; else verdict=FAILED failed=$((failed + 1)); fi
        echo "$verdict $check ($((SECONDS - start)) s)"
    done
done
exit $failed
