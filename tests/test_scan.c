/* SPDX-License-Identifier: Zlib */
/* The words of the command line, each on both sides of its limits. */
#include "support/test.h"
#include "text/text.h"

#define RATHER_LONG "01234567890123456789"

/* What a call leaves of the text. */
#define assert_rest(text, rest) assert_string_equal(text, rest)

TEST(indices_end_where_digits_do)
{
    static const struct {
        const char *text;
        bool found;
        uint32_t number;
        const char *rest;
    } rows[] = {{"0", true, 0, ""},
                {"9:", true, 9, ":"},
                {"10/3", true, 10, "/3"},
                {"007", true, 7, ""},
                {"4294967294", true, UINT32_MAX - 1, ""},
                {"4294967295", true, UINT32_MAX, ""},
                {"4294967296", true, UINT32_MAX, ""},
                {"99999999999999999999999999x", true, UINT32_MAX, "x"},
                {"", false, 0, ""},
                {"-1", false, 0, "-1"},
                {"/", false, 0, "/"}, /* the characters beside the digits */
                {":", false, 0, ":"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *text = rows[i].text;
        uint32_t number = 1234;
        assert_int_equal(tmi_take_index(&number, &text, text + strlen(text)), rows[i].found);
        assert_int_equal(number, rows[i].number);
        assert_rest(text, rows[i].rest);
    }
    const char *text = "12345"; /* no further than the end */
    uint32_t number;
    assert_true(tmi_take_index(&number, &text, text + 2));
    assert_int_equal(number, 12);
    assert_rest(text, "345");
}

TEST(numbers_have_a_sign_and_fit_an_int)
{
    static const struct {
        const char *text;
        bool found;
        int32_t number;
        const char *rest;
    } rows[] = {{"5,7", true, 5, ",7"},
                {"-5,7", true, -5, ",7"},
                {"+5", true, 5, ""},
                {"2147483647", true, INT32_MAX, ""},
                {"-2147483647", true, -INT32_MAX, ""},
                {"2147483648", false, 0, NULL},
                {"-2147483648", false, 0, NULL},
                {"--5", false, 0, NULL},
                {"+-5", false, 0, NULL},
                {"-", false, 0, NULL},
                {"x", false, 0, NULL}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *text = rows[i].text;
        int32_t number = 0;
        if (tmi_take_number(&number, &text) != rows[i].found)
            fail_msg("%s", rows[i].text);
        if (!rows[i].found)
            continue;
        assert_int_equal(number, rows[i].number);
        assert_rest(text, rows[i].rest);
    }
}

TEST(decimals_are_rounded)
{
    static const struct {
        const char *text;
        bool found;
        int64_t scale, number;
    } rows[] = {{"3", true, 10, 30},
                {"-3", true, 10, -30},
                {"1.25", true, 100, 125},
                {"-1.25", true, 100, -125},
                {"1.25", true, 10, 13}, /* half up */
                {"1.249", true, 10, 12},
                {"-1.25", true, 10, -13}, /* away from zero */
                {"0.05", true, 10, 1},
                {"0.049999999", true, 10, 0},
                {"7.0000001", true, 10000000, 70000001},
                {"0.123456789", true, 1000000000, 123456789},  /* the ninth digit counts */
                {"0.1234567899", true, 1000000000, 123456789}, /* the tenth does not */
                {"2147483647.5", true, 2, INT64_C(4294967295)},
                {"2147483648", false, 1, 0},
                {"1.", false, 1, 0},
                {".5", false, 1, 0},
                {"-", false, 1, 0},
                {"", false, 1, 0},
                {"1.5x", false, 1, 0},
                {"1,5", false, 1, 0},
                {"1.5.5", false, 1, 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        int64_t number = 0;
        if (tmi_read_decimal(&number, rows[i].text, strlen(rows[i].text), rows[i].scale) != rows[i].found)
            fail_msg("%s", rows[i].text);
        if (rows[i].found && number != rows[i].number)
            fail_msg("%s: %lld, not %lld", rows[i].text, (long long)number, (long long)rows[i].number);
    }
}

TEST(ranges_leave_an_open_side_alone)
{
    enum { LOW = -77, HIGH = 88 };
    static const struct {
        const char *text;
        bool found;
        int32_t first, last;
        const char *rest;
    } rows[] = {{"5", true, 5, 5, ""},        {"-5 ", true, -5, -5, " "},
                {"5..9", true, 5, 9, ""},     {"-9..-5;", true, -9, -5, ";"},
                {"5..", true, 5, HIGH, ""},   {"5..x", true, 5, HIGH, "x"},
                {"5../", true, 5, HIGH, "/"}, {"5..:", true, 5, HIGH, ":"},
                {"..9", true, LOW, 9, ""},    {"..0", true, LOW, 0, ""},
                {"..-3", true, LOW, -3, ""},  {"..", true, LOW, HIGH, ""},
                {"9..5", true, 9, 5, ""}, /* the caller says what that is */
                {"5..-x", false, 0, 0, NULL}, {"5..99999999999", false, 0, 0, NULL},
                {"x..5", false, 0, 0, NULL},  {"", false, 0, 0, NULL}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *text = rows[i].text;
        int32_t first = LOW, last = HIGH;
        if (tmi_take_range(&first, &last, &text) != rows[i].found)
            fail_msg("%s", rows[i].text);
        if (!rows[i].found)
            continue;
        assert_int_equal(first, rows[i].first);
        assert_int_equal(last, rows[i].last);
        assert_rest(text, rows[i].rest);
    }
    assert_true(tmi_begins_range("0") && tmi_begins_range("9") && tmi_begins_range("..3"));
    assert_false(tmi_begins_range("-3") || tmi_begins_range(".3") || tmi_begins_range("/") ||
                 tmi_begins_range(":") || tmi_begins_range(""));
}

TEST(regions_are_a_place_and_a_size)
{
    static const struct {
        const char *text;
        bool found;
        tm_rect region;
        const char *rest;
    } rows[] = {{"3,5+7x11", true, {3, 5, 7, 11}, ""},    {"-3,-5+1x1/", true, {-3, -5, 1, 1}, "/"},
                {"3,5+0x11", false, {0, 0, 0, 0}, NULL},  {"3,5+7x0", false, {0, 0, 0, 0}, NULL},
                {"3,5+-7x11", false, {0, 0, 0, 0}, NULL}, {"3,5+7", false, {0, 0, 0, 0}, NULL},
                {"3,5", false, {0, 0, 0, 0}, NULL},       {"3+7x11", false, {0, 0, 0, 0}, NULL},
                {"3,5+7,11", false, {0, 0, 0, 0}, NULL},  {"3,5,7,11", false, {0, 0, 0, 0}, NULL}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *text = rows[i].text;
        tm_rect region;
        if (tmi_take_region(&region, &text) != rows[i].found)
            fail_msg("%s", rows[i].text);
        if (!rows[i].found)
            continue;
        assert_memory_equal(&region, &rows[i].region, sizeof(region));
        assert_rest(text, rows[i].rest);
    }
    assert_true(tmi_is_like_region("3,5+7x11") && tmi_is_like_region("3+") && tmi_is_like_region("1.5+2X3"));
    assert_false(tmi_is_like_region("3,5") || tmi_is_like_region("a+b") || tmi_is_like_region(""));
}

TEST(parts_fit_or_are_refused)
{
    char part[4];
    const char *text = "abc/de//f";
    assert_true(tmi_take_part(part, sizeof(part), &text, '/'));
    assert_string_equal(part, "abc"); /* with its end just as long as the room */
    assert_true(tmi_take_part(part, sizeof(part), &text, '/'));
    assert_string_equal(part, "de");
    assert_true(tmi_take_part(part, sizeof(part), &text, '/'));
    assert_string_equal(part, "");
    assert_true(tmi_take_part(part, sizeof(part), &text, '/'));
    assert_string_equal(part, "f");
    assert_null(text);
    text = "abcd/e";
    assert_false(tmi_take_part(part, sizeof(part), &text, '/'));
}

TEST(stars_stand_for_any_run)
{
    static const struct {
        const char *pattern, *text;
        bool fits;
    } rows[] = {
        {"", "", true},        {"", "a", false},           {"*", "", true},         {"*", "abc", true},
        {"abc", "abc", true},  {"abc", "ab", false},       {"ab", "abc", false},    {"a*", "abc", true},
        {"*c", "abc", true},   {"*b", "abc", false},       {"a*c", "abc", true},    {"a*c", "ac", true},
        {"a*c", "acb", false}, {"a*b*d", "axbxbxd", true}, {"a*b*d", "axd", false}, {"**", "", true},
        {"*a*", "bab", true},  {"*ab", "aab", true},       {"*aab", "aaab", true},  {"a*", "ba", false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (tmi_text_fits(rows[i].pattern, rows[i].text) != rows[i].fits)
            fail_msg("'%s' and '%s'", rows[i].pattern, rows[i].text);
    assert_true(tmi_text_fits("*", NULL));
    assert_false(tmi_text_fits("a", NULL) || tmi_text_fits(NULL, "a"));
    assert_true(tmi_glob_match("ab*" RATHER_LONG, 3, "abc")); /* only so much of the pattern counts */
    assert_false(tmi_glob_match("abc", 2, "abc"));
}

TEST(elements_are_indices_ranges_or_names)
{
    static const struct {
        const char *element;
        uint32_t index;
        const char *name;
        bool fits, wide;
    } rows[] = {{"3", 3, "x", true, false},
                {"3", 4, "3", false, false},
                {"3-5", 2, "x", false, true},
                {"3-5", 3, "x", true, true},
                {"3-5", 5, "x", true, true},
                {"3-5", 6, "x", false, true},
                {"3-", 2, "x", false, true},
                {"3-", 3, "x", true, true},
                {"3-", 4294967290u, "x", true, true},
                {"Deco", 9, "Deco", true, false},
                {"Deco", 9, "deco", false, false},
                {"De*", 9, "Deco", true, true},
                {"*", 0, "", true, true}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *element = rows[i].element;
        if (tmi_element_fits(element, strlen(element), rows[i].index, rows[i].name) != rows[i].fits)
            fail_msg("'%s' and %u, '%s'", element, (unsigned)rows[i].index, rows[i].name);
        if (tmi_element_is_wide(element, strlen(element)) != rows[i].wide)
            fail_msg("'%s': wide", element);
    }
    uint32_t index;
    assert_true(tmi_element_is_index("12", 2, &index) && index == 12);
    assert_false(tmi_element_is_index("12-", 3, &index) || tmi_element_is_index("", 0, &index) ||
                 tmi_element_is_index("a", 1, &index));
}
