# SPDX-License-Identifier: Zlib
"""Writes the C source of the module teemap._teemap: cffi's API mode over the public headers, as the preprocessor
leaves them, and over module.c. No declaration is written by hand.

Usage: declarations.py OUT.c ROOT COMPILER...    (CMakeLists.txt calls it)"""
import os
import sys

import cffi


def main(out, root, *compiler):
    sys.path.insert(0, os.path.join(root, "tools"))
    import headers
    ffi = cffi.FFI()
    ffi.cdef(headers.preprocess(os.path.join(root, "include"), compiler))
    ffi.cdef('extern "Python" {\n' + "\n".join(headers.callback(ffi, name) for name in headers.CALLBACKS) + "\n}")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "module.c"), encoding="ascii") as file:
        source = file.read()
    ffi.cdef(source.partition("/* declarations */")[2].partition("/* end */")[0])
    ffi.set_source("teemap._teemap", source)
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
