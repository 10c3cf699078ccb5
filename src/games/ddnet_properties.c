/* SPDX-License-Identifier: Zlib */
/*
 * ddnet_properties.c - the properties of a map in DDNet's lists of released maps, derived from its tiles.
 * Names and tiles are those of libtw2's ddnet_properties, which DDNet's release process runs: a tile counts
 * in any physics layer, even if the game does not know it there.
 */
#include "games.h"

#include <teemap/tiles.h>

/* By name. Tiles that are listed together make no difference in those lists. */
static const struct {
    const char *name;
    uint8_t tiles[8]; /* 0 after the last */
} properties[] = {
    {"BONUS", {TM_TILE_SUBTRACT_TIME, TM_TILE_ADD_TIME}},
    {"BOOST", {TM_TILE_SPEEDUP_OLD}},
    {"CHECKPOINT_FIRST", {TM_TILE_TIME_CHECKPOINT_1}},
    {"CRAZY_SHOTGUN", {TM_TILE_CRAZY_SHOTGUN, TM_TILE_CRAZY_SHOTGUN_EXPLOSIVE}},
    {"DEATH", {TM_TILE_DEATH}},
    {"DFREEZE", {TM_TILE_DEEP_FREEZE}},
    {"DOOR", {TM_TILE_DOOR}},
    {"DRAGGER",
     {TM_TILE_DRAGGER_WEAK, TM_TILE_DRAGGER_NORMAL, TM_TILE_DRAGGER_STRONG,
      TM_TILE_DRAGGER_WEAK_THROUGH_WALLS, TM_TILE_DRAGGER_NORMAL_THROUGH_WALLS,
      TM_TILE_DRAGGER_STRONG_THROUGH_WALLS}},
    {"EHOOK_START", {TM_TILE_ENDLESS_HOOK_ENABLE, TM_TILE_ENDLESS_HOOK}},
    {"HIT_END", {TM_TILE_HIT_DISABLE, TM_TILE_NO_HIT}},
    {"JETPACK_START", {TM_TILE_JETPACK_ENABLE}},
    {"JUMP", {TM_TILE_JUMPS}},
    {"LASER_STOP",
     {TM_TILE_LASER_STOP, TM_TILE_LASER_FAST_CCW, TM_TILE_LASER_NORMAL_CCW, TM_TILE_LASER_SLOW_CCW,
      TM_TILE_LASER_SLOW_CW, TM_TILE_LASER_NORMAL_CW, TM_TILE_LASER_FAST_CW}},
    {"NPC_START", {TM_TILE_PLAYER_COLLISION_ENABLE, TM_TILE_NO_PLAYER_COLLISION}},
    {"NPH_START", {TM_TILE_PLAYER_HOOK_ENABLE, TM_TILE_NO_PLAYER_HOOK}},
    {"OLDLASER", {TM_TILE_OLD_LASER}},
    {"PLASMAE", {TM_TILE_PLASMA_EXPLOSIVE}},
    {"PLASMAF", {TM_TILE_PLASMA_FREEZE, TM_TILE_PLASMA}},
    {"PLASMAU", {TM_TILE_PLASMA_UNFREEZE}},
    {"POWERUP_NINJA", {TM_TILE_NINJA}},
    {"SOLO_START", {TM_TILE_SOLO_ENABLE}},
    {"STOP", {TM_TILE_STOPPER, TM_TILE_STOPPER_TWO_WAY, TM_TILE_STOPPER_ALL}},
    {"SUPER_START", {TM_TILE_UNLIMITED_JUMPS_ENABLE}},
    {"SWITCH", {TM_TILE_SWITCH_OPEN, TM_TILE_SWITCH_CLOSE}},
    {"SWITCH_TIMED", {TM_TILE_SWITCH_TIMED_OPEN, TM_TILE_SWITCH_TIMED_CLOSE}},
    {"TELECHECK", {TM_TILE_TELE_CHECKPOINT}},
    {"TELEIN", {TM_TILE_TELE_IN}},
    {"TELEINEVIL", {TM_TILE_TELE_IN_EVIL}},
    {"TELEINHOOK", {TM_TILE_TELE_IN_HOOK}},
    {"TELEINWEAPON", {TM_TILE_TELE_IN_WEAPON}},
    {"TELE_GRENADE", {TM_TILE_TELE_GRENADE_ENABLE}},
    {"TELE_GUN", {TM_TILE_TELE_GUN_ENABLE}},
    {"TELE_LASER", {TM_TILE_TELE_LASER_ENABLE}},
    {"THROUGH", {TM_TILE_THROUGH}},
    {"THROUGH_ALL", {TM_TILE_THROUGH_ALL, TM_TILE_THROUGH_CUT, TM_TILE_THROUGH_DIRECTION}},
    {"TUNE", {TM_TILE_TUNE}},
    {"WALLJUMP", {TM_TILE_WALLJUMP}},
    {"WEAPON_GRENADE", {TM_TILE_WEAPON_GRENADE}},
    {"WEAPON_RIFLE", {TM_TILE_WEAPON_LASER}},
    {"WEAPON_SHOTGUN", {TM_TILE_WEAPON_SHOTGUN}},
};

const char *tmi_game_ddnet_property(uint32_t n, const bool present[TM_LAYER_KINDS * 256], bool *has)
{
    *has = false;
    if (n >= TMI_COUNT_OF(properties))
        return NULL;
    for (const uint8_t *tile = properties[n].tiles; *tile; tile++)
        for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
            /* in game and front layers this index ends a solo part; tele layers do not count, too */
            const bool other = *tile == TM_TILE_SWITCH_TIMED_OPEN &&
                               (kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT || kind == TM_LAYER_TELE);
            *has |= present[kind * 256 + *tile] && !other;
        }
    return properties[n].name;
}
