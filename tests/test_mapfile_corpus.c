/* SPDX-License-Identifier: Zlib */
/*
 * The real maps of the corpus through the model: loaded in each mode and saved they give the same bytes, also by way of a
 * clone; strict mode refuses exactly the maps that DDNet refuses; run-length tiles are packed as Teeworlds packs them; each map
 * can be written as each game's. Without the corpus all of this is skipped.
 *
 * test-timeout: 600
 */
#include "mapfile/mapfile.h"
#include "support/test.h"

static const char *short_name(const char *path)
{
    const char *found = strstr(path, "/corpus/");
    return found ? found + 8 : path;
}

static bool starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* ----------------------------------------------------------------------------------------------------- same bytes */

typedef struct tally {
    uint32_t maps, loaded, same;
} tally;

static bool saves_same(const tm_map *map, const tm_buffer *file, const char *path, const char *way)
{
    OWN(tm_findings) findings = test_findings();
    OWN(tm_buffer) saved = test_map_save(map, &findings);
    bool same = test_buffer_same(&saved, file) && findings.num == 0;
    if (!same)
        print_message("%s: %s is not the same\n", short_name(path), way);
    return same;
}

static void load_and_save(const char *path, tm_mode mode, tally *counts)
{
    OWN(tm_buffer) file = test_read_map(path);
    tm_map *map, *clone;
    counts->maps++;
    if (test_map_try(&map, &file, mode, NULL, NULL) == TM_OK) {
        counts->loaded++;
        must(tm_map_verify(map, NULL));
        must(tm_map_clone(&clone, map, NULL));
        bool same = saves_same(map, &file, path, "the map");
        tm_map_free(map); /* the clone must live on without it */
        same &= saves_same(clone, &file, path, "its clone");
        counts->same += same;
        tm_map_free(clone);
    }
}

static void in_mode_game(void *ctx, const char *path)
{
    load_and_save(path, TM_MODE_GAME, ctx);
}

static void in_mode_salvage(void *ctx, const char *path)
{
    load_and_save(path, TM_MODE_SALVAGE, ctx);
}

static void in_mode_strict(void *ctx, const char *path)
{
    load_and_save(path, TM_MODE_STRICT, ctx);
}

TEST(every_map_is_saved_as_it_was)
{
    tally game = {0, 0, 0}, salvage = {0, 0, 0}, strict = {0, 0, 0};
    test_each_corpus_map(in_mode_game, &game);
    test_each_corpus_map(in_mode_salvage, &salvage);
    test_each_corpus_map(in_mode_strict, &strict);
    print_message("of %u maps the same: game %u of %u, salvage %u of %u, strict %u of %u\n",
                  (unsigned)game.maps, (unsigned)game.same, (unsigned)game.loaded, (unsigned)salvage.same,
                  (unsigned)salvage.loaded, (unsigned)strict.same, (unsigned)strict.loaded);
    assert_int_equal(game.same, game.loaded);
    assert_int_equal(salvage.same, salvage.loaded);
    assert_int_equal(strict.same, strict.loaded);
    assert_int_equal(salvage.loaded, salvage.maps);
    assert_int_equal(game.loaded, game.maps - 1); /* failed/TestOut has an item out of the file */
}

static void refuse_as_ddnet(void *ctx, const char *path)
{
    static const char *const refused[] = {"ddnet06/infc_skull-2fbd9c.", "failed/TestOut-", "other/",
                                          "vanilla06/infc_half_provence-278010."};
    const char *name = short_name(path);
    OWN(tm_findings) findings;
    tm_error error;
    OWN(tm_buffer) file = test_read_map(path);
    OWN(tm_map) *map = NULL;
    bool expected = false;
    (void)ctx;
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        expected |= starts(name, refused[i]);
    tm_findings_init(&findings, 0, NULL);
    tm_status status = test_map_try(&map, &file, TM_MODE_STRICT, &findings, &error);
    if ((status != TM_OK) != expected) {
        print_message("%s: %s\n", name, status == TM_OK ? "accepted" : error.text);
        test_print_findings(&findings);
        fail();
    }
    assert_int_equal(findings.refusals > 0, expected);
    if (status == TM_OK) { /* every error is data that cannot be fetched */
        bool broken = starts(name, "vanilla06/infc_spacelab-") || starts(name, "ddnet06/Test-1220a4.");
        assert_int_equal(findings.errors, 0);
        must(tm_mapfile_check_data(map, NULL, &findings, &error));
        if ((findings.errors > 0) != broken) {
            print_message("%s:\n", name);
            test_print_findings(&findings);
            fail();
        }
        assert_int_equal(findings.refusals, 0);
        if (broken)
            assert_true(test_found(&findings, starts(name, "vanilla06") ? TM_FINDING_EMPTY_DATA
                                                                        : TM_FINDING_TILES_SHORT));
    }
}

TEST(strict_mode_is_ddnets_loader)
{
    test_each_corpus_map(refuse_as_ddnet, NULL);
}

typedef struct run_tally {
    uint32_t layers, without_runs;
    uint64_t longest;
} run_tally;

static bool has_no_runs(const void *packed, uint64_t size, uint64_t num)
{
    const uint8_t *tiles = packed;
    uint8_t any = 0;
    for (uint64_t i = 0; i < size; i += 4)
        any |= tiles[i + 2];
    return any == 0 && size == num * 4;
}

static void check_runs(run_tally *counts, const tm_map *map, const tm_layer *layer)
{
    const tm_datafile *datafile = tm_mapfile_datafile(map);
    const uint32_t index = (uint32_t)tm_block_get_info(layer->as.tiles.tiles).data_index;
    const uint64_t num = (uint64_t)layer->as.tiles.width * layer->as.tiles.height;
    const void *packed, *tiles;
    tm_datafile_data data;
    assert_true(tm_datafile_get_data(&data, datafile, index));
    must(tm_datafile_data_bytes(&packed, NULL, datafile, index, NULL));
    must(tm_map_data(&tiles, NULL, map, layer->as.tiles.tiles, NULL));
    if (has_no_runs(packed, data.size, num)) { /* some writer gave each tile its own run */
        assert_memory_equal(packed, tiles, (size_t)data.size);
        counts->without_runs++;
        return;
    }
    FREED uint8_t *second = malloc((size_t)num * 4);
    assert_non_null(second);
    assert_int_equal(tmi_runs_encode(NULL, tiles, num) * 4, data.size);
    assert_int_equal(tmi_runs_encode(second, tiles, num) * 4, data.size);
    assert_memory_equal(second, packed, (size_t)data.size);
    for (size_t i = 0; i < data.size; i += 4)
        if (second[i + 2] > counts->longest)
            counts->longest = second[i + 2];
    counts->layers++;
}

static void check_runs_of(void *ctx, const char *path)
{
    OWN(tm_buffer) file = test_read_map(path);
    tm_map *map;
    if (test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL) == TM_OK) {
        for (uint32_t g = 0; g < map->num_groups; g++) {
            for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
                tm_layer *layer = &map->groups[g].layers[l];
                tm_datafile_item item;
                tm_datafile_get_item(&item, tm_mapfile_datafile(map), layer->origin.item);
                if (tm_datafile_item_int(&item, 1, 0) == 2 && tm_datafile_item_int(&item, 3, 0) == 4)
                    check_runs(ctx, map, layer);
            }
        }
        tm_map_free(map);
    }
}

TEST(run_lengths_are_packed_as_teeworlds_does)
{
    run_tally counts = {0, 0, 0};
    test_each_corpus_map(check_runs_of, &counts);
    print_message("%u layers, longest run %u; %u more without runs\n", (unsigned)counts.layers,
                  (unsigned)counts.longest + 1, (unsigned)counts.without_runs);
    assert_true(counts.layers > 50);
    assert_int_equal(counts.longest, 255);
}

/* ---------------------------------------------------------------------------------------------------------- rewriting */

/* What findings say was left out is left out of the original, too; then both must be equal. */
static void leave_out_what_is_lost(tm_map *map, const tm_findings *findings)
{
    static const tm_envelope_point plain;
    if (test_found(findings, TM_FINDING_LOST_LAYER)) {
        for (uint32_t g = 0; g < map->num_groups; g++)
            for (uint32_t l = map->groups[g].num_layers; l-- > 0;)
                if (!tm_game_layer(map->groups[g].layers[l].kind)->games[map->game])
                    must(tm_map_remove_layer(map, g, l, NULL));
    }
    if (test_found(findings, TM_FINDING_LOST_SOUND))
        while (map->num_sounds)
            must(tm_map_remove(map, TM_KIND_SOUND, 0, NULL));
    if (test_found(findings, TM_FINDING_LOST_SETTINGS))
        must(tm_map_set_settings(map, NULL, 0, NULL));
    for (uint32_t e = 0; test_found(findings, TM_FINDING_LOST_CURVE) && e < map->num_envelopes; e++) {
        for (uint32_t p = 0; p < map->envelopes[e].num_points; p++) {
            tm_envelope_point *point = &map->envelopes[e].points[p], old = *point;
            *point = plain;
            point->time = old.time;
            point->curve = old.curve;
            memcpy(point->values, old.values, sizeof(old.values));
        }
    }
    for (uint32_t g = 0; g < map->num_groups; g++) {
        if (test_found(findings, TM_FINDING_LOST_FIELD))
            map->groups[g].parallax_zoom = map->groups[g].has_parallax_zoom = 0;
        for (uint32_t l = 0; map->game != TM_GAME_DDNET && l < map->groups[g].num_layers; l++) {
            tm_automapper *automapper = &map->groups[g].layers[l].as.tiles.automapper;
            if (map->groups[g].layers[l].kind == TM_LAYER_TILES && /* an empty one is no loss */
                (automapper->config == TM_NONE || test_found(findings, TM_FINDING_LOST_AUTOMAPPER)))
                automapper->present = false;
        }
    }
}

/* Whether a map is small enough to be compared tile by tile under the sanitizers. */
static bool is_small(const tm_buffer *file, const tm_map *map)
{
    uint64_t bytes = 0;
    tm_datafile_data data;
    for (uint32_t i = 0; tm_datafile_get_data(&data, tm_mapfile_datafile(map), i); i++)
        bytes += data.size;
    return file->size < 700000 && bytes < 12000000;
}

typedef struct rewriting {
    uint32_t maps, compared;
} rewriting;

static void rewrite_as(rewriting *counts, const tm_map *map, tm_game game, bool compare, const char *path)
{
    OWN(tm_findings) findings = test_findings();
    OWN(tm_map) *copy = test_map_clone(map), *reloaded;
    copy->game = game;
    OWN(tm_buffer) file = test_map_rewrite(copy, &findings);
    reloaded = test_map_load(&file, TM_MODE_GAME, NULL);
    counts->maps++;
    if (compare) {
        leave_out_what_is_lost(copy, &findings);
        reloaded->game = game; /* a map of few items may not tell */
        copy->version = 1;     /* every game writes a version */
        if (!test_map_same(copy, reloaded)) {
            print_message("%s as %s:\n", short_name(path), tm_game_name(game));
            test_print_findings(&findings);
            fail();
        }
        counts->compared++;
    }
}

static void rewrite_map(void *ctx, const char *path)
{
    OWN(tm_buffer) file = test_read_map(path);
    tm_map *map;
    /* some maps have blocks that cannot be unpacked; what the game of today makes of these is another test */
    if (test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL) == TM_OK) {
        for (int game = 0; game < TM_GAME_COUNT; game++)
            if (is_small(&file, map) || game == TM_GAME_DDNET) /* packing run lengths takes long, too */
                rewrite_as(ctx, map, (tm_game)game, is_small(&file, map), path);
        tm_map_free(map);
    }
}

TEST(every_map_can_be_written_as_every_game)
{
    rewriting counts = {0, 0};
    test_each_corpus_map(rewrite_map, &counts);
    print_message("%u rewritten, %u of them compared\n", (unsigned)counts.maps, (unsigned)counts.compared);
    assert_true(counts.compared > 100);
}

/* An author and an image more. */
static void change_map(tm_map *map)
{
    must(tm_map_set_text(map, &map->info.author, "somebody", NULL));
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_text(map, &map->images[0].name, "new", NULL));
    must(tm_map_set_pixels(map, 0, "rgba", 1, 1, NULL));
}

static void check_loads_equal(const tm_map *map, const tm_buffer *saved, tm_mode mode, const char *path)
{
    OWN(tm_map) *reloaded = test_map_load(saved, mode, NULL);
    reloaded->game = map->game; /* its settings may be what tells */
    if (!test_map_same(map, reloaded))
        fail_msg("%s: not the same when loaded again", short_name(path));
}

static void change_and_pack(void *ctx, const char *path)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 2, .recompress = true};
    const tm_mode mode = starts(short_name(path), "failed/") ? TM_MODE_SALVAGE : TM_MODE_GAME;
    OWN(tm_buffer) file = test_read_map(path);
    OWN(tm_map) *map = test_map_load(&file, mode, NULL);
    if (is_small(&file, map) && !starts(short_name(path), "other/")) { /* those are no maps */
        OWN(tm_buffer) packed = {NULL, 0, 0, NULL};
        tm_output output = tm_output_to_buffer(&packed);
        must(tm_mapfile_save(map, &output, &options, NULL, NULL, NULL));
        check_loads_equal(map, &packed, mode, path);
        change_map(map);
        OWN(tm_buffer) changed = test_map_save(map, NULL);
        check_loads_equal(map, &changed, mode, path);
        ++*(uint32_t *)ctx;
    }
}

TEST(maps_can_be_changed_and_packed_anew)
{
    uint32_t num = 0;
    test_each_corpus_map(change_and_pack, &num);
    print_message("%u maps\n", (unsigned)num);
    assert_true(num > 50);
}
