# SPDX-License-Identifier: Zlib
"""Writes teemap/_tables.pyi and tiles.pyi: what type checkers know of the fields, operations and tiles, from the tables of the library
that was just built.

Usage: stubs.py FOLDER_OF_MODULE FOLDER_OF_PACKAGE OUT TILES    (CMakeLists.txt calls it)"""
import sys

HEAD = '''# Made by stubs.py from the tables of the library.
import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal
import numpy as np
from ._map import Map
from ._objects import Envelope, Group, Image, Layer, Sound
from ._results import Report

PathLike = str | os.PathLike[str]
AddressLike = str | int | Image | Sound | Envelope | Group | Layer

class Owner:
    def _get(self, field: Any) -> Any: ...
    def _set(self, field: Any, value: Any) -> None: ...

OPERATIONS: list[Any]
def fields(owner: int) -> list[Any]: ...
def element_type(owner: int) -> np.dtype[Any]: ...
def get_value(map: Map, object: Any, field: Any) -> Any: ...
def unread_fields(owner: int, object: Any) -> list[Any]: ...
def drop_unread(map: Map, owner: int, object: Any) -> None: ...
def set_value(map: Map, object: Any, field: Any, value: Any) -> None: ...
'''


def field_lines(field):
    doc = field.doc.replace("\\", "\\\\").replace('"', "'")
    yield "    @property"
    yield f"    def {field.name}(self) -> {field.read_type}:"
    yield f'        """{doc}"""'
    if field.writable:
        yield f"    @{field.name}.setter"
        yield f"    def {field.name}(self, value: {field.write_type}) -> None: ..."


def operation_lines(operation):
    words = ["self"]
    for one in operation.arguments:
        words.append(f"{one.name}: {one.type}" + ("" if not one.optional else " = ..." if one.kind == "flag" else " | None = ..."))
    yield f"    def {operation.name}({', '.join(words)}) -> Report:"
    doc = operation.doc.replace("\\", "\\\\").replace('"', "'").replace("\n", "\n        ").rstrip()
    yield f'        """{doc}"""'


def main(module, package, out, tiles):
    sys.path[:0] = [module, package]
    import _teemap
    import _words
    ffi, lib = _teemap.ffi, _teemap.lib
    lines = [HEAD]
    for name, owner in _words.OWNERS.items():
        lines.append(f"class {name}(Owner):")
        for field in _words.fields(ffi, lib, getattr(lib, "TM_KIND_" + owner)):
            if field.plain:
                lines.extend(field_lines(field))
        lines.append("    pass")
    lines.append("class Operations:")
    lines.append("    def _run(self, operation: Any, given: Any) -> Report: ...")
    for operation in _words.operations(ffi, lib):
        lines.extend(operation_lines(operation))
    with open(out, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join(lines) + "\n")
    with open(tiles, "w", encoding="ascii") as file:
        file.write("# Made by stubs.py from the tables of the library.\n__all__: list[str]\n")
        file.write("def about(kind: str, index: int, game: str = ...) -> str | None: ...\n")
        file.writelines(f"{name[8:]}: int\n" for name in sorted(dir(lib)) if name.startswith("TM_TILE_"))


if __name__ == "__main__":
    main(*sys.argv[1:])
