# SPDX-License-Identifier: Zlib
"""Makes one plain script of a module and its WebAssembly, for pages that are opened from a disk: browsers load neither modules nor
other files there. What the module exports is in `teemap` of the page.

    embed.py MODULE.js MODULE.wasm OUT"""
import base64
import re
import sys

import join


def main(module, wasm, out):
    with open(module, encoding="utf-8") as file:
        text = file.read()
    with open(wasm, "rb") as file:
        code = base64.b64encode(file.read()).decode()
    text, sources = re.subn(r"^const beside = .*;$", "const beside = EMBEDDED;", join.plain(text, "globalThis.teemap ="), flags=re.M)
    if sources != 1 or "import.meta" in text:
        raise SystemExit(f"{module} is not as it was: {sources} sources")
    license, text = text.split("\n", 1)
    with open(out, "w", encoding="utf-8") as file:
        file.write(f'{license}\n(() => {{\n"use strict";\nconst EMBEDDED = () => Uint8Array.from(atob("{code}"), (one) => one.charCodeAt(0));\n{text}}})();\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
