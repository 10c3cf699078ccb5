/* SPDX-License-Identifier: Zlib */
/*
 * Tiles to write, in words.
 *
 *   tile = part { ":" part }
 *   part = index | id | number | name "=" value
 *
 * A number alone is the index in the first part and the number byte in the others. Parts not named stay.
 */
#include "query.h"

enum { LONGEST_PART = 64, CHECKPOINT_FILLER = 255 /* older games took tiles of number 0 for none */ };

/* ------------------------------------------------------------------------------------------- reading */

static void put_part(tmi_paint *out, tmi_tile_part part, int32_t value)
{
    out->has[part] = true;
    out->value[part] = value;
}

static tm_status read_id(tmi_paint *out, const char *word, tm_error *error)
{
    const tm_tile_info *info = tm_game_tile_by_id(word);
    char hint[64];
    tm_suggestion meant;
    if (!info) {
        tm_suggestion_begin(&meant, word);
        tmi_suggest_tiles(&meant);
        tm_suggestion_format(&meant, hint, sizeof(hint));
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a tile%s", word,
                        meant.best ? hint
                                   : ": an index from 0 to 255, a name like freeze ('teemap find --tiles' "
                                     "lists them), or air");
    }
    out->tile = info->index ? info : NULL; /* air is the same in all kinds of layers */
    put_part(out, TMI_PART_INDEX, info->index);
    return TM_OK;
}

static tm_status read_paint_number(tmi_paint *out, tmi_tile_part part, const char *text, tm_error *error)
{
    const char *end = text;
    tmi_value_range range;
    if (!tmi_part_take(&range, part, &end) || *end || range.from != range.to)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        part == TMI_PART_ANGLE ? "'%.60s' is not an angle from -32768 to 32767"
                        : part == TMI_PART_FLAGS
                            ? "'%.60s' is not flags: 0 to 255, none, or like flip_x+rotate"
                            : "'%.60s' is not a number from 0 to 255",
                        text);
    put_part(out, part, range.from);
    return TM_OK;
}

static bool begins_number(const char *text)
{
    return *text >= '0' && *text <= '9';
}

tm_status tmi_paint_parse(tmi_paint *out, const char *text, tm_error *error)
{
    memset(out, 0, sizeof(*out));
    for (bool first = true; text; first = false) {
        const char *start = text;
        char word[LONGEST_PART];
        if (!tmi_take_part(word, sizeof(word), &text, ':') || !word[0])
            return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a tile like freeze, 60 or tele-in:5",
                            start);
        const char *equals = strchr(word, '='), *value = equals ? equals + 1 : word;
        tmi_tile_part part = first || !begins_number(word) ? TMI_PART_INDEX : TMI_PART_NUMBER;
        if (equals && !tmi_part_find(&part, word, (size_t)(equals - word)))
            return tmi_fail(
                error, TM_ERROR_USAGE, -1,
                "'%.60s' is not a part of a tile; there are index=, number=, flags=, delay=, force=, max= "
                "and angle=",
                word);
        TM_TRY(part == TMI_PART_INDEX && !begins_number(value) ? read_id(out, value, error)
                                                               : read_paint_number(out, part, value, error));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- writing */

bool tmi_paint_suits(const tmi_paint *paint, tm_layer_kind kind)
{
    if (!tm_game_layer(kind)->is_tiles || (paint->tile && !paint->tile->layers[kind]))
        return false;
    for (int part = 0; part < TMI_TILE_PARTS; part++)
        if (paint->has[part] && tmi_tile_part_at(kind, (tmi_tile_part)part) == TM_NONE)
            return false;
    return true;
}

tm_status tmi_paint_check_whole(const tmi_paint *paint, tm_error *error)
{
    const tm_tile_info *info = paint->tile;
    if (!paint->has[TMI_PART_INDEX])
        return tmi_fail(error, TM_ERROR_USAGE, -1, "which tile? it needs an index or a name");
    if (!info)
        return TM_OK;
    const bool needs_number = info->number == TM_NUMBER_TELE || info->number == TM_NUMBER_CHECKPOINT ||
                              info->number == TM_NUMBER_ZONE;
    if (needs_number && !paint->value[TMI_PART_NUMBER])
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' needs a number from 1 to 255: %s:1", info->id,
                        info->id);
    if (info->category == TM_CATEGORY_SPEEDUP && !paint->value[TMI_PART_FORCE])
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%s' needs a force from 1 to 255, and may have an angle and a max: "
                        "%s:force=50:angle=90",
                        info->id, info->id);
    return TM_OK;
}

static void clear_byte(const tmi_paint *paint, tm_layer_kind kind, uint8_t *tile, tmi_tile_part part,
                       uint8_t value)
{
    const int at = tmi_tile_part_at(kind, part);
    if (at != TM_NONE && !paint->has[part])
        tile[at] = value;
}

void tmi_paint_put(const tmi_paint *paint, tm_layer_kind kind, void *tile)
{
    const tm_layer_info *layer = tm_game_layer(kind);
    uint8_t *bytes = tile;
    const uint8_t before = bytes[layer->index_at];
    if (paint->has[TMI_PART_INDEX] && paint->value[TMI_PART_INDEX] == 0)
        memset(bytes, 0, layer->element_size);
    for (int part = 0; part < TMI_TILE_PARTS; part++) {
        const int at = paint->has[part] ? tmi_tile_part_at(kind, (tmi_tile_part)part) : TM_NONE;
        const int16_t angle = (int16_t)paint->value[part];
        if (at != TM_NONE && part == TMI_PART_ANGLE)
            memcpy(bytes + at, &angle, sizeof(angle));
        else if (at != TM_NONE)
            bytes[at] = (uint8_t)paint->value[part];
    }
    if (bytes[layer->index_at] == before || bytes[layer->index_at] == 0)
        return;
    /* Clears what the new tile does not use: flags that games do not read, numbers and delays. */
    const tm_tile_info *info = tm_game_tile(TM_GAME_DDNET, kind, bytes[layer->index_at]);
    const bool turns =
        kind == TM_LAYER_TILES || (info && info->turn != TM_TURN_NONE && info->turn != TM_TURN_SPIN);
    if (info && !(kind == TM_LAYER_SWITCH ? info->keeps_flags : turns))
        clear_byte(paint, kind, bytes, TMI_PART_FLAGS, 0);
    if (info && info->number == TM_NUMBER_NONE)
        clear_byte(paint, kind, bytes, TMI_PART_NUMBER, kind == TM_LAYER_TELE ? CHECKPOINT_FILLER : 0);
    if (info && info->delay == TM_DELAY_NONE)
        clear_byte(paint, kind, bytes, TMI_PART_DELAY, 0);
    /* ... bytes that mean nothing, and the opaque flag, which depends on the picture of the tile. */
    const bool plain = kind == TM_LAYER_TILES || kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT;
    tmi_tile_zero_padding(kind, bytes);
    if (plain && !paint->has[TMI_PART_FLAGS])
        bytes[offsetof(tm_tile, flags)] &= (uint8_t)~TM_TILE_OPAQUE;
}
