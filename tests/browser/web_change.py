#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Changing maps in the page of web/: the palette and its forms, steps as lines of teemap, undone and done again, work that is stopped, and
what is not downloaded yet.

    web_change.py SITE TEEMAP PICTURE"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from web import CTRL, command, do, key, lines_do_the_same, steps

# A worker that answers the next step as if the module had crashed, when the test wants that.
BREAKING = """window.workers = []; window.breaks = false; const Plain = Worker;
window.Worker = class extends Plain {
  constructor(...given) { super(...given); workers.push(this); }
  postMessage(message, ...more) {
    if (!breaks || message.name !== "step") return super.postMessage(message, ...more);
    breaks = false;
    setTimeout(() => this.onmessage({ data: { id: message.id, error: "the module crashed: unreachable", crash: true } }));
  }
};"""


def forms_are_made_of_the_table(page):
    page.choose('a.map')
    page.status('a.map: a map of')
    command(page, 'extend', way='left', tiles='7')
    page.wait('document.querySelector("#palette-line").textContent === "extend left 7"')
    assert page.ask('document.querySelector("#palette-form select").length === 4'), 'left, right, up, down'
    web.picture(page)
    do(page)
    page.status('Done: teemap edit -i a.map extend left 7')
    command(page, 'rename', address='0', name="it's $5")
    do(page)
    page.status("""Done: teemap edit -i a.map rename 0 'it'\\''s $5'""")
    command(page, 'settings add', command='sv_deepfly 0\nsay "hello"')
    do(page)
    page.status('Done: teemap edit -i a.map settings add')
    command(page, 'extend', way='left')
    page.wait('document.querySelector("#palette-trouble").textContent.includes("Still needed: tiles")')
    key(page, 'Escape')
    page.wait('!document.querySelector("#palette").open')
    command(page, 'rename', address='99/1', name='x')
    do(page)
    page.status('99')


def steps_are_undone(page, run):
    original = (page.folder / 'a.map').read_bytes()
    number = len(steps(page))
    for i in range(20):
        command(page, 'fill', layers=f'game@{i},1+1x1', tile='freeze')
        do(page)
        page.wait('document.querySelectorAll("#steps li").length === %d' % (number + i + 1))
    page.click('#save')
    last = page.download('a.map')
    for _ in range(number + 20):
        page.ask('document.querySelector("#picture").focus()')
        left = page.ask('document.querySelectorAll("#steps .undone").length')
        key(page, 'z', CTRL)
        page.wait('document.querySelectorAll("#steps .undone").length === %d' % (left + 1))
    assert page.ask('document.querySelector("#undo").disabled')
    page.click('#save')
    assert page.download('a.map') == original, 'all undone: the same file'
    for name, modifiers in (('y', CTRL), ('z', CTRL + 8)):
        left = page.ask('document.querySelectorAll("#steps .undone").length')
        key(page, name, modifiers)
        page.wait('document.querySelectorAll("#steps .undone").length === %d' % (left - 1))
    page.ask('[...document.querySelectorAll("#steps button.place")].at(-1).click()')
    page.wait('!document.querySelector("#steps .undone")')
    page.click('#save')
    assert page.download('a.map') == last, 'all done again'
    lines_do_the_same(page, run)


def work_is_stopped(page, run):
    run('new', '--size', '4000x3000', 'large.map')
    page.choose('large.map')
    page.status('large.map: a map of')
    command(page, 'fill', layers='game', tile='freeze')
    do(page)
    page.status('Done: teemap edit -i large.map fill game freeze')
    page.click('#save')
    before = page.download('large.map')
    command(page, 'scale', way='2')
    do(page)
    page.wait('!document.querySelector("#busy").hidden && document.querySelector("#busy-words").textContent.includes("Working")')
    page.click('#stop')
    page.status('Stopped. The map is as it was before.')
    assert len(steps(page)) == 1
    page.click('#save')
    assert page.download('large.map') == before


def a_crash_is_a_message(page):
    """The worker answers once as it does when the module broke: a new one has the map as it was."""
    page.choose('a.map')
    page.status('a.map: a map of')
    command(page, 'extend', way='left', tiles='7')
    do(page)
    page.status('Done: teemap edit')
    page.click('#save')
    before = page.download('a.map')
    number = page.ask('workers.length')
    page.ask('breaks = true, 0')
    command(page, 'extend', way='left', tiles='9')
    do(page)
    page.status('the module crashed')
    page.wait('workers.length > %d' % number)
    assert len(steps(page)) == 1
    page.click('#save')
    assert page.download('a.map') == before
    command(page, 'extend', way='left', tiles='9')
    do(page)
    page.status('Done: teemap edit -i a.map extend left 9')


def other_maps_and_pictures_are_handed_over(page, run):
    run('cat', 'made.map', 'image/own', '-o', 'logo.png')
    run('new', 'other.map')
    page.choose('a.map')
    page.status('a.map: a map of')
    command(page, 'append')
    page.choose('other.map', into='#argument-0')
    do(page)
    page.status('Done: teemap edit -i a.map append other.map')
    command(page, 'add image', name='logo')
    page.choose('logo.png', into='#argument-1')
    do(page)
    page.status('Done: teemap edit -i a.map add image logo logo.png')
    lines_do_the_same(page, run, exact=False)


def changes_are_not_lost(page):
    page.choose('a.map')
    page.status('a.map: a map of')
    command(page, 'extend', way='left', tiles='7')
    do(page)
    page.status('Done: teemap edit')
    page.ask('(window.confirm = (text) => { window.asked = text; return false; }, 0)')
    page.choose('large.map')
    page.wait('/not downloaded/.test(window.asked)')
    assert page.ask('(() => { const event = new Event("beforeunload", { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()')
    page.click('#undo')
    page.status('Undone: 1 step.')
    assert not page.ask('(() => { const event = new Event("beforeunload", { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()')


def main(site, teemap):
    with web.served(site, teemap) as (folder, run, base):
        run('edit', 'made.map', '-o', 'a.map', 'add', 'group', 'Nothing')
        with web.Page(base + 'index.html', folder, BREAKING) as page:
            forms_are_made_of_the_table(page)
            lines_do_the_same(page, run)
            steps_are_undone(page, run)
            work_is_stopped(page, run)
            page.ask('(window.confirm = () => true, 0)')
            a_crash_is_a_message(page)
            other_maps_and_pictures_are_handed_over(page, run)
            changes_are_not_lost(page)
    print('maps are changed in the page')


if __name__ == '__main__':
    web.start(main)
