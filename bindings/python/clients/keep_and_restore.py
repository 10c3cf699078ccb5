# SPDX-License-Identifier: Zlib
"""Tries a change on each layer and takes it back where it is not liked, with copies as twmap gives them: keep_and_restore.py MAP OUT."""
import sys

import twmap

map = twmap.Map(sys.argv[1])
for group in map.groups:
    for layer in group.layers:
        if layer.kind() not in ("Game", "Front", "Tiles"):
            continue
        old = layer.tiles
        new = layer.tiles
        new[:, :, 0][new[:, :, 0] == 1] = 3
        changed = int((old != new).sum())
        layer.tiles = new
        new[...] = 0
        print(layer.name, changed, int(layer.tiles[:, :, 0].sum()))
        if changed % 2:
            layer.tiles = old
        scratch = layer.tiles
        scratch[...] = 7
        print(int(layer.tiles[:, :, 0].sum()), int(old[:, :, 0].sum()))
map.save(sys.argv[2])
