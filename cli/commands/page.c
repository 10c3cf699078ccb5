/* SPDX-License-Identifier: Zlib */
/*
 * page.c - what fills the viewer's page: the title, and JSON in script elements. Among it are the places that
 * the page can jump to: by the same list it follows teleporters. And the page without a pyramid, whose
 * visitors' browsers draw the map.
 */
#include "tiling.h"

/* ------------------------------------------------------------------------------------------------- levels */

static json_t *base64_of(const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *coded = must_alloc((size + 2) / 3 * 4 + 1, 1), *end = coded;
    for (size_t i = 0; i < size; i += 3) {
        const unsigned second = i + 1 < size ? bytes[i + 1] : 0, third = i + 2 < size ? bytes[i + 2] : 0,
                       bits = (unsigned)bytes[i] << 16 | second << 8 | third;
        *end++ = digits[bits >> 18];
        *end++ = digits[bits >> 12 & 63];
        *end++ = i + 1 < size ? digits[bits >> 6 & 63] : '=';
        *end++ = i + 2 < size ? digits[bits & 63] : '=';
    }
    json_t *value = json_string(coded);
    free(coded);
    return value;
}

/* A bit for each tile, row by row, the lowest of a byte first; null when all are there. */
static json_t *bits_of(const tm_pyramid_level *level)
{
    const size_t num = (size_t)level->width * level->height, size = (num + 7) / 8;
    size_t there = 0;
    unsigned char *bits = must_alloc(size, 1);
    for (size_t i = 0; i < num; i++) {
        there += level->cells[i];
        bits[i >> 3] |= (unsigned char)(level->cells[i] << (i & 7));
    }
    /* at most 2 MiB: tm_pyramid_frame_init bounds the cells */
    json_t *value = there < num ? base64_of(bits, size) : json_null();
    free(bits);
    return value;
}

static json_t *levels_of(const tm_pyramid *tiles, uint32_t num)
{
    json_t *levels = json_array();
    for (uint32_t l = 0; l < num; l++) {
        const tm_pyramid_level *level = &tiles->levels[l];
        json_t *row = json_integers(level->left, level->top, level->width, level->height);
        json_append(row, bits_of(level));
        json_append(levels, row);
    }
    return levels;
}

/* ------------------------------------------------------------------------------------------------- places */

/* Runs in all; maps have some hundreds of what one jumps to, and of solid tiles and the like very many. */
enum { MAX_RUNS = 50000, MAX_OTHERS = 100 };

/* A kind of tile with the places where it is: number, x, y, width, and so on. */
typedef struct place_kind {
    const tm_tile_info *tile;
    json_t *runs;
} place_kind;

typedef struct place_list {
    const tm_map *map;
    const tm_mod *mod; /* NULL: none */
    place_kind kinds[256 * 4];
    size_t num_kinds, num_runs;
} place_list;

static bool is_place(const tm_tile_info *info)
{
    const tm_tile_category c = info->category;
    return c == TM_CATEGORY_RACE || c == TM_CATEGORY_SPAWN || c == TM_CATEGORY_FLAG ||
           c == TM_CATEGORY_TELE || c == TM_CATEGORY_SWITCH || c == TM_CATEGORY_DOOR;
}

static json_t *runs_of(place_list *list, const tm_tile_info *info)
{
    for (size_t i = 0; i < list->num_kinds; i++)
        if (list->kinds[i].tile == info)
            return list->kinds[i].runs;
    if (list->num_kinds == sizeof(list->kinds) / sizeof(list->kinds[0]))
        return NULL;
    list->kinds[list->num_kinds] = (place_kind){info, json_array()};
    return list->kinds[list->num_kinds++].runs;
}

static void add_run(place_list *list, const tm_tile_info *info, uint32_t number, uint32_t x, uint32_t y,
                    uint32_t width)
{
    json_t *runs = runs_of(list, info);
    if (!runs || (!is_place(info) && runs->num >= 4 * MAX_OTHERS) || list->num_runs++ >= MAX_RUNS)
        return;
    json_append(runs, json_integer(number));
    json_append(runs, json_integer(x));
    json_append(runs, json_integer(y));
    json_append(runs, json_integer(width));
}

/* The row of a tile, and its number. */
static const tm_tile_info *place_at(uint8_t *number, const place_list *list, const tm_layer *layer,
                                    const uint8_t *tile)
{
    const tm_layer_info *layer_info = tm_game_layer(layer->kind);
    const uint8_t index = tile[layer_info->index_at];
    *number = layer_info->number_at >= 0 ? tile[layer_info->number_at] : 0;
    return index ? tm_mod_tile(list->mod, list->map->game, layer->kind, index) : NULL;
}

static void add_row(place_list *list, const tm_layer *layer, const uint8_t *row, size_t size, uint32_t y)
{
    const uint32_t width = layer->as.tiles.width;
    for (uint32_t x = 0, end; x < width; x = end) {
        uint8_t number, next;
        const tm_tile_info *info = place_at(&number, list, layer, row + x * size);
        for (end = x + 1; info && end < width; end++)
            if (place_at(&next, list, layer, row + end * size) != info || next != number)
                break;
        if (info)
            add_run(list, info, number, x, y, end - x);
    }
}

/* A layer whose data are damaged has no places. */
static void add_places_of(place_list *list, tm_layer_kind kind)
{
    const tm_layer *layer = tm_map_physics_layer(NULL, NULL, list->map, kind);
    if (!layer)
        return;
    const size_t size = tm_game_layer(kind)->element_size;
    uint8_t *row = must_alloc(layer->as.tiles.width + 1U, size);
    bool fine = true;
    for (uint32_t y = 0; fine && y < layer->as.tiles.height && list->num_runs < MAX_RUNS; y++) {
        fine = !tm_map_read_tiles(list->map, layer, &(tm_rect){0, (int32_t)y, layer->as.tiles.width, 1}, row,
                                  0, NULL);
        if (fine)
            add_row(list, layer, row, size, y);
    }
    free(row);
}

static json_t *page_places(const tm_map *map)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_SWITCH};
    place_list *list = must_alloc(1, sizeof(*list));
    json_t *places = json_array();
    list->map = map;
    (void)tm_map_find_mod(&list->mod, NULL, 0, map, NULL); /* without it tiles are the game's */
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        add_places_of(list, kinds[i]);
    for (size_t i = 0; i < list->num_kinds; i++) {
        const tm_tile_info *tile = list->kinds[i].tile;
        json_append(places, json_object(JSON_TEXT("id", tile->id), JSON_BOOL("other", !is_place(tile)),
                                        JSON_TEXT("what", tm_tile_category_name(tile->category)),
                                        JSON_TEXT("pool", tm_number_pool_name(tile->number)),
                                        JSON_VALUE("runs", list->kinds[i].runs)));
    }
    free(list);
    return places;
}

/* -------------------------------------------------------------------------------------------------- parts */

void page_part_release(page_part *part)
{
    for (uint64_t i = 0; part->kept && i < part->num_tiles; i++)
        tm_buffer_release(&part->kept[i]);
    free(part->kept);
    free(part->packed_sizes);
    tm_pyramid_release(&part->tiles);
    free(part->shown);
}

static json_t *pair(double x, double y)
{
    json_t *array = json_array();
    json_append(array, json_real(x));
    json_append(array, json_real(y));
    return array;
}

/* What the panel calls a part, and the layers of a group, each with its index and its name. */
static void add_names(json_t *object, const tm_group *group, const page_part *part)
{
    const tm_layer *layer = part->single ? &group->layers[part->layer] : NULL;
    json_t *layers = json_array();
    char name[32];
    for (uint32_t l = 0; !part->single && l < group->num_layers; l++)
        if (part->shown[l] > 0)
            json_append(layers, json_object(JSON_INT("index", l), JSON_TEXT("name", group->layers[l].name)));
    snprintf(name, sizeof(name), layer ? "Layer %u" : "Group %u",
             (unsigned)(layer ? part->layer : part->group));
    json_add_text(object, "name",
                  layer && part->physics     ? tm_game_layer(layer->kind)->title
                  : layer && layer->name[0]  ? layer->name
                  : !layer && group->name[0] ? group->name
                                             : name);
    json_add(object, "layers", layers);
}

/* Adds the group that a single layer of the design belongs to. */
static void add_group(json_t *object, const tm_group *group, const page_part *part)
{
    char name[32];
    snprintf(name, sizeof(name), "Group %u", (unsigned)part->group);
    json_add_text(object, "group",
                  !part->single || part->physics ? NULL
                  : group->name[0]               ? group->name
                                                 : name);
    json_add_int(object, "index", part->group);
}

/* The part as it is at the other times. */
static json_t *moments_of(const cli_tiling *tiling, const page_part *part)
{
    json_t *list = json_array();
    for (uint32_t i = 1; i < part->num_moments; i++)
        json_append(list,
                    json_object(JSON_TEXT("id", part[i].id),
                                JSON_VALUE("levels", levels_of(&part[i].tiles, tiling->frame.num_levels))));
    return list;
}

static json_t *part_of(const cli_tiling *tiling, const page_part *part)
{
    const tm_map *map = tiling->frame.map;
    const tm_group *group = &map->groups[part->group];
    const bool game = tm_map_is_game_group(map, part->group);
    json_t *object = json_object(JSON_TEXT("id", part->id));
    add_names(object, group, part);
    add_group(object, group, part);
    return json_add_all(
        object, JSON_BOOL("physics", part->physics),
        JSON_VALUE("parallax", game ? pair(100, 100) : pair(group->parallax_x, group->parallax_y)),
        JSON_VALUE("clip", part->clipped
                               ? json_integers(group->clip_x, group->clip_y, group->clip_w, group->clip_h)
                               : NULL),
        JSON_VALUE("levels", levels_of(&part->tiles, tiling->frame.num_levels)),
        JSON_VALUE("moments", moments_of(tiling, part)));
}

/* --------------------------------------------------------------------------------------------------- page */

static void add_background(json_t *object, const picture_options *options)
{
    char color[8];
    const uint8_t *c = options->background.rgb;
    snprintf(color, sizeof(color), "#%02x%02x%02x", c[0], c[1], c[2]);
    json_add_text(object, "background",
                  options->background.word == BACKGROUND_CHECKS        ? "checks"
                  : options->background.word == BACKGROUND_TRANSPARENT ? "#0b0e14" /* the page's own */
                                                                       : color);
}

static json_t *data_of(const cli_tiling *tiling)
{
    const tm_pyramid_frame *frame = &tiling->frame;
    const tm_info *info = &frame->map->info;
    json_t *object =
        json_object(JSON_TEXT("name", tiling->name), JSON_TEXT("author", info->author),
                    JSON_TEXT("version", info->version), JSON_TEXT("credits", info->credits),
                    JSON_TEXT("license", info->license), JSON_VALUE("map", pair(frame->width, frame->height)),
                    JSON_VALUE("border", pair(TM_PYRAMID_BORDER_X, TM_PYRAMID_BORDER_Y)),
                    JSON_INT("tile", TM_PYRAMID_SIDE), JSON_REAL("scale", frame->scale * TM_TILE_PX),
                    JSON_INT("levels", frame->num_levels),
                    JSON_TEXT("format", choice_name(tile_formats, (int)tiling->options.picture.format)));
    add_background(object, &tiling->options.picture);
    json_t *times = json_add_array(object, "times");
    for (uint32_t i = 0; i < tiling->num_times; i++)
        json_append(times, json_real(tiling->times[i]));
    json_t *parts = json_add_array(object, "parts");
    for (size_t i = 0; i < tiling->num_parts; i++)
        if (!tiling->parts[i].moment)
            json_append(parts, part_of(tiling, &tiling->parts[i]));
    json_add(object, "places", page_places(frame->map));
    return object;
}

/*
 * {"3": ["iVBOR...", ...]}: the tiles in the order of the bits of `levels_of`, or where those in one file
 * begin and the size of each: {"3": [AT, SIZE, SIZE, ...], ...}.
 */
static json_t *tiles_of_parts(const cli_tiling *tiling)
{
    json_t *parts = json_make();
    for (size_t i = 0; i < tiling->num_parts; i++) {
        const page_part *part = &tiling->parts[i];
        json_t *tiles = json_array();
        if (tiling->options.pack)
            json_append(tiles, json_integer((int64_t)part->packed_at));
        for (uint64_t k = 0; k < part->num_tiles; k++)
            json_append(tiles, tiling->options.pack ? json_integer((int64_t)part->packed_sizes[k])
                                                    : base64_of(part->kept[k].bytes, part->kept[k].size));
        json_add(parts, part->id, tiles);
    }
    return parts;
}

json_t *page_values(const cli_tiling *tiling)
{
    json_t *tiles = tiling->options.picture.output ? tiles_of_parts(tiling) : NULL;
    if (tiling->options.pack)
        tiles = json_object(JSON_TEXT("file", TILING_PACK), JSON_INT("size", tiling->pack_size),
                            JSON_VALUE("parts", tiles_of_parts(tiling)));
    return json_object(JSON_TEXT("name", tiling->name), JSON_VALUE("data", data_of(tiling)),
                       JSON_VALUE("tiles", tiles));
}

/* ---------------------------------------------------------------------------------- a page without tiles */

#define COPY "live.map"

static tm_status save_copy(cli_tiling *t, tm_error *error)
{
    char *path = files_join(t->options.picture.folder, COPY);
    output_file file;
    tm_status status = output_open_below(&file, t->options.picture.folder, path, error);
    status = status ? status : tm_mapfile_save(t->file.map, &file.output, NULL, t->job, NULL, error);
    status = output_close(&file, status, error);
    t->pack_size = file.size;
    free(path);
    return status;
}

/* The page comes last, as that of a pyramid does. */
tm_status tiling_make_live(cli_tiling *t, const tm_job *job, tm_error *error)
{
    t->job = job;
    t->name = picture_default_name(t->path, "");
    TRY(save_copy(t, error));
    char *path = tiling_index(t);
    const live_view view = {.map = t->file.map,
                            .script = t->options.live,
                            .base = "",
                            .src = COPY,
                            .images = "mapres",
                            .label = t->name,
                            .view = "all",
                            .options = &t->options.picture};
    const tm_status status =
        save_page_below(t->options.picture.folder, path, live_page, live_view_values(&view), error);
    free(path);
    return status;
}

json_t *live_view_values(const live_view *view)
{
    const picture_options *options = view->options;
    const bool moves = tm_mapfile_features(view->map) >> TM_FEATURE_ENVELOPES & 1,
               stands = view->script[0] == '/' || strstr(view->script, "://");
    char *script = must_print("%s%s", stands ? "" : view->base, view->script);
    json_t *object = json_object(
        JSON_TEXT("script", script), JSON_TEXT("src", view->src), JSON_TEXT("images", view->images),
        JSON_TEXT("label", view->label), JSON_TEXT("view", view->view), JSON_TEXT("layers", options->layers),
        JSON_BOOL("draws_entities", !!options->entities), JSON_TEXT("entities", options->entities),
        JSON_VALUE("time", options->time > 0 ? json_real(options->time) : NULL),
        JSON_BOOL("motion", moves && !view->still));
    free(script);
    return object;
}
