/* SPDX-License-Identifier: Zlib */
/*
 * Makes the images of scaled design tiles: cuts the cells of an image into parts, and puts these into the
 * cells of new images. The games draw each part as a cell, so neighbours do not bleed in.
 */
#include "edit_scale.h"

#define CELLS     16u  /* of a sheet, along a side */
#define MAX_PARTS 255u /* in one sheet: its cell 0 is never drawn */

enum { MAX_IMAGES = 64, MAX_SIDE = 8192, PIXEL = 4 };

/* ------------------------------------------------------------------------------------------------- pixels */

static tm_status note_used(tmi_sheets *sheets, const tm_map *map, tm_error *error)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at)) {
        tm_grid grid;
        const int32_t image = at.layer->as.tiles.image;
        if (at.layer->kind != TM_LAYER_TILES || image == TM_NONE)
            continue;
        TM_TRY(tmi_fail_at_address(error, tm_map_tiles(&grid, map, at.layer, error), map,
                                   tmi_edit_address(TM_ADDRESS_LAYER, at.group, at.index)));
        const tm_tile *tiles = grid.tiles;
        for (size_t i = 0; tiles && i < (size_t)grid.width * grid.height; i++)
            sheets[image].used[tiles[i].index] = true;
        sheets[image].used[0] = false;
    }
    return TM_OK;
}

/* The pixels of an image: embedded in the map, or those that the game ships. */
static tm_status get_picture(tmi_pixels *out, tmi_edit *edit, uint32_t image, tm_error *error)
{
    const tm_image *sheet = &edit->map->images[image];
    if (!sheet->external)
        return tmi_edit_pixels(out, edit, image, true, error);
    TM_TRY(tmi_edit_games_pixels(out, edit, sheet, error));
    if (!out->rgba)
        tmi_edit_find(edit, TM_FINDING_NO_PIXELS, tmi_edit_image_address(image),
                      "it is external, and its pixels were not found: its tiles are more, not larger");
    return TM_OK;
}

/* Stretches a picture so that each part has whole pixels. */
static tm_status fit_picture(tmi_pixels *picture, const tmi_edit *edit, uint32_t by, tm_error *error)
{
    const uint32_t step = CELLS * by;
    tmi_pixels fitted = {NULL, (picture->width + step - 1) / step * step,
                         (picture->height + step - 1) / step * step};
    if (fitted.width == picture->width && fitted.height == picture->height)
        return TM_OK;
    if (fitted.width > MAX_SIDE || fitted.height > MAX_SIDE)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%u x %u pixels cannot be cut into parts of tiles",
                        (unsigned)picture->width, (unsigned)picture->height);
    const size_t size = (size_t)fitted.width * fitted.height * PIXEL;
    TM_TRY(tmi_reserve(&fitted.rgba, edit->scratch, size, 1, "pixels", error));
    tmi_pixels_stretch(&fitted, picture);
    *picture = fitted;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- parts */

static uint32_t part_width(const tmi_sheets *sheets)
{
    return sheets->picture.width / CELLS / sheets->by;
}

static uint32_t part_height(const tmi_sheets *sheets)
{
    return sheets->picture.height / CELLS / sheets->by;
}

static uint32_t num_places(const tmi_sheets *sheets)
{
    return CELLS * CELLS * sheets->by * sheets->by;
}

/* One row of pixels of the part at a place of the sheet. */
static const uint8_t *part_row(const tmi_sheets *sheets, uint32_t place, uint32_t row)
{
    const uint32_t by = sheets->by, cell = place / (by * by), in_cell = place % (by * by);
    const size_t x = (size_t)(cell % CELLS * by + in_cell % by) * part_width(sheets);
    const size_t y = (size_t)(cell / CELLS * by + in_cell / by) * part_height(sheets) + row;
    return sheets->picture.rgba + (y * sheets->picture.width + x) * PIXEL;
}

/* Copies the pixels of a part; false: none of them is visible. */
static bool copy_look(uint8_t *out, const tmi_sheets *sheets, uint32_t place)
{
    const size_t row = (size_t)part_width(sheets) * PIXEL, size = row * part_height(sheets);
    for (uint32_t y = 0; y < part_height(sheets); y++)
        memcpy(out + y * row, part_row(sheets, place, y), row);
    for (size_t alpha = 3; alpha < size; alpha += PIXEL)
        if (out[alpha])
            return true;
    return false;
}

/* Numbers the parts of used cells by what they look like, in the order of their places. */
static tm_status cut_parts(tmi_sheets *sheets, const tmi_edit *edit, tm_error *error)
{
    const uint32_t all = num_places(sheets), in_cell = sheets->by * sheets->by;
    tmi_intern looks = {.allocator = tmi_map_allocator(edit->map),
                        .key_size = (size_t)part_width(sheets) * part_height(sheets) * PIXEL};
    tm_status status = TM_OK;
    uint8_t *part;
    uint32_t number;
    TM_TRY(tmi_reserve(&part, edit->scratch, looks.key_size, 1, "parts of cells", error));
    TM_TRY(tmi_reserve_zeroed(&sheets->parts, edit->scratch, all, sizeof(*sheets->parts), "parts of cells",
                              error));
    for (uint32_t place = 0; place < all && !status; place++) {
        if (!sheets->used[place / in_cell] || !copy_look(part, sheets, place))
            continue;
        status = tmi_intern_put(&number, &looks, part, error);
        sheets->parts[place] = status ? 0 : 1 + number;
    }
    sheets->num_parts = looks.num;
    tmi_intern_release(&looks);
    return status;
}

/* ------------------------------------------------------------------------------------------------- images */

static void draw_part(uint8_t *rgba, const tmi_sheets *sheets, uint32_t place, uint32_t cell)
{
    const size_t width = part_width(sheets), height = part_height(sheets), row = width * CELLS;
    for (uint32_t y = 0; y < height; y++)
        memcpy(rgba + ((cell / CELLS * height + y) * row + cell % CELLS * width) * PIXEL,
               part_row(sheets, place, y), width * PIXEL);
}

static tm_status add_image(tmi_edit *edit, const tmi_sheets *sheets, uint32_t old, uint32_t number,
                           tm_error *error)
{
    tm_map *map = edit->map;
    const uint32_t at = map->num_images, width = part_width(sheets) * CELLS,
                   height = part_height(sheets) * CELLS;
    const size_t size = (size_t)width * height * PIXEL;
    const char *old_name = map->images[old].name ? map->images[old].name : "";
    char name[128];
    tmi_format(name, sizeof(name), number ? "%.100s_x%u_%u" : "%.100s_x%u", old_name, (unsigned)sheets->by,
               (unsigned)number + 1);
    uint8_t *rgba;
    TM_TRY(tmi_reserve_zeroed(&rgba, edit->scratch, size, 1, "pixels", error));
    for (uint32_t place = 0; place < num_places(sheets); place++)
        if (sheets->parts[place] && (sheets->parts[place] - 1) / MAX_PARTS == number)
            draw_part(rgba, sheets, place, 1 + (sheets->parts[place] - 1) % MAX_PARTS);
    TM_TRY(tm_map_insert(map, TM_OBJECT_IMAGE, at, error));
    TM_TRY(tm_map_set_text(map, &map->images[at].name, name, error));
    TM_TRY(tm_map_set_pixels(map, at, rgba, width, height, error));
    tmi_free(edit->scratch, rgba, size, 1); /* one of many */
    tmi_edit_changed(edit, tmi_edit_image_address(at), 1, "added, with parts of '%.60s'", old_name);
    return TM_OK;
}

static tm_status cut_image(tmi_sheets *sheets, tmi_edit *edit, uint32_t image, uint32_t by, tm_error *error)
{
    sheets->by = by;
    if (!memchr(sheets->used, true, sizeof(sheets->used)))
        return TM_OK;
    TM_TRY(get_picture(&sheets->picture, edit, image, error));
    if (!sheets->picture.rgba)
        return TM_OK;
    TM_TRY(fit_picture(&sheets->picture, edit, by, error));
    TM_TRY(cut_parts(sheets, edit, error));
    sheets->num_images = (sheets->num_parts + MAX_PARTS - 1) / MAX_PARTS;
    sheets->first_image = edit->map->num_images;
    if (sheets->num_images > MAX_IMAGES)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "its tiles have %u different parts; they would need %u images, and games read %d",
                        (unsigned)sheets->num_parts, (unsigned)sheets->num_images, (int)MAX_IMAGES);
    for (uint32_t i = 0; i < sheets->num_images; i++)
        TM_TRY(add_image(edit, sheets, image, i, error));
    return TM_OK;
}

tm_status tmi_sheets_cut(tmi_sheets *sheets, uint32_t num, tmi_edit *edit, uint32_t by, tm_error *error)
{
    TM_TRY(note_used(sheets, edit->map, error));
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(tmi_fail_at_address(error, cut_image(&sheets[i], edit, i, by, error), edit->map,
                                   tmi_edit_image_address(i)));
    return TM_OK;
}

tm_status tmi_sheets_drop_old(tmi_sheets *sheets, uint32_t num, tmi_edit *edit, tm_error *error)
{
    for (uint32_t i = num; i-- > 0;) {
        if (sheets[i].num_images == 0 || tmi_redirect_layers(edit->map, TM_OBJECT_IMAGE, i, i))
            continue;
        tmi_edit_changed(edit, tmi_edit_image_address(i), 1, "removed, since parts of it took its place");
        TM_TRY(tm_map_remove(edit->map, TM_OBJECT_IMAGE, i, error));
    }
    if (edit->map->num_images <= MAX_IMAGES)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map would have %u images, and games read %d",
                    (unsigned)edit->map->num_images, (int)MAX_IMAGES);
}

/* ------------------------------------------------------------------------------------------------- layers */

typedef struct design_blocks {
    const tmi_sheets *sheets; /* NULL: tiles only become more */
    uint32_t number;          /* of the new image whose parts are put */
    uint32_t by;
} design_blocks;

/* The place in the cell that a tile with these flags shows at u, v of its block. */
static uint32_t place_in_cell(uint8_t flags, uint32_t u, uint32_t v, uint32_t by)
{
    uint32_t x = u, y = v;
    if (flags & TM_TILE_ROTATE) {
        x = v;
        y = by - 1 - u;
    }
    x = flags & TM_TILE_FLIP_X ? by - 1 - x : x;
    y = flags & TM_TILE_FLIP_Y ? by - 1 - y : y;
    return y * by + x;
}

static tm_tile part_of(const design_blocks *how, const tm_tile *tile, uint32_t u, uint32_t v)
{
    static const tm_tile none = {0, 0, 0, 0};
    tm_tile part = *tile;
    if (!how->sheets)
        return part;
    const uint32_t in_cell = place_in_cell(tile->flags, u, v, how->by);
    const uint32_t number = tile->index ? how->sheets->parts[tile->index * how->by * how->by + in_cell] : 0;
    if (number == 0 || (number - 1) / MAX_PARTS != how->number)
        return none;
    part.index = (uint8_t)(1 + (number - 1) % MAX_PARTS);
    return part;
}

static void scale_design(void *ctx, const tm_grid *from, const tm_edit_grid *to)
{
    const design_blocks *how = ctx;
    tm_tile *out = to->tiles;
    for (uint32_t y = 0; y < to->height; y++) {
        const uint32_t old_y = y / how->by < from->height ? y / how->by : from->height - 1;
        const tm_tile *row = (const tm_tile *)from->tiles + (size_t)old_y * from->width;
        for (uint32_t x = 0; x < to->width; x++) {
            const uint32_t old_x = x / how->by < from->width ? x / how->by : from->width - 1;
            *out++ = part_of(how, &row[old_x], x % how->by, y % how->by);
        }
    }
}

/* Which of the new images a layer shows parts of. */
static tm_status find_images(bool shown[MAX_IMAGES], const tm_map *map, const tm_layer *layer,
                             const tmi_sheets *sheets, tm_error *error)
{
    tm_grid grid;
    bool used[CELLS * CELLS] = {false};
    const uint32_t in_cell = sheets->by * sheets->by;
    memset(shown, 0, sizeof(*shown) * MAX_IMAGES);
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    const tm_tile *tiles = grid.tiles;
    for (size_t i = 0; tiles && i < (size_t)grid.width * grid.height; i++)
        used[tiles[i].index] = true;
    for (uint32_t place = in_cell; place < num_places(sheets); place++)
        if (used[place / in_cell] && sheets->parts[place])
            shown[(sheets->parts[place] - 1) / MAX_PARTS] = true;
    return TM_OK;
}

/* Whether the last row or column is visible: the games then repeat it beyond the layer. */
static bool goes_on(const tm_grid *grid, int axis)
{
    const tm_tile *tiles = grid->tiles;
    const uint32_t num = axis ? grid->width : grid->height;
    for (uint32_t i = 0; i < num; i++)
        if (tiles[axis ? (size_t)(grid->height - 1) * grid->width + i : (size_t)(i + 1) * grid->width - 1]
                .index)
            return true;
    return false;
}

/* The tile of a group that is drawn at the end of the world when the view is there; 0 to `world`. */
static uint32_t seen_end(const tm_group *group, int axis, uint32_t world)
{
    const int64_t parallax = axis ? group->parallax_y : group->parallax_x;
    const int64_t offset = axis ? group->offset_y : group->offset_x;
    const int64_t end = world * parallax / 100 + offset / TM_TILE_PX;
    return end < 0 ? 0 : end > world ? world : (uint32_t)end;
}

/*
 * The new size of a design layer. The games repeat the last tiles beyond it, but then only parts of them: so
 * the layer gets all of these tiles that are seen in the world.
 */
static tm_status size_of_design(uint32_t size[2], const tm_map *map, const tm_address *at,
                                const tmi_design_scale *how, tm_error *error)
{
    const tm_group *group = &map->groups[at->index];
    const tm_layer *layer = &group->layers[at->layer];
    tm_grid grid;
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    size[0] = layer->as.tiles.width;
    size[1] = layer->as.tiles.height;
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t end = seen_end(group, axis, how->world[axis]);
        if (size[axis] < end && grid.tiles && goes_on(&grid, axis))
            size[axis] = end;
        TM_TRY(tmi_scale_side(&size[axis], how->by, error));
    }
    return TM_OK;
}

static tm_status put_scaled(tmi_edit *edit, uint32_t group, uint32_t at, const uint32_t size[2],
                            design_blocks *how, tm_error *error)
{
    tm_layer *layer = &edit->map->groups[group].layers[at];
    if (how->sheets)
        layer->as.tiles.image = (int32_t)(how->sheets->first_image + how->number);
    return tmi_map_regrid(edit->map, layer, size, scale_design, how, error);
}

tm_status tmi_scale_design(tmi_edit *edit, const tm_address *at, const tmi_design_scale *how, tm_error *error)
{
    tm_map *map = edit->map;
    const tmi_sheets *sheets = how->sheets;
    const uint32_t group = at->index;
    uint32_t size[2], last = UINT32_MAX, place = at->layer;
    bool shown[MAX_IMAGES] = {false};
    design_blocks blocks = {.by = how->by};
    TM_TRY(size_of_design(size, map, at, how, error));
    if (sheets && sheets->num_images)
        TM_TRY(find_images(shown, map, tmi_edit_layer_at(edit, at), sheets, error));
    for (uint32_t i = 0; i < MAX_IMAGES; i++)
        last = shown[i] ? i : last;
    for (uint32_t i = 0; i < last && last != UINT32_MAX; i++) {
        if (!shown[i])
            continue;
        /* a copy for each image but one, in front of the layer itself */
        TM_TRY(tm_map_duplicate_layer(map, group, place, group, place, error));
        blocks.sheets = sheets;
        blocks.number = i;
        TM_TRY(put_scaled(edit, group, place++, size, &blocks, error));
    }
    blocks.sheets = last != UINT32_MAX ? sheets : NULL;
    blocks.number = last;
    return put_scaled(edit, group, place, size, &blocks, error);
}
