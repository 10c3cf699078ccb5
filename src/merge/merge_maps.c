/* SPDX-License-Identifier: Zlib */
/*
 * Merges two maps that were made from one base; merge.h describes the steps. If only one side differs from
 * the base, the result is a clone of that side. Else the objects are ordered (tmi_objects_order), a clone of
 * ours is rearranged accordingly, and the new objects in it become those that only theirs has.
 */
#include "merge.h"

/* ------------------------------------------------------------------------------------------------ orders */

typedef struct order_ctx {
    tmi_merge *m;
    tm_kind list;
    tm_status status;
} order_ctx;

static bool clash(void *ctx, uint32_t id)
{
    order_ctx *order = ctx;
    tmi_conflict *conflict;
    const tm_resolution resolution =
        tmi_merge_resolve(order->m, order->list, id, TMI_DELTA_OBJECT, (order->list));
    if (!order->status)
        order->status = tmi_conflict_add(order->m, &conflict, TM_CONFLICT_PLACE, order->list, id, resolution);
    return resolution == TM_RESOLUTION_THEIRS;
}

/*
 * Only new and moved objects are compared by their keys. An object that both sides have may have a different
 * name on each side, so its key does not contain the name.
 */
static tm_status arrange_result(tmi_merge *m)
{
    tmi_arena *arena = &m->scratch->match.arena;
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tmi_threeway *threeway = &m->objects.list[list];
        order_ctx ctx = {m, list, TM_OK};
        tmi_order_key *keys;
        TM_TRY(tmi_patch_alloc(m->scratch, &keys, threeway->num_ids, sizeof(*keys), m->error));
        for (uint32_t id = 0; id < threeway->num_ids; id++) {
            const bool base = id < threeway->num[TM_MERGE_BASE], both = tmi_in_both(threeway, id);
            const int version = base ? TM_MERGE_BASE : tmi_version_of(threeway, id);
            const uint32_t number = (uint32_t)threeway->place[version][id];
            const int names = base || both ? 0 : TMI_HASH_NAMES | TMI_HASH_REFERENCES;
            if (base && !threeway->moved[TM_MERGE_OURS][id] && !threeway->moved[TM_MERGE_THEIRS][id] && both)
                continue;
            keys[id].text = m->objects.side[version]->labels[list][number].name;
            keys[id].hash = tmi_merge_hash(m, version, list, number, TMI_HASH_BLOCKS | names);
        }
        const tmi_part model = {.keys = keys, .clash = clash, .ctx = &ctx};
        TM_TRY(tmi_objects_order(&m->objects, list, &model, arena, m->error));
        TM_TRY(ctx.status);
    }
    TM_TRY(tmi_objects_arrange(&m->objects, m->map, arena, m->error));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tmi_threeway *threeway = &m->objects.list[list];
        for (uint32_t i = 0; i < threeway->num_final; i++)
            if (threeway->place[TM_MERGE_OURS][threeway->order[i]] == TM_NONE)
                TM_TRY(tmi_merge_copy_theirs(m, tmi_merged_object(m, list, threeway->order[i]), list,
                                             threeway->order[i]));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- the whole */

static tm_status merge_maps(tmi_merge *m, const tm_patch_options *options, tm_report *report)
{
    if (!m->maps[TM_MERGE_BASE]) {
        TM_TRY(tmi_merge_shared_base(&m->shared, m->maps[TM_MERGE_OURS], m->maps[TM_MERGE_THEIRS], options,
                                     m->error));
        m->maps[TM_MERGE_BASE] = m->shared;
    }
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
        TM_TRY(tm_patch_make(&m->patch[side], m->maps[TM_MERGE_BASE], m->maps[side], options, m->error));
        m->objects.side[side] = &m->patch[side]->match.side[TMI_AFTER];
    }
    m->objects.side[TM_MERGE_BASE] = &m->patch[TM_MERGE_OURS]->match.side[TMI_BEFORE];
    for (uint32_t i = 0; i < m->options.num_rules; i++) {
        const tm_merge_rule *rule = &m->options.rules[i];
        if (!tm_resolution_name(rule->resolution))
            return tmi_fail(m->error, TM_ERROR_USAGE, -1, "%d is not a way to resolve a conflict",
                            (int)rule->resolution);
        if (tmi_words_check(rule->words, m->patch[TM_MERGE_OURS], NULL) != TM_OK)
            TM_TRY(tmi_words_check(rule->words, m->patch[TM_MERGE_THEIRS], m->error));
    }
    TM_TRY(tmi_patch_new(&m->scratch, options, m->error));
    m->scratch->match.arena.most *= 2; /* it orders the lists of three versions, and a patch those of two */
    if (!tm_patch_num(m->patch[TM_MERGE_THEIRS]))
        return tm_map_clone(&m->map, m->maps[TM_MERGE_OURS], m->error);
    if (!tm_patch_num(m->patch[TM_MERGE_OURS])) {
        TM_TRY(tm_map_clone(&m->map, m->maps[TM_MERGE_THEIRS], m->error));
    } else {
        TM_TRY(tmi_merge_objects(m));
        TM_TRY(tm_map_clone(&m->map, m->maps[TM_MERGE_OURS], m->error));
        tm_map_set_cancel(m->map, m->maps[TM_MERGE_OURS]->priv->cancel); /* until it is the caller's */
        TM_TRY(arrange_result(m));
        TM_TRY(tmi_merge_contents(m));
        tmi_conflicts_place(m);
        tmi_report_unknown(report ? &report->findings : NULL, m->maps[TM_MERGE_OURS], m->map, false);
    }
    if (report) { /* the differences between ours and the result */
        tm_patch *brought;
        TM_TRY(tm_patch_make(&brought, m->maps[TM_MERGE_OURS], m->map, options, m->error));
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
    tmi_merge m = {.maps = {base, ours, theirs}, .error = error};
    tm_patch_options patch_options = TM_PATCH_OPTIONS_INIT;
    TM_TRY(tmi_options_take(&m.options, sizeof(m.options), options, "tm_merge_options", error));
    TM_TRY(tmi_need(ours, "ours", error));
    TM_TRY(tmi_need(theirs, "theirs", error));
    if (m.options.num_rules)
        TM_TRY(tmi_need(m.options.rules, "rules", error));
    patch_options.limits = m.options.limits;
    patch_options.allocator = m.options.allocator;
    TM_TRY(tmi_conflicts_new(&m.conflicts, &patch_options, error));
    tm_status status = merge_maps(&m, &patch_options, report);
    tm_map_set_cancel(m.map, NULL);
    if (status == TM_OK) {
        *out = m.map;
        *conflicts = m.conflicts;
    } else {
        tm_map_free(m.map);
        tm_conflicts_free(m.conflicts);
    }
    tm_patch_free(m.scratch);
    tm_patch_free(m.patch[TM_MERGE_OURS]);
    tm_patch_free(m.patch[TM_MERGE_THEIRS]);
    tm_map_free(m.shared);
    return status;
}
