/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_CONVERT_H
#define TEEMAP_CONVERT_H
/*
 * teemap/convert.h - converts a map to another game: DDNet, Teeworlds 0.6, Teeworlds 0.7. Whatever the target
 * game stores differently is changed, so that the map looks and plays as before; whatever it does not support
 * is removed. Every change and every loss is reported. No files. docs/convert.md lists the changes.
 *
 *     tm_convert_options how = TM_CONVERT_OPTIONS_INIT;
 *     tm_report report;
 *     how.to = TM_GAME_TEEWORLDS07;
 *     how.provider = tm_mapres_provide;
 *     how.provider_ctx = mapres;
 *     tm_report_init(&report, NULL);
 *     status = tm_convert_run(map, &how, &report, &error);
 *
 * Then save the map with tm_mapfile_save_options.rewrite, which writes every item in the form of the new
 * game.
 */
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to do with external images whose picture the target game does not have under their name. */
typedef enum tm_convert_images {
    /*
     * Embed their pixels; those that are not found are renamed, as below. If the pictures of both games only
     * differ in parts that the map does not show (tm_convert_options.shipped), they stay external.
     */
    TM_CONVERT_EMBED = 0,
    TM_CONVERT_RENAME, /* rename them to the target game's name of the picture, or else embed them */
    TM_CONVERT_KEEP    /* keep them; they look different or are missing in the target game */
} tm_convert_images;

typedef struct tm_convert_options {
    size_t size; /* sizeof(tm_convert_options) */
    tm_game to;  /* default TM_GAME_DDNET */
    tm_convert_images images;
    /* Provides the pixels of external images of the source game. Default: none are found. */
    tm_image_provider provider;
    void *provider_ctx;
    /*
     * Default false: tiles of the game layer that only DDNet knows become air for Teeworlds, where they have
     * no effect. True: keep them, for DDNet servers, which show such maps to 0.7 players.
     */
    bool keep_tiles;
    tm_cancel *cancel; /* default: not cancellable */
    /*
     * Provides the pictures that the target game itself ships; called only for names that this game has. An
     * image stays external if all visible cells are equal in both games; for images in quads, all cells. For
     * DDNet, colors of invisible pixels count, because it mixes them in. Default: none are found, and such
     * images are embedded.
     */
    tm_image_provider shipped;
    void *shipped_ctx;
} tm_convert_options;
#define TM_CONVERT_OPTIONS_INIT                                                                         \
    {                                                                                                   \
        sizeof(tm_convert_options), TM_GAME_DDNET, TM_CONVERT_EMBED, (tm_image_provider)0, NULL, false, \
            NULL, (tm_image_provider)0, NULL                                                            \
    }

/*
 * Converts a map from the game in map->game to that of the options; if both are the same, the map is
 * normalized for this game. All or nothing: on failure the map is unchanged.
 *
 * `report` may be NULL. It lists each change; losses have a finding (`lost`), which is also in the findings.
 * tm_report_lost counts them by kind:
 *   lost-layer       layers of unsupported kinds, and unused game layers
 *   lost-tiles       tiles without meaning in the game
 *   lost-sound, lost-settings, lost-curve, lost-automapper, lost-field
 *   lost-image       pictures that the game cannot show
 *   not-embedded     images that look different and were not found
 * Items of the file that teemap does not know are lost when it is saved; tm_mapfile_save reports them
 * (lost-item).
 *
 * Fails with TM_ERROR_UNSUPPORTED for a map without a game layer, like tm_map_data for damaged tiles, and
 * with TM_ERROR_LIMIT if pixels exceed tm_limits.
 */
TM_API tm_status tm_convert_run(tm_map *map, const tm_convert_options *options, tm_report *report,
                                tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
