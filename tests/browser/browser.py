# SPDX-License-Identifier: Zlib
"""A headless Chromium that a test can drive, with Python's standard library alone: the DevTools protocol over two pipes."""
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome')
# Nothing but the page itself is asked for over the network; no accelerator; the same colors on every machine.
FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--force-color-profile=srgb',
         '--disable-dev-shm-usage', '--remote-debugging-pipe']
ALT, CTRL, SHIFT = 1, 2, 8  # of DevTools
NUMBERS = {'Tab': 9, 'Enter': 13, 'Escape': 27, ' ': 32, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39,
           'ArrowDown': 40, 'Delete': 46, 'F2': 113}  # of keys, on Windows


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


def odd_name(tool):
    """A name of a map that is HTML, as far as the system of the program takes such names."""
    return '&\'`.map' if tool[-1].endswith('.exe') else '<b>&"\'`.map'


def wait_for(ask, seconds, fault):
    """What ask() gives, as soon as it gives something."""
    end = time.monotonic() + seconds
    while not (found := ask()):
        if time.monotonic() > end:
            raise TimeoutError(fault)
        time.sleep(.03)
    return found


class PageGone(RuntimeError):
    """The page that was asked was left before it answered, or the next one is not there yet."""


class Driven:
    """What all browsers do alike, by their `evaluate`, `navigate`, `mouse`, `process` and `folder`."""

    def leave(self, expression):
        """Evaluates what leaves the page, which may be gone before it answers."""
        try:
            self.evaluate(expression)
        except PageGone:
            pass

    def holds(self, expression):
        """Whether it is true by now. Of a page that gives way to the next one while it is asked, or that lacks its elements yet, it is not."""
        try:
            return self.evaluate('(() => { try { return %s; } catch (error) { return false; } })()' % expression)
        except PageGone:
            return False

    def wait(self, expression, seconds=40):
        wait_for(lambda: self.holds(expression), seconds, 'never true: ' + expression)

    def open(self, url):
        self.navigate('about:blank')
        self.navigate(url)
        self.wait('document.readyState === "complete" && location.href !== "about:blank"')

    def drag(self, x, y, dx, dy):
        self.mouse('Pressed', x, y, button='left', clickCount=1)
        for i in range(1, 5):
            self.mouse('Moved', x + dx * i / 4, y + dy * i / 4, button='left', buttons=1)
        time.sleep(.15)  # so that it is no push
        self.mouse('Released', x + dx, y + dy, button='left', clickCount=1)

    def end(self):
        """Behind the last word to the browser."""
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Browser(Driven):
    """One page. `failures` gathers failed requests, exceptions and messages of the console that are errors or warnings."""

    def __init__(self, width, height, ratio=1, touch=False, downloads=None, profile=None):
        """profile: the folder that an earlier one left behind, as after a crash."""
        self.folder = profile or tempfile.mkdtemp(prefix='teemap-browser-')
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def in_place():  # the browser reads from 3 and writes to 4
            read, write = os.dup(to_read), os.dup(from_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen([find(), *FLAGS, '--user-data-dir=' + self.folder, 'about:blank'], preexec_fn=in_place,
                                        close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.to, self.from_ = os.fdopen(to_write, 'wb'), from_read
        self.rest, self.number, self.session, self.failures, self.requests = b'', 0, None, [], []
        # A browser answers before it has its first page.
        target = wait_for(lambda: next((one for one in self.call('Target.getTargets')['targetInfos'] if one['type'] == 'page'), None), 60, 'Chromium has no page')
        self.session = self.call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')
        self.resize(width, height, ratio, touch)
        self.call('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'])
        if downloads:
            self.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(downloads))

    def resize(self, width, height, ratio=1, touch=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=ratio, mobile=touch)
        self.call('Emulation.setTouchEmulationEnabled', enabled=touch)

    def read(self, until):
        while b'\0' not in self.rest:
            if time.monotonic() > until:
                raise TimeoutError('the browser does not answer')
            part = os.read(self.from_, 1 << 20)
            if not part:
                raise EOFError('the browser ended')
            self.rest += part
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        self.to.write(json.dumps(message).encode() + b'\0')
        self.to.flush()
        until = time.monotonic() + 60
        while True:
            answer = self.read(until)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    gone = answer['error']['message'].endswith(('navigated or closed', 'context was destroyed.', 'context with specified id', 'default execution context'))
                    raise (PageGone if gone else RuntimeError)('%s: %s' % (method, answer['error']))
                return answer['result']
            self.on_event(answer.get('method'), answer.get('params', {}))

    def on_event(self, method, params):
        if method == 'Page.javascriptDialogOpening' and params['type'] == 'beforeunload':  # who typed something is asked
            message = {'id': 0, 'method': 'Page.handleJavaScriptDialog', 'params': {'accept': True}, 'sessionId': self.session}
            self.to.write(json.dumps(message).encode() + b'\0')
            self.to.flush()
        elif method == 'Network.loadingFailed' and not params.get('canceled'):
            self.failures.append('request: ' + params['errorText'])
        elif method == 'Network.requestWillBeSent':
            self.requests.append(params['request']['url'])
        elif method == 'Runtime.exceptionThrown':
            self.failures.append('exception: ' + json.dumps(params['exceptionDetails'])[:600])
        elif method == 'Runtime.consoleAPICalled' and params['type'] in ('error', 'warning', 'assert'):
            self.failures.append('console: ' + json.dumps(params['args'])[:600])
        elif method == 'Log.entryAdded' and params['entry']['level'] in ('error', 'warning') and 'beforeunload' not in params['entry']['text']:
            self.failures.append('log: ' + params['entry']['text'])

    def evaluate(self, expression):
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(json.dumps(answer['exceptionDetails'])[:600])
        return answer['result'].get('value')

    def navigate(self, url):
        self.call('Page.navigate', url=url)

    def first(self, script):
        self.call('Page.addScriptToEvaluateOnNewDocument', source=script)

    def choose(self, selector, paths):
        root = self.call('DOM.getDocument')['root']['nodeId']
        node = self.call('DOM.querySelector', nodeId=root, selector=selector)['nodeId']
        self.call('DOM.setFileInputFiles', nodeId=node, files=paths)

    def key(self, key, modifiers=0):
        typed = {'type': 'keyDown', 'text': key} if len(key) == 1 and modifiers in (0, SHIFT) else {'type': 'rawKeyDown'}
        for kind in (typed, {'type': 'keyUp'}):
            self.call('Input.dispatchKeyEvent', key=key, modifiers=modifiers, windowsVirtualKeyCode={'Escape': 27, 'Tab': 9}.get(key, 0), **kind)

    def _half(self, kind, name, modifiers, **text):
        code = 'Space' if name == ' ' else name
        if len(name) == 1 and name.isalnum():
            code = f'Digit{name}' if name.isdigit() else f'Key{name.upper()}'
        number = NUMBERS.get(name, ord(name.upper()) if len(name) == 1 else 0)
        self.call('Input.dispatchKeyEvent', type=kind, key=name, code=code, modifiers=modifiers,
                  windowsVirtualKeyCode=number, **text)

    def key_down(self, name, modifiers=0):
        """A key that is held until key_up."""
        text = '\r' if name == 'Enter' else name if len(name) == 1 and not modifiers & (ALT | CTRL) else ''
        self._half('keyDown' if text else 'rawKeyDown', name, modifiers, **({'text': text} if text else {}))

    def key_up(self, name, modifiers=0):
        self._half('keyUp', name, modifiers)

    def type(self, text):
        self.call('Input.insertText', text=text)

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type='mouse' + kind, x=x, y=y, **more)

    def wheel(self, x, y, down):
        self.mouse('Wheel', x, y, deltaX=0, deltaY=down)

    def touch(self, kind, *points):
        self.call('Input.dispatchTouchEvent', type='touch' + kind, touchPoints=[{'x': x, 'y': y, 'id': i} for i, (x, y) in enumerate(points)])

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))

    def crash(self):
        """All its processes end at once; the folder stays."""
        children = subprocess.run(['ps', '-o', 'pid=', '--ppid', str(self.process.pid)], capture_output=True, check=False).stdout.split()
        for pid in (self.process.pid, *map(int, children)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.to.close()
        os.close(self.from_)

    def close(self):
        self.session = None
        try:
            self.call('Browser.close')
        except (OSError, EOFError, TimeoutError):
            pass
        self.to.close()
        os.close(self.from_)
        self.end()
