# SPDX-License-Identifier: Zlib
"""Arrays are views of a map's memory: writing to one writes the map, and none ever outlives its memory."""
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import teemap
import teemap.twmap as twmap
from conftest import arrays_of


def game_of(map: teemap.Map) -> teemap.TileLayer:
    game = map.physics.game
    assert game is not None
    return game


def test_writing_to_an_array_writes_the_map(made: teemap.Map) -> None:
    tiles = game_of(made).tiles
    assert tiles.shape == (30, 50) and tiles.dtype.names == ("index", "flags", "skip", "reserved")
    tiles["index"][3:5, 4] = 9
    tiles["index"][0, 0] = 3
    assert game_of(made).channels[3, 4].tolist() == [9, 0] and game_of(made).tiles["index"].sum() == 21
    again = teemap.open(made.to_bytes())
    assert game_of(again).tiles["index"].sum() == 21
    game_of(again).channels[3, 4, 0] = 0
    assert game_of(again).tiles["index"].sum() == 12


def test_what_is_only_read_stays_as_it_is(real: bytes) -> None:
    try:
        map = teemap.open(real)
    except teemap.Error:
        return
    kept = arrays_of(map)
    assert kept or not map.layers
    assert teemap.open(map.to_bytes()).equal(map)


def test_an_array_keeps_its_map(made: teemap.Map) -> None:
    tiles, pixels = game_of(made).tiles, made.images["pic"].pixels
    assert pixels is not None
    del made
    gc.collect()
    tiles["index"] = 7
    pixels[...] = 9
    assert tiles["index"].min() == 7 and pixels.max() == 9


def test_maps_end_with_their_last_user(made: teemap.Map) -> None:
    """Those with arrays waited for the garbage collector, which does not know how much memory they hold."""
    data = made.to_bytes()
    gc.collect()
    gc.disable()
    try:
        map = teemap.open(data)
        kept = [arrays_of(map), map.layers[0], map.groups[0].layers]
        seen = weakref.ref(map)
        del map, kept
        assert seen() is None
        old = twmap.Map.from_bytes(data)
        speedups = old.physics_group().layers.new_physics("Speedup").tiles
        assert speedups.shape == (30, 50, 4)
        seen = weakref.ref(old._of)
        del old, speedups
        assert seen() is None
    finally:
        gc.enable()


def test_what_would_take_an_arrays_memory_is_refused(made: teemap.Map) -> None:
    game = game_of(made)
    tiles = game.tiles
    tiles["index"][0, 0] = 5
    before = made.to_bytes()
    with pytest.raises(BufferError, match="in use"):
        game.resize(60, 60)
    with pytest.raises(BufferError):
        made.edit.mirror("x")
    with pytest.raises(BufferError):
        made.groups["Game"].layers.remove(game)
    with pytest.raises(BufferError):
        del made.groups["Game"]
    assert made.to_bytes() == before
    made.edit.rename(made.groups[0], "Far")  # this does not touch it
    made.groups.insert(0)
    tiles["index"][0, 1] = 6
    assert game_of(made) is game and game.tiles["index"][0, :2].tolist() == [5, 6]
    del tiles
    made.edit.mirror("x")
    assert game.tiles["index"][0, -2:].tolist() == [6, 5]


def test_copies_do_not_share_an_arrays_memory(made: teemap.Map) -> None:
    game = game_of(made)
    tiles = game.tiles
    tiles["index"][0, 0] = 5
    other = made.copy()
    made.edit.duplicate(made.layers["Game"])
    imported = teemap.Map.new(5, 5)
    taken = imported.groups[0].layers.take(made.layers["Walls"])
    tiles["index"][0, 0] = 9
    assert game_of(other).tiles["index"][0, 0] == 5
    assert {int(layer.tiles["index"][0, 0]) for layer in made.layers if isinstance(layer, teemap.TileLayer) and layer.kind == "game"} == {5, 9}
    assert isinstance(taken, teemap.TileLayer)


def test_quads(made: teemap.Map) -> None:
    sky = made.layers["Sky"]
    assert isinstance(sky, teemap.QuadLayer)
    made.edit.add_quad(sky, at=(64, -32), size=(10, 20))
    quads = sky.quads
    assert quads["points"][0].tolist()[0] == [64 * 1024, -32 * 1024]
    quads["colors"][0, :, 3] = 128
    with pytest.raises(BufferError):
        sky.quads = np.zeros(0, quads.dtype)
    data = np.repeat(quads, 3)
    del quads
    sky.quads = data
    again = teemap.open(made.to_bytes()).layers["Sky"]
    assert isinstance(again, teemap.QuadLayer) and again.quads["colors"][2, 1].tolist() == [255, 255, 255, 128]
    for wrong in (np.zeros(3), np.zeros((3, 3), data.dtype), [1, 2]):
        with pytest.raises(ValueError):
            sky.quads = wrong


def test_assigning_tiles(made: teemap.Map) -> None:
    game = game_of(made)
    game.tiles = np.arange(12).reshape(3, 4)
    assert made.size == (4, 3) and game_of(made).tiles["index"][2, 3] == 11
    channels = np.zeros((2, 2, 2), np.uint8)
    channels[0, 1] = 60, 8
    game.tiles = channels
    assert game_of(made).tiles["flags"][0, 1] == 8
    for wrong in (np.zeros((2, 2)), np.full((2, 2), 256), np.full((2, 2), -1), np.zeros(4, int), np.zeros((0, 3), int)):
        with pytest.raises(ValueError):
            game.tiles = wrong
    with pytest.raises(ValueError):
        game.resize(0, 5)
    with pytest.raises(ValueError):
        game.resize(2**40, 5)


def test_kinds_of_physics(made: teemap.Map) -> None:
    group = made.groups["Game"]
    for kind, names in (("tele", ("number", "type")), ("speedup", ("force", "max_speed", "type", "pad", "angle")),
                        ("switch", ("number", "type", "flags", "delay")), ("tune", ("number", "type"))):
        assert getattr(made.physics, kind) is None
        layer = group.layers.add_tiles(kind)
        layer.tiles["type"][1, 2] = 7
        assert layer.tiles.dtype.names == names and getattr(made.physics, kind) is layer
        assert layer.tiles["type"].sum() == 7
    with pytest.raises(AttributeError):
        made.physics.quads


def test_numpy_is_imported_with_the_first_array() -> None:
    """`import teemap` took 117 ms, 97 of them for numpy."""
    code = """if True:
        import sys, teemap
        map = teemap.Map.new(5, 5)
        assert "numpy" not in sys.modules
        assert map.physics.game.tiles.shape == (5, 5) and "numpy" in sys.modules"""
    subprocess.run([sys.executable, "-c", code], check=True)
