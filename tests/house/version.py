#!/usr/bin/env python3
"""One version everywhere: the headers have it, CMake reads it there, and all that cannot says the same; and what changed in it is
told in so many lines as a user reads. The release of DDNet whose loader strict is stands in TM_STRICT_GAME: C takes it from there, and
texts name no other.

usage: version.py SOURCE_FOLDER     TEEMAP in the environment is the command"""
import os
import re
import subprocess
import sys

PLACES = {  # file: where its version is, at each such place
    "include/teemap/base.h": r'TM_VERSION_STRING "(.*?)"',
    "bindings/python/pyproject.toml": r'(?m)^version = "(.*?)"',
    "bindings/web/package.json": r'"version": "(.*?)"',
    "docs/web.md": r"teemap-([0-9.]+)\.tgz",
    "docs/lint.md": r"teemap[-:]([0-9]+[.][0-9.]+)",
    "docs/library.md": r"find_package\(teemap ([0-9.]+)",
    "tests/house/consumer/CMakeLists.txt": r"find_package\(teemap ([0-9.]+)",
    "README.md": r"(?:teemap[-_]?|_|release[- ])([0-9]+[.][0-9]+(?:[.][0-9]+)?)",
    "CHANGELOG.md": r"(?ms)\A.*?^## \[([0-9].*?)\]",
}


MAX_CHANGES = 150  # lines of CHANGELOG.md about one version


FILES = (".c", ".h", ".md", ".py", ".js", ".ts", ".sh", ".json", ".html", ".form", ".toml")


def strict_game(root):
    """What names another release than TM_STRICT_GAME where strict is meant, or writes it in C once more."""
    with open(os.path.join(root, "include/teemap/base.h"), encoding="utf-8") as stream:
        name = re.search(r'#define TM_STRICT_GAME "(.*?)"', stream.read())[1]
    strict = re.compile(re.escape(name.rpartition(".")[0]) + r"(?![0-9])(?:\.[0-9]+)?")  # of any minor release, or of none
    for top in ("bindings", "cli", "docs", "include", "packaging", "src", "tests", "web", "README.md", "SECURITY.md", "CHANGELOG.md"):
        for folder, folders, files in os.walk(os.path.join(root, top)) if "." not in top else [(root, [], [top])]:
            folders[:] = [one for one in folders if one not in ("build", "node_modules", "corpus")]
            for file in files:
                path = os.path.join(folder, file)
                if not file.endswith(FILES) or path == os.path.join(root, "tests/house/version.py"):
                    continue
                with open(path, encoding="utf-8", errors="replace") as stream:
                    words = stream.read()
                place = os.path.relpath(path, root)
                yield from (f"{place}: '{other}' is not '{name}', TM_STRICT_GAME" for other in strict.findall(words) if other != name)
                if place.startswith(("src/", "cli/")) and file.endswith((".c", ".h")):
                    code = re.sub(r"/\*.*?\*/", "", words, flags=re.DOTALL)
                    yield from [f"{place}: '{name}' is written once more: use TM_STRICT_GAME"] * (name in code)


def main():
    found = {}
    for path, pattern in PLACES.items():
        with open(os.path.join(sys.argv[1], path), encoding="utf-8") as stream:
            found[path] = re.findall(pattern, stream.read()) or ["none"]
    with open(os.path.join(sys.argv[1], "include/teemap/base.h"), encoding="utf-8") as stream:
        found["the numbers in include/teemap/base.h"] = [".".join(re.findall(r"TM_VERSION_(?:MAJOR|MINOR|PATCH) +(\d+)", stream.read()))]
    said = subprocess.run([os.environ["TEEMAP"], "--version"], check=True, capture_output=True, text=True).stdout
    found["teemap --version"] = re.findall(r"[0-9][0-9.]*", said)
    version = found["include/teemap/base.h"][0]
    wrong = [f"version: {place} has {other}, the headers {version}" for place, others in found.items() for other in others
             if other not in (version, version.rpartition(".")[0])]
    with open(os.path.join(sys.argv[1], "CHANGELOG.md"), encoding="utf-8") as stream:
        for part in stream.read().split("\n## [")[1:]:
            if part.count("\n") > MAX_CHANGES:
                wrong.append(f"CHANGELOG.md: {part.count(chr(10))} lines about [{part.split()[0]}, at most {MAX_CHANGES}: say what users notice, "
                             "and join what belongs together; if a merge brought old lines back, take main's file and add yours")
    wrong.extend(strict_game(sys.argv[1]))
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
