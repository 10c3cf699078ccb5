#!/usr/bin/env python3
"""Reads the JUnit reports of ctest, lists what was skipped and why, what was tried again, and what failed with the end of its output, and ends with
one line of totals.

usage: totals.py [--whole SECONDS TIMES] REPORT.xml...

--whole: the seconds of a whole run, and a file of what `times` says at its end. The slowest tests are listed before the totals, and what is
said of a run that is too long. Exit status 1 when a test failed, or when a report is missing, or no test is in them.
"""
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

LAST_LINES = 40  # of a failed test; all of it stands far above
SLOWEST = 10  # tests that are listed
MINUTES, CORES = 25, 2  # what a whole run may take, and of how many cores
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


def processor_seconds(path):
    """The sum of `times`: '1m2.5s' of the user and the system, of the shell and all that it started."""
    with open(path, encoding="utf-8") as file:
        return sum(60 * float(minutes) + float(seconds.replace(",", ".")) for minutes, seconds in re.findall(r"(\d+)m([\d.,]+)s", file.read()))


def print_times(cases, seconds, processors):
    """The slowest tests, and what the whole run took, beside what it may take. Tests share the cores, so theirs are seconds by the clock."""
    times = sorted(((float(case.get("time") or 0), case.get("name")) for case in cases), reverse=True)[:SLOWEST]
    print("the slowest tests, in seconds: " + ", ".join(f"{name} {time:.0f}" for time, name in times))
    print(f"the whole run: {seconds:.0f} s, of processors {processors:.0f} s")
    if processors > MINUTES * 60 * CORES:
        print(f"too long: {MINUTES} minutes on {CORES} cores are {MINUTES * 60 * CORES} s of processors; make the slowest tests cheaper")
    elif seconds > MINUTES * 60 and (os.cpu_count() or CORES) <= CORES:
        print(f"too long: more than {MINUTES} minutes, in which the processors were idle for a part; what does the run wait for?")


def main(*paths):
    seconds, times = 0, ""
    if paths and paths[0] == "--whole":
        seconds, times, *paths = paths[1:]
    try:
        cases = [case for path in paths for case in ElementTree.parse(path).getroot().iter("testcase")]
    except (OSError, ElementTree.ParseError) as error:
        print(f"totals: no report: {error}")
        return 1
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases:
        result = outcome(case)
        count[result] += 1
        output = case.findtext("system-out") or ""
        if result == "skipped" and not CMOCKA_SKIP.search(output):
            print(f"skipped: {case.get('name')}: {last_line(output)}")
        elif result == "failed":
            print(f"failed: {case.get('name')}; its output ends with:")
            print("\n".join("    " + line for line in output.splitlines()[-LAST_LINES:]))
        for line in AGAIN.findall(output):
            print(f"in {case.get('name')}: {line}")
        for name in dict.fromkeys(CMOCKA_SKIP.findall(output)):
            print(f"skipped inside {case.get('name')}: {name}")
    if seconds:
        print_times(cases, float(seconds), processor_seconds(times))
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] or not cases else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
