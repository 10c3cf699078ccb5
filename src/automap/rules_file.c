/* SPDX-License-Identifier: Zlib */
/* Reads, reformats and frees files of rules, and tells the dialect of a file. */
#include "automap.h"

/* ------------------------------------------------------------------------------------------------- names */

const char *const tmi_automap_references[TM_AUTOMAP_REFERENCES + 1] = {
    "none",     "game",        "hookable",      "death",       "unhookable",    "freeze",
    "unfreeze", "deep-freeze", "deep-unfreeze", "live-freeze", "live-unfreeze", NULL,
};

const char *tm_automap_dialect_name(tm_automap_dialect dialect)
{
    static const char *const names[TM_AUTOMAP_DIALECTS] = {"ddnet", "ddnet16", "teeworlds07"};
    return (size_t)dialect < TMI_COUNT_OF(names) ? names[dialect] : NULL;
}

tm_automap_dialect tm_automap_dialect_of_file(const char *name)
{
    static const char end[] = ".json";
    const size_t size = name ? strlen(name) : 0, end_size = sizeof(end) - 1;
    size_t same = 0;
    while (size >= end_size && same < end_size && tmi_fold_case(name[size - end_size + same]) == end[same])
        same++;
    return same == end_size ? TM_AUTOMAP_TEEWORLDS07 : TM_AUTOMAP_DDNET;
}

const char *tm_automap_kind_name(tm_automap_kind kind)
{
    static const char *const names[] = {"rules", "tileset", "doodads"};
    return (size_t)kind < TMI_COUNT_OF(names) ? names[kind] : NULL;
}

/* ----------------------------------------------------------------------------------------------- reading */

/* Sets the pointers from configurations, passes and rules to their parts, which lie one after another. */
static void link_rules(tm_automap_rules *rules)
{
    tmi_rule_lists *const lists = &rules->lists;
    tm_automap_config *const configs = lists->configs.items;
    tm_automap_pass *const passes = lists->passes.items, *pass = passes;
    tm_automap_rule *const all_rules = lists->rules.items, *rule = all_rules;
    tm_automap_condition *const conditions = lists->conditions.items, *condition = conditions;
    const tm_automap_entry *entry = lists->entries.items;
    const tm_automap_modulo *modulo = lists->modulos.items;
    rules->configs = configs;
    rules->num_configs = (uint32_t)lists->configs.num;
    for (size_t i = 0; i < lists->configs.num; pass += configs[i++].num_passes)
        configs[i].passes = pass;
    for (size_t i = 0; i < lists->passes.num; rule += passes[i++].num_rules)
        passes[i].rules = rule;
    for (size_t i = 0; i < lists->rules.num;
         modulo += all_rules[i].num_modulos, condition += all_rules[i++].num_conditions) {
        all_rules[i].conditions = condition;
        all_rules[i].modulos = modulo;
    }
    for (size_t i = 0; i < lists->conditions.num; entry += conditions[i++].num_entries)
        conditions[i].entries = entry;
}

/* Reads a file into rules; `output` not NULL: writes it again, reformatted. */
static tm_status fill_rules(tmi_draft *draft, const void *bytes, size_t size,
                            const tm_automap_read_options *options, const tm_output *output)
{
    tm_automap_rules *rules = draft->rules;
    tm_error *error = draft->error;
    tm_limits limits;
    if (size)
        TM_TRY(tmi_need(bytes, "bytes", error));
    TM_TRY(tmi_limits_take(&limits, options->limits, error));
    if ((unsigned)options->dialect >= TM_AUTOMAP_DIALECTS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no dialect %u of rules",
                        (unsigned)options->dialect);
    if (size > limits.file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file has more than %llu bytes",
                        (unsigned long long)limits.file_bytes);
    rules->dialect = options->dialect;
    draft->max_bytes = limits.item_bytes;
    if (rules->dialect == TM_AUTOMAP_TEEWORLDS07 && output)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "rules of Teeworlds 0.7 are JSON, not lines");
    TM_TRY(rules->dialect == TM_AUTOMAP_TEEWORLDS07 ? tmi_read_json_rules(draft, bytes, size)
                                                    : tmi_read_rules(draft, bytes, size, output));
    TM_TRY(tmi_draft_end_rule(draft));
    link_rules(rules);
    return TM_OK;
}

static tm_status read_rules_file(tm_automap_rules **out, tmi_draft draft, const void *bytes, size_t size,
                                 const tm_automap_read_options *options, const tm_output *output)
{
    tm_automap_read_options effective;
    tm_automap_rules *rules;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_automap_read_options", draft.error));
    TM_TRY(tmi_reserve_zeroed(&rules, effective.allocator, 1, sizeof(*rules), "rules of an automapper",
                              draft.error));
    rules->allocator = effective.allocator;
    tmi_arena_init(&rules->texts, effective.allocator);
    rules->lists = (tmi_rule_lists){.configs.size = sizeof(tm_automap_config),
                                    .passes.size = sizeof(tm_automap_pass),
                                    .rules.size = sizeof(tm_automap_rule),
                                    .conditions.size = sizeof(tm_automap_condition),
                                    .entries.size = sizeof(tm_automap_entry),
                                    .modulos.size = sizeof(tm_automap_modulo)};
    draft.rules = rules;
    draft.lists = &rules->lists;
    const tm_status status = fill_rules(&draft, bytes, size, &effective, output);
    if (status || output)
        tm_automap_free(rules);
    else
        *out = rules;
    return status;
}

tm_status tm_automap_read(tm_automap_rules **out, const void *bytes, size_t size,
                          const tm_automap_read_options *options, tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    return read_rules_file(out, (tmi_draft){.findings = findings, .error = error}, bytes, size, options,
                           NULL);
}

tm_status tm_automap_format(const tm_output *output, const void *bytes, size_t size,
                            const tm_automap_read_options *options, tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(output, "output", error));
    return read_rules_file(NULL, (tmi_draft){.findings = findings, .error = error}, bytes, size, options,
                           output);
}

void tm_automap_free(tm_automap_rules *rules)
{
    if (!rules)
        return;
    const tmi_list *const lists[] = {&rules->lists.configs,    &rules->lists.passes,  &rules->lists.rules,
                                     &rules->lists.conditions, &rules->lists.entries, &rules->lists.modulos};
    for (size_t i = 0; i < TMI_COUNT_OF(lists); i++)
        tmi_free(rules->allocator, lists[i]->items, lists[i]->capacity, lists[i]->size);
    tmi_arena_release(&rules->texts);
    tmi_free(rules->allocator, rules, 1, sizeof(*rules));
}

/* ------------------------------------------------------------------------------------------------ asking */

tm_automap_dialect tm_automap_rules_dialect(const tm_automap_rules *rules)
{
    return rules ? rules->dialect : TM_AUTOMAP_DDNET;
}

const tm_automap_config *tm_automap_configs(uint32_t *num, const tm_automap_rules *rules)
{
    if (num)
        *num = rules ? rules->num_configs : 0;
    return rules ? rules->configs : NULL;
}

static int32_t find_named(const tm_automap_rules *rules, const char *text, bool exact)
{
    for (uint32_t i = 0; i < rules->num_configs; i++) {
        const char *name = rules->configs[i].name, *cursor = text;
        for (; *name && (exact ? *name == *cursor : tmi_fold_case(*name) == tmi_fold_case(*cursor)); name++)
            cursor++;
        if (*name == *cursor)
            return (int32_t)i;
    }
    return TM_NONE;
}

const tm_automap_config *tm_automap_find_config(int32_t *number, const tm_automap_rules *rules,
                                                const char *text)
{
    int32_t found = TM_NONE;
    uint32_t written;
    if (rules && text) {
        found = find_named(rules, text, true);
        if (found == TM_NONE)
            found = find_named(rules, text, false);
        if (found == TM_NONE && tmi_take_digits(&written, &text) && !*text && written < rules->num_configs)
            found = (int32_t)written;
    }
    if (number)
        *number = found;
    return found == TM_NONE ? NULL : &rules->configs[found];
}

bool tm_automap_finding_line(uint32_t *line, uint32_t *column, const tm_finding *finding)
{
    uint32_t own_line = 0, own_column = 0;
    const char *cursor = finding ? finding->address : "", *const end = cursor + strlen(cursor);
    const bool found = tmi_take_index(&own_line, &cursor, end) && tmi_take_word(":", &cursor) &&
                       tmi_take_index(&own_column, &cursor, end);
    if (line)
        *line = found ? own_line : 0;
    if (column)
        *column = found ? own_column : 0;
    return found;
}
