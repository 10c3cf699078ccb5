/* SPDX-License-Identifier: Zlib */
/*
 * Memory that fails, seen from above: the n-th request fails, n = 1 until all goes well, for everything that one does with a map.
 * Each failure is told with the right status and words, loses nothing and leaves the map as it was. test_system_faults.c does the
 * same to calls of the operating system.
 *
 * test-timeout: 600
 */
#include "support/lib_fault_maps.h"
#include "support/test.h"
#include "map/map.h"

#include <errno.h>

/* Things to do with a map. Those that only read it are given it all the same. */
typedef tm_status work(tm_map *map, tm_error *error);

static struct {
    const char *name;
    work *run;
    bool several; /* is made of several changes, so the first of them may be done when a later one fails */
} works[64];
static size_t num_works;

static void add_work(const char *name, work *run, bool several)
{
    assert_true(num_works < sizeof(works) / sizeof(works[0]));
    works[num_works].name = name;
    works[num_works].run = run;
    works[num_works++].several = several;
}

/* Each work adds itself to the list. DO has the call alone. */
#define WORK_OF(function, name, several)                          \
    __attribute__((constructor)) static void add_##function(void) \
    {                                                             \
        add_work(name, function, several);                        \
    }
#define WORK(function, name)                                 \
    static tm_status function(tm_map *map, tm_error *error); \
    WORK_OF(function, name, false)                           \
    static tm_status function(tm_map *map, tm_error *error)
#define DO(function, name, call) \
    WORK(function, name)         \
    {                            \
        return call;             \
    }

WORK(do_clone, "clone")
{
    OWN(tm_map) *clone;
    return tm_map_clone(&clone, map, error);
}

static tm_status save_with(tm_map *map, const tm_mapfile_save_options *options, tm_error *error)
{
    OWN(tm_buffer) buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    return tm_mapfile_save(map, &output, options, NULL, NULL, error);
}

DO(do_save, "save", save_with(map, NULL, error))

WORK(do_recompress, "recompress")
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .recompress = true};
    return save_with(map, &options, error);
}

WORK(do_rewrite, "rewrite")
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .rewrite = true};
    return save_with(map, &options, error);
}

DO(do_check_data, "check data", tm_mapfile_check_data(map, NULL, NULL, error))
DO(do_check, "check", tm_mapfile_check(map, TM_MODE_GAME, NULL, NULL, error))
DO(do_unpack, "unpack", tm_map_unpack(map, NULL, 0, NULL, error))

WORK(do_equal, "equal")
{
    bool equal;
    OWN(tm_map) *clone;
    char where[200];
    tm_status status = tm_map_clone(&clone, map, error);
    if (status == TM_OK)
        status = tm_map_equal(&equal, map, clone, where, sizeof(where), error);
    return status;
}

static tm_status do_insert(tm_map *map, tm_error *error)
{
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++) {
        tm_status status = tm_map_insert(map, object, 0, error);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

DO(insert_envelope, "insert envelope", tm_map_insert(map, TM_KIND_ENVELOPE, 0, error))
DO(insert_image, "insert image", tm_map_insert(map, TM_KIND_IMAGE, 0, error))
DO(remove_envelope, "remove envelope", tm_map_remove(map, TM_KIND_ENVELOPE, 0, error))
DO(remove_group, "remove group", tm_map_remove(map, TM_KIND_GROUP, 0, error))
DO(move_envelope, "move envelope", tm_map_move(map, TM_KIND_ENVELOPE, 0, map->num_envelopes - 1, error))
DO(duplicate_group, "duplicate group", tm_map_duplicate(map, TM_KIND_GROUP, map->num_groups - 1, 0, error))
DO(duplicate_image, "duplicate image", tm_map_duplicate(map, TM_KIND_IMAGE, map->num_images - 1, 0, error))
DO(duplicate_envelope, "duplicate envelope", tm_map_duplicate(map, TM_KIND_ENVELOPE, 0, 0, error))
DO(insert_layers, "insert layer", tm_map_insert_layer(map, 0, 0, TM_LAYER_TELE, 5, 5, error))

/* The last group that has layers. */
static uint32_t full_group(const tm_map *map)
{
    uint32_t group = map->num_groups - 1;
    while (group && map->groups[group].num_layers == 0)
        group--;
    return group;
}

/* Of the map itself, which has one of everything. */
DO(import_group, "import group",
   tm_map_import(NULL, map, TM_KIND_GROUP, 0, map, full_group(map), NULL, error))

WORK(import_layer, "import layer")
{
    static const tm_import_options share = {sizeof(share), true};
    uint32_t group, layer;
    const bool any = tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS);
    return any ? tm_map_import_layer(map, group, 0, map, group, layer, &share, error) : TM_OK;
}

DO(import_image, "import image", tm_map_import(NULL, map, TM_KIND_IMAGE, 0, map, 0, NULL, error))
DO(move_layer, "move layer", tm_map_move_layer(map, full_group(map), 0, 0, 0, error))
DO(remove_layer, "remove layer", tm_map_remove_layer(map, full_group(map), 0, error))
DO(duplicate_layer, "duplicate layer", tm_map_duplicate_layer(map, full_group(map), 0, 0, 0, error))

WORK(set_settings, "set settings")
{
    static const char *const settings[] = {"one", "two", ""};
    return tm_map_set_settings(map, settings, 3, error);
}

DO(insert_setting, "insert setting", tm_map_insert_setting(map, 0, "sv_new 1", error))

WORK(set_points, "set points")
{
    static const tm_envelope_point points[3];
    return tm_map_set_points(map, 0, points, 3, error);
}

WORK(set_pixels, "set pixels")
{
    static const uint8_t pixels[3 * 3 * 4];
    return tm_map_set_pixels(map, 0, pixels, 3, 3, error);
}

DO(set_sound, "set sound", map->num_sounds ? tm_map_set_sound(map, 0, "OggS", 4, error) : TM_OK)

WORK(set_quads, "set quads")
{
    static const tm_quad quads[2];
    uint32_t group, layer;
    const bool any = tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS);
    return any ? tm_map_set_quads(map, group, layer, quads, 2, error) : TM_OK;
}

WORK(set_sources, "set sources")
{
    static const tm_sound_source sources[2];
    uint32_t group, layer;
    const bool any = tm_map_find_layer(&group, &layer, map, TM_LAYER_SOUNDS);
    return any ? tm_map_set_sources(map, group, layer, sources, 2, error) : TM_OK;
}

WORK(insert_quads, "insert quads")
{
    static const tm_quad quads[2];
    uint32_t group, layer;
    const bool any = tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS);
    return any ? tmi_map_insert_elements(map, LAYER_AT(group, layer), 0, quads, 2, error) : TM_OK;
}

WORK(remove_sources, "remove sources")
{
    uint32_t group, layer;
    const tm_layer *sounds = tm_map_find_layer(&group, &layer, map, TM_LAYER_SOUNDS);
    const bool any = sounds && sounds->as.sounds.num_sources;
    return any ? tmi_map_remove_elements(map, LAYER_AT(group, layer), 0, 1, error) : TM_OK;
}

WORK(insert_points, "insert points")
{
    static const tm_envelope_point points[2];
    return tmi_map_insert_elements(map, ENVELOPE_AT(0), 0, points, 2, error);
}

WORK(resize_layers, "resize")
{
    uint32_t group, layer;
    (void)tm_map_find_layer(&group, &layer, map, TM_LAYER_GAME);
    return tm_map_resize_layer(map, group, layer, 9, 7, 1, -1, error);
}

WORK(resize_front, "resize front")
{
    uint32_t group, layer;
    const bool any = tm_map_find_layer(&group, &layer, map, TM_LAYER_FRONT);
    return any ? tm_map_resize_layer(map, group, layer, 9, 7, 1, -1, error) : TM_OK;
}

WORK(edit_tiles, "edit")
{
    tm_edit_grid grid;
    uint32_t group, layer;
    (void)tm_map_find_layer(&group, &layer, map, TM_LAYER_GAME);
    return tm_map_edit_tiles(&grid, map, group, layer, error);
}

WORK(image_pixels, "image pixels")
{
    static uint8_t rgba[256 * 256 * 4];
    for (uint32_t i = 0; i < map->num_images; i++) {
        const tm_image *image = &map->images[i];
        if (image->external || !image->pixels || image->width <= 0 || image->height <= 0)
            continue;
        tm_status status = tm_map_image_pixels(map, image, rgba,
                                               (uint64_t)image->width * (uint64_t)image->height * 4, error);
        if (status != TM_OK && status != TM_ERROR_DAMAGED)
            return status;
    }
    return TM_OK;
}

WORK(read_tiles, "read tiles")
{
    tm_tile tiles[4];
    return tm_map_read_tiles(map, tm_map_find_layer(NULL, NULL, map, TM_LAYER_GAME), &(tm_rect){0, 0, 2, 2},
                             tiles, 0, error);
}

/* One change of each kind, then all of it saved. */
static tm_status change_and_save(tm_map *map, tm_error *error)
{
    static work *const changes[] = {
        do_insert, duplicate_group, test_fault_set_text, set_settings,          set_points, set_pixels,
        set_quads, set_sources,     resize_layers,       test_fault_fill_tiles, do_save,    do_rewrite};
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        tm_status status = changes[i](map, error);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

WORK_OF(test_fault_set_text, "set text", false)
WORK_OF(test_fault_fill_tiles, "fill", false)
WORK_OF(change_and_save, "change and save", true)

/* The map is as its clone, which was made before. */
static void require_as_before(const tm_map *map, const tm_map *before, const char *description, size_t n)
{
    tm_error error;
    bool equal;
    char where[200];
    if (tm_map_verify(map, &error) != TM_OK)
        fail_msg("%s, failure %zu: %s: %s", description, n, error.place, error.text);
    must(tm_map_equal(&equal, before, map, where, sizeof(where), NULL));
    if (!equal)
        fail_msg("%s, failure %zu: %s", description, n, where);
}

/* One try with the n-th request failing (and with `all` every later one, too). False when nothing failed any more. */
static bool try_without_memory(const tm_buffer *file, size_t which, size_t n, bool all)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    tm_error error = {.code = TM_OK};
    OWN(tm_map) *map = test_fault_load(file, &memory.allocator);
    OWN(tm_map) *before = test_map_clone(map);
    memory.num_requests = 0;
    memory.fail_at = n;
    memory.fail_after = all;
    tm_status status = works[which].run(map, &error);
    const bool failed = memory.failed;
    memory.fail_at = 0;
    if (failed)
        test_fault_told(status, TM_ERROR_MEMORY, &error, works[which].name, n);
    else if (status != TM_OK)
        fail_msg("%s, sample %zu bytes: %s", works[which].name, file->size, error.text);
    if (failed && !works[which].several)
        require_as_before(map, before, works[which].name, n);
    must(tm_map_verify(map, NULL));
    return failed;
}

TEST(every_work_survives_lack_of_memory)
{
    size_t failures = 0;
    for (size_t which = 0; which < num_works; which++)
        for (size_t i = 0; i < test_fault_maps.num; i++)
            for (int all = 0; all < 2; all++)
                for (size_t n = 1; try_without_memory(&test_fault_maps.files[i], which, n, all); n++)
                    failures++;
    print_message("%zu failures\n", failures);
    assert_in_range(failures, 1000, 1000000);
}

TEST(loading_survives_lack_of_memory)
{
    static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE};
    for (size_t i = 0; i < test_fault_maps.num * 3; i++) {
        const tm_buffer *file = &test_fault_maps.files[i / 3];
        for (size_t n = 1;; n++) {
            struct test_memory memory;
            tm_error error = {.code = TM_OK};
            tm_map *map = (tm_map *)&error; /* so that NULL on failure shows */
            test_memory_init(&memory);
            memory.fail_at = n;
            const tm_mapfile_options options = {sizeof(options), modes[i % 3], NULL, &memory.allocator};
            tm_input input = tm_input_from_memory(file->bytes, file->size);
            tm_status status = tm_mapfile_load(&map, input, &options, NULL, &error);
            const bool failed = memory.failed;
            if (failed && status != TM_OK) {
                test_fault_told(status, TM_ERROR_MEMORY, &error, test_fault_maps.names[i / 3], n);
                assert_null(map);
            }
            if (!failed)
                assert_true(status == TM_OK || modes[i % 3] == TM_MODE_STRICT);
            tm_map_free(map);
            assert_int_equal(memory.num_blocks, 0);
            if (!failed)
                break;
            /* Without room for it a finding is only counted, and mode strict makes a list of its own. */
            assert_true(status == TM_ERROR_MEMORY || modes[i % 3] == TM_MODE_STRICT);
        }
    }
}

TEST(building_survives_lack_of_memory)
{
    EACH_FAILURE(memory) {
        const tm_map_options options = {sizeof(options), TM_GAME_DDNET, NULL, &memory.allocator};
        tm_map *map;
        tm_error error = {.code = TM_OK};
        tm_status status = tm_map_new(&map, &options, &error);
        if (status == TM_OK)
            status = do_insert(map, &error);
        if (status == TM_OK)
            status = insert_layers(map, &error);
        if (status == TM_OK)
            status = do_save(map, &error);
        tm_map_free(map);
        if (!memory.failed)
            must(status);
        else
            test_fault_told(status, TM_ERROR_MEMORY, &error, "building", memory.n);
    }
}

TEST_GROUP(test_fault_maps_make, test_fault_maps_drop)
