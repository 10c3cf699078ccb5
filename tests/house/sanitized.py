#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The compiler of this build has nothing to say where it compiles for the sanitizers, which makes it see more: each source of the build is
compiled once more for that of undefined behaviour, warnings being errors, and the result thrown away. Two such warnings once stopped
`./run sanitize` for half a day. The address sanitizer would double the time, and show nothing besides.

Usage: sanitized.py BUILD_DIR. Exit status 77: the compiler is not gcc, or the build has no list of its commands."""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

build = sys.argv[1]
try:
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
        sources = {entry["file"]: entry for entry in json.load(stream) if entry["file"].endswith(".c")}
except FileNotFoundError:
    sources = {}
compiler = os.environ.get("CC", "cc").split()
version = subprocess.run([*compiler, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
if not sources or "Free Software Foundation" not in version:
    print("skipped: no gcc, or no compile_commands.json in", build)
    sys.exit(77)


def read(entry):
    """the compiler's words about one source; empty when there are none"""
    words = shlex.split(entry["command"])
    flags = words[next(i for i, word in enumerate(words) if word.startswith("-")):words.index("-o")]
    if "-MD" in flags:
        flags = flags[:flags.index("-MD")]
    return subprocess.run([*compiler, *flags, "-Werror", "-g0", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-S", "-o", "/dev/null",
                           entry["file"]], cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    told = [words for words in pool.map(read, sources.values()) if words]
print("".join(told), end="")
print(f"{len(sources)} sources, {len(told)} of which the compiler has something to say")
sys.exit(bool(told))
