/* SPDX-License-Identifier: Zlib */
/*
 * Tables of the members of MapDir's objects, and reading members by their table. Positions are decimal
 * fractions of tiles of 32 px; texture coordinates and colors of envelopes are fractions of 1.
 */
#include "twmap.h"

/* ------------------------------------------------------------------------------------------------- tables */

static const char *const shape_words[] = {"rectangle", "circle", NULL};
static const char *const curve_words[] = {"step", "linear", "slow", "fast", "smooth", "bezier", NULL};

#define MEMBER(path, form, type, field, ...)                      \
    {                                                             \
        path, TMI_FORM_##form, offsetof(type, field), __VA_ARGS__ \
    }
#define NAME(path, type, field)            MEMBER(path, NAME, type, field, .words = NULL)
#define INT(path, type, field, low, high)  MEMBER(path, INT, type, field, .least = low, .most = high)
#define ANY_INT(path, type, field)         INT(path, type, field, INT32_MIN, INT32_MAX)
#define BOOL(path, type, field)            MEMBER(path, BOOL, type, field, .words = NULL)
#define TRUTH(path, type, field)           MEMBER(path, TRUTH, type, field, .words = NULL)
#define FIXED(path, type, field, scale)    MEMBER(path, FIXED, type, field, .most = scale)
#define WORD(path, type, field, list)      MEMBER(path, WORD, type, field, .words = list)
#define REFERENCE(path, type, field, kind) MEMBER(path, REFERENCE, type, field, .refers = TM_OBJECT_##kind)

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
    /* written by older versions */
    FIXED("clip_position.x", tm_group, clip_x, TM_TILE_PX),
    FIXED("clip_position.y", tm_group, clip_y, TM_TILE_PX),
    FIXED("clip_size.w", tm_group, clip_w, TM_TILE_PX),
    FIXED("clip_size.h", tm_group, clip_h, TM_TILE_PX),
    FIXED("clip_size.x", tm_group, clip_w, TM_TILE_PX),
    FIXED("clip_size.y", tm_group, clip_h, TM_TILE_PX),
};
#define LAYER_ROWS NAME("name", tm_layer, name), BOOL("detail", tm_layer, detail)
static const tmi_row tiles_rows[] = {
    LAYER_ROWS,
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
    MEMBER("automapper_config.config", INDEX, tm_automapper, config, .least = INT32_MIN, .most = INT32_MAX),
    ANY_INT("automapper_config.seed", tm_automapper, seed),
    BOOL("automapper_config.automatic", tm_automapper, automatic),
};
static const tmi_row quads_rows[] = {LAYER_ROWS, REFERENCE("image", tm_layer, as.quads.image, IMAGE)};
static const tmi_row sounds_rows[] = {LAYER_ROWS, REFERENCE("sound", tm_layer, as.sounds.sound, SOUND)};
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
/* For rectangles and circles; the radius of a circle is stored as its width. */
static const tmi_row source_rows[] = {
    WORD("area.type", tm_sound_source, shape, shape_words),
    POINT("area", tm_sound_source, position),
    FIXED("area.w", tm_sound_source, width, TM_TILE_FX),
    FIXED("area.h", tm_sound_source, height, TM_TILE_FX),
    POINT("area.center", tm_sound_source, position),
    FIXED("area.radius", tm_sound_source, width, TM_TILE_PX),
    TRUTH("looping", tm_sound_source, loop),
    TRUTH("panning", tm_sound_source, pan),
    INT("delay", tm_sound_source, delay, 0, INT32_MAX),
    INT("falloff", tm_sound_source, falloff, 0, 255),
    REFERENCE("position_env", tm_sound_source, position_envelope, ENVELOPE),
    ANY_INT("position_env_offset", tm_sound_source, position_offset),
    REFERENCE("sound_env", tm_sound_source, sound_envelope, ENVELOPE),
    ANY_INT("sound_env_offset", tm_sound_source, sound_offset),
};

#define POINT_HEAD  ANY_INT("time", tm_envelope_point, time)
#define POINT_CURVE WORD("type", tm_envelope_point, curve, curve_words)
/* Both coordinates of a tangent, also the time, have the unit of their channel. */
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

#define ALL_OF(rows)             \
    {                            \
        rows, TMI_COUNT_OF(rows) \
    }
static const tmi_rows tables[TMI_TABLES] = {
    [TMI_TABLE_GROUP] = ALL_OF(group_rows),
    [TMI_TABLE_TILES] = ALL_OF(tiles_rows),
    [TMI_TABLE_SIZE] = ALL_OF(size_rows),
    [TMI_TABLE_AUTOMAPPER] = ALL_OF(automapper_rows),
    [TMI_TABLE_QUADS] = ALL_OF(quads_rows),
    [TMI_TABLE_SOUNDS] = ALL_OF(sounds_rows),
    [TMI_TABLE_QUAD] = ALL_OF(quad_rows),
    [TMI_TABLE_SOURCE] = ALL_OF(source_rows),
    [TMI_TABLE_POINT_SOUND] = ALL_OF(point_sound_rows),
    [TMI_TABLE_POINT_POSITION] = ALL_OF(point_position_rows),
    [TMI_TABLE_POINT_COLOR] = ALL_OF(point_color_rows),
    [TMI_TABLE_IMAGE] = ALL_OF(image_rows),
};

tmi_rows tmi_twmap_rows(tmi_table table)
{
    return tables[table];
}

/* -------------------------------------------------------------------------------------- decimal fractions */

/* value * by / over, rounded to the nearest number, halves to the even one. */
static int64_t scale_exactly(int64_t value, int64_t by, int64_t over)
{
    const int64_t whole = value / over * by, rest = value % over * by;
    int64_t part = rest / over;
    const int64_t twice = rest % over * 2;
    if (twice > over || (twice == over && (whole + part) % 2))
        part++;
    return whole + part;
}

bool tmi_decimal_parse(int32_t *value, const char *text, int32_t scale)
{
    enum { MAX_DIGITS = 12 };
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
            if (at - digits < MAX_DIGITS) {
                part = part * 10 + (*at - '0');
                power *= 10;
            }
    const int64_t number = whole * scale + scale_exactly(part, scale, power);
    if (*at || number > INT32_MAX + (int64_t)negative)
        return false;
    *value = (int32_t)(negative ? -number : number);
    return true;
}

/* ------------------------------------------------------------------------------------------------ reading */

/* The object that is read, and the table of its members. */
typedef struct taking {
    tmi_json_file *file;
    const tmi_rows *rows;
    void *object;
} taking;

static void tell_expected(const taking *of, const tm_json *node, const char *expected)
{
    tmi_find_in(of->file->reading, TM_FINDING_FOLDER_VALUE,
                (tmi_text_place){of->file->name, node->line, node->column}, "%s is expected", expected);
}

static bool take_int(int32_t *out, const taking *of, const tmi_row *row, const tm_json *node)
{
    char expected[64];
    if (node->kind == TM_JSON_NUMBER && node->whole && node->number >= row->least &&
        node->number <= row->most) {
        *out = (int32_t)node->number;
        return true;
    }
    tmi_format(expected, sizeof(expected), "a number from %d to %d", (int)row->least, (int)row->most);
    tell_expected(of, node, expected);
    return false;
}

static bool take_fixed(int32_t *out, const taking *of, const tmi_row *row, const tm_json *node)
{
    char digits[24];
    const bool number = node->kind == TM_JSON_NUMBER;
    tmi_format(digits, sizeof(digits), "%lld", (long long)node->number);
    if ((number || node->kind == TM_JSON_TEXT) &&
        tmi_decimal_parse(out, number && node->whole ? digits : node->text, row->most))
        return true;
    tell_expected(of, node, "a text with a number, as \"1.5\", that is not too large");
    return false;
}

static bool take_word(int32_t *out, const taking *of, const tmi_row *row, const tm_json *node)
{
    tmi_line expected = {"one of", 6};
    for (*out = 0; row->words[*out]; ++*out) {
        if (node->kind == TM_JSON_TEXT && strcmp(node->text, row->words[*out]) == 0)
            return true;
        tmi_line_add(&expected, " %s", row->words[*out]);
    }
    tell_expected(of, node, expected.text);
    return false;
}

static bool take_reference(int32_t *out, const taking *of, const tmi_row *row, const tm_json *node)
{
    const bool text = node->kind == TM_JSON_TEXT;
    *out = text ? tmi_find_name(of->file->reading, row->refers, node->text) : TM_NONE;
    if (text && *out == TM_NONE)
        tmi_find_in(of->file->reading, TM_FINDING_FOLDER_VALUE,
                    (tmi_text_place){of->file->name, node->line, node->column}, "there is no file '%s/%.60s'",
                    tmi_list_names[row->refers], node->text);
    if (!text && node->kind != TM_JSON_NULL)
        tell_expected(of, node, "null, or the name of a file without its ending");
    return true;
}

static void take_single(const taking *of, const tmi_row *row, const tm_json *node)
{
    void *to = (char *)of->object + row->offset;
    const bool truth = node->number != 0;
    int32_t number = TM_NONE;
    bool read = true;
    switch (row->form) {
    case TMI_FORM_INDEX: read = node->kind == TM_JSON_NULL || take_int(&number, of, row, node); break;
    case TMI_FORM_INT: read = take_int(&number, of, row, node); break;
    case TMI_FORM_FIXED: read = take_fixed(&number, of, row, node); break;
    case TMI_FORM_WORD: read = take_word(&number, of, row, node); break;
    case TMI_FORM_REFERENCE: read = take_reference(&number, of, row, node); break;
    default:
        read = node->kind == TM_JSON_BOOL;
        number = truth;
        if (!read)
            tell_expected(of, node, "true or false");
    }
    if (read && row->form == TMI_FORM_BOOL)
        memcpy(to, &truth, sizeof(truth));
    else if (read)
        memcpy(to, &number, sizeof(number));
}

enum { ROW_PATH = 3 * TMI_KEY_SIZE };

/* The row with this path, else the first one whose path begins with it, else NULL. */
static const tmi_row *find_row(const tmi_rows *rows, const char *path)
{
    const size_t size = strlen(path);
    for (size_t i = 0; i < rows->num; i++)
        if (strncmp(rows->list[i].path, path, size) == 0 && strchr(".", rows->list[i].path[size]))
            return &rows->list[i];
    return NULL;
}

/* Reads a value, whose path is `path`: that of `row`, or an object or list that contains it. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the paths of the table go
static void take_node(const taking *of, const tmi_row *row, const char *path, const tm_json *node)
{
    const char *rest = row->path + strlen(path);
    const bool list = rest[0] && rest[1] >= '0' && rest[1] <= '9';
    char own[ROW_PATH];
    uint32_t index = 0;
    if (!*rest) {
        take_single(of, row, node);
        return;
    }
    if (node->kind != (list ? TM_JSON_ARRAY : TM_JSON_OBJECT)) {
        tell_expected(of, node, list ? "a list: [ ... ]" : "an object: { ... }");
        return;
    }
    for (const tm_json *at = node->first; at; at = at->next, index++) {
        if (list)
            tmi_format(own, sizeof(own), "%s.%u", path, (unsigned)index);
        else
            tmi_format(own, sizeof(own), "%s.%s", path, at->name);
        const tmi_row *inner = !list && strchr(at->name, '.') ? NULL : find_row(of->rows, own);
        if (inner)
            take_node(of, inner, own, at);
        else if (list)
            tell_expected(of, at, "the end of the list");
        else
            tmi_find_in(of->file->reading, TM_FINDING_FOLDER_UNUSED,
                        (tmi_text_place){of->file->name, at->name_line, at->name_column},
                        "nothing is known of a member '%s'; it is not read", own);
    }
    tmi_format(own, sizeof(own), "%s.%u", path, (unsigned)index);
    if (list && find_row(of->rows, own))
        tmi_find_in(of->file->reading, TM_FINDING_FOLDER_VALUE,
                    (tmi_text_place){of->file->name, node->line, node->column},
                    "more elements of '%s' are expected", path);
}

bool tmi_twmap_take(tmi_json_file *file, const tmi_rows *rows, const tmi_fields_of *target, const char *key)
{
    const taking of = {file, rows, target->object};
    const tmi_row *row = strchr(key, '.') ? NULL : find_row(rows, key);
    tmi_arena arena;
    if (row && row->form == TMI_FORM_NAME)
        return tmi_read_member(file, target, row->path);
    if (!row)
        return false;
    const tm_json *node = tmi_read_tree(file, tmi_next_value(file), &arena);
    if (node)
        take_node(&of, row, key, node);
    tmi_arena_release(&arena);
    return true;
}
