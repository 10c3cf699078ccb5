/* SPDX-License-Identifier: Zlib */
/*
 * Appending another map: its groups go in front of the map's own, with all objects that they use, and its
 * settings. Physics tiles are only added, to the map's physics layers, if they are named.
 */
#include "edit_other_map.h"

static tm_status append_group(tmi_other *other, uint32_t from, tm_error *error)
{
    const uint32_t at = other->map->num_groups;
    uint32_t num = 0;
    for (uint32_t i = 0; i < other->from->groups[from].num_layers; i++) {
        if (!tmi_other_chose_design(other, from, i))
            continue;
        if (!num)
            TM_TRY(tmi_other_add_group(other, at, from, error));
        TM_TRY(tmi_other_import(other, at, num++, from, i, error));
    }
    if (!num)
        return TM_OK;
    tmi_edit_changed(other->edit, tmi_edit_address(TM_ADDRESS_GROUP, at, 0), num,
                     "added from '%.100s', layers: %u", other->name, (unsigned)num);
    return TM_OK;
}

/* Settings apply to the whole map: they are only appended with the whole map. */
static tm_status append_settings(tmi_other *other, tm_error *error)
{
    uint64_t count = 0;
    for (uint32_t i = 0; !other->named && i < other->from->info.num_settings; i++) {
        bool added;
        const char *text = other->from->info.settings[i];
        TM_TRY(tmi_settings_append(&added, other->map, text ? text : "", error));
        count += added;
    }
    if (count)
        tmi_edit_changed(other->edit, tmi_edit_address(TM_ADDRESS_SETTINGS, 0, 0), count,
                         "added from '%.100s': %llu", other->name, (unsigned long long)count);
    return TM_OK;
}

static tm_status append_all(tmi_other *other, tm_error *error)
{
    for (uint32_t i = 0; i < other->from->num_groups; i++)
        TM_TRY(append_group(other, i, error));
    tmi_other_area area = {{0, 0, 0, 0}, 0, 0, false};
    tm_map_area(&area.from.width, &area.from.height, other->from);
    if (other->named) /* the physics, over what is there */
        TM_TRY(tmi_other_physics(other, &area, false, error));
    TM_TRY(append_settings(other, error));
    return tmi_other_finish(other, error);
}

tm_status tmi_edit_append(tmi_edit *edit, tm_error *error)
{
    tmi_other other;
    TM_TRY(tmi_other_open(&other, edit, 1, error));
    const tm_status status = append_all(&other, error);
    tm_map_free(other.from);
    return status;
}
