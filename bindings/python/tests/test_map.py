# SPDX-License-Identifier: Zlib
"""Maps, objects and fields."""
import copy
import io
import pickle
import struct
import threading
from pathlib import Path

import numpy as np
import pytest

import teemap


def test_open_takes_paths_bytes_and_files(made: teemap.Map, tmp_path: Path) -> None:
    path = tmp_path / "a.map"
    made.save(path)
    data = path.read_bytes()
    assert made.to_bytes() == data
    for source in (path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert teemap.open(source).equal(made)


def test_saving_an_unchanged_map_gives_its_bytes(real: bytes) -> None:
    try:
        map = teemap.open(real)
    except teemap.InputError as error:
        assert error.code == "damaged" and error.side == "input" and "offset" in str(error)
        return
    assert map.to_bytes() == real


def test_small_files_are_saved_without_a_thread(made: teemap.Map, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting one took three times as long as saving."""
    data = made.to_bytes()
    map, other = teemap.open(data), teemap.open(data)
    assert other.physics.game is not None
    other.physics.game.tiles["index"][3, 4] = 9
    monkeypatch.setattr(threading, "Thread", None)
    assert map.to_bytes() == data
    with pytest.raises(TypeError):  # what was changed is packed, which may take long
        other.to_bytes()
    monkeypatch.undo()
    assert teemap.open(other.to_bytes()).find("freeze")[0].count == 1


def test_errors_say_what_and_where(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        teemap.open(tmp_path / "none.map")
    assert isinstance(missing.value, teemap.Error) and missing.value.path.endswith("none.map")
    with pytest.raises(teemap.Error) as damaged:
        teemap.open(b"DATA")
    assert isinstance(damaged.value, ValueError) and damaged.value.code == "damaged"
    again = pickle.loads(pickle.dumps(damaged.value))
    assert str(again) == str(damaged.value) and again.code == "damaged"
    with pytest.raises(ValueError, match="'fast' is no mode"):
        teemap.open(b"", mode="fast")


def test_fields_are_attributes(made: teemap.Map) -> None:
    group, walls = made.groups["Back"], made.layers["Back/Walls"]
    assert isinstance(walls, teemap.TileLayer)
    group.parallax_x = 50
    assert group.parallax_x == 50 and walls.group is group
    assert walls.image is made.images["pic"] and walls.color == (255, 255, 255, 255)
    walls.color = "#ff8000cc"
    assert walls.color == (255, 128, 0, 204)
    walls.color = (1, 2, 3, 4)
    walls.image = None
    walls.color_envelope = made.envelopes[0]
    assert walls.color == (1, 2, 3, 4) and walls.image is None and walls.color_envelope is made.envelopes["sun"]
    made.info.author = "Anna \udcff"  # what is no UTF-8 stays as it is
    assert teemap.open(made.to_bytes()).info.author == "Anna \udcff"
    assert "percent" in (type(group).parallax_x.__doc__ or "") or "%" in (type(group).parallax_x.__doc__ or "")


def test_wrong_values_are_told(made: teemap.Map) -> None:
    walls = made.layers["Walls"]
    assert isinstance(walls, teemap.TileLayer)
    with pytest.raises(ValueError, match="ddnet teeworlds06 teeworlds07"):
        made.game = "quake"  # type: ignore[assignment]
    with pytest.raises(ValueError, match="image"):
        walls.image = 17
    with pytest.raises(ValueError, match="image"):
        walls.image = teemap.Map.new(3, 3).images.add("other")
    for wrong in ((1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, 2**40)):
        with pytest.raises((ValueError, OverflowError, IndexError)):
            walls.color = wrong
    with pytest.raises(TypeError):
        walls.color_envelope_offset = 1.5  # type: ignore[assignment]
    with pytest.raises(AttributeError):
        made.images.add("x", colour=3)
    assert len(made.images) == 2
    with pytest.raises(IndexError):
        made.images[2]
    with pytest.raises(IndexError):
        made.images[-3]
    with pytest.raises(IndexError):
        made.images[2**70]
    with pytest.raises(KeyError):
        made.layers["nothing"]
    with pytest.raises(TypeError):
        made.images[1.0]  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="not int"):
        teemap.open(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'rb'"):
        teemap.open(io.StringIO("DATA"))  # type: ignore[arg-type]


def test_objects_stay_themselves_and_end_when_removed(made: teemap.Map) -> None:
    game, walls = made.physics.game, made.layers["Walls"]
    assert game is not None and made.layers[-1] is game
    made.groups.insert(0, "First")
    assert walls.address == "1/0" and made["1/0"] is walls
    made.groups.move(made.groups["First"], 2)
    assert walls.address == "0/0" and game.address == "1/0"
    del made.groups[0]
    for use in (lambda: walls.name, lambda: walls.address, lambda: setattr(walls, "name", "x")):
        with pytest.raises(ReferenceError):
            use()
    assert "removed" in repr(walls) and game.address == "0/0"
    with pytest.raises(ReferenceError):
        made.groups[0].layers.remove(walls)


def test_settings_are_a_list_that_writes_through(made: teemap.Map) -> None:
    made.settings.append("sv_hit 0")
    made.settings[0] = "sv_deepfly 0"
    del made.settings[1]
    assert made.info.settings == ["sv_deepfly 0", "sv_hit 0"] == list(teemap.open(made.to_bytes()).settings)
    assert "sv_hit 0" in made.settings and made.settings[-1:] == ["sv_hit 0"]
    with pytest.raises(TypeError):
        made.settings.append(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        made.settings.append("a\0b")


def test_copies_and_pickles_are_their_own(made: teemap.Map) -> None:
    for other in (made.copy(), copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other.equal(made)
        other.info.author = "somebody"
        assert not other.equal(made) and made.info.author == ""
    with pytest.raises(TypeError, match="pickle its map"):
        pickle.dumps(made.images[0])


def test_objects_come_from_other_maps(made: teemap.Map) -> None:
    other = teemap.Map.new(20, 20)
    layer = other.groups[0].layers.take(made.layers["Walls"])
    data = other.to_bytes()
    del made
    assert isinstance(layer, teemap.TileLayer) and layer.image is other.images["pic"]
    assert other.to_bytes() == data and teemap.open(data).images[0].pixels is not None


def test_images_sounds_and_envelopes(made: teemap.Map) -> None:
    assert made.images["grass_main"].pixels is None and made.images["grass_main"].external
    made.images["pic"].pixels = np.zeros((4, 6, 3), np.uint8)
    pixels = made.images["pic"].pixels
    assert pixels is not None and pixels.shape == (4, 6, 4) and (pixels[..., 3] == 255).all()
    for wrong in (np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4)), "text"):
        with pytest.raises(ValueError):
            made.images["pic"].pixels = wrong
    assert made.sounds[0].data == b"OggS not really"
    sun = made.envelopes["sun"]
    points = np.zeros(2, sun.points.dtype)
    points["time"], points["values"][1], points["curve"] = [0, 1000], 1024, 1
    sun.points = points
    assert sun.evaluate(500) == (0.5,) * 4
    with pytest.raises(ValueError):
        sun.points["time"] = 3  # a copy, which says so


def test_threads_take_turns(made: teemap.Map) -> None:
    def work(number: int) -> None:
        for _ in range(50):
            made.settings.append(f"echo {number}")
            made.groups.add(f"{number}")
            assert made.layers["Game"].name and made.to_bytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made.groups) == 202


def test_a_text_that_could_not_be_read_is_not_none(made: teemap.Map) -> None:
    """It was None, saved as none by to_bytes(rewrite=True), and equal to none."""
    made.info.author = "Somebody of eighteen"
    made.settings = ["sv_team 1"]
    data = bytearray(made.to_bytes())
    types, items, blocks = struct.unpack_from("<3i", data, 16)
    sizes = 36 + 12 * types + 4 * items + 4 * blocks
    for text, size in ((made.info.author, 70_000), ("sv_team 1", 2_000_000)):
        at = sizes + 4 * struct.unpack_from(f"<{blocks}i", data, sizes).index(len(text) + 1)
        struct.pack_into("<i", data, at, size)  # more than any text has
    map = teemap.open(bytes(data))
    assert map.info.unread == ("author", "settings") and made.info.unread == ()
    with pytest.raises(teemap.UnreadError):
        map.info.author
    with pytest.raises(teemap.UnreadError):
        len(map.settings)
    with pytest.raises(teemap.InputError, match="could not be read"):
        map.info.author = "Anna"
    with pytest.raises(teemap.InputError, match="could not be read"):
        map.settings = ["sv_team 2"]
    assert "could not be read" in repr(map.settings) and "author='(unread)'" in repr(map.info)
    assert map.to_bytes() == bytes(data) and map.copy().to_bytes() == bytes(data) and not map.equal(made)
    assert teemap.open(map.to_bytes(rewrite=True)).info.unread == ("author", "settings")
    map.info.drop_unread()
    map.info.author = "Anna"
    map.settings = ["sv_team 2"]
    assert (map.info.author, list(map.settings)) == ("Anna", ["sv_team 2"])
    assert not map.info.unread
