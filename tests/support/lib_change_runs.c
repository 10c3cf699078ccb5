/* SPDX-License-Identifier: Zlib */
/* The cases of a program of changes: see CHANGE in lib_changes.h. */
#include "lib_changes.h"

enum { MOST = 32 };

static struct test_change changes[MOST];
static size_t num;

void test_change_register(struct test_change change)
{
    assert_true(num < MOST);
    changes[num++] = change;
}

TEST(changes_of_generated_maps)
{
    struct test_base base;
    for (int i = 0; test_base_generated(&base, i); i++) {
        test_change_each(&base, changes, num, 100);
        test_base_release(&base);
    }
    for (size_t i = 0; i < num; i++)
        if (changes[i].times == 0)
            fail_msg("'%s' was never possible", changes[i].name);
}

TEST(changes_of_real_maps)
{
    struct test_base base;
    for (int i = 0; test_base_real(&base, i); i++) {
        test_change_each(&base, changes, num, 12);
        test_base_release(&base);
    }
}

/* Sounds, bezier curves, all physics layers and 49 MB of tiles: each change once. */
TEST(changes_of_a_large_map)
{
    OWN(test_base) base;
    test_base_open(&base, "ddnet06/Castle_Echos", test_corpus_file("ddnet06/Castle_Echos-6c0dd9.map"));
    test_change_each(&base, changes, num, 1);
}
