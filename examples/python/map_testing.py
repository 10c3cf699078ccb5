# SPDX-License-Identifier: Zlib
"""What a bot that tests maps tells about an upload, from the bytes of two versions: findings, what changed in words and as pictures of
before and after, a thumbnail, where the bytes are, and a smaller file. No files, no GPU.

    python map_testing.py OLD.map NEW.map FOLDER"""
import sys
from pathlib import Path

import numpy as np

import teemap


def report(old: bytes, new: bytes) -> dict[str, bytes]:
    """Files for a message, by name."""
    before, after = teemap.open(old), teemap.open(new)
    files: dict[str, bytes] = {}
    lines = ["# Findings"]
    lines += [f"- {one.severity}: {one}" for one in after.check() if one.severity != "note"]
    lines += [f"- {one.severity}: {one}. {one.how}" for one in after.lint("ddnet") if one.severity != "note"]

    patch = before.diff(after)
    lines += ["", "# Changes", patch.markdown()]
    renderers = (map.renderer(layers="design", entities=True) for map in (before, after))
    pictures = patch.pictures(*renderers, size=(640, 640), background=(40, 40, 40, 255))
    for i, (one, _, was, now) in enumerate(pictures):
        files[f"change-{one.number}-{i}.png"] = teemap.png(np.hstack([was, now]))

    files["thumbnail.webp"] = teemap.webp(after.thumbnail((640, 400)), quality=80)
    files["sizes.png"] = teemap.png(after.sizes().picture(800, 500))
    smaller = after.copy()
    smaller.optimize(images=True)
    files["optimized.map"] = smaller.to_bytes(level=9, smaller=True, lay_out=True)
    lines += ["", f"{len(new)} bytes, {len(files['optimized.map'])} after optimizing"]
    files["report.md"] = "\n".join(lines).encode("utf-8", "replace")
    return files


def main(old: str, new: str, folder: str) -> None:
    Path(folder).mkdir(exist_ok=True)
    for name, data in report(Path(old).read_bytes(), Path(new).read_bytes()).items():
        Path(folder, name).write_bytes(data)
        print(name, len(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
