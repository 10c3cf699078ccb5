# SPDX-License-Identifier: Zlib
"""Puts the licences of the libraries inside a wheel into it, as Debian's packages have them: licences.py WHEEL.

`./run wheel` calls it. The libraries are those that auditwheel copied (teemap.libs), and those that are linked into the module."""
import base64
import glob
import hashlib
import os
import re
import sys
import zipfile

STATIC = {"zopfli": b"zopfli"}  # what may be linked in, and by what it is known: no shared library of it is copied
SHARED = re.compile(r"\.libs/lib([a-z]+)")


def names_in(wheel):
    found = {match[1] for match in map(SHARED.search, wheel.namelist()) if match}
    module = next((name for name in wheel.namelist() if "_teemap" in name and name.endswith(".so")), None)
    data = wheel.read(module) if module else b""
    return sorted(found | {name for name, mark in STATIC.items() if mark in data.lower()})


def licence_of(name):
    """The text of a library's licence, of the Debian package that has it."""
    for path in sorted(glob.glob(f"/usr/share/doc/lib{name}*/copyright") + glob.glob(f"/usr/share/doc/{name}*/copyright")):
        with open(path, encoding="utf-8") as file:
            return file.read()
    return None


def row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main(path):
    with zipfile.ZipFile(path) as wheel:
        names = names_in(wheel)
        record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
        members = {one: wheel.read(one) for one in wheel.infolist()}
    folder = os.path.dirname(record) + "/licenses/"
    texts = {}
    for name in names:
        text = licence_of(name)
        if text is None:
            sys.exit(f"licences.py: no licence of '{name}' in /usr/share/doc")
        texts[f"{folder}{name}.txt"] = text.encode()
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED) as out:
        for info, data in members.items():
            if info.filename == record:
                data += "".join(row(name, text) for name, text in texts.items()).encode()
            out.writestr(info, data, zipfile.ZIP_DEFLATED)
        for name, text in texts.items():
            out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    os.replace(path + ".new", path)
    print(f"licences of {', '.join(names)}")


if __name__ == "__main__":
    main(sys.argv[1])
