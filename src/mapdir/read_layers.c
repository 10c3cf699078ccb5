/* SPDX-License-Identifier: Zlib */
/*
 * Files of objects into objects: plain fields by the table, rows of tiles, lines of elements, pictures
 * and sounds into blocks. Rows go straight into the block that they are for; no more than one of them is
 * held as text.
 */
#include "mapdir.h"

/* -------------------------------------------------------------------------------------------------- tiles */

/* A row that is being read; `at` is where something is wrong when reading stops. */
typedef struct row_reader {
    const tmi_tile_plan *plan;
    const char *text, *at;
    const char *fault;
} row_reader;

static bool row_fails(row_reader *row, const char *fault)
{
    row->fault = fault;
    return false;
}

static bool read_tile_number(row_reader *row, int64_t *out)
{
    const bool negative = *row->at == '-';
    const char *digits = row->at + negative;
    int64_t number = 0;
    const char *at = digits;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > INT32_MAX)
            return row_fails(row, "the number is too large");
        number = number * 10 + (*at - '0');
    }
    if (at == digits)
        return row_fails(row, "a tile is expected, such as 12, 12xr, 3/26 or 0*40");
    row->at = at;
    *out = negative ? -number : number;
    return true;
}

static bool read_letters(row_reader *row, uint32_t field, int64_t *out)
{
    const char *letters = row->plan->letters[field];
    for (*out = 0; *row->at >= 'a' && *row->at <= 'z'; row->at++) {
        int bit = 0;
        while (bit < 8 && letters[bit] != *row->at)
            bit++;
        if (bit == 8)
            return row_fails(row, "no flag of tiles has this letter");
        *out |= 1 << bit;
    }
    int64_t rest = 0;
    if (*row->at == '+') {
        row->at++;
        if (!read_tile_number(row, &rest))
            return false;
    }
    *out |= rest;
    return true;
}

static bool store_number(row_reader *row, const tm_field *field, uint8_t *tile, int64_t value,
                         const char *start)
{
    const bool fits = field->storage == TM_STORED_UINT8   ? value >= 0 && value <= UINT8_MAX
                      : field->storage == TM_STORED_INT16 ? value >= INT16_MIN && value <= INT16_MAX
                                                          : value >= INT32_MIN && value <= INT32_MAX;
    if (fits) {
        tmi_tile_set(field, tile, value);
        return true;
    }
    row->at = start;
    return row_fails(row, "the number does not fit into its place in a tile");
}

void tmi_tile_set(const tm_field *field, uint8_t *tile, int64_t value)
{
    const tm_value as_value = {.type = field->type, .as.number = value};
    if (field->storage == TM_STORED_UINT8)
        tile[field->offset] = (uint8_t)value;
    else
        tmi_field_make(NULL, tile, field, 0, &as_value, NULL);
}

static bool ends_tile(char c)
{
    return c == ' ' || c == '*' || c == '\0';
}

static bool read_tile_text(row_reader *row, uint8_t *tile)
{
    const tmi_tile_plan *plan = row->plan;
    memset(tile, 0, plan->tile_size);
    for (uint32_t i = 0; i < plan->num && (i == 0 || !ends_tile(*row->at)); i++) {
        const tm_field *field = plan->fields[i];
        const bool flags = field->type == TM_TYPE_FLAGS;
        const char *start = row->at;
        int64_t value = 0;
        if (i && !flags && *row->at++ != '/') {
            row->at--;
            return row_fails(row, "a slash, a star or a space is expected behind a number");
        }
        if (!(flags ? read_letters(row, i, &value) : read_tile_number(row, &value)) ||
            !store_number(row, field, tile, value, start))
            return false;
    }
    return ends_tile(*row->at) || row_fails(row, "tiles of this kind end here");
}

static bool read_run(row_reader *row, int64_t *run)
{
    *run = 1;
    if (*row->at != '*')
        return true;
    row->at++;
    if (!read_tile_number(row, run))
        return false;
    return *run > 0 || row_fails(row, "how often a tile stands there must be above 0");
}

static void repeat(uint8_t *to, const uint8_t *tile, size_t tile_size, uint64_t num)
{
    memcpy(to, tile, tile_size);
    for (uint64_t done = 1; done < num;) {
        const uint64_t step = done < num - done ? done : num - done;
        memcpy(to + done * tile_size, to, (size_t)step * tile_size);
        done += step;
    }
}

/* Reads a row into its place; the number of its tiles, also of those that are too many, or -1 at a fault. */
static int64_t read_row(row_reader *row, uint8_t *to, uint32_t width)
{
    int64_t num = 0, run;
    uint8_t tile[16] = {0};
    for (;;) {
        while (*row->at == ' ')
            row->at++;
        if (!*row->at)
            return num;
        if (!read_tile_text(row, tile) || !read_run(row, &run))
            return -1;
        const int64_t room = num < width ? width - num : 0, fitting = run < room ? run : room;
        if (fitting)
            repeat(to + (size_t)num * row->plan->tile_size, tile, row->plan->tile_size, (uint64_t)fitting);
        num = num > INT32_MAX ? num : num + run;
    }
}

static void read_row_token(tmi_json_file *file, const tmi_tile_plan *plan, uint8_t *to, uint32_t width)
{
    row_reader row = {plan, tmi_json_text(file->json), tmi_json_text(file->json), NULL};
    const int64_t num = read_row(&row, to, width);
    const size_t shift = 1 + (size_t)(row.at - row.text);
    if (num < 0)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, shift, "%s", row.fault);
    else if (num != width)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "the row has %lld tiles, and the layer is %u wide",
                       (long long)num, (unsigned)width);
}

/* A layer on its way. */
typedef struct layer_parts {
    tm_layer *layer;
    tm_block *tiles, *compat;
    tm_buffer elements, rest, compat_rest;
    uint32_t num;
} layer_parts;

/* Zeroed memory for the tiles, unless the file cannot have as many rows. */
static tm_block *new_tile_block(tmi_json_file *file, tm_layer_kind kind, const tm_tile_layer *tiles,
                                tmi_encoding view)
{
    tmi_reading *reading = file->reading;
    const uint64_t size = (uint64_t)tiles->width * tiles->height * tm_rules_layer(kind)->element_size;
    tm_block *block = NULL;
    if (tiles->height > file->input.size)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "the layer is %u high, and there are fewer rows",
                       (unsigned)tiles->height);
    else
        tmi_note_status(reading, tmi_block_new(&block, reading->map, view, NULL, size, reading->error));
    return block;
}

static void read_rows(tmi_json_file *file, tm_layer_kind kind, const tm_tile_layer *tiles, tm_block **out,
                      bool compat)
{
    tmi_tile_plan plan;
    tmi_json_token token;
    uint32_t y = 0;
    tmi_tile_plan_make(&plan, kind);
    tm_block *block = *out = new_tile_block(file, kind, tiles, tmi_encoding_of(kind));
    uint8_t *bytes = block ? atomic_load_explicit(&block->bytes, memory_order_relaxed) : NULL;
    while ((token = tmi_next_value(file)) != TMI_JSON_ARRAY_END && token != TMI_JSON_FAULT) {
        if (token != TMI_JSON_STRING)
            tmi_json_unexpected(file, token, "a text with a row of tiles");
        else if (bytes && y < tiles->height)
            read_row_token(file, &plan, bytes + (size_t)y * tiles->width * plan.tile_size, tiles->width);
        y++;
    }
    if (token != TMI_JSON_FAULT && block && y != tiles->height && !(compat && y == 0))
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "there are %u rows, and the layer is %u high",
                       (unsigned)y, (unsigned)tiles->height);
    if (block && compat && y == 0) /* all that is there stands behind it */
        block->size = 0;
}

static void read_tiles_member(tmi_json_file *file, layer_parts *parts)
{
    const tmi_json_token token = tmi_next_value(file);
    if (token == TMI_JSON_NULL)
        return;
    if (token != TMI_JSON_ARRAY)
        tmi_json_unexpected(file, token, "a list of rows: [ ... ]");
    else if (parts->tiles)
        tmi_json_unexpected(file, token, "one member 'tiles'");
    else
        read_rows(file, parts->layer->kind, &parts->layer->as.tiles, &parts->tiles, false);
}

static void read_compat_member(tmi_json_file *file, layer_parts *parts)
{
    const tmi_json_token token = tmi_next_value(file);
    const tm_tile_layer *tiles = &parts->layer->as.tiles;
    const bool zeros = token == TMI_JSON_NUMBER && strcmp(tmi_json_text(file->json), "0") == 0;
    if (token == TMI_JSON_NULL)
        return;
    if (!tm_rules_layer(parts->layer->kind)->is_physics || parts->layer->kind == TM_LAYER_GAME ||
        parts->compat)
        tmi_json_unexpected(file, token, "no such member (or none more) of this kind of layer");
    else if (zeros)
        tmi_note_status(file->reading,
                        tmi_block_new(&parts->compat, file->reading->map, TMI_ENCODING_BYTES, NULL,
                                      (uint64_t)tiles->width * tiles->height * sizeof(tm_tile),
                                      file->reading->error));
    else if (token == TMI_JSON_ARRAY)
        read_rows(file, TM_LAYER_TILES, tiles, &parts->compat, true);
    else
        tmi_json_unexpected(file, token, "0, or a list of rows: [ ... ]");
}

/* ------------------------------------------------------------------------------------------------- blocks */

/* The block with bytes of the file behind it. */
static void append_rest(tmi_reading *reading, tm_block **block, const tm_buffer *rest)
{
    const uint64_t before = *block ? (*block)->size : 0;
    tm_block *whole;
    if (rest->size == 0 || reading->status != TM_OK || !*block)
        return;
    tm_status status =
        tmi_block_new(&whole, reading->map, (*block)->view, NULL, before + rest->size, reading->error);
    tmi_note_status(reading, status);
    if (status != TM_OK)
        return;
    uint8_t *bytes = atomic_load_explicit(&whole->bytes, memory_order_relaxed);
    memcpy(bytes, atomic_load_explicit(&(*block)->bytes, memory_order_relaxed), (size_t)before);
    memcpy(bytes + before, rest->bytes, rest->size);
    tmi_block_free(reading->map, *block);
    *block = whole;
}

static void keep_elements(tmi_reading *reading, layer_parts *parts, bool any)
{
    tm_layer *layer = parts->layer;
    tm_block *block = NULL;
    if (!any || reading->status != TM_OK)
        return;
    tmi_note_status(reading, tmi_block_new(&block, reading->map, tmi_encoding_of(layer->kind),
                                           parts->elements.bytes, parts->elements.size, reading->error));
    append_rest(reading, &block, &parts->rest);
    if (layer->kind == TM_LAYER_QUADS) {
        layer->as.quads.quads = block;
        layer->as.quads.num_quads = block ? parts->num : 0;
    } else {
        layer->as.sounds.sources = block;
        layer->as.sounds.num_sources = block ? parts->num : 0;
    }
}

static void take_tiles(tmi_reading *reading, layer_parts *parts)
{
    append_rest(reading, &parts->tiles, &parts->rest);
    append_rest(reading, &parts->compat, &parts->compat_rest);
    parts->layer->as.tiles.tiles = parts->tiles;
    parts->layer->as.tiles.compat = parts->compat;
}

/* ------------------------------------------------------------------------------------------------- layers */

static const char *elements_name(tm_layer_kind kind)
{
    return kind == TM_LAYER_QUADS ? "quads" : "sources";
}

/* *any: there is a list of elements, maybe an empty one. */
static bool read_contents(tmi_json_file *file, layer_parts *parts, const char *key, bool *any)
{
    const tm_layer_kind kind = parts->layer->kind;
    const bool tiles = tm_rules_layer(kind)->is_tiles;
    const char *name = tiles ? "tiles" : elements_name(kind);
    const size_t size = strlen(name);
    if (kind == TM_LAYER_UNKNOWN)
        return false;
    if (strncmp(key, name, size) == 0 && strcmp(key + size, "_rest") == 0) {
        tmi_read_hex(file, &parts->rest);
    } else if (tiles && strcmp(key, "compat") == 0) {
        read_compat_member(file, parts);
    } else if (tiles && strcmp(key, "compat_rest") == 0) {
        tmi_read_hex(file, &parts->compat_rest);
    } else if (strcmp(key, name) != 0) {
        return false;
    } else if (tiles) {
        read_tiles_member(file, parts);
    } else {
        parts->elements.size = 0;
        *any = tmi_read_elements(file, tm_owner_of_elements(kind), &parts->elements, &parts->num);
    }
    return true;
}

/*
 * What has to be known before the rest can be read: the kind, and of tiles the size. They usually come
 * first.
 */
typedef struct layer_head {
    tm_layer layer; /* only these fields are set */
    bool kind, width, height;
} layer_head;

static bool head_is_known(const layer_head *head)
{
    return head->kind && (!tm_rules_layer(head->layer.kind)->is_tiles || (head->width && head->height));
}

static bool read_layer_head(tmi_json_file *file, layer_head *head)
{
    const tmi_target target = {{TM_OWNER_LAYER, TM_OWNER_TILE_LAYER}, 2, &head->layer};
    char key[TMI_KEY_SIZE];
    memset(head, 0, sizeof(*head));
    while (!head_is_known(head) && tmi_json_member(file, key)) {
        bool *known = strcmp(key, "kind") == 0     ? &head->kind
                      : strcmp(key, "width") == 0  ? &head->width
                      : strcmp(key, "height") == 0 ? &head->height
                                                   : NULL;
        if (known)
            *known = tmi_read_member(file, &target, key);
        else if (!tmi_json_skip(file->json, tmi_next_value(file)))
            break;
    }
    const tm_tile_layer *tiles = &head->layer.as.tiles;
    if (!head_is_known(head)) {
        tmi_find_in(file->reading, TM_FINDING_FOLDER_MISSING, file->name, 0, 0,
                    "the layer does not say its %s", head->kind ? "width and height" : "kind");
        return false;
    }
    if (!tm_rules_layer(head->layer.kind)->is_tiles || (uint64_t)tiles->width * tiles->height <= INT32_MAX)
        return true;
    tmi_find_in(file->reading, TM_FINDING_FOLDER_VALUE, file->name, 0, 0,
                "%u x %u tiles are more than a map can have", (unsigned)tiles->width,
                (unsigned)tiles->height);
    return false;
}

static void read_body(tmi_json_file *file, layer_parts *parts)
{
    const tm_owner more = tm_owner_of_layer(parts->layer->kind);
    const tmi_target target = {{TM_OWNER_LAYER, more}, more == TM_OWNER_COUNT ? 1 : 2, parts->layer};
    char key[TMI_KEY_SIZE];
    bool any = false;
    while (tmi_json_member(file, key))
        if (!read_contents(file, parts, key, &any) && !tmi_read_member(file, &target, key))
            tmi_unknown_member(file, key);
    if (tm_rules_layer(parts->layer->kind)->is_tiles)
        take_tiles(file->reading, parts);
    else
        keep_elements(file->reading, parts, any);
}

void tmi_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer)
{
    char path[3 * TMI_ID_SIZE + TM_ERROR_TEXT_SIZE];
    layer_parts parts = {.layer = layer};
    layer_head head;
    tmi_json_file file;
    parts.elements.allocator = parts.rest.allocator = parts.compat_rest.allocator = reading->allocator;
    tmi_format(path, sizeof(path), "%s/%s/%s.json", tmi_list_names[TM_OBJECT_GROUP], group, name);
    if (!tmi_json_open(&file, reading, path))
        return;
    if (read_layer_head(&file, &head)) {
        const tm_owner more = tm_owner_of_layer(head.layer.kind);
        const tmi_target target = {{TM_OWNER_LAYER, more}, more == TM_OWNER_COUNT ? 1 : 2, layer};
        tmi_target_init(&target);
        layer->kind = head.layer.kind;
        if (tm_rules_layer(layer->kind)->is_tiles) {
            layer->as.tiles.width = head.layer.as.tiles.width;
            layer->as.tiles.height = head.layer.as.tiles.height;
        }
        tmi_json_rewind(file.json);
        if (tmi_json_next(file.json) == TMI_JSON_OBJECT)
            read_body(&file, &parts);
    }
    tmi_json_close(&file);
    tm_buffer_release(&parts.elements);
    tm_buffer_release(&parts.rest);
    tm_buffer_release(&parts.compat_rest);
}

/* -------------------------------------------------------------------------------------- groups, envelopes */

static void path_of_object(char *path, size_t size, tm_object kind, const char *name)
{
    tmi_format(path, size, "%s/%s.json", tmi_list_names[kind], name);
}

enum { OBJECT_PATH = 2 * TM_ERROR_TEXT_SIZE };

void tmi_read_group(tmi_reading *reading, const char *name, tm_group *group)
{
    const tmi_target target = {{TM_OWNER_GROUP}, 1, group};
    char path[OBJECT_PATH], key[TMI_KEY_SIZE];
    tmi_json_file file;
    tmi_target_init(&target);
    path_of_object(path, sizeof(path), TM_OBJECT_GROUP, name);
    if (!tmi_json_open(&file, reading, path))
        return;
    while (tmi_json_member(&file, key))
        if (!tmi_read_member(&file, &target, key))
            tmi_unknown_member(&file, key);
    tmi_json_close(&file);
}

static void take_points(tmi_reading *reading, tm_envelope *envelope, const tm_buffer *points, uint32_t num)
{
    if (reading->status != TM_OK || envelope->points)
        return;
    tmi_note_status(reading, tmi_envelope_reserve(reading->map, envelope, num, reading->error));
    if (envelope->points)
        memcpy(envelope->points, points->bytes, num * sizeof(*envelope->points));
}

void tmi_read_envelope(tmi_reading *reading, const char *name, tm_envelope *envelope)
{
    const tmi_target target = {{TM_OWNER_ENVELOPE}, 1, envelope};
    char path[OBJECT_PATH], key[TMI_KEY_SIZE];
    tm_buffer points = {.allocator = reading->allocator};
    uint32_t num = 0;
    tmi_json_file file;
    tmi_target_init(&target);
    path_of_object(path, sizeof(path), TM_OBJECT_ENVELOPE, name);
    if (!tmi_json_open(&file, reading, path))
        return;
    while (tmi_json_member(&file, key)) {
        if (strcmp(key, "points") == 0) {
            points.size = 0;
            tmi_read_elements(&file, TM_OWNER_ENVELOPE_POINT, &points, &num);
        } else if (!tmi_read_member(&file, &target, key)) {
            tmi_unknown_member(&file, key);
        }
    }
    tmi_json_close(&file);
    take_points(reading, envelope, &points, num);
    tm_buffer_release(&points);
}

/* ----------------------------------------------------------------------------------------- images, sounds */

/* A file that stands beside an object's own, by its name; false if there is none, which is told. */
static bool open_beside(tmi_reading *reading, tm_object kind, const char *name, tm_input *input)
{
    char path[OBJECT_PATH];
    tmi_format(path, sizeof(path), "%s/%s", tmi_list_names[kind], name);
    return tmi_open_named(reading, path, input);
}

static uint8_t *read_all(tmi_reading *reading, const tm_input *input)
{
    tm_status status = TM_OK;
    uint8_t *bytes = NULL;
    if (input->size > reading->limits.block_bytes)
        status = tmi_fail(reading->error, TM_ERROR_LIMIT, -1, "a file has %llu bytes, and the limit is %llu",
                          (unsigned long long)input->size, (unsigned long long)reading->limits.block_bytes);
    else if (!(bytes = tmi_alloc(reading->allocator, (size_t)input->size, 1)))
        status = tmi_fail_memory(reading->error, input->size, "a file");
    else
        status = tmi_input_read(input, 0, bytes, (size_t)input->size, reading->error);
    tmi_note_status(reading, status);
    if (status == TM_OK)
        return bytes;
    tmi_free(reading->allocator, bytes, (size_t)input->size, 1);
    return NULL;
}

static void keep_bytes(tmi_reading *reading, tm_block **out, const void *bytes, uint64_t size)
{
    tmi_note_status(reading,
                    tmi_block_new(out, reading->map, TMI_ENCODING_BYTES, bytes, size, reading->error));
}

static void read_raw(tmi_reading *reading, tm_object kind, const char *name, tm_block **out)
{
    tm_input input;
    if (!open_beside(reading, kind, name, &input))
        return;
    uint8_t *bytes = read_all(reading, &input);
    if (bytes)
        keep_bytes(reading, out, bytes, input.size);
    tmi_free(reading->allocator, bytes, (size_t)input.size, 1);
    tmi_close_input(&input);
}

static void drop_alpha(uint8_t *pixels, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++)
        memmove(pixels + i * 3, pixels + i * 4, 3);
}

/*
 * The picture's size is the image's, whatever stands in the text: so a picture can be replaced by another
 * one.
 */
static void take_picture(tmi_reading *reading, const char *path, tm_image *image, uint8_t *pixels,
                         uint32_t width, uint32_t height)
{
    const uint64_t num = (uint64_t)width * height;
    const bool rgb = image->format == TM_IMAGE_RGB;
    if ((uint32_t)image->width != width || (uint32_t)image->height != height)
        tmi_find_in(reading, TM_FINDING_FOLDER_ADJUSTED, path, 0, 0,
                    "the picture has %u x %u pixels, and the text says %d x %d; the picture counts",
                    (unsigned)width, (unsigned)height, (int)image->width, (int)image->height);
    image->width = (int32_t)width;
    image->height = (int32_t)height;
    if (rgb)
        drop_alpha(pixels, num);
    keep_bytes(reading, &image->pixels, pixels, num * (rgb ? 3 : 4));
}

static void decode_picture(tmi_reading *reading, const char *path, tm_image *image, const tm_input *input)
{
    uint8_t *pixels = NULL, *bytes = read_all(reading, input);
    uint32_t width, height;
    tm_error error;
    if (!bytes)
        return;
    const tm_status status = tm_png_read(&pixels, &width, &height, bytes, (size_t)input->size,
                                         reading->limits.block_bytes, reading->allocator, &error);
    if (status == TM_OK)
        take_picture(reading, path, image, pixels, width, height);
    else if (status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED)
        tmi_find_in(reading, TM_FINDING_FOLDER_VALUE, path, 0, 0, "the picture cannot be read: %s",
                    error.text);
    else if (reading->error)
        *reading->error = error;
    if (status != TM_OK && status != TM_ERROR_DAMAGED && status != TM_ERROR_UNSUPPORTED)
        tmi_note_status(reading, status);
    if (pixels)
        tm_free(reading->allocator, pixels, (size_t)width * height * 4);
    tmi_free(reading->allocator, bytes, (size_t)input->size, 1);
}

static void read_picture_file(tmi_reading *reading, const char *name, tm_image *image)
{
    tm_input input;
    if (!open_beside(reading, TM_OBJECT_IMAGE, name, &input))
        return;
    decode_picture(reading, name, image, &input);
    tmi_close_input(&input);
}

static bool ends_with_png(const char *name)
{
    const size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, ".png") == 0;
}

void tmi_read_image(tmi_reading *reading, const char *name, tm_image *image)
{
    const tmi_target target = {{TM_OWNER_IMAGE}, 1, image};
    char path[OBJECT_PATH], key[TMI_KEY_SIZE], pixels[TM_ERROR_TEXT_SIZE] = "";
    tmi_json_file file;
    tmi_target_init(&target);
    path_of_object(path, sizeof(path), TM_OBJECT_IMAGE, name);
    if (!tmi_json_open(&file, reading, path))
        return;
    while (tmi_json_member(&file, key))
        if (strcmp(key, "pixels") == 0)
            tmi_read_string(&file, pixels, sizeof(pixels), "null, or the name of a file in this folder");
        else if (!tmi_read_member(&file, &target, key))
            tmi_unknown_member(&file, key);
    tmi_json_close(&file);
    if (ends_with_png(pixels))
        read_picture_file(reading, pixels, image);
    else if (pixels[0])
        read_raw(reading, TM_OBJECT_IMAGE, pixels, &image->pixels);
}

void tmi_read_sound(tmi_reading *reading, const char *name, tm_sound *sound)
{
    const tmi_target target = {{TM_OWNER_SOUND}, 1, sound};
    char path[OBJECT_PATH], key[TMI_KEY_SIZE], data[TM_ERROR_TEXT_SIZE] = "";
    tmi_json_file file;
    tmi_target_init(&target);
    path_of_object(path, sizeof(path), TM_OBJECT_SOUND, name);
    if (!tmi_json_open(&file, reading, path))
        return;
    while (tmi_json_member(&file, key))
        if (strcmp(key, "data") == 0)
            tmi_read_string(&file, data, sizeof(data), "null, or the name of a file in this folder");
        else if (!tmi_read_member(&file, &target, key))
            tmi_unknown_member(&file, key);
    tmi_json_close(&file);
    if (data[0])
        read_raw(reading, TM_OBJECT_SOUND, data, &sound->data);
}
