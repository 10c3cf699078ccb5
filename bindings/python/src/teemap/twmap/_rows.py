# SPDX-License-Identifier: Zlib
"""Elements of arrays as objects: points of envelopes, quads and sound sources of layers. They are read and written in the library's
structs: numpy takes 20 times as long for one number."""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional

import numpy as np

from .. import _objects
from .._core import ffi, lib
from ._wrappers import MapError, kept, Collection


class Element:
    """A part of an array: a quad, a source, a point."""
    __slots__ = ("_of", "_i")
    _of: Any
    _i: int
    _array: str

    def __init__(self, of: Any, index: int) -> None:
        self._of, self._i = of, index

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._of is other._of and self._i == other._i

    def __hash__(self) -> int:
        return hash((id(self._of), self._i))

    def _rows(self, write: bool) -> tuple[Any, int]:
        """The structs, with the lock of the map, and their number."""
        raise NotImplementedError

    def _row(self, write: bool = False) -> Any:
        """The struct, with the lock of the map."""
        rows, num = self._rows(write)
        if self._i >= num:
            raise MapError("it is no longer there")
        return rows[self._i]

    def _copied(self) -> Any:
        """As a row of the array."""
        return getattr(self._of, self._array)[self._i]


def blocks(slot_of: Callable[[Any], Any], kind: str) -> Callable[[Any, bool], tuple[Any, int]]:
    """How to find the structs of elements that a block holds."""
    pointer, size = ffi.typeof(kind + " *"), ffi.sizeof(kind)
    cast = ffi.cast

    def rows(self: Any, write: bool) -> tuple[Any, int]:
        of = self._of
        address, num, _ = of.map._block_bytes(of, slot_of, write)
        return cast(pointer, address), num // size

    return rows


def field(read: Callable[[Any], Any], write: Callable[[Any, Any], None]) -> property:
    """An attribute: read(struct) and write(struct, value)."""
    def get(self: Any) -> Any:
        with self._of.map._lock:
            return read(self._row())

    def put(self: Any, value: Any) -> None:
        with self._of.map._lock:
            write(self._row(True), value)

    return property(get, put)


def number_field(name: str, most: Optional[int] = None) -> property:
    get = operator.attrgetter(name)

    def write(row: Any, value: Any) -> None:
        if most is not None and not 0 <= value <= most:
            raise OverflowError(f"{name} is 0 to {most}, not {value}")
        setattr(row, name, value)

    return field(get, write)


def reference_field(name: str) -> property:
    get = operator.attrgetter(name)

    def read(row: Any) -> Optional[int]:
        number = get(row)
        return None if number < 0 else number

    return field(read, lambda row, value: setattr(row, name, -1 if value is None else value))


def point_field(read: Callable[[Any], Any], scale: float) -> property:
    """A place: x and y of a struct, which is kept as whole numbers."""
    def write(row: Any, value: Sequence[float]) -> None:
        point = read(row)
        x, y = value
        point.x, point.y = round(x * scale), round(y * scale)

    return field(lambda row: (read(row).x / scale, read(row).y / scale), write)


class Rows(Collection):
    """Elements of an array: points, quads, sources."""
    __slots__ = ()
    _array: str
    _class: type

    def __len__(self) -> int:
        return len(getattr(self._of, self._array))

    def _store(self, rows: Any) -> None:
        setattr(self._of, self._array, rows)

    def _copy(self) -> Any:
        return getattr(self._of, self._array).copy()

    def __getitem__(self, index: int) -> Any:
        return self._class(self._of, self._index(index))

    def __iter__(self) -> Iterator[Any]:
        i, of, made = 0, self._of, self._class  # which of a layer of sounds has to be looked up
        while i < len(self):
            yield made(of, i)
            i += 1

    def __delitem__(self, index: int) -> None:
        self._store(np.delete(self._copy(), self._index(index)))

    def __setitem__(self, index: int, item: Any) -> None:
        rows = self._copy()
        rows[self._index(index)] = item._copied()
        self._store(rows)

    def insert(self, index: int, item: Any) -> Any:
        return self._insert(index, item._copied().copy())

    @kept
    def _insert(self, index: int, row: Any) -> Any:
        rows = self._copy()
        index = max(0, min(len(rows), index + len(rows) if index < 0 else index))
        self._store(np.concatenate([rows[:index], np.array([row], rows.dtype), rows[index:]]))
        return self._class(self._of, index)


class LayerRows(Rows):
    """Those that a layer has."""
    __slots__ = ()
    _num: Callable[[Any], int]
    _slot: Any
    _kind: str
    _setter: str

    def __len__(self) -> int:
        map = self._of.map
        with map._lock:
            return int(self._num(map._struct_of(self._of)))

    def __delitem__(self, index: int) -> None:
        self._splice(self._index(index), 1)

    def _insert(self, index: int, row: Any) -> Any:
        num = len(self)
        index = max(0, min(num, index + num if index < 0 else index))
        self._splice(index, 0, row.tobytes() if isinstance(row, np.generic) else bytes(ffi.buffer(row)))
        return self._class(self._of, index)

    @kept
    def _splice(self, index: int, removed: int, added: bytes = b"") -> None:
        """Puts one in or takes one out, without an array."""
        of, size = self._of, ffi.sizeof(self._kind)
        with of.map._alone():
            num = len(self)
            bytes_ = ffi.buffer(of.map._block_bytes(of, self._slot)[0], num * size) if num else b""
            new = b"".join((bytes_[:index * size], added, bytes_[(index + removed) * size:]))
            num += 1 - 2 * removed
            of.map._change(lambda p, error: getattr(lib, self._setter)(p, *of._place(), ffi.from_buffer(self._kind + "[]", new), num, error))


QUADS, SOURCES = _objects.quads_of, _objects.sources_of
