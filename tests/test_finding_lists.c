/* SPDX-License-Identifier: Zlib */
/*
 * Lists of findings: what one says, which count as one, how many are listed, and what remains when memory runs out.
 */
#include "base/base.h"
#include "support/test.h"

static void add(tm_findings *findings, tm_finding_id id, const char *address)
{
    tm_findings_add(findings, TM_MODE_STRICT, id, 7, address, "somewhere", "something");
}

TEST(a_finding_says_what_it_was_told)
{
    tm_findings findings = test_findings();
    tm_findings_add(&findings, TM_MODE_STRICT, TM_FINDING_BAD_GROUP_RANGE, 1234, "g1", "group 1 'Back'",
                    "9 layers of 3");
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
    tm_findings_add(&findings, TM_MODE_GAME, TM_FINDING_BAD_TEXT, -1, NULL, NULL,
                    "author '"
                    "a\xFF"
                    "b\n"
                    "'");
    assert_string_equal(findings.list[1].address, "");
    assert_string_equal(findings.list[1].place, "");
    assert_string_equal(findings.list[1].text, "author 'a?b?'");
    assert_false(findings.list[1].refuses);
    assert_true(findings.errors == 1);
    tm_findings_release(&findings);
    assert_int_equal(findings.num, 0);
}

TEST(nobody_needs_to_listen)
{
    tm_findings_add(NULL, TM_MODE_GAME, TM_FINDING_BAD_TEXT, -1, NULL, NULL, "unheard");
    OWN(tm_findings) findings = test_findings();
    tm_findings_add(&findings, TM_MODE_GAME, TM_FINDING_NONE, -1, NULL, NULL, "no such id");
    tm_findings_add(&findings, TM_MODE_GAME, (tm_finding_id)99, -1, NULL, NULL, "no such id");
    assert_int_equal(findings.num, 0);
    assert_null(tm_finding_name(TM_FINDING_NONE));
    assert_null(tm_finding_name((tm_finding_id)99));
}

TEST(equal_findings_are_counted)
{
    OWN(tm_findings) findings = test_findings();
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
}

/* Addresses longer than their field must still be found equal, else each would take a line. */
TEST(long_addresses_are_equal_when_they_are_cut_equally)
{
    char address[200];
    memset(address, 'a', sizeof(address));
    address[199] = '\0';
    OWN(tm_findings) findings = test_findings();
    add(&findings, TM_FINDING_BAD_NAME, address);
    address[198] = 'b';
    add(&findings, TM_FINDING_BAD_NAME, address);
    assert_int_equal(findings.num, 1);
    assert_int_equal(strlen(findings.list[0].address), sizeof(findings.list[0].address) - 1);
}

static void add_items(tm_findings *findings, tm_finding_id id, int num)
{
    char address[32];
    for (int i = 0; i < num; i++) {
        tmi_format(address, sizeof(address), "item%d", i);
        add(findings, id, address);
    }
}

TEST(only_fifty_of_an_id_are_listed)
{
    OWN(tm_findings) findings = test_findings();
    add_items(&findings, TM_FINDING_DATA_GAP, 70);
    add(&findings, TM_FINDING_TYPE_ORDER, "");
    assert_int_equal(findings.num, 51);
    assert_true(findings.unlisted == 20);
    assert_true(findings.errors == 70);
    assert_true(findings.list[0].count == 1);
    assert_true(findings.list[49].count == 21); /* itself and the unlisted ones */
    add(&findings, TM_FINDING_DATA_GAP, "item3");
    assert_true(findings.list[3].count == 2);
}

/* Fifty of an id were all that anybody could see. */
TEST(a_long_list_has_more_of_each_id)
{
    OWN(tm_findings) findings;
    char address[32];
    tm_findings_init(&findings, 20000, NULL);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1500; i++) {
            tmi_format(address, sizeof(address), "item%d", i);
            add(&findings, TM_FINDING_DATA_GAP, address);
            add(&findings, TM_FINDING_ITEM_GAP, i % 2 ? address : "");
        }
    }
    assert_int_equal(findings.num, 1000 + 751);
    assert_int_equal(findings.unlisted, 2 * 500);
    uint64_t all = 0, gaps = 0;
    for (size_t i = 0; i < findings.num; i++) {
        all += findings.list[i].count;
        gaps += findings.list[i].id == TM_FINDING_DATA_GAP;
    }
    assert_int_equal(all, 2 * 2 * 1500);
    assert_int_equal(gaps, 1000);
}

TEST(the_limit_holds)
{
    OWN(tm_findings) findings;
    tm_findings_init(&findings, 3, NULL);
    add_items(&findings, TM_FINDING_ITEM_GAP, 5);
    add(&findings, TM_FINDING_DATA_GAP, "");
    assert_int_equal(findings.num, 3);
    assert_true(findings.unlisted == 3);
    assert_true(findings.errors == 6);
    assert_true(findings.list[2].count == 3);
    tm_findings_release(&findings);
    tm_findings_init(&findings, 0, NULL);
    tm_finding_id id;
    for (size_t n = 0; tm_finding_at(&id, n); n++)
        add_items(&findings, id, 30);
    assert_int_equal(findings.num, 1000);
}

TEST(without_memory_findings_are_still_counted)
{
    EACH_FAILURE(memory) {
        memory.fail_after = true;
        OWN(tm_findings) findings;
        tm_findings_init(&findings, 0, &memory.allocator);
        add_items(&findings, TM_FINDING_ITEM_GAP, 40);
        assert_true(findings.num + findings.unlisted == 40);
        assert_true(findings.errors == 40);
    }
}
