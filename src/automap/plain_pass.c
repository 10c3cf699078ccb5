/* SPDX-License-Identifier: Zlib */
/*
 * One pass of DDNet's automapper, tile by tile and rule by rule, in the order in which the editor goes. Takes
 * any rules and any size with no more memory than a copy of the layer; the fast ways are used where they can.
 */
#include "automap.h"

#include <teemap/tiles.h>

/* Index of what a reference shows; 0: all of the game layer. In the order of tm_automap_reference. */
static const uint8_t shown_index[TM_AUTOMAP_REFERENCES] = {
    0,
    0,
    TM_TILE_SOLID,
    TM_TILE_DEATH,
    TM_TILE_UNHOOKABLE,
    TM_TILE_FREEZE,
    TM_TILE_UNFREEZE,
    TM_TILE_DEEP_FREEZE,
    TM_TILE_DEEP_UNFREEZE,
    TM_TILE_LIVE_FREEZE,
    TM_TILE_LIVE_UNFREEZE,
};

/* The first pass reads the game layer, unfiltered and by the layer's own width if it makes no copy. */
static void fill_reference(tm_tile *source, const tmi_automap_work *work, bool flat)
{
    const tmi_automap_layer *to = &work->layer, *from = &work->game;
    const uint8_t shown = shown_index[work->options->reference];
    const size_t num = (size_t)from->width * from->height, all = (size_t)to->width * to->height;
    memset(source, 0, all * sizeof(*source));
    if (flat) {
        memcpy(source, from->tiles, (num < all ? num : all) * sizeof(*source));
        return;
    }
    for (uint32_t y = 0; y < to->height && y < from->height; y++) {
        for (uint32_t x = 0; x < to->width && x < from->width; x++) {
            tm_tile *tile = &source[(size_t)y * to->width + x];
            *tile = from->tiles[(size_t)y * from->width + x];
            if (shown && tile->index != shown)
                tile->index = 0;
        }
    }
}

bool tmi_automap_refers(const tmi_automap_work *work, uint32_t pass)
{
    return pass == 0 && work->options->reference && work->rules->dialect == TM_AUTOMAP_DDNET;
}

tm_status tmi_automap_source(tm_tile **out, const tmi_automap_work *work, uint32_t pass, tm_error *error)
{
    const tmi_automap_layer *layer = &work->layer;
    const size_t num = (size_t)layer->width * layer->height;
    const bool refers = tmi_automap_refers(work, pass), live = work->config->passes[pass].no_layer_copy;
    *out = NULL;
    if (live && !refers)
        return TM_OK;
    *out = tmi_alloc(work->options->allocator, num, sizeof(**out));
    if (!*out)
        return tmi_fail_memory(error, num * sizeof(**out), "a copy of the layer");
    if (refers)
        fill_reference(*out, work, live);
    else
        memcpy(*out, layer->tiles, num * sizeof(**out));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- evaluating */

typedef struct plain_pass {
    const tmi_automap_layer *layer;
    const tm_tile *source;
    bool refers, old;
    uint32_t hash; /* of seed and pass */
} plain_pass;

static bool entry_fits(const tm_automap_condition *condition, int32_t index, int32_t flags)
{
    for (uint32_t i = 0; i < condition->num_entries; i++) {
        const tm_automap_entry *entry = &condition->entries[i];
        if (entry->index == index && (entry->flags == TM_AUTOMAP_ANY_FLAGS || entry->flags == flags))
            return true;
    }
    return false;
}

static bool condition_holds(const plain_pass *p, const tm_automap_condition *condition, int64_t x, int64_t y)
{
    int32_t index = -1, flags = 0;
    x += condition->x;
    y += condition->y;
    if (x >= 0 && y >= 0 && x < p->layer->width && y < p->layer->height) {
        const tm_tile *tile = &p->source[(size_t)y * p->layer->width + (size_t)x];
        index = tile->index;
        flags = tile->flags & TMI_AUTOMAP_FLAGS;
    }
    return entry_fits(condition, index, flags) != condition->negated;
}

int32_t tmi_automap_add(int32_t a, int64_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

bool tmi_automap_modulo_holds(const tm_automap_rule *rule, int32_t x, int32_t y)
{
    bool holds = rule->num_modulos == 0;
    for (uint32_t i = 0; i < rule->num_modulos && !holds; i++) {
        const tm_automap_modulo *m = &rule->modulos[i];
        holds = tmi_automap_add(x, m->offset_x) % m->every_x == 0 &&
                tmi_automap_add(y, m->offset_y) % m->every_y == 0;
    }
    return holds;
}

uint32_t tmi_automap_threshold(float chance)
{
    if (chance >= 1)
        return 65536;
    if (!(chance > 0))
        return 0;
    const float most = 65536.0F * chance;
    const uint32_t whole = (uint32_t)most;
    return whole + ((float)whole < most);
}

static bool rule_holds(const plain_pass *p, const tm_automap_rule *rule, uint32_t number, uint32_t x,
                       uint32_t y)
{
    const int32_t at_x = tmi_automap_add((int32_t)x, p->layer->left),
                  at_y = tmi_automap_add((int32_t)y, p->layer->top);
    for (uint32_t i = 0; i < rule->num_conditions; i++)
        if (!condition_holds(p, &rule->conditions[i], x, y))
            return false;
    if (!tmi_automap_modulo_holds(rule, at_x, at_y))
        return false;
    if (rule->chance >= 1)
        return true;
    uint32_t hash = p->hash * 31 + tmi_automap_mix(number);
    hash = hash * 31 + tmi_automap_mix((uint32_t)at_x);
    hash = hash * 31 + tmi_automap_mix((uint32_t)at_y);
    return (tmi_automap_mix(hash * 31) & 0xffff) < tmi_automap_threshold(rule->chance);
}

static void map_tile(const plain_pass *p, const tm_automap_pass *pass, uint32_t x, uint32_t y)
{
    const size_t at = (size_t)y * p->layer->width + x;
    tm_tile *tile = &p->layer->tiles[at];
    for (uint32_t i = 0; i < pass->num_rules; i++) {
        const tm_automap_rule *rule = &pass->rules[i];
        const bool empty = (p->old ? tile->index : p->source[at].index) == 0;
        if (empty && p->refers && tile->index != 0) {
            tile->index = 0;
            tile->flags = rule->flags;
        } else if (!(empty ? rule->skip_empty : rule->skip_full) && rule_holds(p, rule, i, x, y)) {
            tile->index = (uint8_t)rule->index;
            tile->flags = rule->flags;
        }
    }
}

uint32_t tmi_automap_hash(int32_t seed, uint32_t pass)
{
    const uint32_t hash = 31 + tmi_automap_mix((uint32_t)seed);
    return hash * 31 + tmi_automap_mix(pass);
}

tm_status tmi_automap_plain_pass(tmi_automap_work *work, uint32_t pass, tm_error *error)
{
    const tm_automap_pass *rules = &work->config->passes[pass];
    const tmi_automap_layer *layer = &work->layer;
    tm_tile *copy;
    if (!rules->num_rules)
        return TM_OK;
    TM_TRY(tmi_automap_source(&copy, work, pass, error));
    const plain_pass p = {layer, copy ? copy : layer->tiles, tmi_automap_refers(work, pass),
                          work->rules->dialect == TM_AUTOMAP_DDNET_16, tmi_automap_hash(work->seed, pass)};
    tm_status status = TM_OK;
    for (uint32_t y = 0; y < layer->height && status == TM_OK; y++) {
        if (tmi_cancelled(work->job->cancel))
            status = tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
        for (uint32_t x = 0; x < layer->width && status == TM_OK; x++)
            map_tile(&p, rules, x, y);
    }
    tmi_free(work->options->allocator, copy, (size_t)layer->width * layer->height, sizeof(*copy));
    return status;
}
