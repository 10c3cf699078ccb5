/* SPDX-License-Identifier: Zlib */
/*
 * The real maps of the corpus as files, and back: every map that opens is the same map again.
 * Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/test.h"

typedef struct tally {
    size_t bytes, kept_bytes;
} tally;

static bool goes_through_files(const tm_map *map, const char *path)
{
    OWN(tm_memory_files) files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    OWN(tm_findings) findings = test_findings();
    OWN(tm_map) *read = NULL;
    tm_error error = {0};
    tm_status status = tm_mapdir_write(map, &out, NULL, NULL, &error);
    const tm_files_in folder = tm_memory_files_in(&files);
    if (!status)
        status = tm_mapdir_read(&read, NULL, &folder, NULL, NULL, &findings, &error);
    if (status)
        print_error("%s: %s: %s\n", path, error.place, error.text);
    if (findings.num)
        test_print_findings(&findings);
    return !status && findings.num == 0 && test_map_same(map, read);
}

/* With what was kept of the file it is the file again, to the last byte. */
static bool is_the_file_again(const tm_map *map, const tm_buffer *file, const char *path, size_t *kept_bytes)
{
    OWN(tm_memory_files) files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    OWN(tm_buffer) kept = {0};
    const tm_output to_kept = tm_output_to_buffer(&kept);
    tm_mapdir_write_options options = TM_MAPDIR_WRITE_OPTIONS_INIT;
    tm_sidecar read;
    OWN(tm_map) *reloaded;
    uint32_t num_other;
    must(tm_mapfile_sidecar_write(map, &to_kept, NULL, NULL));
    options.kept = kept.bytes;
    options.kept_size = kept.size;
    must(tm_mapdir_write(map, &out, &options, NULL, NULL));
    const tm_files_in folder = tm_memory_files_in(&files);
    must(tm_mapdir_read(&reloaded, &read, &folder, NULL, NULL, NULL, NULL));
    must(tm_mapfile_sidecar_apply(&num_other, reloaded, &read, NULL, NULL));
    OWN(tm_buffer) saved = test_map_save(reloaded, NULL);
    const bool same = num_other == 0 && test_buffer_same(&saved, file);
    if (!same)
        print_error("%s: %u blocks are packed in another way\n", path, num_other);
    *kept_bytes += kept.size;
    tm_sidecar_release(&read);
    return same;
}

static bool unpack_real_map(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    tally *count = ctx;
    count->bytes += file->size;
    return goes_through_files(map, path) && is_the_file_again(map, file, path, &count->kept_bytes);
}

TEST(real_maps_go_through_files)
{
    tally count = {0};
    test_real_maps(unpack_real_map, &count);
    print_message("%zu bytes, %zu of them kept\n", count.bytes, count.kept_bytes);
    assert_true(count.kept_bytes < count.bytes / 10); /* most of it of four files that are no maps */
}
