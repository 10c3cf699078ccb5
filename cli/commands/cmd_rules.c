/* SPDX-License-Identifier: Zlib */
/*
 * cmd_rules.c - `teemap rules`: what the authors of automappers' rules need. What a file means and what is
 * odd in it is the library's to know (teemap/automap.h).
 */
#include "rules.h"

typedef struct rules_options {
    common_options common;
    const char *config, *image, *output; /* NULL: not given */
    uint32_t seed, scale, times;         /* seed: an int32_t */
    bool watch, raw, in_place, has_dialect, has_seed, has_scale, has_times;
    tm_automap_dialect dialect;
} rules_options;

static const option_choice dialect_choices[] = {{"ddnet", TM_AUTOMAP_DDNET, false},
                                                {"ddnet16", TM_AUTOMAP_DDNET_16, false},
                                                {"teeworlds07", TM_AUTOMAP_TEEWORLDS07, false},
                                                {NULL, 0, false}};

static const option_row rules_rows[] = {
    {'o', "output", "FILE", FILE_AT(rules_options, output),
     .text =
         "with preview and show: picture to write (.png, .webp or .rgba); with format and convert: rules to write "
         "(default: standard output)"},
    {'i', "in-place", NULL, FLAG_AT(rules_options, in_place),
     .text = "with format: overwrite the input files; unchanged files are not touched"},
    JSON_EACH_ROW,
    {0, "as", "DIALECT", CHOICE_AT(rules_options, dialect, dialect_choices),
     GIVEN_AT(rules_options, has_dialect), .group = GROUP_PART,
     .text =
         "except with preview: the editor that reads the file: DDNet since 18.4, DDNet 12.8 to 18.3, or Teeworlds "
         "0.7 (default: DDNet, and Teeworlds 0.7 for .json)"},
    {0, "config", "NAME", TEXT_AT(rules_options, config), .noun = "a name or a number", .group = GROUP_PART,
     .text = "with preview and show: configuration, by name or by number from 0"},
    {0, "seed", "N", INTEGER_AT(rules_options, seed, INT32_MIN, INT32_MAX), GIVEN_AT(rules_options, has_seed),
     .preset = "1", .group = GROUP_PART, .text = "with preview: seed for random rules; 0 picks one"},
    {0, "image", "PNG", FILE_AT(rules_options, image), .group = GROUP_DRAWN,
     .text = "with preview and show: image of the tiles"},
    {0, "raw", NULL, FLAG_AT(rules_options, raw), .group = GROUP_DRAWN,
     .text = "with preview: draw the sample layer before the rules run"},
    {0, "scale", "PX", INTEGER_AT(rules_options, scale, 4, 128), GIVEN_AT(rules_options, has_scale),
     .preset = "16", .group = GROUP_DRAWN, .text = "with preview and show: pixels per tile"},
    {0, "watch", NULL, FLAG_AT(rules_options, watch), .group = GROUP_RUNNING,
     .text = "with check, preview and show: run again whenever the file changes, until interrupted"},
    {0, "times", "N", INTEGER_AT(rules_options, times, 1, 1000000), GIVEN_AT(rules_options, has_times),
     .group = GROUP_RUNNING, .text = "with --watch: stop after this many runs"},
    RECURSIVE_ROW("with check, list and format: process all *.rules and *.json files in folders"),
    VERBOSE_ROW("print notes too, not only warnings"),
    QUIET_ROW,
    {0},
};

/* In the order of the table `actions`. */
static const char *const action_words[] = {"check", "list", "preview", "show", "format", "convert", NULL};
static const char *const rules_endings[] = {".rules", ".json", NULL};

COMMAND(rules, rules_options, 2, -1, .actions = action_words, .endings = rules_endings);

/* ------------------------------------------------------------------------------------------------ a file */

enum { RULES_MAX = 64 << 20 }; /* bytes */

static void rules_file_open(rules_file *out, const char *path, const rules_options *options)
{
    tm_automap_read_options read_options = TM_AUTOMAP_READ_OPTIONS_INIT;
    *out = (rules_file){.path = path};
    tm_findings_init(&out->findings, 0, NULL);
    read_options.dialect = options->has_dialect ? options->dialect : tm_automap_dialect_of_file(path);
    out->status = read_path(&out->bytes, &out->size, path, RULES_MAX, NULL, &out->error);
    if (!out->status)
        out->status =
            tm_automap_read(&out->rules, out->bytes, out->size, &read_options, &out->findings, &out->error);
}

static void rules_file_release(rules_file *file)
{
    tm_automap_free(file->rules);
    tm_findings_release(&file->findings);
    free(file->bytes);
}

/* ------------------------------------------------------------------------------------------------- check */

static int by_line(const void *a, const void *b)
{
    const tm_finding *left = a, *right = b;
    uint32_t lines[2], columns[2];
    (void)tm_automap_finding_line(&lines[0], &columns[0], left);
    (void)tm_automap_finding_line(&lines[1], &columns[1], right);
    const int order[] = {(lines[0] > lines[1]) - (lines[0] < lines[1]),
                         (columns[0] > columns[1]) - (columns[0] < columns[1]),
                         (left->id > right->id) - (left->id < right->id)};
    return order[0] ? order[0] : order[1] ? order[1] : order[2];
}

/* What one call of check counts: files without findings, with some, and those that could not be read. */
typedef struct rules_counts {
    size_t fine, found, unread;
} rules_counts;

static void check_rules_file(cli_tool *tool, const rules_file *file, const rules_options *options,
                             rules_counts *counts)
{
    const tm_severity least = options->common.verbose ? TM_SEVERITY_NOTE : TM_SEVERITY_WARNING;
    uint64_t shown = 0;
    for (size_t i = 0; i < file->findings.num; i++) {
        if (file->findings.list[i].severity < least)
            continue;
        shown++;
        if (!options->common.quiet && !options->common.json)
            put_rule_finding(&tool->out, file, &file->findings.list[i]);
    }
    if (file->findings.unlisted && !options->common.quiet && !options->common.json)
        put_about(&tool->out, file->path, "and %" PRIu64 " more\n", file->findings.unlisted);
    const bool found = shown || file->findings.unlisted;
    counts->found += found;
    counts->fine += !found;
    if (found)
        raise_status(&tool->status, STATUS_FINDINGS);
}

static void print_rules_counts(cli_tool *tool, const rules_counts *counts)
{
    text sum = {0};
    text_print(&sum, "teemap: %zu files of rules: %zu fine, %zu with findings",
               counts->fine + counts->found + counts->unread, counts->fine, counts->found);
    if (counts->unread)
        text_print(&sum, ", %zu could not be read", counts->unread);
    text_string(&sum, "\n");
    tool_print(tool, &sum);
}

/* Why there are no configurations. */
static void print_rules_empty(cli_tool *tool, const rules_file *file)
{
    text said = {0};
    for (size_t i = 0; i < file->findings.num; i++)
        if (file->findings.list[i].id == TM_FINDING_RULES_EMPTY)
            put_rule_finding(&said, file, &file->findings.list[i]);
    if (!tool->common->quiet)
        tool_print(tool, &said);
}

/* ----------------------------------------------------------------------------------------------- actions */

/* Reading and reviewing each find theirs in the order of lines. */
static void sort_findings(rules_file *file)
{
    if (file->findings.num)
        qsort(file->findings.list, file->findings.num, sizeof(*file->findings.list), by_line);
}

static void check_files(cli_tool *tool)
{
    const rules_options *options = tool->options;
    rules_counts counts = {0};
    for (int i = 1; i < tool->num_operands; i++) {
        rules_file file;
        rules_file_open(&file, tool->operands[i], options);
        counts.unread += file.status != TM_OK;
        if (!file.status)
            file.status = tm_automap_review(file.rules, &file.findings, &file.error);
        sort_findings(&file);
        if (options->common.json)
            put_rules_json(&tool->out, &file);
        if (file.status)
            tool_error(tool, path_name(file.path), &file.error);
        else
            check_rules_file(tool, &file, options, &counts);
        rules_file_release(&file);
    }
    if (tool->num_operands > 2 && !options->common.quiet && !options->common.json)
        print_rules_counts(tool, &counts);
}

static void list_files(cli_tool *tool)
{
    const rules_options *options = tool->options;
    for (int i = 1; i < tool->num_operands; i++) {
        rules_file file;
        rules_file_open(&file, tool->operands[i], options);
        sort_findings(&file);
        if (options->common.json)
            put_rules_json(&tool->out, &file);
        if (file.status) {
            tool_error(tool, path_name(file.path), &file.error);
        } else if (!options->common.json) {
            put_rules_list(&tool->out, &file, tool->num_operands > 2);
            print_rules_empty(tool, &file);
        }
        rules_file_release(&file);
    }
}

/* What preview and show draw by; false after having said what is wrong. */
static bool choose_picture(rules_picture *out, cli_tool *tool)
{
    const rules_options *options = tool->options;
    const picture_options plain = {.common = options->common};
    *out = (rules_picture){.rules = tool->operands[1],
                           .image = options->image,
                           .config = options->config,
                           .output = options->output,
                           .seed = (int32_t)options->seed,
                           .scale = options->scale,
                           .raw = options->raw};
    const char *fault = !out->output ? "the picture needs a name: -o PICTURE"
                        : tool->num_operands > 2
                            ? "a picture is of one file of rules"
                            : picture_choose_format(&out->format, &plain, out->output, PICTURE_NAMED);
    if (!fault)
        return true;
    tool_usage(tool, fault);
    return false;
}

static void preview_rules(cli_tool *tool)
{
    const rules_options *options = tool->options;
    rules_picture picture;
    tm_error error = {.offset = -1};
    rules_drawn drawn;
    text said = {0};
    if (!options->image) {
        tool_usage(tool, "preview needs --image PNG, the picture with the tiles");
        return;
    }
    if (!choose_picture(&picture, tool))
        return;
    if (rules_picture_draw(&drawn, &picture, NULL, &error)) {
        tool_error(tool, picture.rules, &error);
        return;
    }
    if (!picture.seed)
        text_print(&said, "teemap: drawn with seed %" PRId32 "\n", drawn.seed);
    if (drawn.changed_again)
        text_print(&said,
                   "teemap: %s: warning: %" PRIu64
                   " tiles change when the layer is mapped again, as the editor's "
                   "automatic mode does; docs/automapper.md, \"Mapped again\", has the cure\n",
                   path_name(picture.rules), drawn.changed_again);
    raise_status(&tool->status, drawn.changed_again ? STATUS_FINDINGS : STATUS_DONE);
    if (!tool->common->quiet)
        tool_print(tool, &said);
}

/* The configuration that was asked for, or the only one; NULL after having said that there is none. */
static const tm_automap_config *config_to_show(cli_tool *tool, const rules_file *file, const char *name)
{
    uint32_t num;
    const tm_automap_config *list = tm_automap_configs(&num, file->rules);
    const tm_automap_config *found = name       ? tm_automap_find_config(NULL, file->rules, name)
                                     : num == 1 ? list
                                                : NULL;
    text reason = {0};
    if (found)
        return found;
    text_string(&reason, !num   ? "the file has no configuration; 'teemap rules check' says more"
                         : name ? "there is no configuration "
                                : "which configuration? --config");
    if (name && num)
        text_quoted(&reason, name);
    text_string(&reason, num ? "; 'teemap rules list' lists them" : "");
    tool_trouble(tool, file->path, text_words(&reason));
    text_release(&reason);
    return NULL;
}

static void show_rules(cli_tool *tool)
{
    rules_picture picture;
    rules_file file;
    if (!choose_picture(&picture, tool))
        return;
    picture.scale = picture.scale < TM_PREVIEW_RULES_MIN   ? TM_PREVIEW_RULES_MIN
                    : picture.scale > TM_PREVIEW_RULES_MAX ? TM_PREVIEW_RULES_MAX
                                                           : picture.scale;
    rules_file_open(&file, picture.rules, tool->options);
    const tm_automap_config *config = file.status ? NULL : config_to_show(tool, &file, picture.config);
    if (config)
        file.status = rules_picture_show(&picture, config, &file.error);
    if (file.status)
        tool_error(tool, path_name(file.path), &file.error);
    rules_file_release(&file);
}

/* ---------------------------------------------------------------------------------------- written again */

/* What converting could not tell. */
static void print_losses(cli_tool *tool, const rules_file *file, size_t from)
{
    text said = {0};
    for (size_t i = from; i < file->findings.num; i++)
        put_rule_finding(&said, file, &file->findings.list[i]);
    if (file->findings.num > from)
        raise_status(&tool->status, STATUS_FINDINGS);
    if (!tool->common->quiet)
        tool_print(tool, &said);
}

static void format_rules(cli_tool *tool, const char *path)
{
    const rules_options *options = tool->options;
    tm_automap_read_options read_options = TM_AUTOMAP_READ_OPTIONS_INIT;
    tm_buffer made = {0};
    const tm_output output = tm_output_to_buffer(&made);
    rules_file file;
    rules_file_open(&file, path, options);
    read_options.dialect = file.rules ? tm_automap_rules_dialect(file.rules) : TM_AUTOMAP_DDNET;
    if (!file.status)
        file.status = tm_automap_format(&output, file.bytes, file.size, &read_options, NULL, &file.error);
    const bool same =
        options->in_place && made.size == file.size && memcmp(made.bytes, file.bytes, file.size) == 0;
    if (!file.status && !same)
        file.status = save_bytes(options->in_place ? path
                                 : options->output ? options->output
                                                   : "-",
                                 made.bytes, made.size, &file.error);
    if (file.status)
        tool_error(tool, path_name(path), &file.error);
    tm_buffer_release(&made);
    rules_file_release(&file);
}

/* Writes rules of Teeworlds 0.7, which are open, as those of DDNet. */
static void write_as_ddnet(cli_tool *tool, rules_file *file)
{
    const rules_options *options = tool->options;
    tm_buffer made = {0};
    const tm_output output = tm_output_to_buffer(&made);
    const size_t read = file->findings.num;
    file->status = tm_automap_write(&output, file->rules, &file->findings, &file->error);
    if (!file->status)
        file->status =
            save_bytes(options->output ? options->output : "-", made.bytes, made.size, &file->error);
    if (file->status)
        tool_error(tool, path_name(file->path), &file->error);
    else
        print_losses(tool, file, read);
    tm_buffer_release(&made);
}

static void convert_rules(cli_tool *tool, const char *path)
{
    rules_file file;
    rules_file_open(&file, path, tool->options);
    if (file.status) {
        tool_error(tool, path_name(path), &file.error);
    } else if (tm_automap_rules_dialect(file.rules) != TM_AUTOMAP_TEEWORLDS07) {
        print_rules_empty(tool, &file);
        tool_trouble(tool, path,
                     "only rules of Teeworlds 0.7 (.json) are converted; 'format' writes those of "
                     "DDNet in good order");
    } else {
        write_as_ddnet(tool, &file);
    }
    rules_file_release(&file);
}

static bool is_operand(const cli_tool *tool, const char *path)
{
    for (int i = 1; i < tool->num_operands; i++)
        if (strcmp(tool->operands[i], path) == 0)
            return true;
    return false;
}

static void format_files(cli_tool *tool)
{
    const rules_options *options = tool->options;
    const char *fault =
        options->in_place && options->output           ? "-o and -i exclude each other"
        : options->in_place && is_operand(tool, "-")   ? "standard input has no name to write to; use -o OUT"
        : tool->num_operands > 2 && !options->in_place ? "several files need -i, which replaces them"
                                                       : NULL;
    if (fault)
        tool_usage(tool, fault);
    for (int i = 1; i < tool->num_operands && !fault; i++)
        format_rules(tool, tool->operands[i]);
}

static void convert_file(cli_tool *tool)
{
    if (tool->num_operands > 2)
        tool_usage(tool, "one file at a time is converted");
    else
        convert_rules(tool, tool->operands[1]);
}

static void (*const actions[])(cli_tool *tool) = {check_files, list_files,   preview_rules,
                                                  show_rules,  format_files, convert_file};
enum { ACTIONS = sizeof(actions) / sizeof(actions[0]) };

/* Sets of actions, by their places in the table. */
enum { CHECK = 1, LIST = 2, PREVIEW = 4, SHOW = 8, FORMAT = 16, CONVERT = 32 };

/* An option that an action would pass over in silence; NULL: there is none. */
static const char *options_fault(const cli_tool *tool, size_t action)
{
    const rules_options *options = tool->options;
    const struct {
        bool given;
        unsigned of;
        const char *text;
    } rows[] = {
        {options->output, PREVIEW | SHOW | FORMAT | CONVERT, "-o is for preview, show, format and convert"},
        {options->in_place, FORMAT, "-i is for format only"},
        {options->common.json, CHECK | LIST, "--json is for check and list"},
        {options->has_dialect, CHECK | LIST | SHOW | FORMAT | CONVERT, "--as is for all but preview"},
        {options->config, PREVIEW | SHOW, "--config is for preview and show"},
        {options->has_seed, PREVIEW, "--seed is for preview only"},
        {options->image, PREVIEW | SHOW, "--image is for preview and show"},
        {options->raw, PREVIEW, "--raw is for preview only"},
        {options->common.recursive, CHECK | LIST | FORMAT, "-r is for check, list and format"},
        {options->has_scale, PREVIEW | SHOW, "--scale is for preview and show"},
        {options->watch, CHECK | PREVIEW | SHOW, "--watch is for check, preview and show"},
        {options->has_times && !options->watch, 0, "--times is for --watch only"},
        {options->watch && is_operand(tool, "-"), 0, "standard input cannot be watched"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].given && !(rows[i].of >> action & 1))
            return rows[i].text;
    return NULL;
}

/* ----------------------------------------------------------------------------------------------- watching */

/* A hash of what the files hold; one that cannot be read, as while it is written, holds nothing. */
static uint64_t hash_files(const cli_tool *tool)
{
    const rules_options *options = tool->options;
    uint64_t hash = 0, part;
    for (int i = 1; i <= tool->num_operands; i++) {
        const char *path = i < tool->num_operands ? tool->operands[i] : options->image;
        tm_hashes hashes;
        if (!path || tm_store_hash(&hashes, path, NULL, NULL))
            hashes = (tm_hashes){0};
        memcpy(&part, hashes.sha256, sizeof(part));
        hash = hash * 31 + part;
    }
    return hash;
}

static void run_action(cli_tool *tool, size_t action)
{
    const rules_options *options = tool->options;
    for (uint32_t n = 1;; n++) {
        const uint64_t last = options->watch ? hash_files(tool) : 0;
        tool->status = STATUS_DONE;
        actions[action](tool);
        if (!options->watch || n == options->times)
            return;
        (void)text_flush(&tool->out);
        do
            tm_sys_pause(0.2);
        while (hash_files(tool) == last);
    }
}

/* Folders hold JSON of many kinds; rules name what they are. */
static bool is_of_rules(const cli_tool *tool, const char *path)
{
    uint8_t *bytes;
    size_t size;
    if (tm_automap_dialect_of_file(path) != TM_AUTOMAP_TEEWORLDS07 || is_operand(tool, path) ||
        read_path(&bytes, &size, path, RULES_MAX, NULL, NULL))
        return true;
    const bool is = strstr((const char *)bytes, "\"tileset\"") || strstr((const char *)bytes, "\"doodads\"");
    free(bytes);
    return is;
}

/* The action on all files that the operands name. */
static void run_on_files(cli_tool *tool, size_t action)
{
    file_list files;
    char **const operands = tool->operands;
    const int num = tool->num_operands;
    files_expand(&files, tool, operands + 1, (size_t)num - 1);
    const int expanded = tool->status;
    char **words = must_resize(NULL, files.num + 1, sizeof(*words));
    words[0] = operands[0];
    size_t taken = 1;
    for (size_t i = 0; i < files.num; i++)
        if (is_of_rules(tool, files.paths[i]))
            memcpy(&words[taken++], &files.paths[i], sizeof(*words));
    tool->operands = words;
    tool->num_operands = (int)taken;
    if (taken > 1)
        run_action(tool, action);
    raise_status(&tool->status, expanded);
    tool->operands = operands;
    tool->num_operands = num;
    free(words);
    files_release(&files);
}

int cmd_rules(cli_tool *tool)
{
    text reason = {0};
    for (size_t i = 0; i < ACTIONS; i++) {
        if (strcmp(tool->operands[0], action_words[i]) != 0)
            continue;
        const char *fault = options_fault(tool, i);
        if (fault) {
            tool_usage(tool, fault);
            return STATUS_TROUBLE;
        }
        run_on_files(tool, i);
        return STATUS_DONE;
    }
    text_string(&reason, "there is no ");
    text_quoted(&reason, tool->operands[0]);
    put_guess(&reason, tool->operands[0], action_words, "");
    tool_usage(tool, text_words(&reason));
    text_release(&reason);
    return STATUS_TROUBLE;
}
