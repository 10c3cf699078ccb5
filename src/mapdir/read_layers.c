/* SPDX-License-Identifier: Zlib */
/*
 * Reads files of layers: plain fields by the table of fields, rows of tiles and elements into blocks. Only
 * one row at a time is held as text.
 */
#include "mapdir.h"

/* ------------------------------------------------------------------------------------------ rows of tiles */

/* A row that is being read; after a fault `cursor` is its position. */
typedef struct row_reader {
    const tmi_tile_plan *plan;
    const char *text, *cursor;
    const char *fault;
    bool any;       /* a tile that is not air */
    char told[100]; /* where the fault has words of its own */
} row_reader;

static bool row_fails(row_reader *row, const char *fault)
{
    row->fault = fault;
    return false;
}

static bool read_tile_number(row_reader *row, int64_t *out)
{
    const char *cursor = row->cursor;
    const bool digits = cursor[*cursor == '-'] >= '0' && cursor[*cursor == '-'] <= '9';
    int32_t number;
    if (!digits)
        return row_fails(row, "a tile is expected, such as 12, 12xr, 3/26 or 0*40");
    if (!tmi_take_number(&number, &cursor))
        return row_fails(row, "the number is too large");
    row->cursor = cursor;
    *out = number;
    return true;
}

/* Reads flags of a tile: letters, then bits without a letter as "+" and a number; false after a fault. */
static bool read_letters(row_reader *row, uint32_t field, int64_t *out)
{
    const char *letters = row->plan->letters[field];
    for (*out = 0; *row->cursor >= 'a' && *row->cursor <= 'z'; row->cursor++) {
        int bit = 0;
        while (bit < 8 && letters[bit] != *row->cursor)
            bit++;
        if (bit == 8) {
            const size_t size = sizeof(row->told);
            size_t at = tmi_format(row->told, size, "no flag of tiles has the letter '%c'; it is one of",
                                   *row->cursor);
            for (bit = 0; bit < 8; bit++)
                if (letters[bit])
                    at += tmi_format(row->told + at, size - at, " %c", letters[bit]);
            return row_fails(row, row->told);
        }
        *out |= 1 << bit;
    }
    int64_t rest = 0;
    if (*row->cursor == '+') {
        row->cursor++;
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
    row->cursor = start;
    tmi_format(row->told, sizeof(row->told), "%s is %lld, and %s fit", field->name, (long long)value,
               field->storage == TM_STORED_UINT8   ? "0 to 255"
               : field->storage == TM_STORED_INT16 ? "-32768 to 32767"
                                                   : "32 bits");
    return row_fails(row, row->told);
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
    for (uint32_t i = 0; i < plan->num && (i == 0 || !ends_tile(*row->cursor)); i++) {
        const tm_field *field = plan->fields[i];
        const bool flags = field->type == TM_TYPE_FLAGS;
        const char *start = row->cursor;
        int64_t value = 0;
        if (i && !flags && *row->cursor++ != '/') {
            row->cursor--;
            return row_fails(row, "expected a slash, a star or a space after a number");
        }
        if (!(flags ? read_letters(row, i, &value) : read_tile_number(row, &value)) ||
            !store_number(row, field, tile, value, start))
            return false;
    }
    return ends_tile(*row->cursor) || row_fails(row, "tiles of this kind end here");
}

/*
 * Reads a row into zeroed memory. Returns the number of its tiles, including those beyond the width, or -1
 * after a fault.
 */
static int64_t read_row(row_reader *row, uint8_t *target, uint32_t width)
{
    int64_t num = 0, run;
    uint8_t tile[16] = {0};
    const size_t size = row->plan->tile_size;
    for (;;) {
        while (*row->cursor == ' ')
            row->cursor++;
        if (!*row->cursor)
            return num;
        if (!read_tile_text(row, tile))
            return -1;
        run = 1;
        if (*row->cursor == '*') {
            row->cursor++;
            if (!read_tile_number(row, &run))
                return -1;
        }
        if (run <= 0) {
            row->fault = "the number after the star must be above 0";
            return -1;
        }
        const int64_t room = num < width ? width - num : 0, fitting = run < room ? run : room;
        /* Air is not written: systems provide pages only then, and most of a large map is air. */
        if (fitting && !tmi_all_zero(tile, size)) {
            uint8_t *first = target + (size_t)num * size;
            row->any = true;
            memcpy(first, tile, size);
            for (int64_t done = 1, step; done < fitting; done += step) {
                step = done < fitting - done ? done : fitting - done;
                memcpy(first + (size_t)done * size, first, (size_t)step * size);
            }
        }
        num = num > INT32_MAX ? num : num + run;
    }
}

static void take_row(tmi_json_file *file, const tmi_tile_plan *plan, uint8_t *target, uint32_t width)
{
    row_reader row = {.plan = plan, .text = tmi_json_text(file->json), .cursor = tmi_json_text(file->json)};
    const int64_t num = read_row(&row, target, width);
    const size_t shift = 1 + (size_t)(row.cursor - row.text);
    file->reading->any_tile = file->reading->any_tile || row.any;
    if (num < 0)
        tmi_report_token(file, TM_FINDING_FOLDER_VALUE, shift, "%s", row.fault);
    else if (num != width)
        tmi_report_token(file, TM_FINDING_FOLDER_VALUE, 0, "the row has %lld tiles, and the layer is %u wide",
                         (long long)num, (unsigned)width);
}

/* What is read of a layer and stands in its block, but for the tiles. */
typedef struct layer_parts {
    tm_layer *layer;
    tm_buffer elements, rest, compat_rest; /* the rests stand behind the tiles or elements */
    uint32_t num;
    bool any; /* there is a list of elements */
} layer_parts;

/* Reads rows into new memory for the tiles, unless the file is too small for so many rows. */
static void read_rows(tmi_json_file *file, tm_layer_kind kind, const tm_tile_layer *tiles, tm_block **out,
                      bool compat)
{
    tmi_tile_plan plan;
    tmi_json_token token;
    uint32_t y = 0;
    tmi_tile_plan_make(&plan, kind);
    if (tiles->height > file->input.size)
        tmi_report_token(file, TM_FINDING_FOLDER_VALUE, 0, "the layer is %u high, and there are fewer rows",
                         (unsigned)tiles->height);
    else
        tmi_note_status(file->reading, tmi_tiles_new(file->reading, out, kind, tiles));
    tm_block *block = *out;
    uint8_t *bytes = block ? tmi_block_own(block) : NULL;
    while ((token = tmi_next_value(file)) != TMI_JSON_ARRAY_END && token != TMI_JSON_FAULT) {
        if (token != TMI_JSON_STRING)
            tmi_json_unexpected(file, token, "a text with a row of tiles");
        else if (bytes && y < tiles->height)
            take_row(file, &plan, bytes + (size_t)y * tiles->width * plan.tile_size, tiles->width);
        y++;
    }
    if (token != TMI_JSON_FAULT && block && y != tiles->height && !(compat && y == 0))
        tmi_report_token(file, TM_FINDING_FOLDER_VALUE, 0, "there are %u rows, and the layer is %u high",
                         (unsigned)y, (unsigned)tiles->height);
    if (block && compat && y == 0) /* all that is there stands behind it */
        block->size = 0;
}

/* Reads the tiles of a layer, or those for Teeworlds. */
static void read_tiles_member(tmi_json_file *file, tm_layer *layer, bool compat)
{
    const tmi_json_token token = tmi_next_value(file);
    tm_tile_layer *tiles = &layer->as.tiles;
    if (token == TMI_JSON_NULL)
        return;
    if (compat && (!tm_game_layer(layer->kind)->is_physics || layer->kind == TM_LAYER_GAME))
        tmi_json_unexpected(file, token, "no such member of this kind of layer");
    else if (token == TMI_JSON_ARRAY)
        read_rows(file, compat ? TM_LAYER_TILES : layer->kind, tiles, compat ? &tiles->compat : &tiles->tiles,
                  compat);
    else if (compat && token == TMI_JSON_NUMBER && strcmp(tmi_json_text(file->json), "0") == 0)
        tmi_note_status(file->reading, tmi_tiles_new(file->reading, &tiles->compat, TM_LAYER_TILES, tiles));
    else
        tmi_json_unexpected(file, token,
                            compat ? "0, or a list of rows: [ ... ]" : "a list of rows: [ ... ]");
}

/* ------------------------------------------------------------------------------------------------- blocks */

/* Appends bytes, which the file has behind the tiles or elements, to a block. */
static void append_rest(tmi_reading *reading, tm_block **block, const tm_buffer *rest)
{
    tm_block *whole;
    if (rest->size == 0 || reading->status != TM_OK || !*block)
        return;
    const uint64_t before = (*block)->size;
    tmi_note_status(reading, tmi_block_new(&whole, reading->map, (*block)->view, NULL, before + rest->size,
                                           reading->error));
    if (reading->status != TM_OK)
        return;
    memcpy(tmi_block_own(whole), tmi_block_held(*block), (size_t)before);
    memcpy((uint8_t *)tmi_block_own(whole) + before, rest->bytes, rest->size);
    tmi_block_put(reading->map, block, whole);
}

/* ------------------------------------------------------------------------------------------------- layers */

/* Reads a member that holds what stands in blocks; false: it is another. */
static bool read_contents(tmi_json_file *file, layer_parts *parts, const char *key)
{
    tm_layer *layer = parts->layer;
    const bool tiles = tm_game_layer(layer->kind)->is_tiles, quads = layer->kind == TM_LAYER_QUADS;
    const char *name = tiles ? "tiles" : quads ? "quads" : "sources";
    const size_t size = strlen(name);
    if (layer->kind == TM_LAYER_UNKNOWN || (file->reading->twmap && tiles))
        return false;
    if (strcmp(key, name) == 0 && tiles)
        read_tiles_member(file, layer, false);
    else if (strcmp(key, name) == 0)
        parts->any = tmi_read_elements(file, tm_kind_of_elements(layer->kind),
                                       !file->reading->twmap ? TMI_OWN_FORM
                                       : quads               ? TMI_TWMAP_FORM
                                                             : TMI_OF_SOURCE,
                                       &parts->elements, &parts->num);
    else if (file->reading->twmap)
        return false;
    else if (strncmp(key, name, size) == 0 && strcmp(key + size, "_rest") == 0)
        tmi_read_hex(file, &parts->rest);
    else if (tiles && strcmp(key, "compat") == 0)
        read_tiles_member(file, layer, true);
    else if (tiles && strcmp(key, "compat_rest") == 0)
        tmi_read_hex(file, &parts->compat_rest);
    else
        return false;
    return true;
}

/*
 * Reads the kind and the size of a layer, sets these and the initial values of all other fields, and begins
 * the object again, as other members are read by them; false after a fault.
 */
static bool begin_layer(tmi_json_file *file, tm_layer *layer)
{
    const char *kind_key = file->reading->twmap ? "type" : "kind";
    const uint64_t errors = file->reading->errors;
    bool kind = false, width = false, height = false, tiles = true;
    char key[TMI_KEY_SIZE];
    tm_layer head = {.name = ""};
    const tmi_fields_of fields = {{TM_KIND_LAYER, TM_KIND_TILE_LAYER}, 2, &head};
    while (!(kind && (!tiles || (width && height))) && tmi_json_member(file, key)) {
        bool *known = strcmp(key, kind_key) == 0   ? &kind
                      : strcmp(key, "width") == 0  ? &width
                      : strcmp(key, "height") == 0 ? &height
                                                   : NULL;
        if (known)
            *known = file->reading->twmap ? tmi_twmap_take(file, &fields, TMI_OF_GRID, key)
                                          : tmi_read_member(file, &fields, key);
        else if (!tmi_json_skip(file->json, tmi_next_value(file)))
            break;
        tiles = tm_game_layer(head.kind)->is_tiles;
    }
    const uint32_t columns = head.as.tiles.width, rows = head.as.tiles.height;
    if (file->reading->errors != errors) /* without a valid size, the tiles cannot be judged */
        return false;
    if (!kind || (tiles && (!width || !height))) {
        tmi_report_in(file->reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(file->name),
                      "the layer does not say its %s", kind ? "width and height" : kind_key);
        return false;
    }
    if (tiles && (uint64_t)columns * rows > INT32_MAX) {
        tmi_report_in(file->reading, TM_FINDING_FOLDER_VALUE, TMI_WHOLE(file->name),
                      "%u x %u tiles are more than a map can have", (unsigned)columns, (unsigned)rows);
        return false;
    }
    const tmi_fields_of target = tmi_fields_of_layer(layer, head.kind);
    tmi_fields_start(&target);
    layer->kind = head.kind;
    if (tiles) {
        layer->as.tiles.width = columns;
        layer->as.tiles.height = rows;
    }
    tmi_json_rewind(file->json);
    return tmi_json_next(file->json) == TMI_JSON_OBJECT;
}

static void read_body(tmi_json_file *file, layer_parts *parts)
{
    tm_layer *layer = parts->layer;
    tmi_reading *reading = file->reading;
    const tmi_fields_of target = tmi_fields_of_layer(layer, layer->kind);
    const bool tiles = tm_game_layer(layer->kind)->is_tiles, twmap = reading->twmap;
    char key[TMI_KEY_SIZE];
    if (twmap)
        tmi_twmap_begin_layer(reading, layer);
    while (tmi_json_member(file, key)) /* what begin_layer has read holds: the tiles are read by it */
        if (strcmp(key, twmap ? "type" : "kind") == 0 ||
            (tiles && (strcmp(key, "width") == 0 || strcmp(key, "height") == 0)))
            tmi_json_skip(file->json, tmi_next_value(file));
        else if (!read_contents(file, parts, key) &&
                 !(twmap ? tmi_twmap_layer_member(file, layer, key) : tmi_read_member(file, &target, key)))
            tmi_unknown_member(file, key);
    if (tiles) {
        append_rest(reading, &layer->as.tiles.tiles, &parts->rest);
        append_rest(reading, &layer->as.tiles.compat, &parts->compat_rest);
    } else if (parts->any && reading->status == TM_OK) {
        tm_block **elements = tmi_layer_elements(layer);
        tmi_note_status(reading, tmi_block_new(elements, reading->map, tmi_encoding_of(layer->kind),
                                               parts->elements.bytes, parts->elements.size, reading->error));
        append_rest(reading, elements, &parts->rest);
        *tmi_layer_count(layer) = reading->status == TM_OK ? parts->num : 0;
    }
}

void tmi_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer)
{
    char path[TMI_PATH_SIZE];
    layer_parts parts = {.layer = layer};
    tmi_json_file file;
    parts.elements.allocator = parts.rest.allocator = parts.compat_rest.allocator = reading->allocator;
    tmi_format(path, sizeof(path), "%s/%s/%s%s.json", tmi_list_names[TM_KIND_GROUP], group,
               reading->twmap ? "layers/" : "", name);
    if (!tmi_json_open(&file, reading, path))
        return;
    if (begin_layer(&file, layer))
        read_body(&file, &parts);
    tmi_json_close(&file);
    tm_buffer_release(&parts.elements);
    tm_buffer_release(&parts.rest);
    tm_buffer_release(&parts.compat_rest);
}
