#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Work in the page of web/ is kept: after a reload and after the browser was killed it is there again, another tab knows of
it, and what is downloaded is not offered any more; where nothing can be kept, the page says so beforehand. New maps are
made, and properties of objects are seen and set.

    web_work.py SITE TEEMAP PICTURE"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from actions import CTRL, SHIFT, Hand
from web import steps


def kept(page, number):
    page.wait(f'document.documentElement.dataset.kept === "{number}"')


def go_on(page):
    page.wait('!document.querySelector("#kept").hidden')
    page.click('#kept-list button.main')
    page.status('there again')


def row(page, name):
    return f'[data-field="{name}"] :is(input, select)'


def values_are_seen_and_set(page):
    page.choose('a.map')
    page.status('a.map: a map of')
    page.put('#layer', '0/0')
    page.click('#properties-panel summary')
    page.wait('document.querySelectorAll("#properties .property").length > 8')
    assert page.ask(f'document.querySelector(\'{row(page, "image")}\').value') == 'image/0'
    page.put(row(page, 'color'), '#8040ffc8')
    page.wait('document.querySelectorAll("#steps li").length === 1')
    assert steps(page)[-1] == "teemap edit -i a.map set '0/0.color=#8040ffc8'", steps(page)[-1]
    page.wait(f'!document.querySelector(\'{row(page, "color")}\').validationMessage')
    page.put(row(page, 'color'), 'purple')
    page.wait(f'document.querySelector(\'{row(page, "color")}\').validationMessage.length > 0')
    assert page.ask(f'document.querySelector(\'{row(page, "color")}\').value') == 'purple', 'what was typed stays'
    page.put('#object', '0')
    page.wait('document.querySelector("[data-field=\'parallax.x\']") !== null')
    assert page.ask(f'document.querySelector(\'{row(page, "parallax.x")}\').value') == '50'
    page.put(row(page, 'parallax.x'), '25')
    page.wait('document.querySelectorAll("#steps li").length > 1')
    assert steps(page)[-1].endswith('set 0.parallax.x=25'), steps(page)[-1]
    assert page.ask('document.querySelector("#object").value') == '0', 'a step does not choose another object'
    page.put('#object', 'envelope/0')
    page.wait('document.querySelector("[data-field=\'.points[0]curve\']") !== null')
    page.put(row(page, '.points[0]curve'), 'smooth')
    page.wait('document.querySelector("#steps li:last-child code").textContent.includes("smooth")')
    assert steps(page)[-1].endswith("set 'envelope/0.points[0].curve=smooth'"), steps(page)[-1]
    page.put('#object', 'info')
    page.wait('document.querySelector("[data-field=author]") !== null')
    page.put(row(page, 'author'), "it's `me`")  # what shells would run between double quotes
    page.wait('document.querySelector("#steps li:last-child code").textContent.includes("me")')
    assert steps(page)[-1].endswith("set 'info.author=it'\\''s `me`'"), steps(page)[-1]
    typing_goes_on(page, row(page, 'version'))


def typing_goes_on(page, field):
    """A step that came meanwhile took away what was being typed."""
    before = steps(page)
    page.ask(f'document.querySelector(\'{field}\').focus()')
    page.browser.type('27')
    page.click('#undo')
    page.wait('document.querySelectorAll("#steps .undone").length === 1')
    page.wait(f'document.querySelector(\'{row(page, "author")}\').value === "teemap"')
    assert page.ask(f'document.querySelector(\'{field}\').value') == '27' and steps(page) == before
    page.browser.type('8')
    page.browser.key_down('Enter')
    page.browser.key_up('Enter')
    page.wait('document.querySelector("#steps li:last-child code").textContent.endsWith("info.version=278")')


def work_survives(page, run, url, folder):
    number = len(steps(page))
    lines = steps(page)
    kept(page, number)
    page.browser.leave('location.reload()')
    page.wait('document.querySelector("#kept") && !document.querySelector("#kept").hidden')
    go_on(page)
    assert steps(page) == lines, (steps(page), lines)
    page.put('#tile-text', 'freeze')
    page.put('#selection', '5,5+2x2')
    page.put('#layer', '1/0')
    page.wait('document.querySelector("#tile-text").value === "freeze"')
    page.wait('document.querySelector("#brush").ariaBusy === "false"')
    page.click('#tools input[value=select]')
    page.click('#fill')
    page.wait('document.querySelectorAll("#steps li").length === %d' % (number + 1))
    kept(page, number + 1)
    page.browser.crash()
    again = web.Page(url, folder, profile=page.browser.folder)
    hand = Hand(again)
    hand.click('#kept-list button.main')
    again.status('there again')
    hand.key('s', CTRL | SHIFT)
    hand.typing('#save-as-name')
    hand.type('rescued')
    hand.key('Enter')
    again.status('Downloaded: rescued.map')
    assert hand.actions <= 4, f'work is rescued and saved under a new name with {hand.actions} actions'
    (folder / 'rescued.map').write_bytes(again.download('rescued.map'))
    assert run('find', '-c', '1/0@5,5+2x2/freeze', 'rescued.map').split()[-1] == b'4'
    assert steps(again) == [*lines, 'teemap edit -i a.map fill 1/0@5,5+2x2 freeze'], steps(again)
    again.click('#undo')
    again.wait('document.querySelectorAll("#steps .undone").length === 1')
    kept(again, number)
    return again


def what_is_downloaded_goes(page, url):
    target = page.browser.call('Target.createTarget', url=url)['targetId']
    first, page.browser.session = page.browser.session, None
    page.browser.session = page.browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
    page.wait('document.querySelector("#kept-list").textContent.includes("open in another tab or window")')
    page.status('Another tab or window has work of its own')
    page.browser.session = None
    page.browser.call('Target.closeTarget', targetId=target)
    page.browser.session = first
    page.click('#save')
    page.download('a.map')
    kept(page, '')
    page.browser.leave('location.reload()')
    page.wait('document.querySelector("#status").textContent.includes("Nothing is uploaded")')
    page.wait('document.querySelector("#new-map").onsubmit !== null && document.querySelector("#kept").hidden')
    page.wait('!document.querySelector("#aside").hidden')  # a download may be cancelled
    page.click('#aside summary')
    page.click('#aside-list button.main')
    page.status('of work are there again')
    page.wait('Number(document.documentElement.dataset.kept) > 0')
    page.browser.leave('location.reload()')
    page.wait('document.querySelector("#kept") && !document.querySelector("#kept").hidden')
    page.click('#kept-list button:not(.main)')
    page.wait('document.querySelector("#kept").hidden')


def pages_without_locks(page, url):
    """Browsers have no locks where pages come by http: from elsewhere; two pages went on with the same work."""
    bare = 'Object.defineProperty(navigator, "locks", { value: undefined })'
    page.browser.first(bare)
    page.browser.leave('location.reload()')
    page.wait('navigator.locks === undefined && document.querySelector("#new-map").onsubmit !== null')
    page.choose('a.map')
    page.status('a.map: a map of')
    page.click('#add-group')
    kept(page, 1)
    target = page.browser.call('Target.createTarget', url='about:blank')['targetId']
    first, page.browser.session = page.browser.session, None
    page.browser.session = page.browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
    page.browser.call('Page.enable')
    page.browser.first(bare)
    page.browser.navigate(url)
    page.wait('document.querySelector("#kept-list")?.textContent.includes("open in another tab or window")')
    page.browser.session = None
    page.browser.call('Target.closeTarget', targetId=target)
    page.browser.session = first
    page.click('#undo')
    kept(page, '')
    page.browser.leave('location.reload()')
    page.wait('document.querySelector("#new-map").onsubmit !== null')


def what_cannot_be_kept_is_told(url, folder):
    """It was said once behind the first step, and the words of the step took its place."""
    with web.Page(url, folder, first='Object.defineProperty(window, "indexedDB", { value: undefined })') as page:
        page.wait('!document.querySelector("#not-kept").hidden')
        page.choose('a.map')
        page.status('a.map: a map of')
        assert page.text('#not-kept').startswith('Work is not kept in this browser'), page.text('#not-kept')


def new_maps_are_made(page, run):
    for field, value in (('name', 'fresh'), ('width', '30'), ('height', '20'), ('game', 'teeworlds07')):
        page.put(f'#new-{field}', value)
    page.click('#new-map button')
    page.status('fresh.map: a map of teeworlds07, 30 x 20 tiles.')
    hand = Hand(page)
    hand.look(15, 10, 16)
    hand.pick(1)
    hand.at(5, 5)
    page.wait('document.querySelectorAll("#steps li").length === 1')
    page.click('#save')
    (page.folder / 'fresh.map').write_bytes(page.download('fresh.map'))
    assert run('find', '-c', 'spawn', 'fresh.map').split()[-1] == b'5'
    run('check', '-q', 'fresh.map')


def main(site, teemap):
    if web.DRIVER is not web.browser:
        print('skipped: Chromium alone can be killed and asked for another tab')
        return
    with web.served(site, teemap) as (folder, run, base):
        (folder / 'a.map').write_bytes((folder / 'made.map').read_bytes())
        url = base + 'index.html'
        page = web.Page(url, folder)
        try:
            values_are_seen_and_set(page)
            web.picture(page)
            page = work_survives(page, run, url, folder)
            what_is_downloaded_goes(page, url)
            pages_without_locks(page, url)
            new_maps_are_made(page, run)
            what_cannot_be_kept_is_told(url, folder)
            assert not page.browser.failures, page.browser.failures
        finally:
            page.browser.close()
    print('work is kept, and properties are seen and set')


if __name__ == '__main__':
    web.start(main)
