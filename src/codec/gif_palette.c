/* SPDX-License-Identifier: Zlib */
/*
 * Colors for GIF. Boxes of colors are cut where that saves most error (the sum of squares, after Wu), then
 * each color moves into the middle of those that it stands for, a few times (k-means). Dithering is ordered:
 * a pixel that does not change keeps its index, so that nothing flickers and nothing has to be written; and
 * the pattern is as strong as the colors are far apart, so pictures of few colors are exact.
 */
#include "gif_palette.h"

enum { ROUNDS = 6, STRONGEST = 24 };
/* How much a difference counts, by channel: the eye sees green best. */
static const int32_t weights[3] = {3, 4, 2};

/* A color of the histogram, and how many pixels have it. */
typedef struct point {
    double value[3];
    double num;
} point;

typedef struct box {
    uint32_t first, end; /* points */
    double middle[3];
    double error; /* of the axis that is to be cut, 0 if there is nothing to cut */
    int axis;
} box;

void tmi_palette_learn(tmi_palette *palette, const uint8_t *rgba, size_t num)
{
    for (size_t i = 0; i < num; i++, rgba += 4) {
        if (rgba[3] < 128)
            continue;
        tmi_palette_cell *cell = &palette->cells[(rgba[0] >> 3) << 10 | (rgba[1] >> 3) << 5 | rgba[2] >> 3];
        cell->num++;
        for (int c = 0; c < 3; c++)
            cell->sums[c] += rgba[c];
    }
}

/* ----------------------------------------------------------------------------------------- cutting boxes */

static void measure_colors(box *of, const point *points)
{
    double num = 0, sums[3] = {0}, squares[3] = {0};
    for (uint32_t i = of->first; i < of->end; i++) {
        num += points[i].num;
        for (int c = 0; c < 3; c++) {
            sums[c] += points[i].num * points[i].value[c];
            squares[c] += points[i].num * points[i].value[c] * points[i].value[c];
        }
    }
    of->error = 0;
    of->axis = 0;
    for (int c = 0; c < 3; c++) {
        of->middle[c] = sums[c] / num;
        const double error = (squares[c] - sums[c] * of->middle[c]) * weights[c];
        if (of->end - of->first > 1 && error > of->error) {
            of->error = error;
            of->axis = c;
        }
    }
}

/* Those below the middle of the axis come first; both sides have some, as the error was above 0. */
static uint32_t cut_points(const box *of, point *points)
{
    uint32_t at = of->first;
    for (uint32_t i = of->first; i < of->end; i++) {
        if (points[i].value[of->axis] < of->middle[of->axis]) {
            const point moved = points[i];
            points[i] = points[at];
            points[at++] = moved;
        }
    }
    return at;
}

static uint32_t cut_boxes(box boxes[TMI_PALETTE_COLORS], uint32_t most, point *points, uint32_t num_points)
{
    uint32_t num = 1;
    boxes[0] = (box){.first = 0, .end = num_points};
    measure_colors(&boxes[0], points);
    while (num < most) {
        uint32_t worst = 0;
        for (uint32_t i = 1; i < num; i++)
            if (boxes[i].error > boxes[worst].error)
                worst = i;
        if (boxes[worst].error <= 0)
            break;
        const uint32_t middle = cut_points(&boxes[worst], points);
        if (middle == boxes[worst].first ||
            middle == boxes[worst].end) { /* they differ by less than doubles tell */
            boxes[worst].error = 0;
            continue;
        }
        boxes[num] = (box){.first = middle, .end = boxes[worst].end};
        boxes[worst].end = middle;
        measure_colors(&boxes[worst], points);
        measure_colors(&boxes[num++], points);
    }
    return num;
}

/* ------------------------------------------------------------------------------------------------ k-means */

/*
 * The nearest colors of all places are found in cubes, which are cut into eight again and again: a color that
 * is farther from all of a cube than another one is from any of it is not looked at further in there.
 */
typedef struct search {
    const int32_t (*colors)[3];
    int32_t unit; /* side of the smallest cubes, which have one place each */
    /* Whether any place of a cube is asked for; NULL: all are. */
    bool (*wants)(const void *ctx, const int32_t cube[3], int32_t side);
    void (*place)(void *ctx, const struct search *in, const int32_t cube[3], const uint8_t *list,
                  uint32_t num);
    void *ctx;
} search;

/* From a color to the nearest and the farthest of a cube. */
static void measure_cube(int32_t *least, int32_t *most, const int32_t color[3], const int32_t cube[3],
                         int32_t side)
{
    *least = *most = 0;
    for (int c = 0; c < 3; c++) {
        const int32_t low = cube[c] - color[c], high = color[c] - (cube[c] + side - 1);
        const int32_t out = low > high ? low : high, far = low < high ? low : high;
        *least += out > 0 ? weights[c] * out * out : 0;
        *most += weights[c] * far * far;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): eight halves of 256
static void search_cube(const search *in, const int32_t cube[3], int32_t side, const uint8_t *list,
                        uint32_t num)
{
    int32_t least[TMI_PALETTE_COLORS], most, bound = INT32_MAX;
    uint8_t near[TMI_PALETTE_COLORS];
    uint32_t num_near = 0;
    if (side == in->unit) {
        in->place(in->ctx, in, cube, list, num);
        return;
    }
    if (in->wants && !in->wants(in->ctx, cube, side))
        return;
    for (uint32_t i = 0; i < num; i++) {
        measure_cube(&least[i], &most, in->colors[list[i]], cube, side);
        bound = most < bound ? most : bound;
    }
    for (uint32_t i = 0; i < num; i++)
        if (least[i] <= bound)
            near[num_near++] = list[i]; /* still in their order */
    for (int32_t part = 0; part < 8; part++) {
        const int32_t half = side / 2,
                      at[3] = {cube[0] + (part >> 2) * half, cube[1] + (part >> 1 & 1) * half,
                               cube[2] + (part & 1) * half};
        search_cube(in, at, half, near, num_near);
    }
}

static void search_colors(const search *in, int32_t side, uint32_t num)
{
    uint8_t all[TMI_PALETTE_COLORS];
    for (uint32_t i = 0; i < num; i++)
        all[i] = (uint8_t)i;
    search_cube(in, (const int32_t[3]){0, 0, 0}, side, all, num);
}

/* The first of those that are nearest. */
static uint8_t nearest_color(const search *in, const int32_t at[3], const uint8_t *list, uint32_t num)
{
    uint8_t best = 0;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < num; i++) {
        const int32_t *color = in->colors[list[i]];
        const int32_t r = color[0] - at[0], g = color[1] - at[1], b = color[2] - at[2];
        const int32_t distance = weights[0] * r * r + weights[1] * g * g + weights[2] * b * b;
        if (distance < least) {
            least = distance;
            best = list[i];
        }
    }
    return best;
}

static int32_t nearest_int(double value)
{
    return (int32_t)(value + 0.5);
}

/* What choosing takes besides the colors: cells are those of the histogram. */
typedef struct room {
    point points[TMI_PALETTE_CELLS];
    int32_t places[TMI_PALETTE_CELLS][3];          /* of a cell's point, in 1/16 of a step */
    bool used[TMI_PALETTE_CELLS], used_parts[512]; /* cells, and cubes of 4 x 4 x 4 cells */
    uint8_t nearest[TMI_PALETTE_CELLS];
} room;

static uint32_t histogram_cell(const int32_t color[3], int32_t side)
{
    return (uint32_t)((color[0] / side << 10) | (color[1] / side << 5) | color[2] / side);
}

static uint32_t cell_of_point(const point *of)
{
    const int32_t color[3] = {(int32_t)of->value[0], (int32_t)of->value[1], (int32_t)of->value[2]};
    return histogram_cell(color, 8);
}

static void place_cell(void *ctx, const search *in, const int32_t cube[3], const uint8_t *list, uint32_t num)
{
    room *with = ctx;
    const uint32_t cell = histogram_cell(cube, in->unit);
    if (with->used[cell])
        with->nearest[cell] = nearest_color(in, with->places[cell], list, num);
}

static uint32_t used_part(const int32_t place[3])
{
    const int32_t side = 16 * 32;
    return (uint32_t)(place[0] / side << 6 | place[1] / side << 3 | place[2] / side);
}

static bool wants_cells(const void *ctx, const int32_t cube[3], int32_t side)
{
    const room *with = ctx;
    return side > 16 * 32 || with->used_parts[used_part(cube)];
}

static void place_points(room *with, uint32_t num_points)
{
    memset(with->used, 0, sizeof(with->used));
    memset(with->used_parts, 0, sizeof(with->used_parts));
    for (uint32_t i = 0; i < num_points; i++) {
        const uint32_t cell = cell_of_point(&with->points[i]);
        with->used[cell] = true;
        for (int c = 0; c < 3; c++)
            with->places[cell][c] = nearest_int(with->points[i].value[c] * 16);
        with->used_parts[used_part(with->places[cell])] = true;
    }
}

/* Colors in 1/16 of a step, so that the middle is not lost between two rounds. */
static double move_colors(int32_t (*colors)[3], uint32_t num, room *with, uint32_t num_points)
{
    double sums[TMI_PALETTE_COLORS][4] = {{0}}, off = 0, all = 0;
    const search in = {(const int32_t(*)[3])colors, 16 * 8, wants_cells, place_cell, with};
    search_colors(&in, 16 * 256, num);
    for (uint32_t i = 0; i < num_points; i++) {
        const point *p = &with->points[i];
        const uint32_t cell = cell_of_point(p), k = with->nearest[cell];
        for (int c = 0; c < 3; c++) {
            const double d = (double)(with->places[cell][c] - colors[k][c]) / 16;
            off += p->num * (d < 0 ? -d : d);
            sums[k][c] += p->num * p->value[c];
        }
        sums[k][3] += p->num;
        all += 3 * p->num;
    }
    for (uint32_t k = 0; k < num; k++)
        for (int c = 0; c < 3 && sums[k][3] > 0; c++)
            colors[k][c] = nearest_int(sums[k][c] / sums[k][3] * 16);
    return all > 0 ? off / all : 0;
}

static uint32_t gather_points(point *points, const tmi_palette *palette)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < TMI_PALETTE_CELLS; i++) {
        const tmi_palette_cell *cell = &palette->cells[i];
        if (cell->num == 0)
            continue;
        points[num].num = (double)cell->num;
        for (int c = 0; c < 3; c++)
            points[num].value[c] = (double)cell->sums[c] / (double)cell->num;
        num++;
    }
    return num;
}

static void place_entry(void *ctx, const search *in, const int32_t cube[3], const uint8_t *list, uint32_t num)
{
    tmi_palette *palette = ctx;
    int32_t at[3];
    for (int c = 0; c < 3; c++)
        at[c] = cube[c] | cube[c] >> 6; /* 0 and 255 are exact */
    palette->nearest[cube[0] / in->unit << 12 | cube[1] / in->unit << 6 | cube[2] / in->unit] =
        nearest_color(in, at, list, num);
}

static void fill_nearest(tmi_palette *palette)
{
    int32_t colors[TMI_PALETTE_COLORS][3];
    const search in = {(const int32_t(*)[3])colors, 4, NULL, place_entry, palette};
    for (uint32_t i = 0; i < palette->num; i++)
        for (int c = 0; c < 3; c++)
            colors[i][c] = palette->colors[i][c];
    search_colors(&in, 256, palette->num);
}

static void choose_colors(tmi_palette *palette, uint32_t most, room *with)
{
    box boxes[TMI_PALETTE_COLORS];
    int32_t colors[TMI_PALETTE_COLORS][3];
    point *points = with->points;
    const uint32_t num_points = gather_points(points, palette);
    double off = 0;
    palette->num = num_points ? cut_boxes(boxes, most, points, num_points) : 1;
    for (uint32_t i = 0; i < palette->num; i++)
        for (int c = 0; c < 3; c++)
            colors[i][c] = num_points ? nearest_int(boxes[i].middle[c] * 16) : 0;
    place_points(with, num_points);
    for (int round = 0; round < ROUNDS; round++)
        off = move_colors(colors, palette->num, with, num_points);
    for (uint32_t i = 0; i < palette->num; i++)
        for (int c = 0; c < 3; c++)
            palette->colors[i][c] = (uint8_t)((colors[i][c] + 8) / 16 > 255 ? 255 : (colors[i][c] + 8) / 16);
    /* From one color to the next it is about twice as far as to the nearest, and twice to both sides. */
    const int32_t spread = nearest_int(off * 4);
    palette->spread = spread > STRONGEST ? STRONGEST : spread;
    fill_nearest(palette);
}

tm_status tmi_palette_choose(tmi_palette *palette, int quality, const tm_allocator *allocator,
                             tm_error *error)
{
    const uint32_t least = 8, all = 80; /* the quality for which there are all colors */
    const uint32_t most = quality > 0 && (uint32_t)quality < all
                              ? least + (TMI_PALETTE_COLORS - least) * (uint32_t)quality / all
                              : TMI_PALETTE_COLORS;
    room *with = tmi_alloc(allocator, 1, sizeof(*with));
    if (!with)
        return tmi_fail_memory(error, sizeof(*with), "the colors of a GIF");
    choose_colors(palette, most, with);
    tmi_free(allocator, with, 1, sizeof(*with));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- pixels */

/* Bayer's pattern of 8 x 8, 0 to 63. */
static int32_t pattern_at(uint32_t x, uint32_t y)
{
    int32_t value = 0;
    for (uint32_t bit = 0; bit < 3; bit++) {
        const uint32_t a = x >> bit & 1, b = (x ^ y) >> bit & 1;
        value = value << 2 | (int32_t)(b << 1 | a);
    }
    return value;
}

static uint32_t moved(uint8_t value, int32_t by)
{
    const int32_t sum = value + by;
    return (uint32_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum) >> 2;
}

void tmi_palette_row(const tmi_palette *palette, uint8_t *indices, const uint8_t *rgba, uint32_t width,
                     uint32_t y, bool opaque)
{
    int32_t by[8];
    for (uint32_t x = 0; x < 8; x++)
        by[x] = (2 * pattern_at(x, y % 8) - 63) * palette->spread / 128;
    for (uint32_t x = 0; x < width; x++, rgba += 4) {
        const int32_t d = by[x % 8];
        indices[x] =
            !opaque && rgba[3] < 128
                ? TMI_PALETTE_COLORS
                : palette->nearest[moved(rgba[0], d) << 12 | moved(rgba[1], d) << 6 | moved(rgba[2], d)];
    }
}
