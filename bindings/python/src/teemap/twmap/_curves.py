# SPDX-License-Identifier: Zlib
"""Envelopes and their points, as twmap has them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._rows import Element, Rows, field, number_field
from ._wrappers import kept, Objects, put, Wrapper

CURVES = ("Step", "Linear", "Slow", "Fast", "Smooth", "Bezier")
# twmap's points have both handles of the curve to the next point: handle_r is that in front of the next one, where the map has it. The
# last point's goes round to the first, where no game looks, until there is a next point.
HANDLES = {"handle_l_x": "out_dx", "handle_l_y": "out_dy", "handle_r_x": "in_dx", "handle_r_y": "in_dy"}


def moved(points: Any, by: int) -> Any:
    """Points with the handles in front of each moved by one: -1 to where twmap has them, 1 back."""
    rows = points.copy()
    for name in ("in_dx", "in_dy"):
        rows[name] = np.roll(points[name], by, 0)
    return rows


def _points(self: Any, write: bool) -> tuple[Any, int]:
    of = self._of
    if write:
        of.map._wait_turn()
        of.map._untouched = False
    struct = of.map._struct_of(of)
    return struct.points, struct.num_points


def _curve(row: Any) -> str:
    return CURVES[row.curve] if 0 <= row.curve < len(CURVES) else "Linear"


def _put_curve(row: Any, value: str) -> None:
    if value not in CURVES:
        raise ValueError("curve is one of " + ", ".join(CURVES))
    row.curve = CURVES.index(value)


def _content(scales: tuple[float, ...]) -> property:
    """All values of a point: a tuple, or one number."""
    single = len(scales) == 1

    def read(row: Any) -> Any:
        values = row.values
        return values[0] / scales[0] if single else tuple([values[i] / scale for i, scale in enumerate(scales)])

    def write(row: Any, value: Any) -> None:
        given = _scaled(value, scales)
        row.values[0:len(given)] = given

    return field(read, write)


def _scaled(value: Any, scales: tuple[float, ...]) -> list[int]:
    given = value if isinstance(value, Sequence) else (value,)
    if len(given) != len(scales):
        raise ValueError(f"it is made of {len(scales)} numbers, not {len(given)}")
    return [round(one * scale) for one, scale in zip(given, scales)]


def _value(number: int, scale: float) -> property:
    def write(row: Any, value: Any) -> None:
        row.values[number] = round(value * scale)

    return field(lambda row: row.values[number] / scale, write)


def _handle(name: str, scales: tuple[float, ...]) -> property:
    """A handle, which only points with a Bezier curve have."""
    c_name, shift = HANDLES[name], int(name.startswith("handle_r"))

    def row_of(self: Any, write: bool) -> Any:
        rows, num = self._rows(write)
        self._row()
        return getattr(rows[(self._i + shift) % num], c_name)

    def get(self: Any) -> Any:
        with self._of.map._lock:
            if self.curve != "Bezier":
                raise AttributeError(name)
            values = row_of(self, False)
            made = tuple([values[i] / scale for i, scale in enumerate(scales)])
            return made if len(made) > 1 else made[0]

    def put(self: Any, value: Any) -> None:
        given = _scaled(value, scales)
        with self._of.map._lock:
            row_of(self, True)[0:len(given)] = given

    return property(get, put)


class _Point(Element):
    """time, content, curve, and of Bezier curves handle_l_x, handle_l_y, handle_r_x, handle_r_y."""
    __slots__ = ()
    _array = "points"
    _rows = _points
    _names: tuple[str, ...] = ()
    _scale: tuple[float, ...] = ()
    time = number_field("time")
    curve = field(_curve, _put_curve)

    def __init_subclass__(cls) -> None:
        cls.content = _content(cls._scale)
        for i, (name, scale) in enumerate(zip(cls._names, cls._scale)):
            setattr(cls, name, _value(i, scale))
        for name in HANDLES:
            setattr(cls, name, _handle(name, cls._scale))

    content: Any

    def _copied(self) -> Any:
        return moved(self._of.points, -1)[self._i]


class PosEnvPoint(_Point):
    __slots__ = ()
    _names, _scale = ("x", "y", "rotation"), (32 * 1024, 32 * 1024, 1024)


class ColorEnvPoint(_Point):
    __slots__ = ()
    _names, _scale = ("r", "g", "b", "a"), (1024,) * 4


class SoundEnvPoint(_Point):
    __slots__ = ()
    _names, _scale = ("volume",), (1024,)


POINTS: dict[str, type[_Point]] = {"Position": PosEnvPoint, "Color": ColorEnvPoint, "Sound": SoundEnvPoint}


class _Points(Rows):
    __slots__ = ()
    _array = "points"
    _class: type[_Point]

    def __len__(self) -> int:
        with self._of.map._lock:
            return int(self._of.map._struct_of(self._of).num_points)

    def _copy(self) -> Any:
        return moved(self._of.points, -1)

    def _store(self, rows: Any) -> None:
        self._of.points = moved(rows, 1)

    def new(self, time: int) -> Any:
        """A new point at a time, in the order of times."""
        rows = self._copy()
        row = np.zeros((), rows.dtype)
        row["time"], row["curve"] = time, CURVES.index("Linear")
        row["values"][:len(self._class._scale)] = 0 if self._class is PosEnvPoint else 1024
        return self._insert(int(np.searchsorted(rows["time"], time, "right")), row)


class PosEnvPoints(_Points):
    __slots__ = ()
    _class = PosEnvPoint


class ColorEnvPoints(_Points):
    __slots__ = ()
    _class = ColorEnvPoint


class SoundEnvPoints(_Points):
    __slots__ = ()
    _class = SoundEnvPoint


LISTS: dict[str, type[_Points]] = {"Position": PosEnvPoints, "Color": ColorEnvPoints, "Sound": SoundEnvPoints}


class Envelope(Wrapper):
    """name, points, synchronized."""
    __slots__ = ()

    def kind(self) -> str:
        return str(self._of.type).capitalize()

    @property
    def synchronized(self) -> bool:
        return self._of.synchronized

    @synchronized.setter
    def synchronized(self, value: bool) -> None:
        put(self._of, "synchronized", value)

    @property
    def points(self) -> Any:
        return LISTS.get(self.kind(), PosEnvPoints)(self._of)


class Envelopes(Objects):
    __slots__ = ()
    _class = Envelope

    @kept
    def new(self, kind: str) -> Envelope:
        if kind not in POINTS:
            raise ValueError("the kind is one of " + ", ".join(POINTS))
        return Envelope(self._of.add("", type=kind.lower(), synchronized=False))
