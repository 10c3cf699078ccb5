/* SPDX-License-Identifier: Zlib */
/*
 * A pass by planes: rows from top to bottom, bands of rows side by side, of each row 64 tiles at once.
 */
#include "planes.h"

typedef struct fast_pass {
    tmi_automap_work *work;
    const tmi_planes *planes;
    const tm_tile *source; /* of the whole layer, where it is another one */
    tmi_map_word *map;
    uint32_t band_rows;
    const tm_tile *kept; /* rows above and below each band, as they were, band by band */
    size_t kept_rows;    /* of a band */
} fast_pass;

/* A band's own memory. */
typedef struct band_memory {
    uint64_t *ring, *outside;
    const uint64_t **views;
    uint64_t *seen, *states;
    tmi_live_rule *live;
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
    const uint32_t at = y % m->num_ring; // NOLINT(clang-analyzer-core.DivideZero): make_band_memory adds one
    return m->ring + at * tmi_planes_row_words(f->planes);
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
    const tmi_fast_row row = {.planes = p,
                              .views = m->views,
                              .seen = m->seen,
                              .own = ring_row(f, m, y),
                              .empty = ring_row(f, m, y) + p->pad,
                              .live = m->live,
                              .before = m->states,
                              .now = m->states + p->num_planes,
                              .tiles = layer->tiles + (size_t)y * layer->width,
                              .y = at_y,
                              .mixed_y = tmi_automap_mix((uint32_t)at_y)};
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
    m->states = tmi_alloc(allocator, f->planes->num_planes, 2 * sizeof(*m->states));
    m->live = tmi_alloc(allocator, f->planes->num_rules, sizeof(*m->live));
    if (!m->ring || !m->outside || !m->views || !m->seen || !m->states || !m->live)
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
    tmi_free(allocator, m->states, f->planes->num_planes, 2 * sizeof(*m->states));
    tmi_free(allocator, m->live, f->planes->num_rules, sizeof(*m->live));
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
    const uint64_t wanted =
        executor && f->map != tmi_map_live ? (uint64_t)executor->threads * BANDS_A_THREAD : 1;
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
    fast_pass f = {.work = work, .map = tmi_map_backward};
    tmi_planes *planes;
    tm_tile *source = NULL;
    *done = false;
    TM_TRY(tmi_planes_new(&planes, work, pass, most, error));
    if (!planes)
        return TM_OK;
    f.planes = planes;
    if (planes->answers)
        f.map = tmi_map_answered;
    if (work->rules->dialect == TM_AUTOMAP_DDNET_16)
        f.map = tmi_map_forward;
    if (work->config->passes[pass].no_layer_copy)
        f.map = tmi_map_live;
    tm_status status = TM_OK;
    if (refers) {
        f.map = tmi_map_referring;
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
