# SPDX-License-Identifier: Zlib
"""Work on whole maps: checking, repairing, converting, searching, measuring."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from ._core import CancelledError, Guard, InputError, Job, Progress, Trouble, call, encode, encode_path, ffi, interruptible, lib, take, written
from ._images import Images
from ._numpy import np
from ._objects import Array, choose
from ._results import Finding, Report, new_findings, new_report, read_findings, read_report
from ._words import text

if TYPE_CHECKING:
    from ._map import Map, PathLike
    from ._memory import Clone

WAYS = {"embed": lib.TM_CONVERT_EMBED, "rename": lib.TM_CONVERT_RENAME, "keep": lib.TM_CONVERT_KEEP}
ROUNDS = 64  # of repairs: each must leave less to be found


@dataclass(frozen=True)
class Match:
    """A match of find: tiles in a rectangle, or a text."""
    pattern: str
    address: str
    x: int
    y: int
    width: int
    height: int
    count: int
    text: str = ""
    field: str = ""
    index: int = 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Share:
    """A part of a map's file, and the object that it belongs to."""
    kind: str  #: "images", "tiles", "physics", ...
    address: str  #: of the object whose bytes these are
    packed: int  #: bytes in the file
    unpacked: int  #: bytes in memory


class Sizes(list[Share]):
    """The sizes of the parts of a file: the packed bytes of all shares add up to the size of the file."""

    def __init__(self, map: Map) -> None:
        super().__init__()
        self._map = map

    def by_kind(self) -> dict[str, int]:
        """Bytes of each kind, the largest first."""
        counts: Counter[str] = Counter()
        for share in self:
            counts[share.kind] += share.packed
        return dict(counts.most_common())

    def by_object(self) -> dict[str, int]:
        """Bytes of each object by its address, the largest first."""
        counts: Counter[str] = Counter()
        for share in self:
            counts[share.address or share.kind] += share.packed
        return dict(counts.most_common())

    def picture(self, width: int = 1200, height: int = 800) -> Array:
        """Each object with its area, those of a kind side by side, as an array (height, width, 4) of u8."""
        sums: Counter[tuple[str, str]] = Counter()
        for share in self:
            sums[share.kind, share.address] += share.packed
        kinds = {text(ffi, lib.tm_bytes_name(kind)): kind for kind in range(lib.TM_BYTES_COUNT)}
        shares = ffi.new("tm_bytes_share[]", [{"kind": kinds[kind], "packed": packed, "object": take(
            "tm_address", lib.tm_address_parse, self._map._p, encode(address))} for (kind, address), packed in sums.items()])
        out = np.empty((height, width, 4), np.uint8)
        interruptible(lambda: call(lib.tm_preview_draw_sizes, ffi.from_buffer("uint8_t[]", out), width, height, self._map._p, shares,
                                   len(sums)))
        return out


def address_of(address: Any) -> str:
    line = ffi.new("char[64]")
    lib.tm_address_format(address, line, 64)
    return text(ffi, line)


class Visit:
    """A Python callback that the library calls for each of many objects."""

    def __init__(self, see: Callable[[Any], object]) -> None:
        self.see, self.trouble = see, Trouble()
        self.handle = ffi.new_handle(self)

    def one(self, seen: Any) -> bool:
        try:  # not Trouble.kept(), which takes a microsecond for each of a million
            self.see(seen)
        except BaseException as error:
            self.trouble.raised = self.trouble.raised or error
        return self.trouble.raised is None


@ffi.def_extern(error=False)  # type: ignore[untyped-decorator]
def teemap_match(ctx: Any, match: Any) -> bool:
    return ffi.from_handle(ctx).one(match)


@ffi.def_extern(error=False)  # type: ignore[untyped-decorator]
def teemap_share(ctx: Any, share: Any) -> bool:
    return ffi.from_handle(ctx).one(share)


class Work:
    """Work on a map, as its methods."""
    __slots__ = ()

    def check(self: Map, mode: str = "strict", *, threads: Optional[int] = None, progress: Optional[Progress] = None) -> list[Finding]:  # type: ignore[misc]
        """The findings of a game's loader for the map in its current state: "strict" is DDNet 20.1, "game" the most forgiving.
        The map is refused if any finding's `refuses` is true."""
        from ._map import MODES
        clone, job, number = self._clone(), self._job(threads, progress), choose(MODES, mode, "mode")

        def work() -> list[Finding]:
            with new_findings() as findings:
                try:
                    call(lib.tm_mapfile_check, clone.p, number, job.c, findings)
                except InputError as error:
                    if error.code != "damaged":
                        raise
                return read_findings(findings)

        return job.run(work, clone)

    def fix(self: Map, visible: bool = False, *, progress: Optional[Progress] = None) -> Report:  # type: ignore[misc]
        """Applies all safe repairs; with `visible`, also repairs that players may notice. The findings of the report are those
        that remain. Save with lay_out=True, because some faults are only in the layout of the file."""
        most = lib.TM_FIX_VISIBLE if visible else lib.TM_FIX_SAFE
        made: list[Report] = []
        job = self._job(1, progress)

        def work(p: Any, error: Any) -> int:
            made.append(fix_all(p, self._c, most, job))
            return int(lib.TM_OK)

        self._change(work, long=job)
        return made[-1]

    def optimize(self: Map, images: bool = False, colors: bool = False, *, threads: Optional[int] = None,  # type: ignore[misc]
                 progress: Optional[Progress] = None) -> Report:
        """Removes unused and invisible objects, and joins equal ones; with `images`, blanks parts of images that nothing shows;
        with `colors`, also gives invisible pixels the colors of their neighbours. Then pack it well: map.save(path, level=12,
        smaller=True, lay_out=True), or map.packed()."""
        names = ["optimize"] + ["optimize images"] * images + ["optimize colors"] * colors
        return self.edit.using(threads=threads, progress=progress)("\n".join(names))

    def packed(self: Map, smallest: bool = False, *, threads: Optional[int] = None, progress: Optional[Progress] = None) -> bytes:  # type: ignore[misc]
        """The file of the map as bytes, as small as packing makes it; `smallest` takes minutes for a little more."""
        return self.to_bytes(level=12, smaller=True, lay_out=True, smallest=smallest, threads=threads, progress=progress)

    def looks_equal(self: Map, other: Map, *, images: Any = None, tolerance: int = 0, threads: Optional[int] = None,  # type: ignore[misc]
                    progress: Optional[Progress] = None) -> tuple[bool, str]:
        """Compares pictures of many views and the physics of both maps: whether they look and play the same, and if not, where
        they differ."""
        a, b, found, job = self._clone(), other._clone(), Images.of(images, self), self._job(threads, progress)

        def work() -> tuple[bool, str]:
            options, where = ffi.new("tm_preview_equal_options *"), ffi.new("char[256]")
            options.size = ffi.sizeof("tm_preview_equal_options")
            options.job, options.tolerance = job.c, tolerance
            options.provider, options.provider_ctx = found.provider, found.provider_ctx
            equal = take("bool", lib.tm_preview_equal, a.p, b.p, options, where, 256)
            return bool(equal), text(ffi, where)

        return job.run(work, a, b)

    def convert(self: Map, to: str, *, way: str = "embed", keep_tiles: bool = False, images: Any = None,  # type: ignore[misc]
                progress: Optional[Progress] = None) -> Report:
        """Converts the map to another game: "ddnet", "teeworlds06" or "teeworlds07". Losses are findings of the report. way:
        external images that the game lacks or draws differently are embedded ("embed"), renamed ("rename"), or kept ("keep").
        Save with rewrite=True."""
        from ._map import choose_game
        game, found, job = choose_game(to), Images.of(images, self), self._job(1, progress)
        shipped = Images(game=game, shipped_only=True)
        done: list[Report] = []

        def work(p: Any, error: Any) -> int:
            options = ffi.new("tm_convert_options *")
            options.size = ffi.sizeof("tm_convert_options")
            options.to, options.images, options.keep_tiles = game, choose(WAYS, way, "way"), keep_tiles
            options.provider, options.provider_ctx = found.provider, found.provider_ctx
            options.shipped, options.shipped_ctx = shipped.provider, shipped.provider_ctx
            options.cancel = job.cancel
            with new_report() as report:
                status = lib.tm_convert_run(p, options, report, error)
                done.append(read_report(report))
                return status

        self._change(work, long=job)
        return done[0]

    def automap(self: Map, *words: Any, images: Any = None, threads: Optional[int] = None,  # type: ignore[misc]
                progress: Optional[Progress] = None, **how: Any) -> Report:
        """Runs automapper rules on design layers; arguments as of map.edit.automap, or with `file` as of map.edit.automap_by:
        map.automap("design"), map.automap("Back/Walls", file="my.rules")."""
        editor = self.edit.using(images, threads, progress)
        return editor.automap_by(how.pop("file"), *words, **how) if "file" in how else editor.automap(*words, **how)

    def find(self: Map, *patterns: str, layers: Optional[str] = None, region: Optional[Sequence[int]] = None,  # type: ignore[misc]
             progress: Optional[Progress] = None) -> list[Match]:
        """All matches of any of these patterns (docs/patterns.md): map.find("tele-in:5", "air where front/freeze"). layers:
        only these; region: only tiles in (x, y, width, height). What progress(done, total) raises ends the search."""
        if not patterns:
            raise TypeError("find() needs a pattern")
        clone = self._clone()
        read = [ffi.gc(take("tm_pattern *", lib.tm_pattern_parse, encode(one), ffi.NULL), lib.tm_pattern_free) for one in patterns]
        matches: list[Match] = []
        visit = Visit(lambda one: see(one))

        def see(one: Any) -> None:
            rect = one.rect
            matches.append(Match(patterns[one.pattern], address_of(ffi.addressof(one, "address")), rect.x, rect.y, rect.width, rect.height,
                                 one.count, text(ffi, one.text), text(ffi, one.field), one.index))

        def work() -> list[Match]:
            options = ffi.new("tm_find_options *")
            options.size = ffi.sizeof("tm_find_options")
            if layers is not None:
                choices = ffi.new("tm_layer_choice[]", max(1, lib.tm_map_num_layers(clone.p)))
                call(lib.tm_select_layers, choices, clone.p, encode(layers), lib.TM_SELECT_ALL)
                options.layers = choices
            if region is not None:
                options.region = tuple(region)
            call(lib.tm_map_find, clone.p, ffi.new("tm_pattern *[]", read), len(read), options, lib.teemap_match, visit.handle)
            visit.trouble.check()
            return matches

        job = self._job(1, progress)
        job.stopped = visit.trouble.interrupt
        return job.run(work, clone)

    def numbers(self: Map, pool: str, *, progress: Optional[Progress] = None) -> Array:  # type: ignore[misc]
        """How many tiles have each number, 256 of them: of "tele", "checkpoint", "switch" or "tune"."""
        pools = {text(ffi, lib.tm_number_pool_name(i)): i for i in range(16) if lib.tm_number_pool_name(i)}
        counts = np.zeros(256, np.uint64)
        clone, number = self._clone(), choose(pools, pool, "pool")
        self._job(1, progress).run(lambda: call(lib.tm_map_numbers, ffi.from_buffer("uint64_t[]", counts), clone.p, number), clone)
        return counts.astype(np.int64)

    def sizes(self: Map) -> Sizes:  # type: ignore[misc]
        """The sizes of the parts of the file, for the map as it would be saved."""
        from ._map import Map
        fresh = Map.open(self.to_bytes(), memory=self.memory, timeout=self.timeout)
        shares = Sizes(fresh)

        def see(one: Any) -> None:
            shares.append(Share(text(ffi, lib.tm_bytes_name(one.kind)), address_of(ffi.addressof(one, "object")), one.packed, one.unpacked))

        visit = Visit(see)
        call(lib.tm_mapfile_each_share, fresh._p, lib.teemap_share, visit.handle)
        visit.trouble.check()
        return shares

    @property
    def features(self: Map) -> list[str]:  # type: ignore[misc]
        """Parts of the format that the map uses (docs/json.md)."""
        with self._lock:
            bits = lib.tm_mapfile_features(self._p)
        return [text(ffi, lib.tm_feature_name(n)) for n in range(lib.TM_FEATURE_COUNT) if bits >> n & 1]

    def unpack(self: Map, folder: Optional[PathLike] = None, *, exact: bool = True, threads: Optional[int] = None,  # type: ignore[misc]
               progress: Optional[Progress] = None) -> dict[str, bytes]:
        """The map as files of text, PNG and Opus (docs/mapdir.md), by name; with `folder` they are also written there. exact: with what
        gives the same bytes again, which a map that comes from a file has."""
        clone, job = self._clone(), self._job(threads, progress)

        def work() -> dict[str, bytes]:
            options, files = ffi.new("tm_mapdir_write_options *"), ffi.new("tm_memory_files *")
            options.size = ffi.sizeof("tm_mapdir_write_options")
            if exact and lib.tm_mapfile_datafile(clone.p):
                kept = written(lambda output: call(lib.tm_mapfile_sidecar_write, clone.p, output, job.c))
                options.kept, options.kept_size = ffi.from_buffer(kept), len(kept)
            try:
                out = ffi.new("tm_files_out *", lib.tm_memory_files_out(files))
                call(lib.tm_mapdir_write, clone.p, out, options, job.c)
                return {text(ffi, files.list[i].name): bytes(ffi.buffer(files.list[i].bytes, files.list[i].size)) if files.list[i].size
                        else b"" for i in range(files.num)}
            finally:
                lib.tm_memory_files_release(files)

        result: dict[str, bytes] = job.run(work, clone)
        if folder is not None:
            store = ffi.gc(take("tm_store_folder *", lib.tm_store_folder_open, encode_path(folder), True, ffi.NULL), lib.tm_store_folder_close)
            del store  # it makes the folder, and refuses what is none
            for name, data in result.items():
                path = encode_path(os.path.join(os.fspath(folder), name))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                call(lib.tm_store_write_bytes, path, ffi.from_buffer(data), len(data), ffi.NULL)
        return result


def fix_all(p: Any, origin: Clone, most: int, job: Job) -> Report:
    """Repairs a map of C in rounds, each of which must leave less to be found."""
    from ._memory import Clone

    def file_of(of: Any, **how: bool) -> bytes:
        if job.trouble.raised or job.late:
            raise CancelledError("cancelled", "cancelled")
        options = ffi.new("tm_mapfile_save_options *", {"size": ffi.sizeof("tm_mapfile_save_options"), "level": 1, **how})
        return written(lambda output: call(lib.tm_mapfile_save, of, output, options, ffi.NULL, ffi.NULL))

    changes: list[Any] = []
    lost: list[Finding] = []
    too_large: list[Finding] = []
    findings = judge(file_of(p), origin.guard)
    worse = sum(one.severity != "note" for one in findings)
    for number in range(ROUNDS):
        trial = Clone(take("tm_map *", lib.tm_map_clone, p), origin.keep, origin.guard)
        lib.tm_map_set_cancel(trial.p, job.cancel)
        done = fix_once(trial.p, file_of(trial.p), most, origin.guard)
        left = judge(file_of(trial.p, lay_out=True), origin.guard)
        now = sum(one.severity != "note" for one in left)
        too_large = [one for one in done.findings if one.id == "not-repaired"]
        if not done.changes or (changes and now >= worse):
            break
        lib.tm_map_swap(p, trial.p)
        changes.extend(done.changes)
        lost.extend(one for one in done.findings if one.id != "not-repaired")
        findings, worse = left, now
    still = {(one.id, one.address) for one in findings}
    return Report([one for one in changes if (one.operation, one.address) not in still], [*findings, *lost, *too_large])


def fix_once(p: Any, data: bytes, most: int, guard: Optional[Guard]) -> Report:
    """One round of repairs for the findings in the map's file."""
    with new_findings() as findings, new_report() as report:
        look(data, findings, "strict", guard)
        call(lib.tm_edit_fix, p, findings, most, report)
        return read_report(report)


def judge(data: bytes, guard: Optional[Guard]) -> list[Finding]:
    """The verdict of the strictest game on a file."""
    with new_findings() as findings:
        look(data, findings, "strict", guard)
        return read_findings(findings)


def load_strictly(source: Union[bytes, str], findings: Any, guard: Optional[Guard]) -> str:
    """Of bytes or of a path: adds the findings of the strictest loader to those of C, and returns why it refuses the file; "" if it opens it. What only a limit
    of this map refuses is not known."""
    from ._map import mapfile_options
    out, error, options = ffi.new("tm_map **"), ffi.new("tm_error *"), mapfile_options("strict", guard or Guard())
    if isinstance(source, bytes):
        memory = ffi.from_buffer(source)
        status = lib.tm_mapfile_load(out, lib.tm_input_from_memory(memory, len(source)), options, findings, error)
    else:
        status = lib.tm_store_load(out, encode_path(source), options, findings, error)
    lib.tm_map_free(out[0])
    return text(ffi, error.text) if status in (lib.TM_ERROR_DAMAGED, lib.TM_ERROR_UNSUPPORTED) else ""


def verdict(source: Union[bytes, str], guard: Optional[Guard]) -> list[Finding]:
    """One finding if DDNet refuses a file, with the reason and its place; none if it opens it."""
    with new_findings() as findings:
        reason = load_strictly(source, findings, guard)
        refusing = [one for one in read_findings(findings) if one.refuses]
    if not reason:
        return []
    first = refusing[0] if refusing else Finding("", "", "")
    return [Finding("not-for-ddnet", "error", f"DDNet 20.1 refuses the file: {reason}", first.address, first.place, first.offset)]


def look(data: bytes, findings: Any, mode: str, guard: Optional[Guard]) -> None:
    from ._map import mapfile_options
    options = mapfile_options(mode, guard or Guard())
    memory = ffi.from_buffer(data)
    try:
        p = take("tm_map *", lib.tm_mapfile_load, lib.tm_input_from_memory(memory, len(data)), options, findings)
    except InputError:
        if mode == "strict":
            look(data, findings, "game", guard)
        return
    try:
        call(lib.tm_mapfile_check_data, p, ffi.NULL, findings)
    finally:
        lib.tm_map_free(p)


def pack(source: Union[PathLike, dict[str, bytes]], *, memory: Optional[int] = None, timeout: Optional[float] = None,
         threads: Optional[int] = None, progress: Optional[Progress] = None) -> Map:
    """Makes a map from the output of `unpack`: a folder, or files by name. Unchanged files give the same bytes. memory: bytes that the
    map and work on it may take, by default 2 GiB; timeout: seconds that this and each later call for the map may take."""
    from ._map import Map
    from ._memory import Clone
    if not isinstance(source, dict):
        root = os.fspath(source)
        source = {}
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = os.path.join(folder, name)
                if not name.startswith(".") and not os.path.islink(path):
                    with open(path, "rb") as file:
                        source[os.path.relpath(path, root).replace(os.sep, "/")] = file.read()
    given, guard = source, Guard(memory, timeout)
    options = ffi.new("tm_mapdir_read_options *", {"size": ffi.sizeof("tm_mapdir_read_options"), "limits": guard.limits,
                                                   "allocator": guard.allocator})
    job = Job(threads, progress, guard)

    def work() -> Map:
        files, kept = ffi.new("tm_memory_files *"), ffi.new("tm_sidecar *")
        try:
            for name, data in given.items():
                call(lib.tm_memory_files_add, files, encode(name), ffi.from_buffer(data), len(data))
            inner = ffi.new("tm_files_in *", lib.tm_memory_files_in(files))
            with new_findings() as findings:
                out = ffi.new("tm_map **")
                call(lib.tm_mapdir_read, out, kept, inner, options, job.c, findings)
                map = Map(Clone(out[0], [], guard), None, read_findings(findings))
                if kept.size:
                    call(lib.tm_mapfile_sidecar_apply, ffi.NULL, map._p, kept, ffi.NULL)
                return map
        finally:
            lib.tm_sidecar_release(kept)
            lib.tm_memory_files_release(files)

    return job.run(work)
