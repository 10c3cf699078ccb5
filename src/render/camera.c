/* SPDX-License-Identifier: Zlib */
/*
 * Camera (section 2): which rectangle of the world a group shows on the picture, with parallax and parallax
 * zoom, and where its clip lies.
 */
#include "render.h"

#include "../games/games.h"

#include <math.h>

/* ---------------------------------------------------------------------------------------- what is allowed */

/* A number as text to six decimals; printf's would follow the locale. */
static const char *spell_number(char *buffer, size_t size, double value)
{
    if (!(fabs(value) < 1e12 + 1))
        return isnan(value) ? "no number" : value < 0 ? "below -1e12" : "above 1e12";
    const unsigned long long millionths = (unsigned long long)(fabs(value) * 1e6 + 0.5);
    size_t length = tmi_format(buffer, size, "%s%llu.%06llu", value < 0 ? "-" : "", millionths / 1000000,
                               millionths % 1000000);
    while (buffer[length - 1] == '0')
        buffer[--length] = '\0';
    if (buffer[length - 1] == '.')
        buffer[length - 1] = '\0';
    return buffer;
}

/* Fails if a number is outside of a range; the comparison makes NaN fail, too. */
static tm_status check_number(const char *name, double value, double least, double most, tm_error *error)
{
    char is[32], from[32], to[32];
    if (value >= least && value <= most)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "camera: %s is %s, allowed are %s to %s", name,
                    spell_number(is, sizeof(is), value), spell_number(from, sizeof(from), least),
                    spell_number(to, sizeof(to), most));
}

static tm_status check_side(const char *name, uint32_t side, tm_error *error)
{
    if (side >= 1 && side <= TM_PICTURE_MAX_SIDE)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "camera: %s is %u, allowed are 1 to %u pixels", name,
                    (unsigned)side, (unsigned)TM_PICTURE_MAX_SIDE);
}

tm_status tmi_camera_take(tm_camera *out, const tm_camera *camera, tm_error *error)
{
    const double far_off = 1e12, least_factor = 1e-6, most_factor = 1e6;
    if (!camera)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "camera is NULL");
    TM_TRY(tmi_options_take(out, sizeof(*out), camera, "tm_camera", error));
    TM_TRY(check_number("kind", (double)out->kind, TM_CAMERA_VIEW, TM_CAMERA_ZOOMED, error));
    TM_TRY(check_number("x", out->x, -far_off, far_off, error));
    TM_TRY(check_number("y", out->y, -far_off, far_off, error));
    if (out->kind == TM_CAMERA_VIEW || out->kind == TM_CAMERA_ZOOMED)
        TM_TRY(check_number("zoom", out->zoom, least_factor, most_factor, error));
    if (out->kind != TM_CAMERA_VIEW)
        TM_TRY(check_number("scale", out->scale, least_factor, most_factor, error));
    TM_TRY(check_side("width", out->width, error));
    TM_TRY(check_side("height", out->height, error));
    return check_number("time", out->time, -far_off, far_off, error);
}

/* ------------------------------------------------------------------------------------- what a group shows */

void tm_camera_view_size(double *view_width, double *view_height, uint32_t width, uint32_t height)
{
    const double area = TMI_VIEW_AREA, max_width = TMI_VIEW_WIDTH, max_height = TMI_VIEW_HEIGHT;
    const double aspect = height ? (double)width / (double)height : 1;
    double h = sqrt(area) / sqrt(aspect), w = h * aspect;
    if (w > max_width) {
        w = max_width;
        h = w / aspect;
    }
    if (h > max_height) {
        h = max_height;
        w = h * aspect;
    }
    if (view_width)
        *view_width = w;
    if (view_height)
        *view_height = h;
}

/* The size of a view as Teeworlds 0.7 computes it. */
static void view_size_07(float aspect, float *width, float *height)
{
    const float max_width = TMI_VIEW_WIDTH, max_height = TMI_VIEW_HEIGHT;
    *height = sqrtf(TMI_VIEW_AREA) / sqrtf(aspect);
    *width = *height * aspect;
    if (*width > max_width) {
        *width = max_width;
        *height = *width / aspect;
    }
    if (*height > max_height) {
        *height = max_height;
        *width = *height * aspect;
    }
}

typedef struct parallax {
    double x, y, zoom; /* percent */
    double offset_x, offset_y;
} parallax;

/* The parallax of a group; `plain`: of the game layer's group, which clients draw without any. */
static parallax parallax_of(const tm_group *group, bool plain, tm_client look)
{
    static const tm_group in_place = {.parallax_x = 100, .parallax_y = 100};
    if (plain)
        group = &in_place;
    double zoom = group->parallax_x > group->parallax_y ? group->parallax_x : group->parallax_y;
    zoom = zoom < 0 ? 0 : zoom > 100 || look == TM_CLIENT_TEEWORLDS07 ? 100 : zoom;
    return (parallax){group->parallax_x, group->parallax_y, zoom, group->offset_x, group->offset_y};
}

static tmi_screen view_screen(const tm_camera *camera, const parallax *p)
{
    double w, h;
    tm_camera_view_size(&w, &h, camera->width, camera->height);
    const double z = camera->zoom, size = (p->zoom * (z - 1) + 100) / 100 / z;
    w = w * z * size;
    h = h * z * size;
    return (tmi_screen){.left = p->offset_x + camera->x * p->x / 100 - w / 2,
                        .top = p->offset_y + camera->y * p->y / 100 - h / 2,
                        .scale_x = (double)camera->width / w,
                        .scale_y = (double)camera->height / h,
                        .width = (double)camera->width,
                        .height = (double)camera->height};
}

/*
 * A rectangle of the world. With a zoom, it is cut out of the view of a player: the size of a group follows
 * from the zoom alone, so the size of the whole window need not be known.
 */
static tmi_screen region_screen(const tm_camera *camera, const parallax *p)
{
    const double w = (double)camera->width / camera->scale, h = (double)camera->height / camera->scale;
    const double x = camera->x + w / 2, y = camera->y + h / 2, z = camera->zoom;
    const bool is_zoomed = camera->kind == TM_CAMERA_ZOOMED && p->zoom < 100;
    const double size = is_zoomed ? (p->zoom * (z - 1) + 100) / 100 / z : 1;
    return (tmi_screen){.left = p->offset_x + x * p->x / 100 - w * size / 2,
                        .top = p->offset_y + y * p->y / 100 - h * size / 2,
                        .scale_x = camera->scale / size,
                        .scale_y = camera->scale / size};
}

/* The world's own pixel that a flat picture starts with, if it starts with a whole one. */
static bool whole_pixel(double coordinate, double scale, double *pixel)
{
    const double limit = 1e9;
    *pixel = floor(coordinate * scale + 0.5);
    return fabs(coordinate * scale - *pixel) < 1e-6 && fabs(*pixel) < limit;
}

/* Pictures that start with whole pixels of the same world are parts of one large picture, to the last bit. */
static tmi_screen flat_screen(const tm_camera *camera, const parallax *p)
{
    tmi_screen screen = {.left = p->offset_x + camera->x,
                         .top = p->offset_y + camera->y,
                         .scale_x = camera->scale,
                         .scale_y = camera->scale};
    double x, y;
    if (whole_pixel(camera->x, camera->scale, &x) && whole_pixel(camera->y, camera->scale, &y)) {
        screen.left = p->offset_x, screen.origin_x = x;
        screen.top = p->offset_y, screen.origin_y = y;
    }
    return screen;
}

tmi_screen tmi_group_screen(const tm_camera *camera, const tm_group *group, bool is_game_group,
                            tm_client look)
{
    /* Teeworlds 0.7 lets no player zoom out, so there is but one way. */
    const parallax p =
        parallax_of(group, is_game_group, camera->kind == TM_CAMERA_ZOOMED ? TM_CLIENT_DDNET : look);
    return camera->kind == TM_CAMERA_VIEW   ? view_screen(camera, &p)
           : camera->kind == TM_CAMERA_FLAT ? flat_screen(camera, &p)
                                            : region_screen(camera, &p);
}

static int64_t round_away(double value)
{
    const double limit = 4e9; /* beyond every picture */
    value = value < -limit ? -limit : value > limit ? limit : value;
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static void narrow(int64_t *low, int64_t *high, int64_t from, int64_t to)
{
    if (*low < from)
        *low = from;
    if (*high > to)
        *high = to;
}

/*
 * One way of Teeworlds 0.7's clip: where it starts and how long it is are cut down to whole pixels one by
 * one, and a start below 0 takes from the length. Computed as there, in floats, whose last bits decide.
 */
static void clip_07(int64_t *low, int64_t *high, float centre, float size, uint32_t pixels,
                    const int64_t clip[2])
{
    const float limit = 1e9f, first = centre - size / 2, seen = first + size - first;
    const float start = ((float)clip[0] - first) / seen, end = ((float)clip[1] - first) / seen;
    float at = start * (float)pixels, length = (end - start) * (float)pixels;
    at = at > -limit ? at < limit ? at : limit
                     : -limit; /* so far away all may be the same, and 0 / 0 no number */
    length = length > -limit ? length < limit ? length : limit : -limit;
    const int64_t left = (int64_t)at, num = (int64_t)length + (left < 0 ? left : 0);
    narrow(low, high, left < 0 ? 0 : left, (left < 0 ? 0 : left) + num);
}

static void clip_view_07(tmi_target *target, const tm_camera *camera, const tm_group *group)
{
    const float aspect = (float)camera->width / (float)camera->height, zoom = (float)camera->zoom;
    float w, h;
    view_size_07(aspect, &w, &h);
    const int64_t across[] = {group->clip_x, (int64_t)group->clip_x + group->clip_w};
    const int64_t down[] = {group->clip_y, (int64_t)group->clip_y + group->clip_h};
    clip_07(&target->clip_left, &target->clip_right, (float)camera->x, w * zoom, camera->width, across);
    clip_07(&target->clip_top, &target->clip_bottom, (float)camera->y, h * zoom, camera->height, down);
}

/* The clip is reported in the coordinates of the game layer, whatever the group's own parallax is. */
bool tmi_group_clip(tmi_target *target, const tm_camera *camera, const tm_group *group, bool is_game_group,
                    tm_client look)
{
    if (!group->use_clipping || is_game_group) {
        /* all of it */
    } else if (look == TM_CLIENT_TEEWORLDS07 && camera->kind == TM_CAMERA_VIEW) {
        clip_view_07(target, camera, group);
    } else {
        const tmi_screen game = tmi_group_screen(camera, group, true, TM_CLIENT_DDNET);
        const double left = ((double)group->clip_x - game.left) * game.scale_x;
        const double top = ((double)group->clip_y - game.top) * game.scale_y;
        const double right = ((double)group->clip_x + group->clip_w - game.left) * game.scale_x;
        const double bottom = ((double)group->clip_y + group->clip_h - game.top) * game.scale_y;
        const int64_t x = (int64_t)game.origin_x, y = (int64_t)game.origin_y;
        narrow(&target->clip_left, &target->clip_right, round_away(left) - x, round_away(right) - x);
        narrow(&target->clip_top, &target->clip_bottom, round_away(top) - y, round_away(bottom) - y);
    }
    return target->clip_left < target->clip_right && target->clip_top < target->clip_bottom;
}

/* --------------------------------------------------------------------------------------------- transforms */

static tm_status find_screen(tmi_screen *out, const tm_renderer *renderer, const tm_camera *camera,
                             uint32_t group, tm_error *error)
{
    tm_camera camera_copy;
    TM_TRY(tmi_camera_take(&camera_copy, camera, error));
    if (group >= renderer->map->num_groups)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "group %u does not exist, the map has %u", (unsigned)group,
                        (unsigned)renderer->map->num_groups);
    const tm_group *map_group = &renderer->map->groups[group];
    *out =
        tmi_group_screen(&camera_copy, map_group, map_group == renderer->game_group, renderer->options.look);
    return TM_OK;
}

tm_status tm_renderer_to_picture(tm_vector *picture, const tm_renderer *renderer, const tm_camera *camera,
                                 uint32_t group, tm_vector world, tm_error *error)
{
    TM_TRY(tmi_need(picture, "picture", error));
    tmi_screen screen;
    *picture = (tm_vector){0, 0};
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(find_screen(&screen, renderer, camera, group, error));
    picture->x = (world.x - screen.left) * screen.scale_x - screen.origin_x;
    picture->y = (world.y - screen.top) * screen.scale_y - screen.origin_y;
    return TM_OK;
}

tm_status tm_renderer_from_picture(tm_vector *world, const tm_renderer *renderer, const tm_camera *camera,
                                   uint32_t group, tm_vector picture, tm_error *error)
{
    TM_TRY(tmi_need(world, "world", error));
    *world = (tm_vector){0, 0};
    TM_TRY(tmi_need(renderer, "renderer", error));
    tmi_screen screen;
    TM_TRY(find_screen(&screen, renderer, camera, group, error));
    world->x = screen.left + (picture.x + screen.origin_x) / screen.scale_x;
    world->y = screen.top + (picture.y + screen.origin_y) / screen.scale_y;
    return TM_OK;
}
