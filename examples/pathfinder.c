/* SPDX-License-Identifier: Zlib */
/*
 * Reads tiles: finds the shortest way from a spawn to the finish of a map, step by step through what is no wall, and through teleporters.
 * (Tees jump and hook, so this is only where one could fly.)
 *
 *   pathfinder MAP [GOAL]     GOAL: the id of another tile than "finish", as docs/tiles-of-the-games.md has them
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>

enum { POOL = 256 }; /* numbers of teleporters */

typedef struct maze {
    tm_grid game, front, tele; /* all zero where the map has no such layer */
    uint32_t num;              /* places: width * height of the game layer */
    uint8_t goal;              /* the index of its tiles */
    uint32_t *from; /* where one comes from to a place; its own number: it is a start; UINT32_MAX: nowhere */
    uint32_t *queue, end; /* places that were reached, in the order of their distance */
    uint32_t exits[POOL]; /* the first exit of each number, UINT32_MAX for none ... */
    uint32_t *next_exit;  /* ... and for each exit the next one */
} maze;

/* The tile of a place, or what `tm_tile` zero is where the layer does not reach. Layers may differ in size. */
static uint8_t index_at(const maze *in, const tm_grid *grid, uint32_t place)
{
    const uint32_t x = place % in->game.width, y = place / in->game.width;
    if (x >= grid->width || y >= grid->height || !grid->tiles)
        return TM_TILE_AIR;
    const tm_tile *tiles = grid->tiles;
    return tiles[(size_t)y * grid->width + x].index;
}

static tm_tele_tile tele_at(const maze *in, uint32_t place)
{
    const uint32_t x = place % in->game.width, y = place / in->game.width;
    const tm_tele_tile *tiles = in->tele.tiles;
    if (!tiles || x >= in->tele.width || y >= in->tele.height)
        return (tm_tele_tile){0, 0};
    return tiles[(size_t)y * in->tele.width + x];
}

static bool is_tile(const maze *in, uint32_t place, uint8_t index)
{
    return index_at(in, &in->game, place) == index || index_at(in, &in->front, place) == index;
}

static bool is_blocked(const maze *in, uint32_t place)
{
    return is_tile(in, place, TM_TILE_SOLID) || is_tile(in, place, TM_TILE_UNHOOKABLE) ||
           is_tile(in, place, TM_TILE_DEATH);
}

static void reach(maze *in, uint32_t place, uint32_t from)
{
    if (in->from[place] != UINT32_MAX || is_blocked(in, place))
        return;
    in->from[place] = from;
    in->queue[in->end++] = place;
}

/* Where one gets to from a place: to the exits of a teleporter, else to the four neighbours. */
static void leave(maze *in, uint32_t place)
{
    const uint32_t width = in->game.width, x = place % width;
    const tm_tele_tile tele = tele_at(in, place);
    if (tele.type == TM_TILE_TELE_IN || tele.type == TM_TILE_TELE_IN_EVIL) {
        for (uint32_t exit = in->exits[tele.number]; exit != UINT32_MAX; exit = in->next_exit[exit])
            reach(in, exit, place);
        return;
    }
    if (x > 0)
        reach(in, place - 1, place);
    if (x + 1 < width)
        reach(in, place + 1, place);
    if (place >= width)
        reach(in, place - width, place);
    if (place + width < in->num)
        reach(in, place + width, place);
}

static void prepare(maze *in)
{
    for (int i = 0; i < POOL; i++)
        in->exits[i] = UINT32_MAX;
    for (uint32_t place = 0; place < in->num; place++) {
        const tm_tele_tile tele = tele_at(in, place);
        in->from[place] = UINT32_MAX;
        if (tele.type == TM_TILE_TELE_OUT) {
            in->next_exit[place] = in->exits[tele.number];
            in->exits[tele.number] = place;
        }
    }
    for (uint32_t place = 0; place < in->num; place++)
        if (is_tile(in, place, TM_TILE_SPAWN))
            reach(in, place, place);
}

/* Walks back from the finish and tells the way. */
static void tell(const maze *in, uint32_t finish)
{
    uint32_t steps = 0, teleporters = 0, place = finish;
    const uint32_t width = in->game.width;
    for (; in->from[place] != place; place = in->from[place]) {
        const tm_tele_tile tele = tele_at(in, in->from[place]);
        steps++;
        teleporters += tele.type == TM_TILE_TELE_IN || tele.type == TM_TILE_TELE_IN_EVIL;
    }
    printf("from %u,%u to %u,%u: %u steps, %u teleporters\n", place % width, place / width, finish % width,
           finish / width, steps, teleporters);
}

static bool search(maze *in)
{
    prepare(in);
    for (uint32_t i = 0; i < in->end; i++) {
        if (is_tile(in, in->queue[i], in->goal)) {
            tell(in, in->queue[i]);
            return true;
        }
        leave(in, in->queue[i]);
    }
    puts("no way");
    return false;
}

static tm_status read_layer(tm_grid *out, const tm_map *map, tm_layer_kind kind, tm_error *error)
{
    return tm_map_tiles(out, map, tm_map_physics_layer(NULL, NULL, map, kind),
                        error); /* none: an empty grid */
}

int main(int argc, char **argv)
{
    maze in = {0};
    tm_map *map;
    tm_error error;
    char line[512];
    const tm_tile_info *goal = tm_game_tile_by_id(argc > 2 ? argv[2] : "finish");
    if (argc < 2 || argc > 3)
        return fprintf(stderr, "use: %s MAP [GOAL]\n", argv[0]), 2;
    if (!goal)
        return fprintf(stderr, "no tile has the id '%s'\n", argv[2]), 2;
    in.goal = goal->index;
    if (tm_store_load(&map, argv[1], NULL, NULL, &error) != TM_OK ||
        read_layer(&in.game, map, TM_LAYER_GAME, &error) != TM_OK ||
        read_layer(&in.front, map, TM_LAYER_FRONT, &error) != TM_OK ||
        read_layer(&in.tele, map, TM_LAYER_TELE, &error) != TM_OK) {
        tm_error_format(&error, line, sizeof(line));
        fprintf(stderr, "%s\n", line);
        tm_map_free(map);
        return 2;
    }
    in.num = in.game.width * in.game.height;
    uint32_t *memory = malloc(3 * ((size_t)in.num + 1) * sizeof(*memory));
    if (!memory)
        return 2;
    in.from = memory;
    in.queue = memory + in.num;
    in.next_exit = in.queue + in.num;
    const bool found = search(&in);
    free(memory);
    tm_map_free(map); /* the grids were its own */
    return found ? 0 : 1;
}
