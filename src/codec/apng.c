/* SPDX-License-Identifier: Zlib */
/*
 * APNG: a PNG whose further frames stand in chunks of their own. The first frame is the picture itself, of
 * each other one the rectangle is kept that differs from the frame before. Where nothing differs that is one
 * pixel.
 *
 *   IHDR
 *   acTL   number of frames, of plays (0: for ever)
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
    tmi_png_packer packer;
    uint8_t *rows, *before; /* of a whole frame: as PNG has them, and the pixels of the frame before */
    size_t rows_size, pixels_size;
    uint32_t number; /* of the next fcTL or fdAT */
    uint32_t delay[2];
} apng;

typedef struct rectangle {
    uint32_t x, y, width, height;
} rectangle;

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
    if (!a)
        return;
    const tm_allocator *allocator = a->plan->options.allocator;
    tmi_png_packer_release(&a->packer);
    tmi_free(allocator, a->rows, a->rows_size, 1);
    tmi_free(allocator, a->before, a->pixels_size, 1);
    tmi_free(allocator, a, 1, sizeof(*a));
}

static tm_status begin_file(apng *a, tm_error *error)
{
    uint8_t head[TMI_PNG_HEAD_SIZE + TMI_PNG_LEAD + CONTROL_SIZE + TMI_PNG_TAIL],
        *chunk = head + TMI_PNG_HEAD_SIZE;
    tmi_png_make_head(head, &a->form);
    tmi_png_put_u32(chunk + TMI_PNG_LEAD, a->plan->num_frames);
    tmi_png_put_u32(chunk + TMI_PNG_LEAD + 4, a->plan->options.num_plays);
    (void)tmi_png_make_chunk(chunk, "acTL", CONTROL_SIZE);
    return tmi_output_write(&a->plan->output, head, sizeof(head), error);
}

static tm_status apng_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    const tm_allocator *allocator = plan->options.allocator;
    const tm_png_options options = {
        .channels = 4, .opaque = plan->options.opaque, .smallest = plan->options.smallest};
    tmi_png_form form;
    *out = NULL;
    TM_TRY(tmi_png_form_make(&form, plan->width, plan->height, &options, error));
    apng *a = tmi_calloc(allocator, 1, sizeof(*a));
    if (!a)
        return tmi_fail_memory(error, sizeof(*a), "an animation");
    a->plan = plan;
    a->form = form;
    find_fraction(a->delay, plan->duration, (uint64_t)plan->num_frames * 1000000);
    tm_status status = TM_OK;
    if (!tmi_mul_size(&a->rows_size, tmi_png_row_size(&form), form.height) || a->rows_size > INT32_MAX / 2)
        status = tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                          "the frames are too large for an APNG: %u x %u pixels, 1 GiB is the most",
                          (unsigned)form.width, (unsigned)form.height);
    a->pixels_size = (size_t)form.width * 4 * (status ? 0 : form.height);
    if (!status) {
        a->rows = tmi_alloc(allocator, a->rows_size, 1);
        a->before = a->rows ? (uint8_t *)tmi_alloc(allocator, a->pixels_size, 1) : NULL;
        status = a->before ? TM_OK : tmi_fail_memory(error, a->pixels_size, "a frame");
    }
    status = status ? status : tmi_png_packer_init(&a->packer, form.smallest, allocator, error);
    status = status ? status : begin_file(a, error);
    if (status)
        apng_release(a);
    else
        *out = a;
    return status;
}

/* What differs from the frame before. Pixels are compared as four bytes. */
static rectangle find_changes(const apng *a, const uint8_t *pixels, size_t stride)
{
    const size_t size = (size_t)a->form.width * 4;
    size_t top = 0, bottom = a->form.height, left = size, right = 0;
    while (top < bottom && memcmp(a->before + top * size, pixels + top * stride, size) == 0)
        top++;
    while (bottom > top && memcmp(a->before + (bottom - 1) * size, pixels + (bottom - 1) * stride, size) == 0)
        bottom--;
    for (size_t y = top; y < bottom; y++) {
        const uint8_t *old = a->before + y * size, *now = pixels + y * stride;
        size_t from = 0, to = size;
        while (from < left && memcmp(old + from, now + from, 4) == 0)
            from += 4;
        while (to > right && memcmp(old + to - 4, now + to - 4, 4) == 0)
            to -= 4;
        left = from < left ? from : left;
        right = to > right ? to : right;
    }
    if (top == bottom)
        return (rectangle){0, 0, 1, 1};
    return (rectangle){(uint32_t)(left / 4), (uint32_t)top, (uint32_t)((right - left) / 4),
                       (uint32_t)(bottom - top)};
}

static tm_status put_control(apng *a, const rectangle *area, tm_error *error)
{
    uint8_t chunk[TMI_PNG_LEAD + FRAME_SIZE + TMI_PNG_TAIL] = {0}, *data = chunk + TMI_PNG_LEAD;
    tmi_png_put_u32(data, a->number++);
    tmi_png_put_u32(data + 4, area->width);
    tmi_png_put_u32(data + 8, area->height);
    tmi_png_put_u32(data + 12, area->x);
    tmi_png_put_u32(data + 16, area->y);
    tmi_png_put_u32(data + 20, a->delay[0] << 16 | a->delay[1]);
    return tmi_output_write(&a->plan->output, chunk, tmi_png_make_chunk(chunk, "fcTL", FRAME_SIZE), error);
}

static tm_status apng_put_frame(void *state, uint32_t index, const uint8_t *pixels, size_t stride,
                                tm_error *error)
{
    apng *a = state;
    rectangle area = {0, 0, a->form.width, a->form.height};
    if (index > 0)
        area = find_changes(a, pixels, stride);
    for (size_t y = 0, size = (size_t)a->form.width * 4; y < a->form.height; y++)
        memcpy(a->before + y * size, pixels + y * stride, size);
    tmi_png_form form = a->form;
    form.width = area.width;
    form.height = area.height;
    tmi_png_gather(a->rows, &form, pixels + area.y * stride + (size_t)area.x * 4, stride, area.height);
    TM_TRY(put_control(a, &area, error));
    const size_t gap = index > 0 ? 4 : 0; /* its number */
    size_t size;
    TM_TRY(tmi_png_pack(&size, &a->packer, &form, a->rows, gap, error));
    if (gap)
        tmi_png_put_u32(a->packer.chunk + TMI_PNG_LEAD, a->number++);
    size = tmi_png_make_chunk(a->packer.chunk, gap ? "fdAT" : "IDAT", gap + size);
    return tmi_output_write(&a->plan->output, a->packer.chunk, size, error);
}

static tm_status apng_end(void *state, tm_error *error)
{
    const apng *a = state;
    return tmi_png_put_end(&a->plan->output, error);
}

const tmi_animation_kind tmi_apng = {apng_begin, apng_put_frame, apng_end, apng_release};
