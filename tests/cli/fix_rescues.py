#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""fix_rescues.py TEEMAP...: `fix` never makes less of a damaged map than `copy -m salvage` keeps.

Maps are cut, and bytes of them changed, at random places that are always the same. Of both results everything that can be counted is
counted: objects and layers of each kind, points, quads, sources, settings and texts. A wrong number made a map look like one of Teeworlds,
and `fix` wrote it without its settings.

With little --memory, too: a broken array of tiles for old clients, which was to be packed again, was more than that, and `fix` ended
with 2. What a repair cannot hold is not repaired and named.
"""
import json
import os
import random
import struct
import subprocess
import sys

import make_map

teemap = sys.argv[1:]
NUM = 40


def run(*words):
    return subprocess.run([*teemap, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)


def counts(path, *words):
    """What a map has; nothing if it is none."""
    done = run('info', '--json', *words, path)
    if done.returncode > 1 or not done.stdout:
        return {}
    info = json.loads(done.stdout)
    found = {key: value for key, value in info.get('counts', {}).items() if isinstance(value, int)}
    found.update(('layers of kind ' + key, value) for key, value in info.get('counts', {}).get('layer_kinds', {}).items())
    found.update(('text ' + key, 1) for key, value in info.get('info', {}).items() if value)
    found['settings'] = len(info.get('settings', []))
    return found


def damage(content, chance):
    content = bytearray(content)
    at = chance.randrange(36, len(content))
    how = chance.choice(('cut', 'bit', 'bits', 'zeros', 'noise'))
    if how == 'cut':
        del content[at:]
    elif how == 'bit':
        content[at] ^= 1 << chance.randrange(8)
    elif how == 'bits':
        for _ in range(8):
            content[chance.randrange(36, len(content))] ^= 1 << chance.randrange(8)
    else:
        end = min(len(content), at + 24)
        content[at:end] = bytes(end - at) if how == 'zeros' else chance.randbytes(end - at)
    return how, content


def tile_map(version, chance):
    """A map of tile layers, 300 x 300: of version 4 with runs, else the last one is a tele layer with tiles for old clients."""
    out, side = make_map.Writer(), 300
    bare = version == 4
    out.add(0, [1])
    out.add(4, [3, 0, 0, 100, 100, 0, 2 if bare else 3, 0, 0, 0, 0, 0] + make_map.name_ints('Game', 3))

    def layer(flags, name, block, *slots):
        out.add(5, [0, 2, 0, version, side, side, flags, 255, 255, 255, 255, -1, 0, -1, block] + make_map.name_ints(name, 3) + list(slots))

    def block(num, size):
        return out.block(b''.join(bytes([chance.randrange(4)] + [0] * (size - 1)) for _ in range(num)))

    def runs():
        return out.block(b''.join(bytes([chance.randrange(4), 0, 99, 0]) for _ in range(side * side // 100)))

    none = [] if bare else [-1] * 5
    layer(1, 'Game', runs() if bare else block(side * side, 4), *none)
    layer(0, 'Deco', runs() if bare else block(side * side, 4), *none)
    if not bare:
        tele = block(side * side, 2)
        layer(2, 'Tele', block(side * side, 4), tele, *none[1:])
    return out.bytes()


def size_of_block(content, index, size):
    """Another unpacked size of a block, counted from the last one."""
    num_types, num_items, num_data = struct.unpack_from('<3i', content, 16)
    at = 36 + 12 * num_types + 4 * num_items + 8 * num_data - 4 * index
    return content[:at] + struct.pack('<i', size) + content[at + 4:]


def overlapping():
    """Blocks that are read over and over, of bytes that are no stream."""
    out = make_map.Writer()
    out.add(0, [1])
    for number in range(80):
        out.block(bytes([number]) * 20)
    content = bytearray(out.bytes())
    num_types, num_items, num_data = struct.unpack_from('<3i', content, 16)
    table = 36 + 12 * num_types + 4 * num_items
    for number in range(num_data):
        struct.pack_into('<i', content, table + 4 * number, number % 2)
    head = 36 + 12 * num_types + 4 * num_items + 8 * num_data + struct.unpack_from('<i', content, 28)[0]
    content[head:] = b'\xaa' * (len(content) - head)
    return bytes(content)


def limited():
    """Of damaged maps and limits: faults, as lines."""
    chance = random.Random(3)
    plain, bare = tile_map(3, chance), tile_map(4, chance)
    lie = size_of_block(plain, 1, 40000000)
    # name, map, limits, and what is said of the repair that they keep from happening
    rows = [
        ('cut', plain[:-20], ('1k', '300k'), 'its tiles for old clients stay broken'),
        ('lie', lie, ('300k', '1M'), 'its tiles for old clients stay broken'),
        ('middle', plain[:-len(plain) // 3], ('100k', ), 'its tiles for old clients stay broken'),
        ('runs', bare[:-20], ('1k', '300k'), 'not repaired'),
        ('overlap', overlapping(), ('', ), 'the map stays as it is: the blocks overlap too much'),
    ]
    for name, content, limits, told in rows:
        with open('damaged.map', 'wb') as file:
            file.write(content)
        for limit in limits:
            words = ['--memory', limit] if limit else []
            fixed = run('fix', *words, 'damaged.map', '-o', 'fixed.map')
            kept = run('copy', '-m', 'salvage', *words, 'damaged.map', 'kept.map')
            if fixed.returncode != 1 or kept.returncode == 2:
                yield '%s, %s: fix ends with %d, copy -m salvage with %d' % (name, limit, fixed.returncode, kept.returncode)
                continue
            if told.encode() not in fixed.stderr or b'[not-repaired]' not in fixed.stderr:
                yield '%s, %s: %s is not said: %s' % (name, limit, told, fixed.stderr.decode())
            made, before = counts('fixed.map', '-m', 'salvage'), counts('kept.map', '-m', 'salvage')
            yield from ('%s, %s: less %s' % (name, limit, key) for key, value in before.items() if made.get(key, 0) < value)


def main():
    chance = random.Random(20)
    whole = make_map.build(False)
    faults, compared = list(limited()), 0
    for number in range(NUM):
        how, content = damage(whole, chance)
        with open('damaged.map', 'wb') as file:
            file.write(content)
        for path in ('fixed.map', 'kept.map'):
            if os.path.exists(path):
                os.remove(path)
        fixed = run('fix', 'damaged.map', '-o', 'fixed.map')
        run('copy', '-m', 'salvage', '-g', 'ddnet', 'damaged.map', 'kept.map')
        if not os.path.exists('kept.map'):
            continue
        compared += 1
        kept = counts('kept.map')
        made = counts('fixed.map' if os.path.exists('fixed.map') else 'damaged.map')
        less = {key: (made.get(key, 0), value) for key, value in kept.items() if made.get(key, 0) < value}
        if less:
            faults.append('%d (%s): fix, with status %d, makes less: %s' % (number, how, fixed.returncode, less))
    if compared < NUM // 2:
        faults.append('only %d of %d maps could be compared' % (compared, NUM))
    sys.exit('\n'.join(faults) or None)


main()
