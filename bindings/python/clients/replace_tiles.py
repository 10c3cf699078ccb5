# SPDX-License-Identifier: Zlib
"""Replaces and counts tiles, and fills numbers of teleporters and switches: replace_tiles.py MAP OUT."""
import collections
import sys

import twmap

map = twmap.Map(sys.argv[1])
for name in ("game_layer", "front_layer", "tele_layer", "switch_layer", "tune_layer"):
    layer = getattr(map, name)()
    if layer is None:
        continue
    tiles = layer.tiles
    if layer.kind() in ("Game", "Front"):
        counts = collections.Counter(tiles[:, :, 0].reshape(-1).tolist())
        print(layer.kind(), sorted(counts.items()))
        tiles[tiles[:, :, 0] == 3] = (1, 0)
    else:
        print(layer.kind(), sorted(set(tiles[:, :, 0].reshape(-1).tolist())))
        tiles[tiles[:, :, 0] == 2, 0] = 200
    layer.tiles = tiles
physics = map.physics_group()
if map.tele_layer() is None:
    tele = physics.layers.new_physics("Tele")
    tiles = tele.tiles
    tiles[2, 3] = (7, 26)
    tele.tiles = tiles
if map.switch_layer() is None:
    switch = physics.layers.new_physics("Switch")
    tiles = switch.tiles
    tiles[1, 1] = (5, 22, 0, 9)
    switch.tiles = tiles
map.save(sys.argv[2])
