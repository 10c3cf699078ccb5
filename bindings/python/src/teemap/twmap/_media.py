# SPDX-License-Identifier: Zlib
"""Images and sounds, as twmap has them."""
from __future__ import annotations

import os
from typing import Any, Union

import numpy as np

from .._core import lib
from .._objects import rgba_array
from .._pictures import png, read_picture
from ._wrappers import MapError, kept, Objects, put, Wrapper

PathLike = Union[str, "os.PathLike[str]"]


class Image(Wrapper):
    """name, data: an array (height, width, 4), None of an external image."""
    __slots__ = ()

    @property
    def data(self) -> Any:
        """A copy."""
        pixels = self._of.pixels
        if pixels is None:
            return None
        return pixels.copy() if pixels.shape[2] == 4 else rgba_array(pixels)

    @data.setter
    def data(self, pixels: Any) -> None:
        put(self._of, "pixels", None if pixels is None else np.asarray(pixels, np.uint8))

    def width(self) -> int:
        return self._of.width

    def height(self) -> int:
        return self._of.height

    def is_external(self) -> bool:
        return self._of.external

    def is_embedded(self) -> bool:
        return not self._of.external

    @kept
    def embed(self, path: PathLike) -> None:
        """Embeds the picture of this name in a folder."""
        self._of.map.edit.using(images=path).embed(self._of)

    @kept
    def save(self, path: PathLike) -> None:
        if self._of.pixels is None:
            raise MapError("an external image has no pixels to save")
        with open(path, "wb") as file:
            file.write(png(self._of.pixels))


class Images(Objects):
    __slots__ = ()
    _class = Image

    def new_external(self, name: str) -> Image:
        return Image(self._of.add(name))

    @kept
    def new_from_data(self, name: str, py_array3: Any) -> Image:
        return Image(self._of.add(name, pixels=np.asarray(py_array3, np.uint8)))

    @kept
    def new_from_file(self, path: PathLike) -> Image:
        with open(path, "rb") as file:
            name = os.path.splitext(os.path.basename(os.fspath(path)))[0]
            return Image(self._of.add(name, pixels=read_picture(file.read())))

    @kept
    def _from_game(self, name: str, game: int) -> Image:
        from .._images import Images as Sources
        path = Sources(game=game).find(name, game)
        if path is None:
            raise FileNotFoundError(f"no image '{name}' was found")
        made: Image = self.new_from_file(path)
        made.name = name
        return made

    def new_from_ddnet(self, name: str) -> Image:
        return self._from_game(name, lib.TM_GAME_DDNET)

    def new_from_teeworlds(self, name: str) -> Image:
        return self._from_game(name, lib.TM_GAME_TEEWORLDS07)


class Sound(Wrapper):
    """name, data: the bytes of an Opus file."""
    __slots__ = ()

    @property
    def data(self) -> bytes:
        return self._of.data or b""

    @data.setter
    def data(self, data: Any) -> None:
        put(self._of, "data", bytes(data))


class Sounds(Objects):
    __slots__ = ()
    _class = Sound

    @kept
    def new_from_data(self, name: str, data: Any) -> Sound:
        return Sound(self._of.add(name, data=bytes(data)))

    @kept
    def new_from_file(self, path: PathLike) -> Sound:
        with open(path, "rb") as file:
            return Sound(self._of.add(os.path.splitext(os.path.basename(os.fspath(path)))[0], data=file.read()))
