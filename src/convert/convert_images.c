/* SPDX-License-Identifier: Zlib */
/*
 * Images. A name stands for a picture of the game that the map comes from: the other game has another one
 * under it, or none. DDNet and Teeworlds 0.6 have one set of pictures, Teeworlds 0.7 has another, of which
 * DDNet has a few under names of their own.
 */
#include "convert.h"

enum {
    MAX_IMAGES = 64,      /* that the clients of all games load */
    MAX_NAME_BYTES = 127, /* of an image, in Teeworlds */
    MAX_COMPARED = 1024,  /* images; of more none are compared with one another */
    PLACEHOLDER_SIDE = 16 /* px of a picture that is not there */
};

static tm_address image_at(uint32_t index)
{
    return (tm_address){TM_KIND_IMAGE, index, 0};
}

/* ----------------------------------------------------------------------------------------- same pictures */

/*
 * Pictures that both games ship under one name mostly differ in a few pixels. If the map only shows equal
 * cells, the image may stay external.
 */

/* Two pictures of one size, and whether the colors of invisible pixels count. */
typedef struct picture_pair {
    const uint8_t *first, *other;
    uint32_t width, height;
    bool hidden_counts; /* 0.7 multiplies colors by alpha before it filters them; DDNet does not */
} picture_pair;

static bool pixels_equal(const picture_pair *pair, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height)
{
    for (uint32_t y = y0; y < y0 + height; y++) {
        const size_t at = ((size_t)y * pair->width + x0) * 4;
        const uint8_t *a = pair->first + at, *b = pair->other + at;
        if (memcmp(a, b, (size_t)width * 4) == 0)
            continue;
        for (uint32_t x = 0; x < width; x++, a += 4, b += 4)
            if (memcmp(a, b, 4) != 0 && (pair->hidden_counts || a[3] || b[3]))
                return false;
    }
    return true;
}

/*
 * Whether the shown parts of an image are equal: all of the picture if quads show it, or if 16 does not
 * divide it. Finds the shown parts of all images when the first one is asked for.
 */
static tm_status compare_shown(bool *is_same, tmi_convert *convert, uint32_t index, const picture_pair *pair,
                               tm_error *error)
{
    const uint32_t width = pair->width / TMI_IMAGE_SIDE, height = pair->height / TMI_IMAGE_SIDE;
    if (!convert->uses) {
        TM_TRY(tmi_reserve_zeroed(&convert->uses, tmi_map_allocator(convert->map), convert->map->num_images,
                                  sizeof(*convert->uses), "uses of images", error));
        TM_TRY(tmi_map_image_uses(convert->uses, convert->map, error));
    }
    const tmi_image_uses *uses = &convert->uses[index];
    if (uses->quad_layers || uses->any_cell || pair->width % TMI_IMAGE_SIDE ||
        pair->height % TMI_IMAGE_SIDE) {
        *is_same = pixels_equal(pair, 0, 0, pair->width, pair->height);
        return TM_OK;
    }
    *is_same = true;
    for (uint32_t cell = 0; *is_same && cell < TMI_IMAGE_CELLS; cell++)
        *is_same = !uses->cells[cell] || pixels_equal(pair, cell % TMI_IMAGE_SIDE * width,
                                                      cell / TMI_IMAGE_SIDE * height, width, height);
    return TM_OK;
}

static tm_status shows_same(bool *is_same, tmi_convert *convert, uint32_t index, const tmi_pixels *picture,
                            tm_error *error)
{
    const tm_convert_options *options = convert->options;
    const tm_allocator *allocator = tmi_map_allocator(convert->map);
    const char *name = convert->map->images[index].name;
    const tm_shipped_image *shipped = tm_game_shipped_image(name);
    tmi_pixels shipped_picture = {NULL, 0, 0};
    *is_same = false;
    if (!picture->rgba || !options->shipped || !shipped || !shipped->games[convert->to])
        return TM_OK;
    tm_status status =
        tmi_game_provide_image(&shipped_picture.rgba, &shipped_picture.width, &shipped_picture.height,
                               options->shipped, options->shipped_ctx, name, convert->to, allocator, error);
    if (status || !shipped_picture.rgba) /* without it the image is embedded */
        return status;
    if (shipped_picture.width == picture->width && shipped_picture.height == picture->height) {
        const picture_pair pair = {picture->rgba, shipped_picture.rgba, shipped_picture.width,
                                   shipped_picture.height, convert->to == TM_GAME_DDNET};
        status = compare_shown(is_same, convert, index, &pair, error);
        if (*is_same)
            tmi_convert_changed(convert, image_at(index), 1,
                                "stays external: what the map shows of it is the same in %s",
                                tm_game_name(convert->to));
    }
    tmi_free(allocator, shipped_picture.rgba, (size_t)shipped_picture.width * shipped_picture.height, 4);
    return status;
}

static const char *image_name(const tm_image *image)
{
    return image->name ? image->name : "";
}

/* ------------------------------------------------------------------------------------------------- names */

/* Gives an embedded image a name that no other has: its own, or with a number behind it. */
static tm_status set_own_name(tmi_convert *convert, uint32_t index, const char *wanted, tm_error *error)
{
    char name[MAX_NAME_BYTES + 1];
    tmi_format(name, sizeof(name), "%s", wanted);
    for (unsigned number = 2;
         number < 1000 && tmi_find_named(convert->map, TM_KIND_IMAGE, name, index) != UINT32_MAX; number++) {
        char front[MAX_NAME_BYTES - 8];
        tmi_format(front, sizeof(front), "%s", wanted);
        tmi_format(name, sizeof(name), "%s (%u)", front, number);
    }
    tm_image *image = &convert->map->images[index];
    if (strcmp(name, image_name(image)) == 0)
        return TM_OK;
    tmi_convert_changed(convert, image_at(index), 1, "renamed to '%s'", name);
    return tm_map_set_text(convert->map, &image->name, name, error);
}

/* Gives an external image a name; embedded images with that name get another one. */
static tm_status rename_image(tmi_convert *convert, uint32_t index, const char *name, tm_error *error)
{
    tm_map *map = convert->map;
    tmi_convert_changed(convert, image_at(index), 1, "renamed to '%s', which %s has", name,
                        tm_game_name(convert->to));
    TM_TRY(tm_map_set_text(map, &map->images[index].name, name, error));
    for (uint32_t i = 0; i < map->num_images; i++)
        if (i != index && !map->images[i].external && tmi_same_text(map->images[i].name, name))
            TM_TRY(set_own_name(convert, i, name, error));
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- embedding */

/*
 * Embeds an image, unless the other game's picture of the name looks the same where the map shows it. 
 */
static tm_status embed_image(bool *done, tmi_convert *convert, uint32_t index, tm_error *error)
{
    const tm_convert_options *options = convert->options;
    const tm_allocator *allocator = tmi_map_allocator(convert->map);
    const tm_image *image = &convert->map->images[index];
    const bool sensible = image->width > 0 && image->height > 0;
    const tm_shipped_image *shipped = tm_game_shipped_image(image_name(image));
    /* the second is the name of today, if older releases of the game had another */
    const char *names[] = {image_name(image), shipped ? shipped->renamed : NULL};
    tmi_pixels source = {NULL, 0, 0};
    for (size_t i = 0; i < TMI_COUNT_OF(names) && !source.rgba; i++) {
        source.width = sensible ? (uint32_t)image->width : 0;
        source.height = sensible ? (uint32_t)image->height : 0;
        if (!options->provider || !names[i])
            continue;
        TM_TRY(tmi_game_provide_image(&source.rgba, &source.width, &source.height, options->provider,
                                      options->provider_ctx, names[i], convert->from, allocator, error));
    }
    tm_status status = shows_same(done, convert, index, &source, error);
    if (!status && !*done && source.rgba && source.width && source.height) {
        *done = true;
        tmi_convert_changed(convert, image_at(index), 1, "embedded: %u x %u pixels", (unsigned)source.width,
                            (unsigned)source.height);
        status = tm_map_set_pixels(convert->map, index, source.rgba, source.width, source.height, error);
    }
    tmi_free(allocator, source.rgba, (size_t)source.width * source.height, 4);
    return status;
}

static tm_status bring_image(tmi_convert *convert, uint32_t index, tm_error *error)
{
    const tm_game to = convert->to;
    const bool from_07 = convert->from == TM_GAME_TEEWORLDS07, to_07 = to == TM_GAME_TEEWORLDS07;
    const char *name = image_name(&convert->map->images[index]);
    const tm_shipped_image *shipped = tm_game_shipped_image(name),
                           *art_of_07 = to_07 && !from_07 ? tmi_game_image_of_07(name) : NULL;
    const bool has_art = to == TM_GAME_DDNET && from_07 && shipped && shipped->has_07_art;
    bool done = false;
    if (art_of_07) /* its name in any release of the other game */
        return rename_image(convert, index, art_of_07->name, error);
    if (to == TM_GAME_DDNET && !from_07 && shipped && shipped->renamed)
        return rename_image(convert, index, shipped->renamed, error);
    if (convert->from == to || (shipped && shipped->games[to] && from_07 == to_07))
        return TM_OK; /* both games have the same picture under this name */
    if (!has_art || convert->options->images == TM_CONVERT_EMBED)
        TM_TRY(embed_image(&done, convert, index, error));
    if (!done && has_art) {
        char art[MAX_NAME_BYTES + 1]; /* the name in new releases of DDNet */
        tmi_format(art, sizeof(art), "%s%s", name, TMI_ART_SUFFIX);
        return rename_image(convert, index, art, error);
    }
    if (!done)
        tmi_convert_report(convert, TM_FINDING_NOT_EMBEDDED, image_at(index),
                           "its pixels are not to be had, and %s %s", tm_game_name(to),
                           shipped && shipped->games[to] ? "has another picture under this name"
                                                         : "has no picture of this name");
    return TM_OK;
}

tm_status tmi_convert_images_in(tmi_convert *convert, tm_error *error)
{
    const uint32_t num = convert->map->num_images;
    tm_status status = TM_OK;
    if (convert->options->images == TM_CONVERT_KEEP)
        return TM_OK;
    for (uint32_t i = 0; i < num && !status; i++)
        if (tmi_cancelled(convert->options->cancel))
            status = tmi_fail(error, TM_ERROR_CANCELLED, -1, "the conversion was cancelled");
        else if (convert->map->images[i].external)
            status = tmi_fail_at_address(error, bring_image(convert, i, error), convert->map, image_at(i));
    tmi_free(tmi_map_allocator(convert->map), convert->uses, num, sizeof(*convert->uses));
    convert->uses = NULL;
    return status;
}

/* ------------------------------------------------------------------------------------------------- pixels */

static tm_status put_placeholder(tmi_convert *convert, uint32_t index, const char *fault, tm_error *error)
{
    static const uint8_t nothing[PLACEHOLDER_SIDE * PLACEHOLDER_SIDE * 4];
    tmi_convert_lose(convert, TM_FINDING_LOST_IMAGE, image_at(index), 1,
                     "%s, which breaks %s: it is now %d x %d and transparent", fault,
                     tm_game_name(convert->to), PLACEHOLDER_SIDE, PLACEHOLDER_SIDE);
    return tm_map_set_pixels(convert->map, index, nothing, PLACEHOLDER_SIDE, PLACEHOLDER_SIDE, error);
}

/* Gives an image RGBA pixels in a new size, made of those that it has. */
static tm_status remake_pixels(tmi_convert *convert, uint32_t index, uint32_t width, uint32_t height,
                               tm_error *error)
{
    tm_map *map = convert->map;
    const uint64_t num = (uint64_t)width * height;
    tmi_pixels source, target = {NULL, width, height};
    tmi_arena arena;
    if (num > SIZE_MAX / 4)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%u x %u pixels are too many", (unsigned)width,
                        (unsigned)height);
    TM_TRY(tmi_map_check_room(map, num * 4, error));
    tmi_arena_init(&arena, tmi_map_allocator(map));
    const tm_allocator scratch = tmi_arena_allocator(&arena);
    tm_status status = tmi_image_pixels(&source, map, &map->images[index], &scratch, error);
    if (!status)
        status = tmi_reserve(&target.rgba, &scratch, (size_t)num, 4, "pixels", error);
    if (!status) {
        tmi_pixels_stretch(&target, &source);
        status = tm_map_set_pixels(map, index, target.rgba, width, height, error);
    }
    tmi_arena_release(&arena);
    return status;
}

static tm_status fit_pixels(tmi_convert *convert, uint32_t index, tm_error *error)
{
    const tm_image *image = &convert->map->images[index];
    tm_layer_walk walk = {0};
    tmi_borrowed loan;
    tm_error failure;
    bool stretched = false;
    if (!tm_image_rgba_size(image))
        return convert->to == TM_GAME_DDNET ? TM_OK
                                            : put_placeholder(convert, index, "it has too few pixels", error);
    tmi_error_blank(&failure);
    const tm_status status = tmi_borrowed_open(&loan, convert->map, image->pixels, &failure);
    tmi_borrowed_close(&loan);
    if (status == TM_ERROR_DAMAGED)
        return put_placeholder(convert, index, "its pixels are damaged", error);
    if (status != TM_ERROR_LIMIT) /* pixels beyond the limits are not unpacked, and count as whole */
        TM_TRY(tmi_past_damage(status, &failure, error));
    uint32_t width = (uint32_t)image->width, height = (uint32_t)image->height;
    const bool is_odd = convert->to == TM_GAME_TEEWORLDS07 && (width % 16 || height % 16);
    while (is_odd && !stretched && tm_map_next_layer(convert->map, &walk))
        stretched = walk.layer->kind == TM_LAYER_TILES && walk.layer->as.tiles.image == (int32_t)index;
    if (stretched) {
        width = (width + 15) / 16 * 16;
        height = (height + 15) / 16 * 16;
        tmi_convert_changed(convert, image_at(index), 1,
                            "%d x %d pixels become %u x %u: %s needs multiples of 16 for tiles",
                            (int)image->width, (int)image->height, (unsigned)width, (unsigned)height,
                            tm_game_name(convert->to));
    }
    if (image->format == TM_IMAGE_RGB)
        tmi_convert_changed(convert, image_at(index), 1, "3 bytes a pixel become 4 (RGBA)");
    return stretched || image->format == TM_IMAGE_RGB ? remake_pixels(convert, index, width, height, error)
                                                      : TM_OK;
}

tm_status tmi_convert_image_pixels(tmi_convert *convert, tm_error *error)
{
    for (uint32_t i = 0; i < convert->map->num_images; i++) {
        const tm_image *image = &convert->map->images[i];
        if (image->external)
            continue;
        tm_status status = fit_pixels(convert, i, error);
        if (!status && convert->to != TM_GAME_DDNET && strlen(image_name(image)) > MAX_NAME_BYTES) {
            tmi_convert_lose(convert, TM_FINDING_LOST_FIELD, image_at(i), 1,
                             "its name has more than %d bytes", MAX_NAME_BYTES);
            status = set_own_name(convert, i, image_name(image), error);
        }
        TM_TRY(tmi_fail_at_address(error, status, convert->map, image_at(i)));
    }
    return TM_OK;
}

/* Removes images until the game can load all: first unused ones, then doubles, then the last ones. */
tm_status tmi_convert_image_number(tmi_convert *convert, tm_error *error)
{
    tm_map *map = convert->map;
    for (uint32_t i = map->num_images; i-- > 0 && map->num_images > MAX_IMAGES;) {
        if (tmi_redirect_layers(map, TM_KIND_IMAGE, i, i))
            continue;
        tmi_convert_changed(convert, image_at(i), 1, "removed: nothing refers to it");
        TM_TRY(tm_map_remove(map, TM_KIND_IMAGE, i, error));
    }
    tmi_compare_work work = tmi_compare_work_of(&map->priv->limits);
    for (uint32_t i = map->num_images <= MAX_COMPARED ? map->num_images : 0;
         i-- > 0 && map->num_images > MAX_IMAGES;) {
        bool same = false;
        uint32_t other = 0;
        for (; other < i && !same; other += !same) {
            const tm_image *a = &map->images[other], *b = &map->images[i];
            if (a->external || b->external)
                same = a->external && b->external && tmi_same_text(a->name, b->name);
            else if (a->width == b->width && a->height == b->height && a->format == b->format &&
                     tmi_block_may_equal(a->pixels, b->pixels))
                TM_TRY(tmi_block_same(&same, &work, (const tm_map *[]){map, map},
                                      (const tm_block *[]){a->pixels, b->pixels}, error));
        }
        if (!same)
            continue;
        tmi_convert_changed(convert, image_at(i), 1, "removed: it is equal to %u, which takes its place",
                            (unsigned)other);
        tmi_redirect_layers(map, TM_KIND_IMAGE, i, other);
        TM_TRY(tm_map_remove(map, TM_KIND_IMAGE, i, error));
    }
    while (map->num_images > MAX_IMAGES) {
        const uint32_t last = map->num_images - 1;
        tmi_convert_lose(convert, TM_FINDING_LOST_IMAGE, image_at(last), 1,
                         "removed: %s has %d images in a map and no more", tm_game_name(convert->to),
                         MAX_IMAGES);
        TM_TRY(tm_map_remove(map, TM_KIND_IMAGE, last, error));
    }
    return TM_OK;
}
