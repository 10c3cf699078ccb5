/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RULES_H
#define TMI_RULES_H
/*
 * What the files of the room share.
 */
#include <teemap/rules.h>

#include "base/base.h"

/*
 * The row of an index in a kind of layer, also where no game lets one place it: a stopper in a switch layer
 * does nothing, but turns with the map. NULL if the kind's tiles have no such index.
 */
const tm_tile_rule *tmi_tile_in(tm_layer_kind kind, uint8_t index);

/* File systems take names of 255 bytes; this leaves room for what is appended to the name of an image. */
enum { TMI_IMAGE_NAME = 200 };

/* What views show of the world: about so many square px, at most so many px wide and high. */
enum { TMI_VIEW_AREA = 1150000, TMI_VIEW_WIDTH = 1500, TMI_VIEW_HEIGHT = 1050 };

#endif
