#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The public headers as other languages read them: pycparser (the parser under cffi) takes all of them with nothing
but -DTM_API=, and finds every constant and the maker of every option struct there. What only the preprocessor sees,
no binding can use.

Usage: parsers.py SOURCE_DIR. Exit status 77: there is no pycparser."""
import os
import re
import subprocess
import sys
import tempfile

try:
    import pycparser
    from pycparser import c_ast
except ImportError:
    print("skipped: no pycparser (Debian: python3-pycparser)")
    sys.exit(77)

# All that the headers may ask of the C library, as plain as a parser needs it.
STANDARD = {
    "stddef.h": "typedef unsigned long size_t;\n#define NULL ((void *)0)\n",
    "stdint.h": "".join(f"typedef {sign}{c} {name}{bits}_t;\n" for bits, c in
                        ((8, "char"), (16, "short"), (32, "int"), (64, "long long"))
                        for sign, name in (("signed ", "int"), ("unsigned ", "uint")))
                + "#define UINT64_MAX 18446744073709551615ULL\n",
    "stdbool.h": "typedef _Bool bool;\n#define true 1\n#define false 0\n",
}

# Macros with a value that stay macros: #if asks for these, and tm_version() tells them at run time.
FOR_THE_PREPROCESSOR = {"TM_STRICT_GAME", "TM_VERSION_MAJOR", "TM_VERSION_MINOR", "TM_VERSION_PATCH", "TM_VERSION_STRING"}

faults = []


def preprocess(source, header, folder, *flags):
    command = [*os.environ.get("CC", "cc").split(), "-E", "-nostdinc", "-DTM_API=", "-I", folder,
               "-I", os.path.join(source, "include"), *flags, header]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Names(c_ast.NodeVisitor):
    """What a header declares."""

    def __init__(self):
        self.constants, self.functions, self.option_structs = set(), set(), set()

    def visit_Enumerator(self, node):
        self.constants.add(node.name)
        self.generic_visit(node)

    def visit_Decl(self, node):
        if "const" in (node.quals or []) and node.init is not None:
            self.constants.add(node.name)
        self.generic_visit(node)

    def visit_FuncDecl(self, node):
        inner = node.type
        while not isinstance(inner, c_ast.TypeDecl):
            inner = inner.type
        self.functions.add(inner.declname)
        self.generic_visit(node)

    def visit_Struct(self, node):
        first = node.decls[0] if node.decls else None
        if first is not None and first.name == "size" and getattr(first.type.type, "names", None) == ["size_t"]:
            self.option_structs.add(node.name)
        self.generic_visit(node)


def check_header(source, header, folder):
    path = os.path.join(source, "include", "teemap", header)
    names = Names()
    names.visit(pycparser.CParser().parse(preprocess(source, path, folder), header))
    macros = preprocess(source, path, folder, "-dM")
    for name in sorted(names.option_structs - NOT_OPTIONS):
        if f"#define {name.upper()}_INIT " not in macros:
            faults.append(f"{header}: {name} has no {name.upper()}_INIT beside it")
    for match in re.finditer(r"^#define (TM_\w+) (.+)$", macros, re.M):
        name, value = match.groups()
        if name in FOR_THE_PREPROCESSOR or value.startswith("{") or name == "TM_API":
            continue
        fault = f"{name} is a macro: no parser of headers sees it, make it an enum"
        if fault not in faults:
            faults.append(fault)
    return names


# Structs that start with a size of something else than themselves.
NOT_OPTIONS = {"tm_block_info"}


def check_cffi(source, folder):
    """The lines of docs/library.md for cffi give what it reads; without the module they run all the same."""
    with open(os.path.join(source, "docs/library.md"), encoding="utf-8") as file:
        lines = re.search(r"\n    (mkdir stubs.*)\n    (echo.*)\n", file.read()).groups()
    lines = "\n".join(lines).replace("$(pkg-config --variable=includedir teemap)", os.path.abspath(os.path.join(source, "include")))
    text = subprocess.run(["bash", "-ec", lines], check=True, stdout=subprocess.PIPE, text=True, cwd=folder).stdout
    if "tm_map_new(" not in text:
        faults.append("docs/library.md: the lines for cffi print no tm_map_new")
    try:
        import cffi
        cffi.FFI().cdef(text)
    except ImportError:
        print("without cffi: it was not asked to read the headers")
    except cffi.CDefError as error:
        faults.append(f"cffi does not read the headers: {error}")


def main():
    source = sys.argv[1]
    headers = sorted(h for h in os.listdir(os.path.join(source, "include", "teemap")) if h.endswith(".h"))
    constants, functions, structs = set(), set(), set()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in STANDARD.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        check_cffi(source, folder)
        for header in headers:
            names = check_header(source, header, folder)
            constants |= names.constants
            functions |= names.functions
            structs |= names.option_structs
    # tm_view was a hold on bytes in map.h and a view to draw in preview.h: a variable of one could be handed to functions of the other.
    homes = {}
    for header in headers:
        with open(os.path.join(source, "include", "teemap", header), encoding="utf-8") as file:
            for name in set(re.findall(r"^(?:typedef )?(?:struct|enum|union) (tm_\w+) (?:\{|tm_\w+;)", file.read(), re.M)):
                homes.setdefault(name, []).append(header)
    faults.extend(f"{name} is two things: in {' and in '.join(there)}" for name, there in homes.items() if len(there) > 1)
    for wanted in ("TM_NONE", "TM_ENVELOPE_POSITION", "TM_PICTURE_MAX_SIDE", "TM_ERROR_TEXT_SIZE", "TM_ITEM_LAYER"):
        if wanted not in constants:
            faults.append(f"the parser does not find {wanted}")
    for fault in faults:
        print(fault)
    print(f"{len(headers)} headers, {len(functions)} functions, {len(constants)} constants, {len(structs)} option structs")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
