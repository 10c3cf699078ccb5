/* SPDX-License-Identifier: Zlib */
/*
 * Findings: the list with its caps and counts, and docs/findings.md, which must have exactly one row for each id, with
 * the same meaning in each mode.
 */
#include "base/base.h"
#include "support/memory.h"

#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

static void add(tm_findings *findings, tm_finding_id id, const char *address)
{
    tm_findings_add(findings, TM_MODE_STRICT, id, 7, address, "somewhere", "something");
}

static void a_finding_says_what_it_was_told(void **state)
{
    (void)state;
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    tmi_find(&findings, TM_MODE_STRICT, TM_FINDING_BAD_GROUP_RANGE, 1234, "g1", "group 1 'Back'",
             "%d layers of %d", 9, 3);
    assert_int_equal(findings.num, 1);
    const tm_finding *finding = findings.list;
    assert_int_equal(finding->id, TM_FINDING_BAD_GROUP_RANGE);
    assert_int_equal(finding->severity, TM_SEVERITY_ERROR);
    assert_true(finding->refuses);
    assert_true(finding->offset == 1234);
    assert_true(finding->count == 1);
    assert_string_equal(finding->address, "g1");
    assert_string_equal(finding->place, "group 1 'Back'");
    assert_string_equal(finding->text, "9 layers of 3");
    assert_true(findings.errors == 1);
    tmi_find(&findings, TM_MODE_GAME, TM_FINDING_BAD_TEXT, -1, NULL, NULL, "author '%s'",
             "a\xFF"
             "b\n");
    assert_string_equal(findings.list[1].address, "");
    assert_string_equal(findings.list[1].place, "");
    assert_string_equal(findings.list[1].text, "author 'a?b?'");
    assert_false(findings.list[1].refuses);
    assert_true(findings.errors == 1);
    tm_findings_release(&findings);
    assert_int_equal(findings.num, 0);
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    tmi_find(NULL, TM_MODE_GAME, TM_FINDING_BAD_TEXT, -1, NULL, NULL, "unheard");
    tm_findings_add(NULL, TM_MODE_GAME, TM_FINDING_BAD_TEXT, -1, NULL, NULL, "unheard");
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    tm_findings_add(&findings, TM_MODE_GAME, TM_FINDING_COUNT, -1, NULL, NULL, "no such id");
    assert_int_equal(findings.num, 0);
    assert_null(tm_finding_name(TM_FINDING_COUNT));
    tm_findings_release(&findings);
}

static void equal_findings_are_counted(void **state)
{
    (void)state;
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    for (int i = 0; i < 1000; i++) {
        add(&findings, TM_FINDING_TILES_SKIP, "g1/l2");
        add(&findings, TM_FINDING_TILES_SKIP, "g1/l3");
        add(&findings, TM_FINDING_TILES_RESERVED, "g1/l2");
    }
    assert_int_equal(findings.num, 3);
    for (int i = 0; i < 3; i++)
        assert_true(findings.list[i].count == 1000);
    assert_true(findings.errors == 3000);
    assert_true(findings.unlisted == 0);
    tm_findings_release(&findings);
}

/* Addresses longer than their field must still be found equal, else each would take a line. */
static void long_addresses_are_equal_when_they_are_cut_equally(void **state)
{
    (void)state;
    char address[200];
    memset(address, 'a', sizeof(address));
    address[199] = '\0';
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    add(&findings, TM_FINDING_BAD_NAME, address);
    address[198] = 'b';
    add(&findings, TM_FINDING_BAD_NAME, address);
    assert_int_equal(findings.num, 1);
    assert_int_equal(strlen(findings.list[0].address), sizeof(findings.list[0].address) - 1);
    tm_findings_release(&findings);
}

static void only_fifty_of_an_id_are_listed(void **state)
{
    (void)state;
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    char address[32];
    for (int i = 0; i < 70; i++) {
        tmi_format(address, sizeof(address), "item%d", i);
        add(&findings, TM_FINDING_DATA_GAP, address);
    }
    add(&findings, TM_FINDING_TYPE_ORDER, "");
    assert_int_equal(findings.num, 51);
    assert_true(findings.unlisted == 20);
    assert_true(findings.errors == 70);
    assert_true(findings.list[0].count == 1);
    assert_true(findings.list[49].count == 21); /* itself and the unlisted ones */
    add(&findings, TM_FINDING_DATA_GAP, "item3");
    assert_true(findings.list[3].count == 2);
    tm_findings_release(&findings);
}

static void the_limit_holds(void **state)
{
    (void)state;
    tm_findings findings;
    tm_findings_init(&findings, 3, NULL);
    char address[32];
    for (int i = 0; i < 5; i++) {
        tmi_format(address, sizeof(address), "item%d", i);
        add(&findings, TM_FINDING_ITEM_GAP, address);
    }
    add(&findings, TM_FINDING_DATA_GAP, "");
    assert_int_equal(findings.num, 3);
    assert_true(findings.unlisted == 3);
    assert_true(findings.errors == 6);
    assert_true(findings.list[2].count == 3);
    tm_findings_release(&findings);
    tm_findings_init(&findings, 0, NULL);
    for (int id = 0; id < TM_FINDING_COUNT; id++) {
        for (int i = 0; i < 30; i++) {
            tmi_format(address, sizeof(address), "item%d", i);
            add(&findings, (tm_finding_id)id, address);
        }
    }
    assert_int_equal(findings.num, 1000);
    tm_findings_release(&findings);
}

static void without_memory_findings_are_still_counted(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct test_memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        memory.fail_after = true;
        tm_findings findings;
        tm_findings_init(&findings, 0, &memory.allocator);
        char address[32];
        for (int i = 0; i < 40; i++) {
            tmi_format(address, sizeof(address), "item%d", i);
            add(&findings, TM_FINDING_ITEM_GAP, address);
        }
        assert_true(findings.num + findings.unlisted == 40);
        assert_true(findings.errors == 40);
        tm_findings_release(&findings);
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
    }
}

static void severities_follow_the_table(void **state)
{
    (void)state;
    bool refuses;
    assert_int_equal(tm_finding_severity(TM_FINDING_SHARED_TILES, TM_MODE_STRICT, &refuses),
                     TM_SEVERITY_ERROR);
    assert_true(refuses);
    assert_int_equal(tm_finding_severity(TM_FINDING_SHARED_TILES, TM_MODE_GAME, &refuses),
                     TM_SEVERITY_WARNING);
    assert_false(refuses);
    assert_int_equal(tm_finding_severity(TM_FINDING_EMPTY_DATA, TM_MODE_STRICT, &refuses), TM_SEVERITY_ERROR);
    assert_false(refuses);
    assert_int_equal(tm_finding_severity(TM_FINDING_CRUDE_SIZES, TM_MODE_SALVAGE, NULL), TM_SEVERITY_NOTE);
    assert_string_equal(tm_severity_name(TM_SEVERITY_NOTE), "note");
    assert_string_equal(tm_severity_name(TM_SEVERITY_WARNING), "warning");
    assert_string_equal(tm_severity_name(TM_SEVERITY_ERROR), "error");
}

static void ids_are_different_and_well_spelt(void **state)
{
    (void)state;
    for (int i = 0; i < TM_FINDING_COUNT; i++) {
        const char *name = tm_finding_name((tm_finding_id)i);
        assert_non_null(name);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name, tm_finding_name((tm_finding_id)k));
    }
}

/* ------------------------------------------------------------------------------------------------------- the page */

static const char *mode_word(tm_finding_id id, tm_mode mode)
{
    bool refuses;
    switch (tm_finding_severity(id, mode, &refuses)) {
    case TM_SEVERITY_ERROR: return refuses ? "refused" : "part missing";
    case TM_SEVERITY_WARNING: return "warning";
    case TM_SEVERITY_NOTE: break;
    }
    return "note";
}

static char *read_page(void)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char path[4096];
#ifdef TEEMAP_SOURCE_DIR
    if (!source)
        source = TEEMAP_SOURCE_DIR;
#endif
    if (!source)
        return NULL;
    snprintf(path, sizeof(path), "%s/docs/findings.md", source);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open '%s'", path);
    static char page[262144];
    size_t size = fread(page, 1, sizeof(page) - 1, file);
    fclose(file);
    assert_in_range(size, 1, sizeof(page) - 2);
    page[size] = '\0';
    return page;
}

/* Each row begins "| `id` | strict | game | salvage | ", followed by two cells that are not empty. */
static void the_page_explains_every_finding(void **state)
{
    (void)state;
    const char *page = read_page();
    if (!page) {
        skip(); /* TEEMAP_SOURCE says where the sources are; it is not set */
        return;
    }
    int num_wrong = 0;
    for (int i = 0; i < TM_FINDING_COUNT; i++) {
        tm_finding_id id = (tm_finding_id)i;
        char row[256];
        snprintf(row, sizeof(row), "\n| `%s` | %s | %s | %s | ", tm_finding_name(id),
                 mode_word(id, TM_MODE_STRICT), mode_word(id, TM_MODE_GAME), mode_word(id, TM_MODE_SALVAGE));
        const char *found = strstr(page, row);
        size_t meaning = found ? strcspn(found + strlen(row), "|\n") : 0;
        size_t advice = meaning ? strcspn(found + strlen(row) + meaning + 1, "|\n") : 0;
        if (meaning < 20 || advice < 8) {
            print_error("docs/findings.md lacks a row that begins with:%s\n", row);
            num_wrong++;
        }
    }
    assert_int_equal(num_wrong, 0);
}

static void the_page_explains_nothing_else(void **state)
{
    (void)state;
    const char *page = read_page();
    if (!page) {
        skip();
        return;
    }
    int num_rows = 0;
    for (const char *at = page; (at = strstr(at, "\n| `")); at++)
        num_rows++;
    assert_int_equal(num_rows, TM_FINDING_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_says_what_it_was_told),
        cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test(equal_findings_are_counted),
        cmocka_unit_test(long_addresses_are_equal_when_they_are_cut_equally),
        cmocka_unit_test(only_fifty_of_an_id_are_listed),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(without_memory_findings_are_still_counted),
        cmocka_unit_test(severities_follow_the_table),
        cmocka_unit_test(ids_are_different_and_well_spelt),
        cmocka_unit_test(the_page_explains_every_finding),
        cmocka_unit_test(the_page_explains_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
