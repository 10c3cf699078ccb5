/* SPDX-License-Identifier: Zlib */
/*
 * Maps that are 2, 4, 8 or 16 times as large. A tile becomes a block of tiles:
 *
 *   design    each shows its part of the cell: the cells of an image are cut into parts, which are the cells
 *             of new images; the games draw each part as a cell, so neighbours do not bleed in
 *   physics   all of the block is what the tile was; things of which there should be one (spawns, exits,
 *             doors, pickups ...) stand in the middle of it, spawns and flags on its ground
 *   beams     the tile that says how long a laser or door is stays next to it, and says more
 *
 * Quads, sources, position envelopes with their tangents, offsets and clips are multiplied.
 */
#include "edit_geometry.h"
#include "edit_images.h"

#define CELLS     16u  /* of a sheet, along a side */
#define MAX_PARTS 255u /* in one sheet: its cell 0 is never drawn */

enum { MAX_IMAGES = 64, MAX_SIDE = 8192, PIXEL = 4 };

/*
 * An image whose cells are cut into by x by parts. Parts that look alike are one, those that are not visible
 * none; the others stand, up to 255 each, in new images, which have as many pixels for a tile of the old map
 * as the old one.
 */
typedef struct sheet {
    bool used[CELLS * CELLS]; /* cells that some design layer shows */
    tmi_pixels picture;       /* the old pixels; each part has whole ones; NULL: they cannot be had */
    uint32_t *parts;          /* by cell, row and column in it: 1 + the part's number, 0: nothing to see */
    uint32_t num_parts;       /* different ones */
    uint32_t first_image;     /* of the new images */
    uint32_t num_images;
    uint32_t by;
} sheet;

/* One map that is scaled. */
typedef struct scaling {
    tmi_edit *edit;
    tm_map *map;
    uint32_t by;
    uint32_t world[2]; /* tiles, before */
    sheet *sheets;     /* one for each image */
    uint32_t num_sheets;
} scaling;

/* ------------------------------------------------------------------------------------------------- pixels */

static tm_status note_used(sheet *sheets, const tm_map *map, tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        tm_grid grid;
        const int32_t image = walk.layer->as.tiles.image;
        if (walk.layer->kind != TM_LAYER_TILES || image == TM_NONE)
            continue;
        TM_TRY(tmi_fail_at_address(error, tm_map_tiles(&grid, map, walk.layer, error), map,
                                   tmi_edit_address(TM_KIND_LAYER, walk.group, walk.index)));
        const tm_tile *tiles = grid.tiles;
        for (size_t i = 0; tiles && i < (size_t)grid.width * grid.height; i++)
            sheets[image].used[tiles[i].index] = true;
        sheets[image].used[0] = false;
    }
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

static uint32_t part_width(const sheet *sheets)
{
    return sheets->picture.width / CELLS / sheets->by;
}

static uint32_t part_height(const sheet *sheets)
{
    return sheets->picture.height / CELLS / sheets->by;
}

static uint32_t num_places(const sheet *sheets)
{
    return CELLS * CELLS * sheets->by * sheets->by;
}

/* One row of pixels of the part at a place of the sheet. */
static const uint8_t *part_row(const sheet *sheets, uint32_t place, uint32_t row)
{
    const uint32_t by = sheets->by, cell = place / (by * by), in_cell = place % (by * by);
    const size_t x = (size_t)(cell % CELLS * by + in_cell % by) * part_width(sheets);
    const size_t y = (size_t)(cell / CELLS * by + in_cell / by) * part_height(sheets) + row;
    return sheets->picture.rgba + (y * sheets->picture.width + x) * PIXEL;
}

/* Numbers the parts of used cells that are visible by what they look like, in the order of their places. */
static tm_status cut_parts(sheet *sheets, const tmi_edit *edit, tm_error *error)
{
    const uint32_t all = num_places(sheets), in_cell = sheets->by * sheets->by;
    const size_t row = (size_t)part_width(sheets) * PIXEL;
    tmi_intern looks = {.allocator = tmi_map_allocator(edit->map), .key_size = row * part_height(sheets)};
    tm_status status = TM_OK;
    uint8_t *part;
    uint32_t number;
    TM_TRY(tmi_reserve(&part, edit->scratch, looks.key_size, 1, "parts of cells", error));
    TM_TRY(tmi_reserve_zeroed(&sheets->parts, edit->scratch, all, sizeof(*sheets->parts), "parts of cells",
                              error));
    for (uint32_t place = 0; place < all && !status; place++) {
        bool visible = false;
        if (!sheets->used[place / in_cell])
            continue;
        for (uint32_t y = 0; y < part_height(sheets); y++)
            memcpy(part + y * row, part_row(sheets, place, y), row);
        for (size_t alpha = 3; alpha < looks.key_size && !visible; alpha += PIXEL)
            visible = part[alpha];
        if (!visible)
            continue;
        status = tmi_intern_put(&number, &looks, part, error);
        sheets->parts[place] = status ? 0 : 1 + number;
    }
    sheets->num_parts = looks.num;
    tmi_intern_release(&looks);
    return status;
}

/* ------------------------------------------------------------------------------------------------- images */

static tm_status add_image(tmi_edit *edit, const sheet *sheets, uint32_t old, uint32_t number,
                           tm_error *error)
{
    tm_map *map = edit->map;
    const uint32_t at = map->num_images;
    const size_t part_w = part_width(sheets), part_h = part_height(sheets), width = part_w * CELLS;
    const size_t height = part_h * CELLS, size = width * height * PIXEL;
    const char *old_name = map->images[old].name ? map->images[old].name : "";
    char name[128];
    tmi_format(name, sizeof(name), number ? "%.100s_x%u_%u" : "%.100s_x%u", old_name, (unsigned)sheets->by,
               (unsigned)number + 1);
    uint8_t *rgba;
    TM_TRY(tmi_reserve_zeroed(&rgba, edit->scratch, size, 1, "pixels", error));
    for (uint32_t place = 0; place < num_places(sheets); place++) {
        if (!sheets->parts[place] || (sheets->parts[place] - 1) / MAX_PARTS != number)
            continue;
        const size_t cell = 1 + (sheets->parts[place] - 1) % MAX_PARTS;
        for (uint32_t y = 0; y < part_h; y++)
            memcpy(rgba + ((cell / CELLS * part_h + y) * width + cell % CELLS * part_w) * PIXEL,
                   part_row(sheets, place, y), part_w * PIXEL);
    }
    TM_TRY(tm_map_insert(map, TM_KIND_IMAGE, at, error));
    TM_TRY(tm_map_set_text(map, &map->images[at].name, name, error));
    TM_TRY(tm_map_set_pixels(map, at, rgba, (uint32_t)width, (uint32_t)height, error));
    tmi_free(edit->scratch, rgba, size, 1); /* one of many */
    tmi_edit_changed(edit, tmi_edit_image_address(at), 1, "added, with parts of '%.60s'", old_name);
    return TM_OK;
}

static tm_status cut_image(sheet *sheets, tmi_edit *edit, uint32_t image, uint32_t by, tm_error *error)
{
    const tm_image *source = &edit->map->images[image];
    sheets->by = by;
    if (!memchr(sheets->used, true, sizeof(sheets->used)))
        return TM_OK;
    TM_TRY(source->external ? tmi_edit_games_pixels(&sheets->picture, edit, source, error)
                            : tmi_edit_pixels(&sheets->picture, edit, image, true, error));
    if (source->external && !sheets->picture.rgba)
        tmi_edit_report(edit, TM_FINDING_NO_PIXELS, tmi_edit_image_address(image),
                        "it is external, and its pixels were not found: its tiles are more, not larger");
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

static tm_status multiply_all(int32_t *const *values, size_t num, uint32_t by, tm_error *error)
{
    for (size_t i = 0; i < num; i++)
        TM_TRY(tmi_edit_put_int(values[i], (int64_t)*values[i] * by, error));
    return TM_OK;
}

/* ------------------------------------------------------------------------ quads, envelopes, groups */

static tm_status enlarge_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    const scaling *scale = ctx;
    for (size_t i = 0; i < num; i++) {
        int32_t *const values[] = {&points[i].x, &points[i].y};
        TM_TRY(multiply_all(values, TMI_COUNT_OF(values), scale->by, error));
    }
    return TM_OK;
}

static tm_status enlarge_size(void *ctx, int32_t *width, int32_t *height, tm_error *error)
{
    const scaling *scale = ctx;
    int32_t *const values[] = {width, height};
    return multiply_all(values, height ? 2 : 1, scale->by, error);
}

static tm_status enlarge_envelope_point(const void *ctx, tm_envelope_point *point, tm_error *error)
{
    const scaling *scale = ctx;
    int32_t *const values[] = {&point->values[0], &point->values[1], &point->in_dy[0],
                               &point->in_dy[1],  &point->out_dy[0], &point->out_dy[1]};
    return multiply_all(values, TMI_COUNT_OF(values), scale->by, error);
}

/* ----------------------------------------------------------------------------------- physics */

typedef struct block_grid {
    const scaling *scale;
    tm_layer_kind kind;
    const tm_grid *source;
    const tm_edit_grid *target;
    uint64_t short_beams; /* lasers and doors that would have to be longer than any */
} block_grid;

static void put_new(const block_grid *grid, int64_t x, int64_t y, const uint8_t *tile)
{
    TMI_ASSERT(x >= 0 && y >= 0 && x < grid->target->width && y < grid->target->height);
    tmi_copy_element(tmi_edit_tile_of(grid->target, (size_t)x, (size_t)y), tile, grid->target->tile_size);
}

static void fill_block(const block_grid *grid, uint32_t x, uint32_t y)
{
    const uint32_t by = grid->scale->by;
    for (uint32_t v = 0; v < by; v++)
        for (uint32_t u = 0; u < by; u++)
            put_new(grid, (int64_t)x * by + u, (int64_t)y * by + v, tmi_edit_tile(grid->source, x, y));
}

static bool sends_beams(const block_grid *grid, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= grid->source->width || y >= grid->source->height)
        return false;
    const uint8_t index =
        tmi_edit_tile(grid->source, (size_t)x, (size_t)y)[tm_game_layer(grid->kind)->index_at];
    return index == TM_TILE_DOOR || (index >= TM_TILE_LASER_FAST_CCW && index <= TM_TILE_LASER_FAST_CW);
}

/* The place of a single object in a block: up and left of the middle. */
static int64_t block_middle(const block_grid *grid, int64_t at)
{
    return at * grid->scale->by + (grid->scale->by - 1) / 2;
}

/*
 * Puts what stands alone into its block. The tile next to a door or laser that gives its length, or two tiles
 * from it, the change of that, goes as near to the one of the new grid.
 */
static void put_alone(block_grid *grid, uint32_t x, uint32_t y)
{
    uint8_t tile[sizeof(tm_speedup_tile)];
    uint8_t *index = &tile[tm_game_layer(grid->kind)->index_at];
    memcpy(tile, tmi_edit_tile(grid->source, x, y), grid->source->tile_size);
    if (*index < TM_TILE_LASER_SHORT || *index > TM_TILE_LASER_OPEN_FAST) {
        const tm_tile_info *info = tm_game_tile(grid->scale->map->game, grid->kind, *index);
        const bool stands = info->category == TM_CATEGORY_SPAWN || info->category == TM_CATEGORY_FLAG;
        put_new(grid, block_middle(grid, x),
                stands ? (int64_t)(y + 1) * grid->scale->by - 1 : block_middle(grid, y), tile);
        return;
    }
    const bool is_length = *index <= TM_TILE_LASER_LONG;
    const int apart = is_length ? 1 : 2;
    if (is_length) {
        const uint32_t wanted = (*index - (TM_TILE_LASER_SHORT - 1u)) * grid->scale->by;
        const uint32_t longest = TM_TILE_LASER_LONG - (TM_TILE_LASER_SHORT - 1u);
        grid->short_beams += wanted > longest;
        *index = (uint8_t)(TM_TILE_LASER_SHORT - 1u + (wanted < longest ? wanted : longest));
    }
    for (int dy = -apart; dy <= apart; dy += apart)
        for (int dx = -apart; dx <= apart; dx += apart)
            if ((dx || dy) && sends_beams(grid, (int64_t)x - dx, (int64_t)y - dy))
                put_new(grid, block_middle(grid, (int64_t)x - dx) + dx,
                        block_middle(grid, (int64_t)y - dy) + dy, tile);
}

static void scale_physics(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    block_grid *grid = ctx;
    const tm_game game = grid->scale->map->game;
    grid->source = source;
    grid->target = target;
    for (int alone = 0; alone < 2; alone++) /* things over what is around them */
        for (uint32_t y = 0; y < source->height; y++)
            for (uint32_t x = 0; x < source->width; x++)
                if (tmi_edit_stands_alone(game, grid->kind, tmi_edit_tile(source, x, y)) != (alone != 0))
                    continue;
                else if (alone)
                    put_alone(grid, x, y);
                else
                    fill_block(grid, x, y);
}

/* ------------------------------------------------------------------------------------------------- design */

typedef struct design_blocks {
    const sheet *source; /* NULL: tiles only become more */
    uint32_t number;     /* of the new image whose parts are put */
    uint32_t by;
} design_blocks;

/* What a tile shows at u, v of its block; none: another image has this part, or nothing is to be seen. */
static tm_tile part_of(const design_blocks *blocks, const tm_tile *tile, uint32_t u, uint32_t v)
{
    static const tm_tile air = {0, 0, 0, 0};
    tm_tile part = *tile;
    uint32_t x = u, y = v;
    if (!blocks->source)
        return part;
    if (tile->flags & TM_TILE_ROTATE) {
        x = v;
        y = blocks->by - 1 - u;
    }
    x = tile->flags & TM_TILE_FLIP_X ? blocks->by - 1 - x : x;
    y = tile->flags & TM_TILE_FLIP_Y ? blocks->by - 1 - y : y;
    const uint32_t place = tile->index * blocks->by * blocks->by + y * blocks->by + x;
    const uint32_t number = tile->index ? blocks->source->parts[place] : 0;
    if (number == 0 || (number - 1) / MAX_PARTS != blocks->number)
        return air;
    part.index = (uint8_t)(1 + (number - 1) % MAX_PARTS);
    return part;
}

static void put_blocks(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    const design_blocks *blocks = ctx;
    tm_tile *out = target->tiles;
    for (uint32_t y = 0; y < target->height; y++) {
        const uint32_t old_y = y / blocks->by < source->height ? y / blocks->by : source->height - 1;
        const tm_tile *row = (const tm_tile *)source->tiles + (size_t)old_y * source->width;
        for (uint32_t x = 0; x < target->width; x++) {
            const uint32_t old_x = x / blocks->by < source->width ? x / blocks->by : source->width - 1;
            *out++ = part_of(blocks, &row[old_x], x % blocks->by, y % blocks->by);
        }
    }
}

static tm_status put_scaled(tm_map *map, uint32_t group, uint32_t at, const uint32_t size[2],
                            design_blocks *blocks, tm_error *error)
{
    tm_layer *layer = &map->groups[group].layers[at];
    if (blocks->source)
        layer->as.tiles.image = (int32_t)(blocks->source->first_image + blocks->number);
    return tmi_map_regrid(map, layer, size, put_blocks, blocks, error);
}

static tm_status scale_side(uint32_t *side, uint32_t by, tm_error *error)
{
    if (*side > INT32_MAX / by)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%llu tiles are too many for one side",
                        (unsigned long long)by * *side);
    *side *= by;
    return TM_OK;
}

/*
 * The new size of a design layer. The games repeat the last tiles beyond it, but then only parts of them: so
 * the layer gets all of these tiles that are seen in the world.
 */
static tm_status size_of_design(uint32_t size[2], const scaling *scale, const tm_address *address,
                                tm_error *error)
{
    const tm_group *group = &scale->map->groups[address->index];
    const tm_layer *layer = &group->layers[address->layer];
    tm_grid grid;
    TM_TRY(tm_map_tiles(&grid, scale->map, layer, error));
    size[0] = layer->as.tiles.width;
    size[1] = layer->as.tiles.height;
    const tm_tile *tiles = grid.tiles;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t parallax = axis ? group->parallax_y : group->parallax_x;
        const int64_t offset = axis ? group->offset_y : group->offset_x, world = scale->world[axis];
        /* The tile that is drawn at the end of the world when the view is there. */
        const int64_t end = tmi_clamp(world * parallax / 100 + offset / TM_TILE_PX, 0, world);
        const uint32_t num = axis ? grid.width : grid.height;
        bool goes_on = false; /* the last row or column is visible */
        for (size_t i = 0; i < num && tiles && size[axis] < end && !goes_on; i++)
            goes_on =
                tiles[axis ? (size_t)(grid.height - 1) * grid.width + i : (i + 1) * grid.width - 1].index;
        size[axis] = goes_on ? (uint32_t)end : size[axis];
        TM_TRY(scale_side(&size[axis], scale->by, error));
    }
    return TM_OK;
}

/*
 * Scales a design layer. If its parts are in several images, it becomes as many layers. Tiles of images
 * without pixels are repeated.
 */
static tm_status scale_design(const scaling *scale, const tm_address *address, tm_error *error)
{
    tm_map *map = scale->map;
    const int32_t image = tmi_edit_layer_at(scale->edit, address)->as.tiles.image;
    const sheet *source = image != TM_NONE && scale->sheets[image].num_images ? &scale->sheets[image] : NULL;
    const uint32_t in_cell = scale->by * scale->by;
    uint32_t size[2], place = address->layer;
    bool used[CELLS * CELLS] = {false}, shown[MAX_IMAGES] = {false}; /* cells, and new images */
    tm_grid grid;
    design_blocks blocks = {.by = scale->by};
    TM_TRY(size_of_design(size, scale, address, error));
    if (source) {
        TM_TRY(tm_map_tiles(&grid, map, tmi_edit_layer_at(scale->edit, address), error));
        const tm_tile *tiles = grid.tiles;
        for (size_t i = 0; tiles && i < (size_t)grid.width * grid.height; i++)
            used[tiles[i].index] = true;
        for (uint32_t part = in_cell; part < num_places(source); part++)
            if (used[part / in_cell] && source->parts[part])
                shown[(source->parts[part] - 1) / MAX_PARTS] = true;
    }
    for (uint32_t i = 0; i < MAX_IMAGES; i++) {
        if (!shown[i])
            continue;
        if (blocks.source) { /* a copy for each image but the last, in front of the layer itself */
            TM_TRY(tm_map_duplicate_layer(map, address->index, place, address->index, place, error));
            tmi_object_forget_user(TM_KIND_LAYER, &map->groups[address->index].layers[place]);
            TM_TRY(put_scaled(map, address->index, place++, size, &blocks, error));
        }
        blocks.source = source;
        blocks.number = i;
    }
    return put_scaled(map, address->index, place, size, &blocks, error);
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status scale_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    static const tmi_edit_movers movers = {enlarge_points, enlarge_size};
    scaling *scale = edit->ctx;
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    tm_tile_layer *tiles = &layer->as.tiles;
    const tm_layer_info *info = tm_game_layer(layer->kind);
    if (!info->is_tiles)
        return tmi_edit_each_element(edit, address, &movers, scale, error);
    if (info->is_physics)
        tmi_edit_set_played_size(edit, address, scale->world);
    if (!tiles->width || !tiles->height)
        return TM_OK;
    if (info->is_physics) {
        uint32_t size[2] = {tiles->width, tiles->height};
        TM_TRY(scale_side(&size[0], scale->by, error));
        TM_TRY(scale_side(&size[1], scale->by, error));
        block_grid grid = {.scale = scale, .kind = layer->kind};
        TM_TRY(tmi_map_regrid(scale->map, layer, size, scale_physics, &grid, error));
        if (grid.short_beams)
            tmi_edit_report(edit, TM_FINDING_PLAYS_DIFFERENTLY, *address,
                            "%llu lasers and doors are too short now: they have 9 tiles at most",
                            (unsigned long long)grid.short_beams);
        return TM_OK;
    }
    tmi_edit_stop_automapper(edit, address, "know nothing of parts of tiles");
    return scale_design(scale, address, error);
}

static tm_status scale_frame(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const scaling *scale = edit->ctx;
    tm_group *group = &edit->map->groups[address->index];
    const struct {
        const char *name;
        int32_t *value;
    } numbers[] = {{"offset_x", &group->offset_x}, {"offset_y", &group->offset_y},
                   {"clip_x", &group->clip_x},     {"clip_y", &group->clip_y},
                   {"clip_w", &group->clip_w},     {"clip_h", &group->clip_h}};
    (void)error;
    for (size_t i = 0; i < TMI_COUNT_OF(numbers); i++)
        tmi_edit_put_number(edit, address, numbers[i].name, numbers[i].value,
                            (int64_t)*numbers[i].value * scale->by);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ the map */

tm_status tmi_edit_scale(tmi_edit *edit, tm_error *error)
{
    static const uint32_t factors[] = {2, 4, 8, 16};
    tm_map *map = edit->map;
    scaling scale = {
        .edit = edit, .map = map, .by = factors[edit->values[0].number], .num_sheets = map->num_images};
    tm_map_area(&scale.world[0], &scale.world[1], map);
    TM_TRY(tmi_reserve_zeroed(&scale.sheets, edit->scratch, scale.num_sheets, sizeof(*scale.sheets), "sheets",
                              error));
    TM_TRY(note_used(scale.sheets, map, error));
    for (uint32_t i = 0; i < scale.num_sheets; i++)
        TM_TRY(tmi_fail_at_address(error, cut_image(&scale.sheets[i], edit, i, scale.by, error), map,
                                   tmi_edit_image_address(i)));
    TM_TRY(tmi_edit_each_mover(edit, enlarge_envelope_point, "scaled", &scale, error));
    TM_TRY(tmi_edit_each_group(edit, scale_frame, scale_layer, "scaled", &scale, error));
    for (uint32_t i = scale.num_sheets; i-- > 0;) { /* images that nothing uses any more */
        if (scale.sheets[i].num_images == 0 || tmi_redirect_layers(map, TM_KIND_IMAGE, i, i) ||
            tmi_map_may_refer(map))
            continue;
        tmi_edit_changed(edit, tmi_edit_image_address(i), 1, "removed, since parts of it took its place");
        TM_TRY(tm_map_remove(map, TM_KIND_IMAGE, i, error));
    }
    if (map->num_images > MAX_IMAGES)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map would have %u images, and games read %d",
                        (unsigned)map->num_images, (int)MAX_IMAGES);
    if (!tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME))
        return TM_OK;
    tmi_edit_report(edit, TM_FINDING_PLAYS_DIFFERENTLY, tmi_whole_map,
                    "players, weapons and speeds are as large as before, and the map is not");
    return TM_OK;
}
