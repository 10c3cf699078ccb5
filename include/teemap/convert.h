/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_CONVERT_H
#define TEEMAP_CONVERT_H
/*
 * teemap/convert.h - a map of one game becomes a map of another: DDNet, Teeworlds 0.6, Teeworlds 0.7. What
 * the other game has in another way is changed so that it looks and plays as before; what it cannot have is
 * taken out. Every change is reported, and every loss. Knows nothing of files. docs/convert.md says what is
 * done for which game.
 *
 *     tm_convert_options how = TM_CONVERT_OPTIONS_INIT;
 *     tm_report report;
 *     how.to = TM_GAME_TEEWORLDS07;
 *     how.provider = tm_mapres_provide;
 *     how.provider_ctx = mapres;
 *     tm_report_init(&report, NULL);
 *     status = tm_convert_run(map, &how, &report, &error);
 *
 * Then save the map with tm_mapfile_save_options.rewrite: that writes every item in the form of the new game.
 */
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of external images whose picture the other game does not have under their name. */
typedef enum tm_convert_images {
    /*
     * Their pixels go into the map; those that cannot be had get a name, as below. Where the pictures of
     * both games differ only in parts that the map does not show (tm_convert_options.shipped), they stay.
     */
    TM_CONVERT_EMBED = 0,
    TM_CONVERT_RENAME, /* they get the name by which the other game has the picture, or else are embedded */
    TM_CONVERT_KEEP    /* they stay as they are, and look as the other game has them, or are missing */
} tm_convert_images;

typedef struct tm_convert_options {
    size_t size; /* sizeof(tm_convert_options) */
    tm_game to;  /* default TM_GAME_DDNET */
    tm_convert_images images;
    /*
     * Where the pixels of external images come from; it is asked for those of the game that the map comes
     * from. Default: none can be had.
     */
    tm_image_provider provider;
    void *provider_ctx;
    /*
     * Default false: tiles of the game layer that only DDNet knows become air for Teeworlds, where they would
     * do nothing. True: they stay, for DDNet's servers, which give players of 0.7 such maps to look at.
     */
    bool keep_tiles;
    tm_cancel *cancel; /* default: cannot be cancelled */
    /*
     * Where the pictures come from that the game `to` ships itself; it is asked only for names that this game
     * has. An image of which all cells that the map shows are equal in both games stays external then: of
     * images in quads, all cells. Colors that are not visible count for DDNet, which mixes them in. Default:
     * none can be had, and such images are embedded.
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
 * Converts a map from the game in map->game to that of the options; the same game is fine, too: the map is
 * then brought into order for that game. All or nothing: on failure the map is as before.
 *
 * `report` may be NULL. Each change is in its list; those that lose something name the finding (`lost`),
 * which stands among the findings, too. tm_report_lost counts them by kind:
 *   lost-layer       layers of kinds that the game does not have, and game layers that were not played
 *   lost-tiles       tiles that mean nothing in the game
 *   lost-sound, lost-settings, lost-curve, lost-automapper, lost-field
 *   lost-image       pictures that the game cannot show
 *   not-embedded     images that would look otherwise and could not be had
 * Items of the file that teemap does not know are lost when it is saved; tm_mapfile_save tells (lost-item).
 *
 * Fails with TM_ERROR_UNSUPPORTED for a map without a game layer, as tm_map_data does for damaged tiles, and
 * with TM_ERROR_LIMIT when pixels do not fit into tm_limits.
 */
TM_API tm_status tm_convert_run(tm_map *map, const tm_convert_options *options, tm_report *report,
                                tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
