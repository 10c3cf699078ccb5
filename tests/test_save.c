/* SPDX-License-Identifier: Zlib */
/*
 * Atomic saving: permissions, links, every way to write, every single failure, several threads.
 *
 * test-labels: threads
 */
#include "base/base.h"
#include "support/test.h"
#include "sys/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static tm_status save_text(const char *path, const char *text, const tm_allocator *allocator, tm_error *error)
{
    tm_sys_save *save;
    TM_TRY(tm_sys_save_begin(&save, path, allocator, error));
    tm_output output = tm_sys_save_output(save);
    tm_status status = tmi_output_write(&output, text, strlen(text), error);
    if (status == TM_OK)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}

TEST(a_new_file_gets_the_usual_permissions)
{
    must(save_text("new", "first", NULL, NULL));
    test_check_text("new", "first");
    assert_int_equal(test_mode_of("new"), 0644);
    umask(077);
    must(save_text("private", "first", NULL, NULL));
    umask(022);
    assert_int_equal(test_mode_of("private"), 0600);
}

TEST(an_old_file_keeps_its_permissions)
{
    test_put_text("old", "first");
    const unsigned modes[] = {0600, 0640, 0666, 0755};
    for (size_t i = 0; i < TMI_COUNT_OF(modes); i++) {
        assert_int_equal(chmod("old", modes[i]), 0);
        must(save_text("old", "second", NULL, NULL));
        assert_int_equal(test_mode_of("old"), modes[i]);
    }
    test_check_text("old", "second");
}

struct modes {
    unsigned of_temporary, of_others;
};

static bool note_mode(void *ctx, const char *path, tm_sys_kind kind)
{
    struct modes *modes = ctx;
    (void)kind;
    *(strstr(path, "/.teemap-") ? &modes->of_temporary : &modes->of_others) = test_mode_of(path);
    return true;
}

TEST(while_saving_the_old_file_stays_and_the_new_one_is_private)
{
    assert_int_equal(mkdir("alone", 0755), 0);
    test_put_text("alone/map", "old");
    tm_sys_save *save;
    must(tm_sys_save_begin(&save, "alone/map", NULL, NULL));
    tm_output output = tm_sys_save_output(save);
    static char much[300000];
    must(output.write(output.ctx, much, sizeof(much), NULL));
    assert_int_equal(test_num_entries("alone"), 2);
    test_check_text("alone/map", "old");
    struct modes modes = {0, 0};
    must(tm_sys_list("alone", note_mode, &modes, NULL, NULL));
    assert_int_equal(modes.of_temporary, 0600); /* the old one may have been secret */
    tm_sys_save_abort(save);
    assert_int_equal(test_num_entries("alone"), 1);
    test_check_text("alone/map", "old");
    tm_sys_save_abort(NULL);
}

TEST(links_are_followed_and_stay)
{
    char target[64];
    assert_int_equal(mkdir("real", 0755), 0);
    test_put_text("real/map", "old");
    assert_int_equal(symlink("real/map", "link1"), 0);
    assert_int_equal(symlink("link1", "link2"), 0);
    assert_int_equal(symlink("map", "real/link3"), 0);
    must(save_text("link2", "through two", NULL, NULL));
    test_check_text("real/map", "through two");
    must(save_text("real/link3", "through one", NULL, NULL));
    test_check_text("real/map", "through one");
    assert_int_equal(readlink("link2", target, sizeof(target)), 5);
    assert_int_equal(readlink("link1", target, sizeof(target)), 8);
    assert_int_equal(symlink("real/not-yet", "dangling"), 0);
    must(save_text("dangling", "fresh", NULL, NULL));
    test_check_text("real/not-yet", "fresh");
    assert_int_equal(symlink("loop", "loop"), 0);
    tm_error error;
    assert_int_equal(save_text("loop", "never", NULL, &error), TM_ERROR_IO);
    assert_int_equal(error.system, ELOOP);
    assert_int_equal(test_num_entries("real"), 3);
}

TEST(what_is_no_file_is_written_to_directly)
{
    must(save_text("/dev/null", "gone", NULL, NULL));
    assert_int_equal(tm_sys_kind_of("/dev/null"), TM_SYS_OTHER);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int keep = open("fifo", O_RDWR);
    must(save_text("fifo", "through", NULL, NULL));
    char bytes[16];
    assert_int_equal(read(keep, bytes, sizeof(bytes)), 7);
    assert_memory_equal(bytes, "through", 7);
    close(keep);
    tm_error error;
    fails_with(TM_ERROR_IO, "cannot write: Is a directory", save_text(".", "never", NULL, &error));
    fails_with(TM_ERROR_IO, "cannot write: No such file or directory",
               save_text("nowhere/map", "never", NULL, &error));
    assert_string_equal(error.path, "nowhere/map");
    assert_int_equal(error.side, TM_SIDE_OUTPUT);
}

/* Renaming over the file behind /dev/stdout would throw away what others wrote to it. */
TEST(dev_stdout_is_appended_to)
{
    fflush(stdout);
    int old_stdout = dup(STDOUT_FILENO), fd = open("shared-output", O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    tm_output output = tm_sys_stdout();
    tm_status first = output.write(output.ctx, "one ", 4, NULL);
    tm_status second = save_text("/dev/stdout", "two ", NULL, NULL),
              third = save_text("/dev/fd/1", "three", NULL, NULL);
    dup2(old_stdout, STDOUT_FILENO);
    close(old_stdout);
    assert_true(first == TM_OK && second == TM_OK && third == TM_OK);
    test_check_text("shared-output", "one two three");
}

TEST(a_reader_that_went_away_is_epipe)
{
    fflush(stdout);
    int ends[2], old_stdout = dup(STDOUT_FILENO);
    assert_int_equal(pipe(ends), 0);
    signal(SIGPIPE, SIG_IGN);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    tm_output output = tm_sys_stdout();
    tm_error error;
    tm_status status = output.write(output.ctx, "x", 1, &error);
    dup2(old_stdout, STDOUT_FILENO);
    close(old_stdout);
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(status, TM_ERROR_IO);
    assert_int_equal(error.system, EPIPE);
}

/* 0 when saving was refused as it must be. */
static int try_guarded(void)
{
    tm_error error;
    tm_status status = save_text("open/guarded", "new", NULL, &error);
    return status == TM_ERROR_IO && error.system == EACCES ? 0 : 1;
}

/* Root may write anything, so a child asks as nobody. */
TEST(a_write_protected_file_is_not_replaced)
{
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chmod("open", 0777), 0);
    assert_int_equal(chmod(".", 0755), 0);
    test_put_text("open/guarded", "old");
    assert_int_equal(chmod("open/guarded", 0444), 0);
    if (geteuid() == 0) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            _exit(setgid(65534) != 0 || setuid(65534) != 0 ? 2 : try_guarded());
        int result = -1;
        assert_int_equal(waitpid(child, &result, 0), child);
        if (WIFEXITED(result) && WEXITSTATUS(result) == 2)
            skip(); /* a container that has no nobody */
        assert_int_equal(result, 0);
    } else {
        assert_int_equal(try_guarded(), 0);
    }
    test_check_text("open/guarded", "old");
    assert_int_equal(test_num_entries("open"), 1);
}

#define BIG ((size_t)700000)

static char *big_bytes(void)
{
    char *bytes = malloc(BIG);
    assert_non_null(bytes);
    for (size_t i = 0; i < BIG; i++)
        bytes[i] = (char)(i * 31 + i / 257);
    return bytes;
}

/* Bytes of all sizes around the buffer's, and ranges of a file by every way there is. */
static tm_status write_mixture(const tm_output *output, const char *bytes, const tm_input *input,
                               tm_error *error)
{
    static const size_t steps[] = {1, 65535, 65536, 65537, 200000, 3, 0, 100, 300000};
    size_t at = 0;
    for (size_t i = 0; at < BIG; i++) {
        size_t step = steps[i % TMI_COUNT_OF(steps)];
        step = step < BIG - at ? step : BIG - at;
        TM_TRY(tmi_output_write(output, bytes + at, step, error));
        at += step;
        step = steps[(i + 4) % TMI_COUNT_OF(steps)];
        step = step < BIG - at ? step : BIG - at;
        TM_TRY(tmi_output_copy(output, input, at, step, error));
        at += step;
    }
    return TM_OK;
}

static tm_status save_mixture(const char *source, const char *target, const char *bytes, tm_error *error)
{
    tm_input input;
    tm_sys_save *save;
    TM_TRY(tm_sys_open_input(&input, source, 0, NULL, error));
    tm_status status = tm_sys_save_begin(&save, target, NULL, error);
    if (status == TM_OK) {
        tm_output output = tm_sys_save_output(save);
        status = write_mixture(&output, bytes, &input, error);
        if (status == TM_OK)
            status = tm_sys_save_commit(save, error);
        else
            tm_sys_save_abort(save);
    }
    input.close(input.ctx);
    return status;
}

static void check_big(const char *path, const char *bytes)
{
    tm_input input;
    FREED char *found = malloc(BIG);
    must(tm_sys_open_input(&input, path, 0, NULL, NULL));
    assert_true(input.size == BIG);
    must(tmi_input_read(&input, 0, found, BIG, NULL));
    assert_memory_equal(found, bytes, BIG);
    input.close(input.ctx);
}

TEST(writes_and_copies_of_all_sizes_arrive)
{
    FREED char *bytes = big_bytes();
    test_put_file("big", bytes, BIG);
    must(save_mixture("big", "other", bytes, NULL));
    check_big("other", bytes);
    /* On to the very path that is being read. */
    must(save_mixture("big", "big", bytes, NULL));
    check_big("big", bytes);
}

TEST(a_path_can_be_saved_to_while_it_is_read)
{
    test_put_text("both", "0123456789");
    tm_input input;
    tm_sys_save *save;
    must(tm_sys_open_input(&input, "both", 0, NULL, NULL));
    must(tm_sys_save_begin(&save, "both", NULL, NULL));
    tm_output output = tm_sys_save_output(save);
    must(tmi_output_copy(&output, &input, 5, 5, NULL));
    must(tmi_output_copy(&output, &input, 0, 5, NULL));
    must(tm_sys_save_commit(save, NULL));
    char bytes[10];
    must(tmi_input_read(&input, 0, bytes, 10, NULL)); /* the old file, as long as it is open */
    assert_memory_equal(bytes, "0123456789", 10);
    input.close(input.ctx);
    test_check_text("both", "5678901234");
}

TEST(an_error_of_the_input_spoils_the_save)
{
    test_put_text("source", "0123456789");
    assert_int_equal(truncate("source", 300000), 0); /* a smaller one is read at once */
    test_put_text("target", "old");
    tm_input input;
    tm_sys_save *save;
    tm_error error;
    must(tm_sys_open_input(&input, "source", 0, NULL, NULL));
    must(tm_sys_save_begin(&save, "target", NULL, NULL));
    assert_int_equal(truncate("source", 3), 0);
    tm_output output = tm_sys_save_output(save);
    assert_int_equal(tmi_output_copy(&output, &input, 0, 10, &error), TM_ERROR_IO);
    assert_int_equal(tmi_output_write(&output, "more", 4, NULL), TM_ERROR_IO);
    memset(&error, 0, sizeof(error));
    assert_int_equal(tm_sys_save_commit(save, &error), TM_ERROR_IO);
    assert_string_equal(error.path, "source");
    assert_int_equal(error.side, TM_SIDE_INPUT);
    test_check_text("target", "old");
    input.close(input.ctx);
}

/* What a save must leave behind: all of the new or all of the old, and nothing else in the folder. */
static void check_after_failure(tm_status status, const tm_error *error, const struct test_plan *plan,
                                size_t descriptors)
{
    if (status == TM_OK) {
        test_check_text("faults/map", "new");
    } else {
        test_check_text("faults/map", "old");
        assert_int_equal(status, TM_ERROR_IO);
        assert_int_equal(error->system, plan->number);
        assert_memory_equal(error->text, "cannot write: ", 14);
        assert_string_equal(error->path, "faults/link");
        assert_int_equal(error->side, TM_SIDE_OUTPUT);
    }
    assert_int_equal(test_num_entries("faults"), 2);
    assert_int_equal(test_mode_of("faults/map"), 0640);
    assert_int_equal(test_num_descriptors(), descriptors);
}

TEST(every_call_may_fail_and_the_old_file_stays)
{
    assert_int_equal(mkdir("faults", 0755), 0);
    assert_int_equal(symlink("map", "faults/link"), 0);
    size_t descriptors = test_num_descriptors(), num_failures = 0;
    for (int call = 0; call < TMI_SYS_CALL_COUNT; call++) {
        if (call == TMI_SYS_CALL_UNLINK) /* happens only after another failure; see below */
            continue;
        for (size_t n = 1;; n++) {
            test_put_text("faults/map", "old");
            assert_int_equal(chmod("faults/map", 0640), 0);
            struct test_plan plan = {(tmi_sys_call)call, ENOSPC, n, 0, false};
            tm_error error = {0};
            tmi_sys_set_fault(test_follow_plan, &plan);
            tm_status status = save_text("faults/link", "new", NULL, &error);
            tmi_sys_set_fault(NULL, NULL);
            check_after_failure(status, &error, &plan, descriptors);
            num_failures += status != TM_OK;
            if (!plan.failed)
                break;
        }
    }
    assert_in_range(num_failures, 8, 30);
    struct test_plan plan = {TMI_SYS_CALL_WRITE, ENOSPC, 1, 0, false};
    tm_error error;
    tmi_sys_set_fault(test_follow_plan, &plan);
    assert_int_equal(save_text("faults/link", "new", NULL, &error), TM_ERROR_IO);
    tmi_sys_set_fault(NULL, NULL);
    assert_string_equal(error.text, "cannot write: No space left on device");
}

/* What must not go wrong in silence, and the order of it: bytes on the disk before the name leads to them. */
static const tmi_sys_call important[] = {TMI_SYS_CALL_OPEN,  TMI_SYS_CALL_WRITE, TMI_SYS_CALL_CHMOD,
                                         TMI_SYS_CALL_FSYNC, TMI_SYS_CALL_CLOSE, TMI_SYS_CALL_RENAME};

struct order {
    tmi_sys_call calls[64];
    size_t num;
};

static int note_call(void *ctx, tmi_sys_call call)
{
    struct order *order = ctx;
    if (order->num < TMI_COUNT_OF(order->calls))
        order->calls[order->num++] = call;
    return 0;
}

TEST(a_save_goes_by_the_right_order)
{
    test_put_text("ordered", "old");
    assert_int_equal(chmod("ordered", 0666), 0);
    struct order order = {{TMI_SYS_CALL_OPEN}, 0};
    tmi_sys_set_fault(note_call, &order);
    tm_status status = save_text("ordered", "new", NULL, NULL);
    tmi_sys_set_fault(NULL, NULL);
    must(status);
    size_t found = 0;
    for (size_t i = 0; i < order.num && found < TMI_COUNT_OF(important); i++)
        found += order.calls[i] == important[found];
    assert_int_equal(found, TMI_COUNT_OF(important));
    for (size_t i = 0; i < TMI_COUNT_OF(important); i++) {
        struct test_plan plan = {important[i], EIO, 1, 0, false};
        test_put_text("ordered", "old");
        assert_int_equal(chmod("ordered", 0666), 0);
        tmi_sys_set_fault(test_follow_plan, &plan);
        status = save_text("ordered", "new", NULL, NULL);
        tmi_sys_set_fault(NULL, NULL);
        assert_int_equal(status, TM_ERROR_IO);
        test_check_text("ordered", "old");
    }
}

TEST(short_writes_are_continued)
{
    struct test_plan plan = {TMI_SYS_CALL_WRITE, TMI_SYS_SHORT, 0, 0, false};
    tmi_sys_set_fault(test_follow_plan, &plan);
    tm_status status = save_text("slow", "byte by byte", NULL, NULL);
    tmi_sys_set_fault(NULL, NULL);
    must(status);
    assert_int_equal(plan.seen, 12);
    test_check_text("slow", "byte by byte");
}

TEST(saving_survives_lack_of_memory)
{
    assert_int_equal(mkdir("poor", 0755), 0);
    assert_int_equal(symlink("map", "poor/link"), 0);
    test_put_text("poor/map", "old");
    EACH_FAILURE(memory) {
        tm_status status = save_text("poor/link", "new", &memory.allocator, NULL);
        assert_int_equal(test_num_entries("poor"), 2);
        test_check_text("poor/map", memory.failed ? "old" : "new");
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

TEST(a_signal_handler_can_remove_all_temporary_files)
{
    assert_int_equal(mkdir("signals", 0755), 0);
    tm_sys_save *saves[20];
    char path[64];
    for (int i = 0; i < 20; i++) { /* more than there is room for in the list: those work all the same */
        snprintf(path, sizeof(path), "signals/%d", i);
        must(tm_sys_save_begin(&saves[i], path, NULL, NULL));
    }
    assert_int_equal(test_num_entries("signals"), 20);
    pid_t child = fork();
    if (child == 0) {
        errno = 77;
        tm_sys_save_abort_all();
        _exit(errno == 77 ? 0 : 1);
    }
    int ended = 1;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    assert_int_equal(test_num_entries("signals"), 4);
    tm_error error;
    assert_int_equal(tm_sys_save_commit(saves[0], &error), TM_ERROR_IO);
    assert_int_equal(error.system, ENOENT);
    for (int i = 1; i < 20; i++)
        tm_sys_save_abort(saves[i]);
    assert_int_equal(test_num_entries("signals"), 0);
}

static void *save_forever(void *arg)
{
    for (;;)
        (void)save_text(arg, "new", NULL, NULL);
    return NULL;
}

/* A gallery that a closed pipe ended left a file now and then: a thread began to save between the cleaning and the end. */
TEST(a_signal_leaves_no_file_of_any_thread)
{
    static char paths[4][32];
    assert_int_equal(mkdir("ended", 0755), 0);
    for (int run = 0; run < 40; run++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            tm_sys_prepare_program();
            for (size_t i = 0; i < TMI_COUNT_OF(paths); i++) {
                snprintf(paths[i], sizeof(paths[i]), "ended/%zu", i);
                pthread_create(&thread, NULL, save_forever, paths[i]);
            }
            for (;;)
                pause();
        }
        const struct timespec moment = {0, 10000000};
        nanosleep(&moment, NULL);
        int ended = 0;
        kill(child, SIGTERM);
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM);
        for (size_t i = 0; i < TMI_COUNT_OF(paths); i++) {
            snprintf(paths[i], sizeof(paths[i]), "ended/%zu", i);
            unlink(paths[i]);
        }
        assert_int_equal(test_num_entries("ended"), 0);
    }
}

/* Opens a file and locks it as a running save does; the caller closes the descriptor. */
static int open_locked(const char *path, tmi_sys_lock_state *state)
{
    test_put_text(path, "half");
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    *state = tmi_sys_lock(fd);
    return fd;
}

static bool is_there(const char *path)
{
    return tm_sys_kind_of_entry(path) != TM_SYS_MISSING;
}

/* Temporary files of killed processes stayed for ever. */
TEST(the_first_save_into_a_folder_removes_what_killed_processes_left)
{
    static const char *const leftovers[] = {"left/.teemap-0123456789abcdef.tmp",
                                            "left/.teemap-ffffffffffffffff.tmp"};
    static const char *const other_names[] = {
        "left/.teemap-0123456789abcde.tmp",   "left/.teemap-0123456789abcdef0.tmp",
        "left/.teemap-0123456789ABCDEF.tmp",  "left/.teemap-0123456789abcdef.tmp2",
        "left/x.teemap-0123456789abcdef.tmp", "left/teemap-0123456789abcdef.tmp"};
    tmi_sys_lock_state lock_state;
    assert_int_equal(mkdir("left", 0755), 0);
    assert_int_equal(mkdir("left/.teemap-1111111111111111.tmp", 0755), 0);
    assert_int_equal(symlink("map", "left/.teemap-2222222222222222.tmp"), 0);
    assert_int_equal(mkfifo("left/.teemap-3333333333333333.tmp", 0644), 0);
    const int fd = open_locked("left/.teemap-4444444444444444.tmp", &lock_state);
    for (size_t i = 0; i < TMI_COUNT_OF(leftovers); i++)
        test_put_text(leftovers[i], "half");
    for (size_t i = 0; i < TMI_COUNT_OF(other_names); i++)
        test_put_text(other_names[i], "somebody's own");
    must(save_text("left/map", "new", NULL, NULL));
    test_check_text("left/map", "new");
    for (size_t i = 0; i < TMI_COUNT_OF(leftovers); i++)
        assert_int_equal(is_there(leftovers[i]), lock_state == TMI_LOCK_UNSUPPORTED);
    for (size_t i = 0; i < TMI_COUNT_OF(other_names); i++)
        assert_true(is_there(other_names[i]));
    assert_true(is_there("left/.teemap-1111111111111111.tmp") &&
                is_there("left/.teemap-2222222222222222.tmp"));
    assert_true(is_there("left/.teemap-3333333333333333.tmp") &&
                is_there("left/.teemap-4444444444444444.tmp"));
    close(fd);
    /* The folder is not listed for each of a thousand saves. */
    test_put_text(leftovers[0], "half");
    must(save_text("left/map", "newer", NULL, NULL));
    assert_true(is_there(leftovers[0]));
}

TEST(a_killed_save_is_a_leftover_and_a_running_one_is_not)
{
    tm_sys_save *running;
    assert_int_equal(mkdir("killed", 0755), 0);
    must(tm_sys_save_begin(&running, "killed/running", NULL, NULL));
    pid_t child = fork();
    if (child == 0) {
        tm_sys_save *save;
        must(tm_sys_save_begin(&save, "killed/child", NULL, NULL));
        kill(getpid(), SIGKILL);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
    assert_int_equal(test_num_entries("killed"), 2);
    /* Another process, as this one has looked into the folder already: by another name of it, which counts as one more. */
    must(save_text("./killed/other", "new", NULL, NULL));
    tmi_sys_lock_state lock_state;
    test_put_text("probe", "");
    const int fd = open_locked("probe", &lock_state);
    close(fd);
    assert_int_equal(test_num_entries("killed"), lock_state == TMI_LOCK_UNSUPPORTED ? 3 : 2);
    must(tm_sys_save_commit(running, NULL));
    assert_true(is_there("killed/running"));
}

TEST(a_save_that_is_not_flushed_is_atomic_all_the_same)
{
    struct test_plan plan = {TMI_SYS_CALL_FSYNC, EIO, 0, 0, false};
    tm_sys_save *save;
    test_put_text("brief", "old");
    must(tm_sys_save_begin(&save, "brief", NULL, NULL));
    tm_sys_save_skip_flush(save);
    const tm_output output = tm_sys_save_output(save);
    must(output.write(output.ctx, "new", 3, NULL));
    test_check_text("brief", "old");
    tmi_sys_set_fault(test_follow_plan, &plan);
    const tm_status status = tm_sys_save_commit(save, NULL);
    tmi_sys_set_fault(NULL, NULL);
    must(status);
    assert_int_equal(plan.seen, 0);
    test_check_text("brief", "new");
}

static void *save_often(void *arg)
{
    char path[64], text[128];
    for (int i = 0; i < 20; i++) {
        snprintf(path, sizeof(path), "many/%d", *(int *)arg * 100 + i % 3);
        snprintf(text, sizeof(text), "text of %s", path);
        must(save_text(path, text, NULL, NULL));
    }
    return NULL;
}

TEST(several_threads_may_save)
{
    assert_int_equal(mkdir("many", 0755), 0);
    pthread_t threads[4];
    int numbers[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, save_often, &numbers[i]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(test_num_entries("many"), 12);
    test_check_text("many/201", "text of many/201");
}

TEST_GROUP(test_enter_folder, test_leave_folder)
