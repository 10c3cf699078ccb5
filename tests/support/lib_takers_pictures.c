/* SPDX-License-Identifier: Zlib */
/* Functions that take option structs, of pictures (lib_takers.h). */
#include "lib_takers.h"

#include <string.h>

static const uint8_t pixels[16 * 16 * 4];

static tm_status no_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t stride, tm_error *error)
{
    (void)ctx, (void)rgba, (void)num_rows, (void)stride, (void)error;
    return TM_OK;
}

static const tm_row_sink no_picture = {NULL, no_rows};

static tm_status preview_equal(const void *options, tm_error *error)
{
    bool equal;
    return tm_preview_equal(&equal, test_taken.map, test_taken.map, options, NULL, 0, error);
}

static tm_status png_write(const void *options, tm_error *error)
{
    return tm_png_write(&test_nowhere, pixels, 16, 16, options, error);
}

static tm_status png_writer(const void *options, tm_error *error)
{
    tm_png_writer *writer;
    const tm_status status = tm_png_writer_new(&writer, &test_nowhere, 16, 16, options, error);
    tm_png_writer_free(writer);
    return status;
}

static tm_status webp_writer(const void *options, tm_error *error)
{
    tm_webp_writer *writer;
    const tm_status status = tm_webp_writer_new(&writer, &test_nowhere, 16, 16, options, error);
    tm_webp_writer_free(writer);
    return status;
}

static tm_status animation(const void *options, tm_error *error)
{
    tm_animation *made;
    const tm_status status = tm_animation_new(&made, &test_nowhere, 16, 16, 1, 1000, options, error);
    tm_animation_free(made);
    return status;
}

static tm_status draw_black(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    (void)ctx, (void)index, (void)error;
    memset(rgba, 0, 2 * row_stride);
    return TM_OK;
}

static void give_frames(void *options)
{
    tm_frames *frames = options;
    frames->width = frames->height = 2;
    frames->num = 1;
    frames->draw = draw_black;
}

static tm_status frames_write(const void *frames, tm_error *error)
{
    return tm_animation_write(&test_nowhere, frames, NULL, NULL, error);
}

static tm_status renderer_new(const void *options, tm_error *error)
{
    tm_renderer *made;
    const tm_status status = tm_renderer_new(&made, test_taken.map, options, NULL, error);
    tm_renderer_free(made);
    return status;
}

static tm_status mapres_new(const void *options, tm_error *error)
{
    tm_mapres *made;
    const tm_status status = tm_mapres_new(&made, options, error);
    tm_mapres_free(made);
    return status;
}

static void aim(void *camera)
{
    tm_camera *at = camera;
    at->width = at->height = 16;
}

static tm_status renderer_draw(const void *camera, tm_error *error)
{
    uint8_t rgba[sizeof(pixels)] = {0};
    return tm_renderer_draw(test_taken.renderer, camera, 0, 16, rgba, (size_t)16 * 4, error);
}

static tm_status renderer_stream(const void *camera, tm_error *error)
{
    return tm_renderer_stream(test_taken.renderer, camera, NULL, &no_picture, NULL, error);
}

static tm_status renderer_stream_job(const void *job, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    aim(&camera);
    return tm_renderer_stream(test_taken.renderer, &camera, NULL, &no_picture, job, error);
}

static tm_status preview_loop(const void *options, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    tm_preview_loop loop;
    camera.width = camera.height = 8;
    return tm_preview_find_loop(&loop, test_taken.renderer, &camera, options, error);
}

static tm_status renderer_stream_background(const void *background, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    aim(&camera);
    return tm_renderer_stream(test_taken.renderer, &camera, background, &no_picture, NULL, error);
}

static tm_status background_fill(const void *background, tm_error *error)
{
    uint8_t rgba[sizeof(pixels)];
    return tm_background_fill(background, 16, 0, 16, rgba, (size_t)16 * 4, error);
}

static tm_status preview_views(const void *camera, tm_error *error)
{
    tm_preview_view view;
    uint32_t num;
    return tm_preview_views(&view, &num, 1, test_taken.renderer, camera, error);
}

static tm_status preview_find(const void *camera, tm_error *error)
{
    tm_preview_view view;
    return tm_preview_find(&view, test_taken.renderer, camera, "1,1", error);
}

const struct test_taker test_takers_of_pictures[] = {
    {TEST_TAKES(tm_job, tm_renderer_stream, renderer_stream_job)},
    {TEST_TAKES(tm_png_options, tm_png_write, png_write)},
    {TEST_TAKES(tm_png_options, tm_png_writer_new, png_writer)},
    {TEST_TAKES(tm_webp_options, tm_webp_writer_new, webp_writer), .webp = true},
    {TEST_TAKES(tm_animation_options, tm_animation_new, animation)},
    {TEST_TAKES(tm_frames, tm_animation_write, frames_write), .set = give_frames},
    {TEST_TAKES(tm_preview_equal_options, tm_preview_equal, preview_equal)},
    {TEST_TAKES(tm_preview_loop_options, tm_preview_find_loop, preview_loop)},
    {TEST_TAKES(tm_mapres_options, tm_mapres_new, mapres_new)},
    {TEST_TAKES(tm_render_options, tm_renderer_new, renderer_new)},
    {TEST_TAKES(tm_camera, tm_renderer_draw, renderer_draw), .set = aim},
    {TEST_TAKES(tm_camera, tm_renderer_stream, renderer_stream), .set = aim},
    {TEST_TAKES(tm_camera, tm_preview_views, preview_views), .set = aim},
    {TEST_TAKES(tm_camera, tm_preview_find, preview_find), .set = aim},
    {TEST_TAKES(tm_background, tm_background_fill, background_fill)},
    {TEST_TAKES(tm_background, tm_renderer_stream, renderer_stream_background)},
    {0},
};
