/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: operations of the table on a map from a stranger's file, one after the other; what fails leaves the map as it was;
 * tm_map_verify after each; then the map is saved, loaded, and equal.
 *
 *   OFFSET SIZE MEANING
 *        0    1 bits 0..1: game of the new map (3: DDNet); bits 2..3: mode in which a file is loaded (3: game)
 *        1    2 little-endian: number of bytes that make the operations
 *        3    n the operations: a byte that chooses one of the table, and its arguments (tests/edit_steps.c)
 *      rest     a file to start from; when it does not load, the map starts empty
 */
#include "edit_steps.h"
#include "round_trip.h"

#include "edit_steps.c" /* NOLINT(bugprone-suspicious-include): shared with the tests */

enum { MAX_OPERATIONS = 16 };

static void require_same(const tm_map *map, const tm_map *before, const char *line)
{
    tm_error error;
    bool equal;
    char where[200];
    const tm_status status = tm_map_equal(&equal, before, map, where, sizeof(where), &error);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    else
        FUZZ_REQUIRE(equal, "%s failed, but: %s", line, where);
}

static void run_step(tm_map *map, const struct edit_step *step, const tm_edit_options *options,
                     const tm_allocator *allocator)
{
    tm_map *before;
    tm_report report;
    tm_error error;
    if (tm_map_clone(&before, map, &error) != TM_OK)
        return;
    tm_report_init(&report, allocator);
    const tm_status status =
        tm_edit_run(map, step->operation, step->arguments, step->num, options, &report, &error);
    FUZZ_REQUIRE(status == TM_OK || (status == error.code && error.text[0]), "%s: fails without a word",
                 step->line);
    FUZZ_REQUIRE(status != TM_ERROR_MEMORY && status != TM_ERROR_IO, "%s: %s", step->line, error.text);
    FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "%s: %s: %s", step->line, error.place, error.text);
    if (status != TM_OK || report.num == 0)
        require_same(map, before, step->line);
    tm_report_release(&report);
    tm_map_free(before);
}

/* What other maps are: a small one, as the seeds are. */
static tm_map *other_map(const tm_allocator *allocator)
{
    static const char script[] =
        "add image grass_main\nadd envelope color e\nadd group Back\nadd layer Back tiles 6x5\nadd layer Back quads\n"
        "add group Game\nadd layer Game game 6x5\nadd layer Game front\nadd layer Game tele\nadd layer Game switch\n"
        "add layer Game tiles\nadd layer Back sounds\nset 0/0.image=image/0\nsettings add \"tune_zone 1 a 1\"\n";
    static const uint8_t tile[8] = {1, 26, 0, 0};
    const tm_map_options options = {sizeof(options), TM_GAME_DDNET, &fuzz_limits, allocator};
    tm_edit_script *steps;
    tm_map *map;
    tm_quad quad;
    tm_error error;
    FUZZ_REQUIRE(tm_map_new(&map, &options, &error) == TM_OK, "%s", error.text);
    FUZZ_REQUIRE(tm_edit_script_from_text(&steps, script, strlen(script), allocator, &error) == TM_OK, "%s",
                 error.text);
    FUZZ_REQUIRE(tm_edit_script_run(map, steps, NULL, NULL, &error) == TM_OK, "%s", error.text);
    tm_edit_script_free(steps);
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        if (tm_game_layer(walk.layer->kind)->is_tiles)
            FUZZ_REQUIRE(
                tm_map_fill_tiles(map, walk.group, walk.index, &(tm_rect){1, 1, 3, 2}, tile, &error) == TM_OK,
                "%s", error.text);
    tm_quad_init(&quad, 0, 0, TM_TILE_FX, TM_TILE_FX);
    quad.color_envelope = 0;
    FUZZ_REQUIRE(tm_map_set_quads(map, 0, 1, &quad, 1, &error) == TM_OK, "%s", error.text);
    return map;
}

static void run_all(tm_map *map, struct edit_bytes *bytes, const tm_allocator *allocator)
{
    static uint32_t num_operations;
    tm_edit_options options;
    tm_map *other = other_map(allocator);
    num_operations = num_operations ? num_operations : edit_num_operations();
    edit_step_options(&options, other);
    for (int n = 0; n < MAX_OPERATIONS && bytes->pos < bytes->size; n++) {
        struct edit_step step;
        edit_step_make(&step, tm_edit_at(step_byte(bytes) % num_operations), map, bytes);
        if (getenv("FUZZ_SHOW"))
            fprintf(stderr, "%s\n", step.line);
        run_step(map, &step, &options, allocator);
    }
    tm_map_free(other);
}

/* What a field can be set to and no file says. */
static void settle_fields(tm_map *map)
{
    for (uint32_t i = 0; i < map->num_images; i++)
        if (map->images[i].external)
            map->images[i].format = TM_IMAGE_RGBA; /* the format is that of the pixels */
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 3 || size > FUZZ_MAX_INPUT)
        return 0;
    size_t num = bytes[1] | (size_t)bytes[2] << 8;
    if (num > size - 3)
        num = size - 3;
    struct edit_bytes stream = {bytes + 3, num, 0};
    struct test_memory memory;
    tm_findings findings;
    tm_error error;
    tm_mode mode;
    test_memory_init(&memory);
    tm_findings_init(&findings, 0, NULL);
    tm_map *map = start(bytes + 3 + num, size - 3 - num, bytes[0], &mode, &findings, &memory.allocator);
    const bool bad_texts = fuzz_may_have(&findings, TM_FINDING_BAD_TEXT);
    bool damaged = is_damaged(&findings);
    tm_buffer buffer = {.allocator = &memory.allocator};
    run_all(map, &stream, &memory.allocator);
    settle_parallax_zoom(map);
    settle_fields(map);
    damaged |= map->num_groups == 0; /* known for a map by its version item alone, which may be an odd one */
    const tm_status status = save(&buffer, map, &findings, &error);
    if (status == TM_OK)
        compare(map, &buffer, mode, bad_texts, damaged || loses(&findings), &memory.allocator);
    else
        fuzz_check_failure(status, &error);
    tm_buffer_release(&buffer);
    tm_map_free(map);
    tm_findings_release(&findings);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
