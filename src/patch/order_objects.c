/* SPDX-License-Identifier: Zlib */
/*
 * Finds the objects of a patch in a map: at their old position, if the object there has the name and the kind
 * that the patch knows, else the nearest object with these. Objects without a change are only needed to find
 * positions between them.
 *
 * The objects of a result, in order: those of two versions of a base (merge_sequence.c). Applying a patch is
 * such a merge: the base is its side BEFORE, ours is the map, theirs is its side AFTER. Objects that the
 * patch adds or moves come behind the object that is before them on the side AFTER. If nothing else has
 * changed in a list, its order becomes that of AFTER.
 */
#include "apply.h"

/* ---------------------------------------------------------------------------- the objects of a patch here */

/* Whether object `number` of this map exists in `group` (TM_NONE: any), fits the label and is not paired. */
static bool may_take(const tmi_apply *at, tmi_list list, const tmi_label *label, int64_t number,
                     int32_t group)
{
    const tmi_side *here = &at->here->match.side[TMI_BEFORE];
    if (number < 0 || number >= here->num[list] || at->place[list].other[TMI_AFTER][number] != TM_NONE)
        return false;
    const tmi_label *own = &here->labels[list][number];
    return (group == TM_NONE || own->group == (uint32_t)group) &&
           (!label->name || (label->kind == own->kind && strcmp(label->name, own->name) == 0));
}

enum { FAR = 10000 }; /* objects that are looked at on either side */

/* Pairs object `before` of the patch with the nearest to number `around` here that may_take accepts. */
static void take_nearest(tmi_apply *at, tmi_list list, uint32_t before, int64_t around, int32_t group)
{
    const tmi_label *label = &at->patch->match.side[TMI_BEFORE].labels[list][before];
    int64_t i = 0;
    while (i < 2 * FAR - 1 && !may_take(at, list, label, around - tmi_outward(i), group))
        i++;
    if (i < 2 * FAR - 1)
        tmi_pair(&at->place[list], before, (uint32_t)(around - tmi_outward(i)));
}

/*
 * Finds the objects of one list here. First those that the patch changes: at their old index (of layers in
 * their group), then by name, in their group and anywhere. Last, if there are as many objects here as the
 * patch knows, the others at their old index.
 */
static void find_in_list(tmi_apply *at, tmi_list list)
{
    const tmi_side *side = &at->patch->match.side[TMI_BEFORE], *here = &at->here->match.side[TMI_BEFORE];
    const bool layers = list == TMI_LAYERS;
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < side->num[list]; i++) {
            const tmi_label *label = &side->labels[list][i];
            const int32_t group = layers ? at->place[TMI_GROUPS].other[TMI_BEFORE][label->group] : TM_NONE;
            bool as_many = !layers && side->num[list] == here->num[list];
            if (group != TM_NONE)
                as_many = here->first_layer[group + 1] - here->first_layer[group] ==
                          side->first_layer[label->group + 1] - side->first_layer[label->group];
            int64_t old_place = layers ? TM_NONE : (int64_t)i;
            if (group != TM_NONE)
                old_place = (int64_t)here->first_layer[group] + tmi_layer_index(side, i);
            if (at->place[list].other[TMI_BEFORE][i] != TM_NONE)
                continue;
            if ((round == 0 ? label->used : round == 3 && as_many) &&
                may_take(at, list, label, old_place, group))
                tmi_pair(&at->place[list], i, (uint32_t)old_place);
            if (round == 1 && group != TM_NONE && label->used && label->name)
                take_nearest(at, list, i, old_place, group);
            if (round == 2 && label->used && label->name && *label->name)
                take_nearest(at, list, i, i, TM_NONE);
        }
    }
}

tm_status tmi_apply_find(tmi_apply *at)
{
    TM_TRY(tmi_side_of_map(&at->here->match.side[TMI_BEFORE], at->map, &at->here->match.arena, at->error));
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_pairs_new(&at->place[list], at->patch->match.side[TMI_BEFORE].num[list],
                             at->here->match.side[TMI_BEFORE].num[list], &at->here->match.arena, at->error));
    for (int list = 0; list < TMI_LISTS; list++)
        find_in_list(at, (tmi_list)list);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- the result */

tm_status tmi_objects_ids(tmi_objects *objects, tmi_list list, const int32_t *const from[TMI_VERSIONS],
                          const tmi_pairs *cross, tmi_arena *arena, tm_error *error)
{
    uint32_t num[TMI_VERSIONS];
    for (int version = 0; version < TMI_VERSIONS; version++)
        num[version] = objects->side[version]->num[list];
    return tmi_threeway_new(&objects->list[list], num, from, cross, arena, error);
}

tm_status tmi_objects_order(tmi_objects *objects, tmi_list list, const tmi_part *how, tmi_arena *arena,
                            tm_error *error)
{
    tmi_threeway *own = &objects->list[list];
    const tmi_threeway *groups = &objects->list[TMI_GROUPS];
    tmi_part part = *how;
    memcpy(part.end, own->num, sizeof(part.end));
    if (list != TMI_LAYERS)
        return tmi_threeway_order(own, &part, arena, error);
    TM_TRY(tmi_take(arena, &objects->first_layer, (size_t)groups->num_final + 1, sizeof(uint32_t), error));
    part.group_of = objects->group_of;
    for (uint32_t g = 0; g < groups->num_final; g++) { /* the layers of a group in each version */
        part.group = groups->order[g];
        for (int version = 0; version < TMI_VERSIONS; version++) {
            const int32_t number = groups->place[version][part.group];
            part.first[version] = number == TM_NONE ? 0 : objects->side[version]->first_layer[number];
            part.end[version] = number == TM_NONE ? 0 : objects->side[version]->first_layer[number + 1];
        }
        TM_TRY(tmi_threeway_order(own, &part, arena, error));
        objects->first_layer[g + 1] = own->num_final;
    }
    return TM_OK;
}

/* `map`, a clone of ours, gets the objects of the result in their order; those it lacks start as new. */
tm_status tmi_objects_arrange(const tmi_objects *objects, tm_map *map, tmi_arena *arena, tm_error *error)
{
    tmi_arrangement to = {{NULL}, {0}, NULL, NULL};
    uint32_t *counts;
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_threeway *own = &objects->list[list];
        int32_t *from;
        TM_TRY(tmi_take(arena, &from, own->num_final, sizeof(*from), error));
        for (uint32_t i = 0; i < own->num_final; i++)
            from[i] = own->place[TMI_OURS][own->order[i]];
        if (list == TMI_LAYERS) {
            to.layers = from;
        } else {
            to.old_indices[list] = from;
            to.num[list] = own->num_final;
        }
    }
    TM_TRY(tmi_take(arena, &counts, to.num[TMI_GROUPS], sizeof(*counts), error));
    for (uint32_t g = 0; g < to.num[TMI_GROUPS]; g++)
        counts[g] = objects->first_layer[g + 1] - objects->first_layer[g];
    to.num_layers = counts;
    return tmi_map_assemble(map, &to, error);
}

bool tmi_objects_address(const tmi_objects *objects, tmi_list list, uint32_t id, tm_address *at)
{
    const int32_t final = list == TMI_WHOLE ? 0 : objects->list[list].final[id];
    *at = (tm_address){tmi_address_of_list(list), (uint32_t) final, 0};
    if (final != TM_NONE && list == TMI_LAYERS) {
        at->index = (uint32_t)objects->list[TMI_GROUPS].final[objects->group_of[id]];
        at->layer = (uint32_t) final - objects->first_layer[at->index];
    }
    return final != TM_NONE;
}

void *tmi_objects_struct(const tmi_objects *objects, tm_map *map, tmi_list list, uint32_t id)
{
    tm_address at;
    tm_owner owner;
    return tmi_objects_address(objects, list, id, &at) ? tmi_map_object_edit(map, &at, &owner) : NULL;
}

int32_t tmi_objects_reference(const tmi_objects *objects, int version, tm_object object, int64_t number)
{
    const tmi_threeway *own = &objects->list[object];
    if (number >= 0 && number < own->num[version])
        return own->final[own->id[version][number]];
    return number >= 0 && number < own->num_final ? TM_NONE : (int32_t)number;
}

void tmi_objects_bring(void *version, const tm_field *field, int32_t *index)
{
    const tmi_version *of = version;
    *index = tmi_objects_reference(of->objects, of->version, field->refers, *index);
}

/* ----------------------------------------------------------------------------------- of a patch and a map */

/* Adds, removes and moves objects, as far as these changes fit. */
static tm_status change_objects(tmi_apply *at)
{
    tmi_objects *objects = &at->objects;
    tmi_threeway *layers = &objects->list[TMI_LAYERS], *groups = &objects->list[TMI_GROUPS];
    const tmi_label *here = objects->side[TMI_OURS]->labels[TMI_LAYERS],
                    *after = objects->side[TMI_THEIRS]->labels[TMI_LAYERS];
    TM_TRY(tmi_patch_alloc(at->here, &objects->group_of, layers->num_ids, sizeof(uint32_t), at->error));
    for (uint32_t i = 0; i < layers->num[TMI_OURS]; i++)
        objects->group_of[layers->id[TMI_OURS][i]] = groups->id[TMI_OURS][here[i].group];
    for (size_t i = 0; i < at->patch->num; i++) {
        const tmi_delta *delta = &at->patch->deltas[i];
        if (delta->type != TMI_DELTA_OBJECT || !at->fits[i].fits)
            continue;
        tmi_threeway *own = &objects->list[delta->list];
        const uint32_t number = delta->number[TMI_AFTER];
        const bool removed = number == TMI_NOWHERE;
        const uint32_t id = removed ? delta->number[TMI_BEFORE] : own->id[TMI_THEIRS][number];
        own->gone[id] = removed;
        own->moved[TMI_THEIRS][id] = !removed;
        if (delta->list == TMI_LAYERS && !removed)
            objects->group_of[id] = groups->id[TMI_THEIRS][after[number].group];
    }
    return TM_OK;
}

tm_status tmi_apply_order(tmi_apply *at)
{
    const tmi_side *const side[] = {&at->patch->match.side[TMI_BEFORE], &at->here->match.side[TMI_BEFORE],
                                    &at->patch->match.side[TMI_AFTER]};
    const tmi_part theirs_first = {.keys = NULL};
    const tmi_objects *objects = &at->objects;
    const tmi_threeway *groups = &objects->list[TMI_GROUPS];
    memcpy(at->objects.side, side, sizeof(side));
    for (int list = 0; list < TMI_LISTS; list++) { /* the result has the map's objects, before any change */
        tmi_threeway *own = &at->objects.list[list];
        const int32_t *const from[] = {NULL, at->place[list].other[TMI_AFTER],
                                       at->patch->match.pairs[list].other[TMI_AFTER]};
        TM_TRY(tmi_objects_ids(&at->objects, (tmi_list)list, from, NULL, &at->here->match.arena, at->error));
        for (uint32_t id = 0; id < own->num_ids; id++)
            own->gone[id] = own->place[TMI_OURS][id] == TM_NONE;
    }
    TM_TRY(change_objects(at));
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_threeway *own = &objects->list[list];
        const tmi_label *labels = side[TMI_THEIRS]->labels[list];
        int32_t highest = TM_NONE;
        /* what the patch does not move stays where it is, also if the map has it in another order */
        for (uint32_t i = 0; i < own->num[TMI_THEIRS]; i++) {
            const uint32_t id = own->id[TMI_THEIRS][i];
            const int32_t here = own->place[TMI_OURS][id];
            if (list == TMI_LAYERS && i && labels[i].group != labels[i - 1].group)
                highest = TM_NONE;
            if (own->gone[id] || own->moved[TMI_THEIRS][id] ||
                (list == TMI_LAYERS && objects->group_of[id] != groups->id[TMI_THEIRS][labels[i].group]))
                continue;
            own->moved[TMI_OURS][id] = here < highest;
            highest = here > highest ? here : highest;
        }
        TM_TRY(tmi_objects_order(&at->objects, (tmi_list)list, &theirs_first, &at->here->match.arena,
                                 at->error));
    }
    return tmi_objects_arrange(&at->objects, at->map, &at->here->match.arena, at->error);
}
