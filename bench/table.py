#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Runs teemap beside the floor programs and the peers and prints one markdown table. bench/run.sh calls it.

Each row is timed in rounds; a round runs both sides one after the other, and the ratio is the median of the rounds'
ratios. Where both sides print a sum, the sums must be equal, or the row ends the program with status 1.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import automapping
import bigmap
import comparing
import drawing
import editing
from measure import Bench, Command, Files, Once, Trouble, account, busy_share, run

# ------------------------------------------------------------------------------------------------------ the floors

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
    largest, layers = editing.largest_map(bench)
    block, size = layers[0].data, layers[0].size
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

def memory_rows(bench):
    target = os.path.join(bench.out, 'peak.map')
    big = os.path.join(bench.work, 'big.map')
    bigmap.write(big, *bigmap.build(626 * 1000000 // bigmap.LAYER_BYTES + 1))
    base = account(bench, [bench.tool('teemap'), '--version']).peak
    for work, command in (('info', lambda path: ['info', path]), ('copy', lambda path: ['copy', path, target])):
        for name, paths in (('%d maps' % len(bench.files.paths), bench.files.paths), ('map of 626 MB unpacked', [big])):
            peaks = []
            for path in paths:
                if os.path.exists(target):
                    os.remove(target)
                peak = account(bench, [bench.tool('teemap')] + command(path)).peak
                peaks.append((peak - os.path.getsize(path) / 2**20, peak))
            over, peak = max(peaks)
            bench.keep('peak memory of `%s`, %s' % (work, name), '%.1f MiB' % peak,
                       'teemap --version: %.1f MiB' % base, '%+.1f MiB over the file' % over,
                       '<= +16 MiB', over <= 16)


def core_rows(bench):
    options = bench.options
    floor_rows(bench)
    for wanted, rows in ((options.map_resave, map_resave_rows), (options.twmap_edit, twmap_rows),
                         (options.go_peer, go_rows)):
        if wanted:
            rows(bench)
    if not options.no_memory:
        memory_rows(bench)


# What the options --drawing and so on choose; without any of them, all.
PARTS = {'files': core_rows, 'drawing': drawing.rows, 'editing': editing.rows, 'comparing': comparing.rows,
         'automapping': automapping.rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', required=True)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--only', help='rows with this text in their work or peer')
    parser.add_argument('--no-memory', action='store_true')
    for part in list(PARTS)[1:]:
        parser.add_argument('--' + part, action='store_true', help='the rows on %s, and not those on files' % part)
    parser.add_argument('--map-resave')
    parser.add_argument('--map-diff')
    parser.add_argument('--twmap-edit')
    parser.add_argument('--go-peer')
    parser.add_argument('--twgpu', help='twgpu-map-photography')
    parser.add_argument('--vulkan', help='description of the software Vulkan driver for it')
    parser.add_argument('--mapres', default='', help='folder of the images that maps do not bring along')
    parser.add_argument('maps', nargs='+', help='folders')
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    others = busy_share()
    fast = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    work = tempfile.mkdtemp(prefix='teemap-bench-', dir=fast)
    try:
        bench = Bench(options, work)
        chosen = [part for part in PARTS if getattr(options, part, False)]
        for part in chosen or PARTS:
            PARTS[part](bench)
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
