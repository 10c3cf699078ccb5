/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DESCRIBE_MAP_H
#define CLI_DESCRIBE_MAP_H
/*
 * describe_map.h - a map as a whole: game, size, info, counts, features. Nothing here unpacks data.
 */
#include "json.h"

#include <teemap/mapfile.h>

/* The names of the features that a map uses. */
json_t *json_features(const tm_map *map);
/* All that `teemap info --json` tells of a map; with its groups and layers if wanted. */
void json_add_map(json_t *object, const tm_map *map, bool groups);

#endif
