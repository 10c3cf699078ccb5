/* SPDX-License-Identifier: Zlib */
/*
 * Removes the parts that a game cannot hold: layers, sounds, settings, automappers. The tables of the games
 * (tmi_game_part, tmi_game_holds_layer), which saving reads, too, say which these are.
 */
#include "convert.h"
#include "../games/games.h"

/* -------------------------------------------------------------------------------------------- layers */

typedef bool layer_goes(const tmi_convert *convert, uint32_t group, uint32_t layer);

static bool not_played(const tmi_convert *convert, uint32_t group, uint32_t layer)
{
    uint32_t played_group, played;
    const tm_map *map = convert->map;
    if (map->groups[group].layers[layer].kind != TM_LAYER_GAME)
        return false;
    if (convert->from == TM_GAME_DDNET)
        tm_map_physics_layer(&played_group, &played, map, TM_LAYER_GAME);
    else
        tm_map_find_layer(&played_group, &played, map, TM_LAYER_GAME);
    return group != played_group || layer != played;
}

static bool not_held(const tmi_convert *convert, uint32_t group, uint32_t layer)
{
    return !tmi_game_holds_layer(convert->to, convert->map->groups[group].layers[layer].kind);
}

/* Removes layers: reports them in the order of the map, removes from the end, so that indices stay valid. */
static tm_status remove_layers(tmi_convert *convert, layer_goes *goes, tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(convert->map, &walk)) {
        const tm_address at = tmi_convert_at(TM_ADDRESS_LAYER, walk.group, walk.index);
        if (!goes(convert, walk.group, walk.index))
            continue;
        if (goes == not_played)
            tmi_convert_lose(convert, TM_FINDING_LOST_LAYER, at, 1,
                             "%s plays another game layer than this, %s would play this one",
                             tm_game_name(convert->from), tmi_convert_target(convert));
        else
            tmi_convert_lose(convert, TM_FINDING_LOST_LAYER, at, 1, "%s has no %s layers",
                             tmi_convert_target(convert), tm_game_layer(walk.layer->kind)->name);
    }
    for (uint32_t g = convert->map->num_groups; g-- > 0;)
        for (uint32_t l = convert->map->groups[g].num_layers; l-- > 0;)
            if (goes(convert, g, l))
                TM_TRY(tm_map_remove_layer(convert->map, g, l, error));
    return TM_OK;
}

/* Leaves one of several game layers, that which the map's game plays: DDNet the last, Teeworlds the first. */
tm_status tmi_convert_game_layers(tmi_convert *convert, tm_error *error)
{
    if ((convert->from == TM_GAME_DDNET) == (convert->to == TM_GAME_DDNET))
        return TM_OK;
    return remove_layers(convert, not_played, error);
}

tm_status tmi_convert_layers(tmi_convert *convert, tm_error *error)
{
    return remove_layers(convert, not_held, error);
}

/* ------------------------------------------------------------------------------- sounds, settings, groups */

tm_status tmi_convert_sounds(tmi_convert *convert, tm_error *error)
{
    if (tmi_game_holds(convert->to, TM_PART_SOUNDS))
        return TM_OK;
    for (uint32_t i = 0; i < convert->map->num_sounds; i++)
        tmi_convert_lose_part(convert, TM_PART_SOUNDS, tmi_convert_at(TM_ADDRESS_SOUND, i, 0), 1);
    for (uint32_t i = convert->map->num_sounds; i-- > 0;)
        TM_TRY(tm_map_remove(convert->map, TM_OBJECT_SOUND, i, error));
    return TM_OK;
}

tm_status tmi_convert_settings(tmi_convert *convert, tm_error *error)
{
    const uint32_t num = convert->map->info.num_settings;
    if (num == 0 || tmi_game_holds(convert->to, TM_PART_SETTINGS))
        return TM_OK;
    tmi_convert_lose_part(convert, TM_PART_SETTINGS, tmi_convert_at(TM_ADDRESS_SETTINGS, 0, 0), num);
    return tm_map_set_settings(convert->map, NULL, 0, error);
}

tm_status tmi_convert_automappers(tmi_convert *convert, tm_error *error)
{
    (void)error;
    tm_layer_walk walk = {0};
    uint64_t num = 0, empty = 0;
    tm_address first = tmi_convert_at(TM_ADDRESS_MAP, 0, 0);
    if (tmi_game_holds(convert->to, TM_PART_AUTOMAPPERS))
        return TM_OK;
    while (tm_map_next_layer(convert->map, &walk)) {
        tm_layer *layer = &convert->map->groups[walk.group].layers[walk.index];
        if (layer->kind != TM_LAYER_TILES || !layer->as.tiles.automapper.present)
            continue;
        const bool has_config = tm_layer_has_automapper(layer);
        if (has_config && num++ == 0)
            first = tmi_convert_at(TM_ADDRESS_LAYER, walk.group, walk.index);
        empty += !has_config; /* the editor gives each layer an item */
        layer->as.tiles.automapper = (tm_automapper){.config = TM_NONE};
    }
    if (empty)
        tmi_convert_changed(convert, tmi_convert_at(TM_ADDRESS_MAP, 0, 0), empty,
                            "%llu automappers without a configuration are left out",
                            (unsigned long long)empty);
    if (num == 1)
        tmi_convert_lose_part(convert, TM_PART_AUTOMAPPERS, first, 1);
    else if (num)
        tmi_convert_lose(convert, TM_FINDING_LOST_AUTOMAPPER, tmi_convert_at(TM_ADDRESS_MAP, 0, 0), num,
                         "%s %s, which %llu layers have", tmi_convert_target(convert),
                         tmi_game_part(TM_PART_AUTOMAPPERS)->text, (unsigned long long)num);
    return TM_OK;
}

/* Removes the parallax zoom of groups: DDNet dropped it with 17.4, and no game has it today. */
tm_status tmi_convert_zoom(tmi_convert *convert, tm_error *error)
{
    (void)error;
    for (uint32_t g = 0; g < convert->map->num_groups; g++) {
        tm_group *group = &convert->map->groups[g];
        if (!group->has_parallax_zoom)
            continue;
        tmi_convert_lose_part(convert, TM_PART_PARALLAX_ZOOM, tmi_convert_at(TM_ADDRESS_GROUP, g, 0), 1);
        group->has_parallax_zoom = false;
        group->parallax_zoom = 0;
    }
    return TM_OK;
}
