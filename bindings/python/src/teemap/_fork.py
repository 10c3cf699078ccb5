# SPDX-License-Identifier: Zlib
"""What becomes of maps when their process is forked."""
from __future__ import annotations

import os
import threading
import weakref
from typing import TYPE_CHECKING, Any

from ._core import TICK, InputError, importing

if TYPE_CHECKING:
    from ._changes import Changes

# Before a process is forked, the locks of all maps are taken, so that no other thread is in the middle of a change; the child gets new
# ones. A long change that goes on in another thread is not done in the child, which has the map as it was before it. Arrays that other
# threads took are in use there for ever, since nobody ends these threads: in the child they stand in nobody's way.

_maps: weakref.WeakSet[Changes] = weakref.WeakSet()
_held: list[Changes] = []  # by the thread that forks
_forking = threading.RLock()  # one at a time
FORK_PATIENCE = 5.0  # seconds that forking waits for maps


class Torn:
    """The lock of a map that another thread did not stop changing before the process was forked."""

    def __enter__(self) -> None:
        raise InputError("another thread was changing the map when this process was forked: open it again", "usage", "usage")

    def __exit__(self, *_: Any) -> None:
        pass


def register(map: Changes) -> None:
    """Each new map."""
    _maps.add(map)


def _all_maps() -> list[Changes]:
    while True:
        try:
            return list(_maps)
        except RuntimeError:  # another thread has just made one
            continue


def _hold_maps() -> None:
    """Maps come before imports: who takes the first array imports numpy, with the lock of its map."""
    _forking.acquire()
    left = FORK_PATIENCE
    for map in _all_maps():
        while not map._lock.acquire(timeout=min(TICK, left)):
            if left <= 0:
                break
            left = max(0.0, left - TICK)
            with importing:  # which may take longer, and ends
                pass
        else:
            _held.append(map)


def _release_maps() -> None:
    while _held:
        _held.pop()._lock.release()
    _forking.release()


def _renew_maps() -> None:
    held, here = {id(map) for map in _held}, threading.get_ident()
    _release_maps()
    for map in _all_maps():
        map._lock = threading.RLock() if id(map) in held else Torn()  # type: ignore[assignment]
        map._busy = map._waiting = map._before = None
        map._meanwhile, map._closing = [], False
        map._wanting.clear()
        map._arrays = {address: (*entry[:3], entry[3] if entry[3] == here else 0) for address, entry in map._arrays.items()}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_maps, after_in_parent=_release_maps, after_in_child=_renew_maps)
