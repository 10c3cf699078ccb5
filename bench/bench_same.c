/* SPDX-License-Identifier: Zlib */
/*
 * Compares two PNGs of one size: bench_same A.png B.png prints the mean difference of a channel, of 255; alpha
 * does not count. The benchmark asks it whether both sides drew the same picture; nothing is timed here.
 *
 * It sees the public headers only. Any failure, and pictures of different sizes, end it with status 2.
 */
#include <teemap/codec.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct picture {
    uint8_t *rgba;
    uint32_t width, height;
} picture;

static picture read_picture(const char *path)
{
    const size_t most = (size_t)256 << 20;
    picture out = {0};
    tm_error error = {0};
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(most);
    const size_t size = file && bytes ? fread(bytes, 1, most, file) : 0;
    if (tm_png_read(&out.rgba, &out.width, &out.height, bytes, size, 0, NULL, &error) != TM_OK) {
        fprintf(stderr, "bench_same: %s: %s\n", path, error.text);
        exit(2);
    }
    free(bytes);
    fclose(file);
    return out;
}

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    if (argc != 3) {
        fputs("use: bench_same A.png B.png\n", stderr);
        return 2;
    }
    const picture a = read_picture(argv[1]), b = read_picture(argv[2]);
    const size_t size = (size_t)a.width * a.height * 4;
    if (a.width != b.width || a.height != b.height) {
        fputs("bench_same: the sizes differ\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < size; i++)
        if (i % 4 != 3)
            sum += (uint64_t)abs(a.rgba[i] - b.rgba[i]);
    printf("%.4f\n", (double)sum / ((double)size / 4 * 3));
    tm_free(NULL, a.rgba, size);
    tm_free(NULL, b.rgba, size);
    return 0;
}
