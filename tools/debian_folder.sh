#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Puts the folder debian/ into an unpacked source archive: packaging/debian, and what follows from the version and the headers.
#
#   debian_folder.sh FOLDER VERSION SOVERSION     SOURCE_DATE_EPOCH in the environment is the date
set -euo pipefail
folder=$1 version=$2 soversion=$3 package=libteemap$3
cp -R "$folder/packaging/debian" "$folder/debian"
cd "$folder/debian"
sed -i "s/@SOVERSION@/$soversion/" control
for file in libteemap.*; do mv "$file" "$package.${file#libteemap.}"; done
{
    printf 'libteemap.so.%s %s #MINVER#\n TEEMAP_%s@TEEMAP_%s %s\n' "$soversion" "$package" "$soversion" "$soversion" "$version"
    python3 -B - "$folder" "$soversion" "$version" <<'PYTHON'
import sys
folder, soversion, version = sys.argv[1:]
sys.path.insert(0, folder + "/tools")
import headers
for name in sorted(name for _, name, _ in headers.functions(folder + "/include")):
    print(f" {name}@TEEMAP_{soversion} {version}")
PYTHON
} >"$package.symbols"
printf 'teemap (%s-1) unstable; urgency=medium\n\n  * Version %s: see CHANGELOG.md.\n\n -- %s  %s\n' "$version" "$version" \
    "$(sed -n 's/^Maintainer: //p' control)" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >changelog
