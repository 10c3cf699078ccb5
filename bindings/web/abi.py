# SPDX-License-Identifier: Zlib
"""What JavaScript knows of the library's functions and structs, from the public headers: how arguments are handed over, and
where fields lie in the memory of WebAssembly (32 bits). The compiler checks each offset in the C source that is written beside."""
import re

# Sizes in the memory of wasm32, and the letters by which src/wasm.js reads and writes them.
PLAIN = {"int8_t": (1, "a"), "uint8_t": (1, "B"), "int16_t": (2, "h"), "uint16_t": (2, "H"), "int": (4, "i"), "int32_t": (4, "i"),
         "uint32_t": (4, "u"), "size_t": (4, "u"), "int64_t": (8, "l"), "uint64_t": (8, "L"), "float": (4, "f"), "double": (8, "d"),
         "_Bool": (1, "b"), "char": (1, "c")}
SPECIAL = {"char *": "s", "tm_error *": "e"}


class Abi:
    """`used`: the JavaScript of the package. What it does not name is not known to it, and not in the module."""

    def __init__(self, ffi, lib, used):
        self.ffi, self.lib = ffi, lib
        self.structs, self.checks, self.used = {}, [], set(re.findall(r"\w+", used))
        names = sorted(set(re.findall(r"\btm_\w+", used)))
        known = set(dir(lib))
        self.functions = {name: self.signature(name) for name in names if name in known}
        for name in names:
            if name not in known:
                self.struct(ffi.typeof(name))  # an unknown word is an error
        self.constants = {name: int(getattr(lib, name)) for name in sorted(set(re.findall(r"\bC\.(TM_\w+)", used)))}

    # -------------------------------------------------------------------------------------------------- types

    def size(self, kind):
        """Bytes and alignment."""
        if kind.kind == "primitive":
            size = PLAIN[kind.cname][0]
            return size, size
        if kind.kind in ("pointer", "function", "enum"):
            return 4, 4
        if kind.kind == "array":
            size, align = self.size(kind.item)
            return size * kind.length, align
        size, align, _ = self.layout(kind)
        return size, align

    def layout(self, kind):
        at, most, align, offsets = 0, 0, 1, {}
        for name, field in kind.fields:
            size, own = self.size(field.type)
            at = 0 if kind.kind == "union" else -(-at // own) * own
            offsets[name] = at
            at += size
            most, align = max(most, at), max(align, own)
        return -(-most // align) * align, align, offsets

    def code(self, kind, place):
        """How a field is read: a letter, or a letter with the name of a struct behind it."""
        if kind.kind == "primitive":
            return PLAIN[kind.cname][1]
        if kind.kind == "enum":
            return "i"
        if kind.kind == "array":
            return f"{kind.length}{self.code(kind.item, place)}"
        if kind.kind in ("struct", "union"):
            return "S" + self.struct(kind, place)
        return SPECIAL.get(kind.cname, "p") if kind.cname == "char *" else "p"

    def struct(self, kind, place=None):
        """Its name among the structs. One without a name of its own is called after its place."""
        name = kind.cname if re.fullmatch(r"tm_\w+", kind.cname) else place
        if name in self.structs or not kind.fields:
            return name
        size, _, offsets = self.layout(kind)
        self.structs[name] = fields = {}
        for field, of in kind.fields:
            if field in self.used or field.startswith("num_"):
                fields[field] = [offsets[field], self.code(of.type, f"{name}.{field}")]
        self.structs[name] = [size, fields]
        if name == kind.cname:
            self.checks.append(f'_Static_assert(sizeof({name}) == {size}, "{name}");')
            self.checks += [f'_Static_assert(offsetof({name}, {field}) == {at}, "{name}.{field}");' for field, at in offsets.items()]
        return name

    # ---------------------------------------------------------------------------------------------- functions

    def signature(self, name):
        """The letter of the result, then those of the parameters; src/wasm.js tells what they mean."""
        kind = self.ffi.typeof(getattr(self.lib, name))
        return [self.passed(kind.result, True)] + [self.passed(one) for one in kind.args]

    def passed(self, kind, result=False):
        if kind.kind == "void":
            return "v"
        if kind.cname == "tm_status" and result:
            return "t"
        if kind.kind in ("struct", "union"):
            if len(kind.fields) == 1:
                raise SystemExit(f"{kind.cname}: a struct of one field is passed in another way, which nobody needed yet")
            return "S" + self.struct(kind)
        if kind.cname == "tm_error *" and not result:
            self.struct(kind.item)
        return SPECIAL.get(kind.cname) or self.code(kind, "")


def bridge(abi, callbacks, headers, exports):
    """The C source: functions of JavaScript that the library may call, numbers that lead to them, and the checks."""
    names = [name for name in headers.CALLBACKS if name in callbacks]
    lines = ["/* Made by make_modules.py. */", "#include <teemap/teemap.h>", "#include <stdlib.h>", ""]
    for name in names:
        lines.append(f'__attribute__((import_module("teemap"), import_name("{name}"))) ' + headers.callback(abi.ffi, name))
    lines += ["", "typedef void plain(void);", "plain *teemap_function(unsigned n);", "plain *teemap_function(unsigned n)", "{",
              "    static plain *const list[] = {" + ", ".join(f"(plain *){name}" for name in names + ["free"]) + "};",
              "    return list[n];", "}", ""]
    return "\n".join(lines + abi.checks) + "\n", {name: n for n, name in enumerate(names + ["free"])}
