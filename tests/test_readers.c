/* SPDX-License-Identifier: Zlib */
/*
 * Several threads at one map: they unpack it through one pool; they change, save and free clones of it, which share its file; they
 * compare and merge it while others read it. All must see what one thread alone sees. That each public function may be called
 * beside each other one is in test_const_threads.c. Meant for the thread and address sanitizers.
 *
 * test-labels: threads
 * test-timeout: 600
 */
#include "map/map.h"
#include "support/test.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 8 };

/* What a thread has seen: a sum that does not depend on the order of the parts. cmocka's checks are for one thread. */
struct reader {
    const tm_map *map, *versions[2]; /* made from the map */
    uint32_t number;
    uint64_t seen;
    const char *failed;
};

static uint64_t hash(uint64_t seed, const void *bytes, size_t size)
{
    uint64_t h = 14695981039346656037u ^ seed;
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
    return h;
}

static void see(struct reader *reader, uint64_t what, const void *bytes, size_t size)
{
    reader->seen += hash(what, bytes, size);
}

static void note(struct reader *reader, tm_status status, const char *description)
{
    if (status != TM_OK && status != TM_ERROR_DAMAGED && !reader->failed)
        reader->failed = description;
}

/* Runs `read` in THREADS threads at once, over and over; each must see what it sees alone. */
static void run_readers(struct reader *shared, void *(*read)(void *),
                        void (*interrupt)(struct reader *shared))
{
    struct reader alone = *shared;
    read(&alone);
    if (alone.failed)
        fail_msg("alone: %s", alone.failed);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        struct reader readers[THREADS];
        if (interrupt)
            interrupt(shared);
        for (uint32_t i = 0; i < THREADS; i++) {
            readers[i] = *shared;
            readers[i].number = i;
            assert_int_equal(pthread_create(&threads[i], NULL, read, &readers[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (uint32_t i = 0; i < THREADS; i++) {
            if (readers[i].failed)
                fail_msg("thread %u: %s", i, readers[i].failed);
            if (readers[i].seen != alone.seen)
                fail_msg("thread %u saw something else", i);
        }
    }
}

/* The data of all layers, from a group of the thread's own on. */
static void see_groups(struct reader *reader)
{
    const tm_map *map = reader->map;
    for (uint32_t i = 0; i < map->num_groups; i++) {
        const uint32_t g = (i + reader->number) % map->num_groups;
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            tm_block *const *block = tmi_layer_elements(&map->groups[g].layers[l]);
            const void *bytes;
            uint64_t size;
            const tm_status status = block ? tm_map_data(&bytes, &size, map, *block, NULL) : TM_ERROR_DAMAGED;
            note(reader, status, "data");
            if (status == TM_OK && bytes)
                see(reader, g * 1000 + l, bytes, (size_t)size);
        }
    }
}

/* So that everything is to be unpacked anew. */
static void forget(struct reader *shared)
{
    tm_map_drop_all_data((tm_map *)(uintptr_t)shared->map);
}

/* Unpacks through one pool, which all readers share. */
static tm_sys_threads *pool;

static void *read_by_pool(void *arg)
{
    struct reader *reader = arg;
    tm_job job = {.size = sizeof(job), .executor = tm_sys_threads_executor(pool)};
    note(reader, tm_map_unpack(reader->map, NULL, 0, &job, NULL), "unpack");
    OWN(tm_findings) findings = test_findings();
    note(reader, tm_mapfile_check_data(reader->map, &job, &findings, NULL), "check data");
    see(reader, 1, &findings.num, sizeof(findings.num));
    see_groups(reader);
    return NULL;
}

TEST(several_threads_share_a_pool)
{
    tm_buffer files[2] = {test_map_museum(), test_map_museum07()};
    must(tm_sys_threads_new(&pool, 3, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        OWN(tm_map) *map = test_map_load(&files[i], TM_MODE_GAME, NULL);
        struct reader shared = {.map = map};
        run_readers(&shared, read_by_pool, forget);
        tm_buffer_release(&files[i]);
    }
    tm_sys_threads_free(pool);
}

/* Changes, saves and frees a clone of its own. */
static void *change_clone(void *arg)
{
    struct reader *reader = arg;
    const tm_tile tile = {1, 0, 0, 0};
    OWN(tm_buffer) buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    OWN(tm_map) *clone;
    note(reader, tm_map_clone(&clone, reader->map, NULL), "clone");
    if (!clone)
        return NULL;
    uint32_t group, game;
    (void)tm_map_find_layer(&group, &game, clone, TM_LAYER_GAME);
    note(reader, tm_map_fill_tiles(clone, group, game, &(tm_rect){0, 0, 2, 2}, &tile, NULL), "fill");
    note(reader, tm_map_remove(clone, TM_KIND_ENVELOPE, 0, NULL), "remove");
    note(reader, tm_map_set_text(clone, &clone->info.author, "thread", NULL), "text");
    note(reader, tm_map_verify(clone, NULL), "verify");
    note(reader, tm_mapfile_save(clone, &output, NULL, NULL, NULL, NULL), "save");
    see(reader, 1, buffer.bytes, buffer.size);
    return NULL;
}

TEST(several_threads_change_clones)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_save(made, NULL);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    struct reader shared = {.map = map};
    run_readers(&shared, change_clone, NULL);
}

/* The same with a map that no file is behind: its clones share what is changed in it until they write. */
TEST(several_threads_change_clones_of_a_new_map)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) before = test_map_save(made, NULL);
    run_readers(&(struct reader){.map = made}, change_clone, NULL);
    OWN(tm_buffer) after = test_map_save(made, NULL);
    assert_true(test_buffer_same(&before, &after));
}

/* ------------------------------------------------------------------------------------------- patches and merges */

/* Each layer of a group gets another name and other content, and the game layer another size, so that all ways of matching look. */
static tm_map *make_version(tm_buffer *file, const tm_map *map, uint32_t seed)
{
    const tm_tile tile = {(uint8_t)(seed + 1), 0, 0, 0};
    uint32_t group, game;
    tm_map *clone = test_map_clone(map);
    for (uint32_t g = 0; g < clone->num_groups; g++)
        for (uint32_t l = 0; l < clone->groups[g].num_layers; l++) {
            tm_layer *layer = &clone->groups[g].layers[l];
            tm_quad *quads;
            uint32_t num;
            if (layer->kind == TM_LAYER_QUADS &&
                tm_map_edit_quads(&quads, &num, clone, g, l, NULL) == TM_OK && num)
                quads[0].points[0].x += (int32_t)seed + 1;
            if (layer->kind == TM_LAYER_TILES)
                must(tm_map_fill_tiles(clone, g, l, &(tm_rect){0, 0, 1, 2}, &tile, NULL));
            if (!tm_game_layer(layer->kind)->is_physics)
                layer->name[0] = (char)('a' + seed);
        }
    assert_non_null(tm_map_find_layer(&group, &game, clone, TM_LAYER_GAME));
    const tm_tile_layer *old = &clone->groups[group].layers[game].as.tiles;
    must(tm_map_resize_layer(clone, group, game, old->width + 2, old->height, 1, 0, NULL));
    must(tm_map_remove(clone, TM_KIND_ENVELOPE, seed, NULL));
    *file = test_map_save(clone, NULL);
    tm_map_free(clone);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

/* Odd threads read the base and keep what they have read, the others compare and merge it. */
static void *compare_map(void *arg)
{
    struct reader *reader = arg;
    tm_patch *patch;
    OWN(tm_conflicts) *conflicts;
    OWN(tm_map) *merged;
    if (reader->number & 1)
        see_groups(&(struct reader){.map = reader->map, .number = reader->number});
    for (int i = 0; i < 2; i++) {
        note(reader, tm_patch_make(&patch, reader->map, reader->versions[i], NULL, NULL), "patch");
        const uint32_t num = tm_patch_num(patch);
        see(reader, 1, &num, sizeof(num));
        tm_patch_free(patch);
    }
    note(reader,
         tm_map_merge(&merged, &conflicts, reader->map, reader->versions[0], reader->versions[1], NULL, NULL,
                      NULL),
         "merge");
    const uint32_t num = tm_conflicts_num(conflicts);
    see(reader, 2, &num, sizeof(num));
    return NULL;
}

/*
 * tm_patch_make and tm_map_merge dropped the bytes of their const maps through a cast, so that whoever else compared the base or held
 * its quads read freed memory.
 */
TEST(several_threads_compare_one_base)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    tm_buffer file = test_map_save(made, NULL), files[2];
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    tm_map *versions[2] = {make_version(&files[0], map, 0), make_version(&files[1], map, 1)};
    struct reader shared = {.map = map, .versions = {versions[0], versions[1]}};
    run_readers(&shared, compare_map, forget);
    for (int i = 0; i < 2; i++) {
        tm_map_free(versions[i]);
        tm_buffer_release(&files[i]);
    }
    tm_buffer_release(&file);
}
