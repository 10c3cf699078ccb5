# SPDX-License-Identifier: Zlib
"""A hand at the page of web/ that counts what it does: all input goes through it, as a user gives it. A click, a drag, a
key with its modifiers, a key that is held, a notch of the wheel and each typed word count as one; moving the pointer and waiting do not."""

import json
import time

from browser import ALT, CTRL, SHIFT


class Hand:
    def __init__(self, page):
        self.page, self.browser, self.actions, self.view = page, page.browser, 0, None

    def look(self, x, y, scale):
        """Shows a place of the map; before the count begins."""
        self.view = (x, y, scale)
        self.page.ask(f'location.hash = "view=0,0,1"; location.hash = "view={x},{y},{scale}&entities=1"')
        self.page.wait(f'location.hash.includes("view={x},{y},{scale}")')
        time.sleep(0.4)
        self.actions = 0

    # ------------------------------------------------------------------------------------------- places

    def tile(self, x, y):
        """The middle of a tile on the screen."""
        left, top, width, height = self.page.ask(
            '(({ x, y, width, height }) => [x, y, width, height])'
            '(document.querySelector("#picture").getBoundingClientRect())'
        )
        at_x, at_y, scale = self.view
        return left + width / 2 + (x + 0.5 - at_x) * scale, top + height / 2 + (y + 0.5 - at_y) * scale

    def px(self, x, y):
        """A place of the game layer's world, in px of the map, on the screen."""
        left, top = self.tile(x / 32, y / 32)
        return left - self.view[2] / 2, top - self.view[2] / 2

    def curve(self, time, value):
        """A place of the curves of an envelope on the screen."""
        frame, (left, top, wide, high) = self.page.ask(
            """(() => { const one = document.querySelector("#curves"), { x, y, width, height } = one.getBoundingClientRect();
            return [JSON.parse(one.dataset.frame), [x, y, width, height]]; })()"""
        )
        across = (time - frame['from']) / (frame['to'] - frame['from'])
        down = (frame['high'] - value) / (frame['high'] - frame['low'])
        return left + across * wide, top + frame['ruler'] + down * (high - frame['ruler'])

    def places(self, number):
        """Waits until so many quads can be dragged, as they are now."""
        self.page.wait(f'document.querySelector("#quads-panel:not([hidden])")?.dataset.places === "{number}"')

    def element(self, selector):
        self.page.wait(
            '(() => { const { width } = document.querySelector(%s).getBoundingClientRect(); return width > 0; })()'
            % json.dumps(selector),
            20,
        )
        x, y, seen = self.page.ask(
            '''(() => { const one = document.querySelector(%s), r = one.getBoundingClientRect(), x = r.left + r.width / 2,
            y = r.top + r.height / 2;
            const at = document.elementFromPoint(x, y); 
            return [x, y, one === at || one.contains(at) || at?.labels?.length > 0 || at?.contains(one)]; })()'''
            % json.dumps(selector)
        )
        assert seen, f'{selector} is not in sight: to scroll is an action'
        return x, y

    def sheet(self, index):
        """A tile in the picture of all tiles."""
        self.page.wait('document.querySelector("#sheet").open && document.querySelector("#sheet").ariaBusy === "false"')
        left, top, side = self.page.ask(
            '(({ x, y, width }) => [x, y, width / 16])'
            '(document.querySelector("#sheet-picture").getBoundingClientRect())'
        )
        return left + (index % 16 + 0.5) * side, top + (index // 16 + 0.5) * side

    # ------------------------------------------------------------------------------------------- actions

    def press(self, x, y, modifiers=0, button='left'):
        self.drag((x, y), (x, y), modifiers, button)

    def drag(self, before, after, modifiers=0, button='left'):
        self.actions += 1
        buttons = {'left': 1, 'right': 2, 'middle': 4}[button]
        self.browser.mouse('Moved', *before, modifiers=modifiers)
        self.browser.mouse('Pressed', *before, button=button, buttons=buttons, clickCount=1, modifiers=modifiers)
        if before != after:
            for i in range(1, 5):
                self.browser.mouse(
                    'Moved',
                    *(a + (b - a) * i / 4 for a, b in zip(before, after)),
                    button=button,
                    buttons=buttons,
                    modifiers=modifiers,
                )
        self.browser.mouse('Released', *after, button=button, clickCount=1, modifiers=modifiers)

    def click(self, selector, modifiers=0, button='left'):
        self.press(*self.element(selector), modifiers, button)

    def layer(self, address, modifiers=0, button='left'):
        self.click(f'[data-choose="{address}"]', modifiers, button)

    def menu(self, text):
        """A button of the menu that is open."""
        self.page.wait(
            """(() => { const one = [...document.querySelectorAll("#menu[open] button")].find((each) =>
            each.textContent === %s); one?.setAttribute("data-wanted", "");
            return one !== undefined; })()"""
            % json.dumps(text)
        )
        self.click('#menu [data-wanted]')

    def typing(self, selector):
        """A field has the focus: the page gave it to it."""
        self.page.wait('document.activeElement.matches(%s)' % json.dumps(selector))

    def seen(self):
        """The page itself went to a place."""
        x, y, _ = self.view
        self.page.wait(f'!location.hash.includes("view={x},{y},")')
        self.view = tuple(
            float(one) for one in self.page.ask('location.hash.match(/view=([^&]*)/)[1]').split(',')
        )

    def drop(self, name, selector):
        """Drops a file on an element."""
        self.actions += 1
        self.page.drop(name, at=self.element(selector))

    def at(self, x, y, modifiers=0, button='left'):
        self.press(*self.tile(x, y), modifiers, button)

    def over(self, x, y, width, height, modifiers=0, button='left'):
        """A drag over an area of tiles."""
        self.drag(self.tile(x, y), self.tile(x + width - 1, y + height - 1), modifiers, button)

    def key(self, name, modifiers=0):
        self.actions += 1
        self.browser.key_down(name, modifiers)
        self.browser.key_up(name, modifiers)

    def pick(self, first, last=None):
        """Holds Space and takes tiles of the picture that it shows: two actions."""
        self.actions += 1
        self.browser.key_down(' ')
        self.drag(self.sheet(first), self.sheet(first if last is None else last))
        self.browser.key_up(' ')
        self.page.wait(
            '!document.querySelector("#sheet").open && document.querySelector("#brush").ariaBusy === "false"'
        )

    def type(self, text):
        self.actions += len(text.split())
        self.browser.type(text)


__all__ = ['Hand', 'ALT', 'CTRL', 'SHIFT']
