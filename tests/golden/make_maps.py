#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Writes the maps behind the screenshots of this folder, with art that is painted here.

    make_maps.py [NAME]...      into maps/ beside this file; all of them if none is named

README.md says what each is good for.
"""
import math
import struct
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'cli'))
import make_map  # noqa: E402  the writer of datafiles

GAME, TELE, SPEEDUP, FRONT, SWITCH, TUNE = 1, 2, 4, 8, 16, 32
X, Y, OPAQUE, TURN = 1, 2, 4, 8
SLOTS = {TELE: 0, SPEEDUP: 1, FRONT: 2, SWITCH: 3, TUNE: 4}
WHITE = (255, 255, 255, 255)
STEP, LINEAR, SLOW, FAST, SMOOTH, BEZIER = range(6)

# ---------------------------------------------------------------------------------------------------------- art


def paint(width, height, color_at):
    return b''.join(bytes(max(0, min(255, int(c))) for c in color_at(x, y)) for y in range(height) for x in range(width))


def hue(turn):
    return [int(127.5 + 127.5 * math.cos(2 * math.pi * (turn - k / 3))) for k in range(3)]


def sheet(width, height):
    """A sheet of tiles: each another hue, a diagonal and one dark corner tell how it is turned; columns 0 to 7 are
    opaque, 8 to 11 half clear, 12 to 15 have a disc in front of clear green."""
    def color_at(x, y):
        w, h = width / 16, height / 16
        column, row = int(x / w), int(y / h)
        u, v = (x + 0.5) / w - column, (y + 0.5) / h - row
        color = hue((column + row / 3) / 16)
        alpha = 255
        if u < 0.3 and v < 0.3:
            color = [20, 20, 60]
        elif abs(u - v) < 0.1:
            color = [250, 250, 240]
        if 8 <= column < 12:
            alpha = 40 + 150 * v
        elif column >= 12 and math.hypot(u - 0.5, v - 0.5) > 0.42:
            color, alpha = [0, 255, 0], 0
        return color + [alpha]
    return paint(width, height, color_at)


def flag(width, height):
    """A picture for quads: its four corners differ, rings show how it is bent."""
    def color_at(x, y):
        u, v = (x + 0.5) / width, (y + 0.5) / height
        ring = int(math.hypot(u - 0.4, v - 0.6) * 12) % 2
        alpha = 255 if v < 0.75 else 255 - 230 * u
        return [60 + 180 * u, 60 + 180 * v, 230 if ring else 40, alpha]
    return paint(width, height, color_at)


def rgb_flag(width, height):
    """The same without alpha, three bytes a pixel."""
    pixels = flag(width, height)
    return b''.join(pixels[i:i + 3] for i in range(0, len(pixels), 4))


# --------------------------------------------------------------------------------------------------------- maps


class Map:
    """Groups, layers and the rest in the order in which they are added. `seven`: as Teeworlds 0.7 writes it."""

    def __init__(self, seven=False):
        self.out, self.seven = make_map.Writer(), seven
        self.groups, self.num_layers = [], 0
        self.points, self.num_points, self.envelopes = [], 0, []
        self.num_images = 0
        self.out.add(0, [1])

    def image(self, name, pixels=None, width=0, height=0, rgb=False):
        data = -1 if pixels is None else self.out.block(pixels)
        item = [1, width or 64, height or 64, int(pixels is None), self.out.text(name), data]
        if rgb:
            item = [2] + item[1:] + [0]
        self.out.add(2, item)
        self.num_images += 1
        return self.num_images - 1

    def envelope(self, channels, points, name=''):
        """points: (time, curve, values[, in and out tangents: four lists of (dx, dy)...])"""
        self.envelopes.append((channels, len(self.points), len(points), name))
        self.points += points
        return len(self.envelopes) - 1

    def group(self, name, parallax=(100, 100), offset=(0, 0), clip=None):
        self.groups.append([name, parallax, offset, clip, self.num_layers, 0])

    def layer(self, item):
        self.out.add(5, item)
        self.groups[-1][5] += 1
        self.num_layers += 1

    def tiles(self, rows, image=-1, color=WHITE, envelope=-1, offset=0, detail=0, name=''):
        """rows: lists of index or (index, flags)"""
        pairs = [[t if isinstance(t, tuple) else (t, 0) for t in row] for row in rows]
        self.tile_item(0, bytes(b for row in pairs for t in row for b in (t[0], t[1], 0, 0)), len(rows[0]), len(rows),
                       image, color, envelope, offset, detail, name)

    def tile_item(self, flags, content, width, height, image=-1, color=WHITE, envelope=-1, offset=0, detail=0, name='',
                  special=None):
        if self.seven:
            content = b''.join(content[i:i + 4] for i in range(0, len(content), 4))
        version = 4 if self.seven else 3
        item = [0, 2, detail, version, width, height, flags] + list(color) + [envelope, offset, image, self.out.block(content)]
        item += make_map.name_ints(name, 3)
        if not self.seven:
            slots = [-1] * 5
            if special is not None:
                slots[SLOTS[flags]] = self.out.block(special)
            item += slots
        self.layer(item)

    def physics(self, flags, rows, entry='4B'):
        """rows: tuples as the layer's own data have them"""
        width, height = len(rows[0]), len(rows)
        content = b''.join(struct.pack('<' + entry, *t) for row in rows for t in row)
        names = {GAME: 'Game', TELE: 'Tele', SPEEDUP: 'Speedup', FRONT: 'Front', SWITCH: 'Switch', TUNE: 'Tune'}
        plain = content if flags == GAME else bytes(4 * width * height)
        self.tile_item(flags, plain, width, height, name=names[flags], special=None if flags == GAME else content)

    def game(self):
        """A game layer that holds nothing but a place to start from and a floor. Teeworlds' camera, which can only be
        driven into corners, is then 792 px from the left and from the top in the corner se."""
        width = height = 31 if self.seven else 50
        rows = [[(0, 0, 0, 0)] * width for _ in range(height)]
        rows[height // 2][width // 2] = (192, 0, 0, 0)
        rows[height // 2 + 1] = [(1, 0, 0, 0)] * width
        self.physics(GAME, rows)

    def quads(self, quads, image=-1, detail=0, name=''):
        content = b''.join(struct.pack('<38i', *quad) for quad in quads)
        self.layer([0, 3, detail, 2, len(quads), self.out.block(content), image] + make_map.name_ints(name, 3))

    def bytes(self):
        wide = any(len(p) > 3 for p in self.points)
        for channels, start, num, name in self.envelopes:
            self.out.add(3, [3 if wide else 2, channels, start, num] + make_map.name_ints(name, 8) + [1])
        ints = []
        for time, curve, values, *tangents in self.points:
            ints += [time, curve] + list(values) + [0] * (4 - len(values))
            if wide:  # in dx, in dy, out dx, out dy, four channels each
                ints += sum((list(t) for t in tangents), []) if tangents else [0] * 16
        self.out.add(6, ints)
        for name, parallax, offset, clip, start, num in self.groups:
            self.out.add(4, [3, *offset, *parallax, start, num, int(clip is not None), *(clip or (0, 0, 0, 0))] +
                         make_map.name_ints(name, 3))
        return self.out.bytes()


def fixed(value):
    return round(value * 1024)


def quad(corners, colors=WHITE, texture=(0, 0, 1, 1), pivot=None, position=(-1, 0), color=(-1, 0)):
    """corners: four points (top left, top right, bottom left, bottom right) or a rectangle (x, y, w, h), in px.
    colors: one or four. texture: a rectangle of u, v, or four points."""
    if len(corners) == 4 and not isinstance(corners[0], tuple):
        x, y, w, h = corners
        corners = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
    if len(texture) == 4 and not isinstance(texture[0], tuple):
        u, v, to_u, to_v = texture
        texture = [(u, v), (to_u, v), (u, to_v), (to_u, to_v)]
    if pivot is None:
        pivot = tuple(sum(c[k] for c in corners) / 4 for k in range(2))
    colors = colors if isinstance(colors[0], (tuple, list)) else [colors] * 4
    out = [fixed(c) for point in list(corners) + [pivot] for c in point]
    out += [int(c) for one in colors for c in one] + [fixed(c) for point in texture for c in point]
    return out + [*position, *color]


def sky(top=(90, 120, 160, 255), bottom=(30, 40, 60, 255)):
    """Fills every window, without an image."""
    return quad((-2000, -2000, 4000, 4000), [top, top, bottom, bottom])


def block(width, height, at):
    return [[at(x, y) for x in range(width)] for y in range(height)]


def clock(map):
    """Bars across the window whose lengths tell the time: 1000 px in 12.8 s, in 0.8 s and in 50 ms."""
    map.group('Clock', (0, 0))
    bars = []
    for period in (12800, 800, 50):
        points = []
        for start in range(0, 12800, period):
            points += [(start, LINEAR, [0, 0, 0]), (start + period - 1, LINEAR, [fixed(1000), 0, 0])]
        bars.append(map.envelope(3, points + [(12800, LINEAR, [0, 0, 0])], 'clock'))
    map.quads([quad((-1500, -400 + 20 * i, 1000, 16), WHITE, position=(bar, 0)) for i, bar in enumerate(bars)])


def still(map, channels, values):
    """An envelope of one point: always the same value."""
    return map.envelope(channels, [(0, LINEAR, [fixed(v) for v in values])])


def turned(x, y, w, h, degrees):
    """The corners of a rectangle that is turned about its middle."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x + dx * c - dy * s, y + dx * s + dy * c)
            for dx, dy in ((-w / 2, -h / 2), (w / 2, -h / 2), (-w / 2, h / 2), (w / 2, h / 2))]


RAINBOW = [(255, 60, 60, 255), (60, 255, 60, 160), (60, 60, 255, 255), (255, 255, 60, 90)]


def parallax(map):
    """Groups of every parallax, offset and clip."""
    tiles, picture = map.image('sheet', sheet(128, 128), 128, 128), map.image('flag', flag(32, 32), 32, 32)
    map.group('Sky', (0, 0))
    map.quads([sky()])
    kinds = [('a', (-50, -30), (100, -60), None), ('b', (150, 200), (-300, 77), None), ('c', (100, 0), (0, 0), None),
             ('d', (0, 100), (-9, 0), None), ('e', (60, -40), (33, 5), None), ('f', (-20, -10), (0, 400), None),
             ('g', (100, 100), (0, 0), (431, 377, 500, 333)), ('h', (33, 70), (0, 0), (-1000, -1000, 1583, 1691)),
             ('i', (100, 100), (0, 0), (900, 500, -100, 400)), ('j', (120, 90), (-250, -50), (1000, 871, 1e4, 1e4)),
             ('k', (100, 100), (0, 0), (-500, 0, 300, 3000))]
    for i, (name, percent, offset, clip) in enumerate(kinds):
        map.group(name, percent, offset, clip and tuple(int(c) for c in clip))
        x, y = 800 * percent[0] / 100 + offset[0], 800 * percent[1] / 100 + offset[1]
        map.quads([quad((x - 300 + 60 * i, y - 280 + 40 * i, 210, 150), RAINBOW, (0, 0, 2, 1))], picture)
        if i in (4, 6, 7, 9):  # goes on beyond its sides, to be cut by the clip
            map.tiles(block(9, 7, lambda x, y: (16 * i + x + 1, (x * y) % 16) if (x + y) % 3 else 0), tiles,
                      (255, 255, 255, 130))
    map.group('Game', (50, 50), (100, 100), (0, 0, 10, 10))  # no game heeds any of these
    map.game()
    map.tiles(block(50, 50, lambda x, y: 1 + (x + y) % 7 if (x * y) % 11 == 3 else 0), tiles)


def quads(map):
    """Textures that repeat, turned and crossed corners, images of odd sides, RGB and missing ones."""
    picture, odd = map.image('flag', flag(64, 64), 64, 64), map.image('odd', flag(67, 45), 67, 45)
    thin = map.image('thin', flag(5, 40), 5, 40)
    dim, bright = still(map, 4, [0.5, 0.75, 1, 0.6]), still(map, 4, [2, 1.5, 1, 1.25])
    place, gone = still(map, 3, [40, -25, 33]), still(map, 4, [1, 1, 1, 0])
    below = still(map, 4, [-1, 0.5, 1, 1])
    map.group('Sky', (0, 0))
    map.quads([sky((170, 160, 140, 255), (60, 90, 60, 255))])
    map.group('Game')
    map.game()
    map.group('Quads')
    map.quads([quad((200, 450, 200, 160), WHITE, (-1.5, -0.5, 2.5, 1.5)), quad((430, 450, 150, 150), RAINBOW),
               quad(turned(690, 530, 150, 110, 30)), quad(turned(860, 530, 150, 110, -117), WHITE, (0, 0, 3, 1)),
               quad([(960, 460), (1100, 440), (1120, 610), (950, 600)]),  # crosses itself
               quad([(1150, 460), (1400, 500), (1180, 620), (1290, 560)], RAINBOW, (0, 0, 1, 1)),
               quad((200, 640, 60, 60), WHITE, (0, 0, 8, 8)), quad((280, 640, 60, 60), WHITE, (0.25, 0.25, 0.26, 0.26)),
               quad((360, 640, 60, 60), WHITE, [(0, 0), (0, 1), (1, 0), (1, 1)])], picture)
    map.quads([quad((440, 640, 67, 45)), quad((530, 640, 134, 90), WHITE, (0, 0, 2, 2)), quad((690, 640, 25, 17)),
               quad((730, 640, 8, 6)), quad(turned(820, 690, 20, 20, 12), WHITE, (0, 0, 4, 4))], odd)
    map.quads([quad((900, 640, 30, 90)), quad((950, 640, 100, 20), WHITE, (0, 0, 7, 1))], thin)
    if map.seven:  # DDNet's picture for missing images has changed since
        missing, rgb = map.image('no such picture'), map.image('rgb', rgb_flag(24, 24), 24, 24, rgb=True)
        map.quads([quad((1070, 640, 120, 80)), quad((1210, 640, 200, 80), WHITE, (-0.25, 0, 3, 1.5))], missing)
        map.quads([quad((1070, 740, 120, 80)), quad((1210, 740, 200, 80), WHITE, (-0.25, 0, 3, 1.5))], rgb)
    map.quads([quad((200, 740, 150, 90), RAINBOW, color=(dim, 0)), quad((370, 740, 150, 90), RAINBOW, color=(bright, 0)),
               quad((540, 740, 150, 90), RAINBOW, color=(gone, 0)), quad((540, 740, 150, 90), RAINBOW, color=(below, 0)),
               quad((730, 740, 150, 90), RAINBOW, position=(place, 500)),
               quad((900, 740, 150, 90), RAINBOW, position=(place, 0), pivot=(900, 900), color=(dim, 0)),
               quad((-1e6, 850, 2e6, 20), RAINBOW), quad((200, 890, 0.5, 100)), quad((210, 890, 1e-3, 100)),
               quad([(300, 890), (1200, 895), (300, 893), (1300, 1200)], (255, 0, 255, 120))])
    map.quads([quad((220, 1000, 90, 50), (0, 0, 0, 200))], detail=1)


def tiles(map):
    """Flags, borders, colors, sheets whose sides 16 does not divide."""
    sheets = [map.image('sheet', sheet(256, 256), 256, 256), map.image('a', sheet(100, 72), 100, 72),
              map.image('b', sheet(40, 16), 40, 16), map.image('c', sheet(32, 128), 32, 128)]
    dim, bright = still(map, 4, [0.5, 0.75, 1, 0.6]), still(map, 4, [3, 2, 1, 1.5])
    map.group('Sky', (0, 0))
    map.quads([sky((40, 40, 90, 255), (140, 90, 60, 255))])
    map.group('Game')
    map.game()

    def part(x, y, w, h, at):
        rows = [[0] * 50 for _ in range(50)]
        for j in range(h):
            for i in range(w):
                rows[y + j][x + i] = at(i, j)
        return rows
    map.tiles(part(6, 14, 16, 4, lambda x, y: (3 + 5 * y, x)), sheets[0])
    map.tiles(part(6, 19, 16, 3, lambda x, y: ((17 * x + y) % 256, x)), sheets[1], detail=1)
    map.tiles(part(6, 23, 16, 3, lambda x, y: ((17 * x + y) % 256, x)), sheets[2])
    map.tiles(part(6, 27, 16, 3, lambda x, y: ((17 * x + y) % 256, x)), sheets[3])
    map.tiles(part(24, 14, 8, 6, lambda x, y: 1 + x + 16 * y), sheets[0], (120, 255, 60, 200), dim)
    map.tiles(part(33, 14, 8, 6, lambda x, y: 1 + x + 16 * y), sheets[0], (100, 90, 200, 150), bright)
    map.tiles(part(24, 21, 8, 2, lambda x, y: 9), -1, (255, 128, 0, 120), dim)
    map.tiles(part(26, 22, 8, 2, lambda x, y: (255, 15)), -1, (0, 128, 255, 255))
    map.tiles(part(24, 25, 8, 6, lambda x, y: (12 + x % 4 + 16 * y, 2 * y)), sheets[0], (255, 255, 255, 100))
    map.tiles(part(33, 25, 8, 6, lambda x, y: (8 + x % 4 + 16 * y, 4 + y)), sheets[0])
    if map.seven:  # DDNet's picture for missing images has changed since
        map.tiles(part(6, 31, 16, 3, lambda x, y: ((17 * x + 50 * y) % 256, x)), map.image('no such sheet'))
        map.tiles(part(6, 35, 16, 1, lambda x, y: 1 + x), map.image('small', sheet(12, 16), 12, 16), (90, 200, 30, 255))
    map.group('Border')
    map.tiles([[(70, 3), (34, 8), (70, 9)], [(36, 1), 0, (36, 4)], [0, (34, 2), (200, 5)]], sheets[0], (255, 255, 255, 40))


def moving(map, seven=False):
    """Position, rotation and color envelopes of all curves, with offsets; bars tell the time."""
    picture, tile_sheet = map.image('flag', flag(32, 32), 32, 32), map.image('sheet', sheet(128, 128), 128, 128)
    map.group('Sky', (0, 0))
    map.quads([sky()])
    map.group('Game')
    map.game()
    map.group('Moving')
    bent = [((-300, -300, -1500, 0), (2000, -50000, 300, 0), (700, 400, 1500, 0), (30000, 60000, -900, 0)),
            ((-500, -900, 300, 0), (4000, 100, 9000, 0), (900, 100, 200, 0), (-5000, 700, 50000, 0)),
            ((-900, -900, -900, 0), (0, 0, 0, 0), (5000, 0, 0, 0), (0, 0, 0, 0))]
    moved = [(0, 0, [0, 0, 0]), (1600, 0, [fixed(120), fixed(30), fixed(90)]), (3200, 0, [0, 0, fixed(-45)])]
    tinted = [(0, 0, [1024, 200, 100, 900]), (800, 0, [100, 1024, 500, 1024]), (3200, 0, [1500, 800, 1024, 300])]
    curves = [STEP, LINEAR, SLOW, FAST, SMOOTH] + [BEZIER] * seven

    def bend(points, i):
        return [(t, curve, values, *(bent[k] if seven else ())) for k, (t, curve, values) in enumerate(points)]
    list_ = []
    for i, curve in enumerate(curves):
        place = map.envelope(3, bend([(t, curve, v) for t, _, v in moved], i), 'place%d' % i)
        tint = map.envelope(4, bend([(t, curve, v) for t, _, v in tinted], i), 'tint%d' % i)
        x = 250 + 190 * i
        list_.append(quad((x, 580, 60, 60), WHITE, position=(place, 0), color=(tint, 0)))
        list_.append(quad((x, 700, 60, 60), RAINBOW, position=(place, -700), color=(tint, 12345)))
        map.tiles([[0] * 50] * 29 + [[0] * (7 + 6 * i) + [1 + 17 * k for k in range(4)] + [0] * (39 - 6 * i)] +
                  [[0] * 50] * 20, tile_sheet, (255, 255, 255, 230), tint, 333 * i)
    map.quads(list_, picture)
    clock(map)


def moving7(map):
    """The same as Teeworlds 0.7 has it, with beziers."""
    moving(map, True)


def entities(map):
    """Every kind of physics layer, over a design that shows through when entities are half transparent."""
    map.group('Sky', (0, 0))
    map.quads([sky((40, 90, 60, 255), (150, 140, 60, 255))])
    map.group('Game')
    map.tiles(block(50, 50, lambda x, y: 1 + (x + y) % 7 if (x * y) % 11 == 3 else 0), map.image('sheet', sheet(128, 128), 128, 128),
              (255, 255, 255, 180))
    size = 50

    def layer(flags, rows, empty, entry='4B'):
        """rows: by their number, what stands from column 8 on"""
        map.physics(flags, [(([empty] * 8 + rows.get(y, []) + [empty] * size)[:size]) for y in range(size)], entry)
    plain = [1, 2, 3, 4, 5, 6, 9, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22, 32, 33, 34, 35, 59, 60, 61, 62, 64, 65, 66, 67, 71, 72, 73,
             74, 75, 76, 88, 89, 90, 91, 96, 97, 98, 99, 104, 105, 106, 107, 112, 113, 128, 129, 144, 145, 190, 191]
    game = {14: [(i, 0, 0, 0) for i in plain[:30]], 15: [(i, 0, 0, 0) for i in plain[30:]], 35: [(1, 0, 0, 0)] * 30,
            16: [(60 + i // 8 * 4, [0, 9, 3, 10, 1, 2, 8, 11][i % 8], 0, 0) for i in range(16)], 34: [(0, 0, 0, 0)] * 20 + [(192, 0, 0, 0)]}
    layer(GAME, game, (0, 0, 0, 0))
    layer(FRONT, {18: [(i, n % 16, 0, 0) for n, i in enumerate(plain[1:28])]}, (0, 0, 0, 0))
    kinds, numbers = [10, 14, 15, 26, 27, 29, 30, 31, 63], [0, 1, 9, 10, 42, 99, 100, 200, 255]
    layer(TELE, {20: [(n, 26) for n in numbers] + [(7, k) for k in kinds], 21: [(n, 27) for n in range(1, 25)]}, (0, 0), '2B')
    layer(SPEEDUP, {23: [(10, 3 * i, 28, 0, angle) for i, angle in enumerate((0, 45, 90, 135, 180, 270, -30, 300, 7, 400, 33))],
                    24: [(force, speed, 28, 0, 0) for force, speed in ((0, 5), (1, 0), (9, 99), (255, 255), (100, 10))]},
          (0, 0, 0, 0, 0), '4Bh')
    layer(SWITCH, {26: [(n, 24, 0, d) for n, d in ((0, 0), (1, 0), (0, 1), (9, 10), (99, 100), (255, 255), (12, 3))],
                   27: [(5, k, f, 6) for f, k in enumerate((22, 23, 24, 25, 9, 12, 13, 7, 79, 95, 19, 20, 98, 99, 144, 145))]},
          (0, 0, 0, 0))
    layer(TUNE, {29: [(n, 68) for n in (1, 2, 3, 7, 2, 1, 200, 10, 0)]}, (0, 0), '2B')


MAPS = {'entities': (entities, False), 'parallax': (parallax, False), 'quads': (quads, False), 'tiles': (tiles, False), 'moving': (moving, False),
        'moving7': (moving7, True), 'parallax7': (parallax, True), 'quads7': (quads, True), 'tiles7': (tiles, True)}


def main(names):
    for name in names or MAPS:
        build, seven = MAPS[name]
        map = Map(seven)
        build(map)
        (HERE / 'maps' / (name + '.map')).write_bytes(map.bytes())


if __name__ == '__main__':
    main(sys.argv[1:])
