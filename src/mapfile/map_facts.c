/* SPDX-License-Identifier: Zlib */
/*
 * map_facts.c - a map as a row of flat columns (teemap/facts.h): everything is counted once, when the row is
 * made, and a table says which member each column shows.
 */
#include <teemap/codec.h>
#include <teemap/facts.h>

#include "mapfile.h"

typedef struct fact_list {
    const char **texts;
    uint32_t num;
} fact_list;

struct tm_facts {
    const tm_allocator *allocator;
    tmi_arena arena;   /* lists and texts */
    const tm_map *map; /* NULL: there is none */
    tm_facts_file file;
    char sha256_digits[2 * TM_SHA256_SIZE + 1], crc32_digits[9];
    const char *name, *sha256, *crc32, *game;
    tm_info info;
    tm_mapfile_counts counts;
    uint64_t groups, envelopes, images, sounds;
    const tm_layer *game_layer; /* NULL: there is none */
    uint64_t width, height;
    bool damaged_tiles; /* of a physics layer: nothing is known of tiles then */
    const tm_mod *mod;  /* NULL: none */
    const char *mod_name;
    uint64_t damaged; /* blocks */
    uint64_t tiles[TM_TILE_CATEGORY_COUNT], unknown_tiles, start, finish, time_checkpoints;
    uint64_t numbers[TM_NUMBER_SECONDS]; /* different ones of each pool */
    bool present[TM_LAYER_KINDS * 256];  /* tiles in physics layers */
    bool used[TM_NUMBER_SECONDS][256];   /* numbers of each pool */
    uint64_t severities[TM_SEVERITY_ERROR + 1];
    fact_list settings, image_names, image_hashes, sound_names, sound_hashes, features, properties, findings;
};

/* ------------------------------------------------------------------------------------------------ columns */

enum { FILE_COLUMNS = 7 }; /* the first ones are also known without a map */

/* What has to be for a number or a list to be known; a text is if it is there. */
typedef enum known_if { ALWAYS, NOT_ZERO, GAME_LAYER, WHOLE_TILES } known_if;

typedef struct column {
    tm_fact_column shown;
    size_t offset; /* in tm_facts, of a const char *, a uint64_t or a fact_list */
    known_if known;
} column;

/* clang-format off */

#define COLUMN(type, known, name, member, text) \
    {{name, TM_FACT_##type, text}, offsetof(tm_facts, member), known},
#define TEXT(...)         COLUMN(TEXT, ALWAYS, __VA_ARGS__)
#define LIST(...)         COLUMN(LIST, ALWAYS, __VA_ARGS__)
#define TILE_LIST(...)    COLUMN(LIST, WHOLE_TILES, __VA_ARGS__)
#define NUMBER(...)       COLUMN(NUMBER, ALWAYS, __VA_ARGS__)
#define KNOWN_NUMBER(...) COLUMN(NUMBER, NOT_ZERO, __VA_ARGS__)
#define TILE_NUMBER(...)  COLUMN(NUMBER, WHOLE_TILES, __VA_ARGS__)
#define SIDE(...)         COLUMN(NUMBER, GAME_LAYER, __VA_ARGS__)
#define LAYERS(kind, name) NUMBER("layers_" name, counts.layers_of[kind], "number of layers of the kind " name)
#define TILES(id, name) \
    TILE_NUMBER("tiles_" name, tiles[TM_CATEGORY_##id], "number of physics tiles of the category " name)

static const column columns[] = {
    TEXT("path", file.path, "path of the file, as given")
    TEXT("name", name, "file name without folder and .map, as servers name the map")
    TEXT("error", file.error,
         "why the map could not be read; all columns except those of the file are then unknown")
    TEXT("sha256", sha256, "of the file")
    TEXT("crc32", crc32, "of the file")
    KNOWN_NUMBER("file_size", file.file_size, "bytes of the file")
    KNOWN_NUMBER("file_time", file.file_time, "last change of the file, in seconds since 1970")
    TEXT("game", game, "ddnet, teeworlds06 or teeworlds07; unknown for other files")
    TEXT("mod", mod_name, "the mod for which the map seems to be made (docs/mods.md); unknown for other maps")
    SIDE("width", width, "of the game layer, in tiles")
    SIDE("height", height, "of the game layer, in tiles")
    TEXT("author", info.author, "from the map")
    TEXT("version", info.version, "from the map")
    TEXT("credits", info.credits, "from the map")
    TEXT("license", info.license, "from the map")
    LIST("settings", settings, "server commands, in order")
    LIST("features", features, "features of the format that the map uses")
    NUMBER("unpacked_bytes", counts.unpacked_bytes, "of all data blocks")
    NUMBER("groups", groups, "number of groups")
    NUMBER("layers", counts.layers, "number of layers")
    LAYERS(TM_LAYER_TILES, "tiles") LAYERS(TM_LAYER_GAME, "game") LAYERS(TM_LAYER_TELE, "tele")
    LAYERS(TM_LAYER_SPEEDUP, "speedup") LAYERS(TM_LAYER_FRONT, "front") LAYERS(TM_LAYER_SWITCH, "switch")
    LAYERS(TM_LAYER_TUNE, "tune") LAYERS(TM_LAYER_QUADS, "quads") LAYERS(TM_LAYER_SOUNDS, "sounds")
    LAYERS(TM_LAYER_OLD_SOUNDS, "old-sounds") LAYERS(TM_LAYER_UNKNOWN, "unknown")
    NUMBER("quads", counts.quads, "number of quads")
    NUMBER("sound_sources", counts.sources, "number of sound sources")
    NUMBER("envelopes", envelopes, "number of envelopes")
    NUMBER("envelope_points", counts.envelope_points, "number of points of all envelopes")
    NUMBER("images", images, "number of images")
    NUMBER("images_external", counts.external_images, "number of external images")
    LIST("image_names", image_names, "names of all images")
    LIST("image_sha256", image_hashes, "of the pixels of each image; empty for external and damaged ones")
    NUMBER("sounds", sounds, "number of sounds")
    LIST("sound_names", sound_names, "names of all sounds")
    LIST("sound_sha256", sound_hashes, "of the Opus file of each sound; empty for external and damaged ones")
    TM_TILE_CATEGORIES(TILES)
    TILE_NUMBER("tiles_unknown", unknown_tiles, "number of physics tiles without meaning")
    TILE_NUMBER("start", start, "number of start tiles")
    TILE_NUMBER("finish", finish, "number of finish tiles")
    TILE_NUMBER("time_checkpoints", time_checkpoints, "number of time checkpoint tiles")
    TILE_NUMBER("teleporters", numbers[TM_NUMBER_TELE], "number of different teleporter numbers")
    TILE_NUMBER("tele_checkpoints", numbers[TM_NUMBER_CHECKPOINT],
                "number of different checkpoint teleporter numbers")
    TILE_NUMBER("switches", numbers[TM_NUMBER_SWITCH], "number of different switch numbers")
    TILE_NUMBER("tune_zones", numbers[TM_NUMBER_ZONE], "number of different tuning zones")
    TILE_LIST("ddnet_properties", properties,
              "properties in DDNet's map lists: DEATH, SOLO_START and so on, sorted")
    NUMBER("damaged", damaged, "physics layers, images and sounds that cannot be unpacked")
    NUMBER("errors", severities[TM_SEVERITY_ERROR], "findings of loading that are errors")
    NUMBER("warnings", severities[TM_SEVERITY_WARNING], "findings of loading that are warnings")
    NUMBER("notes", severities[TM_SEVERITY_NOTE], "findings of loading that are notes")
    LIST("findings", findings, "ids of these findings, each once")
};

/* clang-format on */

const tm_fact_column *tm_facts_column(uint32_t n)
{
    return n < TMI_COUNT_OF(columns) ? &columns[n].shown : NULL;
}

tm_fact tm_facts_get(const tm_facts *facts, uint32_t n)
{
    if (!facts || n >= TMI_COUNT_OF(columns))
        return (tm_fact){.known = false};
    const column *column_row = &columns[n];
    const void *place = (const char *)facts + column_row->offset;
    const fact_list *list = place;
    tm_fact fact = {.type = column_row->shown.type};
    if ((!facts->map && n >= FILE_COLUMNS) || (column_row->known == WHOLE_TILES && facts->damaged_tiles) ||
        (column_row->known == GAME_LAYER && !facts->game_layer) ||
        (column_row->known == NOT_ZERO && !*(const uint64_t *)place))
        return fact;
    fact.known = true;
    switch (fact.type) {
    case TM_FACT_TEXT:
        fact.text = *(const char *const *)place;
        fact.known = fact.text;
        break;
    case TM_FACT_NUMBER: fact.number = (int64_t) * (const uint64_t *)place; break;
    case TM_FACT_LIST:
        fact.list = list->texts;
        fact.num = list->num;
        break;
    }
    return fact;
}

/* ----------------------------------------------------------------------------------------------- counting */

/* What was found in the tiles of one layer. */
typedef struct tile_counts {
    bool damaged;      /* they cannot be unpacked */
    uint64_t num[256]; /* by index */
} tile_counts;

/* Adds tiles that have been counted to the sums. */
static void add_tiles(tm_facts *facts, tm_layer_kind kind, const uint64_t counts[256])
{
    for (int i = 0; i < 256; i++) {
        const tm_tile_info *tile = tm_mod_tile(facts->mod, facts->map->game, kind, (uint8_t)i);
        facts->present[(int)kind * 256 + i] |= counts[i] != 0;
        if (!tile) {
            facts->unknown_tiles += i ? counts[i] : 0;
            continue;
        }
        facts->tiles[tile->category] += counts[i];
        facts->start += strcmp(tile->id, "start") == 0 ? counts[i] : 0;
        facts->finish += strcmp(tile->id, "finish") == 0 ? counts[i] : 0;
        facts->time_checkpoints += strncmp(tile->id, "time-checkpoint", 15) == 0 ? counts[i] : 0;
    }
}

static void count_tiles(tm_facts *facts, tile_counts *counts, tm_layer_kind kind, const tm_grid *grid)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const size_t num = grid->tiles ? (size_t)grid->width * grid->height : 0;
    uint8_t pools[256];
    const uint8_t *tile = grid->tiles;
    for (size_t i = 0; i < num; i++, tile += grid->tile_size)
        counts->num[tile[info->index_at]]++;
    for (int i = 0; i < 256; i++) {
        const tm_tile_info *meaning = tm_mod_tile(facts->mod, facts->map->game, kind, (uint8_t)i);
        pools[i] = meaning && meaning->number < TM_NUMBER_SECONDS ? (uint8_t)meaning->number : TM_NUMBER_NONE;
    }
    tile = grid->tiles;
    for (size_t i = 0; info->number_at >= 0 && i < num; i++, tile += grid->tile_size)
        facts->used[pools[tile[info->index_at]]][tile[info->number_at]] = true;
}

static tm_status look_at_tiles(tm_facts *facts, tile_counts *counts, const tm_layer *layer, tm_error *error)
{
    tmi_borrowed loan;
    tm_grid grid;
    const tm_status status = tmi_borrowed_grid(&loan, &grid, facts->map, layer, error);
    if (status == TM_ERROR_MEMORY || status == TM_ERROR_LIMIT)
        return status;
    *counts = (tile_counts){.damaged = status != TM_OK};
    if (status)
        return TM_OK;
    count_tiles(facts, counts, layer->kind, &grid);
    tmi_borrowed_close(&loan);
    return TM_OK;
}

static tm_status read_physics(tm_facts *facts, tm_error *error)
{
    tm_layer_walk walk = {0};
    tmi_seen_layers seen = {{NULL}, 0};
    tile_counts counts[TMI_SEEN_LAYERS]; /* of those */
    while (tm_map_next_layer(facts->map, &walk)) {
        size_t place;
        if (!tm_game_layer(walk.layer->kind)->is_physics)
            continue;
        if (!tmi_layer_was_seen(&place, &seen, walk.layer))
            TM_TRY(look_at_tiles(facts, &counts[place], walk.layer, error));
        facts->damaged_tiles = facts->damaged_tiles || counts[place].damaged;
        facts->damaged += counts[place].damaged;
        add_tiles(facts, walk.layer->kind, counts[place].num);
    }
    for (int pool = 0; pool < TM_NUMBER_SECONDS; pool++)
        for (int i = 1; i < 256; i++)
            facts->numbers[pool] += facts->used[pool][i];
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- lists */

static void put_hex(char *out, const uint8_t *bytes, size_t num)
{
    for (size_t i = 0; i < num; i++)
        tmi_format(out + 2 * i, 3, "%02x", bytes[i]);
}

/* A list with room for `num` texts. */
static tm_status begin_list(tm_facts *facts, fact_list *list, uint32_t num, tm_error *error)
{
    return tmi_arena_reserve(&list->texts, &facts->arena, num, sizeof(*list->texts), "the facts of a map",
                             error);
}

/*
 * Adds the hash of a block to a list; "" where there are no bytes, or broken ones. `last`: the block that was
 * hashed last, NULL at first; a small file can have thousands of objects with the same data.
 */
static tm_status add_hash(tm_facts *facts, fact_list *list, const tm_block **last, const tm_block *block,
                          tm_error *error)
{
    const char **out = &list->texts[list->num++];
    uint8_t digest[TM_SHA256_SIZE];
    char text[2 * TM_SHA256_SIZE + 1];
    tmi_borrowed loan;
    tm_sha256 sha;
    *out = "";
    if (tmi_block_same_data(*last, block)) {
        *out = list->texts[list->num - 2];
        return TM_OK;
    }
    *last = NULL;
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
    put_hex(text, digest, sizeof(digest));
    *last = block;
    return tmi_arena_text(out, &facts->arena, text, sizeof(text) - 1, "the facts of a map", error);
}

static tm_status read_names(tm_facts *facts, tm_error *error)
{
    const tm_map *map = facts->map;
    const tm_block *last = NULL;
    TM_TRY(begin_list(facts, &facts->image_names, map->num_images, error));
    TM_TRY(begin_list(facts, &facts->image_hashes, map->num_images, error));
    TM_TRY(begin_list(facts, &facts->sound_names, map->num_sounds, error));
    TM_TRY(begin_list(facts, &facts->sound_hashes, map->num_sounds, error));
    for (uint32_t i = 0; i < map->num_images; i++) {
        const tm_image *image = &map->images[i];
        facts->image_names.texts[facts->image_names.num++] = image->name ? image->name : "";
        TM_TRY(add_hash(facts, &facts->image_hashes, &last, image->external ? NULL : image->pixels, error));
    }
    last = NULL;
    for (uint32_t i = 0; i < map->num_sounds; i++) {
        const tm_sound *sound = &map->sounds[i];
        facts->sound_names.texts[facts->sound_names.num++] = sound->name ? sound->name : "";
        TM_TRY(add_hash(facts, &facts->sound_hashes, &last, sound->external ? NULL : sound->data, error));
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- making it */

static tm_status read_map(tm_facts *facts, const tm_findings *findings, tm_error *error)
{
    const tm_map *map = facts->map;
    const size_t num_findings = findings ? findings->num : 0;
    bool has;
    facts->info = map->info;
    facts->settings = (fact_list){map->info.settings, map->info.num_settings};
    facts->game = tm_mapfile_get_kind(map) == TM_MAPFILE_MAP ? tm_game_name(map->game) : NULL;
    facts->groups = map->num_groups;
    facts->envelopes = map->num_envelopes;
    facts->images = map->num_images;
    facts->sounds = map->num_sounds;
    TM_TRY(tm_map_find_mod(&facts->mod, NULL, 0, map, error));
    facts->mod_name = facts->mod ? facts->mod->name : NULL;
    facts->game_layer = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    facts->width = facts->game_layer ? facts->game_layer->as.tiles.width : 0;
    facts->height = facts->game_layer ? facts->game_layer->as.tiles.height : 0;
    tm_mapfile_count(&facts->counts, map);
    TM_TRY(read_physics(facts, error));
    uint32_t num_properties = 0;
    while (tmi_game_ddnet_property(num_properties, facts->present, &has))
        num_properties++;
    TM_TRY(begin_list(facts, &facts->properties, num_properties, error));
    for (uint32_t i = 0; i < num_properties; i++) {
        const char *name = tmi_game_ddnet_property(i, facts->present, &has);
        if (has)
            facts->properties.texts[facts->properties.num++] = name;
    }
    TM_TRY(read_names(facts, error));
    const uint64_t used = tm_mapfile_features(map);
    TM_TRY(begin_list(facts, &facts->features, TM_FEATURE_COUNT, error));
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (used >> f & 1)
            facts->features.texts[facts->features.num++] = tm_feature_name((tm_feature)f);
    TM_TRY(begin_list(facts, &facts->findings, (uint32_t)num_findings, error));
    for (size_t i = 0; i < num_findings; i++) {
        const char *name = tm_finding_name(findings->list[i].id);
        uint32_t known = 0;
        facts->severities[findings->list[i].severity]++;
        while (known < facts->findings.num && facts->findings.texts[known] != name)
            known++;
        if (known == facts->findings.num)
            facts->findings.texts[facts->findings.num++] = name;
    }
    return TM_OK;
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
    if (taken.hashes) {
        facts->sha256 = facts->sha256_digits;
        facts->crc32 = facts->crc32_digits;
        put_hex(facts->sha256_digits, taken.hashes->sha256, TM_SHA256_SIZE);
        tmi_format(facts->crc32_digits, sizeof(facts->crc32_digits), "%08x", (unsigned)taken.hashes->crc32);
    }
    const char *base = taken.path && strrchr(taken.path, '/') ? strrchr(taken.path, '/') + 1 : taken.path;
    size_t size = base ? strlen(base) : 0;
    size -= size > 4 && strcmp(base + size - 4, ".map") == 0 ? 4 : 0;
    tm_status status =
        base ? tmi_arena_text(&facts->name, &facts->arena, base, size, "the facts of a map", error) : TM_OK;
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
