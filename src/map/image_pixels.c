/* SPDX-License-Identifier: Zlib */
/*
 * Work on the pixels of images: dilation, blank cells, stretching. Knows no map.
 *
 * Dilation as DDNet does it. Pixels with an alpha of at most OPAQUE_FROM - 1 are open. In each of ROUNDS
 * rounds, every open pixel with a neighbour that was closed before the round takes the color of the first
 * such neighbour (above, left, right, below), and is closed. In the end only pixels of alpha 0 receive the
 * color. Here each pixel is visited once: a queue holds the pixels closed in a round, as only their
 * neighbours can be closed in the next one. A closed pixel keeps the number of the pixel that its color is
 * from, which was never open and so never changes.
 */
#include "internal.h"

enum { DILATE_ROUNDS = 11, OPAQUE_FROM = 11, PIXEL = 4, NEVER = 255 };

/* ----------------------------------------------------------------------------------------------- dilation */

/* The dilation of a rectangle of a picture; pixels are known by their number in it. */
typedef struct dilation {
    uint8_t *rgba;
    size_t stride;          /* bytes from a row to the next */
    uint32_t width, height; /* of the rectangle; the product fits 32 bits */
    uint8_t *rounds;        /* in which a pixel was closed; 0: it never was open; NEVER: it still is */
    uint32_t *sources;      /* of closed ones: the pixel that their color is from */
    uint32_t *queue;        /* of closed ones, in the order in which that happened */
    uint32_t num;           /* in the queue */
    uint64_t changed;
} dilation;

static uint8_t *pixel_at(const dilation *d, uint32_t n)
{
    return d->rgba + (size_t)(n / d->width) * d->stride + (size_t)(n % d->width) * PIXEL;
}

/* The neighbours of a pixel in the order in which they are asked; returns how many there are. */
static uint32_t neighbours(uint32_t out[4], const dilation *d, uint32_t n)
{
    const uint32_t width = d->width, height = d->height;
    const uint32_t x = n % width; // NOLINT(clang-analyzer-core.DivideZero): dilate_all looks at the width
    uint32_t num = 0;
    if (n >= width)
        out[num++] = n - width;
    if (x > 0)
        out[num++] = n - 1;
    if (x + 1 < width)
        out[num++] = n + 1;
    if (n / width + 1 < height) // NOLINT(clang-analyzer-core.DivideZero): the same
        out[num++] = n + width;
    return num;
}

static void close_pixel(dilation *d, uint32_t n, uint32_t round)
{
    uint32_t near[4];
    const uint32_t num = neighbours(near, d, n);
    for (uint32_t i = 0; i < num; i++)
        if (d->rounds[near[i]] < round) {
            d->sources[n] = d->sources[near[i]];
            d->rounds[n] = (uint8_t)round;
            d->queue[d->num++] = n;
            return;
        }
}

static void dilate_rectangle(dilation *d)
{
    d->num = 0;
    for (uint32_t y = 0, n = 0; y < d->height; y++) {
        const uint8_t *row = d->rgba + y * d->stride;
        for (uint32_t x = 0; x < d->width; x++, n++) {
            const bool opaque = row[(size_t)x * PIXEL + 3] >= OPAQUE_FROM;
            d->rounds[n] = opaque ? 0 : NEVER;
            d->sources[n] = n;
            if (opaque)
                d->queue[d->num++] = n;
        }
    }
    const uint32_t num_opaque = d->num;
    if (num_opaque == 0 || num_opaque == d->width * d->height)
        return;
    for (uint32_t round = 1, from = 0; round <= DILATE_ROUNDS; round++) {
        for (const uint32_t end = d->num; from < end; from++) {
            uint32_t near[4];
            const uint32_t num = neighbours(near, d, d->queue[from]);
            for (uint32_t i = 0; i < num; i++)
                if (d->rounds[near[i]] == NEVER)
                    close_pixel(d, near[i], round);
        }
    }
    for (uint32_t i = num_opaque; i < d->num; i++) {
        uint8_t *pixel = pixel_at(d, d->queue[i]);
        const uint8_t *source = pixel_at(d, d->sources[d->queue[i]]);
        if (pixel[3] != 0 || memcmp(pixel, source, 3) == 0)
            continue;
        memcpy(pixel, source, 3);
        d->changed++;
    }
}

static void dilate_all(dilation *d, const tmi_pixels *picture, bool cells)
{
    const uint32_t side = cells ? TMI_IMAGE_SIDE : 1;
    d->width = picture->width / side;
    d->height = picture->height / side;
    if (d->width == 0 || d->height == 0)
        return;
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            d->rgba = picture->rgba + (size_t)y * d->height * d->stride + (size_t)x * d->width * PIXEL;
            dilate_rectangle(d);
        }
}

tm_status tmi_pixels_dilate(uint64_t *changed, const tmi_pixels *picture, bool cells,
                            const tm_allocator *allocator, tm_error *error)
{
    *changed = 0;
    const uint32_t side = cells ? TMI_IMAGE_SIDE : 1;
    const uint64_t num = (uint64_t)(picture->width / side) * (picture->height / side);
    if (num == 0)
        return TM_OK;
    if (num > UINT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the picture of %u x %u pixels is too large",
                        (unsigned)picture->width, (unsigned)picture->height);
    dilation d = {.stride = (size_t)picture->width * PIXEL};
    d.rounds = tmi_alloc(allocator, (size_t)num, 1);
    d.sources = tmi_alloc(allocator, (size_t)num, sizeof(*d.sources));
    d.queue = tmi_alloc(allocator, (size_t)num, sizeof(*d.queue));
    tm_status status = TM_OK;
    if (d.rounds && d.sources && d.queue)
        dilate_all(&d, picture, cells);
    else
        status = tmi_fail_memory(error, num * (1 + sizeof(*d.sources) + sizeof(*d.queue)), "dilation");
    tmi_free(allocator, d.rounds, (size_t)num, 1);
    tmi_free(allocator, d.sources, (size_t)num, sizeof(*d.sources));
    tmi_free(allocator, d.queue, (size_t)num, sizeof(*d.queue));
    *changed = d.changed;
    return status;
}

/* ------------------------------------------------------------------------------------------- what to lose */

static uint8_t *cell_row(const tmi_pixels *picture, uint32_t cell, uint32_t y)
{
    const size_t x0 = (size_t)(cell % TMI_IMAGE_SIDE) * (picture->width / TMI_IMAGE_SIDE);
    const size_t y0 = (size_t)(cell / TMI_IMAGE_SIDE) * (picture->height / TMI_IMAGE_SIDE);
    return picture->rgba + ((y0 + y) * picture->width + x0) * PIXEL;
}

static uint64_t zero_pixels(uint8_t *pixels, uint32_t num)
{
    static const uint8_t nothing[PIXEL];
    uint64_t changed = 0;
    for (uint32_t i = 0; i < num; i++)
        changed += memcmp(pixels + (size_t)i * PIXEL, nothing, PIXEL) != 0;
    memset(pixels, 0, (size_t)num * PIXEL);
    return changed;
}

uint64_t tmi_pixels_blank(const tmi_pixels *picture, const bool keep[TMI_IMAGE_CELLS])
{
    const uint32_t width = picture->width / TMI_IMAGE_SIDE, height = picture->height / TMI_IMAGE_SIDE;
    uint64_t changed = 0;
    for (uint32_t cell = 0; cell < TMI_IMAGE_CELLS; cell++) {
        bool stays = false;
        for (uint32_t y = 0; keep[cell] && y < height && !stays; y++) {
            const uint8_t *row = cell_row(picture, cell, y);
            for (size_t x = 0; x < width && !stays; x++)
                stays = row[x * PIXEL + 3];
        }
        for (uint32_t y = 0; !stays && y < height; y++)
            changed += zero_pixels(cell_row(picture, cell, y), width);
    }
    return changed;
}

uint64_t tmi_pixels_clear(const tmi_pixels *picture)
{
    uint64_t changed = 0;
    for (uint32_t y = 0; y < picture->height; y++)
        changed += zero_pixels(picture->rgba + (size_t)y * picture->width * PIXEL, picture->width);
    return changed;
}

uint64_t tmi_pixels_clear_hidden(const tmi_pixels *picture)
{
    uint64_t changed = 0;
    const size_t num = (size_t)picture->width * picture->height;
    for (size_t i = 0; i < num; i++) {
        uint8_t *pixel = picture->rgba + i * PIXEL;
        if (pixel[3] == 0)
            changed += zero_pixels(pixel, 1);
    }
    return changed;
}

/* --------------------------------------------------------------------------------------------- stretching */

/*
 * Each side is divided into from * to parts. A pixel of the new picture is `from` parts long, a pixel of the
 * old one `to` parts, so a new pixel lies on one or two old ones.
 */
typedef struct overlap {
    uint32_t at[2];
    uint64_t weight[2]; /* parts; the second may be 0 */
} overlap;

/* The pixels of a side of `from` pixels on which pixel n lies when the side is stretched to `to` pixels. */
static overlap lies_on(uint32_t n, uint32_t from, uint32_t to)
{
    const uint64_t begin = (uint64_t)n * from, end = begin + from;
    const uint32_t first = (uint32_t)(begin / to), last = (uint32_t)((end - 1) / to);
    const uint64_t edge = (uint64_t)(first + 1) * to;
    if (first == last)
        return (overlap){{first, first}, {from, 0}};
    return (overlap){{first, last}, {edge - begin, end - edge}};
}

/* The weighted mean of up to 2 x 2 pixels. Transparent pixels do not tint it. */
static void mix_pixel(uint8_t *out, const tmi_pixels *source, const overlap *x, const overlap *y)
{
    double sum[3] = {0}, plain[3] = {0}, alpha = 0, all = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t column = i % 2, row = i / 2;
        const uint8_t *pixel = source->rgba + ((size_t)y->at[row] * source->width + x->at[column]) * PIXEL;
        const double weight = (double)x->weight[column] * (double)y->weight[row];
        for (uint32_t c = 0; c < 3; c++) {
            sum[c] += weight * pixel[3] * pixel[c];
            plain[c] += weight * pixel[c];
        }
        alpha += weight * pixel[3];
        all += weight;
    }
    for (uint32_t c = 0; c < 3; c++)
        out[c] = (uint8_t)((alpha > 0 ? sum[c] / alpha : plain[c] / all) + 0.5);
    out[3] = (uint8_t)(alpha / all + 0.5);
}

void tmi_pixels_stretch(const tmi_pixels *target, const tmi_pixels *source)
{
    for (uint32_t y = 0; y < target->height; y++) {
        const overlap rows = lies_on(y, source->height, target->height);
        for (uint32_t x = 0; x < target->width; x++) {
            const overlap columns = lies_on(x, source->width, target->width);
            mix_pixel(target->rgba + ((size_t)y * target->width + x) * PIXEL, source, &columns, &rows);
        }
    }
}

/* -------------------------------------------------------------------------------------------------- uses */

static tm_status add_uses(tmi_image_uses *uses, const tm_map *map, const tm_layer *layer, tm_error *error)
{
    const tm_tile_layer *tile_layer = &layer->as.tiles;
    tmi_borrowed loan;
    bool any = false;
    if (layer->kind == TM_LAYER_QUADS) {
        uses->quad_layers += layer->as.quads.num_quads > 0;
        return TM_OK;
    }
    const tm_status status = tmi_borrowed_open(&loan, map, tile_layer->tiles, error);
    if (status == TM_OK) {
        const uint64_t num = (uint64_t)tile_layer->width * tile_layer->height,
                       held = loan.size / sizeof(tm_tile);
        const tm_tile *tiles = loan.bytes;
        for (uint64_t i = 0; i < num && i < held; i++) {
            uses->cells[tiles[i].index] = true;
            any |= tiles[i].index != 0;
        }
        tmi_borrowed_close(&loan);
        uses->cells[0] = false;
    }
    const bool unsure =
        status == TM_ERROR_DAMAGED || (tile_layer->automapper.present && tile_layer->automapper.automatic);
    uses->any_cell |= unsure;
    uses->tile_layers += any || unsure;
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

tm_status tmi_map_image_uses(tmi_image_uses *uses, const tm_map *map, tm_error *error)
{
    tm_layer_walk walk = {0};
    if (map->num_images)
        memset(uses, 0, map->num_images * sizeof(*uses));
    while (tm_map_next_layer(map, &walk)) {
        const int32_t image = tmi_image_shown(walk.layer);
        if (tm_map_image(map, image))
            TM_TRY(tmi_fail_at_address(error, add_uses(&uses[image], map, walk.layer, error), map,
                                       (tm_address){TM_KIND_LAYER, walk.group, walk.index}));
    }
    return TM_OK;
}
