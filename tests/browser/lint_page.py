#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The page that `teemap lint --page` writes, in a real browser and from the file system.

    lint_page.py TEEMAP PICTURE

Runs in a folder with report/ (of bad.map) and all/ (of maps/). Pictures, frames, switches, keys and address are tried, and
that nothing of a map's names gets out of its place; PICTURE is a screenshot to look at.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'support')]
from browser import Browser, odd_name
from report_page import ReportPage, data_of

EVIL = '</script><img src=x onerror="window.bad=1">'


class Page(ReportPage):
    def __init__(self, browser, folder):
        super().__init__(browser, folder, 'list')

    def switch(self, name):
        self.ask('document.querySelector("input[data-name=%s]").click()' % name)


def pictures_show_their_places(page):
    page.open()
    text, data = data_of(page.folder)
    map_, = data['maps']
    for finding in map_['findings']:
        for number, x, y, width, height in finding['places']:
            if number < 0:
                continue
            picture = map_['pictures'][number]
            left, top, wide, high = picture['at']
            assert left <= x and x + width <= left + wide and top <= y and y + height <= top + high, (finding, picture)
            size = page.ask('(async () => { const i = new Image(); i.src = %s; await i.decode(); return [i.naturalWidth, i.naturalHeight]; })()'
                            % json.dumps(picture['file']))
            assert size == [wide * 24, high * 24], (size, picture)
    assert all(data['rules'][f['rule']]['why'] for f in map_['findings'])
    hidden = [f for f in map_['findings'] if f['severity'] == 'note' and f['places']]
    assert hidden and all(place[0] < 0 or any(g is not f and place[0] in [p[0] for p in g['places']] for g in map_['findings'])
                          for f in hidden for place in f['places']), 'notes have no pictures of their own'
    assert '<noscript>' in text and 'page_style.css' in text


def findings_can_be_switched(page):
    page.open()
    warnings = page.texts()
    assert len(warnings) == 4 and not any('blue-tele' in text for text in warnings), warnings
    page.switch('note')
    assert any('blue-tele' in text for text in page.texts()) and len(page.texts()) > 4
    page.switch('note')
    page.switch('tele-without-out')
    assert ['empty-group' in text for text in page.texts()] == [True], page.texts()
    assert page.ask('document.getElementById("status").textContent').startswith('1 finding of ')
    page.ask('document.getElementById("none").click()')
    assert page.texts() == [] and page.ask('document.getElementById("heading").textContent') == 'Choose a finding'
    page.ask('document.getElementById("all").click()')
    assert page.texts() == warnings


def findings_can_be_walked(page):
    page.open('#1')
    page.wait()
    assert page.current() == 1
    page.browser.key('n')
    assert page.current() == 2 and page.ask('location.hash') == '#2'
    page.browser.key('p')
    page.browser.key('p')
    page.browser.key('p')
    assert page.current() == 0
    for nonsense in ('#99', '#-1', '#x', '#<b>'):
        page.open(nonsense)
        assert page.current() == 0, nonsense
    page.ask('document.querySelectorAll("#list button")[1].click()')
    assert page.current() == 1


def frames_stand_where_tiles_are(page):
    page.open('#0')
    _, data = data_of(page.folder)
    finding = next(f for f in data['maps'][0]['findings'] if f['rule'] == 'tele-without-out')
    number, x, y, width, height = finding['places'][0]
    left, top = data['maps'][0]['pictures'][number]['at'][:2]
    frame = page.ask('(r => ["x", "y", "width", "height"].map(k => Number(r.getAttribute(k))))(document.querySelector("rect.line.this-warning:not(.other)"))')
    assert frame == [(x - left) * 32 - 2, (y - top) * 32 - 2, width * 32 + 4, height * 32 + 4], (frame, finding)
    before = page.ask('document.querySelectorAll("rect.other").length')
    page.switch('tele-without-out')
    page.switch('tele-without-out')
    page.ask('document.querySelectorAll("#list button")[0].click()')
    assert page.ask('document.querySelectorAll("rect.other").length') == before
    visible = 'getComputedStyle(document.querySelector("figure svg")).visibility'
    assert page.ask(visible) == 'visible'
    page.browser.key('m')
    assert page.ask(visible) == 'hidden'


def labels_are_there(page):
    page.open('#0')
    for script, what in (('[...document.images].every(i => i.alt.length > 10)', 'pictures have texts'),
                         ('document.querySelector("nav").getAttribute("aria-label").length > 5', 'the list is named'),
                         ('document.getElementById("status").getAttribute("aria-live") === "polite"', 'what is shown is told'),
                         ('document.documentElement.lang === "en"', 'the language is told'),
                         ('[...document.querySelectorAll("input, button")].every(e => e.textContent.trim() || e.closest("label"))',
                          'everything that can be used has a label')):
        assert page.ask(script), what


def several_maps_and_odd_names(browser):
    page = Page(browser, 'all')
    page.open('#0')
    assert page.ask('document.title') == 'Lint of 2 maps'
    assert page.ask('[...document.querySelectorAll("#list h2")].map(e => e.textContent)') == ['maps/sub/50% of #1.map']
    assert page.ask('document.images.length') >= 1


def nothing_leaves_its_place(tool, browser):
    name = odd_name(tool)
    subprocess.run([*tool, 'edit', 'bad.map', '-o', name, 'set', '2.name=' + EVIL[:11], '+', 'settings', 'add', EVIL], check=True, stderr=subprocess.DEVNULL)
    assert subprocess.run([*tool, 'lint', '-q', '--page', 'evil', name]).returncode == 1
    text, data = data_of('evil')
    assert text.count('</script>') == text.count('<script') == 2
    assert any('onerror' in f['text'] or 'script' in f['text'] for f in data['maps'][0]['findings']), data['maps'][0]['findings']
    page = Page(browser, 'evil')
    page.open('#0')
    assert page.ask('typeof window.bad') == 'undefined' and page.ask('document.querySelectorAll("b, li img, dd img").length') == 0
    assert page.ask('document.title') == 'Lint of ' + name


def main(tool, picture):
    tool = tool.split()
    browser = Browser(1280, 900)
    try:
        page = Page(browser, 'report')
        for test in (pictures_show_their_places, findings_can_be_switched, findings_can_be_walked, frames_stand_where_tiles_are, labels_are_there):
            test(page)
            assert not browser.failures, (test.__name__, browser.failures)
            print(test.__name__, flush=True)
        page.words_stand_out()
        several_maps_and_odd_names(browser)
        nothing_leaves_its_place(tool, browser)
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
