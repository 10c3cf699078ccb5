/* SPDX-License-Identifier: Zlib */
/*
 * First step of saving: which layers are written, and how groups own layer items. As long as the groups are
 * those of the file and own the same items, every item keeps its place, whatever odd order the file has;
 * otherwise layers are laid out anew, group by group, and the file's layers without a group come back where
 * they stood between the groups.
 */
#include "save_map.h"
#include "../games/games.h"

/* What is to become of the map's layers: all of them in one piece, which the groups share. */
static tm_status start_groups(tmi_saver *saver, uint32_t *total)
{
    const tm_map *map = saver->map;
    uint64_t num = 0;
    for (uint32_t g = 0; g < map->num_groups; g++)
        num += map->groups[g].num_layers;
    if (num > INT32_MAX)
        return tmi_fail(saver->io.error, TM_ERROR_LIMIT, -1, "too many layers: %llu, and %ld are the most",
                        (unsigned long long)num, (long)INT32_MAX);
    *total = (uint32_t)num;
    saver->saved_groups = tmi_saver_alloc(saver, map->num_groups, sizeof(*saver->saved_groups));
    tmi_saved_layer *layers = tmi_saver_alloc(saver, *total, sizeof(*layers));
    TM_TRY(saver->io.status);
    for (uint32_t g = 0; g < map->num_groups; g++) {
        saver->saved_groups[g].layers = layers;
        layers += map->groups[g].num_layers;
    }
    return TM_OK;
}

/* New layers that the map's game does not know are left out, and said so. */
static void find_lost(tmi_saver *saver)
{
    for (uint32_t g = 0; g < saver->map->num_groups; g++) {
        uint32_t lost = 0;
        for (uint32_t l = 0; l < saver->map->groups[g].num_layers; l++) {
            const tm_layer *layer = &saver->map->groups[g].layers[l];
            tmi_saved_layer *saved = &saver->saved_groups[g].layers[l];
            saved->place = l - lost;
            if (!tmi_is_fresh(saver, layer->origin) || tmi_game_holds_layer(saver->map->game, layer->kind))
                continue;
            saved->lost = true;
            lost++;
            tmi_saver_find(saver, TM_FINDING_LOST_LAYER, (tm_address){TM_ADDRESS_LAYER, g, l},
                           "%s has no %s layers", tm_game_name(saver->map->game),
                           tm_game_layer(layer->kind)->name);
        }
    }
}

/* ---------------------------------------------------------------------------------- as it was in the file */

static void find_file_spans(tmi_saver *saver)
{
    uint64_t budget = tmi_layer_budget(saver->file);
    tm_datafile_item item;
    uint32_t index;
    for (uint32_t g = 0; tmi_file_item(saver->file, TM_ITEM_GROUP, g, &item, &index); g++) {
        tmi_span said = {tm_datafile_item_int(&item, 5, 0), tm_datafile_item_int(&item, 6, 0)};
        saver->file_spans[g] = tmi_group_range(saver->file, said, &budget);
    }
}

/* The layer item of the file behind a layer; false if it is new. */
static bool layer_item(const tmi_saver *saver, const tm_layer *layer, uint32_t *k)
{
    if (tmi_is_fresh(saver, layer->origin))
        return false;
    *k = layer->origin.item - (uint32_t)saver->file->items[TM_ITEM_LAYER];
    return *k < saver->file->counts[TM_ITEM_LAYER];
}

static bool group_as_in_file(const tmi_saver *saver, uint32_t g)
{
    const tm_group *group = &saver->map->groups[g];
    const tmi_span span = saver->file_spans[g];
    if (tmi_is_fresh(saver, group->origin) ||
        group->origin.item != (uint32_t)saver->file->items[TM_ITEM_GROUP] + g ||
        group->num_layers != (uint32_t)span.num)
        return false;
    for (uint32_t l = 0; l < group->num_layers; l++) {
        uint32_t k;
        if (!layer_item(saver, &group->layers[l], &k) || k != (uint32_t)span.start + l)
            return false;
        const tmi_spot first = saver->file_layers[k].now;
        if ((first.group != g || first.layer != l) &&
            !tmi_layer_same_item(&saver->map->groups[first.group].layers[first.layer], &group->layers[l]))
            return false;
    }
    return true;
}

static void find_layers_of_file(tmi_saver *saver)
{
    for (uint32_t g = 0; g < saver->map->num_groups; g++) {
        for (uint32_t l = 0; l < saver->map->groups[g].num_layers; l++) {
            uint32_t k;
            if (!layer_item(saver, &saver->map->groups[g].layers[l], &k) || saver->file_layers[k].found)
                continue;
            saver->file_layers[k] = (tmi_file_layer){true, {g, l}};
        }
    }
}

static bool structure_as_in_file(const tmi_saver *saver)
{
    if (saver->map->num_groups != saver->file->counts[TM_ITEM_GROUP])
        return false;
    for (uint32_t g = 0; g < saver->map->num_groups; g++)
        if (!group_as_in_file(saver, g))
            return false;
    return true;
}

/* --------------------------------------------------------------------------------------------- the layout */

static bool is_orphan(const tmi_saver *saver, uint32_t k)
{
    return saver->file->notes[(uint32_t)saver->file->items[TM_ITEM_LAYER] + k].role == TMI_ROLE_ORPHAN;
}

static void keep_layout(tmi_saver *saver)
{
    const tmi_file *file = saver->file;
    tm_datafile_item item;
    uint32_t index;
    for (uint32_t k = 0; k < file->counts[TM_ITEM_LAYER]; k++)
        saver->layers[saver->num_layers++] =
            is_orphan(saver, k) ? (tmi_spot){TMI_ORPHAN, k} : saver->file_layers[k].now;
    for (uint32_t g = 0; tmi_file_item(file, TM_ITEM_GROUP, g, &item, &index); g++)
        saver->saved_groups[g].span =
            (tmi_span){tm_datafile_item_int(&item, 5, 0), tm_datafile_item_int(&item, 6, 0)};
}

/* Adds the file's layers without a group that stood before layer item `before`, from *next on. */
static void add_orphans(tmi_saver *saver, uint32_t *next, uint32_t before)
{
    for (; saver->file && *next < saver->file->counts[TM_ITEM_LAYER] && *next < before; ++*next)
        if (is_orphan(saver, *next))
            saver->layers[saver->num_layers++] = (tmi_spot){TMI_ORPHAN, *next};
}

static void new_layout(tmi_saver *saver)
{
    uint32_t next_orphan = 0;
    for (uint32_t g = 0; g < saver->map->num_groups; g++) {
        const tm_group *group = &saver->map->groups[g];
        tmi_saved_group *saved = &saver->saved_groups[g];
        uint32_t k;
        if (group->num_layers && layer_item(saver, &group->layers[0], &k))
            add_orphans(saver, &next_orphan, k);
        saved->span.start = (int32_t)saver->num_layers;
        for (uint32_t l = 0; l < group->num_layers; l++)
            if (!saved->layers[l].lost)
                saver->layers[saver->num_layers++] = (tmi_spot){g, l};
        saved->span.num = (int32_t)saver->num_layers - saved->span.start;
    }
    add_orphans(saver, &next_orphan, UINT32_MAX);
}

tm_status tmi_plan_save(tmi_saver *saver)
{
    const tmi_file *file = saver->file;
    uint32_t total = 0, file_layers = file ? file->counts[TM_ITEM_LAYER] : 0,
             file_groups = file ? file->counts[TM_ITEM_GROUP] : 0;
    TM_TRY(start_groups(saver, &total));
    saver->layers = tmi_saver_alloc(saver, (size_t)total + file_layers, sizeof(*saver->layers));
    saver->file_layers = tmi_saver_alloc(saver, file_layers, sizeof(*saver->file_layers));
    saver->file_spans = tmi_saver_alloc(saver, file_groups, sizeof(*saver->file_spans));
    TM_TRY(saver->io.status);
    find_lost(saver);
    if (file) {
        find_file_spans(saver);
        find_layers_of_file(saver);
        saver->same_structure = structure_as_in_file(saver);
    }
    if (saver->same_structure)
        keep_layout(saver);
    else
        new_layout(saver);
    return saver->io.status;
}
