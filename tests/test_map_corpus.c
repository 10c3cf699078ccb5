/* SPDX-License-Identifier: Zlib */
/*
 * There and back on real maps: whatever is moved, inserted, duplicated or resized and then put back leaves a
 * map that is equal to what it was. Real maps have thousands of quads, envelopes and references that no
 * made-up map has. Without the corpus all of this is skipped.
 *
 * test-timeout: 300
 */
#include "map/map.h"
#include "support/test.h"

/* bytes of a file that is tried; the large ones have nothing that the small ones lack */
enum { LARGEST = 150000 };

struct tally {
    uint32_t maps, moves, inserts, duplicates, layers, resized;
};

static void works(tm_status status, const char *path)
{
    if (status != TM_OK)
        fail_msg("%s: %s", path, tm_status_name(status));
}

/* Data that is damaged in the file stops some changes; that is no fault of theirs. */
static bool done(tm_status status, const char *path)
{
    if (status == TM_ERROR_DAMAGED)
        return false;
    works(status, path);
    return true;
}

static void assert_as_before(const tm_map *before, const tm_map *map, const char *path, const char *after)
{
    char where[256];
    tm_error error;
    bool equal;
    if (tm_map_verify(map, &error) != TM_OK)
        fail_msg("%s after %s: %s: %s", path, after, error.place, error.text);
    tm_status status = tm_map_equal(&equal, before, map, where, sizeof(where), NULL);
    if (done(status, path) && !equal)
        fail_msg("%s after %s: %s", path, after, where);
}

/*
 * Inserting makes what leads nowhere lead to nothing, which shows in the data; so look whether there is
 * anything like it.
 */
static bool leads_nowhere(const tm_map *map, const tm_layer *layer)
{
    const void *bytes;
    uint64_t size;
    if (layer->kind != TM_LAYER_QUADS || layer->as.quads.num_quads == 0)
        return layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS;
    if (tm_map_data(&bytes, &size, map, layer->as.quads.quads, NULL) != TM_OK)
        return true;
    const tm_quad *quads = bytes;
    for (uint32_t i = 0; i < layer->as.quads.num_quads; i++)
        if (quads[i].position_envelope >= (int32_t)map->num_envelopes ||
            quads[i].color_envelope >= (int32_t)map->num_envelopes)
            return true;
    return false;
}

static bool all_lead_somewhere(const tm_map *map)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            if (leads_nowhere(map, &map->groups[g].layers[l]))
                return false;
    }
    return true;
}

static void objects_there_and_back(tm_map *map, const tm_map *before, const char *path, struct tally *tally)
{
    const bool insert = all_lead_somewhere(before);
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++) {
        uint32_t num = tmi_num_objects(map, object);
        if (num > 1 && done(tm_map_move(map, object, 0, num - 1, NULL), path)) {
            works(tm_map_move(map, object, num - 1, 0, NULL), path);
            assert_as_before(before, map, path, "moving there and back");
            tally->moves++;
        }
        if (insert && done(tm_map_insert(map, object, num / 2, NULL), path)) {
            works(tm_map_remove(map, object, num / 2, NULL), path);
            assert_as_before(before, map, path, "inserting and removing");
            tally->inserts++;
        }
        if (insert && num && done(tm_map_duplicate(map, object, num - 1, 0, NULL), path)) {
            works(tm_map_remove(map, object, 0, NULL), path);
            assert_as_before(before, map, path, "duplicating and removing");
            tally->duplicates++;
        }
    }
}

static void layers_there_and_back(tm_map *map, const tm_map *before, const char *path, struct tally *tally)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        const uint32_t last = map->num_groups - 1, num = map->groups[g].num_layers;
        if (num == 0)
            continue;
        works(tm_map_duplicate_layer(map, g, num - 1, last, 0, NULL), path);
        works(tm_map_remove_layer(map, last, 0, NULL), path);
        works(tm_map_move_layer(map, g, 0, g, num - 1, NULL), path);
        works(tm_map_move_layer(map, g, num - 1, g, 0, NULL), path);
        if (g != last) {
            works(tm_map_move_layer(map, g, num - 1, last, map->groups[last].num_layers, NULL), path);
            works(tm_map_move_layer(map, last, map->groups[last].num_layers - 1, g, num - 1, NULL), path);
        }
        tally->layers++;
    }
    assert_as_before(before, map, path, "rearranging layers");
}

/*
 * Larger on all sides, then as before. Blocks that are longer than the layer needs lose their rest; nobody
 * sees that.
 */
static void sizes_there_and_back(tm_map *map, const tm_map *before, const char *path, struct tally *tally)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            const uint32_t width = layer->as.tiles.width, height = layer->as.tiles.height;
            if (!tm_game_layer(layer->kind)->is_tiles || !layer->as.tiles.tiles || width == 0 || height == 0)
                continue;
            const uint64_t compat = tm_block_get_info(layer->as.tiles.compat).size;
            if (compat && compat != (uint64_t)width * height * sizeof(tm_tile))
                continue; /* would be fixed */
            if (!done(tm_map_resize_layer(map, g, l, width + 3, height + 2, 2, 1, NULL), path))
                continue;
            works(tm_map_resize_layer(map, g, l, width, height, -2, -1, NULL), path);
            tally->resized++;
        }
    }
    assert_as_before(before, map, path, "resizing there and back");
}

static bool visit(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    struct tally *tally = ctx;
    if (file->size > LARGEST)
        return true;
    OWN(tm_map) *before = test_map_clone(map);
    assert_as_before(before, map, path, "cloning");
    objects_there_and_back(map, before, path, tally);
    layers_there_and_back(map, before, path, tally);
    sizes_there_and_back(map, before, path, tally);
    works(tm_map_verify(before, NULL), path);
    tally->maps++;
    return true;
}

TEST(there_and_back_is_nothing)
{
    struct tally tally = {0};
    test_real_maps(visit, &tally);
    print_message("%u maps: %u moves, %u insertions, %u duplicates, %u groups, %u layers resized\n",
                  tally.maps, tally.moves, tally.inserts, tally.duplicates, tally.layers, tally.resized);
    assert_true(tally.maps > 0);
    assert_true(tally.moves > 40 && tally.inserts > 40 && tally.duplicates > 40 && tally.resized > 100);
}
