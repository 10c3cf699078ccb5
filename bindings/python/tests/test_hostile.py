# SPDX-License-Identifier: Zlib
"""Whatever comes in, there is an exception and never a crash; Ctrl-C ends long work."""
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
from typing import Any

import pytest

import teemap
from conftest import arrays_of
from teemap._core import Job


def use(map: teemap.Map) -> None:
    """Looks at everything."""
    kept = arrays_of(map)
    for envelope in map.envelopes:
        envelope.evaluate(123.0)
    for array in kept:
        array[...] = array
    assert map.to_bytes()
    map.lint()
    map.check()


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
            assert teemap.facts(made) and made.copy()
        except BufferError:
            pass
    stop.set()
    for writer in writers:
        writer.join()


LONG = {  # calls that take longer than anybody waits
    "packing": "map.to_bytes(smallest=True)",
    "a picture": "map.render(region=(0, 0, 1500, 1500), size=(16000, 16000), threads=1)",
    "a rule in Python": "map.lint(rules=[teemap.Rule('slow', lambda map: (time.sleep(0.01) or 'x' for _ in range(10**6)))])",
    "a table": "teemap.facts_table([map] * 10**6, threads=2)",
    "an operation": "map.edit('mirror x\\n' * 10**5)",
}


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs signals")
@pytest.mark.parametrize("work", LONG.values(), ids=list(LONG))
def test_ctrl_c_ends_long_work(work: str) -> None:
    if "table" in work:
        pytest.importorskip("pyarrow")
    program = f"""
        import os, signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it starts with & ignore it
        import numpy as np, teemap
        map = teemap.Map.new(1500, 1500)
        image = map.images.add("noise", pixels=np.random.default_rng(1).integers(0, 255, (2000, 2000, 4), np.uint8))
        begin = []
        def interrupt():
            begin.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1, interrupt).start()
        try:
            {work}
            print("done")
        except KeyboardInterrupt:
            took = time.monotonic() - begin[0]
            print("ended" if took < 1 else took, flush=True)
        os._exit(0)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True, timeout=100, check=True,
                         env={**os.environ})
    assert run.stdout.strip() == "ended"


def test_an_operation_takes_its_own_map(made: teemap.Map) -> None:
    """It used to wait for itself for ever."""
    layers = len(made.layers)
    made.edit.append(made)
    assert len(made.layers) > layers
    other = made.copy()
    threads = [threading.Thread(target=a.edit.append, args=(b,)) for a, b in ((made, other), (other, made))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_what_a_long_change_calls_back(made: teemap.Map) -> None:
    """progress= and the like may read the map that is being changed; changing it is refused. Both used to hang."""
    seen: list[object] = []

    def work(p: Any, error: Any) -> int:
        seen.append(made.size)
        with pytest.raises(teemap.InputError, match="cannot be changed by what is called"):
            made.info.author = "me"
        with pytest.raises(teemap.InputError):
            made.groups.add("more")
        return 0

    made._change(work, long=Job())
    assert seen == [(50, 30)] and made.info.author == ""
    made.info.author = "me"


def test_subinterpreters_are_refused() -> None:
    program = """
        try:
            import _interpreters as sub
        except ImportError:
            import _xxsubinterpreters as sub
        run = getattr(sub, "run_string")
        try:
            failed = run(sub.create(), "import teemap")
        except Exception as error:
            failed = error
        print(failed)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True, timeout=100, check=True)
    assert "subinterpreter" in run.stdout
