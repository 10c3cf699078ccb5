/* SPDX-License-Identifier: Zlib */
/*
 * cmd_edit.c - `teemap edit`: operations of teemap/edit.h on maps. What there is to do, and how it is
 * written, is the library's table alone; here are files, threads and what is printed.
 */
#include "change_maps.h"
#include "operation_list.h"

typedef struct edit_options {
    change_options change;
    const char *script; /* NULL: not given */
    bool operations, next, whole;
    word_list defines;
} edit_options;

static const option_row edit_rows[] = {
    CHANGE_OUTPUT_ROWS(edit_options),
    {0, "script", "FILE", FILE_AT(edit_options, script),
     .text = "read operations from a file, one per line; # begins a comment; - is standard input"},
    {'D', "define", "NAME=VALUE", WORDS_AT(edit_options, defines), .noun = "NAME=VALUE",
     .text = "set the value of $NAME and ${NAME} in the script; may be repeated"},
    {0, "all-or-nothing", NULL, FLAG_AT(edit_options, whole),
     .text = "do not write a map if a requested change could not be made"},
    {0, "operations", NULL, FLAG_AT(edit_options, operations),
     .text = "list all operations; explain those that begin with the following words"},
    {0, "next", NULL, FLAG_AT(edit_options, next),
     .text = "with --operations: list possible next words, for shell completion"},
    CHANGE_IMAGES_ROW(edit_options),
    CHANGE_RUNNING_ROWS,
    {0},
};

COMMAND(edit, edit_options, 0, -1, .operands = {OPERAND_STEP});

typedef struct edit_run {
    cli_tool *tool;
    tm_edit_script *script;
} edit_run;

static tm_status run_script(void *ctx, changed_map *map, tm_error *error)
{
    const edit_run *run = ctx;
    const edit_options *words = run->tool->options;
    edit_inputs inputs = {0};
    tm_edit_options options;
    tm_status status = change_inputs_open(&inputs, &options, &words->change, map, error);
    if (!status)
        status = tm_edit_script_run(map->file.map, run->script, &options, &map->done, error);
    inputs_close(&inputs);
    map->refused = !status && words->whole && tm_report_has_warnings(&map->done);
    return status;
}

static void put_refusal(void *ctx, const changed_map *map, text *out)
{
    (void)ctx;
    if (!map->refused)
        return;
    put_note(out, map->path, "nothing is written, as not all could be done\n");
}

enum { SCRIPT_MAX = 16 << 20 }; /* bytes; nobody writes more */

static tm_status read_script(tm_edit_script **out, const edit_options *options, tm_error *error)
{
    uint8_t *bytes;
    size_t size;
    *out = NULL;
    tm_status status = read_path(&bytes, &size, options->script, SCRIPT_MAX, NULL, error);
    if (!status)
        status = tm_edit_script_from_template(out, (const char *)bytes, size, options->defines.words,
                                              (uint32_t)options->defines.num, NULL, error);
    free(bytes);
    return status;
}

/* Names the word that is most likely the operation: one that is like one, else the first that is no map. */
static void complain_of_words(cli_tool *tool, int maps)
{
    char reason[NO_OPERATION_SIZE] = "no map was given";
    const char *const *words = (const char *const *)tool->operands;
    const char *const *wrong = NULL, *const *nearest = NULL;
    for (int i = 1; i < maps && !nearest; i++) {
        if (strpbrk(words[i], "./") || strcmp(words[i], "-") == 0) /* rather a map than an operation */
            continue;
        wrong = wrong ? wrong : words + i;
        nearest = name_no_operation(reason, words + i, 1) ? words + i : NULL;
    }
    if (wrong)
        name_no_operation(reason, nearest ? nearest : wrong, 1);
    else if (maps)
        snprintf(reason, sizeof(reason), "no operation was given; 'teemap edit --operations' lists them");
    tool_usage(tool, reason);
}

/* Reads what is to be done; false after having said what is wrong. The operands in front of it are left. */
static bool make_script(edit_run *run)
{
    cli_tool *tool = run->tool;
    const edit_options *options = tool->options;
    const int maps = options->script
                         ? tool->num_operands
                         : operations_begin((const char *const *)tool->operands, tool->num_operands);
    const char *const *words = (const char *const *)tool->operands + maps;
    tm_error error = {0};
    tm_status status;
    if (maps == 0 || (!options->script && (maps == tool->num_operands || strcmp(words[0], "+") == 0))) {
        complain_of_words(tool, maps);
        return false;
    }
    if (!options->script && options->defines.num) {
        tool_usage(tool, "-D gives values to variables of a --script; there is none");
        return false;
    }
    if (options->script)
        status = read_script(&run->script, options, &error);
    else
        status = tm_edit_script_from_words(&run->script, words, (uint32_t)(tool->num_operands - maps), NULL,
                                           &error);
    tool->num_operands = maps;
    if (!status)
        return true;
    tool_error(tool, options->script ? options->script : tool->command->name, &error);
    return false;
}

/* All of them, some of them in full, or what may follow. */
static void show_operations(cli_tool *tool)
{
    const edit_options *options = tool->options;
    const char *const *words = (const char *const *)tool->operands;
    char reason[NO_OPERATION_SIZE];
    if (options->next)
        put_next_words(&tool->out, words, tool->num_operands);
    else if (options->change.common.json)
        put_operations_json(&tool->out, words, tool->num_operands);
    else if (tool->num_operands == 0)
        put_operations(&tool->out);
    else
        explain_operations(&tool->out, words, tool->num_operands);
    if (tool->out.size == 0 && !options->next) {
        name_no_operation(reason, words, tool->num_operands);
        tool_usage(tool, reason);
    }
}

int cmd_edit(cli_tool *tool)
{
    const edit_options *options = tool->options;
    edit_run run = {.tool = tool};
    if (options->operations) {
        show_operations(tool);
        return STATUS_DONE;
    }
    if (options->next) {
        tool_usage(tool, "--next goes with --operations");
        return STATUS_DONE;
    }
    if (make_script(&run))
        change_maps(tool, tool->options, tool->operands, tool->num_operands,
                    &(change_command){.ctx = &run, .work = run_script, .put_line = put_refusal});
    tm_edit_script_free(run.script);
    return STATUS_DONE;
}
