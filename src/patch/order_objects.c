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

/*
 * Whether the map has an unpaired object of this number, in this group (TM_NONE: in any), that fits the
 * label.
 */
static bool fits_label(const tmi_apply *apply, tm_kind list, const tmi_label *label, int64_t number,
                       int32_t group)
{
    const tmi_side *current = &apply->current->match.side[TMI_BEFORE];
    if (number < 0 || number >= current->num[list] || apply->place[list].other[TMI_AFTER][number] != TM_NONE)
        return false;
    const tmi_label *candidate = &current->labels[list][number];
    return (group == TM_NONE || candidate->group == (uint32_t)group) &&
           (!label->name || (label->kind == candidate->kind && strcmp(label->name, candidate->name) == 0));
}

enum { FAR = 10000 }; /* objects that are looked at on either side */

/* Pairs object `before` of the patch with the nearest to number `around` here whose label fits. */
static void pair_nearest(tmi_apply *apply, tm_kind list, uint32_t before, int64_t around, int32_t group)
{
    const tmi_label *label = &apply->patch->match.side[TMI_BEFORE].labels[list][before];
    int64_t i = 0;
    while (i < 2 * FAR - 1 && !fits_label(apply, list, label, around - tmi_outward(i), group))
        i++;
    if (i < 2 * FAR - 1)
        tmi_pair(&apply->place[list], before, (uint32_t)(around - tmi_outward(i)));
}

/*
 * Finds the objects of one list here. First those that the patch changes: at their old index (of layers in
 * their group), then by name, in their group and anywhere. Last, if there are as many objects here as the
 * patch knows, the others at their old index.
 */
static void find_in_list(tmi_apply *apply, tm_kind list)
{
    const tmi_side *side = &apply->patch->match.side[TMI_BEFORE],
                   *current = &apply->current->match.side[TMI_BEFORE];
    const bool layers = list == TM_KIND_LAYER;
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < side->num[list]; i++) {
            const tmi_label *label = &side->labels[list][i];
            const int32_t group =
                layers ? apply->place[TM_KIND_GROUP].other[TMI_BEFORE][label->group] : TM_NONE;
            bool as_many = !layers && side->num[list] == current->num[list];
            if (group != TM_NONE)
                as_many = current->first_layer[group + 1] - current->first_layer[group] ==
                          side->first_layer[label->group + 1] - side->first_layer[label->group];
            int64_t old_place = layers ? TM_NONE : (int64_t)i;
            if (group != TM_NONE)
                old_place = (int64_t)current->first_layer[group] + tmi_layer_index(side, i);
            if (apply->place[list].other[TMI_BEFORE][i] != TM_NONE)
                continue;
            if ((round == 0 ? label->used : round == 3 && as_many) &&
                fits_label(apply, list, label, old_place, group))
                tmi_pair(&apply->place[list], i, (uint32_t)old_place);
            if (round == 1 && group != TM_NONE && label->used && label->name)
                pair_nearest(apply, list, i, old_place, group);
            if (round == 2 && label->used && label->name && *label->name)
                pair_nearest(apply, list, i, i, TM_NONE);
        }
    }
}

tm_status tmi_apply_find(tmi_apply *apply)
{
    TM_TRY(tmi_side_of_map(&apply->current->match.side[TMI_BEFORE], apply->map, &apply->current->match.arena,
                           apply->error));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(tmi_pairs_new(&apply->place[list], apply->patch->match.side[TMI_BEFORE].num[list],
                             apply->current->match.side[TMI_BEFORE].num[list], &apply->current->match.arena,
                             apply->error));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        find_in_list(apply, list);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- the result */

tm_status tmi_objects_ids(tmi_objects *objects, tm_kind list, const int32_t *const sources[TMI_VERSIONS],
                          const tmi_pairs *cross, tmi_arena *arena, tm_error *error)
{
    uint32_t num[TMI_VERSIONS];
    for (int version = 0; version < TMI_VERSIONS; version++)
        num[version] = objects->side[version]->num[list];
    return tmi_threeway_new(&objects->list[list], num, sources, cross, arena, error);
}

tm_status tmi_objects_order(tmi_objects *objects, tm_kind list, const tmi_part *model, tmi_arena *arena,
                            tm_error *error)
{
    tmi_threeway *threeway = &objects->list[list];
    const tmi_threeway *groups = &objects->list[TM_KIND_GROUP];
    tmi_part part = *model;
    memcpy(part.end, threeway->num, sizeof(part.end));
    if (list != TM_KIND_LAYER)
        return tmi_threeway_order(threeway, &part, arena, error);
    TM_TRY(tmi_take(arena, &objects->first_layer, (size_t)groups->num_final + 1, sizeof(uint32_t), error));
    part.group_of = objects->group_of;
    for (uint32_t g = 0; g < groups->num_final; g++) { /* the layers of a group in each version */
        part.group = groups->order[g];
        for (int version = 0; version < TMI_VERSIONS; version++) {
            const int32_t number = groups->place[version][part.group];
            part.first[version] = number == TM_NONE ? 0 : objects->side[version]->first_layer[number];
            part.end[version] = number == TM_NONE ? 0 : objects->side[version]->first_layer[number + 1];
        }
        TM_TRY(tmi_threeway_order(threeway, &part, arena, error));
        objects->first_layer[g + 1] = threeway->num_final;
    }
    return TM_OK;
}

/* `map`, a clone of ours, gets the objects of the result in their order; those it lacks start as new. */
tm_status tmi_objects_arrange(const tmi_objects *objects, tm_map *map, tmi_arena *arena, tm_error *error)
{
    tmi_arrangement arrangement = {{NULL}, {0}, NULL, NULL};
    uint32_t *counts;
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tmi_threeway *threeway = &objects->list[list];
        int32_t *old_indices;
        TM_TRY(tmi_take(arena, &old_indices, threeway->num_final, sizeof(*old_indices), error));
        for (uint32_t i = 0; i < threeway->num_final; i++)
            old_indices[i] = threeway->place[TMI_OURS][threeway->order[i]];
        if (list == TM_KIND_LAYER) {
            arrangement.layers = old_indices;
        } else {
            arrangement.old_indices[list] = old_indices;
            arrangement.num[list] = threeway->num_final;
        }
    }
    TM_TRY(tmi_take(arena, &counts, arrangement.num[TM_KIND_GROUP], sizeof(*counts), error));
    for (uint32_t g = 0; g < arrangement.num[TM_KIND_GROUP]; g++)
        counts[g] = objects->first_layer[g + 1] - objects->first_layer[g];
    arrangement.num_layers = counts;
    return tmi_map_assemble(map, &arrangement, error);
}

bool tmi_objects_address(const tmi_objects *objects, tm_kind list, uint32_t id, tm_address *address)
{
    const int32_t final = list == TM_KIND_MAP ? 0 : objects->list[list].final[id];
    *address = (tm_address){list, (uint32_t) final, 0};
    if (final != TM_NONE && list == TM_KIND_LAYER) {
        address->index = (uint32_t)objects->list[TM_KIND_GROUP].final[objects->group_of[id]];
        address->layer = (uint32_t) final - objects->first_layer[address->index];
    }
    return final != TM_NONE;
}

void *tmi_objects_struct(const tmi_objects *objects, tm_map *map, tm_kind list, uint32_t id)
{
    tm_address address;
    tm_kind owner;
    return tmi_objects_address(objects, list, id, &address) ? tmi_map_object_edit(map, &address, &owner)
                                                            : NULL;
}

int32_t tmi_objects_reference(const tmi_objects *objects, int version, tm_kind object, int64_t number)
{
    const tmi_threeway *threeway = &objects->list[object];
    if (number >= 0 && number < threeway->num[version])
        return threeway->final[threeway->id[version][number]];
    return number >= 0 && number < threeway->num_final ? TM_NONE : (int32_t)number;
}

void tmi_objects_bring(void *version, const tm_field *field, int32_t *index)
{
    const tmi_version *role = version;
    *index = tmi_objects_reference(role->objects, role->version, field->refers, *index);
}

/* ----------------------------------------------------------------------------------- of a patch and a map */

/* Adds, removes and moves objects, as far as these changes fit. */
static tm_status change_objects(tmi_apply *apply)
{
    tmi_objects *objects = &apply->objects;
    tmi_threeway *layers = &objects->list[TM_KIND_LAYER], *groups = &objects->list[TM_KIND_GROUP];
    const tmi_label *current_labels = objects->side[TMI_OURS]->labels[TM_KIND_LAYER],
                    *after = objects->side[TMI_THEIRS]->labels[TM_KIND_LAYER];
    TM_TRY(
        tmi_patch_alloc(apply->current, &objects->group_of, layers->num_ids, sizeof(uint32_t), apply->error));
    for (uint32_t i = 0; i < layers->num[TMI_OURS]; i++)
        objects->group_of[layers->id[TMI_OURS][i]] = groups->id[TMI_OURS][current_labels[i].group];
    for (size_t i = 0; i < apply->patch->num; i++) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        if (delta->type != TMI_DELTA_OBJECT || !apply->fits[i].fits)
            continue;
        tmi_threeway *threeway = &objects->list[delta->list];
        const uint32_t number = delta->number[TMI_AFTER];
        const bool removed = number == TMI_NOWHERE;
        const uint32_t id = removed ? delta->number[TMI_BEFORE] : threeway->id[TMI_THEIRS][number];
        threeway->gone[id] = removed;
        threeway->moved[TMI_THEIRS][id] = !removed;
        if (delta->list == TM_KIND_LAYER && !removed)
            objects->group_of[id] = groups->id[TMI_THEIRS][after[number].group];
    }
    return TM_OK;
}

tm_status tmi_apply_order(tmi_apply *apply)
{
    const tmi_side *const side[] = {&apply->patch->match.side[TMI_BEFORE],
                                    &apply->current->match.side[TMI_BEFORE],
                                    &apply->patch->match.side[TMI_AFTER]};
    const tmi_part theirs_first = {.keys = NULL};
    const tmi_objects *objects = &apply->objects;
    const tmi_threeway *groups = &objects->list[TM_KIND_GROUP];
    memcpy(apply->objects.side, side, sizeof(side));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER;
         list++) { /* the result has the map's objects, before any change */
        tmi_threeway *threeway = &apply->objects.list[list];
        const int32_t *const sources[] = {NULL, apply->place[list].other[TMI_AFTER],
                                          apply->patch->match.pairs[list].other[TMI_AFTER]};
        TM_TRY(tmi_objects_ids(&apply->objects, list, sources, NULL, &apply->current->match.arena,
                               apply->error));
        for (uint32_t id = 0; id < threeway->num_ids; id++)
            threeway->gone[id] = threeway->place[TMI_OURS][id] == TM_NONE;
    }
    TM_TRY(change_objects(apply));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tmi_threeway *threeway = &objects->list[list];
        const tmi_label *labels = side[TMI_THEIRS]->labels[list];
        int32_t highest = TM_NONE;
        /* what the patch does not move stays where it is, also if the map has it in another order */
        for (uint32_t i = 0; i < threeway->num[TMI_THEIRS]; i++) {
            const uint32_t id = threeway->id[TMI_THEIRS][i];
            const int32_t here = threeway->place[TMI_OURS][id];
            if (list == TM_KIND_LAYER && i && labels[i].group != labels[i - 1].group)
                highest = TM_NONE;
            if (threeway->gone[id] || threeway->moved[TMI_THEIRS][id] ||
                (list == TM_KIND_LAYER && objects->group_of[id] != groups->id[TMI_THEIRS][labels[i].group]))
                continue;
            threeway->moved[TMI_OURS][id] = here < highest;
            highest = here > highest ? here : highest;
        }
        TM_TRY(tmi_objects_order(&apply->objects, list, &theirs_first, &apply->current->match.arena,
                                 apply->error));
    }
    return tmi_objects_arrange(&apply->objects, apply->map, &apply->current->match.arena, apply->error);
}
