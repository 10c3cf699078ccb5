/* SPDX-License-Identifier: Zlib */
/*
 * Merging histories: two random chains of operations from one map are merged, from either side. The result is a sound map,
 * the same from both sides, and has all that either chain did: merging a chain into it once more changes nothing.
 * More of them: TEEMAP_SEEDS=1000. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_histories.h"
#include "support/lib_versions.h"
#include "support/test.h"
#include "patch/patch.h"

enum { STEPS = 4 };

typedef struct sums {
    uint32_t merges, clean, conflicts, again, near;
    uint32_t kinds[TM_CONFLICT_ADDED + 1];
} sums;

/* *copies: equal copies were made, of which nobody can say which was first. */
static tm_map *live(const tm_map *start, uint64_t number, bool *copies)
{
    uint64_t seed = test_history_seed(number);
    char step[200];
    tm_map *map = test_map_clone(start);
    for (int i = 0; i < STEPS; i++) {
        OWN(tm_report) report;
        tm_report_init(&report, NULL);
        test_history_step(map, &seed, step, sizeof(step), &report);
        *copies = *copies || strncmp(step, "duplicate", 9) == 0 || strncmp(step, "isolate", 7) == 0;
        if (getenv("TEEMAP_TALK"))
            print_message("  history %u: %s\n", (unsigned)number, step);
    }
    return map;
}

/* How many things differ, tile by tile. */
static uint64_t distance(const tm_map *a, const tm_map *b)
{
    OWN(tm_patch) *patch;
    tm_patch_change change;
    uint64_t sum = 0;
    must(tm_patch_make(&patch, a, b, NULL, NULL));
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        sum += change.num ? change.num : 1;
    return sum;
}

/*
 * What was merged already brings nothing new. Where what both did to one layer hides which one it was, it may seem to; then the
 * way from this side to the result must be no longer than that of the other side: one lost change makes it longer.
 */
static bool has_all_of(const tm_map *base, const tm_map *merged, const tm_map *side, const tm_map *other,
                       sums *totals, const char *description)
{
    OWN(tm_conflicts) *conflicts;
    bool equal;
    OWN(tm_map) *reloaded = test_merge(&conflicts, base, merged, side, NULL, TM_RESOLUTION_UNRESOLVED);
    must(tm_map_equal(&equal, reloaded, merged, NULL, 0, NULL));
    const bool fine = equal && tm_conflicts_num(conflicts) == 0;
    const bool near = fine || distance(side, merged) <= distance(base, other);
    totals->again += fine;
    totals->near += near && !fine;
    if (!near) {
        print_error("%s: not all of a side is there\n", description);
        test_print_conflicts(conflicts);
    }
    return near;
}

static bool survives_file(const tm_map *map, const char *description)
{
    OWN(tm_buffer) file = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_GAME, NULL);
    const bool fine = test_map_same(reloaded, map);
    if (!fine)
        print_error("%s: another map comes back from the file\n", description);
    return fine;
}

static bool same_from_both_sides(const tm_map *base, const tm_map *a, const tm_map *b, tm_resolution there,
                                 tm_resolution back, const char *description)
{
    tm_conflicts *conflicts[2];
    OWN(tm_map) *first = test_merge(&conflicts[0], base, a, b, NULL, there),
                *two = test_merge(&conflicts[1], base, b, a, NULL, back);
    const bool fine =
        tm_conflicts_num(conflicts[0]) == tm_conflicts_num(conflicts[1]) && test_map_same(first, two);
    if (!fine) {
        print_error("%s: not the same from both sides, %s\n", description, tm_resolution_name(there));
        test_print_conflicts(conflicts[0]);
    }
    tm_conflicts_free(conflicts[0]);
    tm_conflicts_free(conflicts[1]);
    return fine;
}

static void count(sums *totals, const tm_conflicts *conflicts)
{
    tm_conflict conflict;
    totals->merges++;
    totals->clean += tm_conflicts_num(conflicts) == 0;
    totals->conflicts += tm_conflicts_num(conflicts);
    for (uint32_t i = 0; tm_conflicts_at(&conflict, conflicts, i); i++)
        totals->kinds[conflict.kind]++;
}

static bool has_game_layer(const tm_map *map)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        if (walk.layer->kind == TM_LAYER_GAME)
            return true;
    return false;
}

static bool merge_two(void *ctx, const tm_map *base, uint32_t number, const char *path)
{
    sums *counts = ctx;
    char what[200];
    OWN(tm_conflicts) *conflicts;
    bool copies = false;
    OWN(tm_map) *a = live(base, 2 * (uint64_t)number, &copies),
                *b = live(base, 2 * (uint64_t)number + 1, &copies);
    OWN(tm_map) *merged = test_merge(&conflicts, base, a, b, NULL, TM_RESOLUTION_UNRESOLVED);
    const bool clean = tm_conflicts_num(conflicts) == 0;
    snprintf(what, sizeof(what), "%s, histories %u and %u", path, 2 * (unsigned)number,
             2 * (unsigned)number + 1);
    count(counts, conflicts);
    /* files of other games have no commands, and a map without a game layer is one of another game */
    bool fine = strncmp(path, "ddnet", 5) != 0 || !has_game_layer(merged) || survives_file(merged, what);
    if (!copies) {
        fine = same_from_both_sides(base, a, b, TM_RESOLUTION_OURS, TM_RESOLUTION_THEIRS, what) && fine;
        fine = (!clean ||
                same_from_both_sides(base, a, b, TM_RESOLUTION_UNRESOLVED, TM_RESOLUTION_UNRESOLVED, what)) &&
               fine;
        fine = (!clean || (has_all_of(base, merged, a, b, counts, what) &&
                           has_all_of(base, merged, b, a, counts, what))) &&
               fine;
    }
    return fine;
}

TEST(histories_are_merged_without_loss)
{
    sums totals = {0};
    const uint32_t wrong = test_each_history(merge_two, &totals);
    print_message(
        "%u merges, %u clean, %u sides merged again with no change, %u judged by distance, %u conflicts:",
        totals.merges, totals.clean, totals.again, totals.near, totals.conflicts);
    for (int kind = 0; kind <= TM_CONFLICT_ADDED; kind++)
        print_message(" %s %u", tm_conflict_kind_name((tm_conflict_kind)kind), (unsigned)totals.kinds[kind]);
    print_message("\n");
    assert_int_equal(wrong, 0);
    assert_true(test_first_history() || (totals.clean > 0 && totals.conflicts > 0));
}
