#!/usr/bin/env python3
"""The rooms of this project and the arrows between them, as one table, and the check that the code draws no other.

usage: arrows.py [ROOT]     exit status 1 when something is found; each finding is one line, FILE:LINE: TEXT

A file of src/<room>/ may include
  - every header of its own room and of `base`;
  - of a room that it may point to: the public header include/teemap/<room>.h and the front door src/<room>/<room>.h;
  - the system headers that its room may see.
Besides: which functions nobody in the library calls, how long a file may be, and that no two files of src/ and cli/ have the
same name. And what of the one way to write C that this project has neither .clang-format nor .clang-tidy can hold: DIALECT, and lines of at most
MAX_COLUMNS, comments too, which .clang-format leaves alone.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import amalgamate

# room: rooms that it may point to. `base` is open to all.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "rooms.txt"), encoding="utf-8") as rooms:
    ARROWS = {room: to.split() for room, to in (line.split(":") for line in rooms if not line.startswith("#"))}

PUBLIC_ROOM = amalgamate.ROOM_OF_HEADER  # of public headers that are not called after their room

# Headers of the C standard that every room may see: values and memory, no files, no locale, no clock.
PLAIN = {"assert.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdalign.h", "stdarg.h", "stdatomic.h",
         "stdbool.h", "stddef.h", "stdint.h", "stdlib.h", "string.h"}
ISO = PLAIN | {"complex.h", "ctype.h", "errno.h", "fenv.h", "iso646.h", "locale.h", "setjmp.h", "signal.h", "stdio.h",
               "stdnoreturn.h", "threads.h", "time.h", "uchar.h", "wchar.h"}
# What a public header may show of the system.
PUBLIC = {"stdarg.h", "stdbool.h", "stddef.h", "stdint.h"}
# Everything else is for one room only, or for one of the folders of `sys`. A name that ends with a slash stands for a folder.
POSIX = {"dirent.h", "errno.h", "fcntl.h", "poll.h", "pthread.h", "sched.h", "signal.h", "spawn.h", "stdio.h", "sys/", "time.h", "unistd.h"}
SYSTEMS = {"posix": POSIX, "windows": {"errno.h", "fcntl.h", "io.h", "windows.h"}}
EXTRA = {
    "base": {"stdio.h", "pthread.h"},  # vsnprintf, for the text of errors; a lock, where the system has threads
    "render": {"immintrin.h", "wasm_simd128.h"},
    "sys": {"errno.h", "pthread.h", "time.h"},
    "codec": {"gif_lib.h", "cpuid.h", "immintrin.h", "libdeflate.h", "png.h", "setjmp.h", "webp/", "zlib.h", "zopfli/"},
    "cli": ISO,
    "bench": ISO | POSIX | {"libdeflate.h", "malloc.h", "zlib.h"},
    "examples": ISO,
}
# Folders beside src/ that see include/ and their own headers, nothing else.
OUTSIDE = ["cli", "bench", "examples"]

# Functions that no room calls, because they print, end the process, or depend on its locale or environment ...
BANNED = {"abort", "atexit", "atof", "exit", "_Exit", "fprintf", "getenv", "perror", "printf", "putchar", "puts",
          "quick_exit", "rand", "setlocale", "sprintf", "srand", "strcat", "strcpy", "strtod", "strtof", "strtok",
          "system", "vfprintf", "vprintf", "vsprintf"}
# ... and those that only `base` calls, since it owns memory.
MEMORY = {"aligned_alloc", "calloc", "free", "malloc", "realloc", "strdup", "strndup"}
# What the command line does not call, since files are written in one way, by output_open and output_open_below of cli/run/files.h.
FILES = {"creat", "fdopen", "fopen", "freopen", "mkdtemp", "mkstemp", "open", "rename", "tmpfile", "tm_sys_save_begin"}
MAY_SAVE = {os.path.join("cli", "run", "files.c"): FILES, os.path.join("cli", "commands", "moving_picture.c"): {"tm_sys_save_begin"}}

LONG_LINES, TOO_LONG_LINES = 600, 800
# Columns of a line of code or comment in src/, cli/ and include/. Free are a text in quotes, which is not broken for its length
# alone, the lines of a macro, and what stands between "clang-format off" and "on": tables.
MAX_COLUMNS = 110

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
CALL = re.compile(r"(?<![\w.>])([A-Za-z_]\w*)[ \t]*\(")
# What is written in another way here, and how.
DIALECT = [
    (re.compile(r"[!=]=\s*NULL\b|\bNULL\s*[!=]="), "a pointer is compared as 'p' or '!p'"),
    (re.compile(r"\bsizeof(?!\()"), "sizeof takes brackets: sizeof(x)"),
]
# A const map may be read by many threads, so nobody changes it behind a cast: its bytes are borrowed for the time of a function. The rooms
# that hold the blocks, and the one whose struct serves loading and saving, know which fields are atomic and which way they go.
CONST_MAP = re.compile(r"\(\s*tm_(?:map|block)\s*\*\s*\)\s*\(\s*uintptr_t\s*\)|\bTMI_UNCONST\(\s*tm_map\b")
CONST_MAP_ROOMS = {"map", "mapfile"}
# Facts of the games stand in `games` alone: tiles.h has the indices of tiles, games.h sizes and layer types. Where they show up as
# plain numbers, and the rooms in which 32 and 1024 are bits and bytes.
NUMBERS = [
    (re.compile(r"(?<![\w.])[*/%]\s*32(?:\.0*)?F?\b|\b\w*(?:TILE|Tile|tile|PX|px)\w*\s*=\s*32\b"), "a tile has TM_TILE_PX px"),
    (re.compile(r"\b1024\.0*F?\b"), "1.0 is TM_FX in fixed point"),
    (re.compile(r"[=!<>]=?\s*19[2-6]\b"), "teemap/tiles.h has the indices of entities"),
    (re.compile(r"\b(?:[A-Z]+_)*(?:TILE|SPAWN|FREEZE|TELE|SWITCH|SPEEDUP|SPEEDER|TUNE|STOPPER|SOLID|DEATH|START|FINISH)(?:_[A-Z0-9]+)*"
                r"(?:\s*=\s*|[ \t]+)[1-9]\d*\b(?!\s*[<*])"), "teemap/tiles.h has the indices of tiles"),
    (re.compile(r"\b(?:layer_)?type\s*[!=]=\s*(?:2|3|9|10)\b"), "layer types are TM_LAYER_TYPE_..."),
]
PLAIN_NUMBERS = {"base", "sys", "codec", "datafile", "games"}
FEATURE_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(_POSIX_C_SOURCE|_GNU_SOURCE|_XOPEN_SOURCE|_DEFAULT_SOURCE)\b",
                           re.MULTILINE)
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def code_of(text):
    """The text with comments and literals blanked out, lines kept. #include lines lose their quoted names."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def rooms_upon(room):
    """The room, and all from which arrows lead to it."""
    found = {room}
    while more := {other for other in ARROWS if found & set(ARROWS[other])} - found:
        found |= more
    return found


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def room_of_public(name):
    stem = name[:-2]
    return PUBLIC_ROOM.get(stem, stem)


def allowed_header(name, allowed):
    return any(name == entry or (entry.endswith("/") and name.startswith(entry)) for entry in allowed)


class Tree:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.warnings = []

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def sources(self, folder):
        found = []
        for where, folders, files in os.walk(self.path(folder)):
            folders.sort()
            found += [os.path.relpath(os.path.join(where, name), self.root)
                      for name in sorted(files) if name.endswith((".c", ".h"))]
        return found

    def find(self, file, line, text):
        self.findings.append(f"{file}:{line}: {text}")

    def resolve(self, file, name):
        """Where a quoted include leads to, relative to the root: beside the file, then its program's folder or src/, then include/."""
        for base in (os.path.dirname(file), *[folder for folder in OUTSIDE if file.startswith(folder + os.sep)], "src", "include"):
            path = os.path.normpath(os.path.join(base, name))
            if os.path.isfile(self.path(path)):
                return path
        return None

    def check_target(self, file, line, room, target):
        """An include that leads to a file of this project."""
        parts = target.split(os.sep)
        may = ARROWS.get(room, [])
        if parts[:2] == ["include", "teemap"]:
            other = room_of_public(parts[-1])
            if room in OUTSIDE:
                return
            if other == "teemap":
                self.find(file, line, "teemap.h is for users; include the headers of the rooms meant")
            elif other not in (room, "base") and other not in may:
                self.find(file, line, f"no arrow from '{room}' to '{other}'")
        elif parts[0] == "src" and room not in OUTSIDE:
            other = parts[1]
            if other in (room, "base"):
                return
            if other not in may:
                self.find(file, line, f"no arrow from '{room}' to '{other}'")
            elif parts[2:] != [other + ".h"]:
                self.find(file, line, f"'{target}' is inside '{other}'; its front door is {other}/{other}.h")
        elif parts[0] != room:
            self.find(file, line, f"'{room}' may not see '{target}'")

    def check_includes(self, file, text, room, system):
        for match in INCLUDE.finditer(text):
            line, quote, name = line_of(text, match.start(1)), match.group(1), match.group(2)
            if name.startswith("teemap/"):
                target = os.path.join("include", name)
                if not os.path.isfile(self.path(target)):
                    self.find(file, line, f"there is no '{target}'")
                else:
                    self.check_target(file, line, room, target)
            elif quote == '"':
                target = self.resolve(file, name)
                if target is None:
                    self.find(file, line, f"'{name}' leads nowhere")
                else:
                    self.check_target(file, line, room, target)
            elif not allowed_header(name, system):
                self.find(file, line, f"'{room}' may not see <{name}>")

    def check_calls(self, file, text, room):
        code = code_of(text)
        banned = BANNED if room == "base" else BANNED | MEMORY
        for match in CALL.finditer(code):
            if match.group(1) in banned:
                self.find(file, line_of(code, match.start(1)), f"'{match.group(1)}' is not to be called in '{room}'")

    def check_dialect(self, file, text):
        code = code_of(text)
        for pattern, rule in DIALECT:
            for match in pattern.finditer(code):
                self.find(file, line_of(code, match.start()), rule)

    def check_const_maps(self, file, text):
        code = code_of(text)
        for match in CONST_MAP.finditer(code):
            self.find(file, line_of(code, match.start()), "a const map stays const: borrow bytes with tmi_borrowed_open")

    def check_columns(self, file, text):
        table = False
        for number, line in enumerate(text.split("\n"), 1):
            if "clang-format off" in line or "clang-format on" in line:
                table = "clang-format off" in line
            free = table or "#define" in line or line.endswith("\\") or re.search(r'"[^"]{20,}"', line)
            if len(line) > MAX_COLUMNS and not free:
                self.find(file, number, f"{len(line)} columns; {MAX_COLUMNS} are the most")

    def check_numbers(self, file, text):
        for number, line in enumerate(code_of(text).split("\n"), 1):
            for pattern, rule in NUMBERS:
                match = pattern.search(line)
                if match:
                    self.find(file, number, f"'{match.group().strip()}': {rule}")
                    break

    def check_length(self, file, text):
        lines = text.count("\n")
        if lines > TOO_LONG_LINES:
            self.find(file, lines, f"{lines} lines; {TOO_LONG_LINES} are the end, {LONG_LINES} the aim")
        elif lines > LONG_LINES:
            self.warnings.append(f"{file}: {lines} lines, aim for {LONG_LINES}")

    def check(self):
        for folder in ("src", "include", *OUTSIDE, "tests", "fuzz"):
            for file in self.sources(folder):
                with open(self.path(file), encoding="utf-8") as stream:
                    text = stream.read()
                self.check_file(file, text)
        self.check_names()
        self.check_manual()
        self.check_system_rooms()
        return self.findings

    def check_names(self):
        """File names occur once in src/ and cli/ together. A static function has the name that is natural in its file."""
        seen = {}
        for tree in ("src", "cli"):
            for file in self.sources(tree):
                first = seen.setdefault(os.path.basename(file), file)
                if first != file:
                    self.find(file, 1, f"another file of this name is {first}")

    def check_manual(self):
        """CONTRIBUTING.md lists each room that there is, with its arrows."""
        with open(self.path("CONTRIBUTING.md"), encoding="utf-8") as stream:
            rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", stream.read(), re.MULTILINE)
        told = {room: set(re.findall(r"`(\w+)`", arrows)) for room, arrows in rows}
        there = {file.split(os.sep)[1] for file in self.sources("src")} & set(ARROWS)
        for room in sorted(there):
            if told.get(room) != set(ARROWS[room]):
                self.find("CONTRIBUTING.md", 1, f"the row of '{room}' is missing, or tells other arrows than arrows.py")

    def check_system_rooms(self):
        """CMakeLists.txt leaves out `sys` and every room that stands on it where there is no Unix."""
        there = {file.split(os.sep)[1] for file in self.sources("src")}
        wanted = rooms_upon("sys") & there
        with open(self.path("CMakeLists.txt"), encoding="utf-8") as stream:
            told = re.search(r"^set\(TEEMAP_SYS_ROOMS ([^)]*)\)", stream.read(), re.MULTILINE)
        if not told or set(told.group(1).split()) & there != wanted:
            self.find("CMakeLists.txt", 1, f"TEEMAP_SYS_ROOMS is to name {', '.join(sorted(wanted))}")

    def check_file(self, file, text):
        parts = file.split(os.sep)
        self.check_length(file, text)
        self.check_dialect(file, text)
        if parts[0] in ("src", "cli", "include"):
            self.check_columns(file, text)
        if (parts[0] == "src" and parts[1] not in PLAIN_NUMBERS) or parts[0] in ("cli", "examples"):
            self.check_numbers(file, text)
        if parts[0] == "src":
            room = parts[1]
            system = SYSTEMS.get(parts[2], set()) if room == "sys" and len(parts) == 4 else set()
            if room not in ARROWS or (len(parts) != 3 and not system):
                self.find(file, 1, f"'{os.path.dirname(file)}' is no room")
                return
            self.check_includes(file, text, room, PLAIN | (system or EXTRA.get(room, set())))
            self.check_calls(file, text, room)
            if room not in CONST_MAP_ROOMS:
                self.check_const_maps(file, text)
            for match in FEATURE_MACRO.finditer(text):
                if room != "sys":
                    self.find(file, line_of(text, match.start(1)), f"{match.group(1)} is for 'sys' only")
        elif parts[0] == "include":
            room = room_of_public(parts[-1])
            if room == "teemap":
                self.check_umbrella(file, text)
            elif room not in ARROWS:
                self.find(file, 1, f"'{parts[-1]}' is the header of no room")
            else:
                self.check_includes(file, text, room, PUBLIC)
        elif parts[0] in OUTSIDE:
            self.check_includes(file, text, parts[0], EXTRA[parts[0]])
            if parts[0] == "cli":
                self.check_one_way_to_write(file, text)

    def check_one_way_to_write(self, file, text):
        code = code_of(text)
        for match in CALL.finditer(code):
            if match.group(1) in FILES - MAY_SAVE.get(file, set()):
                self.find(file, line_of(code, match.start(1)), f"'{match.group(1)}': files are written by output_open and output_open_below")

    def check_umbrella(self, file, text):
        """teemap.h includes every other public header and nothing else."""
        included = {match.group(2) for match in INCLUDE.finditer(text)}
        there = {"teemap/" + os.path.basename(name) for name in self.sources("include")} - {"teemap/teemap.h"}
        for name in sorted(there - included):
            self.find(file, 1, f"<{name}> is missing")
        for name in sorted(included - there):
            self.find(file, 1, f"<{name}> does not belong here")


def main(root):
    tree = Tree(root)
    findings = tree.check()
    for text in tree.warnings:
        print("note:", text)
    for text in findings:
        print(text)
    files = sum(len(tree.sources(folder)) for folder in ("src", "include", *OUTSIDE))
    if not files:
        print("no source files below", root)
        return 1
    print(f"{files} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "."))
