# SPDX-License-Identifier: Zlib
"""Random programs over the whole package, made by hypothesis: whatever they do, they end with a result or an error in words, and
leave maps that save and open. TEEMAP_SECONDS says for how long (10); `./run python --hour` runs them with the address sanitizer.

Each program is written to TEEMAP_PROGRAM before it runs, so that one that kills the process is known: python test_programs.py FILE
runs it again."""
import ast
import copy
import gc
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import teemap
import teemap.twmap as twmap
from conftest import arrays_of, make_map

pytest.importorskip("hypothesis")
import hypothesis  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

MOST_TILES = 40000  # larger maps are dropped, so that programs stay short
REFUSED = (teemap.Error, BufferError, LookupError, TypeError, ValueError, ReferenceError, OverflowError, AttributeError, twmap.MapError)
WORDS = ["", "0", "1/0", "Game", "Back/Walls", "design", "physics", "game", "x", "y", "90", "freeze", "solid", "air", "all", "2", "-1", "0.5",
         "5x5", "3,4", "1,1+3x2", "image/0", "0/0", "*", "tele-in:5", "ddnet", "teeworlds07", "a\0b", "\udcff", "9" * 40, "sun", "pic"]
VALUES: list[Any] = [0, 1, -1, 255, 256, 2**31, -2**31, 2**70, True, None, 0.5, float("nan"), float("inf"), (), (1, 2), (1, 2, 3, 4), b"", *WORDS]


class World:
    """Maps, and what a program keeps of them."""

    def __init__(self) -> None:
        self.maps = [make_map()]
        self.arrays: list[Any] = []
        self.objects: list[Any] = []

    def map(self, n: int) -> teemap.Map:
        return self.maps[n % len(self.maps)]

    def layer(self, n: int) -> teemap.Layer:
        layers = self.map(n).layers
        return layers[n // 3 % max(1, len(layers))]

    def object(self, n: int) -> Any:
        if self.objects and n % 5 == 0:
            return self.objects[n % len(self.objects)]
        map = self.map(n)
        lists: list[Any] = [map.images, map.sounds, map.envelopes, map.groups, map.layers]
        chosen = lists[n // 7 % 5]
        one = chosen[n // 2 % max(1, len(chosen))]
        self.objects = [*self.objects[-9:], one]
        return one

    def value(self, n: int) -> Any:
        many = [*VALUES, *self.maps, *self.objects, *self.arrays]
        return many[n % len(many)]

    def tidy(self) -> None:
        self.maps = [map for map in self.maps if map.size[0] * map.size[1] <= MOST_TILES and len(map.layers) < 60][-5:] or [make_map()]
        self.arrays = self.arrays[-12:]


def operate(world: World, a: int, b: int, c: int) -> None:
    from teemap._tables import OPERATIONS
    operation = OPERATIONS[a % len(OPERATIONS)]
    given: dict[str, Any] = {}
    for i, one in enumerate(operation.arguments):
        n = b >> i
        if one.optional and n % 3:
            continue
        choices = [*one.choices, *([n % 9 - 2] if one.kind in ("number", "factor", "place") else [])]
        if one.kind == "map":
            given[one.name] = world.map(n)
            continue
        given[one.name] = choices[n % len(choices)] if choices and n % 4 else world.value(n + c)
    getattr(world.map(c).edit.using(threads=c % 3), operation.name)(**given)


def take_arrays(world: World, a: int, b: int, c: int) -> None:
    found = arrays_of(world.map(a))
    if found:
        array = found[b % len(found)]
        world.arrays.append([array, array[:1], array[::-1], array.T, array[..., :1]][c % 5])


def write_arrays(world: World, a: int, b: int, c: int) -> None:
    array = world.arrays[a % len(world.arrays)]
    if b % 3 == 0:
        array[...] = np.zeros((), array.dtype)
    elif b % 3 == 1:
        array.reshape(-1)[b % array.size] = array.reshape(-1)[0]
    else:
        array.view(np.uint8)[...] = c % 256


def forget(world: World, a: int, b: int, c: int) -> None:
    kept: list[Any] = [world.arrays, world.maps, world.objects][a % 3]
    kept.pop(b % len(kept))
    if c % 2:
        gc.collect()
    world.tidy()


def properties_of(one: object) -> list[str]:
    return [name for name in dir(type(one)) if isinstance(getattr(type(one), name), property)]


def assign(world: World, a: int, b: int, c: int) -> None:
    one: Any = [world.object(a), world.map(a), world.map(a).info][c % 3]
    names = properties_of(one)
    setattr(one, names[b % len(names)], world.value(c))


def read_all(world: World, a: int, b: int, c: int) -> None:
    one = world.object(a)
    for name in properties_of(one):
        getattr(one, name)
    repr(one)


def lists(world: World, a: int, b: int, c: int) -> None:
    map = world.map(a)
    chosen: Any = [map.images, map.sounds, map.envelopes, map.groups, map.settings][a // 5 % 5]
    place = b % 9 - 4 if b % 17 else 2**70
    what = c % 7
    if what == 0:
        chosen.insert(place, world.value(b))
    elif what == 1:
        del chosen[place]
    elif what == 2:
        chosen[place:]
    elif what == 3:
        chosen.move(chosen[0], place)
    elif what == 4:
        chosen.take(world.object(b), share=bool(b % 2))
    elif what == 5:
        chosen.remove(world.object(b))
    else:
        map.settings[place] = world.value(b)


def layers(world: World, a: int, b: int, c: int) -> None:
    map = world.map(a)
    group = map.groups[b % 5]
    what = c % 5
    if what == 0:
        group.layers.add(["tiles", "game", "front", "tele", "speedup", "switch", "tune", "quads", "sounds", "nothing"][b % 10], a % 40 - 3, b % 30 - 2)
    elif what == 1:
        group.layers.take(world.layer(b))
    elif what == 2:
        group.layers.remove(world.layer(b))
    elif what == 3:
        cast(Any, world.layer(b)).resize(a % 70, b % 50, a % 9 - 4, b % 9 - 4)
    else:
        cast(Any, world.layer(b)).tiles = world.value(a)


def new_maps(world: World, a: int, b: int, c: int) -> None:
    map = world.map(a)
    makers: list[Callable[[], Any]] = [map.copy, lambda: copy.deepcopy(map), lambda: pickle.loads(pickle.dumps(map)), make_map,
                                       lambda: teemap.Map.new(b % 60 - 2, c % 40 - 2), lambda: teemap.pack(map.unpack(exact=bool(b % 2))),
                                       lambda: teemap.merge(map, world.map(b), world.map(c)).map, lambda: broken(map, b, c)]
    world.maps.append(makers[b % len(makers)]())
    world.tidy()


def broken(map: teemap.Map, b: int, c: int) -> teemap.Map:
    data = bytearray(map.to_bytes(level=1))
    data[b % len(data)] = c % 256
    return teemap.open(data[:len(data) - (c % 7 == 0) * (b % 40)], mode=["game", "salvage", "strict"][c % 3])


def work(world: World, a: int, b: int, c: int) -> None:
    map, other = world.map(a), world.map(b)
    jobs: list[Callable[[], Any]] = [
        map.check, lambda: map.fix(visible=bool(b % 2)), map.lint, lambda: map.convert(WORDS[25 + b % 2]), lambda: map.find(WORDS[b % len(WORDS)]),
        lambda: map.diff(other), lambda: map.diff(other).apply(world.map(c), partial=bool(b % 2)), lambda: map.diff(other).inverted().to_json(),
        lambda: [map.diff(other).mask(one) for one in map.diff(other)], map.sizes, lambda: teemap.facts(map), lambda: map.equal(other),
        lambda: map.optimize(images=bool(b % 2)), lambda: map.automap(images={}), lambda: map[WORDS[b % len(WORDS)]],
        lambda: map.edit(WORDS[b % len(WORDS)] + " " + WORDS[c % len(WORDS)]), lambda: map.to_bytes(level=b % 14 - 1, lay_out=bool(c % 2), rewrite=bool(b % 2)),
        lambda: map.to_bytes(level=world.value(b))]
    jobs[c % len(jobs)]()


def draw(world: World, a: int, b: int, c: int) -> None:
    map, out = world.map(a), np.zeros((20, 30, 3 + b % 2), np.uint8)
    jobs: list[Callable[[], Any]] = [
        lambda: map.render((b % 50, c % 30), size=(30, 20), out=out, images={}, entities=bool(c % 2)), lambda: map.thumbnail((40, 25), images={}),
        lambda: map.render(region=(b % 9 - 3, c % 9 - 3, b % 20, c % 20), scale=c % 5, images={}, size=(64, 64)),
        lambda: map.views([(b % 9, c % 9)] * (c % 4), size=(16, 9), images={}), lambda: map.render(world.value(b), size=(8, 8), images={}),
        lambda: teemap.webp(world.value(b)), lambda: map.renderer(images={"pic": world.value(b)}).draw(size=(20, 20)),
        lambda: teemap.png(world.value(c)), lambda: teemap.read_picture(world.value(c))]
    jobs[c % len(jobs)]()


def old_names(world: World, a: int, b: int, c: int) -> None:
    old = twmap.Map.from_bytes(world.map(a).to_bytes(level=1))
    tiles = old.game_layer()
    for group in old.groups:
        for layer in group.layers:
            if b % 2 and layer.kind() not in ("Quads", "Sounds"):
                layer.tiles[b % 5, c % 5] = c % 99
    [old.mirror, old.rotate, old.remove_everything_unused, old.to_bytes][c % 4]()
    world.maps.append(old._of)
    if tiles is not None:
        world.arrays.append(tiles.tiles)


def threads(world: World, a: int, b: int, c: int) -> None:
    steps = list(STEPS.values())
    together = [threading.Thread(target=quiet, args=(steps[n % (len(steps) - 1)], world, a + n, b, c)) for n in (b, c)]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()


def quiet(step: Callable[..., None], world: World, *numbers: int) -> None:
    try:
        step(world, *numbers)
    except (*REFUSED, ZeroDivisionError):
        pass


STEPS: dict[str, Callable[[World, int, int, int], None]] = {
    "operate": operate, "take_arrays": take_arrays, "write_arrays": write_arrays, "forget": forget, "assign": assign, "read_all": read_all,
    "lists": lists, "layers": layers, "new_maps": new_maps, "work": work, "draw": draw, "old_names": old_names, "threads": threads}


def run(program: list[tuple[str, int, int, int]]) -> None:
    world = World()
    for name, *numbers in program:
        quiet(STEPS[name], world, *numbers)
        world.tidy()
    for map in world.maps:
        again = teemap.open(map.to_bytes(level=1), mode="salvage")  # damaged files are saved as they are
        assert again.size == map.size or map.game != again.game
    for array in world.arrays:
        array.copy() if isinstance(array, np.ndarray) else None


def test_random_programs() -> None:
    number = st.integers(0, 5000)
    step = st.tuples(st.sampled_from(sorted(STEPS)), number, number, number)
    end, log = time.monotonic() + float(os.environ.get("TEEMAP_SECONDS", "10")), os.environ.get("TEEMAP_PROGRAM")
    seed = first = int(os.environ.get("TEEMAP_SEED", "1"))
    runs = 0

    @hypothesis.settings(max_examples=50, deadline=None, database=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
    @hypothesis.given(st.lists(step, min_size=5, max_size=60))
    def programs(program: list[tuple[str, int, int, int]]) -> None:
        nonlocal runs
        if log:
            with open(log, "w", encoding="utf-8") as file:
                file.write(repr(program))
        run(program)
        runs += 1

    while time.monotonic() < end:
        hypothesis.seed(seed)(programs)()
        seed += 1
    print(f"{runs} programs, seeds {first} to {seed - 1}")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        run(ast.literal_eval(file.read()))
