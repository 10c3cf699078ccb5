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
static const char *read_how_often(tmi_lint_own *rule, const char *text)
{
    const char *at = text, *const end = text + strlen(text);
    uint32_t least = 0, last = 0;
    const bool has_least = tmi_take_index(&least, &at, end), range = tmi_take_word("..", &at);
    const bool has_last = range && tmi_take_index(&last, &at, end),
               counts = (has_least || range) && *at == ' ';
    while (*at == ' ')
        at++;
    if (!counts || !*at || strncmp(at, "where ", 6) == 0 || strncmp(at, "without ", 8) == 0) {
        rule->least = 1;
        rule->most = UINT64_MAX;
        return text;
    }
    rule->least = least;
    rule->most = !range ? least : has_last ? last : UINT64_MAX;
    return at;
}

/* Each rule checks the whole map, so a file from a stranger must not have too many. */
enum { MAX_OWN = 1000 };

/* Reads the condition of a rule. The error of a wrong pattern says what is allowed. */
static tm_status read_own_pattern(tmi_lint_own *rule, const tmi_lint_reading *at, const tm_json *node)
{
    tm_error own = {.offset = -1};
    const bool require = strcmp(node->name, "require") == 0;
    if (node->kind != TM_JSON_TEXT)
        return tmi_lint_config_fault(at, node, "'%s' is no text in quotes", node->name);
    const char *text = require ? read_how_often(rule, node->text) : node->text;
    if (rule->least > rule->most)
        return tmi_lint_config_fault(at, node, "nothing is from %" PRIu64 " to %" PRIu64, rule->least,
                                     rule->most);
    if (require && strcmp(text, "bytes") == 0)
        return TM_OK;
    const tm_status status = tm_pattern_parse(&rule->pattern, text, at->config->allocator, &own);
    return status == TM_ERROR_USAGE ? tmi_lint_config_fault(at, node, "%s", own.text)
           : status                 ? tmi_fail(at->error, status, -1, "%s", own.text)
                                    : TM_OK;
}

/* Reads a list of texts; an empty one if the key is missing. */
static tm_status read_own_list(const char ***out, uint32_t *num, const tmi_lint_reading *at,
                               const tm_json *table, const char *key)
{
    const tm_json *list = tm_json_get(table, key);
    if (!list)
        return TM_OK;
    if (list->kind != TM_JSON_ARRAY)
        return tmi_lint_config_fault(at, list, "'%s' is no list of texts", key);
    TM_TRY(
        tmi_arena_reserve(out, &at->config->arena, list->num + 1, sizeof(**out), "configuration", at->error));
    for (const tm_json *node = list->first; node; node = node->next) {
        if (node->kind != TM_JSON_TEXT)
            return tmi_lint_config_fault(at, node, "'%s' is no list of texts", key);
        (*out)[(*num)++] = node->text;
    }
    return TM_OK;
}

/* Reads the rules before this one that it depends on, and what it asks: for a pattern, or for texts. */
static tm_status read_own_question(tmi_lint_own *rule, const tmi_lint_reading *at, const tm_json *table)
{
    const tm_json *require = tm_json_get(table, "require"), *forbid = tm_json_get(table, "forbid"),
                  *text = tm_json_get(table, "text");
    if (!require + !forbid + !text != 2)
        return tmi_lint_config_fault(at, table, "the rule takes one of 'require', 'forbid' and 'text'");
    if (!text && tm_json_get(table, "allowed"))
        return tmi_lint_config_fault(at, tm_json_get(table, "allowed"), "'allowed' belongs to 'text'");
    TM_TRY(read_own_list(&rule->after, &rule->num_after, at, table, "after"));
    for (uint32_t i = 0; i < rule->num_after; i++) {
        const tmi_lint_own *other = at->config->rules;
        while (other != rule && strcmp(other->row.about.own, rule->after[i]) != 0)
            other = other->next;
        if (other == rule)
            return tmi_lint_config_fault(at, tm_json_get(table, "after"),
                                         "there is no rule '%s' of one's own before this one",
                                         rule->after[i]);
    }
    if (!text)
        return read_own_pattern(rule, at, require ? require : forbid);
    TM_TRY(tmi_toml_text(&rule->text, table, "text", at->error));
    if (!tmi_lint_is_text(rule->text))
        return tmi_lint_config_fault(at, text,
                                     "'%s' is none of info.author, info.version, info.credits, info.license, "
                                     "images.external, images.embedded and settings/NAME",
                                     rule->text);
    TM_TRY(read_own_list(&rule->allowed, &rule->num_allowed, at, table, "allowed"));
    return rule->allowed ? TM_OK : tmi_lint_config_fault(at, text, "'allowed' is missing");
}

static void judge_own(tmi_lint *lint, uint32_t rule);

/* Reads the words of a rule, with defaults for those that are missing. */
static tm_status read_own_words(tmi_lint_own *rule, const tmi_lint_reading *at, const tm_json *table)
{
    tm_lint_rule *about = &rule->row.about;
    const tm_json *severity = tm_json_get(table, "severity"), *asks = tm_json_get(table, "require");
    TM_TRY(tmi_toml_text(&about->title, table, "title", at->error));
    TM_TRY(tmi_toml_text(&about->why, table, "why", at->error));
    TM_TRY(tmi_toml_text(&about->how, table, "how", at->error));
    TM_TRY(tmi_toml_text(&about->fix, table, "fix", at->error));
    TM_TRY(tmi_lint_config_copy(&about->source, at, at->path));
    if (severity)
        TM_TRY(tmi_lint_config_severity(&rule->severity, at, severity));
    asks = asks ? asks : tm_json_get(table, rule->text ? "text" : "forbid");
    rule->titled = about->title;
    if (!about->title) {
        char title[TM_ERROR_TEXT_SIZE];
        tmi_format(title, sizeof(title), "%s %s", asks->name, asks->text);
        TM_TRY(tmi_lint_config_copy(&about->title, at, title));
    }
    about->why = about->why ? about->why : "";
    about->how = about->how ? about->how : "";
    return TM_OK;
}

/* A new rule at the end of the configuration, with an id that is kept and that no other rule has. */
static tm_status add_own_rule(tmi_lint_own **out, const tmi_lint_reading *at, const tm_json *node,
                              const char *id)
{
    tm_lint_config *config = at->config;
    const size_t size = strlen(id);
    const tm_lint_rule *known;
    tmi_lint_own *rule;
    if (!size || size >= 64 || strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != size)
        return tmi_lint_config_fault(at, node, "'%s' is no id: a-z, 0-9 and -, at most 63 of them", id);
    for (uint32_t n = 0; (known = tm_lint_rule_at(n)); n++)
        if (strcmp(tm_lint_rule_name(known), id) == 0)
            return tmi_lint_config_fault(at, node, "there is a rule '%s' already", id);
    for (const tmi_lint_own *other = config->rules; other; other = other->next)
        if (strcmp(other->row.about.own, id) == 0)
            return tmi_lint_config_fault(at, node, "there is a rule '%s' already", id);
    if (config->num_rules == MAX_OWN)
        return tmi_lint_config_fault(at, node, "there are more than %d rules of one's own", MAX_OWN);
    TM_TRY(tmi_arena_reserve(&rule, &config->arena, 1, sizeof(*rule), "configuration", at->error));
    *out = rule;
    *rule = (tmi_lint_own){.severity = TM_SEVERITY_WARNING};
    rule->row.about.id = TM_FINDING_OWN_RULE;
    rule->row.about.own = id;
    rule->row.about.sets = TM_LINT_ALL;
    *(config->last_rule ? &config->last_rule->next : &config->rules) = rule;
    config->last_rule = rule;
    config->num_rules++;
    return TM_OK;
}

tm_status tmi_lint_own_read(const tmi_lint_reading *at, const tm_json *table)
{
    static const char *const keys[] = {"id",     "title", "why",  "how",     "severity", "require",
                                       "forbid", "fix",   "text", "allowed", "after",    NULL};
    const char *id;
    tmi_lint_own *rule;
    TM_TRY(tmi_toml_check_keys(table, keys, at->error));
    TM_TRY(tmi_toml_text(&id, table, "id", at->error));
    if (!id)
        return tmi_lint_config_fault(at, table, "the rule has no id");
    TM_TRY(add_own_rule(&rule, at, tm_json_get(table, "id"), id));
    rule->row.judge = judge_own;
    TM_TRY(read_own_question(rule, at, table));
    return read_own_words(rule, at, table);
}

/* ------------------------------------------------------------------------------------------------ asking */

typedef struct own_search {
    tmi_lint *lint;
    uint32_t rule;
    uint64_t num;        /* what fits */
    bool notes;          /* and is reported, not only counted */
    tmi_lint_note *note; /* of the last layer */
} own_search;

static bool see_match(void *ctx, const tm_match *match)
{
    own_search *search = ctx;
    const tm_address *at = &match->address;
    tmi_lint_note *note = search->note;
    const bool tiles = match->rect.width;
    search->num += match->count;
    if (!search->notes)
        return !search->lint->status;
    if (!note || !tiles || note->address.kind != at->kind || note->address.layer != at->layer ||
        note->address.index != at->index) {
        note = tmi_lint_note_add(search->lint, search->rule, *at, "%s", match->text ? match->text : "");
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
static bool search_map(own_search *search, const tmi_lint_own *own)
{
    tmi_lint *lint = search->lint;
    tm_error error = {.offset = -1};
    const tm_status status = tm_map_find(lint->map, &own->pattern, 1, NULL, see_match, search, &error);
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
static void put_title(tmi_line *line, const tmi_lint_own *own)
{
    if (own->titled)
        tmi_line_add(line, "%s: ", own->row.about.title);
}

/* Writes how many matches a rule allows: "2 to 4 are asked for". */
static void put_bounds(tmi_line *line, const tmi_lint_own *own)
{
    tmi_line_add(line, own->most == UINT64_MAX ? "at least %" PRIu64 : "%" PRIu64, own->least);
    if (own->most != UINT64_MAX && own->most != own->least)
        tmi_line_add(line, " to %" PRIu64, own->most);
    tmi_line_add(line, " are asked for");
}

/* Writes into each note what fits there, and which pattern. */
static void word_notes(const own_search *search, const tmi_lint_own *own)
{
    const char *pattern = tm_pattern_text(own->pattern);
    for (tmi_lint_note *note = search->lint->rules[search->rule].notes; note; note = note->next) {
        tmi_line line = {.length = 0};
        put_title(&line, own);
        if (note->num_places)
            tmi_line_add(&line, "%" PRIu64 " %s '%s'", note->count,
                         note->count == 1 ? "tile fits" : "tiles fit", pattern);
        else if (note->text[0])
            tmi_line_add(&line, "'%s' fits '%s'", note->text, pattern);
        else
            tmi_line_add(&line, "this fits '%s'", pattern);
        if (own->most) {
            tmi_line_add(&line, "; of %" PRIu64 " in all ", search->num);
            put_bounds(&line, own);
        }
        tmi_format(note->text, sizeof(note->text), "%s", line.text);
    }
}

/* Adds a note of a number that the rule does not allow. */
static void note_other_number(tmi_lint *lint, uint32_t rule, const tmi_line *what)
{
    const tmi_lint_own *own = tmi_lint_own_of(&lint->rules[rule].row->about);
    tmi_line line = {.length = 0};
    put_title(&line, own);
    tmi_line_add(&line, "%s; ", what->text);
    put_bounds(&line, own);
    tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_MAP, 0, 0}, "%s", line.text);
}

static void judge_own(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_own *own = tmi_lint_own_of(&lint->rules[rule].row->about);
    /* a rule that this one depends on has findings, or was passed over itself */
    for (uint32_t i = 0; i < own->num_after; i++)
        for (uint32_t n = tmi_lint_num_rows(); n < lint->num_rules; n++)
            if (strcmp(lint->rules[n].row->about.own, own->after[i]) == 0 &&
                (lint->rules[n].num || lint->rules[n].passed_over))
                lint->rules[rule].passed_over = true;
    if (lint->rules[rule].passed_over)
        return;
    if (own->text) {
        tmi_lint_judge_texts(lint, rule);
        return;
    }
    own_search search = {.lint = lint, .rule = rule, .notes = !own->most};
    const uint64_t size = lint->file_size;
    tmi_line what = {.length = 0};
    if (!own->pattern) {
        tmi_line_add(&what, "the file has %" PRIu64 " bytes", size);
        if (size && (size < own->least || size > own->most))
            note_other_number(lint, rule, &what);
        return;
    }
    if (!search_map(&search, own))
        return;
    if (search.num < own->least) {
        tmi_line_add(&what, "'%s' fits %" PRIu64 " times", tm_pattern_text(own->pattern), search.num);
        note_other_number(lint, rule, &what);
        return;
    }
    if (search.num > own->most && own->most) {
        search.num = 0;
        search.notes = true;
        search_map(&search, own);
    }
    word_notes(&search, own);
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
    const tm_address at = address ? *address : (tm_address){TM_ADDRESS_MAP, 0, 0};
    tmi_lint_note *note = tmi_lint_note_add(lint, report->rule, at, "%s", text ? text : "");
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
    const tmi_lint_own *own = tmi_lint_own_of(&lint->rules[rule].row->about);
    tm_lint_report report = {lint, rule};
    const tm_status status = own->code(own->code_ctx, lint->map, &report, lint->error);
    if (status == TM_ERROR_DAMAGED && !lint->unread)
        lint->unread = 1;
    else if (status && status != TM_ERROR_DAMAGED)
        tmi_lint_fail(lint, status);
}

static tm_status copy_or_none(const char **out, const tmi_lint_reading *at, const char *text,
                              const char *none)
{
    *out = none;
    return text ? tmi_lint_config_copy(out, at, text) : TM_OK;
}

tm_status tm_lint_config_add_rule(tm_lint_config *config, const tm_lint_rule *rule, tm_severity severity,
                                  tm_lint_judge *judge, void *ctx, tm_error *error)
{
    TM_TRY(tmi_need(config, "config", error));
    TM_TRY(tmi_need(rule, "rule", error));
    TM_TRY(tmi_need(rule->own, "rule->own", error));
    TM_TRY(tmi_need((const void *)(uintptr_t)judge, "judge", error));
    if ((int)severity < 0 || severity > TM_SEVERITY_ERROR)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "severity %d is not from 0 to %d", (int)severity,
                        TM_SEVERITY_ERROR);
    const tmi_lint_reading at = {.config = config, .path = "", .error = error};
    tm_lint_rule words = {.id = TM_FINDING_OWN_RULE, .sets = TM_LINT_ALL};
    tmi_lint_own *own;
    TM_TRY(copy_or_none(&words.own, &at, rule->own, NULL));
    TM_TRY(copy_or_none(&words.title, &at, rule->title, words.own));
    TM_TRY(copy_or_none(&words.why, &at, rule->why, ""));
    TM_TRY(copy_or_none(&words.how, &at, rule->how, ""));
    TM_TRY(copy_or_none(&words.fix, &at, rule->fix, NULL));
    words.source = "";
    TM_TRY(add_own_rule(&own, &at, NULL, words.own));
    own->row.about = words;
    own->row.judge = judge_by_code;
    own->severity = severity ? severity : TM_SEVERITY_WARNING;
    own->code = judge;
    own->code_ctx = ctx;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- row */

static const tmi_lint_row own_rows[] = {
    {TMI_LINT_RULE(OWN_RULE, TM_LINT_ALL, OBJECTS, false, "A custom rule found something.",
                   "Its configuration explains it; this id means all custom rules.", "See the rule.",
                   "docs/lint.md")},
};
TMI_LINT_FAMILY(tmi_lint_own_rules, own_rows);
