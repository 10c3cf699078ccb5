# SPDX-License-Identifier: Zlib
"""Names of tiles: tiles.FREEZE is 9. All of docs/tiles-of-the-games.md, with the flags FLIP_X, FLIP_Y, OPAQUE and ROTATE.

All names differ, but the same number means different things in layers of different kinds: SWITCH_... are of switch layers, TELE_... of
tele layers. Those of game layers are also for front layers. about(kind, index) tells what a number means."""
from __future__ import annotations

from typing import Optional

from ._core import encode, ffi, lib
from ._words import text

_PREFIX = "TM_TILE_"
_NAMES = sorted(name[len(_PREFIX):] for name in dir(lib) if name.startswith(_PREFIX))
globals().update({name: getattr(lib, _PREFIX + name) for name in _NAMES})
__all__ = ["about", *_NAMES]


def about(kind: str, index: int, game: str = "ddnet") -> Optional[str]:
    """What a tile does in a layer of a kind ("game", "tele", ...) of a game; None: nothing."""
    from ._map import choose_game
    from ._objects import LAYER_KINDS, choose
    number = choose({word: i for i, word in enumerate(LAYER_KINDS)}, kind, "kind of layer")
    encode(game)
    tile = lib.tm_game_tile(choose_game(game), number, index) if 0 <= index < 256 else ffi.NULL
    return text(ffi, tile.title) if tile else None
