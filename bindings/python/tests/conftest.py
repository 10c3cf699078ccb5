# SPDX-License-Identifier: Zlib
"""Maps to test with: one made here, and those of the corpus where it is."""
import glob
import os
from pathlib import Path

import numpy as np
import pytest

import teemap

SHARED = os.environ.get("TEEMAP_SHARED", str(Path(__file__).parents[4] / "shared"))
CORPUS = sorted(glob.glob(os.path.join(SHARED, "corpus", "*", "*.map")))


@pytest.fixture
def made() -> teemap.Map:
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


@pytest.fixture(params=CORPUS or [""], ids=os.path.basename)
def real(request: pytest.FixtureRequest) -> bytes:
    """The bytes of each map of the corpus."""
    if not request.param:
        pytest.skip("there is no corpus")
    return Path(request.param).read_bytes()
