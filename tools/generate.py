#!/usr/bin/env python3
"""Writes the tables of the library into headers and documents, or looks whether they stand there.

usage: generate.py [--check] PROGRAM [ROOT]

Between a line with `made by ./run generate: PART` and the next one with `end of PART` goes what `PROGRAM PART` prints
(PROGRAM is print_tables, which the build makes). With --check nothing is written, and the exit status is 1 if a file is
not up to date.
"""
import os
import re
import subprocess
import sys

FILES = ["include/teemap/tiles.h", "docs/tiles-of-the-games.md", "docs/fields.md", "docs/editing.md", "docs/lint.md", "docs/facts.md",
         "src/games/mod_rows.h", "docs/mods.md", "include/teemap/teemap.hpp"]
# Parts that are made of files of their own, and not of what is compiled into the program.
MODS = {"mods", "mod-table"}

PLACE = re.compile(r"^(?P<begin>[^\n]*made by \./run generate: (?P<part>[\w-]+)[^\n]*\n)(?P<old>.*?)"
                   r"(?P<end>^[^\n]*end of (?P=part)\b[^\n]*\n)", re.MULTILINE | re.DOTALL)


def made(text, program, root):
    """The text with all its parts made anew, and their number."""
    folder = os.path.join(root, "data", "mods")
    mods = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".toml"))

    def part(match):
        files = mods if match["part"] in MODS else []
        done = subprocess.run([*program.split(), match["part"], *files], stdout=subprocess.PIPE, check=True)
        return match["begin"] + done.stdout.decode("utf-8") + match["end"]
    return PLACE.subn(part, text)


def main(arguments):
    check = arguments[:1] == ["--check"]
    arguments = arguments[check:]
    program, root = arguments[0], arguments[1] if len(arguments) > 1 else "."
    status = 0
    for name in FILES:
        path = os.path.join(root, name)
        with open(path, encoding="utf-8") as stream:
            old = stream.read()
        new, number = made(old, program, root)
        if not number:
            print(f"{name}: has no place for a table")
            status = 1
        elif new == old:
            print(f"{name}: up to date")
        elif check:
            print(f"{name}: not up to date; run ./run generate")
            status = 1
        else:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(new)
            print(f"{name}: written")
    return status


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
