#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""hostile_files.py FOLDER: writes rules of automappers, unpacked maps and patches that ask for much, each up to a megabyte, into rules,
folders and patches."""
import json
import os
import struct
import sys
import zlib

MOST = 1000000  # bytes


def repeat(line, start='[a]\n'):
    return (start + line * ((MOST - len(start)) // len(line))).encode()


RULES = {
    'indices.rules': repeat('Index 1\n'),
    'runs.rules': repeat('NewRun\nIndex 1\nPos 0 0 FULL\n'),
    'configs.rules': repeat('[b]\nIndex 1\n'),
    'places.rules': repeat('Pos 1 1 INDEX 1 OR INDEX 2 XFLIP OR EMPTY\n', '[a]\nIndex 1\n'),
    'words.rules': b'[a]\nIndex 1\nPos 0 0 INDEX ' + b'1 OR ' * (MOST // 5),
    'nonsense.rules': repeat('x y z\n'),
    'rules.json': json.dumps({'tileset': [{'name': 'a', 'basetile': 1, 'rules': [
        {'index': i % 255 + 1, 'condition': [{'x': 0, 'y': 1, 'value': 'full'}]} for i in range(12000)]}]}).encode(),
    'deep.json': b'[' * MOST,
}


def chunk(kind, content):
    return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))


def large_png(side):
    """A picture of nothing: side * side pixels in side * side / 250 bytes."""
    stream = zlib.compressobj(9)
    packed = b''.join(stream.compress(bytes(1 + 4 * side)) for _ in range(side)) + stream.flush()
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', side, side, 8, 6, 0, 0, 0)) + chunk(b'IDAT', packed) + chunk(b'IEND', b'')


def write_pictures(pictures, num, side):
    os.makedirs(os.path.join(pictures, 'images'))
    names = ['p%d' % i for i in range(num)]
    with open(os.path.join(pictures, 'map.json'), 'w') as file:
        json.dump({'teemap_folder': 1, 'game': 'ddnet', 'map_version': 1}, file)
    for list_name, text in ('images.txt', '\n'.join(names) + '\n'), ('groups.txt', ''), ('info.json', '{}'):
        with open(os.path.join(pictures, list_name), 'w') as file:
            file.write(text)
    png = large_png(side)
    for name in names:
        with open(os.path.join(pictures, 'images', name + '.png'), 'wb') as file:
            file.write(png)
        with open(os.path.join(pictures, 'images', name + '.json'), 'w') as file:
            json.dump({'name': name, 'width': side, 'height': side, 'format': 'rgba', 'external': False, 'pixels': name + '.png'}, file)


def patch(changes, layers=1):
    """A patch of a map with a group of such layers: tiles of 4 bytes."""
    side = {'images': 0, 'sounds': 0, 'envelopes': 1, 'layers': [layers],
            'names': {'groups': [[0, 0, '']], 'envelopes': [[0, 4, '']], 'layers': [[i, 'tiles', ''] for i in range(layers)]}}
    return json.dumps({'teemap_patch': 2, 'sides': [side, side],
                       'pairs': {'envelopes': [[0, 0, 1]], 'groups': [[0, 0, 1]], 'layers': [[0, 0, layers]]}, 'changes': changes}).encode()


def tiles_change(layer, side, runs):
    return {'change': 'grid', 'list': 'layers', 'objects': [layer, layer], 'owner': 'tile_layer', 'field': 'tiles',
            'size': [side] * 4, 'shift': [0, 0], 'bytes': 4, 'runs': runs}


def point_change(i):
    return {'change': 'element', 'list': 'envelopes', 'objects': [0, 0], 'owner': 'envelope_point', 'at': [None, i], 'moved': False,
            'was': None, 'is': {'time': i, 'curve': 'linear', 'values': [1, 2, 3, 4]}}


PATCHES = {
    # each run is one tile for all of a row
    'rows.json': lambda: patch([tiles_change(0, 8000, [[0, y, 8000, '00000000', '01000000'] for y in range(8000)])]),
    'layers.json': lambda: patch([tiles_change(i, 30000, [[0, 0, 30000, '00000000', '01000000']]) for i in range(900)], 900),
    'tiles.json': lambda: patch([tiles_change(0, 30000, [[2 * x % 30000, 2 * x // 30000, 1, '00000000', '01000000'] for x in range(20000)])]),
    'points.json': lambda: patch([point_change(i) for i in range(4800)]),
    'settings.json': lambda: patch([{'change': 'setting', 'list': None, 'at': [None, i], 'moved': False, 'was': None, 'is': 'x'}
                                    for i in range(9000)]),
    'deep.json': lambda: b'[' * MOST,
}


def main(folder):
    for name, make in PATCHES.items():
        content = make()
        assert len(content) <= MOST, (name, len(content))
        with open(os.path.join(folder, 'patches', name), 'wb') as file:
            file.write(content)
    for name, content in RULES.items():
        with open(os.path.join(folder, 'rules', name), 'wb') as file:
            file.write(content)
    write_pictures(os.path.join(folder, 'folders', 'pictures'), 15, 4000)
    write_pictures(os.path.join(folder, 'folders', 'large_pictures'), 4, 8000)
    write_pictures(os.path.join(folder, 'folders', 'one_picture'), 1, 16000)


if __name__ == '__main__':
    main(sys.argv[1])
