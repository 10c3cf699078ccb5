#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Holds the JSON files of unpacked maps against the schemas of docs/schema/folder.

    schema_folder.py SCHEMAS DIR...     DIR is of `teemap unpack`; SCHEMAS is docs/schema

Exit status 0, 1 with what does not fit, 77 without the module jsonschema.
"""
import glob
import json
import os
import sys

import schema

PLACES = {'map.json': 'map', 'info.json': 'info', 'images/*.json': 'image', 'sounds/*.json': 'sound',
          'envelopes/*.json': 'envelope', 'groups/*.json': 'group', 'groups/*/*.json': 'layer'}


def check(schemas, folder):
    known = dict(schema.validators(schema.load(os.path.join(schemas, 'folder'))))
    looked_at, faults = 0, 0
    for pattern, name in PLACES.items():
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
