# SPDX-License-Identifier: Zlib
"""What surprised people who wrote their first scripts: each row was accepted and did something else, or was refused without a reason."""
import functools
import io
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teemap
from conftest import make_map


@pytest.mark.parametrize("value", ["sv_deepfly 1", ""])
def test_one_text_is_no_list_of_settings(made: teemap.Map, value: str) -> None:
    """It became a setting for each letter."""
    before = list(made.settings)
    with pytest.raises(TypeError, match="list of commands"):
        setattr(made, "settings", value)
    with pytest.raises(TypeError):
        made.settings[:] = value
    with pytest.raises(TypeError):
        made.settings.extend(value)
    with pytest.raises(TypeError):
        made.settings += value
    assert list(made.settings) == before


def test_a_setting_is_one_line(made: teemap.Map) -> None:
    before = list(made.settings)
    puts: list[Any]
    for wrong in ("a\nb", "a\rb", "sv_hit 0\n"):
        puts = [lambda: made.settings.append(wrong), lambda: made.settings.insert(0, wrong), lambda: made.settings.extend(["ok", wrong]),
                lambda: made.settings.__setitem__(0, wrong), lambda: setattr(made, "settings", [wrong])]
        for put in puts:
            with pytest.raises(ValueError, match="one command"):
                put()
    assert list(made.settings) == before
    made.settings += ["sv_hit 0"]
    made.settings.extend(["a", "b"])
    assert list(made.settings) == [*before, "sv_hit 0", "a", "b"]


def test_misspelled_attributes_are_refused(made: teemap.Map) -> None:
    """They were kept in Python, and not in the map."""
    owners: list[Any] = [made, made.info, made.settings, made.images, made.images[0], made.groups, made.groups[0], made.layers, made.layers[0],
                         made.envelopes[0], made.sounds[0], made.physics, made.physics.game, made.edit, made.layers["Sky"]]
    for owner in owners:
        with pytest.raises(AttributeError):
            owner.setings = []
    with pytest.raises(AttributeError, match="add a layer"):
        setattr(made.physics, "tele", made.physics.game)


def test_representations_say_what_it_is(made: teemap.Map) -> None:
    made.info.author = "Anna"
    shown = {repr(one) for one in (made.groups, made.physics, made.info, made.layers, made.images, made.groups[0], made.settings, made)}
    assert not any(" at 0x" in one for one in shown), shown
    assert repr(made.info) == "<teemap info author='Anna'>" and repr(made.physics) == "<teemap physics: game 1/0>"
    assert repr(made.groups) == "[<teemap group 0 'Back'>, <teemap group 1 'Game'>]"
    assert repr(teemap.Map.new().physics) == "<teemap physics: none>" and repr(teemap.Map.new().info) == "<teemap info empty>"


def test_open_files_and_with(made: teemap.Map, tmp_path: Path) -> None:
    file = io.BytesIO()
    made.save(file)
    assert file.getvalue() == made.to_bytes() and made.path is None
    with open(tmp_path / "a.map", "wb") as out:
        made.save(out, recompress=True)
    with teemap.open(tmp_path / "a.map") as map:
        assert map.equal(made)
    assert map.size == (50, 30)
    for wrong in (3, [b""], object()):
        with pytest.raises(TypeError):
            made.save(wrong)  # type: ignore[arg-type]


def test_masks(made: teemap.Map) -> None:
    game = made.physics.game
    assert game is not None
    mask = np.zeros((30, 50), bool)
    mask[3:5, 7] = True
    game.tiles = mask
    assert game.tiles["index"][3, 7] == 1 and game.tiles["index"].sum() == 2
    game.tiles["index"][mask] = teemap.tiles.FREEZE
    assert (game.mask("freeze") == mask).all() and game.mask("freeze").dtype == bool and not game.mask("solid").any()
    assert game.mask("freeze", "air").all() and (made.mask("freeze") == mask).all()
    assert made.mask("air", layer="Back/Walls").shape == (30, 50)
    with pytest.raises(ValueError):
        made.mask("freeze", layer="Sky")
    with pytest.raises(teemap.Error):
        game.mask("no such tile")


def test_names_of_tiles() -> None:
    tiles = teemap.tiles
    assert (tiles.AIR, tiles.SOLID, tiles.DEATH, tiles.UNHOOKABLE, tiles.FREEZE, tiles.START, tiles.FINISH) == (0, 1, 2, 3, 9, 33, 34)
    assert tiles.FLIP_X == 1 and "FREEZE" in tiles.__all__ and "freez" in str(tiles.about("game", 9)) and tiles.about("game", 255) is None
    with pytest.raises(AttributeError):
        tiles.FREZE  # type: ignore[attr-defined]
    with pytest.raises(ValueError):
        tiles.about("nothing", 9)


def test_a_table_of_tiles(made: teemap.Map) -> None:
    pytest.importorskip("pyarrow")
    game = made.physics.game
    assert game is not None
    game.tiles["index"][3, 7], game.tiles["flags"][3, 7] = 9, 8
    switch = made.groups["Game"].layers.add_tiles("switch")
    switch.channels[1, 2] = 5, 22, 1, 9
    rows = made.tiles_table().to_pylist()
    assert len(rows) == 2 and made.tiles_table("design").num_rows == 0 and made.tiles_table("physics").num_rows == 2
    assert {name: value for name, value in rows[0].items() if value is not None} == {
        "layer": "1/0", "name": "Game", "kind": "game", "x": 7, "y": 3, "index": 9, "flags": 8}
    assert (rows[1]["kind"], rows[1]["x"], rows[1]["number"], rows[1]["index"], rows[1]["delay"]) == ("switch", 2, 5, 22, 9)


def test_arguments_that_are_not_there_name_the_called_function(made: teemap.Map) -> None:
    calls: dict[str, Any] = {"render": made.render, "thumbnail": made.thumbnail, "animate": made.animate, "renderer": made.renderer}
    for name, call in calls.items():
        with pytest.raises(TypeError, match=rf"^{name}\(\) has no argument 'sise'"):
            call(sise=(30, 20))
    with pytest.raises(TypeError, match=r"^views\(\) has no argument 'sise': is it 'size'\?"):
        made.views([(1, 2)], sise=(30, 20))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^animate\(\) has no argument"):
        made.renderer().animate((1, 2), zom=2)
    draws: list[Any] = [made.render, functools.partial(made.views, [(1, 2)]), made.thumbnail, made.renderer().draw]
    sizes: list[Any] = [(-1, 1), (0, 5), (5, 2**31), (5,), "ab", None, (1.5, 2)]
    for size in sizes:
        for draw in draws:
            with pytest.raises(ValueError, match="size|large"):
                draw(size=size)


def test_options_are_the_same_everywhere(made: teemap.Map) -> None:
    renderer = made.renderer(layers="design", entities=True)
    picture = renderer.views([(5, 5)], zoom=2, threads=1, size=(40, 30))
    assert (picture == made.views([(5, 5)], zoom=2, threads=1, size=(40, 30), layers="design", entities=True)).all()
    assert (picture[0] == renderer.draw((5, 5), zoom=2, threads=1, size=(40, 30))).all()
    assert made.animate((5, 5), seconds=0.1, size=(16, 9), threads=1, entities=True) and renderer.threads is None
    merged = teemap.merge(made, made.copy(), made.copy(), take={"physics": "ours"})
    assert merged.map.equal(teemap.merge(made, made.copy(), made.copy(), take_={"physics": "ours"}).map)


def test_references_by_name(made: teemap.Map) -> None:
    walls = made.layers["Walls"]
    assert isinstance(walls, teemap.TileLayer)
    walls.image = "grass_main"
    assert walls.image is made.images["grass_main"]
    walls.color_envelope = "sun"
    assert walls.color_envelope is made.envelopes["sun"]
    walls.image = "image/0"
    assert walls.image is made.images["pic"]
    made.images.add("image/0")  # a name is looked for first
    walls.image = "image/0"
    assert walls.image is made.images[2]
    with pytest.raises(ValueError):
        walls.image = "no such image"
    assert made.groups["Back"].layers.add("tiles", image="pic")


def test_automap_takes_its_words_in_order(made: teemap.Map) -> None:
    """It said: takes 1 positional argument but 2 were given."""
    try:
        made.automap("Back/Walls", images=teemap.Images(system=False))
    except teemap.Error as error:
        assert "positional" not in str(error)
    rules = b"[Name]\nIndex 5\nPos 0 0 FULL\n"
    walls = made.layers["Walls"]
    assert isinstance(walls, teemap.TileLayer)
    walls.tiles["index"][2, 3] = 1
    try:
        made.automap("Back/Walls", file=rules)
    except teemap.Error as error:
        assert "rule" in str(error).lower() or "config" in str(error).lower(), error


def test_the_kind_of_a_layer_tells_type_checkers_what_it_has() -> None:
    """mypy and pyright check this function: no isinstance, no cast."""
    for layer in make_map().layers:
        if layer.kind == "quads":
            assert layer.quads.dtype.names
        elif layer.kind == "sounds":
            assert layer.sources is not None
        elif layer.kind == "tiles" or layer.kind == "game":
            assert layer.tiles.shape == (layer.height, layer.width)


def test_what_pickles_and_what_says_why_not(made: teemap.Map) -> None:
    new = made.copy()
    new.edit("fill game@3,4+5x6 freeze")
    patch = made.diff(new)
    again = pickle.loads(pickle.dumps(patch))
    assert again.to_json() == patch.to_json() and str(again) == str(patch)
    again.apply(made)
    assert made.equal(new)
    for one in (made.renderer(), made.layers[0], made.groups[0]):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(one)
    assert pickle.loads(pickle.dumps(made)).equal(made)
    error = pickle.loads(pickle.dumps(teemap.TimeLimitError("it takes long", "cancelled")))
    assert isinstance(error, teemap.TimeLimitError) and error.code == "cancelled"


def test_removed_objects_are_errors_of_every_kind(made: teemap.Map) -> None:
    walls = made.layers["Walls"]
    made.groups["Back"].layers.remove(walls)
    for kind in (ReferenceError, LookupError, teemap.Error, teemap.RemovedError):
        with pytest.raises(kind, match="no longer in its map"):
            walls.name


def test_the_command(tmp_path: Path, made: teemap.Map) -> None:
    made.save(tmp_path / "a.map")
    command = [sys.executable, "-m", "teemap"]
    run = subprocess.run([*command, "info", str(tmp_path / "a.map")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if "built without the command" in run.stderr:
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0 and "50 x 30 tiles" in run.stdout
    assert subprocess.run([*command, "info", "none.map"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False).returncode == 2
    script = os.path.join(os.path.dirname(sys.executable), "teemap")
    if os.path.exists(script):
        version = subprocess.run([script, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        assert teemap.__version__ in version


def test_scripts_of_twmap_run_as_they_are(tmp_path: Path, made: teemap.Map) -> None:
    made.save(tmp_path / "a.map")
    (tmp_path / "script.py").write_text(
        "import sys, twmap\nfrom importlib.metadata import version\n"
        "print(version('twmap'), twmap.Map(sys.argv[1]).game_layer().width(), __name__)\n", encoding="utf-8")
    run = subprocess.run([sys.executable, "-m", "teemap.twmap", str(tmp_path / "script.py"), str(tmp_path / "a.map")],
                         stdout=subprocess.PIPE, text=True, check=True)
    assert run.stdout == "0.6.6 50 __main__\n"
