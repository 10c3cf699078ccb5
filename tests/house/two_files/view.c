/* SPDX-License-Identifier: Zlib */
/*
 * A viewer on the two files of ./run amalgamate: reads a map and draws 320 x 180 pixels at the middle of it
 * into a PPM on standard output.
 */
#include "teemap.h"

#include <stdio.h>

enum { WIDTH = 320, HEIGHT = 180 };

static int fail(const tm_error *error)
{
    char text[512];
    tm_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
    return 1;
}

int main(int argc, char **argv)
{
    static char bytes[1 << 24];
    static unsigned char rgba[WIDTH * HEIGHT * 4];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    const size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    tm_error error;
    tm_map *map;
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes, size), NULL, NULL, &error) != TM_OK)
        return fail(&error);
    uint32_t columns, rows;
    tm_map_area(&columns, &rows, map);
    tm_camera camera = TM_CAMERA_INIT;
    camera.x = 16.0 * columns;
    camera.y = 16.0 * rows;
    camera.width = WIDTH;
    camera.height = HEIGHT;
    tm_renderer *renderer;
    if (tm_renderer_new(&renderer, map, NULL, NULL, &error) != TM_OK)
        return fail(&error);
    for (size_t i = 3; i < sizeof(rgba); i += 4)
        rgba[i] = 255;
    const tm_rows picture = {rgba, (size_t)4 * WIDTH, 0, HEIGHT};
    if (tm_renderer_draw(renderer, &camera, &picture, &error) != TM_OK)
        return fail(&error);
    printf("P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (size_t i = 0; i < sizeof(rgba); i += 4)
        fwrite(&rgba[i], 1, 3, stdout);
    tm_renderer_free(renderer);
    tm_map_free(map);
    if (file)
        fclose(file);
    return 0;
}
