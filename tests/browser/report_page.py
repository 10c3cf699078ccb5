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


def data_of(folder):
    """The text of the page, and the data in it."""
    with open(os.path.join(folder, 'index.html'), encoding='utf-8') as file:
        text = file.read()
    return text, json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))
