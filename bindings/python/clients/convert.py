# SPDX-License-Identifier: Zlib
"""Builds a map of DDNet from any map, part by part: convert.py MAP OUT."""
import sys

import twmap

source, target = twmap.Map(sys.argv[1]), twmap.Map.empty("DDNet06")
for name in ("author", "version", "credits", "license"):
    setattr(target.info, name, getattr(source.info, name))
target.info.settings = source.info.settings
for image in source.images:
    if image.is_external():
        target.images.new_external(image.name)
    else:
        target.images.new_from_data(image.name, image.data)
for envelope in source.envelopes:
    made = target.envelopes.new(envelope.kind())
    made.name = envelope.name[:30]
    for point in envelope.points:
        new = made.points.new(point.time)
        new.content = point.content
        if point.curve != "Bezier":
            new.curve = point.curve
for group in source.groups:
    made = target.groups.new_physics() if group.is_physics_group() else target.groups.new()
    if not group.is_physics_group():
        made.name = group.name
        for name in ("offset_x", "offset_y", "parallax_x", "parallax_y", "clipping", "clip_x", "clip_y", "clip_width", "clip_height"):
            setattr(made, name, getattr(group, name))
    for layer in group.layers:
        kind = layer.kind()
        if kind == "Game":
            new = made.layers.new_game(layer.width(), layer.height())
            tiles = layer.tiles
            tiles[tiles[:, :, 0] == 12] = 0
            new.tiles = tiles
            print("game", int(layer.tiles.sum()), int(new.tiles.sum()))
        elif kind == "Tiles":
            new = made.layers.new_tiles(layer.width(), layer.height())
            new.name, new.detail, new.color, new.tiles = layer.name, layer.detail, layer.color, layer.tiles
            if layer.image is not None:
                new.image = layer.image
            if layer.color_env is not None:
                new.color_env, new.color_env_offset = layer.color_env, layer.color_env_offset
        elif kind == "Quads":
            new = made.layers.new_quads()
            new.name, new.detail = layer.name, layer.detail
            if layer.image is not None:
                new.image = layer.image
            for quad in layer.quads:
                copy = new.quads.new(quad.position[0], quad.position[1], 1, 1)
                for name in ("position", "corners", "colors", "texture_coords", "position_env", "position_env_offset", "color_env",
                             "color_env_offset"):
                    setattr(copy, name, getattr(quad, name))
            print("quads", len(new.quads))
target.save(sys.argv[2])
