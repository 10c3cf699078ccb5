/* SPDX-License-Identifier: Zlib */
/* Visits quads, sound sources and groups for all operations, and moves them; tests groups and tiles. */
#include "edit_geometry.h"

tm_status tmi_edit_put_int(int32_t *out, int64_t value, tm_error *error)
{
    if (value < INT32_MIN || value > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "a position or a size in it would be %lld, and %ld is the most that maps hold",
                        (long long)value, (long)INT32_MAX);
    *out = (int32_t)value;
    return TM_OK;
}

bool tmi_edit_put_number(tmi_edit *edit, const tm_address *address, const char *name, int32_t *out,
                         int64_t value)
{
    tm_error reason = {.offset = -1};
    if (tmi_edit_put_int(out, value, &reason) == TM_OK)
        return true;
    tmi_edit_report(edit, TM_FINDING_NOT_MOVED, *address, "%s stays as it is: %s", name, reason.text);
    return false;
}

int64_t tmi_edit_divide(int64_t n, int64_t d)
{
    const int64_t half = n < 0 ? -(d / 2) : d / 2;
    return (n + half) / d;
}

static tm_status move_element(tm_layer_kind kind, void *element, const tmi_edit_movers *movers, void *ctx,
                              tm_error *error)
{
    tm_quad *quad = element;
    tm_sound_source *source = element;
    tm_old_source *old = element;
    if (kind == TM_LAYER_QUADS)
        return movers->points(ctx, quad->points, TMI_COUNT_OF(quad->points), error);
    const bool is_old = kind == TM_LAYER_OLD_SOUNDS;
    TM_TRY(movers->points(ctx, is_old ? &old->position : &source->position, 1, error));
    if (!movers->size)
        return TM_OK;
    if (is_old)
        return movers->size(ctx, &old->radius, NULL, error);
    int32_t *height = source->shape == TM_SHAPE_RECTANGLE ? &source->height : NULL;
    return movers->size(ctx, &source->width, height, error);
}

tm_status tmi_edit_each_element(tmi_edit *edit, const tm_address *address, const tmi_edit_movers *movers,
                                void *ctx, tm_error *error)
{
    const tm_layer *target = &edit->map->groups[address->index].layers[address->layer];
    union {
        tm_quad quad;
        tm_sound_source source;
        tm_old_source old;
    } before;
    void *elements;
    uint32_t num;
    tmi_edit_unmoved unmoved = {.num = 0};
    if (tmi_layer_num(target) == 0)
        return TM_OK;
    TM_TRY(tmi_map_edit_elements(&elements, &num, edit->map, target, error));
    const size_t size = tm_game_layer(target->kind)->element_size;
    for (uint32_t i = 0; i < num; i++) {
        uint8_t *element = (uint8_t *)elements + i * size;
        tm_error reason = {.offset = -1};
        memcpy(&before, element, size);
        const tm_status status = move_element(target->kind, element, movers, ctx, &reason);
        if (tmi_edit_stays(&unmoved, status, &reason, i)) {
            memcpy(element, &before, size);
        } else if (status) {
            if (error)
                *error = reason;
            return status;
        }
    }
    tmi_edit_report_unmoved(edit, address, &unmoved);
    return TM_OK;
}

tm_status tmi_edit_elements_get(tmi_edit_elements *out, const tm_map *map, const tm_address *address,
                                tm_error *error)
{
    const tm_layer *layer = &map->groups[address->index].layers[address->layer];
    const tm_quad *quads = NULL;
    const tm_sound_source *sources = NULL;
    *out = (tmi_edit_elements){
        .kind = layer->kind, .size = sizeof(*quads), .pivot = offsetof(tm_quad, points[4])};
    if (layer->kind == TM_LAYER_QUADS)
        TM_TRY(tm_map_quads(&quads, &out->num, map, layer, error));
    if (layer->kind == TM_LAYER_SOUNDS) {
        TM_TRY(tm_map_sources(&sources, &out->num, map, layer, error));
        out->size = sizeof(*sources);
        out->pivot = offsetof(tm_sound_source, position);
    }
    out->list = quads ? (const uint8_t *)quads : (const uint8_t *)sources;
    return TM_OK;
}

tm_status tmi_edit_elements_change(uint32_t *num, tmi_edit *edit, const tm_address *address,
                                   tmi_edit_change *change, void *ctx, tm_error *error)
{
    tmi_edit_elements elements;
    uint32_t left = 0;
    tmi_edit_unmoved unmoved = {.num = 0};
    *num = 0;
    TM_TRY(tmi_edit_elements_get(&elements, edit->map, address, error));
    uint8_t *list;
    TM_TRY(tmi_reserve(&list, edit->scratch, elements.num, elements.size, "elements", error));
    for (uint32_t i = 0; i < elements.num; i++) {
        const uint8_t *old = elements.list + i * elements.size;
        uint8_t *element = list + left * elements.size;
        bool kept = true;
        memcpy(element, old, elements.size);
        if (tmi_edit_region_holds(edit->value, tmi_edit_pivot(&elements, i))) {
            tm_error reason = {.offset = -1};
            const tm_status status = change(ctx, element, &kept, &reason);
            if (tmi_edit_stays(&unmoved, status, &reason, i)) {
                memcpy(element, old, elements.size);
                kept = true;
            } else if (status) {
                if (error)
                    *error = reason;
                return tmi_fail_at(error, status, "%s %u",
                                   elements.kind == TM_LAYER_QUADS ? "quad" : "source", (unsigned)i);
            }
        }
        *num += !kept || memcmp(element, old, elements.size) != 0;
        left += kept;
    }
    tmi_edit_report_unmoved(edit, address, &unmoved);
    return *num ? tmi_layer_put_elements(edit->map, tmi_edit_layer_at(edit, address), list, left, error)
                : TM_OK;
}

/* ------------------------------------------------------------------------------------------------ moving */

tm_status tmi_edit_move_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    const int64_t *distance = ctx;
    for (size_t i = 0; i < num; i++) {
        TM_TRY(tmi_edit_put_int(&points[i].x, points[i].x + distance[0], error));
        TM_TRY(tmi_edit_put_int(&points[i].y, points[i].y + distance[1], error));
    }
    return TM_OK;
}

static const tmi_edit_movers element_moves = {tmi_edit_move_points, NULL};

tm_status tmi_edit_move_element(tm_layer_kind kind, void *element, const int64_t by[2], tm_error *error)
{
    int64_t distance[2] = {by[0], by[1]};
    return move_element(kind, element, &element_moves, distance, error);
}

tm_status tmi_edit_move_elements(tmi_edit *edit, const tm_address *address, const int64_t by[2],
                                 tm_error *error)
{
    int64_t distance[2] = {by[0], by[1]};
    if (!by[0] && !by[1])
        return TM_OK;
    return tmi_edit_each_element(edit, address, &element_moves, distance, error);
}

/* ------------------------------------------------------------------------------------------------- groups */

tm_status tmi_edit_each_group(tmi_edit *edit, tmi_edit_work *frame, tmi_edit_work *layer, const char *done,
                              void *ctx, tm_error *error)
{
    edit->ctx = ctx;
    for (uint32_t g = 0; g < edit->map->num_groups; g++) {
        const tm_group *group = &edit->map->groups[g];
        const tm_address address = tmi_edit_address(TM_KIND_GROUP, g, 0);
        const uint32_t num = group->num_layers;
        TM_TRY(tmi_fail_at_address(error, frame(edit, &address, error), edit->map, address));
        for (uint32_t i = 0, before; i < group->num_layers; i += 1 + group->num_layers - before) {
            const tm_address group_address = tmi_edit_address(TM_KIND_LAYER, g, i);
            before = group->num_layers;
            TM_TRY(tmi_fail_at_address(error, layer(edit, &group_address, error), edit->map, group_address));
        }
        if (done)
            tmi_edit_changed(edit, address, num + 1u, "%s", done);
    }
    return TM_OK;
}

bool tmi_edit_moves_along(const tm_map *map, uint32_t index, int axis)
{
    const tm_group *group = &map->groups[index];
    return tm_map_is_game_group(map, index) || (axis ? group->parallax_y == 100 && !group->offset_y
                                                     : group->parallax_x == 100 && !group->offset_x);
}

/* True, too, if clipping is off but its rectangle is not all zeros: operations change that, too. */
bool tmi_edit_clips(const tm_group *group)
{
    return group->use_clipping || group->clip_x || group->clip_y || group->clip_w || group->clip_h;
}

uint32_t tmi_edit_largest_tiles(const tm_group *group, int axis)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < group->num_layers; i++) {
        const tm_tile_layer *tiles = &group->layers[i].as.tiles;
        const uint32_t size = axis == 0 ? tiles->width : tiles->height;
        if (group->layers[i].kind == TM_LAYER_TILES && size > largest)
            largest = size;
    }
    return largest;
}

void tmi_edit_set_played_size(tmi_edit *edit, const tm_address *address, const uint32_t world[2])
{
    tm_tile_layer *tiles = &tmi_edit_layer_at(edit, address)->as.tiles;
    if (!tm_map_physics_layer(NULL, NULL, edit->map, TM_LAYER_GAME) ||
        (tiles->width == world[0] && tiles->height == world[1]) ||
        (uint64_t)tiles->width * tiles->height < (uint64_t)world[0] * world[1] || !tiles->tiles)
        return;
    tmi_edit_report(edit, TM_FINDING_PHYSICS_RESIZED, *address,
                    "it had %u x %u tiles, and has the %u x %u that are played now", (unsigned)tiles->width,
                    (unsigned)tiles->height, (unsigned)world[0], (unsigned)world[1]);
    tiles->width = world[0];
    tiles->height = world[1];
}

void tmi_edit_stop_automapper(tmi_edit *edit, const tm_address *address, const char *effect)
{
    tm_automapper *automapper = &tmi_edit_layer_at(edit, address)->as.tiles.automapper;
    if (!automapper->present || !automapper->automatic)
        return;
    automapper->automatic = false;
    tmi_edit_report(edit, TM_FINDING_AUTOMAPPER_STOPPED, *address,
                    "its automapper is not automatic any more: the rules %s", effect);
}

tm_status tmi_edit_grow_physics(tmi_edit *edit, uint32_t width, uint32_t height, tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(edit->map, &walk)) {
        const tm_tile_layer *tiles = &walk.layer->as.tiles;
        if (!tm_game_layer(walk.layer->kind)->is_physics ||
            (tiles->width >= width && tiles->height >= height))
            continue;
        const uint32_t wide = tiles->width > width ? tiles->width : width;
        const uint32_t high = tiles->height > height ? tiles->height : height;
        const tm_address address = tmi_edit_address(TM_KIND_LAYER, walk.group, walk.index);
        tmi_edit_changed(edit, address, 1, "grown to %ux%u", (unsigned)wide, (unsigned)high);
        TM_TRY(tmi_fail_at_address(
            error, tm_map_resize_layer(edit->map, walk.group, walk.index, wide, high, 0, 0, error), edit->map,
            address));
    }
    return TM_OK;
}

tm_status tmi_edit_need_physics(tmi_edit *edit, tm_layer_kind kind, uint32_t *group, uint32_t *index,
                                tm_error *error)
{
    uint32_t width, height;
    if (tm_map_physics_layer(group, index, edit->map, kind))
        return TM_OK;
    if (!tm_map_physics_layer(group, index, edit->map, TM_LAYER_GAME))
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has no game layer");
    tm_map_area(&width, &height, edit->map);
    *index = edit->map->groups[*group].num_layers;
    TM_TRY(tm_map_insert_layer(edit->map, *group, *index, kind, width, height, error));
    tmi_edit_changed(edit, tmi_edit_address(TM_KIND_LAYER, *group, *index), 1, "added");
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

void tmi_edit_cut_grid(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    const uint32_t *first = ctx;
    for (uint32_t y = 0; source->width && source->height && y < target->height; y++)
        for (uint32_t x = 0; x < target->width; x++) {
            const uint64_t x0 = (uint64_t)x + first[0], y0 = (uint64_t)y + first[1];
            const size_t old_x = (size_t)(x0 < source->width ? x0 : source->width - 1),
                         old_y = (size_t)(y0 < source->height ? y0 : source->height - 1);
            tmi_copy_element(tmi_edit_tile_of(target, x, y), tmi_edit_tile(source, old_x, old_y),
                             target->tile_size);
        }
}

bool tmi_edit_stands_alone(tm_game game, tm_layer_kind kind, const void *tile)
{
    const uint8_t *bytes = tile;
    static const bool alone[TM_TILE_CATEGORY_COUNT] = {
        [TM_CATEGORY_SPAWN] = true, [TM_CATEGORY_FLAG] = true,   [TM_CATEGORY_PICKUP] = true,
        [TM_CATEGORY_LASER] = true, [TM_CATEGORY_TURRET] = true, [TM_CATEGORY_DRAGGER] = true,
        [TM_CATEGORY_DOOR] = true,  [TM_CATEGORY_SIGN] = true,
    };
    const uint8_t index = bytes[tm_game_layer(kind)->index_at];
    const tm_tile_info *info = kind == TM_LAYER_TILES ? NULL : tm_game_tile(game, kind, index);
    if (!info)
        return false;
    if (kind == TM_LAYER_TELE)
        return index == TM_TILE_TELE_OUT || index == TM_TILE_TELE_CHECKPOINT_OUT;
    return alone[info->category] && !(info->category == TM_CATEGORY_LASER && index == TM_TILE_NO_LASER);
}
