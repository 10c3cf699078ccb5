/* SPDX-License-Identifier: Zlib */
/*
 * dump.c - tiles, quads, sound sources and envelope points as tables, by the table of fields. Tables show
 * values in the one form that all commands read.
 */
#include "dump.h"

static const unsigned char *element_at(const void *elements, tm_owner owner, uint32_t index)
{
    return (const unsigned char *)elements + (size_t)index * tm_owner_size(owner);
}

/* -------------------------------------------------------------------------------------------------- tiles */

void put_tiles(text *out, const tm_grid *grid, const tm_field *field)
{
    const int width = field->storage == TM_STORED_UINT8 ? 3 : 6;
    for (uint32_t y = 0; grid->tiles && y < grid->height; y++) {
        const unsigned char *tile = (const unsigned char *)grid->tiles + (size_t)y * grid->row_stride;
        for (uint32_t x = 0; x < grid->width; x++, tile += grid->tile_size)
            text_number(out, tm_field_get(field, tile, 0).as.number, x ? width + 1 : width);
        text_put(out, "\n", 1);
    }
}

/* ------------------------------------------------------------------------------------------------- tables */

static void put_value(text *out, const tm_map *map, const tm_field *field, const tm_value *value)
{
    char few[100], *many = NULL;
    const size_t size = tm_value_format(few, sizeof(few), field, value, map) + 1;
    if (size > sizeof(few)) {
        many = must_alloc(size, 1);
        tm_value_format(many, size, field, value, map);
    }
    text_string(out, many ? many : few); /* holds nothing that a terminal would obey */
    free(many);
}

/* Heads of columns for values that have no name of their own. */
static const struct column_heads {
    tm_owner owner;
    const char *field;
    const char *heads[5];
} column_heads[] = {
    {TM_OWNER_QUAD, "points", {"TOP LEFT", "TOP RIGHT", "BOTTOM LEFT", "BOTTOM RIGHT", "PIVOT"}},
    {TM_OWNER_QUAD, "colors", {"COLOR TL", "COLOR TR", "COLOR BL", "COLOR BR"}},
    {TM_OWNER_QUAD, "texture", {"UV TL", "UV TR", "UV BL", "UV BR"}},
};

static const char *column_head(tm_owner owner, const tm_field *field, uint32_t index)
{
    for (size_t i = 0; i < sizeof(column_heads) / sizeof(column_heads[0]); i++)
        if (column_heads[i].owner == owner && strcmp(column_heads[i].field, field->name) == 0)
            return column_heads[i].heads[index];
    return field->name;
}

static bool has_column(const tm_field *field)
{
    return !(field->flags & TM_FIELD_ALIAS);
}

static void put_heads(text *rows, tm_owner owner)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    text_string(rows, owner == TM_OWNER_QUAD ? "QUAD" : "SOURCE");
    for (size_t i = 0; i < num; i++)
        for (uint32_t k = 0; k < fields[i].num_values && has_column(&fields[i]); k++)
            text_print(rows, "\t%s", column_head(owner, &fields[i], k));
    text_put(rows, "\n", 1);
}

void put_elements(text *out, const tm_map *map, tm_owner owner, const void *elements, uint32_t num)
{
    text rows = {0};
    size_t num_fields;
    const tm_field *fields = tm_fields(&num_fields, owner);
    put_heads(&rows, owner);
    for (uint32_t e = 0; e < num; e++) {
        text_print(&rows, "%" PRIu32, e);
        for (size_t i = 0; i < num_fields; i++) {
            for (uint32_t k = 0; k < fields[i].num_values && has_column(&fields[i]); k++) {
                const tm_value value = tm_field_get(&fields[i], element_at(elements, owner, e), k);
                text_put(&rows, "\t", 1);
                put_value(&rows, map, &fields[i], &value);
            }
        }
        text_put(&rows, "\n", 1);
    }
    text_columns(out, &rows, "r");
    text_release(&rows);
}

/* ------------------------------------------------------------------------------------------------- points */

static uint32_t shown_channels(const tm_envelope *envelope)
{
    return envelope->channels < 1 || envelope->channels > 4 ? 4 : (uint32_t)envelope->channels;
}

void put_points(text *out, const tm_envelope *envelope)
{
    static const char *const labels[5][4] = {{"VALUE 0", "VALUE 1", "VALUE 2", "VALUE 3"},
                                             {"VOLUME"},
                                             {"VALUE 0", "VALUE 1"},
                                             {"X", "Y", "ROTATION"},
                                             {"R", "G", "B", "A"}};
    const tm_field *curve = tm_field_find(TM_OWNER_ENVELOPE_POINT, "curve");
    const tm_field *values = tm_field_find(TM_OWNER_ENVELOPE_POINT, "values");
    uint32_t channels = shown_channels(envelope);
    text rows = {0};
    text_string(&rows, "TIME MS\tCURVE");
    for (uint32_t c = 0; c < channels; c++)
        text_print(&rows, "\t%s", labels[envelope->channels == (int32_t)channels ? channels : 0][c]);
    text_put(&rows, "\n", 1);
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        const tm_value shape = tm_field_get(curve, point, 0);
        text_print(&rows, "%" PRId32 "\t", point->time);
        put_value(&rows, NULL, curve, &shape);
        for (uint32_t c = 0; c < channels; c++) {
            const tm_value value = tm_field_get(values, point, c);
            text_put(&rows, "\t", 1);
            put_value(&rows, NULL, values, &value);
        }
        text_put(&rows, "\n", 1);
    }
    text_columns(out, &rows, "rlr");
    text_release(&rows);
}

/* ------------------------------------------------------------------------------------------------- fields */

typedef struct lines {
    text *out;
    const tm_map *map;
    const void *object;
    bool within; /* an object within is open: its values share a line */
} lines;

static void put_line_of(void *ctx, tm_walk_step step, const char *key, const tm_field *field)
{
    lines *to = ctx;
    if (step == TM_WALK_OPEN) {
        text_print(to->out, "%s:", key);
        to->within = true;
    } else if (step == TM_WALK_CLOSE) {
        text_put(to->out, "\n", 1);
        to->within = false;
    } else if (step == TM_WALK_FIELD) {
        const tm_value value = tm_field_get(field, to->object, 0);
        if (to->within)
            text_put(to->out, " ", 1);
        else
            text_print(to->out, "%s: ", key);
        put_value(to->out, to->map, field, &value);
        text_put(to->out, "\n", to->within ? 0 : 1);
    }
}

void put_fields(text *out, const tm_map *map, tm_owner owner, const void *object)
{
    lines to = {out, map, object, false};
    tm_fields_walk(owner, object, put_line_of, &to);
}
