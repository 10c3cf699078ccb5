/* SPDX-License-Identifier: Zlib */
/* See lib_variants.h. */
#include "lib_variants.h"

#include "test.h"

enum { HEADROOM = 16 * 1024 * 1024 };

const tm_mode test_modes[3] = {TM_MODE_STRICT, TM_MODE_GAME, TM_MODE_SALVAGE};

static void require(bool holds, const struct test_variant *variant, const char *description,
                    const tm_error *error)
{
    if (holds)
        return;
    fail_msg("%s, %s %zu, mode %d: %s: %s %s", variant->name, variant->way, variant->at, variant->mode,
             description, error ? error->place : "", error ? error->text : "");
}

static void require_same_bytes(const struct test_variant *variant, const tm_map *map,
                               const tm_allocator *allocator)
{
    OWN(tm_buffer) buffer = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error = {.code = TM_OK};
    tm_status status = tm_mapfile_save(map, &output, NULL, NULL, NULL, &error);
    require(status == TM_OK && error.code == TM_OK, variant, "untouched, but not saved", &error);
    require(buffer.size == variant->size && memcmp(buffer.bytes, variant->bytes, buffer.size) == 0, variant,
            "other bytes came back", NULL);
}

static void check_data(const struct test_variant *variant, const tm_map *map, const tm_allocator *allocator)
{
    OWN(tm_findings) findings;
    tm_error error = {.code = TM_OK};
    tm_findings_init(&findings, 0, allocator);
    tm_status status = tm_mapfile_check_data(map, NULL, &findings, &error);
    require(status == TM_OK || status == TM_ERROR_LIMIT, variant, "data cannot be checked", &error);
    require(error.code == status, variant, "the error was touched without one", &error);
}

static tm_status load(tm_map **map, const struct test_variant *variant, const tm_allocator *allocator,
                      tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), variant->mode, NULL, allocator};
    OWN(tm_findings) findings;
    tm_findings_init(&findings, 0, allocator);
    tm_status status =
        tm_mapfile_load(map, tm_input_from_memory(variant->bytes, variant->size), &options, &findings, error);
    if (status == TM_ERROR_DAMAGED)
        require(findings.errors > 0, variant, "refused without a finding", error);
    require(error->code == status, variant, "the error was touched without one", error);
    return status;
}

bool test_variant_one_mode(const struct test_variant *variant)
{
    struct test_memory memory = TEST_MEMORY(memory);
    tm_map *map;
    tm_error error = {.code = TM_OK};
    tm_status status = load(&map, variant, &memory.allocator, &error);
    if (status == TM_OK) {
        require(tm_map_verify(map, &error) == TM_OK, variant, "does not verify", &error);
        require_same_bytes(variant, map, &memory.allocator);
        check_data(variant, map, &memory.allocator);
        tm_map_free(map);
    } else {
        require(status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT, variant, "fails oddly", &error);
        require(status == error.code && error.text[0] && !map, variant, "fails without a word", &error);
    }
    require(memory.num_blocks == 0, variant, "memory is lost", NULL);
    require(memory.most_bytes <= variant->size + HEADROOM, variant, "too much memory", NULL);
    return status == TM_OK;
}

unsigned test_variant_all_modes(struct test_variant *variant)
{
    unsigned loaded = 0;
    for (size_t i = 0; i < sizeof(test_modes) / sizeof(test_modes[0]); i++) {
        variant->mode = test_modes[i];
        bool fine = test_variant_one_mode(variant);
        require(fine || loaded == 0, variant, "a stricter mode loads it", NULL);
        loaded += fine;
    }
    return loaded;
}

size_t test_head_size(const struct test_bytes *file)
{
    tm_datafile *datafile;
    tm_datafile_header header;
    struct test_input input = {.in_memory = true};
    if (test_open(&datafile, &input, file, TM_MODE_SALVAGE, NULL, NULL) != TM_OK)
        return file->size;
    tm_datafile_get_header(&header, datafile);
    tm_datafile_close(datafile);
    return header.head_size < file->size ? (size_t)header.head_size : file->size;
}
