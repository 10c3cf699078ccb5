/* SPDX-License-Identifier: Zlib */
/*
 * Patches of real maps: between maps that have nothing to do with each other, and along histories made by random
 * operations. Each leads from one map to the other and back again, exactly. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_patches.h"

/* Written anew, and all of it packed anew. */
static tm_buffer save_alike(const tm_map *map)
{
    const tm_mapfile_save_options options = {
        .size = sizeof(options), .level = 1, .recompress = true, .rewrite = true};
    tm_buffer file = {0};
    const tm_output output = tm_output_to_buffer(&file);
    must(tm_mapfile_save(map, &output, &options, NULL, NULL, NULL));
    return file;
}

/* Saved alike, both are the same bytes. */
static bool same_bytes(const tm_map *source, const tm_patch *patch, const tm_map *target,
                       const char *description)
{
    OWN(tm_map) *map = test_map_clone(source);
    must(tm_patch_apply(map, patch, NULL, NULL, NULL));
    OWN(tm_buffer) buffer = save_alike(map), other = save_alike(target);
    const bool fine = test_buffer_same(&buffer, &other);
    if (!fine)
        print_error("%s: other bytes when saved\n", description);
    return fine;
}

static bool there_and_back(const tm_map *a, const tm_map *b, const char *description)
{
    OWN(tm_patch) *patch;
    tm_error error;
    if (tm_patch_make(&patch, a, b, NULL, &error)) {
        print_error("%s: %s: %s\n", description, error.place, error.text);
        return false;
    }
    return test_patch_there_and_back(a, patch, b, description);
}

typedef struct pairs {
    tm_map *last;
    char last_path[300];
    uint32_t num, wrong;
} pairs;

static tm_map *load_undamaged(const char *path)
{
    tm_map *map = NULL;
    if (tm_store_load(&map, path, NULL, NULL, NULL))
        return NULL;
    if (tm_map_unpack(map, NULL, 0, NULL, NULL)) {
        tm_map_free(map);
        return NULL;
    }
    tm_map_drop_all_data(map);
    return map;
}

static bool same_as_bytes(const tm_map *a, const tm_map *b, const char *description)
{
    OWN(tm_patch) *patch;
    if (tm_patch_make(&patch, a, b, NULL, NULL))
        return false;
    return same_bytes(a, patch, b, description);
}

static void compare_with_last(void *ctx, const char *path)
{
    pairs *seen = ctx;
    char what[700];
    tm_map *map = load_undamaged(path);
    if (!map)
        return;
    if (seen->last) {
        snprintf(what, sizeof(what), "%s -> %s", seen->last_path, path);
        seen->num++;
        if (getenv("TEEMAP_TALK"))
            print_message("%s\n", what);
        seen->wrong += !there_and_back(seen->last, map, what);
        if (seen->num % 4 == 1 || getenv("TEEMAP_THOROUGH"))
            seen->wrong += !same_as_bytes(seen->last, map, what);
    }
    tm_map_free(seen->last);
    seen->last = map;
    snprintf(seen->last_path, sizeof(seen->last_path), "%s", path);
}

TEST(unrelated_maps_become_each_other)
{
    pairs seen = {NULL, "", 0, 0};
    test_many_corpus_maps(compare_with_last, &seen);
    tm_map_free(seen.last);
    print_message("%u pairs\n", seen.num);
    assert_int_equal(seen.wrong, 0);
    assert_true(seen.num > 0);
}

static void same_map_has_no_difference(void *ctx, const char *path)
{
    pairs *seen = ctx;
    OWN(tm_map) *a = load_undamaged(path), *b = load_undamaged(path);
    tm_patch *patch = NULL;
    if (a && b) {
        seen->num++;
        must(tm_patch_make(&patch, a, b, NULL, NULL));
        if (tm_patch_num(patch)) {
            char line[300];
            tm_patch_change change;
            tm_patch_at(&change, patch, 0);
            tm_patch_change_format(&change, line, sizeof(line));
            print_error("%s: %s\n", path, line);
            seen->wrong++;
        }
        tm_patch_free(patch);
    }
}

TEST(a_map_is_equal_to_itself)
{
    pairs seen = {NULL, "", 0, 0};
    test_many_corpus_maps(same_map_has_no_difference, &seen);
    assert_int_equal(seen.wrong, 0);
    assert_true(seen.num > 0);
}
