/* SPDX-License-Identifier: Zlib */
/*
 * What is refused, and what is said about it. Every check of DDNet's loader (docs/format.md section 1.9) has
 * a row here: a sound file with one thing changed, the finding that this must give, and whether each mode
 * still opens it. Then mode strict is compared with a second, separate reading of the same section over
 * thousands of changed files.
 */
#include "support/test.h"

/* What a row changes: an integer of the built file, or its length. */
enum where {
    FIELD,       /* of the header, at `index` */
    TYPE,        /* of the type table, column `index` of entry `entry` */
    ITEM_OFFSET, /* entry `entry` */
    DATA_OFFSET,
    DATA_SIZE,
    ITEM_WORD, /* type << 16 | id of item `entry` */
    SIZE_WORD, /* of item `entry` */
    CUT,       /* `value` bytes are left of the file; negative: so many go */
    APPEND     /* `value` bytes follow */
};

struct row {
    const char *name;
    enum where where;
    uint32_t entry;
    uint32_t index;
    int32_t value;
    bool relative; /* `value` is added to what is there */
    tm_finding_id id;
    bool strict, game, salvage; /* opens */
    bool rebuilt; /* mode salvage reads the file as if this were not wrong, and says so instead */
};

#define NEVER              false, false, false, false
#define SALVAGE            false, false, true, false
#define NOT_STRICT         false, true, true, false
#define ALWAYS             true, true, true, false
#define REBUILT            false, false, true, true
#define NOT_STRICT_REBUILT false, true, true, true

static const struct row rows[] = {
    /* 1 to 3 */
    {"cut in the header", CUT, 0, 0, 35, false, TM_FINDING_HEAD_CUT, NEVER},
    {"nothing at all", CUT, 0, 0, 0, false, TM_FINDING_HEAD_CUT, NEVER},
    {"magic", FIELD, 0, 0, 0x41544144 + 1, false, TM_FINDING_BAD_MAGIC, REBUILT},
    {"version 5", FIELD, 0, TEST_AT_VERSION, 5, false, TM_FINDING_BAD_VERSION, SALVAGE},
    {"version 2", FIELD, 0, TEST_AT_VERSION, 2, false, TM_FINDING_BAD_VERSION, SALVAGE},
    /* 4 */
    {"negative types", FIELD, 0, TEST_AT_NUM_TYPES, -1, false, TM_FINDING_BAD_COUNTS, REBUILT},
    {"negative items", FIELD, 0, TEST_AT_NUM_ITEMS, -1, false, TM_FINDING_BAD_COUNTS, REBUILT},
    {"negative data", FIELD, 0, TEST_AT_NUM_DATA, INT32_MIN, false, TM_FINDING_BAD_COUNTS, REBUILT},
    {"negative item size", FIELD, 0, TEST_AT_ITEM_SIZE, -4, false, TM_FINDING_BAD_COUNTS, REBUILT},
    {"negative data size", FIELD, 0, TEST_AT_DATA_SIZE, -1, false, TM_FINDING_BAD_COUNTS, REBUILT},
    {"odd item size", FIELD, 0, TEST_AT_ITEM_SIZE, 1, true, TM_FINDING_ITEM_SIZE_ODD, NOT_STRICT_REBUILT},
    /* 5 */
    {"more types than there are", FIELD, 0, TEST_AT_NUM_TYPES, 0x10000, false, TM_FINDING_HEAD_CUT, REBUILT},
    {"more items than there are", FIELD, 0, TEST_AT_NUM_ITEMS, INT32_MAX, false, TM_FINDING_HEAD_CUT,
     REBUILT},
    {"cut in the head", CUT, 0, 0, 100, false, TM_FINDING_HEAD_CUT, SALVAGE},
    {"cut in the data", CUT, 0, 0, -1, false, TM_FINDING_DATA_CUT, NOT_STRICT},
    {"one byte after the end", APPEND, 0, 0, 1, false, TM_FINDING_TRAILING_BYTES, NOT_STRICT},
    {"data size too small", FIELD, 0, TEST_AT_DATA_SIZE, -1, true, TM_FINDING_TRAILING_BYTES,
     NOT_STRICT_REBUILT},
    /* 6 and 7 */
    {"size", FIELD, 0, TEST_AT_SIZE, 1, true, TM_FINDING_BAD_SIZE_FIELD, NOT_STRICT},
    {"crude size", FIELD, 0, TEST_AT_SIZE, -12, true, TM_FINDING_CRUDE_SIZES, ALWAYS},
    {"swaplen", FIELD, 0, TEST_AT_SWAPLEN, -4, true, TM_FINDING_BAD_SWAPLEN_FIELD, NOT_STRICT},
    {"crude swaplen", FIELD, 0, TEST_AT_SWAPLEN, -12, true, TM_FINDING_CRUDE_SIZES, ALWAYS},
    /* 9 */
    {"type above 65535", TYPE, 4, 0, 0x10000, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    {"negative type", TYPE, 0, 0, -1, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    {"type twice", TYPE, 1, 0, 0, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    {"type without items", TYPE, 2, 2, 0, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    {"type with fewer than none", TYPE, 2, 2, -1, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    {"type starts late", TYPE, 1, 1, 1, true, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    {"type starts before the items", TYPE, 1, 1, -7, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    /* 10 */
    {"last type too long", TYPE, 4, 2, 1000, false, TM_FINDING_BAD_TYPE_TABLE, NOT_STRICT},
    /* 11 */
    {"first item late", ITEM_OFFSET, 0, 0, 4, false, TM_FINDING_ITEM_GAP, NOT_STRICT_REBUILT},
    {"item before the items", ITEM_OFFSET, 2, 0, -4, false, TM_FINDING_BAD_ITEM_OFFSET, REBUILT},
    {"item behind the items", ITEM_OFFSET, 6, 0, 4096, false, TM_FINDING_BAD_ITEM_OFFSET, REBUILT},
    {"item like the one before", ITEM_OFFSET, 2, 0, 12, false, TM_FINDING_ITEM_GAP, NOT_STRICT_REBUILT},
    {"item before the one before", ITEM_OFFSET, 2, 0, 0, false, TM_FINDING_ITEM_GAP, NOT_STRICT_REBUILT},
    /* 12 */
    {"item too close", ITEM_OFFSET, 2, 0, 16, false, TM_FINDING_ITEM_GAP, NOT_STRICT_REBUILT},
    {"type of an item", ITEM_WORD, 1, 0, 0x00030000, false, TM_FINDING_ITEM_TYPE_MISMATCH, NOT_STRICT},
    {"same id", ITEM_WORD, 2, 0, 0x00020000, false, TM_FINDING_DUPLICATE_ITEM_ID, NOT_STRICT},
    {"same id of UUID items", ITEM_WORD, 5, 0, (int32_t)0xFFFE0000, false, TM_FINDING_DUPLICATE_ITEM_ID,
     NOT_STRICT},
    {"size word too small", SIZE_WORD, 1, 0, 8, false, TM_FINDING_ITEM_SIZE_MISMATCH, NOT_STRICT},
    {"size word negative", SIZE_WORD, 1, 0, -4, false, TM_FINDING_ITEM_SIZE_MISMATCH, NOT_STRICT},
    {"size word too large", SIZE_WORD, 6, 0, 20, false, TM_FINDING_ITEM_SIZE_MISMATCH, NOT_STRICT},
    /* 14 */
    {"first block late", DATA_OFFSET, 0, 0, 1, false, TM_FINDING_DATA_GAP, NOT_STRICT},
    {"block before the data", DATA_OFFSET, 1, 0, -1, false, TM_FINDING_BAD_DATA_OFFSET, NOT_STRICT},
    {"block behind the data", DATA_OFFSET, 2, 0, 0x7FFFFFFF, false, TM_FINDING_BAD_DATA_OFFSET, NOT_STRICT},
    {"block like the one before", DATA_OFFSET, 1, 0, 0, false, TM_FINDING_DATA_OVERLAP, NOT_STRICT},
    {"block before the one before", DATA_OFFSET, 2, 0, 3, false, TM_FINDING_BAD_DATA_OFFSET, NOT_STRICT},
    /* 15 */
    {"negative unpacked size", DATA_SIZE, 1, 0, -1, false, TM_FINDING_BAD_DATA_SIZE, NOT_STRICT},
    /* what DDNet does not look at */
    {"types out of order", TYPE, 2, 0, 1, false, TM_FINDING_TYPE_ORDER,
     NOT_STRICT}, /* the item's own type differs */
};

static size_t place_of(const struct test_recipe *recipe, const struct row *row)
{
    switch (row->where) {
    case FIELD: return row->index;
    case TYPE: return test_at_type(recipe, row->entry) + 4 * (size_t)row->index;
    case ITEM_OFFSET: return test_at_item_offset(recipe, row->entry);
    case DATA_OFFSET: return test_at_data_offset(recipe, row->entry);
    case DATA_SIZE: return test_at_data_size(recipe, row->entry);
    case ITEM_WORD: return test_at_item(recipe, row->entry);
    case SIZE_WORD: return test_at_item(recipe, row->entry) + 4;
    case CUT:
    case APPEND: break;
    }
    return 0;
}

static void apply(const struct test_recipe *recipe, const struct row *row, struct test_bytes *file)
{
    static const uint8_t more[16] = {1, 2, 3};
    size_t at = place_of(recipe, row);
    if (row->where == CUT)
        file->size = row->value >= 0 ? (size_t)row->value : file->size - (size_t)-row->value;
    else if (row->where == APPEND)
        test_bytes_append(file, more, (size_t)row->value);
    else
        test_poke(file, at, row->relative ? test_peek(file, at) + row->value : row->value);
}

/* Opens, checks that the status fits the findings, and returns whether it opened. */
static bool opens(const struct test_bytes *file, tm_mode mode, tm_findings *findings)
{
    struct test_input input = {0};
    tm_datafile *datafile;
    tm_error error = {.code = TM_OK};
    bool refused = file->size < 36; /* nothing can be made of less in any mode */
    tm_status status = test_open(&datafile, &input, file, mode, findings, &error);
    for (size_t i = 0; i < findings->num; i++) {
        refused = refused || findings->list[i].refuses;
        assert_in_range(findings->list[i].offset, 0, file->size);
    }
    assert_int_equal(status, refused ? TM_ERROR_DAMAGED : TM_OK);
    assert_int_equal(error.code, status);
    assert_int_equal(datafile ? 1 : 0, status == TM_OK);
    if (status != TM_OK)
        assert_true(error.text[0] != '\0');
    tm_datafile_close(datafile);
    assert_int_equal(input.num_closes, 1);
    return status == TM_OK;
}

static void check_row(const struct row *row, tm_mode mode, bool should_open)
{
    OWN(tm_findings) findings = test_findings();
    OWN(test_recipe) recipe = test_recipe_sample(4);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    apply(&recipe, row, &file);
    bool opened = opens(&file, mode, &findings);
    const tm_finding_id id = row->rebuilt && mode == TM_MODE_SALVAGE ? TM_FINDING_LAYOUT_REBUILT : row->id;
    if (opened != should_open || !test_found(&findings, id)) {
        print_error("row '%s', mode %d: opened %d, should %d\n", row->name, (int)mode, opened, should_open);
        for (size_t i = 0; i < findings.num; i++)
            print_error("  %s %s\n", tm_finding_name(findings.list[i].id), findings.list[i].text);
    }
    assert_int_equal(opened, should_open);
    assert_true(test_found(&findings, id));
    assert_int_equal(test_found(&findings, TM_FINDING_LAYOUT_REBUILT), id == TM_FINDING_LAYOUT_REBUILT);
}

TEST(test_rows)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check_row(&rows[i], TM_MODE_STRICT, rows[i].strict);
        check_row(&rows[i], TM_MODE_GAME, rows[i].game);
        check_row(&rows[i], TM_MODE_SALVAGE, rows[i].salvage);
    }
}

/* Builds the file; with one finding alone in mode strict where it opens, among others where not. */
static void judge(const struct test_recipe *recipe, bool strict, tm_finding_id id)
{
    OWN(test_bytes) file = test_recipe_build(recipe);
    OWN(tm_findings) findings = test_findings();
    assert_int_equal(opens(&file, TM_MODE_STRICT, &findings), strict);
    assert_true(!strict || findings.num == 1);
    assert_true(test_found(&findings, id));
}

/* Checks of DDNet that the table above cannot express. */
TEST(test_other_rows)
{
    OWN(test_recipe) types = test_recipe_new(4), indices = test_recipe_new(4), data = test_recipe_new(4);
    test_recipe_item(&types, 5, 0, 1, 1);
    test_recipe_item(&types, 2, 0, 1, 1);
    judge(&types, true, TM_FINDING_TYPE_ORDER); /* types need not ascend */

    test_recipe_item(&indices, 5, 9, 1, 1);
    test_recipe_item(&indices, 5, 3, 1, 1); /* ids neither */
    test_recipe_item(&indices, 0xFFFF, 0x9007, 0);
    test_recipe_item(&indices, 0xFFFF, 0x9007, 0);
    judge(&indices, true, TM_FINDING_UUID_INDEX_DUPLICATE);

    /* Without blocks there may be data; without items no bytes of items. */
    test_bytes_append(&data.data, "1234", 4);
    judge(&data, true, TM_FINDING_DATA_UNCLAIMED);
    test_bytes_append(&data.items, "1234", 4);
    judge(&data, false, TM_FINDING_ITEM_GAP);
}

/* In version 3 an empty block at the end has no place, and sizes have no crude form. */
TEST(test_version_3)
{
    OWN(test_recipe) recipe = test_recipe_sample(3);
    test_recipe_data(&recipe, "", 0);
    judge(&recipe, false, TM_FINDING_DATA_OVERLAP);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_findings) findings = test_findings(), crude = test_findings();
    assert_true(opens(&file, TM_MODE_GAME, &findings));
    test_poke(&file, TEST_AT_SIZE, test_peek(&file, TEST_AT_SIZE) - 16);
    assert_true(opens(&file, TM_MODE_GAME, &crude));
    assert_true(test_found(&crude, TM_FINDING_BAD_SIZE_FIELD));
}

/* Gives the header, then zeros for as long as anyone likes. */
static tm_status read_endless(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    const struct test_bytes *header = ctx;
    (void)error;
    assert_int_equal(offset, 0);
    assert_true(size >= header->size && size < 1 << 20);
    memset(buffer, 0, size);
    memcpy(buffer, header->bytes, header->size);
    return TM_OK;
}

/* Check 8: the head would fit the file, but not what DDNet allows itself; nobody reads on to find that out. */
TEST(test_huge_head)
{
    static const int32_t num_data = 150000000;
    OWN(test_bytes) header = test_bytes_from_hex("44415441 04000000 00000000 00000000 00000000 00000000"
                                                 "00000000 00000000 00000000");
    tm_limits limits = TM_LIMITS_INIT;
    tm_datafile_options options = {sizeof(options), TM_MODE_STRICT, &limits, NULL};
    tm_findings findings;
    tm_datafile *datafile;
    test_poke(&header, TEST_AT_SIZE, 20 + 8 * num_data);
    test_poke(&header, TEST_AT_SWAPLEN, 20 + 8 * num_data);
    test_poke(&header, TEST_AT_NUM_DATA, num_data);
    tm_input input = {&header, 36 + 8 * (uint64_t)num_data, NULL, read_endless, NULL, NULL};
    limits.file_bytes = UINT64_MAX;
    limits.blocks = UINT64_MAX;
    tm_findings_init(&findings, 0, NULL);
    assert_int_equal(tm_datafile_open(&datafile, input, &options, &findings, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(findings.num, 1);
    assert_int_equal(findings.list[0].id, TM_FINDING_BAD_COUNTS);
    tm_findings_release(&findings);
    limits.blocks = 0; /* the other modes have the limit only */
    options.mode = TM_MODE_GAME;
    assert_int_equal(tm_datafile_open(&datafile, input, &options, NULL, NULL), TM_ERROR_LIMIT);
}

/* A third-party writer's file: its header counts more than there is, so no client makes anything of it. */
static void find_test_out(void *ctx, const char *path)
{
    char *found = ctx;
    if (strstr(path, "TestOut-2338a0.map"))
        snprintf(found, 1024, "%s", path);
}

TEST(test_broken_file)
{
    char path[1024] = "";
    test_each_corpus_map(find_test_out, path);
    OWN(test_bytes) file = test_bytes_from_file(path);
    for (int mode = TM_MODE_GAME; mode <= TM_MODE_SALVAGE; mode++) {
        OWN(tm_findings) findings = test_findings();
        assert_int_equal(opens(&file, (tm_mode)mode, &findings), mode == TM_MODE_SALVAGE);
        assert_int_equal(test_found(&findings, TM_FINDING_BAD_ITEM_OFFSET), mode != TM_MODE_SALVAGE);
        assert_int_equal(test_found(&findings, TM_FINDING_DATA_CUT), mode != TM_MODE_SALVAGE);
        const tm_finding *finding = test_get_finding(&findings, TM_FINDING_LAYOUT_REBUILT);
        assert_int_equal(!finding, mode != TM_MODE_SALVAGE);
        assert_true(!finding || strstr(finding->text, "9 items, not 23, 7 data blocks, not 28"));
    }
}

/* --------------------------------------------------------------------------------------- a second reading */

/* Section 1.9, point by point, for files that are small and whose types fit into `seen`. */
struct loader {
    const struct test_bytes *file;
    int64_t types, items, data, item_size, data_size, meta;
    size_t offsets_at, data_at, sizes_at, items_at;
    int version;
};

static int64_t get(const struct loader *loader, size_t at)
{
    return test_peek(loader->file, at);
}

static bool accepts_header(struct loader *loader)
{
    const struct test_bytes *file = loader->file;
    int64_t length = (int64_t)file->size;
    if (file->size < 36 || (memcmp(file->bytes, "DATA", 4) != 0 && memcmp(file->bytes, "ATAD", 4) != 0))
        return false;
    loader->version = test_peek(file, 4);
    loader->types = get(loader, 16);
    loader->items = get(loader, 20);
    loader->data = get(loader, 24);
    loader->item_size = get(loader, 28);
    loader->data_size = get(loader, 32);
    if ((loader->version != 3 && loader->version != 4) || loader->types < 0 || loader->types > 65536 ||
        loader->items < 0 || loader->data < 0 || loader->item_size < 0 || loader->data_size < 0 ||
        loader->item_size % 4)
        return false;
    int64_t table = loader->version == 4 ? 4 * loader->data : 0;
    loader->meta = 12 * loader->types + 4 * loader->items + 4 * loader->data + table + loader->item_size;
    if (36 + loader->meta + loader->data_size != length)
        return false;
    int64_t size = get(loader, 8) + 16;
    int64_t swaplen = get(loader, 12) + 16;
    bool crude = loader->version == 4 && loader->data > 0;
    if (size != length && !(crude && size + 4 * loader->data == length))
        return false;
    if (swaplen != length - loader->data_size &&
        !(crude && (swaplen - 16) % 4 == 0 && swaplen + 4 * loader->data == length - loader->data_size))
        return false;
    loader->offsets_at = (size_t)(36 + 12 * loader->types);
    loader->data_at = loader->offsets_at + (size_t)(4 * loader->items);
    loader->sizes_at = loader->data_at + (size_t)(4 * loader->data);
    loader->items_at = loader->sizes_at + (size_t)table;
    return true;
}

static bool accepts_types(const struct loader *loader)
{
    static bool seen[65536];
    int64_t counted = 0;
    memset(seen, 0, sizeof(seen));
    for (int64_t i = 0; i < loader->types; i++) {
        size_t at = (size_t)(36 + 12 * i);
        int64_t type = get(loader, at);
        if (type < 0 || type > 65535 || seen[type] || get(loader, at + 8) <= 0 ||
            get(loader, at + 4) != counted)
            return false;
        seen[type] = true;
        counted += get(loader, at + 8);
    }
    return counted == loader->items;
}

static bool accepts_offsets(const struct loader *loader, size_t at, int64_t num, int64_t end)
{
    int64_t last = -1;
    for (int64_t i = 0; i < num; i++) {
        int64_t offset = get(loader, at + (size_t)(4 * i));
        if ((i == 0 && offset != 0) || offset <= last || offset >= end)
            return false;
        last = offset;
    }
    return true;
}

static bool accepts_item(const struct loader *loader, int64_t index, int64_t type, int64_t *sum)
{
    int64_t offset = get(loader, loader->offsets_at + (size_t)(4 * index));
    int64_t next = index + 1 < loader->items ? get(loader, loader->offsets_at + (size_t)(4 * (index + 1)))
                                             : loader->item_size;
    int64_t distance = next - offset;
    *sum += distance;
    if (distance < 8)
        return false;
    int64_t word = get(loader, loader->items_at + (size_t)offset) & 0xFFFFFFFF;
    int64_t size = get(loader, loader->items_at + (size_t)offset + 4);
    return word >> 16 == type && size >= 0 && size % 4 == 0 && size == distance - 8;
}

static bool accepts_items(const struct loader *loader)
{
    static bool seen[65536];
    int64_t sum = 0;
    for (int64_t t = 0; t < loader->types; t++) {
        int64_t type = get(loader, (size_t)(36 + 12 * t));
        int64_t first = get(loader, (size_t)(40 + 12 * t));
        memset(seen, 0, sizeof(seen));
        for (int64_t i = first; i < first + get(loader, (size_t)(44 + 12 * t)); i++) {
            if (!accepts_item(loader, i, type, &sum))
                return false;
            int64_t id =
                get(loader, loader->items_at + (size_t)get(loader, loader->offsets_at + (size_t)(4 * i))) &
                0xFFFF;
            if (seen[id] && type != 0xFFFF)
                return false;
            seen[id] = true;
        }
    }
    return sum == loader->item_size;
}

static bool ddnet_accepts(const struct test_bytes *file)
{
    struct loader loader = {.file = file};
    if (!accepts_header(&loader) || !accepts_types(&loader) ||
        !accepts_offsets(&loader, loader.offsets_at, loader.items, loader.item_size) ||
        !accepts_items(&loader) || !accepts_offsets(&loader, loader.data_at, loader.data, loader.data_size))
        return false;
    for (int64_t i = 0; loader.version == 4 && i < loader.data; i++)
        if (get(&loader, loader.sizes_at + (size_t)(4 * i)) < 0)
            return false;
    return true;
}

static void compare(const struct test_bytes *file)
{
    OWN(tm_findings) findings = test_findings();
    bool opened = opens(file, TM_MODE_STRICT, &findings);
    bool accepted = ddnet_accepts(file);
    if (opened != accepted)
        for (size_t i = 0; i < findings.num; i++)
            print_error("  %s %s\n", tm_finding_name(findings.list[i].id), findings.list[i].text);
    assert_int_equal(opened, accepted);
}

TEST(test_every_bit)
{
    size_t accepted = 0;
    for (int version = 3; version <= 4; version++) {
        OWN(test_recipe) recipe = test_recipe_sample(version);
        OWN(test_bytes) file = test_recipe_build(&recipe);
        compare(&file);
        for (size_t at = 0; at < test_at_data(&recipe); at++) {
            for (int bit = 0; bit < 8; bit++) {
                file.bytes[at] ^= (uint8_t)(1 << bit);
                compare(&file);
                accepted += ddnet_accepts(&file) ? 1 : 0;
                file.bytes[at] ^= (uint8_t)(1 << bit);
            }
        }
    }
    assert_true(accepted > 100); /* ids and bodies: the comparison has two sides */
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Several integers of the head at once get values that are near to something. */
TEST(test_random_changes)
{
    static const int32_t values[] = {0,  1,  -1,     2,       3,      4,         8,
                                     12, 16, 0xFFFF, 0x10000, 0xFFFE, INT32_MAX, INT32_MIN};
    uint32_t seed = 20261121;
    for (int round = 0; round < 20000; round++) {
        OWN(test_recipe) recipe = test_recipe_sample(round % 2 + 3);
        OWN(test_bytes) file = test_recipe_build(&recipe);
        for (uint32_t n = next_random(&seed) % 4 + 1; n > 0; n--) {
            size_t at = next_random(&seed) % (test_at_data(&recipe) / 4) * 4;
            uint32_t kind = next_random(&seed) % 3;
            int32_t value = values[next_random(&seed) % (sizeof(values) / sizeof(values[0]))];
            size_t from = next_random(&seed) % (test_at_data(&recipe) / 4) * 4;
            if (kind == 0)
                test_poke(&file, at, value);
            else if (kind == 1)
                test_poke(&file, at, (int32_t)((uint32_t)test_peek(&file, at) + (uint32_t)value));
            else
                test_poke(&file, at, test_peek(&file, from));
        }
        compare(&file);
    }
}
