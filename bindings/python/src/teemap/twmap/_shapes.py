# SPDX-License-Identifier: Zlib
"""Quads and sound sources, as twmap has them."""
from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Optional

from .._core import ffi, lib
from ._wrappers import MapError
from ._rows import QUADS, SOURCES, Element, LayerRows, blocks, field, number_field, point_field, reference_field

TILE = 32 * 1024


def _fixed(point: Sequence[float], scale: int = TILE) -> list[int]:
    return [round(one * scale) for one in point]


def _four(what: str, values: Any, num: int, scale: Optional[int], low: int = -2**31, high: int = 2**31 - 1) -> list[list[int]]:
    """Something for each corner of a quad: whole numbers, or such that are scaled."""
    rows = [list(one) if isinstance(one, Iterable) else [] for one in values] if isinstance(values, Iterable) else []
    if len(rows) != 4 or any([len(row) != num for row in rows]):
        raise ValueError(f"{what} are 4 tuples of {num} numbers")
    made = [[operator.index(one) if scale is None else round(one * scale) for one in row] for row in rows]
    if min(map(min, made)) < low or max(map(max, made)) > high:
        raise OverflowError(f"{what} are at most {high}{' and not negative' * (low == 0)}")
    return made


def _put_points(points: Any, rows: list[list[int]]) -> None:
    for i, (x, y) in enumerate(rows):
        points[i].x, points[i].y = x, y


class Quad(Element):
    """position, corners, colors, texture_coords, position_env, position_env_offset, color_env, color_env_offset."""
    __slots__ = ()
    _array = "quads"
    _rows = blocks(QUADS, "tm_quad")
    position_env, color_env = reference_field("position_envelope"), reference_field("color_envelope")
    position_env_offset, color_env_offset = number_field("position_offset"), number_field("color_offset")
    position = point_field(lambda row: row.points[4], TILE)
    corners = field(lambda row: [(one.x / TILE, one.y / TILE) for one in row.points[0:4]],
                    lambda row, values: _put_points(row.points, _four("corners", values, 2, TILE)))
    colors = field(lambda row: [(one.r, one.g, one.b, one.a) for one in row.colors],
                   lambda row, values: setattr(row, "colors", _four("colors", values, 4, None, 0, 255)))
    texture_coords = field(lambda row: [(one.x / 1024, one.y / 1024) for one in row.texture],
                           lambda row, values: _put_points(row.texture, _four("texture_coords", values, 2, 1024)))


class Quads(LayerRows):
    __slots__ = ()
    _array, _class, _slot, _kind, _setter = "quads", Quad, staticmethod(QUADS), "tm_quad", "tm_map_set_quads"
    _num = staticmethod(lambda layer: getattr(layer, "as").quads.num_quads)

    def new(self, pos_x: float, pos_y: float, width: float, height: float) -> Quad:
        """A new quad around a place, in tiles."""
        quad = ffi.new("tm_quad *")
        x, y, w, h = _fixed((pos_x, pos_y, width, height))
        w, h = int(w / 2), int(h / 2)  # rounded as by twmap, and negative sizes mirror
        lib.tm_quad_init(quad, x, y, 0, 0)
        for i in range(4):
            quad.points[i] = (x + (w if i & 1 else -w), y + (h if i & 2 else -h))
        made: Quad = self._insert(len(self), quad)
        return made


def _shape(row: Any) -> Any:
    return row.width / 32 if row.shape else (row.width / TILE, row.height / TILE)


def _put_shape(row: Any, value: Any) -> None:
    if isinstance(value, Sequence):
        width, height = _fixed(value)
        row.shape, row.width, row.height = 0, width, height
    else:
        row.width, row.shape, row.height = round(value * 32), 1, 0


class SoundSource(Element):
    """position, looping, panning, delay, falloff, shape, position_env, position_env_offset, sound_env, sound_env_offset."""
    __slots__ = ()
    _array = "sources"
    _rows = blocks(SOURCES, "tm_sound_source")
    delay, falloff = number_field("delay"), number_field("falloff", 255)
    position_env, sound_env = reference_field("position_envelope"), reference_field("sound_envelope")
    position_env_offset, sound_env_offset = number_field("position_offset"), number_field("sound_offset")
    looping = field(lambda row: bool(row.loop), lambda row, value: setattr(row, "loop", bool(value)))
    panning = field(lambda row: bool(row.pan), lambda row, value: setattr(row, "pan", bool(value)))
    position = point_field(lambda row: row.position, TILE)
    shape = field(_shape, _put_shape)  #: the radius of a circle, or width and height, in tiles


class OldSource(SoundSource):
    """Of a layer of the first kind of sounds, which have no panning and no falloff."""
    __slots__ = ()
    _rows = blocks(SOURCES, "tm_old_source")
    shape = field(lambda row: row.radius / 1, lambda row, value: setattr(row, "radius", round(value)))


class SoundSources(LayerRows):
    __slots__ = ()
    _array, _slot, _kind, _setter = "sources", staticmethod(SOURCES), "tm_sound_source", "tm_map_set_sources"
    _class = property(lambda self: SoundSource if self._of.kind == "sounds" else OldSource)  # type: ignore[assignment]
    _num = staticmethod(lambda layer: getattr(layer, "as").sounds.num_sources)

    def new(self) -> SoundSource:
        if self._of.kind != "sounds":
            raise MapError("a layer of the first kind of sounds takes no new ones")
        source = ffi.new("tm_sound_source *")
        lib.tm_sound_source_init(source, 0, 0)
        made: SoundSource = self._insert(len(self), source)
        return made
