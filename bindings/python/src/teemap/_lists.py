# SPDX-License-Identifier: Zlib
"""The lists in which the objects of a map are."""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Generic, Optional, SupportsIndex, TypeVar, Union, overload

from ._core import Texts, UnreadError, call, encode, ffi, lib
from ._objects import ENVELOPE, GROUP, IMAGE, LAYER_KINDS, SOUND, AnyLayer, Group, Layer, MapObject, TileLayer, choose
from ._words import text

if TYPE_CHECKING:
    from ._map import Map
T = TypeVar("T", bound=MapObject)
PHYSICS = {name: kind for kind, name in enumerate(LAYER_KINDS) if lib.tm_game_layer(kind).is_physics}
LISTS = {IMAGE: "images", SOUND: "sounds", ENVELOPE: "envelopes", GROUP: "groups"}


def index_in(num: int, index: SupportsIndex, what: str) -> int:
    index = operator.index(index)
    if not -num <= index < num:
        raise IndexError(f"there is no {what} {index}: the map has {num}")
    return index % num


def check_command(command: str) -> None:
    """A command is one line: games would read two."""
    if isinstance(command, str) and ("\n" in command or "\r" in command):
        raise ValueError(f"a setting is one command, without line breaks, not {command!r}")


class Settings(MutableSequence[str]):
    """The server commands of a map, as a list that writes to the map."""
    __slots__ = ("map",)

    def __init__(self, map: Map) -> None:
        self.map = map

    def _all(self) -> list[str]:
        with self.map._lock:
            info = self.map._p.info
            if info.unread_settings:
                raise UnreadError("the settings could not be read", "unsupported", "input", reason="they could not be read")
            return [text(ffi, info.settings[i]) for i in range(info.num_settings)]

    def _edit(self, change: Callable[[list[str]], object]) -> None:
        with self.map._alone():
            commands = self._all()
            change(commands)
            for command in commands:
                check_command(command)
            texts = Texts(commands)
            self.map._change(lambda p, error: lib.tm_map_set_settings(p, texts.list, texts.num, error))

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice) and isinstance(value, str):
            raise TypeError(f"settings are a list of commands, not one text: [{value!r}]")
        self._edit(lambda commands: operator.setitem(commands, index, value))

    def __delitem__(self, index: Any) -> None:
        self._edit(lambda commands: operator.delitem(commands, index))

    def insert(self, index: int, value: str) -> None:
        self._edit(lambda commands: commands.insert(index, value))

    def extend(self, values: Iterable[str]) -> None:
        if isinstance(values, str):
            raise TypeError(f"settings are a list of commands, not one text: [{values!r}]")
        new = list(values)
        self._edit(lambda commands: commands.extend(new))

    def __iadd__(self, values: Iterable[str]) -> Settings:
        self.extend(values)
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, Settings)) and self._all() == list(other)

    def __repr__(self) -> str:
        try:
            return repr(self._all())
        except UnreadError:
            return "<settings that could not be read>"


class Objects(Sequence[T], Generic[T]):
    """The images, sounds, envelopes or groups of a map: by number, or by name."""
    __slots__ = ("map", "_object", "_of")

    def __init__(self, map: Map, kind: int, of: type[T]) -> None:
        self.map, self._object, self._of = map, kind, of

    def __len__(self) -> int:
        with self.map._lock:
            return int(getattr(self.map._p, "num_" + LISTS[self._object]))

    def __iter__(self) -> Iterator[T]:
        return iter(self[:])

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

    def __repr__(self) -> str:
        return repr(list(self))

    def __delitem__(self, index: Union[int, str]) -> None:
        with self.map._alone():
            self.remove(self[index])

    def remove(self, one: T) -> None:
        if one.map is not self.map:
            raise ValueError(f"the {one._kind} is of another map")
        self.map._change(lambda p, error: lib.tm_map_remove(p, self._object, one.index, error))

    def move(self, one: T, to: int) -> None:
        """Moves an object to index `to`."""
        with self.map._alone():
            to = index_in(len(self), to, one._kind)
            self.map._change(lambda p, error: lib.tm_map_move(p, self._object, one.index, to, error))

    def insert(self, index: int, name: str = "", **fields: Any) -> T:
        """Inserts a new object before an index; further arguments are its attributes."""
        encode(name)
        for field in fields:
            if not hasattr(self._of, field):
                raise AttributeError(f"a {self._of._kind} has no '{field}'")
        with self.map._alone():
            index = max(0, min(len(self), index + len(self) if index < 0 else index))
            self.map._change(lambda p, error: lib.tm_map_insert(p, self._object, index, error))
            one = self.map._wrap(self._of, (index,))
            try:
                for field, value in {"name": name, **fields}.items():
                    setattr(one, field, value)
            except BaseException:
                self.remove(one)
                raise
            return one

    def add(self, name: str = "", **fields: Any) -> T:
        """Appends a new object: images.add("grass", pixels=array), envelopes.add("sun", type="color")."""
        return self.insert(len(self), name, **fields)

    def take(self, one: T, share: bool = True) -> T:
        """Imports an object of another map with everything that it refers to. With `share`, equal objects of this map are used."""
        options = ffi.new("tm_import_options *")
        options.size = ffi.sizeof("tm_import_options")
        options.share = share
        source, index = one._with_clone()
        with self.map._alone():
            out = ffi.new("uint32_t *")
            at = len(self)
            self.map._change(lambda p, error: lib.tm_map_import(out, p, self._object, at, source.p, index[-1], options, error),
                             keep=source.keep)
            return self.map._wrap(self._of, (out[0],))


class Layers(Sequence[AnyLayer]):
    """The layers of a group, or of all groups: by number, by address or by name."""
    __slots__ = ("_of",)

    def __init__(self, of: Union[Group, Map]) -> None:
        self._of = of

    @property
    def map(self) -> Map:
        return self._of.map if isinstance(self._of, Group) else self._of

    def __repr__(self) -> str:
        return repr(list(self))

    def _places(self) -> list[tuple[int, int]]:
        with self.map._lock:
            p = self.map._p
            groups = [self._of.index] if isinstance(self._of, Group) else range(p.num_groups)
            return [(g, i) for g in groups for i in range(p.groups[g].num_layers)]

    def __len__(self) -> int:
        return len(self._places())

    @overload
    def __getitem__(self, index: Union[int, str]) -> AnyLayer: ...
    @overload
    def __getitem__(self, index: slice) -> list[AnyLayer]: ...
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

    def __iter__(self) -> Iterator[AnyLayer]:
        return iter(self[:])

    def insert(self, index: int, kind: str, width: int = 0, height: int = 0, name: Optional[str] = None, **fields: Any) -> AnyLayer:
        """Inserts an empty layer before an index; tiles without a size are as large as the map. Further arguments are attributes."""
        if not isinstance(self._of, Group):
            raise TypeError("a layer is added to a group: map.groups[0].layers.add(...)")
        group = self._of
        number = choose({word: i for i, word in enumerate(LAYER_KINDS)}, kind, "kind of layer")
        if lib.tm_game_layer(number).is_tiles and not (width and height):
            width, height = self.map.size
        if width < 0 or height < 0 or width >= 2**31 or height >= 2**31:
            raise ValueError(f"a layer cannot be {width} x {height} tiles large")
        with self.map._alone():
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

    def add(self, kind: str, width: int = 0, height: int = 0, name: Optional[str] = None, **fields: Any) -> AnyLayer:
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

    def take(self, layer: Layer, share: bool = True) -> AnyLayer:
        """Imports a layer of another map, or of this one, with all that it refers to."""
        if not isinstance(self._of, Group):
            raise TypeError("a layer is added to a group: map.groups[0].layers.take(...)")
        group = self._of
        options = ffi.new("tm_import_options *")
        options.size = ffi.sizeof("tm_import_options")
        options.share = share
        source, place = layer._with_clone()
        with self.map._alone():
            at = group.index, len(self)
            self.map._change(lambda p, error: lib.tm_map_import_layer(p, *at, source.p, *place, options, error),
                             keep=source.keep)
            return self.map._wrap_layer(at)


class Physics:
    """The physics layers that the games use: map.physics.game, .tele, .front and so on; None where the map has none."""
    __slots__ = ("_map",)

    def __init__(self, map: Map) -> None:
        self._map = map

    def __getattr__(self, kind: str) -> Optional[TileLayer]:
        if kind not in PHYSICS:
            raise AttributeError(f"there is no physics layer '{kind}'")
        at = ffi.new("uint32_t[2]")
        with self._map._lock:
            struct = lib.tm_map_physics_layer(at, at + 1, self._map._p, PHYSICS[kind])
            return self._map._wrap_struct(TileLayer, (at[0], at[1]), struct) if struct else None

    def __setattr__(self, kind: str, value: Any) -> None:
        if kind != "_map":
            raise AttributeError(f"physics.{kind} cannot be set: add a layer to its group, map.groups['Game'].layers.add('{kind}')")
        object.__setattr__(self, kind, value)

    def __repr__(self) -> str:
        found = {kind: getattr(self, kind) for kind in PHYSICS}
        return f"<teemap physics: {', '.join(f'{kind} {one.address}' for kind, one in found.items() if one is not None) or 'none'}>"

    def __dir__(self) -> list[str]:
        return list(PHYSICS)
