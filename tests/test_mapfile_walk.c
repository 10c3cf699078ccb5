/* SPDX-License-Identifier: Zlib */
/*
 * Random walks through changes, with saving and loading now and then: from sample maps of each era, from odd ones and from the
 * smallest real ones. What is saved loads as an equal map and is saved again as it is, whatever happened before, and the walk goes
 * on with what was loaded. What the map's game cannot hold is left out with a finding, and only then may a map be another one.
 *
 * test-timeout: 300
 */
#include "change_steps.h"
#include "support/lib_changes.h"
#include "support/lib_odd.h"

#include "change_steps.c" /* NOLINT(bugprone-suspicious-include): shared with the fuzz target */

enum { STEPS = 25, ROUNDS = 4, WALKS = 12 };

static void change(tm_map *map, uint64_t *random, const char *name)
{
    uint8_t bytes[STEPS * 32];
    struct change_bytes stream = {bytes, sizeof(bytes), 0};
    tm_error error;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(change_random(random) >> 40);
    for (int i = 0; i < STEPS; i++) {
        struct change_result result = change_step(map, &stream, &error);
        const char *fault = change_fault(map, &error);
        if (fault)
            fail_msg("%s: after '%s': %s: %s", name, result.name, error.place, error.text);
    }
}

/* Either all groups have a parallax zoom, or none has; steps do not look after that. */
static void settle(tm_map *map)
{
    bool any = false;
    for (uint32_t g = 0; g < map->num_groups; g++)
        any |= map->groups[g].has_parallax_zoom;
    for (uint32_t g = 0; any && g < map->num_groups; g++)
        map->groups[g].has_parallax_zoom = true;
    if (map->num_groups == 0) /* else nothing would tell that it is a map */
        map->version = 1;
    for (uint32_t i = 0; i < map->num_images; i++) /* the format of an external image is not kept */
        if (map->images[i].external)
            map->images[i].format = TM_IMAGE_RGBA;
}

/* Saves, loads, compares; returns what was loaded, which needs the file. */
static tm_map *through_file(tm_map *map, tm_buffer *file, const char *name, uint32_t *num_equal)
{
    OWN(tm_findings) findings = test_findings();
    settle(map);
    *file = test_map_save(map, &findings);
    tm_map *reloaded = test_map_load(file, TM_MODE_GAME, NULL);
    bool lost = false;
    for (size_t i = 0; i < findings.num; i++)
        lost |= findings.list[i].id != TM_FINDING_LAYOUT_NORMALISED &&
                findings.list[i].id != TM_FINDING_LOST_ITEM;
    reloaded->game = map->game; /* what told the game may be gone */
    if (!lost && !test_map_same(map, reloaded))
        fail_msg("%s: a walk ended with another map", name);
    *num_equal += !lost;
    OWN(tm_buffer) second = test_map_save(reloaded, NULL);
    if (!test_buffer_same(file, &second))
        fail_msg("%s: a walk ended with a map that is not saved again as it is", name);
    tm_map_free(map);
    return reloaded;
}

static void walk(const struct test_base *base, uint32_t num_walks, uint32_t *num_equal)
{
    uint64_t random = 1;
    for (const char *c = base->name; *c; c++)
        random = random * 31 + (uint8_t)*c;
    for (uint32_t w = 0; w < num_walks; w++) {
        tm_map *map = test_base_clone(base);
        tm_buffer files[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            change(map, &random, base->name);
            map = through_file(map, &files[round], base->name, num_equal);
        }
        tm_map_free(map);
        for (int round = 0; round < ROUNDS; round++)
            tm_buffer_release(&files[round]);
    }
}

TEST(walks_from_generated_maps)
{
    struct test_base base;
    uint32_t num_equal = 0;
    for (int i = 0; test_base_generated(&base, i); i++) {
        walk(&base, 5 * WALKS, &num_equal);
        test_base_release(&base);
    }
    print_message("%u times equal\n", (unsigned)num_equal);
    assert_true(num_equal > 3 * 5 * WALKS * ROUNDS / 2);
}

TEST(walks_from_odd_maps)
{
    struct test_base base;
    const struct test_odd *odd;
    uint32_t num_equal = 0;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        if (odd->finding == TM_FINDING_PRE_2008)
            continue;
        test_base_open(&base, odd->name, test_odd_file(odd));
        walk(&base, WALKS, &num_equal);
        test_base_release(&base);
    }
    print_message("%u times equal\n", (unsigned)num_equal);
    assert_true(num_equal > 30 * WALKS * ROUNDS);
}

TEST(walks_from_real_maps)
{
    struct test_base base;
    uint32_t num_equal = 0;
    for (int i = 0; test_base_real(&base, i); i++) {
        walk(&base, WALKS / 4, &num_equal);
        test_base_release(&base);
    }
    print_message("%u times equal\n", (unsigned)num_equal);
}
