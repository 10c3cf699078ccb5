# SPDX-License-Identifier: Zlib
"""Writes the C source of the module teemap._teemap: cffi's API mode over the public headers, as the preprocessor
leaves them. No declaration is written by hand.

Usage: declarations.py OUT.c INCLUDE_DIR COMPILER...    (CMakeLists.txt calls it)"""
import os
import subprocess
import sys
import tempfile

import cffi

# Functions of Python that the library may call: the name in Python, and the type in the headers that it has.
CALLBACKS = {
    "teemap_progress": ("tm_job", "progress"),
    "teemap_match": ("tm_match_visit *",),
    "teemap_share": ("tm_bytes_visitor *",),
    "teemap_image": ("tm_image_provider",),
    "teemap_read": ("tm_edit_options", "read"),
    "teemap_open": ("tm_edit_options", "open"),
    "teemap_rules": ("tm_edit_options", "rules"),
    "teemap_judge": ("tm_lint_judge *",),
}


def preprocess(include, compiler):
    """The headers without macros; cffi knows the types of C's own three headers."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stdbool.h", "stddef.h", "stdint.h"):
            with open(os.path.join(empty, name), "w", encoding="ascii"):
                pass
        command = [*compiler, "-E", "-P", "-nostdinc", "-DTM_API=", "-I" + empty, "-I" + include,
                   os.path.join(include, "teemap", "teemap.h")]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def callback(ffi, name, of, member=None):
    kind = ffi.typeof(of)
    if member:
        kind = dict(kind.fields)[member].type
    return ffi.getctype(kind, " " + name).replace(f"(* {name})", f" {name}") + ";"


def main(out, include, *compiler):
    ffi = cffi.FFI()
    ffi.cdef(preprocess(include, compiler))
    ffi.cdef('extern "Python" {\n' + "\n".join(callback(ffi, name, *of) for name, of in CALLBACKS.items()) + "\n}")
    ffi.set_source("teemap._teemap", "#include <teemap/teemap.h>")
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
