# SPDX-License-Identifier: Zlib
"""What several agents on a map see: crops of the physics layers around each, and pictures, as arrays that are used again.

    python agents.py MAP [AGENTS]"""
import sys
from typing import Any

import numpy as np

import teemap

SIDE = 21  # tiles of a crop
SIZE = 160, 90  # pixels of a picture

Array = np.ndarray[Any, Any]


class Observations:
    def __init__(self, map: teemap.Map, agents: int) -> None:
        game, front = map.physics.game, map.physics.front
        assert game is not None
        layers = [game.tiles["index"]] + ([front.tiles["index"]] if front is not None else [])
        self.physics = np.pad(np.stack(layers, -1), ((SIDE // 2,) * 2, (SIDE // 2,) * 2, (0, 0)), constant_values=1)
        self.renderer = map.renderer(images=teemap.Images(system=False))
        self.pictures = np.empty((agents, SIZE[1], SIZE[0], 3), np.uint8)

    def look(self, places: Array, time: float) -> tuple[Array, Array]:
        """Crops (agents, SIDE, SIDE, layers) and pictures (agents, height, width, 3); places are x, y in tiles."""
        corners = places.astype(int)
        crops = np.stack([self.physics[y:y + SIDE, x:x + SIDE] for x, y in corners])
        self.renderer.views(places, size=SIZE, time=time, background=(0, 0, 0, 255), out=self.pictures)
        return crops, self.pictures


def main(path: str, agents: str = "4") -> None:
    map = teemap.open(path)
    random = np.random.default_rng(1)
    places = random.uniform((0, 0), map.size, (int(agents), 2))
    observations = Observations(map, len(places))
    crops, pictures = observations.look(places, 0)
    for step in range(1, 10):
        places = np.clip(places + random.normal(0, 1, places.shape), 0, np.array(map.size) - 1)
        crops, pictures = observations.look(places, step * 20)
    print("crops", crops.shape, "pictures", pictures.shape, "walls seen", int(np.count_nonzero(crops[..., 0] == 1)))


if __name__ == "__main__":
    main(*sys.argv[1:])
