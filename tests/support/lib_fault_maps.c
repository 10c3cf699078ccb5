/* SPDX-License-Identifier: Zlib */
/* See lib_fault_maps.h. */
#include "lib_fault_maps.h"

#include "test.h"

struct test_fault_maps test_fault_maps;

static void add_everything(tm_game game)
{
    OWN(tm_map) *map = test_map_everything(game);
    test_fault_maps.names[test_fault_maps.num] = tm_game_name(game);
    test_fault_maps.files[test_fault_maps.num++] = test_map_save(map, NULL);
}

void test_fault_maps_make(void)
{
    add_everything(TM_GAME_DDNET);
    add_everything(TM_GAME_TEEWORLDS07);
    test_fault_maps.names[test_fault_maps.num] = "museum";
    test_fault_maps.files[test_fault_maps.num++] = test_map_museum();
    test_enter_folder();
}

void test_fault_maps_drop(void)
{
    for (size_t i = 0; i < test_fault_maps.num; i++)
        tm_buffer_release(&test_fault_maps.files[i]);
    test_leave_folder();
}

tm_map *test_fault_load(const tm_buffer *file, const tm_allocator *allocator)
{
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, NULL, allocator};
    tm_map *map;
    must(tm_mapfile_load(&map, tm_input_from_memory(file->bytes, file->size), &options, NULL, NULL));
    return map;
}

void test_fault_told(tm_status status, tm_status wanted, const tm_error *error, const char *description,
                     size_t n)
{
    if (status != wanted || error->code != wanted || !error->text[0])
        fail_msg("%s, failure %zu: status %s, code %s, '%s'", description, n, tm_status_name(status),
                 tm_status_name(error->code), error->text);
}

tm_status test_fault_set_text(tm_map *map, tm_error *error)
{
    return tm_map_set_text(map, &map->info.author, "somebody else", error);
}

tm_status test_fault_fill_tiles(tm_map *map, tm_error *error)
{
    static const tm_tile tile = {1, 0, 0, 0};
    uint32_t group, layer;
    (void)tm_map_find_layer(&group, &layer, map, TM_LAYER_GAME);
    return tm_map_fill_tiles(map, group, layer, &(tm_rect){0, 0, 2, 2}, &tile, error);
}
