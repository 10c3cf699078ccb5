#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The pages that `teemap diff --page` and `teemap merge --page` write, in a real browser and from the file system.

    diff_page.py TEEMAP LANDSCAPE.map PICTURE

Runs in an empty folder. Pictures, frames, slider, keys, list and address are tried, and that nothing of a map's names gets
out of its place; PICTURE is a screenshot to look at.
"""
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'support')]
import pngfile
from browser import Browser, odd_name
from report_page import ReportPage, data_of

TOOL = []
EDITS = ['fill', '4/1@58,28+9x1', '3', '+', 'fill', '4/0@58,28+9x1', 'solid', '+', 'clear', '4@5,38+4x3', '+', 'settings', 'add', 'sv_test 1']
EVIL = '</script><img src=x onerror="window.bad=1">'


def teemap(status, *arguments):
    result = subprocess.run([*TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    return result


class Page(ReportPage):
    def __init__(self, browser, folder):
        super().__init__(browser, folder, 'places')

    def visible(self):
        return self.ask('["old", "new"].filter(s => getComputedStyle(document.querySelector("figure." + s)).visibility === "visible").join()')


def numbers_are_right(page):
    text, data = data_of(page.folder)
    assert '<noscript>' in text and 'page_style.css' in text
    assert [[m['name'] for m in data['maps']], data['changes'], data['left_out']] == [['land.map', 'new.map'], 3, 0], data
    assert len(data['places']) == 3, 'the whole map, and two places far from one another'
    assert any('sv_test 1' in line for line in data['lines'])
    for place in data['places']:
        for file in place['pictures']:
            assert pngfile.read(os.path.join(page.folder, file))[:2] == (place['width'], place['height'])
        assert len(place['pictures']) == 2 and all(place['frames']) and place['lines']
    assert sorted(line for place in data['places'][1:] for line in place['lines']) == [
        "group 4, layer 0 'Game': tiles added at 58,28 9x1: air -> solid 9",
        "group 4, layer 0 'Game': tiles removed at 5,38 4x3: solid -> air 12",
        "group 4, layer 1 'Hills': tiles added at 58,28 9x1", "group 4, layer 1 'Hills': tiles removed at 5,38 4x3"], data['places']
    kinds = sorted({f[4] for place in data['places'][1:] for f in place['frames'][1]})
    assert kinds == ['added', 'removed'], kinds
    # A frame is where its tiles are: 9 x 1 tiles of 24 pixels.
    bridge = next(p for p in data['places'][1:] if p['frames'][1][0][4] == 'added')
    scale = bridge['width'] / bridge['at'][2]
    x, y, w, h, _ = bridge['frames'][1][0]
    assert abs(x - (58 - bridge['at'][0]) * scale) <= scale and abs(w - 9 * scale) <= 2 and abs(h - scale) <= 2, bridge


def places_are_listed(page):
    page.open()
    assert page.ask('document.querySelectorAll("#places button").length') == 3
    assert page.current() == 1, 'the first place, not the whole map'
    page.ask('document.querySelectorAll("#places button")[2].click()')
    assert page.current() == 2 and page.ask('location.hash') == '#2'
    assert '3 of 3' in page.ask('document.getElementById("status").textContent')
    page.open('#0')
    assert page.current() == 0 and 'sv_test 1' in page.ask('document.getElementById("lines").textContent')
    for nonsense in ('#99', '#-1', '#x', '#1.5', '#<b>'):
        page.open(nonsense)
        assert page.current() == 0, nonsense


def keys_work(page):
    page.open('#1')
    page.browser.key('n')
    assert page.current() == 2
    page.browser.key('n')
    assert page.current() == 2
    page.browser.key('p')
    page.browser.key('p')
    assert page.current() == 0
    assert page.visible() == 'old,new'
    page.browser.key('f')
    assert page.visible() == 'old' and 'the old map' in page.ask('document.getElementById("status").textContent')
    page.browser.key('f')
    assert page.visible() == 'new' and 'the new map' in page.ask('document.getElementById("status").textContent')
    page.browser.key('n')
    assert page.visible() == 'new', 'the way of showing stays'
    page.browser.key('s')
    assert page.visible() == 'old,new'
    frames = 'getComputedStyle(document.querySelector("figure svg")).visibility'
    assert page.ask(frames) == 'visible'
    page.browser.key('m')
    assert page.ask(frames) == 'hidden'
    page.browser.key('m')


def slider_divides(page):
    """Left of the slider is the old map, right of it the new one: pixels of the screen are those of the pictures."""
    page.open('#1')
    page.browser.key('o')
    page.browser.key('m')
    assert page.ask('!document.getElementById("slider").hidden')
    place = data_of(page.folder)[1]['places'][1]
    before, after = (pngfile.read(os.path.join(page.folder, file)) for file in place['pictures'])
    box = page.ask('(r => [r.left + scrollX, r.top + scrollY, r.width, r.height])(document.querySelector("figure.new img").getBoundingClientRect())')
    for value, wanted in (('0', after), ('100', before)):
        page.ask('(s => { s.value = %s; s.dispatchEvent(new Event("input")); })(document.getElementById("slide"))' % value)
        time.sleep(.1)
        page.browser.screenshot('shown.png')
        width, height, shown = pngfile.read('shown.png')
        far = total = 0
        for i in range(40):
            for j in range(20):
                x, y = (i + .5) / 40, (j + .5) / 20
                sx, sy = int(box[0] + x * box[2]), int(box[1] + y * box[3])
                if sx >= width or sy >= height:
                    continue
                px, py = int(x * wanted[0]), int(y * wanted[1])
                a = shown[(sy * width + sx) * 4:][:3]
                b = wanted[2][(py * wanted[0] + px) * 4:][:3]
                total += 1
                far += max(abs(p - q) for p, q in zip(a, b)) > 40
        print('  slider at %s: %d of %d points differ' % (value, far, total))
        assert total > 300 and far < total / 12, (value, far, total)
    page.ask('(s => { s.value = 50; s.dispatchEvent(new Event("input")); })(document.getElementById("slide"))')
    assert '50%' in page.ask('document.querySelector("figure.new").style.clipPath')
    page.browser.key('m')


def labels_are_there(page):
    page.open('#1')
    for script, what in (('[...document.images].every(i => i.alt.length > 20)', 'pictures have texts'),
                         ('document.querySelector("nav").getAttribute("aria-label").length > 5', 'the list is named'),
                         ('document.getElementById("slide").getAttribute("aria-label").length > 5', 'the slider is named'),
                         ('document.getElementById("status").getAttribute("aria-live") === "polite"', 'what is shown is told'),
                         ('document.documentElement.lang === "en"', 'the language is told'),
                         ('[...document.querySelectorAll("input, button")].filter(e => !e.hidden).every(e => e.textContent.trim() || e.closest("label"))',
                          'everything that can be used has a label')):
        assert page.ask(script), what
    # The tabulator reaches the list, and the enter key works.
    page.ask('document.querySelectorAll("#places button")[2].focus()')
    page.browser.key('Enter')
    page.ask('document.activeElement.click()')
    assert page.current() == 2


def nothing_leaves_its_place(browser):
    name = odd_name(TOOL)
    teemap(0, 'edit', 'land.map', '-o', name, 'add', 'group', EVIL[:11], '+', 'settings', 'add', EVIL, '+', 'set', 'info.author=' + EVIL,
           '+', 'clear', '4@5,38+4x3')
    teemap(1, 'diff', '-q', 'land.map', name, '--page', 'evil')
    text, data = data_of('evil')
    assert text.count('</script>') == text.count('<script') == 2
    assert any('onerror' in line for line in data['lines'])
    page = Page(browser, 'evil')
    page.open('#0')
    assert page.ask('typeof window.bad') == 'undefined' and page.ask('document.querySelectorAll("b, li img").length') == 0
    assert page.ask('document.title') == 'Changes of ' + name


def versions_of_a_merge(browser):
    """`teemap merge --page`: three maps; the key goes through them, the slider is between the two sides."""
    teemap(0, 'edit', 'land.map', '-o', 'ours.map', 'fill', '4/0@20,10+6x3', 'solid', '+', 'settings', 'add', 'sv_test 1', '+', 'set', 'info.author=a')
    teemap(0, 'edit', 'land.map', '-o', 'theirs.map', 'fill', '4/0@23,11+6x3', 'freeze', '+', 'set', 'info.author=b')
    teemap(1, 'merge', '-q', 'land.map', 'ours.map', 'theirs.map', '--page', 'merged')
    data = data_of('merged')[1]
    assert [m['name'] for m in data['maps']] == ['land.map', 'ours.map', 'theirs.map'] and data['changes'] == 2, data
    assert len(data['places']) == 2 and all(len(p['pictures']) == len(p['frames']) == 3 for p in data['places']), data['places']
    assert data['places'][1]['lines'] == ["group 4, layer 0 'Game': both changed tiles at 23,11 3x2"], data['places'][1]
    assert all(f[4] == 'conflict' for frames in data['places'][1]['frames'] for f in frames)
    assert any('author' in line for line in data['lines']), 'what has no place stands with the whole map'
    page = Page(browser, 'merged')
    page.open('#1')
    assert page.ask('document.title') == 'Conflicts of ours.map'
    assert page.ask('document.getElementById("maps").textContent') == 'land.map \u2192 ours.map, theirs.map'
    visible = '[...document.querySelectorAll("figure")].filter(f => getComputedStyle(f).visibility === "visible").map(f => f.className.split(" ")[0]).join()'
    assert page.ask(visible) == 'base,ours,theirs'
    for wanted in ('base', 'ours', 'theirs', 'base'):
        browser.key('f')
        assert page.ask(visible) == wanted and page.ask('document.getElementById("status").textContent').endswith(': ' + wanted)
    browser.key('o')
    assert page.ask(visible) == 'ours,theirs'
    assert '50%' in page.ask('document.querySelector("figure.theirs").style.clipPath')
    browser.key('s')
    assert page.ask(visible) == 'base,ours,theirs'
    page.open('#0')
    assert 'author' in page.ask('document.getElementById("lines").textContent')
    assert page.ask('document.getElementById("heading").textContent') == 'All conflicts'


def main(tool, path, picture):
    TOOL[:] = tool.split()
    if path != 'land.map':
        os.link(path, 'land.map')
    teemap(0, 'edit', 'land.map', '-o', 'new.map', *EDITS)
    teemap(1, 'diff', '-q', 'land.map', 'new.map', '--page', 'page/deep')
    browser = Browser(1280, 900)
    try:
        page = Page(browser, 'page/deep')
        for test in (numbers_are_right, places_are_listed, keys_work, slider_divides, labels_are_there):
            test(page)
            assert not browser.failures, (test.__name__, browser.failures)
            print(test.__name__, flush=True)
        page.words_stand_out()
        nothing_leaves_its_place(browser)
        versions_of_a_merge(browser)
        assert not browser.failures, browser.failures
        elsewhere = [url for url in browser.requests if not url.startswith(('file://' + os.getcwd(), 'about:', 'data:'))]
        assert not elsewhere, elsewhere[:3]
        page.open('#1')
        os.makedirs(os.path.dirname(picture), exist_ok=True)
        browser.screenshot(picture)
    finally:
        browser.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
