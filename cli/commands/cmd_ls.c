/* SPDX-License-Identifier: Zlib */
/* cmd_ls.c - `teemap ls`: the objects of a map, or the items and blocks of its file, with their addresses. */
#include "output/describe.h"
#include "run/load.h"
#include "output/raw.h"

typedef struct ls_options {
    common_options common;
    bool raw, addresses;
} ls_options;

static const option_row ls_rows[] = {
    {0, "raw", NULL, FLAG_AT(ls_options, raw),
     .text = "show the container: items and data blocks in file order"},
    {0, "addresses", NULL, FLAG_AT(ls_options, addresses),
     .text =
         "for scripts: print one line per object, with its address by number, a tab, and its address by name if it "
         "has one"},
    JSON_ROW(
        "print JSON for other programs: one line and one object per map, with a list for each kind (.images[], "
        ".groups[].layers[])"),
    MODE_ROW,
    QUIET_ROW,
    VERBOSE_ROW("also print notes about the file, not only warnings"),
    {0},
};

COMMAND(ls, ls_options, 1, -1, .operands = {OPERAND_MAP, OPERAND_ADDRESS});

/* ---------------------------------------------------------------------------------------------------- raw */

/* Whether all operands are maps, as in `ls *.map`: the second one is a file, not an ADDRESS. */
static bool ls_several(const cli_tool *tool)
{
    return tool->num_operands > 2 ||
           (tool->num_operands == 2 && tm_sys_kind_of(tool->operands[1]) == TM_SYS_FILE);
}

static const char *ls_address(const cli_tool *tool)
{
    return tool->num_operands > 1 && !ls_several(tool) ? tool->operands[1] : "";
}

static raw_range range_of(const cli_selection *selection, tm_kind kind, uint32_t num)
{
    if (selection->address.kind == TM_KIND_MAP || (selection->address.kind == kind && selection->all))
        return (raw_range){0, num};
    return selection->address.kind == kind ? (raw_range){selection->address.index, 1} : (raw_range){0, 0};
}

static const char raw_form[] =
    "{{#header}}datafile {{magic}} version {{version}}, {{file_size}} bytes, head {{head_size}}, size {{size}}"
    "{{#crude_size}} (crude){{/}}, swaplen {{swaplen}}{{#crude_swaplen}} (crude){{/}}\n"
    "{{num_item_types}} item types, {{num_items}} items of {{item_size}} bytes, {{num_data}} data of {{data_size}} bytes"
    "{{^canonical}}, unusual layout{{/}}\n\n{{/}}"
    "{{=lrrrrl}}{{#has_items}}ADDRESS\tTYPE\tID\tSIZE\tOFFSET\tNAME\n{{/}}"
    "{{#items}}{{address}}\t{{type}}\t{{id}}\t{{size}}\t{{offset}}\t{{name}}{{^name}}unknown{{/}}{{#uuid}} {{.}}{{/}}\n"
    "{{/}}{{/}}{{#both}}\n{{/}}"
    "{{=lr}}{{#has_data}}ADDRESS\tPACKED\tUNPACKED\tOFFSET\n{{/}}"
    "{{#data}}{{address}}\t{{packed_size}}\t{{size}}\t{{offset}}\n{{/}}{{/}}";

static void add_list(json_t *object, const char *key, const tm_datafile *file, raw_range range,
                     json_t *(*make)(const tm_datafile *file, uint32_t index))
{
    json_t *list = json_add_array(object, key);
    for (uint32_t i = range.first; i < range.first + range.num; i++)
        json_append(list, make(file, i));
}

static void put_raw(text *out, const char *path, const tm_datafile *file, const cli_selection *selection,
                    const tm_findings *findings, bool json)
{
    json_t *object = json_object(JSON_TEXT("path", path));
    const raw_range items = range_of(selection, TM_KIND_ITEM, tm_datafile_num_items(file)),
                    data = range_of(selection, TM_KIND_DATA, tm_datafile_num_data(file));
    if (selection->address.kind == TM_KIND_MAP)
        json_add_all(object, JSON_VALUE("header", json_raw_header(file)),
                     JSON_VALUE("types", json_raw_types(file)));
    if (selection->address.kind != TM_KIND_DATA)
        add_list(object, "items", file, items, json_raw_item);
    if (selection->address.kind != TM_KIND_ITEM)
        add_list(object, "data", file, data, json_raw_data);
    if (selection->address.kind == TM_KIND_MAP)
        json_add_findings(object, findings);
    if (json) {
        text_json_line(out, object);
        return;
    }
    json_add_all(object, JSON_BOOL("has_items", items.num > 0), JSON_BOOL("has_data", data.num > 0),
                 JSON_BOOL("both", items.num && data.num));
    form_line(out, raw_form, object);
}

static tm_status select_raw(cli_selection *selection, cli_tool *tool, const tm_datafile *file,
                            tm_error *error)
{
    const char *word = ls_address(tool);
    *selection = (cli_selection){0};
    if (*word && !address_is_raw(word))
        return fail(error, TM_ERROR_USAGE, "--raw knows only items and data, as item/0 and data/0");
    tm_status status = *word ? address_select(selection, word, NULL, error) : TM_OK;
    return status ? status : address_bound_raw(selection, file, error);
}

static void list_raw(cli_tool *tool, const char *path, cli_report *report)
{
    loaded file;
    cli_selection selection;
    load_datafile(&file, path, tool->common->mode, 0);
    report_loaded(report, &file, SHOW_ERRORS);
    if (!file.status)
        file.status = select_raw(&selection, tool, file.datafile, &file.error);
    if (file.status)
        report_error(report, &file.error);
    else
        put_raw(report->out, path, file.datafile, &selection, &file.findings, tool->common->json);
    loaded_release(&file);
}

/* ------------------------------------------------------------------------------------------------ objects */

static bool wants(const cli_selection *selection, tm_kind kind)
{
    return selection->address.kind == TM_KIND_MAP || selection->address.kind == kind;
}

/* Calls `put` for each listed object. Groups list their layers: a layer comes only if it is the operand. */
static void each_object(text *out, const tm_map *map, const cli_selection *selection,
                        void (*put)(text *out, const tm_map *map, const tm_address *address))
{
    const struct {
        tm_kind kind;
        uint32_t num;
    } kinds[] = {{TM_KIND_IMAGE, map->num_images},
                 {TM_KIND_SOUND, map->num_sounds},
                 {TM_KIND_ENVELOPE, map->num_envelopes},
                 {TM_KIND_GROUP, map->num_groups}};
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        const raw_range range = range_of(selection, kinds[k].kind, kinds[k].num);
        for (uint32_t i = range.first; i < range.first + range.num; i++)
            put(out, map, &(tm_address){.kind = kinds[k].kind, .index = i});
    }
    if (selection->address.kind == TM_KIND_LAYER)
        put(out, map, &selection->address);
}

static void put_row_of(text *rows, const tm_map *map, const tm_address *address)
{
    if (address->kind == TM_KIND_GROUP)
        rows_of_group(rows, map, address->index, 0);
    else
        row_object(rows, map, address, 0);
}

static void put_objects(text *out, const tm_map *map, const cli_selection *selection)
{
    text rows = {0};
    if (wants(selection, TM_KIND_INFO))
        row_info(&rows, map);
    if (wants(selection, TM_KIND_SETTINGS))
        row_settings(&rows, map);
    each_object(&rows, map, selection, put_row_of);
    text_columns(out, &rows, "l");
    text_release(&rows);
}

/* "Game/Front", when it leads to the object. */
static void put_named_address(text *out, const tm_map *map, const tm_address *address, const char *name)
{
    static const char *const prefixes[] = {
        [TM_KIND_IMAGE] = "image/", [TM_KIND_SOUND] = "sound/", [TM_KIND_ENVELOPE] = "envelope/"};
    text word = {0}, shown = {0};
    tm_address found;
    if (address->kind < sizeof(prefixes) / sizeof(prefixes[0]) && prefixes[address->kind])
        text_string(&word, prefixes[address->kind]);
    if (address->kind == TM_KIND_LAYER)
        text_print(&word, "%s/", map->groups[address->index].name);
    text_string(&word, name);
    text_safe(&shown, text_words(&word));
    const bool leads = *name && word.bytes && strcmp(text_words(&shown), word.bytes) == 0 &&
                       tm_address_parse(&found, map, word.bytes, NULL) == TM_OK &&
                       found.kind == address->kind && found.index == address->index &&
                       found.layer == address->layer;
    if (leads)
        text_print(out, "\t%s", word.bytes);
    text_release(&word);
    text_release(&shown);
}

// NOLINTNEXTLINE(misc-no-recursion): of a group its layers
static void put_address(text *out, const tm_map *map, const tm_address *address)
{
    char number[64];
    tm_address_format(address, number, sizeof(number));
    text_string(out, number);
    put_named_address(out, map, address, object_name(map, address));
    text_put(out, "\n", 1);
    for (uint32_t l = 0; address->kind == TM_KIND_GROUP && l < map->groups[address->index].num_layers; l++)
        put_address(out, map, &(tm_address){TM_KIND_LAYER, address->index, l});
}

static void add_objects(json_t *object, const char *key, const tm_map *map, const cli_selection *selection,
                        tm_kind kind, uint32_t num)
{
    const raw_range range = range_of(selection, kind, num);
    if (wants(selection, kind))
        json_add_objects(object, key, map, (tm_address){.kind = kind, .index = range.first}, range.num);
}

static void put_ls_json(text *out, const char *path, const tm_map *map, const cli_selection *selection)
{
    json_t *object = json_object(JSON_TEXT("path", path));
    if (wants(selection, TM_KIND_INFO))
        json_add(object, "info", json_object_at(map, &(tm_address){.kind = TM_KIND_INFO}));
    if (wants(selection, TM_KIND_SETTINGS))
        json_add_settings(object, map);
    add_objects(object, "images", map, selection, TM_KIND_IMAGE, map->num_images);
    add_objects(object, "sounds", map, selection, TM_KIND_SOUND, map->num_sounds);
    add_objects(object, "envelopes", map, selection, TM_KIND_ENVELOPE, map->num_envelopes);
    add_objects(object, "groups", map, selection, TM_KIND_GROUP, map->num_groups);
    if (selection->address.kind == TM_KIND_LAYER)
        json_add_objects(object, "layers", map, selection->address, 1);
    text_json_line(out, object);
}

static void list_objects(cli_tool *tool, const char *path, cli_report *report)
{
    const char *word = ls_address(tool);
    cli_selection selection = {0};
    loaded file;
    load_map(&file, path, tool->common->mode);
    report_loaded(report, &file, SHOW_ERRORS);
    tm_status status = file.status;
    if (!status)
        status = address_select(&selection, word, file.map, &file.error);
    if (status)
        report_error(report, &file.error);
    else if (tool->common->json)
        put_ls_json(report->out, path, file.map, &selection);
    else if (((const ls_options *)tool->options)->addresses) {
        text_string(report->out, wants(&selection, TM_KIND_INFO) ? "info\n" : "");
        text_string(report->out, wants(&selection, TM_KIND_SETTINGS) ? "settings\n" : "");
        each_object(report->out, file.map, &selection, put_address);
    } else
        put_objects(report->out, file.map, &selection);
    loaded_release(&file);
}

static void list_file(void *ctx, cli_report *report)
{
    cli_tool *tool = ctx;
    const ls_options *options = tool->options;
    const char *path = tool->operands[report->index];
    if (ls_several(tool) && !options->common.json)
        text_line(report->out, "%s:", path_name(path));
    (options->raw || address_is_raw(ls_address(tool)) ? list_raw : list_objects)(tool, path, report);
}

int cmd_ls(cli_tool *tool)
{
    tool->common->threads = 1; /* nothing here takes long enough to be shared */
    tool->blank_lines = !tool->common->json;
    tool_each(tool, (const char *const *)tool->operands, ls_several(tool) ? (size_t)tool->num_operands : 1,
              list_file, tool);
    return STATUS_DONE;
}
