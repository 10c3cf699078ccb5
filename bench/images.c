/* SPDX-License-Identifier: Zlib */
/*
 * images.c - external images from one folder, for the programs that time drawing. Names are those of maps
 * that the caller trusts: this is no part of the library.
 */
#include "images.h"

#include <teemap/codec.h>

#include <stdio.h>
#include <stdlib.h>

tm_status image_of_folder(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                          uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    char path[1024];
    (void)game;
    const int length = snprintf(path, sizeof(path), "%s/%s.png", (const char *)ctx, name);
    FILE *file = length > 0 && (size_t)length < sizeof(path) ? fopen(path, "rb") : NULL;
    if (!file)
        return TM_ERROR_NOT_FOUND;
    const size_t most = 16 << 20;
    uint8_t *bytes = malloc(most);
    const size_t size = bytes ? fread(bytes, 1, most, file) : 0;
    fclose(file);
    const tm_status status = tm_png_read(rgba, width, height, bytes, size, 0, allocator, NULL);
    free(bytes);
    return status;
}
