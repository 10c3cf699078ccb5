/* SPDX-License-Identifier: Zlib */
/*
 * Histories of maps, made by random chains of edit operations from seeds: each step is told by a patch, made again
 * from the patch, and undone by its inverse. What the operations did is also what the patch tells: a move is a move.
 * More of them: TEEMAP_SEEDS=1000. Without the corpus small maps are taken that are made here.
 *
 * test-timeout: 600
 */
#include "support/lib_histories.h"
#include "support/lib_patches.h"

enum { STEPS = 6 };

/* How many of the changes that were made a patch should tell by their name. */
typedef struct tally {
    uint32_t moves, moves_seen, renames, renames_seen, adds, adds_seen, removes, removes_seen;
    uint64_t changes, steps;
} tally;

static void count_kinds(const tm_patch *patch, uint32_t counts[TM_CHANGE_DATA + 1])
{
    tm_patch_change change;
    memset(counts, 0, (TM_CHANGE_DATA + 1) * sizeof(*counts));
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        counts[change.kind]++;
}

/* What the step was called is what the patch is to say, and little else. */
static void judge(tally *all, const tm_patch *patch, test_step kind, const tm_report *report)
{
    uint32_t counts[TM_CHANGE_DATA + 1];
    count_kinds(patch, counts);
    all->changes += tm_patch_num(patch);
    all->steps++;
    if (!tm_patch_num(patch) || report->num != 1)
        return;
    all->moves += kind == TEST_STEP_MOVE;
    all->moves_seen += kind == TEST_STEP_MOVE && counts[TM_CHANGE_MOVED] >= 1 && !counts[TM_CHANGE_ADDED];
    all->renames += kind == TEST_STEP_RENAME;
    all->renames_seen += kind == TEST_STEP_RENAME && counts[TM_CHANGE_FIELD] == 1 && tm_patch_num(patch) == 1;
    all->adds += kind == TEST_STEP_ADD;
    all->adds_seen += kind == TEST_STEP_ADD && counts[TM_CHANGE_ADDED] >= 1 && !counts[TM_CHANGE_MOVED];
    all->removes += kind == TEST_STEP_REMOVE;
    all->removes_seen +=
        kind == TEST_STEP_REMOVE && counts[TM_CHANGE_REMOVED] >= 1 && !counts[TM_CHANGE_ADDED];
}

static void print_patch(const tm_patch *patch, const char *what)
{
    tm_patch_change change;
    char line[300];
    print_message("%s\n", what);
    for (uint32_t i = 0; i < 10 && tm_patch_at(&change, patch, i); i++) {
        tm_patch_change_format(&change, line, sizeof(line));
        print_message("    %s\n", line);
    }
}

static bool tell_step(tally *all, const tm_map *before, const tm_map *after, test_step kind,
                      const tm_report *report, const char *what)
{
    tm_patch *patch;
    tm_error error;
    if (tm_patch_make(&patch, before, after, NULL, &error)) {
        print_error("%s: %s\n", what, error.text);
        return false;
    }
    const bool fine = test_patch_there_and_back(before, patch, after, what);
    const uint32_t seen = all->moves_seen + all->renames_seen + all->adds_seen + all->removes_seen;
    const uint32_t named = all->moves + all->renames + all->adds + all->removes;
    judge(all, patch, kind, report);
    if (getenv("TEEMAP_TALK") &&
        all->moves + all->renames + all->adds + all->removes - named !=
            all->moves_seen + all->renames_seen + all->adds_seen + all->removes_seen - seen)
        print_patch(patch, what);
    tm_patch_free(patch);
    return fine;
}

static bool live_history(void *ctx, const tm_map *start, uint32_t number, const char *path)
{
    tally *all = ctx;
    uint64_t seed = test_history_seed(number);
    tm_map *first = test_map_clone(start), *before = test_map_clone(start), *after;
    char step[200], what[400];
    bool fine = true;
    for (int i = 0; i < STEPS; i++) {
        OWN(tm_report) report;
        tm_report_init(&report, NULL);
        must(tm_map_clone(&after, before, NULL));
        const test_step kind = test_history_step(after, &seed, step, sizeof(step), &report);
        snprintf(what, sizeof(what), "%s, seed %u, step %d: %s", path, (unsigned)number, i, step);
        fine = tell_step(all, before, after, kind, &report, what) && fine;
        tm_map_free(before);
        before = after;
    }
    tally whole = {0};
    tm_report none;
    tm_report_init(&none, NULL);
    snprintf(what, sizeof(what), "%s, seed %u, all steps", path, (unsigned)number);
    fine = tell_step(&whole, first, before, TEST_STEP_OTHER, &none, what) && fine;
    tm_map_free(first);
    tm_map_free(before);
    return fine;
}

TEST(histories_are_told_and_undone)
{
    tally all = {0};
    const uint32_t wrong = test_each_history(live_history, &all);
    print_message(
        "%u steps, %u changes; moves %u of %u, renames %u of %u, additions %u of %u, removals %u of %u\n",
        (unsigned)all.steps, (unsigned)all.changes, all.moves_seen, all.moves, all.renames_seen, all.renames,
        all.adds_seen, all.adds, all.removes_seen, all.removes);
    assert_int_equal(wrong, 0);
    assert_true(all.changes > 0);
    assert_true(all.moves_seen * 10 >= all.moves * 9 && all.renames_seen * 10 >= all.renames * 9);
    assert_true(all.adds_seen * 10 >= all.adds * 9 && all.removes_seen * 10 >= all.removes * 9);
}
