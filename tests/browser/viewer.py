#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The page that `teemap tiles` writes, in a real browser and from the file system.

    viewer.py TEEMAP LANDSCAPE.map PICTURE

Runs in an empty folder. What the page shows is compared with `teemap render`; keys, mouse, touch, switches and address are
tried; PICTURE is a screenshot to look at.
"""
import http.server
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'cli'), os.path.join(HERE, '..', 'support')]
import make_map
import pngfile
from browser import Browser, odd_name
from pyramid import read_page

TOOL = []
READY = 'document.documentElement.dataset.state === "ready"'


def teemap(*arguments):
    subprocess.run([*TOOL, *arguments], check=True, stdout=subprocess.DEVNULL)


def address(folder, fragment=''):
    return 'file://' + urllib.parse.quote(os.path.abspath(folder)) + '/index.html' + fragment


class Page:
    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def open(self, fragment):
        self.browser.open(address(self.folder, fragment))
        self.settle()

    def settle(self):
        time.sleep(.05)
        self.browser.wait(READY)

    def place(self):
        """x, y, zoom of the address, once it has been written."""
        self.settle()
        time.sleep(.3)
        return [float(v) for v in self.browser.evaluate('location.hash').lstrip('#').split('&')[0].split(',')]

    def text(self, selector):
        return self.browser.evaluate('document.querySelector(%r).textContent' % selector)

    def bare_picture(self):
        self.browser.evaluate('document.body.classList.add("bare")')
        self.settle()
        self.browser.screenshot('shown.png')
        self.browser.evaluate('document.body.classList.remove("bare")')
        return pngfile.read('shown.png')


def near(a, b, far=.02):
    return abs(a - b) <= far


def distance(shown, drawn):
    """The largest difference of a channel, and the mean."""
    assert shown[:2] == drawn[:2], (shown[:2], drawn[:2])
    differences = [abs(a - b) for a, b in zip(shown[2], drawn[2])]
    return max(differences), sum(differences) / len(differences)


def is_like(page, path, camera, most, mean=None):
    teemap('render', path, '-q', *camera, '-o', 'drawn.png')
    shown, drawn = page.bare_picture(), pngfile.read('drawn.png')
    assert len(set(drawn[2])) > 20, 'nothing to compare'
    far, middle = distance(shown, drawn)
    print('  %s: at most %d, mean %.4f' % (' '.join(camera), far, middle))
    assert far <= most and (mean is None or middle <= mean), (far, middle)


def region(x, y, width, height, scale):
    """The camera that shows what the page shows around a point."""
    w, h = width / scale, height / scale
    return ['--flat', '--region', '%r,%r,%r,%r' % (x - w / 2, y - h / 2, w, h), '--scale', repr(scale)]


def shows_what_render_draws(browser, path):
    page = Page(browser, 'land')
    page.open('#50,22,32&flat')
    is_like(page, path, region(50, 22, 800, 600, 32), 2)
    page.open('#2,40,16&flat')  # a corner, and what is beyond it
    is_like(page, path, region(2, 40, 800, 600, 16), 2)
    page.open('#50,22,8&flat')
    is_like(page, path, region(50, 22, 800, 600, 8), 2)
    # One pixel of the world is a pixel of such a window, and all groups stand on whole ones.
    browser.resize(1500, 700)
    page.open('#50,20,32')
    is_like(page, path, ['--view', '50,20', '--size', '1500x700'], 2)
    page.open('#50,20,16')
    is_like(page, path, ['--view', '50,20', '--zoom', '2', '--size', '1500x700'], 255, 3)
    browser.resize(800, 600)


def shows_webp(browser, path):
    if subprocess.run([*TOOL, 'tiles', '-q', path, '-t', 'webp', '--format', 'webp'], stderr=subprocess.DEVNULL).returncode:
        print('  no WebP')
        return
    page = Page(browser, 'webp')
    page.open('#50,22,32&flat')
    is_like(page, path, region(50, 22, 800, 600, 32), 2)
    assert any(url.endswith('.webp') for url in browser.requests)


def coarse_tiles_come_first(browser):
    """Until the tiles of the view were there, the page was black."""
    Page(browser, 'clip').open('#8,8,32')
    before = len(browser.requests)
    Page(browser, 'land').open('#50,22,32')
    levels = [int(found[1]) for found in (re.search(r'/tiles/[^/]+/(\d+)/', url) for url in browser.requests[before:]) if found]
    assert levels and levels[0] < max(levels), levels


def clips_as_render_does(browser):
    page = Page(browser, 'clip')
    page.open('#8,8,32&flat')
    is_like(page, 'clip.map', region(8, 8, 800, 600, 32), 2)
    page.open('#8,8,16&flat')
    is_like(page, 'clip.map', region(8, 8, 800, 600, 16), 2)


def keys_and_mouse_move(browser):
    page = Page(browser, 'land')
    page.open('#50,22,32')
    browser.key('ArrowRight')
    x, y, zoom = page.place()
    assert near(x, 53) and near(y, 22) and zoom == 32, (x, y, zoom)
    browser.key('ArrowUp')
    browser.key('ArrowUp')
    x, y, zoom = page.place()
    assert near(x, 53) and near(y, 16), (x, y)
    browser.key('+')
    assert near(page.place()[2], 64)
    browser.key('-')
    browser.key('-')
    assert near(page.place()[2], 16)
    # The whole map in the whole window: beside the open panel there was a black bar.
    browser.key('f')
    x, y, zoom = page.place()
    assert near(zoom, min(800 / 102, 600 / 46)) and near(x, 50) and near(y, 22), (x, y, zoom)
    browser.key('l')
    browser.key('f')
    x, y, zoom = page.place()
    assert near(x, 50) and near(y, 22) and near(zoom, min(800 / 102, 600 / 46)), (x, y, zoom)
    browser.key('l')

    page.open('#50,22,32')
    browser.drag(400, 300, 64, -32)
    x, y, zoom = page.place()
    assert near(x, 48) and near(y, 23) and zoom == 32, (x, y, zoom)
    browser.mouse('Moved', 400 + 64, 300)  # 2 tiles right of the centre
    page.settle()
    assert page.text('#where').split() == ['x50.0', 'y23.0'], page.text('#where')
    browser.mouse('Wheel', 464, 300, deltaX=0, deltaY=-240)
    x, y, zoom = page.place()
    assert near(zoom, 64) and near(x, 50 - 64 / 64) and near(y, 23), (x, y, zoom)
    assert page.text('#where').split() == ['x50.0', 'y23.0'], 'the pointer stays where it is'
    for kind in ('Pressed', 'Released'):
        browser.mouse(kind, 400, 300, button='left', clickCount=1)
    for kind in ('Pressed', 'Released'):
        browser.mouse(kind, 400, 300, button='left', clickCount=2)
    assert near(page.place()[2], 128)


def beyond_is_told(browser):
    page = Page(browser, 'land')
    hidden = 'document.querySelector("#beyond").hidden'
    page.open('#0,22,32')
    browser.mouse('Moved', 420, 300)
    page.settle()
    assert browser.evaluate(hidden) is True
    browser.mouse('Moved', 380, 300)
    page.settle()
    assert browser.evaluate(hidden) is False and '\u22120.6' in page.text('#where'), page.text('#where')


def addresses_lead_back(browser):
    page = Page(browser, 'land')
    page.open('#33.25,20.5,48&flat&grid&hide=0.3')
    assert browser.evaluate('[...document.querySelectorAll("#design input")].map(box => +box.checked).join("")') == '01101'
    browser.key('ArrowDown')
    page.place()
    there = browser.evaluate('location.hash')
    assert re.fullmatch(r'#33\.25,22\.5,48&flat&grid&hide=0\.3', there), there
    browser.evaluate('location.hash = "#10,10,32"')
    x, y, zoom = page.place()
    assert (x, y, zoom) == (10, 10, 32), (x, y, zoom)
    for nonsense in ('#x,y,z', '#1,2', '#1,2,-3', '#NaN,1,1', '#&hide=99.-&show=<b>', '#1e300,1e300,1e300', '#%'):
        page.open(nonsense)
        browser.mouse('Moved', 400, 300)
        page.settle()
        x, y = [float(value) for value in re.findall(r'[-\d.]+', page.text('#where').replace('\u2212', '-'))]
        assert -24 <= x <= 124 and -17 <= y <= 61, (nonsense, x, y)


def switches_change_the_picture(browser, path):
    page = Page(browser, 'land')
    page.open('#50,22,32&flat')
    before = page.bare_picture()
    browser.evaluate('document.querySelector("#design input[value=\'4\']").click()')
    without = page.bare_picture()
    assert without != before
    page.place()
    assert browser.evaluate('location.hash') == '#50,22,32&flat&hide=4'
    is_like(page, path, [*region(50, 22, 800, 600, 32), '--layers', '0,1,2,3'], 2)
    browser.evaluate('document.querySelector("#none").click()')
    assert len(set(page.bare_picture()[2])) == 2, 'nothing but black'
    browser.evaluate('document.querySelector("#all").click()')
    assert page.bare_picture() == before


def labels_are_there(browser):
    page = Page(browser, 'land')
    page.open('')
    unnamed = browser.evaluate('[...document.querySelectorAll("button, input, canvas")].filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || '
                               'e.closest("label"))).map(e => e.outerHTML).join()')
    assert unnamed == '', unnamed
    gaps = browser.evaluate('[...document.querySelectorAll("#panel fieldset:not([hidden])")].map(e => e.querySelector("legend").getBoundingClientRect().top - e.previousElementSibling.getBoundingClientRect().bottom)')
    assert len(gaps) >= 3 and min(gaps[1:]) >= 10, gaps  # headings stuck to the rows above
    assert page.text('#name') == 'land' and 'teemap' in page.text('#by') and '100 \u00d7 44' in page.text('#notes')
    assert browser.evaluate('document.title') == 'land'
    browser.key('?')
    assert browser.evaluate('document.querySelector("#keys").open') is True
    browser.key('Escape')
    browser.evaluate('document.querySelector("#keys").close()')


def phones_work(browser, path):
    page = Page(browser, 'land')
    browser.resize(390, 844, 2, True)
    page.open('#50,22,16&flat')
    assert browser.evaluate('document.querySelector("#panel").hidden') is True, 'folded at first'
    is_like(page, path, region(50, 22, 780, 1688, 32), 2)  # sharp: twice the pixels
    browser.touch('Start', (195, 400))
    for i in range(1, 5):
        browser.touch('Move', (195 - 20 * i, 400))
    time.sleep(.15)
    browser.touch('End')
    x, y, zoom = page.place()
    assert near(x, 55, .1) and near(y, 22), (x, y)
    browser.touch('Start', (155, 400), (235, 400))
    for i in range(1, 9):
        browser.touch('Move', (155 - 10 * i, 400), (235 + 10 * i, 400))
    time.sleep(.15)
    browser.touch('End')
    assert near(page.place()[2], 48, 3), page.place()
    assert browser.evaluate('document.documentElement.scrollWidth') <= 390
    browser.resize(800, 600)


HOSTILE = b'</script>'
EVIL = b'</script><img src=x onerror="window.bad=1">\xe2\x80\xa8\xff\x01<!--<script>\'"\xe2\x80\xae'


def hostile_map():
    """A map whose texts try to leave their place; its groups have clips, of which the page does the first."""
    out = make_map.Writer()
    out.add(0, [1])
    out.add(1, [1, out.text(EVIL), out.text(EVIL), out.text(EVIL), out.text(EVIL), -1])
    make_map.WIDTH = make_map.HEIGHT = 16
    clips = [(1, 8, 12, 300, 170), (1, -40, 70, 700, 33), (0, 0, 0, 0, 0)]
    for number, clip in enumerate(clips):
        name = HOSTILE if number < 2 else b'Game'
        out.add(4, [3, 0, 0, (50, 100, 100)[number], 100, number * 2, 2, *clip] + make_map.name_ints(name, 3))
        make_map.tile_layer(out, 0, HOSTILE, bytes([number + 1, 0, 0, 0, 0, 0, 0, 0]) * 128)
        if number < 2:
            colors = [200, 30, 60 * number, 255, 20, 250, 30, 128, 30, 20, 250, 255, 200, 200, 10, 99]
            quad = [-99000, 1024, 600000, 5000, 3000, 400000, 600000, 500000, 0, 0] + colors + [0, 0, 1024, 0, 0, 1024, 1024, 1024] + [-1, 0, -1, 0]
            out.add(5, [0, 3, 0, 2, 1, out.block(make_map.struct.pack('<38i', *quad)), -1] + make_map.name_ints(HOSTILE, 3))
        else:
            make_map.tile_layer(out, 1, 'Game', bytes([1, 0, 0, 0]) * 256)
    return out.bytes()


def nothing_leaves_its_place(browser):
    name = odd_name(TOOL)
    with open(name, 'wb') as file:
        file.write(hostile_map())
    teemap('tiles', '-q', name, '-t', 'evil')
    text, data = read_page('evil')
    assert max(map(ord, text)) < 128, 'ASCII alone'
    assert text.count('</script>') == text.count('<script') == 3
    page = Page(browser, 'evil')
    page.open('')
    assert browser.evaluate('typeof window.bad') == 'undefined'
    assert browser.evaluate('document.querySelectorAll("img, b, body > script").length') == 2
    assert browser.evaluate('document.title') == page.text('#name') == name[:-len('.map')]
    assert page.text('#design bdi') == '</script>'
    assert page.text('#by').startswith('by </script><img src=x') and '?' in page.text('#by')


def missing_tiles_are_told(browser):
    """And with it that the other tests would see failures."""
    page = Page(browser, 'broken')
    teemap('tiles', '-q', 'clip.map', '-t', 'broken')
    data = read_page('broken')[1]
    os.remove(os.path.join('broken', 'tiles', data['parts'][0]['id'], str(data['levels'] - 1), '0_0.' + data['format']))
    browser.open(address('broken', '#4,4,32'))
    browser.wait('document.documentElement.dataset.state === "failed"')
    assert 'cannot be loaded' in page.text('#toast')
    assert browser.failures, 'failed requests are seen'
    browser.failures.clear()


def ask(browser, text):
    """Types into the box for places, and Enter."""
    browser.key('j')
    assert browser.evaluate('document.activeElement.id') == 'to'
    browser.evaluate('document.querySelector("#to").value = ""')
    for character in text:
        browser.key(character)
    assert browser.evaluate('document.querySelector("#to").value') == text
    again(browser)


def again(browser):
    browser.call('Input.dispatchKeyEvent', type='keyDown', key='Enter', code='Enter', windowsVirtualKeyCode=13, text='\r')
    browser.call('Input.dispatchKeyEvent', type='keyUp', key='Enter', code='Enter', windowsVirtualKeyCode=13)


def places_are_found(browser):
    page = Page(browser, 'tele')
    page.open('#50,22,16')
    for text, expected in (('20,30', (20.5, 30.5)), ('-3 7.5', (-2.5, 7.5)), ('(70, 5)', (70.5, 5.5)), ('tele-in 5', (11, 20.5)), ('tele 9', (30.5, 30.5)),
                           ('tele-out:5:2', (80.5, 30.5)), ('TELE-IN-EVIL', (30.5, 30.5))):
        ask(browser, text)
        for _ in range(10):  # the address is written a little later, on a busy machine much later
            x, y, _ = page.place()
            if near(x, expected[0]) and near(y, expected[1]):
                break
        assert near(x, expected[0]) and near(y, expected[1]), (text, x, y)
        browser.key('Escape')
        assert browser.evaluate('document.activeElement.id') == 'canvas'
    # Enter goes on, and comes round.
    ask(browser, 'tele-out 5')
    first = page.place()
    again(browser)
    second = page.place()
    again(browser)
    assert first[0] != second[0] and page.place() == first, (first, second)
    assert page.text('#toast') == 'tele-out 5, 1 of 2', page.text('#toast')
    ask(browser, 'spawn')
    assert page.text('#toast').startswith('spawn, 1 of ')
    ask(browser, '999999,5')
    assert 'outside the map' in page.text('#toast'), page.text('#toast')
    # An address, and several things of one name.
    ask(browser, '0')
    page.settle()
    assert 'No match' not in page.text('#toast'), page.text('#toast')
    ask(browser, 'tele')
    # The name of a layer shows it, one that was hidden, too.
    page.open('#50,22,16&hide=0')
    ask(browser, 'sky')
    page.settle()
    assert browser.evaluate('document.querySelector("#design input[value=\'0\']").checked') is True
    for nonsense in ('nobody', '1,', 'tele 77', 'tele-out:5:3', '<b>', ''):
        ask(browser, nonsense)
        page.settle()
        assert 'No match for' in page.text('#toast'), (nonsense, page.text('#toast'))
    browser.key('Escape')


def names_are_found(browser):
    """Layers by name and address before parts of names, all names of tiles, and all hits as a list.
    ('ground' led to a group 'zahnrad', 'Game/Ground' to nothing, 'solid' was unknown.)"""
    page = Page(browser, 'land')
    page.open('#50,22,16')
    hits = '[...document.querySelectorAll("#hits button")].map(e => e.textContent)'
    for text in ('hills', 'Game/Hills', '4/hills', '4/1'):  # by its number there was no match
        ask(browser, text)
        page.settle()
        assert page.text('#toast') == 'Hills, in Game', (text, page.text('#toast'))
    page.open('#2,2,64')  # where the middle of the group was shown at this zoom, whatever is there
    ask(browser, 'hills')
    page.settle()
    left, top, right, bottom = browser.evaluate('[0, 0, innerWidth, innerHeight]')
    x, y, zoom = page.place()
    assert zoom < 64 and x - right / zoom / 2 <= 0 and x + right / zoom / 2 >= 100, (x, y, zoom)
    ask(browser, 'solid')
    page.settle()
    assert page.text('#toast').startswith('solid'), page.text('#toast')
    ask(browser, 'cloud')  # five layers of a group have this name, and a part of the group's
    page.settle()
    found = browser.evaluate(hits)
    assert page.text('#toast').startswith('Cloud'), page.text('#toast')
    ask(browser, 'mount')
    page.settle()
    found = browser.evaluate(hits)
    assert found == ['Far/Mountains', 'Near/Mountains'], found
    browser.evaluate('document.querySelectorAll("#hits button")[1].click()')
    page.settle()
    assert page.text('#toast') == 'Mountains, in Near', page.text('#toast')
    ask(browser, 'quicksand')
    page.settle()
    assert page.text('#toast') == 'No match for "quicksand"' and browser.evaluate(hits) == []
    browser.key('Escape')


def teleporters_lead_on(browser):
    page = Page(browser, 'tele')

    def click(x, y):
        for kind in ('Pressed', 'Released'):
            browser.mouse(kind, x, y, button='left', clickCount=1)

    page.open('#10.5,20.5,16')
    browser.mouse('Moved', 400, 300)
    page.settle()
    assert page.text('#here') == 'tele-in 5' and browser.evaluate('document.querySelector("canvas").className') == 'follow'
    click(400, 300)
    x, y, _ = page.place()
    assert near(x, 60.5) and near(y, 10.5), (x, y)
    browser.evaluate('history.back()')  # which left the page
    page.settle()
    x, y, _ = page.place()
    assert near(x, 10.5) and near(y, 20.5), (x, y)
    page.open('#60.5,10.5,16')
    browser.mouse('Moved', 400, 300)
    click(400, 300)  # back to where it came from
    x, y, _ = page.place()
    assert near(x, 11) and near(y, 20.5), (x, y)
    page.open('#10.5,20.5,16')
    browser.drag(400, 300, 32, 0)  # that is no click
    assert near(page.place()[0], 8.5)
    page.open('#30.5,30.5,16')
    click(400, 300)
    assert page.text('#toast') == 'there is no tele-out 9', page.text('#toast')
    page.open('#40.5,30.5,16')
    browser.mouse('Moved', 400, 300)
    click(400, 300)
    page.settle()
    assert browser.evaluate('document.querySelector("#here").hidden') is True


def the_ruler_measures(browser):
    page = Page(browser, 'tele')
    page.open('#20.5,20.5,16')
    browser.mouse('Moved', 400, 300)
    page.settle()
    bare = page.bare_picture()
    browser.key('m')
    browser.mouse('Moved', 400 + 3 * 16, 300 + 4 * 16)
    page.settle()
    assert page.text('#measured') == '4 \u00d7 5 tiles, 5.0 straight', page.text('#measured')
    assert browser.evaluate('document.querySelector("#ruler").ariaPressed') == 'true'
    assert page.bare_picture() != bare
    browser.key('m')
    page.settle()
    assert browser.evaluate('document.querySelector("#measured").hidden') is True and '4 \u00d7 5' in page.text('#toast')
    # By touch or keys alone: to the middle of the window.
    browser.evaluate('document.querySelector("#ruler").click()')
    browser.key('ArrowRight')
    page.place()
    assert page.text('#measured') == '7 \u00d7 1 tiles, 6.0 straight', page.text('#measured')
    browser.key('Escape')
    page.settle()
    assert browser.evaluate('document.querySelector("#measured").hidden') is True


def layers_switch_one_by_one(browser, path):
    page = Page(browser, 'each')
    page.open('#50,22,32&flat')
    whole = page.bare_picture()
    is_like(page, path, region(50, 22, 800, 600, 32), 2)
    assert browser.evaluate('document.querySelectorAll("#design .inner").length') > 5
    # Nearly all clouds of a group, and then the group.
    browser.evaluate('document.querySelector("#design input[value=\'4-1\']").click()')
    is_like(page, path, [*region(50, 22, 800, 600, 32), '--layers', '0,1,2,3,4/0@0'], 2)
    page.place()
    assert browser.evaluate('location.hash') == '#50,22,32&flat&hide=4-1'
    browser.evaluate('document.querySelector("#design input[value=\'2-1\']").click()')
    group = '[...document.querySelectorAll("#design .row:not(.inner) input")][2]'
    assert browser.evaluate(group + '.indeterminate') is True
    browser.evaluate(group + '.click()')
    assert browser.evaluate('[...document.querySelectorAll("#design .inner input")].filter(e => e.value[0] === "2").every(e => e.checked)') is True
    browser.evaluate('document.querySelector("#all").click()')
    assert page.bare_picture() == whole


def one_file_is_enough(browser, path):
    browser.open('file://' + urllib.parse.quote(os.path.abspath('alone/one.html')) + '#50,22,32&flat')
    page = Page(browser, 'alone')
    page.settle()
    assert not any('alone/tiles' in url for url in browser.requests)
    is_like(page, path, region(50, 22, 800, 600, 32), 2)
    for fragment in ('#30,22,16&flat', '#70,22,16&flat'):
        browser.evaluate('location.hash = %r' % fragment)
        page.settle()
        x, y, zoom = (float(v) for v in fragment[1:-5].split(','))
        is_like(page, path, region(x, y, 800, 600, zoom), 2)


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Serves the current folder; parts of files, if `parts` is true, as web servers do, and Python's own does not."""
    parts = True
    asked = []

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        asked = re.fullmatch(r'bytes=(\d+)-(\d+)', self.headers.get('Range', ''))
        path = self.translate_path(self.path)
        self.asked.append((self.path, asked.groups() if asked else None))
        if not asked or not self.parts or not os.path.isfile(path):
            super().do_GET()
            return
        with open(path, 'rb') as file:
            data = file.read()
        first, last = int(asked[1]), min(int(asked[2]), len(data) - 1)
        self.send_response(206)
        self.send_header('Content-Range', 'bytes %d-%d/%d' % (first, last, len(data)))
        self.send_header('Content-Length', str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first:last + 1])


def a_pack_is_fetched_in_parts(browser, path):
    assert sorted(os.listdir('pack')) == ['index.html', 'tiles.bin']
    page = Page(browser, 'pack')  # from the disk browsers refuse it: said in the middle of the page, which was black
    browser.open(address('pack', '#50,22,32&flat'))
    browser.wait('document.querySelector("#broken") && !document.querySelector("#broken").hidden')
    assert 'teemap tiles -o' in page.text('#broken')
    browser.failures.clear()
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Ranges) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = Page(browser, 'pack')
        for Ranges.parts in (True, False):
            Ranges.asked.clear()
            browser.open('http://127.0.0.1:%d/pack/index.html?%d#50,22,32&flat' % (server.server_port, Ranges.parts))
            page.settle()
            is_like(page, path, region(50, 22, 800, 600, 32), 2)
            browser.evaluate('location.hash = "#70,22,16&flat"')
            page.settle()
            is_like(page, path, region(70, 22, 800, 600, 16), 2)
            ranges = [part for file, part in Ranges.asked if 'tiles.bin' in file]
            fetched = sum(int(part[1]) + 1 - int(part[0]) for part in ranges)
            assert None not in ranges, ranges
            assert len(ranges) == 1 if not Ranges.parts else 1 < fetched < os.path.getsize('pack/tiles.bin') / 2, (len(ranges), fetched)
        server.shutdown()
    browser.requests[:] = [url for url in browser.requests if not url.startswith(('http://127.0.0.1:', 'blob:'))]


def what_moves_is_played(browser, path):
    page = Page(browser, 'moves')
    times = read_page('moves')[1]['times']
    assert len(times) == 4 and times == sorted(set(times)), times
    for i in (0, 1, 3):
        page.open('#50,22,16&flat&time=%d' % i)
        is_like(page, path, [*region(50, 22, 800, 600, 16), '--time', repr(times[i])], 2)
    browser.key(' ')
    assert page.text('#play') == 'stop'
    seen = set()
    until = time.monotonic() + 30
    while len(seen) < 4 and time.monotonic() < until:
        seen.add(browser.evaluate('document.querySelector("#moment").value'))
        time.sleep(.05)
    assert seen == {'0', '1', '2', '3'}, seen
    browser.key(' ')
    assert page.text('#play') == 'play' and browser.evaluate('document.querySelector("#motion").hidden') is False
    browser.evaluate('(e => { e.value = 2; e.dispatchEvent(new Event("input")); })(document.querySelector("#moment"))')
    page.place()
    assert browser.evaluate('location.hash').endswith('&time=2') and 's' in browser.evaluate('document.querySelector("#moment").ariaValueText')
    for nonsense in ('99', '-1', 'x', '1e9', ''):
        page.open('#50,22,16&time=' + nonsense)
    page.open('')
    Page(browser, 'land').open('')
    assert browser.evaluate('document.querySelector("#motion").hidden') is True


def main(tool, path, picture):
    TOOL[:] = tool.split()
    teemap('tiles', '-q', path, '-t', 'land')
    with open('clip.map', 'wb') as file:
        file.write(hostile_map())
    teemap('tiles', '-q', 'clip.map', '-t', 'clip')
    teemap('edit', '-q', path, '-o', 'tele.map', *('add layer 4 tele + fill tele@10,20+2x1 tele-in:5 + fill tele@80,30+1x1 tele-out:5 + fill tele@60,10+1x1 tele-out:5 '
           '+ fill tele@30,30+1x1 tele-in-evil:9').split())
    teemap('tiles', '-q', 'tele.map', '-t', 'tele', '--scale', '16')
    teemap('tiles', '-q', path, '-t', 'each', '--each-layer')
    teemap('tiles', '-q', path, '-t', 'moves', '--times', '4', '--scale', '16')
    teemap('tiles', '-q', path, '-t', 'pack', '--pack')
    os.mkdir('alone')
    teemap('tiles', '-q', path, '-o', 'alone/one.html')
    browser = Browser(800, 600)
    try:
        for test in (lambda: shows_what_render_draws(browser, path), lambda: shows_webp(browser, path), lambda: coarse_tiles_come_first(browser), lambda: clips_as_render_does(browser), lambda: keys_and_mouse_move(browser),
                     lambda: beyond_is_told(browser), lambda: addresses_lead_back(browser), lambda: switches_change_the_picture(browser, path),
                     lambda: places_are_found(browser), lambda: names_are_found(browser), lambda: teleporters_lead_on(browser), lambda: the_ruler_measures(browser),
                     lambda: layers_switch_one_by_one(browser, path), lambda: one_file_is_enough(browser, path), lambda: a_pack_is_fetched_in_parts(browser, path), lambda: what_moves_is_played(browser, path), lambda: labels_are_there(browser), lambda: phones_work(browser, path), lambda: nothing_leaves_its_place(browser)):
            start = time.monotonic()
            test()
            assert not browser.failures, browser.failures
            print('%s: %.1f s' % (test.__code__.co_names[-1], time.monotonic() - start), flush=True)
        elsewhere = [url for url in browser.requests if not url.startswith(('file://' + os.getcwd(), 'about:', 'data:'))]
        assert not elsewhere, elsewhere[:3]
        missing_tiles_are_told(browser)
        browser.resize(1280, 800)
        Page(browser, 'land').open('')
        os.makedirs(os.path.dirname(picture), exist_ok=True)
        browser.screenshot(picture)
        print('screenshot: ' + picture)
    finally:
        browser.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
