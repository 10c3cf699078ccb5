/* SPDX-License-Identifier: Zlib */
/*
 * Physics layers as DDNet shows them to players who want to see entities (section 10): each is one or more
 * passes of tiles, first the entities and then the numbers on them, each pass with a tile sheet of its own.
 * What a pass shows in a place follows from the layer's tile there alone.
 */
#include "render.h"

#include "sheet.h"

#include <teemap/tiles.h>

#include <math.h>

typedef enum sheet_kind {
    ENTITIES,
    ARROWS,
    TUNES,
    NUMBERS,
    UPPER_NUMBERS,
    LOWER_NUMBERS,
    NUM_SHEETS
} sheet_kind;

/* The cells of tune zones: each new number of the map, row by row, gets the next one. */
typedef struct tune_cells {
    uint8_t cells[256]; /* by number; 0: the map does not have it, and always that of number 0 */
    uint32_t num;
} tune_cells;

struct tmi_entities {
    tmi_mipmap sheets[NUM_SHEETS];
    tune_cells tunes;
    bool hidden[TM_LAYER_KINDS][256]; /* indices that layers of a kind do not show */
    bool used[NUM_SHEETS][256];       /* cells that the sheets have */
};

enum { KILL_BORDER = 201 }; /* tiles beyond the game layer from which on everything kills */

/* ------------------------------------------------------------------------------------------------- passes */

static const uint8_t *entity_tile_at(const tmi_tile_pass *pass, double x, double y)
{
    const tm_grid *grid = pass->grid;
    const size_t index = (size_t)tmi_nearest(y, grid->height) * grid->width + tmi_nearest(x, grid->width);
    return (const uint8_t *)grid->tiles + index * grid->tile_size;
}

static tm_tile cell(uint8_t index)
{
    return (tm_tile){.index = index};
}

static tm_tile read_entity(const tmi_tile_pass *pass, double x, double y)
{
    const tm_layer_info *info = tm_game_layer(pass->kind);
    const uint8_t *tile = entity_tile_at(pass, x, y), index = tile[info->index_at];
    const bool timed = pass->kind == TM_LAYER_SWITCH && index == TM_TILE_SWITCH_TIMED_OPEN;
    if (pass->renderer->entities->hidden[pass->kind][index])
        return cell(0);
    return (tm_tile){.index = timed ? TMI_CELL_TIMED_OPEN : index,
                     .flags = info->flags_at < 0 ? 0 : tile[info->flags_at]};
}

static tm_tile read_kill_border(const tmi_tile_pass *pass, double x, double y)
{
    const bool inside = x >= -KILL_BORDER && x < (double)pass->grid->width + KILL_BORDER &&
                        y >= -KILL_BORDER && y < (double)pass->grid->height + KILL_BORDER;
    return cell(inside ? 0 : TM_TILE_DEATH);
}

static bool speedup_acts(const tm_speedup_tile *tile)
{
    return (tile->type == TM_TILE_SPEEDUP_OLD && tile->force) ||
           (tile->type == TM_TILE_SPEEDUP && (tile->force || tile->max_speed));
}

/* Reads a speedup as a tile of the arrow sheet: its cells have a quarter of all angles, flags the rest. */
static tm_tile read_arrow(const tmi_tile_pass *pass, double x, double y)
{
    static const uint8_t quarters[4] = {0, TM_TILE_ROTATE, TM_TILE_FLIP_X | TM_TILE_FLIP_Y,
                                        TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE};
    tm_speedup_tile tile;
    memcpy(&tile, entity_tile_at(pass, x, y), sizeof(tile));
    const int angle = (tile.angle % 360 + 360) % 360;
    if (!speedup_acts(&tile))
        return cell(0);
    return (tm_tile){.index = (uint8_t)(1 + angle % TMI_NUM_ANGLES),
                     .flags = quarters[angle / TMI_NUM_ANGLES]};
}

/* Reads the byte of a tile that the pass shows as a number, if the tile uses it. */
static tm_tile read_shown_number(const tmi_tile_pass *pass, double x, double y)
{
    const uint8_t *bytes = entity_tile_at(pass, x, y), index = bytes[tm_game_layer(pass->kind)->index_at];
    tm_speedup_tile speedup;
    bool used = index != 0;
    if (pass->kind == TM_LAYER_TELE)
        used = used && index != TM_TILE_TELE_CHECKPOINT_IN && index != TM_TILE_TELE_CHECKPOINT_IN_EVIL;
    if (pass->kind == TM_LAYER_SPEEDUP)
        used = speedup_acts(memcpy(&speedup, bytes, sizeof(speedup)));
    return cell(used ? bytes[pass->number_at] : 0);
}

/* The number decides, whatever the type; zone 0, which applies everywhere, is not drawn. */
static tm_tile read_tune(const tmi_tile_pass *pass, double x, double y)
{
    tm_tune_tile tile;
    memcpy(&tile, entity_tile_at(pass, x, y), sizeof(tile));
    return cell(pass->renderer->entities->tunes.cells[tile.number]);
}

typedef struct pass_rule {
    tm_tile (*read)(const tmi_tile_pass *pass, double x, double y); /* NULL ends the list */
    sheet_kind sheet;
    size_t number_at; /* of read_shown_number: the byte of a tile */
} pass_rule;

enum { MAX_PASSES = 3 };

static const pass_rule rules[TM_LAYER_KINDS][MAX_PASSES + 1] = {
    [TM_LAYER_GAME] = {{read_entity, ENTITIES, 0}, {read_kill_border, ENTITIES, 0}},
    [TM_LAYER_FRONT] = {{read_entity, ENTITIES, 0}},
    [TM_LAYER_TELE] = {{read_entity, ENTITIES, 0},
                       {read_shown_number, NUMBERS, offsetof(tm_tele_tile, number)}},
    [TM_LAYER_SPEEDUP] = {{read_arrow, ARROWS, 0},
                          {read_shown_number, UPPER_NUMBERS, offsetof(tm_speedup_tile, max_speed)},
                          {read_shown_number, LOWER_NUMBERS, offsetof(tm_speedup_tile, force)}},
    [TM_LAYER_SWITCH] = {{read_entity, ENTITIES, 0},
                         {read_shown_number, UPPER_NUMBERS, offsetof(tm_switch_tile, number)},
                         {read_shown_number, LOWER_NUMBERS, offsetof(tm_switch_tile, delay)}},
    [TM_LAYER_TUNE] = {{read_tune, TUNES, 0}},
};

/* ------------------------------------------------------------------------------------------------ drawing */

tm_status tmi_draw_entities(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                            const tmi_target *target, tmi_shown shown, tm_error *error)
{
    tm_grid grid;
    TM_TRY(tmi_layer_grid(renderer, layer, target->loan, &grid, error));
    for (const pass_rule *rule = rules[layer->kind]; grid.tiles && rule->read; rule++) {
        const tmi_mipmap *mipmap = &renderer->entities->sheets[rule->sheet];
        float alpha = shown.opacity;
        if (rule->read == read_kill_border) {
            const double px = TM_TILE_PX, far = KILL_BORDER * px;
            const double x = screen->origin_x, y = screen->origin_y;
            const double left = screen->left + ((double)target->clip_left + x) / screen->scale_x,
                         right = screen->left + ((double)target->clip_right + x) / screen->scale_x,
                         top = screen->top + ((double)target->clip_top + y) / screen->scale_y,
                         bottom = screen->top + ((double)target->clip_bottom + y) / screen->scale_y;
            if (!(left < -far || right > grid.width * px + far || top < -far ||
                  bottom > grid.height * px + far))
                continue; /* nothing so far from the layer is seen */
            /* It pulses every three seconds. */
            const double period = 3000, radians = 2 * 3.14159265358979323846 / period;
            const double wave = sin((shown.time - floor(shown.time / period) * period) * radians);
            alpha *= (float)(0.3 + 0.35 * (1 + floor(wave * 1024 + 0.5) / 1024));
        }
        const tmi_tile_pass pass = {.renderer = renderer,
                                    .grid = &grid,
                                    .kind = layer->kind,
                                    .mipmap = mipmap,
                                    .factor = {1, 1, 1, alpha},
                                    .read = rule->read,
                                    .number_at = rule->number_at};
        if (mipmap->num_levels > 0)
            TM_TRY(tmi_draw_pass(renderer, &pass, screen, target, error));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- preparing */

/* The making of all sheets. */
typedef struct making {
    tm_renderer *renderer;
    tmi_canvas *canvas;
    uint8_t *sheet;    /* TMI_SHEET_SIDE pixels a side */
    bool (*used)[256]; /* cells of each sheet */
    tm_error *error;
} making;

static tm_status cut_sheet(const making *entities_maker, sheet_kind kind, const uint8_t *rgba, uint32_t width,
                           uint32_t height)
{
    const tmi_maker maker = {TM_CLIENT_DDNET, entities_maker->renderer->allocator,
                             &entities_maker->renderer->room};
    return tmi_mipmap_tiles(&entities_maker->renderer->entities->sheets[kind],
                            &(tm_pixels){rgba, width, height}, NULL, &maker, entities_maker->error);
}

static tm_status make_entities(const making *entities_maker)
{
    const tm_pixels *given = &entities_maker->renderer->options.entity_sheet;
    if (given->rgba)
        return cut_sheet(entities_maker, ENTITIES, given->rgba, given->width, given->height);
    tmi_paint_entities(entities_maker->sheet, entities_maker->canvas, entities_maker->used[ENTITIES],
                       entities_maker->renderer->options.mod);
    return cut_sheet(entities_maker, ENTITIES, entities_maker->sheet, TMI_SHEET_SIDE, TMI_SHEET_SIDE);
}

static tm_status make_arrows(const making *entities_maker)
{
    const tm_pixels *given = &entities_maker->renderer->options.speedup_arrow;
    if (given->rgba)
        tmi_turn_arrow(entities_maker->sheet, entities_maker->used[ARROWS], given->rgba, given->width,
                       given->height);
    else
        tmi_paint_arrows(entities_maker->sheet, entities_maker->canvas, entities_maker->used[ARROWS]);
    return cut_sheet(entities_maker, ARROWS, entities_maker->sheet, TMI_SHEET_SIDE, TMI_SHEET_SIDE);
}

static tm_status make_tunes(const making *entities_maker)
{
    const struct tmi_entities *entities = entities_maker->renderer->entities;
    const tmi_mipmap *mipmap = &entities->sheets[ENTITIES];
    const uint32_t width = mipmap->widths[0], height = mipmap->heights[0];
    uint8_t *sheet;
    TM_TRY(tmi_reserve_zeroed(&sheet, entities_maker->renderer->allocator, (size_t)256 * width * height, 4,
                              "a tile sheet", entities_maker->error));
    if (mipmap->slices[TM_TILE_TUNE])
        tmi_paint_tunes(sheet, tmi_slice(mipmap, TM_TILE_TUNE, 0), width, height, entities->tunes.num);
    const tm_status status = cut_sheet(entities_maker, TUNES, sheet, 16 * width, 16 * height);
    tmi_free(entities_maker->renderer->allocator, sheet, (size_t)256 * width * height, 4);
    return status;
}

static tm_status make_numbers(const making *entities_maker, sheet_kind kind)
{
    const float whole =
        entities_maker->renderer->options.entity_sheet.rgba ? 26 : 32; /* the game's has words below */
    const float middle = kind == NUMBERS ? whole : kind == UPPER_NUMBERS ? 13.5F : 45.5F;
    tmi_paint_numbers(entities_maker->sheet, entities_maker->canvas, entities_maker->used[kind], middle,
                      kind == NUMBERS ? TMI_CELL_SIDE : 0.5F * TMI_CELL_SIDE);
    return cut_sheet(entities_maker, kind, entities_maker->sheet, TMI_SHEET_SIDE, TMI_SHEET_SIDE);
}

/* Counts the tune zones of all layers. */
static tm_status count_tunes(tune_cells *out, const tm_renderer *renderer, tm_error *error)
{
    tm_layer_walk walk = {0};
    memset(out, 0, sizeof(*out));
    while (tm_map_next_layer(renderer->map, &walk)) {
        tm_grid grid;
        if (walk.layer->kind != TM_LAYER_TUNE)
            continue;
        TM_TRY(tmi_layer_grid(renderer, walk.layer, NULL, &grid, error));
        const tm_tune_tile *tiles = grid.tiles;
        for (size_t i = 0; tiles && i < (size_t)grid.width * grid.height; i++)
            if (tiles[i].number && !out->cells[tiles[i].number])
                out->cells[tiles[i].number] = (uint8_t)++out->num;
    }
    return TM_OK;
}

/*
 * DDNet has two sheets since 2023 (format section 3): that of switch layers has the cells that they know, the
 * other, which all other layers share, the cells that any of these knows. So a teleporter in a game layer is
 * shown. Teemap's own sheet has a cell for each index.
 */
static void hide_unknown(struct tmi_entities *entities)
{
    static const tm_layer_kind sharing[] = {TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_SPEEDUP,
                                            TM_LAYER_TUNE};
    for (int index = 0; index < TM_TILE_INDICES; index++) {
        bool known = false;
        for (size_t i = 0; i < TMI_COUNT_OF(sharing); i++)
            known = known || tm_game_tile(TM_GAME_DDNET, sharing[i], (uint8_t)index);
        for (size_t i = 0; i < TMI_COUNT_OF(sharing); i++)
            entities->hidden[sharing[i]][index] = !known;
        entities->hidden[TM_LAYER_SWITCH][index] =
            !tm_game_tile(TM_GAME_DDNET, TM_LAYER_SWITCH, (uint8_t)index);
    }
}

/* Of the clients of a mod: what it says, beyond what DDNet hides. */
static void hide_of_mod(struct tmi_entities *entities, const tm_mod *mod)
{
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        for (uint32_t i = 0; i < mod->num_shown; i++)
            for (int index = mod->shown[i].first; index <= mod->shown[i].last; index++)
                entities->hidden[kind][index] = false;
        for (uint32_t i = 0; i < mod->num_hidden; i++)
            for (int index = mod->hidden[i].first; index <= mod->hidden[i].last; index++)
                entities->hidden[kind][index] = true;
    }
}

/* Notes the cells of each sheet that a part of a layer needs. */
static void note_part(const tm_renderer *renderer, bool (*used)[256], tm_layer_kind kind, const tm_grid *grid,
                      const tm_rect *part)
{
    for (const pass_rule *rule = rules[kind]; rule->read; rule++) {
        const tmi_tile_pass pass = {
            .renderer = renderer, .grid = grid, .kind = kind, .number_at = rule->number_at};
        for (uint32_t y = 0; y < part->height; y++)
            for (uint32_t x = 0; x < part->width; x++)
                used[rule->sheet][rule->read(&pass, (uint32_t)part->x + x, (uint32_t)part->y + y).index] =
                    true;
    }
}

/* Notes the cells of each sheet that the map needs. */
static tm_status note_physics_layers(making *entities_maker)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(entities_maker->renderer->map, &walk)) {
        tm_grid grid;
        if (!rules[walk.layer->kind][0].read)
            continue;
        TM_TRY(tmi_layer_grid(entities_maker->renderer, walk.layer, NULL, &grid, entities_maker->error));
        if (!grid.tiles)
            continue;
        note_part(entities_maker->renderer, entities_maker->used, walk.layer->kind, &grid,
                  &(tm_rect){0, 0, grid.width, grid.height});
        if (walk.layer->kind == TM_LAYER_GAME)
            entities_maker->used[ENTITIES][TM_TILE_DEATH] = true;
    }
    if (entities_maker->renderer->entities->tunes.num)
        entities_maker->used[ENTITIES][TM_TILE_TUNE] = true; /* the cells of tune zones are made from it */
    return TM_OK;
}

/* Paints all sheets, with the memory that this takes. */
static tm_status paint_sheets(making *entities_maker)
{
    static tm_status (*const makers[NUM_SHEETS])(const making *entities_maker) = {make_entities, make_arrows,
                                                                                  make_tunes};
    const tm_allocator *allocator = entities_maker->renderer->allocator;
    const size_t size = (size_t)TMI_SHEET_SIDE * TMI_SHEET_SIDE;
    const int num = entities_maker->renderer->options.no_numbers ? NUMBERS : NUM_SHEETS;
    entities_maker->canvas = tmi_alloc(allocator, 1, sizeof(*entities_maker->canvas));
    entities_maker->sheet = tmi_alloc(allocator, size, 4);
    tm_status status = entities_maker->canvas && entities_maker->sheet
                           ? TM_OK
                           : tmi_fail_memory(entities_maker->error, size * 4, "a tile sheet");
    for (int kind = 0; status == TM_OK && kind < num; kind++) {
        if (!memchr(entities_maker->used[kind] + 1, true, 255))
            continue;
        memset(entities_maker->sheet, 0, size * 4);
        status = makers[kind] ? makers[kind](entities_maker) : make_numbers(entities_maker, (sheet_kind)kind);
    }
    tmi_free(allocator, entities_maker->canvas, 1, sizeof(*entities_maker->canvas));
    tmi_free(allocator, entities_maker->sheet, size, 4);
    return status;
}

static tm_status check_pixels(const tm_pixels *pixels, uint32_t least, const char *subject, tm_error *error)
{
    const uint32_t most = 8192;
    if (!pixels->rgba || (pixels->width >= least && pixels->width <= most && pixels->height >= least &&
                          pixels->height <= most))
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "%s has %u x %u pixels, allowed are %u to %u a side", subject,
                    (unsigned)pixels->width, (unsigned)pixels->height, (unsigned)least, (unsigned)most);
}

tm_status tmi_entities_new(tm_renderer *renderer, tm_error *error)
{
    TM_TRY(check_pixels(&renderer->options.entity_sheet, 16, "a sheet of entities", error));
    TM_TRY(check_pixels(&renderer->options.speedup_arrow, 1, "an arrow", error));
    TM_TRY(tmi_reserve_zeroed(&renderer->entities, renderer->allocator, 1, sizeof(*renderer->entities),
                              "the sheets of entities", error));
    making entities_maker = {.renderer = renderer, .used = renderer->entities->used, .error = error};
    const tm_mod *mod = renderer->options.mod;
    if (renderer->options.entity_sheet.rgba && (mod ? mod->masked : renderer->map->game == TM_GAME_DDNET))
        hide_unknown(renderer->entities);
    if (renderer->options.entity_sheet.rgba && mod)
        hide_of_mod(renderer->entities, mod);
    TM_TRY(count_tunes(&renderer->entities->tunes, renderer, error));
    TM_TRY(note_physics_layers(&entities_maker));
    return paint_sheets(&entities_maker);
}

/* ----------------------------------------------------------------------------------------------- updating */

tm_status tmi_entities_update(tm_renderer *renderer, const tm_layer *layer, const tm_rect *part,
                              tm_error *error)
{
    struct tmi_entities *old = renderer->entities;
    bool used[NUM_SHEETS][256];
    tune_cells tunes = old->tunes;
    tm_grid grid;
    if (!rules[layer->kind][0].read)
        return TM_OK;
    memcpy(used, old->used, sizeof(used));
    if (layer->kind == TM_LAYER_TUNE)
        TM_TRY(count_tunes(&tunes, renderer, error));
    TM_TRY(tmi_layer_grid(renderer, layer, NULL, &grid, error));
    if (!grid.tiles)
        return TM_OK;
    note_part(renderer, used, layer->kind, &grid, part);
    if (memcmp(used, old->used, sizeof(used)) == 0 && memcmp(&tunes, &old->tunes, sizeof(tunes)) == 0)
        return TM_OK;
    renderer->entities = NULL;
    const tm_status status = tmi_entities_new(renderer, error);
    struct tmi_entities *kept = status == TM_OK ? renderer->entities : old;
    renderer->entities = status == TM_OK ? old : renderer->entities;
    tmi_entities_free(renderer);
    renderer->entities = kept;
    return status;
}

void tmi_entities_free(tm_renderer *renderer)
{
    if (!renderer->entities)
        return;
    const tmi_maker maker = tmi_maker_of(renderer);
    for (int kind = 0; kind < NUM_SHEETS; kind++)
        tmi_mipmap_release(&renderer->entities->sheets[kind], &maker);
    tmi_free(renderer->allocator, renderer->entities, 1, sizeof(*renderer->entities));
}
