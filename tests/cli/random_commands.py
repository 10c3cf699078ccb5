#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""random_commands.py TEEMAP MAP...: every command with random options, right ones and wrong ones, on maps that want to do harm.

Each run has to end with a status that means something, within its time and memory, with a word for every failure, and with nothing
on the way that would drive a terminal. Options are read from --help, so new ones are tried without being added here. The same seed
gives the same runs: TEEMAP_SEED and TEEMAP_RUNS choose them; a failure prints the command.
"""
import os
import random
import re
import resource
import shutil
import subprocess
import sys

# Held at once: 2 GiB of layers, 1 GiB of images. Of addresses a thousand threads take more, for their stacks.
SECONDS, HELD, ADDRESSED = 60, 7 << 29, 16 << 30
STEERING = re.compile('[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]')
NUMBERS = ['0', '1', '2', '3', '7', '12', '0.5', '100', '1000', '-1', '-0.001', '1e300', 'nan', 'inf', '4294967295', '4294967296',
           '99999999999999999999', '0x10', '', ' 1', '1k', '1M', '1G']
SIZES = ['1x1', '2x2', '3x200', '200x3', '64x64', '300x200', '0x5', '5x', 'x', '10001x2', '4294967296x1']
PLACES = ['0,0', '1,2', '-5,1e9', '0,0,10,10', '1,1,1,1', '0,0,-1,5', '1e308,1', ',', '1,', 'nan,nan,nan,nan']
ADDRESSES = ['info', 'settings', '0', '1', '0/0', '0/1', '1/0', '9/9', 'Game/Game', 'image/0', 'sound/0', 'envelope/0', 'item/0', 'data/0',
             'data/1', 'image/-1', '-1/0', '4294967296/0', 'x/y/z', '/', 'design', 'physics', 'game', 'design@50', 'game,front', 'tele@1e9',
             'quads,tiles', 'item/99999', '0/0,0/0']
EVIL = ['\x1b[31m', '\u202ex', 'a' * 5000, '%s%n', '../..', '-', '--', '\udc9b', "'", 'Ä', 'new\nline']
# All but git, which changes the settings of the repository around.
COMMANDS = ['animate', 'automap', 'cat', 'check', 'convert', 'copy', 'diff', 'doctor', 'edit', 'embed', 'extract', 'find', 'fix', 'gallery',
            'help', 'info', 'lint', 'ls', 'merge', 'new', 'optimize', 'pack', 'patch', 'render', 'rules', 'size', 'thumbnail', 'tiles',
            'unpack']
OPERATIONS = ['mirror x', 'rotate 90', 'shift 3,1 wrap', 'crop', 'clean all', 'join all', 'optimize', 'optimize images', 'shrink', 'trim',
              'opaque', 'construct freeze design', 'borders', 'normalize', 'zero unused', 'join physics', 'renumber tele compact', 'isolate',
              'dilate', 'blank', 'quads square', 'extend left 2 edge', 'fill Game freeze', 'replace air with solid', 'clear design',
              'set info.author=x', 'remove image/0', 'duplicate 0', 'settings sort', 'envelope scale 2', 'rgba', 'resize images', 'embed',
              'external', 'scale 2', 'automap', 'x y z', 'rename 0/0 \x1b[2J']
# These say how long a run may take; what is left out of them is the default, minutes for an honest large map.
COSTLY = {'limit': '30M', 'fps': '10', 'duration': '100'}


def read_options(program, command):
    """Of each option: what its value is called or None, and the words of its help, some of which are values."""
    text = subprocess.run([*program, command, '--help'], stdout=subprocess.PIPE, check=True).stdout.decode()
    options = {}
    for part in re.split(r'^  +(?=(?:-\w, )?--[a-z])', text, flags=re.M)[1:]:
        name, kind, about = re.match(r'(?:-\w, )?--([a-z-]+)(?:\[?[ =]\[?([A-Z][\w,:.]*))?(.*)', part, re.S).groups()
        options[name] = kind, re.findall(r'[a-z0-9][a-z0-9.-]*', about.split('\n\n')[0])
    return options


class Runs:
    def __init__(self, program, maps, seed):
        self.program, self.maps, self.random = program, maps, random.Random(seed)
        self.options = {command: read_options(program, command) for command in COMMANDS}

    def value(self, kind, words):
        pick, likely = self.random.choice, self.random.random() < 0.85
        if kind in ('FILE', 'DIR'):
            return pick(['out/a', 'out/a.png', 'out/b.map', 'out/c.webp', 'out', 'out/x/y', '-', '/nowhere/x'] if likely else EVIL)
        if likely and kind in ('WxH', 'LIST', 'LAYERS', 'COLOR'):
            return pick({'WxH': SIZES[:6], 'COLOR': ['ff8000', 'checks', 'transparent']}.get(kind, ADDRESSES))
        if likely and kind and ',' in kind:
            return pick(PLACES[:4])
        return pick(words if likely and words else pick([NUMBERS, SIZES, PLACES, ADDRESSES, EVIL]))

    def arguments(self):
        pick, chance = self.random.choice, self.random.random
        command = pick(COMMANDS)
        options = self.options[command]
        out = [command]
        names = sorted(set(options) - set(COSTLY) - {'help', 'version', 'output', 'target'})
        for name in self.random.sample(names, min(len(names), self.random.randrange(4))):
            kind, words = options[name]
            out.append('--' + name + ('=' + self.value(kind, words) if kind and chance() < 0.95 else ''))
        out += ['--%s=%s' % (name, value) for name, value in COSTLY.items() if name in options]
        places = [['-o', pick(['out/p.png', 'out/p.map', 'out/p.webp'])] if name == 'output' else ['-t', 'out/many']
                  for name in ('output', 'target') if name in options]
        if places and command != 'cat' and chance() < 0.9:
            out += pick(places)
        out += ['--to=' + pick(['ddnet', '0.6', '0.7'])] if command == 'convert' else []
        one, two, three = (pick(self.maps) for _ in range(3))
        operands = {'cat': [one, pick(ADDRESSES)], 'new': ['out/new.map'], 'help': [pick(COMMANDS)], 'doctor': [],
                    'edit': [one, *pick(OPERATIONS).split()], 'diff': [one, two], 'merge': [one, two, three], 'patch': [one, two],
                    'find': [pick(['air', '1', 'tele-in:5', 'image/*', "'x", 'freeze']), one], 'unpack': [one, 'out/folder'],
                    'rules': [pick(['check', 'list', 'format']), one], 'automap': [one, pick(ADDRESSES)]}
        out += operands.get(command, [pick(self.maps)]) if chance() < 0.9 else [pick(self.maps + EVIL) for _ in range(pick([0, 1, 2]))]
        return out

    def run(self):
        shutil.rmtree('out', ignore_errors=True)
        os.mkdir('out')
        arguments = self.arguments()

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            if not os.environ.get('TEEMAP_SANITIZE'):
                resource.setrlimit(resource.RLIMIT_AS, (ADDRESSED, ADDRESSED))
        with open('stdout', 'wb') as out, open('stderr', 'wb') as err:
            child = subprocess.Popen([*self.program, *(os.fsencode(a) if '\udc9b' in a else a.encode() for a in arguments)],
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limits)
            _, ended, used = os.wait4(child.pid, 0)
            status = os.waitstatus_to_exitcode(ended)
        with open('stderr', 'rb') as file:
            talk = file.read()
        with open('stdout', 'rb') as file:
            said = file.read(1 << 20)
        fault = self.fault(arguments, status, said, talk)
        if used.ru_maxrss * 1024 > HELD and not os.environ.get('TEEMAP_SANITIZE'):
            fault = '%d KiB of memory' % used.ru_maxrss
        if fault:
            sys.exit('%s\n%r\nstatus %d\n%s' % (fault, arguments, status, talk[-3000:].decode(errors='backslashreplace')))
        return status

    def fault(self, arguments, status, said, talk):
        if status not in (0, 1, 2):
            return 'it did not end by itself'
        if b'Sanitizer' in talk or b'runtime error' in talk:
            return 'a sanitizer speaks'
        # So many threads do not fit into the 4 GB that a program of another machine may have.
        few = '--threads=1024' not in arguments or len(self.program) == 1
        if b'out of memory' in talk and few:
            return 'more memory than it may have'
        if status == 2 and not talk.strip() and b'error' not in said:
            return 'trouble without a word'
        data = arguments[0] in ('cat', 'copy', 'new', 'render', 'thumbnail', 'animate', 'tiles') or any(
            word.endswith('=-') for word in arguments)  # may go to standard output
        for text in (talk,) if data else (talk, said):
            try:
                found = STEERING.search(text.decode())
            except UnicodeDecodeError as error:
                if error.end < len(text) - 4:
                    return 'not UTF-8: %s' % error
                continue
            if found:
                return 'it lets %s through' % ascii(found[0])
        litter = [name for _, folders, files in os.walk('.') for name in folders + files if name.startswith('.teemap-')]
        return 'it leaves %s' % litter if litter else None


def main(arguments):
    program = [*os.environ.get('TEEMAP_EMULATOR', '').split(), arguments[0]]
    seed, num = int(os.environ.get('TEEMAP_SEED', '20261122')), int(os.environ.get('TEEMAP_RUNS', '150'))
    runs = Runs(program, arguments[1:], seed)
    ended = [0, 0, 0]
    for _ in range(num):
        ended[runs.run()] += 1
    print('%d runs: %d done, %d with findings, %d with trouble' % (num, *ended))
    if num >= 100 and min(ended[0], ended[2]) < num // 20:
        sys.exit('the options are all right or all wrong: nothing is tried')


if __name__ == '__main__':
    main(sys.argv[1:])
