# SPDX-License-Identifier: Zlib
"""The memory of a map: the C map with its lock, clones of it, and arrays over its blocks, which live as long as somebody has them."""
from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Optional

from ._core import Guard, InputError, Job, call, ffi, jobs_here, lib, make_error, take
from ._numpy import np
from ._objects import Array, Layer, MapObject


class Clone:
    """A private copy of the C map, and the memory that it reads from."""

    def __init__(self, p: Any, keep: list[Any], guard: Optional[Guard] = None) -> None:
        self.keep, self.guard = list(keep), guard
        self.p = ffi.gc(p, lambda p, keep=self.keep: lib.tm_map_free(p))


class Memory:
    """What a map is made of, and who has arrays over it."""

    __slots__ = ("_c", "_p", "_lock", "_busy", "_waiting", "_before", "_meanwhile", "_arrays", "_quick", "_untouched", "_lets_go")

    def __init__(self, clone: Clone) -> None:
        self._c = clone
        self._p = clone.p
        self._lock = threading.RLock()
        self._busy: Optional[Job] = None  # a long change that goes on; others wait until it has ended
        self._waiting: Optional[threading.Condition] = None  # for the end of that
        self._before: Optional[Clone] = None  # the map before the long change, as soon as somebody takes an array meanwhile
        self._meanwhile: list[tuple[MapObject, Callable[[Any], Any]]] = []  # whose arrays these are, and where their blocks stand
        self._arrays: dict[int, tuple[Any, Any, Callable[[Any], Any], int]] = {}  # by address: (weakref, that of whose, its block, thread or 0)
        self._quick: dict[int, Any] = {}  # structs and blocks by _struct_of() and _block_bytes(); empty after each change, clone and array
        self._untouched = False  # the data of its file, so that saving is short
        self._lets_go = False  # what takes an array's memory is done all the same, and the array keeps the old content

    def _clone(self, detached: bool = False) -> Clone:
        """The map as it is now, for one's own use; what is written to arrays shows there, too, unless it is detached."""
        with self._lock:
            self._quick.clear()
            clone = Clone(take("tm_map *", lib.tm_map_clone, self._p), self._c.keep, self._c.guard)
            if detached and self._live():
                self._detach(clone.p, {})
            return clone

    @property
    def _turn(self) -> threading.Condition:
        self._waiting = self._waiting or threading.Condition(self._lock)
        return self._waiting

    def _wait_turn(self) -> None:
        """Before a change: waits for a long one. What that one calls back, as progress= does, cannot wait for it."""
        while self._busy is not None:
            if self._busy in jobs_here():
                raise InputError("the map cannot be changed by what is called while it is being changed", "usage", "usage")
            self._turn.wait()

    def _live(self) -> bool:
        """Whether any array uses the memory of the map."""
        for address in [address for address, entry in self._arrays.items() if entry[0]() is None]:
            del self._arrays[address]
        return bool(self._arrays)

    def _block_array(self, owner: MapObject, struct: Any, slot_of: Callable[[Any], Any], kind: np.dtype[Any], num: int) -> Array:
        """The first elements of a block as a flat array over the library's memory, which lives as long as the array does; `struct` is
        what owner._find() returns, `slot_of` where the block stands in it."""
        block = slot_of(struct)[0]
        if not block or not num:
            return np.empty(0, kind)
        address, size = ffi.new("void **"), ffi.new("uint64_t *")
        memory = None
        if self._arrays:
            call(lib.tm_map_data, ffi.cast("const void **", address), size, self._p, block)
            entry = self._arrays.get(int(ffi.cast("uintptr_t", address[0])))
            memory = entry[0]() if entry else None
        if memory is None:
            self._untouched = False
            self._quick.clear()
            if self._busy is not None:
                self._before = self._before or self._clone()
                self._meanwhile.append((owner, slot_of))
            view, error = ffi.new("tm_view **"), ffi.new("tm_error *")
            if lib.tm_map_edit_data(address, size, self._p, block, error) or lib.tm_view_new(view, self._p, block, error):
                raise make_error(error)

            def release(_: Any, owner: MapObject = owner, view: Any = view[0]) -> None:  # an array keeps what it is of, and by that the map
                lib.tm_view_free(view)

            memory = ffi.gc(ffi.cast("uint8_t *", address[0]), release)
            self._arrays[int(ffi.cast("uintptr_t", address[0]))] = weakref.ref(memory), weakref.ref(owner), slot_of, threading.get_ident()
        if num * kind.itemsize > size[0]:
            raise InputError(f"{owner!r} has {size[0]} bytes of data, and needs {num * kind.itemsize}", "damaged", "input")
        return np.frombuffer(ffi.buffer(memory, num * kind.itemsize), kind)

    def _struct_of(self, owner: MapObject) -> Any:
        """The current struct of an object, for the same."""
        struct = self._quick.get(-owner._id)
        if struct is None:
            struct = self._quick[-owner._id] = owner._find()
        return struct

    def _block_bytes(self, owner: MapObject, slot_of: Callable[[Any], Any], write: bool = False) -> tuple[Any, int, bool]:
        """For single elements, which need no array: where the bytes of an object's block are, how many, and whether they may be written
        to; valid while the caller has the lock. Kept until something moves blocks, so that the next element is found at once."""
        entry: Optional[tuple[Any, int, bool]] = self._quick.get(owner._id)
        if entry is not None and (entry[2] or not write):
            return entry
        if write:
            self._wait_turn()
        block = slot_of(self._struct_of(owner))[0]
        address, size = ffi.new("void **"), ffi.new("uint64_t *")
        call(lib.tm_map_data, ffi.cast("const void **", address), size, self._p, block)
        has_array = write and self._live() and int(ffi.cast("uintptr_t", address[0])) in self._arrays
        if write and not has_array:
            self._untouched = False
            call(lib.tm_map_edit_data, address, size, self._p, block)
        self._quick[owner._id] = entry = (address[0], int(size[0]), write)
        return entry

    def _check_arrays(self, p: Any) -> dict[int, Any]:
        """Which block of a changed clone has the memory of each array; refuses where one has none any more."""
        blocks = {}
        for address, (memory, whose, slot_of, thread) in list(self._arrays.items()):
            held_memory, owner = memory(), whose()
            if held_memory is None or owner is None:
                continue
            try:
                block = slot_of(owner._find_in(p)[1])[0]
            except ReferenceError:
                block = ffi.NULL
            if held(p, block) == address:
                blocks[address] = block
            elif not self._lets_go and thread:
                raise BufferError(f"an array of {owner!r} is in use, and this would take its memory: delete the array first")
        return blocks

    def _detach(self, p: Any, owners: dict[int, Any]) -> None:
        """Gives blocks that share the memory of an array, but are not its block, memory of their own."""
        for block in all_blocks(p):
            address = held(p, block)
            if address in self._arrays and owners.get(address) != block:
                call(lib.tm_map_edit_data, ffi.new("void **"), ffi.NULL, p, block)

    def _bytes_of(self, block: Any) -> bytes:
        size = lib.tm_block_get_info(block).size
        buffer = bytearray(size)
        call(lib.tm_map_read_data, self._p, block, ffi.from_buffer(buffer), size)
        return bytes(buffer)


def held(p: Any, block: Any) -> int:
    """Where the unpacked bytes of a block are; 0: nowhere."""
    if not lib.tm_block_get_info(block).unpacked:
        return 0
    bytes_, size = ffi.new("const void **"), ffi.new("uint64_t *")
    call(lib.tm_map_data, bytes_, size, p, block)
    return int(ffi.cast("uintptr_t", bytes_[0]))


def same_bytes(p: Any, block: Any, other: Any, its_block: Any) -> bool:
    """Whether two blocks of two maps hold the same."""
    sides = []
    for map, one in ((p, block), (other, its_block)):
        bytes_, size = ffi.new("const void **"), ffi.new("uint64_t *")
        call(lib.tm_map_data, bytes_, size, map, one)
        sides.append((bytes_[0], size[0]))
    (a, a_size), (b, b_size) = sides
    return a == b or a_size == b_size and bool(np.array_equal(*(np.frombuffer(ffi.buffer(one, a_size), np.uint8) for one in (a, b))))


def all_blocks(p: Any) -> Iterator[Any]:
    for i in range(p.num_images):
        yield p.images[i].pixels
    for i in range(p.num_sounds):
        yield p.sounds[i].data
    for at in Layer._places(p):
        layer = Layer._struct(p, at)
        owner = lib.tm_kind_of_layer(layer.kind)
        content = getattr(layer, "as")
        if owner == lib.TM_KIND_TILE_LAYER:
            yield content.tiles.tiles
            yield content.tiles.compat
        elif owner == lib.TM_KIND_QUAD_LAYER:
            yield content.quads.quads
        elif owner == lib.TM_KIND_SOUND_LAYER:
            yield content.sounds.sources
