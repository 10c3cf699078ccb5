/* SPDX-License-Identifier: Zlib */
/*
 * Files of a map that people, tools and accidents had in their hands: everything that is wrong is told with its place, and neither a
 * full memory nor cut files do any harm.
 */
#include "support/lib_mapdir.h"
#include "base/base.h"

static char *text_of(const tm_memory_files *files, const char *name)
{
    const tm_memory_file *file = tm_memory_files_find(files, name);
    if (!file)
        fail_msg("there is no file %s", name);
    char *text = malloc(file->size + 1);
    assert_non_null(text);
    memcpy(text, file->bytes, file->size);
    text[file->size] = '\0';
    return text;
}

/* Puts `by` in place of the first `old` of a file. */
static void test_mapdir_change(tm_memory_files *files, const char *name, const char *old, const char *change)
{
    char *text = text_of(files, name), *cursor = strstr(text, old);
    if (!cursor)
        fail_msg("'%s' is not in %s:\n%s", old, name, text);
    const size_t size = strlen(text) + strlen(change) + 1;
    FREED char *changed = malloc(size);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)(cursor - text), text, change, cursor + strlen(old));
    must(tm_memory_files_add(files, name, changed, strlen(changed), NULL));
    free(text);
}

static bool told(const tm_findings *findings, tm_finding_id id, const char *place, const char *text)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id && strcmp(findings->list[i].place, place) == 0 &&
            strstr(findings->list[i].text, text))
            return true;
    return false;
}

TEST(faults_are_told_with_their_places)
{
    static const struct {
        const char *file, *old, *change;
        tm_finding_id id;
        const char *place, *text;
    } faults[] = {
        {"map.json", "\"ddnet\"", "\"quake\"", TM_FINDING_FOLDER_VALUE, "map.json:3:11", "ddnet"},
        {"images.txt", "image\n", "image\n../x\n", TM_FINDING_FOLDER_NAME, "images.txt:2:1", "../x"},
        {"envelopes.txt", "envelope\n", "envelope\nenvelope\n", TM_FINDING_FOLDER_NAME, "envelopes.txt:3:1",
         "line 2"},
        {"sounds.txt", "sound\n", "sound\nlost\n", TM_FINDING_FOLDER_MISSING, "sounds/lost.json", "missing"},
        {"envelopes.txt", "envelope\n", "wave.json\nenvelope\n", TM_FINDING_FOLDER_MISSING,
         "envelopes/wave.json.json", "without '.json'"},
        {"groups/group.json", "\"x\": 0", "\"x\": \"far\"", TM_FINDING_FOLDER_VALUE, "groups/group.json:3:19",
         "a whole number"},
        {"groups/group-2.json", "\"name\": \"\",", "\"name\": \"\"", TM_FINDING_FOLDER_TEXT,
         "groups/group-2.json:3:3", "comma"},
        {"groups/group/Game.json", "0*7", "0*8", TM_FINDING_FOLDER_VALUE, "groups/group/Game.json:13:5",
         "8 tiles"},
        {"groups/group/tiles.json", "0*7\",\n", "0*6 12q\",\n", TM_FINDING_FOLDER_VALUE,
         "groups/group/tiles.json:13:12", "letter"},
        {"groups/group/Front.json", "    \"0*7\",\n", "", TM_FINDING_FOLDER_VALUE,
         "groups/group/Front.json:18:3", "4 rows"},
        {"groups/group/Tele.json", "0*7", "0*6 300/1", TM_FINDING_FOLDER_VALUE,
         "groups/group/Tele.json:14:10", "0 to 255 fit"},
        {"groups/group-2/quads.json", "\"#ffffffff\"", "\"red\"", TM_FINDING_FOLDER_VALUE,
         "groups/group-2/quads.json:7:102", "#rrggbb"},
        {"images/image.json", "image.png", "../../passwd", TM_FINDING_FOLDER_MISSING, "images/../../passwd",
         "missing"},
    };
    tm_map *map = test_mapdir_map(), *read;
    OWN(tm_memory_files) files = {0};
    OWN(tm_findings) findings = test_findings();
    tm_error error;
    test_mapdir_write(&files, map);
    const size_t num = sizeof(faults) / sizeof(*faults);
    for (size_t i = 0; i < num; i++)
        test_mapdir_change(&files, faults[i].file, faults[i].old, faults[i].change);
    assert_int_equal(test_mapdir_read(&read, &files, &findings, &error), TM_ERROR_DAMAGED);
    assert_null(read);
    for (size_t i = 0; i < num; i++) {
        if (!told(&findings, faults[i].id, faults[i].place, faults[i].text)) {
            test_print_findings(&findings);
            fail_msg("not told: %s: %s", faults[i].place, faults[i].text);
        }
    }
    assert_true(findings.errors >= num);
    assert_true(error.place[0] && error.text[0]);
    tm_map_free(map);
}

/* What is said of the map's folder, which cannot be read when one text of a file is replaced. */
static void read_changed(tm_findings *findings, const tm_map *map, const char *file, const char *old,
                         const char *change)
{
    tm_map *read;
    OWN(tm_memory_files) files = {0};
    tm_findings_init(findings, 0, NULL);
    test_mapdir_write(&files, map);
    test_mapdir_change(&files, file, old, change);
    assert_int_equal(test_mapdir_read(&read, &files, findings, NULL), TM_ERROR_DAMAGED);
    assert_null(read);
}

/* A number was taken for a game that there is not, and the whole map refused without a place. */
TEST(a_game_that_is_none_is_told_at_its_place)
{
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_findings) findings;
    read_changed(&findings, map, "map.json", "\"ddnet\"", "\"6\"");
    assert_true(told(&findings, TM_FINDING_FOLDER_VALUE, "map.json:3:11", "the games accept ddnet"));
}

/* A size that is none was told twice, and with it each row; a fault of the text brought a missing size. */
TEST(a_fault_in_the_head_of_a_layer_is_told_once)
{
    static const struct {
        const char *old, *change, *place;
        tm_finding_id id;
    } faults[] = {{"\"width\": 7", "\"width\": -7", "groups/group/Game.json:5:12", TM_FINDING_FOLDER_VALUE},
                  {"\"width\": 7,", "\"width\": 7", "groups/group/Game.json:6:3", TM_FINDING_FOLDER_TEXT},
                  {"\"game\"", "\"Game\"", "groups/group/Game.json:2:11", TM_FINDING_FOLDER_VALUE}};
    OWN(tm_map) *map = test_mapdir_map();
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        OWN(tm_findings) findings;
        read_changed(&findings, map, "groups/group/Game.json", faults[i].old, faults[i].change);
        assert_true(told(&findings, faults[i].id, faults[i].place, ""));
        assert_int_equal(findings.errors, 1);
    }
}

/* What stood behind the end of such a word was read: the sanitizers told. */
TEST(a_word_shorter_than_its_kind_is_no_reference)
{
    static const char *const words[] = {"true", "\"i\"", "\"\"", "7", "\"image\"", "\"image/\""};
    OWN(tm_map) *map = test_mapdir_map();
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        OWN(tm_findings) findings;
        char by[40];
        snprintf(by, sizeof(by), "\"image\": %s, \"was\": ", words[i]);
        read_changed(&findings, map, "groups/group/tiles.json", "\"image\": ", by);
        assert_int_equal(findings.errors, 1);
        assert_true(told(&findings, TM_FINDING_FOLDER_VALUE, findings.list[0].place, "a name of images.txt"));
    }
}

/* Each was told as something else, or, a member that stood there twice, not at all. */
TEST(what_editors_and_people_write_is_told_for_what_it_is)
{
    static const struct {
        const char *file, *old, *change, *place, *text;
    } faults[] = {
        {"groups/group/Game.json", "{", "{ // the race", "groups/group/Game.json:1:3", "no comments"},
        {"groups/group/Game.json", "{", "# the race\n{", "groups/group/Game.json:1:1", "no comments"},
        {"groups/group/Game.json", "\"game\"", "\"game\" /* */", "groups/group/Game.json:2:18",
         "no comments"},
        {"groups/group/Game.json", "\"game\",", "\"game\", // x", "groups/group/Game.json:2:19",
         "no comments"},
        {"groups/group/Game.json", "\"width\": 7", "\"width\": 8, \"width\": 7",
         "groups/group/Game.json:5:15", "already"},
        {"groups/group.json", "{", "{\"note\": {\"a\": 1, \"b\": 2, \"a\": 3},", "groups/group.json:1:27",
         "already"},
        {"groups/group/Game.json", "0*7", "-50 0*6", "groups/group/Game.json:13:6",
         "index is -50, and 0 to 255 fit"},
        {"groups/group/tiles.json", "0*7", "0*6 12q", "groups/group/tiles.json:13:12",
         "'q'; it is one of x y o r"},
        {"info.json", "{", "{\"author\": -50", "info.json:1:12", "a text in quotes for author"},
        {"groups.txt", "group", "\xff\xfeg", "groups.txt:1:1", "UTF-16"},
        {"groups/group.json", "{", "\xfe\xff{", "groups/group.json:1:1", "UTF-16"},
    };
    OWN(tm_map) *map = test_mapdir_map();
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        OWN(tm_findings) findings;
        read_changed(&findings, map, faults[i].file, faults[i].old, faults[i].change);
        if (!told(&findings, TM_FINDING_FOLDER_TEXT, faults[i].place, faults[i].text) &&
            !told(&findings, TM_FINDING_FOLDER_VALUE, faults[i].place, faults[i].text)) {
            test_print_findings(&findings);
            fail_msg("not told: %s: %s", faults[i].place, faults[i].text);
        }
    }
}

TEST(what_is_not_known_is_told_and_left)
{
    OWN(tm_map) *map = test_mapdir_map(), *read;
    OWN(tm_memory_files) files = {0};
    OWN(tm_findings) findings = test_findings();
    test_mapdir_write(&files, map);
    test_mapdir_change(&files, "groups/group.json", "{", "{\"note\": {\"by\": [\"me\", {}]}, ");
    test_mapdir_change(&files, "groups/group/Game.json", "{", "{ \"comment\": \"hard part\",");
    must(tm_memory_files_add(&files, "images/forgotten.png", "x", 1, NULL));
    must(tm_memory_files_add(&files, "README.md", "x", 1, NULL));
    must(test_mapdir_read(&read, &files, &findings, NULL));
    assert_true(told(&findings, TM_FINDING_FOLDER_UNUSED, "groups/group.json:1:2", "note"));
    assert_true(told(&findings, TM_FINDING_FOLDER_UNUSED, "groups/group/Game.json:1:3", "comment"));
    assert_true(told(&findings, TM_FINDING_FOLDER_UNUSED, "images/forgotten.png", "no list"));
    assert_int_equal(findings.num, 3);
    assert_true(test_map_same(map, read));
}

/* ------------------------------------------------------------------------------------------------------ hands and tools */

static bool is_text(const char *name)
{
    return strstr(name, ".json") || strstr(name, ".txt");
}

TEST(windows_may_have_had_it)
{
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) files = {0}, changed = {0};
    test_mapdir_write(&files, map);
    for (uint32_t i = 0; i < files.num; i++) {
        OWN(tm_buffer) text = {0};
        const tm_output output = tm_output_to_buffer(&text);
        const char *source = files.list[i].bytes;
        output.write(output.ctx, "\xef\xbb\xbf", is_text(files.list[i].name) ? 3 : 0, NULL);
        for (size_t k = 0; k < files.list[i].size; k++) {
            output.write(output.ctx, "\r", source[k] == '\n' && is_text(files.list[i].name) ? 1 : 0, NULL);
            output.write(output.ctx, source + k, 1, NULL);
        }
        must(tm_memory_files_add(&changed, files.list[i].name, text.bytes, text.size, NULL));
    }
    test_mapdir_check(map, &changed);
}

/* Members in another order, as tools write them that sort: tiles before the size, points before the kind. */
TEST(members_come_in_any_order)
{
    static const char layer[] =
        "{\"tiles\": [\"1*3\", \"1 2xyor 3/1\"], \"width\": 3, \"height\": 2, \"kind\": \"tele\"}";
    static const char one[] =
        "{\"tiles\": [\"1*3\", \"1 2xyor 3\"], \"width\": 3, \"height\": 2, \"kind\": \"game\"}";
    tm_map *map = test_mapdir_map(), *read;
    OWN(tm_memory_files) files = {0};
    const tm_tile *tiles;
    tm_grid grid;
    OWN(tm_findings) findings = test_findings();
    test_mapdir_write(&files, map);
    must(tm_memory_files_add(&files, "groups/group/Game.json", one, strlen(one), NULL));
    must(test_mapdir_read(&read, &files, NULL, NULL));
    must(tm_map_tiles(&grid, read, &read->groups[0].layers[0], NULL));
    assert_true(grid.width == 3 && grid.height == 2);
    tiles = grid.tiles;
    assert_int_equal(tiles[4].index, 2);
    assert_int_equal(tiles[4].flags, 15);
    tm_map_free(read);
    must(tm_memory_files_add(&files, "groups/group/Game.json", layer, strlen(layer), NULL));
    assert_int_equal(test_mapdir_read(&read, &files, &findings, NULL), TM_ERROR_DAMAGED);
    assert_true(told(&findings, TM_FINDING_FOLDER_VALUE, "groups/group/Game.json:1:23", "slash"));
    tm_map_free(map);
}

/*
 * A layer that gave itself a second kind far behind the first lost its tiles, and those of other kinds were
 * read for them. Names that stand twice are told, but only of the first members of an object.
 */
TEST(the_first_kind_and_size_hold)
{
    static const char layer[] =
        "\"kind\": \"game\", \"width\": 3, \"height\": 2, \"tiles\": [\"1*3\", \"1*3\"]";
    static const char again[] = ", \"kind\": \"quads\", \"width\": 900, \"height\": 900}";
    OWN(tm_map) *map = test_mapdir_map(), *read;
    OWN(tm_memory_files) files = {0};
    tm_grid grid;
    char text[4096];
    size_t size = (size_t)snprintf(text, sizeof(text), "{");
    for (int i = 0; i < 100; i++)
        size += (size_t)snprintf(text + size, sizeof(text) - size, "\"unknown%d\": 1, ", i);
    snprintf(text + size, sizeof(text) - size, "%s%s", layer, again);
    test_mapdir_write(&files, map);
    must(tm_memory_files_add(&files, "groups/group/Game.json", text, strlen(text), NULL));
    must(test_mapdir_read(&read, &files, NULL, NULL));
    assert_int_equal(read->groups[0].layers[0].kind, TM_LAYER_GAME);
    must(tm_map_tiles(&grid, read, &read->groups[0].layers[0], NULL));
    assert_true(grid.width == 3 && grid.height == 2);
}

TEST(a_picture_may_be_replaced)
{
    static const uint8_t pixels[2 * 5 * 4] = {1, 2, 3, 4};
    OWN(tm_map) *map = test_mapdir_map(), *read;
    OWN(tm_memory_files) files = {0};
    OWN(tm_buffer) png = {0};
    const tm_output output = tm_output_to_buffer(&png);
    OWN(tm_findings) findings = test_findings();
    test_mapdir_write(&files, map);
    must(tm_png_write(&output, pixels, 2, 5, NULL, NULL));
    must(tm_memory_files_add(&files, "images/image.png", png.bytes, png.size, NULL));
    must(test_mapdir_read(&read, &files, &findings, NULL));
    assert_true(told(&findings, TM_FINDING_FOLDER_ADJUSTED, "images/image.png", "2 x 5"));
    assert_true(read->images[0].width == 2 && read->images[0].height == 5);
}

/* Each text file cut at every length: fine or damaged, never anything else, and always with a word. */
TEST(cut_files_do_no_harm)
{
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    for (uint32_t i = 0; i < files.num; i++) {
        const size_t whole = files.list[i].size, step = whole > 2000 ? 7 : 1;
        for (size_t size = 0; size < whole; size += step) {
            tm_error error = {0};
            OWN(tm_map) *read;
            files.list[i].size = size;
            const tm_status status = test_mapdir_read(&read, &files, NULL, &error);
            if (status != TM_OK && (status != TM_ERROR_DAMAGED || !error.text[0]))
                fail_msg("%s cut to %zu: %s: %s", files.list[i].name, size, tm_status_name(status),
                         error.text);
        }
        files.list[i].size = whole;
    }
}

/* Without memory for the files. */
static void failures_while_writing(const tm_map *map, const tm_files_in *before)
{
    tm_mapdir_write_options options = {.size = sizeof(options), .before = before};
    EACH_FAILURE(memory) {
        memory.fail_after = true; /* one more try with less must not help */
        tm_memory_files second = {.allocator = &memory.allocator};
        const tm_files_out out = tm_memory_files_out(&second);
        const tm_status status = tm_mapdir_write(map, &out, &options, NULL, NULL);
        tm_memory_files_release(&second);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

/* Names of before are recalled for groups and layers of an equal name: the map's own memory fails there. */
TEST(a_failure_while_names_are_recalled_is_told)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    OWN(tm_map) *made = test_mapdir_map(), *map;
    OWN(tm_memory_files) files = {0};
    tm_memory_files plain = {0};
    test_mapdir_write(&files, made);
    const tm_files_in folder = tm_memory_files_in(&files);
    const tm_mapdir_read_options options = {sizeof(options), NULL, &memory.allocator};
    must(tm_mapdir_read(&map, NULL, &folder, &options, NULL, NULL, NULL));
    tm_mapdir_write_options write_options = {.size = sizeof(write_options), .before = &folder};
    const size_t held = memory.num_blocks;
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        const tm_files_out out = tm_memory_files_out(&plain);
        tm_error error = {0};
        memory.num_requests = 0;
        memory.failed = false;
        memory.fail_at = n;
        memory.fail_after = true;
        const tm_status status = tm_mapdir_write(map, &out, &write_options, NULL, &error);
        failed = memory.failed;
        memory.fail_at = 0;
        assert_int_equal(memory.num_blocks, held);
        assert_int_equal(status, failed ? TM_ERROR_MEMORY : TM_OK);
        if (!failed)
            for (uint32_t i = 0; i < files.num; i++)
                assert_non_null(tm_memory_files_find(&plain, files.list[i].name));
        tm_memory_files_release(&plain);
        plain = (tm_memory_files){0};
    }
    assert_true(n > 20);
}

TEST(every_failure_of_memory_is_told)
{
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    const tm_files_in folder = tm_memory_files_in(&files);
    for (size_t n = 1;; n += n < 200 ? 1 : 13) {
        struct test_memory memory = TEST_MEMORY(memory);
        tm_map *read;
        tm_error error = {0};
        memory.fail_at = n;
        memory.fail_after = true; /* one more try with less must not help */
        const tm_mapdir_read_options options = {sizeof(options), NULL, &memory.allocator};
        const tm_status status = tm_mapdir_read(&read, NULL, &folder, &options, NULL, NULL, &error);
        tm_map_free(read);
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
        if (status != TM_ERROR_MEMORY)
            fail_msg("request %zu: %s: %s", n, tm_status_name(status), error.text);
    }
    failures_while_writing(map, NULL);
}

/* A few bytes that stand for gigabytes meet the limits. */
TEST(small_files_do_not_become_large)
{
    static const char *const layers[] = {
        "{\"kind\": \"game\", \"width\": 40000, \"height\": 40000, \"tiles\": []}",
        "{\"kind\": \"game\", \"width\": 2000000000, \"height\": 1, \"tiles\": [\"0*2000000000\"]}",
        "{\"kind\": \"game\", \"width\": 5, \"height\": 1, \"tiles\": [\"0*2000000000 0*2000000000\"]}",
        "{\"kind\": \"game\", \"width\": 70000, \"height\": 70000, \"tiles\": [\"0\"]}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    };
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        tm_map *read;
        const tm_limits limits = {.size = sizeof(limits), .block_bytes = 1 << 20};
        const tm_mapdir_read_options options = {sizeof(options), &limits, &memory.allocator};
        must(tm_memory_files_add(&files, "groups/group/Game.json", layers[i], strlen(layers[i]), NULL));
        const tm_files_in folder = tm_memory_files_in(&files);
        const tm_status status = tm_mapdir_read(&read, NULL, &folder, &options, NULL, NULL, NULL);
        assert_true(status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT);
        assert_true(memory.most_bytes < 3 << 20);
    }
}

TEST(names_of_files_are_judged)
{
    static const char *const good[] = {"a", "a/b.c", "..a", "a..", ".hidden", "a b"};
    static const char *const bad[] = {"",   "/",    "/a",     "a/",   "a//b", ".",
                                      "..", "../a", "a/../b", "a\\b", "a\n",  "a/."};
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        assert_true(tmi_file_name_valid(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        tm_memory_files files = {0};
        assert_false(tmi_file_name_valid(bad[i]));
        assert_int_equal(tm_memory_files_add(&files, bad[i], "x", 1, NULL), TM_ERROR_USAGE);
    }
    assert_false(tm_mapdir_is_own("README.md"));
    assert_false(tm_mapdir_is_own("images/x.xcf"));
    assert_true(tm_mapdir_is_own("images/x.png"));
}

/* The object that cat shows is the one in the folder. */
TEST(one_object_is_as_in_its_file)
{
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    const struct {
        tm_address address;
        const char *file;
    } rows[] = {{{TM_KIND_IMAGE, 1, 0}, "images/image-2.json"},
                {{TM_KIND_SOUND, 1, 0}, "sounds/sound-2.json"},
                {{TM_KIND_ENVELOPE, 0, 0}, "envelopes/envelope.json"},
                {{TM_KIND_GROUP, 1, 0}, "groups/group-2.json"},
                {{TM_KIND_LAYER, 0, 3}, "groups/group/Speedup.json"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_buffer) bytes = {0};
        const tm_output output = tm_output_to_buffer(&bytes);
        const tm_memory_file *file = tm_memory_files_find(&files, rows[i].file);
        assert_non_null(file);
        must(tm_mapdir_write_object(map, &rows[i].address, &output, NULL));
        assert_int_equal(bytes.size, file->size);
        assert_memory_equal(bytes.bytes, file->bytes, file->size);
    }
}
