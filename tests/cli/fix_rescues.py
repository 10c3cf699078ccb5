#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""fix_rescues.py TEEMAP...: `fix` never makes less of a damaged map than `copy -m salvage` keeps.

Maps are cut, and bytes of them changed, at random places that are always the same. Of both results everything that can be counted is
counted: objects and layers of each kind, points, quads, sources, settings and texts. A wrong number made a map look like one of Teeworlds,
and `fix` wrote it without its settings.
"""
import json
import os
import random
import subprocess
import sys

import make_map

teemap = sys.argv[1:]
NUM = 40


def run(*words):
    return subprocess.run([*teemap, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)


def counts(path):
    """What a map has; nothing if it is none."""
    done = run('info', '--json', path)
    if done.returncode > 1 or not done.stdout:
        return {}
    info = json.loads(done.stdout)
    found = {key: value for key, value in info.get('counts', {}).items() if isinstance(value, int)}
    found.update(('layers of kind ' + key, value) for key, value in info.get('counts', {}).get('layer_kinds', {}).items())
    found.update(('text ' + key, 1) for key, value in info.get('info', {}).items() if value)
    found['settings'] = len(info.get('settings', []))
    return found


def damage(content, chance):
    content = bytearray(content)
    at = chance.randrange(36, len(content))
    how = chance.choice(('cut', 'bit', 'bits', 'zeros', 'noise'))
    if how == 'cut':
        del content[at:]
    elif how == 'bit':
        content[at] ^= 1 << chance.randrange(8)
    elif how == 'bits':
        for _ in range(8):
            content[chance.randrange(36, len(content))] ^= 1 << chance.randrange(8)
    else:
        end = min(len(content), at + 24)
        content[at:end] = bytes(end - at) if how == 'zeros' else chance.randbytes(end - at)
    return how, content


def main():
    chance = random.Random(20)
    whole = make_map.build(False)
    faults, compared = [], 0
    for number in range(NUM):
        how, content = damage(whole, chance)
        with open('damaged.map', 'wb') as file:
            file.write(content)
        for path in ('fixed.map', 'kept.map'):
            if os.path.exists(path):
                os.remove(path)
        fixed = run('fix', 'damaged.map', '-o', 'fixed.map')
        run('copy', '-m', 'salvage', '-g', 'ddnet', 'damaged.map', 'kept.map')
        if not os.path.exists('kept.map') or b'--memory allows more' in fixed.stderr:
            continue
        compared += 1
        kept = counts('kept.map')
        made = counts('fixed.map' if os.path.exists('fixed.map') else 'damaged.map')
        less = {key: (made.get(key, 0), value) for key, value in kept.items() if made.get(key, 0) < value}
        if less:
            faults.append('%d (%s): fix, with status %d, makes less: %s' % (number, how, fixed.returncode, less))
    if compared < NUM // 2:
        faults.append('only %d of %d maps could be compared' % (compared, NUM))
    sys.exit('\n'.join(faults) or None)


main()
