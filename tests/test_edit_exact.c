/* SPDX-License-Identifier: Zlib */
/*
 * Operations that have an inverse, done and undone on the real maps of the corpus: the bytes of the file are back. Those that
 * do not come back are counted, and the first thing in which they differ is said. They are maps whose physics had to be given a
 * group of their own, with an automatic automapper, with fewer tiles in a layer than its size needs, and one whose run-length
 * tiles had been written one by one. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_datafile.h"
#include "support/lib_edit.h"
#include "support/lib_maps.h"

#include <teemap/edit.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What is done and undone, and how many maps of the corpus do not come back. */
static const struct inverse {
    const char *script;
    uint32_t most_lost;
} inverses[] = {
    {"mirror x\nmirror x", 6},
    {"mirror y\nmirror y", 10},
    {"rotate 90\nrotate 90\nrotate 90\nrotate 90", 11},
    {"shift 3,-2 wrap\nshift -3,2 wrap", 3},
    {"extend left 5\ncrop 5,0+%ux%u", 2},
    {"extend down 3 empty\ncrop 0,0+%ux%u", 2},
};
enum { INVERSES = sizeof(inverses) / sizeof(*inverses) };

typedef struct tally {
    uint32_t maps, lost[INVERSES];
} tally;

static bool run(tm_map *map, const char *text, const char *path)
{
    tm_error error;
    char fitted[128];
    uint32_t width, height;
    tm_map_area(map, &width, &height);
    if (strncmp(text, "extend left", 11) == 0)
        snprintf(fitted, sizeof(fitted), "extend left 5\ncrop 5,0+%ux%u", (unsigned)width, (unsigned)height);
    else if (strncmp(text, "extend down", 11) == 0)
        snprintf(fitted, sizeof(fitted), "extend down 3 empty\ncrop 0,0+%ux%u", (unsigned)width,
                 (unsigned)height);
    else
        snprintf(fitted, sizeof(fitted), "%s", text);
    const tm_status status = test_edit_run(map, fitted, &error);
    if (status)
        print_error("%s: %s: %s\n", path, error.place, error.text);
    return !status;
}

static bool comes_back(const tm_buffer *file, const tm_map *map, const char *script, const char *path)
{
    tm_map *clone;
    char where[256] = "nothing of the model";
    bool equal;
    assert_int_equal(tm_map_clone(&clone, map, NULL), TM_OK);
    if (!run(clone, script, path)) {
        tm_map_free(clone);
        return false;
    }
    tm_buffer saved = test_map_save(clone, NULL);
    const bool same = saved.size == file->size && memcmp(saved.bytes, file->bytes, saved.size) == 0;
    if (!same) {
        assert_int_equal(tm_map_equal(&equal, map, clone, where, sizeof(where), NULL), TM_OK);
        print_message("%.12s: %s: %s%s\n", script, path, equal ? "packed otherwise; " : "", where);
    }
    tm_buffer_release(&saved);
    tm_map_free(clone);
    return same;
}

static void undo_on_real_map(void *ctx, const char *path)
{
    tally *count = ctx;
    tm_map *map;
    struct test_bytes bytes = test_bytes_from_file(path);
    tm_buffer file = {bytes.bytes, bytes.size, bytes.size, NULL};
    if (!test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL) && map->num_groups) {
        count->maps++;
        for (size_t i = 0; i < INVERSES; i++)
            count->lost[i] += !comes_back(&file, map, inverses[i].script, path);
    }
    tm_map_free(map);
    tm_buffer_release(&file);
}

static void what_is_undone_gives_the_same_bytes(void **state)
{
    (void)state;
    tally count = {0, {0}};
    if (test_many_corpus_maps(undo_on_real_map, &count) == 0)
        skip();
    for (size_t i = 0; i < INVERSES; i++)
        print_message("%u of %u maps come back from: %.40s\n", count.maps - count.lost[i], count.maps,
                      inverses[i].script);
    for (size_t i = 0; i < INVERSES; i++)
        assert_in_range(count.lost[i], 0, inverses[i].most_lost);
    assert_true(count.maps > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_undone_gives_the_same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
