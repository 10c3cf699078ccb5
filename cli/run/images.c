/* SPDX-License-Identifier: Zlib */
/*
 * images.c - hands the options and the environment to the library's search for images, and lists what it does
 * not find. All memory is malloc's, which a NULL allocator stands for.
 */
#include "images.h"

#include "files.h"

enum { MAX_VARIABLES = 16 };

/* Opens the folders that the options name, then those that the environment and the user's home give. */
static tm_status open_with(tm_mapres **out, tm_mapres_options options, const word_list *first,
                           const char *path, tm_error *error)
{
    tm_mapres_variable variables[MAX_VARIABLES];
    uint32_t num = 0;
    for (const char *name; num < MAX_VARIABLES && (name = tm_mapres_variable_name(num)); num++)
        variables[num] = (tm_mapres_variable){name, getenv(name)};
    options.folders = first->words;
    options.num_folders = (uint32_t)first->num;
    options.map_path = path && strcmp(path, "-") != 0 ? path : NULL;
    options.variables = variables;
    options.num_variables = num;
    return tm_mapres_new(out, &options, error);
}

tm_status images_open(tm_mapres **out, const word_list *first, const char *path, tm_game game,
                      tm_mapres_cache *cache, tm_error *error)
{
    tm_mapres_options options = TM_MAPRES_OPTIONS_INIT;
    options.game = game;
    options.cache = cache;
    return open_with(out, options, first, path, error);
}

tm_status images_open_shipped(tm_mapres **out, const word_list *first, tm_game game, tm_error *error)
{
    tm_mapres_options options = TM_MAPRES_OPTIONS_INIT;
    options.game = game;
    options.shipped_only = true;
    return open_with(out, options, first, NULL, error);
}

tm_status images_find(char **path, const tm_mapres *mapres, const char *name, tm_game game, tm_error *error)
{
    const tm_status status = tm_mapres_find(path, mapres, name, game, error);
    return status == TM_ERROR_NOT_FOUND ? TM_OK : status;
}

void image_put_shipped(text *out, const char *name)
{
    const tm_shipped_image *image = tm_game_shipped_image(name);
    const char *before = "not found; shipped by ";
    if (!image) {
        text_string(out, "not found; no game ships it");
    } else if (image->last_version) {
        text_print(out, "not found; last shipped by %s", image->last_version);
        if (image->renamed)
            text_print(out, ", where %s took its place", image->renamed);
    }
    for (int game = 0; image && game < TM_GAME_COUNT; game++) {
        if (!image->games[game])
            continue;
        text_print(out, "%s%s", before, tm_game_name((tm_game)game));
        before = ", ";
    }
}

static bool is_repeated(const tm_map *map, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (map->images[i].external && map->images[i].name &&
            strcmp(map->images[i].name, map->images[index].name) == 0)
            return true;
    return false;
}

tm_status images_put_missing(text *out, const tm_mapres *mapres, const tm_map *map, tm_error *error)
{
    tm_status status = TM_OK;
    for (uint32_t i = 0; i < map->num_images && !status; i++) {
        const tm_image *image = &map->images[i];
        if (!image->external || !image->name || is_repeated(map, i))
            continue;
        char *path;
        status = images_find(&path, mapres, image->name, map->game, error);
        if (!status && !path)
            text_line(out, "%s", image->name);
        free(path);
    }
    return status;
}

static tm_status read_sheet(tm_pixels *out, const char *path, tm_error *error)
{
    uint8_t *rgba;
    const tm_status status = tm_mapres_read_png(&rgba, &out->width, &out->height, path, NULL, error);
    out->rgba = rgba;
    return status;
}

/* Loads a sheet of an installed game; one that is no picture counts as none. */
static tm_status try_sheet(tm_pixels *out, const tm_mapres *mapres, tm_mapres_sheet sheet, const tm_mod *mod,
                           tm_game game, tm_error *error)
{
    char *path;
    tm_status status = sheet == TM_MAPRES_SHEET_ENTITIES
                           ? tm_mapres_find_mod_sheet(&path, mapres, mod, game, error)
                           : tm_mapres_find_sheet(&path, mapres, sheet, game, error);
    if (!status)
        status = read_sheet(out, path, error);
    free(path);
    return status == TM_ERROR_NOT_FOUND || status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED
               ? TM_OK
               : status;
}

tm_status images_load_sheets(entity_sheets *out, const picture_options *options, const tm_mapres *mapres,
                             const tm_mod *mod, tm_game game, tm_error *error)
{
    *out = (entity_sheets){0};
    if (!options->sheet) {
        const tm_status status =
            try_sheet(&out->entities, mapres, TM_MAPRES_SHEET_ENTITIES, mod, game, error);
        return status ? status : try_sheet(&out->arrow, mapres, TM_MAPRES_SHEET_ARROW, mod, game, error);
    }
    if (strcmp(options->sheet, "own") == 0)
        return TM_OK;
    return read_sheet(&out->entities, options->sheet, error);
}

static void release_pixels(tm_pixels *pixels)
{
    union {
        const void *borrowed;
        void *owned;
    } rgba = {pixels->rgba};
    free(rgba.owned);
    *pixels = (tm_pixels){0};
}

void images_release_sheets(entity_sheets *sheets)
{
    release_pixels(&sheets->entities);
    release_pixels(&sheets->arrow);
}

bool missing_list_begin(missing_list *list, cli_tool *tool, const char *path, const char *const *maps,
                        size_t num_maps)
{
    *list = (missing_list){0};
    for (size_t i = 0; path && i < num_maps; i++) {
        if (strcmp(path, "-") != 0 && (strcmp(path, maps[i]) == 0 || tm_sys_same_file(path, maps[i]))) {
            tool_trouble(tool, path, "the list of missing images would replace a map");
            return false;
        }
    }
    list->path = path;
    if (path) {
        list->num = num_maps;
        list->maps = maps;
        list->names = must_alloc(num_maps, sizeof(*list->names));
    }
    return true;
}

text *missing_list_of(missing_list *list, size_t map)
{
    return list->path ? &list->names[map] : NULL;
}

/* Orders missing images by name, then by map: `maps` is still the number of the map, not a count. */
static int by_name_then_map(const void *a, const void *b)
{
    const missing_image *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : left->maps < right->maps ? -1 : left->maps > right->maps;
}

missing_image *missing_images(size_t *num, text *names, const char *const *maps, size_t num_maps)
{
    size_t all = 0, filled = 0;
    for (size_t i = 0; i < num_maps; i++)
        for (size_t k = 0; k < names[i].size; k++)
            all += names[i].bytes[k] == '\n';
    missing_image *list = must_alloc(all + 1, sizeof(*list));
    for (size_t i = 0; i < num_maps; i++) {
        for (size_t k = 0, start = 0; k < names[i].size; k++) {
            if (names[i].bytes[k] != '\n')
                continue;
            names[i].bytes[k] = '\0';
            list[filled++] = (missing_image){names[i].bytes + start, maps[i], i};
            start = k + 1;
        }
    }
    qsort(list, all, sizeof(*list), by_name_then_map);
    *num = 0;
    for (size_t i = 0; i < all; i++)
        if (*num && strcmp(list[*num - 1].name, list[i].name) == 0)
            list[*num - 1].maps++;
        else
            list[(*num)++] = (missing_image){list[i].name, list[i].first, 1};
    return list;
}

void missing_list_end(missing_list *list, cli_tool *tool)
{
    text lines = {0};
    tm_error error = {0};
    size_t num;
    if (!list->path)
        return;
    missing_image *images = missing_images(&num, list->names, list->maps, list->num);
    for (size_t i = 0; i < num; i++)
        text_print(&lines, "%s\n", images[i].name);
    if (save_bytes(list->path, lines.bytes, lines.size, &error))
        tool_error(tool, list->path, &error);
    for (size_t i = 0; i < list->num; i++)
        text_release(&list->names[i]);
    free(images);
    text_release(&lines);
    free(list->names);
    *list = (missing_list){0};
}
