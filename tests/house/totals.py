#!/usr/bin/env python3
"""Reads the JUnit report of ctest, lists what was skipped and why, what was tried again, and what failed with the end of its output, and ends with one line of totals.

usage: totals.py REPORT.xml     exit status 1 when a test failed, or when there is no report or no test in it
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

LAST_LINES = 40  # of a failed test; all of it stands far above
AGAIN = re.compile(r"^== (.* once more: .*)$", re.MULTILINE)  # what ./run web says of a page that failed and is tried again
CMOCKA_SKIP = re.compile(r"^\[  SKIPPED \] (?!\d+ test)(.*)$", re.MULTILINE)


def outcome(case):
    """'passed', 'failed' or 'skipped'. A test that could not be started is a failed one."""
    status = case.get("status")
    if status == "run":
        return "passed"
    skipped = case.find("skipped")
    message = skipped.get("message", "") if skipped is not None else ""
    if status == "disabled" or message.startswith(("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION")):
        return "skipped"
    return "failed"


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def main(path):
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"totals: no report: {error}")
        return 1
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases:
        result = outcome(case)
        count[result] += 1
        output = case.findtext("system-out") or ""
        if result == "skipped":
            print(f"skipped: {case.get('name')}: {last_line(output)}")
        elif result == "failed":
            print(f"failed: {case.get('name')}; its output ends with:")
            print("\n".join("    " + line for line in output.splitlines()[-LAST_LINES:]))
        for line in AGAIN.findall(output):
            print(f"in {case.get('name')}: {line}")
        for name in dict.fromkeys(CMOCKA_SKIP.findall(output)):
            print(f"skipped inside {case.get('name')}: {name}")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
