# SPDX-License-Identifier: Zlib
"""What the tests of web/ share: its page in a headless Chromium, or in Firefox with TEEMAP_BROWSER=firefox, from a server under its own policy,
with maps that teemap made."""
import base64
import contextlib
import functools
import http.server
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import browser
import firefox
from browser import ALT, CTRL, SHIFT  # noqa: F401

DRIVER = {'chromium': browser, 'firefox': firefox}[os.environ.get('TEEMAP_BROWSER', 'chromium')]
TO_INSTALL = {'manifest.json', 'icon.svg'}  # files that a page needs only to be installed
WIDTH, HEIGHT = 640, 320  # of a picture that is compared with one of the command line
SHARED = pathlib.Path(os.environ.get('TEEMAP_SHARED') or pathlib.Path(__file__).resolve().parents[3] / 'shared')  # real and hostile maps
READ = '''((name) => { const c = document.querySelector(name), pen = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
    pen.drawImage(c, 0, 0); return pen.getImageData(0, 0, c.width, c.height).data; })'''


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, '.wasm': 'application/wasm', '.js': 'text/javascript'}

    def __init__(self, *given, below=None, **more):
        self.below = below
        super().__init__(*given, **more)

    def translate_path(self, path):
        if self.below and path.startswith(f'/{self.below[0]}/'):
            return str(self.below[1]) + urllib.parse.unquote(path)
        return super().translate_path(path)

    def log_message(self, *_):
        pass


class Counting(Handler):
    """Notes which files are asked for."""
    asked = set()

    def do_GET(self):
        self.asked.add(urllib.parse.urlparse(self.path).path.lstrip('/') or 'index.html')
        super().do_GET()


class Page:
    def __init__(self, url, folder, first=None, **more):
        """first: a script that runs before those of the page; more: what the browser is given."""
        self.browser, self.folder = DRIVER.Browser(1000, 700, downloads=folder / 'downloads', **more), folder
        self.ask, self.wait = self.browser.evaluate, self.browser.wait
        self.base = url.rsplit('/', 1)[0] + '/'
        if first:
            self.browser.first(first)
        self.browser.open(url)
        self.wait('document.querySelector("#status").textContent.includes("Nothing is uploaded")')

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """Closes the browser; what the page itself reported fails the test, and so does what it asked of others than its server."""
        failures, others = self.browser.failures, [one for one in self.browser.requests if one.startswith('http') and not one.startswith(self.base)]
        self.browser.close()
        assert kind or not (failures or others), (failures, others)

    def choose(self, *names, into='#files'):
        self.browser.choose(into, [str(self.folder / name) for name in names])

    def drop(self, *names, at=None):
        """As one drops files and folders from a file manager on the picture, or elsewhere; Chromium alone can be asked for that."""
        x, y = at or self.ask('(({ x, y }) => [x + 50, y + 50])(document.querySelector("#picture").getBoundingClientRect())')
        for kind in ('dragEnter', 'dragOver', 'drop'):
            self.browser.call('Input.dispatchDragEvent', type=kind, x=x, y=y, data={'items': [], 'files': [str(self.folder / name) for name in names], 'dragOperationsMask': 1})

    def status(self, text):
        try:
            self.wait('document.querySelector("#status").textContent.includes(%s)' % json.dumps(text), 20)
        except TimeoutError as error:
            raise AssertionError(f'{text!r} is not said, but ' + repr(self.text('#status')) + f'; {self.browser.failures}') from error

    def text(self, selector):
        return self.ask('document.querySelector(%s)?.textContent' % json.dumps(selector))

    def click(self, selector):
        self.ask('document.querySelector(%s).click()' % json.dumps(selector))

    def put(self, selector, value):
        """Types into a field, as far as the page can tell."""
        self.ask('(() => { const one = document.querySelector(%s); one.value = %s; for (const name of ["input", "change"]) one.dispatchEvent(new Event(name, { bubbles: true })); })()'
                 % (json.dumps(selector), json.dumps(value)))

    def download(self, name):
        path, until = self.folder / 'downloads' / name, time.monotonic() + 20
        while not path.exists() or not path.stat().st_size or path.with_name(name + '.part').exists():  # Firefox begins with an empty file
            assert time.monotonic() < until, 'there is no download of ' + name
            time.sleep(.05)
        content = path.read_bytes()
        path.unlink()
        time.sleep(.2)  # Chromium drops what a page downloads beyond ten in a second
        return content

    def pixels(self, canvas='#picture'):
        """A number for what the canvas shows, and how many colors it has, when the sharp picture is there."""
        time.sleep(.1)
        self.wait(f'document.querySelector("{canvas}").ariaBusy === "false"')
        return self.ask('''(() => { const d = %s("%s");
            let sum = 7; const colors = new Set(); for (let i = 0; i < d.length; i += 4) { const p = d[i] << 16 | d[i + 1] << 8 | d[i + 2]; sum = (sum * 31 + p) | 0; colors.add(p); }
            return [sum, colors.size]; })()''' % (READ, canvas))

    def changed(self, before):
        """Waits until the picture is another one."""
        return browser.wait_for(lambda: (now := self.pixels())[0] != before[0] and now, 20, 'the picture stays as it was')

    def of_this_size(self):
        """The picture has WIDTH x HEIGHT pixels."""
        self.ask('Object.assign(document.querySelector("#stage").style, { flex: "none", width: "%dpx", height: "%dpx" })' % (WIDTH, HEIGHT))
        self.wait('document.querySelector("#picture").width === %d && document.querySelector("#picture").height === %d' % (WIDTH, HEIGHT))

    def equals_native(self, run, of, *words, canvas='#picture'):
        """The canvas has the pixels that teemap draws of a map; a canvas keeps colors times alpha."""
        native = run('render', of, '--sheet', 'own', '--format', 'raw', '--background', 'transparent', '-o', '-', *words)
        until = time.monotonic() + 20
        while True:
            self.pixels(canvas)
            shown = base64.b64decode(self.ask('''(() => { const d = READ("%s"); let s = "";
                for (let i = 0; i < d.length; i += 4096) s += String.fromCharCode(...d.subarray(i, i + 4096)); return btoa(s); })()'''.replace('READ', READ) % canvas))
            assert len(native) == len(shown) == WIDTH * HEIGHT * 4, (len(native), len(shown))
            if native[3::4] == shown[3::4] and (native == shown or all(abs(native[i] - shown[i]) * native[i | 3] <= 255 for i in range(len(native)))):
                break
            assert time.monotonic() < until, (of, words)
        assert sum(a > 0 for a in native[3::4]) > WIDTH * HEIGHT // 2, 'there is something'

    def works(self):
        """The map has findings with places, and another picture with entities."""
        self.wait('document.querySelectorAll("#findings .place").length > 0')
        before = self.pixels()
        self.click('#entities')
        assert self.changed(before)[1] > 1, 'there is a picture'

    def findings(self):
        return self.ask('[...document.querySelectorAll("#findings > li")].map((one) => one.textContent)')


def key(page, name, modifiers=0):
    page.browser.key(name, modifiers)


def command(page, what, **fields):
    """Finds a command by its name, as one types it, and fills its form."""
    page.ask('document.querySelector("#picture").focus()')
    key(page, 'k', CTRL)
    page.wait('document.querySelectorAll("#palette-list li").length > 80 && document.activeElement.id === "palette-search"')
    page.put('#palette-search', what)
    key(page, 'Enter')
    page.wait('!document.querySelector("#palette-form").hidden')
    assert page.text('#palette-form h2') == what
    for label, value in fields.items():
        field = page.ask('[...document.querySelectorAll("#palette-form label")].find((one) => one.textContent.startsWith("%s")).htmlFor' % label)
        page.put('#' + field, value)


def do(page):
    page.click('#palette-form [type=submit]')


def steps(page):
    return page.ask('[...document.querySelectorAll("#steps code")].map((one) => one.textContent)')


def lines_do_the_same(page, run, name='a.map', exact=True):
    """The steps as commands give the file that the page gives; not `exact`: where data are added, their order in the file may be another one."""
    page.click('#script')
    lines = page.download(name + '.sh').decode().splitlines()
    assert lines == steps(page)
    (page.folder / 'lines').mkdir(exist_ok=True)
    (page.folder / 'lines' / name).write_bytes((page.folder / name).read_bytes())
    for i, line in enumerate(lines):
        words = shlex.split(line)
        assert words[0] == 'teemap'
        for file in page.ask('[...document.querySelectorAll("#steps li")[%d].querySelectorAll("button:not(.place)")].map((one) => (one.click(), one.textContent.replace("Download ", "")))' % i):
            (page.folder / file).write_bytes(page.download(file))
        words[words.index(name)] = 'lines/' + name
        run(*words[1:])
    page.click('#save')
    content = page.download(name)
    if exact:
        assert content == (page.folder / 'lines' / name).read_bytes(), lines
    (page.folder / 'now.map').write_bytes(content)
    run('diff', 'lines/' + name, 'now.map')


@contextlib.contextmanager
def server(site, below=None):
    """The address of a folder; below: the name and place of another one in it."""
    made = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=site, below=below))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield f'http://127.0.0.1:{made.server_address[1]}/'
    finally:
        made.shutdown()
        made.server_close()


@contextlib.contextmanager
def served(site, teemap, below=None):
    """A folder with made.map, a function that runs teemap in it, and the address of the site; below: a folder in it that is served there, too."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='teemap-site-'))
    if below:
        (folder / below).mkdir()

    def run(*words, status=0):
        done = subprocess.run([teemap, *words], cwd=folder, capture_output=True, check=False)
        assert status is None or done.returncode == status, (words, done)
        return done.stdout

    mapmaker = pathlib.Path(__file__).resolve().parent.parent / 'tools' / 'mapmaker.sh'
    subprocess.run([mapmaker, 'build', 'ddnet', folder / 'made.map'], check=True, env={**os.environ, 'TEEMAP': teemap})
    try:
        with server(site, below and (below, folder)) as base:
            yield folder, run, base
    finally:
        shutil.rmtree(folder)


def skip_without_browser():
    if not DRIVER.find():
        print('skipped: no', DRIVER.NAMES[0])
        sys.exit(0)


def picture(page):
    """A screenshot to look at, where ./run web wants it."""
    page.browser.screenshot(os.path.abspath(sys.argv[3]))


def start(main):
    """main(site, teemap) of the words that ./run web gives."""
    skip_without_browser()
    main(*map(os.path.abspath, sys.argv[1:3]))
