#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Holds a folder that `teemap tiles` wrote against what `teemap render` draws.

    pyramid.py TEEMAP MAP FOLDER [COUNT]

Each tile that the page lists is a file, and nothing else of this run is. COUNT tiles (default 20) of each pyramid have
the pixels of the same region drawn alone, and as many that the page does not list are clear there.
"""
import base64
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import pngfile


def read_page(folder):
    with open(os.path.join(folder, 'index.html'), 'rb') as file:
        page = file.read()
    found = re.findall(rb'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1, 'one place for data'
    return page.decode(), json.loads(found[0])


def tiles_of(part):
    """(level, x, y) of all tiles of one pyramid."""
    for number, (left, top, width, height, bits) in enumerate(part['levels']):
        packed = base64.b64decode(bits) if bits is not None else b'\xff' * ((width * height + 7) // 8)
        assert len(packed) == (width * height + 7) // 8
        for i in range(width * height):
            if packed[i >> 3] >> (i & 7) & 1:
                yield number, left + i % width, top + i // width


def gaps_of(part, there):
    """(level, x, y) around each level and inside it where there is none."""
    for number, (left, top, width, height, _) in enumerate(part['levels']):
        for y in range(top - 1, top + height + 1):
            for x in range(left - 1, left + width + 1):
                if (number, x, y) not in there:
                    yield number, x, y


def some(items, count):
    items = list(items)
    return [items[i * len(items) // count] for i in range(min(count, len(items)))] if items else []


def draw(tool, path, data, part, tile):
    level, x, y = tile
    pixels = data['scale'] / 2 ** (data['levels'] - 1 - level)
    side = data['tile'] / pixels
    address = part['id'].replace('-', '/')
    layers = address if '/' in address else address + ',' + ','.join(kind + '@0' for kind in ('game', 'front', 'tele', 'speedup', 'switch', 'tune'))
    subprocess.run([*tool, 'render', path, '-q', '--flat', '--background', 'transparent', '--layers', layers, '--scale', repr(pixels),
                    '--region', '%r,%r,%r,%r' % (x * side, y * side, side, side), '-o', 'there.png'], check=True)
    return pngfile.read('there.png')


def keep(picture, tile, scale, left, top, right, bottom):
    """Clears the pixels of a tile that lie outside a rectangle of the world, in px."""
    width, height, rgba = picture
    _, x, y = tile
    l, t, r, b = (math.floor(v * scale + .5) for v in (left, top, right, bottom))
    kept = bytearray(len(rgba))
    for j in range(height):
        first, end = max(l - x * width, 0), min(r - x * width, width)
        if t <= y * height + j < b and first < end:
            at = (j * width + first) * 4
            kept[at:at + (end - first) * 4] = rgba[at:at + (end - first) * 4]
    return width, height, bytes(kept)


def expected(tool, path, data, part, tile):
    """What `render` draws, without what lies beyond the border."""
    (w, h), (bx, by) = data['map'], data['border']
    scale = data['scale'] / 2 ** (data['levels'] - 1 - tile[0]) / 32
    return keep(draw(tool, path, data, part, tile), tile, scale, -bx * 32, -by * 32, (w + bx) * 32, (h + by) * 32)


def clipped(data, part, tile, picture):
    """A tile as `render` shows it: the page clips, not the tiles."""
    if not part['clip']:
        return picture
    left, top, w, h = part['clip']
    return keep(picture, tile, data['scale'] / 2 ** (data['levels'] - 1 - tile[0]) / 32, left, top, left + w, top + h)


def main(tool, path, folder, count=20):
    tool = tool.split()
    _, data = read_page(folder)
    listed, compared, clear = set(), 0, 0
    for part in data['parts']:
        there = set(tiles_of(part))
        assert there, 'an empty pyramid'
        for tile in there:
            listed.add(os.path.join('tiles', part['id'], str(tile[0]), '%d_%d.%s' % (tile[1], tile[2], data['format'])))
        for tile in some(sorted(there), int(count)):
            name = os.path.join(folder, 'tiles', part['id'], str(tile[0]), '%d_%d.png' % tile[1:])
            ours, theirs = pngfile.read(name), expected(tool, path, data, part, tile)
            assert any(ours[2][3::4]), '%s is blank' % name
            assert clipped(data, part, tile, ours) == theirs, '%s is not what render draws' % name
            compared += 1
        for tile in some(gaps_of(part, there), int(count)):
            assert not any(expected(tool, path, data, part, tile)[2][3::4]), 'pyramid %s lacks %s' % (part['id'], tile)
            clear += 1
    found = {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(os.path.join(folder, 'tiles')) for name in names}
    assert listed == found, 'listed alone: %s, found alone: %s' % (sorted(listed - found)[:3], sorted(found - listed)[:3])
    print('%d pyramids, %d tiles; %d compared, %d clear ones' % (len(data['parts']), len(listed), compared, clear))


if __name__ == '__main__':
    main(*sys.argv[1:])
