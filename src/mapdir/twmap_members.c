/* SPDX-License-Identifier: Zlib */
/*
 * Members of MapDir's objects, read by a table that says which of our fields each of them is. Positions are
 * decimal fractions of tiles of 32 px; texture coordinates and colors of envelopes are fractions of 1.
 */
#include "mapdir.h"

/* -------------------------------------------------------------------------------------------------- table */

/*
 * A member of MapDir, and the field that it is, if the object has such a field. Most forms follow from the
 * field: a reference is the name of a file, a choice a word, a number from 0 to 1 true or false.
 */
typedef struct twmap_row {
    const char *path; /* names of members and indices of elements, as in "corners.0.x" */
    const char *field;
    int32_t scale;       /* the member is a text with a fraction, and this is 1; 0: it is no fraction */
    uint8_t value, part; /* index of the field's value, and of x, y or r, g, b, a in it */
    uint8_t within;      /* only in this form of member names (mapdir.h); 0: in all */
} twmap_row;

/* clang-format off */

#define SAME(name)                   {name, name, 0, 0, 0, 0}
#define PLAIN(path, field)           {path, field, 0, 0, 0, 0}
#define FRACTION(path, field, scale) {path, field, scale, 0, 0, 0}
#define COLOR(path, field, value) \
    {path ".r", field, 0, value, 0, 0}, {path ".g", field, 0, value, 1, 0}, \
    {path ".b", field, 0, value, 2, 0}, {path ".a", field, 0, value, 3, 0}
#define POINT(path, x, y, field, value, scale) \
    {path x, field, scale, value, 0, 0}, {path y, field, scale, value, 1, 0}
/* The values of an envelope point, one per channel; their names depend on the channels. */
#define CHANNELS(path, field) \
    {path, field, TM_FX, 0, 0, TM_ENVELOPE_SOUND}, \
    {path ".x", field, TM_TILE_FX, 0, 0, TM_ENVELOPE_POSITION}, \
    {path ".y", field, TM_TILE_FX, 1, 0, TM_ENVELOPE_POSITION}, \
    {path ".rotation", field, TM_FX, 2, 0, TM_ENVELOPE_POSITION}, \
    {path ".r", field, TM_FX, 0, 0, TM_ENVELOPE_COLOR}, {path ".g", field, TM_FX, 1, 0, TM_ENVELOPE_COLOR}, \
    {path ".b", field, TM_FX, 2, 0, TM_ENVELOPE_COLOR}, {path ".a", field, TM_FX, 3, 0, TM_ENVELOPE_COLOR}

static const twmap_row rows[] = {
    /* tiles */
    PLAIN("id", "index"),
    PLAIN("id", "type"),
    SAME("number"),
    SAME("delay"), /* also of sources */
    SAME("force"),
    SAME("max_speed"),
    SAME("angle"),
    /* groups */
    SAME("name"), /* also of layers and envelopes */
    FRACTION("offset.x", "offset.x", TM_TILE_PX),
    FRACTION("offset.y", "offset.y", TM_TILE_PX),
    SAME("parallax.x"),
    SAME("parallax.y"),
    PLAIN("clipping", "use_clipping"),
    FRACTION("clip.x", "clip.x", TM_TILE_PX),
    FRACTION("clip.y", "clip.y", TM_TILE_PX),
    FRACTION("clip.w", "clip.width", TM_TILE_PX),
    FRACTION("clip.h", "clip.height", TM_TILE_PX),
    /* as older versions write it */
    FRACTION("clip_position.x", "clip.x", TM_TILE_PX),
    FRACTION("clip_position.y", "clip.y", TM_TILE_PX),
    FRACTION("clip_size.w", "clip.width", TM_TILE_PX),
    FRACTION("clip_size.h", "clip.height", TM_TILE_PX),
    FRACTION("clip_size.x", "clip.width", TM_TILE_PX),
    FRACTION("clip_size.y", "clip.height", TM_TILE_PX),
    /* layers */
    {"type", "kind", 0, 0, 0, TMI_OF_GRID},
    SAME("detail"),
    COLOR("color", "color", 0),
    PLAIN("color_env", "color_envelope"), /* also of quads */
    PLAIN("color_env_offset", "color_envelope_offset"),
    SAME("image"),
    SAME("sound"),
    {"width", "width", 0, 0, 0, TMI_OF_GRID},
    {"height", "height", 0, 0, 0, TMI_OF_GRID},
    PLAIN("automapper_config.config", "automapper.config"),
    PLAIN("automapper_config.seed", "automapper.seed"),
    PLAIN("automapper_config.automatic", "automapper.automatic"),
    /* images */
    {"size.w", "width", 0, 0, 0, TMI_OF_IMAGE},
    {"size.h", "height", 0, 0, 0, TMI_OF_IMAGE},
    /* quads */
    POINT("corners.0", ".x", ".y", "points", 0, TM_TILE_FX),
    POINT("corners.1", ".x", ".y", "points", 1, TM_TILE_FX),
    POINT("corners.2", ".x", ".y", "points", 2, TM_TILE_FX),
    POINT("corners.3", ".x", ".y", "points", 3, TM_TILE_FX),
    POINT("position", ".x", ".y", "points", 4, TM_TILE_FX),
    COLOR("colors.0", "colors", 0),
    COLOR("colors.1", "colors", 1),
    COLOR("colors.2", "colors", 2),
    COLOR("colors.3", "colors", 3),
    POINT("texture_coords.0", ".u", ".v", "texture", 0, TM_FX),
    POINT("texture_coords.1", ".u", ".v", "texture", 1, TM_FX),
    POINT("texture_coords.2", ".u", ".v", "texture", 2, TM_FX),
    POINT("texture_coords.3", ".u", ".v", "texture", 3, TM_FX),
    PLAIN("position_env", "position_envelope"), /* also of sources, as the next */
    PLAIN("position_env_offset", "position_offset"),
    PLAIN("color_env_offset", "color_offset"),
    /* sound sources: rectangles, and circles, whose radius is stored as their width */
    PLAIN("area.type", "shape"),
    FRACTION("area.x", "x", TM_TILE_FX),
    FRACTION("area.y", "y", TM_TILE_FX),
    {"area.w", "width", TM_TILE_FX, 0, 0, TMI_OF_SOURCE},
    {"area.h", "height", TM_TILE_FX, 0, 0, TMI_OF_SOURCE},
    FRACTION("area.center.x", "x", TM_TILE_FX),
    FRACTION("area.center.y", "y", TM_TILE_FX),
    {"area.radius", "width", TM_TILE_PX, 0, 0, TMI_OF_SOURCE},
    PLAIN("looping", "loop"),
    PLAIN("panning", "pan"),
    SAME("falloff"),
    PLAIN("sound_env", "sound_envelope"),
    PLAIN("sound_env_offset", "sound_offset"),
    /* points of envelopes; both coordinates of a tangent have the unit of their channel */
    SAME("time"),
    PLAIN("type", "curve"),
    CHANNELS("content", "values"),
    CHANNELS("handle_l.x", "out_dx"),
    CHANNELS("handle_l.y", "out_dy"),
    CHANNELS("handle_r.x", "in_dx"),
    CHANNELS("handle_r.y", "in_dy"),
};

/* clang-format on */

/* ------------------------------------------------------------------------------------------------ reading */

/* The object that is read, and its form (mapdir.h). */
typedef struct taking {
    tmi_json_file *file;
    const tmi_fields_of *target;
    int32_t form;
} taking;

static void report_expected(tmi_json_file *file, const tm_json *node, const char *expected)
{
    char text[TM_ERROR_TEXT_SIZE];
    tmi_format(text, sizeof(text), "%s is expected", expected);
    tmi_report_node(file, node, false, text);
}

static void report_unknown(tmi_json_file *file, const tm_json *node, const char *path)
{
    char text[TM_ERROR_TEXT_SIZE];
    tmi_format(text, sizeof(text), "nothing is known of a member '%s'", path);
    tmi_report_node(file, node, true, text);
}

bool tmi_twmap_int(tmi_json_file *file, const tm_json *node, int64_t least, int64_t most, int32_t *out)
{
    char expected[64];
    if (node->kind == TM_JSON_NUMBER && node->whole && node->number >= least && node->number <= most) {
        *out = (int32_t)node->number;
        return true;
    }
    tmi_format(expected, sizeof(expected), "a number from %lld to %lld", (long long)least, (long long)most);
    report_expected(file, node, expected);
    return false;
}

bool tmi_twmap_bool(tmi_json_file *file, const tm_json *node, int32_t *out)
{
    if (node->kind == TM_JSON_BOOL)
        *out = node->number != 0;
    else
        report_expected(file, node, "true or false");
    return node->kind == TM_JSON_BOOL;
}

static bool take_fraction(int32_t *out, const taking *request, int32_t scale, const tm_json *node)
{
    char digits[24];
    const bool number = node->kind == TM_JSON_NUMBER;
    int64_t value;
    tmi_format(digits, sizeof(digits), "%lld", (long long)node->number);
    const char *text = number && node->whole ? digits : node->text;
    if ((number || node->kind == TM_JSON_TEXT) && tmi_read_decimal(&value, text, strlen(text), scale) &&
        value >= INT32_MIN && value <= INT32_MAX) {
        *out = (int32_t)value;
        return true;
    }
    report_expected(request->file, node, "a text with a number, as \"1.5\", that is not too large");
    return false;
}

static bool take_word(int32_t *out, const taking *request, const tm_field *field, const tm_json *node)
{
    tmi_line expected = {"one of", 6};
    for (*out = 0; field->choice(*out); ++*out) {
        if (node->kind == TM_JSON_TEXT && strcmp(node->text, field->choice(*out)) == 0)
            return true;
        tmi_line_add(&expected, " %s", field->choice(*out));
    }
    report_expected(request->file, node, expected.text);
    return false;
}

/* The field of a row, if the object has it. */
static const tm_field *field_of_row(const taking *request, const twmap_row *row)
{
    const tm_field *field = NULL;
    for (uint32_t i = 0; i < request->target->num_owners && !field; i++)
        field = tm_field_find(request->target->owners[i], row->field);
    return field && field->storage != TM_STORED_POINTER ? field : NULL;
}

static void take_single(const taking *request, const twmap_row *row, const tm_json *node)
{
    const tm_field *field = field_of_row(request, row);
    const bool text = node->kind == TM_JSON_TEXT;
    char told[TM_ERROR_TEXT_SIZE];
    int64_t least, most;
    int32_t number = TM_NONE;
    bool read = true;
    if (row->scale) {
        read = take_fraction(&number, request, row->scale, node);
    } else if (field->type == TM_TYPE_REFERENCE && text) {
        /* A file's name becomes the number of the object in it. */
        number = tmi_find_name(request->file->reading, field->refers, node->text);
        if (number == TM_NONE) {
            tmi_format(told, sizeof(told), "there is no file '%s/%.60s'", tmi_list_names[field->refers],
                       node->text);
            tmi_report_node(request->file, node, false, told);
        }
    } else if (field->type == TM_TYPE_REFERENCE) {
        if (node->kind != TM_JSON_NULL)
            report_expected(request->file, node, "null, or the name of a file without its ending");
    } else if (field->type == TM_TYPE_CHOICE) {
        read = take_word(&number, request, field, node);
    } else if (field->type == TM_TYPE_BOOL || (field->ranged && field->max == 1)) {
        read = tmi_twmap_bool(request->file, node, &number);
    } else if (field->type != TM_TYPE_INDEX || node->kind != TM_JSON_NULL) {
        /* in the range of the field; the sizes of layers may also be those that no game takes */
        tmi_field_range(field, &least, &most);
        read =
            tmi_twmap_int(request->file, node, field->storage == TM_STORED_UINT32 ? 0 : least, most, &number);
    }
    char *target = (char *)request->target->object + field->offset;
    const int16_t small = (int16_t)number;
    if (!read)
        return;
    if (field->storage == TM_STORED_BOOL || field->storage == TM_STORED_UINT8)
        *target = (char)number;
    else if (field->storage == TM_STORED_INT16)
        memcpy(target, &small, sizeof(small));
    else
        memcpy(target + row->value * field->size + row->part * sizeof(number), &number, sizeof(number));
}

enum { ROW_PATH = 3 * TMI_KEY_SIZE };

/* The first row for this object whose path is `path` or begins with it; NULL: there is none. */
static const twmap_row *find_row(const taking *request, const char *path)
{
    const size_t size = strlen(path);
    for (const twmap_row *row = rows; row < rows + TMI_COUNT_OF(rows); row++)
        if (strncmp(row->path, path, size) == 0 && strchr(".", row->path[size]) &&
            (!row->within || row->within == request->form) && field_of_row(request, row))
            return row;
    return NULL;
}

/* Reads a value, whose path is `path`: that of `row`, or an object or list that contains it. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the paths of the table go
static void take_node(const taking *request, const twmap_row *row, const char *path, const tm_json *node)
{
    const char *rest = row->path + strlen(path);
    const bool list = rest[0] && rest[1] >= '0' && rest[1] <= '9';
    char own[ROW_PATH];
    uint32_t index = 0;
    if (!*rest) {
        take_single(request, row, node);
        return;
    }
    if (node->kind != (list ? TM_JSON_ARRAY : TM_JSON_OBJECT)) {
        report_expected(request->file, node, list ? "a list: [ ... ]" : "an object: { ... }");
        return;
    }
    for (const tm_json *member = node->first; member; member = member->next, index++) {
        if (list)
            tmi_format(own, sizeof(own), "%s.%u", path, (unsigned)index);
        else
            tmi_format(own, sizeof(own), "%s.%s", path, member->name);
        const twmap_row *inner = !list && strchr(member->name, '.') ? NULL : find_row(request, own);
        if (inner)
            take_node(request, inner, own, member);
        else if (list)
            report_expected(request->file, member, "the end of the list");
        else
            report_unknown(request->file, member, own);
    }
    tmi_format(own, sizeof(own), "%s.%u", path, (unsigned)index);
    if (list && find_row(request, own))
        tmi_report_node(request->file, node, false, "more elements of this list are expected");
}

void tmi_twmap_take_node(tmi_json_file *file, const tmi_fields_of *target, int32_t form, const tm_json *node)
{
    const taking request = {file, target, form};
    const twmap_row *row = strchr(node->name, '.') ? NULL : find_row(&request, node->name);
    if (row)
        take_node(&request, row, node->name, node);
    else
        report_unknown(file, node, node->name);
}

bool tmi_twmap_take(tmi_json_file *file, const tmi_fields_of *target, int32_t form, const char *key)
{
    const taking request = {file, target, form};
    const twmap_row *row = strchr(key, '.') ? NULL : find_row(&request, key);
    tmi_arena arena;
    if (row && field_of_row(&request, row)->type == TM_TYPE_NAME)
        return tmi_read_member(file, target, row->field);
    if (!row)
        return false;
    const tm_json *node = tmi_read_tree(file, tmi_next_value(file), &arena);
    if (node)
        take_node(&request, row, key, node);
    tmi_arena_release(&arena);
    return true;
}
