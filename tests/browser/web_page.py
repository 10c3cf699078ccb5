#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The page of web/ in a headless Chromium, from a server under its own policy and as one file from the disk: maps are opened, moved,
zoomed, their layers switched, tiles told in words, findings shown, framed and fixed, the result downloaded; nothing else is asked of the network.

    web_page.py SITE ONE_FILE TEEMAP PICTURE

PICTURE is a screenshot to look at."""
import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser

EVIL = '<b onclick'  # a name of a layer has 11 bytes


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, '.wasm': 'application/wasm', '.js': 'text/javascript'}

    def log_message(self, *_):
        pass


class Page:
    def __init__(self, url, folder):
        self.browser, self.folder = browser.Browser(1000, 700), folder
        self.ask, self.wait = self.browser.evaluate, self.browser.wait
        self.browser.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(folder / 'downloads'))
        self.browser.open(url)
        self.wait('document.querySelector("#status").textContent.includes("Nothing is uploaded")')

    def choose(self, *names):
        root = self.browser.call('DOM.getDocument')['root']['nodeId']
        node = self.browser.call('DOM.querySelector', nodeId=root, selector='#files')['nodeId']
        self.browser.call('DOM.setFileInputFiles', nodeId=node, files=[str(self.folder / name) for name in names])

    def status(self, text):
        self.wait('document.querySelector("#status").textContent.includes(%s)' % json.dumps(text))

    def pixels(self):
        """A number for what the canvas shows, and how many colors it has, when the sharp picture is there."""
        time.sleep(.1)
        self.wait('document.querySelector("#picture").ariaBusy === "false"')
        return self.ask('''(() => { const c = document.querySelector("#picture"), pen = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
            pen.drawImage(c, 0, 0); const d = pen.getImageData(0, 0, c.width, c.height).data;
            let sum = 7; const colors = new Set(); for (let i = 0; i < d.length; i += 4) { const p = d[i] << 16 | d[i + 1] << 8 | d[i + 2]; sum = (sum * 31 + p) | 0; colors.add(p); }
            return [sum, colors.size]; })()''')

    def changed(self, before):
        """Waits until the picture is another one."""
        until = time.monotonic() + 20
        while (now := self.pixels())[0] == before[0]:
            assert time.monotonic() < until, 'the picture stays as it was'
        return now

    def findings(self):
        return self.ask('[...document.querySelectorAll("#findings > li")].map((one) => one.textContent)')


def looks_and_layers(page):
    page.choose('a.map')
    page.status('a.map: a map of ddnet, 60 x 40 tiles.')
    page.status('Images that it only names: grass_main.')
    page.wait('document.querySelectorAll("#layers input").length >= 9')
    whole = page.pixels()
    assert whole[1] > 1, 'there is a picture'
    page.ask('document.querySelector("#entities").click()')
    entities = page.changed(whole)
    page.ask('document.querySelector("#layers input[data-kind=game]").click()')
    without = page.changed(entities)
    page.ask('document.querySelector("#layers input[data-kind=game]").click()')
    assert page.changed(without)[0] == entities[0], 'the game layer is back'
    assert not page.ask('document.querySelector("#layers b, #findings b")'), 'names are text'
    assert page.ask('document.querySelector("#layers").textContent.includes(%s)' % json.dumps(EVIL))
    return entities


def moves_and_zooms(page, whole):
    page.ask('document.querySelector("#picture").focus()')
    page.browser.key('+')
    near = page.changed(whole)
    page.browser.key('ArrowRight')
    right = page.changed(near)
    page.browser.key('ArrowLeft')
    assert page.changed(right)[0] == near[0], 'back where it was'
    page.browser.drag(300, 400, 60, 30)
    moved = page.changed(near)
    page.browser.call('Input.dispatchMouseEvent', type='mouseWheel', x=300, y=400, deltaX=0, deltaY=-200)
    page.changed(moved)
    page.browser.key('0')
    page.changed(moved)
    assert page.pixels()[0] == whole[0], 'all of the map again'
    page.browser.touch('Start', (300, 300), (400, 300))
    for i in range(1, 6):
        page.browser.touch('Move', (300 - 10 * i, 300), (400 + 10 * i, 300))
    page.browser.touch('End')
    page.changed(whole)
    page.browser.key('0')


def tiles_are_told(page):
    x, y = page.ask('''(() => { const c = document.querySelector("#picture"), r = c.getBoundingClientRect(), s = Math.min(r.width / 60, r.height / 40);
        return [r.left + (r.width - 60 * s) / 2 + 3.5 * s, r.top + (r.height - 40 * s) / 2 + 3.5 * s]; })()''')
    page.browser.mouse('Moved', x, y)
    page.wait('/^3,3: .*freez.*\\(game\\)/.test(document.querySelector("#tile").textContent)')


def findings_are_framed_and_fixed(page, teemap):
    page.wait('document.querySelectorAll("#findings > li").length > 1')
    lint = json.loads(subprocess.run([teemap, 'lint', '--json', '--no-config', str(page.folder / 'a.map')], capture_output=True, check=False).stdout)['findings']
    shown = page.findings()
    assert all(any('[' + one['id'] + ']' in text for text in shown) for one in lint if not one['id'].startswith('rules-')), shown
    before = page.pixels()
    page.ask('document.querySelector("#findings .place").click()')
    page.changed(before)
    assert any('[empty-group]' in text for text in shown), shown
    number = len(shown)
    page.ask('[...document.querySelectorAll("#findings > li")].find((one) => one.textContent.includes("[empty-group]")).querySelector("button:not(.place)").click()')
    page.status('Done: teemap edit ')
    page.wait('document.querySelectorAll("#findings > li").length < %d' % number)
    assert not any('[empty-group]' in text for text in page.findings())


def the_result_is_downloaded(page, teemap):
    page.ask('document.querySelector("#save").click()')
    path, until = page.folder / 'downloads' / 'a.map', time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < until, 'there is no download'
        time.sleep(.1)
    told = json.loads(subprocess.run([teemap, 'lint', '--json', '--no-config', str(path)], capture_output=True, check=False).stdout)
    assert not any(one['id'] == 'empty-group' for one in told['findings']), told
    path.unlink()


def bad_files_are_told(page):
    page.choose('broken.map')
    page.status('broken.map')
    page.choose('none.map')
    page.wait('/empty|map/.test(document.querySelector("#status").textContent) && !document.querySelector("#status").textContent.includes("Opening")')
    page.choose('a.map', 'grass_main.png')
    page.status('60 x 40 tiles')
    page.wait('!document.querySelector("#status").textContent.includes("only names")')


def main(site, one_file, teemap, picture):
    folder = pathlib.Path(tempfile.mkdtemp(prefix='teemap-site-'))

    def run(*words):
        subprocess.run([teemap, *words], check=True, cwd=folder, capture_output=True)

    mapmaker = os.path.join(os.path.dirname(teemap), 'tests', 'tools', 'mapmaker')
    subprocess.run([mapmaker, 'build', 'ddnet', str(folder / 'made.map')], check=True)
    run('edit', 'made.map', '-o', 'a.map', 'add', 'group', 'Nothing', '+', 'fill', 'game@3,3+4x4', 'freeze', '+', 'fill', '0/0@5,5+40x20', '3', '+', 'set', '0/0.color_envelope=none',
        '0.parallax.x=100', '0.parallax.y=100', '0.use_clipping=false', '+', 'rename', '0/0', EVIL)
    run('cat', 'a.map', 'image/own', '-o', 'grass_main.png')
    (folder / 'broken.map').write_bytes((folder / 'a.map').read_bytes()[:900])
    (folder / 'none.map').write_bytes(b'')
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f'http://127.0.0.1:{server.server_address[1]}/'
    try:
        for url in (base + 'index.html', pathlib.Path(one_file).resolve().as_uri()):
            page = Page(url, folder)
            try:
                moves_and_zooms(page, looks_and_layers(page))
                tiles_are_told(page)
                page.browser.screenshot(picture)
                findings_are_framed_and_fixed(page, teemap)
                the_result_is_downloaded(page, teemap)
                bad_files_are_told(page)
                assert not page.browser.failures, page.browser.failures
                assert all(asked.startswith((base, 'file:', 'data:', 'blob:', 'about:')) for asked in page.browser.requests), page.browser.requests
                assert sum(asked.startswith('http') for asked in page.browser.requests) <= 6, page.browser.requests
            finally:
                page.browser.close()
    finally:
        server.shutdown()
        shutil.rmtree(folder)
    print('the page does what it shows, from a server and from the disk')


if __name__ == '__main__':
    if not browser.find():
        print('skipped: no Chromium')
        sys.exit(0)
    main(*map(os.path.abspath, sys.argv[1:]))
