/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a text that may be a patch is read, written and read again, turned round, joined with itself, and done to a map.
 * A map that it does not fit stays as it was; any other one is sound afterwards.
 *
 *   the text, up to the first NUL, then a file to start from; when it does not load, the map starts empty
 */
#include "fuzz.h"

#include <teemap/patch.h>

static tm_limits patch_limits(void)
{
    tm_limits limits = fuzz_limits;
    limits.items = 2000;
    return limits;
}

static tm_map *map_to_patch(const uint8_t *bytes, size_t size, const tm_allocator *allocator)
{
    const tm_limits limits = patch_limits();
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    tm_map_options fresh = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    tm_error error;
    options.limits = fresh.limits = &limits;
    options.allocator = fresh.allocator = allocator;
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes, size), &options, NULL, &error) == TM_OK)
        return map;
    FUZZ_REQUIRE(tm_map_new(&map, &fresh, &error) == TM_OK, "%s", error.text);
    return map;
}

static tm_buffer text_of(const tm_patch *patch, const tm_allocator *allocator)
{
    tm_buffer buffer = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    FUZZ_REQUIRE(tm_patch_write(patch, &output, &error) == TM_OK, "writing: %s: %s", error.place, error.text);
    return buffer;
}

/* What was read once is written in a form that reads as the same patch. */
static void require_same_again(const tm_patch *patch, const tm_patch_options *options)
{
    tm_buffer first = text_of(patch, options->allocator);
    tm_patch *again;
    tm_error error;
    const tm_status status = tm_patch_read(&again, first.bytes, first.size, options, &error);
    FUZZ_REQUIRE(status == TM_OK || status == TM_ERROR_LIMIT, "again: %s: %s", error.place, error.text);
    if (status == TM_OK) {
        tm_buffer second = text_of(again, options->allocator);
        FUZZ_REQUIRE(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0,
                     "written in other bytes");
        tm_buffer_release(&second);
    }
    tm_patch_free(again);
    tm_buffer_release(&first);
}

static void require_algebra(const tm_patch *patch)
{
    tm_patch *other, *back;
    tm_error error;
    FUZZ_REQUIRE(tm_patch_invert(&other, patch, &error) == TM_OK, "inverting: %s", error.text);
    FUZZ_REQUIRE(tm_patch_invert(&back, other, &error) == TM_OK, "inverting: %s", error.text);
    FUZZ_REQUIRE(tm_patch_num(back) == tm_patch_num(patch), "changes were lost");
    tm_patch_free(other);
    tm_patch_free(back);
    FUZZ_REQUIRE(tm_patch_union(&other, patch, patch, &error) == TM_OK, "joining: %s", error.text);
    FUZZ_REQUIRE(tm_patch_num(other) == tm_patch_num(patch), "joined with itself there is more");
    tm_patch_free(other);
    for (uint32_t i = 0; i < tm_patch_num(patch); i++) {
        tm_patch_change change;
        char line[300];
        FUZZ_REQUIRE(tm_patch_at(&change, patch, i), "change %u is not there", (unsigned)i);
        tm_patch_change_format(&change, line, sizeof(line));
        FUZZ_REQUIRE(line[0], "a change without a word");
    }
}

static void apply(tm_map *map, const tm_patch *patch, bool partial)
{
    tm_apply_options options = TM_APPLY_OPTIONS_INIT;
    tm_map *before;
    tm_error error;
    bool equal;
    char where[200];
    options.partial = partial;
    if (tm_map_clone(&before, map, &error) != TM_OK)
        return;
    tm_status status = tm_patch_apply(map, patch, &options, NULL, &error);
    if (status == TM_OK) {
        FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "applied: %s: %s", error.place, error.text);
    } else {
        FUZZ_REQUIRE(status == error.code && error.text[0] && status != TM_ERROR_MEMORY, "applying: %s: %s",
                     error.place, error.text);
        status = tm_map_equal(&equal, map, before, where, sizeof(where), &error);
        FUZZ_REQUIRE(status != TM_OK || equal, "it was refused, and yet: %s", where);
    }
    tm_map_free(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = size ? memchr(bytes, 0, size) : NULL;
    const size_t text = end ? (size_t)(end - bytes) : size;
    const tm_limits limits = patch_limits();
    struct test_memory memory;
    tm_patch *patch;
    tm_error error;
    if (size == 0 || size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    options.limits = &limits;
    options.allocator = &memory.allocator;
    const tm_status status = tm_patch_read(&patch, bytes, text, &options, &error);
    if (status != TM_OK) {
        fuzz_check_failure(status, &error);
    } else {
        tm_map *map = map_to_patch(bytes + text + !!end, size - text - !!end, &memory.allocator);
        require_same_again(patch, &options);
        require_algebra(patch);
        apply(map, patch, text % 2);
        apply(map, patch, true);
        tm_map_free(map);
    }
    tm_patch_free(patch);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
