# SPDX-License-Identifier: Zlib
"""What tools/try_release.sh asks of the wheel: facts, a picture and the optimised file as the command of the system makes them.

usage: try_wheel.py FOLDER"""
import glob
import json
import os
import subprocess
import sys
import tempfile

import teemap


def said(*arguments):
    return subprocess.run(["teemap", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


wrong = done = 0
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.map"))):
    try:
        map = teemap.open(path)
    except ValueError:
        continue  # the programs agree on it
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.map")
        said("optimize", path, "-o", out)
        small = map.copy()
        small.optimize()
        with open(out, "rb") as file:
            equal = {"optimize": small.packed() == file.read()}
    view = ["--view", "20,20", "--size", "320x180", "--format", "raw", "--background", "000000", "--missing", "client"]
    equal["render"] = map.render((20, 20), size=(320, 180), background=(0, 0, 0, 255)).tobytes() == said("render", *view, "-o", "-", path)
    equal["facts"] = json.loads(json.dumps(teemap.facts(path))) == json.loads(said("info", "--facts", path))
    done += 1
    if not all(equal.values()):
        wrong += 1
        print(path, *(name for name in equal if not equal[name]))
print(f"wheel: equal to the command on {done - wrong} of {done} maps")
sys.exit(bool(wrong or not done))
