/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_INTERNAL_H
#define TMI_MAP_INTERNAL_H
/*
 * What the files of map/ share among themselves and nobody else sees: parts of layers as lists, borrowed
 * bytes, the arrays of a map as data.
 */
#include "map.h"

/* -------------------------------------------------------------------------------- what callers hand in */

/* TM_ERROR_USAGE for an object that does not exist: a NULL map, a wrong kind, an index out of range. */
tm_status tmi_check_object(const tm_map *map, tm_kind object, uint32_t index, tm_error *error);
tm_status tmi_check_layer(const tm_map *map, uint32_t group, uint32_t layer, tm_error *error);
tm_status tmi_find_layer(tm_layer **out, tm_map *map, uint32_t group, uint32_t layer, tm_error *error);
/* A place to insert before: 0 to the number of objects. */
tm_status tmi_check_place(const tm_map *map, tm_kind object, uint32_t at, tm_error *error);
tm_status tmi_check_layer_place(const tm_map *map, uint32_t group, uint32_t at, tm_error *error);

/* -------------------------------------------------------------------------------------------------- bytes */

/*
 * Gives a block that shares its bytes its own copy, so that it can change without changing the others. A
 * packed block stays packed.
 */
tm_status tmi_block_unshare(tm_map *map, tm_block *block, tm_error *error);

/* -------------------------------------------------------------------------------------------- descriptors */

/*
 * A kind of object that stands in an array: where the array is in its owner (the map, or a group for layers).
 * All insertion, removal, moving and cloning is written once, over these.
 */
typedef struct tmi_array {
    tm_kind kind;
    size_t items_offset, num_offset; /* of the array's pointer and count in the owner */
    size_t size;
    size_t origin_offset;
    size_t user_offset;
} tmi_array;
static inline void *tmi_item_at(const tmi_array *array, const void *items, uint32_t index)
{
    return TMI_UNCONST(char, items) + (size_t)index * array->size;
}
/* Images, sounds, envelopes, groups; NULL for another kind. */
const tmi_array *tmi_map_array_of(tm_kind kind);
/* Those and layers, of which all kinds have one row. */
const tmi_array *tmi_array_of(tm_kind kind);
/* Makes `out` (uninitialised) a copy of `original` that belongs to `map`; nothing to release on failure. */
tm_status tmi_item_copy(const tmi_array *array, tm_map *map, void *out, const tm_map *source,
                        const void *original, tm_error *error);
extern const tmi_array tmi_layer_array;

void *tmi_items(const tmi_array *array, const void *owner);
uint32_t tmi_num(const tmi_array *array, const void *owner);
/* Puts another array into the owner without looking at the old one. */
void tmi_set_items(const tmi_array *array, void *owner, void *items, uint32_t num);
/* The array for `num` objects, not zeroed; *out is NULL for none. */
tm_status tmi_items_new(void **out, const tmi_array *array, tm_map *map, uint64_t num, tm_error *error);
/* Releases all objects of an array and frees it. */
void tmi_items_free(const tmi_array *array, tm_map *map, void *items, uint32_t num);
/* The owner's array as a new one with a gap of zeros at `at`. */
tm_status tmi_items_gap(void **out, const tmi_array *array, tm_map *map, const void *owner, uint32_t at,
                        tm_error *error);
/* Puts an array in place of the old one, whose objects live on in it or have been released. */
void tmi_items_replace(const tmi_array *array, tm_map *map, void *owner, void *items, uint32_t num);
/* Puts a copy of an object of `source` into the owner's array at `at`, and keeps all references right. */
tm_status tmi_items_put_copy(const tmi_array *array, tm_map *map, void *owner, uint32_t at,
                             const tm_map *source, const void *original, tm_error *error);
/* Makes the owner's empty array a copy of another owner's. */
tm_status tmi_items_copy(const tmi_array *array, tm_map *map, void *owner, const tm_map *source,
                         const void *other, tm_error *error);

/*
 * Makes a copy an object of the map: drops its connection to the file of another map, and gives it its own
 * data.
 */
void tmi_object_own(const tm_map *map, tm_kind owner, void *object);

/*
 * Bytes of width x height tiles. TM_ERROR_USAGE for no tiles at all, TM_ERROR_LIMIT for more than a file can
 * say.
 */
tm_status tmi_tiles_size(uint64_t *out, uint32_t width, uint32_t height, size_t tile_size, tm_error *error);

/* -------------------------------------------------------------------------------------------------- texts */

/*
 * Adds a text to those of the map; *out, which has the same content, lives until it is released. NULL for
 * NULL.
 */
tm_status tmi_text_add(tm_map *map, const char **out, const char *text, tm_error *error);
/* Ends one use of a text that was added; any other text is left alone. Cannot fail. */
void tmi_text_release(tm_map *map, const char *text);
/*
 * The text of another map (or the same) for `map`, to be released in any case: texts of the file that both
 * come from are shared, others are added.
 */
tm_status tmi_text_copy(tm_map *map, const char **out, const tm_map *source, const char *text,
                        tm_error *error);
/* Frees all texts. */
void tmi_text_pool_release(tmi_text_pool *pool, const tm_allocator *allocator);

/* ------------------------------------------------------------------------------- what could not be read */

/* Frees the blocks of an object. */
void tmi_unread_release(tm_map *map, tm_kind owner, void *object);

/* ------------------------------------------------------------------------------------ the table of fields */

/* The fields of a kind. */
typedef struct tmi_kind_row {
    const tm_field *fields; /* lists and blocks are last */
    size_t num;
} tmi_kind_row;
extern const tmi_kind_row tmi_kind_rows[TM_KINDS];

/* Gives all plain fields of an object their first values, on zeroed memory. */
void tmi_fields_init(tm_kind owner, void *object);
/* The array of a list. */
const char *tmi_list_items(const tm_field *list, const void *object);
/* Makes the address of what holds a list that of the list's `index`-th object. */
void tmi_address_enter(tm_address *address, tm_kind owner, uint32_t index);

/* --------------------------------------------------------------------------------------------- references */

typedef enum tmi_change { TMI_INSERTED, TMI_REMOVED, TMI_MOVED } tmi_change;

/* What happens to one of the arrays, as a mapping from old index to new. */
typedef struct tmi_renumber {
    tm_kind object;
    tmi_change change;
    uint32_t from; /* REMOVED, MOVED */
    uint32_t to;   /* INSERTED, MOVED */
    uint32_t num;  /* objects before the change */
} tmi_renumber;

/* Does all that can fail; changes nothing that anybody sees. */
tm_status tmi_renumber_prepare(const tmi_renumber *renumbering, tm_map *map, tm_error *error);
/* After prepare, before or after the array itself has changed. */
void tmi_renumber_apply(const tmi_renumber *renumbering, tm_map *map);

#endif
