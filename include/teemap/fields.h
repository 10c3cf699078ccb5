/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FIELDS_H
#define TEEMAP_FIELDS_H
/*
 * teemap/fields.h - a description of the model: a table of every field of every struct in teemap/model.h,
 * reading and writing of values, values as text, and differences between two maps.
 *
 * Use it for code that handles "all fields": editors, bindings, text formats, comparisons. To access a
 * certain field, use the struct.
 *
 *     size_t num;
 *     const tm_field *fields = tm_fields(&num, TM_KIND_GROUP);
 *     for (size_t i = 0; i < num; i++)
 *         puts(fields[i].name);
 *     const tm_field *parallax = tm_field_find(TM_KIND_GROUP, "parallax.x");
 *     tm_field_set_text(map, &map->groups[0], parallax, 0, "50", &error);
 *
 * Names, types and meanings are stable; later versions may add rows. Only the library creates the structs of
 * this header.
 *
 * Threads: the table is constant. Several threads may call functions that take a const map at once.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------- kinds and fields */

/* The meaning of a value, which defines its form as text. */
typedef enum tm_field_type {
    TM_TYPE_INT,       /* an integer: 128 */
    TM_TYPE_BOOL,      /* true, false */
    TM_TYPE_CHOICE,    /* a named number: bezier; a number without a name: 17 */
    TM_TYPE_FLAGS,     /* named bits: flip_x+rotate; 0 or none */
    TM_TYPE_FIXED,     /* fixed point 22.10, stored as value * 1024: 1.5 */
    TM_TYPE_COLOR,     /* tm_color: #ff8000cc; 300,0,-1,255 if a channel is out of range */
    TM_TYPE_POINT,     /* tm_point, fixed point: 16,-1.5 */
    TM_TYPE_INDEX,     /* a number, or TM_NONE: 3, none */
    TM_TYPE_REFERENCE, /* index of an image, sound or envelope: image/grass_main, envelope/3, none */
    TM_TYPE_TEXT,      /* const char *: "text", none for NULL */
    TM_TYPE_NAME,      /* char[]: "text" */
    TM_TYPE_TEXTS,     /* const char **, a list of texts: each as TM_TYPE_TEXT */
    TM_TYPE_COUNT,     /* the number of elements of a list or block */
    TM_TYPE_BLOCK,     /* tm_block *: described as "1024 bytes" or none, never read from text */
    TM_TYPE_LIST       /* an array of objects with their own fields */
} tm_field_type;

/* The storage of a value in its struct. */
typedef enum tm_field_storage {
    TM_STORED_INT32,
    TM_STORED_UINT32, /* also enums */
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
    TM_FIELD_ALIAS = 1,     /* another view of bytes that also have their own row */
    TM_FIELD_HIDDEN = 2,    /* not shown in JSON */
    TM_FIELD_OPEN = 4,      /* a choice that may have other numbers */
    TM_FIELD_LOOSE = 8,     /* a reference in packed data: unchanged from the file, may be invalid */
    TM_FIELD_ELEMENTS = 16, /* the block that holds a layer's elements, see tm_kind_of_elements */
    TM_FIELD_GRID = 32      /* the block has one tile per place of the layer */
};

/*
 * A field. Zero members mean the default: in all games, plain to write, initially zero.
 *
 * In JSON, a name with a dot is a member of a nested object: offset.x is {"offset": {"x": ...}}.
 */
typedef struct tm_field {
    const char *name;
    const char *help; /* one line */
    const char *unit; /* "px", "ms", "%", ...; NULL for none */
    tm_field_type type;
    tm_field_storage storage;
    uint32_t flags;       /* TM_FIELD_... */
    tm_kind refers;       /* for references: to what */
    int32_t channels;     /* for references to envelopes: the required TM_ENVELOPE_... */
    tm_kind element_kind; /* for lists */
    size_t offset;        /* in the owner's struct */
    size_t size;          /* bytes of one value */
    uint32_t num_values;  /* 1, or the number of consecutive values */
    size_t num_offset;    /* for lists: offset of their count (uint32_t) */
    size_t guard;         /* offset of the bool that tells whether the field is present; 0: always */
    size_t unread; /* offset of the tm_block * of a value that could not be read; 0: it can always be */
    bool ranged;   /* games only accept min to max, in stored units; for colors each channel */
    int64_t min, max;
    int64_t initial; /* value in new objects, as stored; for colors 0xrrggbbaa; texts start as none */
    uint32_t lacks;  /* bits 1 << TM_GAME_...: games without this field */
    /* For choices the name of a number, for flags that of a bit; NULL for a number without a name. */
    const char *(*choice)(int64_t number);
    const char *setter; /* the function that changes it; NULL: write it directly */
} tm_field;

/* The fields of an owner in the order of JSON. NULL and 0 for an unknown owner. */
TM_API const tm_field *tm_fields(size_t *num, tm_kind owner);
/* NULL if there is no such field. */
TM_API const tm_field *tm_field_find(tm_kind owner, const char *name);

/* ---------------------------------------------------------------------------------------------- values */

typedef struct tm_value {
    tm_field_type type;
    union {
        int64_t number; /* all other types, in stored units */
        tm_color color;
        tm_point point;
        const char *text;      /* texts and names; borrowed */
        const tm_block *block; /* borrowed */
    } as;
    bool unread; /* the file has a value that could not be read: the number is 0, the text NULL */
} tm_value;

/* The number of values of a field in this object: elements of a list, else num_values. */
TM_API uint32_t tm_field_num(const tm_field *field, const void *object);
/* The `index`-th value (below tm_field_num) of an object. Objects in packed data need not be aligned. */
TM_API tm_value tm_field_get(const tm_field *field, const void *object, uint32_t index);
/*
 * The block of the file with a value that could not be read, because it is too long or broken: NULL if it
 * was read, or the file has none. Such a value is saved as it is in the file, equals no other value, and
 * cannot be changed: functions that would change it fail with TM_ERROR_UNSUPPORTED.
 */
TM_API const tm_block *tm_field_unread(const tm_field *field, const void *object);
/*
 * Removes a value that could not be read, so that the field can be set. TM_OK if it was read.
 */
TM_API tm_status tm_field_drop_unread(tm_map *map, void *object, const tm_field *field, tm_error *error);
/* The value in new objects. */
TM_API tm_value tm_field_initial(const tm_field *field);
/* A missing text equals an empty one, as in the games. A value that could not be read equals none. */
TM_API bool tm_value_same(const tm_value *a, const tm_value *b);

/*
 * Sets a value of an object of the map, or of an element in the caller's memory. Texts are copied.
 * TM_ERROR_USAGE, with the map unchanged, for a value that no game accepts or that refers to an object that
 * does not exist (the error names what is allowed), and for fields that only their `setter` changes; for
 * texts and names this function calls the setter itself.
 */
TM_API tm_status tm_field_set(tm_map *map, void *object, const tm_field *field, uint32_t index,
                              const tm_value *value, tm_error *error);

/*
 * Writes a value as text, in the form described at tm_field_type. With `map`, references use names; NULL:
 * indices. The result is UTF-8 without control characters and without characters that change the direction of
 * text, and can be parsed to the same value; except for one that could not be read, which is "unread".
 */
TM_API size_t tm_value_format(char *buffer, size_t size, const tm_field *field, const tm_value *value,
                              const tm_map *map);
/*
 * Parses a value. Strings are written to `buffer`, which needs at most strlen(text) + 1 bytes; NULL for
 * fields of other types. TM_ERROR_USAGE names the field, the text and what is allowed. A text that does not
 * begin with a quote is taken literally. Numbers are rounded to storable values. Only tm_field_set checks
 * ranges.
 */
TM_API tm_status tm_value_parse(tm_value *out, const tm_field *field, const tm_map *map, const char *text,
                                char *buffer, size_t size, tm_error *error);
/* Parses and sets a value. */
TM_API tm_status tm_field_set_text(tm_map *map, void *object, const tm_field *field, uint32_t index,
                                   const char *text, tm_error *error);

/* --------------------------------------------------------------------------------- the form of objects */

typedef enum tm_walk_step {
    TM_WALK_FIELD,  /* a field, of tm_field_num values */
    TM_WALK_ABSENT, /* a field or nested object that is not present: null in JSON */
    TM_WALK_OPEN,   /* a nested object begins */
    TM_WALK_CLOSE   /* a nested object ends */
} tm_walk_step;

/* `key` is the name in the current object, borrowed for the call; NULL for CLOSE. */
typedef void tm_walk_visit(void *ctx, tm_walk_step step, const char *key, const tm_field *field);
/*
 * Calls visit for all fields in JSON, in order, with dotted names as nested objects. For a layer use
 * TM_KIND_LAYER first, then tm_kind_of_layer. The caller descends into lists.
 */
TM_API void tm_fields_walk(tm_kind owner, const void *object, tm_walk_visit *visit, void *ctx);

/*
 * Writes the object of `teemap ls --json` for an info, image, sound, envelope, group (with its layers) or
 * layer: its address, its fields, the number of its elements, and the sizes of its data, on one line without
 * a line end.
 */
TM_API tm_status tm_object_write(const tm_map *map, const tm_address *address, const tm_output *output,
                                 tm_error *error);

/* ----------------------------------------------------------------------------------------- differences */

typedef enum tm_difference_kind {
    TM_DIFFERENCE_VALUE, /* values differ; for counts, additional elements are not visited */
    TM_DIFFERENCE_DATA   /* the bytes of two blocks differ, or only one exists */
} tm_difference_kind;

static const uint64_t TM_NO_ELEMENT = UINT64_MAX;

/* One difference. Valid during the call of the visitor. */
typedef struct tm_difference {
    tm_difference_kind kind;
    tm_address address; /* of the object in the first map */
    tm_address other;   /* of the object in the second map */
    tm_kind owner;      /* owner of the field: the object, or one of its elements */
    const tm_field *field;
    uint64_t element; /* index of the point, quad, source or tile (row by row); TM_NO_ELEMENT: the object
                       * itself */
    uint32_t x, y;    /* for a tile, its position */
    uint32_t index;   /* index of the value in the field */
    uint64_t offset;  /* for data of equal size: the first differing byte */
    tm_value before, after; /* in the first map, in the second map */
} tm_difference;

/* Return false to end the walk. */
typedef bool tm_difference_visit(void *ctx, const tm_difference *difference);

typedef struct tm_compare_options {
    size_t size;    /* sizeof(tm_compare_options) */
    bool skip_data; /* default false: also compare tiles, quads, sources, pixels and sounds */
} tm_compare_options;
#define TM_COMPARE_OPTIONS_INIT           \
    {                                     \
        sizeof(tm_compare_options), false \
    }

/*
 * Reports every difference between two maps: all fields, texts and data, comparing objects at equal
 * positions, in the order of the struct. For lists and grids, the common part is compared; if sizes differ,
 * the difference of the count or width is reported first. Data from the same block of one file are equal
 * without being unpacked; other data are unpacked for the comparison only. Content outside the model is not
 * compared.
 *
 * Fails like tm_map_data, with the object as place. It is not a failure if a visitor ends the walk.
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
