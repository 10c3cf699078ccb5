# SPDX-License-Identifier: Zlib
"""Sources of the pixels of external images: folders as the games have them, or dicts of arrays."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from ._core import NotFoundError, Texts, encode, encode_path, ffi, lib, take
from ._numpy import np
from ._words import text

if TYPE_CHECKING:
    from ._map import Map
    from ._mods import Mod



class Kept:
    """What the renderers with the same Images have in common: up to 256 MiB of images, as read and as prepared."""

    def __init__(self) -> None:
        self.read = ffi.gc(take("tm_mapres_cache *", lib.tm_mapres_cache_new, 80 << 20, ffi.NULL), lib.tm_mapres_cache_free)
        self.prepared = ffi.gc(take("tm_shared_images *", lib.tm_shared_images_new, 160 << 20, ffi.NULL), lib.tm_shared_images_free)
        self.sheets: dict[str, Any] = {}  # pictures of entities by path


class Images:
    """External images for drawing, embedding and automapping: of folders, beside the map, and of the installed games.

    folders: searched first; given: arrays (height, width, 3 or 4) or the bytes of PNG or WebP by name, before all folders;
    system: whether the folders of the user and of installed games are searched, too. Renderers with the same Images read and prepare
    files once, and hold up to 256 MiB of them; changes of the files are not noticed."""

    def __init__(self, folders: Union[str, os.PathLike[str], Iterable[Union[str, os.PathLike[str]]]] = (),
                 given: Optional[Mapping[str, Any]] = None, system: bool = True, map_path: Optional[str] = None,
                 game: int = 0, shipped_only: bool = False, _kept: Optional[Kept] = None) -> None:
        paths = [folders] if isinstance(folders, (str, os.PathLike)) else list(folders)
        self.given = {name: pixels_of(value) for name, value in (given or {}).items() if value is not None}
        self._settings, self.kept = (paths, system, shipped_only), _kept
        options = ffi.new("tm_mapres_options *")
        options.size = ffi.sizeof("tm_mapres_options")
        words = Texts(encode_path(path) for path in paths)
        options.folders, options.num_folders = words.list, words.num
        options.game, options.shipped_only = game, shipped_only
        options.cache = _kept.read if _kept else ffi.NULL
        path_word = ffi.new("char[]", encode_path(map_path)) if map_path else ffi.NULL
        options.map_path = path_word
        names: list[Any] = []
        values: list[Any] = []
        while system and lib.tm_mapres_variable_name(len(names)):
            name = lib.tm_mapres_variable_name(len(names))
            names.append(name)
            value = os.environb.get(ffi.string(name)) if hasattr(os, "environb") else None
            values.append(ffi.NULL if value is None else ffi.new("char[]", value))
        variables = ffi.new("tm_mapres_variable[]", [{"name": n, "value": v} for n, v in zip(names, values)])
        options.variables, options.num_variables = variables, len(names)
        self._mapres = ffi.gc(take("tm_mapres *", lib.tm_mapres_new, options), lambda mapres, keep=_kept: lib.tm_mapres_free(mapres))
        self._handle = ffi.new_handle(self)

    @classmethod
    def of(cls, images: Any, map: Map) -> Images:
        """The Images for an argument `images`: None, a folder or several, a dict, or Images."""
        from ._map import choose_game
        game = choose_game(str(map.game)) if isinstance(map.game, str) else 0
        if isinstance(images, Images):
            folders, system, shipped_only = images._settings
            images.kept = images.kept or Kept()
            return cls(folders, images.given, system, map.path, game, shipped_only, images.kept)
        if isinstance(images, Mapping):
            return cls((), images, True, map.path, game)
        return cls(images or (), None, True, map.path, game)

    @property
    def provider(self) -> Any:
        return lib.teemap_image if self.given else ffi.addressof(lib, "tm_mapres_provide")

    @property
    def provider_ctx(self) -> Any:
        return self._handle if self.given else self._mapres

    def sheet(self, sheet: int, game: int, mod: Optional[Mod] = None) -> Any:
        """The picture of entities that clients of the game, or of a mod, have, as an array, if it is found."""
        from ._pictures import read_picture
        of_mod = mod and sheet == lib.TM_MAPRES_SHEET_ENTITIES
        path = self._path(lib.tm_mapres_find_mod_sheet, mod.c, game) if mod and of_mod else self._path(lib.tm_mapres_find_sheet, sheet, game)
        sheets = self.kept.sheets if self.kept else {}
        if path is not None and path not in sheets:
            try:
                with open(path, "rb") as file:
                    sheets[path] = read_picture(file.read())
            except (FileNotFoundError, NotADirectoryError, ValueError):
                return None
        return sheets[path] if path else None

    def find(self, name: str, game: int = 0) -> Optional[str]:
        """The file of an external image, or None."""
        return self._path(lib.tm_mapres_find, encode(name), game)

    def rules(self, name: str, game: int = 0) -> Optional[bytes]:
        """The file of automapper rules for an image, or None."""
        path = self._path(lib.tm_mapres_find_rules, encode(name), game)
        if path is None:
            return None
        with open(path, "rb") as file:
            return file.read()

    def _path(self, function: Any, what: Any, game: int) -> Optional[str]:
        try:
            found = take("char *", function, self._mapres, what, game)
        except NotFoundError:
            return None
        path = os.fsdecode(ffi.string(found))
        lib.tm_free(ffi.NULL, found, len(ffi.string(found)) + 1)
        return path


def pixels_of(value: Any) -> np.ndarray[Any, Any]:
    """Of an image that is handed over."""
    from ._objects import rgba_array
    from ._pictures import read_picture
    return read_picture(bytes(value)) if isinstance(value, (bytes, bytearray)) else rgba_array(value)


@ffi.def_extern(onerror=None, error=lib.TM_ERROR_NOT_FOUND)  # type: ignore[untyped-decorator]
def teemap_image(ctx: Any, name: Any, game: int, allocator: Any, rgba: Any, width: Any, height: Any, error: Any) -> int:
    images = ffi.from_handle(ctx)
    pixels = images.given.get(text(ffi, name))
    if pixels is None:
        return int(lib.tm_mapres_provide(images._mapres, name, game, allocator, rgba, width, height, error))
    memory = lib.tm_alloc(allocator, pixels.nbytes)
    if not memory:
        return int(lib.TM_ERROR_MEMORY)
    ffi.memmove(memory, ffi.from_buffer(pixels), pixels.nbytes)
    rgba[0], height[0], width[0] = memory, pixels.shape[0], pixels.shape[1]
    return int(lib.TM_OK)
