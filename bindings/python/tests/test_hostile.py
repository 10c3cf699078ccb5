# SPDX-License-Identifier: Zlib
"""Whatever comes in, there is an exception and never a crash; Ctrl-C ends long work."""
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import teemap


def use(map: teemap.Map) -> None:
    """Looks at everything."""
    kept = []
    for layer in map.layers:
        if isinstance(layer, teemap.TileLayer):
            kept.append(layer.tiles)
        elif isinstance(layer, teemap.QuadLayer):
            kept.append(layer.quads)
        elif isinstance(layer, teemap.SoundLayer):
            kept.append(layer.sources)
    for image in map.images:
        if image.pixels is not None:
            kept.append(image.pixels)
    for envelope in map.envelopes:
        envelope.evaluate(123.0)
    for array in kept:
        array[...] = array
    map.to_bytes(), map.lint(), map.check()


def test_damaged_files(made: teemap.Map) -> None:
    data, draw = made.to_bytes(), random.Random(1)
    inputs = [data[:cut] for cut in range(0, len(data), max(1, len(data) // 60))]
    for _ in range(150):
        broken = bytearray(data)
        for _ in range(draw.randrange(1, 4)):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        inputs.append(bytes(broken))
    opened = 0
    for one in inputs:
        for mode in ("game", "salvage"):
            try:
                use(teemap.open(one, mode=mode))
                opened += 1
            except teemap.Error as error:
                assert error.code in ("damaged", "unsupported", "limit", "usage")
        assert isinstance(teemap.facts(one), dict)
    assert opened


def test_random_programs(made: teemap.Map) -> None:
    draw = random.Random(2)
    maps, arrays = [made], []
    steps = ["clear design", "mirror x", "rotate 90", "clean all", "join all", "add group", "duplicate 0", "remove 0", "scale 2", "shrink"]
    for _ in range(400):
        map = draw.choice(maps)
        try:
            step = draw.randrange(8)
            if step == 0:
                map.edit(draw.choice(steps))
            elif step == 1 and len(map.layers):
                layer = map.layers[draw.randrange(len(map.layers))]
                if isinstance(layer, teemap.TileLayer):
                    arrays.append(layer.tiles)
            elif step == 2 and arrays:
                arrays[draw.randrange(len(arrays))][...] = np.zeros((), arrays[0].dtype)
                arrays.pop(draw.randrange(len(arrays)))
            elif step == 3 and len(map.groups):
                map.groups[0].layers.add("tiles", 5, 5)
            elif step == 4:
                maps.append(map.copy())
            elif step == 5 and len(maps) > 1:
                maps.remove(map)
            elif step == 6 and len(map.layers):
                map.groups.add().layers.take(maps[0].layers[0])
            elif map.size[0] * map.size[1] < 10**6:
                map.to_bytes()
        except (BufferError, teemap.Error, IndexError, TypeError, ValueError):
            pass
        maps = maps[:6]
        if map.size[0] * map.size[1] > 10**6:
            maps = [one for one in maps if one is not map] or [teemap.Map.new(9, 9)]
    for map in maps:
        assert teemap.open(map.to_bytes())


def test_arrays_in_threads(made: teemap.Map) -> None:
    game, stop = made.physics.game, threading.Event()
    assert game is not None

    def write() -> None:
        while not stop.is_set():
            assert game is not None
            game.tiles["index"][0, 0] ^= 1

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    for i in range(60):
        try:
            made.edit.mirror("x")
            made.groups.add(str(i))
            teemap.facts(made), made.copy()
        except BufferError:
            pass
    stop.set()
    for writer in writers:
        writer.join()


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs signals")
def test_ctrl_c_ends_long_work() -> None:
    program = """
        import os, signal, threading, time
        import numpy as np, teemap
        map = teemap.Map.new(1500, 1500)
        image = map.images.add("noise", pixels=np.random.default_rng(1).integers(0, 255, (2000, 2000, 4), np.uint8))
        threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        try:
            map.to_bytes(smallest=True)
            print("done")
        except KeyboardInterrupt:
            print("ended" if time.monotonic() - begin < 4 else "late")
        os._exit(0)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True, timeout=100, check=True,
                         env={**os.environ})
    assert run.stdout.strip() == "ended"
