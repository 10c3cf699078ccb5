#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""mutate.py [--seed N] [--number N] [--jobs N] [--list] [--fresh] [ROOM | FILE]...: small changes of each room's code, or of one file like
src/merge/merge_values.c, one at a time, built and run against the room's own tests (tests/rooms.txt). A change that no test notices survives,
and is listed with its place: the tests do not hold that line.

--number N   so many changes of each room or file (30), drawn by the seed (1); 0: all
--jobs N     so many at a time, each in its own copy of the tree (the number of processors)
--list       list the changes that would be tried, and try none
--fresh      forget the results of earlier runs

Changes are: comparisons with and without the limit, and turned round; + for -; && for ||; ! and - taken away; a number one larger; true for
false; a statement dropped; two arguments swapped. What does not compile, or compiles to the same code, is not counted. tests/mutants.txt lists
those that change nothing anybody could observe, each with the reason; they are not counted, either.

Results are in build/mutate/results.json, by the text of the function's file: a run that was interrupted goes on, and so does one with a larger
number. Prints survivors, and a table by room; ends with 0, unless the tests fail without any change."""
import argparse
import fnmatch
import hashlib
import json
import os
import queue
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = os.path.join(ROOT, 'build', 'mutate')
TOKEN = re.compile(r'''
    (?P<skip>\s+|/\*.*?\*/|//[^\n]*|(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)''', re.VERBOSE | re.DOTALL)
OTHER = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&', '+': '-', '-': '+', '+=': '-=', '-=': '+=',
         'true': 'false', 'false': 'true', '*': '/', '/': '*', '++': '--', '--': '++'}
TURNED = {'<': '>', '<=': '>=', '>': '<', '>=': '<='}
VALUES = {'name', 'number', 'text'}
WORDS = {'return', 'if', 'while', 'for', 'switch', 'case', 'sizeof', 'else', 'do', 'goto'}
BYTES = 4 << 30  # of memory for a test: a change may make a loop that allocates without end


class Token:
    def __init__(self, match):
        self.kind, self.text, self.begin, self.end = match.lastgroup, match.group(), match.start(), match.end()


class Mutant:
    def __init__(self, file, source, begin, end, text, what):
        self.file, self.begin, self.end, self.text, self.what = file, begin, end, text, what
        first = source.rfind('\n', 0, begin) + 1
        self.line = source.count('\n', 0, begin) + 1
        self.code = source[first:source.find('\n', begin)].strip()
        self.key = '%s:%s:%d:%d:%s' % (file, hashlib.sha1(source.encode()).hexdigest()[:12], begin, end, text)

    def __str__(self):
        return '%s:%d: %s | %s' % (self.file, self.line, self.code, self.what)


def is_value(token):
    return token.kind in VALUES and token.text not in WORDS or token.text in (')', ']')


def closing(tokens, begin):
    """The token that closes the bracket at `begin`."""
    depth = 0
    for i in range(begin, len(tokens)):
        depth += (tokens[i].text in '([{') - (tokens[i].text in ')]}')
        if depth == 0:
            return i
    return len(tokens) - 1


def arguments_of(tokens, opening):
    """The first and last token of each argument of a call whose bracket opens at `opening`."""
    found, depth, first, end = [], 0, opening + 1, closing(tokens, opening)
    for i in range(opening + 1, end + 1):
        if depth == 0 and (tokens[i].text == ',' or i == end):
            found.append((first, i - 1))
            first = i + 1
        depth += (tokens[i].text in '([{') - (tokens[i].text in ')]}')
    return [(a, b) for a, b in found if a <= b]


def mutants_of_token(file, source, tokens, i):
    token, before, after = tokens[i], tokens[i - 1], tokens[i + 1]

    def change(text, what, begin=token.begin, end=token.end):
        return Mutant(file, source, begin, end, text, what)
    if token.kind == 'sign' and token.text in OTHER and is_value(before) and (is_value(after) or after.text in '(-!&*~' or token.text in ('++', '--')):
        spaced = before.end < token.begin and token.end < after.begin  # neither the star of a pointer nor a sign
        if spaced or token.text in ('++', '--'):
            yield change(OTHER[token.text], '%s for %s' % (OTHER[token.text], token.text))
            if token.text in TURNED:
                yield change(TURNED[token.text], '%s for %s' % (TURNED[token.text], token.text))
    elif token.text in ('!', '-') and not is_value(before) and (is_value(after) or after.text == '('):
        yield change(' ', 'no %s' % token.text)
    elif token.kind == 'number' and re.fullmatch(r'[0-9]+[uUlL]*', token.text) and before.text not in ('[', '.'):
        number = re.match(r'[0-9]+', token.text).group()
        more = str(int(number) + 1) + token.text[len(number):]
        yield change(more, '%s for %s' % (more, token.text))
    elif token.text in ('true', 'false'):
        yield change(OTHER[token.text], '%s for %s' % (OTHER[token.text], token.text))
    elif token.kind == 'name' and token.text not in WORDS and after.text == '(' and (before.kind != 'name' or before.text in WORDS):
        found = arguments_of(tokens, i + 1)
        for (a, b), (c, d) in zip(found, found[1:]):
            left, right = source[tokens[a].begin:tokens[b].end], source[tokens[c].begin:tokens[d].end]
            if left != right and not any(tokens[k].text == ',' for k in range(a, b)):
                between = source[tokens[b].end:tokens[c].begin]
                yield change(right + between + left, 'arguments %s and %s swapped' % (left, right), tokens[a].begin, tokens[d].end)


def dropped_statement(file, source, tokens, i):
    """A statement of one expression that begins at token i: a call, or a value that is given."""
    if tokens[i - 1].text not in (';', '{', '}', ')', 'else') or tokens[i].kind != 'name' and tokens[i].text != '*' or tokens[i].text in WORDS:
        return
    if tokens[i - 1].text == ')' and '\n' not in source[tokens[i - 1].end:tokens[i].begin]:
        return
    k = i
    while tokens[k].text not in (';', '{', '}') and k + 1 < len(tokens):
        k = closing(tokens, k) + 1 if tokens[k].text in ('(', '[') else k + 1
    words = [token.text for token in tokens[i:k]]
    if tokens[k].text != ';' or len(words) > 1 and tokens[i + 1].kind == 'name' or words[:1] == ['const'] or 'static' in words[:2]:
        return
    if '=' not in words and not any(word in words for word in ('+=', '-=', '|=', '&=', '++', '--', '(')) and words[0] not in ('break', 'continue'):
        return
    if len(words) > 2 and words[1] == '*' and words[2] != '(' and tokens[i + 1].begin > tokens[i].end:  # a pointer is declared
        return
    yield Mutant(file, source, tokens[i].begin, tokens[k].begin, '(void)0', 'dropped')


def mutants_of(file):
    with open(os.path.join(ROOT, file), encoding='utf-8') as stream:
        source = stream.read()
    tokens = [token for token in map(Token, TOKEN.finditer(source)) if token.kind != 'skip']
    depth = asserted = 0
    for i in range(1, len(tokens) - 1):
        text = tokens[i].text
        depth += (text == '{') - (text == '}')
        if text in ('TMI_ASSERT', 'static_assert', '_Static_assert'):
            asserted = closing(tokens, i + 1)
        if depth > 0 and i > asserted:
            yield from mutants_of_token(file, source, tokens, i)
            yield from dropped_statement(file, source, tokens, i)


def rooms():
    with open(os.path.join(ROOT, 'tests', 'rooms.txt'), encoding='utf-8') as stream:
        rows = (line.split(':') for line in stream if line.strip() and not line.startswith('#'))
        return {room: patterns.split() for room, patterns in rows}


def tests_of(patterns):
    names = sorted(name[len('test_'):-len('.c')] for name in os.listdir(os.path.join(ROOT, 'tests')) if fnmatch.fnmatch(name, 'test_*.c'))
    return [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in patterns) and name != 'windows']


def equivalents():
    """What tests/mutants.txt says of changes that nobody could observe: (file, code, what)."""
    path = os.path.join(ROOT, 'tests', 'mutants.txt')
    if not os.path.exists(path):
        return set()
    with open(path, encoding='utf-8') as stream:
        rows = [line.rstrip('\n').split(' | ') for line in stream if line.strip() and not line.startswith('#')]
    return {tuple(row[:3]) for row in rows}


class Copy:
    """A copy of the tree with a build of its own, in which one change at a time is tried."""

    def __init__(self, number):
        self.tree = os.path.join(HOME, str(number))
        self.build = os.path.join(self.tree, 'build')
        self.times = {}
        files = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split('\0')
        for file in filter(None, files):
            source, target = os.path.join(ROOT, file), os.path.join(self.tree, file)
            if not os.path.exists(source):
                continue
            with open(source, 'rb') as stream:
                text = stream.read()
            if os.path.exists(target):
                with open(target, 'rb') as stream:
                    if stream.read() == text:
                        continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        self.run(['cmake', '-S', self.tree, '-B', self.build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_C_FLAGS=-O1 -g0 -w -Werror=int-conversion -Werror=incompatible-pointer-types -UNDEBUG',
                  '-DTEEMAP_TESTS=ON', '-DTEEMAP_CLI=OFF', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'] + shlex.split(os.environ.get('TEEMAP_MUTATE_CMAKE', '')))
        with open(os.path.join(self.build, 'compile_commands.json'), encoding='utf-8') as stream:
            self.commands = {}
            for row in json.load(stream):
                self.commands.setdefault(os.path.realpath(row['file']), row['command'])
        self.originals = {}

    def run(self, words, seconds=1200):
        done = subprocess.run(words, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, check=False)
        if done.returncode:
            sys.exit('mutate: %s fails:\n%s' % (' '.join(words), done.stdout.decode(errors='replace')[-3000:]))

    def object_of(self, file):
        """What the compiler makes of a file; None: it does not compile."""
        command = shlex.split(self.commands[os.path.realpath(os.path.join(self.tree, file))])
        output = os.path.join(self.build, 'mutant.o')
        command[command.index('-o') + 1] = output
        done = subprocess.run(command, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if done.returncode:
            return None
        with open(output, 'rb') as stream:
            return stream.read()

    def programs(self, names):
        return [os.path.join(self.build, 'tests', 'test_' + name) for name in names]

    def passes(self, name, most):
        """Whether a test passes within so many seconds."""
        environment = dict(os.environ, TEEMAP_SOURCE=self.tree, TEEMAP_BINARY=self.build, TEEMAP_SHARED=os.environ.get('TEEMAP_SHARED', os.path.join(ROOT, '..', 'shared')))
        folder = os.path.join(self.build, 'tests')
        limit = 'ulimit -v %d; exec "$0"' % (BYTES >> 10)
        child = subprocess.Popen(['bash', '-c', limit, self.programs([name])[0]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return child.wait(most) == 0
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            return False

    def prepare(self, names):
        """Builds the tests, and measures them; those that take least come first."""
        self.run(['ninja', '-C', self.build] + ['test_' + name for name in names])
        for name in names:
            began = time.monotonic()
            if not self.passes(name, 600):
                sys.exit('mutate: test_%s fails without any change' % name)
            self.times[name] = time.monotonic() - began
        return sorted(names, key=self.times.get)

    def judge(self, mutant, names):
        """'invalid', 'same', 'survived', or the name of the test that noticed."""
        path = os.path.join(self.tree, mutant.file)
        with open(path, encoding='utf-8') as stream:
            source = stream.read()
        if mutant.file not in self.originals:
            self.originals[mutant.file] = self.object_of(mutant.file)
        try:
            with open(path, 'w', encoding='utf-8') as stream:
                stream.write(source[:mutant.begin] + mutant.text + source[mutant.end:])
            made = self.object_of(mutant.file)
            if made is None:
                return 'invalid'
            if made == self.originals[mutant.file]:
                return 'same'
            done = subprocess.run(['ninja', '-C', self.build] + ['test_' + name for name in names], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode:
                return 'invalid'
            for name in names:
                if not self.passes(name, 10 + 5 * self.times[name]):
                    return name
            return 'survived'
        finally:
            with open(path, 'w', encoding='utf-8') as stream:
                stream.write(source)


class Results:
    def __init__(self, fresh):
        self.path = os.path.join(HOME, 'results.json')
        self.lock = threading.Lock()
        self.rows = {}
        if os.path.exists(self.path) and not fresh:
            with open(self.path, encoding='utf-8') as stream:
                self.rows = json.load(stream)

    def put(self, mutant, verdict):
        with self.lock:
            self.rows[mutant.key] = verdict
            with open(self.path + '.new', 'w', encoding='utf-8') as stream:
                json.dump(self.rows, stream, indent=0)
            os.replace(self.path + '.new', self.path)


def room_of(target):
    """The room that is a target, or whose file it is."""
    path = target.split('/')
    return path[1] if len(path) > 2 and path[0] == 'src' and os.path.exists(os.path.join(ROOT, target)) else target


def drawn(target, number, seed):
    """Changes of a room or a file in the order of the seed, so that a larger number tries more of the same."""
    files = [target]
    if room_of(target) == target:
        files = sorted(os.path.join('src', target, name) for name in os.listdir(os.path.join(ROOT, 'src', target)) if name.endswith('.c'))
    found = [mutant for file in files for mutant in mutants_of(file)]
    random.Random('%s %d' % (target, seed)).shuffle(found)
    known = equivalents()
    found = [m for m in found if (m.file, m.code, m.what) not in known]
    return found, number or len(found)


def try_changes(target, names, wanted, copies, results):
    found, number = wanted
    waiting, counted, lock = queue.SimpleQueue(), [], threading.Lock()
    for mutant in found:
        waiting.put(mutant)

    def work(copy):
        while True:
            with lock:
                if len(counted) >= number or waiting.empty():
                    return
                mutant = waiting.get()
                counted.append(mutant)
            verdict = results.rows.get(mutant.key) or copy.judge(mutant, names)
            results.put(mutant, verdict)
            with lock:
                if verdict in ('invalid', 'same'):
                    counted.remove(mutant)
                else:
                    print('%s: %d of %d: %s' % (target, len(counted), number, verdict if verdict == 'survived' else 'killed by ' + verdict), file=sys.stderr, flush=True)
    workers = [threading.Thread(target=work, args=(copy,)) for copy in copies]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return counted


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--number', type=int, default=30)
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--fresh', action='store_true')
    parser.add_argument('targets', nargs='*')
    options = parser.parse_args()
    table = rooms()
    unknown = [target for target in options.targets if room_of(target) not in table]
    if unknown:
        sys.exit("mutate: there is no room or file '%s'; rooms are %s" % (unknown[0], ' '.join(table)))
    chosen = options.targets or list(table)
    if options.list:
        for target in chosen:
            found, number = drawn(target, options.number, options.seed)
            print('\n'.join(map(str, found[:number])))
        return 0
    os.makedirs(HOME, exist_ok=True)
    results, survivors, lines = Results(options.fresh), [], []
    copies = [Copy(i) for i in range(options.jobs)]
    for target in chosen:
        names = tests_of(table[room_of(target)])
        for copy in copies:
            names = copy.prepare(names)
        counted = try_changes(target, names, drawn(target, options.number, options.seed), copies, results)
        alive = [mutant for mutant in counted if results.rows[mutant.key] == 'survived']
        survivors += alive
        lines.append('%-10s %4d of %4d killed, %3.0f %%' % (target, len(counted) - len(alive), len(counted), 100 * (1 - len(alive) / max(1, len(counted)))))
    print('\n'.join(sorted(map(str, survivors))))
    print('\n'.join(lines))
    return 0


if __name__ == '__main__':
    sys.exit(main())
