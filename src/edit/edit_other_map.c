/* SPDX-License-Identifier: Zlib */
/*
 * Shared by append and paste, which import from another map: the choice of layers, physics tiles and their
 * numbers, and the clean-up afterwards. Also append itself: the groups of another map go in front of the
 * map's own, with all objects that they use, and its settings.
 */
#include "edit_other_map.h"
#include "edit_tiles.h"

tm_status tmi_other_open(tmi_other *out, tmi_edit *edit, uint32_t layers, tm_error *error)
{
    const tmi_edit_value *value = &edit->values[layers];
    memset(out, 0, sizeof(*out));
    out->edit = edit;
    out->map = edit->map;
    out->name = edit->values[0].text;
    out->keeps_numbers = edit->num_values > layers + 1 && edit->values[layers + 1].number == 1;
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_ENVELOPE; object++)
        out->had[object] = tmi_num_objects(edit->map, object);
    if (value->width)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s': whole layers are taken, not a part of them",
                        value->text);
    TM_TRY(tmi_edit_open(&out->source, edit, out->name, error));
    tmi_edit other_edit = *edit;
    other_edit.map = out->source;
    out->named = value->text;
    const tm_status status = tmi_edit_layers_find(&out->layers, &other_edit, value, error);
    if (status) {
        tmi_error_about(error, TM_SIDE_USAGE, out->name);
        tm_map_free(out->source);
    }
    return status;
}

/* Whether a layer of the other map is chosen. */
static bool chose_layer(const tmi_other *other, uint32_t group, uint32_t layer)
{
    for (size_t i = 0; i < other->layers.num; i++)
        if (other->layers.list[i].index == group && other->layers.list[i].layer == layer)
            return true;
    return false;
}

bool tmi_other_chose_design(const tmi_other *other, uint32_t group, uint32_t layer)
{
    return !tm_game_layer(other->source->groups[group].layers[layer].kind)->is_physics &&
           chose_layer(other, group, layer);
}

tm_status tmi_other_import(tmi_other *other, uint32_t group, uint32_t at, uint32_t from_group,
                           uint32_t from_layer, tm_error *error)
{
    enum { BITS = 64 }; /* games read as many images */
    const tm_game from = other->source->game, to = other->map->game;
    tm_import_options options = TM_IMPORT_OPTIONS_INIT;
    options.share = true;
    TM_TRY(tmi_fail_at_address(
        error,
        tm_map_import_layer(other->map, group, at, other->source, from_group, from_layer, &options, error),
        other->source, tmi_edit_address(TM_KIND_LAYER, from_group, from_layer)));
    /* An external image may be another picture in this game: Teeworlds 0.7 has its own. */
    const int32_t image = tmi_image_shown(&other->map->groups[group].layers[at]);
    if ((from == TM_GAME_TEEWORLDS07) == (to == TM_GAME_TEEWORLDS07) || image == TM_NONE || image >= BITS)
        return TM_OK;
    const tm_image *shown = &other->map->images[image];
    const tm_shipped_image *shipped =
        shown->external && shown->name ? tm_game_shipped_image(shown->name) : NULL;
    if (!shipped || !shipped->games[from] || (other->reported >> image & 1))
        return TM_OK;
    other->reported |= (uint64_t)1 << image;
    tmi_edit_report(other->edit, TM_FINDING_OTHER_PICTURE,
                    tmi_edit_address(TM_KIND_IMAGE, (uint32_t)image, 0),
                    shipped->games[to] ? "'%.100s' is of %s, and %s has another picture of this name"
                                       : "'%.100s' is of %s, and %s has no picture of this name",
                    other->name, tm_game_name(from), tm_game_name(to));
    return TM_OK;
}

tm_status tmi_other_add_group(tmi_other *other, uint32_t at, uint32_t from_group, tm_error *error)
{
    const tm_group *theirs = &other->source->groups[from_group];
    TM_TRY(tm_map_insert(other->map, TM_KIND_GROUP, at, error));
    tm_group *group = &other->map->groups[at];
    memcpy(group->name, theirs->name, sizeof(group->name));
    if (tm_map_is_game_group(other->source, from_group))
        return TM_OK; /* games draw it as new groups stand, whatever it says */
    const tm_group fresh = *group;
    *group = *theirs;
    group->layers = fresh.layers;
    group->num_layers = fresh.num_layers;
    group->user = fresh.user;
    group->origin = fresh.origin;
    group->extra = fresh.extra;
    return TM_OK;
}

uint32_t tmi_other_game_group(const tm_map *map)
{
    uint32_t group;
    tm_map_physics_layer(&group, NULL, map, TM_LAYER_GAME);
    return group;
}

/* ----------------------------------------------------------------------------------------------- numbers */

/* The pool of a tile's number. Numbers that both maps use are changed in imported tiles and settings. */
static tm_tile_number pool_of(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_number pool = tmi_tile_pool(kind, index);
    return (int)pool < TMI_POOLS ? pool : TM_NUMBER_NONE;
}

/* Marks the numbers that the tiles in a rectangle use, or those `outside` of it. */
static tm_status mark_layer(bool used[][TMI_NUMBERS], const tm_map *map, const tm_layer *layer,
                            const tm_rect *part, bool outside, tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_grid grid;
    if (!info->is_physics || info->number_at == TM_NONE)
        return TM_OK;
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    for (uint32_t y = 0; grid.tiles && y < grid.height; y++)
        for (uint32_t x = 0; x < grid.width; x++) {
            const uint8_t *tile = tmi_edit_tile(&grid, x, y);
            const tm_tile_number pool = pool_of(layer->kind, tile[info->index_at]);
            if (tmi_rect_has(part, x, y) != outside)
                used[pool][tile[info->number_at]] = true;
        }
    return TM_OK;
}

/* Replaces each number that both maps use, in imported tiles, with the smallest number that neither uses. */
static tm_status give_numbers(tmi_other *other, tm_tile_number pool, const bool *ours, const bool *theirs,
                              tm_error *error)
{
    static const char *const names[TMI_POOLS] = {
        [TM_NUMBER_NONE] = "number",           [TM_NUMBER_TELE] = "teleporter",
        [TM_NUMBER_CHECKPOINT] = "checkpoint", [TM_NUMBER_SWITCH] = "switch",
        [TM_NUMBER_ZONE] = "tuning zone",
    };
    uint32_t next = 1, changed = 0;
    uint8_t *numbers = other->numbers[pool];
    for (uint32_t n = 1; n < TMI_NUMBERS; n++) {
        if (!theirs[n])
            continue;
        numbers[n] = (uint8_t)n;
        if (!ours[n] || other->keeps_numbers)
            continue;
        while (next < TMI_NUMBERS && (ours[next] || theirs[next]))
            next++;
        if (next == TMI_NUMBERS)
            return tmi_fail(error, TM_ERROR_LIMIT, -1,
                            "no number is left for %s %u of '%.60s'; with 'keep' it keeps its own",
                            names[pool], (unsigned)n, other->name);
        numbers[n] = (uint8_t)next++;
        changed++;
    }
    if (changed)
        tmi_edit_changed(other->edit, tmi_whole_map, changed,
                         "numbers of '%.100s' that became others, of the kind %s: %u", other->name,
                         names[pool], (unsigned)changed);
    return TM_OK;
}

static tm_status choose_numbers(tmi_other *other, const tmi_other_area *area, tm_error *error)
{
    bool ours[TMI_POOLS][TMI_NUMBERS] = {{false}}, theirs[TMI_POOLS][TMI_NUMBERS] = {{false}};
    tm_layer_walk walk = {0};
    const tm_rect gone = {area->to_x, area->to_y, area->replaces ? area->rect.width : 0, area->rect.height};
    tmi_settings_numbers(ours, other->map, NULL); /* settings may name numbers that no tile has */
    while (tm_map_next_layer(other->map, &walk))
        TM_TRY(mark_layer(ours, other->map, walk.layer, &gone, true, error));
    for (walk = (tm_layer_walk){0}; tm_map_next_layer(other->source, &walk);)
        if (chose_layer(other, walk.group, walk.index))
            TM_TRY(mark_layer(theirs, other->source, walk.layer, &area->rect, false, error));
    for (int pool = TM_NUMBER_NONE + 1; pool < TMI_POOLS; pool++)
        TM_TRY(give_numbers(other, (tm_tile_number)pool, ours[pool], theirs[pool], error));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ settings */

static const tm_address settings_address = {TM_KIND_SETTINGS, 0, 0};

static void report_unread_settings(const tmi_other *other)
{
    if (other->source->info.unread_settings)
        tmi_edit_report(other->edit, TM_FINDING_LOST_SETTINGS, settings_address,
                        "the settings of '%.100s' could not be read, and do not come along", other->name);
}

static const char *setting_of(const tm_map *map, uint32_t index)
{
    return map->info.settings[index] ? map->info.settings[index] : "";
}

static tm_status import_settings(tmi_other *other, tm_error *error)
{
    uint64_t count = 0;
    report_unread_settings(other);
    for (uint32_t i = 0; i < other->source->info.num_settings; i++)
        TM_TRY(tmi_settings_append(&count, other->map, setting_of(other->source, i), error));
    if (count)
        tmi_edit_changed(other->edit, settings_address, count, "added from '%.100s': %llu", other->name,
                         (unsigned long long)count);
    return TM_OK;
}

/* Imports the settings that name imported numbers, and writes the new numbers into them. */
static tm_status import_numbered_settings(tmi_other *other, tm_error *error)
{
    uint64_t count = 0;
    report_unread_settings(other);
    for (uint32_t i = 0; i < other->source->info.num_settings; i++) {
        const char *text = setting_of(other->source, i);
        TM_TRY(tmi_edit_renumber_text(&text, other->edit, text, other->numbers, error));
        if (text)
            TM_TRY(tmi_settings_append(&count, other->map, text, error));
    }
    if (count)
        tmi_edit_changed(other->edit, settings_address, count,
                         "added from '%.100s', as they name numbers that came: %llu", other->name,
                         (unsigned long long)count);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- physics */

/* The games know one physics layer of each kind, so the tiles go into the layers of this map. */

/* Imports the tiles of an area into a layer; `from` NULL stands for an empty layer. */
static tm_status mix_layer(tmi_other *other, const tmi_other_area *area, const tm_layer *source,
                           const tm_address *address, tm_error *error)
{
    const tm_layer_kind kind = tmi_edit_layer_at(other->edit, address)->kind;
    const tm_layer_info *info = tm_game_layer(kind);
    const bool by_index = kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT;
    const size_t size = info->element_size, left = (size_t)area->rect.x;
    tm_grid theirs, ours;
    tm_edit_grid writable = {.tiles = NULL};
    uint64_t changed = 0;
    TM_TRY(tm_map_tiles(&theirs, other->source, source, error));
    TM_TRY(tm_map_tiles(&ours, other->map, tmi_edit_layer_at(other->edit, address), error));
    for (size_t y = 0; y < area->rect.height; y++)
        for (size_t x = 0; x < area->rect.width; x++) {
            uint8_t tile[sizeof(tm_speedup_tile)] = {0}, was[sizeof(tile)] = {0};
            const size_t to_x = (size_t)area->to_x + x, to_y = (size_t)area->to_y + y;
            const size_t from_y = (size_t)area->rect.y + y;
            if (theirs.tiles && left + x < theirs.width && from_y < theirs.height)
                tmi_copy_element(tile, tmi_edit_tile(&theirs, left + x, from_y), size);
            if (writable.tiles)
                tmi_copy_element(was, tmi_edit_tile_of(&writable, to_x, to_y), size);
            else if (ours.tiles)
                tmi_copy_element(was, tmi_edit_tile(&ours, to_x, to_y), size);
            if (!area->replaces && (by_index ? !tile[info->index_at] : tmi_all_zero(tile, size)))
                continue; /* it is air, and the old tile stays */
            if (info->number_at != TM_NONE) {
                uint8_t *number = &tile[info->number_at];
                const uint8_t becomes = other->numbers[pool_of(kind, tile[info->index_at])][*number];
                *number = becomes ? becomes : *number; /* numbers without a meaning stay */
            }
            if (tmi_same_element(tile, was, size))
                continue;
            if (!writable.tiles)
                TM_TRY(tm_map_edit_tiles(&writable, other->map, address->index, address->layer, error));
            tmi_copy_element(tmi_edit_tile_of(&writable, to_x, to_y), tile, size);
            changed++;
        }
    if (changed)
        tmi_edit_changed(other->edit, *address, changed, "tiles from '%.100s': %llu", other->name,
                         (unsigned long long)changed);
    return TM_OK;
}

tm_status tmi_other_physics(tmi_other *other, const tmi_other_area *area, tm_error *error)
{
    tm_map *map = other->map;
    uint32_t group, index;
    bool any = false;
    for (size_t i = 0; i < other->layers.num; i++) {
        const tm_address *address = &other->layers.list[i];
        any |= tm_game_layer(other->source->groups[address->index].layers[address->layer].kind)->is_physics;
    }
    if (!any || tmi_rect_is_empty(&area->rect))
        return TM_OK;
    const int64_t right = (int64_t)area->to_x + area->rect.width,
                  below = (int64_t)area->to_y + area->rect.height;
    if (right > INT32_MAX || below > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map would become too large");
    if (tmi_other_game_group(map) == UINT32_MAX) {
        group = map->num_groups;
        TM_TRY(tm_map_insert(map, TM_KIND_GROUP, group, error));
        tm_map_set_name(map->groups[group].name, TM_NAME_SIZE, "Game");
        tmi_edit_changed(other->edit, tmi_edit_address(TM_KIND_GROUP, group, 0), 1,
                         "added, for the game layer");
        TM_TRY(tm_map_insert_layer(map, group, 0, TM_LAYER_GAME, (uint32_t)right, (uint32_t)below, error));
    }
    TM_TRY(choose_numbers(other, area, error));
    TM_TRY(tmi_edit_grow_physics(other->edit, (uint32_t)right, (uint32_t)below, error));
    for (int k = 0; k < TM_LAYER_KINDS; k++) {
        const tm_layer_kind kind = (tm_layer_kind)k;
        const tm_layer *source = tm_map_physics_layer(&group, &index, other->source, kind);
        if (!tm_game_layer(kind)->is_physics ||
            !(source ? chose_layer(other, group, index)
                     : area->empties && tm_map_physics_layer(NULL, NULL, map, kind)))
            continue;
        TM_TRY(tmi_edit_need_physics(other->edit, kind, &group, &index, error));
        const tm_address address = tmi_edit_address(TM_KIND_LAYER, group, index);
        TM_TRY(tmi_fail_at_address(error, mix_layer(other, area, source, &address, error), map, address));
    }
    return import_numbered_settings(other, error);
}

/* ------------------------------------------------------------------------------------------ tidying up */

/* Renames "grass" to "grass (1)", as the editor does. External images keep their names, which files have. */
tm_status tmi_other_finish(tmi_other *other, tm_error *error)
{
    tm_map *map = other->map;
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_ENVELOPE; object++)
        TM_TRY(tmi_clean_new(other->edit, object, other->had[object], error));
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_SOUND; object++) {
        const bool is_image = object == TM_KIND_IMAGE;
        const tm_kind kind = object;
        for (uint32_t i = other->had[object]; i < tmi_num_objects(map, object); i++) {
            const bool external = is_image ? map->images[i].external : map->sounds[i].external;
            const char **old = is_image ? &map->images[i].name : &map->sounds[i].name;
            char name[512];
            if (external || !*old || tmi_find_named(map, kind, *old, i) == UINT32_MAX)
                continue;
            for (unsigned n = 1; n == 1 || tmi_find_named(map, kind, name, i) != UINT32_MAX; n++)
                tmi_format(name, sizeof(name), "%.400s (%u)", *old, n);
            tmi_edit_changed(other->edit, tmi_edit_address(kind, i, 0), 1,
                             "added as '%.100s': the map has another one of its name", name);
            TM_TRY(tm_map_set_text(map, old, name, error));
        }
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ append */

static tm_status append_all(tmi_other *other, tm_error *error)
{
    for (uint32_t from = 0; from < other->source->num_groups; from++) {
        const uint32_t at = other->map->num_groups;
        uint32_t num = 0;
        for (uint32_t i = 0; i < other->source->groups[from].num_layers; i++) {
            if (!tmi_other_chose_design(other, from, i))
                continue;
            if (!num)
                TM_TRY(tmi_other_add_group(other, at, from, error));
            TM_TRY(tmi_other_import(other, at, num++, from, i, error));
        }
        if (num)
            tmi_edit_changed(other->edit, tmi_edit_address(TM_KIND_GROUP, at, 0), num,
                             "added from '%.100s', layers: %u", other->name, (unsigned)num);
    }
    tmi_other_area area = {.replaces = false};
    tm_map_area(&area.rect.width, &area.rect.height, other->source);
    if (other->named) /* the physics, over what is there */
        TM_TRY(tmi_other_physics(other, &area, error));
    else /* settings are about the whole map */
        TM_TRY(import_settings(other, error));
    return tmi_other_finish(other, error);
}

tm_status tmi_edit_append(tmi_edit *edit, tm_error *error)
{
    tmi_other other;
    TM_TRY(tmi_other_open(&other, edit, 1, error));
    const tm_status status = append_all(&other, error);
    tm_map_free(other.source);
    return status;
}
