#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Takes screenshots of maps with the games' own clients, to hold our pictures against.

    screenshots.py ddnet OUT MAP [-s WxH] [-o "OPTION VALUE"]... NAME=X,Y[,LEVEL]...
    screenshots.py teeworlds OUT MAP [-s WxH] [-o "OPTION VALUE"]... NAME=CORNER...

Writes OUT/NAME.png. X,Y is the camera's centre in tiles, LEVEL the zoom as DDNet's console counts it (10, the
default, is the game's own; one more is a factor of 0.866025 on what is seen). Teeworlds has no command that
moves the camera: it is driven into a CORNER of the map (nw, ne, sw, se), where it stops 200 px inside.

Needs the packages ddnet, ddnet-server, teeworlds, teeworlds-server, xvfb, xdotool and libgl1-mesa-dri. What the
screenshots are good for, and how to read the time back from them, is told in tests/golden/README.md.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DISPLAY = ':%d' % (70 + os.getpid() % 900)
GRAPHICS = [
    'gfx_fullscreen 0', 'gfx_borderless 1', 'gfx_vsync 0', 'gfx_fsaa_samples 0', 'snd_enable 0', 'cl_showhud 0',
    'cl_motd_time 0', 'cl_showkillmessages 0',
]
# Float texture filtering: without it Mesa's filter weights have 8 bits.
DRIVER = {'DISPLAY': DISPLAY, 'LIBGL_ALWAYS_SOFTWARE': '1', 'SDL_AUDIODRIVER': 'dummy', 'GALLIVM_PERF': 'no_aos_sampling'}


class Game:
    """A client and its server; each has its own home in a folder that is thrown away."""

    def __init__(self, root, port):
        self.root, self.port = root, port
        self.children = []

    def start(self, program, options, environment=None):
        home = self.root / Path(program).name
        log = open(home / 'log', 'wb')
        settings = dict(os.environ, HOME=str(home), XDG_DATA_HOME=str(home), **(environment or {}))
        child = subprocess.Popen([program] + options, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=settings, cwd=home)
        self.children.append(child)
        return child

    def home(self, program):
        home = self.root / program
        home.mkdir(parents=True, exist_ok=True)
        return home

    def wait_for(self, program, text, seconds=40):
        log, end = self.root / program / 'log', time.time() + seconds
        while time.time() < end:
            if text in log.read_text(errors='replace'):
                return
            time.sleep(0.2)
        sys.exit('%s never said "%s":\n%s' % (program, text, log.read_text(errors='replace')[-2000:]))

    def screenshot(self, folder, press, target):
        """Takes one and waits until it is written to the end."""
        before = set(folder.glob('*.png'))
        press()
        end, last = time.time() + 20, -1
        while time.time() < end:
            time.sleep(0.3)
            new = sorted(set(folder.glob('*.png')) - before)
            if new and new[0].stat().st_size == last:
                time.sleep(1)  # the next one's name has the seconds, too
                shutil.move(new[0], target)
                return
            last = new[0].stat().st_size if new else -1
        sys.exit('no screenshot for %s' % target)

    def stop(self):
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def xdotool(*words):
    subprocess.run(['xdotool'] + list(words), env=dict(os.environ, DISPLAY=DISPLAY), check=True)


def display(game, width, height):
    game.home('Xvfb')
    game.start('Xvfb', [DISPLAY, '-screen', '0', '%dx%dx24' % (max(width, 1600), max(height, 1200)), '+extension', 'GLX',
                        '-nolisten', 'tcp'])
    end = time.time() + 10
    while not os.path.exists('/tmp/.X11-unix/X' + DISPLAY[1:]):
        if time.time() > end:
            sys.exit('Xvfb does not start')
        time.sleep(0.1)


def installed(program):
    path = shutil.which(program, path=os.environ.get('PATH', '') + ':/usr/games:/usr/local/games')
    return path or sys.exit('%s is not installed' % program)


def serve(game, program, folder, path, options):
    maps = game.home(program) / folder / 'maps'
    maps.mkdir(parents=True)
    shutil.copy(path, maps / 'shot.map')
    game.start(installed(program), ['sv_map shot', 'bindaddr 127.0.0.1', 'sv_port %d' % game.port, 'sv_register 0'] + options)


def ddnet(game, arguments, size):
    serve(game, 'DDNet-Server', 'ddnet', arguments.map, ['sv_ipv4only 1', 'sv_max_clients 4'])
    home = game.home('DDNet')
    fifo = home / 'fifo'
    options = ['gfx_backend OpenGL', 'gfx_gl_major 3', 'gfx_gl_minor 3', 'gfx_gl_patch 0', 'cl_save_settings 0',
               'cl_show_welcome 0', 'cl_skip_start_menu 1', 'cl_showchat 0', 'cl_show_broadcasts 0', 'cl_nameplates 0',
               'cl_smooth_zoom_time 0', 'cl_default_zoom 10', 'cl_overlay_entities 0', 'cl_background_color 0',
               'cl_background_entities_color 0', 'cl_download_skins 0', 'cl_replays 0', 'cl_race_ghost 0',
               'cl_auto_demo_record 0', 'cl_input_fifo %s' % fifo]
    game.start(installed('DDNet'), GRAPHICS + size + options + arguments.option + ['connect 127.0.0.1:%d' % game.port], DRIVER)
    game.wait_for('DDNet', 'got pong from current server')
    time.sleep(1.5)
    xdotool('key', 'Return')  # closes what warns of images
    time.sleep(0.5)
    xdotool('key', 'Return')

    def say(line, seconds):
        with open(fifo, 'w') as to:
            to.write(line + '\n')
        time.sleep(seconds)

    say('team -1', 1.5)
    for shot in arguments.shots:
        name, place = shot.split('=')
        x, y, level = (place.split(',') + ['10'])[:3]
        say('zoom ' + level, 0.1)
        say('set_view %s %s' % (x, y), 0.8)
        game.screenshot(home / 'ddnet' / 'screenshots', lambda: say('screenshot', 0), Path(arguments.out) / (name + '.png'))


def teeworlds(game, arguments, size):
    serve(game, 'teeworlds-server', 'teeworlds', arguments.map, ['sv_tournament_mode 1'])
    home = game.home('teeworlds')
    options = ['gfx_clear 1', 'cl_showsocial 0', 'cl_show_menu_map 0', 'gfx_limitfps 1', 'gfx_maxfps 30', 'cl_nameplates 0']
    game.start(installed('teeworlds'), GRAPHICS + size + options + arguments.option + ['connect 127.0.0.1:%d' % game.port],
               DRIVER)
    time.sleep(8)
    for shot in arguments.shots:
        name, corner = shot.split('=')
        for _ in range(int(arguments.steps)):
            xdotool('mousemove_relative', '--', '-400' if 'w' in corner else '400', '-400' if 'n' in corner else '400')
            time.sleep(0.02)
        time.sleep(0.8)
        game.screenshot(home / 'teeworlds' / 'screenshots', lambda: xdotool('key', 'F10'), Path(arguments.out) / (name + '.png'))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('game', choices=['ddnet', 'teeworlds'])
    parser.add_argument('out')
    parser.add_argument('map')
    parser.add_argument('shots', nargs='+')
    parser.add_argument('-s', '--size', default='800x500')
    parser.add_argument('-o', '--option', action='append', default=[])
    parser.add_argument('--steps', default='30', help='how many times the mouse pushes Teeworlds\' camera')
    parser.add_argument('--keep', action='store_true', help='keep the logs')
    arguments = parser.parse_intermixed_args()
    width, height = map(int, arguments.size.split('x'))
    root = Path(tempfile.mkdtemp(prefix='screenshots.'))
    game = Game(root, 20000 + os.getpid() % 20000)
    try:
        display(game, width, height)
        run = {'ddnet': ddnet, 'teeworlds': teeworlds}[arguments.game]
        run(game, arguments, ['gfx_screen_width %d' % width, 'gfx_screen_height %d' % height])
    finally:
        game.stop()
        if arguments.keep:
            print(root)
        else:
            shutil.rmtree(root, ignore_errors=True)


if __name__ == '__main__':
    main()
