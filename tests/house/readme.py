#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The README is true: its library example is examples/quickstart.c, which runs and changes just what it says; its links lead somewhere, and so do those of
docs/README.md, which has all commands and all documents; its example picture is what teemap draws of examples/landscape.c. The folders and files
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

# the commands
known = re.findall(r"^  (\w+) +\S", run(teemap, "--help").stdout.split("Commands\n")[1].split("\n\n")[0], re.M)
index = open(os.path.join(source, "docs/README.md"), encoding="utf-8").read()
named = re.findall(r"^\| `teemap (\w+)", index.split("\n## All commands\n")[1], re.M)
grouped = re.findall(r"`(\w+)`", readme.split("| to | commands |\n")[1].split("\n\n")[0])
for where, commands in (("docs/README.md", named), ("README.md", grouped)):
    if sorted(set(known) - {"help"}) != sorted(commands):
        faults.append(f"the table of {where} has {sorted(commands)}, teemap has {sorted(known)}")

# the links, and that none of docs is left out of its index
for folder, text in (("", readme), ("docs", index)):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        if not os.path.exists(os.path.join(source, folder, target)):
            faults.append(f"the link to {target} leads nowhere")
for name in os.listdir(os.path.join(source, "docs")):
    if name.endswith(".md") and name != "README.md" and f"]({name}" not in index:
        faults.append(f"docs/README.md does not list {name}")
if readme.count("\n") >= 200:
    faults.append("200 lines or more")

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
