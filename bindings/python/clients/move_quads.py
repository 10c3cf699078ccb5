# SPDX-License-Identifier: Zlib
"""Moves, scales and colors quads: move_quads.py MAP OUT."""
import sys

import twmap

map = twmap.Map(sys.argv[1])
for group in map.groups:
    for layer in group.layers:
        if layer.kind() != "Quads":
            continue
        for i, quad in enumerate(layer.quads):
            x, y = quad.position
            quad.position = x + 1.5, y - 2
            quad.corners = [(x + 2 * (cx - x), y + 0.5 * (cy - y)) for cx, cy in quad.corners]
            colors = quad.colors
            colors[0] = (1, 2, 3, 4)
            print(quad.colors[0])
            quad.colors = [(r // 2, g, b, a) for r, g, b, a in quad.colors]
            if i % 3 == 0:
                quad.position_env_offset, quad.color_env_offset = i, -i
        if len(layer.quads) > 1:
            del layer.quads[0]
        layer.quads.new(3.25, -4, 2, 1.5).position = 3, -4
        print(layer.name, len(layer.quads), layer.quads[0].position)
map.save(sys.argv[2])
