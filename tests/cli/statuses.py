#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""statuses.py TEEMAP...: every command with every kind of input ends as docs/exit-status.md says; a command that is not in RUNS fails.

The same broken map once gave 2 with info, lint and thumbnail, and 1 with check; a damaged one 0 with most; and a closed pipe 0 with all.
"""
import os
import re
import shutil
import signal
import subprocess
import sys

teemap = sys.argv[1:]
# How each command is run on a map M; what it prints, if anything, goes to standard output.
RUNS = {
    'info': 'info M', 'ls': 'ls M', 'cat': 'cat M info', 'copy': 'copy M -', 'edit': 'edit M -o - mirror x', 'fix': 'fix M -o -',
    'optimize': 'optimize M -o -', 'convert': 'convert --to 0.7 M -o -', 'automap': 'automap -n --all M', 'diff': 'diff M fine.map',
    'patch': 'patch M to-rich.json -o -', 'merge': 'merge fine.map M fine.map -o -', 'unpack': 'unpack M out/dir', 'extract': 'extract -v -t out/dir M',
    'embed': 'embed M -o -', 'find': 'find -e air M', 'size': 'size M', 'check': 'check -v M', 'lint': 'lint -v M', 'render': 'render M -o -',
    'animate': 'animate --duration 0.1 M -o out/a.webp', 'thumbnail': 'thumbnail M -o -', 'tiles': 'tiles --json -t out/dir M',
    'gallery': 'gallery --json --no-animations -t out/dir M', 'doctor': 'doctor M',
}
# The commands that take no map, each with all that must end so.
OTHER = {
    'help': {0: ['help', 'help info', 'help bad-magic', 'help exit-status'], 2: ['help nonsense', 'help info ls', 'help --man nonsense']},
    'new': {0: ['new -'], 2: ['new fine.map/a.map', 'new']},
    'pack': {0: ['pack folder -'], 2: ['pack missing a.map', 'pack fine.map a.map', 'pack folder fine.map/a.map']},
    'rules': {0: ['rules check good.rules'], 1: ['rules check bad.rules'], 2: ['rules check missing.rules', 'rules check fine.map', 'rules nonsense x']},
    'git': {0: ['git text fine.map', 'git text text.map'], 2: ['git nonsense']},
}
OUTPUT = {'-o -': '-o fine.map/a', 'out/': 'fine.map/', 'M -': 'M fine.map/a'}
# What needs no block of data; a block that is broken matters to all others. Of those that draw, the ones that draw no physics.
READS_LITTLE = {'info', 'ls', 'cat', 'copy', 'extract', 'size', 'doctor'}
DRAWS = {'render', 'animate', 'thumbnail'}
# What looks at every block, and says of one that holds less than it announces that something is missing.
READS_ALL = {'check', 'lint', 'optimize', 'gallery'}
GOES_ON = {'fix', 'gallery'}
faults = []


def run(line, stdout=subprocess.PIPE, **more):
    shutil.rmtree('out', ignore_errors=True)
    os.mkdir('out')
    done = subprocess.run([*teemap, *line.split()], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, timeout=120, **more)
    if b'Sanitizer' in done.stderr or b'runtime error' in done.stderr:
        faults.append('%s: %s' % (line, done.stderr[:2000]))
    return done


def expect(statuses, line, **more):
    done = run(line, **more)
    if done.returncode not in statuses:
        faults.append('teemap %s: status %d, not %s: %s' % (line, done.returncode, statuses, done.stderr[:300]))
    if done.returncode == 2 and not done.stderr and not done.stdout.strip():
        faults.append('teemap %s: status 2 without a word' % line)
    return done


def expect_pipe(line):
    """Without a reader: what prints is ended by SIGPIPE, or where that is ignored, fails."""
    prints = run(line).stdout
    if os.environ['TEEMAP'].endswith('.exe'): # Windows has no signals
        return bool(prints)
    ours, theirs = os.pipe()
    os.close(ours)
    for ignored in (False, True):
        done = run(line, stdout=theirs, restore_signals=False,
                   preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL))
        if prints and done.returncode != (2 if ignored else -signal.SIGPIPE):
            faults.append('teemap %s | true: status %d' % (line, done.returncode))
        if prints and ignored and b'standard output: cannot write: Broken pipe' not in done.stderr:
            faults.append('teemap %s | true: %s' % (line, done.stderr[:300]))
        if [name for name in os.listdir('.') if name.startswith('.teemap-')]:
            faults.append('teemap %s | true: litter' % line)
    os.close(theirs)
    return bool(prints)


def try_command(command, pattern):
    on = lambda name: re.sub(r'\bM\b', name + '.map', pattern)
    for name in ('missing', 'text', 'empty', 'cut-head'):
        goes_on = command == 'gallery' and name != 'missing' or command == 'fix' and name == 'cut-head'
        expect({1} if goes_on else {2}, on(name))
    for name in ('cut-data', 'block'):
        little = command in READS_LITTLE | DRAWS and name == 'block'
        expect({0} if little else {1, 2}, on(name))
    if command in DRAWS:
        expect({1}, on('drawn'))
    if command in READS_ALL:
        expect({1}, on('short'))
        expect({1}, on('few'))
    expect({1, 2}, on('claim'))
    expect({0} if command == 'fix' else {1, 2}, on('types'))
    expect({0, 1} if command in ('diff', 'patch', 'lint') else {0}, on('fine'))
    for old, new in OUTPUT.items():
        if old in pattern:
            expect({2}, on('fine').replace(old.replace('M', 'fine.map'), new.replace('M', 'fine.map')))
    expect({2}, on('fine') + ' --no-such-option')
    if command != 'doctor':
        expect({2}, command)
    return expect_pipe(on('rich'))


def list_commands():
    overview = run('help').stdout.decode()
    return re.findall(r'^  ([a-z]+) ', overview.split('\nCommands\n')[1].split('\n\n')[0], re.M)


def check_document(commands, path):
    """The page says of each command what its help says of status 1."""
    with open(path) as file:
        page = dict(re.findall(r'^\| `([a-z]+)` \| (.*) \|$', file.read().split('## What 1 means')[1], re.M))
    for command in commands:
        text = run(command + ' --help').stdout.decode()
        found = re.search(r'\nExit status\n.*?\n  1  (.*?)\n  2  ', text, re.S)
        said = re.sub(r'\s+', ' ', found[1]).replace('`', '') if found else None
        if page.pop(command, None) != said:
            faults.append('%s: of %s, status 1, help says: | `%s` | %s |' % (path, command, command, said))
    faults.extend('%s: there is no command %s' % (path, command) for command in page)


def try_sides():
    """Each map of a diff and a merge counts; of two that are compared, the one that is broken is named."""
    for line in ('diff M fine.map', 'diff fine.map M', 'merge M fine.map rich.map -o -', 'merge fine.map rich.map M -o -'):
        for name in ('cut-data', 'block'):
            done = expect({1, 2}, line.replace('M', name + '.map'))
            if name + '.map: ' not in done.stderr.decode().replace(' (base)', '').replace(' (theirs)', ''):
                faults.append('%s does not name %s.map: %s' % (line, name, done.stderr))


commands = list_commands()
faults += ['%s is in no table of this test' % command for command in commands if command not in RUNS and command not in OTHER]
check_document(commands, os.path.join(os.environ['TEEMAP_SOURCE'], 'docs/exit-status.md'))
prints = [command for command in RUNS if try_command(command, RUNS[command])]
try_sides()
for lines in OTHER.values():
    for status, several in lines.items():
        for line in several:
            expect({status}, line)
    prints.append(expect_pipe(lines[0][0]))
expect({2}, 'nonsense')
expect({2}, '')
assert len(prints) > 22, prints
# Many maps, more than a pipe holds: the sum of what was not printed is none.
for line in ('check -v', 'lint -v', 'optimize -n -v', 'info -v', 'find air', 'ls', 'size', 'edit -n -v'):
    expect_pipe(line + ' rich.map' * 40 + (' mirror x' if line.startswith('edit') else ''))
sys.exit('\n'.join(faults) or None)
