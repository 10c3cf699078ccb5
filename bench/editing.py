# SPDX-License-Identifier: Zlib
"""The rows on editing: one layer of the largest map changed, tiles looked for, rules asked, images written, maps made smaller."""
import collections
import os
import zlib

import corpus
from measure import Command, Files, Once, Trouble, figure, run

# Packing at level 12 takes long: every so manieth map is made smaller, beginning with the first.
EVERY = 8
LEVEL = '12'
# Most of the original that lossless work may leave, and what 2 threads may take of the time of 1.
SMALLER, THREADS = 0.88, 0.60


# -------------------------------------------------------------------------------------------------------- one layer

def read(path):
    with open(path, 'rb') as file:
        return file.read()


def largest_map(bench):
    """The map with the largest layer of plain or game tiles, and its layers of that kind, largest first."""
    layers = {path: sorted(corpus.tile_layers(read(path)), key=lambda layer: -layer.size)
              for path in bench.files.paths}
    path = max((path for path in layers if layers[path]), key=lambda path: layers[path][0].size)
    return path, layers[path]


def block_of(path, index):
    return list(corpus.parse_blocks(read(path)))[index][0]


def common_tile(path, layer):
    """The index that is there most often, air aside."""
    tiles = collections.Counter(zlib.decompress(block_of(path, layer.data))[::4])
    return max((tile for tile in tiles if tile != 0), key=tiles.get)


def edits(path, layer):
    tile, where = common_tile(path, layer), layer.address
    return (('set one tile', 'fill %s@0,0+1x1 %d:flags=3' % (where, tile % 255 + 1)),
            ('shift by 3,5', 'shift 3,5 cut %s' % where),
            ('mirror x', 'mirror x %s' % where),
            ('rotate 180', 'rotate 180 %s' % where),
            ('replace the commonest tile', 'replace %d with %d %s' % (tile, tile % 255 + 1, where)))


def layer_rows(bench):
    """The floor packs what the edit leaves, since that packs faster or slower than what was there."""
    path, layers = largest_map(bench)
    layer = layers[0]
    one = Files(bench, 'edited', [path])
    for name, script in edits(path, layer):
        work = '%s in a layer of the largest map and save (%.1f MB block)' % (name, layer.size / 1e6)
        if not bench.wanted(work):
            continue
        target = os.path.join(bench.work, 'edited.map')
        run([bench.tool('teemap'), 'edit', '-q', path, '-o', target] + script.split())
        if block_of(path, layer.data) == block_of(target, layer.data):
            raise Trouble('%s: nothing has changed' % script)
        bench.row(work, bench.teemap('edit', one, 5, '-w', script, '-o', bench.out),
                  bench.floor('block', Files(bench, 'result', [target]), 5, '-b', str(layer.data)), target=1.3,
                  label='unpacking and packing that layer', same=False)


# -------------------------------------------------------------------------------------------------------- many maps

def find_row(bench):
    files = bench.files
    bench.row('find freeze, entrances and starts in all tiles', bench.teemap('find', files, 3),
              bench.teemap('tiles', files, 3), target=1.2, label='teemap, unpacking the tile layers', same=False)


def lint_row(bench):
    files = bench.files
    bench.row('lint by all rules', bench.teemap('lint', files, 3), bench.teemap('tiles', files, 3), target=1.5,
              label='teemap, unpacking the tile layers', same=False)


def extract_row(bench):
    command = [bench.tool('teemap'), 'extract', '-q', '-j', '1', '-t', bench.out, '{all}']
    bench.row('extract images, sounds and texts', Command('', bench, bench.files, command, bench.out),
              bench.teemap('pictures', bench.files, 1, '-o', bench.other_out), target=1.2,
              label='unpacking the images and writing PNGs as `cat` does', same=False)


def optimize(bench, files, *more):
    command = [bench.tool('teemap'), 'optimize', '-q', '-z', LEVEL, '-t', bench.out] + list(more) + ['{all}']
    return Command('', bench, files, command, bench.out, outputs=len(files.paths))


def size_rows(bench, files):
    """The sums of the sizes; no map may have grown."""
    original = sum(os.path.getsize(path) for path in files.paths)
    for name, more, most in (('packing only', ['--packing-only'], 1), ('lossless', [], SMALLER),
                             ('with --images', ['--images'], SMALLER)):
        work = 'size after optimize, ' + name
        if not bench.wanted(work):
            continue
        optimize(bench, files, *more).measure()
        sizes = {path: os.path.getsize(os.path.join(bench.out, os.path.basename(path))) for path in files.paths}
        grown = [path for path in files.paths if sizes[path] > os.path.getsize(path)]
        if grown:
            raise Trouble('optimize made %s larger' % grown[0])
        ratio = sum(sizes.values()) / original
        bench.keep(work, '%.2f MB' % (sum(sizes.values()) / 1e6), 'the originals (%d maps): %.2f MB' % (
            len(files.paths), original / 1e6), figure(ratio), '<= %s' % figure(most), ratio <= most)


def optimize_rows(bench):
    files = Files(bench, 'optimized', bench.files.paths[::EVERY])
    note = ' (%d maps)' % len(files.paths)
    floor = Once('', [bench.tool('floor_recompress'), '-l', files.list, '-z', LEVEL])
    for name, more in (('packing only', ['--packing-only']), ('lossless', [])):
        bench.row('optimize, ' + name + ', 1 thread', optimize(bench, files, '-j', '1', *more), floor, target=1.15,
                  label='floor_recompress at level ' + LEVEL + note, rounds=1)
    bench.row('optimize, lossless, 2 threads', optimize(bench, files, '-j', '2'), optimize(bench, files, '-j', '1'),
              'wall', THREADS, '1 thread' + note, rounds=1)
    size_rows(bench, files)


def rows(bench):
    layer_rows(bench)
    find_row(bench)
    lint_row(bench)
    extract_row(bench)
    optimize_rows(bench)
