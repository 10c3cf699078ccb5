#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""unread.py TEEMAP...: what a map's file has and teemap does not read is kept by every command that writes a map, or reported as lost.

Settings of 1 MiB and more were taken for none: edit, fix, copy --game, convert and merge wrote maps without them, with status 0.

Each finding of loading a map is in one of two tables: WITHHELD has maps with values that are not read because of it, READ says why the
finding keeps no value back. A finding, or a command that writes maps, which is in no table is a fault. For each pair of a map and a
command, the result has the bytes of the value; or the status is 1 and a finding lost-... is told; or it is 2 and nothing is written.
"""
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zlib

import datafile
import make_map

teemap = sys.argv[1:]
faults = []
noise = random.Random(7)


# ------------------------------------------------------------------------------------------------------------------- the maps


def words(size):
    """A text of so many bytes that no other one has."""
    return b''.join(b'%d ' % noise.randrange(10**9) for _ in range(size // 8 + 1))[:size]


class Changed(make_map.Writer):
    """The map of make_map.py with other blocks, by their content, and other items."""

    def __init__(self):
        super().__init__()
        self.packed = {}  # by number: bytes that are no stream of the content
        Changed.made = self

    def block(self, content):
        for old, new, packed in Changed.blocks:
            if content == old:
                number = super().block(new)
                if packed is not None:
                    self.packed[number] = packed
                return number
        return super().block(content)

    def add(self, kind, ints):
        for change in Changed.items:
            ints = change(kind, ints)
        if kind == 5 and ints[1] == 77 and not Changed.strange:
            ints = [0, 3, 0, 2, 0, -1, -1] + make_map.name_ints('None', 3)  # for what DDNet cannot hold would be lost, too
        if kind != 'stranger' or Changed.strange:
            super().add(kind, ints)

    def bytes(self):
        streams = [self.packed.get(number, zlib.compress(content)) for number, content in enumerate(self.data)]
        self.pack = lambda content: streams.pop(0)
        self.size = len
        return super().bytes()


def build(name, blocks=(), items=(), more=None, after=None, strange=False):
    Changed.blocks, Changed.items, Changed.strange = blocks, items, strange
    writer, make_map.Writer = make_map.Writer, Changed
    if more:
        make_map.Writer = type('More', (Changed,), {'bytes': lambda self: (more(self), Changed.bytes(self))[1]})
    content = make_map.build(False)
    make_map.Writer = writer
    with open(name, 'wb') as file:
        file.write(after(content) if after else content)


SETTINGS = b'sv_team 1\0\0mapbug grenade-doubleexplosion@ddnet.tw\0'
TELE = bytes([5, 26]) * 12
PIXELS = bytes([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 128, 0, 0, 0, 0])
GAME = b''.join(bytes([index, 0, 0, 0]) for row in [[0, 1, 2, 3], [192, 193, 0, 255], [1, 1, 1, 1]] for index in row)
DECO = bytes([7, 9, 0, 0]) * 12
LONG = words(72000) + b'\0'
MANY = b''.join(b'tune %s\0' % words(50) for _ in range(20000))
NO_STREAM = words(300)


def text(old, content=None, packed=None):
    """A text of the map that cannot be read: too long, or packed in no way."""
    return {'blocks': [(old, content if content is not None else old, packed)], 'value': packed if packed is not None else content}


def table(entry, block, number):
    """Another number in a table of blocks: 0 offsets, 1 sizes."""
    def change(content):
        with open('before.map', 'wb') as file:
            file.write(content)
        file = datafile.Datafile('before.map')
        index = [file.unpacked(i)[0] for i in range(file.num_data)].index(block)
        at = file.data_offsets_at + 4 * (entry * file.num_data + index)
        return content[:at] + struct.pack('<i', number) + content[at + 4:]
    return change


def tiles(block, place, number):
    """Another integer in the layer of tiles that are in a block."""
    def change(kind, ints):
        own = kind == 5 and ints[1] == 2 and ints[6] == 0
        return ints[:place] + [number] + ints[place + 1:] if own else ints
    return change


def image(place, number):
    def change(kind, ints):
        return ints[:place] + [number] + ints[place + 1:] if kind == 2 and ints[3] == 0 and ints[1] == 2 and ints[2] == 2 else ints
    return change


def longer(wanted):
    def change(kind, ints):
        return ints + [0] * (24 if wanted == 5 else 3) + [424242] if kind == wanted and (wanted != 5 or ints[1] == 2) else ints
    return change


def two_kinds(kind, ints):
    """The tele layer says that it is a switch layer, too."""
    if kind != 5 or ints[1] != 2 or ints[6] != 1:
        return ints
    return ints[:6] + [3] + ints[7:18] + [Changed.made.block(bytes([77, 26]) * 12)] + ints[19:]


# Of each finding, maps with values that are not read because of it: what is changed in the map of make_map.py, and the bytes of the value.
# `packed` values are compared as they are packed; `ints` are looked for in the items.
WITHHELD = {
    'bad-text': {
        'settings': text(SETTINGS, MANY), 'author': text('Änne\0'.encode(), LONG), 'version': text(b'1.2\0', LONG), 'license': text(b'CC0\0', LONG),
        'image-name': text(b'pic\0', LONG), 'external-name': text(b'grass_main\0', LONG), 'sound-name': text(b'beep\0', LONG)},
    'data-broken': {
        'torn-settings': text(SETTINGS, packed=NO_STREAM), 'torn-author': text('Änne\0'.encode(), packed=NO_STREAM),
        'torn-image-name': text(b'pic\0', packed=NO_STREAM), 'torn-sound-name': text(b'beep\0', packed=NO_STREAM),
        'torn-tiles': text(DECO, packed=NO_STREAM), 'torn-sound': text(b'OggS not really', packed=NO_STREAM),
        'torn-game': text(GAME, packed=NO_STREAM)},
    'bad-data-size': {'size-author': {'after': table(1, 'Änne\0'.encode(), -5), 'value': zlib.compress('Änne\0'.encode())}},
    'tiles-short': {'few-tiles': text(TELE, TELE[:20])},
    'data-short': {'claimed-tiles': {'items': [tiles(DECO, 4, 20000), tiles(DECO, 5, 25000)], 'value': DECO}},
    'bad-layer-size': {
        'no-width': {'items': [tiles(DECO, 4, 0)], 'value': DECO}, 'no-height': {'items': [tiles(DECO, 5, -7)], 'value': DECO},
        'too-large': {'items': [tiles(DECO, 4, 2**30)], 'value': DECO}},
    'block-size': {'few-pixels': text(PIXELS, PIXELS[:7])},
    'bad-image-size': {'no-pixels': {'items': [image(1, 0)], 'value': PIXELS}},
    'several-physics-flags': {'two-kinds': {'items': [two_kinds], 'value': bytes([77, 26]) * 12}},
    'item-longer': {'longer-sound': {'items': [longer(7)], 'ints': [424242]}, 'longer-layer': {'items': [longer(5)], 'ints': [424242]},
                    'longer-info': {'items': [longer(1)], 'ints': [424242]}},
    'unknown-item': {'stranger': {'strange': True, 'ints': [11, 22]}},
    'extra-item': {'second-info': {'more': lambda out: out.add(1, [1, out.text('Second'), -1, -1, -1]), 'value': b'Second\0'}},
    'unknown-layer': {'unknown-layer': {'strange': True, 'ints': [77, 0, 1, 2, 3]}},
    'layer-without-group': {'orphan': {'more': lambda out: out.add(5, [0, 78, 0, 414243, 3]), 'ints': [414243]}},
    'bezier-count': {'bezier': {'items': [lambda kind, ints: ints[:-16] if kind == 'bezier' else ints], 'ints': [-100, 0, 0, 0, -200]}},
}

# Blocks of which the table says that they have no bytes, or fewer than none, though their streams are whole.
QUAD = struct.pack('<38i', *[-1024, -1024, 1024, -1024, -1024, 1024, 1024, 1024, 0, 0], *[10, 20, 30, 40] * 4,
                   *[0, 0, 1024, 0, 0, 1024, 1024, 1024], *[0, 250, 1, -250])
OLD_SOURCE = struct.pack('<9i', 1, 2, 0, 4, 500, -1, 0, -1, 0)
for what, block in (('settings', SETTINGS), ('license', b'CC0\0'), ('image-name', b'pic\0'), ('tiles', DECO), ('tele', TELE), ('pixels', PIXELS),
                    ('sound', b'OggS not really'), ('quads', QUAD), ('sources', OLD_SOURCE)):
    WITHHELD.setdefault('empty-data', {})['nothing-' + what] = {'after': table(1, block, 0), 'value': zlib.compress(block)}
    WITHHELD['bad-data-size']['negative-' + what] = {'after': table(1, block, -7), 'value': zlib.compress(block)}

# Findings of loading that keep no value back, and why.
READ = {
    'the file is not loaded': 'bad-magic bad-version bad-counts head-cut bad-item-offset pre-2008-map',
    'it is about bytes between what is read': 'trailing-bytes item-gap data-gap data-overlap data-trailing data-unclaimed layout-normalised layout-rebuilt',
    'it is about numbers that say again what others say':
        'crude-sizes bad-size-field bad-swaplen-field item-size-odd type-order item-type-mismatch item-size-mismatch duplicate-item-id '
        'uuid-index-missing uuid-index-duplicate uuid-index-number bad-type-table automapper-target',
    'all bytes are read': 'data-checksum data-long tiles-runs tiles-skip tiles-reserved physics-runs external-pixels image-format',
    'the text or name is read as the games read it': 'bad-layer-name bad-name',
    'the value is read as it is': 'no-version-item bad-map-version bad-tile-layer-version bad-group-version bad-color bad-channels bad-curve '
        'quad-color points-order automapper-version envelope-kind physics-size physics-too-small',
    'there is nothing in the file that could be read': 'item-too-short group-too-short layer-too-short bad-text-index bad-data-index '
        'no-physics-data bad-reference bad-group-range points-range no-game-layer data-cut bad-data-offset group-ex-count',
    'the objects are all there': 'shared-layer shared-tiles several-physics-layers',
    'it is told of a game layer, as data-broken, tiles-short and bad-layer-size are of others': 'game-layer-data game-layer-size',
    'mode salvage adds it, of what other findings are about': 'object-lost object-damaged',
    'a repair was too large, of a fault with a finding of its own': 'not-repaired'
}


# --------------------------------------------------------------------------------------------------------------------- the commands

# How each command that writes maps is run on a map M, into O. Others of its kind are fine.map, and N: a map like M with another license.
RUNS = {
    'copy': ['copy M O', 'copy -z 9 M O', 'copy -g ddnet M O', 'copy -g teeworlds06 M O', 'copy -g teeworlds07 M O', 'copy -m salvage M O'],
    'edit': ['edit M -o O set info.license=MIT', 'edit M -o O set 0.parallax.x=7', 'edit M -o O clean all', 'edit M -o O settings add sv_x',
             'edit M -o O settings clear', 'edit M -o O settings sort', 'edit M -o O set info.author=Me', 'edit M -o O rename image/1 p',
             'edit M -o O duplicate 0', 'edit M -o O append fine.map', 'edit M -o O paste fine.map', 'edit M -o O append M'],
    'fix': ['fix M -o O', 'fix --visible M -o O'],
    'optimize': ['optimize M -o O', 'optimize --images M -o O'],
    'convert': ['convert --to ddnet M -o O', 'convert --to teeworlds06 M -o O', 'convert --to teeworlds07 M -o O',
                'convert --to teeworlds06 --refuse-loss M -o O'],
    'automap': ['automap --all M -o O', 'automap M -o O'],
    'patch': ['patch M to-license.json -o O'],
    'merge': ['merge M M N -o O', 'merge M N M -o O', 'merge N M M -o O', 'merge fine.map M fine.map -o O', 'merge fine.map fine.map M -o O',
              'merge fine.map other.map M -o O', 'merge fine.map M other.map -o O', 'merge none.map M N -o O'],
    'pack': ['unpack M D + pack D O', 'unpack --plain M D + pack D O'],
    'embed': ['embed M -o O'],
    'lint': ['lint --fix M -o O'],
}
WRITE_NO_MAPS = set('info ls cat rules diff git unpack extract find size check render animate thumbnail tiles gallery doctor help new'.split())


def run(line):
    done = subprocess.run([*teemap, *line.split()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    if b'Sanitizer' in done.stdout or b'runtime error' in done.stdout or done.returncode < 0:
        faults.append('%s: %d: %s' % (line, done.returncode, done.stdout[-2000:]))
    return done


def has_value(path, kind):
    """Whether a map has the bytes of a value, packed as they were or in another way."""
    file = datafile.Datafile(path)
    if 'ints' in kind:
        want = struct.pack('<%di' % len(kind['ints']), *kind['ints'])
        return any(want in item[3] for item in file.items())
    for i in range(file.num_data):
        if file.packed(i) == kind['value']:
            return True
        try:
            if kind['value'] in file.unpacked(i)[0]:
                return True
        except datafile.Wrong:
            pass
    return False


def try_pair(name, kind, line):
    for path in ('out.map', 'folder'):
        shutil.rmtree(path, ignore_errors=True)
        if os.path.exists(path):
            os.remove(path)
    line = re.sub(r'\bM\b', name + '.map', re.sub(r'\bN\b', name + '-n.map', line))
    line = re.sub(r'\bO\b', 'out.map', re.sub(r'\bD\b', 'folder', line))
    statuses, said = [], b''
    for part in line.split(' + '):
        done = run(part)
        statuses.append(done.returncode)
        said += done.stdout
        if done.returncode > 1:
            break
    written = os.path.exists('out.map')
    if not written and (2 in statuses or 1 in statuses):
        return
    if not written and not said.strip():
        return  # nothing was to be changed
    if not written:
        return
    kept = has_value('out.map', kind)
    lost = 1 in statuses and re.search(rb'lost-|object-lost|object-damaged| left out$', said, re.M)
    if not kept and not lost:
        faults.append('%s: %s: ends with %s, and the value is gone: %s' % (name, line, statuses, said[-400:].decode(errors='replace')))
    if not kept and '--refuse-loss' in line:
        faults.append('%s: %s: is written, and loses the value' % (name, line))
    if 2 in statuses:
        faults.append('%s: %s: ends with %s, and writes' % (name, line, statuses))


def expect_diff(name, line, status):
    done = run(line)
    if done.returncode != status:
        faults.append('%s: %s: ends with %d, not %d: %s' % (name, line, done.returncode, status, done.stdout[-400:]))


def main():
    commands = re.findall(r'^  ([a-z]+) ', run('help').stdout.decode().split('\nCommands\n')[1].split('\n\n')[0], re.M)
    faults.extend('command %s is in no table' % name for name in commands if name not in RUNS and name not in WRITE_NO_MAPS)
    with open(os.path.join(os.environ['TEEMAP_SOURCE'], 'include/teemap/findings.h'), encoding='utf-8') as file:
        rows = re.findall(r'^    X\(\w+, (\d+), "([a-z0-9-]+)"', file.read(), re.M)
    placed = sum([ids.split() for ids in READ.values()], list(WITHHELD))
    faults.extend('finding %s is in no table' % name for number, name in rows if int(number) < 300 and name not in placed)
    faults.extend('finding %s is in two tables' % name for name in placed if placed.count(name) > 1)

    build('fine.map')
    run('edit fine.map -o to.map set info.license=MIT')
    run('edit fine.map -o other.map set info.author=Bob image/1.name=bob sound/0.name=bob 0/1.tiles[0].index=5 + settings add sv_bob')
    run('diff fine.map to.map -o to-license.json')
    # What is missing of a block reads as zeros, and is not equal to zeros, nor to what another file reads of the same bytes.
    padded = TELE[:20] + bytes(4)
    build('whole.map')
    build('padded.map', blocks=[(TELE, padded, None)])
    build('few.map', blocks=[(TELE, TELE[:20], None)])
    build('ended.map', blocks=[(TELE, padded, zlib.compress(TELE[:20]))])
    build('half.map', after=table(1, TELE, 12))
    build('zero.map', after=table(1, TELE, 0))
    for before, after in (('padded', 'few'), ('padded', 'ended'), ('few', 'ended'), ('whole', 'half'), ('whole', 'zero')):
        for line in ('diff %s.map %s.map' % (before, after), 'diff %s.map %s.map' % (after, before)):
            expect_diff(before, line, 2 if after == 'zero' else 1)
        expect_diff(after, 'diff %s.map %s.map' % (after, after), 0)
    lines = [line for several in RUNS.values() for line in several]
    for finding, kinds in WITHHELD.items():
        for name, kind in kinds.items():
            build(name + '.map', **{key: value for key, value in kind.items() if key not in ('value', 'ints')})
            if finding.encode() not in run('check -v %s.map' % name).stdout:
                faults.append('%s has no finding %s' % (name, finding))
            if not has_value(name + '.map', kind):
                faults.append('%s does not have its value' % name)
            run('edit %s.map -o %s-n.map set 1.name=Nn' % (name, name))
            for line in lines:
                if 'blocks' not in kind and '--plain' in line:
                    continue  # it leaves out what the model does not hold
                try_pair(name, kind, line)
            expect_diff(name, 'diff %s.map %s.map' % (name, name), 0)
    print('%d maps x %d commands' % (sum(map(len, WITHHELD.values())), len(lines)))
    sys.exit('\n'.join(faults) or None)


main()
