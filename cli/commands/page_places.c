/* SPDX-License-Identifier: Zlib */
/*
 * page_places.c - where the page can jump to: spawns, flags, start and finish, teleporters and switches, as
 * runs of equal tiles, and the first ones of all other tiles. By the same list it follows teleporters.
 */
#include "page.h"

#include "output/json.h"

#include <teemap/query.h>

#include <stdlib.h>
#include <string.h>

/* Runs in all; maps have some hundreds of what one jumps to, and of solid tiles and the like very many. */
enum { MAX_RUNS = 50000, MAX_OTHERS = 100 };

/* A kind of tile with the places where it is: number, x, y, width, and so on. */
typedef struct place_kind {
    const tm_tile_info *rule;
    json_t *runs;
} place_kind;

typedef struct place_list {
    const tm_map *map;
    place_kind kinds[256 * 4];
    size_t num_kinds, num_runs;
} place_list;

static bool is_place(const tm_tile_info *rule)
{
    const tm_tile_category c = rule->category;
    return c == TM_CATEGORY_RACE || c == TM_CATEGORY_SPAWN || c == TM_CATEGORY_FLAG ||
           c == TM_CATEGORY_TELE || c == TM_CATEGORY_SWITCH || c == TM_CATEGORY_DOOR;
}

static json_t *runs_of(place_list *list, const tm_tile_info *rule)
{
    for (size_t i = 0; i < list->num_kinds; i++)
        if (list->kinds[i].rule == rule)
            return list->kinds[i].runs;
    if (list->num_kinds == sizeof(list->kinds) / sizeof(list->kinds[0]))
        return NULL;
    list->kinds[list->num_kinds] = (place_kind){rule, json_array()};
    return list->kinds[list->num_kinds++].runs;
}

static void add_run(place_list *list, const tm_tile_info *rule, uint32_t number, uint32_t x, uint32_t y,
                    uint32_t width)
{
    json_t *runs = runs_of(list, rule);
    if (!runs || (!is_place(rule) && runs->num >= 4 * MAX_OTHERS) || list->num_runs++ >= MAX_RUNS)
        return;
    json_append(runs, json_integer(number));
    json_append(runs, json_integer(x));
    json_append(runs, json_integer(y));
    json_append(runs, json_integer(width));
}

/* The rule of a tile, and its number. */
static const tm_tile_info *place_at(uint8_t *number, const place_list *list, const tm_layer *layer,
                                    const uint8_t *tile)
{
    const tm_layer_info *where = tm_game_layer(layer->kind);
    const uint8_t index = tile[where->index_at];
    *number = where->number_at >= 0 ? tile[where->number_at] : 0;
    return index ? tm_game_tile(list->map->game, layer->kind, index) : NULL;
}

static void add_row(place_list *list, const tm_layer *layer, const uint8_t *row, size_t size, uint32_t y)
{
    const uint32_t width = layer->as.tiles.width;
    for (uint32_t x = 0, end; x < width; x = end) {
        uint8_t number, next;
        const tm_tile_info *rule = place_at(&number, list, layer, row + x * size);
        for (end = x + 1; rule && end < width; end++)
            if (place_at(&next, list, layer, row + end * size) != rule || next != number)
                break;
        if (rule)
            add_run(list, rule, number, x, y, end - x);
    }
}

/* A layer whose data are damaged has no places. */
static void add_places_of(place_list *list, tm_layer_kind kind)
{
    const tm_layer *layer = tm_map_physics_layer(list->map, kind, NULL, NULL);
    if (!layer)
        return;
    const size_t size = tm_game_layer(kind)->element_size;
    uint8_t *row = must_alloc(layer->as.tiles.width + 1U, size);
    bool fine = true;
    for (uint32_t y = 0; fine && y < layer->as.tiles.height && list->num_runs < MAX_RUNS; y++) {
        fine = !tm_map_read_tiles(list->map, layer, 0, (int32_t)y, layer->as.tiles.width, 1, row, 0, NULL);
        if (fine)
            add_row(list, layer, row, size, y);
    }
    free(row);
}

json_t *page_places(const tm_map *map)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_SWITCH};
    place_list *list = must_alloc(1, sizeof(*list));
    json_t *places = json_array();
    list->map = map;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        add_places_of(list, kinds[i]);
    for (size_t i = 0; i < list->num_kinds; i++) {
        json_t *kind = json_make();
        json_add_text(kind, "id", list->kinds[i].rule->id);
        json_add_bool(kind, "other", !is_place(list->kinds[i].rule));
        json_add_text(kind, "what", tm_tile_category_name(list->kinds[i].rule->category));
        json_add_text(kind, "pool", tm_number_pool_name(list->kinds[i].rule->number));
        json_add(kind, "runs", list->kinds[i].runs);
        json_append(places, kind);
    }
    free(list);
    return places;
}
