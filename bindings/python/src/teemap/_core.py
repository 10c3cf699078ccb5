# SPDX-License-Identifier: Zlib
"""The C module, errors as exceptions, threads, progress and Ctrl-C."""
from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Optional

from ._teemap import ffi as ffi, lib as lib
from ._words import text

Progress = Callable[[int, int], object]


class Error(Exception):
    """An error of the library.

    code: "damaged", "usage", "limit" and so on; side: "input", "output", "usage" or "none"; path: the file; place: the object;
    offset: the byte in the input, or None; reason: the text alone. Each is also a ValueError, OSError, LookupError or MemoryError."""

    def __init__(self, message: str, code: str = "", side: str = "none", path: str = "", place: str = "",
                 offset: Optional[int] = None, reason: str = "") -> None:
        super().__init__(message)
        self.code, self.side, self.path, self.place = code, side, path, place
        self.offset, self.reason = offset, reason

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.code, self.side, self.path, self.place, self.offset, self.reason)


class InputError(Error, ValueError):
    """Damaged or unsupported input, a limit that was reached, or arguments that make no sense."""


class NotFoundError(Error, LookupError):
    """A name or an address that does not exist."""


class FileError(Error, OSError):
    """The operating system failed; errno says how."""

    def __init__(self, message: str, *rest: Any) -> None:
        Error.__init__(self, message, *rest)


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class OutOfMemoryError(Error, MemoryError):
    """There is no memory for it."""


class CancelledError(Error):
    """The job was asked to stop."""


CLASSES: dict[int, type[Error]] = {
    lib.TM_ERROR_IO: FileError, lib.TM_ERROR_MEMORY: OutOfMemoryError,
    lib.TM_ERROR_CANCELLED: CancelledError, lib.TM_ERROR_NOT_FOUND: NotFoundError}


def make_error(error: Any) -> Error:
    line = ffi.new("char[1024]")
    lib.tm_error_format(error, line, 1024)
    kind = CLASSES.get(error.code, InputError)
    if error.code == lib.TM_ERROR_IO and error.system == 2:
        kind = MissingFileError
    made = kind(text(ffi, line), text(ffi, lib.tm_status_name(error.code)), text(ffi, lib.tm_side_name(error.side)),
                text(ffi, error.path), text(ffi, error.place), None if error.offset < 0 else error.offset,
                text(ffi, error.text))
    if isinstance(made, OSError):
        made.errno = error.system or None
        made.filename = made.path or None
    return made


def call(function: Any, *args: Any) -> None:
    """Calls a function of the library whose last parameter is the error, and raises what it says."""
    error = ffi.new("tm_error *")
    if function(*args, error):
        raise make_error(error)


def take(kind: str, function: Any, *args: Any) -> Any:
    """The same for a function whose first parameter is an out-parameter of this type; returns its value."""
    out = ffi.new(kind + " *")
    call(function, out, *args)
    return out[0]


def encode(word: str) -> bytes:
    """A text for C; bytes of files that are not UTF-8 round-trip."""
    if not isinstance(word, str):
        raise TypeError(f"a text is needed, not {type(word).__name__}")
    if "\0" in word:
        raise ValueError("a text cannot hold a NUL")
    return word.encode("utf-8", "surrogateescape")


def encode_path(path: Any) -> bytes:
    path = os.fsencode(path)
    if b"\0" in path:
        raise ValueError("a path cannot hold a NUL")
    return path


class Texts:
    """A list of texts for C, which lives as long as this."""

    def __init__(self, words: Any) -> None:
        self.each = [ffi.new("char[]", word if isinstance(word, bytes) else encode(word)) for word in words]
        self.list = ffi.new("const char *[]", self.each) if self.each else ffi.NULL
        self.num = len(self.each)


def buffer_bytes(buffer: Any) -> bytes:
    return bytes(ffi.buffer(buffer.bytes, buffer.size)) if buffer.size else b""


def written(function: Any, run: Optional[Callable[..., None]] = None) -> bytes:
    """What function(output, ...) writes, as bytes; `function` gets a tm_output *."""
    buffer = ffi.new("tm_buffer *")
    output = ffi.new("tm_output *", lib.tm_output_to_buffer(buffer))
    try:
        function(output)
        return buffer_bytes(buffer)
    finally:
        lib.tm_buffer_release(buffer)


# ------------------------------------------------------------------------------------------------- long work

_pools: dict[int, Any] = {}
_pools_lock = threading.Lock()


def executor(threads: Optional[int]) -> Any:
    """The executor of a pool of so many threads, which is made once; None and 0: one for each processor."""
    number = threads_of(threads)
    if number == 1:
        return ffi.NULL
    with _pools_lock:
        if number not in _pools:
            _pools[number] = take("tm_sys_threads *", lib.tm_sys_threads_new, number, ffi.NULL)
        return lib.tm_sys_threads_executor(_pools[number])


def _forget_pools() -> None:
    """A child process has none of its parent's threads."""
    global _pools_lock
    _pools_lock = threading.Lock()
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pools)


class Trouble:
    """The exception of a Python callback, raised again by the call of the library."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:  # nothing may go through C
            self.raised = self.raised or error

    def interrupt(self) -> None:
        self.raised = self.raised or KeyboardInterrupt()

    def check(self) -> None:
        if self.raised:
            raise self.raised


class Job:
    """Threads, progress and cancelling of one piece of work."""

    def __init__(self, threads: Optional[int] = None, progress: Optional[Progress] = None) -> None:
        self.progress, self.trouble = progress, Trouble()
        self.cancel = ffi.new("tm_cancel *")
        self.c = ffi.new("tm_job *")
        self.c.size = ffi.sizeof("tm_job")
        self.c.executor = executor(threads)
        self.c.cancel = self.cancel
        self.handle = ffi.new_handle(self)
        if progress:
            self.c.progress = lib.teemap_progress
            self.c.progress_ctx = self.handle

    def run(self, work: Callable[[], Any]) -> Any:
        def do() -> Any:
            with self.called():
                return work()

        try:
            result = interruptible(do, lambda: lib.tm_cancel_request(self.cancel))
        except CancelledError:
            self.trouble.check()
            raise
        self.trouble.check()
        return result


    @contextmanager
    def called(self) -> Iterator[None]:
        """While this thread does the job, or what the job calls back."""
        _here.jobs = [*jobs_here(), self]
        try:
            yield
        finally:
            _here.jobs = _here.jobs[:-1]


_here = threading.local()


def jobs_here() -> list[Job]:
    """The jobs of this thread: it cannot wait for them to release their maps."""
    return getattr(_here, "jobs", [])


@ffi.def_extern()  # type: ignore[untyped-decorator]
def teemap_progress(ctx: Any, done: int, total: int) -> None:
    job = ffi.from_handle(ctx)
    with job.trouble.kept(), job.called():
        job.progress(done, total)
    if job.trouble.raised:
        lib.tm_cancel_request(job.cancel)


def interruptible(work: Callable[[], Any], cancel: Callable[[], object] = lambda: None) -> Any:
    """Does work that may take long so that Ctrl-C ends it: in a thread of its own, which is asked to stop, and left alone if
    it does not. So what it works on must be its own."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    result: list[Any] = []
    done = threading.Event()

    def do() -> None:
        try:
            result.append((work(), None))
        except BaseException as error:
            result.append((None, error))
        finally:
            done.set()

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    try:
        done.wait()
    except KeyboardInterrupt:
        cancel()
        done.wait(0.5)
        raise
    value, error = result[0]
    if error is not None:
        raise error
    return value


def threads_of(threads: Optional[int]) -> int:
    if threads is not None and threads < 0:
        raise ValueError(f"threads is {threads}, and cannot be below 0")
    return threads or int(lib.tm_sys_processors())


def run_all(work: Sequence[Callable[[], object]], threads: Optional[int] = None, progress: Optional[Progress] = None,
            long: bool = True) -> None:
    """Does all of it, on so many threads; progress(done, total) is called after each. Ctrl-C, and a failure, end it behind what is
    being done, or at once where that is `long`."""
    stop, lock = threading.Event(), threading.Lock()
    waiting, done = iter(work), itertools.count(1)
    failed: list[BaseException] = []

    def some() -> None:
        while not stop.is_set():
            with lock:
                one = next(waiting, None)
            if one is None:
                return
            try:
                one()
                if progress:
                    with lock:
                        progress(next(done), len(work))
            except BaseException as error:
                failed.append(error)
                stop.set()

    def every() -> None:
        others = [threading.Thread(target=some, daemon=True) for _ in range(min(threads_of(threads), len(work)) - 1)]
        try:
            for other in others:
                other.start()
            some()
        finally:
            stop.set()
            for other in others:
                if other.ident:
                    other.join()
        if failed:
            raise failed[0]

    if long:
        interruptible(every, stop.set)
    else:
        every()
