#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Tasks of mappers, done in the page of web/ with the pointer and keys alone; each action is counted (actions.py), and
docs/editor.md lists the counts. A task may cost no more than that, and ends when the map has what was wanted.

    web_tasks.py SITE TEEMAP PICTURE [NUMBER...]"""

import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from actions import ALT, CTRL, SHIFT, Hand

MAPS = {'G': 'ddnet06/Gold_Mine-98f7a9.map', 'C': 'ddnet06/coverage-88a73f.map', 'J': 'ddnet06/jungle_day-b0513f.map'}
BESIDE = ('generic_unhookable.rules', 'desert_main.png')  # what is dropped with each map
STARTS = {  # words of teemap edit that lead to the map one begins with
    'C typo': ('settings', 'add', 'sv_deepfly 0', 'tune_zone 2 gravty 0.3', 'tune_zone 3 gravity 0.5'),
    'C odd': ('replace', 'tele-out:5', 'with', 'air'),
    'G bare': ('replace', 'unhookable,freeze', 'with', 'air', '1/1'),
}
# rules with which each second tile is another one, by chance
RULES = """[Plain]
Index 1

[Random Silver]
Index 1
Index 17
Random 2
Index 33 XFLIP
Pos 0 -1 EMPTY
"""
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / 'golden'
YELLOW = """(() => { const one = document.querySelector("#marks");
    const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 200 && data[i + 1] > 150 && data[i + 2] < 80) found++;
    return found; })()"""  # pixels of a way
DROPPED = (19, 20)  # tasks in which a file is dropped, for which Chromium alone can be asked
TASKS = {}


def task(number, start, most, view):
    """A task on a map, how many actions it takes at most, and where one looks: x, y, pixels of a tile."""

    def keep(work):
        TASKS[number] = (work, start, most, view)
        return work

    return keep


def steps_are(hand, number):
    hand.page.wait('document.querySelectorAll("#steps li").length === %d' % number)


def in_hand(hand):
    """Waits until the brush is what the last action made it."""
    hand.page.wait('document.querySelector("#brush").ariaBusy === "false"')


@task(1, 'G', 5, (85, 50, 10))
def turned_and_painted(hand):
    hand.layer('1/10')
    hand.over(20, 55, 5, 4)
    in_hand(hand)
    hand.key('t')
    hand.key('n')
    in_hand(hand)
    hand.at(148, 41)
    steps_are(hand, 1)
    return [
        'fill',
        '1/10@148,41+1x1',
        '131:flags=14',
        '+',
        'fill',
        '1/10@149,41+1x1',
        '99:flags=10',
        '+',
        'fill',
        '1/10@150,41+1x1',
        '115:flags=10',
        '+',
        'fill',
        '1/10@148,42+1x1',
        '129:flags=14',
        '+',
        'fill',
        '1/10@149,42+1x1',
        '81:flags=14',
        '+',
        'fill',
        '1/10@150,42+1x1',
        '131:flags=14',
        '+',
        'fill',
        '1/10@151,42+1x1',
        '115:flags=10',
        '+',
        'fill',
        '1/10@148,43+1x1',
        '96:flags=14',
        '+',
        'fill',
        '1/10@149,43+2x1',
        '81:flags=14',
        '+',
        'fill',
        '1/10@151,43+1x1',
        '131:flags=14',
        '+',
        'fill',
        '1/10@148,44+1x1',
        '113:flags=10',
        '+',
        'fill',
        '1/10@149,44+1x1',
        '129:flags=14',
        '+',
        'fill',
        '1/10@150,44+2x1',
        '81:flags=14',
        '+',
        'fill',
        '1/10@149,45+1x1',
        '113:flags=10',
        '+',
        'fill',
        '1/10@150,45+2x1',
        '97:flags=10',
    ]


@task(2, 'G', 4, (90, 50, 10))
def filled_with_a_pattern(hand):
    hand.layer('1/9')
    hand.over(24, 58, 2, 2)
    in_hand(hand)
    hand.over(148, 41, 12, 8, SHIFT)
    steps_are(hand, 1)
    hand.over(151, 43, 6, 2, button='right')
    steps_are(hand, 2)
    corners = [
        word
        for y in (41, 43, 45, 47)
        for x in (148, 150, 152, 154, 156, 158)
        for word in ('+', 'fill', f'1/9@{x},{y}+1x1', '35:flags=10')
    ]
    return ['fill', '1/9@148,41+12x8', '19', *corners, '+', 'fill', '1/9@151,43+6x2', 'air']


@task(3, 'G', 12, (150, 45, 16))
def stamped_from_slots(hand):
    hand.layer('1/9')
    hand.pick(16, 34)
    hand.key('1', CTRL)
    hand.pick(35)
    hand.key('2', CTRL)
    hand.at(152, 44)
    hand.at(158, 44)
    hand.key('1')
    in_hand(hand)
    hand.at(148, 41)
    hand.at(154, 41)
    steps_are(hand, 4)
    assert hand.page.text('#slots') == '1 2', 'both slots are filled'
    words = [
        ('fill', f'1/9@{x + i % 3},{41 + i // 3}+1x1', str(16 + i // 3 * 16 + i % 3))
        for x in (148, 154)
        for i in range(6)
    ]
    words += [('fill', f'1/9@{x},44+1x1', '35') for x in (152, 158)]
    return [part for step in words for part in ('+', *step)][1:]


@task(4, 'G', 5, (30, 66, 16))
def copied_to_another_layer(hand):
    hand.layer('1/7')
    hand.over(4, 64, 12, 6)
    in_hand(hand)
    hand.over(4, 64, 12, 6, button='right')
    steps_are(hand, 1)
    hand.layer('1/6')
    hand.at(4, 64)
    steps_are(hand, 2)

    def check(run):
        run('edit', 'start.map', '-o', 'want.map', 'clear', '1/7@4,64+12x6')
        assert not run('diff', '--only', '1/7', 'want.map', 'r.map')
        for field in ('index', 'flags'):
            before, after = (
                [
                    row.split()[4:16]
                    for row in run('cat', '-q', '--field', field, of, address).decode().splitlines()[64:70]
                ]
                for of, address in (('start.map', '1/7'), ('r.map', '1/6'))
            )
            assert before == after and any(map(any, before)), field
        assert run('find', '-c', '1/6@4,64+12x6/*', 'r.map').split()[-1] == b'44'

    return check


@task(5, 'G', 5, (85, 52, 8))
def several_layers_moved(hand):
    hand.layer('1/7', SHIFT)
    hand.layer('1/11', SHIFT)
    hand.over(4, 64, 12, 6)
    in_hand(hand)
    hand.over(4, 64, 12, 6, button='right')
    steps_are(hand, 1)
    hand.at(148, 41)
    steps_are(hand, 2)
    return [
        'clear',
        '1/1@4,64+12x6',
        '+',
        'clear',
        '1/7@4,64+12x6',
        '+',
        'clear',
        '1/11@4,64+12x6',
        '+',
        'paste',
        'start.map',
        '4,64+12x6',
        '148,41',
        '1/1,1/7,1/11',
    ]


@task(6, 'G bare', 4, (85, 50, 10))
def game_tiles_of_the_design(hand):
    for number, (layer, tile) in enumerate((('1/7', 'Freeze'), ('1/11', 'Unhookable'))):
        hand.layer(layer, button='right')
        hand.menu(tile)
        steps_are(hand, number + 1)
    return ['construct', 'freeze', '1/7', '+', 'construct', 'unhookable', '1/11']


@task(7, 'n', 7, (25, 25, 18))
def a_room_by_hand(hand):
    hand.pick(3)
    hand.over(10, 20, 14, 7, SHIFT)
    steps_are(hand, 1)
    hand.over(11, 21, 12, 5, button='right')
    steps_are(hand, 2)
    hand.pick(9)
    hand.over(11, 25, 12, 1, SHIFT)
    steps_are(hand, 3)
    return [
        'fill',
        'Game/Game@10,20+14x7',
        'unhookable',
        '+',
        'fill',
        'Game/Game@11,21+12x5',
        'air',
        '+',
        'fill',
        'Game/Game@11,25+12x1',
        'freeze',
    ]


@task(8, 'C', 7, (20, 14, 18))
def teleporters_with_the_next_number(hand):
    hand.layer('1/2')
    hand.pick(26)
    hand.at(10, 6)
    steps_are(hand, 1)
    hand.pick(27)
    hand.at(14, 12)
    steps_are(hand, 2)
    return ['fill', 'Game/Tele@10,6+1x1', 'tele-in:11', '+', 'fill', 'Game/Tele@14,12+1x1', 'tele-out:11']


@task(9, 'C', 12, (20, 14, 18))
def a_door_and_its_switch(hand):
    hand.layer('1/1')
    hand.click('#delay')
    hand.type('5')
    hand.pick(22)
    hand.at(10, 12)
    steps_are(hand, 1)
    hand.pick(240)
    hand.at(12, 12)
    steps_are(hand, 2)
    hand.pick(210)
    hand.at(12, 13)
    steps_are(hand, 3)
    return [
        'fill',
        'Game/Switch@10,12+1x1',
        'switch-timed-open:7:delay=5',
        '+',
        'fill',
        'Game/Switch@12,12+1x1',
        'door:7',
        '+',
        'fill',
        'Game/Switch@12,13+1x1',
        'laser-short:7',
    ]


@task(10, 'C', 10, (20, 14, 18))
def a_speedup(hand):
    hand.layer('1/3')
    for field, value in (('force', '30'), ('max', '20'), ('angle', '90')):
        hand.click('#' + field)
        hand.type(value)
    hand.pick(29)
    hand.over(10, 14, 6, 1, SHIFT)
    steps_are(hand, 1)
    return ['fill', 'Game/Speedup@10,14+6x1', 'speedup:force=30:max=20:angle=90']


@task(11, 'C', 8, (20, 14, 18))
def a_tuning_zone_with_its_setting(hand):
    hand.layer('1/7')
    hand.pick(68)
    hand.over(6, 6, 5, 3, SHIFT)
    steps_are(hand, 1)
    hand.click('#zone')
    hand.type('gravity 0.2')
    hand.key('Enter')
    steps_are(hand, 2)
    return ['fill', 'Game/Tune@6,6+5x3', 'tune:2', '+', 'settings', 'add', 'tune_zone 2 gravity 0.2']


@task(12, 'G', 15, (85, 50, 10))
def a_group_with_its_image(hand):
    hand.click('#add-group')
    hand.typing('.rename')
    hand.type('Fog')
    hand.key('Enter')
    steps_are(hand, 2)
    hand.key('Home', ALT)
    steps_are(hand, 3)
    hand.key('Enter', ALT)
    hand.click('[data-field="parallax.x"] input')
    hand.type('50')
    hand.key('Tab')
    steps_are(hand, 4)
    hand.type('50')
    hand.key('Enter')
    steps_are(hand, 5)
    hand.click('[data-row="0"] [aria-label^="Add a layer"]')
    steps_are(hand, 6)
    hand.click('#images-panel summary')
    hand.typing('#media-name')
    hand.type('jungle_midground')
    hand.key('Enter')
    steps_are(hand, 7)
    hand.click('[data-media="image/8"] [aria-label^=Use]')
    steps_are(hand, 8)
    words = 'add image jungle_midground + add group Fog + move Fog 0 + set 0.parallax.x=50 0.parallax.y=50'
    return [*words.split(), '+', 'add', 'layer', '0', 'tiles', '+', 'set', '0/0.image=image/8']


@task(13, 'G', 6, (85, 50, 10))
def duplicated_renamed_and_moved(hand):
    hand.layer('1/10')
    hand.key('d', CTRL)
    steps_are(hand, 1)
    hand.page.wait('document.querySelector("[data-choose=\'1/11\']").ariaPressed === "true"')
    hand.key('F2')
    hand.type('Ground2')
    hand.key('Enter')
    steps_are(hand, 2)
    x, y = hand.element('[data-choose="1/0"]')
    hand.drag(hand.element('[data-choose="1/11"]'), (x, y - 6))
    steps_are(hand, 3)
    return ['duplicate', '1/10', '+', 'rename', '1/11', 'Ground2', '+', 'move', '1/11', '1/0']


@task(14, 'G', 10, (85, 50, 10))
def a_color_and_its_envelope(hand):
    hand.layer('0/0')
    hand.click('#properties-panel summary')
    hand.click('[data-field="color"] input')
    hand.type('#8040ffc8')
    hand.key('Enter')
    steps_are(hand, 1)
    hand.click('[data-field="color_envelope"] button')
    hand.typing('#envelope-name')
    hand.type('glow')
    hand.key('Enter')
    steps_are(hand, 3)
    hand.click('[data-channel="3"]')
    hand.drag(hand.curve(1000, 1), hand.curve(1000, 0.5))
    steps_are(hand, 4)
    lines = (
        'add envelope color glow',
        'add point envelope/5 0 1 1 1 1',
        'add point envelope/5 1000 1 1 1 0.5',
        'set 0/0.color=#8040ffc8 0/0.color_envelope=envelope/5',
    )
    return ' + '.join(lines).split()


@task(15, 'C', 4, (20, 14, 18))
def mapped_by_rules(hand):
    hand.layer('1/5', button='right')
    hand.click('#menu-seed')
    hand.type('7')
    hand.menu('Random Silver')
    steps_are(hand, 1)
    return ['automap', '1/5', 'Random Silver', '7']


@task(16, 'G', 3, (35, 55, 16))
def a_quad_with_a_part_of_its_image(hand):
    hand.layer('4/0')
    hand.places(1)
    hand.drag(hand.px(1040, 1700), hand.px(1200, 1956), SHIFT)
    steps_are(hand, 1)
    hand.page.wait('document.querySelector("#quads-told").textContent === "Chosen: 1"')
    hand.page.wait('document.querySelector("#quad-image").hidden === false')
    left, top, side = hand.page.ask(
        '(({ x, y, width }) => [x, y, width])(document.querySelector("#quad-image").getBoundingClientRect())'
    )
    hand.drag((left + 1, top + 1), (left + side / 2, top + side - 1))
    steps_are(hand, 2)

    def check(run):
        old, new = json.loads(run('cat', '--json', 'r.map', '4/0'))['quads']
        assert new['texture'] == ['0,0', '0.5,0', '0,1', '0.5,1'], new
        points = [[float(one) for one in point.split(',')] for point in new['points'][:4]]
        for (x, y), wanted in zip(points, ((1040, 1700), (1200, 1700), (1040, 1956), (1200, 1956))):
            assert abs(x - wanted[0]) <= 16 and abs(y - wanted[1]) <= 16, points
        assert points[1][0] - points[0][0] == 160 and points[2][1] - points[0][1] == 256, points
        assert [old] == json.loads(run('cat', '--json', 'start.map', '4/0'))['quads']

    return check


@task(17, 'G', 8, (40, 50, 16))
def a_quad_is_cut_turned_and_colored(hand):
    hand.layer('1/0')
    hand.places(1)
    hand.key('k')
    hand.drag(hand.px(1040, 1552), hand.px(1168, 1680))
    steps_are(hand, 1)
    hand.page.wait('document.querySelector("#quads-told").textContent === "Chosen: 1"')
    hand.drag(hand.px(1104, 1616), hand.px(1424, 1616))
    steps_are(hand, 2)
    hand.places(2)
    hand.key('t')
    steps_are(hand, 3)
    hand.click('#quad-color')
    hand.type('#ffffff80')
    hand.key('Enter')
    steps_are(hand, 4)

    def check(run):
        old, new = json.loads(run('cat', '--json', 'r.map', '1/0'))['quads']
        assert new['colors'] == ['#ffffff80'] * 4 and new['texture'] == ['0.5,0', '1,0', '0.5,1', '1,1'], new
        wanted = ['1488,1552', '1488,1680', '1360,1552', '1360,1680', '1424,1616']
        assert new['points'] == wanted, new
        assert [old] == json.loads(run('cat', '--json', 'start.map', '1/0'))['quads']

    return check


@task(18, 'G', 11, (35, 50, 12))
def a_position_envelope_with_bezier_curves(hand):
    hand.layer('4/0')
    hand.places(1)
    hand.press(*hand.px(1450, 1600))
    hand.click('#quad-position')
    hand.typing('#envelope-name')
    hand.type('lift')
    hand.key('Enter')
    steps_are(hand, 2)
    hand.click('[data-channel="1"]')
    hand.drag(hand.curve(1000, 0), hand.curve(1000, -64))
    steps_are(hand, 3)
    hand.key('b')
    steps_are(hand, 4)
    hand.press(*hand.curve(2000, 0), SHIFT)
    steps_are(hand, 5)
    hand.press(*hand.curve(0, 0))
    hand.key('b')
    steps_are(hand, 6)

    def check(run):
        rows = [line.split() for line in run('cat', 'r.map', 'envelope/lift').decode().splitlines()[1:]]
        wanted = [('0', 'bezier', '0', '0', '0'), ('1000', 'bezier', '0', '-64', '0'), ('2000', 'linear', '0', '0', '0')]
        assert rows == [list(row) for row in wanted], rows
        (quad,) = json.loads(run('cat', '--json', 'r.map', '4/0'))['quads']
        assert quad['position_envelope'] == 'envelope/lift', quad
        yellow = hand.page.ask(YELLOW)
        assert yellow > 30, f'the way is drawn on the map, in {yellow} pixels'

    return check


@task(19, 'n', 10, (25, 25, 18))
def a_sound_with_its_source(hand):
    hand.drop('sunny.opus', '#picture')
    steps_are(hand, 1)
    hand.click('[data-row="1"] .name', button='right')
    hand.menu('sounds')
    steps_are(hand, 2)
    hand.page.wait('document.querySelector("#layer").value === "1/1" && !document.querySelector("#quads-panel").hidden')
    hand.press(*hand.px(800, 800), SHIFT)
    steps_are(hand, 3)
    hand.click('#properties-panel summary')
    for number, (name, value) in enumerate((('falloff', '40'), ('radius', '300'))):
        hand.click(f'[data-field=".sources[0]{name}"] input')
        hand.type(value)
        if number:
            hand.key('Enter')
    steps_are(hand, 5)

    def check(run):
        layer = json.loads(run('cat', '--json', 'r.map', 'Game/1'))
        wanted = dict(x=800, y=800, loop=1, pan=1, falloff=40, shape='circle', radius=300)
        assert layer['sound'] == 'sound/sunny' and layer['sources'] == [wanted], layer

    return check


@task(20, 'G', 3, (85, 50, 10))
def an_image_embedded_and_one_replaced(hand):
    hand.click('#images-panel summary')
    hand.click('[data-media="image/2"] [aria-label^=embed]')
    steps_are(hand, 1)
    hand.drop('round_tiles.png', '[data-media="image/5"]')
    steps_are(hand, 2)

    def check(run):
        assert run('find', '-c', 'image/2:external=false', 'r.map').split()[-1] == b'1'
        for name, address in (('desert_main', 2), ('round_tiles', 5)):
            pixels = run('cat', 'r.map', f'image/{address}')
            assert pixels == run('cat', 'pictures.map', f'image/{name}'), name
        assert b"'round-tiles+'" in run('ls', 'r.map', '1/7')

    return check


@task(21, 'C typo', 4, (20, 14, 18))
def a_setting_with_a_typo(hand):
    hand.click('#settings-panel summary')
    hand.page.wait('document.querySelector("#wrong-4")?.textContent.includes("gravity")')
    left, wide = hand.page.ask('''(() => { const one = document.querySelector("#setting-4");
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(one).font;
        return [one.getBoundingClientRect().left, pen.measureText("tune_zone 2 grav").width]; })()''')
    hand.press(left + 3 + wide, hand.element('#setting-4')[1])
    hand.type('i')
    hand.key('Enter')
    steps_are(hand, 1)
    return ['settings', 'replace', 'tune_zone 2 gravty 0.3', 'tune_zone 2 gravity 0.3']


@task(22, 'C', 2, (20, 14, 18))
def ten_steps_undone(hand):
    hand.pick(9)
    for x in range(6, 16):
        hand.over(x, 8, 1, 3)
        steps_are(hand, x - 5)
    hand.actions = 0
    hand.click('#to-start')
    hand.page.status('Undone: 10 steps.')
    hand.key('s', CTRL)
    hand.page.status('Downloaded')
    assert not hand.page.ask('document.querySelector("#redo").disabled'), 'redo is possible'
    return []


@task(23, 'C odd', 7, (20, 14, 18))
def an_error_is_found_and_mended(hand):
    hand.page.wait('document.querySelector("#findings").textContent.includes("[tele-without-out]")')
    hand.click('#findings li:has(.error) .place')
    hand.seen()
    assert max(abs(hand.view[0] - 24.5), abs(hand.view[1] - 2.5)) <= 2, hand.view
    hand.layer('1/2')
    hand.click('#number')
    hand.type('5')
    hand.pick(27)
    hand.at(28, 11)
    steps_are(hand, 1)
    return ['fill', 'Game/Tele@28,11+1x1', 'tele-out:5']


@task(24, 'C', 6, (20, 14, 18))
def groups_of_another_map(hand):
    hand.actions += 3  # the dialog of the system: opened, a name typed, Enter
    hand.page.choose('other.map', into='#append-file')
    hand.click('#append-1')
    hand.click('#append-2')
    hand.click('#append button.main')
    steps_are(hand, 1)
    return ['append', 'other.map', '1,2', '+', 'move', '2', '1', '+', 'move', '3', '2']


def done(page, run, folder, number):
    work, start, most, view = TASKS[number]
    name = f'{number}.map'
    if start == 'n':
        run('new', '-f', 'start.map')
    else:
        (folder / 'start.map').write_bytes((web.SHARED / 'corpus' / MAPS[start[0]]).read_bytes())
    if start in STARTS:
        run('edit', '-q', '-i', 'start.map', *STARTS[start])
    (folder / name).write_bytes((folder / 'start.map').read_bytes())
    page.choose(name, *BESIDE)
    page.status(f'{name}: a map of')
    page.ask('for (const one of document.querySelectorAll(".objects details[id]")) one.open = false')  # as it is at first
    hand = Hand(page)
    hand.look(*view)
    try:
        wanted = work(hand)
    except BaseException:
        web.picture(page)
        print(f'task {number}:', page.text('#status'), web.steps(page), page.browser.failures)
        raise
    count = hand.actions
    if not page.text('#status').startswith('Downloaded'):
        hand.key('s', CTRL)
        page.status('Downloaded')
    (folder / 'r.map').write_bytes(page.download(name))
    if callable(wanted):
        wanted(run)
    elif wanted:
        run('edit', 'start.map', '-o', 'want.map', *wanted)
    else:
        (folder / 'want.map').write_bytes((folder / 'start.map').read_bytes())
    told = b'' if callable(wanted) else run('diff', 'want.map', 'r.map', status=None)
    assert not told, (number, told, web.steps(page))
    assert count <= most, f'task {number} takes {count} actions, and took {most}'
    return count


def main(site, teemap):
    if not (web.SHARED / 'corpus').is_dir():
        print('skipped: there is no folder of real maps')
        return
    chosen = [int(one) for one in sys.argv[4:] if one.isdigit()] or sorted(TASKS)
    if web.DRIVER is not web.browser:
        chosen = [number for number in chosen if number not in DROPPED]
    with web.served(site, teemap) as (folder, run, base), web.Page(base + 'index.html', folder) as page:
        (folder / 'generic_unhookable.rules').write_text(RULES)
        for name, source in (('desert_main', 'parallax_wide'), ('round_tiles', 'moving')):
            (folder / f'{name}.png').write_bytes((GOLDEN / f'{source}.png').read_bytes())
        images = [word for name in ('desert_main', 'round_tiles') for word in ('+', 'add', 'image', name, name + '.png')]
        run('edit', 'made.map', '-o', 'pictures.map', *images[1:])
        run('cat', web.SHARED / 'corpus' / 'ddnet06/Sunny_Side_Up-f91419.map', 'sound/0', '-o', 'sunny.opus')
        (folder / 'other.map').write_bytes((web.SHARED / 'corpus' / MAPS['J']).read_bytes())
        page.browser.resize(1920, 1080)
        page.ask('window.confirm = () => true')
        for number in chosen:
            print(f'task {number}: {done(page, run, folder, number)} actions', flush=True)
            web.picture(page)
    print(f'{len(chosen)} tasks of mappers reach their end')


if __name__ == '__main__':
    web.start(main)
