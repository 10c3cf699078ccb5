# SPDX-License-Identifier: Zlib
"""A headless Firefox that a test can drive as it drives Chromium (browser.py), with Python's standard library alone: WebDriver BiDi over a web socket."""
import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time

import browser

NAMES = ('firefox-esr', 'firefox')
# Nothing but the page itself is asked for over the network, and downloads are saved without a question.
PREFERENCES = {'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False, 'app.update.enabled': False,
               'network.captive-portal-service.enabled': False, 'network.connectivity-service.enabled': False, 'browser.safebrowsing.malware.enabled': False,
               'browser.safebrowsing.phishing.enabled': False, 'extensions.systemAddon.update.enabled': False, 'services.settings.server': 'data:,',
               'browser.download.folderList': 2, 'browser.download.always_ask_before_handling_new_types': False, 'gfx.color_management.mode': 0,
               'dom.events.testing.asyncClipboard': True}
KEYS = {'Enter': '\ue007', 'Home': '\ue011', 'End': '\ue010', 'Escape': '\ue00c', 'Tab': '\ue004', 'Delete': '\ue017', 'F2': '\ue032', 'ArrowLeft': '\ue012', 'ArrowUp': '\ue013',
        'ArrowRight': '\ue014', 'ArrowDown': '\ue015'}
BUTTONS = {'left': 0, 'middle': 1, 'right': 2}
MODIFIERS = {browser.ALT: '\ue00a', browser.CTRL: '\ue009', browser.SHIFT: '\ue008'}


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Socket:
    """The texts of a web socket (RFC 6455), each whole."""

    def __init__(self, port, path):
        self.stream = socket.create_connection(('127.0.0.1', port), 60)
        self.file = self.stream.makefile('rb')
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n'
                            'Sec-WebSocket-Version: 13\r\n\r\n'.encode())
        assert b' 101 ' in self.file.readline()
        while self.file.readline().strip():
            pass

    def frame(self, kind, content):
        size = len(content)
        head = struct.pack('>BB', 0x80 | kind, 0x80 | size) if size < 126 else struct.pack('>BBH', 0x80 | kind, 0xfe, size) if size < 1 << 16 else struct.pack('>BBQ', 0x80 | kind, 0xff, size)
        mask = b'mask'  # Firefox ends the connection where it is 0
        self.stream.sendall(head + mask + bytes(one ^ mask[i % 4] for i, one in enumerate(content)))

    def send(self, text):
        self.frame(1, text.encode())

    def receive(self):
        text = b''
        while True:
            first, size = self.file.read(2) or (0x88, 0)
            if size >= 126:
                size = struct.unpack('>H' if size == 126 else '>Q', self.file.read(2 if size == 126 else 8))[0]
            content = self.file.read(size)
            kind = first & 15
            if kind == 8:
                raise EOFError('the browser ended')
            if kind == 9:
                self.frame(10, content)
            if kind > 2:
                continue
            text += content
            if first & 0x80:
                return text.decode()

    def close(self):
        self.file.close()
        self.stream.close()


def plain(value):
    """What a script returned, as WebDriver writes it."""
    kind, given = value['type'], value.get('value')
    if given is None:
        return None
    if kind == 'array':
        return [plain(one) for one in given]
    if kind == 'object':
        return {name: plain(one) for name, one in given}
    return float(given) if kind == 'number' and isinstance(given, str) else given


class Browser(browser.Driven):
    def __init__(self, width, height, ratio=1, touch=False, downloads=None):
        self.folder = tempfile.mkdtemp(prefix='teemap-browser-')
        preferences = {**PREFERENCES, **({'browser.download.dir': str(downloads)} if downloads else {})}
        pathlib.Path(self.folder, 'user.js').write_text(''.join(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n' for name, value in preferences.items()), encoding='utf-8')
        self.process = subprocess.Popen([find(), '--headless', '--no-remote', '--profile', self.folder, '--remote-debugging-port', '0', 'about:blank'],
                                        env={**os.environ, 'HOME': self.folder}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place, until = pathlib.Path(self.folder, 'WebDriverBiDiServer.json'), time.monotonic() + 60
        while not (place.exists() and (said := place.read_text(encoding='utf-8')).strip().endswith('}')):
            assert time.monotonic() < until and self.process.poll() is None, 'Firefox does not start'
            time.sleep(.05)
        self.socket = Socket(json.loads(said)['ws_port'], '/session')
        self.number, self.failures, self.requests = 0, [], []
        self.call('session.new', capabilities={})
        self.context = browser.wait_for(lambda: self.call('browsingContext.getTree')['contexts'], 60, 'Firefox has no page')[0]['context']
        self.call('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent', 'network.fetchError'])
        self.resize(width, height, ratio, touch)

    def resize(self, width, height, ratio=1, touch=False):
        self.call('browsingContext.setViewport', context=self.context, viewport={'width': width, 'height': height}, devicePixelRatio=ratio)

    def call(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({'id': self.number, 'method': method, 'params': params}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get('id') == self.number:
                if answer['type'] == 'error':
                    gone = answer['error'] in ('no such frame', 'no such node') or 'destroyed' in answer['message'] or 'AbortError' in answer['message']
                    raise (browser.PageGone if gone else RuntimeError)(f'{method}: {answer}'[:800])
                return answer['result']
            self.on_event(answer.get('method'), answer.get('params', {}))

    def on_event(self, method, params):
        if method == 'network.fetchError' and params['errorText'] not in ('NS_BINDING_ABORTED', 'NS_BASE_STREAM_CLOSED'):  # the page stopped it
            self.failures.append('request: ' + params['request']['url'] + ': ' + params['errorText'])
        elif method == 'network.beforeRequestSent':
            self.requests.append(params['request']['url'])
        elif method == 'log.entryAdded' and params['level'] in ('error', 'warn'):
            self.failures.append('log: ' + str(params['text']))

    def evaluate(self, expression):
        answer = self.call('script.evaluate', expression=expression, target={'context': self.context}, awaitPromise=True)
        if answer['type'] == 'exception':
            raise RuntimeError(json.dumps(answer['exceptionDetails']['text'])[:600])
        return plain(answer['result'])

    def navigate(self, url):
        self.call('browsingContext.navigate', context=self.context, url=url, wait='complete')

    def first(self, script):
        self.call('script.addPreloadScript', functionDeclaration='() => {' + script + '}')

    def choose(self, selector, paths):
        [node] = self.call('browsingContext.locateNodes', context=self.context, locator={'type': 'css', 'value': selector})['nodes']
        files = [one for path in map(pathlib.Path, paths) for one in (path.rglob('*') if path.is_dir() else [path])]  # folders are not taken
        self.call('input.setFiles', context=self.context, element={'sharedId': node['sharedId']}, files=[str(one) for one in files if one.is_file()])

    def actions(self, *devices):
        self.call('input.performActions', context=self.context, actions=list(devices))

    def keys(self, *halves):
        self.actions({'type': 'key', 'id': 'keys', 'actions': [{'type': kind, 'value': value} for kind, value in halves]})

    def key(self, key, modifiers=0):
        self.key_down(key, modifiers)
        self.key_up(key, modifiers)

    def key_down(self, name, modifiers=0):
        """A key that is held until key_up."""
        held = [value for bit, value in MODIFIERS.items() if modifiers & bit]
        self.keys(*(('keyDown', one) for one in [*held, KEYS.get(name, name)]))

    def key_up(self, name, modifiers=0):
        held = [value for bit, value in MODIFIERS.items() if modifiers & bit]
        self.keys(*(('keyUp', one) for one in [KEYS.get(name, name), *reversed(held)]))

    def type(self, text):
        self.keys(*((kind, one) for one in text for kind in ('keyDown', 'keyUp')))

    def mouse(self, kind, x, y, modifiers=0, button='left', **_):
        held = [value for bit, value in MODIFIERS.items() if modifiers & bit]
        half = {'Moved': None, 'Pressed': 'pointerDown', 'Released': 'pointerUp'}[kind]
        does = [{'type': half, 'button': BUTTONS[button]}] if half else []
        pause = [{'type': 'pause'}] * (1 + len(does))
        self.actions({'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyDown', 'value': one} for one in held] + pause + [{'type': 'keyUp', 'value': one} for one in held]},
                     {'type': 'pointer', 'id': 'mouse', 'actions': [{'type': 'pause'}] * len(held) + [{'type': 'pointerMove', 'x': round(x), 'y': round(y)}, *does]})

    def wheel(self, x, y, down):
        self.actions({'type': 'wheel', 'id': 'wheel', 'actions': [{'type': 'scroll', 'x': round(x), 'y': round(y), 'deltaX': 0, 'deltaY': down}]})

    def touch(self, kind, *points):
        """Start and Move with all fingers, End without any."""
        if points:
            self.fingers = len(points)
        does = {'Start': [{'type': 'pointerDown', 'button': 0}], 'Move': [], 'End': [{'type': 'pointerUp', 'button': 0}]}[kind]
        moves = [[{'type': 'pointerMove', 'x': round(x), 'y': round(y)}] for x, y in points] or [[]] * self.fingers
        self.actions(*({'type': 'pointer', 'id': f'finger{i}', 'parameters': {'pointerType': 'touch'}, 'actions': move + does} for i, move in enumerate(moves)))

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call('browsingContext.captureScreenshot', context=self.context)['data']))

    def close(self):
        try:
            self.call('browser.close')
        except (OSError, EOFError, RuntimeError):
            pass
        self.socket.close()
        self.end()
