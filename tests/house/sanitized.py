#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The compiler of this build has nothing to say where it compiles for the sanitizers, which makes it see more: each source of the build is
compiled once more for that of undefined behaviour, warnings being errors, and the result thrown away. Two such warnings once stopped
`./run sanitize` for half a day. The address sanitizer would double the time, and show nothing besides. Of tests one in 3 is compiled, others
each day; headers alone (build/) never, as there is nothing in them that runs.

Usage: sanitized.py BUILD_DIR. Exit status 77: the compiler is not gcc, or the build has no list of its commands."""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import time

TESTS_STEP = 3

build = sys.argv[1]
try:
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
        sources = {entry["file"]: entry for entry in json.load(stream) if entry["file"].endswith(".c")}
except FileNotFoundError:
    sources = {}
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
tests = sorted(path for path in sources if path.startswith(os.path.join(root, "tests", "")))
left_out = set(tests) - set(tests[int(time.time() // 86400) % TESTS_STEP::TESTS_STEP])
left_out.update(path for path in sources if path.startswith(os.path.join(build, "")))
sources = {path: entry for path, entry in sources.items() if path not in left_out}
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
print(f"{len(sources)} sources, {len(told)} of which the compiler has something to say; {len(left_out)} left out today")
sys.exit(bool(told))
