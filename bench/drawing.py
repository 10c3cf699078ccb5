# SPDX-License-Identifier: Zlib
"""The rows on drawing: pictures of a map and of many, beside twgpu-map-photography (on a Vulkan driver that runs on
the processor) and jxsl13's twmap for Go. Without twgpu our side stands alone; without the other its rows are left out.
"""
import glob
import json
import os
import re
import shutil
import statistics
import subprocess

from measure import Command, Files, Further, Trouble, account, figure, run, seconds

VIEW = '100,60'
# Centres of views of Gold Mine, in tiles; the two halves are alike: each spreads over the map.
FIRST = ['%d,%d' % (21 + 42 * (i % 5), 34 + 68 * (i // 5)) for i in range(10)]
FURTHER = ['%d,%d' % (36 + 36 * (i % 5), 50 + 48 * (i // 5)) for i in range(10)]
THUMBNAIL = '360x225'
MEMORY_MIB = 256
HUGE = 30000, 20000
ROUNDS = 3
# How much dearer a pixel of a larger picture may be for the cost to pass as linear.
LINEAR = 1.2
# What the picture of a whole map may cost of that of the region in the same pixels.
WHOLE = 1.3
BUDGET_MIB = 512
# Maps of a run over many.
MANY = 1000
GALLERY = 1000
# What two threads may take of the time of one for an animation.
SHARED = 0.75
# What a gallery of which nothing has changed may take of making it.
UNCHANGED = 0.02
# Of 255; the peer's own filtering differs in the last digits.
ALIKE = 0.5


def find_map(bench, name):
    paths = [path for path in bench.files.paths if name in os.path.basename(path)]
    return paths[0] if paths else None


class Peers:
    def __init__(self, options):
        self.go = options.go_peer
        self.twgpu = options.twgpu
        # The driver's own cache of compiled shaders stays where it is: what a user's second call finds, it finds.
        self.environment = dict(os.environ, WGPU_BACKEND='vulkan', VK_ICD_FILENAMES=options.vulkan or '')

    def photographs(self, bench, files, arguments, outputs):
        return Command('twgpu-map-photography', bench, files, [self.twgpu, '{}'] + arguments, bench.other_out,
                       self.environment, outputs, inside=True)


# ------------------------------------------------------------------------------------------------------ one map

def check_alike(bench, ours, theirs):
    """Both sides must have drawn the same view, or their times do not compare."""
    for side in (ours, theirs):
        side.measure()
    pictures = [glob.glob(os.path.join(folder, '*.png'))[0] for folder in (bench.out, bench.other_out)]
    difference = float(run([bench.tool('bench_same')] + pictures).stdout)
    if difference > ALIKE:
        raise Trouble('%s draws another view: %.2f of 255 on average' % (theirs.label, difference))


def view_rows(bench, peers, one):
    work = 'view of Gold Mine, 1920x1080, whole process with PNG'
    ours = Command('teemap render', bench, one, [bench.tool('teemap'), 'render', '{}', '--view', VIEW, '-o',
                                                 os.path.join(bench.out, 'view.png')], bench.out, outputs=1)
    if peers.twgpu and bench.wanted(work + ' twgpu-map-photography'):
        theirs = peers.photographs(bench, one, ['-p', VIEW], 1)
        check_alike(bench, ours, theirs)
        bench.row(work, ours, theirs, 'cpu wall peak', 0.10)
    elif not peers.twgpu:
        bench.row_alone(work, ours, 'cpu wall peak', 'twgpu-map-photography')
    if peers.go:
        bench.row(work, ours, Command('jxsl13 twmap', bench, one, [peers.go, 'views', '{}', bench.other_out, VIEW],
                                      bench.other_out, outputs=1), 'cpu wall peak')


def further_rows(bench, peers, one):
    def difference(label, command_for):
        return Further(label, command_for(FIRST), command_for(FIRST + FURTHER), len(FURTHER))

    def ours(centres):
        command = [bench.tool('bench_views'), '{}', bench.options.mapres, bench.out] + centres
        return Command('', bench, one, command, bench.out, outputs=len(centres))

    def photographs(centres):
        return peers.photographs(bench, one, [word for centre in centres for word in ('-p', centre)], len(centres))

    def go_views(centres):
        return Command('', bench, one, [peers.go, 'views', '{}', bench.other_out] + centres, bench.other_out,
                       outputs=len(centres))

    work = 'each further view in the same process, with PNG'
    if peers.twgpu:
        bench.row(work, difference('', ours), difference('twgpu-map-photography', photographs), target=0.15)
    else:
        bench.row_alone(work, difference('', ours), 'cpu', 'twgpu-map-photography')
    if peers.go:
        bench.row(work, difference('', ours), difference('jxsl13 twmap', go_views))


def pixel_rows(bench, one):
    """What bench_render and bench_views print; they take medians and means themselves."""
    path = one.paths[0]
    if bench.wanted('pixels alone of 20 views, 1 thread'):
        text = run([bench.tool('bench_render'), path, bench.options.mapres]).stdout
        view, copy, times = re.search(r'a view (\S+) ms, memcpy of a frame (\S+) ms: a view is (\S+) memcpy',
                                      text).groups()
        alone, two, share = re.search(r'wall: a view (\S+) ms, on two threads (\S+) ms: (\S+)', text).groups()
        bench.keep('pixels alone of 20 views, 1 thread', view + ' ms cpu', 'memcpy of the frame: %s ms' % copy, times,
                   '<= 30', float(times) <= 30)
        bench.keep('pixels alone of 20 views, 2 threads', two + ' ms wall', 'teemap, 1 thread: %s ms' % alone, share,
                   '<= 0.60', float(share) <= 0.6)
    if bench.wanted('PNG of such a view'):
        text = run([bench.tool('bench_views'), path, bench.options.mapres, bench.out] + FIRST + FURTHER).stdout
        draw, png = (float(word) for word in re.search(r'draw=(\S+) png=(\S+)', text).groups())
        bench.keep('PNG of such a view, 1 thread', seconds(png) + ' cpu', 'drawing it: ' + seconds(draw),
                   figure(png / draw), None, None)


# ----------------------------------------------------------------------------------------------------- many maps

def photographed(bench, peers, files):
    """Those of the maps that twgpu can draw."""
    paths = []
    for path in files.paths:
        single = Files(bench, 'single', [path])
        try:
            peers.photographs(bench, single, ['-r', THUMBNAIL], 1).measure()
            paths.append(path)
        except Trouble:
            pass
    return paths


def not_empty(bench):
    """The maps that show anything. That one shows nothing is the only reason for which a thumbnail may be missing."""
    os.makedirs(bench.out, exist_ok=True)
    command = [bench.tool('teemap'), 'thumbnail', '-q', '-f', '-t', bench.out] + bench.files.paths
    errors = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
    empty = [path for path in bench.files.paths
             if any(path in line and 'nothing in the map to draw' in line for line in errors)]
    return Files(bench, 'not-empty', [path for path in bench.files.paths if path not in empty])


def thumbnails(bench, files):
    return Command('teemap thumbnail', bench, files, [bench.tool('teemap'), 'thumbnail', '-f', '-s', THUMBNAIL, '-t',
                                                      bench.out, '{all}'], bench.out, outputs=len(files.paths))


def thumbnail_rows(bench, peers):
    work = 'thumbnails, ' + THUMBNAIL
    if not bench.wanted(work + ' of all maps, twgpu-map-photography, jxsl13 twmap'):
        return
    shown = not_empty(bench)
    cost = thumbnails(bench, shown).measure()  # Trouble if one fails
    bench.keep(work + ' of all maps', '%d, %s cpu' % (len(shown.paths), seconds(cost.cpu)), '%d more show nothing' % (
        len(bench.files.paths) - len(shown.paths)), '-', 'no failures', True)
    if peers.twgpu:
        files = Files(bench, 'twgpu', photographed(bench, peers, shown))
        bench.row(work, thumbnails(bench, files), peers.photographs(bench, files, ['-r', THUMBNAIL], len(files.paths)),
                  'cpu wall', 0.10, 'twgpu-map-photography (takes %d of the maps)' % len(files.paths), rounds=ROUNDS)
    else:
        bench.row_alone(work, thumbnails(bench, shown), 'cpu wall', 'twgpu-map-photography')
    if peers.go:
        files = Files(bench, 'drawn', run([peers.go, 'draws', shown.list]).stdout.split('\n')[:-1])
        bench.row(work, thumbnails(bench, files),
                  Command('', bench, files, [peers.go, 'thumbnails', files.list, bench.other_out], bench.other_out),
                  'cpu wall', label='jxsl13 twmap (takes %d of the maps)' % len(files.paths), rounds=1)


# --------------------------------------------------------------------------------------------------- large pictures

def largest_map(bench):
    """Path, width and height in tiles of the map with the largest game layer."""
    text = run([bench.tool('teemap'), 'info', '--json'] + bench.files.paths).stdout
    maps = [json.loads(line) for line in text.splitlines()]
    sized = [(entry['width'] * entry['height'], entry['path'], entry['width'], entry['height']) for entry in maps
             if entry.get('width')]
    return max(sized)[1:]


def median_cpu(bench, path, scale):
    return statistics.median(render(bench, path, '--scale', str(scale)).cpu for _round in range(ROUNDS))


def render(bench, path, *options):
    target = os.path.join(bench.out, 'large.png')
    os.makedirs(bench.out, exist_ok=True)
    cost = account(bench, [bench.tool('teemap'), 'render', path, '-o', target, *options])
    os.remove(target)
    return cost


def large_rows(bench, gold):
    work = 'whole largest map'
    if bench.wanted(work):
        path, width, height = largest_map(bench)
        work += ' (%dx%d tiles), ' % (width, height)
        memory_row(bench, work + '8 px a tile', render(bench, path, '--scale', '8'))
        cpu = {scale: median_cpu(bench, path, scale) for scale in (4, 8, 16)}
        # What a pixel costs beyond those of the next smaller picture: equal when the cost is linear.
        step = {scale: (cpu[scale] - cpu[scale // 2]) / (width * height * 0.75 * scale ** 2) for scale in (8, 16)}
        bench.keep(work + 'a further megapixel from 8 to 16 px a tile', seconds(step[16] * 1e6) + ' cpu',
                   'from 4 to 8: ' + seconds(step[8] * 1e6), figure(step[16] / step[8]), '<= %.2f' % LINEAR,
                   step[16] <= LINEAR * step[8])
    if gold and bench.wanted('picture of %dx%d' % HUGE):
        memory_row(bench, 'picture of %dx%d' % HUGE, render(bench, gold, '--region', '20,20,150,100', '--scale', '200'))


def memory_row(bench, work, cost):
    bench.keep(work + ', peak memory', '%.0f MiB' % cost.peak, '%s cpu, %s wall' % (
        seconds(cost.cpu), seconds(cost.wall)), '-', '<= %d MiB' % MEMORY_MIB, cost.peak <= MEMORY_MIB)


def whole_rows(bench, gold):
    """What a player sees who is zoomed out costs about what the same pixels cost as they used to be drawn."""
    work = 'whole map in 1920x1080'
    if bench.wanted(work):
        cpu = {part: statistics.median(render(bench, gold, *part).cpu for _round in range(ROUNDS))
               for part in ((), ('--region', 'map'))}
        ratio = cpu[()] / cpu[('--region', 'map')]
        bench.keep(work, seconds(cpu[()]) + ' cpu', 'the region: ' + seconds(cpu[('--region', 'map')]), figure(ratio),
                   '<= %.2f' % WHOLE, ratio <= WHOLE)


def budget_rows(bench):
    """A map that unpacks to 605 MB, in the 512 MB that pictures may hold."""
    work = 'map of 63 layers with 1550x1550 tiles each'
    if not bench.wanted(work):
        return
    os.makedirs(bench.out, exist_ok=True)
    small, large = os.path.join(bench.out, 'small.map'), os.path.join(bench.out, 'layers.map')
    run([bench.tool('teemap'), 'new', '-f', '-s', '1550x1550', small])
    steps = ' + '.join(['add layer 0 tiles 1550x1550'] * 62).split()
    run([bench.tool('teemap'), 'edit', small, '-o', large] + steps)
    to = os.path.join(bench.out, 'drawn')
    for what, command in (('a view', ['render', large, '--view', '100,100', '-o', to + '.png']),
                          ('a thumbnail, 2 threads', ['thumbnail', '-f', '-j2', large, '-o', to + '.png']),
                          ('the tiles at 1 px', ['tiles', '-q', large, '--scale', '1', '-t', to]),
                          ('a gallery', ['gallery', '-q', large, '-t', to + '-site'])):
        cost = account(bench, [bench.tool('teemap')] + command)
        bench.keep(work + ', peak memory of ' + what, '%.0f MiB' % cost.peak, '%s cpu, %s wall' % (
            seconds(cost.cpu), seconds(cost.wall)), '-', '<= %d MiB' % BUDGET_MIB, cost.peak <= BUDGET_MIB)
    shutil.rmtree(to)
    shutil.rmtree(to + '-site')
    os.remove(large)
    os.remove(small)


def copy_maps(folder, paths, num):
    """A new folder of so many maps: these, one after the other, again and again, under different names."""
    os.makedirs(folder)
    for i in range(num):
        source = paths[i % len(paths)]
        shutil.copyfile(source, os.path.join(folder, '%04d-%s' % (i, os.path.basename(source))))


def gallery_rows(bench):
    """A folder of a thousand maps, made of those that open by copies with other names; then once more, with nothing to do."""
    work = 'gallery of %d maps' % GALLERY
    if not bench.wanted(work):
        return
    folder, site = os.path.join(bench.out, 'maps'), os.path.join(bench.out, 'site')
    text = run([bench.tool('teemap'), 'info', '--json'] + bench.files.paths).stdout
    paths = [entry['path'] for entry in map(json.loads, text.splitlines()) if 'error' not in entry]
    copy_maps(folder, paths, GALLERY)
    command = [bench.tool('teemap'), 'gallery', '-q', folder, '-t', site]
    first, second = account(bench, command), account(bench, command)
    size = sum(os.path.getsize(os.path.join(where, name)) for where, _folders, names in os.walk(site) for name in names)
    bench.keep(work, seconds(first.cpu) + ' cpu', '%.0f MiB of memory, %.0f MB of files' % (first.peak, size / 1e6), '-',
               '<= %d MiB' % BUDGET_MIB, first.peak <= BUDGET_MIB)
    bench.keep(work + ', nothing has changed', seconds(second.cpu) + ' cpu', 'the first run: ' + seconds(first.cpu),
               figure(second.cpu / first.cpu), '<= %.2f' % UNCHANGED, second.cpu <= UNCHANGED * first.cpu)
    shutil.rmtree(folder)
    shutil.rmtree(site)


def many_rows(bench):
    """A run over a thousand maps: what a second thread is worth, and that the budget of memory holds."""
    work = 'thumbnails of %d maps' % MANY
    if not bench.wanted(work):
        return
    folder, out = os.path.join(bench.work, 'many'), os.path.join(bench.work, 'many-out')
    copy_maps(folder, bench.files.paths, MANY)
    command = [bench.tool('teemap'), 'thumbnail', '-q', '-f', '-r', '-t', out, folder, '-j']
    cost = {threads: account(bench, command + [str(threads)]) for threads in (1, 2)}
    shutil.rmtree(folder)
    shutil.rmtree(out)
    ratio = cost[2].wall / cost[1].wall
    bench.keep(work + ', 2 threads', seconds(cost[2].wall) + ' wall', '1 thread: ' + seconds(cost[1].wall), figure(ratio),
               '<= 0.60', ratio <= 0.6)
    bench.keep(work + ', 2 threads, peak memory', '%.0f MiB' % cost[2].peak, '%s cpu' % seconds(cost[2].cpu), '-',
               '<= %d MiB' % BUDGET_MIB, cost[2].peak <= BUDGET_MIB)


def animation_rows(bench, path):
    """Two seconds for a chat; frames are drawn and packed by all threads."""
    out = os.path.join(bench.work, 'moves')
    for name in ('webp', 'gif', 'apng'):
        work = 'animation of 50 frames, 640x360, ' + name
        if not bench.wanted(work):
            continue
        command = [bench.tool('teemap'), 'animate', '-q', path, '--view', 'best', '--duration', '2000', '--fps', '25',
                   '--any-size', '-o', out + '.' + name, '-j']
        cost = {threads: account(bench, command + [str(threads)]) for threads in (1, 2)}
        size = os.path.getsize(out + '.' + name)
        os.remove(out + '.' + name)
        ratio = cost[2].wall / cost[1].wall
        bench.keep(work + ', 2 threads', '%s wall, %.1f MB' % (seconds(cost[2].wall), size / 1e6),
                   '1 thread: ' + seconds(cost[1].wall), figure(ratio), '<= %.2f' % SHARED, ratio <= SHARED)
        bench.keep(work + ', peak memory', '%.0f MiB' % cost[2].peak, '%s cpu' % seconds(cost[2].cpu), '-',
                   '<= %d MiB' % BUDGET_MIB, cost[2].peak <= BUDGET_MIB)


def preparing_rows(bench, one):
    def view(threads):
        return Command('teemap render, 1 thread', bench, one, [
            bench.tool('teemap'), 'render', '{}', '-j', threads, '--view', VIEW, '--size', '64x36', '-o',
            os.path.join(bench.out, 'view.png')], bench.out, outputs=1)
    bench.row('a tiny view of Gold Mine: preparing alone, 2 threads', view('2'), view('1'), 'wall')


def rows(bench):
    peers = Peers(bench.options)
    gold = find_map(bench, 'Gold_Mine')
    if gold:
        one = Files(bench, 'gold', [gold])
        view_rows(bench, peers, one)
        further_rows(bench, peers, one)
        pixel_rows(bench, one)
        preparing_rows(bench, one)
    moving = find_map(bench, 'ctf1') or gold
    if moving:
        animation_rows(bench, moving)
    thumbnail_rows(bench, peers)
    many_rows(bench)
    large_rows(bench, gold)
    if gold:
        whole_rows(bench, gold)
    budget_rows(bench)
    gallery_rows(bench)
