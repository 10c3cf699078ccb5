/* SPDX-License-Identifier: Zlib */
/*
 * Writes whole objects: plain fields, and the content of blocks in a form for people and version control.
 *
 * A row of tiles is a text, its tiles separated by spaces:
 *   12        index 12
 *   12xr      flipped along x and rotated: the first letters of the flags' names behind "flip_"
 *   3/26      in other kinds of layers the fields in the order of their table: number 3, type 26
 *   0*40      forty of them
 * Zeros at the end of a tile are left out. What a block has behind its tiles follows as digits.
 */
#include "mapdir.h"

/* -------------------------------------------------------------------------------------------------- tiles */

void tmi_tile_plan_make(tmi_tile_plan *plan, tm_layer_kind kind)
{
    size_t num;
    const tm_kind owner = tm_kind_of_elements(kind);
    const tm_field *fields = tm_fields(&num, owner);
    memset(plan, 0, sizeof(*plan));
    plan->tile_size = (uint32_t)tm_kind_size(owner);
    for (size_t i = 0; i < num && plan->num < TMI_PLAN_FIELDS; i++) {
        if (fields[i].flags & TM_FIELD_ALIAS)
            continue;
        for (int bit = 0; bit < 8 && fields[i].type == TM_TYPE_FLAGS; bit++) {
            const char *name = fields[i].choice(1 << bit), *part = name ? strrchr(name, '_') : NULL;
            plan->letters[plan->num][bit] = part ? part[1] : name ? name[0] : '\0';
        }
        plan->fields[plan->num++] = &fields[i];
    }
}

/* Reads a field of a tile; the common sizes directly, for speed. */
static int64_t field_of_tile(const tm_field *field, const uint8_t *tile)
{
    if (field->storage == TM_STORED_UINT8)
        return tile[field->offset];
    return tm_field_get(field, tile, 0).as.number;
}

/* Writes flags as letters; bits without a letter follow as "+" and a number. */
static char *put_flags(char *target, const char letters[8], int64_t flags)
{
    for (int bit = 0; bit < 8; bit++) {
        if (!(flags & 1 << bit) || !letters[bit])
            continue;
        *target++ = letters[bit];
        flags &= ~(int64_t)(1 << bit);
    }
    if (flags) {
        *target++ = '+';
        target = tmi_put_digits(target, flags);
    }
    return target;
}

static size_t tile_format(char *text, const tmi_tile_plan *plan, const uint8_t *tile)
{
    char *target = text;
    uint32_t num = plan->num;
    while (num > 1 && field_of_tile(plan->fields[num - 1], tile) == 0)
        num--;
    for (uint32_t i = 0; i < num; i++) {
        const int64_t value = field_of_tile(plan->fields[i], tile);
        const bool flags = plan->fields[i]->type == TM_TYPE_FLAGS;
        if (i && !flags)
            *target++ = '/';
        target = flags ? put_flags(target, plan->letters[i], value) : tmi_put_digits(target, value);
    }
    return (size_t)(target - text);
}

static void put_row(tmi_out *writer, const tmi_tile_plan *plan, const uint8_t *row, uint32_t width)
{
    enum { SHORT_RUN = 3 };
    char text[TMI_PLAN_TEXT];
    const uint8_t *const end = row + (size_t)width * plan->tile_size;
    for (const uint8_t *tile = row, *next; tile < end; tile = next) {
        const size_t size = tile_format(text, plan, tile);
        next = tmi_run_end(tile, end, plan->tile_size);
        const size_t run = (size_t)(next - tile) / plan->tile_size;
        for (size_t i = 0; i < (run < SHORT_RUN ? run : 1); i++) {
            tmi_out_raw(writer, " ", tile > row || i ? 1 : 0);
            tmi_out_raw(writer, text, size);
        }
        if (run >= SHORT_RUN) {
            tmi_out_raw(writer, "*", 1);
            tmi_out_digits(writer, (int64_t)run);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- blocks */

/* Writes the member "key_rest": the bytes behind the first `used`, if there are any. */
static void put_rest(tmi_out *writer, const char *key, const tmi_borrowed *loan, uint64_t used)
{
    if (loan->size > used)
        tmi_out_bytes(writer, key, "_rest", (const uint8_t *)loan->bytes + used, loan->size - used);
}

/*
 * Writes the tiles of a layer, or those for Teeworlds: of these zeros of the right size, as DDNet makes them,
 * as 0, and none if they do not fill the layer.
 */
static tm_status write_tile_block(tmi_out *writer, const tm_map *map, const tm_layer *layer, bool compat,
                                  tm_error *error)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    const char *key = compat ? "compat" : "tiles";
    const tm_layer_kind kind = compat ? TM_LAYER_TILES : layer->kind;
    const uint64_t size = (uint64_t)tiles->width * tiles->height * tm_game_layer(kind)->element_size;
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, map, compat ? tiles->compat : tiles->tiles, error));
    const bool whole = loan.size >= size;
    if (compat && loan.size == size && tmi_all_zero(loan.bytes, (size_t)size)) {
        tmi_out_number(writer, key, 0);
    } else {
        tmi_tile_plan plan;
        tmi_tile_plan_make(&plan, kind);
        const uint8_t *row = loan.bytes;
        const size_t row_size = (size_t)tiles->width * plan.tile_size;
        tmi_out_open(writer, key, '[');
        writer->lines++;
        for (uint32_t y = 0; whole && y < tiles->height && writer->status == TM_OK; y++, row += row_size) {
            tmi_out_open(writer, NULL, '"');
            put_row(writer, &plan, row, tiles->width);
            tmi_out_close(writer, '"');
        }
        tmi_out_close(writer, ']');
        writer->lines--;
        put_rest(writer, key, &loan, whole ? size : 0);
    }
    tmi_borrowed_close(&loan);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------ pictures and sounds */

bool tmi_is_picture(const tm_image *image)
{
    return image->pixels && tmi_image_stored_size(image) &&
           tm_block_get_info(image->pixels).size == tmi_image_stored_size(image);
}

/* Writes a member with the name of a block's file, or null. */
static void put_file_name(tmi_out *writer, const char *key, const tm_block *block, const char *name,
                          const char *end)
{
    char file[TMI_ID_SIZE + 8];
    tmi_format(file, sizeof(file), "%s%s", name ? name : "", end);
    tmi_out_exact(writer, key, block ? file : NULL);
}

/* ------------------------------------------------------------------------------------------------ objects */

static const char *name_in_folder(const void *ctx, tm_kind kind, int64_t index)
{
    const tmi_names *names = ctx;
    return index < tmi_num_objects(names->map, kind) ? names->lists[kind][index] : NULL;
}

static tm_status put_layer_members(const tmi_object_out *m, const tm_map *map, const tm_layer *layer,
                                   tm_error *error)
{
    tmi_object_put(m, TM_KIND_LAYER, layer);
    tmi_object_put(m, tm_kind_of_layer(layer->kind), layer);
    if (tm_game_layer(layer->kind)->is_tiles) {
        if (layer->as.tiles.compat)
            TM_TRY(write_tile_block(m->writer, map, layer, true, error));
        if (layer->as.tiles.tiles)
            return write_tile_block(m->writer, map, layer, false, error);
        tmi_out_null(m->writer, "tiles");
        return TM_OK;
    }
    if (layer->kind == TM_LAYER_UNKNOWN)
        return TM_OK;
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    const char *key = layer->kind == TM_LAYER_QUADS ? "quads" : "sources";
    const uint32_t num = tmi_layer_num(layer);
    const tmi_names *names = m->names;
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, map, *tmi_layer_elements(TMI_UNCONST(tm_layer, layer)), error));
    if (loan.bytes) {
        tmi_elements_put(m, key, owner, loan.bytes, num, 0);
        if (num || !names->plain ||
            !tmi_all_zero(loan.bytes, (size_t)loan.size)) /* games put one of zeros into none */
            put_rest(m->writer, key, &loan, (uint64_t)num * tm_kind_size(owner));
    } else {
        tmi_out_null(m->writer, key);
    }
    tmi_borrowed_close(&loan);
    return TM_OK;
}

tm_status tmi_write_object(const tmi_names *names, tm_address address, const tm_buffer *extra,
                           const tm_output *output, tm_error *error)
{
    const tm_map *map = names->map;
    tmi_out writer;
    const tmi_object_out m = {.writer = &writer, .name = name_in_folder, .names = names};
    tm_status status = TM_OK;
    const tm_image *image;
    tm_group group;
    tm_map root;
    tmi_out_start(&writer, output, error);
    writer.lines = 1;
    tmi_out_open(&writer, NULL, '{');
    switch (address.kind) {
    case TM_KIND_MAP:
        root = *map;
        root.version = names->plain && !root.version ? 1 : root.version;
        tmi_out_number(&writer, "teemap_folder", TMI_FOLDER_VERSION);
        tmi_object_put(&m, TM_KIND_MAP, &root);
        break;
    case TM_KIND_INFO: tmi_object_put(&m, TM_KIND_INFO, &map->info); break;
    case TM_KIND_IMAGE:
        image = &map->images[address.index];
        tmi_object_put(&m, TM_KIND_IMAGE, image);
        put_file_name(&writer, "pixels", image->pixels, names->lists[TM_KIND_IMAGE][address.index],
                      tmi_is_picture(image) ? ".png" : ".bin");
        break;
    case TM_KIND_SOUND:
        tmi_object_put(&m, TM_KIND_SOUND, &map->sounds[address.index]);
        put_file_name(&writer, "data", map->sounds[address.index].data,
                      names->lists[TM_KIND_SOUND][address.index], ".opus");
        break;
    case TM_KIND_ENVELOPE:
        tmi_object_put(&m, TM_KIND_ENVELOPE, &map->envelopes[address.index]);
        tmi_points_put(&m, &map->envelopes[address.index]);
        break;
    case TM_KIND_GROUP:
        group = map->groups[address.index];
        group.has_parallax_zoom &= !names->plain;
        tmi_object_put(&m, TM_KIND_GROUP, &group);
        break;
    default: status = put_layer_members(&m, map, &map->groups[address.index].layers[address.layer], error);
    }
    if (status != TM_OK)
        tmi_fail_at_address(error, status, map, address);
    if (extra && extra->size && writer.more)
        tmi_out_raw(&writer, (const char *)extra->bytes, extra->size);
    tmi_out_close(&writer, '}');
    tmi_out_raw(&writer, "\n", 1);
    const tm_status written = tmi_out_end(&writer);
    return status == TM_OK ? written : status;
}
