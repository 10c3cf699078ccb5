/* SPDX-License-Identifier: Zlib */
/*
 * A map in live use, as for learning to play: a small picture of each tick, RGB, of a player who moves and builds, with players drawn on top;
 * or one for each of several players, drawn side by side by all threads. Only what changed is told to the renderer, between ticks. It prints
 * how many pictures a second it made.
 *
 *   live MAP TICKS [OUT.ppm [AGENTS]]     OUT.ppm: the last pictures, one below the other; AGENTS: how many players get pictures
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 320,
    HEIGHT = 180,
    NUM_PLAYERS = 8, /* as many may get pictures */
    TICK = 20 /* ms */,
    BUILD_EVERY = 5,
    RADIUS = 14 /* px of the world */
};

/* What an agent gets to see; each has memory of its own, so that threads need not wait for one another. */
typedef struct view {
    uint8_t rgba[WIDTH * HEIGHT * 4], rgb[WIDTH * HEIGHT * 3];
} view;

typedef struct world {
    const char *map_path;
    tm_map *map;
    tm_renderer *renderer;
    tm_sys_threads *threads;
    uint32_t num_agents, tick;
    uint32_t game_group;
    uint32_t group, layer;          /* in which is built */
    bool builds;                    /* there is such a layer */
    uint32_t width, height;         /* of the map, tiles */
    tm_vector players[NUM_PLAYERS]; /* px; the first ones are looked at */
    view views[NUM_PLAYERS];
} world;

/* Where players of this kind of test walk: around the middle, each on a way of their own. */
static void move_players(world *w, uint32_t tick)
{
    for (uint32_t i = 0; i < NUM_PLAYERS; i++) {
        const uint32_t way = (tick * (i + 2) + i * 97) % 640, out = way < 320 ? way : 640 - way;
        w->players[i].x = w->width * TM_TILE_PX / 2.0 + (double)out - 160 + 40.0 * i;
        w->players[i].y = w->height * TM_TILE_PX / 2.0 + 20.0 * i;
    }
}

/* A tile beside the player comes and goes: the map changes, and the renderer hears of this one tile. */
static tm_status build(world *w, uint32_t tick, tm_error *error)
{
    const tm_tile tile = {.index = (uint8_t)(tick / BUILD_EVERY % 2)};
    const int32_t x = (int32_t)(w->players[0].x / TM_TILE_PX) + 1,
                  y = (int32_t)(w->players[0].y / TM_TILE_PX);
    if (!w->builds || tick % BUILD_EVERY)
        return TM_OK;
    const tm_status status =
        tm_map_write_tiles(w->map, w->group, w->layer, &(tm_rect){x, y, 1, 1}, &tile, 0, error);
    return status ? status
                  : tm_renderer_update(w->renderer, w->group, w->layer, &(tm_rect){x, y, 1, 1}, error);
}

/* A disc where the game's group shows the player. */
static tm_status draw_player(const world *w, uint8_t *rgba, const tm_camera *camera, uint32_t i,
                             tm_error *error)
{
    static const uint8_t colors[NUM_PLAYERS][3] = {{255, 200, 0},   {255, 60, 60},  {60, 120, 255},
                                                   {60, 220, 90},   {240, 90, 240}, {90, 230, 230},
                                                   {250, 250, 250}, {150, 90, 30}};
    tm_vector at, edge, beside = w->players[i];
    beside.x += RADIUS;
    tm_status status = tm_renderer_to_picture(&at, w->renderer, camera, w->game_group, w->players[i], error);
    status =
        status ? status : tm_renderer_to_picture(&edge, w->renderer, camera, w->game_group, beside, error);
    const int radius = (int)(edge.x - at.x + 0.5);
    for (int y = -radius; !status && y <= radius; y++)
        for (int x = -radius; x <= radius; x++) {
            const int px = (int)at.x + x, py = (int)at.y + y;
            if (x * x + y * y <= radius * radius && px >= 0 && px < WIDTH && py >= 0 && py < HEIGHT)
                for (int c = 0; c < 3; c++)
                    rgba[(py * WIDTH + px) * 4 + c] = colors[i][c];
        }
    return status;
}

/* The picture of one agent. The renderer may be used by many threads at once, as long as nothing changes. */
static tm_status draw(void *ctx, void *worker, uint32_t agent, bool *stop, tm_error *error)
{
    world *w = ctx;
    view *to = &w->views[agent];
    tm_camera camera = TM_CAMERA_INIT;
    tm_background black = TM_BACKGROUND_INIT;
    (void)worker;
    (void)stop;
    black.rgba[3] = 255;
    camera.x = w->players[agent].x;
    camera.y = w->players[agent].y;
    camera.width = WIDTH;
    camera.height = HEIGHT;
    camera.time = (double)w->tick * TICK;
    const size_t stride = (size_t)WIDTH * 4;
    tm_status status = tm_background_fill(&black, WIDTH, &(tm_rows){to->rgba, stride, 0, HEIGHT}, error);
    status = status ? status
                    : tm_renderer_draw(w->renderer, &camera, &(tm_rows){to->rgba, stride, 0, HEIGHT}, error);
    for (uint32_t i = NUM_PLAYERS; i-- > 0 && !status;)
        status = draw_player(w, to->rgba, &camera, i, error);
    return status ? status
                  : tm_pixels_to_rgb(to->rgb, (size_t)WIDTH * 3, to->rgba, stride, WIDTH, HEIGHT, error);
}

/* Those of all agents, side by side. */
static tm_status draw_all(world *w, tm_error *error)
{
    tm_job job = TM_JOB_INIT;
    tm_tasks pieces = TM_TASKS_INIT;
    job.executor = tm_sys_threads_executor(w->threads);
    pieces.ctx = w;
    pieces.num = w->num_agents;
    pieces.work = draw;
    return tm_tasks_run(&pieces, &job, error);
}

/* The layer in which is built: the first one of tiles that has an image and stands as the game does. */
static void find_layer(world *w)
{
    (void)tm_map_physics_layer(&w->game_group, NULL, w->map, TM_LAYER_GAME);
    const tm_group *group = &w->map->groups[w->game_group];
    w->group = w->game_group;
    for (w->layer = 0; w->layer < group->num_layers && !w->builds; w->layer += !w->builds)
        w->builds = group->layers[w->layer].kind == TM_LAYER_TILES &&
                    group->layers[w->layer].as.tiles.image != TM_NONE;
}

static tm_status play(world *w, uint32_t ticks, tm_error *error)
{
    tm_status status = TM_OK;
    const double start = tm_sys_seconds();
    for (w->tick = 0; w->tick < ticks && !status; w->tick++) {
        move_players(w, w->tick);
        status = build(w, w->tick, error);
        status = status ? status : draw_all(w, error);
    }
    const double seconds = tm_sys_seconds() - start;
    if (!status && seconds > 0)
        printf("%lu pictures of %dx%d, %.0f a second\n", (unsigned long)ticks * w->num_agents, WIDTH, HEIGHT,
               ticks * (double)w->num_agents / seconds);
    return status;
}

/* A map for long: once its bytes are in memory, the file may change or go away. */
static tm_status load(world *w, tm_error *error)
{
    tm_input input;
    tm_status status = tm_sys_open_input(&input, w->map_path, 0, NULL, error);
    if (status)
        return status;
    status = tm_input_load(&input, NULL, error);
    if (!status)
        return tm_mapfile_load(&w->map, input, NULL, NULL, error); /* which takes the input over */
    if (input.close)
        input.close(input.ctx);
    return status;
}

/* With the images of installed games; examples/picture.c says more of where these are. */
static tm_status prepare(world *w, tm_mapres **mapres, tm_error *error)
{
    const tm_mapres_variable home = {"HOME", getenv("HOME")};
    tm_mapres_options where = TM_MAPRES_OPTIONS_INIT;
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    where.map_path = w->map_path;
    where.game = w->map->game;
    where.variables = &home;
    where.num_variables = 1;
    tm_status status = tm_mapres_new(mapres, &where, error);
    options.provider = tm_mapres_provide;
    options.provider_ctx = *mapres;
    options.updates = true; /* tiles of any index will be as quick */
    tm_map_area(&w->width, &w->height, w->map);
    find_layer(w);
    status = status ? status : tm_sys_threads_new(&w->threads, w->num_agents > 1 ? 0 : 1, NULL, error);
    return status ? status : tm_renderer_new(&w->renderer, w->map, &options, NULL, error);
}

static bool write_ppm(const world *w, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool fine = fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT * (int)w->num_agents) > 0;
    for (uint32_t i = 0; i < w->num_agents && fine; i++)
        fine = fwrite(w->views[i].rgb, sizeof(w->views[i].rgb), 1, file) == 1;
    return fclose(file) == 0 && fine;
}

int main(int argc, char **argv)
{
    static world w;
    tm_error error = {.code = TM_OK};
    tm_mapres *mapres = NULL;
    char text[600];
    w.num_agents = argc > 4 ? (uint32_t)atoi(argv[4]) : 1;
    if (argc < 3 || argc > 5 || atoi(argv[2]) < 1 || w.num_agents < 1 || w.num_agents > NUM_PLAYERS) {
        fprintf(stderr, "usage: live MAP TICKS [OUT.ppm [AGENTS]]; AGENTS: 1 to %d\n", NUM_PLAYERS);
        return 2;
    }
    w.map_path = argv[1];
    tm_status status = load(&w, &error);
    status = status ? status : prepare(&w, &mapres, &error);
    status = status ? status : play(&w, (uint32_t)atoi(argv[2]), &error);
    if (status) {
        tm_error_format(&error, text, sizeof(text));
        fprintf(stderr, "live: %s\n", text);
    }
    const bool written = status || argc < 4 || write_ppm(&w, argv[3]);
    if (!written)
        fprintf(stderr, "live: cannot write %s\n", argv[3]);
    tm_renderer_free(w.renderer);
    tm_sys_threads_free(w.threads);
    tm_mapres_free(mapres);
    tm_map_free(w.map);
    return status || !written ? 2 : 0;
}
