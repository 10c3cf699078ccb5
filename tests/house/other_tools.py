#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""docs/other-tools.md names nothing on our side that is not there: commands with their actions and options, operations of `teemap edit`
with their words.

usage: other_tools.py SOURCE TEEMAP"""
import os
import re
import subprocess
import sys

source, teemap = sys.argv[1:3]
with open(os.path.join(source, "docs/other-tools.md"), encoding="utf-8") as page:
    rows = [re.split(r" (?<!\\)\| ", line.strip("| \n") + " | ") for line in page if line.startswith("| ")]
faults = []


def run(*words):
    return subprocess.run([teemap, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)


def has_operation(words):
    """An operation has one to three words; what follows are arguments."""
    return any(run("edit", "--operations", " ".join(words[:n])).returncode == 0 for n in (3, 2, 1) if n <= len(words))


def check(span):
    kind, *words = span.split()
    if kind == "edit":
        if not has_operation(words):
            faults.append(f"no operation: {span}")
        return
    done = run("help", words[0])
    if kind != "teemap" or done.returncode:
        faults.append(f"no command: {span}")
    for word in words[1:]:
        known = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", done.stdout)
        if (word.startswith("--") or (word.islower() and word.isalpha())) and not known:
            faults.append(f"{words[0]} has no {word}: {span}")


num = 0
for row in rows:
    if len(row) < 3 or row[1] == "here":
        continue
    for span in re.findall(r"`([^`]+)`", row[1]):
        check(span)
        num += 1
    if "`" not in row[1] and row[1] != "-" and not row[1].startswith("---"):
        faults.append(f"a row without ours: {row}")
print("\n".join(faults))
print(f"{num} of ours, {len(faults)} of which are not there")
sys.exit(bool(faults) or num < 60)
