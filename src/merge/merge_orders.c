/* SPDX-License-Identifier: Zlib */
/*
 * Orders the objects of the result (tmi_objects_order), rearranges the clone of ours accordingly, and fills
 * the new objects in it with those that only theirs has.
 */
#include "merge.h"

/* ------------------------------------------------------------------------------------------------ lists */

typedef struct order_ctx {
    tmi_merge *m;
    tmi_list list;
    tm_status status;
} order_ctx;

static bool clash(void *ctx, uint32_t id)
{
    order_ctx *of = ctx;
    tmi_conflict *conflict;
    const tm_resolution resolution =
        tmi_merge_resolve(of->m, of->list, id, TMI_DELTA_OBJECT, tmi_owner_of_list(of->list));
    if (!of->status)
        of->status = tmi_conflict_add(of->m, &conflict, TM_CONFLICT_PLACE, of->list, id, resolution);
    return resolution == TM_RESOLUTION_THEIRS;
}

/*
 * Only new and moved objects are compared by their keys. An object that both sides have may have a different
 * name on each side, so its key does not contain the name.
 */
static tm_status make_keys(tmi_merge *m, tmi_list list, tmi_order_key **out)
{
    const tmi_threeway *own = &m->objects.list[list];
    TM_TRY(tmi_patch_alloc(m->here, out, own->num_ids, sizeof(**out), m->error));
    for (uint32_t id = 0; id < own->num_ids; id++) {
        const bool base = id < own->num[TM_MERGE_BASE];
        const int version = base ? TM_MERGE_BASE : tmi_version_of(own, id);
        const uint32_t number = (uint32_t)own->place[version][id];
        const bool lone = !base && !tmi_in_both(own, id);
        if (base && !own->moved[TM_MERGE_OURS][id] && !own->moved[TM_MERGE_THEIRS][id] &&
            tmi_in_both(own, id))
            continue;
        (*out)[id].text = m->objects.side[version]->labels[list][number].name;
        (*out)[id].hash = tmi_merge_hash(m, version, list, number,
                                         TMI_HASH_BLOCKS | (lone ? TMI_HASH_NAMES | TMI_HASH_REFERENCES : 0));
    }
    return TM_OK;
}

tm_status tmi_merge_take_theirs(tmi_merge *m, void *object, tmi_list list, uint32_t id)
{
    return tmi_put_object(m->map, list, object, m->in[TM_MERGE_THEIRS],
                          tmi_merge_object_in(m, TM_MERGE_THEIRS, list, id),
                          (tmi_version){&m->objects, TM_MERGE_THEIRS}, m->error);
}

tm_status tmi_merge_orders(tmi_merge *m)
{
    tmi_arena *arena = &m->here->match.arena;
    for (int list = 0; list < TMI_LISTS; list++) {
        order_ctx ctx = {m, (tmi_list)list, TM_OK};
        tmi_order_key *keys;
        TM_TRY(make_keys(m, (tmi_list)list, &keys));
        const tmi_part how = {.keys = keys, .clash = clash, .ctx = &ctx};
        TM_TRY(tmi_objects_order(&m->objects, (tmi_list)list, &how, arena, m->error));
        TM_TRY(ctx.status);
    }
    TM_TRY(tmi_objects_arrange(&m->objects, m->map, arena, m->error));
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_threeway *own = &m->objects.list[list];
        for (uint32_t i = 0; i < own->num_final; i++)
            if (own->place[TM_MERGE_OURS][own->order[i]] == TM_NONE)
                TM_TRY(tmi_merge_take_theirs(m, tmi_merged_object(m, (tmi_list)list, own->order[i]),
                                             (tmi_list)list, own->order[i]));
    }
    return TM_OK;
}
