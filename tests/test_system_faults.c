/* SPDX-License-Identifier: Zlib */
/*
 * An operating system that fails, seen from above: the n-th call fails, n = 1 until all goes well, while maps are loaded and saved.
 * Each failure is told with the right status and words, and leaves the old file where it was. test_faults.c does the same to
 * requests for memory.
 *
 * test-timeout: 600
 */
#include "support/lib_fault_maps.h"
#include "support/test.h"

#include <errno.h>

enum { BUFFER = 1 << 16 };

static size_t read_file(const char *path, uint8_t bytes[BUFFER])
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, BUFFER, file);
    fclose(file);
    return size;
}

static void require_file(const char *path, const tm_buffer *wanted, const char *after, size_t n)
{
    static uint8_t bytes[BUFFER];
    size_t size = read_file(path, bytes);
    if (size != wanted->size || memcmp(bytes, wanted->bytes, size) != 0)
        fail_msg("'%s' has other bytes (%zu, not %zu) after %s, failure %zu", path, size, wanted->size, after,
                 n);
}

static void put(const char *path, const tm_buffer *file)
{
    test_put_file(path, (const char *)file->bytes, file->size);
}

/* Loads, looks at everything, and lets go. */
static tm_status load_all(const char *path, const tm_allocator *allocator, tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, NULL, allocator};
    OWN(tm_map) *map;
    tm_status status = tm_store_load(&map, path, &options, NULL, error);
    if (status == TM_OK)
        status = tm_map_unpack(map, NULL, 0, NULL, error);
    if (status == TM_OK)
        status = tm_mapfile_check_data(map, NULL, NULL, error);
    return status;
}

TEST(loading_survives_a_failing_system)
{
    size_t failures = 0;
    for (size_t i = 0; i < test_fault_maps.num; i++) {
        put("load.map", &test_fault_maps.files[i]);
        const size_t descriptors = test_num_descriptors();
        for (int call = 0; call < TMI_SYS_CALL_COUNT; call++) {
            for (size_t n = 1;; n++) {
                struct test_plan plan = {(tmi_sys_call)call, EIO, n, 0, false};
                struct test_memory memory = TEST_MEMORY(memory);
                tm_error error = {.code = TM_OK};
                tmi_sys_set_fault(test_follow_plan, &plan);
                tm_status status = load_all("load.map", &memory.allocator, &error);
                tmi_sys_set_fault(NULL, NULL);
                assert_int_equal(memory.num_blocks, 0);
                assert_int_equal(test_num_descriptors(), descriptors);
                if (status != TM_OK) {
                    test_fault_told(status, TM_ERROR_IO, &error, "load", n);
                    assert_int_equal(error.system, EIO);
                    assert_string_equal(error.path, "load.map");
                    failures++;
                }
                if (!plan.failed)
                    break;
            }
        }
    }
    assert_in_range(failures, 10, 10000);
}

/* Loads from `path`, changes a tile and a text, saves to `target`. */
static tm_status change_file(const char *path, const char *target, bool touch, const tm_allocator *allocator,
                             tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, NULL, allocator};
    OWN(tm_map) *map;
    tm_status status = tm_store_load(&map, path, &options, NULL, error);
    if (status == TM_OK && touch)
        status = test_fault_set_text(map, error);
    if (status == TM_OK && touch)
        status = test_fault_fill_tiles(map, error);
    if (status == TM_OK)
        status = tm_store_save(map, target, NULL, NULL, NULL, error);
    return status;
}

struct save_case {
    const char *source, *target;
    bool touch;
    size_t entries; /* in the folder, before and after */
    tm_buffer before, after;
};

static void try_save(const struct save_case *row, struct test_plan *plan, struct test_memory *memory,
                     size_t n)
{
    const size_t descriptors = test_num_descriptors();
    tm_error error = {.code = TM_OK};
    put(row->target, &row->before);
    tmi_sys_set_fault(plan ? test_follow_plan : NULL, plan);
    tm_status status = change_file(row->source, row->target, row->touch, &memory->allocator, &error);
    tmi_sys_set_fault(NULL, NULL);
    if (status != TM_OK) {
        test_fault_told(status, plan ? TM_ERROR_IO : TM_ERROR_MEMORY, &error, "save", n);
        if (plan)
            assert_int_equal(error.system, plan->number);
        require_file(row->target, &row->before, error.text, n);
    } else {
        require_file(row->target, &row->after, plan ? "a failed call" : "lack of memory", n);
    }
    assert_int_equal(memory->num_blocks, 0);
    assert_int_equal(test_num_entries("."), row->entries);
    assert_int_equal(test_num_descriptors(), descriptors);
}

static size_t fail_every_call(const struct save_case *row, int number)
{
    size_t failures = 0;
    for (int call = 0; call < TMI_SYS_CALL_COUNT; call++) {
        if (call == TMI_SYS_CALL_UNLINK) /* happens only after another failure */
            continue;
        for (size_t n = 1;; n++) {
            struct test_plan plan = {(tmi_sys_call)call, number, n, 0, false};
            struct test_memory memory = TEST_MEMORY(memory);
            try_save(row, &plan, &memory, n);
            if (!plan.failed)
                break;
            failures++;
        }
    }
    return failures;
}

static void fail_every_request(const struct save_case *row)
{
    for (size_t n = 1;; n++) {
        struct test_memory memory = TEST_MEMORY(memory);
        memory.fail_at = n;
        try_save(row, NULL, &memory, n);
        if (!memory.failed)
            break;
    }
}

/* What the save gives when nothing fails. */
static tm_buffer outcome(const tm_buffer *file, bool touch)
{
    OWN(tm_map) *map = test_fault_load(file, NULL);
    if (touch) {
        must(test_fault_set_text(map, NULL));
        must(test_fault_fill_tiles(map, NULL));
    }
    tm_buffer buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    must(tm_mapfile_save(map, &output, NULL, NULL, NULL, NULL));
    return buffer;
}

static void saving_leaves_the_old_file(const char *source, const char *target)
{
    for (size_t i = 0; i < test_fault_maps.num; i++) {
        for (int touch = 0; touch < 2; touch++) {
            struct save_case row = {
                .source = source, .target = target, .touch = touch, .before = test_fault_maps.files[i]};
            row.after = outcome(&test_fault_maps.files[i], touch);
            put(source, &test_fault_maps.files[i]);
            put(target, &test_fault_maps.files[i]);
            row.entries = test_num_entries(".");
            assert_in_range(fail_every_call(&row, ENOSPC), 8, 1000);
            struct test_memory memory = TEST_MEMORY(memory);
            struct test_plan plan = {TMI_SYS_CALL_COUNT, TMI_SYS_SHORT, 0, 0, false};
            try_save(&row, &plan, &memory, 0); /* one byte at a time is enough */
            fail_every_request(&row);
            tm_buffer_release(&row.after);
        }
    }
}

TEST(saving_elsewhere_leaves_the_old_file)
{
    saving_leaves_the_old_file("from.map", "to.map");
}

TEST(saving_over_itself_leaves_the_old_file)
{
    saving_leaves_the_old_file("same.map", "same.map");
}

/* A sink that takes so many bytes and no more. */
struct full {
    size_t left;
};

static tm_status write_until_full(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    struct full *full = ctx;
    (void)bytes;
    if (size > full->left) {
        memset(error, 0, sizeof(*error));
        error->code = TM_ERROR_IO;
        strcpy(error->text, "full");
        return TM_ERROR_IO;
    }
    full->left -= size;
    return TM_OK;
}

TEST(a_sink_may_be_full_at_any_byte)
{
    for (size_t i = 0; i < test_fault_maps.num; i++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        OWN(tm_map) *map = test_fault_load(&test_fault_maps.files[i], &memory.allocator);
        must(test_fault_fill_tiles(map, NULL));
        OWN(tm_buffer) whole = test_map_save(map, NULL);
        const size_t blocks = memory.num_blocks;
        for (size_t size = 0; size <= whole.size; size += 1 + size / 16) {
            struct full full = {size};
            const tm_output output = {&full, write_until_full, NULL};
            tm_error error = {.code = TM_OK};
            tm_status status = tm_mapfile_save(map, &output, NULL, NULL, NULL, &error);
            assert_int_equal(status, size < whole.size ? TM_ERROR_IO : TM_OK);
            if (status != TM_OK)
                assert_string_equal(error.text, "full");
            assert_int_equal(memory.num_blocks, blocks);
        }
    }
}

TEST_GROUP(test_fault_maps_make, test_fault_maps_drop)
