#!/usr/bin/env python3
"""What the libraries show and hold.

usage: symbols.py SHARED_LIBRARY STATIC_LIBRARY INCLUDE_FOLDER     needs GNU or LLVM nm; exit 77 without it

- The shared library exports tm_ names only, and each function that a public header declares.
- It calls nothing that prints, ends the process, or depends on locale or environment.
- It has no variable that can be written to: no hidden state. The few that are allowed are named below.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

DECLARED = re.compile(r"\bTM_API\b[^;{]*?\b(tm_\w+)\s*\(")
NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#.*?(?<!\\)$", re.DOTALL | re.MULTILINE)
BANNED = {"abort", "atexit", "exit", "_exit", "fprintf", "getenv", "perror", "printf", "putchar", "puts", "rand", "setlocale",
          "secure_getenv", "srand", "system", "vfprintf", "vprintf", "__printf_chk", "__fprintf_chk", "stderr", "stdout"}
# What may be written to, all of it in src/sys: the list of temporary files that a signal handler removes (promised in
# teemap/sys.h), and the hook by which tests make system calls fail (never set in a real program).
STATE = {("temp_files.c.o", "slots"), ("temp_files.c.o", "ending"), ("syscalls.c.o", "hook")}
WRITABLE = re.compile(r"^(\.data(?!\.rel\.ro)|\.bss|\.tdata|\.tbss|COMMON|\*COM\*)")


def nm(*arguments):
    return subprocess.run(["nm", *arguments], check=True, capture_output=True, text=True).stdout.splitlines()


def declared(include):
    names = set()
    for path in glob.glob(os.path.join(include, "teemap", "*.h")):
        with open(path, encoding="utf-8") as stream:
            names |= set(DECLARED.findall(NOT_CODE.sub(" ", stream.read())))
    return names


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


def main(shared, static, include):
    if not shutil.which("nm") or not shared.endswith((".so", ".so.0")) and ".so" not in shared:
        print("skipped: no nm, or no ELF library")
        return 77
    exported = {line.split()[-1].split("@")[0] for line in nm("-D", "--defined-only", shared)}
    imported = {line.split()[-1].split("@")[0] for line in nm("-D", "--undefined-only", shared)}
    promised = declared(include)
    findings = [f"exported, but not ours to export: {name}" for name in sorted(exported) if not name.startswith("tm_")]
    findings += [f"declared in a public header, but not exported: {name}" for name in sorted(promised - exported)]
    findings += [f"exported, but in no public header: {name}" for name in sorted(exported - promised)
                 if name.startswith("tm_")]
    findings += [f"the library uses {name}" for name in sorted(imported & BANNED)]
    findings += [f"hidden state: {name} in {where}" for where, name in state(static) if (where, name) not in STATE]
    print("\n".join(findings + [f"{len(promised)} functions declared, {len(exported)} exported"]))
    return 1 if findings or not promised else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
