# SPDX-License-Identifier: Zlib
"""How a side of a row is run, and what becomes of the figures. table.py and drawing.py say which rows there are."""
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

import corpus

LINE = re.compile(r'cpu=(\S+) wall=(\S+) sum=(\S+) files=(\d+)')
CHILD = re.compile(r'child cpu=(\S+) wall=(\S+) peak=(\d+) runs=(\d+) failures=(\d+)')


class Trouble(Exception):
    pass


class Cost:
    def __init__(self, cpu, wall, total=None, peak=None):
        self.cpu, self.wall, self.total, self.peak = cpu, wall, total, peak  # seconds, seconds, text, MiB


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


def account(bench, command, status=0, **more):
    """What a command cost by the kernel's account; more than one process with bench_child's options before it."""
    error = run([bench.tool('bench_child'), '-e', str(status), '-q'] + command, **more).stderr
    cpu, wall, peak, _runs, failures = CHILD.search(error).groups()
    if failures != '0':
        raise Trouble('%s: %s of its runs failed' % (' '.join(command[:5]), failures))
    return Cost(float(cpu), float(wall), peak=int(peak) / 1024)


class Command:
    """Other people's commands: the kernel's account of the process, or of one process a file. The folder that it
    writes to is emptied first, and must then hold `outputs` files. `status` is that of a run that did its work. Without
    `files` it runs once."""

    def __init__(self, label, bench, files, command, folder, environment=None, outputs=None, inside=False, status=0):
        self.label, self.bench, self.folder, self.environment = label, bench, folder, environment
        self.command = (['-l', files.list] if files else []) + command
        self.status = status
        self.outputs = outputs
        self.cwd = folder if inside else bench.work

    def measure(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        cost = account(self.bench, self.command, self.status, cwd=self.cwd, env=self.environment)
        made = len(os.listdir(self.folder))
        if self.outputs not in (None, made):
            raise Trouble('%s: it left %d files, not %d' % (self.label, made, self.outputs))
        return cost


class Further:
    """What each further one costs: the difference between a command that makes `more` than another, shared out."""

    def __init__(self, label, few, many, more):
        self.label, self.few, self.many, self.more = label, few, many, more

    def measure(self):
        few, many = self.few.measure(), self.many.measure()
        return Cost((many.cpu - few.cpu) / self.more, (many.wall - few.wall) / self.more)


class Together:
    """What several sides cost in sum, less what others cost."""

    def __init__(self, plus, minus=()):
        self.label, self.plus, self.minus = '', plus, minus

    def measure(self):
        plus, minus = ([side.measure() for side in sides] for sides in (self.plus, self.minus))
        return Cost(sum(cost.cpu for cost in plus) - sum(cost.cpu for cost in minus),
                    sum(cost.wall for cost in plus) - sum(cost.wall for cost in minus))


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

    def wanted(self, text):
        return not self.options.only or self.options.only in text

    def row(self, work, ours, theirs, metrics='cpu', target=None, label=None, same=True, rounds=None):
        """Times a row and keeps it, once for each of the metrics (cpu, wall, peak); the target is one for times.
        Both sides' sums must be equal where both have one and `same` is set."""
        label = label or theirs.label
        if not self.wanted(work + ' ' + label):
            return
        pairs = []
        for number in range(min(rounds or self.options.rounds, self.options.rounds)):
            sides = [ours, theirs] if number % 2 == 0 else [theirs, ours]
            costs = {id(side): side.measure() for side in sides}
            pair = costs[id(ours)], costs[id(theirs)]
            if same and None not in (pair[0].total, pair[1].total) and pair[0].total != pair[1].total:
                raise Trouble('%s: the sums differ, so the work does: %s, %s' % (work, pair[0].total, pair[1].total))
            pairs.append(pair)
        for metric in metrics.split():
            values = [(getattr(a, metric), getattr(b, metric)) for a, b in pairs]
            ratio = statistics.median(a / b if b else float('inf') for a, b in values)
            text, aim = (megabytes, None) if metric == 'peak' else (seconds, target)
            self.keep(work, text(statistics.median(a for a, _b in values)) + ' ' + metric,
                      '%s: %s' % (label, text(statistics.median(b for _a, b in values))),
                      figure(ratio), None if aim is None else '<= %s' % figure(aim),
                      None if aim is None else ratio <= aim)

    def row_alone(self, work, ours, metrics, missing):
        """The rows for a peer that is not here: our side alone."""
        if not self.wanted(work + ' ' + missing):
            return
        costs = [ours.measure() for _round in range(self.options.rounds)]
        for metric in metrics.split():
            text = megabytes if metric == 'peak' else seconds
            self.keep(work, text(statistics.median(getattr(cost, metric) for cost in costs)) + ' ' + metric,
                      missing + ': not here', '-', None, None)

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


def megabytes(value):
    return '%.0f MiB' % value


def figure(value):
    return '%.2f' % value if value >= 0.095 else '%.4f' % value if value < 0.0095 else '%.3f' % value


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
