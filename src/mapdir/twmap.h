/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPDIR_TWMAP_H
#define TMI_MAPDIR_TWMAP_H
/*
 * MapDir, the folder of JSON, PNG and Opus that twmap reads and writes: docs/mapdir.md describes it.
 * Lengths are decimal fractions of tiles in texts, objects are known by the names of their files. One table
 * of members serves writing and reading.
 *
 *   twmap_rows.c      tables of the members of all objects, decimal fractions
 *   twmap_members.c   members by their tables, both directions
 *   twmap_names.c     names of files, and what this format cannot hold
 *   twmap_write.c     the files of a map
 *   twmap_layers.c    layers, both directions
 *   twmap_read.c      files into a map
 */
#include "mapdir.h"

/* ------------------------------------------------------------------------------------------------ members */

typedef enum tmi_form {
    TMI_FORM_NAME,     /* a text; read by the field of the same name */
    TMI_FORM_INT,      /* int32_t from `least` to `most` */
    TMI_FORM_INDEX,    /* the same, or null for TM_NONE */
    TMI_FORM_BOOL,     /* bool */
    TMI_FORM_TRUTH,    /* int32_t, 0 or 1, as true or false */
    TMI_FORM_FIXED,    /* int32_t; a text that holds it as a fraction of `most` */
    TMI_FORM_WORD,     /* int32_t; one of `words` */
    TMI_FORM_REFERENCE /* int32_t; the name of a file, or null */
} tmi_form;

/* A member of an object: names of members and numbers of elements with dots, as "corners.0.x". */
typedef struct tmi_row {
    const char *path;
    tmi_form form;
    size_t offset;
    int32_t least, most;
    tm_object refers;
    const char *const *words; /* ends with NULL */
    tmi_loss loss;            /* when a value cannot be written */
} tmi_row;

typedef enum tmi_table {
    TMI_TABLE_GROUP,
    TMI_TABLE_DESIGN,      /* of a tile layer: what stands before its tiles */
    TMI_TABLE_SIZE,        /* of every tile layer */
    TMI_TABLE_AUTOMAPPER,  /* behind the tiles of a design layer */
    TMI_TABLE_LAYER,       /* of quads and sounds */
    TMI_TABLE_QUADS_IMAGE, /* behind the quads */
    TMI_TABLE_SOUND,       /* behind the sources */
    TMI_TABLE_QUAD,
    TMI_TABLE_RECTANGLE,
    TMI_TABLE_CIRCLE,
    TMI_TABLE_POINT_SOUND, /* of an envelope; the last rows are tangents */
    TMI_TABLE_POINT_POSITION,
    TMI_TABLE_POINT_COLOR,
    TMI_TABLE_IMAGE,
    TMI_TABLES
} tmi_table;
typedef struct tmi_rows {
    const tmi_row *list;
    size_t num;
    size_t num_plain; /* of points: those before the tangents */
} tmi_rows;
tmi_rows tmi_twmap_rows(tmi_table table);

/* JSON as its programs write it: a member a line, each level two spaces deeper. */
typedef struct tmi_pretty {
    tmi_text_out *to;
    unsigned depth;
    bool begun; /* something stands in the innermost value */
} tmi_pretty;
void tmi_pretty_open(tmi_pretty *p, const char *key,
                     char bracket); /* key NULL: an element, or the outermost */
void tmi_pretty_close(tmi_pretty *p, char bracket);
void tmi_pretty_key(tmi_pretty *p, const char *key); /* its value is to follow */

/* Members of an object, `lost` counts what they cannot hold. */
void tmi_twmap_put(tmi_pretty *p, const tmi_row *rows, size_t num, const void *object, const tmi_names *names,
                   uint64_t lost[TMI_LOSSES]);
/* A member that the table has, or part of it has; false: it has none such, and nothing was read. */
bool tmi_twmap_take(tmi_json_file *file, const tmi_rows *rows, const tmi_target *target, const char *key);
/* The decimal digits of value / scale that no other value has, as few as there are. */
enum { TMI_DECIMAL_SIZE = 32 };
void tmi_decimal_format(char text[TMI_DECIMAL_SIZE], int32_t value, int32_t scale);
bool tmi_decimal_parse(int32_t *value, const char *text, int32_t scale);

/* ------------------------------------------------------------------------------------------------ objects */

extern const char *const tmi_twmap_games[2]; /* by whether it is of Teeworlds 0.7 */
/* "position", ...; NULL for other numbers of channels. */
const char *tmi_twmap_channels(int32_t channels);
tmi_table tmi_twmap_point_table(int32_t channels);
/* A group of physics layers has to be called "Game": twmap refuses all else. */
const char *tmi_twmap_group_name(const tm_group *group);

/* ------------------------------------------------------------------------------------------------- layers */

/* Writes a layer's file. */
tm_status tmi_twmap_put_layer(void *piece, const tm_output *output, tm_error *error);
void tmi_twmap_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer);

#endif
