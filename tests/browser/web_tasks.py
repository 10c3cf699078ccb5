#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Tasks of mappers, done in the page of web/ with the pointer and keys alone; each action is counted (actions.py), and
docs/editor.md lists the counts. A task may cost no more than that, and ends when the map has what was wanted.

    web_tasks.py SITE TEEMAP PICTURE [NUMBER...]"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from actions import CTRL, SHIFT, Hand

MAPS = {'G': 'ddnet06/Gold_Mine-98f7a9.map', 'C': 'ddnet06/coverage-88a73f.map', 'J': 'ddnet06/jungle_day-b0513f.map'}
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


def done(page, run, folder, number):
    work, start, most, view = TASKS[number]
    name = f'{number}.map'
    if start == 'n':
        run('new', '-f', 'start.map')
    else:
        (folder / 'start.map').write_bytes((web.SHARED / 'corpus' / MAPS[start[0]]).read_bytes())
    if start == 'C typo':
        lines = ('sv_deepfly 0', 'tune_zone 2 gravty 0.3', 'tune_zone 3 gravity 0.5')
        run('edit', '-q', '-i', 'start.map', 'settings', 'add', *lines)
    (folder / name).write_bytes((folder / 'start.map').read_bytes())
    page.choose(name)
    page.status(f'{name}: a map of')
    page.ask('document.querySelector("#settings-panel").open = false')  # as it is at first
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
    with web.served(site, teemap) as (folder, run, base), web.Page(base + 'index.html', folder) as page:
        page.browser.resize(1920, 1080)
        page.ask('window.confirm = () => true')
        for number in chosen:
            print(f'task {number}: {done(page, run, folder, number)} actions', flush=True)
            web.picture(page)
    print(f'{len(chosen)} tasks of mappers reach their end')


if __name__ == '__main__':
    web.start(main)
