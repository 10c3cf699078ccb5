/* SPDX-License-Identifier: Zlib */
/*
 * Makes maps through the public headers for tests that show them to the real games:
 *
 *   mapmaker build GAME OUT    a map with one object of every kind that GAME (ddnet, 0.6, 0.7) knows
 *   mapmaker plain GAME OUT    the same without bezier curves, which DDNet's tools before 17.2 break on
 *   mapmaker change IN OUT     a map that was loaded, with one change of each kind that a server sees or must skip
 *
 * Exit status 0, or 2 with a line that says what failed.
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 40, TILE_SOLID = 1, TILE_SPAWN = 192 };

static _Noreturn void fail(const char *what, const tm_error *error)
{
    fprintf(stderr, "mapmaker: %s: %s: %s\n", what, error->place, error->text);
    exit(2);
}

/* Each step that can fail goes through here, so that the steps read one below the other. */
static void must(const char *what, tm_status status, const tm_error *error)
{
    if (status != TM_OK)
        fail(what, error);
}

/* --------------------------------------------------------------------------------------------------------- parts */

static void add_texts(tm_map *map)
{
    static const char *const settings[] = {"sv_deepfly 0", "tune gravity 0.5"};
    tm_error error;

    must("author", tm_map_set_text(map, &map->info.author, "teemap", &error), &error);
    must("version", tm_map_set_text(map, &map->info.version, "1", &error), &error);
    must("credits", tm_map_set_text(map, &map->info.credits, "nobody", &error), &error);
    must("license", tm_map_set_text(map, &map->info.license, "Zlib", &error), &error);
    if (map->game == TM_GAME_DDNET)
        must("settings", tm_map_set_settings(map, settings, 2, &error), &error);
}

static void add_image(tm_map *map, const char *name, bool embedded)
{
    static uint8_t pixels[256 * 256 * 4];
    uint32_t at = map->num_images;
    tm_error error;

    must("image", tm_map_insert(map, TM_OBJECT_IMAGE, at, &error), &error);
    must("image name", tm_map_set_text(map, &map->images[at].name, name, &error), &error);
    for (size_t i = 0; i < sizeof(pixels); i++)
        pixels[i] = (uint8_t)(i * 7 + i / 1024);
    if (embedded)
        must("pixels", tm_map_set_pixels(map, at, pixels, 256, 256, &error), &error);
}

static void add_sound(tm_map *map)
{
    static const char opus[] = "OggS, but nothing that can be heard";
    tm_error error;

    must("sound", tm_map_insert(map, TM_OBJECT_SOUND, 0, &error), &error);
    must("sound name", tm_map_set_text(map, &map->sounds[0].name, "silence", &error), &error);
    must("sound data", tm_map_set_sound(map, 0, opus, sizeof(opus), &error), &error);
}

static void add_envelope(tm_map *map, int32_t channels, const char *name, int32_t curve)
{
    tm_envelope_point points[2];
    uint32_t at = map->num_envelopes;
    tm_error error;

    memset(points, 0, sizeof(points));
    for (int i = 0; i < 2; i++) {
        points[i].time = i * 1000;
        points[i].curve = curve;
        points[i].values[0] = i * 1024;
        if (curve == TM_CURVE_BEZIER) {
            points[i].out_dx[0] = 100;
            points[i].in_dx[0] = -100;
        }
    }
    must("envelope", tm_map_insert(map, TM_OBJECT_ENVELOPE, at, &error), &error);
    map->envelopes[at].channels = channels;
    tm_map_set_name(map->envelopes[at].name, sizeof(map->envelopes[at].name), name);
    must("points", tm_map_set_points(map, at, points, 2, &error), &error);
}

/* Returns its index in the group. */
static uint32_t add_layer(tm_map *map, uint32_t group, tm_layer_kind kind)
{
    uint32_t at = map->groups[group].num_layers;
    tm_error error;

    must("layer", tm_map_insert_layer(map, group, at, kind, WIDTH, HEIGHT, &error), &error);
    return at;
}

/* A room with walls and a place to spawn. */
static void furnish_game(tm_map *map, uint32_t group, uint32_t layer)
{
    const tm_tile solid = {TILE_SOLID, 0, 0, 0}, air = {0, 0, 0, 0}, spawn = {TILE_SPAWN, 0, 0, 0};
    tm_error error;

    must("walls", tm_map_fill_tiles(map, group, layer, &(tm_rect){0, 0, WIDTH, HEIGHT}, &solid, &error),
         &error);
    must("room", tm_map_fill_tiles(map, group, layer, &(tm_rect){1, 1, WIDTH - 2, HEIGHT - 2}, &air, &error),
         &error);
    must("spawn", tm_map_fill_tiles(map, group, layer, &(tm_rect){5, HEIGHT - 2, 1, 1}, &spawn, &error),
         &error);
}

/* One tile that means something, in each of the physics layers besides the game layer. */
static void furnish_physics(tm_map *map, uint32_t group, uint32_t layer)
{
    static const tm_tele_tile tele = {1, 26};
    static const tm_speedup_tile speedup = {10, 20, 28, 0, 90};
    static const tm_tile front = {3, 0, 0, 0};
    static const tm_switch_tile switches = {1, 22, 0, 5};
    static const tm_tune_tile tune = {1, 68};
    static const void *const tiles[] = {[TM_LAYER_TELE] = &tele,
                                        [TM_LAYER_SPEEDUP] = &speedup,
                                        [TM_LAYER_FRONT] = &front,
                                        [TM_LAYER_SWITCH] = &switches,
                                        [TM_LAYER_TUNE] = &tune};
    tm_error error;

    must("tile",
         tm_map_fill_tiles(map, group, layer, &(tm_rect){10, 10, 3, 2},
                           tiles[map->groups[group].layers[layer].kind], &error),
         &error);
}

static void furnish_quads(tm_map *map, uint32_t group, uint32_t layer)
{
    tm_quad quad;
    tm_error error;

    memset(&quad, 0, sizeof(quad));
    for (int i = 0; i < 4; i++) {
        quad.points[i] = (tm_point){(i % 2) * 32 * 1024, (i / 2) * 32 * 1024};
        quad.texture[i] = (tm_point){(i % 2) * 1024, (i / 2) * 1024};
        quad.colors[i] = (tm_color){255, 255, 255, 255};
    }
    quad.position_envelope = 1;
    quad.color_envelope = 0;
    must("quads", tm_map_set_quads(map, group, layer, &quad, 1, &error), &error);
}

static void furnish_sounds(tm_map *map, uint32_t group, uint32_t layer)
{
    tm_sound_source source;
    tm_error error;

    memset(&source, 0, sizeof(source));
    source.loop = 1;
    source.position_envelope = source.sound_envelope = TM_NONE;
    source.shape = TM_SHAPE_CIRCLE;
    source.width = 1500;
    must("sources", tm_map_set_sources(map, group, layer, &source, 1, &error), &error);
    map->groups[group].layers[layer].as.sounds.sound = 0;
}

static void add_design_group(tm_map *map)
{
    static const tm_tile brick = {5, TM_TILE_FLIP_X, 0, 0};
    uint32_t layer;
    tm_error error;

    must("group", tm_map_insert(map, TM_OBJECT_GROUP, 0, &error), &error);
    tm_map_set_name(map->groups[0].name, sizeof(map->groups[0].name), "Back");
    map->groups[0].parallax_x = map->groups[0].parallax_y = 50;
    map->groups[0].use_clipping = true;
    map->groups[0].clip_w = map->groups[0].clip_h = 1000;
    layer = add_layer(map, 0, TM_LAYER_TILES);
    must("tiles", tm_map_fill_tiles(map, 0, layer, &(tm_rect){2, 2, 9, 9}, &brick, &error), &error);
    map->groups[0].layers[layer].as.tiles.image = 0;
    map->groups[0].layers[layer].as.tiles.color_envelope = 0;
    furnish_quads(map, 0, add_layer(map, 0, TM_LAYER_QUADS));
    if (tm_game_layer(TM_LAYER_SOUNDS)->games[map->game])
        furnish_sounds(map, 0, add_layer(map, 0, TM_LAYER_SOUNDS));
}

static void add_game_group(tm_map *map)
{
    uint32_t group = map->num_groups;
    tm_error error;

    must("group", tm_map_insert(map, TM_OBJECT_GROUP, group, &error), &error);
    tm_map_set_name(map->groups[group].name, sizeof(map->groups[group].name), "Game");
    furnish_game(map, group, add_layer(map, group, TM_LAYER_GAME));
    for (tm_layer_kind kind = TM_LAYER_TELE; kind <= TM_LAYER_TUNE; kind++)
        if (tm_game_layer(kind)->games[map->game])
            furnish_physics(map, group, add_layer(map, group, kind));
}

/* --------------------------------------------------------------------------------------------------------- tasks */

static void save(const tm_map *map, const char *path)
{
    tm_error error;

    must("verify", tm_map_verify(map, &error), &error);
    must(path, tm_store_save(map, path, NULL, NULL, NULL, &error), &error);
}

static void build(const char *game, const char *path, bool curves)
{
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    tm_error error;

    if (!tm_game_from_name(&options.game, game)) {
        fprintf(stderr, "mapmaker: no game '%s'\n", game);
        exit(2);
    }
    must("new", tm_map_new(&map, &options, &error), &error);
    add_texts(map);
    add_image(map, "grass_main", false);
    add_image(map, "own", true);
    add_envelope(map, TM_ENVELOPE_COLOR, "color", TM_CURVE_LINEAR);
    add_envelope(map, TM_ENVELOPE_POSITION, "position",
                 curves && map->game != TM_GAME_TEEWORLDS06 ? TM_CURVE_BEZIER : TM_CURVE_SMOOTH);
    if (map->game == TM_GAME_DDNET) {
        add_envelope(map, TM_ENVELOPE_SOUND, "sound", TM_CURVE_STEP);
        add_sound(map);
    }
    add_design_group(map);
    add_game_group(map);
    save(map, path);
    tm_map_free(map);
}

static void change(const char *source, const char *path)
{
    const tm_tile solid = {TILE_SOLID, 0, 0, 0};
    tm_map *map;
    uint32_t group, game;
    tm_error error;

    must(source, tm_store_load(&map, source, NULL, NULL, &error), &error);
    if (!tm_map_physics_layer(&group, &game, map, TM_LAYER_GAME)) {
        fprintf(stderr, "mapmaker: '%s' has no game layer\n", source);
        exit(2);
    }
    must("tile", tm_map_fill_tiles(map, group, game, &(tm_rect){1, 1, 1, 1}, &solid, &error), &error);
    must("author", tm_map_set_text(map, &map->info.author, "somebody else", &error), &error);
    add_image(map, "added", true);
    must("group", tm_map_insert(map, TM_OBJECT_GROUP, 0, &error), &error);
    game = add_layer(map, 0, TM_LAYER_TILES);
    map->groups[0].layers[game].as.tiles.image = (int32_t)map->num_images - 1;
    save(map, path);
    tm_map_free(map);
}

int main(int argc, char **argv)
{
    if (argc == 4 && (strcmp(argv[1], "build") == 0 || strcmp(argv[1], "plain") == 0)) {
        build(argv[2], argv[3], strcmp(argv[1], "build") == 0);
    } else if (argc == 4 && strcmp(argv[1], "change") == 0) {
        change(argv[2], argv[3]);
    } else {
        fprintf(stderr, "use: %s build|plain GAME OUT | change IN OUT\n", argv[0]);
        return 2;
    }
    return 0;
}
