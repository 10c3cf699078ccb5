# SPDX-License-Identifier: Zlib
"""Runs the scripts of this folder with twmap 0.6.6 and with teemap.twmap, over many maps, and compares all that they print, that they
write beside maps, and every value of the maps that they write: run_clients.py [MAP...]. `./run python --clients` calls it.

What differs as docs/python.md says is not counted: see DOCUMENTED."""
import contextlib
import glob
import io
import os
import re
import runpy
import sys
import tempfile
import time
import warnings

import numpy as np
import twmap

import teemap
import teemap.twmap

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = sorted(path for path in glob.glob(os.path.join(HERE, "*.py")) if path != os.path.abspath(__file__))
MODULES = {"twmap": twmap, "teemap.twmap": teemap.twmap}
DOCUMENTED = {  # lines of dumps: where twmap and teemap.twmap differ, and why (docs/python.md)
    r"envelope \d+ (Position|Color|Sound) .* (True|False) \d+$": "synchronized of envelopes in old maps",
    r"layer .* color_env_offset ": "the offset of a layer without an envelope",
}


def run(script, module, *words):
    """What a script prints, or how it fails."""
    sys.modules["twmap"] = MODULES[module]
    out = io.StringIO()
    before, sys.argv = sys.argv, [script, *words]
    try:
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runpy.run_path(script, run_name="__main__")
    except Exception as error:
        return out.getvalue(), error
    finally:
        sys.argv = before
        sys.modules["twmap"] = twmap
    return out.getvalue(), None


def differences(name, ours, theirs):
    """Lines that differ, but for documented ones."""
    a, b = ours.splitlines(), theirs.splitlines()
    if len(a) != len(b):
        yield f"{name}: {len(b)} lines with twmap, {len(a)} with teemap.twmap"
    for one, other in zip(a, b):
        if one != other and not any(re.match(pattern, other) for pattern in DOCUMENTED):
            yield f"{name}: {other[:150]}   !=   {one[:150]}"


def compare(script, path):
    """All differences of a script for a map."""
    name = os.path.basename(script)[:-3]
    with tempfile.TemporaryDirectory() as folder:
        results, files = {}, {}
        for module in MODULES:
            place = os.path.join(folder, module)
            os.mkdir(place)
            results[module] = run(script, module, path, os.path.join(place, "out.map"))
            files[module] = sorted(os.listdir(place))
        (theirs, their_error), (ours, our_error) = results["twmap"], results["teemap.twmap"]
        if their_error is not None:
            if our_error is None:
                return "only teemap.twmap", []
            return "both refuse", []
        if our_error is not None:
            return "compared", [f"{name}: only twmap does it: {type(our_error).__name__}: {our_error}"]
        found = list(differences(name, ours, theirs))
        if files["twmap"] != files["teemap.twmap"]:
            found.append(f"{name}: files {files['twmap']} != {files['teemap.twmap']}")
        for file in files["twmap"]:
            pair = [os.path.join(folder, module, file) for module in MODULES]
            if file.endswith(".map"):
                dumps = [run(os.path.join(HERE, "dump.py"), "teemap.twmap", one, "written") for one in pair]
                if any(error for _, error in dumps):
                    found.append(f"{name}: what was written does not open: {[str(error) for _, error in dumps]}")
                found.extend(differences(f"{name}, written", dumps[1][0], dumps[0][0]))
            elif file.endswith(".png"):
                a, b = (teemap.read_picture(open(one, "rb").read()) for one in pair)
                if a.shape != b.shape or not np.array_equal(a, b):
                    found.append(f"{name}: {file} differs")
        return "compared", found


def made_map(path):
    """A map with one of most things, where there is no corpus."""
    map = teemap.Map.new(30, 20)
    map.images.add("pic", pixels=np.arange(16 * 16 * 4, dtype=np.uint8).reshape(16, 16, 4))
    back = map.groups.insert(0, "Back")
    walls = back.layers.add_tiles(name="Walls", image="pic", width=7, height=5)
    walls.tiles["index"][2, 3], walls.tiles["flags"][2, 3] = 17, 9
    map.edit.add_quad(back.layers.add("quads", name="Sky"), at=(64, -32), size=(10, 20))
    color, position = map.envelopes.add("sun", type="color"), map.envelopes.add("way", type="position")
    for envelope in (color, position):
        points = np.zeros(3, envelope.points.dtype)
        points["time"], points["values"] = [0, 500, 2000], [[1024, 0, 512, 3], [5, 6, 7, 8], [9, 10, 11, 12]]
        points["curve"] = 1
        envelope.points = points
    game = map.physics.game
    game.tiles["index"][3:9, 4:11] = 1
    game.tiles["index"][12, 2:9] = 3
    map.settings = ["sv_deepfly 1"]
    map.save(path)
    return path


def main(paths):
    begin, counts, bad = time.monotonic(), {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in [made_map(os.path.join(folder, "made.map")), *paths]:
            for script in SCRIPTS:
                state, found = compare(script, path)
                counts[state] = counts.get(state, 0) + 1
                bad += bool(found)
                for line in found[:6]:
                    print(f"{os.path.basename(path)}: {line}", flush=True)
                if len(found) > 6:
                    print(f"{os.path.basename(path)}: and {len(found) - 6} more", flush=True)
    print(f"{len(SCRIPTS)} scripts, {len(paths) + 1} maps: " + ", ".join(f"{num} {state}" for state, num in sorted(counts.items())) +
          f"; {bad} differ; {time.monotonic() - begin:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
