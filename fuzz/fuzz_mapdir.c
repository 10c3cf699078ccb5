/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: files of text become a map. The input is many files, one behind the other, each after a line "=== NAME". What is
 * read verifies, and goes through files once more without a change; what is not says why.
 */
#include "fuzz.h"
#include "../src/base/base.h"

static const char *line_end(const char *line, const char *end)
{
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    return newline ? newline + 1 : end;
}

static bool is_head(const char *line, const char *end)
{
    return end - line > 4 && memcmp(line, "=== ", 4) == 0;
}

/* Names that are none, and those that come twice, as the list of files takes them. */
static void split(tm_memory_files *files, const char *cursor, const char *end)
{
    while (cursor < end) {
        const char *head = cursor, *body = line_end(cursor, end), *stop = body;
        while (stop < end && !is_head(stop, end))
            stop = line_end(stop, end);
        char name[200] = "";
        if (is_head(head, end))
            snprintf(name, sizeof(name), "%.*s", (int)strcspn(head + 4, "\n"), head + 4);
        if (tmi_file_name_valid(name))
            FUZZ_REQUIRE(tm_memory_files_add(files, name, body, (size_t)(stop - body), NULL) == TM_OK, "%s",
                         name);
        cursor = stop;
    }
}

/* `before`: the files that it was read from, whose names it keeps. */
static void go_through_again(const tm_map *map, const tm_files_in *before, const tm_allocator *allocator)
{
    tm_mapdir_write_options write_options = TM_MAPDIR_WRITE_OPTIONS_INIT;
    tm_memory_files files = {.allocator = allocator};
    const tm_files_out out = tm_memory_files_out(&files);
    const tm_mapdir_read_options options = {sizeof(options), &fuzz_limits, allocator};
    tm_error error;
    tm_map *second;
    bool equal;
    char where[200];
    write_options.before = before;
    FUZZ_REQUIRE(tm_mapdir_write(map, &out, &write_options, NULL, &error) == TM_OK, "%s: %s", error.place,
                 error.text);
    const tm_files_in input = tm_memory_files_in(&files);
    const tm_status status = tm_mapdir_read(&second, NULL, &input, &options, NULL, NULL, &error);
    FUZZ_REQUIRE(status == TM_OK || status == TM_ERROR_LIMIT, "%s: %s", error.place, error.text);
    if (status == TM_OK) {
        FUZZ_REQUIRE(tm_map_equal(&equal, map, second, where, sizeof(where), &error) == TM_OK, "%s",
                     error.text);
        FUZZ_REQUIRE(equal, "%s", where);
        tm_map_free(second);
    }
    tm_memory_files_release(&files);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct test_memory memory;
    if (size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    tm_memory_files files = {.allocator = &memory.allocator};
    /* The text needs a NUL behind it, for strcspn. */
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text, "no memory");
    memcpy(text, bytes, size);
    text[size] = '\0';
    split(&files, text, text + size);
    const tm_files_in input = tm_memory_files_in(&files);
    const tm_mapdir_read_options options = {sizeof(options), &fuzz_limits, &memory.allocator};
    tm_findings findings;
    tm_error error = {0};
    tm_map *map;
    tm_sidecar kept;
    tm_findings_init(&findings, 100, &memory.allocator);
    const tm_status status = tm_mapdir_read(&map, &kept, &input, &options, NULL, &findings, &error);
    if (status == TM_OK) {
        FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "%s: %s", error.place, error.text);
        if (findings.errors == 0) {
            go_through_again(map, NULL, &memory.allocator);
            go_through_again(map, &input, &memory.allocator);
        }
        if (kept.bytes)
            (void)tm_mapfile_sidecar_apply(NULL, map, &kept, NULL, NULL);
        FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "restored: %s: %s", error.place, error.text);
    } else {
        fuzz_check_failure(status, &error);
        FUZZ_REQUIRE(status != TM_ERROR_DAMAGED || findings.errors, "%s, and no finding", error.text);
    }
    tm_sidecar_release(&kept);
    tm_map_free(map);
    tm_findings_release(&findings);
    tm_memory_files_release(&files);
    fuzz_check_memory(&memory, 64 * FUZZ_MAX_UNPACKED);
    free(text);
    return 0;
}
