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
    const tm_mapfile_save_options how = {
        .size = sizeof(how), .level = 1, .recompress = true, .rewrite = true};
    tm_buffer file = {0};
    const tm_output output = tm_output_to_buffer(&file);
    must(tm_mapfile_save(map, &output, &how, NULL, NULL, NULL));
    return file;
}

/* Saved alike, both are the same bytes. */
static bool same_bytes(const tm_map *from, const tm_patch *patch, const tm_map *to, const char *what)
{
    OWN(tm_map) *map = test_map_clone(from);
    must(tm_patch_apply(map, patch, NULL, NULL, NULL));
    OWN(tm_buffer) own = save_alike(map), other = save_alike(to);
    const bool fine = test_buffer_same(&own, &other);
    if (!fine)
        print_error("%s: other bytes when saved\n", what);
    return fine;
}

static bool there_and_back(const tm_map *a, const tm_map *b, const char *what)
{
    OWN(tm_patch) *patch;
    tm_error error;
    if (tm_patch_make(&patch, a, b, NULL, &error)) {
        print_error("%s: %s: %s\n", what, error.place, error.text);
        return false;
    }
    return test_patch_there_and_back(a, patch, b, what);
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

static bool same_as_bytes(const tm_map *a, const tm_map *b, const char *what)
{
    OWN(tm_patch) *patch;
    if (tm_patch_make(&patch, a, b, NULL, NULL))
        return false;
    return same_bytes(a, patch, b, what);
}

static void compare_with_last(void *ctx, const char *path)
{
    pairs *all = ctx;
    char what[700];
    tm_map *map = load_undamaged(path);
    if (!map)
        return;
    if (all->last) {
        snprintf(what, sizeof(what), "%s -> %s", all->last_path, path);
        all->num++;
        if (getenv("TEEMAP_TALK"))
            print_message("%s\n", what);
        all->wrong += !there_and_back(all->last, map, what);
        if (all->num % 4 == 1 || getenv("TEEMAP_THOROUGH"))
            all->wrong += !same_as_bytes(all->last, map, what);
    }
    tm_map_free(all->last);
    all->last = map;
    snprintf(all->last_path, sizeof(all->last_path), "%s", path);
}

TEST(unrelated_maps_become_each_other)
{
    pairs all = {NULL, "", 0, 0};
    test_many_corpus_maps(compare_with_last, &all);
    tm_map_free(all.last);
    print_message("%u pairs\n", all.num);
    assert_int_equal(all.wrong, 0);
    assert_true(all.num > 0);
}

static void same_map_has_no_difference(void *ctx, const char *path)
{
    pairs *all = ctx;
    OWN(tm_map) *a = load_undamaged(path), *b = load_undamaged(path);
    tm_patch *patch = NULL;
    if (a && b) {
        all->num++;
        must(tm_patch_make(&patch, a, b, NULL, NULL));
        if (tm_patch_num(patch)) {
            char line[300];
            tm_patch_change change;
            tm_patch_at(&change, patch, 0);
            tm_patch_change_format(&change, line, sizeof(line));
            print_error("%s: %s\n", path, line);
            all->wrong++;
        }
        tm_patch_free(patch);
    }
}

TEST(a_map_is_equal_to_itself)
{
    pairs all = {NULL, "", 0, 0};
    test_many_corpus_maps(same_map_has_no_difference, &all);
    assert_int_equal(all.wrong, 0);
    assert_true(all.num > 0);
}
