/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FUZZ_ROUND_TRIP_H
#define TEEMAP_FUZZ_ROUND_TRIP_H
/*
 * What fuzz targets that change maps share: where a map comes from, and that it is the same when it was saved and
 * loaded.
 */
#include "fuzz.h"

static tm_mode mode_of(uint8_t how)
{
    static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE, TM_MODE_GAME};
    return modes[how >> 2 & 3];
}

/* *mode: how it was loaded. */
static tm_map *start(const uint8_t *bytes, size_t size, uint8_t how, tm_mode *mode, tm_findings *findings,
                     const tm_allocator *allocator)
{
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS06, TM_GAME_TEEWORLDS07, TM_GAME_DDNET};
    const tm_mapfile_options options = {sizeof(options), mode_of(how), &fuzz_limits, allocator};
    const tm_map_options new_options = {sizeof(new_options), games[how & 3], &fuzz_limits, allocator};
    tm_map *map;
    tm_error error;
    *mode = options.mode;
    if (size && tm_mapfile_load(&map, tm_input_from_memory(bytes, size), &options, findings, &error) == TM_OK)
        return map;
    *mode = TM_MODE_GAME;
    FUZZ_REQUIRE(tm_map_new(&map, &new_options, &error) == TM_OK, "%s", error.text);
    return map;
}

/* The one thing that comes back otherwise by the format: either all groups have a parallax zoom, or none has. */
static void settle_parallax_zoom(tm_map *map)
{
    bool any = false;
    for (uint32_t g = 0; g < map->num_groups; g++)
        any |= map->groups[g].has_parallax_zoom;
    for (uint32_t g = 0; any && g < map->num_groups; g++) {
        tm_group *group = &map->groups[g];
        const int32_t larger = group->parallax_x > group->parallax_y ? group->parallax_x : group->parallax_y;
        if (!group->has_parallax_zoom)
            group->parallax_zoom = larger < 0 ? 0 : larger > 100 ? 100 : larger;
        group->has_parallax_zoom = true;
    }
}

/*
 * What a new layout cannot say again: blocks that are not all there become as short as they are.
 */
static bool is_damaged(const tm_findings *findings)
{
    static const tm_finding_id ids[] = {TM_FINDING_DATA_CUT, TM_FINDING_BAD_DATA_OFFSET,
                                        TM_FINDING_BAD_DATA_SIZE};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        if (fuzz_may_have(findings, ids[i]))
            return true;
    return false;
}

/* Findings that say that something of the map is not in the file. */
static bool is_loss(tm_finding_id id)
{
    return strncmp(tm_finding_name(id), "lost-", 5) == 0;
}

static bool loses(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        if (is_loss(findings->list[i].id))
            return true;
    return findings->unlisted > 0;
}

static tm_status save(tm_buffer *buffer, const tm_map *map, tm_findings *findings, tm_error *error)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1};
    const tm_output output = tm_output_to_buffer(buffer);
    return tm_mapfile_save(map, &output, &options, NULL, findings, error);
}

/*
 * As the file was loaded, for the modes read texts with a wrong checksum differently. Strict mode may refuse what the changes
 * made; then the text that only it did not have is there again.
 */
static tm_status load_again(tm_map **out, const tm_buffer *saved, tm_mode mode, bool *other_texts,
                            const tm_allocator *allocator, tm_error *error)
{
    tm_mapfile_options options = {sizeof(options), mode, &fuzz_limits, allocator};
    tm_input input = tm_input_from_memory(saved->bytes, saved->size);
    tm_status status = tm_mapfile_load(out, input, &options, NULL, error);
    *other_texts = mode == TM_MODE_STRICT && status == TM_ERROR_DAMAGED;
    if (!*other_texts)
        return status;
    options.mode = TM_MODE_GAME;
    return tm_mapfile_load(out, tm_input_from_memory(saved->bytes, saved->size), &options, NULL, error);
}

static void compare(const tm_map *map, const tm_buffer *saved, tm_mode mode, bool bad_texts, bool lossy,
                    const tm_allocator *allocator)
{
    tm_buffer second = {.allocator = allocator};
    tm_map *loaded;
    tm_error error;
    bool equal, other_texts;
    char where[200];
    tm_status status = load_again(&loaded, saved, mode, &other_texts, allocator, &error);
    lossy |= other_texts && bad_texts;
    if (status == TM_ERROR_LIMIT)
        return;
    FUZZ_REQUIRE(status == TM_OK, "what was saved does not load: %s: %s", error.place, error.text);
    FUZZ_REQUIRE(tm_map_verify(loaded, &error) == TM_OK, "loaded again: %s: %s", error.place, error.text);
    loaded->game = map->game; /* an empty map looks the same in each game */
    status = tm_map_equal(&equal, map, loaded, where, sizeof(where), &error);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    else
        FUZZ_REQUIRE(equal || lossy, "saved and loaded: %s", where);
    FUZZ_REQUIRE(save(&second, loaded, NULL, &error) == TM_OK, "saved again: %s", error.text);
    fuzz_require_equal(second.bytes, second.size, saved->bytes, saved->size, "saved again");
    tm_buffer_release(&second);
    tm_map_free(loaded);
}

#endif
