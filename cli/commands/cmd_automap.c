/* SPDX-License-Identifier: Zlib */
/*
 * cmd_automap.c - `teemap automap`: applies automapper rules to design layers, as the games' editors do. Two
 * operations of teemap/edit.h do the work; this file makes their arguments from the options.
 */
#include "change_maps.h"

typedef struct automap_options {
    change_options change;
    const char *rules, *config; /* NULL: not given */
    bool all, has_seed;
    int reference;
    uint32_t seed, amount; /* seed: an int32_t */
} automap_options;

/* The words of tm_automap_reference, in its order. */
static const option_choice reference_choices[] = {
    {"none", 0, false},        {"game", 1, false},           {"hookable", 2, false},
    {"death", 3, false},       {"unhookable", 4, false},     {"freeze", 5, false},
    {"unfreeze", 6, false},    {"deep-freeze", 7, false},    {"deep-unfreeze", 8, false},
    {"live-freeze", 9, false}, {"live-unfreeze", 10, false}, {NULL, 0, false}};

static const option_row automap_rows[] = {
    {0, "rules", "FILE", FILE_AT(automap_options, rules), .group = GROUP_PART,
     .text =
         "rules to use: a .rules file of DDNet or a .json file of Teeworlds 0.7 (default: those of each layer's "
         "image)"},
    {0, "config", "NAME", TEXT_AT(automap_options, config), .noun = "a name or a number", .group = GROUP_PART,
     .text =
         "configuration of the rules, by name or by number from 0 (default: that of the layer's automapper)"},
    {0, "seed", "N", INTEGER_AT(automap_options, seed, INT32_MIN, INT32_MAX),
     GIVEN_AT(automap_options, has_seed), .group = GROUP_PART,
     .text = "seed for random rules; 0 picks one, which -v prints (default: that of the layer's automapper)"},
    {0, "reference", "WHAT", CHOICE_AT(automap_options, reference, reference_choices), .group = GROUP_PART,
     .text = "what the first run reads instead of the layer: the game layer, or one kind of its tiles"},
    {0, "amount", "N", INTEGER_AT(automap_options, amount, 1, 100), .group = GROUP_PART,
     .text = "amount of doodads of Teeworlds 0.7, 1 to 100 (default 50, as in its editor)"},
    {0, "all", NULL, FLAG_AT(automap_options, all), .group = GROUP_PART,
     .text = "treat all operands as maps, and map every layer that has an automapper"},
    CHANGE_OUTPUT_ROWS(automap_options),
    CHANGE_IMAGES_ROW(automap_options),
    JSON_EACH_ROW,
    {'r', "recursive", NULL, FLAG_AT(common_options, recursive), .group = GROUP_RUNNING,
     .text = "with --all: process all *.map files in folders; -t keeps the folder structure"},
    CHANGING_ROWS("print what changed; print notes too, not only warnings"),
    {0},
};

COMMAND(automap, automap_options, 1, -1, .operands = {OPERAND_MAP, OPERAND_ADDRESS}, .searches_images = true);

enum { MAX_AUTOMAP_WORDS = 7 };

typedef struct automap_run {
    const automap_options *options;
    const char *operation;
    const char *words[MAX_AUTOMAP_WORDS];
    uint32_t num;
    char *layers; /* with commas between */
    char seed[16], amount[16];
} automap_run;

static tm_status automap_map(void *ctx, changed_map *map, tm_error *error)
{
    const automap_run *run = ctx;
    const change_options *words = &run->options->change;
    const tm_status status = change_by_operation(map, words, run->operation, run->words, run->num, error);
    map->lacks = words->dry_run && map->done.num > 0;
    const bool named = run->options->all || run->options->rules || run->options->config || run->layers[0];
    if (!status && !named && !map_has_automapper(map->file.map))
        tm_findings_add(&map->done.findings, words->common.mode, TM_FINDING_NO_MATCH, -1, "", "",
                        "no layer has an automapper that names a configuration: give --config NAME");
    return status;
}

static void add_word(automap_run *run, const char *word)
{
    run->words[run->num++] = word ? word : "";
}

/* Makes the arguments of the operation; those for options that were not given are empty. */
static void make_words(automap_run *run, cli_tool *tool)
{
    const automap_options *options = run->options;
    text layers = {0};
    for (int i = 1; i < tool->num_operands && !options->all; i++) {
        text_string(&layers, i > 1 ? "," : "");
        text_string(&layers, tool->operands[i]);
    }
    run->layers = must_copy(text_words(&layers));
    text_release(&layers);
    if (!options->all)
        tool->num_operands = 1;
    run->operation = options->rules ? "automap by" : "automap";
    if (options->rules)
        add_word(run, options->rules);
    add_word(run, run->layers);
    add_word(run, options->config);
    snprintf(run->seed, sizeof(run->seed), "%" PRId32, (int32_t)options->seed);
    if (options->has_seed)
        add_word(run, run->seed);
    while (!options->has_seed && !options->reference && !options->amount && run->num > 1 &&
           !run->words[run->num - 1][0])
        run->num--;
    if (options->reference)
        add_word(run, reference_choices[options->reference].name);
    snprintf(run->amount, sizeof(run->amount), "%u", (unsigned)options->amount);
    if (options->amount) {
        add_word(run, "amount");
        add_word(run, run->amount);
    }
}

/* What is wrong with the operands; NULL: nothing. */
static const char *operands_fault(const cli_tool *tool)
{
    const automap_options *options = tool->options;
    if (options->change.common.recursive && !options->all)
        return "-r is for --all only";
    for (int i = 1; i < tool->num_operands && !options->all; i++) {
        const char *dot = strrchr(tool->operands[i], '.');
        if (dot && strcmp(dot, ".map") == 0 && tm_sys_kind_of(tool->operands[i]) == TM_SYS_FILE)
            return "layers follow the map; for several maps use --all";
        const char *rectangle = strrchr(tool->operands[i], '@');
        if (rectangle && strchr(rectangle, '+') && tool->num_operands > 2)
            return "a part of a layer (LAYER@X,Y+WxH) must be the only one that is given";
    }
    return NULL;
}

int cmd_automap(cli_tool *tool)
{
    automap_run run = {.options = tool->options};
    const char *fault = operands_fault(tool);
    if (fault)
        return tool_usage(tool, fault);
    make_words(&run, tool);
    change_maps(tool, tool->options, tool->operands, tool->num_operands,
                &(change_command){.ctx = &run, .work = automap_map});
    free(run.layers);
    return STATUS_DONE;
}
