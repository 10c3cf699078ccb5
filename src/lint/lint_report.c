/* SPDX-License-Identifier: Zlib */
/* Makes findings of notes: their texts and places, and one finding for many notes of one kind. */
#include "lint.h"

#include <inttypes.h>

/* What a result knows of a finding besides its words. */
struct reported {
    const tm_lint_rule *rule;
    const tmi_lint_note *note; /* NULL: the finding is of several objects */
    const tm_address *objects; /* of a finding of several */
    uint32_t num_objects;
    const char *fix;
};

struct tm_lint_details {
    tm_allocator allocator;              /* of the map */
    tmi_arena arena;                     /* of the notes and all lists */
    struct reported *reported, *ignored; /* of each finding of both lists */
    tm_address *objects;
    size_t num_objects;
    struct unlisted {
        const tm_lint_rule *rule;
        uint64_t num;
    } * unlisted; /* of each rule */
    size_t num_rules;
};

/* -------------------------------------------------------------------------------------------- reporting */

/* "freeze, tele-in and 3 more" of the tiles that were marked. */
static void put_tile_names(tmi_line *line, const tmi_lint_note *note)
{
    enum { MOST = 4 };
    uint32_t num = 0;
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++) {
        if (!note->seen[index] || num++ >= MOST)
            continue;
        const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, note->kind, (uint8_t)index);
        tmi_line_add(line, num > 1 ? ", " : "");
        if (tile)
            tmi_line_add(line, "%s", tile->id);
        else
            tmi_line_add(line, "%u", (unsigned)index);
    }
    if (num > MOST)
        tmi_line_add(line, " and %u more", (unsigned)(num - MOST));
}

/* Sorts from top to bottom, then from left to right; there are few places. */
static void order_places(tm_region *places, uint32_t num)
{
    for (uint32_t i = 1; i < num; i++) {
        const tm_region place = places[i];
        uint32_t k = i;
        for (; k && tmi_rect_before(&place.rect, &places[k - 1].rect); k--)
            places[k] = places[k - 1];
        places[k] = place;
    }
}

/*
 * Whether tiles are wrong on purpose: very many are, or four of five of these kinds in the layer, at many
 * places; by some rules where the layer has very many of these kinds.
 */
static bool is_drawn_on_purpose(const tmi_lint *lint, const tmi_lint_row *row, const tmi_lint_note *note)
{
    enum { MANY = 1000, MANY_PLACES = 10 };
    uint64_t all = 0;
    for (uint32_t index = 1; note->marked && index < TM_TILE_INDICES; index++)
        all += note->seen[index] ? tmi_lint_num_tiles(lint, note->kind, (uint8_t)index) : 0;
    if (row->many_are_art)
        return all > MANY;
    return row->may_be_art &&
           (note->count > MANY || (note->num_places >= MANY_PLACES && note->count * 5 >= all * 4 && all));
}

/* Adds a finding with its words to the reported or the ignored ones; NULL: there is no room. */
static tm_finding *report_note(tm_findings *findings, const tmi_lint *lint, uint32_t rule,
                               tmi_lint_note *note)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    const tmi_lint_state *state = &lint->rules[rule];
    const bool is_error = state->severity == TM_SEVERITY_ERROR && !note->at_worst;
    const bool is_art = !is_error && is_drawn_on_purpose(lint, row, note);
    const tm_severity at_worst = is_art ? TM_SEVERITY_NOTE : note->at_worst;
    const bool milder = at_worst && at_worst < state->severity && !state->chosen;
    tmi_line line = {.length = 0};
    tm_finding *finding = tmi_finding_new(findings, row->rule.id, milder ? at_worst : state->severity);
    if (!finding)
        return NULL;
    order_places(note->places, note->num_places);
    finding->count = note->count;
    tm_address_format(&note->address, finding->address, sizeof(finding->address));
    tm_address_describe(&note->address, lint->map, finding->place, sizeof(finding->place));
    if (note->marked) {
        put_tile_names(&line, note);
        tmi_line_add(&line, ": %" PRIu64 " tile%s %s", note->count, note->count == 1 ? "" : "s", row->phrase);
    } else {
        tmi_line_add(&line, "%s", note->text);
    }
    if (note->num_places) {
        const tm_rect first = note->places->rect;
        tmi_line_add(&line, " (at %u,%u", (unsigned)first.x, (unsigned)first.y);
        if (first.width != 1 || first.height != 1)
            tmi_line_add(&line, "+%ux%u", (unsigned)first.width, (unsigned)first.height);
        if (note->num_places > 1)
            tmi_line_add(&line, " and %u more place%s", (unsigned)(note->num_places - 1),
                         note->num_places > 2 ? "s" : "");
        tmi_line_add(&line, ")");
    }
    tmi_format(finding->text, sizeof(finding->text), "%s", line.text);
    tmi_tidy_line(finding->place);
    tmi_tidy_line(finding->text);
    return finding;
}

/* ------------------------------------------------------------------------------------ several as one */

/* The next note, from `note` on, that the map does not suppress. */
static const tmi_lint_note *next_reported(const tmi_lint *lint, uint32_t rule, const tmi_lint_note *note)
{
    while (note && tmi_lint_is_suppressed(lint, &lint->rules[rule].row->rule, &note->address))
        note = note->next;
    return note;
}

/* Reports all notes of a rule as one, at the first of them: "envelope/0, envelope/3 and 12 more". */
static void report_gathered(tm_lint_result *out, const tmi_lint *lint, uint32_t rule, uint64_t num)
{
    enum { MOST = 4 };
    const tmi_lint_row *row = lint->rules[rule].row;
    struct tm_lint_details *details = out->details;
    /* The operation for all would also fix what the map says to leave alone. */
    const bool all = num == lint->rules[rule].num + lint->rules[rule].unlisted;
    struct reported reported = {.rule = &row->rule,
                                .objects = &details->objects[details->num_objects],
                                .fix = all && row->fix_many ? row->fix_many : ""};
    tmi_line line = {.length = 0};
    tm_finding *finding = tmi_finding_new(&out->findings, row->rule.id, lint->rules[rule].severity);
    if (!finding)
        return;
    finding->count = num;
    tmi_format(finding->place, sizeof(finding->place), "%" PRIu64 " %s", num, row->things);
    tmi_line_add(&line, "%s: ", row->many);
    for (const tmi_lint_note *note = next_reported(lint, rule, lint->rules[rule].notes); note;
         note = next_reported(lint, rule, note->next), reported.num_objects++) {
        char address[TM_ADDRESS_SIZE];
        tm_address_format(&note->address, address, sizeof(address));
        if (!reported.num_objects)
            tmi_format(finding->address, sizeof(finding->address), "%s", address);
        if (reported.num_objects < MOST)
            tmi_line_add(&line, "%s%s", reported.num_objects ? ", " : "", address);
        details->objects[details->num_objects++] = note->address;
    }
    const uint32_t named = reported.num_objects < MOST ? reported.num_objects : MOST;
    if (num > named)
        tmi_line_add(&line, " and %" PRIu64 " more", num - named);
    tmi_format(finding->text, sizeof(finding->text), "%s", line.text);
    details->reported[out->findings.num - 1] = reported;
}

tm_status tmi_lint_begin_result(tm_lint_result *out, tmi_lint *lint, tm_error *error)
{
    TM_TRY(tmi_reserve_zeroed(&out->details, lint->allocator, 1, sizeof(*out->details), "findings", error));
    if (lint->allocator)
        out->details->allocator = *lint->allocator;
    tmi_arena_init(&out->details->arena, lint->allocator ? &out->details->allocator : NULL);
    lint->notes = &out->details->arena;
    return TM_OK;
}

/* The room for the findings of all notes: each id gets a twentieth of a list, and custom rules share one. */
static size_t room_for_findings(const tmi_lint *lint)
{
    enum { LEAST = 1000, PARTS = 20 };
    const size_t own = lint->num_rules - tmi_lint_num_rows() + 1, all = (size_t)lint->num_rules * lint->most;
    const size_t room = own * lint->most * PARTS > all ? own * lint->most * PARTS : all;
    return room > LEAST ? room : LEAST;
}

/* Reports the notes of a rule, and gives the last listed finding the number of those that are not listed. */
static void report_rule(tm_lint_result *out, const tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_state *state = &lint->rules[rule];
    const tm_lint_rule *words = &state->row->rule;
    const bool may_gather = !lint->apart && state->row->many;
    const size_t before = out->findings.num;
    uint32_t num_gathered = 0; /* notes that may become one finding */
    for (const tmi_lint_note *note = may_gather ? next_reported(lint, rule, state->notes) : NULL; note;
         note = next_reported(lint, rule, note->next))
        num_gathered++;
    out->details->unlisted[rule].rule = words;
    for (tmi_lint_note *note = state->notes; note; note = note->next) {
        const bool ignored = tmi_lint_is_suppressed(lint, words, &note->address);
        tm_findings *list = ignored ? &out->ignored : &out->findings;
        const tm_finding *finding = ignored || num_gathered < 2 ? report_note(list, lint, rule, note) : NULL;
        if (!finding)
            continue;
        if (state->row->fixes_each)
            tmi_format(note->fix, sizeof(note->fix), "%s %s", words->fix, finding->address);
        const bool has_own = note->fix[0] || state->row->own_fixes || !words->fix;
        (ignored ? out->details->ignored : out->details->reported)[list->num - 1] =
            (struct reported){.rule = words, .note = note, .fix = has_own ? note->fix : words->fix};
    }
    if (num_gathered > 1) {
        report_gathered(out, lint, rule, num_gathered + state->unlisted);
        return;
    }
    const bool suppressed = tmi_lint_is_suppressed(lint, words, NULL);
    tm_findings *findings = suppressed ? &out->ignored : &out->findings;
    findings->unlisted += state->unlisted;
    if (suppressed)
        return;
    out->details->unlisted[rule].num = state->unlisted;
    out->unlisted[state->severity] += state->unlisted;
    if (state->severity == TM_SEVERITY_ERROR)
        findings->errors += state->unlisted;
    if (findings->num > before)
        findings->list[findings->num - 1].count += state->unlisted;
}

tm_status tmi_lint_report_notes(tm_lint_result *out, const tmi_lint *lint, tm_error *error)
{
    struct tm_lint_details *details = out->details;
    const tm_allocator arena = tmi_arena_allocator(&details->arena);
    const char what[] = "findings";
    const uint32_t num_rules = lint->num_rules;
    size_t num = 0;
    for (uint32_t rule = 0; rule < num_rules; rule++)
        num += lint->rules[rule].num;
    details->num_rules = num_rules;
    TM_TRY(tmi_reserve_zeroed(&details->reported, &arena, num, sizeof(*details->reported), what, error));
    TM_TRY(tmi_reserve_zeroed(&details->ignored, &arena, num, sizeof(*details->ignored), what, error));
    TM_TRY(
        tmi_reserve_zeroed(&details->unlisted, &arena, num_rules, sizeof(*details->unlisted), what, error));
    TM_TRY(tmi_reserve_zeroed(&details->objects, &arena, num, sizeof(*details->objects), what, error));
    tm_findings_init(&out->findings, room_for_findings(lint), lint->notes->allocator);
    tm_findings_init(&out->ignored, room_for_findings(lint), lint->notes->allocator);
    out->sets = lint->sets;
    out->unread = lint->unread;
    for (uint32_t rule = 0; rule < num_rules; rule++)
        report_rule(out, lint, rule);
    return TM_OK;
}

void tm_lint_result_release(tm_lint_result *result)
{
    if (!result)
        return;
    tm_findings_release(&result->findings);
    tm_findings_release(&result->ignored);
    struct tm_lint_details *details = result->details;
    if (details) {
        tm_allocator memory = details->allocator;
        tmi_arena_release(&details->arena);
        tmi_free(memory.resize ? &memory : NULL, details, 1, sizeof(*details));
    }
    memset(result, 0, sizeof(*result));
}

/* -------------------------------------------------------------------------------------------- questions */

/* What is known about a finding; NULL: there is no such finding. */
static const struct reported *reported_at(const tm_lint_result *result, size_t finding)
{
    return result && result->details && finding < result->findings.num ? &result->details->reported[finding]
                                                                       : NULL;
}

const tm_region *tm_lint_places(uint32_t *num, const tm_lint_result *result, size_t finding)
{
    const struct reported *reported = reported_at(result, finding);
    const tmi_lint_note *note = reported ? reported->note : NULL;
    if (num)
        *num = note ? note->num_places : 0;
    return note && note->num_places ? note->places : NULL;
}

const tm_lint_rule *tm_lint_rule_for(const tm_lint_result *result, size_t finding)
{
    const struct reported *reported = reported_at(result, finding);
    return reported ? reported->rule : NULL;
}

const tm_lint_rule *tm_lint_rule_for_ignored(const tm_lint_result *result, size_t finding)
{
    return result && result->details && finding < result->ignored.num ? result->details->ignored[finding].rule
                                                                      : NULL;
}

uint64_t tm_lint_unlisted(const tm_lint_result *result, const tm_lint_rule *rule)
{
    uint64_t num = 0;
    for (size_t i = 0; rule && result && result->details && i < result->details->num_rules; i++)
        num += result->details->unlisted[i].rule == rule ? result->details->unlisted[i].num : 0;
    return num;
}

const tm_address *tm_lint_objects(uint32_t *num, const tm_lint_result *result, size_t finding)
{
    const struct reported *reported = reported_at(result, finding);
    if (num)
        *num = reported ? reported->num_objects : 0;
    return reported ? reported->objects : NULL;
}

const char *tm_lint_fix_line(const tm_lint_result *result, size_t finding)
{
    const struct reported *reported = reported_at(result, finding);
    return reported ? reported->fix : "";
}
