/* SPDX-License-Identifier: Zlib */
/*
 * rules_picture.c - the pictures of `teemap rules`. The layer of `preview` has all basic shapes: a large
 * block with corners both ways, steps, slopes, lines one tile thick, holes, single tiles, and edges of the
 * layer.
 */
#include "rules.h"

#include "change_maps.h"

static const char *const shapes[] = {
    "........................................", "........................................",
    "..###########......#.......##########...", "..###########.....###......#........#...",
    "..###########....#####.....#.######.#...", "..####..#####...#######....#.#....#.#...",
    "..####..#####..#########...#.#....#.#...", "..###########...#######....#.######.#...",
    "..###########....#####.....#........#...", ".........####.....###......##########...",
    ".........####......#....................", "##.......####...............#.#.#.......",
    "###...................#......#.#........", "####....#............##.....#.#.#.......",
    "#####..###..#####...###.................", "######..#...........####...##....##..#..",
    "########............#####..##....##.....", "########################################",
    "########################################", "########################################",
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]), SHAPE_WIDTH = 40 };

typedef struct preview_map {
    tm_map *map;
    uint8_t *rgba; /* of the image */
    uint32_t width, height;
} preview_map;

static tm_status paint_shapes(tm_map *map, tm_error *error)
{
    tm_tile tiles[SHAPES][SHAPE_WIDTH] = {{{0}}};
    for (size_t y = 0; y < SHAPES; y++)
        for (size_t x = 0; x < SHAPE_WIDTH; x++)
            tiles[y][x].index = shapes[y][x] == '#';
    /* 1 is solid in a game layer, which doodads look at */
    const tm_status status =
        tm_map_write_tiles(map, 0, 0, &(tm_rect){0, 0, SHAPE_WIDTH, SHAPES}, tiles, 0, error);
    return status ? status
                  : tm_map_write_tiles(map, 1, 0, &(tm_rect){0, 0, SHAPE_WIDTH, SHAPES}, tiles, 0, error);
}

static tm_status make_preview(preview_map *out, const rules_picture *picture, tm_error *error)
{
    TRY(tm_map_new(&out->map, NULL, error));
    TRY(tm_mapres_read_png(&out->rgba, &out->width, &out->height, picture->image, NULL, error));
    TRY(tm_map_insert(out->map, TM_KIND_IMAGE, 0, error));
    TRY(tm_map_set_pixels(out->map, 0, out->rgba, out->width, out->height, error));
    for (uint32_t g = 0; g < 2; g++)
        TRY(tm_map_insert(out->map, TM_KIND_GROUP, g, error));
    TRY(tm_map_insert_layer(out->map, 0, 0, TM_LAYER_GAME, SHAPE_WIDTH, SHAPES, error));
    TRY(tm_map_insert_layer(out->map, 1, 0, TM_LAYER_TILES, SHAPE_WIDTH, SHAPES, error));
    out->map->groups[1].layers[0].as.tiles.image = 0;
    return paint_shapes(out->map, error);
}

/* What changes when the mapped layer is mapped again, as the editor does it at every stroke. */
static tm_status count_later_changes(uint64_t *changed, preview_map *preview, const char *const *words,
                                     const tm_edit_options *options, tm_error *error)
{
    tm_map *copy;
    tm_report done;
    tm_report_init(&done, NULL);
    tm_status status = tm_map_clone(&copy, preview->map, error);
    if (!status)
        status = tm_edit_run(copy, tm_edit_find("automap by"), words, 4, options, &done, error);
    for (size_t i = 0; i < done.num; i++)
        *changed += done.list[i].count;
    tm_report_release(&done);
    tm_map_free(copy);
    return status;
}

static tm_status map_preview(rules_drawn *drawn, preview_map *preview, const rules_picture *picture,
                             const tm_job *job, tm_error *error)
{
    const word_list no_folders = {{NULL}, 0};
    const loaded file = {.map = preview->map};
    edit_inputs inputs = {.mode = TM_MODE_GAME};
    tm_edit_options options;
    char number[16];
    tm_status status = inputs_open(&inputs, &options, &no_folders, NULL, &file, error);
    options.job = job;
    drawn->seed = picture->seed ? picture->seed : (int32_t)options.draw;
    snprintf(number, sizeof(number), "%d", (int)drawn->seed);
    const char *words[] = {picture->rules, "1/0", picture->config ? picture->config : "", number};
    if (!status)
        status = tm_edit_run(preview->map, tm_edit_find("automap by"), words, 4, &options, NULL, error);
    if (status)
        error->place[0] = '\0'; /* the layer is ours */
    else
        status = count_later_changes(&drawn->changed_again, preview, words, &options, error);
    inputs_close(&inputs);
    return status;
}

static tm_status write_preview(const preview_map *preview, const rules_picture *picture, const tm_job *job,
                               tm_error *error)
{
    static const picture_options checked = {.background = {.word = BACKGROUND_CHECKS}};
    cli_picture shown = {.options = &checked, .job = job, .camera = TM_CAMERA_INIT};
    tm_status status = tm_renderer_new(&shown.renderer, preview->map, NULL, NULL, error);
    shown.camera.kind = TM_CAMERA_FLAT;
    shown.camera.scale = (double)picture->scale / TM_TILE_PX;
    shown.camera.width = SHAPE_WIDTH * picture->scale;
    shown.camera.height = SHAPES * picture->scale;
    status = status ? status : picture_write(&shown, picture->format, picture->output, error);
    tm_renderer_free(shown.renderer);
    return status;
}

tm_status rules_picture_draw(rules_drawn *drawn, const rules_picture *picture, const tm_job *job,
                             tm_error *error)
{
    preview_map preview = {0};
    *drawn = (rules_drawn){picture->seed, 0};
    tm_status status = make_preview(&preview, picture, error);
    if (!status && !picture->raw)
        status = map_preview(drawn, &preview, picture, job, error);
    if (!status)
        status = write_preview(&preview, picture, job, error);
    tm_map_free(preview.map);
    free(preview.rgba);
    return status;
}

tm_status rules_picture_show(const rules_picture *picture, const tm_automap_config *config, tm_error *error)
{
    tm_pixels tiles = {NULL, 0, 0};
    uint8_t *image = NULL, *drawn = NULL;
    picture_pixels cards = {NULL, 0, 0};
    tm_status status = TM_OK;
    if (picture->image)
        status = tm_mapres_read_png(&image, &tiles.width, &tiles.height, picture->image, NULL, error);
    tiles.rgba = image;
    if (!status)
        status = tm_preview_draw_rules(&drawn, &cards.width, &cards.height, config, &tiles, picture->scale,
                                       NULL, error);
    cards.rgba = drawn;
    const picture_rows rows = picture_plain_rows(&cards, true);
    if (!status)
        status = picture_write_rows(&rows, picture->format, picture->output, error);
    free(drawn);
    free(image);
    return status;
}
