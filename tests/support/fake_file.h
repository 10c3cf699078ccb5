/* SPDX-License-Identifier: Zlib */
#ifndef TEST_FAKE_FILE_H
#define TEST_FAKE_FILE_H
/*
 * A file that is none: an origin whose blocks lie in memory, for tests of the model alone. Counts what is
 * asked of it and fails when told to.
 */
#include "map/map.h"

#define FAKE_BLOCKS 24

struct fake_file {
    tmi_origin base; /* first */
    const void *bytes[FAKE_BLOCKS];
    uint64_t sizes[FAKE_BLOCKS];
    uint32_t num_blocks;
    atomic_uint num_reads;
    tm_status fail_with; /* what reading block `fail_block` ends with, TM_OK: it does not fail */
    uint32_t fail_block;
    bool freed;
};

/* Not on the heap: the test looks at `freed` afterwards. */
void fake_file_init(struct fake_file *file);
/* Makes it the file of a new map; call once a map. */
void fake_file_attach(struct fake_file *file, tm_map *map);
/* Adds a block of the file (borrowed bytes) and makes a packed block of the map from it. */
tm_block *fake_file_block(struct fake_file *file, tm_map *map, tmi_encoding view, const void *bytes,
                          uint64_t size);
/*
 * A map with some of everything, all data packed: 2 images (one embedded), 2 sounds, 3 envelopes, a group
 * with one layer of each kind that has elements and a group with two tile layers. Quads and sources refer to
 * envelopes, also to missing ones.
 */
tm_map *fake_file_map(struct fake_file *file, const tm_allocator *allocator);

#endif
