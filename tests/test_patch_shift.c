/* SPDX-License-Identifier: Zlib */
/*
 * Maps that were extended, cropped or moved as a whole: the patch says so, layers without a name are still known, what was changed
 * besides is told in its place, and the way there and back is exact, also through JSON. Merged, what the other side did goes along.
 */
#include "map/map.h"
#include "support/lib_patches.h"

enum { WIDTH = 90, HEIGHT = 70, GAME = 0, FRONT = 1, FIRST = 2, SECOND = 3 };

static uint32_t next_number(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

/* Walls and rooms: much of it is solid, as in real maps. */
static void build(tm_map *map, uint32_t layer, uint32_t seed)
{
    for (int i = 0; i < 40; i++) {
        const int32_t x = (int32_t)(next_number(&seed) % WIDTH), y = (int32_t)(next_number(&seed) % HEIGHT);
        const uint32_t width = 1 + next_number(&seed) % 20, height = 1 + next_number(&seed) % 9;
        const tm_tile tile = {(uint8_t)(next_number(&seed) % 4), 0, 0, 0};
        tm_map_fill_tiles(map, 0, layer, &(tm_rect){x, y, width, height}, &tile, NULL);
    }
}

static tm_map *new_map(void)
{
    tm_quad quad;
    tm_map *map = test_map_new();
    tm_map_insert(map, TM_KIND_GROUP, 0, NULL);
    tm_map_insert_layer(map, 0, GAME, TM_LAYER_GAME, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 0, FRONT, TM_LAYER_FRONT, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 0, FIRST, TM_LAYER_TILES, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 0, SECOND, TM_LAYER_TILES, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 0, SECOND + 1, TM_LAYER_QUADS, 0, 0, NULL);
    for (uint32_t l = GAME; l <= SECOND; l++)
        if (l != FRONT)
            build(map, l, 7 * l + 1);
    for (uint32_t l = FIRST; l <= SECOND + 1; l++)
        map->groups[0].layers[l].name[0] = '\0';
    tm_quad_init(&quad, 20 * 32 * 1024, 30 * 32 * 1024, 9999, 9999);
    tm_map_set_quads(map, 0, SECOND + 1, &quad, 1, NULL);
    return map;
}

typedef struct whole_map {
    const char *line;
    int32_t dx, dy;
    uint32_t width, height; /* then */
    bool cuts;              /* tiles are lost */
} whole_map;

static const whole_map wholes[] = {
    {"shift 7,-3", 7, -3, WIDTH, HEIGHT, true},
    {"shift -10,0 wrap", -10, 0, WIDTH, HEIGHT, true},
    {"extend left 20", 20, 0, WIDTH + 20, HEIGHT, false},
    {"extend up 3\nextend right 5", 0, 3, WIDTH + 5, HEIGHT + 3, false},
    {"crop 11,13+50x40", -11, -13, 50, 40, true},
    {"crop 30,5+33x60", -30, -5, 33, 60, true},
};

/* What a patch puts where nothing was is what its inverse cuts off, and the other way round. */
static void check_inverse(const tm_patch *patch, const whole_map *is)
{
    OWN(tm_patch) *inverse;
    tm_patch_change change, undone;
    uint64_t cut = 0;
    must(tm_patch_invert(&inverse, patch, NULL));
    for (uint32_t c = 0; tm_patch_at(&change, patch, c); c++) {
        assert_true(tm_patch_at(&undone, inverse, c));
        assert_int_equal(undone.num_cut, change.num_new);
        assert_int_equal(undone.num_new, change.num_cut);
        assert_int_equal(undone.dx, -change.dx);
        assert_int_equal(undone.dy, -change.dy);
        for (int side = 0; side < 2; side++) {
            assert_int_equal(undone.width[side], change.width[!side]);
            assert_int_equal(undone.height[side], change.height[!side]);
        }
        cut += change.num_cut;
    }
    if ((cut > 0) != is->cuts)
        fail_msg("%s: %llu tiles are cut off", is->line, (unsigned long long)cut);
}

TEST(map_as_a_whole)
{
    OWN(tm_map) *base = new_map();
    for (size_t i = 0; i < sizeof(wholes) / sizeof(*wholes); i++) {
        const whole_map *is = &wholes[i];
        OWN(tm_map) *map = test_edited(base, is->line);
        OWN(tm_patch) *patch = test_patch_between(base, map);
        tm_map_shift shift;
        tm_patch_change change;
        assert_true(tm_patch_shift(&shift, patch));
        assert_int_equal(shift.dx, is->dx);
        assert_int_equal(shift.dy, is->dy);
        assert_int_equal(shift.width[1], is->width);
        assert_int_equal(shift.height[1], is->height);
        for (uint32_t c = 0; tm_patch_at(&change, patch, c); c++) {
            char line[300];
            tm_patch_change_format(&change, line, sizeof(line));
            if (!tm_patch_change_is_shift(&change, &shift))
                fail_msg("%s: %s", is->line, line);
        }
        check_inverse(patch, is);
        assert_true(test_patch_there_and_back(base, patch, map, __func__));
    }
}

/* A change that is made to `base`, then done as a patch to a map that was `grown` from it since. */
typedef struct third_map {
    const char *change, *grown, *expected; /* what the same change is there; NULL: it does not fit */
} third_map;

static const third_map thirds[] = {
    {"fill 0/2@40,20+3x2 9", "extend left 20", "fill 0/2@60,20+3x2 9"},
    {"fill 0/2@40,20+3x2 9", "extend up 7\nextend right 3", "fill 0/2@40,27+3x2 9"},
    {"fill 0/0@40,20+3x2 9\nfill 0/1@50,50+1x1 4", "extend left 20\nextend down 5",
     "fill 0/0@60,20+3x2 9\nfill 0/1@70,50+1x1 4"},
    {"fill 0/3@40,20+3x2 9\nfill 0/0@44,22+1x3 3", "crop 11,13+79x57",
     "fill 0/3@29,7+3x2 9\nfill 0/0@33,9+1x3 3"},
    {"fill 0/2@40,20+3x2 9\nquads scale 2 0/4\nadd quad 0/4 64,64 32x32", "extend left 20",
     "fill 0/2@60,20+3x2 9\nquads scale 2 0/4\nadd quad 0/4 704,64 32x32"},
    {"fill 1/0@6,6+2x2 9", "move 1 2", "fill 2/0@6,6+2x2 9"},
    {"fill 1/0@6,6+2x2 9", "extend left 20", "fill 1/0@26,6+2x2 9"},         /* in one color */
    {"fill 0/1@50,50+1x1 4", "extend left 20", NULL},                        /* an empty layer says nothing */
    {"fill 0/2@40,20+3x2 9", "shift 20,0", NULL},                            /* as large as before */
    {"fill 0/2@40,20+3x2 9", "extend left 20\nfill 0/2@0,0+110x70 1", NULL}, /* nothing is left of it */
    /* quads, new layers and groups: these too went to their old coordinates, as no tiles change beside them */
    {"add quad 0/4 64,64 32x32", "extend left 20\nextend up 3", "add quad 0/4 704,160 32x32"},
    {"quads scale 2 0/4", "crop 11,13+79x57", "quads scale 2 0/4"},
    {"add layer 0 tiles\nfill 0/5@40,20+3x2 9", "extend left 20", "add layer 0 tiles\nfill 0/5@60,20+3x2 9"},
    {"add layer 0 tele\nfill 0/5@40,20+3x2 tele-in:7", "crop 11,13+79x57",
     "add layer 0 tele\nfill 0/5@29,7+3x2 tele-in:7"},
    {"add layer 0 tiles 30x20\nfill 0/5@4,2+3x2 9", "extend up 5",
     "add layer 0 tiles 30x25\nfill 0/5@4,7+3x2 9"},
    {"add group q\nadd layer 3 quads\nadd quad 3/0 64,64 32x32", "crop 11,13+79x57",
     "add group q\nadd layer 3 quads\nadd quad 3/0 -288,-352 32x32"},
    {"add group far\nset 3.parallax.x=50\nset 3.use_clipping=true\nset 3.clip.x=64", "extend left 20",
     "add group far\nset 3.parallax.x=50\nset 3.use_clipping=true\nset 3.clip.x=704\nset 3.offset.x=-320"},
    {"add quad 0/4 64,64 32x32", "extend left 20\nfill 0/0@0,0+110x70 1", NULL},
    {"quads scale 2 0/4", "extend left 20\nfill 0/0@0,0+110x70 1", NULL},
    {"add layer 0 tiles", "extend left 20\nfill 0/0@0,0+110x70 1", NULL},
    {"add quad 0/4 64,64 32x32", "fill 0/0@0,0+90x70 1", "add quad 0/4 64,64 32x32"}, /* as large as before */
};

/* Formerly tiles went to their old coordinates in a map that was extended on the left, without a word. */
TEST(third_maps)
{
    OWN(tm_map) *map0 = new_map();
    OWN(tm_map) *base =
        test_edited(map0, "add group fg\nadd layer 1 tiles\nset 1/0.name=decor\nfill 1/0@5,5+5x4 3\n"
                          "add group fg\nadd layer 2 tiles\nset 2/0.name=ground\nfill 2/0@5,15+50x10 7");
    for (size_t i = 0; i < sizeof(thirds) / sizeof(*thirds); i++) {
        const third_map *is = &thirds[i];
        OWN(tm_map) *changed = test_edited(base, is->change), *map = test_edited(base, is->grown);
        OWN(tm_map) *expected = is->expected ? test_edited(map, is->expected) : NULL;
        OWN(tm_patch) *patch = test_patch_between(base, changed), *read;
        OWN(tm_buffer) text = {0};
        const tm_output output = tm_output_to_buffer(&text);
        tm_error error = {0};
        must(tm_patch_write(patch, &output, NULL));
        must(tm_patch_read(&read, text.bytes, text.size, NULL, NULL));
        const tm_status status = tm_patch_apply(map, read, NULL, NULL, &error);
        if (status != (expected ? TM_OK : TM_ERROR_UNSUPPORTED))
            fail_msg("%s, %s: %s", is->change, is->grown, error.text);
        bool equal = !expected;
        char where[100] = "";
        if (expected)
            tm_map_equal(&equal, map, expected, where, sizeof(where), NULL);
        if (!equal)
            fail_msg("%s, %s: %s", is->change, is->grown, where);
    }
}

static uint64_t tiles_beside(const tm_patch *patch)
{
    tm_map_shift shift = {0};
    tm_patch_change change;
    uint64_t num = 0;
    tm_patch_shift(&shift, patch);
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        if (!tm_patch_change_is_shift(&change, &shift))
            num += change.num - change.num_cut - change.num_new;
    return num;
}

/* Formerly every tile of a map that was moved was told, and cropped ones were held against a corner. */
TEST(what_else_was_done)
{
    OWN(tm_map) *base = new_map(),
                *map = test_edited(base, "shift 7,-3\nfill 0/2@40,20+3x2 9\nfill 0/1@50,50+1x1 4");
    OWN(tm_patch) *patch = test_patch_between(base, map);
    assert_int_equal(tiles_beside(patch), 7);
    assert_true(test_patch_there_and_back(base, patch, map, __func__));
}

TEST(one_layer_alone)
{
    char line[300];
    tm_map_shift shift;
    tm_patch_change change;
    OWN(tm_map) *base = new_map(), *map = test_edited(base, "shift 4,1 0/3");
    OWN(tm_patch) *patch = test_patch_between(base, map);
    assert_false(tm_patch_shift(&shift, patch));
    assert_int_equal(tm_patch_num(patch), 1);
    tm_patch_at(&change, patch, 0);
    assert_int_equal(change.dx, 4);
    assert_int_equal(change.dy, 1);
    tm_patch_change_format(&change, line, sizeof(line));
    assert_non_null(strstr(line, "all of it moved by 4,1"));
    assert_true(test_patch_there_and_back(base, patch, map, __func__));
}

/* Layers with elements of 2, 4 and 6 bytes that were moved, or changed in their place. */
TEST(elements_of_each_size)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_TILES, TM_LAYER_TELE, TM_LAYER_SPEEDUP, TM_LAYER_SWITCH,
                                          TM_LAYER_TUNE};
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
        OWN(tm_map) *base = new_map(), *changed, *moved;
        OWN(tm_patch) *patch;
        tm_patch_change change;
        tm_grid grid;
        void *bytes;
        uint64_t size;
        uint32_t seed = 5;
        must(tm_map_insert_layer(base, 0, SECOND, kinds[k], WIDTH, HEIGHT, NULL));
        must(tm_map_tiles(&grid, base, &base->groups[0].layers[SECOND], NULL));
        const uint32_t element = grid.tile_size;
        must(tm_map_edit_data(&bytes, &size, base, base->groups[0].layers[SECOND].as.tiles.tiles, NULL));
        for (uint64_t i = 0; i < size / element; i++)
            for (uint32_t b = 0; b < element; b++) /* each byte tells elements apart */
                ((uint8_t *)bytes)[i * element + b] = next_number(&seed) % 8 == 0;
        moved = test_edited(base, "shift 4,1 0/3");
        patch = test_patch_between(base, moved);
        assert_int_equal(tm_patch_num(patch), 1);
        assert_true(tm_patch_at(&change, patch, 0));
        assert_int_equal(change.dx, 4);
        assert_int_equal(change.dy, 1);
        assert_true(test_patch_there_and_back(base, patch, moved, __func__));
        tm_patch_free(patch);
        changed = test_edited(base, "clear 0/3@0,20+90x15");
        patch = test_patch_between(base, changed);
        assert_true(tm_patch_at(&change, patch, 0));
        assert_int_equal(change.dx, 0);
        assert_int_equal(change.dy, 0);
        assert_true(test_patch_there_and_back(base, patch, changed, __func__));
    }
}

static void add_noise(tm_map *map, tm_rect area, uint32_t seed)
{
    const tm_rect whole = area;
    for (area.y = whole.y; area.y < whole.y + (int32_t)whole.height; area.y++)
        for (area.x = whole.x; area.x < whole.x + (int32_t)whole.width; area.x++) {
            const tm_tile tile = {(uint8_t)(1 + next_number(&seed) % 255), 0, 0, 0};
            must(tm_map_fill_tiles(map, 0, FIRST, &(tm_rect){area.x, area.y, 1, 1}, &tile, NULL));
        }
}

/* A piece of the layer moved, but more tiles would differ if all of it had: merges called it moved. */
TEST(a_moved_piece_is_no_moved_layer)
{
    OWN(tm_map) *full = new_map(), *base = test_edited(full, "clear 0/2"), *map = test_edited(base, "");
    add_noise(base, (tm_rect){2, 2, 10, 10}, 1);
    add_noise(base, (tm_rect){32, 32, 30, 30}, 2);
    add_noise(map, (tm_rect){2, 32, 10, 10}, 1);
    add_noise(map, (tm_rect){32, 32, 30, 30}, 3);
    OWN(tm_patch) *patch = test_patch_between(base, map);
    tm_patch_change change;
    assert_true(tm_patch_at(&change, patch, 0));
    assert_int_equal(change.kind, TM_CHANGE_TILES);
    assert_int_equal(change.dx, 0);
    assert_int_equal(change.dy, 0);
    assert_true(test_patch_there_and_back(base, patch, map, __func__));
}

/* A referee says that the race is another one: the edges of the map act, too. */
TEST(moved_race)
{
    tm_filter_options part = TM_FILTER_OPTIONS_INIT;
    OWN(tm_map) *base = new_map(), *map = test_edited(base, "shift 2,0");
    OWN(tm_patch) *patch = test_patch_between(base, map), *race;
    part.race = true;
    must(tm_patch_filter(&race, patch, &part, NULL));
    assert_true(tm_patch_num(race) > 0);
}

static int tile_at(const tm_map *map, uint32_t layer, uint32_t x, uint32_t y)
{
    tm_grid grid = test_grid(map, &map->groups[0].layers[layer]);
    return *((const uint8_t *)grid.tiles + y * grid.row_stride + x * grid.tile_size);
}

/* What theirs puts into a map that ours has moved comes where it belongs, into empty physics, too. */
TEST(merged_into_what_was_moved)
{
    static const char *const ways[] = {"shift 7,3", "extend left 7\nextend up 3",
                                       "crop 5,5+80x60\nextend left 12\nextend up 8"};
    OWN(tm_map) *base = new_map(), *theirs = test_edited(base, "fill 0/2@40,20+3x2 9\nfill 0/1@50,50+1x1 4");
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        tm_map *ours = test_edited(base, ways[i]), *merged[2];
        tm_conflicts *conflicts[2];
        must(tm_map_merge(&merged[0], &conflicts[0], base, ours, theirs, NULL, NULL, NULL));
        must(tm_map_merge(&merged[1], &conflicts[1], base, theirs, ours, NULL, NULL, NULL));
        assert_true(test_map_same(merged[0], merged[1]));
        assert_int_equal(tile_at(merged[0], FIRST, 47, 23), 9);
        assert_int_equal(tile_at(merged[0], FIRST, 49, 24), 9);
        assert_int_equal(tile_at(merged[0], FRONT, 57, 53), 4);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(tm_conflicts_num(conflicts[k]), 0);
            tm_conflicts_free(conflicts[k]);
            tm_map_free(merged[k]);
        }
        tm_map_free(ours);
    }
}

/* One tile in what one side has alone, at any distance from the edge: it is found, and nothing else is. */
TEST(lone_tiles_are_found)
{
    enum { MORE = 150 };
    OWN(tm_map) *small = new_map();
    for (int32_t x = 0; x < MORE; x += x < 70 ? 1 : 7) {
        OWN(tm_map) *large = test_edited(small, "extend right 150 empty");
        const tm_tile tile = {77, 0, 0, 0};
        tm_patch_change change;
        bool found = false;
        tm_map_fill_tiles(large, 0, FIRST, &(tm_rect){WIDTH + x, 5, 1, 1}, &tile, NULL);
        for (int back = 0; back < 2; back++) {
            OWN(tm_patch) *patch = back ? test_patch_between(large, small) : test_patch_between(small, large);
            for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++) {
                const bool own = change.kind == TM_CHANGE_TILES && change.before.layer == FIRST;
                found = found || own;
                assert_int_equal(change.num, own);
                if (own)
                    assert_true(change.regions[0].rect.x == WIDTH + x && change.regions[0].rect.y == 5);
            }
            assert_true(found);
            test_patch_becomes(back ? large : small, patch, back ? small : large);
        }
    }
}

/* What a file claims and has no tiles for: so many tiles that are not there. */
static tm_map *claimed_map(uint32_t num_layers, uint32_t width)
{
    tm_map *map = test_map_new();
    tm_map_insert(map, TM_KIND_GROUP, 0, NULL);
    for (uint32_t l = 0; l < num_layers; l++) {
        tm_map_insert_layer(map, 0, l, l == GAME ? TM_LAYER_GAME : TM_LAYER_TILES, 1, 1, NULL);
        map->groups[0].layers[l].as.tiles.width = width;
        map->groups[0].layers[l].as.tiles.height = 16384;
        tmi_block_put(map, &map->groups[0].layers[l].as.tiles.tiles, NULL);
    }
    return map;
}

/* Rows of game layers were looked for at NULL. */
TEST(game_layers_without_tiles)
{
    OWN(tm_map) *extra = claimed_map(3, 16384), *less = claimed_map(2, 16000);
    OWN(tm_patch) *patch = NULL;
    tm_error error = {0};
    assert_int_equal(tm_patch_make(&patch, extra, less, NULL, &error), TM_OK);
    tm_patch_change change;
    assert_true(tm_patch_at(&change, patch, 0));
}
