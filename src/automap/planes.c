/* SPDX-License-Identifier: Zlib */
/*
 * Compiles a pass into planes and terms. See planes.h.
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
        const uint8_t *have = of->list + *out * of->size;
        // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): what the table numbers is in the list
        if (memcmp(have, wanted, of->size) == 0)
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
        const bool own = at.y == 0 && at.x == 0, left = at.y == 0 && at.x < 0;
        p->views[i] = (tmi_view){.plane = at.plane,
                                 .dy = at.y,
                                 .word = bit / TMI_PLANE_BITS,
                                 .shift = (unsigned)(bit % TMI_PLANE_BITS),
                                 .own = own,
                                 .left = left};
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

static tmi_fill_set *find_fill_set(tmi_fill_set *first, tmi_fill_set *end, const uint8_t flags[16])
{
    while (first < end && memcmp(first->flags, flags, sizeof(first->flags)) != 0)
        first++;
    return first;
}

static void add_to_fill_set(tmi_fill_set *set, unsigned index)
{
    uint8_t *bytes = index < TM_TILE_INDICES / 2 ? set->low : set->high;
    bytes[index & 15] |= (uint8_t)(1U << (index >> 4 & 7));
}

/* The sets of one plane behind those of the others; returns the new end. */
static tmi_fill_set *put_fill_sets(tmi_fill_set *end, uint32_t plane, const question *asked)
{
    tmi_fill_set *const first = end;
    for (unsigned index = 0; index < TM_TILE_INDICES; index++) {
        uint8_t flags[16];
        if (!asked->fits[index])
            continue;
        for (unsigned i = 0; i < sizeof(flags); i++)
            flags[i] = asked->fits[index] >> tmi_flag_code(i) & 1 ? 0xff : 0;
        tmi_fill_set *set = find_fill_set(first, end, flags);
        if (set == end) {
            *end = (tmi_fill_set){.plane = plane, .only = (int32_t)index};
            memcpy(end++->flags, flags, sizeof(flags));
        } else {
            set->only = TM_NONE;
        }
        add_to_fill_set(set, index);
    }
    return end;
}

enum { MOST_SETS = 255 }; /* of a plane: as many as there are choices of flags */

static tm_status make_fill_sets(tmi_planes *p, const question *list, tm_error *error)
{
    tmi_fill_set own[MOST_SETS];
    size_t num = 0;
    for (uint32_t i = 0; i < p->num_planes; i++)
        num += (size_t)(put_fill_sets(own, i, &list[i]) - own);
    p->sets = zeroed(p, num + 1, sizeof(*p->sets));
    if (!p->sets)
        return tmi_fail_memory(error, (num + 1) * sizeof(*p->sets), "a pass of rules");
    tmi_fill_set *end = p->sets;
    for (uint32_t i = 0; i < p->num_planes; i++)
        end = put_fill_sets(end, i, &list[i]);
    end->plane = UINT32_MAX;
    return TM_OK;
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
    return make_fill_sets(p, list, error);
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

/* ------------------------------------------------------------------------------- seeing what is written */

static bool makes_plane(const tmi_planes *p, uint32_t plane, const tmi_fast_rule *rule)
{
    const uint8_t *lookup = p->lookup + (size_t)(plane / TMI_PLANE_GROUP) * TMI_PLANE_STATES;
    return lookup[rule->state] >> plane % TMI_PLANE_GROUP & 1;
}

/* Whether no rule can make the term hold where it does not. */
static bool never_begins(const tmi_planes *p, uint32_t term)
{
    for (uint32_t i = 0; i < p->num_rules; i++)
        if (p->rules[i].threshold && makes_plane(p, p->views[term / 2].plane, &p->rules[i]) != (term & 1))
            return false;
    return true;
}

static void bind_terms(tmi_planes *p, tmi_fast_rule *rule)
{
    uint32_t *terms = p->terms + rule->first_term;
    rule->num_bound = rule->num_ahead;
    for (uint32_t i = rule->num_ahead; i < rule->num_terms; i++) {
        const uint32_t term = terms[i];
        if (!never_begins(p, term))
            continue;
        terms[i] = terms[rule->num_bound];
        terms[rule->num_bound++] = term;
    }
}

static uint32_t follow_plane(tmi_planes *p, uint32_t plane)
{
    for (uint32_t i = 0; i < p->num_followed; i++)
        if (p->followed[i] == plane)
            return i;
    p->followed[p->num_followed] = plane;
    return p->num_followed++;
}

static void follow_planes(tmi_planes *p)
{
    for (uint32_t i = 0; i < p->num_views; i++) {
        if (!p->views[i].left)
            continue;
        p->left_views[p->num_left_views++] = i;
        (void)follow_plane(p, p->views[i].plane);
    }
    p->num_left = p->num_followed;
    for (uint32_t i = 0; i < p->num_views; i++)
        if (p->views[i].own)
            p->views[i].followed = follow_plane(p, p->views[i].plane);
    p->plane_0 = follow_plane(p, 0);
}

static tm_status make_live(tmi_planes *p, tm_error *error)
{
    p->followed = zeroed(p, p->num_planes, sizeof(*p->followed));
    p->left_views = zeroed(p, p->num_views, sizeof(*p->left_views));
    if (!p->followed || !p->left_views)
        return tmi_fail_memory(error, p->num_planes * sizeof(*p->followed), "a pass of rules");
    follow_planes(p);
    p->makes = zeroed(p, (size_t)p->num_rules * p->num_followed, sizeof(*p->makes));
    if (!p->makes)
        return tmi_fail_memory(error, (uint64_t)p->num_rules * p->num_followed, "a pass of rules");
    for (uint32_t i = 0; i < p->num_rules; i++) {
        tmi_fast_rule *rule = &p->rules[i];
        rule->state = tmi_planes_state(p, &(tm_tile){rule->index, rule->flags, 0, 0});
        for (uint32_t k = 0; k < p->num_followed; k++)
            p->makes[(size_t)i * p->num_followed + k] = 0 - (uint64_t)makes_plane(p, p->followed[k], rule);
    }
    for (uint32_t i = 0; i < p->num_rules; i++)
        bind_terms(p, &p->rules[i]);
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
    if (pass->no_layer_copy)
        TM_TRY(make_live(p, error));
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
    tmi_planes_find_ways(p);
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
