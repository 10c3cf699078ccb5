# SPDX-License-Identifier: Zlib
"""Threads, event loops and forked processes that use one map: objects live through edits of others, arrays and what is written to
them, too. TEEMAP_SECONDS says for how long (5); `./run python --hour` runs it with the sanitizers."""
import asyncio
import os
import random
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import teemap
from conftest import make_map

SECONDS = float(os.environ.get("TEEMAP_SECONDS", "5"))


def during_a_change(map: teemap.Map, script: str, meanwhile: Callable[[], object]) -> None:
    """Does something while another thread is in the middle of an edit."""
    begun, go_on = threading.Event(), threading.Event()
    failed: list[BaseException] = []
    do = teemap.Map._change

    def hold(self: teemap.Map, work: Any, *args: Any, **words: Any) -> None:
        def held(p: Any, error: Any) -> int:
            begun.set()
            assert go_on.wait(60)
            return int(work(p, error))
        do(self, held if threading.current_thread() is thread else work, *args, **words)

    def edit() -> None:
        try:
            map.edit(script)
        except BaseException as error:
            failed.append(error)
            begun.set()

    thread = threading.Thread(target=edit)
    setattr(teemap.Map, "_change", hold)
    try:
        thread.start()
        assert begun.wait(60)
        meanwhile()
    finally:
        setattr(teemap.Map, "_change", do)
        go_on.set()
        thread.join(60)
    assert not thread.is_alive()
    if failed:
        raise failed[0]


def test_objects_first_seen_during_an_edit_live_on() -> None:
    """They were numbered in the structs that the edit replaced: ReferenceError, though they are there."""
    map = teemap.open(make_map().to_bytes())
    seen: list[Any] = []

    def look() -> None:
        seen.extend([*map.images, *map.sounds, *map.envelopes, *map.groups, *map.layers])

    during_a_change(map, "rename 0 Far\nmirror x", look)
    assert len(seen) == 9
    names = [one.name for one in seen]
    assert names[:2] == ["pic", "grass_main"] and "Far" in names
    assert seen[0] is map.images["pic"] and seen[-1] is map.layers[-1] and map.physics.game is seen[-1]
    during_a_change(map, "remove image/0\nadd group First\nmove 2 0", look)
    assert seen[1] is map.images["grass_main"] and seen[1].index == 0
    with pytest.raises(ReferenceError):
        seen[0].name


def test_a_duplicate_is_another_object(made: teemap.Map) -> None:
    """Both had one number, and the object became the copy when the original was removed."""
    walls = made.layers["Walls"]
    made.edit.duplicate(walls, place=0)
    copy, original = [layer for layer in made.layers if layer.name == "Walls"]
    assert original is walls and copy is not walls
    made.edit("remove 0/1")
    with pytest.raises(ReferenceError):
        walls.name
    assert copy.name == "Walls" and made.layers[0] is copy


def test_arrays_taken_during_an_edit_of_other_layers(made: teemap.Map) -> None:
    """The edit failed, as if it had taken their memory; or what was written meanwhile was lost."""
    map = teemap.open(made.to_bytes())
    kept: list[Any] = []

    def write() -> None:
        walls, pic = map.layers["Walls"], map.images["pic"]
        assert isinstance(walls, teemap.TileLayer) and pic.pixels is not None
        kept.extend([walls.tiles, pic.pixels])
        kept[0]["index"][2, 3] = 77
        pic.pixels[1, 2] = 5, 6, 7, 8
        game = map.physics.game
        assert game is not None and game.tiles["index"].sum() == 0  # an array that goes away at once

    during_a_change(map, "fill game solid\nadd group Front", write)
    game, walls = map.physics.game, map.layers["Walls"]
    assert game is not None and isinstance(walls, teemap.TileLayer) and (game.tiles["index"] == 1).all() and map.groups["Front"]
    assert walls.tiles["index"][2, 3] == 77 and walls.tiles["index"].sum() == 77
    kept[0]["index"][0, 0] = 1  # the array is still of the map
    again = teemap.open(map.to_bytes())
    walls = again.layers["Walls"]
    assert isinstance(walls, teemap.TileLayer) and walls.tiles["index"].sum() == 78
    pixels = again.images["pic"].pixels
    assert pixels is not None and pixels[1, 2].tolist() == [5, 6, 7, 8]


def test_what_was_written_during_an_edit_of_the_same_layer_is_not_lost_in_silence(made: teemap.Map) -> None:
    def write() -> None:
        game = made.physics.game
        assert game is not None
        game.tiles["index"][2, 3] = 77

    with pytest.raises(BufferError, match="was written to"):
        during_a_change(made, "fill game solid", write)
    game = made.physics.game
    assert game is not None and game.tiles["index"].sum() == 77


def test_an_edit_waits_a_little_for_arrays_of_other_threads(made: teemap.Map) -> None:
    game, have = made.physics.game, threading.Event()
    assert game is not None

    def hold(seconds: float) -> None:
        assert game is not None
        array = game.tiles
        have.set()
        time.sleep(seconds)
        assert array is not None

    for change in (lambda: made.edit.mirror("x"), lambda: game.resize(60, 30)):
        have.clear()
        thread = threading.Thread(target=hold, args=(0.1,))
        thread.start()
        assert have.wait(60)
        change()
        thread.join()
    assert game.tiles.shape == (30, 60)
    thread = threading.Thread(target=hold, args=(3,))
    have.clear()
    thread.start()
    assert have.wait(60)
    with pytest.raises(BufferError):
        made.edit.mirror("x")
    thread.join()


def test_changes_of_several_threads_are_all_there(made: teemap.Map) -> None:
    """Settings were read, changed and written with others between."""
    def work(number: int) -> None:
        for i in range(30):
            made.settings.append(f"echo {number} {i}")
            one = made.images.add(f"{number}_{i}")
            if i % 3 == 0:
                made.images.remove(one)
            made.edit.rename(made.groups["Game"], "Game")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made.settings[2:]) == sorted(f"echo {n} {i}" for n in range(4) for i in range(30))
    assert {one.name for one in made.images} == {"pic", "grass_main"} | {f"{n}_{i}" for n in range(4) for i in range(30) if i % 3}


class Stress:
    """Editors, readers and writers of one map, until the time is over; the first error ends all."""

    def __init__(self, seconds: float) -> None:
        self.map = make_map()
        walls: Any = self.map.layers["Walls"]
        walls.tiles["index"] = 5
        back = self.map.groups["Back"]
        for name in ("Mine 0", "Mine 1"):
            back.layers.add("tiles", name=name)
        self.map = teemap.open(self.map.to_bytes())
        self.end = time.monotonic() + seconds
        self.errors: list[BaseException] = []
        self.counts = {"edits": 0, "reads": 0, "writes": 0}

    def going(self) -> bool:
        return time.monotonic() < self.end and not self.errors

    def edit(self, seed: int) -> None:
        draw, map = random.Random(seed), self.map
        script = draw.choice(["fill Back/Walls@3,4+5x6 17", "mirror x", "rename image/0 pic", "add group Temp", "fill game freeze",
                              "shift 3,4 wrap", "add layer tiles Temp 0", "fill game@1,1+3x3 solid\nmirror y", "clean groups"])
        what = draw.randrange(8)
        if what == 0:
            for group in map.groups:
                try:
                    if group.name == "Temp":
                        map.groups.remove(group)
                except ReferenceError:
                    pass  # another editor was faster
        elif what == 1:
            map.settings = [f"echo {seed}"]
        elif what == 2:
            try:
                map.groups.insert(0, "Temp").layers.add("tiles", name="Temp")
            except ReferenceError:
                pass
        elif what == 4:
            map.fix()
        else:
            try:
                map.edit(script)
            except BufferError as error:
                assert "Mine" in str(error) or "was written" in str(error) or "in use" in str(error)
                return
            except teemap.Error as error:
                assert "Temp" in str(error) or "Temp" in script, error
                return
        self.counts["edits"] += 1

    def read(self, seed: int) -> None:
        map, draw = self.map, random.Random(seed)
        kept: list[Any] = [map.groups["Game"], map.layers["Walls"], map.layers["Mine 0"], map.layers["Mine 1"], map.physics.game]
        for one in kept:
            assert one.name and one.address and one.index >= 0
        walls, game = kept[1], kept[4]
        if draw.randrange(2):
            assert walls.tiles.shape == (30, 50) and game.tiles["index"].max() <= 9
        assert walls.width == 50 and walls.group is map.groups["Back"]
        what = draw.randrange(6)
        if what == 0:
            assert map.find("air") and map.lint() is not None
        elif what == 1:
            assert map.copy().size == (50, 30)
        elif what == 2:
            assert teemap.open(map.to_bytes()).size == (50, 30)
        elif what == 3:
            assert map.render((5, 5), size=(40, 30), threads=1).shape == (30, 40, 4)
        for layer in map.layers:
            try:
                assert layer.name is not None and layer.kind
            except ReferenceError:
                assert layer not in kept
        self.counts["reads"] += 1

    def write(self, seed: int) -> None:
        """Each writer has a layer of its own, which edits do not touch but by mirroring and shifting; its sum stays."""
        layer: Any = self.map.layers[f"Mine {seed % 2}"]
        value = seed % 200 + 1
        tiles = layer.tiles
        before = int(tiles["index"].sum())
        tiles["index"][0, 0] = (int(tiles["index"][0, 0]) + value) % 256
        after = int(tiles["index"].sum())
        del tiles
        assert before == self.sums[seed % 2], "what was written is lost"
        self.sums[seed % 2] = after
        self.counts["writes"] += 1

    sums = [0, 0]


def run_all(stress: Stress, works: list[Callable[[int], object]]) -> None:
    def work(function: Callable[[int], object], first: int) -> None:
        seed = first
        try:
            while stress.going():
                function(seed)
                seed += 1000
        except BaseException as error:
            stress.errors.append(error)

    threads = [threading.Thread(target=work, args=(function, number)) for number, function in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if stress.errors:
        raise stress.errors[0]


def test_threads() -> None:
    stress = Stress(SECONDS / 2)
    run_all(stress, [stress.edit, stress.edit, stress.read, stress.read, stress.read])
    assert min(stress.counts["edits"], stress.counts["reads"]) > 10, stress.counts
    print(stress.counts)


def test_event_loop() -> None:
    stress = Stress(SECONDS / 2)

    async def editor(first: int) -> None:
        while stress.going():
            await asyncio.to_thread(stress.edit, first)
            first += 1000

    async def reader(first: int) -> None:
        while stress.going():
            stress.read(first)  # in the loop itself
            first += 1000
            await asyncio.sleep(0)

    async def program() -> None:
        await asyncio.gather(editor(1), editor(2), reader(3), reader(4))

    asyncio.run(program())
    assert min(stress.counts["edits"], stress.counts["reads"]) > 10, stress.counts
    print(stress.counts)


def test_writers_and_editors() -> None:
    """Writes to arrays, while others edit other layers."""
    stress = Stress(min(SECONDS / 2, 30))
    stress.sums = [0, 0]

    def edit(seed: int) -> None:
        map = stress.map
        map.edit(random.Random(seed).choice(["fill Back/Walls@3,4+5x6 17", "fill game freeze", "add group Temp", "rename image/0 pic"]))
        if seed % 7 == 0:
            map.edit("clean groups")
        stress.counts["edits"] += 1

    run_all(stress, [edit, edit, stress.read])
    stress.end = time.monotonic() + min(SECONDS / 2, 30)
    writers: list[Callable[[int], object]] = [lambda seed: stress.write(0), lambda seed: stress.write(1)]
    run_all(stress, [edit, *writers, stress.read])
    assert stress.counts["writes"] > 10, stress.counts
    print(stress.counts)


FORK = """
    import os, sys, threading, time, warnings
    warnings.simplefilter("ignore")
    import teemap
    map = teemap.Map.new(700, 700)
    map.groups.insert(0, "Back").layers.add("tiles", name="Walls")
    map = teemap.open(map.to_bytes())
    stop = threading.Event()
    def work():
        while not stop.is_set():
            {work}
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    time.sleep({wait})
    for i in range({times}):
        child = os.fork()
        if child == 0:
            try:
                assert map.physics.game.tiles.shape == (700, 700)
                map.info.author = "child"
                map.edit("rename Back Far")
                map.edit("fill game@3,4+5x6 freeze")
                assert map.groups[0].name == "Far" and teemap.open(map.to_bytes(recompress=True, threads=2, level=1)).info.author == "child"
                assert map.render((5, 5), size=(30, 20), threads=2).shape == (20, 30, 4)
                os._exit(0)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
            os._exit(1)
        end = time.monotonic() + 200
        while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
            if time.monotonic() > end:
                os.kill(child, 9)
                sys.exit("the child hangs")
            time.sleep(0.002)
        if ended[1]:
            sys.exit("the child failed")
    stop.set()
    print("done", flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("work, wait, times", [
    ("map.edit('mirror x')", 0.1, 5), ("map.settings.append('echo'); map.settings = []", 0.05, 5),
    ("map.to_bytes(recompress=True, level=1, threads=2)", 0.1, 3), ("map.physics.game.tiles['index'].sum()", 0, 5),
    ("map.layers[0].tiles", 0.0005, 3)], ids=["edit", "settings", "save", "array", "import"])
def test_fork_while_a_thread_works(work: str, wait: float, times: int) -> None:
    """The child hung at its first use of the map, or of numpy."""
    program = textwrap.dedent(FORK).format(work=work, wait=wait, times=times)
    run = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=500, check=False)
    assert run.stdout.strip() == "done", run.stderr


SLOW_IMPORT = """
    import os, sys, threading, time, warnings
    warnings.simplefilter("ignore")
    import teemap
    from teemap._core import importing
    map = teemap.Map.new(70, 70)
    begun = threading.Event()
    def work():
        with map._lock:  # as who takes the first array has it
            begun.set()
            time.sleep(0.2)
            with importing:
                time.sleep({seconds})
    def take():
        array = map.physics.game.tiles
        begun.set()
        time.sleep(60)
    threading.Thread(target={target}, daemon=True).start()
    begun.wait()
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            map.edit("fill game freeze")
            map.physics.game.resize(30, 20)
            assert map.physics.game.tiles["index"].sum() == 9 * 600
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        os._exit(1)
    took = time.monotonic() - begin
    print("done" if os.waitpid(child, 0)[1] == 0 and took < {seconds} + 3 else took, flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("target, seconds", [("work", 0.5), ("work", 7), ("take", 0)], ids=["short import", "long import", "array"])
def test_what_other_threads_had_when_the_process_was_forked(target: str, seconds: float) -> None:
    """Forking and the first array waited for each other for 5 s, and then the child could not use the map. And arrays of threads that it
    does not have could not be deleted there."""
    program = textwrap.dedent(SLOW_IMPORT).format(target=target, seconds=seconds)
    run = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100, check=False)
    assert run.stdout.strip() == "done", run.stdout + run.stderr


FORKS = """
    import os, sys, threading, time, warnings
    warnings.simplefilter("ignore")
    import teemap
    maps = [teemap.Map.new(20, 20) for _ in range(3)]
    ended = []
    class Slow:  # between releasing it and what follows, others go on
        def __init__(self, lock):
            self.acquire, self.lock = lock.acquire, lock
        def release(self):
            self.lock.release()
            time.sleep(0.01)
        def __enter__(self):
            self.acquire()
        def __exit__(self, *_):
            self.lock.release()
    for map in maps:
        map._lock = Slow(map._lock)
    def work():
        for i in range(5):
            child = os.fork()
            if child == 0:
                try:
                    for map in maps:
                        map.info.author = "child"
                    os._exit(0)
                except BaseException as error:
                    print(repr(error), file=sys.stderr)
                os._exit(1)
            end = time.monotonic() + 100
            while (state := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
                time.sleep(0.001)
            if state == (0, 0):
                os.kill(child, 9)
            ended.append(state[1] if state[0] else "hangs")
    threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for map in maps:
        map.info.author = "parent"
    print("done" if ended == [0] * 15 else ended, flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_several_threads_fork() -> None:
    """One released the locks that the other had taken, or tried to."""
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(FORKS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=400,
                         check=False)
    assert run.stdout.strip() == "done" and "Error" not in run.stderr, run.stdout + run.stderr


def test_positions_are_those_of_the_map_on_which_one_works(made: teemap.Map) -> None:
    """A change that waits for a long one took places from before it."""
    back = made.groups["Back"]
    results: list[Any] = []

    def meanwhile() -> None:
        def work() -> None:
            results.append(back.layers.add("tiles", name="New"))
            made.images.remove(made.images["grass_main"])

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.2)
        results.append(thread)

    during_a_change(made, "add group First\nmove 2 0\nremove image/0", meanwhile)
    results[0].join(60)
    assert results[1].group is back and back.index == 1 and [one.name for one in made.images] == []
    assert np.asarray([layer.name == "New" for layer in back.layers]).sum() == 1
