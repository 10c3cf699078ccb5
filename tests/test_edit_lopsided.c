/* SPDX-License-Identifier: Zlib */
/*
 * Turning, mirroring and moving a map on which no two sides, axes and points are alike: 7 x 5 tiles of which each has
 * an index of its own, a slanted quad away from the origin.
 */
#include "support/lib_edit.h"
#include "support/lib_maps.h"
#include "map/map.h"

enum { WIDTH = 7, HEIGHT = 5, FX = 1024, SIDE = 32 * FX };

static const tm_point corners[5] = {{3 * FX + 1, 5 * FX},
                                    {40 * FX, 7 * FX + 2},
                                    {9 * FX, 60 * FX + 3},
                                    {51 * FX + 4, 70 * FX},
                                    {20 * FX + 5, 33 * FX + 6}};

static tm_map *lopsided_map(void)
{
    tm_map *map = test_map_of_layer(TM_LAYER_GAME, WIDTH, HEIGHT);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            const tm_tile tile = {.index = (uint8_t)(1 + y * WIDTH + x)};
            must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){x, y, 1, 1}, &tile, NULL));
        }
    tm_quad quad;
    tm_quad_init(&quad, 0, 0, FX, FX);
    memcpy(quad.points, corners, sizeof(corners));
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
    must(tmi_map_insert_elements(map, LAYER_AT(0, 1), 0, &quad, 1, NULL));
    return map;
}

typedef struct place {
    int64_t x, y;
} place;

/* Where an operation puts a place of a map of `width` x `height`. */
typedef place motion(place old, int64_t width, int64_t height);

static place turn_right(place old, int64_t width, int64_t height)
{
    (void)width;
    return (place){height - old.y, old.x};
}

static place turn_round(place old, int64_t width, int64_t height)
{
    return (place){width - old.x, height - old.y};
}

static place turn_left(place old, int64_t width, int64_t height)
{
    (void)height;
    return (place){old.y, width - old.x};
}

static place mirror_x(place old, int64_t width, int64_t height)
{
    (void)height;
    return (place){width - old.x, old.y};
}

static place mirror_y(place old, int64_t width, int64_t height)
{
    (void)width;
    return (place){old.x, height - old.y};
}

static void check_tiles(const tm_map *map, motion *move, const char *line)
{
    const tm_layer *layer = &map->groups[0].layers[0];
    tm_grid grid;
    must(tm_map_tiles(&grid, map, layer, NULL));
    const tm_tile *tiles = grid.tiles;
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            const place middle = move((place){2 * x + 1, 2 * y + 1}, 2 * WIDTH, 2 * HEIGHT);
            const uint8_t index = tiles[(middle.y / 2) * grid.width + middle.x / 2].index;
            if (index != 1 + y * WIDTH + x)
                fail_msg("%s: the tile at %d,%d is not at %d,%d, but %d", line, (int)x, (int)y,
                         (int)(middle.x / 2), (int)(middle.y / 2), (int)index);
        }
}

/* Turning renames corners: each old one is there, and the pivot is the pivot. */
static void check_quad(const tm_map *map, motion *move, const char *line)
{
    const tm_quad *quad = test_quads(map, &map->groups[0].layers[1]);
    bool taken[4] = {false};
    for (int i = 0; i < 5; i++) {
        const place target = move((place){corners[i].x, corners[i].y}, WIDTH * SIDE, HEIGHT * SIDE);
        int k = i;
        if (i < 4)
            for (k = 0;
                 k < 4 && (taken[k] || quad->points[k].x != target.x || quad->points[k].y != target.y);)
                k++;
        if (k == 4 ? i != 4 || quad->points[4].x != target.x || quad->points[4].y != target.y : false)
            fail_msg("%s: no corner is where point %d goes, %lld,%lld", line, i, (long long)target.x,
                     (long long)target.y);
        if (k < 4)
            taken[k] = true;
    }
}

TEST(each_direction_moves_each_place)
{
    static const struct {
        const char *line;
        motion *move;
    } rows[] = {{"rotate 90", turn_right},
                {"rotate 180", turn_round},
                {"rotate 270", turn_left},
                {"mirror x", mirror_x},
                {"mirror y", mirror_y}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_map) *map = lopsided_map();
        test_edit_does(map, rows[i].line);
        check_tiles(map, rows[i].move, rows[i].line);
        check_quad(map, rows[i].move, rows[i].line);
    }
}

/* A chosen layer of quads turns around the middle of its corners, not around the map. */
TEST(quads_turn_in_their_place)
{
    static const struct {
        const char *line;
        motion *move;
    } rows[] = {{"rotate 90 0/1", turn_right},
                {"rotate 180 0/1", turn_round},
                {"rotate 270 0/1", turn_left},
                {"mirror x 0/1", mirror_x},
                {"mirror y 0/1", mirror_y}};
    enum { LEFT = 3 * FX + 1, RIGHT = 51 * FX + 4, TOP = 5 * FX, BOTTOM = 70 * FX };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_map) *map = lopsided_map();
        test_edit_does(map, rows[i].line);
        const tm_quad *quad = test_quads(map, &map->groups[0].layers[1]);
        /* `move` turns an area whose corner is 0,0; this one has its middle where it was */
        const place size = {RIGHT - LEFT, BOTTOM - TOP},
                    turned = rows[i].move == turn_right || rows[i].move == turn_left ? (place){size.y, size.x}
                                                                                     : size;
        for (int k = 0; k < 5; k++) {
            const place offset = {corners[k].x - LEFT, corners[k].y - TOP},
                        moved = rows[i].move(offset, size.x, size.y);
            const int64_t x = (LEFT + RIGHT - turned.x) / 2 + moved.x,
                          y = (TOP + BOTTOM - turned.y) / 2 + moved.y;
            bool found = false;
            for (int other = k < 4 ? 0 : 4; other < (k < 4 ? 4 : 5); other++)
                found =
                    found || (llabs(quad->points[other].x - x) <= 1 && llabs(quad->points[other].y - y) <= 1);
            if (!found)
                fail_msg("%s: no point is where %d goes, %lld,%lld", rows[i].line, k, (long long)x,
                         (long long)y);
        }
    }
}

/* What fills a new place of a layer of physics: nothing, the nearest edge, or the two outermost rows, which move. */
typedef enum filling { AIR, EDGE, BORDER } filling;

enum { GAP = -1, NOTHING = -2, THICK = 2 };

/* Along an axis of `size` tiles: the old place of what is at `at`, which is counted from the first old tile. */
static int32_t source(filling fill, int32_t at, int32_t size, int32_t before, int32_t behind)
{
    const bool is_new = at < 0 || at >= size;
    if (fill == EDGE)
        return at < 0 ? 0 : at >= size ? size - 1 : at;
    if (fill == BORDER && before && at < THICK)
        return at < THICK - before ? at + before : GAP;
    if (fill == BORDER && behind && at >= size - THICK)
        return at >= size + behind - THICK ? at - behind : GAP;
    return is_new ? NOTHING : at;
}

static bool is_in_border(int32_t at, int32_t size)
{
    return at < THICK || at >= size - THICK;
}

/* The tile of a gap goes on along the borders that it crosses: that beside the border which moved away. */
static int expected_tile(int32_t x, int32_t y, bool before)
{
    if (x == GAP && y >= 0)
        x = is_in_border(y, HEIGHT) ? before ? THICK : WIDTH - THICK - 1 : NOTHING;
    else if (y == GAP && x >= 0)
        y = is_in_border(x, WIDTH) ? before ? THICK : HEIGHT - THICK - 1 : NOTHING;
    return x < 0 || y < 0 ? 0 : 1 + y * WIDTH + x;
}

TEST(frames_move_each_side)
{
    static const struct {
        const char *line;
        filling fill;
        int32_t left, up, right, down; /* new tiles at each side; fewer than 0: so many go */
    } rows[] = {{"extend left 2", AIR, 2, 0, 0, 0},
                {"extend right 3", AIR, 0, 0, 3, 0},
                {"extend up 1", AIR, 0, 1, 0, 0},
                {"extend down 4", AIR, 0, 0, 0, 4},
                {"extend left 2 edge", EDGE, 2, 0, 0, 0},
                {"extend right 3 edge", EDGE, 0, 0, 3, 0},
                {"extend up 1 edge", EDGE, 0, 1, 0, 0},
                {"extend down 4 edge", EDGE, 0, 0, 0, 4},
                {"extend left 1 border", BORDER, 1, 0, 0, 0},
                {"extend left 4 border", BORDER, 4, 0, 0, 0},
                {"extend right 3 border", BORDER, 0, 0, 3, 0},
                {"extend up 3 border", BORDER, 0, 3, 0, 0},
                {"extend down 2 border", BORDER, 0, 0, 0, 2},
                {"crop 1,2+4x3", AIR, -1, -2, -2, 0},
                {"crop 3,0+4x5", AIR, -3, 0, 0, 0},
                {"crop 0,1+7x2", AIR, 0, -1, 0, -2}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_map) *map = lopsided_map();
        const int32_t width = WIDTH + rows[i].left + rows[i].right,
                      height = HEIGHT + rows[i].up + rows[i].down;
        tm_grid grid;
        test_edit_does(map, rows[i].line);
        must(tm_map_tiles(&grid, map, &map->groups[0].layers[0], NULL));
        const tm_tile *tiles = grid.tiles;
        assert_int_equal(grid.width, width);
        assert_int_equal(grid.height, height);
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++) {
                const int32_t old_x =
                                  source(rows[i].fill, x - rows[i].left, WIDTH, rows[i].left, rows[i].right),
                              old_y = source(rows[i].fill, y - rows[i].up, HEIGHT, rows[i].up, rows[i].down);
                const int expected = expected_tile(old_x, old_y, rows[i].left || rows[i].up);
                if (tiles[y * width + x].index != expected)
                    fail_msg("%s: at %d,%d is %d, not %d", rows[i].line, (int)x, (int)y,
                             tiles[y * width + x].index, expected);
            }
        const tm_quad *quad = test_quads(map, &map->groups[0].layers[1]);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(quad->points[k].x, corners[k].x + rows[i].left * SIDE);
            assert_int_equal(quad->points[k].y, corners[k].y + rows[i].up * SIDE);
        }
    }
}
