/* SPDX-License-Identifier: Zlib */
/*
 * Files for tests: see files.h.
 */
#include "files.h"
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(_WIN32)
#include <direct.h>
#include <io.h>
#define umask(mask)   _umask(mask)
#define mkdtemp(name) (_mktemp(name) && _mkdir(name) == 0)
#endif

static char old_folder[4096], folder[256];

void test_enter_folder(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/teemap-test-XXXXXX", base && strlen(base) < 200 ? base : "/tmp");
    umask(022);
    assert_true(getcwd(old_folder, sizeof(old_folder)) && mkdtemp(folder) && chdir(folder) == 0);
}

static bool remove_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    (void)kind;
    if (tm_sys_kind_of_entry(path) == TM_SYS_FOLDER)
        must(tm_sys_list(path, remove_entry, ctx, NULL, NULL));
    return tm_sys_kind_of_entry(path) == TM_SYS_FOLDER ? rmdir(path) == 0 : remove(path) == 0;
}

void test_leave_folder(void)
{
    tmi_sys_set_fault(NULL, NULL);
    assert_true(chdir(old_folder) == 0 && remove_entry(NULL, folder, TM_SYS_FOLDER));
}

void test_put_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void test_put_text(const char *path, const char *text)
{
    test_put_file(path, text, strlen(text));
}

void test_check_text(const char *path, const char *text)
{
    char bytes[256];
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("'%s' is missing", path);
    size_t size = fread(bytes, 1, sizeof(bytes) - 1, file);
    fclose(file);
    bytes[size] = '\0';
    assert_string_equal(bytes, text);
}

static bool count_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    (void)path, (void)kind;
    ++*(size_t *)ctx;
    return true;
}

size_t test_num_entries(const char *path)
{
    size_t num = 0;
    must(tm_sys_list(path, count_entry, &num, NULL, NULL));
    return num;
}

size_t test_num_descriptors(void)
{
    size_t num = 0;
    for (int fd = 0; fd < 256; fd++)
#if defined(_WIN32)
        num += _get_osfhandle(fd) >= 0;
#else
        num += fcntl(fd, F_GETFD) >= 0;
#endif
    return num;
}

unsigned test_mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

int test_follow_plan(void *ctx, tmi_sys_call call)
{
    struct test_plan *plan = ctx;
    if (plan->call != TMI_SYS_CALL_COUNT && call != plan->call)
        return 0;
    plan->seen++;
    if (plan->number == TMI_SYS_SHORT)
        return TMI_SYS_SHORT;
    if (plan->seen != plan->n)
        return 0;
    plan->failed = true;
    return plan->number;
}

struct header_visit {
    void (*visit)(void *ctx, const char *path, const char *text);
    void *ctx;
};

static bool visit_header(void *ctx, const char *path)
{
    static char text[262144];
    const struct header_visit *visit = ctx;
    FILE *header = fopen(path, "rb");
    if (!header)
        fail_msg("cannot open '%s'", path);
    text[fread(text, 1, sizeof(text) - 1, header)] = '\0';
    fclose(header);
    visit->visit(visit->ctx, path, text);
    return true;
}

void test_each_header(void (*visit)(void *ctx, const char *path, const char *text), void *ctx)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char headers[4096];
    struct header_visit state = {visit, ctx};
    if (!source) {
        skip(); /* TEEMAP_SOURCE says where the headers are; it is not set */
        return;
    }
    snprintf(headers, sizeof(headers), "%s/include/teemap", source);
    must(tm_sys_walk(headers, ".h", visit_header, &state, NULL, NULL));
}
