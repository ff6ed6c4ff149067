#!/bin/bash
# SPDX-License-Identifier: MIT
# check-languages.sh KV-PERSIST: the program itself speaks the language of its user, and English where there is no catalogue.
set -uo pipefail
bad=0
says() { # LANGUAGES LC_ALL WANTED
    local said
    said=$(env LANGUAGE="$1" LC_ALL="$2" "$program" --help 2>&1)
    grep -qF -- "$3" <<<"$said" || {
        printf 'LANGUAGE="%s" LC_ALL=%s: no "%s" in\n%s\n' "$1" "$2" "$3" "$said"
        bad=1
    }
}
program=$1
says "" de_AT.UTF-8 "Aufruf:"
says "" zh_CN.UTF-8 "用法:"
says "" zh_TW.UTF-8 "Usage:" # traditional characters are no simplified ones
says "" fr_FR.UTF-8 "Usage:"
says "" C.UTF-8 "Usage:"
says "fr:de" fr_FR.UTF-8 "Aufruf:"
says "en:de" en_GB.UTF-8 "Usage:"
# What programs read is the same in all languages.
[ "$(LC_ALL=de_DE.UTF-8 "$program" config default)" = "$(LC_ALL=C.UTF-8 "$program" config default)" ] || bad=1
exit $bad
