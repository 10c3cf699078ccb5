# SPDX-License-Identifier: Zlib
"""Mods: what their servers read from maps in their own way."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from ._core import encode, encode_path, ffi, lib, take
from ._words import text

if TYPE_CHECKING:
    from ._map import PathLike


class Mod:
    """A mod of the library's table, by name, or one that is read from a file in TOML (docs/mods.md)."""

    def __init__(self, c: Any):
        self.c = c

    @classmethod
    def named(cls, name: str) -> Mod:
        """The mod of the table with this name; KeyError: there is none."""
        found = lib.tm_mod_by_name(encode(name))
        if not found:
            raise KeyError(name)
        return cls(found)

    @classmethod
    def read(cls, path: PathLike) -> Mod:
        """The mod of a file."""
        with open(encode_path(path), "rb") as file:
            content = file.read()
        made = take("tm_mod *", lib.tm_mod_read, content, len(content), ffi.NULL)
        return cls(ffi.gc(made, lib.tm_mod_free))

    @classmethod
    def of(cls, mod: Union[None, str, Mod]) -> Optional[Mod]:
        """The Mod for an argument: None, a name, or a Mod."""
        return cls.named(mod) if isinstance(mod, str) else mod

    @property
    def name(self) -> str:
        """Its name, as "fng"."""
        return text(ffi, self.c.name)

    @property
    def title(self) -> str:
        """What people call it."""
        return text(ffi, self.c.title)

    def tile(self, index: int, kind: str = "game") -> Optional[tuple[str, str]]:
        """The id and the meaning of a tile in layers of a kind; None: it has none."""
        number = next((k for k in range(lib.TM_LAYER_KINDS) if text(ffi, lib.tm_game_layer(k).name) == kind), None)
        if number is None:
            raise ValueError(f"'{kind}' is no kind of layers")
        tile = lib.tm_mod_tile(self.c, lib.TM_GAME_DDNET, number, index)
        return (text(ffi, tile.id), text(ffi, tile.title)) if tile else None

    def has_setting(self, name: str) -> bool:
        """Whether its servers have a setting of this name, beyond those of DDNet."""
        return bool(lib.tm_mod_setting(self.c, encode(name)))

    def __repr__(self) -> str:
        return f"<teemap.Mod {self.name!r}>"


def mods() -> list[Mod]:
    """All mods of the table, by name."""
    found, n = [], 0
    while lib.tm_mod_at(n):
        found.append(Mod(lib.tm_mod_at(n)))
        n += 1
    return found


def mod_of(map_: Any) -> Optional[Mod]:
    """The mod for which a tm_map seems to be made."""
    found = take("const tm_mod *", lib.tm_map_find_mod, ffi.NULL, 0, map_)
    return Mod(found) if found else None
