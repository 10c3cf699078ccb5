/* SPDX-License-Identifier: Zlib */
/*
 * Verifies everything that must hold in a map at any time, whatever the caller wrote into its fields. Loading
 * guarantees it, every function of this room keeps it, and the tests call this after each step. What a field
 * may hold is in the table of fields. Indices in packed data are not looked at: they may be anything, and
 * tm_map_envelope copes.
 */
#include "internal.h"

typedef struct walk {
    const tm_map *map;
    tm_address address;
    tm_error *error;
} walk;

static tm_status fault(const walk *visit, const char *format, ...) TMI_PRINTF(2, 3);

static tm_status fault(const walk *visit, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_fail(visit->error, TM_ERROR_USAGE, -1, "%s", text);
    /* Without the names of the map: they may be what is at fault. */
    return tmi_fail_at_address(visit->error, TM_ERROR_USAGE, NULL, visit->address);
}

/* ------------------------------------------------------------------------------------------- small checks */

static tm_status check_list(const walk *visit, const tm_field *list, const void *object)
{
    const uint32_t num = tm_field_num(list, object);
    if (num > INT32_MAX)
        return fault(visit, "num_%s is %u, %ld is the most", list->name, (unsigned)num, (long)INT32_MAX);
    if (num && !tmi_list_items(list, object))
        return fault(visit, "%s is NULL, but there should be %u of them", list->name, (unsigned)num);
    for (uint32_t i = 0; list->type == TM_TYPE_TEXTS && i < num; i++)
        if (!tm_field_get(list, object, i).as.text)
            return fault(visit, "%s[%u] is NULL", list->name, (unsigned)i);
    return TM_OK;
}

static tm_status check_block(const walk *visit, const tm_field *field, const void *object)
{
    const tm_block *block = tm_field_get(field, object, 0).as.block;
    if (block && block->changed && !tmi_block_held(block))
        return fault(visit, "%s: the block says that it was changed, but has no bytes", field->name);
    if (block && !block->changed && !block->origin)
        return fault(visit, "%s: the block has neither bytes nor a file that it came from", field->name);
    if (!(field->flags & TM_FIELD_ELEMENTS))
        return TM_OK;
    /* A layer without tiles is valid: all are air. Without quads or sources, its count must be 0. */
    const tm_layer *layer = object;
    const tm_layer_info *info = tm_game_layer(layer->kind);
    const uint64_t num =
        info->is_tiles ? (uint64_t)layer->as.tiles.width * layer->as.tiles.height : tmi_layer_num(layer);
    const uint64_t bytes = block ? block->size : 0;
    if (num <= bytes / info->element_size || (!block && info->is_tiles))
        return TM_OK;
    return fault(visit, "%llu %s of %u bytes each do not fit the block's %llu bytes", (unsigned long long)num,
                 field->name, (unsigned)info->element_size, (unsigned long long)bytes);
}

/* What was written over a value that could not be read would be lost, or lose that. */
static tm_status check_unread(const walk *visit, const tm_field *field, const void *object)
{
    const tm_block *block = tm_field_unread(field, object);
    const char *const place = (const char *)object + field->offset, *text = NULL;
    if (!block)
        return TM_OK;
    if (field->type == TM_TYPE_TEXT)
        memcpy(&text, place, sizeof(text));
    if (text || tm_field_num(field, object) > (field->type != TM_TYPE_TEXTS))
        return fault(visit, "%s was set, but the file has a value that could not be read", field->name);
    return block->origin ? TM_OK : fault(visit, "%s: what could not be read has no file", field->name);
}

static tm_status verify_fields(const walk *visit, tm_kind owner, const void *object)
{
    size_t num;
    for (const tm_field *field = tm_fields(&num, owner); num; num--, field++) {
        tm_error failure;
        tm_value value;
        TM_TRY(check_unread(visit, field, object));
        switch (field->type) {
        case TM_TYPE_NAME:
            if (!memchr((const char *)object + field->offset, '\0', field->size))
                return fault(visit, "the name does not end with a NUL within its %zu bytes", field->size);
            break;
        case TM_TYPE_CHOICE:
        case TM_TYPE_REFERENCE:
            if (field->flags & (field->type == TM_TYPE_CHOICE ? TM_FIELD_OPEN : TM_FIELD_LOOSE))
                break;
            value = tm_field_get(field, object, 0);
            if (tmi_field_check(visit->map, field, &value, &failure) != TM_OK)
                return fault(visit, "%s", failure.text);
            break;
        case TM_TYPE_TEXTS:
        case TM_TYPE_LIST: TM_TRY(check_list(visit, field, object)); break;
        case TM_TYPE_BLOCK: TM_TRY(check_block(visit, field, object)); break;
        default: break;
        }
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ objects */

/* An object and all objects in its lists. The depth is that of the model: map, group, layer. */
// NOLINTNEXTLINE(misc-no-recursion): map, group, layer
static tm_status verify_object(const walk *visit, tm_kind owner, const void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    TM_TRY(verify_fields(visit, owner, object));
    if (owner == TM_KIND_LAYER) {
        const tm_layer *layer = object;
        const tm_layer_info *info = tm_game_layer(layer->kind);
        const tm_tile_layer *tiles = &layer->as.tiles;
        if (info->is_tiles && (tiles->width > INT32_MAX || tiles->height > INT32_MAX))
            return fault(visit, "%u x %u tiles are too many: a side is at most %ld", (unsigned)tiles->width,
                         (unsigned)tiles->height, (long)INT32_MAX);
        if (info->is_tiles && tiles->compat && (!info->is_physics || layer->kind == TM_LAYER_GAME))
            return fault(visit, "a layer of kind %s cannot have compatibility tiles (compat)", info->name);
        if (info->is_tiles && tiles->automapper.present && info->is_physics)
            return fault(visit, "a layer of kind %s cannot have an automapper", info->name);
        TM_TRY(verify_fields(visit, tm_kind_of_layer(layer->kind), layer));
    }
    for (size_t i = 0; i < num; i++) {
        walk inner = *visit;
        if (fields[i].type != TM_TYPE_LIST || fields[i].element_kind == TM_KIND_ENVELOPE_POINT)
            continue;
        for (uint32_t k = 0; k < tm_field_num(&fields[i], object); k++) {
            tmi_address_enter(&inner.address, fields[i].element_kind, k);
            TM_TRY(
                verify_object(&inner, fields[i].element_kind,
                              tmi_list_items(&fields[i], object) + k * tm_kind_size(fields[i].element_kind)));
        }
    }
    return TM_OK;
}

tm_status tm_map_verify(const tm_map *map, tm_error *error)
{
    walk visit = {map, {TM_KIND_MAP, 0, 0}, error};
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(verify_object(&visit, TM_KIND_MAP, map));
    visit.address.kind = TM_KIND_SETTINGS;
    return verify_fields(&visit, TM_KIND_INFO, &map->info);
}
