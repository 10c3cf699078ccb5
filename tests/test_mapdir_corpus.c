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
    size_t bytes, kept_bytes;
} tally;

static bool goes_through_files(const tm_map *map, const char *path)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    tm_findings findings;
    tm_map *read = NULL;
    tm_error error = {0};
    tm_findings_init(&findings, 0, NULL);
    tm_status status = tm_mapdir_write(map, &out, NULL, NULL, &error);
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

/* With what was kept of the file it is the file again, to the last byte. */
static bool is_the_file_again(const tm_map *map, const tm_buffer *file, const char *path, size_t *kept_bytes)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    tm_buffer kept = {0};
    const tm_output to_kept = tm_output_to_buffer(&kept);
    tm_mapdir_write_options how = TM_MAPDIR_WRITE_OPTIONS_INIT;
    tm_mapdir_kept read;
    tm_map *again;
    uint32_t num_other;
    assert_int_equal(tm_mapfile_sidecar_write(map, &to_kept, NULL, NULL), TM_OK);
    how.kept = kept.bytes;
    how.kept_size = kept.size;
    assert_int_equal(tm_mapdir_write(map, &out, &how, NULL, NULL), TM_OK);
    const tm_files_in in = tm_memory_files_in(&files);
    assert_int_equal(tm_mapdir_read(&again, &read, &in, NULL, NULL, NULL, NULL), TM_OK);
    assert_int_equal(tm_mapfile_sidecar_apply(again, &num_other, read.bytes, read.size, read.places,
                                              read.num_places, NULL, NULL),
                     TM_OK);
    tm_buffer saved = test_map_save(again, NULL);
    const bool same = num_other == 0 && test_buffer_same(&saved, file);
    if (!same)
        print_error("%s: %u blocks are packed in another way\n", path, num_other);
    *kept_bytes += kept.size;
    tm_mapdir_kept_release(&read);
    tm_map_free(again);
    tm_buffer_release(&saved);
    tm_buffer_release(&kept);
    tm_memory_files_release(&files);
    return same;
}

static void unpack_real_map(void *ctx, const char *path)
{
    tally *count = ctx;
    tm_map *map;
    struct test_bytes bytes = test_bytes_from_file(path);
    tm_buffer file = {bytes.bytes, bytes.size, bytes.size, NULL};
    if (!test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL)) {
        const bool fine =
            goes_through_files(map, path) && is_the_file_again(map, &file, path, &count->kept_bytes);
        count->bytes += file.size;
        count->maps++;
        count->wrong += !fine;
        tm_map_free(map);
    }
    tm_buffer_release(&file);
}

static void real_maps_go_through_files(void **state)
{
    (void)state;
    tally count = {0};
    if (test_many_corpus_maps(unpack_real_map, &count) == 0)
        skip();
    print_message("%u maps of %zu bytes, %zu of them kept\n", count.maps, count.bytes, count.kept_bytes);
    assert_int_equal(count.wrong, 0);
    assert_true(count.maps > 0);
    assert_true(count.kept_bytes < count.bytes / 10); /* most of it of four files that are no maps */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_maps_go_through_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
