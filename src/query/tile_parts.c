/* SPDX-License-Identifier: Zlib */
/*
 * What a tile is made of, in words: which parts there are, where they stand, and how numbers, names and
 * regions in texts are read. What patterns and tiles to write have in common.
 */
#include "tile_parts.h"

static const char *const part_names[TMI_TILE_PARTS] = {
    [TMI_PART_INDEX] = "index", [TMI_PART_NUMBER] = "number", [TMI_PART_FLAGS] = "flags",
    [TMI_PART_DELAY] = "delay", [TMI_PART_FORCE] = "force",   [TMI_PART_MAX_SPEED] = "max",
    [TMI_PART_ANGLE] = "angle",
};

const char *tmi_tile_part_name(tmi_tile_part part)
{
    return (unsigned)part < TMI_TILE_PARTS ? part_names[part] : NULL;
}

int tmi_tile_part_at(tm_layer_kind kind, tmi_tile_part part)
{
    const tm_layer_info *rule = tm_game_layer(kind);
    const bool speedup = kind == TM_LAYER_SPEEDUP;
    switch (part) {
    case TMI_PART_INDEX: return rule->index_at;
    case TMI_PART_NUMBER: return rule->number_at;
    case TMI_PART_FLAGS: return rule->flags_at;
    case TMI_PART_DELAY: return rule->delay_at;
    case TMI_PART_FORCE: return speedup ? (int)offsetof(tm_speedup_tile, force) : TM_NONE;
    case TMI_PART_MAX_SPEED: return speedup ? (int)offsetof(tm_speedup_tile, max_speed) : TM_NONE;
    case TMI_PART_ANGLE: return speedup ? (int)offsetof(tm_speedup_tile, angle) : TM_NONE;
    case TMI_TILE_PARTS: break;
    }
    return TM_NONE;
}

/* -------------------------------------------------------------------------------------------------- texts */

bool tmi_take_digits(uint32_t *out, const char **text)
{
    uint64_t number = 0;
    const char *from = *text;
    for (; **text >= '0' && **text <= '9' && number <= INT32_MAX; (*text)++)
        number = number * 10 + (uint64_t)(**text - '0');
    *out = (uint32_t)number;
    return *text > from && number <= INT32_MAX;
}

bool tmi_take_number(int32_t *out, const char **text)
{
    const bool minus = **text == '-';
    uint32_t number = 0;
    *text += minus || **text == '+';
    if (!tmi_take_digits(&number, text))
        return false;
    *out = minus ? -(int32_t)number : (int32_t)number;
    return true;
}

static bool take_sign(char sign, const char **text)
{
    const bool there = **text == sign;
    *text += there;
    return there;
}

bool tmi_take_region(int32_t *x, int32_t *y, uint32_t *width, uint32_t *height, const char **text)
{
    return tmi_take_number(x, text) && take_sign(',', text) && tmi_take_number(y, text) &&
           take_sign('+', text) && tmi_take_digits(width, text) && take_sign('x', text) &&
           tmi_take_digits(height, text) && *width && *height;
}

bool tmi_is_like_region(const char *text)
{
    return strchr(text, '+') && text[strspn(text, "-0123456789,.+xX")] == '\0';
}

void tmi_suggest_tiles(tm_suggestion *meant)
{
    const tm_tile_info *rule;
    tm_suggestion_try(meant, "air");
    for (uint32_t n = 0; (rule = tm_game_tile_at(n)); n++)
        tm_suggestion_try(meant, rule->id);
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
        const size_t size = strlen(flag_names[i].name);
        if (strncmp(*text, flag_names[i].name, size) != 0)
            continue;
        *text += size;
        *flags |= flag_names[i].bit;
        return true;
    }
    return false;
}

/* "none", "flip_x+rotate" */
static bool take_flags(int32_t *out, const char **text)
{
    *out = 0;
    if (strncmp(*text, "none", 4) == 0) {
        *text += 4;
        return true;
    }
    do
        if (!take_flag(out, text))
            return false;
    while (take_sign('+', text));
    return true;
}

static bool take_value(int32_t *out, tmi_tile_part part, const char **text)
{
    if (part == TMI_PART_FLAGS && !(**text >= '0' && **text <= '9'))
        return take_flags(out, text);
    return tmi_take_number(out, text);
}

bool tmi_part_take(tmi_value_range *out, tmi_tile_part part, const char **text)
{
    const tmi_value_range whole = tmi_part_range(part);
    const bool open = strncmp(*text, "..", 2) == 0;
    *out = whole;
    if (!open && !take_value(&out->from, part, text))
        return false;
    if (strncmp(*text, "..", 2) == 0) {
        *text += 2;
        if (**text && **text != ',' && !take_value(&out->to, part, text))
            return false;
    } else {
        out->to = out->from;
    }
    return out->from <= out->to && out->from >= whole.from && out->to <= whole.to;
}

tmi_value_range tmi_part_range(tmi_tile_part part)
{
    return part == TMI_PART_ANGLE ? (tmi_value_range){INT16_MIN, INT16_MAX} : (tmi_value_range){0, UINT8_MAX};
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
