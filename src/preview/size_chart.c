/* SPDX-License-Identifier: Zlib */
/*
 * size_chart.c - draws where the bytes of a file are: a box for each share, in the color of its kind
 * ("squarified treemap", Bruls, Huizing and van Wijk, 2000). Boxes are laid in rows along the shorter side of
 * the free area; a row takes boxes as long as this makes them more like squares. Families are laid first,
 * then the boxes of each within it.
 */
#include "preview.h"

#include <inttypes.h>

/* A size, the index of the box that has it, and the box's area. Rows are sorted by size, large ones first. */
typedef struct chart_row {
    uint32_t index;
    uint64_t size;
    tm_preview_area area; /* pixels */
} chart_row;

typedef struct chart {
    uint8_t *rgba;
    uint32_t width, height;
    const tmi_chart *of;
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
static void lay_row(chart_row *rows, size_t num, double sum, double scale, tm_preview_area *left)
{
    const bool upright = left->width >= left->height;
    const double side = upright ? left->height : left->width, depth = side > 0 ? sum * scale / side : 0;
    double at = 0;
    for (size_t i = 0; i < num; i++) {
        const double length = depth > 0 ? (double)rows[i].size * scale / depth : 0;
        rows[i].area = upright ? (tm_preview_area){left->x, left->y + at, depth, length}
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

static void lay_out(chart_row *rows, size_t num, tm_preview_area left)
{
    double total = 0;
    for (size_t i = 0; i < num; i++)
        total += (double)rows[i].size;
    if (total <= 0 || left.width <= 0 || left.height <= 0)
        return;
    const double scale = left.width * left.height / total;
    for (size_t first = 0, end; first < num; first = end) {
        const double side = left.width < left.height ? left.width : left.height,
                     largest = (double)rows[first].size * scale;
        double sum = largest, worst = side > 0 ? worst_side(largest, largest, sum, side) : 0;
        for (end = first + 1; end < num && side > 0; end++) {
            const double next = (double)rows[end].size * scale,
                         with = worst_side(largest, next, sum + next, side);
            if (with > worst)
                break;
            worst = with;
            sum += next;
        }
        lay_row(rows + first, end - first, sum / scale, scale, &left);
    }
}

/* ------------------------------------------------------------------------------------------------ drawing */

static uint32_t pixel_of(double at, uint32_t most)
{
    return at <= 0 ? 0 : at + 0.5 >= most ? most : (uint32_t)(at + 0.5);
}

/* Fills an area, except for `gap` pixels at the right and at the bottom. */
static void fill_area(const chart *to, const tm_preview_area *area, const uint8_t rgb[3], uint32_t gap)
{
    const uint32_t left = pixel_of(area->x, to->width), top = pixel_of(area->y, to->height);
    uint32_t right = pixel_of(area->x + area->width, to->width),
             bottom = pixel_of(area->y + area->height, to->height);
    right -= right > left + 2 * gap ? gap : 0;
    bottom -= bottom > top + 2 * gap ? gap : 0;
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++) {
            uint8_t *pixel = to->rgba + ((size_t)y * to->width + x) * 4;
            memcpy(pixel, rgb, 3);
            pixel[3] = 255;
        }
}

/* Draws one line of a label, cut at the width of the area; false: there is no room for any of it. */
static bool put_label_line(const chart *to, const char *line, size_t length, const tm_preview_area *at,
                           const uint8_t rgb[3])
{
    const float height = (float)at->height;
    const tmi_letter_target target = {to->rgba, to->width, to->height, {rgb[0], rgb[1], rgb[2]}};
    size_t fits = length;
    while (fits && (double)tmi_letters_width(fits, height) > at->width)
        fits--;
    if (fits < length && fits < MIN_LETTERS)
        return false;
    tmi_letters_draw(&target, line, fits, (float)at->x, (float)at->y, height);
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

static void put_box_label(const chart *to, const tm_preview_area *area, const char *text)
{
    enum { LONGEST = 128 };
    char line[LONGEST];
    double y = area->y + MARGIN;
    while (text && *text && y + SMALL_LABEL + MARGIN / 2.0 <= area->y + area->height) {
        const size_t length = take_label_line(line, sizeof(line), &text);
        const tm_preview_area at = {area->x + MARGIN, y, area->width - 2 * MARGIN, SMALL_LABEL};
        if (!put_label_line(to, line, length, &at, dark))
            return;
        y += LINE;
    }
}

/* Draws the label of a family above its boxes, if there is room; returns the area that is left. */
static tm_preview_area put_family_label(const chart *to, tm_preview_area area, const char *text)
{
    enum { LONGEST = 128 };
    char line[LONGEST];
    tm_preview_area inner = {area.x + 1, area.y + 1, area.width - 2, area.height - 2};
    if (!text || area.height < 3 * LINE || area.width < 4 * LINE)
        return inner;
    const size_t length = take_label_line(line, sizeof(line), &text);
    const tm_preview_area at = {area.x + MARGIN, area.y + MARGIN / 2.0, area.width - 2 * MARGIN, LABEL};
    if (put_label_line(to, line, length, &at, light)) {
        inner.y += LINE + 1;
        inner.height -= LINE + 1;
    }
    return inner;
}

/* ---------------------------------------------------------------------------------------------- all of it */

/* Orders sizes: large ones first, equal ones by index. */
static int by_area(const void *a, const void *b)
{
    const chart_row *left = a, *right = b;
    return left->size != right->size ? (left->size < right->size ? 1 : -1)
                                     : (left->index > right->index) - (left->index < right->index);
}

static void draw_family(const chart *to, const chart_row *family, chart_row *rows, size_t num)
{
    const tmi_chart_family *own = &to->of->families[family->index];
    fill_area(to, &family->area, ground, 0);
    const tm_preview_area inner = put_family_label(to, family->area, own->label);
    for (size_t i = 0; i < num; i++)
        rows[i].area = (tm_preview_area){0, 0, 0, 0};
    lay_out(rows, num, inner);
    for (size_t i = 0; i < num; i++) {
        fill_area(to, &rows[i].area, own->rgb, 1);
        put_box_label(to, &rows[i].area, to->of->boxes[rows[i].index].label);
    }
}

/* Lists the boxes of a family that have an area; returns their number. */
static size_t take_family(chart_row *rows, const tmi_chart *of, uint32_t family)
{
    size_t num = 0;
    for (size_t i = 0; i < of->num_boxes; i++)
        if (of->boxes[i].family == family && of->boxes[i].size)
            rows[num++] = (chart_row){.index = (uint32_t)i, .size = of->boxes[i].size};
    qsort(rows, num, sizeof(*rows), by_area);
    return num;
}

static void draw_chart(const chart *to, chart_row *rows)
{
    const size_t num_boxes = to->of->num_boxes;
    const uint32_t num_families = to->of->num_families;
    chart_row *families = rows + num_boxes;
    for (uint32_t f = 0; f < num_families; f++)
        families[f] = (chart_row){.index = f};
    for (size_t i = 0; i < num_boxes; i++)
        families[to->of->boxes[i].family].size += to->of->boxes[i].size;
    qsort(families, num_families, sizeof(*families), by_area);
    uint32_t seen = 0;
    while (seen < num_families && families[seen].size)
        seen++;
    lay_out(families, seen, (tm_preview_area){0, 0, to->width, to->height});
    for (uint32_t f = 0; f < seen; f++)
        draw_family(to, &families[f], rows, take_family(rows, to->of, families[f].index));
}

tm_status tmi_preview_draw_boxes(uint8_t *rgba, uint32_t width, uint32_t height, const tmi_chart *of,
                                 const tm_allocator *allocator, tm_error *error)
{
    if (width < TM_PREVIEW_SIZES_MIN || height < TM_PREVIEW_SIZES_MIN)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%u x %u pixels are too few: %d is the least of a side",
                        (unsigned)width, (unsigned)height, (int)TM_PREVIEW_SIZES_MIN);
    /* the boxes of one family, and the families */
    const size_t num = of->num_boxes + of->num_families;
    chart_row *rows;
    TM_TRY(tmi_reserve(&rows, allocator, num + 1, sizeof(*rows), "boxes", error));
    const chart to = {rgba, width, height, of};
    fill_area(&to, &(tm_preview_area){0, 0, width, height}, ground, 0);
    draw_chart(&to, rows);
    tmi_free(allocator, rows, num + 1, sizeof(*rows));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------- shares of a file */

static const uint8_t colors[TM_BYTES_COUNT][3] = {
    [TM_BYTES_HEAD] = {0x8a, 0x91, 0x9c},     [TM_BYTES_ITEMS] = {0xa8, 0xae, 0xb8},
    [TM_BYTES_POINTS] = {0xc4, 0xb5, 0xe0},   [TM_BYTES_TEXTS] = {0xd8, 0xcf, 0xb4},
    [TM_BYTES_SETTINGS] = {0xe0, 0xc9, 0x8a}, [TM_BYTES_IMAGES] = {0x7c, 0xb8, 0xf0},
    [TM_BYTES_SOUNDS] = {0xf0, 0x9c, 0xc0},   [TM_BYTES_TILES] = {0x8f, 0xd1, 0x8a},
    [TM_BYTES_PHYSICS] = {0xf2, 0xae, 0x6c},  [TM_BYTES_COMPAT] = {0xd8, 0x94, 0x84},
    [TM_BYTES_QUADS] = {0x6f, 0xcf, 0xc8},    [TM_BYTES_SOURCES] = {0xe6, 0xb8, 0xd6},
    [TM_BYTES_OTHER] = {0xd6, 0xd9, 0xde},    [TM_BYTES_GAPS] = {0xee, 0xee, 0xee}};

/* Labels a box: "image 3 'x'" above its bytes; bytes of no object with their kind. */
static tm_status label_share(tmi_chart_box *out, tmi_arena *arena, const tm_map *map,
                             const tm_bytes_share *share, tm_error *error)
{
    char place[TM_ERROR_PLACE_SIZE], label[TM_ERROR_PLACE_SIZE + 24];
    if (share->object.kind == TM_ADDRESS_MAP)
        tmi_format(place, sizeof(place), "%s", tm_bytes_meaning(share->kind));
    else
        tm_address_describe(&share->object, map, place, sizeof(place));
    const size_t length = tmi_format(label, sizeof(label), "%s\n%" PRIu64, place, share->packed);
    *out = (tmi_chart_box){.size = share->packed, .family = share->kind};
    return tmi_arena_text(&out->label, arena, label, length, "labels", error);
}

/* Labels a family: "images 45000". */
static tm_status label_kind(tmi_chart_family *out, tmi_arena *arena, tm_bytes_kind kind, uint64_t sum,
                            tm_error *error)
{
    char label[48];
    const size_t length = tmi_format(label, sizeof(label), "%s %" PRIu64, tm_bytes_name(kind), sum);
    memcpy(out->rgb, colors[kind], sizeof(out->rgb));
    return tmi_arena_text(&out->label, arena, label, length, "labels", error);
}

/* Makes the chart of a map's shares. Its labels and boxes lie in the arena. */
static tm_status chart_of_shares(tmi_chart *out, tmi_arena *arena, const tm_map *map,
                                 const tm_bytes_share *shares, size_t num, tm_error *error)
{
    uint64_t sums[TM_BYTES_COUNT] = {0};
    tmi_chart_family *families;
    tmi_chart_box *boxes;
    TM_TRY(tmi_arena_reserve(&families, arena, TM_BYTES_COUNT, sizeof(*families), "kinds", error));
    TM_TRY(tmi_arena_reserve(&boxes, arena, num, sizeof(*boxes), "shares", error));
    for (size_t i = 0; i < num; i++) {
        if ((size_t)shares[i].kind >= TM_BYTES_COUNT)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "share %zu is of kind %u, and there are %d", i,
                            (unsigned)shares[i].kind, TM_BYTES_COUNT);
        sums[shares[i].kind] += shares[i].packed;
        TM_TRY(label_share(&boxes[i], arena, map, &shares[i], error));
    }
    for (int kind = 0; kind < TM_BYTES_COUNT; kind++)
        TM_TRY(label_kind(&families[kind], arena, (tm_bytes_kind)kind, sums[kind], error));
    *out = (tmi_chart){boxes, num, families, TM_BYTES_COUNT};
    return TM_OK;
}

tm_status tm_preview_draw_sizes(uint8_t *rgba, uint32_t width, uint32_t height, const tm_map *map,
                                const tm_bytes_share *shares, size_t num, tm_error *error)
{
    tmi_arena arena;
    tmi_chart of;
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(map, "map", error));
    if (num)
        TM_TRY(tmi_need(shares, "shares", error));
    tmi_arena_init(&arena, tmi_map_allocator(map));
    tm_status status = chart_of_shares(&of, &arena, map, shares, num, error);
    if (status == TM_OK)
        status = tmi_preview_draw_boxes(rgba, width, height, &of, arena.allocator, error);
    tmi_arena_release(&arena);
    return status;
}
