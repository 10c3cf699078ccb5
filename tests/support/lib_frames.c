/* SPDX-License-Identifier: Zlib */
/* See lib_frames.h. */
#include "lib_frames.h"
#include "pixels.h"
#include "test.h"

uint8_t test_frames[NUM_FRAMES][SIZE];

void test_frames_make(void)
{
    static const size_t places[NUM_FRAMES][2] = {{9, 9},   {12, 11}, {0, 0},  {40, 9}, {40, 9},
                                                 {70, 45}, {1, 30},  {2, 30}, {74, 0}};
    FREED uint8_t *pixels = test_pixels(WIDTH, HEIGHT);
    for (size_t i = 0; i < NUM_FRAMES; i++) {
        memcpy(test_frames[i], pixels, SIZE);
        for (size_t k = 0; i == 6 && k < SIZE; k++)
            test_frames[i][k] = (uint8_t)(255 - test_frames[i][k]);
        for (size_t y = places[i][1]; y < HEIGHT && y < places[i][1] + 5; y++)
            for (size_t x = places[i][0]; x < WIDTH && x < places[i][0] + 5; x++)
                memcpy(test_frames[i] + (y * WIDTH + x) * 4, "\xff\x20\x40\xff", 4);
    }
}

tm_animation_options test_frames_as(tm_animation_format format, bool opaque, bool smallest)
{
    tm_animation_options options = TM_ANIMATION_OPTIONS_INIT;
    options.format = format;
    options.opaque = opaque;
    options.smallest = smallest;
    return options;
}

size_t test_frames_formats(tm_animation_format out[4])
{
    size_t num = 0;
    out[num++] = TM_ANIMATION_APNG;
    out[num++] = TM_ANIMATION_RAW;
    if (tm_webp_available())
        out[num++] = TM_ANIMATION_WEBP;
    if (tm_gif_available())
        out[num++] = TM_ANIMATION_GIF;
    return num;
}
