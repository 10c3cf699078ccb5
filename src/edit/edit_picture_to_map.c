/* SPDX-License-Identifier: Zlib */
/*
 * Operations that draw pictures with quads, one for each rectangle of one color, or with tiles, one for each
 * pixel. Invisible pixels are left out.
 */
#include "edit_images.h"

enum { PIXEL_SIZE = 4, LAYER_COLORS = TMI_IMAGE_CELLS - 1, MAX_LAYERS = 64, MAX_SIDE = 4096 };

/* A picture that is being drawn in the map. */
typedef struct art {
    tmi_edit *edit;
    tmi_edit_picture picture;
    uint32_t group;
    char name[TM_NAME_SIZE]; /* of the group and its layers: the file's, as far as there is room */
} art;

/* The alpha is the lowest byte. */
static uint32_t color_at(const tmi_pixels *p, uint32_t x, uint32_t y)
{
    const uint8_t *pixel = p->rgba + ((size_t)y * p->width + x) * 4;
    return (uint32_t)pixel[0] << 24 | (uint32_t)pixel[1] << 16 | (uint32_t)pixel[2] << 8 | pixel[3];
}

/* Opens the picture and makes a group in front of all others. */
static tm_status begin_art(art *a, tmi_edit *edit, tm_error *error)
{
    memset(a, 0, sizeof(*a));
    a->edit = edit;
    TM_TRY(tmi_edit_open_picture(&a->picture, edit, edit->values[0].text, error));
    const tmi_pixels *p = &a->picture.pixels;
    if (p->width > MAX_SIDE || p->height > MAX_SIDE)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a picture of %ux%u pixels; the sides are at most %d",
                        (unsigned)p->width, (unsigned)p->height, MAX_SIDE);
    size_t length;
    const char *stem = tmi_edit_stem(&length, edit->values[0].text);
    char name[256];
    tmi_format(name, sizeof(name), "%.*s", (int)length, stem);
    tm_map_set_name(a->name, sizeof(a->name), name);
    a->group = edit->map->num_groups;
    TM_TRY(tm_map_insert(edit->map, TM_KIND_GROUP, a->group, error));
    tm_map_set_name(edit->map->groups[a->group].name, TM_NAME_SIZE, a->name);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- quads */

typedef struct quad_list {
    tm_quad *list;
    size_t num, capacity;
    int32_t x, y, side; /* px of the picture's corner, and of a pixel */
} quad_list;

/* The largest rectangle of one color that begins at a pixel. */
static void find_rectangle(uint32_t *width, uint32_t *height, const tmi_pixels *p, const bool *drawn,
                           uint32_t x, uint32_t y)
{
    const uint32_t color = color_at(p, x, y);
    uint32_t low = p->height - y;
    *width = *height = 0;
    for (uint32_t w = 1; x + w <= p->width && low; w++) {
        uint32_t same = 0; /* pixels of the next column */
        while (same < low && !drawn[(size_t)(y + same) * p->width + x + w - 1] &&
               color_at(p, x + w - 1, y + same) == color)
            same++;
        low = same;
        if ((uint64_t)w * low > (uint64_t)*width * *height) {
            *width = w;
            *height = low;
        }
    }
}

/* Draws each rectangle as a quad. Its pivot is the picture's middle, so that envelopes turn all as one. */
static tm_status draw_quads(quad_list *quads, const art *a, tm_error *error)
{
    const tmi_pixels *p = &a->picture.pixels;
    const int32_t fx = quads->side * TM_FX, left = quads->x * TM_FX, top = quads->y * TM_FX;
    const tm_point middle = {left + (int32_t)p->width * (fx / 2), top + (int32_t)p->height * (fx / 2)};
    uint32_t width, height;
    bool *drawn;
    TM_TRY(tmi_reserve_zeroed(&drawn, a->edit->scratch, p->width, p->height, "a picture", error));
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x += width) {
            width = 1;
            if (drawn[(size_t)y * p->width + x] || (uint8_t)color_at(p, x, y) == 0)
                continue;
            find_rectangle(&width, &height, p, drawn, x, y);
            for (uint32_t row = 0; row < height; row++)
                memset(drawn + (size_t)(y + row) * p->width + x, true, width);
            TM_TRY(tmi_grow(a->edit->scratch, &quads->list, &quads->capacity, quads->num + 1,
                            sizeof(*quads->list), error));
            tm_quad *quad = &quads->list[quads->num++];
            tm_quad_init(quad, left + (int32_t)x * fx, top + (int32_t)y * fx, width * (uint32_t)fx,
                         height * (uint32_t)fx);
            const uint8_t *pixel = p->rgba + ((size_t)y * p->width + x) * 4;
            for (int i = 0; i < 4; i++)
                quad->colors[i] = (tm_color){pixel[0], pixel[1], pixel[2], pixel[3]};
            quad->points[4] = middle;
        }
    return TM_OK;
}

tm_status tmi_quads_from(tmi_edit *edit, tm_error *error)
{
    const tmi_edit_value *place = &edit->values[1], *side = &edit->values[2];
    const int64_t most = INT32_MAX / TM_FX, pixel = side->text ? side->x : PIXEL_SIZE;
    const int64_t x = (int64_t)place->x * TM_TILE_PX, y = (int64_t)place->y * TM_TILE_PX;
    tm_map *map = edit->map;
    art a;
    TM_TRY(begin_art(&a, edit, error));
    const tmi_pixels *p = &a.picture.pixels;
    if (pixel < 1 || pixel > most)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a pixel is 1 to %d px large, not %d", (int)most,
                        (int)pixel);
    if (x < -most + 1 || y < -most + 1 || x + (p->width + 1) * pixel > most ||
        y + (p->height + 1) * pixel > most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the picture would not lie within %d px", (int)most);
    quad_list quads = {.x = (int32_t)x, .y = (int32_t)y, .side = (int32_t)pixel};
    TM_TRY(draw_quads(&quads, &a, error));
    TM_TRY(tm_map_insert_layer(map, a.group, 0, TM_LAYER_QUADS, 0, 0, error));
    TM_TRY(tm_map_set_quads(map, a.group, 0, quads.list, (uint32_t)quads.num, error));
    tm_group *group = &map->groups[a.group];
    tm_map_set_name(group->layers[0].name, TM_NAME_SIZE, a.name);
    group->layers[0].detail = true;
    group->use_clipping = true;
    group->clip_x = quads.x - 1;
    group->clip_y = quads.y - 1;
    group->clip_w = (int32_t)p->width * quads.side + 2;
    group->clip_h = (int32_t)p->height * quads.side + 2;
    tmi_edit_changed(edit, tmi_edit_address(TM_KIND_LAYER, a.group, 0), quads.num,
                     "%u quad%s for %ux%u pixels", (unsigned)quads.num, quads.num == 1 ? "" : "s",
                     (unsigned)p->width, (unsigned)p->height);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* The picture's visible colors, each once, ascending. */
typedef struct color_list {
    uint64_t *list;
    size_t num;
} color_list;

static int by_color(const void *a, const void *b)
{
    const uint64_t *first = a, *other = b;
    return (*first > *other) - (*first < *other);
}

/*
 * Adds a layer with the tiles of its colors, and its image of 16 x 16 pixels, each one a cell: the first is
 * empty, then follow these colors.
 */
static tm_status add_tile_layer(art *a, const color_list *colors, uint32_t layer, tm_error *error)
{
    const tmi_pixels *p = &a->picture.pixels;
    const uint32_t width = p->width < 2 ? 2 : p->width, height = p->height < 2 ? 2 : p->height;
    uint8_t rgba[TMI_IMAGE_CELLS * 4] = {0};
    char name[64];
    tm_edit_grid grid;
    tm_map *map = a->edit->map;
    const uint32_t image = map->num_images;
    const size_t first = (size_t)layer * LAYER_COLORS;
    TM_TRY(tm_map_insert_layer(map, a->group, layer, TM_LAYER_TILES, width, height, error));
    tm_map_set_name(map->groups[a->group].layers[layer].name, TM_NAME_SIZE, a->name);
    for (size_t i = 0; i < LAYER_COLORS && first + i < colors->num; i++)
        for (int c = 0; c < 4; c++)
            rgba[(i + 1) * 4 + (size_t)c] = (uint8_t)(colors->list[first + i] >> (24 - 8 * c));
    TM_TRY(tm_map_insert(map, TM_KIND_IMAGE, image, error));
    tmi_format(name, sizeof(name), "%s %u", a->name, (unsigned)layer + 1);
    TM_TRY(tm_map_set_text(map, &map->images[image].name, name, error));
    TM_TRY(tm_map_set_pixels(map, image, rgba, TMI_IMAGE_SIDE, TMI_IMAGE_SIDE, error));
    map->groups[a->group].layers[layer].as.tiles.image = (int32_t)image;
    TM_TRY(tm_map_edit_tiles(&grid, map, a->group, layer, error));
    for (uint32_t y = 0; y < p->height; y++) {
        tm_tile *row = (tm_tile *)(void *)((uint8_t *)grid.tiles + y * grid.row_stride);
        for (uint32_t x = 0; x < p->width; x++) {
            const uint64_t color = color_at(p, x, y), *found;
            if (!(uint8_t)color)
                continue;
            found = bsearch(&color, colors->list, colors->num, sizeof(color), by_color); /* it is there */
            const size_t n = (size_t)(found - colors->list);
            if (n / LAYER_COLORS == layer)
                row[x].index = (uint8_t)(n % LAYER_COLORS + 1);
        }
    }
    return TM_OK;
}

tm_status tmi_tiles_from(tmi_edit *edit, tm_error *error)
{
    const tmi_edit_value *place = &edit->values[1];
    art a;
    const int32_t most = INT32_MAX / TM_TILE_PX;
    TM_TRY(begin_art(&a, edit, error));
    if (place->x > most || place->y > most || place->x < -most || place->y < -most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the picture would not lie within %d tiles", (int)most);
    const tmi_pixels *p = &a.picture.pixels;
    color_list colors = {.num = 0};
    size_t visible = 0;
    TM_TRY(tmi_reserve(&colors.list, edit->scratch, (size_t)p->width * p->height, sizeof(*colors.list),
                       "colors", error));
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            if ((uint8_t)color_at(p, x, y))
                colors.list[visible++] = color_at(p, x, y);
    tmi_sort_u64(colors.list, visible);
    for (size_t i = 0; i < visible; i++)
        if (colors.num == 0 || colors.list[colors.num - 1] != colors.list[i])
            colors.list[colors.num++] = colors.list[i];
    const uint32_t num = (uint32_t)((colors.num + LAYER_COLORS - 1) / LAYER_COLORS);
    if (num > MAX_LAYERS)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the picture has %u colors; %d are the most",
                        (unsigned)colors.num, MAX_LAYERS * LAYER_COLORS);
    tm_group *group = &edit->map->groups[a.group];
    group->offset_x = -place->x * TM_TILE_PX;
    group->offset_y = -place->y * TM_TILE_PX;
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(add_tile_layer(&a, &colors, i, error));
    tmi_edit_changed(edit, tmi_edit_address(TM_KIND_GROUP, a.group, 0), num,
                     "%u layer%s of tiles for %u color%s", (unsigned)num, num == 1 ? "" : "s",
                     (unsigned)colors.num, colors.num == 1 ? "" : "s");
    return TM_OK;
}
