# SPDX-License-Identifier: Zlib
"""Arrays of pixels as files, and files as arrays."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._core import Job, Progress, call, ffi, interruptible, lib, written
from ._numpy import np
from ._objects import Array, rgba_array

if TYPE_CHECKING:
    import numpy.typing as npt


def read_picture(data: bytes) -> Array:
    """A PNG or WebP as an array (height, width, 4) of u8."""
    def work() -> Array:
        pixels, width, height = ffi.new("uint8_t **"), ffi.new("uint32_t *"), ffi.new("uint32_t *")
        call(lib.tm_picture_read, pixels, width, height, ffi.from_buffer(data), len(data), 0, ffi.NULL)
        size = width[0] * height[0] * 4
        try:
            copy = bytearray(ffi.buffer(pixels[0], size))
        finally:
            lib.tm_free(ffi.NULL, pixels[0], size)
        return np.frombuffer(copy, np.uint8).reshape(height[0], width[0], 4)

    return interruptible(work)


def png(pixels: npt.ArrayLike, smallest: bool = False) -> bytes:
    """An array (height, width, 3 or 4) of u8 as a PNG."""
    array = np.ascontiguousarray(pixels)
    if array.ndim != 3 or array.shape[2] not in (3, 4) or array.dtype != np.uint8:
        rgba_array(array)  # which says what is wrong
    options = ffi.new("tm_png_options *")
    options.size = ffi.sizeof("tm_png_options")
    options.channels, options.smallest = array.shape[2], smallest
    return interruptible(lambda: written(lambda output: call(
        lib.tm_png_write, output, ffi.from_buffer(array), array.shape[1], array.shape[0], options)))


def webp(pixels: npt.ArrayLike, quality: int = 0, smallest: bool = False) -> bytes:
    """The same as a WebP: quality 1 to 100 is lossy, 0 lossless."""
    array = rgba_array(pixels)
    options = ffi.new("tm_webp_options *")
    options.size = ffi.sizeof("tm_webp_options")
    options.quality, options.smallest = quality, smallest
    options.opaque = bool((array[..., 3] == 255).all())

    def put(output: Any) -> None:
        out = ffi.new("tm_webp_writer **")
        call(lib.tm_webp_writer_new, out, output, array.shape[1], array.shape[0], options)
        try:
            call(lib.tm_webp_writer_rows, out[0], ffi.from_buffer(array), array.shape[0], array.shape[1] * 4)
        except BaseException:
            lib.tm_webp_writer_free(out[0])
            raise
        call(lib.tm_webp_writer_finish, out[0])

    return interruptible(lambda: written(put))


FORMATS = {"apng": lib.TM_ANIMATION_APNG, "webp": lib.TM_ANIMATION_WEBP, "gif": lib.TM_ANIMATION_GIF}


def animation(frames: npt.ArrayLike, duration: float, format: str = "webp", quality: int = 0,
              num_plays: Optional[int] = None, *, progress: Optional[Progress] = None) -> bytes:
    """Frames (n, height, width, 4) of u8 as an animation of so many ms: "webp", "gif" or "apng", repeated for ever by default.
    progress(done, total): frames; what it raises ends the work."""
    from ._objects import choose
    array: Array = np.ascontiguousarray(frames)
    if array.ndim != 4 or not len(array) or array.shape[3] != 4 or array.dtype != np.uint8:
        raise ValueError(f"frames are an array (n, height, width, 4) of uint8, not {array.shape} of {array.dtype}")
    options = ffi.new("tm_animation_options *")
    options.size = ffi.sizeof("tm_animation_options")
    options.format, options.quality = choose(FORMATS, format, "format"), quality
    options.num_plays, options.opaque = num_plays or 0, bool((array[..., 3] == 255).all())

    def put(output: Any) -> None:
        out = ffi.new("tm_animation **")
        sizes = ffi.new("tm_frames *", {
            "size": ffi.sizeof("tm_frames"), "width": array.shape[2], "height": array.shape[1], "num": len(array),
            "duration": round(duration * 1000)})
        call(lib.tm_animation_new, out, output, sizes, options)
        try:
            for number, frame in enumerate(array):
                job.tell(number, len(array))
                job.trouble.check()
                call(lib.tm_animation_frame, out[0], ffi.from_buffer(frame), array.shape[2] * 4)
        except BaseException:
            lib.tm_animation_free(out[0])
            raise
        call(lib.tm_animation_finish, out[0])

    job = Job(1, progress)
    return job.run(lambda: written(put))
