/* SPDX-License-Identifier: Zlib */
/*
 * Making a patch: the objects of two maps are matched, and what differs becomes changes. Fields are compared
 * by their table; what is in blocks is left to compare_elements.c and compare_grids.c.
 */
#include "compare.h"

#include "../codec/codec.h"

/* -------------------------------------------------------------------------------------------- references */

bool tmi_same_reference(const tmi_differ *differ, tm_object object, int64_t before, int64_t after)
{
    const tmi_pairs *pairs = &differ->pairs[object];
    const bool left = before >= 0 && before < pairs->num[TMI_BEFORE];
    const bool right = after >= 0 && after < pairs->num[TMI_AFTER];
    if (left != right)
        return false;
    return left ? pairs->other[TMI_BEFORE][before] == after : before == after; /* what leads nowhere stays */
}

/* ------------------------------------------------------------------------------------------------ fields */

static tm_status keep_value(tmi_differ *differ, tm_value *value)
{
    if (value->type != TM_TYPE_TEXT && value->type != TM_TYPE_NAME)
        return TM_OK;
    return tmi_patch_text(differ->patch, &value->as.text, value->as.text, differ->error);
}

static tm_status add_field(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                           const tm_field *field, uint32_t index, const tm_value *before,
                           const tm_value *after)
{
    tmi_delta *delta;
    TM_TRY(tmi_patch_add(differ->patch, &delta, TMI_DELTA_FIELD, list, number[TMI_BEFORE], number[TMI_AFTER],
                         differ->error));
    delta->owner = owner;
    delta->field = field;
    delta->index = index;
    delta->value[TMI_BEFORE] = *before;
    delta->value[TMI_AFTER] = *after;
    TM_TRY(keep_value(differ, &delta->value[TMI_BEFORE]));
    return keep_value(differ, &delta->value[TMI_AFTER]);
}

/* What is stored alike is the same, but for numbers of objects, which count on their own side only. */
static bool stored_alike(const tm_field *field, const void *const object[2])
{
    const char *a = (const char *)object[TMI_BEFORE] + field->offset;
    const char *b = (const char *)object[TMI_AFTER] + field->offset;
    return field->type != TM_TYPE_REFERENCE && memcmp(a, b, field->size * field->num_values) == 0;
}

static tm_status diff_field(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                            const tm_field *field, const void *const object[2])
{
    if (stored_alike(field, object))
        return TM_OK;
    if (!tm_field_present(field, object[TMI_BEFORE]) && !tm_field_present(field, object[TMI_AFTER]))
        return TM_OK;
    for (uint32_t i = 0; i < field->num_values; i++) {
        const tm_value before = tm_field_get(field, object[TMI_BEFORE], i);
        const tm_value after = tm_field_get(field, object[TMI_AFTER], i);
        const bool same = field->type == TM_TYPE_REFERENCE
                              ? tmi_same_reference(differ, field->refers, before.as.number, after.as.number)
                              : tm_value_same(&before, &after);
        if (!same)
            TM_TRY(add_field(differ, list, number, owner, field, i, &before, &after));
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- data */

static tm_status add_data(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                          const tm_field *field, const tm_block *const block[2])
{
    tmi_delta *delta;
    TM_TRY(tmi_patch_add(differ->patch, &delta, TMI_DELTA_DATA, list, number[TMI_BEFORE], number[TMI_AFTER],
                         differ->error));
    delta->owner = owner;
    delta->field = field;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        TM_TRY(tmi_block_copy(&delta->block[side], differ->patch->home, block[side], NULL, differ->error));
    return TM_OK;
}

static uint64_t grid_bytes(const tmi_grid *shape, int side)
{
    return (uint64_t)shape->width[side] * shape->height[side] * shape->size;
}

/*
 * How the block lies as a grid; false for one that does not. The array that is kept for vanilla is as large
 * as the layer, or it is only data; so are pixels of another size than before.
 */
static bool shape_of(tmi_grid *out, const tm_field *field, const void *const object[2])
{
    memset(out, 0, sizeof(*out));
    if (field->offset == offsetof(tm_image, pixels) && strcmp(field->name, "pixels") == 0) {
        const tm_image *a = object[TMI_BEFORE], *b = object[TMI_AFTER];
        out->size = a->format == TM_IMAGE_RGB ? 3 : 4;
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
            const tm_image *image = object[side];
            out->width[side] = image->width > 0 ? (uint32_t)image->width : 0;
            out->height[side] = image->height > 0 ? (uint32_t)image->height : 0;
        }
        return a->width == b->width && a->height == b->height && a->format == b->format;
    }
    const tm_layer *layer = object[TMI_BEFORE];
    if (!(field->flags & TM_FIELD_GRID))
        return false;
    out->size = (uint32_t)(field->flags & TM_FIELD_ELEMENTS ? tm_game_layer(layer->kind)->element_size
                                                            : sizeof(tm_tile));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        out->width[side] = ((const tm_layer *)object[side])->as.tiles.width;
        out->height[side] = ((const tm_layer *)object[side])->as.tiles.height;
    }
    return true;
}

/* Both blocks are unpacked for the time of the comparison only. */
static tm_status diff_bytes(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                            const tm_field *field, const tmi_grid *shape, const tm_block *const block[2],
                            const void *const bytes[2])
{
    const uint8_t *const rows[2] = {bytes[0], bytes[1]};
    const uint64_t size[2] = {block[0]->size, block[1]->size};
    const bool exact =
        !(field->flags & TM_FIELD_ELEMENTS); /* what lies behind the last element counts, too */
    const bool fits = shape && grid_bytes(shape, 0) <= size[0] && grid_bytes(shape, 1) <= size[1] &&
                      (!exact || (grid_bytes(shape, 0) == size[0] && grid_bytes(shape, 1) == size[1]));
    if (fits)
        return tmi_diff_grid(differ, list, number, field, owner, shape, rows);
    if (size[0] == size[1] && memcmp(bytes[0], bytes[1], (size_t)size[0]) == 0)
        return TM_OK;
    return add_data(differ, list, number, owner, field, block);
}

static bool other_size(const tmi_grid *shape)
{
    return shape->width[0] != shape->width[1] || shape->height[0] != shape->height[1];
}

/* A layer whose shape alone differs, with no data that could tell more. */
static tm_status diff_shape(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                            const tm_field *field, tmi_grid *shape)
{
    static const uint8_t *const nothing[2] = {NULL, NULL};
    if (!(field->flags & TM_FIELD_ELEMENTS))
        return TM_OK;
    if (!other_size(shape) && !tmi_blank_went_along(differ, shape))
        return TM_OK;
    return tmi_diff_grid(differ, list, number, field, owner, shape, nothing);
}

/*
 * Bytes of a side, each block checked by itself. Those that the shift of the map keeps are at hand: closing
 * what has no block of its own does nothing.
 */
static tm_status borrow_side(tmi_borrowed *loan, const tmi_differ *differ, int side, const tm_block *block)
{
    const tmi_borrowed *kept = &differ->patch->shift.kept[side];
    if (!kept->block || kept->block != block)
        return tmi_borrowed_open(loan, differ->map[side], block, differ->error);
    *loan = (tmi_borrowed){.map = kept->map, .bytes = kept->bytes, .size = kept->size};
    return TM_OK;
}

/* Two large versions are not unpacked at once. */
static tm_status check_room_of_both(const tmi_differ *differ, const tm_block *const block[2])
{
    const uint64_t room = tmi_patch_room_of_blocks(differ->patch);
    const uint64_t size[2] = {tm_block_get_info(block[0]).size, tm_block_get_info(block[1]).size};
    if (size[0] <= room && size[1] <= room - size[0])
        return TM_OK;
    return tmi_fail(differ->error, TM_ERROR_LIMIT, -1,
                    "the two versions have %llu and %llu bytes, and %llu together are the limit",
                    (unsigned long long)size[0], (unsigned long long)size[1], (unsigned long long)room);
}

static tm_status borrow_both(tmi_borrowed loan[2], const tmi_differ *differ, const tm_block *const block[2])
{
    loan[TMI_AFTER] = (tmi_borrowed){.map = NULL};
    TM_TRY(borrow_side(&loan[TMI_BEFORE], differ, TMI_BEFORE, block[TMI_BEFORE]));
    const tm_status status = borrow_side(&loan[TMI_AFTER], differ, TMI_AFTER, block[TMI_AFTER]);
    if (status)
        tmi_borrowed_close(&loan[TMI_BEFORE]);
    return status;
}

static void return_both(tmi_borrowed loan[2])
{
    tmi_borrowed_close(&loan[TMI_BEFORE]);
    tmi_borrowed_close(&loan[TMI_AFTER]);
}

static tm_status diff_blocks(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                             const tm_field *field, const tmi_grid *shape, const tm_block *const block[2])
{
    tmi_shift *shift = &differ->patch->shift;
    tmi_borrowed loan[2];
    TM_TRY(borrow_both(loan, differ, block));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        shift->compared[side] = block[side];
        shift->bytes[side] = loan[side].bytes;
    }
    const tm_status status = diff_bytes(differ, list, number, owner, field, shape, block, shift->bytes);
    memset(shift->compared, 0, sizeof(shift->compared));
    return_both(loan);
    return status;
}

static tm_status diff_data(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                           const tm_field *field, const void *const object[2])
{
    const tm_block *const block[2] = {tm_field_get(field, object[TMI_BEFORE], 0).as.block,
                                      tm_field_get(field, object[TMI_AFTER], 0).as.block};
    tmi_grid shape;
    const bool grid = shape_of(&shape, field, object);
    if (block[0] == block[1] || (tmi_block_same_packed(block[0], block[1]) && !(grid && other_size(&shape))))
        return grid ? diff_shape(differ, list, number, owner, field, &shape) : TM_OK;
    if (!block[0] || !block[1]) {
        if (grid)
            TM_TRY(diff_shape(differ, list, number, owner, field, &shape));
        return add_data(differ, list, number, owner, field, block);
    }
    TM_TRY(check_room_of_both(differ, block));
    return diff_blocks(differ, list, number, owner, field, grid ? &shape : NULL, block);
}

/* Quads and sources: lists that lie in a block. */
static tm_status diff_packed_list(tmi_differ *differ, tmi_list list, const uint32_t number[2],
                                  const tm_field *field, const void *const object[2])
{
    const tm_layer *const layer[2] = {object[0], object[1]};
    const tm_owner owner = tm_owner_of_elements(layer[0]->kind);
    const uint32_t num[2] = {tmi_layer_num(layer[0]), tmi_layer_num(layer[1])};
    const tm_block *block[2];
    tmi_borrowed loan[2];
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        block[side] = tm_field_get(field, object[side], 0).as.block;
    if (differ->plain && num[0] == num[1] &&
        (block[0] == block[1] || tmi_block_same_packed(block[0], block[1])))
        return TM_OK;
    TM_TRY(check_room_of_both(differ, block));
    TM_TRY(borrow_both(loan, differ, block));
    const tm_status status = tmi_diff_elements(differ, list, number, owner,
                                               (const char *const[2]){loan[0].bytes, loan[1].bytes}, num);
    return_both(loan);
    return status;
}

/* ----------------------------------------------------------------------------------------------- objects */

/* Counts and sizes follow from what they count. */
static bool tells_nothing(const tm_field *field)
{
    const bool text = field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME;
    if (field->flags & TM_FIELD_ALIAS || field->type == TM_TYPE_TEXTS || field->type == TM_TYPE_LIST)
        return true;
    return field->setter && !text && field->type != TM_TYPE_BLOCK;
}

static tm_status diff_owner(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                            const void *const object[2])
{
    size_t num;
    const tm_field *fields = tm_fields(owner, &num);
    for (size_t i = 0; i < num; i++) {
        const tm_field *field = &fields[i];
        if (tells_nothing(field))
            continue;
        const bool packed_list = owner == TM_OWNER_QUAD_LAYER || owner == TM_OWNER_SOUND_LAYER;
        if (field->type != TM_TYPE_BLOCK)
            TM_TRY(diff_field(differ, list, number, owner, field, object));
        else if (differ->same_data && (!packed_list || differ->plain))
            continue;
        else if (packed_list)
            TM_TRY(diff_packed_list(differ, list, number, field, object));
        else
            TM_TRY(diff_data(differ, list, number, owner, field, object));
    }
    return TM_OK;
}

static tm_status diff_envelope(tmi_differ *differ, const uint32_t number[2], const void *const object[2])
{
    const tm_envelope *a = object[TMI_BEFORE], *b = object[TMI_AFTER];
    const uint32_t num[2] = {a->num_points, b->num_points};
    const char *const points[2] = {(const char *)a->points, (const char *)b->points};
    return tmi_diff_elements(differ, TMI_ENVELOPES, number, TM_OWNER_ENVELOPE_POINT, points, num);
}

tm_status tmi_diff_objects(tmi_differ *differ, tmi_list list, const uint32_t number[2],
                           const void *const object[2])
{
    differ->layer = list == TMI_LAYERS ? object[TMI_BEFORE] : NULL;
    TM_TRY(diff_owner(differ, list, number, tmi_owner_of_list(list), object));
    if (list == TMI_ENVELOPES)
        return diff_envelope(differ, number, object);
    if (list != TMI_LAYERS)
        return TM_OK;
    const tm_layer *a = object[TMI_BEFORE], *b = object[TMI_AFTER];
    const tm_owner own = tm_owner_of_layer(a->kind);
    TMI_ASSERT(a->kind == b->kind);
    (void)b;
    return own == TM_OWNER_COUNT ? TM_OK : diff_owner(differ, list, number, own, object);
}

/* ------------------------------------------------------------------------------------------------- order */

static tm_status mark_moved_layers(bool *moved, const tm_patch *patch, tm_error *error)
{
    const tmi_side *side = patch->side;
    const tmi_pairs *groups = &patch->pairs[TMI_GROUPS], *layers = &patch->pairs[TMI_LAYERS];
    for (uint32_t i = 0; i < layers->num[TMI_BEFORE]; i++) {
        const int32_t to = layers->other[TMI_BEFORE][i];
        const uint32_t group = side[TMI_BEFORE].labels[TMI_LAYERS][i].group;
        moved[i] = to != TM_NONE &&
                   groups->other[TMI_BEFORE][group] != (int32_t)side[TMI_AFTER].labels[TMI_LAYERS][to].group;
    }
    for (uint32_t g = 0; g < groups->num[TMI_BEFORE]; g++) {
        tmi_span span;
        if (tmi_span_of_group(&span, patch, g))
            TM_TRY(tmi_mark_moved(moved + span.first[TMI_BEFORE], layers, &span, tmi_patch_allocator(patch),
                                  error));
    }
    return TM_OK;
}

/* By number BEFORE; to be freed as num[BEFORE] bools. */
static tm_status moved_objects(bool **out, const tm_patch *patch, tmi_list list, tm_error *error)
{
    const tmi_pairs *pairs = &patch->pairs[list];
    const tm_allocator *allocator = tmi_patch_allocator(patch);
    const tmi_span all = {{0, 0}, {pairs->num[0], pairs->num[1]}};
    bool *moved = tmi_calloc(allocator, pairs->num[TMI_BEFORE], sizeof(*moved));
    *out = NULL;
    if (!moved)
        return tmi_fail_memory(error, pairs->num[TMI_BEFORE], "a table of objects");
    tm_status status = list == TMI_LAYERS ? mark_moved_layers(moved, patch, error)
                                          : tmi_mark_moved(moved, pairs, &all, allocator, error);
    if (status != TM_OK)
        tmi_free(allocator, moved, pairs->num[TMI_BEFORE], sizeof(*moved));
    else
        *out = moved;
    return status;
}

/* --------------------------------------------------------------------------------------------- all lists */

static tm_status add_whole_object(tmi_differ *differ, tmi_list list, int side, uint32_t number)
{
    tm_patch *patch = differ->patch;
    tmi_delta *delta;
    const void *object = tmi_object_at(differ->map[side], &patch->side[side], list, number);
    TM_TRY(tmi_patch_add(patch, &delta, TMI_DELTA_OBJECT, list, side == TMI_BEFORE ? number : TMI_NOWHERE,
                         side == TMI_AFTER ? number : TMI_NOWHERE, differ->error));
    return tmi_delta_take(patch, delta, side, differ->map[side], object, differ->error);
}

static tm_status diff_pair(tmi_differ *differ, tmi_list list, uint32_t before, uint32_t after, bool moved)
{
    tm_patch *patch = differ->patch;
    const uint32_t number[2] = {before, after};
    tmi_delta *delta;
    const void *const object[2] = {
        tmi_object_at(differ->map[TMI_BEFORE], &patch->side[TMI_BEFORE], list, before),
        tmi_object_at(differ->map[TMI_AFTER], &patch->side[TMI_AFTER], list, after)};
    if (moved)
        TM_TRY(tmi_patch_add(patch, &delta, TMI_DELTA_OBJECT, list, before, after, differ->error));
    differ->same_data = patch->same_data[list][before];
    tm_status status = tmi_diff_objects(differ, list, number, object);
    if (status == TM_OK)
        return TM_OK;
    return tmi_fail_at_address(differ->error, status, differ->map[TMI_BEFORE],
                               tmi_side_address(&patch->side[TMI_BEFORE], list, before));
}

static tm_status diff_list(tmi_differ *differ, tmi_list list)
{
    const tmi_pairs *pairs = &differ->patch->pairs[list];
    bool *moved;
    TM_TRY(moved_objects(&moved, differ->patch, list, differ->error));
    tm_status status = TM_OK;
    for (uint32_t i = 0; status == TM_OK && i < pairs->num[TMI_BEFORE]; i++)
        if (pairs->other[TMI_BEFORE][i] == TM_NONE)
            status = add_whole_object(differ, list, TMI_BEFORE, i);
    for (uint32_t i = 0; status == TM_OK && i < pairs->num[TMI_AFTER]; i++) {
        const int32_t from = pairs->other[TMI_AFTER][i];
        status = from == TM_NONE ? add_whole_object(differ, list, TMI_AFTER, i)
                                 : diff_pair(differ, list, (uint32_t)from, i, moved[from]);
    }
    tmi_free(tmi_patch_allocator(differ->patch), moved, pairs->num[TMI_BEFORE], sizeof(*moved));
    return status;
}

static tm_status diff_whole(tmi_differ *differ)
{
    const uint32_t number[2] = {0, 0};
    const void *const map[2] = {differ->map[0], differ->map[1]};
    const void *const info[2] = {&differ->map[0]->info, &differ->map[1]->info};
    TM_TRY(diff_owner(differ, TMI_WHOLE, number, TM_OWNER_MAP, map));
    TM_TRY(diff_owner(differ, TMI_WHOLE, number, TM_OWNER_INFO, info));
    return tmi_diff_settings(differ);
}

static bool all_in_place(const tmi_pairs *pairs)
{
    if (pairs->num[TMI_BEFORE] != pairs->num[TMI_AFTER])
        return false;
    for (uint32_t i = 0; i < pairs->num[TMI_BEFORE]; i++)
        if (pairs->other[TMI_BEFORE][i] != (int32_t)i)
            return false;
    return true;
}

static tm_status diff_all(tmi_differ *differ)
{
    TM_TRY(diff_whole(differ));
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(diff_list(differ, (tmi_list)list));
    return TM_OK;
}

static tm_status make(tm_patch *patch, const tm_map *const map[2], tm_error *error)
{
    tmi_differ differ = {.map = {map[0], map[1]}, .pairs = patch->pairs, .patch = patch, .error = error};
    TM_TRY(tmi_side_of_map(patch, TMI_BEFORE, map[TMI_BEFORE], error));
    TM_TRY(tmi_side_of_map(patch, TMI_AFTER, map[TMI_AFTER], error));
    TM_TRY(tmi_patch_pairs(patch, error));
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_patch_alloc(patch, &patch->same_data[list], patch->side[TMI_BEFORE].num[list],
                               sizeof(bool), error));
    patch->shift.wanted = true;
    TM_TRY(tmi_match_maps(patch, map, error));
    differ.plain = all_in_place(&patch->pairs[TMI_ENVELOPES]);
    TM_TRY(diff_all(&differ));
    TM_TRY(tmi_patch_keep_game(patch, map, error));
    tmi_patch_mark_labels(patch);
    return TM_OK;
}

tm_status tm_patch_make(tm_patch **out, const tm_map *before, const tm_map *after,
                        const tm_patch_options *options, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const tm_map *const map[2] = {before, after};
    tm_patch *patch;
    *out = NULL;
    TM_TRY(tmi_need(before, "before", error));
    TM_TRY(tmi_need(after, "after", error));
    TM_TRY(tmi_patch_new(&patch, options, error));
    tm_status status = make(patch, map, error);
    tmi_map_shift_end(patch);
    if (status == TM_OK)
        *out = patch;
    else
        tm_patch_free(patch);
    return status;
}
