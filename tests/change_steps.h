/* SPDX-License-Identifier: Zlib */
#ifndef TEST_CHANGE_STEPS_H
#define TEST_CHANGE_STEPS_H
/*
 * Changes of a map as a stream of bytes, for random tests and fuzzing: each step takes some bytes, picks one
 * function of the model by them and calls it with arguments made from them, now and then with wrong ones. The
 * same bytes give the same steps. Maps stay small.
 *
 * change_steps.c is included by the test or fuzz target that uses it.
 */
#include "map/map.h"

struct change_bytes {
    const uint8_t *bytes;
    size_t size;
    size_t pos; /* at the end: zeros are read */
};

/* What a step has done, so that a test can follow each object. */
struct change_result {
    const char *name; /* of the step */
    tm_status status; /* of the function that it called; TM_OK if there was nothing to do */
    bool rearranged;  /* inserted, removed, moved or duplicated something; nothing else was changed */
    bool added;       /* the object below is new */
    bool is_layer;    /* it is a layer of group `group` at `at`, else an object of kind `object` at `at` */
    tm_kind object;
    uint32_t group, at;
};

/* The next of some random numbers, the same everywhere. */
uint64_t change_random(uint64_t *state);

struct change_result change_step(tm_map *map, struct change_bytes *stream, tm_error *error);

/*
 * tm_map_verify, and what it cannot see: that the bytes held are counted right, while no clone of the map holds
 * any. NULL, or what is wrong.
 */
const char *change_fault(const tm_map *map, tm_error *error);

#define LAYER_AT(...)  (&(tm_address){TM_KIND_LAYER, __VA_ARGS__})
#define ENVELOPE_AT(i) (&(tm_address){TM_KIND_ENVELOPE, i, 0})

#endif
