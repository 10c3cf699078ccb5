/* SPDX-License-Identifier: Zlib */
#include "null_calls.h"

#include "test.h"

#include <ctype.h>

/* By their names. */
static const char *called[512];
static size_t num_called;

void test_null_note(const char *name)
{
    assert_true(num_called < sizeof(called) / sizeof(called[0]));
    called[num_called++] = name;
}

static bool was_called(const char *name, size_t length)
{
    for (size_t i = 0; i < num_called; i++)
        if (strlen(called[i]) == length && memcmp(called[i], name, length) == 0)
            return true;
    return false;
}

/* Whether test_null_below.c has the functions of a header. */
static bool is_below(const char *path)
{
    static const char *const headers[] = {"base.h",  "codec.h",    "datafile.h", "facts.h",   "fields.h",
                                          "files.h", "findings.h", "jobs.h",     "mapfile.h", "mapres.h",
                                          "games.h", "settings.h", "store.h",    "sys.h",     "text.h"};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        if (strcmp(slash ? slash + 1 : path, headers[i]) == 0)
            return true;
    return false;
}

/* Of one of the two tests. */
typedef struct headers {
    bool below;
    size_t num; /* functions */
} headers;

/* In the headers: "TM_API", the name, and a star among the parameters. Comments before a declaration hold no "TM_API". */
static void check_header(void *ctx, const char *path, const char *text)
{
    headers *of = ctx;
    if (is_below(path) != of->below)
        return;
    for (const char *at = text; (at = strstr(at, "\nTM_API ")); ++of->num) {
        at += strlen("\nTM_API ");
        const char *const parameters = at + strcspn(at, "("), *name = parameters;
        while (isalnum((unsigned char)name[-1]) || name[-1] == '_')
            name--;
        const size_t end = strcspn(parameters, ";"), star = strcspn(parameters, "*");
        if (star < end && !was_called(name, (size_t)(parameters - name)))
            fail_msg("%s: %.*s takes a pointer and has no row in this test", path, (int)(parameters - name),
                     name);
    }
}

void test_null_check_headers(bool below)
{
    headers of = {below, 0};
    test_each_header(check_header, &of);
    assert_true(of.num >= num_called);
}
