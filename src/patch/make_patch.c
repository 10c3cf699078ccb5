/* SPDX-License-Identifier: Zlib */
/*
 * Makes a patch: matches the objects of two maps and compares their fields by the table of fields.
 * compare_elements.c and compare_grids.c compare the content of blocks.
 */
#include "patch.h"

#include "../codec/codec.h"

bool tmi_same_reference(const tmi_differ *differ, tm_kind object, int64_t before, int64_t after)
{
    const tmi_pairs *pairs = &differ->pairs[object];
    const bool left = before >= 0 && before < pairs->num[TMI_BEFORE];
    const bool right = after >= 0 && after < pairs->num[TMI_AFTER];
    if (left != right)
        return false;
    return left ? pairs->other[TMI_BEFORE][before] == after : before == after; /* indices without an object */
}

/* ------------------------------------------------------------------------------------------------ fields */

tm_status tmi_differ_add(tmi_differ *differ, tmi_delta **out, tmi_delta_type type, tm_kind owner,
                         const tm_field *field)
{
    TM_TRY(tmi_patch_add(differ->patch, out, type, differ->list, differ->number, differ->error));
    (*out)->owner = owner;
    (*out)->field = field;
    return TM_OK;
}

/*
 * A value that at least one side could not read. It is a change unless both are known to have the same bytes.
 * Of a list of texts, a side that could be read has their number as its value.
 */
static tm_status diff_unread(tmi_differ *differ, tm_kind owner, const tm_field *field,
                             const void *const object[2])
{
    tmi_delta *delta;
    char number[32];
    if (tmi_unread_same(field, object[TMI_BEFORE], object[TMI_AFTER]))
        return TM_OK;
    TM_TRY(tmi_differ_add(differ, &delta, TMI_DELTA_FIELD, owner, field));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        tm_value value = {.type = field->type, .unread = tm_field_unread(field, object[side])};
        tmi_format(number, sizeof(number), "%lu commands", (unsigned long)tm_field_num(field, object[side]));
        if (!value.unread && field->type == TM_TYPE_TEXTS)
            value.as.text = number;
        else if (!value.unread)
            value = tm_field_get(field, object[side], 0);
        TM_TRY(tmi_patch_value(differ->patch, &delta->value[side], &value, differ->error));
    }
    return TM_OK;
}

static tm_status diff_field(tmi_differ *differ, tm_kind owner, const tm_field *field,
                            const void *const object[2])
{
    const char *a = (const char *)object[TMI_BEFORE] + field->offset;
    const char *b = (const char *)object[TMI_AFTER] + field->offset;
    if (tmi_unread_either(field, object[TMI_BEFORE], object[TMI_AFTER]))
        return diff_unread(differ, owner, field, object);
    /* equal bytes are equal values, except for references, which are numbers of their own side */
    if (field->type != TM_TYPE_REFERENCE && memcmp(a, b, field->size * field->num_values) == 0)
        return TM_OK;
    if (!tmi_field_present(field, object[TMI_BEFORE]) && !tmi_field_present(field, object[TMI_AFTER]))
        return TM_OK;
    for (uint32_t i = 0; i < field->num_values; i++) {
        const tm_value value[2] = {tm_field_get(field, object[TMI_BEFORE], i),
                                   tm_field_get(field, object[TMI_AFTER], i)};
        if (field->type == TM_TYPE_REFERENCE
                ? tmi_same_reference(differ, field->refers, value[0].as.number, value[1].as.number)
                : tm_value_same(&value[0], &value[1]))
            continue;
        tmi_delta *delta;
        TM_TRY(tmi_differ_add(differ, &delta, TMI_DELTA_FIELD, owner, field));
        delta->index = i;
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
            TM_TRY(tmi_patch_value(differ->patch, &delta->value[side], &value[side], differ->error));
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- data */

static tm_status add_data(tmi_differ *differ, tm_kind owner, const tm_field *field,
                          const tm_block *const block[2])
{
    tmi_delta *delta;
    TM_TRY(tmi_differ_add(differ, &delta, TMI_DELTA_DATA, owner, field));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        TM_TRY(tmi_block_copy(&delta->block[side], differ->patch->home, block[side], NULL, differ->error));
    return TM_OK;
}

void tmi_grid_size(uint32_t *width, uint32_t *height, tm_kind list, const void *object)
{
    const tm_layer *layer = object;
    const tm_image *image = object;
    if (list == TM_KIND_LAYER) {
        *width = layer->as.tiles.width;
        *height = layer->as.tiles.height;
    } else {
        *width = image->width > 0 ? (uint32_t)image->width : 0;
        *height = image->height > 0 ? (uint32_t)image->height : 0;
    }
}

/*
 * The shape of a block as a grid; false if it is none. Pixels are only a grid if both images have the same
 * size.
 */
static bool shape_of(tmi_grid *out, const tm_field *field, const void *const object[2])
{
    memset(out, 0, sizeof(*out));
    if (field->offset == offsetof(tm_image, pixels) && strcmp(field->name, "pixels") == 0) {
        const tm_image *a = object[TMI_BEFORE], *b = object[TMI_AFTER];
        out->size = tmi_pixel_size(a);
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
            tmi_grid_size(&out->width[side], &out->height[side], TM_KIND_IMAGE, object[side]);
        return a->width == b->width && a->height == b->height && a->format == b->format;
    }
    const tm_layer *layer = object[TMI_BEFORE];
    if (!(field->flags & TM_FIELD_GRID))
        return false;
    out->size = (uint32_t)(field->flags & TM_FIELD_ELEMENTS ? tm_game_layer(layer->kind)->element_size
                                                            : sizeof(tm_tile));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        tmi_grid_size(&out->width[side], &out->height[side], TM_KIND_LAYER, object[side]);
    return true;
}

/* Compares layers that differ in their shape only. */
static tm_status diff_shape(tmi_differ *differ, tm_kind owner, const tm_field *field, tmi_grid *shape)
{
    static const uint8_t *const no_bytes[2] = {NULL, NULL};
    if (!(field->flags & TM_FIELD_ELEMENTS) ||
        (!tmi_grid_resized(shape) && !tmi_blank_went_along(differ, shape)))
        return TM_OK;
    return tmi_diff_grid(differ, owner, field, shape, no_bytes);
}

/* Two large versions are not unpacked at once. */
static tm_status borrow_both(tmi_borrowed loan[2], tmi_differ *differ, const tm_block *const block[2])
{
    const uint64_t room = differ->patch->match.room, before = tm_block_get_info(block[TMI_BEFORE]).size,
                   after = tm_block_get_info(block[TMI_AFTER]).size;
    loan[TMI_AFTER] = (tmi_borrowed){.map = NULL};
    if (before > room || after > room - before)
        return tmi_fail(differ->error, TM_ERROR_LIMIT, -1,
                        "the two versions have %llu and %llu bytes, and %llu together are the limit",
                        (unsigned long long)before, (unsigned long long)after, (unsigned long long)room);
    TM_TRY(tmi_compare_work_spend(&differ->patch->match.work, block, differ->error));
    TM_TRY(tmi_borrowed_open(&loan[TMI_BEFORE], differ->map[TMI_BEFORE], block[TMI_BEFORE], differ->error));
    const tm_status status =
        tmi_borrowed_open(&loan[TMI_AFTER], differ->map[TMI_AFTER], block[TMI_AFTER], differ->error);
    if (status)
        tmi_borrowed_close(&loan[TMI_BEFORE]);
    return status;
}

static void return_both(tmi_borrowed loan[2])
{
    tmi_borrowed_close(&loan[TMI_BEFORE]);
    tmi_borrowed_close(&loan[TMI_AFTER]);
}

/* Both blocks are unpacked for the time of the comparison only. `shape` NULL: they are no grids. */
static tm_status diff_blocks(tmi_differ *differ, tm_kind owner, const tm_field *field, const tmi_grid *shape,
                             const tm_block *const block[2])
{
    tmi_borrowed loan[2];
    tm_status status = TM_OK;
    bool grid = shape; /* bytes after the last element are ignored only for the elements of a layer */
    for (int side = TMI_BEFORE; side <= TMI_AFTER && grid; side++) {
        const uint64_t bytes = (uint64_t)shape->width[side] * shape->height[side] * shape->size;
        grid = field->flags & TM_FIELD_ELEMENTS ? bytes <= block[side]->size : bytes == block[side]->size;
    }
    TM_TRY(borrow_both(loan, differ, block));
    if (grid)
        status = tmi_diff_grid(differ, owner, field, shape,
                               (const uint8_t *const[2]){loan[0].bytes, loan[1].bytes});
    else if (block[0]->size != block[1]->size ||
             memcmp(loan[0].bytes, loan[1].bytes, (size_t)block[0]->size) != 0)
        status = add_data(differ, owner, field, block);
    return_both(loan);
    return status;
}

static tm_status diff_data(tmi_differ *differ, tm_kind owner, const tm_field *field,
                           const void *const object[2])
{
    const tm_block *const block[2] = {tm_field_get(field, object[TMI_BEFORE], 0).as.block,
                                      tm_field_get(field, object[TMI_AFTER], 0).as.block};
    tmi_grid shape;
    const bool grid = shape_of(&shape, field, object);
    if (block[0] == block[1] ||
        (tmi_block_same_packed(block[0], block[1]) && !(grid && tmi_grid_resized(&shape))))
        return grid ? diff_shape(differ, owner, field, &shape) : TM_OK;
    if (block[0] && block[1])
        return diff_blocks(differ, owner, field, grid ? &shape : NULL, block);
    if (grid)
        TM_TRY(diff_shape(differ, owner, field, &shape));
    return add_data(differ, owner, field, block);
}

/* Quads and sources: lists that lie in a block. */
static tm_status diff_packed_list(tmi_differ *differ, const tm_field *field, const void *const object[2])
{
    const tm_layer *const layer[2] = {object[0], object[1]};
    const uint32_t num[2] = {tmi_layer_num(layer[0]), tmi_layer_num(layer[1])};
    const tm_block *const block[2] = {tm_field_get(field, object[TMI_BEFORE], 0).as.block,
                                      tm_field_get(field, object[TMI_AFTER], 0).as.block};
    tmi_borrowed loan[2];
    if (differ->plain && num[0] == num[1] &&
        (block[0] == block[1] || tmi_block_same_packed(block[0], block[1])))
        return TM_OK;
    TM_TRY(borrow_both(loan, differ, block));
    const tm_status status = tmi_diff_elements(differ, tm_kind_of_elements(layer[0]->kind),
                                               (const char *const[2]){loan[0].bytes, loan[1].bytes}, num);
    return_both(loan);
    return status;
}

/* ----------------------------------------------------------------------------------------------- objects */

static tm_status diff_owner(tmi_differ *differ, tm_kind owner, const void *const object[2])
{
    const bool packed_list = owner == TM_KIND_QUAD_LAYER || owner == TM_KIND_SOUND_LAYER;
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        const tm_field *field = &fields[i];
        if (field->type == TM_TYPE_BLOCK ? field->flags & TM_FIELD_ALIAS : !tmi_field_in_patch(field))
            continue;
        if (field->type != TM_TYPE_BLOCK)
            TM_TRY(diff_field(differ, owner, field, object));
        else if (differ->same_data && (!packed_list || differ->plain))
            continue;
        else if (packed_list)
            TM_TRY(diff_packed_list(differ, field, object));
        else
            TM_TRY(diff_data(differ, owner, field, object));
    }
    return TM_OK;
}

/*
 * Adds all differences of two objects of one kind, which become the current ones; of groups without their
 * layers.
 */
static tm_status diff_objects(tmi_differ *differ, tm_kind list, const uint32_t number[2],
                              const void *const object[2])
{
    differ->list = list;
    memcpy(differ->number, number, sizeof(differ->number));
    differ->layer = list == TM_KIND_LAYER ? object[TMI_BEFORE] : NULL;
    TM_TRY(diff_owner(differ, list, object));
    if (list == TM_KIND_ENVELOPE) {
        const tm_envelope *a = object[TMI_BEFORE], *b = object[TMI_AFTER];
        return tmi_diff_elements(differ, TM_KIND_ENVELOPE_POINT,
                                 (const char *const[2]){(const char *)a->points, (const char *)b->points},
                                 (const uint32_t[2]){a->num_points, b->num_points});
    }
    const tm_kind own = differ->layer ? tm_kind_of_layer(differ->layer->kind) : TM_KINDS;
    TMI_ASSERT(!differ->layer || differ->layer->kind == ((const tm_layer *)object[TMI_AFTER])->kind);
    return own == TM_KINDS ? TM_OK : diff_owner(differ, own, object);
}

tm_status tmi_same_objects(bool *is_same, tmi_differ *differ, tm_kind list, const void *const object[2])
{
    const uint32_t number[2] = {0, 0};
    const size_t num = differ->patch->num;
    const tm_layer *a = object[TMI_BEFORE], *b = object[TMI_AFTER];
    *is_same = list != TM_KIND_LAYER || a->kind == b->kind;
    if (*is_same)
        TM_TRY(diff_objects(differ, list, number, object));
    *is_same = *is_same && differ->patch->num == num;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- all lists */

static tm_status add_whole_object(tmi_differ *differ, tm_kind list, int side, uint32_t number)
{
    tm_patch *patch = differ->patch;
    tmi_delta *delta;
    const uint32_t numbers[2] = {side == TMI_BEFORE ? number : TMI_NOWHERE,
                                 side == TMI_AFTER ? number : TMI_NOWHERE};
    const void *object = tmi_object_at(differ->map[side], &patch->match.side[side], list, number);
    TM_TRY(tmi_patch_add(patch, &delta, TMI_DELTA_OBJECT, list, numbers, differ->error));
    return tmi_delta_set_content(patch, delta, side, differ->map[side], object, differ->error);
}

static tm_status diff_pair(tmi_differ *differ, tm_kind list, uint32_t before, uint32_t after, bool moved)
{
    tm_patch *patch = differ->patch;
    const uint32_t number[2] = {before, after};
    tmi_delta *delta;
    const void *const object[2] = {
        tmi_object_at(differ->map[TMI_BEFORE], &patch->match.side[TMI_BEFORE], list, before),
        tmi_object_at(differ->map[TMI_AFTER], &patch->match.side[TMI_AFTER], list, after)};
    if (moved)
        TM_TRY(tmi_patch_add(patch, &delta, TMI_DELTA_OBJECT, list, number, differ->error));
    differ->same_data = patch->match.same_data[list][before];
    tm_status status = diff_objects(differ, list, number, object);
    if (status == TM_OK)
        return TM_OK;
    return tmi_fail_at_address(differ->error, status, differ->map[TMI_BEFORE],
                               tmi_side_address(&patch->match.side[TMI_BEFORE], list, before));
}

static tm_status diff_list(tmi_differ *differ, tm_kind list)
{
    tmi_match *match = &differ->patch->match;
    const tmi_label *const labels[2] = {match->side[0].labels[list], match->side[1].labels[list]};
    const tmi_pairs *pairs = &match->pairs[list], *groups = &match->pairs[TM_KIND_GROUP];
    tmi_span span = {{0, 0}, {pairs->num[0], pairs->num[1]}};
    bool *moved; /* by number BEFORE */
    TM_TRY(tmi_patch_alloc(differ->patch, &moved, pairs->num[TMI_BEFORE], sizeof(*moved), differ->error));
    if (list != TM_KIND_LAYER)
        TM_TRY(tmi_mark_moved(moved, pairs, &span, &match->arena, differ->error));
    for (uint32_t i = 0; list == TM_KIND_LAYER && i < pairs->num[TMI_BEFORE]; i++) {
        const int32_t to = pairs->other[TMI_BEFORE][i];
        const uint32_t group = labels[TMI_BEFORE][i].group;
        moved[i] = to != TM_NONE && groups->other[TMI_BEFORE][group] != (int32_t)labels[TMI_AFTER][to].group;
    }
    for (uint32_t g = 0; list == TM_KIND_LAYER && g < groups->num[TMI_BEFORE]; g++)
        if (tmi_span_of_group(&span, match, g))
            TM_TRY(
                tmi_mark_moved(moved + span.first[TMI_BEFORE], pairs, &span, &match->arena, differ->error));
    for (uint32_t i = 0; i < pairs->num[TMI_BEFORE]; i++)
        if (pairs->other[TMI_BEFORE][i] == TM_NONE)
            TM_TRY(add_whole_object(differ, list, TMI_BEFORE, i));
    for (uint32_t i = 0; i < pairs->num[TMI_AFTER]; i++) {
        const int32_t from = pairs->other[TMI_AFTER][i];
        TM_TRY(from == TM_NONE ? add_whole_object(differ, list, TMI_AFTER, i)
                               : diff_pair(differ, list, (uint32_t)from, i, moved[from]));
    }
    return TM_OK;
}

static tm_status diff_settings(tmi_differ *differ)
{
    const tm_info *const info[2] = {&differ->map[TMI_BEFORE]->info, &differ->map[TMI_AFTER]->info};
    const tm_field *field = tm_field_find(TM_KIND_INFO, "settings");
    if (tmi_unread_either(field, info[TMI_BEFORE], info[TMI_AFTER]))
        return diff_unread(differ, TM_KIND_INFO, field, (const void *const[2]){info[0], info[1]});
    return tmi_diff_elements(differ, TM_KIND_INFO, (const char *const[2]){NULL, NULL},
                             (const uint32_t[2]){info[0]->num_settings, info[1]->num_settings});
}

static tm_status make(tm_patch *patch, const tm_map *const map[2], tm_error *error)
{
    tmi_differ differ = {
        .map = {map[0], map[1]}, .pairs = patch->match.pairs, .patch = patch, .error = error};
    TM_TRY(tmi_match_maps(&patch->match, map, error));
    const tmi_pairs *envelopes = &patch->match.pairs[TM_KIND_ENVELOPE];
    differ.plain = envelopes->num[TMI_BEFORE] == envelopes->num[TMI_AFTER];
    for (uint32_t i = 0; i < envelopes->num[TMI_BEFORE] && differ.plain; i++)
        differ.plain = envelopes->other[TMI_BEFORE][i] == (int32_t)i;
    differ.list = TM_KIND_MAP;
    TM_TRY(diff_owner(&differ, TM_KIND_MAP, (const void *const[2]){map[0], map[1]}));
    TM_TRY(diff_owner(&differ, TM_KIND_INFO, (const void *const[2]){&map[0]->info, &map[1]->info}));
    TM_TRY(diff_settings(&differ));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(diff_list(&differ, list));
    TM_TRY(tmi_patch_set_game(patch, map, error));
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
    tmi_map_shift_end(&patch->match);
    return tmi_patch_give(out, patch, status);
}
