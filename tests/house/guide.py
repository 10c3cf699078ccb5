#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""docs/library.md is true: its first program and all further pieces of C, in their order in one program behind it, compile without a
warning, run, and print what the page shows; what they write is as it says; its names and links lead somewhere.

usage: guide.py SOURCE BUILD SHARED_LIBRARY TEEMAP"""
import glob
import os
import re
import subprocess
import sys
import tempfile

source, build, library, teemap = sys.argv[1:5]
sys.path.insert(0, os.path.join(source, "tests/support"))
import pngfile

page = open(os.path.join(source, "docs/library.md"), encoding="utf-8").read()
END = "--- end of a piece ---"
faults = []


def run(*words, cwd=None):
    return subprocess.run(words, capture_output=True, text=True, cwd=cwd, check=False)


def compile_c(folder, name, text):
    path = os.path.join(folder, name)
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(text)
    done = run(*os.environ.get("CC", "cc").split(), "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(source, "include"),
               path + ".c", library, "-Wl,-rpath," + os.path.dirname(library), "-o", path)
    if done.returncode:
        faults.append(f"{name}.c does not compile: {done.stderr}")
    return path


def main():
    # (a piece of C, what it prints)
    pieces = re.findall(r"```c\n(.*?)```\n(?:```text\n(.*?)```\n)?", page, re.S)
    first, shown = pieces[0]
    head = first.split("int main(")[0]
    functions = [piece for piece, _ in pieces[1:] if piece.startswith("typedef ")]
    steps = [piece for piece in pieces[1:] if piece[0] not in functions]
    body = "".join(f'{{\n{piece}}}\nputs("{END}");\n' for piece, _ in steps)
    with tempfile.TemporaryDirectory() as work:
        run(teemap, "new", "first.map", cwd=work)
        run(os.path.join(build, "examples/example_landscape"), "other.map", cwd=work)
        done = run(compile_c(work, "first", first), "first.map", cwd=work) if not faults else None
        if done and (done.returncode or done.stdout != shown):
            faults.append(f"the first program prints: {done.stdout}{done.stderr}")
        whole = compile_c(work, "whole", head + "\n".join(functions) + "\nint main(void)\n{\ntm_map *map;\n"
                          'check(tm_store_load(&map, "first.map", NULL, NULL, &error));\n' + body + "tm_map_free(map);\nreturn 0;\n}\n")
        if faults:
            return
        done = run(whole, cwd=work)
        if done.returncode:
            faults.append(f"the pieces end with {done.returncode}: {done.stderr}")
        for (piece, shown), printed in zip(steps, done.stdout.split(END + "\n")):
            if printed != shown:
                faults.append(f"this piece:\n{piece}prints:\n{printed}")
        checked = run(teemap, "check", "--mode", "strict", "changed.map", cwd=work)
        if checked.returncode:
            faults.append("changed.map is not one that DDNet loads: " + checked.stdout + checked.stderr)
        elif pngfile.read(os.path.join(work, "picture.png"))[:2] != (320, 180):
            faults.append("picture.png has another size")


main()
declared = "".join(open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(source, "include/teemap/*.h")))
for name in sorted(set(re.findall(r"\b(?:tm|TM)_\w+[a-zA-Z]\b", page))):
    if not re.search(rf"\b{name}\b", declared):
        faults.append(f"there is no {name}")
for target in re.findall(r"\]\((?!https?:)([^)#]+)", page):
    if not os.path.exists(os.path.join(source, "docs", target)):
        faults.append(f"the link to {target} leads nowhere")
for fault in faults:
    print("docs/library.md:", fault)
sys.exit(1 if faults else 0)
