#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Writes a valid map whose tile layers unpack to hundreds of megabytes, for the memory measurements.

    bench/bigmap.py OUT [MEGABYTES [EVERY]]     default 626, as the largest real map seen; a tile in every so many places,
                                                0 for none
"""
import struct
import sys
import zlib

SIDE = 2000
LAYER_BYTES = SIDE * SIDE * 4
VERSION, GROUP, LAYER, POINTS = 0, 4, 5, 6


def ints(*values):
    return struct.pack('<%di' % len(values), *values)


def name(text, words):
    """The editors' way of keeping text in ints: four bytes each, big-endian, plus 128, the last byte zero."""
    raw = bytes((byte + 128) & 255 for byte in text.encode().ljust(4 * words, b'\0'))
    raw = raw[:-1] + b'\0'
    return [struct.unpack('>i', raw[4 * i:4 * i + 4])[0] for i in range(words)]


def tile_layer(index, data, game):
    """Version 3 of a tile layer: white, no image, no envelope; the game layer has flag 1."""
    head = [0, 2, 0, 3, SIDE, SIDE, 1 if game else 0, 255, 255, 255, 255, -1, 0, -1, data]
    return LAYER, index, ints(*head, *name('Game' if game else 'Big', 3))


def tiles(every):
    layer = bytearray(LAYER_BYTES)
    for place in range(0, SIDE * SIDE if every else 0, every or 1):
        layer[4 * place] = 1 + place // every * 7919 % 255
    return bytes(layer)


def build(num_layers, every=0):
    items = [(VERSION, 0, ints(1)),
             (GROUP, 0, ints(3, 0, 0, 100, 100, 0, num_layers, 0, 0, 0, 0, 0, *name('Game', 3)))]
    items += [tile_layer(i, i, i == 0) for i in range(num_layers)]
    items.append((POINTS, 0, b''))
    block = zlib.compress(tiles(every), 6)
    return items, [(block, LAYER_BYTES)] * num_layers


def write(path, items, blocks):
    types, offsets, body = [], [], b''
    for index, (kind, number, data) in enumerate(items):
        if not types or types[-1][0] != kind:
            types.append([kind, index, 0])
        types[-1][2] += 1
        offsets.append(len(body))
        body += struct.pack('<Ii', kind << 16 | number, len(data)) + data
    data_offsets, total = [], 0
    for packed, _size in blocks:
        data_offsets.append(total)
        total += len(packed)
    tables = b''.join(ints(*row) for row in types) + ints(*offsets) + ints(*data_offsets)
    tables += ints(*(size for _packed, size in blocks))
    length = 36 + len(tables) + len(body) + total
    with open(path, 'wb') as out:
        out.write(b'DATA' + ints(4, length - 16, length - total - 16, len(types), len(items), len(blocks),
                                 len(body), total))
        out.write(tables + body)
        for packed, _size in blocks:
            out.write(packed)


if __name__ == '__main__':
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 626
    write(sys.argv[1], *build(megabytes * 1000000 // LAYER_BYTES + 1, int((sys.argv[3:] or [0])[0])))
