/* SPDX-License-Identifier: Zlib */
/*
 * Compiles a pass into planes and terms, and makes the planes of a row of tiles. See planes.h.
 */
#include "planes.h"

/* What a plane asks. */
typedef tmi_tile_set question;

/* Things that are there once each, found by a hash table of their places + 1. */
typedef struct once {
    const tm_allocator *allocator;
    uint8_t *list;
    size_t num, capacity, size; /* `size`: bytes of one */
    uint32_t *table;
    size_t table_size;
} once;

static uint32_t hash_bytes(const uint8_t *bytes, size_t size)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619U;
    return hash ^ hash >> 15;
}

static tm_status grow_table(once *of, tm_error *error)
{
    const size_t size = of->table_size ? of->table_size * 2 : 64;
    uint32_t *table = tmi_calloc(of->allocator, size, sizeof(*table));
    if (!table)
        return tmi_fail_memory(error, size * sizeof(*table), "a pass of rules");
    for (size_t i = 0; i < of->num; i++) {
        size_t at = hash_bytes(of->list + i * of->size, of->size) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = (uint32_t)i + 1;
    }
    tmi_free(of->allocator, of->table, of->table_size, sizeof(*table));
    of->table = table;
    of->table_size = size;
    return TM_OK;
}

/* The place of a thing; a new one if it is not there yet. All its bytes count. */
static tm_status find_once(uint32_t *out, once *of, const void *wanted, tm_error *error)
{
    if (of->num * 2 >= of->table_size)
        TM_TRY(grow_table(of, error));
    size_t at = hash_bytes(wanted, of->size) & (of->table_size - 1);
    for (; of->table[at]; at = (at + 1) & (of->table_size - 1)) {
        *out = of->table[at] - 1;
        if (memcmp(of->list + *out * of->size, wanted, of->size) == 0)
            return TM_OK;
    }
    TM_TRY(tmi_grow(of->allocator, &of->list, &of->capacity, of->num + 1, of->size, error));
    *out = (uint32_t)of->num;
    memcpy(of->list + of->num++ * of->size, wanted, of->size);
    of->table[at] = (uint32_t)of->num;
    return TM_OK;
}

static void release_once(once *of)
{
    tmi_free(of->allocator, of->list, of->capacity, of->size);
    tmi_free(of->allocator, of->table, of->table_size, sizeof(*of->table));
}

/* Where a view looks. */
typedef struct look {
    uint32_t plane;
    int32_t x, y;
} look;

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
static look look_at_place(tmi_planes *p, const tm_automap_condition *condition, uint32_t plane)
{
    const int64_t dx = clamp_to_layer(condition->x, (int64_t)p->num_words * TMI_PLANE_BITS);
    const int64_t dy = clamp_to_layer(condition->y, p->height);
    if (-dy > (int64_t)p->above)
        p->above = (uint32_t)-dy;
    if (dy > (int64_t)p->below)
        p->below = (uint32_t)dy;
    return (look){plane, (int32_t)dx, (int32_t)dy};
}

static tm_status make_views(tmi_planes *p, const once *looks, tm_error *error)
{
    p->num_views = (uint32_t)looks->num;
    p->views = zeroed(p, looks->num, sizeof(*p->views));
    if (!p->views)
        return tmi_fail_memory(error, looks->num * sizeof(*p->views), "a pass of rules");
    for (uint32_t i = 0; i < p->num_views; i++) {
        look at;
        memcpy(&at, looks->list + i * sizeof(at), sizeof(at));
        const int64_t bit = (int64_t)p->pad * TMI_PLANE_BITS + at.x;
        p->views[i] = (tmi_view){at.plane, at.y, bit / TMI_PLANE_BITS, (unsigned)(bit % TMI_PLANE_BITS),
                                 at.y == 0 && at.x <= 0};
    }
    return TM_OK;
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

/* What lies ahead comes first. */
static void put_term(tmi_planes *p, tmi_fast_rule *to, uint32_t term, bool behind)
{
    uint32_t *terms = p->terms + to->first_term;
    terms[to->num_terms++] = term;
    p->num_terms++;
    if (behind)
        return;
    terms[to->num_terms - 1] = terms[to->num_ahead];
    terms[to->num_ahead++] = term;
}

static tm_status compile_rule(tmi_planes *p, once *planes, once *looks, const tm_automap_rule *rule,
                              uint32_t hash, bool plain_marks, tm_error *error)
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
        uint32_t plane, view;
        if (plain_marks && is_said_by_marks(rule, condition))
            continue;
        tmi_set_of_entries(&wanted, condition);
        TM_TRY(find_once(&plane, planes, &wanted, error));
        const look at = look_at_place(p, condition, plane);
        TM_TRY(find_once(&view, looks, &at, error));
        put_term(p, to, 2 * view + condition->negated, at.y == 0 && at.x <= 0);
    }
    p->all_skip_empty = p->all_skip_empty && rule->skip_empty;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- compiling */

/* A byte for each index, or for each state where flags are asked for. */
static void fill_lookup(tmi_planes *p, const question *list)
{
    const unsigned states = p->by_index ? TM_TILE_INDICES : TMI_PLANE_STATES, flags = p->by_index ? 1 : 8;
    for (size_t i = 0; i < p->num_planes; i++) {
        uint8_t *bytes = p->lookup + i / TMI_PLANE_GROUP * TMI_PLANE_STATES;
        p->outside[i] = list[i].outside;
        for (unsigned state = 0; state < states; state++)
            if (list[i].fits[state / flags] >> state % flags & 1)
                bytes[state] |= (uint8_t)(1U << i % TMI_PLANE_GROUP);
    }
}

static bool asks_for_flags(const question *list, size_t num)
{
    for (size_t i = 0; i < num; i++)
        for (unsigned k = 0; k < TM_TILE_INDICES; k++)
            if (list[i].fits[k] && list[i].fits[k] != 0xff)
                return true;
    return false;
}

static tm_status make_lookup(tmi_planes *p, const once *planes, tm_error *error)
{
    const question *list = (const void *)planes->list;
    p->num_planes = (uint32_t)planes->num;
    p->num_groups = (uint32_t)((planes->num + TMI_PLANE_GROUP - 1) / TMI_PLANE_GROUP);
    p->by_index = !asks_for_flags(list, planes->num);
    p->lookup = zeroed(p, p->num_groups, TMI_PLANE_STATES);
    p->outside = zeroed(p, p->num_planes, 1);
    if (!p->lookup || !p->outside)
        return tmi_fail_memory(error, (uint64_t)p->num_groups * TMI_PLANE_STATES, "a pass of rules");
    fill_lookup(p, list);
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
    p->mixed_x = zeroed(p, (size_t)p->num_words * TMI_PLANE_BITS, sizeof(*p->mixed_x));
    if (!p->mixed_x)
        return tmi_fail_memory(error, (uint64_t)p->width * sizeof(*p->mixed_x), "a pass of rules");
    for (uint32_t x = 0; x < p->width; x++)
        p->mixed_x[x] = 31 * 31 * tmi_automap_mix((uint32_t)work->layer.left + x);
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

/* ------------------------------------------------------------------------------------------- all answers */

/* At most so many views have a table of all that can be seen; fewer terms are asked as fast without. */
enum { MOST_ANSWERED = 12, LEAST_ANSWERED = 40 };

static bool rule_fits(const tmi_planes *p, const tmi_fast_rule *rule, uint32_t seen)
{
    const uint32_t *terms = p->terms + rule->first_term;
    for (uint32_t i = 0; i < rule->num_terms; i++)
        if ((seen >> terms[i] / 2 & 1) == (terms[i] & 1))
            return false;
    return true;
}

static uint32_t answer_of(const tmi_planes *p, uint32_t seen)
{
    for (uint32_t i = p->num_rules; i-- > 0;)
        if (rule_fits(p, &p->rules[i], seen))
            return UINT32_C(1) << 16 | (uint32_t)p->rules[i].flags << 8 | p->rules[i].index;
    return 0;
}

/* Where nothing but what is seen counts, and the table is worth its making. */
static bool can_be_answered(const tmi_planes *p)
{
    const uint64_t tiles = (uint64_t)p->width * p->height;
    if (p->num_views > MOST_ANSWERED || p->num_terms < LEAST_ANSWERED || !p->all_skip_empty ||
        p->num_terms << p->num_views > 4 * tiles)
        return false;
    for (uint32_t i = 0; i < p->num_rules; i++)
        if (p->rules[i].threshold < 65536 || p->rules[i].rule->num_modulos)
            return false;
    return true;
}

static tm_status make_answers(tmi_planes *p, tm_error *error)
{
    const uint32_t num = UINT32_C(1) << (p->num_views < MOST_ANSWERED ? p->num_views : MOST_ANSWERED);
    if (!can_be_answered(p))
        return TM_OK;
    p->answers = zeroed(p, num, sizeof(*p->answers));
    if (!p->answers)
        return tmi_fail_memory(error, num * sizeof(*p->answers), "a pass of rules");
    for (uint32_t seen = 0; seen < num; seen++)
        p->answers[seen] = answer_of(p, seen);
    return TM_OK;
}

static tm_status compile_all(tmi_planes *p, once *planes, once *looks, const tmi_automap_work *work,
                             uint32_t number, tm_error *error)
{
    static const tm_automap_entry nothing = {0, TM_AUTOMAP_ANY_FLAGS};
    const tm_automap_condition empty = {.entries = &nothing, .num_entries = 1};
    const tm_automap_pass *pass = &work->config->passes[number];
    const bool plain_marks = work->rules->dialect == TM_AUTOMAP_DDNET;
    const uint32_t hash = tmi_automap_hash(work->seed, number);
    question wanted;
    uint32_t plane;
    tmi_set_of_entries(&wanted, &empty);
    TM_TRY(find_once(&plane, planes, &wanted, error));
    p->rules = zeroed(p, pass->num_rules, sizeof(*p->rules));
    p->terms = zeroed(p, count_conditions(pass), sizeof(*p->terms));
    if (!p->rules || !p->terms)
        return tmi_fail_memory(error, count_conditions(pass) * sizeof(*p->terms), "a pass of rules");
    for (uint32_t i = 0; i < pass->num_rules; i++)
        TM_TRY(compile_rule(p, planes, looks, &pass->rules[i], hash, plain_marks, error));
    TM_TRY(make_views(p, looks, error));
    TM_TRY(make_lookup(p, planes, error));
    if (plain_marks)
        TM_TRY(make_answers(p, error));
    TM_TRY(make_mixed_x(p, work, pass, error));
    return make_x_masks(p, work, count_modulos(pass), error);
}

tm_status tmi_planes_new(tmi_planes **out, const tmi_automap_work *work, uint32_t number, uint64_t most,
                         tm_error *error)
{
    const tm_automap_pass *pass = &work->config->passes[number];
    const tm_allocator *allocator = work->options->allocator;
    once planes = {.allocator = allocator, .size = sizeof(question)};
    once looks = {.allocator = allocator, .size = sizeof(look)};
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
    p->draw_64 = tmi_find_draw_64();
    tm_status status = TM_OK;
    const bool fits = (uint64_t)count_modulos(pass) * p->num_words * sizeof(uint64_t) <= most;
    if (fits)
        status = compile_all(p, &planes, &looks, work, number, error);
    release_once(&planes);
    release_once(&looks);
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

unsigned tmi_planes_state(const tmi_planes *p, const tm_tile *tile)
{
    return p->by_index ? tile->index : (unsigned)tile->index << 3 | tmi_flag_code(tile->flags);
}

/* Whether 64 tiles are alike; most are, of most layers. */
static bool are_alike(const tm_tile *tiles)
{
    const tm_tile compared[2] = {{0xff, 0xff, 0, 0}, {0xff, 0xff, 0, 0}};
    uint64_t first, other = 0, mask, pair;
    memcpy(&mask, compared, sizeof(mask));
    memcpy(&first, tiles, sizeof(first));
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i += 2) {
        memcpy(&pair, tiles + i, sizeof(pair));
        other |= pair ^ first;
    }
    return !(other & mask) && tiles[0].index == tiles[1].index && tiles[0].flags == tiles[1].flags;
}

/* Bits 0 to 31 go to the even places, the others to the odd ones. */
static uint64_t interleave(uint64_t x)
{
    static const uint64_t masks[] = {UINT64_C(0x00000000ffff0000), UINT64_C(0x0000ff000000ff00),
                                     UINT64_C(0x00f000f000f000f0), UINT64_C(0x0c0c0c0c0c0c0c0c),
                                     UINT64_C(0x2222222222222222)};
    for (unsigned i = 0, by = 16; i < 5; i++, by /= 2) {
        const uint64_t t = (x ^ x >> by) & masks[i];
        x ^= t ^ t << by;
    }
    return x;
}

/* Which of 64 tiles are empty, two at a time: the carry out of an index tells. */
static uint64_t empty_bits(const tm_tile *tiles)
{
    const tm_tile indices[2] = {{0xff, 0, 0, 0}, {0xff, 0, 0, 0}};
    uint64_t mask, pair, bits = 0;
    memcpy(&mask, indices, sizeof(mask));
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i += 2) {
        memcpy(&pair, tiles + i, sizeof(pair));
        bits = bits >> 1 | (((pair & mask) + mask) & UINT64_C(0x0000010000000100)) << 23;
    }
    return ~interleave(bits);
}

/* Whether eight tiles have one state. */
static bool are_eight_alike(const uint16_t *states)
{
    const uint64_t all = states[0] * UINT64_C(0x0001000100010001);
    uint64_t halves[2];
    memcpy(halves, states, sizeof(halves));
    return halves[0] == all && halves[1] == all;
}

/* Up to 64 tiles of one group: a word for each of its planes. */
static void look_up(uint64_t words[TMI_PLANE_GROUP], const uint8_t *lookup, const uint16_t *states,
                    uint32_t planes)
{
    memset(words, 0, TMI_PLANE_GROUP * sizeof(*words));
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i += 8) {
        uint64_t bytes = 0;
        if (are_eight_alike(states + i)) {
            for (unsigned plane = 0; plane < planes; plane++)
                words[plane] |= ((0 - (uint64_t)(lookup[states[i]] >> plane & 1)) & 0xff) << i;
            continue;
        }
        for (uint32_t k = 0; k < 8; k++)
            bytes |= (uint64_t)lookup[states[i + k]] << 8 * k;
        bytes = tmi_transpose_8x8(bytes);
        for (unsigned plane = 0; plane < planes; plane++)
            words[plane] |= (bytes >> 8 * plane & 0xff) << i;
    }
}

static uint32_t planes_of_group(const tmi_planes *p, uint32_t group)
{
    const uint32_t left = p->num_planes - group * TMI_PLANE_GROUP;
    return left < TMI_PLANE_GROUP ? left : TMI_PLANE_GROUP;
}

static void put_plane_word(const tmi_planes *p, uint64_t *row, uint32_t plane, uint64_t word, uint64_t valid)
{
    row[plane * p->stride] = (word & valid) | (p->outside[plane] ? ~valid : 0);
}

static void fill_alike(const tmi_planes *p, uint64_t *row, const tm_tile *tile)
{
    const unsigned state = tmi_planes_state(p, tile);
    for (uint32_t plane = 0; plane < p->num_planes; plane++) {
        const uint8_t *lookup = p->lookup + (size_t)(plane / TMI_PLANE_GROUP) * TMI_PLANE_STATES;
        row[plane * p->stride] = 0 - (uint64_t)(lookup[state] >> plane % TMI_PLANE_GROUP & 1);
    }
}

static void fill_word(const tmi_planes *p, uint64_t *row, const tm_tile *tiles, uint32_t num)
{
    const uint64_t valid = num < TMI_PLANE_BITS ? (UINT64_C(1) << num) - 1 : UINT64_MAX;
    uint16_t states[TMI_PLANE_BITS] = {0};
    uint64_t words[TMI_PLANE_GROUP];
    for (uint32_t i = 0; i < num; i++)
        states[i] = (uint16_t)tmi_planes_state(p, &tiles[i]);
    for (uint32_t group = 0; group < p->num_groups; group++) {
        const uint32_t planes = planes_of_group(p, group);
        look_up(words, p->lookup + (size_t)group * TMI_PLANE_STATES, states, planes);
        for (uint32_t k = 0; k < planes; k++)
            put_plane_word(p, row, group * TMI_PLANE_GROUP + k, words[k], valid);
    }
}

void tmi_planes_fill(const tmi_planes *p, uint64_t *row, const tm_tile *tiles)
{
    const bool only_empty = p->num_planes == 1 && tmi_little_endian();
    for (uint32_t word = 0; word < p->num_words; word++, tiles += TMI_PLANE_BITS) {
        const uint32_t left = p->width - word * TMI_PLANE_BITS;
        uint64_t *to = row + p->pad + word;
        if (left < TMI_PLANE_BITS)
            fill_word(p, to, tiles, left);
        else if (only_empty)
            *to = empty_bits(tiles);
        else if (are_alike(tiles))
            fill_alike(p, to, tiles);
        else
            fill_word(p, to, tiles, TMI_PLANE_BITS);
    }
}

void tmi_planes_fill_outside(const tmi_planes *p, uint64_t *row)
{
    for (uint32_t plane = 0; plane < p->num_planes; plane++)
        for (size_t i = 0; i < p->stride; i++)
            row[plane * p->stride + i] = p->outside[plane] ? UINT64_MAX : 0;
}
