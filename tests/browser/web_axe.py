#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""What axe says of the page of web/: empty, with a map, with each tool, a sheet of tiles, its palette, a form, compared, damaged, in light and
dark, wide and on a phone, where all is reached without scrolling sideways. axe-core is fetched once into the folder AXE; where it cannot be had this is said.

    web_axe.py SITE TEEMAP PICTURE AXE"""
import hashlib
import io
import os
import pathlib
import sys
import tarfile
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import web
from web import command, key

AXE = 'https://registry.npmjs.org/axe-core/-/axe-core-4.10.3.tgz'
AXE_SHA256 = '0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292'


def fetch(folder):
    """The text of axe, or None."""
    path = pathlib.Path(folder, 'axe-%s.min.js' % AXE_SHA256[:8])
    if not path.exists():
        try:
            with urllib.request.urlopen(AXE, timeout=120) as answer:
                packed = answer.read()
        except OSError as error:
            print(f'skipped: {AXE} cannot be had: {error}')
            return None
        assert hashlib.sha256(packed).hexdigest() == AXE_SHA256, AXE
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            text = archive.extractfile('package/axe.min.js').read()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return path.read_text(encoding='utf-8')


def nothing_is_found(page, where):
    for scheme in ('light', 'dark'):
        page.browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
        found = page.ask('axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")))')
        assert not found, (where, scheme, found)


def all_fits(page, where):
    wide = page.ask('[document.scrollingElement.scrollWidth, innerWidth]')
    assert wide[0] <= wide[1], (where, wide)
    assert page.ask('document.querySelector("#picture").clientHeight') >= 150, (where, 'there is room for the picture')


def main(site, teemap, picture, axe):
    with web.served(site, teemap) as (folder, run, base):
        run('edit', 'made.map', '-o', 'a.map', 'add', 'group', 'Nothing')
        run('edit', 'a.map', '-o', 'b.map', 'fill', 'game@5,5+3x2', 'freeze', '+', 'rename', '0', 'Sky')
        whole = (folder / 'a.map').read_bytes()
        (folder / 'cut.map').write_bytes(whole[:-200])
        (folder / 'broken.map').write_bytes(whole[:len(whole) // 2] + bytes(200) + whole[len(whole) // 2 + 200:])
        for width, height in ((1000, 700), (360, 740)):
            page = web.Page(base + 'index.html', folder)
            try:
                page.browser.resize(width, height)
                page.ask(axe + '; 0')
                nothing_is_found(page, 'empty')
                page.choose('a.map')
                page.status('a.map: a map of')
                page.wait('document.querySelectorAll("#findings .place").length > 0')
                nothing_is_found(page, 'a map')
                all_fits(page, width)
                page.ask('for (const one of document.querySelectorAll("aside details")) one.open = true;')
                page.put('#find', 'spawn')
                page.click('#find-form button')
                page.status('spawn: ')
                for tool in ('quads', 'paint', 'select'):
                    page.click(f'#tools input[value={tool}]')
                    nothing_is_found(page, tool)
                    all_fits(page, (tool, width))
                page.wait('document.querySelectorAll("#properties .property").length > 0')
                page.click('#envelope-open')
                page.wait('document.querySelector("#channels button") !== null')
                nothing_is_found(page, 'properties and an envelope')
                all_fits(page, ('an envelope', width))
                page.click('#envelope-close')
                all_fits(page, ('properties', width))
                page.click('#layers [data-row="1/0"] .small:last-child')
                page.wait('document.querySelector("#menu").open')
                nothing_is_found(page, 'the menu of a layer')
                key(page, 'Escape')
                page.wait('!document.querySelector("#menu").open')
                key(page, '?')
                page.wait('document.querySelector("#shortcuts").open')
                nothing_is_found(page, 'keys')
                key(page, 'Escape')
                page.click('#choose-tile')
                page.wait('document.querySelector("#sheet").open')
                nothing_is_found(page, 'the sheet of tiles')
                key(page, 'Escape')
                page.put('#selection', '1,1+2x2')
                page.put('#tile-text', 'solid')
                page.click('#fill')
                page.status('Done: teemap edit')
                page.choose('b.map', into='#compare-file')
                page.status('a.map differs from b.map')
                nothing_is_found(page, 'compared')
                all_fits(page, width)
                page.browser.screenshot(picture)
                command(page, 'merge')
                for i, name in enumerate(('b.map', 'made.map')):
                    page.choose(name, into=f'#argument-{i}')
                page.click('#palette-form [type=submit]')
                page.status('not chosen yet')
                nothing_is_found(page, 'merging')
                page.click('#commands')
                page.wait('document.querySelectorAll("#palette-list li").length > 80')
                nothing_is_found(page, 'palette')
                key(page, 'Escape')
                command(page, 'extend')
                nothing_is_found(page, 'form')
                all_fits(page, width)
                key(page, 'Escape')
                page.ask('(window.confirm = () => true, 0)')
                for name in ('cut.map', 'broken.map'):
                    page.choose(name)
                    page.status(name + ': a map of')
                    page.wait('document.querySelectorAll("#findings .error").length > 0')
                    nothing_is_found(page, name)
                    all_fits(page, (name, width))
            finally:
                page.browser.close()
    print('axe finds nothing')


if __name__ == '__main__':
    web.skip_without_browser()
    text = fetch(os.path.abspath(sys.argv[4]))
    if text:
        main(*map(os.path.abspath, sys.argv[1:4]), text)
