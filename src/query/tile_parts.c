/* SPDX-License-Identifier: Zlib */
/*
 * What a tile is made of, in words: which parts there are, where they stand, and how numbers, names and
 * regions in texts are read. What patterns and tiles to write have in common.
 */
#include "query.h"

static const char *const part_names[TMI_TILE_PARTS] = {
    [TMI_PART_INDEX] = "index", [TMI_PART_NUMBER] = "number", [TMI_PART_FLAGS] = "flags",
    [TMI_PART_DELAY] = "delay", [TMI_PART_FORCE] = "force",   [TMI_PART_MAX_SPEED] = "max",
    [TMI_PART_ANGLE] = "angle",
};

int tmi_tile_part_at(tm_layer_kind kind, tmi_tile_part part)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const bool speedup = kind == TM_LAYER_SPEEDUP;
    switch (part) {
    case TMI_PART_INDEX: return info->index_at;
    case TMI_PART_NUMBER: return info->number_at;
    case TMI_PART_FLAGS: return info->flags_at;
    case TMI_PART_DELAY: return info->delay_at;
    case TMI_PART_FORCE: return speedup ? (int)offsetof(tm_speedup_tile, force) : TM_NONE;
    case TMI_PART_MAX_SPEED: return speedup ? (int)offsetof(tm_speedup_tile, max_speed) : TM_NONE;
    case TMI_PART_ANGLE: return speedup ? (int)offsetof(tm_speedup_tile, angle) : TM_NONE;
    case TMI_TILE_PARTS: break;
    }
    return TM_NONE;
}

/* -------------------------------------------------------------------------------------------------- texts */

void tmi_suggest_tiles(tm_suggestion *meant)
{
    const tm_tile_info *info;
    tm_suggestion_try(meant, "air");
    for (uint32_t n = 0; (info = tm_game_tile_at(n)); n++)
        tm_suggestion_try(meant, info->id);
}

/* ------------------------------------------------------------------------------------------------- values */

static const struct {
    const char *name;
    uint8_t bit;
} flag_names[] = {{"flip_x", TM_TILE_FLIP_X},
                  {"flip_y", TM_TILE_FLIP_Y},
                  {"opaque", TM_TILE_OPAQUE},
                  {"rotate", TM_TILE_ROTATE}};

static bool take_flag(int32_t *flags, const char **text)
{
    for (size_t i = 0; i < TMI_COUNT_OF(flag_names); i++) {
        if (tmi_take_word(flag_names[i].name, text)) {
            *flags |= flag_names[i].bit;
            return true;
        }
    }
    return false;
}

/* "none", "flip_x+rotate" */
static bool take_flags(int32_t *out, const char **text)
{
    *out = 0;
    if (tmi_take_word("none", text))
        return true;
    do
        if (!take_flag(out, text))
            return false;
    while (tmi_take_word("+", text));
    return true;
}

bool tmi_part_take(tmi_value_range *out, tmi_tile_part part, const char **text)
{
    const tmi_value_range whole =
        part == TMI_PART_ANGLE ? (tmi_value_range){INT16_MIN, INT16_MAX} : (tmi_value_range){0, UINT8_MAX};
    *out = whole;
    if (part == TMI_PART_FLAGS && !tmi_begins_range(*text)) {
        if (!take_flags(&out->from, text))
            return false;
        out->to = out->from;
    } else if (!tmi_take_range(&out->from, &out->to, text)) {
        return false;
    }
    return out->from <= out->to && out->from >= whole.from && out->to <= whole.to;
}

bool tmi_part_find(tmi_tile_part *out, const char *name, size_t size)
{
    for (int part = 0; part < TMI_TILE_PARTS; part++) {
        if (strlen(part_names[part]) == size && memcmp(part_names[part], name, size) == 0) {
            *out = (tmi_tile_part)part;
            return true;
        }
    }
    return false;
}
