# SPDX-License-Identifier: Zlib
"""What a bot tells of two versions of a map; the second is made here: compare_versions.py MAP."""
import sys

import numpy as np
import twmap

old, new = twmap.Map(sys.argv[1]), twmap.Map(sys.argv[1])
game = new.game_layer()
tiles = game.tiles
tiles[1:4, 1:3, 0] = 9
tiles[::7, ::5, 0] = 1
game.tiles = tiles
new.info.author = "Somebody"
for a, b in zip(old.groups, new.groups):
    for one, other in zip(a.layers, b.layers):
        if one.kind() != other.kind():
            print("kind", one.kind(), other.kind())
        elif hasattr(one, "tiles"):
            before, after = one.tiles, other.tiles
            if before.shape != after.shape:
                print("size", before.shape, after.shape)
                continue
            places = np.argwhere((before != after).any(axis=2))
            for y, x in places[:200]:
                print(one.name, x, y, before[y, x].tolist(), after[y, x].tolist())
            print(one.name, len(places))
        elif one.kind() == "Quads":
            moved = [i for i, (p, q) in enumerate(zip(one.quads, other.quads)) if p.corners != q.corners]
            print(one.name, len(one.quads), moved)
print(old.info.author, new.info.author, old.info.settings == new.info.settings)
