# SPDX-License-Identifier: Zlib
"""A page of thumbnails of a folder of maps. In a notebook a map shows itself: teemap.open("Tutorial.map")

    python gallery.py MAPS OUT.html"""
import html
import sys
from base64 import b64encode
from pathlib import Path

import teemap


def entry(path: Path) -> str:
    try:
        map = teemap.open(path)
        picture = b64encode(teemap.webp(map.thumbnail((320, 200)), quality=70)).decode()
    except teemap.Error as error:
        return f"<figure>{html.escape(path.name)}: {html.escape(str(error))}</figure>"
    words = f"{path.stem}, {map.size[0]} x {map.size[1]}, by {map.info.author or 'somebody'}"
    return f'<figure><img src="data:image/webp;base64,{picture}" alt=""><figcaption>{html.escape(words)}</figcaption></figure>'


def main(maps: str, out: str) -> None:
    entries = [entry(path) for path in sorted(Path(maps).rglob("*.map"))]
    page = '<!doctype html><meta charset="utf-8"><title>Maps</title>' + "\n".join(entries)
    Path(out).write_text(page, encoding="utf-8", errors="replace")
    print(f"{out}: {len(entries)} maps")


if __name__ == "__main__":
    main(*sys.argv[1:])
