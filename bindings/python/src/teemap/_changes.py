# SPDX-License-Identifier: Zlib
"""Changes of a map that several threads use: one after the other, all or nothing, and nothing that would pull memory from under an array."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional

from ._core import Job, call, ffi, jobs_here, lib
from ._memory import Clone, Memory, same_bytes

PATIENCE = 0.5  # seconds for which a change waits until other threads no longer hold the arrays whose memory it takes


class Changes(Memory):
    """How a map is changed, as its methods."""

    __slots__ = ("_wanting", "_closing")

    def __init__(self, clone: Clone) -> None:
        super().__init__(clone)
        self._wanting: set[int] = set()  # threads that are about to change the map: others, who only take arrays, let them in
        self._closing = False  # a change waits for arrays of other threads, which get no new ones until then

    def _change(self, work: Callable[[Any, Any], int], keep: Any = (), long: Optional[Job] = None,
                prepare: Callable[[], object] = lambda: None) -> None:
        """Does what changes the map: work(map, error). All or nothing, and nothing where it would pull memory from under an array. What
        is `long` leaves the map to readers meanwhile; prepare() is called before, with nobody between. Where arrays of other threads
        stand in its way and go away soon, short work is done again."""
        here = threading.get_ident()
        self._wanting.add(here)
        try:
            self._change_now(work, keep, long, prepare)
        finally:
            self._wanting.discard(here)

    def _change_now(self, work: Callable[[Any, Any], int], keep: Any, long: Optional[Job], prepare: Callable[[], object]) -> None:
        begin = time.monotonic()
        with self._lock:
            while True:
                self._wait_turn()
                prepare()
                self._untouched = False
                self._quick.clear()
                self._c.keep.extend(keep)
                if not self._live() and not long:
                    call(lambda error: work(self._p, error))
                    return
                lib.teemap_number(self._p)  # what is first looked at while the clone is changed is known in it, too
                clone = self._clone()
                if long:
                    break
                call(lambda error: work(clone.p, error))
                try:
                    if self._try_to_become(clone, begin):
                        return
                finally:
                    self._let_in()
            self._busy = long
        try:
            long.run(lambda: call(lambda error: work(clone.p, error)), clone)
            begin = time.monotonic()
            with self._lock:
                while not self._try_to_become(clone, begin):
                    pass
        finally:
            with self._lock:
                self._busy = self._before = None
                self._meanwhile = []
                self._let_in()

    def _try_to_become(self, clone: Clone, begin: float) -> bool:
        """Takes the place of a changed clone. False: arrays of other threads stand in the way, and may go away soon."""
        try:
            self._become(clone)
            return True
        except BufferError:
            if not self._arrays_may_go(begin):
                raise
            return False

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """For changes that are made of several: nobody else changes the map between them."""
        with self._lock:
            self._wait_turn()
            yield

    @contextmanager
    def _taking(self) -> Iterator[None]:
        """Before an array is taken."""
        if self._wanting and not self._mine() and threading.get_ident() not in self._wanting:
            time.sleep(0.0002)  # locks of Python are not fair: who takes arrays in a loop would keep a change out
        with self._lock:
            while self._closing and not self._mine():
                self._turn.wait(PATIENCE)
            yield

    def _mine(self) -> bool:
        """Whether this thread does the long change, or is called back by it."""
        return self._busy is not None and self._busy in jobs_here()

    def _arrays_may_go(self, begin: float) -> bool:
        """Where arrays stand in the way of a change: waits a little, so that other threads can drop theirs; False: long enough."""
        here = threading.get_ident()
        if time.monotonic() - begin > PATIENCE or all(entry[3] == here for entry in self._arrays.values() if entry[0]() is not None):
            return False
        self._closing = True
        self._turn.wait(0.001)
        return True

    def _let_in(self) -> None:
        self._closing = False
        if self._waiting:
            self._waiting.notify_all()

    def _become(self, clone: Clone) -> None:
        carried = list(self._carried(clone))
        try:
            for mine, its in carried:
                mine[0], its[0] = its[0], mine[0]
            blocks = self._check_arrays(clone.p)
            self._detach(clone.p, blocks)
        except BaseException:
            for mine, its in carried:
                mine[0], its[0] = its[0], mine[0]
            raise
        lib.tm_map_swap(self._p, clone.p)
        self._quick.clear()
        self._arrays = {address: entry for address, entry in self._arrays.items() if address in blocks}

    def _carried(self, clone: Clone) -> Iterator[tuple[Any, Any]]:
        """Of blocks whose arrays were taken during a long change, those that the change left alone: where they stand in the map and in
        the changed clone, which gets them with what was written to them meanwhile."""
        seen = set()
        for owner, slot_of in self._meanwhile:
            mine = slot_of(owner._find())
            if mine in seen or self._before is None:
                continue
            seen.add(mine)
            before = slot_of(owner._find_in(self._before.p)[1])
            try:
                its = slot_of(owner._find_in(clone.p)[1])
            except ReferenceError:
                its = ffi.NULL
            if its and same_bytes(self._before.p, before[0], clone.p, its[0]):
                yield mine, its
            elif not same_bytes(self._before.p, before[0], self._p, mine[0]):
                raise BufferError(f"{owner!r} was written to by its array while it was being changed")
