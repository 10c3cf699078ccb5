# SPDX-License-Identifier: Zlib
"""The rows on automappers: the files of rules that DDNet ships, on a large made-up layer."""
import collections
import glob
import os
import re

from measure import figure, run

# Where Debian's packages put them; others with TEEMAP_AUTOMAP.
FOLDERS = ['/usr/share/games/ddnet/data/editor/automap', '/usr/share/games/ddnet/data/editor']
LINE = re.compile(r'(\S+) (\d+) plain=(\S+) fast=(\S+) two=(\S+) runs=(\d+)')
# Of the time of the plain evaluation, as the editor's own loop does it.
PLAIN = 0.25


def rules():
    own = os.environ.get('TEEMAP_AUTOMAP')
    for folder in ([own] if own else []) + FOLDERS:
        if paths := sorted(glob.glob(os.path.join(folder, '*.rules'))):
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
