#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""hostile_maps.py [-v VARIANT] FOLDER [NAME...]: writes small maps that ask for much work or memory, FOLDER/<name>.map. NAMES says what
each does. The variants 0, 1, 2 of a map are of the same design and different everywhere: for commands that compare maps."""
import random
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
    'sounds': '5000 sounds share a block of 16 MiB',
    'physics': 'four layers of 4096 x 4096 tiles of physics',
    'many_quads': '100 quad layers share 20000 quads',
    'unknown': '50,000 server commands that nobody knows',
    'claims': 'an author, a picture, a sound and layers that claim up to 1 GiB and hold nothing',
    'false_sizes': 'images that claim more pixels than they have, which layers show next to a good one',
    'extreme': '2000 quads with the largest coordinates',
    'pictures': '16,000 images share a block',
    'copies': '4000 images share a block: about as many as extract unpacks',
    'external': '15,000 external images',
    'unused': '50 large images that nobody uses',
    'layers': '9000 layers of the oldest kind, 200 of them distinct',
    'motion': 'a quad that moves over layers as large',
    'wide': 'four sparse layers as large as the game layer, 256 MiB each',
    'moving': 'a quad with an envelope between the least and the largest numbers',
    'noise': '1000 x 1000 tiles of an image that no PNG makes smaller',
    'covers': '45 quads that cover the screen, and one that moves',
    'points': '300 envelopes with 10,000 points that they have in common',
    'hard_quads': '360,000 quads that differ in a number: the hardest levels of packing look at all earlier ones for each byte',
    'curves': 'as points, with Bezier curves, and each envelope begins at another point',
}

variant = 0


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


def runs_of(index):
    return bytes([index, 0, 255, 0])


def runs(out, num_tiles, index=0):
    return out.packed(num_tiles // 256 * 4, [runs_of(index) * (num_tiles // 256)])


def alternate():
    out = start(1001)
    little_game(out)
    data = out.block((bytes([1 + variant, 0, 0, 0]) + bytes([2, 0, 0, 0])) * (1024 * 512))
    for _ in range(1000):
        tiles(out, data, 1024, 1024)
    return out


def teles():
    out = start(21)
    little_game(out)
    data = out.packed(512 << 20, (bytes([variant]) * (1 << 20) for _ in range(512)))
    for _ in range(20):
        tiles(out, -1, 16384, 16384, flags=2, slots=(data, -1, -1, -1, -1))
    return out


def five_of_runs():
    out = start(6)
    little_game(out)
    data = runs(out, 1 << 28, variant)
    for _ in range(5):
        tiles(out, data, 16384, 16384, version=4)
    return out


def shared_quads(corners, num):
    """100 layers that share `num` quads."""
    out = start(101)
    little_game(out)
    quad = [corner + variant for corner in corners] + [0, 0] + [10, 20, 30, 40] * 4 + [0, 0, 1024, 0, 0, 1024, 1024, 1024]
    data = out.block(struct.pack('<38i', *quad, -1, 0, -1, 0) * num)
    for _ in range(100):
        out.add(5, [0, 3, 0, 2, num, data, -1] + make_map.name_ints('', 3))
    return out


def quads():
    far = 4096 << 10
    return shared_quads([-far, -far, far, -far, -far, far, far, far], 5000)


def large(num_layers=5):
    out = start(num_layers)
    little_game(out)
    for index in range(1, 5):
        tiles(out, runs(out, 1 << 26, index + variant), 8192, 8192, version=4)
    return out


def motion():
    out = large(6)
    out.add(3, [1, 3, 0, 2] + make_map.name_ints('', 8))
    out.add(6, [0, 1, 0, 0, 0, 0] + [7300, 1, 1 << 20, 0, 0, 0])
    side = 1 << 18
    quad_item(out, [0, 0, side, 0, 0, side, side, side, 0, 0] + [255] * 16 + [0] * 8 + [0, 0, -1, 0], 1)
    return out


def wide():
    out = start(5)
    tiles(out, runs(out, 1 << 26), 8192, 8192, version=4, flags=1)
    for index in range(1, 5):
        block = runs_of(0) * (1023 - variant) + runs_of(index) + runs_of(0) * variant
        tiles(out, out.packed(1 << 20, [block] * 256), 8192, 8192, version=4)
    return out


def game():
    out = start(1)
    tiles(out, runs(out, 1 << 28, variant), 16384, 16384, version=4, flags=1)
    return out


def commands():
    out = start(1)
    little_game(out)
    out.add(1, [1, -1, -1, -1, -1, out.block((b'\0' if not variant else b'%d\0' % variant) * (1000 * 1000 // (2 if variant else 1)))])
    return out


def unknown():
    out = start(1)
    little_game(out)
    text = b''.join(b'%x\0' % ((i + 50000 * variant) * 2654435761 % (1 << 32)) for i in range(50000))
    out.add(1, [1, -1, -1, -1, -1, out.block(text)])
    return out


def claims():
    out = start(3)
    nothing = zlib.compress(b'')
    out.add(1, [1, out.block((1 << 30, nothing)), -1, -1, -1, -1])
    out.add(2, [1, 16384, 16384, 0, out.text('picture'), out.block((1 << 30, nothing))])
    out.add(7, [1, 0, out.text('sound'), out.block((1 << 30, nothing)), 1 << 30])
    tiles(out, out.block((1 << 30, nothing)), 16384, 16384, flags=1)
    tiles(out, out.block((1 << 30, nothing)), 16384, 16384)
    tiles(out, out.block((4, nothing)), 16384, 16384, version=4)
    return out


def false_sizes():
    sizes = [(16384, 16384), (32768, 32768), (100000, 100000), (2147483647, 1), (1, 2147483647), (5000, 5000)]
    out = start(3 + 2 * len(sizes))
    little_game(out)
    for number, (width, height) in enumerate([(16, 16)] + sizes):
        out.add(2, [1, width, height, 0, out.text('i%d' % number), out.block(bytes([200, 100 + number, 50, 255]) * 256)])
    for number in range(1 + len(sizes)):
        data = out.block(bytes([1, 0, 0, 0]) * 2500)
        out.add(5, [0, 2, 0, 3, 50, 50, 0, 255, 255, 255, 255, -1, 0, number, data] + make_map.name_ints('', 3) + [-1] * 5)
        quad_item(out, [0, 0, 1 << 17, 0, 0, 1 << 17, 1 << 17, 1 << 17, 0, 0] + [255] * 16 + [0] * 8 + [-1, 0, -1, 0], 1, number)
    return out


def quad_item(out, quad, num, image=-1):
    out.add(5, [0, 3, 0, 2, num, out.block(struct.pack('<38i', *quad) * num), image] + make_map.name_ints('', 3))


def extreme():
    out = start(2)
    little_game(out)
    far = 0x7fffffff - variant
    quad_item(out, [-far, -far, far, -far, -far, far, far, far, 0, 0] + [255, 200, 100, 40] * 4 +
              [-far, -far, far, -far, -far, far, far, far] + [-1, 0, -1, 0], 2000)
    return out


def images(num, size, of):
    out = start(1)
    little_game(out)
    for i in range(num):
        out.add(2, [1, size, size, 0 if of else 1, out.text('i%d' % i), of(out, i) if of else -1])
    return out


def pictures(num=16000):
    shared = []

    def block(out, _):
        if not shared:
            shared.append(out.packed(256 * 256 * 4, [bytes([200, 100, 50 + variant, 255]) * 65536]))
        return shared[0]
    return images(num, 256, block)


def copies():
    return pictures(4000)


def external():
    return images(15000, 64, None)


def unused():
    return images(50, 2048, lambda out, i: out.packed(2048 * 2048 * 4, [bytes([i, 100, 50 + variant, 255]) * (2048 * 2048)]))


def layers():
    out = start(9001)
    little_game(out)
    blocks = [out.block(bytes([1 + i, variant, 0, 0]) * (100 * 100)) for i in range(200)]
    for i in range(9000):
        out.add(5, [0, 2, 0, 2, 100, 100, 0, 255, 255, 255, 255, -1, 0, -1, blocks[i % 200]])
    return out


def sounds():
    out = start(1)
    little_game(out)
    name, data = out.block(b's\0'), out.packed(16 << 20, (bytes([variant]) * (1 << 20) for _ in range(16)))
    for _ in range(5000):
        out.add(7, [1, 0, name, data, 16 << 20])
    return out


def physics():
    out = start(4)
    side = 4096
    game, tele, speedup = (out.packed(len(tile) * side * side, (tile * side for _ in range(side)))
                           for tile in (bytes([1 + variant, 0, 0, 0]), bytes([1 + variant, 26]), bytes([1, 2 + variant, 28, 0, 5, 0])))
    tiles(out, game, side, side, flags=1)
    tiles(out, game, side, side, flags=2, slots=(tele, -1, -1, -1, -1))
    tiles(out, game, side, side, flags=4, slots=(-1, speedup, -1, -1, -1))
    tiles(out, game, side, side, flags=8, slots=(-1, -1, game, -1, -1))
    return out


def many_quads():
    return shared_quads([0, 0, 1 << 20, 0, 0, 1 << 20, 1 << 20, 1 << 20], 20000)


def moving():
    out = start(2)
    little_game(out)
    least, most = -(1 << 31), (1 << 31) - 1
    out.add(3, [1, 3, 0, 2] + make_map.name_ints('', 8))
    out.add(6, [0, 0, least, most, least, 0] + [most, 1, most, least, most, 0])
    quad_item(out, [0, 0, 1 << 20, 0, 0, 1 << 20, 1 << 20, 1 << 20, 0, 0] + [255] * 16 + [0] * 8 + [0, least, -1, 0], 1)
    return out


def noise():
    out = start(2)
    little_game(out)
    numbers = random.Random(1 + variant)
    out.add(2, [1, 448, 448, 0, out.text('noise'), out.block(numbers.randbytes(448 * 448 * 4))])
    tiles_of_it = bytes(n for _ in range(4096) for n in (numbers.randrange(1, 256), numbers.randrange(4), 0, 0)) * 245
    out.add(5, [0, 2, 0, 3, 1000, 1000, 0, 255, 255, 255, 255, -1, 0, 0, out.block(tiles_of_it[:4 * 1000 * 1000])] + make_map.name_ints('', 3) + [-1] * 5)
    return out


def covers():
    out = start(3)
    little_game(out)
    out.add(3, [1, 3, 0, 2] + make_map.name_ints('', 8))
    out.add(6, [0, 1, 0, 0, 0, 0] + [20000, 1, 1 << 20, 0, 0, 0])
    far, side = (1 << 22) + variant, 1 << 15
    quad_item(out, [-far, -far, far, -far, -far, far, far, far, 0, 0] + [10, 20, 30, 40] * 4 + [0, 0, 1024, 0, 0, 1024, 1024, 1024] + [-1, 0, -1, 0], 45)
    quad_item(out, [0, 0, side, 0, 0, side, side, side, 0, 0] + [255] * 16 + [0] * 8 + [0, 0, -1, 0], 1)
    return out


def envelopes(curve):
    """Points that all envelopes have; those of a variant have other values."""
    out = start(1)
    little_game(out)
    num = 10000
    for i in range(300):
        first = i if curve == 5 else 0
        out.add(3, [2, 4, first, num - first] + make_map.name_ints('', 8) + [1])
    out.add(6, [n for i in range(num) for n in (i * 10, curve, (i * 7 + variant * 13) % 1024, i % 1000 + variant, 3, 4)])
    if curve == 5:
        out.add('bezier', [n for i in range(num) for n in ([variant - 5] * 8 + [5] * 8)])
    return out


def hard_quads():
    out = start(2)
    little_game(out)
    num, corners = 360000, [0, 0, 32768, 0, 0, 32768, 32768, 32768 + variant, 0, 0]
    head, tail = struct.pack('<34i', *corners, *[10, 20, 30, 40] * 4, 0, 0, 1024, 0, 0, 1024, 1024, 1024), struct.pack('<2i', -1, 0)
    data = out.packed(num * 152, (head + struct.pack('<2i', -1, i) + tail for i in range(num)))
    out.add(5, [0, 3, 0, 2, num, data, -1] + make_map.name_ints('', 3))
    return out


def points():
    return envelopes(1)


def curves():
    return envelopes(5)


def main(arguments):
    global variant
    if arguments[0] == '-v':
        variant = int(arguments[1])
        arguments = arguments[2:]
    makers = {'alternate': alternate, 'teles': teles, 'runs': five_of_runs, 'quads': quads, 'large': large, 'game': game,
              'commands': commands, 'sounds': sounds, 'physics': physics, 'many_quads': many_quads,
              'unknown': unknown, 'claims': claims, 'false_sizes': false_sizes, 'extreme': extreme, 'pictures': pictures, 'copies': copies, 'external': external, 'unused': unused,
              'layers': layers, 'motion': motion, 'wide': wide, 'moving': moving, 'noise': noise, 'covers': covers, 'points': points, 'hard_quads': hard_quads, 'curves': curves}
    assert makers.keys() == NAMES.keys()
    for name in arguments[1:] or makers:
        with open('%s/%s.map' % (arguments[0], name), 'wb') as file:
            file.write(makers[name]().bytes())


if __name__ == '__main__':
    main(sys.argv[1:])
