/* SPDX-License-Identifier: Zlib */
/*
 * Prepares images for the layers that draw them: as tile slices, as whole pictures, or
 * both, several at once on the job's threads. The result and the error do not depend on the threads: if the
 * budget is not enough for all, the images are prepared again, one after the other.
 */
#include "render.h"

#include "../map/map.h"

#include <teemap/jobs.h>

/* What layers use of an image. */
typedef struct image_uses {
    bool tiles, whole;
    bool slices[256]; /* indices of tiles that occur */
} image_uses;

/* ------------------------------------------------------------------------------------------------- pixels */

/*
 * What the client shows where an image is missing: four colors, a quarter each. In Teeworlds 0.7 they
 * brighten from each quarter's top left.
 */
static uint8_t *missing_picture(uint32_t *side, tm_client look, const tm_allocator *allocator)
{
    static const uint8_t ddnet[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}},
                         teeworlds07[4][3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 1, 0}};
    const bool is_07 = look == TM_CLIENT_TEEWORLDS07;
    *side = is_07 ? 32 : 16;
    const uint32_t half = *side / 2;
    uint8_t *rgba = tmi_alloc(allocator, (size_t)*side * *side, 4);
    for (uint32_t i = 0; rgba && i < *side * *side; i++) {
        const uint32_t x = i % *side, y = i / *side, quarter = y / half * 2 + x / half;
        const uint32_t brightness = is_07 ? 8 * (x % half + y % half) + (quarter == 3 ? 16 : 15) : 255;
        for (int k = 0; k < 3; k++)
            rgba[(size_t)4 * i + (size_t)k] =
                (uint8_t)(brightness * (is_07 ? teeworlds07 : ddnet)[quarter][k]);
        rgba[(size_t)4 * i + 3] = 255;
    }
    return rgba;
}

static uint64_t bytes_of_pixels(const tm_pixels *pixels)
{
    return (uint64_t)pixels->width * pixels->height * 4;
}

/* Takes the memory of source pixels from the budget while an image is made of them. */
static tm_status take_room_of(const tmi_maker *maker, const tm_pixels *pixels, tm_error *error)
{
    if ((uint64_t)pixels->width * pixels->height <= UINT64_MAX / 4 &&
        tmi_room_take(maker->room, bytes_of_pixels(pixels)))
        return TM_OK;
    return tmi_fail(
        error, TM_ERROR_LIMIT, -1,
        "an image of %u x %u pixels needs more than the %llu bytes that are left of memory_budget",
        (unsigned)pixels->width, (unsigned)pixels->height, (unsigned long long)tmi_room_left(maker->room));
}

static tm_status embedded_pixels(const tm_renderer *renderer, const tm_image *image, uint8_t **rgba,
                                 tm_error *error)
{
    const uint64_t size = tm_image_rgba_size(image);
    *rgba = size <= SIZE_MAX ? tmi_alloc(renderer->allocator, (size_t)size, 1) : NULL;
    if (!*rgba)
        return tmi_fail_memory(error, size, "an image");
    tm_status status = tm_map_image_pixels(renderer->map, image, *rgba, size, error);
    if (status != TM_OK) {
        tmi_free(renderer->allocator, *rgba, (size_t)size, 1);
        *rgba = NULL;
    }
    return status;
}

/*
 * The pixels of an image, wherever they come from, which count against the room; NULL if there are none.
 */
static tm_status get_pixels(const tm_renderer *renderer, const tm_image *image, tm_pixels *out,
                            uint8_t **rgba, tm_error *error)
{
    const tmi_maker maker = tmi_maker_of(renderer);
    tm_status status = TM_OK;
    tm_error failure;
    *rgba = NULL;
    *out = (tm_pixels){NULL, image->width > 0 ? (uint32_t)image->width : 0,
                       image->height > 0 ? (uint32_t)image->height : 0};
    if (tm_image_rgba_size(
            image)) { /* else it is external, or its size is false: no room for what is not there */
        TM_TRY(take_room_of(&maker, out, error));
        status = embedded_pixels(renderer, image, rgba, &failure);
        if (status != TM_OK)
            tmi_room_give(maker.room, bytes_of_pixels(out));
        TM_TRY(tmi_past_damage(status, &failure, error));
    } else if (image->external && image->name && renderer->options.provider) {
        TM_TRY(tmi_game_provide_image(rgba, &out->width, &out->height, renderer->options.provider,
                                      renderer->options.provider_ctx, image->name, renderer->map->game,
                                      renderer->allocator, error));
        if (*rgba && out->width && out->height)
            status = take_room_of(&maker, out, error);
        else if (*rgba)
            status = tmi_fail(error, TM_ERROR_LIMIT, -1,
                              "the provider's image has %u x %u pixels, but its sides must be at least 1",
                              (unsigned)out->width, (unsigned)out->height);
        if (status) {
            tmi_free(maker.allocator, *rgba, (size_t)out->width * out->height, 4);
            *rgba = NULL;
            return status;
        }
    }
    out->rgba = *rgba;
    return TM_OK;
}

static void drop_pixels(const tm_renderer *renderer, const tm_pixels *pixels, uint8_t *rgba)
{
    tmi_free(renderer->allocator, rgba, (size_t)pixels->width * pixels->height, 4);
    tmi_room_give(tmi_maker_of(renderer).room, bytes_of_pixels(pixels));
}

/* The pixels that an image is drawn from; NULL if it is not drawn from any, and its state says why. */
static tm_status find_pixels(const tm_renderer *renderer, uint32_t index, tm_pixels *out, uint8_t **rgba,
                             tm_error *error)
{
    const tm_image *image = &renderer->map->images[index];
    tmi_picture *picture = &renderer->pictures[index];
    const tmi_maker maker = tmi_maker_of(renderer);
    TM_TRY(get_pixels(renderer, image, out, rgba, error));
    picture->state = TMI_PICTURE_THERE;
    picture->straight = renderer->options.look == TM_CLIENT_TEEWORLDS07 && *rgba && !image->external &&
                        image->format == TM_IMAGE_RGB;
    picture->missing = !*rgba;
    if (*rgba)
        return TM_OK;
    picture->state = renderer->options.missing == TM_MISSING_NONE ? TMI_PICTURE_NONE : TMI_PICTURE_WHITE;
    if (renderer->options.missing != TM_MISSING_CLIENT || !image->external)
        return TM_OK; /* the client draws an embedded image that it cannot read as none at all */
    picture->state = TMI_PICTURE_THERE;
    *rgba = missing_picture(&out->width, renderer->options.look, renderer->allocator);
    out->height = out->width;
    out->rgba = *rgba;
    if (!*rgba)
        return tmi_fail_memory(error, bytes_of_pixels(out), "an image");
    const tm_status status = take_room_of(&maker, out, error);
    if (status != TM_OK)
        tmi_free(renderer->allocator, *rgba, (size_t)out->width * out->height, 4);
    return status;
}

/* ------------------------------------------------------------------------------------------------- levels */

/* Prepares an image, or, if it is prepared already, the further parts of it that are used. */
static tm_status prepare_picture(const tm_renderer *renderer, uint32_t index, const image_uses *used,
                                 tm_error *error)
{
    const tmi_maker maker = tmi_maker_of(renderer);
    tmi_picture *picture = &renderer->pictures[index];
    tmi_shared_image *shared;
    TM_TRY(tmi_shared_find(&shared, renderer, &renderer->map->images[index], error));
    if (shared && tmi_shared_take(shared, picture, used->whole, used->tiles ? used->slices : NULL))
        return TM_OK;
    /* From the pixels that were kept, those of the map, or those that the provider has. */
    tm_pixels pixels = {picture->rgba, picture->width, picture->height};
    uint8_t *rgba = picture->rgba;
    if (!rgba)
        TM_TRY(find_pixels(renderer, index, &pixels, &rgba, error));
    if (!rgba)
        return TM_OK;
    picture->width = pixels.width;
    picture->height = pixels.height;
    tm_status status = TM_OK;
    if (used->whole && !picture->whole.made[0])
        status = tmi_mipmap_whole(&picture->whole, &pixels, &maker, error);
    if (status == TM_OK && used->tiles)
        status = tmi_mipmap_tiles(&picture->tiles, &pixels, used->slices, &maker, error);
    if (!picture->rgba && renderer->options.updates && status == TM_OK)
        picture->rgba = rgba;
    else if (!picture->rgba)
        drop_pixels(renderer, &pixels, rgba);
    if (status == TM_OK && shared && picture->state == TMI_PICTURE_THERE && !picture->missing)
        tmi_shared_give(shared, picture, renderer);
    return status;
}

tm_status tmi_picture_add(tm_renderer *renderer, uint32_t image, const bool slices[256], tm_error *error)
{
    const tmi_picture *picture = &renderer->pictures[image];
    image_uses used = {.tiles = true};
    bool any = picture->state == TMI_PICTURE_UNUSED;
    if (picture->state == TMI_PICTURE_NONE || picture->state == TMI_PICTURE_WHITE)
        return TM_OK;
    for (uint32_t i = 1; i < 256; i++) { /* 0 is air */
        any = any || (slices[i] && !picture->tiles.made[i]);
        used.slices[i] = slices[i] || picture->tiles.made[i];
    }
    return any ? prepare_picture(renderer, image, &used, error) : TM_OK;
}

/* -------------------------------------------------------------------------------------------- all of them */

typedef struct all_images {
    tm_renderer *renderer;
    image_uses *used;
    uint64_t room; /* before any image */
} all_images;

static tm_status prepare_one(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const all_images *images = ctx;
    const image_uses *used = &images->used[index];
    (void)worker;
    (void)stop;
    return used->tiles || used->whole ? prepare_picture(images->renderer, index, used, error) : TM_OK;
}

static void drop_pictures(const tm_renderer *renderer)
{
    const tmi_maker maker = tmi_maker_of(renderer);
    for (uint32_t i = 0; renderer->pictures && i < renderer->map->num_images; i++) {
        tmi_picture *picture = &renderer->pictures[i];
        if (picture->rgba)
            drop_pixels(renderer, &(tm_pixels){NULL, picture->width, picture->height}, picture->rgba);
        tmi_mipmap_release(&picture->tiles, &maker);
        tmi_mipmap_release(&picture->whole, &maker);
        *picture = (tmi_picture){.state = TMI_PICTURE_UNUSED};
    }
}

static uint64_t held_bytes(const tmi_mipmap *mipmap)
{
    uint64_t bytes = 0;
    for (const tmi_texels *texels = mipmap->texels; texels; texels = texels->next)
        bytes += texels->size;
    return bytes;
}

static tm_status prepare_all(all_images *images, tm_error *error)
{
    tm_renderer *renderer = images->renderer;
    const tm_job *job = &renderer->job;
    tm_tasks pieces = {.size = sizeof(pieces),
                       .allocator = renderer->allocator,
                       .ctx = images,
                       .num = renderer->map->num_images,
                       .work = prepare_one};
    const tm_status status = tm_tasks_run(&pieces, job, error);
    uint64_t left = images->room;
    bool fits = status == TM_OK; /* the budget is also enough for one image after another */
    for (uint32_t i = 0; fits && i < renderer->map->num_images; i++) {
        const tmi_picture *picture = &renderer->pictures[i];
        const uint64_t pixels = (uint64_t)picture->width * picture->height * 4,
                       bytes = held_bytes(&picture->tiles) + held_bytes(&picture->whole);
        fits = pixels + bytes <= left;
        left -= bytes + (picture->rgba ? pixels : 0);
    }
    if (!job->executor || job->executor->threads < 2 ||
        (status != TM_ERROR_LIMIT && (status != TM_OK || fits)))
        return status;
    const tm_job in_turn = {.size = sizeof(in_turn), .cancel = job->cancel};
    drop_pictures(renderer);
    return tm_tasks_run(&pieces, &in_turn, error);
}

tm_status tmi_prepare_images(tm_renderer *renderer, const bool (*slices)[256], tm_findings *findings,
                             tm_error *error)
{
    const uint32_t num = renderer->map->num_images;
    all_images images = {renderer, tmi_calloc(renderer->allocator, num, sizeof(*images.used)),
                         tmi_room_left(&renderer->room)};
    renderer->pictures = tmi_calloc(renderer->allocator, num, sizeof(*renderer->pictures));
    tm_status status = images.used && renderer->pictures
                           ? TM_OK
                           : tmi_fail_memory(error, num * sizeof(*renderer->pictures), "images");
    for (tm_layer_walk walk = {0}; status == TM_OK && tm_map_next_layer(renderer->map, &walk);) {
        const bool as_tiles = walk.layer->kind == TM_LAYER_TILES;
        const int32_t image = tmi_image_shown(walk.layer);
        if (image == TM_NONE)
            continue;
        images.used[image].tiles |= as_tiles;
        images.used[image].whole |= !as_tiles;
        for (size_t i = 1; as_tiles && i < 256; i++) /* 0 is air */
            images.used[image].slices[i] |= slices[walk.number][i];
    }
    status = status ? status : prepare_all(&images, error);
    for (uint32_t i = 0; status == TM_OK && i < num; i++)
        if (renderer->pictures[i].missing)
            tmi_report_at_address(findings, TM_MODE_GAME, TM_FINDING_MISSING_IMAGE, renderer->map,
                                  (tm_address){TM_KIND_IMAGE, i, 0}, -1, "%s",
                                  renderer->map->images[i].external ? "the image is not installed"
                                                                    : "the embedded image cannot be read");
    tmi_free(renderer->allocator, images.used, num, sizeof(*images.used));
    return status;
}

void tmi_free_images(tm_renderer *renderer)
{
    drop_pictures(renderer);
    tmi_free(renderer->allocator, renderer->pictures, renderer->map->num_images, sizeof(*renderer->pictures));
}
