#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The manual pages of section 3 say all that the headers say: each public function has a page, which leads to that of its
header, and there stands every word of the header, and nothing at which troff stumbles.

usage: reference.py SOURCE MAN3"""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"^TM_API [^;{(]*?\b(tm_\w+)\(", re.M)
# What a page leaves out: the guard, words for C++, TM_API, and the ..._INIT macros, which the ..._init functions stand for.
LEFT_OUT = re.compile(r"^/\* SPDX.*?$|^#ifndef TEEMAP_\w+_H\n#define TEEMAP_\w+_H$|^#ifdef __cplusplus\n.*\n#endif$|\bTM_API\b(?= )"
                      r"|^#define TM_\w+_INIT(?:.*\\\n)+.*$|^/\* clang-format .*$|^#endif\n\Z", re.M)
WORD = re.compile(r"[A-Za-z_]\w+")


def words(text):
    return collections.Counter(WORD.findall(text))


def plain(page):
    """The text of a page without requests of troff and its escapes."""
    text = re.sub(r"^\.(?:TH|IP|RS|RE|PP|nf|fi|BR|sp)\b.*\n", "", page, flags=re.M)
    return text.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\")


def main(source, folder):
    faults, functions = [], 0
    troff = shutil.which("groff")
    for path in sorted(glob.glob(os.path.join(source, "include", "teemap", "*.h"))):
        name = os.path.basename(path)[:-2]
        page = "teemap" if name == "teemap" else f"teemap-{name}"
        with open(path, encoding="utf-8") as stream:
            header = stream.read()
        with open(os.path.join(folder, page + ".3"), encoding="utf-8") as stream:
            text = plain(stream.read())
        lost = words(LEFT_OUT.sub("", header)) - words(text)
        if lost:
            faults.append(f"{page}.3 lacks words of {name}.h: {' '.join(sorted(lost)[:20])}")
        if re.search(r"@(bs|sc|bo|bc|empty)@", text):
            faults.append(f"{page}.3: a placeholder of cmake/reference.cmake was left")
        if troff:
            said = subprocess.run([troff, "-man", "-ww", "-z", "-Tutf8", os.path.join(folder, page + ".3")], stderr=subprocess.PIPE,
                                  text=True, check=False).stderr
            if said:
                faults.append(f"{page}.3: {said.splitlines()[0]}")
        for function in FUNCTION.findall(header):
            functions += 1
            alias = os.path.join(folder, function + ".3")
            if not os.path.exists(alias) or open(alias, encoding="utf-8").read() != f".so man3/{page}.3\n":
                faults.append(f"{function} has no page that leads to {page}(3)")
    for fault in faults:
        print(fault)
    print(f"{functions} functions")
    return 1 if faults or not functions else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
