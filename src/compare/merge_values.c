/* SPDX-License-Identifier: Zlib */
/*
 * What theirs changed in objects that ours has, too, brought into the result. A field, or a set of fields
 * that make one thing (the size and the pixels of an image), that ours has not touched becomes as in
 * theirs; what both changed alike stays; else there is a conflict. Tiles, pixels, elements and commands
 * that both changed are the business of merge_grids.c and merge_lists.c.
 */
#include "merge_maps.h"

/* -------------------------------------------------------------------------------------------------- units */

/* Fields that go together: pixels and sounds with what is said of them. */
static bool in_unit(const tm_field *field, tm_owner owner)
{
    static const char *const names[] = {"width", "height", "format", "external", "pixels", "data"};
    if (owner != TM_OWNER_IMAGE && owner != TM_OWNER_SOUND)
        return false;
    for (size_t i = 0; i < TMI_COUNT_OF(names); i++)
        if (strcmp(field->name, names[i]) == 0)
            return true;
    return false;
}

/* Whether two changes are about one thing that cannot be taken in parts. */
static bool same_thing(const tmi_delta *a, const tmi_delta *b)
{
    if (!a->field || !b->field || a->owner != b->owner)
        return false;
    return a->field == b->field || (in_unit(a->field, a->owner) && in_unit(b->field, b->owner));
}

static const tmi_delta *find_change(const tmi_merge_object *of, int side, const tmi_delta *like)
{
    for (size_t i = 0; i < of->num[side]; i++)
        if (same_thing(&of->first[side][i], like))
            return &of->first[side][i];
    return NULL;
}

static void *holder(void *object, tm_owner owner)
{
    return owner == TM_OWNER_INFO ? (void *)&((tm_map *)object)->info : object;
}

static const void *const_holder(const void *object, tm_owner owner)
{
    return owner == TM_OWNER_INFO ? (const void *)&((const tm_map *)object)->info : object;
}

/*
 * ------------------------------------------------------------------------------------------- taking
 * theirs
 */

tm_status tmi_merge_block(tmi_merge *m, tm_block **slot, const tm_block *block)
{
    tm_block *fresh;
    TM_TRY(tmi_block_copy(&fresh, m->map, block, NULL, m->error));
    if (fresh)
        fresh->copied = true;
    tmi_block_free(m->map, *slot);
    *slot = fresh;
    return TM_OK;
}

static tm_status take_field(tmi_merge *m, const tmi_merge_object *of, tm_owner owner, const tm_field *field)
{
    void *to = holder(of->merged, owner);
    const void *from = const_holder(of->side[TMI_THEIRS], owner);
    if (field->type == TM_TYPE_BLOCK)
        return tmi_merge_block(m, (tm_block **)(void *)((char *)to + field->offset),
                               tm_field_get(field, from, 0).as.block);
    for (uint32_t i = 0; i < field->num_values; i++) {
        tm_value value = tm_field_get(field, from, i);
        if (field->type == TM_TYPE_REFERENCE)
            value.as.number = tmi_merge_reference(m, TMI_THEIRS, field->refers, value.as.number);
        TM_TRY(tmi_field_set_any(m->map, to, field, i, &value, m->error));
    }
    return TM_OK;
}

/* All that a change is about, as theirs has it. */
static tm_status take_thing(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *theirs)
{
    size_t num;
    const tm_field *fields = tm_fields(theirs->owner, &num);
    if (theirs->type == TMI_DELTA_GRID && of->list == TMI_LAYERS &&
        theirs->field->flags & TM_FIELD_ELEMENTS) {
        const tm_layer *from = of->side[TMI_THEIRS];
        ((tm_layer *)of->merged)->as.tiles.width = from->as.tiles.width;
        ((tm_layer *)of->merged)->as.tiles.height = from->as.tiles.height;
    }
    if (!in_unit(theirs->field, theirs->owner))
        return take_field(m, of, theirs->owner, theirs->field);
    for (size_t i = 0; i < num; i++)
        if (in_unit(&fields[i], theirs->owner))
            TM_TRY(take_field(m, of, theirs->owner, &fields[i]));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- both changed */

static tm_status same_blocks(tmi_merge *m, bool *same, const tm_block *ours, const tm_block *theirs)
{
    tmi_borrowed loan[2];
    *same = ours == theirs || tmi_block_same_packed(ours, theirs);
    if (*same || !ours || !theirs || ours->size != theirs->size)
        return TM_OK;
    TM_TRY(tmi_borrowed_open(&loan[0], m->in[TMI_OURS], ours, m->error));
    tm_status status = tmi_borrowed_open(&loan[1], m->in[TMI_THEIRS], theirs, m->error);
    if (status == TM_OK) {
        *same = memcmp(loan[0].bytes, loan[1].bytes, (size_t)ours->size) == 0;
        tmi_borrowed_close(&loan[1]);
    }
    tmi_borrowed_close(&loan[0]);
    return status;
}

static tm_status same_field(tmi_merge *m, bool *same, const tmi_merge_object *of, tm_owner owner,
                            const tm_field *field)
{
    const void *const side[2] = {const_holder(of->side[0], owner), const_holder(of->side[1], owner)};
    *same = true;
    if (field->type == TM_TYPE_BLOCK)
        return same_blocks(m, same, tm_field_get(field, side[0], 0).as.block,
                           tm_field_get(field, side[1], 0).as.block);
    for (uint32_t i = 0; *same && i < field->num_values; i++) {
        const tm_value ours = tm_field_get(field, side[0], i), theirs = tm_field_get(field, side[1], i);
        *same = field->type == TM_TYPE_REFERENCE
                    ? tmi_merge_reference(m, TMI_OURS, field->refers, ours.as.number) ==
                          tmi_merge_reference(m, TMI_THEIRS, field->refers, theirs.as.number)
                    : tm_value_same(&ours, &theirs);
    }
    return TM_OK;
}

static tm_status same_in_both(tmi_merge *m, bool *same, const tmi_merge_object *of, const tmi_delta *theirs)
{
    size_t num;
    const tm_field *fields = tm_fields(theirs->owner, &num);
    *same = true;
    if (!in_unit(theirs->field, theirs->owner))
        return same_field(m, same, of, theirs->owner, theirs->field);
    for (size_t i = 0; *same && i < num; i++)
        if (in_unit(&fields[i], theirs->owner))
            TM_TRY(same_field(m, same, of, theirs->owner, &fields[i]));
    return TM_OK;
}

static tm_status show_values(tmi_merge *m, tmi_conflict *conflict, const tmi_merge_object *of,
                             const tmi_delta *theirs)
{
    const void *const versions[] = {of->base, of->side[TMI_OURS], of->side[TMI_THEIRS]};
    uint32_t index = 0;
    if (theirs->field->type == TM_TYPE_BLOCK)
        return TM_OK;
    for (; index + 1 < theirs->field->num_values; index++) { /* the first value that is not the same */
        const tm_value a = tm_field_get(theirs->field, const_holder(versions[1], theirs->owner), index);
        const tm_value b = tm_field_get(theirs->field, const_holder(versions[2], theirs->owner), index);
        if (!tm_value_same(&a, &b))
            break;
    }
    conflict->shown.index = index;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const tm_value value =
            tm_field_get(theirs->field, const_holder(versions[version], theirs->owner), index);
        TM_TRY(tmi_conflict_value(m, conflict, (tm_merge_map)version, &value));
    }
    return TM_OK;
}

/* The data among fields that go together. */
static const tm_field *block_field(const tmi_delta *delta)
{
    size_t num;
    const tm_field *fields = tm_fields(delta->owner, &num);
    for (size_t i = 0; i < num; i++)
        if (in_unit(&fields[i], delta->owner) && fields[i].type == TM_TYPE_BLOCK)
            return &fields[i];
    return delta->field;
}

static tm_status settle_thing(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *ours,
                              const tmi_delta *theirs)
{
    tm_resolution take = tmi_merge_take(m, ours, theirs);
    const bool whole = in_unit(theirs->field, theirs->owner) || theirs->field->type == TM_TYPE_BLOCK;
    tmi_conflict *conflict;
    bool same;
    TM_TRY(same_in_both(m, &same, of, theirs));
    if (same)
        return TM_OK;
    take = take == TM_RESOLUTION_BOTH ? TM_RESOLUTION_UNRESOLVED : take;
    TM_TRY(
        tmi_conflict_add(m, &conflict, whole ? TM_CONFLICT_DATA : TM_CONFLICT_FIELD, of->list, of->id, take));
    conflict->shown.owner = theirs->owner;
    conflict->shown.field = whole ? block_field(theirs) : theirs->field;
    if (!whole)
        TM_TRY(show_values(m, conflict, of, theirs));
    return take == TM_RESOLUTION_THEIRS ? take_thing(m, of, theirs) : TM_OK;
}

/*
 * -------------------------------------------------------------------------------------- elements,
 * commands
 */

static bool is_in_list(const tmi_delta *delta)
{
    return delta->type == TMI_DELTA_ELEMENT || delta->type == TMI_DELTA_SETTING;
}

/* Changes of one list stand side by side. */
static size_t list_end(const tmi_merge_object *of, int side, size_t from)
{
    size_t end = from;
    while (end < of->num[side] && of->first[side][end].type == of->first[side][from].type &&
           of->first[side][end].owner == of->first[side][from].owner)
        end++;
    return end;
}

static void bring_their_reference(void *ctx, tm_object object, int32_t *index)
{
    *index = tmi_merge_reference(ctx, TMI_THEIRS, object, *index);
}

/* Ours has the list as the base has it. */
static tm_status take_list(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *theirs)
{
    if (theirs->type == TMI_DELTA_SETTING) {
        const tm_info *info = &m->in[TMI_THEIRS]->info;
        return tm_map_set_settings(m->map, (const char *const *)info->settings, info->num_settings, m->error);
    }
    if (theirs->owner == TM_OWNER_ENVELOPE_POINT) {
        const tm_envelope *from = of->side[TMI_THEIRS];
        return tm_map_set_points(m->map, (uint32_t)((tm_envelope *)of->merged - m->map->envelopes),
                                 from->points, from->num_points, m->error);
    }
    tm_layer *to = of->merged, from = *(const tm_layer *)of->side[TMI_THEIRS];
    TM_TRY(tmi_merge_block(m, tmi_layer_elements(to), *tmi_layer_elements(&from)));
    switch (to->kind) { /* the count belongs to the block */
    case TM_LAYER_QUADS: to->as.quads.num_quads = from.as.quads.num_quads; break;
    default: to->as.sounds.num_sources = from.as.sounds.num_sources; break;
    }
    tm_layer own = *to; /* the fields of the layer are right already */
    TM_TRY(tmi_layer_map_references(m->map, &own, bring_their_reference, m, m->error));
    *tmi_layer_elements(to) = *tmi_layer_elements(&own);
    return TM_OK;
}

static tm_status merge_list(tmi_merge *m, const tmi_merge_object *of, size_t first, size_t end)
{
    const tmi_delta *theirs = &of->first[TMI_THEIRS][first];
    for (size_t i = 0; i < of->num[TMI_OURS]; i++) {
        const tmi_delta *ours = &of->first[TMI_OURS][i];
        if (ours->type != theirs->type || ours->owner != theirs->owner)
            continue;
        const tmi_delta *const lists[2] = {ours, theirs};
        const size_t num[2] = {list_end(of, TMI_OURS, i) - i, end - first};
        return tmi_merge_lists(m, of, lists, num);
    }
    return take_list(m, of, theirs);
}

/* -------------------------------------------------------------------------------------------- all changes */

static bool both_grids(const tmi_delta *ours, const tmi_delta *theirs)
{
    return ours->type == TMI_DELTA_GRID && theirs->type == TMI_DELTA_GRID;
}

/* Of an image, other fields of the unit speak against merging pixels one by one. */
static bool unit_is_grid(const tmi_merge_object *of, int side, const tmi_delta *like)
{
    for (size_t i = 0; i < of->num[side]; i++)
        if (same_thing(&of->first[side][i], like) && of->first[side][i].type != TMI_DELTA_GRID)
            return false;
    return true;
}

static tm_status merge_thing(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *theirs)
{
    const tmi_delta *ours = find_change(of, TMI_OURS, theirs);
    if (!ours)
        return take_thing(m, of, theirs);
    if (both_grids(ours, theirs) && unit_is_grid(of, TMI_OURS, theirs) &&
        unit_is_grid(of, TMI_THEIRS, theirs))
        return tmi_merge_grids(m, of, ours, theirs);
    return settle_thing(m, of, ours, theirs);
}

static tm_status merge_contents_of(tmi_merge *m, const tmi_merge_object *of)
{
    for (size_t i = 0; i < of->num[TMI_THEIRS];) {
        const tmi_delta *theirs = &of->first[TMI_THEIRS][i];
        if (is_in_list(theirs)) {
            const size_t end = list_end(of, TMI_THEIRS, i);
            TM_TRY(merge_list(m, of, i, end));
            i = end;
            continue;
        }
        bool seen = theirs->type == TMI_DELTA_OBJECT;
        for (size_t k = 0; !seen && k < i; k++)
            seen = same_thing(&of->first[TMI_THEIRS][k], theirs);
        if (!seen)
            TM_TRY(merge_thing(m, of, theirs));
        i++;
    }
    return TM_OK;
}

static void set_changes(tmi_merge_object *of, const tmi_merge *m, int side, const tmi_merge_range *range)
{
    of->first[side] = range->num ? &m->patch[side]->deltas[range->first] : NULL;
    of->num[side] = range->num;
}

static tm_status merge_object(tmi_merge *m, tmi_list list, uint32_t id)
{
    const tmi_merge_list *own = &m->list[list];
    tmi_merge_object of = {.list = list, .id = id};
    if (own->number[TMI_OURS][id] == TM_NONE || own->number[TMI_THEIRS][id] == TM_NONE || own->gone[id] ||
        !own->range[TMI_THEIRS][id].num)
        return TM_OK;
    of.merged = tmi_merged_object(m, list, id);
    if (!of.merged)
        return tmi_fail(m->error, TM_ERROR_UNSUPPORTED, -1,
                        "an object that both have was lost in the merge; please report this");
    of.base = tmi_merge_base_object(m, list, id);
    for (int side = 0; side < 2; side++) {
        of.side[side] = tmi_merge_side_object(m, side, list, id);
        set_changes(&of, m, side, &own->range[side][id]);
    }
    return merge_contents_of(m, &of);
}

tm_status tmi_merge_contents(tmi_merge *m)
{
    tmi_merge_object whole = {
        .list = TMI_WHOLE, .merged = m->map, .base = m->base, .side = {m->in[TMI_OURS], m->in[TMI_THEIRS]}};
    for (int side = 0; side < 2; side++)
        set_changes(&whole, m, side, &m->whole[side]);
    TM_TRY(tmi_settle_physics(m));
    TM_TRY(merge_contents_of(m, &whole));
    for (int list = 0; list < TMI_LISTS; list++)
        for (uint32_t id = 0; id < m->list[list].num_base; id++)
            TM_TRY(merge_object(m, (tmi_list)list, id));
    return tmi_finish_physics(m);
}
