/* SPDX-License-Identifier: Zlib */
/*
 * Operations that have an inverse, done and undone on the real maps of the corpus: the bytes of the file are back. Those that
 * do not come back are counted, and the first thing in which they differ is said. They are maps whose physics had to be given a
 * group of their own, with an automatic automapper, with fewer tiles in a layer than its size needs, and one whose run-length
 * tiles had been written one by one. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_edit.h"

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

static bool run(tm_map *map, const char *text, const char *path)
{
    tm_error error;
    char fitted[128];
    uint32_t width, height;
    tm_map_area(&width, &height, map);
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
    char where[256] = "nothing of the model";
    bool equal;
    tm_map *clone = test_map_clone(map);
    if (!run(clone, script, path)) {
        tm_map_free(clone);
        return false;
    }
    OWN(tm_buffer) saved = test_map_save(clone, NULL);
    const bool same = saved.size == file->size && memcmp(saved.bytes, file->bytes, saved.size) == 0;
    if (!same) {
        must(tm_map_equal(&equal, map, clone, where, sizeof(where), NULL));
        print_message("%.12s: %s: %s%s\n", script, path, equal ? "packed otherwise; " : "", where);
    }
    tm_map_free(clone);
    return same;
}

static bool undo_on_real_map(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    uint32_t *lost = ctx;
    for (size_t i = 0; map->num_groups && i < INVERSES; i++)
        lost[i] += !comes_back(file, map, inverses[i].script, path);
    return true;
}

TEST(what_is_undone_gives_the_same_bytes)
{
    uint32_t lost[INVERSES] = {0};
    const uint32_t num = test_real_maps(undo_on_real_map, lost);
    for (size_t i = 0; i < INVERSES; i++)
        print_message("%u of %u maps come back from: %.40s\n", num - lost[i], num, inverses[i].script);
    for (size_t i = 0; i < INVERSES; i++)
        assert_in_range(lost[i], 0, inverses[i].most_lost);
}
