/* SPDX-License-Identifier: Zlib */
/*
 * cmd_new.c - `teemap new`: the smallest map that one can join and walk in. The sky is the one that the DDNet
 * editor gives a new map; the game layer is a closed box with spawn points.
 */
#include "run/made_map.h"

/* The sky covers what the widest view shows. */
#define SKY_HALF_W (800 * TM_FX)
#define SKY_HALF_H (600 * TM_FX)

typedef struct new_options {
    common_options common;
    size_value size; /* tiles */
    tm_game game;
    bool force;
} new_options;

static const option_row new_rows[] = {
    LAST_OPERAND_ROW("OUT", OPTION_FILE,
                     "write the map to this file, as OUT alone does; - is standard output", ),
    /* 2: the games refuse smaller layers; 10000: far beyond what any has shown, and the data fit in memory */
    {'s', "size", "WxH", SIZE_AT(new_options, size, 2, 10000), .preset = "50x50",
     .text = "width and height in tiles"},
    {'g', "game", "GAME", CHOICE_AT(new_options, game, game_choices), .preset = "ddnet",
     .text = "game of the map"},
    {'f', "force", NULL, FLAG_AT(new_options, force), .text = "replace OUT if it exists"},
    JSON_ONE_ROW,
    VERBOSE_ROW("print what was written"),
    QUIET_ROW,
    {0},
};

COMMAND(new, new_options, 1, 1, .operands = {OPERAND_MAP});

static tm_status add_sky(tm_map *map, tm_error *error)
{
    const tm_color top = {94, 132, 174, 255}, bottom = {204, 232, 255, 255};
    tm_quad sky;
    tm_quad_init(&sky, -SKY_HALF_W, -SKY_HALF_H, 2 * SKY_HALF_W, 2 * SKY_HALF_H);
    for (int corner = 0; corner < 4; corner++)
        sky.colors[corner] = corner >> 1 ? bottom : top;
    TRY(tm_map_insert(map, TM_KIND_GROUP, map->num_groups, error));
    tm_group *group = &map->groups[map->num_groups - 1];
    group->parallax_x = group->parallax_y = 0;
    tm_status status = tm_map_insert_layer(map, map->num_groups - 1, 0, TM_LAYER_QUADS, 0, 0, error);
    return status ? status : tm_map_set_quads(map, map->num_groups - 1, 0, &sky, 1, error);
}

/* Walls all around, and where there is room inside, a spawn point every eight tiles above the floor. */
static tm_status fill_game(tm_map *map, uint32_t group, uint32_t width, uint32_t height, tm_error *error)
{
    const tm_tile ground = {TM_TILE_SOLID, 0, 0, 0}, air = {0, 0, 0, 0}, spawn = {TM_TILE_SPAWN, 0, 0, 0};
    if (width < 3 || height < 3)
        return tm_map_fill_tiles(map, group, 0, &(tm_rect){0, 0, 1, 1}, &spawn, error);
    tm_status status = tm_map_fill_tiles(map, group, 0, &(tm_rect){0, 0, width, height}, &ground, error);
    status = status ? status
                    : tm_map_fill_tiles(map, group, 0, &(tm_rect){1, 1, width - 2, height - 2}, &air, error);
    uint32_t first = 1 + (width - 2) % 8 / 2;
    for (uint32_t x = first; x < width - 1 && !status; x += 8)
        status = tm_map_fill_tiles(map, group, 0, &(tm_rect){(int32_t)x, (int32_t)height - 2, 1, 1}, &spawn,
                                   error);
    return status;
}

static tm_status build(tm_map **out, const new_options *options, tm_error *error)
{
    const size_value *size = &options->size;
    tm_map_options map_options = TM_MAP_OPTIONS_INIT;
    map_options.game = options->game;
    TRY(tm_map_new(out, &map_options, error));
    TRY(add_sky(*out, error));
    const uint32_t group = (*out)->num_groups;
    TRY(tm_map_insert(*out, TM_KIND_GROUP, group, error));
    tm_map_set_name((*out)->groups[group].name, TM_NAME_SIZE, "Game");
    TRY(tm_map_insert_layer(*out, group, 0, TM_LAYER_GAME, size->width, size->height, error));
    return fill_game(*out, group, size->width, size->height, error);
}

static void report_made_map(cli_report *report, const tm_map *map, uint64_t size)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    json_t *object =
        json_object(JSON_TEXT("output", report->path), JSON_TEXT("game", tm_game_name(map->game)),
                    JSON_INT("width", game->as.tiles.width), JSON_INT("height", game->as.tiles.height),
                    JSON_INT("output_size", size));
    report_done(report, object,
                "{{output}}: {{width}} x {{height}} tiles, {{game}}, {{output_size}} bytes\n");
}

static void make_map(void *ctx, cli_report *report)
{
    cli_tool *tool = ctx;
    const char *path = tool->operands[0];
    const char *fault =
        files_map_fault(path, ((const new_options *)tool->options)->force, tool->common->json);
    if (fault) {
        put_trouble(report->err, path, fault);
        raise_status(&report->status, STATUS_TROUBLE);
        return;
    }
    tm_error error = {0};
    tm_map *map = NULL;
    made_map made = {.refused = false};
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    const make_request request = {
        .save_options = TM_MAPFILE_SAVE_OPTIONS_INIT, .for_game = true, .findings = &findings};
    tm_status status = build(&map, tool->options, &error);
    status = status ? status : make_map_file(&made, map, &request, &error);
    status = status ? status : save_bytes(path, made.bytes.bytes, made.bytes.size, &error);
    report_findings(report, &findings, SHOW_FEW);
    if (!status)
        report_made_map(report, map, made.bytes.size);
    else
        report_error(report, &error);
    tm_map_free(map);
    made_map_release(&made);
    tm_findings_release(&findings);
}

int cmd_new(cli_tool *tool)
{
    const char *path = tool->operands[0];
    tool->common->threads = 1;
    tool_each(tool, &path, 1, make_map, tool);
    return STATUS_DONE;
}
