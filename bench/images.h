/* SPDX-License-Identifier: Zlib */
#ifndef BENCH_IMAGES_H
#define BENCH_IMAGES_H
/*
 * images.h - a provider of external images for the programs that time drawing: NAME.png of one folder. It
 * keeps nothing between calls, so that each program pays for reading as a command does.
 */
#include <teemap/render.h>

/* A tm_image_provider; `ctx` is the folder's path. */
tm_status image_of_folder(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                          uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error);

#endif
