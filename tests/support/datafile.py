#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""A second, independent reader of the container, on Python's zlib. The tests hold libteemap against it.

    datafile.py check MAP           every block unpacks with zlib to exactly its announced size, nothing trails
    datafile.py same A B            equal items (UUID types by their UUID) and equal unpacked blocks
    datafile.py all LIST            lines "WHAT<tab>check<tab>MAP" and "WHAT<tab>same<tab>A<tab>B"; prints what is wrong
    datafile.py sha256 MAP
    datafile.py break HOW IN OUT    damages a map: no-game, game-data, head, version

Exit status 0, or 1 with one line that says what is wrong.
"""
import hashlib
import struct
import sys
import zlib

HEADER = struct.Struct('<4s8i')
UUID_INDEX = 0xffff
TYPE_LAYER = 5
LAYER_TILES = 2
FLAG_GAME = 1


class Wrong(Exception):
    pass


class Datafile:
    """Where everything lies in a version 4 file with a sound head."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.bytes = file.read()
        if len(self.bytes) < HEADER.size:
            raise Wrong('shorter than a header')
        (magic, self.version, self.size, self.swaplen, types, self.num_items, self.num_data, self.items_size,
         self.data_size) = HEADER.unpack_from(self.bytes)
        if magic != b'DATA' or self.version != 4:
            raise Wrong('not a version 4 datafile')
        self.offsets_at = HEADER.size + 12 * types
        self.data_offsets_at = self.offsets_at + 4 * self.num_items
        self.items_at = self.data_offsets_at + 8 * self.num_data
        self.data_at = self.items_at + self.items_size
        if self.data_at + self.data_size != len(self.bytes):
            raise Wrong('file size %d differs from the header' % len(self.bytes))
        self.item_offsets = self._ints(self.offsets_at, self.num_items) + (self.items_size,)
        self.data_offsets = self._ints(self.data_offsets_at, self.num_data) + (self.data_size,)
        self.data_sizes = self._ints(self.data_offsets_at + 4 * self.num_data, self.num_data)

    def _ints(self, at, num):
        return struct.unpack_from('<%di' % num, self.bytes, at)

    def item(self, i):
        """(position of the header, type, id, body)"""
        at = self.items_at + self.item_offsets[i]
        word, size = struct.unpack_from('<Ii', self.bytes, at)
        if size != self.item_offsets[i + 1] - self.item_offsets[i] - 8:
            raise Wrong('item %d: size word %d' % (i, size))
        return at, word >> 16, word & 0xffff, self.bytes[at + 8:at + 8 + size]

    def items(self):
        return [self.item(i) for i in range(self.num_items)]

    def packed(self, i):
        return self.bytes[self.data_at + self.data_offsets[i]:self.data_at + self.data_offsets[i + 1]]

    def unpacked(self, i):
        stream = zlib.decompressobj()
        try:
            data = stream.decompress(self.packed(i))
        except zlib.error as error:
            raise Wrong('block %d: %s' % (i, error)) from error
        if not stream.eof:
            raise Wrong('block %d: the stream does not end' % i)
        if len(data) != self.data_sizes[i]:
            raise Wrong('block %d: %d bytes, announced %d' % (i, len(data), self.data_sizes[i]))
        return data, len(stream.unused_data)

    def uuids(self):
        """Number of a type in this file -> its UUID."""
        result = {}
        for _at, kind, number, body in self.items():
            if kind == UUID_INDEX and len(body) >= 16:
                result.setdefault(number, body[:16])
        return result

    def content(self):
        """Items by type, types by UUID where they have one, index items left out: what a map means."""
        uuids = self.uuids()
        result = {}
        for _at, kind, number, body in self.items():
            if kind != UUID_INDEX:
                result.setdefault(uuids.get(kind, kind), []).append((number, body))
        return result


def check(path):
    file = Datafile(path)
    for i in range(file.num_data):
        _data, trailing = file.unpacked(i)
        if trailing:
            raise Wrong('block %d: %d bytes after the stream' % (i, trailing))


def same(path_a, path_b):
    a, b = Datafile(path_a), Datafile(path_b)
    content_a, content_b = a.content(), b.content()
    for kind in list(content_a) + list(content_b):
        if content_a.get(kind) != content_b.get(kind):
            raise Wrong('items of type %s differ' % (kind.hex() if isinstance(kind, bytes) else kind))
    if a.num_data != b.num_data:
        raise Wrong('%d blocks and %d blocks' % (a.num_data, b.num_data))
    for i in range(a.num_data):
        if a.unpacked(i)[0] != b.unpacked(i)[0]:
            raise Wrong('block %d differs' % i)


def check_all(path):
    bad = 0
    with open(path, encoding='utf-8') as lines:
        rows = [line.rstrip('\n').split('\t') for line in lines]
    for what, task, *paths in rows:
        try:
            {'check': check, 'same': same}[task](*paths)
        except (Wrong, OSError, struct.error) as error:
            bad += 1
            print('FAILED: %s: %s: %s' % (what, ' '.join([task] + paths), error))
    if bad:
        raise Wrong('%d of %d' % (bad, len(rows)))


def sha256(path):
    with open(path, 'rb') as file:
        print(hashlib.sha256(file.read()).hexdigest())


def game_layer(file):
    """Position of the game layer's item body in the file."""
    for at, kind, _number, body in file.items():
        if kind == TYPE_LAYER and len(body) >= 60:
            ints = struct.unpack_from('<15i', body)
            if ints[1] == LAYER_TILES and ints[6] & FLAG_GAME:
                return at + 8, ints
    raise Wrong('no game layer')


def break_map(how, source, target):
    file = Datafile(source)
    data = bytearray(file.bytes)
    at, ints = game_layer(file)
    if how == 'no-game':
        struct.pack_into('<i', data, at + 24, 0)
    elif how == 'game-data':
        begin = file.data_at + file.data_offsets[ints[14]]
        end = file.data_at + file.data_offsets[ints[14] + 1]
        data[begin:end] = bytes(end - begin)
    elif how == 'head':
        del data[file.items_at:]
    elif how == 'version':
        struct.pack_into('<i', data, 4, 5)
    else:
        raise Wrong('no damage is called ' + how)
    with open(target, 'wb') as out:
        out.write(data)


def main(arguments):
    tasks = {'check': (check, 1), 'same': (same, 2), 'all': (check_all, 1), 'sha256': (sha256, 1), 'break': (break_map, 3)}
    if not arguments or arguments[0] not in tasks or len(arguments) - 1 != tasks[arguments[0]][1]:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        tasks[arguments[0]][0](*arguments[1:])
    except (Wrong, OSError, struct.error) as error:
        print('%s: %s' % (' '.join(arguments), error))
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
