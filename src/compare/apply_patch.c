/* SPDX-License-Identifier: Zlib */
/*
 * Applying a patch: when it is known what fits and all objects stand where they will be, what is in them
 * becomes what the patch says. All work is done on a clone, which takes the map's place at the end.
 */
#include "apply.h"

/* ------------------------------------------------------------------------------------------- new objects */

/* The group of a layer afterwards. */
static uint32_t final_group(const tmi_apply *at, uint32_t layer)
{
    uint32_t low = 0, high = at->map->num_groups;
    while (low + 1 < high) {
        const uint32_t mid = (low + high) / 2;
        if (at->final_first[mid] <= layer)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static void *final_object(const tmi_apply *at, tmi_list list, uint32_t number)
{
    switch (list) {
    case TMI_IMAGES: return &at->map->images[number];
    case TMI_SOUNDS: return &at->map->sounds[number];
    case TMI_ENVELOPES: return &at->map->envelopes[number];
    case TMI_GROUPS: return &at->map->groups[number];
    case TMI_WHOLE: return at->map;
    default: break;
    }
    const uint32_t group = final_group(at, number);
    return &at->map->groups[group].layers[number - at->final_first[group]];
}

/* The object that a change is about, which was there before. */
static void *object_of(const tmi_apply *at, const tmi_delta *delta)
{
    if (delta->list == TMI_WHOLE)
        return at->map;
    const int32_t here = at->place[delta->list].other[TMI_BEFORE][delta->number[TMI_BEFORE]];
    const int32_t final = at->final[delta->list][here];
    return final == TM_NONE ? NULL : final_object(at, delta->list, (uint32_t) final);
}

static void bring_reference(void *ctx, tm_object object, int32_t *index)
{
    *index = tmi_here_after(ctx, object, *index);
}

/* ------------------------------------------------------------- new objects in a map that is elsewhere now */

static int32_t plus(int32_t value, int64_t by)
{
    return (int32_t)((uint32_t)value + (uint32_t)by);
}

/* What stands still in the world is seen where it was, and clips are places of the world. */
static void move_group(const tmi_apply *at, tm_group *group)
{
    int32_t *const offset[2] = {&group->offset_x, &group->offset_y};
    int32_t *const clip[2] = {&group->clip_x, &group->clip_y};
    const int32_t parallax[2] = {group->parallax_x, group->parallax_y};
    for (int axis = 0; axis < 2; axis++) {
        const int64_t px = (int64_t)at->by[axis] * TM_TILE_PX, seen = px * parallax[axis];
        if (!tmi_goes_along(at, group, axis))
            *offset[axis] = plus(*offset[axis], -((seen + (seen < 0 ? -50 : 50)) / 100));
        if (group->use_clipping)
            *clip[axis] = plus(*clip[axis], px);
    }
}

/* How long a layer becomes along an axis: one that reached the end of the map does so again. */
static uint32_t moved_size(const tmi_apply *at, int axis, uint32_t size, int32_t by)
{
    const tmi_grid *game = at->patch->game;
    const uint32_t world = axis ? game->height[TMI_BEFORE] : game->width[TMI_BEFORE];
    const int64_t moved = size + (size >= world ? at->wider[axis] : by);
    return moved < 1 ? 1 : (uint32_t)moved;
}

static tm_status move_layer(const tmi_apply *at, uint32_t number)
{
    const uint32_t group = final_group(at, number), index = number - at->final_first[group];
    tm_layer *layer = &at->map->groups[group].layers[index];
    tm_tile_layer *tiles = &layer->as.tiles;
    const tm_owner owner = tm_owner_of_elements(layer->kind);
    uint32_t size[2] = {tiles->width, tiles->height};
    int32_t by[2] = {0, 0};
    void *bytes;
    for (int axis = 0; axis < 2; axis++) {
        if (!tmi_goes_along(at, &at->map->groups[group], axis))
            continue;
        by[axis] = at->by[axis];
        size[axis] = moved_size(at, axis, size[axis], by[axis]);
    }
    if (tm_game_layer(layer->kind)->is_tiles)
        return tm_map_resize_layer(at->map, group, index, size[0], size[1], by[0], by[1], at->error);
    if (owner == TM_OWNER_COUNT || !tmi_layer_num(layer))
        return TM_OK;
    TM_TRY(tm_map_edit_data(at->map, *tmi_layer_elements(layer), &bytes, NULL, at->error));
    for (uint32_t i = 0; i < tmi_layer_num(layer); i++) {
        tmi_any_element element;
        void *own = (char *)bytes + i * tm_owner_size(owner);
        memcpy(&element, own, tm_owner_size(owner));
        tmi_element_move(&element, owner, by);
        memcpy(own, &element, tm_owner_size(owner));
    }
    return TM_OK;
}

/* The copy is made aside: what fails half way must not be released with the map. */
static tm_status fill_object(tmi_apply *at, const tmi_delta *delta)
{
    tmi_any_object copy;
    const tm_owner owner = tmi_owner_of_list(delta->list);
    if (!delta->content[TMI_AFTER])
        return TM_OK;
    const int32_t final = at->final_added[delta->list][delta->number[TMI_AFTER]];
    void *object = final_object(at, delta->list, (uint32_t) final);
    TM_TRY(tmi_object_copy(at->map, owner, &copy, at->patch->home, delta->content[TMI_AFTER], at->error));
    if (delta->list == TMI_GROUPS) {
        copy.group.layers = ((tm_group *)object)->layers;
        copy.group.num_layers = ((tm_group *)object)->num_layers;
    }
    memcpy(object, &copy, tm_owner_size(owner));
    const bool moves = at->patch->game && (at->wider[0] || at->wider[1]);
    if (delta->list == TMI_GROUPS && moves)
        move_group(at, object);
    if (delta->list != TMI_LAYERS)
        return TM_OK;
    TM_TRY(tmi_layer_map_references(at->map, object, bring_reference, at, at->error));
    return moves ? move_layer(at, (uint32_t) final) : TM_OK;
}

/* ---------------------------------------------------------------------------------------- fields and data */

static tm_status write_field(tmi_apply *at, const tmi_delta *delta)
{
    void *object = object_of(at, delta);
    tm_value value = delta->value[TMI_AFTER];
    if (!object)
        return TM_OK;
    if (delta->owner == TM_OWNER_INFO)
        object = &at->map->info;
    if (delta->field->type == TM_TYPE_REFERENCE)
        value.as.number = tmi_here_after(at, delta->field->refers, value.as.number);
    return tmi_field_set_any(at->map, object, delta->field, delta->index, &value, at->error);
}

/* Where an object keeps a block. */
static tm_block **block_slot(const tmi_delta *delta, void *object)
{
    return (tm_block **)(void *)((char *)object + delta->field->offset);
}

static tm_status write_data(tmi_apply *at, const tmi_delta *delta)
{
    void *object = object_of(at, delta);
    tm_block *fresh;
    if (!object)
        return TM_OK;
    tm_block **slot = block_slot(delta, object);
    TM_TRY(tmi_block_copy(&fresh, at->map, delta->block[TMI_AFTER], NULL, at->error));
    if (fresh)
        fresh->copied = true;
    tmi_block_free(at->map, *slot);
    *slot = fresh;
    return TM_OK;
}

static void write_runs(const tmi_grid *grid, const int32_t by[2], uint8_t *bytes, uint32_t width,
                       uint32_t height)
{
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        const int64_t y = (int64_t)run->y + grid->dy + by[1];
        for (uint32_t i = 0; i < run->num && y >= 0 && y < height; i++) {
            const int64_t x = (int64_t)run->x + grid->dx + by[0] + i;
            if (x >= 0 && x < width)
                memcpy(bytes + ((size_t)y * width + (size_t)x) * grid->size,
                       grid->bytes[TMI_AFTER] + (size_t)(run->first + i) * grid->size, grid->size);
        }
    }
}

static void copy_overlap(const tmi_grid *grid, uint8_t *to, const uint8_t *from)
{
    const int64_t width = grid->width[TMI_AFTER];
    const int64_t first = grid->dx > 0 ? grid->dx : 0;
    const int64_t old_end = (int64_t)grid->width[TMI_BEFORE] + grid->dx;
    const int64_t end = old_end < width ? old_end : width;
    for (int64_t y = 0; y < grid->height[TMI_AFTER]; y++) {
        const int64_t row = y - grid->dy;
        if (row >= 0 && row < grid->height[TMI_BEFORE] && first < end)
            memcpy(to + (size_t)(y * width + first) * grid->size,
                   from + (size_t)(row * grid->width[TMI_BEFORE] + first - grid->dx) * grid->size,
                   (size_t)(end - first) * grid->size);
    }
}

/* A block of the new size with the old content in it, in the place of the old one. */
static tm_status resize_grid(tmi_apply *at, const tmi_grid *grid, tm_block **slot)
{
    const void *old;
    void *bytes;
    tm_block *fresh;
    uint64_t old_size;
    const uint64_t size = (uint64_t)grid->width[TMI_AFTER] * grid->height[TMI_AFTER] * grid->size;
    if (!*slot)
        return TM_OK;
    TM_TRY(tm_map_data(at->map, *slot, &old, &old_size, at->error));
    if ((uint64_t)grid->width[TMI_BEFORE] * grid->height[TMI_BEFORE] > old_size / grid->size)
        return TM_OK; /* the data come as a whole */
    TM_TRY(tmi_block_new(&fresh, at->map,
                         (*slot)->view == TMI_ENCODING_SPEEDUP ? TMI_ENCODING_SPEEDUP : TMI_ENCODING_BYTES,
                         NULL, size, at->error));
    tm_status status = tm_map_edit_data(at->map, fresh, &bytes, NULL, at->error);
    if (status != TM_OK) {
        tmi_block_free(at->map, fresh);
        return status;
    }
    copy_overlap(grid, bytes, old);
    tmi_block_free(at->map, *slot);
    *slot = fresh;
    return TM_OK;
}

static tm_status write_grid(tmi_apply *at, const tmi_delta *delta)
{
    const tmi_grid *grid = delta->grid;
    void *object = object_of(at, delta), *bytes;
    if (!object)
        return TM_OK;
    tm_block **slot = block_slot(delta, object);
    uint32_t width, height;
    if (delta->list == TMI_IMAGES) {
        width = (uint32_t)((tm_image *)object)->width;
        height = (uint32_t)((tm_image *)object)->height;
    } else {
        const bool reshaped = tmi_grid_reshaped(grid);
        tm_tile_layer *tiles = &((tm_layer *)object)->as.tiles;
        if (reshaped)
            TM_TRY(resize_grid(at, grid, slot));
        if (reshaped && delta->field->flags & TM_FIELD_ELEMENTS) {
            tiles->width = grid->width[TMI_AFTER];
            tiles->height = grid->height[TMI_AFTER];
        }
        width = reshaped ? grid->width[TMI_AFTER] : tiles->width;
        height = reshaped ? grid->height[TMI_AFTER] : tiles->height;
    }
    if (grid->num == 0 || !*slot)
        return TM_OK;
    TM_TRY(tm_map_edit_data(at->map, *slot, &bytes, NULL, at->error));
    if ((uint64_t)width * height > (*slot)->size / grid->size)
        return TM_OK; /* the data come as a whole */
    write_runs(grid, at->fits[delta - at->patch->deltas].by, bytes, width, height);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- lists of elements */

/* A list that is made anew: what stays, in its order, and what is put in at its place. */
typedef struct relisting {
    const tmi_apply *at;
    const tmi_delta *first;
    size_t num_deltas;
    uint32_t num_old, num_new;
    const tmi_delta **in_place; /* by old number: the change of an element that stays where it is */
    bool *leaves;
    const tmi_delta **inserts; /* in the order of their places AFTER */
    uint32_t num_inserts;
} relisting;

static const tmi_fit *fit_of(const tmi_apply *at, const tmi_delta *delta)
{
    return &at->fits[delta - at->patch->deltas];
}

static void sort_inserts(relisting *list)
{
    /* they come in this order, but for patches that somebody has written by hand */
    for (uint32_t i = 1; i < list->num_inserts; i++) {
        const tmi_delta *moving = list->inserts[i];
        uint32_t j = i;
        for (; j > 0 && list->inserts[j - 1]->at[TMI_AFTER] > moving->at[TMI_AFTER]; j--)
            list->inserts[j] = list->inserts[j - 1];
        list->inserts[j] = moving;
    }
}

static tm_status start_relisting(relisting *list, tmi_apply *at, const tmi_delta *first, size_t num,
                                 uint32_t num_old)
{
    *list = (relisting){.at = at, .first = first, .num_deltas = num, .num_old = num_old, .num_new = num_old};
    TM_TRY(tmi_patch_alloc(at->here, &list->in_place, num_old, sizeof(*list->in_place), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &list->leaves, num_old, sizeof(*list->leaves), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &list->inserts, num, sizeof(*list->inserts), at->error));
    for (size_t i = 0; i < num; i++) {
        const tmi_delta *delta = &first[i];
        const bool stays = delta->bytes[TMI_BEFORE] && delta->bytes[TMI_AFTER] && !delta->moved;
        if (!fit_of(at, delta)->fits)
            continue;
        if (stays)
            list->in_place[fit_of(at, delta)->claim] = delta;
        else if (delta->bytes[TMI_BEFORE])
            list->leaves[fit_of(at, delta)->claim] = true;
        if (!stays && delta->bytes[TMI_AFTER])
            list->inserts[list->num_inserts++] = delta;
        list->num_new += !stays && delta->bytes[TMI_AFTER];
        list->num_new -= !stays && delta->bytes[TMI_BEFORE];
    }
    sort_inserts(list);
    return TM_OK;
}

/*
 * Calls put(ctx, n, old, delta) for each element of the new list: the old one of that number, or (old is
 * UINT32_MAX) the one that the change has. An element that is put in as number k of the list AFTER stands
 * behind as many of those that stay as there.
 */
typedef tm_status put_element(void *ctx, uint32_t n, uint32_t old, const tmi_delta *delta);
static tm_status each_element(const relisting *list, put_element *put, void *ctx)
{
    uint32_t n = 0, insert = 0;
    for (uint32_t old = 0; old <= list->num_old; old++) {
        while (insert < list->num_inserts &&
               (old == list->num_old || list->inserts[insert]->at[TMI_AFTER] <= n)) {
            TM_TRY(put(ctx, n++, UINT32_MAX, list->inserts[insert]));
            insert++;
        }
        if (old < list->num_old && !list->leaves[old])
            TM_TRY(put(ctx, n++, old, list->in_place[old]));
    }
    return TM_OK;
}

typedef struct new_elements {
    tmi_apply *at;
    tm_owner owner;
    size_t size;
    const char *old;
    char *fresh;
} new_elements;

static tm_status put_one_element(void *ctx, uint32_t n, uint32_t old, const tmi_delta *delta)
{
    const new_elements *list = ctx;
    char *to = list->fresh + (size_t)n * list->size;
    size_t num;
    const tm_field *fields = tm_fields(list->owner, &num);
    memcpy(to, delta ? delta->bytes[TMI_AFTER] : (const void *)(list->old + (size_t)old * list->size),
           list->size);
    if (delta && (fit_of(list->at, delta)->by[0] || fit_of(list->at, delta)->by[1])) {
        tmi_any_element moved;
        memcpy(&moved, to, list->size);
        tmi_element_move(&moved, delta->owner, fit_of(list->at, delta)->by);
        memcpy(to, &moved, list->size);
    }
    for (size_t f = 0; delta && f < num; f++) {
        int32_t index;
        if (fields[f].type != TM_TYPE_REFERENCE)
            continue;
        memcpy(&index, to + fields[f].offset, sizeof(index));
        index = tmi_here_after(list->at, fields[f].refers, index);
        memcpy(to + fields[f].offset, &index, sizeof(index));
    }
    return TM_OK;
}

static tm_status put_elements(tmi_apply *at, const tmi_delta *first, void *object, const char *bytes,
                              uint32_t num)
{
    if (first->owner != TM_OWNER_ENVELOPE_POINT)
        return tmi_layer_put_elements(at->map, object, bytes, num, at->error);
    const uint32_t index = (uint32_t)((tm_envelope *)object - at->map->envelopes);
    return tm_map_set_points(at->map, index, (const tm_envelope_point *)(const void *)bytes, num, at->error);
}

static tm_status write_elements(tmi_apply *at, const tmi_delta *first, size_t num)
{
    void *object = object_of(at, first);
    const tm_allocator *allocator = tmi_patch_allocator(at->here);
    const void *old = NULL;
    relisting list;
    uint32_t num_old;
    if (!object)
        return TM_OK;
    if (first->owner == TM_OWNER_ENVELOPE_POINT) {
        old = ((tm_envelope *)object)->points;
        num_old = ((tm_envelope *)object)->num_points;
    } else {
        TM_TRY(tm_map_data(at->map, *tmi_layer_elements(object), &old, NULL, at->error));
        num_old = tmi_layer_num(object);
    }
    TM_TRY(start_relisting(&list, at, first, num, num_old));
    new_elements fresh = {at, first->owner, tm_owner_size(first->owner), old, NULL};
    fresh.fresh = tmi_alloc(allocator, list.num_new, fresh.size);
    if (!fresh.fresh)
        return tmi_fail_memory(at->error, (uint64_t)list.num_new * fresh.size, "a list of elements");
    tm_status status = each_element(&list, put_one_element, &fresh);
    if (status == TM_OK)
        status = put_elements(at, first, object, fresh.fresh, list.num_new);
    tmi_free(allocator, fresh.fresh, list.num_new, fresh.size);
    return status;
}

typedef struct new_settings {
    const tmi_apply *at;
    const char **texts;
} new_settings;

static tm_status put_setting(void *ctx, uint32_t n, uint32_t old, const tmi_delta *delta)
{
    const new_settings *list = ctx;
    list->texts[n] = delta ? delta->bytes[TMI_AFTER] : list->at->map->info.settings[old];
    return TM_OK;
}

static tm_status write_settings(tmi_apply *at, const tmi_delta *first, size_t num)
{
    relisting list;
    new_settings fresh = {at, NULL};
    TM_TRY(start_relisting(&list, at, first, num, at->map->info.num_settings));
    TM_TRY(tmi_patch_alloc(at->here, &fresh.texts, list.num_new, sizeof(*fresh.texts), at->error));
    TM_TRY(each_element(&list, put_setting, &fresh));
    return tm_map_set_settings(at->map, fresh.texts, list.num_new, at->error);
}

/* ------------------------------------------------------------------------------------------- all changes */

static tm_status (*const writers[])(tmi_apply *at, const tmi_delta *delta) = {
    [TMI_DELTA_OBJECT] = fill_object,
    [TMI_DELTA_FIELD] = write_field,
    [TMI_DELTA_GRID] = write_grid,
    [TMI_DELTA_DATA] = write_data,
};

static tm_status write_changes(tmi_apply *at)
{
    const tmi_delta *deltas = at->patch->deltas;
    for (size_t i = 0; i < at->patch->num;) {
        const tmi_delta *delta = &deltas[i];
        size_t end = i + 1;
        if (delta->type == TMI_DELTA_ELEMENT || delta->type == TMI_DELTA_SETTING) {
            while (end < at->patch->num && deltas[end].type == delta->type &&
                   deltas[end].list == delta->list &&
                   deltas[end].number[TMI_BEFORE] == delta->number[TMI_BEFORE] &&
                   deltas[end].owner == delta->owner)
                end++;
            if (delta->list == TMI_WHOLE ||
                at->place[delta->list].other[TMI_BEFORE][delta->number[TMI_BEFORE]] != TM_NONE)
                TM_TRY(
                    (delta->type == TMI_DELTA_SETTING ? write_settings : write_elements)(at, delta, end - i));
        } else if (at->fits[i].fits) {
            TM_TRY(writers[delta->type](at, delta));
        }
        i = end;
    }
    return TM_OK;
}

static tm_status apply_to(tmi_apply *at, bool partial)
{
    TM_TRY(tmi_apply_find(at));
    TM_TRY(tmi_apply_check(at));
    if (at->num_misfits && !partial)
        return tmi_fail(at->error, TM_ERROR_UNSUPPORTED, -1, "%llu of %llu changes do not fit this map",
                        (unsigned long long)at->num_misfits, (unsigned long long)at->patch->num);
    TM_TRY(tmi_apply_order(at));
    TM_TRY(write_changes(at));
    tm_error fault; /* of a patch that was made by hand */
    if (tm_map_verify(at->map, &fault) == TM_OK)
        return TM_OK;
    return tmi_fail(at->error, TM_ERROR_UNSUPPORTED, -1, "the map would not be sound: %s: %s", fault.place,
                    fault.text);
}

/* What was done, in the words of the patch. */
static void report_changes(const tmi_apply *at)
{
    for (size_t i = 0; at->report && i < at->patch->num; i++) {
        tm_patch_change change;
        char line[TM_ERROR_TEXT_SIZE];
        if (!at->fits[i].fits || !tm_patch_at(at->patch, (uint32_t)i, &change))
            continue;
        tm_patch_change_format(&change, line, sizeof(line));
        tmi_report_change(at->report, "patch", NULL, change.in_before ? change.before : change.after,
                          change.num ? change.num : 1, "%s", line);
    }
}

static void end_apply(tmi_apply *at)
{
    for (int list = 0; list < TMI_LISTS && at->here; list++)
        tmi_pairs_free(&at->place[list], tmi_patch_allocator(at->here));
    tm_patch_free(at->here);
    tm_map_free(at->map);
}

tm_status tm_patch_apply(tm_map *map, const tm_patch *patch, const tm_apply_options *options,
                         tm_report *report, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(patch, "patch", error));
    tm_apply_options own;
    tm_patch_options of_here = TM_PATCH_OPTIONS_INIT;
    tmi_apply at = {.patch = patch, .report = report, .error = error};
    TM_TRY(tmi_options_take(&own, sizeof(own), options, "tm_apply_options", error));
    of_here.allocator = tmi_map_allocator(map);
    of_here.limits = &map->priv->limits;
    tm_status status = tm_map_clone(&at.map, map, error);
    if (status == TM_OK)
        status = tmi_patch_new(&at.here, &of_here, error);
    if (status == TM_OK)
        status = tmi_patch_alloc(at.here, &at.fits, patch->num, sizeof(*at.fits), error);
    if (status == TM_OK)
        status = apply_to(&at, own.partial);
    if (status == TM_OK) {
        tm_map_swap(map, at.map);
        report_changes(&at);
    }
    end_apply(&at);
    return status;
}
