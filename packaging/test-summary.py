#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""test-summary.py RESULTS.xml BUILD_FOLDER: what ctest's results say, counted by test function.

Names everything that failed or was skipped. The last line is "N passed, N failed, N skipped"; the exit code is 1 when
anything failed or nothing ran.
"""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

LINE = re.compile(r"^(PASS|FAIL!|XPASS|XFAIL|SKIP)\s*: (\w+::(\w+)\([^\n]*\))(.*)$", re.MULTILINE)
FRAME = {"initTestCase", "cleanupTestCase"}  # no tests of their own, unless they fail


def functions_of(build, program):
    """Names of the tests in a test program that skipped itself as a whole."""
    for path in pathlib.Path(build).glob(f"tests/**/{program}"):
        if path.is_file():
            listed = subprocess.run([path, "-functions"], capture_output=True, text=True, timeout=30).stdout
            return [f"{program}::{name.strip()}" for name in listed.splitlines() if name.strip()]
    return [program]


def count(case, build):
    """(passed, failed names, skipped as (reason, name)) of one ctest entry."""
    name, output = case.get("name"), case.findtext("system-out") or ""
    passed, failed, skipped = 0, [], []
    if case.get("status") == "notrun":
        whole = re.search(r"SKIP\s*: \w+::initTestCase\(\) (.*)", output)
        if whole is None:
            return 0, [f"{name} did not run"], []
        return 0, [], [(whole.group(1), test) for test in functions_of(build, name)]
    for verdict, full, function, rest in LINE.findall(output):
        if verdict in ("FAIL!", "XPASS"):
            failed.append(f"{full}{rest}")
        elif verdict == "SKIP":
            skipped.append((rest.strip(), full))
        elif verdict == "PASS" and function not in FRAME:
            passed += 1
    if case.get("status") == "fail" and not failed:
        failed.append(f"{name} as a whole: it crashed, hung or ended with an error")
    elif case.get("status") == "run" and not (passed or failed or skipped):
        passed = 1  # no Qt Test program
    return passed, failed, skipped


def main():
    passed, failed, skipped = 0, [], []
    for case in ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        more = count(case, sys.argv[2])
        passed, failed, skipped = passed + more[0], failed + more[1], skipped + more[2]
    for reason in dict.fromkeys(reason for reason, _name in skipped):
        print(f"\nSkipped, {reason}:")
        print("\n".join(f"  {name}" for why, name in skipped if why == reason))
    if failed:
        print("\nFailed:")
        print("\n".join(f"  {name}" for name in failed))
    print(f"\n{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
