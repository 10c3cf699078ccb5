# SPDX-License-Identifier: Zlib
"""Puts a sign on each group and resizes design layers: merge_maps.py MAP OUT."""
import sys

import numpy as np
import twmap

map = twmap.Map(sys.argv[1])
for i in range(len(map.groups)):
    group = map.groups[i]
    if group.is_physics_group():
        continue
    for layer in group.layers:
        if layer.kind() == "Tiles":
            tiles = layer.tiles
            grown = np.zeros((tiles.shape[0] + 2, tiles.shape[1] + 1, 2), np.uint8)
            grown[2:, 1:] = tiles
            layer.tiles = grown
            print(i, layer.name, layer.width(), layer.height(), tiles.shape)
    sign = group.layers.new_tiles(3, 2)
    sign.name = "sign"
    group.offset_x, group.clipping = group.offset_x + 1, False
map.info.settings = [*map.info.settings, "echo hello"]
print(map.info.settings, [group.offset_x for group in map.groups])
map.save(sys.argv[2])
