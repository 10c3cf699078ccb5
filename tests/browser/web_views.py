#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""<teemap-view> in headless Chromium and Firefox, on the page with twenty of them, under its strict policy: what is in sight is loaded, by one
module, with the pixels of the command line; keys, wheel, touch, motion; what leaves gives its memory back; faults are told; axe finds nothing.

    web_views.py SITE TEEMAP PICTURE AXE"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
import web_axe

MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden', 'maps')
FIRST = 'document.querySelector("teemap-view")'
READY = '(one) => one._loaded && one.camera && one.shadowRoot.querySelector("canvas").ariaBusy === "false"'
# Whether a view shows what a PNG of the command line holds.
SAME = '''(async (one, png) => {
    const canvas = one.shadowRoot.querySelector("canvas"), { width, height } = canvas;
    const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    if (picture.width !== width || picture.height !== height) return [picture.width, picture.height, width, height];
    const want = pixels(picture), got = pixels(canvas);
    let other = 0;
    for (let i = 0; i < want.length; i++) other += want[i] !== got[i];
    return other;
})'''
SUM = '''((one) => { const c = one.shadowRoot.querySelector("canvas"); const d = pixels(c);
    let sum = 7; for (let i = 0; i < d.length; i += 4) sum = (sum * 31 + (d[i] << 16 | d[i + 1] << 8 | d[i + 2])) | 0; return sum; })'''

SIZE = 'import("./viewer.js").then((viewer) => viewer.memorySize())'

# How many maps the worker is told to open, and to close; the pixels of a picture.
BEFORE = '''window.told = { open: 0, close: 0 };
    window.pixels = (canvas) => {
        const { width, height } = canvas, pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        return pen.getImageData(0, 0, width, height).data;
    };
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...more) { told[message.name]++; post.call(this, message, ...more);
        if (message.name === "open") window.whenOpened?.(); };'''


class Counting(web.Handler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path.lstrip('/'))
        super().do_GET()


def view(of):
    """The view of the page whose attributes begin so."""
    return '[...document.querySelectorAll("teemap-view")].find((one) => one.outerHTML.startsWith(%s))' % json.dumps('<teemap-view ' + of)


def ready(page, one):
    page.wait(f'({READY})({one})')


def see(page, one):
    page.evaluate(f'{one}.scrollIntoView({{ block: "center" }})')
    ready(page, one)


def what_is_in_sight_is_loaded(page):
    ready(page, FIRST)
    time.sleep(.3)
    loaded = page.evaluate(f'[...document.querySelectorAll("teemap-view")].filter({READY}).length')
    assert 1 <= loaded <= 6, loaded
    assert page.evaluate('document.querySelectorAll("teemap-view").length') == 20
    assert set(one for one in Counting.asked if one.startswith('maps/')) <= {'maps/entities.map', 'maps/tiles.map'}, Counting.asked


def pixels_are_those_of_the_command_line(page, run, folder):
    for of, *words in (('src="maps/entities.map"></', '--view', 'best'), ('src="maps/entities.map" entities=""', '--view', 'best', '--entities'),
                       ('src="maps/tiles.map" layers="design@40"', '--view', 'best', '--layers', 'design@40', '--entities'),
                       ('src="maps/moving.map" time="2500"', '--view', 'best', '--time', '2500'), ('src="maps/parallax.map" view="40,10"', '--view', '40,10')):
        see(page, view(of))
        width, height = page.evaluate('((c) => [c.width, c.height])(%s.shadowRoot.querySelector("canvas"))' % view(of))
        source = of.split('"')[1].split('/')[1]
        run('render', '--sheet', 'own', '--missing', 'client', '--size', f'{width}x{height}', '--background', '000000', *words, '-o', 'native.png', '--force', os.path.join(MAPS, source))
        png = base64.b64encode((folder / 'native.png').read_bytes()).decode()
        other = page.evaluate(f'{SAME}({view(of)}, "{png}")')
        assert other == 0, (of, other)


def keys_wheel_and_touch(page):
    page.evaluate('scrollTo(0, 0)')
    ready(page, FIRST)
    x, y = page.evaluate(f'(() => {{ const r = {FIRST}.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()')
    page.wheel(x, y, 60)
    page.wait('scrollY > 30')  # the page scrolls, the map stays
    before = page.evaluate(f'{FIRST}.camera')
    page.evaluate('scrollTo(0, 0)')
    page.wait('scrollY === 0')
    ready(page, FIRST)
    page.evaluate(f'{FIRST}.shadowRoot.querySelector("canvas").focus()')
    assert page.evaluate(f'{FIRST}.camera') == before
    page.wheel(x, y, -100)
    page.wait(f'{FIRST}.camera.zoom < {before["zoom"]} * .9')
    for key, holds in (('ArrowRight', '.x > {x}'), ('ArrowDown', '.y > {y}'), ('-', '.zoom > {zoom}'), ('0', '.zoom > {zoom}')):
        ready(page, FIRST)
        now = page.evaluate(f'{FIRST}.camera')
        page.key(key)
        page.wait(f'{FIRST}.camera' + holds.format(**now))
    ready(page, FIRST)
    assert page.evaluate(f'[{FIRST}.camera.x, {FIRST}.camera.y]') == [25, 25], 'all of the map'
    page.drag(x, y, 60, 0)
    page.wait(f'{FIRST}.camera.x < 24')
    ready(page, FIRST)
    zoom = page.evaluate(f'{FIRST}.camera.zoom')
    page.touch('Start', (x - 20, y), (x + 20, y))
    for i in range(1, 6):
        page.touch('Move', (x - 20 - 10 * i, y), (x + 20 + 10 * i, y))
    page.touch('End')
    page.wait(f'{FIRST}.camera.zoom < {zoom} * .6')


def motion_plays_and_pauses(page):
    moving = view('src="maps/moving.map" motion')
    see(page, moving)
    page.wait(f'(window.sums ??= new Set()).add({SUM}({moving})).size > 3')
    page.evaluate(f'{moving}.shadowRoot.querySelector("button").click()')
    time.sleep(.3)
    still = page.evaluate(f'{SUM}({moving})')
    time.sleep(.3)
    assert page.evaluate(f'{SUM}({moving})') == still
    assert page.evaluate(f'{moving}.shadowRoot.querySelector("button").textContent') == 'Play'
    page.evaluate(f'{moving}.shadowRoot.querySelector("canvas").focus()')
    page.key(' ')
    page.wait(f'{SUM}({moving}) !== {still}')


def in_the_worker(page, expression):
    sessions, on_event = [], page.on_event
    page.on_event = lambda method, params: sessions.append(params['sessionId']) if method == 'Target.attachedToTarget' else on_event(method, params)
    page.call('Target.setAutoAttach', autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
    kept, page.session = page.session, sessions[0]
    try:
        return page.evaluate(expression)
    finally:
        page.session = kept
        page.call('Target.setAutoAttach', autoAttach=False, waitForDebuggerOnStart=False, flatten=True)
        page.on_event = on_event


def memory_stays(page):
    """Bytes of the module while all twenty are seen, again and again."""
    there = page.evaluate('[...document.querySelectorAll("teemap-view")].flatMap((one, i) => (one.getAttribute("src").includes("nowhere") ? [] : [i]))')
    sizes = []
    for _ in range(3):
        for i in there:
            see(page, f'document.querySelectorAll("teemap-view")[{i}]')
        sizes.append(in_the_worker(page, SIZE))
    print('bytes of the module while twenty views are scrolled through, three times:', sizes)
    assert 0 < max(sizes) <= sizes[0] * 1.1, sizes


def all_is_given_back(page):
    if web.DRIVER is not web.browser:
        return
    until = time.monotonic() + 20
    while size := in_the_worker(page, SIZE):
        assert time.monotonic() < until, f'{size} bytes stay'


def what_leaves_gives_its_memory_back(page):
    """The worker holds no maps but those of views that are near."""
    assert page.evaluate(f'{FIRST}.camera && !{FIRST}._id'), 'out of sight'
    assert page.evaluate('told.open - told.close') < 6 < page.evaluate('told.open')
    page.evaluate('window.gone = [...document.querySelectorAll("figure")].map((one) => { one.remove(); return one; }); 0')
    page.wait('told.open === told.close')
    all_is_given_back(page)
    # One that left while its map was on its way left a module behind.
    page.evaluate('window.whenOpened = () => { whenOpened = null; gone[1].remove(); }; document.querySelector("main").append(gone[1]); 0')
    page.wait('told.open === told.close && !whenOpened')
    time.sleep(3)
    all_is_given_back(page)
    page.evaluate('document.querySelector("main").append(gone[0]); 0')
    ready(page, FIRST)
    page.evaluate(f'{FIRST}.setAttribute("src", "maps/quads.map")')
    page.wait(f'{FIRST}._loaded && {FIRST}.shadowRoot.querySelector("canvas").ariaLabel.startsWith("Map quads.")')
    ready(page, FIRST)


def faults_are_told(page):
    for source, words in (('maps/nowhere.map', '404'), ('views.css', 'not a map file'), ('made/nothing.map', 'has no layers'), ('maps/nowhere.map', '404')):
        page.evaluate(f'window.fault = ""; {FIRST}.onerror = ({{ message }}) => {{ fault = message; }}; {FIRST}.setAttribute("src", "{source}")')
        page.wait('fault !== ""')
        assert words in page.evaluate('fault') and page.evaluate(f'{FIRST}.shadowRoot.querySelector("p").textContent === fault'), page.evaluate('fault')
    page.evaluate(f'{FIRST}.setAttribute("src", "maps/tiles.map")')
    ready(page, FIRST)
    assert page.evaluate(f'{FIRST}.shadowRoot.querySelector("p").textContent') == ''


def no_motion_for_who_wants_none(page, base):
    page.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-reduced-motion', 'value': 'reduce'}])
    page.open(base + 'views.html')
    moving = view('src="maps/moving.map" motion')
    see(page, moving)
    assert page.evaluate(f'{moving}.shadowRoot.querySelector("button").textContent') == 'Play'


def a_still_is_seen_first(page):
    """Until its map was there a view showed nothing."""
    page.evaluate(f'window.source = {FIRST}.getAttribute("src"); window.still = {FIRST}.cloneNode(true); still.removeAttribute("src"); {FIRST}.before(still)')
    page.wait('still.querySelector("img").complete && still.querySelector("img").clientWidth === still.clientWidth')
    page.evaluate('still.setAttribute("src", source)')
    ready(page, FIRST)
    assert page.evaluate('still.querySelector("img").clientWidth') == 0, 'the picture is there instead'


def pages_of_teemap_need_no_pictures(site, teemap):
    """The pages of `teemap gallery --live` and `teemap tiles --live`, under their own policies."""
    with tempfile.TemporaryDirectory(prefix='teemap-live-') as place:
        subprocess.run([teemap, 'gallery', '-q', '--live', 'js/view.js', '-t', place, MAPS], check=True)
        assert len(list(pathlib.Path(place).rglob('*.png'))) == len(os.listdir(MAPS)) and not list(pathlib.Path(place).rglob('*.webp'))
        subprocess.run([teemap, 'tiles', '-q', '--live', '../js/view.js', '-t', os.path.join(place, 'moves'), os.path.join(MAPS, 'moving.map')], check=True)
        os.mkdir(os.path.join(place, 'js'))
        for path in [*pathlib.Path(site).glob('view.js'), *pathlib.Path(site).glob('viewer.*')]:
            shutil.copy(path, os.path.join(place, 'js'))
        exhibit = sorted(pathlib.Path(place, 'maps').glob('moving-*.html'))[0].name
        with web.served(place, teemap) as (_, _, base):
            page = web.DRIVER.Browser(900, 700)
            try:
                for path in ('/maps/' + exhibit, '/moves/index.html'):
                    page.open(base + path[1:])
                    ready(page, FIRST)
                    page.wait(f'(window.sums ??= new Set()).add({FIRST}.shadowRoot.querySelector("canvas").toDataURL()).size > 2')
                    page.evaluate(f'{FIRST}.shadowRoot.querySelector("canvas").focus()')
                    x = page.evaluate(f'{FIRST}.camera.x')
                    page.key('ArrowRight')
                    page.wait(f'{FIRST}.camera.x > {x}')
                    assert page.evaluate('location.pathname') == path, 'the key is not one for the next map'
                    if path.startswith('/maps'):
                        a_still_is_seen_first(page)
                assert page.evaluate(f'{FIRST}.clientHeight === innerHeight && {FIRST}.clientWidth === innerWidth'), 'the view fills the page'
                assert not page.failures, page.failures
            finally:
                page.close()


def main(site, teemap, picture, axe):
    web.Handler = Counting
    with web.served(site, teemap, 'made') as (folder, run, base):
        run('edit', 'made.map', '-o', 'made/nothing.map', 'remove', '0', '1', status=1)
        page = web.DRIVER.Browser(900, 700)
        try:
            page.first(BEFORE)
            page.open(base + 'views.html')
            what_is_in_sight_is_loaded(page)
            page.screenshot(picture)
            text = web.DRIVER is web.browser and web_axe.fetch(axe)
            if text:
                page.evaluate(text + '; 0')
                found = page.evaluate('axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html)))')
                assert not found, found
            pixels_are_those_of_the_command_line(page, run, folder)
            motion_plays_and_pauses(page)
            keys_wheel_and_touch(page)
            page.evaluate('scrollTo(0, document.body.scrollHeight)')
            page.wait(f'{view("src=" + chr(34) + "maps/nowhere.map")}.shadowRoot.querySelector("p").textContent.includes("404")')
            if web.DRIVER is web.browser:
                memory_stays(page)
            what_leaves_gives_its_memory_back(page)
            faults_are_told(page)
            assert [Counting.asked.count(name) for name in ('viewer.js', 'viewer.simd.wasm', 'viewer.wasm')] == [1, 1, 0], Counting.asked
            failures = [one for one in page.failures if '404' not in one]
            assert not failures, failures
            if web.DRIVER is web.browser:
                no_motion_for_who_wants_none(page, base)
        finally:
            page.close()
    pages_of_teemap_need_no_pictures(site, teemap)
    print('views load what is in sight, move, play, and give back')


if __name__ == '__main__':
    web.skip_without_browser()
    main(*map(os.path.abspath, sys.argv[1:]))
