/* SPDX-License-Identifier: Zlib */
/* JSON as a tree: what is read stands where it stood, and is written by the one rule of escaping. */
#include "support/test.h"

static tm_status read_text(tm_json **out, const char *text, tm_error *error)
{
    return tm_json_read(out, text, strlen(text), 1 << 20, NULL, error);
}

/* What a text becomes when it is read and written again. */
static void assert_written(const char *text, const char *expected)
{
    OWN(tm_json) *json;
    OWN(tm_buffer) buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    if (read_text(&json, text, &error))
        fail_msg("%s: %s", text, error.text);
    must(tm_json_write(json, &output, &error));
    assert_int_equal(buffer.size, strlen(expected));
    assert_memory_equal(buffer.bytes, expected, buffer.size);
}

TEST(values_come_back)
{
    assert_written("null", "null");
    assert_written(" [ true , false, -7, 9007199254740992, 1.5e3, [], {} ] ",
                   "[true,false,-7,9007199254740992,1.5e3,[],{}]");
    assert_written("{\"b\": 1, \"a\": {\"c\": \"d\"}}", "{\"b\":1,\"a\":{\"c\":\"d\"}}");
}

TEST(texts_are_escaped_by_one_rule)
{
    assert_written("\"\\u00e4 \\\" \\\\ \\/ \\n \\u001b \\u007f \\u0085 \\u202e \\ud83d\\ude00\"",
                   "\"\xc3\xa4 \\\" \\\\ / \\n \\u001b \\u007f \\u0085 \\u202e \xf0\x9f\x98\x80\"");
    /* one to four bytes of UTF-8, on both sides of each limit */
    assert_written(
        "\"\\u007e \\u00a0 \\u07ff \\u0800 \\ud7ff \\ue000 \\uffff \\ud800\\udc00 \\udbff\\udfff\"",
        "\"~ \xc2\xa0 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xef\xbf\xbf \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf\"");
    assert_written("{\"\\n\": 1}", "{\"\\n\":1}");
    const tm_json broken = {.kind = TM_JSON_TEXT, .text = "a\xff\xc3"};
    OWN(tm_buffer) buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    must(tm_json_write(&broken, &output, NULL));
    assert_int_equal(buffer.size, 5);
    assert_memory_equal(buffer.bytes, "\"a\?\?\"", 5);
}

TEST(members_are_found_where_they_stand)
{
    OWN(tm_json) *json;
    must(read_text(&json, "{\"a\": 1,\n \"b\": [2.5, 3]}", NULL));
    const tm_json *b = tm_json_get(json, "b");
    assert_int_equal(b->kind, TM_JSON_ARRAY);
    assert_int_equal(b->num, 2);
    assert_int_equal(b->line, 2);
    assert_int_equal(b->column, 7);
    assert_false(b->first->whole);
    assert_string_equal(b->first->text, "2.5");
    assert_true(b->last->whole);
    assert_int_equal(b->last->number, 3);
    assert_null(tm_json_get(json, "c"));
    assert_null(tm_json_get(b, "a"));
}

TEST(faults_say_where)
{
    static const char *const broken[] = {"",    "{",       "[1,]", "{\"a\":1,\"a\":2}", "[1] 2", "\"\xff\"",
                                         "nil", "\"\\q\"", "\"\\"};
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        tm_json *json = (tm_json *)(uintptr_t)1;
        tm_error error = {.code = TM_OK};
        assert_int_equal(read_text(&json, broken[i], &error), TM_ERROR_DAMAGED);
        assert_null(json);
        assert_non_null(strstr(error.place, "line 1, column "));
    }
}

TEST(limits_hold)
{
    char deep[80] = "";
    tm_json *json, cells[80];
    OWN(tm_buffer) buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    memset(deep, '[', sizeof(deep) - 1);
    assert_int_equal(read_text(&json, deep, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(tm_json_read(&json, "[1,2,3]", 7, 200, NULL, NULL), TM_ERROR_LIMIT);
    for (size_t i = 0; i < 80; i++)
        cells[i] = (tm_json){.kind = TM_JSON_ARRAY, .num = i < 79, .first = i < 79 ? &cells[i + 1] : NULL};
    assert_int_equal(tm_json_write(cells, &output, NULL), TM_ERROR_LIMIT);
}
