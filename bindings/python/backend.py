# SPDX-License-Identifier: Zlib
"""scikit-build-core, with one thing added: an sdist holds the C sources, so that it builds anywhere."""
import os
import shutil

from scikit_build_core.build import *  # noqa: F401,F403
from scikit_build_core.build import build_sdist as build_plain_sdist

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def build_sdist(sdist_directory, config_settings=None):
    copied = os.path.join(HERE, "csource")
    ours = not os.path.exists(copied)
    try:
        if ours:
            os.mkdir(copied)
            for name in ("CMakeLists.txt", "LICENSE"):
                shutil.copy(os.path.join(ROOT, name), copied)
            for name in ("cmake", "include", "src"):
                shutil.copytree(os.path.join(ROOT, name), os.path.join(copied, name))
            os.mkdir(os.path.join(copied, "tools"))
            shutil.copy(os.path.join(ROOT, "tools", "headers.py"), os.path.join(copied, "tools"))
        return build_plain_sdist(sdist_directory, config_settings)
    finally:
        if ours:
            shutil.rmtree(copied, ignore_errors=True)
