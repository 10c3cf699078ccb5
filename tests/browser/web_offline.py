#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The page of web/ without a network, in headless Chromium and Firefox: what it asks of its server the first time, how much that is, and that it
opens a map when the server is gone.

    web_offline.py SITE TEEMAP"""
import gzip
import os
import pathlib
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web

MOST_REQUESTS, MOST_BYTES = 6, 700_000


def little_is_asked(page, site):
    page.choose('a.map')
    page.status('a.map: a map of ddnet')
    page.wait('navigator.serviceWorker.ready.then(() => { window.kept = true; }) && window.kept')
    size = sum(len(gzip.compress(pathlib.Path(site, one).read_bytes())) for one in web.Counting.asked)
    install = sorted(web.TO_INSTALL & web.Counting.asked)
    print(f'the page asks for {len(web.Counting.asked)} files of {size} bytes, gzipped; {install} of them to be installed')
    assert len(web.Counting.asked) - len(install) <= MOST_REQUESTS and size <= MOST_BYTES, (web.Counting.asked, size)


def opens_a_map(page):
    page.choose('a.map')
    page.status('a.map: a map of ddnet')
    page.works()


def main(site, teemap):
    web.Handler = web.Counting
    with web.served(site, teemap) as (folder, run, _):
        run('edit', 'made.map', '-o', 'a.map', 'add', 'group', 'Nothing')
        with web.server(site) as base:
            page = web.Page(base, folder)
            little_is_asked(page, site)
        try:
            for again in (base, base + 'index.html'):
                page.browser.open(again)
                opens_a_map(page)
            assert not page.browser.failures, page.browser.failures
        finally:
            page.browser.close()
    print('the page works without its server')


if __name__ == '__main__':
    web.start(main)
