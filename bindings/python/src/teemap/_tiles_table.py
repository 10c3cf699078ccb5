# SPDX-License-Identifier: Zlib
"""Tiles of a map as a table of Arrow."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._core import call, encode, ffi, lib
from ._numpy import np
from ._objects import TileLayer

if TYPE_CHECKING:
    from ._map import Map
NUMBERS = {"index": "uint8", "flags": "uint8", "number": "uint8", "delay": "uint8", "force": "uint8", "max_speed": "uint8", "angle": "int16"}


def tiles_table(map: Map, layers: Optional[str]) -> Any:
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]
    schema = pyarrow.schema([("layer", pyarrow.string()), ("name", pyarrow.string()), ("kind", pyarrow.string()), ("x", pyarrow.uint32()),
                             ("y", pyarrow.uint32()), *((name, getattr(pyarrow, kind)()) for name, kind in NUMBERS.items())])
    tables = []
    for layer in map.copy().layers:
        if not isinstance(layer, TileLayer) or not chosen(layer, layers):
            continue
        tiles = layer.tiles
        index = "index" if "index" in (tiles.dtype.names or ()) else "type"
        y, x = np.nonzero(tiles[index])
        some = tiles[y, x]
        columns: dict[str, Any] = {"x": x.astype(np.uint32), "y": y.astype(np.uint32), "index": some[index]}
        for name in NUMBERS:
            if name != "index" and name in (some.dtype.names or ()):
                columns[name] = some[name]
        words = {"layer": layer.address, "name": layer.name.encode("utf-8", "replace").decode(), "kind": str(layer.kind)}
        arrays = [pyarrow.array(np.ascontiguousarray(columns[one.name]), one.type) if one.name in columns else
                  pyarrow.repeat(pyarrow.scalar(words.get(one.name), one.type), len(x)) for one in schema]
        tables.append(pyarrow.Table.from_arrays(arrays, schema=schema))
    return pyarrow.concat_tables(tables) if tables else schema.empty_table()


def chosen(layer: TileLayer, layers: Optional[str]) -> bool:
    if layers is None:
        return True
    p = layer.map._p
    choices = ffi.new("tm_layer_choice[]", max(1, lib.tm_map_num_layers(p)))
    call(lib.tm_select_layers, choices, p, encode(layers), lib.TM_SELECT_ALL)
    group, number = layer._place()
    place = sum(p.groups[g].num_layers for g in range(group)) + number
    return bool(choices[place].chosen)
