/* SPDX-License-Identifier: Zlib */
/*
 * map_facts.c - a map as a row of flat columns (teemap/facts.h). Each column is a row of a table with a
 * function that reads it; tiles, images and sounds are counted once, when the row is made.
 */
#include <teemap/facts.h>

#include "mapfile.h"

typedef struct fact_list {
    const char **texts;
    uint32_t num;
    char *bytes; /* of texts that belong to the row */
} fact_list;

struct tm_facts {
    const tm_allocator *allocator;
    tmi_arena arena;   /* lists and texts */
    const tm_map *map; /* NULL: there is none */
    tm_facts_file file;
    const char *name;
    char sha256[2 * TM_SHA256_SIZE + 1], crc32[9];
    tm_mapfile_counts counts;
    bool damaged_tiles; /* of a physics layer: nothing is known of tiles then */
    uint64_t damaged;   /* blocks */
    uint64_t tiles[TM_TILE_CATEGORY_COUNT], unknown_tiles, start, finish, time_checkpoints;
    bool present[TM_LAYER_KINDS * 256]; /* tiles in physics layers */
    bool used[TM_NUMBER_SECONDS][256];  /* numbers of each pool */
    uint64_t severities[TM_SEVERITY_ERROR + 1];
    fact_list image_names, image_hashes, sound_names, sound_hashes, features, properties, findings;
};

/* ------------------------------------------------------------------------------------------------ columns */

enum { FILE_COLUMNS = 7 }; /* the first ones are also known without a map */

typedef struct column {
    tm_fact_column shown;
    size_t offset; /* of what is read, in tm_facts or in a part of it */
    tm_fact (*get)(const tm_facts *facts, size_t offset);
} column;

static tm_fact fact_text(const char *text)
{
    return (tm_fact){.type = TM_FACT_TEXT, .known = text, .text = text};
}

static tm_fact fact_number(uint64_t number, bool known)
{
    return (tm_fact){.type = TM_FACT_NUMBER, .known = known, .number = known ? (int64_t)number : 0};
}

static const void *part(const tm_facts *facts, size_t offset)
{
    return (const char *)facts + offset;
}

static tm_fact text_fact(const tm_facts *facts, size_t offset)
{
    const char *text;
    memcpy(&text, part(facts, offset), sizeof(text));
    return fact_text(text);
}

static tm_fact get_digits(const tm_facts *facts, size_t offset)
{
    return fact_text(facts->file.hashes ? part(facts, offset) : NULL);
}

static tm_fact get_info(const tm_facts *facts, size_t offset)
{
    const char *text;
    memcpy(&text, (const char *)&facts->map->info + offset, sizeof(text));
    return fact_text(text);
}

static uint64_t count_at(const tm_facts *facts, size_t offset)
{
    uint64_t number;
    memcpy(&number, part(facts, offset), sizeof(number));
    return number;
}

static tm_fact get_count(const tm_facts *facts, size_t offset)
{
    return fact_number(count_at(facts, offset), true);
}

static tm_fact get_known_count(const tm_facts *facts, size_t offset)
{
    return fact_number(count_at(facts, offset), count_at(facts, offset) != 0);
}

static tm_fact get_tiles(const tm_facts *facts, size_t offset)
{
    return fact_number(count_at(facts, offset), !facts->damaged_tiles);
}

/* Of a tm_map, as the next. */
static tm_fact map_number(const tm_facts *facts, size_t offset)
{
    uint32_t number;
    memcpy(&number, (const char *)facts->map + offset, sizeof(number));
    return fact_number(number, true);
}

static tm_fact get_list(const tm_facts *facts, size_t offset)
{
    const fact_list *list = part(facts, offset);
    return (tm_fact){.type = TM_FACT_LIST, .known = true, .list = list->texts, .num = list->num};
}

static tm_fact get_properties(const tm_facts *facts, size_t offset)
{
    return facts->damaged_tiles ? (tm_fact){.type = TM_FACT_LIST} : get_list(facts, offset);
}

static tm_fact get_settings(const tm_facts *facts, size_t offset)
{
    const tm_info *info = &facts->map->info;
    (void)offset;
    return (tm_fact){.type = TM_FACT_LIST,
                     .known = true,
                     .list = (const char *const *)info->settings,
                     .num = info->num_settings};
}

static tm_fact get_game(const tm_facts *facts, size_t offset)
{
    (void)offset;
    return fact_text(tm_mapfile_get_kind(facts->map) == TM_MAPFILE_MAP ? tm_game_name(facts->map->game)
                                                                       : NULL);
}

static tm_fact get_side(const tm_facts *facts, size_t offset)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, facts->map, TM_LAYER_GAME);
    return fact_number(!game ? 0 : offset ? game->as.tiles.height : game->as.tiles.width, game);
}

static tm_fact get_pool(const tm_facts *facts, size_t pool)
{
    uint64_t num = 0;
    for (int i = 1; i < 256; i++)
        num += facts->used[pool][i];
    return fact_number(num, !facts->damaged_tiles);
}

#define AT(field) offsetof(tm_facts, field)
#define SHOWN(name, type, text)    \
    {                              \
        name, TM_FACT_##type, text \
    }
#define TEXT(name, text)   SHOWN(name, TEXT, text)
#define NUMBER(name, text) SHOWN(name, NUMBER, text)
#define LIST(name, text)   SHOWN(name, LIST, text)
#define LAYERS(kind, name) \
    {NUMBER("layers_" name, "number of layers of the kind " name), AT(counts.layers_of[kind]), get_count},
#define TILES(id, name)                                                                                   \
    {NUMBER("tiles_" name, "number of physics tiles of the category " name), AT(tiles[TM_CATEGORY_##id]), \
     get_tiles},

static const column columns[] = {
    {TEXT("path", "path of the file, as given"), AT(file.path), text_fact},
    {TEXT("name", "file name without folder and .map, as servers name the map"), AT(name), text_fact},
    {TEXT("error", "why the map could not be read; all columns except those of the file are then unknown"),
     AT(file.error), text_fact},
    {TEXT("sha256", "of the file"), AT(sha256), get_digits},
    {TEXT("crc32", "of the file"), AT(crc32), get_digits},
    {NUMBER("file_size", "bytes of the file"), AT(file.file_size), get_known_count},
    {NUMBER("file_time", "last change of the file, in seconds since 1970"), AT(file.file_time),
     get_known_count},
    {TEXT("game", "ddnet, teeworlds06 or teeworlds07; unknown for other files"), 0, get_game},
    {NUMBER("width", "of the game layer, in tiles"), 0, get_side},
    {NUMBER("height", "of the game layer, in tiles"), 1, get_side},
    {TEXT("author", "from the map"), offsetof(tm_info, author), get_info},
    {TEXT("version", "from the map"), offsetof(tm_info, version), get_info},
    {TEXT("credits", "from the map"), offsetof(tm_info, credits), get_info},
    {TEXT("license", "from the map"), offsetof(tm_info, license), get_info},
    {LIST("settings", "server commands, in order"), 0, get_settings},
    {LIST("features", "features of the format that the map uses"), AT(features), get_list},
    {NUMBER("unpacked_bytes", "of all data blocks"), AT(counts.unpacked_bytes), get_count},
    {NUMBER("groups", "number of groups"), offsetof(tm_map, num_groups), map_number},
    {NUMBER("layers", "number of layers"), AT(counts.layers), get_count},
    LAYERS(TM_LAYER_TILES, "tiles") LAYERS(TM_LAYER_GAME, "game") LAYERS(TM_LAYER_TELE, "tele")
        LAYERS(TM_LAYER_SPEEDUP, "speedup") LAYERS(TM_LAYER_FRONT, "front") LAYERS(TM_LAYER_SWITCH, "switch")
            LAYERS(TM_LAYER_TUNE, "tune") LAYERS(TM_LAYER_QUADS, "quads") LAYERS(TM_LAYER_SOUNDS, "sounds")
                LAYERS(TM_LAYER_OLD_SOUNDS, "old-sounds") LAYERS(TM_LAYER_UNKNOWN, "unknown"){
                    NUMBER("quads", "number of quads"), AT(counts.quads), get_count},
    {NUMBER("sound_sources", "number of sound sources"), AT(counts.sources), get_count},
    {NUMBER("envelopes", "number of envelopes"), offsetof(tm_map, num_envelopes), map_number},
    {NUMBER("envelope_points", "number of points of all envelopes"), AT(counts.envelope_points), get_count},
    {NUMBER("images", "number of images"), offsetof(tm_map, num_images), map_number},
    {NUMBER("images_external", "number of external images"), AT(counts.external_images), get_count},
    {LIST("image_names", "names of all images"), AT(image_names), get_list},
    {LIST("image_sha256", "of the pixels of each image; empty for external and damaged ones"),
     AT(image_hashes), get_list},
    {NUMBER("sounds", "number of sounds"), offsetof(tm_map, num_sounds), map_number},
    {LIST("sound_names", "names of all sounds"), AT(sound_names), get_list},
    {LIST("sound_sha256", "of the Opus file of each sound; empty for external and damaged ones"),
     AT(sound_hashes), get_list},
    TM_TILE_CATEGORIES(TILES){NUMBER("tiles_unknown", "number of physics tiles without meaning"),
                              AT(unknown_tiles), get_tiles},
    {NUMBER("start", "number of start tiles"), AT(start), get_tiles},
    {NUMBER("finish", "number of finish tiles"), AT(finish), get_tiles},
    {NUMBER("time_checkpoints", "number of time checkpoint tiles"), AT(time_checkpoints), get_tiles},
    {NUMBER("teleporters", "number of different teleporter numbers"), TM_NUMBER_TELE, get_pool},
    {NUMBER("tele_checkpoints", "number of different checkpoint teleporter numbers"), TM_NUMBER_CHECKPOINT,
     get_pool},
    {NUMBER("switches", "number of different switch numbers"), TM_NUMBER_SWITCH, get_pool},
    {NUMBER("tune_zones", "number of different tuning zones"), TM_NUMBER_ZONE, get_pool},
    {LIST("ddnet_properties", "properties in DDNet's map lists: DEATH, SOLO_START and so on, sorted"),
     AT(properties), get_properties},
    {NUMBER("damaged", "physics layers, images and sounds that cannot be unpacked"), AT(damaged), get_count},
    {NUMBER("errors", "findings of loading that are errors"), AT(severities[TM_SEVERITY_ERROR]), get_count},
    {NUMBER("warnings", "findings of loading that are warnings"), AT(severities[TM_SEVERITY_WARNING]),
     get_count},
    {NUMBER("notes", "findings of loading that are notes"), AT(severities[TM_SEVERITY_NOTE]), get_count},
    {LIST("findings", "ids of these findings, each once"), AT(findings), get_list},
};

const tm_fact_column *tm_facts_column(uint32_t n)
{
    return n < TMI_COUNT_OF(columns) ? &columns[n].shown : NULL;
}

tm_fact tm_facts_get(const tm_facts *facts, uint32_t n)
{
    if (!facts || n >= TMI_COUNT_OF(columns))
        return (tm_fact){.known = false};
    const column *of = &columns[n];
    if (!facts->map && n >= FILE_COLUMNS)
        return (tm_fact){.type = of->shown.type};
    return of->get(facts, of->offset);
}

/* ----------------------------------------------------------------------------------------------- counting */

static void count_categories(tm_facts *facts, tm_layer_kind kind, const tm_grid *grid)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const size_t num = grid->tiles ? (size_t)grid->width * grid->height : 0;
    uint64_t counts[256] = {0};
    const uint8_t *tile = (const uint8_t *)grid->tiles + (num ? info->index_at : 0);
    for (size_t i = 0; i < num; i++, tile += grid->tile_size)
        counts[*tile]++;
    for (int i = 0; i < 256; i++) {
        const tm_tile_info *what = tm_game_tile(facts->map->game, kind, (uint8_t)i);
        facts->present[(int)kind * 256 + i] |= counts[i] != 0;
        if (!what) {
            facts->unknown_tiles += i ? counts[i] : 0;
            continue;
        }
        facts->tiles[what->category] += counts[i];
        facts->start += strcmp(what->id, "start") == 0 ? counts[i] : 0;
        facts->finish += strcmp(what->id, "finish") == 0 ? counts[i] : 0;
        facts->time_checkpoints += strncmp(what->id, "time-checkpoint", 15) == 0 ? counts[i] : 0;
    }
}

static void mark_numbers(tm_facts *facts, tm_layer_kind kind, const tm_grid *grid)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const size_t num = grid->tiles && info->number_at >= 0 ? (size_t)grid->width * grid->height : 0;
    uint8_t pools[256];
    for (int i = 0; i < 256; i++) {
        const tm_tile_info *what = tm_game_tile(facts->map->game, kind, (uint8_t)i);
        pools[i] = what && what->number < TM_NUMBER_SECONDS ? (uint8_t)what->number : TM_NUMBER_NONE;
    }
    const uint8_t *tile = grid->tiles;
    for (size_t i = 0; i < num; i++, tile += grid->tile_size)
        facts->used[pools[tile[info->index_at]]][tile[info->number_at]] = true;
}

static tm_status read_physics(tm_facts *facts, tm_error *error)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(facts->map, &at)) {
        tmi_borrowed loan;
        tm_grid grid;
        if (!tm_game_layer(at.layer->kind)->is_physics)
            continue;
        const tm_status status = tmi_borrowed_grid(&loan, &grid, facts->map, at.layer, error);
        if (status == TM_ERROR_MEMORY || status == TM_ERROR_LIMIT)
            return status;
        if (status) {
            facts->damaged_tiles = true;
            facts->damaged++;
            continue;
        }
        count_categories(facts, at.layer->kind, &grid);
        mark_numbers(facts, at.layer->kind, &grid);
        tmi_borrowed_close(&loan);
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- lists */

static void put_hex(char *out, const uint8_t *bytes, size_t num)
{
    for (size_t i = 0; i < num; i++)
        tmi_format(out + 2 * i, 3, "%02x", bytes[i]);
}

static tm_status begin_list(tm_facts *facts, fact_list *list, uint32_t num, size_t bytes, tm_error *error)
{
    list->texts = tmi_arena_alloc(&facts->arena, (size_t)num + 1, sizeof(*list->texts));
    list->bytes = tmi_arena_alloc(&facts->arena, (size_t)num + 1, bytes + 1);
    if (!list->texts || !list->bytes)
        return tmi_fail_memory(error, num * (sizeof(*list->texts) + bytes), "the facts of a map");
    memset(list->bytes, 0, ((size_t)num + 1) * (bytes + 1));
    list->num = num;
    for (uint32_t i = 0; i < num; i++)
        list->texts[i] = list->bytes + i * bytes;
    return TM_OK;
}

enum { HASH_TEXT = 2 * TM_SHA256_SIZE + 1 };

/* `out` stays empty where there are no bytes, or broken ones. */
static tm_status hash_bytes_of(tm_facts *facts, char *out, const tm_block *block, tm_error *error)
{
    uint8_t digest[TM_SHA256_SIZE];
    tmi_borrowed loan;
    tm_sha256 sha;
    if (!block || tm_sha256_init(&sha, NULL))
        return TM_OK;
    const tm_status status = tmi_borrowed_open(&loan, facts->map, block, error);
    if (status == TM_ERROR_MEMORY || status == TM_ERROR_LIMIT)
        return status;
    if (status) {
        facts->damaged++;
        return TM_OK;
    }
    tm_sha256_update(&sha, loan.bytes, (size_t)loan.size);
    tmi_borrowed_close(&loan);
    tm_sha256_final(&sha, digest);
    put_hex(out, digest, sizeof(digest));
    return TM_OK;
}

/* Of all images, or all sounds. */
static tm_status read_names(tm_facts *facts, tm_object kind, fact_list *names, fact_list *hashes,
                            tm_error *error)
{
    tm_address at = {tmi_address_kind_of(kind), 0, 0};
    const uint32_t num = tmi_num_objects(facts->map, kind);
    TM_TRY(begin_list(facts, names, num, 0, error));
    TM_TRY(begin_list(facts, hashes, num, HASH_TEXT, error));
    for (; at.index < num; at.index++) {
        const char *name = tmi_object_name(facts->map, &at);
        const tm_image *image =
            tm_map_image(facts->map, kind == TM_OBJECT_IMAGE ? (int32_t)at.index : TM_NONE);
        const tm_sound *sound =
            tm_map_sound(facts->map, kind == TM_OBJECT_SOUND ? (int32_t)at.index : TM_NONE);
        const bool external = image ? image->external : sound->external;
        names->texts[at.index] = name ? name : "";
        TM_TRY(hash_bytes_of(facts, hashes->bytes + (size_t)at.index * HASH_TEXT,
                             external ? NULL
                             : image  ? image->pixels
                                      : sound->data,
                             error));
    }
    return TM_OK;
}

static tm_status read_features(tm_facts *facts, tm_error *error)
{
    const uint64_t used = tm_mapfile_features(facts->map);
    uint32_t num = 0;
    TM_TRY(begin_list(facts, &facts->features, TM_FEATURE_COUNT, 0, error));
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (used >> f & 1)
            facts->features.texts[num++] = tm_feature_name((tm_feature)f);
    facts->features.num = num;
    return TM_OK;
}

static tm_status read_properties(tm_facts *facts, tm_error *error)
{
    uint32_t num = 0, has_num = 0;
    bool has;
    while (tmi_game_ddnet_property(num, facts->present, &has))
        num++;
    TM_TRY(begin_list(facts, &facts->properties, num, 0, error));
    for (uint32_t i = 0; i < num; i++) {
        const char *name = tmi_game_ddnet_property(i, facts->present, &has);
        if (has)
            facts->properties.texts[has_num++] = name;
    }
    facts->properties.num = has_num;
    return TM_OK;
}

static tm_status read_findings(tm_facts *facts, const tm_findings *findings, tm_error *error)
{
    const size_t num = findings ? findings->num : 0;
    uint32_t ids = 0;
    TM_TRY(begin_list(facts, &facts->findings, (uint32_t)num, 0, error));
    for (size_t i = 0; i < num; i++) {
        const char *name = tm_finding_name(findings->list[i].id);
        uint32_t known = 0;
        facts->severities[findings->list[i].severity]++;
        while (known < ids && facts->findings.texts[known] != name)
            known++;
        facts->findings.texts[known] = name;
        ids += known == ids;
    }
    facts->findings.num = ids;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- making it */

static tm_status name_file(tm_facts *facts, tm_error *error)
{
    const char *path = facts->file.path;
    const char *base = path && strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (facts->file.hashes) {
        put_hex(facts->sha256, facts->file.hashes->sha256, TM_SHA256_SIZE);
        tmi_format(facts->crc32, sizeof(facts->crc32), "%08x", (unsigned)facts->file.hashes->crc32);
    }
    if (!base)
        return TM_OK;
    size_t size = strlen(base);
    size -= size > 4 && strcmp(base + size - 4, ".map") == 0 ? 4 : 0;
    return tmi_arena_text(&facts->name, &facts->arena, base, size, "the facts of a map", error);
}

static tm_status read_map(tm_facts *facts, const tm_findings *findings, tm_error *error)
{
    tm_mapfile_count(&facts->counts, facts->map);
    TM_TRY(read_physics(facts, error));
    TM_TRY(read_properties(facts, error));
    TM_TRY(read_names(facts, TM_OBJECT_IMAGE, &facts->image_names, &facts->image_hashes, error));
    TM_TRY(read_names(facts, TM_OBJECT_SOUND, &facts->sound_names, &facts->sound_hashes, error));
    TM_TRY(read_features(facts, error));
    return read_findings(facts, findings, error);
}

tm_status tm_facts_make(tm_facts **out, const tm_map *map, const tm_findings *findings,
                        const tm_facts_file *file, const tm_allocator *allocator, tm_error *error)
{
    tm_facts_file taken = {0};
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_options_take(&taken, sizeof(taken), file, "tm_facts_file", error));
    tm_facts *facts;
    TM_TRY(tmi_reserve_zeroed(&facts, allocator, 1, sizeof(*facts), "the facts of a map", error));
    facts->allocator = allocator;
    tmi_arena_init(&facts->arena, allocator);
    facts->map = map;
    facts->file = taken;
    tm_status status = name_file(facts, error);
    if (!status && map)
        status = read_map(facts, findings, error);
    if (status) {
        tm_facts_free(facts);
        return status;
    }
    *out = facts;
    return TM_OK;
}

void tm_facts_free(tm_facts *facts)
{
    if (!facts)
        return;
    tmi_arena_release(&facts->arena);
    tmi_free(facts->allocator, facts, 1, sizeof(*facts));
}
