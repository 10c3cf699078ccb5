/* SPDX-License-Identifier: Zlib */
/*
 * cmd_patch.c - `teemap patch`: what `teemap diff -o` has written, done to a map, or undone. The work is the
 * library's (teemap/patch.h).
 */
#include "change_maps.h"

typedef struct patch_options {
    change_options change;
    bool reverse, partial;
    const char *parts;
} patch_options;

static const option_row patch_rows[] = {
    CHANGE_OUTPUT_ROWS(patch_options),
    {'R', "reverse", NULL, FLAG_AT(patch_options, reverse),
     .text = "undo the changes: turn the new map into the old one"},
    {0, "partial", NULL, FLAG_AT(patch_options, partial),
     .text = "apply the changes that fit, and skip the others"},
    {0, "only", "WORDS", TEXT_AT(patch_options, parts), .noun = "words", .group = GROUP_PART,
     .text = "apply only these parts of the patch (see 'teemap diff --only')"},
    CHANGE_RUNNING_ROWS,
    {0},
};

COMMAND(patch, patch_options, 2, -1, .operands = {OPERAND_MAP});

static tm_status patch_map(void *ctx, changed_map *map, tm_error *error)
{
    const patch_options *options = map->tool->options;
    const tm_patch *patch = ctx;
    tm_apply_options apply_options = TM_APPLY_OPTIONS_INIT;
    apply_options.partial = options->partial;
    const tm_status status = tm_patch_apply(map->file.map, patch, &apply_options, &map->done, error);
    if (status != TM_ERROR_UNSUPPORTED || !map->done.findings.num)
        return status;
    map->refused = true; /* the findings say why */
    return TM_OK;
}

static void put_patch_refusal(void *ctx, const changed_map *map, text *out)
{
    (void)ctx;
    if (!map->refused)
        return;
    put_about(out, map->path, "stays as it is, since not all of the patch fits; --partial does what fits\n");
}

enum { PATCH_MAX = 1 << 30 }; /* bytes */

static tm_status prepare_patch(tm_patch **patch, const patch_options *options, tm_error *error)
{
    tm_filter_options part = TM_FILTER_OPTIONS_INIT;
    tm_patch *other;
    tm_status status = TM_OK;
    part.words = options->parts;
    if (options->parts) {
        status = tm_patch_filter(&other, *patch, &part, error);
        tm_patch_free(*patch);
        *patch = other;
    }
    if (!status && options->reverse) {
        status = tm_patch_invert(&other, *patch, error);
        tm_patch_free(*patch);
        *patch = other;
    }
    return status;
}

/* The last operand; false after having said what is wrong with it. */
static bool read_patch_file(tm_patch **out, cli_tool *tool)
{
    const char *path = tool->operands[tool->num_operands - 1];
    uint8_t *bytes = NULL;
    size_t size;
    tm_error error = {0};
    *out = NULL;
    tm_status status = read_path(&bytes, &size, path, PATCH_MAX, NULL, &error);
    if (!status)
        status = tm_patch_read(out, bytes, size, NULL, &error);
    free(bytes);
    if (!status)
        status = prepare_patch(out, tool->options, &error);
    tool->num_operands--;
    if (!status)
        return true;
    tool_error(tool, path, &error);
    return false;
}

int cmd_patch(cli_tool *tool)
{
    tm_patch *patch;
    if (read_patch_file(&patch, tool))
        change_maps(tool, tool->options, tool->operands, tool->num_operands,
                    &(change_command){.ctx = patch, .work = patch_map, .put_line = put_patch_refusal});
    tm_patch_free(patch);
    return STATUS_DONE;
}
