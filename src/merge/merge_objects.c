/* SPDX-License-Identifier: Zlib */
/*
 * Finds the objects of the result: gives ids, finds equal objects that both sides added, decides which are
 * removed, and in which group each layer is.
 */
#include "merge.h"

/* --------------------------------------------------------------------------------------------- both added */

static bool is_added(const tmi_merge *m, int side, tm_kind list, uint32_t number)
{
    return m->patch[side]->match.pairs[list].other[TMI_AFTER][number] == TM_NONE;
}

/* Pairs the objects of ours and theirs that are one object of the base. */
static tm_status cross_base(tmi_merge *m, tm_kind list)
{
    const int32_t *ours = m->patch[TM_MERGE_OURS]->match.pairs[list].other[TMI_BEFORE];
    const int32_t *theirs = m->patch[TM_MERGE_THEIRS]->match.pairs[list].other[TMI_BEFORE];
    TM_TRY(tmi_pairs_new(&m->cross[list], m->objects.side[TM_MERGE_OURS]->num[list],
                         m->objects.side[TM_MERGE_THEIRS]->num[list], &m->scratch->match.arena, m->error));
    for (uint32_t b = 0; b < m->objects.side[TM_MERGE_BASE]->num[list]; b++)
        if (ours[b] != TM_NONE && theirs[b] != TM_NONE)
            tmi_pair(&m->cross[list], (uint32_t)ours[b], (uint32_t)theirs[b]);
    return TM_OK;
}

static tm_status objects_equal(tmi_merge *m, bool *equal, tm_kind list, uint32_t ours, uint32_t theirs)
{
    const tm_map *const *side = &m->maps[TM_MERGE_OURS];
    const void *const object[2] = {tmi_object_at(side[0], m->objects.side[TM_MERGE_OURS], list, ours),
                                   tmi_object_at(side[1], m->objects.side[TM_MERGE_THEIRS], list, theirs)};
    tmi_differ differ = {
        .map = {side[0], side[1]}, .pairs = m->cross, .patch = m->scratch, .error = m->error};
    return tmi_same_objects(equal, &differ, list, object);
}

/* Two groups are equal if all of their layers are, which are then paired, too. */
static tm_status groups_equal(tmi_merge *m, bool *equal, uint32_t ours, uint32_t theirs)
{
    const uint32_t *first[2] = {m->objects.side[TM_MERGE_OURS]->first_layer + ours,
                                m->objects.side[TM_MERGE_THEIRS]->first_layer + theirs};
    const uint32_t num = first[0][1] - first[0][0];
    TM_TRY(objects_equal(m, equal, TM_KIND_GROUP, ours, theirs));
    *equal = *equal && num == first[1][1] - first[1][0];
    for (uint32_t i = 0; *equal && i < num; i++) {
        const uint32_t a = first[0][0] + i, b = first[1][0] + i;
        if (is_added(m, TM_MERGE_OURS, TM_KIND_LAYER, a) && is_added(m, TM_MERGE_THEIRS, TM_KIND_LAYER, b))
            TM_TRY(objects_equal(m, equal, TM_KIND_LAYER, a, b));
        else
            *equal = m->cross[TM_KIND_LAYER].other[TMI_BEFORE][a] == (int32_t)b;
    }
    for (uint32_t i = 0; *equal && i < num; i++)
        tmi_pair(&m->cross[TM_KIND_LAYER], first[0][0] + i, first[1][0] + i);
    return TM_OK;
}

/* Pairs added objects by keys and keeps the pairs that are equal. Layers must be in paired groups. */
static tm_status find_twins_by(tmi_merge *m, tm_kind list, int parts)
{
    tmi_pairs *cross = &m->cross[list];
    uint64_t *keys[2];
    bool *known;
    TM_TRY(tmi_patch_alloc(m->scratch, &known, cross->num[0], sizeof(*known), m->error));
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
        uint64_t *sorted;
        TM_TRY(tmi_patch_alloc(m->scratch, &sorted, cross->num[side - 1], sizeof(*sorted), m->error));
        keys[side - 1] = sorted;
        for (uint32_t i = 0; i < cross->num[side - 1]; i++) {
            if (cross->other[side - 1][i] != TM_NONE || !is_added(m, side, list, i))
                continue;
            const uint32_t group = m->objects.side[side]->labels[list][i].group;
            const int64_t group_of_ours = list != TM_KIND_LAYER || side == TM_MERGE_OURS
                                              ? (int64_t)group
                                              : m->cross[TM_KIND_GROUP].other[TMI_AFTER][group];
            sorted[i] = tmi_hash_number(tmi_merge_hash(m, side, list, i, parts), group_of_ours) | 1;
        }
    }
    for (uint32_t i = 0; i < cross->num[0]; i++)
        known[i] = cross->other[TMI_BEFORE][i] != TM_NONE;
    TM_TRY(tmi_pair_keys(cross, keys, TMI_KEY_NTH, tmi_patch_allocator(m->scratch), m->error));
    for (uint32_t i = 0; i < cross->num[0]; i++) {
        const int32_t other = cross->other[TMI_BEFORE][i];
        bool equal = true;
        if (other != TM_NONE && !known[i] && list == TM_KIND_GROUP)
            TM_TRY(groups_equal(m, &equal, i, (uint32_t)other));
        else if (other != TM_NONE && !known[i])
            TM_TRY(objects_equal(m, &equal, list, i, (uint32_t)other));
        if (!equal)
            cross->other[TMI_BEFORE][i] = cross->other[TMI_AFTER][other] = TM_NONE;
    }
    return TM_OK;
}

static tm_status find_changes(tmi_merge *m, int side)
{
    for (tm_kind list = TM_KIND_MAP; list <= TM_KIND_LAYER; list++)
        TM_TRY(tmi_patch_alloc(m->scratch, &m->changes[list][side],
                               list == TM_KIND_MAP ? 1 : m->objects.side[TM_MERGE_BASE]->num[list],
                               sizeof(tmi_changes), m->error));
    for (size_t i = 0; i < m->patch[side]->num; i++) {
        const tmi_delta *delta = &m->patch[side]->deltas[i];
        const uint32_t before = delta->number[TMI_BEFORE];
        if (delta->type == TMI_DELTA_OBJECT && before != TMI_NOWHERE &&
            delta->number[TMI_AFTER] != TMI_NOWHERE)
            m->objects.list[delta->list].moved[side][before] = true;
        if (delta->type == TMI_DELTA_OBJECT)
            continue; /* only changes within objects count */
        tmi_changes *changes = &m->changes[delta->list][side][before];
        changes->first = changes->num++ ? changes->first : delta;
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- removed */

static uint32_t group_in(const tmi_merge *m, int version, uint32_t layer)
{
    const int32_t number = m->objects.list[TM_KIND_LAYER].place[version][layer];
    if (number == TM_NONE)
        return UINT32_MAX;
    return m->objects.list[TM_KIND_GROUP]
        .id[version][m->objects.side[version]->labels[TM_KIND_LAYER][number].group];
}

/* `remover` removed an object that the other side changed. *gone: the result does not have it. */
static tm_status settle_removal(tmi_merge *m, bool *gone, int remover, tm_kind list, uint32_t id)
{
    tmi_conflict *conflict;
    const tm_resolution resolution = tmi_merge_resolve(m, list, id, TMI_DELTA_OBJECT, list);
    *gone = tmi_chooses_version(resolution, remover);
    return tmi_conflict_add(m, &conflict, TM_CONFLICT_REMOVED, list, id, resolution);
}

/* Decides which objects of the base that one side removed, or both, the result lacks. */
static tm_status find_gone(tmi_merge *m, tm_kind list)
{
    tmi_threeway *threeway = &m->objects.list[list];
    const tmi_threeway *groups = &m->objects.list[TM_KIND_GROUP];
    for (uint32_t id = 0; id < threeway->num[TM_MERGE_BASE]; id++) {
        const int other = tmi_version_of(threeway, id), remover = tmi_other_version(other);
        if (tmi_in_both(threeway, id))
            continue;
        threeway->gone[id] = true;
        if (threeway->place[other][id] == TM_NONE)
            continue;
        const bool layer = list == TM_KIND_LAYER;
        const uint32_t group = layer ? group_in(m, TM_MERGE_BASE, id) : 0;
        /* one side removed the layer with its group, and the group stays because the other side changed it */
        if (layer && groups->place[remover][group] == TM_NONE && !groups->gone[group])
            threeway->gone[id] = false;
        else if (m->changes[list][other][id].num || (layer && group_in(m, other, id) != group))
            TM_TRY(settle_removal(m, &threeway->gone[id], remover, list, id));
    }
    return TM_OK;
}

static tm_status find_group_of(tmi_merge *m, uint32_t id)
{
    const uint32_t ours = group_in(m, TM_MERGE_OURS, id), theirs = group_in(m, TM_MERGE_THEIRS, id);
    const uint32_t base = group_in(m, TM_MERGE_BASE, id);
    tmi_conflict *conflict;
    m->objects.group_of[id] = ours == UINT32_MAX || (ours == base && theirs != UINT32_MAX) ? theirs : ours;
    if (ours == UINT32_MAX || theirs == UINT32_MAX || ours == theirs || ours == base || theirs == base)
        return TM_OK;
    const tm_resolution resolution = tmi_merge_resolve(m, TM_KIND_LAYER, id, TMI_DELTA_OBJECT, TM_KIND_LAYER);
    if (resolution == TM_RESOLUTION_THEIRS)
        m->objects.group_of[id] = theirs;
    return tmi_conflict_add(m, &conflict, TM_CONFLICT_PLACE, TM_KIND_LAYER, id, resolution);
}

/*
 * Decides about a group that one side removed with its layers. It stays if a layer in it stays, and it is a
 * conflict if the other side added a layer to it or moved one there.
 */
static tm_status empty_group(tmi_merge *m, uint32_t group)
{
    const tmi_threeway *groups = &m->objects.list[TM_KIND_GROUP], *layers = &m->objects.list[TM_KIND_LAYER];
    const int other = tmi_version_of(groups, group), remover = tmi_other_version(other);
    bool stays = false, put = false;
    if (groups->place[other][group] == TM_NONE)
        return TM_OK;
    for (uint32_t id = 0; id < layers->num_ids; id++) {
        const bool old = id < layers->num[TM_MERGE_BASE];
        if (layers->gone[id] || m->objects.group_of[id] != group)
            continue;
        stays = stays || (old && layers->place[remover][id] == TM_NONE);
        put = put || !old || layers->moved[other][id];
    }
    bool gone = !stays;
    if (gone && put)
        TM_TRY(settle_removal(m, &gone, remover, TM_KIND_GROUP, group));
    groups->gone[group] = gone;
    for (uint32_t id = 0; !gone && !stays && id < layers->num[TM_MERGE_BASE]; id++) {
        if (!layers->gone[id] || group_in(m, other, id) != group)
            continue;
        layers->gone[id] = false;
        m->objects.group_of[id] = group;
    }
    for (uint32_t id = 0; gone && put && id < layers->num_ids; id++) {
        if (layers->gone[id] || m->objects.group_of[id] != group)
            continue;
        m->objects.group_of[id] = group_in(m, remover, id);
        layers->gone[id] = m->objects.group_of[id] == UINT32_MAX;
    }
    return TM_OK;
}

/* Both sides added a physics layer of one kind, of which games allow only one. */
static tm_status find_doubles(tmi_merge *m)
{
    tmi_threeway *threeway = &m->objects.list[TM_KIND_LAYER];
    uint32_t of_ours[TM_LAYER_KINDS];
    memset(of_ours, 0xff, sizeof(of_ours));
    for (uint32_t id = threeway->num[TM_MERGE_BASE]; id < threeway->num_ids; id++) {
        const int version = tmi_version_of(threeway, id);
        const tm_layer *layer = tmi_merge_object_in(m, version, TM_KIND_LAYER, id);
        tmi_conflict *conflict;
        if (tmi_in_both(threeway, id) || !tm_game_layer(layer->kind)->is_physics)
            continue;
        const uint32_t other = of_ours[layer->kind];
        if (version == TM_MERGE_OURS || other == UINT32_MAX) {
            of_ours[layer->kind] = version == TM_MERGE_OURS ? id : other;
            continue;
        }
        const tm_resolution resolution =
            tmi_merge_resolve(m, TM_KIND_LAYER, id, TMI_DELTA_OBJECT, TM_KIND_LAYER);
        const uint32_t kept = resolution == TM_RESOLUTION_THEIRS ? id : other;
        threeway->gone[kept == id ? other : id] = true;
        TM_TRY(tmi_conflict_add(m, &conflict, TM_CONFLICT_ADDED, TM_KIND_LAYER, kept, resolution));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- what is needed */

/* An object that one side removed stays if the other side refers to it. */
static void need(void *ctx, const tm_field *field, int32_t *index)
{
    const tmi_version *role = ctx;
    const tmi_threeway *threeway = &role->objects->list[field->refers];
    if (*index >= 0 && (uint32_t)*index < threeway->num[role->version])
        threeway->gone[threeway->id[role->version][*index]] = false;
}

/* Keeps the objects in the result to which changes of a side refer. */
static tm_status keep_referenced(tmi_merge *m, int side)
{
    const tmi_threeway *layers = &m->objects.list[TM_KIND_LAYER];
    tmi_version role = {&m->objects, side};
    bool any = false; /* something that the side has is gone */
    for (tm_kind list = TM_KIND_IMAGE; list < TM_KIND_GROUP; list++)
        for (uint32_t id = 0; id < m->objects.list[list].num[TM_MERGE_BASE] && !any; id++)
            any = m->objects.list[list].gone[id] && m->objects.list[list].place[side][id] != TM_NONE;
    for (size_t i = 0; any && i < m->patch[side]->num; i++) {
        const tmi_delta *delta = &m->patch[side]->deltas[i];
        if (delta->type == TMI_DELTA_ELEMENT && delta->bytes[TMI_AFTER]) /* reads only */
            tmi_visit_element(delta->owner, (void *)(uintptr_t)delta->bytes[TMI_AFTER], need, &role);
        if (delta->type == TMI_DELTA_FIELD && delta->field->type == TM_TYPE_REFERENCE) {
            int32_t index = (int32_t)delta->value[TMI_AFTER].as.number;
            need(&role, delta->field, &index);
        }
    }
    for (uint32_t id = 0; any && id < layers->num_ids; id++)
        if (!layers->gone[id] && layers->place[side][id] != TM_NONE && !tmi_in_both(layers, id))
            TM_TRY(tmi_read_references(m->maps[side], tmi_merge_object_in(m, side, TM_KIND_LAYER, id), need,
                                       &role, m->error));
    return TM_OK;
}

tm_status tmi_merge_objects(tmi_merge *m)
{
    tmi_threeway *layers = &m->objects.list[TM_KIND_LAYER], *groups = &m->objects.list[TM_KIND_GROUP];
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(cross_base(m, list));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        TM_TRY(find_twins_by(m, list, TMI_HASH_NAMES | TMI_HASH_BLOCKS));
        TM_TRY(find_twins_by(m, list, TMI_HASH_NAMES));
        const int32_t *const sources[] = {NULL, m->patch[TM_MERGE_OURS]->match.pairs[list].other[TMI_AFTER],
                                          m->patch[TM_MERGE_THEIRS]->match.pairs[list].other[TMI_AFTER]};
        TM_TRY(
            tmi_objects_ids(&m->objects, list, sources, &m->cross[list], &m->scratch->match.arena, m->error));
    }
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        TM_TRY(find_changes(m, side));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(find_gone(m, list));
    TM_TRY(tmi_patch_alloc(m->scratch, &m->objects.group_of, layers->num_ids, sizeof(uint32_t), m->error));
    for (uint32_t id = 0; id < layers->num_ids; id++)
        if (!layers->gone[id])
            TM_TRY(find_group_of(m, id));
    for (uint32_t id = 0; id < groups->num[TM_MERGE_BASE]; id++)
        if (groups->gone[id])
            TM_TRY(empty_group(m, id));
    /*
     * A layer that was taken back from a group that is gone may be in one that the other side removed after
     * having taken the layer out of it: that group stays, for this layer.
     */
    for (uint32_t id = 0; id < layers->num_ids; id++)
        if (!layers->gone[id])
            groups->gone[m->objects.group_of[id]] = false;
    TM_TRY(find_doubles(m));
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        TM_TRY(keep_referenced(m, side));
    return TM_OK;
}
