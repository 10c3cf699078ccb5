/* SPDX-License-Identifier: Zlib */
/*
 * Operations on the real maps of the corpus: every map that opens is edited, is sound afterwards, still opens in mode
 * strict if it did before, and is the same when it was saved and loaded; what has an inverse comes back. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_edit.h"

/* Rules that change most layers, by chance, in two runs. */
static char rules[] = "[Basic]\nIndex 1\nIndex 16 XFLIP\nPos 0 -1 EMPTY\nRandom 2\nNewRun\nNoLayerCopy\n"
                      "Index 17\nPos -1 0 INDEX 16 XFLIP OR 17\nPos 0 0 INDEX 1\n";

static bool edited(tm_map *map, const char *script, const char *path)
{
    tm_error error;
    const tm_status status = test_edit_run(map, script, &error);
    if (status)
        print_error("%s: %s: %s: %s\n", path, script, error.place, error.text);
    return !status;
}

/*
 * Without DDNet's layers a map is recognised as one of Teeworlds; and where one group has a parallax zoom, all are saved with
 * it, new ones with what DDNet 16.4 took anyway.
 */
static void forget_what_saving_adds(tm_map *loaded, const tm_map *edited_map)
{
    loaded->game = edited_map->game;
    for (uint32_t i = 0; i < loaded->num_groups && i < edited_map->num_groups; i++) {
        if (edited_map->groups[i].has_parallax_zoom)
            continue;
        loaded->groups[i].has_parallax_zoom = false;
        loaded->groups[i].parallax_zoom = edited_map->groups[i].parallax_zoom;
    }
}

/* What comes out of a script is saved, opens in the same mode, and is the same map. */
static bool survives(const tm_map *map, const char *script, tm_mode mode, const char *path)
{
    OWN(tm_map) *clone = test_map_clone(map), *loaded = NULL;
    tm_error error;
    bool fine = edited(clone, script, path);
    OWN(tm_buffer) saved = test_map_save(clone, NULL);
    tm_status status = test_map_try(&loaded, &saved, mode, NULL, &error);
    tm_map_free(loaded);
    if (!status) /* in mode strict data may be damaged that nobody touched */
        status = test_map_try(&loaded, &saved, TM_MODE_GAME, NULL, &error);
    if (status)
        print_error("%s: %s: %s: %s\n", path, script, error.place, error.text);
    if (!status)
        forget_what_saving_adds(loaded, clone);
    fine = fine && !status && test_map_same(clone, loaded);
    return fine;
}

/* Once there and back small layers have grown; from then on nothing changes any more. */
static bool comes_back(const tm_map *map, const char *script, const char *path)
{
    OWN(tm_map) *first = test_map_clone(map), *second;
    bool fine = edited(first, script, path);
    must(tm_map_clone(&second, first, NULL));
    fine = fine && edited(second, script, path) && test_map_same(first, second);
    return fine;
}

static bool edit_real_map(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    static const char *const scripts[] = {
        "replace freeze with 3\nfill physics@5,5+9x9 air\nclear design@0,0+20x20\nrenumber tele compact\nrenumber tune compact",
        "automap by basic.rules design basic 7\nautomap by basic.rules */*@3,3+9x9 0 8 game",
        "clean tiles\nconstruct freeze design\nborders\nnormalize stoppers\nmigrate speedups\nzero unused\njoin physics",
        "mirror x",
        "rotate 90",
        "clean all\njoin all",
        "isolate",
        "envelope scale 1/2\nenvelope reverse\nenvelope sort\nenvelope sync off",
        "quads center\nquads align\nquads square\nclean quads",
        "blank\nblank colors\ndilate\ndilate cells\nresize images\nrgba",
        "set info.author=q\nset */*.detail=true\nadd group q\nadd layer q quads"};
    static const char *const inverses[] = {"resize images\nrgba\nblank\ndilate",
                                           "mirror x\nmirror x",
                                           "mirror y\nmirror y",
                                           "rotate 90\nrotate 270",
                                           "rotate 180\nrotate 180",
                                           "clean all",
                                           "join all"};
    OWN(tm_map) *strict;
    const tm_mode mode =
        test_map_try(&strict, file, TM_MODE_STRICT, NULL, NULL) ? TM_MODE_GAME : TM_MODE_STRICT;
    bool fine = !ctx;
    const bool is_map = map->num_groups > 0; /* other datafiles open, too, but nothing is added to them */
    for (size_t i = 0; is_map && i < sizeof(scripts) / sizeof(*scripts); i++)
        fine = survives(map, scripts[i], mode, path) && fine;
    for (size_t i = 0; i < sizeof(inverses) / sizeof(*inverses); i++)
        fine = comes_back(map, inverses[i], path) && fine;
    return fine;
}

TEST(real_maps_are_edited)
{
    test_edit_files[0] = (struct test_edit_file){"*", {(uint8_t *)rules, sizeof(rules) - 1, 0, NULL}};
    test_real_maps(edit_real_map, NULL);
}
