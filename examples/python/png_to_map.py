# SPDX-License-Identifier: Zlib
"""Makes a map of a picture: dark pixels are walls, red ones freeze, and the picture itself is the background.

    python png_to_map.py PICTURE.png OUT.map"""
import sys
from pathlib import Path

import teemap


def main(picture: str, out: str) -> None:
    pixels = teemap.read_picture(Path(picture).read_bytes())
    height, width = pixels.shape[:2]
    red, green, blue = (pixels[..., i].astype(int) for i in range(3))
    map = teemap.Map.new(width, height)
    game = map.physics.game
    assert game is not None
    tiles = game.tiles["index"]
    tiles[red + green + blue < 200] = 1
    tiles[(red > 150) & (green < 100) & (blue < 100)] = 9

    quads = map.groups.insert(0, "Picture").layers.add("quads", name="Picture", image=map.images.add("picture", pixels=pixels))
    map.edit.add_quad(quads, at=(0, 0), size=(width * 32, height * 32))
    map.save(out)
    print(f"{out}: {width} x {height} tiles, {int((tiles == 1).sum())} walls, {int((tiles == 9).sum())} freeze")


if __name__ == "__main__":
    main(*sys.argv[1:])
