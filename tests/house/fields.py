#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Holds the schemas against the table of fields.

    fields.py SOURCE PROGRAM    PROGRAM is print_tables. The schemas of docs/schema/ have a key for each field that JSON
                                shows, and no other.

Exit status 1 with what is missing or too much.
"""
import json
import os
import subprocess
import sys


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def expected_keys(rows, owners):
    """{key: set of keys within, or None} for an object that has the fields of all these owners."""
    keys = {}
    for owner, name, kind, shown in rows:
        if owner not in owners or shown != "1":
            continue
        outer, _, inner = name.partition(".")
        if kind == "data":
            keys.update({"size": None, "packed_size": None})
        elif inner:
            keys.setdefault(outer, set()).add(inner)
        else:
            keys[name] = None
            if kind in ("text", "name"):
                keys[name + "_bytes"] = None
    return keys


def resolve(schemas, schema):
    """Follows references, and takes the form that is not null."""
    while True:
        if "$ref" in schema:
            file, _, path = schema["$ref"].partition("#/$defs/")
            schema = (schemas[file] if file else schemas["common.json"])["$defs"][path]
        elif "oneOf" in schema and any(form.get("type") == "null" for form in schema["oneOf"]):
            schema = next(form for form in schema["oneOf"] if form.get("type") != "null")
        else:
            return schema


def compare(schemas, where, schema, expected, more=()):
    """What is missing from an object's schema or too much in it. `more`: keys beside the fields."""
    there = resolve(schemas, schema)["properties"]
    for key in sorted(set(expected) - set(there)):
        yield f"{where} has no '{key}'"
    for key in sorted(set(there) - set(expected) - set(more)):
        yield f"{where} has '{key}', but the model has no such field"
    for key, within in expected.items():
        if within and key in there:
            inner = set(resolve(schemas, there[key])["properties"])
            if inner != within:
                yield f"{where}.{key} has {sorted(inner)}, the model {sorted(within)}"


def check_schemas(schemas, rows):
    common, cat = schemas["common.json"]["$defs"], schemas["cat.json"]["$defs"]
    for name in ("info", "image", "sound", "envelope", "envelope_point", "group"):
        more = {"info": [], "envelope_point": [], "group": ["address", "layers"]}.get(name, ["address"])
        yield from compare(schemas, f"common.json: {name}", common[name], expected_keys(rows, [name]), more)
    for form in common["layer"]["oneOf"]:
        kind = form["properties"]["kind"]
        first = kind["const"] if "const" in kind else kind["enum"][0]
        own = {"tiles": "tile_layer", "quads": "quad_layer", "sounds": "sound_layer"}.get(first, "none")
        yield from compare(schemas, f"common.json: layer of {first}", form, expected_keys(rows, ["layer", own]), ["address"])
    layers = [("tile_layer", "tile_layer", "rows", "tile"), ("tele_layer", "tile_layer", "rows", "tele_tile"),
              ("tele_layer", "tile_layer", "rows", "tune_tile"), ("speedup_layer", "tile_layer", "rows", "speedup_tile"),
              ("switch_layer", "tile_layer", "rows", "switch_tile"), ("quad_layer", "quad_layer", "quads", "quad"),
              ("sound_layer", "sound_layer", "sources", "sound_source"),
              ("old_sound_layer", "sound_layer", "sources", "old_source")]
    for name, owner, key, element in layers:
        yield from compare(schemas, f"cat.json: {name}", cat[name], expected_keys(rows, ["layer", owner]), ["address", key])
        item = cat[name]["properties"][key]["items"]
        item = item["items"] if key == "rows" else item
        yield from compare(schemas, f"cat.json: {name}.{key}", item, expected_keys(rows, [element]))
    yield from compare(schemas, "cat.json: envelope", cat["envelope"], expected_keys(rows, ["envelope"]),
                       ["address", "points"])


def main(source, program):
    folder = os.path.join(source, "docs", "schema")
    schemas = {}
    for name in sorted(name for name in os.listdir(folder) if name.endswith('.json')):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            schemas[name] = json.load(file)
    rows = [line.split("\t") for line in run(program, "field-keys").splitlines()]
    findings = list(check_schemas(schemas, rows))
    for finding in findings:
        print(finding)
    print(f"{len(rows)} fields, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
