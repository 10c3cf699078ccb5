/* SPDX-License-Identifier: Zlib */
/*
 * tile_kinds.c - tiles that changed, counted by what they were and what they are.
 */
#include "tile_kinds.h"

#include <teemap/rules.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INDICES = 256, PAIRS = INDICES * INDICES, MOST_KINDS = 6 };

/* The field that says what a tile is; NULL in layers that no game plays by. */
static const tm_field *index_field(const tm_patch_change *change)
{
    const tm_owner owner = tm_owner_of_elements(change->layer_kind);
    if (change->kind != TM_CHANGE_TILES || !(change->field->flags & TM_FIELD_ELEMENTS) ||
        !tm_rules_layer(change->layer_kind)->is_physics || owner == TM_OWNER_COUNT)
        return NULL;
    const tm_field *type = tm_field_find(owner, "type");
    return type ? type : tm_field_find(owner, "index");
}

static void put_tile_name(text *out, tm_layer_kind kind, unsigned index)
{
    const tm_tile_rule *rule = tm_rules_tile(TM_GAME_DDNET, kind, (uint8_t)index);
    for (int game = 0; !rule && game < TM_GAME_COUNT; game++)
        rule = tm_rules_tile((tm_game)game, kind, (uint8_t)index);
    if (!rule && kind == TM_LAYER_FRONT) /* it does nothing there */
        rule = tm_rules_tile(TM_GAME_DDNET, TM_LAYER_GAME, (uint8_t)index);
    if (index == 0)
        text_string(out, "air");
    else if (rule)
        text_string(out, rule->id);
    else
        text_print(out, "unknown %u", index);
}

/* Of `was` and `is` in one number how many there are. */
static void count_kinds(uint32_t *counts, const tm_patch *patch, uint32_t index,
                        const tm_patch_change *change, const tm_field *field)
{
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(patch, index, r, &run); r++) {
        for (uint32_t i = 0; i < run.num; i++) {
            const size_t at = (size_t)i * change->element_size;
            const tm_value was = tm_field_get(field, (const uint8_t *)run.before + at, 0);
            const tm_value is = tm_field_get(field, (const uint8_t *)run.after + at, 0);
            counts[(was.as.number & 0xff) * INDICES + (is.as.number & 0xff)]++;
        }
    }
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

void put_tile_kinds(text *out, const tm_patch *patch, uint32_t index, const tm_patch_change *change)
{
    const tm_field *field = index_field(change);
    if (!field || !change->num)
        return;
    uint32_t *counts = must_alloc(PAIRS, sizeof(*counts));
    uint64_t left = change->num;
    memset(counts, 0, PAIRS * sizeof(*counts));
    count_kinds(counts, patch, index, change, field);
    for (unsigned n = 0; n < MOST_KINDS; n++) {
        const uint32_t best = most_of(counts);
        const uint32_t num = counts[best];
        if (!num)
            break;
        text_string(out, n ? ", " : "    ");
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
    text_string(out, "\n");
    free(counts);
}
