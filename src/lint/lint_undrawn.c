/* SPDX-License-Identifier: Zlib */
/*
 * Finds tiles that act and are not drawn, in maps that draw nearly all of their kind: freeze, death, edges of
 * walls and teleporters over which no design layer of tiles has anything. Only layers count that move with
 * the game layer, and that follow it: those that cover a large part of its air are backgrounds.
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

/* LEAST: tiles of a kind, so that one of them may be the exception. SHARE: one in so many may be. */
enum { LEAST = 200, SHARE = 100, MOST_AIR = 4, WORD = 64 };

/* The kinds of tiles, each of which is drawn, or not, in its own way. */
typedef enum drawn_kind {
    AIR,
    FREEZE,
    DEATH,
    WALL,
    UNHOOKABLE_WALL,
    TELEPORTER,
    OTHER,
    DRAWN_KINDS
} drawn_kind;

static const char *const kind_names[DRAWN_KINDS] = {
    [FREEZE] = "freeze",          [DEATH] = "death",
    [WALL] = "edges of walls",    [UNHOOKABLE_WALL] = "edges of unhookable walls",
    [TELEPORTER] = "teleporters",
};

typedef struct canvas {
    uint32_t width, height;
    uint8_t *kinds;  /* of each tile */
    uint64_t *drawn; /* a bit for each tile */
} canvas;

static bool is_open(const tmi_lint *lint, int64_t x, int64_t y)
{
    const tm_grid *game = &lint->layers[TM_LAYER_GAME].grid;
    return x >= 0 && y >= 0 && x < game->width && y < game->height &&
           !tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, x, y));
}

static drawn_kind kind_at(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    const uint8_t game = tmi_lint_index_at(lint, TM_LAYER_GAME, x, y),
                  front = tmi_lint_index_at(lint, TM_LAYER_FRONT, x, y),
                  tele = tmi_lint_index_at(lint, TM_LAYER_TELE, x, y);
    if (tmi_lint_is_wall(game)) {
        const bool edge = is_open(lint, (int64_t)x - 1, y) || is_open(lint, (int64_t)x + 1, y) ||
                          is_open(lint, x, (int64_t)y - 1) || is_open(lint, x, (int64_t)y + 1);
        return !edge ? OTHER : game == TM_TILE_SOLID ? WALL : UNHOOKABLE_WALL;
    }
    if (tele && tele != TM_TILE_TELE_CHECKPOINT)
        return TELEPORTER;
    return game == TM_TILE_DEATH || front == TM_TILE_DEATH     ? DEATH
           : game == TM_TILE_FREEZE || front == TM_TILE_FREEZE ? FREEZE
           : game || front || tele                             ? OTHER
                                                               : AIR;
}

/* Whether players see the tiles of a layer where the game layer has its own. */
static bool follows_game(const tm_group *group, const tm_layer *layer)
{
    return layer->kind == TM_LAYER_TILES && group->parallax_x == 100 && group->parallax_y == 100 &&
           group->offset_x % TM_TILE_PX == 0 && group->offset_y % TM_TILE_PX == 0 && !group->use_clipping &&
           layer->as.tiles.color.a > 0 && tmi_lint_is_read(layer);
}

/* Adds what a layer draws, unless it draws much of the air. */
static void add_layer(canvas *sheet, const tm_grid *grid, const tm_group *group)
{
    /* the offset of a group is that of the view: tile 0 of its layers lies at minus the offset */
    const int64_t left = -(int64_t)group->offset_x / TM_TILE_PX, top = -(int64_t)group->offset_y / TM_TILE_PX;
    uint64_t air = 0, covered = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t y = 0; y < sheet->height; y++) {
            const int64_t row = y - top;
            const tm_tile *tiles = row >= 0 && row < grid->height
                                       ? (const tm_tile *)grid->tiles + (size_t)row * grid->width
                                       : NULL;
            for (uint32_t x = 0; x < sheet->width; x++) {
                const int64_t column = x - left;
                const bool has = tiles && column >= 0 && column < grid->width && tiles[column].index;
                const size_t at = (size_t)y * sheet->width + x;
                if (pass && has)
                    sheet->drawn[at / WORD] |= (uint64_t)1 << at % WORD;
                air += !pass && sheet->kinds[at] == AIR;
                covered += !pass && has && sheet->kinds[at] == AIR;
            }
        }
        if (covered > air / MOST_AIR)
            return;
    }
}

/* Whether players come so near to a tile that they meet it, as far as is known. */
static bool is_met(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    const tm_grid *game = &lint->layers[TM_LAYER_GAME].grid;
    if (!lint->reach || !lint->reach->known)
        return true;
    for (uint32_t other_y = y ? y - 1 : 0; other_y <= y + 1 && other_y < game->height; other_y++)
        for (uint32_t other_x = x ? x - 1 : 0; other_x <= x + 1 && other_x < game->width; other_x++)
            if (tmi_lint_reach_walks_at(lint, other_x, other_y))
                return true;
    return false;
}

static void note_kind(tmi_lint *lint, uint32_t rule, const canvas *sheet, drawn_kind kind)
{
    const size_t size = (size_t)sheet->width * sheet->height;
    uint64_t num = 0, lacking = 0, met = 0;
    for (size_t i = 0; i < size; i++) {
        const bool drawn = sheet->drawn[i / WORD] >> i % WORD & 1;
        num += sheet->kinds[i] == kind;
        lacking += sheet->kinds[i] == kind && !drawn;
    }
    if (!lacking || num < LEAST || lacking > num / SHARE)
        return;
    tmi_lint_note *note = NULL;
    for (size_t i = 0; i < size; i++) {
        const uint32_t x = (uint32_t)(i % sheet->width), y = (uint32_t)(i / sheet->width);
        if (sheet->kinds[i] != kind || sheet->drawn[i / WORD] >> i % WORD & 1 || !is_met(lint, x, y))
            continue;
        if (!note)
            note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME), "%s",
                                     kind_names[kind]);
        if (!note)
            return;
        tmi_lint_note_place(lint, note, x, x + 1, y);
        met++;
    }
    tmi_lint_note_count(note, met);
    if (note)
        tmi_format(note->text, sizeof(note->text), "%u of %u %s%s drawn by no layer of tiles", (unsigned)met,
                   (unsigned)num, kind == FREEZE || kind == DEATH ? "tiles of " : "", kind_names[kind]);
}

static void tile_undrawn(tmi_lint *lint, uint32_t rule)
{
    const tm_grid *game = &lint->layers[TM_LAYER_GAME].grid;
    const size_t size = (size_t)game->width * game->height;
    canvas sheet = {.width = game->width, .height = game->height};
    if (!game->tiles || !size)
        return;
    sheet.kinds = tmi_lint_alloc(lint, size, sizeof(*sheet.kinds));
    sheet.drawn = tmi_lint_alloc(lint, size / WORD + 1, sizeof(*sheet.drawn));
    if (!sheet.kinds || !sheet.drawn)
        return;
    for (size_t i = 0; i < size; i++)
        sheet.kinds[i] = (uint8_t)kind_at(lint, (uint32_t)(i % game->width), (uint32_t)(i / game->width));
    for (tm_layer_walk walk = {0}; !lint->status && tm_map_next_layer(lint->map, &walk);) {
        const tm_group *group = &lint->map->groups[walk.group];
        tmi_borrowed loan;
        tm_grid grid;
        if (!follows_game(group, walk.layer))
            continue;
        const tm_status status = tmi_borrowed_grid(&loan, &grid, lint->map, walk.layer, lint->error);
        if (status == TM_ERROR_DAMAGED)
            return; /* what it draws is unknown; its damage is counted by the survey */
        if (!tmi_lint_can_read(lint, status, tmi_lint_walk_address(&walk)))
            return;
        if (grid.tiles)
            add_layer(&sheet, &grid, group);
        tmi_borrowed_close(&loan);
    }
    for (int kind = FREEZE; kind <= TELEPORTER && !lint->status; kind++)
        note_kind(lint, rule, &sheet, (drawn_kind)kind);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         TILE_UNDRAWN, RACES, PHYSICS, true,
         "Tiles that act are not drawn, although nearly all of their kind are.",
         "Players freeze, die or are stopped where they see nothing. At least 99 % of 200 tiles of freeze, "
         "death, teleporters or edges of walls are drawn by layers of tiles that move with the game layer.",
         "Draw them, or remove them.", "maps of DDNet, by eye"),
     .judge = tile_undrawn, .by_games = true},
};
TMI_LINT_FAMILY(tmi_lint_undrawn, rows);
