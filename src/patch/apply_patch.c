/* SPDX-License-Identifier: Zlib */
/*
 * Applies a patch. When it is known which changes fit, and all objects are in their final order, their
 * contents are changed. All work is done on a clone, which takes the map's place at the end.
 */
#include "apply.h"

/* The object that a change is about, which was there before; NULL if the result does not have it. */
static void *object_of(const tmi_apply *apply, const tmi_delta *delta)
{
    return tmi_objects_struct(&apply->objects, apply->map, delta->list, delta->number[TMI_BEFORE]);
}

/* ------------------------------------------------------------- new objects in a map that is elsewhere now */

/* The sum as 32 bits have it: it wraps around. */
static int32_t add_wrapping(int32_t value, int64_t by)
{
    return (int32_t)((uint32_t)value + (uint32_t)by);
}

/* A group that does not move with the map gets an offset, and clips move with the map. */
static void move_group(const tmi_apply *apply, tm_group *group)
{
    int32_t *const offset[2] = {&group->offset_x, &group->offset_y};
    int32_t *const clip[2] = {&group->clip_x, &group->clip_y};
    const int32_t parallax[2] = {group->parallax_x, group->parallax_y};
    for (int axis = 0; axis < 2; axis++) {
        const int64_t px = (int64_t)apply->by[axis] * TM_TILE_PX, seen = px * parallax[axis];
        if (!tmi_goes_along(apply, group, axis))
            *offset[axis] = add_wrapping(*offset[axis], -((seen + (seen < 0 ? -50 : 50)) / 100));
        if (group->use_clipping)
            *clip[axis] = add_wrapping(*clip[axis], px);
    }
}

static tm_status move_layer(const tmi_apply *apply, tm_layer *layer, tm_address place)
{
    const tm_group *group = &apply->map->groups[place.index];
    tm_tile_layer *tiles = &layer->as.tiles;
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    uint32_t size[2] = {tiles->width, tiles->height};
    int32_t by[2] = {0, 0};
    void *bytes;
    for (int axis = 0; axis < 2; axis++) {
        if (!tmi_goes_along(apply, group, axis))
            continue;
        by[axis] = apply->by[axis];
        const tmi_grid *game = apply->patch->game; /* a layer as large as the map stays as large as the map */
        const bool whole = size[axis] >= (axis ? game->height : game->width)[TMI_BEFORE];
        const int64_t moved = size[axis] + (whole ? apply->wider[axis] : by[axis]);
        size[axis] = moved < 1 ? 1 : (uint32_t)moved;
    }
    if (tm_game_layer(layer->kind)->is_tiles)
        return tm_map_resize_layer(apply->map, place.index, place.layer, size[0], size[1], by[0], by[1],
                                   apply->error);
    if (owner == TM_KINDS || !tmi_layer_num(layer))
        return TM_OK;
    TM_TRY(tm_map_edit_data(&bytes, NULL, apply->map, *tmi_layer_elements(layer), apply->error));
    for (uint32_t i = 0; i < tmi_layer_num(layer); i++) {
        tmi_any_element element;
        void *slot = (char *)bytes + i * tm_kind_size(owner);
        memcpy(&element, slot, tm_kind_size(owner));
        tmi_element_move(&element, owner, by);
        memcpy(slot, &element, tm_kind_size(owner));
    }
    return TM_OK;
}

static tm_status fill_object(tmi_apply *apply, const tmi_delta *delta)
{
    tm_address place;
    tm_kind owner;
    const void *content =
        delta->content[TMI_AFTER]; /* NULL: the change only moves an object, or removes it */
    if (!content || !tmi_objects_address(
                        &apply->objects, delta->list,
                        apply->objects.list[delta->list].id[TMI_THEIRS][delta->number[TMI_AFTER]], &place))
        return TM_OK;
    void *object = tmi_map_object_edit(apply->map, &place, &owner);
    TM_TRY(tmi_put_object(apply->map, delta->list, object, apply->patch->home, content,
                          (tmi_version){&apply->objects, TMI_THEIRS}, apply->error));
    const bool moves = apply->patch->game && (apply->wider[0] || apply->wider[1]);
    if (delta->list == TM_KIND_GROUP && moves)
        move_group(apply, object);
    return delta->list == TM_KIND_LAYER && moves ? move_layer(apply, object, place) : TM_OK;
}

tm_status tmi_put_object(tm_map *map, tm_kind list, void *object, const tm_map *source, const void *original,
                         tmi_version version, tm_error *error)
{
    tmi_any_object copy; /* what fails half way must not be released with the map */
    const tm_kind owner = list;
    TM_TRY(tmi_object_copy(map, owner, &copy, source, original, error));
    if (list == TM_KIND_GROUP) {
        tm_group *group = object;
        copy.group.layers = group->layers;
        copy.group.num_layers = group->num_layers;
        group->layers = NULL;
        group->num_layers = 0;
    }
    tmi_object_release(map, owner, object);
    memcpy(object, &copy, tm_kind_size(owner));
    return list == TM_KIND_LAYER ? tmi_layer_map_references(map, object, tmi_objects_bring, &version, error)
                                 : TM_OK;
}

/* ---------------------------------------------------------------------------------------- fields and data */

static tm_status write_field(tmi_apply *apply, const tmi_delta *delta)
{
    void *object = object_of(apply, delta);
    tm_value value = delta->value[TMI_AFTER];
    if (!object)
        return TM_OK;
    if (delta->owner == TM_KIND_INFO)
        object = &apply->map->info;
    if (delta->field->type == TM_TYPE_REFERENCE)
        value.as.number =
            tmi_objects_reference(&apply->objects, TMI_THEIRS, delta->field->refers, value.as.number);
    return tmi_field_set_any(apply->map, object, delta->field, delta->index, &value, apply->error);
}

static tm_status write_data(tmi_apply *apply, const tmi_delta *delta)
{
    void *object = object_of(apply, delta);
    return object ? tmi_block_put_copy(apply->map, tmi_block_slot(object, delta->field),
                                       delta->block[TMI_AFTER], apply->error)
                  : TM_OK;
}

/* Replaces a block with one of the new size, and copies the old content into it. */
static tm_status resize_grid(tmi_apply *apply, const tmi_grid *grid, tm_block **slot)
{
    tm_block *fresh;
    const tmi_resizing resizing = {grid->width[TMI_BEFORE],
                                   grid->height[TMI_BEFORE],
                                   grid->width[TMI_AFTER],
                                   grid->height[TMI_AFTER],
                                   grid->dx,
                                   grid->dy};
    if (!*slot || (uint64_t)resizing.old_width * resizing.old_height > (*slot)->size / grid->size)
        return TM_OK; /* the data come as a whole */
    TM_TRY(tmi_block_resized(&fresh, apply->map, *slot, &resizing, grid->size, apply->error));
    tmi_block_put(apply->map, slot, fresh);
    return TM_OK;
}

static tm_status write_grid(tmi_apply *apply, const tmi_delta *delta)
{
    const tmi_grid *grid = delta->grid;
    void *object = object_of(apply, delta), *bytes;
    if (!object)
        return TM_OK;
    tm_block **slot = tmi_block_slot(object, delta->field);
    uint32_t width, height;
    tmi_grid_size(&width, &height, delta->list, object);
    if (delta->list == TM_KIND_LAYER && tmi_grid_reshaped(grid)) {
        tm_tile_layer *tiles = &((tm_layer *)object)->as.tiles;
        TM_TRY(resize_grid(apply, grid, slot));
        width = grid->width[TMI_AFTER];
        height = grid->height[TMI_AFTER];
        if (delta->field->flags & TM_FIELD_ELEMENTS) {
            tiles->width = width;
            tiles->height = height;
        }
    }
    if (grid->num == 0 || !*slot)
        return TM_OK;
    TM_TRY(tm_map_edit_data(&bytes, NULL, apply->map, *slot, apply->error));
    if ((uint64_t)width * height > (*slot)->size / grid->size)
        return TM_OK; /* the data come as a whole */
    const int32_t *offset = apply->fits[delta - apply->patch->deltas].by;
    const tm_rect bounds = {0, 0, width, height};
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        const tm_rect row = {run->x + grid->dx + offset[0], run->y + grid->dy + offset[1], run->num, 1};
        const tm_rect part = tmi_rect_common(&row, &bounds);
        if (part.width)
            memcpy((uint8_t *)bytes + ((size_t)part.y * width + (size_t)part.x) * grid->size,
                   grid->bytes[TMI_AFTER] + (size_t)(run->first + (uint32_t)(part.x - row.x)) * grid->size,
                   part.width * (size_t)grid->size);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- lists of elements */

/* A list that is rebuilt: elements that stay keep their order, and others are inserted. */
typedef struct relisting {
    tmi_apply *apply;
    tm_kind owner;
    size_t size; /* bytes of an element; 0: they are texts */
    tmi_elements old;
    uint32_t num_new, num_inserts;
    const tmi_delta **changes; /* by old number; NULL: it stays as it is */
    const tmi_delta **inserts; /* in the order of their places AFTER */
    const void **items;        /* of the new list */
} relisting;

/* Whether a change leaves its element where it is in the list. */
static bool stays_in_place(const tmi_delta *delta)
{
    return delta->bytes[TMI_BEFORE] && delta->bytes[TMI_AFTER] && !delta->moved;
}

static tm_status sort_changes(relisting *list, const tmi_delta *first, size_t num)
{
    const tmi_apply *apply = list->apply;
    tm_error *error = apply->error;
    TM_TRY(tmi_patch_alloc(apply->current, &list->changes, list->old.num, sizeof(*list->changes), error));
    TM_TRY(tmi_patch_alloc(apply->current, &list->inserts, num, sizeof(*list->inserts), error));
    for (const tmi_delta *delta = first; delta < first + num; delta++) {
        const tmi_fit *fit = &apply->fits[delta - apply->patch->deltas];
        if (fit->fits && delta->bytes[TMI_BEFORE])
            list->changes[fit->claim] = delta;
        if (!fit->fits || stays_in_place(delta) || !delta->bytes[TMI_AFTER])
            continue;
        uint32_t j = list->num_inserts++; /* they come in this order, but for patches written by hand */
        for (; j > 0 && list->inserts[j - 1]->at[TMI_AFTER] > delta->at[TMI_AFTER]; j--)
            list->inserts[j] = list->inserts[j - 1];
        list->inserts[j] = delta;
    }
    return tmi_patch_alloc(apply->current, &list->items, (size_t)list->old.num + list->num_inserts,
                           sizeof(*list->items), error);
}

/* The new element of a change, moved with the map, and with references of this map. */
static tm_status bring_change(const relisting *list, const tmi_delta *delta, const void **out)
{
    const int32_t *offset = list->apply->fits[delta - list->apply->patch->deltas].by;
    tmi_any_element moved;
    char *copy;
    *out = delta->bytes[TMI_AFTER];
    if (!list->size)
        return TM_OK;
    memcpy(&moved, *out, list->size);
    if (offset[0] || offset[1])
        tmi_element_move(&moved, list->owner, offset);
    TM_TRY(tmi_patch_copy(list->apply->current, &copy, &moved, list->size, list->apply->error));
    tmi_visit_element(list->owner, copy, tmi_objects_bring,
                      &(tmi_version){&list->apply->objects, TMI_THEIRS});
    *out = copy;
    return TM_OK;
}

/* An inserted element gets the position that it has AFTER, as far as the list is long enough. */
static tm_status make_items(relisting *list)
{
    uint32_t *n = &list->num_new, insert = 0;
    for (uint32_t old = 0; old <= list->old.num; old++) {
        const tmi_delta *change = old < list->old.num ? list->changes[old] : NULL;
        for (; insert < list->num_inserts &&
               (old == list->old.num || list->inserts[insert]->at[TMI_AFTER] <= *n);
             insert++, ++*n)
            TM_TRY(bring_change(list, list->inserts[insert], &list->items[*n]));
        if (old == list->old.num || (change && !stays_in_place(change)))
            continue;
        if (change)
            TM_TRY(bring_change(list, change, &list->items[*n]));
        else
            list->items[*n] = list->old.items[old];
        ++*n;
    }
    return TM_OK;
}

tm_status tmi_elements_copy(tmi_elements *out, tm_patch *memory, const tm_map *map, tm_kind owner,
                            const void *object, tm_error *error)
{
    const tm_envelope *envelope = object;
    const size_t size = tm_kind_size(owner);
    tmi_borrowed loan = {.map = NULL};
    if (owner == TM_KIND_INFO) {
        out->num = map->info.num_settings;
    } else if (owner == TM_KIND_ENVELOPE_POINT) {
        out->num = envelope->num_points;
        loan.bytes = envelope->points;
    } else {
        out->num = tmi_layer_num(object);
        TM_TRY(tmi_borrowed_open(&loan, map, tmi_referring_block(object), error));
    }
    tm_status status = tmi_patch_copy(memory, &out->bytes, loan.bytes, out->num * size, error);
    tmi_borrowed_close(&loan);
    status = status ? status : tmi_patch_alloc(memory, &out->items, out->num, sizeof(void *), error);
    for (uint32_t i = 0; i < out->num && !status; i++) {
        const char *item = owner == TM_KIND_INFO ? map->info.settings[i] : out->bytes + i * size;
        out->items[i] = item ? item : "";
    }
    return status;
}

tm_status tmi_put_elements(tm_map *map, tm_kind owner, void *object, const void *const *items, uint32_t num,
                           tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(map);
    const size_t size = tm_kind_size(owner);
    if (owner == TM_KIND_INFO)
        return tm_map_set_settings(map, (const char *const *)items, num, error);
    char *bytes;
    TM_TRY(tmi_reserve(&bytes, allocator, num, size, "a list of elements", error));
    for (uint32_t i = 0; i < num; i++)
        memcpy(bytes + i * size, items[i], size);
    const tm_status status =
        owner != TM_KIND_ENVELOPE_POINT
            ? tmi_layer_put_elements(map, object, bytes, num, error)
            : tm_map_set_points(map, (uint32_t)((tm_envelope *)object - map->envelopes),
                                (const tm_envelope_point *)(const void *)bytes, num, error);
    tmi_free(allocator, bytes, num, size);
    return status;
}

/* ------------------------------------------------------------------------------------------- all changes */

static tm_status (*const writers[TMI_DELTA_DATA + 1])(tmi_apply *apply, const tmi_delta *delta) = {
    [TMI_DELTA_OBJECT] = fill_object,
    [TMI_DELTA_FIELD] = write_field,
    [TMI_DELTA_GRID] = write_grid,
    [TMI_DELTA_DATA] = write_data,
};

static tm_status apply_to(tmi_apply *apply, bool partial)
{
    TM_TRY(tmi_apply_find(apply));
    TM_TRY(tmi_apply_check(apply));
    if (apply->num_misfits && !partial)
        return tmi_fail(apply->error, TM_ERROR_UNSUPPORTED, -1, "%llu of %llu changes do not fit this map",
                        (unsigned long long)apply->num_misfits, (unsigned long long)apply->patch->num);
    TM_TRY(tmi_apply_order(apply));
    for (size_t i = 0, end; i < apply->patch->num; i = end) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        end = tmi_end_of_list(apply->patch, i);
        if (writers[delta->type] && apply->fits[i].fits)
            TM_TRY(writers[delta->type](apply, delta));
        void *object = writers[delta->type] ? NULL : object_of(apply, delta);
        if (!object)
            continue;
        relisting list = {.apply = apply, .owner = delta->owner};
        list.size = delta->type == TMI_DELTA_SETTING ? 0 : tm_kind_size(delta->owner);
        TM_TRY(tmi_elements_copy(&list.old, apply->current, apply->map, list.owner, object, apply->error));
        TM_TRY(sort_changes(&list, delta, end - i));
        TM_TRY(make_items(&list));
        TM_TRY(tmi_put_elements(apply->map, list.owner, object, list.items, list.num_new, apply->error));
    }
    tm_error fault; /* of a patch that was made by hand */
    if (tm_map_verify(apply->map, &fault) == TM_OK)
        return TM_OK;
    return tmi_fail(apply->error, TM_ERROR_UNSUPPORTED, -1, "the map would not be sound: %s: %s", fault.place,
                    fault.text);
}

void tmi_patch_report(tm_report *report, const char *operation, const tm_patch *patch, const tmi_fit *fits)
{
    tm_patch_change change;
    for (uint32_t i = 0; report && tm_patch_at(&change, patch, i); i++) {
        char line[TM_ERROR_TEXT_SIZE];
        if (fits && !fits[i].fits)
            continue;
        tm_patch_change_format(&change, line, sizeof(line));
        tmi_report_change(report, operation, NULL, change.in_before ? change.before : change.after,
                          change.num ? change.num : 1, "%s", line);
    }
}

tm_status tm_patch_apply(tm_map *map, const tm_patch *patch, const tm_apply_options *options,
                         tm_report *report, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(patch, "patch", error));
    tm_apply_options effective;
    tm_patch_options of_here = TM_PATCH_OPTIONS_INIT;
    tmi_apply apply = {.patch = patch, .report = report, .error = error};
    apply.work = tmi_compare_work_of(&map->priv->limits);
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_apply_options", error));
    of_here.allocator = tmi_map_allocator(map);
    of_here.limits = &map->priv->limits;
    tm_status status = tm_map_clone(&apply.map, map, error);
    tm_map_set_cancel(apply.map, map->priv->cancel);
    if (status == TM_OK)
        status = tmi_patch_new(&apply.current, &of_here, error);
    if (status == TM_OK)
        status = tmi_patch_alloc(apply.current, &apply.fits, patch->num, sizeof(*apply.fits), error);
    if (status == TM_OK)
        status = apply_to(&apply, effective.partial);
    if (status == TM_OK) {
        tmi_report_unknown(report ? &report->findings : NULL, map, apply.map, false);
        tm_map_swap(map, apply.map);
        tmi_patch_report(report, "patch", patch, apply.fits);
    }
    tm_patch_free(apply.current);
    tm_map_free(apply.map);
    return status;
}
