/* SPDX-License-Identifier: Zlib */
/*
 * named_view.c - views by words (docs/pictures.md, "Views"): coordinates, what the tiles of a map mean,
 * numbers of teleporters and switches, elements by their addresses.
 *
 *   view  = number "," number
 *         | "best" [ ":" n ]
 *         | what [ ":" number ] [ ":" n ]      what: a tile's id, a category of tiles, or a pool of numbers
 *         | address of a layer [ "." ( "quads" | "sources" ) "[" n "]" ]
 *
 * Tiles that are near one another are one place, whose middle is shown.
 */
#include "preview.h"

#include "../games/games.h"

#include <teemap/tiles.h>

#include <math.h>

enum {
    MAX_PLACES = 256, /* of a word: the n behind it goes so far */
    WORD_SIZE = 256,
    NEAR_X = 16, /* tiles farther than this from the first one of a place are another place */
    NEAR_Y = 9
};

/* ------------------------------------------------------------------------------------------------ numbers */

/* Reads a number such as "12.5" or "-3"; returns what follows, NULL: there is no number. */
static const char *take_decimal(double *out, const char *text)
{
    const bool minus = *text == '-';
    double value = 0, unit = 1;
    bool any = false;
    for (text += minus; *text >= '0' && *text <= '9'; text++, any = true)
        value = value * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++, any = true)
            value += (*text - '0') * (unit /= 10);
    *out = minus ? -value : value;
    return any && value < 1e9 ? text : NULL;
}

/* Reads a number from 1 on, which must end at `end`. */
static bool take_count(uint32_t *out, const char *start, const char *end)
{
    *out = 0;
    if (start == end)
        return false;
    for (; start < end; start++) {
        if (*start < '0' || *start > '9' || *out > 1000000)
            return false;
        *out = *out * 10 + (uint32_t)(*start - '0');
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* The tiles that a word means. */
typedef struct wanted_tiles {
    const tm_tile_info *tile; /* this one, or */
    bool by_category;
    tm_tile_category category; /* all of a category, or */
    tm_tile_number pool;       /* all whose number is of a pool */
    bool has_number;
    uint32_t number;
    uint32_t nth; /* place, from 1 */
} wanted_tiles;

static bool read_category(wanted_tiles *out, const char *word)
{
    for (int c = 0; c < TM_TILE_CATEGORY_COUNT; c++) {
        if (strcmp(word, tm_tile_category_name((tm_tile_category)c)) == 0) {
            out->by_category = true;
            out->category = (tm_tile_category)c;
        }
    }
    return out->by_category;
}

/* Reads a word. If it names several, a pool counts before a tile and that before a category, but "spawn" is
   that of any team. */
static bool read_meaning(wanted_tiles *out, const char *word)
{
    for (out->pool = TM_NUMBER_NONE + 1; tm_number_pool_name(out->pool); out->pool++)
        if (strcmp(word, tm_number_pool_name(out->pool)) == 0)
            return true;
    out->pool = TM_NUMBER_NONE;
    if (strcmp(word, tm_tile_category_name(TM_CATEGORY_SPAWN)) == 0)
        return read_category(out, word);
    out->tile = tm_game_tile_by_id(word);
    return out->tile || read_category(out, word);
}

/* Reads "word", "word:5" or "word:5:2"; false: the word means no tiles. */
static bool read_tiles(wanted_tiles *out, const char *text)
{
    char word[WORD_SIZE];
    const char *colon = strchr(text, ':');
    const size_t size = colon ? (size_t)(colon - text) : strlen(text);
    uint32_t number;
    memset(out, 0, sizeof(*out));
    out->nth = 1;
    if (size >= sizeof(word))
        return false;
    memcpy(word, text, size);
    word[size] = '\0';
    if (!read_meaning(out, word))
        return false;
    if (!colon)
        return true;
    const char *second = strchr(colon + 1, ':');
    if (!take_count(&number, colon + 1, second ? second : colon + 1 + strlen(colon + 1)))
        return false;
    out->has_number = out->pool || (out->tile && out->tile->number);
    out->number = number;
    if (!out->has_number)
        out->nth = number;
    if (second && (!out->has_number || !take_count(&out->nth, second + 1, second + 1 + strlen(second + 1))))
        return false;
    return out->nth >= 1;
}

static bool means(const wanted_tiles *wanted, const tm_tile_info *info, const tm_layer_info *layer,
                  const uint8_t *tile)
{
    if (wanted->tile          ? info != wanted->tile
        : wanted->by_category ? info->category != wanted->category
                              : info->number != wanted->pool)
        return false;
    return !wanted->has_number || (layer->number_at >= 0 && tile[layer->number_at] == wanted->number);
}

/* ------------------------------------------------------------------------------------------------- places */

typedef struct tile_place {
    uint32_t first_x, first_y;
    tm_rect bounds;
} tile_place;

typedef struct place_list {
    const wanted_tiles *wanted;
    uint32_t num;
    tile_place list[MAX_PLACES];
} place_list;

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static void add_tile(place_list *places, uint32_t x, uint32_t y)
{
    const tm_rect tile = {(int32_t)x, (int32_t)y, 1, 1};
    for (uint32_t i = 0; i < places->num; i++) {
        tile_place *p = &places->list[i];
        if (apart(p->first_x, x) <= NEAR_X && apart(p->first_y, y) <= NEAR_Y) {
            p->bounds = tmi_rect_around(&p->bounds, &tile);
            return;
        }
    }
    if (places->num < MAX_PLACES)
        places->list[places->num++] = (tile_place){x, y, tile};
}

static tm_status gather_places(place_list *places, const tm_map *map, tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        const tm_layer_info *layer = tm_game_layer(walk.layer->kind);
        const tm_tile_info *infos[TM_TILE_INDICES];
        tm_grid grid;
        tm_error failure;
        tmi_borrowed loan;
        if (!layer->is_physics)
            continue;
        for (int i = 0; i < TM_TILE_INDICES; i++)
            infos[i] = tm_game_tile(map->game, walk.layer->kind, (uint8_t)i);
        const tm_status status = tmi_borrowed_grid(&loan, &grid, map, walk.layer, &failure);
        for (uint32_t y = 0; !status && grid.tiles && y < grid.height; y++) {
            const uint8_t *tile = (const uint8_t *)grid.tiles + y * grid.row_stride;
            for (uint32_t x = 0; x < grid.width; x++, tile += grid.tile_size) {
                const tm_tile_info *info = infos[tile[layer->index_at]];
                if (info && means(places->wanted, info, layer, tile))
                    add_tile(places, x, y);
            }
        }
        tmi_borrowed_close(&loan);
        TM_TRY(tmi_past_damage(status, &failure, error));
    }
    return TM_OK;
}

static tm_preview_kind preview_kind_of(const wanted_tiles *wanted)
{
    const bool by_tile = wanted->tile;
    const tm_tile_category category = by_tile ? wanted->tile->category : wanted->category;
    if (!by_tile && !wanted->by_category)
        return TM_PREVIEW_PLACE;
    return category == TM_CATEGORY_SPAWN                      ? TM_PREVIEW_SPAWN
           : category == TM_CATEGORY_FLAG                     ? TM_PREVIEW_FLAG
           : by_tile && wanted->tile->index == TM_TILE_START  ? TM_PREVIEW_START
           : by_tile && wanted->tile->index == TM_TILE_FINISH ? TM_PREVIEW_FINISH
                                                              : TM_PREVIEW_PLACE;
}

static tm_status view_of_tiles(tm_preview_view *out, const wanted_tiles *wanted, const tm_map *map,
                               const tm_camera *camera, const char *text, tm_error *error)
{
    wanted_tiles sought = *wanted;
    const tm_allocator *allocator = tmi_map_allocator(map);
    place_list *places;
    TM_TRY(tmi_reserve_zeroed(&places, allocator, 1, sizeof(*places), "a list of places", error));
    places->wanted = &sought;
    tm_status status = gather_places(places, map, error);
    if (!status && !places->num && sought.pool == TM_NUMBER_CHECKPOINT && sought.has_number) {
        /* No teleporter's checkpoint has the number: the tile of the time checkpoint with it. */
        char id[32];
        tmi_format(id, sizeof(id), "time-checkpoint-%u", (unsigned)sought.number);
        sought = (wanted_tiles){.tile = tm_game_tile_by_id(id), .nth = sought.nth};
        if (sought.tile)
            status = gather_places(places, map, error);
    }
    if (!status && !places->num)
        status = tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has no '%.60s'", text);
    else if (!status && wanted->nth > places->num)
        status = tmi_fail(error, TM_ERROR_NOT_FOUND, -1,
                          "the map has no '%.60s': there are %u such places, not %u", text,
                          (unsigned)places->num, (unsigned)wanted->nth);
    if (!status) {
        double seen_width, seen_height;
        uint32_t width, height;
        const tm_rect *found = &places->list[wanted->nth - 1].bounds;
        out->kind = preview_kind_of(wanted);
        out->x = found->x + (double)found->width / 2;
        out->y = found->y + (double)found->height / 2;
        tm_camera_view_size(&seen_width, &seen_height, camera->width, camera->height);
        tm_map_area(&width, &height, map);
        out->x = tmi_view_centre(out->x, seen_width * out->zoom / TM_TILE_PX, width);
        out->y = tmi_view_centre(out->y, seen_height * out->zoom / TM_TILE_PX, height);
    }
    tmi_free(allocator, places, 1, sizeof(*places));
    return status;
}

/* ----------------------------------------------------------------------------------------------- elements */

/* The centre of the view, in tiles, that shows a point of a group in its middle; all do at parallax 0. */
static double centre_for(double at, int32_t parallax, int32_t offset, uint32_t tiles)
{
    return parallax == 0 ? tiles / 2.0 : (at - offset) * 100 / parallax / TM_TILE_PX;
}

/* Cuts off ".quads[5]"; *index -1: there is none. False: it is malformed. */
static bool cut_element(char *text, int64_t *index, tm_layer_kind *kind)
{
    static const struct {
        const char *name;
        tm_layer_kind kind;
    } lists[] = {{".quads[", TM_LAYER_QUADS}, {".sources[", TM_LAYER_SOUNDS}};
    *index = -1;
    for (size_t i = 0; i < TMI_COUNT_OF(lists); i++) {
        char *dot = strstr(text, lists[i].name);
        uint32_t number;
        if (!dot)
            continue;
        const char *start = dot + strlen(lists[i].name), *end = strchr(start, ']');
        if (!end || end[1] || !take_count(&number, start, end))
            return false;
        *dot = '\0';
        *index = number;
        *kind = lists[i].kind;
        return true;
    }
    return true;
}

static tm_status fail_view(const char *text, tm_error *error)
{
    char hint[128];
    tm_suggestion meant;
    const tm_tile_info *info;
    tm_suggestion_begin(&meant, text);
    tm_suggestion_try(&meant, "best");
    for (tm_tile_number pool = TM_NUMBER_NONE + 1; tm_number_pool_name(pool); pool++)
        tm_suggestion_try(&meant, tm_number_pool_name(pool));
    for (int c = 0; c < TM_TILE_CATEGORY_COUNT; c++)
        tm_suggestion_try(&meant, tm_tile_category_name((tm_tile_category)c));
    for (uint32_t n = 0; (info = tm_game_tile_at(n)); n++)
        tm_suggestion_try(&meant, info->id);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(
        error, TM_ERROR_USAGE, -1,
        "'%.60s' is not a view: X,Y in tiles, best, a tile such as spawn, start, finish, tele:5, or the address of a "
        "layer, a quad or a sound source%s",
        text, hint);
}

static tm_status view_of_element(tm_preview_view *out, const tm_map *map, const tm_camera *camera,
                                 const char *text, tm_error *error)
{
    static const tm_group in_place = {.parallax_x = 100, .parallax_y = 100};
    double seen_width, seen_height;
    uint32_t width, height;
    char address[WORD_SIZE];
    int64_t index;
    tm_layer_kind kind = TM_LAYER_UNKNOWN;
    tm_address place;
    tmi_box box;
    const bool whole = tmi_format(address, sizeof(address), "%s", text) == strlen(text) &&
                       cut_element(address, &index, &kind);
    const tm_status found = whole ? tm_address_parse(&place, map, address, error) : TM_ERROR_USAGE;
    if (found == TM_ERROR_NOT_FOUND && strchr(address, '/') && tmi_address_is_path(address))
        return found; /* a layer's; the error says what of it the map does not have */
    if (found || place.kind != TM_KIND_LAYER)
        return fail_view(text, error);
    const tm_layer *layer = &map->groups[place.index].layers[place.layer];
    if (index >= 0 && layer->kind != kind)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "'%.60s': the layer is one of %s", text,
                        tm_game_layer(layer->kind)->name);
    TM_TRY(tmi_box_of_layer(&box, map, layer, index, camera->time, error));
    if (tmi_box_is_empty(&box))
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the layer '%.60s' is empty", text);
    const tm_group *group = tm_map_is_game_group(map, place.index) ? &in_place : &map->groups[place.index];
    tm_map_area(&width, &height, map);
    tm_camera_view_size(&seen_width, &seen_height, camera->width, camera->height);
    out->kind = TM_PREVIEW_PLACE;
    out->x = centre_for((box.left + box.right) / 2, group->parallax_x, group->offset_x, width);
    out->y = centre_for((box.top + box.bottom) / 2, group->parallax_y, group->offset_y, height);
    out->zoom =
        fmax(out->zoom, fmax((box.right - box.left) / seen_width, (box.bottom - box.top) / seen_height));
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- all words */

static tm_status find_view(tm_preview_view *out, const tm_renderer *renderer, const tm_camera *camera,
                           const char *text, tm_error *error)
{
    const tm_map *map = renderer->map;
    tm_preview_view views[TM_PREVIEW_MAX_VIEWS];
    wanted_tiles wanted;
    uint32_t num, nth = 1;
    *out = (tm_preview_view){.kind = TM_PREVIEW_PLACE, .zoom = camera->zoom};
    const char *rest = take_decimal(&out->x, text);
    rest = rest && *rest == ',' ? take_decimal(&out->y, rest + 1) : NULL;
    if (rest && !*rest)
        return TM_OK;
    if (strncmp(text, "best", 4) != 0 || (text[4] && text[4] != ':'))
        return read_tiles(&wanted, text) ? view_of_tiles(out, &wanted, map, camera, text, error)
                                         : view_of_element(out, map, camera, text, error);
    if (text[4] && (!take_count(&nth, text + 5, text + strlen(text)) || nth == 0))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not like best or best:2", text);
    TM_TRY(tm_preview_views(views, &num, TM_PREVIEW_MAX_VIEWS, renderer, camera, error));
    if (nth > num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has %u views to choose from, but no '%.60s'",
                        (unsigned)num, text);
    *out = views[nth - 1];
    if (camera->zoom != 1)
        out->zoom = camera->zoom;
    return TM_OK;
}

tm_status tm_preview_find(tm_preview_view *out, const tm_renderer *renderer, const tm_camera *camera,
                          const char *text, tm_error *error)
{
    tm_camera picture, checked;
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_view){.kind = TM_PREVIEW_WHOLE};
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(camera, "camera", error));
    TM_TRY(tmi_need(text, "text", error));
    TM_TRY(tmi_options_take(&picture, sizeof(picture), camera, "tm_camera", error));
    picture.size = sizeof(picture);
    picture.kind = TM_CAMERA_VIEW; /* where it looks by now does not matter */
    picture.x = picture.y = 0;
    TM_TRY(tmi_camera_take(&checked, &picture, error));
    const tm_status status = find_view(out, renderer, &checked, text, error);
    if (status)
        *out = (tm_preview_view){.kind = TM_PREVIEW_WHOLE};
    return status;
}
