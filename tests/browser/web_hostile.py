#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Hostile maps in the page of web/: each is shown or refused in words, work on it can be stopped, and the page lives on; names are never markup;
every control is reached with the Tab key.

    web_hostile.py SITE TEEMAP PICTURE"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser
import web

MAKER = pathlib.Path(__file__).resolve().parent.parent / 'cli' / 'hostile_maps.py'
MARKUP = '<img src=x onerror=alert(1)>'
SHORT = '<b id=evil>'  # names of groups and layers have 11 bytes


# Elements that one may do something with, as far as they are seen; of tools the one that is chosen.
CONTROLS = """[...document.querySelectorAll("button, input, select, summary, [tabindex]")].filter((one) => !one.disabled && one.checkVisibility()
    && !(one.type === "radio" && !one.checked) && one.tabIndex >= 0)"""


def hostile_maps_are_shown_or_refused(page):
    """Opening the next map waited for all that was still to be done to this one; 15,000 names of images took 37 seconds.
    Each takes 2 at most; on two cores with three other tests beside it, ten times as long was not enough once."""
    for path in sorted((page.folder / 'hostile').iterdir()):
        page.choose(f'hostile/{path.name}')
        page.wait('document.querySelector("#status").textContent.startsWith(%s)' % json.dumps(path.name + ': '), 40)
        if path.name == 'many_quads.map':
            what_fails_beside_it_is_said_beside_it(page, path.name)
    page.wait('document.querySelector("#findings").ariaBusy === "true"')
    page.click('#stop')
    page.status('Stopped. The map is as it was before.')
    page.wait('document.querySelector("#findings").textContent.startsWith("Stopped.")')
    time.sleep(.6)
    assert page.ask('document.querySelector("#findings").ariaBusy') == 'false', 'what was stopped does not begin again'
    page.choose('made.map')
    page.status('made.map: a map of ddnet, 60 x 40 tiles.')
    page.works()


def what_fails_beside_it_is_said_beside_it(page, name):
    """The picture of 2,000,000 quads needs more memory than the page gives a map; what was said of the map was lost to that."""
    page.wait('document.querySelector("#stage").previousElementSibling.textContent.startsWith("too many unpacked bytes: ")')
    page.status(name + ': a map of')


def names_are_no_markup(page, run):
    name = browser.odd_name(str(page.folder))
    (page.folder / name).unlink(missing_ok=True)
    run('edit', 'made.map', '-o', name, 'rename', '0', SHORT, '+', 'rename', '0/0', SHORT, '+', 'rename', 'image/0', MARKUP, '+', 'set', f'info.author={MARKUP}', '+',
        'settings', 'add', f'say "{MARKUP}"')
    page.choose(name)
    page.status(f'{name}: a map of')
    page.wait('document.querySelectorAll("#findings .place").length > 0')
    run('edit', name, '-o', 'other.map', 'rename', '0', SHORT[::-1])
    page.choose('other.map', into='#compare-file')
    page.status(f'{name} differs from other.map')
    web.command(page, 'rename', address='0', name=MARKUP[:11])
    web.do(page)
    page.status('Done: teemap edit')
    assert page.ask('document.querySelector("#layers").textContent').count(SHORT) == 1, 'the name of the layer; that of the group is another one now'
    assert not page.ask('document.querySelector("#evil, body img, #findings b, #steps b, #changes b, #layers b, #status *")')


def the_tab_key_reaches_all(page):
    page.click('#tools input[value=select]')
    time.sleep(1)  # places and findings are listed anew
    page.wait('document.querySelector("#findings").ariaBusy === "false" && document.querySelector("#busy").hidden')
    page.ask('document.querySelector("#places details").open = true; document.activeElement.blur()')
    wanted = page.ask(CONTROLS + '.length')
    page.ask('window.seen = new Set(); 0')
    for _ in range(wanted + 10):
        page.browser.key('Tab')
        page.ask('seen.add(document.activeElement), 0')
    missed = page.ask(CONTROLS + '.filter((one) => !seen.has(one)).map((one) => one.outerHTML)')
    assert not missed, missed


def main(site, teemap):
    with web.served(site, teemap) as (folder, run, base):
        (folder / 'hostile').mkdir()
        subprocess.run([sys.executable, MAKER, folder / 'hostile'], check=True)
        given = sorted(web.SHARED.glob('review/inputs/*.map'))
        for path in given:
            shutil.copy(path, folder / 'hostile')
        if not given:
            print('skipped: the hostile maps of', web.SHARED / 'review/inputs')
        with web.Page(base + 'index.html', folder) as page:
            hostile_maps_are_shown_or_refused(page)
            names_are_no_markup(page, run)
            the_tab_key_reaches_all(page)
            web.picture(page)
    print('hostile maps and names do no harm, and keys reach everything')


if __name__ == '__main__':
    web.start(main)
