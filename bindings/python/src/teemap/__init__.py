# SPDX-License-Identifier: Zlib
"""Maps of Teeworlds and DDNet: read, changed, drawn, checked and written, with nothing lost.

    import teemap
    map = teemap.open("Tutorial.map")
    map.physics.game.tiles["index"][10:20, 5:8] = 9   # freeze: writing to an array writes the map
    map.save("Changed.map")                           # what was not changed is saved as it was, to the byte
"""
import typing as _typing

for _name in ("_interpreters", "_xxsubinterpreters"):  # by Python's version
    try:
        _module = __import__(_name)
    except ImportError:
        continue
    if _module.get_current() != _module.get_main():
        raise ImportError("teemap cannot be imported in a subinterpreter, as numpy and cffi cannot: use processes")

from ._compare import Conflict, Difference, Merge, Patch, merge
from ._core import (
    CancelledError, Error, FileError, InputError, MissingFileError, NotFoundError, OutOfMemoryError, RemovedError, TimeLimitError,
    UnreadError)
from ._facts import facts, facts_table
from ._images import Images
from ._lint import Found, Lint, LintFinding, Rule
from ._map import Map
from ._mods import Mod, mods
from ._lists import Settings
from ._objects import Envelope, Group, Image, Info, Layer, OtherLayer, QuadLayer, Sound, SoundLayer, TileLayer
from ._pictures import animation, png, read_picture, webp
from ._render import Renderer
from ._results import Change, Finding, Report
from ._work import Match, Share, Sizes, pack
from ._core import ffi as _ffi, importing as _importing, lib as _lib

if _typing.TYPE_CHECKING:
    from . import tiles as tiles
    from ._edit import Editor
open = Map.open
__version__ = _ffi.string(_lib.tm_version()).decode()


def __getattr__(name: str) -> object:
    """Editor has a method for each operation, which take time to make; tiles are 500 names."""
    if name == "tiles":
        import importlib
        with _importing:
            return importlib.import_module(".tiles", __name__)
    if name != "Editor":
        raise AttributeError(f"module 'teemap' has no attribute '{name}'")
    with _importing:
        from ._edit import Editor
    return Editor


__all__ = ["CancelledError", "Change", "Conflict", "Difference", "Editor", "Envelope", "Error", "FileError", "Finding", "Found", "Group",
           "Image", "Images", "Info", "InputError", "Layer", "Lint", "LintFinding", "Map", "Match", "Merge", "MissingFileError", "Mod",
           "NotFoundError", "OtherLayer", "OutOfMemoryError", "Patch", "QuadLayer", "RemovedError", "Renderer", "Report", "Rule", "Settings",
           "Share", "Sizes", "Sound", "SoundLayer", "TileLayer", "TimeLimitError", "UnreadError", "animation", "facts", "facts_table", "merge",
           "mods", "open", "pack", "png", "read_picture", "tiles", "webp"]
