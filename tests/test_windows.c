/* SPDX-License-Identifier: Zlib */
/*
 * What Windows does in its own way: open files, devices, drives, long and foreign names, other programs. Built for Windows alone;
 * under wine `tools/ports.sh windows` runs it.
 */
#include "base/base.h"
#include "support/files.h"
#include "support/test.h"

#include <errno.h>
#include <windows.h>

TEST_GROUP(test_enter_folder, test_leave_folder)

static tm_status save_text(const char *path, const char *text, tm_error *error)
{
    tm_sys_save *save;
    TM_TRY(tm_sys_save_begin(&save, path, NULL, error));
    const tm_output output = tm_sys_save_output(save);
    must(output.write(output.ctx, text, strlen(text), error));
    return tm_sys_save_commit(save, error);
}

static void put_large(const char *path, char letter)
{
    static char bytes[400000];
    memset(bytes, letter, sizeof(bytes));
    test_put_file(path, bytes, sizeof(bytes));
}

TEST(a_map_is_saved_over_the_one_that_is_open)
{
    tm_input input;
    char bytes[3] = {0};
    put_large("open.map", 'o');
    must(tm_sys_open_input(&input, "open.map", 0, NULL, NULL));
    must(input.read(input.ctx, 390000, bytes, 2, NULL));
    must(save_text("open.map", "new", NULL));
    must(input.read(input.ctx, 0, bytes, 2, NULL));
    assert_string_equal(bytes, "oo"); /* what is open stays as it was */
    test_check_text("open.map", "new");
    must(save_text("open.map", "newer", NULL)); /* again, while the first one is still open */
    input.close(input.ctx);
    test_check_text("open.map", "newer");
}

TEST(a_file_that_another_program_holds_is_told_and_stays)
{
    tm_error error;
    test_put_text("held.map", "old");
    const size_t before = test_num_entries(".");
    const HANDLE file = CreateFileA("held.map", GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    assert_ptr_not_equal(file, INVALID_HANDLE_VALUE);
    fails_with(TM_ERROR_IO, "cannot write: another program has it open",
               save_text("held.map", "new", &error));
    assert_string_equal(error.path, "held.map");
    CloseHandle(file);
    test_check_text("held.map", "old");
    assert_int_equal(test_num_entries("."), before);
}

TEST(a_read_only_file_is_refused)
{
    tm_error error;
    test_put_text("fixed.map", "old");
    assert_true(SetFileAttributesA("fixed.map", FILE_ATTRIBUTE_READONLY));
    fails_with(TM_ERROR_IO, "cannot write: Permission denied", save_text("fixed.map", "new", &error));
    assert_true(SetFileAttributesA("fixed.map", FILE_ATTRIBUTE_NORMAL));
    test_check_text("fixed.map", "old");
}

TEST(names_of_devices_are_no_files)
{
    static const char *const names[] = {"con.map", "aux", "./COM1.map", "lpt9.txt", "nul.map"};
    tm_input input;
    tm_error error;
    for (size_t i = 0; i < TMI_COUNT_OF(names); i++) {
        fails_with(TM_ERROR_IO, "cannot write: Windows keeps this name for a device",
                   save_text(names[i], "new", &error));
        fails_with(TM_ERROR_IO, "cannot open: Windows keeps this name for a device",
                   tm_sys_open_input(&input, names[i], 0, NULL, &error));
    }
    must(save_text("nul", "nowhere", NULL)); /* as /dev/null */
    must(save_text("console.map", "fine", NULL));
}

TEST(one_file_has_many_names)
{
    char real[1024], again[1024];
    must(save_text("One.map", "x", NULL));
    must(save_text("two.map", "x", NULL));
    assert_true(tm_sys_same_file("One.map", "ONE.MAP"));
    assert_true(tm_sys_real_path(real, sizeof(real), "One.map"));
    assert_true(real[1] == ':' && !strchr(real, '\\'));
    assert_true(tm_sys_same_file("One.map", real));
    assert_true(tm_sys_real_path(again, sizeof(again), ".\\One.map"));
    assert_string_equal(real, again);
    assert_false(tm_sys_same_file("One.map", "two.map"));
    assert_false(tm_sys_real_path(real, 8, "One.map"));
    assert_false(tm_sys_real_path(real, sizeof(real), "nowhere.map"));
}

TEST(both_slashes_lead_into_folders)
{
    char typed[] = "maps\\in\\x.map";
    must(tm_sys_make_folder("maps", NULL));
    must(tm_sys_make_folder("maps\\in", NULL));
    must(save_text(typed, "x", NULL));
    test_check_text("maps/in/x.map", "x");
    assert_int_equal(test_num_entries("maps\\in"), 1); /* the temporary file was beside it */
    tm_sys_plain_path(typed);
    assert_string_equal(typed, "maps/in/x.map");
}

static bool take_name(void *ctx, const char *path, tm_sys_kind kind)
{
    assert_int_equal(kind, TM_SYS_FILE);
    snprintf(ctx, 512, "%s", path);
    return true;
}

TEST(names_are_utf8)
{
    char found[512] = "";
    tm_input input;
    tm_error error;
    must(tm_sys_make_folder("карты", NULL));
    must(save_text("карты/地図 ü 🐨.map", "x", NULL));
    must(tm_sys_list("карты", take_name, found, NULL, NULL));
    assert_string_equal(found, "карты/地図 ü 🐨.map");
    must(tm_sys_open_input(&input, found, 0, NULL, NULL));
    input.close(input.ctx);
    fails_with(TM_ERROR_IO, "cannot open: its name is not UTF-8",
               tm_sys_open_input(&input, "\xff.map", 0, NULL, &error));
}

TEST(paths_may_be_long)
{
    char path[900] = "long", found[1024] = "";
    must(tm_sys_make_folder(path, NULL));
    while (strlen(path) < 700) {
        strcat(path, "/fifty_signs_fifty_signs_fifty_signs_fifty_signs_1");
        must(tm_sys_make_folder(path, NULL));
    }
    char file[1000];
    snprintf(file, sizeof(file), "%s/x.map", path);
    must(save_text(file, "x", NULL));
    must(save_text(file, "y", NULL));
    assert_int_equal(tm_sys_kind_of(file), TM_SYS_FILE);
    must(tm_sys_list(path, take_name, found, NULL, NULL));
    must(tm_sys_remove_file(file, NULL));
    wchar_t wide[2048] = L"\\\\?\\", *end = wide + 4;
    end += GetCurrentDirectoryW(1000, end);
    for (; strlen(path) > 4;
         *strrchr(path, '/') = '\0') { /* what clears up behind the tests is not for such paths */
        *end = L'\\';
        MultiByteToWideChar(CP_UTF8, 0, path, -1, end + 1, 1000);
        for (wchar_t *sign = end; *sign; sign++)
            *sign = *sign == L'/' ? L'\\' : *sign;
        assert_true(RemoveDirectoryW(wide));
    }
}

TEST(times_tell_what_is_newer)
{
    must(save_text("source.map", "x", NULL));
    Sleep(50);
    must(save_text("result.png", "x", NULL));
    assert_true(tm_sys_is_newer("result.png", "source.map"));
    assert_false(tm_sys_is_newer("source.map", "result.png"));
    int64_t changed;
    must(tm_sys_get_time(&changed, "source.map", NULL));
    assert_true(changed > 1700000000);
}

/* -------------------------------------------------------------------------------------------- other programs */

static char own_file[1024];

TEST(words_arrive_as_they_are)
{
    static const char *const words[] = {own_file,      "say",   "plain",        "two words", "",     "a\"b",
                                        "back\\slash", "end\\", "two ends\\\\", "\\\"",      "ü 地", "%PATH%",
                                        "a\tb",        NULL};
    OWN(tm_buffer) out = {0};
    int status = -1;
    must(tm_sys_run(&status, &out, words, NULL));
    assert_int_equal(status, 0);
    char wanted[256] = "";
    for (size_t i = 2; words[i]; i++)
        snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), "[%s]", words[i]);
    assert_int_equal(out.size, strlen(wanted));
    assert_memory_equal(out.bytes, wanted, out.size);
}

static tm_status feed(const char *const *words, const void *bytes, size_t size, tm_error *error)
{
    tm_sys_pipe *made;
    TM_TRY(tm_sys_pipe_begin(&made, words, NULL, error));
    const tm_output output = tm_sys_pipe_output(made);
    const tm_status status = output.write(output.ctx, bytes, size, error),
                    ended = tm_sys_pipe_finish(made, error);
    return status ? status : ended;
}

TEST(how_a_program_ended_is_told)
{
    static char bytes[300000];
    tm_error error;
    memset(bytes, '\n', sizeof(bytes));
    must(feed((const char *const[]){own_file, "count", "300000", NULL}, bytes, sizeof(bytes), &error));
    fails(TM_ERROR_IO, "ended with status 7: there are 4",
          feed((const char *const[]){own_file, "count", "5", NULL}, bytes, 4, &error));
    assert_int_equal(feed((const char *const[]){"no-such-program-of-teemap", NULL}, "", 1, &error),
                     TM_ERROR_NOT_FOUND);
    assert_int_equal(feed((const char *const[]){own_file, "leave", NULL}, bytes, sizeof(bytes), &error),
                     TM_ERROR_IO);
    assert_int_equal(error.system, EPIPE);
    tm_sys_pipe *made;
    must(tm_sys_pipe_begin(&made, (const char *const[]){own_file, "count", "1", NULL}, NULL, NULL));
    tm_sys_pipe_abort(made);
}

/* One in the folder of the maps must not be taken for the one in PATH. */
TEST(programs_are_looked_for_in_the_path_alone)
{
    OWN(tm_buffer) out = {0};
    tm_error error;
    int status;
    assert_true(CopyFileA(own_file, "ffmpeg-of-somebody.exe", FALSE));
    assert_int_equal(
        tm_sys_run(&status, &out, (const char *const[]){"ffmpeg-of-somebody", "say", NULL}, &error),
        TM_ERROR_IO);
    assert_int_equal(error.system, ENOENT);
}

/* The program that the tests run is this one. */
static int play(int num, char **words)
{
    if (strcmp(words[1], "say") == 0)
        for (int i = 2; i < num; i++)
            printf("[%s]", words[i]);
    if (strcmp(words[1], "count") == 0) {
        tm_input input;
        if (tm_sys_open_stdin(&input, 0, NULL, NULL) != TM_OK)
            return 1;
        fprintf(stderr, "first\nthere are %u\n", (unsigned)input.size);
        return input.size == (uint64_t)atoi(words[2]) ? 0 : 7;
    }
    return 0;
}

int main(int num, char **words)
{
    if (num > 1)
        return play(num, words);
    return tm_sys_real_path(own_file, sizeof(own_file), words[0]) ? test_run() : 1;
}
