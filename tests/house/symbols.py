#!/usr/bin/env python3
"""What the libraries show and hold.

usage: symbols.py SHARED_LIBRARY STATIC_LIBRARY INCLUDE_FOLDER     needs GNU or LLVM nm; exit 77 without it

- The shared library exports tm_ names only, and each function that a public header declares; these are at most MAX_FUNCTIONS.
- A program uses each of them: a command, an example, a benchmark, a fuzz target, a module of the bindings. UNCALLED has those that
  none of ours calls, with the reason why they stay.
- It calls nothing that prints, ends the process, or depends on locale or environment.
- It has no variable that can be written to: no hidden state. The few that are allowed are named below.
- No more than three files of a room stand in a circle, each using the next one: who reads one of them has to read all.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
import headers

NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#.*?(?<!\\)$", re.DOTALL | re.MULTILINE)
BANNED = {"abort", "atexit", "exit", "_exit", "fprintf", "getenv", "perror", "printf", "putchar", "puts", "rand", "setlocale",
          "secure_getenv", "srand", "system", "vfprintf", "vprintf", "__printf_chk", "__fprintf_chk", "stderr", "stdout"}
# What may be written to, all of it in src/sys: the lists of temporary files that a signal handler removes and of folders that were swept (promised in
# teemap/sys.h), and the hook by which tests make system calls fail (never set in a real program).
STATE = {("atomic_save.c.o", "slots"), ("atomic_save.c.o", "ending"), ("sweep.c.o", "swept"), ("fault.c.o", "hook")}
MAX_CIRCLE = 3
TYPED = "the typed call of an operation of teemap/edit.h"
LOOKS = "the object that a reference of the model leads to, NULL for none"
UNCALLED = {
    "tm_map_duplicate": TYPED,
    "tm_map_image": LOOKS, "tm_map_sound": LOOKS, "tm_map_envelope": LOOKS,
    "tm_field_num": "how many values of a list tm_field_get can be asked for",
    "tm_value_parse": "the way back of tm_value_format",
    "tm_view_bytes": "what a tm_view is made for; bindings read its address",
    "tm_game_name_is_plain": "for who writes a tm_image_provider, whose contract names it",
}
PROGRAMS = ("cli", "examples", "bench", "fuzz", "bindings", "web", "tools")
MAX_FUNCTIONS = 440  # a question, not an aim: who adds one looks first which one nobody needs
WRITABLE = re.compile(r"^(\.data(?!\.rel\.ro)|\.bss|\.tdata|\.tbss|COMMON|\*COM\*)")


def nm(*arguments):
    return subprocess.run(["nm", *arguments], check=True, capture_output=True, text=True).stdout.splitlines()


def named(source, include):
    """The words of our programs, and of what the public headers define inline."""
    words = set()
    for folder in PROGRAMS:
        for path in glob.glob(os.path.join(source, folder, "**", "*.*"), recursive=True):
            if path.endswith((".c", ".h", ".py", ".js", ".mjs", ".cjs")) and "/build/" not in path:
                with open(path, encoding="utf-8") as stream:
                    words |= set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", " ", stream.read(), flags=re.DOTALL)))
    for path in glob.glob(os.path.join(include, "teemap", "*.h")):
        with open(path, encoding="utf-8") as stream:
            for body in re.findall(r"^#\s*define\b.*?(?<!\\)$|^static inline\b.*?^\}", stream.read(), re.DOTALL | re.MULTILINE):
                words |= set(re.findall(r"\w+", body))
    return words


def state(static):
    """Names of the writable variables in the objects, as (object, name)."""
    found, current = [], "?"
    for line in nm("--format=sysv", "--defined-only", static):
        if line.startswith("Symbols from "):
            current = line[len("Symbols from "):].split("[")[-1].rstrip("]:")
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7 and fields[3] in ("OBJECT", "TLS") and WRITABLE.match(fields[6]):
            found.append((current, re.sub(r"\.\d+$", "", fields[0])))
    return found


def uses(static, source):
    """For each file of the library the files of its room that it uses."""
    rooms = {os.path.basename(path): os.path.basename(os.path.dirname(path)) for path in glob.glob(os.path.join(source, "*", "*.c"))}
    defined, wanted, current = {}, {}, "?"
    for line in nm("-g", static):
        fields = line.split()
        if line.endswith(".o:"):
            current = line[:-len(".o:")]
        elif len(fields) == 2 and fields[0] == "U":
            wanted.setdefault(current, set()).add(fields[1])
        elif len(fields) == 3:
            defined[fields[2]] = current
    return {file: {defined[name] for name in names if name in defined and rooms.get(defined[name]) == rooms.get(file)}
            for file, names in wanted.items() if file in rooms}


def reached(graph, start):
    seen, todo = set(), [start]
    while todo:
        new = graph.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return seen


def circles(graph):
    reach = {file: reached(graph, file) for file in graph}
    return {tuple(sorted(other for other in reach[file] if file in reach.get(other, ()))) for file in graph if file in reach[file]}


def main(shared, static, include):
    if not shutil.which("nm") or not shared.endswith((".so", ".so.0")) and ".so" not in shared:
        print("skipped: no nm, or no ELF library")
        return 77
    # Some linkers list the version itself, as an absolute symbol.
    exported = {line.split()[-1].split("@")[0] for line in nm("-D", "--defined-only", shared) if line.split()[-2] != "A"}
    imported = {line.split()[-1].split("@")[0] for line in nm("-D", "--undefined-only", shared)}
    promised = {name for _, name, _ in headers.functions(include)}
    findings = [f"exported, but not ours to export: {name}" for name in sorted(exported) if not name.startswith("tm_")]
    findings += [f"declared in a public header, but not exported: {name}" for name in sorted(promised - exported)]
    findings += [f"exported, but in no public header: {name}" for name in sorted(exported - promised)
                 if name.startswith("tm_")]
    findings += [f"the library uses {name}" for name in sorted(imported & BANNED)]
    findings += [f"hidden state: {name} in {where}" for where, name in state(static) if (where, name) not in STATE]
    if len(promised) > MAX_FUNCTIONS:
        findings.append(f"{len(promised)} public functions, {MAX_FUNCTIONS} are the most")
    called = named(os.path.join(include, ".."), include)
    findings += [f"no program of ours calls {name}: make it internal, or say in UNCALLED why it stays"
                 for name in sorted(promised - called - set(UNCALLED))]
    findings += [f"{name} is in UNCALLED, but is called or gone" for name in sorted(set(UNCALLED) & called | set(UNCALLED) - promised)]
    graph = uses(static, os.path.join(include, "..", "src"))
    findings += [f"a circle of {len(circle)} files: {' '.join(circle)}" for circle in sorted(circles(graph)) if len(circle) > MAX_CIRCLE]
    if not graph:
        findings.append("no file of the library was found in src/")
    print("\n".join(findings + [f"{len(promised)} functions declared, {len(exported)} exported"]))
    return 1 if findings or not promised else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
