/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_OTHER_H
#define TMI_EDIT_OTHER_H
/*
 * Shared by operations that import from another map: the choice of layers, the import of physics tiles into
 * the map's own layers with new numbers, and the clean-up afterwards.
 */
#include "edit.h"

/* A region of the other map and its target, in tiles. */
typedef struct tmi_other_area {
    tm_rect rect;       /* of tiles in the other map; may be empty */
    int32_t to_x, to_y; /* in this map; not below 0 */
    bool replaces;      /* replaces what is there; else air is not imported */
    bool empties;       /* kinds of physics layers that the other map lacks count as air */
} tmi_other_area;

typedef struct tmi_other {
    tmi_edit *edit;
    tm_map *map;        /* of the edit */
    tm_map *source;     /* the other one */
    const char *name;   /* of its file */
    bool named;         /* its layers were named; else all but physics are meant */
    bool keeps_numbers; /* teleporters, switches and tuning zones keep their numbers */
    tmi_edit_objects layers;
    uint32_t had[TM_KIND_ENVELOPE + 1]; /* images, sounds, envelopes before */
    uint64_t reported; /* a bit for each image of which the report says that it is another picture */
    uint8_t numbers[TMI_POOLS][TMI_NUMBERS]; /* what numbers of the other map become; 0: not used */
} tmi_other;

/*
 * Opens values[0] and chooses the layers of values[layers], keeps numbers if values[layers + 1] says so. The
 * other map is to be freed.
 */
tm_status tmi_other_open(tmi_other *out, tmi_edit *edit, uint32_t layers, tm_error *error);
/* Whether a layer of the other map is chosen, and no physics layer. */
bool tmi_other_chose_design(const tmi_other *other, uint32_t group, uint32_t layer);
/* Puts a layer of the other map before index `at` of a group, with what it refers to. */
tm_status tmi_other_import(tmi_other *other, uint32_t group, uint32_t at, uint32_t from_group,
                           uint32_t from_layer, tm_error *error);
/* A new group before index `at` that stands as one of the other map does, without layers. */
tm_status tmi_other_add_group(tmi_other *other, uint32_t at, uint32_t from_group, tm_error *error);
/* The map's or the other map's group with the game layer; UINT32_MAX: none. */
uint32_t tmi_other_game_group(const tm_map *map);
/*
 * Imports physics tiles of an area into the physics layers of the map, which grow to the right and below, and
 * are made if missing. Numbers that the map already has become free ones; settings that name them are
 * imported.
 */
tm_status tmi_other_physics(tmi_other *other, const tmi_other_area *area, tm_error *error);
/* Gives new images and sounds names of their own, and removes what came along and is not used. */
tm_status tmi_other_finish(tmi_other *other, tm_error *error);

/* Removes objects from index `first` on to which nothing refers, silently. */
tm_status tmi_clean_new(tmi_edit *edit, tm_kind object, uint32_t first, tm_error *error);
/* Appends a command, and counts it, if it is not there yet. */
tm_status tmi_settings_append(uint64_t *count, tm_map *map, const char *text, tm_error *error);

#endif
