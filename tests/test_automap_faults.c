/* SPDX-License-Identifier: Zlib */
/*
 * What can fail with rules of automappers: no memory at the n-th request, limits, bad arguments, a job that is
 * cancelled; and what a run tells besides its tiles.
 */
#include "support/lib_automap.h"
#include "automap/automap.h"

static const char busy_rules[] =
    "[a]\nIndex 1\nPos 0 -1 INDEX 1 OR 2 OR 3\nPos 5 5 EMPTY\nRandom 3\nModulo 2 2 1 1\n"
    "NewRun\nNoLayerCopy\nIndex 2\nPos -1 0 FULL\n[b]\nIndex 4 XFLIP\n";
static const char busy_json[] =
    "{\"tileset\": [{\"a\": {\"rules\": [{\"index\": 5, \"random\": 2, \"condition\": [{\"x\": 1, "
    "\"value\": \"full\"}]}]}}]}";
static const char busy_doodads[] =
    "{\"doodads\": [{\"a\": {\"rules\": [{\"startid\": 5, \"endid\": 22}, {\"random\": 3}, "
    "{\"location\": \"walls\"}]}}]}";

/* Many conditions at few places: a table of all answers is worth its making. */
static void put_answered_rules(char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "[a]\n");
    for (int i = 0; i < 16; i++)
        length += (size_t)snprintf(
            text + length, size - length, "Index %d\nPos -1 0 %s\nPos 0 -1 %s\nPos 1 0 %s\n", i + 1,
            i & 1 ? "FULL" : "EMPTY", i & 2 ? "FULL" : "EMPTY", i & 4 ? "FULL" : "EMPTY");
    assert_true(length < size);
}

/* All ways to run rules; the first failure. */
static tm_status run_all(const tm_automap_rules *rules, const tm_allocator *allocator)
{
    static const tm_rect region = {3, 3, 5, 5};
    static const struct {
        const tm_rect *region;
        tm_automap_reference reference;
        uint64_t budget;
    } ways[] = {{NULL, TM_AUTOMAP_NO_REFERENCE, 0},    {&region, TM_AUTOMAP_NO_REFERENCE, 0},
                {NULL, TM_AUTOMAP_FREEZE, 0},          {&region, TM_AUTOMAP_GAME_LAYER, 0},
                {NULL, TM_AUTOMAP_NO_REFERENCE, 1000}, {NULL, TM_AUTOMAP_HOOKABLE, 1000}};
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    test_layer layer = test_pattern_layer("few", 70, 20, 1), game = test_pattern_layer("game", 70, 25, 2);
    tm_automap_result result;
    tm_job job = TM_JOB_INIT;
    tm_status status = TM_OK;
    options.allocator = allocator;
    options.game = game.tiles;
    options.game_width = game.width;
    options.game_height = game.height;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && status == TM_OK; i++) {
        options.region = ways[i].region;
        options.reference = ways[i].reference;
        job.memory_budget = ways[i].budget;
        status =
            tm_automap_run(&result, rules, &(tm_automap_layer){layer.tiles, 70, 20}, &options, &job, NULL);
    }
    if (status == TM_OK)
        status = tmi_automap_check(&result, rules, &(tm_automap_layer){layer.tiles, 70, 20}, &options, NULL);
    free(layer.tiles);
    free(game.tiles);
    return status;
}

/* Everything that takes memory; the first failure. */
static tm_status do_all(const char *text, tm_automap_dialect dialect, const tm_allocator *allocator)
{
    tm_automap_read_options reading = TM_AUTOMAP_READ_OPTIONS_INIT;
    OWN(tm_buffer) out = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&out);
    OWN(tm_automap_rules) *rules;
    uint8_t *rgba = NULL;
    uint32_t width = 0, height = 0;
    reading.dialect = dialect;
    reading.allocator = allocator;
    tm_status status = tm_automap_read(&rules, text, strlen(text), &reading, NULL, NULL);
    if (status == TM_OK)
        status = run_all(rules, allocator);
    if (status == TM_OK)
        status = tm_automap_review(rules, NULL, NULL);
    if (status == TM_OK)
        status = tm_automap_write(&output, rules, NULL, NULL);
    if (status == TM_OK && dialect != TM_AUTOMAP_TEEWORLDS07)
        status = tm_automap_format(&output, text, strlen(text), &reading, NULL, NULL);
    if (status == TM_OK)
        status = tm_preview_draw_rules(&rgba, &width, &height, tm_automap_configs(NULL, rules), NULL, 12,
                                       allocator, NULL);
    tm_free(allocator, rgba, (size_t)width * height * 4);
    return status;
}

/* What cannot be listed for lack of memory is counted. */
TEST(findings_without_memory_are_counted)
{
    static const char text[] =
        "[a]\nIndex 1 X\nPos 0 0 FUL\nIndx\n[a]\nIndex 2\nPos 1 0 EMPTY\nPos 1 0 FULL\n";
    struct test_memory memory;
    uint64_t expected = 0;
    for (size_t n = 0;; n++) {
        test_memory_init(&memory);
        memory.fail_at = n;
        tm_findings findings;
        tm_findings_init(&findings, 0, &memory.allocator);
        tm_automap_rules *rules = test_rules_of(text, sizeof(text) - 1, TM_AUTOMAP_DDNET, &findings);
        must(tm_automap_review(rules, &findings, NULL));
        if (n == 0)
            expected = findings.num;
        assert_true(expected >= 5 && findings.num + findings.unlisted == expected);
        tm_automap_free(rules);
        tm_findings_release(&findings);
        assert_int_equal(memory.num_blocks, 0);
        if (n && !memory.failed)
            break;
    }
}

static void no_memory_at_the_nth_request(const char *text, tm_automap_dialect dialect)
{
    EACH_FAILURE(memory) {
        const tm_status status = do_all(text, dialect, &memory.allocator);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        if (!memory.failed)
            assert_true(memory.n > 10);
    }
}

TEST(no_memory_is_told)
{
    char answered[4096];
    put_answered_rules(answered, sizeof(answered));
    no_memory_at_the_nth_request(answered, TM_AUTOMAP_DDNET);
    no_memory_at_the_nth_request(busy_rules, TM_AUTOMAP_DDNET);
    no_memory_at_the_nth_request(busy_rules, TM_AUTOMAP_DDNET_16);
    no_memory_at_the_nth_request(busy_json, TM_AUTOMAP_TEEWORLDS07);
    no_memory_at_the_nth_request(busy_doodads, TM_AUTOMAP_TEEWORLDS07);
}

TEST(limits_are_kept)
{
    tm_limits limits = TM_LIMITS_INIT;
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    tm_automap_rules *rules;
    options.limits = &limits;
    limits.file_bytes = 20;
    assert_int_equal(tm_automap_read(&rules, busy_rules, sizeof(busy_rules) - 1, &options, NULL, NULL),
                     TM_ERROR_LIMIT);
    limits.file_bytes = 0;
    limits.item_bytes = 300;
    assert_int_equal(tm_automap_read(&rules, busy_rules, sizeof(busy_rules) - 1, &options, NULL, NULL),
                     TM_ERROR_LIMIT);
    options.dialect = TM_AUTOMAP_TEEWORLDS07;
    assert_int_equal(tm_automap_read(&rules, busy_json, sizeof(busy_json) - 1, &options, NULL, NULL),
                     TM_ERROR_LIMIT);
    assert_null(rules);
}

TEST(arguments_are_looked_at)
{
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    OWN(tm_automap_rules) *rules = test_rules_of_text(busy_rules);
    tm_automap_result result;
    tm_tile tile = {1, 0, 0, 0};
    tm_cancel cancel = {0};
    tm_job job = TM_JOB_INIT;
    options.reference = TM_AUTOMAP_GAME_LAYER;
    assert_int_equal(tm_automap_run(NULL, rules, &(tm_automap_layer){&tile, 1, 1}, &options, NULL, NULL),
                     TM_ERROR_USAGE);
    options.reference = (tm_automap_reference)TM_AUTOMAP_REFERENCES;
    assert_int_equal(tm_automap_run(NULL, rules, &(tm_automap_layer){&tile, 1, 1}, &options, NULL, NULL),
                     TM_ERROR_USAGE);
    options.reference = TM_AUTOMAP_NO_REFERENCE;
    options.amount = 101;
    assert_int_equal(tm_automap_run(NULL, rules, &(tm_automap_layer){&tile, 1, 1}, &options, NULL, NULL),
                     TM_ERROR_USAGE);
    options.amount = 0;
    assert_int_equal(tm_automap_run(NULL, rules, &(tm_automap_layer){NULL, 1, 1}, &options, NULL, NULL),
                     TM_ERROR_USAGE);
    must(tm_automap_run(NULL, rules, &(tm_automap_layer){NULL, 0, 0}, &options, NULL, NULL));
    assert_int_equal(
        tm_automap_run(NULL, rules, &(tm_automap_layer){&tile, UINT32_MAX, 1}, &options, NULL, NULL),
        TM_ERROR_USAGE);
    options.config = 7; /* as in the editor: nothing */
    must(tm_automap_run(&result, rules, &(tm_automap_layer){&tile, 1, 1}, &options, NULL, NULL));
    assert_int_equal(result.num_changed, 0);
    options.config = 1;
    job.cancel = &cancel;
    tm_cancel_request(&cancel);
    assert_int_equal(tm_automap_run(&result, rules, &(tm_automap_layer){&tile, 1, 1}, &options, &job, NULL),
                     TM_ERROR_CANCELLED);
}

/* Seed 0 draws one and tells it; the same one gives the same tiles. */
TEST(a_seed_that_was_drawn_is_told)
{
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    OWN(tm_automap_rules) *rules = test_rules_of_text(busy_rules);
    test_layer first = test_pattern_layer("few", 40, 40, 1), second = test_clone_layer(&first);
    tm_automap_result result;
    options.draw = 77;
    must(tm_automap_run(&result, rules, &(tm_automap_layer){first.tiles, 40, 40}, &options, NULL, NULL));
    assert_int_equal(result.seed, 77);
    assert_true(result.num_changed > 0 && result.changed.width > 0 && tmi_right(&result.changed) <= 40);
    options.seed = 77;
    options.draw = 5;
    must(tm_automap_run(&result, rules, &(tm_automap_layer){second.tiles, 40, 40}, &options, NULL, NULL));
    assert_int_equal(result.seed, 77);
    assert_memory_equal(first.tiles, second.tiles, 40 * 40 * sizeof(tm_tile));
    free(first.tiles);
    free(second.tiles);
}

TEST(tiles_that_are_not_what_rules_give_are_told)
{
    OWN(tm_automap_rules) *rules =
        test_rules_of_text("[a]\nIndex 2\nPos 0 -1 EMPTY\nIndex 3\nPos 0 -1 FULL\n");
    test_layer layer = test_pattern_layer("blobs", 40, 30, 1);
    tm_automap_result result;
    must(tm_automap_run(NULL, rules, &(tm_automap_layer){layer.tiles, 40, 30}, NULL, NULL, NULL));
    for (size_t i = 0; i < 40 * 30; i++)
        layer.tiles[i].flags |= TM_TILE_OPAQUE;
    must(tmi_automap_check(&result, rules, &(tm_automap_layer){layer.tiles, 40, 30}, NULL, NULL));
    assert_int_equal(result.num_changed, 0);
    layer.tiles[40 * 7 + 9] = (tm_tile){9, 0, 0, 0};
    must(tmi_automap_check(&result, rules, &(tm_automap_layer){layer.tiles, 40, 30}, NULL, NULL));
    assert_true(result.num_changed >= 1 && result.changed.x <= 9 && result.changed.y <= 7);
    assert_int_equal(layer.tiles[40 * 7 + 9].index, 9);
    free(layer.tiles);
}
