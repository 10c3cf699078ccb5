# SPDX-License-Identifier: Zlib
"""Elements of arrays as objects: points of envelopes, quads and sound sources of layers."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

import numpy as np

from ._wrappers import MapError, kept, Collection


class Element:
    """A part of an array that is read and written as a whole: a quad, a source, a point."""
    __slots__ = ("_of", "_i")
    _of: Any
    _i: int

    def __init__(self, of: Any, index: int) -> None:
        object.__setattr__(self, "_of", of)
        object.__setattr__(self, "_i", index)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._of is other._of and self._i == other._i

    def __hash__(self) -> int:
        return hash((id(self._of), self._i))

    _array: str

    def _rows(self) -> Any:
        return getattr(self._of, self._array)

    def _row(self) -> Any:
        rows = self._rows()
        if self._i >= len(rows):
            raise MapError("it is no longer there")
        return rows[self._i]

    def _put(self, change: Callable[[Any], None]) -> None:
        rows = self._rows()
        if rows.flags.writeable:
            change(rows[self._i])
            return
        rows = rows.copy()
        change(rows[self._i])
        setattr(self._of, self._array, rows)

    def _write(self, field: str, value: Any) -> None:
        def change(row: Any) -> None:
            row[field] = value
        self._put(change)


def number_field(name: str, most: Optional[int] = None) -> property:
    def write(self: Any, value: Any) -> None:
        if most is not None and not 0 <= value <= most:
            raise OverflowError(f"{name} is 0 to {most}, not {value}")
        self._write(name, value)

    return property(lambda self: int(self._row()[name]), write)


def reference_field(name: str) -> property:
    def read(self: Any) -> Optional[int]:
        number = int(self._row()[name])
        return None if number < 0 else number

    return property(read, lambda self, value: self._write(name, -1 if value is None else value))


class Rows(Collection):
    """Elements of an array: points, quads, sources."""
    _array: str

    def __len__(self) -> int:
        return len(getattr(self._of, self._array))

    def _store(self, rows: Any) -> None:
        setattr(self._of, self._array, rows)

    def _copy(self) -> Any:
        return getattr(self._of, self._array).copy()

    def __getitem__(self, index: int) -> Any:
        return self._element(self._index(index))

    def _element(self, index: int) -> Any:
        raise NotImplementedError

    def __delitem__(self, index: int) -> None:
        self._store(np.delete(self._copy(), self._index(index)))

    def __setitem__(self, index: int, item: Any) -> None:
        rows = self._copy()
        rows[self._index(index)] = item._row()
        self._store(rows)

    def insert(self, index: int, item: Any) -> Any:
        return self._insert(index, item._row().copy())

    @kept
    def _insert(self, index: int, row: Any) -> Any:
        rows = self._copy()
        index = max(0, min(len(rows), index + len(rows) if index < 0 else index))
        self._store(np.concatenate([rows[:index], np.array([row], rows.dtype), rows[index:]]))
        return self._element(index)
