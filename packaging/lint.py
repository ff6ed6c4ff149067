#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""lint.py TOOL BUILD_FOLDER JOBS SOURCE...: clang-tidy, clazy or "includes" over the sources; what was clean is not
checked twice. "includes" finds out whether each source compiles by itself, which other builds do not show: they compile
several as one. The system's and Qt's headers are there already, so it is about the project's own.

A file found clean is remembered in ${XDG_CACHE_HOME:-~/.cache}/kv-persist/lint, under a hash of all that its result
depends on: its text and that of every header of the project that it includes, its compile command, this program and
.clang-tidy, the tools' versions. Findings are never remembered. Exit code 1 when there are any, or when a file could
not be checked.

Most of the time goes into the headers of Qt, so files of one target are checked several at a time, as one text. Where
they cannot be (two of them use one name for different things), each is checked alone.
"""
import bisect
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time

FINDING = re.compile(r"^.*: (?:warning|error): .*$", re.MULTILINE)
AT_ONCE = 40
UNREADABLE = {"tidy": "clang-diagnostic-", "clazy": " error: ", "includes": " error: "}  # in such a finding
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kv-persist" / "lint"
CLAZY = ["--checks=level1,connect-3arg-lambda,no-qstring-ref", "--header-filter=/(src|ui|tests)/"]  # Qt 6: no midRef()
ASSUMED = "".join(
    f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n"
    for name in ("QtCore", "QtNetwork", "QtWidgets", "functional", "map", "memory", "optional", "variant", "vector")
)


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def includes(source, headers, known):
    """The project's headers that a file reaches, itself too. Their names are unique (the house check sees to that)."""
    reached, todo = set(), [source]
    while todo:
        path = todo.pop()
        if path not in reached:
            reached.add(path)
            if path not in known:
                names = re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)
                known[path] = [headers[name] for name in names if name in headers]
            todo += known[path]
    return reached


def flags(command):
    """What of a compile command says how a text is read."""
    return [word for word in shlex.split(command) if re.match(r"-(?:D|I|isystem|std=|f)|/usr/(?:include|lib)/", word)]


def key(command, included, common):
    root = pathlib.Path.cwd()
    digest = hashlib.sha256(common + command.replace(str(root), "").encode())
    for path in sorted(included):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def main():
    tool, build, jobs = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
    sources = [pathlib.Path(name).resolve() for name in sys.argv[4:]]
    programs = {
        "tidy": lambda text: ["clang-tidy", "--quiet", f"--config-file={pathlib.Path.cwd() / '.clang-tidy'}", text, "--"],
        "clazy": lambda text: ["clazy-standalone", *CLAZY, text, "--"],
        "includes": lambda text: ["clang++", "-fsyntax-only", "-w", "-include-pch", assumed(flags(commands[text])), text],
    }
    database = json.loads((build / "compile_commands.json").read_text())
    commands = {pathlib.Path(entry["file"]).resolve(): entry["command"] for entry in database}
    headers, known = {path.name: path for root in ("src", "ui") for path in pathlib.Path(root).resolve().rglob("*.h")}, {}
    packages = output("dpkg-query", "-W", "clang-tidy", "clazy", "qt6-base-dev", "g++")
    common = tool.encode() + packages.encode() + pathlib.Path(".clang-tidy").read_bytes() + pathlib.Path(__file__).read_bytes()
    keys = {
        source: key(commands[source], includes(source, headers, known), common) for source in sources if source in commands
    }
    todo = [source for source in sources if source not in keys or not (CACHE / keys[source]).exists()]
    CACHE.mkdir(parents=True, exist_ok=True)

    made, making = {}, threading.Lock()

    def assumed(words):
        """The system's headers, compiled for sources with these flags."""
        with making:
            if str(words) not in made:
                header = build / "lint" / f"assumed{len(made)}.h"
                header.parent.mkdir(exist_ok=True)
                header.write_text(ASSUMED)
                made[str(words)] = header.with_suffix(".pch")
                output("clang++", "-w", *words, "-x", "c++-header", header, "-o", made[str(words)], cwd=build)
            return made[str(words)]

    def run(text, words):
        """Its findings, and whether it could be read as C++."""
        done = subprocess.run([*programs[tool](text), *words], capture_output=True, text=True, cwd=build)
        findings = FINDING.findall(done.stdout + done.stderr)
        readable = not any(UNREADABLE[tool] in line for line in findings)
        if done.returncode != 0 and not findings:
            findings, readable = [f"{text}: {tool} ends with {done.returncode}: {done.stderr[-500:]}"], False
        return findings, readable

    def alone(source):
        return run(source, flags(commands[source]))[0]

    def together(group):
        """Findings of files that are checked as one text; None: they cannot be."""
        begins, lines = [], []
        for source in group:
            begins.append(len(lines))
            lines += source.read_text().splitlines()
        text = build / "lint" / f"{group[0].relative_to(pathlib.Path.cwd())}".replace("/", "-")
        text.parent.mkdir(exist_ok=True)
        text.write_text("\n".join(lines) + "\n")
        findings, readable = run(text, flags(commands[group[0]]))
        if not readable:
            print(f"checked one by one: {group[0].name} to {group[-1].name}", file=sys.stderr)
            return None

        def located(line):
            path, number, rest = line.split(":", 2)
            if path != str(text):
                return line
            of = bisect.bisect_right(begins, int(number) - 1) - 1
            return f"{group[of]}:{int(number) - begins[of]}:{rest}"

        return [located(line) for line in findings]

    def check(group):
        found = together(group) if len(group) > 1 and tool != "includes" else None
        if found is None:
            return [line for source in group for line in remembered([source], alone(source))]
        return remembered(group, found)

    def remembered(checked, findings):
        for source in checked if not findings else []:
            if source in keys:
                (CACHE / keys[source]).touch()
        return findings

    start = time.monotonic()
    targets = {}
    for source in todo:
        own = source if source.name.endswith("main.cpp") else ""  # its findings depend on what else is seen
        targets.setdefault(f"{own} {flags(commands.get(source, str(source)))}", []).append(source)
    at_once = 1 if tool == "includes" else AT_ONCE
    groups = [all_of[i : i + at_once] for all_of in targets.values() for i in range(0, len(all_of), at_once)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = sorted({line for findings in pool.map(check, groups) for line in findings})
    print("\n".join(found), end="\n" if found else "")
    print(f"{len(todo)} of {len(sources)} files checked in {time.monotonic() - start:.0f} s, the others were clean before")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
