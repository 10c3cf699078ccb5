/* SPDX-License-Identifier: Zlib */
/*
 * The constant tables of the games: their names, the item types of the format with their UUIDs (format
 * section 1.12), and what there is to know about each kind of layer (sections 2.7 to 2.10). Data and look-ups
 * only; this file must not know what a map or a file is.
 */
#include "games.h"

/* -------------------------------------------------------------------------------------------------- games */

/* The first name of a game is the one to print; the others are what people write, too. */
static const struct {
    const char *name;
    tm_game game;
} game_names[] = {
    {"ddnet", TM_GAME_DDNET},     {"teeworlds06", TM_GAME_TEEWORLDS06}, {"teeworlds07", TM_GAME_TEEWORLDS07},
    {"0.6", TM_GAME_TEEWORLDS06}, {"0.7", TM_GAME_TEEWORLDS07},
};

const char *tm_game_name(tm_game game)
{
    for (size_t i = 0; i < TMI_COUNT_OF(game_names); i++)
        if (game_names[i].game == game)
            return game_names[i].name;
    return NULL;
}

bool tm_game_from_name(tm_game *out, const char *name)
{
    if (!out)
        return false;
    *out = TM_GAME_DDNET;
    for (size_t i = 0; name && i < TMI_COUNT_OF(game_names); i++) {
        if (strcmp(game_names[i].name, name) == 0) {
            *out = game_names[i].game;
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------------------------------------- items */

/*
 * A UUID is the version 3 hash (MD5) of its name in the namespace e05ddaaa-c4e6-4cfb-b642-5d48e80c0029. The
 * four are constants here: nothing else in the library needs MD5.
 */
static const struct {
    const char *name;
    tm_uuid uuid;
} uuids[TM_UUID_COUNT] = {
    [TM_UUID_AUTOMAPPER] = {"mapitemtype-automapper-config@ddnet.tw",
                            {{0x3e, 0x1b, 0x27, 0x16, 0x17, 0x8c, 0x39, 0x78, 0x9b, 0xd9, 0xb1, 0x1a, 0xe0,
                              0x41, 0x0d, 0xd8}}},
    [TM_UUID_BEZIER] = {"mapitemtype-envpoints-bezier@ddnet.tw",
                        {{0x3a, 0xb4, 0xf8, 0x4d, 0xd9, 0xcc, 0x3c, 0x78, 0xb5, 0x85, 0x0d, 0x6c, 0xcd, 0xb2,
                          0xe2, 0x5c}}},
    [TM_UUID_GROUP_EX] = {"mapitemtype-group@ddnet.tw",
                          {{0x4a, 0x26, 0xca, 0x1f, 0x64, 0xbd, 0x30, 0xe3, 0x90, 0x7a, 0x70, 0x7e, 0xac,
                            0xd1, 0xf0, 0x80}}},
    [TM_UUID_TEST] = {"mapitemtype-test@ddnet.tw",
                      {{0xb1, 0xab, 0x21, 0x86, 0x5a, 0xc3, 0x39, 0xd9, 0x9f, 0xbc, 0x47, 0xcf, 0x03, 0xef,
                        0xdf, 0x1e}}},
};

const tm_uuid *tmi_game_uuid(tm_uuid_item item)
{
    return (size_t)item < TMI_COUNT_OF(uuids) ? &uuids[item].uuid : NULL;
}

const char *tm_game_uuid_name(const tm_uuid *uuid)
{
    for (size_t i = 0; uuid && i < TMI_COUNT_OF(uuids); i++)
        if (memcmp(uuids[i].uuid.bytes, uuid->bytes, sizeof(uuid->bytes)) == 0)
            return uuids[i].name;
    return NULL;
}

const char *tm_game_item_name(uint16_t type)
{
    static const char *const names[] = {
        [TM_ITEM_VERSION] = "version",
        [TM_ITEM_INFO] = "info",
        [TM_ITEM_IMAGE] = "image",
        [TM_ITEM_ENVELOPE] = "envelope",
        [TM_ITEM_GROUP] = "group",
        [TM_ITEM_LAYER] = "layer",
        [TM_ITEM_ENVELOPE_POINTS] = "envelope-points",
        [TM_ITEM_SOUND] = "sound",
    };
    return type < TMI_COUNT_OF(names) ? names[type] : NULL;
}

/* ------------------------------------------------------------------------------------------------- layers */

/*
 * Sizes of an element in bytes. Quads and sources stand in files as so many integers (sections 2.9 and 2.10).
 */
enum {
    TILE = sizeof(tm_tile),
    TELE = sizeof(tm_tele_tile),
    SPEEDUP = sizeof(tm_speedup_tile),
    SWITCH = sizeof(tm_switch_tile),
    TUNE = sizeof(tm_tune_tile),
    QUAD = 38 * 4,
    SOURCE = 13 * 4,
    OLD_SOURCE = 9 * 4
};

/* clang-format off */

/* Which games have the kind. */
#define ALL   {true, true, true}
#define DDNET {true, false, false}
#define NO    {false, false, false}

/* Where index, number, flags, delay and angle stand in a tile. */
#define NONE       TM_NONE, TM_NONE, TM_NONE, TM_NONE, TM_NONE
#define IN_TILE    offsetof(tm_tile, index), TM_NONE, offsetof(tm_tile, flags), TM_NONE, TM_NONE
#define IN_TELE    offsetof(tm_tele_tile, type), offsetof(tm_tele_tile, number), TM_NONE, TM_NONE, TM_NONE
#define IN_SPEEDUP offsetof(tm_speedup_tile, type), TM_NONE, TM_NONE, TM_NONE, offsetof(tm_speedup_tile, angle)
#define IN_SWITCH  offsetof(tm_switch_tile, type), offsetof(tm_switch_tile, number), offsetof(tm_switch_tile, flags), \
                   offsetof(tm_switch_tile, delay), TM_NONE
#define IN_TUNE    offsetof(tm_tune_tile, type), offsetof(tm_tune_tile, number), TM_NONE, TM_NONE, TM_NONE

#define TYPE(kind) TM_LAYER_TYPE_##kind

static const tm_layer_info layers[TM_LAYER_KINDS] = {
    /*                      name          title      element     flags type              tiles  physics games  bytes */
    [TM_LAYER_TILES] =      {"tiles",      "Tiles",   TILE,       0,  TYPE(TILES),      true,  false,  ALL,   IN_TILE},
    [TM_LAYER_GAME] =       {"game",       "Game",    TILE,       1,  TYPE(TILES),      true,  true,   ALL,   IN_TILE},
    [TM_LAYER_TELE] =       {"tele",       "Tele",    TELE,       2,  TYPE(TILES),      true,  true,   DDNET, IN_TELE},
    [TM_LAYER_SPEEDUP] =    {"speedup",    "Speedup", SPEEDUP,    4,  TYPE(TILES),      true,  true,   DDNET, IN_SPEEDUP},
    [TM_LAYER_FRONT] =      {"front",      "Front",   TILE,       8,  TYPE(TILES),      true,  true,   DDNET, IN_TILE},
    [TM_LAYER_SWITCH] =     {"switch",     "Switch",  SWITCH,     16, TYPE(TILES),      true,  true,   DDNET, IN_SWITCH},
    [TM_LAYER_TUNE] =       {"tune",       "Tune",    TUNE,       32, TYPE(TILES),      true,  true,   DDNET, IN_TUNE},
    [TM_LAYER_QUADS] =      {"quads",      "Quads",   QUAD,       0,  TYPE(QUADS),      false, false,  ALL,   NONE},
    [TM_LAYER_SOUNDS] =     {"sounds",     "",        SOURCE,     0,  TYPE(SOUNDS),     false, false,  DDNET, NONE},
    [TM_LAYER_OLD_SOUNDS] = {"old-sounds", "",        OLD_SOURCE, 0,  TYPE(OLD_SOUNDS), false, false,  DDNET, NONE},
    [TM_LAYER_UNKNOWN] =    {"unknown",    "",        0,          0,  0,                false, false,  NO,    NONE},
};

/* clang-format on */

const tm_layer_info *tm_game_layer(tm_layer_kind kind)
{
    return &layers[(size_t)kind < TMI_COUNT_OF(layers) ? kind : TM_LAYER_UNKNOWN];
}

bool tmi_layer_kind_named(tm_layer_kind *out, const char *name, size_t size)
{
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        *out = (tm_layer_kind)kind;
        if (strlen(tm_game_layer(*out)->name) == size && memcmp(tm_game_layer(*out)->name, name, size) == 0)
            return true;
    }
    return false;
}

/* --------------------------------------------------------------------------------------- what games hold */

/* The texts follow the name of a game in findings about what was left out. */
static const tm_part_info parts[TM_PART_COUNT] = {
    /*                         name              DDNet 0.6    0.7 */
    [TM_PART_SOUNDS] = {"sounds", {true, false, false}, TM_FINDING_LOST_SOUND, "has no sounds"},
    [TM_PART_SETTINGS] = {"settings",
                          {true, false, false},
                          TM_FINDING_LOST_SETTINGS,
                          "keeps no settings in maps"},
    [TM_PART_CURVES] = {"bezier curves", {true, false, true}, TM_FINDING_LOST_CURVE, "has no bezier curves"},
    [TM_PART_AUTOMAPPERS] = {"automappers",
                             {true, false, false},
                             TM_FINDING_LOST_AUTOMAPPER,
                             "keeps no automappers in maps"},
    [TM_PART_PARALLAX_ZOOM] = {"parallax zoom",
                               {true, false, false},
                               TM_FINDING_LOST_FIELD,
                               "has no parallax zoom of groups today"}, /* DDNet 16.4 to 17.3 did */
    [TM_PART_SKIP_BYTES] = {"skip bytes",
                            {true, true, false},
                            TM_FINDING_LOST_FIELD,
                            "has run lengths in the place of the tiles' skip bytes"},
};
/* clang-format on */

const tm_part_info *tmi_game_part(tm_part part)
{
    return (size_t)part < TMI_COUNT_OF(parts) ? &parts[part] : NULL;
}

bool tmi_game_holds(tm_game game, tm_part part)
{
    return (size_t)game < TM_GAME_COUNT && (size_t)part < TMI_COUNT_OF(parts) && parts[part].games[game];
}

bool tmi_game_holds_layer(tm_game game, tm_layer_kind kind)
{
    return (size_t)game < TM_GAME_COUNT && tm_game_layer(kind)->games[game];
}
