# SPDX-License-Identifier: Zlib
"""What a bot that tests maps tells about an upload, from the bytes of two versions: findings, what changed in words and as pictures of
before and after, a thumbnail, where the bytes are, and a smaller file. No files, no GPU.

    python map_testing.py OLD.map NEW.map FOLDER"""
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts threads for matrices, which take 50 ms before they sleep

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
    images = teemap.Images()  # read once for both
    was, now = (map.renderer(images=images, layers="design", entities=True) for map in (before, after))
    pictures = patch.pictures(was, now, size=(640, 640), background=(40, 40, 40, 255))
    for i, (one, _, *both) in enumerate(pictures):
        files[f"change-{one.number}-{i}.png"] = teemap.png(np.hstack(both))

    files["thumbnail.webp"] = teemap.webp(now.thumbnail((640, 400)), quality=80)
    files["sizes.png"] = teemap.png(after.sizes().picture(800, 500))
    smaller = after.copy()
    smaller.optimize(images=True)
    files["optimized.map"] = smaller.to_bytes(lay_out=True)  # smaller.packed() is smaller by some percent, and takes longer
    lines += ["", f"{len(new)} bytes, {len(files['optimized.map'])} after optimizing"]
    files["report.md"] = "\n".join(lines).encode("utf-8", "replace")
    return files


def main(old: str, new: str, folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    with open(old, "rb") as before, open(new, "rb") as after:
        files = report(before.read(), after.read())
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        print(name, len(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
