/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RULES_H
#define TMI_RULES_H
/*
 * What the files of the room share.
 */
#include <teemap/rules.h>
#include <teemap/settings.h>

#include "../base/base.h"

/*
 * The row of an index in a kind of layer, also where no game lets one place it: a stopper in a switch layer
 * does nothing, but turns with the map. NULL if the kind's tiles have no such index.
 */
const tm_tile_rule *tmi_tile_in(tm_layer_kind kind, uint8_t index);

/* File systems take names of 255 bytes; this leaves room for what is appended to the name of an image. */
enum { TMI_IMAGE_NAME = 200 };

/* What views show of the world: about so many square px, at most so many px wide and high. */
enum { TMI_VIEW_AREA = 1150000, TMI_VIEW_WIDTH = 1500, TMI_VIEW_HEIGHT = 1050 };

/* ------------------------------------------------------------------------- of this library's rooms alone */

const tm_part_rule *tmi_rules_part(tm_part part); /* NULL for another number */
/* Whether maps of a game can hold a part of the model, or layers of a kind. */
bool tmi_rules_holds(tm_game game, tm_part part);
/* Whether maps of a game can hold a part of the model, or layers of a kind. */
bool tmi_rules_holds_layer(tm_game game, tm_layer_kind kind);
const tm_uuid *tmi_rules_uuid(tm_uuid_item item);
/* The one that does what `first` and then `second` do. */
tm_transform tmi_transform_join(tm_transform first, tm_transform second);
/* The one that undoes it. */
tm_transform tmi_transform_inverse(tm_transform transform);
/* The n-th row of the table, by name; NULL behind the last. */
const tm_shipped_image *tmi_rules_shipped_image_at(uint32_t n);
/* The n-th row of the table, by name; NULL behind the last. */
const tm_setting_rule *tmi_rules_setting_at(uint32_t n);
/* The n-th tuning parameter: "gravity"; NULL behind the last. */
const char *tmi_rules_tuning_at(uint32_t n);

#endif
