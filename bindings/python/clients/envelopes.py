# SPDX-License-Identifier: Zlib
"""Makes envelopes slower and darker, and adds one: envelopes.py MAP OUT."""
import sys

import twmap

map = twmap.Map(sys.argv[1])
for envelope in map.envelopes:
    for point in envelope.points:
        point.time = point.time * 2
        if envelope.kind() == "Color":
            r, g, b, a = point.content
            point.content = (r / 2, g, b, a)
            point.a = 0.25
        elif envelope.kind() == "Position":
            point.rotation = point.rotation + 90
            point.x = point.x - 1
        print(point.time, point.content, point.curve)
made = map.envelopes.new("Position")
made.name = "swing"
for i in range(5):
    point = made.points.new(i * 500)
    point.x, point.y = i * 0.5, -i
    point.curve = ("Step", "Linear", "Slow", "Fast", "Smooth")[i]
del made.points[1]
print([point.content for point in made.points], made.name, len(map.envelopes))
map.save(sys.argv[2])
