/* SPDX-License-Identifier: Zlib */
/*
 * Pasting a region of another map. edit_other_map.c puts physics into the physics layers. Each design layer
 * is imported first, so that its references are the map's, and looks for a layer like it: the same kind,
 * name, image and color, in a group of the same name that moves and clips as its own does, on the same side
 * of the game layer. What of the region shows is put there in place of what is there; a layer that finds none
 * stays, cut to the region.
 *
 * A point g of a group is seen at g - (view x parallax/100 + offset). So the region lies at position x
 * parallax/100 + offset, and its content moves by the way to the target x parallax/100 plus the difference of
 * the offsets. Tiles only move by whole ones: what is left over goes to the offset of a new group.
 */
#include "edit_other_map.h"
#include "edit_geometry.h"

/* A rectangle in one group, and where its content goes. */
typedef struct group_paste {
    tmi_other *other;
    int64_t x0, y0, x1, y1; /* px in the other group */
    int64_t dx, dy;         /* px to the target in ours */
    uint32_t group;         /* ours */
    bool is_new;
} group_paste;

typedef struct pasting {
    tmi_other other;
    tmi_other_area area;
    bool *used; /* a mark for each group of ours that takes what is in one of theirs */
} pasting;

/* ----------------------------------------------------------------------------------------------- groups */

/* A copy of a group with the values that games use: they ignore those of the game layer's group. */
static tm_group as_drawn(const tm_map *map, uint32_t index)
{
    tm_group group = map->groups[index];
    if (tm_map_is_game_group(map, index)) {
        group.offset_x = group.offset_y = 0;
        group.parallax_x = group.parallax_y = 100;
        group.use_clipping = false;
    }
    return group;
}

/* The side of a group: behind the game layer, in its group, or in front of it. */
static int side_of_group(const tm_map *map, uint32_t group)
{
    const uint32_t game = tmi_other_game_group(map);
    return game == UINT32_MAX || group == game ? 0 : group < game ? -1 : 1;
}

static bool group_suits(const pasting *paste, const group_paste *place, uint32_t ours, uint32_t theirs)
{
    const tm_map *map = paste->other.map, *source = paste->other.source;
    const int side = side_of_group(map, ours);
    const tm_group a = as_drawn(map, ours), b = as_drawn(source, theirs);
    const bool same_clip = a.use_clipping == b.use_clipping &&
                           (!a.use_clipping || (a.clip_x == b.clip_x && a.clip_y == b.clip_y &&
                                                a.clip_w == b.clip_w && a.clip_h == b.clip_h));
    if (paste->used[ours])
        return false;
    if (tm_map_is_game_group(map, ours) || tm_map_is_game_group(source, theirs))
        return tm_map_is_game_group(map, ours) && tm_map_is_game_group(source, theirs);
    if (side && side_of_group(source, theirs) == -side)
        return false;
    return strcmp(a.name, b.name) == 0 && a.parallax_x == b.parallax_x && a.parallax_y == b.parallax_y &&
           same_clip && (place->dx + a.offset_x) % TM_TILE_PX == 0 &&
           (place->dy + a.offset_y) % TM_TILE_PX == 0; /* tiles move by whole ones */
}

static const char *shown_name(const tm_map *map, const tm_layer *layer)
{
    const int32_t image = tmi_image_shown(layer);
    const tm_image *shown = tm_map_image(map, image);
    return shown && shown->name ? shown->name : "";
}

/* Counts the layers of their group that have one of the same kind, name and image in our group. */
static uint32_t count_alike(const tmi_other *other, uint32_t ours, uint32_t theirs)
{
    const tm_group *a = &other->map->groups[ours], *b = &other->source->groups[theirs];
    uint32_t num = 0;
    for (uint32_t k = 0; k < b->num_layers; k++) {
        uint32_t i = 0;
        while (i < a->num_layers &&
               (a->layers[i].kind != b->layers[k].kind || strcmp(a->layers[i].name, b->layers[k].name) != 0 ||
                strcmp(shown_name(other->map, &a->layers[i]), shown_name(other->source, &b->layers[k])) != 0))
            i++;
        num += i < a->num_layers;
    }
    return num;
}

/*
 * Adds a group like theirs, in front of all or right behind the game layer's. Its offset makes up for the
 * part of a move that is no whole tile, and its clip moves along.
 */
static tm_status new_group(pasting *paste, group_paste *place, uint32_t from, tm_error *error)
{
    tmi_other *other = &paste->other;
    const uint32_t num = other->map->num_groups, game = tmi_other_game_group(other->map);
    place->group = game != UINT32_MAX && side_of_group(other->source, from) < 0 ? game : num;
    place->is_new = true;
    memmove(paste->used + place->group + 1, paste->used + place->group, num - place->group);
    TM_TRY(tmi_other_add_group(other, place->group, from, error));
    tm_group *group = &other->map->groups[place->group];
    const int64_t dx = place->dx + group->offset_x, dy = place->dy + group->offset_y;
    const int64_t left_x = dx - tmi_floor_div(dx, TM_TILE_PX) * TM_TILE_PX;
    const int64_t left_y = dy - tmi_floor_div(dy, TM_TILE_PX) * TM_TILE_PX;
    const tm_address address = tmi_edit_address(TM_KIND_GROUP, place->group, 0);
    tmi_edit_put_number(other->edit, &address, "offset_x", &group->offset_x, group->offset_x - left_x);
    tmi_edit_put_number(other->edit, &address, "offset_y", &group->offset_y, group->offset_y - left_y);
    if (!group->use_clipping)
        return TM_OK;
    tmi_edit_put_number(other->edit, &address, "clip_x", &group->clip_x,
                        group->clip_x + ((int64_t)paste->area.to_x - paste->area.rect.x) * TM_TILE_PX);
    tmi_edit_put_number(other->edit, &address, "clip_y", &group->clip_y,
                        group->clip_y + ((int64_t)paste->area.to_y - paste->area.rect.y) * TM_TILE_PX);
    return TM_OK;
}

/* Our group for the content of one of theirs: the most similar one that fits. */
static tm_status find_our_group(pasting *paste, group_paste *place, uint32_t from, tm_error *error)
{
    const tmi_other_area *area = &paste->area;
    const tm_group theirs = as_drawn(paste->other.source, from);
    const int64_t x = (int64_t)area->rect.x * TM_TILE_PX, y = (int64_t)area->rect.y * TM_TILE_PX;
    const int64_t w = (int64_t)area->rect.width * TM_TILE_PX, h = (int64_t)area->rect.height * TM_TILE_PX;
    const int64_t to_x = (int64_t)area->to_x * TM_TILE_PX, to_y = (int64_t)area->to_y * TM_TILE_PX;
    uint32_t most = 0;
    /* Where the region lies, and how far its content moves without an offset here. */
    *place = (group_paste){
        .other = &paste->other,
        .x0 = tmi_floor_div(x * theirs.parallax_x, 100) + theirs.offset_x,
        .y0 = tmi_floor_div(y * theirs.parallax_y, 100) + theirs.offset_y,
        .x1 = tmi_floor_div((x + w) * theirs.parallax_x, 100) + theirs.offset_x,
        .y1 = tmi_floor_div((y + h) * theirs.parallax_y, 100) + theirs.offset_y,
        .dx = tmi_floor_div((to_x - x) * theirs.parallax_x, 100) - theirs.offset_x,
        .dy = tmi_floor_div((to_y - y) * theirs.parallax_y, 100) - theirs.offset_y,
        .group = UINT32_MAX,
    };
    for (uint32_t i = 0; i < paste->other.map->num_groups; i++) {
        const bool suits = group_suits(paste, place, i, from);
        const uint32_t alike = suits ? count_alike(&paste->other, i, from) + 1 : 0;
        place->group = alike > most ? i : place->group;
        most = alike > most ? alike : most;
    }
    if (!most)
        TM_TRY(new_group(paste, place, from, error));
    paste->used[place->group] = true;
    const tm_group group = as_drawn(paste->other.map, place->group);
    place->dx += group.offset_x;
    place->dy += group.offset_y;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- layers */

/* Whether two images are equal: maps have several such images, of which an import takes the first. */
static bool equal_images(const tm_map *map, int32_t a, int32_t b)
{
    const tm_image *first = tm_map_image(map, a), *second = tm_map_image(map, b);
    return a == b || (first && second && first->name && second->name &&
                      strcmp(first->name, second->name) == 0 && first->external == second->external &&
                      (first->external || tmi_block_may_equal(first->pixels, second->pixels)));
}

static bool equal_envelopes(const tm_map *map, int32_t a, int32_t b)
{
    const tm_envelope *first = tm_map_envelope(map, a), *second = tm_map_envelope(map, b);
    return a == b || (first && second && strcmp(first->name, second->name) == 0 &&
                      first->channels == second->channels && first->num_points == second->num_points &&
                      (!first->num_points || memcmp(first->points, second->points,
                                                    first->num_points * sizeof(*first->points)) == 0));
}

/* Whether the content of one layer may go into the other. */
static bool layers_alike(const tm_map *map, const tm_layer *a, const tm_layer *b)
{
    if (a->kind != b->kind || a->detail != b->detail || strcmp(a->name, b->name) != 0)
        return false;
    switch (a->kind) {
    case TM_LAYER_TILES:
        return equal_images(map, a->as.tiles.image, b->as.tiles.image) &&
               equal_envelopes(map, a->as.tiles.color_envelope, b->as.tiles.color_envelope) &&
               a->as.tiles.color_envelope_offset == b->as.tiles.color_envelope_offset &&
               memcmp(&a->as.tiles.color, &b->as.tiles.color, sizeof(tm_color)) == 0;
    case TM_LAYER_QUADS: return equal_images(map, a->as.quads.image, b->as.quads.image);
    case TM_LAYER_SOUNDS: return a->as.sounds.sound == b->as.sounds.sound;
    default: return false;
    }
}

/* A rectangle of tiles in the target, and where they come from. */
typedef struct tile_paste {
    int64_t x0, y0, x1, y1;
    int64_t dx, dy; /* from the source */
    tm_grid source;
} tile_paste;

/* The tiles whose corners lie in the region, without those that would get to negative places. */
static tile_paste tiles_of(const group_paste *place)
{
    tile_paste paste = {.dx = tmi_floor_div(place->dx, TM_TILE_PX),
                        .dy = tmi_floor_div(place->dy, TM_TILE_PX)};
    paste.x0 = tmi_ceil_div(place->x0, TM_TILE_PX) + paste.dx;
    paste.y0 = tmi_ceil_div(place->y0, TM_TILE_PX) + paste.dy;
    paste.x1 = tmi_ceil_div(place->x1, TM_TILE_PX) + paste.dx;
    paste.y1 = tmi_ceil_div(place->y1, TM_TILE_PX) + paste.dy;
    paste.x0 = paste.x0 > 0 ? paste.x0 : 0;
    paste.y0 = paste.y0 > 0 ? paste.y0 : 0;
    return paste;
}

/* The tile that comes to a place; beyond the source it is one of its edge, as games draw it. */
static const tm_tile *coming_tile(const tile_paste *paste, int64_t x, int64_t y)
{
    const int64_t at_x = tmi_clamp(x - paste->dx, 0, (int64_t)paste->source.width - 1);
    const int64_t at_y = tmi_clamp(y - paste->dy, 0, (int64_t)paste->source.height - 1);
    return (const void *)tmi_edit_tile(&paste->source, (size_t)at_x, (size_t)at_y);
}

static bool same_coming(const tile_paste *paste, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    return memcmp(coming_tile(paste, x, y), coming_tile(paste, x - dx, y - dy), sizeof(tm_tile)) == 0;
}

/* Cuts off columns and rows beyond the layer that repeat the one before: games repeat the edge anyway. */
static void cut_repeats(tile_paste *paste, const tm_tile_layer *layer)
{
    for (bool same = true; same && paste->x1 > layer->width && paste->x1 - paste->x0 > 1; paste->x1 -= same)
        for (int64_t y = paste->y0; same && y < paste->y1; y++)
            same = same_coming(paste, paste->x1 - 1, y, 1, 0);
    for (bool same = true; same && paste->y1 > layer->height && paste->y1 - paste->y0 > 1; paste->y1 -= same)
        for (int64_t x = paste->x0; same && x < paste->x1; x++)
            same = same_coming(paste, x, paste->y1 - 1, 0, 1);
}

static void put_tiles(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    const tile_paste *paste = ctx;
    (void)source;
    for (int64_t y = paste->y0; y < paste->y1; y++)
        for (int64_t x = paste->x0; x < paste->x1; x++)
            memcpy(tmi_edit_tile_of(target, (size_t)x, (size_t)y), coming_tile(paste, x, y), sizeof(tm_tile));
}

/*
 * A layer that takes tiles grows by its edges, which looks as before. A new one (`like` is `index`) is its
 * own source: it becomes as large as the map, and empty outside of the rectangle.
 */
static tm_status paste_tiles(const group_paste *place, uint32_t index, uint32_t like, uint64_t *count,
                             tm_error *error)
{
    tm_map *map = place->other->map;
    const tm_address address = {TM_KIND_LAYER, place->group, like};
    tm_layer *target = tmi_edit_layer_at(place->other->edit, &address);
    tm_tile_layer *layer = &target->as.tiles;
    tile_paste paste = tiles_of(place);
    uint32_t size[2] = {layer->width, layer->height};
    tm_edit_grid writable;
    TM_TRY(tm_map_tiles(&paste.source, map, &map->groups[place->group].layers[index], error));
    if (paste.x0 >= paste.x1 || paste.y0 >= paste.y1 || !paste.source.tiles || !paste.source.width ||
        !paste.source.height)
        return TM_OK;
    if (paste.x1 > INT32_MAX || paste.y1 > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the layer would become too large");
    for (int64_t y = paste.y0; y < paste.y1; y++)
        for (int64_t x = paste.x0; x < paste.x1; x++)
            *count += coming_tile(&paste, x, y)->index != 0;
    if (like == index) {
        tm_map_area(&size[0], &size[1], map);
        size[0] = paste.x1 > size[0] ? (uint32_t)paste.x1 + 1 : size[0];
        size[1] = paste.y1 > size[1] ? (uint32_t)paste.y1 + 1 : size[1];
        return *count ? tmi_map_regrid(map, target, size, put_tiles, &paste, error) : TM_OK;
    }
    cut_repeats(&paste, layer);
    size[0] = paste.x1 > size[0] ? (uint32_t)paste.x1 : size[0];
    size[1] = paste.y1 > size[1] ? (uint32_t)paste.y1 : size[1];
    if (size[0] > layer->width || size[1] > layer->height) {
        TM_TRY(tmi_map_regrid(map, target, size, tmi_edit_cut_grid, (uint32_t[2]){0, 0}, error));
        tmi_edit_changed(place->other->edit, address, 1, "grown to %ux%u", (unsigned)size[0],
                         (unsigned)size[1]);
    }
    TM_TRY(tm_map_edit_tiles(&writable, map, address.index, address.layer, error));
    put_tiles(&paste, NULL, &writable);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------- quads, sources */

static tm_status paste_elements(const group_paste *place, uint32_t index, uint32_t like, uint64_t *count,
                                tm_error *error)
{
    tm_map *map = place->other->map;
    const tm_address source = {TM_KIND_LAYER, place->group, index};
    const tm_address target = {TM_KIND_LAYER, place->group, like};
    const int64_t by[2] = {place->dx * TM_FX, place->dy * TM_FX};
    tmi_edit_elements lists[2] = {{0}}; /* there, coming */
    uint32_t num[2] = {0};
    tmi_edit_unmoved unmoved = {.num = 0};
    TM_TRY(tmi_edit_elements_get(&lists[1], map, &source, error));
    if (like != index)
        TM_TRY(tmi_edit_elements_get(&lists[0], map, &target, error));
    uint8_t *elements;
    TM_TRY(tmi_reserve(&elements, place->other->edit->scratch, (size_t)lists[0].num + lists[1].num + 1,
                       lists[1].size, "elements", error));
    uint8_t *out = elements;
    /* Those that stay in the layer and, behind them, those of the region, moved. */
    for (int coming = 0; coming < 2; coming++)
        for (uint32_t i = 0; i < lists[coming].num; i++) {
            const tmi_edit_elements *list = &lists[coming];
            const tm_point pivot = tmi_edit_pivot(list, i);
            const int64_t x = pivot.x - (coming ? 0 : by[0]), y = pivot.y - (coming ? 0 : by[1]);
            const bool inside = x >= place->x0 * TM_FX && x < place->x1 * TM_FX && y >= place->y0 * TM_FX &&
                                y < place->y1 * TM_FX;
            if (inside != coming)
                continue;
            memcpy(out, list->list + i * list->size, list->size);
            tm_error reason = {.offset = -1};
            const tm_status status = coming ? tmi_edit_move_element(list->kind, out, by, &reason) : TM_OK;
            if (tmi_edit_stays(&unmoved, status, &reason, i)) /* it stays where it was: in the other map */
                continue;
            out += list->size;
            num[coming]++;
        }
    *count = num[1];
    tmi_edit_report_unmoved(place->other->edit, &target, &unmoved);
    return num[1] || num[0] < lists[0].num
               ? tmi_layer_put_elements(map, tmi_edit_layer_at(place->other->edit, &target), elements,
                                        num[0] + num[1], error)
               : TM_OK;
}

/* ------------------------------------------------------------------------------------------- one layer */

/* Whether a layer lies behind the game layer of its own group. */
static bool is_behind_game(const tm_map *map, uint32_t group, uint32_t layer)
{
    uint32_t game_group, game_layer;
    return tm_map_physics_layer(&game_group, &game_layer, map, TM_LAYER_GAME) && game_group == group &&
           layer < game_layer;
}

/*
 * Pastes a layer into the first one of our group that is like it and not taken yet. If there is none, it gets
 * a place before all physics layers if it was behind the game layer, else at the end.
 */
static tm_status paste_layer(const group_paste *place, uint32_t from_group, uint32_t from_layer, bool *taken,
                             tm_error *error)
{
    tmi_other *other = place->other;
    tm_group *const group = &other->map->groups[place->group];
    const uint32_t end = group->num_layers;
    const tm_layer_kind kind = other->source->groups[from_group].layers[from_layer].kind;
    const char *noun = kind == TM_LAYER_TILES ? "tiles" : kind == TM_LAYER_QUADS ? "quads" : "sources";
    const bool behind = is_behind_game(other->source, from_group, from_layer);
    uint64_t count = 0;
    uint32_t at = 0;
    TM_TRY(tmi_other_import(other, place->group, end, from_group, from_layer, error));
    while (at < end && (taken[at] || !layers_alike(other->map, &group->layers[at], &group->layers[end]) ||
                        is_behind_game(other->map, place->group, at) != behind))
        at++;
    const bool is_new = at == end; /* it stays where it was imported */
    if (kind == TM_LAYER_TILES)
        TM_TRY(paste_tiles(place, end, at, &count, error));
    else if (kind == TM_LAYER_QUADS || kind == TM_LAYER_SOUNDS) /* no old sounds, which no client plays */
        TM_TRY(paste_elements(place, end, at, &count, error));
    if (!is_new || count == 0)
        TM_TRY(tm_map_remove_layer(other->map, place->group, end, error));
    if (is_new && count == 0)
        return TM_OK;
    if (is_new) {
        for (at = behind ? 0 : end; at < end && !tm_game_layer(group->layers[at].kind)->is_physics;)
            at++;
        TM_TRY(tm_map_move_layer(other->map, place->group, end, place->group, at, error));
        memmove(taken + at + 1, taken + at, (size_t)(end - at) * sizeof(*taken));
    }
    taken[at] = true;
    tmi_edit_changed(other->edit, tmi_edit_address(TM_KIND_LAYER, place->group, at), count ? count : 1,
                     "%s from '%.100s': %llu", noun, other->name, (unsigned long long)count);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- the whole */

static tm_status paste_group(pasting *paste, uint32_t from, tm_error *error)
{
    group_paste place;
    tm_map *map = paste->other.map;
    const tm_group theirs = as_drawn(paste->other.source, from);
    const uint32_t num = theirs.num_layers;
    bool *taken, any = false;
    for (uint32_t i = 0; i < num; i++)
        any |= tmi_other_chose_design(&paste->other, from, i);
    /* Without LAYERS, only groups that move with the players have a definite part. */
    if (!any || (!paste->other.named && (theirs.parallax_x != 100 || theirs.parallax_y != 100)))
        return TM_OK;
    TM_TRY(find_our_group(paste, &place, from, error));
    TM_TRY(tmi_reserve_zeroed(&taken, paste->other.edit->scratch,
                              (size_t)map->groups[place.group].num_layers + num + 1, sizeof(*taken), "marks",
                              error));
    for (uint32_t i = 0; i < num; i++)
        if (tmi_other_chose_design(&paste->other, from, i))
            TM_TRY(paste_layer(&place, from, i, taken, error));
    if (!place.is_new)
        return TM_OK;
    if (map->groups[place.group].num_layers == 0) {
        memmove(paste->used + place.group, paste->used + place.group + 1, map->num_groups - 1 - place.group);
        return tm_map_remove(map, TM_KIND_GROUP, place.group, error);
    }
    tmi_edit_changed(paste->other.edit, tmi_edit_address(TM_KIND_GROUP, place.group, 0), 1,
                     "added, as no group is like that of '%.100s'", paste->other.name);
    return TM_OK;
}

static tm_status paste_all(pasting *paste, tm_error *error)
{
    const tmi_other *other = &paste->other;
    TM_TRY(tmi_reserve_zeroed(&paste->used, other->edit->scratch,
                              (size_t)other->map->num_groups + other->source->num_groups + 1,
                              sizeof(*paste->used), "marks", error));
    for (uint32_t i = 0; i < other->source->num_groups; i++)
        TM_TRY(paste_group(paste, i, error));
    TM_TRY(tmi_other_physics(&paste->other, &paste->area, error));
    return tmi_other_finish(&paste->other, error);
}

/* Cuts one side of the region to the part that lies in the other map, and not below 0 in this one. */
static void cut_region(int32_t *corner, uint32_t *size, int32_t *target, uint32_t most)
{
    int64_t from = *corner < 0 ? 0 : *corner, end = (int64_t)*corner + *size,
            shift = (int64_t)*target - *corner;
    end = end > most ? most : end;
    if (from + shift < 0)
        from = -shift;
    *size = from < end ? (uint32_t)(end - from) : 0;
    *corner = (int32_t)(from < end ? from : 0);
    *target = (int32_t)(from < end ? from + shift : 0);
}

tm_status tmi_edit_paste(tmi_edit *edit, tm_error *error)
{
    pasting paste;
    uint32_t width, height;
    const tmi_edit_value *region = &edit->values[1], *target = &edit->values[2];
    TM_TRY(tmi_other_open(&paste.other, edit, 3, error));
    paste.area = (tmi_other_area){.rect = {region->x, region->y, region->width, region->height},
                                  .to_x = target->x,
                                  .to_y = target->y,
                                  .replaces = true,
                                  .empties = !paste.other.named};
    tm_map_area(&width, &height, paste.other.source);
    cut_region(&paste.area.rect.x, &paste.area.rect.width, &paste.area.to_x, width);
    cut_region(&paste.area.rect.y, &paste.area.rect.height, &paste.area.to_y, height);
    tm_status status = TM_OK;
    if (!tmi_rect_is_empty(&paste.area.rect))
        status = paste_all(&paste, error);
    else
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map,
                        "nothing of '%.60s', which is %ux%u, comes from %.60s to %.60s", edit->values[0].text,
                        (unsigned)width, (unsigned)height, region->text, target->text);
    tm_map_free(paste.other.source);
    return status;
}
