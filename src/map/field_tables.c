/* SPDX-License-Identifier: Zlib */
/*
 * The table of fields: each field of the model once, one row each. All code that compares, checks, prints,
 * reads or documents fields uses these rows, so a new field is only a row here and a line in mapfile/.
 * tests/test_fields.c finds bytes of a struct that no row has.
 *
 * How a field lies in memory follows from its member in the struct; a row says what it means.
 */
#include "internal.h"

/* -------------------------------------------------------------------------------------- numbers' names */

static const char *named(const char *const *names, size_t num, int64_t number)
{
    return number >= 0 && (uint64_t)number < num ? names[number] : NULL;
}

static const char *game_choice(int64_t number)
{
    return number >= 0 && number < TM_GAME_COUNT ? tm_game_name((tm_game)number) : NULL;
}

static const char *kind_choice(int64_t number)
{
    return number >= 0 && number < TM_LAYER_KINDS ? tm_game_layer((tm_layer_kind)number)->name : NULL;
}

#define NAMES(function, ...)                              \
    static const char *function(int64_t number)           \
    {                                                     \
        static const char *const names[] = {__VA_ARGS__}; \
        return named(names, TMI_COUNT_OF(names), number); \
    }
NAMES(format_choice, [TM_IMAGE_RGBA] = "rgba", [TM_IMAGE_RGB] = "rgb")
NAMES(channels_choice, [TM_ENVELOPE_SOUND] = "sound", [TM_ENVELOPE_POSITION] = "position",
      [TM_ENVELOPE_COLOR] = "color")
NAMES(curve_choice, [TM_CURVE_STEP] = "step", [TM_CURVE_LINEAR] = "linear", [TM_CURVE_SLOW] = "slow",
      [TM_CURVE_FAST] = "fast", [TM_CURVE_SMOOTH] = "smooth", [TM_CURVE_BEZIER] = "bezier")
NAMES(shape_choice, [TM_SHAPE_RECTANGLE] = "rectangle", [TM_SHAPE_CIRCLE] = "circle")
NAMES(tile_flag, [TM_TILE_FLIP_X] = "flip_x", [TM_TILE_FLIP_Y] = "flip_y", [TM_TILE_OPAQUE] = "opaque",
      [TM_TILE_ROTATE] = "rotate")

/* --------------------------------------------------------------------------------------- words of rows */

/* The storage of a member, and the bytes of one value. An array decays to a pointer to its first element. */
#define STORAGE(lvalue) \
    _Generic((lvalue),                    \
        int32_t: TM_STORED_INT32,         \
        int32_t *: TM_STORED_INT32,       \
        uint32_t: TM_STORED_UINT32,       \
        int16_t: TM_STORED_INT16,         \
        uint8_t: TM_STORED_UINT8,         \
        bool: TM_STORED_BOOL,             \
        tm_color: TM_STORED_COLOR,        \
        tm_color *: TM_STORED_COLOR,      \
        tm_point: TM_STORED_POINT,        \
        tm_point *: TM_STORED_POINT,      \
        char *: TM_STORED_CHARS,          \
        default: TM_STORED_POINTER)
#define SIZE(lvalue)                        \
    _Generic((lvalue), int32_t *            \
             : sizeof(int32_t), tm_color *  \
             : sizeof(tm_color), tm_point * \
             : sizeof(tm_point), default    \
             : sizeof(lvalue))
#define MEMBER(owner, member) (((owner *)0)->member)

/* NAMED: under another name than the member's. */
#define NAMED(label, owner, member, kind, ...)                                                               \
    {                                                                                                        \
        .name = label, .type = TM_TYPE_##kind, .offset = offsetof(owner, member),                            \
        .storage = STORAGE(MEMBER(owner, member)), .size = SIZE(MEMBER(owner, member)),                      \
        .num_values = (uint32_t)(sizeof(MEMBER(owner, member)) / (SIZE(MEMBER(owner, member)))), __VA_ARGS__ \
    }
#define FIELD(owner, member, kind, ...) NAMED(#member, owner, member, kind, __VA_ARGS__)
#define TILES(member, kind, ...)        NAMED(#member, tm_layer, as.tiles.member, kind, __VA_ARGS__)
#define QUADS(member, kind, ...)        NAMED(#member, tm_layer, as.quads.member, kind, __VA_ARGS__)
#define SOUNDS(member, kind, ...)       NAMED(#member, tm_layer, as.sounds.member, kind, __VA_ARGS__)

#define UNIT(text)                    .unit = text
#define RANGE(from, to)               .ranged = true, .min = from, .max = to
#define INITIAL(number)               .initial = number
#define CHOICE(function)              .choice = function
#define TO(object)                    .refers = TM_KIND_##object, .initial = TM_NONE
#define TO_ENVELOPE(kind)             TO(ENVELOPE), .channels = TM_ENVELOPE_##kind
#define BY(function)                  .setter = #function
#define FLAGS(bits)                   .flags = bits
#define HIDDEN                        .flags = TM_FIELD_HIDDEN
#define LOOSE                         .flags = TM_FIELD_LOOSE
#define ONLY_DDNET                    .lacks = 1 << TM_GAME_TEEWORLDS06 | 1 << TM_GAME_TEEWORLDS07
#define NOT_06                        .lacks = 1 << TM_GAME_TEEWORLDS06
#define WHEN(owner, member)           .guard = offsetof(owner, member)
#define LIST_OF(owner, elements, num) .element_kind = TM_KIND_##elements, .num_offset = offsetof(owner, num)
#define COUNTED_BY(owner, num)        .num_offset = offsetof(owner, num)
#define UNREAD(owner, member)         .unread = offsetof(owner, member)

#define NATURAL RANGE(0, INT32_MAX)
#define WHITE   INITIAL(0xffffffff)

/* clang-format off */

/* ------------------------------------------------------------------------------------------- map, info */

static const tm_field map_fields[] = {
    FIELD(tm_map, game, CHOICE, CHOICE(game_choice), RANGE(0, TM_GAME_COUNT - 1),
          .help = "the dialect of the format: detected when loading, and used for new objects"),
    NAMED("map_version", tm_map, version, INT, RANGE(1, 1), INITIAL(1),
          .help = "0: the map has no version item"),
    FIELD(tm_map, num_images, COUNT, BY(tm_map_insert), .help = "number of images"),
    FIELD(tm_map, num_sounds, COUNT, BY(tm_map_insert), .help = "number of sounds"),
    FIELD(tm_map, num_envelopes, COUNT, BY(tm_map_insert), .help = "number of envelopes"),
    FIELD(tm_map, num_groups, COUNT, BY(tm_map_insert), .help = "number of groups"),
    FIELD(tm_map, images, LIST, LIST_OF(tm_map, IMAGE, num_images), BY(tm_map_insert), .help = "all images"),
    FIELD(tm_map, sounds, LIST, LIST_OF(tm_map, SOUND, num_sounds), BY(tm_map_insert), .help = "all sounds"),
    FIELD(tm_map, envelopes, LIST, LIST_OF(tm_map, ENVELOPE, num_envelopes), BY(tm_map_insert),
          .help = "all envelopes"),
    FIELD(tm_map, groups, LIST, LIST_OF(tm_map, GROUP, num_groups), BY(tm_map_insert),
          .help = "all groups, from back to front"),
};

static const tm_field info_fields[] = {
    FIELD(tm_info, author, TEXT, BY(tm_map_set_text), UNREAD(tm_info, unread_author),
          .help = "author of the map"),
    FIELD(tm_info, version, TEXT, BY(tm_map_set_text), UNREAD(tm_info, unread_version),
          .help = "the author's version number of the map"),
    FIELD(tm_info, credits, TEXT, BY(tm_map_set_text), UNREAD(tm_info, unread_credits),
          .help = "helpers, and authors of included works"),
    FIELD(tm_info, license, TEXT, BY(tm_map_set_text), UNREAD(tm_info, unread_license),
          .help = "terms of use"),
    FIELD(tm_info, num_settings, COUNT, HIDDEN, BY(tm_map_set_settings), ONLY_DDNET,
          UNREAD(tm_info, unread_settings),
          .help = "number of server commands"),
    FIELD(tm_info, settings, TEXTS, HIDDEN, COUNTED_BY(tm_info, num_settings), BY(tm_map_set_settings),
          ONLY_DDNET, UNREAD(tm_info, unread_settings), .help = "one server command each; may be empty"),
};

/* -------------------------------------------------------------------------------------- images, sounds */

static const tm_field image_fields[] = {
    FIELD(tm_image, name, TEXT, BY(tm_map_set_text), UNREAD(tm_image, unread_name),
          .help = "for an external image, the name of its file"),
    FIELD(tm_image, width, INT, NATURAL, UNIT("px"), .help = "informational for an external image"),
    FIELD(tm_image, height, INT, NATURAL, UNIT("px"), .help = "informational for an external image"),
    FIELD(tm_image, format, CHOICE, CHOICE(format_choice), RANGE(TM_IMAGE_RGBA, TM_IMAGE_RGB),
          .help = "of embedded pixels: 4 or 3 bytes; DDNet does not show rgb"),
    FIELD(tm_image, external, BOOL, INITIAL(true), .help = "the pixels are in the mapres folder of the games"),
    FIELD(tm_image, pixels, BLOCK, BY(tm_map_set_pixels), .help = "rows from the top, straight alpha"),
};

static const tm_field sound_fields[] = {
    FIELD(tm_sound, name, TEXT, BY(tm_map_set_text), ONLY_DDNET, UNREAD(tm_sound, unread_name),
          .help = "for an external sound, the name of its file"),
    FIELD(tm_sound, external, BOOL, INITIAL(true), ONLY_DDNET,
          .help = "the sound is in the mapres folder of the games"),
    FIELD(tm_sound, data, BLOCK, BY(tm_map_set_sound), ONLY_DDNET, .help = "an Opus file"),
};

/* ------------------------------------------------------------------------------------------- envelopes */

static const tm_field envelope_fields[] = {
    FIELD(tm_envelope, name, NAME, BY(tm_map_set_name), .help = "at most 31 bytes"),
    NAMED("type", tm_envelope, channels, CHOICE, CHOICE(channels_choice), RANGE(1, 4),
          INITIAL(TM_ENVELOPE_POSITION), FLAGS(TM_FIELD_ALIAS | TM_FIELD_OPEN),
          .help = "the meaning of the channels"),
    FIELD(tm_envelope, channels, INT, RANGE(1, 4), INITIAL(TM_ENVELOPE_POSITION),
          .help = "1 volume; 3 x, y, rotation; 4 r, g, b, a; other numbers occur"),
    FIELD(tm_envelope, synchronized, BOOL, INITIAL(true),
          .help = "runs on server time; DDNet's client always does so"),
    FIELD(tm_envelope, num_points, COUNT, BY(tm_map_set_points), .help = "number of points"),
    FIELD(tm_envelope, points, LIST, LIST_OF(tm_envelope, ENVELOPE_POINT, num_points), BY(tm_map_set_points),
          .help = "sorted by time"),
};

static const tm_field envelope_point_fields[] = {
    FIELD(tm_envelope_point, time, INT, UNIT("ms"), .help = "since the beginning of the envelope"),
    FIELD(tm_envelope_point, curve, CHOICE, CHOICE(curve_choice), RANGE(TM_CURVE_STEP, TM_CURVE_BEZIER),
          FLAGS(TM_FIELD_OPEN), .help = "interpolation to the next point; unknown numbers count as linear"),
    NAMED("curve_name", tm_envelope_point, curve, CHOICE, CHOICE(curve_choice),
          RANGE(TM_CURVE_STEP, TM_CURVE_BEZIER), FLAGS(TM_FIELD_ALIAS | TM_FIELD_OPEN),
          .help = "the curve, by name"),
    FIELD(tm_envelope_point, values, FIXED,
          .help = "per channel: volume; px, px, degrees; or colors from 0 to 1"),
    FIELD(tm_envelope_point, in_dx, INT, UNIT("ms"), NOT_06,
          .help = "Bezier tangent before the point, per channel"),
    FIELD(tm_envelope_point, in_dy, FIXED, NOT_06, .help = "its height, relative to the point"),
    FIELD(tm_envelope_point, out_dx, INT, UNIT("ms"), NOT_06,
          .help = "Bezier tangent after the point, per channel"),
    FIELD(tm_envelope_point, out_dy, FIXED, NOT_06, .help = "its height, relative to the point"),
};

/* ---------------------------------------------------------------------------------------------- groups */

static const tm_field group_fields[] = {
    FIELD(tm_group, name, NAME, BY(tm_map_set_name), .help = "at most 11 bytes"),
    NAMED("offset.x", tm_group, offset_x, INT, UNIT("px"), .help = "moves the group to the left"),
    NAMED("offset.y", tm_group, offset_y, INT, UNIT("px"), .help = "moves the group up"),
    NAMED("parallax.x", tm_group, parallax_x, INT, UNIT("%"), INITIAL(100),
          .help = "how much it follows the camera"),
    NAMED("parallax.y", tm_group, parallax_y, INT, UNIT("%"), INITIAL(100),
          .help = "how much it follows the camera"),
    FIELD(tm_group, use_clipping, BOOL, .help = "draws only inside the rectangle `clip`"),
    NAMED("clip.x", tm_group, clip_x, INT, UNIT("px"), .help = "left edge"),
    NAMED("clip.y", tm_group, clip_y, INT, UNIT("px"), .help = "upper edge"),
    NAMED("clip.width", tm_group, clip_w, INT, NATURAL, UNIT("px"), .help = "to the right"),
    NAMED("clip.height", tm_group, clip_h, INT, NATURAL, UNIT("px"), .help = "downwards"),
    FIELD(tm_group, has_parallax_zoom, BOOL, HIDDEN, ONLY_DDNET,
          .help = "DDNet 16.4 to 17.3; if one group has it, it is saved for all groups"),
    FIELD(tm_group, parallax_zoom, INT, WHEN(tm_group, has_parallax_zoom), UNIT("%"), ONLY_DDNET,
          .help = "how much it follows the camera's zoom"),
    FIELD(tm_group, num_layers, COUNT, BY(tm_map_insert_layer), .help = "number of layers"),
    FIELD(tm_group, layers, LIST, LIST_OF(tm_group, LAYER, num_layers), BY(tm_map_insert_layer),
          .help = "from back to front"),
};

/* ---------------------------------------------------------------------------------------------- layers */

static const tm_field layer_fields[] = {
    FIELD(tm_layer, kind, CHOICE, CHOICE(kind_choice), RANGE(0, TM_LAYER_KINDS - 1), BY(tm_map_insert_layer),
          .help = "the content of the layer"),
    FIELD(tm_layer, name, NAME, BY(tm_map_set_name),
          .help = "at most 11 bytes; new layers have the names that the game uses"),
    FIELD(tm_layer, detail, BOOL, .help = "not drawn if the player has switched off high detail"),
};

static const tm_field tile_layer_fields[] = {
    TILES(width, INT, RANGE(2, INT32_MAX), UNIT("tiles"), BY(tm_map_resize_layer),
          .help = "0 if the values of the file are below 1 or too large"),
    TILES(height, INT, RANGE(2, INT32_MAX), UNIT("tiles"), BY(tm_map_resize_layer),
          .help = "0 if the values of the file are below 1 or too large"),
    TILES(color, COLOR, RANGE(0, 255), WHITE, .help = "multiplied by the image"),
    TILES(color_envelope, REFERENCE, TO_ENVELOPE(COLOR), .help = "animates the color"),
    TILES(color_envelope_offset, INT, UNIT("ms"), .help = "added to the envelope's time"),
    TILES(image, REFERENCE, TO(IMAGE), .help = "16 x 16 tiles; none: plain color"),
    TILES(automapper.present, BOOL, HIDDEN, ONLY_DDNET,
          .help = "design tiles only: the layer has an automapper item"),
    TILES(automapper.config, INDEX, WHEN(tm_layer, as.tiles.automapper.present), ONLY_DDNET, INITIAL(TM_NONE),
          .help = "number of the configuration in the rule file"),
    TILES(automapper.seed, INT, WHEN(tm_layer, as.tiles.automapper.present), ONLY_DDNET,
          .help = "for random rules; 0: a new one each time"),
    TILES(automapper.automatic, BOOL, WHEN(tm_layer, as.tiles.automapper.present), ONLY_DDNET,
          .help = "the editor applies the rules after each change"),
    TILES(tiles, BLOCK, FLAGS(TM_FIELD_ELEMENTS | TM_FIELD_GRID), BY(tm_map_edit_tiles),
          .help = "width x height tiles, row by row"),
    TILES(compat, BLOCK, FLAGS(TM_FIELD_HIDDEN | TM_FIELD_GRID), BY(tm_map_edit_data), ONLY_DDNET,
          .help = "physics layers except game: the tiles that DDNet stores for Teeworlds"),
};

static const tm_field quad_layer_fields[] = {
    QUADS(image, REFERENCE, TO(IMAGE), .help = "none: plain colors"),
    QUADS(num_quads, COUNT, BY(tm_map_set_quads), .help = "number of quads"),
    QUADS(quads, BLOCK, FLAGS(TM_FIELD_ELEMENTS), COUNTED_BY(tm_layer, as.quads.num_quads),
          BY(tm_map_set_quads), .help = "from back to front"),
};

static const tm_field sound_layer_fields[] = {
    SOUNDS(sound, REFERENCE, TO(SOUND), ONLY_DDNET, .help = "the sound of all sources"),
    SOUNDS(num_sources, COUNT, BY(tm_map_set_sources), ONLY_DDNET, .help = "number of sources"),
    SOUNDS(sources, BLOCK, FLAGS(TM_FIELD_ELEMENTS), COUNTED_BY(tm_layer, as.sounds.num_sources), ONLY_DDNET,
           BY(tm_map_set_sources), .help = "the area in which it is heard"),
};

/* -------------------------------------------------------------------------------------- quads, sources */

static const tm_field quad_fields[] = {
    FIELD(tm_quad, points, POINT, UNIT("px"),
          .help = "top left, top right, bottom left, bottom right, pivot"),
    FIELD(tm_quad, colors, COLOR, RANGE(0, 255), WHITE, .help = "of the four corners"),
    FIELD(tm_quad, texture, POINT, .help = "of the four corners; 1 is the whole image, which repeats"),
    FIELD(tm_quad, position_envelope, REFERENCE, TO_ENVELOPE(POSITION), LOOSE,
          .help = "animates position and rotation"),
    FIELD(tm_quad, position_offset, INT, UNIT("ms"), .help = "added to the envelope's time"),
    FIELD(tm_quad, color_envelope, REFERENCE, TO_ENVELOPE(COLOR), LOOSE, .help = "animates the colors"),
    FIELD(tm_quad, color_offset, INT, UNIT("ms"), .help = "added to the envelope's time"),
};

static const tm_field sound_source_fields[] = {
    NAMED("x", tm_sound_source, position.x, FIXED, UNIT("px"), ONLY_DDNET, .help = "of the center"),
    NAMED("y", tm_sound_source, position.y, FIXED, UNIT("px"), ONLY_DDNET, .help = "of the center"),
    FIELD(tm_sound_source, loop, INT, RANGE(0, 1), ONLY_DDNET, .help = "1: repeats"),
    FIELD(tm_sound_source, pan, INT, RANGE(0, 1), ONLY_DDNET, .help = "1: with panning"),
    FIELD(tm_sound_source, delay, INT, NATURAL, UNIT("s"), ONLY_DDNET, .help = "before it begins"),
    FIELD(tm_sound_source, falloff, INT, RANGE(0, 255), ONLY_DDNET,
          .help = "fading towards the edge"),
    FIELD(tm_sound_source, position_envelope, REFERENCE, TO_ENVELOPE(POSITION), LOOSE, ONLY_DDNET,
          .help = "animates the position"),
    FIELD(tm_sound_source, position_offset, INT, UNIT("ms"), ONLY_DDNET,
          .help = "added to the envelope's time"),
    FIELD(tm_sound_source, sound_envelope, REFERENCE, TO_ENVELOPE(SOUND), LOOSE, ONLY_DDNET,
          .help = "animates the volume"),
    FIELD(tm_sound_source, sound_offset, INT, UNIT("ms"), ONLY_DDNET, .help = "added to the envelope's time"),
    FIELD(tm_sound_source, shape, CHOICE, CHOICE(shape_choice), RANGE(TM_SHAPE_RECTANGLE, TM_SHAPE_CIRCLE),
          FLAGS(TM_FIELD_OPEN), ONLY_DDNET, .help = "the area in which it is heard"),
    FIELD(tm_sound_source, width, FIXED, NATURAL, UNIT("px"), ONLY_DDNET,
          .help = "of a rectangle; for a circle see radius"),
    NAMED("radius", tm_sound_source, width, INT, NATURAL, UNIT("px"),
          FLAGS(TM_FIELD_ALIAS | TM_FIELD_HIDDEN), ONLY_DDNET,
          .help = "of a circle, instead of a width"),
    FIELD(tm_sound_source, height, FIXED, NATURAL, UNIT("px"), ONLY_DDNET, .help = "of a rectangle"),
};

static const tm_field old_source_fields[] = {
    NAMED("x", tm_old_source, position.x, FIXED, UNIT("px"), ONLY_DDNET, .help = "of the center"),
    NAMED("y", tm_old_source, position.y, FIXED, UNIT("px"), ONLY_DDNET, .help = "of the center"),
    FIELD(tm_old_source, loop, INT, RANGE(0, 1), ONLY_DDNET, .help = "1: repeats"),
    FIELD(tm_old_source, delay, INT, NATURAL, UNIT("s"), ONLY_DDNET, .help = "before it begins"),
    FIELD(tm_old_source, radius, INT, NATURAL, UNIT("px"), ONLY_DDNET,
          .help = "of the circle in which it is heard"),
    FIELD(tm_old_source, position_envelope, REFERENCE, TO_ENVELOPE(POSITION), LOOSE, ONLY_DDNET,
          .help = "animates the position"),
    FIELD(tm_old_source, position_offset, INT, UNIT("ms"), ONLY_DDNET,
          .help = "added to the envelope's time"),
    FIELD(tm_old_source, sound_envelope, REFERENCE, TO_ENVELOPE(SOUND), LOOSE, ONLY_DDNET,
          .help = "animates the volume"),
    FIELD(tm_old_source, sound_offset, INT, UNIT("ms"), ONLY_DDNET, .help = "added to the envelope's time"),
};

/* ----------------------------------------------------------------------------------------------- tiles */

static const tm_field tile_fields[] = {
    FIELD(tm_tile, index, INT, .help = "tile of the image, or of the game's entities"),
    FIELD(tm_tile, flags, FLAGS, RANGE(0, 15), CHOICE(tile_flag),
          .help = "orientation; opaque: hides what is behind it"),
    FIELD(tm_tile, skip, INT, RANGE(0, 0), .help = "only used inside the games"),
    FIELD(tm_tile, reserved, INT, RANGE(0, 0), .help = "unused"),
};

static const tm_field tele_tile_fields[] = {
    FIELD(tm_tele_tile, number, INT, ONLY_DDNET, .help = "connects teleporters"),
    FIELD(tm_tele_tile, type, INT, ONLY_DDNET, .help = "kind of teleporter"),
};

static const tm_field speedup_tile_fields[] = {
    FIELD(tm_speedup_tile, force, INT, ONLY_DDNET, .help = "acceleration; 0: none"),
    FIELD(tm_speedup_tile, max_speed, INT, ONLY_DDNET, .help = "maximum speed; 0: unlimited"),
    FIELD(tm_speedup_tile, type, INT, ONLY_DDNET, .help = "kind of speedup"),
    FIELD(tm_speedup_tile, pad, INT, RANGE(0, 0), ONLY_DDNET, .help = "unused"),
    FIELD(tm_speedup_tile, angle, INT, UNIT("degrees"), ONLY_DDNET, .help = "0 points right, clockwise"),
};

static const tm_field switch_tile_fields[] = {
    FIELD(tm_switch_tile, number, INT, ONLY_DDNET, .help = "connects switches and doors"),
    FIELD(tm_switch_tile, type, INT, ONLY_DDNET, .help = "kind of switch or of the switched object"),
    FIELD(tm_switch_tile, flags, FLAGS, RANGE(0, 15), CHOICE(tile_flag), ONLY_DDNET,
          .help = "orientation"),
    FIELD(tm_switch_tile, delay, INT, ONLY_DDNET, .help = "depends on type: seconds, jumps, a weapon"),
};

static const tm_field tune_tile_fields[] = {
    FIELD(tm_tune_tile, number, INT, ONLY_DDNET, .help = "zone in the settings"),
    FIELD(tm_tune_tile, type, INT, ONLY_DDNET, .help = "kind of tuning"),
};

/* ------------------------------------------------------------------------------------------------ kinds */

#define FIELDS(word) {word##_fields, TMI_COUNT_OF(word##_fields)}

const tmi_kind_row tmi_kind_rows[TM_KINDS] = {
    [TM_KIND_MAP] = FIELDS(map),
    [TM_KIND_INFO] = FIELDS(info),
    [TM_KIND_IMAGE] = FIELDS(image),
    [TM_KIND_SOUND] = FIELDS(sound),
    [TM_KIND_ENVELOPE] = FIELDS(envelope),
    [TM_KIND_ENVELOPE_POINT] = FIELDS(envelope_point),
    [TM_KIND_GROUP] = FIELDS(group),
    [TM_KIND_LAYER] = FIELDS(layer),
    [TM_KIND_TILE_LAYER] = FIELDS(tile_layer),
    [TM_KIND_QUAD_LAYER] = FIELDS(quad_layer),
    [TM_KIND_SOUND_LAYER] = FIELDS(sound_layer),
    [TM_KIND_QUAD] = FIELDS(quad),
    [TM_KIND_SOUND_SOURCE] = FIELDS(sound_source),
    [TM_KIND_OLD_SOURCE] = FIELDS(old_source),
    [TM_KIND_TILE] = FIELDS(tile),
    [TM_KIND_TELE_TILE] = FIELDS(tele_tile),
    [TM_KIND_SPEEDUP_TILE] = FIELDS(speedup_tile),
    [TM_KIND_SWITCH_TILE] = FIELDS(switch_tile),
    [TM_KIND_TUNE_TILE] = FIELDS(tune_tile),
};
