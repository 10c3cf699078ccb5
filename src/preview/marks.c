/* SPDX-License-Identifier: Zlib */
/*
 * marks.c - frames and tints over a picture, and which part of the map shows them. Knows where a group shows
 * a place, and nothing of what the marks mean.
 */
#include "preview.h"

#include <math.h>

/* -------------------------------------------------------------------------------------------------- kinds */

enum { LINE_WIDTH = 5, MIN_SIDE = 4, TINT_ALPHA = 80, LINE_ALPHA = 255, RIM_ALPHA = 190 };

/* What a kind looks like; patterns repeat after 12 and 8 pixels. */
typedef struct mark_look {
    const char *name;
    uint8_t rgb[3];
    uint16_t line;   /* bit i: pixel i of the line shows the color */
    uint8_t tint[8]; /* rows of the pattern */
} mark_look;

static const mark_look looks[] = {
    [TM_MARK_ADDED] = {"added", {0, 190, 110}, 0xfff, {255, 255, 255, 255, 255, 255, 255, 255}},
    [TM_MARK_REMOVED] = {"removed", {235, 50, 40}, 0x0ff, {0xc0, 0x60, 0x30, 0x18, 0x0c, 0x06, 0x03, 0x81}},
    [TM_MARK_CHANGED] = {"changed", {255, 190, 0}, 0x1c7, {0x66, 0x66, 0, 0, 0x66, 0x66, 0, 0}},
    [TM_MARK_CONFLICT] = {"conflict",
                          {200, 70, 230},
                          0x27f,
                          {0xc3, 0x66, 0x3c, 0x18, 0x18, 0x3c, 0x66, 0xc3}},
};
enum { LINE_PERIOD = 12, TINT_PERIOD = 8 };

static const mark_look *look_of(tm_mark_kind kind)
{
    return (size_t)kind < TMI_COUNT_OF(looks) ? &looks[kind] : NULL;
}

const char *tm_mark_kind_name(tm_mark_kind kind)
{
    return look_of(kind) ? look_of(kind)->name : NULL;
}

void tm_mark_kind_color(uint8_t rgb[3], tm_mark_kind kind)
{
    static const uint8_t none[3] = {0, 0, 0};
    if (rgb)
        memcpy(rgb, look_of(kind) ? look_of(kind)->rgb : none, 3);
}

/* ------------------------------------------------------------------------------------------------- pixels */

/* Rows of a picture that is drawn. */
typedef struct row_band {
    uint8_t *rgba;
    size_t stride;
    int64_t width, first, end; /* rows [first, end) */
} row_band;

/* Of the whole picture, [left, right) and [top, bottom). */
typedef struct pixel_box {
    int64_t left, top, right, bottom;
} pixel_box;

/* A color over what is there, straight alpha in and out. */
static void lay_over(uint8_t *to, const uint8_t rgb[3], uint32_t alpha)
{
    const uint32_t below = to[3] * (255 - alpha), sum = alpha * 255 + below; /* of 255 * 255 */
    for (int k = 0; sum && k < 3; k++)
        to[k] = (uint8_t)((rgb[k] * alpha * 255 + to[k] * below + sum / 2) / sum);
    to[3] = (uint8_t)((sum + 127) / 255);
}

static int64_t to_pixel(double at)
{
    const double most = 1e9;
    return (int64_t)(at > most ? most : at > -most ? at : -most); /* what is no number, too */
}

/* Widens what is too small to be seen. */
static void widen_pixels(int64_t *first, int64_t *end)
{
    if (*end - *first < MIN_SIDE) {
        *first -= (MIN_SIDE - (*end - *first)) / 2;
        *end = *first + MIN_SIDE;
    }
}

static tm_status mark_pixels(pixel_box *out, const tm_renderer *renderer, const tm_camera *camera,
                             const tm_preview_mark *mark, tm_error *error)
{
    const tm_preview_area *area = &mark->area;
    const tm_vector first = {area->x * TM_TILE_PX, area->y * TM_TILE_PX},
                    last = {(area->x + area->width) * TM_TILE_PX, (area->y + area->height) * TM_TILE_PX};
    tm_vector from, to;
    TM_TRY(tm_renderer_to_picture(renderer, camera, mark->group, first, &from, error));
    TM_TRY(tm_renderer_to_picture(renderer, camera, mark->group, last, &to, error));
    *out = (pixel_box){to_pixel(floor(from.x + 0.5)), to_pixel(floor(from.y + 0.5)),
                       to_pixel(floor(to.x + 0.5)), to_pixel(floor(to.y + 0.5))};
    widen_pixels(&out->left, &out->right);
    widen_pixels(&out->top, &out->bottom);
    return TM_OK;
}

static int64_t lower_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t higher_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static uint8_t *band_row(const row_band *band, int64_t y)
{
    return band->rgba + (size_t)(y - band->first) * band->stride;
}

static void draw_tint(const row_band *band, const pixel_box *box, const mark_look *look)
{
    const int64_t left = higher_of(box->left, 0), right = lower_of(box->right, band->width);
    for (int64_t y = higher_of(box->top, band->first); y < lower_of(box->bottom, band->end); y++) {
        const uint8_t pattern = look->tint[y % TINT_PERIOD];
        uint8_t *row = band_row(band, y);
        for (int64_t x = left; x < right; x++)
            if (pattern >> (x % TINT_PERIOD) & 1)
                lay_over(row + x * 4, look->rgb, TINT_ALPHA);
    }
}

/* One pixel of a frame: a dark rim on both sides of the line, and in its gaps. */
static void draw_line_pixel(uint8_t *to, const pixel_box *outer, const mark_look *look, int64_t x, int64_t y)
{
    static const uint8_t dark[3] = {16, 16, 16};
    const int64_t across = lower_of(x - outer->left, outer->right - 1 - x),
                  down = lower_of(y - outer->top, outer->bottom - 1 - y);
    const int64_t ring = lower_of(across, down), along = down <= across ? x - outer->left : y - outer->top;
    const bool colored =
        ring > 0 && ring < LINE_WIDTH - 1 && (look->line >> (uint64_t)(along % LINE_PERIOD) & 1);
    lay_over(to, colored ? look->rgb : dark, colored ? LINE_ALPHA : RIM_ALPHA);
}

static void draw_frame(const row_band *band, const pixel_box *box, const mark_look *look)
{
    const pixel_box outer = {box->left - LINE_WIDTH, box->top - LINE_WIDTH, box->right + LINE_WIDTH,
                             box->bottom + LINE_WIDTH};
    const int64_t left = higher_of(outer.left, 0), right = lower_of(outer.right, band->width);
    for (int64_t y = higher_of(outer.top, band->first); y < lower_of(outer.bottom, band->end); y++) {
        const bool whole = y < box->top || y >= box->bottom;
        uint8_t *row = band_row(band, y);
        for (int64_t x = left; x < right; x++) {
            if (!whole && x >= box->left && x < box->right) {
                x = box->right - 1;
                continue;
            }
            draw_line_pixel(row + x * 4, &outer, look, x, y);
        }
    }
}

typedef void draw_mark(const row_band *band, const pixel_box *box, const mark_look *look);

static tm_status draw_each(const row_band *band, const tm_renderer *renderer, const tm_camera *camera,
                           const tm_preview_mark *marks, size_t num, bool frames, tm_error *error)
{
    draw_mark *const draw = frames ? draw_frame : draw_tint;
    for (size_t i = 0; i < num; i++) {
        const mark_look *look = look_of(marks[i].kind);
        const tm_preview_area *area = &marks[i].area;
        pixel_box box;
        if (!look)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "mark %llu has the unknown kind %d",
                            (unsigned long long)i, (int)marks[i].kind);
        if (!(frames ? marks[i].frame : marks[i].tint))
            continue;
        if (isnan(area->x + area->width) || isnan(area->y + area->height))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "the area of mark %llu has sides that are no numbers",
                            (unsigned long long)i);
        TM_TRY(mark_pixels(&box, renderer, camera, &marks[i], error));
        draw(band, &box, look);
    }
    return TM_OK;
}

tm_status tm_preview_draw_marks(const tm_renderer *renderer, const tm_camera *camera,
                                const tm_preview_mark *marks, size_t num, uint32_t first_row,
                                uint32_t num_rows, void *rgba, size_t row_stride, tm_error *error)
{
    tm_camera own;
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(camera, "camera", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    if (num)
        TM_TRY(tmi_need(marks, "marks", error));
    TM_TRY(tmi_camera_take(&own, camera, error));
    if (first_row > own.height || num_rows > own.height - first_row)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "rows %u to %u of a picture of %u", (unsigned)first_row,
                        (unsigned)(first_row + num_rows), (unsigned)own.height);
    if (row_stride / 4 < own.width)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "a row of %u pixels does not fit row_stride, which is %llu", (unsigned)own.width,
                        (unsigned long long)row_stride);
    const row_band band = {rgba, row_stride, own.width, first_row, (int64_t)first_row + num_rows};
    TM_TRY(draw_each(&band, renderer, &own, marks, num, false, error));
    return draw_each(&band, renderer, &own, marks, num, true, error);
}

/* -------------------------------------------------------------------------------------------------- areas */

/*
 * One way: where one must look, and how far to both sides, to see [first, last] of a group. A view at c shows
 * the group's x at c + x - c * parallax - offset; c stays on the map.
 */
static void area_of_span(double *at, double *length, double first, double last, double parallax,
                         double offset, double size)
{
    const double middle = (first + last) / 2 - offset;
    double centre = parallax == 0 ? size / 2 : middle / parallax;
    if (parallax != 1)
        centre = fmin(fmax(centre, 0), size);
    const double moved = -centre * parallax - offset;
    const double half = fmax(fabs(first + moved), fabs(last + moved));
    *at = centre - half;
    *length = 2 * half;
}

tm_status tm_preview_mark_area(tm_preview_area *out, const tm_map *map, const tm_preview_mark *mark,
                               bool flat, tm_error *error)
{
    static const tm_group in_place = {.parallax_x = 100, .parallax_y = 100};
    uint32_t width, height;
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_area){0, 0, 0, 0};
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(mark, "mark", error));
    if (mark->group >= map->num_groups)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the mark's group is %u, the map has %u",
                        (unsigned)mark->group, (unsigned)map->num_groups);
    const tm_group *group = tm_map_is_game_group(map, mark->group) ? &in_place : &map->groups[mark->group];
    const tm_preview_area *area = &mark->area;
    const double x = (double)group->offset_x / TM_TILE_PX, y = (double)group->offset_y / TM_TILE_PX;
    tm_map_area(map, &width, &height);
    area_of_span(&out->x, &out->width, area->x, area->x + area->width, flat ? 1 : group->parallax_x / 100.0,
                 x, width);
    area_of_span(&out->y, &out->height, area->y, area->y + area->height, flat ? 1 : group->parallax_y / 100.0,
                 y, height);
    return TM_OK;
}

static bool join_areas(tm_preview_area *to, const tm_preview_area *with, double width, double height)
{
    const double left = fmin(to->x, with->x), top = fmin(to->y, with->y),
                 right = fmax(to->x + to->width, with->x + with->width),
                 bottom = fmax(to->y + to->height, with->y + with->height);
    const bool inside =
        left == to->x && top == to->y && right == to->x + to->width && bottom == to->y + to->height;
    if (!inside && (right - left > width || bottom - top > height))
        return false;
    *to = (tm_preview_area){left, top, right - left, bottom - top};
    return true;
}

tm_status tm_preview_join_areas(tm_preview_area *areas, size_t *num, double width, double height,
                                tm_error *error)
{
    size_t kept = 0;
    TM_TRY(tmi_need(num, "num", error));
    if (*num)
        TM_TRY(tmi_need(areas, "areas", error));
    for (size_t i = 0; i < *num; i++) {
        size_t with = 0;
        while (with < kept && !join_areas(&areas[with], &areas[i], width, height))
            with++;
        if (with == kept)
            areas[kept++] = areas[i];
    }
    *num = kept;
    return TM_OK;
}
