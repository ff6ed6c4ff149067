#!/bin/bash
# SPDX-License-Identifier: MIT
# check-unit.sh UNIT BIN: systemd takes the unit of the daemon, finds it hardened, and its filter lets through every system
# call that the daemon makes from start to end, as strace sees them.
set -euo pipefail
unit=$1 bin=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"
export XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work DSH_HOME=$work

# As it is, but for the program: it is not installed here.
sed "s#^ExecStart=.*#ExecStart=$bin/kv-persistd#" "$unit" >"$work/kv-persist.service"
systemd-analyze --user verify "$work/kv-persist.service" 2>"$work/verify" || { cat "$work/verify"; exit 1; }
if grep kv-persist "$work/verify"; then exit 1; fi
# Of 100, less is better. What remains is for services of the system only (capabilities, devices), or needs a namespace, of
# which the unit says why there is none.
systemd-analyze security --user --offline=yes --threshold=65 "$work/kv-persist.service" >"$work/security" || {
    cat "$work/security"
    exit 1
}
tail -n 1 "$work/security"

# @sets and names of the unit's SystemCallFilter=, resolved to names.
expand() {
    local name
    for name in "$@"; do
        case $name in
        @*) expand $(systemd-analyze syscall-filter "$name" | sed -nE 's/^    ([@a-z0-9_-]+)$/\1/p') ;;
        *) echo "$name" ;;
        esac
    done
}
expand $(sed -nE 's/^SystemCallFilter=([^~].*)/\1/p' "$unit") | sort -u >"$work/allowed"
expand $(sed -nE 's/^SystemCallFilter=~(.*)/\1/p' "$unit") | sort -u >"$work/denied"

strace -f -qq -o "$work/calls" "$bin/kv-persistd" 2>"$work/log" &
tracer=$!
for _ in $(seq 200); do
    "$bin/kv-persist" status >/dev/null 2>&1 && break
    sleep 0.1
done
"$bin/kv-persist" doctor >/dev/null 2>&1 || true
"$bin/kv-persist" status >/dev/null
kill -TERM "$(pgrep -P $tracer -x kv-persistd)"
wait $tracer
sed -nE 's/^[0-9]+ +([a-z_0-9]+)\(.*/\1/p' "$work/calls" | sort -u >"$work/used"
[ "$(wc -l <"$work/used")" -gt 20 ] || { echo "strace saw too little"; exit 1; }
# Only root is made to do this by SQLite, after a look at its own user id.
[ "$(id -u)" != 0 ] || sed -i '/^fchown$/d' "$work/used"
refused=$({ comm -23 "$work/used" "$work/allowed"; comm -12 "$work/used" "$work/denied"; } | sort -u)
[ -z "$refused" ] || { printf 'The filter of the unit refuses what the daemon does:\n%s\n' "$refused"; exit 1; }
