# SPDX-License-Identifier: Zlib
"""docs/scale.md: each way of doing it, on two workers of this machine, gives the rows of the plain loop."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import teemap
from conftest import CORPUS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "scale.md"
MODULES = {"plain": "teemap", "joblib_rows": "joblib", "dask_rows": "distributed", "ray_rows": "ray.data", "duckdb_rows": "duckdb"}
MANY_PART = 7  # maps of a part; with the corpus the folder has some more
TELL = '\n    json.dump(rows, open("rows.json", "w"))\n'


def blocks() -> dict[str, str]:
    if not PAGE.exists():
        return {}
    return dict(re.findall(r"^```python (\w+)\.py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S))


@pytest.fixture
def folder(tmp_path: Path, made: teemap.Map) -> Path:
    (tmp_path / "maps" / "more").mkdir(parents=True)
    for i in range(30):
        made.edit(f"fill game@0,0+{i + 1}x1 freeze")
        made.save(tmp_path / "maps" / f"{i}.map")
    (tmp_path / "maps" / "more" / "broken.map").write_bytes(b"no map")
    for path in CORPUS[::9]:
        shutil.copy(path, tmp_path / "maps" / "more")
    (tmp_path / "work.py").write_text(blocks()["work"], encoding="utf-8")
    return tmp_path


def run(folder: Path, name: str) -> list[dict[str, object]]:
    program = "import json\n" + blocks()[name].rstrip()
    program += TELL if "__main__" in program else TELL.replace("\n    ", "\n")
    (folder / f"{name}.py").write_text(program, encoding="utf-8")
    path = os.pathsep.join(str(where) for where in (os.environ.get("TEEMAP_BUILD", ROOT / "build" / "dev"), os.environ["PATH"]))
    done = subprocess.run([sys.executable, f"{name}.py"], cwd=folder, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout
    rows: list[dict[str, object]] = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    return sorted(rows, key=lambda row: str(row["path"]))


def test_the_page_has_all_of_them() -> None:
    assert not PAGE.exists() or set(blocks()) == {"work", *MODULES}


@pytest.mark.parametrize("name", [name for name in MODULES if name != "plain"])
def test_rows_are_those_of_the_plain_loop(folder: Path, name: str) -> None:
    if importlib.util.find_spec(MODULES[name].partition(".")[0]) is None:
        pytest.skip(f"{MODULES[name]} is not installed")
    if name == "duckdb_rows" and not (ROOT / "build" / "dev" / "teemap").exists() and not shutil.which("teemap"):
        pytest.skip("there is no command teemap here")
    plain = run(folder, "plain")
    assert len(plain) > 30 and any(row["error"] for row in plain) and plain[0]["width"]
    assert run(folder, name) == plain


@pytest.mark.skipif(os.name == "nt", reason="limits of processes are those of Unix")
def test_many_maps_with_limits_and_parts(folder: Path) -> None:
    for module in ("fsspec", "pyarrow"):
        pytest.importorskip(module)
    found = re.search(r"^```python many-rows\.py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found
    for path in (folder / "maps").glob("??.map"):
        path.unlink()  # each worker that dies has its maps halved until one is left, by processes that import all of this
    program = found[1].replace("PART = 2 << 30, 20, 200", f"PART = 2 << 30, 20, {MANY_PART}")
    program = program.replace("    facts = teemap", "    if path.endswith('7.map'):\n        os.kill(os.getpid(), 9)\n    facts = teemap")
    (folder / "many_rows.py").write_text(program, encoding="utf-8")
    shutil.make_archive(str(folder / "maps"), "zip", folder / "maps")
    plain = {str(row["path"])[5:]: row for row in run(folder, "plain")}
    for source, out in (("maps", "rows"), ("zip://::maps.zip", "from_zip")):
        for _ in range(2):
            done = subprocess.run([sys.executable, "many_rows.py", source, out], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=300, check=False)
            assert done.returncode == 0, done.stdout
            parts = sorted((folder / out).glob("part=*/rows.parquet"))
            assert len(parts) == -(-len(plain) // MANY_PART) > 1
            parts[0].write_bytes(parts[0].read_bytes())
            if _ == 0:
                parts[1].unlink()  # as if it had been stopped
        dataset: Any = importlib.import_module("pyarrow.dataset")
        rows: list[dict[str, Any]] = dataset.dataset(str(folder / out), partitioning="hive").to_table().to_pylist()
        assert len(rows) == len(plain)
        for row in rows:
            name = row["path"].rpartition("/maps/")[2] if source == "maps" else row["path"]
            if name.endswith("7.map"):
                assert row["error"] == "the worker died, or took too long"
            else:
                assert (row["width"], row["tiles_freeze"], bool(row["error"])) == (
                    plain[name]["width"], plain[name]["freeze"], bool(plain[name]["error"])), name
