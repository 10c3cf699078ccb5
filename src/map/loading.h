/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_LOADING_H
#define TMI_MAP_LOADING_H
/*
 * What loaders need: arrays of a given length, which they fill, and fields that only they set.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "map_private.h"

/*
 * tmi_field_set_any for those who make objects from nothing: also sets what otherwise only a setter changes
 * (kinds, sizes), but no lists and blocks.
 */
tm_status tmi_field_make(tm_map *map, void *object, const tm_field *field, uint32_t index,
                         const tm_value *value, tm_error *error);

/*
 * Makes the arrays of an empty map or group `num` zeroed elements long, all at once; the loader fills them.
 * References in zeroed layers are 0: the loader sets them.
 */
tm_status tmi_map_reserve(tm_map *map, tm_kind kind, uint32_t num, tm_error *error);
tm_status tmi_group_reserve(tm_map *map, tm_group *group, uint32_t num_layers, tm_error *error);
/* Makes room for the points of an envelope, zeroed. */
tm_status tmi_envelope_reserve(tm_map *map, tm_envelope *envelope, uint32_t num_points, tm_error *error);
/* Ends the use of its points, which are those of no envelope or common ones afterwards. */
void tmi_envelope_release_points(tm_map *map, tm_envelope *envelope);
/* Makes zeroed points for all envelopes of a map that is loaded; an envelope then points into them. */
tm_status tmi_map_make_common_points(tm_map *map, uint32_t num, tm_error *error);
static inline bool tmi_points_are_common(const tm_map *map, const tm_envelope *envelope)
{
    const tmi_common_points *common = map->priv->common_points;
    return common && envelope->num_points && envelope->points >= common->points &&
           envelope->points < common->points + common->num;
}
/* Before its points are written: gives it a copy of those that it has in common with others. */
tm_status tmi_envelope_own(tm_map *map, tm_envelope *envelope, tm_error *error);
/* Makes room for the settings, all NULL. */
tm_status tmi_settings_reserve(tm_map *map, uint32_t num, tm_error *error);

#endif
