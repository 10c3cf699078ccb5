# SPDX-License-Identifier: Zlib
"""The objects of a map, with their fields and arrays."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

from . import _tables
from ._core import RemovedError, UnreadError, call, ffi, lib
from ._numpy import np
from ._words import text

if TYPE_CHECKING:
    import numpy.typing as npt
    from ._lists import Layers, Settings
    from ._map import Map
    from ._memory import Clone
    Array = npt.NDArray[Any]
else:
    Array = Any  # numpy.typing takes long to import
IMAGE, SOUND, ENVELOPE, GROUP = lib.TM_KIND_IMAGE, lib.TM_KIND_SOUND, lib.TM_KIND_ENVELOPE, lib.TM_KIND_GROUP
LAYER_KINDS = [text(ffi, lib.tm_game_layer(kind).name) for kind in range(lib.TM_LAYER_KINDS)]


def choose(words: dict[str, Any], word: str, what: str) -> Any:
    if word not in words:
        raise ValueError(f"'{word}' is no {what}: use " + " or ".join(map(repr, words)))
    return words[word]


def number_of(struct: Any) -> int:
    """What the field `user` holds: by it objects are known wherever they come to stand."""
    return int(ffi.cast("uintptr_t", struct.user))


class MapObject(_tables.Owner):
    """An object of a map. It stays itself while others come and go; once it is removed, using it raises ReferenceError."""

    __slots__ = ("map", "_id", "_at", "__weakref__")
    _kind = "object"

    def __init__(self, map: Map, number: int, at: tuple[int, ...]) -> None:
        self.map, self._id, self._at = map, number, at

    def _find(self) -> Any:
        """The current struct."""
        struct = self._struct(self.map._p, self._at)
        if struct is None or number_of(struct) != self._id:
            self._at, struct = self._find_in(self.map._p)
        return struct

    def _stands_at(self, at: tuple[int, ...]) -> bool:
        try:
            self._find()
        except ReferenceError:
            return False
        return self._at == at

    def _find_in(self, p: Any) -> tuple[tuple[int, ...], Any]:
        """The same in a clone of the map. Its old place comes first."""
        struct = self._struct(p, self._at)
        if struct is not None and number_of(struct) == self._id:
            return self._at, struct
        for at in self._places(p):
            struct = self._struct(p, at)
            if number_of(struct) == self._id:
                return at, struct
        raise RemovedError(f"the {self._kind} is no longer in its map", "not-found", "usage")

    def _with_clone(self) -> tuple[Clone, tuple[int, ...]]:
        """A clone of its map, and where it stands there."""
        with self.map._lock:
            self._find()
            return self.map._clone(detached=True), self._at

    @classmethod
    def _places(cls, p: Any) -> Iterable[tuple[int, ...]]:
        return ((i,) for i in range(getattr(p, f"num_{cls._kind}s")))

    @classmethod
    def _struct(cls, p: Any, at: tuple[int, ...]) -> Any:
        return getattr(p, cls._kind + "s") + at[0] if at[0] < getattr(p, f"num_{cls._kind}s") else None

    def _get(self, field: Any) -> Any:
        with self.map._lock:
            return _tables.get_value(self.map, self._find(), field)

    def _set(self, field: Any, value: Any) -> None:
        with self.map._lock:
            self.map._wait_turn()
            _tables.set_value(self.map, self._find(), field, value)

    @property
    def index(self) -> int:
        """Its number in its list."""
        with self.map._lock:
            self._find()
            return self._at[-1]

    @property
    def address(self) -> str:
        """The address in commands and findings: "2/3", "image/0"."""
        with self.map._lock:
            self._find()
            number = "/".join(map(str, self._at))
            return number if self._kind in ("group", "layer") else f"{self._kind}/{number}"

    def __repr__(self) -> str:
        try:
            return f"<teemap {self._kind} {self.address} {getattr(self, 'name', '')!r}>"
        except UnreadError:
            return f"<teemap {self._kind} {self.address}, with a name that could not be read>"
        except ReferenceError:
            return f"<teemap {self._kind}, removed>"

    def __reduce__(self) -> Any:
        raise TypeError(f"a {self._kind} cannot be pickled: pickle its map")


class UnreadTexts:
    """What images, sounds and the info of a map have: texts that may be too long or too damaged to be read."""
    __slots__ = ()
    _owner: int
    map: Map

    def _find(self) -> Any:
        raise NotImplementedError

    @property
    def unread(self) -> tuple[str, ...]:
        """The names of texts that the file has and that could not be read: reading them raises UnreadError, and so does setting them
        before drop_unread() has removed them. They are saved as they are."""
        with self.map._lock:
            return tuple(field.name for field in _tables.unread_fields(self._owner, self._find()))

    def drop_unread(self) -> None:
        """Removes the texts that could not be read, so that they can be set."""
        with self.map._lock:
            self.map._wait_turn()
            _tables.drop_unread(self.map, self._owner, self._find())


class Image(_tables.ImageFields, MapObject, UnreadTexts):
    """An image of a map: embedded, with pixels, or external, so that the game has it as a file of its name."""
    __slots__ = ()
    _kind = "image"
    _owner = lib.TM_KIND_IMAGE

    @property
    def pixels(self) -> Optional[Array]:
        """(height, width, 4) u8: red, green, blue, straight alpha; (height, width, 3) of images of format rgb. A view: writing to it
        writes the map. None for an external image. Set it to an array of any size, or to None to make the image external."""
        with self.map._taking():
            image = self._find()
            channels = 3 if image.format == lib.TM_IMAGE_RGB else 4
            shape = image.height, image.width, channels
            if not lib.tm_image_rgba_size(image):
                return None
            num = shape[0] * shape[1] * channels
            return self.map._block_array(self, image, pixels_of, np.dtype("u1"), num).reshape(shape)

    @pixels.setter
    def pixels(self, pixels: Optional[npt.ArrayLike]) -> None:
        if pixels is None:
            self.map._change(lambda p, error: lib.tm_map_set_pixels(p, self.index, ffi.NULL, 0, 0, error))
            return
        array = rgba_array(pixels)
        height, width = array.shape[:2]
        self.map._change(lambda p, error: lib.tm_map_set_pixels(p, self.index, ffi.from_buffer(array), width, height, error))


def pixels_of(image: Any) -> Any:
    """Where the block of an image stands."""
    return ffi.addressof(image[0], "pixels")


def rgba_array(pixels: npt.ArrayLike) -> Array:
    array: Array = np.asarray(pixels)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] not in (3, 4):
        raise ValueError(f"pixels are an array (height, width, 3 or 4) of uint8, not {array.shape} of {array.dtype}")
    if array.shape[2] == 3:
        array = np.dstack([array, np.full(array.shape[:2], 255, np.uint8)])
    return np.ascontiguousarray(array)


class Sound(_tables.SoundFields, MapObject, UnreadTexts):
    """A sound of a map."""
    __slots__ = ()
    _kind = "sound"
    _owner = lib.TM_KIND_SOUND

    @property
    def data(self) -> Optional[bytes]:
        """The Opus file; None for an external sound. Set it to embed another one."""
        with self.map._lock:
            block = self._find().data
            return None if not block else self.map._bytes_of(block)

    @data.setter
    def data(self, opus: Optional[bytes]) -> None:
        given = (ffi.NULL, 0) if opus is None else (ffi.from_buffer(opus), len(opus))
        self.map._change(lambda p, error: lib.tm_map_set_sound(p, self.index, *given, error))


class Envelope(_tables.EnvelopeFields, MapObject):
    """A curve over time: of positions, colors or a volume."""
    __slots__ = ()
    _kind = "envelope"

    @property
    def points(self) -> Array:
        """A read-only copy: change your own copy and set it. Fields: time in ms, curve 0 to 5 (step, linear, slow, fast,
        smooth, bezier), values * 1024: volume; x and y in px, degrees; or red, green, blue, alpha."""
        with self.map._lock:
            envelope = self._find()
            kind = _tables.element_type(lib.TM_KIND_ENVELOPE_POINT)
            size = envelope.num_points * kind.itemsize
            points = np.frombuffer(bytes(ffi.buffer(envelope.points, size)) if size else b"", kind)
            return points

    @points.setter
    def points(self, points: npt.ArrayLike) -> None:
        array = elements(points, _tables.element_type(lib.TM_KIND_ENVELOPE_POINT))
        given = ffi.from_buffer("tm_envelope_point[]", array)
        self.map._change(lambda p, error: lib.tm_map_set_points(p, self.index, given, len(array), error))

    def evaluate(self, time: float) -> tuple[float, ...]:
        """The values at a time in ms, as the game has them: px, px and degrees; or 0 to 1."""
        with self.map._lock:
            envelope = self._find()
            values = ffi.new("double[4]")
            lib.tm_envelope_evaluate(envelope, time, 4, values)
            return tuple(values[0:max(0, min(4, envelope.channels))])


def elements(given: npt.ArrayLike, kind: np.dtype[Any]) -> Array:
    array: Array = np.ascontiguousarray(given)
    if array.dtype != kind or array.ndim != 1:
        if array.ndim == 1 and array.size == 0:
            return np.empty(0, kind)
        raise ValueError(f"a one-dimensional array of {kind.names} is needed, not {array.shape} of {array.dtype}")
    return array


class Group(_tables.GroupFields, MapObject):
    """Layers that move together."""
    __slots__ = ()
    _kind = "group"

    @property
    def layers(self) -> Layers:
        """From back to front."""
        from ._lists import Layers
        return Layers(self)


class Layer(_tables.LayerFields, MapObject):
    """A layer of any kind."""
    __slots__ = ()
    _kind = "layer"

    @classmethod
    def _places(cls, p: Any) -> Iterable[tuple[int, ...]]:
        return ((g, i) for g in range(p.num_groups) for i in range(p.groups[g].num_layers))

    @classmethod
    def _struct(cls, p: Any, at: tuple[int, ...]) -> Any:
        group = p.groups[at[0]] if at[0] < p.num_groups else None
        return group.layers + at[1] if group is not None and at[1] < group.num_layers else None

    @property
    def group(self) -> Group:
        with self.map._lock:
            self._find()
            return self.map.groups[self._at[0]]

    def _as(self) -> Any:
        return getattr(self._find(), "as")

    def _place(self) -> tuple[int, ...]:
        self._find()
        return self._at


class OtherLayer(Layer):
    """A layer of a kind that is not known."""
    __slots__ = ()
    if TYPE_CHECKING:
        @property
        def kind(self) -> Literal["unknown"]: ...


def tiles_of(layer: Any) -> Any:
    """Where the block of a layer stands."""
    return ffi.addressof(getattr(layer, "as").tiles, "tiles")


def quads_of(layer: Any) -> Any:
    return ffi.addressof(getattr(layer, "as").quads, "quads")


def sources_of(layer: Any) -> Any:
    return ffi.addressof(getattr(layer, "as").sounds, "sources")


class TileLayer(_tables.TileLayerFields, Layer):
    """A layer of tiles: design, or physics."""
    __slots__ = ()
    if TYPE_CHECKING:
        @property
        def kind(self) -> Literal["tiles", "game", "front", "tele", "speedup", "switch", "tune"]: ...

    @property
    def tiles(self) -> Array:
        """(height, width), structured; writing to it writes the map, and what nobody wrote to is saved as it was.

        Fields of tiles, game and front: index, flags (1 mirrored left-right, 2 top-bottom, 4 opaque, 8 turned clockwise), skip,
        reserved; of tele and tune: number, type; of switch: number, type, flags, delay; of speedup: force, max_speed, type, pad,
        angle in degrees. Set it to an array of this type, of numbers (height, width), which are indices (True is 1), or of channels;
        one of another size changes the layer's."""
        with self.map._taking():
            struct = self._find()
            content = getattr(struct, "as").tiles
            kind = _tables.element_type(lib.tm_kind_of_elements(struct.kind))
            shape = content.height, content.width
            if not shape[0] or not shape[1]:
                return np.empty(shape, kind)
            if not content.tiles:
                self.map._wait_turn()
                struct = self._find()
                grid = ffi.new("tm_edit_grid *")
                call(lib.tm_map_edit_tiles, grid, self.map._p, *self._at)
            return self.map._block_array(self, struct, tiles_of, kind, shape[0] * shape[1]).reshape(shape)

    @tiles.setter
    def tiles(self, tiles: npt.ArrayLike) -> None:
        array: Array = np.asarray(tiles)
        if array.ndim not in (2, 3) or 0 in array.shape:
            raise ValueError(f"tiles are an array (height, width) or (height, width, channels), not {array.shape}")
        if array.ndim == 3 or not array.dtype.names:
            array = checked_bytes(array)
        with self.map._alone():
            if array.shape[:2] != (self.height, self.width):
                self.resize(array.shape[1], array.shape[0])
            mine = self.tiles
            if array.ndim == 3:
                self.channels[...] = array
            elif array.dtype.names:
                mine[...] = array
            else:
                names = mine.dtype.names or ()
                mine[...] = np.zeros((), mine.dtype)
                mine["index" if "index" in names else "type"] = array

    @property
    def channels(self) -> Array:
        """(height, width, n) u8, the same memory: index, flags; number, type; number, type, flags, delay; force, max_speed, type."""
        num = {"tele": 2, "tune": 2, "switch": 4, "speedup": 3}.get(str(self.kind), 2)
        tiles = self.tiles
        return tiles.view(np.uint8).reshape(*tiles.shape, tiles.dtype.itemsize)[..., :num]

    def mask(self, *patterns: str) -> Array:
        """(height, width) of bool: the tiles that match any of these patterns (docs/patterns.md): layer.mask("freeze", "deep-freeze")."""
        with self.map._lock:
            mask, address = np.zeros((self.height, self.width), bool), self.address
        for one in self.map.find(*patterns, layers=address):
            if one.address == address and one.width:
                mask[one.y:one.y + one.height, one.x:one.x + one.width] = True
        return mask

    def resize(self, width: int, height: int, dx: int = 0, dy: int = 0) -> None:
        """Changes the size in tiles; the tile at (0, 0) moves to (dx, dy), tiles outside are lost, new tiles are air."""
        for side in (width, height):
            if not 1 <= side < 2**31:
                raise ValueError(f"a layer cannot be {width} x {height} tiles large")
        self.map._change(lambda p, error: lib.tm_map_resize_layer(p, *self._place(), width, height, dx, dy, error))


def checked_bytes(array: Array) -> Array:
    if array.dtype == np.bool_:
        return array.astype(np.uint8)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"tiles are whole numbers, not {array.dtype}")
    if array.dtype != np.uint8 and array.size and (array.min() < 0 or array.max() > 255):
        raise ValueError(f"tiles are numbers of 0 to 255, not {array.min()} to {array.max()}")
    return array


class QuadLayer(_tables.QuadLayerFields, Layer):
    """A layer of quads."""
    __slots__ = ()
    if TYPE_CHECKING:
        @property
        def kind(self) -> Literal["quads"]: ...

    @property
    def quads(self) -> Array:
        """Structured, from back to front; writing to it writes the map. points: 5 of x, y in px * 1024 (32768 to a tile), top left, top
        right, bottom left, bottom right, pivot; colors: 4 of red, green, blue, alpha; texture: 4 of x, y * 1024; envelopes by number,
        -1 is none; offsets in ms. Set it to an array of this type with any number of quads."""
        with self.map._taking():
            kind, num = _tables.element_type(lib.TM_KIND_QUAD), self._as().quads.num_quads
            return self.map._block_array(self, self._find(), quads_of, kind, num)

    @quads.setter
    def quads(self, quads: npt.ArrayLike) -> None:
        array = elements(quads, _tables.element_type(lib.TM_KIND_QUAD))
        given = ffi.from_buffer("tm_quad[]", array)
        self.map._change(lambda p, error: lib.tm_map_set_quads(p, *self._place(), given, len(array), error))


class SoundLayer(_tables.SoundLayerFields, Layer):
    """A layer of sound sources."""
    __slots__ = ()
    if TYPE_CHECKING:
        @property
        def kind(self) -> Literal["sounds", "old-sounds"]: ...

    @property
    def sources(self) -> Array:
        """Structured; writing to it writes the map. Positions and sizes in px * 1024, delay in s, offsets in ms. Set it to an array of
        this type with any number of sources."""
        with self.map._taking():
            kind, num = _tables.element_type(lib.tm_kind_of_elements(self._find().kind)), self._as().sounds.num_sources
            return self.map._block_array(self, self._find(), sources_of, kind, num)

    @sources.setter
    def sources(self, sources: npt.ArrayLike) -> None:
        if self.kind != "sounds":
            raise ValueError("only the sources of a layer of kind 'sounds' can be set")
        array = elements(sources, _tables.element_type(lib.TM_KIND_SOUND_SOURCE))
        given = ffi.from_buffer("tm_sound_source[]", array)
        self.map._change(lambda p, error: lib.tm_map_set_sources(p, *self._place(), given, len(array), error))


AnyLayer = Union[TileLayer, QuadLayer, SoundLayer, OtherLayer]  # so that type checkers know what a layer of a kind has
LAYERS = {lib.TM_KIND_TILE_LAYER: TileLayer, lib.TM_KIND_QUAD_LAYER: QuadLayer, lib.TM_KIND_SOUND_LAYER: SoundLayer}


def class_of(kind: int) -> type[Layer]:
    return LAYERS.get(lib.tm_kind_of_layer(kind), OtherLayer)


class Info(_tables.InfoFields, UnreadTexts):
    """Author, version, credits and license of a map."""
    __slots__ = ("map",)
    _owner = lib.TM_KIND_INFO

    def __init__(self, map: Map) -> None:
        self.map = map

    def __repr__(self) -> str:
        unread = self.unread
        words = {name: "(unread)" if name in unread else getattr(self, name) for name in ("author", "version", "credits", "license")}
        return f"<teemap info {', '.join(f'{name}={value!r}' for name, value in words.items() if value) or 'empty'}>"

    def _find(self) -> Any:
        """The current struct."""
        return ffi.addressof(self.map._p, "info")

    def _get(self, field: Any) -> Any:
        with self.map._lock:
            return _tables.get_value(self.map, self._find(), field)

    def _set(self, field: Any, value: Any) -> None:
        with self.map._lock:
            self.map._wait_turn()
            _tables.set_value(self.map, self._find(), field, value)

    @property
    def settings(self) -> Settings:
        return self.map.settings
