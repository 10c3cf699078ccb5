/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a text that may be a patch is read and given to every function that takes a patch, with a map. A map that it
 * does not fit stays as it was; any other one is sound afterwards.
 *
 *   the text, up to the first NUL, then a file to start from; when it does not load, the map starts empty
 */
#include "use_patch.h"

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
        use_patch(patch, &options, map, map);
        tm_map_free(map);
    }
    tm_patch_free(patch);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
