# SPDX-License-Identifier: Zlib
"""Writes what of the JavaScript package comes from the library's headers and tables, and joins its modules into one.

    make_modules.py NATIVE OUT COMPILER... NAME=ENTRY...

NATIVE: the shared library of this machine, whose tables are asked. For each NAME the modules that ENTRY (in src/) stands on become
OUT/NAME.js, beside NAME.c and NAME.exports, of which the module is linked. OUT/teemap.d.ts: what TypeScript knows."""
import json
import os
import re
import sys

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tools"), os.path.join(ROOT, "bindings", "python", "src", "teemap")]
import _words  # noqa: E402  names and types of fields and operations, as in Python
import abi as abi_of  # noqa: E402
import headers  # noqa: E402
import join  # noqa: E402


def camel(name):
    """JavaScript's form of a name: settings add -> settingsAdd, offset.x -> offsetX."""
    return re.sub(r"[\W_]+(\w)", lambda match: match.group(1).upper(), name.rstrip("_"))


# -------------------------------------------------------------------------------------------------------- tables

def field_table(ffi, lib):
    """The names of fields in JavaScript, in the order of the library's tables, by owner."""
    owners = [name for name in ffi.typeof("tm_kind").relements if name != "TM_KINDS"]
    return {name[len("TM_KIND_"):]: [camel(field.c_name) for field in _words.fields(ffi, lib, getattr(lib, name))]
            for name in sorted(owners, key=ffi.typeof("tm_kind").relements.get)}


def operation_table(operations):
    """What is needed to make words of arguments: names, kinds, words that stand in front, choices."""
    return [[camel(one.c_name), one.c_name, [[camel(a.name), a.kind, int(a.optional), int(a.repeats), a.word, a.choices] for a in one.arguments]]
            for one in operations]


def table_module(abi, callbacks, numbers, operations):
    known = {"FUNCTIONS": abi.functions, "STRUCTS": abi.structs, "C": abi.constants, "CALLBACKS": numbers,
             "SIGNATURES": {name: [abi.passed(kind.result, True)] + [abi.passed(one) for one in kind.args]
                            for name in callbacks for kind in [headers.callback_type(abi.ffi, name)]},
             "FIELDS": field_table(abi.ffi, abi.lib), "OPERATIONS": operation_table(operations),
             "KINDS": {a.kind: a.help for one in operations for a in one.arguments if a.kind != "flag"}}
    return "\n".join(f"const {name} = {json.dumps(value, separators=(',', ':'))};" for name, value in known.items())


# --------------------------------------------------------------------------------------------------- declarations

TYPES = {"bool": "boolean", "int": "number", "float": "number", "str": "string", "None": "null", "PathLike": "string",
         "bytes": "Uint8Array", "AddressLike": "Address"}


def typescript(kind):
    """A type of Python, as _words writes it, as one of TypeScript."""
    kind = re.sub(r"Literal\[(.*?)\]", lambda match: match.group(1).replace(", ", " | "), kind)
    inner = r"(?:Sequence|Iterable)\[([^\[\]]*)\]"
    while re.search(inner, kind):
        kind = re.sub(inner, r"ReadonlyArray<\1>", kind)
    kind = re.sub(r"tuple\[(.*?)\]", lambda match: "[" + match.group(1) + "]", kind)
    return re.sub(r"(?<![\w\"'])(" + "|".join(TYPES) + r")(?![\w\"'])", lambda match: TYPES[match.group(1)], kind)


def comment(text, indent="    "):
    text = text.replace("*/", "* /").strip()
    return f"{indent}/** {text} */" if "\n" not in text else "\n".join(
        [indent + "/**"] + [f"{indent} * {line}".rstrip() for line in text.split("\n")] + [indent + " */"])


def declared_fields(ffi, lib):
    elements = {name: "".join(part.capitalize() for part in name.split("_")) + "Value" for name in (
        "QUAD", "ENVELOPE_POINT", "SOUND_SOURCE", "OLD_SOURCE", "TILE", "TELE_TILE", "SPEEDUP_TILE", "SWITCH_TILE", "TUNE_TILE")}
    for name, owner in [*_words.OWNERS.items(), *((value, key) for key, value in elements.items())]:
        yield f"export interface {name} {{"
        element = name.endswith("Value")
        for field in _words.fields(ffi, lib, getattr(lib, "TM_KIND_" + owner)):
            if not field.plain and not (element and field.row.num_values > 1) or element and field.row.flags & lib.TM_FIELD_ALIAS:
                continue
            kind = typescript(field.write_type if field.type == "CHOICE" else field.read_type)
            kind += " | undefined" if field.row.unread else ""  # what could not be read is neither the value nor its absence
            if element:
                kind = "number | null" if field.type == "REFERENCE" else kind
                kind = f"({kind})[]" if field.row.num_values > 1 else kind
            elif field.writable and not field.row.unread and typescript(field.write_type) != kind:
                accepted = typescript(field.write_type)
                yield comment(field.doc)
                yield f"    get {camel(field.c_name)}(): {kind};"
                yield f"    set {camel(field.c_name)}(value: {accepted});"
                continue
            yield comment(field.doc)
            yield f"    {'' if field.writable else 'readonly '}{camel(field.c_name)}: {kind};"
        yield "}"


def declared_operations(operations):
    yield "export interface Operations {"
    for one in operations:
        words = "; ".join(f"{camel(a.name)}{'?' if a.optional else ''}: {typescript(a.type)}" for a in one.arguments)
        needed = any(not a.optional for a in one.arguments)
        yield comment(one.doc)
        given = f"given{'' if needed else '?'}: {{ {words} }}" if words else ""
        yield f"    {camel(one.c_name)}({given}): Report;"
    yield "}"


def main(native, out, *rest):
    split = next(i for i, word in enumerate(rest) if "=" in word)
    compiler, packages = rest[:split], [word.split("=") for word in rest[split:]]
    ffi = cffi.FFI()
    ffi.cdef(headers.preprocess(os.path.join(ROOT, "include"), compiler, "-DTM_WITHOUT_SYS"))
    lib = ffi.dlopen(native)
    operations = _words.operations(ffi, lib)
    os.makedirs(out, exist_ok=True)
    for name, entry in packages:
        text, exports = join.joined(join.modules_of(os.path.join(HERE, "src"), entry))
        abi = abi_of.Abi(ffi, lib, text)
        callbacks = [one for one in headers.CALLBACKS if one in text]
        source, numbers = abi_of.bridge(abi, callbacks, headers, exports)
        whole = "OPERATIONS" in text
        module = "\n".join(["// SPDX-License-Identifier: Zlib", "// Made of bindings/web/src by make_modules.py.",
                            table_module(abi, callbacks, numbers, operations if whole else []), text,
                            "export { " + ", ".join(exports) + " };", ""])
        for suffix, content in ((".c", source), (".js", module.replace("@NAME@", name)),
                                (".exports", "".join(f"_{one}\n" for one in ["malloc", "free", "teemap_function", *abi.functions]))):
            with open(os.path.join(out, name + suffix), "w", encoding="utf-8") as file:
                file.write(content)
    with open(os.path.join(HERE, "src", "teemap.d.ts"), encoding="utf-8") as file:
        written = file.read()
    with open(os.path.join(out, "teemap.d.ts"), "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join([written, *declared_fields(ffi, lib), *declared_operations(operations), ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
