#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_translations.py CATALOGUE.ts...: is each complete, and fit to take the place of its sources' texts?

Tells every message that is unfinished, or whose translation differs from its source in placeholders (%1, %n, ...),
in blanks or line ends at its ends, in having a mnemonic (&), an ellipsis or a colon at its end, or that leads back to English
quotes. The exit code is 1 when anything is told. With --self-test it tries itself on known faults.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

PLACEHOLDER = re.compile(r"%(?:L?\d{1,2}|n)")
MNEMONIC = re.compile(r"&(?=[^\s&])")
PLURALS = {"de": 2, "zh_CN": 1, "en": 2}


def placeholders(text):
    return sorted(PLACEHOLDER.findall(text))


def edges(text):
    """What stands at both ends; the blanks there carry the layout."""
    return re.match(r"\s*", text).group(), re.search(r"\s*$", text).group()


def ending(text):
    last = text.rstrip()[-1:]
    return {"：": ":", "…": "..."}.get(last, last if last == ":" else "...") if last in ":：…" or text.rstrip().endswith("...") else ""


def faults(source, translations):
    """Sentences about one message; several translations are its plural forms."""
    for text in translations:
        if not text.strip():
            yield "is not translated"
            continue
        wanted, found = placeholders(source), placeholders(text)
        one_of_many = len(translations) > 1 and [p for p in wanted if p != "%n"] == found
        if wanted != found and not one_of_many:
            yield f"has the placeholders {found} instead of {wanted}"
        if edges(source) != edges(text):
            yield "begins or ends in other blanks"
        if len(MNEMONIC.findall(source)) != len(MNEMONIC.findall(text)):
            yield "has another number of mnemonics (&)"
        if ending(source) != ending(text):
            yield "ends in another sign (colon or ellipsis)"


def check(root):
    language = root.get("language")
    for context in root.iter("context"):
        for message in context.iter("message"):
            source, translation = message.findtext("source"), message.find("translation")
            name = f"{language}: {context.findtext('name')}: {source!r}"
            if translation.get("type") is not None:
                yield f"{name} is {translation.get('type')}"
                continue
            plural = message.get("numerus") == "yes"
            forms = translation.findall("numerusform") if plural else [translation]
            if plural and len(forms) != PLURALS.get(language, len(forms)):
                yield f"{name} has {len(forms)} plural forms"
            for fault in faults(source, [form.text or "" for form in forms]):
                yield f"{name} {fault}"


def self_test():
    good = [("Save %1", ["%1 sichern"]), ("%n day(s)", ["ein Tag", "%n Tage"]), ("&Open…", ["打开(&O)…"]), ("Result: ", ["结果： "]),
            ("%1 %2 %", ["%2 %1 %"]), ("A && B", ["甲 && 乙"])]
    bad = [("Save %1", ["Sichern"]), ("Save %1", [""]), ("Save %1", ["%2 sichern"]), ("Name: ", ["Name:"]), ("&Open", ["Öffnen"]),
           ("Open…", ["Öffnen"]), ("%n day(s)", ["Tage"]), ("%n of %1", ["einer", "%n von %1"])]
    wrong = [case for case in good if list(faults(*case))] + [case for case in bad if not list(faults(*case))]
    unfinished = ElementTree.fromstring("<TS language='de'><context><name>c</name><message><source>a</source>"
                                        "<translation type='unfinished'>b</translation></message></context></TS>")
    return [f"judged wrongly: {case}" for case in wrong] + ([] if list(check(unfinished)) else ["unfinished was not seen"])


def main():
    told = self_test() if sys.argv[1:] == ["--self-test"] else [
        line for path in sys.argv[1:] for line in check(ElementTree.parse(path).getroot())]
    print("\n".join(told) or "all is well")
    return 1 if told or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
