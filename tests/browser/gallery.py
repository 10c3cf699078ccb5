#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The pages that `teemap gallery` writes, in a real browser and from the file system.

    gallery.py SITE NUMBER PICTURE STILL

SITE is a gallery of NUMBER maps that gallery_page.sh has made, among them some with names that are HTML and JavaScript, and
one that is broken. Search, orders, keys, pages of maps, and what a screen reader is told are tried; PICTURE is a screenshot to look at.
STILL is a gallery of one map, without animations.
"""
import os
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
from browser import Browser

READY = '(document.documentElement || {dataset: {}}).dataset.state === "ready"'
ONE = 'document.readyState === "complete" && document.body.className === "one"'


def address(site, page='index.html', fragment=''):
    return 'file://' + urllib.parse.quote(os.path.abspath(site)) + '/' + page + fragment


class Gallery:
    def __init__(self, browser, site, number):
        self.browser, self.site, self.number = browser, site, number

    def open(self, fragment=''):
        self.browser.open(address(self.site, fragment=fragment))
        self.browser.wait(READY)

    def count(self):
        return self.browser.evaluate('document.querySelector("#count").textContent')

    def names(self):
        return self.browser.evaluate('[...document.querySelectorAll("#list .name")].map(e => e.textContent)')

    def set(self, name, value):
        kind = 'input' if name == 'search' else 'change'
        self.browser.evaluate('(() => { const e = document.getElementById(%r); e.value = %r; e.dispatchEvent(new Event(%r, {bubbles: true})); })()'
                              % (name, value, kind))

    def focused(self):
        return self.browser.evaluate('(e => e && e.closest("li") ? Number(e.closest("li").ariaPosInSet) - 1 : -1)(document.activeElement)')


def key(browser, name, code):
    """Keys that do what they do by themselves (Tab) need their number."""
    for kind in ('rawKeyDown', 'keyUp'):
        browser.call('Input.dispatchKeyEvent', type=kind, key=name, code=name, windowsVirtualKeyCode=code)
    time.sleep(.1)


def searches(page):
    page.open()
    assert page.count() == '%s maps' % format(page.number, ','), page.count()
    page.set('search', 'tutorial-0007')
    assert page.count() == '1 of %s maps' % format(page.number, ','), page.count()
    assert page.names() == ['tutorial-0007']
    page.set('search', 'TUTORIAL -0007 folder:many')
    assert 'tutorial-0007' not in page.names() and len(page.names()) > 4
    page.set('search', 'B\u00c4R')  # with and without marks, in either case
    assert page.names() == ['B\u00e4r'], page.names()
    page.set('search', 'bar is:fine')
    assert page.names() == ['B\u00e4r'], page.names()
    page.set('search', 'nobody is called like that')
    assert page.names() == [] and page.browser.evaluate('!document.querySelector("#nothing").hidden')
    page.browser.evaluate('document.querySelector("#clear").click()')
    page.browser.wait('document.querySelectorAll("#list li").length > 4')
    assert page.count() == '%s maps' % format(page.number, ',')
    page.set('search', 'folder:"other" name:"by ann"')  # anything in quotes found nothing
    assert page.names() == ['by ann'], page.names()
    page.set('search', 'autor:ann')
    assert page.names() == [] and 'no "autor:"' in page.browser.evaluate('document.querySelector("#unknown").textContent')
    page.set('search', 'is:moving')
    moving = page.count()
    page.set('search', '')
    page.set('only', 'moves')
    assert page.count() == moving and not page.browser.evaluate('document.querySelector("#only [value=moves]").disabled'), (page.count(), moving)
    page.set('only', '')
    page.set('folder', 'hostile')
    assert page.count().startswith('7 of '), page.count()
    page.set('folder', '')
    page.set('search', 'feature:teleporters')
    assert page.names()
    page.set('search', 'feature:tele')
    teles = page.count()
    page.set('search', '')
    page.set('feature', 'tele')
    assert page.count() == teles and teles.split()[0] != '0', (page.count(), teles)
    page.set('only', 'broken')
    page.set('feature', '')
    assert page.names() == ['broken'], page.names()
    assert 'not a map file' in page.browser.evaluate('document.querySelector("#list .none").textContent')


def sorts(page):
    page.open('#sort=bytes')
    first = page.names()[0]
    page.open('#sort=bytes&reverse')
    assert page.names()[0] == 'broken', page.names()[:3]
    assert page.names()[0] != first
    page.open('#sort=size')
    assert page.names()[0] == 'large', page.names()[:3]
    page.open('#sort=author&q=name:by')
    assert page.names() == ['by ann', 'by zoe', 'by nobody'], page.names()
    page.open('#sort=game&q=name:by&reverse')
    page.open('#sort=date')
    dates = page.browser.evaluate('teemapGallery.maps.map(m => m.written)')
    assert all(dates) and page.names()
    page.open('#sort=features')
    page.open('#q=name:tutorial-00&sort=name')
    assert page.names()[:3] == ['tutorial-0000', 'tutorial-0001', 'tutorial-0002'], page.names()[:3]
    page.set('sort', 'bytes')
    assert page.browser.evaluate('location.hash') == '#q=name%3Atutorial-00&sort=bytes'
    for nonsense in ('#%', '#sort=<b>', '#q=%00&sort=constructor&only=__proto__', '#feature=nobody', '#q=:&game='):
        page.open(nonsense)
        assert page.browser.evaluate('document.querySelector("#sort").value') in ('name', 'author'), nonsense


def keys_work(page):
    page.open()
    key(page.browser, '/', 191)
    assert page.browser.evaluate('document.activeElement.id') == 'search'
    key(page.browser, 'ArrowDown', 40)
    assert page.focused() == 0
    columns = page.browser.evaluate('new Set([...document.querySelectorAll("#list li")].map(e => e.style.left)).size')
    assert columns > 1
    for name, code, expected in (('ArrowRight', 39, 1), ('ArrowDown', 40, 1 + columns), ('ArrowUp', 38, 1), ('ArrowLeft', 37, 0), ('ArrowLeft', 37, 0),
                                 ('ArrowUp', 38, 0), ('End', 35, page.number - 1), ('ArrowDown', 40, page.number - 1), ('Home', 36, 0)):
        key(page.browser, name, code)
        assert page.focused() == expected, (name, page.focused(), expected)
        seen = page.browser.evaluate('(r => r.top >= -1 && r.bottom <= innerHeight + 1)(document.activeElement.getBoundingClientRect())')
        assert seen, name
    # Tab goes from map to map, also beyond those that were in the document at first.
    for i in range(1, 40):
        key(page.browser, 'Tab', 9)
        assert page.focused() == i, (page.focused(), i)
    # Scrolling away does not take the focus away.
    page.browser.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    time.sleep(.2)
    assert page.focused() == 39
    name = page.browser.evaluate('document.activeElement.querySelector(".name").textContent')
    page.browser.leave('document.activeElement.click()')
    page.browser.wait(ONE)
    assert page.browser.evaluate('document.querySelector("h1").textContent') == name
    page.browser.leave('history.back()')
    page.browser.wait(READY)


def little_is_there(page):
    """Only what is on the screen, and a little more, is in the document."""
    page.open()
    there = page.browser.evaluate('document.querySelectorAll("#list li").length')
    assert 8 < there < 80, there
    page.browser.evaluate('scrollTo(0, 3000)')
    page.browser.wait('Number(document.querySelector("#list li").ariaPosInSet) > 4')
    assert page.browser.evaluate('document.querySelectorAll("#list li").length') < 80
    assert page.browser.evaluate('document.documentElement.scrollHeight') > page.number / 10 * 200


def readers_are_told(page):
    page.open()
    unnamed = page.browser.evaluate('[...document.querySelectorAll("button, input, select, a")].filter(e => !(e.getAttribute("aria-label") || '
                                    'e.textContent.trim() || e.closest("label"))).map(e => e.outerHTML).join()')
    assert unnamed == '', unnamed
    assert page.browser.evaluate('[...document.querySelectorAll("#list img")].every(e => e.hasAttribute("alt"))')
    assert page.browser.evaluate('[...document.querySelectorAll("#list li")].every(e => e.ariaSetSize == %d && e.ariaPosInSet > 0)' % page.number)
    tree = page.browser.call('Accessibility.getFullAXTree')['nodes']
    roles = {node['role']['value'] for node in tree if not node.get('ignored')}
    assert {'search', 'list', 'listitem', 'link', 'status', 'main', 'banner', 'searchbox', 'heading'} <= roles, roles
    links = [node['name']['value'] for node in tree if node['role']['value'] == 'link' and not node.get('ignored')]
    assert any(link.startswith('tutorial-0000') for link in links), links[:5]


def hostile_names_are_text(page):
    page.open('#q=folder:hostile')
    names = page.names()
    assert len(names) == 7, names
    assert page.browser.evaluate('typeof window.harm') == 'undefined'
    assert page.browser.evaluate('document.querySelectorAll("#list script, #list b:not(.small b), #list img[onerror]").length') == 0
    assert any('<img src=x onerror=harm=1>' in name for name in names), names
    for link in page.browser.evaluate('[...document.querySelectorAll("#list a")].map(e => [e.href, e.querySelector(".name").textContent])'):
        assert '/maps/' in link[0] and link[0].endswith('.html') and all(c not in urllib.parse.unquote(link[0].split('/maps/')[1]) for c in '<>"\'&\\ '), link
        page.browser.open(link[0])
        assert page.browser.evaluate('document.querySelector("h1").textContent') == link[1], link
        assert page.browser.evaluate('document.title') == link[1], link
        assert page.browser.evaluate('typeof window.harm') == 'undefined'
        assert page.browser.evaluate('document.querySelectorAll("script:not([type=\'application/json\'], [src]), h1 *:not(bdi), dd *:not(bdi, a), nav a > *:not(bdi), pre *, [onerror]").length') == 0, link


def pages_of_maps(page):
    page.open('#q=name:tutorial-0007')
    page.browser.leave('document.querySelector("#list a").click()')
    page.browser.wait(ONE)
    text = page.browser.evaluate('document.querySelector("main").innerText')
    for expected in ('tutorial-0007', 'Facts', 'Size', 'Features', 'SHA-256', 'many/tutorial-0007.map'):
        assert expected in text, (expected, text)
    page.browser.wait('document.querySelector("figure img").naturalWidth === 720')  # and not one of 360, blown up
    assert page.browser.evaluate('document.querySelector("figure img").width') == 720
    page.browser.evaluate('document.querySelector("figcaption").scrollIntoView()')
    page.browser.wait('[...document.images].some(e => e.src.endsWith("-whole.png") && e.naturalWidth > 720 && e.naturalWidth == e.width)')
    assert page.browser.evaluate('document.querySelector("#previous").textContent') == 'Previous: tutorial-0006'
    page.browser.leave('document.querySelector("#next").click()')
    page.browser.wait('document.title === "tutorial-0008" && !document.querySelector("#next").hidden')
    page.browser.leave('document.querySelector("#previous").click()')
    page.browser.wait(ONE + ' && document.title === "tutorial-0007"')
    assert 'tutorial-0007' in page.browser.evaluate('document.querySelector("figure img").alt')
    page.open('#only=moves')
    if page.names():  # with libwebp
        page.browser.leave('document.querySelector("#list a").click()')
        page.browser.wait(ONE)
        assert not any('-moves.webp' in url for url in page.browser.requests), 'loaded before it was wanted'
        page.browser.evaluate('document.querySelector("summary").click()')
        page.browser.wait('document.querySelector(".moves img").naturalWidth === 360')
        assert page.browser.evaluate('getComputedStyle(document.querySelector("figure")).display') == 'none'
        page.browser.leave('document.querySelector("nav a:not([id])").click()')
        page.browser.wait(READY)
    page.open('#q=name:by')
    page.browser.leave('document.querySelector("#list a").click()')
    page.browser.wait(ONE)
    assert 'sv_gravity <b>' in page.browser.evaluate('document.querySelector("pre").textContent')
    page.open('#only=missing')
    page.browser.leave('document.querySelector("#list a").click()')
    page.browser.wait(ONE)
    assert 'xyz_none: not found; no game ships it' in page.browser.evaluate('document.querySelector("main").innerText')


def dark_and_light(page):
    colors = set()
    for scheme in ('dark', 'light'):
        page.browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
        page.open()
        colors.add(page.browser.evaluate('getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).color'))
    assert len(colors) == 2, colors


def small_windows(page):
    page.browser.resize(390, 844, 2, True)
    page.open()
    assert page.browser.evaluate('document.documentElement.scrollWidth') <= 390
    assert page.browser.evaluate('document.querySelector("#list").getBoundingClientRect().top') < 844 / 4
    assert page.browser.evaluate('!document.querySelector("#filters").open')
    page.browser.resize(1280, 860)


def no_animations_are_told(browser, site):
    """is:moving found nothing, without a reason, in a gallery that has no animations."""
    page = Gallery(browser, site, 1)
    page.open()
    page.set('search', 'is:moving')
    assert page.names() == [] and 'has an animation' in browser.evaluate('document.querySelector("#unknown").textContent')
    assert browser.evaluate('document.querySelector("#only [value=moves]").disabled')
    page.set('search', '')


def nothing_from_elsewhere(browser):
    assert all(url.startswith(('file://', 'data:', 'about:')) for url in browser.requests), browser.requests


def main(site, number, picture, still):
    browser = Browser(1280, 860)
    try:
        page = Gallery(browser, site, int(number))
        for test in (searches, sorts, keys_work, little_is_there, readers_are_told, hostile_names_are_text, pages_of_maps, dark_and_light, small_windows):
            test(page)
            print('ok', test.__name__, flush=True)
        page.open()
        time.sleep(.5)
        browser.screenshot(picture)
        no_animations_are_told(browser, still)
        nothing_from_elsewhere(browser)
        assert not browser.failures, browser.failures
    finally:
        browser.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
