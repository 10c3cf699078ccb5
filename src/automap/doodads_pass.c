/* SPDX-License-Identifier: Zlib */
/*
 * Doodads of Teeworlds 0.7: blocks of tiles that are placed along floors, ceilings and walls of the game
 * layer. A chain is a straight run of solid tiles with air at one side. The editor changes its rules while it
 * places doodads, so a second run gives other places: tm_automap_options.before. Where the editor's order is
 * undefined, teemap has its own, as documented.
 */
#include "automap.h"

#include <teemap/tiles.h>

typedef struct chain {
    uint32_t start; /* of the first tile, in the layer */
    uint32_t num;
} chain;

typedef struct chains {
    chain *list;
    size_t num, capacity;
} chains;

/* A rule as earlier placements left it: the editor moves and mirrors the rule itself. */
typedef struct doodad {
    const tm_automap_rule *rule;
    uint32_t width, height; /* tiles */
    int64_t offset_x, offset_y;
    bool flip_x;
} doodad;

typedef struct doodad_work {
    tmi_automap_work *work;
    tm_error *error;
    chains floors, ceilings, rights, lefts;
    doodad *doodads; /* sorted */
    bool draws;      /* the layer is changed; else only the rules are */
} doodad_work;

/* ------------------------------------------------------------------------------------------------ chains */

enum { MIN_CHAIN = 3 };

static tm_status add_chain(doodad_work *work, chains *list, uint32_t start, uint32_t num)
{
    TM_TRY(tmi_grow(work->work->options->allocator, &list->list, &list->capacity, list->num + 1,
                    sizeof(*list->list), work->error));
    list->list[list->num++] = (chain){start, num};
    return TM_OK;
}

/* Finds runs of at least MIN_CHAIN solid tiles with air at `side`, in rows (`along_x`) or in columns. */
static tm_status find_chains(doodad_work *work, chains *list, bool along_x, int64_t side)
{
    const tmi_automap_layer *game = &work->work->game;
    const uint32_t lines = along_x ? game->height : game->width,
                   length = along_x ? game->width : game->height;
    const uint32_t step = along_x ? 1 : game->width, line = along_x ? game->width : 1;
    for (uint32_t i = 1; i + 1 < lines; i++) {
        uint32_t num = 0;
        for (uint32_t k = 1; k < length; k++) {
            const uint32_t at = i * line + k * step;
            const uint8_t beside = game->tiles[(int64_t)at + side].index;
            if (k + 1 < length && game->tiles[at].index == TM_TILE_SOLID &&
                (beside == TM_TILE_AIR || beside >= TM_TILE_SPAWN)) {
                num++;
            } else if (num) {
                TM_TRY(add_chain(work, list, at - num * step, num));
                num = 0;
            }
        }
    }
    for (size_t i = 0; i < list->num;)
        if (list->list[i].num < MIN_CHAIN)
            list->list[i] = list->list[--list->num];
        else
            i++;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- placing */

/* The tile of a block at column i and row j; NULL if it lies outside, or is the first one of the layer. */
static tm_tile *block_tile(const doodad_work *work, const doodad *d, uint32_t at, uint32_t i, uint32_t j)
{
    const tmi_automap_layer *layer = &work->work->layer;
    const int64_t place = at + d->offset_x + i + (d->offset_y + j) * layer->width;
    return place > 0 && place < (int64_t)layer->width * layer->height ? &layer->tiles[place] : NULL;
}

static void swap_tiles(tm_tile *a, tm_tile *b)
{
    if (!a || !b)
        return;
    const tm_tile kept = *a;
    a->index = b->index;
    a->flags = b->flags;
    b->index = kept.index;
    b->flags = kept.flags;
}

/* Writes the indices of a doodad. Mirroring toggles flags and exchanges whole tiles, with their old flags. */
static void place_doodad(const doodad_work *work, const doodad *d, uint32_t at)
{
    const uint8_t toggled =
        (uint8_t)((d->flip_x ? TM_TILE_FLIP_X : 0) | (d->rule->flip_y ? TM_TILE_FLIP_Y : 0));
    for (uint32_t j = 0; j < d->height; j++) {
        for (uint32_t i = 0; i < d->width; i++) {
            tm_tile *tile = block_tile(work, d, at, i, j);
            if (!tile)
                continue;
            tile->index = (uint8_t)(d->rule->index + (int32_t)(16 * j + i));
            tile->flags ^= toggled;
        }
    }
    for (uint32_t j = 0; j < d->height && d->flip_x; j++)
        for (uint32_t i = 0; i < d->width / 2; i++)
            swap_tiles(block_tile(work, d, at, i, j), block_tile(work, d, at, d->width - 1 - i, j));
    for (uint32_t j = 0; j < d->height / 2 && d->rule->flip_y; j++)
        for (uint32_t i = 0; i < d->width; i++)
            swap_tiles(block_tile(work, d, at, i, j), block_tile(work, d, at, i, d->height - 1 - j));
}

/* Places a doodad along chains. What a random place leaves of a chain, one or two, stays in the list. */
static tm_status place_along(doodad_work *work, doodad *d, chains *list, bool walls)
{
    const uint32_t step = walls ? work->work->game.width : 1, need = walls ? d->height : d->width;
    const uint32_t amount = work->work->options->amount ? work->work->options->amount : 50;
    const float factor = (float)(101 - (int32_t)amount) / 100.0F;
    const float product = (float)d->rule->one_in * factor;
    /* On average one of so many places gets the doodad; 1: all places do. */
    const int32_t rare = d->rule->one_in > 1 ? (int32_t)tmi_clamp((int64_t)product, 2, INT32_MAX) : 1;
    for (size_t c = 0; c < list->num && work->draws; c++) {
        for (uint32_t k = 0; c < list->num && list->list[c].num >= need && k <= list->list[c].num - need;
             k += d->width) {
            const chain whole = list->list[c];
            const uint32_t behind = k + need;
            if (rare > 1) {
                const int32_t high = tmi_automap_random(work->work) & 0x7fff;
                if ((high * 65536 + (tmi_automap_random(work->work) & 0xffff)) % rare != 0)
                    continue;
            }
            place_doodad(work, d, whole.start + k * step);
            if (rare == 1)
                continue;
            list->list[c] = list->list[--list->num];
            if (k > 1)
                TM_TRY(add_chain(work, list, whole.start, k));
            if (whole.num > behind + 1)
                TM_TRY(add_chain(work, list, whole.start + behind * step, whole.num - behind));
            k = 0;
            c += c >= list->num;
        }
    }
    return TM_OK;
}

/* Places a doodad. First the rule moves for good, as in the editor: below a ceiling, to a wall. */
static tm_status place_rule(doodad_work *work, doodad *d)
{
    const bool ceiling = d->rule->location == TM_AUTOMAP_CEILING;
    if (d->rule->location != TM_AUTOMAP_WALLS) {
        d->offset_y += ceiling;
        return place_along(work, d, ceiling ? &work->ceilings : &work->floors, false);
    }
    if (work->rights.num) {
        d->offset_x++;
        TM_TRY(place_along(work, d, &work->rights, true));
    }
    if (work->lefts.num) {
        d->offset_x++;
        d->flip_x = !d->flip_x;
        d->offset_x = -(d->offset_x - 1) - ((int64_t)d->width - 1);
        TM_TRY(place_along(work, d, &work->lefts, true));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- the call */

static tm_status place_all(doodad_work *work, const tm_automap_pass *pass)
{
    const int64_t width = work->work->game.width;
    TM_TRY(find_chains(work, &work->floors, true, -width));
    TM_TRY(find_chains(work, &work->ceilings, true, width));
    TM_TRY(find_chains(work, &work->rights, false, 1));
    TM_TRY(find_chains(work, &work->lefts, false, -1));
    TM_TRY(tmi_reserve_zeroed(&work->doodads, work->work->options->allocator, pass->num_rules,
                              sizeof(*work->doodads), "doodads", work->error));
    for (uint32_t i = 0; i < pass->num_rules; i++) {
        const tm_automap_rule *rule = &pass->rules[i];
        const uint32_t last = (uint32_t)(rule->end_index - rule->index);
        const doodad copy = {rule,           last % 16 + 1,  last / 16 + 1,
                             rule->offset_x, rule->offset_y, rule->flip_x};
        const bool walls = rule->location == TM_AUTOMAP_WALLS;
        uint32_t k = i;
        for (; k > 0; k--) { /* small ones come first; different locations have no order */
            const doodad *before = &work->doodads[k - 1];
            if (before->rule->location != rule->location ||
                (walls ? copy.height >= before->height : copy.width >= before->width))
                break;
            work->doodads[k] = *before;
        }
        work->doodads[k] = copy;
    }
    for (uint32_t time = 0; time <= work->work->options->before; time++) {
        work->draws = time == work->work->options->before;
        for (uint32_t i = 0; i < pass->num_rules; i++) {
            if (tmi_cancelled(work->work->job->cancel))
                return tmi_fail(work->error, TM_ERROR_CANCELLED, -1, "cancelled");
            TM_TRY(place_rule(work, &work->doodads[i]));
        }
    }
    return TM_OK;
}

tm_status tmi_automap_doodads(tmi_automap_work *work, tm_error *error)
{
    const tm_automap_pass *pass = work->config->passes;
    const tm_allocator *allocator = work->options->allocator;
    doodad_work pass_work = {.work = work, .error = error};
    if (!work->game.tiles || work->game.width != work->layer.width)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "doodads need a game layer as wide as the layer, %u",
                        (unsigned)work->layer.width);
    for (size_t i = 0; i < (size_t)work->layer.width * work->layer.height; i++)
        work->layer.tiles[i].index = work->layer.tiles[i].flags = 0;
    if (!pass->num_rules)
        return TM_OK;
    const tm_status status = place_all(&pass_work, pass);
    chains *const lists[] = {&pass_work.floors, &pass_work.ceilings, &pass_work.rights, &pass_work.lefts};
    for (size_t i = 0; i < TMI_COUNT_OF(lists); i++)
        tmi_free(allocator, lists[i]->list, lists[i]->capacity, sizeof(*lists[i]->list));
    tmi_free(allocator, pass_work.doodads, pass->num_rules, sizeof(*pass_work.doodads));
    return status;
}
