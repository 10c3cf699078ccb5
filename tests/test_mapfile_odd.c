/* SPDX-License-Identifier: Zlib */
/*
 * Odd maps: each has the finding that tells of it, strict mode refuses those that DDNet refuses, all are saved as they were,
 * and a change elsewhere loses nothing of what is odd, nor lets anything that led nowhere lead to something new.
 */
#include "support/lib_changes.h"
#include "support/lib_odd.h"
#include "base/base.h"

/* Loads in a mode, also what is fetched later, and collects the findings. */
static tm_status collect(const tm_buffer *file, tm_mode mode, tm_findings *findings)
{
    tm_map *map;
    tm_error error;
    tm_status status = test_map_try(&map, file, mode, findings, &error);
    if (status == TM_OK) {
        must(tm_map_verify(map, NULL));
        must(tm_mapfile_check_data(map, NULL, findings, NULL));
        tm_map_free(map);
    }
    return status;
}

/* Texts once had the machine's address where people read ("1/0" and not "group 1, layer 0"). */
static bool places_are_for_people(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        if (strpbrk(finding->address, "0123456789") &&
            (!*finding->place || strcmp(finding->address, finding->place) == 0))
            return false;
    }
    return true;
}

TEST(each_has_its_finding)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        OWN(tm_buffer) file = test_odd_file(odd);
        for (int mode = TM_MODE_GAME; mode <= TM_MODE_SALVAGE; mode++) {
            OWN(tm_findings) findings = test_findings();
            bool refuses = false;
            tm_status status = collect(&file, (tm_mode)mode, &findings);
            if (odd->finding != TM_FINDING_NONE)
                tmi_finding_severity(odd->finding, (tm_mode)mode, &refuses);
            const bool strict_only = odd->finding == TM_FINDING_GAME_LAYER_DATA && mode != TM_MODE_STRICT;
            bool fine = odd->finding == TM_FINDING_NONE || strict_only || test_found(&findings, odd->finding);
            fine &= !refuses || status == TM_ERROR_DAMAGED;
            fine &= (status != TM_OK) == (findings.refusals > 0);
            fine &= status == TM_OK || mode == TM_MODE_STRICT;
            fine &= places_are_for_people(&findings);
            if (!fine) {
                test_print_findings(&findings);
                fail_msg("%s in mode %d: %s", odd->name, mode, tm_status_name(status));
            }
        }
    }
}

/* Those that DDNet takes have no error in strict mode but for data that cannot be fetched. */
TEST(strict_mode_takes_what_ddnet_takes)
{
    static const char *const taken[] = {"unknown_types",
                                        "second_info",
                                        "short_items",
                                        "longer_items",
                                        "no_points_item",
                                        "no_info",
                                        "text_without_end",
                                        "text_with_two_ends",
                                        "text_not_utf8",
                                        "text_too_long",
                                        "text_nowhere",
                                        "settings_without_end",
                                        "info_id_5",
                                        "names_of_other_things",
                                        "ids_that_do_not_count_up",
                                        "group_version_4",
                                        "layers_in_no_group",
                                        "groups_in_another_order",
                                        "unknown_layer",
                                        "higher_flags",
                                        "tele_layer_of_other_sides",
                                        "two_game_layers",
                                        "short_tiles",
                                        "runs_too_short",
                                        "runs_too_long",
                                        "runs_with_reserved",
                                        "skip_bytes",
                                        "reserved_bytes",
                                        "tele_layer_of_runs",
                                        "unreferenced_data",
                                        "shared_data",
                                        "empty_blocks",
                                        "dangling_references",
                                        "elements_beyond_the_data",
                                        "odd_images",
                                        "external_image_with_pixels",
                                        "front_layer_in_the_next_group",
                                        "image_of_3_bytes",
                                        "image_of_no_16_tiles",
                                        "padded_speedups",
                                        "image_of_format_7",
                                        "sound_of_other_size",
                                        "two_channels",
                                        "curve_of_527",
                                        "points_out_of_range",
                                        "overlapping_points",
                                        "points_that_go_back",
                                        "bezier_of_other_count",
                                        "two_points_items",
                                        "mixed_envelope_versions",
                                        "old_automapper",
                                        "stray_automappers",
                                        "group_ex_of_other_count",
                                        "contradicting_indices"};
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_buffer) file = test_odd_file(odd);
        bool expected = false;
        for (size_t k = 0; k < sizeof(taken) / sizeof(taken[0]); k++)
            expected |= strcmp(taken[k], odd->name) == 0;
        if ((collect(&file, TM_MODE_STRICT, &findings) == TM_OK) != expected) {
            test_print_findings(&findings);
            fail_msg("%s is %s", odd->name, expected ? "refused" : "accepted");
        }
    }
}

/* Every id of the map's part of the list is that of some odd map, or told when a map is written (test_mapfile_new.c). */
TEST(every_finding_can_occur)
{
    for (int id = TM_FINDING_NO_VERSION_ITEM; id <= TM_FINDING_GROUP_EX_COUNT; id++) {
        const struct test_odd *odd;
        size_t i = 0;
        while ((odd = test_odd_at(i)) && odd->finding != (tm_finding_id)id)
            i++;
        if (!odd)
            fail_msg("nothing tests '%s'", tm_finding_name((tm_finding_id)id));
    }
}

/* ------------------------------------------------------------------------------------------------- data of layers */

static tm_buffer odd_file(const char *name)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++)
        if (strcmp(odd->name, name) == 0)
            return test_odd_file(odd);
    fail_msg("there is no odd map '%s'", name);
    return (tm_buffer){NULL, 0, 0, NULL};
}

/* Strict mode cannot fetch what DDNet cannot fetch; the others fill up with zeros. */
TEST(missing_tiles_are_air_or_an_error)
{
    static const char *const names[] = {"short_tiles", "runs_too_short", "runs_too_long"};
    static const uint8_t zeros[4];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        OWN(tm_buffer) file = odd_file(names[i]);
        for (int mode = TM_MODE_GAME; mode <= TM_MODE_SALVAGE; mode++) {
            OWN(tm_map) *map = test_map_load(&file, (tm_mode)mode, NULL);
            const tm_block *block = map->groups[0].layers[1].as.tiles.tiles;
            const void *bytes;
            uint64_t size;
            tm_error error;
            tm_status status = tm_map_data(&bytes, &size, map, block, &error);
            assert_int_equal(status, mode == TM_MODE_STRICT ? TM_ERROR_DAMAGED : TM_OK);
            if (status == TM_OK) {
                assert_int_equal(size, 48);
                if (i < 2)
                    assert_memory_equal((const uint8_t *)bytes + 44, zeros, 4);
            }
        }
    }
}

/* DDNet fetches the game layer while it loads. */
TEST(strict_mode_refuses_a_broken_game_layer)
{
    OWN(tm_findings) findings = test_findings();
    OWN(tm_map) *map;
    tm_error error;
    struct test_maker maker = test_maker_begin();
    OWN(tm_buffer) file = test_maker_finish(&maker);
    file.bytes[file.size - 1] ^= 1; /* of the checksum of the only block */
    assert_int_equal(test_map_try(&map, &file, TM_MODE_STRICT, &findings, &error), TM_ERROR_DAMAGED);
    assert_true(test_found(&findings, TM_FINDING_GAME_LAYER_DATA));
    map = test_map_load(&file, TM_MODE_GAME, NULL);
}

/*
 * DDNet cannot fetch a text with a wrong checksum, older games can. A map loaded in strict mode has none, is saved as it was, and
 * has the text in game mode: no loss, but fuzz_changes took it for one.
 */
TEST(a_text_with_a_wrong_checksum_stays_in_the_file)
{
    static const tm_mode modes[] = {TM_MODE_STRICT, TM_MODE_GAME, TM_MODE_SALVAGE};
    struct test_maker maker = test_maker_begin();
    TEST_ITEM(&maker, TM_ITEM_IMAGE, 0, 1, 4, 4, 1, test_maker_text(&maker, "cloud"), -1);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    file.bytes[file.size - 1] ^= 1; /* of the name's checksum, the name is the last block */
    for (size_t i = 0; i < 3; i++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_map) *map = test_map_load(&file, modes[i], &findings);
        const char *name = map->images[0].name;
        assert_string_equal(name ? name : "", modes[i] == TM_MODE_STRICT ? "" : "cloud");
        assert_true(test_found(&findings, TM_FINDING_BAD_TEXT) == (modes[i] == TM_MODE_STRICT));
        OWN(tm_buffer) saved = test_map_save(map, NULL);
        assert_true(test_buffer_same(&file, &saved));
    }
}

/* One group with parallax zoom gives it to all: to the others what DDNet 16.4 took without an item. */
TEST(all_groups_get_parallax_zoom)
{
    static const int32_t parallax[][3] = {{40, 70, 70}, {-5, -3, 0}, {300, 20, 100}};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_save(map, NULL);
    tm_map_free(map);
    map = test_map_load(&file, TM_MODE_GAME, NULL);
    map->groups[0].has_parallax_zoom = true;
    map->groups[0].parallax_zoom = 33;
    for (size_t i = 0; i < 3; i++) {
        map->groups[1].parallax_x = parallax[i][0];
        map->groups[1].parallax_y = parallax[i][1];
        OWN(tm_buffer) saved = test_map_save(map, NULL);
        OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_STRICT, NULL);
        assert_true(reloaded->groups[0].has_parallax_zoom && reloaded->groups[1].has_parallax_zoom);
        assert_int_equal(reloaded->groups[0].parallax_zoom, 33);
        assert_int_equal(reloaded->groups[1].parallax_zoom, parallax[i][2]);
    }
}

TEST(unchanged_ones_are_saved_as_they_were)
{
    const struct test_odd *odd;
    struct test_base base;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        test_base_open(&base, odd->name, test_odd_file(odd)); /* checks that */
        OWN(tm_map) *clone = test_base_clone(&base);
        test_check_unchanged(&base, clone, "cloning");
        OWN(tm_map) *reloaded = test_map_load(&base.file, TM_MODE_GAME, NULL);
        assert_true(test_map_same(base.map, reloaded));
        test_base_release(&base);
    }
}

/* Other containers around the same map. */
TEST(containers_are_kept)
{
    const struct test_odd *odd;
    struct test_base base;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        for (int k = 0; k < 4; k++) {
            tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
            struct test_maker maker;
            options.version = k == 1 ? 3 : 4;
            options.reversed_magic = k == 2;
            if (k == 1 && strcmp(odd->name, "empty_blocks") == 0)
                continue; /* version 3 cannot tell them apart */
            test_maker_init_with(&maker, &options);
            odd->make(&maker);
            tm_buffer file = test_maker_finish(&maker);
            for (size_t at = 8; k == 3 && at < 16;
                 at += 4) { /* crude sizes: both without the table of sizes */
                uint32_t value = 0, num = 0;
                for (size_t b = 0; b < 4; b++) {
                    value |= (uint32_t)file.bytes[at + b] << 8 * b;
                    num |= (uint32_t)file.bytes[24 + b] << 8 * b;
                }
                for (size_t b = 0; b < 4; b++)
                    file.bytes[at + b] = (uint8_t)((value - 4 * num) >> 8 * b);
            }
            test_base_open(&base, odd->name, file);
            test_base_release(&base);
        }
    }
}

enum { ANY = 0xFFFFFF };

typedef struct elsewhere {
    const char *name;
    void (*apply)(tm_map *map);
    int may_change[8]; /* kinds of items that may differ, besides new ones; ends with -1.
                           New blocks: numbers that led nowhere must not lead to them */
} elsewhere;

static elsewhere changes[32];
static size_t num_changes;

/* ELSEWHERE(function, name, kinds of items...): a change that adds itself to the list. */
#define ELSEWHERE(function, text, ...)                                           \
    static void function(tm_map *map);                                           \
    __attribute__((constructor)) static void add_##function(void)                \
    {                                                                            \
        changes[num_changes++] = (elsewhere){text, function, {__VA_ARGS__, -1}}; \
    }                                                                            \
    static void function(tm_map *map)

ELSEWHERE(set_author, "an author", TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_LAYER, TM_ITEM_INFO)
{
    must(tm_field_drop_unread(map, &map->info, tm_field_find(TM_KIND_INFO, "author"), NULL));
    must(tm_map_set_text(map, &map->info.author, "nobody", NULL));
}

ELSEWHERE(add_images, "more images", TM_ITEM_INFO, TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_LAYER)
{
    for (uint32_t i = 0; i < 3; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, map->num_images, NULL));
        must(tm_map_set_text(map, &map->images[map->num_images - 1].name, "new", NULL));
        must(tm_map_set_pixels(map, map->num_images - 1, "rgba", 1, 1, NULL));
    }
}

ELSEWHERE(add_sound, "a sound", TM_ITEM_INFO, TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_LAYER)
{
    if (map->game != TM_GAME_DDNET)
        return;
    must(tm_map_insert(map, TM_KIND_SOUND, map->num_sounds, NULL));
    must(tm_map_set_sound(map, map->num_sounds - 1, "OggS", 4, NULL));
}

ELSEWHERE(add_envelopes, "more envelopes", TM_ITEM_LAYER, TM_ITEM_ENVELOPE, TM_ITEM_ENVELOPE_POINTS,
          TEST_KIND_BEZIER)
{
    static const tm_envelope_point points[3] = {{.time = 1}, {.time = 2}, {.time = 3}};
    for (uint32_t i = 0; i < 2; i++) {
        must(tm_map_insert(map, TM_KIND_ENVELOPE, map->num_envelopes, NULL));
        must(tm_map_set_points(map, map->num_envelopes - 1, points, 3, NULL));
    }
}

ELSEWHERE(add_layer, "one more layer", TM_ITEM_INFO, TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_GROUP,
          TEST_KIND_AUTOMAPPER, TM_ITEM_LAYER)
{
    if (map->num_groups)
        must(tm_map_insert_layer(map, 0, map->groups[0].num_layers, TM_LAYER_TILES, 4, 3, NULL));
}

ELSEWHERE(add_group, "one more group", TM_ITEM_INFO, TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_GROUP,
          TEST_KIND_AUTOMAPPER, TEST_KIND_GROUP_EX, TM_ITEM_LAYER)
{
    must(tm_map_insert(map, TM_KIND_GROUP, map->num_groups, NULL));
    must(tm_map_insert_layer(map, map->num_groups - 1, 0, TM_LAYER_TILES, 4, 3, NULL));
}

ELSEWHERE(remove_layer, "one layer less", TM_ITEM_GROUP, TEST_KIND_AUTOMAPPER, TM_ITEM_LAYER)
{
    for (uint32_t g = map->num_groups; g-- > 0;) {
        if (map->groups[g].num_layers > 1) {
            must(tm_map_remove_layer(map, g, map->groups[g].num_layers - 1, NULL));
            return;
        }
    }
}

ELSEWHERE(remove_automapper, "no automapper", TEST_KIND_AUTOMAPPER)
{
    uint32_t group, layer;
    if (tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES))
        map->groups[group].layers[layer].as.tiles.automapper.present = false;
}

ELSEWHERE(remove_images, "no images", TM_ITEM_IMAGE, TM_ITEM_LAYER)
{
    while (map->num_images)
        must(tm_map_remove(map, TM_KIND_IMAGE, map->num_images - 1, NULL));
}

ELSEWHERE(remove_envelope, "one envelope less", TM_ITEM_LAYER, TM_ITEM_ENVELOPE, TM_ITEM_ENVELOPE_POINTS,
          TEST_KIND_BEZIER)
{
    if (map->num_envelopes)
        must(tm_map_remove(map, TM_KIND_ENVELOPE, map->num_envelopes - 1, NULL));
}

ELSEWHERE(move_groups, "groups moved", TM_ITEM_GROUP, TEST_KIND_AUTOMAPPER, TM_ITEM_LAYER)
{
    if (map->num_groups > 1)
        must(tm_map_move(map, TM_KIND_GROUP, 0, map->num_groups - 1, NULL));
}

ELSEWHERE(duplicate_group, "a group twice", TM_ITEM_INFO, TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_GROUP,
          TEST_KIND_AUTOMAPPER, TEST_KIND_GROUP_EX, TM_ITEM_LAYER)
{
    if (map->num_groups)
        must(tm_map_duplicate(map, TM_KIND_GROUP, 0, map->num_groups, NULL));
}

ELSEWHERE(change_group, "other parallax", TM_ITEM_GROUP)
{
    for (uint32_t g = 0; g < map->num_groups; g++)
        map->groups[g].parallax_y = 77; /* behind an int that short items do not have either */
}

static void write_tile(tm_map *map, bool every)
{
    const uint8_t tile[8] = {9, 0, 0, 0, 0, 0};
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            if (tm_game_layer(layer->kind)->is_tiles && layer->as.tiles.width &&
                (every || layer->as.tiles.tiles))
                must(tm_map_write_tiles(map, g, l, &(tm_rect){0, 0, 1, 1}, tile, 0, NULL));
        }
}

ELSEWHERE(change_tile, "a tile", TM_ITEM_LAYER)
{
    write_tile(map, false);
}

/* Tiles for those that have none, too: items grow. */
ELSEWHERE(change_every_tile, "any tile", TM_ITEM_INFO, TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_LAYER)
{
    write_tile(map, true);
}

static void change_elsewhere(const struct test_base *base, const struct test_odd *odd,
                             const elsewhere *change)
{
    struct test_allowed allowed;
    OWN(tm_map) *map = test_base_clone(base);
    bool equal;
    memset(&allowed, 0, sizeof(allowed));
    for (int kind = 0; kind < TEST_KINDS; kind++)
        allowed.gained[kind] = kind == TEST_KIND_OTHER ? 0 : ANY;
    for (const int *kind = change->may_change; *kind >= 0; kind++)
        allowed.lost[*kind] = ANY;
    if (odd->finding == TM_FINDING_SHARED_LAYER) /* becomes two layers when one of them changes */
        allowed.lost[TM_ITEM_GROUP] = ANY;
    allowed.blocks = ANY;
    allowed.ids = allowed.order = allowed.game = allowed.refused = allowed.findings = true;
    change->apply(map);
    must(tm_map_equal(&equal, base->map, map, NULL, 0, NULL));
    if (!equal)
        test_check_change(base, map, change->name, &allowed);
}

TEST(changes_elsewhere_lose_nothing)
{
    const struct test_odd *odd;
    struct test_base base;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        if (odd->finding == TM_FINDING_PRE_2008)
            continue; /* see below */
        test_base_open(&base, odd->name, test_odd_file(odd));
        for (size_t k = 0; k < num_changes; k++)
            change_elsewhere(&base, odd, &changes[k]);
        test_base_release(&base);
    }
}

/* Data that an untouched file keeps are still there after a change: packed as they were, with the same numbers. */
TEST(blocks_of_nobody_stay)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        if (strcmp(odd->name, "unreferenced_data") != 0)
            continue;
        OWN(test_base) base;
        struct test_diff diff;
        test_base_open(&base, odd->name, test_odd_file(odd));
        OWN(tm_map) *map = test_base_clone(&base);
        must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
        OWN(tm_buffer) file = test_map_save(map, NULL);
        test_diff_files(&diff, &base.file, &file, true);
        assert_int_equal(diff.blocks_lost, 2); /* name and pixels of the image */
        assert_int_equal(diff.blocks_changed + diff.blocks_gained, 0);
        assert_int_equal(diff.lost[TM_ITEM_IMAGE], 1);
        return;
    }
    fail();
}

/* ------------------------------------------------------------------------------ numbers that may be of blocks */

/* Items that may have an integer more than is known, and such of which nothing is known. */
typedef enum holder {
    HOLDS_NONE,
    HOLDS_VERSION,
    HOLDS_INFO,
    HOLDS_IMAGE,
    HOLDS_ENVELOPE,
    HOLDS_GROUP,
    HOLDS_GAME_LAYER,
    HOLDS_QUADS,
    HOLDS_SOUNDS,
    HOLDS_SOUND,
    HOLDS_GROUP_EX,
    HOLDS_LAYER, /* of an unknown kind */
    HOLDS_OTHER, /* of an unknown type */
    HOLDERS
} holder;

typedef struct long_maker {
    struct test_maker maker;
    holder holder;
    int32_t number; /* that the item of the holder has behind what is known */
} long_maker;

static void put_item(long_maker *maker, holder kind, int type, int id, const int32_t *ints, size_t num)
{
    int32_t longer[64];
    memcpy(longer, ints, num * sizeof(*ints));
    longer[num] = maker->number;
    if (type < 0)
        test_maker_uuid_item(&maker->maker, TM_UUID_GROUP_EX, id, longer, num + (maker->holder == kind));
    else
        test_maker_item(&maker->maker, type, id, longer, num + (maker->holder == kind));
}

/* A map whose last block is used by nobody that is known; an item of the holder has its number. */
static tm_buffer file_that_holds(holder held, uint32_t *block)
{
    long_maker maker = {test_maker_new(), held, 0};
    const int32_t name = test_maker_text(&maker.maker, "stone"),
                  pixels = test_maker_data(&maker.maker, "rgba", 4),
                  sound = test_maker_text(&maker.maker, "bell"),
                  tiles = test_maker_data(&maker.maker, NULL, 4 * 3 * 4);
    *block = (uint32_t)(maker.number = test_maker_data(&maker.maker, "secret", 6));
    put_item(&maker, HOLDS_VERSION, TM_ITEM_VERSION, 0, TEST_INTS(1));
    put_item(&maker, HOLDS_INFO, TM_ITEM_INFO, 0, TEST_INTS(1, -1, -1, -1, -1, -1));
    put_item(&maker, HOLDS_IMAGE, TM_ITEM_IMAGE, 0, TEST_INTS(2, 1, 1, 0, name, pixels, 1));
    put_item(&maker, HOLDS_IMAGE, TM_ITEM_IMAGE, 1, TEST_INTS(2, 1, 1, 0, name, pixels, 1));
    put_item(&maker, HOLDS_ENVELOPE, TM_ITEM_ENVELOPE, 0, TEST_INTS(2, 3, 0, 0, TEST_NAME8("env"), 1));
    put_item(&maker, HOLDS_GROUP, TM_ITEM_GROUP, 0,
             TEST_INTS(3, 0, 0, 100, 100, 0, 3, 0, 0, 0, 0, 0, TEST_NAME3("Game")));
    put_item(&maker, HOLDS_GAME_LAYER, TM_ITEM_LAYER, 0,
             TEST_INTS(0, 2, 0, 3, 4, 3, 1, 255, 255, 255, 255, -1, 0, -1, tiles, TEST_NAME3("Game"), -1, -1,
                       -1, -1, -1));
    put_item(&maker, HOLDS_QUADS, TM_ITEM_LAYER, 1, TEST_INTS(0, 3, 0, 2, 0, -1, -1, TEST_NAME3("q")));
    if (held == HOLDS_LAYER)
        put_item(&maker, HOLDS_LAYER, TM_ITEM_LAYER, 2, TEST_INTS(0, 77, 0));
    else
        put_item(&maker, HOLDS_SOUNDS, TM_ITEM_LAYER, 2, TEST_INTS(0, 10, 0, 2, 0, -1, -1, TEST_NAME3("s")));
    put_item(&maker, HOLDS_SOUND, TM_ITEM_SOUND, 0, TEST_INTS(1, 1, sound, -1, 0));
    put_item(&maker, HOLDS_GROUP_EX, -1, 0, TEST_INTS(1, 100));
    if (held == HOLDS_OTHER)
        put_item(&maker, HOLDS_OTHER, 99, 0, TEST_INTS(7));
    return test_maker_finish(&maker.maker);
}

static bool has_secret(const tm_buffer *file, uint32_t block)
{
    const tm_datafile_options options = {sizeof(options), TM_MODE_SALVAGE, NULL, NULL};
    OWN(tm_datafile) *datafile;
    const void *bytes;
    tm_data_state state;
    must(tm_datafile_open(&datafile, tm_input_from_memory(file->bytes, file->size), &options, NULL, NULL));
    tm_datafile_data data;
    if (!tm_datafile_get_data(&data, datafile, block) || data.size != 6)
        return false;
    must(tm_datafile_data_bytes(&bytes, &state, datafile, block, NULL));
    return memcmp(bytes, "secret", 6) == 0;
}

/* Integers that are not known may be numbers of blocks, so that these stay where they are when others go. */
TEST(numbers_that_may_be_of_blocks_stay)
{
    for (int held = HOLDS_NONE; held < HOLDERS; held++) {
        uint32_t block;
        OWN(tm_buffer) file = file_that_holds((holder)held, &block);
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        must(tm_map_remove(map, TM_KIND_SOUND, 0, NULL));
        OWN(tm_buffer) saved = test_map_save(map, NULL);
        if (has_secret(&saved, block) != (held != HOLDS_NONE))
            fail_msg("holder %d: block %u is another one", held, (unsigned)block);
    }
}

/* Types of items mean other things in datafiles that are no maps. */
TEST(what_is_no_map_does_not_become_one)
{
    const struct test_odd *odd;
    size_t i = 0;
    while ((odd = test_odd_at(i)) && odd->finding != TM_FINDING_PRE_2008)
        i++;
    OWN(tm_buffer) file = test_odd_file(odd), saved = {NULL, 0, 0, NULL};
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_int_equal(map->num_groups, 0);
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    tm_error error;
    tm_output output = tm_output_to_buffer(&saved);
    assert_int_equal(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error), TM_ERROR_UNSUPPORTED);
    assert_int_equal(saved.size, 0);
    assert_int_equal(tm_store_save(map, "no.map", NULL, NULL, NULL, &error), TM_ERROR_UNSUPPORTED);
    assert_string_equal(error.path, "no.map"); /* it once had neither path nor side */
    assert_int_equal(error.side, TM_SIDE_OUTPUT);
    OWN(tm_buffer) anew = test_map_rewrite(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&anew, TM_MODE_GAME, NULL);
    assert_int_equal(reloaded->num_groups, 1);
}
