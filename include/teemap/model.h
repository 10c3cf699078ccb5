/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MODEL_H
#define TEEMAP_MODEL_H
/*
 * teemap/model.h - the content of a map as plain structs. teemap/map.h, which includes this header, explains
 * how to use and change them; teemap/fields.h describes them as a table. Sections ("Section 2.8") are those
 * of docs/format.md.
 *
 * Units: fx = 22.10 fixed point (value / 1024); px = world pixels, 32 per tile; ms = milliseconds.
 */
#include <teemap/games.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The item that an object was loaded from. Only for the library; zero means new. */
typedef struct tm_origin {
    const struct tmi_origin *file;
    uint32_t item;
} tm_origin;

/* --------------------------------------------------------------------------------------------------- data */

/*
 * Bytes in one of three states: packed as in the file, unpacked, or changed. Opaque; the size is known
 * without unpacking. Integers (quads, sound sources, speedup angles) are in host byte order, and run-length
 * tiles of Teeworlds 0.7 (section 2.8) are expanded.
 */
typedef struct tm_block tm_block;

typedef struct tm_block_info {
    uint64_t size;        /* bytes when unpacked */
    uint64_t packed_size; /* bytes in the file; 0 if changed or new */
    int32_t data_index;   /* block of the datafile, TM_NONE if changed or new */
    bool unpacked;        /* the library holds the unpacked bytes */
    bool changed;
} tm_block_info;
TM_API tm_block_info tm_block_get_info(const tm_block *block); /* for NULL, zeros and TM_NONE */

/* ------------------------------------------------------------------------------------------------ objects */

enum {
    TM_NAME_SIZE = 12,         /* groups and layers: 11 bytes and a NUL */
    TM_ENVELOPE_NAME_SIZE = 32 /* envelopes: 31 bytes and a NUL */
};

typedef struct tm_point {
    int32_t x, y;
} tm_point;

typedef struct tm_color {
    int32_t r, g, b, a; /* 0..255 in files that DDNet accepts */
} tm_color;

/* Section 2.2. */
typedef struct tm_info {
    const char *author;
    const char *version;
    const char *credits;
    const char *license;
    const char **settings; /* DDNet: server commands; may be empty */
    uint32_t num_settings;
    /*
     * A text that the file has and that could not be read: too long, or in a broken block. It is NULL (there
     * are no settings), and this is its block; else NULL. See tm_field_unread (teemap/fields.h).
     */
    tm_block *unread_author;
    tm_block *unread_version;
    tm_block *unread_credits;
    tm_block *unread_license;
    tm_block *unread_settings;
    tm_origin origin;
} tm_info;

typedef enum tm_image_format { TM_IMAGE_RGBA = 0, TM_IMAGE_RGB = 1 } tm_image_format;

/* Section 2.3. */
typedef struct tm_image {
    const char *name;
    int32_t width, height;  /* pixels; informational for an external image */
    tm_image_format format; /* of embedded pixels: 4 or 3 bytes, rows from the top, straight alpha */
    bool external;          /* the pixels are in the mapres folder of the games */
    tm_block *pixels;       /* NULL if there are none; any size: tm_map_image_pixels checks it */
    tm_block *unread_name;  /* of a name that could not be read; see tm_info */
    void *user;             /* for the caller; only copied, by duplicate and clone (in all objects) */
    tm_origin origin;
} tm_image;

/* Section 2.11. */
typedef struct tm_sound {
    const char *name;
    bool external;
    tm_block *data;        /* an Opus file, or NULL */
    tm_block *unread_name; /* of a name that could not be read; see tm_info */
    void *user;
    tm_origin origin;
} tm_sound;

/* Curve from a point to the next one (section 2.5); unknown numbers count as linear. */
enum { TM_CURVE_STEP, TM_CURVE_LINEAR, TM_CURVE_SLOW, TM_CURVE_FAST, TM_CURVE_SMOOTH, TM_CURVE_BEZIER };

/* The purpose of an envelope, as its number of channels. */
enum {
    TM_ENVELOPE_SOUND = 1,    /* volume */
    TM_ENVELOPE_POSITION = 3, /* x px, y px, rotation in degrees */
    TM_ENVELOPE_COLOR = 4     /* r, g, b, a; 1024 = 1.0 */
};

typedef struct tm_envelope_point {
    int32_t time;      /* ms */
    int32_t curve;     /* TM_CURVE_... */
    int32_t values[4]; /* fx */
    /* Bezier tangents per channel: dx in ms, dy in fx, relative to the point; all zero is a straight line */
    int32_t in_dx[4], in_dy[4], out_dx[4], out_dy[4];
} tm_envelope_point;

/* Section 2.4. */
typedef struct tm_envelope {
    char name[TM_ENVELOPE_NAME_SIZE];
    int32_t channels;          /* TM_ENVELOPE_...; other numbers occur */
    bool synchronized;         /* runs on server time (Teeworlds); DDNet's client always does so */
    tm_envelope_point *points; /* maybe of other envelopes, too: write those of tm_map_edit_points */
    uint32_t num_points;
    void *user;
    tm_origin origin;
} tm_envelope;

/* Section 2.12. */
typedef struct tm_automapper {
    bool present;
    int32_t config; /* number of the configuration in the rule file, or TM_NONE */
    int32_t seed;   /* 0: a new one each time */
    bool automatic;
    tm_origin origin;
} tm_automapper;

typedef struct tm_tile_layer {
    uint32_t width, height; /* tiles; 0 x 0 if the values of the file are below 1 or too large */
    tm_color color;
    int32_t color_envelope;        /* index or TM_NONE */
    int32_t color_envelope_offset; /* ms */
    int32_t image;                 /* index or TM_NONE */
    /* at least width * height elements of the kind's size, row by row; NULL if the file has none */
    tm_block *tiles;
    /*
     * physics layers except game: the array of tm_tile that DDNet stores for vanilla; NULL if there is none
     */
    tm_block *compat;
    tm_automapper automapper; /* design tiles only */
} tm_tile_layer;

/* Section 2.9; in memory as in the file. */
typedef struct tm_quad {
    tm_point points[5];  /* fx px: top left, top right, bottom left, bottom right, pivot */
    tm_color colors[4];  /* of the corners */
    tm_point texture[4]; /* fx, 1024 = the whole image; the texture repeats */
    int32_t position_envelope, position_offset; /* index as in the file, ms */
    int32_t color_envelope, color_offset;
} tm_quad;

typedef struct tm_quad_layer {
    uint32_t num_quads; /* all of them are inside `quads` */
    int32_t image;      /* index or TM_NONE */
    tm_block *quads;    /* tm_quad each; may be longer; NULL if there are none */
} tm_quad_layer;

enum { TM_SHAPE_RECTANGLE, TM_SHAPE_CIRCLE };

/* Section 2.10; in memory as in the file. */
typedef struct tm_sound_source {
    tm_point position; /* fx px */
    int32_t loop, pan;
    int32_t delay;                              /* s */
    int32_t falloff;                            /* 0..255 */
    int32_t position_envelope, position_offset; /* index as in the file, ms */
    int32_t sound_envelope, sound_offset;
    int32_t shape;
    int32_t width;  /* rectangle: width in fx px; circle: radius in px */
    int32_t height; /* rectangle: fx px */
} tm_sound_source;

/* Source of TM_LAYER_OLD_SOUNDS. */
typedef struct tm_old_source {
    tm_point position; /* fx px */
    int32_t loop, delay, radius;
    int32_t position_envelope, position_offset;
    int32_t sound_envelope, sound_offset;
} tm_old_source;

typedef struct tm_sound_layer {
    uint32_t num_sources; /* all of them are inside `sources` */
    int32_t sound;        /* index or TM_NONE */
    tm_block *sources;    /* tm_sound_source or tm_old_source each; NULL if there are none */
} tm_sound_layer;

/* Sections 2.7 to 2.10. */
typedef struct tm_layer {
    tm_layer_kind kind;
    char name[TM_NAME_SIZE];
    bool detail; /* not drawn if the player has switched off high detail */
    union {
        tm_tile_layer tiles;   /* design and physics kinds */
        tm_quad_layer quads;   /* TM_LAYER_QUADS */
        tm_sound_layer sounds; /* TM_LAYER_SOUNDS, TM_LAYER_OLD_SOUNDS */
    } as;
    void *user;
    tm_origin origin;
} tm_layer;

/* Section 2.6. */
typedef struct tm_group {
    char name[TM_NAME_SIZE];
    int32_t offset_x, offset_y;     /* px */
    int32_t parallax_x, parallax_y; /* percent */
    bool use_clipping;
    int32_t clip_x, clip_y, clip_w, clip_h; /* px */
    bool has_parallax_zoom; /* only DDNet 16.4 to 17.3; if one group has it, it is saved for all */
    int32_t parallax_zoom;
    tm_layer *layers;
    uint32_t num_layers;
    void *user;
    tm_origin origin;
    tm_origin extra; /* the group-ex item */
} tm_group;

typedef struct tm_map {
    tm_game game;    /* the dialect of the format: detected when loading, used for new objects */
    int32_t version; /* 1; other numbers occur; 0: no version item */
    tm_info info;
    tm_image *images;
    uint32_t num_images;
    tm_sound *sounds;
    uint32_t num_sounds;
    tm_envelope *envelopes;
    uint32_t num_envelopes;
    tm_group *groups;
    uint32_t num_groups;
    void *user;
    struct tm_map_private *priv;
} tm_map;

#ifdef __cplusplus
}
#endif

#endif
