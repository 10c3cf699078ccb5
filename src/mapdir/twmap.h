/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPDIR_TWMAP_H
#define TMI_MAPDIR_TWMAP_H
/*
 * MapDir, twmap's folder of JSON, PNG and Opus (docs/mapdir.md). It is only read. Lengths are texts with
 * decimal fractions of tiles; objects are referred to by the names of their files.
 *
 *   twmap_members.c   tables of the members of all objects, and reading them
 *   twmap_layers.c    layers
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

/* A member of an object. Its path has names of members and indices of elements, as "corners.0.x". */
typedef struct tmi_row {
    const char *path;
    tmi_form form;
    size_t offset;
    int32_t least, most;
    tm_object refers;
    const char *const *words; /* ends with NULL */
} tmi_row;

typedef enum tmi_table {
    TMI_TABLE_GROUP,
    TMI_TABLE_TILES,      /* of a design layer of tiles, but for its size */
    TMI_TABLE_SIZE,       /* of every tile layer */
    TMI_TABLE_AUTOMAPPER, /* of a design layer of tiles */
    TMI_TABLE_QUADS,
    TMI_TABLE_SOUNDS,
    TMI_TABLE_QUAD,
    TMI_TABLE_SOURCE,
    TMI_TABLE_POINT_SOUND, /* of an envelope */
    TMI_TABLE_POINT_POSITION,
    TMI_TABLE_POINT_COLOR,
    TMI_TABLE_IMAGE,
    TMI_TABLES
} tmi_table;
typedef struct tmi_rows {
    const tmi_row *list;
    size_t num;
} tmi_rows;
tmi_rows tmi_twmap_rows(tmi_table table);

/* Reads a member by the table; false, with nothing read, if the table does not have it. */
bool tmi_twmap_take(tmi_json_file *file, const tmi_rows *rows, const tmi_fields_of *target, const char *key);
/* Reads a decimal fraction as value / scale, rounded; false if it is none, or too large. */
bool tmi_decimal_parse(int32_t *value, const char *text, int32_t scale);

void tmi_twmap_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer);

#endif
