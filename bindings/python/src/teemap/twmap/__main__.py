# SPDX-License-Identifier: Zlib
"""Runs a script that imports twmap with teemap.twmap in its place: python -m teemap.twmap SCRIPT [ARGUMENT...]"""
from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Any, Optional

from . import TWMAP_VERSION


class Stand(metadata.Distribution):
    """What importlib.metadata says of twmap: the version whose interface this is."""

    def read_text(self, filename: str) -> Optional[str]:
        return f"Metadata-Version: 2.1\nName: twmap\nVersion: {TWMAP_VERSION}\n" if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        return path


class Finder(metadata.DistributionFinder):
    """Finds twmap, before one that is installed."""

    def find_spec(self, *_: Any, **__: Any) -> None:
        return None

    def find_distributions(self, context: Any = metadata.DistributionFinder.Context()) -> Iterator[metadata.Distribution]:
        if context.name is None or context.name.lower() == "twmap":
            yield Stand()


def install() -> None:
    """Lets `import twmap` give teemap.twmap in this process."""
    sys.modules["twmap"] = sys.modules[__package__ or "teemap.twmap"]
    sys.meta_path.insert(0, Finder())


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit("usage: python -m teemap.twmap SCRIPT [ARGUMENT...]")
    del sys.argv[0]
    install()
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
