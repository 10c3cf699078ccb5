/* SPDX-License-Identifier: Zlib */
/*
 * Merging two maps that were made from one, step by step; see merge_maps.h. Where only one side differs
 * from the base, that side is the result, as its file has it.
 */
#include "merge_maps.h"

/* -------------------------------------------------------------------------------------------------- rules */

static tm_status check_rules(const tmi_merge *m)
{
    for (uint32_t i = 0; i < m->options.num_rules; i++) {
        const tm_merge_rule *rule = &m->options.rules[i];
        if (!tm_resolution_name(rule->take))
            return tmi_fail(m->error, TM_ERROR_USAGE, -1, "%d is no way to settle a conflict",
                            (int)rule->take);
        if (tmi_words_check(rule->words, m->patch[TMI_OURS], NULL) != TM_OK)
            TM_TRY(tmi_words_check(rule->words, m->patch[TMI_THEIRS], m->error));
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ report */

static void report_merge(const tmi_merge *m, tm_report *report)
{
    for (uint32_t i = 0; report && i < tm_patch_num(m->patch[TMI_THEIRS]); i++) {
        tm_patch_change change;
        char line[TM_ERROR_TEXT_SIZE];
        if (m->left_out && m->left_out[i])
            continue;
        tm_patch_at(m->patch[TMI_THEIRS], i, &change);
        tm_patch_change_format(&change, line, sizeof(line));
        tmi_report_change(report, "merge", NULL, change.in_before ? change.before : change.after,
                          change.num ? change.num : 1, "%s", line);
    }
}

/* ---------------------------------------------------------------------------------------------- the whole */

static tm_status merge_into_clone(tmi_merge *m)
{
    TM_TRY(tmi_merge_objects(m));
    TM_TRY(tm_map_clone(&m->map, m->in[TMI_OURS], m->error));
    TM_TRY(tmi_merge_orders(m));
    TM_TRY(tmi_merge_contents(m));
    tmi_conflicts_place(m);
    return m->options.mark ? tmi_mark_conflicts(m) : TM_OK;
}

static tm_status merge_maps(tmi_merge *m, const tm_patch_options *how)
{
    if (!m->base) {
        TM_TRY(tmi_merge_shared_base(&m->shared, m->in[TMI_OURS], m->in[TMI_THEIRS], how, m->error));
        m->base = m->shared;
    }
    TM_TRY(tm_patch_make(&m->patch[TMI_OURS], m->base, m->in[TMI_OURS], how, m->error));
    TM_TRY(tm_patch_make(&m->patch[TMI_THEIRS], m->base, m->in[TMI_THEIRS], how, m->error));
    TM_TRY(check_rules(m));
    if (tm_patch_num(m->patch[TMI_THEIRS]) == 0)
        return tm_map_clone(&m->map, m->in[TMI_OURS], m->error);
    if (tm_patch_num(m->patch[TMI_OURS]) == 0)
        return tm_map_clone(&m->map, m->in[TMI_THEIRS], m->error);
    TM_TRY(tmi_patch_new(&m->here, how, m->error));
    TM_TRY(tmi_patch_alloc(m->here, &m->left_out, m->patch[TMI_THEIRS]->num, sizeof(bool), m->error));
    return merge_into_clone(m);
}

static void end_merge(tmi_merge *m)
{
    for (int list = 0; list < TMI_LISTS && m->here; list++)
        tmi_pairs_free(&m->cross[list], tmi_patch_allocator(m->here));
    tm_patch_free(m->here);
    for (int side = 0; side < 2; side++)
        tm_patch_free(m->patch[side]);
    tm_map_free(m->shared);
}

static tm_status check_arguments(const tm_map *ours, const tm_map *theirs, const tm_merge_options *options,
                                 tm_error *error)
{
    TM_TRY(tmi_need(ours, "ours", error));
    TM_TRY(tmi_need(theirs, "theirs", error));
    return options->num_rules ? tmi_need(options->rules, "rules", error) : TM_OK;
}

tm_status tm_map_merge(tm_map **out, tm_conflicts **conflicts, const tm_map *base, const tm_map *ours,
                       const tm_map *theirs, const tm_merge_options *options, tm_report *report,
                       tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(conflicts, "conflicts", error));
    *conflicts = NULL;
    tmi_merge m = {.base = base, .in = {ours, theirs}, .error = error};
    tm_patch_options how = TM_PATCH_OPTIONS_INIT;
    TM_TRY(tmi_options_take(&m.options, sizeof(m.options), options, "tm_merge_options", error));
    TM_TRY(check_arguments(ours, theirs, &m.options, error));
    how.limits = m.options.limits;
    how.allocator = m.options.allocator;
    TM_TRY(tmi_conflicts_new(&m.conflicts, &how, error));
    tm_status status = merge_maps(&m, &how);
    if (status == TM_OK) {
        report_merge(&m, report);
        *out = m.map;
        *conflicts = m.conflicts;
    } else {
        tm_map_free(m.map);
        tm_conflicts_free(m.conflicts);
    }
    end_merge(&m);
    return status;
}
