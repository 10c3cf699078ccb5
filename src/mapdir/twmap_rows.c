/* SPDX-License-Identifier: Zlib */
/*
 * The members of MapDir's objects, as tables, and numbers as decimal fractions: of positions in tiles, 32 px
 * each; of textures and colors in wholes.
 */
#include "twmap.h"

/* ------------------------------------------------------------------------------------------------- tables */

static const char *const shape_words[] = {"rectangle", "circle", NULL};
static const char *const curve_words[] = {"step", "linear", "slow", "fast", "smooth", "bezier", NULL};

#define MEMBER(path, form, type, field, ...)                      \
    {                                                             \
        path, TMI_FORM_##form, offsetof(type, field), __VA_ARGS__ \
    }
#define NAME(path, type, field) MEMBER(path, NAME, type, field, .loss = TMI_LOSS_TEXT)
#define INT(path, type, field, low, high) \
    MEMBER(path, INT, type, field, .least = low, .most = high, .loss = TMI_LOSS_NUMBER)
#define ANY_INT(path, type, field)          INT(path, type, field, INT32_MIN, INT32_MAX)
#define BOOL(path, type, field)             MEMBER(path, BOOL, type, field, .loss = TMI_LOSS_NUMBER)
#define TRUTH(path, type, field)            MEMBER(path, TRUTH, type, field, .loss = TMI_LOSS_NUMBER)
#define FIXED(path, type, field, scale)     MEMBER(path, FIXED, type, field, .most = scale)
#define WORD(path, type, field, list, lost) MEMBER(path, WORD, type, field, .words = list, .loss = lost)
#define REFERENCE(path, type, field, kind) \
    MEMBER(path, REFERENCE, type, field, .refers = TM_OBJECT_##kind, .loss = TMI_LOSS_NUMBER)

#define COLOR(path, type, field)                                                  \
    INT(path ".r", type, field.r, 0, 255), INT(path ".g", type, field.g, 0, 255), \
        INT(path ".b", type, field.b, 0, 255), INT(path ".a", type, field.a, 0, 255)
#define POINT(path, type, field) \
    FIXED(path ".x", type, field.x, TM_TILE_FX), FIXED(path ".y", type, field.y, TM_TILE_FX)
#define TEXTURE(path, type, field) \
    FIXED(path ".u", type, field.x, TM_FX), FIXED(path ".v", type, field.y, TM_FX)

static const tmi_row group_rows[] = {
    NAME("name", tm_group, name),
    FIXED("offset.x", tm_group, offset_x, TM_TILE_PX),
    FIXED("offset.y", tm_group, offset_y, TM_TILE_PX),
    ANY_INT("parallax.x", tm_group, parallax_x),
    ANY_INT("parallax.y", tm_group, parallax_y),
    BOOL("clipping", tm_group, use_clipping),
    FIXED("clip.x", tm_group, clip_x, TM_TILE_PX),
    FIXED("clip.y", tm_group, clip_y, TM_TILE_PX),
    FIXED("clip.w", tm_group, clip_w, TM_TILE_PX),
    FIXED("clip.h", tm_group, clip_h, TM_TILE_PX),
    /* of older programs; only read */
    FIXED("clip_position.x", tm_group, clip_x, TM_TILE_PX),
    FIXED("clip_position.y", tm_group, clip_y, TM_TILE_PX),
    FIXED("clip_size.w", tm_group, clip_w, TM_TILE_PX),
    FIXED("clip_size.h", tm_group, clip_h, TM_TILE_PX),
    FIXED("clip_size.x", tm_group, clip_w, TM_TILE_PX),
    FIXED("clip_size.y", tm_group, clip_h, TM_TILE_PX),
};
enum { GROUP_ROWS_WRITTEN = 10 };
static const tmi_row layer_rows[] = {
    NAME("name", tm_layer, name),
    BOOL("detail", tm_layer, detail),
};
static const tmi_row design_rows[] = {
    NAME("name", tm_layer, name),
    BOOL("detail", tm_layer, detail),
    COLOR("color", tm_layer, as.tiles.color),
    REFERENCE("color_env", tm_layer, as.tiles.color_envelope, ENVELOPE),
    ANY_INT("color_env_offset", tm_layer, as.tiles.color_envelope_offset),
    REFERENCE("image", tm_layer, as.tiles.image, IMAGE),
};
static const tmi_row size_rows[] = {
    INT("width", tm_layer, as.tiles.width, 0, INT32_MAX),
    INT("height", tm_layer, as.tiles.height, 0, INT32_MAX),
};
static const tmi_row automapper_rows[] = {
    MEMBER("automapper_config.config", INDEX, tm_automapper, config, .least = INT32_MIN, .most = INT32_MAX,
           .loss = TMI_LOSS_NUMBER),
    ANY_INT("automapper_config.seed", tm_automapper, seed),
    BOOL("automapper_config.automatic", tm_automapper, automatic),
};
static const tmi_row quads_image_rows[] = {REFERENCE("image", tm_layer, as.quads.image, IMAGE)};
static const tmi_row sound_rows[] = {REFERENCE("sound", tm_layer, as.sounds.sound, SOUND)};
static const tmi_row image_rows[] = {
    INT("size.w", tm_image, width, INT32_MIN, INT32_MAX),
    INT("size.h", tm_image, height, INT32_MIN, INT32_MAX),
};
static const tmi_row quad_rows[] = {
    POINT("corners.0", tm_quad, points[0]),
    POINT("corners.1", tm_quad, points[1]),
    POINT("corners.2", tm_quad, points[2]),
    POINT("corners.3", tm_quad, points[3]),
    POINT("position", tm_quad, points[4]),
    COLOR("colors.0", tm_quad, colors[0]),
    COLOR("colors.1", tm_quad, colors[1]),
    COLOR("colors.2", tm_quad, colors[2]),
    COLOR("colors.3", tm_quad, colors[3]),
    TEXTURE("texture_coords.0", tm_quad, texture[0]),
    TEXTURE("texture_coords.1", tm_quad, texture[1]),
    TEXTURE("texture_coords.2", tm_quad, texture[2]),
    TEXTURE("texture_coords.3", tm_quad, texture[3]),
    REFERENCE("position_env", tm_quad, position_envelope, ENVELOPE),
    ANY_INT("position_env_offset", tm_quad, position_offset),
    REFERENCE("color_env", tm_quad, color_envelope, ENVELOPE),
    ANY_INT("color_env_offset", tm_quad, color_offset),
};
#define SOURCE_ROWS                                                                  \
    TRUTH("looping", tm_sound_source, loop), TRUTH("panning", tm_sound_source, pan), \
        INT("delay", tm_sound_source, delay, 0, INT32_MAX),                          \
        INT("falloff", tm_sound_source, falloff, 0, 255),                            \
        REFERENCE("position_env", tm_sound_source, position_envelope, ENVELOPE),     \
        ANY_INT("position_env_offset", tm_sound_source, position_offset),            \
        REFERENCE("sound_env", tm_sound_source, sound_envelope, ENVELOPE),           \
        ANY_INT("sound_env_offset", tm_sound_source, sound_offset)
static const tmi_row rectangle_rows[] = {
    WORD("area.type", tm_sound_source, shape, shape_words, TMI_LOSS_NUMBER),
    POINT("area", tm_sound_source, position),
    FIXED("area.w", tm_sound_source, width, TM_TILE_FX),
    FIXED("area.h", tm_sound_source, height, TM_TILE_FX),
    SOURCE_ROWS,
    /* of circles; only read, so that the order of members does not matter */
    POINT("area.center", tm_sound_source, position),
    FIXED("area.radius", tm_sound_source, width, TM_TILE_PX),
};
static const tmi_row circle_rows[] = {
    WORD("area.type", tm_sound_source, shape, shape_words, TMI_LOSS_NUMBER),
    POINT("area.center", tm_sound_source, position),
    FIXED("area.radius", tm_sound_source, width, TM_TILE_PX),
    SOURCE_ROWS,
};
enum { RECTANGLE_ROWS_WRITTEN = 13 };

#define POINT_HEAD  ANY_INT("time", tm_envelope_point, time)
#define POINT_CURVE WORD("type", tm_envelope_point, curve, curve_words, TMI_LOSS_CURVE)
/* Tangents have the unit of their channel in both directions: their times, too. */
#define TANGENT(path, x_field, y_field, SET) SET(path ".x", x_field) SET(path ".y", y_field)
#define SET_SOUND(path, field)               FIXED(path, tm_envelope_point, field[0], TM_FX),
#define SET_POSITION(path, field)                                  \
    FIXED(path ".x", tm_envelope_point, field[0], TM_TILE_FX),     \
        FIXED(path ".y", tm_envelope_point, field[1], TM_TILE_FX), \
        FIXED(path ".rotation", tm_envelope_point, field[2], TM_FX),
#define SET_COLOR(path, field)                                \
    FIXED(path ".r", tm_envelope_point, field[0], TM_FX),     \
        FIXED(path ".g", tm_envelope_point, field[1], TM_FX), \
        FIXED(path ".b", tm_envelope_point, field[2], TM_FX), \
        FIXED(path ".a", tm_envelope_point, field[3], TM_FX),
#define POINT_ROWS(SET)                             \
    POINT_HEAD, SET("content", values) POINT_CURVE, \
        TANGENT("handle_l", out_dx, out_dy, SET) TANGENT("handle_r", in_dx, in_dy, SET)
static const tmi_row point_sound_rows[] = {POINT_ROWS(SET_SOUND)};
static const tmi_row point_position_rows[] = {POINT_ROWS(SET_POSITION)};
static const tmi_row point_color_rows[] = {POINT_ROWS(SET_COLOR)};

/* The last number: the rows that are written, of points those of a point without tangents. */
#define TABLE(rows, written)              \
    {                                     \
        rows, TMI_COUNT_OF(rows), written \
    }
#define ALL_OF(rows) TABLE(rows, TMI_COUNT_OF(rows))
static const tmi_rows tables[TMI_TABLES] = {
    [TMI_TABLE_GROUP] = TABLE(group_rows, GROUP_ROWS_WRITTEN),
    [TMI_TABLE_DESIGN] = ALL_OF(design_rows),
    [TMI_TABLE_SIZE] = ALL_OF(size_rows),
    [TMI_TABLE_AUTOMAPPER] = ALL_OF(automapper_rows),
    [TMI_TABLE_LAYER] = ALL_OF(layer_rows),
    [TMI_TABLE_QUADS_IMAGE] = ALL_OF(quads_image_rows),
    [TMI_TABLE_SOUND] = ALL_OF(sound_rows),
    [TMI_TABLE_QUAD] = ALL_OF(quad_rows),
    [TMI_TABLE_RECTANGLE] = TABLE(rectangle_rows, RECTANGLE_ROWS_WRITTEN),
    [TMI_TABLE_CIRCLE] = ALL_OF(circle_rows),
    [TMI_TABLE_POINT_SOUND] = TABLE(point_sound_rows, 3),
    [TMI_TABLE_POINT_POSITION] = TABLE(point_position_rows, 5),
    [TMI_TABLE_POINT_COLOR] = TABLE(point_color_rows, 6),
    [TMI_TABLE_IMAGE] = ALL_OF(image_rows),
};

tmi_rows tmi_twmap_rows(tmi_table table)
{
    return tables[table];
}

/* -------------------------------------------------------------------------------------- decimal fractions */

/* value * by / over, rounded, to the even one where two are as near. */
static int64_t scale_exactly(int64_t value, int64_t by, int64_t over)
{
    const int64_t whole = value / over * by, rest = value % over * by;
    int64_t part = rest / over;
    const int64_t twice = rest % over * 2;
    if (twice > over || (twice == over && (whole + part) % 2))
        part++;
    return whole + part;
}

void tmi_decimal_format(char text[TMI_DECIMAL_SIZE], int32_t value, int32_t scale)
{
    const int64_t size = value < 0 ? -(int64_t)value : value;
    int64_t power = 1, number = 0;
    int digits = 0;
    while ((number = scale_exactly(size, power, scale), scale_exactly(number, scale, power) != size)) {
        power *= 10;
        digits++;
    }
    if (digits)
        tmi_format(text, TMI_DECIMAL_SIZE, "%s%lld.%0*lld", value < 0 ? "-" : "", (long long)(number / power),
                   digits, (long long)(number % power));
    else
        tmi_format(text, TMI_DECIMAL_SIZE, "%s%lld", value < 0 ? "-" : "", (long long)number);
}

bool tmi_decimal_parse(int32_t *value, const char *text, int32_t scale)
{
    enum { MOST_DIGITS = 12 };
    const bool negative = *text == '-';
    int64_t whole = 0, part = 0, power = 1;
    const char *at = text + (*text == '-' || *text == '+');
    const char *digits = at;
    for (; *at >= '0' && *at <= '9' && whole <= INT32_MAX; at++)
        whole = whole * 10 + (*at - '0');
    if (at == digits || whole > INT32_MAX)
        return false;
    if (*at == '.')
        for (at++, digits = at; *at >= '0' && *at <= '9'; at++)
            if (at - digits < MOST_DIGITS) {
                part = part * 10 + (*at - '0');
                power *= 10;
            }
    const int64_t number = whole * scale + scale_exactly(part, scale, power);
    if (*at || number > INT32_MAX + (int64_t)negative)
        return false;
    *value = (int32_t)(negative ? -number : number);
    return true;
}
