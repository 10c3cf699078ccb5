#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""What the files of a release consist of, with licences, as SPDX 2.3 in JSON.

usage: release_contents.py VERSION SECONDS FOLDER     SECONDS: the date, since 1970"""
import datetime
import hashlib
import json
import os
import re
import sys

# Licences of the libraries that our files may hold; tools/ports/sources.sha256 has the versions of those that are Debian's.
LIBRARIES = {
    "libdeflate": "MIT", "zlib": "Zlib", "libpng": "libpng-2.0", "libwebp": "BSD-3-Clause", "giflib": "MIT", "zopfli": "Apache-2.0",
    "musl": "MIT",
}
WIDE = [name for name in LIBRARIES if name != "musl"]
# Which files hold which: patterns of names. Source and Debian packages hold none.
INSIDE = {
    r"\.whl$|windows": WIDE, r"linux-(x86_64|aarch64)\.tar|image\.tar$": WIDE + ["musl"],
    r"\.tgz$|\.html$|-site\.tar\.gz$": ["libdeflate", "zlib", "musl"],
}


def versions():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ports/sources.sha256"), encoding="utf-8") as file:
        return {name: {"versionInfo": version} for name, version in re.findall(r"\./(\w+?)[\d.]*_([\d.]*\d)", file.read())}


def package(name, licence, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def digest(path, kind):
    with open(path, "rb") as stream:
        return hashlib.new(kind, stream.read()).hexdigest()


def main():
    version, seconds, folder = sys.argv[1:]
    names = sorted(name for name in os.listdir(folder) if name not in ("SHA256SUMS", "NOTES.md"))
    held = {name: next((inside for pattern, inside in INSIDE.items() if re.search(pattern, name)), []) for name in names}
    files, relations = [], [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-teemap")]
    for number, name in enumerate(names):
        path, key = os.path.join(folder, name), f"SPDXRef-file-{number}"
        files.append({"SPDXID": key, "fileName": "./" + name, "copyrightText": "NOASSERTION", "licenseConcluded": "NOASSERTION",
                      "checksums": [{"algorithm": kind.upper(), "checksumValue": digest(path, kind)} for kind in ("sha1", "sha256")]})
        relations += [(key, "GENERATED_FROM", "SPDXRef-teemap")] + [(key, "CONTAINS", f"SPDXRef-{inside}") for inside in held[name]]
    held_versions = versions()
    used = sorted({inside for each in held.values() for inside in each})
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"teemap-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/teemap-{version}-{hashlib.sha256(repr(files).encode()).hexdigest()[:16]}",
        "creationInfo": {"created": datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: teemap-release"]},
        "packages": [package("teemap", "Zlib", versionInfo=version)] +
                    [package(name, LIBRARIES[name], **held_versions.get(name, {})) for name in used],
        "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relations],
    }
    json.dump(document, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
