# SPDX-License-Identifier: Zlib
"""Maps to test with: one made here, and those of the corpus where it is."""
import glob
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import teemap

SHARED = os.environ.get("TEEMAP_SHARED", str(Path(__file__).parents[4] / "shared"))
CORPUS = sorted(glob.glob(os.path.join(SHARED, "corpus", "*", "*.map")))


def make_map() -> teemap.Map:
    """A map of 50 x 30 tiles with one of most things."""
    map = teemap.Map.new(50, 30)
    image = map.images.add("pic", pixels=np.full((16, 16, 4), 200, np.uint8))
    map.images.add("grass_main")
    map.envelopes.add("sun", type="color")
    map.sounds.add("wind", data=b"OggS not really")
    back = map.groups.insert(0, "Back")
    back.layers.add("tiles", name="Walls", image=image)
    back.layers.add("quads", name="Sky")
    map.settings = ["sv_deepfly 1", "tune gravity 0.3"]
    return map


@pytest.fixture
def made() -> teemap.Map:
    return make_map()


@pytest.fixture(params=CORPUS or [""], ids=os.path.basename)
def real(request: pytest.FixtureRequest) -> bytes:
    """The bytes of each map of the corpus."""
    if not request.param:
        pytest.skip("there is no corpus")
    return Path(request.param).read_bytes()


def arrays_of(map: teemap.Map) -> list[npt.NDArray[Any]]:
    """The arrays of all layers and images, but for what is damaged."""
    found: list[npt.NDArray[Any]] = []
    for one in [*map.layers, *map.images]:
        try:
            array = (one.tiles if isinstance(one, teemap.TileLayer) else one.quads if isinstance(one, teemap.QuadLayer) else
                     one.sources if isinstance(one, teemap.SoundLayer) else one.pixels if isinstance(one, teemap.Image) else None)
        except teemap.Error as error:
            assert error.code in ("damaged", "unsupported", "limit")
            continue
        if array is not None:
            found.append(array)
    return found
