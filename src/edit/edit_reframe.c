/* SPDX-License-Identifier: Zlib */
/*
 * Shifting, cropping and extending whole maps: the world becomes a window of itself, which may reach beyond
 * it. What was seen at w in the world is seen at w - start afterwards, in every group:
 *
 *   the game layer's group, and along an axis of parallax 100 and offset 0 every other
 *       everything in it moves by - start, the offset stays. Physics layers are as large as the window. The
 *       games repeat the edges of design layers without end, so these only become as large as they must:
 *       those that reach the end of the world reach its new end, others keep their length.
 *   along other axes
 *       offset + start x parallax/100, where that is no whole px to the nearest, unless there are no tiles in
 *       the group: then the elements move instead. Design layers stay as they are.
 *   clip    - start
 *
 * Rounding is the same in both directions, so that the way back leads to the same numbers.
 */
#include "edit_geometry.h"

/* What fills the new parts of the world. */
typedef enum filling {
    FILL_EMPTY,  /* nothing */
    FILL_EDGE,   /* the tiles at the edge again; of things that stand alone there is none */
    FILL_BORDER, /* two tiles of border, which move to the new edge, and nothing between */
    FILL_AIR,    /* nothing in physics layers; design layers go on as they look */
    FILL_WRAP    /* what goes out at one side comes in at the other */
} filling;

enum { BORDER = 2, MIN_SIDE = 2 };

typedef struct reframing {
    tmi_edit *edit;
    tm_map *map;
    filling fill;
    /* For a group, an axis along which its content stays has a start of 0 and the old size. */
    int64_t start[2];              /* tiles: where the new world begins in the old one */
    uint32_t old_size[2], size[2]; /* tiles */
    int64_t by[2];                 /* fx: how far elements of the group move */
    uint64_t lost;                 /* tiles with an index that are outside now */
} reframing;

/* Everything moves by - start. */
static reframing reframing_of(tmi_edit *edit, filling fill, int64_t x, int64_t y)
{
    return (reframing){.edit = edit,
                       .map = edit->map,
                       .fill = fill,
                       .start = {x, y},
                       .by = {-x * TM_TILE_FX, -y * TM_TILE_FX}};
}

/* ---------------------------------------------------------------------------------------------- one axis */

/* Where a place of the new grid is in the old one, or one of these: */
#define NOWHERE         INT64_C(-1)
#define BETWEEN_BORDERS INT64_MIN

typedef struct axis_map {
    int64_t *places; /* for each of the new grid */
    uint32_t size, old_size;
    uint32_t next_to_gap; /* BETWEEN_BORDERS: the old place whose borders go on */
} axis_map;

/* `reach`: where the old part ends, which for short design layers is the end of the world. */
static int64_t place_in_border(const reframing *frame, int axis, int64_t at, uint32_t reach)
{
    const int64_t end = frame->start[axis] + frame->size[axis] - frame->old_size[axis];
    if (frame->start[axis] < 0 && at < BORDER)
        return at < frame->start[axis] + BORDER ? at - frame->start[axis] : BETWEEN_BORDERS;
    if (end > 0 && at >= (int64_t)reach - BORDER)
        return at >= (int64_t)reach + end - BORDER ? at - end : BETWEEN_BORDERS;
    return at;
}

static int64_t place_in_axis(const reframing *frame, int axis, int64_t at, uint32_t old_size, uint32_t reach,
                             bool is_physics)
{
    const uint32_t world = frame->old_size[axis];
    if (frame->fill == FILL_WRAP) {
        if (at - frame->start[axis] < world) /* what is beyond the world stays */
            at = (at % world + world) % world;
        else
            at -= frame->start[axis];
    }
    if (frame->fill == FILL_BORDER)
        at = place_in_border(frame, axis, at, reach);
    if (at == BETWEEN_BORDERS)
        return at;
    const bool is_new = at < 0 || at >= reach;
    const bool goes_on = frame->fill == FILL_EDGE || (frame->fill == FILL_AIR && !is_physics);
    return is_new && !goes_on ? NOWHERE : tmi_clamp(at, 0, (int64_t)old_size - 1);
}

/* The new length of a design layer along an axis. */
static int64_t design_size(const reframing *frame, int axis, uint32_t old_size)
{
    const int64_t start = frame->start[axis], world = frame->old_size[axis];
    const int64_t end = start + frame->size[axis] - world;
    const bool reaches = old_size >= world, goes_on = frame->fill == FILL_EDGE || frame->fill == FILL_AIR;
    if (frame->fill == FILL_WRAP)
        return start == 0 || reaches ? old_size : world;
    if (start == 0 && end == 0)
        return old_size;
    int64_t size = old_size - start;
    if (reaches)
        size += end;
    else if ((!goes_on && (start < 0 || end > 0)) || (end < 0 && size > frame->size[axis]))
        size = frame->size[axis];
    const int64_t least = old_size < MIN_SIDE ? old_size : MIN_SIDE;
    return size < least ? least : size;
}

static tm_status axis_fill(axis_map *out, const reframing *frame, int axis, bool is_physics, tm_error *error)
{
    const uint32_t old_size = out->old_size;
    const uint32_t world = frame->old_size[axis], reach = old_size > world ? old_size : world;
    const int64_t size = is_physics ? frame->size[axis] : design_size(frame, axis, old_size);
    if (size > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%lld tiles are too many for one side", (long long)size);
    TM_TRY(tmi_map_check_room(frame->map, (uint64_t)size * sizeof(*out->places), error));
    out->size = (uint32_t)size;
    out->next_to_gap = (uint32_t)tmi_clamp(frame->start[axis] < 0 ? BORDER : (int64_t)reach - BORDER - 1, 0,
                                           (int64_t)old_size - 1);
    TM_TRY(tmi_reserve(&out->places, tmi_map_allocator(frame->map), out->size, sizeof(*out->places),
                       "a row of places", error));
    for (uint32_t i = 0; i < out->size; i++)
        out->places[i] = place_in_axis(frame, axis, i + frame->start[axis], old_size, reach, is_physics);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

typedef struct tile_move {
    reframing *frame;
    tm_layer_kind kind;
    tm_rect part; /* of the old grid: what moves; it keeps its size unless it is all of it */
    axis_map axes[2];
    bool alone; /* things that stand alone are not repeated */
} tile_move;

static bool in_border(int64_t at, uint32_t size)
{
    return at >= 0 && (at < BORDER || at >= (int64_t)size - BORDER);
}

/* The old place whose tile goes to a new place; -1: none. */
static int64_t resolve(const axis_map *axis, int64_t at, const axis_map *other, int64_t other_at)
{
    if (at != BETWEEN_BORDERS)
        return at;
    return in_border(other_at, other->old_size) ? (int64_t)axis->next_to_gap : NOWHERE;
}

/* Whether a place of the new grid is a copy of an edge. */
static bool repeats(const tile_move *move, int axis, uint32_t at)
{
    const int64_t old = at + move->frame->start[axis];
    return old < 0 || old >= move->axes[axis].old_size;
}

static void move_row(const tile_move *move, const tm_grid *source, uint32_t y, uint8_t *out)
{
    const axis_map *xs = &move->axes[0], *ys = &move->axes[1];
    const size_t size = source->tile_size;
    const int64_t from_y = ys->places[y];
    for (uint32_t x = 0; x < xs->size; x++, out += size) {
        const int64_t from_x = xs->places[x];
        const int64_t at_x = resolve(xs, from_x, ys, from_y), at_y = resolve(ys, from_y, xs, from_x);
        if (at_x < 0 || at_y < 0)
            continue;
        const uint8_t *tile = tmi_edit_tile(source, (size_t)at_x, (size_t)at_y);
        if (!move->alone || !(repeats(move, 0, x) || repeats(move, 1, y)) ||
            !tmi_edit_stands_alone(move->frame->map->game, move->kind, tile))
            tmi_copy_element(out, tile, size);
    }
}

/* Moves the tiles of the part; what is around it stays. Counts those that are lost. */
static void move_tiles(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    tile_move *move = ctx;
    reframing *frame = move->frame;
    const size_t index_at = (size_t)tm_game_layer(move->kind)->index_at;
    uint64_t lost = 0;
    tm_grid part = *source;
    part.tiles = tmi_edit_tile(source, (size_t)move->part.x, (size_t)move->part.y);
    part.width = move->part.width;
    part.height = move->part.height;
    const bool is_part = part.width < source->width || part.height < source->height;
    uint8_t *out = tmi_edit_tile_of(target, (size_t)move->part.x, (size_t)move->part.y);
    if (is_part)
        memcpy(target->tiles, source->tiles, source->height * source->row_stride);
    for (uint32_t y = 0; y < move->axes[1].size; y++, out += target->row_stride) {
        if (is_part)
            memset(out, 0, part.width * part.tile_size);
        move_row(move, &part, y, out);
    }
    /* Tiles with an index that get outside of the new world are lost. */
    for (uint32_t y = 0; y < part.height && frame->fill != FILL_WRAP; y++) {
        const int64_t at_y = y - frame->start[1];
        const bool out_y = y < frame->old_size[1] && (at_y < 0 || at_y >= frame->size[1]);
        const uint8_t *row = (const uint8_t *)part.tiles + y * part.row_stride;
        for (uint32_t x = 0; x < part.width; x++) {
            const int64_t at_x = x - frame->start[0];
            const bool out_x = x < frame->old_size[0] && (at_x < 0 || at_x >= frame->size[0]);
            lost += (out_x || out_y) && row[(size_t)x * part.tile_size + index_at];
        }
    }
    frame->lost += lost;
}

/* Moves the tiles of a part of a layer. */
static tm_status move_part(reframing *frame, tm_layer *target, const tm_rect *part, tm_error *error)
{
    tile_move move = {.frame = frame, .kind = target->kind, .part = *part};
    const bool is_physics = tm_game_layer(target->kind)->is_physics;
    const uint32_t old[2] = {part->width, part->height};
    uint32_t size[2] = {target->as.tiles.width, target->as.tiles.height};
    const bool is_part = old[0] < size[0] || old[1] < size[1];
    move.alone = is_physics && frame->fill == FILL_EDGE;
    tm_status status = TM_OK;
    for (int axis = 0; !status && axis < 2; axis++) {
        move.axes[axis] = (axis_map){.old_size = old[axis]};
        status = axis_fill(&move.axes[axis], frame, axis, is_physics, error);
        size[axis] = is_part ? size[axis] : move.axes[axis].size;
    }
    if (!status)
        status = tmi_map_regrid(frame->map, target, size, move_tiles, &move, error);
    for (int axis = 0; axis < 2; axis++)
        tmi_free(tmi_map_allocator(frame->map), move.axes[axis].places, move.axes[axis].size,
                 sizeof(*move.axes[axis].places));
    return status;
}

static tm_status move_layer_tiles(reframing *frame, const tm_address *address, tm_error *error)
{
    tm_layer *target = tmi_edit_layer_at(frame->edit, address);
    const tm_tile_layer *tiles = &target->as.tiles;
    const bool is_physics = tm_game_layer(target->kind)->is_physics;
    if (is_physics)
        tmi_edit_set_played_size(frame->edit, address, frame->old_size);
    const tm_rect whole = {0, 0, tiles->width, tiles->height};
    if (tmi_rect_is_empty(&whole))
        return TM_OK;
    TM_TRY(move_part(frame, target, &whole, error));
    if (is_physics || tiles->width > whole.width || tiles->height > whole.height)
        return TM_OK;
    return tmi_map_ungrow(frame->map, target, error); /* what was grown before may be as in the file again */
}

/* ----------------------------------------------------------------------------------------------- elements */

/* How far an element moves that wraps: one whose middle leaves the world comes back at the other side. */
static int64_t wrapped_by(const reframing *frame, int axis, int64_t middle)
{
    const int64_t world = (int64_t)frame->old_size[axis] * TM_TILE_FX;
    if (!frame->start[axis] || !world)
        return frame->by[axis];
    if (middle < 0 || middle >= world)
        return 0; /* elements outside of the world stay there */
    return ((middle + frame->by[axis]) % world + world) % world - middle;
}

static tm_status wrap_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    const reframing *frame = ctx;
    const tm_point middle = points[num - 1];
    int64_t by[2] = {wrapped_by(frame, 0, middle.x), wrapped_by(frame, 1, middle.y)};
    return tmi_edit_move_points(by, points, num, error);
}

/* ------------------------------------------------------------------------------------------------- groups */

typedef struct map_reframing {
    const reframing *map_frame;
    reframing group_frame; /* of the group at work */
} map_reframing;

/* Finds how the content of a group moves; the rest goes into its offset. */
static tm_status move_frame(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    map_reframing *frames = edit->ctx;
    reframing *frame = &frames->group_frame;
    tm_group *group = &edit->map->groups[address->index];
    (void)error;
    const uint64_t lost = frame->lost;
    *frame = *frames->map_frame;
    frame->lost = lost;
    const int32_t parallax[2] = {group->parallax_x, group->parallax_y};
    int32_t *const offset[2] = {&group->offset_x, &group->offset_y};
    int32_t *const clip[2] = {&group->clip_x, &group->clip_y};
    const bool clips = tmi_edit_clips(group) && !tm_map_is_game_group(edit->map, address->index);
    for (int axis = 0; axis < 2; axis++) {
        const int64_t distance = -frame->start[axis] * TM_TILE_PX, seen = distance * parallax[axis];
        const bool moves = tmi_edit_moves_along(edit->map, address->index, axis);
        frame->by[axis] = moves ? distance * TM_FX : 0;
        if (!moves && (seen % 100 == 0 || tmi_edit_largest_tiles(group, axis)))
            tmi_edit_put_number(edit, address, axis ? "offset_y" : "offset_x", offset[axis],
                                *offset[axis] - tmi_edit_divide(seen, 100));
        else if (!moves)
            frame->by[axis] = tmi_edit_divide(seen * TM_FX, 100);
        if (clips)
            tmi_edit_put_number(edit, address, axis ? "clip_y" : "clip_x", clip[axis],
                                *clip[axis] + distance);
        frame->start[axis] = moves ? frame->start[axis] : 0;
        frame->size[axis] = moves ? frame->size[axis] : frame->old_size[axis];
    }
    return TM_OK;
}

static bool moves_any(const reframing *frame)
{
    return frame->start[0] || frame->start[1] || frame->size[0] != frame->old_size[0] ||
           frame->size[1] != frame->old_size[1];
}

static tm_status reframe_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    static const tmi_edit_movers wrappers = {wrap_points, NULL};
    reframing *frame = &((map_reframing *)edit->ctx)->group_frame;
    if (tm_game_layer(tmi_edit_layer_at(edit, address)->kind)->is_tiles)
        return moves_any(frame) ? move_layer_tiles(frame, address, error) : TM_OK;
    if (frame->fill != FILL_WRAP)
        return tmi_edit_move_elements(edit, address, frame->by, error);
    return frame->by[0] || frame->by[1] ? tmi_edit_each_element(edit, address, &wrappers, frame, error)
                                        : TM_OK;
}

static tm_status reframe_map(reframing *frame, const int64_t size[2], tm_error *error)
{
    tmi_edit *edit = frame->edit;
    map_reframing groups = {.map_frame = frame};
    tm_map_area(&frame->old_size[0], &frame->old_size[1], edit->map);
    for (int axis = 0; axis < 2; axis++) {
        if (size[axis] < MIN_SIDE || size[axis] > INT32_MAX)
            return tmi_fail(error, size[axis] < MIN_SIDE ? TM_ERROR_USAGE : TM_ERROR_LIMIT, -1,
                            "the map would be %lld x %lld tiles large: each side has 2 to %ld",
                            (long long)size[0], (long long)size[1], (long)INT32_MAX);
        frame->size[axis] = (uint32_t)size[axis];
    }
    if (tmi_map_check_room(edit->map, (uint64_t)size[0] * (uint64_t)size[1] * sizeof(tm_tile), NULL))
        return tmi_fail(
            error, TM_ERROR_LIMIT, -1,
            "the map would be %lld x %lld tiles large: a layer of it would have more bytes than the "
            "limit for one block",
            (long long)size[0], (long long)size[1]);
    if (!moves_any(frame))
        return TM_OK;
    TM_TRY(tmi_edit_each_group(edit, move_frame, reframe_layer, "moved", &groups, error));
    const char *text = "%llu tiles lay outside of what is left, and are gone";
    const uint64_t lost = groups.group_frame.lost;
    if (lost && strcmp(edit->operation->name, "crop") == 0) /* which is what it is for */
        tmi_edit_changed(edit, tmi_whole_map, lost, text, (unsigned long long)lost);
    else if (lost)
        tmi_edit_report(edit, TM_FINDING_TILES_LOST, tmi_whole_map, text, (unsigned long long)lost);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- operations */

static tm_status world_of(const tmi_edit *edit, int64_t size[2], tm_error *error)
{
    uint32_t width, height;
    tm_map_area(&width, &height, edit->map);
    size[0] = width;
    size[1] = height;
    if (width && height)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "the map has no tile layer, and so no size");
}

/* Crops one design layer to a rectangle, which may reach beyond it: then air is added. */
static tm_status crop_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tmi_edit_value *region = &edit->values[0];
    const tm_layer *layer = tmi_edit_layer_at(edit, address);
    if (tm_game_layer(layer->kind)->is_physics)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "physics layers are as large as the map: leave out LAYERS to crop that");
    if (layer->kind != TM_LAYER_TILES)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a layer of kind %s has no size",
                        tm_game_layer(layer->kind)->name);
    if (!region->x && !region->y && region->width == layer->as.tiles.width &&
        region->height == layer->as.tiles.height)
        return TM_OK;
    TM_TRY(tm_map_resize_layer(edit->map, address->index, address->layer, region->width, region->height,
                               -region->x, -region->y, error));
    tmi_edit_changed(edit, *address, 1, "cropped to %ux%u", (unsigned)region->width,
                     (unsigned)region->height);
    return TM_OK;
}

/* Crops the map to a region or to its used part, whose surroundings are empty; or layers to a region. */
tm_status tmi_edit_crop(tmi_edit *edit, tm_error *error)
{
    const tmi_edit_value *region = &edit->values[0], *layers = &edit->values[1];
    int64_t start[2] = {region->x, region->y}, size[2] = {region->width, region->height}, world[2];
    bool any = true;
    if (layers->text && (layers->width || region->width < MIN_SIDE || region->height < MIN_SIDE ||
                         region->x == INT32_MIN || region->y == INT32_MIN))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%.60s' cannot be cropped to '%.60s': whole layers can, to sides of at least 2",
                        layers->text, region->text);
    if (layers->text)
        return tmi_edit_each(edit, TM_KIND_LAYER, crop_layer, NULL, error);
    TM_TRY(world_of(edit, world, error));
    if (!region->text)
        TM_TRY(tmi_edit_used_region(&any, start, size, edit->map, error));
    if (!any)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map is empty: there is nothing to crop it to");
    if (start[0] >= world[0] || start[1] >= world[1] || start[0] + size[0] <= 0 || start[1] + size[1] <= 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%.60s' lies outside of the map, which has %lld x %lld tiles", region->text,
                        (long long)world[0], (long long)world[1]);
    reframing frame = reframing_of(edit, FILL_AIR, start[0], start[1]);
    return reframe_map(&frame, size, error);
}

/* Treats a design layer as the world, to which the size of the ctx is added; other objects move with it. */
static tm_status extend_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    reframing frame = *(const reframing *)edit->ctx;
    const tm_layer *layer = tmi_edit_layer_at(edit, address);
    const tm_layer_info *info = tm_game_layer(layer->kind);
    const tm_tile_layer *tiles = &layer->as.tiles;
    if (info->is_physics)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "physics layers are as large as the map: leave out LAYERS to extend that");
    if (!info->is_tiles) {
        if (frame.by[0] || frame.by[1])
            tmi_edit_changed(edit, *address, 1, "moved");
        return tmi_edit_move_elements(edit, address, frame.by, error);
    }
    frame.old_size[0] = tiles->width;
    frame.old_size[1] = tiles->height;
    for (int axis = 0; axis < 2; axis++) {
        if (frame.old_size[axis] > INT32_MAX - frame.size[axis])
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "%lld tiles are too many for one side",
                            (long long)frame.old_size[axis] + frame.size[axis]);
        frame.size[axis] += frame.old_size[axis];
    }
    TM_TRY(move_layer_tiles(&frame, address, error));
    if (tiles->width != frame.old_size[0] || tiles->height != frame.old_size[1])
        tmi_edit_changed(edit, *address, 1, "extended to %ux%u", (unsigned)tiles->width,
                         (unsigned)tiles->height);
    return TM_OK;
}

tm_status tmi_edit_extend(tmi_edit *edit, tm_error *error)
{
    static const filling fills[] = {FILL_AIR, FILL_EMPTY, FILL_EDGE, FILL_BORDER};
    enum { LEFT, RIGHT, UP };
    const uint32_t side = edit->values[0].number;
    const int32_t more = edit->values[1].x;
    const filling fill = edit->values[2].text ? fills[edit->values[2].number] : FILL_AIR;
    const tmi_edit_value *layers = &edit->values[3];
    const int axis = side >= UP;
    reframing frame =
        reframing_of(edit, fill, side == LEFT ? -(int64_t)more : 0, side == UP ? -(int64_t)more : 0);
    int64_t size[2];
    if (more < 1)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a map is extended by 1 tile at least, not by %ld",
                        (long)more);
    frame.size[axis] = (uint32_t)more;
    if (layers->width)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "whole layers are extended, not the part '%.60s'",
                        layers->text);
    if (layers->text)
        return tmi_edit_each(edit, TM_KIND_LAYER, extend_layer, &frame, error);
    TM_TRY(world_of(edit, size, error));
    size[axis] += more;
    return reframe_map(&frame, size, error);
}

/* ------------------------------------------------------------------------------------------------- shift */

/*
 * Chosen layers shift in their own grids or in a region of them: tiles that leave it are lost and reported,
 * or wrap to the other side.
 */
static tm_status shift_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    reframing *frame = edit->ctx;
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    if (tm_game_layer(layer->kind)->is_tiles) {
        const tm_rect part = tmi_edit_part_of(edit->value, layer->as.tiles.width, layer->as.tiles.height);
        frame->old_size[0] = frame->size[0] = part.width;
        frame->old_size[1] = frame->size[1] = part.height;
        if (!tmi_rect_is_empty(&part) && layer->as.tiles.tiles)
            TM_TRY(move_part(frame, layer, &part, error));
    } else if (!edit->value->width) {
        TM_TRY(tmi_edit_move_elements(edit, address, frame->by, error));
    }
    tmi_edit_changed(edit, *address, 1, "shifted");
    return TM_OK;
}

tm_status tmi_edit_shift(tmi_edit *edit, tm_error *error)
{
    const tmi_edit_value *values = edit->values;
    const bool wraps = values[1].text && values[1].number == 1;
    reframing frame =
        reframing_of(edit, wraps ? FILL_WRAP : FILL_AIR, -(int64_t)values[0].x, -(int64_t)values[0].y);
    int64_t size[2];
    if (!values[2].text) {
        TM_TRY(world_of(edit, size, error));
        return reframe_map(&frame, size, error);
    }
    frame.fill = wraps ? FILL_WRAP : FILL_EMPTY;
    TM_TRY(tmi_edit_each(edit, TM_KIND_LAYER, shift_layer, &frame, error));
    if (frame.lost)
        tmi_edit_report(edit, TM_FINDING_TILES_LOST, tmi_whole_map,
                        "%llu tiles were shifted out of their layers, and are gone",
                        (unsigned long long)frame.lost);
    return TM_OK;
}
