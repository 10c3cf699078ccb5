/* SPDX-License-Identifier: Zlib */
/*
 * Merging two maps that were made apart, without a base: what one has alone is in the result, what both have is there once, and
 * what they have in two ways is a conflict that says nothing of a base. Unrelated maps of the corpus give sound maps.
 *
 * test-timeout: 600
 */
#include "support/lib_versions.h"
#include "support/test.h"

typedef struct apart_case {
    const char *ours, *theirs, *result;
} apart_case;

static const apart_case clean_cases[] = {
    {"set 0.offset.x=5", "set 0.offset.y=6", "set 0.offset.x=5 0.offset.y=6"},
    {"add group Aa", "add group Bb\nadd layer Bb quads", "add group Aa\nadd group Bb\nadd layer Bb quads"},
    {"add image aa\nset Play/Deco.image=image/aa", "add image bb",
     "add image aa\nset Play/Deco.image=image/aa\nadd image bb"},
    {"settings add \"say a\"", "settings add \"say b\"", "settings add \"say a\" \"say b\""},
    {"fill Play/Deco@20,20+2x2 5", "fill Play/Deco@25,20+2x2 6",
     "fill Play/Deco@20,20+2x2 5\nfill Play/Deco@25,20+2x2 6"},
    {"add quad 0/0 -320,0 2x2\nquads back 0/0@-10,0+1x1", "add quad 0/0 640,0 2x2",
     "add quad 0/0 640,0 2x2\nadd quad 0/0 -320,0 2x2\nquads back 0/0@-10,0+1x1"},
    {"add point envelope/0 300 0.1", "add point envelope/0 200 0.2\nadd point envelope/0 400 0.2",
     "add point envelope/0 200 0.2\nadd point envelope/0 400 0.2\nadd point envelope/0 300 0.1"},
    {"extend right 5 empty Play/Deco", "extend down 4 empty Play/Deco",
     "extend right 5 empty Play/Deco\nextend down 4 empty Play/Deco"},
    {"add group Aa\nadd layer Aa tiles 5x5\nfill Aa/0@0,0+2x2 3",
     "add group Bb\nadd layer Bb tiles 5x5\nfill Bb/0@0,0+2x2 4",
     "add group Aa\nadd layer Aa tiles 5x5\nfill Aa/0@0,0+2x2 3\n"
     "add group Bb\nadd layer Bb tiles 5x5\nfill Bb/0@0,0+2x2 4"},
    {"add layer 2 tiles 5x5\nrename 2/1 Aa\nfill 2/1@0,0+2x2 3",
     "add layer 2 tiles 5x5\nrename 2/1 Bb\nfill 2/1@0,0+2x2 4",
     "add layer 2 tiles 5x5\nrename 2/1 Aa\nfill 2/1@0,0+2x2 3\n"
     "add layer 2 tiles 5x5\nrename 2/2 Bb\nfill 2/2@0,0+2x2 4"},
    {"pixel 3 1", "pixel 4 1", "pixel 3 1\npixel 4 1"},
    {"remove Play/More", "rename 0 Back", "rename 0 Back"}, /* what one has, is */
};

static bool comes_to(const tm_map *ours, const tm_map *theirs, const tm_map *expected)
{
    OWN(tm_conflicts) *conflicts;
    OWN(tm_map) *map = test_merge(&conflicts, NULL, ours, theirs, NULL, TM_RESOLUTION_UNRESOLVED);
    const bool fine = tm_conflicts_num(conflicts) == 0 && test_map_same(map, expected);
    test_print_conflicts(conflicts);
    return fine;
}

TEST(all_of_both_is_there_once)
{
    bool fine = true;
    for (size_t i = 0; i < sizeof(clean_cases) / sizeof(*clean_cases); i++) {
        const apart_case *row = &clean_cases[i];
        OWN(tm_map) *ours = test_version_make(row->ours), *theirs = test_version_make(row->theirs),
                    *result = test_version_make(row->result);
        const tm_map *const pairs[][2] = {
            {ours, theirs}, {theirs, ours}, {result, ours}, {theirs, result}, {result, result}};
        for (size_t p = 0; p < sizeof(pairs) / sizeof(*pairs); p++)
            if (!comes_to(pairs[p][0], pairs[p][1], result)) {
                print_error("case %zu, pair %zu\n", i, p);
                fine = false;
            }
    }
    assert_true(fine);
}

typedef struct two_ways {
    const char *ours, *theirs;
    tm_conflict_kind kind;
    const char *line;
} two_ways;

static const two_ways conflict_cases[] = {
    {"set 0.offset.x=5", "set 0.offset.x=7", TM_CONFLICT_FIELD,
     "group 0 'Back': offset.x is 5 in ours, 7 in theirs"},
    {"fill Play/Deco@21,21+1x1 5", "fill Play/Deco@21,21+1x1 6", TM_CONFLICT_TILES,
     "group 1, layer 1 'Deco': 1 tile differs at 21,21 1x1"},
    {"settings replace \"sv_a*\" \"sv_a 2\"", "settings replace \"sv_a*\" \"sv_a 3\"", TM_CONFLICT_SETTING,
     "settings: \"sv_a 2\" in ours and \"sv_a 3\" in theirs"},
    {"set 0/0.quads[0].colors[0]=#0affffff", "set 0/0.quads[0].colors[0]=#14ffffff", TM_CONFLICT_ELEMENT,
     "group 0, layer 0 'Sky': quad 0 differs from that of theirs"},
    {"pixel 3 1", "pixel 3 2", TM_CONFLICT_PIXELS, "image 1 'stone': 1 pixel differs at 3,0 1x1"},
};

TEST(two_ways_are_a_conflict)
{
    for (size_t i = 0; i < sizeof(conflict_cases) / sizeof(*conflict_cases); i++) {
        const two_ways *row = &conflict_cases[i];
        OWN(tm_map) *ours = test_version_make(row->ours), *theirs = test_version_make(row->theirs);
        for (int take = TM_RESOLUTION_UNRESOLVED; take <= TM_RESOLUTION_THEIRS; take++) {
            OWN(tm_conflicts) *conflicts;
            tm_conflict conflict;
            char line[300];
            OWN(tm_map) *map = test_merge(&conflicts, NULL, ours, theirs, NULL, (tm_resolution)take);
            assert_true(test_map_same(map, take == TM_RESOLUTION_THEIRS ? theirs : ours));
            assert_int_equal(tm_conflicts_num(conflicts), 1);
            assert_int_equal(tm_conflicts_num_open(conflicts), take == TM_RESOLUTION_UNRESOLVED);
            assert_true(tm_conflicts_at(&conflict, conflicts, 0));
            tm_conflict_format(&conflict, line, sizeof(line));
            assert_string_equal(line, row->line);
            assert_int_equal(conflict.kind, row->kind);
            assert_false(conflict.there[TM_MERGE_BASE]);
            assert_true(conflict.element[TM_MERGE_BASE] == TM_NO_ELEMENT);
            assert_true(conflict.there[TM_MERGE_OURS] && conflict.there[TM_MERGE_THEIRS]);
        }
    }
}

/* Pictures of other sizes cannot become one: both are there, and what refers to them is told. */
TEST(other_pictures_are_both_there)
{
    OWN(tm_map) *ours = test_version_make("pixels 32 16"), *theirs = test_merge_base();
    OWN(tm_conflicts) *conflicts;
    uint32_t stones = 0;
    OWN(tm_map) *map = test_merge(&conflicts, NULL, ours, theirs, NULL, TM_RESOLUTION_UNRESOLVED);
    assert_int_equal(tm_conflicts_num(conflicts), 0);
    for (uint32_t i = 0; i < map->num_images; i++)
        stones += map->images[i].name && strcmp(map->images[i].name, "stone") == 0;
    assert_int_equal(stones, 2);
    assert_int_equal(map->num_images, theirs->num_images + 1);
}

/* ---------------------------------------------------------------------------------------------- bad days */

TEST(failing_memory_leaves_nothing_behind)
{
    test_merge_without_memory(NULL, false);
}

typedef struct neighbours {
    tm_map *last;
    char name[300];
    uint32_t num, wrong;
} neighbours;

static bool merges_soundly(const tm_map *ours, const tm_map *theirs)
{
    OWN(tm_conflicts) *conflicts;
    OWN(tm_map) *map;
    tm_error error;
    const tm_status status = tm_map_merge(&map, &conflicts, NULL, ours, theirs, NULL, NULL, &error);
    bool fine = status == TM_OK && tm_map_verify(map, &error) == TM_OK;
    if (!fine)
        print_error("%s: %s\n", error.place, error.text);
    return fine;
}

/* Each map with the one before it, both ways; with itself it is itself. */
static void merge_with_last(void *ctx, const char *path)
{
    neighbours *maps = ctx;
    tm_map *map, *clone = NULL;
    if (tm_store_load(&map, path, NULL, NULL, NULL))
        return;
    if (tm_map_unpack(map, NULL, 0, NULL, NULL)) {
        tm_map_free(map);
        return;
    }
    tm_map_drop_all_data(map);
    must(tm_map_clone(&clone, map, NULL));
    const bool fine = comes_to(map, clone, map) &&
                      (!maps->last || (merges_soundly(maps->last, map) && merges_soundly(map, maps->last)));
    if (!fine)
        print_error("%s with %s\n", path, maps->name);
    maps->num++;
    maps->wrong += !fine;
    tm_map_free(clone);
    tm_map_free(maps->last);
    maps->last = map;
    snprintf(maps->name, sizeof(maps->name), "%s", path);
}

TEST(unrelated_maps_give_a_sound_one)
{
    neighbours maps = {0};
    test_each_corpus_map(merge_with_last, &maps);
    tm_map_free(maps.last);
    print_message("%u maps\n", maps.num);
    assert_int_equal(maps.wrong, 0);
    assert_true(maps.num > 0);
}
