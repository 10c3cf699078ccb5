# SPDX-License-Identifier: Zlib
"""teemap.twmap has the interface of twmap 0.6.6, and copies where twmap copies."""
from pathlib import Path

import numpy as np
import pytest

import teemap.twmap as twmap


def test_tiles_are_copies_as_those_of_twmap(tmp_path: Path) -> None:
    """They were views: what a script wrote to a copy was in the map, and putting a kept copy back restored nothing."""
    map = twmap.Map.empty("DDNet06")
    layer = map.groups.new_physics().layers.new_game(20, 10)
    layer.tiles[3, 4, 0] = 9  # lost, as with twmap
    kept, tiles = layer.tiles, layer.tiles
    assert kept.max() == 0 and kept.flags.writeable and kept.flags.c_contiguous and kept is not tiles
    tiles[3, 4, 0] = 9
    assert layer.tiles.max() == kept.max() == 0
    layer.tiles = tiles
    tiles[0, 0] = 77, 1  # after that it is the script's own again
    assert layer.tiles[3, 4].tolist() == [9, 0] and layer.tiles[0, 0].tolist() == [0, 0]
    map.save(tmp_path / "a.map")
    again = twmap.Map(tmp_path / "a.map")
    assert again.game_layer().tiles[3, 4].tolist() == [9, 0] and again.game_layer().kind() == "Game"
    layer.tiles = kept
    assert layer.tiles.max() == 0
    tiles = again.game_layer().tiles
    tiles[0, 0] = 1, 8
    again.game_layer().tiles = tiles
    assert twmap.Map.from_bytes(again.to_bytes()).game_layer().tiles[0, 0].tolist() == [1, 8]
    again.rotate()  # arrays that were taken before keep what they had
    tiles[...] = 77
    assert tiles.shape == (10, 20, 2) and again.game_layer().tiles.max() == 9
    assert (again.game_layer().width(), again.game_layer().height()) == (10, 20)


def test_everything_that_is_read_is_a_copy() -> None:
    """A table of all that twmap gives: changing it changes nothing in the map."""
    map = twmap.Map.empty("DDNet06")
    physics = map.groups.new_physics()
    physics.layers.new_game(4, 3)
    image = map.images.new_from_data("x", np.full((3, 4, 4), 5, np.uint8))
    group = map.groups.new()
    quad, source = group.layers.new_quads().quads.new(1, 2, 3, 4), group.layers.new_sounds().sources.new()
    source.shape = 3, 4
    sound, point = map.sounds.new_from_data("x", b"12"), map.envelopes.new("Position").points.new(0)
    map.info.settings = ["a", "b"]
    layers = [physics.layers.new_physics(kind) for kind in ("Tele", "Switch", "Speedup", "Tune")]
    arrays = [(layer, "tiles") for layer in [*layers, physics.layers[0], group.layers.new_tiles(3, 2)]] + [(image, "data")]
    for owner, name in arrays:
        before = getattr(owner, name).tolist()
        changed = getattr(owner, name)
        changed[...] = 3
        changed[1, 2] = 1
        assert getattr(owner, name).tolist() == before, (owner, name)
        setattr(owner, name, changed)
        stored = getattr(owner, name).tolist()
        changed[...] = 9
        assert getattr(owner, name).tolist() == stored, (owner, name)
    lists = [(quad, "corners", (9, 9)), (quad, "colors", (1, 1, 1, 1)), (quad, "texture_coords", (9, 9)), (map.info, "settings", "z")]
    for owner, name, value in lists:
        before = list(getattr(owner, name))
        getattr(owner, name)[0] = value
        assert isinstance(getattr(owner, name), list) and getattr(owner, name) == before, name
    for owner, name in ((quad, "position"), (source, "position"), (source, "shape"), (point, "content")):
        assert isinstance(getattr(owner, name), tuple)
    assert isinstance(sound.data, bytes)


def test_groups_layers_and_images() -> None:
    map = twmap.Map.empty("DDNet06")
    group = map.groups.new()
    group.offset_x, group.clip_width, group.clipping = 1.5, 3, True
    assert (group.offset_x, group.clip_width, group.clipping, group.is_physics_group()) == (1.5, 3, True, False)
    layer = group.layers.new_tiles(5, 4)
    map.images.new_external("grass_main")
    layer.image, layer.color = 0, (1, 2, 3, 4)
    assert (layer.image, layer.color, layer.kind(), layer.tiles.shape, layer.detail) == (0, (1, 2, 3, 4), "Tiles", (4, 5, 2), False)
    assert layer == map.groups[0].layers[0] and layer in group.layers and len(group.layers) == 1
    with pytest.raises(AttributeError):
        layer.quads
    game = map.groups.new_physics().layers.new_game(4, 4)
    assert not hasattr(game, "image")
    speedup = map.groups[1].layers.new_physics("Speedup")
    values = speedup.tiles.copy()
    values[1, 2] = 5, 6, 28, 270
    speedup.tiles = values
    assert map.speedup_layer() == speedup and speedup.tiles.dtype == np.int16 and speedup.tiles[1, 2].tolist() == [5, 6, 28, 270]
    speedup.tiles[0, 3] = 7, 8, 29, -5  # lost, as with twmap
    values[1, 2, 0] = 99
    assert speedup.tiles[0, 3].tolist() == [0] * 4
    assert speedup.tiles[1, 2].tolist() == [5, 6, 28, 270]
    image = map.images.new_from_data("x", np.zeros((3, 4, 4), np.uint8))
    assert (image.width(), image.height(), image.is_embedded()) == (4, 3, True)
    image.data[...] = 7
    assert map.images[1].data.max() == 0
    with pytest.raises(AttributeError):  # a misspelled attribute was kept at the object
        image.date = 7
    assert map.remove_unused_images() == (0, 1) and map.tele_layer() is None and map.version() == "DDNet06"


def test_envelopes_quads_and_sources() -> None:
    map = twmap.Map.empty("DDNet06")
    points = map.envelopes.new("Position").points
    point = points.new(500)
    points.new(100)
    assert [one.time for one in points] == [100, 500] and points[1].content == (0, 0, 0) and point.curve == "Linear"
    points[1].x, points[1].curve = 2.5, "Bezier"
    assert map.envelopes[0].points[1].content == (2.5, 0, 0) and map.envelopes[0].points[1].handle_l_x == (0, 0, 0)
    assert map.envelopes.new("Sound").points.new(1).content == 1.0
    group = map.groups.new()
    quads = group.layers.new_quads().quads
    quad = quads.new(3, 4, 2, 1)
    assert quad.corners == [(2, 3.5), (4, 3.5), (2, 4.5), (4, 4.5)] and quad.position_env is None
    quad.position_env, quad.position = 0, (1.5, 8)
    quads.append(quad)
    assert len(quads) == 2 and quads[1].position == (1.5, 8) and quads[1].position_env == 0
    del quads[0]
    assert len(group.layers[0].quads) == 1
    source = group.layers.new_sounds().sources.new()
    assert source.shape == 1500 / 32 and source.looping and source.falloff == 80
    source.shape = 3, 4
    assert group.layers[1].sources[0].shape == (3, 4)


def test_things_go_from_map_to_map() -> None:
    map, other = twmap.Map.empty("DDNet06"), twmap.Map.empty("DDNet06")
    map.images.new_external("grass_main")
    map.groups.new().layers.new_tiles(3, 3).image = 0
    group = other.groups.append(map.groups[0])
    assert other.images[0].name == "grass_main" and group.layers[0].image == 0
    other.groups.insert(0, map.groups[0])
    assert len(other.groups) == 2


def test_errors() -> None:
    with pytest.raises(OSError):
        twmap.Map("/none/at/all.map")
    with pytest.raises(twmap.MapError):
        twmap.Map.from_bytes(b"no map")
    with pytest.raises(IndexError):
        twmap.Map.empty("DDNet06").groups[0]
    with pytest.raises(TypeError):  # AttributeError it was, which scripts that try names do not expect
        twmap.Map.empty("DDNet06").groups["Game"]
    with pytest.raises(ValueError):
        twmap.Map.empty("Quake")


def test_what_a_camera_sees() -> None:
    width, height = twmap.camera_dimensions(16 / 9)
    assert round(width, 2) == 44.68 and round(height, 2) == 25.13
    assert twmap.max_camera_dimensions()[0] == 46.875


def test_meshes() -> None:
    layer = twmap.Map.empty("DDNet06").groups.new().layers.new_tiles(2, 1)
    tiles = layer.tiles
    tiles[0, 1] = 17, 0
    layer.tiles = tiles
    vertices, faces, places = layer.to_mesh()
    assert vertices == [(1, 0), (2, 0), (2, -1), (1, -1)] and faces == [[0, 1, 2, 3]]
    assert places == [[(1 / 16, 15 / 16), (2 / 16, 15 / 16), (2 / 16, 14 / 16), (1 / 16, 14 / 16)]]


def test_maps_that_it_opens_are_written_as_they_are(real: bytes) -> None:
    try:
        map = twmap.Map.from_bytes(real)
    except twmap.MapError:
        return
    assert map.to_bytes() == real
    for group in map.groups:
        for layer in group.layers:
            assert layer.kind() and layer.name is not None


def test_scripts_that_know_twmaps_order_of_speedups() -> None:
    """twmap gives [force, max_speed, id, angle] and takes [id, force, max_speed, angle]: public scripts turn their arrays."""
    group = twmap.Map.empty("DDNet06").groups.new_physics()
    group.layers.new_game(3, 2)
    layer = group.layers.new_physics("Speedup")
    values = layer.tiles
    values[1, 1] = 10, 20, 28, 180
    layer.tiles = np.ascontiguousarray(values[..., [2, 0, 1, 3]])
    assert layer.tiles[1, 1].tolist() == [10, 20, 28, 180] and layer._of.tiles["type"][1, 1] == 28
    layer.tiles = np.array(layer.tiles)  # as it was given
    assert layer.tiles[1, 1].tolist() == [10, 20, 28, 180]


def test_names_and_values_that_public_scripts_use(tmp_path: Path) -> None:
    map = twmap.Map.empty("DDNet06")
    assert map.game_layer() is None and map.physics_group() is None
    envelope = map.envelopes.new("Color")
    assert not envelope.synchronized
    point = envelope.points.new(0)
    point.curve, point.handle_l_x = "Bezier", (1, 0.5, 0, 0)
    assert point.handle_l_x == (1, 0.5, 0, 0) and map._of.envelopes[0].points["out_dx"][0].tolist() == [1024, 512, 0, 0]
    point.handle_r_x = 3, 4, 5, 6  # in front of the next point, which is not there yet
    envelope.points.new(100)
    envelope.points.new(200).curve = "Bezier"
    for one in (map, twmap.Map.from_bytes(map.to_bytes())):
        assert [row.tolist() for row in one._of.envelopes[0].points["in_dx"]] == [[0] * 4, [3072, 4096, 5120, 6144], [0] * 4]
        assert one.envelopes[0].points[0].handle_r_x == (3, 4, 5, 6) and one.envelopes[0].points[2].handle_r_x == (0, 0, 0, 0)
    del envelope.points[1]
    assert map._of.envelopes[0].points["in_dx"].tolist() == [[0] * 4, [3072, 4096, 5120, 6144]]
    layer = map.groups.new().layers.new_tiles(3, 3)
    assert layer.color_env is None and layer.color_env_offset is None
    layer.color_env, layer.color_env_offset = 0, 5
    assert (layer.color_env, layer.color_envelope, layer.color_envelope_offset) == (0, 0, 5)
    assert map.sounds.new_from_data("x", [1, 2]).data == b"\1\2"
    quads = map.groups[0].layers.new_quads()
    with pytest.raises(ValueError):
        quads.width()
    quad = quads.quads.new(0, 0, 1, 1)
    for name, wrong in (("colors", (1, 2, 3, 4)), ("colors", [(1, 2, 3, 400)] * 4), ("corners", [(0, 0)]), ("color", 1)):
        with pytest.raises((ValueError, OverflowError, AttributeError)):
            setattr(quad, name, wrong)
    group = map.groups.new_physics()
    group.name = ""
    game = group.layers.new_game(3, 3)
    game._of.name = ""
    assert (group.name, game.name) == ("Game", "Game")
    for kind in ("tele", "Tiles", "Nothing"):
        with pytest.raises(ValueError):
            group.layers.new_physics(kind)
    with pytest.raises(FileNotFoundError):
        map.images.new_from_ddnet("no such image")
    (tmp_path / "x.png").write_bytes(b"no picture")
    assert isinstance(quad, twmap.Quad) and isinstance(group.layers, twmap.Layers) and isinstance(point, twmap.ColorEnvPoint)
    assert all(hasattr(twmap, name) for name in twmap.__all__) and len(twmap.__all__) == 25  # those of twmap.__all__
    for name, shown in (("a\udcff", "a\ufffd"), ("\udc80" * 5, "")):
        envelope.name = map.info.author = name
        assert envelope.name == map.info.author == shown and map._of.info.author == name
    for error in (ValueError, twmap.MapError):
        with pytest.raises(error):
            map.images.new_from_file(tmp_path / "x.png")
    map.save_dir(tmp_path / "folder")
    assert twmap.Map(tmp_path / "folder").game_layer().width() == 3


def test_what_scripts_of_twmap_would_miss() -> None:
    map = twmap.Map.empty("DDNet06")
    with pytest.raises(AttributeError):  # used to be kept at the object, and not in the map
        map.author = "Anna"  # type: ignore[attr-defined]
    with pytest.raises(TypeError):  # used to become a setting for each letter
        map.info.settings = "sv_deepfly 1"
    group = map.groups.new()
    with pytest.raises(TypeError):  # used to be a layer of the usual size
        group.layers.new_tiles(None, 4)
    quads, sources = group.layers.new_quads().quads, group.layers.new_sounds().sources
    quad = quads.new(1.95, 2, 1.9, 1.9)  # corners used to lie up to 1/32768 tile beside those of twmap
    assert [round(one * 32768) for corner in quad.corners[::3] for one in corner] == [32769, 34407, 95027, 96665]
    assert quads.new(1, 1, -2, 2).corners[0] == (2, 0)
    source = sources.new()
    for thing, field, value in ((quad, "colors", [(-1, 0, 0, 0)] * 4), (source, "falloff", 256), (source, "falloff", -1)):
        with pytest.raises(OverflowError):  # used to be stored
            setattr(thing, field, value)


def test_maps_of_teeworlds_take_what_ddnet_has(real: bytes) -> None:
    """Layers and settings that a script added to a map of Teeworlds 0.6 were lost when it was saved; twmap saves them."""
    try:
        map = twmap.Map.from_bytes(real)
    except twmap.MapError:
        return
    group = map.physics_group()
    if map.version() != "DDNet06" or group is None or map.tele_layer() is not None or len(real) > 200000:
        return
    try:
        group.layers.new_physics("Tele")
        map.info.settings = ["sv_deepfly 1"]
        again = twmap.Map.from_bytes(map.to_bytes())
    except twmap.MapError:
        return
    assert again.tele_layer() is not None and again.info.settings == ["sv_deepfly 1"]


def test_clips_below_0_read_as_0() -> None:
    """Scripts that copy groups read a width that cannot be set; twmap gives 0."""
    map = twmap.Map.empty("DDNet06")
    group = map.groups.new()
    group.clip_x = -3
    with pytest.raises((ValueError, twmap.MapError)):
        group.clip_width = -1
    data = bytearray(map.to_bytes())
    version, parallax = (3).to_bytes(4, "little"), (100).to_bytes(4, "little") * 2
    places = [i for i in range(0, len(data) - 56, 4) if bytes(data[i:i + 4]) == version and bytes(data[i + 12:i + 20]) == parallax]
    assert places, "no group of version 3"
    data[places[0] + 40:places[0] + 48] = (-60).to_bytes(4, "little", signed=True) * 2
    damaged = twmap.Map.from_bytes(bytes(data)).groups[0]
    assert (damaged.clip_width, damaged.clip_height) == (0, 0) and damaged._of.clip_width == -60
    group.clip_width = damaged.clip_width
