#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Looking at maps in the page of web/: a link opens a map and a view of it, and the address keeps them; layers alone and entities; places
with jumps; motion; the grid; pictures that are saved, equal to those of the command line.

    web_look.py SITE TEEMAP PICTURE"""
import contextlib
import os
import re
import shutil
import struct
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web

MAP = 'maps/my map #1.map'
URL = urllib.parse.quote(MAP)  # which is escaped once more in a link
PANNED = ['infc_half_provence', 'Tutorial-', 'dm_desert_sundown', 'ctf_infiltrate', 'dm6']  # maps with many groups that move in different ways
PRESS = '''(() => { halt = performance.now(); document.querySelector("#picture").focus();
    for (const key of %s) document.querySelector("#picture").dispatchEvent(new KeyboardEvent("keydown", { key })); halt = 0; })()'''


def link(base, **words):
    return base + 'index.html#' + '&'.join(f'{name}={urllib.parse.quote(str(value))}' for name, value in words.items())


def address(page):
    return dict(urllib.parse.parse_qsl(page.ask('location.hash.slice(1)')))


def saved_equals_native(page, run, *words):
    """The same of the changed map, as Download gives it."""
    page.click('#save')
    page.folder.joinpath('now.map').write_bytes(page.download(os.path.basename(MAP)))
    page.equals_native(run, 'now.map', *words)


def a_link_opens_a_view(page, run, base):
    page.browser.open(link(base, map=URL, view='30,20,16', layers='0/0,1/0', entities=1, time=500))
    page.status('my map #1.map: a map of ddnet, 60 x 40 tiles.')
    page.of_this_size()
    page.equals_native(run, MAP, '--region', '10,10,40,20', '--scale', '16', '--layers', '0/0', '--entities=game', '--time', '500')
    shown = page.ask('[...document.querySelectorAll("#layers input[data-kind]")].filter((one) => one.checked).map((one) => one.value).join()')
    assert shown == '0/0,1/0', shown
    assert page.ask('document.querySelector("#entities").checked && document.querySelector("#time").value === "500"')
    page.ask('document.querySelector("#picture").focus()')
    page.browser.key('+')
    page.wait('location.hash.includes("view=30,20,24")')
    now = address(page)
    assert now == {'map': URL, 'view': '30,20,24', 'layers': '0/0,1/0', 'entities': '1', 'time': '500'}, now
    before = page.pixels()
    page.browser.leave('location.reload()')
    time.sleep(.3)
    page.status('my map #1.map: a map of')
    page.of_this_size()
    time.sleep(.5)
    assert address(page) == now
    assert page.changed([None]) == before, 'the same view again'


def a_folder_of_the_game_is_remembered(page, run, base):
    page.folder.joinpath('game/data/mapres').mkdir(parents=True)
    run('cat', 'made.map', 'image/own', '-o', 'game/data/mapres/grass_main.png')
    page.folder.joinpath('game/data/logo.png').write_bytes(page.folder.joinpath('game/data/mapres/grass_main.png').read_bytes())
    run('edit', 'made.map', '-o', 'names.map', 'fill', '0/0', '5', '+', 'set', '0/0.color_envelope=none', '0/0.color=#ffffffff', '0.use_clipping=false')
    page.choose('names.map')
    page.status('It uses images of the game that are not here: grass_main.')
    before = page.pixels()
    page.choose('game' if web.DRIVER is web.browser else 'game/data/mapres', into='#game-folder')
    page.status('1 image of the game: remembered in this browser.')
    page.changed(before)
    for _ in range(2):
        page.browser.open(base + 'index.html')
        page.status('Nothing is uploaded')
        page.choose('names.map')
        page.status('60 x 40 tiles.')
        assert 'not here' not in page.text('#status'), page.text('#status')


def maps_and_folders_are_dropped(page, run):
    """A map alone, the folder of the game on a map that lacks its images, two maps to be compared."""
    page.folder.joinpath('other/data/mapres').mkdir(parents=True)
    run('cat', 'made.map', 'image/own', '-o', 'other/data/mapres/castle.png')
    run('edit', 'names.map', '-o', 'castle.map', 'rename', 'image/grass_main', 'castle')
    page.drop('castle.map')
    page.status('castle.map: a map of ddnet, 60 x 40 tiles. It uses images of the game that are not here: castle.')
    before = page.pixels()
    page.drop('other')
    page.status('1 image of the game: remembered in this browser.')
    page.changed(before)
    page.wait('document.querySelector("#status").textContent.includes("remembered in this browser.") && !document.querySelector("#status").textContent.includes("missing")')
    page.drop('castle.map', 'names.map')
    page.status('castle.map differs from names.map in 1 way')


def a_site_has_the_images(page, run, base, site):
    """<html data-mapres>: what a map names is asked for there."""
    place = page.folder / 'maps' / 'site'
    shutil.copytree(site, place)
    index = place / 'index.html'
    words = index.read_text(encoding='utf-8')
    index.write_text(words.replace('<html lang="en"', '<html lang="en" data-mapres="images/"', 1), encoding='utf-8')
    (place / 'images').mkdir()
    run('edit', 'names.map', '-o', 'tower.map', 'rename', 'image/grass_main', 'tower')
    page.browser.open(base + 'maps/site/index.html')
    page.status('Nothing is uploaded')
    page.choose('tower.map')
    page.status('It uses images of the game that are not here: tower.')
    before = page.pixels()
    run('cat', 'made.map', 'image/own', '-o', 'maps/site/images/tower.png')
    page.choose('tower.map')
    page.changed(before)
    page.status('tower.map: a map of ddnet, 60 x 40 tiles.')
    assert 'not here' not in page.text('#status'), page.text('#status')
    page.browser.failures.clear()  # of the image that was not there


def coarse_until_sharp(page, base):
    """While it moves a picture that takes long is drawn coarser, and sharp when it rests. Here the clock says that each takes long."""
    page.browser.open(base + 'index.html')
    page.status('Nothing is uploaded')
    page.ask('''(() => { const now = performance.now.bind(performance), { drawImage } = CanvasRenderingContext2D.prototype;
        window.slow = 1; window.widths = []; window.halt = 0; performance.now = () => halt || now() * slow;
        CanvasRenderingContext2D.prototype.drawImage = function (image, ...at) {
            if (this.canvas.id === "picture") widths.push(image.width / this.canvas.width);
            drawImage.call(this, image, ...at);
        }; })()''')
    page.choose('names.map')
    page.status('names.map: a map of ddnet')
    sharp = page.pixels()
    for slow in (1000, 1000):  # the second time it is known that it takes long
        page.ask('slow = %d; widths.length = 0;' % slow + PRESS % '["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]')
        time.sleep(.1)
        assert page.pixels() == sharp, 'where it was'
    widths = page.ask('widths')
    assert min(widths) < .3 and widths[-1] == 1, widths


def real_maps_are_panned(page, run):
    """Strips and what is reused of the picture before leave no seams, however groups move. The clock is still slow: pictures are coarse until it rests."""
    found = [sorted(web.SHARED.glob(f'corpus/*/{name}*.map')) for name in PANNED]
    if not all(found):
        print('skipped: panning real maps, which are not in', web.SHARED / 'corpus')
        return
    for path, *_ in found:
        run('embed', path, '-o', path.name, status=None)
        page.choose(path.name)
        page.status(path.name + ': a map of')
        page.of_this_size()
        page.ask('widths.length = 0, location.hash = "view=40,20,16"')
        page.equals_native(run, path.name, '--region', '20,10,40,20', '--scale', '16', '--missing', 'client')
        page.ask(PRESS % '["ArrowRight", "ArrowDown", "ArrowRight"]')
        x, y = page.ask('(({ x, y }) => [Math.round(x), Math.round(y)])(document.querySelector("#picture").getBoundingClientRect())')
        page.browser.drag(x + 300, y + 150, -68, 44)  # in four steps of whole pixels
        page.equals_native(run, path.name, '--region', f'{30 + 68 / 16},{15 - 44 / 16},40,20', '--scale', '16', '--missing', 'client')
        assert page.pixels()[1] > 50, 'there is something that could move'
        assert min(page.ask('widths')) < .6, 'it was coarser meanwhile'


def links_that_lead_nowhere_are_told(page, base):
    failures = page.browser.failures
    for there, words in (('maps/none.map', base + 'maps/none.map cannot be fetched: the server says 404'),
                         ('https://localhost:1/x.map', 'https://localhost:1/x.map cannot be fetched: there is no such server, or it lets only its own pages read its files.')):
        page.ask('location.hash = "map=%s"' % there)
        page.status(words)
    assert failures, 'the browser tells of both, too'
    failures.clear()
    page.browser.requests[:] = [one for one in page.browser.requests if one != 'https://localhost:1/x.map']


class Halting(web.Handler):
    """Sends half of halting.map, and the rest never."""

    def do_GET(self):
        if self.path != '/maps/halting.map':
            return super().do_GET()
        content = bytes(200000)
        self.send_response(200)
        self.send_header('Content-Length', len(content))
        self.end_headers()
        self.wfile.write(content[:100000])
        self.wfile.flush()
        try:
            Halting.over.wait(60)
        except OSError:
            pass
        return None


def fetching_is_shown_and_stopped(page, base):
    """A map that came slowly showed nothing, and could not be stopped."""
    before = page.ask('document.title + document.querySelector("#layers").textContent')
    page.ask('location.hash = "map=maps/halting.map"')
    page.wait('!document.querySelector("#busy").hidden && document.querySelector("#busy-words").textContent.startsWith("Fetching")')
    page.wait('document.querySelector("#progress").value === 0.5')
    page.click('#stop')
    page.status('Stopped: ' + base + 'maps/halting.map is not fetched.')
    page.wait('document.querySelector("#busy").hidden')
    assert page.ask('document.title + document.querySelector("#layers").textContent') == before, 'the map is still there'
    page.ask('location.hash = "map=maps/halting.map&view=1,1,1"')
    page.wait('document.querySelector("#progress").value === 0.5')
    page.choose('made.map')
    page.status('made.map: a map of ddnet, 60 x 40 tiles.')
    page.wait('document.querySelector("#busy").hidden')
    Halting.over.set()
    assert not page.browser.failures, page.browser.failures


def all_workers_do_the_steps(page, run):
    view = ('--region', '10,10,40,20', '--scale', '16', '--layers', '0/0', '--entities=game', '--time', '500')
    page.ask('document.querySelector("#picture").focus()')
    for key in '0-+++':
        page.browser.key(key)
    page.ask('location.hash = "%s"' % link('', map=URL, view='30,20,16', layers='0/0,1/0', entities=1, time=500).split('#')[1])
    page.equals_native(run, MAP, *view)
    page.put('#layer', '0/0')
    page.put('#tile-text', '90')
    for selection in ('15,12+6x3', '18,14+9x9'):
        page.put('#selection', selection)
        page.click('#fill')
        page.status(selection)
    saved_equals_native(page, run, *view)
    page.put('#layer', '1/0')
    page.put('#selection', '0,0+9x9')
    page.click('#copy')
    page.status('Copied: 0,0+9x9')
    page.put('#selection', '12,11+1x1')
    page.click('#paste')
    page.status('paste copied.map')
    saved_equals_native(page, run, *view)
    for number in (1, 2, 3):
        page.click('#undo')
        page.wait('document.querySelectorAll("#steps .undone").length === %d' % number)
    page.click('#save')
    page.download(os.path.basename(MAP))
    page.equals_native(run, MAP, *view)


def layers_are_shown_alone(page, run):
    page.ask('document.querySelector("#picture").focus()')
    page.browser.key('0')
    page.click('#all-layers')
    listed = page.ask('[...document.querySelectorAll("#layers input")].map((one) => one.value)')
    drawn = [address for address in run('ls', '--addresses', MAP).decode().split() if re.fullmatch('[0-9]+(/[0-9]+)?', address)]
    assert listed == [address for address in drawn if address != '0/2'], 'from back to front, without the layer of sounds'
    everything = page.pixels()
    page.click('#layers [data-alone="0/0"]')
    one = page.changed(everything)
    assert page.ask('document.activeElement.dataset.alone') == '0/0', 'the focus stays'
    assert page.ask('[...document.querySelectorAll("#layers input:checked[data-kind]")].map((one) => one.value).join()') == '0/0'
    page.click('#layers [data-alone="0/0"]')
    assert page.changed(one) == everything, 'all of them again'
    page.click('#layers input[value="0"]')
    page.changed(everything)
    assert page.ask('!document.querySelector("#layers input[value=\'0/1\']").checked'), 'a group with all its layers'
    page.put('#selection', '1,1+1x1')
    page.put('#tile-text', 'solid')
    page.click('#fill')
    page.status('Done: teemap edit')
    assert page.ask('!document.querySelector("#layers input[value=\'0/1\']").checked'), 'what is hidden stays so when the map changes'
    page.click('#undo')
    page.click('#all-layers')
    assert page.changed([None]) == everything


def places_are_gone_to(page):
    page.wait('document.querySelectorAll("#places details").length >= 4')
    told = page.ask('[...document.querySelectorAll("#places summary")].map((one) => one.textContent)')
    assert told == ['Spawns (8)', 'Start and finish (2)', 'Teleporters (4)', 'Checkpoints of teleporters (1)', 'Switches (1)'], told
    for words, *ends in (('start', '15.5,31'), ('finish', '55.5,32'), ('tele-in', '11.5,11'), ('tele-out', '50.5,20.5'), ('tele-out (2)', '40.5,5.5', '45.5,7.5')):
        for end in ends:
            page.ask('[...document.querySelectorAll("#places button")].find((one) => one.textContent === "%s").click()' % words)
            page.wait('location.hash.includes("view=%s,")' % end)
            assert frames(page) > 100, 'framed'
    page.put('#find', 'spawn')
    page.click('#find-form button')
    page.status('spawn: 8 places.')
    page.click('#found button')
    page.wait('location.hash.includes("view=2.5,38.5,")')
    page.ask('document.querySelector("#picture").focus()')
    page.browser.key('+')
    page.wait('document.querySelector("#tile").textContent.startsWith("2,38: spawn for everybody (game)")')
    page.put('#find', 'tele-in:x')
    page.click('#find-form button')
    page.status("'x'")


def frames(page):
    return page.ask('''(() => { const d = READ("#marks"); let orange = 0; for (let i = 0; i < d.length; i += 4) orange += d[i] === 249 && d[i + 1] === 115 && d[i + 2] === 22; return orange; })()'''.replace('READ', web.READ))


def it_moves_and_stands(page):
    page.browser.key('0')
    page.put('#time', '0')
    still = page.pixels()
    page.click('#play')
    page.wait('document.querySelector("#play").textContent === "Stop motion"')
    time.sleep(.4)
    page.click('#play')
    assert page.changed(still)
    assert page.ask('Number(document.querySelector("#time").value)') >= 300
    page.wait('/time=[1-9]/.test(location.hash)')
    page.put('#time', '0')
    assert page.changed([None]) == still, 'at 0 it looks as before'


def grid_and_pictures(page, run):
    marks = web.READ + '("#marks").subarray(0, 4000).some((one) => one)'
    assert not page.ask(marks)
    page.click('#grid')
    page.wait(marks)
    web.picture(page)
    page.click('#save-picture')
    saved = page.download(os.path.basename(MAP).replace('.map', '.png'))
    assert saved.startswith(b'\x89PNG') and struct.unpack('>II', saved[16:24]) == (web.WIDTH, web.HEIGHT), saved[:24]
    page.click('#copy-picture')
    page.status('The picture is copied.')
    if web.DRIVER is web.browser:  # Firefox without a window keeps text alone
        assert page.ask('navigator.clipboard.read().then(([one]) => one.types.join())') == 'image/png'
    page.click('#copy-link')
    page.status('The link is copied: it opens this view.')
    assert page.ask('navigator.clipboard.readText().then((text) => text === location.href)')


def a_gallery_leads_here(page, run, base):
    run('gallery', '-q', '--no-animations', '--downloads', '--viewer', '../../index.html', 'maps', '-t', 'maps/gallery')
    page.browser.open(base + 'maps/gallery/index.html')
    page.wait('document.querySelectorAll("#list a").length === 1')
    page.click('#list a')
    page.wait('document.body.className === "one" && !document.querySelector("#viewer").parentElement.hidden')
    page.click('#viewer')
    page.wait('document.querySelector("#status") !== null')
    page.status('.map: a map of ddnet, 60 x 40 tiles.')
    assert address(page)['map'].startswith(base + 'maps/gallery/maps/my-map-1-'), address(page)


def main(site, teemap):
    web.Handler, Halting.over = Halting, threading.Event()
    with contextlib.ExitStack() as stack:
        folder, run, base = stack.enter_context(web.served(site, teemap, 'maps'))
        run('edit', 'made.map', '-o', MAP, 'fill', '0/0', '5', '+', 'set', '0/0.image=image/own', '+', 'fill', 'tele@50,20+1x1', 'tele-out:1',
            '+', 'fill', 'game@15,30+1x2', 'start', '+', 'fill', 'game@55,30+1x4', 'finish', '+', 'fill', 'tele@40,5+1x1', 'tele-out:7', '+', 'fill', 'tele@45,7+1x1', 'tele-out:7', '+', 'fill', 'tele@20,30+1x1', 'tele-checkpoint:1', '+', 'set', '0.use_clipping=false',
            'envelope/0.points[*].values[3]=1024', 'envelope/0.points[0].values[2]=1024')
        with web.Page(base + 'index.html', folder) as page:
            a_link_opens_a_view(page, run, base)
            all_workers_do_the_steps(page, run)
            layers_are_shown_alone(page, run)
            places_are_gone_to(page)
            it_moves_and_stands(page)
            grid_and_pictures(page, run)
            a_gallery_leads_here(page, run, base)
            a_folder_of_the_game_is_remembered(page, run, base)
            if web.DRIVER is web.browser:
                maps_and_folders_are_dropped(page, run)
            a_site_has_the_images(page, run, base, site)
            coarse_until_sharp(page, base)
            real_maps_are_panned(page, run)
            fetching_is_shown_and_stopped(page, base)
            links_that_lead_nowhere_are_told(page, base)
    print('maps are looked at in the page')


if __name__ == '__main__':
    web.start(main)
