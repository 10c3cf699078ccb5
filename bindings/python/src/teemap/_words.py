# SPDX-License-Identifier: Zlib
"""The names, types and docstrings for the library's tables of fields and operations. Used to make the classes (_tables.py) and
the stubs for type checkers (../../stubs.py). Only needs the C module, which it gets as an argument."""
import keyword
import re


def text(ffi, pointer):
    return ffi.string(pointer).decode("utf-8", "surrogateescape") if pointer else ""


def identifier(name):
    name = re.sub(r"\W+", "_", name).lower()
    return name + "_" if keyword.iskeyword(name) else name


class Field:
    """A row of the table of fields."""

    def __init__(self, ffi, lib, row):
        self.row = row
        self.c_name = text(ffi, row.name)
        self.name = identifier(self.c_name)
        self.help = text(ffi, row.help)
        self.unit = text(ffi, row.unit)
        self.type = ffi.typeof("tm_field_type").elements[row.type][len("TM_TYPE_"):]
        self.refers = ffi.typeof("tm_kind").elements[row.refers][len("TM_KIND_"):].lower()
        self.setter = text(ffi, row.setter)
        self.choices = []
        if row.choice and self.type in ("CHOICE", "FLAGS"):
            numbers = range(256) if self.type == "CHOICE" else [1 << bit for bit in range(31)]
            for number in numbers:
                word = row.choice(number)
                if not word and self.type == "CHOICE":
                    break
                if word:
                    self.choices.append(text(ffi, word))
        self.accepted = ""
        if row.ranged and self.type != "BOOL":
            scale = 1024 if self.type in ("FIXED", "POINT") else 1
            self.accepted = f"{row.min / scale:g} to {row.max / scale:g}" if scale > 1 else f"{row.min} to {row.max}"

    @property
    def plain(self):
        """Whether it is an attribute: not a list, a block or one of several values, which have attributes of their own."""
        return self.type not in ("BLOCK", "LIST", "TEXTS", "COUNT") and self.row.num_values == 1

    @property
    def writable(self):
        return self.setter in ("", "tm_map_set_text", "tm_map_set_name")

    @property
    def doc(self):
        facts = [", ".join(part for part in (self.unit, self.accepted) if part)]
        if self.choices:
            facts.append(" or ".join(repr(word) for word in self.choices))
        return "; ".join(part for part in [self.help] + facts if part)

    @property
    def read_type(self):
        return {"INT": "int", "BOOL": "bool", "CHOICE": "str | int", "FLAGS": "int", "FIXED": "float", "INDEX": "int | None",
                "COLOR": "tuple[int, int, int, int]", "POINT": "tuple[float, float]", "TEXT": "str", "NAME": "str",
                "REFERENCE": self.refers.capitalize() + " | None", "COUNT": "int"}[self.type]

    @property
    def write_type(self):
        if self.type == "CHOICE":
            return "int | " + literal(self.choices) if self.choices else "int | str"
        return {"FLAGS": "int", "FIXED": "float", "COLOR": "str | Sequence[int]", "POINT": "Sequence[float]",
                "REFERENCE": f"{self.refers.capitalize()} | int | str | None"}.get(self.type, self.read_type)


def fields(ffi, lib, owner):
    num = ffi.new("size_t *")
    rows = lib.tm_fields(num, owner)
    return [Field(ffi, lib, rows + i) for i in range(num[0])]


def literal(words):
    return "Literal[" + ", ".join(word if word.isdigit() else repr(word).replace("'", '"') for word in words) + "]"


class Argument:
    """An argument of an operation; `word` is the fixed word before its value."""

    def __init__(self, name, kind, help, optional, repeats, choices, word=""):
        self.name, self.kind, self.help, self.optional = name, kind, help, optional
        self.repeats, self.choices, self.word = repeats, choices, word

    @property
    def type(self):
        kind = {"objects": "AddressLike", "group": "AddressLike", "layers": "AddressLike", "number": "int", "factor": "float | str",
                "place": "int | str", "size": "str | Sequence[int]", "point": "str | Sequence[int]", "pixels": "str | Sequence[int]",
                "region": "str | Sequence[int]", "file": "PathLike | bytes", "map": "Map | PathLike",
                "flag": "bool"}.get(self.kind, "str")
        if self.choices:
            kind = literal(self.choices)
        return f"{kind} | Iterable[{kind}]" if self.repeats else kind


class Operation:
    """A row of the table of operations."""

    def __init__(self, ffi, lib, row):
        self.row = row
        self.c_name = text(ffi, row.name)
        self.name = identifier(self.c_name)
        usage = ffi.new("char[512]")
        lib.tm_edit_usage(row, usage, 512)
        self.usage = text(ffi, usage)
        self.help = text(ffi, row.help)
        self.example = text(ffi, row.example)
        self.more = text(ffi, row.details)
        self.arguments = list(self.read_arguments(ffi, lib))

    def read_arguments(self, ffi, lib):
        word, used = None, set()
        for one in self.row.arguments:
            if not one.name:
                return
            name, kind = text(ffi, one.name), text(ffi, lib.tm_edit_type_name(one.type))
            choices = []
            while one.choices and one.choices[len(choices)]:
                choices.append(text(ffi, one.choices[len(choices)]))
            following = self.row.arguments[self.row_index(ffi, one) + 1]
            if len(choices) == 1 and (not one.optional or (following.name and following.inner)):
                word = (choices[0], one.optional)  # stands in front of the next one
                continue
            if len(choices) == 1:
                yield Argument(identifier(name), "flag", choices[0], True, False, [], choices[0])
                continue
            called = ("how" if "way" in used else "way") if "|" in name else "assignment" if "=" in name else "at" if "," in name else identifier(name)
            optional = bool(one.optional)
            if word and word[1]:
                called, optional = word[0], True
            used.add(called)
            yield Argument(called, kind, text(ffi, lib.tm_edit_type_help(one.type)), optional, bool(one.repeats), choices,
                           word[0] if word else "")
            word = None

    def row_index(self, ffi, one):
        return next(i for i, other in enumerate(self.row.arguments) if text(ffi, other.name) == text(ffi, one.name))

    @property
    def doc(self):
        lines = [self.help + "." if self.help else "", "", "As text: " + self.usage, "For example: " + self.example]
        lines += ["", self.more] if self.more else []
        lines += [""] if self.arguments else []
        lines += [f"{one.name}: {one.help}" + (": " + ", ".join(one.choices) if one.choices else "") for one in self.arguments]
        return "\n".join(lines)


def operations(ffi, lib):
    rows, i = [], 0
    while lib.tm_edit_at(i):
        rows.append(Operation(ffi, lib, lib.tm_edit_at(i)))
        i += 1
    return rows


# Which classes of Python have the fields of which structs.
OWNERS = {"MapFields": "MAP", "InfoFields": "INFO", "ImageFields": "IMAGE", "SoundFields": "SOUND",
          "EnvelopeFields": "ENVELOPE", "GroupFields": "GROUP", "LayerFields": "LAYER", "TileLayerFields": "TILE_LAYER",
          "QuadLayerFields": "QUAD_LAYER", "SoundLayerFields": "SOUND_LAYER"}
