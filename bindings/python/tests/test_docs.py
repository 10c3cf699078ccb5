# SPDX-License-Identifier: Zlib
"""docs/python.md does what it says."""
import re
from pathlib import Path

import numpy as np
import pytest

import teemap

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


def test_the_page_names_all_packages_that_a_build_needs() -> None:
    if not PAGE.exists():
        pytest.skip("the page is in the repository only")
    needed = re.search(r"^to_build='(.*)'$", (PAGE.parents[1] / "run").read_text(encoding="utf-8"), re.M)
    named = re.search(r"^    sudo apt install (.*)$", PAGE.read_text(encoding="utf-8"), re.M)
    assert needed and named
    assert set(needed[1].split()) - {"cmake", "ninja-build"} <= set(named[1].split())  # these two come from PyPI


def test_each_block_of_the_page_runs(made: teemap.Map, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not PAGE.exists():
        pytest.skip("the page is in the repository only")
    monkeypatch.chdir(tmp_path)
    made.save("Tutorial.map")
    Path("logo.png").write_bytes(teemap.png(np.zeros((16, 16, 4), np.uint8)))
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 6
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
