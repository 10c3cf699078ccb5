#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Out-parameters come first in every public function, as base.h promises: 37 stood behind the object.

    outs.py SOURCE

Exit status 1 with what stands elsewhere.
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import headers  # noqa: E402

# A callback has its ctx first, an array that is filled its number behind it; tm_map_set_text changes a text where it is.
OTHERWISE = {"tm_mapres_provide", "tm_mapres_key", "tm_preview_views", "tm_preview_join_areas", "tm_map_set_text"}

wrong = functions = 0
for _, name, parameters in headers.functions(os.path.join(sys.argv[1], "include")):
    if name in OTHERWISE:
        continue
    functions += 1
    outs = [bool(headers.OUT.match(parameter)) for parameter in parameters]
    if outs != sorted(outs, reverse=True):
        print(f"{name} has an out-parameter behind others")
        wrong += 1
print(f"{functions} functions, {wrong} findings")
sys.exit(1 if wrong or not functions else 0)
