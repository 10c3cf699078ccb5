/* SPDX-License-Identifier: Zlib */
/*
 * One table of types of arguments, one small function for each. See edit_steps.h.
 */
#include "edit_steps.h"

#include <teemap/codec.h>
#include <teemap/fields.h>

#include <stdio.h>
#include <string.h>

uint32_t edit_num_operations(void)
{
    uint32_t num = 0;
    while (tm_edit_at(num))
        num++;
    return num;
}

static uint32_t step_byte(struct edit_bytes *stream)
{
    return stream->pos < stream->size ? stream->bytes[stream->pos++] : 0;
}

static const char *one_of(struct edit_bytes *stream, const char *const *list)
{
    uint32_t num = 0;
    while (list[num])
        num++;
    return list[step_byte(stream) % num];
}

/* Mostly small; seldom below 0 or far away. */
static int some_number(struct edit_bytes *stream)
{
    static const int odd[] = {-1, 255, 256, 65536, 2147483647, -2147483647, 1000000};
    const uint32_t b = step_byte(stream);
    return b >= 249 ? odd[b - 249] : b < 180 ? (int)(b % 6) : (int)(b % 24) - 12;
}

static unsigned below(struct edit_bytes *stream, uint32_t num)
{
    const uint32_t b = step_byte(stream);
    return num == 0 || b == 255 ? num : b % num;
}

/* ------------------------------------------------------------------------------------------------ writers */

/* Each writes an argument of one type. */
typedef void write_argument(char *text, size_t size, const tm_edit_argument *row, const tm_map *map,
                            struct edit_bytes *stream);
#define WRITES(name)                                                                               \
    static void name(char *text, size_t size, __attribute__((unused)) const tm_edit_argument *row, \
                     __attribute__((unused)) const tm_map *map, struct edit_bytes *stream)

static void write_layer(char *text, size_t size, const tm_map *map, struct edit_bytes *stream)
{
    const unsigned group = below(stream, map->num_groups);
    const uint32_t num = group < map->num_groups ? map->groups[group].num_layers : 0;
    snprintf(text, size, "%u/%u", group, below(stream, num));
}

static void write_object(char *text, size_t size, uint32_t kind, const tm_map *map, struct edit_bytes *stream)
{
    switch (kind) {
    case 0: snprintf(text, size, "image/%u", below(stream, map->num_images)); break;
    case 1: snprintf(text, size, "sound/%u", below(stream, map->num_sounds)); break;
    case 2: snprintf(text, size, "envelope/%u", below(stream, map->num_envelopes)); break;
    case 3: snprintf(text, size, "%u", below(stream, map->num_groups)); break;
    default: write_layer(text, size, map, stream);
    }
}

/* What the argument is called says what is meant: IMAGE, ENVELOPE, ... */
WRITES(write_objects)
{
    static const char *const names[] = {"IMAGE", "SOUND", "ENVELOPE", "GROUP", "LAYER", "ADDRESS"};
    static const char *const wide[] = {"image/*", "sound/*", "envelope/*", "*",        "*/*", "1/*",
                                       "design",  "info",    "settings",   "nothing*", NULL};
    const uint32_t how = step_byte(stream);
    uint32_t kind = 0;
    while (kind < 5 && strncmp(row->name, names[kind], strlen(names[kind])) != 0)
        kind++;
    if (how >= 230)
        snprintf(text, size, "%s", one_of(stream, wide));
    else
        write_object(text, size, kind < 5 && how < 220 ? kind : how % 5, map, stream);
}

WRITES(write_group)
{
    snprintf(text, size, "%u", below(stream, map->num_groups));
}

WRITES(write_field)
{
    static const tm_kind owners[] = {TM_KIND_IMAGE, TM_KIND_SOUND,      TM_KIND_ENVELOPE, TM_KIND_GROUP,
                                     TM_KIND_LAYER, TM_KIND_TILE_LAYER, TM_KIND_QUAD,     TM_KIND_INFO};
    static const char *const values[] = {
        "0",          "1",       "-1",         "true",   "false",   "none", "abc", "#ff8000cc", "1.5,-2",
        "2147483647", "image/0", "envelope/0", "linear", "\"a b\"", "",     "70",  NULL};
    char address[64];
    const uint32_t kind = step_byte(stream) % 8;
    size_t num;
    const tm_field *fields = tm_fields(&num, owners[kind]);
    if (kind == 7)
        snprintf(address, sizeof(address), "info");
    else
        write_object(address, sizeof(address), kind, map, stream);
    const char *name = fields[step_byte(stream) % num].name, *value = one_of(stream, values);
    snprintf(text, size, "%s.%s%s=%s", address, kind == 6 ? "quads[0]." : "", name, value);
}

WRITES(write_choice)
{
    snprintf(text, size, "%s", one_of(stream, row->choices));
}

WRITES(write_size)
{
    const unsigned width = 2 + step_byte(stream) % 30;
    snprintf(text, size, "%ux%u", width, 2 + step_byte(stream) % 30);
}

WRITES(write_number)
{
    snprintf(text, size, "%d", some_number(stream));
}

WRITES(write_point)
{
    const int x = some_number(stream);
    snprintf(text, size, "%d,%d", x, some_number(stream));
}

WRITES(write_region)
{
    const int x = some_number(stream), y = some_number(stream);
    const unsigned width = 1 + step_byte(stream) % 12;
    snprintf(text, size, "%d,%d+%ux%u", x, y, width, 1 + step_byte(stream) % 12);
}

WRITES(write_layers)
{
    static const char *const sets[] = {"design",         "physics", "*", "tele",  "quads",        "game",
                                       "design,physics", "tiles",   "1", "-game", "front,switch", NULL};
    char set[64], region[64] = "";
    const uint32_t how = step_byte(stream);
    if (how < 160)
        snprintf(set, sizeof(set), "%s", one_of(stream, sets));
    else
        write_layer(set, sizeof(set), map, stream);
    if (how % 3 == 0)
        write_region(region, sizeof(region), row, map, stream);
    snprintf(text, size, "%s%s%s", set, region[0] ? "@" : "", region);
}

/* By the names of types. What has no row here is one of some words, by default of the first of them. */
static const struct {
    const char *type;
    write_argument *write;
} writers[] = {
    {"objects", write_objects}, {"group", write_group},   {"field", write_field},
    {"choice", write_choice},   {"size", write_size},     {"number", write_number},
    {"point", write_point},     {"region", write_region}, {"layers", write_layers},
};

static const struct {
    const char *type;
    const char *const words[11];
} words[] = {
    {"text",
     {"a", "grass_main", "sv_motd hi", "tune_zone 5 gravity 0", "", "switch_open 3",
      "a longer name than eleven", "easter", "=1"}},
    {"pattern", {"*", "tune*", "a*", "*e*", "nothing"}},
    {"place", {"0", "1", "end", "0/0", "1/end", "1/1", "7"}},
    {"tiles",
     {"freeze", "solid", "tele-in", "1", "1..9", "number=1", "air where front/freeze", "flags=rotate",
      "tele-in without tele-out"}},
    {"tile", {"freeze", "air", "60:flags=8", "tele-in:5", "number=7", "1", "255", "switch-open:3"}},
    {"file", {"picture.png", "text.txt", "sound.opus", "grass_main.rules", "nothing"}},
    {"map", {"everything.map", "everything.map", "empty.map", "nothing"}},
    {"factor", {"2", "0.5", "3/4", "1", "1000000", "1/1000000", "7/3"}},
};

WRITES(write_by_type)
{
    const char *type = tm_edit_type_name(row->type);
    size_t list = 0;
    for (size_t i = 0; i < sizeof(writers) / sizeof(*writers); i++)
        if (strcmp(writers[i].type, type) == 0) {
            writers[i].write(text, size, row, map, stream);
            return;
        }
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strcmp(words[i].type, type) == 0)
            list = i;
    snprintf(text, size, "%s", one_of(stream, words[list].words));
}

void edit_step_make(struct edit_step *out, const tm_edit_operation *operation, const tm_map *map,
                    struct edit_bytes *stream)
{
    const tm_edit_argument *row = operation->arguments;
    out->operation = operation;
    out->num = 0;
    size_t length = (size_t)snprintf(out->line, sizeof(out->line), "%s", operation->name);
    while (row->name && out->num < EDIT_STEP_ARGUMENTS) {
        const uint32_t how = row->optional || (row->repeats && out->num) ? step_byte(stream) : 0;
        if (how % 3 == 1 || (how == 2 && !row->optional))
            break;
        if (how == 2) { /* those behind it may stand alone */
            for (row++; row->name && row->inner;)
                row++;
            continue;
        }
        char *text = out->texts[out->num];
        write_by_type(text, EDIT_STEP_TEXT, row, map, stream);
        out->arguments[out->num++] = text;
        length += (size_t)snprintf(out->line + length, sizeof(out->line) - length, " '%s'", text);
        if (row->repeats && step_byte(stream) % 2 == 0)
            break;
        row += !row->repeats;
    }
}

/* ------------------------------------------------------------------------------------------ from outside */

static const char editor_rules[] =
    "[Basic]\nIndex 3\nPos 0 0 FULL\nPos 0 -1 EMPTY\nIndex 4 XFLIP\nPos 0 -1 FULL\n"
    "Random 2\nNewRun\nIndex 1\nPos 1 0 INDEX 3\n";

static tm_status give_file(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                           size_t *num, tm_error *error)
{
    static const char text[] = "sv_motd hi\r\n\ntune_zone 1 gravity 0\n";
    static const uint8_t rgba[32 * 16 * 4] = {255, 0, 0, 255, 0, 0, 0, 0, 1, 2, 3, 4};
    static const uint8_t opus[] =
        "OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\023OpusHead\1\2\0\0\200\273\0\0\0\0\0"
        "OggS\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\020OpusTags\0\0\0\0\0\0\0\0"
        "OggS\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\005sound";
    tm_buffer png = {0};
    const bool whole = strcmp(name, "sound.opus") == 0;
    const void *source = whole            ? (const void *)opus
                         : name[0] == 's' ? "Ogg"
                         : name[0] == 'g' ? editor_rules
                                          : text;
    *num = whole ? sizeof(opus) - 1 : name[0] == 's' ? 3 : strlen(source);
    (void)ctx;
    *bytes = NULL;
    if (name[0] == 'n')
        return TM_ERROR_NOT_FOUND;
    if (name[0] == 'p') {
        const tm_output output = tm_output_to_buffer(&png);
        const tm_status status = tm_png_write(&output, rgba, 32, 16, NULL, error);
        if (status)
            return status;
        source = png.bytes;
        *num = png.size;
    }
    *bytes = tm_alloc(allocator, *num);
    if (*bytes)
        memcpy(*bytes, source, *num);
    tm_buffer_release(&png);
    return *bytes ? TM_OK : TM_ERROR_MEMORY;
}

static tm_status give_map(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    *map = NULL;
    if (name[0] == 'n')
        return TM_ERROR_NOT_FOUND;
    if (name[0] == 'e' && name[1] == 'm')
        return tm_map_new(map, NULL, error);
    return tm_map_clone(map, ctx, error);
}

static tm_status give_pixels(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                             uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    (void)ctx;
    (void)game;
    if (strcmp(name, "grass_main") != 0)
        return TM_ERROR_NOT_FOUND;
    *width = *height = 16;
    *rgba = tm_alloc(allocator, 16 * 16 * 4);
    if (!*rgba)
        return TM_ERROR_MEMORY;
    memset(*rgba, 200, 16 * 16 * 4);
    return TM_OK;
}

static tm_status give_rules(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num, tm_error *error)
{
    static const char json[] =
        "{\"tileset\": [{\"x\": {\"basetile\": 5, \"rules\": [{\"index\": 7, "
        "\"random\": 3, \"condition\": [{\"x\": 0, \"y\": 1, \"value\": \"full\"}]}]}}]}";
    const char *source = game == TM_GAME_TEEWORLDS07 ? json : editor_rules;
    (void)ctx;
    (void)error;
    *bytes = NULL;
    *num = strlen(source);
    if (image[0] == 'n')
        return TM_ERROR_NOT_FOUND;
    *bytes = tm_alloc(allocator, *num);
    if (*bytes)
        memcpy(*bytes, source, *num);
    return *bytes ? TM_OK : TM_ERROR_MEMORY;
}

void edit_step_options(tm_edit_options *out, const tm_map *other)
{
    union {
        const void *ctx;
        void *target;
    } unconst = {other}; /* it is only read */
    *out = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
    out->ctx = unconst.target;
    out->read = give_file;
    out->open = give_map;
    out->rules = give_rules;
    out->images = give_pixels;
}
