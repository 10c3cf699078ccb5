/* SPDX-License-Identifier: Zlib */
/*
 * Writes a patch as JSON, with one change per line. Objects and values have the same form as in all other
 * JSON; data are packed and in base64. patch_text.h describes the rest.
 */
#include "patch_text.h"

const char *const tmi_patch_list_names[TMI_LISTS] = {[TM_KIND_IMAGE] = "images",
                                                     [TM_KIND_SOUND] = "sounds",
                                                     [TM_KIND_ENVELOPE] = "envelopes",
                                                     [TM_KIND_GROUP] = "groups",
                                                     [TM_KIND_LAYER] = "layers"};
const char *const tmi_patch_delta_names[TMI_DELTA_DATA + 1] = {
    [TMI_DELTA_OBJECT] = "object",   [TMI_DELTA_FIELD] = "field", [TMI_DELTA_SETTING] = "setting",
    [TMI_DELTA_ELEMENT] = "element", [TMI_DELTA_GRID] = "grid",   [TMI_DELTA_DATA] = "data"};

bool tmi_field_in_patch(const tm_field *field)
{
    const bool text = field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME;
    return !(field->flags & TM_FIELD_ALIAS) && (!field->setter || text);
}

const char *tmi_elements_name(tm_kind layer)
{
    return layer == TM_KIND_QUAD_LAYER ? "quads" : "sources";
}

tmi_encoding tmi_view_of_data(const tm_field *field, tm_layer_kind kind)
{
    return field->flags & TM_FIELD_ELEMENTS ? tmi_encoding_of(kind) : TMI_ENCODING_BYTES;
}

/* Data as they stand in the form. */
typedef struct packed_data {
    uint8_t *bytes;
    size_t size;
} packed_data;

/* What tells the data of a file apart; without padding, since all bytes count. */
typedef struct data_key {
    const struct tmi_origin *origin;
    uint64_t size;
    uint32_t data_index, views; /* how the block sees the data, and how the form writes them */
} data_key;

typedef struct patch_writer {
    tmi_out json;
    tmi_object_out objects; /* into `json`; references are numbers */
    const tm_patch *patch;
    tmi_intern
        keys; /* of data of files: objects may share them, and a small file can have thousands that do */
    packed_data *packed; /* by the number of their key */
    size_t num_packed, capacity;
    tm_error *error;
} patch_writer;

/* ----------------------------------------------------------------------------------------- values, bytes */

static void free_packed(const patch_writer *w, packed_data *packed)
{
    tmi_free(tmi_patch_allocator(w->patch), packed->bytes, packed->size, 1);
    *packed = (packed_data){NULL, 0};
}

/* The caller frees them. */
static tm_status pack_bytes(patch_writer *w, packed_data *packed, const uint8_t *bytes, size_t size)
{
    const tm_allocator *allocator = tmi_patch_allocator(w->patch);
    tmi_deflater *deflater = tmi_deflater_new(6);
    const size_t bound = deflater ? tmi_deflate_bound(deflater, size) : 0;
    uint8_t *room = deflater ? tmi_alloc(allocator, bound, 1) : NULL;
    const size_t packed_size = room ? tmi_deflate(deflater, room, bound, bytes, size) : 0;
    tmi_deflater_free(deflater);
    if (!room)
        return tmi_fail_memory(w->error, bound, "packed data");
    uint8_t *tight = tmi_realloc(allocator, room, bound, packed_size, 1);
    if (!tight) {
        tmi_free(allocator, room, bound, 1);
        return tmi_fail_memory(w->error, packed_size, "packed data");
    }
    *packed = (packed_data){tight, packed_size};
    return TM_OK;
}

static tm_status pack_block(patch_writer *w, packed_data *packed, const tm_block *block, tmi_encoding view)
{
    uint8_t *bytes;
    const uint64_t size = tm_block_get_info(block).size;
    if (size > SIZE_MAX)
        return tmi_fail_memory(w->error, size, "data");
    TM_TRY(tmi_reserve(&bytes, tmi_patch_allocator(w->patch), (size_t)size, 1, "data", w->error));
    tm_status status = tm_map_read_data(w->patch->home, block, bytes, size, w->error);
    if (status == TM_OK) {
        tmi_encoding_swap(bytes, size, view);
        status = pack_bytes(w, packed, bytes, (size_t)size);
    }
    tmi_free(tmi_patch_allocator(w->patch), bytes, (size_t)size, 1);
    return status;
}

/* Where the packed data of a block are kept, so that those which objects share are packed once. */
static tm_status find_kept(patch_writer *w, packed_data **out, const tm_block *block, tmi_encoding view)
{
    const data_key key = {block->origin, block->size, block->data_index,
                          (uint32_t)block->view << 8 | (uint32_t)view};
    uint32_t number;
    TM_TRY(tmi_intern_put(&number, &w->keys, &key, w->error));
    if (number == w->num_packed) {
        TM_TRY(tmi_grow(tmi_patch_allocator(w->patch), &w->packed, &w->capacity, w->num_packed + 1,
                        sizeof(*w->packed), w->error));
        w->packed[w->num_packed++] = (packed_data){NULL, 0};
    }
    *out = &w->packed[number];
    return TM_OK;
}

static void free_kept(patch_writer *w)
{
    for (size_t i = 0; i < w->num_packed; i++)
        free_packed(w, &w->packed[i]);
    tmi_free(tmi_patch_allocator(w->patch), w->packed, w->capacity, sizeof(*w->packed));
    tmi_intern_release(&w->keys);
}

/* Writes packed data in base64. */
static void write_packed(patch_writer *w, const packed_data *packed)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    tmi_out_open(&w->json, "deflated", '"');
    for (size_t i = 0; i < packed->size; i += 3) {
        const uint8_t *bytes = packed->bytes + i;
        const size_t left = packed->size - i;
        const uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)(left > 1 ? bytes[1] : 0) << 8 |
                              (uint32_t)(left > 2 ? bytes[2] : 0);
        const char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                              left > 1 ? digits[bits >> 6 & 63] : '=', left > 2 ? digits[bits & 63] : '='};
        tmi_out_raw(&w->json, text, sizeof(text));
    }
    tmi_out_close(&w->json, '"');
}

static tm_status write_data_of(patch_writer *w, const char *name, const tm_block *block, tmi_encoding view)
{
    if (!block) {
        tmi_out_null(&w->json, name);
        return TM_OK;
    }
    packed_data loose = {NULL, 0}, *packed = &loose;
    if (block->origin && !block->changed)
        TM_TRY(find_kept(w, &packed, block, view));
    if (!packed->bytes)
        TM_TRY(pack_block(w, packed, block, view));
    tmi_out_open(&w->json, name, '{');
    tmi_out_number(&w->json, "size", (int64_t)tm_block_get_info(block).size);
    write_packed(w, packed);
    tmi_out_close(&w->json, '}');
    free_packed(w, &loose);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- contents */

static tm_status write_data_fields(patch_writer *w, tm_kind owner, const void *object, tm_layer_kind kind)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t f = 0; f < num; f++)
        if (fields[f].type == TM_TYPE_BLOCK)
            TM_TRY(write_data_of(w, fields[f].name, tm_field_get(&fields[f], object, 0).as.block,
                                 tmi_view_of_data(&fields[f], kind)));
    return TM_OK;
}

static tm_status write_layer(patch_writer *w, const tm_layer *layer)
{
    const tm_kind own = tm_kind_of_layer(layer->kind);
    const void *bytes;
    tmi_object_put(&w->objects, own, layer);
    if (own == TM_KINDS)
        return TM_OK;
    if (own == TM_KIND_TILE_LAYER)
        return write_data_fields(w, own, layer, layer->kind);
    TM_TRY(tm_map_data(&bytes, NULL, w->patch->home, tmi_referring_block(layer), w->error));
    tmi_elements_put(&w->objects, tmi_elements_name(own), tm_kind_of_elements(layer->kind), bytes,
                     tmi_layer_num(layer), 0);
    return TM_OK;
}

static tm_status write_content(patch_writer *w, const char *name, tm_kind list, const void *object)
{
    const tm_kind owner = list;
    if (!object) {
        tmi_out_null(&w->json, name);
        return TM_OK;
    }
    tmi_out_open(&w->json, name, '{');
    tmi_object_put(&w->objects, owner, object);
    TM_TRY(write_data_fields(w, owner, object, TM_LAYER_UNKNOWN));
    if (list == TM_KIND_LAYER)
        TM_TRY(write_layer(w, object));
    if (list == TM_KIND_ENVELOPE)
        tmi_points_put(&w->objects, object);
    tmi_out_close(&w->json, '}');
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ changes */

static void write_pair(patch_writer *w, const char *name, const uint32_t pair[2])
{
    tmi_out_open(&w->json, name, '[');
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (pair[side] == TMI_NOWHERE)
            tmi_out_null(&w->json, NULL);
        else
            tmi_out_number(&w->json, NULL, pair[side]);
    tmi_out_close(&w->json, ']');
}

/* Elements in hex: one, if all are equal. */
static void write_hex(patch_writer *w, const tmi_grid *grid, const tmi_grid_run *run, int side,
                      tmi_encoding view)
{
    const uint8_t *bytes = grid->bytes[side] + (size_t)run->first * grid->size;
    uint32_t num = 1;
    while (num < run->num && memcmp(bytes, bytes + (size_t)num * grid->size, grid->size) == 0)
        num++;
    num = num == run->num ? 1 : run->num;
    tmi_out_open(&w->json, NULL, '"');
    for (uint32_t i = 0; i < num; i++) {
        uint8_t element[16];
        memcpy(element, bytes + (size_t)i * grid->size, grid->size);
        tmi_encoding_swap(element, grid->size, view);
        tmi_out_hex(&w->json, element, grid->size);
    }
    tmi_out_close(&w->json, '"');
}

static void write_around(patch_writer *w, const tmi_grid *squares, tmi_encoding view)
{
    tmi_out_open(&w->json, "around", '[');
    for (uint32_t i = 0; i < squares->num_runs; i++) {
        tmi_out_open(&w->json, NULL, '[');
        tmi_out_number(&w->json, NULL, squares->runs[i].x);
        tmi_out_number(&w->json, NULL, squares->runs[i].y);
        write_hex(w, squares, &squares->runs[i], TMI_BEFORE, view);
        tmi_out_close(&w->json, ']');
    }
    tmi_out_close(&w->json, ']');
}

static void write_grid_change(patch_writer *w, const tmi_delta *delta)
{
    const tmi_grid *grid = delta->grid;
    const tmi_encoding view = tmi_view_of_data(delta->field, tmi_delta_layer_kind(w->patch, delta));
    tmi_out_numbers(&w->json, "size",
                    (const int64_t[]){grid->width[0], grid->height[0], grid->width[1], grid->height[1]}, 4);
    tmi_out_numbers(&w->json, "shift", (const int64_t[]){grid->dx, grid->dy}, 2);
    tmi_out_number(&w->json, "bytes", grid->size);
    tmi_out_open(&w->json, "runs", '[');
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        tmi_out_open(&w->json, NULL, '[');
        tmi_out_number(&w->json, NULL, grid->runs[r].x);
        tmi_out_number(&w->json, NULL, grid->runs[r].y);
        tmi_out_number(&w->json, NULL, grid->runs[r].num);
        write_hex(w, grid, &grid->runs[r], TMI_BEFORE, view);
        write_hex(w, grid, &grid->runs[r], TMI_AFTER, view);
        tmi_out_close(&w->json, ']');
    }
    tmi_out_close(&w->json, ']');
    if (grid->surroundings)
        write_around(w, grid->surroundings, view);
}

/* A patch that is written holds values, and none that could not be read. */
static tm_status refuse_unread(const patch_writer *w)
{
    for (size_t i = 0; i < w->patch->num; i++) {
        const tmi_delta *delta = &w->patch->deltas[i];
        bool any = tmi_delta_is_unread(delta);
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
            any = any || (delta->content[side] && tmi_any_unread((delta->list), delta->content[side]));
        tm_patch_change change;
        char line[TM_ERROR_TEXT_SIZE];
        if (!any || !tm_patch_at(&change, w->patch, (uint32_t)i))
            continue;
        tm_patch_change_format(&change, line, sizeof(line));
        return tmi_fail(w->error, TM_ERROR_UNSUPPORTED, -1,
                        "a patch cannot hold a value that could not be read: %s", line);
    }
    return TM_OK;
}

/* Writes the content of a change on one side. */
static tm_status write_version(patch_writer *w, const tmi_delta *delta, int side)
{
    const char *name = side == TMI_BEFORE ? "was" : "is";
    const void *bytes = delta->bytes[side];
    switch (delta->type) {
    case TMI_DELTA_OBJECT: return write_content(w, name, delta->list, delta->content[side]);
    case TMI_DELTA_FIELD: tmi_value_put(&w->objects, name, delta->field, &delta->value[side]); break;
    case TMI_DELTA_SETTING: tmi_out_exact(&w->json, name, bytes); break;
    case TMI_DELTA_ELEMENT:
        if (bytes)
            tmi_element_put(&w->objects, name, delta->owner, bytes, 0);
        else
            tmi_out_null(&w->json, name);
        break;
    case TMI_DELTA_DATA:
        return write_data_of(w, name, delta->block[side],
                             tmi_view_of_data(delta->field, tmi_delta_layer_kind(w->patch, delta)));
    case TMI_DELTA_GRID: break;
    }
    return TM_OK;
}

static tm_status write_change(patch_writer *w, const tmi_delta *delta)
{
    tmi_out_line(&w->json);
    tmi_out_open(&w->json, NULL, '{');
    tmi_out_text(&w->json, "change", tmi_patch_delta_names[delta->type]);
    if (delta->list == TM_KIND_MAP) {
        tmi_out_null(&w->json, "list");
    } else {
        tmi_out_text(&w->json, "list", tmi_patch_list_names[delta->list]);
        write_pair(w, "objects", delta->number);
    }
    if (delta->type != TMI_DELTA_OBJECT && delta->type != TMI_DELTA_SETTING)
        tmi_out_text(&w->json, "owner", tm_kind_name(delta->owner));
    if (delta->field)
        tmi_out_text(&w->json, "field", delta->field->name);
    if (delta->type == TMI_DELTA_FIELD)
        tmi_out_number(&w->json, "index", delta->index);
    if (delta->type == TMI_DELTA_SETTING || delta->type == TMI_DELTA_ELEMENT) {
        write_pair(w, "at", delta->at);
        tmi_out_bool(&w->json, "moved", delta->moved);
    }
    if (delta->type == TMI_DELTA_GRID)
        write_grid_change(w, delta);
    TM_TRY(write_version(w, delta, TMI_BEFORE));
    TM_TRY(write_version(w, delta, TMI_AFTER));
    tmi_out_close(&w->json, '}');
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- sides and pairs */

static void write_side(patch_writer *w, const tmi_side *side)
{
    tmi_out_line(&w->json);
    tmi_out_open(&w->json, NULL, '{');
    for (tm_kind list = TM_KIND_IMAGE; list < TM_KIND_GROUP; list++)
        tmi_out_number(&w->json, tmi_patch_list_names[list], side->num[list]);
    tmi_out_open(&w->json, "layers", '[');
    for (uint32_t g = 0; g < side->num[TM_KIND_GROUP]; g++)
        tmi_out_number(&w->json, NULL, side->first_layer[g + 1] - side->first_layer[g]);
    tmi_out_close(&w->json, ']');
    tmi_out_open(&w->json, "names", '{');
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        tmi_out_open(&w->json, tmi_patch_list_names[list], '[');
        for (uint32_t i = 0; i < side->num[list]; i++) {
            const tmi_label *label = &side->labels[list][i];
            if (!label->used || !label->name)
                continue;
            tmi_out_open(&w->json, NULL, '[');
            tmi_out_number(&w->json, NULL, i);
            if (list == TM_KIND_LAYER)
                tmi_out_text(&w->json, NULL, tm_game_layer((tm_layer_kind)label->kind)->name);
            else
                tmi_out_number(&w->json, NULL, label->kind);
            tmi_out_exact(&w->json, NULL, label->name);
            tmi_out_close(&w->json, ']');
        }
        tmi_out_close(&w->json, ']');
    }
    tmi_out_close(&w->json, '}');
    tmi_out_close(&w->json, '}');
}

static tm_status write_patch(patch_writer *w)
{
    tmi_out_open(&w->json, NULL, '{');
    tmi_out_number(&w->json, "teemap_patch", TMI_PATCH_VERSION);
    tmi_out_open(&w->json, "sides", '[');
    write_side(w, &w->patch->match.side[TMI_BEFORE]);
    write_side(w, &w->patch->match.side[TMI_AFTER]);
    tmi_out_close(&w->json, ']');
    tmi_out_line(&w->json);
    tmi_out_open(&w->json, "pairs", '{');
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const uint32_t num = w->patch->match.pairs[list].num[TMI_BEFORE];
        const int32_t *other = w->patch->match.pairs[list].other[TMI_BEFORE];
        tmi_out_open(&w->json, tmi_patch_list_names[list], '[');
        for (uint32_t i = 0, run; i < num; i += run) {
            for (run = 1; other[i] != TM_NONE && i + run < num && other[i + run] == other[i] + (int32_t)run;)
                run++;
            if (other[i] != TM_NONE)
                tmi_out_numbers(&w->json, NULL, (const int64_t[]){i, other[i], run}, 3);
        }
        tmi_out_close(&w->json, ']');
    }
    tmi_out_close(&w->json, '}');
    const tmi_grid *game = w->patch->game;
    if (game) {
        tmi_out_line(&w->json);
        tmi_out_open(&w->json, "game_layer", '{');
        tmi_out_numbers(&w->json, "size", (const int64_t[]){game->width[0], game->height[0]}, 2);
        if (game->surroundings)
            write_around(w, game->surroundings, TMI_ENCODING_BYTES);
        tmi_out_close(&w->json, '}');
    }
    tmi_out_line(&w->json);
    tmi_out_open(&w->json, "changes", '[');
    for (size_t i = 0; i < w->patch->num && !w->json.status; i++) /* nobody waits for what is not taken */
        TM_TRY(write_change(w, &w->patch->deltas[i]));
    tmi_out_close(&w->json, ']');
    tmi_out_close(&w->json, '}');
    return TM_OK;
}

tm_status tm_patch_write(const tm_patch *patch, const tm_output *output, tm_error *error)
{
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_need(output, "output", error));
    patch_writer w = {.patch = patch, .error = error};
    w.keys = (tmi_intern){.allocator = tmi_patch_allocator(patch), .key_size = sizeof(data_key)};
    TM_TRY(refuse_unread(&w));
    w.objects.writer = &w.json;
    tmi_out_start(&w.json, output, error);
    const tm_status status = write_patch(&w);
    free_kept(&w);
    TM_TRY(status);
    tmi_out_raw(&w.json, "\n", 1);
    return tmi_out_end(&w.json);
}
