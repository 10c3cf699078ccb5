# SPDX-License-Identifier: Zlib
"""Maps of Teeworlds and DDNet: read, changed, drawn, checked and written, with nothing lost.

    import teemap
    map = teemap.open("Tutorial.map")
    map.physics.game.tiles["index"][10:20, 5:8] = 9   # freeze: writing to an array writes the map
    map.save("Changed.map")                           # what was not changed is saved as it was, to the byte
"""
from ._core import CancelledError, Error, FileError, InputError, MissingFileError, NotFoundError, OutOfMemoryError
from ._edit import Editor
from ._images import Images
from ._map import Map
from ._objects import Envelope, Group, Image, Info, Layer, QuadLayer, Settings, Sound, SoundLayer, TileLayer
from ._pictures import animation, png, read_picture, webp
from ._results import Change, Finding, Report
from ._core import ffi as _ffi, lib as _lib

open = Map.open
__version__ = _ffi.string(_lib.tm_version()).decode()

__all__ = ["CancelledError", "Change", "Editor", "Envelope", "Error", "FileError", "Finding", "Group", "Image", "Images", "Info",
           "InputError", "Layer", "Map", "MissingFileError", "NotFoundError", "OutOfMemoryError", "QuadLayer", "Report", "Settings",
           "Sound", "SoundLayer", "TileLayer", "animation", "open", "png", "read_picture", "webp"]
