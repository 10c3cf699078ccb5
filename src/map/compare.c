/* SPDX-License-Identifier: Zlib */
/*
 * Comparing two maps, or one object of each, by the table of fields: a walk over both sides at once that
 * tells a visitor what differs. tm_map_equal is the visitor that ends it at the first difference.
 *
 * Elements in blocks are compared as bytes, all at once, then row by row, then one by one; only what differs
 * is looked at field by field.
 */
#include "internal.h"

typedef struct comparison {
    const tm_map *a, *b;
    tm_compare_options options;
    tm_difference_visit *visit;
    void *ctx;
    bool over;                /* the visitor has seen enough */
    tm_difference difference; /* where we are; the rest is filled in by report */
    tmi_compare_work work;
    tm_error *error;
} comparison;

static tm_status compare_objects(comparison *c, tm_kind owner, const void *a, const void *b);

/* --------------------------------------------------------------------------------------------- reports */

static void report(comparison *c, tm_difference_kind kind, const tm_field *field, const tm_value *before,
                   const tm_value *after)
{
    tm_difference told = c->difference;
    told.kind = kind;
    told.field = field;
    told.before = *before;
    told.after = *after;
    if (told.owner == TM_KIND_INFO && (field->type == TM_TYPE_TEXTS || field->type == TM_TYPE_COUNT))
        told.address.kind = told.other.kind = TM_KIND_SETTINGS;
    if (!c->over)
        c->over = !c->visit(c->ctx, &told);
}

static void compare_field(comparison *c, const tm_field *field, const void *a, const void *b)
{
    const uint32_t left = tm_field_num(field, a), right = tm_field_num(field, b);
    if (!tmi_field_present(field, a) || !tmi_field_present(field, b))
        return; /* the guard has a row of its own */
    if (tmi_unread_either(field, a, b)) {
        const tm_value before = tm_field_get(field, a, 0), after = tm_field_get(field, b, 0);
        if (field->type != TM_TYPE_TEXTS && !tmi_unread_same(field, a, b)) /* the list's count tells */
            report(c, TM_DIFFERENCE_VALUE, field, &before, &after);
        return;
    }
    for (uint32_t i = 0; i < left && i < right && !c->over; i++) {
        const tm_value before = tm_field_get(field, a, i), after = tm_field_get(field, b, i);
        c->difference.index = i;
        if (!tm_value_same(&before, &after))
            report(c, TM_DIFFERENCE_VALUE, field, &before, &after);
    }
    c->difference.index = 0;
}

/* How many rows come before the lists and blocks. */
static size_t num_values_of(const tmi_kind_row *owner)
{
    size_t num = owner->num;
    while (num &&
           (owner->fields[num - 1].type == TM_TYPE_LIST || owner->fields[num - 1].type == TM_TYPE_BLOCK))
        num--;
    return num;
}

static void compare_values(comparison *c, tm_kind kind, const void *a, const void *b)
{
    const tmi_kind_row *owner = &tmi_kind_rows[kind];
    const size_t num = num_values_of(owner);
    const tm_kind before = c->difference.owner;
    c->difference.owner = kind;
    for (size_t i = 0; i < num && !c->over; i++) {
        const tm_field *field = &owner->fields[i];
        if (field->flags & TM_FIELD_ALIAS)
            continue;
        /* Memory is nearly always equal, which makes comparing each value unnecessary. */
        const char *left = (const char *)a + field->offset, *right = (const char *)b + field->offset;
        const bool same = field->storage != TM_STORED_POINTER
                              ? memcmp(left, right, field->size * field->num_values) == 0
                              : field->type == TM_TYPE_TEXT && memcmp(left, right, sizeof(char *)) == 0;
        if (!same || tmi_unread_either(field, a, b))
            compare_field(c, field, a, b);
    }
    c->difference.owner = before;
}

/* -------------------------------------------------------------------------------------------- elements */

/* The part that two lists or grids of elements have in common; lists are one element wide. */
typedef struct shared_part {
    tm_kind owner; /* of an element */
    bool grid;
    size_t size;                 /* bytes of an element */
    uint32_t w, h;               /* the part */
    uint64_t a_stride, b_stride; /* bytes from a row to the next */
} shared_part;

/* The bytes that the part needs of a block with rows of `stride` bytes. */
static uint64_t bytes_needed(const shared_part *part, uint64_t stride)
{
    return part->h ? stride * (part->h - 1) + (uint64_t)part->w * part->size : 0;
}

static void compare_elements(comparison *c, const shared_part *part, const char *a, const char *b)
{
    const size_t row = part->w * part->size;
    if (part->h == 0)
        return;
    if (part->a_stride == part->b_stride && memcmp(a, b, (size_t)bytes_needed(part, part->a_stride)) == 0)
        return;
    for (uint32_t y = 0; y < part->h && !c->over; y++, a += part->a_stride, b += part->b_stride) {
        if (memcmp(a, b, row) == 0)
            continue;
        const char *left = a, *right = b;
        for (uint32_t x = 0; x < part->w && !c->over; x++, left += part->size, right += part->size) {
            if (memcmp(left, right, part->size) == 0)
                continue;
            c->difference.x = part->grid ? x : 0;
            c->difference.y = part->grid ? y : 0;
            c->difference.element = part->grid ? (uint64_t)y * (part->a_stride / part->size) + x : y;
            compare_values(c, part->owner, left, right);
        }
    }
    c->difference.element = TM_NO_ELEMENT;
    c->difference.x = c->difference.y = 0;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static shared_part part_of_layers(const tm_layer *a, const tm_layer *b)
{
    const tm_kind owner = tm_kind_of_elements(a->kind);
    shared_part part = {
        .owner = owner, .grid = tm_game_layer(a->kind)->is_tiles, .size = tm_kind_size(owner)};
    if (part.grid) {
        part.w = smaller(a->as.tiles.width, b->as.tiles.width);
        part.h = smaller(a->as.tiles.height, b->as.tiles.height);
        part.a_stride = (uint64_t)a->as.tiles.width * part.size;
        part.b_stride = (uint64_t)b->as.tiles.width * part.size;
    } else {
        part.w = 1;
        part.h = smaller(tmi_layer_num(a), tmi_layer_num(b));
        part.a_stride = part.b_stride = part.size;
    }
    return part;
}

/* ---------------------------------------------------------------------------------------------- blocks */

/* Both blocks are there and large enough. `part` is NULL for blocks without elements. */
static tm_status compare_unpacked(comparison *c, const tm_field *field, const shared_part *part,
                                  const tm_value *before, const tm_value *after)
{
    tmi_borrowed left, right;
    TM_TRY(tmi_compare_work_spend(&c->work, (const tm_block *const[2]){before->as.block, after->as.block},
                                  c->error));
    TM_TRY(tmi_borrowed_open(&left, c->a, before->as.block, c->error));
    tm_status status = tmi_borrowed_open(&right, c->b, after->as.block, c->error);
    if (status == TM_OK) {
        const char *a = left.bytes, *b = right.bytes;
        if (part) {
            compare_elements(c, part, a, b);
        } else if (memcmp(a, b, (size_t)left.size) != 0) {
            while (a[c->difference.offset] == b[c->difference.offset])
                c->difference.offset++;
            report(c, TM_DIFFERENCE_DATA, field, before, after);
            c->difference.offset = 0;
        }
        tmi_borrowed_close(&right);
    }
    tmi_borrowed_close(&left);
    return status;
}

static tm_status compare_block_field(comparison *c, const tm_field *field, const void *a, const void *b)
{
    const tm_value before = tm_field_get(field, a, 0), after = tm_field_get(field, b, 0);
    const tm_block *x = before.as.block, *y = after.as.block;
    const bool elements = field->flags & TM_FIELD_ELEMENTS;
    shared_part part = {0};
    uint64_t left = x ? x->size : 0, right = y ? y->size : 0;
    bool fits = left == right;
    /* The same bytes of the same file, at the same places? */
    if (x == y || (tmi_block_same_packed(x, y) &&
                   (c->difference.owner != TM_KIND_TILE_LAYER ||
                    ((const tm_layer *)a)->as.tiles.width == ((const tm_layer *)b)->as.tiles.width)))
        return TM_OK;
    if (elements) {
        part = part_of_layers(a, b);
        if (part.w == 0 || part.h == 0)
            return TM_OK;
        fits = left >= bytes_needed(&part, part.a_stride) && right >= bytes_needed(&part, part.b_stride);
    }
    if (x && y && fits)
        return compare_unpacked(c, field, elements ? &part : NULL, &before, &after);
    report(c, TM_DIFFERENCE_DATA, field, &before, &after);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- objects */

// NOLINTNEXTLINE(misc-no-recursion): map, group, layer
static tm_status compare_lists(comparison *c, const tm_field *field, const void *a, const void *b)
{
    const size_t size = tm_kind_size(field->element_kind);
    const uint32_t num = smaller(tm_field_num(field, a), tm_field_num(field, b));
    const char *left = tmi_list_items(field, a), *right = tmi_list_items(field, b);
    const tm_difference place = c->difference;
    if (field->element_kind == TM_KIND_ENVELOPE_POINT) {
        compare_elements(c, &(shared_part){field->element_kind, false, size, 1, num, size, size}, left,
                         right);
        return TM_OK;
    }
    for (uint32_t i = 0; i < num && !c->over; i++) {
        tmi_address_enter(&c->difference.address, field->element_kind, i);
        tmi_address_enter(&c->difference.other, field->element_kind, i);
        TM_TRY(compare_objects(c, field->element_kind, left + i * size, right + i * size));
    }
    c->difference = place;
    return TM_OK;
}

// NOLINTNEXTLINE(misc-no-recursion): map, group, layer
static tm_status compare_parts(comparison *c, tm_kind owner, const void *a, const void *b)
{
    compare_values(c, owner, a, b);
    if (owner == TM_KIND_MAP) {
        c->difference.address.kind = c->difference.other.kind = TM_KIND_INFO;
        compare_values(c, TM_KIND_INFO, &((const tm_map *)a)->info, &((const tm_map *)b)->info);
        c->difference.address.kind = c->difference.other.kind = TM_KIND_MAP;
    }
    /* Lists and blocks come after what is reported in one word. */
    for (size_t i = num_values_of(&tmi_kind_rows[owner]); i < tmi_kind_rows[owner].num && !c->over; i++) {
        const tm_field *field = &tmi_kind_rows[owner].fields[i];
        c->difference.owner = owner;
        if (field->type == TM_TYPE_LIST)
            TM_TRY(compare_lists(c, field, a, b));
        else if (!c->options.skip_data)
            TM_TRY(compare_block_field(c, field, a, b));
    }
    return TM_OK;
}

// NOLINTNEXTLINE(misc-no-recursion): map, group, layer
static tm_status compare_objects(comparison *c, tm_kind owner, const void *a, const void *b)
{
    TM_TRY(compare_parts(c, owner, a, b));
    if (owner != TM_KIND_LAYER)
        return TM_OK;
    const tm_layer *left = a, *right = b;
    const tm_kind own = tm_kind_of_layer(left->kind);
    return left->kind == right->kind && own != TM_KINDS ? compare_parts(c, own, a, b) : TM_OK;
}

/* ----------------------------------------------------------------------------------------------- calls */

tm_status tmi_object_compare(const tm_map *a, const tm_address *address, const tm_map *b,
                             const tm_address *other, const tm_compare_options *options,
                             tm_difference_visit *visit, void *ctx, tm_error *error)
{
    TM_TRY(tmi_need(a, "a", error));
    TM_TRY(tmi_need(address, "address", error));
    TM_TRY(tmi_need(b, "b", error));
    TM_TRY(tmi_need(other, "other", error));
    if (!visit)
        return tmi_need(NULL, "visit", error);
    comparison c = {.a = a, .b = b, .visit = visit, .ctx = ctx, .error = error};
    c.work = tmi_compare_work_of(&a->priv->limits);
    tm_kind left, right;
    const void *x = tmi_map_object(a, address, &left), *y = tmi_map_object(b, other, &right);
    TM_TRY(tmi_options_take(&c.options, sizeof(c.options), options, "tm_compare_options", error));
    if (!x || !y || left != right)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the two addresses must lead to objects of the same kind");
    c.difference.address = *address;
    c.difference.other = *other;
    c.difference.element = TM_NO_ELEMENT;
    tm_status status = compare_objects(&c, left, x, y);
    if (status == TM_OK)
        return TM_OK;
    return tmi_fail_at_address(error, status, a, c.difference.address);
}

tm_status tm_map_compare(const tm_map *a, const tm_map *b, const tm_compare_options *options,
                         tm_difference_visit *visit, void *ctx, tm_error *error)
{
    const tm_address whole = {TM_KIND_MAP, 0, 0};
    return tmi_object_compare(a, &whole, b, &whole, options, visit, ctx, error);
}

/* --------------------------------------------------------------------------------------------- as text */

/* A value that may be long. */
static void format_short(char *out, size_t size, const tm_field *field, const tm_value *value,
                         const tm_map *map)
{
    if (tm_value_format(out, size, field, value, map) >= size)
        memcpy(out + size - 4, "...", 4);
}

size_t tm_difference_format(char *buffer, size_t size, const tm_difference *difference, const tm_map *a,
                            const tm_map *b)
{
    if (!difference || !difference->field)
        return tmi_format(buffer, size, "%s", "");
    char place[TM_ERROR_PLACE_SIZE], element[60] = "", which[16] = "", before[70], after[70], line[512];
    const tm_field *field = difference->field;
    const bool many = field->num_values > 1 || field->type == TM_TYPE_TEXTS;
    tm_address_describe(&difference->address, a, place, sizeof(place));
    /* "tile 3,4: " or "quad 5: " for an element, nothing for the object itself. */
    const char *owner = tm_kind_name(difference->owner), *last = strrchr(owner, '_');
    const char *word = last ? last + 1 : owner;
    if (difference->element != TM_NO_ELEMENT && difference->owner >= TM_KIND_TILE)
        tmi_format(element, sizeof(element), "%s %u,%u: ", word, (unsigned)difference->x,
                   (unsigned)difference->y);
    else if (difference->element != TM_NO_ELEMENT)
        tmi_format(element, sizeof(element), "%s %llu: ", word, (unsigned long long)difference->element);
    if (many)
        tmi_format(which, sizeof(which), "[%u]", (unsigned)difference->index);
    format_short(before, sizeof(before), field, &difference->before, a);
    format_short(after, sizeof(after), field, &difference->after, b);
    if (strcmp(before, after) != 0)
        tmi_format(line, sizeof(line), "%s: %s%s%s is %s, not %s", place, element, field->name, which, before,
                   after);
    else if (difference->kind == TM_DIFFERENCE_DATA)
        tmi_format(line, sizeof(line), "%s: %s are others from byte %llu on", place, field->name,
                   (unsigned long long)difference->offset);
    else
        tmi_format(line, sizeof(line), "%s: %s%s%s %s", place, element, field->name, which,
                   difference->before.unread ? "could not be read, and may be another" : "is not the same");
    return tmi_give_line(buffer, size, line);
}

/* ----------------------------------------------------------------------------------------------- equal */

typedef struct first_difference {
    const tm_map *a, *b;
    bool found;
    char *description;
    size_t size;
} first_difference;

static bool note_first(void *ctx, const tm_difference *difference)
{
    first_difference *first = ctx;
    first->found = true;
    if (first->description && first->size)
        tm_difference_format(first->description, first->size, difference, first->a, first->b);
    return false;
}

tm_status tmi_objects_equal(bool *equal, const tm_map *a, const tm_address *address, const tm_map *b,
                            const tm_address *other, tm_error *error)
{
    first_difference first = {.found = false};
    const tm_status status = tmi_object_compare(a, address, b, other, NULL, note_first, &first, error);
    *equal = !status && !first.found;
    return status;
}

tm_status tm_map_equal(bool *equal, const tm_map *a, const tm_map *b, char *difference,
                       size_t difference_size, tm_error *error)
{
    TM_TRY(tmi_need(equal, "equal", error));
    first_difference first = {a, b, false, difference, difference_size};
    *equal = false;
    if (difference && difference_size)
        difference[0] = '\0';
    TM_TRY(tm_map_compare(a, b, NULL, note_first, &first, error));
    *equal = !first.found;
    return TM_OK;
}
