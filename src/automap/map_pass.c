/* SPDX-License-Identifier: Zlib */
/*
 * One pass of DDNet's automapper, or of a tile set of Teeworlds 0.7. The state of a tile is its index and
 * flags; the area outside the layer is one more state. For each 64 rules and each place that they read, a
 * table maps the state to the set of rules that it allows; the intersection over all places is the set of
 * rules that hold.
 *
 * A tile set gives every tile its base tile first, and its rules see what was written before. Beyond its
 * edges the layer repeats the tiles there.
 */
#include "automap.h"

#include <teemap/jobs.h>
#include <teemap/tiles.h>

enum {
    OUTSIDE = TM_TILE_INDICES << 3, /* the state; that of a tile is its index and the code of its flags */
    NUM_STATES = OUTSIDE + 1,
    ALWAYS = 1 << 16,   /* threshold of a rule without Random */
    WORD_RULES = 64,    /* rules to a word */
    BAND_ROWS = 16,     /* rows to a piece of the job */
    MAX_LOOKS = 1 << 14 /* each takes 16 KB; the largest run that DDNet ships needs 25 */
};

/* A place, relative to the tile, that the conditions of a word's rules look at. */
typedef struct look {
    uint32_t word;
    int32_t x, y;
} look;

/* A rule holds where a hash of 16 bits is below the threshold. */
typedef struct luck {
    uint32_t hash; /* of seed, pass and rule */
    uint32_t threshold;
} luck;

typedef struct map_pass {
    tmi_automap_work *work;
    const tm_automap_pass *pass;
    tm_rect part;          /* of the layer: what is mapped */
    uint32_t hash;         /* of seed and pass */
    tmi_intern looks;      /* in the order of their words */
    uint32_t *first_looks; /* by word, and after the last one */
    luck *lucks;           /* by rule */
    uint64_t *lets;        /* for each look and state: a bit for each rule of the word */
    size_t max_lets;
    uint16_t *states;    /* what the pass reads: of the layer, or of what a reference shows */
    bool refers;         /* reads the game layer */
    bool live;           /* NoLayerCopy, tile sets: `states` are kept as they are written */
    bool is_set;         /* of tiles, of Teeworlds 0.7 */
    bool old;            /* DDNet 16.4: marks look at what was written by then */
    bool all_skip_empty; /* an empty tile stays as it is */
} map_pass;

/* ------------------------------------------------------------------------------------- what a pass reads */

/* The index that each tm_automap_reference shows of the game layer; 0: all of them. */
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

static uint16_t tile_state(unsigned index, unsigned flags)
{
    return (uint16_t)(index << 3 | tmi_flag_code(flags));
}

/* Reads the states of the layer, or what a reference shows. With NoLayerCopy the editor takes the game layer
   unfiltered, in rows as long as those of the mapped layer. */
static tm_status read_states(map_pass *p, tm_error *error)
{
    const tmi_automap_layer *target = &p->work->layer, *source = p->refers ? &p->work->game : target;
    const size_t all = (size_t)target->width * target->height, num = (size_t)source->width * source->height;
    const uint8_t shown = shown_index[p->work->options->reference];
    const bool filtered = p->refers && !p->live;
    TM_TRY(tmi_reserve_zeroed(&p->states, p->work->options->allocator, all, sizeof(*p->states),
                              "a copy of the layer", error));
    for (size_t i = 0; !filtered && i < num && i < all; i++)
        p->states[i] = tile_state(source->tiles[i].index, source->tiles[i].flags);
    for (uint32_t y = 0; filtered && y < target->height && y < source->height; y++) {
        for (uint32_t x = 0; x < target->width && x < source->width; x++) {
            const tm_tile *tile = &source->tiles[(size_t)y * source->width + x];
            const bool hidden = shown && tile->index != shown;
            p->states[(size_t)y * target->width + x] = tile_state(hidden ? 0 : tile->index, tile->flags);
        }
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- compiling */

static uint32_t count_words(const map_pass *p)
{
    return (p->pass->num_rules - 1) / WORD_RULES + 1;
}

void tmi_set_of_condition(tmi_index_set *out, const tm_automap_condition *condition)
{
    memset(out, 0, sizeof(*out));
    for (uint32_t i = 0; i < condition->num_entries; i++) {
        const tm_automap_entry *entry = &condition->entries[i];
        const bool any = entry->flags == TM_AUTOMAP_ANY_FLAGS;
        const unsigned flags = any ? 0xff : 1U << tmi_flag_code((unsigned)entry->flags);
        if (entry->index == -1)
            out->outside |= any || entry->flags == 0;
        else if (entry->index >= 0 && entry->index < TM_TILE_INDICES)
            out->fits[entry->index] = (uint8_t)(out->fits[entry->index] | flags);
    }
    if (!condition->negated)
        return;
    for (unsigned i = 0; i < TM_TILE_INDICES; i++)
        out->fits[i] = (uint8_t)~out->fits[i];
    out->outside = !out->outside;
}

/* Adds a condition to the table of its place: removes the rule from all states that it does not allow. */
static tm_status let_states(map_pass *p, uint32_t rule, const tm_automap_condition *condition,
                            tm_error *error)
{
    const tm_allocator *allocator = p->work->options->allocator;
    const look key = {rule / WORD_RULES, condition->x, condition->y};
    const uint32_t before = p->looks.num;
    const uint64_t bit = UINT64_C(1) << rule % WORD_RULES;
    tmi_index_set set;
    uint32_t number;
    tmi_set_of_condition(&set, condition);
    TM_TRY(tmi_intern_put(&number, &p->looks, &key, error));
    if (number >= MAX_LOOKS)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a run of rules looks at more than %d places", MAX_LOOKS);
    TM_TRY(tmi_grow(allocator, &p->lets, &p->max_lets, (size_t)p->looks.num * NUM_STATES, sizeof(*p->lets),
                    error));
    uint64_t *lets = p->lets + (size_t)number * NUM_STATES;
    if (number == before)
        memset(lets, 0xff, NUM_STATES * sizeof(*lets));
    for (uint32_t state = 0; state < OUTSIDE; state++)
        if (!(set.fits[state >> 3] >> (state & 7) & 1))
            lets[state] &= ~bit;
    if (!set.outside)
        lets[OUTSIDE] &= ~bit;
    return TM_OK;
}

static tm_status compile_pass(map_pass *p, tm_error *error)
{
    static const tm_automap_entry air = {0, TM_AUTOMAP_ANY_FLAGS};
    const tm_allocator *allocator = p->work->options->allocator;
    p->looks = (tmi_intern){.allocator = allocator, .key_size = sizeof(look)};
    p->all_skip_empty = true;
    p->first_looks = tmi_calloc(allocator, (size_t)count_words(p) + 1, sizeof(*p->first_looks));
    p->lucks = tmi_alloc(allocator, p->pass->num_rules, sizeof(*p->lucks));
    if (!p->first_looks || !p->lucks)
        return tmi_fail_memory(error, count_words(p) * sizeof(*p->first_looks), "a pass of rules");
    for (uint32_t i = 0; i < p->pass->num_rules; i++) {
        const tm_automap_rule *rule = &p->pass->rules[i];
        const tm_automap_condition marks = {.entries = &air, .num_entries = 1, .negated = rule->skip_empty};
        uint32_t threshold = rule->chance >= 1 ? ALWAYS : 0;
        if (rule->chance > 0 && rule->chance < 1) {
            const float most = 65536.0F * rule->chance;
            threshold = (uint32_t)most;
            threshold += (float)threshold < most;
        }
        p->lucks[i] = (luck){p->hash * 31 + tmi_automap_mix(i), threshold};
        p->all_skip_empty &= rule->skip_empty;
        if (!p->old && (rule->skip_empty || rule->skip_full))
            TM_TRY(let_states(p, i, &marks, error));
        for (uint32_t k = 0; k < rule->num_conditions; k++)
            TM_TRY(let_states(p, i, &rule->conditions[k], error));
        p->first_looks[i / WORD_RULES + 1] = p->looks.num;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- one tile */

/* The rules of a word whose conditions hold for the tile at x, y: a bit for each. */
static uint64_t fitting_rules(const map_pass *p, uint32_t word, uint32_t x, uint32_t y)
{
    const look *looks = (const void *)p->looks.keys;
    const uint64_t width = p->work->layer.width, height = p->work->layer.height;
    const uint32_t left = p->pass->num_rules - word * WORD_RULES, end = p->first_looks[word + 1];
    uint64_t rules = left < WORD_RULES ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    for (uint32_t i = p->first_looks[word]; i < end && rules; i++) {
        uint64_t at_x = x + (uint64_t)looks[i].x, at_y = y + (uint64_t)looks[i].y; /* huge where below 0 */
        if (p->is_set) {
            at_x = (uint64_t)tmi_clamp((int64_t)at_x, 0, (int64_t)width - 1);
            at_y = (uint64_t)tmi_clamp((int64_t)at_y, 0, (int64_t)height - 1);
        }
        const bool inside = at_x < width && at_y < height;
        rules &= p->lets[(size_t)i * NUM_STATES + (inside ? p->states[at_y * width + at_x] : OUTSIDE)];
    }
    return rules;
}

/* Whether Modulo and Random let a rule hold at x, y; `place` is the tile's part of the hash. */
static bool place_holds(const map_pass *p, uint32_t number, uint32_t x, uint32_t y, uint32_t place)
{
    const tm_automap_rule *rule = &p->pass->rules[number];
    const tmi_automap_layer *layer = &p->work->layer;
    const luck *l = &p->lucks[number];
    bool holds = rule->num_modulos == 0;
    for (uint32_t i = 0; i < rule->num_modulos && !holds; i++) {
        const tm_automap_modulo *m = &rule->modulos[i];
        const int32_t from_x = (int32_t)(x + (uint32_t)layer->left + (uint32_t)m->offset_x),
                      from_y = (int32_t)(y + (uint32_t)layer->top + (uint32_t)m->offset_y);
        holds = from_x % m->every_x == 0 && from_y % m->every_y == 0;
    }
    if (!holds)
        return false;
    if (rule->one_in > 1) { /* of a tile set */
        /* Each step in single precision, as the editor does it: 1 comes out for 1 in so many. */
        const float part = (float)tmi_automap_random(p->work) / 2147483648.0F;
        const float times = part * (float)rule->one_in;
        return (int32_t)times == 1;
    }
    return l->threshold == ALWAYS ||
           (tmi_automap_mix((l->hash * (31 * 31) + place) * 31) & 0xffff) < l->threshold;
}

static uint32_t hash_place(const map_pass *p, uint32_t x, uint32_t y)
{
    return tmi_automap_mix(x + (uint32_t)p->work->layer.left) * 31 +
           tmi_automap_mix(y + (uint32_t)p->work->layer.top);
}

/* Maps a tile by the states before the pass. The last rule that holds wins, so it is tried first. */
static void map_from_copy(const map_pass *p, tm_tile *tile, uint32_t x, uint32_t y)
{
    for (uint32_t word = count_words(p); word-- > 0;) {
        uint64_t rules = fitting_rules(p, word, x, y);
        const uint32_t place = rules ? hash_place(p, x, y) : 0;
        while (rules) {
            const uint32_t bit = tmi_highest_bit(rules), number = word * WORD_RULES + bit;
            if (place_holds(p, number, x, y, place)) {
                tile->index = (uint8_t)p->pass->rules[number].index;
                tile->flags = p->pass->rules[number].flags;
                return;
            }
            rules ^= UINT64_C(1) << bit;
        }
    }
}

/* Maps a tile rule by rule, as the editor does, where rules see what earlier ones wrote. */
static void map_in_order(const map_pass *p, tm_tile *tile, uint32_t x, uint32_t y)
{
    uint16_t *state = &p->states[(size_t)y * p->work->layer.width + x];
    uint64_t fitting = 0;
    bool stale = true;
    if (p->is_set) {
        tile->index = (uint8_t)p->work->config->base_tile;
        *state = tile_state(tile->index, tile->flags);
    }
    for (uint32_t i = 0; i < p->pass->num_rules; i++) {
        const tm_automap_rule *rule = &p->pass->rules[i];
        const bool empty = (p->old ? tile->index : *state >> 3) == 0;
        if (stale || i % WORD_RULES == 0)
            fitting = fitting_rules(p, i / WORD_RULES, x, y);
        stale = false;
        if (empty && p->refers && tile->index != 0) {
            tile->index = 0;
            tile->flags = rule->flags;
        } else if (fitting >> i % WORD_RULES & 1 && !(empty ? rule->skip_empty : rule->skip_full) &&
                   place_holds(p, i, x, y, hash_place(p, x, y))) {
            tile->index = (uint8_t)rule->index;
            tile->flags = rule->flags;
            stale = p->live && !p->refers;
            if (stale)
                *state = tile_state(tile->index, tile->flags);
        }
    }
}

/* --------------------------------------------------------------------------------------------- the pass */

static tm_status map_rows(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const map_pass *p = ctx;
    const tmi_automap_layer *layer = &p->work->layer;
    const uint32_t rows = p->live ? p->part.height : BAND_ROWS, first = (uint32_t)p->part.y + index * rows;
    const uint32_t bottom = (uint32_t)tmi_bottom(&p->part),
                   end = bottom - first < rows ? bottom : first + rows;
    const bool in_order = p->live || p->old || p->refers,
               skips_empty = p->is_set || (p->all_skip_empty && !p->refers);
    (void)worker;
    (void)stop;
    for (uint32_t y = first; y < end; y++) {
        if (tmi_cancelled(p->work->job->cancel))
            return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
        tm_tile *tile = layer->tiles + (size_t)y * layer->width + p->part.x;
        for (uint32_t x = (uint32_t)p->part.x; x < tmi_right(&p->part); x++, tile++) {
            if (skips_empty && !tile->index)
                continue;
            (in_order ? map_in_order : map_from_copy)(p, tile, x, y);
        }
    }
    return TM_OK;
}

tm_status tmi_automap_pass(tmi_automap_work *work, uint32_t number, const tm_rect *part, tm_error *error)
{
    const tm_automap_pass *pass = &work->config->passes[number];
    const tm_allocator *allocator = work->options->allocator;
    const uint32_t hash = 31 + tmi_automap_mix((uint32_t)work->seed);
    const bool is_set = work->config->kind == TM_AUTOMAP_TILESET;
    map_pass p = {.work = work,
                  .pass = pass,
                  .part = {0, 0, work->layer.width, work->layer.height},
                  .hash = hash * 31 + tmi_automap_mix(number),
                  .live = pass->no_layer_copy || is_set,
                  .is_set = is_set,
                  .old = work->rules->dialect == TM_AUTOMAP_DDNET_16,
                  .refers =
                      number == 0 && work->options->reference && work->rules->dialect == TM_AUTOMAP_DDNET};
    if (part)
        p.part = tmi_rect_common(part, &p.part);
    if (!pass->num_rules || tmi_rect_is_empty(&p.part))
        return TM_OK;
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = allocator,
                             .ctx = &p,
                             .num = p.live ? 1 : (p.part.height + BAND_ROWS - 1) / BAND_ROWS,
                             .work = map_rows};
    tm_job job = *work->job;
    job.progress = NULL;
    tm_status status = compile_pass(&p, error);
    if (status == TM_OK)
        status = read_states(&p, error);
    if (status == TM_OK)
        status = tm_tasks_run(&pieces, &job, error);
    tmi_free(allocator, p.first_looks, (size_t)count_words(&p) + 1, sizeof(*p.first_looks));
    tmi_free(allocator, p.lucks, pass->num_rules, sizeof(*p.lucks));
    tmi_intern_release(&p.looks);
    tmi_free(allocator, p.lets, p.max_lets, sizeof(*p.lets));
    tmi_free(allocator, p.states, (size_t)work->layer.width * work->layer.height, sizeof(*p.states));
    return status;
}
