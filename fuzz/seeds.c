/* SPDX-License-Identifier: Zlib */
/*
 * Makes the seeds of the fuzz targets: make_seeds FOLDER writes FOLDER/{datafile,mapfile,changes,edit,patch,merge,pattern,lint}/seed-*
 * and FOLDER/{automap_rules,automap_run}/seed-*.
 *
 * Small maps of each game with one object of every kind, as version 4 and as version 3 (whose data are not packed, so that a fuzzer
 * can change them), with both magics. Built with the library's own functions; no map of anybody else is in them.
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 5, HEIGHT = 4 };

static void must(tm_status status, const tm_error *error)
{
    if (status == TM_OK)
        return;
    fprintf(stderr, "make_seeds: %s: %s\n", error->place, error->text);
    exit(2);
}

/* --------------------------------------------------------------------------------------------------------- parts */

static void add_texts(tm_map *map)
{
    static const char *const settings[] = {"tune gravity 0.5", ""};
    tm_error error;
    must(tm_map_set_text(map, &map->info.author, "a", &error), &error);
    must(tm_map_set_text(map, &map->info.license, "Zlib", &error), &error);
    if (map->game == TM_GAME_DDNET)
        must(tm_map_set_settings(map, settings, 2, &error), &error);
}

static void add_media(tm_map *map)
{
    static const uint8_t pixels[2 * 2 * 4] = {255, 0, 0, 255, 0, 255, 0, 128};
    tm_error error;
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, &error), &error);
    must(tm_map_insert(map, TM_KIND_IMAGE, 1, &error), &error);
    must(tm_map_set_text(map, &map->images[0].name, "grass_main", &error), &error);
    must(tm_map_set_text(map, &map->images[1].name, "own", &error), &error);
    must(tm_map_set_pixels(map, 1, pixels, 2, 2, &error), &error);
    if (map->game != TM_GAME_DDNET)
        return;
    must(tm_map_insert(map, TM_KIND_SOUND, 0, &error), &error);
    must(tm_map_set_text(map, &map->sounds[0].name, "silence", &error), &error);
    must(tm_map_set_sound(map, 0, "OggS", 4, &error), &error);
}

static void add_envelopes(tm_map *map, bool curves)
{
    static const int32_t channels[] = {TM_ENVELOPE_COLOR, TM_ENVELOPE_POSITION, TM_ENVELOPE_SOUND};
    tm_envelope_point points[2];
    tm_error error;
    memset(points, 0, sizeof(points));
    points[0].curve = curves ? TM_CURVE_BEZIER : TM_CURVE_SMOOTH;
    points[0].out_dx[0] = points[0].out_dy[0] = curves ? 100 : 0;
    points[1].time = 1000;
    points[1].values[0] = 1024;
    for (uint32_t i = 0; i < (map->game == TM_GAME_DDNET ? 3u : 2u); i++) {
        must(tm_map_insert(map, TM_KIND_ENVELOPE, i, &error), &error);
        map->envelopes[i].channels = channels[i];
        tm_map_set_name(map->envelopes[i].name, TM_ENVELOPE_NAME_SIZE, "e");
        must(tm_map_set_points(map, i, points, 2, &error), &error);
    }
}

static void fill_quads(tm_map *map, uint32_t group, uint32_t at)
{
    tm_quad quad;
    tm_error error;
    memset(&quad, 0, sizeof(quad));
    quad.position_envelope = 1;
    quad.color_envelope = TM_NONE;
    must(tm_map_set_quads(map, group, at, &quad, 1, &error), &error);
}

static void fill_sources(tm_map *map, uint32_t group, uint32_t at)
{
    tm_layer *layer = &map->groups[group].layers[at];
    tm_sound_source source;
    tm_error error;
    memset(&source, 0, sizeof(source));
    source.sound_envelope = 2;
    source.position_envelope = TM_NONE;
    must(tm_map_set_sources(map, group, at, &source, 1, &error), &error);
    layer->as.sounds.sound = 0;
}

static void fill_tiles(tm_map *map, uint32_t group, uint32_t at)
{
    tm_layer *layer = &map->groups[group].layers[at];
    static const uint8_t tile[8] = {1, 0, 0, 0, 0, 0};
    tm_error error;
    must(tm_map_fill_tiles(map, group, at, &(tm_rect){1, 1, 2, 2}, tile, &error), &error);
    if (layer->kind == TM_LAYER_TILES) {
        layer->as.tiles.image = 0;
        layer->as.tiles.color_envelope = 0;
        if (map->game == TM_GAME_DDNET) {
            layer->as.tiles.automapper.present = true;
            layer->as.tiles.automapper.seed = 7;
        }
    }
}

static void add_layers(tm_map *map)
{
    tm_error error;
    must(tm_map_insert(map, TM_KIND_GROUP, 0, &error), &error);
    must(tm_map_insert(map, TM_KIND_GROUP, 1, &error), &error);
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "Game");
    map->groups[0].use_clipping = true;
    for (tm_layer_kind kind = TM_LAYER_TILES; kind <= TM_LAYER_SOUNDS; kind++) {
        if (!tm_game_layer(kind)->games[map->game])
            continue;
        const uint32_t group = tm_game_layer(kind)->is_physics, at = map->groups[group].num_layers;
        must(tm_map_insert_layer(map, group, at, kind, WIDTH, HEIGHT, &error), &error);
        if (kind == TM_LAYER_QUADS)
            fill_quads(map, group, at);
        else if (kind == TM_LAYER_SOUNDS)
            fill_sources(map, group, at);
        else
            fill_tiles(map, group, at);
    }
}

/* --------------------------------------------------------------------------------------------------------- files */

static tm_buffer built(tm_game game, bool full)
{
    const tm_map_options options = {sizeof(options), game, NULL, NULL};
    tm_map *map;
    tm_error error;
    tm_buffer buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    must(tm_map_new(&map, &options, &error), &error);
    if (full) {
        add_texts(map);
        add_media(map);
        add_envelopes(map, game != TM_GAME_TEEWORLDS06);
        add_layers(map);
    }
    must(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error), &error);
    tm_map_free(map);
    return buffer;
}

static tm_buffer as_version_3(const tm_buffer *map)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile *file;
    tm_error error;
    tm_buffer buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    options.version = 3;
    must(tm_datafile_open(&file, tm_input_from_memory(map->bytes, map->size), NULL, NULL, &error), &error);
    must(tm_datafile_copy(file, &output, &options, false, NULL, NULL, &error), &error);
    tm_datafile_close(file);
    return buffer;
}

/* One seed: what the target wants in front of the map, then the map. */
static void put(const char *folder, const char *target, const char *name, const void *front,
                size_t front_size, const tm_buffer *map)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s/seed-%s", folder, target, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(front, 1, front_size, file) != front_size ||
        fwrite(map->bytes, 1, map->size, file) != map->size || fclose(file)) {
        fprintf(stderr, "make_seeds: '%s' cannot be written\n", path);
        exit(2);
    }
}

/* The map with a header that contradicts it: a count too many, a row too few. */
static void put_contradictions(const char *folder, const char *name, const tm_buffer *map)
{
    enum { FIRST_COUNT = 16, COUNTS = 5, HEADER = 36 };
    tm_buffer wrong = {0};
    const tm_output output = tm_output_to_buffer(&wrong);
    char one[96];
    tm_error error;
    must(output.write(output.ctx, map->bytes, map->size, &error), &error);
    for (unsigned count = 0; count < COUNTS; count++) {
        wrong.bytes[FIRST_COUNT + 4 * count]++;
        snprintf(one, sizeof(one), "%s-count-%u", name, count);
        put(folder, "datafile", one, count % 2 ? "\x12" : "\x16", 1, &wrong);
        put(folder, "mapfile", one, "", 0, &wrong);
        wrong.bytes[FIRST_COUNT + 4 * count]--;
    }
    for (unsigned size = 4; size <= 12; size += 8) { /* of an offset, and of a type */
        tm_buffer cut = {0};
        const tm_output cut_output = tm_output_to_buffer(&cut);
        must(cut_output.write(cut_output.ctx, map->bytes, HEADER, &error), &error);
        must(cut_output.write(cut_output.ctx, map->bytes + HEADER + size, map->size - HEADER - size, &error),
             &error);
        snprintf(one, sizeof(one), "%s-cut-%u", name, size);
        put(folder, "datafile", one, "\x12", 1, &cut);
        put(folder, "mapfile", one, "", 0, &cut);
        tm_buffer_release(&cut);
    }
    tm_buffer_release(&wrong);
}

static void put_all(const char *folder, const char *name, unsigned game, const tm_buffer *map)
{
    /* A step of each kind and some arguments (tests/change_steps.c). */
    static const uint8_t steps[] = {0, 3, 0,  4, 0, 0, 7, 3,  3,  19, 0, 0, 2, 2, 2, 2, 5,  0, 11, 2, 1, 1,
                                    9, 9, 16, 2, 0, 0, 1, 17, 20, 0,  0, 1, 1, 2, 2, 0, 14, 0, 0,  2, 1, 1};
    uint8_t front[3 + sizeof(steps)] = {(uint8_t)game, sizeof(steps), 0};
    memcpy(front + 3, steps, sizeof(steps));
    put(folder, "mapfile", name, "", 0, map);
    put(folder, "datafile", name, "\x12", 1, map);
    put_contradictions(folder, name, map);
    put(folder, "changes", name, front, sizeof(front), map);
    /* Each operation of the table and some arguments (tests/edit_steps.c). */
    for (uint32_t first = 0; tm_edit_at(first); first += 8) {
        char one[96];
        uint8_t chosen[3 + 8 * 6] = {(uint8_t)game, 8 * 6, 0};
        for (uint32_t i = 0; i < 8 * 6; i++)
            chosen[3 + i] = (uint8_t)(i % 6 ? i * 37 + first : first + i / 6);
        snprintf(one, sizeof(one), "%s-%u", name, (unsigned)first);
        put(folder, "edit", one, chosen, sizeof(chosen), map);
    }
}

/* A patch from one map to another, a NUL, and the map that it is for. */
static void put_patch(const char *folder, const char *name, const tm_buffer *source, const tm_buffer *target)
{
    tm_map *before, *after;
    tm_patch *patch;
    tm_error error;
    tm_buffer text = {0};
    const tm_output output = tm_output_to_buffer(&text);
    must(tm_mapfile_load(&before, tm_input_from_memory(source->bytes, source->size), NULL, NULL, &error),
         &error);
    must(tm_mapfile_load(&after, tm_input_from_memory(target->bytes, target->size), NULL, NULL, &error),
         &error);
    must(tm_patch_make(&patch, before, after, NULL, &error), &error);
    must(tm_patch_write(patch, &output, &error), &error);
    must(output.write(output.ctx, "", 1, &error), &error);
    put(folder, "patch", name, text.bytes, text.size, source);
    tm_buffer_release(&text);
    tm_patch_free(patch);
    tm_map_free(before);
    tm_map_free(after);
}

static void put_patches(const char *folder, tm_game game)
{
    char name[64];
    tm_buffer empty = built(game, false), full = built(game, true);
    snprintf(name, sizeof(name), "%s-there", tm_game_name(game));
    put_patch(folder, name, &empty, &full);
    snprintf(name, sizeof(name), "%s-back", tm_game_name(game));
    put_patch(folder, name, &full, &empty);
    tm_buffer_release(&empty);
    tm_buffer_release(&full);
}

/* Two scripts, each with a NUL behind it, and the map that both change. */
static void put_merges(const char *folder, tm_game game)
{
    static const char both[] =
        "set info.author=A\nadd group A\nadd layer A tiles 9x9\nfill 0/0@0,0+2x2 5\nsettings add \"sv_x 1\"\n"
        "rename image/0 a\nmove 0 1\nremove 1/1\0"
        "set info.author=B\nadd group B\nfill 0/0@1,1+2x2 6\nsettings add \"sv_x 2\"\nrename image/0 b\n"
        "set 1/1.detail=true\nmirror x";
    for (int full = 0; full < 2; full++) {
        char name[64];
        tm_buffer map = built(game, full);
        snprintf(name, sizeof(name), "%s-%s", tm_game_name(game), full ? "full" : "empty");
        put(folder, "merge", name, both, sizeof(both), &map);
        tm_buffer_release(&map);
    }
}

/* A byte that chooses sets of rules, and a map. */
static void put_lints(const char *folder)
{
    for (tm_game game = TM_GAME_DDNET; game < TM_GAME_COUNT; game++) {
        tm_buffer map = built(game, true);
        put(folder, "lint", tm_game_name(game), "\x1f", 1, &map);
        tm_buffer_release(&map);
    }
}

/* Rules of each dialect, behind the head of each target. */
static void put_rules(const char *folder)
{
    static const char rules[] =
        "# walls\n[walls]\nIndex 1\n\nIndex 2 XFLIP ROTATE # edge\nPos 0 -1 EMPTY\nPos 1 0 INDEX 3 XFLIP OR 4 NONE OR "
        "-1\nRandom 50%\n\nNewRun\nNoLayerCopy\nIndex 3\nPos -1 0 NOTINDEX 2\nModulo 2 3 0 1\nNoDefaultRule\nIndex 0 "
        "YFLIP\nPos 0 0 FULL\nPos 70 -9 FULL\nRandom 2.5\n[ice]\nIndex 5\nPos 0 0 233\n";
    static const char tiles[] =
        "{\"tileset\": [{\"a\": {\"basetile\": 3, \"rules\": [{\"index\": 5, \"random\": 2, \"rotate\": 90, \"hflip\": 1, "
        "\"condition\": [{\"x\": 1, \"y\": -1, \"value\": \"full\"}, {\"x\": 0, \"y\": 1, \"value\": 3}]}]}},]}";
    static const char doodads[] =
        "{\"doodads\": [{\"a\": {\"rules\": [{\"startid\": 5, \"endid\": 22, \"random\": 3}, {\"rx\": 1, \"ry\": -1, "
        "\"vflip\": 1, \"location\": \"ceiling\"}, {\"startid\": 32, \"endid\": 49, \"hflip\": 1, \"location\": "
        "\"walls\"}]}}]}";
    static const struct {
        const char *name, *text;
        char dialect;
    } samples[] = {{"ddnet", rules, 0}, {"ddnet16", rules, 1}, {"tiles", tiles, 2}, {"doodads", doodads, 2}};
    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
        char head[9] = {samples[i].dialect, 50, 65, 20, 3, 3, 9, 5, 7};
        const tm_buffer file = {.bytes = (uint8_t *)(uintptr_t)samples[i].text,
                                .size = strlen(samples[i].text)};
        put(folder, "automap_rules", samples[i].name, head, 1, &file);
        put(folder, "automap_run", samples[i].name, head, sizeof(head), &file);
        head[0] |= 4;
        head[1] = (char)(i + 1);
        if (samples[i].dialect == 0)
            put(folder, "automap_run", "refers", head, sizeof(head), &file);
    }
}

/* A pattern and its NUL, and a map with one of everything. */
static void put_patterns(const char *folder)
{
    static const char *const texts[] = {"freeze",
                                        "tele-in without tele-out",
                                        "game/air where front/freeze",
                                        "1..9:flags=rotate",
                                        "number=1",
                                        "design/*",
                                        "image/*:external=true",
                                        "settings/tune*",
                                        "text/*a*",
                                        "tele-in:5",
                                        "info/*",
                                        "group/*:!parallax.x=100",
                                        "switch/*:delay=1..",
                                        "category=door",
                                        "60,61,!62",
                                        "speedup:force=50:angle=90:max=20"};
    tm_buffer map = built(TM_GAME_DDNET, true);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        char name[32];
        snprintf(name, sizeof(name), "%02u", (unsigned)i);
        put(folder, "pattern", name, texts[i], strlen(texts[i]) + 1, &map);
    }
    tm_buffer_release(&map);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "use: make_seeds FOLDER\n");
        return 2;
    }
    put_patterns(argv[1]);
    put_lints(argv[1]);
    put_rules(argv[1]);
    for (tm_game game = TM_GAME_DDNET; game < TM_GAME_COUNT; game++) {
        put_patches(argv[1], game);
        put_merges(argv[1], game);
        for (int full = 0; full < 2; full++) {
            char name[64];
            tm_buffer packed = built(game, full), plain = as_version_3(&packed);
            snprintf(name, sizeof(name), "%s-%s-4", tm_game_name(game), full ? "full" : "empty");
            put_all(argv[1], name, game, &packed);
            snprintf(name, sizeof(name), "%s-%s-3", tm_game_name(game), full ? "full" : "empty");
            memcpy(plain.bytes, "ATAD", 4);
            put_all(argv[1], name, game, &plain);
            tm_buffer_release(&packed);
            tm_buffer_release(&plain);
        }
    }
    return 0;
}
