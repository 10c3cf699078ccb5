/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MARK_LIST_H
#define TMI_MARK_LIST_H
/*
 * Marks that are gathered for maps, and what is the same whatever they are about: where a layer, a quad or a
 * source is, and what kind of mark a tile gets.
 */
#include "preview.h"

enum { TMI_MAX_TINTS = 100000 };

/* Changes or conflicts on their way to marks, one after the other. */
typedef struct tmi_marking {
    tm_preview_marks *out;
    const tm_map *maps[TM_PREVIEW_MARKED_MAPS];
    uint8_t *framed[TM_PREVIEW_MARKED_MAPS]; /* of each layer through all groups: it has a frame */
    double time;                             /* ms */
    size_t most;                             /* frames; what would be more is left out */
    uint32_t index;                          /* of the one at hand */
    tm_error *error;
} tmi_marking;

/* Begins without marks. Whatever comes of it, tmi_marking_end frees what only the work needs. */
tm_status tmi_marking_begin(tmi_marking *m);
tm_status tmi_marking_end(tmi_marking *m, tm_status status);
/* Adds a mark to the map `version`. */
tm_status tmi_marking_add(tmi_marking *m, int version, const tm_preview_mark *mark);
/* A frame around all that a layer holds, or each layer of a group; once, and none where nothing is. */
tm_status tmi_marking_object(tmi_marking *m, int version, const tm_address *at, tm_mark_kind kind);
/* Around a quad or sound source; NULL: there is none. */
tm_status tmi_marking_element(tmi_marking *m, int version, uint32_t group, tm_owner owner,
                              const void *element, tm_mark_kind kind);
/* Whether there are enough frames: then what is at hand is left out, and counted as such. */
bool tmi_marking_is_full(tmi_marking *m);
/* All marks; what has added none has no place. */
size_t tmi_marking_num(const tmi_marking *m);

/* Names, and what only editors know, show nothing. */
bool tmi_mark_shows_field(const tm_field *field);
/* What became of a tile, by its index. */
tm_mark_kind tmi_mark_kind_of_tile(uint8_t was, uint8_t is);

#endif
