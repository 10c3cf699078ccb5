# SPDX-License-Identifier: Zlib
"""The rows on automappers: the files of rules that DDNet ships, on a large made-up layer."""
import collections
import glob
import os
import re
import subprocess

from measure import figure, run

GAMES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/support/games.sh')
LINE = re.compile(r'(\S+) (\d+) plain=(\S+) fast=(\S+) two=(\S+) runs=(\d+)')
# Of the time of the plain evaluation, as the editor's own loop does it.
PLAIN = 0.25


def rules():
    """The files of TEEMAP_AUTOMAP, or those of the installed game."""
    installed = subprocess.run(['bash', GAMES, 'rules'], capture_output=True, text=True).stdout.strip()
    for folder in os.environ.get('TEEMAP_AUTOMAP'), installed:
        if folder and (paths := sorted(glob.glob(os.path.join(folder, '*.rules')))):
            return paths
    return []


def rows(bench):
    paths = rules()
    if not bench.wanted('automap') or not paths:
        return
    sums = collections.defaultdict(lambda: [0.0, 0.0, 0.0, 0])
    rounds = str(min(bench.options.rounds, 5))
    for name, _config, *numbers in LINE.findall(run([bench.tool('bench_automap'), rounds] + paths).stdout):
        for index, number in enumerate(numbers[:3]):
            sums[name][index] += float(number)
        sums[name][3] += 1
    for name, (plain, fast, two, num) in sums.items():
        work = 'automap by %s, %d configuration%s' % (name, num, '' if num == 1 else 's')
        bench.keep(work, '%.1f ns a tile' % (fast / num), 'plain evaluation: %.0f ns' % (plain / num),
                   figure(fast / plain), '<= %.2f' % PLAIN, fast <= PLAIN * plain)
        bench.keep(work + ', 2 threads', '%.1f ns a tile' % (two / num), 'teemap, 1 thread: %.1f ns' % (fast / num),
                   figure(two / fast), None, None)
