/* SPDX-License-Identifier: Zlib */
/*
 * size_chart.c - draws where the bytes of a file are: a box for each share, in the color of its kind
 * ("squarified treemap", Bruls, Huizing and van Wijk, 2000). Boxes are laid in rows along the shorter side of
 * the free area; a row takes boxes as long as this makes them more like squares. Kinds are laid first, then
 * the shares of each within it.
 */
#include "preview.h"

#include <inttypes.h>

/* A box of the size of a share, or of all shares of a kind. Boxes are sorted by size, large ones first. */
typedef struct chart_box {
    uint32_t index; /* of the share, or the kind */
    uint64_t size;
    tm_preview_area area; /* pixels */
} chart_box;

typedef struct chart {
    uint8_t *rgba;
    uint32_t width, height;
    const tm_map *map;
    const tm_bytes_share *shares;
    size_t num;
} chart;

enum { LABEL = 12, SMALL_LABEL = 10, LINE = 15, MARGIN = 4, MIN_LETTERS = 3 };
static const uint8_t ground[3] = {0x20, 0x24, 0x2c}, dark[3] = {0x10, 0x14, 0x18},
                     light[3] = {0xf0, 0xf2, 0xf5};

/* ------------------------------------------------------------------------------------------------- layout */

/* The ratio of the sides of the least square box in a row; 1: a square. */
static double worst_side(double largest, double smallest, double sum, double side)
{
    const double square = side * side, all = sum * sum;
    const double a = square * largest / all, b = all / (square * smallest);
    return a > b ? a : b;
}

/* Lays the first `num` boxes in a row along the shorter side of the free area `left`, which it reduces. */
static void lay_row(chart_box *boxes, size_t num, double sum, double scale, tm_preview_area *left)
{
    const bool upright = left->width >= left->height;
    const double side = upright ? left->height : left->width, depth = side > 0 ? sum * scale / side : 0;
    double at = 0;
    for (size_t i = 0; i < num; i++) {
        const double length = depth > 0 ? (double)boxes[i].size * scale / depth : 0;
        boxes[i].area = upright ? (tm_preview_area){left->x, left->y + at, depth, length}
                                : (tm_preview_area){left->x + at, left->y, length, depth};
        at += length;
    }
    if (upright) {
        left->x += depth;
        left->width -= depth;
    } else {
        left->y += depth;
        left->height -= depth;
    }
}

static void lay_out(chart_box *boxes, size_t num, tm_preview_area left)
{
    double total = 0;
    for (size_t i = 0; i < num; i++)
        total += (double)boxes[i].size;
    if (total <= 0 || left.width <= 0 || left.height <= 0)
        return;
    const double scale = left.width * left.height / total;
    for (size_t first = 0, end; first < num; first = end) {
        const double side = left.width < left.height ? left.width : left.height,
                     largest = (double)boxes[first].size * scale;
        double sum = largest, worst = side > 0 ? worst_side(largest, largest, sum, side) : 0;
        for (end = first + 1; end < num && side > 0; end++) {
            const double next = (double)boxes[end].size * scale,
                         with = worst_side(largest, next, sum + next, side);
            if (with > worst)
                break;
            worst = with;
            sum += next;
        }
        lay_row(boxes + first, end - first, sum / scale, scale, &left);
    }
}

/* ------------------------------------------------------------------------------------------------ drawing */

static uint32_t pixel_of(double at, uint32_t most)
{
    return at <= 0 ? 0 : at + 0.5 >= most ? most : (uint32_t)(at + 0.5);
}

/* Fills an area, except for `gap` pixels at the right and at the bottom. */
static void fill_area(const chart *drawing, const tm_preview_area *area, const uint8_t rgb[3], uint32_t gap)
{
    const uint32_t left = pixel_of(area->x, drawing->width), top = pixel_of(area->y, drawing->height);
    uint32_t right = pixel_of(area->x + area->width, drawing->width),
             bottom = pixel_of(area->y + area->height, drawing->height);
    right -= right > left + 2 * gap ? gap : 0;
    bottom -= bottom > top + 2 * gap ? gap : 0;
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++) {
            uint8_t *pixel = drawing->rgba + ((size_t)y * drawing->width + x) * 4;
            memcpy(pixel, rgb, 3);
            pixel[3] = 255;
        }
}

/* Draws one line of a label, cut at the width of the area; false: there is no room for any of it. */
static bool put_label_line(const chart *drawing, const char *line, size_t length, const tm_preview_area *area,
                           const uint8_t rgb[3])
{
    const float height = (float)area->height;
    const tmi_letter_target target = {
        drawing->rgba, drawing->width, drawing->height, {rgb[0], rgb[1], rgb[2]}};
    size_t fits = length;
    while (fits && (double)tmi_letters_width(fits, height) > area->width)
        fits--;
    if (fits < length && fits < MIN_LETTERS)
        return false;
    tmi_letters_draw(&target, line, fits, (float)area->x, (float)area->y, height);
    return true;
}

/* Takes a line of a text without its bytes that are not ASCII, so that each letter is one byte. */
static size_t take_label_line(char *out, size_t size, const char **text)
{
    size_t num = 0;
    for (; **text && **text != '\n'; ++*text)
        if (num < size && (unsigned char)**text < 0x80)
            out[num++] = **text;
    *text += **text == '\n';
    return num;
}

/* Draws the label of a kind above its boxes, if there is room; returns the area that is left. */
static tm_preview_area put_kind_label(const chart *drawing, tm_preview_area area, const char *text)
{
    enum { LONGEST = 128 };
    char line[LONGEST];
    tm_preview_area inner = {area.x + 1, area.y + 1, area.width - 2, area.height - 2};
    if (area.height < 3 * LINE || area.width < 4 * LINE)
        return inner;
    const size_t length = take_label_line(line, sizeof(line), &text);
    const tm_preview_area place = {area.x + MARGIN, area.y + MARGIN / 2.0, area.width - 2 * MARGIN, LABEL};
    if (put_label_line(drawing, line, length, &place, light)) {
        inner.y += LINE + 1;
        inner.height -= LINE + 1;
    }
    return inner;
}

/* ---------------------------------------------------------------------------------------------- all of it */

static const uint8_t colors[TM_BYTES_COUNT][3] = {
    [TM_BYTES_HEAD] = {0x8a, 0x91, 0x9c},     [TM_BYTES_ITEMS] = {0xa8, 0xae, 0xb8},
    [TM_BYTES_POINTS] = {0xc4, 0xb5, 0xe0},   [TM_BYTES_TEXTS] = {0xd8, 0xcf, 0xb4},
    [TM_BYTES_SETTINGS] = {0xe0, 0xc9, 0x8a}, [TM_BYTES_IMAGES] = {0x7c, 0xb8, 0xf0},
    [TM_BYTES_SOUNDS] = {0xf0, 0x9c, 0xc0},   [TM_BYTES_TILES] = {0x8f, 0xd1, 0x8a},
    [TM_BYTES_PHYSICS] = {0xf2, 0xae, 0x6c},  [TM_BYTES_COMPAT] = {0xd8, 0x94, 0x84},
    [TM_BYTES_QUADS] = {0x6f, 0xcf, 0xc8},    [TM_BYTES_SOURCES] = {0xe6, 0xb8, 0xd6},
    [TM_BYTES_OTHER] = {0xd6, 0xd9, 0xde},    [TM_BYTES_GAPS] = {0xee, 0xee, 0xee}};

/* Orders boxes: large ones first, equal ones by index. */
static int by_area(const void *a, const void *b)
{
    const chart_box *left = a, *right = b;
    return left->size != right->size ? (left->size < right->size ? 1 : -1)
                                     : (left->index > right->index) - (left->index < right->index);
}

/* Draws a share's box with "image 3 'x'" above its bytes; bytes of no object have the name of their kind. */
static void draw_share(const chart *drawing, const chart_box *box)
{
    enum { LONGEST = 128 };
    const tm_bytes_share *share = &drawing->shares[box->index];
    char line[LONGEST], place[TM_ERROR_PLACE_SIZE], label[TM_ERROR_PLACE_SIZE + 24];
    if (share->object.kind == TM_KIND_MAP)
        tmi_format(place, sizeof(place), "%s", tm_bytes_meaning(share->kind));
    else
        tm_address_describe(&share->object, drawing->map, place, sizeof(place));
    tmi_format(label, sizeof(label), "%s\n%" PRIu64, place, share->packed);
    fill_area(drawing, &box->area, colors[share->kind], 1);
    const char *text = label;
    double y = box->area.y + MARGIN;
    while (*text && y + SMALL_LABEL + MARGIN / 2.0 <= box->area.y + box->area.height) {
        const size_t length = take_label_line(line, sizeof(line), &text);
        const tm_preview_area area = {box->area.x + MARGIN, y, box->area.width - 2 * MARGIN, SMALL_LABEL};
        if (!put_label_line(drawing, line, length, &area, dark))
            return;
        y += LINE;
    }
}

/* Draws a kind's box, with "images 45000" above its shares. */
static void draw_kind(const chart *drawing, const chart_box *kind, chart_box *boxes)
{
    char label[48];
    size_t num = 0;
    for (size_t i = 0; i < drawing->num; i++)
        if (drawing->shares[i].kind == kind->index && drawing->shares[i].packed)
            boxes[num++] = (chart_box){.index = (uint32_t)i, .size = drawing->shares[i].packed};
    qsort(boxes, num, sizeof(*boxes), by_area);
    tmi_format(label, sizeof(label), "%s %" PRIu64, tm_bytes_name((tm_bytes_kind)kind->index), kind->size);
    lay_out(boxes, num, put_kind_label(drawing, kind->area, label));
    for (size_t i = 0; i < num; i++)
        draw_share(drawing, &boxes[i]);
}

/* `boxes`: room for as many as there are shares. */
static void draw_chart(const chart *drawing, chart_box *boxes)
{
    const tm_preview_area whole = {0, 0, drawing->width, drawing->height};
    chart_box kinds[TM_BYTES_COUNT];
    size_t num = 0;
    for (uint32_t kind = 0; kind < TM_BYTES_COUNT; kind++)
        kinds[kind] = (chart_box){.index = kind};
    for (size_t i = 0; i < drawing->num; i++)
        kinds[drawing->shares[i].kind].size += drawing->shares[i].packed;
    qsort(kinds, TM_BYTES_COUNT, sizeof(*kinds), by_area);
    while (num < TM_BYTES_COUNT && kinds[num].size)
        num++;
    fill_area(drawing, &whole, ground, 0);
    lay_out(kinds, num, whole);
    for (size_t k = 0; k < num; k++)
        draw_kind(drawing, &kinds[k], boxes);
}

tm_status tm_preview_draw_sizes(uint8_t *rgba, uint32_t width, uint32_t height, const tm_map *map,
                                const tm_bytes_share *shares, size_t num, tm_error *error)
{
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(map, "map", error));
    if (num)
        TM_TRY(tmi_need(shares, "shares", error));
    for (size_t i = 0; i < num; i++)
        if ((size_t)shares[i].kind >= TM_BYTES_COUNT)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "share %zu is of kind %u, and there are %d", i,
                            (unsigned)shares[i].kind, TM_BYTES_COUNT);
    if (width < TM_PREVIEW_SIZES_MIN || height < TM_PREVIEW_SIZES_MIN)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%u x %u pixels are too few: %d is the least of a side",
                        (unsigned)width, (unsigned)height, (int)TM_PREVIEW_SIZES_MIN);
    const tm_allocator *allocator = tmi_map_allocator(map);
    chart_box *boxes;
    TM_TRY(tmi_reserve(&boxes, allocator, num, sizeof(*boxes), "boxes", error));
    draw_chart(&(chart){rgba, width, height, map, shares, num}, boxes);
    tmi_free(allocator, boxes, num, sizeof(*boxes));
    return TM_OK;
}
