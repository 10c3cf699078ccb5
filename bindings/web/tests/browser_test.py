#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""The package in a headless Chromium, or in Firefox with TEEMAP_BROWSER=firefox: as a module and in a worker, under a strict policy, and from
the disk as one plain script.

    browser_test.py PACKAGE MAP CHECKSUM

CHECKSUM: what the view in the map's middle has natively, as tests/tools/portrait prints it."""
import functools
import http.server
import os
import pathlib
import shutil
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'tests' / 'browser'))
import web

POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'"

# Draws the middle of a map; the picture's CRC-32.
DRAW = '''
const table = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });
async function draw(Map, bytes) {
  const map = await Map.load(bytes);
  const { width, height } = map.area;
  const target = new ImageData(480, 320);
  map.render(target, { view: [width / 2, height / 2], time: 1234, background: [0, 0, 0, 255] });
  map.free();
  let crc = -1;
  for (const byte of target.data) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, "0");
}
'''
PAGE = '<!doctype html><meta charset=utf-8><title>test</title><link rel=icon href=data:,>'


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, '.wasm': 'application/wasm', '.js': 'text/javascript'}

    def end_headers(self):
        self.send_header('Content-Security-Policy', POLICY + "; img-src data:")
        super().end_headers()

    def log_message(self, *_):
        pass


def write(folder, name, text):
    (folder / name).write_text(text, encoding='utf-8')


def main(package, map_, checksum):
    folder = pathlib.Path(tempfile.mkdtemp(prefix='teemap-page-'))
    for name in ('teemap.js', 'teemap.wasm', 'teemap.simd.wasm', 'viewer.js', 'viewer.wasm', 'viewer.simd.wasm', 'teemap.single.js', 'viewer.single.js'):
        shutil.copy(os.path.join(package, name), folder)
    shutil.copy(map_, folder / 'a.map')
    work = DRAW + 'const bytes = async () => (await fetch("a.map")).arrayBuffer();\n'
    for name in ('teemap', 'viewer'):
        write(folder, name + '.html', PAGE + f'<script type=module src={name}.page.js></script>')
        write(folder, name + '.page.js', f'import {{ Map }} from "./{name}.js";\n{work}window.result = await draw(Map, await bytes());\n'
              f'const worker = new Worker("{name}.worker.js", {{ type: "module" }});\nworker.onmessage = (event) => {{ window.worked = event.data; }};\n'
              f'const old = new Worker("{name}.old.js");\nold.onmessage = (event) => {{ window.old = event.data; }};\n')
        write(folder, name + '.worker.js', f'import {{ Map }} from "./{name}.js";\n{work}postMessage(await draw(Map, await bytes()));\n')
        write(folder, name + '.old.js', f'importScripts("{name}.single.js");\n{work}bytes().then((given) => draw(teemap.Map, given)).then(postMessage);\n')
        write(folder, name + '.disk.html', PAGE + f'<meta http-equiv=Content-Security-Policy content="default-src \'none\'; script-src file: \'wasm-unsafe-eval\'; img-src data:">'
              f'<script src={name}.single.js></script><script src={name}.disk.js></script>')
        write(folder, name + '.disk.js', DRAW + 'const bytes = new Uint8Array([' + ','.join(map(str, pathlib.Path(map_).read_bytes())) + ']);\n'
              'draw(teemap.Map, bytes).then((crc) => { window.result = crc; });\n')
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f'http://127.0.0.1:{server.server_address[1]}/'
    page = web.DRIVER.Browser(400, 300)
    try:
        for name in ('teemap', 'viewer'):
            page.open(base + name + '.html')
            page.wait('window.result && window.worked && window.old')
            got = page.evaluate('[window.result, window.worked, window.old].join()')
            assert got == ','.join([checksum] * 3), (name, got, checksum)
            page.open((folder / (name + '.disk.html')).as_uri())
            page.wait('window.result')
            assert page.evaluate('window.result') == checksum, (name, 'from the disk')
        assert not page.failures, page.failures
        assert all(url.startswith((base, 'file:', 'data:', 'about:')) for url in page.requests), page.requests
    finally:
        page.close()
        server.shutdown()
        shutil.rmtree(folder)
    print('a module, workers, and a script from the disk draw the same under a strict policy')


if __name__ == '__main__':
    web.skip_without_browser()
    main(*sys.argv[1:])
