# SPDX-License-Identifier: Zlib
"""The interface of the package twmap 0.6.6, on our maps: `import teemap.twmap as twmap`.

Names and meanings are those that its help tells, and what is read is a copy where twmap gives copies. Differences: docs/python.md.
`python -m teemap.twmap SCRIPT` runs a script that imports twmap as it is."""
from __future__ import annotations

import os
from typing import Any, Optional

from .. import _map, _work
from .._core import Texts, ffi, lib
from ._curves import ColorEnvPoint, ColorEnvPoints, Envelope, Envelopes, PosEnvPoint, PosEnvPoints, SoundEnvPoint, SoundEnvPoints
from ._layers import Group, Groups, Layer, Layers
from ._media import Image, Images, PathLike, Sound, Sounds
from ._shapes import Quad, Quads, SoundSource, SoundSources
from ._wrappers import MapError, Wrapper, kept, put, readable


TWMAP_VERSION = "0.6.6"  # whose interface this is


def camera_dimensions(aspect_ratio: float) -> tuple[float, float]:
    """What the game shows at this ratio of width to height, in tiles."""
    if not aspect_ratio > 0:
        raise ValueError("the aspect ratio must be above 0")
    width, height = ffi.new("double *"), ffi.new("double *")
    side = 1 << 20
    wide = (side, max(1, round(side / aspect_ratio))) if aspect_ratio >= 1 else (max(1, round(side * aspect_ratio)), side)
    lib.tm_camera_view_size(width, height, *wide)
    return width[0] / 32, height[0] / 32


def max_camera_dimensions() -> tuple[float, float]:
    """The most tiles that are seen sideways, and up and down; never both at once."""
    return camera_dimensions(1e5)[0], camera_dimensions(1e-5)[1]


@kept
def put_settings(map: _map.Map, commands: list[str]) -> None:
    """As they are given: twmap also takes what games would not read as one command."""
    texts = Texts(commands)
    map._change(lambda p, error: lib.tm_map_set_settings(p, texts.list, texts.num, error))


class Info(Wrapper):
    """author, version, credits, license, settings."""
    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._of, name)
        return readable(value) if isinstance(value, str) else [readable(one) for one in value] if name == "settings" else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "settings":
            if isinstance(value, str):
                raise TypeError("settings are a list of strings")
            put_settings(self._of.map, list(value))
        else:
            put(self._of, name, value)


def ready(of: _map.Map) -> _map.Map:
    """Arrays are not in the way of changes; and maps of Teeworlds 0.6 are DDNet's, as for twmap: what only that has would be lost."""
    of._lets_go = True
    if of.game == "teeworlds06":
        of.game = "ddnet"
    return of


class Map:
    """A map: info, groups, envelopes, images, sounds."""
    __slots__ = ("_of",)  # a misspelled attribute is an error

    @kept
    def __init__(self, path: PathLike) -> None:
        self._of = ready(_work.pack(path) if os.path.isdir(path) else _map.Map.open(path))

    @classmethod
    def _wrap(cls, of: _map.Map) -> Map:
        made = cls.__new__(cls)
        made._of = ready(of)
        return made

    @staticmethod
    @kept
    def from_bytes(bytes: Any) -> Map:
        return Map._wrap(_map.Map.open(memoryview(bytearray(bytes)).tobytes()))

    @staticmethod
    def empty(version: str) -> Map:
        games = {"DDNet06": "ddnet", "Teeworlds07": "teeworlds07"}
        if version not in games:
            raise ValueError("the version is one of " + ", ".join(games))
        return Map._wrap(_map.Map.new(game=games[version]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self._of is other._of

    def __hash__(self) -> int:
        return hash(id(self._of))

    info = property(lambda self: Info(self._of.info))
    groups = property(lambda self: Groups(self._of.groups))
    envelopes = property(lambda self: Envelopes(self._of.envelopes))
    images = property(lambda self: Images(self._of.images))
    sounds = property(lambda self: Sounds(self._of.sounds))

    def version(self) -> str:
        return "Teeworlds07" if self._of.game == "teeworlds07" else "DDNet06"

    @kept
    def save(self, path: PathLike) -> None:
        self._of.save(path)

    @kept
    def to_bytes(self) -> bytes:
        return self._of.to_bytes()

    @kept
    def save_dir(self, path: PathLike) -> None:
        """Saves the map as a folder (docs/mapdir.md), which holds all of it. It is not twmap's MapDir: that is read and not written."""
        self._of.unpack(path)

    @kept
    def embed_images(self, mapres_directory: Optional[PathLike] = None) -> None:
        self._of.edit.using(images=mapres_directory).embed()

    def _physics(self, kind: str) -> Optional[Layer]:
        layer = getattr(self._of.physics, kind)
        return None if layer is None else Layer(layer)

    def game_layer(self) -> Any:
        """None where the map has none; maps that a game plays have one."""
        return self._physics("game")

    def front_layer(self) -> Optional[Layer]:
        return self._physics("front")

    def tele_layer(self) -> Optional[Layer]:
        return self._physics("tele")

    def speedup_layer(self) -> Optional[Layer]:
        return self._physics("speedup")

    def switch_layer(self) -> Optional[Layer]:
        return self._physics("switch")

    def tune_layer(self) -> Optional[Layer]:
        return self._physics("tune")

    def physics_group(self) -> Optional[Group]:
        return next((group for group in self.groups if group.is_physics_group()), None)

    @kept
    def mirror(self) -> None:
        self._of.edit.mirror("x")

    @kept
    def rotate(self) -> None:
        self._of.edit.rotate(90)

    @kept
    def _clean(self, *whats: str) -> int:
        lists = ("images", "sounds", "envelopes", "groups", "layers")
        before = sum(len(getattr(self._of, one)) for one in lists)
        for what in whats:
            self._of.edit("clean " + what)
        return before - sum(len(getattr(self._of, one)) for one in lists)

    def remove_unused_envelopes(self) -> int:
        return self._clean("envelopes")

    def remove_unused_groups(self) -> int:
        return self._clean("groups")

    def remove_unused_images(self) -> tuple[int, int]:
        """How many external and embedded ones were removed."""
        external = sum(image.external for image in self._of.images)
        removed = self._clean("images")
        external -= sum(image.external for image in self._of.images)
        return external, removed - external

    def remove_unused_layers(self) -> int:
        return self._clean("layers")

    def remove_unused_sounds(self) -> int:
        return self._clean("sounds")

    def remove_everything_unused(self) -> int:
        return self._clean("all")


__all__ = ["ColorEnvPoint", "ColorEnvPoints", "Envelope", "Envelopes", "Group", "Groups", "Image", "Images", "Info", "Layer", "Layers", "Map",
           "MapError", "PosEnvPoint", "PosEnvPoints", "Quad", "Quads", "Sound", "SoundEnvPoint", "SoundEnvPoints", "SoundSource",
           "SoundSources", "Sounds", "camera_dimensions", "max_camera_dimensions"]
