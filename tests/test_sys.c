/* SPDX-License-Identifier: Zlib */
/*
 * The operating system's room: inputs and folders. Saving and threads have tests of their own.
 */
#include "base/base.h"
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TEST(a_file_is_read_where_it_is_asked_for)
{
    test_put_text("abc", "abcdefghij");
    tm_input input;
    tm_error error;
    char bytes[11] = {0};
    assert_int_equal(truncate("abc", 300000), 0); /* a smaller one is read at once */
    size_t before = test_num_descriptors();
    must(tm_sys_open_input(&input, "abc", 0, NULL, &error));
    assert_true(input.size == 300000 && !input.memory);
    must(tmi_input_read(&input, 3, bytes, 4, &error));
    assert_memory_equal(bytes, "defg", 4);
    must(tmi_input_read(&input, 0, bytes, 10, &error));
    assert_string_equal(bytes, "abcdefghij");
    assert_int_equal(tmi_input_read(&input, 299998, bytes, 3, &error), TM_ERROR_USAGE);
    struct test_plan plan = {TMI_SYS_CALL_READ, TMI_SYS_SHORT, 0, 0, false};
    memset(bytes, 0, sizeof(bytes));
    tmi_sys_set_fault(test_follow_plan, &plan);
    must(tmi_input_read(&input, 0, bytes, 10, &error));
    assert_int_equal(plan.seen, 10);
    assert_string_equal(bytes, "abcdefghij");
    plan = (struct test_plan){TMI_SYS_CALL_READ, EIO, 1, 0, false};
    assert_int_equal(tmi_input_read(&input, 0, bytes, 10, &error), TM_ERROR_IO);
    assert_int_equal(error.system, EIO);
    char text[64]; /* C libraries say it in different words */
    snprintf(text, sizeof(text), "cannot read: %s", strerror(EIO));
    assert_string_equal(error.text, text);
    tmi_sys_set_fault(NULL, NULL);
    input.close(input.ctx);
    assert_int_equal(test_num_descriptors(), before);
}

TEST(a_file_that_shrinks_is_an_error)
{
    test_put_text("abc", "abcdefghij");
    assert_int_equal(truncate("abc", 300000), 0); /* a smaller one is read at once */
    tm_input input;
    tm_error error;
    char bytes[10];
    must(tm_sys_open_input(&input, "abc", 0, NULL, &error));
    assert_int_equal(truncate("abc", 5), 0);
    assert_int_equal(tmi_input_read(&input, 0, bytes, 10, &error), TM_ERROR_IO);
    assert_string_equal(error.path, "abc");
    assert_int_equal(error.side, TM_SIDE_INPUT);
    input.close(input.ctx);
}

TEST(what_cannot_be_opened_is_named)
{
    tm_input input;
    tm_error error;
    assert_int_equal(tm_sys_open_input(&input, "nowhere/x.map", 0, NULL, &error), TM_ERROR_IO);
    assert_int_equal(error.system, ENOENT);
    assert_string_equal(error.text, "cannot open: No such file or directory");
    assert_string_equal(error.path, "nowhere/x.map");
    assert_int_equal(error.side, TM_SIDE_INPUT);
    assert_null(input.ctx);
    fails_with(TM_ERROR_IO, "cannot read: Is a directory", tm_sys_open_input(&input, ".", 0, NULL, &error));
}

TEST(what_has_no_size_is_read_whole)
{
    tm_input input;
    tm_error error;
    test_put_text("empty", "");
    must(tm_sys_open_input(&input, "empty", 0, NULL, &error));
    assert_true(input.size == 0);
    input.close(input.ctx);

    assert_int_equal(mkfifo("pipe", 0600), 0);
    int keep = open("pipe", O_RDWR); /* so that nobody waits for anybody */
    char bytes[3000];
    memset(bytes, 'x', sizeof(bytes));
    assert_int_equal(write(keep, bytes, sizeof(bytes)), sizeof(bytes));
    assert_int_equal(tm_sys_open_input(&input, "pipe", 2999, NULL, &error), TM_ERROR_LIMIT);
    close(keep);

    int ends[2], old_stdin = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, sizeof(bytes)), sizeof(bytes));
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    must(tm_sys_open_stdin(&input, 3000, NULL, &error));
    dup2(old_stdin, STDIN_FILENO);
    close(old_stdin);
    assert_true(input.size == 3000);
    assert_memory_equal(input.memory, bytes, sizeof(bytes));
    input.close(input.ctx);
}

TEST(inputs_survive_lack_of_memory)
{
    test_put_text("abc", "abcdefghij");
    const char *paths[] = {"abc", "/dev/null"};
    for (size_t i = 0; i < TMI_COUNT_OF(paths); i++) {
        EACH_FAILURE(memory) {
            tm_input input;
            size_t before = test_num_descriptors();
            tm_status status = tm_sys_open_input(&input, paths[i], 0, &memory.allocator, NULL);
            if (!memory.failed) {
                must(status);
                input.close(input.ctx);
            } else {
                assert_int_equal(status, TM_ERROR_MEMORY);
            }
            assert_int_equal(test_num_descriptors(), before);
        }
    }
}

struct names {
    char text[512];
    int stop_after;
};

static bool note_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    struct names *names = ctx;
    size_t length = strlen(names->text);
    snprintf(names->text + length, sizeof(names->text) - length, "%s:%d ", path, (int)kind);
    return --names->stop_after != 0;
}

static bool note_file(void *ctx, const char *path)
{
    struct names *names = ctx;
    size_t length = strlen(names->text);
    snprintf(names->text + length, sizeof(names->text) - length, "%s ", path);
    return --names->stop_after != 0;
}

static void make_tree(void)
{
    static bool made;
    if (made)
        return;
    made = true;
    must(tm_sys_make_folder("tree", NULL));
    must(tm_sys_make_folder("tree", NULL)); /* once more is fine */
    must(tm_sys_make_folder("tree/b", NULL));
    must(tm_sys_make_folder("tree/b/deep", NULL));
    test_put_text("tree/a.map", "1");
    test_put_text("tree/c.MAP", "2");
    test_put_text("tree/c.txt", "3");
    test_put_text("tree/b/x.map", "4");
    test_put_text("tree/b/deep/y.map", "5");
    test_put_text("tree/b.map", "6");
    assert_int_equal(symlink("b", "tree/to-b"), 0);
    assert_int_equal(symlink("..", "tree/b/up"), 0);
    assert_int_equal(symlink("a.map", "tree/l.map"), 0);
    assert_int_equal(symlink("missing", "tree/z.map"), 0);
}

TEST(a_way_into_a_folder_follows_no_link)
{
    static const struct {
        const char *name;
        const char *fault; /* NULL: there is none */
    } rows[] = {
        {"map", NULL},
        {"file", NULL},
        {"new/deep/map", NULL},
        {"inner/map", NULL},
        {"inner", "ways/inner: is not a regular file; links are not followed"},
        {"file/map", "ways/file: is not a folder; links are not followed"},
        {"to-inner/map", "ways/to-inner: is not a folder; links are not followed"},
        {"inner/up/map", "ways/inner/up: is not a folder; links are not followed"},
        {"to-file", "ways/to-file: is not a regular file; links are not followed"},
        {"to-nothing", "ways/to-nothing: is not a regular file; links are not followed"},
        {"pipe", "ways/pipe: is not a regular file; links are not followed"},
        {"pipe/map", "ways/pipe: is not a folder; links are not followed"},
        {"..", "a name in a folder cannot lead out by '..'"},
        {"../map", "a name in a folder cannot lead out by '..'"},
        {"inner/../../map", "a name in a folder cannot lead out by '..'"},
        {"inner/..", "a name in a folder cannot lead out by '..'"},
        {"..map", NULL},
    };
    must(tm_sys_make_folder("ways", NULL));
    must(tm_sys_make_folder("ways/inner", NULL));
    test_put_text("ways/file", "1");
    assert_int_equal(symlink("inner", "ways/to-inner"), 0);
    assert_int_equal(symlink("..", "ways/inner/up"), 0);
    assert_int_equal(symlink("file", "ways/to-file"), 0);
    assert_int_equal(symlink("nothing", "ways/to-nothing"), 0);
    assert_int_equal(mkfifo("ways/pipe", 0644), 0);
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        const tm_status code = !rows[i].fault                  ? TM_OK
                               : strstr(rows[i].fault, "'..'") ? TM_ERROR_USAGE
                                                               : TM_ERROR_IO;
        const char *fault =
            rows[i].fault && code == TM_ERROR_IO ? strstr(rows[i].fault, ": ") + 2 : rows[i].fault;
        tm_error error;
        assert_int_equal(tm_sys_make_way("ways", rows[i].name, NULL, &error), code);
        if (fault)
            assert_string_equal(error.text, fault);
        if (code == TM_ERROR_IO)
            assert_memory_equal(error.path, rows[i].fault, strlen(error.path));
        assert_int_equal(tm_sys_make_way("ways/", rows[i].name, NULL, NULL), code);
    }
    assert_int_equal(tm_sys_kind_of_entry("ways/new/deep"), TM_SYS_FOLDER);
    assert_int_equal(tm_sys_kind_of_entry("ways/new/deep/map"), TM_SYS_MISSING);
    assert_int_equal(tm_sys_make_way("missing", "sub/map", NULL, NULL), TM_ERROR_IO);
    EACH_FAILURE(memory) {
        const tm_status status = tm_sys_make_way("ways", "inner/map", &memory.allocator, NULL);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

TEST(a_folder_is_listed_in_order)
{
    make_tree();
    struct names names = {"", 0};
    must(tm_sys_list("tree", note_entry, &names, NULL, NULL));
    assert_string_equal(
        names.text, "tree/a.map:1 tree/b:2 tree/b.map:1 tree/c.MAP:1 tree/c.txt:1 tree/l.map:1 tree/to-b:2 "
                    "tree/z.map:0 ");
    names = (struct names){"", 2};
    must(tm_sys_list("tree/", note_entry, &names, NULL, NULL));
    assert_string_equal(names.text, "tree/a.map:1 tree/b:2 ");
    tm_error error;
    fails_with(TM_ERROR_IO, "cannot list: Not a directory",
               tm_sys_list("tree/a.map", note_entry, &names, NULL, &error));
}

TEST(a_walk_finds_all_files_once)
{
    make_tree();
    struct names names = {"", 0};
    must(tm_sys_walk("tree", ".map", note_file, &names, NULL, NULL));
    assert_string_equal(names.text,
                        "tree/a.map tree/b.map tree/b/deep/y.map tree/b/x.map tree/c.MAP tree/l.map ");
    names = (struct names){"", 1};
    must(tm_sys_walk("tree", NULL, note_file, &names, NULL, NULL));
    assert_string_equal(names.text, "tree/a.map ");
    assert_int_equal(tm_sys_walk("nowhere", ".map", note_file, &names, NULL, NULL), TM_ERROR_IO);
}

TEST(a_folder_that_cannot_be_listed_hides_no_other)
{
    make_tree();
    /* "tree" takes twelve calls: to open, for "." and "..", eight names, and the end. The next one opens "tree/b". */
    struct test_plan plan = {TMI_SYS_CALL_LIST, EACCES, 13, 0, false};
    struct names names = {"", 0};
    tm_error error;
    tmi_sys_set_fault(test_follow_plan, &plan);
    tm_status status = tm_sys_walk("tree", ".map", note_file, &names, NULL, &error);
    tmi_sys_set_fault(NULL, NULL);
    assert_int_equal(status, TM_ERROR_IO);
    assert_string_equal(error.text, "cannot list: Permission denied");
    assert_string_equal(names.text, "tree/a.map tree/b.map tree/c.MAP tree/l.map ");
}

TEST(listing_survives_lack_of_memory)
{
    make_tree();
    EACH_FAILURE(memory) {
        struct names names = {"", 0};
        tm_status status = tm_sys_walk("tree", ".map", note_file, &names, &memory.allocator, NULL);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        if (memory.failed)
            assert_string_equal(names.text, "");
    }
}

TEST(paths_are_known_for_what_they_are)
{
    make_tree();
    assert_int_equal(tm_sys_kind_of("tree"), TM_SYS_FOLDER);
    assert_int_equal(tm_sys_kind_of("tree/to-b"), TM_SYS_FOLDER);
    assert_int_equal(tm_sys_kind_of("tree/l.map"), TM_SYS_FILE);
    assert_int_equal(tm_sys_kind_of("tree/z.map"), TM_SYS_MISSING);
    assert_int_equal(tm_sys_kind_of("tree/a.map/b"), TM_SYS_MISSING);
    struct test_plan closed = {TMI_SYS_CALL_STAT, EACCES, 1, 0,
                               false}; /* was "missing", so that it was made anew */
    tmi_sys_set_fault(test_follow_plan, &closed);
    assert_int_equal(tm_sys_kind_of("tree/a.map"), TM_SYS_UNKNOWN);
    tmi_sys_set_fault(NULL, NULL);
    assert_true(tm_sys_same_file("tree/a.map", "tree/b/up/l.map"));
    assert_false(tm_sys_same_file("tree/a.map", "tree/b.map"));
    assert_false(tm_sys_same_file("tree/missing", "tree/missing"));
    tm_error error;
    fails_with(TM_ERROR_IO, "cannot make the folder: File exists", tm_sys_make_folder("tree/a.map", &error));
}

/* `seconds` from now. */
static void set_written(const char *path, int seconds)
{
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec += seconds;
    times[1] = times[0];
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(a_result_is_newer_only_than_a_source_that_has_not_changed_since)
{
    test_put_text("source", "1");
    test_put_text("result", "2");
    set_written("result", 100);
    assert_true(tm_sys_is_newer("result", "source"));
    assert_false(tm_sys_is_newer("source", "result"));
    assert_false(tm_sys_is_newer("result", "missing"));
    assert_false(tm_sys_is_newer("missing", "source"));
    assert_false(tm_sys_is_newer("result", "result")); /* the same moment is not later */
    set_written("source", 200);
    assert_false(tm_sys_is_newer("result", "source"));
    /* An older file took the source's place: its time of writing alone would hide that. */
    set_written("result", -10);
    test_put_text("other", "3");
    set_written("other", -1000);
    assert_int_equal(rename("other", "source"), 0);
    assert_false(tm_sys_is_newer("result", "source"));
    set_written("result", 100);
    assert_true(tm_sys_is_newer("result", "source"));
    struct test_plan plan = {TMI_SYS_CALL_STAT, EIO, 2, 0, false};
    tmi_sys_set_fault(test_follow_plan, &plan);
    assert_false(tm_sys_is_newer("result", "source"));
    tmi_sys_set_fault(NULL, NULL);
}

TEST_GROUP(test_enter_folder, test_leave_folder)
