/* SPDX-License-Identifier: Zlib */
/*
 * Animated WebP, by libwebp's own encoder for it, which finds what changed from frame to frame. It has no way
 * to write before the last frame: all packed frames stay in memory. Optional as webp.c is.
 */
#include "animation.h"

#ifdef TEEMAP_HAVE_WEBP

#include "webp.h"

#include <limits.h>
#include <webp/mux.h>

typedef struct webp_animation {
    const tmi_animation_plan *plan;
    WebPAnimEncoder *encoder;
    WebPConfig config;
    WebPPicture picture;
} webp_animation;

static void webp_release(void *state)
{
    webp_animation *a = state;
    if (!a)
        return;
    WebPAnimEncoderDelete(a->encoder);
    WebPPictureFree(&a->picture);
    tmi_free(a->plan->options.allocator, a, 1, sizeof(*a));
}

/* When a frame begins, in ms, rounded; for the number of frames: when the last one ends. */
static int time_of(const tmi_animation_plan *plan, uint32_t index)
{
    const uint64_t whole = plan->duration / plan->num_frames, rest = plan->duration % plan->num_frames;
    return (int)((whole * index + rest * index / plan->num_frames + 500) / 1000);
}

static tm_status make_encoder(webp_animation *a, tm_error *error)
{
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options))
        return tmi_fail(
            error, TM_ERROR_UNSUPPORTED, -1,
            "cannot write WebP: the installed libwebp does not fit the one that teemap was built with");
    options.anim_params.loop_count = (int)a->plan->options.num_plays;
    options.minimize_size = a->plan->options.smallest;
    a->encoder = WebPAnimEncoderNew((int)a->plan->width, (int)a->plan->height, &options);
    return a->encoder ? TM_OK : tmi_fail_memory(error, 0, "a WebP encoder");
}

static tm_status webp_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    const tm_animation_options *options = &plan->options;
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
    webp_animation *a = tmi_calloc(options->allocator, 1, sizeof(*a));
    if (!a)
        return tmi_fail_memory(error, sizeof(*a), "an animation");
    a->plan = plan;
    tm_status status = tmi_webp_configure(&a->config, options->quality, options->smallest, error);
    status = status ? status : tmi_webp_make_picture(&a->picture, plan->width, plan->height, error);
    status = status ? status : make_encoder(a, error);
    if (status)
        webp_release(a);
    else
        *out = a;
    return status;
}

static tm_status fail_packing(const webp_animation *a, tm_error *error)
{
    if (a->picture.error_code != VP8_ENC_OK)
        return tmi_webp_fail(&a->picture, error);
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot write WebP: %s",
                    WebPAnimEncoderGetError(a->encoder));
}

static tm_status webp_put_frame(void *state, uint32_t index, const uint8_t *pixels, size_t stride,
                                tm_error *error)
{
    webp_animation *a = state;
    tmi_webp_put_rows(&a->picture, 0, pixels, a->plan->height, stride, a->plan->options.opaque);
    return WebPAnimEncoderAdd(a->encoder, &a->picture, time_of(a->plan, index), &a->config)
               ? TM_OK
               : fail_packing(a, error);
}

static tm_status webp_end(void *state, tm_error *error)
{
    webp_animation *a = state;
    WebPData data;
    WebPDataInit(&data);
    tm_status status = TM_OK;
    if (!WebPAnimEncoderAdd(a->encoder, NULL, time_of(a->plan, a->plan->num_frames), NULL) ||
        !WebPAnimEncoderAssemble(a->encoder, &data))
        status = fail_packing(a, error);
    else
        status = tmi_output_write(&a->plan->output, data.bytes, data.size, error);
    WebPDataClear(&data);
    return status;
}

#else

static tm_status webp_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    (void)plan;
    *out = NULL;
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                    "cannot write WebP: this library was built without libwebp");
}

/* Never called: nothing was begun. */
static tm_status webp_put_frame(void *state, uint32_t index, const uint8_t *pixels, size_t stride,
                                tm_error *error)
{
    (void)state;
    (void)index;
    (void)pixels;
    (void)stride;
    return webp_begin(&(void *){NULL}, NULL, error);
}

static tm_status webp_end(void *state, tm_error *error)
{
    return webp_put_frame(state, 0, NULL, 0, error);
}

static void webp_release(void *state)
{
    (void)state;
}

#endif

const tmi_animation_kind tmi_webp_animation = {webp_begin, webp_put_frame, webp_end, webp_release};
