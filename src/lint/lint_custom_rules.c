/* SPDX-License-Identifier: Zlib */
/*
 * Custom rules: a pattern of `find` (teemap/query.h), and how often it must or must not fit; the size
 * of the file; or texts, of which some are allowed (lint_texts.c). What fits is reported layer by layer,
 * and objects and texts one by one. Or a function of the caller, whose reports become notes.
 */
#include "lint_config.h"

#include <inttypes.h>

/* ----------------------------------------------------------------------------------------------- reading */

/*
 * Reads how often a pattern must fit, in front of it: "1.. spawn", "0..3 tele-out", "2 flags", "spawn". But
 * "35..59" alone, or before " where", is a pattern of indices. Returns the pattern.
 */
static const char *parse_how_often(tmi_lint_custom *rule, const char *text)
{
    const char *cursor = text, *const end = text + strlen(text);
    uint32_t least = 0, last = 0;
    const bool has_least = tmi_take_index(&least, &cursor, end), range = tmi_take_word("..", &cursor);
    const bool has_last = range && tmi_take_index(&last, &cursor, end),
               counts = (has_least || range) && *cursor == ' ';
    while (*cursor == ' ')
        cursor++;
    if (!counts || !*cursor || strncmp(cursor, "where ", 6) == 0 || strncmp(cursor, "without ", 8) == 0) {
        rule->least = 1;
        rule->most = UINT64_MAX;
        return text;
    }
    rule->least = least;
    rule->most = !range ? least : has_last ? last : UINT64_MAX;
    return cursor;
}

/* Each rule checks the whole map, so a file from a stranger must not have too many. */
enum { MAX_CUSTOM_RULES = 1000 };

/* Reads the condition of a rule. The error of a wrong pattern says what is allowed. */
static tm_status parse_custom_pattern(tmi_lint_custom *rule, const tmi_lint_reader *reader,
                                      const tm_json *node)
{
    tm_error failure = {.offset = -1};
    const bool require = strcmp(node->name, "require") == 0;
    if (node->kind != TM_JSON_TEXT)
        return tmi_lint_config_fault(reader, node, "'%s' is no text in quotes", node->name);
    const char *text = require ? parse_how_often(rule, node->text) : node->text;
    if (rule->least > rule->most)
        return tmi_lint_config_fault(reader, node, "nothing is from %" PRIu64 " to %" PRIu64, rule->least,
                                     rule->most);
    if (require && strcmp(text, "bytes") == 0)
        return TM_OK;
    const tm_status status = tm_pattern_parse(&rule->pattern, text, reader->config->allocator, &failure);
    return status == TM_ERROR_USAGE ? tmi_lint_config_fault(reader, node, "%s", failure.text)
           : status                 ? tmi_fail(reader->error, status, -1, "%s", failure.text)
                                    : TM_OK;
}

/* Reads a list of texts; an empty one if the key is missing. */
static tm_status parse_text_list(const char ***out, uint32_t *num, const tmi_lint_reader *reader,
                                 const tm_json *table, const char *key)
{
    const tm_json *list = tm_json_get(table, key);
    if (!list)
        return TM_OK;
    if (list->kind != TM_JSON_ARRAY)
        return tmi_lint_config_fault(reader, list, "'%s' is no list of texts", key);
    TM_TRY(tmi_arena_reserve(out, &reader->config->arena, list->num + 1, sizeof(**out), "configuration",
                             reader->error));
    for (const tm_json *node = list->first; node; node = node->next) {
        if (node->kind != TM_JSON_TEXT)
            return tmi_lint_config_fault(reader, node, "'%s' is no list of texts", key);
        (*out)[(*num)++] = node->text;
    }
    return TM_OK;
}

/* Reads the rules before this one that it depends on, and what it asks: for a pattern, or for texts. */
static tm_status parse_custom_question(tmi_lint_custom *rule, const tmi_lint_reader *reader,
                                       const tm_json *table)
{
    const tm_json *require = tm_json_get(table, "require"), *forbid = tm_json_get(table, "forbid"),
                  *text = tm_json_get(table, "text");
    if (!require + !forbid + !text != 2)
        return tmi_lint_config_fault(reader, table, "the rule takes one of 'require', 'forbid' and 'text'");
    if (!text && tm_json_get(table, "allowed"))
        return tmi_lint_config_fault(reader, tm_json_get(table, "allowed"), "'allowed' belongs to 'text'");
    TM_TRY(parse_text_list(&rule->after, &rule->num_after, reader, table, "after"));
    for (uint32_t i = 0; i < rule->num_after; i++) {
        const tmi_lint_custom *other = reader->config->rules;
        while (other != rule && strcmp(other->row.rule.custom_id, rule->after[i]) != 0)
            other = other->next;
        if (other == rule)
            return tmi_lint_config_fault(reader, tm_json_get(table, "after"),
                                         "there is no rule '%s' of one's own before this one",
                                         rule->after[i]);
    }
    if (!text)
        return parse_custom_pattern(rule, reader, require ? require : forbid);
    TM_TRY(tmi_toml_text(&rule->text, table, "text", reader->error));
    if (!tmi_lint_is_text(rule->text))
        return tmi_lint_config_fault(reader, text,
                                     "'%s' is none of info.author, info.version, info.credits, info.license, "
                                     "images.external, images.embedded and settings/NAME",
                                     rule->text);
    TM_TRY(parse_text_list(&rule->allowed, &rule->num_allowed, reader, table, "allowed"));
    return rule->allowed ? TM_OK : tmi_lint_config_fault(reader, text, "'allowed' is missing");
}

static void judge_custom(tmi_lint *lint, uint32_t rule);

/* Reads the words of a rule, with defaults for those that are missing. */
static tm_status parse_custom_words(tmi_lint_custom *rule, const tmi_lint_reader *reader,
                                    const tm_json *table)
{
    tm_lint_rule *words = &rule->row.rule;
    const tm_json *severity = tm_json_get(table, "severity"), *asks = tm_json_get(table, "require");
    TM_TRY(tmi_toml_text(&words->title, table, "title", reader->error));
    TM_TRY(tmi_toml_text(&words->reason, table, "why", reader->error));
    TM_TRY(tmi_toml_text(&words->advice, table, "how", reader->error));
    TM_TRY(tmi_toml_text(&words->fix, table, "fix", reader->error));
    TM_TRY(tmi_lint_config_copy(&words->source, reader, reader->path));
    if (severity)
        TM_TRY(tmi_lint_parse_severity(&rule->severity, reader, severity));
    asks = asks ? asks : tm_json_get(table, rule->text ? "text" : "forbid");
    rule->titled = words->title;
    if (!words->title) {
        char title[TM_ERROR_TEXT_SIZE];
        tmi_format(title, sizeof(title), "%s %s", asks->name, asks->text);
        TM_TRY(tmi_lint_config_copy(&words->title, reader, title));
    }
    words->reason = words->reason ? words->reason : "";
    words->advice = words->advice ? words->advice : "";
    return TM_OK;
}

/* A new rule at the end of the configuration, with an id that is kept and that no other rule has. */
static tm_status add_custom_rule(tmi_lint_custom **out, const tmi_lint_reader *reader, const tm_json *node,
                                 const char *id)
{
    tm_lint_config *config = reader->config;
    const size_t size = strlen(id);
    const tm_lint_rule *known;
    tmi_lint_custom *rule;
    if (!size || size >= 64 || strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != size)
        return tmi_lint_config_fault(reader, node, "'%s' is no id: a-z, 0-9 and -, at most 63 of them", id);
    for (uint32_t n = 0; (known = tm_lint_rule_at(n)); n++)
        if (strcmp(tm_lint_rule_name(known), id) == 0)
            return tmi_lint_config_fault(reader, node, "there is a rule '%s' already", id);
    for (const tmi_lint_custom *other = config->rules; other; other = other->next)
        if (strcmp(other->row.rule.custom_id, id) == 0)
            return tmi_lint_config_fault(reader, node, "there is a rule '%s' already", id);
    if (config->num_rules == MAX_CUSTOM_RULES)
        return tmi_lint_config_fault(reader, node, "there are more than %d rules of one's own",
                                     MAX_CUSTOM_RULES);
    TM_TRY(tmi_arena_reserve(&rule, &config->arena, 1, sizeof(*rule), "configuration", reader->error));
    *out = rule;
    *rule = (tmi_lint_custom){.severity = TM_SEVERITY_WARNING};
    rule->row.rule.id = TM_FINDING_OWN_RULE;
    rule->row.rule.custom_id = id;
    rule->row.rule.sets = TM_LINT_ALL;
    *(config->last_rule ? &config->last_rule->next : &config->rules) = rule;
    config->last_rule = rule;
    config->num_rules++;
    return TM_OK;
}

tm_status tmi_lint_parse_custom(const tmi_lint_reader *reader, const tm_json *table)
{
    static const char *const keys[] = {"id",     "title", "why",  "how",     "severity", "require",
                                       "forbid", "fix",   "text", "allowed", "after",    NULL};
    const char *id;
    tmi_lint_custom *rule;
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    TM_TRY(tmi_toml_text(&id, table, "id", reader->error));
    if (!id)
        return tmi_lint_config_fault(reader, table, "the rule has no id");
    TM_TRY(add_custom_rule(&rule, reader, tm_json_get(table, "id"), id));
    rule->row.judge = judge_custom;
    TM_TRY(parse_custom_question(rule, reader, table));
    return parse_custom_words(rule, reader, table);
}

/* ------------------------------------------------------------------------------------------------ asking */

typedef struct custom_search {
    tmi_lint *lint;
    uint32_t rule;
    uint64_t num;        /* what fits */
    bool notes;          /* and is reported, not only counted */
    tmi_lint_note *note; /* of the last layer */
} custom_search;

static bool see_match(void *ctx, const tm_match *match)
{
    custom_search *search = ctx;
    const tm_address *address = &match->address;
    tmi_lint_note *note = search->note;
    const bool tiles = match->rect.width;
    search->num += match->count;
    if (!search->notes)
        return !search->lint->status;
    if (!note || !tiles || note->address.kind != address->kind || note->address.layer != address->layer ||
        note->address.index != address->index) {
        note = tmi_lint_note_add(search->lint, search->rule, *address, "%s", match->text ? match->text : "");
        search->note = note;
        tmi_lint_note_count(note, 0);
    }
    if (note)
        note->count += match->count;
    if (note && tiles)
        tmi_lint_note_rectangle(search->lint, note, &(tm_region){match->rect, match->count});
    return !search->lint->status;
}

/* False: the result is unknown, because data are damaged or the check ends. */
static bool search_map(custom_search *search, const tmi_lint_custom *custom)
{
    tmi_lint *lint = search->lint;
    tm_error error = {.offset = -1};
    const tm_status status = tm_map_find(lint->map, &custom->pattern, 1, NULL, see_match, search, &error);
    if (status == TM_ERROR_DAMAGED && !lint->unread)
        lint->unread = 1;
    if (status && status != TM_ERROR_DAMAGED) {
        if (lint->error)
            *lint->error = error;
        tmi_lint_fail(lint, status);
    }
    return !status;
}

/* Writes "title: ", or nothing if the rule has no title. */
static void put_title(tmi_line *line, const tmi_lint_custom *custom)
{
    if (custom->titled)
        tmi_line_add(line, "%s: ", custom->row.rule.title);
}

/* Writes how many matches a rule allows: "2 to 4 are asked for". */
static void put_bounds(tmi_line *line, const tmi_lint_custom *custom)
{
    tmi_line_add(line, custom->most == UINT64_MAX ? "at least %" PRIu64 : "%" PRIu64, custom->least);
    if (custom->most != UINT64_MAX && custom->most != custom->least)
        tmi_line_add(line, " to %" PRIu64, custom->most);
    tmi_line_add(line, " are asked for");
}

/* Writes into each note what fits there, and which pattern. */
static void word_notes(const custom_search *search, const tmi_lint_custom *custom)
{
    const char *pattern = tm_pattern_text(custom->pattern);
    for (tmi_lint_note *note = search->lint->rules[search->rule].notes; note; note = note->next) {
        tmi_line line = {.length = 0};
        put_title(&line, custom);
        if (note->num_places)
            tmi_line_add(&line, "%" PRIu64 " %s '%s'", note->count,
                         note->count == 1 ? "tile fits" : "tiles fit", pattern);
        else if (note->text[0])
            tmi_line_add(&line, "'%s' fits '%s'", note->text, pattern);
        else
            tmi_line_add(&line, "this fits '%s'", pattern);
        if (custom->most) {
            tmi_line_add(&line, "; of %" PRIu64 " in all ", search->num);
            put_bounds(&line, custom);
        }
        tmi_format(note->text, sizeof(note->text), "%s", line.text);
    }
}

/* Adds a note of a number that the rule does not allow. */
static void note_other_number(tmi_lint *lint, uint32_t rule, const tmi_line *finding)
{
    const tmi_lint_custom *custom = tmi_lint_custom_of(&lint->rules[rule].row->rule);
    tmi_line line = {.length = 0};
    put_title(&line, custom);
    tmi_line_add(&line, "%s; ", finding->text);
    put_bounds(&line, custom);
    tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_MAP, 0, 0}, "%s", line.text);
}

static void judge_custom(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_custom *custom = tmi_lint_custom_of(&lint->rules[rule].row->rule);
    /* a rule that this one depends on has findings, or was passed over itself */
    for (uint32_t i = 0; i < custom->num_after; i++)
        for (uint32_t n = tmi_lint_num_rows(); n < lint->num_rules; n++)
            if (strcmp(lint->rules[n].row->rule.custom_id, custom->after[i]) == 0 &&
                (lint->rules[n].num || lint->rules[n].passed_over))
                lint->rules[rule].passed_over = true;
    if (lint->rules[rule].passed_over)
        return;
    if (custom->text) {
        tmi_lint_judge_texts(lint, rule);
        return;
    }
    custom_search search = {.lint = lint, .rule = rule, .notes = !custom->most};
    const uint64_t size = lint->file_size;
    tmi_line finding = {.length = 0};
    if (!custom->pattern) {
        tmi_line_add(&finding, "the file has %" PRIu64 " bytes", size);
        if (size && (size < custom->least || size > custom->most))
            note_other_number(lint, rule, &finding);
        return;
    }
    if (!search_map(&search, custom))
        return;
    if (search.num < custom->least) {
        tmi_line_add(&finding, "'%s' fits %" PRIu64 " times", tm_pattern_text(custom->pattern), search.num);
        note_other_number(lint, rule, &finding);
        return;
    }
    if (search.num > custom->most && custom->most) {
        search.num = 0;
        search.notes = true;
        search_map(&search, custom);
    }
    word_notes(&search, custom);
}

/* --------------------------------------------------------------------------------------- rules in code */

struct tm_lint_report {
    tmi_lint *lint;
    uint32_t rule;
};

void tm_lint_report_add(tm_lint_report *report, const tm_address *address, const char *text,
                        const tm_region *places, uint32_t num_places)
{
    if (!report)
        return;
    tmi_lint *lint = report->lint;
    const tm_address place = address ? *address : (tm_address){TM_KIND_MAP, 0, 0};
    tmi_lint_note *note = tmi_lint_note_add(lint, report->rule, place, "%s", text ? text : "");
    uint64_t count = 0;
    for (uint32_t i = 0; note && places && i < num_places; i++) {
        tmi_lint_note_rectangle(lint, note, &places[i]);
        count += places[i].num;
    }
    if (count)
        note->count = count;
}

static void judge_by_code(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_custom *custom = tmi_lint_custom_of(&lint->rules[rule].row->rule);
    tm_lint_report report = {lint, rule};
    const tm_status status = custom->code(custom->code_ctx, lint->map, &report, lint->error);
    if (status == TM_ERROR_DAMAGED && !lint->unread)
        lint->unread = 1;
    else if (status && status != TM_ERROR_DAMAGED)
        tmi_lint_fail(lint, status);
}

static tm_status copy_or_none(const char **out, const tmi_lint_reader *reader, const char *text,
                              const char *fallback)
{
    *out = fallback;
    return text ? tmi_lint_config_copy(out, reader, text) : TM_OK;
}

tm_status tm_lint_config_add_rule(tm_lint_config *config, const tm_lint_rule *rule, tm_severity severity,
                                  tm_lint_judge *judge, void *ctx, tm_error *error)
{
    TM_TRY(tmi_need(config, "config", error));
    TM_TRY(tmi_need(rule, "rule", error));
    TM_TRY(tmi_need(rule->custom_id, "rule->custom_id", error));
    TM_TRY(tmi_need((const void *)(uintptr_t)judge, "judge", error));
    if ((int)severity < 0 || severity > TM_SEVERITY_ERROR)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "severity %d is not from 0 to %d", (int)severity,
                        TM_SEVERITY_ERROR);
    const tmi_lint_reader reader = {.config = config, .path = "", .error = error};
    tm_lint_rule words = {.id = TM_FINDING_OWN_RULE, .sets = TM_LINT_ALL};
    tmi_lint_custom *custom;
    TM_TRY(copy_or_none(&words.custom_id, &reader, rule->custom_id, NULL));
    TM_TRY(copy_or_none(&words.title, &reader, rule->title, words.custom_id));
    TM_TRY(copy_or_none(&words.reason, &reader, rule->reason, ""));
    TM_TRY(copy_or_none(&words.advice, &reader, rule->advice, ""));
    TM_TRY(copy_or_none(&words.fix, &reader, rule->fix, NULL));
    words.source = "";
    TM_TRY(add_custom_rule(&custom, &reader, NULL, words.custom_id));
    custom->row.rule = words;
    custom->row.judge = judge_by_code;
    custom->severity = severity ? severity : TM_SEVERITY_WARNING;
    custom->code = judge;
    custom->code_ctx = ctx;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- row */

static const tmi_lint_row custom_rows[] = {
    {TMI_LINT_RULE(OWN_RULE, TM_LINT_ALL, OBJECTS, false, "A custom rule found something.",
                   "Its configuration explains it; this id means all custom rules.", "See the rule.",
                   "docs/lint.md")},
};
TMI_LINT_FAMILY(tmi_lint_custom_rules, custom_rows);
