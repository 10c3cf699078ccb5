/* SPDX-License-Identifier: Zlib */
/*
 * Physics in a group of their own: design layers of the game layer's group go to groups behind and in front
 * of it, which the games draw at the same places.
 */
#include "edit.h"

static bool is_physics_layer(const tm_group *group, uint32_t i)
{
    return tm_game_layer(group->layers[i].kind)->is_physics;
}

/* A new group, with the place and the parallax that the games give the game layer's group. */
static tm_status insert_part(tmi_edit *edit, uint32_t at, const char *name, tm_error *error)
{
    TM_TRY(tm_map_insert(edit->map, TM_OBJECT_GROUP, at, error));
    tm_group *group = &edit->map->groups[at];
    tm_map_set_name(group->name, sizeof(group->name), name);
    tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_GROUP, at, 0), 1, "added, for design layers");
    return TM_OK;
}

/* Moves the `num` layers from `first` on to the empty group `to`, in order. */
static tm_status move_part(tmi_edit *edit, uint32_t from, uint32_t first, uint32_t num, uint32_t to,
                           tm_error *error)
{
    for (uint32_t i = 0; i < num; i++) {
        tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_LAYER, from, first), 1, "moved to group %u",
                         (unsigned)to);
        TM_TRY(tm_map_move_layer(edit->map, from, first, to, i, error));
    }
    return TM_OK;
}

/* Design layers among and in front of the physics, to the group in front. */
static tm_status split_front(tmi_edit *edit, uint32_t game, bool *done, tm_error *error)
{
    const tm_group *group = &edit->map->groups[game];
    uint32_t last = group->num_layers;
    while (last > 0 && !is_physics_layer(group, last - 1))
        last--;
    const uint32_t num = group->num_layers - last;
    if (num == 0)
        return TM_OK;
    *done = true;
    TM_TRY(insert_part(edit, game + 1, "Game front", error));
    return move_part(edit, game, last, num, game + 1, error);
}

/* All remaining design layers are behind a physics layer. */
static tm_status split_back(tmi_edit *edit, uint32_t game, bool *done, tm_error *error)
{
    const tm_group *group = &edit->map->groups[game];
    uint32_t num = 0;
    for (uint32_t i = 0; i < group->num_layers; i++)
        num += !is_physics_layer(group, i);
    if (num == 0)
        return TM_OK;
    *done = true;
    TM_TRY(insert_part(edit, game, "Game back", error));
    for (uint32_t i = 0, to = 0; i < edit->map->groups[game + 1].num_layers;) {
        if (is_physics_layer(&edit->map->groups[game + 1], i)) {
            i++;
            continue;
        }
        tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_LAYER, game + 1, i), 1, "moved to group %u",
                         (unsigned)game);
        TM_TRY(tm_map_move_layer(edit->map, game + 1, i, game, to++, error));
    }
    return TM_OK;
}

tm_status tmi_edit_isolate_group(tmi_edit *edit, bool *done, tm_error *error)
{
    uint32_t game;
    *done = false;
    if (!tm_map_physics_layer(&game, NULL, edit->map, TM_LAYER_GAME))
        return TM_OK;
    TM_TRY(split_front(edit, game, done, error));
    return split_back(edit, game, done, error);
}

tm_status tmi_edit_isolate(tmi_edit *edit, tm_error *error)
{
    bool done;
    return tmi_edit_isolate_group(edit, &done, error);
}
