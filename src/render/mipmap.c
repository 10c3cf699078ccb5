/* SPDX-License-Identifier: Zlib */
/*
 * Images as textures (section 5): a whole picture, or a sheet cut into 256 tile slices, each with its
 * levels down to one pixel. Slices are cut first and halved one by one, so that no tile bleeds into its
 * neighbour.
 */
#include "render.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------- memory */

static uint32_t half(uint32_t side)
{
    return side > 1 ? side / 2 : 1;
}

bool tmi_room_take(tmi_room *room, uint64_t bytes)
{
    uint_least64_t left = atomic_load(&room->left);
    while (bytes <= left)
        if (atomic_compare_exchange_weak(&room->left, &left, left - bytes))
            return true;
    return false;
}

/* Lays out the levels. */
static tm_status mipmap_init(tmi_mipmap *out, uint32_t num_slices, uint32_t width, uint32_t height,
                             uint32_t max_levels, tm_error *error)
{
    uint64_t bytes = 0;
    uint32_t w = width, h = height;
    memset(out, 0, sizeof(*out));
    for (;; w = half(w), h = half(h)) {
        out->offsets[out->num_levels] = (size_t)bytes;
        out->widths[out->num_levels] = w;
        out->heights[out->num_levels++] = h;
        bytes += (uint64_t)w * h * 4;
        if ((w == 1 && h == 1) || out->num_levels == max_levels)
            break;
    }
    if (bytes > SIZE_MAX)
        return tmi_fail_memory(error, bytes, "an image");
    out->slice_bytes = (size_t)bytes;
    out->num_slices = num_slices;
    return TM_OK;
}

/* Takes memory for `num` more slices. */
static tm_status take_texels(tmi_mipmap *mipmap, size_t num, const tmi_maker *maker, tm_error *error)
{
    tmi_texels *texels = NULL;
    size_t size = 0;
    const bool fits = tmi_mul_size(&size, num, mipmap->slice_bytes) &&
                      tmi_add_size(&size, size, sizeof(*texels)) && tmi_room_take(maker->room, size);
    if (!fits)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "the images need %llu bytes more, but only %llu are left of memory_budget",
                        (unsigned long long)size, (unsigned long long)tmi_room_left(maker->room));
    texels = tmi_alloc(maker->allocator, 1, size);
    if (!texels) {
        tmi_room_give(maker->room, size);
        return tmi_fail_memory(error, size, "an image");
    }
    *texels = (tmi_texels){.next = mipmap->texels, .size = size};
    mipmap->texels = texels;
    return TM_OK;
}

void tmi_texels_free(tmi_texels *texels, const tm_allocator *allocator, tmi_room *room)
{
    while (texels) {
        tmi_texels *next = texels->next;
        const size_t size = texels->size;
        tmi_free(allocator, texels, 1, size);
        tmi_room_give(room, size);
        texels = next;
    }
}

void tmi_mipmap_release(tmi_mipmap *mipmap, const tmi_maker *maker)
{
    tmi_texels_free(mipmap->texels, maker->allocator, maker->room);
    memset(mipmap, 0, sizeof(*mipmap));
}

/* ------------------------------------------------------------------------------------------------ halving */

/* Where a pixel of the halved side lies between two of the full one. An even side gives the plain average. */
typedef struct between {
    uint32_t a, b;
    float weight; /* of b */
} between;

static between between_of(uint32_t i, uint32_t from, uint32_t to)
{
    const double x = ((double)i + 0.5) * (double)from / (double)to - 0.5;
    const double low = floor(x);
    const uint32_t a = low < 0 ? 0 : (uint32_t)low;
    return (between){a, a + 1 < from ? a + 1 : from - 1, (float)(x - low)};
}

enum { STRIP = 256 };

/* Halves the columns [x, x + num) of a picture with an odd side. */
static void halve_strip(uint8_t *target, uint32_t tw, uint32_t th, const tm_pixels *picture, uint32_t x,
                        uint32_t num)
{
    const uint8_t *pixels = picture->rgba;
    between columns[STRIP];
    for (uint32_t i = 0; i < num; i++)
        columns[i] = between_of(x + i, picture->width, tw);
    for (uint32_t y = 0; y < th; y++) {
        const between v = between_of(y, picture->height, th);
        const size_t row = (size_t)picture->width * 4;
        const uint8_t *upper = pixels + v.a * row, *lower = pixels + v.b * row;
        for (uint32_t i = 0; i < num; i++) {
            const between *u = &columns[i];
            const size_t a = 4 * (size_t)u->a, b = 4 * (size_t)u->b;
            const tmi_rgba top = tmi_load(upper + a) * (1 - u->weight) + tmi_load(upper + b) * u->weight;
            const tmi_rgba bottom = tmi_load(lower + a) * (1 - u->weight) + tmi_load(lower + b) * u->weight;
            tmi_store(target + 4 * ((size_t)y * tw + x + i), top * (1 - v.weight) + bottom * v.weight);
        }
    }
}

typedef uint32_t four_texels __attribute__((vector_size(16)));
typedef uint16_t sums __attribute__((vector_size(16))); /* of two channels of four texels */

/* Of eight texels: each with its neighbour, and with what rounds the half up. */
TMI_INLINE sums with_neighbours(sums left, sums right)
{
    const four_texels a = (four_texels)left, b = (four_texels)right;
#ifdef TMI_SHUFFLE
    const four_texels first = __builtin_shufflevector(a, b, 0, 2, 4, 6),
                      second = __builtin_shufflevector(a, b, 1, 3, 5, 7);
#else
    const four_texels first = {a[0], a[2], b[0], b[2]}, second = {a[1], a[3], b[1], b[3]};
#endif
    return (sums)first + (sums)second + 2;
}

/* Four texels of the halved row, from eight in each of two. */
TMI_INLINE void halve_eight(uint8_t *target, const uint8_t *upper, const uint8_t *lower)
{
    sums a, b, c, d;
    memcpy(&a, upper, sizeof(a));
    memcpy(&b, upper + sizeof(a), sizeof(b));
    memcpy(&c, lower, sizeof(c));
    memcpy(&d, lower + sizeof(c), sizeof(d));
    const sums low = with_neighbours((a & 255) + (c & 255), (b & 255) + (d & 255));
    const sums high = with_neighbours((a >> 8) + (c >> 8), (b >> 8) + (d >> 8));
    const sums out = low >> 2 | (high << 6 & 0xFF00);
    memcpy(target, &out, sizeof(out));
}

/* The same where both sides are even, which most are. */
static void halve_even(uint8_t *target, uint32_t width, uint32_t height, const uint8_t *source)
{
    const size_t row = (size_t)width * 8;
    for (uint32_t y = 0; y < height; y++, source += row) {
        uint32_t left = width;
        for (; left >= 4; left -= 4, source += 32, target += 16)
            halve_eight(target, source, source + row);
        for (; left > 0; left--, source += 8, target += 4)
            for (size_t k = 0; k < 4; k++)
                target[k] =
                    (uint8_t)((source[k] + source[k + 4] + source[row + k] + source[row + k + 4] + 2) / 4);
    }
}

static void fill_levels(tmi_mipmap *mipmap, uint32_t slice)
{
    for (uint32_t level = 1; level < mipmap->num_levels; level++) {
        const uint32_t w = mipmap->widths[level], h = mipmap->heights[level];
        const uint32_t fw = mipmap->widths[level - 1], fh = mipmap->heights[level - 1];
        uint8_t *target = mipmap->slices[slice] + mipmap->offsets[level];
        const uint8_t *source = tmi_slice(mipmap, slice, level - 1);
        if (fw == 2 * w && fh == 2 * h)
            halve_even(target, w, h, source);
        else
            for (uint32_t x = 0; x < w; x += STRIP)
                halve_strip(target, w, h, &(tm_pixels){source, fw, fh}, x, w - x < STRIP ? w - x : STRIP);
    }
}

/* ----------------------------------------------------------------------------------------------- resizing */

/* The cubic through four values whose slopes are those of their neighbours (Catmull and Rom). */
static tmi_rgba cubic(const tmi_rgba p[4], float t)
{
    const tmi_rgba a = (p[1] - p[2]) * 1.5f + (p[3] - p[0]) * 0.5f;
    const tmi_rgba b = p[0] - p[1] * 2.5f + p[2] * 2.0f - p[3] * 0.5f;
    const tmi_rgba c = (p[2] - p[0]) * 0.5f;
    return ((a * t + b) * t + c) * t + p[1];
}

static size_t clamp_index(int64_t i, uint32_t num)
{
    return i < 0 ? 0 : i >= (int64_t)num ? num - 1 : (size_t)i;
}

static void sample_cubic(uint8_t *target, const uint8_t *rgba, uint32_t width, uint32_t height, double u,
                         double v)
{
    const double x = u * width - 0.5, y = v * height - 0.5;
    const int64_t xi = (int64_t)x, yi = (int64_t)y; /* towards zero, as the client does */
    const float fx = (float)(x - floor(x)), fy = (float)(y - floor(y));
    tmi_rgba rows[4];
    for (int j = 0; j < 4; j++) {
        tmi_rgba p[4];
        for (int i = 0; i < 4; i++)
            p[i] = tmi_load(rgba +
                            4 * (clamp_index(yi + j - 1, height) * width + clamp_index(xi + i - 1, width)));
        rows[j] = cubic(p, fx);
    }
    const tmi_rgba value = cubic(rows, fy);
    for (int k = 0; k < 4; k++)
        target[k] = value[k] <= 0 ? 0 : value[k] >= 255 ? 255 : (uint8_t)value[k];
}

static uint32_t tile_side(uint32_t side)
{
    uint32_t power = 16;
    while (power <= side / 2)
        power *= 2;
    return power;
}

/* ------------------------------------------------------------------------------------------------- chains */

tm_status tmi_mipmap_shape_whole(tmi_mipmap *out, const tm_pixels *sides, tm_client look, tm_error *error)
{
    const uint32_t max_levels =
        look == TM_CLIENT_DDNET && sides->width >= 1024 && sides->height >= 1024 ? 6 : TMI_MAX_LEVELS;
    return mipmap_init(out, 1, sides->width, sides->height, max_levels, error);
}

/* Multiplies colors by their alpha, rounding down, as Teeworlds 0.7 does when it loads an image. */
static void multiply_alpha(uint8_t *rgba, size_t num)
{
    const uint32_t mask = 0x00FF00FF, ones = 0x00010001;
    for (size_t i = 0; i < num; i++, rgba += 4) {
        const uint8_t alpha = rgba[3];
        if (alpha == 255)
            continue;
        /* Two channels at a time: x / 255 is (x + 1 + x / 256) / 256 for all products of two bytes. */
        uint32_t texel;
        memcpy(&texel, rgba, 4);
        uint32_t even = (texel & mask) * alpha, odd = (texel >> 8 & mask) * alpha;
        even = (even + ones + (even >> 8 & mask)) >> 8 & mask;
        odd = (odd + ones + (odd >> 8 & mask)) & ~mask;
        texel = even | odd;
        memcpy(rgba, &texel, 4);
        rgba[3] = alpha;
    }
}

tm_status tmi_mipmap_whole(tmi_mipmap *out, const tm_pixels *pixels, const tmi_maker *maker, tm_error *error)
{
    const size_t num = (size_t)pixels->width * pixels->height;
    TM_TRY(tmi_mipmap_shape_whole(out, pixels, maker->look, error));
    TM_TRY(take_texels(out, 1, maker, error));
    out->slices[0] = out->texels->bytes;
    memcpy(out->slices[0], pixels->rgba, num * 4);
    if (maker->look == TM_CLIENT_TEEWORLDS07)
        multiply_alpha(out->slices[0], num);
    fill_levels(out, 0);
    out->made[0] = true;
    return TM_OK;
}

static tmi_slice_kind kind_of(const uint8_t *texels, size_t num)
{
    tmi_bytes all, any = {0}; /* of four texels at a time */
    uint8_t least = 255, most = 0;
    memset(&all, 255, sizeof(all));
    for (; num >= 4; num -= 4, texels += 16) {
        tmi_bytes four;
        memcpy(&four, texels, sizeof(four));
        all &= four;
        any |= four;
    }
    for (size_t i = 0; i < num; i++) {
        least &= texels[4 * i + 3];
        most |= texels[4 * i + 3];
    }
    for (size_t i = 3; i < 16; i += 4) {
        least &= all[i];
        most |= any[i];
    }
    return least == 255 ? TMI_SLICE_OPAQUE : most == 0 ? TMI_SLICE_CLEAR : TMI_SLICE_MIXED;
}

static const uint8_t *slice_cell(const tmi_mipmap *mipmap, size_t slice, const uint8_t *sheet,
                                 size_t sheet_width)
{
    return sheet + (slice / 16 * mipmap->heights[0] * sheet_width + slice % 16 * mipmap->widths[0]) * 4;
}

/* Makes the used slices of a sheet. The others count as clear, and are never read. */
static tm_status make_slices(tmi_mipmap *mipmap, const uint8_t *sheet, size_t sheet_width, const bool *used,
                             const tmi_maker *maker, tm_error *error)
{
    const size_t w = mipmap->widths[0], h = mipmap->heights[0], row = sheet_width * 4;
    uint8_t kinds[256];
    size_t num = 0;
    for (uint32_t slice = 0; slice < 256; slice++) {
        const bool wanted = !mipmap->made[slice] && (!used || used[slice]);
        const uint8_t *cell = slice_cell(mipmap, slice, sheet, sheet_width);
        tmi_slice_kind kind = wanted ? kind_of(cell, w) : TMI_SLICE_CLEAR;
        for (size_t y = 1; wanted && kind != TMI_SLICE_MIXED && y < h; y++)
            if (kind_of(cell + y * row, w) != kind)
                kind = TMI_SLICE_MIXED;
        kinds[slice] = (uint8_t)kind;
        num += kind != TMI_SLICE_CLEAR;
    }
    if (num)
        TM_TRY(take_texels(mipmap, num, maker, error));
    uint8_t *target = num ? mipmap->texels->bytes : NULL;
    for (uint32_t slice = 0; slice < 256; slice++) {
        mipmap->made[slice] = mipmap->made[slice] || !used || used[slice];
        if (kinds[slice] == TMI_SLICE_CLEAR)
            continue;
        mipmap->kinds[slice] = kinds[slice];
        mipmap->slices[slice] = target;
        const uint8_t *cell = slice_cell(mipmap, slice, sheet, sheet_width);
        for (size_t y = 0; y < h; y++)
            memcpy(target + y * w * 4, cell + y * row, w * 4);
        if (maker->look == TM_CLIENT_TEEWORLDS07)
            multiply_alpha(target, w * h);
        fill_levels(mipmap, slice);
        target += mipmap->slice_bytes;
    }
    return TM_OK;
}

/* How a sheet is cut: its sides, after it was resized to them if need be. */
typedef struct cutting {
    bool resized;
    uint32_t width, height; /* of the sheet */
    uint32_t slice_width, slice_height;
} cutting;

static cutting cutting_of(uint32_t width, uint32_t height, tm_client look)
{
    const bool divides = look == TM_CLIENT_TEEWORLDS07 || (width % 16 == 0 && height % 16 == 0);
    const uint32_t w = divides ? width : tile_side(width), h = divides ? height : tile_side(height);
    return (cutting){!divides, w, h, w / 16, h / 16};
}

tm_status tmi_mipmap_shape_tiles(tmi_mipmap *out, const tm_pixels *sides, tm_client look, tm_error *error)
{
    const bool is_07 = look == TM_CLIENT_TEEWORLDS07;
    if (is_07 && (sides->width < 16 || sides->height < 16)) {
        memset(out, 0, sizeof(*out)); /* slices of nothing: as without an image */
        return TM_OK;
    }
    const cutting cut = cutting_of(sides->width, sides->height, look);
    TM_TRY(mipmap_init(out, 256, cut.slice_width, cut.slice_height, is_07 ? 1 : TMI_MAX_LEVELS, error));
    memset(out->kinds, TMI_SLICE_CLEAR, sizeof(out->kinds));
    return TM_OK;
}

tm_status tmi_mipmap_tiles(tmi_mipmap *out, const tm_pixels *pixels, const bool *used, const tmi_maker *maker,
                           tm_error *error)
{
    const cutting cut = cutting_of(pixels->width, pixels->height, maker->look);
    if (out->num_slices != 256 || out->widths[0] != cut.slice_width || out->heights[0] != cut.slice_height) {
        tmi_mipmap_release(out, maker);
        TM_TRY(tmi_mipmap_shape_tiles(out, pixels, maker->look, error));
    }
    if (!out->num_slices)
        return TM_OK;
    const size_t row = (size_t)cut.slice_width * 16; /* Teeworlds 0.7 forgets the rest */
    if (!cut.resized)
        return make_slices(out, pixels->rgba, row, used, maker, error);
    uint8_t *sheet = tmi_alloc(maker->allocator, (size_t)cut.width * cut.height, 4);
    if (!sheet)
        return tmi_fail_memory(error, (uint64_t)cut.width * cut.height * 4, "a tile sheet");
    for (uint32_t y = 0; y < cut.height; y++)
        for (uint32_t x = 0; x < cut.width; x++)
            sample_cubic(sheet + 4 * ((size_t)y * cut.width + x), pixels->rgba, pixels->width, pixels->height,
                         (double)x / (cut.width - 1), (double)y / (cut.height - 1));
    const tm_status status = make_slices(out, sheet, row, used, maker, error);
    tmi_free(maker->allocator, sheet, (size_t)cut.width * cut.height, 4);
    return status;
}

tmi_lod tmi_lod_of(const tmi_mipmap *mipmap, double rho)
{
    const uint32_t last = mipmap->num_levels - 1;
    if (!(rho > 1))
        return (tmi_lod){0, 0, 0};
    int exponent;
    const double mantissa = frexp(rho * rho, &exponent); /* 0.5..1 */
    /* A logarithm that runs straight from one power of two to the next, as drivers have it. */
    const double lambda = (exponent - 2 + 2 * mantissa) / 2 - 0.5;
    if (lambda <= 0)
        return (tmi_lod){0, 0, 0};
    if (lambda >= last)
        return (tmi_lod){last, last, 0};
    const uint32_t level = (uint32_t)lambda;
    return (tmi_lod){level, level + 1, (float)(lambda - level)};
}

tmi_lod tmi_lod_nearest(const tmi_mipmap *mipmap, double rho)
{
    const uint32_t last = mipmap->num_levels - 1;
    if (!(rho > 1))
        return (tmi_lod){0, 0, 0};
    const double lambda = floor(floor(log2(rho) * 1024 + 0.5) / 1024 + 0.5);
    const uint32_t level = lambda >= last ? last : (uint32_t)lambda;
    return (tmi_lod){level, level, 0};
}
