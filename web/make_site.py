# SPDX-License-Identifier: Zlib
"""Makes of the modules in this folder what is put on a server, few files that are fetched at once, and one file that works from a
disk, where browsers load neither modules nor workers from other files.

    make_site.py PACKAGE SITE ONE_FILE"""
import hashlib
import os
import pathlib
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "bindings", "web"))
import join  # noqa: E402

POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; worker-src blob:; img-src data:"


STYLE = r'<link rel="stylesheet" href="page\.css">'
MODULES, MODULES_BESIDE = "const modules = {};", 'const modules = { "teemap.js": teemap };'


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def once(pattern, replacement, text):
    text, number = re.subn(pattern, lambda _: replacement, text)
    if number != 1:
        raise SystemExit(f"'{pattern}' is there {number} times")
    return text


def module(entry):
    """A module with all that it stands on."""
    return join.apart(join.modules_of(HERE, entry))


def online(page):
    """The page with what makes it one that is installed. Its style is a file beside it: hosts may allow no other."""
    page = once(r"style-src 'self';", "style-src 'self'; manifest-src 'self';", page)
    page = once("img-src data:", "img-src 'self' data:", page)
    return once(STYLE, '<link rel="manifest" href="manifest.json">\n<link rel="stylesheet" href="page.css">', page)


def main(package, site, one_file):
    os.makedirs(site, exist_ok=True)
    page, style, script = read(HERE, "index.html"), read(HERE, "page.css"), module("page.js")
    worker = module("worker.js")
    files = {
        "index.html": online(page),
        "page.css": style,
        "page.js": script + 'addEventListener("load", () => navigator.serviceWorker?.register("offline.js").catch(() => {}));\n',
        "worker.js": f'const teemap = (() => {{\n{join.plain(read(package, "teemap.js"), "return")}}})();\n{worker.replace(MODULES, MODULES_BESIDE)}',
        "manifest.json": read(HERE, "manifest.json"),
    }
    state = hashlib.sha256("".join(files.values()).encode() + pathlib.Path(package, "teemap.simd.wasm").read_bytes()).hexdigest()
    files["offline.js"] = read(HERE, "offline.js").replace("@STATE@", state[:16])
    for name, text in files.items():
        write(text, site, name)
    for name in ("teemap.wasm", "teemap.simd.wasm", "view.js", "viewer.js", "viewer.wasm", "viewer.simd.wasm"):
        shutil.copy(os.path.join(package, name), site)
    for name in ("icon.svg", "views.html", "views.css"):
        shutil.copy(os.path.join(HERE, name), site)
    shutil.copytree(os.path.join(os.path.dirname(HERE), "tests", "golden", "maps"), os.path.join(site, "maps"), dirs_exist_ok=True)

    script = once(r'new Worker\("worker\.js", \{ type: "module" \}\)',
                  'new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent])))', script)
    page = once(r'(?<=Content-Security-Policy" content=")[^"]*', POLICY, page)
    page = once(STYLE, "<style>\n" + style + "</style>", page)
    page = once(r'<script type="module" src="page\.js"></script>', '<script type="text/plain" id="worker">\n' + read(package, "teemap.single.js")
                + f'(() => {{\n{worker.replace(MODULES, MODULES_BESIDE)}}})();\n</script>\n<script type="module">\n{script}</script>', page)
    write(page, one_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
