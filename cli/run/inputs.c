/* SPDX-License-Identifier: Zlib */
/*
 * inputs.c - operations know nothing of files; here is who reads them.
 */
#include "inputs.h"

#include "files.h"

#include <time.h>

enum { INPUT_MAX = 256 << 20 }; /* bytes of a picture, a sound or a text */

static tm_status read_input(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                            size_t *num_bytes, tm_error *error)
{
    (void)ctx;
    return read_path(bytes, num_bytes, name, INPUT_MAX, allocator, error);
}

static tm_status open_input(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    const edit_inputs *inputs = ctx;
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = inputs->mode;
    return tm_store_load(map, name, &options, NULL, error);
}

tm_status inputs_read_rules(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num_bytes, tm_error *error)
{
    const edit_inputs *inputs = ctx;
    char *path;
    tm_status status = tm_mapres_find_rules(&path, inputs->mapres, image, game, error);
    if (!status)
        status = read_path(bytes, num_bytes, path, INPUT_MAX, allocator, error);
    free(path);
    return status;
}

/* Nothing depends on it but maps for which nobody wants the same twice. */
static int32_t draw_number(void)
{
    const uint64_t mixed =
        ((uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL) ^ (uint64_t)clock() * 0xd1b54a32d192ed03ULL;
    return (int32_t)(mixed >> 33) % 1000000000 + 1;
}

tm_status inputs_open(edit_inputs *out, tm_edit_options *options, const word_list *mapres, const char *path,
                      const loaded *file, tm_error *error)
{
    *options = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
    options->images = tm_mapres_provide;
    options->ctx = out;
    options->read = read_input;
    options->open = open_input;
    options->rules = inputs_read_rules;
    options->draw = draw_number();
    const tm_status status = images_open(&out->mapres, mapres, path, file->map->game, NULL, error);
    options->images_ctx = out->mapres;
    return status;
}

void inputs_close(edit_inputs *inputs)
{
    tm_mapres_free(inputs->mapres);
    inputs->mapres = NULL;
}
