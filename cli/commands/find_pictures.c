/* SPDX-License-Identifier: Zlib */
/*
 * find_pictures.c - pictures of places. Each shows at least 40 x 24 tiles around its place, so that one sees
 * where it is; places that it shows, too, get none of their own.
 */
#include "find_pictures.h"

enum { MIN_WIDTH = 40, MIN_HEIGHT = 24, MAX_SIDE = 128, MARGIN = 4, SCALE = 32 };

/* Chooses one side of a picture, in tiles: the place in its middle, with at least `least` tiles in all. */
static void choose_side(double *start, double *length, int32_t at, uint32_t size, double least)
{
    double wanted = (double)size + 2 * MARGIN;
    wanted = wanted < least ? least : wanted > MAX_SIDE ? MAX_SIDE : wanted;
    *start = size > MAX_SIDE ? (double)at - MARGIN : (double)at + ((double)size - wanted) / 2;
    *length = wanted;
}

/* The length of a side of a match, at most what one picture has room for. */
static double shown_side(uint32_t size)
{
    return size > MAX_SIDE ? MAX_SIDE - MARGIN : size;
}

static bool shows(const find_place *place, const tm_match *match)
{
    return !place->skipped && place->group == match->address.index && match->rect.x >= place->x &&
           match->rect.y >= place->y &&
           (double)match->rect.x + shown_side(match->rect.width) <= place->x + place->width &&
           (double)match->rect.y + shown_side(match->rect.height) <= place->y + place->height;
}

int find_places_showing(const find_places *places, const tm_match *match)
{
    for (size_t i = 0; i < places->num; i++)
        if (shows(&places->list[i], match))
            return (int)i;
    return -1;
}

void find_places_add(find_places *places, const tm_match *match, size_t most)
{
    if (find_places_showing(places, match) >= 0 || places->num >= most)
        return;
    places->list = must_grow(places->list, &places->capacity, places->num, sizeof(*places->list));
    find_place *place = &places->list[places->num++];
    *place = (find_place){.group = match->address.index, .layer = match->address.layer};
    choose_side(&place->x, &place->width, match->rect.x, match->rect.width, MIN_WIDTH);
    choose_side(&place->y, &place->height, match->rect.y, match->rect.height, MIN_HEIGHT);
}

void find_places_release(find_places *places)
{
    free(places->list);
    *places = (find_places){0};
}

/* The folder of a map's pictures: the map's path below the operand, without .map; numbered if it is taken. */
static char *folder_of(const char *folder, const file_list *files, size_t index)
{
    const char *relative = files->relatives[index];
    char number[24] = "";
    size_t same = 0;
    for (size_t i = 0; i < index; i++)
        same += strcmp(files->relatives[i], relative) == 0;
    if (same)
        snprintf(number, sizeof(number), "%zu-", same + 1);
    if (strcmp(relative, "-") == 0)
        relative = "standard-input";
    char *stem = files_stem(relative),
         *path = must_print("%s%s%s%s", folder ? folder : "", folder ? "/" : "", number, stem);
    free(stem);
    return path;
}

static picture_format format_of(const find_places *places)
{
    return places->format ? places->format : PICTURE_PNG;
}

char *find_place_file(const find_places *places, size_t n, const char *folder)
{
    const find_place *place = &places->list[n];
    char *map_folder = folder_of(folder, places->files, places->index);
    char *path = must_print("%s/%u-%u@%.0f,%.0f%s", map_folder, (unsigned)place->group,
                            (unsigned)place->layer, place->x, place->y, picture_suffix(format_of(places)));
    free(map_folder);
    return path;
}

/* The options for a place. Without --layers, a place in a physics layer has physics drawn over the design. */
static picture_options options_of(const find_places *places, const tm_map *map, const find_place *place)
{
    picture_options options = *places->options;
    options.folder = places->folder;
    const tm_layer *layer = &map->groups[place->group].layers[place->layer];
    const double longest = place->width > place->height ? place->width : place->height;
    options.has_region = true;
    options.scale = places->pixels ? places->pixels : SCALE;
    if (places->side && options.scale * longest > places->side)
        options.scale = places->side / longest;
    if (places->limit)
        options.limit = places->limit;
    options.region[0] = place->x;
    options.region[1] = place->y;
    options.region[2] = place->width;
    options.region[3] = place->height;
    if (!options.layers && !options.entities && tm_game_layer(layer->kind)->is_physics) {
        options.entities = "";
        options.layers = "design@50";
    }
    return options;
}

/* Images and layers are made ready once for all places that are drawn in the same way. */
typedef struct place_drawer {
    const find_places *places;
    loaded *file;
    const tm_job *job;
    cli_picture picture;
    bool open, over_design; /* as physics over the design */
    picture_options options;
} place_drawer;

static tm_status draw_place(place_drawer *drawer, const find_place *place, const char *path, tm_error *error)
{
    const find_places *places = drawer->places;
    const picture_options options = options_of(places, drawer->file->map, place);
    const bool over_design = options.entities && !places->options->entities;
    tm_camera camera;
    tm_status status = picture_aim(&camera, &options, drawer->file->map, error);
    if (!status && (!drawer->open || drawer->over_design != over_design)) {
        if (drawer->open)
            picture_close(&drawer->picture);
        drawer->options = options;
        drawer->over_design = over_design;
        drawer->open = true;
        drawer->picture.camera = camera;
        status = picture_open(&drawer->picture, &drawer->options, places->files->paths[places->index],
                              drawer->file, drawer->job, error);
    }
    if (status)
        return status;
    camera.opacities = drawer->picture.opacities;
    drawer->picture.camera = camera;
    return picture_write(&drawer->picture, format_of(places), path, error);
}

tm_status find_places_draw(find_places *places, loaded *file, const tm_job *job, tm_error *error)
{
    enum { MAX_SKIPPED = 2 }; /* then no other is tried */
    place_drawer drawer = {.places = places, .file = file, .job = job};
    int num_skipped = 0;
    tm_status status = TM_OK;
    for (size_t i = 0; i < places->num && !status; i++) {
        find_place *place = &places->list[i];
        char *path = find_place_file(places, i, places->folder);
        if (num_skipped < MAX_SKIPPED)
            status = draw_place(&drawer, place, path, error);
        place->skipped = num_skipped == MAX_SKIPPED || (status == TM_ERROR_LIMIT && places->limit);
        if (place->skipped && num_skipped < MAX_SKIPPED)
            num_skipped++;
        if (place->skipped)
            status = TM_OK;
        free(path);
    }
    if (drawer.open)
        picture_close(&drawer.picture);
    return status;
}
