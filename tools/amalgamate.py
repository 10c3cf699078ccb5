#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""amalgamate.py [--internal] FOLDER [ROOM...]: the library as two files, FOLDER/teemap.c and FOLDER/teemap.h, for
projects that compile them with their own.

ROOM        a room of src/rooms.txt, such as mapfile and render; default: all. teemap.h has the headers of these rooms
            and those that they include; of the rooms that they stand on, teemap.c has what is used. `base` is always
            chosen.

--internal  for tests that look inside: nothing that files share is static, and all of it is kept

They need zlib and libpng, and nothing else. The same tree gives the same bytes.

How: each file is read as a list of parts (c_parts.py), and those that the public functions do not reach are left out.
What several files use is TMI_STATIC, which is `static`. What a file has for itself gets the file's name in front where
another file has the word, too; its macros end with it. Conditions about libraries that are not used are decided."""
import argparse
import os
import re
import sys

from c_parts import (DIRECTIVE, NAME, Trouble, decided, glued_parameters, joined, made_names, parts_of,
                     tokens_of)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Public headers that are not named after their room.
ROOM_OF_HEADER = {"facts": "mapfile", "fields": "map", "files": "base", "findings": "base", "jobs": "base",
                  "model": "map", "mods": "games", "report": "map", "settings": "games", "tiles": "games"}
# Macros whose value is known here; None: not defined.
KNOWN = {"TEEMAP_HAVE_GIF": 0, "TEEMAP_HAVE_LIBDEFLATE": 0, "TEEMAP_HAVE_LIBPNG": 1, "TEEMAP_HAVE_WEBP": 0,
         "TEEMAP_HAVE_ZOPFLI": 0, "TM_WITHOUT_SYS": None, "TMI_MAKE_AVX2": None}
# In src/ alone, where malloc is banned by them; a public header asks for the first one.
KNOWN_IN_SOURCE = KNOWN | {"TM_BUILD_SHARED": None, "TMI_RAW_MEMORY": None}
# Macros that a file sets for the headers behind them. Here they stand at the top, if they are still needed.
FEATURES = {"ZLIB_CONST", "_CRT_RAND_S", "_XOPEN_SOURCE", "TMI_RAW_MEMORY"}
# Says what a system has beyond POSIX, and asks its headers for it: at the top, too.
PLATFORM = "src/sys/posix/platform.h"
# Functions of system headers that a file may have as a word of its own as long as it does not include these.
RESERVED = set("""abs accept access bind close compress connect crc32 deflate div dup exp floor fork gamma index inflate
    j0 j1 jn kill link listen log mount nice open pause pipe pow read remove rename rindex round select send signal sin
    sleep splice stat sync tee time times utime write y0 y1 yn""".split())

INCLUDE = re.compile(r'#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')
RULER = re.compile(r"/\* -{20,}.*\*/$")  # between parts of a file


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def names_in(folder, ending):
    return sorted(name for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(ending))


# ----------------------------------------------------------------------------------------------------------- files

def head_and_rest(text):
    """The comment at the head of a file, and what follows, without licence, guard and extern "C"."""
    text = text.replace("/* SPDX-License-Identifier: Zlib */\n", "", 1)
    guard = re.match(r"#ifndef (\w+_H)\n#define \1\n", text)
    if guard:
        text = text[guard.end():].rstrip()
        if not text.endswith("#endif"):
            raise Trouble(f"{guard.group(1)}: the guard does not end")
        text = text[:-len("#endif")]
    text = re.sub(r'#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n', "", text)
    head = re.match(r"/\*.*?\*/\n", text, re.DOTALL)
    return (head.group(), text[head.end():]) if head else ("", text)


def resolved(path, include):
    """Where an include leads to: beside the file, below src/ or below include/; None: a header of the system."""
    quote, name = INCLUDE.match(include).groups()
    for folder in ["include"] + [os.path.dirname(path), "src"] * (quote == '"'):
        found = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(ROOT, found)):
            return found
    return None


def source_text(path):
    """A file with its conditions decided. Of what src/render has twice, each file has its first version, and machine.c,
    which includes these files, the second."""
    known = KNOWN if path.startswith("include/") else KNOWN_IN_SOURCE
    text = decided(read(path), known)
    if not path.startswith("src/render/"):
        return text
    version, target = "plain", ""
    if path.endswith("machine.c"):
        version, target = "avx2", '__attribute__((target("avx2"))) '
        texts = [decided(read("src/render/wide.h"), known | {"TMI_MAKE_AVX2": 1}),
                 *[decided(read(f"src/render/{name}.c"), known) for name in ("spans", "tile_raster")]]
        again = "".join(head_and_rest(file)[1] for file in texts)
        again = re.sub(r'#include (?:"(?:pixels|wide)\.h"|<math\.h>)\n', "", again)
        again = joined(token for token in tokens_of(again) if token[0] != "comment")  # they are read once
        again = re.sub(r"\b(TMI_WIDE|TMI_FOR_EACH)\b", r"\1_AVX2", again)
        twice = r'#define TMI_MAKE_AVX2\n#include "spans.c"\s+#include "tile_raster.c"\n'
        text, times = re.subn(twice, lambda _: again, text)
        if times != 1:
            raise Trouble(f"{path} does not include spans.c and tile_raster.c")
    text = re.sub(r"#define TMI_(?:TARGET|NAME\(name\)).*\n", "", text)
    text = re.sub(r"\bTMI_NAME\((\w+)\)", rf"\1_{version}", text)
    return re.sub(r"\bTMI_TARGET ", target, text)


class Source:
    """A file of src/ or include/ as parts."""

    def __init__(self, path, is_public=False):
        self.path, self.is_public = path, is_public
        self.stem = os.path.splitext(os.path.basename(path))[0]
        self.head, text = head_and_rest(source_text(path))
        self.parts = parts_of(text)
        self.locals = {}  # the parts that declare a name which nobody else sees
        self.renamed, self.only_tags, self.ended = {}, set(), []  # see rename
        depth = 0
        for part in self.parts:
            part.source = self
            if part.kind == "include":
                part.leads_to = resolved(path, part.words[0])
                part.kind = "ours" if part.leads_to else "include" if depth else "hoisted"
            depth += {"if": 1, "endif": -1}.get(part.kind, 0)
        macros = {part.names[0]: part for part in self.parts if part.kind == "macro"}
        calls = [part for part in self.parts if part.kind == "c" and part.words[0] in macros]
        others = {name for part in self.parts if part not in calls for name in part.names}
        for part in calls:
            part.made = set(made_names(macros[part.words[0]], part))
            macros[part.words[0]].is_called = True
            part.names = sorted(part.made - others) or part.names

    def includes(self):
        return [part.leads_to for part in self.parts if part.kind == "ours"]

    def system(self):
        match = re.match(r"src/sys/(posix|windows)/", self.path)
        return match.group(1) if match else None


# --------------------------------------------------------------------------------------------------------- library

class Library:
    """The chosen rooms, with what they need."""

    def __init__(self, chosen, with_internal=False):
        rows = [line.split(":") for line in read("src/rooms.txt").splitlines() if not line.startswith("#")]
        self.arrows = {room: {"base", *row.split()} for room, row in rows}
        for room in chosen:
            if room not in self.arrows:
                raise Trouble(f"there is no room '{room}' in src/rooms.txt")
        self.chosen = [room for room in self.arrows if room in chosen or not chosen or room == "base"]
        self.rooms = set(self.chosen)
        while more := {other for room in self.rooms for other in self.arrows[room]} - self.rooms:
            self.rooms |= more
        self.public = []  # the headers that teemap.h has, in the order in which they need each other
        self.headers = {}
        for name in names_in("include/teemap", ".h"):
            stem = name[:-len(".h")]
            if ROOM_OF_HEADER.get(stem, stem) in self.chosen:
                self.show("include/teemap/" + name)
        self.internal = []  # the headers that teemap.c has, in such an order
        self.sources = [Source(path) for path in self.paths()]
        users = self.read_headers()
        for source in self.sources:
            self.place_headers(source, users)
        self.know_names()
        self.reach(with_internal)
        self.rename()

    def show(self, path):
        if path not in self.headers:
            self.headers[path] = Source(path, is_public=True)
            for other in self.headers[path].includes():
                self.show(other)
            self.public.append(path)

    def paths(self):
        """The .c files; those of src/sys last, since windows.h has many words."""
        for room in sorted(self.arrows, key=lambda room: room == "sys"):
            if room in self.rooms:
                for folder in ["src/" + room] + ["src/sys/posix", "src/sys/windows"] * (room == "sys"):
                    yield from (f"{folder}/{name}" for name in names_in(folder, ".c"))

    def read_headers(self):
        """Reads all headers; for each the files that include it."""
        users, todo = {}, list(self.sources)
        while todo:
            source = todo.pop(0)
            for path in source.includes():
                if path not in users and path not in self.headers:
                    self.headers[path] = Source(path)
                    todo.append(self.headers[path])
                users.setdefault(path, []).append(source.path)
        return users

    def place_headers(self, source, users):
        """Puts the headers that a file needs into their order, but those that no other file needs into the file."""
        i = 0
        while i < len(source.parts):
            part = source.parts[i]
            i += 1
            if part.kind != "ours" or part.leads_to == PLATFORM:
                continue
            header = self.headers[part.leads_to]
            if users[header.path] == [source.path] and source.path.endswith(".c") and header.path.startswith("src/"):
                i -= 1
                source.parts[i:i + 1] = header.parts
                for inner in header.parts:
                    inner.source = source
            elif header not in self.internal and not header.is_public:
                self.place_headers(header, users)
                self.internal.append(header)

    def know_names(self):
        """Which parts declare a name, for all files and for each of its own."""
        self.globals, self.defined, self.functions = {}, set(), set()
        for header in [self.headers[path] for path in self.public] + self.internal:
            for part in header.parts:
                for name in part.names + part.tags:
                    self.globals.setdefault(name, []).append(part)
                if header.is_public and part.is_function and not part.is_definition:
                    self.functions.update(part.names)
                if part.is_definition:
                    self.defined.update(part.names)
        for source in self.sources:
            for part in source.parts:
                shared = part.names if part.is_shared() else []
                self.defined.update(shared)
                # With the structs that headers only name.
                named = [tag for tag in part.tags if tag in self.globals]
                named = [tag for tag in named if not any(other.has_body(tag) for other in self.globals[tag])]
                for name in shared + named:
                    self.globals.setdefault(name, []).append(part)
                for name in part.names + part.tags:
                    if part not in self.globals.get(name, []):
                        source.locals.setdefault(name, []).append(part)

    def declaring(self, name, source):
        return source.locals.get(name, []) + self.globals.get(name, [])

    def is_vain(self, part):
        """Whether it declares a function that is not here, since its room is not."""
        return part.is_function and not part.is_definition and not part.source.is_public and part.is_shared() and \
            not self.defined & set(part.names)

    def reach(self, with_internal):
        """Marks the parts to keep: public headers, public functions (or all that files share), and what these use."""
        todo = [part for path in self.public for part in self.headers[path].parts]
        roots = self.defined if with_internal else self.functions
        todo += [part for name in sorted(roots) for part in self.globals[name]]
        seen, opened = set(todo), set()
        while todo:
            part = todo.pop()
            part.is_kept = True
            names, patterns = part.uses()
            if part.source not in opened:
                opened.add(part.source)
                for condition in part.source.parts:
                    if condition.kind in ("if", "else"):
                        names |= set(NAME.findall(condition.words[0]))
            used = [other for name in sorted(names) for other in self.declaring(name, part.source)]
            for pattern in sorted(patterns):
                tables = [part.source.locals] + [self.globals] * (not pattern.startswith(r"\w"))
                used += [other for table in tables for name in table if re.fullmatch(pattern, name)
                         for other in table[name]]
            for other in used:
                if other not in seen and not self.is_vain(other):
                    seen.add(other)
                    todo.append(other)
        self.kept = [source for source in self.internal + self.sources if source in opened]
        self.kept.sort(key=lambda source: ("posix", "windows").index(source.system()) if source.system() else -1)
        for source in self.kept:
            names = {name for part in source.parts if part.is_kept for name in part.names}
            for part in source.parts:
                if part.kind in ("include", "other"):
                    part.is_kept = True
                elif part.kind == "undef":
                    part.is_kept = DIRECTIVE.match(part.words[0]).group(2) in names
                elif part.words[0] == "_Static_assert":
                    uses = [self.declaring(name, source) for name in part.uses()[0]]
                    part.is_kept = all(not parts or any(other.is_kept for other in parts) for parts in uses)
                missing = set(part.names) - self.defined
                if missing and part.is_kept and part.words[0] == "extern" and source in self.internal:
                    raise Trouble(f"{source.path}: nothing defines {', '.join(sorted(missing))}")

    def rename(self):
        """Finds a name for what a file has for itself and another one has the word of."""
        count = {}  # of the files that have a word
        for source in [*self.kept, *[self.headers[path] for path in self.public]]:
            parts = [part for part in source.parts if part.is_kept or part.kind in ("if", "else")]
            for word in {word for part in parts for word in part.all_words()}:
                count[word] = count.get(word, 0) + 1
        made = {}
        self.glued = {part.names[0]: glued_parameters(part) for source in self.kept for part in source.parts
                      if part.kind == "macro" and part.is_kept}
        for source in self.kept:
            source.glued = self.glued
            patterns = {pattern for part in source.parts if part.is_kept for pattern in part.uses()[1] | part.made}
            for name, parts in source.locals.items():
                kept = [part for part in parts if part.is_kept]
                is_own = count.get(name) == 1 and name not in RESERVED
                if not kept or is_own or re.match("tmi?_", name) and name not in self.globals:
                    continue
                if all(part.kind == "macro" for part in kept):
                    if name not in FEATURES and not name.startswith("TMI_"):
                        source.ended.append(name)
                elif any(re.fullmatch(pattern, name) for pattern in patterns):  # a macro makes it: others give way
                    if made.setdefault(name, source) is not source:
                        raise Trouble(f"'{name}' is made by macros of {source.path} and {made[name].path}")
                else:
                    source.renamed[name] = f"{source.stem}_{name}"
                    if not any(name in part.names for part in kept):
                        source.only_tags.add(name)
                    if source.renamed[name] in count:
                        raise Trouble(f"{source.path}: there is a '{source.renamed[name]}' already")


# ---------------------------------------------------------------------------------------------------------- output

def renamed(tokens, source):
    """The tokens with the new names of a file, but not of members, which may be those of others."""
    out, braces, brackets, before = [], [], [], ["", "", ""]
    for i, (kind, token) in enumerate(tokens):
        if kind == "directive":
            head = re.match(r"#[ \t]*\w+[ \t]*", token).group()
            out.append((kind, head + joined(renamed(tokens_of(token[len(head):]), source))))
            continue
        if kind in ("comment", "space"):
            out.append((kind, token))
            continue
        if token == "{":
            braces.append("struct" in before[-2:] or "union" in before[-2:])
        elif token == "}" and braces:
            braces.pop()
        elif token == "(":
            brackets.append([before[-1], 0])
        elif token == ")" and brackets:
            brackets.pop()
        elif token == "," and brackets:
            brackets[-1][1] += 1
        elif token in source.renamed and before[-1] not in (".", "->"):
            after = next((text for kind, text in tokens[i + 1:i + 8] if kind not in ("comment", "space")), "")
            is_member = braces and braces[-1] and after in (";", ",", "[", ":", ")") and before[-1] != "["
            is_offset = brackets and brackets[-1][0] == "offsetof" and brackets[-1][1]
            is_other = token in source.only_tags and before[-1] not in ("struct", "union", "enum")
            if brackets and brackets[-1][1] in source.glued.get(brackets[-1][0], ()):
                raise Trouble(f"{source.path}: '{token}' of {brackets[-1][0]}(...) is a word of other files, too")
            if not is_member and not is_offset and not is_other:
                out.append((kind, source.renamed[token]))
                before = [*before[1:], token]
                continue
        out.append((kind, token))
        before = [*before[1:], token]
    return out


def made_static(part, public):
    """What files of the library share is TMI_STATIC, unless teemap.h has it."""
    is_type = part.words[0] in ("struct", "union") and part.words[-2] == "}"
    if not part.is_shared() or is_type or set(part.names) & public or "environ" in part.words or not part.names:
        return part.tokens
    tokens = list(part.tokens)
    while tokens[0][1] in ("extern", "TM_API") or tokens[0][0] == "space":
        tokens.pop(0)
    return [("name", "TMI_STATIC"), ("space", " "), *tokens]


def kept_text(source, public):
    """The kept parts of a file, without conditions around nothing."""
    out = []  # (kind, text)
    for part in source.parts:
        is_text = part.kind not in ("ours", "hoisted") and not set(part.names) & FEATURES
        if part.kind in ("if", "else", "endif") or part.is_kept and is_text:
            before = joined(token for token in part.before if not RULER.match(token[1]))
            out.append((part.kind, before + joined(renamed(made_static(part, public), source))))
            while out[-1][0] == "endif" and (kinds := [kind for kind, _ in out])[-2] in ("if", "else"):
                begin = len(kinds) - 2
                while kinds[begin] == "else":
                    begin -= 1
                if kinds[begin] != "if":
                    break
                del out[begin:]
                if not out:
                    break
    text = "".join(text for _, text in out).strip("\n")
    return text + "\n" if text.strip() else ""


def tidy(text):
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text))


def section(path):
    title = re.sub("^(src|include)/", "", path)
    return "\n/* " + "-" * (102 - len(title)) + " " + title + " */\n"


def filled(text, library):
    version = re.search(r'TM_VERSION_STRING "(.*)"', read("include/teemap/base.h")).group(1)
    licence = "".join(f" * {line}".rstrip() + "\n" for line in read("LICENSE").strip().splitlines())
    rooms = re.sub(r"(.{1,95})(?: |$)", r" *     \1\n", " ".join(library.chosen))
    return text.replace("VERSION", version).replace(" * LICENCE\n", licence).replace(" * ROOMS\n", rooms)


def header_text(library):
    text = filled(HEADER_HEAD, library)
    for path in library.public:
        header = library.headers[path]
        guard = re.search(r"^#define (\w+_H)$", read(path), re.MULTILINE).group(1)
        text += section(path) + header.head + f"\n#define {guard}\n"
        parts = [part for part in header.parts if part.kind not in ("ours", "hoisted")]
        text += "".join(joined(part.before) + joined(part.tokens) for part in parts).strip("\n") + "\n"
    return tidy(text + HEADER_END)


def code_text(library, static):
    text = filled(CODE_HEAD, library).replace("TMI_STATIC static", "TMI_STATIC" + static)
    if "sys" in library.rooms:
        text += SYSTEM_HEAD.replace("PLATFORM\n", head_and_rest(read(PLATFORM))[1])
    text += INCLUDES + hoisted(library, None)
    if "#include <zlib.h>" in text:
        text += "#undef FAR /* zlib's word for pointers of former times */\n"
    system = None
    for source in library.kept:
        body = kept_text(source, library.functions)
        if not body:
            continue
        if source.system() != system:
            text += "\n#endif\n" * bool(system)
            system = source.system()
            text += f"\n#if {'!' * (system == 'posix')}defined(_WIN32)\n" + hoisted(library, system)
        text += section(source.path) + source.head + body + "".join(f"#undef {name}\n" for name in source.ended)
    return tidy(text + "\n#endif\n" * bool(system))


def hoisted(library, system):
    """The includes of system headers that are not bound to a condition."""
    lines = [part.words[0] for source in library.kept if source.system() == system
             for part in source.parts if part.kind == "hoisted"]
    return "".join(line + "\n" for line in (dict.fromkeys(lines) if system else sorted(set(lines))))


HEADER_HEAD = """/* SPDX-License-Identifier: Zlib */
/*
 * teemap.h - libteemap VERSION in two files: reads, changes, checks and draws Teeworlds and DDNet maps. teemap.c is the
 * other one, and says how to compile it. Below are the headers of these rooms, and those that they include:
 * ROOMS
 *
 * LICENCE
 */
#ifndef TEEMAP_TEEMAP_H
#define TEEMAP_TEEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
"""

HEADER_END = """
#ifdef __cplusplus
}
#endif
#endif
"""

CODE_HEAD = """/* SPDX-License-Identifier: Zlib */
/*
 * teemap.c - libteemap VERSION in two files. Made by './run amalgamate' from the sources, where changes belong. Rooms:
 * ROOMS
 *
 * Compile it as C11 with -O2 -ffp-contract=off, and link zlib, libpng, the threads and the mathematics of C: -lz -lpng
 * -lpthread -lm. Without -ffp-contract=off, gcc may draw pixels that differ by one from those of other machines. gcc
 * notes that the passing of vectors has changed since version 4.6, which concerns nobody: -Wno-psabi ends the note.
 * Add -ffunction-sections -fdata-sections and link with -Wl,--gc-sections to leave out what your program does not call.
 *
 * What teemap.h does not declare is static.
 *
 * LICENCE
 */

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" /* wide vectors are passed to inlined functions only */
#endif
#if defined(__clang__)
#if __has_warning("-Wenum-float-conversion")
#pragma clang diagnostic ignored "-Wenum-float-conversion" /* numbers of the format are constants of enumerations */
#endif
#pragma STDC FP_CONTRACT OFF
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1 /* printf as in C11 */
#endif

#define TMI_STATIC static
"""

SYSTEM_HEAD = """
#if defined(_WIN32)
#if !defined(_WIN32_WINNT)
#define _WIN32_WINNT 0x0601 /* Windows 7 */
#endif
#define _CRT_RAND_S
#else
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif
PLATFORM
#endif
"""

INCLUDES = """
#define ZLIB_CONST
#include "teemap.h"

"""


def main():
    parser = argparse.ArgumentParser(usage="amalgamate.py [--internal] FOLDER [ROOM...]", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--internal", action="store_true")
    parser.add_argument("folder")
    parser.add_argument("rooms", nargs="*")
    arguments = parser.parse_args()
    try:
        library = Library(set(arguments.rooms), arguments.internal)
        static = "" if arguments.internal else " static"
        texts = {"teemap.h": header_text(library), "teemap.c": code_text(library, static)}
    except Trouble as trouble:
        print(f"amalgamate: {trouble}", file=sys.stderr)
        return 2
    os.makedirs(arguments.folder, exist_ok=True)
    for name, text in texts.items():
        with open(os.path.join(arguments.folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
