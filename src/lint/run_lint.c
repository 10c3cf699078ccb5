/* SPDX-License-Identifier: Zlib */
/*
 * Asks the rules, in the order in which they need one another.
 */
#include "lint.h"

static bool is_asked(const tmi_lint *lint, tm_lint_cost cost)
{
    for (uint32_t n = 0; n < lint->num_rules; n++)
        if (lint->rules[n].asked && lint->rules[n].row->about.cost == cost)
            return true;
    return false;
}

void *tmi_lint_alloc(tmi_lint *lint, size_t count, size_t size)
{
    void *memory = tmi_arena_alloc(&lint->arena, count, size);
    if (memory)
        memset(memory, 0, count * size);
    else
        tmi_lint_fail(lint, tmi_fail_memory(lint->error, (uint64_t)count * size, "rules"));
    return memory;
}

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

static tm_status ask(tmi_lint *lint)
{
    read_settings(lint);
    /* The scan holds all physics layers at once: what the survey unpacks one by one is let go before. */
    if (is_asked(lint, TM_LINT_DESIGN))
        tmi_lint_make_survey(lint);
    if (is_asked(lint, TM_LINT_PHYSICS) && !lint->status)
        tmi_lint_scan(lint);
    if (!lint->status)
        tmi_lint_find_mod(lint);
    if (!lint->status)
        tmi_lint_see_commands(lint);
    for (uint32_t rule = 0; rule < lint->num_rules && !lint->status; rule++)
        if (lint->rules[rule].row->judge && tmi_lint_may_judge(lint, rule))
            lint->rules[rule].row->judge(lint, rule);
    if (!lint->status)
        tmi_lint_scan_again(lint);
    return lint->status;
}

static void release(tmi_lint *lint)
{
    tmi_lint_release_layers(lint);
    tmi_lint_release_mappers(lint);
    if (lint->reach)
        tmi_free(lint->allocator, lint->reach->points, lint->reach->max_points, sizeof(*lint->reach->points));
    for (uint32_t rule = 0; lint->rules && rule < lint->num_rules; rule++)
        for (tmi_lint_note *note = lint->rules[rule].notes; note; note = note->next)
            tmi_free(lint->allocator, note->places, note->capacity, sizeof(*note->places));
    tmi_free(lint->allocator, lint->rules, lint->num_rules, sizeof(*lint->rules));
    tmi_arena_release(&lint->arena);
}

static tm_status run_rules(tm_lint_result *out, tmi_lint *lint, const tm_lint_options *options,
                           tm_error *error)
{
    lint->file_size = options->file_size;
    lint->path = options->path ? options->path : "";
    lint->most = options->most ? options->most : TMI_LINT_NOTES;
    TM_TRY(tmi_lint_choose(lint, options, error));
    tmi_lint_read_suppressions(lint);
    TM_TRY(ask(lint));
    return tmi_lint_tell(out, lint, error);
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
    tm_error own = {.offset = -1}; /* damage that is only counted is no failure of the caller's */
    lint->error = &own;
    tmi_arena_init(&lint->arena, allocator);
    const tm_status status = run_rules(out, lint, &taken, &own);
    if (status && error)
        *error = own;
    release(lint);
    tmi_free(allocator, lint, 1, sizeof(*lint));
    if (status)
        tm_lint_result_release(out);
    return status;
}
