/* SPDX-License-Identifier: Zlib */
/* Runs all steps of a conversion, in order. */
#include "convert.h"
#include "../games/games.h"

/* The front layer's tiles go to the game layer before the front layer goes. */
static const struct convert_step {
    const char *name;
    tmi_convert_function *run;
} steps[] = {
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

tm_status tm_convert_run(tm_map *map, const tm_convert_options *options, tm_report *report, tm_error *error)
{
    tm_convert_options effective;
    tmi_work work;
    tm_status status = TM_OK;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_convert_options", error));
    if ((size_t)effective.to >= TM_GAME_COUNT)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no game %d to convert to", (int)effective.to);
    if ((size_t)effective.images > TM_CONVERT_KEEP)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%d is not a way to treat images", (int)effective.images);
    if (!tm_map_find_layer(NULL, NULL, map, TM_LAYER_GAME))
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "the map has no game layer: no game plays it, so there is nothing to convert to");
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    if (!game->as.tiles.width || !game->as.tiles.height)
        return tmi_fail(
            error, TM_ERROR_UNSUPPORTED, -1,
            "the game layer has no size: no game plays the map, so there is nothing to convert to");
    TM_TRY(tmi_work_begin(&work, map, error));
    tmi_convert convert = {.map = work.clone,
                           .from = work.clone->game,
                           .to = effective.to,
                           .options = &effective,
                           .step = "version",
                           .report = &work.report,
                           .air = TMI_AIR_LIMIT};
    const tm_address address = {TM_KIND_MAP, 0, 0};
    if (work.clone->version != 1) /* every game knows 1; 0.7 refuses others */
        tmi_convert_changed(&convert, address, 1, "version %d is now 1", (int)work.clone->version);
    work.clone->version = 1;
    for (size_t i = 0; i < TMI_COUNT_OF(steps) && !status; i++) {
        convert.step = steps[i].name;
        status = tmi_cancelled(effective.cancel)
                     ? tmi_fail(error, TM_ERROR_CANCELLED, -1, "the conversion was cancelled")
                     : steps[i].run(&convert, error);
    }
    convert.step = "game";
    if (!status && convert.from != convert.to)
        tmi_convert_changed(&convert, address, 1, "%s becomes %s", tm_game_name(convert.from),
                            tm_game_name(convert.to));
    work.clone->game = convert.to;
    return tmi_work_end(&work, status, report);
}
