/* SPDX-License-Identifier: Zlib */
/*
 * cmd_merge.c - `teemap merge`: two maps that were made from one, brought together. The work is the library's
 * (teemap/merge.h).
 */
#include "change_maps.h"

#include <teemap/merge.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

typedef struct merge_options {
    change_options change;
    word_list ours, theirs, both;
    bool partial, mark;
    const char *called; /* NULL: by its path */
} merge_options;

static const option_row merge_rows[] = {
    CHANGE_OUTPUT_ROWS(merge_options),
    {0, "partial", NULL, FLAG_AT(merge_options, partial), .group = GROUP_OUTPUT,
     .text =
         "write the map also with conflicts that are not settled: these parts are as in OURS, and what one side "
         "removed and the other changed stays"},
    {0, "mark", NULL, FLAG_AT(merge_options, mark), .group = GROUP_OUTPUT,
     .text =
         "the same, and leave in the map what THEIRS has there, for the game's editor: layers '<<< ours' and "
         "'>>> theirs' in front of the one in question, objects named so, comments among the server commands"},
    {0, "ours", "WORDS", WORDS_AT(merge_options, ours), .what = "words", .value_optional = true,
     .group = GROUP_PART,
     .text =
         "settle conflicts as OURS has it; with words only those that are about these parts, as for 'teemap diff "
         "--only'; may be given several times, words win over none"},
    {0, "theirs", "WORDS", WORDS_AT(merge_options, theirs), .what = "words", .value_optional = true,
     .group = GROUP_PART, .text = "the same, as THEIRS has it"},
    {0, "union", "WORDS", WORDS_AT(merge_options, both), .what = "words", .value_optional = true,
     .group = GROUP_PART,
     .text =
         "the same, with both where both can be: quads, points and commands twice, tiles on air, removed objects "
         "stay, layers as large as both"},
    {0, "as", "NAME", TEXT_AT(merge_options, called), .group = GROUP_OUTPUT,
     .text = "what OURS is called in messages; git hands over maps under other names"},
    JSON_EACH_ROW,
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("say what was brought into OURS, and how conflicts were settled"),
    QUIET_ROW,
    {0},
};

static int cmd_merge(cli_tool *tool);

const command merge_command = {
    .name = "merge",
    .summary = "bring two versions of a map together",
    .usages = {"BASE OURS THEIRS -o OUT", "BASE OURS THEIRS -i"},
    .text =
        "OURS and THEIRS were both made from BASE. The result has what either of them changed: tiles are merged one "
        "by one, fields field by field, quads, points and server commands as lists; objects may have been moved, "
        "added and removed on both sides. What both added alike is there once.\n\n"
        "What both changed in different ways is a conflict. It is told with its address, and nothing is written, "
        "unless --ours, --theirs or --union settles it, or --partial or --mark is given. With -i the result takes the place of "
        "OURS. docs/compare.md explains it all.",
    .rows = merge_rows,
    .options_size = sizeof(merge_options),
    .examples = {{"merge base.map mine.map hers.map -o both.map", "what both did, in one map"},
                 {"merge -n base.map mine.map hers.map",
                  "what would be brought into mine, and the conflicts"},
                 {"merge --theirs=settings,Game --ours base.map mine.map hers.map -o both.map",
                  "conflicts in the settings and the game layer as hers, all others as mine"}},
    .min_operands = 3,
    .max_operands = 3,
    .operands = {OPERAND_MAP},
    .findings = "there are conflicts that nothing has settled",
    .run = cmd_merge,
};

/* ----------------------------------------------------------------------------------------------- merging */

typedef struct merge_run {
    cli_tool *tool;
    const char *path[2]; /* base, theirs */
    loaded file[2];
    tm_merge_rule rules[3 * MAX_WORDS];
    uint32_t num_rules;
    tm_conflicts *conflicts;
} merge_run;

enum { BASE, THEIRS };

/* Rules without words first, so that those with words count. */
static void add_rules(merge_run *run, const word_list *list, tm_take take, bool words)
{
    for (size_t i = 0; i < list->num; i++)
        if ((*list->words[i] != 0) == words)
            run->rules[run->num_rules++] = (tm_merge_rule){words ? list->words[i] : NULL, take};
}

static void make_rules(merge_run *run, const merge_options *options)
{
    for (int words = 0; words < 2; words++) {
        add_rules(run, &options->ours, TM_TAKE_OURS, words);
        add_rules(run, &options->theirs, TM_TAKE_THEIRS, words);
        add_rules(run, &options->both, TM_TAKE_BOTH, words);
    }
}

/* By the maps themselves, not by what is told of them: nothing that was merged may be kept from the file. */
static bool is_as_before(const tm_map *ours, const tm_map *merged)
{
    bool equal;
    return tm_map_equal(&equal, ours, merged, NULL, 0, NULL) == TM_OK && equal;
}

static tm_status merge_map(void *ctx, changed_map *map, tm_error *error)
{
    merge_run *run = ctx;
    const merge_options *options = run->tool->options;
    tm_merge_options how = TM_MERGE_OPTIONS_INIT;
    tm_map *merged;
    how.rules = run->rules;
    how.num_rules = run->num_rules;
    how.mark = options->mark;
    const tm_status status = tm_map_merge(&merged, &run->conflicts, run->file[BASE].map, map->file.map,
                                          run->file[THEIRS].map, &how, &map->done, error);
    if (status)
        return status;
    map->always = tm_conflicts_num(run->conflicts) > 0 || !is_as_before(map->file.map, merged);
    tm_map_swap(map->file.map, merged);
    tm_map_free(merged);
    const bool open = tm_conflicts_num_open(run->conflicts) > 0;
    map->refused = open && !options->partial && !options->mark;
    map->lacks = open;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- telling */

static void put_conflicts(void *ctx, const changed_map *map, text *out)
{
    const merge_run *run = ctx;
    const merge_options *options = run->tool->options;
    const uint32_t open = tm_conflicts_num_open(run->conflicts);
    tm_conflict conflict;
    char line[600];
    for (uint32_t i = 0; tm_conflicts_at(run->conflicts, i, &conflict); i++) {
        if (!conflict.open && !options->change.common.verbose)
            continue;
        tm_conflict_format(&conflict, line, sizeof(line));
        if (conflict.open)
            text_string(out, "conflict: ");
        else
            text_print(out, "settled (%s): ", tm_take_name(conflict.take));
        text_safe(out, line);
        text_string(out, "\n");
    }
    if (!open)
        return;
    text_safe(out, options->called ? options->called : path_name(map->path));
    text_print(out, ": %" PRIu32 " conflict%s", open, open == 1 ? "" : "s");
    text_string(out, map->refused
                         ? "; nothing is written: settle them with --ours, --theirs, --union, or take "
                           "--partial or --mark\n"
                         : "\n");
}

static void add_conflicts(void *ctx, const changed_map *map, json_t *object)
{
    const merge_run *run = ctx;
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    (void)map;
    json_add_text(object, "base", run->path[BASE]);
    json_add_text(object, "theirs", run->path[THEIRS]);
    json_t *whole = tm_conflicts_write(run->conflicts, &output, &error)
                        ? NULL
                        : json_loadb((const char *)buffer.bytes, buffer.size, 0, NULL);
    json_add_int(object, "open", tm_conflicts_num_open(run->conflicts));
    json_add(object, "conflicts", json_incref(json_object_get(whole, "conflicts")));
    json_decref(whole);
    tm_buffer_release(&buffer);
}

/* ------------------------------------------------------------------------------------------------ the run */

static bool load_others(merge_run *run)
{
    for (int i = 0; i < 2; i++) {
        load_map(&run->file[i], run->path[i], run->tool->common->mode, false);
        if (!run->file[i].status)
            continue;
        text err = {0};
        put_error(&err, run->path[i], &run->file[i].error);
        tool_say(run->tool, &err);
        text_release(&err);
        return false;
    }
    return true;
}

static int cmd_merge(cli_tool *tool)
{
    merge_run run = {.tool = tool, .path = {tool->operands[0], tool->operands[2]}};
    make_rules(&run, tool->options);
    if (load_others(&run)) {
        tool->operands++;
        tool->num_operands = 1;
        change_maps(
            tool, &(change_command){
                      .ctx = &run, .work = merge_map, .add_json = add_conflicts, .put_line = put_conflicts});
        tool->operands--;
        tool->num_operands = 3;
    } else {
        worsen(&tool->status, STATUS_TROUBLE);
    }
    tm_conflicts_free(run.conflicts);
    for (int i = 0; i < 2; i++)
        loaded_release(&run.file[i]);
    return STATUS_DONE;
}
