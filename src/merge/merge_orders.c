/* SPDX-License-Identifier: Zlib */
/*
 * Orders the objects of the result and builds its map: a clone of ours with its objects rearranged, and with
 * copies of the objects that only theirs has.
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
    const tmi_threeway *own = &m->list[list];
    TM_TRY(tmi_patch_alloc(m->here, out, own->num_ids, sizeof(**out), m->error));
    for (uint32_t id = 0; id < own->num_ids; id++) {
        const bool base = id < own->num[TM_MERGE_BASE];
        const int version = base ? TM_MERGE_BASE : tmi_version_of(own, id);
        const uint32_t number = (uint32_t)own->place[version][id];
        const bool lone = !base && !tmi_in_both(own, id);
        if (base && !own->moved[TM_MERGE_OURS][id] && !own->moved[TM_MERGE_THEIRS][id] &&
            tmi_in_both(own, id))
            continue;
        (*out)[id].text = m->side[version]->labels[list][number].name;
        (*out)[id].hash = tmi_merge_hash(m, version, list, number,
                                         TMI_HASH_BLOCKS | (lone ? TMI_HASH_NAMES | TMI_HASH_REFERENCES : 0));
    }
    return TM_OK;
}

static tm_status order_merged_list(tmi_merge *m, tmi_list list)
{
    tmi_threeway *own = &m->list[list];
    const tmi_threeway *groups = &m->list[TMI_GROUPS];
    order_ctx ctx = {m, list, TM_OK};
    tmi_order_key *keys;
    TM_TRY(make_keys(m, list, &keys));
    tmi_part part = {.keys = keys, .clash = clash, .ctx = &ctx};
    memcpy(part.end, own->num, sizeof(part.end));
    if (list != TMI_LAYERS) {
        TM_TRY(tmi_threeway_order(own, &part, &m->here->match.arena, m->error));
        return ctx.status;
    }
    TM_TRY(
        tmi_patch_alloc(m->here, &m->first_final, (size_t)groups->num_final + 1, sizeof(uint32_t), m->error));
    part.group_of = m->group_of;
    for (uint32_t g = 0; g < groups->num_final; g++) { /* the layers of a group in each version */
        part.group = groups->order[g];
        for (int version = 0; version < TM_MERGE_MAPS; version++) {
            const int32_t number = groups->place[version][part.group];
            part.first[version] = number == TM_NONE ? 0 : m->side[version]->first_layer[number];
            part.end[version] = number == TM_NONE ? 0 : m->side[version]->first_layer[number + 1];
        }
        TM_TRY(tmi_threeway_order(own, &part, &m->here->match.arena, m->error));
        m->first_final[g + 1] = own->num_final;
    }
    return ctx.status;
}

/* --------------------------------------------------------------------------------------- the arranged map */

static tm_status arrange(tmi_merge *m)
{
    tmi_arrangement to = {{NULL}, {0}, NULL, NULL};
    uint32_t *counts;
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_threeway *own = &m->list[list];
        int32_t *from;
        TM_TRY(tmi_patch_alloc(m->here, &from, own->num_final, sizeof(*from), m->error));
        for (uint32_t i = 0; i < own->num_final; i++)
            from[i] = own->place[TM_MERGE_OURS][own->order[i]];
        if (list == TMI_LAYERS) {
            to.layers = from;
        } else {
            to.from[list] = from;
            to.num[list] = own->num_final;
        }
    }
    const uint32_t num_groups = m->list[TMI_GROUPS].num_final;
    TM_TRY(tmi_patch_alloc(m->here, &counts, num_groups, sizeof(*counts), m->error));
    for (uint32_t g = 0; g < num_groups; g++)
        counts[g] = m->first_final[g + 1] - m->first_final[g];
    to.num_layers = counts;
    return tmi_map_assemble(m->map, &to, m->error);
}

tm_status tmi_merge_take_theirs(tmi_merge *m, void *object, tmi_list list, uint32_t id)
{
    return tmi_put_object(m->map, list, object, m->in[TM_MERGE_THEIRS],
                          tmi_merge_object_in(m, TM_MERGE_THEIRS, list, id), tmi_merge_bring,
                          &(tmi_version){m, TM_MERGE_THEIRS}, m->error);
}

tm_status tmi_merge_orders(tmi_merge *m)
{
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(order_merged_list(m, (tmi_list)list));
    TM_TRY(arrange(m));
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_threeway *own = &m->list[list];
        for (uint32_t i = 0; i < own->num_final; i++)
            if (own->place[TM_MERGE_OURS][own->order[i]] == TM_NONE)
                TM_TRY(tmi_merge_take_theirs(m, tmi_merged_object(m, (tmi_list)list, own->order[i]),
                                             (tmi_list)list, own->order[i]));
    }
    return TM_OK;
}
