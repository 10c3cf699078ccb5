/* SPDX-License-Identifier: Zlib */
/*
 * Pictures that are handed on in bands: the same pixels as drawn at once, for any number of threads; backgrounds,
 * limits, and what ends them early.
 * test-labels: threads
 */
#include "support/lib_render.h"

struct kept {
    struct test_picture picture;
    uint32_t rows, bands;
    tm_cancel *cancel; /* requested after the first band */
    tm_status status;  /* what to return */
    uint64_t progress; /* the last one that was told */
};

static tm_status keep(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error)
{
    struct kept *kept = ctx;
    (void)error;
    assert_true(kept->rows + num_rows <= kept->picture.height);
    for (uint32_t i = 0; i < num_rows; i++)
        memcpy(kept->picture.rgba + (size_t)(kept->rows + i) * kept->picture.width * 4,
               (const uint8_t *)rgba + i * row_stride, (size_t)kept->picture.width * 4);
    kept->rows += num_rows;
    kept->bands++;
    if (kept->cancel)
        tm_cancel_request(kept->cancel);
    return kept->status;
}

static void note_progress(void *ctx, uint64_t done, uint64_t total)
{
    struct kept *kept = ctx;
    assert_true(done > kept->progress && done <= total);
    kept->progress = done;
}

static tm_camera camera;

static void aim(void)
{
    camera = test_camera(TM_CAMERA_VIEW, 700, 500, 1.3, 311, 207, 1234, NULL);
}

TEST_GROUP(aim, NULL)

TEST(the_same_pixels_by_any_threads)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    OWN(test_picture) expected = test_draw(renderer, &camera, 0x80302010u);
    const tm_background background = {sizeof(tm_background), {0x10, 0x20, 0x30, 0x80}, false};
    for (uint32_t threads = 0; threads <= 5; threads++) {
        OWN(tm_sys_threads) *crew = NULL;
        tm_job job = TM_JOB_INIT;
        if (threads) {
            must(tm_sys_threads_new(&crew, threads, NULL, NULL));
            job.executor = tm_sys_threads_executor(crew);
        }
        struct kept kept = {.picture = test_picture_new(camera.width, camera.height, 0)};
        job.progress = note_progress;
        job.progress_ctx = &kept;
        const tm_row_sink sink = {&kept, keep};
        must(tm_renderer_stream(renderer, &camera, &background, &sink, &job, NULL));
        assert_int_equal(kept.rows, camera.height);
        assert_int_equal(kept.progress, camera.height);
        assert_true(test_picture_same(&kept.picture, &expected));
        test_picture_release(&kept.picture);
    }
}

/* One row of the widest picture is 4 MiB, so a band has eight. */
TEST(wide_pictures_come_in_bands)
{
    OWN(tm_map) *map = test_map_of_tiles(30, 30, 4);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera wide = test_camera(TM_CAMERA_FLAT, 0, 0, 0.001, TM_PICTURE_MAX_SIDE, 20, 0, NULL);
    OWN(test_picture) expected = test_draw(renderer, &wide, 0);
    struct kept kept = {.picture = test_picture_new(wide.width, wide.height, 0xFFFFFFFFu)};
    const tm_row_sink sink = {&kept, keep};
    must(tm_renderer_stream(renderer, &wide, NULL, &sink, NULL, NULL));
    assert_int_equal(kept.bands, 3);
    assert_true(test_picture_same(&kept.picture, &expected));
    test_picture_release(&kept.picture);
}

TEST(backgrounds_do_not_know_bands)
{
    enum { WIDTH = 50, HEIGHT = 40 };
    static uint8_t whole[HEIGHT][WIDTH][4], part[HEIGHT][WIDTH + 3][4];
    const tm_background checks = {sizeof(tm_background), {1, 2, 3, 4}, true};
    must(tm_background_fill(&checks, WIDTH, &(tm_rows){whole, sizeof(whole[0]), 0, HEIGHT}, NULL));
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            assert_int_equal(whole[y][x][0], (x / 16 + y / 16) % 2 ? 153 : 102);
            assert_int_equal(whole[y][x][3], 255);
        }
    for (uint32_t from = 0; from < HEIGHT; from += 7) {
        const uint32_t num = HEIGHT - from < 7 ? HEIGHT - from : 7;
        memset(part, 7, sizeof(part));
        must(tm_background_fill(&checks, WIDTH, &(tm_rows){part, sizeof(part[0]), from, num}, NULL));
        for (uint32_t y = 0; y < num; y++) {
            assert_memory_equal(part[y], whole[from + y], sizeof(whole[0]));
            assert_int_equal(part[y][WIDTH][0], 7); /* what lies beside the rows is not touched */
        }
    }
    const tm_background color = {sizeof(tm_background), {9, 8, 7, 6}, false};
    must(tm_background_fill(&color, WIDTH, &(tm_rows){whole, sizeof(whole[0]), 3, 2}, NULL));
    assert_memory_equal(whole[1][WIDTH - 1], color.rgba, 4);
    must(tm_background_fill(NULL, WIDTH, &(tm_rows){whole, sizeof(whole[0]), 3, 1}, NULL));
    assert_int_equal(whole[0][0][3] | whole[0][WIDTH - 1][0], 0);
    assert_memory_equal(whole[1][WIDTH - 1], color.rgba, 4);
}

/* The limit is that of the whole picture, its background counted once; several bands share it. */
TEST(one_limit_for_the_picture)
{
    OWN(tm_map) *map = test_map_of_tiles(30, 30, 4);
    const tm_camera wide = test_camera(TM_CAMERA_FLAT, 0, 0, 0.001, TM_PICTURE_MAX_SIDE, 20, 0, NULL);
    const uint64_t cost =
        84213754; /* 1 for each pixel of the background, 3 of the layer, 32 for each run of tiles */
    for (uint64_t less = 0; less <= 1; less++) {
        tm_render_options options = {.size = sizeof(options), .pixel_limit = cost - less};
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        struct kept kept = {.picture = test_picture_new(wide.width, wide.height, 0)};
        const tm_row_sink sink = {&kept, keep};
        tm_error error;
        assert_int_equal(tm_renderer_stream(renderer, &wide, NULL, &sink, NULL, &error),
                         less ? TM_ERROR_LIMIT : TM_OK);
        assert_int_equal(kept.bands, less ? 2 : 3);
        test_picture_release(&kept.picture);
    }
}

TEST(it_ends_when_asked_to)
{
    OWN(tm_map) *map = test_map_of_tiles(30, 30, 4);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera wide = test_camera(TM_CAMERA_FLAT, 0, 0, 0.001, TM_PICTURE_MAX_SIDE, 20, 0, NULL);
    struct kept kept = {.picture = test_picture_new(wide.width, wide.height, 0), .status = TM_ERROR_IO};
    const tm_row_sink sink = {&kept, keep};
    assert_int_equal(tm_renderer_stream(renderer, &wide, NULL, &sink, NULL, NULL), TM_ERROR_IO);
    assert_int_equal(kept.bands, 1);
    tm_cancel cancel = {0};
    tm_job job = {.size = sizeof(job), .cancel = &cancel};
    kept.cancel = &cancel;
    kept.status = TM_OK;
    kept.rows = 0;
    assert_int_equal(tm_renderer_stream(renderer, &wide, NULL, &sink, &job, NULL), TM_ERROR_CANCELLED);
    assert_int_equal(kept.bands, 2);
    tm_camera empty = wide;
    empty.height = 0;
    assert_int_equal(tm_renderer_stream(renderer, &empty, NULL, &sink, NULL, NULL), TM_ERROR_USAGE);
    empty = wide;
    empty.width = TM_PICTURE_MAX_SIDE + 1;
    assert_int_equal(tm_renderer_stream(renderer, &empty, NULL, &sink, NULL, NULL), TM_ERROR_USAGE);
    test_picture_release(&kept.picture);
}
