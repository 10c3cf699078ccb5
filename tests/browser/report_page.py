# SPDX-License-Identifier: Zlib
"""A page of a report in a folder, as `teemap lint --page`, `diff --page` and `merge --page` write it, in a real browser."""
import json
import os
import re
import urllib.parse


class ReportPage:
    """`places` is the id of its list of places, whose buttons tell which one is shown."""

    def __init__(self, browser, folder, places):
        self.browser, self.folder, self.places, self.opened = browser, folder, places, 0

    def open(self, fragment=''):
        self.opened += 1  # another address, so that the page begins anew
        self.browser.open('file://%s/index.html?%d%s' % (urllib.parse.quote(os.path.abspath(self.folder)), self.opened, fragment))
        self.wait()

    def wait(self):
        self.browser.wait('document.readyState === "complete" && [...document.images].every(i => i.complete && i.naturalWidth)')

    def ask(self, script):
        return self.browser.evaluate(script)

    def texts(self):
        return self.ask('[...document.querySelectorAll("#%s button")].map(b => b.textContent)' % self.places)

    def current(self):
        return self.ask('[...document.querySelectorAll("#%s button")].findIndex(b => b.getAttribute("aria-current") === "true")'
                        % self.places)

    def words_stand_out(self):
        """Every text has a contrast of 4.5 to what is behind it, in the dark and in the light."""
        for scheme in ('dark', 'light'):
            self.browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
            self.open('#1')
            faint = self.ask(CONTRAST)
            assert not faint, (scheme, faint)
        self.browser.call('Emulation.setEmulatedMedia', features=[])


CONTRAST = """(() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = color => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = color; paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data]; };
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return rgba("white"); };
  return [...document.body.querySelectorAll("*")].filter(e => e.checkVisibility() && !e.closest("noscript, script") && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    let opacity = 1;
    for (let up = e; up; up = up.parentElement) opacity *= getComputedStyle(up).opacity;
    return [e.tagName + " " + e.textContent.slice(0, 20), (a + .05) / (b + .05) * (opacity < 1 ? opacity : 1)];
  }).filter(([, ratio]) => ratio < 4.5);
})()"""


def data_of(folder):
    """The text of the page, and the data in it."""
    with open(os.path.join(folder, 'index.html'), encoding='utf-8') as file:
        text = file.read()
    return text, json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))
