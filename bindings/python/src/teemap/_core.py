# SPDX-License-Identifier: Zlib
"""The C module, errors as exceptions, threads, progress and Ctrl-C."""
from __future__ import annotations

import itertools
import os
import threading
import time
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


class UnreadError(InputError):
    """A text that the file has and that is too long or too damaged to be read. It is saved as it is, and cannot be set."""


class NotFoundError(Error, LookupError):
    """A name or an address that does not exist."""


class RemovedError(NotFoundError, ReferenceError):
    """The object is no longer in its map."""


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


class TimeLimitError(CancelledError, TimeoutError):
    """The job took longer than it may: timeout=."""

    def __init__(self, message: str, *rest: Any) -> None:
        Error.__init__(self, message, *rest)


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


# A child process has none of its parent's threads, and the locks that they held stay locked in it. So forking waits until nobody
# imports a module on first use or makes a pool; pools are forgotten. What becomes of maps: _fork.py.

importing = threading.RLock()  # is held while a module is imported on first use


def _before_fork() -> None:
    importing.acquire()
    _pools_lock.acquire()


def _after_fork() -> None:
    _pools_lock.release()
    importing.release()


def _after_fork_in_child() -> None:
    _pools.clear()
    _after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)


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
        self.raised = self.raised or CancelledError("cancelled", "cancelled")

    def check(self) -> None:
        if self.raised:
            raise self.raised


TICK = 0.1  # seconds between two calls of progress, where the library does not call it
GRACE = 1.0  # seconds in which what is cancelled may end; then it is left alone


class Guard:
    """What maps of one file may cost. memory: bytes of the maps and of work on them; None: what the library gives to any map; timeout:
    seconds of each call."""

    def __init__(self, memory: Optional[int] = None, timeout: Optional[float] = None) -> None:
        if memory is not None and memory < 0:
            raise ValueError(f"memory is {memory}, and cannot be below 0")
        self.memory, self.timeout = memory, check_timeout(timeout)
        self.limits, self.c, self.allocator = ffi.NULL, None, ffi.NULL
        if memory is not None:
            self.limits = ffi.new("tm_limits *", {"size": ffi.sizeof("tm_limits"), "unpacked_bytes": max(1, memory),
                                                  "block_bytes": max(1, min(memory, 2**30))})
            self.c = ffi.gc(lib.teemap_guard_new(memory), lib.teemap_guard_free)
            self.allocator = lib.teemap_guard_allocator(self.c)

    def refused(self) -> bool:
        return self.c is not None and bool(lib.teemap_guard_refused(self.c))


def check_timeout(timeout: Optional[float]) -> Optional[float]:
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout is {timeout}, and must be above 0 seconds")
    return timeout


def limits_of(*guards: Optional[Guard]) -> Any:
    """The limits of work on several maps: their sum. NULL: the library's."""
    memory = [one.memory if one else None for one in guards]
    if None in memory:
        return ffi.NULL
    return ffi.new("tm_limits *", {"size": ffi.sizeof("tm_limits"), "unpacked_bytes": max(1, sum(one or 0 for one in memory))})


class Job:
    """Threads, progress, cancelling and limits of one piece of work."""

    def __init__(self, threads: Optional[int] = None, progress: Optional[Progress] = None, guard: Optional[Guard] = None) -> None:
        self.progress, self.trouble, self.guard = progress, Trouble(), guard
        self.timeout = guard.timeout if guard else None
        self.last, self.told, self.late = (0, 1), False, False
        self.telling = threading.Lock()
        self.stopped: Callable[[], object] = lambda: None  # is called when the job is cancelled
        self.cancel = ffi.new("tm_cancel *")
        self.c = ffi.new("tm_job *")
        self.c.size = ffi.sizeof("tm_job")
        self.c.executor = executor(threads)
        self.c.cancel = self.cancel
        self.handle = ffi.new_handle(self)
        if progress:
            self.c.progress = lib.teemap_progress
            self.c.progress_ctx = self.handle

    def run(self, work: Callable[[], Any], *clones: Any) -> Any:
        """Does the work. `clones`: maps that nobody else uses meanwhile; what needs their data ends when the job is cancelled."""
        def do() -> Any:
            with self.called():
                for clone in clones:
                    lib.tm_map_set_cancel(clone.p, self.cancel)
                try:
                    return work()
                finally:
                    for clone in clones:
                        lib.tm_map_set_cancel(clone.p, ffi.NULL)

        try:
            if self.progress or self.timeout:
                result = self.watch(do)
            else:
                result = interruptible(do, self.stop)
        except CancelledError:
            self.check()
            raise
        except OutOfMemoryError as error:
            self.check()
            if not any(one.refused() for one in {id(one): one for one in [self.guard, *(clone.guard for clone in clones)] if one}.values()):
                raise
            raise OutOfMemoryError(f"{error}: this is more than memory= allows", "limit", error.side, error.path, error.place,
                                   reason=error.reason) from None
        self.check()
        return result

    def stop(self) -> None:
        lib.tm_cancel_request(self.cancel)
        self.stopped()

    def check(self) -> None:
        """Raises what the call of the library ended with."""
        self.trouble.check()
        if self.late:
            raise TimeLimitError(f"it takes longer than timeout={self.timeout:g} seconds", "cancelled")

    def watch(self, do: Callable[[], Any]) -> Any:
        """Does it in a thread, and calls progress meanwhile, so that it can end what the library does not report."""
        result: list[Any] = []
        done = threading.Event()

        def run() -> None:
            try:
                result.append((do(), None))
            except BaseException as error:
                result.append((None, error))
            finally:
                done.set()

        end = time.monotonic() + (self.timeout or 1e9)
        self.tell(*self.last)
        if not self.trouble.raised:
            threading.Thread(target=run, daemon=True).start()
        try:
            while not self.trouble.raised and not done.wait(max(0.0, min(TICK, end - time.monotonic()))):
                if time.monotonic() >= end:
                    self.late = True
                    break
                if not self.told:
                    self.tell(*self.last)
                self.told = False
            if self.late or self.trouble.raised:
                self.stop()
                done.wait(GRACE)
                self.check()
        except KeyboardInterrupt:
            self.stop()
            done.wait(GRACE / 2)
            raise
        value, error = result[0]
        if error is not None:
            raise error
        if self.last[0] != self.last[1]:
            self.tell(self.last[1], self.last[1])
        return value

    def tell(self, done: int, total: int) -> None:
        """Calls progress; one thread at a time, and others need not wait."""
        if not self.progress or self.trouble.raised or not self.telling.acquire(blocking=False):
            return
        try:
            self.told, self.last = True, (done, total)
            with self.trouble.kept(), self.called():
                self.progress(done, total)
        finally:
            self.telling.release()
        if self.trouble.raised:
            self.stop()

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
    ffi.from_handle(ctx).tell(done, total)


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
            long: bool = True, timeout: Optional[float] = None) -> None:
    """Does all of it, on so many threads; progress(done, total) is called after each. Ctrl-C, a failure, and the end of the time, end it
    behind what is being done, or at once where that is `long`."""
    stop, lock = threading.Event(), threading.Lock()
    waiting, done = iter(work), itertools.count(1)
    failed: list[BaseException] = []
    end = time.monotonic() + (timeout or 1e9)

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
                if time.monotonic() > end:
                    raise TimeLimitError(f"it takes longer than timeout={timeout:g} seconds", "cancelled")
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
