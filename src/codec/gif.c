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
#include "gif_palette.h"

#ifdef TEEMAP_HAVE_GIF

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

typedef struct gif {
    const tmi_animation_plan *plan;
    tmi_palette *palette;
    uint8_t *shown; /* indices */
    size_t num_pixels;
    int32_t tolerance;                  /* of a channel */
    bool alike[NUM_COLORS][NUM_COLORS]; /* colors that may stand for one another where nothing moves */
    /* The frame that is shown until another one comes. */
    tm_buffer waiting;
    uint32_t since;
} gif;

bool tm_gif_available(void)
{
    return true;
}

static void gif_release(void *state)
{
    gif *g = state;
    if (!g)
        return;
    const tm_allocator *allocator = g->plan->options.allocator;
    tm_buffer_release(&g->waiting);
    tmi_free(allocator, g->palette, 1, sizeof(*g->palette));
    tmi_free(allocator, g->shown, g->num_pixels, 1);
    tmi_free(allocator, g, 1, sizeof(*g));
}

static tm_status check_gif(const tmi_animation_plan *plan, tm_error *error)
{
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

static tm_status gif_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    const tm_allocator *allocator = plan->options.allocator;
    const int32_t kept_levels = 6; /* of quality for one of a channel */
    *out = NULL;
    TM_TRY(check_gif(plan, error));
    gif *g;
    TM_TRY(tmi_reserve_zeroed(&g, allocator, 1, sizeof(*g), "an animation", error));
    g->plan = plan;
    g->num_pixels = (size_t)plan->width * plan->height;
    g->tolerance = plan->options.quality > 0 ? (100 - plan->options.quality) / kept_levels : 0;
    g->waiting.allocator = allocator;
    g->palette = tmi_calloc(allocator, 1, sizeof(*g->palette));
    g->shown = tmi_alloc(allocator, g->num_pixels, 1);
    if (g->palette && g->shown) {
        *out = g;
        return TM_OK;
    }
    const size_t num = g->num_pixels + sizeof(*g->palette);
    gif_release(g);
    return tmi_fail_memory(error, num, "a frame and its colors");
}

static void gif_learn(void *state, const uint8_t *pixels)
{
    const gif *g = state;
    tmi_palette_learn(g->palette, pixels, g->num_pixels);
}

static bool colors_are_near(const gif *g, const uint8_t *a, const uint8_t *b)
{
    for (int c = 0; c < 3; c++)
        if (a[c] - b[c] > g->tolerance || b[c] - a[c] > g->tolerance)
            return false;
    return true;
}

static tm_status gif_learned(void *state, tm_error *error)
{
    gif *g = state;
    TM_TRY(tmi_palette_choose(g->palette, g->plan->options.quality, g->plan->options.allocator, error));
    for (uint32_t a = 0; a < NUM_COLORS; a++)
        for (uint32_t b = 0; b < NUM_COLORS; b++)
            g->alike[a][b] = a == b || (a < g->palette->num && b < g->palette->num &&
                                        colors_are_near(g, g->palette->colors[a], g->palette->colors[b]));
    return TM_OK;
}

/* In place: an index lies before the pixel that it comes from. */
static void gif_convert(const void *state, tmi_frame *frame)
{
    const gif *g = state;
    const uint32_t width = g->plan->width;
    for (uint32_t y = 0; y < g->plan->height; y++)
        tmi_palette_row(g->palette, frame->pixels + (size_t)y * width, frame->pixels + (size_t)y * width * 4,
                        width, y, g->plan->options.opaque);
}

/* The rectangle of the pixels that are not clear, or one pixel. */
static void find_area(const gif *g, tmi_frame *frame)
{
    tm_rect area = {0, 0, 0, 0};
    const uint32_t width = g->plan->width;
    for (uint32_t y = 0; y < g->plan->height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (frame->pixels[(size_t)y * width + x] != CLEAR)
                area = tmi_rect_around(&area, &(tm_rect){(int32_t)x, (int32_t)y, 1, 1});
    frame->area = tmi_rect_is_empty(&area) ? (tm_rect){0, 0, 1, 1} : area;
}

static void gif_mark(void *state, uint32_t index, tmi_frame *frame)
{
    gif *g = state;
    frame->same = index > 0;
    if (!g->plan->options.opaque) {
        frame->same = frame->same && memcmp(g->shown, frame->pixels, g->num_pixels) == 0;
        memcpy(g->shown, frame->pixels, g->num_pixels);
    } else if (index == 0) {
        memcpy(g->shown, frame->pixels, g->num_pixels);
    } else {
        for (size_t i = 0; i < g->num_pixels; i++) {
            if (g->alike[g->shown[i]][frame->pixels[i]]) {
                frame->pixels[i] = CLEAR;
            } else {
                g->shown[i] = frame->pixels[i];
                frame->same = false;
            }
        }
    }
    find_area(g, frame);
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

static bool put_gif_head(GifFileType *file, const gif *g, const ColorMapObject *map, uint32_t index)
{
    static const uint8_t netscape[] = "NETSCAPE2.0";
    const uint32_t plays = g->plan->options.num_plays, more = plays ? plays - 1 : 0;
    const uint8_t repeats[3] = {1, (uint8_t)more, (uint8_t)(more >> 8)};
    EGifSetGifVersion(file, true);
    if (EGifPutScreenDesc(file, (int)g->plan->width, (int)g->plan->height, 8, 0, map) != GIF_OK)
        return false;
    return index > 0 || plays == 1 || g->plan->num_frames == 1 ||
           (EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
            EGifPutExtensionBlock(file, 11, netscape) == GIF_OK &&
            EGifPutExtensionBlock(file, 3, repeats) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK);
}

/* The delay is 0 until it is known. */
static bool put_gif_frame(GifFileType *file, const gif *g, const tmi_frame *frame)
{
    const tm_rect *area = &frame->area;
    const GraphicsControlBlock control = {.DisposalMode =
                                              g->plan->options.opaque ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND,
                                          .TransparentColor = CLEAR};
    GifByteType block[4];
    const size_t size = EGifGCBToExtension(&control, block);
    if (EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, (int)size, block) != GIF_OK ||
        EGifPutImageDesc(file, area->x, area->y, (int)area->width, (int)area->height, false, NULL) != GIF_OK)
        return false;
    for (uint32_t y = 0; y < area->height; y++)
        if (EGifPutLine(file, frame->pixels + ((size_t)area->y + y) * g->plan->width + (size_t)area->x,
                        (int)area->width) != GIF_OK)
            return false;
    return true;
}

static tm_status gif_pack(const void *state, void *worker, uint32_t index, tmi_frame *frame, tm_error *error)
{
    const gif *g = state;
    GifColorType colors[NUM_COLORS] = {{0}};
    ColorMapObject map = {.ColorCount = NUM_COLORS, .BitsPerPixel = 8, .Colors = colors};
    gif_target target = {&frame->packed, false};
    int why = 0;
    (void)worker;
    if (frame->same)
        return TM_OK;
    for (uint32_t i = 0; i < g->palette->num; i++)
        colors[i] =
            (GifColorType){g->palette->colors[i][0], g->palette->colors[i][1], g->palette->colors[i][2]};
    GifFileType *file = EGifOpen(&target, append_gif, &why);
    if (!file)
        return fail_gif(why, error);
    const bool fine = put_gif_head(file, g, &map, index) && put_gif_frame(file, g, frame);
    const int failed = file->Error;
    if (EGifCloseFile(file, &why) != GIF_OK || !fine || target.failed)
        return fail_gif(target.failed ? E_GIF_ERR_WRITE_FAILED : fine ? why : failed, error);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- file */

/* Where the graphics control of a packed frame begins. */
static size_t control_at(uint32_t index, const gif *g)
{
    const size_t netscape = 19;
    const bool repeats = index == 0 && g->plan->options.num_plays != 1 && g->plan->num_frames > 1;
    return HEAD_SIZE + (repeats ? netscape : 0);
}

/* The waiting frame, which is shown until frame `end` begins; of all but the first one, without the head. */
static tm_status put_waiting(const gif *g, uint32_t end, tm_error *error)
{
    const size_t at = control_at(g->since, g), from = g->since ? at : 0;
    uint64_t delay = tmi_frame_time(g->plan, end, HUNDREDTH) - tmi_frame_time(g->plan, g->since, HUNDREDTH);
    delay = delay > MAX_DELAY ? MAX_DELAY : delay;
    g->waiting.bytes[at + 4] = (uint8_t)delay;
    g->waiting.bytes[at + 5] = (uint8_t)(delay >> 8);
    return tmi_output_write(&g->plan->output, g->waiting.bytes + from, g->waiting.size - 1 - from, error);
}

static tm_status gif_put(void *state, uint32_t index, const tmi_frame *frame, tm_error *error)
{
    gif *g = state;
    const tm_output waiting = tm_output_to_buffer(&g->waiting);
    if (frame->same)
        return TM_OK;
    if (index > 0)
        TM_TRY(put_waiting(g, index, error));
    g->waiting.size = 0;
    g->since = index;
    return tmi_output_write(&waiting, frame->packed.bytes, frame->packed.size, error);
}

static tm_status gif_end(void *state, tm_error *error)
{
    const gif *g = state;
    TM_TRY(put_waiting(g, g->plan->num_frames, error));
    return tmi_output_write(&g->plan->output, ";", 1, error);
}

const tmi_animation_kind tmi_gif = {.begin = gif_begin,
                                    .learn = gif_learn,
                                    .learned = gif_learned,
                                    .convert = gif_convert,
                                    .mark = gif_mark,
                                    .worker_size = 1,
                                    .pack = gif_pack,
                                    .put = gif_put,
                                    .end = gif_end,
                                    .release = gif_release};

#else

bool tm_gif_available(void)
{
    return false;
}

static tm_status gif_begin(void **out, const tmi_animation_plan *plan, tm_error *error)
{
    (void)plan;
    *out = NULL;
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                    "cannot write GIF: this library was built without giflib");
}

/* Nothing is begun, so nothing else is called. */
const tmi_animation_kind tmi_gif = {.begin = gif_begin};

#endif
