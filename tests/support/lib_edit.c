/* SPDX-License-Identifier: Zlib */
#include "lib_edit.h"

#include "lib_maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

tm_report test_report;
tm_edit_options test_edit_options = TM_EDIT_OPTIONS_INIT;

tm_status test_edit_run(tm_map *map, const char *line, tm_error *error)
{
    tm_edit_script *script;
    tm_report_release(&test_report);
    tm_report_init(&test_report, NULL);
    tm_status status = tm_edit_script_from_text(&script, line, strlen(line), NULL, error);
    if (!status)
        status = tm_edit_script_run(map, script, &test_edit_options, &test_report, error);
    tm_edit_script_free(script);
    assert_int_equal(tm_map_verify(map, NULL), TM_OK);
    return status;
}

void test_edit_does(tm_map *map, const char *line)
{
    tm_error error;
    const tm_status status = test_edit_run(map, line, &error);
    if (status)
        print_error("%s: %s: %s\n", line, error.place, error.text);
    assert_int_equal(status, TM_OK);
}

tm_status test_edit_fails(tm_map *map, const char *line, const char *text)
{
    tm_error error;
    tm_map *before;
    assert_int_equal(tm_map_clone(&before, map, NULL), TM_OK);
    const tm_status status = test_edit_run(map, line, &error);
    assert_int_not_equal(status, TM_OK);
    if (!strstr(error.text, text))
        print_error("%s: '%s' does not say '%s'\n", line, error.text, text);
    assert_non_null(strstr(error.text, text));
    assert_true(test_map_same(map, before));
    assert_int_equal(test_report.num, 0);
    tm_map_free(before);
    return status;
}

void test_edit_refuses(tm_map *map, const char *line, tm_status expected, const char *text)
{
    assert_int_equal(test_edit_fails(map, line, text), expected);
}
