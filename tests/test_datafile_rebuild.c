/* SPDX-License-Identifier: Zlib */
/*
 * Files whose header contradicts their bytes, in mode salvage: every count that is wrong by a little or by
 * much, every row of every table that is missing or there twice, in both versions and with both magics; rows
 * of blocks that say something else than the streams; a header or tables of which nothing is left. Nothing of
 * such a file is lost: its map is the map of the whole file, saving it changes no byte, and rewriting it
 * makes a file that the strictest game opens. Also bytes that are missing or inserted in an item, which cost
 * that item only, and every length of a file: what is before its end stays.
 */
#include "support/lib_datafile.h"
#include "support/lib_maps.h"

/* Tables of a file, in the order in which they stand, and the bytes of a row. */
enum { TYPES, ITEM_OFFSETS, DATA_OFFSETS, DATA_SIZES, TABLES };
static const size_t row_sizes[TABLES] = {12, 4, 4, 4};
static const char *const table_names[TABLES] = {"types", "item offsets", "data offsets", "unpacked sizes"};

typedef struct whole {
    const char *name;
    tm_buffer file;
    tm_map *map; /* that the file has */
    int32_t version;
    size_t tables[TABLES], rows[TABLES]; /* where they begin, and how many rows they have */
} whole;

static int32_t word(const tm_buffer *file, size_t at)
{
    return test_peek(&(test_bytes){file->bytes, file->size}, at);
}

/* The same items and blocks in a file of this version; `is_old`: with the magic or the sums of its time. */
static whole whole_of(const char *name, const tm_buffer *file, int version, bool is_old)
{
    whole w = {.name = name, .version = version};
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    const test_bytes bytes = {file->bytes, file->size};
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &bytes, TM_MODE_STRICT);
    options.version = version;
    test_bytes copy = test_datafile_copy(datafile, &options, false, NULL);
    const int32_t table = 4 * test_peek(&copy, TEST_AT_NUM_DATA);
    if (is_old && version == 3) /* as before August 2007 */
        memcpy(copy.bytes, "ATAD", 4);
    for (size_t at = TEST_AT_SIZE; is_old && version == 4 && at <= TEST_AT_SWAPLEN; at += 4)
        test_poke(&copy, at, test_peek(&copy, at) - table); /* crude, as before September 2010 */
    w.file = (tm_buffer){.bytes = copy.bytes, .size = copy.size, .capacity = copy.size};
    w.map = test_map_load(&w.file, TM_MODE_STRICT, NULL);
    w.rows[TYPES] = (size_t)word(&w.file, TEST_AT_NUM_TYPES);
    w.rows[ITEM_OFFSETS] = (size_t)word(&w.file, TEST_AT_NUM_ITEMS);
    w.rows[DATA_OFFSETS] = (size_t)word(&w.file, TEST_AT_NUM_DATA);
    w.rows[DATA_SIZES] = version == 4 ? w.rows[DATA_OFFSETS] : 0;
    size_t at = 36;
    for (int t = 0; t < TABLES; t++) {
        w.tables[t] = at;
        at += w.rows[t] * row_sizes[t];
    }
    return w;
}

static void whole_release(whole *w)
{
    tm_map_free(w->map);
    free(w->file.bytes);
}

/* The map of a damaged file is that of the whole one, in all ways in which it is read. */
static void check_damaged(const whole *w, const test_bytes *damaged, bool is_layout, const char *description)
{
    OWN(tm_findings) findings = test_findings();
    const tm_buffer file = {.bytes = damaged->bytes, .size = damaged->size};
    OWN(tm_map) *map = NULL;
    tm_error error = {.offset = -1};
    const tm_status status = test_map_try(&map, &file, TM_MODE_SALVAGE, &findings, &error);
    if (status != TM_OK)
        print_error("%s, version %d, %s: %s\n", w->name, (int)w->version, description, error.text);
    assert_int_equal(status, TM_OK);
    if (!test_map_same(map, w->map)) {
        test_print_findings(&findings);
        fail_msg("%s, version %d, %s: another map", w->name, (int)w->version, description);
    }
    if (test_found(&findings, TM_FINDING_LAYOUT_REBUILT) != is_layout)
        fail_msg("%s, version %d, %s: layout-rebuilt is %s", w->name, (int)w->version, description,
                 is_layout ? "missing" : "there");
    /* untouched it stays as it is, and written again it is whole */
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_true(test_buffer_same(&saved, &file));
    OWN(tm_buffer) rewritten = test_map_rewrite(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&rewritten, TM_MODE_STRICT, NULL);
    assert_true(test_map_same(reloaded, w->map));
    /* the same through callbacks */
    struct test_input input = {0};
    OWN(tm_datafile) *datafile = test_open_fine(&input, damaged, TM_MODE_SALVAGE);
    assert_int_equal(tm_datafile_num_items(datafile), w->rows[ITEM_OFFSETS]);
    assert_int_equal(tm_datafile_num_data(datafile), w->rows[DATA_OFFSETS]);
}

static void check_counts(const whole *w)
{
    static const struct {
        const char *name;
        size_t at;
        bool is_size, is_layout;
    } fields[] = {{"size", TEST_AT_SIZE, true, false},
                  {"swaplen", TEST_AT_SWAPLEN, true, false},
                  {"number of types", TEST_AT_NUM_TYPES, false, true},
                  {"number of items", TEST_AT_NUM_ITEMS, false, true},
                  {"number of blocks", TEST_AT_NUM_DATA, false, true},
                  {"bytes of items", TEST_AT_ITEM_SIZE, true, true},
                  {"bytes of data", TEST_AT_DATA_SIZE, true, true}};
    static const int32_t changes[] = {1, -1, 2, -2, 4, -4, 12, -12};
    static const int32_t numbers[] = {0, 1, -1, 77777, INT32_MAX, INT32_MIN};
    for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++) {
        test_bytes file = test_bytes_copy(w->file.bytes, w->file.size);
        const int32_t old = test_peek(&file, fields[f].at);
        char what[80];
        for (size_t i = 0; i < (fields[f].is_size ? 8 : 4); i++) {
            snprintf(what, sizeof(what), "%s %+d", fields[f].name, (int)changes[i]);
            test_poke(&file, fields[f].at, old + changes[i]);
            check_damaged(w, &file, fields[f].is_layout, what);
        }
        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
            snprintf(what, sizeof(what), "%s %d", fields[f].name, (int)numbers[i]);
            test_poke(&file, fields[f].at, numbers[i]);
            if (numbers[i] != old)
                check_damaged(w, &file, fields[f].is_layout, what);
        }
        test_bytes_release(&file);
    }
}

static void check_rows(const whole *w)
{
    for (int t = 0; t < TABLES; t++)
        for (size_t row = 0; row < w->rows[t]; row++)
            for (int twice = 0; twice < 2; twice++) {
                const size_t at = w->tables[t] + row * row_sizes[t], next = at + row_sizes[t];
                const size_t rest = twice ? at : next;
                char what[80];
                test_bytes file = test_bytes_copy(w->file.bytes, twice ? next : at);
                test_bytes_append(&file, w->file.bytes + rest, w->file.size - rest);
                snprintf(what, sizeof(what), "row %zu of %s %s", row, table_names[t],
                         twice ? "twice" : "missing");
                check_damaged(w, &file, true, what);
                test_bytes_release(&file);
            }
}

/* A row of the table of blocks that says something else than the streams; version 3 has none. */
static void check_wrong_rows(const whole *w)
{
    for (int t = DATA_OFFSETS; w->version == 4 && t <= DATA_SIZES; t++)
        for (size_t row = 0; row < w->rows[t]; row++) {
            const size_t at = w->tables[t] + 4 * row;
            const int32_t old = word(&w->file, at);
            const int32_t offsets[] = {0,
                                       -1,
                                       old + 1,
                                       old - 1,
                                       old + 5000,
                                       INT32_MAX,
                                       INT32_MIN,
                                       word(&w->file, row ? at - 4 : at),
                                       word(&w->file, row + 1 < w->rows[t] ? at + 4 : at)};
            const int32_t sizes[] = {0, -1, old - 1, old / 2, old / 3, INT32_MIN, INT32_MAX, 1 << 28, 1};
            for (size_t i = 0; i < 9; i++) {
                const int32_t number = t == DATA_OFFSETS ? offsets[i] : sizes[i];
                char what[80];
                if (number == old)
                    continue;
                test_bytes file = test_bytes_copy(w->file.bytes, w->file.size);
                test_poke(&file, at, number);
                snprintf(what, sizeof(what), "row %zu of %s: %d", row, table_names[t], (int)number);
                check_damaged(w, &file, true, what);
                test_bytes_release(&file);
            }
        }
}

/* Whole items and blocks in front of the end of a file that is cut are those of the whole file. */
static void check_cut(const whole *w, size_t step)
{
    const test_bytes file = {w->file.bytes, w->file.size};
    OWN(tm_datafile) *source = test_open_fine(NULL, &file, TM_MODE_STRICT);
    for (size_t size = 36; size < w->file.size; size += step) {
        const test_bytes cut = {w->file.bytes, size};
        OWN(tm_datafile) *datafile = test_open_fine(NULL, &cut, TM_MODE_SALVAGE);
        for (uint32_t i = 0; i < tm_datafile_num_items(source); i++) {
            tm_datafile_item item, old;
            tm_datafile_get_item(&old, source, i);
            if (old.offset + 8 + (int64_t)old.size > (int64_t)size)
                continue;
            assert_true(tm_datafile_get_item(&item, datafile, i));
            assert_int_equal(item.type, old.type);
            assert_int_equal(item.id, old.id);
            assert_int_equal(item.size, old.size);
            assert_memory_equal(item.body, old.body, old.size);
        }
        for (uint32_t i = 0; i < tm_datafile_num_data(source); i++) {
            tm_datafile_data data, old;
            const void *bytes, *old_bytes;
            tm_datafile_get_data(&old, source, i);
            if (old.offset + old.packed_size > size)
                continue;
            assert_true(tm_datafile_get_data(&data, datafile, i));
            assert_int_equal(data.size, old.size);
            must(tm_datafile_data_bytes(&bytes, NULL, datafile, i, NULL));
            must(tm_datafile_data_bytes(&old_bytes, NULL, source, i, NULL));
            if (old.size)
                assert_memory_equal(bytes, old_bytes, old.size);
        }
    }
}

static void each_whole(void (*check)(const whole *w))
{
    OWN(tm_map) *full_map = test_map_everything(TM_GAME_DDNET),
                *small = test_map_of_layer(TM_LAYER_GAME, 5, 3);
    OWN(tm_buffer) first = test_map_save(full_map, NULL), second = test_map_save(small, NULL);
    const tm_buffer *const files[] = {&first, &second};
    static const char *const names[] = {"everything", "one layer"};
    for (size_t i = 0; i < 2; i++)
        for (int version = 3; version <= 4; version++) {
            whole w = whole_of(names[i], files[i], version, i == 1);
            check(&w);
            whole_release(&w);
        }
}

static void check_whole(const whole *w)
{
    const test_bytes file = {w->file.bytes, w->file.size};
    struct test_input input = {0};
    OWN(tm_findings) findings = test_findings();
    tm_datafile *datafile;
    must(test_open(&datafile, &input, &file, TM_MODE_SALVAGE, &findings, NULL));
    assert_false(test_found(&findings, TM_FINDING_LAYOUT_REBUILT));
    assert_in_range(input.num_reads, 1, 2); /* its head alone is read */
    tm_datafile_close(datafile);
}

TEST(whole_files_are_believed)
{
    each_whole(check_whole);
}

TEST(counts_that_are_wrong)
{
    each_whole(check_counts);
}

TEST(rows_that_are_missing_or_twice)
{
    each_whole(check_rows);
}

TEST(rows_of_blocks_that_are_wrong)
{
    each_whole(check_wrong_rows);
}

/*
 * Where nothing of the header or of the tables is left, the other one and the bytes themselves tell the
 * layout.
 */
static void check_lost_parts(const whole *w)
{
    const size_t counts_end = 36, tables_end = w->tables[DATA_SIZES] + w->rows[DATA_SIZES] * 4;
    const struct {
        const char *name;
        size_t begin, end;
        bool is_told; /* not by layout-rebuilt: items have their types themselves */
    } parts[] = {{"the counts", TEST_AT_NUM_TYPES, counts_end, false},
                 {"the table of types", counts_end, w->tables[ITEM_OFFSETS], true},
                 {"the item offsets", w->tables[ITEM_OFFSETS], w->tables[DATA_OFFSETS], false},
                 {"the data offsets", w->tables[DATA_OFFSETS], w->tables[DATA_SIZES], false},
                 {"the unpacked sizes", w->tables[DATA_SIZES], tables_end, false},
                 {"all tables", counts_end, tables_end, false}};
    for (size_t i = 0; w->version == 4 && i < sizeof(parts) / sizeof(parts[0]); i++)
        for (int byte = 0; byte < 256; byte += 255) {
            char what[80];
            test_bytes file = test_bytes_copy(w->file.bytes, w->file.size);
            memset(file.bytes + parts[i].begin, byte, parts[i].end - parts[i].begin);
            snprintf(what, sizeof(what), "%s of bytes %d", parts[i].name, byte);
            if (memcmp(file.bytes, w->file.bytes, w->file.size) != 0)
                check_damaged(w, &file, !parts[i].is_told, what);
            test_bytes_release(&file);
        }
}

TEST(parts_of_the_head_that_are_lost)
{
    each_whole(check_lost_parts);
}

/*
 * Any range of the head may be lost, in front of the items: the first bytes, which say what the file is, too.
 * Without them nothing of a map was read.
 */
static void check_lost_ranges(const whole *w)
{
    static const size_t lengths[] = {4, 16, 36, 100, SIZE_MAX};
    const size_t end = w->tables[DATA_SIZES] + w->rows[DATA_SIZES] * 4;
    for (size_t k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++)
        for (size_t at = 0; at < (w->version == 4 && lengths[k] < end ? end : 1); at += 12 + 4 * (k % 2)) {
            const size_t least = w->version == 4 || lengths[k] < 36 ? lengths[k] : 36;
            const size_t size = least < end - at ? least : end - at;
            OWN(test_bytes) file = test_bytes_copy(w->file.bytes, w->file.size);
            memset(file.bytes + at, 0, size);
            const tm_buffer damaged = {.bytes = file.bytes, .size = file.size};
            OWN(tm_findings) findings = test_findings();
            OWN(tm_map) *map = NULL;
            if (test_map_try(&map, &damaged, TM_MODE_SALVAGE, &findings, NULL) || !test_map_same(map, w->map))
                fail_msg("%s, version %d: another map without the %u bytes at %u", w->name, (int)w->version,
                         (unsigned)size, (unsigned)at);
            if (at > 0)
                continue;
            const tm_finding *finding = test_get_finding(&findings, TM_FINDING_LAYOUT_REBUILT);
            assert_non_null(finding);
            assert_non_null(strstr(finding->text, "DATA at its start, not the bytes 00 00 00 00"));
            OWN(tm_buffer) saved = test_map_save(map, NULL);
            assert_true(test_buffer_same(&saved, &damaged));
            OWN(tm_buffer) rewritten = test_map_rewrite(map, NULL);
            OWN(tm_map) *reloaded = test_map_load(&rewritten, TM_MODE_STRICT, NULL);
            assert_true(test_map_same(reloaded, w->map));
        }
}

TEST(ranges_of_the_head_that_are_lost)
{
    each_whole(check_lost_ranges);
}

/* What has not the first bytes of a datafile, and does not prove to be one, is none. */
TEST(other_files_are_no_maps)
{
    uint8_t bytes[4096];
    for (int kind = 0; kind < 4; kind++) {
        static const char text[] = "a text of so many words ";
        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = kind == 0   ? 0
                       : kind == 1 ? 255
                       : kind == 2 ? (uint8_t)(i * i >> 3)
                                   : (uint8_t)text[i % (sizeof(text) - 1)];
        for (size_t size = 0; size <= sizeof(bytes); size += size < 64 ? 1 : 500) {
            const tm_buffer file = {.bytes = bytes, .size = size};
            OWN(tm_map) *map = NULL;
            assert_int_equal(test_map_try(&map, &file, TM_MODE_SALVAGE, NULL, NULL), TM_ERROR_DAMAGED);
        }
    }
}

/* Bytes that are missing or inserted in one item cost this item and nothing else. */
static void check_hole(const whole *w, tm_datafile *source, uint32_t index, int change)
{
    tm_datafile_item item, old;
    tm_datafile_get_item(&old, source, index);
    const size_t middle = (size_t)old.offset + 8 + old.size / 2;
    const uint8_t inserted[8] = {7, 0, 0, 0, 9, 0, 0, 0};
    OWN(tm_findings) findings = test_findings();
    struct test_input input = {0};
    tm_datafile *datafile;
    OWN(test_bytes) file = test_bytes_copy(w->file.bytes, middle);
    if (change > 0)
        test_bytes_append(&file, inserted, (size_t)change);
    const size_t rest = change < 0 ? middle + (size_t)-change : middle;
    test_bytes_append(&file, w->file.bytes + rest, w->file.size - rest);
    must(test_open(&datafile, &input, &file, TM_MODE_SALVAGE, &findings, NULL));
    const tm_finding *finding = test_get_finding(&findings, TM_FINDING_LAYOUT_REBUILT);
    char place[24];
    snprintf(place, sizeof(place), "item/%u", index);
    assert_non_null(finding);
    assert_string_equal(finding->address, place);
    assert_int_equal(tm_datafile_num_items(datafile), tm_datafile_num_items(source));
    for (uint32_t i = 0; i < tm_datafile_num_items(source); i++) {
        assert_true(tm_datafile_get_item(&item, datafile, i));
        tm_datafile_get_item(&old, source, i);
        assert_int_equal(item.type, old.type);
        assert_int_equal(item.size, i == index ? 0 : old.size);
        if (i != index && old.size)
            assert_memory_equal(item.body, old.body, old.size);
    }
    for (uint32_t i = 0; i < tm_datafile_num_data(source); i++) {
        const void *bytes, *old_bytes;
        tm_datafile_data data, old_data;
        tm_datafile_get_data(&data, datafile, i);
        tm_datafile_get_data(&old_data, source, i);
        assert_int_equal(data.size, old_data.size);
        must(tm_datafile_data_bytes(&bytes, NULL, datafile, i, NULL));
        must(tm_datafile_data_bytes(&old_bytes, NULL, source, i, NULL));
        if (data.size)
            assert_memory_equal(bytes, old_bytes, data.size);
    }
    tm_datafile_close(datafile);
}

static void check_holes(const whole *w)
{
    static const int changes[] = {-1, -4, -7, 1, 4, 8};
    const test_bytes file = {w->file.bytes, w->file.size};
    OWN(tm_datafile) *source = test_open_fine(NULL, &file, TM_MODE_STRICT);
    tm_datafile_item item;
    /* in version 3, nothing tells where the data begin if it is not the next item */
    const uint32_t num = tm_datafile_num_items(source) - (w->version == 3);
    for (uint32_t i = 0; i < num; i++) {
        tm_datafile_get_item(&item, source, i);
        for (size_t k = 0; item.size >= 16 && k < sizeof(changes) / sizeof(changes[0]); k++)
            check_hole(w, source, i, changes[k]);
    }
}

TEST(bytes_missing_or_inserted_in_items)
{
    each_whole(check_holes);
}

/* A group that cannot be read keeps its layers. */
TEST(layers_of_lost_groups)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) whole_file = test_map_save(made, NULL);
    const test_bytes complete = {whole_file.bytes, whole_file.size};
    OWN(tm_datafile) *source = test_open_fine(NULL, &complete, TM_MODE_STRICT);
    tm_datafile_type type;
    tm_datafile_item item;
    assert_true(tm_datafile_find_type(&type, source, TM_ITEM_GROUP));
    assert_true(type.num > 1);
    for (uint32_t g = 0; g < type.num; g++) {
        tm_datafile_get_item(&item, source, type.first + g);
        test_bytes file = test_bytes_copy(whole_file.bytes, (size_t)item.offset + 20);
        test_bytes_append(&file, whole_file.bytes + item.offset + 24,
                          whole_file.size - (size_t)item.offset - 24);
        const tm_buffer damaged = {.bytes = file.bytes, .size = file.size};
        OWN(tm_map) *map = test_map_load(&damaged, TM_MODE_SALVAGE, NULL);
        assert_int_equal(map->num_groups, made->num_groups);
        for (uint32_t i = 0; i < made->num_groups; i++) {
            assert_int_equal(map->groups[i].num_layers, made->groups[i].num_layers);
            for (uint32_t l = 0; l < made->groups[i].num_layers; l++)
                assert_int_equal(map->groups[i].layers[l].kind, made->groups[i].layers[l].kind);
        }
        test_bytes_release(&file);
    }
}

/*
 * As from a converter in the wild: a type is counted in the header and the sums that is not written, and
 * items of a type do not all lie together.
 */
TEST(a_type_that_is_only_counted)
{
    for (int together = 0; together < 2; together++) {
        OWN(test_recipe) recipe = test_recipe_new(4);
        test_recipe_item(&recipe, 0, 0, 1, 1);
        test_recipe_item(&recipe, 1, 0, 5, 1, -1, -1, -1, -1);
        test_recipe_item(&recipe, 4, 0, 3, 7, 8, 9);
        test_recipe_item(&recipe, together ? 4 : 5, 1, 2, 5, 6);
        test_recipe_item(&recipe, 4, 2, 1, 3);
        test_recipe_item(&recipe, 6, 0, 0);
        test_recipe_data(&recipe, "tiles and tiles", 16);
        test_recipe_data(&recipe, "more", 5);
        if (!together) { /* a row for each type */
            recipe.types[2][2] = 2;
            memcpy(recipe.types[4], recipe.types[5], sizeof(recipe.types[0]));
            recipe.num_types--;
        }
        OWN(test_bytes) file = test_recipe_build(&recipe);
        for (size_t at = TEST_AT_SIZE; at <= TEST_AT_SWAPLEN; at += 4)
            test_poke(&file, at, test_peek(&file, at) + 12);
        test_poke(&file, TEST_AT_NUM_TYPES, test_peek(&file, TEST_AT_NUM_TYPES) + 1);
        OWN(tm_findings) findings = test_findings();
        struct test_input input = {0};
        OWN(tm_datafile) *datafile = NULL;
        must(test_open(&datafile, &input, &file, TM_MODE_SALVAGE, &findings, NULL));
        assert_true(test_found(&findings, TM_FINDING_LAYOUT_REBUILT));
        assert_int_equal(tm_datafile_num_items(datafile), 6);
        assert_int_equal(tm_datafile_num_data(datafile), 2);
        tm_datafile_type type;
        assert_true(tm_datafile_find_type(&type, datafile, 4));
        assert_int_equal(type.num, together ? 3 : 2);
        const tm_datafile_writer_options options = {.size = sizeof(options), .force_canonical = true};
        OWN(test_bytes) second = test_datafile_copy(datafile, &options, false, NULL);
        tm_datafile *strict = test_open_fine(NULL, &second, TM_MODE_STRICT);
        tm_datafile_close(strict);
    }
}

static void check_cuts(const whole *w)
{
    check_cut(w, w->file.size < 2000 ? 1 : 7);
}

TEST(files_that_are_cut)
{
    each_whole(check_cuts);
}
