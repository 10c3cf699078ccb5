/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_FIELD_VALUES_H
#define TMI_MAP_FIELD_VALUES_H
/*
 * Values of fields: what a game and the model accept, and how objects are compared by them.
 */
#include <teemap/fields.h>

#include "../base/base.h"

bool tmi_field_in_game(const tm_field *field, tm_game game);
/*
 * TM_ERROR_USAGE if no game accepts the value, or if it refers to an object that the map does not have. The
 * error names the field, the value and what is allowed.
 */
tm_status tmi_field_check(const tm_map *map, const tm_field *field, const tm_value *value, tm_error *error);
/* Sets a field as tm_field_set does, also to values that no game accepts: whatever the model can hold. */
tm_status tmi_field_set_any(tm_map *map, void *object, const tm_field *field, uint32_t index,
                            const tm_value *value, tm_error *error);
/*
 * Compares one object of each map as tm_map_compare does: an image, sound, envelope, group with its layers,
 * layer, or the whole map. The addresses are of one kind; layers may be of two kinds, which is a difference,
 * and then only what all layers have is compared besides.
 */
tm_status tmi_object_compare(const tm_map *a, const tm_address *address, const tm_map *b,
                             const tm_address *other, const tm_compare_options *options,
                             tm_difference_visit *visit, void *ctx, tm_error *error);
/* Whether two objects differ in nothing; the addresses are as in tmi_object_compare. */
tm_status tmi_objects_equal(bool *equal, const tm_map *a, const tm_address *address, const tm_map *b,
                            const tm_address *other, tm_error *error);

/* A field of an object by name; of a layer also one of its kind, which is the owner then. NULL: none. */
const tm_field *tmi_field_of(tm_kind *owner, const void *object, const char *name);
/* Tries all names of an owner's fields. */
void tmi_suggest_fields(tm_suggestion *meant, tm_kind owner);
/* The bounds that are in force, also where the row leaves them to the storage. False: not a number. */
bool tmi_field_range(const tm_field *field, int64_t *min, int64_t *max);

/* False where the object's guard says no, as for the automapper of a layer without one. */
bool tmi_field_present(const tm_field *field, const void *object);

#endif
