/* SPDX-License-Identifier: Zlib */
/*
 * APNG: a PNG whose further frames stand in chunks of their own. The first frame is the picture itself, of
 * each other one the rectangle is kept that differs from the frame before. Where nothing differs that is one
 * pixel.
 *
 *   IHDR
 *   acTL   number of frames, of plays (0: forever)
 *   fcTL   number, width, height, x, y, delay (numerator, denominator: 16 bits each), 0: stays, 0: replaces
 *   IDAT   the first frame
 *   fcTL   as above
 *   fdAT   number, then as IDAT
 *   ...
 *   IEND
 *
 * fcTL and fdAT are numbered through. All numbers of 32 bits unless told otherwise, high byte first.
 */
#include "animation.h"
#include "png.h"

enum { CONTROL_SIZE = 8, FRAME_SIZE = 26, MAX_16 = 65535 };

typedef struct apng {
    const tmi_animation_plan *plan;
    tmi_png_form form;
    size_t rows_size; /* of a whole frame */
    uint32_t delay[2];
} apng;

/* What one thread packs with. */
typedef struct apng_worker {
    const tm_allocator *allocator;
    tmi_png_packer packer;
    uint8_t *rows; /* of a whole frame, as PNG has them */
    size_t rows_size;
} apng_worker;

/*
 * n / d as a fraction of two 16-bit numbers: itself if it can be written so, else the last convergent of its
 * continued fraction that fits, which is off by less than 1 / 65535 of 1 / its denominator.
 */
static void find_fraction(uint32_t out[2], uint64_t n, uint64_t d)
{
    uint64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    while (d != 0) {
        const uint64_t whole = n / d, rest = n % d;
        if (whole > MAX_16)
            break;
        const uint64_t p = whole * p1 + p0, q = whole * q1 + q0;
        if (p > MAX_16 || q > MAX_16)
            break;
        p0 = p1;
        q0 = q1;
        p1 = p;
        q1 = q;
        n = d;
        d = rest;
    }
    out[0] = q1 ? (uint32_t)p1 : MAX_16;
    out[1] = q1 ? (uint32_t)q1 : 1;
}

static void apng_release(void *state)
{
    apng *a = state;
    tmi_free(a->plan->options.allocator, a, 1, sizeof(*a));
}

static tm_status apng_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    const tm_allocator *allocator = plan->options.allocator;
    const tm_png_options options = {
        .channels = 4, .opaque = plan->options.opaque, .smallest = plan->options.smallest};
    tmi_png_form form;
    *out = NULL;
    TM_TRY(tmi_png_form_make(&form, plan->width, plan->height, &options, error));
    apng *a;
    TM_TRY(tmi_reserve_zeroed(&a, allocator, 1, sizeof(*a), "an animation", error));
    a->plan = plan;
    a->form = form;
    find_fraction(a->delay, plan->duration, (uint64_t)plan->num_frames * 1000000);
    tm_status status = TM_OK;
    if (!tmi_mul_size(&a->rows_size, tmi_png_row_size(&form), form.height) || a->rows_size > INT32_MAX / 2)
        status = tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                          "the frames are too large for an APNG: %u x %u pixels, 1 GiB is the most",
                          (unsigned)form.width, (unsigned)form.height);
    if (!status) {
        uint8_t head[TMI_PNG_HEAD_SIZE + TMI_PNG_LEAD + CONTROL_SIZE + TMI_PNG_TAIL],
            *chunk = head + TMI_PNG_HEAD_SIZE;
        tmi_png_make_head(head, &form);
        tmi_put_big_u32(chunk + TMI_PNG_LEAD, plan->num_frames);
        tmi_put_big_u32(chunk + TMI_PNG_LEAD + 4, plan->options.num_plays);
        (void)tmi_png_make_chunk(chunk, "acTL", CONTROL_SIZE);
        status = tmi_output_write(&plan->output, head, sizeof(head), error);
    }
    if (status)
        apng_release(a);
    else
        *out = a;
    return status;
}

static void apng_mark(void *state, uint32_t index, tmi_frame *frame)
{
    const apng *a = state;
    tmi_mark_changes(a->plan, index, frame, 0, false);
}

static void apng_worker_release(void *worker)
{
    apng_worker *w = worker;
    tmi_png_packer_release(&w->packer);
    tmi_free(w->allocator, w->rows, w->rows_size, 1);
    *w = (apng_worker){.rows = NULL};
}

static tm_status make_worker(apng_worker *w, const apng *a, tm_error *error)
{
    if (w->rows)
        return TM_OK;
    w->allocator = a->plan->options.allocator;
    w->rows_size = a->rows_size;
    tm_status status = tmi_png_packer_init(&w->packer, a->form.smallest, w->allocator, error);
    w->rows = status ? NULL : (uint8_t *)tmi_alloc(w->allocator, a->rows_size, 1);
    if (!status && !w->rows)
        status = tmi_fail_memory(error, a->rows_size, "a frame");
    if (status)
        apng_worker_release(w);
    return status;
}

/* The first frame has number 0, each other one two: that of its control, and the next for its pixels. */
static tm_status apng_pack(const void *state, void *worker, uint32_t index, tmi_frame *frame, tm_error *error)
{
    const apng *a = state;
    apng_worker *w = worker;
    const tm_output output = tm_output_to_buffer(&frame->packed);
    const size_t stride = (size_t)a->form.width * 4, gap = index > 0 ? 4 : 0;
    const uint32_t number = index > 0 ? 2 * index - 1 : 0;
    uint8_t control[TMI_PNG_LEAD + FRAME_SIZE + TMI_PNG_TAIL] = {0}, *data = control + TMI_PNG_LEAD;
    tmi_png_form form = a->form;
    size_t size;
    TM_TRY(make_worker(w, a, error));
    form.width = frame->area.width;
    form.height = frame->area.height;
    tmi_png_gather(w->rows, &form, frame->pixels + (size_t)frame->area.y * stride + (size_t)frame->area.x * 4,
                   stride, form.height);
    tmi_put_big_u32(data, number);
    tmi_put_big_u32(data + 4, form.width);
    tmi_put_big_u32(data + 8, form.height);
    tmi_put_big_u32(data + 12, (uint32_t)frame->area.x);
    tmi_put_big_u32(data + 16, (uint32_t)frame->area.y);
    tmi_put_big_u32(data + 20, a->delay[0] << 16 | a->delay[1]);
    size = tmi_png_make_chunk(control, "fcTL", FRAME_SIZE);
    TM_TRY(tmi_output_write(&output, control, size, error));
    TM_TRY(tmi_png_pack(&size, &w->packer, &form, w->rows, gap, error));
    if (gap)
        tmi_put_big_u32(w->packer.chunk + TMI_PNG_LEAD, number + 1);
    size = tmi_png_make_chunk(w->packer.chunk, gap ? "fdAT" : "IDAT", gap + size);
    return tmi_output_write(&output, w->packer.chunk, size, error);
}

static tm_status apng_put(void *state, uint32_t index, uint32_t end, const tmi_frame *frame, tm_error *error)
{
    const apng *a = state;
    (void)index;
    (void)end;
    return tmi_output_write(&a->plan->output, frame->packed.bytes, frame->packed.size, error);
}

static tm_status apng_end(void *state, tm_error *error)
{
    const apng *a = state;
    return tmi_png_put_end(&a->plan->output, error);
}

const tmi_animation_kind tmi_apng = {.begin = apng_begin,
                                     .mark = apng_mark,
                                     .worker_size = sizeof(apng_worker),
                                     .pack = apng_pack,
                                     .worker_release = apng_worker_release,
                                     .put = apng_put,
                                     .end = apng_end,
                                     .release = apng_release};
