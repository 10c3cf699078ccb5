# SPDX-License-Identifier: Zlib
"""Pictures of maps, drawn as the games' clients draw them."""
from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Optional, Union

from ._core import Guard, Job, Progress, call, encode, ffi, lib, run_all, take, threads_of
from ._images import Images
from ._mods import Mod, mod_of
from ._numpy import np
from ._objects import Array, choose
from ._pictures import FORMATS, animation, png
from ._results import Finding, new_findings, read_findings
from ._words import text

if TYPE_CHECKING:
    from ._map import Map

MISSING = {"client": lib.TM_MISSING_CLIENT, "none": lib.TM_MISSING_NONE, "white": lib.TM_MISSING_WHITE}
LOOKS = {"map": lib.TM_CLIENT_MAP, "ddnet": lib.TM_CLIENT_DDNET, "teeworlds07": lib.TM_CLIENT_TEEWORLDS07}
BARE = 0.06  # a view with something to see in a smaller share of its squares counts as empty
MOST_MEMORY = 1 << 30  # bytes that a renderer holds
LONG = 2**20  # bytes of pictures that are drawn in a thread of their own, so that Ctrl-C need not wait for them
View = Union[str, Sequence[float]]


class Renderer:
    """Draws many pictures of a map as it is now; changes that come later do not show. Any number of threads may use one.

    images: external images, see teemap.Images; layers: which are drawn, in words (docs/addresses.md), by default the design;
    entities: True, or which physics layers are drawn as entities; missing: "client", "none" or "white" for images that are not found;
    detail, numbers: whether detail layers and numbers of tiles are drawn; look: "map", "ddnet" or "teeworlds07"; memory: bytes to hold;
    by default as many as the map may take, at most 1 GiB; pixel_limit: pixels of layers that one picture may cost; threads: for preparing
    and drawing, None: all processors; mod: whose clients show the entities, by name or as a teemap.Mod (default: the one for which the
    map seems to be made). What progress(done, total) raises ends the preparation. The map's timeout holds for each call."""

    def __init__(self, map: Map, images: Any = None, layers: Optional[str] = None, entities: Union[bool, str] = False,
                 missing: str = "client", detail: bool = True, numbers: bool = True, look: str = "map", memory: int = 0,
                 pixel_limit: int = 0, threads: Optional[int] = None, progress: Optional[Progress] = None,
                 mod: Union[None, str, Mod] = None) -> None:
        self.threads = threads
        self.timeout = map.timeout
        self._clone = clone = map._clone()
        self._opacities = opacities_of(clone.p, layers, entities)
        self._images = Images.of(images, map)
        shown = (Mod.of(mod) or mod_of(clone.p)) if entities else None
        self._sheets = [self._images.sheet(sheet, clone.p.game, shown) if entities else None
                        for sheet in (lib.TM_MAPRES_SHEET_ENTITIES, lib.TM_MAPRES_SHEET_ARROW)]
        self.findings: list[Finding] = []  #: images that were not found, layers that are damaged
        job = map._job(threads, progress)
        memory = memory or min(map.memory or MOST_MEMORY, MOST_MEMORY)

        def work() -> Any:
            options = ffi.new("tm_render_options *")
            options.size = ffi.sizeof("tm_render_options")
            options.provider, options.provider_ctx = self._images.provider, self._images.provider_ctx
            if self._images.kept and not self._images.given:
                options.shared_images, options.provider_key = self._images.kept.prepared, ffi.addressof(lib, "tm_mapres_key")
            options.missing, options.look = choose(MISSING, missing, "way"), choose(LOOKS, look, "look")
            options.no_detail, options.no_numbers = not detail, not numbers
            options.memory_budget, options.pixel_limit, options.entities = memory, pixel_limit, bool(entities)
            for name, sheet in zip(("entity_sheet", "speedup_arrow"), self._sheets):
                if sheet is not None:
                    setattr(options, name, (ffi.from_buffer(sheet), sheet.shape[1], sheet.shape[0]))
            if shown:
                options.mod = shown.c
            options.job = job.c
            with new_findings() as findings:
                renderer = take("tm_renderer *", lib.tm_renderer_new, clone.p, options, findings)
                self.findings = read_findings(findings)
                return ffi.gc(renderer, lambda renderer, keep=(clone, self._images.kept, shown): lib.tm_renderer_free(renderer))

        self._c = job.run(work, clone)

    def __reduce__(self) -> Any:
        raise TypeError("a Renderer cannot be pickled: pickle its map, and make one of it there")

    def _job(self, progress: Optional[Progress] = None) -> Job:
        return Job(self.threads, progress, Guard(timeout=self.timeout))

    def _for(self, threads: Optional[int]) -> Renderer:
        """The same with another number of threads."""
        if threads is None:
            return self
        made = copy(self)
        made.threads = threads
        return made

    def __copy__(self) -> Renderer:
        made = object.__new__(Renderer)
        made.__dict__.update(self.__dict__)
        return made

    # ------------------------------------------------------------------------------------------------- cameras

    def _camera(self, view: Optional[View] = None, region: Optional[Sequence[float]] = None, fit: bool = False,
                size: tuple[int, int] = (1920, 1080), zoom: float = 1, scale: float = 0, flat: bool = False, time: float = 0) -> Any:
        if sum((view is not None, region is not None, fit)) > 1:
            raise ValueError("use only one of view, region and fit")
        camera = ffi.new("tm_camera *")
        camera.size = ffi.sizeof("tm_camera")
        camera.zoom = camera.scale = 1
        camera.width, camera.height = checked_size(size)
        camera.time, camera.zoom = time, zoom
        camera.opacities = ffi.NULL if self._opacities is None else self._opacities
        if view is None:
            self._show(camera, region, fit, scale, flat)
        elif isinstance(view, str):
            found = take("tm_preview_view", lib.tm_preview_find, self._c, camera, encode(view))
            lib.tm_preview_set_view(camera, ffi.new("tm_preview_view *", found))
        else:
            camera.x, camera.y = float(view[0]) * 32, float(view[1]) * 32
            if len(view) > 2:
                camera.zoom = float(view[2])
        return camera

    def _show(self, camera: Any, region: Optional[Sequence[float]], fit: bool, scale: float, flat: bool) -> None:
        if region is None:
            area = ffi.new("tm_preview_area *", take("tm_preview_area", lib.tm_preview_content_bounds if fit else lib.tm_preview_map_bounds,
                                                     self._clone.p))
        else:
            area = ffi.new("tm_preview_area *", [float(one) for one in region])
        kind = lib.TM_CAMERA_FLAT if flat else lib.TM_CAMERA_REGION if region is not None else lib.TM_CAMERA_ZOOMED
        camera.kind = kind
        call(lib.tm_preview_fit_area, camera, area, scale)

    # ------------------------------------------------------------------------------------------------- drawing

    def draw(self, view: Optional[View] = None, *, region: Optional[Sequence[float]] = None, fit: bool = False,
             size: tuple[int, int] = (1920, 1080), zoom: float = 1, scale: float = 0, flat: bool = False, time: float = 0,
             background: Sequence[int] = (0, 0, 0, 0), out: Optional[Array] = None, threads: Optional[int] = None,
             progress: Optional[Progress] = None, _marks: Optional[tuple[Any, int]] = None) -> Array:
        """A picture as an array (height, width, 4) of u8: red, green, blue, straight alpha. Without anything all of the map.

        view: as a player sees it, around (x, y) in tiles, or by words: "best", "finish", "tele:5", "Game/Deco" (docs/pictures.md);
        region: (x, y, width, height) in tiles; fit: the part of the map where something is; size: width and height in pixels, of region
        and fit the most that the picture may have; scale: pixels of a tile instead; zoom: of a view, 2 shows twice as much each way;
        flat: without parallax; time: in ms; background: red, green, blue, alpha; out: an array (height, width, 4 or 3) to draw into;
        threads: others than the renderer's; what progress(done, total) raises ends it."""
        camera = self._camera(view, region, fit, size, zoom, scale, flat, time)
        out = self._target(out, (), camera.height, camera.width)
        threads = self.threads if threads is None else threads
        rows = bands(camera.height, threads_of(threads))
        run_all([partial(self._band, camera, out, background, *some, _marks) for some in rows], threads, progress, out.size > LONG, self.timeout)
        return out

    def views(self, cameras: Iterable[Sequence[float]], *, size: tuple[int, int] = (320, 180), zoom: float = 1,
              time: Union[float, Sequence[float]] = 0, background: Sequence[int] = (0, 0, 0, 0), out: Optional[Array] = None,
              threads: Optional[int] = None, progress: Optional[Progress] = None) -> Array:
        """Pictures of many places, (n, height, width, 4): what players see around (x, y) in tiles, or (x, y, zoom), side by side on all
        threads. `time` in ms may be one for each. `out`: an array (n, height, width, 4 or 3) to draw into. progress(done, total): pictures;
        the rest as of draw."""
        places = list(cameras)
        times = [float(one) for one in np.broadcast_to(time, len(places) if np.ndim(time) == 0 else np.shape(time))]
        if len(times) != len(places):
            raise ValueError(f"there are {len(places)} cameras and {len(times)} times")
        made = [self._camera(place, size=size, time=when, zoom=zoom) for place, when in zip(places, times)]
        width, height = checked_size(size)
        out = self._target(out, (len(made),), height, width)
        run_all([partial(self._band, camera, one, background, 0, height) for camera, one in zip(made, out)],
                self.threads if threads is None else threads, progress, out.size > LONG, self.timeout)
        return out

    @staticmethod
    def _target(out: Optional[Array], first: tuple[int, ...], height: int, width: int) -> Array:
        shape = (*first, height, width)
        if out is None:
            return np.empty((*shape, 4), np.uint8)
        right = isinstance(out, np.ndarray) and out.dtype == np.uint8 and out.shape[:-1] == shape and out.shape[-1] in (3, 4) and out.flags.writeable
        if not right or out.strides[-1] != 1 or out.strides[-2] != out.shape[-1] or out.strides[-3] < width * out.shape[-1]:
            raise ValueError(f"out must be a writable array {shape} x 4 or 3 of uint8 with pixels side by side, not {np.shape(out)} of "
                             f"{getattr(out, 'dtype', type(out).__name__)}")
        return out

    def _band(self, camera: Any, out: Array, background: Sequence[int], first: int, num: int,
              marks: Optional[tuple[Any, int]] = None) -> None:
        rgba = out[first:first + num]
        if out.shape[2] == 3:
            rgba = np.empty((num, out.shape[1], 4), np.uint8)
        rgba.view(np.uint32)[...] = np.array(background, np.uint8).view(np.uint32)  # 20 times faster than four bytes each
        rows = ffi.new("tm_rows *", (ffi.cast("void *", rgba.ctypes.data), rgba.strides[0], first, num))
        call(lib.tm_renderer_draw, self._c, camera, rows)
        if marks:
            call(lib.tm_preview_draw_marks, self._c, camera, *marks, rows)
        if out.shape[2] == 3:
            out[first:first + num] = rgba[..., :3]

    def best(self, num: int = 1, size: tuple[int, int] = (640, 360), time: float = 0, *,
             progress: Optional[Progress] = None) -> list[dict[str, Any]]:
        """The best views of the map (docs/thumbnails.md), in descending order: kind, x, y in tiles, zoom, score and its parts."""
        camera = self._camera((0, 0), size=size, time=time)
        views, found = ffi.new("tm_preview_view[]", max(1, num)), ffi.new("uint32_t *")
        self._job(progress).run(lambda: call(lib.tm_preview_views, views, found, num, self._c, camera))
        return [{"kind": text(ffi, lib.tm_preview_kind_name(one.kind)), "x": one.x, "y": one.y, "zoom": one.zoom, "score": one.score,
                 "variety": one.variety, "lively": one.lively, "coverage": one.coverage} for one in views[0:min(num, found[0])]]

    def thumbnail(self, size: tuple[int, int] = (360, 225), *, background: Sequence[int] = (0, 0, 0, 255),
                  threads: Optional[int] = None, progress: Optional[Progress] = None) -> Array:
        """The best view of the design; if the design shows nothing, the best view of what this renderer draws, for example entities."""
        this = self._for(threads)
        shown = copy(this)
        shown._opacities = None
        best = shown.best(size=size, progress=progress)[0]
        if best["lively"] < BARE:
            shown, best = this, this.best(size=size, progress=progress)[0]
        return shown.draw((best["x"], best["y"], best["zoom"]), size=size, background=background)

    def animate(self, view: Optional[View] = None, *, size: tuple[int, int] = (640, 360), seconds: Optional[float] = None,
                fps: float = 20, format: str = "webp", quality: int = 0, threads: Optional[int] = None,
                progress: Optional[Progress] = None, **aim: Any) -> bytes:
        """A loop as a file: "webp", "gif" or "apng". Without `seconds` as long as it takes until everything is where it was, at most 20 s.
        progress(done, total): of each of its steps; the rest as of draw."""
        choose(FORMATS, format, "format")
        check_words("animate", aim, AIM)
        self = self._for(threads)
        aimed, options = self._camera(view, size=size, **aim), ffi.new("tm_preview_loop_options *")
        options.size = ffi.sizeof("tm_preview_loop_options")
        options.duration = 0 if seconds is None else seconds * 1000
        job = self._job(progress)
        options.job = job.c
        loop = ffi.new("tm_preview_loop *")
        job.run(lambda: call(lib.tm_preview_find_loop, loop, self._c, aimed, options))
        num = max(1, min(2000, round(loop.duration / 1000 * fps))) if loop.duration else 1
        frames = np.empty((num, aimed.height, aimed.width, 4), np.uint8)
        made = []
        for i in range(num):
            made.append(ffi.new("tm_camera *", aimed[0]))
            made[-1].time = lib.tm_preview_loop_time(loop, i, num)
        run_all([partial(self._band, camera, frame, (0, 0, 0, 255), 0, aimed.height) for camera, frame in zip(made, frames)], self.threads,
                progress, timeout=self.timeout)
        return animation(frames, loop.duration or 100, format, quality, progress=progress)


def checked_size(size: Sequence[int]) -> tuple[int, int]:
    try:
        width, height = (operator.index(one) for one in size)
    except (TypeError, ValueError):
        raise ValueError(f"size is the width and height of a picture in pixels, not {size!r}") from None
    if not (1 <= width < 2**31 and 1 <= height < 2**31):
        raise ValueError(f"a picture cannot be {width} x {height} pixels large")
    return width, height


def check_words(function: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuses arguments that the called function does not have, by its name."""
    known = list(known)
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"{function}() has no argument '{name}'" + (f": is it '{near[0]}'?" if near else ""))


def opacities_of(p: Any, layers: Optional[str], entities: Union[bool, str]) -> Any:
    """The opacity of each layer, from --layers and --entities as on the command line."""
    if layers is None and not entities:
        return None
    num = lib.tm_map_num_layers(p)
    opacities = ffi.new("float[]", max(1, num))
    wanted = [] if layers is None else [(layers, lib.TM_SELECT_DRAWN)]
    if entities:
        wanted.append(("physics", lib.TM_SELECT_DRAWN) if entities is True else (entities, lib.TM_SELECT_PHYSICS))
    for words, which in wanted:
        choices = ffi.new("tm_layer_choice[]", max(1, num))
        call(lib.tm_select_layers, choices, p, encode(words), which)
        lib.tm_select_opacities(opacities, choices, num)
    return opacities


def bands(height: int, threads: int) -> list[tuple[int, int]]:
    rows = height if threads == 1 and height <= 2048 else max(32, -(-height // (4 * threads)))
    return [(first, min(rows, height - first)) for first in range(0, height, rows)]


if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class MadeOptions(TypedDict, total=False):
        images: Any
        layers: Optional[str]
        entities: Union[bool, str]
        missing: str
        detail: bool
        numbers: bool
        look: str
        memory: int
        pixel_limit: int
        threads: Optional[int]
        progress: Optional[Progress]

    class AimOptions(MadeOptions, total=False):
        region: Optional[Sequence[float]]
        fit: bool
        size: tuple[int, int]
        zoom: float
        scale: float
        flat: bool
        time: float

    class DrawOptions(AimOptions, total=False):
        background: Sequence[int]
        out: Optional[Array]

    class ViewsOptions(MadeOptions, total=False):
        size: tuple[int, int]
        zoom: float
        time: Union[float, Sequence[float]]
        background: Sequence[int]
        out: Optional[Array]

    class LoopOptions(AimOptions, total=False):
        seconds: Optional[float]
        fps: float
        format: str
        quality: int

MADE = ("images", "layers", "entities", "missing", "detail", "numbers", "look", "memory", "pixel_limit", "threads", "progress")  # of Renderer
AIM = ("region", "fit", "zoom", "scale", "flat", "time")  # of a camera, beside view and size


class Pictures:
    """Pictures of a map, as its methods."""
    __slots__ = ()

    def renderer(self, **how: Unpack[MadeOptions]) -> Renderer:
        """Prepares the map for many pictures; arguments as of teemap.Renderer."""
        check_words("renderer", how, MADE)
        return Renderer(self, **how)  # type: ignore[arg-type]

    def _both(self, function: str, how: Mapping[str, Any], more: Sequence[str]) -> tuple[Renderer, dict[str, Any]]:
        """A renderer by those arguments that it takes, and the others."""
        check_words(function, how, [*MADE, *more])
        made = Renderer(self, **{name: value for name, value in how.items() if name in MADE and name != "progress"})  # type: ignore[arg-type]
        return made, {name: value for name, value in how.items() if name not in MADE or name == "progress"}

    def render(self, view: Optional[View] = None, **how: Unpack[DrawOptions]) -> Array:
        """A picture as an array (height, width, 4) of u8; arguments as of teemap.Renderer and Renderer.draw."""
        renderer, rest = self._both("render", how, ("size", "background", "out", *AIM))
        return renderer.draw(view, **rest)

    def views(self, cameras: Iterable[Sequence[float]], **how: Unpack[ViewsOptions]) -> Array:
        """Pictures of many places; arguments as of teemap.Renderer and Renderer.views."""
        renderer, rest = self._both("views", how, ("size", "zoom", "time", "background", "out"))
        return renderer.views(cameras, **rest)

    def animate(self, view: Optional[View] = None, **how: Unpack[LoopOptions]) -> bytes:
        """A loop as a file; arguments as of teemap.Renderer and Renderer.animate."""
        renderer, rest = self._both("animate", how, ("size", "seconds", "fps", "format", "quality", *AIM))
        return renderer.animate(view, **rest)

    def thumbnail(self, size: tuple[int, int] = (360, 225), *, background: Sequence[int] = (0, 0, 0, 255),
                  **how: Unpack[MadeOptions]) -> Array:
        """The best view; with entities if the design shows nothing. Arguments as of teemap.Renderer."""
        renderer, rest = self._both("thumbnail", how, ())
        best = renderer.best(size=size, **rest)[0]
        if best["lively"] < BARE and not {"layers", "entities"} & set(how):
            how = {**how, "layers": "design", "entities": True}
            return self.renderer(**how).thumbnail(size, background=background, **rest)
        return renderer.draw((best["x"], best["y"], best["zoom"]), size=size, background=background)

    def _repr_png_(self) -> bytes:
        return png(self.thumbnail((640, 360)))

    def _repr_html_(self) -> str:
        import html
        from base64 import b64encode
        data = b64encode(self._repr_png_()).decode()
        return f'<figure><img src="data:image/png;base64,{data}" alt=""><figcaption>{html.escape(repr(self)[1:-1])}</figcaption></figure>'
