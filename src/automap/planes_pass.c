/* SPDX-License-Identifier: Zlib */
/*
 * A pass by planes: 64 tiles at once, rows from top to bottom, bands of rows side by side. A rule's places
 * are what is left of 64 bits after all its conditions; only for these is drawn, and only they are written.
 */
#include "planes.h"

/* ---------------------------------------------------------------------------------------------- 64 tiles */

/* A row that is being mapped. */
typedef struct fast_row {
    const tmi_planes *planes;
    const uint64_t **views; /* where each view's bits of this row begin */
    uint64_t *seen;         /* each view of the 64 tiles at hand, as it is and turned over */
    uint64_t *own;          /* the planes of the row itself */
    const uint64_t *empty;  /* the first of them, without what is outside */
    uint64_t *fitting;      /* for each rule the tiles where it fits as far as is known before */
    tm_tile *tiles;
    int32_t y;        /* as Modulo and chance count */
    uint32_t mixed_y; /* the hash's part of it */
} fast_row;

static unsigned first_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned n = 0;
    while (!(bits >> n & 1))
        n++;
    return n;
#endif
}

/* What the conditions see of 64 tiles. */
static void look_around(const fast_row *row, uint32_t word)
{
    const tmi_planes *p = row->planes;
    for (uint32_t i = 0; i < p->num_views; i++) {
        const uint64_t *words = row->views[i] + word;
        const unsigned shift = p->views[i].shift;
        /* Two shifts, since one by 64 means nothing in C. */
        const uint64_t bits = words[0] >> shift | words[1] << 1 << (63 - shift);
        row->seen[2 * i] = bits;
        row->seen[2 * i + 1] = ~bits;
    }
}

static uint64_t conditions_hold(const fast_row *row, const tmi_fast_rule *rule, uint64_t bits)
{
    const uint32_t *terms = row->planes->terms + rule->first_term;
    for (uint32_t i = 0; i < rule->num_terms && bits; i++)
        bits &= row->seen[terms[i]];
    return bits;
}

static uint64_t modulos_hold(const fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    const tmi_planes *p = row->planes;
    uint64_t allowed = 0;
    for (uint32_t i = 0; i < rule->rule->num_modulos; i++) {
        const tm_automap_modulo *m = &rule->rule->modulos[i];
        if (tmi_automap_add(row->y, m->offset_y) % m->every_y == 0)
            allowed |= p->x_masks[(rule->first_modulo + i) * p->num_words + word];
    }
    return bits & allowed;
}

/* From so many tiles on it is quicker to draw for all 64. */
enum { MANY_TILES = 8 };

static bool are_many(uint64_t bits)
{
    unsigned num = 0;
    for (; bits && num < MANY_TILES; num++)
        bits &= bits - 1;
    return num == MANY_TILES;
}

static uint64_t chance_holds(const fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    const tmi_planes *p = row->planes;
    const uint32_t *mixed_x = p->mixed_x + (size_t)word * TMI_PLANE_BITS;
    const uint32_t base = rule->hash * (31 * 31 * 31) + row->mixed_y * 31;
    uint64_t held = 0;
    if (p->draw_64 && are_many(bits))
        return bits & p->draw_64(base, mixed_x, rule->threshold);
    for (uint64_t left = bits; left; left &= left - 1) {
        const unsigned bit = first_bit(left);
        held |= (uint64_t)((tmi_automap_mix(base + mixed_x[bit]) & 0xffff) < rule->threshold) << bit;
    }
    return held;
}

/* Which of these tiles the rule holds at. */
static uint64_t rule_bits(const fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    if (!rule->threshold)
        return 0;
    bits = conditions_hold(row, rule, bits);
    if (bits && rule->rule->num_modulos)
        bits = modulos_hold(row, rule, word, bits);
    return bits && rule->threshold < 65536 ? chance_holds(row, rule, word, bits) : bits;
}

static void dress_tiles(tm_tile *tiles, uint64_t bits, uint8_t index, uint8_t flags)
{
    if (bits == UINT64_MAX) {
        for (unsigned i = 0; i < TMI_PLANE_BITS; i++) {
            tiles[i].index = index;
            tiles[i].flags = flags;
        }
        return;
    }
    for (; bits; bits &= bits - 1) {
        tm_tile *tile = &tiles[first_bit(bits)];
        tile->index = index;
        tile->flags = flags;
    }
}

/* ---------------------------------------------------------------------------------------- the three ways */

/* The last rule that holds is what stays, so the last one is tried first. */
static void map_backward(const fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    const uint64_t empty = row->empty[word];
    tm_tile *tiles = row->tiles + (size_t)word * TMI_PLANE_BITS;
    uint64_t left = p->all_skip_empty ? valid & ~empty : valid;
    if (left)
        look_around(row, word);
    for (uint32_t i = p->num_rules; i-- > 0 && left;) {
        const tmi_fast_rule *rule = &p->rules[i];
        uint64_t bits = rule->skip_empty ? left & ~empty : rule->skip_full ? left & empty : left;
        bits = bits ? rule_bits(row, rule, word, bits) : 0;
        if (bits)
            dress_tiles(tiles, bits, rule->index, rule->flags);
        left &= ~bits;
    }
}

/* What eight tiles see of eight views from `first` on: a byte a tile. */
static uint64_t seen_by_8(const fast_row *row, uint32_t first, unsigned shift)
{
    const uint32_t num = row->planes->num_views;
    uint64_t bytes = 0;
    for (uint32_t i = first; i < num && i < first + 8; i++)
        bytes |= (row->seen[2 * i] >> shift & 0xff) << 8 * (i - first);
    return tmi_transpose_8x8(bytes);
}

/* By the table of all answers. */
static void map_answered(const fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    const uint64_t left = valid & ~row->empty[word];
    if (!left)
        return;
    look_around(row, word);
    for (unsigned shift = 0; shift < TMI_PLANE_BITS; shift += 8) {
        unsigned bits = left >> shift & 0xff;
        if (!bits)
            continue;
        tm_tile *tile = row->tiles + (size_t)word * TMI_PLANE_BITS + shift;
        uint64_t low = seen_by_8(row, 0, shift), high = p->num_views > 8 ? seen_by_8(row, 8, shift) : 0;
        for (; bits; bits >>= 1, low >>= 8, high >>= 8, tile++) {
            const uint32_t answer = bits & 1 ? p->answers[(low & 0xff) | (high & 0xff) << 8] : 0;
            if (answer) {
                tile->index = (uint8_t)answer;
                tile->flags = (uint8_t)(answer >> 8);
            }
        }
    }
}

/* DDNet 16.4: the marks look at what was written by then. */
static void map_forward(const fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    tm_tile *tiles = row->tiles + (size_t)word * TMI_PLANE_BITS;
    uint64_t empty = row->empty[word];
    if (p->all_skip_empty && (empty & valid) == valid)
        return;
    look_around(row, word);
    for (uint32_t i = 0; i < p->num_rules; i++) {
        const tmi_fast_rule *rule = &p->rules[i];
        uint64_t bits = rule->skip_empty ? valid & ~empty : rule->skip_full ? valid & empty : valid;
        bits = bits ? rule_bits(row, rule, word, bits) : 0;
        if (bits)
            dress_tiles(tiles, bits, rule->index, rule->flags);
        empty = rule->index ? empty & ~bits : empty | bits;
    }
}

/* By the game layer: where that is empty, a tile that is not is emptied by the next rule, whatever it is. */
static void map_referring(const fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    const uint64_t nothing = row->empty[word] & valid;
    tm_tile *tiles = row->tiles + (size_t)word * TMI_PLANE_BITS;
    uint64_t full = 0;
    map_backward(row, word, valid & ~nothing);
    if (nothing)
        look_around(row, word);
    for (uint64_t left = nothing; left; left &= left - 1)
        full |= (uint64_t)(tiles[first_bit(left)].index != 0) << first_bit(left);
    for (uint32_t i = 0; i < p->num_rules; i++) {
        const tmi_fast_rule *rule = &p->rules[i];
        uint64_t bits = rule->skip_empty ? 0 : nothing & ~full;
        bits = bits ? rule_bits(row, rule, word, bits) : 0;
        if (full)
            dress_tiles(tiles, full, 0, rule->flags);
        if (bits)
            dress_tiles(tiles, bits, rule->index, rule->flags);
        full = rule->index ? bits : 0;
    }
}

/* -------------------------------------------------------------------------------- seeing what is written */

/*
 * NoLayerCopy: rows above are done, rows below and tiles to the right are as they were; all this is known for
 * 64 tiles at once. What lies behind a tile is asked when it is its turn, of planes that are kept up to date.
 */

static bool behind_holds(const fast_row *row, const tmi_fast_rule *rule, uint32_t x)
{
    const tmi_planes *p = row->planes;
    const uint32_t *terms = p->terms + rule->first_term;
    for (uint32_t i = rule->num_ahead; i < rule->num_terms; i++) {
        const tmi_view *view = &p->views[terms[i] / 2];
        const uint64_t bit = (uint64_t)view->word * TMI_PLANE_BITS + view->shift + x;
        const uint64_t word = row->own[view->plane * p->stride + bit / TMI_PLANE_BITS];
        if ((word >> bit % TMI_PLANE_BITS & 1) == (terms[i] & 1))
            return false;
    }
    const uint32_t base = rule->hash * (31 * 31 * 31) + row->mixed_y * 31;
    return rule->threshold == 65536 || (tmi_automap_mix(base + p->mixed_x[x]) & 0xffff) < rule->threshold;
}

static void write_seen(const fast_row *row, uint32_t x, uint8_t index, uint8_t flags)
{
    const tmi_planes *p = row->planes;
    tm_tile *tile = &row->tiles[x];
    tile->index = index;
    tile->flags = flags;
    const unsigned state = tmi_planes_state(p, tile);
    uint64_t *word = row->own + p->pad + x / TMI_PLANE_BITS;
    for (uint32_t plane = 0; plane < p->num_planes; plane++, word += p->stride) {
        const uint8_t *lookup = p->lookup + (size_t)(plane / TMI_PLANE_GROUP) * TMI_PLANE_STATES;
        const uint64_t bit = lookup[state] >> plane % TMI_PLANE_GROUP & 1;
        *word = (*word & ~(UINT64_C(1) << x % TMI_PLANE_BITS)) | bit << x % TMI_PLANE_BITS;
    }
}

static uint64_t ahead_holds(const fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    const uint32_t *terms = row->planes->terms + rule->first_term;
    for (uint32_t i = 0; i < rule->num_ahead && bits; i++)
        bits &= row->seen[terms[i]];
    return bits && rule->rule->num_modulos ? modulos_hold(row, rule, word, bits) : bits;
}

static void map_live(const fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    uint64_t asked = p->all_skip_empty ? valid & ~row->empty[word] : valid, any = 0;
    if (!asked)
        return;
    look_around(row, word);
    for (uint32_t i = 0; i < p->num_rules; i++) {
        row->fitting[i] = p->rules[i].threshold ? ahead_holds(row, &p->rules[i], word, asked) : 0;
        any |= row->fitting[i];
    }
    for (asked &= any; asked; asked &= asked - 1) {
        const unsigned bit = first_bit(asked);
        const uint32_t x = word * TMI_PLANE_BITS + bit;
        for (uint32_t i = 0; i < p->num_rules; i++) {
            const tmi_fast_rule *rule = &p->rules[i];
            if (!(row->fitting[i] >> bit & 1))
                continue;
            if (!(row->empty[word] >> bit & 1 ? rule->skip_empty : rule->skip_full) &&
                behind_holds(row, rule, x))
                write_seen(row, x, rule->index, rule->flags);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- bands */

typedef void map_word(const fast_row *row, uint32_t word, uint64_t valid);

typedef struct fast_pass {
    tmi_automap_work *work;
    const tmi_planes *planes;
    const tm_tile *source; /* of the whole layer, where it is another one */
    map_word *map;
    uint32_t band_rows;
    const tm_tile *kept; /* rows above and below each band, as they were, band by band */
    size_t kept_rows;    /* of a band */
} fast_pass;

/* A band's own memory. */
typedef struct band_memory {
    uint64_t *ring, *outside;
    const uint64_t **views;
    uint64_t *seen, *fitting;
    uint32_t num_ring;
    uint32_t filled; /* rows before this one are in the ring */
} band_memory;

static uint32_t band_end(const fast_pass *f, uint32_t first)
{
    const uint32_t height = f->work->layer.height;
    return height - first < f->band_rows ? height : first + f->band_rows;
}

/* A row as it was before the pass. */
static const tm_tile *row_before(const fast_pass *f, uint32_t first, uint32_t y)
{
    const size_t width = f->work->layer.width;
    if (f->source)
        return f->source + y * width;
    const uint32_t end = band_end(f, first);
    const size_t kept = first / f->band_rows * f->kept_rows; /* rows before those of this band */
    if (y < first)
        return f->kept + (kept + y + f->planes->above - first) * width;
    if (y >= end)
        return f->kept + (kept + f->planes->above + (y - end)) * width;
    return f->work->layer.tiles + y * width;
}

static uint64_t *ring_row(const fast_pass *f, const band_memory *m, uint32_t y)
{
    return m->ring + y % m->num_ring * tmi_planes_row_words(f->planes);
}

/* All rows that row y looks at. */
static void fill_ring(const fast_pass *f, band_memory *m, uint32_t first, uint32_t y)
{
    const uint32_t height = f->work->layer.height, below = f->planes->below;
    const uint32_t end = height - y <= below ? height : y + below + 1;
    for (; m->filled < end; m->filled++)
        tmi_planes_fill(f->planes, ring_row(f, m, m->filled), row_before(f, first, m->filled));
}

static void aim_views(const fast_pass *f, const band_memory *m, uint32_t y)
{
    const tmi_planes *p = f->planes;
    for (uint32_t i = 0; i < p->num_views; i++) {
        const tmi_view *view = &p->views[i];
        const int64_t at = (int64_t)y + view->dy;
        const uint64_t *row = at < 0 || at >= p->height ? m->outside : ring_row(f, m, (uint32_t)at);
        m->views[i] = row + view->plane * p->stride + view->word;
    }
}

static void map_row(const fast_pass *f, const band_memory *m, uint32_t y)
{
    const tmi_planes *p = f->planes;
    const tmi_automap_layer *layer = &f->work->layer;
    const int32_t at_y = tmi_automap_add(layer->top, y);
    const fast_row row = {p,
                          m->views,
                          m->seen,
                          ring_row(f, m, y),
                          ring_row(f, m, y) + p->pad,
                          m->fitting,
                          layer->tiles + (size_t)y * layer->width,
                          at_y,
                          tmi_automap_mix((uint32_t)at_y)};
    for (uint32_t word = 0; word < p->num_words; word++) {
        const uint32_t left = p->width - word * TMI_PLANE_BITS;
        f->map(&row, word, left < TMI_PLANE_BITS ? (UINT64_C(1) << left) - 1 : UINT64_MAX);
    }
}

static tm_status make_band_memory(band_memory *m, const fast_pass *f, tm_error *error)
{
    const tm_allocator *allocator = f->work->options->allocator;
    const size_t words = tmi_planes_row_words(f->planes);
    *m = (band_memory){.num_ring = f->planes->above + f->planes->below + 1};
    m->ring = tmi_alloc(allocator, words * m->num_ring, sizeof(*m->ring));
    m->outside = tmi_alloc(allocator, words, sizeof(*m->outside));
    m->views = tmi_alloc(allocator, f->planes->num_views, sizeof(*m->views));
    m->seen = tmi_alloc(allocator, f->planes->num_views, 2 * sizeof(*m->seen));
    m->fitting = tmi_alloc(allocator, f->planes->num_rules, sizeof(*m->fitting));
    if (!m->ring || !m->outside || !m->views || !m->seen || !m->fitting)
        return tmi_fail_memory(error, words * m->num_ring * sizeof(*m->ring), "a pass of rules");
    tmi_planes_fill_outside(f->planes, m->outside);
    for (uint32_t i = 0; i < m->num_ring; i++)
        memcpy(m->ring + i * words, m->outside, words * sizeof(*m->ring));
    return TM_OK;
}

static void free_band_memory(band_memory *m, const fast_pass *f)
{
    const tm_allocator *allocator = f->work->options->allocator;
    const size_t words = tmi_planes_row_words(f->planes);
    tmi_free(allocator, m->ring, words * m->num_ring, sizeof(*m->ring));
    tmi_free(allocator, m->outside, words, sizeof(*m->outside));
    tmi_free(allocator, m->views, f->planes->num_views, sizeof(*m->views));
    tmi_free(allocator, m->seen, f->planes->num_views, 2 * sizeof(*m->seen));
    tmi_free(allocator, m->fitting, f->planes->num_rules, sizeof(*m->fitting));
}

static tm_status map_band(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const fast_pass *f = ctx;
    const uint32_t first = index * f->band_rows, end = band_end(f, first);
    band_memory m;
    (void)worker;
    (void)stop;
    tm_status status = make_band_memory(&m, f, error);
    m.filled = first > f->planes->above ? first - f->planes->above : 0;
    for (uint32_t y = first; y < end && status == TM_OK; y++) {
        if (tmi_cancelled(f->work->job->cancel)) {
            status = tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
            break;
        }
        fill_ring(f, &m, first, y);
        aim_views(f, &m, y);
        map_row(f, &m, y);
    }
    free_band_memory(&m, f);
    return status;
}

/* ---------------------------------------------------------------------------------------- the whole pass */

enum { LEAST_BAND = 32, BANDS_A_THREAD = 4 };

/* Bands for the job's threads, as high as is worth the rows that are kept for their neighbours. */
static void cut_bands(fast_pass *f)
{
    const tm_executor *executor = f->work->job->executor;
    const uint32_t height = f->work->layer.height;
    const uint64_t wanted = executor && f->map != map_live ? (uint64_t)executor->threads * BANDS_A_THREAD : 1;
    const uint64_t least = LEAST_BAND + 4 * ((uint64_t)f->planes->above + f->planes->below);
    uint64_t rows = wanted > 1 ? height / wanted + 1 : height;
    rows = rows < least ? least : rows;
    f->band_rows = rows < height ? (uint32_t)rows : height;
}

/* Rows beside the bands as they are now; none for a single band. */
static tm_status keep_rows(tm_tile **out, fast_pass *f, uint32_t num_bands, tm_error *error)
{
    const tmi_automap_layer *layer = &f->work->layer;
    const uint32_t above = f->planes->above, below = f->planes->below;
    f->kept_rows = (size_t)above + below;
    *out = NULL;
    if (num_bands == 1 || f->source || !f->kept_rows)
        return TM_OK;
    const size_t width = layer->width, num = f->kept_rows * num_bands * width;
    *out = tmi_alloc(f->work->options->allocator, num, sizeof(**out));
    if (!*out)
        return tmi_fail_memory(error, (uint64_t)num * sizeof(**out), "rows of the layer");
    for (uint32_t band = 0; band < num_bands; band++) {
        const uint32_t first = band * f->band_rows, end = band_end(f, first);
        tm_tile *to = *out + band * f->kept_rows * width;
        for (uint32_t i = 0; i < above; i++)
            if (first + i >= above)
                memcpy(to + i * width, layer->tiles + (size_t)(first + i - above) * width,
                       width * sizeof(*to));
        for (uint32_t i = 0; i < below && i < layer->height - end; i++)
            memcpy(to + (above + i) * width, layer->tiles + (size_t)(end + i) * width, width * sizeof(*to));
    }
    f->kept = *out;
    return TM_OK;
}

static tm_status run_bands(fast_pass *f, tm_error *error)
{
    tm_pieces pieces = TM_PIECES_INIT;
    tm_job job = *f->work->job;
    tm_tile *kept;
    cut_bands(f);
    pieces.num = (f->work->layer.height + f->band_rows - 1) / f->band_rows;
    pieces.allocator = f->work->options->allocator;
    pieces.ctx = f;
    pieces.work = map_band;
    job.progress = NULL;
    TM_TRY(keep_rows(&kept, f, pieces.num, error));
    const tm_status status = tm_pieces_run(&pieces, &job, error);
    tmi_free(pieces.allocator, kept, f->kept_rows * pieces.num * f->work->layer.width, sizeof(*kept));
    return status;
}

tm_status tmi_automap_fast_pass(bool *done, tmi_automap_work *work, uint32_t pass, tm_error *error)
{
    const bool refers = tmi_automap_refers(work, pass);
    const tm_executor *executor = work->job->executor;
    const size_t num = (size_t)work->layer.width * work->layer.height;
    const uint64_t most = work->job->memory_budget / (executor ? executor->threads : 1);
    fast_pass f = {.work = work, .map = map_backward};
    tmi_planes *planes;
    tm_tile *source = NULL;
    *done = false;
    TM_TRY(tmi_planes_new(&planes, work, pass, most, error));
    if (!planes)
        return TM_OK;
    f.planes = planes;
    if (planes->answers)
        f.map = map_answered;
    if (work->rules->dialect == TM_AUTOMAP_DDNET_16)
        f.map = map_forward;
    if (work->config->passes[pass].no_layer_copy)
        f.map = map_live;
    tm_status status = TM_OK;
    if (refers) {
        f.map = map_referring;
        status = tmi_automap_source(&source, work, pass, error);
        f.source = source;
    }
    if (status == TM_OK)
        status = run_bands(&f, error);
    *done = status == TM_OK;
    tmi_free(work->options->allocator, source, num, sizeof(*source));
    tmi_planes_free(planes);
    return status;
}
