#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""null_calls.py INCLUDE OUT: writes the rows of tests/test_null.c, one or two for each public function that takes a pointer.

    STATUS(tm_map_equal, (NULL, NULL, NULL, NULL, (size_t){1}, &error), "|equal|a|b|...|")   names one of these
    ZERO(tm_map_num_layers, (NULL))                                                          gives zero
    NOTHING(tm_map_free, (NULL))                                                             may give anything
    OUTS(tm_map_equal, (OUT(0), NULL, NULL, NULL, (size_t){1}, &error), sizeof(bool))        leaves zero in what it fills
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import headers  # noqa: E402

# They give a struct; or what goes in, or a text or table that is there without objects.
STRUCTS = {"tm_block_info", "tm_fact", "tm_files_in", "tm_files_out", "tm_input", "tm_output", "tm_value"}
GIVE = {"tm_crc32", "tm_datafile_item_int", "tm_error_set", "tm_fields", "tm_lint_fix_line", "tm_map_layer_number",
        "tm_pattern_text"}
MALLOC = {"tm_alloc"}  # called by hand, and freed
# What the library can do without, and the functions whose comments say that something else is left.
OPTIONAL = {"allocator", "error", "file", "findings", "options"}
LEAVE = {"tm_automap_find_config", "tm_datafile_read_data", "tm_datafile_data_bytes", "tm_datafile_writer_add_data",
         "tm_datafile_writer_add_from", "tm_facts_make", "tm_map_find_layer", "tm_map_physics_layer", "tm_mapfile_rescue",
         "tm_preview_draw_sizes", "tm_select_opacities", "tm_suggestion_begin", "tm_sys_run"}
# Out-parameters that are called by what they are.
OUT = re.compile(headers.OUT.pattern + r"|(tm_vector) \*")


def name_of(parameter):
    return re.search(r"\w+(?=$|\)\(|\[)", parameter)[0]


def value(parameter):
    """An argument that says nothing: NULL, or a one or zero of the parameter's type."""
    if "*" in parameter or "[" in parameter:
        return "&error" if parameter == "tm_error *error" else "NULL"
    kind = parameter.rsplit(" ", 1)[0]
    return f"({kind}){{{1 if re.fullmatch(headers.NUMBER, kind) else 0}}}"


def rows(result, name, parameters):
    values = [value(parameter) for parameter in parameters]
    needed = ["NULL" == v and name_of(p) not in OPTIONAL for v, p in zip(values, parameters)]
    if "NULL" not in values or name in MALLOC:
        return
    arguments = ", ".join(values)
    if result == "tm_status" and name not in GIVE:
        yield f"STATUS({name}, ({arguments}), \"|{'|'.join(map(name_of, parameters))}|\")"
    else:
        yield f"{'NOTHING' if result == 'void' or result in STRUCTS or name in GIVE else 'ZERO'}({name}, ({arguments}))"
    outs = []
    while found := OUT.match(parameters[len(outs)]):
        outs.append(f"sizeof({''.join(filter(None, found.groups())).strip()})")
    if outs and any(needed[len(outs):]) and name not in LEAVE:
        arguments = ", ".join([f"OUT({i})" for i in range(len(outs))] + values[len(outs):])
        yield f"OUTS({name}, ({arguments}), {', '.join(outs)})"


with open(sys.argv[2], "w", encoding="ascii") as out:
    for result, name, parameters in headers.functions(sys.argv[1]):
        out.writelines(row + ";\n" for row in rows(result, name, parameters))
