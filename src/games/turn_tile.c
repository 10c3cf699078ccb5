/* SPDX-License-Identifier: Zlib */
/*
 * What a tile becomes when its map is mirrored or turned. A transform is done in its steps: mirror
 * left-right, mirror top-bottom, quarter turn clockwise. For each way of turning a table says what each step
 * makes of the flags that are a direction; the others stay.
 */
#include "games.h"

#include "tile_rows.h"

enum { STEP_X, STEP_Y, STEP_QUARTER, NUM_STEPS };

/* The flags that are a direction, and the bytes that they lead to in the tables below. */
enum { DIRECTION = TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE, NUM_DIRECTIONS = DIRECTION + 1 };

/*
 * Pictures: a mirror toggles its flag, or the other mirror's when the picture is turned, since mirrors act
 * first; a quarter turn on top of another is both mirrors. Arrows: mirrors change what lies along their axis
 * only. Shots: 0, 3 and 8 are what they are, all else counts as 11.
 */
static const uint8_t flags_after[][NUM_STEPS][NUM_DIRECTIONS] = {
    /* flags before      0   1  2  3              8   9   10 11 */
    [TM_TURN_PICTURE] = {{1, 0, 3, 2, 0, 0, 0, 0, 10, 11, 8, 9},
                         {2, 3, 0, 1, 0, 0, 0, 0, 9, 8, 11, 10},
                         {8, 9, 10, 11, 0, 0, 0, 0, 3, 2, 1, 0}},
    [TM_TURN_ARROW] = {{0, 1, 2, 3, 0, 0, 0, 0, 11, 10, 9, 8},
                       {3, 2, 1, 0, 0, 0, 0, 0, 8, 9, 10, 11},
                       {8, 9, 10, 11, 0, 0, 0, 0, 3, 2, 1, 0}},
    [TM_TURN_SHOT] = {{0, 8, 8, 3, 0, 0, 0, 0, 11, 8, 8, 8},
                      {3, 11, 11, 0, 0, 0, 0, 0, 8, 11, 11, 11},
                      {11, 3, 3, 8, 0, 0, 0, 0, 0, 3, 3, 3}},
};

static bool has_step(tm_transform transform, int step)
{
    return (unsigned)transform >> step & 1;
}

static uint8_t turn_flags(tm_tile_turn how, uint8_t flags, tm_transform transform)
{
    uint8_t direction = flags & DIRECTION;
    for (int step = 0; step < NUM_STEPS; step++)
        if (has_step(transform, step))
            direction = flags_after[how][step][direction];
    return (uint8_t)((flags & ~DIRECTION) | direction);
}

static tm_tile_turn turn_of(tm_layer_kind kind, uint8_t index)
{
    if (kind == TM_LAYER_TILES)
        return index ? TM_TURN_PICTURE : TM_TURN_NONE;
    if (kind == TM_LAYER_SPEEDUP)
        return TM_TURN_ANGLE;
    const tm_tile_info *tile = tmi_tile_in(kind, index);
    return tile ? tile->turn : TM_TURN_NONE;
}

static void turn_speedup(void *tile, tm_transform transform)
{
    tm_speedup_tile speedup;
    memcpy(&speedup, tile, sizeof(speedup));
    if (!speedup.force && !speedup.type) /* an empty tile stays all zero */
        return;
    int angle = speedup.angle; /* degrees, 0 to the right, clockwise */
    if (has_step(transform, STEP_X))
        angle = 180 - angle;
    if (has_step(transform, STEP_Y))
        angle = -angle;
    if (has_step(transform, STEP_QUARTER))
        angle += 90;
    speedup.angle = (int16_t)((angle % 360 + 360) % 360);
    memcpy(tile, &speedup, sizeof(speedup));
}

void tm_game_turn_tile(tm_layer_kind kind, void *tile, tm_transform transform)
{
    const tm_layer_info *layer = tm_game_layer(kind);
    if (!tile || !layer->is_tiles || transform == TM_TRANSFORM_NONE ||
        (unsigned)transform >= TM_TRANSFORM_COUNT)
        return;
    uint8_t *bytes = tile, *index = bytes + layer->index_at;
    const tm_tile_turn how = turn_of(kind, *index);
    switch (how) {
    case TM_TURN_NONE: break;
    case TM_TURN_PICTURE:
    case TM_TURN_ARROW:
    case TM_TURN_SHOT: bytes[layer->flags_at] = turn_flags(how, bytes[layer->flags_at], transform); break;
    case TM_TURN_SPIN: /* from the fastest laser against the clock to the fastest one with it */
        if (has_step(transform, STEP_X) != has_step(transform, STEP_Y))
            *index = (uint8_t)(TMI_FIRST_SPIN + TMI_LAST_SPIN - *index);
        break;
    case TM_TURN_ANGLE: turn_speedup(tile, transform); break;
    }
}

/* ------------------------------------------------------------------------------------------- transforms */

tm_transform tmi_transform_join(tm_transform first, tm_transform second)
{
    /* A transform is what the flags of a picture are, but for the places of the bits. */
    const uint8_t rotate = has_step(first, STEP_QUARTER) ? TM_TILE_ROTATE : 0;
    const uint8_t flags = turn_flags(TM_TURN_PICTURE, (uint8_t)(((unsigned)first & 3) | rotate), second);
    return (tm_transform)((flags & 3) | (flags & TM_TILE_ROTATE ? 1 << STEP_QUARTER : 0));
}
