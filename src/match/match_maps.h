/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MATCH_MAPS_H
#define TMI_MATCH_MAPS_H
/*
 * What the files that match maps share.
 */
#include "match.h"

enum { TMI_SKETCH = 64 };

/* What a layer holds, in few numbers; layers that are alike have many of them in common. */
typedef struct tmi_sketch {
    uint32_t cells[TMI_SKETCH]; /* 0: nothing there */
} tmi_sketch;

typedef struct tmi_matcher {
    tmi_match *match;
    const tm_map *map[2];
    tm_kind list;             /* the one at hand */
    uint64_t *keys[2];        /* of its objects */
    uint64_t *blocks[2];      /* tmi_block_key of each layer's elements, made when asked for; 0: not yet */
    tmi_sketch **sketches[3]; /* by number BEFORE, AFTER, and AFTER as if the map were not shifted */
    uint64_t sketched;        /* bytes that were unpacked for them */
    uint32_t *votes;
    uint64_t *users[2]; /* of each envelope or image, while these are matched: a sum over all that use it */
    tmi_arena arena;    /* all of this */
    tm_error *error;
} tmi_matcher;

/* 0: none. */
typedef uint64_t tmi_key_of(tmi_matcher *m, int side, uint32_t number);
/* Makes the keys of what is not paired yet. */
tm_status tmi_matcher_keys(tmi_matcher *m, tm_kind list, tmi_key_of *key_of);
/* Makes keys and pairs by them. */
tm_status tmi_matcher_pass(tmi_matcher *m, tm_kind list, tmi_key_of *key_of, tmi_key_rule rule);

/* Whether all data of two objects are packed alike. */
bool tmi_same_data(tm_kind owner, const void *a, const void *b);

/* match_layers.c */
/* A hash of a layer's kind and size; the size of quads and sources is their number. */
uint64_t tmi_layer_shape(const tm_layer *layer);
/* Layers that stand where they stood, with name, size and data as they were. */
void tmi_match_layers_in_place(tmi_matcher *m);
/* Layers that are what they are without looking at groups. The first step that needs sketches: makes room. */
tm_status tmi_match_sure_layers(tmi_matcher *m);
/* Groups of one name, of which there are several, by what is in them. */
tm_status tmi_match_groups_alike(tmi_matcher *m);
/* All others, when groups are matched. */
tm_status tmi_match_layers(tmi_matcher *m);

#endif
