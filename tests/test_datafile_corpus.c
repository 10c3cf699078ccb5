/* SPDX-License-Identifier: Zlib */
/*
 * Real files: each opens in the modes in which it should, is copied byte by byte in all three ways (with its
 * layout, with a new head over the old data, block by block), and its blocks are what zlib makes of them.
 *
 * test-timeout: 300
 */
#include "support/test.h"

#include <zlib.h>

#define NUM_MAPS 87

/* Blocks above this are left to other tests: zlib is slow under sanitizers. */
#define SMALL ((uint64_t)1 << 17)

static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE};

struct tally {
    uint32_t opened[3];
    uint32_t canonical, crude, checked;
};

static bool should_open(const char *path, tm_mode mode)
{
    if (strstr(path, "TestOut-2338a0")) /* tables that are no tables */
        return mode == TM_MODE_SALVAGE;
    if (strstr(path, "infc_half_provence-278010")) /* an envelope's id twice */
        return mode != TM_MODE_STRICT;
    return true;
}

enum way { WITH_LAYOUT, NEW_HEAD, BLOCK_BY_BLOCK };

/*
 * Adds what is in `datafile`; the blocks come from `blocks`, another handle on the same file or the same one.
 */
static struct test_bytes write_again(const tm_datafile *datafile, const tm_datafile *blocks, enum way way)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    OWN(tm_buffer) buffer = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_datafile_writer *writer;
    options.source = datafile;
    must(tm_datafile_writer_new(&writer, &options, NULL));
    for (uint32_t i = 0; i < tm_datafile_num_items(datafile); i++) {
        tm_datafile_item item;
        assert_true(tm_datafile_get_item(&item, datafile, i));
        int32_t from = way == WITH_LAYOUT || item.size % 4 != 0 ? (int32_t)i : TM_NONE;
        must(tm_datafile_writer_add_item(writer, &item, from, NULL));
    }
    for (uint32_t i = 0; i < tm_datafile_num_data(datafile); i++) {
        int32_t index;
        must(tm_datafile_writer_add_from(&index, writer, blocks, i, false, NULL));
    }
    must(tm_datafile_writer_finish(writer, &output, NULL, NULL, NULL));
    struct test_bytes bytes = {NULL, 0};
    test_bytes_append(&bytes, buffer.bytes, buffer.size);
    return bytes;
}

static void check_written(const tm_datafile *datafile, const tm_datafile *blocks, enum way way,
                          const struct test_bytes *file)
{
    OWN(test_bytes) written = write_again(datafile, blocks, way);
    assert_int_equal(written.size, file->size);
    assert_memory_equal(written.bytes, file->bytes, file->size);
}

static void check_copies(const tm_datafile *datafile, const struct test_bytes *file)
{
    struct test_input input = {.in_memory = true};
    tm_datafile_header header;
    OWN(tm_datafile) *other = test_open_fine(&input, file, TM_MODE_SALVAGE);
    tm_datafile_get_header(&header, datafile);
    check_written(datafile, datafile, WITH_LAYOUT, file);
    if (header.canonical) {
        check_written(datafile, datafile, NEW_HEAD, file);
        check_written(datafile, other, BLOCK_BY_BLOCK, file);
    }
}

static void check_block(const tm_datafile *datafile, uint32_t index, const struct test_bytes *file,
                        struct tally *tally)
{
    tm_datafile_data data;
    tm_data_state found;
    assert_true(tm_datafile_get_data(&data, datafile, index));
    if (data.size > SMALL || data.size == 0)
        return;
    FREED uint8_t *ours = malloc((size_t)data.size);
    FREED uint8_t *theirs = malloc((size_t)data.size);
    uLongf size = (uLongf)data.size;
    assert_non_null(ours);
    assert_non_null(theirs);
    must(tm_datafile_read_data(&found, datafile, index, ours, data.size, NULL));
    int zlib = uncompress(theirs, &size, file->bytes + data.offset, (uLong)data.packed_size);
    assert_int_equal(found == TM_DATA_FINE || found == TM_DATA_TRAILING, zlib == Z_OK && size == data.size);
    if (zlib == Z_OK)
        assert_memory_equal(ours, theirs, (size_t)data.size);
    tally->checked++;
}

static void check_map(void *ctx, const char *path)
{
    struct tally *tally = ctx;
    OWN(test_bytes) file = test_bytes_from_file(path);
    for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
        struct test_input input = {0};
        OWN(tm_findings) findings = test_findings();
        OWN(tm_datafile) *datafile;
        tm_datafile_header header;
        tm_status status = test_open(&datafile, &input, &file, modes[m], &findings, NULL);
        if ((status == TM_OK) != should_open(path, modes[m]))
            print_error("%s, mode %d\n", path, (int)modes[m]);
        assert_int_equal(status == TM_OK, should_open(path, modes[m]));
        if (status == TM_OK) {
            tally->opened[m]++;
            assert_true(input.num_reads <= 2);
            tm_datafile_get_header(&header, datafile);
            check_copies(datafile, &file);
            if (modes[m] != TM_MODE_SALVAGE)
                assert_true(header.canonical);
        }
        if (status == TM_OK && modes[m] == TM_MODE_GAME) {
            tally->canonical += header.canonical ? 1 : 0;
            tally->crude += header.crude_size && header.crude_swaplen ? 1 : 0;
            for (uint32_t i = 0; i < tm_datafile_num_data(datafile); i++)
                check_block(datafile, i, &file, tally);
        }
    }
}

TEST(test_corpus)
{
    struct tally tally = {{0, 0, 0}, 0, 0, 0};
    const size_t num = test_each_corpus_map(check_map, &tally);
    print_message(
        "%lu maps: %u open in mode game, %u strict, %u salvage; %u canonical, %u crude; %u blocks as by zlib\n",
        (unsigned long)num, tally.opened[0], tally.opened[1], tally.opened[2], tally.canonical, tally.crude,
        tally.checked);
    assert_int_equal(num, NUM_MAPS);
    assert_int_equal(tally.opened[0], NUM_MAPS - 1);
    assert_int_equal(tally.opened[1], NUM_MAPS - 2);
    assert_int_equal(tally.opened[2], NUM_MAPS);
    assert_int_equal(tally.canonical, NUM_MAPS - 1);
    assert_true(tally.checked > 500);
}
