# SPDX-License-Identifier: Zlib
"""Operations on maps: those of the library's table, as methods and as text."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _tables
from ._core import InputError, Job, Progress, Texts, Trouble, call, encode, encode_path, ffi, lib, take
from ._images import Images
from ._objects import MapObject
from ._results import Report, new_report, read_report
from ._words import text

if TYPE_CHECKING:
    from ._map import Map

MEMORY = "memory:"  # names of bytes and maps that are handed over to an operation begin with it


class Inputs:
    """The sources of files, other maps and rules for operations: the disk, or objects given as arguments."""

    def __init__(self, map: Map, images: Images) -> None:
        self.images, self.trouble, self.memory = images, Trouble(), map.memory
        self.given: dict[str, Any] = {}
        self.keep: list[Any] = []
        self.handle = ffi.new_handle(self)
        self.c = ffi.new("tm_edit_options *")
        self.c.size = ffi.sizeof("tm_edit_options")
        self.c.images, self.c.images_ctx = images.provider, images.provider_ctx
        self.c.ctx = self.handle
        self.c.read, self.c.open, self.c.rules = lib.teemap_read, lib.teemap_open, lib.teemap_rules

    def name(self, given: Any) -> str:
        """The name by which an operation requests an object."""
        if isinstance(given, (str, os.PathLike)):
            return os.fsdecode(os.fspath(given))
        name = f"{MEMORY}{len(self.given)}"
        self.given[name] = given
        return name

    def read(self, name: str) -> bytes:
        if name in self.given:
            return bytes(self.given[name])
        with open(name, "rb") as file:
            return file.read()

    def clone_maps(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments with maps as they are now: while an operation works, nothing waits for another map, or for its own."""
        from ._map import Map
        return {name: value._clone(detached=True) if isinstance(value, Map) else value for name, value in given.items()}

    def open(self, name: str) -> Any:
        from ._map import Map
        from ._memory import Clone
        other = self.given[name] if name in self.given else Map.open(name, memory=self.memory)._c
        if not isinstance(other, Clone):
            raise TypeError(f"a map is needed, not {type(other).__name__}")
        clone = Clone(take("tm_map *", lib.tm_map_clone, other.p), other.keep)
        self.keep.extend(clone.keep)
        ffi.gc(clone.p, None)  # the operation frees it
        return clone.p


def hand_over(data: bytes, allocator: Any, bytes_: Any, num_bytes: Any, error: Any) -> int:
    """Bytes for C, in memory of its allocator."""
    memory = lib.tm_alloc(allocator, max(1, len(data)))
    if not memory:
        return int(lib.tm_error_set(error, lib.TM_ERROR_MEMORY, b"no memory for a file"))
    ffi.memmove(memory, data, len(data))
    bytes_[0], num_bytes[0] = memory, len(data)
    return int(lib.TM_OK)


def fail(trouble: Trouble, error: Any, reason: BaseException) -> int:
    """Converts a Python exception to an error of C; messages about unreadable files are the library's."""
    if isinstance(reason, OSError):
        return int(lib.tm_error_set(error, lib.TM_ERROR_NOT_FOUND if isinstance(reason, FileNotFoundError) else lib.TM_ERROR_IO,
                                    str(reason).encode("utf-8", "replace")))
    trouble.raised = trouble.raised or reason
    return int(lib.tm_error_set(error, lib.TM_ERROR_CANCELLED, b"a function of Python failed"))


@ffi.def_extern(onerror=None, error=lib.TM_ERROR_IO)  # type: ignore[untyped-decorator]
def teemap_read(ctx: Any, name: Any, allocator: Any, bytes_: Any, num_bytes: Any, error: Any) -> int:
    inputs = ffi.from_handle(ctx)
    try:
        return hand_over(inputs.read(text(ffi, name)), allocator, bytes_, num_bytes, error)
    except BaseException as reason:
        return fail(inputs.trouble, error, reason)


@ffi.def_extern(onerror=None, error=lib.TM_ERROR_IO)  # type: ignore[untyped-decorator]
def teemap_open(ctx: Any, name: Any, out: Any, error: Any) -> int:
    inputs = ffi.from_handle(ctx)
    try:
        out[0] = inputs.open(text(ffi, name))
        return int(lib.TM_OK)
    except BaseException as reason:
        return fail(inputs.trouble, error, reason)


@ffi.def_extern(onerror=None, error=lib.TM_ERROR_IO)  # type: ignore[untyped-decorator]
def teemap_rules(ctx: Any, image: Any, game: int, allocator: Any, bytes_: Any, num_bytes: Any, error: Any) -> int:
    inputs = ffi.from_handle(ctx)
    try:
        data = inputs.images.rules(text(ffi, image), game)
        if data is None:
            return int(lib.tm_error_set(error, lib.TM_ERROR_NOT_FOUND, b"there are no rules for this image"))
        return hand_over(data, allocator, bytes_, num_bytes, error)
    except BaseException as reason:
        return fail(inputs.trouble, error, reason)


def word_of(value: Any, kind: str, inputs: Inputs) -> str:
    """An argument as an operation reads it."""
    if kind in ("file", "map"):
        return inputs.name(value)
    if isinstance(value, MapObject):
        return value.address
    if isinstance(value, str):
        return value
    if isinstance(value, (tuple, list)) or hasattr(value, "shape"):
        numbers = [str(int(one)) for one in value]
        if kind == "size" and len(numbers) == 2:
            return "x".join(numbers)
        if kind == "region" and len(numbers) == 4:
            return "{},{}+{}x{}".format(*numbers)
        if kind in ("point", "pixels") and len(numbers) == 2:
            return ",".join(numbers)
        raise ValueError(f"a {kind} is not made of {len(numbers)} numbers")
    if isinstance(value, bool) or not hasattr(value, "__index__") and not isinstance(value, float):
        raise TypeError(f"{type(value).__name__} is no {kind}")
    return repr(value) if isinstance(value, float) else str(int(value))


def words_of(operation: Any, given: Mapping[str, Any], inputs: Inputs) -> list[str]:
    words = []
    for argument in operation.arguments:
        value = given.get(argument.name)
        if value is None or argument.kind == "flag" and not value:
            continue
        if argument.word:
            words.append(argument.word)
        if argument.kind == "flag":
            continue
        several = argument.repeats and not isinstance(value, (str, bytes, MapObject)) and not (
            isinstance(value, tuple) and value and isinstance(value[0], int) and argument.kind in ("pixels", "point"))
        values = list(value) if several and isinstance(value, Iterable) else [value]
        words.extend(word_of(one, argument.kind, inputs) for one in values)
    return words


class Editor(_tables.Operations):
    """Operations on a map. Each is done as a whole or not at all, and returns a report."""
    __slots__ = ("map", "_images", "_threads", "_progress")

    def __init__(self, map: Map, images: Any = None, threads: Optional[int] = None, progress: Optional[Progress] = None) -> None:
        self.map, self._images, self._threads, self._progress = map, images, threads, progress

    def using(self, images: Any = None, threads: Optional[int] = None, progress: Optional[Progress] = None) -> Editor:
        """The same with other sources of external images (see teemap.Images), threads, or progress(done, total)."""
        return Editor(self.map, images, threads, progress)

    def __call__(self, script: str, **variables: Any) -> Report:
        """Runs operations as text, one per line: map.edit("mirror x"). $NAME is replaced by the argument of this name. All or
        none."""
        source = encode(script)
        defines = Texts(f"{name}={value}" for name, value in variables.items())
        c = ffi.gc(take("tm_edit_script *", lib.tm_edit_script_from_template, source, len(source), defines.list, defines.num, ffi.NULL),
                   lib.tm_edit_script_free)
        return self._do(Inputs(self.map, Images.of(self._images, self.map)),
                        lambda p, options, report, error: lib.tm_edit_script_run(p, c, options, report, error))

    def _run(self, operation: Any, given: Mapping[str, Any]) -> Report:
        inputs = Inputs(self.map, Images.of(self._images, self.map))
        given, words = inputs.clone_maps(given), Texts(())

        def prepare() -> None:  # places are those of the map on which the operation works
            nonlocal words
            words = Texts(words_of(operation, given, inputs))

        return self._do(inputs, lambda p, options, report, error: lib.tm_edit_run(
            p, operation.row, words.list, words.num, options, report, error), prepare)

    def _do(self, inputs: Inputs, run: Callable[[Any, Any, Any, Any], int], prepare: Callable[[], object] = lambda: None) -> Report:
        job = self.map._job(self._threads, self._progress)
        inputs.c.job = job.c
        done: list[Report] = []

        def work(p: Any, error: Any) -> int:
            with new_report() as report:
                status = run(p, inputs.c, report, error)
                done.append(read_report(report))
                return status

        try:
            self.map._change(work, long=job, prepare=prepare)
        except Exception:
            inputs.trouble.check()
            raise
        self.map._c.keep.extend(inputs.keep)
        return done[0]
