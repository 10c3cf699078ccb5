# SPDX-License-Identifier: Zlib
"""What the objects and collections of teemap.twmap have in common."""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from .._core import Error


class MapError(Exception):
    """A map that cannot be read, written or changed so."""


class BadValue(MapError, ValueError):
    """twmap has one of the two; scripts may expect either."""


def kept(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except OSError:
            raise
        except Error as error:
            raise (BadValue if isinstance(error, ValueError) else MapError)(str(error)) from error

    run.__doc__, run.__name__ = function.__doc__, function.__name__
    return run


def readable(text: str) -> str:
    """A text as twmap gives it: bytes that are no UTF-8 as U+FFFD, and nothing where a file has all zeros in place of a name."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if text.strip("\udc80") else ""


class Wrapper:
    """An object of twmap around one of ours; two are equal if they are of the same one."""
    __slots__ = ("_of",)
    _of: Any

    def __init__(self, of: Any) -> None:
        object.__setattr__(self, "_of", of)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._of is other._of

    def __hash__(self) -> int:
        return hash(id(self._of))

    @property
    def name(self) -> str:
        return readable(self._of.name)

    @name.setter
    def name(self, value: str) -> None:
        put(self._of, "name", value)


@kept
def put(of: Any, name: str, value: Any) -> None:
    setattr(of, name, value)


class Collection:
    """A collection of twmap."""
    __slots__ = ("_of",)

    def __init__(self, of: Any) -> None:
        self._of = of

    def __len__(self) -> int:
        return len(self._of)

    def _index(self, index: int) -> int:
        number, num = operator.index(index), len(self)
        if not -num <= number < num:
            raise IndexError("index out of range")
        return number if number >= 0 else number + num

    def __getitem__(self, index: int) -> Any:
        return self._wrap(self._of[self._index(index)])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, item: Any) -> bool:
        return any(one == item for one in self)

    def __delitem__(self, index: int) -> None:
        del self._of[self._index(index)]

    def __setitem__(self, index: int, item: Any) -> None:
        number = self._index(index)
        self.insert(number, item)
        del self[number + 1]

    def append(self, item: Any) -> Any:
        return self.insert(len(self), item)

    def insert(self, index: int, item: Any) -> Any:
        raise NotImplementedError

    def _wrap(self, of: Any) -> Any:
        raise NotImplementedError


class Objects(Collection):
    """Images, sounds, envelopes, groups."""
    __slots__ = ()
    _class: type

    def _wrap(self, of: Any) -> Any:
        return self._class(of)

    @kept
    def insert(self, index: int, item: Any) -> Any:
        taken = self._of.take(item._of, share=False)
        self._of.move(taken, max(0, min(len(self) - 1, index)))
        return self._wrap(taken)
