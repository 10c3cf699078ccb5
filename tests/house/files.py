#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""No tracked file stands that nothing builds, tests, installs or names: files.py SOURCE

A file is used if another file names it, or if its folder is taken whole by a program or a build: a row of TAKEN says
by which file, and with which words there ({stem} is the file's name without its ending). A row whose words are gone,
or that no file needs, is a fault, too. What a test or a person left behind is found by this.
"""
import fnmatch
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

TAKEN = [
    # files, the file that takes them, its words
    ('src/*/*.c', 'CMakeLists.txt', '/src/*/*.c'),
    ('src/sys/*/*.c', 'CMakeLists.txt', '/src/sys/${TEEMAP_SYSTEM}/*.c'),
    ('cli/*/*.c', 'cmake/cli.cmake', '/cli/*/*.c'),
    ('cli/help/*.md', 'cmake/cli.cmake', '*.md'),
    ('data/mods/*.toml', 'tools/generate.py', 'os.path.join(root, "data", "mods")'),
    ('tests/test_*.c', 'tests/CMakeLists.txt', '/test_*.c'),
    ('tests/support/*.c', 'tests/CMakeLists.txt', '/support/*.c'),
    ('tests/cli/*.sh', 'tests/CMakeLists.txt', '/cli/*.sh'),
    ('tests/golden/*.png', 'tests/test_render_golden.c', '"{stem}"'),
    ('tests/browser/web_*.py', 'run', 'tests/browser/web_$2.py'),
    ('tests/house/systems/sys/*.h', 'tests/house/systems.sh', '-isystem "$here"'),
    ('fuzz/fuzz_*.c', 'cmake/fuzz.cmake', '/fuzz_*.c'),
    ('fuzz/corpus/*/*', 'cmake/fuzz.cmake', '/fuzz/corpus/${name}'),
    ('bench/floor_*.c', 'bench/CMakeLists.txt', 'floor_${name}.c'),
    ('bindings/python/backend.py', 'bindings/python/pyproject.toml', 'build-backend = "backend"'),
    ('bindings/python/src/teemap/*.py*', 'bindings/python/pyproject.toml', 'wheel.packages = ["src/teemap"]'),
    ('bindings/python/src/teemap/*/*.py', 'bindings/python/pyproject.toml', 'wheel.packages = ["src/teemap"]'),
    ('bindings/python/src/teemap/py.typed', 'bindings/python/pyproject.toml', 'wheel.packages = ["src/teemap"]'),
    ('bindings/python/tests/*.py', 'run', 'bindings/python/tests'),
    ('bindings/python/clients/*.py', 'bindings/python/clients/run_clients.py', 'os.path.join(HERE, "*.py")'),
    ('bindings/web/tests/*.test.mjs', 'run', '.test.mjs'),
    ('bindings/web/tests/tsconfig.json', 'run', 'tsc -p $tests'),
    ('cmake/cross/*.cmake', 'tools/cross.sh', '/cmake/cross/$1.cmake'),
    ('cmake/cross/modules/Platform/*.cmake', 'cmake/cross/wasi.cmake', '/modules'),
    ('packaging/debian/*', 'tools/debian_folder.sh', '/packaging/debian"'),
]
# Programs that are not ours read these by their names: git, editors, GitHub.
FOREIGN = ['.gitignore', '.editorconfig', '.github/workflows/*.yml']


def words_of_files(source, files):
    """Which files hold a word, for all words that may be the name of a file."""
    texts, holders = {}, defaultdict(set)
    for file in files:
        if file == 'tests/house/files.py': # what is named here is not used for that
            continue
        try:
            texts[file] = (source / file).read_text(encoding='utf-8')
        except (UnicodeDecodeError, OSError):
            continue
        for word in set(re.findall(r'[\w+.\-]+', texts[file])):
            holders[word.rstrip('.')].add(file)
        for module in re.findall(r'^ *(?:import|from) (\w+)', texts[file], re.MULTILINE):
            holders[module + '.py'].add(file)
    return texts, holders


def stray_files(files, texts, holders, taken=None):
    """The files that nothing uses, and what is wrong with the rows of the table."""
    stray, faults, needed = [], [], set()
    rows = TAKEN if taken is None else taken
    for file in files:
        if holders[Path(file).name] - {file} or any(fnmatch.fnmatch(file, pattern) for pattern in FOREIGN):
            continue
        depth = file.count('/')
        row = next(((pattern, taker, text) for pattern, taker, text in rows
                    if pattern.count('/') == depth and fnmatch.fnmatch(file, pattern)
                    and text.replace('{stem}', Path(file).stem) in texts.get(taker, '')), None)
        if row:
            needed.add(row)
        else:
            stray.append(file)
    for row in rows:
        if row not in needed:
            faults.append('the row %s is needed by no file, or %s has no "%s"' % row)
    return stray, faults


def files_of_tree(source):
    """What git tracks; of an unpacked archive, everything that .gitignore does not name."""
    listed = subprocess.run(['git', '-C', source, 'ls-files', '-z'], capture_output=True, text=True)
    if listed.returncode == 0:
        return [file for file in listed.stdout.split('\0') if file and (source / file).exists()]
    ignored = [line.strip('/') for line in (source / '.gitignore').read_text().split() if not line.startswith('#')]
    paths = [path.relative_to(source) for path in source.rglob('*') if path.is_file()]
    return sorted(str(path) for path in paths if '.git' not in path.parts
                  and not any(fnmatch.fnmatch(part, pattern) for part in path.parts for pattern in ignored))


def main():
    source = Path(sys.argv[1])
    files = files_of_tree(source)
    texts, holders = words_of_files(source, files)
    stray, faults = stray_files(files, texts, holders)
    for file in stray:
        print('%s: nothing builds, tests, installs or names this file' % file)
    for fault in faults:
        print(fault)
    # The table can fail: a file of a name that nothing says is found, with and without a row for its folder.
    for made in ('notes/left-behind.log', 'tests/golden/left_behind.png', 'fuzz/corpus/left/behind/left-behind'):
        assert made in stray_files(files + [made], texts, holders)[0], made
    print('%d files, %d stray' % (len(files), len(stray)))
    sys.exit(1 if stray or faults else 0)


main()
