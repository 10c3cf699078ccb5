/* SPDX-License-Identifier: Zlib */
#ifndef TMI_QUERY_H
#define TMI_QUERY_H
/*
 * Places and things of a map in words: what other rooms and the files of this one share.
 */
#include <teemap/query.h>

#include "../map/map.h"

/* ---------------------------------------------------------------------------- words for several objects */

/*
 * Whether a text fits a pattern of `size` bytes in which * stands for any run of bytes. A NULL text is
 * empty.
 */
bool tmi_glob_match(const char *pattern, size_t size, const char *text);
/* Whether an element is a range of indices: "3-5", or "3-" for all from 3 on (*last is UINT32_MAX then). */
bool tmi_element_range(const char *element, size_t size, uint32_t *first, uint32_t *last);
/* Whether an element of an address means an object: by index, range, name, or name with *. */
bool tmi_element_fits(const char *element, size_t size, uint32_t index, const char *name);
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
const char *tmi_tile_part_name(tmi_tile_part part);

/*
 * tm_select_layers where nothing is drawn: a percentage is refused. "Game@10,20" used to be taken for the
 * whole layers Game (at 10 %) and 20, by somebody who meant one tile.
 */
tm_status tmi_select_undrawn(tm_layer_choice *choices, const tm_map *map, const char *text, tm_error *error);

/* The digits that a text begins with, with a sign before them; what is behind them goes to *text. */
bool tmi_take_digits(uint32_t *out, const char **text);
bool tmi_take_number(int32_t *out, const char **text);
/* Whether a region is meant, well written or not: numbers with a + among them. */
bool tmi_is_like_region(const char *text);
/* ":name=value" or ":!name=value" behind a text: what a field of an object is to be. */
typedef struct tmi_field_filter {
    const char *name; /* NULL: there is none */
    const char *value;
    bool but;
} tmi_field_filter;
/* Cuts the last one off; TM_ERROR_USAGE if no such object has the field. */
tm_status tmi_field_filter_take(tmi_field_filter *out, char *text, tm_owner owner, tm_error *error);
bool tmi_field_filter_fits(const tmi_field_filter *filter, const tm_map *map, tm_owner owner,
                           const void *object);

/* Tries all names of tiles. */
void tmi_suggest_tiles(tm_suggestion *meant);
/* "X,Y+WIDTHxHEIGHT" in tiles; sizes of 1 at least. */
bool tmi_take_region(int32_t *x, int32_t *y, uint32_t *width, uint32_t *height, const char **text);

/* A tile to be written, in words: docs/patterns.md, "Tiles to write". */
typedef struct tmi_paint {
    const tm_tile_info *rule; /* of an id; NULL when the index is a number, or air, or stays */
    bool has[TMI_TILE_PARTS];
    int32_t value[TMI_TILE_PARTS];
} tmi_paint;
tm_status tmi_paint_parse(tmi_paint *out, const char *text, tm_error *error);
/* Whether a kind of layer can have such a tile. */
bool tmi_paint_suits(const tmi_paint *paint, tm_layer_kind kind);
/*
 * Writes it over a tile, of which all stays that it does not tell and that the new one uses; bytes that are
 * not used are written as DDNet's editor does: 0, and 255 as the number of teleporters to checkpoints.
 */
void tmi_paint_put(const tmi_paint *paint, tm_layer_kind kind, void *tile);
/*
 * TM_ERROR_USAGE when it leaves out what a tile that was air needs to do anything: a teleporter's number, a
 * speedup's force.
 */
tm_status tmi_paint_check_whole(const tmi_paint *paint, tm_error *error);

/* Whether it is about tiles, and not about objects or texts. */
bool tmi_pattern_of_tiles(const tm_pattern *pattern);

/*
 * The number that a server command names, and of which pool: `switch_open 5`. Commands stand in a row with
 * semicolons between; *from is the offset at which to look, and goes behind the number that was found.
 */
typedef struct tmi_setting_number {
    tm_tile_number pool;
    uint32_t number;
    size_t at, size; /* of the digits */
} tmi_setting_number;
bool tmi_setting_next(tmi_setting_number *out, const char *text, size_t *from);

#endif
