/* SPDX-License-Identifier: Zlib */
/*
 * marks.c - draws frames and tints on a picture, and finds the part of the map that shows them. It knows
 * where a group shows a place, but not what the marks mean.
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

/* What marks are drawn on. */
typedef struct marking {
    const tm_renderer *renderer;
    const tm_camera *camera;
    const tm_rows *rows;
    tm_rect band; /* the rows, as a part of the picture */
} marking;

/* Blends a color over a pixel, both with straight alpha. */
static void lay_over(uint8_t *target, const uint8_t rgb[3], uint32_t alpha)
{
    const uint32_t below = target[3] * (255 - alpha), sum = alpha * 255 + below; /* of 255 * 255 */
    for (int k = 0; sum && k < 3; k++)
        target[k] = (uint8_t)((rgb[k] * alpha * 255 + target[k] * below + sum / 2) / sum);
    target[3] = (uint8_t)((sum + 127) / 255);
}

static int64_t to_pixel(double at)
{
    const double most = 1e9;
    return (int64_t)(at > most ? most : at > -most ? at : -most); /* what is no number, too */
}

/* The pixels between two points; a range that is too short to be seen is widened. */
static void pixels_between(int32_t *position, uint32_t *length, double from, double to)
{
    const int64_t first = to_pixel(floor(from + 0.5)), size = to_pixel(floor(to + 0.5)) - first;
    *position = (int32_t)(size < MIN_SIDE ? first - (MIN_SIDE - size) / 2 : first);
    *length = (uint32_t)(size < MIN_SIDE ? MIN_SIDE : size);
}

static uint8_t *picture_row(const marking *picture, int64_t y)
{
    return (uint8_t *)picture->rows->rgba + (size_t)(y - picture->rows->first) * picture->rows->row_stride;
}

static void draw_tint(const marking *picture, const tm_rect *box, const mark_look *look)
{
    const tm_rect part = tmi_rect_common(box, &picture->band);
    for (int64_t y = part.y; y < tmi_bottom(&part); y++) {
        const uint8_t pattern = look->tint[y % TINT_PERIOD];
        for (int64_t x = part.x; x < tmi_right(&part); x++)
            if (pattern >> (x % TINT_PERIOD) & 1)
                lay_over(picture_row(picture, y) + x * 4, look->rgb, TINT_ALPHA);
    }
}

/* Draws a frame: a line with a dark rim on both sides, and in its gaps. */
static void draw_frame(const marking *picture, const tm_rect *box, const mark_look *look)
{
    static const uint8_t dark[3] = {16, 16, 16};
    const tm_rect outer = {box->x - LINE_WIDTH, box->y - LINE_WIDTH, box->width + 2 * LINE_WIDTH,
                           box->height + 2 * LINE_WIDTH};
    const tm_rect part = tmi_rect_common(&outer, &picture->band);
    for (int64_t y = part.y; y < tmi_bottom(&part); y++) {
        const int64_t top = y - outer.y, bottom = tmi_bottom(&outer) - 1 - y,
                      down = top < bottom ? top : bottom;
        uint8_t *row = picture_row(picture, y);
        for (int64_t x = part.x; x < tmi_right(&part); x++) {
            if (tmi_rect_has(box, x, y)) {
                x = tmi_right(box) - 1;
                continue;
            }
            const int64_t left = x - outer.x, right = tmi_right(&outer) - 1 - x,
                          across = left < right ? left : right;
            const int64_t ring = across < down ? across : down, along = down <= across ? left : top;
            const bool colored =
                ring > 0 && ring < LINE_WIDTH - 1 && (look->line >> (uint64_t)(along % LINE_PERIOD) & 1);
            lay_over(row + x * 4, colored ? look->rgb : dark, colored ? LINE_ALPHA : RIM_ALPHA);
        }
    }
}

static tm_status draw_each(const marking *picture, const tm_preview_mark *marks, size_t num, bool frames,
                           tm_error *error)
{
    for (size_t i = 0; i < num; i++) {
        const mark_look *look = look_of(marks[i].kind);
        const tm_preview_area *area = &marks[i].area;
        tm_vector start, end;
        tm_rect box; /* pixels of the whole picture */
        if (!look)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "mark %llu has the unknown kind %d",
                            (unsigned long long)i, (int)marks[i].kind);
        if (!(frames ? marks[i].frame : marks[i].tint))
            continue;
        if (isnan(area->x + area->width) || isnan(area->y + area->height))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "the area of mark %llu has sides that are not numbers",
                            (unsigned long long)i);
        const tm_vector first = {area->x * TM_TILE_PX, area->y * TM_TILE_PX},
                        last = {(area->x + area->width) * TM_TILE_PX, (area->y + area->height) * TM_TILE_PX};
        TM_TRY(
            tm_renderer_to_picture(&start, picture->renderer, picture->camera, marks[i].group, first, error));
        TM_TRY(tm_renderer_to_picture(&end, picture->renderer, picture->camera, marks[i].group, last, error));
        pixels_between(&box.x, &box.width, start.x, end.x);
        pixels_between(&box.y, &box.height, start.y, end.y);
        (frames ? draw_frame : draw_tint)(picture, &box, look);
    }
    return TM_OK;
}

tm_status tm_preview_draw_marks(const tm_renderer *renderer, const tm_camera *camera,
                                const tm_preview_mark *marks, size_t num, const tm_rows *rows,
                                tm_error *error)
{
    tm_camera camera_copy;
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(camera, "camera", error));
    if (num)
        TM_TRY(tmi_need(marks, "marks", error));
    TM_TRY(tmi_camera_take(&camera_copy, camera, error));
    TM_TRY(tmi_check_rows(rows, &camera_copy, error));
    const marking picture = {
        renderer, &camera_copy, rows, {0, (int32_t)rows->first, camera_copy.width, rows->num}};
    TM_TRY(draw_each(&picture, marks, num, false, error));
    return draw_each(&picture, marks, num, true, error);
}

/* -------------------------------------------------------------------------------------------------- areas */

/*
 * Along one axis: turns a span of a group into the span of the map that a view must show to contain it. A
 * view at c shows the group's x at c + x - c * parallax - offset; c stays on the map.
 */
static void view_of_span(double *position, double *length, double parallax, double offset, double size)
{
    const double first = *position, last = *position + *length, middle = (first + last) / 2 - offset;
    double centre = parallax == 0 ? size / 2 : middle / parallax;
    if (parallax != 1)
        centre = fmin(fmax(centre, 0), size);
    const double moved = -centre * parallax - offset;
    const double half = fmax(fabs(first + moved), fabs(last + moved));
    *position = centre - half;
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
    tm_map_area(&width, &height, map);
    *out = mark->area;
    view_of_span(&out->x, &out->width, flat ? 1 : group->parallax_x / 100.0,
                 (double)group->offset_x / TM_TILE_PX, width);
    view_of_span(&out->y, &out->height, flat ? 1 : group->parallax_y / 100.0,
                 (double)group->offset_y / TM_TILE_PX, height);
    return TM_OK;
}

static bool join_areas(tm_preview_area *target, const tm_preview_area *source, double width, double height)
{
    const double left = fmin(target->x, source->x), top = fmin(target->y, source->y),
                 right = fmax(target->x + target->width, source->x + source->width),
                 bottom = fmax(target->y + target->height, source->y + source->height);
    const bool inside = left == target->x && top == target->y && right == target->x + target->width &&
                        bottom == target->y + target->height;
    if (!inside && (right - left > width || bottom - top > height))
        return false;
    *target = (tm_preview_area){left, top, right - left, bottom - top};
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
