/* SPDX-License-Identifier: Zlib */
/*
 * Merges two maps that were made from one base; merge.h describes the steps. If only one side differs from
 * the base, the result is a clone of that side.
 */
#include "merge.h"

/* -------------------------------------------------------------------------------------------------- rules */

static tm_status check_rules(const tmi_merge *m)
{
    for (uint32_t i = 0; i < m->options.num_rules; i++) {
        const tm_merge_rule *rule = &m->options.rules[i];
        if (!tm_resolution_name(rule->resolution))
            return tmi_fail(m->error, TM_ERROR_USAGE, -1, "%d is not a way to resolve a conflict",
                            (int)rule->resolution);
        if (tmi_words_check(rule->words, m->patch[TM_MERGE_OURS], NULL) != TM_OK)
            TM_TRY(tmi_words_check(rule->words, m->patch[TM_MERGE_THEIRS], m->error));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- the whole */

static tm_status merge_maps(tmi_merge *m, const tm_patch_options *how, tm_report *report)
{
    if (!m->in[TM_MERGE_BASE]) {
        TM_TRY(
            tmi_merge_shared_base(&m->shared, m->in[TM_MERGE_OURS], m->in[TM_MERGE_THEIRS], how, m->error));
        m->in[TM_MERGE_BASE] = m->shared;
    }
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
        TM_TRY(tm_patch_make(&m->patch[side], m->in[TM_MERGE_BASE], m->in[side], how, m->error));
        m->objects.side[side] = &m->patch[side]->match.side[TMI_AFTER];
    }
    m->objects.side[TM_MERGE_BASE] = &m->patch[TM_MERGE_OURS]->match.side[TMI_BEFORE];
    TM_TRY(check_rules(m));
    TM_TRY(tmi_patch_new(&m->here, how, m->error));
    if (!tm_patch_num(m->patch[TM_MERGE_THEIRS]))
        return tm_map_clone(&m->map, m->in[TM_MERGE_OURS], m->error);
    if (!tm_patch_num(m->patch[TM_MERGE_OURS])) {
        TM_TRY(tm_map_clone(&m->map, m->in[TM_MERGE_THEIRS], m->error));
    } else {
        TM_TRY(tmi_merge_objects(m));
        TM_TRY(tm_map_clone(&m->map, m->in[TM_MERGE_OURS], m->error));
        TM_TRY(tmi_merge_orders(m));
        TM_TRY(tmi_merge_contents(m));
        tmi_conflicts_place(m);
    }
    if (report) { /* the differences between ours and the result */
        tm_patch *brought;
        TM_TRY(tm_patch_make(&brought, m->in[TM_MERGE_OURS], m->map, how, m->error));
        tmi_patch_report(report, "merge", brought, NULL);
        tm_patch_free(brought);
    }
    return m->options.mark ? tmi_mark_conflicts(m) : TM_OK;
}

tm_status tm_map_merge(tm_map **out, tm_conflicts **conflicts, const tm_map *base, const tm_map *ours,
                       const tm_map *theirs, const tm_merge_options *options, tm_report *report,
                       tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(conflicts, "conflicts", error));
    *conflicts = NULL;
    tmi_merge m = {.in = {base, ours, theirs}, .error = error};
    tm_patch_options how = TM_PATCH_OPTIONS_INIT;
    TM_TRY(tmi_options_take(&m.options, sizeof(m.options), options, "tm_merge_options", error));
    TM_TRY(tmi_need(ours, "ours", error));
    TM_TRY(tmi_need(theirs, "theirs", error));
    if (m.options.num_rules)
        TM_TRY(tmi_need(m.options.rules, "rules", error));
    how.limits = m.options.limits;
    how.allocator = m.options.allocator;
    TM_TRY(tmi_conflicts_new(&m.conflicts, &how, error));
    tm_status status = merge_maps(&m, &how, report);
    if (status == TM_OK) {
        *out = m.map;
        *conflicts = m.conflicts;
    } else {
        tm_map_free(m.map);
        tm_conflicts_free(m.conflicts);
    }
    tm_patch_free(m.here);
    tm_patch_free(m.patch[TM_MERGE_OURS]);
    tm_patch_free(m.patch[TM_MERGE_THEIRS]);
    tm_map_free(m.shared);
    return status;
}
