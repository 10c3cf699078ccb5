#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Holds JSON outputs against the schemas of docs/schema/.

    schema.py FOLDER NAME FILE [NAME FILE]...   FILE holds objects of NAME.json, one after the other
    schema.py FOLDER --documented PAGE          each key that a schema names is explained in the page, in backquotes

Exit status 0, 1 with what does not fit, 77 without the module jsonschema.
"""
import glob
import json
import os
import re
import sys
import warnings


def load(folder, deep=False):
    schemas = {}
    names = glob.glob('**/*.json' if deep else '*.json', root_dir=folder, recursive=True)
    for name in sorted(names):
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            schemas[name] = json.load(file)
    return schemas


def validators(schemas):
    try:
        import jsonschema
    except ImportError:
        print('skipped: no module jsonschema')
        sys.exit(77)
    try:
        from referencing import Registry, Resource
        registry = Registry().with_resources((n, Resource.from_contents(s)) for n, s in schemas.items())
        found = {name: {'registry': registry} for name in schemas}
    except ImportError:  # jsonschema before 4.18 joins an $id such as sarif/log.json to itself
        warnings.simplefilter('ignore')
        schemas = {n: {key: value for key, value in s.items() if key != '$id'} for n, s in schemas.items()}
        store = {'file:///' + name: schema for name, schema in schemas.items()}
        found = {name: {'resolver': jsonschema.RefResolver('file:///' + name, schemas[name], store)} for name in schemas}
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        yield name, jsonschema.Draft202012Validator(schema, **found[name])


def objects(path):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text):
        one, at = decoder.raw_decode(text, at)
        found.append(one)
        at += len(text) - at - len(text[at:].lstrip())
    return found


def apply(folder, pairs):
    known = dict(validators(load(folder, deep=True)))
    num = 0
    for name, path in zip(pairs[::2], pairs[1::2]):
        found = objects(path)
        for number, one in enumerate(found, 1):
            for error in known[name + '.json'].iter_errors(one):
                where = '/'.join(map(str, error.absolute_path))
                print('%s, object %d, %s: %s' % (path, number, where, error.message[:500]))
                return 1
        if not found:
            print('%s: no object' % path)
            return 1
        num += len(found)
    print('%d objects fit their schemas' % num)
    return 0


def keys(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get('properties'), dict):
            yield from schema['properties']
        for value in schema.values():
            yield from keys(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys(value)


def documented(folder, page):
    words = set()
    for name in (page, os.path.join(os.path.dirname(page), 'mods.md')):  # mods.md explains the files of mods
        with open(name, encoding='utf-8') as file:
            words |= set(re.findall(r'`([a-z0-9_-]+)`', file.read()))
    wanted = {key for schema in load(folder).values() for key in keys(schema)}
    # docs/json.md explains the suffix _bytes once for all texts.
    missing = sorted(key for key in wanted - words if not key.endswith('_bytes') or key in ('item_bytes',))
    if missing:
        print('%s does not explain: %s' % (page, ', '.join(missing)))
    return 1 if missing else 0


def main(arguments):
    if len(arguments) == 3 and arguments[1] == '--documented':
        return documented(arguments[0], arguments[2])
    if len(arguments) >= 3 and len(arguments) % 2 == 1:
        return apply(arguments[0], arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
