/* SPDX-License-Identifier: Zlib */
/*
 * The members of MapDir's objects as tables, decimal fractions, and reading members by their table. Positions
 * are in tiles of 32 px; textures and colors are in wholes.
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
    /* of older programs */
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
/* Of rectangles, and of circles, whose radius is their width. */
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

static void store_int(const tmi_row *row, void *object, int32_t number)
{
    memcpy((char *)object + row->offset, &number, sizeof(number));
}

static void take_int(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    int32_t number;
    char expected[64];
    if (token == TMI_JSON_NUMBER && !strchr(tmi_json_text(file->json), '.') &&
        tmi_decimal_parse(&number, tmi_json_text(file->json), 1) && number >= row->least &&
        number <= row->most) {
        store_int(row, object, number);
        return;
    }
    tmi_format(expected, sizeof(expected), "a number from %d to %d", (int)row->least, (int)row->most);
    tmi_json_unexpected(file, token, expected);
}

static void take_truth(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    const bool value = token == TMI_JSON_TRUE;
    if (!value && token != TMI_JSON_FALSE)
        tmi_json_unexpected(file, token, "true or false");
    else if (row->form == TMI_FORM_TRUTH)
        store_int(row, object, value);
    else
        memcpy((char *)object + row->offset, &value, sizeof(value));
}

static void take_fixed(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    int32_t number;
    if ((token == TMI_JSON_STRING || token == TMI_JSON_NUMBER) &&
        tmi_decimal_parse(&number, tmi_json_text(file->json), row->most))
        store_int(row, object, number);
    else
        tmi_json_unexpected(file, token, "a text with a number, as \"1.5\", that is not too large");
}

static void take_choice(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    char expected[96] = "one of";
    for (int32_t i = 0; row->words[i]; i++) {
        if (token == TMI_JSON_STRING && strcmp(tmi_json_text(file->json), row->words[i]) == 0) {
            store_int(row, object, i);
            return;
        }
        const size_t size = strlen(expected);
        tmi_format(expected + size, sizeof(expected) - size, " %s", row->words[i]);
    }
    tmi_json_unexpected(file, token, expected);
}

static void take_reference(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    int32_t index = TM_NONE;
    if (token == TMI_JSON_STRING) {
        index = tmi_find_name(file->reading, row->refers, tmi_json_text(file->json));
        if (index == TM_NONE)
            tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "there is no file '%s/%.60s'",
                           tmi_list_names[row->refers], tmi_json_text(file->json));
    } else if (token != TMI_JSON_NULL) {
        tmi_json_unexpected(file, token, "null, or the name of a file without its ending");
    }
    store_int(row, object, index);
}

static void take_single(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    switch (row->form) {
    case TMI_FORM_INDEX:
        if (token == TMI_JSON_NULL)
            store_int(row, object, TM_NONE);
        else
            take_int(file, row, token, object);
        break;
    case TMI_FORM_INT: take_int(file, row, token, object); break;
    case TMI_FORM_BOOL:
    case TMI_FORM_TRUTH: take_truth(file, row, token, object); break;
    case TMI_FORM_FIXED: take_fixed(file, row, token, object); break;
    case TMI_FORM_WORD: take_choice(file, row, token, object); break;
    default: take_reference(file, row, token, object); break;
    }
}

/* The parts of a path. */
enum { MAX_PARTS = 4 };
enum { ROW_PATH = 3 * TMI_KEY_SIZE };

/* The row of a path, or one of which it is the beginning; NULL. */
static const tmi_row *find_row(const tmi_rows *rows, const char *path)
{
    const size_t size = strlen(path);
    for (size_t i = 0; i < rows->num; i++)
        if (strncmp(rows->list[i].path, path, size) == 0 &&
            (rows->list[i].path[size] == '.' || !rows->list[i].path[size]))
            return &rows->list[i];
    return NULL;
}

/* A list that is being read, or an object, one level deeper than its row's path goes. */
typedef struct taking {
    tmi_json_file *file;
    const tmi_rows *rows;
    void *object;
    char path[ROW_PATH]; /* of the value at hand */
} taking;

static void take_any(taking *of, const tmi_row *row, tmi_json_token token, unsigned depth);

/* The elements of a list, which must be as many as the table has. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_PARTS
static void take_any_list(taking *of, unsigned depth)
{
    const size_t size = strlen(of->path);
    const tmi_row *row;
    tmi_json_token token;
    for (unsigned i = 0;; i++) {
        token = tmi_next_value(of->file);
        tmi_format(of->path + size, ROW_PATH - size, ".%u", i);
        row = find_row(of->rows, of->path);
        if (token == TMI_JSON_FAULT || token == TMI_JSON_ARRAY_END || !row)
            break;
        take_any(of, row, token, depth + 1);
    }
    of->path[size] = '\0';
    if (token == TMI_JSON_ARRAY_END && row)
        tmi_find_token(of->file, TM_FINDING_FOLDER_VALUE, 0, "more elements of '%s' are expected", of->path);
    for (; token != TMI_JSON_FAULT && token != TMI_JSON_ARRAY_END; token = tmi_next_value(of->file))
        tmi_json_unexpected(of->file, token, "the end of the list");
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_PARTS
static void take_object(taking *of, unsigned depth)
{
    const size_t size = strlen(of->path);
    char key[TMI_KEY_SIZE];
    while (tmi_json_member(of->file, key)) {
        tmi_format(of->path + size, ROW_PATH - size, ".%s", key);
        const tmi_row *row = strchr(key, '.') ? NULL : find_row(of->rows, of->path);
        if (row)
            take_any(of, row, tmi_next_value(of->file), depth + 1);
        else
            tmi_unknown_member(of->file, of->path);
    }
    of->path[size] = '\0';
}

/* As deep as the paths of the table go. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_PARTS
static void take_any(taking *of, const tmi_row *row, tmi_json_token token, unsigned depth)
{
    const char end = row->path[strlen(of->path)];
    const char next = end ? row->path[strlen(of->path) + 1] : '\0';
    const bool is_list = next >= '0' && next <= '9';
    if (!end)
        take_single(of->file, row, token, of->object);
    else if (is_list && token == TMI_JSON_ARRAY && depth < MAX_PARTS)
        take_any_list(of, depth);
    else if (!is_list && token == TMI_JSON_OBJECT && depth < MAX_PARTS)
        take_object(of, depth);
    else
        tmi_json_unexpected(of->file, token, is_list ? "a list: [ ... ]" : "an object: { ... }");
}

bool tmi_twmap_take(tmi_json_file *file, const tmi_rows *rows, const tmi_fields_of *target, const char *key)
{
    taking of = {.file = file, .rows = rows, .object = target->object};
    const tmi_row *row = strchr(key, '.') ? NULL : find_row(rows, key);
    if (!row)
        return false;
    tmi_format(of.path, ROW_PATH, "%s", key);
    if (row->form == TMI_FORM_NAME)
        tmi_read_member(file, target, row->path);
    else
        take_any(&of, row, tmi_next_value(file), 0);
    return true;
}
