/* SPDX-License-Identifier: Zlib */
/*
 * cmd_size.c - `teemap size`: where the bytes of a map are, as tables, as JSON, and as a picture in which
 * each object has an area. The library says which object a byte belongs to.
 */
#include "output/describe.h"
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
    bytes_sum kinds[TM_BYTES_COUNT], total;
    tm_bytes_share
        *objects; /* owned; one for each object, of the kind of most of its bytes; large ones first */
    size_t num, capacity;
} map_bytes;

typedef struct size_run {
    bytes_sum (*kinds)[TM_BYTES_COUNT]; /* of each file */
    atomic_size_t maps;                 /* that were measured */
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
    map_bytes *bytes = ctx;
    bytes_sum *kind = &bytes->kinds[share->kind];
    kind->objects += share->source.kind != TM_KIND_MAP;
    kind->packed += share->packed;
    kind->unpacked += share->unpacked;
    bytes->total.packed += share->packed;
    bytes->total.unpacked += share->unpacked;
    bytes->objects = must_grow(bytes->objects, &bytes->capacity, bytes->num, sizeof(*bytes->objects));
    tm_bytes_share *added = &bytes->objects[bytes->num++];
    *added = *share;
    if (added->object.kind == TM_KIND_MAP) /* bytes that belong to no object */
        added->object = share->source;
    return true;
}

static int by_address(const void *a, const void *b)
{
    const tm_bytes_share *left = a, *right = b;
    const int order = compare_addresses(&left->object, &right->object);
    return order                          ? order
           : left->packed < right->packed ? 1
           : left->packed > right->packed ? -1
                                          : (int)left->kind - (int)right->kind;
}

static int by_size(const void *a, const void *b)
{
    const tm_bytes_share *left = a, *right = b;
    if (left->packed != right->packed)
        return left->packed < right->packed ? 1 : -1;
    const int order = compare_addresses(&left->object, &right->object);
    return order ? order : (int)left->kind - (int)right->kind;
}

/* One entry for each object; head and gaps, both of the whole map, stay apart. */
static void join_shares(map_bytes *bytes)
{
    size_t num = 0;
    qsort(bytes->objects, bytes->num, sizeof(*bytes->objects), by_address);
    for (size_t i = 0; i < bytes->num; i++) {
        const tm_bytes_share *share = &bytes->objects[i];
        tm_bytes_share *last = num ? &bytes->objects[num - 1] : NULL;
        if (!last || share->object.kind == TM_KIND_MAP ||
            compare_addresses(&last->object, &share->object) != 0) {
            bytes->objects[num++] = *share;
            continue;
        }
        last->packed += share->packed;
        last->unpacked += share->unpacked;
    }
    bytes->num = num;
    qsort(bytes->objects, bytes->num, sizeof(*bytes->objects), by_size);
}

/* -------------------------------------------------------------------------------------------------- words */

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

/*
 * For people (`words`) large ones first, equal ones in their order, with shares of `all` and what they mean.
 */
static json_t *json_kinds(const bytes_sum *kinds, uint64_t all, bool words)
{
    json_t *list = json_array();
    int order[TM_BYTES_COUNT], num = 0;
    for (int k = 0; k < TM_BYTES_COUNT; k++) {
        int at = num;
        if (!kinds[k].packed && !kinds[k].objects)
            continue;
        for (num++; words && at && kinds[order[at - 1]].packed < kinds[k].packed; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (int i = 0; i < num; i++) {
        const tm_bytes_kind kind = (tm_bytes_kind)order[i];
        const bytes_sum *sum = &kinds[kind];
        json_t *row = json_object(JSON_TEXT("kind", tm_bytes_name(kind)), JSON_INT("pieces", sum->objects),
                                  JSON_INT("packed", sum->packed), JSON_INT("unpacked", sum->unpacked));
        if (words)
            json_add_all(row, JSON_REAL("share", percent(sum->packed, all)),
                         JSON_TEXT("meaning", tm_bytes_meaning(kind)));
        json_append(list, row);
    }
    return list;
}

/* The first `num`; for people with shares, and by its meaning what belongs to no object. */
static json_t *json_objects(const map_bytes *bytes, size_t num, const tm_map *map, bool words)
{
    json_t *list = json_array();
    for (size_t i = 0; i < num; i++) {
        const tm_bytes_share *object = &bytes->objects[i];
        const bool none = words && object->object.kind == TM_KIND_MAP;
        char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE];
        tm_address_format(&object->object, address, sizeof(address));
        tm_address_describe(&object->object, map, place, sizeof(place));
        json_t *row = json_object(JSON_TEXT("address", address),
                                  JSON_TEXT("place", none ? tm_bytes_meaning(object->kind) : place),
                                  JSON_TEXT("kind", tm_bytes_name(object->kind)),
                                  JSON_INT("packed", object->packed), JSON_INT("unpacked", object->unpacked));
        if (words)
            json_add(row, "share", json_real(percent(object->packed, bytes->total.packed)));
        json_append(list, row);
    }
    return list;
}

static const char size_form[] =
    "{{#path}}{{.:path}}: {{file_size}} bytes, {{unpacked_size}} unpacked\n{{/}}"
    "{{^path}}\n{{maps}} maps: {{file_size}} bytes\n{{/}}"
    "{{=lrrrrl}}\tpieces\tpacked\tshare\tunpacked\tkind\n"
    "{{#kinds}}\t{{pieces}}\t{{packed}}\t{{share:.1}} %\t{{unpacked}}\t{{kind}}: {{meaning}}\n{{/}}{{/}}"
    "{{=lrrrl}}{{#path}}\tpacked\tshare\tunpacked\tobject\n{{/}}"
    "{{#objects}}\t{{packed}}\t{{share:.1}} %\t{{unpacked}}\t{{place}}\n{{/}}{{/}}"
    "{{#more}}  {{.}} more; -v lists all\n{{/}}";

static void put_map_sizes(cli_report *report, const loaded *file, const map_bytes *bytes)
{
    const common_options *options = report->tool->common;
    const size_t num =
        options->json || options->verbose || bytes->num <= FEW_OBJECTS ? bytes->num : FEW_OBJECTS;
    json_t *object = json_object(JSON_TEXT("path", report->path));
    if (file->status)
        json_add_error(object, &file->error);
    else
        json_add_all(object, JSON_INT("file_size", bytes->total.packed),
                     JSON_INT("unpacked_size", bytes->total.unpacked),
                     JSON_VALUE("kinds", json_kinds(bytes->kinds, bytes->total.packed, !options->json)),
                     JSON_VALUE("objects", json_objects(bytes, num, file->map, !options->json)));
    if (options->json) {
        text_json_line(report->out, object);
        return;
    }
    json_add_int(object, "more", (int64_t)(bytes->num - num));
    form_line(report->out, size_form, object);
}

static void put_all_maps(const size_run *run, text *out, size_t num_files)
{
    bytes_sum kinds[TM_BYTES_COUNT] = {{0}};
    uint64_t packed = 0;
    for (size_t i = 0; i < num_files; i++)
        for (int k = 0; k < TM_BYTES_COUNT; k++) {
            kinds[k].objects += run->kinds[i][k].objects;
            kinds[k].packed += run->kinds[i][k].packed;
            kinds[k].unpacked += run->kinds[i][k].unpacked;
            packed += run->kinds[i][k].packed;
        }
    form_line(out, size_form,
              json_object(JSON_INT("maps", atomic_load(&run->maps)), JSON_INT("file_size", packed),
                          JSON_VALUE("kinds", json_kinds(kinds, packed, true))));
}

static tm_status draw_sizes(const size_options *options, picture_format format, const tm_map *map,
                            const map_bytes *bytes, tm_error *error)
{
    const uint32_t width = options->pixels.width, height = options->pixels.height;
    uint8_t *rgba = must_alloc((size_t)width * height, 4);
    picture_pixels drawn = {rgba, width, height};
    const picture_rows rows = picture_plain_rows(&drawn, false);
    tm_status status = tm_preview_draw_sizes(rgba, width, height, map, bytes->objects, bytes->num, error);
    if (!status)
        status = picture_write_rows(&rows, format, options->picture, error);
    free(rgba);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- run */

static void size_of_file(void *ctx, cli_report *report)
{
    size_run *run = ctx;
    const size_options *options = report->tool->options;
    loaded file;
    map_bytes bytes = {.num = 0};
    load_map(&file, report->path, options->common.mode);
    if (!file.status)
        file.status = tm_mapfile_each_share(file.map, add_share, &bytes, &file.error);
    if (!file.status)
        join_shares(&bytes);
    if (!file.status && options->picture)
        file.status = draw_sizes(options, run->format, file.map, &bytes, &file.error);
    if (options->common.json || (!file.status && !(options->picture && strcmp(options->picture, "-") == 0)))
        put_map_sizes(report, &file, &bytes);
    report_loaded(report, &file, SHOW_ERRORS);
    if (file.status) {
        report_error(report, &file.error);
    } else {
        memcpy(run->kinds[report->index], bytes.kinds, sizeof(bytes.kinds));
        atomic_fetch_add(&run->maps, 1);
    }
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
    run.kinds = must_alloc(files.num, sizeof(*run.kinds));
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
        put_all_maps(&run, &tool->out, files.num);
    free(run.kinds);
    files_release(&files);
    return STATUS_DONE;
}
