/* SPDX-License-Identifier: Zlib */
/*
 * entity_sheet.c - finds and reads the pictures of entities. DDNet has a sheet for each kind of server; that of
 * DDNet's own fits its maps, that of vanilla servers all others.
 */
#include "entity_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tm_status read_sheet(tm_pixels *out, const char *path, tm_error *error)
{
    uint8_t *rgba;
    const tm_status status = image_read(path, NULL, &rgba, &out->width, &out->height, error);
    out->rgba = status ? NULL : rgba;
    return status;
}

/* One that is broken counts as none. Takes the path over. */
static void try_sheet(tm_pixels *out, char *path)
{
    if (path)
        (void)read_sheet(out, path, NULL);
    free(path);
}

char *sheets_where(const image_folders *folders, tm_game game)
{
    return image_folders_sheet(folders, game == TM_GAME_DDNET ? "entities_clear/ddnet.png"
                                                              : "entities_clear/vanilla.png");
}

tm_status sheets_load(sheets *out, const cli_options *options, const image_folders *folders, tm_game game,
                      tm_error *error)
{
    *out = (sheets){0};
    if (!options->sheet) {
        try_sheet(&out->entities, sheets_where(folders, game));
        try_sheet(&out->arrow, image_folders_sheet(folders, "speed_arrow.png"));
        return TM_OK;
    }
    if (strcmp(options->sheet, "own") == 0)
        return TM_OK;
    const tm_status status = read_sheet(&out->entities, options->sheet, error);
    if (status) /* it is not about the map */
        snprintf(error->place, sizeof(error->place), "%s", options->sheet);
    return status;
}

static void release(tm_pixels *pixels)
{
    union {
        const void *borrowed;
        void *owned;
    } rgba = {pixels->rgba};
    tm_free(NULL, rgba.owned, (size_t)pixels->width * pixels->height * 4);
    *pixels = (tm_pixels){0};
}

void sheets_release(sheets *of)
{
    release(&of->entities);
    release(&of->arrow);
}
