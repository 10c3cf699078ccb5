#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""promises.py TEEMAP SECURITY.md FOLDER ORDINARY: runs every command that takes a map over all maps of a folder, and holds seconds, memory
and output to the command's row in the table of SECURITY.md. Prints what is beyond; ends with 1 if something is."""
import os
import re
import resource
import shutil
import subprocess
import sys

# Of each command what costs most; MAP, OUT (an empty folder) and ORDINARY (a small map) stand for paths.
RUNS = [
    'info -v --json MAP', 'ls --json MAP', 'copy MAP OUT/o.map', 'copy -g teeworlds07 MAP OUT/o.map',
    'edit MAP -o OUT/o.map set info.author=x', 'edit MAP -o OUT/o.map rotate 90', 'fix MAP -o OUT/o.map', 'optimize MAP -o OUT/o.map',
    'convert --to teeworlds07 MAP -o OUT/o.map', 'automap MAP -o OUT/o.map', 'diff ORDINARY MAP', 'diff --json MAP ORDINARY',
    'merge ORDINARY MAP ORDINARY -o OUT/o.map', 'merge MAP MAP ORDINARY -o OUT/o.map', 'git text MAP', 'unpack MAP OUT/d', 'extract -t OUT/d MAP',
    'find 1 MAP', 'find --json 1 MAP', 'size --json MAP', 'check MAP', 'lint --fix -n MAP', 'lint --page OUT/p MAP', 'thumbnail MAP -o OUT/o.png',
    'render MAP -o OUT/o.png', 'render --fit MAP -o OUT/o.png', 'animate MAP -o OUT/o.webp', 'tiles MAP -t OUT/t', 'gallery MAP -t OUT/g',
    'doctor MAP',
]
ADDRESS_SPACE = 8 << 30  # what is beyond it fails here and not on the whole machine
SLACK = 3  # the machine of the table is not this one


def promises(path):
    """Seconds, MB of memory and MB of output by command."""
    rows = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
            numbers = [re.match(r'([\d.]+)( GB| MB)?', cell) for cell in cells[1:4]]
            if len(numbers) == 3 and all(numbers):
                limits = [float(n[1]) * (1000 if n[2] == ' GB' else 1) for n in numbers]
                rows.update((name, limits) for name in re.findall('`([^`]+)`', cells[0]))
    return rows


def size_below(folder):
    return sum(os.lstat(os.path.join(root, name)).st_size for root, _, names in os.walk(folder) for name in names)


def cost(arguments):
    """The status, and seconds, MB of memory and MB of output, files and streams together."""
    shutil.rmtree('promised', ignore_errors=True)
    os.makedirs('promised/files')
    with open('promised/out', 'wb') as out, open('promised/err', 'wb') as err:
        child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE)))
        _, ended, used = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(ended), (used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size_below('promised') / 1e6)


def main(teemap, security, folder, ordinary):
    rows, beyond = promises(security), 0
    for run in RUNS:
        limits = rows[max((name for name in rows if run.startswith(name + ' ')), key=len)]
        for title in sorted(os.listdir(folder)):
            paths = {'MAP': os.path.join(folder, title), 'ORDINARY': ordinary}
            words = [paths.get(word, word.replace('OUT/', 'promised/files/')) for word in run.split()]
            status, costs = cost([teemap] + words)
            held = status in (0, 1, 2) and all(c <= most * (SLACK if i == 0 else 1) for i, (c, most) in enumerate(zip(costs, limits)))
            if not held or '-v' in sys.argv[5:]:
                print('%s: status %d, %.1f s, %.0f MB, %.1f MB of output; promised: %g s, %g MB, %g MB' % (
                    run.replace('MAP', title), status, *costs, *limits), flush=True)
            beyond += not held
    assert all(any(run.startswith(name + ' ') for run in RUNS) for name in rows), 'a row of the table is not run'
    return 1 if beyond else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:5]))
