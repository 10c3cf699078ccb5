/* SPDX-License-Identifier: Zlib */
/*
 * What the library makes of maps, as numbers that must be the same on every system: portrait [MAP...] prints a line for
 * each, or for the map on standard input. It reads with stdio, so that it also runs where the library has no files.
 *
 *     GROUPS LAYERS crc-of-an-overview crc-of-a-view crc-of-the-saved-file SAME|CHANGED
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 480, HEIGHT = 320 };

static uint8_t picture[WIDTH * HEIGHT * 4];

static int fail(const char *path, const tm_error *error)
{
    fprintf(stderr, "%s: %s: %s\n", path, error->place, error->text);
    return 1;
}

static unsigned char *read_all(FILE *file, size_t *size)
{
    unsigned char *bytes = NULL;
    size_t got;
    *size = 0;
    do {
        unsigned char *grown = realloc(bytes, *size + 65536);
        if (!grown)
            break;
        bytes = grown;
        got = fread(bytes + *size, 1, 65536, file);
        *size += got;
    } while (got);
    return bytes;
}

static tm_status draw(const tm_renderer *renderer, const tm_camera *camera, uint32_t *crc, tm_error *error)
{
    tm_background background = TM_BACKGROUND_INIT;
    background.rgba[3] = 255;
    tm_status status =
        tm_background_fill(&background, WIDTH, &(tm_rows){picture, WIDTH * 4, 0, HEIGHT}, error);
    if (status == TM_OK)
        status = tm_renderer_draw(renderer, camera, &(tm_rows){picture, WIDTH * 4, 0, HEIGHT}, error);
    *crc = tm_crc32(0, picture, sizeof(picture));
    return status;
}

/* The whole game layer from afar, and what a player sees in its middle after a second and a bit. */
static tm_status draw_both(const tm_map *map, uint32_t *overview, uint32_t *view, tm_error *error)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    const tm_render_options options = TM_RENDER_OPTIONS_INIT;
    const double width = game ? game->as.tiles.width * 32.0 : 1600; /* not every map has one */
    const double height = game ? game->as.tiles.height * 32.0 : 1600;
    const double across = WIDTH / width, down = HEIGHT / height;
    tm_camera camera = TM_CAMERA_INIT;
    tm_renderer *renderer;
    tm_status status = tm_renderer_new(&renderer, map, &options, NULL, error);
    camera.width = WIDTH;
    camera.height = HEIGHT;
    camera.kind = TM_CAMERA_FLAT;
    camera.scale = across < down ? across : down;
    if (status == TM_OK)
        status = draw(renderer, &camera, overview, error);
    camera.kind = TM_CAMERA_VIEW;
    camera.x = width / 2;
    camera.y = height / 2;
    camera.time = 1234;
    if (status == TM_OK)
        status = draw(renderer, &camera, view, error);
    tm_renderer_free(renderer);
    return status;
}

static int portray(const char *path, FILE *file)
{
    size_t size;
    unsigned char *bytes = read_all(file, &size);
    uint32_t overview, view, layers = 0;
    tm_map *map;
    tm_error error;
    tm_buffer saved = {0};
    tm_output output = tm_output_to_buffer(&saved);
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes, size), NULL, NULL, &error) != TM_OK)
        return fail(path, &error);
    for (uint32_t g = 0; g < map->num_groups; g++)
        layers += map->groups[g].num_layers;
    if (draw_both(map, &overview, &view, &error) != TM_OK ||
        tm_mapfile_save(map, &output, NULL, NULL, NULL, &error) != TM_OK)
        return fail(path, &error);
    printf("%u %u %08x %08x %08x %s\n", (unsigned)map->num_groups, (unsigned)layers, (unsigned)overview,
           (unsigned)view, (unsigned)tm_crc32(0, saved.bytes, saved.size),
           saved.size == size && tm_crc32(0, bytes, size) == tm_crc32(0, saved.bytes, saved.size)
               ? "SAME"
               : "CHANGED");
    tm_map_free(map);
    tm_buffer_release(&saved);
    free(bytes);
    return 0;
}

static int portray_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    int status = portray(path, file);
    fclose(file);
    return status;
}

int main(int argc, char **argv)
{
    int status = argc < 2 ? portray("standard input", stdin) : 0;
    for (int i = 1; i < argc; i++)
        status |= portray_file(argv[i]);
    return status;
}
