/* SPDX-License-Identifier: Zlib */
/*
 * What the maps of each game can hold. The texts go on after the name of a game that
 * cannot, in the finding about what was left out.
 */
#include "games.h"

/* clang-format off */
static const tm_part_info parts[TM_PART_COUNT] = {
    /*                         name              DDNet 0.6    0.7 */
    [TM_PART_SOUNDS] =        {"sounds",        {true, false, false}, TM_FINDING_LOST_SOUND,
                               "has no sounds"},
    [TM_PART_SETTINGS] =      {"settings",      {true, false, false}, TM_FINDING_LOST_SETTINGS,
                               "keeps no settings in maps"},
    [TM_PART_CURVES] =        {"bezier curves", {true, false, true},  TM_FINDING_LOST_CURVE,
                               "has no bezier curves"},
    [TM_PART_AUTOMAPPERS] =   {"automappers",   {true, false, false}, TM_FINDING_LOST_AUTOMAPPER,
                               "keeps no automappers in maps"},
    [TM_PART_PARALLAX_ZOOM] = {"parallax zoom", {true, false, false}, TM_FINDING_LOST_FIELD,
                               "has no parallax zoom of groups today"}, /* DDNet 16.4 to 17.3 did */
    [TM_PART_SKIP_BYTES] =    {"skip bytes",    {true, true, false},  TM_FINDING_LOST_FIELD,
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
