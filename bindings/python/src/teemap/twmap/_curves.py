# SPDX-License-Identifier: Zlib
"""Envelopes and their points, as twmap has them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._rows import Element, number_field, Rows
from ._wrappers import kept, Objects, put, Wrapper

CURVES = ("Step", "Linear", "Slow", "Fast", "Smooth", "Bezier")
# twmap's points have both handles of the curve to the next point: handle_r is that in front of the next one, where the map has it.
HANDLES = {"handle_l_x": "out_dx", "handle_l_y": "out_dy", "handle_r_x": "in_dx", "handle_r_y": "in_dy"}


def moved(points: Any, by: int) -> Any:
    """Points with the handles in front of each moved by one: -1 to where twmap has them, 1 back. The last point's goes round to the first,
    where no game looks, until there is a next point."""
    rows = points.copy()
    for name in ("in_dx", "in_dy"):
        rows[name] = np.roll(points[name], by, 0)
    return rows


class _Point(Element):
    """time, content, curve, and of Bezier curves handle_l_x, handle_l_y, handle_r_x, handle_r_y."""
    __slots__ = ()
    _array = "points"
    _names: tuple[str, ...] = ()
    _scale: tuple[float, ...] = ()
    time = number_field("time")

    def _rows(self) -> Any:
        return moved(self._of.points, -1)

    def _put(self, change: Callable[[Any], None]) -> None:
        rows = self._rows()
        change(rows[self._i])
        self._of.points = moved(rows, 1)

    @property
    def curve(self) -> str:
        number = int(self._row()["curve"])
        return CURVES[number] if number < len(CURVES) else "Linear"

    @curve.setter
    def curve(self, value: str) -> None:
        if value not in CURVES:
            raise ValueError("curve is one of " + ", ".join(CURVES))
        self._write("curve", CURVES.index(value))

    @property
    def content(self) -> Any:
        values = self._row()["values"]
        made = tuple(float(values[i]) / one for i, one in enumerate(self._scale))
        return made if len(made) > 1 else made[0]

    @content.setter
    def content(self, value: Any) -> None:
        self._write_scaled("values", value)

    def _write_scaled(self, field: str, value: Any) -> None:
        given = value if isinstance(value, Sequence) else (value,)
        if len(given) != len(self._scale):
            raise ValueError(f"it is made of {len(self._scale)} numbers, not {len(given)}")

        def change(row: Any) -> None:
            row[field][:len(given)] = [round(one * scale) for one, scale in zip(given, self._scale)]
        self._put(change)

    def __getattr__(self, name: str) -> Any:
        if name in self._names:
            return self.content[self._names.index(name)] if len(self._names) > 1 else self.content
        if name in HANDLES and self.curve == "Bezier":
            values = tuple(float(one) / scale for one, scale in zip(self._row()[HANDLES[name]], self._scale))
            return values if len(values) > 1 else values[0]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._names:
            content = list(self.content) if len(self._names) > 1 else [self.content]
            content[self._names.index(name)] = value
            self.content = content
        elif name in HANDLES:
            self._write_scaled(HANDLES[name], value)
        else:
            object.__setattr__(self, name, value)


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
    _array = "points"
    _class: type[_Point]

    def _element(self, index: int) -> Any:
        return self._class(self._of, index)

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
    _class = PosEnvPoint


class ColorEnvPoints(_Points):
    _class = ColorEnvPoint


class SoundEnvPoints(_Points):
    _class = SoundEnvPoint


LISTS: dict[str, type[_Points]] = {"Position": PosEnvPoints, "Color": ColorEnvPoints, "Sound": SoundEnvPoints}


class Envelope(Wrapper):
    """name, points, synchronized."""

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
    _class = Envelope

    @kept
    def new(self, kind: str) -> Envelope:
        if kind not in POINTS:
            raise ValueError("the kind is one of " + ", ".join(POINTS))
        return Envelope(self._of.add("", type=kind.lower(), synchronized=False))
