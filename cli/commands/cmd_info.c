/* SPDX-License-Identifier: Zlib */
/*
 * cmd_info.c - `teemap info`: a map in twenty lines or one JSON object. Reads items and texts only, never
 * unpacks tiles, so memory stays near the file's size whatever the map unpacks to.
 */
#include "output/describe.h"
#include "run/load.h"

typedef struct info_options {
    common_options common;
    bool hash, facts, csv;
} info_options;

static const option_row info_rows[] = {
    VERBOSE_ROW("also print the tree of groups and layers, all settings, and all findings"),
    {0, "hash", NULL, FLAG_AT(info_options, hash),
     .text = "also print SHA-256 and CRC-32 of the file, which servers use to identify maps"},
    {0, "facts", NULL, FLAG_AT(info_options, facts),
     .text = "print one flat JSON object per map, with the columns of docs/facts.md"},
    {0, "csv", NULL, FLAG_AT(info_options, csv),
     .text = "print the same as CSV, with column names in the first line"},
    JSON_EACH_ROW,
    RECURSIVE_ROW("process all *.map files in folders, recursively"),
    MODE_ROW,
    THREADS_ROW,
    QUIET_ROW,
    {0},
};

COMMAND(info, info_options, 1, -1, .operands = {OPERAND_MAP});

/* Settings that are shown without -v: maps have none, a few, or hundreds. */
#define FEW_SETTINGS 8

/* --------------------------------------------------------------------------------------------------- JSON */

static json_t *start_json(const char *path, const loaded *file)
{
    char *name = files_stem(path_base(path)); /* what servers call the map */
    json_t *object =
        json_object(JSON_TEXT("path", path), JSON_TEXT("name", name), JSON_INT("file_size", file->file_size));
    if (file->hashed)
        json_add_all(object, JSON_TEXT("sha256", file->sha256), JSON_TEXT("crc32", file->crc32));
    free(name);
    return object;
}

static void put_info_json(cli_report *report, const char *path, const loaded *file, bool groups)
{
    json_t *object = start_json(path, file);
    if (file->map)
        json_add_map(object, file->map, groups ? MAP_OBJECTS : MAP_TEXTS);
    else
        json_add_error(object, &file->error);
    json_add_findings(object, &file->findings);
    text_json_line(report->out, object);
}

/* --------------------------------------------------------------------------------------------------- text */

/* info.form; ends with a NUL */
extern const unsigned char info_form[];

static void put_severities(text *out, const uint64_t num[TM_SEVERITY_ERROR + 1])
{
    static const char *const many[] = {"", "notes", "warnings", "errors"};
    const char *before = "";
    for (int severity = TM_SEVERITY_ERROR; severity >= TM_SEVERITY_NOTE; severity--) {
        if (num[severity]) {
            text_string(out, before);
            text_count(out, num[severity], tm_severity_name((tm_severity)severity), many[severity]);
            before = ", ";
        }
    }
    text_put(out, "\n", 1);
}

static void put_findings(text *out, const tm_findings *findings, bool all)
{
    uint64_t num[TM_SEVERITY_ERROR + 1] = {0};
    for (size_t i = 0; i < findings->num; i++)
        num[findings->list[i].severity]++;
    text_string(out, "  findings   ");
    if (!findings->num) {
        text_string(out, "none\n");
        return;
    }
    put_severities(out, num);
    put_finding_lines(
        out, findings,
        (finding_lines){"             ", NULL, all ? TM_SEVERITY_NOTE : TM_SEVERITY_WARNING, all, SIZE_MAX});
}

static void put_tree(text *out, const tm_map *map)
{
    text rows = {0}, table = {0};
    for (uint32_t i = 0; i < map->num_groups; i++)
        rows_of_group(&rows, map, i, 2);
    text_columns(&table, &rows, "l");
    for (size_t at = 0; at < table.size;) {
        size_t end = at;
        while (end < table.size && table.bytes[end++] != '\n') {
        }
        text_pad(out, 4);
        text_put(out, table.bytes + at, end - at);
        at = end;
    }
    text_release(&rows);
    text_release(&table);
}

/* Why there is no size of the game layer to tell. */
static const char *why_no_size(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == TM_FINDING_GAME_LAYER_SIZE)
            return findings->list[i].text;
    return "there is no game layer";
}

static void put_info_text(cli_report *report, const char *path, const loaded *file,
                          const common_options *options)
{
    const tm_map *map = file->map;
    const uint32_t num = map->info.num_settings,
                   shown = options->verbose || num <= FEW_SETTINGS ? num : FEW_SETTINGS;
    json_t *values = start_json(path, file), *settings = json_array();
    json_add_map(values, map, MAP_NUMBERS);
    json_add_info(values, map);
    for (uint32_t i = 0; i < shown; i++)
        json_append(settings, json_string(map->info.settings[i]));
    json_add_all(values, JSON_BOOL("old", tm_mapfile_get_kind(map) == TM_MAPFILE_PRE_2008),
                 JSON_TEXT("why_no_size", why_no_size(&file->findings)),
                 JSON_BOOL("unread_settings", !!map->info.unread_settings), JSON_INT("num_settings", num),
                 JSON_INT("more_settings", num - shown), JSON_VALUE("shown_settings", settings));
    form_line(report->out, (const char *)info_form, values);
    if (!options->quiet)
        put_findings(report->out, &file->findings, options->verbose);
    if (options->verbose)
        put_tree(report->out, map);
}

/* ----------------------------------------------------------------------------------- facts: docs/facts.md */

/* Writes the content of a quoted cell of CSV (RFC 4180), with control characters escaped. */
static void put_quoted_cell(text *out, const char *bytes)
{
    text safe = {0};
    text_safe(&safe, bytes);
    for (const char *letter = text_words(&safe); *letter; letter++)
        text_put(out, *letter == '"' ? "\"\"" : letter, *letter == '"' ? 2 : 1);
    text_release(&safe);
}

static void put_cell(text *out, const tm_fact *fact)
{
    const bool quoted =
        fact->type == TM_FACT_LIST || (fact->text && fact->text[strcspn(fact->text, ",\"\r\n")]);
    if (!fact->known)
        return;
    if (fact->type == TM_FACT_NUMBER)
        text_number(out, fact->number, 0);
    text_string(out, quoted ? "\"" : "");
    if (fact->type == TM_FACT_TEXT)
        put_quoted_cell(out, fact->text);
    for (uint32_t i = 0; i < fact->num; i++) {
        text_string(out, i ? ";" : "");
        put_quoted_cell(out, fact->list[i]);
    }
    text_string(out, quoted ? "\"" : "");
}

static void put_facts_csv(text *out, const tm_facts *facts)
{
    for (uint32_t i = 0; tm_facts_column(i); i++) {
        const tm_fact fact = tm_facts_get(facts, i);
        text_string(out, i ? "," : "");
        put_cell(out, &fact);
    }
    text_string(out, "\n");
}

static void put_facts_json(text *out, const tm_facts *facts)
{
    const tm_fact_column *column;
    json_t *object = json_make();
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++) {
        const tm_fact fact = tm_facts_get(facts, i);
        if (!fact.known)
            json_add(object, column->name, json_null());
        else if (fact.type == TM_FACT_NUMBER)
            json_add_int(object, column->name, fact.number);
        else if (fact.type == TM_FACT_TEXT)
            json_add_text(object, column->name, fact.text);
        else
            json_add_texts(object, column->name, fact.list, fact.num);
    }
    text_json_line(out, object);
}

static int64_t facts_number(const tm_facts *facts, const char *name)
{
    const tm_fact_column *column;
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++)
        if (strcmp(column->name, name) == 0)
            return tm_facts_get(facts, i).number;
    return 0;
}

static tm_status put_facts_row(cli_report *report, const char *path, const loaded *file, bool csv,
                               tm_error *error)
{
    char line[1024];
    tm_facts *facts;
    tm_facts_file known = TM_FACTS_FILE_INIT;
    known.path = path;
    known.file_size = file->file_size;
    tm_status status = tm_sys_get_time(&known.file_time, path, error);
    if (status)
        return status;
    known.hashes = file->hashed ? &file->hashes : NULL;
    if (file->status) {
        tm_error_format(&file->error, line, sizeof(line));
        known.error = line;
    }
    status = tm_facts_make(&facts, file->map, &file->findings, &known, NULL, error);
    if (!status)
        (csv ? put_facts_csv : put_facts_json)(report->out, facts);
    if (!status && facts_number(facts, "damaged"))
        raise_status(&report->status, STATUS_FINDINGS);
    tm_facts_free(facts);
    return status;
}

static void info_of_file(void *ctx, cli_report *report)
{
    const info_options *options = report->tool->options;
    const char *path = report->path;
    loaded file;
    (void)ctx;
    const bool hashes = options->hash || options->facts || options->csv;
    (hashes ? load_map_with_hashes : load_map)(&file, path, options->common.mode);
    if (options->facts || options->csv) {
        tm_error error;
        if (put_facts_row(report, path, &file, options->csv, &error))
            report_error(report, &error);
    } else if (options->common.json)
        put_info_json(report, path, &file, options->common.verbose);
    else if (file.map)
        put_info_text(report, path, &file, &options->common);
    if (file.status)
        report_error(report, &file.error);
    else if (file.findings.errors)
        raise_status(&report->status, STATUS_FINDINGS);
    loaded_release(&file);
}

int cmd_info(cli_tool *tool)
{
    file_list files;
    const info_options *options = tool->options;
    const bool table = options->facts || options->csv;
    tool->blank_lines = !tool->common->json && !table;
    tool->needs = table ? FILE_NEEDS_BLOCK : FILE_NEEDS_HEAD;
    const tm_fact_column *column;
    for (uint32_t i = 0; options->csv && (column = tm_facts_column(i)); i++)
        text_print(&tool->out, "%s%s", i ? "," : "", column->name);
    text_string(&tool->out, options->csv ? "\n" : "");
    files_expand(&files, tool, tool->operands, (size_t)tool->num_operands);
    tool_each(tool, files.paths, files.num, info_of_file, NULL);
    files_release(&files);
    return STATUS_DONE;
}
