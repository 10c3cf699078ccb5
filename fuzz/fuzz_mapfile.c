/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a file becomes a map and a map a file. The input is the file. In each mode in which it loads:
 *
 *   load    the map verifies, opening takes little memory
 *   save    the same bytes
 *   check   all data are looked at
 *   recompress, load   an equal map
 *   rewrite as each game, load   a container without a flaw, a map that verifies; rewriting it again changes nothing
 */
#include "fuzz.h"
#include "map/map.h"

struct session {
    const uint8_t *bytes;
    size_t size;
    tm_mode mode;
    const tm_allocator *allocator;
};

static tm_status load(tm_map **map, const struct session *session, const void *bytes, size_t size,
                      tm_mode mode, tm_findings *findings, tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), mode, &fuzz_limits, session->allocator};
    tm_status status = tm_mapfile_load(map, tm_input_from_memory(bytes, size), &options, findings, error);
    FUZZ_REQUIRE((status == TM_OK) == (*map ? 1 : 0), "a map or a status");
    return status;
}

static void require_valid(const tm_map *map, const char *subject)
{
    tm_error error;
    FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "%s: %s: %s", subject, error.place, error.text);
}

static tm_status save(tm_buffer *buffer, const struct session *session, const tm_map *map,
                      const tm_mapfile_save_options *options, tm_findings *findings, tm_error *error)
{
    *buffer = (tm_buffer){.allocator = session->allocator};
    const tm_output output = tm_output_to_buffer(buffer);
    tm_status status = tm_mapfile_save(map, &output, options, NULL, findings, error);
    if (status != TM_OK)
        fuzz_check_failure(status, error);
    return status;
}

/* Blocks may overlap, so that a small file unpacks to any size: how much is it? */
static uint64_t work_of(const tm_map *map)
{
    const tm_datafile *file = tm_mapfile_datafile(map);
    uint64_t total = 0;
    tm_datafile_data data;
    for (uint32_t i = 0; i < tm_datafile_num_data(file); i++) {
        tm_datafile_get_data(&data, file, i);
        total += data.size + data.packed_size;
    }
    return total;
}

static void save_untouched(const struct session *session, const tm_map *map)
{
    tm_buffer buffer;
    tm_error error;
    tm_status status = save(&buffer, session, map, NULL, NULL, &error);
    FUZZ_REQUIRE(status == TM_OK, "mode %s, untouched: %s", fuzz_mode_names[session->mode], error.text);
    fuzz_require_equal(buffer.bytes, buffer.size, session->bytes, session->size, "untouched map");
    tm_buffer_release(&buffer);
}

static void check_data(const struct session *session, const tm_map *map)
{
    tm_findings findings;
    tm_error error;
    tm_findings_init(&findings, 100, session->allocator);
    tm_status status = tm_mapfile_check_data(map, NULL, &findings, &error);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    tm_findings_release(&findings);
}

/* Whether a text of the map could not be read: repacked it is equal to nothing, as nobody knows what it says. */
static bool has_unread_text(const tm_map *map)
{
    bool found = tmi_any_unread(TM_KIND_INFO, &map->info);
    for (uint32_t i = 0; i < map->num_images; i++)
        found |= tmi_any_unread(TM_KIND_IMAGE, &map->images[i]);
    for (uint32_t i = 0; i < map->num_sounds; i++)
        found |= tmi_any_unread(TM_KIND_SOUND, &map->sounds[i]);
    return found;
}

/* Damaged and too large data cannot be compared; what can be must be the same. */
static void require_equal_maps(const tm_map *a, const tm_map *b, const char *subject)
{
    tm_error error;
    bool equal;
    char where[200];
    tm_status status = tm_map_equal(&equal, a, b, where, sizeof(where), &error);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    else
        FUZZ_REQUIRE(equal || has_unread_text(a), "%s: %s", subject, where);
}

static void recompress(const struct session *session, const tm_map *map)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .recompress = true};
    tm_buffer buffer;
    tm_error error;
    tm_map *second;
    if (save(&buffer, session, map, &options, NULL, &error) == TM_OK) {
        tm_status status = load(&second, session, buffer.bytes, buffer.size, session->mode, NULL, &error);
        if (status != TM_OK) {
            FUZZ_REQUIRE(status == TM_ERROR_LIMIT, "mode %s, recompressed: %s",
                         fuzz_mode_names[session->mode], error.text);
        } else {
            require_valid(second, "recompressed");
            require_equal_maps(map, second, "recompressed");
            tm_map_free(second);
        }
    }
    tm_buffer_release(&buffer);
}

/* Loads what was written and writes it as the game does; false: a limit was reached. The caller releases the buffer. */
static bool rewrite_file(tm_buffer *out, const struct session *session, const tm_buffer *written,
                         tm_game game)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .rewrite = true};
    tm_error error;
    tm_map *map;
    const tm_status loaded = load(&map, session, written->bytes, written->size, TM_MODE_GAME, NULL, &error);
    *out = (tm_buffer){0};
    if (loaded != TM_OK) {
        FUZZ_REQUIRE(loaded == TM_ERROR_LIMIT, "rewritten for game %d: %s", game, error.text);
        return false;
    }
    require_valid(map, "rewritten");
    map->game = game;
    const bool saved = save(out, session, map, &options, NULL, &error) == TM_OK;
    tm_map_free(map);
    return saved;
}

/*
 * What was written as a game writes it is written in the same way when it is loaded and written again. A text that could
 * not be read is a block of its own at first; if it can be read then, it may share one, and that is the way that stays.
 */
static void rewrite_again(const struct session *session, const tm_buffer *first, tm_game game)
{
    tm_buffer second, third = {0};
    if (rewrite_file(&second, session, first, game) &&
        (second.size != first->size || memcmp(second.bytes, first->bytes, first->size) != 0)) {
        FUZZ_REQUIRE(second.size < first->size, "rewritten again: %zu bytes, not %zu", second.size,
                     first->size);
        if (rewrite_file(&third, session, &second, game))
            fuzz_require_equal(third.bytes, third.size, second.bytes, second.size, "rewritten once more");
    }
    tm_buffer_release(&third);
    tm_buffer_release(&second);
}

static void require_sound_container(const tm_buffer *buffer)
{
    const tm_datafile_options options = {sizeof(options), TM_MODE_STRICT, NULL, NULL};
    tm_datafile *file;
    tm_error error;
    tm_input input = tm_input_from_memory(buffer->bytes, buffer->size);
    FUZZ_REQUIRE(tm_datafile_open(&file, input, &options, NULL, &error) == TM_OK, "rewritten: %s",
                 error.text);
    tm_datafile_close(file);
}

/* Findings that say that something of the map is not in the file. */
static bool loses(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        if (strncmp(tm_finding_name(findings->list[i].id), "lost-", 5) == 0)
            return true;
    return findings->unlisted > 0;
}

/* The games write an array of empty tiles beside each physics layer; one that had none gets it. */
static bool gets_tiles(const tm_map *map)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            const bool physics = tm_game_layer(layer->kind)->is_physics && layer->kind != TM_LAYER_GAME;
            if (physics && !layer->as.tiles.compat)
                return true;
        }
    }
    return false;
}

/* What is lost is said; else all of it is there. */
static void require_nothing_lost(const struct session *session, const tm_map *map, const tm_buffer *buffer)
{
    tm_map *second;
    tm_error error;
    if (load(&second, session, buffer->bytes, buffer->size, session->mode, NULL, &error) != TM_OK)
        return;
    second->game = map->game;       /* an empty map looks the same in each game, */
    second->version = map->version; /* and all are written as version 1 */
    require_equal_maps(map, second, "rewritten");
    tm_map_free(second);
}

/* What is rescued is packed anew but for blocks beyond the limit: these go along broken, and mode game drops them. */
static bool goes_along_broken(const struct session *session, const tm_map *map)
{
    const tm_datafile *file = tm_mapfile_datafile(map);
    tm_datafile_data data;
    for (uint32_t i = 0; session->mode == TM_MODE_SALVAGE && i < tm_datafile_num_data(file); i++)
        if (tm_datafile_get_data(&data, file, i) && data.size > FUZZ_MAX_BLOCK)
            return true;
    return false;
}

static void rewrite(const struct session *session, tm_map *map, tm_game game)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .rewrite = true};
    const tm_game before = map->game;
    tm_buffer buffer;
    tm_findings findings;
    tm_error error;
    tm_findings_init(&findings, 0, session->allocator);
    map->game = game;
    if (save(&buffer, session, map, &options, &findings, &error) == TM_OK) {
        if (!loses(&findings) && !gets_tiles(map))
            require_nothing_lost(session, map, &buffer);
        /* Blocks go along packed as they are, also broken ones; but a sound file gives a sound file. */
        if (session->mode == TM_MODE_STRICT)
            require_sound_container(&buffer);
        if (!goes_along_broken(session, map))
            rewrite_again(session, &buffer, game);
    }
    tm_buffer_release(&buffer);
    tm_findings_release(&findings);
    map->game = before;
}

static void use(const struct session *session, tm_map *map)
{
    require_valid(map, "loaded");
    save_untouched(session, map);
    if (work_of(map) > FUZZ_MAX_UNPACKED)
        return;
    check_data(session, map);
    recompress(session, map);
    for (tm_game game = TM_GAME_DDNET; game <= TM_GAME_TEEWORLDS07; game++)
        rewrite(session, map, game);
    tm_map_drop_all_data(map);
    save_untouched(session, map);
}

static tm_status try_mode(struct session *session, struct test_memory *memory)
{
    tm_findings findings;
    tm_map *map;
    tm_error error;
    tm_findings_init(&findings, 0, NULL);
    tm_status status = load(&map, session, session->bytes, session->size, session->mode, &findings, &error);
    /* All texts, the one that is being unpacked twice, and the model. */
    FUZZ_REQUIRE(memory->most_bytes <=
                     FUZZ_MAX_UNPACKED + 2 * FUZZ_MAX_BLOCK + 64 * session->size + 64 * 1024,
                 "loading %zu bytes held %zu", session->size, memory->most_bytes);
    fuzz_check_refusal(status, session->mode, &findings);
    if (status == TM_OK) {
        use(session, map);
        tm_map_free(map);
    } else {
        fuzz_check_failure(status, &error);
    }
    tm_findings_release(&findings);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const tm_mode modes[] = {TM_MODE_STRICT, TM_MODE_GAME, TM_MODE_SALVAGE};
    tm_status before = TM_ERROR_DAMAGED;
    if (size > FUZZ_MAX_INPUT)
        return 0;
    for (int i = 0; i < 3; i++) {
        struct test_memory memory;
        test_memory_init(&memory);
        struct session session = {bytes, size, modes[i], &memory.allocator};
        tm_status status = try_mode(&session, &memory);
        fuzz_check_memory(&memory, 128 * 1024 * 1024);
        FUZZ_REQUIRE(before != TM_OK || status == TM_OK || status == TM_ERROR_LIMIT,
                     "mode %s refuses what a stricter one takes", fuzz_mode_names[modes[i]]);
        before = status;
    }
    return 0;
}
