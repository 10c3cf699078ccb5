/* SPDX-License-Identifier: Zlib */
/*
 * Compiles a pass into planes and terms, and makes the planes of a row of tiles. See planes.h.
 */
#include "planes.h"

/* What a plane asks. */
typedef tmi_tile_set question;

typedef struct questions {
    question *list;
    size_t num, capacity;
    uint32_t *table; /* hash table of places + 1 */
    size_t table_size;
} questions;

static uint32_t hash_question(const question *of)
{
    uint32_t hash = 2166136261U;
    const uint8_t *bytes = (const uint8_t *)of;
    for (size_t i = 0; i < sizeof(*of); i++)
        hash = (hash ^ bytes[i]) * 16777619U;
    return hash;
}

static tm_status grow_table(questions *q, const tm_allocator *allocator, tm_error *error)
{
    const size_t size = q->table_size ? q->table_size * 2 : 64;
    uint32_t *table = tmi_calloc(allocator, size, sizeof(*table));
    if (!table)
        return tmi_fail_memory(error, size * sizeof(*table), "a pass of rules");
    for (size_t i = 0; i < q->num; i++) {
        size_t at = hash_question(&q->list[i]) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = (uint32_t)i + 1;
    }
    tmi_free(allocator, q->table, q->table_size, sizeof(*table));
    q->table = table;
    q->table_size = size;
    return TM_OK;
}

/* The plane that asks this; a new one if there is none yet. */
static tm_status find_plane(uint32_t *out, questions *q, const question *wanted,
                            const tm_allocator *allocator, tm_error *error)
{
    if (q->num * 2 >= q->table_size)
        TM_TRY(grow_table(q, allocator, error));
    size_t at = hash_question(wanted) & (q->table_size - 1);
    for (; q->table[at]; at = (at + 1) & (q->table_size - 1)) {
        *out = q->table[at] - 1;
        if (memcmp(&q->list[*out], wanted, sizeof(*wanted)) == 0)
            return TM_OK;
    }
    TM_TRY(tmi_grow(allocator, &q->list, &q->capacity, q->num + 1, sizeof(*q->list), error));
    *out = (uint32_t)q->num;
    q->list[q->num++] = *wanted;
    q->table[at] = (uint32_t)q->num;
    return TM_OK;
}

static void release_questions(questions *q, const tm_allocator *allocator)
{
    tmi_free(allocator, q->list, q->capacity, sizeof(*q->list));
    tmi_free(allocator, q->table, q->table_size, sizeof(*q->table));
}

/* ------------------------------------------------------------------------------------------------- rules */

static size_t count_conditions(const tm_automap_pass *pass)
{
    size_t num = 0;
    for (uint32_t i = 0; i < pass->num_rules; i++)
        num += pass->rules[i].num_conditions;
    return num;
}

static size_t count_modulos(const tm_automap_pass *pass)
{
    size_t num = 0;
    for (uint32_t i = 0; i < pass->num_rules; i++)
        num += pass->rules[i].num_modulos;
    return num;
}

/* Memory that lives as long as the planes; NULL without any. */
static void *zeroed(tmi_planes *p, size_t num, size_t size)
{
    void *memory = tmi_arena_alloc(&p->arena, num ? num : 1, size);
    if (memory)
        memset(memory, 0, (num ? num : 1) * size);
    return memory;
}

/* The marks say already what a condition of EMPTY or FULL asks of the tile itself. */
static bool is_said_by_marks(const tm_automap_rule *rule, const tm_automap_condition *condition)
{
    return condition->x == 0 && condition->y == 0 && condition->num_entries == 1 &&
           condition->entries->index == 0 && condition->entries->flags == TM_AUTOMAP_ANY_FLAGS &&
           (condition->negated ? rule->skip_empty : rule->skip_full);
}

static int64_t clamp_to_layer(int64_t distance, int64_t size)
{
    return distance < -size ? -size : distance > size ? size : distance;
}

/* Far away all is outside, however far. */
static tmi_term term_of(tmi_planes *p, const tm_automap_condition *condition, uint32_t plane)
{
    const int64_t dx = clamp_to_layer(condition->x, (int64_t)p->num_words * TMI_PLANE_BITS);
    const int64_t dy = clamp_to_layer(condition->y, p->height);
    const int64_t bit = (int64_t)p->pad * TMI_PLANE_BITS + dx;
    if (-dy > (int64_t)p->above)
        p->above = (uint32_t)-dy;
    if (dy > (int64_t)p->below)
        p->below = (uint32_t)dy;
    return (tmi_term){plane, (int32_t)dy, bit / TMI_PLANE_BITS, (unsigned)(bit % TMI_PLANE_BITS),
                      condition->negated ? UINT64_MAX : 0};
}

/* How far the conditions look to the side, in words that are needed beside the layer. */
static uint32_t side_words(const tm_automap_pass *pass, uint32_t num_words)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < pass->num_rules; i++) {
        for (uint32_t k = 0; k < pass->rules[i].num_conditions; k++) {
            const int64_t x = pass->rules[i].conditions[k].x;
            most = x > most ? x : -x > most ? -x : most;
        }
    }
    most = (most + TMI_PLANE_BITS - 1) / TMI_PLANE_BITS;
    return (uint32_t)(most < num_words ? most : num_words) + 1;
}

static tm_status compile_rule(tmi_planes *p, questions *q, const tm_automap_rule *rule, uint32_t hash,
                              bool plain_marks, tm_error *error)
{
    question wanted;
    tmi_fast_rule *to = &p->rules[p->num_rules];
    *to = (tmi_fast_rule){.first_term = p->num_terms,
                          .number = p->num_rules,
                          .hash = hash * 31 + tmi_automap_mix(p->num_rules),
                          .threshold = tmi_automap_threshold(rule->chance),
                          .skip_empty = rule->skip_empty,
                          .skip_full = rule->skip_full,
                          .index = (uint8_t)rule->index,
                          .flags = rule->flags,
                          .rule = rule,
                          .first_modulo = p->num_modulos};
    p->num_rules++;
    p->num_modulos += rule->num_modulos;
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tm_automap_condition *condition = &rule->conditions[i];
        uint32_t plane;
        if (plain_marks && is_said_by_marks(rule, condition))
            continue;
        tmi_set_of_entries(&wanted, condition);
        TM_TRY(find_plane(&plane, q, &wanted, p->allocator, error));
        p->terms[p->num_terms++] = term_of(p, condition, plane);
        to->num_terms++;
    }
    p->all_skip_empty = p->all_skip_empty && rule->skip_empty;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- compiling */

static void fill_lookup(tmi_planes *p, const questions *q)
{
    for (size_t i = 0; i < q->num; i++) {
        uint8_t *bytes = p->lookup + i / TMI_PLANE_GROUP * TMI_PLANE_STATES;
        p->outside[i] = q->list[i].outside;
        for (unsigned state = 0; state < TMI_PLANE_STATES; state++)
            if (q->list[i].fits[state >> 3] >> (state & 7) & 1)
                bytes[state] |= (uint8_t)(1U << i % TMI_PLANE_GROUP);
    }
}

static tm_status make_lookup(tmi_planes *p, const questions *q, tm_error *error)
{
    p->num_planes = (uint32_t)q->num;
    p->num_groups = (uint32_t)((q->num + TMI_PLANE_GROUP - 1) / TMI_PLANE_GROUP);
    p->lookup = zeroed(p, p->num_groups, TMI_PLANE_STATES);
    p->outside = zeroed(p, p->num_planes, 1);
    if (!p->lookup || !p->outside)
        return tmi_fail_memory(error, (uint64_t)p->num_groups * TMI_PLANE_STATES, "a pass of rules");
    fill_lookup(p, q);
    return TM_OK;
}

static tm_status make_mixed_x(tmi_planes *p, const tmi_automap_work *work, const tm_automap_pass *pass,
                              tm_error *error)
{
    bool draws = false;
    for (uint32_t i = 0; i < pass->num_rules && !draws; i++)
        draws = pass->rules[i].chance < 1;
    if (!draws)
        return TM_OK;
    p->mixed_x = zeroed(p, p->width, sizeof(*p->mixed_x));
    if (!p->mixed_x)
        return tmi_fail_memory(error, (uint64_t)p->width * sizeof(*p->mixed_x), "a pass of rules");
    for (uint32_t x = 0; x < p->width; x++)
        p->mixed_x[x] = tmi_automap_mix((uint32_t)work->layer.left + x);
    return TM_OK;
}

static tm_status make_x_masks(tmi_planes *p, const tmi_automap_work *work, size_t num, tm_error *error)
{
    if (!num)
        return TM_OK;
    p->x_masks = zeroed(p, num * p->num_words, sizeof(*p->x_masks));
    if (!p->x_masks)
        return tmi_fail_memory(error, (uint64_t)num * p->num_words * sizeof(*p->x_masks), "a pass of rules");
    for (uint32_t i = 0; i < p->num_rules; i++) {
        const tmi_fast_rule *rule = &p->rules[i];
        for (uint32_t k = 0; k < rule->rule->num_modulos; k++) {
            const tm_automap_modulo *m = &rule->rule->modulos[k];
            uint64_t *mask = p->x_masks + (rule->first_modulo + k) * p->num_words;
            for (uint32_t x = 0; x < p->width; x++)
                if (tmi_automap_add(work->layer.left + (int32_t)x, m->offset_x) % m->every_x == 0)
                    mask[x / TMI_PLANE_BITS] |= UINT64_C(1) << x % TMI_PLANE_BITS;
        }
    }
    return TM_OK;
}

static tm_status compile_all(tmi_planes *p, questions *q, const tmi_automap_work *work, uint32_t number,
                             tm_error *error)
{
    static const tm_automap_entry nothing = {0, TM_AUTOMAP_ANY_FLAGS};
    const tm_automap_condition empty = {.entries = &nothing, .num_entries = 1};
    const tm_automap_pass *pass = &work->config->passes[number];
    const bool plain_marks = work->rules->dialect == TM_AUTOMAP_DDNET;
    const uint32_t hash = tmi_automap_hash(work->seed, number);
    question wanted;
    uint32_t plane;
    tmi_set_of_entries(&wanted, &empty);
    TM_TRY(find_plane(&plane, q, &wanted, p->allocator, error));
    p->rules = zeroed(p, pass->num_rules, sizeof(*p->rules));
    p->terms = zeroed(p, count_conditions(pass), sizeof(*p->terms));
    if (!p->rules || !p->terms)
        return tmi_fail_memory(error, count_conditions(pass) * sizeof(*p->terms), "a pass of rules");
    for (uint32_t i = 0; i < pass->num_rules; i++)
        TM_TRY(compile_rule(p, q, &pass->rules[i], hash, plain_marks, error));
    TM_TRY(make_lookup(p, q, error));
    TM_TRY(make_mixed_x(p, work, pass, error));
    return make_x_masks(p, work, count_modulos(pass), error);
}

tm_status tmi_planes_new(tmi_planes **out, const tmi_automap_work *work, uint32_t number, uint64_t most,
                         tm_error *error)
{
    const tm_automap_pass *pass = &work->config->passes[number];
    const tm_allocator *allocator = work->options->allocator;
    questions q = {0};
    *out = NULL;
    tmi_planes *p = tmi_calloc(allocator, 1, sizeof(*p));
    if (!p)
        return tmi_fail_memory(error, sizeof(*p), "a pass of rules");
    p->allocator = allocator;
    tmi_arena_init(&p->arena, allocator);
    p->width = work->layer.width;
    p->height = work->layer.height;
    p->num_words = (p->width + TMI_PLANE_BITS - 1) / TMI_PLANE_BITS;
    p->pad = side_words(pass, p->num_words);
    p->stride = p->num_words + 2 * (size_t)p->pad;
    p->all_skip_empty = true;
    tm_status status = TM_OK;
    const bool fits = (uint64_t)count_modulos(pass) * p->num_words * sizeof(uint64_t) <= most;
    if (fits)
        status = compile_all(p, &q, work, number, error);
    release_questions(&q, allocator);
    const uint64_t rows = (uint64_t)p->above + p->below + 3,
                   row_bytes = tmi_planes_row_words(p) * sizeof(uint64_t);
    if (status == TM_OK && fits && row_bytes <= most / rows)
        *out = p;
    else
        tmi_planes_free(p);
    return status;
}

void tmi_planes_free(tmi_planes *p)
{
    if (!p)
        return;
    tmi_arena_release(&p->arena);
    tmi_free(p->allocator, p, 1, sizeof(*p));
}

/* ---------------------------------------------------------------------------------------------- the rows */

size_t tmi_planes_row_words(const tmi_planes *p)
{
    return p->stride * p->num_planes;
}

/* Bit i of byte k becomes bit k of byte i (Hacker's Delight, section 7-3). */
static uint64_t transpose_8x8(uint64_t x)
{
    uint64_t t = (x ^ (x >> 7)) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & UINT64_C(0x0000cccc0000cccc);
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ t ^ (t << 28);
}

static unsigned tile_state(const tm_tile *tile)
{
    return (unsigned)tile->index << 3 | tmi_flag_code(tile->flags);
}

/* Whether all tiles are alike; most are, of most layers. */
static bool are_alike(const tm_tile *tiles, uint32_t num)
{
    uint32_t first, other = 0;
    memcpy(&first, tiles, sizeof(first));
    for (uint32_t i = 0; i < num; i++) {
        uint32_t tile;
        memcpy(&tile, tiles + i, sizeof(tile));
        other |= tile ^ first;
    }
    const tm_tile compared = {0xff, 0xff, 0, 0};
    uint32_t mask;
    memcpy(&mask, &compared, sizeof(mask));
    return !(other & mask);
}

/* Up to 64 tiles of one group: a word for each of its planes. */
static void look_up(uint64_t words[TMI_PLANE_GROUP], const uint8_t *lookup, const tm_tile *tiles,
                    uint32_t num)
{
    memset(words, 0, TMI_PLANE_GROUP * sizeof(*words));
    for (uint32_t i = 0; i < num; i += 8) {
        uint64_t bytes = 0;
        for (uint32_t k = 0; k < 8 && i + k < num; k++)
            bytes |= (uint64_t)lookup[tile_state(&tiles[i + k])] << 8 * k;
        bytes = transpose_8x8(bytes);
        for (unsigned plane = 0; plane < TMI_PLANE_GROUP; plane++)
            words[plane] |= (bytes >> 8 * plane & 0xff) << i;
    }
}

static uint32_t planes_of_group(const tmi_planes *p, uint32_t group)
{
    const uint32_t left = p->num_planes - group * TMI_PLANE_GROUP;
    return left < TMI_PLANE_GROUP ? left : TMI_PLANE_GROUP;
}

static void fill_word(const tmi_planes *p, uint64_t *row, const tm_tile *tiles, uint32_t num)
{
    const bool alike = are_alike(tiles, num);
    const uint64_t valid = num < TMI_PLANE_BITS ? (UINT64_C(1) << num) - 1 : UINT64_MAX;
    for (uint32_t group = 0; group < p->num_groups; group++) {
        const uint8_t *lookup = p->lookup + (size_t)group * TMI_PLANE_STATES;
        uint64_t words[TMI_PLANE_GROUP];
        if (!alike)
            look_up(words, lookup, tiles, num);
        const uint32_t planes = planes_of_group(p, group);
        for (uint32_t k = 0; k < planes; k++) {
            const uint32_t plane = group * TMI_PLANE_GROUP + k;
            const uint64_t word = alike ? 0 - (uint64_t)(lookup[tile_state(tiles)] >> k & 1) : words[k];
            row[plane * p->stride] = (word & valid) | (p->outside[plane] ? ~valid : 0);
        }
    }
}

void tmi_planes_fill(const tmi_planes *p, uint64_t *row, const tm_tile *tiles)
{
    for (uint32_t word = 0; word < p->num_words; word++) {
        const uint32_t from = word * TMI_PLANE_BITS, left = p->width - from;
        fill_word(p, row + p->pad + word, tiles + from, left < TMI_PLANE_BITS ? left : TMI_PLANE_BITS);
    }
}

void tmi_planes_fill_outside(const tmi_planes *p, uint64_t *row)
{
    for (uint32_t plane = 0; plane < p->num_planes; plane++)
        for (size_t i = 0; i < p->stride; i++)
            row[plane * p->stride + i] = p->outside[plane] ? UINT64_MAX : 0;
}
