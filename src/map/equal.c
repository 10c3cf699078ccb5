/* SPDX-License-Identifier: Zlib */
/*
 * Comparing two maps. Fields are listed in tables, one row each, and compared in the order of the structs;
 * the first difference is described and ends the walk. Data that both maps have from the same block of the
 * same file are equal without being unpacked; what must be unpacked is so for the moment only.
 */
#include "internal.h"

typedef struct comparison {
    const tm_map *a, *b;
    bool equal;
    char *where;
    size_t where_size;
    tm_address address; /* of the objects at hand */
    tm_error *error;
} comparison;

/* Writes the place and a text about it; the comparison is over. */
static void differ(comparison *at, const char *format, ...) TMI_PRINTF(2, 3);

static void differ(comparison *at, const char *format, ...)
{
    char place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    va_list list;
    at->equal = false;
    if (!at->where || at->where_size == 0)
        return;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tm_address_describe(&at->address, at->a, place, sizeof(place));
    tmi_format(at->where, at->where_size, "%s: %s", place, text);
    tmi_tidy_line(at->where);
}

/* ------------------------------------------------------------------------------------------------- fields */

typedef enum field_type { INT, BOOL, TEXT, NAME } field_type;

typedef struct field {
    const char *name;
    field_type type;
    size_t offset;
} field;

#define FIELD(type, struct_name, member)             \
    {                                                \
#member, type, offsetof(struct_name, member) \
    }

static void compare_int(comparison *at, const char *name, const void *a, const void *b)
{
    int32_t left, right;
    memcpy(&left, a, sizeof(left));
    memcpy(&right, b, sizeof(right));
    if (left != right)
        differ(at, "%s is %ld, not %ld", name, (long)left, (long)right);
}

static void compare_bool(comparison *at, const char *name, const void *a, const void *b)
{
    bool left = *(const bool *)a, right = *(const bool *)b;
    if (left != right)
        differ(at, "%s is %s, not %s", name, left ? "true" : "false", right ? "true" : "false");
}

/*
 * An absent text and an empty one are the same: no game can tell them apart, and saving an empty one makes it
 * absent.
 */
static void compare_name(comparison *at, const char *name, const void *a, const void *b)
{
    const char *left = a ? (const char *)a : "", *right = b ? (const char *)b : "";
    if (strcmp(left, right) != 0)
        differ(at, "%s is '%.60s', not '%.60s'", name, left, right);
}

static void compare_text(comparison *at, const char *name, const void *a, const void *b)
{
    compare_name(at, name, *(const char *const *)a, *(const char *const *)b);
}

static void compare_fields(comparison *at, const field *fields, size_t num, const void *a, const void *b)
{
    static void (*const compare[])(comparison *, const char *, const void *, const void *) = {
        [INT] = compare_int,
        [BOOL] = compare_bool,
        [TEXT] = compare_text,
        [NAME] = compare_name,
    };
    for (size_t i = 0; i < num && at->equal; i++)
        compare[fields[i].type](at, fields[i].name, (const char *)a + fields[i].offset,
                                (const char *)b + fields[i].offset);
}

#define COMPARE_FIELDS(at, fields, a, b) compare_fields(at, fields, TMI_COUNT_OF(fields), a, b)

/* --------------------------------------------------------------------------------------------------- data */

/* What a block holds, for the description of a difference. */
typedef struct contents {
    const char *name; /* of an element: "tile" */
    uint32_t size;    /* bytes of an element */
    uint32_t width;   /* of a grid, 0 for a list */
    bool ints;        /* elements are made of int32_t */
} contents;

/* The bytes of a tile for people: the first one if the rest is alike, else all. */
static void format_tile(char *buffer, size_t size, const uint8_t *tile, const uint8_t *other,
                        uint32_t tile_size)
{
    size_t length = tmi_format(buffer, size, "%u", (unsigned)tile[0]);
    for (uint32_t i = 1; i < tile_size && memcmp(tile + 1, other + 1, tile_size - 1) != 0; i++)
        length += tmi_format(buffer + length, size - length, " %u", (unsigned)tile[i]);
}

static void describe_difference(comparison *at, const contents *what, const uint8_t *a, const uint8_t *b,
                                uint64_t offset)
{
    uint64_t index = offset / what->size, start = index * what->size;
    if (what->width) {
        char left[40], right[40];
        format_tile(left, sizeof(left), a + start, b + start, what->size);
        format_tile(right, sizeof(right), b + start, a + start, what->size);
        differ(at, "%s %llu,%llu is %s, not %s", what->name, (unsigned long long)(index % what->width),
               (unsigned long long)(index / what->width), left, right);
    } else if (what->ints) {
        int32_t left, right;
        uint64_t k = (offset - start) / 4;
        memcpy(&left, a + start + k * 4, 4);
        memcpy(&right, b + start + k * 4, 4);
        differ(at, "number %llu of %s %llu is %ld, not %ld", (unsigned long long)k, what->name,
               (unsigned long long)index, (long)left, (long)right);
    } else {
        differ(at, "byte %llu of the %s data is %u, not %u", (unsigned long long)offset, what->name,
               (unsigned)a[offset], (unsigned)b[offset]);
    }
}

static uint64_t first_difference(const uint8_t *a, const uint8_t *b, uint64_t size)
{
    uint64_t i = 0;
    while (i < size && a[i] == b[i])
        i++;
    return i;
}

static tm_status compare_bytes(comparison *at, const contents *what, const tm_block *a, const tm_block *b,
                               uint64_t size)
{
    tmi_borrowed left, right;
    TM_TRY(tmi_borrowed_open(&left, at->a, a, at->error));
    tm_status status = tmi_borrowed_open(&right, at->b, b, at->error);
    if (status == TM_OK) {
        const uint8_t *x = left.bytes, *y = right.bytes;
        if (memcmp(x, y, (size_t)size) != 0)
            describe_difference(at, what, x, y, first_difference(x, y, size));
        tmi_borrowed_close(&right);
    }
    tmi_borrowed_close(&left);
    return status;
}

/* Compares the first `size` bytes of two blocks. */
static tm_status compare_part(comparison *at, const contents *what, const tm_block *a, const tm_block *b,
                              uint64_t size)
{
    if (!at->equal || size == 0 || a == b)
        return TM_OK;
    if (!a || !b) {
        differ(at, "one has %s data, the other has none", what->name);
        return TM_OK;
    }
    if (a->size < size || b->size < size) {
        differ(at, "%s data are %llu bytes, not %llu", what->name, (unsigned long long)a->size,
               (unsigned long long)b->size);
        return TM_OK;
    }
    bool same = !a->changed && !b->changed && a->origin == b->origin && a->data_index == b->data_index &&
                a->view == b->view;
    return same ? TM_OK : compare_bytes(at, what, a, b, size);
}

/* Compares two blocks that have no other size than their own. */
static tm_status compare_whole(comparison *at, const contents *what, const tm_block *a, const tm_block *b)
{
    uint64_t left = a ? a->size : 0, right = b ? b->size : 0;
    if (at->equal && a && b && left != right)
        differ(at, "%s data are %llu bytes, not %llu", what->name, (unsigned long long)left,
               (unsigned long long)right);
    if (at->equal && !a != !b)
        differ(at, "one has %s data, the other has none", what->name);
    return compare_part(at, what, a, b, left);
}

/* ------------------------------------------------------------------------------------------------ objects */

static tm_status compare_image(comparison *at, const void *left, const void *right)
{
    static const field fields[] = {
        FIELD(TEXT, tm_image, name),     FIELD(INT, tm_image, width),  FIELD(INT, tm_image, height),
        FIELD(BOOL, tm_image, external), FIELD(INT, tm_image, format),
    };
    static const contents pixels = {"pixel", 1, 0, false};
    COMPARE_FIELDS(at, fields, left, right);
    return compare_whole(at, &pixels, ((const tm_image *)left)->pixels, ((const tm_image *)right)->pixels);
}

static tm_status compare_sound(comparison *at, const void *left, const void *right)
{
    static const field fields[] = {FIELD(TEXT, tm_sound, name), FIELD(BOOL, tm_sound, external)};
    static const contents opus = {"sound", 1, 0, false};
    COMPARE_FIELDS(at, fields, left, right);
    return compare_whole(at, &opus, ((const tm_sound *)left)->data, ((const tm_sound *)right)->data);
}

static tm_status compare_envelope(comparison *at, const void *left, const void *right)
{
    static const field fields[] = {FIELD(NAME, tm_envelope, name), FIELD(INT, tm_envelope, channels),
                                   FIELD(BOOL, tm_envelope, synchronized),
                                   FIELD(INT, tm_envelope, num_points)};
    static const contents point = {"point", sizeof(tm_envelope_point), 0, true};
    const tm_envelope *a = left, *b = right;
    COMPARE_FIELDS(at, fields, a, b);
    size_t size = a->num_points * sizeof(*a->points);
    if (at->equal && size && memcmp(a->points, b->points, size) != 0) {
        const uint8_t *x = (const uint8_t *)a->points, *y = (const uint8_t *)b->points;
        describe_difference(at, &point, x, y, first_difference(x, y, size));
    }
    return TM_OK;
}

static tm_status compare_tile_layer(comparison *at, const tm_layer *left, const tm_layer *right)
{
    static const field fields[] = {
        FIELD(INT, tm_tile_layer, width),          FIELD(INT, tm_tile_layer, height),
        FIELD(INT, tm_tile_layer, color.r),        FIELD(INT, tm_tile_layer, color.g),
        FIELD(INT, tm_tile_layer, color.b),        FIELD(INT, tm_tile_layer, color.a),
        FIELD(INT, tm_tile_layer, color_envelope), FIELD(INT, tm_tile_layer, color_envelope_offset),
        FIELD(INT, tm_tile_layer, image),          FIELD(BOOL, tm_tile_layer, automapper.present),
    };
    static const field automapper[] = {
        FIELD(INT, tm_tile_layer, automapper.config),
        FIELD(INT, tm_tile_layer, automapper.seed),
        FIELD(BOOL, tm_tile_layer, automapper.automatic),
    };
    const tm_tile_layer *a = &left->as.tiles, *b = &right->as.tiles;
    const contents tile = {"tile", tm_rules_layer(left->kind)->element_size, a->width, false};
    const contents compat = {"compatibility tile", sizeof(tm_tile), a->width, false};
    COMPARE_FIELDS(at, fields, a, b);
    if (a->automapper.present)
        COMPARE_FIELDS(at, automapper, a, b);
    TM_TRY(compare_part(at, &tile, a->tiles, b->tiles, (uint64_t)a->width * a->height * tile.size));
    return compare_whole(at, &compat, a->compat, b->compat);
}

static tm_status compare_quad_layer(comparison *at, const tm_layer *left, const tm_layer *right)
{
    static const field fields[] = {FIELD(INT, tm_quad_layer, num_quads), FIELD(INT, tm_quad_layer, image)};
    static const contents quad = {"quad", sizeof(tm_quad), 0, true};
    const tm_quad_layer *a = &left->as.quads, *b = &right->as.quads;
    COMPARE_FIELDS(at, fields, a, b);
    return compare_part(at, &quad, a->quads, b->quads, (uint64_t)a->num_quads * quad.size);
}

static tm_status compare_sound_layer(comparison *at, const tm_layer *left, const tm_layer *right)
{
    static const field fields[] = {FIELD(INT, tm_sound_layer, num_sources),
                                   FIELD(INT, tm_sound_layer, sound)};
    const contents source = {"source", tm_rules_layer(left->kind)->element_size, 0, true};
    const tm_sound_layer *a = &left->as.sounds, *b = &right->as.sounds;
    COMPARE_FIELDS(at, fields, a, b);
    return compare_part(at, &source, a->sources, b->sources, (uint64_t)a->num_sources * source.size);
}

static tm_status compare_layer(comparison *at, const void *left, const void *right)
{
    static const field fields[] = {FIELD(NAME, tm_layer, name), FIELD(BOOL, tm_layer, detail)};
    const tm_layer *a = left, *b = right;
    if (a->kind != b->kind)
        differ(at, "the layer is of kind %s, not %s", tm_rules_layer(a->kind)->name,
               tm_rules_layer(b->kind)->name);
    COMPARE_FIELDS(at, fields, a, b);
    if (!at->equal)
        return TM_OK;
    if (tm_rules_layer(a->kind)->is_tiles)
        return compare_tile_layer(at, a, b);
    if (a->kind == TM_LAYER_QUADS)
        return compare_quad_layer(at, a, b);
    return tmi_layer_sound(TMI_UNCONST(tm_layer, a)) ? compare_sound_layer(at, a, b) : TM_OK;
}

typedef tm_status compare_objects(comparison *at, const void *left, const void *right);

/* Compares two arrays; `counter` is where the address counts. */
static tm_status compare_items(comparison *at, const tmi_kind *kind, const void *a, const void *b,
                               uint32_t *counter, compare_objects *compare)
{
    uint32_t num = tmi_num(kind, a);
    for (*counter = 0; at->equal && *counter < num; ++*counter)
        TM_TRY(compare(at, (const char *)tmi_items(kind, a) + *counter * kind->size,
                       (const char *)tmi_items(kind, b) + *counter * kind->size));
    return TM_OK;
}

/* Numbers first, since a missing object explains itself better than what differs by its absence. */
static void compare_nums(comparison *at, const tmi_kind *kind, const void *a, const void *b)
{
    uint32_t left = tmi_num(kind, a), right = tmi_num(kind, b);
    if (at->equal && left != right)
        differ(at, "%u %ss, not %u", (unsigned)left, kind->name, (unsigned)right);
}

static tm_status compare_group(comparison *at, const void *left, const void *right)
{
    static const field fields[] = {
        FIELD(NAME, tm_group, name),
        FIELD(INT, tm_group, offset_x),
        FIELD(INT, tm_group, offset_y),
        FIELD(INT, tm_group, parallax_x),
        FIELD(INT, tm_group, parallax_y),
        FIELD(BOOL, tm_group, use_clipping),
        FIELD(INT, tm_group, clip_x),
        FIELD(INT, tm_group, clip_y),
        FIELD(INT, tm_group, clip_w),
        FIELD(INT, tm_group, clip_h),
        FIELD(BOOL, tm_group, has_parallax_zoom),
        FIELD(INT, tm_group, parallax_zoom),
    };
    COMPARE_FIELDS(at, fields, left, right);
    compare_nums(at, &tmi_kind_layer, left, right);
    if (!at->equal)
        return TM_OK;
    at->address.kind = TM_ADDRESS_LAYER;
    TM_TRY(compare_items(at, &tmi_kind_layer, left, right, &at->address.layer, compare_layer));
    at->address.kind = TM_ADDRESS_GROUP;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- maps */

static void compare_info(comparison *at, const tm_info *a, const tm_info *b)
{
    static const field fields[] = {FIELD(TEXT, tm_info, author), FIELD(TEXT, tm_info, version),
                                   FIELD(TEXT, tm_info, credits), FIELD(TEXT, tm_info, license)};
    at->address.kind = TM_ADDRESS_INFO;
    COMPARE_FIELDS(at, fields, a, b);
    at->address.kind = TM_ADDRESS_SETTINGS;
    for (uint32_t i = 0; at->equal && i < a->num_settings && i < b->num_settings; i++) {
        char name[32];
        tmi_format(name, sizeof(name), "command %u", (unsigned)i);
        compare_name(at, name, a->settings[i], b->settings[i]);
    }
    if (at->equal && a->num_settings != b->num_settings)
        differ(at, "%u commands, not %u", (unsigned)a->num_settings, (unsigned)b->num_settings);
}

static tm_status compare_maps(comparison *at)
{
    static const struct {
        tm_object object;
        tm_address_kind address;
        compare_objects *compare;
    } steps[] = {
        {TM_OBJECT_IMAGE, TM_ADDRESS_IMAGE, compare_image},
        {TM_OBJECT_SOUND, TM_ADDRESS_SOUND, compare_sound},
        {TM_OBJECT_ENVELOPE, TM_ADDRESS_ENVELOPE, compare_envelope},
        {TM_OBJECT_GROUP, TM_ADDRESS_GROUP, compare_group},
    };
    const tm_map *a = at->a, *b = at->b;
    if (a->game != b->game)
        differ(at, "the game is %s, not %s", tm_game_name(a->game), tm_game_name(b->game));
    compare_int(at, "version", &a->version, &b->version);
    for (size_t i = 0; i < TMI_COUNT_OF(steps); i++)
        compare_nums(at, tmi_kind_of(steps[i].object), a, b);
    if (at->equal)
        compare_info(at, &a->info, &b->info);
    for (size_t i = 0; at->equal && i < TMI_COUNT_OF(steps); i++) {
        at->address.kind = steps[i].address;
        TM_TRY(compare_items(at, tmi_kind_of(steps[i].object), a, b, &at->address.index, steps[i].compare));
    }
    return TM_OK;
}

tm_status tm_map_equal(bool *equal, const tm_map *a, const tm_map *b, char *where, size_t where_size,
                       tm_error *error)
{
    comparison at = {a, b, true, where, where_size, {TM_ADDRESS_MAP, 0, 0}, error};
    *equal = false;
    if (where && where_size)
        where[0] = '\0';
    TM_TRY(tmi_check_map(a, error));
    TM_TRY(tmi_check_map(b, error));
    tm_status status = compare_maps(&at);
    if (status != TM_OK) {
        char place[TM_ERROR_PLACE_SIZE];
        tm_address_describe(&at.address, a, place, sizeof(place));
        return tmi_fail_at(error, status, "%s", place);
    }
    *equal = at.equal;
    return TM_OK;
}
