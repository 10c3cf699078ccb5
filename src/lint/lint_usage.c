/* SPDX-License-Identifier: Zlib */
/*
 * One pass over all layers except physics: their references, and the extent of their tiles. Runs when the
 * first rule needs it.
 */
#include "lint.h"

static void mark_used(void *ctx, const tm_field *field, int32_t *index)
{
    const tm_kind object = field->refers;
    const tmi_lint *lint = ctx;
    const tm_map *map = lint->map;
    const struct {
        bool *used;
        uint32_t num;
    } lists[] = {[TM_KIND_IMAGE] = {lint->survey->images, map->num_images},
                 [TM_KIND_SOUND] = {lint->survey->sounds, map->num_sounds},
                 [TM_KIND_ENVELOPE] = {lint->survey->envelopes, map->num_envelopes}};
    if ((size_t)object < TMI_COUNT_OF(lists) && *index >= 0 && (uint32_t)*index < lists[object].num)
        lists[object].used[*index] = true;
}

/* ----------------------------------------------------------------------------------------------- tiles */

/*
 * From the bottom up to the last row with content, and of all rows the columns right of what is known; no
 * further than is needed to know that the layer is no more than twice as large as its content.
 */
static void survey_grid(tmi_lint_extent *extent, const tm_grid *grid)
{
    const tm_tile *tiles = grid->tiles;
    const uint32_t width = grid->width;
    uint32_t x1 = 0, y1 = tiles ? grid->height : 0;
    for (; y1; y1--) {
        const tm_tile *row = &tiles[(size_t)(y1 - 1) * width];
        uint32_t x = tmi_all_zero(row, width * sizeof(*row)) ? width : 0;
        while (x < width && !row[x].index) /* flags of air are nothing */
            x++;
        if (x < width)
            break;
    }
    for (uint32_t y = y1; y-- && (uint64_t)x1 * y1 * 2 <= (uint64_t)width * grid->height;) {
        const tm_tile *row = &tiles[(size_t)y * width];
        uint32_t x = tmi_all_zero(&row[x1], (width - x1) * sizeof(*row)) ? x1 : width;
        while (x > x1 && !row[x - 1].index)
            x--;
        x1 = x;
    }
    *extent = (tmi_lint_extent){.known = true, .empty = !y1, .x1 = x1, .y1 = y1};
}

static tm_status survey_tiles(tmi_lint *lint, const tm_layer *layer, uint32_t number)
{
    tmi_lint_extent *extent = &lint->survey->extents[number];
    const tm_tile_layer *tiles = &layer->as.tiles;
    tmi_lint_seen *seen = &lint->survey->seen[tmi_block_key(tiles->tiles) % TMI_LINT_SEEN];
    tmi_borrowed loan;
    tm_grid grid;
    if (!tmi_lint_is_read(layer))
        return TM_OK;
    /* layers that share their data are looked at once: 9000 that share a megabyte took ten seconds */
    if (seen->layer && tmi_layers_share_tiles(seen->layer, layer)) {
        *extent = lint->survey->extents[seen->number];
    } else {
        TM_TRY(tmi_borrowed_grid(&loan, &grid, lint->map, layer, lint->error));
        survey_grid(extent, &grid);
        tmi_borrowed_close(&loan);
        *seen = (tmi_lint_seen){layer, number};
    }
    if (!extent->empty || tiles->automapper.present)
        tmi_lint_survey_image(lint, tiles);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- elements */

static tm_status survey_elements(tmi_lint *lint, tm_layer *layer, const tm_layer_walk *walk)
{
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, lint->map, tmi_referring_block(layer), lint->error));
    tmi_visit_packed_references(layer, (void *)(uintptr_t)loan.bytes, mark_used, lint); /* reads only */
    if (layer->kind == TM_LAYER_QUADS && loan.bytes) {
        const uint64_t num_stored = loan.size / sizeof(tm_quad), num = layer->as.quads.num_quads;
        tmi_lint_survey_quads(lint, &lint->map->groups[walk->group], layer, walk->number, loan.bytes,
                              num < num_stored ? num : num_stored);
    }
    tmi_borrowed_close(&loan);
    return TM_OK;
}

void tmi_lint_make_survey(tmi_lint *lint)
{
    const tm_map *map = lint->map;
    const uint32_t num_layers = tm_map_num_layers(map);
    tm_layer_walk walk = {0};
    tmi_lint_survey *survey = lint->survey = tmi_lint_alloc(lint, 1, sizeof(*survey));
    if (!survey)
        return;
    survey->images = tmi_lint_alloc(lint, map->num_images, sizeof(*survey->images));
    survey->sounds = tmi_lint_alloc(lint, map->num_sounds, sizeof(*survey->sounds));
    survey->envelopes = tmi_lint_alloc(lint, map->num_envelopes, sizeof(*survey->envelopes));
    survey->extents = tmi_lint_alloc(lint, num_layers, sizeof(*survey->extents));
    survey->quads = tmi_lint_alloc(lint, num_layers, sizeof(*survey->quads));
    survey->uses = tmi_lint_alloc(lint, map->num_images, sizeof(*survey->uses));
    while (!lint->status && tm_map_next_layer(map, &walk)) {
        tm_layer copy = *walk.layer;
        tm_status status = TM_OK;
        tmi_visit_references(&copy, mark_used, lint);
        if (copy.kind == TM_LAYER_TILES)
            status = survey_tiles(lint, walk.layer, walk.number);
        else if (tmi_referring_block(&copy))
            status = survey_elements(lint, &copy, &walk);
        survey->damaged |= !tmi_lint_can_read(lint, status, tmi_lint_walk_address(&walk));
    }
}
