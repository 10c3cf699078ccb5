/* SPDX-License-Identifier: Zlib */
/*
 * dump.c - tiles, quads, sound sources and envelope points as lines and as JSON. Numbers are those of the
 * file, in its units (fixed point 22.10 where the format says so), so that nothing is rounded.
 */
#include "dump.h"

#include "json.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- tiles */

#define U8(struct_, field)                         \
    {                                              \
#field, offsetof(struct_, field), FIELD_U8 \
    }
#define I16(struct_, field)                         \
    {                                               \
#field, offsetof(struct_, field), FIELD_I16 \
    }
#define END               \
    {                     \
        NULL, 0, FIELD_U8 \
    }

static const element_field design[] = {U8(tm_tile, index), U8(tm_tile, flags), U8(tm_tile, skip),
                                       U8(tm_tile, reserved), END};
static const element_field tele[] = {U8(tm_tele_tile, number), U8(tm_tele_tile, type), END};
static const element_field speedup[] = {U8(tm_speedup_tile, force),  U8(tm_speedup_tile, max_speed),
                                        U8(tm_speedup_tile, type),   U8(tm_speedup_tile, pad),
                                        I16(tm_speedup_tile, angle), END};
static const element_field switches[] = {U8(tm_switch_tile, number), U8(tm_switch_tile, type),
                                         U8(tm_switch_tile, flags), U8(tm_switch_tile, delay), END};
static const element_field tune[] = {U8(tm_tune_tile, number), U8(tm_tune_tile, type), END};

const element_field *tile_fields(tm_layer_kind kind, const char **main_field)
{
    const element_field *fields = kind == TM_LAYER_TELE      ? tele
                                  : kind == TM_LAYER_SPEEDUP ? speedup
                                  : kind == TM_LAYER_SWITCH  ? switches
                                  : kind == TM_LAYER_TUNE    ? tune
                                                             : design;
    *main_field = fields == design ? "index" : "type";
    return fields;
}

const element_field *find_field(const element_field *fields, const char *name)
{
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0)
            return fields;
    return NULL;
}

static int32_t field_value(const unsigned char *element, const element_field *field)
{
    int32_t wide;
    int16_t narrow;
    switch (field->type) {
    case FIELD_I16: memcpy(&narrow, element + field->offset, sizeof(narrow)); return narrow;
    case FIELD_I32: memcpy(&wide, element + field->offset, sizeof(wide)); return wide;
    default: return element[field->offset];
    }
}

static const unsigned char *row_of(const tm_grid *grid, uint32_t y)
{
    return (const unsigned char *)grid->tiles + (size_t)y * grid->row_stride;
}

void put_tiles(text *out, const tm_grid *grid, const element_field *field)
{
    int width = field->type == FIELD_U8 ? 3 : 6;
    for (uint32_t y = 0; grid->tiles && y < grid->height; y++) {
        const unsigned char *tile = row_of(grid, y);
        for (uint32_t x = 0; x < grid->width; x++, tile += grid->tile_size)
            text_print(out, x ? " %*" PRId32 : "%*" PRId32, width, field_value(tile, field));
        text_put(out, "\n", 1);
    }
}

/*
 * {"a":1,"b":2}: numbers under plain names, so printing them is all there is to it, and a layer may have a
 * million of them.
 */
static void put_plain_object(text *out, const unsigned char *element, const element_field *fields)
{
    char before = '{';
    for (; fields->name; fields++) {
        text_print(out, "%c\"%s\":%" PRId32, before, fields->name, field_value(element, fields));
        before = ',';
    }
    text_put(out, "}", 1);
}

void put_tiles_json(text *out, const tm_grid *grid, const element_field *fields)
{
    text_string(out, ",\"rows\":[");
    for (uint32_t y = 0; grid->tiles && y < grid->height; y++) {
        const unsigned char *tile = row_of(grid, y);
        text_string(out, y ? ",[" : "[");
        for (uint32_t x = 0; x < grid->width; x++, tile += grid->tile_size) {
            text_put(out, ",", x ? 1 : 0);
            put_plain_object(out, tile, fields);
        }
        text_put(out, "]", 1);
    }
    text_put(out, "]", 1);
}

/* -------------------------------------------------------------------------------------------------- quads */

/* Element `index` of an array whose memory need not be aligned for it. */
#define TAKE(to, array, index) \
    memcpy(&(to), (const unsigned char *)(array) + (size_t)(index) * sizeof(to), sizeof(to))

static void put_point(text *out, const tm_point *point)
{
    text_print(out, "\t%" PRId32 ",%" PRId32, point->x, point->y);
}

void put_quads(text *out, const void *quads, uint32_t num)
{
    text rows = {0};
    text_string(
        &rows,
        "QUAD\tTOP LEFT\tTOP RIGHT\tBOTTOM LEFT\tBOTTOM RIGHT\tPIVOT\tCOLOR TL\tCOLOR TR\tCOLOR BL\tCOLOR "
        "BR\t"
        "UV TL\tUV TR\tUV BL\tUV BR\tPOS ENV\tOFFSET\tCOLOR ENV\tOFFSET\n");
    for (uint32_t i = 0; i < num; i++) {
        tm_quad quad;
        TAKE(quad, quads, i);
        text_print(&rows, "%" PRIu32, i);
        for (int k = 0; k < 5; k++)
            put_point(&rows, &quad.points[k]);
        for (int k = 0; k < 4; k++) {
            const tm_color *c = &quad.colors[k];
            text_print(&rows, "\t%" PRId32 ",%" PRId32 ",%" PRId32 ",%" PRId32, c->r, c->g, c->b, c->a);
        }
        for (int k = 0; k < 4; k++)
            put_point(&rows, &quad.texture[k]);
        text_print(&rows, "\t%" PRId32 "\t%" PRId32 "\t%" PRId32 "\t%" PRId32 "\n", quad.position_envelope,
                   quad.position_offset, quad.color_envelope, quad.color_offset);
    }
    text_columns(out, &rows, "r");
    text_release(&rows);
}

static json_t *json_points(const tm_point *points, size_t num)
{
    json_t *holder = json_make(), *list = json_array();
    for (size_t i = 0; i < num; i++) {
        json_add_point(holder, "point", points[i].x, points[i].y);
        json_append(list, json_incref(json_object_get(holder, "point")));
    }
    json_decref(holder);
    return list;
}

static json_t *json_colors(const tm_color *colors, size_t num)
{
    json_t *holder = json_make(), *list = json_array();
    for (size_t i = 0; i < num; i++) {
        json_add_color(holder, "color", &colors[i]);
        json_append(list, json_incref(json_object_get(holder, "color")));
    }
    json_decref(holder);
    return list;
}

void put_quads_json(text *out, const void *quads, uint32_t num)
{
    text_string(out, ",\"quads\":[");
    for (uint32_t i = 0; i < num; i++) {
        tm_quad quad;
        TAKE(quad, quads, i);
        json_t *object = json_make();
        json_add(object, "points", json_points(quad.points, 5));
        json_add(object, "colors", json_colors(quad.colors, 4));
        json_add(object, "texture", json_points(quad.texture, 4));
        json_add_int(object, "position_envelope", quad.position_envelope);
        json_add_int(object, "position_offset", quad.position_offset);
        json_add_int(object, "color_envelope", quad.color_envelope);
        json_add_int(object, "color_offset", quad.color_offset);
        text_put(out, ",", i ? 1 : 0);
        text_json(out, object);
    }
    text_put(out, "]", 1);
}

/* ------------------------------------------------------------------------------------------------- sounds */

#define I32(struct_, field)                         \
    {                                               \
#field, offsetof(struct_, field), FIELD_I32 \
    }
#define I32_AS(struct_, name, at)              \
    {                                          \
        name, offsetof(struct_, at), FIELD_I32 \
    }

static const element_field source_fields[] = {I32_AS(tm_sound_source, "x", position.x),
                                              I32_AS(tm_sound_source, "y", position.y),
                                              I32(tm_sound_source, loop),
                                              I32(tm_sound_source, pan),
                                              I32(tm_sound_source, delay),
                                              I32(tm_sound_source, falloff),
                                              I32(tm_sound_source, position_envelope),
                                              I32(tm_sound_source, position_offset),
                                              I32(tm_sound_source, sound_envelope),
                                              I32(tm_sound_source, sound_offset),
                                              I32(tm_sound_source, shape),
                                              I32(tm_sound_source, width),
                                              I32(tm_sound_source, height),
                                              END};

static const element_field old_source_fields[] = {I32_AS(tm_old_source, "x", position.x),
                                                  I32_AS(tm_old_source, "y", position.y),
                                                  I32(tm_old_source, loop),
                                                  I32(tm_old_source, delay),
                                                  I32(tm_old_source, radius),
                                                  I32(tm_old_source, position_envelope),
                                                  I32(tm_old_source, position_offset),
                                                  I32(tm_old_source, sound_envelope),
                                                  I32(tm_old_source, sound_offset),
                                                  END};

static const unsigned char *source_at(const void *sources, uint32_t index, bool old)
{
    return (const unsigned char *)sources +
           (size_t)index * (old ? sizeof(tm_old_source) : sizeof(tm_sound_source));
}

void put_sources(text *out, const void *sources, uint32_t num, bool old)
{
    const element_field *fields = old ? old_source_fields : source_fields;
    text rows = {0};
    text_string(&rows, "SOURCE");
    for (const element_field *field = fields; field->name; field++)
        text_print(&rows, "\t%s", field->name);
    text_put(&rows, "\n", 1);
    for (uint32_t i = 0; i < num; i++) {
        text_print(&rows, "%" PRIu32, i);
        for (const element_field *field = fields; field->name; field++)
            text_print(&rows, "\t%" PRId32, field_value(source_at(sources, i, old), field));
        text_put(&rows, "\n", 1);
    }
    text_columns(out, &rows, "r");
    text_release(&rows);
}

void put_sources_json(text *out, const void *sources, uint32_t num, bool old)
{
    text_string(out, ",\"sources\":[");
    for (uint32_t i = 0; i < num; i++) {
        text_put(out, ",", i ? 1 : 0);
        put_plain_object(out, source_at(sources, i, old), old ? old_source_fields : source_fields);
    }
    text_put(out, "]", 1);
}

/* ------------------------------------------------------------------------------------------------- points */

static const char *curve_name(int32_t curve)
{
    static const char *const names[] = {"step", "linear", "slow", "fast", "smooth", "bezier"};
    return curve >= TM_CURVE_STEP && curve <= TM_CURVE_BEZIER ? names[curve] : "unknown";
}

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
    uint32_t channels = shown_channels(envelope);
    text rows = {0};
    text_string(&rows, "TIME MS\tCURVE");
    for (uint32_t c = 0; c < channels; c++)
        text_print(&rows, "\t%s", labels[envelope->channels == (int32_t)channels ? channels : 0][c]);
    text_put(&rows, "\n", 1);
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        text_print(&rows, "%" PRId32 "\t%s", point->time, curve_name(point->curve));
        for (uint32_t c = 0; c < channels; c++)
            text_print(&rows, "\t%" PRId32, point->values[c]);
        text_put(&rows, "\n", 1);
    }
    text_columns(out, &rows, "rlr");
    text_release(&rows);
}

static void add_four(json_t *object, const char *key, const int32_t values[4])
{
    json_t *list = json_array();
    for (int i = 0; i < 4; i++)
        json_append(list, json_integer(values[i]));
    json_add(object, key, list);
}

void put_points_json(text *out, const tm_envelope *envelope)
{
    text_string(out, ",\"points\":[");
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        json_t *object = json_make();
        json_add_int(object, "time", point->time);
        json_add_int(object, "curve", point->curve);
        json_add(object, "curve_name", json_string(curve_name(point->curve)));
        add_four(object, "values", point->values);
        add_four(object, "in_dx", point->in_dx);
        add_four(object, "in_dy", point->in_dy);
        add_four(object, "out_dx", point->out_dx);
        add_four(object, "out_dy", point->out_dy);
        text_put(out, ",", i ? 1 : 0);
        text_json(out, object);
    }
    text_put(out, "]", 1);
}
