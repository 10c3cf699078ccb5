#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Holds the JSON files of unpacked maps against the schemas of docs/schema/folder and docs/schema/mapdir.

    schema_folder.py SCHEMAS DIR...     DIR is of `teemap unpack`, in either format; SCHEMAS is docs/schema

Exit status 0, 1 with what does not fit, 77 without the module jsonschema.
"""
import glob
import json
import os
import sys

import schema

PLACES = {
    'folder': {'map.json': 'map', 'info.json': 'info', 'images/*.json': 'image', 'sounds/*.json': 'sound',
               'envelopes/*.json': 'envelope', 'groups/*.json': 'group', 'groups/*/*.json': 'layer'},
    'mapdir': {'version.json': 'version', 'info.json': 'info', 'images/*.json': 'image', 'envelopes/*.json': 'envelope',
               'groups/*/group.json': 'group', 'groups/*/layers/*.json': 'layer'},
}


def check(schemas, folder):
    kind = 'folder' if os.path.exists(os.path.join(folder, 'map.json')) else 'mapdir'
    known = dict(schema.validators(schema.load(os.path.join(schemas, kind))))
    looked_at, faults = 0, 0
    for pattern, name in PLACES[kind].items():
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), pattern))):
            with open(path, encoding='utf-8') as file:
                error = next(known[name + '.json'].iter_errors(json.load(file)), None)
            looked_at += 1
            if error:
                faults += 1
                print('%s: %s: %s' % (path, list(error.absolute_path), error.message[:200]))
    if looked_at < 3:
        print('%s: no unpacked map' % folder)
    return faults == 0 and looked_at >= 3


if __name__ == '__main__':
    sys.exit(0 if all([check(sys.argv[1], folder) for folder in sys.argv[2:]]) else 1)
