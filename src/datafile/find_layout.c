/* SPDX-License-Identifier: Zlib */
/*
 * datafile/find_layout.c - where the parts of a file lie if its header does not say so (section 1.14): a
 * count is wrong, or a table has a row too many or too few.
 *
 * A file tells its layout more than once. Items lie one behind the other, each with its type and size in
 * front of it; item offsets and the table of types say the same; blocks begin with the head of a zlib stream;
 * size, swaplen and the length of the file are sums of the counts. So: wherever items may begin, they are
 * followed. Each place where the data may begin that this leads to is a candidate, with every number of rows
 * that the tables in front of the items may have. A candidate's cost is what it contradicts of all that the
 * file says; the cheapest is the layout.
 */
#include "layout.h"

/* What it costs a candidate to contradict something. */
enum {
    COST_COUNT = 4,   /* a count of the header, or a row too many or too few */
    COST_SUM = 3,     /* size, swaplen or the length of the file */
    COST_VERSION = 6, /* nothing else tells version 3 from 4 but the table of sizes and the zlib heads */
    COST_STREAM = 6,  /* the data does not begin with a zlib head, or no block has any of it */
    COST_OFFSET = 2,  /* a row of offsets that leads astray */
    COST_ROWS = 10,   /* of all rows that lead astray, in one table: both tables of offsets may be lost */
    GAIN_TABLES = 24, /* of tables that all agree with the bytes, as those behind a header that is lost do */
    GAIN_ITEMS =
        40,        /* of items from the version on to the first stream, with room for all rows before them */
    COST_MOST = 20 /* what is dearer is no layout: above what items that end with a cut file can cost */
};
enum {
    MOST_TABLES = 4 << 20, /* bytes in which the first item is looked for */
    NEAR = 14,             /* words around the announced start of the items where they may start */
    MAX_FIRST = 8,         /* of these, where what looks like the first item is */
    MAX_STARTS = 64,       /* places where items may start */
    MAX_ENDS = 12,         /* places where data may start */
    MAX_STRETCHES = 128,
    MAX_CANDIDATES = 64, /* of those that cost the least before rows are looked at */
    MAX_ROWS = 1024      /* of a table that are looked at */
};

/* Items that lie one behind the other. */
typedef struct stretch {
    uint64_t items_at, data_at;
    uint32_t num_items;
    uint32_t num_runs;  /* of items of one type */
    uint32_t num_types; /* fewer, if a type has several runs */
} stretch;

typedef struct candidate {
    tmi_layout layout;
    const stretch *items;
    uint32_t cost, gain;
    uint32_t rank; /* the cost; much more if the items do not lead from the version to a stream */
} candidate;

typedef struct search {
    const tmi_head_claims *claims;
    const uint8_t *bytes;
    uint64_t file_size, max_items;
    uint64_t starts[MAX_STARTS], ends[MAX_ENDS];
    uint32_t num_starts, num_ends, num_stretches, num_candidates;
    stretch stretches[MAX_STRETCHES];
    candidate candidates[MAX_CANDIDATES]; /* the cheapest first */
} search;

/* The version of the map is the first item of nearly all, and has the same twelve bytes everywhere. */
static const uint8_t version_item[] = {0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0};

tmi_head_claims tmi_read_claims(const uint8_t *bytes)
{
    return (tmi_head_claims){.version = tmi_get_i32(bytes + TMI_AT_VERSION),
                             .size = tmi_get_i32(bytes + TMI_AT_SIZE),
                             .swaplen = tmi_get_i32(bytes + TMI_AT_SWAPLEN),
                             .num_types = tmi_get_i32(bytes + TMI_AT_NUM_TYPES),
                             .num_items = tmi_get_i32(bytes + TMI_AT_NUM_ITEMS),
                             .num_data = tmi_get_i32(bytes + TMI_AT_NUM_DATA),
                             .item_size = tmi_get_i32(bytes + TMI_AT_ITEM_SIZE),
                             .data_size = tmi_get_i32(bytes + TMI_AT_DATA_SIZE)};
}

static int64_t not_negative(int32_t number)
{
    return number > 0 ? number : 0;
}

/* The size of everything in front of the items. */
static int64_t tables_end(const tmi_head_claims *claims)
{
    return TMI_FIXED_HEAD + TMI_TYPE_ENTRY * not_negative(claims->num_types) +
           4 * not_negative(claims->num_items) +
           (claims->version == 3 ? 4 : 8) * not_negative(claims->num_data);
}

static void note_place(uint64_t *list, uint32_t *num, uint32_t most, int64_t place, uint64_t file_size)
{
    if (place < TMI_FIXED_HEAD || (uint64_t)place > file_size || *num == most)
        return;
    for (uint32_t i = 0; i < *num; i++)
        if (list[i] == (uint64_t)place)
            return;
    list[(*num)++] = (uint64_t)place;
}

/*
 * Where items may start: where the counts say, a few words around it, and where the sums say. Where data may
 * start: where the sums say; behind the announced bytes of items is a place of its own for each start.
 */
static void collect_places(search *s)
{
    const tmi_head_claims *claims = s->claims;
    const int64_t sizes = 4 * not_negative(claims->num_data);
    const int64_t item_size = not_negative(claims->item_size), data_size = not_negative(claims->data_size);
    const int64_t file_size = (int64_t)s->file_size;
    const int64_t ends[] = {(int64_t)claims->swaplen + TMI_UNCOUNTED,
                            (int64_t)claims->swaplen + TMI_UNCOUNTED + sizes,
                            file_size - data_size,
                            (int64_t)claims->size + TMI_UNCOUNTED - data_size,
                            (int64_t)claims->size + TMI_UNCOUNTED + sizes - data_size,
                            tables_end(claims) + item_size};
    for (size_t i = 0; i < TMI_COUNT_OF(ends); i++)
        note_place(s->ends, &s->num_ends, MAX_ENDS, ends[i], s->file_size);
    const uint64_t last = s->file_size < MOST_TABLES ? s->file_size : MOST_TABLES;
    for (uint64_t at = TMI_FIXED_HEAD; at + sizeof(version_item) <= last && s->num_starts < MAX_FIRST;
         at += 4)
        if (memcmp(s->bytes + at, version_item, sizeof(version_item)) == 0)
            note_place(s->starts, &s->num_starts, MAX_STARTS, (int64_t)at, s->file_size);
    const int64_t start = tables_end(claims);
    for (int64_t k = 0; k <= NEAR; k++) {
        note_place(s->starts, &s->num_starts, MAX_STARTS, start - 4 * k, s->file_size);
        note_place(s->starts, &s->num_starts, MAX_STARTS, start + 4 * k, s->file_size);
    }
    for (size_t i = 0; i < TMI_COUNT_OF(ends); i++)
        note_place(s->starts, &s->num_starts, MAX_STARTS, ends[i] - item_size, s->file_size);
}

static void note_stretch(search *s, const stretch *items, uint64_t data_at)
{
    if (s->num_stretches == MAX_STRETCHES || items->num_items == 0 || data_at - items->items_at > INT32_MAX)
        return;
    s->stretches[s->num_stretches] = *items;
    s->stretches[s->num_stretches++].data_at = data_at;
}

/* Whether there can be an item at `at`. */
static bool is_item(const search *s, uint64_t at)
{
    if (s->file_size - at < TMI_ITEM_HEAD)
        return false;
    const int32_t size = tmi_get_i32(s->bytes + at + 4);
    return size >= 0 && size % 4 == 0 && (uint64_t)size <= s->file_size - at - TMI_ITEM_HEAD;
}

/*
 * Follows items from `start` on. They may end in each of the places where the data may start or a zlib head
 * stands, and where there is no further item or the items of a type go on that had ended.
 */
static void follow_items(search *s, uint64_t start)
{
    uint32_t seen[0x10000 / 32] = {0};
    stretch items = {.items_at = start};
    const uint64_t announced = start + (uint64_t)not_negative(s->claims->item_size);
    uint64_t at = start;
    for (uint32_t last = UINT32_MAX; items.num_items < s->max_items; items.num_items++) {
        bool is_end = at == announced;
        for (uint32_t i = 0; i < s->num_ends; i++)
            is_end |= at == s->ends[i];
        const bool is_over = !is_item(s, at);
        is_end |= s->file_size - at >= 2 && tmi_is_zlib_head(s->bytes + at);
        const uint32_t type = is_over ? last : tmi_get_u32(s->bytes + at) >> 16;
        const bool returns = type != last && (seen[type / 32] >> (type % 32) & 1) != 0;
        if (is_end || is_over || (returns && items.num_runs == items.num_types))
            note_stretch(s, &items, at);
        if (is_over)
            return;
        seen[type / 32] |= (uint32_t)1 << (type % 32);
        items.num_runs += type != last;
        items.num_types += type != last && !returns;
        last = type;
        at += TMI_ITEM_HEAD + (uint64_t)tmi_get_i32(s->bytes + at + 4);
    }
}

/* ------------------------------------------------------------------------------------------------- costs */

static uint32_t cost_unless(bool agrees, uint32_t cost)
{
    return agrees ? 0 : cost;
}

/* Both sums have the same form: full or crude. */
static uint32_t cost_of_sums(const search *s, const tmi_item_layout *plan, uint32_t data_size)
{
    const int64_t size = (int64_t)plan->data_at + data_size - TMI_UNCOUNTED;
    const int64_t swaplen = (int64_t)plan->data_at - TMI_UNCOUNTED;
    const int64_t sizes = plan->version == 4 ? 4 * (int64_t)plan->num_data : 0;
    const uint32_t full =
        cost_unless(s->claims->size == size, COST_SUM) + cost_unless(s->claims->swaplen == swaplen, COST_SUM);
    const uint32_t crude = cost_unless(s->claims->size == size - sizes, COST_SUM) +
                           cost_unless(s->claims->swaplen == swaplen - sizes, COST_SUM);
    return full < crude ? full : crude;
}

/* The size of the data: as announced, or all that is left of the file, which contradicts less. */
static uint32_t choose_data_size(const search *s, tmi_layout *layout)
{
    const uint64_t left = s->file_size - layout->data_at;
    const int32_t announced = s->claims->data_size;
    const uint32_t sizes[] = {(uint32_t)not_negative(announced),
                              left < INT32_MAX ? (uint32_t)left : INT32_MAX};
    uint32_t least = UINT32_MAX, best = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(sizes); i++) {
        const bool is_empty = sizes[i] == 0 && left > 0 && layout->plan.num_data > 0;
        const uint32_t cost = cost_unless((int64_t)sizes[i] == announced, COST_COUNT) +
                              cost_unless(sizes[i] == left, COST_SUM) + cost_unless(!is_empty, COST_STREAM) +
                              cost_of_sums(s, &layout->plan, sizes[i]);
        if (cost < least) {
            least = cost;
            best = sizes[i];
        }
    }
    layout->plan.data_size = best;
    return least;
}

static uint32_t row_cost(uint32_t rows, uint32_t num)
{
    return COST_COUNT * (rows > num ? rows - num : num - rows);
}

/*
 * Whether items lead from the version of the map to the first stream, or to the end of a file without data.
 */
static bool chains(const search *s, const tmi_layout *layout)
{
    const uint64_t left = s->file_size - layout->data_at;
    if (memcmp(s->bytes + layout->items_at, version_item, sizeof(version_item)) != 0)
        return false;
    return layout->plan.num_data == 0
               ? left == 0
               : layout->plan.version == 4 && left >= 2 && tmi_is_zlib_head(s->bytes + layout->data_at);
}

/* Whether the tables of items and blocks have the rows that they should, and whether all tables have. */
static bool has_all_offsets(const tmi_layout *layout)
{
    const tmi_item_layout *plan = &layout->plan;
    return layout->offset_rows == plan->num_items && layout->data_rows == plan->num_data &&
           (plan->version == 3 || layout->size_rows == plan->num_data);
}

static bool has_all_rows(const tmi_layout *layout)
{
    return layout->type_rows == layout->num_runs && has_all_offsets(layout);
}

/* A candidate whose tables have these rows, kept if it is one of the cheapest. */
static void add_candidate(search *s, const stretch *items, const tmi_layout *rows, uint32_t num_data)
{
    const tmi_head_claims *claims = s->claims;
    candidate new = {.layout = *rows, .items = items};
    tmi_layout *layout = &new.layout;
    tmi_item_layout *plan = &layout->plan;
    /* a type with several runs may have a row for each or one row */
    const bool by_runs =
        row_cost(layout->type_rows, items->num_runs) < row_cost(layout->type_rows, items->num_types);
    plan->num_types = by_runs ? items->num_runs : items->num_types;
    layout->num_runs = items->num_runs;
    plan->num_items = items->num_items;
    plan->num_data = num_data;
    plan->item_size = (uint32_t)(items->data_at - items->items_at);
    layout->items_at = items->items_at;
    layout->data_at = items->data_at;
    tmi_item_layout_place(plan);
    new.cost = choose_data_size(s, layout) +
               cost_unless((int64_t)plan->version == claims->version, COST_VERSION) +
               cost_unless(plan->num_types == (uint32_t)claims->num_types, COST_COUNT) +
               cost_unless(plan->num_items == (uint32_t)claims->num_items, COST_COUNT) +
               cost_unless(plan->num_data == (uint32_t)claims->num_data, COST_COUNT) +
               cost_unless(plan->item_size == (uint32_t)claims->item_size, COST_COUNT) +
               cost_unless(items->num_runs == items->num_types, COST_COUNT);
    new.cost += row_cost(layout->type_rows, plan->num_types) +
                row_cost(layout->offset_rows, plan->num_items) + row_cost(layout->data_rows, num_data) +
                (plan->version == 4 ? row_cost(layout->size_rows, num_data) : 0);
    if (plan->version == 4 && num_data > 0 && plan->data_size > 0)
        new.cost += cost_unless(
            s->file_size - layout->data_at < 2 || tmi_is_zlib_head(s->bytes + layout->data_at), COST_STREAM);
    new.cost += cost_unless(num_data > 0 || plan->data_size == 0, COST_STREAM);
    if (new.cost > COST_MOST + GAIN_ITEMS)
        return;
    new.rank = new.cost + (has_all_rows(layout) && chains(s, layout) ? 0 : GAIN_TABLES);
    uint32_t place = s->num_candidates < MAX_CANDIDATES ? s->num_candidates++ : MAX_CANDIDATES;
    for (; place > 0 && s->candidates[place - 1].rank > new.rank; place--)
        if (place < MAX_CANDIDATES)
            s->candidates[place] = s->candidates[place - 1];
    if (place < MAX_CANDIDATES)
        s->candidates[place] = new;
}

/* Divides the `words` that are left of the tables among offsets and sizes of blocks. */
static void add_data_rows(search *s, const stretch *items, tmi_layout *layout, uint32_t words)
{
    const int64_t said = not_negative(s->claims->num_data);
    layout->plan.version = 3;
    layout->data_rows = words;
    layout->size_rows = 0;
    add_candidate(s, items, layout, words);
    if (said == (int64_t)words + 1 || said + 1 == (int64_t)words)
        add_candidate(s, items, layout, (uint32_t)said);
    layout->plan.version = 4;
    layout->data_rows = words - words / 2; /* of two as good as each other, the one with more offsets */
    layout->size_rows = words / 2;
    add_candidate(s, items, layout, layout->data_rows);
    if (words % 2 == 0)
        return;
    add_candidate(s, items, layout, layout->size_rows);
    layout->data_rows = words / 2;
    layout->size_rows = words - words / 2;
    add_candidate(s, items, layout, layout->data_rows);
    add_candidate(s, items, layout, layout->size_rows);
}

/* Every number of rows that the tables in front of these items can have. */
static void try_rows(search *s, const stretch *items)
{
    enum { AROUND = 2 };
    const int64_t words = (int64_t)(items->items_at - TMI_FIXED_HEAD) / 4;
    const int64_t said = not_negative(s->claims->num_types), there = items->num_types;
    for (int64_t i = 0; i < 2 * (2 * AROUND + 1); i++) {
        const int64_t from = i % 2 == 0 ? there : said;
        const int64_t types = from + i / 2 - AROUND;
        const int64_t apart = types > there ? types - there : there - types;
        if (types < 0 || (i % 2 == 1 && apart <= AROUND)) /* those around `there` come by themselves */
            continue;
        for (int64_t offsets = (int64_t)items->num_items - 1; offsets <= (int64_t)items->num_items + 1;
             offsets++) {
            const int64_t left = words - types * (TMI_TYPE_ENTRY / 4) - offsets;
            tmi_layout layout = {.type_rows = (uint32_t)types, .offset_rows = (uint32_t)offsets};
            if (left >= 0)
                add_data_rows(s, items, &layout, (uint32_t)left);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- tables */

/* How many item offsets are not where the items are, besides rows that are too many or too few. */
static uint32_t count_stray_items(const search *s, const tmi_layout *layout)
{
    const uint8_t *table = s->bytes + TMI_FIXED_HEAD + (size_t)layout->type_rows * TMI_TYPE_ENTRY;
    uint32_t spare_rows =
        layout->offset_rows > layout->plan.num_items ? layout->offset_rows - layout->plan.num_items : 0;
    uint32_t spare_items =
        layout->offset_rows < layout->plan.num_items ? layout->plan.num_items - layout->offset_rows : 0;
    uint32_t astray = 0, row = 0;
    uint64_t at = 0;
    for (uint32_t i = 0; i < layout->plan.num_items && row < layout->offset_rows && row < MAX_ROWS; i++) {
        const uint64_t next =
            at + TMI_ITEM_HEAD + (uint64_t)tmi_get_i32(s->bytes + layout->items_at + at + 4);
        const bool fits = tmi_get_i32(table + (size_t)row * 4) == (int64_t)at;
        if (!fits && spare_items > 0) {
            spare_items--; /* this item has no row */
        } else {
            if (!fits && spare_rows > 0 && row + 1 < layout->offset_rows &&
                tmi_get_i32(table + (size_t)(row + 1) * 4) == (int64_t)at) {
                spare_rows--; /* this row has no item */
                row++;
            } else if (!fits) {
                astray++;
            }
            row++;
        }
        at = next;
    }
    return astray;
}

/* How many offsets of blocks do not rise, lead out of the data, or lead to no zlib stream. */
static uint32_t count_stray_blocks(const search *s, const tmi_layout *layout)
{
    const uint8_t *table = s->bytes + TMI_FIXED_HEAD + (size_t)layout->type_rows * TMI_TYPE_ENTRY +
                           (size_t)layout->offset_rows * 4;
    const bool may_begin_late =
        layout->data_rows < layout->plan.num_data;             /* the first row may be the one that is cut */
    bool may_stay = layout->data_rows > layout->plan.num_data; /* one row is doubled */
    uint32_t astray = 0;
    int64_t last = -1;
    for (uint32_t i = 0; i < layout->data_rows && i < MAX_ROWS; i++) {
        const int64_t at = tmi_get_i32(table + (size_t)i * 4);
        const bool inside = at >= 0 && at <= (int64_t)layout->plan.data_size;
        const bool there = inside && (uint64_t)at + 2 <= s->file_size - layout->data_at;
        const bool stream = !there || layout->plan.version == 3 || at == (int64_t)layout->plan.data_size ||
                            tmi_is_zlib_head(s->bytes + layout->data_at + at);
        const bool rises = at > last || (at == last && may_stay);
        may_stay &= at > last;
        astray += !inside || !rises || (i == 0 && at != 0 && !may_begin_late) || !stream;
        last = inside && at > last ? at : last;
    }
    return astray;
}

static uint32_t cost_of_rows(uint32_t astray)
{
    return astray * COST_OFFSET < COST_ROWS ? astray * COST_OFFSET : COST_ROWS;
}

/* Whether each run of items has its row in the table of types, which has no others. */
static bool types_agree(const search *s, const tmi_layout *layout)
{
    const uint8_t *row = s->bytes + TMI_FIXED_HEAD;
    uint32_t first = 0;
    uint64_t at = layout->items_at;
    if (layout->type_rows != layout->num_runs)
        return false;
    for (uint32_t t = 0; t < layout->type_rows; t++, row += TMI_TYPE_ENTRY) {
        const uint32_t num = tmi_get_u32(row + 8);
        if (tmi_get_u32(row + 4) != first || num == 0 || num > layout->plan.num_items - first)
            return false;
        for (const uint32_t end = first + num; first < end; first++) {
            if (tmi_get_u32(s->bytes + at) >> 16 != tmi_get_u32(row))
                return false;
            at += TMI_ITEM_HEAD + (uint64_t)tmi_get_i32(s->bytes + at + 4);
        }
    }
    return first == layout->plan.num_items;
}

static void look_at_tables(const search *s, candidate *c)
{
    enum { SEVERAL_ROWS = 3 }; /* of offsets that lead to items: no accident */
    tmi_layout *layout = &c->layout;
    const uint32_t items = count_stray_items(s, layout), blocks = count_stray_blocks(s, layout);
    layout->items_astray = items > 0;
    layout->data_astray = blocks > 0;
    c->cost += cost_of_rows(items) + cost_of_rows(blocks);
    const bool leads = layout->plan.num_data > 0 && layout->plan.num_items >= SEVERAL_ROWS;
    if (items == 0 && blocks == 0 && has_all_offsets(layout) && (leads || types_agree(s, layout)))
        c->gain = GAIN_TABLES;
    else if (has_all_rows(layout) && chains(s, layout))
        c->gain = GAIN_ITEMS;
}

static bool says_so(const tmi_head_claims *claims, const tmi_layout *layout)
{
    const tmi_item_layout *plan = &layout->plan;
    return (claims->version == 3) == (plan->version == 3) && claims->num_types == (int32_t)plan->num_types &&
           claims->num_items == (int32_t)plan->num_items && claims->num_data == (int32_t)plan->num_data &&
           claims->item_size == (int32_t)plan->item_size && claims->data_size == (int32_t)plan->data_size &&
           layout->type_rows == plan->num_types && layout->offset_rows == plan->num_items &&
           layout->data_rows == plan->num_data && (plan->version == 3 || layout->size_rows == plan->num_data);
}

/* Whether the rows of the table of types divide the items among them. */
static bool types_divide(const tmi_item_layout *plan, const uint8_t *head)
{
    uint64_t counted = 0;
    for (uint32_t t = 0; t < plan->num_types; t++) {
        const uint8_t *row = head + plan->types_at + (size_t)t * TMI_TYPE_ENTRY;
        const uint32_t num = tmi_get_u32(row + 8);
        if (tmi_get_u32(row) > 0xFFFF || tmi_get_u32(row + 4) != counted || num == 0 ||
            num > plan->num_items - counted)
            return false;
        counted += num;
    }
    return counted == plan->num_items;
}

/*
 * The items if they are where the header and the tables say, so that there is nothing to find: an item whose
 * own type is another than that of the table is only that, and the table is right, as for the games.
 */
static const stretch *find_as_claimed(const search *s, const tmi_item_layout *plan)
{
    const tmi_layout layout = {.plan = *plan,
                               .items_at = plan->items_at,
                               .type_rows = plan->num_types,
                               .offset_rows = plan->num_items};
    for (uint32_t i = 0; i < s->num_stretches; i++) {
        const stretch *items = &s->stretches[i];
        if (items->items_at == plan->items_at && items->data_at == plan->data_at &&
            items->num_items == plan->num_items)
            return types_divide(plan, s->bytes) && plan->data_at + plan->data_size == s->file_size &&
                           count_stray_items(s, &layout) == 0
                       ? items
                       : NULL;
    }
    return NULL;
}

static tmi_layout layout_of_claims(const tmi_item_layout *plan, const stretch *items)
{
    return (tmi_layout){.plan = *plan,
                        .items_at = plan->items_at,
                        .data_at = plan->data_at,
                        .type_rows = plan->num_types,
                        .offset_rows = plan->num_items,
                        .data_rows = plan->num_data,
                        .size_rows = plan->version == 4 ? plan->num_data : 0,
                        .num_runs = items->num_runs};
}

bool tmi_layout_find(tmi_layout *out, const tmi_head_claims *claims, const uint8_t *bytes, uint64_t file_size,
                     uint64_t max_items)
{
    search s = {.claims = claims, .bytes = bytes, .file_size = file_size, .max_items = max_items};
    collect_places(&s);
    for (uint32_t i = 0; i < s.num_starts; i++)
        if (s.starts[i] % 4 == 0)
            follow_items(&s, s.starts[i]);
    tmi_item_layout claimed;
    const bool is_magic = tmi_is_magic(bytes);
    const stretch *items = tmi_claimed_layout(&claimed, bytes) ? find_as_claimed(&s, &claimed) : NULL;
    if (items) {
        *out = layout_of_claims(&claimed, items);
        return !is_magic;
    }
    for (uint32_t i = 0; i < s.num_stretches; i++)
        try_rows(&s, &s.stretches[i]);
    const candidate *best = NULL, *best_tables = NULL;
    for (uint32_t i = 0; i < s.num_candidates; i++) {
        candidate *c = &s.candidates[i];
        look_at_tables(&s, c);
        if (c->cost <= COST_MOST && (!best || c->cost < best->cost))
            best = c;
        if (c->gain && c->cost <= COST_MOST + c->gain && (!best_tables || c->cost < best_tables->cost))
            best_tables = c;
    }
    if (!best || !is_magic) /* what does not begin as a datafile has to prove that it is one */
        best = best_tables;
    if (!best || (is_magic && says_so(claims, &best->layout) && !best->layout.items_astray))
        return false;
    *out = best->layout;
    return true;
}

/* ---------------------------------------------------------------------------------- is anything wrong? */

/* Whether the items have the types of the table, and lie one behind the other where their offsets say. */
static bool items_hold(const tmi_item_layout *plan, const uint8_t *head)
{
    uint64_t at = 0;
    if (!types_divide(plan, head))
        return false;
    for (uint32_t t = 0, i = 0; t < plan->num_types; t++) {
        const uint8_t *row = head + plan->types_at + (size_t)t * TMI_TYPE_ENTRY;
        for (const uint32_t end = i + tmi_get_u32(row + 8); i < end; i++) {
            if (tmi_get_u32(head + plan->item_offsets_at + (size_t)i * 4) != at ||
                plan->item_size - at < TMI_ITEM_HEAD)
                return false;
            const uint8_t *item = head + plan->items_at + at;
            const uint32_t size = tmi_get_u32(item + 4);
            if (tmi_get_u32(item) >> 16 != tmi_get_u32(row) || size > plan->item_size - at - TMI_ITEM_HEAD)
                return false;
            at += TMI_ITEM_HEAD + (uint64_t)size;
        }
    }
    return at == plan->item_size;
}

bool tmi_claimed_layout(tmi_item_layout *plan, const uint8_t *bytes)
{
    const tmi_head_claims claims = tmi_read_claims(bytes);
    *plan = (tmi_item_layout){.version = (uint32_t)claims.version,
                              .num_types = (uint32_t)claims.num_types,
                              .num_items = (uint32_t)claims.num_items,
                              .num_data = (uint32_t)claims.num_data,
                              .item_size = (uint32_t)claims.item_size,
                              .data_size = (uint32_t)claims.data_size};
    tmi_item_layout_place(plan);
    return (claims.num_types | claims.num_items | claims.num_data | claims.item_size | claims.data_size) >=
               0 &&
           (claims.version == 3 || claims.version == 4) && plan->data_at < SIZE_MAX;
}

bool tmi_layout_holds(const tmi_item_layout *plan, const uint8_t *head, uint64_t file_size)
{
    if (plan->data_at + plan->data_size != file_size || !items_hold(plan, head))
        return false;
    uint32_t last = 0;
    for (uint32_t i = 0; i < plan->num_data; i++) {
        const uint32_t at = tmi_get_u32(head + plan->data_offsets_at + (size_t)i * 4);
        if (at < last || at > plan->data_size || (i == 0 && at != 0))
            return false;
        last = at;
    }
    return true;
}
