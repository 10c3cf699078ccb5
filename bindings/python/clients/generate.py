# SPDX-License-Identifier: Zlib
"""Makes a map from nothing: generate.py MAP OUT (the first is not used)."""
import random
import sys

import numpy as np
import twmap

draw = random.Random(4)
map = twmap.Map.empty("DDNet06")
map.info.author, map.info.settings = "script", ["sv_deepfly 0", "tune gravity 0.4"]
map.images.new_external("grass_main")
back = map.groups.new()
back.name, back.parallax_x, back.parallax_y = "Back", 0, 0
sky = back.layers.new_quads()
quad = sky.quads.new(0, 0, 50, 30)
quad.position = 0, 0
quad.colors = [(94, 132, 174, 255)] * 2 + [(204, 232, 255, 255)] * 2
physics = map.groups.new_physics()
game = physics.layers.new_game(40, 25)
tiles = np.zeros((25, 40, 2), np.uint8)
tiles[0], tiles[-1], tiles[:, 0], tiles[:, -1] = (1, 0), (1, 0), (1, 0), (1, 0)
for _ in range(90):
    tiles[draw.randrange(25), draw.randrange(40)] = (draw.choice([1, 3, 9, 33, 34]), 0)
tiles[12, 20] = (192, 0)
game.tiles = tiles
front = map.groups.new()
design = front.layers.new_tiles(40, 25)
design.name, design.image, design.color = "Walls", 0, (200, 255, 200, 255)
shown = np.zeros((25, 40, 2), np.uint8)
shown[game.tiles[:, :, 0] == 1] = (17, 0)
shown[3, 3] = (20, 9)
design.tiles = shown
print(design.tiles[0, 0].tolist(), len(map.groups), map.game_layer().tiles[12, 20].tolist())
map.save(sys.argv[2])
