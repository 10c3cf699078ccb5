#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Runs teemap beside the floor programs and the peers and prints one markdown table. bench/run.sh calls it.

Each row is timed in rounds; a round runs both sides one after the other, and the ratio is the median of the rounds'
ratios. Where both sides print a sum, the sums must be equal, or the row ends the program with status 1.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import bigmap
import corpus

LINE = re.compile(r'cpu=(\S+) wall=(\S+) sum=(\S+) files=(\d+)')
CHILD = re.compile(r'child cpu=(\S+) wall=(\S+) peak=(\d+) runs=(\d+) failures=(\d+)')
LAYER, TILES = 5, 2


class Trouble(Exception):
    pass


class Cost:
    def __init__(self, cpu, wall, total=None):
        self.cpu, self.wall, self.total = cpu, wall, total


def run(command, **more):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more)
    if result.returncode != 0:
        raise Trouble('%s: %s' % (' '.join(command[:3]), (result.stderr or result.stdout).strip()[-300:]))
    return result


class Program:
    """A program that prints a line a repeat. The first repeat warms up and does not count."""

    def __init__(self, label, command, repeats):
        self.label, self.command, self.repeats = label, command, repeats

    def measure(self):
        output = run(self.command + ['-n', str(self.repeats + 1)]).stdout
        lines = [line.groups() for line in LINE.finditer(output)][1:]
        if len(lines) != self.repeats or len({line[2] for line in lines}) != 1:
            raise Trouble('%s: repeats differ or are missing' % self.label)
        # Of wall times the least, since whatever else runs on the machine can only add to them.
        return Cost(statistics.median(float(line[0]) for line in lines), min(float(line[1]) for line in lines),
                    lines[0][2])


class Once:
    """A program that does one round and prints its line."""

    def __init__(self, label, command):
        self.label, self.command = label, command

    def measure(self):
        cpu, wall, _total, _files = LINE.search(run(self.command).stdout).groups()
        return Cost(float(cpu), float(wall))


class Command:
    """Other people's commands: the kernel's account of the process, or of one process a file. The folder that it
    writes to is emptied first."""

    def __init__(self, label, bench, files, command, folder, environment=None):
        self.label, self.folder, self.environment = label, folder, environment
        self.command = [bench.tool('bench_child'), '-q', '-l', files.list] + command
        self.cwd = bench.work

    def measure(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        error = run(self.command, cwd=self.cwd, env=self.environment).stderr
        cpu, wall, _peak, _runs, failures = CHILD.search(error).groups()
        if failures != '0':
            raise Trouble('%s: %s of its runs failed' % (self.label, failures))
        return Cost(float(cpu), float(wall))


class Files:
    """A list of maps, on disk for the programs."""

    def __init__(self, bench, name, paths):
        self.paths, self.list = paths, os.path.join(bench.work, name + '.list')
        with open(self.list, 'w', encoding='utf-8') as out:
            out.writelines(path + '\n' for path in paths)


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.files = Files(self, 'all', self.pick())
        self.out = os.path.join(work, 'out')
        self.other_out = os.path.join(work, 'other-out')
        os.makedirs(self.out)
        os.makedirs(self.other_out)
        self.rows = []

    def tool(self, name):
        return os.path.join(self.options.build, '' if name == 'teemap' else 'bench', name)

    def pick(self):
        """The maps, copied beside the work folder so that all sides read the same warm files."""
        folder = os.path.join(self.work, 'maps')
        os.makedirs(folder)
        paths = []
        for top in self.options.maps:
            for where, _names, names in sorted(os.walk(top)):
                for name in sorted(names):
                    source = os.path.join(where, name)
                    if not name.endswith('.map'):
                        continue
                    reason = corpus.why_not(source)
                    if reason is not None:
                        print('bench: left out %s: %s' % (source, reason), file=sys.stderr)
                        continue
                    target = os.path.join(folder, '%03d-%s' % (len(paths), name.replace(' ', '_')))
                    shutil.copyfile(source, target)
                    paths.append(target)
        if not paths:
            raise Trouble('no maps in %s' % ' '.join(self.options.maps))
        return paths

    # ------------------------------------------------------------------------------------------------ two sides

    def teemap(self, task, files, repeats, *more):
        return Program('teemap ' + task, [self.tool('bench_teemap'), task, '-l', files.list, *more], repeats)

    def floor(self, name, files, repeats, *more):
        return Program('floor_' + name, [self.tool('floor_' + name), '-l', files.list, *more], repeats)

    def row(self, work, ours, theirs, metric='cpu', target=None, label=None, same=True):
        """Times a row and keeps it. Both sides' sums must be equal where both have one and `same` is set."""
        if self.options.only and self.options.only not in work + ' ' + (label or theirs.label):
            return
        pairs = []
        for number in range(self.options.rounds):
            sides = [ours, theirs] if number % 2 == 0 else [theirs, ours]
            costs = {id(side): side.measure() for side in sides}
            pair = costs[id(ours)], costs[id(theirs)]
            if same and None not in (pair[0].total, pair[1].total) and pair[0].total != pair[1].total:
                raise Trouble('%s: the sums differ, so the work does: %s, %s' % (work, pair[0].total, pair[1].total))
            pairs.append(tuple(getattr(cost, metric) for cost in pair))
        ratio = statistics.median(a / b if b else float('inf') for a, b in pairs)
        self.keep(work, seconds(statistics.median(a for a, _b in pairs)) + ' ' + metric,
                  '%s: %s' % (label or theirs.label, seconds(statistics.median(b for _a, b in pairs))),
                  figure(ratio), None if target is None else '<= %s' % figure(target),
                  None if target is None else ratio <= target)

    def keep(self, work, ours, theirs, ratio, target, fine):
        self.rows.append((work, ours, theirs, ratio, target or '-', {None: '-', True: 'yes', False: '**no**'}[fine]))
        print('bench: ' + ' | '.join(self.rows[-1]), file=sys.stderr)

    def print_table(self):
        print('| work | teemap | floor or peer | ratio | target | ok? |')
        print('|---|---|---|---|---|---|')
        for row in self.rows:
            print('| ' + ' | '.join(row) + ' |')


def seconds(value):
    for unit, factor in (('s', 1), ('ms', 1e3)):
        if value * factor >= 1:
            return '%.3g %s' % (value * factor, unit)
    return '%.3g us' % (value * 1e6)


def figure(value):
    return '%.2f' % value if value >= 0.095 else '%.4f' % value if value < 0.0095 else '%.3f' % value


# ------------------------------------------------------------------------------------------------------ the floors

def largest_tiles(path):
    """Data index and unpacked size of the largest tile layer of a map; (None, -1) if it has none."""
    with open(path, 'rb') as file:
        data = file.read()
    sizes = [size for _packed, size in corpus.parse_blocks(data)]
    best = (None, -1)
    for kind, body in corpus.parse_items(data):
        if kind == LAYER and len(body) >= 15 and body[1] == TILES and 0 <= body[14] < len(sizes):
            if sizes[body[14]] > best[1]:
                best = (body[14], sizes[body[14]])
    return best


def floor_rows(bench):
    files, out = bench.files, ['-o', bench.out]
    bench.row('open and list all items', bench.teemap('list', files, 40), bench.floor('head', files, 40), target=1.2)
    bench.row('load the typed model', bench.teemap('load', files, 20), bench.teemap('list', files, 40), target=15,
              label='teemap, the line above', same=False)
    bench.row('unpack every block, 1 thread', bench.teemap('inflate', files, 3), bench.floor('inflate', files, 3),
              target=1.10)
    # Many repeats: some kernels need a while until they put a waking thread on the processor that is idle.
    bench.row('unpack every block, 2 threads', bench.teemap('inflate', files, 9, '-t', '2'),
              bench.teemap('inflate', files, 9), 'wall', 0.60, 'teemap, 1 thread')
    bench.row('unpack every block, 2 threads', bench.teemap('inflate', files, 9, '-t', '2'),
              bench.floor('inflate', files, 9, '-t', '2'), 'wall', label='floor_inflate, 2 threads')
    copy = Command('cp', bench, files, ['cp', '-t', bench.other_out, '{all}'], bench.other_out)
    bench.row('load and save untouched, command line',
              Command('teemap copy', bench, files, [bench.tool('teemap'), 'copy', '-t', bench.out, '{all}'], bench.out),
              copy, target=2)
    bench.row('load and save untouched, library', bench.teemap('save', files, 3, *out), copy, target=2)
    largest = max(files.paths, key=lambda path: largest_tiles(path)[1])
    block, size = largest_tiles(largest)
    one = Files(bench, 'largest', [largest])
    bench.row('change one tile of the largest map and save (%.1f MB block)' % (size / 1e6),
              bench.teemap('change', one, 5, '-b', str(block), *out), bench.floor('block', one, 5, '-b', str(block)),
              target=1.3)
    bench.row('recompress everything at level 6, 2 threads', bench.teemap('recompress', files, 2, '-t', '2'),
              bench.floor('recompress', files, 2, '-t', '2'), 'wall', 1.10)


# ------------------------------------------------------------------------------------------------------- the peers

def accepted(bench, command, target, environment=None):
    """The maps on which a command ends well and leaves a file."""
    paths = []
    for path in bench.files.paths:
        if os.path.exists(target):
            os.remove(target)
        try:
            result = subprocess.run([part.replace('{}', path) for part in command], capture_output=True, check=False,
                                    env=environment, cwd=bench.work, timeout=300)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if result.returncode == 0 and os.path.exists(target) and os.path.getsize(target) > 0:
            paths.append(path)
    return paths


def copy_row(bench, name, files, theirs, target=None):
    ours = Command('teemap copy', bench, files, [bench.tool('teemap'), 'copy', '-t', bench.out, '{all}'], bench.out)
    bench.row('load and save untouched', ours, theirs, target=target, label='%s (%d maps)' % (name, len(files.paths)))


def recompress_row(bench, name, files, theirs):
    ours = Command('teemap copy', bench, files,
                   [bench.tool('teemap'), 'copy', '--recompress', '6', '-t', bench.out, '{all}'], bench.out)
    bench.row('recompress everything, 1 thread', ours, theirs, label='%s (%d maps)' % (name, len(files.paths)))


def map_resave_rows(bench):
    """It writes below the user's save directory, and dies without a word if that does not exist."""
    home = os.path.join(bench.work, 'home')
    saves = os.path.join(home, '.local', 'share', 'ddnet')
    os.makedirs(saves)
    environment = dict(os.environ, HOME=home)
    environment.pop('XDG_DATA_HOME', None)
    program = bench.options.map_resave
    paths = accepted(bench, [program, '{}', 'out.map'], os.path.join(saves, 'out.map'), environment)
    files = Files(bench, 'map_resave', paths)
    theirs = Command('map_resave', bench, files, [program, '{}', 'out{n}.map'], saves, environment)
    copy_row(bench, 'map_resave', files, theirs, 0.01)
    recompress_row(bench, 'map_resave', files, theirs)


def twmap_rows(bench):
    program = bench.options.twmap_edit
    target = os.path.join(bench.other_out, 'out.map')
    files = Files(bench, 'twmap', accepted(bench, [program, '{}', target], target))
    theirs = Command('twmap-edit', bench, files, [program, '{}', bench.other_out + '/{n}.map'], bench.other_out)
    copy_row(bench, 'twmap-edit', files, theirs)


def go_rows(bench):
    program = bench.options.go_peer
    files = Files(bench, 'go', run([program, 'accept', bench.files.list]).stdout.split('\n')[:-1])
    note = '(%d maps)' % len(files.paths)
    bench.row('load the typed model', bench.teemap('load', files, 20), Once('', [program, 'info', files.list]),
              label='jxsl13 twmap, info only ' + note)
    bench.row('unpack every block, 1 thread', bench.teemap('inflate', files, 3),
              Once('', [program, 'parse', files.list]), label='jxsl13 twmap, parse ' + note)
    bench.row('load and save untouched', bench.teemap('save', files, 3, '-o', bench.out),
              Once('', [program, 'save', files.list, bench.other_out]), label='jxsl13 twmap ' + note)


# ---------------------------------------------------------------------------------------------------------- memory

def peak_kib(bench, command):
    error = run([bench.tool('bench_child'), '-q'] + command).stderr
    _cpu, _wall, peak, _runs, failures = CHILD.search(error).groups()
    if failures != '0':
        raise Trouble('%s failed' % ' '.join(command))
    return int(peak)


def memory_rows(bench):
    target = os.path.join(bench.out, 'peak.map')
    big = os.path.join(bench.work, 'big.map')
    bigmap.write(big, *bigmap.build(626 * 1000000 // bigmap.LAYER_BYTES + 1))
    base = peak_kib(bench, [bench.tool('teemap'), '--version'])
    for work, command in (('info', lambda path: ['info', path]), ('copy', lambda path: ['copy', path, target])):
        for name, paths in (('%d maps' % len(bench.files.paths), bench.files.paths), ('map of 626 MB unpacked', [big])):
            peaks = []
            for path in paths:
                if os.path.exists(target):
                    os.remove(target)
                peak = peak_kib(bench, [bench.tool('teemap')] + command(path)) / 1024
                peaks.append((peak - os.path.getsize(path) / 2**20, peak))
            over, peak = max(peaks)
            bench.keep('peak memory of `%s`, %s' % (work, name), '%.1f MiB' % peak,
                       'teemap --version: %.1f MiB' % (base / 1024), '%+.1f MiB over the file' % over,
                       '<= +16 MiB', over <= 16)


def busy_share():
    """The share of processor time that others used during a second in which this program sleeps."""
    def times():
        try:
            with open('/proc/stat', encoding='ascii') as file:
                ticks = [int(word) for word in file.readline().split()[1:9]]
        except OSError:
            return 0, 1
        return ticks[3] + ticks[4], sum(ticks)
    idle, total = times()
    time.sleep(1)
    idle_now, total_now = times()
    return 1 - (idle_now - idle) / (total_now - total) if total_now > total else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', required=True)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--only', help='rows with this text in their work or peer')
    parser.add_argument('--no-memory', action='store_true')
    parser.add_argument('--map-resave')
    parser.add_argument('--twmap-edit')
    parser.add_argument('--go-peer')
    parser.add_argument('maps', nargs='+', help='folders')
    options = parser.parse_args()
    others = busy_share()
    fast = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    work = tempfile.mkdtemp(prefix='teemap-bench-', dir=fast)
    try:
        bench = Bench(options, work)
        floor_rows(bench)
        for wanted, rows in ((options.map_resave, map_resave_rows), (options.twmap_edit, twmap_rows),
                             (options.go_peer, go_rows)):
            if wanted:
                rows(bench)
        if not options.no_memory:
            memory_rows(bench)
        size = sum(os.path.getsize(path) for path in bench.files.paths)
        print('%d maps, %.1f MB; medians of %d rounds; %d processors; files in %s\n' % (
            len(bench.files.paths), size / 1e6, options.rounds, os.cpu_count(),
            'memory' if fast else 'the temporary folder'))
        bench.print_table()
        if others > 0.2:
            print('\nOther work kept %.0f %% of the machine busy when this began: do not trust the wall times.' % (
                100 * others))
    except Trouble as trouble:
        print('bench: %s' % trouble, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
