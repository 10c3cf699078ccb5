# SPDX-License-Identifier: Zlib
"""scikit-build-core, with two things added: an sdist holds the C sources, so that it builds anywhere, and both have the licence."""
import contextlib
import glob
import os
import shutil

from scikit_build_core.build import *  # noqa: F401,F403
from scikit_build_core.build import build_sdist as build_plain_sdist
from scikit_build_core.build import build_wheel as build_plain_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


@contextlib.contextmanager
def brought(name, bring):
    """Something of the checkout that lies here meanwhile; an sdist has it already."""
    path = os.path.join(HERE, name)
    ours = not os.path.exists(path)
    try:
        if ours:
            bring(path)
        yield
    finally:
        if ours:
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.remove(path)


def licence():
    return brought("LICENSE", lambda path: shutil.copy(os.path.join(ROOT, "LICENSE"), path))


def bring_sources(copied):
    os.mkdir(copied)
    for name in ("CMakeLists.txt", "LICENSE"):
        shutil.copy(os.path.join(ROOT, name), copied)
    for name in ("cli", "cmake", "include", "src"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(copied, name))
    for name in ("docs", "tools"):
        os.mkdir(os.path.join(copied, name))
    shutil.copy(os.path.join(ROOT, "tools", "headers.py"), os.path.join(copied, "tools"))
    for path in glob.glob(os.path.join(ROOT, "docs", "*.md")):  # the command shows some
        shutil.copy(path, os.path.join(copied, "docs"))


def build_sdist(sdist_directory, config_settings=None):
    with brought("csource", bring_sources), licence():
        return build_plain_sdist(sdist_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with licence():
        return build_plain_wheel(wheel_directory, config_settings, metadata_directory)
