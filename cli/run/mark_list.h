/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MARK_LIST_H
#define CLI_MARK_LIST_H
/*
 * mark_list.h - marks that are gathered for one map, and what is the same whatever they are about: where a
 * quad or source is, and what kind of mark a tile gets.
 */
#include "picture.h"

#include <teemap/patch.h>
#include <teemap/preview.h>

typedef struct mark_list {
    tm_preview_mark *marks; /* owned */
    uint32_t *subjects;     /* owned: of each mark, which change or conflict it is about */
    size_t num, capacity;
    size_t num_frames;
    bool *framed; /* owned: by number of a layer through all groups, whether it has a frame; NULL: none has */
} mark_list;

/* What is marked on maps that are shown side by side. */
enum { MAX_MARKED_MAPS = 3, MAX_TINTS = 100000 };
typedef struct map_marks {
    mark_list map[MAX_MARKED_MAPS];
    bool physics;       /* some are in layers that the game plays by */
    uint32_t placeless; /* subjects without a place */
    uint32_t left_out;  /* those that would have been too many frames */
} map_marks;
void map_marks_release(map_marks *of);

/* Changes or conflicts on their way to marks, one after the other. */
typedef struct marking {
    map_marks *out;
    const tm_map *maps[MAX_MARKED_MAPS];
    double time;    /* ms */
    size_t most;    /* frames; what would be more is left out */
    uint32_t index; /* of the one at hand */
    tm_error *error;
} marking;
/* Adds a mark to the map `version`. */
void marking_add(marking *m, int version, const tm_preview_mark *mark);
/* A frame around all that a layer holds, or each layer of a group; once, and none where nothing is. */
tm_status marking_object(marking *m, int version, const tm_address *at, tm_mark_kind kind);
/* Around a quad or sound source; NULL: there is none. */
void marking_element(marking *m, int version, uint32_t group, tm_owner owner, const void *element,
                     tm_mark_kind kind);
/* Marks what is at hand by `mark`, unless there are enough frames; NULL: it has no place. */
tm_status marking_one(marking *m, tm_status (*mark)(marking *m));

/*
 * How marked maps are drawn when the options do not say: with marks in what the game plays by, that, over a
 * fainter design. `output` is where the picture goes.
 */
picture_options map_marks_drawing(const map_marks *of, const picture_options *options, const char *output);

/* Names, and what only editors know, show nothing. */
bool mark_shows_field(const tm_field *field);
/* What became of a tile, by its index; of several, where bit k stands for one of kind k. */
tm_mark_kind mark_kind_of_tile(uint8_t was, uint8_t is);
tm_mark_kind mark_kind_of_many(uint8_t seen);

#endif
