/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_FRAMES_H
#define TEST_LIB_FRAMES_H
/* The frames of an animation, for the tests of all its formats. */
#include <teemap/codec.h>

enum { WIDTH = 75, HEIGHT = 50, NUM_FRAMES = 9, SIZE = WIDTH * HEIGHT * 4 };

/*
 * A small square moves over the picture, into two corners; frames 3 and 4 are equal; 6 differs all over. To be made
 * before the tests of a group.
 */
extern uint8_t test_frames[NUM_FRAMES][SIZE];
void test_frames_make(void);

tm_animation_options test_frames_as(tm_animation_format format, bool opaque, bool smallest);

/* Those that this library can write; their number. */
size_t test_frames_formats(tm_animation_format out[4]);

#endif
