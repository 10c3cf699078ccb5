#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Holds the schemas against the table of fields.

    fields.py SOURCE PROGRAM    PROGRAM is print_tables. The schemas of docs/schema/ have a key for each field that JSON
                                shows, and those of docs/schema/folder one for each that stands in a file of an unpacked map; and no other.

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
    for owner, name, kind, shown, _ in rows:
        if owner in owners and owner in ("info", "image", "sound"):
            keys["unread"] = None  # the names of texts that could not be read
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


def folder_keys(rows, owners):
    """The same of an object as it stands in an unpacked map: blocks and lists have keys of their own."""
    keys = {}
    for owner, name, kind, _, alias in rows:
        if owner not in owners or alias == "1" or kind in ("data", "count", "list", "texts"):
            continue
        outer, _, inner = name.partition(".")
        if inner:
            keys.setdefault(outer, set()).add(inner)
        elif (owner, name) != ("group", "has_parallax_zoom"):
            keys[name] = None
    for within in filter(None, keys.values()):
        within.discard("present")  # the object is null then
    return keys


def resolve(schemas, schema):
    """Follows references, and takes the form that is not null."""
    while True:
        if "$ref" in schema:
            file, _, path = schema["$ref"].partition("#/$defs/")
            schema = (schemas[file] if file else schemas["common.json"])["$defs"][path]
        elif any(form.get("type") == "null" for form in schema.get("oneOf", schema.get("anyOf", []))):
            forms = schema.get("oneOf", schema.get("anyOf"))
            schema = next(form for form in forms if form.get("type") != "null")
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
    common = schemas["common.json"]["$defs"]
    for name in ("info", "image", "sound", "envelope", "group"):
        more = {"info": [], "group": ["address", "layers"]}.get(name, ["address"])
        yield from compare(schemas, f"common.json: {name}", common[name], expected_keys(rows, [name]), more)
    for form in common["layer"]["oneOf"]:
        kind = form["properties"]["kind"]
        first = kind["const"] if "const" in kind else kind["enum"][0]
        own = {"tiles": "tile_layer", "quads": "quad_layer", "sounds": "sound_layer"}.get(first, "none")
        yield from compare(schemas, f"common.json: layer of {first}", form, expected_keys(rows, ["layer", own]), ["address"])


def check_folder(schemas, rows):
    more = {"map": ["teemap_folder"], "image": ["pixels"], "sound": ["data"], "envelope": ["points"]}
    for name in ("map", "info", "image", "sound", "envelope", "group"):
        yield from compare(schemas, f"folder/{name}.json", schemas[name + ".json"], folder_keys(rows, [name]), more.get(name, []))
    points = schemas["envelope.json"]["properties"]["points"]["items"]
    yield from compare(schemas, "folder/envelope.json: points", points, folder_keys(rows, ["envelope_point"]))
    blocks = {"tiles": ("tile_layer", ["compat", "compat_rest", "tiles", "tiles_rest"], None, []),
              "quads": ("quad_layer", ["quads", "quads_rest"], "quads", ["quad"]),
              "sounds": ("sound_layer", ["sources", "sources_rest"], "sources", ["sound_source", "old_source"]),
              "unknown": ("none", [], None, [])}
    for form in schemas["layer.json"]["oneOf"]:
        kind = form["properties"]["kind"]["enum"][0]
        owner, more, key, elements = blocks[kind]
        where = f"folder/layer.json: {kind}"
        yield from compare(schemas, where, form, folder_keys(rows, ["layer", owner]), more)
        if key:
            expected = folder_keys(rows, elements)
            more = ["radius"] if key == "sources" else []
            yield from compare(schemas, f"{where}: {key}", form["properties"][key]["items"], expected, more)


def load(folder):
    schemas = {}
    for name in sorted(name for name in os.listdir(folder) if name.endswith('.json')):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            schemas[name] = json.load(file)
    return schemas


def main(source, program):
    folder = os.path.join(source, "docs", "schema")
    rows = [line.split("\t") for line in run(program, "field-keys").splitlines()]
    findings = [*check_schemas(load(folder), rows), *check_folder(load(os.path.join(folder, "folder")), rows)]
    for finding in findings:
        print(finding)
    print(f"{len(rows)} fields, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
