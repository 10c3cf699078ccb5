/* SPDX-License-Identifier: Zlib */
/*
 * What is kept of a map's file beside the map: odd files come back to the last byte, what the model does not hold stays when
 * the folder was edited, and what was kept may be damaged in any way.
 */
#include "support/lib_odd.h"
#include "support/test.h"

/* A map as files, with what was kept of its file. */
static void unpack(tm_memory_files *files, const tm_map *map)
{
    const tm_files_out out = tm_memory_files_out(files);
    OWN(tm_buffer) kept = {0};
    const tm_output to_kept = tm_output_to_buffer(&kept);
    tm_mapdir_write_options options = TM_MAPDIR_WRITE_OPTIONS_INIT;
    tm_error error;
    if (tm_mapfile_sidecar_write(map, &to_kept, NULL, &error) != TM_OK)
        fail_msg("%s", error.text);
    options.kept = kept.bytes;
    options.kept_size = kept.size;
    if (tm_mapdir_write(map, &out, &options, NULL, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
}

static tm_status restore(tm_map *map, const tm_sidecar *kept, tm_error *error)
{
    return tm_mapfile_sidecar_apply(NULL, map, kept, NULL, error);
}

static tm_map *read_again(tm_memory_files *files)
{
    const tm_files_in folder = tm_memory_files_in(files);
    tm_sidecar kept;
    tm_map *map;
    tm_error error;
    if (tm_mapdir_read(&map, &kept, &folder, NULL, NULL, NULL, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
    assert_non_null(kept.bytes);
    if (restore(map, &kept, &error) != TM_OK)
        fail_msg("%s", error.text);
    must(tm_map_verify(map, NULL));
    tm_sidecar_release(&kept);
    return map;
}

TEST(odd_files_come_back_to_the_last_byte)
{
    const struct test_odd *odd;
    uint32_t num = 0;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        OWN(tm_buffer) file = test_odd_file(odd);
        tm_map *map;
        if (test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL) == TM_OK) {
            OWN(tm_memory_files) files = {0};
            unpack(&files, map);
            OWN(tm_map) *reloaded = read_again(&files);
            OWN(tm_buffer) saved = test_map_save(reloaded, NULL);
            if (!test_buffer_same(&saved, &file))
                fail_msg("%s is another file", odd->name);
            num++;
            tm_map_free(map);
        }
    }
    print_message("%u odd files\n", num);
    assert_true(num > 20);
}

/* Items that nobody knows stay in a map whose folder was edited; without what was kept they are gone. */
TEST(unknown_items_stay_in_an_edited_map)
{
    const struct test_odd *odd;
    uint32_t num = 0;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        if (odd->finding != TM_FINDING_UNKNOWN_ITEM && odd->finding != TM_FINDING_UNKNOWN_LAYER)
            continue;
        OWN(tm_buffer) file = test_odd_file(odd);
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        OWN(tm_memory_files) files = {0};
        OWN(tm_findings) findings = test_findings();
        unpack(&files, map);
        must(tm_memory_files_add(&files, "info.json", "{\"author\": \"new\"}", 17, NULL));
        OWN(tm_map) *edited = read_again(&files);
        OWN(tm_buffer) saved = test_map_save(edited, NULL);
        OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_GAME, &findings);
        assert_true(test_found(&findings, odd->finding));
        assert_string_equal(reloaded->info.author, "new");
        num++;
    }
    assert_true(num > 0);
}

static const struct test_odd *first_odd(void)
{
    return test_odd_at(0);
}

TEST(damaged_keeping_does_no_harm)
{
    OWN(tm_buffer) file = test_odd_file(first_odd());
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    OWN(tm_memory_files) files = {0};
    unpack(&files, map);
    const tm_memory_file *sidecar = tm_memory_files_find(&files, "sidecar.bin");
    uint8_t *bytes = (uint8_t *)(uintptr_t)sidecar->bytes;
    for (size_t at = 0; at < sidecar->size; at++) {
        for (int bit = 0; bit < 8; bit += 3) {
            const tm_files_in folder = tm_memory_files_in(&files);
            OWN(tm_sidecar) kept;
            OWN(tm_map) *reloaded;
            bytes[at] ^= (uint8_t)(1 << bit);
            must(tm_mapdir_read(&reloaded, &kept, &folder, NULL, NULL, NULL, NULL));
            const tm_status status = kept.bytes ? restore(reloaded, &kept, NULL) : TM_OK;
            assert_true(status == TM_OK || status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT);
            must(tm_map_verify(reloaded, NULL));
            bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
}

TEST(failing_memory_is_told)
{
    OWN(tm_buffer) file = test_odd_file(first_odd());
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    OWN(tm_memory_files) files = {0};
    unpack(&files, map);
    const tm_files_in folder = tm_memory_files_in(&files);
    EACH_FAILURE_LATER(memory) {
        tm_sidecar kept;
        tm_map *reloaded;
        const tm_mapdir_read_options options = {sizeof(options), NULL, &memory.allocator};
        must(tm_mapdir_read(&reloaded, &kept, &folder, &options, NULL, NULL, NULL));
        memory.fail_at = memory.num_requests + memory.n;
        memory.fail_after = true;
        const tm_status status = restore(reloaded, &kept, NULL);
        tm_sidecar_release(&kept);
        tm_map_free(reloaded);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

TEST(misuse_is_told)
{
    OWN(tm_buffer) file = test_odd_file(first_odd());
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL), *fresh = test_map_new();
    OWN(tm_buffer) kept = {0};
    const tm_output output = tm_output_to_buffer(&kept);
    int32_t places[1] = {0};
    char bytes[] = "x";
    tm_sidecar sidecar = {bytes, 1, places, 0, NULL};
    assert_int_equal(tm_mapfile_sidecar_write(fresh, &output, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(restore(map, &sidecar, NULL), TM_ERROR_USAGE);
    assert_int_equal(restore(fresh, &sidecar, NULL), TM_ERROR_DAMAGED);
    sidecar.num_places = 1;
    assert_int_equal(restore(fresh, &sidecar, NULL), TM_ERROR_USAGE);
}
