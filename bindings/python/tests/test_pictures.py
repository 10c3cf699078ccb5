# SPDX-License-Identifier: Zlib
"""Pictures: the same for every number of threads, into any array, in all formats."""
import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teemap

NONE: dict[str, Any] = {"images": teemap.Images(system=False)}


@pytest.fixture
def drawn(made: teemap.Map) -> teemap.Map:
    walls = made.layers["Walls"]
    assert isinstance(walls, teemap.TileLayer)
    walls.tiles["index"][5:9, 5:40] = 1
    made.edit("fill game@10,10+1x1 spawn")
    return made


def test_pictures_do_not_depend_on_threads(drawn: teemap.Map) -> None:
    pictures = [drawn.render((20, 10), size=(640, 360), threads=threads, **NONE) for threads in (1, 2, 5)]
    assert pictures[0].shape == (360, 640, 4) and pictures[0].any()
    assert (pictures[0] == pictures[1]).all() and (pictures[0] == pictures[2]).all()


def test_what_is_shown(drawn: teemap.Map) -> None:
    assert drawn.render(**NONE).shape == (1080, 1800, 4)
    assert drawn.render(region=(0, 0, 50, 30), scale=4, **NONE).shape == (120, 200, 4)
    assert drawn.render("spawn", size=(32, 18), **NONE).shape == (18, 32, 4)
    assert (drawn.render((20, 10), layers="-Back/Walls", size=(32, 18), **NONE) == 0).all()
    assert (drawn.render((20, 10), entities=True, size=(64, 36), **NONE) != drawn.render((20, 10), size=(64, 36), **NONE)).any()
    red = drawn.render((500, 500), background=(255, 0, 0, 255), size=(32, 18), **NONE)
    assert (red == [255, 0, 0, 255]).all()
    wrongs: tuple[dict[str, Any], ...] = ({"view": "nothing at all"}, {"view": "best", "fit": True}, {"layers": "nowhere"}, {"size": (0, 5)}, {"look": "x"},
                  {"view": (float("nan"), 0)}, {"size": (2**31, 2**31)}, {"threads": -1}, {"missing": "x"})
    for wrong in wrongs:
        with pytest.raises((ValueError, LookupError, OverflowError)):
            drawn.render(**{**NONE, **wrong})


def test_into_given_arrays(drawn: teemap.Map) -> None:
    renderer = drawn.renderer(**NONE)
    whole = renderer.draw((20, 10), size=(64, 36))
    for channels in (3, 4):
        large = np.full((50, 100, channels), 7, np.uint8)
        renderer.draw((20, 10), size=(64, 36), out=large[5:41, 10:74])
        assert (large[5:41, 10:74] == whole[..., :channels]).all() and (large[:5] == 7).all() and (large[:, 74:] == 7).all()
    many = renderer.views([(20, 10), (5, 5, 2)], size=(64, 36), out=np.empty((2, 36, 64, 3), np.uint8))
    assert (many[0] == whole[..., :3]).all()
    locked = np.zeros((36, 64, 4), np.uint8)
    locked.flags.writeable = False
    outs: tuple[Any, ...] = (np.zeros((36, 64), np.uint8), np.zeros((36, 64, 4)), np.zeros((37, 64, 4), np.uint8), np.zeros((36, 128, 4), np.uint8)[:, ::2],
                np.zeros((36, 64, 4), np.uint8)[::-1], np.zeros((36, 64, 2), np.uint8), locked, [1])
    for out in outs:
        with pytest.raises(ValueError, match="out must be"):
            renderer.draw((20, 10), size=(64, 36), out=out)
    assert renderer.views([], size=(64, 36)).shape == (0, 36, 64, 4)
    with pytest.raises(ValueError):
        renderer.views([(0, 0)], time=[1, 2])


def test_a_renderer_outlives_changes_and_its_map(drawn: teemap.Map) -> None:
    renderer = drawn.renderer(**NONE)
    before = renderer.draw((20, 10), size=(64, 36))
    drawn.edit.clear("Back/Walls")
    del drawn.groups[0], drawn
    assert (renderer.draw((20, 10), size=(64, 36)) == before).all()


def test_external_images_from_dicts_and_folders(tmp_path: Path) -> None:
    map = teemap.Map.new(20, 20)
    layer = map.groups.insert(0).layers.add_tiles(image=map.images.add("mine"))
    layer.tiles["index"] = 1
    pixels = np.full((64, 64, 4), (10, 20, 30, 255), np.uint8)
    (tmp_path / "mine.png").write_bytes(teemap.png(pixels))
    for images in ({"mine": pixels}, {"mine": pixels[..., :3]}, {"mine": teemap.png(pixels)}, tmp_path, [str(tmp_path)]):
        assert map.render((10, 10), size=(8, 8), images=images)[4, 4].tolist() == [10, 20, 30, 255]
    for wrong in ("no pixels", b"no picture", np.zeros((4, 4), np.uint8)):  # used to be told on stderr alone
        with pytest.raises(ValueError):
            map.render(images={"mine": wrong})
    kept = teemap.Images(tmp_path)
    first = map.renderer(images=kept)
    (tmp_path / "mine.png").write_bytes(teemap.png(np.zeros((64, 64, 3), np.uint8)))
    for of, color in ((kept, 10), (teemap.Images(tmp_path), 0)):  # read once for all renderers with the same Images
        assert map.render((10, 10), size=(8, 8), images=of)[4, 4, 0] == color
    del kept
    assert first.draw((10, 10), size=(8, 8))[4, 4, 0] == 10
    renderer = map.renderer(**NONE)
    assert [one.id for one in renderer.findings] == ["missing-image"]
    map.edit.using(images={"mine": pixels}).embed()
    assert map.images["mine"].pixels is not None


def test_files(drawn: teemap.Map) -> None:
    picture = drawn.thumbnail(**NONE)
    assert (drawn.renderer(layers="design", entities=True, **NONE).thumbnail() == picture).all()
    assert picture.shape == (225, 360, 4) and (picture[..., 3] == 255).all()
    assert (teemap.read_picture(teemap.png(picture)) == picture).all() and (teemap.read_picture(teemap.webp(picture)) == picture).all()
    assert struct.unpack(">II", drawn._repr_png_()[16:24]) == (640, 360) and "data:image/png" in drawn._repr_html_()
    assert drawn.renderer(**NONE).animate((20, 10), size=(32, 18), format="gif", seconds=0.2).startswith(b"GIF89a")
    assert len(teemap.webp(picture, quality=50)) < len(teemap.webp(picture))
    for wrong in (np.zeros((3, 3)), np.zeros((3, 3, 2), np.uint8), np.zeros((3, 3, 4))):
        with pytest.raises(ValueError):
            teemap.png(wrong)
    with pytest.raises(ValueError):
        teemap.read_picture(b"no picture")


def test_other_libraries_read_them(drawn: teemap.Map) -> None:
    image = pytest.importorskip("PIL.Image")
    picture = drawn.thumbnail(**NONE)
    assert (np.asarray(image.open(io.BytesIO(teemap.png(picture)))) == picture).all()
