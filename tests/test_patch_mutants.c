/* SPDX-License-Identifier: Zlib */
/*
 * Patches from strangers: in a patch, each pair of objects is described twice, and what contradicts itself is refused.
 * Thousands of mutants, of which many are still patches, go through every public function that takes one. Of the
 * mutants, as many as TEEMAP_MUTANTS says (10,000 is a minute or two under the sanitizers); by default 800.
 *
 * test-timeout: 600
 */
#include "../fuzz/use_patch.h"
#include "support/files.h"
#include "support/lib_maps.h"
#include "support/lib_patches.h"
#include "support/lib_render.h"

/* ------------------------------------------------------------------------------------------- contradictions */

/* A patch with one layer in one group on each side; the parts that contradict each other are its arguments. */
static int two_layers(char *out, size_t size, const char *before, const char *after, const char *extra,
                      const char *changes)
{
    static const char *const side =
        "{\"images\":1,\"sounds\":0,\"envelopes\":1,\"layers\":[1],\"names\":{\"images\":[[0,0,\"\"]],"
        "\"envelopes\":[[0,3,\"\"]],\"groups\":[[0,0,\"\"]],\"layers\":[%s]}}";
    char left[400], right[400];
    snprintf(left, sizeof(left), side, before);
    snprintf(right, sizeof(right), side, after);
    return snprintf(
        out, size,
        "{\"teemap_patch\":2,\"sides\":[%s,%s],\"pairs\":{\"images\":[[0,0,1]],\"sounds\":[],\"envelopes\":[[0,0,1]],"
        "\"groups\":[[0,0,1]],\"layers\":[[0,0,1]]}%s,\"changes\":[%s]}",
        left, right, extra, changes);
}

#define CHANGE_OF(list, kind) "{\"change\":\"" kind "\",\"list\":\"" list "\",\"objects\":[0,0],"
#define TILES(list, field, size, shift, bytes, runs)                                         \
    CHANGE_OF(list, "grid")                                                                  \
    "\"owner\":\"tile_layer\",\"field\":\"" field "\",\"size\":[" size "],\"shift\":[" shift \
    "],\"bytes\":" bytes ",\"runs\":[" runs "]}"

static const struct {
    const char *before, *after, *extra, *changes;
    const char *text; /* of the refusal; NULL: it is a patch */
} pairs[] = {
    /* The kinds of a layer. */
    {"[0,\"tele\",\"\"]", "[0,\"tele\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "2", "[0,0,1,\"0000\",\"051a\"]"), NULL},
    {"[0,\"tele\",\"\"]", "[0,\"speedup\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "2", "[0,0,1,\"0000\",\"051a\"]"),
     "of kind tele before, and of kind speedup"},
    {"[0,\"speedup\",\"\"]", "[0,\"tele\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "6", "[0,0,1,\"000000000000\",\"051a00000000\"]"),
     "before, and of kind tele"},
    {"[0,\"quads\",\"\"]", "[0,\"tiles\",\"\"]", "", "", "of kind quads before, and of kind tiles"},
    {"", "[0,\"speedup\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[0,0,1,\"00000000\",\"051a0000\"]"),
     "does not say of what kind"},
    {"[0,\"game\",\"\"]", "", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[0,0,1,\"00000000\",\"051a0000\"]"),
     "does not say of what kind"},
    /* A layer and what a change has of it. */
    {"[0,\"tele\",\"\"]", "[0,\"tele\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[0,0,1,\"00000000\",\"051a0000\"]"),
     "is not a grid of this form"},
    {"[0,\"quads\",\"\"]", "[0,\"quads\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[0,0,1,\"00000000\",\"051a0000\"]"),
     "is not of such an object"},
    {"[0,\"quads\",\"\"]", "[0,\"quads\",\"\"]", "",
     CHANGE_OF(
         "layers",
         "field") "\"owner\":\"tile_layer\",\"field\":\"color\",\"index\":0,\"was\":[1,2,3,4],\"is\":[5,6,7,8]}",
     "is not of such an object"},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     CHANGE_OF("layers",
               "element") "\"owner\":\"quad\",\"at\":[null,0],\"moved\":false,\"was\":null,\"is\":{}}",
     "is not of such an object"},
    {"[0,\"sounds\",\"\"]", "[0,\"sounds\",\"\"]", "",
     CHANGE_OF("layers",
               "element") "\"owner\":\"old_source\",\"at\":[null,0],\"moved\":false,\"was\":null,\"is\":{}}",
     "is not of such an object"},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     CHANGE_OF("layers", "data") "\"owner\":\"quad_layer\",\"field\":\"quads\",\"was\":null,\"is\":null}",
     "is not of such an object"},
    /* Runs, and the grids that they are of. */
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[3,3,1,\"00000000\",\"051a0000\"]"), NULL},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[3,3,2,\"00000000\",\"051a0000\"]"),
     "where the grid has nothing"},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", "[-1,2,1,\"00000000\",\"051a0000\"]"),
     "where the grid has nothing"},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     TILES("layers", "tiles", "4,4,5,4", "1,0", "4", "[-1,2,1,\"00000000\",\"051a0000\"]"), NULL},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     TILES("layers", "tiles", "4,4,5,4", "1,0", "4", "[-1,2,1,\"01000000\",\"051a0000\"]"),
     "where the grid has nothing"},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     TILES("layers", "tiles", "4,4,4,3", "0,0", "4", "[1,3,1,\"01000000\",\"051a0000\"]"),
     "where the grid has nothing"},
    {"[0,\"tele\",\"\"]", "[0,\"tele\",\"\"]", "",
     TILES("layers", "compat", "4,4,5,4", "0,0", "4", "") "," TILES("layers", "tiles", "4,4,4,4", "0,0", "2",
                                                                    ""),
     "have other sizes"},
    {"[0,\"game\",\"\"]", "[0,\"game\",\"\"]", ",\"game_layer\":{\"size\":[5,4],\"around\":[]}",
     TILES("layers", "tiles", "4,4,4,4", "0,0", "4", ""), "have other sizes"},
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     CHANGE_OF(
         "images",
         "grid") "\"owner\":\"image\",\"field\":\"pixels\",\"size\":[2,2,2,2],\"shift\":[1,0],\"bytes\":4,"
                 "\"runs\":[]}",
     "is not a grid of this form"},
    /* An object, and its name. */
    {"[0,\"tiles\",\"\"]", "[0,\"tiles\",\"\"]", "",
     "{\"change\":\"object\",\"list\":\"envelopes\",\"objects\":[null,0],\"was\":null,\"is\":{}}",
     "does not go with the pairs"},
};

TEST(contradictions_are_refused)
{
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        char text[4000];
        const int size =
            two_layers(text, sizeof(text), pairs[i].before, pairs[i].after, pairs[i].extra, pairs[i].changes);
        tm_error error;
        tm_patch *patch;
        const tm_status status = tm_patch_read(&patch, text, (size_t)size, NULL, &error);
        const bool fine =
            pairs[i].text ? status == TM_ERROR_DAMAGED && strstr(error.text, pairs[i].text) : status == TM_OK;
        if (!fine)
            fail_msg("pair %zu: %s", i, status ? error.text : "it was read");
        tm_patch_free(patch);
    }
}

/* An added layer whose content is of another kind than its name. */
TEST(content_is_of_the_kind_that_the_name_says)
{
    static const char *const text =
        "{\"teemap_patch\":2,\"sides\":[{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[0],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":%d,\"layers\":[%d],\"names\":{\"%s\":[[0,%s,\"\"]]}}],"
        "\"pairs\":{\"groups\":[[0,0,1]]},\"changes\":[{\"change\":\"object\",\"list\":\"%s\",\"objects\":[null,0],\"was\":null,\"is\":%s}]}";
    static const struct {
        const char *list, *kind, *content;
        bool is_fine;
    } cases[] = {
        {"layers", "\"quads\"", "{\"kind\":\"quads\",\"quads\":[]}", true},
        {"layers", "\"tele\"", "{\"kind\":\"quads\",\"quads\":[]}", false},
        {"envelopes", "3", "{\"channels\":3,\"points\":[]}", true},
        {"envelopes", "3", "{\"channels\":4,\"points\":[]}", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const bool layer = cases[i].list[0] == 'l';
        char json[1000];
        tm_error error;
        tm_patch *patch;
        snprintf(json, sizeof(json), text, !layer, layer, cases[i].list, cases[i].kind, cases[i].list,
                 cases[i].content);
        const tm_status status = tm_patch_read(&patch, json, strlen(json), NULL, &error);
        if (status != (cases[i].is_fine ? TM_OK : TM_ERROR_DAMAGED))
            fail_msg("content %zu: %s", i, status ? error.text : "it was read");
        if (status)
            assert_non_null(strstr(error.text, "of another kind than its name says"));
        tm_patch_free(patch);
    }
}

/* Two patches that say different things of one object were joined, and tiles of 2 bytes were taken for tiles of 6. */
TEST(patches_of_other_maps_are_not_joined)
{
    static const struct {
        const char *first_kind, *first, *second_kind, *second;
        bool is_fine;
    } cases[] = {
        {"[0,\"tele\",\"\"]", TILES("layers", "tiles", "4,4,4,4", "0,0", "2", "[0,0,1,\"0000\",\"051a\"]"),
         "[0,\"tele\",\"\"]", TILES("layers", "tiles", "4,4,4,4", "0,0", "2", "[1,0,1,\"0000\",\"051a\"]"),
         true},
        {"[0,\"speedup\",\"\"]", "", "[0,\"tele\",\"\"]",
         TILES("layers", "tiles", "4,4,4,4", "0,0", "2", "[0,0,1,\"0000\",\"051a\"]"), false},
        {"[0,\"tele\",\"A\"]", "", "[0,\"tele\",\"B\"]", "", false},
        {"[0,\"tele\",\"\"]", "", "", "", true},
        {"[0,\"tele\",\"\"]", TILES("layers", "tiles", "4,4,4,4", "0,0", "2", "[0,0,1,\"0000\",\"051a\"]"),
         "[0,\"tele\",\"\"]", TILES("layers", "tiles", "4,4,4,5", "0,0", "2", "[1,0,1,\"0000\",\"051a\"]"),
         false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[2][3000];
        tm_patch *patch[2], *joined;
        tm_error error;
        two_layers(text[0], sizeof(text[0]), cases[i].first_kind, cases[i].first_kind, "", cases[i].first);
        two_layers(text[1], sizeof(text[1]), cases[i].second_kind, cases[i].second_kind, "", cases[i].second);
        for (int side = 0; side < 2; side++)
            must(tm_patch_read(&patch[side], text[side], strlen(text[side]), NULL, &error), &error);
        const tm_status status = tm_patch_union(&joined, patch[0], patch[1], &error);
        if (status != (cases[i].is_fine ? TM_OK : TM_ERROR_USAGE))
            fail_msg("patches %zu: %s", i, status ? error.text : "they were joined");
        for (int side = 0; side < 2; side++)
            tm_patch_free(patch[side]);
        tm_patch_free(joined);
    }
}

/* A layer without tiles, as files have it: apply refused the patch, "a layer cannot have 0 x 0 tiles". */
TEST(a_layer_loses_and_gets_all_of_its_tiles)
{
    OWN(tm_map) *partial = test_map_of(
        "add group Game\nadd layer Game game 5x7\nadd layer Game tiles 5x3\nfill Game/1@1,0+4x2 9");
    OWN(tm_map) *empty = test_map_clone(partial);
    tm_tile_layer *tiles = &empty->groups[0].layers[1].as.tiles;
    tiles->width = tiles->height = 0;
    tm_patch *patch = test_patch_between(partial, empty);
    assert_true(test_patch_there_and_back(partial, patch, empty, "all tiles"));
    tm_patch_free(patch);
}

/* --------------------------------------------------------------------------------------------------- the seeds */

/* Gives each number of an object another value, if one is accepted. */
static void change_fields(tm_map *map, tm_kind owner, void *object, unsigned step)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t f = step % 3; f < num; f += 3) {
        tm_value value = tm_field_get(&fields[f], object, 0);
        if (fields[f].type == TM_TYPE_TEXT || fields[f].type == TM_TYPE_NAME)
            value.as.text = "other";
        else if (fields[f].type == TM_TYPE_COLOR)
            value.as.color.g ^= 5;
        else if (fields[f].type == TM_TYPE_POINT)
            value.as.point.x += 1000;
        else if (fields[f].type == TM_TYPE_BLOCK || fields[f].type == TM_TYPE_LIST ||
                 fields[f].type == TM_TYPE_TEXTS)
            continue;
        else
            value.as.number += value.as.number > 0 ? -1 : 1;
        (void)tm_field_set(map, object, &fields[f], 0, &value, NULL);
    }
}

static void change_bytes(tm_map *map, tm_block *block, unsigned step)
{
    void *bytes;
    uint64_t size;
    if (!block)
        return;
    must(tm_map_edit_data(&bytes, &size, map, block, NULL));
    for (uint64_t i = step % 7; i < size; i += 29)
        ((uint8_t *)bytes)[i] ^= (uint8_t)(3 + i % 5);
}

/* A map with something changed in each object, in another way for each step. */
static tm_map *changed(const tm_map *map, unsigned step)
{
    tm_map *other = test_map_clone(map);
    for (uint32_t i = 0; i < other->num_images; i++) {
        change_fields(other, TM_KIND_IMAGE, &other->images[i], step);
        change_bytes(other, other->images[i].pixels, step);
    }
    for (uint32_t i = 0; i < other->num_sounds; i++)
        change_bytes(other, other->sounds[i].data, step);
    for (uint32_t i = 0; i < other->num_envelopes; i++) {
        tm_envelope *envelope = &other->envelopes[i];
        change_fields(other, TM_KIND_ENVELOPE, envelope, step);
        for (uint32_t p = step % 2; p < envelope->num_points; p += 2)
            envelope->points[p].values[0] ^= 77;
    }
    for (uint32_t g = 0; g < other->num_groups; g++) {
        change_fields(other, TM_KIND_GROUP, &other->groups[g], step);
        for (uint32_t l = 0; l < other->groups[g].num_layers; l++) {
            tm_layer *layer = &other->groups[g].layers[l];
            const tm_kind own = tm_kind_of_layer(layer->kind);
            change_fields(other, TM_KIND_LAYER, layer, step);
            if (own == TM_KIND_TILE_LAYER) {
                change_bytes(other, layer->as.tiles.tiles, step);
                change_bytes(other, layer->as.tiles.compat, step);
                if (step % 2)
                    must(tm_map_resize_layer(other, g, l, layer->as.tiles.width + 1 + step,
                                             layer->as.tiles.height + step, (int32_t)step, 1, NULL));
            } else if (own == TM_KIND_QUAD_LAYER) {
                change_bytes(other, layer->as.quads.quads, step);
            } else if (own == TM_KIND_SOUND_LAYER) {
                change_bytes(other, layer->as.sounds.sources, step);
            }
        }
    }
    if (step % 2)
        must(tm_map_insert_setting(other, 0, "sv_deepfly 0", NULL));
    must(tm_map_verify(other, NULL));
    return other;
}

enum { SEEDS = 8 };
static tm_buffer seeds[SEEDS];
static tm_map *maps[SEEDS][2];

static void make_seeds(void)
{
    for (unsigned i = 0; i < SEEDS; i++) {
        tm_map *full_map = test_map_everything(i % 4 == 3 ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET);
        tm_map *other =
            i < 5   ? changed(full_map, i)
            : i < 7 ? test_map_new()
                    : test_edited(full_map,
                                  "add group More\nadd layer More tiles 3x4\nfill More/0 9\nremove 1/0");
        const tm_output output = tm_output_to_buffer(&seeds[i]);
        maps[i][0] = i == 6 ? other : full_map;
        maps[i][1] = i == 6 ? full_map : other;
        tm_patch *patch = test_patch_between(maps[i][0], maps[i][1]);
        must(tm_patch_write(patch, &output, NULL));
        tm_patch_free(patch);
    }
}

static void drop_seeds(void)
{
    for (unsigned i = 0; i < SEEDS; i++) {
        tm_buffer_release(&seeds[i]);
        for (int side = 0; side < 2; side++)
            tm_map_free(maps[i][side]);
    }
}

/* ------------------------------------------------------------------------------------------------- the mutants */

/* A word of JSON: a text with its quotes, a number, null, true, false; or a bracket, a comma, a colon. */
typedef struct token {
    size_t at, size;
} token;

static token *tokens_of(const tm_buffer *text, size_t *num)
{
    token *tokens = malloc((text->size + 1) * sizeof(*tokens));
    const char *bytes = (const char *)text->bytes;
    *num = 0;
    for (size_t i = 0, end; i < text->size; i = end) {
        end = i + 1;
        if (bytes[i] == '"') {
            while (end < text->size && bytes[end] != '"')
                end += bytes[end] == '\\' ? 2 : 1;
            end++;
        } else if (!strchr("[]{},:\n ", bytes[i])) {
            while (end < text->size && !strchr("[]{},:\n ", bytes[end]))
                end++;
        }
        if (!strchr("\n ", bytes[i]))
            tokens[(*num)++] = (token){i, end - i};
    }
    return tokens;
}

/* What a token is: tokens of one kind take each other's place. */
static char kind_of_token(const tm_buffer *text, token chosen)
{
    const char first = (char)text->bytes[chosen.at];
    return first == '"'                                     ? 's'
           : first == '-' || (first >= '0' && first <= '9') ? 'n'
           : first >= 'a'                                   ? 'w'
                                                            : '.';
}

/* Puts another word in the place of one; false: this one does not change. */
static bool mutate(tm_buffer *text, uint32_t seed)
{
    static const char *const numbers[] = {"0", "1",  "-1",  "2",     "3",          "4",
                                          "6", "16", "255", "65536", "2147483647", "-2147483648"};
    static const char *const words[] = {
        "\"tele\"",   "\"speedup\"", "\"switch\"", "\"tune\"",   "\"tiles\"",    "\"quads\"",  "\"game\"",
        "\"sounds\"", "\"front\"",   "\"00\"",     "\"0000\"",   "\"00000000\"", "\"compat\"", "\"\"",
        "\"layers\"", "\"images\"",  "\"grid\"",   "\"object\"", "\"element\"",  "\"data\""};
    static const char *const values[] = {"null", "true", "false"};
    size_t num;
    FREED token *tokens = tokens_of(text, &num);
    const token chosen = tokens[test_noise(seed) % num];
    const char kind = kind_of_token(text, chosen);
    const uint32_t choice = test_noise(seed + 1);
    token other = tokens[test_noise(seed + 2) % num];
    char word[2000];
    if (kind == '.')
        return false;
    for (size_t i = 0; i < num && kind_of_token(text, other) != kind; i++)
        other = tokens[(test_noise(seed + 2) + i) % num];
    if (choice % 3) /* one of the same patch fits most often */
        snprintf(word, sizeof(word), "%.*s", (int)other.size, (const char *)text->bytes + other.at);
    else if (kind == 'n')
        snprintf(word, sizeof(word), "%s", numbers[choice / 3 % (sizeof(numbers) / sizeof(*numbers))]);
    else if (kind == 's')
        snprintf(word, sizeof(word), "%s", words[choice / 3 % (sizeof(words) / sizeof(*words))]);
    else
        snprintf(word, sizeof(word), "%s", values[choice / 3 % 3]);
    tm_buffer fresh = {0};
    const tm_output output = tm_output_to_buffer(&fresh);
    must(output.write(output.ctx, text->bytes, chosen.at, NULL));
    must(output.write(output.ctx, word, strlen(word), NULL));
    must(output.write(output.ctx, text->bytes + chosen.at + chosen.size, text->size - chosen.at - chosen.size,
                      NULL));
    tm_buffer_release(text);
    *text = fresh;
    return true;
}

/* All together hold a few MB, so a mutant that claims much is refused and not tried. */
static const tm_limits limits = {.size = sizeof(tm_limits), .items = 5000, .unpacked_bytes = 8 << 20};

TEST(every_function_takes_what_the_reader_takes)
{
    const char *const wanted = getenv("TEEMAP_MUTANTS");
    const uint32_t most = wanted ? (uint32_t)atoi(wanted) : 800;
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    uint32_t num = 0, accepted = 0;
    options.limits = &limits;
    for (uint32_t i = 0; num < most; i++) {
        const unsigned seed = i % SEEDS;
        tm_buffer text = {0};
        const tm_output output = tm_output_to_buffer(&text);
        tm_patch *patch;
        tm_error error;
        must(output.write(output.ctx, seeds[seed].bytes, seeds[seed].size, NULL));
        bool differs = false;
        for (uint32_t k = 0; k <= i / SEEDS % 3; k++)
            differs = mutate(&text, i * 16 + k * 4) || differs;
        num += differs;
        if (differs && tm_patch_read(&patch, text.bytes, text.size, &options, &error) == TM_OK) {
            use_patch(patch, &options, maps[seed][0], maps[seed][1]);
            tm_patch_free(patch);
            accepted++;
        }
        tm_buffer_release(&text);
    }
    print_message("%u of %u mutants are patches\n", (unsigned)accepted, (unsigned)num);
    assert_true(accepted > most / 10);
}

/* --------------------------------------------------------------------------------------------- every function */

static void check_uses(void *ctx, const char *path, const char *text)
{
    static const char *const makers[] = {"tm_patch_make", "tm_patch_free", "tm_patch_read"};
    const char *const uses = ctx;
    for (const char *declaration = text; (declaration = strstr(declaration, "TM_API ")); declaration++) {
        char words[1000], name[100] = "";
        const char *const end = strchr(declaration, ';');
        snprintf(words, sizeof(words), "%.*s", (int)(end - declaration), declaration);
        char *const open = strchr(words, '(');
        if (!open || !strstr(open, "tm_patch *"))
            continue;
        char *first = open;
        while (first > words &&
               (first[-1] == '_' || (first[-1] >= '0' && first[-1] <= '9') || first[-1] >= 'a'))
            first--;
        snprintf(name, sizeof(name), "%.*s", (int)(open - first), first);
        bool known = false;
        for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++)
            known = known || strcmp(name, makers[i]) == 0;
        snprintf(words, sizeof(words), "%s(", name);
        if (!known && !strstr(uses, words))
            fail_msg("%s: %s takes a patch, and fuzz/use_patch.h does not call it", path, name);
    }
}

TEST(no_function_is_forgotten)
{
    static char uses[64 * 1024];
    char path[1000];
    const char *const source = getenv("TEEMAP_SOURCE");
    if (!source)
        skip();
    snprintf(path, sizeof(path), "%s/fuzz/use_patch.h", source);
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    uses[fread(uses, 1, sizeof(uses) - 1, file)] = 0;
    fclose(file);
    test_each_header(check_uses, uses);
}

TEST_GROUP(make_seeds, drop_seeds)
