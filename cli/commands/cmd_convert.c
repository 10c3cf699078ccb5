/* SPDX-License-Identifier: Zlib */
/*
 * cmd_convert.c - `teemap convert`: maps of one game become maps of another. What is changed is the library's
 * to know (teemap/convert.h); here are files, threads, where images come from, and what is printed.
 */
#include "change_maps.h"

typedef struct convert_options {
    change_options change;
    bool refuse_loss, has_game, has_from, keep_tiles;
    tm_game game, from;
    tm_convert_images images;
} convert_options;

static const option_choice image_ways[] = {{"embed", TM_CONVERT_EMBED, false},
                                           {"rename", TM_CONVERT_RENAME, false},
                                           {"keep", TM_CONVERT_KEEP, false},
                                           {NULL, 0, false}};

static const option_row convert_rows[] = {
    {0, "to", "GAME", CHOICE_AT(convert_options, game, game_choices), GIVEN_AT(convert_options, has_game),
     .text = "target game; required"},
    {0, "from", "GAME", CHOICE_AT(convert_options, from, game_choices), GIVEN_AT(convert_options, has_from),
     .text = "game of the input maps, if the file does not tell: some 0.7 maps look like 0.6 maps"},
    CHANGE_OUTPUT_ROWS(convert_options),
    {0, "refuse-loss", NULL, FLAG_AT(convert_options, refuse_loss),
     .text = "do not write a map that would lose something; report the losses"},
    {0, "keep-tiles", NULL, FLAG_AT(convert_options, keep_tiles),
     .text = "keep DDNet's tiles in the game layer; they have no effect in Teeworlds"},
    {0, "images", "WAY", CHOICE_AT(convert_options, images, image_ways), .preset = "embed",
     .group = GROUP_IMAGES,
     .text =
         "external images that the target game lacks or draws differently: embed them; rename them to the game's own "
         "name of the picture, if it has one; or keep them as they are"},
    CHANGE_IMAGES_ROW(convert_options),
    CHANGE_RUNNING_ROWS,
    {0},
};

COMMAND(convert, convert_options, 1, -1, .operands = {OPERAND_MAP});

static uint64_t count_of(const tm_findings *findings, tm_finding_id id)
{
    uint64_t count = 0;
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id)
            count += findings->list[i].count;
    return count;
}

static uint64_t count_losses(const tm_findings *findings)
{
    uint64_t count = 0;
    for (int id = TM_FINDING_LOST_LAYER; id <= TM_FINDING_LOST_IMAGE; id++)
        count += count_of(findings, (tm_finding_id)id);
    return count;
}

/*
 * Saving, too, finds losses: items that nobody knows, and what could not be read. So a map that may lose
 * nothing is saved to nowhere before it is written.
 */
static tm_status refuse_losses(changed_map *map, tm_error *error)
{
    output_file nowhere;
    tm_findings *findings = &map->file.findings;
    tm_mapfile_save_options quick = map->save_options;
    quick.level = -1;
    const uint64_t before = count_losses(findings);
    tm_status status = output_open(&nowhere, NULL, error);
    status =
        status ? status : tm_mapfile_save(map->file.map, &nowhere.output, &quick, map->job, findings, error);
    map->refused = tm_report_has_warnings(&map->done) || count_losses(findings) > before;
    return status;
}

static tm_status convert_map(void *ctx, changed_map *map, tm_error *error)
{
    const convert_options *options = ctx;
    const tm_game from = options->has_from ? options->from : map->file.map->game;
    tm_convert_options request = TM_CONVERT_OPTIONS_INIT;
    tm_mapres *mapres, *shipped = NULL;
    tm_status status = images_open(&mapres, &options->change.mapres, map->path, from, NULL, error);
    if (!status)
        status = images_open_shipped(&shipped, &options->change.mapres, options->game, error);
    request.to = options->game;
    request.images = options->images;
    request.keep_tiles = options->keep_tiles;
    request.provider = tm_mapres_provide;
    request.provider_ctx = mapres;
    request.shipped = tm_mapres_provide;
    request.shipped_ctx = shipped;
    request.cancel = map->job ? map->job->cancel : NULL;
    map->save_options.rewrite = true;
    map->file.map->game = from;
    if (!status)
        status = tm_convert_run(map->file.map, &request, &map->done, error);
    if (!status && options->refuse_loss)
        status = refuse_losses(map, error);
    tm_mapres_free(shipped);
    tm_mapres_free(mapres);
    return status;
}

static const tm_finding_id losses[] = {
    TM_FINDING_LOST_LAYER, TM_FINDING_LOST_TILES,      TM_FINDING_LOST_SOUND, TM_FINDING_LOST_SETTINGS,
    TM_FINDING_LOST_CURVE, TM_FINDING_LOST_AUTOMAPPER, TM_FINDING_LOST_FIELD, TM_FINDING_LOST_IMAGE,
    TM_FINDING_LOST_ITEM,  TM_FINDING_NOT_EMBEDDED};

/* How much was lost of each kind, by the names of the findings; kinds without a loss are left out. */
static void add_convert_json(void *ctx, const changed_map *map, json_t *object)
{
    (void)ctx;
    json_t *lost = json_add_object(object, "losses");
    for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
        uint64_t num = tm_report_lost(&map->done, losses[i]);
        if (losses[i] == TM_FINDING_LOST_ITEM || losses[i] == TM_FINDING_NOT_EMBEDDED)
            num = count_of(&map->file.findings, losses[i]);
        if (num)
            json_add_int(lost, tm_finding_name(losses[i]), (int64_t)num);
    }
    json_add_all(object, JSON_TEXT("to", tm_game_name(map->file.map->game)),
                 JSON_BOOL("refused", map->refused));
}

static void put_convert_line(void *ctx, const changed_map *map, text *out)
{
    (void)ctx;
    if (map->refused)
        put_trouble(out, map->path, "is not written: something would be lost (--refuse-loss)");
}

int cmd_convert(cli_tool *tool)
{
    if (!((const convert_options *)tool->options)->has_game)
        return tool_usage(tool, "for which game? give --to ddnet, --to teeworlds06 or --to teeworlds07");
    change_maps(tool, tool->options, tool->operands, tool->num_operands,
                &(change_command){.ctx = tool->options,
                                  .work = convert_map,
                                  .add_json = add_convert_json,
                                  .put_line = put_convert_line,
                                  .for_game = true,
                                  .sizes = true});
    return STATUS_DONE;
}
