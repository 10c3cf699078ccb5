/* SPDX-License-Identifier: Zlib */
/*
 * What patches hold, from JSON: numbers, values, fields, data, and whole objects. Checked against the fields
 * and the limits; what it is a part of is the business of read_patch.c.
 */
#include "patch_text.h"

/* ------------------------------------------------------------------------------------------------- parts */

tm_status tmi_want_member(const tmi_patch_reader *r, const tm_json *object, const char *name,
                          tm_json_kind type, const tm_json **out)
{
    static const char *const types[] = {"null",   "true or false", "a whole number",
                                        "a text", "an array",      "an object"};
    *out = tm_json_get(object, name);
    if (!*out)
        return tmi_json_fail(object, r->error, "'%s' is missing", name);
    if ((*out)->kind != type)
        return tmi_json_fail(*out, r->error, "'%s' must be %s", name, types[type]);
    return TM_OK;
}

tm_status tmi_want_number(const tmi_patch_reader *r, const tm_json *node, int64_t min, int64_t max,
                          int64_t *out)
{
    *out = 0;
    if (!node || node->kind != TM_JSON_NUMBER || !node->whole || node->number < min || node->number > max)
        return tmi_json_fail(node, r->error, "a number from %lld to %lld was expected", (long long)min,
                             (long long)max);
    *out = node->number;
    return TM_OK;
}

/* Reads exactly `num` numbers of an array. */
tm_status tmi_want_numbers(const tmi_patch_reader *r, const tm_json *array, int64_t min, int64_t max,
                           int64_t *out, uint32_t num)
{
    const tm_json *entry = array->first;
    if (array->kind != TM_JSON_ARRAY || array->num != num)
        return tmi_json_fail(array, r->error, "%u number%s expected", (unsigned)num,
                             num == 1 ? " was" : "s were");
    for (uint32_t i = 0; i < num; i++, entry = entry->next)
        TM_TRY(tmi_want_number(r, entry, min, max, &out[i]));
    return TM_OK;
}

/* Reads two numbers, or null: before and after. */
tm_status tmi_read_pair(const tmi_patch_reader *r, const tm_json *object, const char *name,
                        const uint32_t below[2], uint32_t out[2])
{
    const tm_json *array;
    TM_TRY(tmi_want_member(r, object, name, TM_JSON_ARRAY, &array));
    if (array->num != 2)
        return tmi_json_fail(array, r->error, "'%s' must have two numbers", name);
    const tm_json *entry = array->first;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++, entry = entry->next) {
        int64_t number;
        out[side] = TMI_NOWHERE;
        if (entry->kind == TM_JSON_NULL)
            continue;
        TM_TRY(tmi_want_number(r, entry, 0, (int64_t)below[side] - 1, &number));
        out[side] = (uint32_t)number;
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- values */

static tm_status fail_at(void *ctx, const tm_json *node, bool unknown, const char *text)
{
    const tmi_patch_reader *r = ctx;
    (void)unknown; /* a patch of which a part is not understood must not be applied */
    return tmi_json_fail(node, r->error, "%s", text);
}

/* References are to objects of one side of the patch, which nobody has here. */
static tmi_object_in object_reader(const tmi_patch_reader *r)
{
    return (tmi_object_in){.map = r->patch->home,
                           .foreign = true,
                           .fault = fail_at,
                           .ctx = (void *)(uintptr_t)r,
                           .error = r->error};
}

/* Texts live with the patch; `bytes` (may be NULL) says those of one that is no UTF-8. */
static tm_status store_text(const tmi_patch_reader *r, const tm_json *bytes, const char **text)
{
    const tmi_object_in reader = object_reader(r);
    tm_buffer exact = {.allocator = tmi_patch_allocator(r->patch)};
    if (!*text)
        return TM_OK;
    tm_status status = bytes ? tmi_hex_read(&reader, bytes, &exact) : TM_OK;
    if (status == TM_OK)
        status = tmi_patch_text(r->patch, text, bytes ? (const char *)exact.bytes : *text, r->error);
    tm_buffer_release(&exact);
    return status;
}

tm_status tmi_read_value(const tmi_patch_reader *r, const tm_json *object, const char *name,
                         const tm_field *field, tm_value *out)
{
    const tmi_object_in reader = object_reader(r);
    const tm_json *node = tm_json_get(object, name);
    char bytes[80];
    bool fine;
    if (!node)
        return tmi_json_fail(object, r->error, "'%s' is missing", name);
    TM_TRY(tmi_value_read(&reader, field, node, out, &fine));
    if (field->type != TM_TYPE_TEXT && field->type != TM_TYPE_NAME && field->type != TM_TYPE_TEXTS)
        return TM_OK;
    tmi_format(bytes, sizeof(bytes), "%s_bytes", name);
    return store_text(r, tm_json_get(object, bytes), &out->as.text);
}

tm_status tmi_read_name(const tmi_patch_reader *r, const tm_json *node, const char **out)
{
    if (node->kind != TM_JSON_TEXT)
        return tmi_json_fail(node, r->error, "a text was expected");
    *out = node->text;
    return store_text(r, node->next, out);
}

tm_status tmi_read_fields(const tmi_patch_reader *r, const tm_json *node, tm_kind owner, tm_kind more,
                          void *object)
{
    const tmi_object_in reader = object_reader(r);
    return tmi_object_read(&reader, &(tmi_fields_of){{owner, more}, more == TM_KINDS ? 1 : 2, object}, node);
}

/* ------------------------------------------------------------------------------------------------- data */

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* `out` has room for three bytes of each four digits. */
static bool read_base64(const char *text, uint8_t *out, size_t *size)
{
    uint32_t bits = 0;
    size_t digits = 0;
    *size = 0;
    for (; *text && *text != '='; text++, digits++) {
        const int digit = base64_digit(*text);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        if (digits % 4)
            out[(*size)++] = (uint8_t)(bits >> (6 - 2 * (digits % 4)));
    }
    while (*text == '=') {
        text++;
        digits++;
    }
    return !*text && digits % 4 == 0;
}

static tm_status unpack_base64(tmi_patch_reader *r, const tm_json *text, tm_block *block, tmi_encoding view)
{
    const tm_allocator *allocator = tmi_patch_allocator(r->patch);
    const size_t room = strlen(text->text) / 4 * 3 + 3;
    size_t packed_size;
    void *bytes;
    TM_TRY(tm_map_edit_data(&bytes, NULL, r->patch->home, block, r->error));
    if (!r->inflater)
        r->inflater = tmi_inflater_new(allocator);
    uint8_t *packed = tmi_alloc(allocator, room, 1);
    if (!packed || !r->inflater) {
        if (packed)
            tmi_free(allocator, packed, room, 1);
        return tmi_fail_memory(r->error, room, "packed data");
    }
    tm_status status = TM_OK;
    if (!read_base64(text->text, packed, &packed_size) ||
        !tmi_inflate_whole(r->inflater, bytes, (size_t)block->size, packed, packed_size))
        status = tmi_json_fail(text, r->error, "the data cannot be unpacked to %llu bytes",
                               (unsigned long long)block->size);
    else
        tmi_encoding_swap(bytes, block->size, view);
    tmi_free(allocator, packed, room, 1);
    return status;
}

tm_status tmi_read_block(tmi_patch_reader *r, const tm_json *object, const char *name, tmi_encoding view,
                         tm_block **out)
{
    const tm_json *node = tm_json_get(object, name), *text;
    int64_t size;
    *out = NULL;
    if (!node)
        return tmi_json_fail(object, r->error, "'%s' is missing", name);
    if (node->kind == TM_JSON_NULL)
        return TM_OK;
    TM_TRY(tmi_want_number(r, tm_json_get(node, "size"), 0, (int64_t)1 << 48, &size));
    TM_TRY(tmi_want_member(r, node, "deflated", TM_JSON_TEXT, &text));
    /* nothing unpacks to more than 1032 times its size, so a short text reserves little */
    if ((uint64_t)size > (uint64_t)strlen(text->text) * 1032)
        return tmi_json_fail(node, r->error, "the data cannot be unpacked to %lld bytes", (long long)size);
    TM_TRY(tmi_block_new(out, r->patch->home, view, NULL, (uint64_t)size, r->error));
    tm_status status = unpack_base64(r, text, *out, view);
    if (status != TM_OK) {
        tmi_block_free(r->patch->home, *out);
        *out = NULL;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------- contents */

static tm_status read_list(const tmi_patch_reader *r, const tm_json *content, const char *name, tm_kind owner,
                           char **out, uint32_t *num)
{
    const tm_json *list;
    TM_TRY(tmi_want_member(r, content, name, TM_JSON_ARRAY, &list));
    TM_TRY(tmi_patch_alloc(r->patch, out, list->num, tm_kind_size(owner), r->error));
    const tm_json *entry = list->first;
    for (*num = 0; *num < list->num; (*num)++, entry = entry->next)
        TM_TRY(tmi_read_fields(r, entry, owner, TM_KINDS, *out + (size_t)*num * tm_kind_size(owner)));
    return TM_OK;
}

static tm_status read_data_fields(tmi_patch_reader *r, const tm_json *node, tm_kind owner, void *object,
                                  tm_layer_kind kind)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t f = 0; f < num; f++)
        if (fields[f].type == TM_TYPE_BLOCK)
            TM_TRY(tmi_read_block(r, node, fields[f].name, tmi_view_of_data(&fields[f], kind),
                                  tmi_block_slot(object, &fields[f])));
    return TM_OK;
}

static tm_status read_layer(tmi_patch_reader *r, const tm_json *node, tm_layer *layer)
{
    const tm_json *word;
    tm_layer_kind kind;
    char *elements;
    uint32_t num;
    layer->kind = TM_LAYER_UNKNOWN; /* until its part of the union is there */
    TM_TRY(tmi_want_member(r, node, "kind", TM_JSON_TEXT, &word));
    if (!tmi_layer_kind_named(&kind, word->text, strlen(word->text)))
        return tmi_json_fail(word, r->error, "there is no kind of layer '%.40s'", word->text);
    const tm_kind own = tm_kind_of_layer(kind);
    TM_TRY(tmi_read_fields(r, node, TM_KIND_LAYER, own, layer));
    if (own == TM_KINDS)
        return TM_OK;
    if (own == TM_KIND_TILE_LAYER) {
        const tm_tile_layer *tiles = &layer->as.tiles;
        if (tiles->width > INT32_MAX || tiles->height > INT32_MAX)
            return tmi_json_fail(node, r->error, "no layer is so large");
        TM_TRY(read_data_fields(r, node, own, layer, kind));
        if (tiles->tiles &&
            tiles->tiles->size / tm_game_layer(kind)->element_size < (uint64_t)tiles->width * tiles->height)
            return tmi_json_fail(node, r->error, "there are fewer tiles than the layer is large");
        return TM_OK;
    }
    TM_TRY(read_list(r, node, tmi_elements_name(own), tm_kind_of_elements(kind), &elements, &num));
    return tmi_layer_put_elements(r->patch->home, layer, elements, num, r->error);
}

/* The struct is the change's from the first moment, so that it is released whatever happens. */
tm_status tmi_read_content(tmi_patch_reader *r, const tm_json *change, const char *name, tmi_delta *delta,
                           int side)
{
    const tm_kind owner = (delta->list);
    const tm_json *node;
    void *object;
    TM_TRY(tmi_want_member(r, change, name, TM_JSON_OBJECT, &node));
    TM_TRY(tmi_patch_alloc(r->patch, &object, 1, tm_kind_size(owner), r->error));
    delta->content[side] = object;
    if (delta->list == TM_KIND_LAYER)
        return read_layer(r, node, object);
    TM_TRY(tmi_read_fields(r, node, owner, TM_KINDS, object));
    if (delta->list != TM_KIND_ENVELOPE)
        return read_data_fields(r, node, owner, object, TM_LAYER_UNKNOWN);
    char *points;
    uint32_t num;
    TM_TRY(read_list(r, node, "points", TM_KIND_ENVELOPE_POINT, &points, &num));
    TM_TRY(tmi_envelope_reserve(r->patch->home, object, num, r->error));
    if (num)
        memcpy(((tm_envelope *)object)->points, points, num * sizeof(tm_envelope_point));
    return TM_OK;
}
