# SPDX-License-Identifier: Zlib
"""python -m teemap: the command, with which the package comes, or which is installed."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Optional

NAME = "teemap.exe" if os.name == "nt" else "teemap"


def find() -> Optional[str]:
    """The command of the package, else the first one in PATH that is not this script."""
    ours = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", NAME)
    if os.access(ours, os.X_OK):
        return ours
    here = os.path.realpath(sys.argv[0])
    for folder in os.get_exec_path():
        found = shutil.which(NAME, path=folder)
        if found and os.path.realpath(found) != here and not is_script(found):
            return found
    return None


def is_script(path: str) -> bool:
    """What pip makes of an entry point: it would call this again."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main() -> None:
    command = find()
    if command is None:
        sys.exit("teemap: this package was built without the command, and none is installed: see docs/python.md")
    words = [command, *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(words, check=False).returncode)
    sys.stdout.flush()
    os.execv(command, words)


if __name__ == "__main__":
    main()
