/* SPDX-License-Identifier: Zlib */
/*
 * Layers of physics have one size and place, or games do not take the map. So where both sides have extended,
 * cropped or moved the map, it is settled once, by the game layer, and all others follow: those that both
 * changed when their tiles are merged, those of one side alone at the end.
 */
#include "merge_maps.h"

static bool is_physics_kind(tm_layer_kind kind)
{
    return tm_game_layer(kind)->is_physics;
}

/* The change of the tiles, or of the array for other games, of a layer of the base; NULL: none. */
static const tmi_delta *grid_change(const tmi_merge *m, int side, uint32_t id, bool elements)
{
    const tmi_merge_range range = m->list[TMI_LAYERS].range[side][id];
    for (size_t i = range.first; i < range.first + range.num; i++) {
        const tmi_delta *delta = &m->patch[side]->deltas[i];
        if (delta->type == TMI_DELTA_GRID && !(delta->field->flags & TM_FIELD_ELEMENTS) == !elements)
            return delta;
    }
    return NULL;
}

/* The game layer of the base, if all maps have it. */
static bool find_game_of_all(const tmi_merge *m, uint32_t *id)
{
    const tmi_merge_list *own = &m->list[TMI_LAYERS];
    uint32_t group, index;
    if (!tm_map_physics_layer(m->base, TM_LAYER_GAME, &group, &index))
        return false;
    *id = m->patch[0]->side[TMI_BEFORE].first_layer[group] + index;
    return own->number[TMI_OURS][*id] != TM_NONE && own->number[TMI_THEIRS][*id] != TM_NONE &&
           !own->gone[*id];
}

/* ------------------------------------------------------------------------------------------ what is lost */

static bool is_all_zero(const uint8_t *bytes, size_t size)
{
    while (size && !*bytes) {
        bytes++;
        size--;
    }
    return size == 0;
}

/* Whether a side, which has its tiles in `own`, has put something where the result has no place. */
static bool loses(const tmi_rect *result, const tmi_rect *own, const tmi_grid *grid)
{
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        for (uint32_t i = 0; i < run->num; i++) {
            const int64_t x = (int64_t)run->x + i;
            if (!tmi_in_rect(result, x, run->y) && tmi_in_rect(own, x, run->y) &&
                !is_all_zero(grid->bytes[TMI_AFTER] + (size_t)(run->first + i) * grid->size, grid->size))
                return true;
        }
    }
    return false;
}

/* What is wanted keeps the edges of all layers. */
static void keep_wanted(tmi_merge *m)
{
    const tmi_merge_list *own = &m->list[TMI_LAYERS];
    tmi_rect rect = m->physics.rect;
    for (uint32_t id = 0; id < own->num_base; id++) {
        const tm_layer *layer = tmi_merge_base_object(m, TMI_LAYERS, id);
        const tmi_delta *const change[2] = {grid_change(m, TMI_OURS, id, true),
                                            grid_change(m, TMI_THEIRS, id, true)};
        if (!is_physics_kind(layer->kind) || !change[0] || !change[1])
            continue;
        const tm_resolution take = tmi_merge_wish(m, change[TMI_OURS], change[TMI_THEIRS]);
        for (int side = 0; side < 2; side++)
            if ((take == TM_RESOLUTION_BOTH ||
                 take == (side == TMI_OURS ? TM_RESOLUTION_OURS : TM_RESOLUTION_THEIRS)) &&
                loses(&m->physics.rect, &m->physics.side[side], change[side]->grid))
                rect = tmi_widen_rect(&rect, &m->physics.side[side]);
    }
    m->physics.rect = rect;
}

/* -------------------------------------------------------------------------------- layers moved otherwise */

static bool same_extent(const tmi_rect *a, const tmi_rect *b)
{
    return a->right - a->left == b->right - b->left && a->bottom - a->top == b->bottom - b->top;
}

static tm_status tell_with_game(tmi_merge *m, int side, uint32_t id, const tmi_delta *change)
{
    const void *const object[2] = {tmi_merge_base_object(m, TMI_LAYERS, id),
                                   tmi_merge_side_object(m, side, TMI_LAYERS, id)};
    const tm_map *const map[2] = {m->base, m->in[side]};
    tmi_borrowed loan[2];
    int num = 0;
    tm_status status = TM_OK;
    for (; num < 2 && !status; num += !status)
        status = tmi_borrowed_open(&loan[num], map[num], tm_field_get(change->field, object[num], 0).as.block,
                                   m->error);
    if (!status) {
        const uint8_t *const bytes[2] = {loan[0].bytes, loan[1].bytes};
        status = tmi_grid_put_shift(m->patch[side], change->grid, bytes, (int32_t)-m->physics.side[side].left,
                                    (int32_t)-m->physics.side[side].top, m->error);
    }
    while (num-- > 0)
        tmi_borrowed_close(&loan[num]);
    return status;
}

/*
 * A layer whose tiles have moved otherwise than the game layer, or seem to (one block of equal tiles, in a
 * map that was turned round), has them where no layer of the result goes. So it is told as what differs in a
 * layer that has moved with the game layer.
 */
static tm_status bring_back(tmi_merge *m)
{
    const tmi_merge_physics *physics = &m->physics;
    for (uint32_t id = 0; id < m->list[TMI_LAYERS].num_base; id++) {
        const tm_layer *layer = tmi_merge_base_object(m, TMI_LAYERS, id);
        for (int i = 0; i < 4 && is_physics_kind(layer->kind); i++) {
            const int side = i / 2;
            const tmi_delta *change = grid_change(m, side, id, i % 2);
            if (!change)
                continue;
            const tmi_rect own = tmi_rect_of_grid(change->grid, TMI_AFTER),
                           base = tmi_rect_of_grid(change->grid, TMI_BEFORE);
            if (same_extent(&base, &physics->base) && same_extent(&own, &physics->side[side]) &&
                !tmi_same_rect(&own, &physics->side[side]))
                TM_TRY(tell_with_game(m, side, id, change));
        }
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- new layers */

/* Whether a layer that a side added holds anything where the result has no place. */
static tm_status new_layer_loses(const tmi_merge *m, bool *out, int side, const tm_layer *layer)
{
    const tmi_rect *own = &m->physics.side[side];
    const uint32_t size = tm_game_layer(layer->kind)->element_size;
    tmi_borrowed loan;
    tm_grid grid;
    *out = false;
    if (layer->as.tiles.width != own->right - own->left || layer->as.tiles.height != own->bottom - own->top)
        return TM_OK;
    TM_TRY(tmi_borrowed_grid(&loan, &grid, m->in[side], layer, m->error));
    for (uint32_t y = 0; grid.tiles && y < grid.height && !*out; y++)
        for (uint32_t x = 0; x < grid.width && !*out; x++)
            *out = !tmi_in_rect(&m->physics.rect, x + own->left, y + own->top) &&
                   !is_all_zero((const uint8_t *)grid.tiles + y * grid.row_stride + (size_t)x * size, size);
    tmi_borrowed_close(&loan);
    return TM_OK;
}

/* A new layer is not cut: what it holds keeps the edges of all. */
static tm_status keep_new_layers(tmi_merge *m)
{
    const tmi_merge_list *own = &m->list[TMI_LAYERS];
    for (uint32_t id = own->num_base; id < own->num_ids; id++) {
        for (int side = 0; side < 2; side++) {
            const tm_layer *layer = tmi_merge_side_object(m, side, TMI_LAYERS, id);
            bool lost = false;
            if (!layer || own->gone[id] || !is_physics_kind(layer->kind))
                continue;
            TM_TRY(new_layer_loses(m, &lost, side, layer));
            if (lost)
                m->physics.rect = tmi_widen_rect(&m->physics.rect, &m->physics.side[side]);
            m->physics.conflict = m->physics.conflict || lost;
        }
    }
    return TM_OK;
}

tm_status tmi_settle_physics(tmi_merge *m)
{
    tmi_merge_physics *physics = &m->physics;
    const tmi_delta *change[2];
    uint32_t id;
    physics->found = find_game_of_all(m, &id);
    if (!physics->found)
        return TM_OK;
    const tm_tile_layer *game = &((const tm_layer *)tmi_merge_base_object(m, TMI_LAYERS, id))->as.tiles;
    physics->base = (tmi_rect){0, 0, game->width, game->height};
    for (int side = 0; side < 2; side++) {
        change[side] = grid_change(m, side, id, true);
        physics->side[side] = change[side] ? tmi_rect_of_grid(change[side]->grid, TMI_AFTER) : physics->base;
    }
    physics->take = tmi_merge_wish(m, change[TMI_OURS], change[TMI_THEIRS]);
    physics->rect = tmi_merge_rects(&physics->base, physics->side, physics->take, &physics->conflict);
    TM_TRY(bring_back(m));
    keep_wanted(m);
    return keep_new_layers(m);
}

/* --------------------------------------------------------------------------------------------- at the end */

/* A change that says no more than that the layer went where the map did. */
static tmi_delta made_change(const tmi_merge *m, tmi_grid *grid, int side, uint32_t id, const tm_field *field)
{
    const tm_layer *base = tmi_merge_base_object(m, TMI_LAYERS, id);
    const tmi_rect *own = &m->physics.side[side];
    *grid = (tmi_grid){.width = {base->as.tiles.width, (uint32_t)(own->right - own->left)},
                       .height = {base->as.tiles.height, (uint32_t)(own->bottom - own->top)},
                       .dx = (int32_t)-own->left,
                       .dy = (int32_t)-own->top,
                       .size = field->flags & TM_FIELD_ELEMENTS ? tm_game_layer(base->kind)->element_size
                                                                : (uint32_t)sizeof(tm_tile)};
    return (tmi_delta){.type = TMI_DELTA_GRID,
                       .list = TMI_LAYERS,
                       .number = {id, (uint32_t)m->list[TMI_LAYERS].number[side][id]},
                       .owner = tm_owner_of_layer(base->kind),
                       .field = field,
                       .grid = grid};
}

/* Merges what one side alone has changed, or none, with the shape of the map. */
static tm_status bring_along(tmi_merge *m, uint32_t id, const tm_field *field,
                             const tmi_delta *const change[2])
{
    tmi_merge_object of = {.list = TMI_LAYERS, .id = id, .alone = true};
    tmi_delta made[2];
    tmi_grid grid[2];
    of.merged = tmi_merged_object(m, TMI_LAYERS, id);
    of.base = tmi_merge_base_object(m, TMI_LAYERS, id);
    for (int side = 0; side < 2; side++) {
        of.side[side] = tmi_merge_side_object(m, side, TMI_LAYERS, id);
        made[side] = made_change(m, &grid[side], side, id, field);
    }
    return tmi_merge_grids(m, &of, change[TMI_OURS] ? change[TMI_OURS] : &made[TMI_OURS],
                           change[TMI_THEIRS] ? change[TMI_THEIRS] : &made[TMI_THEIRS]);
}

static const tm_field *grid_field(const tm_layer *layer, bool elements)
{
    size_t num;
    const tm_field *fields = tm_fields(tm_owner_of_layer(layer->kind), &num);
    for (size_t i = 0; i < num; i++)
        if (fields[i].type == TM_TYPE_BLOCK && !(fields[i].flags & TM_FIELD_ELEMENTS) == !elements)
            return &fields[i];
    return NULL;
}

static tm_status finish_old_layer(tmi_merge *m, uint32_t id)
{
    const tm_layer *base = tmi_merge_base_object(m, TMI_LAYERS, id);
    if (base->as.tiles.width != m->physics.base.right || base->as.tiles.height != m->physics.base.bottom)
        return TM_OK; /* it has a size of its own */
    for (int elements = 0; elements < 2; elements++) {
        const tm_field *field = grid_field(base, elements);
        const tmi_delta *const change[2] = {grid_change(m, TMI_OURS, id, elements),
                                            grid_change(m, TMI_THEIRS, id, elements)};
        const tmi_delta *some = change[TMI_OURS] ? change[TMI_OURS] : change[TMI_THEIRS];
        const tmi_rect rect = some ? tmi_rect_of_grid(some->grid, TMI_AFTER) : m->physics.base;
        if ((change[TMI_OURS] && change[TMI_THEIRS]) || tmi_same_rect(&rect, &m->physics.rect) || !field ||
            !tm_field_get(field, base, 0).as.block)
            continue;
        TM_TRY(bring_along(m, id, field, change));
    }
    return TM_OK;
}

/* What one side has alone goes where the result is, as the tiles of that side do. */
static tm_status finish_lone_layer(tmi_merge *m, uint32_t id)
{
    const tmi_merge_list *own = &m->list[TMI_LAYERS];
    const tmi_rect *to = &m->physics.rect;
    const int side = own->number[TMI_OURS][id] != TM_NONE ? TMI_OURS : TMI_THEIRS;
    const tmi_rect *from = &m->physics.side[side];
    const tm_layer *layer = tmi_merged_object(m, TMI_LAYERS, id);
    if (tmi_same_rect(from, to) || layer->as.tiles.width != from->right - from->left ||
        layer->as.tiles.height != from->bottom - from->top)
        return TM_OK;
    const uint32_t group = (uint32_t)m->list[TMI_GROUPS].final[m->group_of[id]];
    return tm_map_resize_layer(m->map, group, (uint32_t)own->final[id] - m->first_final[group],
                               (uint32_t)(to->right - to->left), (uint32_t)(to->bottom - to->top),
                               (int32_t)(from->left - to->left), (int32_t)(from->top - to->top), m->error);
}

tm_status tmi_finish_physics(tmi_merge *m)
{
    const tmi_merge_list *own = &m->list[TMI_LAYERS];
    for (uint32_t id = 0; m->physics.found && id < own->num_ids; id++) {
        const tm_layer *layer = own->final[id] == TM_NONE ? NULL : tmi_merged_object(m, TMI_LAYERS, id);
        const bool both = own->number[TMI_OURS][id] != TM_NONE && own->number[TMI_THEIRS][id] != TM_NONE;
        if (!layer || !is_physics_kind(layer->kind))
            continue;
        TM_TRY(id < own->num_base && both ? finish_old_layer(m, id) : finish_lone_layer(m, id));
    }
    return TM_OK;
}
