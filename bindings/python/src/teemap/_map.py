# SPDX-License-Identifier: Zlib
"""Maps: opening, making, saving and copying, and what they hold."""
from __future__ import annotations

import os
import weakref
from collections.abc import Callable, MutableSequence
from typing import TYPE_CHECKING, Any, BinaryIO, Optional, Union

from . import _tables
from ._changes import Changes
from ._compare import Compared
from ._core import (
    Guard, Job, NotFoundError, Progress, call, check_timeout, encode, encode_path, ffi, importing, lib, make_error, take, written)
from ._fork import register
from ._lists import PHYSICS, Layers, Objects, Physics, Settings
from ._memory import Clone
from ._mods import Mod, mod_of
from ._objects import (
    ENVELOPE, GROUP, IMAGE, SOUND, Array, Envelope, Group, Image, Info, Layer, MapObject, Sound, TileLayer, choose, class_of, number_of)
from ._lint import Linted
from ._render import Pictures
from ._results import Finding, new_findings, read_findings
from ._words import text
from ._work import Work, verdict

if TYPE_CHECKING:
    from ._edit import Editor

PathLike = Union[str, "os.PathLike[str]"]
CLASSES: dict[int, type[MapObject]] = {IMAGE: Image, SOUND: Sound, ENVELOPE: Envelope, GROUP: Group}
KINDS: dict[str, type[MapObject]] = {of._kind: of for of in CLASSES.values()}
GAMES = [text(ffi, lib.tm_game_name(game)) for game in range(lib.TM_GAME_COUNT)]
MODES = {"game": lib.TM_MODE_GAME, "strict": lib.TM_MODE_STRICT, "salvage": lib.TM_MODE_SALVAGE}
USUAL_MEMORY, MORE_MEMORY, MOST_MEMORY = 256 << 20, 400, 2 << 30  # of a map; more for each byte of its file; at most
LONG = 2**20  # bytes of a file that is saved in a thread of its own, so that Ctrl-C need not wait for it


def choose_game(name: str) -> int:
    out = ffi.new("tm_game *")
    if not lib.tm_game_from_name(out, encode(name)):
        raise ValueError(f"'{name}' is no game: use " + " or ".join(map(repr, GAMES)))
    return int(out[0])


def usual_memory(file_size: int) -> int:
    """What a map and work on it may take, where nobody says: real maps unpack to at most 450 bytes for each byte of a large file, and to
    110 MB of a small one; hostile ones to gigabytes of 4 KB."""
    return min(MOST_MEMORY, USUAL_MEMORY + MORE_MEMORY * file_size)


def file_size(path: PathLike) -> int:
    try:
        return os.stat(path).st_size
    except OSError:  # which opening it says better
        return 0


def mapfile_options(mode: str, guard: Guard) -> Any:
    return ffi.new("tm_mapfile_options *", {"size": ffi.sizeof("tm_mapfile_options"), "mode": choose(MODES, mode, "mode"),
                                            "limits": guard.limits, "allocator": guard.allocator})


def file_of(p: Any, options: Any) -> bytes:
    return written(lambda output: call(lib.tm_mapfile_save, p, output, options, ffi.NULL, ffi.NULL))


def into(data: list[bytes]) -> Callable[..., None]:
    """What writes a file into a list, for Map._put."""
    return lambda p, options, job, found: data.append(written(lambda output: call(lib.tm_mapfile_save, p, output, options, job, found)))


class Map(_tables.MapFields, Work, Compared, Linted, Pictures, Changes):
    """A map. Several threads may use one: a change waits for other calls, and long calls that only read see the map as it was
    when they began. Arrays are not protected: lock them yourself to write from several threads."""

    __slots__ = ("path", "_objects", "_findings", "__weakref__")  # so that map.setings = [] is an error
    path: Optional[str]  #: where it was opened, or saved last

    def __init__(self, clone: Clone, path: Optional[str] = None, findings: Any = None) -> None:
        super().__init__(clone)
        self._objects: dict[int, weakref.ref[MapObject]] = {}  # by the number that their structs hold
        self.path, self._findings = path, findings
        register(self)

    @property
    def findings(self) -> list[Finding]:
        """The findings of opening the file."""
        if not isinstance(self._findings, list):
            self._findings = read_findings(self._findings) if self._findings else []
        return self._findings

    # -------------------------------------------------------------------------------------- made, opened, saved

    @classmethod
    def new(cls, width: int = 0, height: int = 0, game: str = "ddnet") -> Map:
        """A map with a game layer of this size, in tiles; without a size an empty one: no group, no layer."""
        options = ffi.new("tm_map_options *")
        options.size = ffi.sizeof("tm_map_options")
        options.game = choose_game(game)
        map = cls(Clone(take("tm_map *", lib.tm_map_new, options), []))
        if width or height:
            map.groups.add("Game").layers.add("game", width, height)
        return map

    @classmethod
    def open(cls, source: Union[PathLike, bytes, bytearray, memoryview, BinaryIO], mode: str = "game", *, memory: Optional[int] = None,
             timeout: Optional[float] = None) -> Map:
        """Opens a map: a path, the bytes of a file, or an open file. Data are unpacked when somebody looks at them, so a file must stay
        as it is as long as the map; one that is replaced by another, as programs do that save, stays as it was.

        mode: "game" takes what any game shows, "strict" what DDNet 20.1 loads, "salvage" what is left of a damaged file; memory: bytes that
        the map, its copies and work on them may take, by default 256 MiB and 400 for each byte of the file, at most 2 GiB; timeout:
        seconds that this and each later call for the map may take."""
        choose(MODES, mode, "mode")
        path, keep = None, []
        if isinstance(source, (str, os.PathLike)):
            path = os.fspath(source)
            word = encode_path(path)
            size = file_size(path)
        else:
            if not isinstance(source, (bytes, bytearray, memoryview)):
                if not hasattr(source, "read"):
                    raise TypeError(f"a path, bytes or an open file is needed, not {type(source).__name__}")
                source = source.read()
                if isinstance(source, str):
                    raise TypeError("the file is open as text: open(path, 'rb')")
            keep = [ffi.from_buffer(bytes(source))]
            size = len(keep[0])
        guard = Guard(usual_memory(size) if memory is None else memory, timeout)
        options = mapfile_options(mode, guard)
        findings = ffi.gc(ffi.new("tm_findings *"), lib.tm_findings_release)
        lib.tm_findings_init(findings, 0, ffi.NULL)

        def load() -> Any:
            out, error = ffi.new("tm_map **"), ffi.new("tm_error *")
            if path is not None:
                status = lib.tm_store_load(out, word, options, findings, error)
            else:
                status = lib.tm_mapfile_load(out, lib.tm_input_from_memory(keep[0], len(keep[0])), options, findings, error)
            if status:
                raise make_error(error)
            return Clone(out[0], keep, guard)

        map = cls(load() if timeout is None else Job(1, guard=guard).run(load), path, findings)
        map._untouched = True
        return map

    def save(self, path: Union[PathLike, BinaryIO, None] = None, *, game: Optional[str] = None, **packing: Any) -> list[Finding]:
        """Saves the map, atomically: the old file stays as it was until the new one is whole. What was not changed is saved as it was,
        to the byte. Without a path to where it was opened. An open file, such as io.BytesIO(), is written to, and the map keeps its path.
        Returns findings: what the game of the map cannot hold, and not-for-ddnet with the reason if DDNet 20.1, the strictest game,
        refuses the file, which is written all the same.

        game: write a copy for this game, "ddnet", "teeworlds06" or "teeworlds07", each item as that game writes it: what it cannot
        hold is left out, and what its loader would refuse is repaired where that is safe; findings tell both.
        level: 1 to 12, for what is packed (6); recompress: pack all anew; smaller: what becomes smaller by that; smallest: by zopfli,
        too; lay_out: without gaps and unused blocks; rewrite: each item as the game writes it; threads, progress: for this."""
        if path is None:
            if self.path is None:
                raise ValueError("the map has no path yet: save(path)")
            path = self.path
        if not isinstance(path, (str, os.PathLike)) and not hasattr(path, "write"):
            raise TypeError(f"a path or an open file is needed, not {type(path).__name__}")
        if game is not None:
            copy, made = self._for_game(game)
            findings = made + copy.save(path, **{**packing, "rewrite": True})
        else:
            data: list[bytes] = []
            if isinstance(path, (str, os.PathLike)):
                target = encode_path(path)
                findings = self._put(lambda p, options, job, found: call(lib.tm_store_save, p, target, options, job, found), **packing)
                findings += verdict(os.fspath(path), self._c.guard)
            else:
                findings = self._put(into(data), **packing)
                path.write(data[0])
                findings += verdict(data[0], self._c.guard)
        if isinstance(path, (str, os.PathLike)):
            self.path = os.fspath(path)
        return findings

    def _for_game(self, game: str) -> tuple[Map, list[Finding]]:
        """A copy for a game, safely repaired if its file is refused, and what this changed."""
        copy, findings = self.copy(), []
        if choose_game(game) != self._p.game:
            findings = copy.convert(game).findings
        if verdict(copy.to_bytes(rewrite=True), self._c.guard):
            for change in copy.fix().changes:
                findings.append(Finding("repaired", "warning", change.text, change.address, change.place, count=change.count))
        return copy, findings

    def to_bytes(self, game: Optional[str] = None, **packing: Any) -> bytes:
        """The file of the map as bytes; arguments as of save."""
        if game is not None:
            return self._for_game(game)[0].to_bytes(**{**packing, "rewrite": True})
        data: list[bytes] = []
        self._put(into(data), **packing)
        return data[0]

    def _put(self, put: Callable[..., None], level: int = 0, recompress: bool = False, smaller: bool = False, smallest: bool = False,
             lay_out: bool = False, rewrite: bool = False, threads: Optional[int] = None,
             progress: Optional[Progress] = None) -> list[Finding]:
        def work(p: Any, job: Any) -> list[Finding]:
            options = ffi.new("tm_mapfile_save_options *")
            options.size = ffi.sizeof("tm_mapfile_save_options")
            options.level, options.recompress, options.smaller = level, recompress or smaller, smaller
            options.smallest, options.lay_out, options.rewrite = smallest, lay_out, rewrite
            with new_findings() as findings:
                put(p, options, job, findings)
                return read_findings(findings)

        if self._untouched and not (recompress or smaller or smallest or lay_out or rewrite or progress) and self._file_size() < LONG and not self.timeout:
            with self._lock:  # starting a thread would take most of the time
                return work(self._p, ffi.NULL)
        clone, job = self._clone(), self._job(threads, progress)
        return job.run(lambda: work(clone.p, job.c), clone)

    def _job(self, threads: Optional[int] = None, progress: Optional[Progress] = None) -> Job:
        """Of work on this map, with its limits."""
        return Job(threads, progress, self._c.guard)

    def _file_size(self) -> int:
        """Of the file that was opened."""
        header = ffi.new("tm_datafile_header *")
        lib.tm_datafile_get_header(header, lib.tm_mapfile_datafile(self._p))
        return int(header.file_size)

    def copy(self) -> Map:
        """An independent copy. Data are shared until one of the two changes."""
        return type(self)(self._clone(detached=True), self.path, list(self.findings))

    def __enter__(self) -> Map:
        """For `with teemap.open(path) as map`; nothing has to be closed: a map ends with its last user."""
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __copy__(self) -> Map:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Map:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restore, (self.to_bytes(), self.path)

    @property
    def memory(self) -> Optional[int]:
        """Bytes that the map, its copies and work on them may take, as said when it was opened. None: a map that was made, with limits of
        the library: 2 GiB."""
        return self._c.guard.memory if self._c.guard else None

    @property
    def timeout(self) -> Optional[float]:
        """Seconds that each call for the map may take; longer ones end with teemap.TimeLimitError. None: any time."""
        return self._c.guard.timeout if self._c.guard else None

    @timeout.setter
    def timeout(self, seconds: Optional[float]) -> None:
        self._c.guard = self._c.guard or Guard()
        self._c.guard.timeout = check_timeout(seconds)

    def equal(self, other: Map, *, progress: Optional[Progress] = None) -> bool:
        """Whether both maps are equal: all fields, texts and data, in order."""
        a, b = self._clone(), other._clone()
        return bool(self._job(1, progress).run(lambda: take("bool", lib.tm_map_equal, a.p, b.p, ffi.NULL, 0), a, b))

    # ------------------------------------------------------------------------------------------------ its content

    @property
    def info(self) -> Info:
        return Info(self)

    @property
    def settings(self) -> Settings:
        """The server commands, as a list that writes to the map."""
        return Settings(self)

    @settings.setter
    def settings(self, commands: MutableSequence[str]) -> None:
        Settings(self)[:] = commands

    @property
    def mod(self) -> Optional[Mod]:
        """The mod for which the map seems to be made (docs/mods.md); None: no mod that is known."""
        return mod_of(self._clone().p)

    @property
    def images(self) -> Objects[Image]:
        return Objects(self, IMAGE, Image)

    @property
    def sounds(self) -> Objects[Sound]:
        return Objects(self, SOUND, Sound)

    @property
    def envelopes(self) -> Objects[Envelope]:
        return Objects(self, ENVELOPE, Envelope)

    @property
    def groups(self) -> Objects[Group]:
        """From back to front."""
        return Objects(self, GROUP, Group)

    @property
    def layers(self) -> Layers:
        """The layers of all groups, from back to front: layers[3], layers["2/0"], layers["Game/Front"], layers["Front"]."""
        return Layers(self)

    @property
    def physics(self) -> Physics:
        """The physics layers that the games use: physics.game, physics.tele and so on, or None."""
        return Physics(self)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in tiles: of the game layer, else of the largest one."""
        width, height = ffi.new("uint32_t *"), ffi.new("uint32_t *")
        with self._lock:
            lib.tm_map_area(width, height, self._p)
        return width[0], height[0]

    def mask(self, *patterns: str, layer: str = "game") -> Array:
        """(height, width) of bool: the tiles of a layer that match any of these patterns, as of TileLayer.mask. layer: "game", "front",
        "tele" ..., or a name or address."""
        found = getattr(self.physics, layer) if layer in PHYSICS else self.layers[layer]
        if not isinstance(found, TileLayer):
            raise ValueError(f"'{layer}' is no layer of tiles")
        return found.mask(*patterns)

    def tiles_table(self, layers: Optional[str] = None) -> Any:
        """All tiles but air as a pyarrow.Table, one row each: layer (its address), name, kind, x, y, index, flags, number, delay, force,
        max_speed, angle, as far as the kind has them. layers: which, in words (docs/addresses.md). Needs pyarrow; for pandas:
        map.tiles_table().to_pandas()."""
        from ._tiles_table import tiles_table
        return tiles_table(self, layers)

    def __getitem__(self, address: str) -> Any:
        """The object at an address: map["image/grass_main"], map["Game/Front"], map["2/3"], map["info"]."""
        with self._lock:
            try:
                found = take("tm_address", lib.tm_address_parse, self._p, encode(address))
            except NotFoundError as error:
                raise KeyError(str(error)) from None
            if found.kind == lib.TM_KIND_LAYER:
                return self._wrap_layer((found.index, found.layer))
            simple = {lib.TM_KIND_MAP: self, lib.TM_KIND_INFO: self.info, lib.TM_KIND_SETTINGS: self.settings}
            if found.kind in simple:
                return simple[found.kind]
            lists = {lib.TM_KIND_IMAGE: Image, lib.TM_KIND_SOUND: Sound, lib.TM_KIND_ENVELOPE: Envelope,
                     lib.TM_KIND_GROUP: Group}
            if found.kind not in lists:
                raise KeyError(f"'{address}' is of the file, not of the map")
            return self._wrap(lists[found.kind], (found.index,))

    def __repr__(self) -> str:
        return f"<teemap map {self.path or 'in memory'}: {self.game}, {self.size[0]} x {self.size[1]} tiles>"

    @property
    def edit(self) -> Editor:
        """Operations, as methods (map.edit.mirror("x")) and as text (map.edit("mirror x"))."""
        with importing:
            from ._edit import Editor
        return Editor(self)

    # --------------------------------------------------------------------------------------------------- inside

    def _get(self, field: Any) -> Any:
        with self._lock:
            return _tables.get_value(self, self._p, field)

    def _set(self, field: Any, value: Any) -> None:
        with self._lock:
            self._wait_turn()
            self._untouched = False
            _tables.set_value(self, self._p, field, value)

    def _wrap(self, of: type[MapObject], at: tuple[int, ...]) -> Any:
        """The Python object of a struct: the same one each time."""
        return self._wrap_struct(of, at, of._struct(self._p, at))

    def _wrap_struct(self, of: type[MapObject], at: tuple[int, ...], struct: Any) -> Any:
        number = number_of(struct)
        if not number:
            lib.teemap_number(self._p)
            number = number_of(struct)
        entry = self._objects.get(number)
        known = entry and entry()
        if isinstance(known, of):
            known._at = at
            return known
        if len(self._objects) % 1024 == 1023:
            self._objects = {other: entry for other, entry in self._objects.items() if entry()}
        made = of(self, number, at)
        self._objects[number] = weakref.ref(made)
        return made

    def _wrap_layer(self, at: tuple[int, ...]) -> Any:
        struct = Layer._struct(self._p, at)
        return self._wrap_struct(class_of(struct.kind), at, struct)

    def _reference(self, kind: str, index: int) -> Any:
        return self._wrap(KINDS[kind], (index,))

    def _index_of_name(self, name: str, kind: str) -> Optional[int]:
        """The first object of this name, as in its list."""
        name_of = KINDS[kind]._struct
        for i in range(getattr(self._p, f"num_{kind}s")):
            found = name_of(self._p, (i,)).name
            if text(ffi, found) == name:
                return i
        return None

    def _index_of(self, value: Any, kind: str) -> int:
        """The index of a referenced object."""
        if isinstance(value, MapObject):
            if value.map is not self or value._kind != kind:
                raise ValueError(f"an {kind} of this map is needed, not {value!r}".replace("an s", "a s").replace("an g", "a g"))
            return value.index
        try:
            return int(value.__index__())
        except AttributeError:
            raise TypeError(f"{kind} is an object, a number or None, not {type(value).__name__}") from None


def _restore(data: bytes, path: Optional[str]) -> Map:
    map = Map.open(data)
    map.path = path
    return map
