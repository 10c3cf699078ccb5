#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""hostile_maps.py FOLDER: writes small maps that ask for much work or memory, FOLDER/<name>.map. NAMES says what each does."""
import struct
import sys
import zlib

import make_map

NAMES = {
    'alternate': '1000 layers share a block of tiles that no run shortens',
    'teles': '20 tele layers share a block of 512 MiB',
    'runs': 'five layers of version 4 share a block of 1 GiB',
    'quads': '100 quad layers share 5000 quads that cover the screen',
    'large': 'four layers of version 4, 256 MiB each, of different blocks',
    'game': 'a game layer of a quarter of a billion tiles',
    'commands': 'a million empty server commands',
}


class Writer(make_map.Writer):
    """Blocks are handed over packed, for some are large."""

    def packed(self, size, chunks):
        stream = zlib.compressobj(9)
        parts = [stream.compress(chunk) for chunk in chunks]
        return self.block((size, b''.join(parts) + stream.flush()))

    def block(self, content):
        if isinstance(content, bytes):
            content = (len(content), zlib.compress(content, 9))
        self.data.append(content)
        return len(self.data) - 1

    def pack(self, content):
        return content[1]

    def size(self, content):
        return content[0]


def start(num_layers):
    out = Writer()
    out.add(0, [1])
    out.add(4, [3, 0, 0, 100, 100, 0, num_layers, 0, 0, 0, 0, 0] + make_map.name_ints('', 3))
    return out


def tiles(out, data, width, height, version=3, flags=0, slots=(-1, -1, -1, -1, -1)):
    out.add(5, [0, 2, 0, version, width, height, flags, 255, 255, 255, 255, -1, 0, -1, data] + make_map.name_ints('', 3) +
            list(slots))


def little_game(out):
    tiles(out, out.block(bytes(4 * 50 * 50)), 50, 50, flags=1)


def runs(out, num_tiles, index=0):
    entry = bytes([index, 0, 255, 0])
    return out.packed(num_tiles // 256 * 4, [entry * (num_tiles // 256)])


def alternate():
    out = start(1001)
    little_game(out)
    data = out.block((bytes([1, 0, 0, 0]) + bytes([2, 0, 0, 0])) * (1024 * 512))
    for _ in range(1000):
        tiles(out, data, 1024, 1024)
    return out


def teles():
    out = start(21)
    little_game(out)
    data = out.packed(512 << 20, (bytes(1 << 20) for _ in range(512)))
    for _ in range(20):
        tiles(out, -1, 16384, 16384, flags=2, slots=(data, -1, -1, -1, -1))
    return out


def five_of_runs():
    out = start(6)
    little_game(out)
    data = runs(out, 1 << 28)
    for _ in range(5):
        tiles(out, data, 16384, 16384, version=4)
    return out


def quads():
    out = start(101)
    little_game(out)
    far = 4096 << 10
    quad = [-far, -far, far, -far, -far, far, far, far, 0, 0] + [10, 20, 30, 40] * 4 + [0, 0, 1024, 0, 0, 1024, 1024, 1024]
    data = out.block(struct.pack('<38i', *quad, -1, 0, -1, 0) * 5000)
    for _ in range(100):
        out.add(5, [0, 3, 0, 2, 5000, data, -1] + make_map.name_ints('', 3))
    return out


def large():
    out = start(5)
    little_game(out)
    for index in range(1, 5):
        tiles(out, runs(out, 1 << 26, index), 8192, 8192, version=4)
    return out


def game():
    out = start(1)
    tiles(out, runs(out, 1 << 28), 16384, 16384, version=4, flags=1)
    return out


def commands():
    out = start(1)
    little_game(out)
    out.add(1, [1, -1, -1, -1, -1, out.block(bytes(1000 * 1000))])
    return out


def main(arguments):
    makers = {'alternate': alternate, 'teles': teles, 'runs': five_of_runs, 'quads': quads, 'large': large, 'game': game,
              'commands': commands}
    assert makers.keys() == NAMES.keys()
    for name, make in makers.items():
        with open('%s/%s.map' % (arguments[0], name), 'wb') as file:
            file.write(make().bytes())


if __name__ == '__main__':
    main(sys.argv[1:])
