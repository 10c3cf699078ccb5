# SPDX-License-Identifier: Zlib
"""What a call may cost: memory=, timeout=, progress= and ending work by what it raises. 4 KB from a stranger cost 1 GB of memory."""
import inspect
import os
import struct
import subprocess
import sys
import textwrap
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teemap
from conftest import make_map


def claimed(width: int, height: int, index: int = 1) -> bytes:
    """A map of Teeworlds 0.7 whose game layer of so many tiles is packed twice: a tile says how often it repeats."""
    num = width * height
    tiles = bytes([index, 0, 255, 0]) * (num // 256) + (bytes([index, 0, num % 256 - 1, 0]) if num % 256 else b"")
    packed = zlib.compress(tiles, 9)
    name = [-0x7f7f7f80] * 3
    items = [(0, [1]), (4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, *name]),
             (5, [0, 2, 0, 4, width, height, 1, 255, 255, 255, 255, -1, 0, -1, 0, *name])]
    bodies = [struct.pack(f"<{2 + len(ints)}i", kind << 16, 4 * len(ints), *ints) for kind, ints in items]
    offsets = [sum(map(len, bodies[:i])) for i in range(len(bodies))]
    types = b"".join(struct.pack("<3i", kind, i, 1) for i, (kind, _) in enumerate(items))
    body = types + struct.pack("<3i", *offsets) + struct.pack("<2i", 0, len(tiles)) + b"".join(bodies)
    size = 36 - 16 + len(body) + len(packed)
    header = struct.pack("<4s8i", b"DATA", 4, size, size - len(packed), len(items), len(items), 1, sum(map(len, bodies)), len(packed))
    return header + body + packed


# Calls for maps, as in a service that gets them from strangers. What they end with does not matter here.
CALLS = {
    "facts": "teemap.facts(data)", "facts of a map": "teemap.facts(teemap.open(data))", "lint": "map().lint()", "check": "map().check()",
    "strict": "map().check('game')", "thumbnail": "map().thumbnail()", "render": "map().render()", "entities": "map().render(entities=True)",
    "best": "map().renderer().best()", "animate": "map().animate(seconds=0.1)", "views": "map().views([(5, 5)], entities=True)",
    "tiles": "map().physics.game.tiles", "channels": "map().physics.game.channels", "mask": "map().mask('freeze')",
    "find": "map().find('freeze')", "find all": "map().find('solid')", "numbers": "map().numbers('tele')", "equal": "map().equal(map())",
    "diff": "map().diff(teemap.Map.new(5, 5))", "diff of two": "map().diff(teemap.open(other))", "looks_equal": "map().looks_equal(map())",
    "packed": "map().packed()", "recompressed": "map().to_bytes(recompress=True)", "rewritten": "map().to_bytes(rewrite=True)",
    "sizes": "map().sizes()", "unpack": "map().unpack()", "fix": "map().fix()", "optimize": "map().optimize(images=True)",
    "convert": "map().convert('ddnet')", "mirror": "map().edit.mirror('x')", "fill": "map().edit('fill game freeze')",
    "merge": "teemap.merge(map(), map(), teemap.open(other))", "resize": "map().physics.game.resize(9, 9)", "copy": "map().copy().lint()",
    "salvage": "teemap.open(data, mode='salvage').lint()", "twmap": "twmap.Map.from_bytes(data).game_layer().tiles",
    "table": "map().tiles_table()", "automap": "map().automap('design')", "html": "map()._repr_html_()",
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures memory as Linux tells it")
def test_4_kb_do_not_cost_a_gigabyte(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_bytes(claimed(16384, 16384))
    (tmp_path / "b.map").write_bytes(claimed(23170, 23170, 9))
    assert all(path.stat().st_size < 10000 for path in tmp_path.iterdir())
    program = f"""
        import resource, sys, warnings
        warnings.simplefilter("ignore")
        import numpy, teemap, teemap.twmap as twmap
        for name in ("a.map", "b.map"):
            data, other = open(name, "rb").read(), open("b.map", "rb").read()
            map = lambda: teemap.open(data)
            for call, words in {CALLS!r}.items():
                try:
                    eval(words)
                except (teemap.Error, twmap.MapError, ImportError, ValueError) as error:
                    pass
                most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                assert most < 700, f"{{call}}, {{name}}: {{most}} MB"
        print("done")
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         timeout=500, check=False, cwd=tmp_path)
    assert run.stdout.strip() == "done", run.stderr[-500:]


def test_memory() -> None:
    call: Callable[[], object]
    small, large = claimed(2000, 2000), claimed(16384, 16384)
    assert len(small) < 5000
    map = teemap.open(small)
    assert map.memory is not None and 256 << 20 <= map.memory < 300 << 20 and map.copy().memory == map.memory
    game = map.physics.game
    assert game is not None and game.tiles.shape == (2000, 2000)  # 16 MB
    tight = teemap.open(small, memory=8 << 20)
    game = tight.physics.game
    assert game is not None and tight.memory == 8 << 20
    for call in (lambda: game.tiles, lambda: tight.find("solid"), lambda: tight.edit.mirror("x"), lambda: tight.diff(teemap.Map.new(5, 5)),
                 tight.lint):
        with pytest.raises(teemap.Error) as caught:
            call()
        assert caught.value.code == "limit", caught.value
    assert teemap.facts(small)["error"] is None
    row = teemap.facts(large)
    assert row["error"] and row["sha256"] and row["width"] is None
    assert teemap.facts(small, memory=1 << 20)["error"]
    wide = teemap.open(large, memory=3 << 30)
    assert wide.memory == 3 << 30 and wide.size == (16384, 16384)
    assert teemap.Map.new(3, 3).memory is None
    with pytest.raises(ValueError):
        teemap.open(small, memory=-1)


def test_timeouts() -> None:
    noise = teemap.Map.new(1500, 1500)
    game = noise.physics.game
    assert game is not None
    game.tiles = np.random.default_rng(1).integers(0, 11, (1500, 1500), np.uint8)
    data = noise.to_bytes(level=1)
    def slow(map: teemap.Map) -> Iterator[str]:
        for _ in range(10**6):
            time.sleep(0.01)
            yield "x"

    calls: list[Callable[[teemap.Map], object]] = [
        lambda map: map.to_bytes(recompress=True, level=12), lambda map: map.edit("mirror x\n" * 1000),
        lambda map: map.lint(rules=[teemap.Rule("slow", slow)]),
        lambda map: map.render(region=(0, 0, 1500, 1500), size=(9000, 9000), entities=True, threads=1)]
    for call in calls:
        map = teemap.open(data, timeout=0.3)
        begin = time.monotonic()
        with pytest.raises(teemap.TimeLimitError, match="timeout=0.3") as caught:
            call(map)
        assert time.monotonic() - begin < 10 and isinstance(caught.value, TimeoutError) and isinstance(caught.value, teemap.CancelledError)
        map.timeout = None
        assert map.size == (1500, 1500) and map.check() is not None
    with pytest.raises(ValueError):
        teemap.open(data, timeout=0)


class Enough(Exception):
    """What a progress= raises."""


# Every call with progress=: a new one needs a row here, or the test below fails.
PROGRESS: dict[str, Callable[[teemap.Map, Any], object]] = {
    "Map.to_bytes": lambda map, see: map.to_bytes(recompress=True, progress=see),
    "Map.save": lambda map, see: map.save(os.devnull + "x" if os.name == "nt" else "/dev/null", recompress=True, progress=see),
    "Map.equal": lambda map, see: map.equal(map.copy(), progress=see),
    "Map.check": lambda map, see: map.check(progress=see),
    "Map.fix": lambda map, see: map.fix(progress=see),
    "Map.optimize": lambda map, see: map.optimize(images=True, progress=see),
    "Map.packed": lambda map, see: map.packed(progress=see),
    "Map.looks_equal": lambda map, see: map.looks_equal(map.copy(), progress=see),
    "Map.convert": lambda map, see: map.convert("teeworlds07", progress=see),
    "Map.automap": lambda map, see: map.automap("design", images=teemap.Images(system=False), progress=see),
    "Map.find": lambda map, see: map.find("freeze", progress=see),
    "Map.numbers": lambda map, see: map.numbers("tele", progress=see),
    "Map.unpack": lambda map, see: map.unpack(progress=see),
    "Map.lint": lambda map, see: map.lint(progress=see),
    "Map.diff": lambda map, see: map.diff(teemap.Map.new(3, 3), progress=see),
    "Map.patch": lambda map, see: map.patch(map.diff(map.copy()), progress=see),
    "Map.thumbnail": lambda map, see: map.thumbnail(progress=see),
    "Map.render": lambda map, see: map.render(progress=see),
    "Map.views": lambda map, see: map.views([(1, 2)], progress=see),
    "Map.animate": lambda map, see: map.animate(seconds=0.1, fps=20, size=(40, 30), progress=see),
    "Map.renderer": lambda map, see: map.renderer(progress=see),
    "Editor.using": lambda map, see: map.edit.using(progress=see).mirror("x"),
    "Patch.between": lambda map, see: teemap.Patch.between(map, map.copy(), progress=see),
    "Patch.apply": lambda map, see: map.diff(map.copy()).apply(map, progress=see),
    "Renderer": lambda map, see: teemap.Renderer(map, progress=see),
    "Renderer.draw": lambda map, see: map.renderer().draw(progress=see),
    "Renderer.views": lambda map, see: map.renderer().views([(1, 2)], progress=see),
    "Renderer.best": lambda map, see: map.renderer().best(progress=see),
    "Renderer.thumbnail": lambda map, see: map.renderer().thumbnail(progress=see),
    "Renderer.animate": lambda map, see: map.renderer().animate(seconds=0.1, fps=20, size=(40, 30), progress=see),
    "merge": lambda map, see: teemap.merge(map, map.copy(), map.copy(), progress=see),
    "facts": lambda map, see: teemap.facts(map, progress=see),
    "facts_table": lambda map, see: teemap.facts_table([map, map], progress=see),
    "pack": lambda map, see: teemap.pack(map.unpack(), progress=see),
    "animation": lambda map, see: teemap.animation(np.zeros((2, 8, 8, 4), np.uint8), 100, progress=see),
}


@pytest.mark.parametrize("call", PROGRESS)
def test_progress_is_called_and_ends_the_work(call: str) -> None:
    """optimize(progress=) was accepted and never called; lint, facts and others did not take it."""
    if call == "facts_table":
        pytest.importorskip("pyarrow")
    map = make_map()
    seen: list[tuple[int, int]] = []

    def see(done: int, total: int) -> None:
        seen.append((done, total))

    try:
        PROGRESS[call](map, see)
    except teemap.Error as error:
        assert call in ("Map.automap", "Map.save"), error
    assert seen and all(0 <= done <= total for done, total in seen), seen

    def stop(done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        PROGRESS[call](make_map(), stop)


def test_every_progress_has_a_row() -> None:
    found = {f"{owner.__name__}.{name}" for owner in (teemap.Map, teemap.Patch, teemap.Renderer, teemap.Editor)
             for name, one in inspect.getmembers(owner) if not name.startswith("_") and callable(one)
             and "progress" in inspect.signature(one).parameters}
    found |= {name for name in teemap.__all__ if inspect.isfunction(getattr(teemap, name))
              and "progress" in inspect.signature(getattr(teemap, name)).parameters}
    assert found <= set(PROGRESS), found - set(PROGRESS)


def test_work_that_the_library_does_not_report_can_be_ended() -> None:
    """progress= is called ten times a second in any case, and what it raises ends the call at the next layer."""
    map = teemap.open(claimed(7000, 6000), memory=1 << 30)
    begin = time.monotonic()
    calls: list[int] = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        if time.monotonic() - begin > 0.2:
            raise Enough

    with pytest.raises(Enough):
        for _ in range(1000):
            map.find("solid where freeze", progress=stop)
    assert time.monotonic() - begin < 20 and map.size == (7000, 6000)


def test_optimize_reports_its_steps(made: teemap.Map) -> None:
    seen: list[tuple[int, int]] = []
    made.optimize(images=True, colors=True, progress=lambda done, total: seen.append((done, total)))
    assert (3, 3) in seen and (1, 3) in seen and seen == sorted(seen)


def test_a_change_that_ends_early_leaves_the_map_as_it_was(made: teemap.Map) -> None:
    before = made.to_bytes()

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise Enough

    with pytest.raises(Enough):
        made.edit.using(progress=stop)("rename 0 A\nrename 1 B\nrename 0 C")
    assert made.to_bytes() == before
    made.edit("rename 0 A")
    assert made.groups[0].name == "A"
