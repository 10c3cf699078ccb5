# SPDX-License-Identifier: Zlib
"""Quads and sound sources, as twmap has them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core import ffi, lib
from ._rows import Element, number_field, reference_field, Rows


def _tiles(x: Any) -> float:
    return int(x) / (32 * 1024)


def _places(points: Any) -> list[tuple[float, float]]:
    return [(_tiles(x), _tiles(y)) for x, y in points]


def _fixed(point: Sequence[float], scale: int = 32 * 1024) -> list[int]:
    return [round(one * scale) for one in point]


def _four(what: str, values: Any, most: int = 2**31 - 1) -> Any:
    """Something for each corner of a quad."""
    array = np.asarray(values)
    if array.ndim != 2 or len(array) != 4 or array.shape[1] != (4 if what == "colors" else 2):
        raise ValueError(f"{what} are 4 tuples of {4 if what == 'colors' else 2} numbers")
    if array.min() < (0 if what == "colors" else -most - 1) or array.max() > most:
        raise OverflowError(f"{what} are at most {most}{' and not negative' * (what == 'colors')}")
    return values


class Quad(Element):
    """position, corners, colors, texture_coords, position_env, position_env_offset, color_env, color_env_offset."""
    __slots__ = ()
    _array = "quads"
    position_env, color_env = reference_field("position_envelope"), reference_field("color_envelope")
    position_env_offset, color_env_offset = number_field("position_offset"), number_field("color_offset")

    @property
    def position(self) -> tuple[float, float]:
        return _places(self._row()["points"][4:])[0]

    @position.setter
    def position(self, value: Sequence[float]) -> None:
        def change(row: Any) -> None:
            row["points"][4] = _fixed(value)
        self._put(change)

    @property
    def corners(self) -> list[tuple[float, float]]:
        return _places(self._row()["points"][:4])

    @corners.setter
    def corners(self, value: Sequence[Sequence[float]]) -> None:
        def change(row: Any) -> None:
            row["points"][:4] = [_fixed(one) for one in _four("corners", value)]
        self._put(change)

    @property
    def colors(self) -> list[tuple[int, ...]]:
        return [tuple(int(one) for one in color) for color in self._row()["colors"]]

    @colors.setter
    def colors(self, value: Any) -> None:
        self._write("colors", _four("colors", value, 255))

    @property
    def texture_coords(self) -> list[tuple[float, float]]:
        return [(int(x) / 1024, int(y) / 1024) for x, y in self._row()["texture"]]

    @texture_coords.setter
    def texture_coords(self, value: Sequence[Sequence[float]]) -> None:
        self._write("texture", [_fixed(one, 1024) for one in _four("texture_coords", value)])


class Quads(Rows):
    _array = "quads"

    def _element(self, index: int) -> Quad:
        return Quad(self._of, index)

    def new(self, pos_x: float, pos_y: float, width: float, height: float) -> Quad:
        """A new quad around a place, in tiles."""
        quad = ffi.new("tm_quad *")
        x, y, w, h = _fixed((pos_x, pos_y, width, height))
        w, h = int(w / 2), int(h / 2)  # rounded as by twmap, and negative sizes mirror
        lib.tm_quad_init(quad, x, y, 0, 0)
        for i in range(4):
            quad.points[i] = (x + (w if i & 1 else -w), y + (h if i & 2 else -h))
        rows = self._copy()
        return self._insert(len(rows), np.frombuffer(bytes(ffi.buffer(quad)), rows.dtype)[0])


class SoundSource(Element):
    """position, looping, panning, delay, falloff, shape, position_env, position_env_offset, sound_env, sound_env_offset."""
    __slots__ = ()
    _array = "sources"
    delay, falloff = number_field("delay"), number_field("falloff", 255)
    position_env, sound_env = reference_field("position_envelope"), reference_field("sound_envelope")
    position_env_offset, sound_env_offset = number_field("position_offset"), number_field("sound_offset")
    looping = property(lambda self: bool(self._row()["loop"]), lambda self, value: self._write("loop", int(bool(value))))
    panning = property(lambda self: bool(self._row()["pan"]), lambda self, value: self._write("pan", int(bool(value))))

    @property
    def position(self) -> tuple[float, float]:
        row = self._row()
        return _tiles(row["x"]), _tiles(row["y"])

    @position.setter
    def position(self, value: Sequence[float]) -> None:
        def change(row: Any) -> None:
            row["x"], row["y"] = _fixed(value)
        self._put(change)

    @property
    def shape(self) -> Any:
        """The radius of a circle, or width and height, in tiles."""
        row = self._row()
        if int(row["shape"]):
            return int(row["width"]) / 32
        return _tiles(row["width"]), _tiles(row["height"])

    @shape.setter
    def shape(self, value: Any) -> None:
        def change(row: Any) -> None:
            if isinstance(value, Sequence):
                row["shape"] = 0
                row["width"], row["height"] = _fixed(value)
            else:
                row["shape"], row["width"], row["height"] = 1, round(value * 32), 0
        self._put(change)


class SoundSources(Rows):
    _array = "sources"

    def _element(self, index: int) -> SoundSource:
        return SoundSource(self._of, index)

    def new(self) -> SoundSource:
        source, rows = ffi.new("tm_sound_source *"), self._copy()
        lib.tm_sound_source_init(source, 0, 0)
        return self._insert(len(rows), np.frombuffer(bytes(ffi.buffer(source)), rows.dtype)[0])
