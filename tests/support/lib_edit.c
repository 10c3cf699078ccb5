/* SPDX-License-Identifier: Zlib */
#include "lib_edit.h"

tm_report test_report;
struct test_edit_file test_edit_files[4];

tm_status test_give_bytes(const void *ctx, size_t size, const tm_allocator *allocator, uint8_t **bytes,
                          size_t *num)
{
    *num = size;
    *bytes = tm_alloc(allocator, size);
    if (!*bytes)
        return TM_ERROR_MEMORY;
    memcpy(*bytes, ctx, size);
    return TM_OK;
}

static tm_status read_file(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                           size_t *num_bytes, tm_error *error)
{
    (void)ctx, (void)error;
    for (struct test_edit_file *file = test_edit_files; file < test_edit_files + 4 && file->name; file++)
        if (strcmp(file->name, "*") == 0 || strcmp(file->name, name) == 0)
            return test_give_bytes(file->bytes.bytes, file->bytes.size, allocator, bytes, num_bytes);
    return TM_ERROR_NOT_FOUND;
}

tm_edit_options test_edit_options = {.size = sizeof(tm_edit_options), .read = read_file};

tm_status test_edit_run(tm_map *map, const char *line, tm_error *error)
{
    OWN(tm_edit_script) *script;
    tm_report_release(&test_report);
    tm_report_init(&test_report, NULL);
    tm_status status = tm_edit_script_from_text(&script, line, strlen(line), NULL, error);
    if (!status)
        status = tm_edit_script_run(map, script, &test_edit_options, &test_report, error);
    must(tm_map_verify(map, NULL));
    return status;
}

void test_edit_does(tm_map *map, const char *line)
{
    tm_error error;
    const tm_status status = test_edit_run(map, line, &error);
    if (status)
        print_error("%s: %s: %s\n", line, error.place, error.text);
    must(status);
}

tm_map *test_map_of(const char *lines)
{
    tm_map *map = test_map_new();
    test_edit_does(map, lines);
    return map;
}

tm_map *test_edited(const tm_map *map, const char *lines)
{
    tm_map *edited = test_map_clone(map);
    test_edit_does(edited, lines);
    return edited;
}

void test_edit_reports(tm_map *map, const char *line, size_t num)
{
    test_edit_does(map, line);
    if (test_report.num != num)
        print_error("%s: %zu changes, not %zu\n", line, test_report.num, num);
    assert_int_equal(test_report.num, num);
}

tm_status test_edit_fails(tm_map *map, const char *line, const char *text)
{
    tm_error error;
    OWN(tm_map) *before = test_map_clone(map);
    const tm_status status = test_edit_run(map, line, &error);
    assert_int_not_equal(status, TM_OK);
    if (!strstr(error.text, text))
        print_error("%s: '%s' does not say '%s'\n", line, error.text, text);
    assert_non_null(strstr(error.text, text));
    assert_true(test_map_same(map, before));
    assert_int_equal(test_report.num, 0);
    return status;
}

void test_edit_refuses(tm_map *map, const char *line, tm_status expected, const char *text)
{
    assert_int_equal(test_edit_fails(map, line, text), expected);
}

void test_edit_without_memory(const char *line, tm_map *(*make)(const tm_allocator *allocator),
                              void (*check)(const tm_map *map))
{
    OWN(tm_map) *before = make(NULL);
    EACH_FAILURE_LATER(memory) {
        OWN(tm_map) *map = make(&memory.allocator);
        memory.fail_at = memory.num_requests + memory.n;
        const tm_status status = test_edit_run(map, line, NULL);
        memory.fail_at = 0;
        if (status) { /* a report may go without */
            assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
            assert_true(test_map_same(map, before));
        }
        if (!memory.failed)
            check(map);
    }
    tm_report_release(&test_report);
}
