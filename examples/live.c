/* SPDX-License-Identifier: Zlib */
/*
 * A map in live use, as for learning to play: a small picture of each tick, RGB, of a player who moves and builds, with players drawn on top.
 * Only what changed is told to the renderer. It prints how many pictures a second it made, by one thread.
 *
 *   live MAP PICTURES [OUT.ppm]     OUT.ppm: the last picture
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 320,
    HEIGHT = 180,
    NUM_PLAYERS = 4,
    TICK = 20 /* ms */,
    BUILD_EVERY = 5,
    RADIUS = 14 /* px of the world */
};

typedef struct world {
    tm_map *map;
    tm_renderer *renderer;
    uint32_t group, layer;          /* in which is built */
    bool builds;                    /* there is such a layer */
    uint32_t width, height;         /* of the map, tiles */
    tm_vector players[NUM_PLAYERS]; /* px; the first one is looked at */
    uint8_t rgba[WIDTH * HEIGHT * 4], rgb[WIDTH * HEIGHT * 3];
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
    const tm_status status = tm_map_write_tiles(w->map, w->group, w->layer, x, y, 1, 1, &tile, 0, error);
    return status ? status : tm_renderer_update(w->renderer, w->group, w->layer, x, y, 1, 1, error);
}

/* A disc where the game's group shows the player. */
static tm_status draw_player(world *w, const tm_camera *camera, uint32_t group, uint32_t i, tm_error *error)
{
    static const uint8_t colors[NUM_PLAYERS][3] = {
        {255, 200, 0}, {255, 60, 60}, {60, 120, 255}, {60, 220, 90}};
    tm_vector at, edge, beside = w->players[i];
    beside.x += RADIUS;
    tm_status status = tm_renderer_to_picture(w->renderer, camera, group, w->players[i], &at, error);
    status = status ? status : tm_renderer_to_picture(w->renderer, camera, group, beside, &edge, error);
    const int radius = (int)(edge.x - at.x + 0.5);
    for (int y = -radius; !status && y <= radius; y++)
        for (int x = -radius; x <= radius; x++) {
            const int px = (int)at.x + x, py = (int)at.y + y;
            if (x * x + y * y <= radius * radius && px >= 0 && px < WIDTH && py >= 0 && py < HEIGHT)
                for (int c = 0; c < 3; c++)
                    w->rgba[(py * WIDTH + px) * 4 + c] = colors[i][c];
        }
    return status;
}

static tm_status draw(world *w, uint32_t tick, uint32_t group, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    tm_background black = TM_BACKGROUND_INIT;
    black.rgba[3] = 255;
    camera.x = w->players[0].x;
    camera.y = w->players[0].y;
    camera.width = WIDTH;
    camera.height = HEIGHT;
    camera.time = (double)tick * TICK;
    tm_status status = tm_background_fill(&black, WIDTH, 0, HEIGHT, w->rgba, (size_t)WIDTH * 4, error);
    status = status ? status
                    : tm_renderer_draw(w->renderer, &camera, 0, HEIGHT, w->rgba, (size_t)WIDTH * 4, error);
    for (uint32_t i = NUM_PLAYERS; i-- > 0 && !status;)
        status = draw_player(w, &camera, group, i, error);
    return status ? status
                  : tm_pixels_to_rgb(w->rgb, (size_t)WIDTH * 3, w->rgba, (size_t)WIDTH * 4, WIDTH, HEIGHT,
                                     error);
}

/* The layer in which is built: the first one of tiles that has an image and stands as the game does. */
static void find_layer(world *w, uint32_t game_group)
{
    const tm_group *group = &w->map->groups[game_group];
    w->group = game_group;
    for (w->layer = 0; w->layer < group->num_layers && !w->builds; w->layer += !w->builds)
        w->builds = group->layers[w->layer].kind == TM_LAYER_TILES &&
                    group->layers[w->layer].as.tiles.image != TM_NONE;
}

static tm_status play(world *w, uint32_t pictures, tm_error *error)
{
    uint32_t group = 0;
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.updates = true; /* tiles of any index will be as quick */
    (void)tm_map_physics_layer(w->map, TM_LAYER_GAME, &group, NULL);
    tm_map_area(w->map, &w->width, &w->height);
    find_layer(w, group);
    tm_status status = tm_renderer_new(&w->renderer, w->map, &options, NULL, error);
    const double start = tm_sys_seconds();
    for (uint32_t tick = 0; tick < pictures && !status; tick++) {
        move_players(w, tick);
        status = build(w, tick, error);
        status = status ? status : draw(w, tick, group, error);
    }
    const double seconds = tm_sys_seconds() - start;
    if (!status && seconds > 0)
        printf("%lu pictures of %dx%d, %.0f a second\n", (unsigned long)pictures, WIDTH, HEIGHT,
               pictures / seconds);
    return status;
}

static bool write_ppm(const world *w, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool fine =
        fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT) > 0 && fwrite(w->rgb, sizeof(w->rgb), 1, file) == 1;
    return fclose(file) == 0 && fine;
}

int main(int argc, char **argv)
{
    static world w;
    tm_error error = {.code = TM_OK};
    char text[600];
    if (argc < 3 || argc > 4 || atoi(argv[2]) < 1) {
        fputs("usage: live MAP PICTURES [OUT.ppm]\n", stderr);
        return 2;
    }
    tm_status status = tm_store_load(&w.map, argv[1], NULL, NULL, &error);
    status = status ? status : play(&w, (uint32_t)atoi(argv[2]), &error);
    if (status) {
        tm_error_format(&error, text, sizeof(text));
        fprintf(stderr, "live: %s\n", text);
    }
    const bool written = status || argc < 4 || write_ppm(&w, argv[3]);
    if (!written)
        fprintf(stderr, "live: cannot write %s\n", argv[3]);
    tm_renderer_free(w.renderer);
    tm_map_free(w.map);
    return status || !written ? 2 : 0;
}
