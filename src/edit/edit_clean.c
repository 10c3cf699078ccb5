/* SPDX-License-Identifier: Zlib */
/*
 * Removes unused objects, and joins duplicates. `optimize` runs all of these in one order, with a few more
 * invisible steps of its own; the saver packs the data.
 */
#include "edit_images.h"
#include "edit_other_map.h"

#include <teemap/tiles.h>

/* ----------------------------------------------------------------------------------------- unused objects */

typedef struct use_marks {
    tm_kind object;
    bool *used;
    uint32_t num;
} use_marks;

static void mark_use(void *ctx, const tm_field *field, int32_t *index)
{
    const use_marks *marks = ctx;
    if (field->refers == marks->object && *index >= 0 && (uint32_t)*index < marks->num)
        marks->used[*index] = true;
}

/*
 * What would be removed or renumbered stays if something that teemap does not know may refer to it by number;
 * the report says so once for each kind.
 */
static bool stays(tmi_edit *edit, const char *unused, uint32_t num)
{
    if (!num || !tmi_map_may_refer(edit->map))
        return false;
    tmi_edit_report(
        edit, TM_FINDING_UNKNOWN_MAY_REFER, tmi_whole_map,
        "nothing known refers to %u %s, but the file holds items or integers that teemap does not know, "
        "which may: kept",
        (unsigned)num, unused);
    return true;
}

/* Finds which objects of a kind something refers to. */
static tm_status mark_uses(use_marks *out, tmi_edit *edit, tm_kind object, tm_error *error)
{
    *out = (use_marks){object, NULL, tmi_num_objects(edit->map, object)};
    TM_TRY(tmi_reserve_zeroed(&out->used, edit->scratch, out->num, sizeof(*out->used), "marks", error));
    return tmi_edit_each_use(edit->map, object, mark_use, out, error);
}

/* Removes the unused objects of a kind, and reports them. */
static tm_status remove_unused(tmi_edit *edit, tm_kind object, tm_error *error)
{
    static const char *const kinds[] = {
        [TM_KIND_IMAGE] = "images", [TM_KIND_SOUND] = "sounds", [TM_KIND_ENVELOPE] = "envelopes"};
    use_marks marks;
    uint32_t num_unused = 0;
    TM_TRY(mark_uses(&marks, edit, object, error));
    for (uint32_t i = 0; i < marks.num; i++)
        num_unused += !marks.used[i];
    if (stays(edit, kinds[object], num_unused))
        return TM_OK;
    for (uint32_t i = marks.num; i > 0; i--) {
        if (marks.used[i - 1])
            continue;
        tmi_edit_changed(edit, tmi_edit_address(object, i - 1, 0), 1, "removed: nothing refers to it");
        TM_TRY(tm_map_remove(edit->map, object, i - 1, error));
    }
    return TM_OK;
}

tm_status tmi_clean_new(tmi_edit *edit, tm_kind object, uint32_t first, tm_error *error)
{
    use_marks marks;
    if (tmi_num_objects(edit->map, object) == first)
        return TM_OK;
    TM_TRY(mark_uses(&marks, edit, object, error));
    for (uint32_t i = marks.num; i > first; i--)
        if (!marks.used[i - 1])
            TM_TRY(tm_map_remove(edit->map, object, i - 1, error));
    return TM_OK;
}

/* ------------------------------------------------------------------------------- what could not be read */

static tm_status drop_unread_of(tmi_edit *edit, tm_kind owner, void *object, tm_address address,
                                tm_error *error)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        const tm_block *block = tm_field_unread(&fields[i], object);
        if (!block || fields[i].type == TM_TYPE_COUNT)
            continue;
        tmi_edit_changed(edit, address, 1, "%s removed, which could not be read: %llu bytes", fields[i].name,
                         (unsigned long long)tm_block_get_info(block).size);
        TM_TRY(tm_field_drop_unread(edit->map, object, &fields[i], error));
    }
    return TM_OK;
}

tm_status tmi_clean_unread(tmi_edit *edit, tm_error *error)
{
    tm_kind owner;
    TM_TRY(drop_unread_of(edit, TM_KIND_INFO, &edit->map->info, tmi_edit_address(TM_KIND_INFO, 0, 0), error));
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_SOUND; kind++)
        for (uint32_t i = 0; i < tmi_num_objects(edit->map, kind); i++) {
            const tm_address address = tmi_edit_address(kind, i, 0);
            void *object = tmi_map_object_edit(edit->map, &address, &owner);
            TM_TRY(drop_unread_of(edit, owner, object, address, error));
        }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- unused objects */

/* Whether an operation's row means objects of a kind; that of "all" means every kind. */
static bool row_means(const tmi_edit *edit, tm_kind object)
{
    return edit->kind == TM_KIND_MAP || edit->kind == object;
}

tm_status tmi_clean_objects(tmi_edit *edit, tm_error *error)
{
    static const tm_kind objects[] = {TM_KIND_ENVELOPE, TM_KIND_IMAGE, TM_KIND_SOUND};
    for (size_t i = 0; i < TMI_COUNT_OF(objects); i++)
        if (row_means(edit, objects[i]))
            TM_TRY(remove_unused(edit, objects[i], error));
    return TM_OK;
}

/* ------------------------------------------------------------------------------- layers that hold nothing */

/* Whether a door stands in the game or front layer; a layer that cannot be read may hold one. */
static bool has_door(const tm_map *map)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT};
    for (size_t k = 0; k < TMI_COUNT_OF(kinds); k++) {
        tm_grid grid;
        if (tm_map_tiles(&grid, map, tm_map_physics_layer(NULL, NULL, map, kinds[k]), NULL))
            return true;
        const tm_tile *tiles = grid.tiles;
        for (uint64_t i = 0; tiles && i < (uint64_t)grid.width * grid.height; i++)
            if (tiles[i].index == TM_TILE_DOOR)
                return true;
    }
    return false;
}

/* Whether a layer may be removed as empty. One with damaged tiles is not: its content is unknown. */
static tm_status layer_is_empty(bool *empty, const tm_map *map, const tm_layer *layer, bool has_doors,
                                tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    *empty = false;
    if (layer->kind == TM_LAYER_QUADS) {
        *empty = layer->as.quads.num_quads == 0;
    } else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS) {
        *empty = layer->as.sounds.num_sources == 0;
    } else if ((layer->kind == TM_LAYER_TILES && layer->as.tiles.automapper.present) ||
               (layer->kind == TM_LAYER_SWITCH && has_doors)) {
        return TM_OK; /* DDNet only makes doors solid if there is a switch layer */
    } else if (info->is_tiles && layer->kind != TM_LAYER_GAME) {
        tm_grid grid;
        const tm_status status = tm_map_tiles(&grid, map, layer, error);
        if (status)
            return status == TM_ERROR_DAMAGED ? TM_OK : status;
        /* Design tiles are empty if their index is 0, physics tiles if all their bytes are. */
        const size_t first = info->is_physics ? 0 : (size_t)info->index_at,
                     step = info->is_physics ? 1 : grid.tile_size;
        for (uint32_t y = 0; grid.tiles && y < grid.height; y++) {
            const uint8_t *row = (const uint8_t *)grid.tiles + y * grid.row_stride;
            for (size_t i = first; i < (size_t)grid.width * grid.tile_size; i += step)
                if (row[i])
                    return TM_OK;
        }
        *empty = true;
    }
    return TM_OK;
}

/*
 * Which layers may be removed, by their number. Nothing is removed meanwhile, and what layers share is looked
 * at once.
 */
static tm_status find_empty_layers(bool *empty, const tm_map *map, tm_error *error)
{
    const bool has_doors = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_SWITCH) && has_door(map);
    tmi_seen_layers seen = {{NULL}, 0};
    bool of_seen[TMI_SEEN_LAYERS];
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        const tm_layer *layer = walk.layer;
        const bool may_share = tm_game_layer(layer->kind)->is_tiles && !layer->as.tiles.automapper.present;
        size_t place = 0;
        if (may_share && tmi_layer_was_seen(&place, &seen, layer)) {
            empty[walk.number] = of_seen[place];
            continue;
        }
        TM_TRY(tmi_fail_at_address(error, layer_is_empty(&empty[walk.number], map, layer, has_doors, error),
                                   map, (tm_address){TM_KIND_LAYER, walk.group, walk.index}));
        if (may_share)
            of_seen[place] = empty[walk.number];
    }
    return TM_OK;
}

tm_status tmi_clean_layers(tmi_edit *edit, tm_error *error)
{
    tm_map *map = edit->map;
    const bool keep = tmi_map_may_refer(map);
    const size_t num = tm_map_num_layers(map);
    uint32_t num_kept = 0;
    bool *empty;
    TM_TRY(
        tmi_reserve_zeroed(&empty, tmi_map_allocator(map), num, sizeof(*empty), "a list of layers", error));
    tm_status status = find_empty_layers(empty, map, error);
    size_t number = num;
    for (uint32_t g = map->num_groups; g-- > 0;)
        for (uint32_t i = map->groups[g].num_layers; i-- > 0 && !status;) {
            if (!empty[--number])
                continue;
            num_kept += keep;
            if (keep)
                continue;
            tmi_edit_changed(edit, tmi_edit_address(TM_KIND_LAYER, g, i), 1, "removed: it holds nothing");
            status = tm_map_remove_layer(map, g, i, error);
        }
    tmi_free(tmi_map_allocator(map), empty, num, sizeof(*empty));
    if (!status)
        (void)stays(edit, "empty layers", num_kept);
    return status;
}

tm_status tmi_clean_groups(tmi_edit *edit, tm_error *error)
{
    uint32_t num_empty = 0;
    for (uint32_t i = 0; i < edit->map->num_groups; i++)
        num_empty += edit->map->groups[i].num_layers == 0;
    if (stays(edit, "groups without layers", num_empty))
        return TM_OK;
    for (uint32_t i = edit->map->num_groups; i > 0; i--) {
        if (edit->map->groups[i - 1].num_layers)
            continue;
        tmi_edit_changed(edit, tmi_edit_address(TM_KIND_GROUP, i - 1, 0), 1, "removed: it has no layers");
        TM_TRY(tm_map_remove(edit->map, TM_KIND_GROUP, i - 1, error));
    }
    return TM_OK;
}

/* Removes all unused objects, layers first, since they refer to the others. */
tm_status tmi_clean_all(tmi_edit *edit, tm_error *error)
{
    TM_TRY(tmi_clean_layers(edit, error));
    TM_TRY(tmi_clean_groups(edit, error));
    return tmi_clean_objects(edit, error);
}

/* ------------------------------------------------------------------------------------------ equal objects */

static tm_status are_equal(bool *equal, const tm_map *map, tm_kind object, uint32_t a, uint32_t b,
                           tm_error *error)
{
    const tm_kind kind = object;
    const tm_address first = {kind, a, 0}, other = {kind, b, 0};
    bool may_be; /* names and sizes do not differ */
    tm_error failure;
    *equal = false;
    if (object == TM_KIND_IMAGE) {
        const tm_image *images = map->images;
        may_be = images[a].external == images[b].external && tmi_same_text(images[a].name, images[b].name);
        *equal = may_be && images[a].external; /* they need no comparison */
    } else if (object == TM_KIND_SOUND) {
        may_be = tmi_same_text(map->sounds[a].name, map->sounds[b].name);
    } else {
        may_be = map->envelopes[a].num_points == map->envelopes[b].num_points &&
                 strcmp(map->envelopes[a].name, map->envelopes[b].name) == 0;
    }
    if (!may_be || *equal)
        return TM_OK;
    return tmi_past_damage(tmi_objects_equal(equal, map, &first, map, &other, &failure), &failure, error);
}

tm_status tmi_join_objects(tmi_edit *edit, tm_error *error)
{
    uint32_t num_kept = 0;
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_ENVELOPE; object++)
        for (uint32_t from = row_means(edit, object) ? tmi_num_objects(edit->map, object) : 0; from-- > 1;) {
            bool equal = false;
            for (uint32_t to = 0; to < from && !equal; to++) {
                tmi_redirection redirection = {object, (int32_t)from, (int32_t)to, 0};
                TM_TRY(are_equal(&equal, edit->map, object, to, from, error));
                num_kept += equal && tmi_map_may_refer(edit->map);
                if (!equal || tmi_map_may_refer(edit->map))
                    continue;
                TM_TRY(tmi_edit_each_use(edit->map, object, tmi_redirect, &redirection, error));
                tmi_edit_changed(edit, tmi_edit_address(object, from, 0), 1,
                                 "removed: it is equal to %u, which takes its place", (unsigned)to);
                TM_TRY(tm_map_remove(edit->map, object, from, error));
            }
        }
    (void)stays(edit, "objects that equal others", num_kept);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- optimize */

/* Clears the flags of air in a layer: they have no effect, and equal bytes pack better. */
static tm_status clear_air(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_grid grid;
    tm_edit_grid writable;
    uint64_t count = 0;
    TM_TRY(tmi_edit_design_grid(&grid, edit->map, address, error));
    const uint64_t num = grid.tiles ? (uint64_t)grid.width * grid.height : 0;
    const tm_tile *tiles = grid.tiles;
    for (uint64_t i = 0; i < num; i++)
        count += tiles[i].index == TM_TILE_AIR && tiles[i].flags;
    if (count == 0)
        return TM_OK;
    TM_TRY(tm_map_edit_tiles(&writable, edit->map, address->index, address->layer, error));
    tm_tile *writable_tiles = writable.tiles;
    for (uint64_t i = 0; i < num; i++)
        if (writable_tiles[i].index == TM_TILE_AIR)
            writable_tiles[i].flags = 0;
    tmi_edit_changed(edit, *address, count, "flags of air cleared");
    return TM_OK;
}

static tm_status clear_external_image(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    if (!edit->map->images[address->index].external || !edit->map->images[address->index].pixels)
        return TM_OK;
    tmi_edit_changed(edit, *address, 1, "pixels of an external image removed");
    return tmi_drop_pixels(edit->map, address->index, error);
}

tm_status tmi_edit_optimize(tmi_edit *edit, tm_error *error)
{
    /* Unused objects are removed first, so they need not be unpacked for the comparison. */
    TM_TRY(tmi_clean_all(edit, error));
    TM_TRY(tmi_edit_each_of_map(edit, TM_KIND_IMAGE, clear_external_image, NULL, error));
    TM_TRY(tmi_join_objects(edit, error));
    TM_TRY(tmi_edit_each_of_map(edit, TM_KIND_LAYER, clear_air, NULL, error));
    return tmi_edit_shrink(edit, error);
}
