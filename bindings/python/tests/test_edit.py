# SPDX-License-Identifier: Zlib
"""Operations: every row of the table is a method."""
import inspect
from pathlib import Path

import numpy as np
import pytest

import teemap
from teemap import _tables


def test_each_operation_is_a_method_with_help() -> None:
    for operation in _tables.OPERATIONS:
        method = getattr(teemap.Editor, operation.name)
        assert operation.usage in (inspect.getdoc(method) or "")


def test_as_methods_and_as_text(made: teemap.Map) -> None:
    other = made.copy()
    report = made.edit.fill("game", "freeze", where="air")
    other.edit("fill game $WHAT where air", WHAT="freeze")
    assert made.equal(other) and report.changes and report.changes[0].operation == "fill"
    assert made.edit.shift((3, 0), way="wrap").to_dict()["findings"] == []
    made.edit.extend("right", 2)
    assert made.size == (52, 30)


def test_bytes_files_and_maps_as_arguments(made: teemap.Map, tmp_path: Path) -> None:
    picture = teemap.png(np.full((16, 32, 4), 90, np.uint8))
    (tmp_path / "p.png").write_bytes(picture)
    made.edit.add_image("a", file=picture)
    made.edit.add_image("b", file=tmp_path / "p.png")
    assert (made.images["a"].width, made.images["b"].width) == (32, 32)
    other = teemap.Map.new(8, 8)
    other.edit.append(made, way="renumber")
    del made
    assert other.images["pic"].pixels is not None and other.to_bytes()
    with pytest.raises(teemap.Error):
        other.edit.add_image("c", file=tmp_path / "none.png")
    with pytest.raises(teemap.Error):
        other.edit.add_image("c", file=b"no picture")


def test_all_or_nothing(made: teemap.Map) -> None:
    before = made.to_bytes()
    with pytest.raises(LookupError):
        made.edit("rename 0 Sky\nremove 17/3")
    with pytest.raises(ValueError):
        made.edit("frobnicate")
    with pytest.raises(TypeError):
        made.edit.mirror()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        made.edit.mirror("x", colour=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError):
        made.edit.mirror("z")  # type: ignore[arg-type]
    assert made.to_bytes() == before
