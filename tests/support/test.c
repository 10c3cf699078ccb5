/* SPDX-License-Identifier: Zlib */
/* See test.h. */
#include "test.h"

#include <assert.h>

enum { MOST = 64 };

static struct CMUnitTest tests[MOST];
static size_t num_tests;
static struct fixture {
    void (*set_up)(void), (*tear_down)(void);
} fixtures, group;

void test_register(const char *name, CMUnitTestFunction run)
{
    assert(num_tests < MOST);
    tests[num_tests++] = (struct CMUnitTest){.name = name, .test_func = run};
}

void test_register_each(void (*set_up)(void), void (*tear_down)(void))
{
    fixtures = (struct fixture){set_up, tear_down};
}

void test_register_group(void (*set_up)(void), void (*tear_down)(void))
{
    group = (struct fixture){set_up, tear_down};
}

static int call(void (*function)(void))
{
    if (function)
        function();
    return 0;
}

#define FIXTURE(name, function)                           \
    static int name(__attribute__((unused)) void **state) \
    {                                                     \
        return call(function);                            \
    }
FIXTURE(set_up_each, fixtures.set_up)
FIXTURE(tear_down_each, fixtures.tear_down)
FIXTURE(set_up_group, group.set_up)
FIXTURE(tear_down_group, group.tear_down)

void test_must(const char *file, int line, const char *call, tm_status status, ...)
{
    if (status == TM_OK)
        return;
    va_list list;
    va_start(list, status);
    const tm_error *error = va_arg(list, const tm_error *);
    va_end(list);
    print_error("%s is %s%s%s\n", call, tm_status_name(status), error ? ": " : "", error ? error->text : "");
    _fail(file, line);
}

void test_fails(const char *file, int line, const char *call, tm_status status, tm_status expected,
                const tm_error *error, const char *words, bool whole)
{
    if (status == expected && (whole ? strcmp(error->text, words) == 0 : !!strstr(error->text, words)))
        return;
    print_error("%s is %s: '%s', not %s: '%s'\n", call, tm_status_name(status), error->text,
                tm_status_name(expected), words);
    _fail(file, line);
}

tm_findings test_findings(void)
{
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    return findings;
}

tm_map *test_map_new(void)
{
    tm_map *map;
    must(tm_map_new(&map, NULL, NULL));
    return map;
}

tm_map *test_map_clone(const tm_map *map)
{
    tm_map *clone;
    must(tm_map_clone(&clone, map, NULL));
    return clone;
}

void test_drop_memory(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof(memory));
    free(memory);
}

/* Constructors of Windows run from the last one to the first. */
static void put_in_order(void)
{
#if defined(__MINGW32__)
    for (size_t i = 0; i < num_tests / 2; i++) {
        const struct CMUnitTest first = tests[i];
        tests[i] = tests[num_tests - 1 - i];
        tests[num_tests - 1 - i] = first;
    }
#endif
}

enum { SKIPPED = 77 };
static unsigned num_skipped;

void test_skip(const char *file, int line)
{
    num_skipped++;
    _skip(file, line);
}

int test_run(void)
{
    put_in_order();
    for (size_t i = 0; i < num_tests; i++) {
        tests[i].setup_func = set_up_each;
        tests[i].teardown_func = tear_down_each;
    }
    const int failed = _cmocka_run_group_tests("tests", tests, num_tests, set_up_group, tear_down_group);
    return failed ? failed : num_skipped ? SKIPPED : 0;
}
