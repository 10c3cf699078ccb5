/* SPDX-License-Identifier: Zlib */
/*
 * Which objects a merge has: ids for all of them, what both sides added alike, what is gone, and in which
 * group each layer is.
 */
#include "merge_maps.h"

/* --------------------------------------------------------------------------------------------- both added */

static bool is_added(const tmi_merge *m, int side, tmi_list list, uint32_t number)
{
    return m->patch[side]->pairs[list].other[TMI_AFTER][number] == TM_NONE;
}

static const void *side_object(const tmi_merge *m, int side, tmi_list list, uint32_t number)
{
    return tmi_object_at(m->in[side], &m->patch[side]->side[TMI_AFTER], list, number);
}

/* What is one object of the base is one object of both. */
static tm_status cross_base(tmi_merge *m, tmi_list list)
{
    const tmi_pairs *const pairs[2] = {&m->patch[0]->pairs[list], &m->patch[1]->pairs[list]};
    TM_TRY(tmi_pairs_new(&m->cross[list], pairs[0]->num[TMI_AFTER], pairs[1]->num[TMI_AFTER],
                         tmi_patch_allocator(m->here), m->error));
    for (uint32_t b = 0; b < pairs[0]->num[TMI_BEFORE]; b++)
        if (pairs[0]->other[TMI_BEFORE][b] != TM_NONE && pairs[1]->other[TMI_BEFORE][b] != TM_NONE)
            tmi_pair(&m->cross[list], (uint32_t)pairs[0]->other[TMI_BEFORE][b],
                     (uint32_t)pairs[1]->other[TMI_BEFORE][b]);
    return TM_OK;
}

static const tm_block *layer_block(const tm_layer *layer)
{
    tm_layer own = *layer;
    tm_block **slot = tmi_layer_elements(&own);
    return slot ? *slot : NULL;
}

static uint64_t key_of_layer(const tm_layer *layer, bool exact)
{
    uint64_t key = tmi_hash_number(tmi_hash_text(TMI_HASH, layer->name), (int64_t)layer->kind);
    if (tm_game_layer(layer->kind)->is_tiles)
        key = tmi_hash_number(key, (int64_t)layer->as.tiles.width << 32 | layer->as.tiles.height);
    else
        key = tmi_hash_number(key, tmi_layer_num(layer));
    return exact ? tmi_hash_number(key, (int64_t)tmi_block_key(layer_block(layer))) : key;
}

/* A layer that both added is one only in a group that is one: ours is this number. */
static int64_t group_in_ours(const tmi_merge *m, int side, uint32_t layer)
{
    const uint32_t group = m->patch[side]->side[TMI_AFTER].labels[TMI_LAYERS][layer].group;
    return side == TMI_OURS ? (int64_t)group : m->cross[TMI_GROUPS].other[TMI_THEIRS][group];
}

/* By what an added object is found among those that the other side added; exact: with data as packed. */
static uint64_t key_of_object(const tmi_merge *m, int side, tmi_list list, uint32_t number, bool exact)
{
    const void *object = side_object(m, side, list, number);
    const tm_block *block = NULL;
    uint64_t key = TMI_HASH;
    switch (list) {
    case TMI_IMAGES:
        key = tmi_hash_text(tmi_hash_number(key, ((const tm_image *)object)->width),
                            ((const tm_image *)object)->name);
        block = ((const tm_image *)object)->pixels;
        break;
    case TMI_SOUNDS:
        key = tmi_hash_text(key, ((const tm_sound *)object)->name);
        block = ((const tm_sound *)object)->data;
        break;
    case TMI_ENVELOPES:
        key = tmi_hash_number(tmi_hash_text(key, ((const tm_envelope *)object)->name),
                              ((const tm_envelope *)object)->num_points);
        break;
    case TMI_GROUPS:
        key = tmi_hash_number(tmi_hash_text(key, ((const tm_group *)object)->name),
                              ((const tm_group *)object)->num_layers);
        break;
    default: return tmi_hash_number(key_of_layer(object, exact), group_in_ours(m, side, number));
    }
    return exact ? tmi_hash_number(key, (int64_t)tmi_block_key(block)) : key;
}

static tm_status objects_equal(tmi_merge *m, bool *equal, tmi_list list, uint32_t ours, uint32_t theirs)
{
    const uint32_t number[2] = {ours, theirs};
    const void *const object[2] = {side_object(m, TMI_OURS, list, ours),
                                   side_object(m, TMI_THEIRS, list, theirs)};
    tmi_differ differ = {.map = {m->in[0], m->in[1]}, .pairs = m->cross, .patch = m->here, .error = m->error};
    const size_t num = m->here->num;
    *equal = false;
    if (list == TMI_LAYERS && ((const tm_layer *)object[0])->kind != ((const tm_layer *)object[1])->kind)
        return TM_OK;
    TM_TRY(tmi_diff_objects(&differ, list, number, object));
    *equal = m->here->num == num;
    return TM_OK;
}

/* Groups are one only with all of their layers. */
static tm_status groups_equal(tmi_merge *m, bool *equal, uint32_t ours, uint32_t theirs)
{
    const tmi_side *const side[2] = {&m->patch[0]->side[TMI_AFTER], &m->patch[1]->side[TMI_AFTER]};
    uint32_t a = side[0]->first_layer[ours], b = side[1]->first_layer[theirs];
    TM_TRY(objects_equal(m, equal, TMI_GROUPS, ours, theirs));
    *equal = *equal && side[0]->first_layer[ours + 1] - a == side[1]->first_layer[theirs + 1] - b;
    for (; *equal && a < side[0]->first_layer[ours + 1]; a++, b++) {
        const bool added = is_added(m, TMI_OURS, TMI_LAYERS, a) && is_added(m, TMI_THEIRS, TMI_LAYERS, b);
        if (added)
            TM_TRY(objects_equal(m, equal, TMI_LAYERS, a, b));
        else
            *equal = m->cross[TMI_LAYERS].other[TMI_OURS][a] == (int32_t)b;
    }
    return TM_OK;
}

/* The layers of two groups that are one. */
static void pair_layers_of(tmi_merge *m, uint32_t ours, uint32_t theirs)
{
    const tmi_side *const side[2] = {&m->patch[0]->side[TMI_AFTER], &m->patch[1]->side[TMI_AFTER]};
    uint32_t a = side[0]->first_layer[ours], b = side[1]->first_layer[theirs];
    for (; a < side[0]->first_layer[ours + 1]; a++, b++)
        tmi_pair(&m->cross[TMI_LAYERS], a, b);
}

/* The pairs that keys have found are looked at closely. */
static tm_status keep_equal(tmi_merge *m, tmi_list list, const bool *known)
{
    tmi_pairs *cross = &m->cross[list];
    for (uint32_t i = 0; i < cross->num[TMI_OURS]; i++) {
        const int32_t other = cross->other[TMI_OURS][i];
        bool equal = false;
        if (other == TM_NONE || known[i])
            continue;
        if (list == TMI_GROUPS)
            TM_TRY(groups_equal(m, &equal, i, (uint32_t)other));
        else
            TM_TRY(objects_equal(m, &equal, list, i, (uint32_t)other));
        if (equal && list == TMI_GROUPS)
            pair_layers_of(m, i, (uint32_t)other);
        if (equal)
            continue;
        cross->other[TMI_OURS][i] = TM_NONE;
        cross->other[TMI_THEIRS][other] = TM_NONE;
    }
    return TM_OK;
}

static tm_status find_twins_by(tmi_merge *m, tmi_list list, bool exact)
{
    tmi_pairs *cross = &m->cross[list];
    uint64_t *keys[2];
    bool *known;
    bool any = true;
    TM_TRY(tmi_patch_alloc(m->here, &known, cross->num[TMI_OURS], sizeof(*known), m->error));
    for (int side = 0; side < 2; side++) {
        bool some = false;
        TM_TRY(tmi_patch_alloc(m->here, &keys[side], cross->num[side], sizeof(uint64_t), m->error));
        for (uint32_t i = 0; any && i < cross->num[side]; i++) {
            if (cross->other[side][i] != TM_NONE || !is_added(m, side, list, i))
                continue;
            keys[side][i] = key_of_object(m, side, list, i, exact) | 1;
            some = true;
        }
        any = some;
    }
    for (uint32_t i = 0; i < cross->num[TMI_OURS]; i++)
        known[i] = cross->other[TMI_OURS][i] != TM_NONE;
    if (!any)
        return TM_OK;
    TM_TRY(tmi_pair_keys(cross, keys, TMI_KEY_NTH, tmi_patch_allocator(m->here), m->error));
    return keep_equal(m, list, known);
}

/* -------------------------------------------------------------------------------------------------- ids */

static tm_status give_ids(tmi_merge *m, tmi_list list)
{
    tmi_merge_list *own = &m->list[list];
    const tmi_pairs *cross = &m->cross[list];
    uint32_t next = own->num_base;
    for (int side = 0; side < 2; side++) {
        const tmi_pairs *pairs = &m->patch[side]->pairs[list];
        for (uint32_t i = 0; i < pairs->num[TMI_AFTER]; i++) {
            const int32_t from = pairs->other[TMI_AFTER][i];
            const int32_t twin = side == TMI_THEIRS ? cross->other[TMI_THEIRS][i] : TM_NONE;
            const uint32_t id = from != TM_NONE   ? (uint32_t)from
                                : twin != TM_NONE ? own->id[TMI_OURS][twin]
                                                  : next++;
            own->id[side][i] = id;
            own->number[side][id] = (int32_t)i;
        }
    }
    own->num_ids = next;
    return TM_OK;
}

static void find_ranges(tmi_merge *m, int side)
{
    const tm_patch *patch = m->patch[side];
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        const uint32_t before = delta->number[TMI_BEFORE], after = delta->number[TMI_AFTER];
        tmi_merge_range *range = &m->whole[side];
        if (delta->list != TMI_WHOLE) {
            tmi_merge_list *list = &m->list[delta->list];
            range = before == TMI_NOWHERE ? NULL : &list->range[side][before];
            if (delta->type == TMI_DELTA_OBJECT)
                list->delta[side][before == TMI_NOWHERE ? list->id[side][after] : before] = delta;
        }
        if (range && range->num == 0)
            range->first = i;
        if (range)
            range->num++;
    }
}

static tm_status start_list(tmi_merge *m, tmi_list list)
{
    tmi_merge_list *own = &m->list[list];
    const tmi_pairs *const pairs[2] = {&m->patch[0]->pairs[list], &m->patch[1]->pairs[list]};
    const size_t room =
        (size_t)pairs[0]->num[TMI_BEFORE] + pairs[0]->num[TMI_AFTER] + pairs[1]->num[TMI_AFTER];
    own->num_base = pairs[0]->num[TMI_BEFORE];
    if (room > INT32_MAX)
        return tmi_fail(m->error, TM_ERROR_LIMIT, -1, "too many objects to be merged");
    for (int side = 0; side < 2; side++) {
        TM_TRY(tmi_patch_alloc(m->here, &own->id[side], pairs[side]->num[TMI_AFTER], sizeof(uint32_t),
                               m->error));
        TM_TRY(tmi_patch_alloc(m->here, &own->number[side], room, sizeof(int32_t), m->error));
        TM_TRY(tmi_patch_alloc(m->here, &own->delta[side], room, sizeof(tmi_delta *), m->error));
        TM_TRY(tmi_patch_alloc(m->here, &own->range[side], own->num_base, sizeof(tmi_merge_range), m->error));
        for (size_t i = 0; i < room; i++)
            own->number[side][i] = TM_NONE;
    }
    TM_TRY(tmi_patch_alloc(m->here, &own->gone, room, sizeof(bool), m->error));
    TM_TRY(tmi_patch_alloc(m->here, &own->order, room, sizeof(uint32_t), m->error));
    TM_TRY(tmi_patch_alloc(m->here, &own->final, room, sizeof(int32_t), m->error));
    for (size_t i = 0; i < room; i++)
        own->final[i] = TM_NONE;
    return TM_OK;
}

/*
 * -------------------------------------------------------------------------------------------------
 * removed
 */

/* A change of what is in an object. */
static const tmi_delta *change_within(const tmi_merge *m, int side, tmi_list list, uint32_t id)
{
    const tmi_merge_range range = m->list[list].range[side][id];
    for (size_t i = range.first; i < range.first + range.num; i++)
        if (m->patch[side]->deltas[i].type != TMI_DELTA_OBJECT)
            return &m->patch[side]->deltas[i];
    return NULL;
}

static uint32_t side_group(const tmi_merge *m, int side, uint32_t layer)
{
    return m->list[TMI_GROUPS].id[side][m->patch[side]->side[TMI_AFTER].labels[TMI_LAYERS][layer].group];
}

static uint32_t base_group(const tmi_merge *m, uint32_t layer)
{
    return m->patch[0]->side[TMI_BEFORE].labels[TMI_LAYERS][layer].group;
}

/* A layer that went to another group. */
static const tmi_delta *change_of_group(const tmi_merge *m, int side, tmi_list list, uint32_t id)
{
    const int32_t number = m->list[list].number[side][id];
    if (list != TMI_LAYERS || number == TM_NONE || side_group(m, side, (uint32_t)number) == base_group(m, id))
        return NULL;
    return m->list[list].delta[side][id];
}

/* `remover` removed what the other side changed; *gone: it is removed all the same. */
static tm_status settle_removal(tmi_merge *m, bool *gone, int remover, tmi_list list, uint32_t id,
                                const tmi_delta *change)
{
    const tmi_delta *removal = m->list[list].delta[remover][id];
    tmi_conflict *conflict;
    const tm_resolution take =
        remover == TMI_OURS ? tmi_merge_take(m, removal, change) : tmi_merge_take(m, change, removal);
    *gone = take == (remover == TMI_OURS ? TM_RESOLUTION_OURS : TM_RESOLUTION_THEIRS);
    return tmi_conflict_add(m, &conflict, TM_CONFLICT_REMOVED, list, id, take);
}

/* One side removed a layer with its group, which stays for the sake of what the other side did to it. */
static bool group_stays(const tmi_merge *m, int remover, tmi_list list, uint32_t id)
{
    const tmi_merge_list *groups = &m->list[TMI_GROUPS];
    if (list != TMI_LAYERS)
        return false;
    const uint32_t group = base_group(m, id);
    return groups->number[remover][group] == TM_NONE && !groups->gone[group];
}

static tm_status find_gone(tmi_merge *m, tmi_list list)
{
    tmi_merge_list *own = &m->list[list];
    for (uint32_t id = 0; id < own->num_base; id++) {
        const bool ours = own->number[TMI_OURS][id] != TM_NONE,
                   theirs = own->number[TMI_THEIRS][id] != TM_NONE;
        if (ours && theirs)
            continue;
        own->gone[id] = true;
        if (!ours && !theirs)
            continue;
        const int remover = ours ? TMI_THEIRS : TMI_OURS;
        const tmi_delta *change = change_within(m, !remover, list, id);
        if (group_stays(m, remover, list, id)) {
            own->gone[id] = false;
            continue;
        }
        if (!change)
            change = change_of_group(m, !remover, list, id);
        if (change)
            TM_TRY(settle_removal(m, &own->gone[id], remover, list, id, change));
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------- groups of layers */

static tm_status find_group_of(tmi_merge *m, uint32_t id)
{
    const tmi_merge_list *own = &m->list[TMI_LAYERS];
    uint32_t group[2] = {UINT32_MAX, UINT32_MAX};
    tmi_conflict *conflict;
    for (int side = 0; side < 2; side++)
        if (own->number[side][id] != TM_NONE)
            group[side] = side_group(m, side, (uint32_t)own->number[side][id]);
    m->group_of[id] = group[group[TMI_OURS] == UINT32_MAX ? TMI_THEIRS : TMI_OURS];
    if (group[0] == UINT32_MAX || group[1] == UINT32_MAX || group[0] == group[1])
        return TM_OK;
    if (id < own->num_base && group[TMI_OURS] == base_group(m, id)) {
        m->group_of[id] = group[TMI_THEIRS];
    } else if (id >= own->num_base || group[TMI_THEIRS] != base_group(m, id)) {
        const tm_resolution take = tmi_merge_take(m, own->delta[TMI_OURS][id], own->delta[TMI_THEIRS][id]);
        if (take == TM_RESOLUTION_THEIRS)
            m->group_of[id] = group[TMI_THEIRS];
        return tmi_conflict_add(m, &conflict, TM_CONFLICT_PLACE, TMI_LAYERS, id,
                                take == TM_RESOLUTION_BOTH ? TM_RESOLUTION_UNRESOLVED : take);
    }
    return TM_OK;
}

/*
 * A group that one side removed, with all layers that were in it, has something in it on the other side: a
 * layer that was put there, or one that stays for another reason.
 */
static tm_status empty_group(tmi_merge *m, uint32_t group)
{
    if (m->list[TMI_GROUPS].number[TMI_OURS][group] == TM_NONE &&
        m->list[TMI_GROUPS].number[TMI_THEIRS][group] == TM_NONE)
        return TM_OK;
    const tmi_merge_list *groups = &m->list[TMI_GROUPS], *layers = &m->list[TMI_LAYERS];
    const int remover = groups->number[TMI_OURS][group] == TM_NONE ? TMI_OURS : TMI_THEIRS;
    const tmi_delta *put = NULL;
    bool stays = false;
    for (uint32_t id = 0; id < layers->num_ids; id++) {
        if (layers->gone[id] || m->group_of[id] != group)
            continue;
        stays = stays || (id < layers->num_base && layers->number[remover][id] == TM_NONE);
        put = put ? put : layers->delta[!remover][id];
    }
    bool gone = !stays;
    if (!stays && put)
        TM_TRY(settle_removal(m, &gone, remover, TMI_GROUPS, group, put));
    m->list[TMI_GROUPS].gone[group] = gone;
    for (uint32_t id = 0; !gone && !stays && id < layers->num_base; id++) {
        const int32_t number = layers->number[!remover][id];
        if (!layers->gone[id] || number == TM_NONE || side_group(m, !remover, (uint32_t)number) != group)
            continue;
        layers->gone[id] = false;
        m->group_of[id] = group;
    }
    for (uint32_t id = 0; gone && put && id < layers->num_ids; id++) {
        if (layers->gone[id] || m->group_of[id] != group)
            continue;
        if (layers->number[remover][id] == TM_NONE)
            layers->gone[id] = true;
        else
            m->group_of[id] = side_group(m, remover, (uint32_t)layers->number[remover][id]);
    }
    return TM_OK;
}

/*
 * A layer that was taken back from a group that is gone may be in one that the other side removed after
 * having taken the layer out of it: that group stays, for this layer.
 */
static void keep_filled_groups(tmi_merge *m)
{
    const tmi_merge_list *layers = &m->list[TMI_LAYERS];
    for (uint32_t id = 0; id < layers->num_ids; id++)
        if (!layers->gone[id])
            m->list[TMI_GROUPS].gone[m->group_of[id]] = false;
}

/* Games have one layer of each kind of physics. */
static tm_status find_doubles(tmi_merge *m)
{
    tmi_merge_list *own = &m->list[TMI_LAYERS];
    uint32_t of_ours[TM_LAYER_KINDS];
    memset(of_ours, 0xff, sizeof(of_ours));
    for (uint32_t id = own->num_base; id < own->num_ids; id++) {
        const bool ours = own->number[TMI_OURS][id] != TM_NONE, both = own->number[TMI_THEIRS][id] != TM_NONE;
        const tm_layer *layer = tmi_merge_side_object(m, ours ? TMI_OURS : TMI_THEIRS, TMI_LAYERS, id);
        tmi_conflict *conflict;
        if ((ours && both) || !tm_game_layer(layer->kind)->is_physics)
            continue;
        if (ours || of_ours[layer->kind] == UINT32_MAX) {
            of_ours[layer->kind] = ours ? id : of_ours[layer->kind];
            continue;
        }
        const uint32_t other = of_ours[layer->kind];
        tm_resolution take = tmi_merge_take(m, own->delta[TMI_OURS][other], own->delta[TMI_THEIRS][id]);
        take = take == TM_RESOLUTION_BOTH ? TM_RESOLUTION_UNRESOLVED : take;
        own->gone[take == TM_RESOLUTION_THEIRS ? other : id] = true;
        TM_TRY(tmi_conflict_add(m, &conflict, TM_CONFLICT_ADDED, TMI_LAYERS,
                                take == TM_RESOLUTION_THEIRS ? id : other, take));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- what is needed */

typedef struct needing {
    tmi_merge *m;
    int side;
} needing;

/* What one side removed since it had no use for it stays when the other side uses it anew. */
static void need(void *ctx, tm_object object, int32_t *index)
{
    const needing *of = ctx;
    tmi_merge_list *own = &of->m->list[object];
    if (*index >= 0 && *index < (int64_t)of->m->patch[of->side]->side[TMI_AFTER].num[object])
        own->gone[own->id[of->side][*index]] = false;
}

static void need_number(needing *of, const tm_field *field, int64_t number)
{
    int32_t index = (int32_t)number;
    if (field->type == TM_TYPE_REFERENCE && !(field->flags & TM_FIELD_ALIAS))
        need(of, field->refers, &index);
}

static tm_status need_by_layer(needing *of, uint32_t id)
{
    tm_layer own = *(const tm_layer *)tmi_merge_side_object(of->m, of->side, TMI_LAYERS, id);
    tmi_borrowed loan;
    tmi_visit_references(&own, need, of);
    if (!tmi_referring_block(&own))
        return TM_OK;
    TM_TRY(tmi_borrowed_open(&loan, of->m->in[of->side], tmi_referring_block(&own), of->m->error));
    tmi_visit_packed_references(&own, (void *)(uintptr_t)loan.bytes, need, of); /* reads only */
    tmi_borrowed_close(&loan);
    return TM_OK;
}

static tm_status find_needs(tmi_merge *m, int side)
{
    const tmi_merge_list *layers = &m->list[TMI_LAYERS];
    needing of = {m, side};
    for (size_t i = 0; i < m->patch[side]->num; i++) {
        const tmi_delta *delta = &m->patch[side]->deltas[i];
        size_t num = 0;
        const tm_field *fields = delta->type == TMI_DELTA_ELEMENT && delta->bytes[TMI_AFTER]
                                     ? tm_fields(delta->owner, &num)
                                     : NULL;
        if (delta->type == TMI_DELTA_FIELD)
            need_number(&of, delta->field, delta->value[TMI_AFTER].as.number);
        for (size_t f = 0; f < num; f++)
            need_number(&of, &fields[f], tm_field_get(&fields[f], delta->bytes[TMI_AFTER], 0).as.number);
    }
    for (uint32_t id = 0; id < layers->num_ids; id++)
        if (!layers->gone[id] && layers->number[side][id] != TM_NONE && layers->number[!side][id] == TM_NONE)
            TM_TRY(need_by_layer(&of, id));
    return TM_OK;
}

static bool anything_gone(const tmi_merge *m, int side)
{
    for (int list = 0; list < TMI_GROUPS; list++)
        for (uint32_t id = 0; id < m->list[list].num_base; id++)
            if (m->list[list].gone[id] && m->list[list].number[side][id] != TM_NONE)
                return true;
    return false;
}

/* ---------------------------------------------------------------------------------------------- the whole */

tm_status tmi_merge_objects(tmi_merge *m)
{
    for (int list = 0; list < TMI_LISTS; list++) {
        TM_TRY(cross_base(m, (tmi_list)list));
        TM_TRY(start_list(m, (tmi_list)list));
    }
    for (int list = 0; list < TMI_LISTS; list++) {
        TM_TRY(find_twins_by(m, (tmi_list)list, true));
        TM_TRY(find_twins_by(m, (tmi_list)list, false));
        TM_TRY(give_ids(m, (tmi_list)list));
    }
    for (int side = 0; side < 2; side++)
        find_ranges(m, side);
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(find_gone(m, (tmi_list)list));
    TM_TRY(tmi_patch_alloc(m->here, &m->group_of, m->list[TMI_LAYERS].num_ids, sizeof(uint32_t), m->error));
    for (uint32_t id = 0; id < m->list[TMI_LAYERS].num_ids; id++)
        if (!m->list[TMI_LAYERS].gone[id])
            TM_TRY(find_group_of(m, id));
    for (uint32_t id = 0; id < m->list[TMI_GROUPS].num_base; id++)
        if (m->list[TMI_GROUPS].gone[id])
            TM_TRY(empty_group(m, id));
    keep_filled_groups(m);
    TM_TRY(find_doubles(m));
    for (int side = 0; side < 2; side++)
        if (anything_gone(m, side))
            TM_TRY(find_needs(m, side));
    return TM_OK;
}
