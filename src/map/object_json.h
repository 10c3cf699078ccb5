/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_OBJECT_JSON_H
#define TMI_MAP_OBJECT_JSON_H
/*
 * Objects as JSON, by the table of fields: written by write_object.c, read by read_object.c.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* Where objects are written, and how references to others are: by name, or by number where that is NULL. */
struct tmi_out;
typedef struct tmi_object_out {
    struct tmi_out *writer;
    const char *(*name)(const void *names, tm_kind kind, int64_t index); /* may be NULL, and return it */
    const void *names;
    bool sizes; /* with counts, sizes of blocks and second readings of fields, which nobody reads back */
} tmi_object_out;
/* All members of an object but blocks and lists, into the braces that are open. */
void tmi_object_put(const tmi_object_out *out, tm_kind owner, const void *object);
/* One element, and a list: behind the first three fields, those that are as in new ones are left out. */
void tmi_element_put(const tmi_object_out *out, const char *name, tm_kind owner, const void *element,
                     uint32_t num_values);
void tmi_elements_put(const tmi_object_out *out, const char *name, tm_kind owner, const void *elements,
                      uint32_t num, uint32_t num_values);
void tmi_points_put(const tmi_object_out *out, const tm_envelope *envelope);
void tmi_value_put(const tmi_object_out *out, const char *key, const tm_field *field, const tm_value *value);
/* TM_ERROR_USAGE for an address that leads to no object with fields. */
tm_status tmi_check_address(const tm_map *map, const tm_address *address, tm_error *error);

/* How objects are read: texts go to the map, references to the objects that `find` knows. */
struct tm_json;
typedef struct tmi_object_in {
    tm_map *map;
    bool foreign; /* references are to objects of another map, by number, and are not checked */
    int32_t (*find)(void *ctx, tm_kind kind, const char *name); /* TM_NONE for none; NULL: by number */
    /* What cannot be, or a member that nothing has; after TM_OK reading goes on. */
    tm_status (*fault)(void *ctx, const struct tm_json *node, bool unknown, const char *text);
    void *ctx;
    tm_error *error;
} tmi_object_in;
/* An object, and the owners of its fields: one, or two of layers. */
typedef struct tmi_fields_of {
    tm_kind owners[2];
    uint32_t num_owners;
    void *object;
} tmi_fields_of;
/* The fields of a layer that is of a kind, or will be. */
tmi_fields_of tmi_fields_of_layer(tm_layer *layer, tm_layer_kind kind);
/* Gives all plain fields of an object their first values, on zeroed memory. */
void tmi_fields_start(const tmi_fields_of *target);
/* One member, and whether it is a plain field or has some within. */
bool tmi_member_known(const tmi_fields_of *target, const char *name);
tm_status tmi_member_read(const tmi_object_in *reader, const tmi_fields_of *target,
                          const struct tm_json *member);
/* The first values, and then all members; blocks and lists are left to the caller. */
tm_status tmi_object_read(const tmi_object_in *reader, const tmi_fields_of *target,
                          const struct tm_json *node);
/* One value; *fine is false after a fault. Texts stay those of the node. */
tm_status tmi_value_read(const tmi_object_in *reader, const tm_field *field, const struct tm_json *node,
                         tm_value *out, bool *fine);
/* Digits of bytes, with a NUL behind them that does not count. */
tm_status tmi_hex_read(const tmi_object_in *reader, const struct tm_json *node, tm_buffer *out);

#endif
