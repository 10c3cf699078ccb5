/* SPDX-License-Identifier: Zlib */
/*
 * Tiles that changed in layers that the games play by, counted by what they were and what they are: "air ->
 * freeze 12", as a referee asks.
 */
#include "patch.h"

#include <inttypes.h>

enum { INDICES = 256, PAIRS = INDICES * INDICES, MAX_KINDS = 6 };

/* The field that says what a tile is; NULL in layers that no game plays by. */
static const tm_field *index_field(const tm_patch_change *change)
{
    const tm_kind owner = tm_kind_of_elements(change->layer_kind);
    if (change->kind != TM_CHANGE_TILES || !(change->field->flags & TM_FIELD_ELEMENTS) ||
        !tm_game_layer(change->layer_kind)->is_physics || owner == TM_KINDS)
        return NULL;
    const tm_field *type = tm_field_find(owner, "type");
    return type ? type : tm_field_find(owner, "index");
}

static void add_tile_name(tmi_line *out, tm_layer_kind kind, unsigned index)
{
    const tm_tile_info *info = tm_game_tile(TM_GAME_DDNET, kind, (uint8_t)index);
    for (int game = 0; !info && game < TM_GAME_COUNT; game++)
        info = tm_game_tile((tm_game)game, kind, (uint8_t)index);
    if (!info && kind == TM_LAYER_FRONT) /* it does nothing there */
        info = tm_game_tile(TM_GAME_DDNET, TM_LAYER_GAME, (uint8_t)index);
    if (index == 0 || info)
        tmi_line_add(out, "%s", index ? info->id : "air");
    else
        tmi_line_add(out, "unknown %u", index);
}

static void add_kinds(tmi_line *out, tm_layer_kind kind, uint32_t *counts, uint64_t left)
{
    for (unsigned n = 0; n < MAX_KINDS; n++) {
        uint32_t best = 0; /* the kind with the highest count, the first of several */
        for (uint32_t i = 1; i < PAIRS; i++)
            if (counts[i] > counts[best])
                best = i;
        const uint32_t num = counts[best];
        if (!num)
            break;
        tmi_line_add(out, "%s", n ? ", " : "");
        add_tile_name(out, kind, best / INDICES);
        tmi_line_add(out, "%s", best / INDICES == best % INDICES ? " with other values" : " -> ");
        if (best / INDICES != best % INDICES)
            add_tile_name(out, kind, best % INDICES);
        tmi_line_add(out, " %" PRIu32, num);
        counts[best] = 0;
        left -= num;
    }
    if (left)
        tmi_line_add(out, ", %" PRIu64 " others", left);
}

tm_status tm_patch_tell_tiles(char *buffer, size_t size, const tm_patch *patch, uint32_t index,
                              const tm_rect *area, tm_error *error)
{
    tmi_line line = {{0}, 0};
    tm_patch_change change;
    uint32_t *counts; /* of changed tiles, by their index before and after, which are one number */
    uint64_t sum = 0;
    tm_run run;
    tmi_format(buffer, size, "%s", "");
    TM_TRY(tmi_need(patch, "patch", error));
    const tm_field *field = tm_patch_at(&change, patch, index) && change.num ? index_field(&change) : NULL;
    if (!field)
        return TM_OK;
    TM_TRY(tmi_reserve_zeroed(&counts, tmi_patch_allocator(patch), PAIRS, sizeof(*counts), "tiles", error));
    for (uint32_t r = 0; tm_patch_run(&run, patch, index, r); r++)
        for (uint32_t i = 0; i < run.num; i++) {
            if (area && !tmi_rect_has(area, (int64_t)run.x + i, run.y))
                continue;
            const size_t at = (size_t)i * change.element_size;
            const tm_value was = tm_field_get(field, (const uint8_t *)run.before + at, 0);
            const tm_value is = tm_field_get(field, (const uint8_t *)run.after + at, 0);
            counts[(was.as.number & 0xff) * INDICES + (is.as.number & 0xff)]++;
            sum++;
        }
    add_kinds(&line, change.layer_kind, counts, sum);
    tmi_free(tmi_patch_allocator(patch), counts, PAIRS, sizeof(*counts));
    tmi_format(buffer, size, "%s", line.text);
    return TM_OK;
}
