# SPDX-License-Identifier: Zlib
"""A data set of a folder of maps: facts as a table (JSON lines), and the game layers as arrays in one file for numpy.

    python dataset.py MAPS FOLDER"""
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional

import numpy as np

import teemap


def game_layer(path: Path) -> Optional[np.ndarray[Any, Any]]:
    """Indices of the game layer's tiles; None of a file that is no map."""
    try:
        game = teemap.open(path).physics.game
        return None if game is None else game.tiles["index"].copy()
    except teemap.Error:
        return None


def main(maps: str, folder: str) -> None:
    paths = sorted(Path(maps).rglob("*.map"))
    Path(folder).mkdir(exist_ok=True)
    with ThreadPoolExecutor() as pool:  # the library works without Python's lock
        rows, layers = list(pool.map(teemap.facts, paths)), list(pool.map(game_layer, paths))
    with open(Path(folder, "facts.jsonl"), "w", encoding="utf-8", errors="replace") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
    arrays = {f"{i}-{path.stem}": layer for i, (path, layer) in enumerate(zip(paths, layers)) if layer is not None}
    np.savez_compressed(Path(folder, "game.npz"), **arrays)  # type: ignore[arg-type]
    print(f"{len(paths)} maps, {len(arrays)} game layers, {sum(layer.size for layer in arrays.values())} tiles")


if __name__ == "__main__":
    main(*sys.argv[1:])
