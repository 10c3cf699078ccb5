/* SPDX-License-Identifier: Zlib */
/*
 * Looking up tiles in the table of tile_rows.h. The rows stand in one array, list after list; for each list a
 * table of 256 bytes leads from an index to its row.
 */
#include "games.h"

#include "tile_rows.h"

/* The rows, by the list and the index that they belong to. */
enum {
#define GAME_ROW(index, ...)    ROW_GAME_##index,
#define SWITCH_ROW(index, ...)  ROW_SWITCH_##index,
#define TELE_ROW(index, ...)    ROW_TELE_##index,
#define SPEEDUP_ROW(index, ...) ROW_SPEEDUP_##index,
#define TUNE_ROW(index, ...)    ROW_TUNE_##index,
    /* clang-format off */
    TMI_GAME_TILES(GAME_ROW)
    TMI_SWITCH_TILES(SWITCH_ROW)
    TMI_TELE_TILES(TELE_ROW)
    TMI_SPEEDUP_TILES(SPEEDUP_ROW)
    TMI_TUNE_TILES(TUNE_ROW)
    /* clang-format on */
    NUM_ROWS
};

/* The words of the table. */
#define LAYERS_G    [TM_LAYER_GAME] = true
#define LAYERS_GF   [TM_LAYER_GAME] = true, [TM_LAYER_FRONT] = true
#define LAYERS_GFS  [TM_LAYER_GAME] = true, [TM_LAYER_FRONT] = true, [TM_LAYER_SWITCH] = true
#define LAYERS_FS   [TM_LAYER_FRONT] = true, [TM_LAYER_SWITCH] = true
#define LAYERS_S    [TM_LAYER_SWITCH] = true
#define LAYERS_T    [TM_LAYER_TELE] = true
#define LAYERS_P    [TM_LAYER_SPEEDUP] = true
#define LAYERS_U    [TM_LAYER_TUNE] = true
#define GAMES_ALL   true, true, true
#define GAMES_DDNET true, false, false
#define FLAGS_YES   true
#define FLAGS_NO    false

#define RULE(index_, id_, layers_, number_, delay_, flags_, turn_, category_, games_, since_, title_) \
    {.index = (index_),                                                                               \
     .id = (id_),                                                                                     \
     .title = (title_),                                                                               \
     .category = TM_CATEGORY_##category_,                                                             \
     .layers = {LAYERS_##layers_},                                                                    \
     .games = {GAMES_##games_},                                                                       \
     .number = TM_NUMBER_##number_,                                                                   \
     .delay = TM_DELAY_##delay_,                                                                      \
     .keeps_flags = FLAGS_##flags_,                                                                   \
     .turn = TM_TURN_##turn_,                                                                         \
     .first_version = (since_)},

static const tm_tile_info tiles[NUM_ROWS] = {
    /* clang-format off */
    TMI_GAME_TILES(RULE)
    TMI_SWITCH_TILES(RULE)
    TMI_TELE_TILES(RULE)
    TMI_SPEEDUP_TILES(RULE)
    TMI_TUNE_TILES(RULE)
    /* clang-format on */
};

/* Row + 1 of an index; 0: none. */
#define GAME_AT(index, ...)    [index] = ROW_GAME_##index + 1,
#define SWITCH_AT(index, ...)  [index] = ROW_SWITCH_##index + 1,
#define TELE_AT(index, ...)    [index] = ROW_TELE_##index + 1,
#define SPEEDUP_AT(index, ...) [index] = ROW_SPEEDUP_##index + 1,
#define TUNE_AT(index, ...)    [index] = ROW_TUNE_##index + 1,

static const uint8_t game_rows[TM_TILE_INDICES] = {TMI_GAME_TILES(GAME_AT)};
static const uint8_t switch_rows[TM_TILE_INDICES] = {TMI_SWITCH_TILES(SWITCH_AT)};
static const uint8_t tele_rows[TM_TILE_INDICES] = {TMI_TELE_TILES(TELE_AT)};
static const uint8_t speedup_rows[TM_TILE_INDICES] = {TMI_SPEEDUP_TILES(SPEEDUP_AT)};
static const uint8_t tune_rows[TM_TILE_INDICES] = {TMI_TUNE_TILES(TUNE_AT)};

/* Where a kind of layer looks: its own tiles, then those that it shares. */
static const struct {
    const uint8_t *special, *shared;
} lists[TM_LAYER_KINDS] = {
    [TM_LAYER_GAME] = {game_rows, NULL},          [TM_LAYER_FRONT] = {game_rows, NULL},
    [TM_LAYER_SWITCH] = {switch_rows, game_rows}, [TM_LAYER_TELE] = {tele_rows, NULL},
    [TM_LAYER_SPEEDUP] = {speedup_rows, NULL},    [TM_LAYER_TUNE] = {tune_rows, NULL},
};

const tm_tile_info *tmi_tile_in(tm_layer_kind kind, uint8_t index)
{
    uint8_t row = 0;
    if ((size_t)kind >= TM_LAYER_KINDS)
        return NULL;
    if (lists[kind].special)
        row = lists[kind].special[index];
    if (!row && lists[kind].shared)
        row = lists[kind].shared[index];
    return row ? &tiles[row - 1] : NULL;
}

const tm_tile_info *tm_game_tile(tm_game game, tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *tile = tmi_tile_in(kind, index);
    const bool known = tile && (size_t)game < TM_GAME_COUNT && tile->games[game] && tile->layers[kind] &&
                       tm_game_layer(kind)->games[game];
    return known ? tile : NULL;
}

const tm_tile_info *tm_game_tile_by_id(const char *id)
{
    for (size_t i = 0; id && i < NUM_ROWS; i++)
        if (strcmp(tiles[i].id, id) == 0)
            return &tiles[i];
    return NULL;
}

const tm_tile_info *tm_game_tile_at(uint32_t n)
{
    return n < NUM_ROWS ? &tiles[n] : NULL;
}

const char *tm_tile_category_name(tm_tile_category category)
{
    static const char *const names[] = {
#define NAME(id, name) name,
        TM_TILE_CATEGORIES(NAME)
#undef NAME
    };
    return (size_t)category < TMI_COUNT_OF(names) ? names[category] : NULL;
}

tm_tile_number tmi_tile_pool(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *info = tm_game_tile(TM_GAME_DDNET, kind, index);
    return info && tm_game_layer(kind)->number_at != TM_NONE ? info->number : TM_NUMBER_NONE;
}

const char *tm_number_pool_name(tm_tile_number pool)
{
    switch (pool) {
    case TM_NUMBER_TELE: return "tele";
    case TM_NUMBER_CHECKPOINT: return "checkpoint";
    case TM_NUMBER_SWITCH: return "switch";
    case TM_NUMBER_ZONE: return "tune";
    case TM_NUMBER_NONE:
    case TM_NUMBER_SECONDS: break;
    }
    return NULL;
}

bool tmi_tile_zero_padding(tm_layer_kind kind, uint8_t *tile)
{
    size_t first, second;
    if (kind == TM_LAYER_SPEEDUP) {
        first = second = offsetof(tm_speedup_tile, pad);
    } else if (kind == TM_LAYER_TILES || kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT) {
        first = offsetof(tm_tile, skip);
        second = offsetof(tm_tile, reserved);
    } else {
        return false;
    }
    const bool any = tile[first] || tile[second];
    tile[first] = tile[second] = 0;
    return any;
}
