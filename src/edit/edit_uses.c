/* SPDX-License-Identifier: Zlib */
/*
 * Visits all references to objects of a kind. Also visits the envelopes that move things: those that quads
 * and sources use for their position, and position envelopes that nothing uses. One that is used both ways is
 * copied first.
 */
#include "edit_geometry.h"

tm_status tmi_edit_each_use(tm_map *map, tm_kind object, tmi_visit_reference *visit, void *ctx,
                            tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        tm_layer *layer = &map->groups[walk.group].layers[walk.index];
        const tm_address address = tmi_edit_address(TM_KIND_LAYER, walk.group, walk.index);
        const void *bytes;
        if (object != TM_KIND_ENVELOPE || !tmi_referring_block(layer) || !tmi_layer_num(layer)) {
            tmi_visit_references(layer, visit, ctx);
            continue;
        }
        tm_status status = tm_map_data(&bytes, NULL, map, *tmi_layer_elements(layer), error);
        if (!status) /* the elements stay unpacked for what follows */
            status = tmi_layer_map_references(map, layer, visit, ctx, error);
        TM_TRY(tmi_fail_at_address(error, status, map, address));
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

static void note_envelope(void *ctx, const tm_field *field, int32_t *index)
{
    envelope_uses *uses = ctx;
    const bool is_position = strcmp(field->name, "position_envelope") == 0;
    if (field->refers == TM_KIND_ENVELOPE && *index >= 0 && (uint32_t)*index < uses->num)
        (is_position ? uses->moves : uses->other)[*index] = true;
}

static void use_copy(void *ctx, const tm_field *field, int32_t *index)
{
    const envelope_uses *uses = ctx;
    if (strcmp(field->name, "position_envelope") == 0 && *index >= 0 && (uint32_t)*index < uses->num &&
        uses->copies[*index] >= 0)
        *index = uses->copies[*index];
}

/* All points of an envelope; *moved false: one does not fit, and all are as they were. */
static tm_status move_points(bool *moved, tmi_edit *edit, const tm_envelope *envelope, tmi_edit_mover *visit,
                             const void *ctx, tm_error *error)
{
    const size_t size = sizeof(*envelope->points);
    tm_envelope_point *before;
    tm_status status = TM_OK;
    *moved = true;
    if (!envelope->num_points)
        return TM_OK;
    TM_TRY(tmi_reserve(&before, edit->scratch, envelope->num_points, size, "points", error));
    memcpy(before, envelope->points, envelope->num_points * size);
    for (uint32_t k = 0; !status && k < envelope->num_points; k++)
        status = visit(ctx, &envelope->points[k], error);
    *moved = !status;
    if (status)
        memcpy(envelope->points, before, envelope->num_points * size);
    return status == TM_ERROR_LIMIT ? TM_OK : status;
}

tm_status tmi_edit_each_mover(tmi_edit *edit, tmi_edit_mover *visit, const char *done, const void *ctx,
                              tm_error *error)
{
    const tm_map *map = edit->map;
    envelope_uses uses = {.num = map->num_envelopes};
    TM_TRY(tmi_reserve_zeroed(&uses.moves, edit->scratch, uses.num, sizeof(*uses.moves), "marks", error));
    TM_TRY(tmi_reserve_zeroed(&uses.other, edit->scratch, uses.num, sizeof(*uses.other), "marks", error));
    TM_TRY(tmi_reserve(&uses.copies, edit->scratch, uses.num, sizeof(*uses.copies), "marks", error));
    TM_TRY(tmi_edit_each_use(edit->map, TM_KIND_ENVELOPE, note_envelope, &uses, error));
    bool any_copy = false; /* of one that also changes colors or a volume: it is for positions */
    for (uint32_t i = 0; i < uses.num; i++) {
        uses.copies[i] = TM_NONE;
        if (!uses.moves[i] || !uses.other[i])
            continue;
        const uint32_t at = map->num_envelopes;
        TM_TRY(tm_map_duplicate(edit->map, TM_KIND_ENVELOPE, i, at, error));
        tmi_object_forget_user(TM_KIND_ENVELOPE, &edit->map->envelopes[at]);
        uses.copies[i] = (int32_t)at;
        any_copy = true;
        tmi_edit_changed(edit, tmi_edit_address(TM_KIND_ENVELOPE, i, 0), 1,
                         "copied to %u for what it moves, since it changes colors or volumes, too",
                         (unsigned)at);
    }
    if (any_copy)
        TM_TRY(tmi_edit_each_use(edit->map, TM_KIND_ENVELOPE, use_copy, &uses, error));
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        tm_envelope *envelope = &edit->map->envelopes[i];
        const tm_address address = tmi_edit_address(TM_KIND_ENVELOPE, i, 0);
        const bool is_copy = i >= uses.num;
        if (!is_copy && (uses.other[i] || (!uses.moves[i] && envelope->channels != TM_ENVELOPE_POSITION)))
            continue;
        TM_TRY(tmi_fail_at_address(error, tmi_envelope_own(edit->map, envelope, error), map, address));
        bool moved;
        TM_TRY(
            tmi_fail_at_address(error, move_points(&moved, edit, envelope, visit, ctx, error), map, address));
        if (!moved)
            tmi_edit_report(edit, TM_FINDING_NOT_MOVED, address,
                            "the envelope stays as it is: a value would not fit into the numbers of maps");
        else if (envelope->num_points)
            tmi_edit_changed(edit, address, envelope->num_points, "%s", done);
    }
    return TM_OK;
}
