#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""clang finds nothing in what another compiler has built: each source of the build is read by clang with the flags
of that build, warnings being errors.

Usage: clang.py BUILD_DIR. Exit status 77: there is no clang, or the build has no list of its commands."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys

build = sys.argv[1]
try:
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
        commands = json.load(stream)
except FileNotFoundError:
    commands = []
if not commands or not shutil.which("clang"):
    print("skipped: no clang, or no compile_commands.json in", build)
    sys.exit(77)


def read(command):
    """clang's words about one source; empty when there are none"""
    words = shlex.split(command["command"])
    start = next(i for i, word in enumerate(words) if word.startswith("-"))
    return subprocess.run(["clang", *words[start:words.index("-o")], "-Werror", "-fsyntax-only", command["file"]],
                          cwd=command["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


sources = [command for command in commands if command["file"].endswith(".c")]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    told = [words for words in pool.map(read, sources) if words]
print("".join(told), end="")
print(f"{len(sources)} sources, {len(told)} of which clang has something to say")
sys.exit(bool(told))
