/* SPDX-License-Identifier: Zlib */
/*
 * Preparing maps: the same picture, findings and errors for any number of threads, and images that many
 * renderers share.
 *
 * test-labels: threads
 */
#include "support/lib_render.h"

enum { SIDE = 64 };

/* Any name but "gone": noise that depends on the name. Counts how often it is asked. */
static tm_status provide_noise(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                               uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    uint32_t *num_asked = ctx;
    (void)game;
    __atomic_add_fetch(num_asked, 1, __ATOMIC_RELAXED);
    if (strcmp(name, "gone") == 0)
        return TM_ERROR_NOT_FOUND;
    *width = *height = SIDE;
    *rgba = tm_alloc(allocator, (size_t)SIDE * SIDE * 4);
    if (!*rgba)
        return TM_ERROR_MEMORY;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t texel = test_noise(i + 1000 * (uint32_t)name[0]);
        memcpy(*rgba + (size_t)4 * i, &texel, 4);
    }
    return TM_OK;
}

static tm_status key_of(void *ctx, const char *name, tm_game game, const tm_allocator *allocator, char **key,
                        tm_error *error)
{
    (void)error;
    (void)ctx, (void)game;
    if (strcmp(name, "gone") == 0)
        return TM_ERROR_NOT_FOUND;
    *key = tm_alloc(allocator, strlen(name) + 1);
    if (!*key)
        return TM_ERROR_MEMORY;
    memcpy(*key, name, strlen(name) + 1);
    return TM_OK;
}

static struct test_picture picture_of(const tm_renderer *renderer)
{
    tm_camera camera = TM_CAMERA_INIT;
    camera.kind = TM_CAMERA_REGION;
    camera.x = camera.y = -40;
    camera.scale = 0.4;
    camera.width = 400;
    camera.height = 300;
    return test_draw(renderer, &camera, 0xFF204060);
}

static void assert_draw_alike(const tm_renderer *a, const tm_renderer *b)
{
    OWN(test_picture) first = picture_of(a), other = picture_of(b);
    assert_true(test_picture_same(&first, &other));
}

static void assert_same_findings(const tm_findings *a, const tm_findings *b)
{
    assert_int_equal(a->num, b->num);
    for (size_t i = 0; i < a->num; i++) {
        assert_int_equal(a->list[i].id, b->list[i].id);
        assert_string_equal(a->list[i].address, b->list[i].address);
        assert_string_equal(a->list[i].text, b->list[i].text);
    }
}

/* With so many bytes; *renderer is NULL when they are not enough. */
static tm_status prepare(tm_renderer **renderer, const tm_map *map, uint64_t budget, uint32_t threads,
                         tm_findings *findings, tm_error *error)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    OWN(tm_sys_threads) *pool;
    uint32_t num_asked = 0;
    tm_job job = TM_JOB_INIT;
    must(tm_sys_threads_new(&pool, threads, NULL, NULL));
    job.executor = tm_sys_threads_executor(pool);
    options.job = threads ? &job : NULL;
    options.provider = provide_noise;
    options.provider_ctx = &num_asked;
    options.memory_budget = budget;
    tm_findings_init(findings, 0, NULL);
    return tm_renderer_new(renderer, map, &options, findings, error);
}

TEST(threads_change_nothing)
{
    for (int game = TM_GAME_DDNET; game <= TM_GAME_TEEWORLDS07; game++) {
        OWN(tm_map) *map = test_map_to_draw((tm_game)game);
        uint32_t num_limits = 0;
        for (uint64_t budget = 1000; budget < 16000000; budget += budget / 3) {
            tm_renderer *alone, *many;
            tm_findings of_alone, of_many;
            tm_error error_alone = {.code = TM_OK}, error_many = {.code = TM_OK};
            const tm_status status = prepare(&alone, map, budget, 1, &of_alone, &error_alone);
            num_limits += status == TM_ERROR_LIMIT;
            for (uint32_t threads = 2; threads < 5; threads++) {
                assert_int_equal(prepare(&many, map, budget, threads, &of_many, &error_many), status);
                assert_same_findings(&of_alone, &of_many);
                if (status == TM_OK)
                    assert_draw_alike(alone, many);
                else
                    assert_string_equal(error_many.text, error_alone.text);
                tm_renderer_free(many);
                tm_findings_release(&of_many);
            }
            tm_renderer_free(alone);
            tm_findings_release(&of_alone);
        }
        assert_true(num_limits > 2 && num_limits < 30);
    }
}

TEST(a_cancelled_job_makes_no_renderer)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    tm_job job = TM_JOB_INIT;
    tm_cancel cancel = {0};
    tm_renderer *renderer;
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    tm_cancel_request(&cancel);
    job.cancel = &cancel;
    options.job = &job;
    assert_int_equal(tm_renderer_new(&renderer, map, &options, NULL, NULL), TM_ERROR_CANCELLED);
    assert_null(renderer);
}

/*
 * A design layer with a tile of each of `num` indices from `first` on, and a quad if wanted, with the external
 * image `name`.
 */
static tm_map *map_with(const char *name, uint32_t first, uint32_t num, bool with_quad)
{
    static const tm_quad quad = {
        .points = {{0, 0}, {300000, 0}, {0, 300000}, {300000, 300000}, {0, 0}},
        .colors = {{255, 255, 255, 255}, {255, 255, 255, 255}, {255, 255, 255, 255}, {255, 255, 255, 90}},
        .texture = {{0, 0}, {1024, 0}, {0, 1024}, {1024, 1024}},
        .position_envelope = TM_NONE,
        .color_envelope = TM_NONE};
    tm_map *map = test_map_new();
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_text(map, &map->images[0].name, name, NULL));
    test_insert_group(map, 0, TM_LAYER_TILES, 8, 8);
    map->groups[0].layers[0].as.tiles.image = 0;
    for (uint32_t i = 0; i < num; i++) {
        const tm_tile tile = {.index = (uint8_t)(first + i)};
        must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){(int32_t)(i % 8), (int32_t)(i / 8), 1, 1}, &tile, NULL));
    }
    if (with_quad) {
        must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
        must(tm_map_set_quads(map, 0, 1, &quad, 1, NULL));
        map->groups[0].layers[1].as.quads.image = 0;
    }
    return map;
}

static tm_renderer *renderer_of(const tm_map *map, tm_shared_images *shared, uint32_t *num_asked)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.provider = provide_noise;
    options.provider_ctx = num_asked;
    options.provider_key = key_of;
    options.shared_images = shared;
    return test_renderer_new(map, &options);
}

static void assert_shared(const tm_map *map, tm_shared_images *shared, uint32_t times_asked)
{
    uint32_t asked = 0, asked_alone = 0;
    OWN(tm_renderer) *sharing = renderer_of(map, shared, &asked),
                     *separate = renderer_of(map, NULL, &asked_alone);
    assert_int_equal(asked, times_asked);
    assert_int_equal(asked_alone, 1);
    assert_draw_alike(sharing, separate);
}

/* Asked again only for tiles that no map had before; and where there is no room, for each map. */
TEST(images_are_made_ready_once)
{
    OWN(tm_map) *partial = map_with("noise", 1, 9, false), *fewer = map_with("noise", 2, 3, false),
                *extra = map_with("noise", 5, 30, true), *other = map_with("other", 1, 9, true),
                *empty = map_with("gone", 1, 3, false);
    tm_shared_images *shared;
    for (uint64_t budget = 1 << 20; budget < (1 << 21) + 1; budget *= 2) {
        must(tm_shared_images_new(&shared, budget, NULL, NULL));
        assert_shared(partial, shared, 1);
        assert_shared(partial, shared, 0);
        assert_shared(fewer, shared, 0);
        assert_shared(other, shared, 1);
        assert_shared(extra, shared, 1);
        assert_shared(extra, shared, 0);
        assert_shared(partial, shared, 0);
        assert_shared(empty, shared, 1);
        assert_shared(empty, shared, 1);
        tm_shared_images_free(shared);
    }
    must(tm_shared_images_new(&shared, 10, NULL, NULL));
    assert_shared(partial, shared, 1);
    assert_shared(partial, shared, 1);
    tm_shared_images_free(shared);
}

typedef struct changing {
    const tm_map *map;
    tm_shared_images *shared;
    tm_renderer *other; /* made by the first call */
    uint32_t num_calls;
} changing;

/* The first call has another renderer made meanwhile, which sees the file as it was: clear, all of it. */
static tm_status provide_changed(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                                 uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    changing *c = ctx;
    uint32_t num_asked = 0;
    const tm_status status = provide_noise(&num_asked, name, game, allocator, rgba, width, height, error);
    if (status == TM_OK && c->num_calls++ == 0) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        options.provider = provide_changed;
        options.provider_ctx = c;
        options.provider_key = key_of;
        options.shared_images = c->shared;
        c->other = test_renderer_new(c->map, &options);
    } else if (status == TM_OK) {
        memset(*rgba, 0, (size_t)SIDE * SIDE * 4);
    }
    return status;
}

/* Who comes later takes what the first one left, and all of it. */
TEST(a_file_may_change_between_two_that_share_it)
{
    OWN(tm_map) *map = map_with("noise", 1, 9, false);
    changing c = {.map = map};
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    must(tm_shared_images_new(&c.shared, 1 << 20, NULL, NULL));
    options.provider = provide_changed;
    options.provider_ctx = &c;
    options.provider_key = key_of;
    options.shared_images = c.shared;
    OWN(tm_renderer) *first = test_renderer_new(map, &options), *second = test_renderer_new(map, &options);
    assert_int_equal(c.num_calls, 2);
    assert_draw_alike(second, c.other);
    tm_renderer_free(c.other);
    tm_shared_images_free(c.shared);
}

typedef struct many_maps {
    tm_map *const *maps;
    tm_shared_images *shared;
    tm_renderer *renderers[32];
    uint32_t num_asked;
} many_maps;

static void prepare_one_of_many(void *arg, uint32_t index)
{
    many_maps *many = arg;
    many->renderers[index] = renderer_of(many->maps[index % 4], many->shared, &many->num_asked);
}

TEST(threads_share_images)
{
    tm_map *maps[4] = {map_with("noise", 1, 9, false), map_with("noise", 2, 60, false),
                       map_with("noise", 5, 30, true), map_with("other", 1, 9, true)};
    tm_renderer *alone[4];
    uint32_t asked;
    OWN(tm_sys_threads) *pool;
    must(tm_sys_threads_new(&pool, 4, NULL, NULL));
    const tm_executor *executor = tm_sys_threads_executor(pool);
    for (int i = 0; i < 4; i++)
        alone[i] = renderer_of(maps[i], NULL, &asked);
    for (int round = 0; round < 10; round++) {
        many_maps many = {.maps = maps};
        must(tm_shared_images_new(&many.shared, 1 << 20, NULL, NULL));
        executor->run(executor->ctx, 32, prepare_one_of_many, &many);
        for (int i = 0; i < 32; i++) {
            assert_draw_alike(many.renderers[i], alone[i % 4]);
            tm_renderer_free(many.renderers[i]);
        }
        tm_shared_images_free(many.shared);
    }
    for (int i = 0; i < 4; i++) {
        tm_renderer_free(alone[i]);
        tm_map_free(maps[i]);
    }
}

/* Nothing leaks, and what is left in the table is whole, whichever request fails. */
TEST(memory_may_fail_while_images_are_shared)
{
    OWN(tm_map) *partial = map_with("noise", 1, 9, false), *extra = map_with("noise", 5, 30, true);
    uint32_t asked;
    OWN(tm_renderer) *alone = renderer_of(extra, NULL, &asked);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        OWN(tm_shared_images) *shared;
        tm_renderer *first = NULL, *second = NULL;
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        options.allocator = &memory.allocator;
        options.provider = provide_noise;
        options.provider_ctx = &asked;
        options.provider_key = key_of;
        must(tm_shared_images_new(&shared, 1 << 20, &memory.allocator, NULL));
        options.shared_images = shared;
        memory.num_requests = 0;
        memory.fail_at = n;
        const tm_status one = tm_renderer_new(&first, partial, &options, NULL, NULL);
        const tm_status two = tm_renderer_new(&second, extra, &options, NULL, NULL);
        done = !memory.failed;
        memory.fail_at = 0;
        assert_true(one == TM_OK || one == TM_ERROR_MEMORY);
        assert_true(two == TM_OK || two == TM_ERROR_MEMORY);
        tm_renderer_free(second);
        must(tm_renderer_new(&second, extra, &options, NULL, NULL));
        assert_draw_alike(second, alone);
        tm_renderer_free(first);
        tm_renderer_free(second);
    }
}

/* An input of which one read fails. */
struct weak_input {
    const tm_buffer *file;
    uint32_t reads, fail_at; /* 0: none */
};

static tm_status read_weakly(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    struct weak_input *source = ctx;
    (void)error;
    if (++source->reads == source->fail_at)
        return TM_ERROR_IO;
    memcpy(buffer, source->file->bytes + offset, size);
    return TM_OK;
}

/* Of an embedded image it was taken for "no pixels": TM_OK, and a picture without the image. */
TEST(a_read_that_fails_is_no_picture)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_save(made, NULL);
    uint32_t failed = 0;
    for (uint32_t n = 1;; n++) {
        struct weak_input weak = {.file = &file};
        OWN(tm_map) *map;
        OWN(tm_renderer) *renderer;
        tm_error error = {.code = TM_OK};
        const tm_input input = {.ctx = &weak, .size = file.size, .read = read_weakly};
        must(tm_mapfile_load(&map, input, NULL, NULL, NULL));
        weak.reads = 0;
        weak.fail_at = n;
        const tm_status status = tm_renderer_new(&renderer, map, NULL, NULL, &error);
        assert_int_equal(status, weak.reads >= n ? TM_ERROR_IO : TM_OK);
        assert_int_equal(error.code, status);
        failed += status != TM_OK;
        if (status == TM_OK)
            break;
    }
    assert_in_range(failed, 2, 100); /* an image, and layers */
}

/* A false size took the pixels' room before it was known that there are none, and with it all pictures of the map. */
TEST(a_false_size_takes_no_room)
{
    static const int32_t sides[] = {0,     3000,   16384,
                                    32768, 100000, INT32_MAX}; /* 0: the sizes are as they are */
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(test_picture) whole = {NULL, 0, 0}, plain = {NULL, 0, 0}; /* whole: with the side 0, the true sizes */
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    uint32_t falsified = 0;
    options.memory_budget = 8 << 20;
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        OWN(tm_renderer) *renderer = NULL;
        for (uint32_t k = 0; sides[i] && k < map->num_images; k++) {
            tm_image *image = &map->images[k];
            if (k % 2 || image->external)
                continue;
            image->width = sides[i];
            image->height = sides[i] - 1;
            falsified += tm_image_rgba_size(image) == 0;
        }
        renderer = test_renderer_new(map, &options);
        struct test_picture *picture = i == 0 ? &whole : &plain, drawn = picture_of(renderer);
        if (picture->rgba)
            assert_true(test_picture_same(picture, &drawn));
        if (i == 1)
            assert_false(test_picture_same(&whole, &drawn));
        test_picture_release(picture);
        *picture = drawn;
    }
    assert_true(falsified >= 5);
}

static tm_status refuse(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                        uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    (void)name, (void)game, (void)allocator, (void)rgba, (void)width, (void)height;
    return *(const tm_status *)ctx;
}

/* A failure of a provider came out with an error that said "ok". */
TEST(a_provider_that_ends_the_work_is_named)
{
    static const tm_status ends[] = {TM_ERROR_MEMORY,    TM_ERROR_LIMIT,   TM_ERROR_CANCELLED,  TM_ERROR_IO,
                                     TM_ERROR_NOT_FOUND, TM_ERROR_DAMAGED, TM_ERROR_UNSUPPORTED};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        tm_status says = ends[i];
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        OWN(tm_renderer) *renderer;
        tm_error error = {.code = TM_OK};
        options.provider = refuse;
        options.provider_ctx = &says;
        const tm_status status = tm_renderer_new(&renderer, map, &options, NULL, &error);
        /* Without such an image the picture is made; with one that cannot be read it would be another in the next run. */
        assert_int_equal(status, i < 4 ? says : TM_OK);
        assert_int_equal(error.code, status);
        assert_int_equal(!strstr(error.text, "the provider gives no pixels of the image"), !status);
    }
}
