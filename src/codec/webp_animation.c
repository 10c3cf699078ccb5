/* SPDX-License-Identifier: Zlib */
/*
 * Animated WebP: each frame is a WebP of the rectangle that changed, packed by libwebp alone and so by any
 * thread, and libwebp's mux makes one file of them at the end. (Its own encoder for animations knows only one
 * thread, and took 98 % of the time.) In opaque animations pixels of the rectangle that stay as they are are
 * transparent, which packs well. Optional as webp.c is.
 *
 * Opaque lossy ones have the 255 colors that a GIF has, packed without loss: WebP's own lossy frames, laid
 * over one another, drift to grey where things move (Gold Mine's gear: mean error 2.4 of 255 in the first
 * frame, 3.9 in the last one; 0.3 in each with colors as these), and are larger for most maps.
 */
#include "animation.h"

#if TEEMAP_HAVE_WEBP

#include "webp.h"

#include <limits.h>
#include <webp/mux.h>

typedef struct webp_animation {
    const tmi_animation_plan *plan;
    WebPMux *mux;
    WebPConfig config;
    bool keeps; /* pixels that do not change are transparent; lossy ones would not be quite as they were */
} webp_animation;

static void webp_release(void *state)
{
    webp_animation *a = state;
    WebPMuxDelete(a->mux);
    tmi_free(a->plan->options.allocator, a, 1, sizeof(*a));
}

static tm_status webp_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    const tm_animation_options *options = &plan->options;
    const int level = 3; /* for few colors: a fifth smaller than GIF; level 1 is as large, 6 hardly smaller */
    *out = NULL;
    TM_TRY(tmi_webp_check(plan->width, plan->height, options->quality, error));
    if (plan->duration / 1000 >= INT_MAX)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write WebP: %llu ms are too long, %d are the most",
                        (unsigned long long)plan->duration / 1000, INT_MAX - 1);
    if (options->num_plays > 65535)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write WebP: num_plays is %u, allowed are 0 to 65535",
                        (unsigned)options->num_plays);
    webp_animation *a;
    TM_TRY(tmi_reserve_zeroed(&a, options->allocator, 1, sizeof(*a), "an animation", error));
    a->plan = plan;
    a->keeps = options->opaque && (plan->few_colors || options->quality == 0);
    tm_status status =
        tmi_webp_configure(&a->config, plan->few_colors ? 0 : options->quality, options->smallest, error);
    if (plan->few_colors && !options->smallest)
        (void)WebPConfigLosslessPreset(&a->config, level);
    a->config.exact |= plan->few_colors;
    a->mux = WebPMuxNew();
    if (!status && !a->mux)
        status = tmi_fail_memory(error, 0, "a WebP");
    if (status)
        webp_release(a);
    else
        *out = a;
    return status;
}

static void webp_convert(const void *state, tmi_frame *frame)
{
    const webp_animation *a = state;
    const tmi_animation_plan *plan = a->plan;
    const size_t size = (size_t)plan->width * 4 * plan->height;
    if (plan->few_colors)
        tmi_palette_convert(plan->palette, frame->pixels, plan->width, plan->height, true);
    for (size_t i = 3; plan->options.opaque && i < size; i += 4)
        frame->pixels[i] = 255;
}

/* Corners of frames have even coordinates. */
static void webp_mark(void *state, uint32_t index, tmi_frame *frame)
{
    const webp_animation *a = state;
    tm_rect *area = &frame->area;
    tmi_mark_changes(a->plan, index, frame, a->plan->few_colors ? tmi_palette_tolerance(a->plan) : 0,
                     a->keeps);
    area->width += (uint32_t)area->x & 1;
    area->x -= area->x & 1;
    area->height += (uint32_t)area->y & 1;
    area->y -= area->y & 1;
}

static int append(const uint8_t *bytes, size_t size, const WebPPicture *picture)
{
    const tm_output output = tm_output_to_buffer(picture->custom_ptr);
    return tmi_output_write(&output, bytes, size, NULL) == TM_OK;
}

static tm_status webp_pack(const void *state, void *worker, uint32_t index, tmi_frame *frame, tm_error *error)
{
    const webp_animation *a = state;
    const tm_rect *area = &frame->area;
    const size_t stride = (size_t)a->plan->width * 4;
    WebPPicture picture;
    (void)worker;
    if (frame->same)
        return TM_OK;
    TM_TRY(tmi_webp_make_picture(&picture, area->width, area->height, error));
    tmi_webp_put_rows(&picture, 0, frame->pixels + (size_t)area->y * stride + (size_t)area->x * 4,
                      area->height, stride, (index == 0 || !a->keeps) && a->plan->options.opaque);
    picture.writer = append;
    picture.custom_ptr = &frame->packed;
    tm_status status = TM_OK;
    if (!WebPEncode(&a->config, &picture))
        status = picture.error_code == VP8_ENC_ERROR_BAD_WRITE ? tmi_fail_memory(error, 0, "a packed frame")
                                                               : tmi_webp_fail(&picture, error);
    WebPPictureFree(&picture);
    return status;
}

static tm_status fail_mux(WebPMuxError why, tm_error *error)
{
    return why == WEBP_MUX_MEMORY_ERROR
               ? tmi_fail_memory(error, 0, "a WebP")
               : tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                          "cannot write WebP: libwebpmux failed with its error %d", (int)why);
}

static tm_status webp_put(void *state, uint32_t index, uint32_t end, const tmi_frame *frame, tm_error *error)
{
    const webp_animation *a = state;
    if (a->plan->num_frames == 1) /* a picture */
        return tmi_output_write(&a->plan->output, frame->packed.bytes, frame->packed.size, error);
    const WebPMuxFrameInfo info = {
        .bitstream = {frame->packed.bytes, frame->packed.size},
        .x_offset = frame->area.x,
        .y_offset = frame->area.y,
        .duration = (int)(tmi_frame_time(a->plan, end, 1000) - tmi_frame_time(a->plan, index, 1000)),
        .id = WEBP_CHUNK_ANMF,
        .dispose_method = WEBP_MUX_DISPOSE_NONE,
        .blend_method = a->keeps && index > 0 ? WEBP_MUX_BLEND : WEBP_MUX_NO_BLEND};
    const WebPMuxError why = WebPMuxPushFrame(a->mux, &info, 1);
    return why == WEBP_MUX_OK ? TM_OK : fail_mux(why, error);
}

static tm_status webp_end(void *state, tm_error *error)
{
    const webp_animation *a = state;
    const WebPMuxAnimParams params = {.bgcolor = 0, .loop_count = (int)a->plan->options.num_plays};
    WebPData data;
    WebPDataInit(&data);
    if (a->plan->num_frames == 1)
        return TM_OK;
    WebPMuxError why = WebPMuxSetAnimationParams(a->mux, &params);
    if (why == WEBP_MUX_OK)
        why = WebPMuxSetCanvasSize(a->mux, (int)a->plan->width, (int)a->plan->height);
    if (why == WEBP_MUX_OK)
        why = WebPMuxAssemble(a->mux, &data);
    const tm_status status = why == WEBP_MUX_OK
                                 ? tmi_output_write(&a->plan->output, data.bytes, data.size, error)
                                 : fail_mux(why, error);
    WebPDataClear(&data);
    return status;
}

const tmi_animation_kind tmi_webp_animation = {.begin = webp_begin,
                                               .convert = webp_convert,
                                               .mark = webp_mark,
                                               .worker_size = 1,
                                               .waits = true,
                                               .pack = webp_pack,
                                               .put = webp_put,
                                               .end = webp_end,
                                               .release = webp_release};

#else

const tmi_animation_kind tmi_webp_animation = {.lacks = "WebP: this library was built without libwebp"};

#endif
