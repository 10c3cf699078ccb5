/* SPDX-License-Identifier: Zlib */
/*
 * Merging maps of which one side or both were extended, cropped or moved: all layers of physics have one size, with their
 * compatibility arrays, whatever settles the conflicts; it is the same map from both sides; and no tile of either side is lost
 * without being told. Random steps; more of them: TEEMAP_SEEDS=2000.
 */
#include "support/lib_edit.h"
#include "support/lib_versions.h"

enum { WIDTH = 60, HEIGHT = 40, STEPS = 3 };

static uint32_t below(uint32_t *seed, uint32_t num)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 16) % num;
}

static tm_map *new_map(void)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_TILES,
                                          TM_LAYER_TUNE};
    const tm_tune_tile tune = {3, 68};
    uint32_t seed = 5;
    tm_map *map = test_map_new();
    tm_map_insert(map, TM_KIND_GROUP, 0, NULL);
    for (uint32_t l = 0; l < 5; l++)
        tm_map_insert_layer(map, 0, l, kinds[l], WIDTH, HEIGHT, NULL);
    for (int i = 0; i < 60; i++) {
        const tm_tile tile = {(uint8_t)(1 + below(&seed, 9)), 0, 0, 0};
        const int32_t x = (int32_t)below(&seed, WIDTH), y = (int32_t)below(&seed, HEIGHT);
        tm_map_fill_tiles(map, 0, i % 5 ? 0 : 3, &(tm_rect){x, y, 1 + below(&seed, 9), 1 + below(&seed, 5)},
                          &tile, NULL);
    }
    tm_map_fill_tiles(map, 0, 4, &(tm_rect){2, 26, 19, 13}, &tune,
                      NULL); /* when the map is turned, one block seems to become the other */
    tm_map_fill_tiles(map, 0, 4, &(tm_rect){28, 0, 30, 12}, &tune, NULL);
    return map;
}

static void write_step(char *out, size_t size, uint32_t *seed, uint32_t first, bool has_switch)
{
    static const char *const sides[] = {"left", "right", "up", "down"};
    const uint32_t x = below(seed, 50), y = below(seed, 30), index = first + below(seed, 9);
    switch (below(seed, 10)) {
    case 0: snprintf(out, size, "extend %s %u air", sides[below(seed, 4)], 1 + below(seed, 6)); break;
    case 1:
        snprintf(out, size, "crop %u,%u+%ux%u", below(seed, 8), below(seed, 8), 30 + x / 3, 20 + y / 3);
        break;
    case 2: snprintf(out, size, "shift %d,%d", (int)below(seed, 7) - 3, (int)below(seed, 7) - 3); break;
    case 3: snprintf(out, size, "fill 0/0@%u,%u+3x2 %u", x, y, index); break;
    case 4: snprintf(out, size, "fill 0/1@%u,%u+3x2 %u", x, y, index); break;
    case 5: snprintf(out, size, has_switch ? "shift 1,1" : "add layer 0 switch"); break;
    case 6: snprintf(out, size, "rotate 180"); break;
    case 8: snprintf(out, size, "remove 0/Tune"); break;
    case 7: snprintf(out, size, "shift %d,%d cut", (int)below(seed, 15) - 7, (int)below(seed, 15) - 7); break;
    default: snprintf(out, size, "fill 0/3@%u,%u+3x2 %u", x, y, index); break;
    }
}

static tm_map *live(const tm_map *start, uint32_t number)
{
    uint32_t seed = number * 2654435761U + 1;
    char line[100];
    tm_map *map = test_map_clone(start);
    for (int i = 0; i < STEPS; i++) {
        const bool has_switch = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_SWITCH);
        write_step(line, sizeof(line), &seed, 20 + 10 * (number & 1), has_switch);
        if (getenv("TEEMAP_TALK"))
            print_message("  history %u: %s\n", (unsigned)number, line);
        (void)test_edit_run(map, line, NULL);
    }
    return map;
}

/* Prints what is wrong. */
static bool has_one_size(const tm_map *map, const char *description)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    tm_layer_walk walk = {0};
    bool fine = true;
    while (tm_map_next_layer(map, &walk)) {
        const tm_tile_layer *tiles = &walk.layer->as.tiles;
        if (!tm_game_layer(walk.layer->kind)->is_physics)
            continue;
        const uint64_t num = (uint64_t)tiles->width * tiles->height;
        const bool same =
            tiles->width == game->as.tiles.width && tiles->height == game->as.tiles.height &&
            tm_block_get_info(tiles->tiles).size >= num * tm_game_layer(walk.layer->kind)->element_size &&
            (!tiles->compat || tm_block_get_info(tiles->compat).size == num * sizeof(tm_tile));
        if (!same)
            print_error("%s: %s is %u x %u, game %u x %u\n", description, walk.layer->name,
                        (unsigned)tiles->width, (unsigned)tiles->height, (unsigned)game->as.tiles.width,
                        (unsigned)game->as.tiles.height);
        fine = fine && same;
    }
    return fine;
}

static bool both_ways(const tm_map *base, const tm_map *a, const tm_map *b, tm_resolution there,
                      tm_resolution back, const char *description)
{
    tm_conflicts *conflicts[2];
    OWN(tm_map) *first = test_merge(&conflicts[0], base, a, b, NULL, there),
                *two = test_merge(&conflicts[1], base, b, a, NULL, back);
    bool fine = has_one_size(first, description) && has_one_size(two, description);
    const bool told = there != TM_RESOLUTION_UNRESOLVED || tm_conflicts_num(conflicts[0]) == 0;
    for (int i = 0; i < 2 && (there == TM_RESOLUTION_OURS || there == TM_RESOLUTION_THEIRS); i++)
        if (tm_conflicts_num_open(conflicts[i]) > 0) {
            print_error("%s, %s: %u conflicts are still open\n", description,
                        tm_resolution_name(i ? back : there), tm_conflicts_num_open(conflicts[i]));
            fine = false;
        }
    if (fine && told && tm_conflicts_num_open(conflicts[0]) == 0 && !test_map_same(first, two)) {
        print_error("%s, %s: not the same from both sides\n", description, tm_resolution_name(there));
        fine = false;
    }
    if (told && tm_conflicts_num(conflicts[0]) != tm_conflicts_num(conflicts[1])) {
        print_error("%s, %s: %u and %u conflicts\n", description, tm_resolution_name(there),
                    tm_conflicts_num(conflicts[0]), tm_conflicts_num(conflicts[1]));
        fine = false;
    }
    tm_conflicts_free(conflicts[0]);
    tm_conflicts_free(conflicts[1]);
    return fine;
}

TEST(physics_have_one_size)
{
    static const tm_resolution takes[][2] = {{TM_RESOLUTION_OURS, TM_RESOLUTION_THEIRS},
                                             {TM_RESOLUTION_THEIRS, TM_RESOLUTION_OURS},
                                             {TM_RESOLUTION_BOTH, TM_RESOLUTION_BOTH},
                                             {TM_RESOLUTION_UNRESOLVED, TM_RESOLUTION_UNRESOLVED}};
    const char *seeds = getenv("TEEMAP_SEEDS"), *first = getenv("TEEMAP_FIRST_SEED");
    const uint32_t num = seeds ? (uint32_t)strtoul(seeds, NULL, 10) : 120;
    uint32_t wrong = 0;
    OWN(tm_map) *base = new_map();
    for (uint32_t i = first ? (uint32_t)strtoul(first, NULL, 10) : 0; i < num; i++) {
        OWN(tm_map) *a = live(base, 2 * i), *b = live(base, 2 * i + 1);
        char what[60];
        bool fine = true;
        snprintf(what, sizeof(what), "seed %u", (unsigned)i);
        for (size_t t = 0; t < sizeof(takes) / sizeof(*takes); t++)
            fine = both_ways(base, a, b, takes[t][0], takes[t][1], what) && fine;
        wrong += !fine;
    }
    print_message("%u of %u wrong\n", (unsigned)wrong, (unsigned)num);
    assert_int_equal(wrong, 0);
}

/* Maps of real histories: each line of it was merged to a map that games refuse. */
TEST(games_take_the_size)
{
    static const char *const pairs[][2] = {
        /* together they leave one row */
        {"crop 0,0+60x6", "extend up 2 air\ncrop 0,7+60x35"},
        {"crop 0,0+6x40", "crop 5,0+55x40"},
        /* nothing of the game layer agrees, and something of Front does elsewhere */
        {"rotate 90\nextend down 4 air\nmirror y\nclear 0/0\nfill 0/0@3,3+7x7 77", "extend left 8 edge"},
        {"extend right 9 air\nshift 9,0 cut 0/1\nreplace 1..9 with 70 0/0", "extend left 5 air"},
        /* one layer alone */
        {"shift 12,0 cut 0/0", "extend left 3 air"},
        {"shift 12,5 cut 0/1", "extend up 3 air\ncrop 4,0+50x40"},
    };
    const tm_resolution takes[] = {TM_RESOLUTION_OURS, TM_RESOLUTION_THEIRS, TM_RESOLUTION_BOTH,
                                   TM_RESOLUTION_UNRESOLVED};
    OWN(tm_map) *plain = new_map();
    bool fine = true;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        OWN(tm_map) *base =
            test_edited(plain, "fill 0/1@20,10+3x9 5\nfill 0/1@26,12+9x2 6\nfill 0/1@31,3+2x30 7");
        OWN(tm_map) *a = test_edited(base, pairs[i][0]), *b = test_edited(base, pairs[i][1]);
        for (size_t t = 0; t < sizeof(takes) / sizeof(*takes); t++)
            for (int back = 0; back < 2; back++) {
                OWN(tm_conflicts) *conflicts;
                OWN(tm_map) *map = test_merge(&conflicts, base, back ? b : a, back ? a : b, NULL, takes[t]);
                const tm_tile_layer *game = &map->groups[0].layers[0].as.tiles;
                fine = has_one_size(map, pairs[i][0]) && fine;
                if (game->width < 2 || game->height < 2)
                    print_error("%s: %u x %u\n", pairs[i][0], (unsigned)game->width, (unsigned)game->height);
                fine = fine && game->width >= 2 && game->height >= 2;
            }
    }
    assert_true(fine);
}

/*
 * One block of equal tiles seems to move when a map is turned round; what seemed to lie outside of the map stayed in conflict,
 * whatever should settle it.
 */
TEST(what_is_settled_is_settled)
{
    static const char *const pairs[][2] = {{"rotate 180\nshift 1,2", "mirror x"},
                                           {"remove 0/Tele\nrotate 180", "shift 3,-2 cut"},
                                           {"mirror y\nrotate 180", "shift -3,8 cut"}};
    static const tm_resolution takes[] = {TM_RESOLUTION_OURS, TM_RESOLUTION_THEIRS};
    OWN(tm_map) *base = new_map();
    for (size_t i = 0; i < 4 * sizeof(pairs) / sizeof(*pairs); i++) {
        OWN(tm_map) *a = test_edited(base, pairs[i / 4][i & 1]),
                    *b = test_edited(base, pairs[i / 4][!(i & 1)]);
        OWN(tm_conflicts) *conflicts;
        tm_conflict conflict;
        const tm_resolution take = takes[i >> 1 & 1];
        OWN(tm_map) *map = test_merge(&conflicts, base, a, b, NULL, take);
        for (uint32_t c = 0; tm_conflicts_at(&conflict, conflicts, c); c++)
            if (conflict.open)
                fail_msg("%s, %s: a conflict of %s is open", pairs[i / 4][0], tm_resolution_name(take),
                         conflict.name);
    }
}

/* A layer that one side moved alone was where it had been, or where the map was, in what became of it with another size. */
TEST(what_moved_alone_stays_moved)
{
    static const char *const other_names[] = {"crop 0,0+58x40", "crop 2,1+58x39", "extend left 5 air",
                                              "shift 2,1"};
    static const int32_t dx[] = {0, -2, 5, 2}, dy[] = {0, -1, 0, 1};
    const tm_tune_tile tune = {3, 68};
    OWN(tm_map) *base = new_map();
    tm_map_fill_tiles(base, 0, 4, &(tm_rect){0, 0, WIDTH, HEIGHT}, &(tm_tune_tile){0, 0}, NULL);
    tm_map_fill_tiles(base, 0, 4, &(tm_rect){4, 9, 22, 15}, &tune, NULL);
    OWN(tm_map) *moved = test_edited(base, "shift 6,3 cut 0/Tune");
    for (size_t i = 0; i < 2 * sizeof(other_names) / sizeof(*other_names); i++) {
        OWN(tm_map) *other = test_edited(base, other_names[i / 2]);
        OWN(tm_conflicts) *conflicts;
        tm_tune_tile row[60];
        OWN(tm_map) *map = test_merge(&conflicts, base, i & 1 ? other : moved, i & 1 ? moved : other, NULL,
                                      TM_RESOLUTION_BOTH);
        assert_true(has_one_size(map, other_names[i / 2]));
        assert_int_equal(tm_conflicts_num(conflicts), 0);
        must(tm_map_read_tiles(map, &map->groups[0].layers[4],
                               &(tm_rect){10 + dx[i / 2], 12 + dy[i / 2], 23, 1}, row, 0, NULL));
        for (int x = 0; x < 22; x++)
            assert_int_equal(row[x].number, 3);
        assert_int_equal(row[22].number, 0);
        must(tm_map_read_tiles(map, &map->groups[0].layers[4],
                               &(tm_rect){4 + dx[i / 2], 9 + dy[i / 2], 22, 1}, row, 0, NULL));
        for (int x = 0; x < 22; x++)
            assert_int_equal(row[x].number, 0);
    }
}
