#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: update-translations.sh [FOLDER]
# Brings the catalogues in FOLDER (else translations/) up to date with the texts of the command line and the tray, and with
# those of the layers below that both show. New texts come in as "unfinished", for a translator. A new language begins
# with an empty file: touch translations/kv-persist_fr.ts, then this.
set -euo pipefail
folder=$(realpath "${1:-$(dirname "$0")/../translations}")
cd "$(dirname "$0")/.."
lupdate=$(command -v lupdate6 || echo /usr/lib/qt6/bin/lupdate)
for catalogue in "$folder"/kv-persist_*.ts; do
    language=${catalogue##*kv-persist_}
    [ -s "$catalogue" ] || printf '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="%s" sourcelanguage="en"></TS>\n' \
        "${language%.ts}" >"$catalogue"
done
update() { "$lupdate" -silent -locations none -no-obsolete src/base src/client src/coordinator src/cli ui "$@"; }
update -pluralonly -ts "$folder/kv-persist_en.ts" # English has its texts in the sources, but not "1 day, 2 days"
for catalogue in "$folder"/kv-persist_*.ts; do
    [ "${catalogue##*_}" = en.ts ] || update -ts "$catalogue"
done
