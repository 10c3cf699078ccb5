/* SPDX-License-Identifier: Zlib */
/*
 * MapDir, twmap's folder: each member is read, and what is wrong is reported with its place.
 */
#include "support/test.h"

static tm_status read_twmap(tm_map **out, tm_memory_files *files, tm_findings *findings)
{
    const tm_files_in folder = tm_memory_files_in(files);
    tm_error error = {0};
    const tm_status status = tm_mapdir_read(out, NULL, &folder, NULL, NULL, findings, &error);
    if (status && status != TM_ERROR_DAMAGED)
        print_error("%s: %s\n", error.place, error.text);
    return status;
}

static void add_file(tm_memory_files *files, const char *name, const char *text)
{
    must(tm_memory_files_add(files, name, text, strlen(text), NULL));
}

static bool tells(const tm_findings *findings, tm_finding_id id, const char *place, const char *text)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id && strncmp(findings->list[i].place, place, strlen(place)) == 0 &&
            strstr(findings->list[i].text, text))
            return true;
    test_print_findings(findings);
    return false;
}

static const char version_text[] = "{\"type\": \"ddnet06\", \"created_by\": \"hand\"}";
static const char group_text[] =
    "{\"name\": \"Main\", \"offset\": {\"x\": \"21.12\", \"y\": \"-0.16\"}, \"parallax\": {\"x\": 50, \"y\": -3}, "
    "\"clipping\": true, \"clip\": {\"x\": \"1\", \"y\": \"0.5\", \"w\": \"10\", \"h\": \"2.25\"}}";
static const char tiles_text[] =
    "{\"type\": \"tiles\", \"name\": \"deco\", \"detail\": true, \"color\": {\"r\": 1, \"g\": 2, \"b\": 3, \"a\": 4}, "
    "\"color_env\": \"0_glow\", \"color_env_offset\": -7, \"image\": \"0_sun\", \"tiles\": ["
    "{\"x\": 2, \"y\": 1, \"id\": 5, \"mirrored\": true, \"rotation\": 270},"
    "{\"rotation\": 180, \"id\": 6, \"mirrored\": true, \"y\": 0, \"x\": 0}], \"width\": 3, \"height\": 2, "
    "\"automapper_config\": {\"config\": 4, \"seed\": 9, \"automatic\": true}}";
static const char game_text[] = "{\"type\": \"game\", \"width\": 2, \"height\": 2, \"tiles\": []}";
static const char switch_text[] =
    "{\"type\": \"switch\", \"width\": 2, \"height\": 2, \"tiles\": [{\"x\": 1, \"y\": 1, \"number\": 7, \"id\": 22, "
    "\"mirrored\": false, \"rotation\": 90, \"delay\": 5}]}";
static const char quads_text[] =
    "{\"type\": \"quads\", \"name\": \"q\", \"detail\": false, \"quads\": [{\"corners\": [{\"x\": \"0.03125\", \"y\": \"0\"}, "
    "{\"x\": \"1\", \"y\": \"0\"}, {\"x\": \"0\", \"y\": \"1\"}, {\"x\": \"1\", \"y\": \"-1.00003\"}], \"position\": {\"x\": \"2\", "
    "\"y\": \"3\"}, \"colors\": [{\"r\": 1, \"g\": 2, \"b\": 3, \"a\": 4}, {\"r\": 5, \"g\": 6, \"b\": 7, \"a\": 8}, {\"r\": 9, "
    "\"g\": 10, \"b\": 11, \"a\": 12}, {\"r\": 13, \"g\": 14, \"b\": 15, \"a\": 16}], \"texture_coords\": [{\"u\": \"0\", \"v\": "
    "\"0\"}, {\"u\": \"1.001\", \"v\": \"0\"}, {\"u\": \"0\", \"v\": \"1\"}, {\"u\": \"1\", \"v\": \"1\"}], \"position_env\": null, "
    "\"position_env_offset\": 0, \"color_env\": \"0_glow\", \"color_env_offset\": 3}], \"image\": null}";
static const char envelope_text[] =
    "{\"type\": \"color\", \"name\": \"glow\", \"synchronized\": true, \"points\": [{\"time\": 0, \"content\": {\"r\": \"1\", \"g\": "
    "\"0.5\", \"b\": \"0.001\", \"a\": \"-1\"}, \"type\": \"bezier\", \"handle_l\": {\"x\": {\"r\": \"0.88\", \"g\": \"0\", \"b\": \"0\", "
    "\"a\": \"0\"}, \"y\": {\"r\": \"-1.0205\", \"g\": \"0\", \"b\": \"0\", \"a\": \"0\"}}, \"handle_r\": {\"x\": {\"r\": \"0.001\", "
    "\"g\": \"0\", \"b\": \"0\", \"a\": \"0\"}, \"y\": {\"r\": \"0\", \"g\": \"0\", \"b\": \"0\", \"a\": \"2\"}}}]}";

static const char sounds_text[] =
    "{\"type\": \"sounds\", \"name\": \"hum\", \"detail\": true, \"sources\": [{\"area\": {\"type\": \"rectangle\", \"x\": \"1\", "
    "\"y\": \"-2\", \"w\": \"3\", \"h\": \"0.5\"}, \"looping\": true, \"panning\": false, \"delay\": 4, \"falloff\": 255, "
    "\"position_env\": \"1_path\", \"position_env_offset\": 5, \"sound_env\": \"2\", \"sound_env_offset\": -6}, {\"area\": "
    "{\"radius\": \"1.5\", \"center\": {\"x\": \"7\", \"y\": \"8\"}, \"type\": \"circle\"}, \"panning\": true, \"sound_env\": "
    "null}], \"sound\": \"0_wind\"}";
static const char numbered_text[] =
    "{\"type\": \"%s\", \"width\": 2, \"height\": 2, \"tiles\": [{\"x\": 1, \"y\": 0, \"number\": 9, \"id\": 26}]}";
static const char speedup_text[] =
    "{\"type\": \"speedup\", \"width\": 2, \"height\": 2, \"tiles\": [{\"x\": 0, \"y\": 1, \"force\": 3, \"max_speed\": 4, \"id\": "
    "28, \"angle\": -90}]}";

static tm_memory_files make_folder(void)
{
    char text[256];
    tm_memory_files files = {0};
    add_file(&files, "version.json", version_text);
    add_file(
        &files, "info.json",
        "{\"author\": \"me\", \"version\": \"\", \"credits\": \"\", \"license\": \"\", \"settings\": [\"sv_a 1\", \"\"]}");
    add_file(&files, "images/0_sun.json", "{\"size\": {\"w\": 256, \"h\": 128}}");
    add_file(&files, "envelopes/0_glow.json", envelope_text);
    add_file(&files, "groups/0_Main/group.json", group_text);
    add_file(&files, "groups/0_Main/layers/0_deco.json", tiles_text);
    add_file(&files, "groups/0_Main/layers/1_q.json", quads_text);
    add_file(&files, "groups/1/group.json", "{\"name\": \"\"}");
    add_file(&files, "groups/1/layers/0_Game.json", game_text);
    add_file(&files, "groups/1/layers/1_Switch.json", switch_text);
    add_file(&files, "groups/1/layers/2_Speedup.json", speedup_text);
    snprintf(text, sizeof(text), numbered_text, "tele");
    add_file(&files, "groups/1/layers/3_Tele.json", text);
    snprintf(text, sizeof(text), numbered_text, "tune");
    add_file(&files, "groups/1/layers/4_Tune.json", text);
    add_file(&files, "groups/1/layers/5_hum.json", sounds_text);
    add_file(&files, "sounds/0_wind.opus", "OggS");
    add_file(
        &files, "envelopes/1_path.json",
        "{\"type\": \"position\", \"points\": [{\"time\": 8, \"content\": {\"x\": \"-1\", \"y\": \"0.5\", \"rotation\": "
        "\"90\"}, \"type\": \"slow\"}]}");
    add_file(&files, "envelopes/2.json",
             "{\"type\": \"sound\", \"points\": [{\"time\": 9, \"content\": \"0.25\", \"type\": \"step\"}]}");
    return files;
}

static void check_physics_and_sounds(tm_map *map)
{
    const tm_group *group = &map->groups[1];
    tm_switch_tile switches[4];
    tm_speedup_tile speedups[4];
    tm_tele_tile teles[4];
    tm_tune_tile tunes[4];
    tm_sound_source sources[2];
#define READ(layer, block, to) \
    must(tm_map_read_data(map, group->layers[layer].as.block, to, sizeof(to), NULL))
    READ(1, tiles.tiles, switches);
    READ(2, tiles.tiles, speedups);
    READ(3, tiles.tiles, teles);
    READ(4, tiles.tiles, tunes);
    READ(5, sounds.sources, sources);
    assert_true(switches[3].number == 7 && switches[3].type == 22 && switches[3].flags == TM_TILE_ROTATE &&
                switches[3].delay == 5);
    assert_true(speedups[2].force == 3 && speedups[2].max_speed == 4 && speedups[2].type == 28 &&
                speedups[2].angle == -90);
    assert_true(teles[1].number == 9 && teles[1].type == 26 && tunes[1].number == 9 && tunes[1].type == 26);
    const tm_sound_source *box = &sources[0], *circle = &sources[1];
    assert_true(box->shape == TM_SHAPE_RECTANGLE && box->position.x == 32768 && box->position.y == -65536 &&
                box->width == 3 * 32768 && box->height == 16384 && box->loop && !box->pan &&
                box->delay == 4 && box->falloff == 255 && box->position_envelope == 1 &&
                box->position_offset == 5 && box->sound_envelope == 2 && box->sound_offset == -6);
    assert_true(circle->shape == TM_SHAPE_CIRCLE && circle->position.y == 8 * 32768 && circle->width == 48 &&
                circle->pan && circle->sound_envelope == TM_NONE);
    assert_true(group->layers[5].detail && group->layers[5].as.sounds.sound == 0);
    assert_string_equal(group->layers[5].name, "hum");
    assert_string_equal(map->sounds[0].name, "wind");
    const tm_envelope_point *path = &map->envelopes[1].points[0], *volume = &map->envelopes[2].points[0];
    assert_true(path->time == 8 && path->curve == TM_CURVE_SLOW && path->values[0] == -32768 &&
                path->values[1] == 16384 && path->values[2] == 90 * 1024);
    assert_true(volume->curve == TM_CURVE_STEP && volume->values[0] == 256);
}

TEST(a_folder_becomes_a_map)
{
    OWN(tm_memory_files) files = make_folder();
    OWN(tm_findings) findings = test_findings();
    OWN(tm_map) *map = NULL;
    must(read_twmap(&map, &files, &findings));
    if (findings.num)
        test_print_findings(&findings);
    assert_int_equal(findings.num, 0);
    must(tm_map_verify(map, NULL));
    assert_string_equal(map->info.author, "me");
    assert_int_equal(map->info.num_settings, 2);
    assert_string_equal(map->images[0].name, "sun");
    assert_true(map->images[0].external && map->images[0].width == 256);
    const tm_envelope_point *point = &map->envelopes[0].points[0];
    assert_true(map->envelopes[0].channels == 4 && point->curve == TM_CURVE_BEZIER);
    assert_true(point->values[1] == 512 && point->values[2] == 1 && point->out_dx[0] == 901 &&
                point->out_dy[0] == -1045 && point->in_dx[0] == 1 && point->in_dy[3] == 2048);
    const tm_group *group = &map->groups[0];
    assert_true(group->offset_x == 676 && group->offset_y == -5 && group->clip_h == 72 &&
                group->parallax_y == -3);
    const tm_layer *deco = &group->layers[0], *quads = &group->layers[1];
    tm_tile tiles[6];
    must(tm_map_read_data(map, deco->as.tiles.tiles, tiles, sizeof(tiles), NULL));
    assert_int_equal(tiles[5].flags, TM_TILE_FLIP_Y | TM_TILE_ROTATE); /* mirrored, and turned three times */
    assert_int_equal(tiles[0].flags, TM_TILE_FLIP_Y);
    assert_true(deco->detail && deco->as.tiles.image == 0 && deco->as.tiles.color_envelope == 0 &&
                deco->as.tiles.automapper.config == 4 && deco->as.tiles.automapper.automatic);
    tm_quad quad;
    must(tm_map_read_data(map, quads->as.quads.quads, &quad, sizeof(quad), NULL));
    assert_true(quad.points[0].x == 1024 && quad.points[3].y == -32769 && quad.points[4].y == 3 * 32768 &&
                quad.texture[1].x == 1025 && quad.colors[3].a == 16 && quad.position_envelope == TM_NONE &&
                quad.color_envelope == 0);
    assert_true(map->groups[1].layers[0].kind == TM_LAYER_GAME && map->groups[1].layers[1].as.tiles.compat);
    check_physics_and_sounds(map);
}

/* Of group.json of the first versions, and of files whose names say no order. */
TEST(older_folders_are_read)
{
    OWN(tm_memory_files) files = make_folder();
    OWN(tm_map) *map = NULL;
    add_file(&files, "groups/0_Main/group.json",
             "{\"name\": \"Main\", \"clipping\": true, \"clip_position\": {\"x\": \"1\", \"y\": \"2\"}, "
             "\"clip_size\": {\"w\": \"3\", \"h\": \"4\"}}");
    add_file(&files, "images/extra.json", "{}");
    must(read_twmap(&map, &files, NULL));
    assert_true(map->groups[0].clip_y == 64 && map->groups[0].clip_w == 96 && map->groups[0].clip_h == 128);
    assert_string_equal(map->images[1].name, "extra");
}

/* More than are held to tell that one stands there twice. */
#define EIGHT_MEMBERS(k) \
    "\"" k "0\":0,\"" k "1\":0,\"" k "2\":0,\"" k "3\":0,\"" k "4\":0,\"" k "5\":0,\"" k "6\":0,\"" k "7\":0,"
#define MANY_MEMBERS   \
    EIGHT_MEMBERS("a") \
    EIGHT_MEMBERS("b") \
    EIGHT_MEMBERS("c") \
    EIGHT_MEMBERS("d") EIGHT_MEMBERS("e") EIGHT_MEMBERS("f") EIGHT_MEMBERS("g") EIGHT_MEMBERS("h")

static const struct {
    const char *file, *text;
    tm_finding_id id;
    const char *place, *part;
} faults[] = {
    {"version.json", "{\"type\": \"quake\"}", TM_FINDING_FOLDER_VALUE, "version.json:1:", "ddnet06"},
    {"version.json", "{}", TM_FINDING_FOLDER_MISSING, "version.json", "'type'"},
    {"info.json", "{\"settings\": [1]}", TM_FINDING_FOLDER_VALUE, "info.json:1:", "a text"},
    {"groups/1/layers/0_Game.json", "{\"type\": \"quads\", \"quads\": [{\"corners\": [{}]}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "more elements"},
    {"groups/1/layers/0_Game.json", "{\"type\": \"quads\", \"quads\": [{\"position_env\": \"9\"}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "there is no file 'envelopes/9'"},
    {"groups/1/layers/0_Game.json", "{\"type\": \"quads\", \"image\": \"../../sun\"}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "there is no file"},
    {"groups/1/layers/0_Game.json",
     "{\"type\": \"game\", \"width\": 2, \"height\": 2, \"tiles\": [{\"x\": 2, \"y\": 0}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "from 0 to 1"},
    {"groups/1/layers/0_Game.json",
     "{\"type\": \"game\", \"width\": 2, \"height\": 2, \"tiles\": [{\"x\": 0, \"y\": 0, \"id\": 1}, {\"x\": 0, \"y\": 0, \"id\": 1}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "already"},
    {"groups/1/layers/0_Game.json",
     "{\"type\": \"game\", \"width\": 2, \"height\": 2, \"tiles\": [{\"x\": 0, \"y\": 0, \"rotation\": 45}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "90"},
    {"groups/1/layers/0_Game.json", "{\"type\": \"game\", \"width\": 2}", TM_FINDING_FOLDER_MISSING,
     "groups/1/layers/0_Game.json", "width and height"},
    {"groups/1/layers/0_Game.json", "{\"type\": \"game\", \"width\": 2000000000, \"height\": 2000000000}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json", "more than a map"},
    {"groups/1/layers/0_Game.json",
     "{" MANY_MEMBERS
     "\"type\":\"game\",\"width\":1,\"height\":1,\"width\":1000,\"height\":1000,\"tiles\":[{\"x\":500,\"y\":0,\"id\":65}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "from 0 to 0"},
    {"groups/1/layers/0_Game.json",
     "{" MANY_MEMBERS
     "\"type\":\"game\",\"width\":1,\"height\":1,\"height\":1000,\"tiles\":[{\"x\":0,\"y\":500,\"id\":65}]}",
     TM_FINDING_FOLDER_VALUE, "groups/1/layers/0_Game.json:1:", "from 0 to 0"},
    {"groups/1/layers/0_Game.json",
     "{\"type\":\"game\",\"width\":9,\"width\":1,\"height\":1,\"tiles\":[{\"x\":0,\"y\":0,\"id\":65}]}",
     TM_FINDING_FOLDER_TEXT, "groups/1/layers/0_Game.json:1:26", "a member of this name already"},
    {"groups/1/layers/0_Game.json", "{\"type\": \"lava\"}", TM_FINDING_FOLDER_VALUE,
     "groups/1/layers/0_Game.json:1:", "tiles game"},
    {"groups/0_Main/layers/0_deco.json", /* the size of other objects is not that of the grid */
     "{\"type\": \"tiles\", \"width\": 2, \"height\": 2, \"size\": {\"w\": 999}, \"tiles\": [{\"x\": 1, \"y\": 1}]}",
     TM_FINDING_FOLDER_UNUSED, "groups/0_Main/layers/0_deco.json:1:", "'size'"},
    {"groups/0_Main/layers/0_deco.json",
     "{\"type\": \"tiles\", \"width\": 2, \"height\": 2, \"area\": {\"radius\": \"999\"}}",
     TM_FINDING_FOLDER_UNUSED, "groups/0_Main/layers/0_deco.json:1:", "'area'"},
    {"groups/0_Main/group.json", "{\"offset\": {\"x\": \"1e9\"}}", TM_FINDING_FOLDER_VALUE,
     "groups/0_Main/group.json:1:", "1.5"},
    {"groups/0_Main/group.json", "{\"parallax\": [1, 2]}", TM_FINDING_FOLDER_VALUE,
     "groups/0_Main/group.json:1:", "{ ... }"},
    {"groups/0_Main/group.json", "{\"offset.x\": \"1\"}", TM_FINDING_FOLDER_UNUSED,
     "groups/0_Main/group.json:1:", "offset.x"},
    {"envelopes/0_glow.json", "{\"points\": []}", TM_FINDING_FOLDER_MISSING, "envelopes/0_glow.json", "type"},
    {"envelopes/0_glow.json", "{\"type\": \"color\", \"points\": [{\"type\": \"wavy\"}]}",
     TM_FINDING_FOLDER_VALUE, "envelopes/0_glow.json:1:", "step linear"},
    {"images/0_sun.png", "no picture", TM_FINDING_FOLDER_VALUE, "images/0_sun.png", "cannot be read"},
};

TEST(what_is_wrong_is_told_with_its_place)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        OWN(tm_memory_files) files = make_folder();
        OWN(tm_findings) findings = test_findings();
        OWN(tm_map) *map = NULL;
        add_file(&files, faults[i].file, faults[i].text);
        const tm_status status = read_twmap(&map, &files, &findings);
        assert_int_equal(status, faults[i].id == TM_FINDING_FOLDER_UNUSED ? TM_OK : TM_ERROR_DAMAGED);
        assert_true(tells(&findings, faults[i].id, faults[i].place, faults[i].part));
    }
}

/* Names as long as file systems have them lead to their files; longer ones are refused, and none is cut. */
TEST(names_may_be_as_long_as_file_systems_have_them)
{
    for (int letters = 230; letters <= 256; letters++) {
        OWN(tm_memory_files) files = make_folder();
        OWN(tm_map) *map = NULL;
        char name[257], path[600];
        memset(name, 'x', (size_t)letters);
        name[letters] = '\0';
        snprintf(path, sizeof(path), "groups/%s/group.json", name);
        add_file(&files, path, group_text);
        snprintf(path, sizeof(path), "groups/%s/layers/%s.json", name, name);
        add_file(&files, path, game_text);
        snprintf(path, sizeof(path), "envelopes/%s.json", name);
        add_file(&files, path, envelope_text);
        snprintf(path, sizeof(path), "images/%s.json", name);
        add_file(&files, path, "{\"size\": {\"w\": 64, \"h\": 32}}");
        snprintf(path, sizeof(path), "sounds/%s.opus", name);
        add_file(&files, path, "raw");
        const tm_files_in folder = tm_memory_files_in(&files);
        const tm_status status = tm_mapdir_read(&map, NULL, &folder, NULL, NULL, NULL, NULL);
        assert_int_equal(status, letters < 256 ? TM_OK : TM_ERROR_LIMIT);
        if (map) {
            assert_int_equal(map->num_groups, 3);
            assert_string_equal(map->groups[2].name, "Main");
            assert_int_equal(map->groups[2].num_layers, 1);
            assert_int_equal(map->groups[2].layers[0].kind, TM_LAYER_GAME);
            assert_true(map->images[1].width == 64 && map->envelopes[1].num_points == 1 &&
                        map->sounds[0].data);
        }
    }
}

/* Every byte of a layer and a group, cut there and changed: told or read, and never more. */
TEST(damaged_files_do_no_harm)
{
    static const char *const names[] = {"groups/0_Main/layers/0_deco.json", "groups/0_Main/layers/1_q.json",
                                        "envelopes/0_glow.json", "groups/0_Main/group.json"};
    for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
        OWN(tm_memory_files) files = make_folder();
        const tm_memory_file file = *tm_memory_files_find(&files, names[n]);
        char text[2048];
        const size_t size = file.size;
        memcpy(text, file.bytes, size);
        for (size_t at = 0; at < size; at += 3) {
            OWN(tm_map) *map = NULL;
            text[at] ^= 9;
            must(tm_memory_files_add(&files, names[n], text, at % 2 ? at : size, NULL));
            const tm_status status = read_twmap(&map, &files, NULL);
            assert_true(status == TM_OK || status == TM_ERROR_DAMAGED);
            assert_true(status != TM_OK || tm_map_verify(map, NULL) == TM_OK);
            text[at] ^= 9;
        }
    }
}

TEST(failing_memory_ends_reading)
{
    OWN(tm_memory_files) files = make_folder();
    EACH_FAILURE(memory) {
        const tm_files_in folder = tm_memory_files_in(&files);
        tm_map *map = NULL;
        memory.fail_after = true;
        const tm_mapdir_read_options options = {sizeof(options), NULL, &memory.allocator};
        const tm_status status = tm_mapdir_read(&map, NULL, &folder, &options, NULL, NULL, NULL);
        tm_map_free(map);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}
