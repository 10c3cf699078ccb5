#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Comparing, merging, converting and optimising in the page of web/, and maps that are damaged: differences in words and frames, the other
map under a slider, flickering and beside, patches saved and applied, conflicts chosen one by one; all of it as the command line does it.

    web_compare.py SITE TEEMAP PICTURE"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from web import command, do, key, lines_do_the_same, steps


def differences_are_told_and_framed(page, run):
    page.choose('new.map')
    page.status('new.map: a map of')
    page.ask('document.querySelector("#entities").click()')
    page.choose('old.map', into='#compare-file')
    page.status('new.map differs from old.map in')
    told = page.ask('[...document.querySelectorAll("#changes li")].map((one) => one.textContent)')
    plain = run('diff', '-v', 'old.map', 'new.map', status=1).decode()
    assert len(told) == 3 and all(line in plain for line in told), (told, plain)
    frames = page.ask('''(() => { const c = document.querySelector("#marks"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        let amber = 0; for (let i = 0; i < d.length; i += 4) amber += d[i] === 245 && d[i + 1] === 158 && d[i + 2] === 11; return amber; })()''')
    assert frames > 50, 'the tiles that changed are framed'
    before = page.pixels()
    page.click('#changes .place')
    page.changed(before)


def the_other_map_is_seen(page):
    canvas = 'getComputedStyle(document.querySelector("#other"))'
    page.wait(canvas + '.clipPath.startsWith("inset(0px 50%")')
    page.put('#slider', '20')
    page.wait(canvas + '.clipPath.startsWith("inset(0px 80%")')
    web.picture(page)
    shown = page.pixels('#other')
    page.ask('document.querySelector("#picture").focus()')
    page.browser.key('ArrowRight')
    assert page.pixels('#other') != shown, 'both cameras go together'
    page.browser.key('ArrowLeft')
    page.put('#compare-way', 'flicker')
    page.wait('document.querySelector("#other").hidden')
    page.wait('!document.querySelector("#other").hidden')
    page.put('#compare-way', 'side')
    page.wait('Math.abs(document.querySelector("#other").clientWidth - document.querySelector("#picture").clientWidth) <= 2')
    page.wait('document.querySelector("#other").getBoundingClientRect().left >= document.querySelector("#picture").getBoundingClientRect().right - 2')
    page.put('#compare-way', 'alone')
    page.wait('document.querySelector("#other").hidden')


def patches_are_saved_and_applied(page, run):
    page.click('#save-patch')
    (page.folder / 'p.json').write_bytes(page.download('new.patch.json'))
    run('diff', 'old.map', 'new.map', '-o', 'plain.json', status=1)
    assert json.loads((page.folder / 'p.json').read_text()) == json.loads((page.folder / 'plain.json').read_text())
    page.click('#compare-end')
    page.wait('document.querySelector("#compare").hidden')
    page.choose('old.map')
    page.status('old.map: a map of')
    command(page, 'apply a patch')
    page.choose('p.json', into='#palette-form input[type=file]')
    do(page)
    page.status('Done: teemap patch -i old.map p.json')
    page.click('#save')
    (page.folder / 'patched.map').write_bytes(page.download('old.map'))
    run('diff', 'patched.map', 'new.map')
    lines_do_the_same(page, run, 'old.map')


def conflicts_are_chosen(page, run):
    page.choose('ours.map')
    page.status('ours.map: a map of')
    command(page, 'merge')
    for i, name in enumerate(('theirs.map', 'base.map')):
        page.choose(name, into=f'#argument-{i}')
    do(page)
    page.status('3 conflicts, not chosen yet: 3')
    page.wait('document.querySelectorAll("#conflicts select").length === 3')
    texts = page.ask('[...document.querySelectorAll("#conflicts li > :first-child")].map((one) => one.textContent)')
    plain = run('merge', '--json', '-n', 'base.map', 'ours.map', 'theirs.map', status=1).decode()
    assert all(text in [one['text'] for one in json.loads(plain)['conflicts']] for text in texts), (texts, plain)
    page.click('#conflicts .place')
    for part, way in (('sv_team', 'theirs'), ('tiles at', 'theirs'), ('name is', 'ours')):
        left = page.text('#status')
        page.ask('''(() => { const one = [...document.querySelectorAll("#conflicts li")].find((li) => li.textContent.includes("%s")).querySelector("select");
            one.value = "%s"; one.dispatchEvent(new Event("change")); })()''' % (part, way))
        page.wait('document.querySelector("#status").textContent !== %s' % json.dumps(left))
    page.status('not chosen yet: 0')
    page.click('#merge-do')
    page.status('Done: teemap merge base.map ours.map theirs.map -i --partial --ours=0 --theirs=')
    page.click('#save')
    (page.folder / 'merged.map').write_bytes(page.download('ours.map'))
    assert b'sv_team 3' in run('cat', 'merged.map', 'settings') and b'Mine' in run('ls', 'merged.map')
    assert b'5,5+2x2: 4 tiles, unhookable' in run('find', 'game/unhookable', 'merged.map') or b'unhookable' in run('find', 'game@5,5+2x2/unhookable', 'merged.map')
    lines_do_the_same(page, run, 'ours.map')
    page.click('#undo')
    page.status('Undone: 1 step.')
    page.click('#save')
    assert page.download('ours.map') == (page.folder / 'ours.map').read_bytes()


def maps_are_converted_and_packed(page, run):
    page.choose('old.map')
    page.status('old.map: a map of')
    command(page, 'optimize and pack')
    do(page)
    page.status(' bytes before, ')
    before, after = (int(found.replace(',', '')) for found in re.search(r'([\d,]+) bytes before, ([\d,]+) after', page.text('#status')).groups())
    assert before == (page.folder / 'old.map').stat().st_size and after < before
    page.click('#save')
    packed = page.download('old.map')
    run('optimize', 'old.map', '-o', 'packed.map')
    assert len(packed) == after and packed == (page.folder / 'packed.map').read_bytes()
    page.choose('old.map')
    page.status('old.map: a map of')
    command(page, 'convert', to='teeworlds07', way='keep')
    do(page)
    page.status('Done: teemap convert --to teeworlds07 --images keep -i old.map')
    page.click('#save')
    (page.folder / 'seven.map').write_bytes(page.download('old.map'))
    assert b'teeworlds07' in run('info', 'seven.map')


def two_maps_are_compared_at_once(page, run):
    os.utime(page.folder / 'old.map', (1, 1))
    page.choose('old.map', 'new.map')
    page.status('new.map differs from old.map in')
    # The other map was drawn without its design.
    page.ask('document.querySelector("#entities").checked && document.querySelector("#entities").click()')
    page.put('#compare-way', 'slider')
    page.of_this_size()
    page.ask('location.hash = "view=30,20,16"')
    page.click('#layers input[value="0"]')
    page.equals_native(run, 'old.map', '--region', '10,10,40,20', '--scale', '16', canvas='#other')


def damaged_maps_are_rescued(page, run):
    whole = (page.folder / 'old.map').read_bytes()
    for name, size in (('cut.map', len(whole) - 200), ('head.map', 1200)):
        (page.folder / name).write_bytes(whole[:size])
        page.choose(name)
        page.status(name + ': a map of')
        page.status('The file is damaged (the file ends inside its')
        page.wait('document.querySelectorAll("#findings .error").length > 0')
        page.click('#save')
        (page.folder / 'rescued.map').write_bytes(page.download(name))
        found = run('check', 'rescued.map', status=None)
        assert b'error' not in found, found
    # Of a file whose data are broken nothing was said of what to do.
    broken = bytearray(whole)
    broken[len(whole) // 2:len(whole) // 2 + 200] = bytes(200)
    (page.folder / 'broken.map').write_bytes(broken)
    page.choose('broken.map')
    page.status('broken.map: a map of')
    rescue = '[...document.querySelectorAll("#findings button")].find((one) => one.textContent === "Rescue the rest")'
    page.wait(rescue + ' !== undefined')
    page.ask(rescue + '.click()')
    page.status('Download gives a whole map of what could be rescued')
    page.click('#save')
    page.status('Downloaded: broken.map.')
    (page.folder / 'rescued.map').write_bytes(page.download('broken.map'))
    found = run('check', 'rescued.map', status=None)
    assert b'error' not in found, found
    page.choose('old.map')
    page.status('old.map: a map of')


def main(site, teemap):
    with web.served(site, teemap) as (folder, run, base):
        run('edit', 'made.map', '-o', 'old.map', 'set', '0.parallax.x=100', '0.parallax.y=100', '0.use_clipping=false', '0/0.color_envelope=none', '0/0.image=image/own', '+', 'fill', '0/0', '5')
        run('edit', 'old.map', '-o', 'new.map', 'fill', 'game@5,5+3x2', 'freeze', '+', 'rename', '0', 'Sky', '+', 'settings', 'add', 'sv_team 0')
        run('edit', 'old.map', '-o', 'base.map', 'settings', 'add', 'sv_team 1')
        run('edit', 'base.map', '-o', 'ours.map', 'fill', 'game@5,5+2x2', 'freeze', '+', 'rename', '0', 'Mine', '+', 'settings', 'replace', 'sv_team 1', 'sv_team 2')
        run('edit', 'base.map', '-o', 'theirs.map', 'fill', 'game@5,5+2x2', 'unhookable', '+', 'rename', '0', 'Hers', '+', 'settings', 'replace', 'sv_team 1', 'sv_team 3')
        with web.Page(base + 'index.html', folder) as page:
            page.ask('(window.confirm = () => true, 0)')
            differences_are_told_and_framed(page, run)
            the_other_map_is_seen(page)
            patches_are_saved_and_applied(page, run)
            conflicts_are_chosen(page, run)
            maps_are_converted_and_packed(page, run)
            two_maps_are_compared_at_once(page, run)
            damaged_maps_are_rescued(page, run)
    print('maps are compared, merged, converted and rescued in the page')


if __name__ == '__main__':
    web.start(main)
