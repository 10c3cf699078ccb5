/* SPDX-License-Identifier: Zlib */
/*
 * Loading, saving and making maps for tests, and comparing files; see lib_maps.h. The sample maps stand in lib_samples.c.
 */
#include "lib_maps.h"
#include "datafile/datafile.h"
#include "games/games.h"

tm_status test_give_picture(uint8_t **rgba, uint32_t *width, uint32_t *height, uint32_t wanted_width,
                            uint32_t wanted_height, uint8_t value, const tm_allocator *allocator)
{
    const size_t size = (size_t)wanted_width * wanted_height * 4;
    *width = wanted_width;
    *height = wanted_height;
    *rgba = tm_alloc(allocator, size);
    if (!*rgba)
        return TM_ERROR_MEMORY;
    memset(*rgba, value, size);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- loading, saving */

tm_status test_map_try(tm_map **out, const tm_buffer *file, tm_mode mode, tm_findings *findings,
                       tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), mode, NULL, NULL};
    return tm_mapfile_load(out, tm_input_from_memory(file->bytes, file->size), &options, findings, error);
}

tm_map *test_map_load(const tm_buffer *file, tm_mode mode, tm_findings *findings)
{
    tm_map *map;
    tm_error error;
    must(test_map_try(&map, file, mode, findings, &error), &error);
    must(tm_map_verify(map, &error), &error);
    return map;
}

static tm_buffer save(const tm_map *map, const tm_mapfile_save_options *options, tm_findings *findings)
{
    tm_buffer file = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&file);
    tm_error error;
    must(tm_mapfile_save(map, &output, options, NULL, findings, &error), &error);
    return file;
}

tm_buffer test_map_save(const tm_map *map, tm_findings *findings)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1};
    return save(map, &options, findings);
}

tm_buffer test_map_rewrite(const tm_map *map, tm_findings *findings)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .rewrite = true};
    return save(map, &options, findings);
}

bool test_map_same(const tm_map *a, const tm_map *b)
{
    char where[400];
    bool equal;
    tm_error error;
    must(tm_map_equal(&equal, a, b, where, sizeof(where), &error), &error);
    if (!equal)
        print_message("%s\n", where);
    return equal;
}

bool test_buffer_same(const tm_buffer *a, const tm_buffer *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

tm_buffer test_corpus_file(const char *name)
{
    const char *shared = getenv("TEEMAP_SHARED");
    char path[1024];
    tm_buffer file = {NULL, 0, 0, NULL};
    snprintf(path, sizeof(path), "%s/corpus/%s", shared ? shared : "../shared", name);
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        print_message("skipped: there is no corpus ('%s')\n", path);
        skip();
    }
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    file.size = file.capacity = (size_t)ftell(stream);
    rewind(stream);
    file.bytes = malloc(file.size);
    assert_non_null(file.bytes);
    assert_int_equal(fread(file.bytes, 1, file.size, stream), file.size);
    fclose(stream);
    return file;
}

void test_insert_group(tm_map *map, uint32_t index, tm_layer_kind kind, uint32_t width, uint32_t height)
{
    must(tm_map_insert(map, TM_KIND_GROUP, index, NULL));
    must(tm_map_insert_layer(map, index, 0, kind, width, height, NULL));
}

tm_map *test_map_of_layer(tm_layer_kind kind, uint32_t width, uint32_t height)
{
    tm_map *map = test_map_new();
    test_insert_group(map, 0, kind, width, height);
    return map;
}

tm_grid test_grid(const tm_map *map, const tm_layer *layer)
{
    tm_grid grid;
    must(tm_map_tiles(&grid, map, layer, NULL));
    return grid;
}

tm_edit_grid test_edit_grid(tm_map *map, uint32_t group, uint32_t layer)
{
    tm_edit_grid grid;
    must(tm_map_edit_tiles(&grid, map, group, layer, NULL));
    return grid;
}

const tm_quad *test_quads(const tm_map *map, const tm_layer *layer)
{
    const tm_quad *quads;
    uint32_t num;
    must(tm_map_quads(&quads, &num, map, layer, NULL));
    return quads;
}

tm_quad *test_edit_quads(tm_map *map, uint32_t group, uint32_t layer)
{
    tm_quad *quads;
    uint32_t num;
    must(tm_map_edit_quads(&quads, &num, map, group, layer, NULL));
    return quads;
}

const tm_sound_source *test_sources(const tm_map *map, const tm_layer *layer)
{
    const tm_sound_source *sources;
    uint32_t num;
    must(tm_map_sources(&sources, &num, map, layer, NULL));
    return sources;
}

tm_buffer test_read_map(const char *path)
{
    struct test_bytes bytes = test_bytes_from_file(path);
    return (tm_buffer){bytes.bytes, bytes.size, bytes.size, NULL};
}

tm_map *test_shared_map(const char *name)
{
    char path[1024];
    tm_map *map;
    if (!getenv("TEEMAP_SHARED"))
        skip();
    snprintf(path, sizeof(path), "%s/%s", getenv("TEEMAP_SHARED"), name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        print_message("no %s\n", path);
        skip();
    }
    fclose(file);
    must(tm_store_load(&map, path, NULL, NULL, NULL));
    return map;
}

FILE *test_golden_table(const char *name)
{
    char path[1024];
    const char *shared = getenv("TEEMAP_SHARED");
    snprintf(path, sizeof(path), "%s/golden-edit/%s", shared ? shared : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("no %s\n", path);
        skip();
    }
    return file;
}

bool test_next_row(FILE *table, char *line, int size, char **cells, int num)
{
    while (fgets(line, size, table)) {
        char *cursor = line;
        int found = 0;
        line[strcspn(line, "\n")] = '\0';
        for (; cursor && found < num; found++) {
            cells[found] = cursor;
            cursor = found + 1 < num ? strchr(cursor, '\t') : NULL;
            if (cursor)
                *cursor++ = '\0';
        }
        if (found == num)
            return true;
    }
    return false;
}

struct real_maps {
    bool (*is_fine)(void *ctx, tm_map *map, const tm_buffer *file, const char *path);
    void *ctx;
    uint32_t num, wrong;
};

static void look_at_real_map(void *ctx, const char *path)
{
    struct real_maps *maps = ctx;
    OWN(tm_map) *map = NULL;
    OWN(tm_buffer) file = test_read_map(path);
    if (test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL))
        return;
    maps->num++;
    if (maps->is_fine(maps->ctx, map, &file, path))
        return;
    print_error("%s is not fine\n", path);
    maps->wrong++;
}

uint32_t test_real_maps(bool (*is_fine)(void *ctx, tm_map *map, const tm_buffer *file, const char *path),
                        void *ctx)
{
    struct real_maps maps = {is_fine, ctx, 0, 0};
    test_many_corpus_maps(look_at_real_map, &maps);
    print_message("%u maps\n", maps.num);
    assert_int_equal(maps.wrong, 0);
    assert_true(maps.num > 0);
    return maps.num;
}

void test_print_findings(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        print_message("  %s %s: %s: %s\n", tm_severity_name(findings->list[i].severity),
                      tm_finding_name(findings->list[i].id), findings->list[i].place, findings->list[i].text);
}

/* ---------------------------------------------------------------------------------------------------- item by item */

void test_maker_init_with(struct test_maker *maker, const tm_datafile_writer_options *options)
{
    tm_error error;
    maker->num_blocks = 0;
    must(tm_datafile_writer_new(&maker->writer, options, &error), &error);
}

struct test_maker test_maker_new(void)
{
    struct test_maker maker;
    test_maker_init_with(&maker, NULL);
    return maker;
}

struct test_maker test_maker_begin(void)
{
    struct test_maker maker = test_maker_new();
    test_maker_start(&maker);
    return maker;
}

int32_t test_maker_data(struct test_maker *maker, const void *bytes, size_t size)
{
    int32_t index;
    tm_error error;
    void *copy = calloc(1, size + 1);
    assert_non_null(copy);
    assert_true(maker->num_blocks < TEST_MAKER_BLOCKS);
    if (bytes)
        memcpy(copy, bytes, size);
    maker->blocks[maker->num_blocks++] = copy;
    must(tm_datafile_writer_add_data(&index, maker->writer, copy, size, 0, &error), &error);
    return index;
}

int32_t test_maker_text(struct test_maker *maker, const char *text)
{
    return test_maker_data(maker, text, strlen(text) + 1);
}

/* The writer takes little-endian integers. */
static uint8_t *to_bytes(const int32_t *ints, size_t num)
{
    uint8_t *bytes = malloc(num * 4 + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < num * 4; i++)
        bytes[i] = (uint8_t)((uint32_t)ints[i / 4] >> (8 * (i % 4)));
    return bytes;
}

int32_t test_maker_ints(struct test_maker *maker, const int32_t *ints, size_t num)
{
    FREED uint8_t *bytes = to_bytes(ints, num);
    const int32_t index = test_maker_data(maker, bytes, num * 4);
    return index;
}

void test_maker_item(struct test_maker *maker, int type, int id, const int32_t *ints, size_t num)
{
    tm_error error;
    FREED uint8_t *body = to_bytes(ints, num);
    must(tm_datafile_writer_add_item(
             maker->writer, &(tm_datafile_item){(uint16_t)type, (uint16_t)id, (uint32_t)num * 4, body, 0},
             TM_NONE, &error),
         &error);
}

void test_maker_uuid_item(struct test_maker *maker, tm_uuid_item type, int id, const int32_t *ints,
                          size_t num)
{
    tm_error error;
    FREED uint8_t *body = to_bytes(ints, num);
    must(tm_datafile_writer_add_uuid_item(maker->writer, tmi_game_uuid(type),
                                          &(tm_datafile_item){0, (uint16_t)id, (uint32_t)num * 4, body, 0},
                                          TM_NONE, &error),
         &error);
}

void test_maker_index(struct test_maker *maker, int number, const tm_uuid *uuid)
{
    int32_t ints[4];
    for (int k = 0; k < 4; k++)
        ints[k] = (int32_t)((uint32_t)uuid->bytes[4 * k] << 24 | (uint32_t)uuid->bytes[4 * k + 1] << 16 |
                            (uint32_t)uuid->bytes[4 * k + 2] << 8 | (uint32_t)uuid->bytes[4 * k + 3]);
    test_maker_item(maker, TM_TYPE_UUID_INDEX, number, ints, 4);
}

tm_buffer test_maker_finish(struct test_maker *maker)
{
    tm_buffer file = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&file);
    tm_error error;
    must(tm_datafile_writer_finish(maker->writer, &output, NULL, NULL, &error), &error);
    for (int32_t i = 0; i < maker->num_blocks; i++)
        free(maker->blocks[i]);
    return file;
}

int32_t test_name_int(const char *text, uint32_t n, uint32_t k)
{
    uint32_t result = 0;
    size_t length = strlen(text);
    for (uint32_t i = 4 * k; i < 4 * k + 4; i++) {
        uint32_t byte = (i < length ? (uint8_t)text[i] : 0u) ^ 0x80u;
        result = result << 8 | (i == 4 * n - 1 ? 0 : byte);
    }
    return (int32_t)result;
}

void test_maker_start(struct test_maker *maker)
{
    const int32_t tiles = test_maker_data(maker, NULL, 4 * 3 * 4);
    TEST_ITEM(maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(maker, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, -1);
    TEST_ITEM(maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    TEST_ITEM(maker, TM_ITEM_LAYER, 0, 0, 2, 0, 3, 4, 3, 1, 255, 255, 255, 255, -1, 0, -1, tiles,
              TEST_NAME3("Game"), -1, -1, -1, -1, -1);
}

/* ---------------------------------------------------------------------------------------------------------- comparing */

typedef struct side {
    tm_datafile *datafile;
    uint32_t num_data, num_items;
    uint8_t **packed;
    int32_t *names; /* of the blocks: the same in both files for the same block */
    bool *matched;  /* items */
} side;

static void open_side(side *s, const tm_buffer *file)
{
    const tm_datafile_options options = {sizeof(options), TM_MODE_SALVAGE, NULL, NULL};
    tm_error error;
    must(
        tm_datafile_open(&s->datafile, tm_input_from_memory(file->bytes, file->size), &options, NULL, &error),
        &error);
    s->num_data = tm_datafile_num_data(s->datafile);
    s->num_items = tm_datafile_num_items(s->datafile);
    s->packed = calloc(s->num_data + 1, sizeof(*s->packed));
    s->names = calloc(s->num_data + 1, sizeof(*s->names));
    s->matched = calloc(s->num_items + 1, sizeof(*s->matched));
    for (uint32_t i = 0; i < s->num_data; i++) {
        tm_datafile_data data;
        tm_datafile_get_data(&data, s->datafile, i);
        s->packed[i] = malloc((size_t)data.packed_size + 1);
        s->names[i] = -1;
        must(tmi_datafile_read_packed(s->datafile, i, s->packed[i], &error), &error);
    }
}

static void close_side(side *s)
{
    for (uint32_t i = 0; i < s->num_data; i++)
        free(s->packed[i]);
    free(s->packed);
    free(s->names);
    free(s->matched);
    tm_datafile_close(s->datafile);
}

static bool same_block(const side *a, uint32_t i, const side *b, uint32_t k)
{
    tm_datafile_data x, y;
    tm_datafile_get_data(&x, a->datafile, i);
    tm_datafile_get_data(&y, b->datafile, k);
    return x.size == y.size && x.packed_size == y.packed_size &&
           memcmp(a->packed[i], b->packed[k], (size_t)x.packed_size) == 0;
}

/* Names the longest row of blocks that is in both files in the same order. */
static void name_common_row(side *a, side *b)
{
    const size_t n = a->num_data, m = b->num_data;
    FREED uint32_t *longest = calloc((n + 1) * (m + 1), sizeof(*longest)); /* of what follows i and k */
    bool *is_same = calloc(n * m + 1, 1);
    assert_non_null(longest);
    assert_non_null(is_same);
    for (size_t i = n; i-- > 0;) {
        for (size_t k = m; k-- > 0;) {
            uint32_t right = longest[i * (m + 1) + k + 1], below = longest[(i + 1) * (m + 1) + k];
            uint32_t both = longest[(i + 1) * (m + 1) + k + 1] + 1;
            is_same[i * m + k] = same_block(a, (uint32_t)i, b, (uint32_t)k);
            longest[i * (m + 1) + k] = is_same[i * m + k] ? both : right > below ? right : below;
        }
    }
    for (size_t i = 0, k = 0; i < n && k < m;) {
        if (is_same[i * m + k] && longest[(i + 1) * (m + 1) + k + 1] + 1 == longest[i * (m + 1) + k]) {
            a->names[i] = b->names[k++] = (int32_t)i;
            i++;
        } else if (longest[(i + 1) * (m + 1) + k + 1] == longest[i * (m + 1) + k]) {
            i++; /* a changed one */
            k++;
        } else if (longest[i * (m + 1) + k + 1] >= longest[(i + 1) * (m + 1) + k]) {
            k++;
        } else {
            i++;
        }
    }
    free(is_same);
}

/* Which of several equal blocks an item leads to makes no difference. */
static void name_alike(side *a, side *b)
{
    for (uint32_t i = 0; i < a->num_data; i++)
        for (uint32_t k = 0; k < i; k++)
            if (a->names[k] == (int32_t)k && a->names[i] == (int32_t)i && same_block(a, i, a, k))
                a->names[i] = (int32_t)k;
    for (uint32_t k = 0; k < b->num_data; k++)
        if (b->names[k] < 1000000)
            b->names[k] = a->names[b->names[k]];
}

/* Equal blocks get equal names, first those in order; then those that are left are paired in order, as changed ones. */
static void name_blocks(struct test_diff *diff, side *a, side *b)
{
    name_common_row(a, b);
    for (uint32_t i = 0; i < a->num_data; i++) {
        for (uint32_t k = 0; a->names[i] < 0 && k < b->num_data; k++)
            if (b->names[k] < 0 && same_block(a, i, b, k))
                a->names[i] = b->names[k] = (int32_t)i;
    }
    uint32_t k = 0;
    for (uint32_t i = 0; i < a->num_data; i++) {
        if (a->names[i] >= 0)
            continue;
        while (k < b->num_data && b->names[k] >= 0)
            k++;
        a->names[i] = (int32_t)i;
        if (k < b->num_data) {
            b->names[k] = (int32_t)i;
            diff->blocks_changed++;
        } else {
            diff->blocks_lost++;
        }
    }
    for (k = 0; k < b->num_data; k++) {
        if (b->names[k] < 0) {
            b->names[k] = (int32_t)(1000000 + k);
            diff->blocks_gained++;
        }
    }
    name_alike(a, b);
}

static int kind_of(const side *s, const tm_datafile_item *item)
{
    tm_datafile_type type;
    if (item->type <= TM_ITEM_SOUND)
        return item->type;
    if (item->type == TM_TYPE_UUID_INDEX)
        return TEST_KIND_INDEX;
    if (tm_datafile_find_type(&type, s->datafile, item->type) && type.has_uuid)
        for (int i = 0; i < TM_UUID_COUNT; i++)
            if (memcmp(&type.uuid, tmi_game_uuid((tm_uuid_item)i), sizeof(type.uuid)) == 0)
                return TEST_KIND_AUTOMAPPER + i;
    return TEST_KIND_OTHER;
}

/* Whether int k of an item is a number of data. */
static bool is_data(const tm_datafile_item *item, uint32_t k)
{
    int32_t layer = tm_datafile_item_int(item, 1, 0), version = tm_datafile_item_int(item, 3, 0);
    uint32_t tail = version >= 3 ? 18 : 15;
    switch (item->type) {
    case TM_ITEM_INFO: return k >= 1 && k <= 5;
    case TM_ITEM_IMAGE: return k == 4 || k == 5;
    case TM_ITEM_SOUND: return k == 2 || k == 3;
    case TM_ITEM_LAYER:
        if (layer == 2) {
            int32_t flags = tm_datafile_item_int(item, 6, 0);
            for (uint32_t i = 0; i < 5; i++)
                if ((flags & (2 << i)) && k == tail + i) /* tele 2, speedup 4, front 8, switch 16, tune 32 */
                    return true;
            return k == 14;
        }
        return (layer == 3 || layer == 9 || layer == 10) && k == 5;
    default: return false;
    }
}

static int32_t normal_int(const side *s, const tm_datafile_item *item, uint32_t k)
{
    int32_t value = tm_datafile_item_int(item, k, 0);
    if (is_data(item, k) && value >= 0 && (uint32_t)value < s->num_data)
        return s->names[value];
    return value;
}

static bool same_item(const side *a, const tm_datafile_item *x, const side *b, const tm_datafile_item *y,
                      bool ignore_ids)
{
    if (kind_of(a, x) != kind_of(b, y) || x->size != y->size || (!ignore_ids && x->id != y->id))
        return false;
    if (x->type != y->type && kind_of(a, x) == TEST_KIND_OTHER)
        return false;
    for (uint32_t k = 0; k < x->size / 4; k++)
        if (normal_int(a, x, k) != normal_int(b, y, k))
            return false;
    return x->size % 4 == 0 || memcmp(x->body + x->size / 4 * 4, y->body + x->size / 4 * 4, x->size % 4) == 0;
}

static void diff_items(struct test_diff *diff, side *a, side *b, bool ignore_ids)
{
    tm_datafile_item x, y;
    uint32_t last[TEST_KINDS] = {0};
    for (uint32_t i = 0; tm_datafile_get_item(&x, a->datafile, i); i++) {
        uint32_t k = 0;
        while (tm_datafile_get_item(&y, b->datafile, k) &&
               (b->matched[k] || !same_item(a, &x, b, &y, ignore_ids)))
            k++;
        if (k >= b->num_items) {
            diff->lost[kind_of(a, &x)]++;
            continue;
        }
        b->matched[k] = true;
        diff->reordered |= k < last[kind_of(a, &x)];
        last[kind_of(a, &x)] = k;
    }
    for (uint32_t k = 0; tm_datafile_get_item(&y, b->datafile, k); k++)
        if (!b->matched[k])
            diff->gained[kind_of(b, &y)]++;
}

void test_diff_files(struct test_diff *diff, const tm_buffer *a, const tm_buffer *b, bool ignore_ids)
{
    side left, right;
    tm_datafile_header x, y;
    memset(diff, 0, sizeof(*diff));
    open_side(&left, a);
    open_side(&right, b);
    name_blocks(diff, &left, &right);
    diff_items(diff, &left, &right, ignore_ids);
    tm_datafile_get_header(&x, left.datafile);
    tm_datafile_get_header(&y, right.datafile);
    diff->head = memcmp(x.magic, y.magic, 4) != 0 || x.version != y.version ||
                 (right.num_data && (x.crude_size != y.crude_size || x.crude_swaplen != y.crude_swaplen));
    close_side(&left);
    close_side(&right);
}

void test_print_diff(const struct test_diff *diff)
{
    for (int kind = 0; kind < TEST_KINDS; kind++)
        if (diff->lost[kind] || diff->gained[kind])
            print_message("  items of kind %d: -%u +%u\n", kind, (unsigned)diff->lost[kind],
                          (unsigned)diff->gained[kind]);
    print_message("  blocks: %u changed, -%u +%u%s%s\n", (unsigned)diff->blocks_changed,
                  (unsigned)diff->blocks_lost, (unsigned)diff->blocks_gained,
                  diff->reordered ? ", reordered" : "", diff->head ? ", another head" : "");
}
