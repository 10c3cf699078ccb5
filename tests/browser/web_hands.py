#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""What one does by hand in the page of web/: tiles of physics are taken from a picture and written with numbers
that are right, nothing is written where it is not seen, what belongs to a map goes with it, layers are dragged, and files come in every way.

    web_hands.py SITE TEEMAP PICTURE"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from actions import CTRL, SHIFT, Hand
from web import command, do, key, steps

# The kind of layer, a tile, what is written by default, and a tile that does nothing there.
PHYSICS = [
    ('tele', 26, 'tele-in:4', 1),
    ('tele', 29, 'tele-checkpoint:1', 9),
    ('switch', 24, 'switch-open:2', 1),
    ('speedup', 29, 'speedup:force=50', 26),
    ('tune', 68, 'tune:2', 3),
    ('game', 9, 'freeze', 26),
    ('front', 9, 'freeze', 26),
]


def address_of(page, kind):
    return page.ask('document.querySelector("#layers input[data-kind=%s]").value' % kind)


def opened(page, name):
    page.choose(name)
    page.status(f'{name}: a map of')
    hand = Hand(page)
    hand.look(30, 20, 16)
    return hand


def last_step(page, number):
    page.wait('document.querySelectorAll("#steps li").length === %d' % number)
    return steps(page)[-1].split(' -i ')[1].split(' ', 1)[1]


def physics_are_whole(page, hand):
    """The chooser wrote teleporters without a number."""
    for number, (kind, index, text, dead) in enumerate(PHYSICS, 1):
        hand.layer(address_of(page, kind))
        hand.pick(index)
        assert page.ask('document.querySelector("#tile-text").value') == text, (kind, index)
        hand.at(10 + number, 15)
        assert last_step(page, number) == f'fill {address_of(page, kind)}@{10 + number},15+1x1 {text}', (
            kind,
            steps(page)[-1],
        )
        page.click('#choose-tile')
        page.wait('document.querySelector("#sheet").ariaBusy === "false"')
        hand.browser.mouse('Moved', *hand.sheet(dead))
        assert page.text('#sheet-tile').endswith('does nothing in this layer'), (kind, dead, page.text('#sheet-tile'))
        hand.press(*hand.sheet(dead))
        assert page.ask('document.querySelector("#sheet").open'), 'what does nothing is not taken'
        page.ask('document.querySelector("#sheet").close()')
    assert not [one for one in page.findings() if '-number-zero]' in one], page.findings()


def numbers_are_chosen(page, hand, number):
    tele = address_of(page, 'tele')
    hand.layer(tele)
    page.put('#tile-text', '26')  # as the chooser wrote it
    page.wait('document.querySelector("#tile-text").value === "tele-in:4"')
    hand.at(5, 20)
    assert last_step(page, number + 1).endswith('tele-in:4')
    hand.key('f', CTRL)
    page.wait('document.querySelector("#number").value === "5"')
    page.wait('document.querySelector("#tile-text").value === "tele-in:5"')
    hand.click('#number')
    hand.type('200')
    hand.key('Enter')
    page.wait('document.querySelector("#tile-text").value === "tele-in:200"')
    page.put('#number', '0')  # no teleporter has that
    page.wait('document.querySelector("#tile-text").value === "tele-in:1"')
    page.put('#number', '4')
    page.wait('document.querySelector("#tile-text").value === "tele-in:4"')
    page.click('#find-number')
    page.status('Place 1 of 2.')
    hand.look(30, 20, 16)
    return number + 1


def pasted_into_the_chosen_layer(page, hand, number):
    """Paste took the layer that was copied from."""
    game, front, tele = (address_of(page, kind) for kind in ('game', 'front', 'tele'))
    page.click('#tools input[value=select]')
    page.put('#layer', game)
    page.put('#selection', '16,15+2x1')
    page.click('#copy')
    page.status('Copied')
    page.put('#selection', '20,25+1x1')
    page.put('#layer', front)
    page.click('#paste')
    assert front + '@20,25' in last_step(page, number + 1) and game not in last_step(page, number + 1), steps(page)[-1]
    page.put('#layer', tele)
    page.click('#paste')
    page.status('Tiles of a game layer have no meaning in a tele layer.')
    page.put('#layer', '0/0')
    page.click('#paste')
    assert '0/0@20,25' in last_step(page, number + 2), steps(page)[-1]
    return number + 2


def written_where_it_is_seen(page, hand, number):
    """What was painted into a hidden layer, or outside, was said to be done."""
    game = address_of(page, 'game')
    hand.layer(game)
    hand.pick(3)
    box = f'#layers input[value="{game}"]'
    page.click(box)
    page.wait('document.querySelector("#reach").textContent === "The layer is hidden."')
    hand.at(30, 20)
    page.status('is hidden: show it')
    page.click(box)
    page.click(f'[data-lock="{game}"]')
    page.wait('document.querySelector("#reach").textContent === "The layer is locked."')
    hand.at(30, 20)
    page.status('is locked: nothing is written to it')
    hand.over(30, 20, 2, 2, button='right')
    page.status('is locked: nothing is written to it')
    page.click(f'[data-lock="{game}"]')
    page.wait('document.querySelector("#reach").textContent === ""')
    hand.look(0, 20, 16)
    hand.over(-3, 22, 6, 1, SHIFT)
    assert last_step(page, number + 1) == f'fill {game}@0,22+3x1 unhookable', steps(page)[-1]
    page.status('3 of 6 tiles were outside of the layer: not written.')
    hand.over(-9, 22, 3, 3, SHIFT)
    page.status('That is outside of the layer: nothing is written.')
    hand.look(30, 20, 16)
    page.put('#selection', '-1000000000,23+2000000000x1')  # the page went through all of it
    page.click('#fill')
    assert last_step(page, number + 2).startswith(f'fill {game}@0,23+'), steps(page)[-1]
    page.put('#selection', '')
    return number + 2


def layers_are_ordered(page, hand, number):
    first = page.ask('document.querySelector("#layers [data-choose=\'1/2\']").textContent')
    hand.drag(hand.element('[data-choose="1/2"]'), (lambda x, y: (x, y + 6))(*hand.element('[data-choose="1/4"]')))
    assert last_step(page, number + 1) == 'move 1/2 1/4'
    page.wait('document.querySelector("#layers [data-choose=\'1/4\']").textContent === %s' % json.dumps(first))
    page.ask('document.querySelector("#layers [data-choose=\'1/4\']").focus()')
    key(page, 'ArrowUp', 1)
    assert last_step(page, number + 2) == 'move 1/4 1/3'
    assert page.ask('document.querySelector("[data-choose=\'1/3\']").ariaPressed') == 'true'


def locks_go_with_their_layers(page, hand):
    """Locks were kept by address: a layer that was moved was open, another one closed; and what is locked could be removed."""
    number = len(steps(page))
    pressed = 'document.querySelector("[data-lock=\'%s\']").ariaPressed === "%s"'
    page.click('[data-lock="1/4"]')
    page.click('#layers input[value="0/0"]')
    page.wait(pressed % ('1/4', 'true'))
    hand.layer('1/4', button='right')
    hand.menu('Remove')
    page.status('Layer 1/4 is locked: nothing was done.')
    command(page, 'remove', address='1')
    do(page)
    page.status('Layer 1/4 is locked: nothing was done.')
    command(page, 'mirror', way='x')
    do(page)
    page.status('Layer 1/4 is locked: nothing was done.')
    command(page, 'move', address='1', place='0')
    do(page)
    assert last_step(page, number + 1) == 'move 1 0'
    page.wait(pressed % ('0/4', 'true'))
    page.wait(pressed % ('1/0', 'false') + ' && !document.querySelector("#layers input[value=\'1/0\']").checked')
    command(page, 'remove', address='0/1')
    do(page)
    last_step(page, number + 2)
    page.wait(pressed % ('0/3', 'true'))
    page.click('#to-start')
    page.wait('document.querySelector("#undo").disabled')
    page.click('#steps li:nth-child(%d) button' % number)
    page.wait(pressed % ('1/4', 'true'))
    page.click('[data-lock="1/4"]')
    page.click('#all-layers')


def areas_are_filled(page, hand):
    """The bucket and the frame; what is written is what `teemap find` has."""
    number = len([one for one in page.ask('[...document.querySelectorAll("#steps li")].map((one) => one.className)') if not one])
    game = address_of(page, 'game')
    hand.layer(game)
    hand.pick(3)
    page.put('#shape', 'frame')
    hand.over(20, 15, 7, 5)
    script = last_step(page, number + 1)
    assert script.count('fill') == 4 and f'fill {game}@20,15+7x1 unhookable' in script, script
    hand.pick(9)
    page.put('#shape', 'bucket')
    hand.at(22, 17)
    assert last_step(page, number + 2) == f'fill {game}@21,16+5x3 freeze', steps(page)[-1]
    page.put('#shape', 'free')
    hand.key('Escape')


def none_is_free(page, hand):
    """255 was said to be the next free number."""
    page.choose('full.map')
    page.status('full.map: a map of')
    hand.look(30, 20, 16)
    hand.layer(address_of(page, 'tele'))
    page.wait('document.querySelector("#next-number").textContent === "None free"')
    page.click('#next-number')
    page.status('none is free')


def state_goes_with_its_map(page):
    """The layer, the tile and what was copied were still there with another map."""
    hand = opened(page, 'b.map')
    assert page.ask('["#tile-text", "#selection"].map((one) => document.querySelector(one).value).join("")') == ''
    assert page.ask('document.querySelector("#layer").value') == '0/0' and page.ask(
        'document.querySelector("#paste").disabled'
    )
    assert page.text('#slots') == '' and page.ask('document.title') == 'b.map - teemap'
    hand.pick(9)
    hand.at(5, 5)
    page.wait('document.title === "* b.map - teemap"')


def files_come_in_every_way(page, base):
    page.choose('own.png')
    page.status('Used with the map: own.png.')
    page.choose('x.rules')
    page.status('Used with the map: x.rules.')
    page.ask(
        '''(async () => { const data = new DataTransfer();
        data.items.add(new File([await (await fetch("%sa.map")).arrayBuffer()], "pasted.map"));
        dispatchEvent(Object.assign(new Event("paste"), { clipboardData: data })); })()'''
        % base
    )
    page.status('pasted.map: a map of ddnet')
    page.ask('location.hash = "map=http://elsewhere.example/a.map"')
    page.status('this page fetches from other servers by https: alone')
    page.ask('location.hash = "map=%E0%A4%A"')
    page.status('The address of the page is damaged')
    page.ask('location.hash = "view=1e300,1,1"')
    page.pixels()
    page.click('#play')
    page.wait('Number(document.querySelector("#time").value) > 150')
    page.click('#play')


def main(site, teemap):
    with web.served(site, teemap, below='files') as (folder, run, base):
        run('edit', 'made.map', '-o', 'b.map', 'remove', '0')
        run(
            'edit',
            'made.map',
            '-o',
            'a.map',
            'fill',
            'tele@1,1+3x1',
            'tele-in:1',
            '+',
            'fill',
            'tele@2,1+1x1',
            'tele-in:2',
            '+',
            'fill',
            'tele@3,1+1x1',
            'tele-out:3',
        )
        full = [f'fill tele@{i % 16},{i // 16}+1x1 tele-in:{i}' for i in range(1, 256)]
        (folder / 'full.txt').write_text('\n'.join(full))
        run('edit', 'made.map', '-o', 'full.map', '--script', 'full.txt')
        run('cat', 'made.map', 'image/own', '-o', 'own.png')
        (folder / 'x.rules').write_text('[Walls]\nIndex 7\n')
        (folder / 'files' / 'a.map').write_bytes((folder / 'a.map').read_bytes())
        with web.Page(base + 'index.html', folder) as page:
            page.ask('window.confirm = () => true')
            page.browser.resize(1500, 1000)
            hand = opened(page, 'a.map')
            physics_are_whole(page, hand)
            number = numbers_are_chosen(page, hand, len(PHYSICS))
            number = pasted_into_the_chosen_layer(page, hand, number)
            number = written_where_it_is_seen(page, hand, number)
            web.picture(page)
            layers_are_ordered(page, hand, number)
            locks_go_with_their_layers(page, hand)
            areas_are_filled(page, hand)
            none_is_free(page, hand)
            state_goes_with_its_map(page)
            files_come_in_every_way(page, base + 'files/')
    print('hands at the page do what they show')


if __name__ == '__main__':
    web.start(main)
