/* SPDX-License-Identifier: Zlib */
/*
 * datafile/piece_runner.c - pieces of work on the caller's threads: largest first, within a memory budget, with
 * progress, cancelling, and errors that do not depend on who was quicker. Knows nothing about what the work
 * is.
 *
 * How: pieces are sorted by the memory they need, largest first; each thread (a "hand") takes the next one
 * from an atomic counter. As needs only fall, the first k pieces of what is left bound what k hands can use
 * at once, so a wave of as many hands as fit the budget works until one more would fit; then the next wave
 * starts. Without a tight budget there is one wave.
 *
 * No locks of the operating system: what hands share is atomic, and reporting progress is guarded by a flag
 * that a hand which finds it taken simply leaves alone.
 */
#include "datafile.h"

#define MAX_HANDS 256
#define NO_INDEX  UINT32_MAX

/* -------------------------------------------------------------------------------------------------- hands */

tmi_inflater *tmi_hand_inflater(tmi_hand *hand, tm_error *error)
{
    if (!hand->inflater)
        hand->inflater = tmi_inflater_new();
    if (!hand->inflater)
        tmi_fail_memory(error, 0, "an inflater");
    return hand->inflater;
}

tmi_deflater *tmi_hand_deflater(tmi_hand *hand, int level, tm_error *error)
{
    if (hand->deflater && hand->level != level) {
        tmi_deflater_free(hand->deflater);
        hand->deflater = NULL;
    }
    if (!hand->deflater)
        hand->deflater = tmi_deflater_new(level);
    if (!hand->deflater)
        tmi_fail_memory(error, 0, "a deflater");
    hand->level = level;
    return hand->deflater;
}

uint8_t *tmi_hand_scratch(tmi_hand *hand, uint64_t size, tm_error *error)
{
    if (hand->scratch && size <= hand->capacity)
        return hand->scratch;
    if (hand->scratch)
        tmi_free(hand->allocator, hand->scratch, hand->capacity, 1);
    hand->capacity = 0;
    hand->scratch = size < SIZE_MAX ? tmi_alloc(hand->allocator, (size_t)size, 1) : NULL;
    if (!hand->scratch)
        tmi_fail_memory(error, size, "working memory");
    else
        hand->capacity = (size_t)size;
    return hand->scratch;
}

void tmi_hand_release(tmi_hand *hand)
{
    if (hand->inflater)
        tmi_inflater_free(hand->inflater);
    if (hand->deflater)
        tmi_deflater_free(hand->deflater);
    if (hand->scratch)
        tmi_free(hand->allocator, hand->scratch, hand->capacity, 1);
    hand->inflater = NULL;
    hand->deflater = NULL;
    hand->scratch = NULL;
    hand->capacity = 0;
}

/* ------------------------------------------------------------------------------------------- shift */

/* One hand's part of a run. */
struct post {
    tmi_hand hand;
    tm_status status;
    uint32_t failed_index;
    uint64_t unreported; /* units done, not yet in shift.done */
    tm_error error;
};

/* A run under way. */
struct shift {
    const tmi_crew *crew;
    const tm_job *job;
    uint64_t *order; /* pieces, largest first: ~memory << 32 | piece */
    uint32_t end;    /* of the present wave */
    atomic_uint next;
    atomic_uint lowest_failed; /* index; pieces above it need not be done any more */
    atomic_bool stopped;
    atomic_flag reporting; /* guards done */
    uint64_t done;
    uint64_t total;
    struct post *posts;
    uint32_t num_posts;
};

static uint32_t index_of(const struct shift *shift, uint32_t position)
{
    uint32_t piece = (uint32_t)shift->order[position];
    const uint32_t *indices = shift->crew->indices;
    return indices ? indices[piece] : piece;
}

static void report_progress(struct shift *shift, struct post *post, uint64_t units)
{
    post->unreported += units;
    if (!shift->job->progress || atomic_flag_test_and_set(&shift->reporting))
        return;
    shift->done += post->unreported;
    post->unreported = 0;
    shift->job->progress(shift->job->progress_ctx, shift->done, shift->total);
    atomic_flag_clear(&shift->reporting);
}

static void note_failure(struct shift *shift, struct post *post, uint32_t index, tm_status status,
                         const tm_error *error)
{
    if (index < post->failed_index || post->status == TM_OK) {
        post->status = status;
        post->failed_index = index;
        post->error = *error;
    }
    unsigned lowest = atomic_load(&shift->lowest_failed);
    while (index < lowest && !atomic_compare_exchange_weak(&shift->lowest_failed, &lowest, index)) {
    }
}

static void do_piece(struct shift *shift, struct post *post, uint32_t index)
{
    const tmi_crew *crew = shift->crew;
    tm_error error = {.offset = -1};
    bool stop = false;
    tm_status status = crew->work(crew->ctx, &post->hand, index, &stop, &error);
    if (status != TM_OK)
        note_failure(shift, post, index, status, &error);
    if (stop)
        atomic_store(&shift->stopped, true);
    report_progress(shift, post, crew->weight(crew->ctx, index));
}

static void work_off(void *arg, uint32_t which)
{
    struct shift *shift = arg;
    struct post *post = &shift->posts[which];
    while (!atomic_load(&shift->stopped) && !tmi_cancelled(shift->job->cancel)) {
        unsigned position = atomic_fetch_add(&shift->next, 1);
        if (position >= shift->end)
            return;
        uint32_t index = index_of(shift, position);
        if (index < atomic_load(&shift->lowest_failed))
            do_piece(shift, post, index);
    }
}

/* -------------------------------------------------------------------------------------------------- waves */

/* How many hands can start at a position without passing the budget; at least one. */
static uint32_t hands_at(const struct shift *shift, uint32_t position)
{
    const tmi_crew *crew = shift->crew;
    uint64_t used = 0;
    uint32_t hands = 0;
    while (hands < shift->num_posts && crew->num - position > hands) {
        uint64_t need = crew->memory(crew->ctx, index_of(shift, position + hands));
        if (hands > 0 && (need > shift->job->memory_budget || used > shift->job->memory_budget - need))
            break;
        used = used > UINT64_MAX - need ? UINT64_MAX : used + need;
        hands++;
    }
    return hands;
}

static void run_waves(struct shift *shift)
{
    uint32_t position = 0;
    while (position < shift->crew->num) {
        uint32_t hands = hands_at(shift, position);
        uint32_t end = position + 1;
        while (end < shift->crew->num && (hands == shift->num_posts || hands_at(shift, end) <= hands))
            end++;
        shift->end = end;
        atomic_store(&shift->next, position);
        tmi_run(shift->job->executor, hands, work_off, shift);
        if (atomic_load(&shift->stopped) || tmi_cancelled(shift->job->cancel))
            return;
        for (uint32_t i = 0; end < shift->crew->num && i < hands; i++)
            tmi_hand_release(&shift->posts[i].hand);
        position = end;
    }
}

static uint64_t sort_key(const tmi_crew *crew, uint32_t piece)
{
    uint64_t need = crew->memory(crew->ctx, crew->indices ? crew->indices[piece] : piece);
    uint64_t falling = need < UINT32_MAX ? UINT32_MAX - need : 0;
    return falling << 32 | piece;
}

static void prepare(struct shift *shift)
{
    const tmi_crew *crew = shift->crew;
    for (uint32_t i = 0; i < crew->num; i++) {
        shift->order[i] = sort_key(crew, i);
        shift->total += crew->weight(crew->ctx, crew->indices ? crew->indices[i] : i);
    }
    tmi_sort_u64(shift->order, crew->num);
    for (uint32_t i = 0; i < shift->num_posts; i++) {
        shift->posts[i].hand.allocator = crew->allocator;
        shift->posts[i].failed_index = NO_INDEX;
    }
}

/* What the run as a whole came to. */
static tm_status conclude(struct shift *shift, tm_error *error)
{
    const struct post *worst = NULL;
    for (uint32_t i = 0; i < shift->num_posts; i++) {
        const struct post *post = &shift->posts[i];
        if (post->status != TM_OK && (!worst || post->failed_index < worst->failed_index))
            worst = post;
    }
    if (tmi_cancelled(shift->job->cancel) && !worst)
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    if (worst) {
        if (error)
            *error = worst->error;
        return worst->status;
    }
    if (shift->job->progress && shift->done < shift->total)
        shift->job->progress(shift->job->progress_ctx, shift->total, shift->total);
    return TM_OK;
}

static uint32_t number_of_hands(const tmi_crew *crew)
{
    const tm_executor *executor = crew->job->executor;
    uint32_t hands = executor && executor->threads > 1 ? executor->threads : 1;
    if (hands > MAX_HANDS)
        hands = MAX_HANDS;
    return hands < crew->num ? hands : crew->num;
}

tm_status tmi_crew_run(const tmi_crew *crew, tm_error *error)
{
    if (crew->num == 0)
        return TM_OK;
    struct shift shift = {.crew = crew, .job = crew->job, .num_posts = number_of_hands(crew)};
    atomic_init(&shift.next, 0);
    atomic_init(&shift.lowest_failed, NO_INDEX);
    atomic_init(&shift.stopped, false);
    atomic_flag_clear(&shift.reporting);
    shift.order = tmi_alloc(crew->allocator, crew->num, sizeof(*shift.order));
    shift.posts = tmi_calloc(crew->allocator, shift.num_posts, sizeof(*shift.posts));
    tm_status status;
    if (!shift.order || !shift.posts) {
        status = tmi_fail_memory(error, (uint64_t)crew->num * sizeof(*shift.order), "the order of blocks");
    } else {
        prepare(&shift);
        run_waves(&shift);
        status = conclude(&shift, error);
    }
    for (uint32_t i = 0; shift.posts && i < shift.num_posts; i++)
        tmi_hand_release(&shift.posts[i].hand);
    tmi_free(crew->allocator, shift.posts, shift.num_posts, sizeof(*shift.posts));
    tmi_free(crew->allocator, shift.order, crew->num, sizeof(*shift.order));
    return status;
}
