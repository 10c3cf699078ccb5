/* SPDX-License-Identifier: Zlib */
/*
 * Painting the library's own tile sheets: entities, arrows in 90 directions, numbers, and tunings
 * in as many colors as a map needs. Only + - * / and sqrt, so that they are the same everywhere.
 */
#include "sheet.h"

#include <teemap/games.h>
#include <teemap/tiles.h>

#include <math.h>

enum { CELL = TMI_CELL_SIDE, STRIDE = TMI_SHEET_SIDE * 4 };
#define MIDDLE (0.5F * CELL)

static uint8_t *cell_of(uint8_t *sheet, uint32_t index)
{
    return sheet + (size_t)(index / 16) * CELL * STRIDE + (size_t)(index % 16) * CELL * 4;
}

/* The digits of a number, at most three. */
static size_t digits_of(char digits[3], uint32_t number)
{
    size_t num = 0;
    for (uint32_t unit = number > 99 ? 100 : number > 9 ? 10 : 1; unit; unit /= 10)
        digits[num++] = (char)('0' + number / unit % 10);
    return num;
}

static void fill_cell(tmi_canvas *canvas, tmi_ink ink, float alpha)
{
    ink.a = alpha;
    tmi_canvas_fill(canvas, ink, 0);
    tmi_canvas_next(canvas);
}

/* Fills text: white with a dark rim, so that it is readable on every background. */
static void fill_text(tmi_canvas *canvas, float rim)
{
    static const tmi_ink dark = {0.04F, 0.05F, 0.08F, 0.9F}, white = {1, 1, 1, 1};
    tmi_canvas_fill(canvas, dark, rim);
    tmi_canvas_fill(canvas, white, 0);
    tmi_canvas_next(canvas);
}

/* ------------------------------------------------------------------------------------------------- icons */

/*
 * What the sheet of entities shows for each index that some physics layer knows (format section 3): a plate
 * whose color tells the class, and a drawing on it.
 */
typedef enum plate {
    PLATE_NONE,   /* no game knows the index */
    PLATE_AREA,   /* fills the cell: what a tee can stand on or in */
    PLATE_FAINT,  /* the same, hardly seen */
    PLATE_CHIP,   /* a rounded box: things, switches */
    PLATE_PORTAL, /* a disc: teleporters with numbers of their own */
    PLATE_CHECK   /* a rounded ring: teleporters of checkpoints */
} plate;

typedef struct icon {
    plate plate;
    char color;           /* letter of canvas.c */
    const char *commands; /* of canvas.h */
} icon;

/*
 * Parts that several drawings share, in the upper two thirds: drawings with a word below leave the lower
 * third of the cell to it.
 */
#define HOOK      "w 6 l 38 16 38 28 34 36 26 38 19 34 17 26 r 38 11 4 !S "
#define THROUGH   "w 7 l 40 23 40 40 35 49 26 51 18 46 15 35 r 40 15 6 "
#define HAMMER    "w 6 l 20 42 36 22 !N p 26 5 53 21 46 32 19 16 !S "
#define TEE(c)    "o 32 24 17 !" c " w 4 l 33 17 33 25 l 41 17 41 25 .K "
#define TEES      "o 21 26 13 !B o 42 23 15 !E w 4 l 42 17 42 24 l 49 17 49 24 .K "
#define ENDLESS   "w 6 r 21 23 9 r 43 23 9 !W "
#define JETPACK   "b 8 14 38 25 3 b 12 22 22 38 3 !S p 40 8 58 19 40 31 !O "
#define TEE_HOOK  "w 5 l 24 6 24 24 20 32 13 31 9 24 !S o 43 27 14 !E "
#define PORTAL(c) "w 6 r 43 23 13 !" c " "
#define GUN       "b 6 17 30 26 3 b 8 23 17 36 3 !S "
#define GRENADE   "b 6 19 22 31 6 !R b 22 19 32 31 3 !S "
#define RIFLE     "b 6 17 32 24 2 b 8 22 17 34 3 !B "
#define FLAKE_32  "w 5 l 32 9 32 55 l 12 21 52 43 l 12 43 52 21 l 25 12 32 19 39 12 l 25 52 32 45 39 52"
#define FLAKE_24  "w 5 l 32 5 32 43 l 16 14 48 34 l 16 34 48 14"
#define SUN_32                                                                                          \
    "o 32 32 11 w 5 l 32 8 32 14 l 32 50 32 56 l 8 32 14 32 l 50 32 56 32 l 15 15 19 19 l 45 45 49 49 " \
    "l 49 15 45 19 l 19 45 15 49"
#define SUN_24                                                                                         \
    "o 32 24 9 w 5 l 32 4 32 9 l 32 39 32 44 l 12 24 17 24 l 47 24 52 24 l 18 10 21 13 l 43 35 46 38 " \
    "l 46 10 43 13 l 21 35 18 38"
#define BURST      "p 32 3 37 15 49 9 44 20 57 24 44 29 49 40 37 35 32 46 27 35 15 40 20 29 7 24 20 20 15 9 27 15"
#define CLOCK(c)   "o 32 24 17 !" c " o 32 24 12 .W w 4 l 32 16 32 25 38 28 .K b 28 1 36 6 1 !" c " "
#define TURN_LEFT  "w 6 r 32 24 14 x b 12 4 32 24 0 p 35 1 35 19 20 10 "
#define TURN_RIGHT "w 6 r 32 24 14 x b 32 4 52 24 0 p 29 1 29 19 44 10 "
#define BEAM(x)    "w 6 l 12 22 " x " 22 !C o 12 22 8 !S "
#define CLOSING    "p 6 12 26 24 6 36 p 58 12 38 24 58 36 "
#define OPENING    "p 26 12 6 24 26 36 p 38 12 58 24 38 36 "
#define MAGNET(c)  "w 11 l 18 8 18 24 23 33 32 36 41 33 46 24 46 8 !" c " b 13 3 23 12 0 b 41 3 51 12 0 .W "
#define WALLS      "b 6 7 10 45 0 b 54 7 58 45 0 .W "
#define SHIELD(c)  "p 32 5 52 12 50 34 42 47 32 56 22 47 14 34 12 12 !" c " "
#define FLAG(c)    "w 6 l 16 8 16 56 !N p 19 8 54 12 46 22 54 34 19 31 !" c " "
#define SLASH      "w 7 l 10 42 54 6 !R "
#define WORD(w)    "t 32 53 13 " w " !W"
#define LONG(w)    "t 32 53 11 " w " !W"

/* Corners that point to the middle, and away from it. */
#define IN   "p 14 14 4 10 10 4 p 50 14 60 10 54 4 p 14 50 4 54 10 60 p 50 50 60 54 54 60 !W"
#define OUT  "p 3 3 13 6 6 13 p 61 3 51 6 58 13 p 3 61 13 58 6 51 p 61 61 51 58 58 51 !W"
#define TICK "w 8 l 19 33 28 43 46 21 !W"

static const icon icons[TM_TILE_INDICES] = {
    [TM_TILE_SOLID] = {PLATE_AREA, 'E', ""},
    [TM_TILE_DEATH] =
        {PLATE_AREA, 'R',
         "o 32 27 18 b 22 36 42 52 4 !W o 25 28 5 o 39 28 5 p 32 34 28 40 36 40 w 2 l 29 46 29 53 l 35 46 35 53 .K"},
    [TM_TILE_UNHOOKABLE] = {PLATE_AREA, 'D', "w 4 l 4 28 28 4 l 4 60 60 4 l 36 60 60 36 .S"},
    [TM_TILE_NO_LASER] = {PLATE_AREA, 'S', "w 6 l 5 32 26 32 !R b 30 8 39 56 2 !D"},
    [TM_TILE_THROUGH_CUT] = {PLATE_AREA, 'M', THROUGH " l 8 50 56 14 !S"},
    [TM_TILE_THROUGH] = {PLATE_AREA, 'T', THROUGH "!S"},
    [TM_TILE_JUMPS] = {PLATE_CHIP, 'C', "w 7 l 16 22 32 8 48 22 l 16 38 32 24 48 38 !W " LONG("JUMPS")},
    [TMI_CELL_TIMED_OPEN] = {PLATE_CHIP, 'D', CLOCK("G") WORD("OPEN")},
    [TM_TILE_FREEZE] = {PLATE_AREA, 'I', FLAKE_32 " .W"},
    [TM_TILE_TELE_IN_EVIL] = {PLATE_PORTAL, 'R', IN},
    [TM_TILE_UNFREEZE] = {PLATE_AREA, 'Y', SUN_32 " .W"},
    [TM_TILE_DEEP_FREEZE] = {PLATE_AREA, 'V', FLAKE_32 " w 4 r 32 32 28 .C"},
    [TM_TILE_DEEP_UNFREEZE] = {PLATE_AREA, 'O', SUN_32 " w 4 r 32 32 28 .W"},
    [TM_TILE_TELE_IN_WEAPON] = {PLATE_PORTAL, 'G', "t 8 8 13 W t 56 56 13 W !W"},
    [TM_TILE_TELE_IN_HOOK] = {PLATE_PORTAL, 'O', "t 8 8 13 H t 56 56 13 H !W"},
    [TM_TILE_WALLJUMP] = {PLATE_FAINT, 'S', "b 46 3 56 61 2 !D w 7 l 8 28 23 14 38 28 l 8 48 23 34 38 48 !W"},
    [TM_TILE_ENDLESS_HOOK_ENABLE] = {PLATE_CHIP, 'G', HOOK LONG("ENDL")},
    [TM_TILE_ENDLESS_HOOK_DISABLE] = {PLATE_CHIP, 'R', HOOK SLASH LONG("ENDL")},
    [TM_TILE_HIT_ENABLE] = {PLATE_CHIP, 'G', HAMMER WORD("HIT")},
    [TM_TILE_HIT_DISABLE] = {PLATE_CHIP, 'R', HAMMER SLASH WORD("HIT")},
    [TM_TILE_SOLO_ENABLE] = {PLATE_CHIP, 'G', TEE("E") WORD("SOLO")},
    [TM_TILE_SOLO_DISABLE] = {PLATE_CHIP, 'R', TEE("E") SLASH WORD("SOLO")},
    [TM_TILE_SWITCH_TIMED_CLOSE] = {PLATE_CHIP, 'D', CLOCK("R") LONG("CLOSE")},
    [TM_TILE_SWITCH_OPEN] = {PLATE_CHIP, 'D', "o 32 24 16 !G " WORD("OPEN")},
    [TM_TILE_SWITCH_CLOSE] = {PLATE_CHIP, 'D', "o 32 24 16 !R " LONG("CLOSE")},
    [TM_TILE_TELE_IN] = {PLATE_PORTAL, 'B', IN},
    [TM_TILE_TELE_OUT] = {PLATE_PORTAL, 'Y', OUT},
    [TM_TILE_SPEEDUP_OLD] = {PLATE_FAINT, 'O', "p 10 24 34 24 34 11 56 32 34 53 34 40 10 40 !O"},
    [TM_TILE_TELE_CHECKPOINT] = {PLATE_CHECK, 'T', ""},
    [TM_TILE_TELE_CHECKPOINT_OUT] = {PLATE_CHECK, 'Y', OUT},
    [TM_TILE_TELE_CHECKPOINT_IN] = {PLATE_CHECK, 'B', TICK},
    [TM_TILE_REFILL_JUMPS] = {PLATE_FAINT, 'C',
                              "w 5 r 32 32 25 !W w 7 l 18 34 32 21 46 34 l 18 47 32 34 46 47 !C"},
    [TM_TILE_START] = {PLATE_AREA, 'G', "p 20 6 50 24 20 42 !W " LONG("START")},
    [TM_TILE_FINISH] =
        {PLATE_AREA, 'D',
         "b 8 4 56 43 0 !K b 8 4 20 17 0 b 32 4 44 17 0 b 20 17 32 30 0 b 44 17 56 30 0 b 8 30 20 43 0 "
         "b 32 30 44 43 0 .W " LONG("FINISH")},
    [TM_TILE_STOPPER] = {PLATE_FAINT, 'B', "b 3 5 61 16 3 !R p 32 21 53 42 11 42 b 24 40 40 59 2 !W"},
    [TM_TILE_STOPPER_TWO_WAY] = {PLATE_FAINT, 'B',
                                 "b 3 26 61 38 3 !R p 32 24 48 6 16 6 p 32 40 48 58 16 58 !W"},
    [TM_TILE_STOPPER_ALL] =
        {PLATE_FAINT, 'B',
         "b 21 21 43 43 4 !R p 32 19 43 5 21 5 p 32 45 43 59 21 59 p 19 32 5 21 5 43 p 45 32 59 21 59 43 !W"},
    [TM_TILE_TELE_CHECKPOINT_IN_EVIL] = {PLATE_CHECK, 'R', TICK},
    [TM_TILE_MOVER_SLOW] = {PLATE_FAINT, 'W', "p 32 9 55 53 32 41 9 53 !C"},
    [TM_TILE_MOVER_FAST] = {PLATE_FAINT, 'W', "p 32 4 53 36 32 26 11 36 p 32 29 53 61 32 51 11 61 !C"},
    [TM_TILE_THROUGH_ALL] =
        {PLATE_AREA, 'T',
         THROUGH "!S w 4 l 3 15 3 3 15 3 l 49 3 61 3 61 15 l 61 49 61 61 49 61 l 15 61 3 61 3 49 .W"},
    [TM_TILE_THROUGH_DIRECTION] = {PLATE_AREA, 'T',
                                   "b 4 4 60 11 2 !D p 32 15 50 34 14 34 b 25 32 39 45 2 !S " WORD("HOOK")},
    [TM_TILE_TUNE] = {PLATE_FAINT, 'A',
                      "w 3 l 20 16 20 48 l 32 16 32 48 l 44 16 44 48 .K o 20 38 6 o 32 24 6 o 44 33 6 .W"},
    [TM_TILE_OLD_LASER] = {PLATE_CHIP, 'P', RIFLE "w 5 l 36 20 56 20 !R " WORD("OLD")},
    [TM_TILE_NO_PLAYER_COLLISION] = {PLATE_CHIP, 'P', TEES SLASH WORD("COLL")},
    [TM_TILE_ENDLESS_HOOK] = {PLATE_CHIP, 'P', HOOK LONG("ENDL")},
    [TM_TILE_NO_HIT] = {PLATE_CHIP, 'P', HAMMER SLASH WORD("HIT")},
    [TM_TILE_NO_PLAYER_HOOK] = {PLATE_CHIP, 'P', TEE_HOOK SLASH WORD("HOOK")},
    [TM_TILE_UNLOCK_TEAM] = {PLATE_CHIP, 'S',
                             "w 6 l 22 28 22 14 27 8 36 8 41 13 !W b 14 25 50 46 5 !Y o 32 35 4 .K " WORD(
                                 "TEAM")},
    [TM_TILE_ADD_TIME] = {PLATE_CHIP, 'R', CLOCK("D") LONG("+TIME")},
    [TM_TILE_PLAYER_COLLISION_DISABLE] = {PLATE_CHIP, 'R', TEES SLASH WORD("COLL")},
    [TM_TILE_UNLIMITED_JUMPS_DISABLE] = {PLATE_CHIP, 'R', ENDLESS SLASH WORD("JUMP")},
    [TM_TILE_JETPACK_DISABLE] = {PLATE_CHIP, 'R', JETPACK SLASH WORD("JET")},
    [TM_TILE_PLAYER_HOOK_DISABLE] = {PLATE_CHIP, 'R', TEE_HOOK SLASH WORD("HOOK")},
    [TM_TILE_SUBTRACT_TIME] = {PLATE_CHIP, 'G', CLOCK("D") LONG("-TIME")},
    [TM_TILE_TELE_GUN_ENABLE] = {PLATE_CHIP, 'G', PORTAL("O") GUN WORD("TELE")},
    [TM_TILE_TELE_GUN_DISABLE] = {PLATE_CHIP, 'R', PORTAL("O") GUN SLASH WORD("TELE")},
    [TM_TILE_ALLOW_TELE_GUN] = {PLATE_CHIP, 'D', PORTAL("O") GUN WORD("TELE")},
    [TM_TILE_ALLOW_BLUE_TELE_GUN] = {PLATE_CHIP, 'D', PORTAL("B") GUN WORD("TELE")},
    [TM_TILE_PLAYER_COLLISION_ENABLE] = {PLATE_CHIP, 'G', TEES WORD("COLL")},
    [TM_TILE_UNLIMITED_JUMPS_ENABLE] = {PLATE_CHIP, 'G', ENDLESS WORD("JUMP")},
    [TM_TILE_JETPACK_ENABLE] = {PLATE_CHIP, 'G', JETPACK WORD("JET")},
    [TM_TILE_PLAYER_HOOK_ENABLE] = {PLATE_CHIP, 'G', TEE_HOOK WORD("HOOK")},
    [TM_TILE_TELE_GRENADE_ENABLE] = {PLATE_CHIP, 'G', PORTAL("O") GRENADE WORD("TELE")},
    [TM_TILE_TELE_GRENADE_DISABLE] = {PLATE_CHIP, 'R', PORTAL("O") GRENADE SLASH WORD("TELE")},
    [TM_TILE_TELE_LASER_ENABLE] = {PLATE_CHIP, 'G', PORTAL("O") RIFLE WORD("TELE")},
    [TM_TILE_TELE_LASER_DISABLE] = {PLATE_CHIP, 'R', PORTAL("O") RIFLE SLASH WORD("TELE")},
    [TM_TILE_LIVE_FREEZE] = {PLATE_AREA, 'P', FLAKE_32 " .W"},
    [TM_TILE_LIVE_UNFREEZE] = {PLATE_AREA, 'P', SUN_32 " .Y"},
    [TM_TILE_ENTITIES_OFF_1] = {PLATE_AREA, 'R', "t 33 20 15 TURN t 33 44 15 ENTI !W"},
    [TM_TILE_ENTITIES_OFF_2] = {PLATE_AREA, 'R', "t 31 20 15 OFF t 31 44 15 TIES !W"},
    [TM_TILE_SPAWN] = {PLATE_CHIP, 'S', TEE("E") LONG("SPAWN")},
    [TM_TILE_SPAWN_RED] = {PLATE_CHIP, 'R', TEE("R") LONG("SPAWN")},
    [TM_TILE_SPAWN_BLUE] = {PLATE_CHIP, 'B', TEE("B") LONG("SPAWN")},
    [TM_TILE_FLAG_RED] = {PLATE_CHIP, 'S', FLAG("R")},
    [TM_TILE_FLAG_BLUE] = {PLATE_CHIP, 'S', FLAG("B")},
    [TM_TILE_ARMOR] = {PLATE_CHIP, 'L', SHIELD("S")},
    [TM_TILE_HEALTH] = {PLATE_CHIP, 'L',
                        "o 22 23 12 o 42 23 12 p 11 27 53 27 32 55 p 20 20 44 20 44 30 20 30 !R"},
    [TM_TILE_WEAPON_SHOTGUN] = {PLATE_CHIP, 'L',
                                "p 6 38 12 22 28 18 34 24 20 30 14 42 !N w 6 l 26 17 57 13 !S " WORD("SHOT")},
    [TM_TILE_WEAPON_GRENADE] = {PLATE_CHIP, 'L',
                                "w 11 l 12 30 36 20 !S o 47 15 9 !R b 12 30 20 42 3 !D " WORD("GREN")},
    [TM_TILE_NINJA] = {PLATE_CHIP, 'L',
                       "w 6 l 24 30 54 6 !W w 6 l 10 42 22 32 !D w 5 l 16 24 30 39 !Y " LONG("NINJA")},
    [TM_TILE_WEAPON_LASER] = {PLATE_CHIP, 'L',
                              "b 6 14 36 25 3 b 9 23 19 40 3 !B w 5 l 40 19 58 19 !C " LONG("LASER")},
    [TM_TILE_LASER_FAST_CCW] = {PLATE_CHIP, 'J', TURN_LEFT "!R " WORD("FAST")},
    [TM_TILE_LASER_NORMAL_CCW] = {PLATE_CHIP, 'J', TURN_LEFT "!Y " WORD("NORM")},
    [TM_TILE_LASER_SLOW_CCW] = {PLATE_CHIP, 'J', TURN_LEFT "!G " WORD("SLOW")},
    [TM_TILE_LASER_STOP] = {PLATE_CHIP, 'J', "w 6 r 32 24 14 b 26 18 38 30 1 !S " WORD("STOP")},
    [TM_TILE_LASER_SLOW_CW] = {PLATE_CHIP, 'J', TURN_RIGHT "!G " WORD("SLOW")},
    [TM_TILE_LASER_NORMAL_CW] = {PLATE_CHIP, 'J', TURN_RIGHT "!Y " WORD("NORM")},
    [TM_TILE_LASER_FAST_CW] = {PLATE_CHIP, 'J', TURN_RIGHT "!R " WORD("FAST")},
    [TM_TILE_LASER_SHORT] = {PLATE_CHIP, 'J', BEAM("28") "t 32 47 19 3 !W"},
    [TM_TILE_LASER_MEDIUM] = {PLATE_CHIP, 'J', BEAM("42") "t 32 47 19 6 !W"},
    [TM_TILE_LASER_LONG] = {PLATE_CHIP, 'J', BEAM("56") "t 32 47 19 9 !W"},
    [TM_TILE_LASER_CLOSE_SLOW] = {PLATE_CHIP, 'J', CLOSING "!M " WORD("SLOW")},
    [TM_TILE_LASER_CLOSE_NORMAL] = {PLATE_CHIP, 'J', CLOSING "!M " WORD("NORM")},
    [TM_TILE_LASER_CLOSE_FAST] = {PLATE_CHIP, 'J', CLOSING "!M " WORD("FAST")},
    [TM_TILE_LASER_OPEN_SLOW] = {PLATE_CHIP, 'J', OPENING "!G " WORD("SLOW")},
    [TM_TILE_LASER_OPEN_NORMAL] = {PLATE_CHIP, 'J', OPENING "!G " WORD("NORM")},
    [TM_TILE_LASER_OPEN_FAST] = {PLATE_CHIP, 'J', OPENING "!G " WORD("FAST")},
    [TM_TILE_PLASMA_EXPLOSIVE] = {PLATE_CHIP, 'O', BURST " !R " LONG("PLASMA")},
    [TM_TILE_PLASMA_FREEZE] = {PLATE_CHIP, 'I', FLAKE_24 " !W " LONG("PLASMA")},
    [TM_TILE_PLASMA] = {PLATE_CHIP, 'I', BURST " !R " FLAKE_24 " .W " LONG("PLASMA")},
    [TM_TILE_PLASMA_UNFREEZE] = {PLATE_CHIP, 'Y', SUN_24 " !W " LONG("PLASMA")},
    [TM_TILE_CRAZY_SHOTGUN_EXPLOSIVE] = {PLATE_CHIP, 'N', BURST " !O o 32 24 9 !S " LONG("CRAZY")},
    [TM_TILE_CRAZY_SHOTGUN] = {PLATE_CHIP, 'N',
                               "o 40 24 12 !S w 4 l 8 15 22 15 l 6 24 20 24 l 8 33 22 33 !W " LONG("CRAZY")},
    [TM_TILE_ARMOR_SHOTGUN] = {PLATE_CHIP, 'D', SHIELD("N") "t 32 29 24 S !W"},
    [TM_TILE_ARMOR_GRENADE] = {PLATE_CHIP, 'D', SHIELD("R") "t 32 29 24 G !W"},
    [TM_TILE_ARMOR_NINJA] = {PLATE_CHIP, 'D', SHIELD("P") "t 32 29 24 N !W"},
    [TM_TILE_ARMOR_LASER] = {PLATE_CHIP, 'D', SHIELD("B") "t 32 29 24 L !W"},
    [TM_TILE_DRAGGER_WEAK] = {PLATE_CHIP, 'S', MAGNET("G") WORD("WEAK")},
    [TM_TILE_DRAGGER_NORMAL] = {PLATE_CHIP, 'S', MAGNET("Y") WORD("NORM")},
    [TM_TILE_DRAGGER_STRONG] = {PLATE_CHIP, 'S', MAGNET("R") WORD("MAX")},
    [TM_TILE_DRAGGER_WEAK_THROUGH_WALLS] = {PLATE_CHIP, 'P', MAGNET("G") WALLS WORD("WEAK")},
    [TM_TILE_DRAGGER_NORMAL_THROUGH_WALLS] = {PLATE_CHIP, 'P', MAGNET("Y") WALLS WORD("NORM")},
    [TM_TILE_DRAGGER_STRONG_THROUGH_WALLS] = {PLATE_CHIP, 'P', MAGNET("R") WALLS WORD("MAX")},
    [TM_TILE_DOOR] = {PLATE_CHIP, 'N', "w 7 l 32 12 32 36 !C o 32 10 7 o 32 38 7 !S " WORD("DOOR")},
};

/* ----------------------------------------------------------------------------------------------- entities */

static void paint_plate(tmi_canvas *canvas, const icon *drawing)
{
    static const struct {
        const char *base, *rim;
        float base_alpha, rim_alpha;
        bool bright; /* the rim has the plate's color */
    } plates[] = {
        [PLATE_NONE] = {"b 5 5 59 59 8", "b 2 2 62 62 11 x b 5 5 59 59 8", 0.4F, 0.5F, false},
        [PLATE_AREA] = {"b 0 0 64 64 0", "b 0 0 64 64 0 x b 2 2 62 62 0", 0.62F, 0.22F, false},
        [PLATE_FAINT] = {"b 0 0 64 64 0", "b 0 0 64 64 0 x b 2 2 62 62 0", 0.3F, 0.22F, false},
        [PLATE_CHIP] = {"b 5 5 59 59 8", "b 2 2 62 62 11 x b 5 5 59 59 8", 0.7F, 0.75F, false},
        [PLATE_PORTAL] = {"o 32 32 24", "w 7 r 32 32 27", 0.42F, 1, true},
        [PLATE_CHECK] = {"b 8 8 56 56 7", "b 2 2 62 62 14 x b 9 9 55 55 8", 0.42F, 1, true},
    };
    static const tmi_ink dark = {0.04F, 0.05F, 0.08F, 1};
    tmi_canvas_draw(canvas, plates[drawing->plate].base);
    fill_cell(canvas, tmi_ink_of(drawing->color), plates[drawing->plate].base_alpha);
    tmi_canvas_draw(canvas, plates[drawing->plate].rim);
    fill_cell(canvas, plates[drawing->plate].bright ? tmi_ink_of(drawing->color) : dark,
              plates[drawing->plate].rim_alpha);
}

/*
 * The tile of DDNet whose picture shows what a tile of the mod does; TM_TILE_AIR: none does, so its number is
 * shown.
 */
static uint8_t tile_like(const tm_mod *mod, uint8_t index)
{
    static const uint8_t tiles[TM_TILE_CATEGORY_COUNT] = {
        [TM_CATEGORY_SOLID] = TM_TILE_SOLID,        [TM_CATEGORY_HAZARD] = TM_TILE_DEATH,
        [TM_CATEGORY_FREEZE] = TM_TILE_FREEZE,      [TM_CATEGORY_SPAWN] = TM_TILE_SPAWN,
        [TM_CATEGORY_FLAG] = TM_TILE_FLAG_RED,      [TM_CATEGORY_DOOR] = TM_TILE_DOOR,
        [TM_CATEGORY_SWITCH] = TM_TILE_SWITCH_OPEN, [TM_CATEGORY_RACE] = TM_TILE_START,
    };
    for (uint32_t i = 0; mod && i < mod->num_tiles; i++) {
        const tm_tile_info *tile = &mod->tiles[i];
        const bool same =
            tile->index == index && (tile->layers[TM_LAYER_GAME] || tile->layers[TM_LAYER_FRONT]);
        if (same)
            return tiles[tile->category];
    }
    return index;
}

void tmi_paint_entities(uint8_t *sheet, tmi_canvas *canvas, const bool used[256], const tm_mod *mod)
{
    static const icon time_checkpoint = {PLATE_CHIP, 'P', "t 32 15 11 TIME !L"},
                      unknown = {PLATE_NONE, 'S', ""};
    char digits[3];
    for (uint32_t index = 1; index < 256; index++) {
        const uint8_t like = tile_like(mod, (uint8_t)index);
        const bool checkpoint = like >= TM_TILE_TIME_CHECKPOINT_1 && like <= TM_TILE_TIME_CHECKPOINT_25;
        const uint32_t number = checkpoint ? index - TM_TILE_TIME_CHECKPOINT_1 + 1 : index;
        const icon *drawn = checkpoint ? &time_checkpoint : icons[like].commands ? &icons[like] : &unknown;
        if (!used[index])
            continue;
        tmi_canvas_clear(canvas);
        paint_plate(canvas, drawn);
        tmi_canvas_draw(canvas, drawn->commands);
        if (checkpoint || drawn->plate == PLATE_NONE) {
            const size_t num = digits_of(digits, number);
            tmi_canvas_add_text(canvas, digits, num, MIDDLE, checkpoint ? 39 : MIDDLE, checkpoint ? 28 : 20);
            fill_text(canvas, 2);
        }
        tmi_canvas_store(canvas, cell_of(sheet, index), STRIDE);
    }
}

/* ------------------------------------------------------------------------------------------------- arrows */

/* Sine and cosine of a degree, from which those of all others come. */
#define DEGREE_SINE   0.017452406437283512
#define DEGREE_COSINE 0.99984769515639124

typedef struct angle {
    double sine, cosine;
} angle;

static angle next_degree(angle direction)
{
    return (angle){direction.sine * DEGREE_COSINE + direction.cosine * DEGREE_SINE,
                   direction.cosine * DEGREE_COSINE - direction.sine * DEGREE_SINE};
}

void tmi_paint_arrows(uint8_t *sheet, tmi_canvas *canvas, const bool used[256])
{
    static const icon faint = {PLATE_FAINT, 'Y', ""};
    angle direction = {0, 1};
    for (uint32_t degrees = 0; degrees < TMI_NUM_ANGLES; degrees++, direction = next_degree(direction)) {
        if (!used[1 + degrees])
            continue;
        tmi_canvas_clear(canvas);
        paint_plate(canvas, &faint);
        canvas->sine = (float)direction.sine, canvas->cosine = (float)direction.cosine;
        tmi_canvas_draw(canvas, "p 8 25 34 25 34 11 57 32 34 53 34 39 8 39 !Y");
        tmi_canvas_store(canvas, cell_of(sheet, 1 + degrees), STRIDE);
    }
}

/* A texel of a picture; outside of it the nearest one, without alpha. */
static tmi_rgba texel(const uint8_t *rgba, uint32_t width, uint32_t height, int64_t x, int64_t y)
{
    const bool outside = x < 0 || y < 0 || x >= width || y >= height;
    x = x < 0 ? 0 : x >= width ? (int64_t)width - 1 : x;
    y = y < 0 ? 0 : y >= height ? (int64_t)height - 1 : y;
    tmi_rgba out = tmi_load(rgba + 4 * ((size_t)y * width + (size_t)x));
    if (outside)
        out[3] = 0;
    return out;
}

/* The game lays the picture over the tile but for a rim, and turns it there. */
void tmi_turn_arrow(uint8_t *sheet, const bool used[256], const uint8_t *rgba, uint32_t width,
                    uint32_t height)
{
    const double rim = 2, inner = (TM_TILE_PX - 2 * rim) / TM_TILE_PX; /* px */
    angle direction = {0, 1};
    for (uint32_t degrees = 0; degrees < TMI_NUM_ANGLES; degrees++, direction = next_degree(direction)) {
        uint8_t *cell = cell_of(sheet, 1 + degrees);
        for (uint32_t i = 0; used[1 + degrees] && i < CELL * CELL; i++) {
            const uint32_t column = i % CELL, row = i / CELL;
            const double x = (column + 0.5) / CELL - 0.5, y = (row + 0.5) / CELL - 0.5;
            const double u = ((x * direction.cosine + y * direction.sine) / inner + 0.5) * width - 0.5,
                         v = ((y * direction.cosine - x * direction.sine) / inner + 0.5) * height - 0.5;
            const double left = floor(u), top = floor(v);
            const int64_t tx = (int64_t)left, ty = (int64_t)top;
            const float fx = (float)(u - left), fy = (float)(v - top);
            const tmi_rgba upper = texel(rgba, width, height, tx, ty) * (1 - fx) +
                                   texel(rgba, width, height, tx + 1, ty) * fx,
                           lower = texel(rgba, width, height, tx, ty + 1) * (1 - fx) +
                                   texel(rgba, width, height, tx + 1, ty + 1) * fx;
            tmi_store(cell + (size_t)row * STRIDE + (size_t)column * 4, upper * (1 - fy) + lower * fy);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ numbers */

/*
 * As large as the game has them: letters of 0.92 of a size that is as high as the room and lets the digits
 * fit into the cell. Their digits are 0.73 of that size high.
 */
void tmi_paint_numbers(uint8_t *sheet, tmi_canvas *canvas, const bool used[256], float middle, float room)
{
    char digits[3];
    for (uint32_t number = 1; number < 256; number++) {
        const size_t num = digits_of(digits, number);
        const float size = room * 0.73F, fitting = CELL / (TMI_LETTER_ADVANCE * (float)num);
        if (!used[number])
            continue;
        tmi_canvas_clear(canvas);
        tmi_canvas_add_text(canvas, digits, num, MIDDLE, middle, (size < fitting ? size : fitting) * 0.92F);
        fill_text(canvas, 2.5F);
        tmi_canvas_store(canvas, cell_of(sheet, number), STRIDE);
    }
}

/* ------------------------------------------------------------------------------------------------ tunings */

static float fraction(float value)
{
    return value - floorf(value);
}

/* The colors have saturation 0.75, and the lightness of each pixel. */
void tmi_paint_tunes(uint8_t *sheet, const uint8_t *cell, uint32_t width, uint32_t height, uint32_t num)
{
    static const float shifts[3] = {0, 2.0F / 3, 1.0F / 3};
    for (uint32_t k = 1; k <= num; k++) {
        const float hue = fraction((float)(k - 1) * 0.38197F);
        for (uint32_t i = 0; i < width * height; i++) {
            const size_t x = (size_t)(k % 16) * width + i % width, y = (size_t)(k / 16) * height + i / width;
            const uint8_t *pixel = cell + (size_t)4 * i;
            uint8_t *target = sheet + 4 * (y * 16 * width + x);
            const int low = pixel[0] < pixel[1] ? pixel[0] : pixel[1],
                      high = pixel[0] < pixel[1] ? pixel[1] : pixel[0];
            const int least = pixel[2] < low ? pixel[2] : low, most = pixel[2] > high ? pixel[2] : high;
            const float light = (float)(least + most) / 510;
            const float reach = 0.75F * (light < 0.5F ? light : 1 - light);
            for (int c = 0; c < 3; c++) {
                /* full to 1, falls to 2, none to 4, rises to 5 */
                const float at = fraction(hue + shifts[c]) * 6;
                const float full = at < 1 || at >= 5 ? 1 : at < 2 ? 2 - at : at < 4 ? 0 : at - 4;
                target[c] = (uint8_t)((light + reach * (2 * full - 1)) * 255 + 0.5F);
            }
            target[3] = pixel[3];
        }
    }
}
