#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Writes a small map with a known object of every kind, with Python's zlib and nothing of teemap.

    make_map.py OUT             everything below
    make_map.py --hostile OUT   the same with texts that no terminal should see
    make_map.py --steering OUT  the same, and every text begins with a control character or one that turns the writing

What it holds is what the tests of the command line expect:
  image/0 'grass_main' external     image/1 'pic' 2x2 RGBA     image/2 'rgb' 2x1 RGB
  sound/0 'beep'    envelope/0 'move' position, bezier    envelope/1 'fade' color    envelope/2 'vol' sound
  0 'Back': quads, tiles with an automapper, a layer of unknown type
  1 'Game': game 4x3, tele, speedup, front, switch, tune
  2 'Noise': sounds, old-sounds
  an item of a UUID that nobody knows
"""
import itertools
import struct
import sys
import zlib

UUIDS = {
    'automapper': '3e1b2716178c39789bd9b11ae0410dd8',
    'bezier': '3ab4f84dd9cc3c78b5850d6ccdb2e25c',
    'stranger': '00112233445566778899aabbccddeeff',
}
WIDTH, HEIGHT = 4, 3
# What --steering puts before texts, one after the other: CSI as a byte and as UTF-8, directions, ends of lines, ESC, DEL, BOM.
STEERING = [b'\x9b31m', '\u009b2J'.encode()] + [c.encode() for c in '\u202e\u2066\u061c\u2028\u200f\u0085\x1b\x7f\ufeff\x07']
steered = None  # with --steering: the texts so far


def text_bytes(text):
    raw = text if isinstance(text, bytes) else text.encode()
    if steered is not None:
        steered.append(raw)
        raw = STEERING[len(steered) % len(STEERING)] + raw
    return raw


def name_ints(text, num):
    """A name in integers: each byte moved by 128, four to an integer, the last byte of all is the end."""
    raw = text_bytes(text)
    raw = (raw + bytes(num * 4))[:num * 4 - 1]
    moved = bytes((b + 128) & 255 for b in raw) + b'\0'
    return list(struct.unpack('>%di' % num, moved))


class Writer:
    def __init__(self):
        self.items = {}
        self.data = []
        self.types = {}

    def add(self, kind, ints):
        if isinstance(kind, str):
            kind = self.uuid_type(kind)
        run = self.items.setdefault(kind, [])
        run.append((len(run), ints))

    def uuid_type(self, name):
        if name not in self.types:
            self.types[name] = 0xfffe - len(self.types)
            ints = list(struct.unpack('>4i', bytes.fromhex(UUIDS[name])))
            self.items.setdefault(0xffff, []).append((self.types[name], ints))
        return self.types[name]

    def block(self, content):
        self.data.append(content)
        return len(self.data) - 1

    def text(self, content):
        return self.block(text_bytes(content) + b'\0')

    def pack(self, content):
        return zlib.compress(content)

    def size(self, content):
        return len(content)

    def bytes(self):
        table, offsets, body = b'', [], b''
        start = 0
        for kind in sorted(self.items):
            table += struct.pack('<3i', kind, start, len(self.items[kind]))
            start += len(self.items[kind])
            for number, ints in self.items[kind]:
                offsets.append(len(body))
                body += struct.pack('<Ii', kind << 16 | number, 4 * len(ints)) + struct.pack('<%di' % len(ints), *ints)
        packed = [self.pack(content) for content in self.data]
        *starts, size = itertools.accumulate(map(len, packed), initial=0)
        rest = table + struct.pack('<%di' % len(offsets), *offsets) + struct.pack('<%di' % len(starts), *starts)
        rest += struct.pack('<%di' % len(self.data), *map(self.size, self.data)) + body
        total = 36 + len(rest) + size
        head = struct.pack('<4s8i', b'DATA', 4, total - 16, total - size - 16, len(self.items), len(offsets),
                           len(self.data), len(body), size)
        return head + rest + b''.join(packed)


def tile_layer(out, flags, name, tiles, special=None, detail=0, image=-1):
    """Version 3 with all five places for the data of other layers, as DDNet writes it."""
    slots = [-1] * 5
    if special is None:
        data = out.block(tiles)
    else:
        data = out.block(bytes(4 * WIDTH * HEIGHT))
        slots[special] = out.block(tiles)
    out.add(5, [0, 2, detail, 3, WIDTH, HEIGHT, flags, 255, 200, 100, 255, -1, 0, image, data] + name_ints(name, 3) + slots)


def build(hostile):
    out = Writer()
    author = b'\x1b[31mred\xff' if hostile else 'Änne'
    group_name = b'\x1b]0;x\x07' if hostile else 'Back'
    settings = ['sv_team 1', '', 'mapbug grenade-doubleexplosion@ddnet.tw']
    if steered is not None:
        settings += STEERING
    out.add(0, [1])
    out.add(1, [1, out.text(author), out.text('1.2'), -1, out.text('CC0'),
                out.block(b''.join(text_bytes(s) + b'\0' for s in settings))])
    out.add(2, [1, 1024, 1024, 1, out.text('grass_main'), -1])
    pixels = bytes([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 128, 0, 0, 0, 0])
    out.add(2, [1, 2, 2, 0, out.text('pic'), out.block(pixels)])
    out.add(2, [2, 2, 1, 0, out.text('rgb'), out.block(bytes([1, 2, 3, 4, 5, 6])), 0])
    out.add(7, [1, 0, out.text('beep'), out.block(b'OggS not really'), 15])
    for channels, name, start, num in ((3, 'move', 0, 2), (4, 'fade', 2, 1), (1, 'vol', 3, 1)):
        out.add(3, [2, channels, start, num] + name_ints(name, 8) + [1])
    points = [[0, 5, 1024, 0, 92160, 0], [1000, 1, 2048, -1024, 0, 0], [0, 1, 1024, 1024, 1024, 512], [0, 0, 700, 0, 0, 0]]
    out.add(6, sum(points, []))
    out.add('bezier', [0] * 8 + [100, 0, 0, 0, 200, 0, 0, 0] + [-100, 0, 0, 0, -200, 0, 0, 0] + [0] * 8 + [0] * 32)
    groups = [(group_name, 0, 3), ('Game', 3, 6), ('Noise', 9, 2)]
    for name, start, num in groups:
        out.add(4, [3, 5, -6, 100 if name == 'Game' else 50, 100, start, num, 1 if name == 'Noise' else 0, 1, 2, 3, 4] +
                name_ints(name, 3))
    quad = [-1024, -1024, 1024, -1024, -1024, 1024, 1024, 1024, 0, 0] + [10, 20, 30, 40] * 4 + [0, 0, 1024, 0, 0, 1024, 1024, 1024]
    quad += [0, 250, 1, -250]
    out.add(5, [0, 3, 0, 2, 1, out.block(struct.pack('<38i', *quad)), 1] + name_ints('Sky', 3))
    tile_layer(out, 0, 'Deco', bytes([7, 9, 0, 0]) * (WIDTH * HEIGHT), detail=1, image=0)
    out.add(5, [0, 77, 0, 1, 2, 3])
    game = [[0, 1, 2, 3], [192, 193, 0, 255], [1, 1, 1, 1]]
    tile_layer(out, 1, 'Game', b''.join(bytes([index, 0, 0, 0]) for row in game for index in row))
    tile_layer(out, 2, 'Tele', bytes([5, 26]) * (WIDTH * HEIGHT), 0)
    tile_layer(out, 4, 'Speedup', struct.pack('<4Bh', 10, 20, 28, 0, -90) * (WIDTH * HEIGHT), 1)
    tile_layer(out, 8, 'Front', bytes([3, 1, 0, 0]) * (WIDTH * HEIGHT), 2)
    tile_layer(out, 16, 'Switch', bytes([1, 22, 2, 9]) * (WIDTH * HEIGHT), 3)
    tile_layer(out, 32, 'Tune', bytes([4, 68]) * (WIDTH * HEIGHT), 4)
    source = [32768, 65536, 1, 1, 3, 128, -1, 0, 2, 10, 1, 500, 0]
    out.add(5, [0, 10, 0, 2, 1, out.block(struct.pack('<13i', *source)), 0] + name_ints('Beeps', 3))
    out.add(5, [0, 9, 0, 1, 1, out.block(struct.pack('<9i', 1, 2, 0, 4, 500, -1, 0, -1, 0)), 0] + name_ints('Old', 3))
    out.add('automapper', [1, 0, 1, 3, 42, 1])
    out.add('stranger', [11, 22])
    return out.bytes()


def main(arguments):
    global steered
    hostile = arguments[:1] == ['--hostile']
    steered = [] if arguments[:1] == ['--steering'] else None
    path = arguments[-1:]
    if not path or len(arguments) != 1 + (hostile or steered is not None):
        print(__doc__, file=sys.stderr)
        return 2
    with open(path[0], 'wb') as file:
        file.write(build(hostile))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
