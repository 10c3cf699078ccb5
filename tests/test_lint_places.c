/* SPDX-License-Identifier: Zlib */
/*
 * Places of findings: what stands together is one place, and many are counted. Memory that runs out.
 */
#include "support/lib_lint.h"

/* Asks a map; what the rule found, and where. Release the result. */
static const tm_finding *find_places(tm_lint_result *result, const tm_region **places, uint32_t *num,
                                     const tm_map *map, tm_finding_id id)
{
    size_t at = 0;
    test_lint_ask(result, map);
    const tm_finding *finding = test_lint_find(result, id, &at);
    assert_non_null(finding);
    *places = tm_lint_places(num, result, at);
    return finding;
}

TEST(places_are_what_stands_together)
{
    OWN(tm_map) *map = test_lint_new_race();
    OWN(tm_lint_result) result;
    const tm_region *places;
    uint32_t num;
    test_edit_does(
        map,
        "fill front@0,4+1x3 freeze\nfill front@0,14+4x1 freeze\nfill front@19,5+1x1 freeze\nfill front@0,7+1x1 unfreeze");
    const tm_finding *finding = find_places(&result, &places, &num, map, TM_FINDING_TILE_IN_WALL);
    assert_true(finding->count == 9);
    assert_string_equal(finding->address, "0/1");
    assert_string_equal(
        finding->text,
        "freeze, unfreeze: 9 tiles in walls, out of everybody's reach (at 0,4+1x4 and 2 more places)");
    static const tm_region expected[] = {{{0, 4, 1, 4}, 4}, {{19, 5, 1, 1}, 1}, {{0, 14, 4, 1}, 4}};
    assert_int_equal(num, 3);
    assert_memory_equal(places, expected, sizeof(expected));
    /* A fork whose tines meet below is one place. */
    OWN(tm_map) *fork = test_lint_new_race();
    OWN(tm_lint_result) other;
    test_edit_does(
        fork,
        "extend right 20 air\nfill game@22,2+9x9 solid\nfill front@23,3+1x4 freeze\nfill front@26,3+1x4 freeze\nfill front@29,3+1x4 freeze\nfill front@23,7+7x1 freeze");
    find_places(&other, &places, &num, fork, TM_FINDING_TILE_IN_WALL);
    assert_int_equal(num, 1);
    assert_int_equal(places[0].rect.width, 7);
    assert_int_equal(places[0].rect.height, 5);
    assert_true(places[0].num == 19);
}

TEST(many_places_and_findings_are_counted)
{
    OWN(tm_map) *map = test_lint_new_race();
    OWN(tm_lint_result) result;
    size_t at = 0;
    uint32_t num;
    test_edit_does(map, "extend right 380 air");
    for (uint32_t n = 2; n < 120; n++) {
        char line[128];
        snprintf(line, sizeof(line),
                 "fill tele@%u,1+1x1 tele-in-evil:%u\nfill front@%u,0+1x1 1\nfill front@%u,4+1x1 1", n * 3, n,
                 n * 3, n * 3);
        test_edit_does(map, line);
    }
    test_lint_ask(&result, map);
    const tm_finding *finding = test_lint_find(&result, TM_FINDING_FOREIGN_TILE, &at);
    assert_true(finding->count == 236);
    tm_lint_places(&num, &result, at);
    assert_int_equal(num, 200);
    uint64_t teles = 0, last = 0;
    for (size_t i = 0; i < result.findings.num; i++) {
        if (result.findings.list[i].id != TM_FINDING_TELE_WITHOUT_OUT)
            continue;
        teles++;
        last = result.findings.list[i].count;
    }
    assert_true(teles == 50);
    assert_true(last == 1 + 68);
    assert_true(result.findings.unlisted == 68);
}

/* --------------------------------------------------------------------------------------------------------- failures */

TEST(memory_may_run_out_anywhere)
{
    EACH_FAILURE_LATER(memory) {
        tm_map_options options = {.size = sizeof(options), .allocator = &memory.allocator};
        OWN(tm_map) *map;
        OWN(tm_lint_result) result;
        must(tm_map_new(&map, &options, NULL));
        test_edit_does(map, test_lint_race);
        test_edit_does(
            map, "fill front@0,3+1x3 freeze\nfill tele@3,3+1x2 tele-in-evil:2\nadd image x\nadd group a");
        memory.fail_at = memory.num_requests + memory.n;
        memory.fail_after = true;
        tm_error error;
        const tm_status status = tm_lint_run(&result, map, NULL, &error);
        memory.fail_at = 0;
        if (status) {
            assert_int_equal(status, TM_ERROR_MEMORY);
            assert_int_equal(result.findings.num, 0);
        }
    }
}

/* Several objects are one finding, unless they are asked for apart. */
TEST(objects_are_told_together)
{
    OWN(tm_lint_result) result;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_map) *map = test_lint_new_race();
    size_t at = 0;
    uint32_t num;
    for (int i = 0; i < 14; i++) {
        char line[100];
        snprintf(line, sizeof(line), "add envelope color e%d\nset envelope/%d.synchronized=true", i, i);
        test_edit_does(map, line);
    }
    must(tm_lint_run(&result, map, NULL, NULL));
    const tm_finding *finding = test_lint_find(&result, TM_FINDING_UNUSED_ENVELOPE, &at);
    assert_non_null(finding);
    assert_int_equal(finding->count, 14);
    assert_string_equal(finding->place, "14 envelopes");
    assert_string_equal(finding->address, "envelope/0");
    assert_string_equal(finding->text,
                        "nothing uses them: envelope/0, envelope/1, envelope/2, envelope/3 and 10 more");
    assert_string_equal(tm_lint_fix_line(&result, at), "clean envelopes");
    const tm_address *objects = tm_lint_objects(&num, &result, at);
    assert_int_equal(num, 14);
    assert_int_equal(objects[13].kind, TM_KIND_ENVELOPE);
    assert_int_equal(objects[13].index, 13);
    assert_null(tm_lint_objects(&num, &result, result.findings.num));
    assert_int_equal(num, 0);
    tm_lint_result_release(&result);
    options.apart = true;
    must(tm_lint_run(&result, map, &options, NULL));
    assert_non_null(test_lint_find(&result, TM_FINDING_UNUSED_ENVELOPE, &at));
    assert_string_equal(tm_lint_fix_line(&result, at), "remove envelope/0");
    assert_null(tm_lint_objects(&num, &result, at));
    assert_string_equal(tm_lint_fix_line(&result, at + 13), "remove envelope/13");
    tm_lint_result_release(&result);
    test_edit_does(map, "clean envelopes");
    must(tm_lint_run(&result, map, NULL, NULL));
    assert_null(test_lint_find(&result, TM_FINDING_UNUSED_ENVELOPE, &at));
}
