/* SPDX-License-Identifier: Zlib */
/*
 * test-timeout: 300
 * Random rules on random layers: the library and the plainest evaluation (bench/plain_automap.c) give the same tiles,
 * for both dialects, all references and any number of threads.
 */
#include "../bench/plain_automap.h"
#include "support/lib_automap.h"
#include "support/lib_games.h"

#include <dirent.h>

static uint32_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525U + 1013904223U;
    return (uint32_t)(((uint64_t)(seed >> 8) * below) >> 24);
}

typedef struct text {
    char bytes[65536];
    size_t size;
} text;

static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->size += (size_t)vsnprintf(t->bytes + t->size, sizeof(t->bytes) - t->size, format, list);
    va_end(list);
    assert_true(t->size < sizeof(t->bytes));
}

static const char *one_of(const char *const *words, uint32_t num)
{
    return words[draw(num)];
}

static void put_list(text *t)
{
    static const char *const flags[] = {"", "", "", "", " NONE", " XFLIP", " YFLIP ROTATE", " ROTATE"};
    const uint32_t num = 1 + draw(4);
    for (uint32_t i = 0; i < num; i++)
        put(t, "%s%d%s", i ? " OR " : " ", (int)draw(9) - 1, one_of(flags, 8));
}

static void put_pos(text *t, int32_t far)
{
    const int32_t x = (int32_t)draw(2 * (uint32_t)far + 1) - far,
                  y = (int32_t)draw(2 * (uint32_t)far + 1) - far;
    const uint32_t kind = draw(4);
    put(t, "Pos %d %d ", (int)x, (int)y);
    if (kind == 0) {
        put(t, "EMPTY\n");
    } else if (kind == 1) {
        put(t, "FULL\n");
    } else {
        put(t, kind == 2 ? "INDEX" : "NOTINDEX");
        put_list(t);
        put(t, "\n");
    }
}

/* Neighbours that are there or not, and nothing else. */
static void put_basic_rule(text *t)
{
    put(t, "Index %d\n", (int)draw(8));
    for (uint32_t i = draw(5); i > 0; i--)
        put(t, "Pos %d %d %s\n", (int)draw(3) - 1, (int)draw(3) - 1, draw(2) ? "FULL" : "EMPTY");
}

static void put_rule(text *t)
{
    static const char *const flags[] = {"", "", " XFLIP", " YFLIP", " ROTATE", " XFLIP ROTATE"};
    static const char *const chances[] = {"2", "3", "50%", "10%", "1.5", "0%", "1", "1000"};
    static const int32_t fars[] = {0, 1, 1, 2, 5, 70, 500};
    put(t, "Index %d%s\n", (int)draw(8), one_of(flags, 6));
    for (uint32_t i = draw(5); i > 0; i--)
        put_pos(t, fars[draw(draw(10) ? 4 : 7)]);
    if (draw(3) == 0)
        put(t, "Random %s\n", one_of(chances, 8));
    for (uint32_t i = draw(8) ? 0 : 1 + draw(2); i > 0; i--)
        put(t, "Modulo %d %d %d %d\n", (int)draw(5), (int)draw(9) - 4, (int)draw(7) - 3, (int)draw(7) - 3);
    if (draw(5) == 0)
        put(t, "NoDefaultRule\n");
}

static void random_rules(text *t, bool live)
{
    t->size = 0;
    put(t, "[random]\n");
    for (uint32_t run = draw(3); run < 3; run++) {
        if (live ? draw(2) : draw(10) == 0)
            put(t, "NoLayerCopy\n");
        const bool basic = draw(3) == 0;
        for (uint32_t i = draw(12) ? draw(9) : 70; i > 0; i--)
            if (basic)
                put_basic_rule(t);
            else
                put_rule(t);
        put(t, "NewRun\n");
    }
}

static test_layer random_layer(void)
{
    static const uint32_t sides[] = {1, 2, 3, 7, 17, 63, 64, 65, 128, 130, 200};
    const uint32_t width = sides[draw(11)], height = sides[draw(draw(3) ? 5 : 11)];
    test_layer layer = test_new_layer(width, height);
    const uint32_t density = 1 + draw(5), kinds = 1 + draw(7), block = draw(2) ? 1 : 1 + draw(40);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            tm_tile *tile = &layer.tiles[(size_t)y * width + x];
            if (x % block && x)
                *tile = tile[-1];
            else if (draw(density) == 0)
                *tile = (tm_tile){(uint8_t)(1 + draw(kinds)), (uint8_t)draw(16), (uint8_t)draw(4),
                                  (uint8_t)draw(9)};
        }
    }
    return layer;
}

static tm_automap_rules *read_text(const text *t, tm_automap_dialect dialect)
{
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    tm_automap_rules *rules;
    options.dialect = dialect;
    must(tm_automap_read(&rules, t->bytes, t->size, &options, NULL, NULL));
    return rules;
}

/* ------------------------------------------------------------------------------------------------------- comparing */

typedef struct attempt {
    const text *rules_text;
    const tm_automap_rules *rules;
    test_layer layer, game;
    tm_automap_options options;
} attempt;

static void require_equal(const attempt *a, const test_layer *expected, const tm_job *job, const char *way)
{
    test_layer layer = test_clone_layer(&a->layer);
    tm_automap_result result;
    tm_error error = {.code = TM_OK};
    const size_t num = (size_t)layer.width * layer.height;
    if (tm_automap_run(&result, a->rules, &(tm_automap_layer){layer.tiles, layer.width, layer.height},
                       &a->options, job, &error))
        fail_msg("%s: %s", way, error.text);
    for (size_t i = 0; i < num; i++)
        if (memcmp(&layer.tiles[i], &expected->tiles[i], sizeof(tm_tile)) != 0)
            fail_msg("%s, dialect %u, reference %u, seed %d, %ux%u: tile %u,%u is %u/%u, not %u/%u, by\n%s",
                     way, (unsigned)tm_automap_rules_dialect(a->rules), (unsigned)a->options.reference,
                     (int)a->options.seed, (unsigned)layer.width, (unsigned)layer.height,
                     (unsigned)(i % layer.width), (unsigned)(i / layer.width), layer.tiles[i].index,
                     layer.tiles[i].flags, expected->tiles[i].index, expected->tiles[i].flags,
                     a->rules_text->bytes);
    free(layer.tiles);
}

static test_layer plain_result(const attempt *a)
{
    test_layer layer = test_clone_layer(&a->layer);
    const bool old = tm_automap_rules_dialect(a->rules) == TM_AUTOMAP_DDNET_16;
    const plain_automap plain = {.rules = a->rules,
                                 .config = (uint32_t)a->options.config,
                                 .seed = a->options.seed,
                                 .reference = old ? -1 : (int32_t)a->options.reference - 1,
                                 .game = a->game.tiles,
                                 .game_width = a->game.width,
                                 .game_height = a->game.height};
    assert_true(plain_automap_run(&plain, layer.tiles, layer.width, layer.height));
    return layer;
}

static void try_all_ways(const attempt *a, const tm_executor *executor)
{
    const test_layer expected = plain_result(a);
    tm_job job = TM_JOB_INIT;
    require_equal(a, &expected, NULL, "alone");
    job.executor = executor;
    require_equal(a, &expected, &job, "with threads");
    attempt region = *a;
    const tm_rect whole = {0, 0, a->layer.width, a->layer.height};
    region.options.region = &whole;
    if (a->game.width == a->layer.width)
        require_equal(&region, &expected, NULL, "as a region");
    free(expected.tiles);
}

static void try_random(bool live, uint32_t num)
{
    static text t;
    OWN(tm_sys_threads) *threads;
    must(tm_sys_threads_new(&threads, 3, NULL, NULL));
    for (uint32_t i = 0; i < num; i++) {
        random_rules(&t, live);
        OWN(tm_automap_rules) *rules = read_text(&t, draw(4) ? TM_AUTOMAP_DDNET : TM_AUTOMAP_DDNET_16);
        attempt a = {&t, rules, random_layer(), {0}, TM_AUTOMAP_OPTIONS_INIT};
        a.game = test_pattern_layer("game", draw(2) ? a.layer.width : 1 + draw(90), 1 + draw(90), i);
        a.options.seed = (int32_t)draw(1000) + 1;
        a.options.reference =
            draw(3) ? TM_AUTOMAP_NO_REFERENCE : (tm_automap_reference)draw(TM_AUTOMAP_REFERENCES);
        a.options.game = a.game.tiles;
        a.options.game_width = a.game.width;
        a.options.game_height = a.game.height;
        try_all_ways(&a, tm_sys_threads_executor(threads));
        free(a.layer.tiles);
        free(a.game.tiles);
    }
}

TEST(random_rules_give_what_the_plain_way_gives)
{
    try_random(false, 1500);
}

TEST(rules_that_see_what_they_write_do_so_too)
{
    try_random(true, 500);
}

/* What one tile becomes decides about the next one, on and on along rows that are longer than 64 tiles. */
TEST(chains_along_a_row_are_followed)
{
    static const char *const chains[] = {
        "Index 2\nPos -1 0 NOTINDEX 2\n",
        "Index 2\nPos -1 0 INDEX 1\nIndex 3\nPos -1 0 INDEX 2\nRandom 90%\nIndex 1\nPos -1 0 INDEX 3\n",
        "Index 2\nPos -70 0 INDEX -1\nPos -1 0 NOTINDEX 2\nIndex 0\nPos -70 0 INDEX 2\n",
        "Index 5 XFLIP\nNoDefaultRule\nPos 0 0 EMPTY\nPos -1 0 EMPTY\nIndex 0\nPos -65 0 INDEX 5 XFLIP\n",
        "Index 2 XFLIP\nPos -1 0 INDEX 1 OR 2 NONE\nIndex 2\nPos -1 0 INDEX 2 XFLIP\nPos 0 0 INDEX 2\n",
        "Index 3\nPos 1 0 INDEX 1\nPos -2 0 INDEX 1\nPos 0 -1 NOTINDEX 3\nIndex 4\nPos 0 0 NOTINDEX 3\n",
    };
    static text t;
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
        t.size = 0;
        put(&t, "[a]\nNoLayerCopy\n%s", chains[i]);
        OWN(tm_automap_rules) *rules = read_text(&t, TM_AUTOMAP_DDNET);
        attempt a = {&t, rules, test_new_layer(333, 5), {0}, TM_AUTOMAP_OPTIONS_INIT};
        for (size_t k = 0; k < (size_t)333 * 5; k++)
            a.layer.tiles[k].index = k % 210 != 7;
        a.options.seed = 3;
        try_all_ways(&a, NULL);
        free(a.layer.tiles);
    }
}

/* Every configuration of every file, in $TEEMAP_AUTOMAP or where Debian's package puts them. */
static size_t try_folder(const char *path, const tm_executor *executor)
{
    static const char *const layers[] = {"blobs", "few", "mixed"};
    DIR *folder = opendir(path);
    size_t num = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        static text shown;
        char file_path[1024];
        uint32_t num_configs;
        if (!strstr(entry->d_name, ".rules"))
            continue;
        snprintf(file_path, sizeof(file_path), "%.700s/%.255s", path, entry->d_name);
        snprintf(shown.bytes, sizeof(shown.bytes), "%s", file_path);
        const test_text file = test_read_file(file_path);
        OWN(tm_automap_rules) *rules;
        must(tm_automap_read(&rules, file.bytes, file.size, NULL, NULL, NULL));
        tm_automap_configs(&num_configs, rules);
        for (uint32_t i = 0; i < num_configs * 3; i++) {
            attempt a = {
                &shown, rules, test_pattern_layer(layers[i % 3], 300, 90, i), {0}, TM_AUTOMAP_OPTIONS_INIT};
            a.game = test_pattern_layer("game", 300, 90, i);
            a.options.config = (int32_t)(i / 3);
            a.options.seed = 1337;
            a.options.game = a.game.tiles;
            a.options.game_width = 300;
            a.options.game_height = 90;
            try_all_ways(&a, executor);
            a.options.reference = TM_AUTOMAP_HOOKABLE;
            try_all_ways(&a, executor);
            free(a.layer.tiles);
            free(a.game.tiles);
        }
        free(file.bytes);
        num++;
    }
    if (folder)
        closedir(folder);
    return num;
}

TEST(rules_that_games_install_do_so_too)
{
    OWN(tm_sys_threads) *threads;
    const char *custom = getenv("TEEMAP_AUTOMAP");
    must(tm_sys_threads_new(&threads, 3, NULL, NULL));
    char folder[TEST_GAME_PATH] = "";
    if (!custom)
        (void)test_game_rules_folder(folder);
    const size_t num = try_folder(custom ? custom : folder, tm_sys_threads_executor(threads));
    if (!num)
        skip();
    print_message("%zu files of rules\n", num);
}
