/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_FIND_MOD_H
#define TMI_MAP_FIND_MOD_H
/*
 * The mod for which a map is made.
 */
#include <teemap/fields.h>
#include <teemap/mods.h>

#include "../base/base.h"

/* How many tiles of each index the game and the front layer have; other kinds are not looked at. */
typedef struct tmi_tile_counts {
    uint64_t counts[TM_LAYER_FRONT + 1][TM_TILE_INDICES];
} tmi_tile_counts;
/*
 * The mod of the table for which a map seems to be made; NULL: none. Either one whose tiles have other
 * meanings (TM_MOD_RULES_NONE), or one of the others. *by_name: groups, settings or images tell it.
 */
const tm_mod *tmi_map_mod(char *reason, size_t size, bool *by_name, const tm_map *map,
                          const tmi_tile_counts *tiles, bool with_own_tiles);
/* Whether some setting is a command of this name. */
bool tmi_map_has_command(const tm_map *map, const char *name);
/* Whether a mod of the table that adds to a game's tiles knows one of a game or front layer. */
bool tmi_is_tile_of_mods(tm_layer_kind kind, uint8_t index);

#endif
