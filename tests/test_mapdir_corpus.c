/* SPDX-License-Identifier: Zlib */
/*
 * The real maps of the corpus as files, and back: every map that opens is the same map again.
 * Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_datafile.h"
#include "support/lib_maps.h"

#include <teemap/mapdir.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct tally {
    uint32_t maps, wrong;
} tally;

static bool goes_through_files(const tm_map *map, const char *path)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    tm_findings findings;
    tm_map *read = NULL;
    tm_error error = {0};
    tm_findings_init(&findings, 0, NULL);
    tm_status status = tm_mapdir_write(map, &out, NULL, NULL, &findings, &error);
    const tm_files_in in = tm_memory_files_in(&files);
    if (!status)
        status = tm_mapdir_read(&read, NULL, &in, NULL, NULL, &findings, &error);
    if (status)
        print_error("%s: %s: %s\n", path, error.place, error.text);
    if (findings.num)
        test_print_findings(&findings);
    const bool fine = !status && findings.num == 0 && test_map_same(map, read);
    tm_map_free(read);
    tm_findings_release(&findings);
    tm_memory_files_release(&files);
    return fine;
}

static void unpack_real_map(void *ctx, const char *path)
{
    tally *count = ctx;
    tm_map *map;
    struct test_bytes bytes = test_bytes_from_file(path);
    tm_buffer file = {bytes.bytes, bytes.size, bytes.size, NULL};
    if (!test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL)) {
        const bool fine = goes_through_files(map, path);
        count->maps++;
        count->wrong += !fine;
        tm_map_free(map);
    }
    tm_buffer_release(&file);
}

static void real_maps_go_through_files(void **state)
{
    (void)state;
    tally count = {0, 0};
    if (test_each_corpus_map(unpack_real_map, &count) == 0)
        skip();
    print_message("%u maps\n", count.maps);
    assert_int_equal(count.wrong, 0);
    assert_true(count.maps > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_maps_go_through_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
