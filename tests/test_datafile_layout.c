/* SPDX-License-Identifier: Zlib */
/*
 * Layouts: an untouched file keeps its own to the last byte, however odd; a changed one keeps as much of it as it can,
 * and says what it could not keep.
 */
#include "support/test.h"
#include "datafile/datafile.h"

/* A sound file whose layout has everything that a writer would do otherwise. */
static struct test_bytes odd_file(struct test_recipe *recipe)
{
    *recipe = test_recipe_new(4);
    test_recipe_item(recipe, 5, 0, 2, 50, 51);
    test_recipe_item(recipe, 2, 0, 1, 20); /* types out of order */
    test_recipe_item(recipe, 2, 1, 3, 21, 22, 23);
    recipe->item_offsets[2] += 8; /* a gap, inside the item before */
    test_bytes_append(&recipe->items, "gapsgaps", 8);
    test_recipe_data(recipe, "one", 4);
    test_bytes_append(&recipe->data, "more", 4); /* behind the stream */
    test_recipe_data(recipe, "two", 4);
    recipe->crude_size = true;
    struct test_bytes file = test_recipe_build(recipe);
    test_bytes_append(&file, "after the end", 13);
    /* Move the last item's header and body to where the offset says. */
    size_t at = test_at_items(recipe);
    memmove(file.bytes + at + 36, file.bytes + at + 28, 20);
    memcpy(file.bytes + at + 28, "gapsgaps", 8);
    return file;
}

TEST(test_odd_layout_is_kept)
{
    OWN(test_recipe) recipe;
    OWN(tm_findings) findings = test_findings();
    OWN(test_bytes) file = odd_file(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    OWN(test_bytes) copy = test_datafile_copy(datafile, NULL, false, &findings);
    test_assert_same_bytes(&copy, &file);
    assert_int_equal(findings.num, 0);

    /* The same through the writer, in another order, with one body changed. */
    tm_datafile_writer *writer = test_writer_new(datafile);
    OWN(test_bytes) changed = test_bytes_copy(file.bytes, file.size);
    static const int order[] = {1, 0, 2};
    for (int i = 0; i < 3; i++) {
        tm_datafile_item item;
        uint8_t body[64];
        assert_true(tm_datafile_get_item(&item, datafile, (uint32_t)order[i]));
        memcpy(body, item.body, item.size);
        if (order[i] == 2) {
            body[0] ^= 0x55;
            changed.bytes[item.offset + 8] ^= 0x55;
        }
        must(tm_datafile_writer_add_item(writer, &(tm_datafile_item){item.type, item.id, item.size, body, 0},
                                         order[i], NULL));
    }
    int32_t index;
    for (uint32_t i = 0; i < 2; i++)
        must(tm_datafile_writer_add_from(&index, writer, datafile, i, false, NULL));
    OWN(test_bytes) written = test_writer_finish(writer, &findings);
    test_assert_same_bytes(&written, &changed);
    assert_int_equal(findings.num, 0);
}

/*
 * With an item more the head is new, but the data and what follows them stay; with a block more they are
 * packed close.
 */
TEST(test_odd_layout_is_left)
{
    OWN(test_recipe) recipe;
    OWN(test_bytes) file = odd_file(&recipe);
    size_t data_at = test_at_data(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    for (int with_block = 0; with_block < 2; with_block++) {
        OWN(tm_findings) findings = test_findings();
        tm_datafile_header header;
        int32_t index;
        tm_datafile_writer *writer = test_writer_new(datafile);
        for (uint32_t i = 0; i < 3; i++) {
            tm_datafile_item item;
            assert_true(tm_datafile_get_item(&item, datafile, i));
            must(tm_datafile_writer_add_item(writer, &item, (int32_t)i, NULL));
        }
        test_writer_add_ints(writer, 2, 7, 1, (const int32_t[]){1});
        for (uint32_t i = 0; i < 2; i++)
            must(tm_datafile_writer_add_from(&index, writer, datafile, i, false, NULL));
        if (with_block)
            must(tm_datafile_writer_add_data(&index, writer, "three", 6, 0, NULL));
        OWN(test_bytes) written = test_writer_finish(writer, &findings);
        assert_true(test_found(&findings, TM_FINDING_LAYOUT_NORMALISED));
        OWN(tm_datafile) *copy = test_open_fine(NULL, &written, with_block ? TM_MODE_STRICT : TM_MODE_GAME);
        tm_datafile_get_header(&header, copy);
        assert_true(header.crude_size);
        assert_false(header.crude_swaplen);
        assert_int_equal(header.canonical, with_block);
        assert_int_equal(tm_datafile_num_items(copy), 4);
        if (!with_block) {
            assert_int_equal(written.size - header.head_size, file.size - data_at);
            assert_memory_equal(written.bytes + header.head_size, file.bytes + data_at, file.size - data_at);
        } else {
            uint8_t packed[16];
            tm_datafile_data data;
            assert_true(
                tm_datafile_get_data(&data, copy, 0)); /* the bytes behind the stream are in its range */
            must(tmi_datafile_read_packed(copy, 0, packed, NULL));
            assert_memory_equal(packed, file.bytes + data_at, (size_t)data.packed_size);
        }
    }
}

TEST(test_force_canonical)
{
    OWN(test_recipe) recipe;
    OWN(tm_findings) findings;
    tm_datafile_header header;
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    OWN(test_bytes) file = odd_file(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    options.force_canonical = true;
    tm_findings_init(&findings, 0, NULL);
    OWN(test_bytes) written = test_datafile_copy(datafile, &options, false, &findings);
    assert_int_equal(findings.num, 0);
    OWN(tm_datafile) *copy = test_open_fine(NULL, &written, TM_MODE_STRICT);
    tm_datafile_get_header(&header, copy);
    assert_true(header.canonical);
    assert_false(header.crude_size);
}

/* Two bodies in the same bytes cannot both change: then, and only then, each gets its own. */
TEST(test_overlapping_items)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    test_recipe_item(&recipe, 1, 0, 2, 10, 11);
    test_recipe_item(&recipe, 1, 1, 2, 20, 21);
    test_recipe_item(&recipe, 1, 2, 2, 30, 31);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    test_poke(&file, test_at_item_offset(&recipe, 1), 0); /* the second is the first once more */
    for (int conflict = 0; conflict < 2; conflict++) {
        OWN(tm_findings) findings = test_findings();
        tm_datafile_item item;
        OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
        tm_datafile_writer *writer = test_writer_new(datafile);
        for (uint32_t i = 0; i < 3; i++) {
            uint8_t body[32] = {0};
            assert_true(tm_datafile_get_item(&item, datafile, i));
            assert_true(item.size <= sizeof(body));
            memcpy(body, item.body, item.size);
            body[0] = (uint8_t)(i < 2 && !conflict ? 77 : 70 + i);
            must(tm_datafile_writer_add_item(
                writer, &(tm_datafile_item){item.type, item.id, item.size, body, 0}, (int32_t)i, NULL));
        }
        OWN(test_bytes) written = test_writer_finish(writer, &findings);
        OWN(tm_datafile) *copy = test_open_fine(NULL, &written, TM_MODE_GAME);
        assert_int_equal(test_found(&findings, TM_FINDING_LAYOUT_NORMALISED), conflict);
        assert_int_equal(written.size == file.size, !conflict);
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(tm_datafile_get_item(&item, copy, i));
            assert_int_equal(tm_datafile_item_int(&item, 0, 0), i < 2 && !conflict ? 77 : 70 + (int)i);
        }
    }
}

/* Untouched blocks side by side are copied in one call. */
TEST(test_copies_are_joined)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    struct test_input input = {0};
    for (int i = 0; i < 40; i++)
        test_recipe_data(&recipe, &i, sizeof(i));
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(&input, &file, TM_MODE_GAME);
    for (int with_block = 0; with_block < 2; with_block++) {
        struct test_counter counter;
        tm_output output = test_counter_output(&counter);
        int32_t index;
        tm_datafile_writer *writer = test_writer_new(datafile);
        for (uint32_t i = 0; i < 40; i++)
            if (with_block && i == 13)
                must(tm_datafile_writer_add_data(&index, writer, "x", 2, 0, NULL));
            else
                must(tm_datafile_writer_add_from(&index, writer, datafile, i, false, NULL));
        must(tm_datafile_writer_finish(writer, &output, NULL, NULL, NULL));
        assert_int_equal(counter.writes, 1 + with_block);
        assert_int_equal(counter.copies, 1 + with_block);
        assert_in_range(counter.copied, recipe.data.size - 20, recipe.data.size);
    }
    assert_int_equal(input.num_reads, 1);
}
