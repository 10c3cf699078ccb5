/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_TILES_H
#define TEEMAP_TILES_H
/*
 * teemap/tiles.h - the indices of tiles, as constants: TM_TILE_ and the tile's id
 * (docs/tiles-of-the-games.md). All names are different, but the same index means different things in
 * different kinds of layers, so compare only with constants of the layer's own list. tm_game_tile tells what
 * an index means.
 *
 * This file is made from the table in src/games/tile_rows.h: change that, then `./run generate`.
 */

/* clang-format off */

/* made by ./run generate: constants */
/* Game and front layers; (s): switch layers, too. */
enum {
    TM_TILE_AIR = 0, /* nothing */
    TM_TILE_SOLID = 1, /* hookable wall */
    TM_TILE_DEATH = 2, /* kills */
    TM_TILE_UNHOOKABLE = 3, /* unhookable wall */
    TM_TILE_NO_LASER = 4, /* stops draggers, rotating lasers and turrets */
    TM_TILE_THROUGH_CUT = 5, /* hooks pass; the editor makes it front 5 above game 3 */
    TM_TILE_THROUGH = 6, /* hooks pass; deprecated */
    TM_TILE_FREEZE = 9, /* (s) freezes */
    TM_TILE_UNFREEZE = 11, /* ends a freeze */
    TM_TILE_DEEP_FREEZE = 12, /* (s) freezes until deep unfreeze */
    TM_TILE_DEEP_UNFREEZE = 13, /* (s) undoes deep freeze */
    TM_TILE_WALLJUMP = 16, /* refills a jump at walls */
    TM_TILE_ENDLESS_HOOK_ENABLE = 17, /* enables endless hook */
    TM_TILE_ENDLESS_HOOK_DISABLE = 18, /* disables endless hook */
    TM_TILE_HIT_ENABLE = 19, /* (s) enables hitting others */
    TM_TILE_HIT_DISABLE = 20, /* (s) disables hitting others */
    TM_TILE_SOLO_ENABLE = 21, /* solo part begins */
    TM_TILE_SOLO_DISABLE = 22, /* solo part ends */
    TM_TILE_REFILL_JUMPS = 32, /* refills all jumps */
    TM_TILE_START = 33, /* start line */
    TM_TILE_FINISH = 34, /* finish line */
    TM_TILE_TIME_CHECKPOINT_1 = 35, /* line for intermediate time 1 */
    TM_TILE_TIME_CHECKPOINT_2 = 36, /* line for intermediate time 2 */
    TM_TILE_TIME_CHECKPOINT_3 = 37, /* line for intermediate time 3 */
    TM_TILE_TIME_CHECKPOINT_4 = 38, /* line for intermediate time 4 */
    TM_TILE_TIME_CHECKPOINT_5 = 39, /* line for intermediate time 5 */
    TM_TILE_TIME_CHECKPOINT_6 = 40, /* line for intermediate time 6 */
    TM_TILE_TIME_CHECKPOINT_7 = 41, /* line for intermediate time 7 */
    TM_TILE_TIME_CHECKPOINT_8 = 42, /* line for intermediate time 8 */
    TM_TILE_TIME_CHECKPOINT_9 = 43, /* line for intermediate time 9 */
    TM_TILE_TIME_CHECKPOINT_10 = 44, /* line for intermediate time 10 */
    TM_TILE_TIME_CHECKPOINT_11 = 45, /* line for intermediate time 11 */
    TM_TILE_TIME_CHECKPOINT_12 = 46, /* line for intermediate time 12 */
    TM_TILE_TIME_CHECKPOINT_13 = 47, /* line for intermediate time 13 */
    TM_TILE_TIME_CHECKPOINT_14 = 48, /* line for intermediate time 14 */
    TM_TILE_TIME_CHECKPOINT_15 = 49, /* line for intermediate time 15 */
    TM_TILE_TIME_CHECKPOINT_16 = 50, /* line for intermediate time 16 */
    TM_TILE_TIME_CHECKPOINT_17 = 51, /* line for intermediate time 17 */
    TM_TILE_TIME_CHECKPOINT_18 = 52, /* line for intermediate time 18 */
    TM_TILE_TIME_CHECKPOINT_19 = 53, /* line for intermediate time 19 */
    TM_TILE_TIME_CHECKPOINT_20 = 54, /* line for intermediate time 20 */
    TM_TILE_TIME_CHECKPOINT_21 = 55, /* line for intermediate time 21 */
    TM_TILE_TIME_CHECKPOINT_22 = 56, /* line for intermediate time 22 */
    TM_TILE_TIME_CHECKPOINT_23 = 57, /* line for intermediate time 23 */
    TM_TILE_TIME_CHECKPOINT_24 = 58, /* line for intermediate time 24 */
    TM_TILE_TIME_CHECKPOINT_25 = 59, /* line for intermediate time 25 */
    TM_TILE_STOPPER = 60, /* blocks one direction; downwards with flags 0 */
    TM_TILE_STOPPER_TWO_WAY = 61, /* blocks both directions of an axis; up and down with flags 0 */
    TM_TILE_STOPPER_ALL = 62, /* blocks all four directions */
    TM_TILE_MOVER_SLOW = 64, /* in game layers: moves lasers, draggers, turrets and pickups; up with flags 0 */
    TM_TILE_MOVER_FAST = 65, /* the same, four times as fast */
    TM_TILE_THROUGH_ALL = 66, /* hooks pass from all sides */
    TM_TILE_THROUGH_DIRECTION = 67, /* hooks pass in one direction; up with flags 0 */
    TM_TILE_OLD_LASER = 71, /* for the whole map: old shotgun behavior */
    TM_TILE_NO_PLAYER_COLLISION = 72, /* for the whole map: players do not collide */
    TM_TILE_ENDLESS_HOOK = 73, /* for the whole map: endless hook */
    TM_TILE_NO_HIT = 74, /* for the whole map: players cannot hit others */
    TM_TILE_NO_PLAYER_HOOK = 75, /* for the whole map: players cannot hook others */
    TM_TILE_UNLOCK_TEAM = 76, /* unlocks a locked team */
    TM_TILE_PLAYER_COLLISION_DISABLE = 88, /* disables collision with players */
    TM_TILE_UNLIMITED_JUMPS_DISABLE = 89, /* disables endless jumps */
    TM_TILE_JETPACK_DISABLE = 90, /* disables jetpack */
    TM_TILE_PLAYER_HOOK_DISABLE = 91, /* disables hooking players */
    TM_TILE_TELE_GUN_ENABLE = 96, /* enables teleport gun */
    TM_TILE_TELE_GUN_DISABLE = 97, /* disables teleport gun */
    TM_TILE_ALLOW_TELE_GUN = 98, /* (s) allows teleporting here */
    TM_TILE_ALLOW_BLUE_TELE_GUN = 99, /* (s) allows teleporting here, keeping speed */
    TM_TILE_PLAYER_COLLISION_ENABLE = 104, /* enables collision with players */
    TM_TILE_UNLIMITED_JUMPS_ENABLE = 105, /* enables endless jumps */
    TM_TILE_JETPACK_ENABLE = 106, /* enables jetpack */
    TM_TILE_PLAYER_HOOK_ENABLE = 107, /* enables hooking players */
    TM_TILE_TELE_GRENADE_ENABLE = 112, /* enables teleport grenade */
    TM_TILE_TELE_GRENADE_DISABLE = 113, /* disables teleport grenade */
    TM_TILE_TELE_LASER_ENABLE = 128, /* enables teleport laser */
    TM_TILE_TELE_LASER_DISABLE = 129, /* disables teleport laser */
    TM_TILE_LIVE_FREEZE = 144, /* (s) disables moving, but not hooking and shooting */
    TM_TILE_LIVE_UNFREEZE = 145, /* (s) ends live freeze */
    TM_TILE_ENTITIES_OFF_1 = 190, /* left half of a sign for players who show entities */
    TM_TILE_ENTITIES_OFF_2 = 191, /* right half of the sign */
    TM_TILE_SPAWN = 192, /* spawn for everybody */
    TM_TILE_SPAWN_RED = 193, /* spawn of the red team */
    TM_TILE_SPAWN_BLUE = 194, /* spawn of the blue team */
    TM_TILE_FLAG_RED = 195, /* flag of the red team */
    TM_TILE_FLAG_BLUE = 196, /* flag of the blue team */
    TM_TILE_ARMOR = 197, /* (s) shield */
    TM_TILE_HEALTH = 198, /* (s) heart */
    TM_TILE_WEAPON_SHOTGUN = 199, /* (s) shotgun */
    TM_TILE_WEAPON_GRENADE = 200, /* (s) grenade launcher */
    TM_TILE_NINJA = 201, /* (s) ninja */
    TM_TILE_WEAPON_LASER = 202, /* (s) laser; rifle in 0.5 and 0.6 */
    TM_TILE_LASER_FAST_CCW = 203, /* (s) laser rotates fast counterclockwise */
    TM_TILE_LASER_NORMAL_CCW = 204, /* (s) laser rotates counterclockwise */
    TM_TILE_LASER_SLOW_CCW = 205, /* (s) laser rotates slowly counterclockwise */
    TM_TILE_LASER_STOP = 206, /* (s) laser does not rotate */
    TM_TILE_LASER_SLOW_CW = 207, /* (s) laser rotates slowly clockwise */
    TM_TILE_LASER_NORMAL_CW = 208, /* (s) laser rotates clockwise */
    TM_TILE_LASER_FAST_CW = 209, /* (s) laser rotates fast clockwise */
    TM_TILE_LASER_SHORT = 210, /* (s) length of 3 tiles for the laser or door next to it */
    TM_TILE_LASER_MEDIUM = 211, /* (s) length of 6 tiles for the laser or door next to it */
    TM_TILE_LASER_LONG = 212, /* (s) length of 9 tiles for the laser or door next to it */
    TM_TILE_LASER_CLOSE_SLOW = 213, /* (s) laser gets shorter slowly, then longer */
    TM_TILE_LASER_CLOSE_NORMAL = 214, /* (s) laser gets shorter, then longer */
    TM_TILE_LASER_CLOSE_FAST = 215, /* (s) laser gets shorter fast, then longer */
    TM_TILE_LASER_OPEN_SLOW = 216, /* (s) laser gets longer slowly, then shorter */
    TM_TILE_LASER_OPEN_NORMAL = 217, /* (s) laser gets longer, then shorter */
    TM_TILE_LASER_OPEN_FAST = 218, /* (s) laser gets longer fast, then shorter */
    TM_TILE_PLASMA_EXPLOSIVE = 220, /* (s) turret, exploding */
    TM_TILE_PLASMA_FREEZE = 221, /* (s) turret, freezing */
    TM_TILE_PLASMA = 222, /* (s) turret, exploding and freezing */
    TM_TILE_PLASMA_UNFREEZE = 223, /* (s) turret, unfreezing */
    TM_TILE_CRAZY_SHOTGUN_EXPLOSIVE = 224, /* (s) bouncing shot that freezes and explodes; starts downwards with flags 0 */
    TM_TILE_CRAZY_SHOTGUN = 225, /* (s) bouncing shot that freezes; starts downwards with flags 0 */
    TM_TILE_ARMOR_SHOTGUN = 226, /* (s) shield that removes the shotgun */
    TM_TILE_ARMOR_GRENADE = 227, /* (s) shield that removes the grenade launcher */
    TM_TILE_ARMOR_NINJA = 228, /* (s) shield that removes ninja */
    TM_TILE_ARMOR_LASER = 229, /* (s) shield that removes the laser */
    TM_TILE_DRAGGER_WEAK = 233, /* (s) pulls players that it sees, weakly */
    TM_TILE_DRAGGER_NORMAL = 234, /* (s) pulls players that it sees */
    TM_TILE_DRAGGER_STRONG = 235, /* (s) pulls players that it sees, strongly */
    TM_TILE_DRAGGER_WEAK_THROUGH_WALLS = 236, /* (s) pulls players through walls, weakly */
    TM_TILE_DRAGGER_NORMAL_THROUGH_WALLS = 237, /* (s) pulls players through walls */
    TM_TILE_DRAGGER_STRONG_THROUGH_WALLS = 238, /* (s) pulls players through walls, strongly */
    TM_TILE_DOOR = 240 /* (s) door, with the length of the laser length next to it */
};

/* Switch layers. */
enum {
    TM_TILE_JUMPS = 7, /* sets the number of jumps; 255: from the ground only */
    TM_TILE_SWITCH_TIMED_OPEN = 22, /* switches on for some seconds */
    TM_TILE_SWITCH_TIMED_CLOSE = 23, /* switches off for some seconds */
    TM_TILE_SWITCH_OPEN = 24, /* switches on */
    TM_TILE_SWITCH_CLOSE = 25, /* switches off */
    TM_TILE_ADD_TIME = 79, /* adds to the time: a penalty */
    TM_TILE_SUBTRACT_TIME = 95 /* subtracts from the time: a bonus */
};

/* Tele layers. */
enum {
    TM_TILE_TELE_IN_EVIL = 10, /* red teleporter: speed and hook are lost */
    TM_TILE_TELE_IN_WEAPON = 14, /* teleports shots */
    TM_TILE_TELE_IN_HOOK = 15, /* teleports hooks */
    TM_TILE_TELE_IN = 26, /* blue teleporter: speed is kept */
    TM_TILE_TELE_OUT = 27, /* exit of the teleporters with its number */
    TM_TILE_TELE_CHECKPOINT = 29, /* sets the checkpoint */
    TM_TILE_TELE_CHECKPOINT_OUT = 30, /* exit for the checkpoint with its number */
    TM_TILE_TELE_CHECKPOINT_IN = 31, /* blue teleporter back to the last checkpoint */
    TM_TILE_TELE_CHECKPOINT_IN_EVIL = 63 /* red teleporter back to the last checkpoint */
};

/* Speedup layers. */
enum {
    TM_TILE_SPEEDUP_OLD = 28, /* speedup with the old formula */
    TM_TILE_SPEEDUP = 29 /* speedup with the formula of DDNet 19.1 */
};

/* Tune layers. */
enum {
    TM_TILE_TUNE = 68 /* tuning zone */
};
/* end of constants */

/* clang-format on */

#endif
