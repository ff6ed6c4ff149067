#!/bin/bash
# SPDX-License-Identifier: MIT
# check-icons.sh FOLDER: each icon renders at all sizes it is used at; the symbolic one has one colour.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for icon in "$1"/*.svg; do
    for size in 16 22 24 32 48 64 256; do
        rsvg-convert -w $size -h $size "$icon" -o "$work/icon.png"
        [ "$(stat -c %s "$work/icon.png")" -gt 150 ] || { echo "$icon is empty at $size pixels"; exit 1; }
    done
done
colours=$(grep -ohE '#[0-9a-fA-F]{3,8}' "$1"/*-symbolic.svg | sort -u)
[ "$colours" = "#2e3436" ] || { echo "the symbolic icon has other colours than #2e3436, by which it is recoloured: $colours"; exit 1; }
