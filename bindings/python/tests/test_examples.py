# SPDX-License-Identifier: Zlib
"""Each program of examples/python does its work."""
import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teemap

FOLDER = Path(__file__).parents[3] / "examples" / "python"


def example(name: str) -> Any:
    path = FOLDER / f"{name}.py"
    if not path.exists():
        pytest.skip("the examples are in the repository only")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_has_a_test() -> None:
    names = {path.stem for path in FOLDER.glob("*.py")}
    if names:
        assert names == {name[len("test_"):] for name in globals() if name.startswith("test_") and name[5:] in names}


def test_map_testing(made: teemap.Map, tmp_path: Path) -> None:
    new = made.copy()
    new.edit("fill game@5,6+7x8 freeze")
    files = example("map_testing").report(made.to_bytes(), new.to_bytes())
    assert "56 tiles" in files["report.md"].decode() and files["thumbnail.webp"][8:12] == b"WEBP"
    assert any(name.startswith("change-") for name in files)
    assert teemap.open(files["optimized.map"]).find("freeze")


def test_dataset(made: teemap.Map, tmp_path: Path) -> None:
    made.save(tmp_path / "a.map")
    (tmp_path / "b.map").write_bytes(b"no map")
    example("dataset").main(str(tmp_path), str(tmp_path / "out"))
    rows = [json.loads(line) for line in (tmp_path / "out" / "facts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["width"] for row in rows] == [50, None] and rows[1]["error"]
    assert np.load(tmp_path / "out" / "game.npz")["0-a"].shape == (30, 50)


def test_generate(tmp_path: Path) -> None:
    example("generate").main(str(tmp_path / "maze.map"), "3")
    map = teemap.open(tmp_path / "maze.map")
    assert map.size == (63, 39) and map.find("spawn") and map.find("finish") and not map.check()
    design = map.layers["Design/Walls"]
    assert isinstance(design, teemap.TileLayer) and (design.tiles["index"] == 16).any() and (design.tiles["index"] == 1).any()


def test_png_to_map(tmp_path: Path) -> None:
    pixels = np.full((20, 30, 4), 255, np.uint8)
    pixels[3, 4], pixels[5, 6] = (0, 0, 0, 255), (255, 0, 0, 255)
    (tmp_path / "p.png").write_bytes(teemap.png(pixels))
    example("png_to_map").main(str(tmp_path / "p.png"), str(tmp_path / "p.map"))
    map = teemap.open(tmp_path / "p.map")
    game = map.physics.game
    assert game is not None and game.tiles["index"][3, 4] == 1 and game.tiles["index"][5, 6] == 9
    assert map.render((15, 10), size=(9, 9))[4, 4].tolist() == [255] * 4


def test_agents(made: teemap.Map, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.save(tmp_path / "a.map")
    example("agents").main(str(tmp_path / "a.map"), "3")
    assert "crops (3, 21, 21, 1) pictures (3, 90, 160, 3)" in capsys.readouterr().out


def test_gallery(made: teemap.Map, tmp_path: Path) -> None:
    made.save(tmp_path / "a.map")
    example("gallery").main(str(tmp_path), str(tmp_path / "page.html"))
    assert "50 x 30" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_gallery_in_a_notebook(made: teemap.Map, tmp_path: Path) -> None:
    if not FOLDER.exists():
        pytest.skip("the examples are in the repository only")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    (tmp_path / "maps").mkdir()
    made.save(tmp_path / "maps" / "a.map")
    shutil.copy(FOLDER / "gallery.py", tmp_path)
    book = nbformat.read(FOLDER / "gallery.ipynb", 4)
    nbclient.NotebookClient(book, timeout=100, resources={"metadata": {"path": str(tmp_path)}}).execute()
    itself, all_of_them, array, changed = [cell["outputs"] for cell in book["cells"] if cell["cell_type"] == "code"]
    assert "data:image/png" in itself[-1]["data"]["text/html"] and "50 x 30" in all_of_them[-1]["data"]["text/html"]
    assert array[-1]["data"]["image/png"] and "24 tiles" in changed[0]["text"] and changed[-1]["data"]["image/png"]
