#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tidy.py BUILD_FOLDER JOBS SOURCE...: clang-tidy over the sources; what was clean is not checked twice.

A file found clean is remembered in ${XDG_CACHE_HOME:-~/.cache}/kv-persist/tidy, under a hash of all that its result
depends on: its text and that of every header of the project or of the build it includes (ninja's record), its
compile command, the configuration, clang-tidy's version. Findings are never remembered. Exit code 1 when there are
any, or when a file could not be checked.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FINDING = re.compile(r"^.*: (?:warning|error): .*$", re.MULTILINE)
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kv-persist" / "tidy"


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def dependencies(build):
    """The files that each source's object was last built from, by source."""
    found = {}
    for entry in output("ninja", "-C", str(build), "-t", "deps").split("\n\n"):
        lines = [(build / line.strip()).resolve() for line in entry.splitlines()[1:] if line.startswith("    ")]
        if lines and "#deps" in entry:
            found[lines[0]] = lines
    return found


def key(source, command, included, common):
    root = pathlib.Path.cwd()
    digest = hashlib.sha256(common + command.replace(str(root), "").encode())
    for path in sorted({source, *included}):
        if path.is_relative_to(root):  # what packages install changes with their version only
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    sources = [pathlib.Path(name).resolve() for name in sys.argv[3:]]
    database = json.loads((build / "compile_commands.json").read_text())
    commands = {pathlib.Path(entry["file"]).resolve(): entry["command"] for entry in database}
    included = dependencies(build)
    packages = output("dpkg-query", "-W", "clang-tidy", "qt6-base-dev", "g++")
    common = packages.encode() + b"".join(pathlib.Path(name).read_bytes() for name in (".clang-tidy", "tests/.clang-tidy"))
    keys = {
        source: key(source, commands[source], included[source], common)
        for source in sources
        if source in commands and all(path.exists() for path in included.get(source, [pathlib.Path("/-")]))
    }
    todo = [source for source in sources if source not in keys or not (CACHE / keys[source]).exists()]
    CACHE.mkdir(parents=True, exist_ok=True)

    def check(source):
        run = subprocess.run(["clang-tidy", "-p", build, "--quiet", source], capture_output=True, text=True)
        findings = FINDING.findall(run.stdout)
        if run.returncode != 0 and not findings:
            findings = [f"{source}: clang-tidy ends with {run.returncode}: {run.stderr[-500:]}"]
        if not findings and source in keys:
            (CACHE / keys[source]).touch()
        return findings

    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = sorted({line for findings in pool.map(check, todo) for line in findings})
    print("\n".join(found), end="\n" if found else "")
    print(f"{len(todo)} of {len(sources)} files checked in {time.monotonic() - start:.0f} s, the others were clean before")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
