/* SPDX-License-Identifier: Zlib */
/*
 * Rules of the way from the spawn to the finish: what players cannot reach, or can go around, what is too
 * thin, and tiles that are too near to one another. All are guesses from the floods of lint_reach.c.
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

/* The result of the floods; NULL: reach is unknown, also where grenades teleport, or there is no spawn. */
static const tmi_lint_reach *known_reach(const tmi_lint *lint)
{
    const bool known = lint->reach && lint->reach->known && tmi_lint_num_spawns(lint);
    return known && !tmi_map_has_command(lint->map, "sv_kog_grenade_tele") ? lint->reach : NULL;
}

/* Adds a note about a line, such as the start, at its places in the layer that has it. */
static tmi_lint_note *note_line(tmi_lint *lint, uint32_t rule, uint8_t index, const char *text)
{
    const tm_layer_kind kind =
        tmi_lint_num_tiles(lint, TM_LAYER_GAME, index) ? TM_LAYER_GAME : TM_LAYER_FRONT;
    tmi_lint_note *note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, kind), "%s", text);
    tmi_lint_request_tiles(lint, note, kind, index, -1);
    return note;
}

/* ------------------------------------------------------------------------------------- start and finish */

static void finish_unreachable(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    if (reach && tmi_lint_num_played(lint, TM_TILE_FINISH) && !reach->lines[TM_TILE_FINISH])
        note_line(lint, rule, TM_TILE_FINISH, "no way leads from a spawn to the finish");
}

static void start_unreachable(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    if (reach && tmi_lint_num_played(lint, TM_TILE_START) && tmi_lint_num_played(lint, TM_TILE_FINISH) &&
        !reach->lines[TM_TILE_START]) /* without a finish it is no race, or another rule says so */
        note_line(lint, rule, TM_TILE_START, "no way leads from a spawn to the start");
}

static void start_bypassed(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    if (reach && tmi_lint_num_played(lint, TM_TILE_START) && reach->finish_on_foot)
        note_line(
            lint, rule, TM_TILE_FINISH,
            "from a spawn one comes to the finish without crossing a start line, freeze or a teleporter");
}

static void spawn_cut_off(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    uint32_t num = 0;
    const tmi_lint_point *first = NULL;
    if (!reach || (!reach->lines[TM_TILE_START] && !reach->lines[TM_TILE_FINISH]))
        return;
    for (size_t i = 0; i < reach->num_points; i++) {
        if (!reach->points[i].cut_off)
            continue;
        num += reach->points[i].x1 - reach->points[i].x0;
        first = first ? first : &reach->points[i];
    }
    if (!num)
        return;
    tmi_lint_note_count(
        tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME),
                          "from a spawn at %u,%u no start and no finish can be reached, from others they can",
                          (unsigned)first->x0, (unsigned)first->y),
        num);
}

static void time_checkpoint_unreachable(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    for (uint32_t index = TM_TILE_TIME_CHECKPOINT_1; reach && index <= TM_TILE_TIME_CHECKPOINT_25; index++) {
        char text[TM_ERROR_TEXT_SIZE];
        if (!tmi_lint_num_played(lint, (uint8_t)index) || reach->lines[index])
            continue;
        tmi_format(text, sizeof(text), "no way leads from a spawn to time checkpoint %u",
                   (unsigned)(index - TM_TILE_TIME_CHECKPOINT_1 + 1));
        note_line(lint, rule, (uint8_t)index, text);
    }
}

static void time_checkpoint_order(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    bool late[TM_TILE_INDICES] = {false};
    uint32_t num = 0;
    for (uint32_t index = TM_TILE_TIME_CHECKPOINT_1; index <= TM_TILE_TIME_CHECKPOINT_25; index++)
        num += tmi_lint_num_played(lint, (uint8_t)index) > 0;
    if (reach && num > 1)
        tmi_lint_reach_order(lint, late);
    for (uint32_t index = TM_TILE_TIME_CHECKPOINT_1; index <= TM_TILE_TIME_CHECKPOINT_25; index++) {
        char text[TM_ERROR_TEXT_SIZE];
        if (!late[index])
            continue;
        tmi_format(text, sizeof(text),
                   "every way to time checkpoint %u crosses one with a higher number first",
                   (unsigned)(index - TM_TILE_TIME_CHECKPOINT_1 + 1));
        note_line(lint, rule, (uint8_t)index, text);
    }
}

/* A rule: players can leave the map. Outside, the games repeat the tiles of its edge. */
static void open_edge(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    tmi_lint_note *note = NULL;
    for (uint32_t y = 0; reach && y < reach->height; y++) {
        const bool whole = !y || y + 1 == reach->height;
        for (uint32_t x = 0; x < reach->width; x += whole || reach->width == 1 ? 1 : reach->width - 1) {
            if (!tmi_lint_reach_walks_at(lint, x, y))
                continue;
            if (!note && (note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME),
                                                   "the map is open at its edge")))
                note->count = 0;
            if (!note)
                continue;
            note->count++;
            tmi_lint_note_place(lint, note, x, x + 1, y);
        }
    }
}

/* ------------------------------------------------------------------------------------------- thin walls */

/*
 * Walls of one tile with room for players on both sides, three or more in a line; found 64 tiles at a time in
 * the planes that the floods leave: what is barred, and where no flood came.
 */
enum { WORD = TMI_LINT_WORD };

/* Walls of a row, in a word of it; none beyond the map. */
TMI_INLINE uint64_t walls_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    return y < reach->height && word < reach->words ? reach->barred[(size_t)y * reach->words + word] : 0;
}

/* Tiles to which the flood came. What lies right of the map is barred. */
TMI_INLINE uint64_t reached_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    if (y >= reach->height || word >= reach->words)
        return 0;
    const size_t at = (size_t)y * reach->words + word;
    return ~(reach->open[at] | reach->barred[at]);
}

/* Walls with reached tiles to the left and to the right; y and word may be -1. */
TMI_INLINE uint64_t upright_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    const uint64_t walls = walls_of(reach, y, word), here = reached_of(reach, y, word);
    return walls & (here << 1 | reached_of(reach, y, word - 1) >> (WORD - 1)) &
           (here >> 1 | reached_of(reach, y, word + 1) << (WORD - 1));
}

/* Such with reached tiles above and below. */
TMI_INLINE uint64_t lying_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    return walls_of(reach, y, word) & reached_of(reach, y - 1, word) & reached_of(reach, y + 1, word);
}

/* Whether the middle one of five walls in line is thin together with two next to it. */
static bool is_thin_line(const bool thin[5])
{
    return thin[2] && ((thin[1] && thin[3]) || (thin[0] && thin[1]) || (thin[3] && thin[4]));
}

/* Whether a wall is one of three in line. Beyond the map, also where a number wraps around, is no wall. */
static bool is_thin_wall(const tmi_lint_reach *reach, uint32_t x, uint32_t y)
{
    bool upright[5], lying[5];
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t beside = x + i - 2;
        upright[i] = upright_of(reach, y + i - 2, x / WORD) >> x % WORD & 1;
        lying[i] = lying_of(reach, y, beside / WORD) >> beside % WORD & 1;
    }
    return is_thin_line(upright) || is_thin_line(lying);
}

/* The next thin wall of a row, from x on; the width: there is none. Death is barred like walls, too. */
static uint32_t next_thin(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    const tmi_lint_reach *reach = lint->reach;
    for (uint32_t word = x / WORD; word < reach->words; x = ++word * WORD) {
        uint64_t bits = walls_of(reach, y, word) ? upright_of(reach, y, word) | lying_of(reach, y, word) : 0;
        bits &= UINT64_MAX << x % WORD;
        for (; bits; bits &= bits - 1) {
            const uint32_t at = word * WORD + tmi_lowest_bit(bits);
            if (tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, at, y)) && is_thin_wall(reach, at, y))
                return at;
        }
    }
    return reach->width;
}

static void thin_wall(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_reach *reach = known_reach(lint);
    tmi_lint_note *note = NULL;
    uint64_t num = 0;
    for (uint32_t y = 0; reach && y < reach->height; y++) {
        for (uint32_t x0 = next_thin(lint, 0, y), x1; x0 < reach->width; x0 = next_thin(lint, x1, y)) {
            for (x1 = x0 + 1; x1 < reach->width && next_thin(lint, x1, y) == x1;)
                x1++;
            if (!note)
                note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME),
                                         "walls are one tile thick");
            if (!note)
                return;
            tmi_lint_note_place(lint, note, x0, x1, y);
            num += x1 - x0;
        }
    }
    tmi_lint_note_count(note, num);
}

/* --------------------------------------------------------------------------------------------- curtains */

enum { SHORTEST = 3 }; /* tiles in line that make a barrier, which this file calls a curtain */

/* Whether a tile is a barrier: it takes tees away, kills them or stops them in all directions. */
static bool stops_who_come(tm_layer_kind kind, uint8_t index)
{
    if (kind == TM_LAYER_TELE)
        return index == TM_TILE_TELE_IN || index == TM_TILE_TELE_IN_EVIL ||
               index == TM_TILE_TELE_CHECKPOINT_IN || index == TM_TILE_TELE_CHECKPOINT_IN_EVIL;
    return (kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT) &&
           (index == TM_TILE_DEATH || index == TM_TILE_STOPPER_ALL);
}

/* Whether tees can be at a place on one side of a barrier: it has no wall and is no barrier itself. */
static bool is_open_beside(const tmi_lint *lint, const tmi_lint_run *run, int64_t x, int64_t y)
{
    const tm_grid *grid = &lint->layers[run->kind].grid;
    if (x < 0 || y < 0 || x >= grid->width || y >= grid->height)
        return false;
    const uint8_t game = tmi_lint_index_at(lint, TM_LAYER_GAME, x, y);
    return !tmi_lint_is_wall(game) && !stops_who_come(TM_LAYER_GAME, game) &&
           !stops_who_come(run->kind, tmi_lint_index_at(lint, run->kind, x, y));
}

static bool continues(const tmi_lint *lint, const tmi_lint_run *run, int64_t y)
{
    return tmi_lint_index_at(lint, run->kind, run->x0, y) == run->index;
}

/* A rule: marks barriers of death, stoppers or teleporters that are one tile thick, which tees may pass. */
static void thin_curtain(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    const tm_grid *grid = &lint->layers[run->kind].grid;
    const size_t size = (size_t)(run->x1 - run->x0) * grid->tile_size;
    const int64_t y0 = run->y;
    if (run->x1 - run->x0 == 1) { /* part of a vertical one, with others above or below it? */
        const bool up = continues(lint, run, y0 - 1), down = continues(lint, run, y0 + 1);
        if (((up && down) || (up && continues(lint, run, y0 - 2)) ||
             (down && continues(lint, run, y0 + 2))) &&
            is_open_beside(lint, run, (int64_t)run->x0 - 1, y0) &&
            is_open_beside(lint, run, (int64_t)run->x0 + 1, y0))
            tmi_lint_mark(lint, rule, run, run->x0, run->x1);
    }
    /* inside an area, where the row above or below has the same tiles, nothing is thin */
    if (run->x1 - run->x0 < SHORTEST ||
        (run->y && memcmp(run->tile, run->tile - grid->row_stride, size) == 0) ||
        (run->y + 1 < grid->height && memcmp(run->tile, run->tile + grid->row_stride, size) == 0))
        return;
    for (uint32_t x = run->x0; x < run->x1; x++) {
        const uint32_t begin = x;
        while (x < run->x1 && is_open_beside(lint, run, x, y0 - 1) && is_open_beside(lint, run, x, y0 + 1))
            x++;
        if (x - begin >= SHORTEST)
            tmi_lint_mark(lint, rule, run, begin, x);
    }
}

/* -------------------------------------------------------------------------------- tiles that are too near */

/* The tile that ends the effect of a tile, or restarts it; 0 for tiles without an opposite. */
static uint8_t opposite_of(uint8_t index)
{
    static const uint8_t pairs[][2] = {{TM_TILE_ENDLESS_HOOK_ENABLE, TM_TILE_ENDLESS_HOOK_DISABLE},
                                       {TM_TILE_HIT_ENABLE, TM_TILE_HIT_DISABLE},
                                       {TM_TILE_SOLO_ENABLE, TM_TILE_SOLO_DISABLE},
                                       {TM_TILE_PLAYER_COLLISION_ENABLE, TM_TILE_PLAYER_COLLISION_DISABLE},
                                       {TM_TILE_UNLIMITED_JUMPS_ENABLE, TM_TILE_UNLIMITED_JUMPS_DISABLE},
                                       {TM_TILE_JETPACK_ENABLE, TM_TILE_JETPACK_DISABLE},
                                       {TM_TILE_PLAYER_HOOK_ENABLE, TM_TILE_PLAYER_HOOK_DISABLE},
                                       {TM_TILE_TELE_GUN_ENABLE, TM_TILE_TELE_GUN_DISABLE},
                                       {TM_TILE_TELE_GRENADE_ENABLE, TM_TILE_TELE_GRENADE_DISABLE},
                                       {TM_TILE_TELE_LASER_ENABLE, TM_TILE_TELE_LASER_DISABLE}};
    for (size_t i = 0; i < TMI_COUNT_OF(pairs); i++)
        for (size_t k = 0; k < 2; k++)
            if (pairs[i][k] == index)
                return pairs[i][1 - k];
    return 0;
}

static bool wants_toggle(tm_layer_kind kind, uint8_t index)
{
    return (kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT) && opposite_of(index);
}

static bool touches_index(const tmi_lint *lint, int64_t x, int64_t y, uint8_t index)
{
    static const int8_t beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (size_t i = 0; i < TMI_COUNT_OF(beside); i++)
        if (tmi_lint_index_at(lint, TM_LAYER_GAME, x + beside[i][0], y + beside[i][1]) == index ||
            tmi_lint_index_at(lint, TM_LAYER_FRONT, x + beside[i][0], y + beside[i][1]) == index)
            return true;
    return false;
}

static bool touches_opposite(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return touches_index(lint, x, run->y, opposite_of(run->index));
}

static bool touches_finish(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return touches_index(lint, x, run->y, TM_TILE_FINISH);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(FINISH_UNREACHABLE, RACES, PHYSICS, true, "No way leads from a spawn to the finish.",
                   "Nobody can finish, unless the game opens walls in ways that are not part of the map.",
                   "Look for a wall across the way, a teleporter without an exit, or a wrong number.",
                   "DDNet's rules; libtw2"),
     TMI_LINT_EXCEPT(TM_LINT_FUN), .ways = true, .judge = finish_unreachable},
    {TMI_LINT_RULE(START_UNREACHABLE, RACES, PHYSICS, true, "No way leads from a spawn to the start.",
                   "The time never starts. It is not asked without a finish.",
                   "Look for a wall across the way, or a wrong number.", "DDNet's rules"),
     TMI_LINT_EXCEPT(TM_LINT_FUN), .ways = true, .judge = start_unreachable},
    {TMI_LINT_RULE(
         START_BYPASSED, RACES, PHYSICS, true,
         "A way leads from a spawn to the finish without crossing a start line.",
         "Players who miss the line play without a time. Starts that players are to touch, and ways that "
         "nobody can climb, are reported too.",
         "Draw the start line across the whole way.", "DDNet's rules"),
     TMI_LINT_EXCEPT(TM_LINT_FUN), .ways = true, .judge = start_bypassed},
    {TMI_LINT_RULE(SPAWN_CUT_OFF, RACES, PHYSICS, true,
                   "Neither a start nor a finish is reachable from a spawn, but from others they are.",
                   "Players who spawn there can only leave by dying.", "Move the spawn, or open a way.",
                   "DDNet's testers"),
     .ways = true, .judge = spawn_cut_off},
    {TMI_LINT_RULE(TIME_CHECKPOINT_UNREACHABLE, TM_LINT_DDNET, PHYSICS, true,
                   "No way leads from a spawn to a time checkpoint.", "Nobody can cross it.",
                   "Remove it, or open a way.", "DDNet's rules"),
     .ways = true, .judge = time_checkpoint_unreachable},
    {TMI_LINT_RULE(THIN_FREEZE, TM_LINT_DDNET, PHYSICS, true,
                   "A barrier of teleporters, death or stoppers is one tile thick, with room on both sides.",
                   "Players may pass it at high speed, or when pushed by others.",
                   "Make it two tiles thick where it prevents players from skipping a part.",
                   "DDNet's forum on preventing cheats"),
     .wants = stops_who_come, .see = thin_curtain, .phrase = "in curtains of one tile"},
    {TMI_LINT_RULE(TOGGLES_ADJACENT, TM_LINT_DDNET, PHYSICS, true,
                   "Tiles that begin and end the same effect touch each other.",
                   "Players who move back and forth between them flood the chat.", "Leave room between them.",
                   "DDNet's rules"),
     .wants = wants_toggle, .fits = touches_opposite, .phrase = "beside their opposite"},
    {TMI_LINT_RULE(START_AT_FINISH, RACES, PHYSICS, true, "A start touches a finish.",
                   "Players can finish at once, with an unbeatable record.", "Move one of them.",
                   "ddnet 1266"),
     TMI_LINT_EXCEPT(TM_LINT_FUN), TMI_LINT_TILES(TMI_LINT_PLAYED, START, START), .fits = touches_finish,
     .phrase = "beside a finish"},
    {TMI_LINT_RULE(THIN_WALL, TM_LINT_DDNET, PHYSICS, true,
                   "A wall is one tile thick, with room for players on both sides.",
                   "Ninja passes it, and hammers reach players behind it.",
                   "Make it two tiles thick where it prevents players from skipping a part.",
                   "DDNet's forum on preventing cheats"),
     .ways = true, .judge = thin_wall},
    {TMI_LINT_RULE(TIME_CHECKPOINT_ORDER, TM_LINT_DDNET, PHYSICS, true,
                   "Every way to a time checkpoint crosses one with a higher number first.",
                   "Times are compared at different places.", "Number them in the order of the way.",
                   "DDNet's rules"),
     .ways = true, .judge = time_checkpoint_order},
    {TMI_LINT_RULE(OPEN_EDGE, TM_LINT_DDNET, PHYSICS, true,
                   "Players can reach the edge of the map from a spawn, and it has no wall, freeze or death.",
                   "They can leave the map, and see and hook tiles that nobody drew.",
                   "Close the edge, or place tiles that bring players back.", "DDNet's testers"),
     .ways = true, .judge = open_edge},
};
TMI_LINT_FAMILY(tmi_lint_ways, rows);
