/* SPDX-License-Identifier: Zlib */
/*
 * Merging versions of real maps, from files: both changes are in the result, whichever side they come from; where one side has not
 * changed, the other one comes out byte for byte. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_edit.h"
#include "support/lib_versions.h"

static const char mine[] = "set info.author=mine\nadd image mine\nadd group mine\nfill game@1,1+3x3 123\n";
static const char hers[] =
    "set info.credits=hers\nadd image hers\nset 0.offset.x=77\nfill game@1,5+3x3 124\n";

typedef struct tally {
    uint32_t num, wrong;
} tally;

/* A version as its author's editor has saved it. */
static tm_map *saved_version(const tm_map *base, const char *first, const char *second, tm_buffer *file)
{
    OWN(tm_map) *map = test_edited(base, first);
    if (second)
        test_edit_does(map, second);
    *file = test_map_save(map, NULL);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

static tm_map *merge_clean(const tm_map *base, const tm_map *ours, const tm_map *theirs)
{
    OWN(tm_conflicts) *conflicts;
    tm_map *map = test_merge(&conflicts, base, ours, theirs, NULL, TM_RESOLUTION_UNRESOLVED);
    assert_int_equal(tm_conflicts_num(conflicts), 0);
    return map;
}

static bool comes_out_as(const tm_map *base, const tm_map *ours, const tm_map *theirs, const tm_buffer *file)
{
    OWN(tm_map) *map = merge_clean(base, ours, theirs);
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    return test_buffer_same(file, &saved);
}

static bool both_are_in(const tm_map *base, const tm_map *ours, const tm_map *theirs, const tm_map *expected)
{
    OWN(tm_map) *map = merge_clean(base, ours, theirs);
    OWN(tm_buffer) file = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_GAME, NULL);
    return test_map_same(map, expected) && test_map_same(reloaded, expected);
}

static bool has_room(const tm_map *map)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        if (walk.layer->kind == TM_LAYER_GAME)
            return walk.layer->as.tiles.width > 8 && walk.layer->as.tiles.height > 8;
    return false;
}

static void merge_versions(void *ctx, const char *path)
{
    tally *totals = ctx;
    tm_map *base;
    tm_buffer file[3];
    if (tm_store_load(&base, path, NULL, NULL, NULL))
        return;
    if (!has_room(base) || tm_map_unpack(base, NULL, 0, NULL, NULL)) {
        tm_map_free(base);
        return;
    }
    tm_map_drop_all_data(base);
    OWN(tm_map) *ours = saved_version(base, mine, NULL, &file[0]),
                *theirs = saved_version(base, hers, NULL, &file[1]);
    OWN(tm_map) *merged = saved_version(base, hers, mine, &file[2]); /* images in the order of names */
    const bool fine = comes_out_as(base, ours, base, &file[0]) && comes_out_as(base, base, ours, &file[0]) &&
                      both_are_in(base, ours, theirs, merged) && both_are_in(base, theirs, ours, merged);
    if (!fine)
        print_error("%s\n", path);
    totals->num++;
    totals->wrong += !fine;
    tm_map_free(base);
    for (int i = 0; i < 3; i++)
        tm_buffer_release(&file[i]);
}

TEST(versions_of_real_maps_are_merged)
{
    tally totals = {0, 0};
    test_many_corpus_maps(merge_versions, &totals);
    print_message("%u maps\n", totals.num);
    assert_int_equal(totals.wrong, 0);
    assert_true(totals.num > 0);
}
