# SPDX-License-Identifier: Zlib
"""Differences between maps as patches, and merging."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ._core import Progress, call, encode, ffi, interruptible, lib, limits_of, take, written
from ._numpy import np
from ._objects import LAYER_KINDS, Array, choose
from ._results import Finding, Report, new_findings, new_report, read_findings, read_report
from ._words import text
from ._work import address_of

if TYPE_CHECKING:
    from ._map import Map
    from ._memory import Clone
    from ._render import Renderer


@dataclass(frozen=True)
class Difference:
    """One thing that differs between two maps."""
    kind: str  #: "added", "removed", "moved", "field", "setting", "element", "tiles", "pixels", "data"
    text: str  #: one line, as teemap diff prints it
    before: Optional[str]  #: address of the object in the old map, None: it is not there
    after: Optional[str]  #: in the new map
    name: str
    layer_kind: Optional[str]
    field: Optional[str]
    count: int  #: tiles or pixels that differ
    regions: list[tuple[int, int, int, int]]  #: x, y, width, height of what belongs together, in places of the old map
    shift: tuple[int, int]  #: where the old top left tile is now
    number: int

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Patch(Sequence[Difference]):
    """The changes from one map to another: a list of differences that can be applied, inverted, narrowed, joined, written and
    read."""

    def __init__(self, c: Any, keep: Iterable[Any], maps: tuple[Optional[Clone], Optional[Clone]] = (None, None),
                 unread: Iterable[Finding] = ()) -> None:
        self._c, self._keep = ffi.gc(c, lib.tm_patch_free), list(keep)
        self._before, self._after = maps
        #: what differs in parts of the files that teemap does not read (`unread-differs`), which no patch holds; of Map.diff only
        self.unread = list(unread)

    @classmethod
    def between(cls, before: Map, after: Map, *, progress: Optional[Progress] = None) -> Patch:
        a, b = before._clone(detached=True), after._clone(detached=True)
        options = ffi.new("tm_patch_options *", {"size": ffi.sizeof("tm_patch_options"), "limits": limits_of(a.guard, b.guard)})

        def work() -> tuple[Any, list[Finding]]:
            with new_findings() as findings:
                call(lib.tm_mapfile_report_unread, findings, a.p, b.p, ffi.NULL)
                return take("tm_patch *", lib.tm_patch_make, a.p, b.p, options), read_findings(findings)

        made, unread = before._job(1, progress).run(work, a, b)
        return cls(made, [a, b], (a, b), unread)

    @classmethod
    def from_json(cls, data: bytes) -> Patch:
        """Reads the output of to_json, or of teemap diff -o."""
        return cls(interruptible(lambda: take("tm_patch *", lib.tm_patch_read, ffi.from_buffer(data), len(data), ffi.NULL)), [])

    def to_json(self) -> bytes:
        """The patch as JSON (docs/compare.md), which contains everything that applying it needs."""
        return interruptible(lambda: written(lambda output: call(lib.tm_patch_write, self._c, output)))

    def __reduce__(self) -> Any:
        """As its JSON. The maps do not go along: words(kinds=True) and narrowed(race=True) know less of it then."""
        return Patch.from_json, (self.to_json(),)

    def __len__(self) -> int:
        return int(lib.tm_patch_num(self._c))

    def __bool__(self) -> bool:
        """Whether the maps differ, also in what is not read."""
        return len(self) > 0 or bool(self.unread)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        change, line = ffi.new("tm_patch_change *"), ffi.new("char[1024]")
        lib.tm_patch_at(change, self._c, number)
        lib.tm_patch_change_format(change, line, 1024)
        regions = [(r.x, r.y, r.width, r.height) for r in (change.regions[i].rect for i in range(change.num_regions))]
        is_layer = (change.after if change.in_after else change.before).kind == lib.TM_KIND_LAYER
        return Difference(text(ffi, lib.tm_change_kind_name(change.kind)), text(ffi, line),
                          address_of(ffi.addressof(change, "before")) if change.in_before else None,
                          address_of(ffi.addressof(change, "after")) if change.in_after else None, text(ffi, change.name),
                          LAYER_KINDS[change.layer_kind] if is_layer else None,
                          text(ffi, change.field.name) if change.field else None, change.num, regions, (change.dx, change.dy), number)

    def words(self, *, markdown: bool = False, all: bool = False, tiles: bool = False, kinds: bool = False, sum_only: bool = False) -> str:
        """As `teemap diff` prints it: the numbers of changes, then a line for each object, or one for several with the same changes.

        markdown: a paragraph and a list, with names escaped; all: a line for each change and each place in it; tiles: with `all`, a line
        for each tile; kinds: for physics layers, which tiles became which; sum_only: only the first line."""
        options = ffi.new("tm_tell_options *")
        options.size = ffi.sizeof("tm_tell_options")
        options.before, options.after = (one.p if one else ffi.NULL for one in (self._before, self._after))
        options.num_unread = len(self.unread)
        options.markdown, options.all, options.tiles, options.kinds, options.sum_only = markdown, all, tiles, kinds, sum_only
        told = interruptible(lambda: written(lambda output: call(lib.tm_patch_tell, self._c, options, output))).decode()
        return told if sum_only else told + "".join(f"{'- ' if markdown else ''}{one.text}\n" for one in self.unread)

    def __str__(self) -> str:
        return self.words()

    def markdown(self) -> str:
        """The patch as Markdown, with escaped names."""
        return self.words(markdown=True)

    def to_dict(self) -> list[dict[str, Any]]:
        return [one.to_dict() for one in self]

    def pictures(self, before: Renderer, after: Renderer, *, around: float = 4, places: int = 3, marks: bool = True,
                 **how: Any) -> Iterator[tuple[Difference, tuple[float, float, float, float], Array, Array]]:
        """Places that differ, before and after: the difference, its x, y, width and height in tiles (of the new map, if it is there), and
        both pictures, with so many tiles around; at most so many places of a difference. marks: frames and colors like `teemap diff
        --picture`. Further arguments as of Renderer.draw."""
        renderers, both = (before, after), ffi.new("tm_preview_marks *")
        both = ffi.gc(both, lambda p, keep=renderers: lib.tm_preview_marks_release(p))
        maps = [one._clone.p for one in renderers]
        interruptible(lambda: call(lib.tm_preview_patch_marks, both, self._c, *maps, how.get("time", 0)))
        frames: list[dict[int, list[Any]]] = [{}, {}]
        for side, of in enumerate(both.map[0:2]):
            for mark in of.list[0:of.num]:
                if mark.frame:
                    frames[side].setdefault(mark.subject, []).append(mark)
        for number in sorted({*frames[0], *frames[1]}):
            for pair in islice(zip_longest(*(some.get(number, []) for some in frames)), places):
                areas = [mark and take("tm_preview_area", lib.tm_preview_mark_area, map, ffi.addressof(mark), how.get("flat", False))
                         for map, mark in zip(maps, pair)]
                drawn = []
                for renderer, area, of in zip(renderers, (areas[0] or areas[1], areas[1] or areas[0]), both.map[0:2]):
                    region = (area.x - around, area.y - around, area.width + 2 * around, area.height + 2 * around)
                    drawn.append(renderer.draw(region=region, **how, _marks=(of.list, of.num) if marks else None))
                at = (pair[1] or pair[0]).area
                yield self[number], (at.x, at.y, at.width, at.height), drawn[0], drawn[1]

    def mask(self, difference: Union[int, Difference]) -> Array:
        """Which tiles or pixels differ, as an array (height, width) of bool, in places of the new map."""
        number = difference.number if isinstance(difference, Difference) else range(len(self))[difference]
        change, run = ffi.new("tm_patch_change *"), ffi.new("tm_run *")
        lib.tm_patch_at(change, self._c, number)
        mask = np.zeros((change.height[1], change.width[1]), bool)
        for i in range(change.num_runs):
            lib.tm_patch_run(run, self._c, number, i)
            x, y = run.x + change.dx, run.y + change.dy
            if 0 <= y < mask.shape[0]:
                mask[y, max(0, x):max(0, x + run.num)] = True
        return mask

    def apply(self, map: Map, *, partial: bool = False, progress: Optional[Progress] = None) -> Report:
        """Applies the patch to the old map or a similar one. With `partial`, changes that do not fit are skipped and reported."""
        done: list[Report] = []

        def work(p: Any, error: Any) -> int:
            options = ffi.new("tm_apply_options *")
            options.size = ffi.sizeof("tm_apply_options")
            options.partial = partial
            with new_report() as report:
                status = lib.tm_patch_apply(p, self._c, options, report, error)
                done.append(read_report(report))
                return int(status)

        map._change(work, keep=self._keep, long=map._job(1, progress))
        return done[-1]

    def inverted(self) -> Patch:
        """The patch that undoes this one."""
        return Patch(take("tm_patch *", lib.tm_patch_invert, self._c), self._keep, (self._after, self._before))

    def narrowed(self, words: Optional[str] = None, *, region: Optional[Sequence[int]] = None, race: bool = False) -> Patch:
        """A part of it: words like "tiles", "physics", "2/3", "settings" (docs/compare.md); region: tiles in (x, y, width, height); race:
        only what changes how the map is played."""
        options = ffi.new("tm_filter_options *")
        options.size = ffi.sizeof("tm_filter_options")
        keep = ffi.new("char[]", encode(words)) if words is not None else ffi.NULL
        options.words, options.race = keep, race
        options.before = self._before.p if race and self._before else ffi.NULL
        if region is not None:
            options.region = tuple(region)
        return Patch(interruptible(lambda: take("tm_patch *", lib.tm_patch_filter, self._c, options)), self._keep, (self._before, self._after))

    def joined(self, other: Patch) -> Patch:
        """All differences of two patches between the same maps."""
        return Patch(take("tm_patch *", lib.tm_patch_union, self._c, other._c), self._keep + other._keep, (self._before, self._after))


@dataclass(frozen=True)
class Conflict:
    """A place that both sides changed in different ways."""
    kind: str
    text: str
    resolution: str  #: what the map has: "unresolved" (it stays open), "ours", "theirs", "both"
    open: bool
    name: str
    address: Optional[str]  #: of the object in the merged map

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Merge:
    """Two maps in one."""
    map: Map
    conflicts: list[Conflict]
    report: Report = field(default_factory=Report)


TAKES = {text(ffi, lib.tm_resolution_name(i)): i for i in range(4)}


def merge(base: Optional[Map], ours: Map, theirs: Map, *, take: Optional[dict[str, str]] = None, mark: bool = False,
          progress: Optional[Progress] = None, take_: Optional[dict[str, str]] = None) -> Merge:
    """Merges two changed versions of a map, tile by tile and field by field (docs/compare.md). `base`: the common ancestor, or
    None.

    take: settles conflicts by words: {"physics": "ours", "settings": "both"} (take_ is its old name); mark: leaves open ones in the map,
    for the editor."""
    from ._map import Map
    from ._memory import Clone
    clones = [one._clone(detached=True) if one is not None else None for one in (base, ours, theirs)]
    limits = limits_of(*(one.guard for one in clones if one))
    words = [(ffi.new("char[]", encode(name)), choose(TAKES, way, "way")) for name, way in (take or take_ or {}).items()]

    def work() -> Merge:
        options = ffi.new("tm_merge_options *")
        options.size = ffi.sizeof("tm_merge_options")
        rules = ffi.new("tm_merge_rule[]", [{"words": name, "resolution": way} for name, way in words])
        options.rules, options.num_rules, options.mark = rules, len(words), mark
        options.limits = limits
        out, conflicts = ffi.new("tm_map **"), ffi.new("tm_conflicts **")
        with new_report() as report:
            call(lib.tm_map_merge, out, conflicts, *(one.p if one else ffi.NULL for one in clones), options, report)
            try:
                merged = Map(Clone(out[0], [one for one in clones if one], ours._c.guard))
                call(lib.tm_mapfile_report_left_out, ffi.NULL, ffi.NULL, ffi.addressof(report, "findings"), out[0],
                     *(one.p if one else ffi.NULL for one in clones), ffi.NULL)
                return Merge(merged, list(read_conflicts(conflicts[0])), read_report(report))
            finally:
                lib.tm_conflicts_free(conflicts[0])

    return ours._job(1, progress).run(work, *(one for one in clones if one))


def read_conflicts(conflicts: Any) -> Iterator[Conflict]:
    one, line = ffi.new("tm_conflict *"), ffi.new("char[1024]")
    for i in range(lib.tm_conflicts_num(conflicts)):
        lib.tm_conflicts_at(one, conflicts, i)
        lib.tm_conflict_format(one, line, 1024)
        yield Conflict(text(ffi, lib.tm_conflict_kind_name(one.kind)), text(ffi, line), text(ffi, lib.tm_resolution_name(one.resolution)),
                       one.open, text(ffi, one.name), address_of(ffi.addressof(one, "merged")) if one.in_merged else None)


class Compared:
    """Differences of a map to others, as its methods."""
    __slots__ = ()

    def diff(self: Map, after: Map, *, progress: Optional[Progress] = None) -> Patch:  # type: ignore[misc]
        """The patch from this map to another one."""
        return Patch.between(self, after, progress=progress)

    def patch(self: Map, patch: Union[Patch, bytes], *, partial: bool = False, progress: Optional[Progress] = None) -> Report:  # type: ignore[misc]
        """Applies a patch, or its JSON."""
        return (patch if isinstance(patch, Patch) else Patch.from_json(patch)).apply(self, partial=partial, progress=progress)
