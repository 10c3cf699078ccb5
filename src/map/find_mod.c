/* SPDX-License-Identifier: Zlib */
/*
 * Recognizes maps of mods by the marks of the table. Mods whose tiles have other meanings come first, then
 * those that add to the tiles of a game; among each of these names (of groups, settings and images) come
 * before tiles, and of two mods whose tiles a map has the one that asks for more kinds.
 */
#include "internal.h"

#include <teemap/map.h>
#include <teemap/mods.h>

#include "../text/text.h"

bool tmi_map_has_command(const tm_map *map, const char *name)
{
    for (uint32_t i = 0; i < map->info.num_settings; i++) {
        const char *text = tmi_command_begin(map->info.settings[i] ? map->info.settings[i] : "");
        tmi_command command;
        while (tmi_command_next(&command, &text))
            if (tmi_game_same_setting(command.words[0], name))
                return true;
    }
    return false;
}

/* Finds the name of a group, a setting or an image of the map that shows the mod; NULL: there is none. */
static const char *find_mod_name(const char **words, const tm_map *map, const tm_mod *mod)
{
    *words = "it has the group '%s'";
    for (uint32_t i = 0; i < mod->num_groups; i++)
        if (tmi_find_named(map, TM_KIND_GROUP, mod->groups[i], UINT32_MAX) != UINT32_MAX)
            return mod->groups[i];
    *words = "it has settings that begin with '%s'";
    for (uint32_t i = 0; i < mod->num_lines; i++)
        for (uint32_t k = 0; k < map->info.num_settings; k++)
            if (map->info.settings[k] &&
                strncmp(map->info.settings[k], mod->lines[i], strlen(mod->lines[i])) == 0)
                return mod->lines[i];
    *words = "it has the image '%s'";
    for (uint32_t i = 0; i < mod->num_images; i++)
        for (uint32_t k = 0; k < map->num_images; k++)
            if (map->images[k].external && tmi_same_text(map->images[k].name, mod->images[i]))
                return mod->images[i];
    *words = "it has the setting '%s'";
    for (uint32_t i = 0; i < mod->num_commands; i++)
        if (tmi_map_has_command(map, mod->commands[i]))
            return mod->commands[i];
    return NULL;
}

/* How many tiles of the ranges there are in the layers of a mark, and of how many different indices. */
static uint64_t count_ranges(uint32_t *kinds, const tm_mod_mark *mark, const tmi_tile_counts *tiles,
                             const tm_mod_range *ranges, uint32_t num)
{
    uint64_t sum = 0;
    *kinds = 0;
    for (uint32_t i = 0; i < num; i++)
        for (uint32_t index = ranges[i].first; index <= ranges[i].last; index++) {
            uint64_t of_index = 0;
            for (int kind = TM_LAYER_GAME; kind <= TM_LAYER_FRONT; kind++)
                of_index += mark->layers[kind] ? tiles->counts[kind][index] : 0;
            *kinds += of_index != 0;
            sum += of_index;
        }
    return sum;
}

static bool mark_fits(const tm_mod_mark *mark, const tmi_tile_counts *tiles, bool has_race)
{
    uint32_t kinds, other_kinds;
    const uint64_t num = count_ranges(&kinds, mark, tiles, mark->tiles, mark->num_tiles);
    return kinds >= mark->kinds && num >= mark->least && !(mark->no_race && has_race) &&
           (!mark->num_required ||
            count_ranges(&other_kinds, mark, tiles, mark->required, mark->num_required)) &&
           !count_ranges(&other_kinds, mark, tiles, mark->excluded, mark->num_excluded) &&
           (!mark->num_fewer || count_ranges(&other_kinds, mark, tiles, mark->fewer, mark->num_fewer) < num);
}

const tm_mod *tmi_map_mod(char *reason, size_t size, bool *by_name, const tm_map *map,
                          const tmi_tile_counts *tiles, bool with_own_tiles)
{
    const bool has_race = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_TELE) ||
                          tm_map_physics_layer(NULL, NULL, map, TM_LAYER_SPEEDUP);
    const tm_mod *mod, *best = NULL;
    const tm_mod_mark *mark = NULL;
    *by_name = false;
    for (uint32_t n = 0; (mod = tm_mod_at(n)); n++) {
        const char *words, *name;
        if ((mod->rules == TM_MOD_RULES_NONE) != with_own_tiles)
            continue;
        if ((name = find_mod_name(&words, map, mod))) {
            tmi_format(reason, size, words, name);
            *by_name = true;
            return mod;
        }
        for (uint32_t i = 0; i < mod->num_marks; i++)
            if (mod->marks[i].kinds > (mark ? mark->kinds : 0) &&
                mark_fits(&mod->marks[i], tiles, has_race)) {
                mark = &mod->marks[i];
                best = mod;
            }
    }
    if (mark) {
        uint32_t kinds;
        count_ranges(&kinds, mark, tiles, mark->tiles, mark->num_tiles);
        if (mark->reason)
            tmi_format(reason, size, "%s", mark->reason);
        else if (kinds == 1)
            tmi_format(reason, size, "it has one of its own kinds of tiles");
        else
            tmi_format(reason, size, "it has %u of its own kinds of tiles", (unsigned)kinds);
    }
    return best;
}

bool tmi_is_tile_of_mods(tm_layer_kind kind, uint8_t index)
{
    const tm_mod *mod;
    for (uint32_t n = 0; (mod = tm_mod_at(n)); n++)
        for (uint32_t i = 0; mod->rules == TM_MOD_RULES_NOTES && i < mod->num_tiles; i++)
            if (mod->tiles[i].index == index && mod->tiles[i].layers[kind])
                return true;
    return false;
}

/* Bytes of a layer that is looked at, 4096 x 4096 tiles: who draws a larger one has less memory than it. */
enum { MOST_BYTES = 64 << 20 };

/* Counts the tiles of the physics layer of a kind; one that is damaged, or too large, has none. */
static tm_status count_layer(tmi_tile_counts *tiles, const tm_map *map, tm_layer_kind kind, tm_error *error)
{
    tmi_borrowed loan;
    tm_grid grid;
    tm_error failure = {.offset = -1};
    const tm_layer *layer = tm_map_physics_layer(NULL, NULL, map, kind);
    const uint64_t num = layer ? (uint64_t)layer->as.tiles.width * layer->as.tiles.height : 0;
    if (!layer || num > MOST_BYTES / sizeof(tm_tile))
        return TM_OK;
    const tm_status status = tmi_borrowed_grid(&loan, &grid, map, layer, &failure);
    if (status && status != TM_ERROR_DAMAGED && status != TM_ERROR_LIMIT) {
        if (error)
            *error = failure;
        return status;
    }
    if (!status) {
        const tm_tile *tile = grid.tiles;
        for (uint64_t i = 0; tile && i < (uint64_t)grid.width * grid.height; i++)
            tiles->counts[kind][tile[i].index]++;
        tmi_borrowed_close(&loan);
    }
    return TM_OK;
}

tm_status tm_map_find_mod(const tm_mod **out, char *reason, size_t size, const tm_map *map, tm_error *error)
{
    tmi_tile_counts tiles = {.counts = {{0}}};
    char words[TM_ERROR_TEXT_SIZE] = "";
    bool by_name;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    if (reason && size)
        reason[0] = '\0';
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(count_layer(&tiles, map, TM_LAYER_GAME, error));
    TM_TRY(count_layer(&tiles, map, TM_LAYER_FRONT, error));
    *out = tmi_map_mod(words, sizeof(words), &by_name, map, &tiles, true);
    if (!*out)
        *out = tmi_map_mod(words, sizeof(words), &by_name, map, &tiles, false);
    if (reason)
        tmi_format(reason, size, "%s", words);
    return TM_OK;
}
