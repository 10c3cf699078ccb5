# SPDX-License-Identifier: Zlib
"""Checking, repairing, converting, searching, comparing, merging, measuring."""
import json
import os
import struct
import subprocess
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Union

import pytest

import teemap
from conftest import CORPUS


def test_check_and_fix(made: teemap.Map) -> None:
    assert not any(one.refuses for one in made.check())
    walls = made.layers["Walls"]
    made.groups["Game"].layers.remove(made.layers["Game"])
    findings = made.check()
    assert any(one.refuses and one.severity == "error" for one in findings), findings
    assert walls.name == "Walls"


def test_fix_leaves_nothing_that_it_can_fix(real: bytes) -> None:
    try:
        map = teemap.open(real)
    except teemap.Error:
        return
    if len(real) > 300000:
        return
    before = map.check()
    report = map.fix()
    worse = [one for one in report.findings if one.severity != "note"]
    assert len(worse) <= len([one for one in before if one.severity != "note"])


def test_optimize_looks_equal(made: teemap.Map) -> None:
    before = made.copy()
    report = made.optimize(images=True)
    assert report.changes and "grass_main" not in [one.name for one in made.images]
    assert before.looks_equal(made, images=teemap.Images(system=False)) == (True, "")
    assert len(made.packed()) < len(before.to_bytes())
    made.edit.fill("game", "freeze")
    equal, where = before.looks_equal(made)
    assert not equal and where


def test_convert(made: teemap.Map) -> None:
    report = made.convert("teeworlds07", images=teemap.Images(system=False))
    assert made.game == "teeworlds07" and any(one.id == "lost-settings" for one in report.findings)
    assert teemap.open(made.to_bytes(rewrite=True)).game == "teeworlds07"
    with pytest.raises(ValueError, match="is no game"):
        made.convert("quake")


def test_find(made: teemap.Map) -> None:
    made.edit("fill game@3,4+5x6 freeze")
    [match] = made.find("freeze")
    assert (match.address, match.x, match.y, match.width, match.height, match.count) == ("1/0", 3, 4, 5, 6, 30)
    assert made.find("freeze", region=(0, 0, 4, 5))[0].count == 1
    assert not made.find("freeze", layers="Back/Walls")
    with pytest.raises(ValueError):
        made.find("no such tile")
    with pytest.raises(TypeError):
        made.find()
    assert made.numbers("tele").sum() == 0


def test_diff_patch_and_merge(made: teemap.Map) -> None:
    ours, theirs = made.copy(), made.copy()
    ours.edit("fill game@3,4+5x6 freeze\nrename 0 Far")
    theirs.settings.append("sv_hit 0")
    patch = made.diff(ours)
    tiles = next(one for one in patch if one.kind == "tiles")
    assert tiles.regions == [(3, 4, 5, 6)] and tiles.count == 30 and "30 tiles" in str(patch)
    assert patch.mask(tiles)[4:10, 3:8].all() and patch.mask(tiles).sum() == 30
    [(one, region, was, now)] = patch.pictures(*(map.renderer(layers="design", entities=True) for map in (made, ours)), size=(90, 90))
    assert one.number == tiles.number and region == (3, 4, 5, 6) and was.shape == now.shape
    differ = (was != now).any(axis=2)
    [(_, _, plain, _)] = patch.pictures(made.renderer(layers="design"), ours.renderer(), size=(90, 90), marks=False)
    assert (was[..., :3] != plain[..., :3]).any()
    assert not list(patch.pictures(*[teemap.Map.new(3, 3).renderer()] * 2, around=1, places=0))
    assert patch.words(kinds=True).splitlines()[-1] == "    air -> freeze 30" and patch.words(sum_only=True) == "30 tiles, 1 field\n"
    assert differ[differ.shape[0] // 2, differ.shape[1] // 2] and not differ[0].any()
    again = made.copy()
    again.patch(patch.to_json())
    assert again.equal(ours)
    patch.inverted().apply(again)
    assert again.equal(made) and not made.diff(again)
    assert [one.kind for one in patch.narrowed(race=True)] == ["tiles"]
    assert len(patch.narrowed("groups").joined(patch.narrowed("physics"))) == len(patch)
    merged = teemap.merge(made, ours, theirs)
    assert not merged.conflicts and merged.map.settings[-1] == "sv_hit 0" and merged.map.find("freeze")
    theirs.groups[0].name = "*Near*"
    assert "\\*Near\\*" in made.diff(theirs).markdown()
    [conflict] = teemap.merge(made, ours, theirs).conflicts
    assert conflict.open and "*Near*" in str(conflict)
    assert teemap.merge(made, ours, theirs, take_={"groups": "theirs"}).map.groups[0].name == "*Near*"
    with pytest.raises(teemap.Error):
        patch.apply(teemap.Map.new(3, 3))
    with pytest.raises(ValueError):
        teemap.Patch.from_json(b"{}")


def shortened(data: bytes, content: bytes, keep: int) -> bytes:
    """A file whose block with this content holds only its first bytes."""
    types, items, blocks = struct.unpack_from("<3i", data, 16)
    offsets, sizes = 36 + 12 * types + 4 * items, 36 + 12 * types + 4 * items + 4 * blocks
    start = sizes + 4 * blocks + struct.unpack_from("<i", data, 28)[0]
    ends = [*struct.unpack_from(f"<{blocks}i", data, offsets), len(data) - start]
    packed = [data[start + a:start + b] for a, b in zip(ends, ends[1:])]
    [which] = [i for i, one in enumerate(packed) if zlib.decompress(one) == content]
    packed[which] = zlib.compress(content[:keep])
    head, body = bytearray(data[:start]), b"".join(packed)
    struct.pack_into(f"<{blocks}i", head, offsets, *(sum(map(len, packed[:i])) for i in range(blocks)))
    struct.pack_into("<i", head, sizes + 4 * which, keep)
    struct.pack_into("<i", head, 8, len(head) + len(body) - 16)
    struct.pack_into("<i", head, 32, len(body))
    return bytes(head) + body


def test_what_is_not_read_differs_and_is_not_merged_silently(made: teemap.Map) -> None:
    walls = made.layers[0]
    assert isinstance(walls, teemap.TileLayer)
    walls.tiles["index"][1, 2] = 7
    base = teemap.open(made.to_bytes())
    theirs = teemap.open(shortened(base.to_bytes(), walls.tiles.tobytes(), 1200))
    ours = base.copy()
    ours.info.author = "me"
    patch = base.diff(theirs)
    assert len(patch) == 0 and patch and [one.id for one in patch.unread] == ["unread-differs"]
    assert "holds less than its object needs" in str(patch) and "1 unread part" in patch.words(sum_only=True)
    assert not base.diff(base.copy()) and not base.diff(base.copy()).unread
    report = teemap.merge(base, ours, theirs).report
    assert [one.text[:7] for one in report.findings if one.id == "unread-left-out"] == ["theirs:"]


def test_lint_with_rules_of_the_library_of_files_and_in_python(made: teemap.Map, tmp_path: Path) -> None:
    lint = made.lint("ddnet")
    assert "sound-not-opus" in [one.id for one in lint] and "ddnet" in lint.sets
    sound = next(one for one in lint if one.id == "sound-not-opus")
    assert sound.address == "sound/0" and sound.why and sound.how and asdict(sound)["title"]
    assert "sound-not-opus" not in [one.id for one in made.lint("ddnet", choices={"sound-*": "off"})]
    (tmp_path / ".teemap.toml").write_text('[[lint.rule]]\nid = "has-freeze"\nrequire = "1.. freeze"\n', encoding="utf-8")
    assert "has-freeze" in [one.id for one in made.lint(config=tmp_path / ".teemap.toml")]

    def judge(map: teemap.Map) -> Iterator[Union[str, teemap.Found]]:
        yield teemap.Found("tiles", map.physics.game, ((1, 2, 3, 4),))
        if map.info.author == "":
            yield "nobody made it"

    found = [one for one in made.lint(rules=[teemap.Rule("mine", judge, why="Because.", severity="error")]) if one.id == "mine"]
    assert [one.severity for one in found] == ["error"] * 2 and found[-1].places == [(1, 2, 3, 4)] or found[0].places == [(1, 2, 3, 4)]

    def broken(map: teemap.Map) -> list[str]:
        raise ZeroDivisionError("my own")

    with pytest.raises(ZeroDivisionError, match="my own"):
        made.lint(rules=[teemap.Rule("mine", broken)])
    wrong: dict[str, Any]
    for wrong in ({"sets": "nothing"}, {"choices": {"sound-*": "loud"}}):
        with pytest.raises(ValueError):
            made.lint(**wrong)


def test_unpack_and_pack(real: bytes, tmp_path: Path) -> None:
    if len(real) > 200000:
        return
    try:
        map = teemap.open(real)
        files = map.unpack(tmp_path)
    except teemap.Error as error:
        assert error.code in ("damaged", "usage", "unsupported")
        return
    assert teemap.pack(files).to_bytes() == real == teemap.pack(tmp_path).to_bytes()


def test_sizes(made: teemap.Map) -> None:
    sizes = made.sizes()
    assert sum(share.packed for share in sizes) == len(made.to_bytes()) == sum(sizes.by_kind().values())
    assert sizes.picture(200, 100).shape == (100, 200, 4) and "image/0" in sizes.by_object()


def test_facts(made: teemap.Map, tmp_path: Path) -> None:
    made.save(tmp_path / "a.map")
    row, same = teemap.facts(tmp_path / "a.map"), teemap.facts(made.to_bytes())
    assert (row["width"], row["height"], row["game"], row["settings"]) == (50, 30, "ddnet", ["sv_deepfly 1", "tune gravity 0.3"])
    assert row["sha256"] == same["sha256"] and teemap.facts(made)["sha256"] is None
    assert teemap.facts(tmp_path / "none.map")["error"] and teemap.facts(b"no map")["error"]


def test_facts_are_those_of_the_command_line() -> None:
    tool = os.environ.get("TEEMAP")
    if not tool or not CORPUS:
        pytest.skip("no command line or no corpus")
    lines = subprocess.run([tool, "info", "--facts", *CORPUS], stdout=subprocess.PIPE, check=False).stdout.splitlines()
    assert len(lines) == len(CORPUS)
    for path, line in zip(CORPUS, lines):
        expected: dict[str, Any] = json.loads(line)
        assert {name: json.loads(json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace")) for name, value in
                teemap.facts(path).items() if name not in ("author", "credits")} == {
                    name: value for name, value in expected.items() if name not in ("author", "credits")}


def test_progress_and_threads(made: teemap.Map) -> None:
    seen: list[tuple[int, int]] = []

    def see(done: int, total: int) -> None:
        seen.append((done, total))

    made.to_bytes(recompress=True, threads=2, progress=see)
    assert seen and seen[-1][0] <= seen[-1][1]

    def stop(done: int, total: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        made.to_bytes(recompress=True, progress=stop)
