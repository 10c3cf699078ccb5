#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""What cannot be looked at, opened or listed is not taken for missing: each call of each command fails once, and the command then ends
with 2, or does exactly what it does without the failure. What it wrote is never taken for up to date by the next run.

use: unread_files.py TEEMAP LIBRARY WORK [STEP]"""
import errno, hashlib, os, shutil, subprocess, sys

teemap, library, work = sys.argv[1:4]
step = int(sys.argv[4]) if len(sys.argv) > 4 else 1
given, out, note = os.path.join(work, "in"), os.path.join(work, "made"), os.path.join(work, "note")
# HOME is not set: its folders are as those of XDG_DATA_HOME, and there are many.
plain = {key: value for key, value in os.environ.items() if key not in ("HOME", "APPDATA", "TEEMAP_MAPRES")}
plain.update(TEEMAP_ROOT=os.path.join(given, "root"), XDG_DATA_HOME=os.path.join(given, "home"), GIT_CEILING_DIRECTORIES=work)

# Commands that look for files besides the one that they are given; OUT is an empty folder, or that of the run before.
COMMANDS = [
    "render IN/maps/house.map -o OUT/a.png --scale 8",
    "render IN/maps/house.map -o OUT/a.png --scale 8 --entities",
    "render IN/maps/house.map -o OUT/a.png --scale 8 --mapres IN/mine --missing-list OUT/missing",
    "animate IN/maps/house.map -o OUT/a.gif -s 40x30 --fps 2 --duration 1000",
    "thumbnail -t OUT IN/maps/house.map -s 60x40",
    "tiles IN/maps/house.map -o OUT/tiles --scale 8",
    "gallery IN/maps -t OUT/site --no-animations",
    "embed IN/maps/house.map -o OUT/a.map",
    "edit IN/maps/house.map -o OUT/a.map external sizes",
    "convert IN/maps/house.map --to teeworlds07 -o OUT/a.map",
    "automap IN/maps/house.map -o OUT/a.map",
    "automap -n IN/maps/house.map",
    "lint -v IN/maps/house.map",
    "lint -r IN/maps",
    "doctor IN/maps/house.map --json",
    "doctor -r IN/maps --json",
    "rules check -r IN/root",
    "rules list -r IN/root",
    "pack IN/folder OUT/a.map",
    "info -r --all IN/maps --json",
    "copy -r IN/maps -t OUT/copies",
]


def contents(folder):
    """All files of a folder, without what says when they were made."""
    found = {}
    for path, _folders, files in os.walk(folder):
        for name in files:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def run(words, **fault):
    if os.path.exists(note):
        os.unlink(note)
    done = subprocess.run([teemap, *words], env={**plain, **fault}, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, contents(out), done.stderr.decode(errors="replace")


def clear():
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)


faults = tries = 0
for command in COMMANDS:
    words = command.replace("IN/", given + "/").replace("OUT", out).split()
    clear()
    status, stdout, files, stderr = run(words)
    if status == 2:
        sys.exit(f"{command}: {stderr}")
    for number in (errno.EIO, errno.EACCES, errno.EMFILE):
        call = 1
        while True:
            clear()
            got = run(words, LD_PRELOAD=library, FAIL_BELOW=given, FAIL_AT=str(call), FAIL_NUMBER=str(number), FAIL_NOTE=note)
            if not os.path.exists(note):
                break
            with open(note) as file:
                what = file.read()
            tries += 1
            if got[0] != 2 and got[:3] != (status, stdout, files):
                print(f"{command}: '{what}' fails with {errno.errorcode[number]}: status {got[0]}, another result, {got[3].strip() or 'not a word'}")
                faults += 1
            elif got[0] == 2 and not got[3]:
                print(f"{command}: '{what}' fails with {errno.errorcode[number]}: status 2, not a word")
                faults += 1
            # The next run makes what this one did not.
            if command.split()[0] in ("thumbnail", "tiles", "gallery"):
                again = run(words if got[0] != 2 or command.split()[0] != "tiles" else [*words, "-f"])
                if again[0] != status or again[2] != files:
                    print(f"{command}: after '{what}' the next run ends with {again[0]} and other files: {again[3].strip()}")
                    faults += 1
            call += step
    print(f"{command}: {call - 1} calls", file=sys.stderr)
print(f"{tries} failures, {faults} of them for nothing")
sys.exit(1 if faults or tries < len(COMMANDS) * 5 else 0)
