/* SPDX-License-Identifier: Zlib */
/*
 * A generator: digs a cave of two halves that only a teleporter joins, with a spawn on the left and the finish on the right, and asks
 * the library whether the game will load it before it is saved. `pathfinder` finds the way through.
 *
 *   cave OUT.map [SEED]
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120, HEIGHT = 50, MIDDLE = WIDTH / 2, ROUNDS = 5 };

static tm_error error;
static uint32_t state;

static void check(tm_status status)
{
    if (status == TM_OK)
        return;
    char line[512];
    tm_error_format(&error, line, sizeof(line));
    fprintf(stderr, "cave: %s\n", line);
    exit(2);
}

/* The same numbers on every machine. */
static uint32_t dice(uint32_t sides)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % sides;
}

/* ---------------------------------------------------------------------------------------------------------- rock */

static bool is_rock(const tm_tile *tiles, int x, int y)
{
    return x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || tiles[y * WIDTH + x].index == TM_TILE_SOLID;
}

/* One round of the oldest rule for caves: a place becomes what most of its neighbours are. */
static void smooth(tm_tile *tiles)
{
    static tm_tile old[WIDTH * HEIGHT];
    memcpy(old, tiles, sizeof(old));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int num = 0;
            for (int i = 0; i < 9; i++)
                num += is_rock(old, x + i % 3 - 1, y + i / 3 - 1);
            tiles[y * WIDTH + x].index = num >= 5 ? TM_TILE_SOLID : TM_TILE_AIR;
        }
}

/* A winding tunnel, so that there is a way; returns the row in which it ends. */
static int dig(tm_tile *tiles, int from, int to)
{
    int y = HEIGHT / 2;
    for (int x = from; x <= to; x++) {
        for (int dy = -1; dy <= 1; dy++)
            tiles[(y + dy) * WIDTH + x].index = TM_TILE_AIR;
        if (x < to)
            y += (int)dice(3) - 1;
        y = y < 5 ? 5 : y > HEIGHT - 6 ? HEIGHT - 6 : y;
    }
    return y;
}

static void fill(tm_tile *game, tm_tele_tile *tele)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        game[i].index = dice(100) < 46 ? TM_TILE_SOLID : TM_TILE_AIR;
    for (int i = 0; i < ROUNDS; i++)
        smooth(game);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (x < 2 || y < 2 || x >= WIDTH - 2 || y >= HEIGHT - 2 || x == MIDDLE)
                game[y * WIDTH + x].index = TM_TILE_SOLID;
    const int in = dig(game, 4, MIDDLE - 4), out = HEIGHT / 2, finish = dig(game, MIDDLE + 4, WIDTH - 5);
    game[HEIGHT / 2 * WIDTH + 4].index = TM_TILE_SPAWN;
    game[finish * WIDTH + WIDTH - 5].index = TM_TILE_FINISH;
    tele[in * WIDTH + MIDDLE - 4] = (tm_tele_tile){.number = 1, .type = TM_TILE_TELE_IN};
    tele[out * WIDTH + MIDDLE + 4] = (tm_tele_tile){.number = 1, .type = TM_TILE_TELE_OUT};
}

/* ----------------------------------------------------------------------------------------------------------- map */

/* A group that does not move, with one quad all over the view: dark above, darker below. */
static void add_background(tm_map *map)
{
    tm_quad quad;
    tm_quad_init(&quad, -1600 * TM_FX, -1000 * TM_FX, 3200 * TM_FX, 2000 * TM_FX);
    for (int i = 0; i < 4; i++)
        quad.colors[i] = i < 2 ? (tm_color){64, 56, 72, 255} : (tm_color){20, 16, 28, 255};
    check(tm_map_insert(map, TM_KIND_GROUP, 0, &error));
    map->groups[0].parallax_x = map->groups[0].parallax_y = 0;
    check(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, &error));
    check(tm_map_set_quads(map, 0, 0, &quad, 1, &error));
}

/* Game, teleporters, and a picture of the rock with an image that the games bring along. */
static void add_cave(tm_map *map)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_TELE, TM_LAYER_TILES};
    tm_edit_grid grids[3];
    check(tm_map_insert(map, TM_KIND_GROUP, 1, &error));
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "Game");
    for (uint32_t i = 0; i < 3; i++) {
        check(tm_map_insert_layer(map, 1, i, kinds[i], WIDTH, HEIGHT, &error));
        check(tm_map_edit_tiles(&grids[i], map, 1, i, &error));
    }
    fill(grids[0].tiles, grids[1].tiles);
    const tm_tile *game = grids[0].tiles;
    tm_tile *rock = grids[2].tiles;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        rock[i].index = game[i].index == TM_TILE_SOLID;
    check(tm_map_insert(map, TM_KIND_IMAGE, 0, &error));
    check(tm_map_set_text(map, &map->images[0].name, "grass_main", &error));
    map->images[0].width = map->images[0].height = 1024;
    tm_layer *design = &map->groups[1].layers[2];
    tm_map_set_name(design->name, TM_NAME_SIZE, "Rock");
    design->as.tiles.image = 0;
    check(tm_map_move_layer(map, 1, 2, 1, 0, &error));      /* players are drawn on top of it */
    check(tm_map_duplicate_layer(map, 1, 0, 0, 1, &error)); /* and the same rock stands far behind */
}

int main(int argc, char **argv)
{
    tm_map *map;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "use: %s OUT.map [SEED]\n", argv[0]);
        return 2;
    }
    state = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    check(tm_map_new(&map, NULL, &error));
    check(tm_map_set_text(map, &map->info.author, "teemap", &error));
    check(tm_map_insert_setting(map, 0, "tune player_collision 0", &error));
    add_background(map);
    add_cave(map);
    check(tm_mapfile_check(map, TM_MODE_STRICT, NULL, NULL, &error)); /* DDNet will load it */
    check(tm_store_save(map, argv[1], NULL, NULL, NULL, &error));
    tm_map_free(map);
    return 0;
}
