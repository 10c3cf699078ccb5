/* SPDX-License-Identifier: Zlib */
/*
 * Who refers to what, by the table of fields: in the structs of layers, and in their quads and sources. And
 * envelopes that move things, one by one: those that quads and sources use for their position, and those of
 * that kind that nothing uses. One that is used both ways is copied first.
 */
#include "edit_geometry.h"

static bool is_use(const tm_field *field, tm_object object)
{
    return field->type == TM_TYPE_REFERENCE && field->refers == object && !(field->flags & TM_FIELD_ALIAS);
}

/* References to one kind of objects, and who sees them. */
typedef struct use_walk {
    tm_object object;
    tmi_edit_use_visit *visit;
    void *ctx;
} use_walk;

static void use_struct(tm_layer *layer, const use_walk *walk)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, tm_owner_of_layer(layer->kind));
    for (size_t i = 0; i < num; i++)
        if (is_use(&fields[i], walk->object))
            walk->visit(walk->ctx, &fields[i], (int32_t *)(void *)((char *)layer + fields[i].offset));
}

/* Quads or sources in a block. It counts as changed as soon as the visitor changes an index in it. */
typedef struct elements {
    tm_map *map;
    tm_block *block;
    const char *bytes;
    char *writable; /* NULL until something has changed */
} elements;

static tm_status put_index(elements *at, size_t offset, int32_t index, tm_error *error)
{
    if (!at->writable) {
        void *bytes;
        TM_TRY(tm_map_edit_data(&bytes, NULL, at->map, at->block, error));
        at->bytes = at->writable = bytes;
    }
    memcpy(at->writable + offset, &index, sizeof(index));
    return TM_OK;
}

static tm_status visit_elements(tm_map *map, tm_layer *layer, const use_walk *walk, tm_error *error)
{
    size_t num;
    const void *bytes;
    const tm_owner owner = tm_owner_of_elements(layer->kind);
    const tm_field *fields = tm_fields(&num, owner);
    tm_block **block = tmi_layer_elements(layer);
    bool any = false;
    for (size_t i = 0; i < num; i++)
        any |= is_use(&fields[i], walk->object);
    if (!any || tmi_layer_num(layer) == 0 || !block || !*block)
        return TM_OK;
    TM_TRY(tm_map_data(&bytes, NULL, map, *block, error));
    elements at = {map, *block, bytes, NULL};
    for (uint32_t e = 0; e < tmi_layer_num(layer); e++) {
        for (size_t i = 0; i < num; i++) {
            const size_t offset = e * tm_owner_size(owner) + fields[i].offset;
            int32_t index;
            if (!is_use(&fields[i], walk->object))
                continue;
            memcpy(&index, at.bytes + offset, sizeof(index));
            if (walk->visit(walk->ctx, &fields[i], &index))
                TM_TRY(put_index(&at, offset, index, error));
        }
    }
    return TM_OK;
}

tm_status tmi_edit_each_use(tm_map *map, tm_object object, tmi_edit_use_visit *visit, void *ctx,
                            tm_error *error)
{
    const use_walk walk = {object, visit, ctx};
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at)) {
        tm_layer *layer = &map->groups[at.group].layers[at.index];
        use_struct(layer, &walk);
        TM_TRY(tmi_fail_at_address(error, visit_elements(map, layer, &walk, error), map,
                                   tmi_edit_address(TM_ADDRESS_LAYER, at.group, at.index)));
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------- envelopes that move things */

/* How envelopes are used, and the copy that replaces one that is used both ways. */
typedef struct envelope_uses {
    uint32_t num;
    bool *moves, *other;
    int32_t *copies;
} envelope_uses;

static bool is_position(const tm_field *field)
{
    return strcmp(field->name, "position_envelope") == 0;
}

static bool note_envelope(void *ctx, const tm_field *field, int32_t *index)
{
    envelope_uses *uses = ctx;
    if (*index >= 0 && (uint32_t)*index < uses->num)
        (is_position(field) ? uses->moves : uses->other)[*index] = true;
    return false;
}

static bool use_copy(void *ctx, const tm_field *field, int32_t *index)
{
    const envelope_uses *uses = ctx;
    if (!is_position(field) || *index < 0 || (uint32_t)*index >= uses->num || uses->copies[*index] < 0)
        return false;
    *index = uses->copies[*index];
    return true;
}

/* An envelope that also changes colors or a volume stays as it is for these: a copy moves things. */
static tm_status copy_shared(tmi_edit *edit, envelope_uses *uses, tm_error *error)
{
    bool any = false;
    for (uint32_t i = 0; i < uses->num; i++) {
        uses->copies[i] = TM_NONE;
        if (!uses->moves[i] || !uses->other[i])
            continue;
        const uint32_t at = edit->map->num_envelopes;
        TM_TRY(tm_map_duplicate(edit->map, TM_OBJECT_ENVELOPE, i, at, error));
        uses->copies[i] = (int32_t)at;
        any = true;
        tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_ENVELOPE, i, 0), 1,
                         "copied to %u for what it moves, since it changes colors or volumes, too",
                         (unsigned)at);
    }
    return any ? tmi_edit_each_use(edit->map, TM_OBJECT_ENVELOPE, use_copy, uses, error) : TM_OK;
}

tm_status tmi_edit_each_mover(tmi_edit *edit, tmi_edit_mover *visit, const void *ctx, tm_error *error)
{
    const tm_map *map = edit->map;
    envelope_uses uses = {.num = map->num_envelopes};
    TM_TRY(tmi_reserve_zeroed(&uses.moves, edit->scratch, uses.num, sizeof(*uses.moves), "marks", error));
    TM_TRY(tmi_reserve_zeroed(&uses.other, edit->scratch, uses.num, sizeof(*uses.other), "marks", error));
    TM_TRY(tmi_reserve(&uses.copies, edit->scratch, uses.num, sizeof(*uses.copies), "marks", error));
    TM_TRY(tmi_edit_each_use(edit->map, TM_OBJECT_ENVELOPE, note_envelope, &uses, error));
    TM_TRY(copy_shared(edit, &uses, error));
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const bool is_copy = i >= uses.num;
        if (is_copy ||
            (!uses.other[i] && (uses.moves[i] || map->envelopes[i].channels == TM_ENVELOPE_POSITION)))
            TM_TRY(tmi_fail_at_address(error, visit(ctx, i, error), map,
                                       tmi_edit_address(TM_ADDRESS_ENVELOPE, i, 0)));
    }
    return TM_OK;
}
