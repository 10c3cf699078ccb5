#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Times the Python package beside the module twmap 0.6.6, the command and the C library, and prints one markdown table.
`./run bench --python` calls it in an environment that has both modules.

Times are processor time of this process or of a child, the least of some rounds in which the sides take turns; what is said of
threads is wall time. Maps are those that both sides take."""
import argparse
import glob
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import teemap
import twmap


def spent(work, clock=time.process_time):
    """The least of some runs in a row, 20 ms of them: what the other side did leaves the first one with cold caches."""
    took, end = [], clock() + 0.02
    while not took or clock() < end:
        begin = clock()
        work()
        took.append(clock() - begin)
    return min(took)


def child(command, folder=None):
    """Processor time of a child, in a folder."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    begin = used()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd=folder)
    return used() - begin


def rounds(number, *sides):
    """The least that each side took."""
    took = [[] for _ in sides]
    for _ in range(number):
        for i, side in enumerate(sides):
            took[i].append(side())
    return [min(times) for times in took]


class Table:
    def __init__(self):
        self.rows = []

    def keep(self, work, ours, beside, theirs, ratio, must, met):
        self.rows.append((work, ours, f"{beside}: {theirs}" if theirs else beside, ratio, must, {True: "yes", False: "NO", None: ""}[met]))
        print("bench:", work, file=sys.stderr)

    def faster(self, work, ours, beside, theirs, must):
        times = theirs / ours
        self.keep(work, seconds(ours), beside, seconds(theirs), f"{times:.3g} times faster", f">= {must}", times >= must)

    def within(self, work, ours, beside, theirs, must):
        self.keep(work, seconds(ours), beside, seconds(theirs), f"{ours / theirs:.2f}", f"<= {must}", ours / theirs <= must)

    def print(self):
        print("| work | teemap for Python | beside | ratio | must | met |\n|---|---|---|---|---|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")


def seconds(number):
    return f"{number * 1e6:.0f} us" if number < 1e-3 else f"{number * 1e3:.3g} ms" if number < 1 else f"{number:.3g} s"


def game_of(path):
    return teemap.open(path).physics.game.tiles


def their_game(path):
    return twmap.Map(path).game_layer().tiles


def each(work, paths):
    """One after the other: none is kept."""
    for path in paths:
        work(path)


def all_of(path):
    return [layer.tiles for layer in teemap.open(path).layers if isinstance(layer, teemap.TileLayer)]


def their_all(path):
    return [layer.tiles for group in twmap.Map(path).groups for layer in group.layers if layer.kind() not in ("Quads", "Sounds")]


def both_take(paths):
    taken = []
    for path in paths:
        try:
            twmap.Map(path).game_layer().tiles
            game_of(path)
            taken.append(path)
        except Exception:  # of any kind: twmap has its own
            continue
    return taken


def reading_rows(table, options, paths):
    taken = both_take(paths)
    small = [path for path in taken if os.path.getsize(path) < 50000]
    large = [path for path in taken if os.path.getsize(path) > 200000]
    for name, some in (("small", small), ("large", large)):
        ours, theirs = rounds(options.rounds, lambda: spent(lambda: each(game_of, some)),
                              lambda: spent(lambda: each(their_game, some)))
        table.faster(f"open, and the game layer as an array: {len(some)} {name} maps", ours, "twmap", theirs, 10)
    ours, theirs = rounds(options.rounds, lambda: spent(lambda: each(all_of, taken)),
                          lambda: spent(lambda: each(their_all, taken)))
    table.faster(f"open, and all tile layers as arrays: {len(taken)} maps", ours, "twmap", theirs, 8)
    with tempfile.TemporaryDirectory(dir=options.fast) as folder:
        out = os.path.join(folder, "out.map")
        for name, some in (("small", small), ("large", large)):
            ours, theirs = rounds(options.rounds, lambda: spent(lambda: [teemap.open(path).save(out) for path in some]),
                                  lambda: spent(lambda: [twmap.Map(path).save(out) for path in some]))
            table.faster(f"load and save: {len(some)} {name} maps", ours, "twmap", theirs, 100)
    big = [path for path in paths if 0.7e6 < os.path.getsize(path) < 3e6]
    names = os.path.join(options.work, "big.list")
    with open(names, "w", encoding="utf-8") as file:
        file.writelines(path + "\n" for path in big)

    def in_c():
        lines = subprocess.run([options.bench_teemap, "game", "-l", names, "-n", "6"], check=True, stdout=subprocess.PIPE, text=True).stdout
        return min(float(line.split("cpu=")[1].split()[0]) for line in lines.splitlines()[1:])

    ours, theirs = rounds(options.rounds, lambda: spent(lambda: each(game_of, big)), in_c)
    table.within(f"open, and the game layer: {len(big)} maps of about 1 MB", ours, "C", theirs, 1.3)


def facts_rows(table, options, paths):
    many = (paths * (1000 // len(paths) + 1))[:1000]
    ours, theirs = rounds(2, lambda: spent(lambda: [teemap.facts(path) for path in many]),
                          lambda: child([options.teemap, "info", "--facts", *many]))
    table.within("facts of 1,000 maps, one process", ours, "`teemap info --facts`", theirs, 1.5)


def picture_rows(table, options, paths):
    path = next(path for path in paths if "Gold_Mine" in path)
    map = teemap.open(path)
    cameras = [(10 + i * 3, 20 + i % 50) for i in range(64)]
    out = np.empty((64, 180, 320, 4), np.uint8)
    one, two = (map.renderer(threads=n) for n in (1, 2))
    renderer, core, ffi = one._c, teemap._core, teemap._core.ffi
    prepared = [one._camera(place, size=(320, 180)) for place in cameras]

    def bare():  # what C does for these pictures, on one thread
        out[...] = 0
        for camera, picture in zip(prepared, out):
            core.lib.tm_renderer_draw(renderer, camera, ffi.new("tm_rows *", (ffi.cast("void *", picture.ctypes.data), 320 * 4, 0, 180)), ffi.NULL)

    cpu, c = rounds(max(9, options.rounds), lambda: spent(lambda: one.views(cameras, out=out)), lambda: spent(bare))
    table.within("64 views of 320x180, 1 thread", cpu, "the calls of C alone", c, 1.1)
    alone, both = rounds(max(9, options.rounds), lambda: spent(lambda: one.views(cameras, out=out), time.perf_counter),
                         lambda: spent(lambda: two.views(cameras, out=out), time.perf_counter))
    table.keep("64 views of 320x180, 2 threads, wall", seconds(both), "1 thread", seconds(alone), f"{alone / both:.2f} times faster", ">= 1.8",
               alone / both >= 1.8)


def import_rows(table):
    start, with_numpy, ours = rounds(9, lambda: child([sys.executable, "-c", "pass"]), lambda: child([sys.executable, "-c", "import numpy"]),
                                     lambda: child([sys.executable, "-c", "import teemap"]))
    table.keep("import teemap", seconds(ours - start), "numpy, which the first array imports", seconds(with_numpy - start),
               f"{(with_numpy - start) / (ours - start):.2f} of it", "<= 80 ms", ours - start <= 0.08)


def their_difference(before, after):
    """The layers of tiles that differ, as extensions/map_testing/mapdiff of DDNet's bot finds them."""
    old, new = twmap.Map.from_bytes(before), twmap.Map.from_bytes(after)
    for old_group, new_group in zip(old.groups, new.groups):
        for one, other in zip(old_group.layers, new_group.layers):
            if one.kind() not in ("Quads", "Sounds"):
                yield one.tiles.shape != other.tiles.shape or (one.tiles != other.tiles).any(axis=2).nonzero()


SIZES = """
import sys
from matplotlib.figure import Figure
figure = Figure(figsize=(12, 9))
((total, items), (images, sounds)) = figure.subplots(2, 2)
total.pie([8, 1, 1], labels=["images", "sounds", "others"], autopct="%1.1f%%")
for part in images, sounds:
    wedges, _ = part.pie(range(1, 9), labels=range(1, 9))
    part.legend(wedges, [f"{i}. image {i}" for i in range(1, 9)], loc="center left", bbox_to_anchor=(1, 0, 0.5, 1))
items.bar_label(items.barh(range(8), range(8)))
items.set_yticks(range(8), labels=[f"image {i}" for i in range(8)])
figure.tight_layout()
figure.savefig(sys.argv[1], bbox_inches="tight")
"""


def tools_row(table, options):
    """map_testing.py on a pair of versions, as a process, beside what the bot of DDNet's testers starts and calls for them: the checks, the
    edit, a picture of the map, one of the area that changed as large as the bot asks for, the difference, and the pies and bars of sizes by matplotlib."""
    example = os.path.join(options.root, "examples", "python", "map_testing.py")
    source = next(path for path in options.paths if "Gold_Mine-98" in path)
    old, new = teemap.open(source), teemap.open(source)
    new.edit("fill game@20,20+9x9 freeze")
    before, after, out = (os.path.join(options.work, name) for name in ("old.map", "new.map", "out.map"))
    old.save(before)
    new.save(after)
    commands = [("twmap-check", "-vv", "--", after), ("twmap-check-ddnet", "--omit-unreliable-checks", "--", after),
                ("twmap-edit", after, out, "--remove-everything-unused", "--shrink-tiles-layers"), ("twgpu-map-photography", after),
                ("twgpu-map-photography", "-r", "1200x1200", "-p", "24.5,24.5", "-z", "1.38", after)]
    there = [command for command in commands if os.path.exists(os.path.join(options.tools, command[0]))]
    bytes_of = [old.to_bytes(), new.to_bytes()]
    ours, sizes, difference, *theirs = rounds(
        5, lambda: child([sys.executable, example, before, after, os.path.join(options.work, "report")]),
        lambda: child([sys.executable, "-c", SIZES, os.path.join(options.work, "sizes.png")]), lambda: spent(lambda: list(their_difference(*bytes_of))),
        *(lambda command=command: child([os.path.join(options.tools, command[0]), *command[1:]], options.work) for command in there))
    if not there:
        table.keep("map_testing.py on a pair of versions", seconds(ours), "twmap's and twgpu's tools", "not here", "-", "<= 0.1", None)
        return
    name = ", ".join(sorted({command[0] for command in there})) + ", twmap and matplotlib"
    theirs = sum(theirs) + sizes + difference
    table.keep("map_testing.py on a pair of versions, CPU", seconds(ours), name, seconds(theirs), f"{ours / theirs:.3f}", "<= 0.1", ours / theirs <= 0.1)


MEMORY = """
import resource, sys, teemap

def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20

def some(number):
    for path in (sys.argv[1:] * (number // len(sys.argv[1:]) + 1))[:number]:
        [layer.tiles for layer in teemap.open(path).layers if isinstance(layer, teemap.TileLayer)]

some(200)
before = resident()
some(1000)
print(before, resident())
"""


def memory_row(table, paths):
    before, after = map(float, subprocess.run([sys.executable, "-c", MEMORY, *paths], check=True, stdout=subprocess.PIPE).stdout.split())
    table.keep("memory behind 1,000 maps that were opened, with arrays of all tiles, and dropped", f"{after - before:+.1f} MiB",
               f"{before:.0f} MiB in use before", "", "-", "<= 8 MiB", after - before <= 8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--teemap", required=True)
    parser.add_argument("--bench-teemap", required=True)
    parser.add_argument("--tools", default="", help="folder of twmap's and twgpu's tools")
    parser.add_argument("maps")
    options = parser.parse_args()
    options.root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    options.fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    options.paths = paths = []
    for path in sorted(glob.glob(os.path.join(options.maps, "**", "*.map"), recursive=True)):
        try:
            if teemap.open(path).physics.game is not None:
                paths.append(path)
        except teemap.Error:
            continue
    table = Table()
    with tempfile.TemporaryDirectory(dir=options.fast) as options.work:
        import_rows(table)
        reading_rows(table, options, paths)
        facts_rows(table, options, paths)
        picture_rows(table, options, paths)
        tools_row(table, options)
        memory_row(table, paths)
    print(f"{len(paths)} maps; the least of {options.rounds} rounds; {os.cpu_count()} processors; twmap 0.6.6, numpy {np.__version__}, "
          f"Python {sys.version.split()[0]}\n")
    table.print()


if __name__ == "__main__":
    main()
