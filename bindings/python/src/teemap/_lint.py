# SPDX-License-Identifier: Zlib
"""Checks maps for release problems by rules: of the library, of files, and in Python."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

from ._core import Progress, Trouble, call, encode, encode_path, ffi, importing, lib, take
from ._images import Images
from ._mods import Mod
from ._objects import MapObject, choose
from ._results import Finding, new_findings, read_finding
from ._words import text
from ._work import address_of, load_strictly

if TYPE_CHECKING:
    from ._map import Map, PathLike

SEVERITIES = {"note": lib.TM_SEVERITY_NOTE, "warning": lib.TM_SEVERITY_WARNING, "error": lib.TM_SEVERITY_ERROR}


@dataclass(frozen=True)
class LintFinding(Finding):
    """A problem to fix before a release."""
    title: str = ""  #: what is found, a sentence
    why: str = ""  #: why it matters
    how: str = ""  #: how to fix it
    fix: str = ""  #: the operation that fixes it, for map.edit(...); "" if somebody must think
    guess: bool = False  #: it may be wrong of this map
    places: list[tuple[int, int, int, int]] = field(default_factory=list)  #: x, y, width, height in tiles
    objects: list[str] = field(default_factory=list)  #: addresses, where several objects are meant


@dataclass(frozen=True)
class Lint:
    """The findings of all rules that ran."""
    findings: list[LintFinding]
    ignored: list[LintFinding]  #: what the map itself says to leave out
    sets: list[str]  #: by which sets of rules the map was measured

    def __iter__(self) -> Any:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.findings)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Rule:
    """A rule in Python: judge(map) yields its findings, each a text or a Found."""
    id: str  #: a-z, 0-9 and -
    judge: Callable[[Map], Iterable[Union[str, Found]]]
    title: str = ""
    why: str = ""
    how: str = ""
    severity: str = "warning"


@dataclass(frozen=True)
class Found:
    """One finding of a rule in Python: of an object, or of an address, and of rectangles of its tiles."""
    text: str
    object: Union[MapObject, str, None] = None
    places: tuple[tuple[int, int, int, int], ...] = ()


class Judge:
    """A rule while it runs."""

    def __init__(self, rule: Rule, map: Map, trouble: Trouble) -> None:
        self.rule, self.map, self.trouble = rule, map, trouble
        self.handle = ffi.new_handle(self)

    def report(self, to: Any) -> None:
        for found in self.rule.judge(self.map):
            self.trouble.check()  # Ctrl-C
            found = Found(found) if isinstance(found, str) else found
            address = ffi.NULL
            if found.object is not None:
                word = found.object.address if isinstance(found.object, MapObject) else found.object
                address = ffi.new("tm_address *", take("tm_address", lib.tm_address_parse, self.map._p, encode(word)))
            places = ffi.new("tm_region[]", [((x, y, w, h), w * h) for x, y, w, h in found.places])
            lib.tm_lint_report_add(to, address, encode(found.text), places, len(found.places))


@ffi.def_extern(onerror=None, error=lib.TM_ERROR_IO)  # type: ignore[untyped-decorator]
def teemap_judge(ctx: Any, map: Any, report: Any, error: Any) -> int:
    judge = ffi.from_handle(ctx)
    try:
        judge.report(report)
        return int(lib.TM_OK)
    except BaseException as reason:
        judge.trouble.raised = judge.trouble.raised or reason
        return int(lib.tm_error_set(error, lib.TM_ERROR_CANCELLED, b"a rule in Python failed"))


def make_config(config: Union[PathLike, Iterable[PathLike]], judges: list[Judge]) -> Any:
    made = ffi.gc(take("tm_lint_config *", lib.tm_lint_config_new, ffi.NULL), lib.tm_lint_config_free)
    for path in [config] if isinstance(config, (str, os.PathLike)) else config:
        with open(path, "rb") as file:
            words = file.read()
        call(lib.tm_lint_config_add, made, encode_path(path), words, len(words))
    for judge in judges:
        rule = judge.rule
        keep = {name: ffi.new("char[]", encode(word)) for name, word in
                (("custom_id", rule.id), ("title", rule.title), ("reason", rule.why), ("advice", rule.how)) if word}
        call(lib.tm_lint_config_add_rule, made, ffi.new("tm_lint_rule *", keep), choose(SEVERITIES, rule.severity, "severity"),
             lib.teemap_judge, judge.handle)
    return made


def read_lint(result: Any, list_: Any, i: int, rule: Any, listed: bool) -> LintFinding:
    plain = read_finding(list_ + i)
    num = ffi.new("uint32_t *")
    places, objects, fix = [], [], ""
    if listed:
        found = lib.tm_lint_places(num, result, i)
        places = [(r.x, r.y, r.width, r.height) for r in (found[k].rect for k in range(num[0]))]
        found = lib.tm_lint_objects(num, result, i)
        objects = [address_of(found + k) for k in range(num[0])]
        fix = text(ffi, lib.tm_lint_fix_line(result, i))
    words = {**plain.__dict__, "places": places, "objects": objects, "fix": fix}
    if rule:
        words.update(id=text(ffi, lib.tm_lint_rule_name(rule)), title=text(ffi, rule.title), why=text(ffi, rule.reason),
                     how=text(ffi, rule.advice), guess=rule.guess)
    return LintFinding(**words)


class Linted:
    """Lint as a method of maps."""
    __slots__ = ()

    def lint(self: Map, sets: Optional[str] = None, *, choices: Optional[Mapping[str, str]] = None,  # type: ignore[misc]
             config: Union[PathLike, Iterable[PathLike]] = (), rules: Iterable[Rule] = (), most: int = 0, apart: bool = False,
             images: Any = None, progress: Optional[Progress] = None, mod: Union[None, str, Mod] = None) -> Lint:
        """Runs all rules of the sets that fit the map (docs/lint.md), or of the named sets: "ddnet,style".

        choices: what becomes of rules by their ids or patterns: {"no-*": "off", "own": "error"}: "off", "on", "note", "warning" or "error";
        config: files like .teemap.toml; rules: teemap.Rule, in Python; most: findings of a rule that are listed; apart: each object is
        a finding of its own; mod: the mod for which the map is made, or a file of settings, by name or as a teemap.Mod
        (default: what it shows). That DDNet's loader refuses the map is the finding not-for-ddnet; progress(done, total): rules that have run; what it raises ends the work."""
        with importing:
            from ._edit import Inputs
            from ._map import file_of
        clone, inputs, trouble, job = self._clone(), Inputs(self, Images.of(images, self)), Trouble(), self._job(1, progress)
        job.stopped = trouble.interrupt
        judges = [Judge(rule, self.copy(), trouble) for rule in rules]
        made = make_config(config, judges)
        wanted = ffi.new("uint32_t *")
        if sets is not None and not lib.tm_lint_sets_from_text(wanted, encode(sets)):
            raise ValueError(f"'{sets}' are no sets of rules")
        chosen, chosen_mod = [], Mod.of(mod)
        for name, what in (choices or {}).items():
            severity = SEVERITIES.get(what, 0)
            if not severity:
                choose({"off": 0, "on": 0, **SEVERITIES}, what, "choice")
            chosen.append((ffi.new("char[]", encode(name)), severity, what == "off", what == "on"))
        path = ffi.new("char[]", encode_path(self.path)) if self.path else ffi.NULL
        size = os.path.getsize(self.path) if self.path and os.path.exists(self.path) else 0

        def work() -> Lint:
            options, result = ffi.new("tm_lint_options *"), ffi.new("tm_lint_result *")
            options.size = ffi.sizeof("tm_lint_options")
            c_choices = ffi.new("tm_lint_choice[]", [{"name": n, "severity": s, "off": off, "on": on} for n, s, off, on in chosen])
            options.sets, options.choices, options.num_choices = wanted[0], c_choices, len(chosen)
            options.config, options.most, options.apart, options.file_size = made, most, apart, size
            options.rules, options.rules_ctx, options.job = lib.teemap_rules, inputs.handle, job.c
            if path:
                options.path = path
            if chosen_mod:
                options.mod = chosen_mod.c
            with new_findings() as refusals:
                load_strictly(file_of(clone.p, ffi.NULL), refusals, clone.guard)
                options.refusals = refusals
                call(lib.tm_lint_run, result, clone.p, options)
            try:
                found, ignored = result.findings, result.ignored
                names = [text(ffi, lib.tm_lint_set_name(1 << bit)) for bit in range(lib.TM_LINT_SETS) if result.sets >> bit & 1]
                return Lint([read_lint(result, found.list, i, lib.tm_lint_rule_for(result, i), True) for i in range(found.num)],
                            [read_lint(result, ignored.list, i, lib.tm_lint_rule_for_ignored(result, i), False)
                             for i in range(ignored.num)], names)
            finally:
                lib.tm_lint_result_release(result)

        try:
            return job.run(work, clone)
        except Exception:
            if not job.trouble.raised and not job.late:
                trouble.check()
                inputs.trouble.check()
            raise
