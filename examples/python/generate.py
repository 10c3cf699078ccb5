# SPDX-License-Identifier: Zlib
"""Makes a map of a maze: the game layer as one array, dressed by rules of an automapper.

    python generate.py OUT.map [SEED]"""
import sys

import numpy as np

import teemap

SOLID, START, FINISH, SPAWN, UNHOOKABLE = 1, 33, 34, 192, 3

# Rules as DDNet's editor reads them: walls are tile 1, their upper edge is tile 16.
RULES = b"""[Walls]
Index 1
NoDefaultRule
Index 16
NoDefaultRule
Pos 0 0 FULL
Pos 0 -1 EMPTY
"""


def maze(width: int, height: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Where walls are: passages between all odd places, by a walk that goes back where it is stuck."""
    walls = np.ones((height, width), bool)
    random = np.random.default_rng(seed)
    way = [(1, 1)]
    walls[1, 1] = False
    while way:
        y, x = way[-1]
        steps = [(dy, dx) for dy, dx in ((0, 2), (2, 0), (0, -2), (-2, 0))
                 if 0 < y + dy < height - 1 and 0 < x + dx < width - 1 and walls[y + dy, x + dx]]
        if not steps:
            way.pop()
            continue
        dy, dx = steps[random.integers(len(steps))]
        walls[y + dy // 2, x + dx // 2] = walls[y + dy, x + dx] = False
        way.append((y + dy, x + dx))
    return walls


def main(out: str, seed: str = "1") -> None:
    walls = np.kron(maze(21, 13, int(seed)), np.ones((3, 3), bool))  # passages three tiles wide
    height, width = walls.shape
    map = teemap.Map.new(width, height)
    game = map.physics.game
    assert game is not None
    game.tiles["index"] = walls * UNHOOKABLE
    game.tiles["index"][4, 4] = SPAWN
    game.tiles["index"][3:6, 5] = START
    game.tiles["index"][height - 6:height - 3, width - 5] = FINISH

    sheet = np.zeros((256, 256, 4), np.uint8)
    sheet[:16, 16:32] = 90, 70, 50, 255    # tile 1
    sheet[16:32, :16] = 80, 140, 60, 255   # tile 16
    image = map.images.add("maze", pixels=sheet)
    design = map.groups.insert(0, "Design").layers.add_tiles(width=width, height=height, name="Walls", image=image)
    design.tiles["index"] = walls
    map.edit.automap_by(RULES, layers=design, config="Walls")
    map.info.author, map.info.version = "generate.py", seed
    map.save(out)
    print(f"{out}: {width} x {height} tiles, {int((design.tiles['index'] == 16).sum())} of them edges")


if __name__ == "__main__":
    main(*sys.argv[1:])
