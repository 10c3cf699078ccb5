#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""hostile_seeds.py FOLDER: the maps of tests/cli/hostile_maps.py that a fuzz target takes, as FOLDER/<target>/<name>."""
import os
import subprocess
import sys
import tempfile

MAX_INPUT = 256 * 1024  # FUZZ_MAX_INPUT
# What stands before the map in an input of the target; each fuzz/fuzz_<target>.c says what it means.
HEADS = {
    'changes': bytes(3),
    'datafile': b'\0',
    'edit': bytes(3),
    'lint': b'\0',
    'mapfile': b'',
    'merge': b'rotate 90\0mirror x\0',
    'patch': b'\0',
    'pattern': b'index=1\0',
    'render': bytes((0, 0, 0, 0, 0, 0, 128, 0)),
}


def main():
    folder = sys.argv[1]
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tests', 'cli', 'hostile_maps.py')
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.executable, maker, made], check=True)
        for name in sorted(os.listdir(made)):
            with open(os.path.join(made, name), 'rb') as file:
                content = file.read()
            for target, head in HEADS.items():
                if len(head) + len(content) <= MAX_INPUT:
                    os.makedirs(os.path.join(folder, target), exist_ok=True)
                    with open(os.path.join(folder, target, name), 'wb') as file:
                        file.write(head + content)


main()
