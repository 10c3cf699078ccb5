# SPDX-License-Identifier: Zlib
"""Maps in programs that do other things meanwhile: event loops and other processes."""
import asyncio
import copy
import multiprocessing
import operator
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import teemap

LONG: dict[str, Callable[[teemap.Map], object]] = {  # calls of 100 ms and more
    "pack": lambda map: map.to_bytes(recompress=True, level=5, threads=1),
    "open": lambda map: [teemap.open(map.to_bytes(level=1)).images[0].pixels for _ in range(5)],
    "draw": lambda map: [map.render(region=(0, 0, 800, 800), scale=2, entities=True, threads=1) for _ in range(3)],
    "webp": lambda map: teemap.webp(np.asarray(map.images[0].pixels)),
    "lint": lambda map: [map.lint() for _ in range(10)],
    "find": lambda map: map.find("freeze"),
    "edit": lambda map: map.edit("mirror x\n" * 10),
    "diff": lambda map: [map.diff(map.copy()) for _ in range(30)],
}


@pytest.fixture(scope="module")
def noise() -> teemap.Map:
    map, draw = teemap.Map.new(800, 800), np.random.default_rng(1)
    map.images.add("noise", pixels=draw.integers(0, 255, (1000, 1000, 4), np.uint8))
    game = map.physics.game
    assert game is not None
    game.tiles = draw.integers(0, 11, (800, 800), np.uint8)
    return map


@pytest.mark.parametrize("work", LONG.values(), ids=list(LONG))
def test_event_loops_go_on(noise: teemap.Map, work: Callable[[teemap.Map], object]) -> None:
    """While a thread is in the library, others have Python: no stop of the loop is as long as the call."""
    stops: list[float] = []

    async def program() -> float:
        begin = last = time.monotonic()
        call = asyncio.create_task(asyncio.to_thread(work, noise))
        while not call.done():
            await asyncio.sleep(0.001)
            stops.append(time.monotonic() - last)
            last = time.monotonic()
        await call
        return last - begin

    took = asyncio.run(program())
    assert took > 0.02 and max(stops) < 0.7 * took


def test_maps_go_to_other_processes_and_come_back(made: teemap.Map) -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(operator.attrgetter("size"), made).result() == (50, 30)
        assert pool.submit(copy.copy, made).result().equal(made)
