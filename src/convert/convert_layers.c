/* SPDX-License-Identifier: Zlib */
/*
 * Removes the parts that a game cannot hold: layers, sounds, settings, automappers. The tables of the games
 * (tmi_game_part, tmi_game_holds_layer), which saving reads, too, say which these are.
 */
#include "convert.h"
#include "../games/games.h"

/* -------------------------------------------------------------------------------------------- layers */

static tm_layer_kind kind_at(const tmi_convert *convert, tm_address address)
{
    return convert->map->groups[address.index].layers[address.layer].kind;
}

/* The layers of the map from the last to the first, so that the addresses of the others stay valid when one
   is removed; zeros in front of the last. */
typedef struct backward_walk {
    bool is_begun;
    tm_address address;
} backward_walk;

static bool next_layer_backward(backward_walk *walk, const tm_map *map)
{
    tm_address *address = &walk->address;
    if (!walk->is_begun)
        *walk = (backward_walk){true, {TM_KIND_LAYER, map->num_groups, 0}};
    while (!address->layer) {
        if (!address->index)
            return false;
        address->index--;
        address->layer = map->groups[address->index].num_layers;
    }
    address->layer--;
    return true;
}

/* Whether a layer is a game layer that the map's game does not play. */
static bool is_idle_game_layer(const tmi_convert *convert, tm_address address, tm_address played)
{
    return kind_at(convert, address) == TM_LAYER_GAME &&
           (address.index != played.index || address.layer != played.layer);
}

/* Leaves one of several game layers, that which the map's game plays: DDNet the last, Teeworlds the first. */
tm_status tmi_convert_game_layers(tmi_convert *convert, tm_error *error)
{
    tm_address played = {TM_KIND_LAYER, 0, 0};
    tm_layer_walk walk = {0};
    backward_walk backward = {.is_begun = false};
    if ((convert->from == TM_GAME_DDNET) == (convert->to == TM_GAME_DDNET))
        return TM_OK;
    if (convert->from == TM_GAME_DDNET)
        tm_map_physics_layer(&played.index, &played.layer, convert->map, TM_LAYER_GAME);
    else
        tm_map_find_layer(&played.index, &played.layer, convert->map, TM_LAYER_GAME);
    while (tm_map_next_layer(convert->map, &walk)) {
        const tm_address address = {TM_KIND_LAYER, walk.group, walk.index};
        if (is_idle_game_layer(convert, address, played))
            tmi_convert_lose(convert, TM_FINDING_LOST_LAYER, address, 1,
                             "%s plays another game layer than this, %s would play this one",
                             tm_game_name(convert->from), tm_game_name(convert->to));
    }
    while (next_layer_backward(&backward, convert->map))
        if (is_idle_game_layer(convert, backward.address, played))
            TM_TRY(tm_map_remove_layer(convert->map, backward.address.index, backward.address.layer, error));
    return TM_OK;
}

/* Whether the game that the map becomes has no layers of a kind. DDNet skips kinds that it does not know. */
static bool lacks_kind(const tmi_convert *convert, tm_layer_kind kind)
{
    if (kind == TM_LAYER_UNKNOWN)
        return convert->to != TM_GAME_DDNET && convert->to != convert->from;
    return !tmi_game_holds_layer(convert->to, kind);
}

tm_status tmi_convert_layers(tmi_convert *convert, tm_error *error)
{
    tm_layer_walk walk = {0};
    backward_walk backward = {.is_begun = false};
    while (tm_map_next_layer(convert->map, &walk))
        if (lacks_kind(convert, walk.layer->kind))
            tmi_convert_lose(convert, TM_FINDING_LOST_LAYER,
                             (tm_address){TM_KIND_LAYER, walk.group, walk.index}, 1, "%s has no %s layers",
                             tm_game_name(convert->to), tm_game_layer(walk.layer->kind)->name);
    while (next_layer_backward(&backward, convert->map))
        if (lacks_kind(convert, kind_at(convert, backward.address)))
            TM_TRY(tm_map_remove_layer(convert->map, backward.address.index, backward.address.layer, error));
    return TM_OK;
}

/* ------------------------------------------------------------------------------- sounds, settings, groups */

tm_status tmi_convert_sounds(tmi_convert *convert, tm_error *error)
{
    if (tmi_game_holds(convert->to, TM_PART_SOUNDS))
        return TM_OK;
    for (uint32_t i = 0; i < convert->map->num_sounds; i++)
        tmi_convert_lose_part(convert, TM_PART_SOUNDS, (tm_address){TM_KIND_SOUND, i, 0}, 1);
    for (uint32_t i = convert->map->num_sounds; i-- > 0;)
        TM_TRY(tm_map_remove(convert->map, TM_KIND_SOUND, i, error));
    return TM_OK;
}

tm_status tmi_convert_settings(tmi_convert *convert, tm_error *error)
{
    tm_info *info = &convert->map->info;
    const uint32_t num = info->unread_settings ? 1 : info->num_settings; /* how many is not known */
    if (num == 0 || tmi_game_holds(convert->to, TM_PART_SETTINGS))
        return TM_OK;
    tmi_convert_lose_part(convert, TM_PART_SETTINGS, (tm_address){TM_KIND_SETTINGS, 0, 0}, num);
    TM_TRY(tm_field_drop_unread(convert->map, info, tm_field_find(TM_KIND_INFO, "settings"), error));
    return tm_map_set_settings(convert->map, NULL, 0, error);
}

tm_status tmi_convert_automappers(tmi_convert *convert, tm_error *error)
{
    (void)error;
    tm_layer_walk walk = {0};
    uint64_t num = 0, empty = 0;
    tm_address first = {TM_KIND_MAP, 0, 0};
    if (tmi_game_holds(convert->to, TM_PART_AUTOMAPPERS))
        return TM_OK;
    while (tm_map_next_layer(convert->map, &walk)) {
        tm_layer *layer = &convert->map->groups[walk.group].layers[walk.index];
        if (layer->kind != TM_LAYER_TILES || !layer->as.tiles.automapper.present)
            continue;
        const bool has_config = tm_layer_has_automapper(layer);
        if (has_config && num++ == 0)
            first = (tm_address){TM_KIND_LAYER, walk.group, walk.index};
        empty += !has_config; /* the editor gives each layer an item */
        layer->as.tiles.automapper = (tm_automapper){.config = TM_NONE};
    }
    if (empty)
        tmi_convert_changed(convert, (tm_address){TM_KIND_MAP, 0, 0}, empty,
                            "%llu automappers without a configuration are left out",
                            (unsigned long long)empty);
    if (num == 1)
        tmi_convert_lose_part(convert, TM_PART_AUTOMAPPERS, first, 1);
    else if (num)
        tmi_convert_lose(convert, TM_FINDING_LOST_AUTOMAPPER, (tm_address){TM_KIND_MAP, 0, 0}, num,
                         "%s %s, which %llu layers have", tm_game_name(convert->to),
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
        tmi_convert_lose_part(convert, TM_PART_PARALLAX_ZOOM, (tm_address){TM_KIND_GROUP, g, 0}, 1);
        group->has_parallax_zoom = false;
        group->parallax_zoom = 0;
    }
    return TM_OK;
}
