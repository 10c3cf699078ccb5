#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The page of web/ in headless Chromium and Firefox, from a server under its own policy and as one file from the disk: maps are opened, moved,
zoomed, their layers switched, tiles told in words, findings shown, framed and fixed, the result downloaded; nothing else is asked of the network.

    web_page.py SITE ONE_FILE TEEMAP PICTURE

PICTURE is a screenshot to look at."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web

EVIL = '<b onclick'  # a name of a layer has 11 bytes


def looks_and_layers(page):
    page.choose('a.map')
    page.status('a.map: a map of ddnet, 60 x 40 tiles.')
    page.status('It uses images of the game that are not here: grass_main.')
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
    page.browser.wheel(300, 400, -200)
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
    def told(x, y):
        page.browser.mouse('Moved', *page.ask('''(() => { const c = document.querySelector("#picture"), r = c.getBoundingClientRect(), s = Math.min(r.width / 60, r.height / 40);
            return [r.left + (r.width - 60 * s) / 2 + %f * s, r.top + (r.height - 40 * s) / 2 + %f * s]; })()''' % (x, y)))
        page.wait('document.querySelector("#tile").textContent.startsWith("%d,%d: ")' % (x, y))
        return page.text('#tile')

    words = told(3.5, 3.5)
    assert 'freez' in words and '(game)' in words, words
    # Of the design nothing was told.
    assert told(22.5, 10.5) == f'22,10: air; tile 3 of grass_main (0/0 {EVIL})', page.text('#tile')
    assert told(20.5, 10.5) == f'20,10: air; tile 4 of grass_main, mirrored, turned right (0/0 {EVIL})', page.text('#tile')
    page.ask('document.querySelector("#layers input[data-kind=tiles]").click()')
    assert told(21.5, 10.5) == '21,10: air', 'what is hidden is not told'
    page.ask('document.querySelector("#layers input[data-kind=tiles]").click()')


def findings_are_framed_and_fixed(page, teemap):
    page.wait('document.querySelectorAll("#findings > li").length > 1')
    lint = json.loads(subprocess.run([teemap, 'lint', '--json', '--no-config', str(page.folder / 'a.map')], capture_output=True, check=False).stdout)['findings']
    shown = page.findings()
    assert all(any('[' + one['id'] + ']' in text for text in shown) for one in lint
               if not one['id'].startswith('rules-') and one['id'] != 'not-for-ddnet'), shown  # what is said of a file, not of a map
    severities = page.ask('[...document.querySelectorAll("#findings > li")].map((one) => one.querySelector("span").className)')
    assert len(set(severities)) > 1 and severities == sorted(severities, key=['error', 'warning', 'note'].index), severities
    # What physics layers do was not seen where findings are about it.
    page.ask('document.querySelector("#entities").click()')
    before = page.pixels()
    page.ask('document.querySelector("#findings .place").click()')
    assert page.ask('document.querySelector("#entities").checked')
    before = page.changed(before)
    # Of places that are far apart only the first one was shown.
    spawns = '[...document.querySelectorAll("#findings .place")].find((one) => one.textContent.includes("[spawn-on-ground]")).click()'
    for number in (1, 2):
        page.ask(spawns)
        page.status(f'Place {number} of 8.')
        before = page.changed(before)
    # Warnings about the file stood before what one can do something about.
    helps = page.ask('[...document.querySelectorAll("#findings > li")].filter((one) => one.querySelector(".warning")).map((one) => one.querySelector("p") !== null)')
    assert helps == sorted(helps, reverse=True) and len(set(helps)) > 1, helps
    assert any('[empty-group]' in text for text in shown), shown
    number = len(shown)
    page.ask('[...document.querySelectorAll("#findings > li")].find((one) => one.textContent.includes("[empty-group]")).querySelector("button:not(.place)").click()')
    page.status('Done: teemap edit ')
    page.wait('document.querySelectorAll("#findings > li").length < %d' % number)
    assert not any('[empty-group]' in text for text in page.findings())


def the_result_is_downloaded(page, teemap):
    page.ask('document.querySelector("#save").click()')
    path = page.folder / 'fixed.map'
    path.write_bytes(page.download('a.map'))
    told = json.loads(subprocess.run([teemap, 'lint', '--json', '--no-config', str(path)], capture_output=True, check=False).stdout)
    assert not any(one['id'] == 'empty-group' for one in told['findings']), told


def bad_files_are_told(page):
    page.choose('broken.map')
    page.status('broken.map')
    page.choose('none.map')
    page.wait('/empty|map/.test(document.querySelector("#status").textContent) && !document.querySelector("#status").textContent.includes("Opening")')
    page.choose('a.map', 'grass_main.png')
    page.status('60 x 40 tiles')
    page.wait('!document.querySelector("#status").textContent.includes("not here")')


def sources_run_as_they_are(site, teemap):
    """The modules of web/, with the package beside them, without make_site.py."""
    with tempfile.TemporaryDirectory(prefix='teemap-sources-') as place:
        for path in [*pathlib.Path(__file__).parents[2].glob('web/*.*'), *pathlib.Path(site, '..', 'package').glob('teemap.*')]:
            shutil.copy(path, place)
        with web.served(place, teemap) as (folder, _, base):
            page = web.Page(base + 'index.html', folder)
            try:
                page.choose('made.map')
                page.status('made.map: a map of ddnet')
                page.wait('document.querySelectorAll("#findings .place").length > 0')
                assert not page.browser.failures, page.browser.failures
            finally:
                page.browser.close()


def main(site, one_file, teemap, picture):
    with web.served(site, teemap) as (folder, run, base):
        run('edit', 'made.map', '-o', 'a.map', 'add', 'group', 'Nothing', '+', 'fill', 'game@3,3+4x4', 'freeze', '+', 'fill', '0/0@5,5+40x20', '3', '+', 'fill', '0/0@20,10+1x1', '4:flags=flip_x+rotate', '+', 'set', '0/0.color_envelope=none',
            '0.parallax.x=100', '0.parallax.y=100', '0.use_clipping=false', '+', 'rename', '0/0', EVIL)
        run('cat', 'a.map', 'image/own', '-o', 'grass_main.png')
        with (folder / 'a.map').open('ab') as file:
            file.write(b'more')
        (folder / 'broken.map').write_bytes((folder / 'a.map').read_bytes()[:900])
        (folder / 'none.map').write_bytes(b'')
        (folder / 'game').mkdir()
        shutil.copy(folder / 'grass_main.png', folder / 'game')
        for url in (base + 'index.html', pathlib.Path(one_file).resolve().as_uri()):
            page = web.Page(url, folder)
            try:
                moves_and_zooms(page, looks_and_layers(page))
                tiles_are_told(page)
                page.browser.screenshot(picture)
                findings_are_framed_and_fixed(page, teemap)
                the_result_is_downloaded(page, teemap)
                bad_files_are_told(page)
                if url.startswith('file:'):
                    page.choose('game', into='#game-folder')
                    page.status('1 image of the game: ' + ('here until the page is closed.' if web.DRIVER is web.browser else 'remembered in this browser.'))
                    page.choose('a.map')
                    page.status('a.map: a map of ddnet, 60 x 40 tiles.')
                    assert 'not here' not in page.text('#status'), page.text('#status')
                    page.ask('location.hash = "map=a.map"')
                    page.status('A page on a disk cannot fetch maps: download file://')
                assert not page.browser.failures, page.browser.failures
                assert all(asked.startswith((base, 'file:', 'data:', 'blob:', 'about:')) for asked in page.browser.requests), page.browser.requests
                assert len({asked for asked in page.browser.requests if asked.startswith('http')}) <= 6, page.browser.requests  # Firefox tells of each worker
            finally:
                page.browser.close()
    sources_run_as_they_are(site, teemap)
    print('the page does what it shows, from a server and from the disk')


if __name__ == '__main__':
    web.skip_without_browser()
    main(*map(os.path.abspath, sys.argv[1:5]))
