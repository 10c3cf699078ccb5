/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: all rules of lint on a map from a stranger's file. What is found has a text, and its places lie in its layer; each
 * fix is a line that can be read, and leaves a map that verifies.
 *
 *   OFFSET SIZE MEANING
 *        0    1 sets of rules, the first 5 bits of tm_lint_set; 0: as guessed; any bit above: all rules there are
 *     rest      the map
 */
#include "base/base.h"
#include "fuzz.h"

enum { MAX_FIXES = 12 };

static void require_places(const tm_map *map, const tm_lint_result *result, size_t i)
{
    uint32_t num;
    uint64_t sum = 0;
    tm_address address;
    const tm_finding *finding = &result->findings.list[i];
    const tm_region *places = tm_lint_places(&num, result, i);
    FUZZ_REQUIRE(finding->text[0] && finding->count, "%s without a text", tm_finding_name(finding->id));
    FUZZ_REQUIRE(
        !num || (!tm_address_parse(&address, map, finding->address, NULL) && address.kind == TM_KIND_LAYER),
        "%s: places in %s", tm_finding_name(finding->id), finding->address);
    for (uint32_t k = 0; k < num; k++) {
        const tm_tile_layer *layer = &map->groups[address.index].layers[address.layer].as.tiles;
        FUZZ_REQUIRE(places[k].rect.width && tmi_right(&places[k].rect) <= layer->width &&
                         tmi_bottom(&places[k].rect) <= layer->height,
                     "%s: a place outside of the layer", tm_finding_name(finding->id));
        sum += places[k].num;
    }
    FUZZ_REQUIRE(sum <= finding->count, "%s: places of more tiles than there are",
                 tm_finding_name(finding->id));
}

static void fix(const tm_map *map, const char *line, const tm_allocator *allocator)
{
    tm_edit_script *script;
    tm_map *clone;
    tm_error error = {.code = TM_OK};
    FUZZ_REQUIRE(tm_edit_script_from_text(&script, line, strlen(line), allocator, &error) == TM_OK, "%s: %s",
                 line, error.text);
    if (tm_map_clone(&clone, map, NULL) == TM_OK) {
        const tm_status status = tm_edit_script_run(clone, script, NULL, NULL, &error);
        FUZZ_REQUIRE(status == TM_OK || (status == error.code && error.text[0]), "%s: fails without a word",
                     line);
        FUZZ_REQUIRE(status != TM_ERROR_MEMORY && status != TM_ERROR_NOT_FOUND, "%s: %s", line, error.text);
        FUZZ_REQUIRE(tm_map_verify(clone, &error) == TM_OK, "%s: %s: %s", line, error.place, error.text);
        tm_map_free(clone);
    }
    tm_edit_script_free(script);
}

static void lint(const tm_map *map, uint8_t sets, const tm_allocator *allocator)
{
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    tm_lint_result result;
    tm_error error = {.code = TM_OK};
    uint32_t fixes = 0;
    const tm_lint_choice choice = {.id = TM_FINDING_NONE, .on = true};
    options.sets = sets & TM_LINT_ALL;
    options.choices = &choice;
    options.num_choices = sets & ~TM_LINT_ALL ? 1 : 0;
    const tm_status status = tm_lint_run(&result, map, &options, &error);
    if (status) {
        fuzz_check_failure(status, &error);
        return;
    }
    for (size_t i = 0; i < result.findings.num; i++) {
        const char *line = tm_lint_fix_line(&result, i);
        require_places(map, &result, i);
        if (line[0] && fixes++ < MAX_FIXES)
            fix(map, line, allocator);
    }
    tm_lint_result_release(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct test_memory memory;
    tm_map *map;
    if (size < 1 || size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, &fuzz_limits, &memory.allocator};
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes + 1, size - 1), &options, NULL, NULL) == TM_OK) {
        lint(map, bytes[0], &memory.allocator);
        tm_map_free(map);
    }
    fuzz_check_memory(&memory, 128 * 1024 * 1024);
    return 0;
}
