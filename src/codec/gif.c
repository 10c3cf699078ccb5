/* SPDX-License-Identifier: Zlib */
/*
 * GIF by giflib, which is optional: without it everything here says so. Each frame is packed by itself, as a
 * GIF of one picture, and so by any thread; what stands between the common head and the trailer is the
 * frame.
 *
 *   head       GIF89a, size, 256 colors: HEAD_SIZE bytes
 *   extension  NETSCAPE2.0: how often it is repeated; left out when it is shown once
 *   frame      graphics control (delay, transparent color, what becomes of it), image descriptor, LZW data
 *   ...
 *   trailer    one byte
 *
 * In opaque animations frames stay, and pixels that do not change are transparent; others are cleared away
 * before the next one.
 */
#include "animation.h"

#if TEEMAP_HAVE_GIF

#include <gif_lib.h>

enum {
    CLEAR = TMI_PALETTE_COLORS,
    NUM_COLORS = 256,
    HEAD_SIZE = 13 + 3 * NUM_COLORS,
    CONTROL_SIZE = 8, /* of the graphics control */
    MAX_SIDE = 65535,
    MAX_DELAY = 65535,
    HUNDREDTH = 10000 /* us */
};

static tm_status gif_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    (void)out;
    if (plan->width == 0 || plan->height == 0 || plan->width > MAX_SIDE || plan->height > MAX_SIDE)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write GIF of %u x %u pixels: each side is 1 to %d", (unsigned)plan->width,
                        (unsigned)plan->height, MAX_SIDE);
    if (plan->options.quality < 0 || plan->options.quality > 100)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write GIF: quality is %d, allowed are 0 to 100",
                        plan->options.quality);
    if (plan->options.num_plays > 65536)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write GIF: num_plays is %u, allowed are 0 to 65536",
                        (unsigned)plan->options.num_plays);
    return TM_OK;
}

static void gif_convert(const void *state, tmi_frame *frame)
{
    const tmi_animation_plan *plan = state;
    tmi_palette_convert(plan->palette, frame->pixels, plan->width, plan->height, plan->options.opaque);
}

static void gif_mark(void *state, uint32_t index, tmi_frame *frame)
{
    const tmi_animation_plan *plan = state;
    const bool opaque = plan->options.opaque;
    tmi_mark_changes(plan, index, frame, opaque ? tmi_palette_tolerance(plan) : 0, opaque);
    if (opaque)
        return;
    tm_rect area = {0, 0, 0, 0}; /* of the pixels that are not clear */
    for (uint32_t y = 0; y < plan->height; y++)
        for (uint32_t x = 0; x < plan->width; x++)
            if (frame->pixels[4 * ((size_t)y * plan->width + x) + 3])
                area = tmi_rect_around(&area, &(tm_rect){(int32_t)x, (int32_t)y, 1, 1});
    frame->area = tmi_rect_is_empty(&area) ? (tm_rect){0, 0, 1, 1} : area;
}

/* ---------------------------------------------------------------------------------------------- packing */

/* giflib does not look at everything that its output returns. */
typedef struct gif_target {
    tm_buffer *packed;
    bool failed;
} gif_target;

static int append_gif(GifFileType *file, const GifByteType *bytes, int size)
{
    gif_target *target = file->UserData;
    const tm_output output = tm_output_to_buffer(target->packed);
    target->failed = target->failed || tmi_output_write(&output, bytes, (size_t)size, NULL) != TM_OK;
    return target->failed ? 0 : size;
}

static tm_status fail_gif(int why, tm_error *error)
{
    if (why == E_GIF_ERR_NOT_ENOUGH_MEM || why == E_GIF_ERR_WRITE_FAILED || why == E_GIF_ERR_DISK_IS_FULL)
        return tmi_fail_memory(error, 0, "a packed frame");
    const char *text = GifErrorString(why);
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot write GIF: %s", text ? text : "giflib failed");
}

static bool put_gif_head(GifFileType *file, const tmi_animation_plan *plan, const ColorMapObject *map,
                         uint32_t index)
{
    static const uint8_t netscape[] = "NETSCAPE2.0";
    const uint32_t plays = plan->options.num_plays, more = plays ? plays - 1 : 0;
    const uint8_t repeats[3] = {1, (uint8_t)more, (uint8_t)(more >> 8)};
    EGifSetGifVersion(file, true);
    if (EGifPutScreenDesc(file, (int)plan->width, (int)plan->height, 8, 0, map) != GIF_OK)
        return false;
    return index > 0 || plays == 1 || plan->num_frames == 1 ||
           (EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
            EGifPutExtensionBlock(file, 11, netscape) == GIF_OK &&
            EGifPutExtensionBlock(file, 3, repeats) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK);
}

/* The delay is 0 until it is known. */
static bool put_gif_frame(GifFileType *file, const tmi_animation_plan *plan, const tmi_frame *frame)
{
    const tm_rect *area = &frame->area;
    const GraphicsControlBlock control = {.DisposalMode =
                                              plan->options.opaque ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND,
                                          .TransparentColor = CLEAR};
    GifByteType block[4];
    const size_t size = EGifGCBToExtension(&control, block);
    if (EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, (int)size, block) != GIF_OK ||
        EGifPutImageDesc(file, area->x, area->y, (int)area->width, (int)area->height, false, NULL) != GIF_OK)
        return false;
    for (uint32_t y = 0; y < area->height; y++) {
        uint8_t *row = frame->pixels + 4 * (((size_t)area->y + y) * plan->width + (size_t)area->x);
        for (size_t x = 0; x < area->width; x++)
            row[x] = (uint8_t)(CLEAR - row[4 * x + 3]); /* a number lies before the pixel that it is of */
        if (EGifPutLine(file, row, (int)area->width) != GIF_OK)
            return false;
    }
    return true;
}

static tm_status gif_pack(const void *state, void *worker, uint32_t index, tmi_frame *frame, tm_error *error)
{
    const tmi_animation_plan *plan = state;
    GifColorType colors[NUM_COLORS] = {{0}};
    ColorMapObject map = {.ColorCount = NUM_COLORS, .BitsPerPixel = 8, .Colors = colors};
    gif_target target = {&frame->packed, false};
    int why = 0;
    (void)worker;
    if (frame->same)
        return TM_OK;
    for (uint32_t i = 0; i < plan->palette->num; i++)
        colors[i] = (GifColorType){plan->palette->colors[i][0], plan->palette->colors[i][1],
                                   plan->palette->colors[i][2]};
    GifFileType *file = EGifOpen(&target, append_gif, &why);
    if (!file)
        return fail_gif(why, error);
    const bool fine = put_gif_head(file, plan, &map, index) && put_gif_frame(file, plan, frame);
    const int failed = file->Error;
    if (EGifCloseFile(file, &why) != GIF_OK || !fine || target.failed)
        return fail_gif(target.failed ? E_GIF_ERR_WRITE_FAILED : fine ? why : failed, error);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- file */

/* Of all frames but the first one, without the head; the delay is known now. */
static tm_status gif_put(void *state, uint32_t index, uint32_t end, const tmi_frame *frame, tm_error *error)
{
    const tmi_animation_plan *plan = state;
    const size_t netscape = 19;
    const bool repeats = index == 0 && plan->options.num_plays != 1 && plan->num_frames > 1;
    const size_t control = HEAD_SIZE + (repeats ? netscape : 0), from = index ? control : 0;
    uint64_t delay = tmi_frame_time(plan, end, HUNDREDTH) - tmi_frame_time(plan, index, HUNDREDTH);
    delay = delay > MAX_DELAY ? MAX_DELAY : delay;
    frame->packed.bytes[control + 4] = (uint8_t)delay;
    frame->packed.bytes[control + 5] = (uint8_t)(delay >> 8);
    return tmi_output_write(&plan->output, frame->packed.bytes + from, frame->packed.size - 1 - from, error);
}

static tm_status gif_end(void *state, tm_error *error)
{
    const tmi_animation_plan *plan = state;
    return tmi_output_write(&plan->output, ";", 1, error);
}

const tmi_animation_kind tmi_gif = {.begin = gif_begin,
                                    .waits = true,
                                    .convert = gif_convert,
                                    .mark = gif_mark,
                                    .worker_size = 1,
                                    .pack = gif_pack,
                                    .put = gif_put,
                                    .end = gif_end};

#else

const tmi_animation_kind tmi_gif = {.lacks = "GIF: this library was built without giflib"};

#endif
