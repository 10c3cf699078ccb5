# SPDX-License-Identifier: Zlib
"""Prints all that can be read of a map: dump.py MAP [written]. written: without what twmap works out when it saves."""
import hashlib
import sys

import twmap


def sha(array):
    return None if array is None else f"{array.dtype} {array.shape} {hashlib.sha1(array.tobytes()).hexdigest()[:12]}"


def show(words, thing, names):
    for name in names:
        try:
            value = getattr(thing, name)
        except AttributeError:
            value = "-"
        print(words, name, value)


def show_quads(words, quads):
    for i, quad in enumerate(quads):
        show(f"{words} quad {i}", quad, ("position", "corners", "colors", "texture_coords", "position_env", "position_env_offset", "color_env",
                                         "color_env_offset"))


def show_sources(words, sources):
    for i, source in enumerate(sources):
        show(f"{words} source {i}", source, ("position", "looping", "panning", "delay", "falloff", "shape", "position_env",
                                             "position_env_offset", "sound_env", "sound_env_offset"))


def main(path, written=False):
    map = twmap.Map(path)
    print(map.version())
    show("info", map.info, ("author", "version", "credits", "license", "settings"))
    for i, image in enumerate(map.images):
        size = ("-", "-") if written and image.is_external() else (image.width(), image.height())
        print("image", i, image.name, image.is_external(), image.is_embedded(), *size, sha(image.data))
    for i, sound in enumerate(map.sounds):
        print("sound", i, sound.name, hashlib.sha1(sound.data).hexdigest())
    for i, envelope in enumerate(map.envelopes):
        print("envelope", i, envelope.kind(), envelope.name, envelope.synchronized, len(envelope.points))
        for j, point in enumerate(envelope.points):
            show(f"envelope {i} point {j}", point, ("time", "content", "curve", "handle_l_x", "handle_l_y", "handle_r_x", "handle_r_y"))
    for i, group in enumerate(map.groups):
        print("group", i, group.is_physics_group())
        show(f"group {i}", group, ("name", "offset_x", "offset_y", "parallax_x", "parallax_y", "clipping", "clip_x", "clip_y", "clip_width",
                                   "clip_height"))
        for j, layer in enumerate(group.layers):
            words = f"layer {i}/{j}"
            print(words, layer.kind())
            show(words, layer, ("name", "detail", "color", "image", "color_env", "color_env_offset", "sound"))
            if hasattr(layer, "tiles"):
                tiles = layer.tiles
                if written and layer.kind() in ("Game", "Front", "Tiles"):
                    tiles[:, :, 1] &= 0xfb  # OPAQUE
                    tiles[tiles[:, :, 0] == 0, 1] = 0  # flags of empty tiles
                print(words, layer.width(), layer.height(), sha(tiles))
            show_quads(words, getattr(layer, "quads", ()))
            show_sources(words, getattr(layer, "sources", ()))


main(sys.argv[1], "written" in sys.argv[2:3])
