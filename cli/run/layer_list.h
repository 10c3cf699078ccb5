/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LAYER_LIST_H
#define CLI_LAYER_LIST_H
/*
 * layer_list.h - what --layers and --entities say: which layers of a map are drawn, and how strongly.
 */
#include "options/command.h"

/*
 * Sets *out to one factor for each layer of the map, in file order, as tm_camera takes them; to NULL when the
 * options ask for nothing but the design. *none: a list is given, but the map has no layer of it. *out is the
 * caller's to free. TM_ERROR_USAGE or TM_ERROR_NOT_FOUND names the word of the list that means nothing.
 */
tm_status layers_choose(float **out, bool *none, const picture_options *options, const tm_map *map,
                        tm_error *error);
/* Whether physics layers are among those that are drawn. */
bool layers_hold_physics(const float *opacities, const tm_map *map);

#endif
