/* SPDX-License-Identifier: Zlib */
/*
 * test-timeout: 600
 * The results of the editors' own code in golden-automap: every row must come out the same, to the bit. What they stand
 * for says the README.md there. The files of rules of Debian's packages are only used where they are installed, or in
 * $TEEMAP_AUTOMAP.
 */
#include "base/base.h"
#include "support/lib_automap.h"
#include "support/sha256.h"

/* What the rows of a table share. */
typedef struct table {
    char name[128]; /* of the rules at hand */
    tm_automap_rules *rules;
    size_t num_rows, num_skipped, num_different;
    tm_automap_dialect dialect; /* of .rules */
} table;

static tm_automap_rules *read_rules(const test_text *file, tm_automap_dialect dialect)
{
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    tm_automap_rules *rules;
    options.dialect = dialect;
    return tm_automap_read(&rules, file->bytes, file->size, &options, NULL, NULL) ? NULL : rules;
}

/* A file of rules of an installed game, and whether names.tsv has its content: that of DDNet 16.4. */
typedef struct known_file {
    const char *name;
    char hash[65];
    bool named, known;
} known_file;

static void find_content(void *ctx, char **f)
{
    known_file *file = ctx;
    if (strcmp(f[0], file->name) == 0) {
        file->named = true;
        file->known |= strcmp(f[1], file->hash) == 0;
    }
}

/* Whether the tables are about this content. Files of Teeworlds are the same in all releases and have no row. */
static bool is_known(const char *name, const test_text *text)
{
    known_file file = {.name = name};
    test_sha256(file.hash, text->bytes, text->size);
    test_each_row("names.tsv", find_content, &file);
    return file.known || !file.named;
}

/* A file of rules of an installed game, as the tables know it; later releases change some, or only the ends of their lines. */
static test_text known_game_rules(const char *name)
{
    test_text file = test_game_rules(name);
    if (!file.bytes || is_known(name, &file))
        return file;
    test_text windows = {calloc(2 * file.size + 1, 1), 0};
    assert_non_null(windows.bytes);
    for (size_t i = 0; i < file.size; i++) {
        if (file.bytes[i] == '\n' && (i == 0 || file.bytes[i - 1] != '\r'))
            windows.bytes[windows.size++] = '\r';
        windows.bytes[windows.size++] = file.bytes[i];
    }
    free(file.bytes);
    if (is_known(name, &windows))
        return windows;
    free(windows.bytes);
    return (test_text){NULL, 0};
}

/* The rules of a row, read once for rows that follow one another; false if the file is not there. */
static bool use_rules(table *t, const char *name, const char *path, bool golden)
{
    if (strcmp(t->name, name) == 0)
        return true;
    tm_automap_free(t->rules);
    t->rules = NULL;
    const test_text file = golden ? test_golden_file(path) : known_game_rules(path);
    t->name[0] = '\0';
    if (!file.bytes)
        return false;
    snprintf(t->name, sizeof(t->name), "%s", name);
    const tm_automap_dialect dialect = tm_automap_dialect_of_file(path);
    t->rules = read_rules(&file, dialect == TM_AUTOMAP_DDNET ? t->dialect : dialect);
    free(file.bytes);
    return true;
}

/* Tries each row of a table; returns what became of them. */
static table try_table(const char *name, tm_automap_dialect dialect, void (*try)(void *ctx, char **fields))
{
    table t = {.dialect = dialect};
    const bool there = test_each_row(name, try, &t);
    tm_automap_free(t.rules);
    if (!there || (dialect && !t.num_rows))
        skip();
    assert_true(t.num_rows > 0);
    if (t.num_skipped)
        print_message("%zu rows without their files of rules\n", t.num_skipped);
    return t;
}

/* A rectangle as x,y,w,h, where -1 is a side of the layer; NULL for "-". */
static const tm_rect *take_region(tm_rect *out, const char *text, const test_layer *layer)
{
    int x, y, width, height;
    if (strcmp(text, "-") == 0)
        return NULL;
    assert_int_equal(sscanf(text, "%d,%d,%d,%d", &x, &y, &width, &height), 4);
    *out = (tm_rect){x, y, width < 0 ? layer->width : (uint32_t)width,
                     height < 0 ? layer->height : (uint32_t)height};
    return out;
}

static uint64_t num_different(const test_layer *a, const test_layer *b)
{
    uint64_t num = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (size_t i = 0; i < (size_t)a->width * a->height; i++)
        num += a->tiles[i].index != b->tiles[i].index || a->tiles[i].flags != b->tiles[i].flags;
    return num;
}

/* A file that is not loaded changes nothing. */
static tm_automap_result run(const tm_automap_rules *rules, test_layer *layer,
                             const tm_automap_options *options)
{
    tm_automap_result result = {0};
    tm_error error = {.code = TM_OK};
    if (rules &&
        tm_automap_run(&result, rules, &(tm_automap_layer){layer->tiles, layer->width, layer->height},
                       options, NULL, &error))
        fail_msg("%s", error.text);
    return result;
}

static void use_game(tm_automap_options *options, const test_layer *game)
{
    options->game = game->tiles;
    options->game_width = game->width;
    options->game_height = game->height;
}

/* Where a table of small cases has its columns. */
typedef struct small_columns {
    const char *folder, *ending;
    int rect, game, input, result, changed;
} small_columns;

/* Tries a small case so often; the result is the last one's. */
static tm_automap_result try_small(table *t, char **f, const small_columns *columns,
                                   tm_automap_options options, uint32_t times)
{
    char path[160];
    tm_rect region;
    snprintf(path, sizeof(path), "%s/%s.%s", columns->folder, f[0], columns->ending);
    assert_true(use_rules(t, f[0], path, true));
    OWN(test_layer) layer = test_layer_from_text(f[columns->input]),
                    expected = test_layer_from_text(f[columns->result]);
    OWN(test_layer) game = strcmp(f[columns->game], "-") == 0 ? test_new_layer(layer.width, layer.height)
                                                              : test_layer_from_text(f[columns->game]);
    OWN(test_layer) before = test_clone_layer(&layer);
    options.config = atoi(f[1]);
    options.seed = (int32_t)strtoll(f[2], NULL, 10);
    options.region = take_region(&region, f[columns->rect], &layer);
    use_game(&options, &game);
    tm_automap_result result = {0};
    for (options.before = 0; options.before < times; options.before++)
        result = run(t->rules, &layer, &options);
    if (num_different(&layer, &expected))
        fail_msg("%s, config %s, seed %s, then %s %s %s, input %s: %llu tiles differ", f[0], f[1], f[2], f[3],
                 f[4], f[5], f[columns->input], (unsigned long long)num_different(&layer, &expected));
    assert_int_equal(num_different(&layer, &before), strtoull(f[columns->changed], NULL, 10));
    t->num_rows++;
    return result;
}

/* case config seed ref rect game input result changed */
static void try_case(void *ctx, char **f)
{
    static const small_columns columns = {"cases", "rules", 4, 5, 6, 7, 8};
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    options.reference = (tm_automap_reference)(atoi(f[3]) + 1);
    assert_true(try_small(ctx, f, &columns, options, 1).num_changed == strtoull(f[8], NULL, 10));
}

TEST(small_cases_come_out_the_same)
{
    try_table("cases.tsv", 0, try_case);
}

static void paint_again(test_layer *layer, const test_layer *before, const tm_rect *region)
{
    for (int32_t y = 0; y < (int32_t)layer->height; y++) {
        for (int32_t x = 0; x < (int32_t)layer->width; x++) {
            const size_t at = (size_t)y * layer->width + (size_t)x;
            if (tmi_rect_has(region, x, y)) {
                layer->tiles[at].index = before->tiles[at].index;
                layer->tiles[at].flags = before->tiles[at].flags;
            }
        }
    }
}

static test_layer game_of(const char *text, const test_layer *layer)
{
    unsigned width, height, salt;
    if (strcmp(text, "-") == 0)
        return test_new_layer(layer->width, layer->height);
    assert_int_equal(sscanf(text, "%ux%u:%u", &width, &height, &salt), 3);
    return test_pattern_layer("game", width, height, salt);
}

/* Where DDNet 16.4 gives something else: three configurations. */
static bool differs_in_16(char **f)
{
    static const char *const found[][2] = {
        {"round_tiles.rules", "0"}, {"jungle_midground.rules", "1"}, {"winter_main.rules", "0"}};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(f[0], found[i][0]) == 0 && strcmp(f[1], found[i][1]) == 0)
            return true;
    return false;
}

/* rules config w h pattern k seed ref game mode rect sha256 changed */
static void try_expected(void *ctx, char **f)
{
    table *t = ctx;
    char hash[65];
    tm_rect region;
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    if (!use_rules(t, f[0], f[0], strncmp(f[0], "cases/", 6) == 0)) {
        t->num_skipped++;
        return;
    }
    OWN(test_layer) layer =
        test_pattern_layer(f[4], (uint32_t)atoi(f[2]), (uint32_t)atoi(f[3]), (uint32_t)atoi(f[5]));
    OWN(test_layer) game = game_of(f[8], &layer);
    OWN(test_layer) before = test_clone_layer(&layer);
    options.config = atoi(f[1]);
    options.seed = (int32_t)strtoll(f[6], NULL, 10);
    options.reference = (tm_automap_reference)(atoi(f[7]) + 1);
    use_game(&options, &game);
    const tm_rect *given = take_region(&region, f[10], &layer);
    if (strcmp(f[9], "local") != 0)
        run(t->rules, &layer, &options);
    if (strcmp(f[9], "edit") == 0)
        paint_again(&layer, &before, given);
    options.region = given;
    if (given)
        run(t->rules, &layer, &options);
    test_hash_layer(hash, &layer);
    const bool same = strcmp(hash, f[11]) == 0;
    t->num_different += !same;
    if (!same && !(t->dialect == TM_AUTOMAP_DDNET_16 && differs_in_16(f)))
        fail_msg("%s, config %s, %sx%s %s %s, seed %s, ref %s, game %s, %s %s: not the same", f[0], f[1],
                 f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10]);
    if (same)
        assert_int_equal(num_different(&layer, &before), strtoull(f[12], NULL, 10));
    t->num_rows++;
}

TEST(rules_of_the_games_come_out_the_same)
{
    try_table("expected.tsv", 0, try_expected);
}

/* Rules of the packages, no reference: 16.4 knows none. */
static void try_expected_16(void *ctx, char **f)
{
    if (strncmp(f[0], "cases/", 6) != 0 && strcmp(f[7], "-1") == 0 && strcmp(f[9], "edit") != 0)
        try_expected(ctx, f);
}

/* The 16.4 sources gave 55 other rows of 1968, in three configurations (spec/automapper.md, section 6). */
TEST(rules_of_16_differ_where_those_of_16_do)
{
    const table t = try_table("expected.tsv", TM_AUTOMAP_DDNET_16, try_expected_16);
    print_message("%zu rows of %zu differ\n", t.num_different, t.num_rows);
    if (t.num_rows == 1968)
        assert_int_equal(t.num_different, 55);
}

/* case set seed rect amount times game input result rand_calls changed */
static void try_json_case(void *ctx, char **f)
{
    static const small_columns columns = {"cases-json", "json", 3, 6, 7, 8, 10};
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    options.amount = strcmp(f[4], "-") == 0 ? 0 : (uint32_t)atoi(f[4]);
    const tm_automap_result result = try_small(ctx, f, &columns, options, (uint32_t)atoi(f[5]));
    assert_int_equal(result.num_random, strtoull(f[9], NULL, 10));
}

TEST(small_cases_of_json_come_out_the_same)
{
    try_table("cases-json.tsv", 0, try_json_case);
}

/* json set w h pattern k seed rect sha256 changed rand_calls */
static void try_expected_json(void *ctx, char **f)
{
    table *t = ctx;
    char hash[65];
    tm_rect region;
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    if (!use_rules(t, f[0], f[0], false)) {
        t->num_skipped++;
        return;
    }
    OWN(test_layer) layer =
        test_pattern_layer(f[4], (uint32_t)atoi(f[2]), (uint32_t)atoi(f[3]), (uint32_t)atoi(f[5]));
    OWN(test_layer) before = test_clone_layer(&layer);
    options.config = atoi(f[1]);
    options.seed = (int32_t)strtoll(f[6], NULL, 10);
    options.region = take_region(&region, f[7], &layer);
    const tm_automap_result result = run(t->rules, &layer, &options);
    test_hash_layer(hash, &layer);
    if (strcmp(hash, f[8]) != 0)
        fail_msg("%s, set %s, %sx%s %s %s, seed %s, rect %s: not the same", f[0], f[1], f[2], f[3], f[4],
                 f[5], f[6], f[7]);
    assert_int_equal(num_different(&layer, &before), strtoull(f[9], NULL, 10));
    assert_int_equal(result.num_random, strtoull(f[10], NULL, 10));
    t->num_rows++;
}

TEST(json_of_the_games_comes_out_the_same)
{
    try_table("expected-json.tsv", 0, try_expected_json);
}

static void hex_of(char *out, const char *name)
{
    if (!*name)
        strcpy(out, "-");
    for (; *name; name++, out += 2)
        sprintf(out, "%02x", (unsigned)(unsigned char)*name);
}

/* rules sha256 loaded configs names */
static void try_names(void *ctx, char **f)
{
    table *t = ctx;
    char hash[65], hex[512];
    const bool golden = strncmp(f[0], "cases/", 6) == 0;
    const test_text file = golden ? test_golden_file(f[0]) : known_game_rules(f[0]);
    uint32_t num;
    if (file.bytes)
        test_sha256(hash, file.bytes, file.size);
    if (!file.bytes || strcmp(hash, f[1]) != 0) {
        assert_false(golden);
        t->num_skipped++;
        free(file.bytes);
        return;
    }
    OWN(tm_automap_rules) *rules = read_rules(&file, TM_AUTOMAP_DDNET);
    assert_int_equal(rules ? 1 : 0, atoi(f[2]));
    const tm_automap_config *configs = tm_automap_configs(&num, rules);
    assert_int_equal(num, atoi(f[3]));
    char *names = strtok(f[4], " ");
    for (uint32_t i = 0; i < num; i++, names = strtok(NULL, " ")) {
        hex_of(hex, configs[i].name);
        assert_string_equal(hex, names);
    }
    free(file.bytes);
    t->num_rows++;
}

TEST(names_come_out_the_same)
{
    try_table("names.tsv", 0, try_names);
}
