/* SPDX-License-Identifier: Zlib */
/*
 * The table of findings, and docs/findings.md, which must have exactly one row for each id, with its number and the same
 * meaning in each mode. test_finding_lists.c has the lists; tools/abi.sh sees that no number changes from release to release.
 */
#include "base/base.h"
#include "lint/lint.h"
#include "support/test.h"

TEST(severities_follow_the_table)
{
    bool refuses;
    assert_int_equal(tmi_finding_severity(TM_FINDING_SHARED_TILES, TM_MODE_STRICT, &refuses),
                     TM_SEVERITY_ERROR);
    assert_true(refuses);
    assert_int_equal(tmi_finding_severity(TM_FINDING_SHARED_TILES, TM_MODE_GAME, &refuses),
                     TM_SEVERITY_WARNING);
    assert_false(refuses);
    assert_int_equal(tmi_finding_severity(TM_FINDING_EMPTY_DATA, TM_MODE_STRICT, &refuses),
                     TM_SEVERITY_ERROR);
    assert_false(refuses);
    assert_int_equal(tmi_finding_severity(TM_FINDING_CRUDE_SIZES, TM_MODE_SALVAGE, NULL), TM_SEVERITY_NOTE);
    assert_string_equal(tm_severity_name(TM_SEVERITY_NOTE), "note");
    assert_string_equal(tm_severity_name(TM_SEVERITY_WARNING), "warning");
    assert_string_equal(tm_severity_name(TM_SEVERITY_ERROR), "error");
}

TEST(ids_are_different_and_well_spelt)
{
    tm_finding_id id, other;
    for (size_t i = 0; tm_finding_at(&id, i); i++) {
        const char *name = tm_finding_name(id);
        assert_non_null(name);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name));
        for (size_t k = 0; k < i && tm_finding_at(&other, k); k++) {
            assert_string_not_equal(name, tm_finding_name(other));
            assert_true(other < id);
        }
    }
}

/* The rules of lint stand in docs/lint.md, which is made of their table. */
static bool is_of_lint(tm_finding_id id)
{
    return tmi_lint_rule_of(id);
}

/* A finding from 1000 on is one of a rule, and the other way round. */
TEST(every_rule_has_a_finding)
{
    tm_finding_id id;
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        if (is_of_lint(id) != ((int)id >= 1000))
            fail_msg("'%s' has a number from 1000 on, or is a rule, but not both", tm_finding_name(id));
}

static const char *mode_word(tm_finding_id id, tm_mode mode)
{
    bool refuses;
    switch (tmi_finding_severity(id, mode, &refuses)) {
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

/* Each row begins "| `id` | number | strict | game | salvage | ", followed by two cells that are not empty. */
TEST(the_page_explains_every_finding)
{
    const char *page = read_page();
    if (!page) {
        skip(); /* TEEMAP_SOURCE says where the sources are; it is not set */
        return;
    }
    int num_wrong = 0;
    tm_finding_id id;
    for (size_t i = 0; tm_finding_at(&id, i); i++) {
        char row[256];
        if (is_of_lint(id))
            continue;
        snprintf(row, sizeof(row), "\n| `%s` | %d | %s | %s | %s | ", tm_finding_name(id), (int)id,
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

TEST(the_page_explains_nothing_else)
{
    const char *page = read_page();
    if (!page) {
        skip();
        return;
    }
    int num_rows = 0;
    for (const char *cursor = page; (cursor = strstr(cursor, "\n| `")); cursor++)
        num_rows++;
    tm_finding_id id;
    int num_findings = 0;
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        num_findings += !is_of_lint(id);
    assert_int_equal(num_rows, num_findings);
}
