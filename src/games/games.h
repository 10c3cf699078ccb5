/* SPDX-License-Identifier: Zlib */
#ifndef TMI_GAMES_H
#define TMI_GAMES_H
/*
 * What the files of the room share.
 */
#include <teemap/games.h>
#include <teemap/settings.h>

#include "../base/base.h"

/*
 * The row of an index in a kind of layer, also where no game lets one place it: a stopper in a switch layer
 * does nothing, but turns with the map. NULL if the kind's tiles have no such index.
 */
const tm_tile_info *tmi_tile_in(tm_layer_kind kind, uint8_t index);

/* File systems take names of 255 bytes; this leaves room for what is appended to the name of an image. */
enum { TMI_IMAGE_NAME = 200 };

/* What views show of the world: about so many square px, at most so many px wide and high. */
enum { TMI_VIEW_AREA = 1150000, TMI_VIEW_WIDTH = 1500, TMI_VIEW_HEIGHT = 1050 };

/* ------------------------------------------------------------------------- of this library's rooms alone */

/* The kind of layers that has this name, of `size` bytes; false: none has it. */
bool tmi_layer_kind_named(tm_layer_kind *out, const char *name, size_t size);
/* What the number of a tile means; TM_NUMBER_NONE also for tiles that mean nothing. */
tm_tile_number tmi_tile_pool(tm_layer_kind kind, uint8_t index);
/* Zeroes the bytes of a tile that every game ignores or fills by itself; whether one of them was not zero. */
bool tmi_tile_zero_padding(tm_layer_kind kind, uint8_t *tile);
const tm_part_info *tmi_game_part(tm_part part); /* NULL for another number */
/* Whether maps of a game can hold a part of the model, or layers of a kind. */
bool tmi_game_holds(tm_game game, tm_part part);
bool tmi_game_holds_layer(tm_game game, tm_layer_kind kind);
const tm_uuid *tmi_game_uuid(tm_uuid_item item);
/* The one that does what `first` and then `second` do. */
tm_transform tmi_transform_join(tm_transform first, tm_transform second);
/* The n-th row of the table, by name; NULL after the last. */
const tm_shipped_image *tmi_game_shipped_image_at(uint32_t n);
/* The image whose drawing in Teeworlds 0.7 DDNet has under this name, "grass_main_0.7"; NULL: none. */
const tm_shipped_image *tmi_game_image_of_07(const char *name);

/*
 * Asks a provider for an image. *rgba NULL: it has none of this name, or what it has is no picture. Before,
 * *width and *height are what the map says.
 */
tm_status tmi_game_provide_image(uint8_t **rgba, uint32_t *width, uint32_t *height,
                                 tm_image_provider provider, void *ctx, const char *name, tm_game game,
                                 const tm_allocator *allocator, tm_error *error);
#define TMI_ART_SUFFIX "_0.7"
/* Whether a text is the name of a setting, a command or a tuning parameter, in capitals or not. */
bool tmi_game_same_setting(const char *text, const char *name);
/* Settings that other servers take for maps with DDNet's tiles: those of such mods of the table. */
bool tmi_game_is_setting_elsewhere(const char *name);
/* The n-th row of the table, by name; NULL after the last. */
const tm_setting_info *tmi_game_setting_at(uint32_t n);
/*
 * The n-th property that DDNet's lists of maps have, by name, and whether a map has it whose layers of a kind
 * have these tiles (kind * 256 + index); NULL after the last.
 */
const char *tmi_game_ddnet_property(uint32_t n, const bool present[TM_LAYER_KINDS * 256], bool *has);
/* The n-th tuning parameter: "gravity"; NULL after the last. */
const char *tmi_game_tuning_at(uint32_t n);
/* The setting or command of a name that servers take from a map; NULL: there is none. */
const tm_setting_info *tmi_game_setting(const char *name);
/* Whether there is a tuning parameter of this name. */
bool tmi_game_is_tuning(const char *name);

#endif
