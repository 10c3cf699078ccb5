/* SPDX-License-Identifier: Zlib */
/*
 * Every public function that takes a const map, patch, renderer or other handle, called by several threads at once on the same
 * handles while the others call all the others: each call must give what it gives alone.
 * Meant for the thread sanitizer (preset tsan).
 *
 * test-labels: threads
 * test-timeout: 600
 */
#include "support/lib_calls.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 6 };

static const test_call *calls[256]; /* those that are const */
static uint64_t alone[256];
static uint32_t num_calls;

typedef struct walk {
    uint32_t first, step; /* which call comes first, and how far the next one is */
    const char *differs;
} walk;

static void *call_all(void *arg)
{
    walk *walks = arg;
    for (uint32_t i = 0; i < num_calls; i++) {
        const uint32_t n = (walks->first + i * walks->step) % num_calls;
        if (test_call_of(calls[n], NULL, NULL).sum != alone[n])
            walks->differs = calls[n]->name;
    }
    return NULL;
}

/* Nothing is unpacked when a round begins; the threads go through the table from different places, in different steps. */
TEST(every_const_function_beside_every_other)
{
    static const uint32_t steps[THREADS] = {1, 1, 7, 11};
    test_calls_begin();
    for (size_t i = 0; i < test_num_calls; i++)
        if (test_calls[i].is_const) {
            assert_true(num_calls < sizeof(calls) / sizeof(*calls));
            calls[num_calls] = &test_calls[i];
            const test_called gives = test_call_of(&test_calls[i], NULL, NULL);
            if (gives.status && !strstr(test_calls[i].name, "mapres")) /* no game is installed */
                fail_msg("%s: %s", test_calls[i].name, tm_status_name(gives.status));
            alone[num_calls++] = gives.sum;
        }
    assert_true(num_calls > 120);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        walk walks[THREADS];
        test_calls_forget();
        for (uint32_t i = 0; i < THREADS; i++) {
            walks[i] = (walk){(round * 31 + i * num_calls / THREADS) % num_calls,
                              num_calls % steps[i] ? steps[i] : 1, NULL};
            assert_int_equal(pthread_create(&threads[i], NULL, call_all, &walks[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (uint32_t i = 0; i < THREADS; i++)
            if (walks[i].differs)
                fail_msg("%s gives something else beside others", walks[i].differs);
    }
    test_calls_end();
}
