/* SPDX-License-Identifier: Zlib */
#ifndef CLI_ENTITY_SHEET_H
#define CLI_ENTITY_SHEET_H
/*
 * entity_sheet.h - the pictures of entities: those of --sheet, of an installed game, or none, which are then the
 * library's own.
 */
#include "mapres_search.h"

typedef struct sheets {
    tm_pixels entities, arrow; /* rgba NULL: none */
} sheets;

/* Fails only for a file of --sheet that cannot be used. */
tm_status sheets_load(sheets *out, const cli_options *options, const image_folders *folders, tm_game game,
                      tm_error *error);
void sheets_release(sheets *of);

/* Where the sheet of a map of this game comes from; NULL: it is the library's. */
char *sheets_where(const image_folders *folders, tm_game game);

#endif
