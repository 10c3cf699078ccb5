/* SPDX-License-Identifier: Zlib */
#ifndef TMI_QUERY_H
#define TMI_QUERY_H
/*
 * Places and things of a map in words: what other rooms and the files of this one share.
 */
#include <teemap/query.h>

#include "../map/map.h"
#include "../text/text.h"

/* ---------------------------------------------------------------------------- words for several objects */

/* Whether an address has a range or a * that stands for something: it leads nowhere as it stands. */
bool tmi_address_is_wide(const tm_map *map, const char *text);

/* ---------------------------------------------------------------------------------------- tiles in words */

/* What a tile is made of. The angle is 16 bits, all others are bytes. */
typedef enum tmi_tile_part {
    TMI_PART_INDEX,
    TMI_PART_NUMBER,
    TMI_PART_FLAGS,
    TMI_PART_DELAY,
    TMI_PART_FORCE,
    TMI_PART_MAX_SPEED,
    TMI_PART_ANGLE,
    TMI_TILE_PARTS
} tmi_tile_part;
/* Where in a tile of a kind a part stands; TM_NONE: it has none. */
int tmi_tile_part_at(tm_layer_kind kind, tmi_tile_part part);
typedef struct tmi_value_range {
    int32_t from, to;
} tmi_value_range;
/* "5", "5..9", "5..", "..9", for flags also "flip_x+rotate" and "none"; ends at a comma or the end. */
bool tmi_part_take(tmi_value_range *out, tmi_tile_part part, const char **text);
/* "delay" and so on. */
bool tmi_part_find(tmi_tile_part *out, const char *name, size_t size);

/*
 * tm_select_layers where nothing is drawn: refuses percentages, so that "Game@10,20", of somebody who means
 * one tile, is not taken for the whole layers Game (at 10 %) and 20.
 */
tm_status tmi_select_undrawn(tm_layer_choice *choices, const tm_map *map, const char *text, tm_error *error);

/* ":name=value" and ":!name=value" behind a word: what fields of an object are to be. */
enum { TMI_FILTERS = 8 };
typedef struct tmi_filters {
    uint32_t num;
    struct tmi_filter {
        const char *name, *value;
        bool but;
    } list[TMI_FILTERS];
} tmi_filters;
/* Cuts all of them off the text, in which they stay; TM_ERROR_USAGE if no such object has the field. */
tm_status tmi_filters_take(tmi_filters *out, char *text, tm_kind owner, tm_error *error);
/* Whether a text ends with what reads as a filter. */
bool tmi_has_filter(const char *text);
bool tmi_filters_fit(const tmi_filters *filters, const tm_map *map, tm_kind owner, const void *object);

/* Tries all names of tiles. */
void tmi_suggest_tiles(tm_suggestion *meant);
/* A tile to be written, in words: docs/patterns.md, "Tiles to write". */
typedef struct tmi_paint {
    const tm_tile_info *tile; /* of an id; NULL when the index is a number, or air, or stays */
    bool has[TMI_TILE_PARTS];
    int32_t value[TMI_TILE_PARTS];
} tmi_paint;
tm_status tmi_paint_parse(tmi_paint *out, const char *text, tm_error *error);
/* Whether a kind of layer can have such a tile. */
bool tmi_paint_suits(const tmi_paint *paint, tm_layer_kind kind);
/*
 * Writes a tile over another. Bytes that the words do not name stay if the new tile uses them; the others
 * become what DDNet's editor writes: 0, and 255 as the number of teleporters to checkpoints.
 */
void tmi_paint_put(const tmi_paint *paint, tm_layer_kind kind, void *tile);
/* TM_ERROR_USAGE if the tile would do nothing in the place of air: a teleporter without a number, ... */
tm_status tmi_paint_check_whole(const tmi_paint *paint, tm_error *error);

/* Whether it is about tiles, and not about objects or texts. */
bool tmi_pattern_of_tiles(const tm_pattern *pattern);

/*
 * The next number that a command names, and of which pool: `switch_open 5`. *from is the offset at which to
 * look, and moves behind the command. False when there is none.
 */
typedef struct tmi_setting_number {
    tm_tile_number pool;
    uint32_t number;
    size_t at, size; /* of the digits */
} tmi_setting_number;
bool tmi_setting_next(tmi_setting_number *out, const char *text, size_t *position);
/* Numbers of tiles that settings may name too, by pool: tm_tile_number up to TM_NUMBER_ZONE. */
enum { TMI_POOLS = TM_NUMBER_ZONE + 1, TMI_NUMBERS = 256 };
/* Marks the numbers that settings of the map name: all settings, or those that fit a pattern. Returns whether
   a setting fits. */
bool tmi_settings_numbers(bool named[][TMI_NUMBERS], const tm_map *map, const char *pattern);

#endif
