#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""calls.py INCLUDE OUT: writes a call in C for each public function that takes a const handle or a struct of options, for
tests/support/lib_calls.c, which has the handles. What an argument is follows from its name and type.

    static void call_tm_map_equal(test_scratch *s, const test_given *given, tm_error *error)
    {
        bool out0;
        memset((void *)&out0, 0, sizeof(out0));
        const tm_status result = s->gives.status = tm_map_equal(&out0, the.map, the.other, s->text, sizeof(s->text), error);
        add(s, &(uint64_t){(uint64_t)(result)}, 8);
        add(s, &(uint64_t){(uint64_t)out0}, 8);
    }
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import headers  # noqa: E402

HANDLE = re.compile(r"const tm_(map|datafile|patch|conflicts?|renderer|background|automap_rules|pattern|lint_config|lint_result|"
                    r"facts|mapres|view|pyramid_frame|image) \*")
OPTIONS = re.compile(r"const (tm_\w*options|tm_job|tm_frames|tm_tasks|tm_camera|tm_background|tm_facts_file) \*")
# These are written in lib_calls.c. The first here is called by what looks at differences there; the others take neither a const
# handle nor options of their own.
BY_HAND = {"tm_patch_apply", "tm_patch_at", "tm_pyramid_draw"}
LEFT_OUT = {"tm_difference_format", "tm_mapfile_rescue", "tm_mapfile_sidecar_apply"}
# Options that hold limits, and what stands for options that are not given.
LIMITED = {"tm_datafile_options", "tm_mapfile_options", "tm_map_options", "tm_automap_read_options"}
NOT_GIVEN = {"tm_camera": "&the.camera", "tm_frames": "&frames", "tm_tasks": "&tasks", "tm_filter_options": "&only_tiles",
             "tm_preview_equal_options": "&one_view", "tm_preview_loop_options": "&half_a_second"}
# By "function parameter", by the parameter's name, and by its type.
ARGUMENTS = {
    "tm_background_fill background": "GIVEN(tm_background, &blue)", "tm_map_merge theirs": "the.third",
    "tm_preview_equal b": "the.map", "tm_datafile_equal b": "tm_mapfile_datafile(the.map)", "tm_map_quads layer": "layer_of(TM_LAYER_QUADS)",
    "tm_map_sources layer": "layer_of(TM_LAYER_SOUNDS)", "tm_store_save path": "path_of_its_own(s)",
    "tm_map_find_layer kind": "TM_LAYER_QUADS", "tm_map_physics_layer kind": "TM_LAYER_TELE", "tm_automap_run layer":
    "&(tm_automap_layer){(tm_tile *)s->bytes, 4, 4}", "tm_map_read_data size": "tm_block_get_info(the.block).size",
    "tm_map_image_pixels size": "tm_image_rgba_size(first_image())", "tm_datafile_read_data size": "the.data.size",
    "tm_facts_get column": "3", "tm_datafile_find_type type": "5", "tm_preview_find text": '"3,3"',
    "tm_select_layers text": '"design"', "tm_automap_find_config text": '"Grass"', "tm_address_parse text": '"1/0"',
    "tm_value_parse text": '"image/0"', "tm_mapdir_write_object address": "&(tm_address){TM_KIND_IMAGE, 0, 0}",
    "tm_automap_read bytes": "rules_text", "tm_automap_read size": "sizeof(rules_text) - 1",
    "tm_automap_format bytes": "rules_text", "tm_automap_format size": "sizeof(rules_text) - 1",
    "tm_patch_read bytes": "patch_text", "tm_patch_read size": "sizeof(patch_text) - 1",
    "tm_preview_conflict_marks maps": "(const tm_map *const[]){the.map, the.other, the.third}", "tm_map_find num": "1",
    "tm_map_is_game_group group": "the.group", "tm_map_layer_number group": "the.group", "tm_map_import kind":
    "TM_KIND_GROUP", "tm_preview_draw_marks num": "1", "tm_pyramid_frame_init tile_pixels": "2",
    "tm_preview_period most": "100000", "tm_preview_views max_views": "2", "tm_edit_run num_arguments": "0",
    "tm_map_import_layer from_group": "1", "tm_map_import_layer group": "1",
    "tm_datafile_writer_finish writer": "hand_over(s)",
    "tm_animation_new frames": "&frames",
    "error": "error", "ctx": "s", "bytes": "s->bytes", "pixels": "s->bytes", "rgba": "s->bytes", "tiles": "s->bytes",
    "buffer": "s->bytes", "char * buffer": "s->text", "size": "sizeof(s->text)", "where": "s->text", "where_size": "sizeof(s->text)", "name": '"grass_main"', "path": '"a.map"',
    "width": "SIDE", "height": "SIDE", "b": "the.other", "after": "the.other", "ours": "the.other", "counts": "s->counts",
    "rect": "&(tm_rect){-1, 0, 3, 3}", "rows": "&s->rows", "output": "&s->output", "tm_layer_walk *": "&(tm_layer_walk){0}",
    "operation": 'tm_edit_find("join all")', "patterns": "&the.pattern", "views": "s->views", "num_views": "(uint32_t *)s->counts",
    "choices": "s->choices", "rule": "tm_lint_rule_for(&the.lint, 0)", "pool": "TM_NUMBER_TELE",
    "words": "TM_SELECT_ALL", "mode": "TM_MODE_GAME", "game": "TM_GAME_DDNET",
    "tm_map *": "s->map", "const tm_map *": "the.map", "const tm_layer *": "the.game", "const tm_datafile *": "the.file",
    "const tm_patch *": "the.patch", "const tm_conflicts *": "the.conflicts", "const tm_renderer *": "the.renderer",
    "const tm_automap_rules *": "the.rules", "const tm_pattern *": "the.pattern", "const tm_lint_config *": "the.config",
    "const tm_lint_result *": "&the.lint", "const tm_facts *": "the.facts", "const tm_mapres *": "the.mapres",
    "const tm_view *": "the.view", "const tm_block *": "the.block", "const tm_image *": "first_image()",
    "const tm_conflict *": "&the.conflict", "const tm_patch_change *": "&the.change", "const tm_preview_mark *": "&mark",
    "const tm_address *": "&(tm_address){TM_KIND_LAYER, 1, 0}", "const tm_uuid *": "&(tm_uuid){{1}}",
    "const tm_files_out *": "&s->files_out", "const tm_files_in *": "&the.files_in", "tm_input": "in_memory()",
    "const tm_field *": 'tm_field_find(TM_KIND_QUAD_LAYER, "image")', "const tm_value *": "&(tm_value){.as.number = 0}",
    "tm_vector": "(tm_vector){8, 8}", "const tm_row_sink *": "&(tm_row_sink){s, add_rows}",
    "const tm_edit_script *": "the.script", "tm_datafile_writer *": "s->writer",
}
VISITS = {"tm_datafile_visitor": "add_block", "tm_difference_visit *": "add_difference", "tm_match_visit *": "add_match",
          "tm_unknown_visitor *": "add_change", "tm_bytes_visitor *": "add_share"}
# What of an out-parameter or a result is the same whenever it is asked for.
NUMBERS = {"tm_datafile_header": ".num_items", "tm_datafile_item": ".size", "tm_datafile_type": ".num", "tm_datafile_data": ".size",
           "tm_pyramid_frame": ".num_levels", "tm_address": ".kind", "tm_value": ".as.number", "tm_lint_result": ".findings.num",
           "tm_patch_change": ".kind", "tm_fact": ".known"}
BYTES = {"const void * uint64_t": ("out0", "out1"), "const void * tm_data_state": ("out0", "the.data.size"),
         "const tm_quad * uint32_t": ("out0", "out1 * sizeof(*out0)"), "tm_grid": ("out0.tiles", "out0.height * out0.row_stride"),
         "const tm_sound_source * uint32_t": ("out0", "out1 * sizeof(*out0)"), "tm_vector": ("&out0", "sizeof(out0)"),
         "tm_preview_area": ("&out0", "sizeof(out0)"), "tm_mapfile_counts": ("&out0", "sizeof(out0)")}
RESULT_BYTES = {"const tm_region *": "out0 * sizeof(*result)", "const void *": "out0", "const char *": "strlen(result)"}
OWNED = re.compile(r"(tm_map|tm_renderer|tm_datafile|tm_patch|tm_conflicts|tm_automap_rules|tm_mapres|tm_view|tm_facts|tm_png_writer|"
                   r"tm_webp_writer|tm_animation|tm_datafile_writer|tm_lint_result|tm_preview_marks)( \*)?$")


def split(parameter):
    kind, name = re.match(r"(.*?\W)(\w+)(?:\[\w+\])?$", parameter).groups()
    return kind.strip(), name


def argument(function, parameter, takes):
    kind, name = split(parameter)
    for key in (f"{function} {name}", f"{kind} {name}", name, kind):
        if key in ARGUMENTS:
            return ARGUMENTS[key]
    if kind in VISITS:
        return VISITS[kind]
    if found := OPTIONS.match(parameter):
        takes.append(found[1])
        if found[1] in LIMITED:
            takes.append("tm_limits")
            return f"LIMITED({found[1]})"
        return f"GIVEN({found[1]}, {NOT_GIVEN.get(found[1], 'NULL')})"
    return "NULL" if "*" in kind else f"({kind}){{0}}"


def call(result, name, parameters):
    takes, lines, outs = [], [], []
    while len(outs) < len(parameters) and parameters[len(outs)] != "uint8_t *rgba" and (found := OUT.match(parameters[len(outs)])):
        outs.append("".join(filter(None, found.groups())).strip())
    for i, kind in enumerate(outs):
        owned = OWNED.match(kind)
        given = f"OWN({owned[1]}) {'*' if owned[2] else ''}" if owned else "FREED char *" if kind == "char *" else kind + " "
        lines.append(f"{given}out{i};")
        lines.append(f"memset((void *)&out{i}, 0, sizeof(out{i}));")
    arguments = [f"&out{i}" for i in range(len(outs))] + [argument(name, p, takes) for p in parameters[len(outs):]]
    made = f"{name}({', '.join(arguments)});"
    status = "s->gives.status = " if result == "tm_status" else ""
    lines.append(made if result == "void" else f"{result if '*' in result else 'const ' + result + ' '}result = {status}{made}")
    key = " ".join(outs)
    if result in RESULT_BYTES:
        lines.append(f"add(s, result, (size_t)({RESULT_BYTES[result]}));")
    elif result != "void":
        lines.append(f"add(s, &(uint64_t){{(uint64_t)({'!!' * ('*' in result)}result{NUMBERS.get(result, '')})}}, 8);")
    if key in BYTES:
        lines.append("add(s, %s, (size_t)(%s));" % BYTES[key])
    else:
        lines.extend(f"add(s, &(uint64_t){{(uint64_t)out{i}{NUMBERS.get(kind, '')}}}, 8);" for i, kind in enumerate(outs)
                     if kind in NUMBERS or re.fullmatch(headers.NUMBER, kind))
    return takes, lines


OUT = re.compile(headers.OUT.pattern + r"|(tm_vector) \*|(tm_pyramid_frame) \*")
with open(sys.argv[2], "w", encoding="ascii") as out:
    rows = []
    for result, name, parameters in headers.functions(sys.argv[1]):
        is_const = any(map(HANDLE.search, parameters))
        if name in LEFT_OUT or not is_const and not any(map(OPTIONS.match, parameters)):
            continue
        takes, lines = call(result, name, parameters)
        if name not in BY_HAND:
            print(f"static void call_{name}(test_scratch *s, const test_given *given, tm_error *error)\n{{\n    (void)given, (void)error;\n    "
                  + "\n    ".join(lines) + "\n}\n", file=out)
        rows.append(f'    {{"{name}", "|{"|".join(takes)}|", {str(is_const).lower()}, call_{name}}},')
    print("const test_call test_calls[] = {", *rows, "};", sep="\n", file=out)
