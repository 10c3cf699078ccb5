/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_OBJECTS_H
#define TMI_MAP_OBJECTS_H
/*
 * Objects one by one: copies of their structs, and maps that are assembled anew of some of them.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* Room for an object of any list. */
typedef union tmi_any_object {
    tm_image image;
    tm_sound sound;
    tm_envelope envelope;
    tm_group group;
    tm_layer layer;
} tmi_any_object;

/* Room for an element of any list. */
typedef union tmi_any_element {
    tm_envelope_point point;
    tm_quad quad;
    tm_sound_source source;
    tm_old_source old;
} tmi_any_element;
/*
 * A copy of one object's struct for a map: TM_KIND_IMAGE, SOUND, ENVELOPE, LAYER, or GROUP, which comes
 * without its layers. References stay as they are. What it remembers of another map's file is forgotten.
 */
tm_status tmi_object_copy(tm_map *map, tm_kind owner, void *out, const tm_map *source, const void *original,
                          tm_error *error);
void tmi_object_release(tm_map *map, tm_kind owner, void *object);
/* What the caller knows an object by (`user`) stays with the original: for copies, with layers of a group. */
void tmi_object_forget_user(tm_kind owner, void *object);
/* Where an image, sound, envelope, group or layer remembers its item. */
tm_origin *tmi_object_origin(tm_kind owner, void *object);
/* The blocks that an object owns, at most two. */
uint32_t tmi_object_blocks(tm_kind owner, void *object, tm_block **slots[2]);

/* Where the objects of a map that is made again come from: TM_NONE for a new one, which starts as usual. */
typedef struct tmi_arrangement {
    const int32_t *old_indices[TM_KIND_GROUP + 1]; /* by kind: of each object its old index */
    uint32_t num[TM_KIND_GROUP + 1];
    const int32_t *layers;      /* of all groups, one after the other: old number among all layers */
    const uint32_t *num_layers; /* of each group */
} tmi_arrangement;
/*
 * Drops, moves and adds objects, all at once; each old one is named once at most. References follow, those to
 * dropped objects become TM_NONE, and so do indices inside data that led to nothing and would lead to
 * something now. New layers are of kind TM_LAYER_UNKNOWN. May fail half done: for clones.
 */
tm_status tmi_map_assemble(tm_map *map, const tmi_arrangement *arrangement, tm_error *error);

#endif
