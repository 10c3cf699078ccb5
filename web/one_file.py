# SPDX-License-Identifier: Zlib
"""Makes one file of the page, that works from a disk: browsers load neither modules nor workers from other files there.

    one_file.py FOLDER teemap.single.js OUT"""
import os
import re
import sys

POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; worker-src blob:; img-src data:"


def main(folder, library, out):
    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def once(pattern, replacement, text):
        text, number = re.subn(pattern, lambda _: replacement, text)
        if number != 1:
            raise SystemExit(f"'{pattern}' is there {number} times")
        return text

    page = read(os.path.join(folder, "index.html"))
    worker = once(r'import \{ Map, TeemapError \} from "\./teemap\.js";', "const { Map, TeemapError } = globalThis.teemap;",
                  read(os.path.join(folder, "worker.js")))
    script = once(r'new Worker\("worker\.js", \{ type: "module" \}\)',
                  'new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent])))', read(os.path.join(folder, "page.js")))
    page = once(r'(?<=Content-Security-Policy" content=")[^"]*', POLICY, page)
    page = once(r'<link rel="stylesheet" href="page\.css">', "<style>\n" + read(os.path.join(folder, "page.css")) + "</style>", page)
    page = once(r'<script type="module" src="page\.js"></script>',
                f'<script type="text/plain" id="worker">\n{read(library)}(() => {{\n{worker}}})();\n</script>\n<script type="module">\n{script}</script>', page)
    with open(out, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
