/* SPDX-License-Identifier: Zlib */
/*
 * Asks the rules and tells what they found: which rules are asked, in which order what happens, and how notes
 * become findings.
 */
#include "lint.h"

#include <inttypes.h>

/* Beside each listed finding. */
struct told {
    const tm_lint_rule *rule;
    size_t first; /* place */
    uint32_t num;
    char mend[TM_ERROR_TEXT_SIZE];
};

struct tm_lint_details {
    tm_allocator allocator; /* of the map */
    tm_lint_place *places;
    size_t num_places, max_places;
    struct told *told;
    const tm_lint_rule **ignored; /* rules of those that are ignored */
    size_t num_told;              /* of each as many as there are notes */
    struct unlisted {
        const tm_lint_rule *rule;
        uint64_t num;
    } * unlisted; /* of each rule */
    size_t num_rules;
};

TMI_DEFINE_INIT(tm_lint_options, TM_LINT_OPTIONS_INIT)

static bool is_asked(const tmi_lint *lint, tm_lint_cost cost)
{
    for (uint32_t n = 0; n < lint->num_rules; n++)
        if (lint->rules[n].asked && lint->rules[n].row->about.cost == cost)
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------ the run_rules */

static void read_settings(tmi_lint *lint)
{
    const tm_info *info = &lint->map->info;
    for (uint32_t i = 0; i < info->num_settings; i++) {
        tmi_setting_number found;
        size_t from = 0;
        while (info->settings[i] && tmi_setting_next(&found, info->settings[i], &from))
            if (found.number < TMI_LINT_NUMBERS)
                lint->named[found.pool][found.number] = true;
    }
}

static tm_status ask(tmi_lint *lint, tm_error *error)
{
    lint->error = error;
    read_settings(lint);
    if (is_asked(lint, TM_LINT_PHYSICS))
        tmi_lint_scan(lint);
    if (is_asked(lint, TM_LINT_DESIGN) && !lint->status)
        tmi_lint_make_survey(lint);
    for (uint32_t rule = 0; rule < lint->num_rules && !lint->status; rule++) {
        const tmi_lint_row *row = lint->rules[rule].row;
        if (lint->rules[rule].asked && row->judge && (row->about.cost != TM_LINT_PHYSICS || !lint->blind))
            row->judge(lint, rule);
    }
    if (!lint->status)
        tmi_lint_scan_again(lint);
    return lint->status;
}

/* ---------------------------------------------------------------------------------------------- telling */

/* "freeze, tele-in and 3 others" of the tiles that were marked. */
static void put_tile_names(const tmi_lint_note *note, char *buffer, size_t size)
{
    enum { MOST = 4 };
    size_t length = 0;
    uint32_t num = 0;
    buffer[0] = '\0';
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++) {
        if (!note->seen[index] || num++ >= MOST)
            continue;
        const tm_tile_rule *tile = tm_rules_tile(TM_GAME_DDNET, note->kind, (uint8_t)index);
        const char *between = num > 1 ? ", " : "";
        length += tile ? tmi_format(buffer + length, size - length, "%s%s", between, tile->id)
                       : tmi_format(buffer + length, size - length, "%s%u", between, (unsigned)index);
    }
    if (num > MOST)
        tmi_format(buffer + length, size - length, " and %u more", (unsigned)(num - MOST));
}

static void put_first_place(const tmi_lint_note *note, char *buffer, size_t size)
{
    const tm_lint_place *at = note->places;
    buffer[0] = '\0';
    if (!note->num_places)
        return;
    const char *more = note->num_places > 2 ? "s" : "";
    if (at->width == 1 && at->height == 1)
        tmi_format(buffer, size, " (at %u,%u", (unsigned)at->x, (unsigned)at->y);
    else
        tmi_format(buffer, size, " (at %u,%u+%ux%u", (unsigned)at->x, (unsigned)at->y, (unsigned)at->width,
                   (unsigned)at->height);
    const size_t length = strlen(buffer);
    if (note->num_places > 1)
        tmi_format(buffer + length, size - length, " and %u more place%s)", (unsigned)(note->num_places - 1),
                   more);
    else
        tmi_format(buffer + length, size - length, ")");
}

static void put_note_text(const tmi_lint_row *row, const tmi_lint_note *note, char *buffer, size_t size)
{
    char tiles[TM_ERROR_TEXT_SIZE] = "", place[TM_ERROR_TEXT_SIZE];
    put_first_place(note, place, sizeof(place));
    if (note->marked) {
        put_tile_names(note, tiles, sizeof(tiles));
        tmi_format(buffer, size, "%" PRIu64 " %s %s: %s%s", note->count, note->count == 1 ? "tile" : "tiles",
                   row->phrase, tiles, place);
    } else {
        tmi_format(buffer, size, "%s%s", note->text, place);
    }
}

/* From top to bottom, then from left to right. There are few of them. */
static void order_places(tm_lint_place *places, uint32_t num)
{
    for (uint32_t i = 1; i < num; i++) {
        const tm_lint_place place = places[i];
        uint32_t k = i;
        for (; k && (places[k - 1].y > place.y || (places[k - 1].y == place.y && places[k - 1].x > place.x));
             k--)
            places[k] = places[k - 1];
        places[k] = place;
    }
}

/* What a finding says, whether it is told or ignored. */
static tm_finding *tell_words(tm_findings *to, const tmi_lint *lint, uint32_t rule, tmi_lint_note *note)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    tm_finding *finding = tmi_finding_new(to, row->about.id, lint->rules[rule].severity);
    if (!finding)
        return NULL;
    order_places(note->places, note->num_places);
    finding->count = note->count;
    tm_address_format(&note->address, finding->address, sizeof(finding->address));
    tm_address_describe(&note->address, lint->map, finding->place, sizeof(finding->place));
    put_note_text(row, note, finding->text, sizeof(finding->text));
    tmi_tidy_line(finding->place);
    tmi_tidy_line(finding->text);
    return finding;
}

static void tell_note(tm_lint_result *out, const tmi_lint *lint, uint32_t rule, tmi_lint_note *note)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    struct tm_lint_details *details = out->details;
    if (tmi_lint_is_pardoned(lint, &row->about, &note->address)) {
        if (tell_words(&out->ignored, lint, rule, note))
            details->ignored[out->ignored.num - 1] = &row->about;
        return;
    }
    if (!tell_words(&out->findings, lint, rule, note))
        return;
    struct told *told = &details->told[out->findings.num - 1];
    tmi_format(told->mend, sizeof(told->mend), "%s",
               note->mend[0]                        ? note->mend
               : row->about.mend && !row->own_mends ? row->about.mend
                                                    : "");
    told->rule = &row->about;
    told->first = details->num_places;
    told->num = note->num_places;
    for (uint32_t i = 0; i < note->num_places; i++)
        details->places[details->num_places++] = note->places[i];
}

static tm_status make_details(tm_lint_result *out, const tmi_lint *lint, tm_error *error)
{
    struct tm_lint_details *details = tmi_calloc(lint->allocator, 1, sizeof(*details));
    if (!details)
        return tmi_fail_memory(error, sizeof(*details), "findings");
    out->details = details;
    if (lint->allocator)
        details->allocator = *lint->allocator;
    for (uint32_t rule = 0; rule < lint->num_rules; rule++) {
        for (const tmi_lint_note *note = lint->rules[rule].notes; note; note = note->next) {
            details->num_told++;
            details->max_places += note->num_places;
        }
    }
    details->num_rules = lint->num_rules;
    details->told = tmi_calloc(lint->allocator, details->num_told, sizeof(*details->told));
    details->ignored = tmi_calloc(lint->allocator, details->num_told, sizeof(*details->ignored));
    details->unlisted = tmi_calloc(lint->allocator, details->num_rules, sizeof(*details->unlisted));
    details->places = tmi_calloc(lint->allocator, details->max_places, sizeof(*details->places));
    if (!details->told || !details->ignored || !details->unlisted || !details->places)
        return tmi_fail_memory(error, details->num_told * sizeof(*details->told), "findings");
    return TM_OK;
}

/* All that rules keep: of one id a twentieth is listed, and own rules have one id together. */
static size_t room_for_findings(const tmi_lint *lint)
{
    enum { LEAST = 1000, PARTS = 20 };
    const size_t own = lint->num_rules - tmi_lint_num_rows() + 1, all = (size_t)lint->num_rules * lint->most;
    const size_t room = own * lint->most * PARTS > all ? own * lint->most * PARTS : all;
    return room > LEAST ? room : LEAST;
}

/* The last one that is listed of a rule counts those that are not. */
static void count_rest(tm_lint_result *out, const tmi_lint *lint, uint32_t rule, size_t first)
{
    const tmi_lint_state *state = &lint->rules[rule];
    const bool pardoned = tmi_lint_is_pardoned(lint, &state->row->about, NULL);
    tm_findings *findings = pardoned ? &out->ignored : &out->findings;
    findings->unlisted += state->unlisted;
    out->details->unlisted[rule].rule = &state->row->about;
    if (pardoned)
        return;
    out->details->unlisted[rule].num = state->unlisted;
    out->unlisted[state->severity] += state->unlisted;
    if (state->severity == TM_SEVERITY_ERROR)
        findings->errors += state->unlisted;
    if (findings->num > first)
        findings->list[findings->num - 1].count += state->unlisted;
}

static tm_status tell_all(tm_lint_result *out, const tmi_lint *lint, tm_error *error)
{
    TM_TRY(make_details(out, lint, error));
    tm_findings_init(&out->findings, room_for_findings(lint),
                     lint->allocator ? &out->details->allocator : NULL);
    tm_findings_init(&out->ignored, room_for_findings(lint),
                     lint->allocator ? &out->details->allocator : NULL);
    out->sets = lint->sets;
    out->unread = lint->unread;
    for (uint32_t rule = 0; rule < lint->num_rules; rule++) {
        const size_t before = out->findings.num;
        for (tmi_lint_note *note = lint->rules[rule].notes; note; note = note->next)
            tell_note(out, lint, rule, note);
        count_rest(out, lint, rule, before);
    }
    return TM_OK;
}

static void release(tmi_lint *lint)
{
    tmi_lint_release_layers(lint);
    tmi_lint_release_survey(lint);
    for (uint32_t rule = 0; lint->rules && rule < lint->num_rules; rule++)
        for (tmi_lint_note *note = lint->rules[rule].notes; note; note = note->next)
            tmi_free(lint->allocator, note->places, note->capacity, sizeof(*note->places));
    tmi_free(lint->allocator, lint->rules, lint->num_rules, sizeof(*lint->rules));
    tmi_arena_release(&lint->arena);
}

static tm_status run_rules(tm_lint_result *out, tmi_lint *lint, const tm_lint_options *options,
                           tm_error *error)
{
    lint->most = options->most ? options->most : TMI_LINT_NOTES;
    TM_TRY(tmi_lint_choose(lint, options, error));
    tmi_lint_read_pardons(lint);
    TM_TRY(ask(lint, error));
    return tell_all(out, lint, error);
}

tm_status tm_lint_run(tm_lint_result *out, const tm_map *map, const tm_lint_options *options, tm_error *error)
{
    tm_lint_options taken;
    TM_TRY(tmi_need(out, "out", error));
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_options_take(&taken, sizeof(taken), options, "tm_lint_options", error));
    const tm_allocator *allocator = tmi_map_allocator(map);
    tmi_lint *lint = tmi_calloc(allocator, 1, sizeof(*lint)); /* too large for some stacks */
    if (!lint)
        return tmi_fail_memory(error, sizeof(*lint), "rules");
    lint->map = map;
    lint->allocator = allocator;
    lint->read_rules = taken.rules;
    lint->rules_ctx = taken.rules_ctx;
    tmi_arena_init(&lint->arena, allocator);
    const tm_status status = run_rules(out, lint, &taken, error);
    release(lint);
    tmi_free(allocator, lint, 1, sizeof(*lint));
    if (status)
        tm_lint_result_release(out);
    return status;
}

void tm_lint_result_release(tm_lint_result *result)
{
    if (!result)
        return;
    tm_findings_release(&result->findings);
    tm_findings_release(&result->ignored);
    struct tm_lint_details *details = result->details;
    if (details) {
        tm_allocator own = details->allocator;
        const tm_allocator *allocator = own.resize ? &own : NULL;
        tmi_free(allocator, details->told, details->num_told, sizeof(*details->told));
        tmi_free(allocator, details->ignored, details->num_told, sizeof(*details->ignored));
        tmi_free(allocator, details->unlisted, details->num_rules, sizeof(*details->unlisted));
        tmi_free(allocator, details->places, details->max_places, sizeof(*details->places));
        tmi_free(allocator, details, 1, sizeof(*details));
    }
    memset(result, 0, sizeof(*result));
}

/* -------------------------------------------------------------------------------------------- questions */

const tm_lint_place *tm_lint_places(const tm_lint_result *result, size_t finding, uint32_t *num)
{
    if (num)
        *num = 0;
    if (!result || !result->details || finding >= result->findings.num)
        return NULL;
    const struct told *told = &result->details->told[finding];
    if (num)
        *num = told->num;
    return told->num ? &result->details->places[told->first] : NULL;
}

const tm_lint_rule *tm_lint_rule_for(const tm_lint_result *result, size_t finding)
{
    return result && result->details && finding < result->findings.num ? result->details->told[finding].rule
                                                                       : NULL;
}

const tm_lint_rule *tm_lint_rule_for_ignored(const tm_lint_result *result, size_t finding)
{
    return result && result->details && finding < result->ignored.num ? result->details->ignored[finding]
                                                                      : NULL;
}

uint64_t tm_lint_unlisted(const tm_lint_result *result, const tm_lint_rule *rule)
{
    uint64_t num = 0;
    for (size_t i = 0; rule && result && result->details && i < result->details->num_rules; i++)
        num += result->details->unlisted[i].rule == rule ? result->details->unlisted[i].num : 0;
    return num;
}

const char *tm_lint_mend(const tm_lint_result *result, size_t finding)
{
    return result && result->details && finding < result->findings.num ? result->details->told[finding].mend
                                                                       : "";
}
