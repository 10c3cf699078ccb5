#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""No pointer and no struct is named by a preposition, a pronoun or an adverb: such a name says nothing of its type and
cannot be searched for. It is named by its type's noun (`layer`, `reader`), two of one type by their roles (`source`
and `target`). Parameters, variables and fields count alike, and so do arrays of them and pointers to functions.

    names.py SOURCE             compares the numbers with ALLOWED
    names.py SOURCE ROOM...     lists the names of these rooms

Exit status 1 with the names of a room that has more than it may, or with the number that ALLOWED shall have.
"""
import os
import re
import sys

# Adjectives and nouns are no such words (`old`, `next`, `whole`), and roles are none either: `out` is what a function
# fills, `before` and `after` are two states of one thing.
WORDS = set("""
about across again against ahead all almost along already also always among and another any anything apart around as
aside at away back because beside besides between beyond both but by despite down during each either else elsewhere
even ever every everything except far for forth forward from hence here him his how if in inside instead into it its
itself just later like meanwhile mine more much near neither never none not nothing now of off on once one only onto
or others our outside over own per perhaps quite rather same she since so some something soon still such than that
their them themselves then thence there thereby these they this those through throughout thus till to together too
toward towards twice under until up upon us very via we what whatever when whence where whereas wherever whether which
while who whom whose why with within without yet you your
""".split())

# How many such names stand in each room: none in any. A room gets a number here while its names are being changed, and
# the number only falls.
ALLOWED = {}

ROOTS = ("src", "cli", "include", "bindings", "fuzz", "tests")

HIDDEN = re.compile(r"""/\*.*?\*/|//[^\n]*|\\\n|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
TOKEN = re.compile(r"[A-Za-z_]\w*|[^\w\s]")

BASIC_TYPES = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "FILE"}
QUALIFIERS = {"const", "volatile", "restrict", "static", "extern", "register", "_Thread_local",
              "struct", "union", "enum"}
ENDS_OF_A_NAME = {",", ")", ";", "=", "[", ":", "{"}


def tokens_of(text):
    """Words and signs with their lines. Comments are left out, as numbers are, and a text is one sign."""
    def leave(hidden):
        return ('"' if hidden.group()[0] in "\"'" else " ") + "\n" * hidden.group().count("\n")

    plain = HIDDEN.sub(leave, text)
    return [(token, number) for number, line in enumerate(plain.split("\n"), 1) for token in TOKEN.findall(line)]


def collect_types(tokens, types, structs):
    """Adds the names that the typedefs of a file make to `types`, those of structs and unions to `structs`, too."""
    i, size = 0, len(tokens)
    while i < size:
        if tokens[i][0] != "typedef":
            i += 1
            continue
        depth, start, name, braces = 0, i + 1, None, False
        while i < size and not (depth == 0 and tokens[i][0] == ";"):
            value = tokens[i][0]
            depth += (value in "({[") - (value in ")}]")
            braces |= value == "{"
            if depth == 0 and (value[0].isalpha() or value[0] == "_"):
                name = value
            elif depth == 1 and value == "*" and tokens[i - 1][0] == "(" and not braces:
                name = tokens[i + 1][0]
                break
            i += 1
        if name:
            types.add(name)
            words = [value for value, _ in tokens[start:i]]
            is_struct = words and (words[0] in ("struct", "union") or words[0] in structs)
            if is_struct and words[-1] == name and words[-2:-1] != ["*"]:
                structs.add(name)
        while i < size and tokens[i][0] != ";":
            if tokens[i][0] == "{":
                break  # the fields of a struct are read as those of any other
            i += 1
    return types, structs


def declared(tokens, types, structs):
    """Yields (line, name, type) of each name in WORDS that a declaration gives to a pointer or a struct."""
    size = len(tokens)
    starts = types | BASIC_TYPES
    if not any(token in WORDS for token, _ in tokens):
        return

    def value(i):
        return tokens[i][0] if 0 <= i < size else ""

    def is_type(word):
        return word in types or word in BASIC_TYPES or word.endswith("_t")

    for i, (word, _) in enumerate(tokens):
        if not (word in starts or word == ")" or word[-2:] == "_t" or value(i - 1) in ("struct", "union")):
            continue
        tagged = value(i - 1) in ("struct", "union")
        if word == ")" or not (is_type(word) or tagged):
            if not (word == ")" and value(i - 3) == "OWN"):  # the tests' OWN(type) name
                continue
            word = value(i - 1)
        is_struct = word in structs or tagged
        before = i - 1
        while value(before) in QUALIFIERS or is_type(value(before)):
            before -= 1
        if value(i - 1) in (".", ">"):
            continue  # a field that is called as a type of another file
        if word == value(i - 1) and value(i) == ")":
            before = i - 4
        is_statement = value(before) in ("{", "}", ";", "") or value(before) == "(" and value(before - 1) == "for"
        j, stars = i + 1, 0
        while value(j) == "*" or value(j) in QUALIFIERS:
            stars += value(j) == "*"
            j += 1
        if value(j) == "(" and value(j + 1) == "*":  # a pointer to a function
            stars, j = 1, j + 2
            while value(j) in QUALIFIERS:
                j += 1
            if value(j) in WORDS and (value(j + 1), value(j + 2)) in ((")", "("), ("[", "]")):
                yield tokens[j][1], value(j), f"{word} (*)()"
            continue
        if not value(j)[:1].isalpha() and value(j)[:1] != "_":
            continue  # a variable that is called as a type of another file
        while True:
            if value(j) in WORDS and value(j + 1) in ENDS_OF_A_NAME and (stars or is_struct):
                yield tokens[j][1], value(j), word + " " * bool(stars) + "*" * stars
            if not is_statement:
                break
            depth = 0
            while j < size and not (depth == 0 and value(j) in (",", ";")):
                depth += (value(j) in "({[") - (value(j) in ")}]")
                if depth < 0:
                    break
                j += 1
            if value(j) != ",":
                break
            j, stars = j + 1, 0
            while value(j) == "*" or value(j) in QUALIFIERS:
                stars += value(j) == "*"
                j += 1


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in ("src", "bindings") else parts[0]


def sources(root):
    for folder in ROOTS:
        for where, folders, files in os.walk(os.path.join(root, folder)):
            folders[:] = sorted(name for name in folders if name not in ("build", "node_modules", "__pycache__"))
            for name in sorted(files):
                if name.endswith((".c", ".h", ".inc")):
                    yield os.path.relpath(os.path.join(where, name), root)


def find(root):
    """{room: [(path, line, name, type)]} of a tree"""
    types, structs, files = set(), set(), {}
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as stream:
            files[path] = tokens_of(stream.read())
    for tokens in files.values():
        collect_types(tokens, types, structs)
    found = {}
    for path, tokens in files.items():
        for line, name, kind in sorted(set(declared(tokens, types, structs))):
            found.setdefault(room_of(path), []).append((path, line, name, kind))
    return found


def compare(found, allowed):
    """The lines that tell how what was found differs from what is allowed."""
    for room in sorted({*found, *allowed}):
        names, number = found.get(room, []), allowed.get(room, 0)
        if len(names) > number:
            for path, line, name, kind in names[:40]:
                yield f"{path}:{line}: '{name}' names a {kind}"
            yield f"{room}: {len(names)} such names, and it may have {number}: name new ones by their type or role"
        elif len(names) < number:
            yield f"{room}: {len(names)} such names are left: write this number in ALLOWED in place of {number}"


def main(root, *rooms):
    found = find(root)
    for room in rooms:
        for path, line, name, kind in found.get(room, []):
            print(f"{path}:{line}: '{name}' names a {kind}")
    if rooms:
        return 0
    lines = list(compare(found, ALLOWED))
    print("\n".join(lines + [", ".join(f"{room} {len(names)}" for room, names in sorted(found.items()))]))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
