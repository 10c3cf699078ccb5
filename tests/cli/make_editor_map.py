#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Writes maps byte for byte as the editor of DDNet saves them (docs/format.md), with Python's zlib and nothing of teemap.

    make_editor_map.py SEED OUT

SEED 0 has one of everything, other seeds some of it. With --plain the map has the same content, but items of old
lengths and versions, and no automapper items that say nothing.
"""
import random
import struct
import sys
import zlib

VERSION, INFO, IMAGE, ENVELOPE, GROUP, LAYER, POINTS, SOUND = range(8)
INDEX = 0xffff
UUIDS = {'automapper': '3e1b2716178c39789bd9b11ae0410dd8', 'bezier': '3ab4f84dd9cc3c78b5850d6ccdb2e25c'}
TILES, QUADS, SOUNDS = 2, 3, 10
# Of physics layers: the bit of the kind, bytes of a tile, place of its data after the name, what it is called.
PHYSICS = [(2, 2, 0, 'Tele'), (4, 6, 1, 'Speedup'), (8, 4, 2, 'Front'), (16, 4, 3, 'Switch'), (32, 2, 4, 'Tune')]


class Writer:
    """The container: items by type in the order of the calls, data in theirs, packed at zlib's usual level."""

    def __init__(self):
        self.items, self.data, self.numbers = {}, [], {}

    def add(self, kind, number, ints):
        if isinstance(kind, str):
            if kind not in self.numbers:
                self.numbers[kind] = INDEX - 1 - len(self.numbers)
                self.add(INDEX, self.numbers[kind], struct.unpack('>4i', bytes.fromhex(UUIDS[kind])))
            kind = self.numbers[kind]
        self.items.setdefault(kind, []).append((number, struct.pack('<%di' % len(ints), *ints)))

    def add_data(self, raw):
        self.data.append((len(raw), zlib.compress(raw)))
        return len(self.data) - 1

    def add_text(self, text):
        return self.add_data(text.encode() + b'\0') if text else -1

    def file(self):
        types, offsets, items, start, at = b'', [], b'', 0, 0
        for kind in sorted(self.items):
            run = self.items[kind]
            types += struct.pack('<3i', kind, start, len(run))
            start += len(run)
            for number, body in run:
                offsets.append(len(items))
                items += struct.pack('<Ii', kind << 16 | number, len(body)) + body
        data_offsets = []
        for _, packed in self.data:
            data_offsets.append(at)
            at += len(packed)
        table = types + struct.pack('<%di' % len(offsets), *offsets)
        table += struct.pack('<%di' % len(data_offsets), *data_offsets)
        table += struct.pack('<%di' % len(self.data), *(size for size, _ in self.data))
        size = 36 + len(table) + len(items) + at
        head = b'DATA' + struct.pack('<8i', 4, size - 16, size - at - 16, len(self.items), len(offsets), len(self.data),
                                     len(items), at)
        return head + table + items + b''.join(packed for _, packed in self.data)


def name_ints(text, num):
    raw = (text.encode() + bytes(num * 4))[:num * 4 - 1]
    return list(struct.unpack('>%di' % num, bytes(b ^ 0x80 for b in raw) + b'\0'))


class Maker:
    def __init__(self, seed, plain):
        self.chance = random.Random(seed)
        self.full, self.plain = seed == 0, plain
        self.out = Writer()
        self.automappers = self.layers = 0

    def some(self, most, least=0):
        return most if self.full else self.chance.randint(least, most)

    def flip(self):
        return self.full or self.chance.random() < 0.5

    def bytes(self, size):
        """Half of them long runs, half noise, as maps are."""
        raw = bytearray()
        while len(raw) < size:
            raw += bytes([self.chance.randrange(256)]) * self.chance.choice([1, 1, 1, 2, 3, 5, 40, 300])
        return bytes(raw[:size])

    def write_info(self):
        texts = [self.out.add_text(text if self.flip() else '') for text in ('nameless tee', '1.0 é', 'x' * 127, 'CC0')]
        settings = [b'sv_deepfly 0', b'', b'tune gravity 0.5', b'x'] if self.flip() else []
        settings = self.out.add_data(b''.join(s + b'\0' for s in settings)) if settings else -1
        self.out.add(INFO, 0, [1] + texts + [settings])

    def write_images(self):
        self.images = []
        for i in range(self.some(3)):
            external = i % 2
            width, height = (1024, 1024) if external else (16 * (i + 1), 32)
            name = self.out.add_text('abc'[i] * (i + 1))
            pixels = -1 if external else self.out.add_data(self.bytes(width * height * 4))
            self.out.add(IMAGE, i, [1, width, height, external, name, pixels])
            self.images.append(i)

    def write_sounds(self):
        self.sounds = self.some(2)
        for i in range(self.sounds):
            raw = b'OggS' + self.bytes(100 + 57 * i)
            name = self.out.add_text('sound %d' % i)
            self.out.add(SOUND, i, [1, 0, name, self.out.add_data(raw), len(raw)])

    def write_automapper(self, group, layer):
        config, seed, flags = (2, 7, 1) if self.flip() and layer % 2 else (-1, 0, 0)
        if self.plain and config < 0:
            return
        self.out.add('automapper', self.automappers, [1, group, layer, config, seed, flags])
        self.automappers += 1

    def write_tiles(self, bit, width, height, place=None, size=4, name=''):
        color = [255] * 4 if bit else [10, 200, 30, 250]
        envelope = 0 if not bit and self.envelopes and self.flip() else -1
        image = self.images[0] if not bit and self.images and self.flip() else -1
        raw = self.make_tiles(bit, width * height, size)
        data = self.out.add_data(bytes(width * height * 4) if place is not None else raw)
        special = [-1] * 5
        if place is not None:
            special[place] = self.out.add_data(raw)
        ints = [0, TILES, int(not bit and self.flip()), 3, width, height, bit] + color
        ints += [envelope, -15 if envelope == 0 else 0, image, data] + name_ints(name, 3) + special
        if self.plain and not bit and not name:
            ints = ints[:3] + [2] + ints[4:15]
        self.out.add(LAYER, self.layers, ints)

    def make_tiles(self, bit, num, size):
        raw = bytearray(self.bytes(num * size))
        for i in range(0, num * size, size):
            if size == 6:
                raw[i + 3] = 0
            elif bit in (0, 1, 8):
                raw[i + 1] &= 11
                raw[i + 2] = raw[i + 3] = 0
        return bytes(raw)

    def write_quads(self, num):
        quads = b''
        for i in range(num):
            ints = [self.chance.randint(-99999, 99999) for _ in range(10)]
            ints += [self.chance.randint(0, 255) for _ in range(16)] + [0, 0, 1024, 0, 0, 1024, 1024, 1024]
            quads += struct.pack('<38i', *ints, -1, 0, -1, 9 * i)
        data = self.out.add_data(quads or bytes(152))
        image = self.images[-1] if self.images else -1
        self.out.add(LAYER, self.layers, [0, QUADS, 1, 2, num, data, image] + name_ints('Q%d' % num, 3))

    def write_sources(self, num):
        raw = b''
        for i in range(num):
            shape = [1, 50, 0] if i % 2 else [0, 5000 * 1024, 300 * 1024]
            raw += struct.pack('<13i', 1000 * i, -5, 1, i % 2, 3, 90, -1, 0, -1, 0, *shape)
        data = self.out.add_data(raw or bytes(52))
        sound = 0 if self.sounds else -1
        self.out.add(LAYER, self.layers, [0, SOUNDS, 0, 2, num, data, sound] + name_ints('S', 3))

    def write_layers(self, group):
        """The layers of a group, and how many they are."""
        kinds = []
        if group == 1:
            width, height = 5 + self.some(9), 7 + self.some(4)
            physics = [row for row in PHYSICS if self.flip()]
            kinds = [lambda: self.write_tiles(1, width, height, None, 4, 'Game')]
            kinds += [lambda row=row: self.write_tiles(row[0], width, height, row[2], row[1], row[3]) for row in physics]
        for i in range(self.some(3, 1 - (group == 1))):
            kinds.append(lambda i=i: self.write_tiles(0, 3 + i, 4, None, 4, 'design' if i == 1 else ''))
        for num in (2, 0):
            if self.flip():
                kinds.append(lambda num=num: self.write_quads(num))
                kinds.append(lambda num=num: self.write_sources(num))
        if group != 1:
            self.chance.shuffle(kinds)
        for number, kind in enumerate(kinds):
            first = len(self.out.items.get(LAYER, []))
            kind()
            body = struct.unpack_from('<7i', self.out.items[LAYER][first][1])
            if body[1] == TILES and body[6] == 0:
                self.write_automapper(group, number)
            self.layers += 1
        return len(kinds)

    def write_groups(self):
        for group in range(2 + self.some(1)):
            start, num = self.layers, self.write_layers(group)
            place = [0, 0, 100, 100] if group == 1 else [-16, 5, 50 * group, 90]
            clip = [0, 0, 0, 0, 0] if group == 1 else [1, 32, -64, 320, 200]
            name = 'Game' if group == 1 else 'Käse' if group else ''
            ints = [3] + place + [start, num] + clip + name_ints(name, 3)
            if self.plain and not name:
                ints = [2] + ints[1:12]
            self.out.add(GROUP, group, ints)

    def write_envelopes(self):
        bezier = self.full or self.chance.random() < 0.3
        points, tangents, start = [], [], 0
        for i, channels in enumerate([4, 3, 1][:self.envelopes]):
            num = self.some(4, 1)
            curves = [5 if bezier and k == 1 else k % 5 for k in range(num)]
            self.out.add(ENVELOPE, i, [2, channels, start, num] + name_ints('env %d' % i, 8) + [i % 2])
            for k, curve in enumerate(curves):
                values = [(100 * k + c) if c < channels else 0 for c in range(4)]
                points += [500 * k, curve] + values
                arrives = [-11, 0, 0, 0, 22, 0, 0, 0] if k and curves[k - 1] == 5 else [0] * 8
                leaves = [33, 0, 0, 0, -44, 0, 0, 0] if curve == 5 else [0] * 8
                tangents += arrives + leaves
            start += num
        self.out.add(POINTS, 0, points)
        if 5 in points[1::6]:
            self.out.add('bezier', 0, tangents)

    def make(self):
        self.envelopes = self.some(3)
        self.out.add(VERSION, 0, [1])
        self.write_info()
        self.write_images()
        self.write_sounds()
        self.write_groups()
        self.write_envelopes()
        return self.out.file()


def main():
    words = sys.argv[1:]
    plain = '--plain' in words
    words = [word for word in words if word != '--plain']
    with open(words[1], 'wb') as out:
        out.write(Maker(int(words[0]), plain).make())


main()
