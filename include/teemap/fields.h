/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FIELDS_H
#define TEEMAP_FIELDS_H
/*
 * teemap/fields.h - the model describes itself: a table of every field of every struct in teemap/model.h,
 * values that are read from and written to any of them, values as text, and the differences between two maps.
 *
 * Use it wherever code handles "all fields": editors, bindings, text forms, comparisons. Code that wants one
 * certain field reads the struct.
 *
 *     size_t num;
 *     const tm_field *fields = tm_fields(&num, TM_OWNER_GROUP);
 *     for (size_t i = 0; i < num; i++)
 *         puts(fields[i].name);
 *     const tm_field *parallax = tm_field_find(TM_OWNER_GROUP, "parallax.x");
 *     tm_field_set_text(map, &map->groups[0], parallax, 0, "50", &error);
 *
 * Names, types and meanings are stable; new rows may come with a new
 * version. The structs of this header are made by the library alone.
 *
 * Threads: the table is constant. Functions that take a const map may run in several threads at once.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------- owners and fields */

/* Whose fields: one row for each struct of the model. */
typedef enum tm_owner {
    TM_OWNER_MAP,            /* tm_map */
    TM_OWNER_INFO,           /* tm_info */
    TM_OWNER_IMAGE,          /* tm_image */
    TM_OWNER_SOUND,          /* tm_sound */
    TM_OWNER_ENVELOPE,       /* tm_envelope */
    TM_OWNER_ENVELOPE_POINT, /* tm_envelope_point */
    TM_OWNER_GROUP,          /* tm_group */
    TM_OWNER_LAYER,          /* tm_layer: what all kinds of layers have */
    TM_OWNER_TILE_LAYER,     /* tm_layer: what the kinds of tiles have besides */
    TM_OWNER_QUAD_LAYER,     /* tm_layer, too */
    TM_OWNER_SOUND_LAYER,    /* tm_layer, too */
    TM_OWNER_QUAD,           /* tm_quad */
    TM_OWNER_SOUND_SOURCE,   /* tm_sound_source */
    TM_OWNER_OLD_SOURCE,     /* tm_old_source */
    TM_OWNER_TILE,           /* tm_tile */
    TM_OWNER_TELE_TILE,      /* tm_tele_tile */
    TM_OWNER_SPEEDUP_TILE,   /* tm_speedup_tile */
    TM_OWNER_SWITCH_TILE,    /* tm_switch_tile */
    TM_OWNER_TUNE_TILE,      /* tm_tune_tile */
    TM_OWNER_COUNT           /* none: it has no fields */
} tm_owner;

/* What a value means, and so how it is written as text. */
typedef enum tm_field_type {
    TM_TYPE_INT,       /* a whole number: 128 */
    TM_TYPE_BOOL,      /* true, false */
    TM_TYPE_CHOICE,    /* a number with a name: bezier; a number without one: 17 */
    TM_TYPE_FLAGS,     /* bits with names: flip_x+rotate; 0 for none */
    TM_TYPE_FIXED,     /* fixed point 22.10, stored as value * 1024: 1.5 */
    TM_TYPE_COLOR,     /* tm_color: #ff8000cc; 300,0,-1,255 when a channel does not fit */
    TM_TYPE_POINT,     /* tm_point, fixed point: 16,-1.5 */
    TM_TYPE_INDEX,     /* a number, or TM_NONE: 3, none */
    TM_TYPE_REFERENCE, /* index of an image, sound or envelope: image/grass_main, envelope/3, none */
    TM_TYPE_TEXT,      /* const char *: "text", none for NULL */
    TM_TYPE_NAME,      /* char[]: "text" */
    TM_TYPE_TEXTS,     /* const char **, a list of texts: each as TM_TYPE_TEXT */
    TM_TYPE_COUNT,     /* how many there are in a list or block */
    TM_TYPE_BLOCK,     /* tm_block *: described as "1024 bytes" or none, never read from text */
    TM_TYPE_LIST       /* an array of objects, with fields of their own */
} tm_field_type;

/* How a value lies in its struct. */
typedef enum tm_field_storage {
    TM_STORED_INT32,
    TM_STORED_UINT32, /* enums, too */
    TM_STORED_INT16,
    TM_STORED_UINT8,
    TM_STORED_BOOL,
    TM_STORED_COLOR,  /* tm_color: four int32_t */
    TM_STORED_POINT,  /* tm_point: two int32_t */
    TM_STORED_CHARS,  /* char[], ends with a NUL */
    TM_STORED_POINTER /* const char *, tm_block *, an array */
} tm_field_storage;

/* Bits of tm_field.flags. */
enum {
    TM_FIELD_ALIAS = 1,     /* another reading of bytes that a row of their own has, too */
    TM_FIELD_HIDDEN = 2,    /* not shown in JSON */
    TM_FIELD_OPEN = 4,      /* a choice of which other numbers occur */
    TM_FIELD_LOOSE = 8,     /* a reference inside packed data: as in the file, may lead to nothing */
    TM_FIELD_ELEMENTS = 16, /* the block that holds a layer's elements, see tm_owner_of_elements */
    TM_FIELD_GRID = 32      /* the block holds a tile for each place of the layer */
};

/*
 * A field. Zero is the usual: in all games, plain to write, starting with zero.
 *
 * A name with a dot stands in an object of its own in JSON: offset.x is {"offset": {"x": ...}}.
 */
typedef struct tm_field {
    const char *name;
    const char *help; /* one line */
    const char *unit; /* "px", "ms", "%", ...; NULL for none */
    tm_field_type type;
    tm_field_storage storage;
    uint32_t flags;      /* TM_FIELD_... */
    tm_object refers;    /* of references: to what */
    int32_t channels;    /* of references to envelopes: the TM_ENVELOPE_... that is meant */
    tm_owner of;         /* of lists: whose fields the elements have */
    size_t offset;       /* in the owner's struct */
    size_t size;         /* bytes of one value */
    uint32_t num_values; /* 1, or how many stand there one after the other */
    size_t num_offset;   /* of lists: where the struct counts them (uint32_t) */
    size_t guard;        /* offset of the bool that says whether the field is there; 0: it always is */
    bool ranged;         /* the games accept only min to max, in stored units; of colors each channel */
    int64_t min, max;
    int64_t initial; /* of new objects, as stored; of colors 0xrrggbbaa; texts start as none */
    uint32_t lacks;  /* bit 1 << TM_GAME_...: the game has no such field */
    /* Of choices the name of a number, of flags that of a bit; NULL for a number without one. */
    const char *(*choice)(int64_t number);
    const char *setter; /* the function that changes it; NULL: plain to write */
} tm_field;

/* The fields of an owner in the order of JSON. NULL and 0 for no owner. */
TM_API const tm_field *tm_fields(size_t *num, tm_owner owner);
/* NULL if there is no such field. */
TM_API const tm_field *tm_field_find(tm_owner owner, const char *name);
/* "map", "envelope_point", "tile_layer", ...; NULL for another number. */
TM_API const char *tm_owner_name(tm_owner owner);
/* Bytes of the struct. */
TM_API size_t tm_owner_size(tm_owner owner);
/* What layers of a kind have besides TM_OWNER_LAYER, and what their elements are; TM_OWNER_COUNT: nothing. */
TM_API tm_owner tm_owner_of_layer(tm_layer_kind kind);
TM_API tm_owner tm_owner_of_elements(tm_layer_kind kind);

/* False where the object's guard says no, as for the automapper of a layer without one. */
TM_API bool tm_field_present(const tm_field *field, const void *object);

/* ---------------------------------------------------------------------------------------------- values */

typedef struct tm_value {
    tm_field_type type;
    union {
        int64_t number; /* whatever is none of the others; in stored units */
        tm_color color;
        tm_point point;
        const char *text;      /* texts and names; borrowed */
        const tm_block *block; /* borrowed */
    } as;
} tm_value;

/* How many values the field has in this object: elements of a list, else num_values. */
TM_API uint32_t tm_field_num(const tm_field *field, const void *object);
/* The `index`-th value (below tm_field_num) of an object. Objects in packed data need not be aligned. */
TM_API tm_value tm_field_get(const tm_field *field, const void *object, uint32_t index);
/* What a new object starts with. */
TM_API tm_value tm_field_initial(const tm_field *field);
/* An absent text and an empty one are the same, as for the games. */
TM_API bool tm_value_same(const tm_value *a, const tm_value *b);

/*
 * Sets a value of an object of the map, or of an element in the caller's memory. Texts are copied.
 * TM_ERROR_USAGE, with the map as it was, for a value that no game accepts or that refers
 * to an object that the map does not have (the error names what is allowed), and for fields that only their
 * `setter` changes; for texts and names this function calls the setter itself.
 */
TM_API tm_status tm_field_set(tm_map *map, void *object, const tm_field *field, uint32_t index,
                              const tm_value *value, tm_error *error);

/*
 * Writes a value as text, as shown at tm_field_type. `map` gives references their names; NULL: indices.
 * What is
 * written is UTF-8 without control characters and without those that turn the direction of writing, and reads
 * back as the same value.
 */
TM_API size_t tm_value_format(char *buffer, size_t size, const tm_field *field, const tm_value *value,
                              const tm_map *map);
/*
 * Reads a value. Strings go to `buffer`, of which strlen(text) + 1 bytes are always enough; NULL for fields
 * of other types. TM_ERROR_USAGE names the field, the text and what is allowed. A text that does not begin
 * with a quote is taken as it stands. Numbers are rounded to what can be stored. tm_field_set
 * alone checks ranges.
 */
TM_API tm_status tm_value_parse(tm_value *out, const tm_field *field, const tm_map *map, const char *text,
                                char *buffer, size_t size, tm_error *error);
/* Reads and sets in one. */
TM_API tm_status tm_field_set_text(tm_map *map, void *object, const tm_field *field, uint32_t index,
                                   const char *text, tm_error *error);

/* --------------------------------------------------------------------------------- the form of objects */

typedef enum tm_walk_step {
    TM_WALK_FIELD,  /* a field, of tm_field_num values */
    TM_WALK_ABSENT, /* a field or an object within that is not there: null in JSON */
    TM_WALK_OPEN,   /* an object within begins ... */
    TM_WALK_CLOSE   /* ... and ends */
} tm_walk_step;

/* `key` is the name within the object at hand, borrowed for the call; NULL for CLOSE. */
typedef void tm_walk_visit(void *ctx, tm_walk_step step, const char *key, const tm_field *field);
/*
 * Calls visit for all fields that JSON shows, in order; dotted names as objects within. Of a layer that is
 * TM_OWNER_LAYER first, then tm_owner_of_layer. Lists are left to the caller, who knows how deep to go.
 */
TM_API void tm_fields_walk(tm_owner owner, const void *object, tm_walk_visit *visit, void *ctx);

/*
 * Writes what `teemap ls --json` tells of an info, image, sound, envelope, group (with its layers) or layer:
 * its address, its fields, how many elements it has, and the sizes of its data, on one line without its end.
 */
TM_API tm_status tm_object_write(const tm_map *map, const tm_address *address, const tm_output *output,
                                 tm_error *error);

/* ----------------------------------------------------------------------------------------- differences */

typedef enum tm_difference_kind {
    TM_DIFFERENCE_VALUE, /* values differ; of counts: what the shorter list lacks is not visited */
    TM_DIFFERENCE_DATA   /* the bytes of two blocks differ, or only one of them is there */
} tm_difference_kind;

static const uint64_t TM_NO_ELEMENT = UINT64_MAX;

/* One difference. Lives during the call of the visitor. */
typedef struct tm_difference {
    tm_difference_kind kind;
    tm_address address; /* of the object in the first map */
    tm_address other;   /* of the object in the second map */
    tm_owner owner;     /* whose field: the object's, or that of one of its elements */
    const tm_field *field;
    uint64_t element; /* which point, quad, source, tile (row by row); TM_NO_ELEMENT: of the object itself */
    uint32_t x, y;    /* of a tile, its place */
    uint32_t index;   /* which of the field's values */
    uint64_t offset;  /* of data of one size: the first byte that differs */
    tm_value before, after; /* in the first map, in the second map */
} tm_difference;

/* Return false to end the walk. */
typedef bool tm_difference_visit(void *ctx, const tm_difference *difference);

typedef struct tm_compare_options {
    size_t size;    /* sizeof(tm_compare_options) */
    bool skip_data; /* default false: tiles, quads, sources, pixels and sounds are compared, too */
} tm_compare_options;
#define TM_COMPARE_OPTIONS_INIT           \
    {                                     \
        sizeof(tm_compare_options), false \
    }

/*
 * Reports every difference between two maps: all fields, texts and data, object by object at equal places, in
 * the order of the struct. Of lists and grids the part that both have is compared; if one is longer or
 * wider, the difference of the count or width is reported first. Data that both maps have from the same
 * block of one file are equal without being unpacked; others are unpacked for the comparison only. What the
 * model does not hold is not compared.
 *
 * Fails as tm_map_data does, with the object as place. A visitor that ends the walk is no failure.
 */
TM_API tm_status tm_map_compare(const tm_map *a, const tm_map *b, const tm_compare_options *options,
                                tm_difference_visit *visit, void *ctx, tm_error *error);
/* One line: "group 1, layer 0 'Game': tile 3,4: index is 1, not 0". */
TM_API size_t tm_difference_format(char *buffer, size_t size, const tm_difference *difference,
                                   const tm_map *a, const tm_map *b);

#ifdef __cplusplus
}
#endif
#endif
