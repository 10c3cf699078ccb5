#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""docs/automapper.md is true: its files of rules have nothing odd in them, and dressed by them the painted shapes look as its pictures show,
pixel by pixel. The sheet on which every tile shows its index is made here.

use: automapper_page.py SOURCE TEEMAP [update]"""
import colorsys, os, re, shutil, struct, subprocess, sys, tempfile, zlib

source, teemap = (os.path.abspath(path) for path in sys.argv[1:3])
update = sys.argv[3:] == ["update"]
sys.path.insert(0, os.path.join(source, "tests/support"))
import pngfile

folder = os.path.join(source, "docs/automapper")
page = open(os.path.join(source, "docs/automapper.md"), encoding="utf-8").read()
shown = re.findall(r"!\[[^]]+\]\(automapper/([\w.-]+)\)", page)
faults = []

# Digits of 3 x 5 pixels, a row each three bits.
DIGITS = ["75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717"]


def tile_rows(index):
    """16 x 16 pixels: a color of its own, a bright stripe above, a dark one at the left, and the index."""
    color = [round(255 * c) for c in colorsys.hsv_to_rgb(index * 0.381 % 1, 0.55, 0.75)]
    rows = [[(*color, 255)] * 16 for _ in range(16)]
    for i in range(16):
        rows[i][0] = rows[i][1] = (*[c // 2 for c in color], 255)
        rows[0][i] = rows[1][i] = (255, 255, 200, 255)
    text = str(index)
    for n, digit in enumerate(text):
        for y, bits in enumerate(DIGITS[int(digit)]):
            for x in range(3):
                if int(bits) >> (2 - x) & 1:
                    rows[6 + y][9 - 2 * len(text) + 4 * n + x] = (0, 0, 0, 255)
    return rows


def make_sheet(path):
    lines = []
    for row in range(16):
        tiles = [tile_rows(row * 16 + i) if row or i else [[(0, 0, 0, 0)] * 16] * 16 for i in range(16)]
        for y in range(16):
            lines.append(b"\0" + bytes(c for tile in tiles for pixel in tile[y] for c in pixel))
    with open(path, "wb") as png:
        png.write(b"\x89PNG\r\n\x1a\n")
        for name, body in ((b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b"")):
            png.write(struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)))


def run(work, *words):
    ran = subprocess.run([teemap, "rules", *words], cwd=work, capture_output=True, text=True)
    if ran.returncode:
        faults.append(f"'teemap rules {' '.join(words)}' ends with {ran.returncode}: {ran.stdout}{ran.stderr}")


with tempfile.TemporaryDirectory() as work:
    make_sheet(os.path.join(work, "sheet"))
    made = ["raw.png"]
    blocks = re.findall(r"^```rules (\w+)\n(.*?)^```", page, re.M | re.S)
    for name, text in blocks + [("teeworlds", re.search(r"^```json\n(.*?)^```", page, re.M | re.S)[1])]:
        rules = name + (".json" if name == "teeworlds" else ".rules")
        with open(os.path.join(work, rules), "w", encoding="utf-8") as file:
            file.write(text)
        run(work, "check", rules)
        if name != "teeworlds":
            run(work, "preview", rules, "--image", "sheet", "-o", name + ".png")
            made.append(name + ".png")
        if name + "-cards.png" in shown:
            run(work, "show", rules, "--image", "sheet", "-o", name + "-cards.png", "--scale", "32")
            made.append(name + "-cards.png")
        if len(made) == 2:
            run(work, "preview", rules, "--image", "sheet", "--raw", "-o", "raw.png")
    if update:
        os.makedirs(folder, exist_ok=True)
        for name in made:
            shutil.copy(os.path.join(work, name), folder)
    if sorted(made) != sorted(shown) or sorted(made) != sorted(os.listdir(folder)):
        faults.append(f"made are {sorted(made)}, shown {sorted(shown)}, in docs/automapper {sorted(os.listdir(folder))}")
    for name in set(made) & set(os.listdir(folder)):
        if pngfile.read(os.path.join(work, name)) != pngfile.read(os.path.join(folder, name)):
            faults.append(f"automapper/{name} is not what its rules make")

for fault in faults:
    print("docs/automapper.md: " + fault)
sys.exit(1 if faults or not shown else 0)
