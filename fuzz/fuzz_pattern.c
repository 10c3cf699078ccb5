/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a text that may be a pattern is read, and what it fits is looked for in a map, twice over: in all of it and in a
 * region. What is found lies in its layer, and every tile is found once. The same text as a tile to be written fills a layer.
 *
 *   the text, up to the first NUL, then a file to search in; when it does not load, the map is empty
 */
#include "base/base.h"
#include "fuzz.h"
#include "../src/query/query.h"

#include <teemap/edit.h>
#include <teemap/query.h>

enum { MAX_MATCHES = 20000, MARKED_SIDE = 64 };

typedef struct search {
    const tm_map *map;
    uint64_t num;
    tm_address marked; /* the layer of the marks */
    uint8_t marks[MARKED_SIDE][MARKED_SIDE];
} search;

static void mark_tiles(search *result, const tm_match *match)
{
    if (result->marked.index != match->address.index || result->marked.layer != match->address.layer) {
        memset(result->marks, 0, sizeof(result->marks));
        result->marked = match->address;
    }
    const tm_rect part = tmi_rect_common(&match->rect, &(tm_rect){0, 0, MARKED_SIDE, MARKED_SIDE});
    for (int64_t y = part.y; y < tmi_bottom(&part); y++)
        for (int64_t x = part.x; x < tmi_right(&part); x++)
            FUZZ_REQUIRE(result->marks[y][x]++ == 0, "tile %u,%u is found twice", (unsigned)x, (unsigned)y);
}

static bool see(void *ctx, const tm_match *match)
{
    search *result = ctx;
    const tm_grid *grid = &match->grid;
    FUZZ_REQUIRE(match->pattern == 0 && match->count > 0, "pattern %u", (unsigned)match->pattern);
    if (match->rect.width) {
        FUZZ_REQUIRE(match->address.kind == TM_KIND_LAYER, "tiles of what is no layer");
        FUZZ_REQUIRE(match->count == (uint64_t)match->rect.width * match->rect.height, "a wrong count");
        FUZZ_REQUIRE(tmi_right(&match->rect) <= grid->width && tmi_bottom(&match->rect) <= grid->height,
                     "%u,%u+%ux%u does not lie in %ux%u", (unsigned)match->rect.x, (unsigned)match->rect.y,
                     (unsigned)match->rect.width, (unsigned)match->rect.height, (unsigned)grid->width,
                     (unsigned)grid->height);
        mark_tiles(result, match);
    } else {
        FUZZ_REQUIRE(!match->text || match->field, "a text without a field");
    }
    return ++result->num < MAX_MATCHES;
}

static uint64_t find(const tm_map *map, tm_pattern *pattern, const tm_find_options *options)
{
    search result = {.map = map, .marked = {TM_KIND_MAP, 0, 0}};
    tm_error error;
    const tm_status status = tm_map_find(map, &pattern, 1, options, see, &result, &error);
    FUZZ_REQUIRE(!status || (status == error.code && error.text[0] && status != TM_ERROR_MEMORY),
                 "finding: %s", error.text);
    return result.num;
}

/* Written again as it was given, it is the same pattern. */
static void require_same_pattern(const tm_pattern *pattern, const tm_allocator *allocator)
{
    tm_pattern *second;
    tm_error error;
    const tm_status status = tm_pattern_parse(&second, tm_pattern_text(pattern), allocator, &error);
    FUZZ_REQUIRE(status == TM_OK, "'%s' is no pattern any more: %s", tm_pattern_text(pattern), error.text);
    FUZZ_REQUIRE(tmi_pattern_of_tiles(second) == tmi_pattern_of_tiles(pattern), "another kind of pattern");
    tm_pattern_free(second);
}

/* As an argument of operations: a tile to be written, and a pattern of what is replaced. */
static void write_tiles(tm_map *map, const char *text)
{
    const char *const fill[] = {"*", text}, *const replace[] = {text, "with", "freeze"};
    tm_error error;
    tm_status status = tm_edit_run(map, tm_edit_find("fill"), fill, 2, NULL, NULL, &error);
    FUZZ_REQUIRE(!status || (error.text[0] && status != TM_ERROR_MEMORY), "fill: %s", error.text);
    status = tm_edit_run(map, tm_edit_find("replace"), replace, 3, NULL, NULL, &error);
    FUZZ_REQUIRE(!status || (error.text[0] && status != TM_ERROR_MEMORY), "replace: %s", error.text);
    FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "written: %s: %s", error.place, error.text);
}

static tm_map *map_to_search(const uint8_t *bytes, size_t size, const tm_allocator *allocator)
{
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    tm_map_options fresh = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    tm_error error;
    options.limits = fresh.limits = &fuzz_limits;
    options.allocator = fresh.allocator = allocator;
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes, size), &options, NULL, &error) == TM_OK)
        return map;
    FUZZ_REQUIRE(tm_map_new(&map, &fresh, &error) == TM_OK, "%s", error.text);
    return map;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = size ? memchr(bytes, 0, size) : NULL;
    const size_t length = end ? (size_t)(end - bytes) : size;
    struct test_memory memory;
    tm_pattern *pattern;
    tm_error error;
    if (!end || size > FUZZ_MAX_INPUT)
        return 0;
    const char *text = (const char *)bytes;
    test_memory_init(&memory);
    const tm_status status = tm_pattern_parse(&pattern, text, &memory.allocator, &error);
    tm_map *map = map_to_search(end + 1, size - length - 1, &memory.allocator);
    if (status == TM_OK) {
        tm_find_options region = TM_FIND_OPTIONS_INIT;
        region.region = (tm_rect){1, 1, 3, 3};
        require_same_pattern(pattern, &memory.allocator);
        const uint64_t all = find(map, pattern, NULL), some = find(map, pattern, &region);
        FUZZ_REQUIRE(all > 0 || some == 0, "in a part there is more than in the whole");
    } else {
        FUZZ_REQUIRE(status == error.code && error.text[0] && status != TM_ERROR_MEMORY, "'%s': %s", text,
                     error.text);
    }
    tm_pattern_free(pattern);
    write_tiles(map, text);
    tm_map_free(map);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
