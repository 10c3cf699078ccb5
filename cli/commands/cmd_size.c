/* SPDX-License-Identifier: Zlib */
/*
 * cmd_size.c - `teemap size`: where the bytes of a map are, as tables, as JSON, and as a picture in which
 * each object has an area. The library says which object a byte belongs to.
 */
#include "output/describe.h"
#include "output/json.h"
#include "run/files.h"
#include "run/load.h"
#include "run/picture.h"

typedef struct size_options {
    common_options common;
    const char *picture;
    size_value pixels;
} size_options;

static const option_row size_rows[] = {
    VERBOSE_ROW("print all objects, not only the largest"),
    JSON_EACH_ROW,
    {0, "picture", "FILE", FILE_AT(size_options, picture),
     .text = "for a single map: draw a treemap (.png, .webp, .rgba) of the objects"},
    {'s', "size", "WxH", SIZE_AT(size_options, pixels, TM_PREVIEW_SIZES_MIN, 10000), .preset = "1200x800",
     .text = "pixels of the picture"},
    RECURSIVE_ROW("process all *.map files in folders, recursively"),
    MODE_ROW,
    THREADS_ROW,
    QUIET_ROW,
    {0},
};

COMMAND(size, size_options, 1, -1, .operands = {OPERAND_MAP});

enum { FEW_OBJECTS = 10 };

/* ------------------------------------------------------------------------------------------------- adding */

typedef struct bytes_sum {
    uint64_t objects, packed, unpacked;
} bytes_sum;

typedef struct map_bytes {
    bytes_sum kinds[TM_BYTES_COUNT], all;
    tm_bytes_share
        *objects; /* owned; one for each object, of the kind of most of its bytes; large ones first */
    size_t num, capacity;
} map_bytes;

typedef struct size_run {
    struct {
        atomic_ullong objects, packed, unpacked;
    } kinds[TM_BYTES_COUNT]; /* of all maps */
    atomic_ullong maps;
    picture_format format;
} size_run;

static int compare_addresses(const tm_address *a, const tm_address *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->layer < b->layer ? -1 : a->layer > b->layer;
}

static bool add_share(void *ctx, const tm_bytes_share *share)
{
    map_bytes *to = ctx;
    bytes_sum *kind = &to->kinds[share->kind];
    kind->objects += share->source.kind != TM_ADDRESS_MAP;
    kind->packed += share->packed;
    kind->unpacked += share->unpacked;
    to->all.packed += share->packed;
    to->all.unpacked += share->unpacked;
    to->objects = must_grow(to->objects, &to->capacity, to->num, sizeof(*to->objects));
    tm_bytes_share *own = &to->objects[to->num++];
    *own = *share;
    if (own->object.kind == TM_ADDRESS_MAP) /* bytes that belong to no object */
        own->object = share->source;
    return true;
}

static int by_address(const void *a, const void *b)
{
    const tm_bytes_share *one = a, *other = b;
    const int order = compare_addresses(&one->object, &other->object);
    return order                         ? order
           : one->packed < other->packed ? 1
           : one->packed > other->packed ? -1
                                         : (int)one->kind - (int)other->kind;
}

static int by_size(const void *a, const void *b)
{
    const tm_bytes_share *one = a, *other = b;
    if (one->packed != other->packed)
        return one->packed < other->packed ? 1 : -1;
    const int order = compare_addresses(&one->object, &other->object);
    return order ? order : (int)one->kind - (int)other->kind;
}

/* One entry for each object; head and gaps, both of the whole map, stay apart. */
static void join_shares(map_bytes *of)
{
    size_t num = 0;
    qsort(of->objects, of->num, sizeof(*of->objects), by_address);
    for (size_t i = 0; i < of->num; i++) {
        const tm_bytes_share *share = &of->objects[i];
        tm_bytes_share *last = num ? &of->objects[num - 1] : NULL;
        if (!last || share->object.kind == TM_ADDRESS_MAP ||
            compare_addresses(&last->object, &share->object) != 0) {
            of->objects[num++] = *share;
            continue;
        }
        last->packed += share->packed;
        last->unpacked += share->unpacked;
    }
    of->num = num;
    qsort(of->objects, of->num, sizeof(*of->objects), by_size);
}

static tm_status measure_map(map_bytes *out, const tm_map *map, tm_error *error)
{
    memset(out, 0, sizeof(*out));
    const tm_status status = tm_mapfile_each_share(map, add_share, out, error);
    if (!status)
        join_shares(out);
    return status;
}

/* --------------------------------------------------------------------------------------------------- text */

/* "\t12,345\t45.6 %\t1,234,567" */
static void put_cells(text *rows, uint64_t packed, uint64_t unpacked, uint64_t all)
{
    text_print(rows, "\t%" PRIu64 "\t%.1f %%\t%" PRIu64, packed,
               all ? 100.0 * (double)packed / (double)all : 0.0, unpacked);
}

static void put_kind_table(text *out, const bytes_sum *kinds, uint64_t all)
{
    text rows = {0};
    text_string(&rows, "\tpieces\tpacked\tshare\tunpacked\tkind\n");
    for (int rank = 0; rank < TM_BYTES_COUNT; rank++) {
        int kind = TM_BYTES_COUNT; /* the one of this rank: large ones first, equal ones in their order */
        for (int k = 0; k < TM_BYTES_COUNT; k++) {
            int before = 0;
            for (int other = 0; other < TM_BYTES_COUNT; other++)
                before += kinds[other].packed > kinds[k].packed ||
                          (kinds[other].packed == kinds[k].packed && other < k);
            kind = before == rank ? k : kind;
        }
        if (!kinds[kind].packed && !kinds[kind].objects)
            continue;
        text_print(&rows, "\t%" PRIu64, kinds[kind].objects);
        put_cells(&rows, kinds[kind].packed, kinds[kind].unpacked, all);
        text_print(&rows, "\t%s: %s\n", tm_bytes_name((tm_bytes_kind)kind),
                   tm_bytes_meaning((tm_bytes_kind)kind));
    }
    text_columns(out, &rows, "lrrrrl");
    text_release(&rows);
}

static void put_object_name(text *out, const tm_map *map, const tm_bytes_share *object)
{
    char place[TM_ERROR_PLACE_SIZE];
    if (object->object.kind == TM_ADDRESS_MAP) {
        text_string(out, tm_bytes_meaning(object->kind));
        return;
    }
    tm_address_describe(&object->object, map, place, sizeof(place));
    text_safe(out, place);
}

static void put_object_table(text *out, const tm_map *map, const map_bytes *bytes, bool all)
{
    text rows = {0};
    const size_t shown = all || bytes->num <= FEW_OBJECTS ? bytes->num : FEW_OBJECTS;
    text_string(&rows, "\tpacked\tshare\tunpacked\tobject\n");
    for (size_t i = 0; i < shown; i++) {
        put_cells(&rows, bytes->objects[i].packed, bytes->objects[i].unpacked, bytes->all.packed);
        text_string(&rows, "\t");
        put_object_name(&rows, map, &bytes->objects[i]);
        text_string(&rows, "\n");
    }
    text_columns(out, &rows, "lrrrl");
    if (shown < bytes->num)
        text_print(out, "  %zu more; -v lists all\n", bytes->num - shown);
    text_release(&rows);
}

static void put_all_maps(size_run *run, text *out)
{
    bytes_sum kinds[TM_BYTES_COUNT];
    uint64_t packed = 0;
    for (int k = 0; k < TM_BYTES_COUNT; k++) {
        kinds[k] = (bytes_sum){atomic_load(&run->kinds[k].objects), atomic_load(&run->kinds[k].packed),
                               atomic_load(&run->kinds[k].unpacked)};
        packed += kinds[k].packed;
    }
    text_print(out, "\n%" PRIu64 " maps: %" PRIu64 " bytes\n", (uint64_t)atomic_load(&run->maps), packed);
    put_kind_table(out, kinds, packed);
}

/* --------------------------------------------------------------------------------------------------- JSON */

static json_t *json_kinds(const map_bytes *bytes)
{
    json_t *list = json_array();
    for (int k = 0; k < TM_BYTES_COUNT; k++) {
        const bytes_sum *sum = &bytes->kinds[k];
        if (!sum->packed && !sum->objects)
            continue;
        json_append(list, json_object(JSON_TEXT("kind", tm_bytes_name((tm_bytes_kind)k)),
                                      JSON_INT("pieces", sum->objects), JSON_INT("packed", sum->packed),
                                      JSON_INT("unpacked", sum->unpacked)));
    }
    return list;
}

static json_t *json_objects(const map_bytes *bytes, const tm_map *map)
{
    json_t *list = json_array();
    for (size_t i = 0; i < bytes->num; i++) {
        const tm_bytes_share *object = &bytes->objects[i];
        char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE];
        tm_address_format(&object->object, address, sizeof(address));
        tm_address_describe(&object->object, map, place, sizeof(place));
        json_append(list,
                    json_object(JSON_TEXT("address", address), JSON_TEXT("place", place),
                                JSON_TEXT("kind", tm_bytes_name(object->kind)),
                                JSON_INT("packed", object->packed), JSON_INT("unpacked", object->unpacked)));
    }
    return list;
}

static void put_size_json(report *to, const char *path, const loaded *file, const map_bytes *bytes,
                          const tm_error *error)
{
    json_t *object = json_object(JSON_TEXT("path", path));
    if (error)
        json_add_error(object, error);
    else
        json_add_all(object, JSON_INT("file_size", bytes->all.packed),
                     JSON_INT("unpacked_size", bytes->all.unpacked), JSON_VALUE("kinds", json_kinds(bytes)),
                     JSON_VALUE("objects", json_objects(bytes, file->map)));
    text_json_line(to->out, object);
}

/* ------------------------------------------------------------------------------------------------ picture */

static tm_status draw_sizes(const size_options *options, picture_format format, const tm_map *map,
                            const map_bytes *bytes, tm_error *error)
{
    const uint32_t width = options->pixels.width, height = options->pixels.height;
    uint8_t *rgba = must_alloc((size_t)width * height, 4);
    picture_pixels drawn = {rgba, width, height};
    const picture_rows rows = picture_rows_of(&drawn, NULL, false);
    tm_status status = tm_preview_draw_sizes(rgba, width, height, map, bytes->objects, bytes->num, error);
    if (!status)
        status = picture_write_rows(&rows, format, options->picture, error);
    free(rgba);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- run */

static void add_to_all(size_run *run, const map_bytes *bytes)
{
    for (int k = 0; k < TM_BYTES_COUNT; k++) {
        atomic_fetch_add(&run->kinds[k].objects, bytes->kinds[k].objects);
        atomic_fetch_add(&run->kinds[k].packed, bytes->kinds[k].packed);
        atomic_fetch_add(&run->kinds[k].unpacked, bytes->kinds[k].unpacked);
    }
    atomic_fetch_add(&run->maps, 1);
}

static void size_of_file(void *ctx, report *to)
{
    size_run *run = ctx;
    const size_options *options = to->tool->options;
    const char *path = to->path;
    loaded file;
    map_bytes bytes = {.num = 0};
    load_map(&file, path, options->common.mode, false);
    if (!file.status)
        file.status = measure_map(&bytes, file.map, &file.error);
    if (!file.status && options->picture)
        file.status = draw_sizes(options, run->format, file.map, &bytes, &file.error);
    if (options->common.json)
        put_size_json(to, path, &file, &bytes, file.status ? &file.error : NULL);
    else if (!file.status && !(options->picture && strcmp(options->picture, "-") == 0)) {
        put_about(to->out, path, "%" PRIu64 " bytes, %" PRIu64 " unpacked\n", bytes.all.packed,
                  bytes.all.unpacked);
        put_kind_table(to->out, bytes.kinds, bytes.all.packed);
        put_object_table(to->out, file.map, &bytes, options->common.verbose);
    }
    report_findings(to, &file.findings, SHOW_ERRORS);
    if (file.status)
        report_error(to, &file.error);
    else
        add_to_all(run, &bytes);
    free(bytes.objects);
    loaded_release(&file);
}

int cmd_size(cli_tool *tool)
{
    size_run run = {.format = PICTURE_PNG};
    file_list files;
    const size_options *options = tool->options;
    tool->blank_lines = !tool->common->json;
    files_expand(&files, tool, tool->operands, (size_t)tool->num_operands);
    const picture_options plain = {.common = options->common};
    const char *fault =
        options->picture ? picture_choose_format(&run.format, &plain, options->picture, PICTURE_NAMED) : NULL;
    if (fault)
        tool_trouble(tool, options->picture, fault);
    else if (options->picture && files.num > 1)
        tool_usage(tool, "--picture draws a single map");
    else
        tool_each(tool, files.paths, files.num, size_of_file, &run);
    if (!tool->common->json && atomic_load(&run.maps) > 1)
        put_all_maps(&run, &tool->out);
    files_release(&files);
    return STATUS_DONE;
}
