/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: two scripts of edit operations make two versions of a map from a stranger's file, which are merged with that map as
 * their base, in every way of settling conflicts. What comes out is sound, and all that is told of it can be told.
 *
 *   the script of ours and that of theirs, each up to a NUL, then a file to start from; when it does not load, the map starts empty
 */
#include "fuzz.h"

#include <teemap/edit.h>
#include <teemap/merge.h>

static tm_limits merge_limits(void)
{
    tm_limits limits = fuzz_limits;
    limits.items = 2000;
    return limits;
}

static tm_map *base_of(const uint8_t *bytes, size_t size, const tm_limits *limits,
                       const tm_allocator *allocator)
{
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    tm_map_options fresh = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    tm_error error;
    options.limits = fresh.limits = limits;
    options.allocator = fresh.allocator = allocator;
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes, size), &options, NULL, &error) == TM_OK)
        return map;
    FUZZ_REQUIRE(tm_map_new(&map, &fresh, &error) == TM_OK, "%s", error.text);
    return map;
}

/* As far as the script goes. */
static tm_map *version_of(const tm_map *base, const uint8_t *text, size_t size)
{
    tm_edit_script *script;
    tm_map *map;
    tm_error error;
    if (tm_map_clone(&map, base, &error) != TM_OK)
        return NULL;
    if (tm_edit_script_from_text(&script, (const char *)text, size, NULL, &error) != TM_OK)
        return map;
    tm_edit_script_run(map, script, NULL, NULL, &error);
    tm_edit_script_free(script);
    return map;
}

static void require_words(const tm_conflicts *conflicts, const tm_allocator *allocator)
{
    tm_buffer json = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&json);
    tm_conflict conflict;
    tm_error error;
    char line[300];
    for (uint32_t i = 0; tm_conflicts_at(&conflict, conflicts, i); i++) {
        tm_run run;
        uint64_t num = 0;
        tm_conflict_format(&conflict, line, sizeof(line));
        FUZZ_REQUIRE(line[0], "a conflict without a word");
        for (uint32_t r = 0; tm_conflicts_run(&run, conflicts, i, r); r++)
            num += run.num;
        FUZZ_REQUIRE(num == conflict.num, "%s: other tiles are counted", line);
    }
    FUZZ_REQUIRE(tm_conflicts_write(conflicts, &output, &error) == TM_OK, "%s", error.text);
    tm_buffer_release(&json);
}

static void merge(const tm_map *base, const tm_map *ours, const tm_map *theirs, tm_resolution take, bool mark,
                  const tm_limits *limits, const tm_allocator *allocator)
{
    const tm_merge_rule rule = {NULL, take};
    tm_merge_options options = TM_MERGE_OPTIONS_INIT;
    tm_map *map;
    tm_conflicts *conflicts;
    tm_error error;
    options.rules = &rule;
    options.num_rules = 1;
    options.mark = mark;
    options.limits = limits;
    options.allocator = allocator;
    const tm_status status = tm_map_merge(&map, &conflicts, base, ours, theirs, &options, NULL, &error);
    if (status != TM_OK) {
        fuzz_check_failure(status, &error);
        return;
    }
    FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "merged: %s: %s", error.place, error.text);
    require_words(conflicts, allocator);
    tm_conflicts_free(conflicts);
    tm_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *first = size ? memchr(bytes, 0, size) : NULL;
    const uint8_t *second = first ? memchr(first + 1, 0, size - (size_t)(first + 1 - bytes)) : NULL;
    const tm_limits limits = merge_limits();
    struct test_memory memory;
    if (!second || size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    tm_map *base = base_of(second + 1, size - (size_t)(second + 1 - bytes), &limits, &memory.allocator);
    tm_map *ours = version_of(base, bytes, (size_t)(first - bytes));
    tm_map *theirs = version_of(base, first + 1, (size_t)(second - first - 1));
    for (int take = TM_RESOLUTION_UNRESOLVED; ours && theirs && take <= TM_RESOLUTION_BOTH; take++)
        merge(base, ours, theirs, (tm_resolution)take, take == TM_RESOLUTION_UNRESOLVED, &limits,
              &memory.allocator);
    for (int take = TM_RESOLUTION_UNRESOLVED; ours && theirs && take <= TM_RESOLUTION_BOTH; take++)
        merge(NULL, ours, theirs, (tm_resolution)take, take == TM_RESOLUTION_UNRESOLVED, &limits,
              &memory.allocator);
    tm_map_free(base);
    tm_map_free(ours);
    tm_map_free(theirs);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
