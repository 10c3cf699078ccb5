/* SPDX-License-Identifier: Zlib */
/*
 * What patches hold, from JSON: numbers, values, fields, data, and whole objects. Checked against the fields
 * and the limits; what it is a part of is the business of read_patch.c.
 */
#include "read_patch.h"

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

/* Exactly `num` numbers in an array. */
tm_status tmi_want_numbers(const tmi_patch_reader *r, const tm_json *array, int64_t min, int64_t max,
                           int64_t *out, uint32_t num)
{
    const tm_json *at = array->first;
    if (array->kind != TM_JSON_ARRAY || array->num != num)
        return tmi_json_fail(array, r->error, "%u number%s expected", (unsigned)num,
                             num == 1 ? " was" : "s were");
    for (uint32_t i = 0; i < num; i++, at = at->next)
        TM_TRY(tmi_want_number(r, at, min, max, &out[i]));
    return TM_OK;
}

/* Two numbers or null: before, after. */
tm_status tmi_read_pair(const tmi_patch_reader *r, const tm_json *object, const char *name,
                        const uint32_t below[2], uint32_t out[2])
{
    const tm_json *array;
    TM_TRY(tmi_want_member(r, object, name, TM_JSON_ARRAY, &array));
    if (array->num != 2)
        return tmi_json_fail(array, r->error, "'%s' must have two numbers", name);
    const tm_json *at = array->first;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++, at = at->next) {
        int64_t number;
        out[side] = TMI_NOWHERE;
        if (at->kind == TM_JSON_NULL)
            continue;
        TM_TRY(tmi_want_number(r, at, 0, (int64_t)below[side] - 1, &number));
        out[side] = (uint32_t)number;
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- values */

/* Texts live with the patch. */
tm_status tmi_read_value(const tmi_patch_reader *r, const tm_json *node, const tm_field *field, tm_value *out)
{
    char *buffer = NULL;
    tm_error fault;
    if (!node || node->kind != TM_JSON_TEXT)
        return tmi_json_fail(node, r->error, "the value of '%s' must be a text", field->name);
    const size_t size = strlen(node->text) + 1;
    if (field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME || field->type == TM_TYPE_TEXTS)
        TM_TRY(tmi_patch_alloc(r->patch, &buffer, size, 1, r->error));
    if (tm_value_parse(out, field, NULL, node->text, buffer, size, &fault) != TM_OK)
        return tmi_json_fail(node, r->error, "%s", fault.text);
    return TM_OK;
}

static tm_status read_into(const tmi_patch_reader *r, const tm_json *node, const tm_field *field,
                           void *object, uint32_t index)
{
    tm_value value = {.type = field->type};
    tm_error fault;
    TM_TRY(tmi_read_value(r, node, field, &value));
    if (field->type == TM_TYPE_REFERENCE) { /* of its own side, so the table of fields cannot judge it */
        const int32_t number = (int32_t)value.as.number;
        if (value.as.number < INT32_MIN || value.as.number > INT32_MAX)
            return tmi_json_fail(node, r->error, "there is no such object");
        memcpy((char *)object + field->offset, &number, sizeof(number));
        return TM_OK;
    }
    const tm_status status = tmi_field_set_any(r->patch->home, object, field, index, &value, &fault);
    if (status == TM_ERROR_USAGE)
        return tmi_json_fail(node, r->error, "%s", fault.text);
    if (status != TM_OK && r->error)
        *r->error = fault;
    return status;
}

/* All fields of an owner; one that is missing is a fault. */
tm_status tmi_read_fields(const tmi_patch_reader *r, const tm_json *node, tm_owner owner, void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(owner, &num);
    for (size_t f = 0; f < num; f++) {
        const tm_json *member = tm_json_get(node, fields[f].name);
        if (!tmi_field_in_patch(&fields[f]))
            continue;
        if (!member)
            return tmi_json_fail(node, r->error, "'%s' is missing", fields[f].name);
        if (fields[f].num_values == 1) {
            TM_TRY(read_into(r, member, &fields[f], object, 0));
            continue;
        }
        if (member->kind != TM_JSON_ARRAY || member->num != fields[f].num_values)
            return tmi_json_fail(member, r->error, "'%s' must have %u values", fields[f].name,
                                 (unsigned)fields[f].num_values);
        const tm_json *at = member->first;
        for (uint32_t i = 0; i < member->num; i++, at = at->next)
            TM_TRY(read_into(r, at, &fields[f], object, i));
    }
    return TM_OK;
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

static tm_status unpack_base64(tmi_patch_reader *r, const tm_json *text, tm_block *block, tm_owner elements)
{
    const tm_allocator *allocator = tmi_patch_allocator(r->patch);
    const size_t room = strlen(text->text) / 4 * 3 + 3;
    size_t packed_size, got;
    void *bytes;
    TM_TRY(tm_map_edit_data(r->patch->home, block, &bytes, NULL, r->error));
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
        tmi_inflate(r->inflater, bytes, (size_t)block->size, &got, packed, packed_size) != TMI_INFLATE_OK)
        status = tmi_json_fail(text, r->error, "the data cannot be unpacked to %llu bytes",
                               (unsigned long long)block->size);
    else if (elements != TM_OWNER_COUNT)
        tmi_swap_elements(elements, bytes, block->size / tm_owner_size(elements));
    tmi_free(allocator, packed, room, 1);
    return status;
}

tm_status tmi_read_block(tmi_patch_reader *r, const tm_json *object, const char *name, tm_owner elements,
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
    const tmi_encoding encoding =
        elements == TM_OWNER_SPEEDUP_TILE ? TMI_ENCODING_SPEEDUP : TMI_ENCODING_BYTES;
    TM_TRY(tmi_block_new(out, r->patch->home, encoding, NULL, (uint64_t)size, r->error));
    tm_status status = unpack_base64(r, text, *out, elements);
    if (status != TM_OK) {
        tmi_block_free(r->patch->home, *out);
        *out = NULL;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------- contents */

static tm_status read_list(const tmi_patch_reader *r, const tm_json *content, tm_owner owner, char **out,
                           uint32_t *num)
{
    const tm_json *list;
    TM_TRY(tmi_want_member(r, content, "elements", TM_JSON_ARRAY, &list));
    TM_TRY(tmi_patch_alloc(r->patch, out, list->num, tm_owner_size(owner), r->error));
    const tm_json *at = list->first;
    for (*num = 0; *num < list->num; (*num)++, at = at->next)
        TM_TRY(tmi_read_fields(r, at, owner, *out + (size_t)*num * tm_owner_size(owner)));
    return TM_OK;
}

bool tmi_layer_kind_named(const char *name, tm_layer_kind *out)
{
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        if (strcmp(tm_game_layer((tm_layer_kind)kind)->name, name) != 0)
            continue;
        *out = (tm_layer_kind)kind;
        return true;
    }
    return false;
}

static tm_status read_tile_layer(tmi_patch_reader *r, const tm_json *node, tm_layer *layer)
{
    const size_t size = tm_game_layer(layer->kind)->element_size;
    const tm_owner elements = tm_owner_of_elements(layer->kind);
    int64_t width, height;
    TM_TRY(tmi_want_number(r, tm_json_get(node, "width"), 0, INT32_MAX, &width));
    TM_TRY(tmi_want_number(r, tm_json_get(node, "height"), 0, INT32_MAX, &height));
    layer->as.tiles.width = (uint32_t)width;
    layer->as.tiles.height = (uint32_t)height;
    TM_TRY(tmi_read_block(r, node, "tiles", elements, &layer->as.tiles.tiles));
    TM_TRY(tmi_read_block(r, node, "compat", TM_OWNER_COUNT, &layer->as.tiles.compat));
    if (layer->as.tiles.tiles && layer->as.tiles.tiles->size / size < (uint64_t)width * (uint64_t)height)
        return tmi_json_fail(node, r->error, "there are fewer tiles than the layer is large");
    return TM_OK;
}

static tm_status read_layer(tmi_patch_reader *r, const tm_json *node, tm_layer *layer)
{
    const tm_json *kind;
    char *elements;
    uint32_t num;
    TM_TRY(tmi_want_member(r, node, "kind", TM_JSON_TEXT, &kind));
    if (!tmi_layer_kind_named(kind->text, &layer->kind))
        return tmi_json_fail(kind, r->error, "there is no kind of layer '%.40s'", kind->text);
    const tm_owner own = tm_owner_of_layer(layer->kind);
    if (own == TM_OWNER_COUNT)
        return TM_OK;
    TM_TRY(tmi_read_fields(r, node, own, layer));
    if (own == TM_OWNER_TILE_LAYER)
        return read_tile_layer(r, node, layer);
    TM_TRY(read_list(r, node, tm_owner_of_elements(layer->kind), &elements, &num));
    return tmi_layer_put_elements(r->patch->home, layer, elements, num, r->error);
}

static tm_status read_points(tmi_patch_reader *r, const tm_json *node, tm_envelope *envelope)
{
    char *points;
    uint32_t num;
    TM_TRY(read_list(r, node, TM_OWNER_ENVELOPE_POINT, &points, &num));
    TM_TRY(tmi_envelope_reserve(r->patch->home, envelope, num, r->error));
    if (num)
        memcpy(envelope->points, points, num * sizeof(*envelope->points));
    return TM_OK;
}

/* The struct is the change's from the first moment, so that it is released whatever happens. */
tm_status tmi_read_content(tmi_patch_reader *r, const tm_json *change, const char *name, tmi_delta *delta,
                           int side)
{
    const tm_owner owner = tmi_owner_of_list(delta->list);
    const tm_json *node;
    void *object;
    TM_TRY(tmi_want_member(r, change, name, TM_JSON_OBJECT, &node));
    TM_TRY(tmi_patch_alloc(r->patch, &object, 1, tm_owner_size(owner), r->error));
    if (delta->list == TMI_LAYERS)
        ((tm_layer *)object)->kind = TM_LAYER_UNKNOWN;
    delta->content[side] = object;
    TM_TRY(tmi_read_fields(r, node, owner, object));
    switch (delta->list) {
    case TMI_IMAGES: return tmi_read_block(r, node, "pixels", TM_OWNER_COUNT, &((tm_image *)object)->pixels);
    case TMI_SOUNDS: return tmi_read_block(r, node, "data", TM_OWNER_COUNT, &((tm_sound *)object)->data);
    case TMI_ENVELOPES: return read_points(r, node, object);
    case TMI_LAYERS: return read_layer(r, node, object);
    default: return TM_OK;
    }
}
