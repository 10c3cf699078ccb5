# SPDX-License-Identifier: Zlib
"""A map as one flat row."""
from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Optional, Union

from ._core import Error, Guard, Job, Progress, TimeLimitError, call, encode, encode_path, ffi, lib, run_all, take
from ._results import new_findings
from ._words import text

if TYPE_CHECKING:
    from ._map import Map, PathLike


def _columns() -> dict[str, str]:
    columns, n = {}, 0
    while lib.tm_facts_column(n):
        columns[text(ffi, lib.tm_facts_column(n).name)] = text(ffi, lib.tm_facts_column(n).text)
        n += 1
    return columns


COLUMNS = _columns()  #: names of all columns, and what they mean
TYPES = [lib.tm_facts_column(n).type for n in range(len(COLUMNS))]


def _cell(fact: Any) -> Any:
    if not fact.known:
        return None
    if fact.type == lib.TM_FACT_NUMBER:
        return fact.number
    if fact.type == lib.TM_FACT_TEXT:
        return text(ffi, fact.text)
    return [text(ffi, fact.list[i]) for i in range(fact.num)]


def facts(source: Union[PathLike, bytes, Map], *, memory: Optional[int] = None, timeout: Optional[float] = None,
          progress: Optional[Progress] = None) -> dict[str, Any]:
    """A map as a flat dict with stable columns (docs/facts.md): of a path, of the bytes of a file, or of a map. What is not known is
    None. A file that cannot be read has a row, too, with `error`, and so has one that would take more than `memory` bytes or `timeout`
    seconds (as of teemap.open)."""
    from ._map import Map
    if isinstance(source, Map):
        guard = Guard(source.memory if memory is None else memory, source.timeout if timeout is None else timeout)
        return Job(1, progress, guard).run(lambda: _facts(source, guard))
    guard = guard_of(source, memory, timeout)
    job = Job(1, progress, guard)
    try:
        return job.run(lambda: _facts(source, guard, job))
    except Error as error:
        if error.code not in ("limit", "memory") and not isinstance(error, TimeLimitError):
            raise
        return _facts(source, guard, error=error)


def guard_of(source: Any, memory: Optional[int], timeout: Optional[float]) -> Guard:
    from ._map import file_size, usual_memory
    if memory is None:
        memory = usual_memory(file_size(source) if isinstance(source, (str, os.PathLike)) else len(source))
    return Guard(memory, timeout)


def _facts(source: Any, guard: Guard, job: Optional[Job] = None, error: Optional[Error] = None) -> dict[str, Any]:
    from ._map import Map
    given = error
    file = ffi.new("tm_facts_file *")
    keep: list[Any] = []
    file.size = ffi.sizeof("tm_facts_file")
    clone = None
    with new_findings() as findings:
        if isinstance(source, Map):
            clone = source._clone()
        else:
            try:
                clone = _load(source, file, keep, findings, guard, given)
                if job:
                    lib.tm_map_set_cancel(clone.p, job.cancel)
            except Error as error:
                keep.append(ffi.new("char[]", encode(str(error)[len(error.path) + 2 if error.path else 0:])))
                file.error = keep[-1]
        row = ffi.new("tm_facts **")
        call(lib.tm_facts_make, row, clone.p if clone else ffi.NULL, findings, file, ffi.NULL)
        try:
            return {name: _cell(lib.tm_facts_get(row[0], n)) for n, name in enumerate(COLUMNS)}
        finally:
            lib.tm_facts_free(row[0])


def _load(source: Any, file: Any, keep: list[Any], findings: Any, guard: Guard, given: Optional[Error]) -> Any:
    from ._map import mapfile_options
    from ._memory import Clone
    options = mapfile_options("game", guard)
    hashes = ffi.new("tm_hashes *")
    keep.append(hashes)
    if isinstance(source, (str, os.PathLike)):
        path = ffi.new("char[]", encode_path(source))
        keep.append(path)
        file.path = path
        time = ffi.new("int64_t *")
        call(lib.tm_sys_get_time, time, path)
        file.file_time = time[0]
        call(lib.tm_store_hash, hashes, path, ffi.NULL)
        file.hashes, file.file_size = hashes, hashes.size
        if given:
            raise given
        return Clone(take("tm_map *", lib.tm_store_load, path, options, findings), [], guard)
    data = ffi.from_buffer(bytes(source))
    keep.append(data)
    whole = ffi.new("tm_input *", lib.tm_input_from_memory(data, len(data)))
    call(lib.tm_hash_input, hashes, whole, ffi.NULL)
    file.hashes, file.file_size = hashes, hashes.size
    if given:
        raise given
    return Clone(take("tm_map *", lib.tm_mapfile_load, whole[0], options, findings), [data], guard)


def facts_table(sources: Iterable[Union[PathLike, bytes, Map]], *, threads: Optional[int] = None,
                progress: Optional[Progress] = None, memory: Optional[int] = None, timeout: Optional[float] = None) -> Any:
    """The facts of many maps as a pyarrow.Table, in their order; needs pyarrow. progress(done, total) is called after each map; memory,
    timeout: of each map, as of teemap.facts."""
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]
    kinds = {lib.TM_FACT_TEXT: pyarrow.string(), lib.TM_FACT_NUMBER: pyarrow.int64(), lib.TM_FACT_LIST: pyarrow.list_(pyarrow.string())}
    given = list(sources)
    rows: list[dict[str, Any]] = [{}] * len(given)

    def one(number: int) -> None:
        rows[number] = {name: _plain(value) for name, value in facts(given[number], memory=memory, timeout=timeout).items()}

    run_all([partial(one, number) for number in range(len(given))], threads, progress)
    return pyarrow.Table.from_pylist(rows, schema=pyarrow.schema([(name, kinds[kind]) for name, kind in zip(COLUMNS, TYPES)]))


def _plain(value: Any) -> Any:
    """Texts of files as UTF-8, which tables want."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return [_plain(one) for one in value] if isinstance(value, list) else value
