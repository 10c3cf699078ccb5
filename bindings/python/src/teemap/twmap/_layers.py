# SPDX-License-Identifier: Zlib
"""Layers and groups, as twmap has them."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _objects, _tables
from .._core import ffi, lib
from ._shapes import Quads, SoundSources
from ._wrappers import MapError, kept, Collection, Objects, put, readable, Wrapper

# What layers of a kind have, and what it is called here.
PLAIN = {"tiles": ("name", "detail", "color", "color_envelope_offset"), "quads": ("name", "detail"), "sounds": ("name", "detail")}
REFERENCES = {"tiles": ("image", "color_envelope"), "quads": ("image",), "sounds": ("sound",)}
ALIASES = {"color_env": "color_envelope", "color_env_offset": "color_envelope_offset"}  # twmap has these, its help the others


def is_physics(of: Any) -> bool:
    return bool(lib.tm_game_layer(_objects.LAYER_KINDS.index(of.kind)).is_physics)


class Layer(Wrapper):
    """name, detail; tiles, color, image, color_envelope, color_envelope_offset; quads; sources, sound: as the kind has them."""
    __slots__ = ()

    @property
    def name(self) -> str:
        return readable(self._of.name) or (self.kind() if is_physics(self._of) else "")

    @name.setter
    def name(self, value: str) -> None:
        put(self._of, "name", value)

    def kind(self) -> str:
        return str(self._of.kind).capitalize()

    def width(self) -> int:
        return self._side("width")

    def height(self) -> int:
        return self._side("height")

    def _side(self, name: str) -> int:
        if not isinstance(self._of, _objects.TileLayer):
            raise ValueError(f"a layer of kind {self.kind()} has no {name}")
        return int(getattr(self._of, name))

    def __getattr__(self, name: str) -> Any:
        if name == "color_env_offset" and self.color_envelope is None:
            return None
        of, name = self._of, ALIASES.get(name, name)
        if name == "tiles" and isinstance(of, _objects.TileLayer):
            return tiles_of(of)
        if name == "quads" and isinstance(of, _objects.QuadLayer):
            return Quads(of)
        if name == "sources" and isinstance(of, _objects.SoundLayer):
            return SoundSources(of)
        if name in REFERENCES.get(of.kind, ()):
            value = getattr(of, name)
            return None if value is None else value.index
        if name in PLAIN.get(of.kind, ()):
            return getattr(of, name)
        raise AttributeError(f"a layer of kind {self.kind()} has no '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        of, name = self._of, ALIASES.get(name, name)
        if name == "tiles" and isinstance(of, _objects.TileLayer):
            _put_tiles(of, np.asanyarray(value))
        elif name in PLAIN.get(of.kind, ("name",)) or name in REFERENCES.get(of.kind, ()):
            put(of, name, value)
        else:
            raise AttributeError(f"a layer of kind {self.kind()} has no '{name}' to set")

    @kept
    def to_mesh(self) -> tuple[list[tuple[int, int]], list[list[int]], list[list[tuple[float, float]]]]:
        """Vertices, a face for each tile that is not air, and the places of its corners in the image; upwards is positive in both."""
        if self._of.kind != "tiles":
            raise MapError("only tiles layers have a mesh")
        vertices: dict[tuple[int, int], int] = {}
        faces, places = [], []
        tiles = self._of.tiles
        for y, x in zip(*np.nonzero(tiles["index"])):
            index, flags = int(tiles["index"][y, x]), int(tiles["flags"][y, x])
            left, top = index % 16 / 16, 1 - index // 16 / 16
            corners = [(left, top), (left + 1 / 16, top), (left + 1 / 16, top - 1 / 16), (left, top - 1 / 16)]
            if flags & lib.TM_TILE_FLIP_X:
                corners = [corners[1], corners[0], corners[3], corners[2]]
            if flags & lib.TM_TILE_FLIP_Y:
                corners = [corners[3], corners[2], corners[1], corners[0]]
            if flags & lib.TM_TILE_ROTATE:
                corners = corners[3:] + corners[:3]
            square = [(int(x), -int(y)), (int(x) + 1, -int(y)), (int(x) + 1, -int(y) - 1), (int(x), -int(y) - 1)]
            faces.append([vertices.setdefault(corner, len(vertices)) for corner in square])
            places.append(corners)
        return list(vertices), faces, places


SPEEDUP = ("force", "max_speed", "type", "angle")
SPEEDUP_KIND = _objects.LAYER_KINDS.index("speedup")
CHANNELS = {"tele": 2, "tune": 2, "switch": 4, "speedup": 3}


@kept
def tiles_of(of: _objects.TileLayer) -> Any:
    """A copy of the tiles, (height, width, n) u8; of speedups [force, max_speed, id, angle] as i16. Nothing is written by reading."""
    with of.map._lock:
        struct = of._find()
        content = getattr(struct, "as").tiles
        kind = _tables.element_type(lib.tm_kind_of_elements(struct.kind))
        shape = content.height, content.width
        if not content.tiles or 0 in shape:
            tiles = np.zeros(shape, kind)
        else:
            address, size, _ = of.map._block_bytes(of, _objects.tiles_of)
            if shape[0] * shape[1] * kind.itemsize > size:
                raise MapError("the tiles of the layer are damaged")
            tiles = np.frombuffer(ffi.buffer(address, shape[0] * shape[1] * kind.itemsize), kind).reshape(shape)
        if of.kind == "speedup":
            return np.stack([tiles[name] for name in SPEEDUP], -1).astype(np.int16)
        num = CHANNELS.get(str(of.kind), 2)
        return tiles.view(np.uint8).reshape(*shape, kind.itemsize)[..., :num].copy()


def as_speedups(tiles: Any) -> Any:
    """twmap takes [id, force, max_speed, angle], and gives [force, max_speed, id, angle]. Scripts that know bring the first; what
    somebody took from a layer has the second. Ids tell."""
    used = np.asarray(tiles)[np.any(tiles, axis=-1)]
    ids = [i for i in range(1, 256) if lib.tm_game_tile(lib.TM_GAME_DDNET, SPEEDUP_KIND, i)]
    if np.isin(used[:, 2], ids).all() or not np.isin(used[:, 0], ids).all():
        return np.asarray(tiles)
    return tiles[..., [1, 2, 0, 3]]


@kept
def _put_tiles(of: _objects.TileLayer, tiles: Any) -> None:
    if of.kind != "speedup":
        of.tiles = tiles
        return
    if tiles.ndim != 3 or tiles.shape[2] != 4:
        raise ValueError("tiles of speedups are an array (height, width, 4)")
    tiles = as_speedups(tiles)
    with of.map._alone():
        if tiles.shape[:2] != (of.height, of.width):
            of.resize(tiles.shape[1], tiles.shape[0])
        mine = of.tiles
        for i, name in enumerate(SPEEDUP):
            mine[name] = tiles[..., i]


class Layers(Collection):
    __slots__ = ()
    def _wrap(self, of: Any) -> Layer:
        return Layer(of)

    @kept
    def insert(self, index: int, item: Layer) -> Layer:
        taken = self._of.take(item._of, share=False)
        taken.map.edit.move(taken, max(0, min(len(self) - 1, index)))
        return Layer(taken)

    @kept
    def _new(self, kind: str, width: int = 0, height: int = 0) -> Layer:
        return Layer(self._of.add(kind, operator.index(width), operator.index(height)))

    def new_tiles(self, width: int, height: int) -> Layer:
        return self._new("tiles", width, height)

    def new_game(self, width: int, height: int) -> Layer:
        return self._new("game", width, height)

    def new_quads(self) -> Layer:
        return self._new("quads")

    def new_sounds(self) -> Layer:
        return self._new("sounds")

    def new_physics(self, kind: str) -> Layer:
        """A physics layer of a kind ("Tele"), as large as those that the group has."""
        if kind.lower() not in dir(self._of.map.physics) or kind != kind.capitalize():
            raise ValueError(f"'{kind}' is no kind of physics layer")
        for layer in self:
            if is_physics(layer._of):
                return self._new(kind.lower(), layer.width(), layer.height())
        raise MapError("there is no physics layer in the group whose size it could have")


class Group(Wrapper):
    """name, layers, offset_x, offset_y, parallax_x, parallax_y, clipping, clip_x, clip_y, clip_width, clip_height."""
    __slots__ = ()
    _lengths = ("offset_x", "offset_y", "clip_x", "clip_y", "clip_width", "clip_height")

    @property
    def name(self) -> str:
        return readable(self._of.name) or ("Game" if self.is_physics_group() else "")

    @name.setter
    def name(self, value: str) -> None:
        put(self._of, "name", value)

    @property
    def layers(self) -> Layers:
        return Layers(self._of.layers)

    def is_physics_group(self) -> bool:
        return any(is_physics(layer) for layer in self._of.layers)

    def __getattr__(self, name: str) -> Any:
        if name in self._lengths:
            value = getattr(self._of, name)
            return max(0, value) / 32 if name in ("clip_width", "clip_height") else value / 32  # no file can be written with less
        if name in ("parallax_x", "parallax_y"):
            return getattr(self._of, name)
        if name == "clipping":
            return self._of.use_clipping
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._lengths:
            put(self._of, name, round(value * 32))
        elif name == "clipping":
            put(self._of, "use_clipping", bool(value))
        elif name in ("name", "parallax_x", "parallax_y"):
            put(self._of, name, value)
        else:
            raise AttributeError(f"a group has no '{name}' to set")


class Groups(Objects):
    __slots__ = ()
    _class = Group

    def new(self) -> Group:
        return Group(self._of.add(""))

    def new_physics(self) -> Group:
        return Group(self._of.add("Game"))
