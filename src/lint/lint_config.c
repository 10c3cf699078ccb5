/* SPDX-License-Identifier: Zlib */
/*
 * Reads configurations. A table of keys says what each may hold; an unknown key, rule or set is an error that
 * names the line and the nearest spelling.
 */
#include "lint_config.h"

#include <inttypes.h>

/* ------------------------------------------------------------------------------------------------- faults */

tm_status tmi_lint_config_fault(const tmi_lint_reader *reader, const tm_json *node, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    if (!node) /* a rule in code */
        return tmi_fail(reader->error, TM_ERROR_USAGE, -1, "%s", text);
    return tmi_fail(reader->error, TM_ERROR_USAGE, -1, "line %" PRIu32 ": %s", node->line, text);
}

/* ------------------------------------------------------------------------------------------------- values */

tm_status tmi_lint_config_copy(const char **out, const tmi_lint_reader *reader, const char *text)
{
    return tmi_arena_text(out, &reader->config->arena, text, strlen(text), "configuration", reader->error);
}

tm_status tmi_lint_parse_severity(tm_severity *out, const tmi_lint_reader *reader, const tm_json *node)
{
    for (int severity = TM_SEVERITY_NOTE; severity <= TM_SEVERITY_ERROR; severity++) {
        *out = (tm_severity)severity;
        if (node->kind == TM_JSON_TEXT && strcmp(node->text, tm_severity_name(*out)) == 0)
            return TM_OK;
    }
    return tmi_lint_config_fault(reader, node, "'%s' is not \"error\", \"warning\" or \"note\"",
                                 node->text ? node->text : node->name);
}

/* ----------------------------------------------------------------------------------------------- choices */

/* Adds a choice for the rules whose ids fit the pattern. */
static tm_status add_choice(const tmi_lint_reader *reader, tmi_lint_scope *scope, const tm_json *node,
                            const char *pattern, tm_lint_choice choice)
{
    char hint[128];
    const tm_lint_rule *rule;
    tm_suggestion nearest;
    bool fits = tmi_lint_match(pattern, 0) != UINT32_MAX;
    for (const tmi_lint_custom *custom = reader->config->rules; custom && !fits; custom = custom->next)
        fits = tm_lint_rule_fits(&custom->row.rule, pattern);
    if (fits) {
        choice.name = pattern;
        scope->choices[scope->num_choices++] = choice;
        return TM_OK;
    }
    tm_suggestion_begin(&nearest, pattern);
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++)
        tm_suggestion_try(&nearest, tm_lint_rule_name(rule));
    for (const tmi_lint_custom *custom = reader->config->rules; custom; custom = custom->next)
        tm_suggestion_try(&nearest, tm_lint_rule_name(&custom->row.rule));
    tm_suggestion_format(&nearest, hint, sizeof(hint));
    return tmi_lint_config_fault(reader, node, "no rule fits '%s'%s", pattern, hint);
}

static tm_status parse_select(const tmi_lint_reader *reader, tmi_lint_scope *scope, const tm_json *node)
{
    return add_choice(reader, scope, node, node->text, (tm_lint_choice){.on = true});
}

static tm_status parse_ignore(const tmi_lint_reader *reader, tmi_lint_scope *scope, const tm_json *node)
{
    return add_choice(reader, scope, node, node->text, (tm_lint_choice){.off = true});
}

static tm_status parse_rule_set(const tmi_lint_reader *reader, tmi_lint_scope *scope, const tm_json *node)
{
    char hint[128];
    uint32_t set;
    if (tm_lint_sets_from_text(&set, node->text)) {
        scope->sets |= set;
        return TM_OK;
    }
    tm_suggestion nearest;
    tm_suggestion_begin(&nearest, node->text);
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        tm_suggestion_try(&nearest, tm_lint_set_name((uint32_t)1 << bit));
    tm_suggestion_format(&nearest, hint, sizeof(hint));
    return tmi_lint_config_fault(reader, node, "there is no set of rules '%s'%s", node->text, hint);
}

static tm_status parse_glob(const tmi_lint_reader *reader, tmi_lint_scope *scope, const tm_json *node)
{
    const size_t size = strlen(node->text);
    char *glob;
    TM_TRY(tmi_arena_reserve(&glob, &reader->config->arena, size + 3, 1, "configuration", reader->error));
    memcpy(glob, node->text, size + 1);
    if (size && glob[size - 1] == '/') /* a folder with all files in it */
        memcpy(glob + size, "**", 3);
    scope->globs[scope->num_globs++] = glob;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- scopes */

static uint32_t num_of(const tm_json *node)
{
    return !node ? 0 : node->kind == TM_JSON_ARRAY || node->kind == TM_JSON_OBJECT ? node->num : 1;
}

static tm_status make_scope(tmi_lint_scope **out, const tmi_lint_reader *reader, const tm_json *table)
{
    tm_lint_config *config = reader->config;
    const uint32_t num = num_of(tm_json_get(table, "select")) + num_of(tm_json_get(table, "ignore")) +
                         num_of(tm_json_get(table, "severity")) + 1;
    const uint32_t num_globs = num_of(tm_json_get(table, "match"));
    tmi_lint_scope *scope;
    TM_TRY(tmi_arena_reserve(&scope, &config->arena, 1, sizeof(*scope), "configuration", reader->error));
    *out = scope;
    *scope = (tmi_lint_scope){.folder = reader->folder};
    TM_TRY(tmi_arena_reserve(&scope->choices, &config->arena, num, sizeof(*scope->choices), "configuration",
                             reader->error));
    TM_TRY(tmi_arena_reserve(&scope->globs, &config->arena, num_globs + 1, sizeof(*scope->globs),
                             "configuration", reader->error));
    *(config->last_scope ? &config->last_scope->next : &config->scopes) = scope;
    config->last_scope = scope;
    return TM_OK;
}

/* The keys that [lint] and [[lint.maps]] have in common. Select runs the rules that it names and no other. */
static tm_status parse_scope(const tmi_lint_reader *reader, const tm_json *table)
{
    static const struct {
        const char *key;
        tm_status (*parse)(const tmi_lint_reader *reader, tmi_lint_scope *scope, const tm_json *text);
    } keys[] = {
        {"match", parse_glob}, {"rules", parse_rule_set}, {"select", parse_select}, {"ignore", parse_ignore}};
    tmi_lint_scope *scope;
    TM_TRY(make_scope(&scope, reader, table));
    for (size_t i = 0; i < TMI_COUNT_OF(keys); i++) {
        const tm_json *node = tm_json_get(table, keys[i].key);
        if (node && keys[i].parse == parse_select)
            scope->choices[scope->num_choices++] = (tm_lint_choice){.off = true};
        if (node && node->kind == TM_JSON_TEXT)
            TM_TRY(keys[i].parse(reader, scope, node));
        else if (node && node->kind != TM_JSON_ARRAY)
            return tmi_lint_config_fault(reader, node, "'%s' is no text and no list of texts", node->name);
        for (const tm_json *text = node ? node->first : NULL; text; text = text->next) {
            if (text->kind != TM_JSON_TEXT)
                return tmi_lint_config_fault(reader, text, "'%s' holds something that is no text in quotes",
                                             node->name);
            TM_TRY(keys[i].parse(reader, scope, text));
        }
    }
    const tm_json *severities = tm_json_get(table, "severity");
    if (severities && severities->kind != TM_JSON_OBJECT)
        return tmi_lint_config_fault(reader, severities, "'severity' is no table: [lint.severity]");
    for (const tm_json *node = severities ? severities->first : NULL; node; node = node->next) {
        tm_lint_choice choice = {.id = TM_FINDING_NONE};
        TM_TRY(tmi_lint_parse_severity(&choice.severity, reader, node));
        TM_TRY(add_choice(reader, scope, node, node->name, choice));
    }
    return TM_OK;
}

/* Reads each table of a list of tables. */
static tm_status parse_tables(const tmi_lint_reader *reader, const tm_json *lint, const char *key,
                              tm_status (*parse)(const tmi_lint_reader *reader, const tm_json *table))
{
    const tm_json *list = tm_json_get(lint, key);
    if (list && list->kind != TM_JSON_ARRAY)
        return tmi_lint_config_fault(reader, list, "'%s' is a list of tables: [[lint.%s]]", key, key);
    for (const tm_json *table = list ? list->first : NULL; table; table = table->next) {
        if (table->kind != TM_JSON_OBJECT)
            return tmi_lint_config_fault(reader, table, "'%s' is a list of tables: [[lint.%s]]", key, key);
        TM_TRY(parse(reader, table));
    }
    return TM_OK;
}

static tm_status parse_maps(const tmi_lint_reader *reader, const tm_json *table)
{
    static const char *const keys[] = {"match", "rules", "select", "ignore", "severity", NULL};
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    if (!num_of(tm_json_get(table, "match")))
        return tmi_lint_config_fault(reader, table, "which maps are meant? 'match' is missing");
    return parse_scope(reader, table);
}

/* ----------------------------------------------------------------------------------------------- objects */

tm_status tm_lint_config_new(tm_lint_config **out, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    TM_TRY(tmi_reserve_zeroed(out, allocator, 1, sizeof(**out), "configuration", error));
    if (allocator) {
        (*out)->memory = *allocator;
        (*out)->allocator = &(*out)->memory;
    }
    tmi_arena_init(&(*out)->arena, (*out)->allocator);
    return TM_OK;
}

/* Frees the patterns of an own rule and of those behind it; the rules stand in the arena. */
static void free_patterns(tmi_lint_custom *rule)
{
    for (; rule; rule = rule->next)
        tm_pattern_free(rule->pattern);
}

void tm_lint_config_free(tm_lint_config *config)
{
    if (!config)
        return;
    const tm_allocator memory = config->memory;
    const bool owned = config->allocator;
    free_patterns(config->rules);
    tmi_arena_release(&config->arena);
    tmi_free(owned ? &memory : NULL, config, 1, sizeof(*config));
}

static tm_status parse_config_text(tmi_lint_reader *reader, const char *text, size_t size)
{
    static const char *const tools[] = {"lint", NULL};
    static const char *const keys[] = {"rules", "select", "ignore", "severity", "maps", "rule", NULL};
    tm_json *root;
    const char *slash = strrchr(reader->path, '/');
    TM_TRY(tmi_arena_text(&reader->folder, &reader->config->arena, reader->path,
                          slash ? (size_t)(slash + 1 - reader->path) : 0, "configuration", reader->error));
    TM_TRY(tmi_toml_read(&root, &reader->config->arena, text, size, reader->error));
    const tm_json *lint = tm_json_get(root, "lint");
    TM_TRY(tmi_toml_check_keys(root, tools, reader->error));
    if (!lint)
        return TM_OK;
    if (lint->kind != TM_JSON_OBJECT)
        return tmi_lint_config_fault(reader, lint, "'lint' is a table: [lint]");
    TM_TRY(tmi_toml_check_keys(lint, keys, reader->error));
    TM_TRY(parse_tables(reader, lint, "rule", tmi_lint_parse_custom));
    TM_TRY(parse_scope(reader, lint));
    return parse_tables(reader, lint, "maps", parse_maps);
}

tm_status tm_lint_config_add(tm_lint_config *config, const char *path, const char *text, size_t size,
                             tm_error *error)
{
    enum { MOST = 1 << 20 }; /* bytes: more is no configuration */
    TM_TRY(tmi_need(config, "config", error));
    TM_TRY(tmi_need(path, "path", error));
    TM_TRY(tmi_need(text, "text", error));
    if (size > MOST)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a configuration has %d bytes at most", MOST);
    tmi_lint_scope *const last_scope = config->last_scope;
    tmi_lint_custom *const last_rule = config->last_rule;
    const uint32_t num_rules = config->num_rules;
    tmi_lint_reader reader = {.config = config, .path = path, .error = error};
    const tm_status status = parse_config_text(&reader, text, size);
    if (status) {
        tmi_error_about(error, TM_SIDE_INPUT, path);
        *(last_scope ? &last_scope->next : &config->scopes) = NULL;
        config->last_scope = last_scope;
        free_patterns(last_rule ? last_rule->next : config->rules);
        *(last_rule ? &last_rule->next : &config->rules) = NULL;
        config->last_rule = last_rule;
        config->num_rules = num_rules;
    }
    return status;
}

const tm_lint_rule *tm_lint_config_rule(const tm_lint_config *config, uint32_t n)
{
    const tmi_lint_custom *rule = config ? config->rules : NULL;
    for (; rule && n; n--)
        rule = rule->next;
    return rule ? &rule->row.rule : NULL;
}
