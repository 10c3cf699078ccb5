/* SPDX-License-Identifier: Zlib */
/*
 * Finds tiles that act and are not drawn, in maps that draw nearly all of their kind: freeze, death, edges of
 * walls and entrances of teleporters over which no design layer has anything, neither tiles nor quads. Only
 * layers count that move with the game layer, and that follow it: those that cover a large part of its air
 * are backgrounds.
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

/*
 * LEAST: tiles of a kind, so that one of them may be the exception. SHARE: one in so many may be. WORK: tiles
 * that are looked at in all layers; real maps need a tenth of it, and beyond it the rule finds nothing.
 */
enum { LEAST = 200, SHARE = 100, MOST_AIR = 4, WORD = 64, WORK = 1 << 29 };

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
    uint64_t air;    /* tiles of air */
    uint64_t work;   /* tiles that were looked at */
} canvas;

/* Where a group shows its layers, in px: what it moves them by, and the part of the map that it shows. */
typedef struct frame {
    int64_t left, top;      /* of tile 0 of its layers */
    int64_t x0, y0, x1, y1; /* the ends of the part are outside */
} frame;

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
    if (tele && tele != TM_TILE_TELE_CHECKPOINT) /* nobody meets an exit */
        return tele == TM_TILE_TELE_OUT || tele == TM_TILE_TELE_CHECKPOINT_OUT ? OTHER : TELEPORTER;
    return game == TM_TILE_DEATH || front == TM_TILE_DEATH     ? DEATH
           : game == TM_TILE_FREEZE || front == TM_TILE_FREEZE ? FREEZE
           : game || front || tele                             ? OTHER
                                                               : AIR;
}

/* Whether a layer moves with the game layer. */
static bool follows_game(const tm_group *group, const tm_layer *layer)
{
    if (group->parallax_x != 100 || group->parallax_y != 100)
        return false;
    return layer->kind == TM_LAYER_QUADS ||
           (layer->kind == TM_LAYER_TILES && layer->as.tiles.color.a > 0 && tmi_lint_is_read(layer));
}

/* The offset of a group is that of the view: its layers lie at minus the offset. */
static frame frame_of(const canvas *sheet, const tm_group *group)
{
    frame shown = {.left = -(int64_t)group->offset_x,
                   .top = -(int64_t)group->offset_y,
                   .x1 = (int64_t)sheet->width * TM_TILE_PX,
                   .y1 = (int64_t)sheet->height * TM_TILE_PX};
    if (group->use_clipping) {
        const int64_t x1 = (int64_t)group->clip_x + group->clip_w,
                      y1 = (int64_t)group->clip_y + group->clip_h;
        shown.x0 = group->clip_x > 0 ? group->clip_x : 0;
        shown.y0 = group->clip_y > 0 ? group->clip_y : 0;
        shown.x1 = x1 < shown.x1 ? x1 : shown.x1;
        shown.y1 = y1 < shown.y1 ? y1 : shown.y1;
    }
    return shown;
}

static int64_t floor_tile(int64_t px)
{
    return px >= 0 ? px / TM_TILE_PX : -((TM_TILE_PX - 1 - px) / TM_TILE_PX);
}

/* The tiles of the sheet whose middles are from *least to below *most (px), which lie within the sheet. */
static void middles(int64_t *least, int64_t *most)
{
    *least = floor_tile(*least + TM_TILE_PX / 2 - 1);
    *most = floor_tile(*most + TM_TILE_PX / 2 - 1);
    *most = *most > *least ? *most : *least;
}

/* Narrows the part to an area in px; false: nothing of it is left. */
static bool narrow(frame *shown, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    shown->x0 = x0 > shown->x0 ? x0 : shown->x0;
    shown->y0 = y0 > shown->y0 ? y0 : shown->y0;
    shown->x1 = x1 < shown->x1 ? x1 : shown->x1;
    shown->y1 = y1 < shown->y1 ? y1 : shown->y1;
    return shown->x0 < shown->x1 && shown->y0 < shown->y1;
}

/*
 * What a layer draws of the sheet: looks at it first, to know whether it is a background, and then adds it.
 */
typedef struct layer_pass {
    canvas *sheet;
    bool adds;
    uint64_t covered; /* tiles of air */
} layer_pass;

static void pass_tile(layer_pass *pass, uint64_t tile)
{
    if (pass->adds)
        pass->sheet->drawn[tile / WORD] |= (uint64_t)1 << tile % WORD;
    else
        pass->covered += pass->sheet->kinds[tile] == AIR;
}

static void pass_tiles(layer_pass *pass, const tm_grid *grid, frame shown)
{
    const canvas *sheet = pass->sheet;
    /* a tile of a layer that lies between two of the game layer stands for the one that it covers more of */
    const int64_t left = floor_tile(shown.left + TM_TILE_PX / 2),
                  top = floor_tile(shown.top + TM_TILE_PX / 2);
    if (!narrow(&shown, left * TM_TILE_PX, top * TM_TILE_PX, (left + grid->width) * TM_TILE_PX,
                (top + grid->height) * TM_TILE_PX))
        return;
    middles(&shown.x0, &shown.x1);
    middles(&shown.y0, &shown.y1);
    for (int64_t y = shown.y0; y < shown.y1; y++) {
        const tm_tile *row = (const tm_tile *)grid->tiles + (size_t)(y - top) * grid->width;
        for (int64_t x = shown.x0; x < shown.x1; x++)
            if (row[x - left].index)
                pass_tile(pass, (uint64_t)y * sheet->width + (uint64_t)x);
    }
    pass->sheet->work += (uint64_t)((shown.y1 - shown.y0) * (shown.x1 - shown.x0));
}

typedef struct spot {
    double x, y;
} spot;

/* On which side of the line from a to b a point lies. */
static double side_of(spot a, spot b, spot point)
{
    return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
}

static bool is_in_triangle(spot a, spot b, spot c, spot point)
{
    const double ab = side_of(a, b, point), bc = side_of(b, c, point), ca = side_of(c, a, point);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

/* A quad as it stands at rest. A large one is a background. */
static void pass_quad(layer_pass *pass, const tm_quad *quad, frame shown)
{
    const canvas *sheet = pass->sheet;
    tm_point least, most;
    spot corners[4];
    tmi_quad_bounds(&least, &most, quad);
    if (!narrow(&shown, shown.left + least.x / TM_FX, shown.top + least.y / TM_FX,
                shown.left + most.x / TM_FX + 1, shown.top + most.y / TM_FX + 1))
        return;
    for (int i = 0; i < 4; i++)
        corners[i] = (spot){(double)shown.left + quad->points[i].x / (double)TM_FX,
                            (double)shown.top + quad->points[i].y / (double)TM_FX};
    middles(&shown.x0, &shown.x1);
    middles(&shown.y0, &shown.y1);
    const uint64_t area = (uint64_t)((shown.y1 - shown.y0) * (shown.x1 - shown.x0));
    if (area > (uint64_t)sheet->width * sheet->height / MOST_AIR)
        return;
    for (int64_t y = shown.y0; y < shown.y1; y++)
        for (int64_t x = shown.x0; x < shown.x1; x++) {
            const spot middle = {((double)x + 0.5) * TM_TILE_PX, ((double)y + 0.5) * TM_TILE_PX};
            if (is_in_triangle(corners[0], corners[1], corners[2], middle) ||
                is_in_triangle(corners[1], corners[2], corners[3], middle))
                pass_tile(pass, (uint64_t)y * sheet->width + (uint64_t)x);
        }
    pass->sheet->work += area + 1;
}

/* Adds what a layer draws, unless it draws much of the air. */
static tm_status add_layer(canvas *sheet, const tmi_lint *lint, const tm_group *group, const tm_layer *layer)
{
    const frame shown = frame_of(sheet, group);
    const bool has_quads = layer->kind == TM_LAYER_QUADS;
    tmi_borrowed loan;
    tm_grid grid = {0};
    if (has_quads)
        TM_TRY(tmi_borrowed_open(&loan, lint->map, layer->as.quads.quads, lint->error));
    else
        TM_TRY(tmi_borrowed_grid(&loan, &grid, lint->map, layer, lint->error));
    const tm_quad *quads = has_quads ? loan.bytes : NULL;
    const uint64_t num_stored = quads ? loan.size / sizeof(*quads) : 0,
                   num = has_quads && layer->as.quads.num_quads < num_stored ? layer->as.quads.num_quads
                                                                             : num_stored;
    layer_pass pass = {.sheet = sheet};
    for (; sheet->work <= WORK; pass.adds = true) {
        if (grid.tiles)
            pass_tiles(&pass, &grid, shown);
        for (uint64_t i = 0; i < num && sheet->work <= WORK; i++)
            if (!tmi_quad_is_hidden(lint->map, &quads[i]))
                pass_quad(&pass, &quads[i], shown);
        if (pass.adds || pass.covered > sheet->air / MOST_AIR)
            break;
    }
    tmi_borrowed_close(&loan);
    return TM_OK;
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
        tmi_format(note->text, sizeof(note->text), "%u of %u %s%s drawn by no layer", (unsigned)met,
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
    uint64_t counts[DRAWN_KINDS] = {0};
    for (size_t i = 0; i < size; i++) {
        sheet.kinds[i] = (uint8_t)kind_at(lint, (uint32_t)(i % game->width), (uint32_t)(i / game->width));
        counts[sheet.kinds[i]]++;
    }
    sheet.air = counts[AIR];
    bool any = false;
    for (int kind = FREEZE; kind <= TELEPORTER; kind++)
        any |= counts[kind] >= LEAST;
    for (tm_layer_walk walk = {0}; any && !lint->status && tm_map_next_layer(lint->map, &walk);) {
        const tm_group *group = &lint->map->groups[walk.group];
        if (!follows_game(group, walk.layer))
            continue;
        const tm_status status = add_layer(&sheet, lint, group, walk.layer);
        if (status == TM_ERROR_DAMAGED || sheet.work > WORK)
            return; /* what it draws is unknown; its damage is counted by the survey */
        if (!tmi_lint_can_read(lint, status, tmi_lint_walk_address(&walk)))
            return;
    }
    for (int kind = FREEZE; kind <= TELEPORTER && any && !lint->status; kind++)
        note_kind(lint, rule, &sheet, (drawn_kind)kind);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         TILE_UNDRAWN, RACES, PHYSICS, true,
         "Tiles that act are not drawn, although nearly all of their kind are.",
         "Players freeze, die or are stopped where they see nothing. At least 99 % of 200 tiles of freeze, "
         "death, entrances of teleporters or edges of walls are drawn by layers that move with the game layer.",
         "Draw them, or remove them.", "maps of DDNet, by eye"),
     .judge = tile_undrawn, .by_games = true},
};
TMI_LINT_FAMILY(tmi_lint_undrawn, rows);
