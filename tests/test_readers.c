/* SPDX-License-Identifier: Zlib */
/*
 * Several threads at one loaded map and at one open datafile: each asks for everything, in an order of its own, and all must see
 * what one thread alone sees. Clones of one map, which share its file, are changed, saved and freed by several threads at once;
 * several compare and merge one base while others read it. Meant for the thread and address sanitizers.
 *
 * test-labels: threads
 * test-timeout: 600
 */
#include "support/lib_render.h"
#include "support/test.h"
#include "datafile/datafile.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 8 };

/* What a thread has seen: a sum that does not depend on the order of the parts. cmocka's checks are for one thread. */
struct reader {
    const tm_map *map, *versions[2]; /* made from the map */
    const tm_datafile *datafile;
    const tm_buffer *file;
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

static void note(struct reader *reader, tm_status status, const char *what)
{
    if (status != TM_OK && status != TM_ERROR_DAMAGED && !reader->failed)
        reader->failed = what;
}

/* Runs `read` in THREADS threads at once, over and over; each must see what it sees alone. */
static void run_readers(struct reader *shared, void *(*read)(void *), void (*between)(struct reader *shared))
{
    struct reader alone = *shared;
    read(&alone);
    if (alone.failed)
        fail_msg("alone: %s", alone.failed);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        struct reader readers[THREADS];
        if (between)
            between(shared);
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

static void see_block(struct reader *reader, const tm_block *block, uint64_t what)
{
    const void *bytes;
    uint64_t size;
    tm_status status = tm_map_data(&bytes, &size, reader->map, block, NULL);
    note(reader, status, "data");
    if (status == TM_OK && bytes)
        see(reader, what, bytes, (size_t)size);
    tm_block_info info = tm_block_get_info(block);
    see(reader, what + 1, &info.size, sizeof(info.size));
}

static void see_layer(struct reader *reader, const tm_layer *layer, uint64_t what)
{
    uint8_t rectangle[3 * 3 * 8];
    tm_grid grid;
    see(reader, what, layer->name, sizeof(layer->name));
    if (layer->kind == TM_LAYER_QUADS) {
        see_block(reader, layer->as.quads.quads, what + 2);
    } else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS) {
        see_block(reader, layer->as.sounds.sources, what + 2);
    } else if (tm_game_layer(layer->kind)->is_tiles && layer->as.tiles.tiles) {
        note(reader, tm_map_tiles(&grid, reader->map, layer, NULL), "tiles");
        memset(rectangle, 0, sizeof(rectangle));
        note(reader, tm_map_read_tiles(reader->map, layer, &(tm_rect){-1, 0, 3, 3}, rectangle, 0, NULL),
             "rectangle");
        see(reader, what + 3, rectangle, sizeof(rectangle));
        see_block(reader, layer->as.tiles.tiles, what + 4);
        see_block(reader, layer->as.tiles.compat, what + 6);
    }
}

static void see_groups(struct reader *reader)
{
    const uint32_t num = reader->map->num_groups;
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t g = (i + reader->number) % num;
        for (uint32_t l = 0; l < reader->map->groups[g].num_layers; l++)
            see_layer(reader, &reader->map->groups[g].layers[l], 1000 + g * 1000 + l * 10);
    }
}

static void see_media(struct reader *reader)
{
    for (uint32_t i = 0; i < reader->map->num_images; i++) {
        const tm_image *image = &reader->map->images[i];
        const uint64_t size = (uint64_t)image->width * (uint64_t)image->height * 4;
        see_block(reader, image->pixels, 100 + i);
        FREED uint8_t *rgba = image->pixels && size < 1 << 24 ? calloc(1, (size_t)size + 1) : NULL;
        if (rgba && tm_map_image_pixels(reader->map, image, rgba, size, NULL) == TM_OK)
            see(reader, 200 + i, rgba, (size_t)size);
    }
    for (uint32_t i = 0; i < reader->map->num_sounds; i++)
        see_block(reader, reader->map->sounds[i].data, 300 + i);
}

static void see_envelopes(struct reader *reader)
{
    for (uint32_t i = 0; i < reader->map->num_envelopes; i++) {
        for (int time = 0; time < 3000; time += 100) {
            double values[4] = {0, 0, 0, 0};
            tm_envelope_evaluate(tm_map_envelope(reader->map, (int32_t)i), time, 4, values);
            see(reader, 400 + i, values, sizeof(values));
        }
    }
}

static void see_whole(struct reader *reader)
{
    OWN(tm_buffer) buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    OWN(tm_findings) findings;
    OWN(tm_map) *clone;
    bool equal = false;
    note(reader, tm_map_verify(reader->map, NULL), "verify");
    note(reader, tm_mapfile_save(reader->map, &output, NULL, NULL, NULL, NULL), "save");
    if (buffer.size != reader->file->size || memcmp(buffer.bytes, reader->file->bytes, buffer.size) != 0)
        reader->failed = "other bytes were saved";
    tm_findings_init(&findings, 0, NULL);
    note(reader, tm_mapfile_check_data(reader->map, NULL, &findings, NULL), "check data");
    see(reader, 500, &findings.errors, sizeof(findings.errors));
    note(reader, tm_map_clone(&clone, reader->map, NULL), "clone");
    if (clone && tm_map_equal(&equal, reader->map, clone, NULL, 0, NULL) == TM_OK && !equal)
        reader->failed = "a clone differs";
}

static void *read_map(void *arg)
{
    static void (*const parts[])(struct reader * reader) = {see_groups, see_media, see_envelopes, see_whole};
    struct reader *reader = arg;
    for (uint32_t i = 0; i < 4; i++)
        parts[(i + reader->number) % 4](reader);
    note(reader, tm_map_unpack(reader->map, NULL, 0, NULL, NULL), "unpack");
    return NULL;
}

/* So that everything is to be unpacked anew. */
static void forget(struct reader *shared)
{
    tm_map_drop_all_data((tm_map *)(uintptr_t)shared->map);
}

static void read_by_threads(const tm_buffer *file)
{
    OWN(tm_map) *map = test_map_load(file, TM_MODE_GAME, NULL);
    struct reader shared = {.map = map, .file = file};
    run_readers(&shared, read_map, forget);
}

TEST(several_threads_read_a_map_of_everything)
{
    for (tm_game game = TM_GAME_DDNET; game < TM_GAME_COUNT; game++) {
        OWN(tm_map) *map = test_map_everything(game);
        OWN(tm_buffer) file = test_map_save(map, NULL);
        read_by_threads(&file);
    }
}

TEST(several_threads_read_old_maps)
{
    tm_buffer files[2] = {test_map_museum(), test_map_museum07()};
    for (int i = 0; i < 2; i++) {
        read_by_threads(&files[i]);
        tm_buffer_release(&files[i]);
    }
}

TEST(several_threads_read_a_real_map)
{
    OWN(tm_buffer) file = test_corpus_file("ddnet06/Multimap-912a57.map");
    read_by_threads(&file);
}

static void see_items(struct reader *reader)
{
    tm_datafile_item item;
    tm_datafile_type type, found;
    for (uint32_t i = 0; tm_datafile_get_item(&item, reader->datafile, i); i++)
        see(reader, i, item.body, item.size);
    for (uint32_t i = 0; tm_datafile_get_type(&type, reader->datafile, i); i++)
        if (type.has_uuid && tm_datafile_find_uuid(&found, reader->datafile, &type.uuid))
            see(reader, 1000 + i, &found.type, sizeof(found.type));
}

static tm_status see_visited(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    see(ctx, 2000 + index, bytes, (size_t)size);
    see(ctx, 3000 + index, &state, sizeof(state));
    return TM_OK;
}

static void see_data(struct reader *reader)
{
    const uint32_t num = tm_datafile_num_data(reader->datafile);
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t index = (i + reader->number * num / THREADS) % num;
        const void *bytes;
        tm_datafile_data data;
        tm_datafile_get_data(&data, reader->datafile, index);
        FREED uint8_t *own = calloc(1, (size_t)(data.size + data.packed_size) + 1);
        tm_status status = tm_datafile_data_bytes(&bytes, NULL, reader->datafile, index, NULL);
        note(reader, status, "data");
        if (status == TM_OK)
            see(reader, 4000 + index, bytes, (size_t)data.size);
        note(reader, tm_datafile_read_data(NULL, reader->datafile, index, own, data.size, NULL), "own data");
        see(reader, 5000 + index, own, (size_t)data.size);
        note(reader, tmi_datafile_read_packed(reader->datafile, index, own, data.packed_size, NULL),
             "packed data");
        see(reader, 6000 + index, own, (size_t)data.packed_size);
    }
}

static void *read_datafile(void *arg)
{
    struct reader *reader = arg;
    OWN(tm_buffer) copy = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&copy);
    see_items(reader);
    if (reader->number & 1)
        note(reader, tm_datafile_unpack(reader->datafile, NULL, 0, NULL, NULL), "unpack");
    see_data(reader);
    note(reader, tm_datafile_visit(reader->datafile, NULL, 0, see_visited, reader, NULL, NULL), "visit");
    note(reader, tm_datafile_copy(reader->datafile, &output, NULL, reader->number & 2, NULL, NULL, NULL),
         "copy");
    return NULL;
}

TEST(several_threads_read_a_datafile)
{
    tm_buffer files[2] = {test_map_museum(), test_map_museum07()};
    for (int i = 0; i < 2; i++) {
        OWN(tm_datafile) *datafile;
        tm_input input = tm_input_from_memory(files[i].bytes, files[i].size);
        must(tm_datafile_open(&datafile, input, NULL, NULL, NULL));
        struct reader shared = {.datafile = datafile, .file = &files[i]};
        run_readers(&shared, read_datafile, NULL);
        tm_buffer_release(&files[i]);
    }
}

/* --------------------------------------------------------------------------------------------- threads inside threads */

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
    OWN(tm_buffer) file = test_map_museum();
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    struct reader shared = {.map = map, .file = &file};
    must(tm_sys_threads_new(&pool, 3, NULL, NULL));
    run_readers(&shared, read_by_pool, forget);
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
    note(reader, tm_map_remove(clone, TM_OBJECT_ENVELOPE, 0, NULL), "remove");
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
    struct reader shared = {.map = map, .file = &file};
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
    must(tm_map_remove(clone, TM_OBJECT_ENVELOPE, seed, NULL));
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
