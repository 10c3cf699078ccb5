/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers as grids: borrowing, rectangles that hang over the edges, strides, filling, resizing.
 */
#include "map/map.h"
#include "support/fake_file.h"
#include "support/test.h"

static struct fake_file file;
static tm_map *map;
static tm_layer *tiles, *tele;
/* where they are */
#define TILES 1, 0
#define TELE  0, 1

static void make_map(void)
{
    map = fake_file_map(&file, NULL);
    tiles = &map->groups[1].layers[0]; /* 4 x 3: 1 2 3 4 / 5 0 0 0 / 0 0 0 0 */
    tele = &map->groups[0].layers[1];
}

static void drop_map(void)
{
    tm_status status = tm_map_verify(map, NULL);
    tm_map_free(map);
    assert_true(status == TM_OK && file.freed);
}

/* The indices of all tiles of a layer as one text, rows divided by slashes. */
static void assert_tiles(const tm_layer *layer, const char *expected)
{
    char text[200];
    size_t length = 0;
    tm_grid grid = test_grid(map, layer);
    for (uint32_t y = 0; y < grid.height; y++) {
        for (uint32_t x = 0; x < grid.width; x++)
            length +=
                tmi_format(text + length, sizeof(text) - length, "%u",
                           ((const uint8_t *)grid.tiles)[y * grid.row_stride + (size_t)x * grid.tile_size]);
        length += tmi_format(text + length, sizeof(text) - length, "/");
    }
    assert_string_equal(text, expected);
}

TEST(grids_are_lent)
{
    tm_edit_grid edited;
    tm_grid grid = test_grid(map, tele);
    assert_true(grid.width == 4 && grid.height == 3 && grid.tile_size == 2 && grid.row_stride == 8);
    assert_int_equal(((const tm_tele_tile *)grid.tiles)[1].type, 26);
    assert_false(tm_block_get_info(tele->as.tiles.tiles).changed);
    must(tm_map_edit_tiles(&edited, map, TELE, NULL));
    assert_true(tm_block_get_info(tele->as.tiles.tiles).changed);
    assert_int_equal(tm_map_tiles(&grid, map, &map->groups[0].layers[5], NULL), TM_ERROR_USAGE);
    assert_null(grid.tiles);
    tiles->as.tiles.width = 5; /* written by a careless caller */
    assert_int_equal(tm_map_tiles(&grid, map, tiles, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_edit_tiles(&edited, map, TILES, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_resize_layer(map, TILES, 2, 2, 0, 0, NULL), TM_ERROR_USAGE);
    tiles->as.tiles.width = 4;
}

TEST(rectangles_are_read)
{
    tm_tile buffer[6][6];
    memset(buffer, 0xEE, sizeof(buffer));
    must(tm_map_read_tiles(map, tiles, &(tm_rect){1, 0, 2, 2}, buffer, 0, NULL)); /* tight */
    const tm_tile *tight = &buffer[0][0];
    assert_true(tight[0].index == 2 && tight[0].flags == 8 && tight[1].index == 3 && tight[2].index == 0);
    assert_int_equal(tight[4].index, 0xEE);

    memset(buffer, 0xEE, sizeof(buffer));
    must(tm_map_read_tiles(map, tiles, &(tm_rect){-1, -1, 6, 5}, buffer, sizeof(buffer[0]),
                           NULL)); /* all and a rim */
    assert_true(buffer[0][0].index == 0 && buffer[0][5].index == 0 && buffer[4][3].index == 0);
    assert_true(buffer[1][0].index == 0 && buffer[1][1].index == 1 && buffer[1][4].index == 4 &&
                buffer[1][5].index == 0);
    assert_true(buffer[2][1].index == 5 && buffer[5][0].index == 0xEE);

    memset(buffer, 0xEE, sizeof(buffer));
    must(tm_map_read_tiles(map, tiles, &(tm_rect){4, 0, 1, 3}, buffer, 0, NULL)); /* outside */
    assert_true(tight[0].index == 0 && tight[2].index == 0 && tight[3].index == 0xEE);
    must(tm_map_read_tiles(map, tiles, &(tm_rect){INT32_MIN, INT32_MAX, 2, 1}, buffer, 0, NULL));
    must(tm_map_read_tiles(map, tiles, &(tm_rect){INT32_MAX, INT32_MIN, 2, 1}, buffer, 0, NULL));
    must(tm_map_read_tiles(map, tiles, &(tm_rect){0, 0, 0, 5}, NULL, 0, NULL));
    must(tm_map_read_tiles(map, tiles, &(tm_rect){0, 0, 5, 0}, NULL, 0, NULL));
    assert_int_equal(tm_map_read_tiles(map, tiles, &(tm_rect){0, 0, 2, 1}, buffer, 7, NULL), TM_ERROR_USAGE);
    assert_int_equal(
        tm_map_read_tiles(map, tiles, &(tm_rect){0, 0, UINT32_MAX, UINT32_MAX}, buffer, SIZE_MAX, NULL),
        TM_ERROR_USAGE);
    assert_int_equal(
        tm_map_read_tiles(map, &map->groups[0].layers[6], &(tm_rect){0, 0, 1, 1}, buffer, 0, NULL),
        TM_ERROR_USAGE);
}

TEST(rectangles_are_written)
{
    tm_tile buffer[3][3];
    for (uint8_t i = 0; i < 9; i++)
        buffer[i / 3][i % 3] = (tm_tile){(uint8_t)(i + 1), 0, 0, 0};
    must(tm_map_write_tiles(map, TILES, &(tm_rect){4, 0, 3, 3}, buffer, 0,
                            NULL)); /* all outside: not even a change */
    must(tm_map_write_tiles(map, TILES, &(tm_rect){0, -3, 3, 3}, buffer, 0, NULL));
    must(tm_map_write_tiles(map, TILES, &(tm_rect){0, 0, 0, 3}, NULL, 0, NULL));
    assert_false(tm_block_get_info(tiles->as.tiles.tiles).changed);
    must(tm_map_write_tiles(map, TILES, &(tm_rect){-1, -1, 3, 3}, buffer, 0, NULL));
    assert_tiles(tiles, "5634/8900/0000/");
    must(tm_map_write_tiles(map, TILES, &(tm_rect){3, 2, 3, 3}, buffer, sizeof(buffer[0]), NULL));
    assert_tiles(tiles, "5634/8900/0001/");
    must(tm_map_write_tiles(map, TILES, &(tm_rect){1, 1, 2, 2}, buffer, sizeof(buffer[0]), NULL));
    assert_tiles(tiles, "5634/8120/0451/");
    assert_int_equal(tm_map_write_tiles(map, TILES, &(tm_rect){1, 1, 2, 2}, buffer, 5, NULL), TM_ERROR_USAGE);
}

TEST(rectangles_are_filled)
{
    static const tm_tile seven = {7, 1, 0, 0};
    must(tm_map_fill_tiles(map, TILES, &(tm_rect){9, 9, 3, 3}, &seven, NULL));
    assert_false(tm_block_get_info(tiles->as.tiles.tiles).changed);
    must(tm_map_fill_tiles(map, TILES, &(tm_rect){2, 1, 100, UINT32_MAX}, &seven, NULL));
    assert_tiles(tiles, "1234/5077/0077/");
    tm_edit_grid grid = test_edit_grid(map, TILES);
    must(tm_map_fill_tiles(map, TILES, &(tm_rect){0, 0, 2, 2}, (tm_tile *)grid.tiles + 3,
                           NULL)); /* a tile of the layer */
    assert_tiles(tiles, "4434/4477/0077/");
    static const tm_speedup_tile speedup = {1, 2, 28, 0, -90};
    tm_speedup_tile read;
    must(tm_map_fill_tiles(map, 0, 2, &(tm_rect){-5, 2, 7, 1}, &speedup, NULL));
    must(tm_map_read_tiles(map, &map->groups[0].layers[2], &(tm_rect){1, 2, 1, 1}, &read, 0, NULL));
    assert_memory_equal(&read, &speedup, sizeof(read));
}

TEST(layers_are_resized)
{
    must(tm_map_resize_layer(map, TILES, 4, 3, 0, 0, NULL));
    assert_false(tm_block_get_info(tiles->as.tiles.tiles).changed);
    must(tm_map_resize_layer(map, TILES, 6, 4, 1, 2, NULL));
    assert_tiles(tiles, "000000/000000/012340/050000/");
    must(tm_map_resize_layer(map, TILES, 3, 2, -2, -1, NULL));
    assert_tiles(tiles, "000/234/");
    must(tm_map_resize_layer(map, TILES, 3, 2, 1, -1, NULL));
    assert_tiles(tiles, "023/000/");
    must(tm_map_resize_layer(map, TILES, 2, 2, 5, 0, NULL)); /* nothing stays */
    assert_tiles(tiles, "00/00/");
    must(tm_map_resize_layer(map, TILES, 2, 2, INT32_MIN, INT32_MIN, NULL));
    must(tm_map_resize_layer(map, TILES, 2, 2, INT32_MAX, INT32_MAX, NULL));
    must(tm_map_resize_layer(map, TILES, 1, 1, -1, -1, NULL));
    assert_int_equal(tm_block_get_info(tiles->as.tiles.tiles).size, 4);
    assert_int_equal(tm_map_resize_layer(map, TILES, 0, 1, 0, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_resize_layer(map, TILES, INT32_MAX, INT32_MAX, 0, 0, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_map_resize_layer(map, 0, 5, 1, 1, 0, 0, NULL), TM_ERROR_USAGE);
}

TEST(the_compatibility_array_follows)
{
    const void *bytes;
    void *writable;
    must(tm_map_edit_data(&writable, NULL, map, tele->as.tiles.compat, NULL));
    ((tm_tile *)writable)[0].index = 3;
    must(tm_map_resize_layer(map, TELE, 2, 2, 1, 1, NULL));
    assert_int_equal(tm_block_get_info(tele->as.tiles.tiles).size, 8);
    assert_int_equal(tm_block_get_info(tele->as.tiles.compat).size, 16);
    must(tm_map_data(&bytes, NULL, map, tele->as.tiles.compat, NULL));
    assert_int_equal(((const tm_tile *)bytes)[3].index, 3);
    assert_tiles(tele, "00/01/");

    /* One of a wrong size, as some files have it, becomes right, with what there was. */
    static const tm_tile few[3] = {{1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}};
    tmi_block_free(map, tele->as.tiles.compat);
    tele->as.tiles.compat = fake_file_block(&file, map, TMI_ENCODING_BYTES, few, sizeof(few));
    must(tm_map_resize_layer(map, TELE, 3, 2, 0, 0, NULL));
    assert_int_equal(tm_block_get_info(tele->as.tiles.compat).size, 24);
    must(tm_map_data(&bytes, NULL, map, tele->as.tiles.compat, NULL));
    const tm_tile *compat = bytes;
    assert_true(compat[0].index == 1 && compat[1].index == 2 && compat[3].index == 0 && compat[4].index == 0);
}

TEST(a_layer_without_tiles_gets_some_when_written)
{
    static const tm_tile tile = {1, 0, 0, 0};
    tm_tile read = {9, 9, 9, 9};
    tm_edit_grid edited;
    tmi_block_free(map, tiles->as.tiles.tiles);
    tiles->as.tiles.tiles = NULL;
    tm_grid grid = test_grid(map, tiles);
    assert_true(!grid.tiles && grid.width == 4);
    must(tm_map_read_tiles(map, tiles, &(tm_rect){0, 0, 1, 1}, &read, 0, NULL));
    assert_int_equal(read.index, 0);
    must(tm_map_resize_layer(map, TILES, 3, 3, 0, 0, NULL));
    assert_null(tiles->as.tiles.tiles);
    must(tm_map_fill_tiles(map, TILES, &(tm_rect){1, 1, 1, 1}, &tile, NULL));
    assert_tiles(tiles, "000/010/000/");
    /* No size, no tiles. */
    tmi_block_free(map, tiles->as.tiles.tiles);
    tiles->as.tiles.tiles = NULL;
    tiles->as.tiles.width = tiles->as.tiles.height = 0;
    must(tm_map_edit_tiles(&edited, map, TILES, NULL));
    assert_null(edited.tiles);
    must(tm_map_fill_tiles(map, TILES, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    must(tm_map_resize_layer(map, TILES, 2, 1, 0, 0, NULL));
    must(tm_map_fill_tiles(map, TILES, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    assert_tiles(tiles, "10/");
}

TEST_EACH(make_map, drop_map)
