# SPDX-License-Identifier: Zlib
"""What is written ends with the verdict of DDNet's loader, and lint has it, too."""
import io
from collections.abc import Callable
from pathlib import Path

import pytest

import teemap


def gameless() -> teemap.Map:
    map = teemap.Map.new(7, 5)
    map.groups[0].layers.add("tiles", 3, 2)
    del map.groups[0].layers[0]
    return map


def front_smaller() -> teemap.Map:
    map = teemap.Map.new(7, 5)
    map.groups[0].layers.add("front", 6, 5)
    return map


@pytest.mark.parametrize("make, reason", [
    (lambda: teemap.Map.new(7, 5), ""),
    (front_smaller, "fewer than the game layer's 7 x 5"),
    (gameless, "there is no game layer"),
    (lambda: teemap.Map.new(), "there is no game layer"),
])
def test_saving_and_lint_tell_what_ddnet_refuses(make: Callable[[], teemap.Map], reason: str, tmp_path: Path) -> None:
    """Saving a map that no game opens had no finding, and lint of Python none that lint of the command line has."""
    data = io.BytesIO()
    for findings in (make().save(data), make().save(tmp_path / "a.map"), make().save(tmp_path / "b.map", rewrite=True)):
        told = [one for one in findings if one.id == "not-for-ddnet"]
        assert [one.severity for one in told] == ["error"] * bool(reason)
        assert not reason or reason in told[0].text and "DDNet 20.1 refuses" in told[0].text
    for source in (make(), teemap.open(data.getvalue())):
        assert [reason in one.text for one in source.lint() if one.id == "not-for-ddnet"] == [True] * bool(reason)
    again = teemap.open(data.getvalue())
    for author in ("", "me"):
        again.info.author = author
        assert [one.id for one in again.save(tmp_path / "c.map")] == ["not-for-ddnet"] * bool(reason)
        assert bool(author) == ((tmp_path / "c.map").read_bytes() != data.getvalue())


@pytest.mark.parametrize("game", ["ddnet", "teeworlds06", "teeworlds07"])
def test_saving_for_a_game_repairs_what_it_refuses(made: teemap.Map, game: str, tmp_path: Path) -> None:
    made.groups[0].name = "near"
    made.envelopes[0].name = "a"
    before = made.to_bytes()
    made.path = None
    data = io.BytesIO()
    findings = made.save(tmp_path / "x.map", game=game)
    assert made.path == str(tmp_path / "x.map")
    assert made.game == "ddnet" and made.to_bytes() == before  # the map stays as it was
    assert "not-for-ddnet" not in [one.id for one in findings]
    assert bool([one for one in findings if one.id.startswith("lost-")]) == (game != "ddnet")
    assert teemap.open(tmp_path / "x.map", mode="strict").game == game
    assert [one.id for one in made.save(data, game=game)] == [one.id for one in findings]
    assert data.getvalue() == made.to_bytes(game=game)
    with pytest.raises(ValueError, match="'quake' is no game"):
        made.save(data, game="quake")


def test_a_name_cut_inside_a_character_is_repaired_for_a_game() -> None:
    """DDNet refuses it; it was written for DDNet without a word."""
    cut = teemap.open(renamed("Zoé"))
    out = io.BytesIO()
    assert [one.id for one in cut.lint() if one.id == "not-for-ddnet"] == ["not-for-ddnet"]
    assert "repaired" in [one.id for one in cut.save(out, game="ddnet")]
    assert teemap.open(out.getvalue(), mode="strict").groups[0].layers[1].name == "Zo"


def renamed(name: str) -> bytes:
    """A map whose second layer has this name without its last byte: an int is four bytes, backwards, with 128 added."""
    map = teemap.Map.new(7, 5)
    map.groups[0].layers.add("tiles", 3, 2).name = name
    whole, cut = (bytes(byte ^ 0x80 for byte in word.ljust(4, b"\0")) for word in (name.encode(), name.encode()[:-1]))
    data = map.to_bytes()
    assert data.count(whole[::-1]) == 1
    return data.replace(whole[::-1], cut[::-1])
