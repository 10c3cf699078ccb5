#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The README is true: its library example is examples/quickstart.c, which runs and changes just what it says; its commands exist and
all of them are named; its links lead somewhere; its example picture is what teemap draws of examples/landscape.c. The folders and files
that CONTRIBUTING.md names are there, and its table of rooms has all of them.

use: readme.py SOURCE BUILD TEEMAP"""
import os, re, subprocess, sys, tempfile, textwrap

source, build, teemap = sys.argv[1:4]
sys.path.insert(0, os.path.join(source, "tests/support"))
import pngfile

readme = open(os.path.join(source, "README.md"), encoding="utf-8").read()
faults = []


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


# the library example
program = open(os.path.join(source, "examples/quickstart.c"), encoding="utf-8").read()
part = program.split("/* README: begin */\n")[1].split("    /* README: end */")[0]
shown = re.search(r"```c\n(.*?)```", readme, re.S)
if not shown or shown.group(1) != textwrap.dedent(part):
    faults.append("the C example is not the marked part of examples/quickstart.c")
with tempfile.TemporaryDirectory() as work:
    before, after = os.path.join(work, "before.map"), os.path.join(work, "after.map")
    made = run(teemap, "new", before)
    ran = run(os.path.join(build, "examples/example_quickstart"), before, after)
    if made.returncode or ran.returncode or "Game" not in ran.stdout:
        faults.append("examples/quickstart.c fails: " + made.stderr + ran.stderr)
    else:
        was, now = (run(teemap, "cat", path, "Game/Game").stdout.splitlines() for path in (before, after))
        changed = [(x, y, b) for y, (r, s) in enumerate(zip(was, now)) for x, (a, b) in enumerate(zip(r.split(), s.split())) if a != b]
        if changed != [(3, 4, "9")]:
            faults.append(f"examples/quickstart.c should put a freeze tile at 3,4, but changed {changed}")
    # the picture
    scene, picture = os.path.join(work, "scene.map"), os.path.join(work, "scene.png")
    run(os.path.join(build, "examples/example_landscape"), scene)
    drawn = run(teemap, "render", scene, "--view", "50,21", "--size", "1200x560", "--time", "5000", "-o", picture)
    if drawn.returncode or pngfile.read(picture) != pngfile.read(os.path.join(source, "docs/landscape.png")):
        faults.append("docs/landscape.png is not what 'teemap render' draws of examples/landscape.c: " + drawn.stderr)

# the differences, as a text and as a picture
CHANGES = ["fill", "4/1@58,28+9x1", "3", "+", "fill", "4/0@58,28+9x1", "solid", "+", "clear", "4@30,23+5x3", "+", "fill", "4/1@41,26+8x1", "3", "+",
           "settings", "add", "sv_deepfly 0", "+", "set", "info.author=Anna"]
shown = re.search(r"\$ teemap diff old.map new.map --picture diff.png\n(.*?)\n\n", readme, re.S)
with tempfile.TemporaryDirectory() as work:
    old, new, picture = (os.path.join(work, name) for name in ("old.map", "new.map", "diff.png"))
    run(os.path.join(build, "examples/example_landscape"), old)
    run(teemap, "edit", old, "-o", new, *CHANGES)
    told = run(teemap, "diff", old, new, "--picture", picture, "--layers", "design", "--region", "22,15,52,22", "--size", "640x300", "--time", "5000")
    if not shown or textwrap.dedent(shown.group(1)) + "\n" != told.stdout:
        faults.append("the lines of 'teemap diff' are not what it says: " + told.stdout + told.stderr)
    if told.returncode != 1 or pngfile.read(picture) != pngfile.read(os.path.join(source, "docs/diff.png")):
        faults.append("docs/diff.png is not the picture of these differences: " + told.stderr)

# the commands
known = re.findall(r"^  (\w+) +\S", run(teemap, "--help").stdout.split("Commands\n")[1].split("\n\n")[0], re.M)
named = re.findall(r"^\| `teemap (\w+)", readme, re.M)
if sorted(set(known) - {"help"}) != sorted(named):
    faults.append(f"the README's table has {sorted(named)}, teemap has {sorted(known)}")

# the links
for target in re.findall(r"\]\((?!https?:)([^)#]+)", readme):
    if not os.path.exists(os.path.join(source, target)):
        faults.append(f"the link to {target} leads nowhere")

# what stands where
contributing = open(os.path.join(source, "CONTRIBUTING.md"), encoding="utf-8").read()
for path in set(re.findall(r"`((?:bench|cli|cmake|docs|examples|fuzz|include|src|tests|tools)/[\w./-]*)`", contributing)):
    if not os.path.exists(os.path.join(source, path)):
        faults.append(f"CONTRIBUTING.md: there is no {path}")
table = contributing.split("| room |")[1].split("\n\n")[0]
rooms = sorted(room for room in os.listdir(os.path.join(source, "src")) if os.path.isdir(os.path.join(source, "src", room)))
if sorted(re.findall(r"^\| `(\w+)`", table, re.M)) != rooms:
    faults.append(f"CONTRIBUTING.md: the table of rooms is not {rooms}")

for fault in faults:
    print(fault if fault.startswith("CONTRIBUTING.md") else "README.md: " + fault)
sys.exit(1 if faults else 0)
