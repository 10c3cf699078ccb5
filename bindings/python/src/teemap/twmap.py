# SPDX-License-Identifier: Zlib
"""The interface of the package twmap 0.6.6, on our maps: `import teemap.twmap as twmap`.

Names and meanings are those that its help tells. What differs: tiles, images and points that are lists or arrays are views where
memory allows it, so that `layer.tiles[y, x, 0] = 1` is written; what changes a layer's size or place in memory leaves arrays that were taken
before with their old content, no longer of the map; objects stay valid after `rotate` and the like; every map that the game opens is
opened; an unchanged map is saved byte for byte."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional, Union

import numpy as np

from . import _map, _objects
from ._core import Error, ffi, lib
from ._pictures import png, read_picture

PathLike = Union[str, "os.PathLike[str]"]


class MapError(Exception):
    """A map that cannot be read, written or changed so."""


def _kept(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except OSError:
            raise
        except Error as error:
            raise MapError(str(error)) from error

    run.__doc__, run.__name__ = function.__doc__, function.__name__
    return run


def camera_dimensions(aspect_ratio: float) -> tuple[float, float]:
    """What the game shows at this ratio of width to height, in tiles."""
    if not aspect_ratio > 0:
        raise ValueError("the aspect ratio must be above 0")
    width, height = ffi.new("double *"), ffi.new("double *")
    side = 1 << 20
    wide = (side, max(1, round(side / aspect_ratio))) if aspect_ratio >= 1 else (max(1, round(side * aspect_ratio)), side)
    lib.tm_camera_view_size(*wide, width, height)
    return width[0] / 32, height[0] / 32


def max_camera_dimensions() -> tuple[float, float]:
    """The most tiles that are seen sideways, and up and down; never both at once."""
    return camera_dimensions(1e5)[0], camera_dimensions(1e-5)[1]


class _Wrapper:
    """An object of twmap around one of ours; two are equal if they are of the same one."""
    _of: Any

    def __init__(self, of: Any) -> None:
        object.__setattr__(self, "_of", of)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._of is other._of

    def __hash__(self) -> int:
        return hash(id(self._of))

    @property
    def name(self) -> str:
        return self._of.name

    @name.setter
    def name(self, value: str) -> None:
        _set(self._of, "name", value)


@_kept
def _set(of: Any, name: str, value: Any) -> None:
    setattr(of, name, value)


class Info(_Wrapper):
    """author, version, credits, license, settings."""
    settings: list[str]

    def __getattr__(self, name: str) -> Any:
        return list(self._of.settings) if name == "settings" else getattr(self._of, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "settings":
            self._of.settings[:] = list(value)
        else:
            _set(self._of, name, value)


class _List:
    """A collection of twmap."""
    _wrapper: Callable[[Any], Any]

    def __init__(self, of: Any) -> None:
        self._of = of

    def __len__(self) -> int:
        return len(self._of)

    def _index(self, index: int) -> int:
        number = index.__index__()
        if not -len(self) <= number < len(self):
            raise IndexError("index out of range")
        return number % len(self) if len(self) else 0

    def __getitem__(self, index: int) -> Any:
        return self._wrap(self._of[self._index(index)])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, item: Any) -> bool:
        return any(one == item for one in self)

    def __delitem__(self, index: int) -> None:
        del self._of[self._index(index)]

    def __setitem__(self, index: int, item: Any) -> None:
        number = self._index(index)
        self.insert(number, item)
        del self[number + 1]

    def append(self, item: Any) -> Any:
        return self.insert(len(self), item)

    def insert(self, index: int, item: Any) -> Any:
        raise NotImplementedError

    def _wrap(self, of: Any) -> Any:
        raise NotImplementedError


class _Objects(_List):
    """Images, sounds, envelopes, groups."""
    _class: type

    def _wrap(self, of: Any) -> Any:
        return self._class(of)

    @_kept
    def insert(self, index: int, item: Any) -> Any:
        taken = self._of.take(item._of, share=False)
        self._of.move(taken, max(0, min(len(self) - 1, index)))
        return self._wrap(taken)


class Image(_Wrapper):
    """name, data: an array (height, width, 4), None of an external image."""

    @property
    def data(self) -> Any:
        return self._of.pixels

    @data.setter
    def data(self, pixels: Any) -> None:
        _set(self._of, "pixels", None if pixels is None else np.asarray(pixels, np.uint8))

    def width(self) -> int:
        return self._of.width

    def height(self) -> int:
        return self._of.height

    def is_external(self) -> bool:
        return self._of.external

    def is_embedded(self) -> bool:
        return not self._of.external

    @_kept
    def embed(self, path: PathLike) -> None:
        """Embeds the picture of this name in a folder."""
        self._of.map.edit.using(images=path).embed(self._of)

    @_kept
    def save(self, path: PathLike) -> None:
        if self._of.pixels is None:
            raise MapError("an external image has no pixels to save")
        with open(path, "wb") as file:
            file.write(png(self._of.pixels))


class Images(_Objects):
    _class = Image

    def new_external(self, name: str) -> Image:
        return Image(self._of.add(name))

    @_kept
    def new_from_data(self, name: str, py_array3: Any) -> Image:
        return Image(self._of.add(name, pixels=np.asarray(py_array3, np.uint8)))

    @_kept
    def new_from_file(self, path: PathLike) -> Image:
        with open(path, "rb") as file:
            name = os.path.splitext(os.path.basename(os.fspath(path)))[0]
            return Image(self._of.add(name, pixels=read_picture(file.read())))

    @_kept
    def _from_game(self, name: str, game: int) -> Image:
        from ._images import Images as Sources
        path = Sources(game=game).find(name, game)
        if path is None:
            raise MapError(f"no image '{name}' was found")
        made: Image = self.new_from_file(path)
        made.name = name
        return made

    def new_from_ddnet(self, name: str) -> Image:
        return self._from_game(name, lib.TM_GAME_DDNET)

    def new_from_teeworlds(self, name: str) -> Image:
        return self._from_game(name, lib.TM_GAME_TEEWORLDS07)


class Sound(_Wrapper):
    """name, data: the bytes of an Opus file."""

    @property
    def data(self) -> list[int]:
        return list(self._of.data or b"")

    @data.setter
    def data(self, data: Any) -> None:
        _set(self._of, "data", bytes(data))


class Sounds(_Objects):
    _class = Sound

    @_kept
    def new_from_data(self, name: str, data: Any) -> Sound:
        return Sound(self._of.add(name, data=bytes(data)))

    @_kept
    def new_from_file(self, path: PathLike) -> Sound:
        with open(path, "rb") as file:
            return Sound(self._of.add(os.path.splitext(os.path.basename(os.fspath(path)))[0], data=file.read()))


CURVES = ("Step", "Linear", "Slow", "Fast", "Smooth", "Bezier")
HANDLES = {"handle_l_x": "in_dx", "handle_l_y": "in_dy", "handle_r_x": "out_dx", "handle_r_y": "out_dy"}


class _Element:
    """A part of an array that is read and written as a whole: a quad, a source, a point."""
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

    def _row(self) -> Any:
        rows = getattr(self._of, self._array)
        if self._i >= len(rows):
            raise MapError("it is no longer there")
        return rows[self._i]

    def _put(self, change: Callable[[Any], None]) -> None:
        rows = getattr(self._of, self._array)
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


def _number(name: str) -> property:
    return property(lambda self: int(self._row()[name]), lambda self, value: self._write(name, value))


def _reference(name: str) -> property:
    def read(self: Any) -> Optional[int]:
        number = int(self._row()[name])
        return None if number < 0 else number

    return property(read, lambda self, value: self._write(name, -1 if value is None else value))


class _Point(_Element):
    """time, content, curve, and of Bezier curves handle_l_x, handle_l_y, handle_r_x, handle_r_y."""
    _array = "points"
    _names: tuple[str, ...] = ()
    _scale: tuple[float, ...] = ()
    time = _number("time")

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
        given = value if isinstance(value, Sequence) else (value,)
        if len(given) != len(self._scale):
            raise ValueError(f"content is made of {len(self._scale)} numbers")

        def change(row: Any) -> None:
            for i, (one, scale) in enumerate(zip(given, self._scale)):
                row["values"][i] = round(one * scale)
        self._put(change)

    def __getattr__(self, name: str) -> Any:
        if name in self._names:
            return self.content[self._names.index(name)] if len(self._names) > 1 else self.content
        if name in HANDLES and self.curve == "Bezier":
            values = tuple(int(one) for one in self._row()[HANDLES[name]][:len(self._scale)])
            return values if len(values) > 1 else values[0]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._names:
            content = list(self.content) if len(self._names) > 1 else [self.content]
            content[self._names.index(name)] = value
            self.content = content
        elif name in HANDLES:
            def change(row: Any) -> None:
                row[HANDLES[name]][:len(self._scale)] = value
            self._put(change)
        else:
            object.__setattr__(self, name, value)


class PosEnvPoint(_Point):
    _names, _scale = ("x", "y", "rotation"), (32 * 1024, 32 * 1024, 1024)


class ColorEnvPoint(_Point):
    _names, _scale = ("r", "g", "b", "a"), (1024,) * 4


class SoundEnvPoint(_Point):
    _names, _scale = ("volume",), (1024,)


POINTS: dict[str, type[_Point]] = {"Position": PosEnvPoint, "Color": ColorEnvPoint, "Sound": SoundEnvPoint}


class _Rows(_List):
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

    @_kept
    def _insert(self, index: int, row: Any) -> Any:
        rows = self._copy()
        index = max(0, min(len(rows), index + len(rows) if index < 0 else index))
        self._store(np.concatenate([rows[:index], np.array([row], rows.dtype), rows[index:]]))
        return self._element(index)


class _Points(_Rows):
    _array = "points"
    _class: type[_Point]

    def _element(self, index: int) -> Any:
        return self._class(self._of, index)

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


class Envelope(_Wrapper):
    """name, points, synchronized."""

    def kind(self) -> str:
        return str(self._of.type).capitalize()

    @property
    def synchronized(self) -> bool:
        return self._of.synchronized

    @synchronized.setter
    def synchronized(self, value: bool) -> None:
        _set(self._of, "synchronized", value)

    @property
    def points(self) -> Any:
        return LISTS.get(self.kind(), PosEnvPoints)(self._of)


class Envelopes(_Objects):
    _class = Envelope

    @_kept
    def new(self, kind: str) -> Envelope:
        if kind not in POINTS:
            raise ValueError("the kind is one of " + ", ".join(POINTS))
        return Envelope(self._of.add("", type=kind.lower()))


def _tiles(x: Any) -> float:
    return int(x) / (32 * 1024)


def _places(points: Any) -> list[tuple[float, float]]:
    return [(_tiles(x), _tiles(y)) for x, y in points]


def _fixed(point: Sequence[float], scale: int = 32 * 1024) -> list[int]:
    return [round(one * scale) for one in point]


class Quad(_Element):
    """position, corners, colors, texture_coords, position_env, position_env_offset, color_env, color_env_offset."""
    _array = "quads"
    position_env, color_env = _reference("position_envelope"), _reference("color_envelope")
    position_env_offset, color_env_offset = _number("position_offset"), _number("color_offset")

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
            row["points"][:4] = [_fixed(one) for one in value]
        self._put(change)

    @property
    def colors(self) -> list[tuple[int, ...]]:
        return [tuple(int(one) for one in color) for color in self._row()["colors"]]

    @colors.setter
    def colors(self, value: Any) -> None:
        self._write("colors", value)

    @property
    def texture_coords(self) -> list[tuple[float, float]]:
        return [(int(x) / 1024, int(y) / 1024) for x, y in self._row()["texture"]]

    @texture_coords.setter
    def texture_coords(self, value: Sequence[Sequence[float]]) -> None:
        self._write("texture", [_fixed(one, 1024) for one in value])


class Quads(_Rows):
    _array = "quads"

    def _element(self, index: int) -> Quad:
        return Quad(self._of, index)

    def new(self, pos_x: float, pos_y: float, width: float, height: float) -> Quad:
        """A new quad around a place, in tiles."""
        quad = ffi.new("tm_quad *")
        x, y, w, h = _fixed((pos_x - width / 2, pos_y - height / 2, width, height))
        lib.tm_quad_init(quad, x, y, w, h)
        rows = self._copy()
        return self._insert(len(rows), np.frombuffer(bytes(ffi.buffer(quad)), rows.dtype)[0])


class SoundSource(_Element):
    """position, looping, panning, delay, falloff, shape, position_env, position_env_offset, sound_env, sound_env_offset."""
    _array = "sources"
    delay, falloff = _number("delay"), _number("falloff")
    position_env, sound_env = _reference("position_envelope"), _reference("sound_envelope")
    position_env_offset, sound_env_offset = _number("position_offset"), _number("sound_offset")
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


class SoundSources(_Rows):
    _array = "sources"

    def _element(self, index: int) -> SoundSource:
        return SoundSource(self._of, index)

    def new(self) -> SoundSource:
        source, rows = ffi.new("tm_sound_source *"), self._copy()
        lib.tm_sound_source_init(source, 0, 0)
        return self._insert(len(rows), np.frombuffer(bytes(ffi.buffer(source)), rows.dtype)[0])


PLAIN = {"tiles": ("name", "detail", "color", "color_envelope_offset"), "quads": ("name", "detail"), "sounds": ("name", "detail")}
REFERENCES = {"tiles": ("image", "color_envelope"), "quads": ("image",), "sounds": ("sound",)}


class Layer(_Wrapper):
    """name, detail; tiles, color, image, color_envelope, color_envelope_offset; quads; sources, sound: as the kind has them."""

    def kind(self) -> str:
        return str(self._of.kind).capitalize()

    def width(self) -> int:
        return self._of.width

    def height(self) -> int:
        return self._of.height

    def __getattr__(self, name: str) -> Any:
        of = self._of
        if name == "tiles" and isinstance(of, _objects.TileLayer):
            if of.kind != "speedup":
                return of.channels
            tiles = of.tiles  # numbers of two sizes: a copy, which says so
            made = np.stack([tiles["force"], tiles["max_speed"], tiles["type"], tiles["angle"]], -1).astype(np.int16)
            made.flags.writeable = False
            return made
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
        of = self._of
        if name == "tiles" and isinstance(of, _objects.TileLayer):
            _put_tiles(of, np.asarray(value))
        elif name in PLAIN.get(of.kind, ("name",)) or name in REFERENCES.get(of.kind, ()):
            _set(of, name, value)
        else:
            raise AttributeError(f"a layer of kind {self.kind()} has no '{name}' to set")

    @_kept
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


@_kept
def _put_tiles(of: _objects.TileLayer, tiles: Any) -> None:
    if of.kind != "speedup":
        of.tiles = tiles if np.shares_memory(tiles, of.channels) else tiles.copy()
        return
    if tiles.ndim != 3 or tiles.shape[2] != 4:
        raise ValueError("tiles of speedups are an array (height, width, 4)")
    if tiles.shape[:2] != (of.height, of.width):
        of.resize(tiles.shape[1], tiles.shape[0])
    mine = of.tiles
    for i, name in enumerate(("force", "max_speed", "type", "angle")):
        mine[name] = tiles[..., i]


class Layers(_List):
    def _wrap(self, of: Any) -> Layer:
        return Layer(of)

    @_kept
    def insert(self, index: int, item: Layer) -> Layer:
        taken = self._of.take(item._of, share=False)
        taken.map.edit.move(taken, max(0, min(len(self) - 1, index)))
        return Layer(taken)

    @_kept
    def _new(self, kind: str, width: int = 0, height: int = 0) -> Layer:
        return Layer(self._of.add(kind, width, height))

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
        for layer in self:
            if lib.tm_game_layer(_objects.LAYER_KINDS.index(layer._of.kind)).is_physics:
                return self._new(kind.lower(), layer.width(), layer.height())
        raise MapError("there is no physics layer in the group whose size it could have")


class Group(_Wrapper):
    """name, layers, offset_x, offset_y, parallax_x, parallax_y, clipping, clip_x, clip_y, clip_width, clip_height."""
    _lengths = ("offset_x", "offset_y", "clip_x", "clip_y", "clip_width", "clip_height")

    @property
    def layers(self) -> Layers:
        return Layers(self._of.layers)

    def is_physics_group(self) -> bool:
        return any(lib.tm_game_layer(_objects.LAYER_KINDS.index(layer.kind)).is_physics for layer in self._of.layers)

    def __getattr__(self, name: str) -> Any:
        if name in self._lengths:
            return getattr(self._of, name) / 32
        if name in ("parallax_x", "parallax_y"):
            return getattr(self._of, name)
        if name == "clipping":
            return self._of.use_clipping
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._lengths:
            _set(self._of, name, round(value * 32))
        elif name == "clipping":
            _set(self._of, "use_clipping", bool(value))
        elif name in ("name", "parallax_x", "parallax_y"):
            _set(self._of, name, value)
        else:
            raise AttributeError(f"a group has no '{name}' to set")


class Groups(_Objects):
    _class = Group

    def new(self) -> Group:
        return Group(self._of.add(""))

    def new_physics(self) -> Group:
        return Group(self._of.add("Game"))


class Map:
    """A map: info, groups, envelopes, images, sounds."""

    @_kept
    def __init__(self, path: PathLike) -> None:
        self._of = _map.Map.open(path)
        self._of._lets_go = True

    @classmethod
    def _wrap(cls, of: _map.Map) -> Map:
        made = cls.__new__(cls)
        made._of = of
        of._lets_go = True
        return made

    @staticmethod
    @_kept
    def from_bytes(bytes: Any) -> Map:
        return Map._wrap(_map.Map.open(memoryview(bytearray(bytes)).tobytes()))

    @staticmethod
    def empty(version: str) -> Map:
        games = {"DDNet06": "ddnet", "Teeworlds07": "teeworlds07"}
        if version not in games:
            raise ValueError("the version is one of " + ", ".join(games))
        return Map._wrap(_map.Map.new(game=games[version]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self._of is other._of

    def __hash__(self) -> int:
        return hash(id(self._of))

    info = property(lambda self: Info(self._of.info))
    groups = property(lambda self: Groups(self._of.groups))
    envelopes = property(lambda self: Envelopes(self._of.envelopes))
    images = property(lambda self: Images(self._of.images))
    sounds = property(lambda self: Sounds(self._of.sounds))

    def version(self) -> str:
        return "Teeworlds07" if self._of.game == "teeworlds07" else "DDNet06"

    @_kept
    def save(self, path: PathLike) -> None:
        self._of.save(path)

    @_kept
    def to_bytes(self) -> bytes:
        return self._of.to_bytes()

    @_kept
    def save_dir(self, path: PathLike) -> None:
        """Saves the map as a folder (docs/mapdir.md), which holds all of it. It is not twmap's MapDir: that is read and not written."""
        self._of.unpack(path)

    @_kept
    def embed_images(self, mapres_directory: Optional[PathLike] = None) -> None:
        self._of.edit.using(images=mapres_directory).embed()

    def _physics(self, kind: str) -> Optional[Layer]:
        layer = getattr(self._of.physics, kind)
        return None if layer is None else Layer(layer)

    def game_layer(self) -> Layer:
        layer = self._physics("game")
        if layer is None:
            raise MapError("the map has no game layer")
        return layer

    def front_layer(self) -> Optional[Layer]:
        return self._physics("front")

    def tele_layer(self) -> Optional[Layer]:
        return self._physics("tele")

    def speedup_layer(self) -> Optional[Layer]:
        return self._physics("speedup")

    def switch_layer(self) -> Optional[Layer]:
        return self._physics("switch")

    def tune_layer(self) -> Optional[Layer]:
        return self._physics("tune")

    def physics_group(self) -> Optional[Group]:
        return next((group for group in self.groups if group.is_physics_group()), None)

    @_kept
    def mirror(self) -> None:
        self._of.edit.mirror("x")

    @_kept
    def rotate(self) -> None:
        self._of.edit.rotate(90)

    @_kept
    def _clean(self, *whats: str) -> int:
        lists = ("images", "sounds", "envelopes", "groups", "layers")
        before = sum(len(getattr(self._of, one)) for one in lists)
        for what in whats:
            self._of.edit("clean " + what)
        return before - sum(len(getattr(self._of, one)) for one in lists)

    def remove_unused_envelopes(self) -> int:
        return self._clean("envelopes")

    def remove_unused_groups(self) -> int:
        return self._clean("groups")

    def remove_unused_images(self) -> tuple[int, int]:
        """How many external and embedded ones were removed."""
        external = sum(image.external for image in self._of.images)
        removed = self._clean("images")
        external -= sum(image.external for image in self._of.images)
        return external, removed - external

    def remove_unused_layers(self) -> int:
        return self._clean("layers")

    def remove_unused_sounds(self) -> int:
        return self._clean("sounds")

    def remove_everything_unused(self) -> int:
        return self._clean("all")


__all__ = ["Map", "MapError", "camera_dimensions", "max_camera_dimensions"]
