/* SPDX-License-Identifier: Zlib */
/* Runs all steps of a conversion, in order. */
#include "convert.h"
#include "../games/games.h"

/* ------------------------------------------------------------------------------------------- the steps */

/* Sets the map's version to 1, which every game knows; 0.7 refuses others. */
static tm_status convert_version(tmi_convert *convert, tm_error *error)
{
    (void)error;
    if (convert->map->version != 1)
        tmi_convert_changed(convert, (tm_address){TM_ADDRESS_MAP, 0, 0}, 1, "version %d is now 1",
                            (int)convert->map->version);
    convert->map->version = 1;
    return TM_OK;
}

/* The front layer's tiles go to the game layer before the front layer goes. */
static const struct convert_step {
    const char *name;
    tmi_convert_function *run;
} steps[] = {
    {"version", convert_version},
    {"game layer", tmi_convert_game_layers},
    {"tiles", tmi_convert_game_tiles},
    {"layers", tmi_convert_layers},
    {"sounds", tmi_convert_sounds},
    {"settings", tmi_convert_settings},
    {"automappers", tmi_convert_automappers},
    {"groups", tmi_convert_zoom},
    {"envelopes", tmi_convert_envelopes},
    {"images", tmi_convert_images_in},
    {"pixels", tmi_convert_image_pixels},
    {"number of images", tmi_convert_image_number},
    {"data", tmi_convert_data},
};

static tm_status run_convert(tm_map *map, const tm_convert_options *options, tm_report *report,
                             tm_error *error)
{
    tmi_convert convert = {.map = map,
                           .from = map->game,
                           .to = options->to,
                           .options = options,
                           .report = report,
                           .air = TMI_AIR_LIMIT};
    for (size_t i = 0; i < TMI_COUNT_OF(steps); i++) {
        if (tmi_cancelled(options->cancel))
            return tmi_fail(error, TM_ERROR_CANCELLED, -1, "the conversion was cancelled");
        convert.step = steps[i].name;
        TM_TRY(steps[i].run(&convert, error));
    }
    convert.step = "game";
    if (convert.from != convert.to)
        tmi_convert_changed(&convert, (tm_address){TM_ADDRESS_MAP, 0, 0}, 1, "%s becomes %s",
                            tm_game_name(convert.from), tm_game_name(convert.to));
    map->game = convert.to;
    return TM_OK;
}

tm_status tm_convert_run(tm_map *map, const tm_convert_options *options, tm_report *report, tm_error *error)
{
    tm_convert_options how;
    tmi_work work;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_options_take(&how, sizeof(how), options, "tm_convert_options", error));
    if ((size_t)how.to >= TM_GAME_COUNT)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no game %d to convert to", (int)how.to);
    if ((size_t)how.images > TM_CONVERT_KEEP)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%d is not a way to treat images", (int)how.images);
    if (!tm_map_find_layer(NULL, NULL, map, TM_LAYER_GAME))
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "the map has no game layer: no game plays it, so there is nothing to convert to");
    TM_TRY(tmi_work_begin(&work, map, error));
    return tmi_work_end(&work, run_convert(work.clone, &how, &work.report, error), report);
}
