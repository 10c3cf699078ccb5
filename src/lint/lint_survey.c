/* SPDX-License-Identifier: Zlib */
/*
 * One pass over all layers that are no physics: who refers to what, where the tiles of each layer are, which
 * cells of which image they show. Made when the first rule asks.
 */
#include "lint.h"

static void mark_used(void *ctx, tm_object object, int32_t *index)
{
    const tmi_lint *lint = ctx;
    const tm_map *map = lint->map;
    const struct {
        bool *used;
        uint32_t num;
    } lists[] = {[TM_OBJECT_IMAGE] = {lint->survey->images, map->num_images},
                 [TM_OBJECT_SOUND] = {lint->survey->sounds, map->num_sounds},
                 [TM_OBJECT_ENVELOPE] = {lint->survey->envelopes, map->num_envelopes}};
    if ((size_t)object < TMI_COUNT_OF(lists) && *index >= 0 && (uint32_t)*index < lists[object].num)
        lists[object].used[*index] = true;
}

/* ----------------------------------------------------------------------------------------------- tiles */

/* Which indices a row has. Most tiles are as those before them, so that most are passed over by eights. */
static void mark_cells(bool *cells, const tm_tile *row, uint32_t width)
{
    enum { PAIRS = 4, TILES = 2 * PAIRS };
    uint64_t last = 0, pairs[PAIRS];
    uint32_t x = 0;
    for (; x + TILES <= width; x += TILES) {
        memcpy(pairs, &row[x], sizeof(pairs));
        if (!((pairs[0] ^ last) | (pairs[1] ^ last) | (pairs[2] ^ last) | (pairs[3] ^ last)))
            continue;
        for (uint32_t i = 0; i < TILES; i++)
            cells[row[x + i].index] = true;
        last = pairs[PAIRS - 1];
    }
    for (; x < width; x++)
        cells[row[x].index] = true;
}

static void survey_row(tmi_lint_extent *extent, bool *cells, const tm_tile *row, uint32_t width, uint32_t y)
{
    uint32_t x0 = 0, x1 = width;
    mark_cells(cells, row, width);
    while (x0 < width && !row[x0].index)
        x0++;
    if (x0 == width)
        return;
    while (!row[x1 - 1].index)
        x1--;
    if (extent->empty) {
        *extent = (tmi_lint_extent){.known = true, .x0 = x0, .y0 = y, .x1 = x1, .y1 = y + 1};
        return;
    }
    extent->x0 = x0 < extent->x0 ? x0 : extent->x0;
    extent->x1 = x1 > extent->x1 ? x1 : extent->x1;
    extent->y1 = y + 1;
}

/* A row that is as the one above it, as most are, tells nothing but where the content ends. */
static void survey_grid(tmi_lint_extent *extent, bool *cells, const tm_grid *grid)
{
    const tm_tile *tiles = grid->tiles;
    for (uint32_t y = 0; tiles && y < grid->height; y++) {
        const tm_tile *row = &tiles[(size_t)y * grid->width];
        if (!y || memcmp(row, row - grid->width, grid->row_stride) != 0)
            survey_row(extent, cells, row, grid->width, y);
        else if (!extent->empty && extent->y1 == y)
            extent->y1 = y + 1;
    }
}

static tm_status survey_tiles(tmi_lint *lint, const tm_layer *layer, tmi_lint_extent *extent)
{
    tmi_borrowed loan;
    tm_grid grid;
    bool cells[TM_TILE_INDICES] = {false};
    TM_TRY(tmi_borrowed_grid(&loan, &grid, lint->map, layer, lint->error));
    *extent = (tmi_lint_extent){.known = true, .empty = true};
    survey_grid(extent, cells, &grid);
    tmi_borrowed_close(&loan);
    if (!tm_map_image(lint->map, layer->as.tiles.image))
        return TM_OK;
    bool *shown = lint->survey->cells[layer->as.tiles.image];
    for (uint32_t i = 1; i < TM_TILE_INDICES; i++)
        shown[i] |= cells[i];
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- elements */

static tm_status survey_elements(tmi_lint *lint, tm_layer *layer)
{
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, lint->map, tmi_referring_block(layer), lint->error));
    tmi_visit_packed_references(layer, (void *)(uintptr_t)loan.bytes, mark_used, lint); /* reads only */
    tmi_borrowed_close(&loan);
    return TM_OK;
}

static tm_status survey_layer(tmi_lint *lint, const tm_layer *layer, tmi_lint_extent *extent)
{
    tm_layer own = *layer;
    tmi_visit_references(&own, mark_used, lint);
    if (layer->kind == TM_LAYER_TILES)
        return survey_tiles(lint, layer, extent);
    if (tmi_referring_block(&own))
        return survey_elements(lint, &own);
    return TM_OK;
}

static tm_status make_survey(tmi_lint *lint)
{
    const tm_map *map = lint->map;
    tmi_lint_survey *survey = tmi_calloc(lint->allocator, 1, sizeof(*survey));
    if (!survey)
        return tmi_fail_memory(lint->error, sizeof(*survey), "survey");
    lint->survey = survey;
    survey->num_layers = tm_map_num_layers(map);
    survey->images = tmi_calloc(lint->allocator, map->num_images, sizeof(*survey->images));
    survey->sounds = tmi_calloc(lint->allocator, map->num_sounds, sizeof(*survey->sounds));
    survey->envelopes = tmi_calloc(lint->allocator, map->num_envelopes, sizeof(*survey->envelopes));
    survey->cells = tmi_calloc(lint->allocator, map->num_images, sizeof(*survey->cells));
    survey->extents = tmi_calloc(lint->allocator, survey->num_layers, sizeof(*survey->extents));
    if (!survey->images || !survey->sounds || !survey->envelopes || !survey->cells || !survey->extents)
        return tmi_fail_memory(lint->error, map->num_images * sizeof(*survey->cells), "survey");
    return TM_OK;
}

void tmi_lint_make_survey(tmi_lint *lint)
{
    tm_layer_walk at = {0};
    tm_status status = make_survey(lint);
    while (!status && tm_map_next_layer(lint->map, &at)) {
        status = survey_layer(lint, at.layer, &lint->survey->extents[at.number]);
        if (status == TM_ERROR_DAMAGED) {
            lint->survey->damaged = true;
            lint->unread++;
            status = TM_OK;
        } else if (status) {
            status = tmi_fail_at_address(lint->error, status, lint->map,
                                         (tm_address){TM_ADDRESS_LAYER, at.group, at.index});
        }
    }
    if (status)
        tmi_lint_fail(lint, status);
}

void tmi_lint_release_survey(tmi_lint *lint)
{
    tmi_lint_survey *survey = lint->survey;
    const tm_map *map = lint->map;
    if (!survey)
        return;
    tmi_free(lint->allocator, survey->images, map->num_images, sizeof(*survey->images));
    tmi_free(lint->allocator, survey->sounds, map->num_sounds, sizeof(*survey->sounds));
    tmi_free(lint->allocator, survey->envelopes, map->num_envelopes, sizeof(*survey->envelopes));
    tmi_free(lint->allocator, survey->cells, map->num_images, sizeof(*survey->cells));
    tmi_free(lint->allocator, survey->extents, survey->num_layers, sizeof(*survey->extents));
    tmi_free(lint->allocator, survey, 1, sizeof(*survey));
}
