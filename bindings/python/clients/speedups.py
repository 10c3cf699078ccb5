# SPDX-License-Identifier: Zlib
"""Adds speedups as scripts do that know twmap's order of what it takes, [id, force, max_speed, angle]: speedups.py MAP OUT."""
import sys

import numpy as np
import twmap

map = twmap.Map(sys.argv[1])
layer = map.speedup_layer() or map.physics_group().layers.new_physics("Speedup")
read = layer.tiles
print(read.dtype, read.shape, int((read[:, :, 2] != 0).sum()))
turned = np.ascontiguousarray(read[:, :, [2, 0, 1, 3]])
turned[1, 1] = (28, 10, 20, 270)
turned[2, 2:5] = (28, 5, 0, 0)
layer.tiles = turned
print(layer.tiles[1, 1].tolist(), layer.tiles[2, 3].tolist())
map.save(sys.argv[2])
