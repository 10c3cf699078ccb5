/* SPDX-License-Identifier: Zlib */
/*
 * What one change may do to a file; see lib_changes.h.
 */
#include "lib_changes.h"

/* -------------------------------------------------------------------------------------------------- maps to start from */

static bool strict_takes(const tm_buffer *file, tm_error *error)
{
    tm_map *map;
    if (test_map_try(&map, file, TM_MODE_STRICT, NULL, error) != TM_OK)
        return false;
    tm_map_free(map);
    return true;
}

void test_base_open(struct test_base *base, const char *name, tm_buffer file)
{
    base->name = name;
    base->file = file;
    base->map = test_map_load(&file, TM_MODE_GAME, NULL);
    base->strict = strict_takes(&file, NULL);
    test_check_unchanged(base, base->map, "nothing");
}

static tm_buffer everything(tm_game game)
{
    OWN(tm_map) *map = test_map_everything(game);
    return test_map_save(map, NULL);
}

bool test_base_generated(struct test_base *base, int i)
{
    switch (i) {
    case 0: test_base_open(base, "museum", test_map_museum()); break;
    case 1: test_base_open(base, "museum07", test_map_museum07()); break;
    case 2: test_base_open(base, "all of ddnet", everything(TM_GAME_DDNET)); break;
    case 3: test_base_open(base, "all of teeworlds06", everything(TM_GAME_TEEWORLDS06)); break;
    case 4: test_base_open(base, "all of teeworlds07", everything(TM_GAME_TEEWORLDS07)); break;
    default: return false;
    }
    assert_true(base->strict);
    return true;
}

bool test_base_real(struct test_base *base, int i)
{
    static const char *const names[] = {
        "vanilla05/ctf1-31626a.map", /* envelopes of 5 integers, crude sizes */
        "vanilla05/dm1-0b0c48.map",  /* of 12, quads of version 1 */
        "vanilla05/dm1-9edea1.map",  /* no envelopes */
        "vanilla05/dm6-0964bc.map",  /* names that are plain ASCII or zeros */
        "vanilla05/ctf2-75bf9f.map", /* tile layers of version 2 with 17 integers */
        "vanilla06/ctf5-4b2f79.map", /* 0.6 as DDNet saved it */
        "vanilla06/menu_heaven-f694ac.map",
        "vanilla06/skip-f13ad3.map", /* quads with dangling envelopes */
        "vanilla07/autumn_day-7674fd.map",
        "vanilla07/dm1-491af1.map", /* points of 22 integers */
        "vanilla07/dm6-133071.map", /* tile layers of versions 3 and 4 */
        "vanilla07/grass_template-19c5b9.map",
        "ddnet06/Test-c1483f.map",
        "ddnet06/Tutorial-b5df41.map",
        "ddnet06/autumn_day-ef1ae8.map",
        "ddnet06/coverage-88a73f.map", /* all physics layers */
        "ddnet06/diff1-e82f54.map",    /* group-ex items */
        "ddnet06/winter_night-024fed.map",
        "ddnet06/testmap-ba3f92.map",
    };
    if (i >= (int)(sizeof(names) / sizeof(names[0])))
        return false;
    test_base_open(base, names[i], test_corpus_file(names[i]));
    return true;
}

void test_base_release(struct test_base *base)
{
    tm_map_free(base->map);
    tm_buffer_release(&base->file);
}

tm_map *test_base_clone(const struct test_base *base)
{
    tm_map *map;
    must(tm_map_clone(&map, base->map, NULL));
    return map;
}

/* -------------------------------------------------------------------------------------------------------------- checks */

static bool within(const struct test_diff *diff, const struct test_allowed *allowed)
{
    for (int kind = 0; kind < TEST_KINDS; kind++)
        if (diff->lost[kind] > allowed->lost[kind] || diff->gained[kind] > allowed->gained[kind])
            return false;
    return diff->blocks_changed + diff->blocks_lost + diff->blocks_gained <= allowed->blocks &&
           (!diff->reordered || allowed->order) && !diff->head;
}

/* What is saved loads as an equal map, and is saved as it is. */
static const char *saved_fault(const tm_map *map, const tm_buffer *file, const struct test_allowed *allowed)
{
    tm_map *reloaded = test_map_load(file, TM_MODE_GAME, NULL);
    if (allowed->game)
        reloaded->game = map->game;
    bool equal = test_map_same(map, reloaded);
    tm_buffer second = test_map_save(reloaded, NULL);
    bool same = test_buffer_same(file, &second);
    tm_buffer_release(&second);
    tm_map_free(reloaded);
    return !equal ? "is not the same when loaded again" : !same ? "is not saved again as it is" : NULL;
}

void test_check_change(const struct test_base *base, const tm_map *map, const char *name,
                       const struct test_allowed *allowed)
{
    struct test_diff diff;
    OWN(tm_findings) findings;
    tm_error error;
    if (tm_map_verify(map, &error) != TM_OK)
        fail_msg("%s: %s: %s: %s", base->name, name, error.place, error.text);
    tm_findings_init(&findings, 0, NULL);
    OWN(tm_buffer) file = test_map_save(map, &findings);
    const char *fault =
        findings.num && !allowed->findings ? "has findings" : saved_fault(map, &file, allowed);
    if (!fault && test_buffer_same(&base->file, &file))
        fault = "changes nothing";
    test_diff_files(&diff, &base->file, &file, allowed->ids);
    if (!fault && !within(&diff, allowed))
        fault = "changes more than it may";
    if (!fault && base->strict && !allowed->refused && !strict_takes(&file, &error)) {
        print_message("%s: %s\n", error.place, error.text);
        fault = "makes strict mode refuse the map";
    }
    if (fault) {
        test_print_findings(&findings);
        test_print_diff(&diff);
        fail_msg("%s: %s %s", base->name, name, fault);
    }
}

void test_check_unchanged(const struct test_base *base, const tm_map *map, const char *name)
{
    OWN(tm_buffer) file = test_map_save(map, NULL);
    if (!test_buffer_same(&base->file, &file))
        fail_msg("%s: saved after %s it is not as it was", base->name, name);
}

/* ------------------------------------------------------------------------------------------------------------- changes */

bool test_find_layer(const tm_map *map, uint32_t k, bool (*fits)(const tm_layer *layer),
                     struct test_spot *out)
{
    for (out->group = 0; out->group < map->num_groups; out->group++) {
        for (out->layer = 0; out->layer < map->groups[out->group].num_layers; out->layer++) {
            out->object = &map->groups[out->group].layers[out->layer];
            if (fits(out->object) && k-- == 0)
                return true;
        }
    }
    return false;
}

void test_may_change(struct test_allowed *allowed, int kind, uint32_t num)
{
    allowed->lost[kind] = allowed->gained[kind] = num;
}

/* False if there is no k-th place. */
static bool change_once(const struct test_base *base, struct test_change *change, uint32_t k)
{
    struct test_allowed allowed;
    char name[100];
    OWN(tm_map) *map = test_base_clone(base);
    memset(&allowed, 0, sizeof(allowed));
    const bool done = change->apply(map, k, &allowed);
    if (done && !allowed.skip) {
        snprintf(name, sizeof(name), "%s (%u)", change->name, (unsigned)k);
        test_check_change(base, map, name, &allowed);
        change->times++;
    }
    return done;
}

void test_change_each(const struct test_base *base, struct test_change *changes, size_t num, uint32_t most)
{
    for (size_t i = 0; i < num; i++)
        for (uint32_t k = 0; k < most && change_once(base, &changes[i], k); k++)
            continue;
}

bool test_may_change_one(struct test_allowed *allowed, int kind)
{
    test_may_change(allowed, kind, 1);
    allowed->blocks = 1;
    return true;
}
