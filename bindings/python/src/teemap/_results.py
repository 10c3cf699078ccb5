# SPDX-License-Identifier: Zlib
"""Findings and reports as objects."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Optional

from ._core import ffi, lib
from ._words import text


@dataclass(frozen=True)
class Finding:
    """A finding about a map (docs/findings.md)."""
    id: str
    severity: str  #: "note", "warning" or "error"
    text: str
    address: str = ""  #: of the object: "2/3", "image/0"; "" the whole map
    place: str = ""  #: the same for people
    offset: Optional[int] = None  #: byte in the file
    count: int = 1
    refuses: bool = False  #: the game refuses the whole map for it

    def __str__(self) -> str:
        return ": ".join(part for part in (self.place, self.text) if part) + f" [{self.id}]"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Change:
    """One thing that was done to a map."""
    operation: str
    text: str
    address: str
    place: str
    count: int
    lost: str = ""  #: the id of the finding, if something was lost

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


@dataclass(frozen=True)
class Report:
    """What was done, and what could not be done."""
    changes: list[Change] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(str(one) for one in [*self.changes, *self.findings])

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def read_findings(findings: Any) -> list[Finding]:
    return [read_finding(findings.list + i) for i in range(findings.num)]


def read_finding(one: Any) -> Finding:
    return Finding(text(ffi, lib.tm_finding_name(one.id)), text(ffi, lib.tm_severity_name(one.severity)),
                   text(ffi, one.text), text(ffi, one.address), text(ffi, one.place),
                   None if one.offset < 0 else one.offset, one.count, one.refuses)


class new_findings:
    """Findings of C, which `with` releases. A generator would take a tenth of the time in which a small map is opened."""

    def __enter__(self) -> Any:
        self.c = ffi.new("tm_findings *")
        lib.tm_findings_init(self.c, 0, ffi.NULL)
        return self.c

    def __exit__(self, *_: Any) -> None:
        lib.tm_findings_release(self.c)


def read_report(report: Any) -> Report:
    changes = [Change(text(ffi, one.operation), text(ffi, one.text), text(ffi, one.address), text(ffi, one.place), one.count,
                      text(ffi, lib.tm_finding_name(one.lost)) if one.lost else "")
               for one in (report.list[i] for i in range(report.num))]
    return Report(changes, read_findings(ffi.addressof(report, "findings")))


@contextmanager
def new_report() -> Iterator[Any]:
    report = ffi.new("tm_report *")
    lib.tm_report_init(report, ffi.NULL)
    try:
        yield report
    finally:
        lib.tm_report_release(report)
