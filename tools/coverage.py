#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""coverage.py BUILD [-v] [ROOM...]: which lines and branches of src/ the tests of a build with --coverage have reached, by room.

Branches of a status that is only handed on (TM_TRY), of a failed allocation and of an assertion are counted apart: the tests of failures
(test_faults, test_mapdir_faults and others) let every allocation and every read fail in turn, but few lines see all of them.
-v lists what was not reached, a line each: FILE:LINE: what | code."""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HANDED_ON = re.compile(r'\bTM_TRY\b|\bTMI_ASSERT\b|\btmi_fail_memory\b|\btmi_reserve\b|\btmi_grow\b')


def objects(build):
    for folder, _, names in os.walk(build):
        yield from (os.path.join(folder, name) for name in names if name.endswith('.gcno') and '/src/' in os.path.join(folder, name))


def read(path):
    """What gcov says of the files of src/ in one object."""
    done = subprocess.run(['gcov', '--json-format', '--branch-probabilities', '--stdout', path], cwd=os.path.dirname(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    for text in done.stdout.decode().splitlines():
        report = json.loads(text)
        for file in report['files']:
            name = os.path.relpath(os.path.realpath(os.path.join(report['current_working_directory'], file['file'])), ROOT)
            if name.startswith('src' + os.sep):
                yield name, file['lines']


class Line:
    """A line of a file, in all objects that hold it."""

    def __init__(self):
        self.count, self.branches = 0, []

    def add(self, line):
        self.count += line['count']
        taken = [branch['count'] > 0 for branch in line['branches'] if not branch['throw']]
        if len(taken) != len(self.branches):  # inlined in another way: what was reached more often counts
            self.branches = max(taken, self.branches, key=lambda b: (len(b), sum(b)))
        else:
            self.branches = [a or b for a, b in zip(taken, self.branches)]


def gather(build):
    files = collections.defaultdict(lambda: collections.defaultdict(Line))
    for path in sorted(objects(build)):
        for name, lines in read(path):
            for line in lines:
                files[name][line['line_number']].add(line)
    return files


def share(part, whole):
    return '%6d of %6d %5.1f %%' % (part, whole, 100 * part / whole if whole else 100)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('build')
    parser.add_argument('-v', action='store_true', dest='verbose')
    parser.add_argument('rooms', nargs='*')
    options = parser.parse_args()
    files = gather(options.build)
    if not files:
        sys.exit('coverage: %s holds nothing that was built with --coverage' % options.build)
    sums = collections.defaultdict(lambda: [0] * 6)  # lines, branches, branches but those that hand on: reached and all
    for name in sorted(files):
        room = name.split(os.sep)[1]
        if options.rooms and room not in options.rooms:
            continue
        with open(os.path.join(ROOT, name), encoding='utf-8') as stream:
            code = stream.read().splitlines()
        for number, line in sorted(files[name].items()):
            text = code[number - 1].strip() if number <= len(code) else ''
            plain = not HANDED_ON.search(text)
            missed = line.branches.count(False)
            for row in (sums[room], sums['']):
                row[0] += line.count > 0
                row[1] += 1
                row[2] += line.branches.count(True)
                row[3] += len(line.branches)
                row[4] += plain and line.branches.count(True)
                row[5] += plain and len(line.branches)
            if options.verbose and (not line.count or plain and missed):
                what = '%d of %d branches' % (missed, len(line.branches)) if line.count else 'not reached'
                print('%s:%d: %s | %s' % (name, number, what, text))
    print('%-10s %-25s %-25s %s' % ('room', 'lines', 'branches', 'but those that hand on a status, fail to allocate, or assert'))
    for room in sorted(filter(None, sums)) + ['']:
        row = sums[room]
        print('%-10s %-25s %-25s %s' % (room or 'all', share(*row[0:2]), share(*row[2:4]), share(*row[4:6])))
    return 0


if __name__ == '__main__':
    sys.exit(main())
