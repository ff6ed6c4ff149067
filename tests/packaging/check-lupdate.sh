#!/bin/bash
# SPDX-License-Identifier: MIT
# The catalogues hold the texts of the sources, no more and no less: lupdate changes nothing in a copy of them.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp "$top"/translations/*.ts "$copy/"
"$top/packaging/update-translations.sh" "$copy"
diff -ru "$top/translations" "$copy" || {
    echo "Run packaging/update-translations.sh and translate what comes in as unfinished."
    exit 1
}
