# SPDX-License-Identifier: Zlib
"""The rows on comparing: what differs between versions of a map, merging them, maps as folders of files."""
import glob
import os
import shutil

from editing import edits, largest_map
from measure import Command, Files, Once, Together, account, run

MEMORY_MIB = 64
ROUNDS_OF_PEER = 1


def version(bench, name, path, *scripts):
    """A map on which scripts of `teemap edit` were run."""
    target = os.path.join(bench.work, name + '.map')
    run([bench.tool('teemap'), 'edit', '-q', path, '-o', target] + ' + '.join(scripts).split())
    return target


# --------------------------------------------------------------------------------------------------------- versions

def diff_rows(bench, path, layer):
    changed = version(bench, 'changed', path, 'fill %s@10,10+30x20 5' % layer.address)
    pair = Files(bench, 'pair', [path, changed])
    work = 'diff, one layer of the largest map changed (%.1f MB block)' % (layer.size / 1e6)
    bench.row(work, bench.teemap('diff', pair, 5), bench.floor('versions', pair, 5, '-z', '0'), target=1.15,
              label='reading both, unpacking what is packed differently', same=False)
    teemap = [bench.tool('teemap'), 'diff', path, changed]
    if bench.options.map_diff:
        bench.row(work + ', whole process', Command('', bench, None, teemap, bench.out, status=1),
                  Command('map_diff', bench, None, [bench.options.map_diff, path, changed], bench.other_out, inside=True),
                  target=0.05, rounds=ROUNDS_OF_PEER)
    if bench.wanted(work + ', peak memory'):
        peak = account(bench, teemap, status=1).peak
        over = peak - 2 * layer.size / 2**20
        bench.keep(work + ', peak memory', '%.0f MiB' % peak, 'both versions of the layer: %.0f MiB' % (
            peak - over), '%+.0f MiB' % over, '<= +%d MiB' % MEMORY_MIB, over <= MEMORY_MIB)


def same_row(bench):
    """Copies, since cmp knows a file by its number and reads nothing."""
    folder = os.path.join(bench.work, 'copies')
    os.makedirs(folder)
    for number, path in enumerate(bench.files.paths):
        shutil.copyfile(path, os.path.join(folder, '%d.map' % number))
    copy = os.path.join(folder, '{n}.map')
    bench.row('diff of a map with a copy of itself',
              Command('', bench, bench.files, [bench.tool('teemap'), 'diff', '{}', copy], bench.out),
              Command('cmp', bench, bench.files, ['cmp', '{}', copy], bench.out), target=2)
    shutil.rmtree(folder)


def merge_row(bench, name, base, first, second):
    ours, theirs = version(bench, 'ours', base, first), version(bench, 'theirs', base, second)
    both = version(bench, 'both', base, first, second)
    three = Files(bench, 'three', [base, ours, theirs])
    bench.row('merge three versions that differ in ' + name, bench.teemap('merge', three, 5, '-o', bench.out),
              bench.floor('versions', three, 5), target=1.3,
              label='reading them, unpacking and packing what differs', same=False)
    merged = os.path.join(bench.out, os.path.basename(ours))
    if os.path.exists(merged):
        run([bench.tool('teemap'), 'diff', '-q', both, merged])


def merge_rows(bench, path, layers):
    first, second = ['fill %s@%%s 5' % layer.address for layer in layers[:2]]
    merge_row(bench, 'the same layer', path, first % '10,10+30x20', first % '60,40+30x20')
    merge_row(bench, 'a layer each', path, first % '10,10+30x20', second % '10,10+30x20')


# ---------------------------------------------------------------------------------------------------------- folders

def folder_rows(bench):
    """Each map in a process of its own. Packing costs libdeflate what floor_recompress does besides unpacking."""
    files = bench.files
    inflate, recompress = [Once('', [bench.tool('floor_' + name), '-l', files.list])
                           for name in ('inflate', 'recompress')]
    pictures = os.path.join(bench.work, 'pictures')
    os.makedirs(pictures)
    tool = bench.tool('bench_teemap')
    writing = Once('', [tool, 'pictures', '-l', files.list, '-o', pictures])
    writing.measure()
    written = Files(bench, 'pictures', sorted(glob.glob(pictures + '/*.png')))
    reading = [Once('', [tool, 'pixels', '-l', written.list])] if written.paths else []
    for name, more in (('', []), (', without sidecar.bin', ['--plain'])):
        folders = os.path.join(bench.work, 'folders')
        unpack = Command('', bench, files, [bench.tool('teemap'), 'unpack', '-q', '-j', '1', *more, '{}',
                                            os.path.join(folders, '{n}')], folders, outputs=len(files.paths))
        bench.row('unpack into folders' + name, unpack, Together([inflate, writing]), target=1.5,
                  label='libdeflate alone and writing the PNGs')
        if bench.wanted('pack folders' + name):
            unpack.measure()
        pack = Command('', bench, files, [bench.tool('teemap'), 'pack', '-q', '-j', '1', *more,
                                          os.path.join(folders, '{n}'), os.path.join(bench.out, '{n}.map')],
                       bench.out, outputs=len(files.paths))
        bench.row('pack folders' + name, pack, Together([recompress] + reading, [inflate]), target=1.5,
                  label='libdeflate alone and reading the PNGs')
        shutil.rmtree(folders, ignore_errors=True)
    shutil.rmtree(pictures)


def rows(bench):
    path, layers = largest_map(bench)
    diff_rows(bench, path, layers[0])
    same_row(bench)
    merge_rows(bench, path, layers)
    folder_rows(bench)
