#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""promises.py TEEMAP SECURITY.md FOLDER ORDINARY PATCH [-v]: runs every command over all files made to do harm below FOLDER (maps, rules,
patches, and the folders of these maps), and holds seconds, memory and output to the command's row in the table of SECURITY.md, and the row to
what the table is for. With TEEMAP_PROMISES_STEP=N (14) only every Nth pair of a command and a file, from number TEEMAP_PROMISES_FIRST on, which is another
one each day: every command and every file has its turn each time, and within N days every pair.
Prints which pairs, and what is beyond; ends with 1 if something is. -v: all.

Seconds are those of the processor, on the machine of the table. How much slower this one is, is measured: a fixed work of zlib, which takes
REFERENCE seconds there. A command has that many times the seconds, and nothing more; a machine that is faster gives no less. Others may
slow this machine down for a while, so a command that takes longer is measured once more, and the machine before it."""
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import zlib

# Of each command what costs most; MAP, RULES, DIR, PATCHES (one of FOLDER's), OUT (an empty folder), ORDINARY (a small map) and PATCH stand
# for paths. SECOND and THIRD are other variants of MAP: of the same design, and different everywhere (hostile_maps.py).
SOURCES = {'MAP': 'maps', 'RULES': 'rules', 'DIR': 'folders', 'PATCHES': 'patches'}
VARIANTS = {'SECOND': 1, 'THIRD': 2}
RUNS = [
    'info -v --json MAP', 'ls --json MAP', 'copy MAP OUT/o.map', 'copy -g teeworlds07 MAP OUT/o.map',
    'edit MAP -o OUT/o.map set info.author=x', 'edit MAP -o OUT/o.map rotate 90', 'fix MAP -o OUT/o.map', 'optimize MAP -o OUT/o.map',
    'convert --to teeworlds07 MAP -o OUT/o.map', 'automap MAP -o OUT/o.map', 'diff ORDINARY MAP', 'diff --json MAP ORDINARY',
    'merge ORDINARY MAP ORDINARY -o OUT/o.map', 'merge MAP MAP ORDINARY -o OUT/o.map', 'git text MAP', 'unpack MAP OUT/d', 'extract -t OUT/d MAP',
    'find 1 MAP', 'find --json 1 MAP', 'size --json MAP', 'check MAP', 'lint --fix -n MAP', 'lint --page OUT/p MAP', 'thumbnail MAP -o OUT/o.png',
    'render MAP -o OUT/o.png', 'render --fit MAP -o OUT/o.png', 'animate MAP -o OUT/o.webp', 'tiles MAP -t OUT/t', 'gallery MAP -t OUT/g', 'gallery --tiles --no-animations MAP -t OUT/g',
    'doctor MAP', 'cat --json MAP 0/0', 'patch --partial MAP PATCH -o OUT/o.map', 'embed MAP -o OUT/o.map', 'pack DIR OUT/o.map', 'pack --plain DIR OUT/o.map',
    'diff MAP SECOND', 'diff -v --tiles MAP SECOND', 'diff --json --tiles MAP SECOND', 'diff MAP SECOND -o OUT/p.json',
    'diff -v ORDINARY MAP -o OUT/p.json', 'diff --page OUT/p MAP SECOND', 'merge MAP SECOND THIRD -o OUT/o.map',
    'merge ORDINARY MAP SECOND -o OUT/o.map', 'merge -v SECOND MAP ORDINARY -o OUT/o.map', 'copy -z 12 MAP OUT/o.map',
    'patch --partial ORDINARY PATCHES -o OUT/o.map', 'patch -v -n ORDINARY PATCHES',
    'rules check RULES', 'rules list --json RULES', 'rules format RULES -o OUT/o.rules',
]
READ_NOTHING = {'help', 'new'}
MOST = (10, 1200, 100)  # seconds, MB, MB: what somebody who runs a command on uploads from strangers would accept
ADDRESS_SPACE = 8 << 30  # what is beyond it fails here and not on the whole machine
REFERENCE = 0.55  # seconds of the work below on the machine of the table


def slowness():
    """How many times slower than the machine of the table this one is; at least 1."""
    work, began = bytes(range(256)) * 4096, time.process_time()
    for _ in range(16):
        for level in (1, 6, 9):
            zlib.decompress(zlib.compress(work, level))
            zlib.crc32(work * 8)
    return max(1.0, (time.process_time() - began) / REFERENCE)


def variant_of(folder, title, number):
    """The path of another variant of a map, which is made when it is first asked for."""
    made = os.path.join(folder, 'variant%d' % number)
    path = os.path.join(made, title)
    if not os.path.exists(path):
        os.makedirs(made, exist_ok=True)
        maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'hostile_maps.py')
        subprocess.run([sys.executable, maker, '-v', str(number), made, title[:-len('.map')]], check=True)
    return path


def unpacked(teemap, folder, title):
    """The path of the folder of a map, which is made when it is first asked for; None where the map cannot be unpacked within the limits."""
    path = os.path.join(folder, 'folders', title)
    if not os.path.exists(path) and subprocess.run([teemap, 'unpack', '-q', os.path.join(folder, 'maps', title + '.map'), path],
                                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        shutil.rmtree(path, ignore_errors=True)
        return None
    return path


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


def hold_table(rows, teemap):
    """Each command has a row that promises enough, and each row is run."""
    overview = subprocess.run([teemap, 'help'], stdout=subprocess.PIPE, check=True).stdout.decode()
    commands = set(re.findall(r'^  ([a-z]+) ', overview.split('\nCommands\n')[1].split('\n\n')[0], re.M)) - READ_NOTHING
    faults = ['no row for ' + name for name in commands - {row.split()[0] for row in rows}]
    faults += ['nothing runs ' + row for row in rows if not any(run.startswith(row + ' ') for run in RUNS)]
    return faults + ['%s promises too little' % row for row, limits in rows.items() if any(n > most for n, most in zip(limits, MOST))]


def main(teemap, security, folder, ordinary, patch, verbose=''):
    rows = promises(security)
    faults = hold_table(rows, teemap)
    step = int(os.environ.get('TEEMAP_PROMISES_STEP', 21))
    first = int(os.environ.get('TEEMAP_PROMISES_FIRST', time.time() // 86400)) % step
    print('of the pairs of a command and a file one in %d: TEEMAP_PROMISES_STEP=%d TEEMAP_PROMISES_FIRST=%d' % (step, step, first), flush=True)
    slower = slowness()
    for number, run in enumerate(RUNS):
        limits = rows[max((name for name in rows if run.startswith(name + ' ')), key=len)]
        kind = next(word for word in run.split() if word in SOURCES)
        below = os.path.join(folder, SOURCES[kind])
        titles = sorted(os.listdir(below)) if kind != 'DIR' else sorted(name[:-len('.map')] for name in os.listdir(os.path.join(folder, 'maps')))
        one_in = min(step, len(titles))
        for title in titles[(number + first) % one_in::one_in]:
            path = os.path.join(below, title) if kind != 'DIR' else unpacked(teemap, folder, title)
            if not path:
                continue
            paths = {kind: path, 'ORDINARY': ordinary, 'PATCH': patch}
            paths.update((word, variant_of(folder, title, number)) for word, number in VARIANTS.items() if word in run.split())
            words = [paths.get(word, word.replace('OUT/', 'promised/files/')) for word in run.split()]
            status, costs = cost([teemap] + words)
            if costs[0] > limits[0] * slower:
                slower = max(slower, slowness())
                status, costs = cost([teemap] + words)
            held = status in (0, 1, 2) and all(c <= most * (slower if i == 0 else 1) for i, (c, most) in enumerate(zip(costs, limits)))
            line = '%s: status %d, %.1f s, %.0f MB, %.1f MB of output; promised: %g s (this machine is %.1f times slower), %g MB, %g MB' % (
                ' '.join(words), status, *costs, limits[0], slower, *limits[1:])
            if verbose:
                print(line, flush=True)
            if not held:
                faults.append(line)
    return '\n'.join(faults) or None


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
