# SPDX-License-Identifier: Zlib
"""What is in a map: objects, and the lists in which they are."""
from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Generic, Optional, TypeVar, Union, overload

import numpy as np

from . import _tables
from ._core import Texts, call, encode, ffi, lib
from ._words import text

if TYPE_CHECKING:
    import numpy.typing as npt
    from ._map import Map
    Array = npt.NDArray[Any]
else:
    Array = np.ndarray  # numpy.typing takes long to import
T = TypeVar("T", bound="MapObject")
IMAGE, SOUND, ENVELOPE, GROUP = lib.TM_OBJECT_IMAGE, lib.TM_OBJECT_SOUND, lib.TM_OBJECT_ENVELOPE, lib.TM_OBJECT_GROUP
LISTS = {IMAGE: "images", SOUND: "sounds", ENVELOPE: "envelopes", GROUP: "groups"}
LAYER_KINDS = [text(ffi, lib.tm_game_layer(kind).name) for kind in range(lib.TM_LAYER_KINDS)]


def choose(words: dict[str, int], word: str, what: str) -> int:
    if word not in words:
        raise ValueError(f"'{word}' is no {what}: use " + " or ".join(map(repr, words)))
    return words[word]


def index_in(num: int, index: Any, what: str) -> int:
    index = index.__index__()
    if not -num <= index < num:
        raise IndexError(f"there is no {what} {index}: the map has {num}")
    return int(index) % num


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
        """The struct, wherever it is now."""
        self._at, struct = self._find_in(self.map._p)
        return struct

    def _find_in(self, p: Any) -> tuple[tuple[int, ...], Any]:
        """The same in a clone of the map. Its old place comes first."""
        struct = self._struct(p, self._at)
        if struct is not None and number_of(struct) == self._id:
            return self._at, struct
        for at in self._places(p):
            struct = self._struct(p, at)
            if number_of(struct) == self._id:
                return at, struct
        raise ReferenceError(f"the {self._kind} is no longer in its map")

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
            _tables.set_value(self.map, self._find(), field, value)

    @property
    def index(self) -> int:
        """Its number in its list."""
        with self.map._lock:
            self._find()
            return self._at[-1]

    @property
    def address(self) -> str:
        """As commands and findings name it: "2/3", "image/0"."""
        with self.map._lock:
            self._find()
            number = "/".join(map(str, self._at))
            return number if self._kind in ("group", "layer") else f"{self._kind}/{number}"

    def __repr__(self) -> str:
        try:
            return f"<teemap {self._kind} {self.address} {getattr(self, 'name', '')!r}>"
        except ReferenceError:
            return f"<teemap {self._kind}, removed>"

    def __reduce__(self) -> Any:
        raise TypeError(f"a {self._kind} cannot be pickled: pickle its map")


class Image(_tables.ImageFields, MapObject):
    """An image of a map: embedded, with pixels, or external, so that the game has it as a file of its name."""
    __slots__ = ()
    _kind = "image"

    @property
    def pixels(self) -> Optional[Array]:
        """(height, width, 4) u8: red, green, blue, straight alpha; (height, width, 3) of images of format rgb. A view: writing to it
        writes the map. None for an external image. Set it to an array of any size, or to None to make the image external."""
        with self.map._lock:
            image = self._find()
            channels = 3 if image.format == lib.TM_IMAGE_RGB else 4
            shape = image.height, image.width, channels
            if not lib.tm_image_rgba_size(image):
                return None
            num = shape[0] * shape[1] * channels
            return self.map._block_array(self, lambda image: image.pixels, np.dtype("u1"), num).reshape(shape)

    @pixels.setter
    def pixels(self, pixels: Optional[npt.ArrayLike]) -> None:
        if pixels is None:
            self.map._change(lambda p, error: lib.tm_map_set_pixels(p, self.index, ffi.NULL, 0, 0, error))
            return
        array = rgba_array(pixels)
        height, width = array.shape[:2]
        self.map._change(lambda p, error: lib.tm_map_set_pixels(p, self.index, ffi.from_buffer(array), width, height, error))


def rgba_array(pixels: npt.ArrayLike) -> Array:
    array: Array = np.asarray(pixels)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] not in (3, 4):
        raise ValueError(f"pixels are an array (height, width, 3 or 4) of uint8, not {array.shape} of {array.dtype}")
    if array.shape[2] == 3:
        array = np.dstack([array, np.full(array.shape[:2], 255, np.uint8)])
    return np.ascontiguousarray(array)


class Sound(_tables.SoundFields, MapObject):
    """A sound of a map."""
    __slots__ = ()
    _kind = "sound"

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
        """A copy, which cannot be written to: change your own copy and set it. Fields: time in ms, curve 0 to 5 (step, linear, slow,
        fast, smooth, bezier), values * 1024: volume; x and y in px, degrees; or red, green, blue, alpha."""
        with self.map._lock:
            envelope = self._find()
            kind = _tables.element_type(lib.TM_OWNER_ENVELOPE_POINT)
            size = envelope.num_points * kind.itemsize
            points = np.frombuffer(bytes(ffi.buffer(envelope.points, size)) if size else b"", kind)
            return points

    @points.setter
    def points(self, points: npt.ArrayLike) -> None:
        array = elements(points, _tables.element_type(lib.TM_OWNER_ENVELOPE_POINT))
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
        return p.groups[at[0]].layers + at[1] if at[0] < p.num_groups and at[1] < p.groups[at[0]].num_layers else None

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


class TileLayer(_tables.TileLayerFields, Layer):
    """A layer of tiles: design, or physics."""
    __slots__ = ()

    @property
    def tiles(self) -> Array:
        """(height, width), structured; writing to it writes the map, and what nobody wrote to is saved as it was.

        Fields of tiles, game and front: index, flags (1 mirrored left-right, 2 top-bottom, 4 opaque, 8 turned clockwise), skip,
        reserved; of tele and tune: number, type; of switch: number, type, flags, delay; of speedup: force, max_speed, type, pad,
        angle in degrees. Set it to an array of this type, of numbers (height, width), which are indices, or of channels; one of
        another size changes the layer's."""
        with self.map._lock:
            kind = _tables.element_type(lib.tm_owner_of_elements(self._find().kind))
            shape = self.height, self.width
            if not shape[0] or not shape[1]:
                return np.empty(shape, kind)
            if not self._as().tiles.tiles:
                grid = ffi.new("tm_edit_grid *")
                call(lib.tm_map_edit_tiles, self.map._p, *self._at, grid)
            num = shape[0] * shape[1]
            return self.map._block_array(self, lambda layer: getattr(layer, "as").tiles.tiles, kind, num).reshape(shape)

    @tiles.setter
    def tiles(self, tiles: npt.ArrayLike) -> None:
        array: Array = np.asarray(tiles)
        if array.ndim not in (2, 3) or 0 in array.shape:
            raise ValueError(f"tiles are an array (height, width) or (height, width, channels), not {array.shape}")
        if array.shape[:2] != (self.height, self.width):
            self.resize(array.shape[1], array.shape[0])
        mine = self.tiles
        if array.ndim == 3:
            self.channels[...] = checked_bytes(array)
        elif array.dtype.names:
            mine[...] = array
        else:
            names = mine.dtype.names or ()
            mine[...] = np.zeros((), mine.dtype)
            mine["index" if "index" in names else "type"] = checked_bytes(array)

    @property
    def channels(self) -> Array:
        """(height, width, n) u8, the same memory: index, flags; number, type; number, type, flags, delay; force, max_speed, type."""
        num = {"tele": 2, "tune": 2, "switch": 4, "speedup": 3}.get(str(self.kind), 2)
        tiles = self.tiles
        return tiles.view(np.uint8).reshape(*tiles.shape, tiles.dtype.itemsize)[..., :num]

    def resize(self, width: int, height: int, dx: int = 0, dy: int = 0) -> None:
        """Changes the size in tiles; what is at (0, 0) comes to (dx, dy), what falls outside is lost, new tiles are air."""
        for side in (width, height):
            if not 1 <= side < 2**31:
                raise ValueError(f"a layer cannot be {width} x {height} tiles large")
        self.map._change(lambda p, error: lib.tm_map_resize_layer(p, *self._place(), width, height, dx, dy, error))


def checked_bytes(array: Array) -> Array:
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"tiles are whole numbers, not {array.dtype}")
    if array.dtype != np.uint8 and array.size and (array.min() < 0 or array.max() > 255):
        raise ValueError(f"tiles are numbers of 0 to 255, not {array.min()} to {array.max()}")
    return array


class QuadLayer(_tables.QuadLayerFields, Layer):
    """A layer of quads."""
    __slots__ = ()

    @property
    def quads(self) -> Array:
        """Structured, from back to front; writing to it writes the map. points: 5 of x, y in px * 1024 (32768 to a tile), top left, top
        right, bottom left, bottom right, pivot; colors: 4 of red, green, blue, alpha; texture: 4 of x, y * 1024; envelopes by number,
        -1 is none; offsets in ms. Set it to an array of this type with any number of quads."""
        with self.map._lock:
            kind, num = _tables.element_type(lib.TM_OWNER_QUAD), self._as().quads.num_quads
            return self.map._block_array(self, lambda layer: getattr(layer, "as").quads.quads, kind, num)

    @quads.setter
    def quads(self, quads: npt.ArrayLike) -> None:
        array = elements(quads, _tables.element_type(lib.TM_OWNER_QUAD))
        given = ffi.from_buffer("tm_quad[]", array)
        self.map._change(lambda p, error: lib.tm_map_set_quads(p, *self._place(), given, len(array), error))


class SoundLayer(_tables.SoundLayerFields, Layer):
    """A layer of sound sources."""
    __slots__ = ()

    @property
    def sources(self) -> Array:
        """Structured; writing to it writes the map. Positions and sizes in px * 1024, delay in s, offsets in ms. Set it to an array of
        this type with any number of sources."""
        with self.map._lock:
            kind, num = _tables.element_type(lib.tm_owner_of_elements(self._find().kind)), self._as().sounds.num_sources
            return self.map._block_array(self, lambda layer: getattr(layer, "as").sounds.sources, kind, num)

    @sources.setter
    def sources(self, sources: npt.ArrayLike) -> None:
        if self.kind != "sounds":
            raise ValueError("only the sources of a layer of kind 'sounds' can be set")
        array = elements(sources, _tables.element_type(lib.TM_OWNER_SOUND_SOURCE))
        given = ffi.from_buffer("tm_sound_source[]", array)
        self.map._change(lambda p, error: lib.tm_map_set_sources(p, *self._place(), given, len(array), error))


def class_of(kind: int) -> type[Layer]:
    return {lib.TM_OWNER_TILE_LAYER: TileLayer, lib.TM_OWNER_QUAD_LAYER: QuadLayer, lib.TM_OWNER_SOUND_LAYER: SoundLayer}.get(
        lib.tm_owner_of_layer(kind), Layer)


class Info(_tables.InfoFields):
    """What a map says of itself."""
    __slots__ = ("map",)

    def __init__(self, map: Map) -> None:
        self.map = map

    def _get(self, field: Any) -> Any:
        with self.map._lock:
            return _tables.get_value(self.map, ffi.addressof(self.map._p, "info"), field)

    def _set(self, field: Any, value: Any) -> None:
        with self.map._lock:
            _tables.set_value(self.map, ffi.addressof(self.map._p, "info"), field, value)

    @property
    def settings(self) -> Settings:
        return self.map.settings


class Settings(MutableSequence[str]):
    """The server commands of a map, as a list that writes to the map."""

    def __init__(self, map: Map) -> None:
        self.map = map

    def _all(self) -> list[str]:
        with self.map._lock:
            info = self.map._p.info
            return [text(ffi, info.settings[i]) for i in range(info.num_settings)]

    def _put(self, commands: Iterable[str]) -> None:
        texts = Texts(commands)
        self.map._change(lambda p, error: lib.tm_map_set_settings(p, texts.list, texts.num, error))

    def __len__(self) -> int:
        return int(self.map._p.info.num_settings)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        commands = self._all()
        commands[index] = value
        self._put(commands)

    def __delitem__(self, index: Any) -> None:
        commands = self._all()
        del commands[index]
        self._put(commands)

    def insert(self, index: int, value: str) -> None:
        commands = self._all()
        commands.insert(index, value)
        self._put(commands)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, Settings)) and self._all() == list(other)

    def __repr__(self) -> str:
        return repr(self._all())


class Objects(Sequence[T], Generic[T]):
    """The images, sounds, envelopes or groups of a map: by number, or by name."""

    def __init__(self, map: Map, kind: int, of: type[T]) -> None:
        self.map, self._object, self._of = map, kind, of

    def __len__(self) -> int:
        return int(getattr(self.map._p, "num_" + LISTS[self._object]))

    @overload
    def __getitem__(self, index: Union[int, str]) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: Any) -> Any:
        with self.map._lock:
            if isinstance(index, slice):
                return [self[i] for i in range(*index.indices(len(self)))]
            if isinstance(index, str):
                for one in self:
                    if getattr(one, "name") == index:
                        return one
                raise KeyError(f"there is no {self._of._kind} '{index}'")
            return self.map._wrap(self._of, (index_in(len(self), index, self._of._kind),))

    def __delitem__(self, index: Union[int, str]) -> None:
        one = self[index]
        self.map._change(lambda p, error: lib.tm_map_remove(p, self._object, one.index, error))

    def remove(self, one: T) -> None:
        if one.map is not self.map:
            raise ValueError(f"the {one._kind} is of another map")
        del self[one.index]

    def move(self, one: T, to: int) -> None:
        """Moves it, so that it stands at index `to` afterwards."""
        to = index_in(len(self), to, one._kind)
        self.map._change(lambda p, error: lib.tm_map_move(p, self._object, one.index, to, error))

    def insert(self, index: int, name: str = "", **fields: Any) -> T:
        """Inserts a new one before an index; further arguments are its attributes."""
        index = max(0, min(len(self), index + len(self) if index < 0 else index))
        encode(name)
        with self.map._lock:
            self.map._change(lambda p, error: lib.tm_map_insert(p, self._object, index, error))
            one = self.map._wrap(self._of, (index,))
            try:
                for field, value in {"name": name, **fields}.items():
                    if not hasattr(type(one), field):
                        raise AttributeError(f"a {self._of._kind} has no '{field}'")
                    setattr(one, field, value)
            except BaseException:
                del self[index]
                raise
            return one

    def add(self, name: str = "", **fields: Any) -> T:
        """Puts a new one behind the others: images.add("grass", pixels=array), envelopes.add("sun", type="color")."""
        return self.insert(len(self), name, **fields)

    def take(self, one: T, share: bool = True) -> T:
        """Imports one of another map, with all that it refers to. With `share` what is there already is used."""
        options = ffi.new("tm_import_options *")
        options.size = ffi.sizeof("tm_import_options")
        options.share = share
        with self.map._lock:
            source = one.map._clone(detached=True)
            out = ffi.new("uint32_t *")
            at = len(self)
            self.map._change(lambda p, error: lib.tm_map_import(out, p, self._object, at, source.p, one.index, options, error),
                             keep=source.keep)
            return self.map._wrap(self._of, (out[0],))


class Layers(Sequence[Layer]):
    """The layers of a group, or of all groups: by number, by address or by name."""

    def __init__(self, of: Union[Group, Map]) -> None:
        self._of = of

    @property
    def map(self) -> Map:
        return self._of.map if isinstance(self._of, Group) else self._of

    def _places(self) -> list[tuple[int, int]]:
        with self.map._lock:
            p = self.map._p
            groups = [self._of.index] if isinstance(self._of, Group) else range(p.num_groups)
            return [(g, i) for g in groups for i in range(p.groups[g].num_layers)]

    def __len__(self) -> int:
        return len(self._places())

    @overload
    def __getitem__(self, index: Union[int, str]) -> Layer: ...
    @overload
    def __getitem__(self, index: slice) -> list[Layer]: ...
    def __getitem__(self, index: Any) -> Any:
        with self.map._lock:
            places = self._places()
            if isinstance(index, slice):
                return [self.map._wrap_layer(at) for at in places[index]]
            if not isinstance(index, str):
                return self.map._wrap_layer(places[index_in(len(places), index, "layer")])
            for at in places:
                if text(ffi, self.map._p.groups[at[0]].layers[at[1]].name) == index:
                    return self.map._wrap_layer(at)
            if not isinstance(self._of, Group):
                found = self.map[index]
                if isinstance(found, Layer):
                    return found
            raise KeyError(f"there is no layer '{index}'")

    def insert(self, index: int, kind: str, width: int = 0, height: int = 0, name: Optional[str] = None, **fields: Any) -> Layer:
        """Inserts an empty layer before an index; tiles without a size are as large as the map. Further arguments are attributes."""
        if not isinstance(self._of, Group):
            raise TypeError("a layer is added to a group: map.groups[0].layers.add(...)")
        group = self._of
        number = choose({word: i for i, word in enumerate(LAYER_KINDS)}, kind, "kind of layer")
        if lib.tm_game_layer(number).is_tiles and not (width and height):
            width, height = self.map.size
        if width < 0 or height < 0 or width >= 2**31 or height >= 2**31:
            raise ValueError(f"a layer cannot be {width} x {height} tiles large")
        with self.map._lock:
            num = len(self)
            at = group.index, max(0, min(num, index + num if index < 0 else index))
            self.map._change(lambda p, error: lib.tm_map_insert_layer(p, *at, number, width, height, error))
            layer = self.map._wrap_layer(at)
            try:
                for field, value in {**({} if name is None else {"name": name}), **fields}.items():
                    if not hasattr(type(layer), field):
                        raise AttributeError(f"a layer of kind {kind} has no '{field}'")
                    setattr(layer, field, value)
            except BaseException:
                self.remove(layer)
                raise
            return layer

    def add(self, kind: str, width: int = 0, height: int = 0, name: Optional[str] = None, **fields: Any) -> Layer:
        """Puts an empty layer in front of the others: layers.add("tiles", name="Walls", image=map.images["grass_main"])."""
        return self.insert(len(self), kind, width, height, name, **fields)

    def add_tiles(self, kind: str = "tiles", width: int = 0, height: int = 0, name: Optional[str] = None, **fields: Any) -> TileLayer:
        """The same for kinds of tiles, so that type checkers know."""
        layer = self.add(kind, width, height, name, **fields)
        if not isinstance(layer, TileLayer):
            self.remove(layer)
            raise ValueError(f"'{kind}' is no kind of tiles")
        return layer

    def remove(self, layer: Layer) -> None:
        if layer.map is not self.map:
            raise ValueError("the layer is of another map")
        self.map._change(lambda p, error: lib.tm_map_remove_layer(p, *layer._place(), error))

    def __delitem__(self, index: Union[int, str]) -> None:
        self.remove(self[index])

    def take(self, layer: Layer, share: bool = True) -> Layer:
        """Imports a layer of another map, or of this one, with all that it refers to."""
        if not isinstance(self._of, Group):
            raise TypeError("a layer is added to a group: map.groups[0].layers.take(...)")
        group = self._of
        options = ffi.new("tm_import_options *")
        options.size = ffi.sizeof("tm_import_options")
        options.share = share
        with self.map._lock:
            source = layer.map._clone(detached=True)
            at = group.index, len(self)
            self.map._change(lambda p, error: lib.tm_map_import_layer(p, *at, source.p, *layer._place(), options, error),
                             keep=source.keep)
            return self.map._wrap_layer(at)


class Physics:
    """The physics layers that the games use: map.physics.game, .tele, .front and so on; None where the map has none."""

    def __init__(self, map: Map) -> None:
        self._map = map

    def __getattr__(self, kind: str) -> Optional[TileLayer]:
        number = LAYER_KINDS.index(kind) if kind in LAYER_KINDS else -1
        if number < 0 or not lib.tm_game_layer(number).is_physics:
            raise AttributeError(f"there is no physics layer '{kind}'")
        group, index = ffi.new("uint32_t *"), ffi.new("uint32_t *")
        with self._map._lock:
            if not lib.tm_map_physics_layer(self._map._p, number, group, index):
                return None
            layer = self._map._wrap_layer((group[0], index[0]))
            assert isinstance(layer, TileLayer)
            return layer

    def __dir__(self) -> list[str]:
        return [name for i, name in enumerate(LAYER_KINDS) if lib.tm_game_layer(i).is_physics]
