#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Picks the maps for the benchmark: version 4 files whose every block unpacks to the size that it announces.

    bench/corpus.py FOLDER...        prints one path a line; what was left out and why goes to standard error

The floor programs take nothing else, and equal sums need equal work, so all sides get this list.
"""
import collections
import os
import struct
import sys
import zlib

HEADER = struct.Struct('<4s8i')


def parse_blocks(data):
    """Yields (packed bytes, unpacked size) of each block. Raises ValueError or struct.error on a malformed file."""
    magic, version, _size, _swaplen, types, items, blocks, items_size, data_size = HEADER.unpack_from(data)
    if magic != b'DATA' or version != 4:
        raise ValueError('not a version 4 datafile')
    if min(types, items, blocks, items_size, data_size) < 0:
        raise ValueError('negative count')
    at = HEADER.size + 12 * types + 4 * items
    begin = at + 8 * blocks + items_size
    if begin + data_size != len(data):
        raise ValueError('file size differs from the header')
    offsets = struct.unpack_from('<%di' % blocks, data, at) + (data_size,)
    sizes = struct.unpack_from('<%di' % blocks, data, at + 4 * blocks)
    for i in range(blocks):
        if not 0 <= offsets[i] <= offsets[i + 1] <= data_size:
            raise ValueError('data offsets out of order')
        yield data[begin + offsets[i]:begin + offsets[i + 1]], sizes[i]


def parse_items(data):
    """Yields (type, ints of the body) of each item of a file that parse_blocks takes."""
    _magic, _version, _size, _swaplen, types, items, blocks, items_size, _data_size = HEADER.unpack_from(data)
    at = HEADER.size + 12 * types
    begin = at + 4 * items + 8 * blocks
    for offset in struct.unpack_from('<%di' % items, data, at):
        if not 0 <= offset <= items_size - 8:
            raise ValueError('item outside of the items')
        word, size = struct.unpack_from('<Ii', data, begin + offset)
        if not 0 <= size <= items_size - offset - 8:
            raise ValueError('item outside of the items')
        yield word >> 16, struct.unpack_from('<%di' % (size // 4), data, begin + offset + 8)


GROUP, LAYER, TILES, PLAIN, GAME = 4, 5, 2, 0, 1
# Address as 2/3, number of the data block, bytes of the block when it is unpacked.
TileLayer = collections.namedtuple('TileLayer', 'address data size')


def tile_layers(data):
    """Yields the layers of plain and of game tiles."""
    sizes = [size for _packed, size in parse_blocks(data)]
    items = list(parse_items(data))
    layers = [body for kind, body in items if kind == LAYER]
    for number, group in enumerate(body for kind, body in items if kind == GROUP and len(body) >= 7):
        for place, body in enumerate(layers[group[5]:group[5] + group[6]]):
            if len(body) >= 15 and body[1] == TILES and body[6] in (PLAIN, GAME) and 0 <= body[14] < len(sizes):
                yield TileLayer('%d/%d' % (number, place), body[14], sizes[body[14]])


def why_not(path):
    """None when the file can be used, else the reason."""
    try:
        with open(path, 'rb') as file:
            data = file.read()
        for packed, size in parse_blocks(data):
            if size < 0 or len(zlib.decompressobj().decompress(packed)) != size:
                return 'a block does not unpack to its size'
        for _item in parse_items(data):
            pass
    except (OSError, ValueError, struct.error, zlib.error) as error:
        return str(error)
    return None


def main(folders):
    for folder in folders:
        for where, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                path = os.path.join(where, name)
                if not name.endswith('.map'):
                    continue
                reason = why_not(path)
                if reason is None:
                    print(path)
                else:
                    print('bench: left out %s: %s' % (path, reason), file=sys.stderr)


if __name__ == '__main__':
    main(sys.argv[1:])
