/* SPDX-License-Identifier: Zlib */
/*
 * The order of what a merge has, and a map in which all of it stands: a clone of ours, arranged, with
 * copies of what only theirs has.
 */
#include "merge_maps.h"

/* -------------------------------------------------------------------------------------------------- keys */

const void *tmi_merge_side_object(const tmi_merge *m, int side, tmi_list list, uint32_t id)
{
    const int32_t number = m->list[list].number[side][id];
    if (number == TM_NONE)
        return NULL;
    return tmi_object_at(m->in[side], &m->patch[side]->side[TMI_AFTER], list, (uint32_t)number);
}

const void *tmi_merge_base_object(const tmi_merge *m, tmi_list list, uint32_t id)
{
    if (list != TMI_WHOLE && id >= m->list[list].num_base)
        return NULL;
    return tmi_object_at(m->base, &m->patch[0]->side[TMI_BEFORE], list, id);
}

/* Of objects that one side alone has: in which map and by what labels references are looked up. */
typedef struct key_side {
    const tm_map *map;
    const tmi_side *labels;
} key_side;

static uint64_t hash_fields(uint64_t hash, tm_owner owner, const void *object, const key_side *lone);

/* By what it leads to, since numbers are others on the other side. */
// NOLINTNEXTLINE(misc-no-recursion): what is led to is hashed without `lone`, which ends it
static uint64_t hash_reference(uint64_t hash, const tm_field *field, const void *object, const key_side *in)
{
    const tmi_list list = (tmi_list)field->refers;
    const int64_t number = tm_field_get(field, object, 0).as.number;
    if (number < 0 || number >= in->labels->num[list])
        return tmi_hash_number(hash, -1);
    hash = tmi_hash_text(hash, in->labels->labels[list][number].name);
    return hash_fields(hash, tmi_owner_of_list(list),
                       tmi_object_at(in->map, in->labels, list, (uint32_t)number), NULL);
}

/* All that does not depend on the numbers of other objects; names and references only with `lone`. */
// NOLINTNEXTLINE(misc-no-recursion): see hash_reference
static uint64_t hash_fields(uint64_t hash, tm_owner owner, const void *object, const key_side *lone)
{
    size_t num;
    const tm_field *fields = tm_fields(owner, &num);
    for (size_t i = 0; i < num; i++) {
        const tm_field *field = &fields[i];
        if (field->type == TM_TYPE_BLOCK)
            hash = tmi_hash_number(hash, (int64_t)tmi_block_key(tm_field_get(field, object, 0).as.block));
        else if (lone && field->type == TM_TYPE_REFERENCE && !(field->flags & TM_FIELD_ALIAS))
            hash = hash_reference(hash, field, object, lone);
        else if (lone && field->type == TM_TYPE_NAME)
            hash = tmi_hash_text(hash, tm_field_get(field, object, 0).as.text);
        else if (field->type != TM_TYPE_REFERENCE && field->storage != TM_STORED_POINTER &&
                 field->storage != TM_STORED_CHARS)
            hash = tmi_hash(hash, (const char *)object + field->offset, field->size * field->num_values);
    }
    return hash;
}

static uint64_t hash_layer(uint64_t hash, const tm_layer *layer, const key_side *lone)
{
    hash = hash_fields(hash, TM_OWNER_LAYER, layer, lone);
    return hash_fields(hash, tm_owner_of_layer(layer->kind), layer, lone);
}

/*
 * Of an object of the base as it is there, of others as the side has it that added it. What both added may
 * have other names on either side, and these must not count.
 */
static tmi_order_key key_of_id(const tmi_merge *m, tmi_list list, uint32_t id)
{
    const tmi_merge_list *own = &m->list[list];
    const int side = own->number[TMI_OURS][id] != TM_NONE ? TMI_OURS : TMI_THEIRS;
    const bool base = id < own->num_base;
    const tm_patch *patch = m->patch[base ? 0 : side];
    const int which = base ? TMI_BEFORE : TMI_AFTER;
    const uint32_t number = base ? id : (uint32_t)own->number[side][id];
    const tmi_label *label = &patch->side[which].labels[list][number];
    const void *object = base ? tmi_merge_base_object(m, list, id) : tmi_merge_side_object(m, side, list, id);
    const key_side whose = {m->in[side], &patch->side[which]};
    const key_side *lone = base || own->number[!side][id] != TM_NONE ? NULL : &whose;
    if (list == TMI_LAYERS)
        return (tmi_order_key){0, label->name, hash_layer(TMI_HASH, object, lone)};
    uint64_t hash = hash_fields(TMI_HASH, tmi_owner_of_list(list), object, lone);
    if (list == TMI_GROUPS)
        for (uint32_t i = 0; i < ((const tm_group *)object)->num_layers; i++)
            hash = hash_layer(hash, &((const tm_group *)object)->layers[i], lone);
    if (list == TMI_ENVELOPES)
        hash = tmi_hash(hash, ((const tm_envelope *)object)->points,
                        ((const tm_envelope *)object)->num_points * sizeof(tm_envelope_point));
    return (tmi_order_key){0, label->name, hash};
}

/* ------------------------------------------------------------------------------------------------ lists */

typedef struct line_ctx {
    tmi_merge *m;
    tmi_list list;
    tm_status status;
} line_ctx;

static bool clash(void *ctx, uint32_t id)
{
    line_ctx *of = ctx;
    tmi_merge *m = of->m;
    tmi_conflict *conflict;
    const tm_resolution take =
        tmi_merge_take(m, m->list[of->list].delta[TMI_OURS][id], m->list[of->list].delta[TMI_THEIRS][id]);
    const tm_status status = tmi_conflict_add(m, &conflict, TM_CONFLICT_PLACE, of->list, id,
                                              take == TM_RESOLUTION_BOTH ? TM_RESOLUTION_UNRESOLVED : take);
    of->status = of->status ? of->status : status;
    return take == TM_RESOLUTION_THEIRS;
}

/* Objects first to end - 1 of one version that are in the result, of layers those that are in this group. */
static tm_status take_ids(tmi_merge *m, tmi_sequence *line, tmi_list list, int version, uint32_t group,
                          uint32_t first, uint32_t end)
{
    const tmi_merge_list *own = &m->list[list];
    const int side = version - 1;
    uint32_t *ids;
    bool *moved = NULL;
    TM_TRY(tmi_patch_alloc(m->here, &ids, end - first, sizeof(*ids), m->error));
    TM_TRY(tmi_patch_alloc(m->here, &moved, end - first, sizeof(*moved), m->error));
    for (uint32_t i = first; i < end; i++) {
        const uint32_t id = version == TM_MERGE_BASE ? i : own->id[side][i];
        if (own->gone[id] || (list == TMI_LAYERS && m->group_of[id] != group))
            continue;
        moved[line->num[version]] = version != TM_MERGE_BASE && id < own->num_base && own->delta[side][id];
        ids[line->num[version]++] = id;
    }
    line->ids[version] = ids;
    if (side >= 0)
        line->moved[side] = moved;
    return TM_OK;
}

static tm_status order_ids(tmi_merge *m, tmi_list list, tmi_sequence *line, const tmi_order_key *keys)
{
    tmi_merge_list *own = &m->list[list];
    line_ctx ctx = {m, list, TM_OK};
    line->keys = keys;
    line->clash = clash;
    line->ctx = &ctx;
    line->out = own->order + own->num_final;
    TM_TRY(tmi_merge_sequence(line, m->here, m->error));
    for (uint32_t i = 0; i < line->num_out; i++)
        own->final[line->out[i]] = (int32_t)own->num_final++;
    return ctx.status;
}

/* Only what is new or moved is ever compared by its key. */
static tm_status make_keys(tmi_merge *m, tmi_list list, tmi_order_key **out)
{
    const tmi_merge_list *own = &m->list[list];
    TM_TRY(tmi_patch_alloc(m->here, out, own->num_ids, sizeof(**out), m->error));
    for (uint32_t id = 0; id < own->num_ids; id++)
        if (own->delta[TMI_OURS][id] || own->delta[TMI_THEIRS][id])
            (*out)[id] = key_of_id(m, list, id);
    return TM_OK;
}

static tm_status order_merged_list(tmi_merge *m, tmi_list list)
{
    const tmi_merge_list *own = &m->list[list];
    const uint32_t num[] = {own->num_base, m->patch[0]->side[TMI_AFTER].num[list],
                            m->patch[1]->side[TMI_AFTER].num[list]};
    tmi_sequence line = {0};
    tmi_order_key *keys;
    TM_TRY(tmi_line_items_new(&line.items, own->num_ids, m->here, m->error));
    TM_TRY(make_keys(m, list, &keys));
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        TM_TRY(take_ids(m, &line, list, version, 0, 0, num[version]));
    return order_ids(m, list, &line, keys);
}

/* The layers of a group in one version. */
static tm_status take_layer_ids(tmi_merge *m, tmi_sequence *line, int version, uint32_t group)
{
    const tmi_merge_list *groups = &m->list[TMI_GROUPS];
    const tmi_side *side =
        version == TM_MERGE_BASE ? &m->patch[0]->side[TMI_BEFORE] : &m->patch[version - 1]->side[TMI_AFTER];
    const int32_t number = version != TM_MERGE_BASE   ? groups->number[version - 1][group]
                           : group < groups->num_base ? (int32_t)group
                                                      : TM_NONE;
    if (number == TM_NONE)
        return take_ids(m, line, TMI_LAYERS, version, group, 0, 0);
    return take_ids(m, line, TMI_LAYERS, version, group, side->first_layer[number],
                    side->first_layer[number + 1]);
}

static tm_status order_merged_layers(tmi_merge *m)
{
    const tmi_merge_list *groups = &m->list[TMI_GROUPS];
    tmi_order_key *keys;
    tmi_line_item *items;
    TM_TRY(tmi_line_items_new(&items, m->list[TMI_LAYERS].num_ids, m->here, m->error));
    TM_TRY(make_keys(m, TMI_LAYERS, &keys));
    TM_TRY(
        tmi_patch_alloc(m->here, &m->first_final, (size_t)groups->num_final + 1, sizeof(uint32_t), m->error));
    for (uint32_t g = 0; g < groups->num_final; g++) {
        tmi_sequence line = {.items = items};
        for (int version = 0; version < TM_MERGE_MAPS; version++)
            TM_TRY(take_layer_ids(m, &line, version, groups->order[g]));
        TM_TRY(order_ids(m, TMI_LAYERS, &line, keys));
        m->first_final[g + 1] = m->list[TMI_LAYERS].num_final;
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- references */

int32_t tmi_merge_reference(const tmi_merge *m, int side, tm_object object, int64_t number)
{
    const tmi_merge_list *own = &m->list[object];
    if (number >= 0 && number < m->patch[side]->side[TMI_AFTER].num[object])
        return own->final[own->id[side][number]];
    return number >= 0 && number < own->num_final ? TM_NONE : (int32_t)number;
}

int32_t tmi_merge_base_reference(const tmi_merge *m, tm_object object, int64_t number)
{
    const tmi_merge_list *own = &m->list[object];
    if (number >= 0 && number < own->num_base)
        return own->final[number];
    return number >= 0 && number < own->num_final ? TM_NONE : (int32_t)number;
}

static void bring_theirs(void *ctx, tm_object object, int32_t *index)
{
    *index = tmi_merge_reference(ctx, TMI_THEIRS, object, *index);
}

/*
 * ------------------------------------------------------------------------------------------- the arranged
 * map
 */

void *tmi_merged_object(const tmi_merge *m, tmi_list list, uint32_t id)
{
    if (list == TMI_WHOLE)
        return m->map;
    const int32_t final = m->list[list].final[id];
    switch (final == TM_NONE ? TMI_LISTS : list) {
    case TMI_IMAGES: return &m->map->images[final];
    case TMI_SOUNDS: return &m->map->sounds[final];
    case TMI_ENVELOPES: return &m->map->envelopes[final];
    case TMI_GROUPS: return &m->map->groups[final];
    case TMI_LAYERS: break;
    default: return NULL;
    }
    const uint32_t group = (uint32_t)m->list[TMI_GROUPS].final[m->group_of[id]];
    return &m->map->groups[group].layers[(uint32_t) final - m->first_final[group]];
}

/* All stands where ours has it. */
static bool as_in_ours(const tmi_merge *m, const tmi_arrangement *to)
{
    for (int list = 0; list < TMI_LISTS; list++) {
        const int32_t *from = list == TMI_LAYERS ? to->layers : to->from[list];
        if (m->list[list].num_final != m->patch[0]->side[TMI_AFTER].num[list])
            return false;
        for (uint32_t i = 0; i < m->list[list].num_final; i++)
            if (from[i] != (int32_t)i)
                return false;
    }
    for (uint32_t g = 0; g < m->map->num_groups; g++)
        if (to->num_layers[g] != m->map->groups[g].num_layers)
            return false;
    return true;
}

static tm_status arrange(tmi_merge *m)
{
    tmi_arrangement to = {{NULL}, {0}, NULL, NULL};
    uint32_t *counts;
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_merge_list *own = &m->list[list];
        int32_t *from;
        TM_TRY(tmi_patch_alloc(m->here, &from, own->num_final, sizeof(*from), m->error));
        for (uint32_t i = 0; i < own->num_final; i++)
            from[i] = own->number[TMI_OURS][own->order[i]];
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
    return as_in_ours(m, &to) ? TM_OK : tmi_map_assemble(m->map, &to, m->error);
}

/* The copy is made aside: what fails half way must not be released with the map. */
static tm_status copy_theirs(tmi_merge *m, tmi_list list, uint32_t id)
{
    tmi_any_object copy;
    const tm_owner owner = tmi_owner_of_list(list);
    void *object = tmi_merged_object(m, list, id);
    TM_TRY(tmi_object_copy(m->map, owner, &copy, m->in[TMI_THEIRS],
                           tmi_merge_side_object(m, TMI_THEIRS, list, id), m->error));
    if (list == TMI_GROUPS) {
        copy.group.layers = ((tm_group *)object)->layers;
        copy.group.num_layers = ((tm_group *)object)->num_layers;
    }
    memcpy(object, &copy, tm_owner_size(owner));
    if (list != TMI_LAYERS)
        return TM_OK;
    return tmi_layer_map_references(m->map, object, bring_theirs, m, m->error);
}

tm_status tmi_merge_orders(tmi_merge *m)
{
    for (int list = 0; list < TMI_LAYERS; list++)
        TM_TRY(order_merged_list(m, (tmi_list)list));
    TM_TRY(order_merged_layers(m));
    TM_TRY(arrange(m));
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_merge_list *own = &m->list[list];
        for (uint32_t i = 0; i < own->num_final; i++)
            if (own->number[TMI_OURS][own->order[i]] == TM_NONE)
                TM_TRY(copy_theirs(m, (tmi_list)list, own->order[i]));
    }
    return TM_OK;
}
