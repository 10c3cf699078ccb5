/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RULES_TILE_ROWS_H
#define TMI_RULES_TILE_ROWS_H
/*
 * The table of tiles (docs/format.md section 3), one row for each tile that a game knows. Five lists, since
 * the same index means different things in different kinds of layers; the switch layer has tiles of its own
 * and shares others with the game layer. Everything that the project says of tiles is made from these rows:
 * tm_game_tile, turning, include/teemap/tiles.h, docs/tiles-of-the-games.md (run `./run generate` after a
 * change).
 *
 *   index     as stored
 *   id        unique in the whole table and never changed: files of users name tiles by it
 *   layers    where DDNet's editor lets one place it: G game, F front, S switch, T tele, P speedup, U tune
 *   number    what the number byte means, in layers whose tiles have one
 *   delay     what the delay of a switch tile means
 *   flags     whether DDNet's editor keeps the flags of such a switch tile; otherwise it writes 0
 *   turn      how it turns and mirrors
 *   category  what it is
 *   games     ALL: Teeworlds, too
 *   since     the first release that knows it; DDRace: those before DDNet 1.15
 *   title     for people, after the id
 */

/* The rotating lasers, which have one another for mirror pictures. */
enum { TMI_FIRST_SPIN = 203, TMI_LAST_SPIN = 209 };

/* clang-format off */

#define TMI_GAME_TILES(X) \
    X(0,   "air",                           GF,  NONE,   NONE,    NO,  NONE,    AIR,     ALL,   "Teeworlds 0.5", "nothing") \
    X(1,   "solid",                         G,   NONE,   NONE,    NO,  NONE,    SOLID,   ALL,   "Teeworlds 0.5", "hookable wall") \
    X(2,   "death",                         GF,  NONE,   NONE,    NO,  NONE,    HAZARD,  ALL,   "Teeworlds 0.5", "kills") \
    X(3,   "unhookable",                    G,   NONE,   NONE,    NO,  NONE,    SOLID,   ALL,   "Teeworlds 0.5", "unhookable wall") \
    X(4,   "no-laser",                      GF,  NONE,   NONE,    NO,  NONE,    LASER,   DDNET, "DDRace",        "stops draggers, rotating lasers and turrets") \
    X(5,   "through-cut",                   GF,  NONE,   NONE,    NO,  NONE,    HOOK,    DDNET, "DDNet 10.0",    "hooks pass; the editor makes it front 5 above game 3") \
    X(6,   "through",                       GF,  NONE,   NONE,    NO,  NONE,    HOOK,    DDNET, "DDRace",        "hooks pass; deprecated") \
    X(9,   "freeze",                        GFS, SWITCH, SECONDS, NO,  NONE,    FREEZE,  DDNET, "DDRace",        "freezes") \
    X(11,  "unfreeze",                      GF,  NONE,   NONE,    NO,  NONE,    FREEZE,  DDNET, "DDRace",        "ends a freeze") \
    X(12,  "deep-freeze",                   GFS, SWITCH, NONE,    NO,  NONE,    FREEZE,  DDNET, "DDRace",        "freezes until deep unfreeze") \
    X(13,  "deep-unfreeze",                 GFS, SWITCH, NONE,    NO,  NONE,    FREEZE,  DDNET, "DDRace",        "undoes deep freeze") \
    X(16,  "walljump",                      GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 4.3",     "refills a jump at walls") \
    X(17,  "endless-hook-enable",           GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDRace",        "enables endless hook") \
    X(18,  "endless-hook-disable",          GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDRace",        "disables endless hook") \
    X(19,  "hit-enable",                    GFS, NONE,   WEAPON,  YES, NONE,    ABILITY, DDNET, "DDRace",        "enables hitting others") \
    X(20,  "hit-disable",                   GFS, NONE,   WEAPON,  YES, NONE,    ABILITY, DDNET, "DDRace",        "disables hitting others") \
    X(21,  "solo-enable",                   GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDRace",        "solo part begins") \
    X(22,  "solo-disable",                  GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDRace",        "solo part ends") \
    X(32,  "refill-jumps",                  GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 6.6.8",   "refills all jumps") \
    X(33,  "start",                         GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "start line") \
    X(34,  "finish",                        GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "finish line") \
    X(35,  "time-checkpoint-1",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 1") \
    X(36,  "time-checkpoint-2",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 2") \
    X(37,  "time-checkpoint-3",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 3") \
    X(38,  "time-checkpoint-4",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 4") \
    X(39,  "time-checkpoint-5",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 5") \
    X(40,  "time-checkpoint-6",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 6") \
    X(41,  "time-checkpoint-7",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 7") \
    X(42,  "time-checkpoint-8",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 8") \
    X(43,  "time-checkpoint-9",             GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 9") \
    X(44,  "time-checkpoint-10",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 10") \
    X(45,  "time-checkpoint-11",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 11") \
    X(46,  "time-checkpoint-12",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 12") \
    X(47,  "time-checkpoint-13",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 13") \
    X(48,  "time-checkpoint-14",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 14") \
    X(49,  "time-checkpoint-15",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 15") \
    X(50,  "time-checkpoint-16",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 16") \
    X(51,  "time-checkpoint-17",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 17") \
    X(52,  "time-checkpoint-18",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 18") \
    X(53,  "time-checkpoint-19",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 19") \
    X(54,  "time-checkpoint-20",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 20") \
    X(55,  "time-checkpoint-21",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 21") \
    X(56,  "time-checkpoint-22",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 22") \
    X(57,  "time-checkpoint-23",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 23") \
    X(58,  "time-checkpoint-24",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 24") \
    X(59,  "time-checkpoint-25",            GF,  NONE,   NONE,    NO,  NONE,    RACE,    DDNET, "DDRace",        "line for intermediate time 25") \
    X(60,  "stopper",                       GF,  NONE,   NONE,    NO,  ARROW,   STOPPER, DDNET, "DDRace",        "blocks one direction; downwards with flags 0") \
    X(61,  "stopper-two-way",               GF,  NONE,   NONE,    NO,  ARROW,   STOPPER, DDNET, "DDRace",        "blocks both directions of an axis; up and down with flags 0") \
    X(62,  "stopper-all",                   GF,  NONE,   NONE,    NO,  NONE,    STOPPER, DDNET, "DDRace",        "blocks all four directions") \
    X(64,  "mover-slow",                    GF,  NONE,   NONE,    NO,  ARROW,   MOVER,   DDNET, "DDRace",        "in game layers: moves lasers, draggers, turrets and pickups; up with flags 0") \
    X(65,  "mover-fast",                    GF,  NONE,   NONE,    NO,  ARROW,   MOVER,   DDNET, "DDRace",        "the same, four times as fast") \
    X(66,  "through-all",                   GF,  NONE,   NONE,    NO,  NONE,    HOOK,    DDNET, "DDNet 10.0",    "hooks pass from all sides") \
    X(67,  "through-direction",             GF,  NONE,   NONE,    NO,  ARROW,   HOOK,    DDNET, "DDNet 10.0",    "hooks pass in one direction; up with flags 0") \
    X(71,  "old-laser",                     GF,  NONE,   NONE,    NO,  NONE,    GLOBAL,  DDNET, "DDRace",        "for the whole map: old shotgun behavior") \
    X(72,  "no-player-collision",           GF,  NONE,   NONE,    NO,  NONE,    GLOBAL,  DDNET, "DDRace",        "for the whole map: players do not collide") \
    X(73,  "endless-hook",                  GF,  NONE,   NONE,    NO,  NONE,    GLOBAL,  DDNET, "DDRace",        "for the whole map: endless hook") \
    X(74,  "no-hit",                        GF,  NONE,   NONE,    NO,  NONE,    GLOBAL,  DDNET, "DDRace",        "for the whole map: players cannot hit others") \
    X(75,  "no-player-hook",                GF,  NONE,   NONE,    NO,  NONE,    GLOBAL,  DDNET, "DDRace",        "for the whole map: players cannot hook others") \
    X(76,  "unlock-team",                   GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 9.3",     "unlocks a locked team") \
    X(88,  "player-collision-disable",      GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.18",    "disables collision with players") \
    X(89,  "unlimited-jumps-disable",       GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.18",    "disables endless jumps") \
    X(90,  "jetpack-disable",               GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.23",    "disables jetpack") \
    X(91,  "player-hook-disable",           GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.18",    "disables hooking players") \
    X(96,  "tele-gun-enable",               GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 11.3",    "enables teleport gun") \
    X(97,  "tele-gun-disable",              GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 11.3",    "disables teleport gun") \
    X(98,  "allow-tele-gun",                FS,  NONE,   WEAPON,  YES, NONE,    ABILITY, DDNET, "DDNet 11.5",    "allows teleporting here") \
    X(99,  "allow-blue-tele-gun",           FS,  NONE,   WEAPON,  YES, NONE,    ABILITY, DDNET, "DDNet 11.5",    "allows teleporting here, keeping speed") \
    X(104, "player-collision-enable",       GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.18",    "enables collision with players") \
    X(105, "unlimited-jumps-enable",        GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.18",    "enables endless jumps") \
    X(106, "jetpack-enable",                GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.23",    "enables jetpack") \
    X(107, "player-hook-enable",            GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 1.18",    "enables hooking players") \
    X(112, "tele-grenade-enable",           GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 11.3",    "enables teleport grenade") \
    X(113, "tele-grenade-disable",          GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 11.3",    "disables teleport grenade") \
    X(128, "tele-laser-enable",             GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 11.3",    "enables teleport laser") \
    X(129, "tele-laser-disable",            GF,  NONE,   NONE,    NO,  NONE,    ABILITY, DDNET, "DDNet 11.3",    "disables teleport laser") \
    X(144, "live-freeze",                   GFS, SWITCH, UNKNOWN, YES, NONE,    FREEZE,  DDNET, "DDNet 15.9",    "disables moving, but not hooking and shooting") \
    X(145, "live-unfreeze",                 GFS, SWITCH, UNKNOWN, YES, NONE,    FREEZE,  DDNET, "DDNet 15.9",    "ends live freeze") \
    X(190, "entities-off-1",                GF,  NONE,   NONE,    NO,  PICTURE, SIGN,    DDNET, "DDNet 10.0",    "left half of a sign for players who show entities") \
    X(191, "entities-off-2",                GF,  NONE,   NONE,    NO,  PICTURE, SIGN,    DDNET, "DDNet 10.0",    "right half of the sign") \
    X(192, "spawn",                         GF,  NONE,   NONE,    NO,  NONE,    SPAWN,   ALL,   "Teeworlds 0.5", "spawn for everybody") \
    X(193, "spawn-red",                     GF,  NONE,   NONE,    NO,  NONE,    SPAWN,   ALL,   "Teeworlds 0.5", "spawn of the red team") \
    X(194, "spawn-blue",                    GF,  NONE,   NONE,    NO,  NONE,    SPAWN,   ALL,   "Teeworlds 0.5", "spawn of the blue team") \
    X(195, "flag-red",                      GF,  NONE,   NONE,    NO,  NONE,    FLAG,    ALL,   "Teeworlds 0.5", "flag of the red team") \
    X(196, "flag-blue",                     GF,  NONE,   NONE,    NO,  NONE,    FLAG,    ALL,   "Teeworlds 0.5", "flag of the blue team") \
    X(197, "armor",                         GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  ALL,   "Teeworlds 0.5", "shield") \
    X(198, "health",                        GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  ALL,   "Teeworlds 0.5", "heart") \
    X(199, "weapon-shotgun",                GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  ALL,   "Teeworlds 0.5", "shotgun") \
    X(200, "weapon-grenade",                GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  ALL,   "Teeworlds 0.5", "grenade launcher") \
    X(201, "ninja",                         GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  ALL,   "Teeworlds 0.5", "ninja") \
    X(202, "weapon-laser",                  GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  ALL,   "Teeworlds 0.5", "laser; rifle in 0.5 and 0.6") \
    X(203, "laser-fast-ccw",                GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser rotates fast counterclockwise") \
    X(204, "laser-normal-ccw",              GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser rotates counterclockwise") \
    X(205, "laser-slow-ccw",                GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser rotates slowly counterclockwise") \
    X(206, "laser-stop",                    GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser does not rotate") \
    X(207, "laser-slow-cw",                 GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser rotates slowly clockwise") \
    X(208, "laser-normal-cw",               GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser rotates clockwise") \
    X(209, "laser-fast-cw",                 GFS, SWITCH, UNKNOWN, YES, SPIN,    LASER,   DDNET, "DDRace",        "laser rotates fast clockwise") \
    X(210, "laser-short",                   GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "length of 3 tiles for the laser or door next to it") \
    X(211, "laser-medium",                  GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "length of 6 tiles for the laser or door next to it") \
    X(212, "laser-long",                    GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "length of 9 tiles for the laser or door next to it") \
    X(213, "laser-close-slow",              GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "laser gets shorter slowly, then longer") \
    X(214, "laser-close-normal",            GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "laser gets shorter, then longer") \
    X(215, "laser-close-fast",              GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "laser gets shorter fast, then longer") \
    X(216, "laser-open-slow",               GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "laser gets longer slowly, then shorter") \
    X(217, "laser-open-normal",             GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "laser gets longer, then shorter") \
    X(218, "laser-open-fast",               GFS, SWITCH, UNKNOWN, YES, NONE,    LASER,   DDNET, "DDRace",        "laser gets longer fast, then shorter") \
    X(220, "plasma-explosive",              GFS, SWITCH, UNKNOWN, YES, NONE,    TURRET,  DDNET, "DDRace",        "turret, exploding") \
    X(221, "plasma-freeze",                 GFS, SWITCH, UNKNOWN, YES, NONE,    TURRET,  DDNET, "DDRace",        "turret, freezing") \
    X(222, "plasma",                        GFS, SWITCH, UNKNOWN, YES, NONE,    TURRET,  DDNET, "DDRace",        "turret, exploding and freezing") \
    X(223, "plasma-unfreeze",               GFS, SWITCH, UNKNOWN, YES, NONE,    TURRET,  DDNET, "DDRace",        "turret, unfreezing") \
    X(224, "crazy-shotgun-explosive",       GFS, SWITCH, UNKNOWN, YES, SHOT,    TURRET,  DDNET, "DDRace",        "bouncing shot that freezes and explodes; starts downwards with flags 0") \
    X(225, "crazy-shotgun",                 GFS, SWITCH, UNKNOWN, YES, SHOT,    TURRET,  DDNET, "DDRace",        "bouncing shot that freezes; starts downwards with flags 0") \
    X(226, "armor-shotgun",                 GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  DDNET, "DDNet 16.1",    "shield that removes the shotgun") \
    X(227, "armor-grenade",                 GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  DDNET, "DDNet 16.1",    "shield that removes the grenade launcher") \
    X(228, "armor-ninja",                   GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  DDNET, "DDNet 16.1",    "shield that removes ninja") \
    X(229, "armor-laser",                   GFS, SWITCH, UNKNOWN, YES, PICTURE, PICKUP,  DDNET, "DDNet 16.1",    "shield that removes the laser") \
    X(233, "dragger-weak",                  GFS, SWITCH, UNKNOWN, YES, NONE,    DRAGGER, DDNET, "DDRace",        "pulls players that it sees, weakly") \
    X(234, "dragger-normal",                GFS, SWITCH, UNKNOWN, YES, NONE,    DRAGGER, DDNET, "DDRace",        "pulls players that it sees") \
    X(235, "dragger-strong",                GFS, SWITCH, UNKNOWN, YES, NONE,    DRAGGER, DDNET, "DDRace",        "pulls players that it sees, strongly") \
    X(236, "dragger-weak-through-walls",    GFS, SWITCH, UNKNOWN, YES, NONE,    DRAGGER, DDNET, "DDRace",        "pulls players through walls, weakly") \
    X(237, "dragger-normal-through-walls",  GFS, SWITCH, UNKNOWN, YES, NONE,    DRAGGER, DDNET, "DDRace",        "pulls players through walls") \
    X(238, "dragger-strong-through-walls",  GFS, SWITCH, UNKNOWN, YES, NONE,    DRAGGER, DDNET, "DDRace",        "pulls players through walls, strongly") \
    X(240, "door",                          GFS, SWITCH, UNKNOWN, YES, NONE,    DOOR,    DDNET, "DDRace",        "door, with the length of the laser length next to it")

#define TMI_SWITCH_TILES(X) \
    X(7,   "jumps",                         S,   NONE,   JUMPS,   YES, NONE,    ABILITY, DDNET, "DDNet 1.18",    "sets the number of jumps; 255: from the ground only") \
    X(22,  "switch-timed-open",             S,   SWITCH, SECONDS, YES, NONE,    SWITCH,  DDNET, "DDRace",        "switches on for some seconds") \
    X(23,  "switch-timed-close",            S,   SWITCH, SECONDS, YES, NONE,    SWITCH,  DDNET, "DDRace",        "switches off for some seconds") \
    X(24,  "switch-open",                   S,   SWITCH, UNKNOWN, YES, NONE,    SWITCH,  DDNET, "DDRace",        "switches on") \
    X(25,  "switch-close",                  S,   SWITCH, UNKNOWN, YES, NONE,    SWITCH,  DDNET, "DDRace",        "switches off") \
    X(79,  "add-time",                      S,   SECONDS,MINUTES, YES, NONE,    RACE,    DDNET, "DDNet 2.20",    "adds to the time: a penalty") \
    X(95,  "subtract-time",                 S,   SECONDS,MINUTES, YES, NONE,    RACE,    DDNET, "DDNet 7.3",     "subtracts from the time: a bonus")

#define TMI_TELE_TILES(X) \
    X(10,  "tele-in-evil",                  T,   TELE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDRace",        "red teleporter: speed and hook are lost") \
    X(14,  "tele-in-weapon",                T,   TELE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDNet 1.18",    "teleports shots") \
    X(15,  "tele-in-hook",                  T,   TELE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDNet 1.18",    "teleports hooks") \
    X(26,  "tele-in",                       T,   TELE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDRace",        "blue teleporter: speed is kept") \
    X(27,  "tele-out",                      T,   TELE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDRace",        "exit of the teleporters with its number") \
    X(29,  "tele-checkpoint",               T,   CHECKPOINT, NONE,    NO,  NONE,    TELE,    DDNET, "DDRace",        "sets the checkpoint") \
    X(30,  "tele-checkpoint-out",           T,   CHECKPOINT, NONE,    NO,  NONE,    TELE,    DDNET, "DDRace",        "exit for the checkpoint with its number") \
    X(31,  "tele-checkpoint-in",            T,   NONE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDRace",        "blue teleporter back to the last checkpoint") \
    X(63,  "tele-checkpoint-in-evil",       T,   NONE,   NONE,    NO,  NONE,    TELE,    DDNET, "DDNet 2.18",    "red teleporter back to the last checkpoint")

#define TMI_SPEEDUP_TILES(X) \
    X(28,  "speedup-old",                   P,   NONE,   NONE,    NO,  ANGLE,   SPEEDUP, DDNET, "DDRace",        "speedup with the old formula") \
    X(29,  "speedup",                       P,   NONE,   NONE,    NO,  ANGLE,   SPEEDUP, DDNET, "DDNet 19.1",    "speedup with the formula of DDNet 19.1")

#define TMI_TUNE_TILES(X) \
    X(68,  "tune",                          U,   ZONE,   NONE,    NO,  NONE,    TUNE,    DDNET, "DDNet 3.0",     "tuning zone")

/* clang-format on */

#endif
