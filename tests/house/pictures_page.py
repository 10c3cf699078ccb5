#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The pictures in the documents are true: the commands that stand beside them, run one after another on the map of examples/landscape.c,
make the pictures that are shown, pixel by pixel; all are shown, and none is large. What shows sizes in a file is made of one file that is kept
(tests/golden/maps/sizes.map): each release of the packers gives blocks of other sizes.

use: pictures_page.py SOURCE BUILD TEEMAP [update]"""
import os, re, shutil, subprocess, sys, tempfile

source, build, teemap = (os.path.abspath(path) for path in sys.argv[1:4])
update = sys.argv[4:] == ["update"]
sys.path.insert(0, os.path.join(source, "tests/support"))
import pngfile

MAX_BYTES = 150_000
# Documents, and the section of each that has commands and pictures.
PAGES = (("docs/pictures.md", "A page of pictures"), ("docs/mapdir.md", "Changed by hand"), ("README.md", "What it is for"))
folder = os.path.join(source, "docs/pictures")
page = ""
for name, section in PAGES:
    with open(os.path.join(source, name), encoding="utf-8") as file:
        page += file.read().split(f"\n## {section}\n")[1].split("\n## ")[0]
shown = re.findall(r"!\[[^]]+\]\((?:docs/)?pictures/([\w.-]+)\)", page)
faults = []
KEPT = os.path.join(source, "tests/golden/maps/sizes.map")  # my.map of the README
CHANGES = ["fill", "4/1@58,28+9x1", "3", "+", "fill", "4/0@58,28+9x1", "solid", "+", "clear", "4@30,23+5x3", "+", "fill", "4/1@41,26+8x1", "3"]


def run(words, work):
    return subprocess.run(words, cwd=work, capture_output=True, text=True)


def pixels(path):
    return (pngfile.read(path), pngfile.frames(path)) if path.endswith(".apng") else pngfile.read(path)


with tempfile.TemporaryDirectory() as work:
    subprocess.run([os.path.join(build, "examples/example_landscape"), os.path.join(work, "hills.map")], check=True)
    # The maps of the README: two versions of one, a program's, and a folder of them.
    os.makedirs(os.path.join(work, "maps"))
    shutil.copy(os.path.join(work, "hills.map"), os.path.join(work, "old.map"))
    shutil.copy(os.path.join(work, "hills.map"), os.path.join(work, "maps"))
    subprocess.run([teemap, "edit", "old.map", "-o", "my.map", *CHANGES], cwd=work, check=True)
    subprocess.run([os.path.join(build, "examples/example_cave"), os.path.join(work, "cave.map")], check=True, stdout=subprocess.DEVNULL)
    if update:
        shutil.copy(os.path.join(work, "my.map"), KEPT)
    compared = run([teemap, "diff", "my.map", KEPT], work)
    if compared.returncode:
        faults.append(f"{KEPT} is not my.map of the README any more: {compared.stdout}{compared.stderr}")
    shutil.copy(KEPT, os.path.join(work, "my.map"))
    for line in re.findall(r"^    ((?:teemap|sed) .*)$", page, re.M):
        ran = run(["bash", "-c", f'teemap() {{ "$0" "$@"; }}; {line}', teemap], work)
        if ran.returncode > line.startswith("teemap diff "):
            faults.append(f"'{line}' ends with {ran.returncode}: {ran.stderr}")
    shutil.copytree(os.path.join(work, "thumbnails"), work, dirs_exist_ok=True)
    made = sorted(name for name in os.listdir(work) if not name.endswith(".map") and os.path.isfile(os.path.join(work, name)))
    if update:
        os.makedirs(folder, exist_ok=True)
        for name in made:
            shutil.copy(os.path.join(work, name), folder)
    if made != sorted(shown) or made != sorted(os.listdir(folder)):
        faults.append(f"made are {made}, shown {sorted(shown)}, in docs/pictures {sorted(os.listdir(folder))}")
    for name in set(made) & set(os.listdir(folder)):
        kept = os.path.join(folder, name)
        if pixels(os.path.join(work, name)) != pixels(kept):
            faults.append(f"pictures/{name} is not what its command makes")
        if os.path.getsize(kept) > MAX_BYTES:
            faults.append(f"pictures/{name} has {os.path.getsize(kept)} bytes, at most {MAX_BYTES} are allowed")

for fault in faults:
    print("pictures of the documents: " + fault)
sys.exit(1 if faults or not shown else 0)
