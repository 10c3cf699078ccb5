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
static void judge(tally *totals, const tm_patch *patch, test_step kind, const tm_report *report)
{
    uint32_t counts[TM_CHANGE_DATA + 1];
    count_kinds(patch, counts);
    totals->changes += tm_patch_num(patch);
    totals->steps++;
    if (!tm_patch_num(patch) || report->num != 1)
        return;
    totals->moves += kind == TEST_STEP_MOVE;
    totals->moves_seen += kind == TEST_STEP_MOVE && counts[TM_CHANGE_MOVED] >= 1 && !counts[TM_CHANGE_ADDED];
    totals->renames += kind == TEST_STEP_RENAME;
    totals->renames_seen +=
        kind == TEST_STEP_RENAME && counts[TM_CHANGE_FIELD] == 1 && tm_patch_num(patch) == 1;
    totals->adds += kind == TEST_STEP_ADD;
    totals->adds_seen += kind == TEST_STEP_ADD && counts[TM_CHANGE_ADDED] >= 1 && !counts[TM_CHANGE_MOVED];
    totals->removes += kind == TEST_STEP_REMOVE;
    totals->removes_seen +=
        kind == TEST_STEP_REMOVE && counts[TM_CHANGE_REMOVED] >= 1 && !counts[TM_CHANGE_ADDED];
}

static void print_patch(const tm_patch *patch, const char *description)
{
    tm_patch_change change;
    char line[300];
    print_message("%s\n", description);
    for (uint32_t i = 0; i < 10 && tm_patch_at(&change, patch, i); i++) {
        tm_patch_change_format(&change, line, sizeof(line));
        print_message("    %s\n", line);
    }
}

static bool tell_step(tally *totals, const tm_map *before, const tm_map *after, test_step kind,
                      const tm_report *report, const char *description)
{
    tm_patch *patch;
    tm_error error;
    if (tm_patch_make(&patch, before, after, NULL, &error)) {
        print_error("%s: %s\n", description, error.text);
        return false;
    }
    const bool fine = test_patch_there_and_back(before, patch, after, description);
    const uint32_t seen =
        totals->moves_seen + totals->renames_seen + totals->adds_seen + totals->removes_seen;
    const uint32_t named = totals->moves + totals->renames + totals->adds + totals->removes;
    judge(totals, patch, kind, report);
    if (getenv("TEEMAP_TALK") &&
        totals->moves + totals->renames + totals->adds + totals->removes - named !=
            totals->moves_seen + totals->renames_seen + totals->adds_seen + totals->removes_seen - seen)
        print_patch(patch, description);
    tm_patch_free(patch);
    return fine;
}

static bool live_history(void *ctx, const tm_map *start, uint32_t number, const char *path)
{
    tally *totals = ctx;
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
        fine = tell_step(totals, before, after, kind, &report, what) && fine;
        tm_map_free(before);
        before = after;
    }
    tally whole = {0};
    tm_report empty;
    tm_report_init(&empty, NULL);
    snprintf(what, sizeof(what), "%s, seed %u, all steps", path, (unsigned)number);
    fine = tell_step(&whole, first, before, TEST_STEP_OTHER, &empty, what) && fine;
    tm_map_free(first);
    tm_map_free(before);
    return fine;
}

TEST(histories_are_told_and_undone)
{
    tally totals = {0};
    const uint32_t wrong = test_each_history(live_history, &totals);
    print_message(
        "%u steps, %u changes; moves %u of %u, renames %u of %u, additions %u of %u, removals %u of %u\n",
        (unsigned)totals.steps, (unsigned)totals.changes, totals.moves_seen, totals.moves,
        totals.renames_seen, totals.renames, totals.adds_seen, totals.adds, totals.removes_seen,
        totals.removes);
    assert_int_equal(wrong, 0);
    assert_true(totals.changes > 0);
    assert_true(totals.moves_seen * 10 >= totals.moves * 9 && totals.renames_seen * 10 >= totals.renames * 9);
    assert_true(totals.adds_seen * 10 >= totals.adds * 9 && totals.removes_seen * 10 >= totals.removes * 9);
}
