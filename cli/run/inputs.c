/* SPDX-License-Identifier: Zlib */
/*
 * inputs.c - operations know nothing of files; here is who reads them.
 */
#include "inputs.h"

#include "files.h"

#include <teemap/store.h>

#include <stdlib.h>
#include <string.h>

enum { INPUT_MOST = 256 << 20 }; /* bytes of a picture, a sound or a text */

static tm_status read_input(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                            size_t *num_bytes, tm_error *error)
{
    (void)ctx;
    return read_path(bytes, num_bytes, name, INPUT_MOST, allocator, error);
}

static tm_status open_input(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    const edit_inputs *inputs = ctx;
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = inputs->mode;
    return tm_store_load(map, name, &options, NULL, error);
}

tm_status inputs_open(edit_inputs *out, tm_edit_options *options, const word_list *mapres, const char *path,
                      const loaded *file, tm_mode mode, tm_error *error)
{
    out->mode = mode;
    tm_edit_options_init(options);
    options->images = tm_mapres_provide;
    options->ctx = out;
    options->read = read_input;
    options->open = open_input;
    const tm_status status = images_open(&out->mapres, mapres, path, file->map->game, NULL, error);
    options->images_ctx = out->mapres;
    return status;
}

void inputs_close(edit_inputs *inputs)
{
    tm_mapres_free(inputs->mapres);
    inputs->mapres = NULL;
}
