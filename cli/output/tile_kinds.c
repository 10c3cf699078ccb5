/* SPDX-License-Identifier: Zlib */
/*
 * tile_kinds.c - tiles that changed, counted by what they were and what they are.
 */
#include "tile_kinds.h"

#include <teemap/games.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INDICES = 256, PAIRS = INDICES * INDICES, MAX_KINDS = 6 };

/* The field that says what a tile is; NULL in layers that no game plays by. */
static const tm_field *index_field(const tm_patch_change *change)
{
    const tm_owner owner = tm_owner_of_elements(change->layer_kind);
    if (change->kind != TM_CHANGE_TILES || !(change->field->flags & TM_FIELD_ELEMENTS) ||
        !tm_game_layer(change->layer_kind)->is_physics || owner == TM_OWNER_COUNT)
        return NULL;
    const tm_field *type = tm_field_find(owner, "type");
    return type ? type : tm_field_find(owner, "index");
}

static void put_tile_name(text *out, tm_layer_kind kind, unsigned index)
{
    const tm_tile_info *info = tm_game_tile(TM_GAME_DDNET, kind, (uint8_t)index);
    for (int game = 0; !info && game < TM_GAME_COUNT; game++)
        info = tm_game_tile((tm_game)game, kind, (uint8_t)index);
    if (!info && kind == TM_LAYER_FRONT) /* it does nothing there */
        info = tm_game_tile(TM_GAME_DDNET, TM_LAYER_GAME, (uint8_t)index);
    if (index == 0)
        text_string(out, "air");
    else if (info)
        text_string(out, info->id);
    else
        text_print(out, "unknown %u", index);
}

static bool column_within(const tm_rect *within, int64_t x)
{
    return !within || (x >= within->x && x < (int64_t)within->x + within->width);
}

static bool row_within(const tm_rect *within, int64_t y)
{
    return !within || (y >= within->y && y < (int64_t)within->y + within->height);
}

/* Of `was` and `is` in one number how many there are. Returns their sum. */
static uint64_t count_kinds(uint32_t *counts, const tm_patch *patch, uint32_t index,
                            const tm_patch_change *change, const tm_field *field, const tm_rect *within)
{
    tm_run run;
    uint64_t sum = 0;
    for (uint32_t r = 0; tm_patch_run(&run, patch, index, r); r++) {
        for (uint32_t i = 0; i < run.num && row_within(within, run.y); i++) {
            if (!column_within(within, (int64_t)run.x + i))
                continue;
            sum++;
            const size_t at = (size_t)i * change->element_size;
            const tm_value was = tm_field_get(field, (const uint8_t *)run.before + at, 0);
            const tm_value is = tm_field_get(field, (const uint8_t *)run.after + at, 0);
            counts[(was.as.number & 0xff) * INDICES + (is.as.number & 0xff)]++;
        }
    }
    return sum;
}

/* The kind of which there are most, and the first of several; none: 0 of it. */
static uint32_t most_of(const uint32_t *counts)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < PAIRS; i++)
        if (counts[i] > counts[best])
            best = i;
    return best;
}

void put_tile_kinds_in(text *out, const tm_patch *patch, uint32_t index, const tm_patch_change *change,
                       const tm_rect *within)
{
    const tm_field *field = index_field(change);
    if (!field || !change->num)
        return;
    uint32_t *counts = must_alloc(PAIRS, sizeof(*counts));
    memset(counts, 0, PAIRS * sizeof(*counts));
    uint64_t left = count_kinds(counts, patch, index, change, field, within);
    for (unsigned n = 0; n < MAX_KINDS; n++) {
        const uint32_t best = most_of(counts);
        const uint32_t num = counts[best];
        if (!num)
            break;
        text_string(out, n ? ", " : "");
        put_tile_name(out, change->layer_kind, best / INDICES);
        text_string(out, best / INDICES == best % INDICES ? " with other values" : " -> ");
        if (best / INDICES != best % INDICES)
            put_tile_name(out, change->layer_kind, best % INDICES);
        text_print(out, " %" PRIu32, num);
        counts[best] = 0;
        left -= num;
    }
    if (left)
        text_print(out, ", %" PRIu64 " others", left);
    free(counts);
}

void put_tile_kinds(text *out, const tm_patch *patch, uint32_t index, const tm_patch_change *change)
{
    if (!index_field(change) || !change->num)
        return;
    text_string(out, "    ");
    put_tile_kinds_in(out, patch, index, change, NULL);
    text_string(out, "\n");
}
