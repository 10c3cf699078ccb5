#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Times the module for browsers and the page of web/, and prints one markdown table. `./run bench --web` calls it.

    web_rows.py PACKAGE SITE TEEMAP BENCH_RENDER MAP...

Drawing is timed in node (web_rows.mjs) beside the library compiled for this machine without its own vectors (`BENCH_RENDER`). The page stands in
a headless Chromium, from a server on this machine: each first picture is that of a new browser, and a pan drags the picture by six pixels
with each frame for two seconds. A picture is coarse that has fewer pixels than it is shown with."""
import contextlib
import gzip
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'tests/browser'))
import browser  # noqa: E402
import web  # noqa: E402

MAPRES = subprocess.run(['bash', HERE.parent / 'tests/support/games.sh', 'file', 'ddnet', 'mapres'], capture_output=True, text=True).stdout.strip()
WIDTH, HEIGHT = 1280, 720
PANNED = 25  # maps
COLD = 5  # browsers
PAN = '''(async () => {
    const canvas = document.querySelector("#picture"), frames = [], pictures = [], { drawImage } = CanvasRenderingContext2D.prototype;
    let last, coarse = 0;
    CanvasRenderingContext2D.prototype.drawImage = function (image, ...words) {
        if (this.canvas === canvas && image !== last) { last = image; pictures.push(performance.now()); coarse += image.width < canvas.width; }
        return drawImage.call(this, image, ...words);
    };
    canvas.setPointerCapture = () => {};
    const send = (type, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: canvas.getBoundingClientRect().x + x, clientY: 300 }));
    send("pointerdown", 1000);
    const begun = performance.now();
    for (let x = 1000, now = 0; now < begun + 2000; x -= 6) { now = await new Promise(requestAnimationFrame); frames.push(now); send("pointermove", x); }
    send("pointerup", 0);
    CanvasRenderingContext2D.prototype.drawImage = drawImage;
    const rates = (times) => times.slice(1).map((time, i) => 1000 / (time - times[i]));
    return { frames: rates(frames), pictures: rates(pictures), coarse };
})()'''


def packed(*paths):
    return sum(len(gzip.compress(pathlib.Path(path).read_bytes())) for path in paths)


def opened(page, base, path):
    """Opens a link to a map, and waits for its sharp picture; how long that takes, in ms."""
    begun = time.monotonic()
    name = urllib.parse.quote('maps/' + os.path.basename(path))
    page.open(f'{base}index.html#map={urllib.parse.quote(name)}')
    page.wait('document.querySelector("#status").textContent.includes(": a map of") && document.querySelector("#picture").ariaBusy === "false"')
    return (time.monotonic() - begun) * 1000


@contextlib.contextmanager
def a_browser():
    page = browser.Browser(WIDTH + 400, HEIGHT + 200)
    try:
        yield page
    finally:
        page.close()


def pan(base, paths):
    seen = {'frames': [], 'pictures': [], 'coarse': 0}
    with a_browser() as page:
        for path in paths:
            opened(page, base, path)
            page.evaluate('Object.assign(document.querySelector("#stage").style, { flex: "none", width: "%dpx", height: "%dpx" })' % (WIDTH, HEIGHT))
            page.evaluate('document.querySelector("#picture").focus()')
            page.wait('document.querySelector("#picture").width === %d && document.querySelector("#picture").height === %d' % (WIDTH, HEIGHT))
            for _ in range(3):
                page.key('+')
            page.wait('document.querySelector("#picture").ariaBusy === "false"')
            for name, value in page.evaluate(PAN).items():
                seen[name] += value
    return seen


def first_picture(base, path):
    times = []
    for _ in range(COLD):
        with a_browser() as page:
            times.append(opened(page, base, path))
    return statistics.median(times)


def plain_c(program, path):
    text = subprocess.run([program, path, MAPRES, '640x360'], capture_output=True, text=True, check=True).stdout
    return [float(number) for number in re.match(r'prepare ([\d.]+) ms, a view ([\d.]+) ms', text).groups()]


def tenth(rates):
    return sorted(rates)[len(rates) // 10]


def main():
    package, site, teemap, program = map(os.path.abspath, sys.argv[1:5])
    paths = [os.path.abspath(path) for path in sys.argv[5:]]
    rows = [('work', 'measured', 'must')]
    for name, most in (('viewer', 120), ('teemap', 450)):
        size = packed(f'{package}/{name}.simd.wasm', f'{package}/{name}.js')
        rows.append((f'module, gzipped: {"viewer only" if name == "viewer" else "everything"}', f'{size / 1000:.1f} KB', f'{most} KB'))
    web.Handler = web.Counting
    chosen = paths[::max(1, len(paths) // PANNED)][:PANNED]
    node = json.loads(subprocess.run(['node', HERE / 'web_rows.mjs', package, MAPRES, *chosen], capture_output=True, text=True, check=True).stdout)
    native = [plain_c(program, row['path']) for row in node['maps']]

    def beside(side, what):
        return statistics.median(row[side][what] / max(of[what == 'view'], 0.05) for row, of in zip(node['maps'], native))

    million = min(paths, key=lambda path: abs(os.path.getsize(path) - 1_000_000))
    with web.served(site, teemap, 'maps') as (folder, _, base):
        for path in {million, *chosen}:
            (folder / 'maps' / os.path.basename(path)).symlink_to(path)
        first = first_picture(base, million)
        asked = [f'{site}/{name}' for name in web.Counting.asked - web.TO_INSTALL if not name.startswith('maps/')]
        panned = pan(base, chosen)
    rows += [
        (f'from click to first picture, cold, {os.path.getsize(million) / 1e6:.1f} MB ({os.path.basename(million)})', f'{first:.0f} ms', '1,000 ms'),
        ('preparing a map, beside C: with vectors; plain', f'{beside("vectors", "prepare"):.2f}; {beside("plain", "prepare"):.2f}', '1.5'),
        (f'frames while panning {WIDTH}x{HEIGHT}, {len(chosen)} maps: median; worst tenth', f'{statistics.median(panned["frames"]):.0f}; {tenth(panned["frames"]):.0f} a second', '60; 30'),
        ('new pictures meanwhile: median; worst tenth; coarse ones', f'{statistics.median(panned["pictures"]):.0f}; {tenth(panned["pictures"]):.0f} a second; '
         f'{100 * panned["coarse"] / max(1, len(panned["pictures"])):.0f} %', ''),
        ('a frame of 640x360, one worker, beside plain C: with vectors; plain', f'{beside("vectors", "view"):.2f}; {beside("plain", "view"):.2f}', '1.3; 2.0'),
        ('memory after 100 maps in a row; with the two largest', f'{node["memory"]["row"] / 1e6:.1f}; {node["memory"]["largestTwo"] / 1e6:.1f} MB', 'no more'),
        ('the page: requests; bytes, gzipped', f'{len(asked)}; {packed(*asked) / 1000:.0f} KB', '6; 700 KB'),
    ]
    rows.insert(1, ('---',) * 3)
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')


main()
