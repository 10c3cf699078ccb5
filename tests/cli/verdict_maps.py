#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""verdict_maps.py FOLDER: writes small maps, each with one thing that DDNet's loader refuses or its editor changes, FOLDER/<name>.map.

The first word of a row in MAPS is what becomes of it when it is written for a game: `fine` needs nothing, `repaired` is mended without a
visible change, `refused` cannot be mended. The second says whether games of before open it: `check` in mode game has no error.
"""
import sys

import hostile_maps
from make_map import name_ints

MAPS = {
    'fine': ('fine', True),
    'data-minus-1': ('repaired', True),
    'tele-minus-1': ('repaired', True),
    'tele-short-item': ('repaired', True),
    'name-cut': ('repaired', True),
    'name-group-cut': ('repaired', True),
    'shared-block': ('repaired', True),
    'shared-by-three': ('repaired', True),
    'eight-channels': ('repaired', True),
    'no-version': ('repaired', True),
    'ids-twice': ('repaired', True),
    'groups-overlap': ('repaired', True),
    'trailing': ('repaired', True),
    'design-0x5': ('repaired', True),
    'front-small': ('repaired', True),
    'design-huge': ('refused', False),
    'color-999': ('refused', True),
    'game-0x20': ('refused', False),
    'game-minus-5x20': ('refused', False),
    'game-65536': ('refused', False),
    'game-1x20': ('refused', True),
    'game-1x20-short': ('refused', False),
    'game-short': ('repaired', False),
    'game-none': ('refused', False),
}
WIDTH, HEIGHT = 7, 5


def tiles(out, data, flags=0, name='', width=WIDTH, height=HEIGHT, tail=(-1, -1, -1, -1, -1), color=255):
    out.add(5, [0, 2, 0, 3, width, height, flags, 255, color, 255, 255, -1, 0, -1, data] + name_ints(name, 3) + list(tail))


def block(out, width=WIDTH, height=HEIGHT, index=1):
    """The first and the last tile of every second row are solid, so that no row is like the next."""
    rows = [[index if y % 2 == 0 and x in (0, width - 1) else 0 for x in range(width)] for y in range(height)]
    return out.block(bytes(b for row in rows for tile in row for b in (tile, 0, 0, 0)))


def group(out, start, num, name=''):
    out.add(4, [3, 0, 0, 100, 100, start, num, 0, 0, 0, 0, 0] + name_ints(name, 3))


def build(what):
    out = hostile_maps.Writer()
    sizes = {'game-0x20': (0, 20), 'game-minus-5x20': (-5, 20), 'game-65536': (65536, 65536), 'game-1x20': (1, 20),
             'game-1x20-short': (1, 20), 'game-short': (9, 8)}
    if what != 'no-version':
        out.add(0, [1])
    if what == 'eight-channels':
        out.add(3, [2, 8, 0, 1] + name_ints('pos', 8) + [1])
        out.add(6, [0, 0, 1024, 2048, 0, 512])
    first = block(out, 7, 8)
    game_size = sizes.get(what, (WIDTH, HEIGHT))
    if what == 'game-1x20-short':
        first = block(out, 3, 4)
    if what == 'game-none':
        tiles(out, first, name='alone')
    else:
        tiles(out, first, 1, 'Game', *game_size)
    more = 1
    if what == 'data-minus-1':
        tiles(out, -1, 8, 'Front', tail=(-1, -1, -1, -1, -1))
    elif what == 'tele-minus-1':
        tiles(out, block(out, index=0), 2, 'Tele')
    elif what == 'tele-short-item':
        out.add(5, [0, 2, 0, 3, WIDTH, HEIGHT, 2, 255, 255, 255, 255, -1, 0, -1, block(out, index=0)] + name_ints('Zone', 3))
    elif what == 'name-cut':
        tiles(out, block(out), name='背景贴图'.encode()[:11])
    elif what in ('shared-block', 'shared-by-three'):
        tiles(out, first, name='deco')
        if what == 'shared-by-three':
            tiles(out, first, name='third')
            more += 1
    elif what == 'design-0x5':
        tiles(out, block(out), name='thin', width=0)
    elif what == 'design-huge': # DDNet looks at the index alone until somebody sees the layer
        tiles(out, block(out), name='sky', width=14000, height=14001)
    elif what == 'front-small':
        tiles(out, -1, 8, 'Front', 3, 4, tail=(-1, -1, block(out, 3, 4), -1, -1))
    elif what == 'color-999':
        tiles(out, block(out), name='pale', color=999)
    else:
        more = 0
    num = len(out.items[5])
    assert num == 1 + more
    group(out, 0, num, '背景贴图'.encode()[:11] if what == 'name-group-cut' else 'Game')
    if what == 'groups-overlap':
        group(out, 0, 1)
    if what == 'ids-twice':
        group(out, num, 0)
        out.items[4] = [(0, ints) for _, ints in out.items[4]]
    return out.bytes() + (b'more' if what == 'trailing' else b'')


def main(folder):
    for name, (becomes, opens) in MAPS.items():
        with open('%s/%s.map' % (folder, name), 'wb') as file:
            file.write(build(name))
        print(name, becomes, 'opens' if opens else 'broken')


if __name__ == '__main__':
    main(*sys.argv[1:])
