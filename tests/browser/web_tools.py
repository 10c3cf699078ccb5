#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The tools of the page of web/: tiles are selected, painted, filled, cleared, copied, pasted and moved, quads dragged, with the pointer
and by keys; automappers run behind; the steps as commands give the same file.

    web_tools.py SITE TEEMAP PICTURE"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from web import ALT, CTRL, SHIFT, do, key, lines_do_the_same, steps

RULES = '[Walls]\nIndex 7\n'


def at(page, x, y):
    """Where a tile is on the screen, of a map of 60 x 40 that is shown as a whole."""
    return page.ask('''(() => { const r = document.querySelector("#picture").getBoundingClientRect(), s = Math.min(r.width / 60, r.height / 40);
        return [r.left + (r.width - 60 * s) / 2 + %f * s, r.top + (r.height - 40 * s) / 2 + %f * s]; })()''' % (x, y))


def drag(page, before, after, modifiers=0):
    (x, y), (to_x, to_y) = at(page, *before), at(page, *after)
    page.browser.mouse('Pressed', x, y, button='left', clickCount=1, modifiers=modifiers)
    for i in range(1, 4):
        page.browser.mouse('Moved', x + (to_x - x) * i / 3, y + (to_y - y) * i / 3, button='left', buttons=1, modifiers=modifiers)
    page.browser.mouse('Released', to_x, to_y, button='left', clickCount=1, modifiers=modifiers)


def tool(page, name):
    page.click(f'#tools input[value={name}]')


def layer(page, address):
    page.put('#layer', address)


def step_is(page, number, text):
    page.wait('document.querySelectorAll("#steps li").length === %d' % number)
    assert steps(page)[-1] == 'teemap edit -i a.map ' + text, steps(page)[-1]


def tiles_are_painted(page):
    page.put('#tile-text', 'freeze')
    tool(page, 'paint')
    assert page.ask('document.querySelector("#entities").checked'), 'one sees what is painted'
    drag(page, (10.5, 30.5), (14.5, 30.5))
    step_is(page, 1, 'fill 1/0@10,30+5x1 freeze')
    drag(page, (20.5, 30.5), (20.5, 32.5))
    step_is(page, 2, 'fill 1/0@20,30+1x3 freeze')
    key(page, 'Escape')
    page.wait('document.querySelector("#tile-text").value === ""')
    page.browser.mouse('Pressed', *at(page, 20.5, 31.5), button='left', clickCount=1, modifiers=ALT)
    page.browser.mouse('Released', *at(page, 20.5, 31.5), button='left', clickCount=1, modifiers=ALT)
    page.wait('document.querySelector("#tile-text").value === "freeze"')


def tiles_are_chosen_from_a_picture(page):
    page.click('#choose-tile')
    page.wait('document.querySelector("#sheet").open && document.querySelector("#sheet").ariaBusy === "false"')
    assert page.text('#sheet-tile').startswith('9: freeze: '), page.text('#sheet-tile')
    colors = page.ask("""(() => { const c = document.querySelector("#sheet-picture"), d = c.getContext("2d").getImageData(0, 0, 512, 512).data, seen = new Set();
        for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()""")
    assert colors > 50, 'the entities are drawn'
    for name in ('ArrowRight', 'ArrowDown'):
        key(page, name)
    assert page.text('#sheet-tile').startswith('26'), page.text('#sheet-tile')
    for name in ('ArrowUp', 'ArrowLeft'):
        key(page, name)
    assert page.text('#sheet-tile').startswith('9: freeze: '), page.text('#sheet-tile')
    key(page, 'Enter')
    assert not page.ask('document.querySelector("#sheet").open')
    page.wait('document.querySelector("#tile-text").value === "freeze"')


def selections_are_worked_on(page):
    tool(page, 'select')
    drag(page, (5.5, 25.5), (8.5, 27.5))
    assert page.ask('document.querySelector("#selection").value') == '5,25+4x3'
    web.picture(page)
    page.put('#tile-text', 'unhookable')
    page.click('#fill')
    step_is(page, 3, 'fill 1/0@5,25+4x3 unhookable')
    key(page, 'c', CTRL)
    page.status('Copied: 5,25+4x3 of 1/0.')
    page.put('#selection', '30,25+1x1')
    page.ask('document.querySelector("#picture").focus()')
    key(page, 'v', CTRL)
    step_is(page, 4, 'paste copied.map 5,25+4x3 30,25 1/0 keep')
    assert page.ask('document.querySelector("#selection").value') == '30,25+4x3', 'what was pasted is selected'
    drag(page, (31.5, 26.5), (33.5, 30.5))
    step_is(page, 5, 'clear 1/0@30,25+4x3 + paste copied.map 30,25+4x3 32,29 1/0 keep')
    page.wait('document.querySelector("#selection").value === "32,29+4x3"')
    key(page, 'ArrowRight', ALT)
    step_is(page, 6, 'clear 1/0@32,29+4x3 + paste copied.map 32,29+4x3 33,29 1/0 keep')
    page.wait('document.querySelector("#selection").value === "33,29+4x3"')
    key(page, 'ArrowLeft', SHIFT)
    key(page, 'ArrowUp', SHIFT)
    assert page.ask('document.querySelector("#selection").value') == '33,29+3x2'
    key(page, 'Delete')
    step_is(page, 7, 'clear 1/0@33,29+3x2')
    key(page, 'Enter')
    step_is(page, 8, 'fill 1/0@33,29+3x2 unhookable')
    web.command(page, 'replace', pattern='unhookable')
    fields = page.ask('[...document.querySelectorAll("#palette-form input")].map((one) => one.value)')
    assert '1/0@33,29+3x2' in fields, ('the form has the selection', fields)
    key(page, 'Escape')
    # A form had a part of a layer where whole ones alone are taken.
    web.command(page, 'crop')
    fields = page.ask('[...document.querySelectorAll("#palette-form input")].map((one) => one.value)')
    assert fields == ['33,29+3x2', ''], fields
    key(page, 'Escape')


def automappers_run_behind(page, run, number):
    tool(page, 'select')
    layer(page, '0/0')
    page.click('#automap')
    page.put('#tile-text', '1')
    page.put('#selection', '2,2+3x3')
    page.click('#fill')
    step_is(page, number + 1, 'fill 0/0@2,2+3x3 1 + automap 0/0@2,2+3x3')
    page.click('#save')
    (page.folder / 'now.map').write_bytes(page.download('a.map'))
    assert b'0/0@2,2+3x3: 9 tiles, 7' in run('find', '0/0@2,2+3x3/7', 'now.map'), 'the rules make 7 of 1'


def quads_are_dragged(page, number):
    layer(page, '2/0')
    tool(page, 'quads')
    page.status('Quads that can be dragged: 1.')
    before = page.pixels()
    drag(page, (40, 10), (42, 11))
    page.wait('document.querySelectorAll("#steps li").length === %d' % (number + 1))
    last = steps(page)[-1]
    assert last.startswith("teemap edit -i a.map set '2/0.quads[0].points[0]+=") and last.endswith("'"), last
    x, y = map(int, last.split('+=')[1].rstrip("'").split(','))
    assert abs(x - 64) <= 4 and abs(y - 32) <= 4, last
    page.changed(before)
    page.ask('document.querySelector("#picture").focus()')
    for _ in range(4):  # of the quad that is held still
        key(page, '.')
    page.status('pivot')
    key(page, 'ArrowDown', SHIFT)
    step_is(page, number + 2, "set '2/0.quads[0].points[*]+=0,32'")


def main(site, teemap):
    with web.served(site, teemap) as (folder, run, base):
        run('edit', 'made.map', '-o', 'q.map', 'set', '0.parallax.x=100', '0.parallax.y=100', '0.use_clipping=false', '+', 'add', 'group', 'Q')
        run('edit', 'q.map', '-o', 'a.map', 'add', 'layer', '2', 'quads', '+', 'add', 'quad', '2/0', '1280,320', '256x256', '+', 'set', '0/0.automapper.present=true', '0/0.automapper.config=0')
        (folder / 'grass_main.rules').write_text(RULES)
        with web.Page(base + 'index.html', folder) as page:
            page.choose('a.map', 'grass_main.rules')
            page.status('a.map: a map of')
            tiles_are_painted(page)
            tiles_are_chosen_from_a_picture(page)
            selections_are_worked_on(page)
            quads_are_dragged(page, 8)
            lines_do_the_same(page, run)
            automappers_run_behind(page, run, 10)
    print('tools of the page do what they show')


if __name__ == '__main__':
    web.start(main)
