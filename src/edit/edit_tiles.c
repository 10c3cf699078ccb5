/* SPDX-License-Identifier: Zlib */
/*
 * The operations fill, clear and replace. Patterns (teemap/query.h) select tiles, words (docs/patterns.md)
 * give the new ones. Matching tiles are searched first; a layer only changes if one of its tiles does.
 */
#include "edit_tiles.h"

/* ---------------------------------------------------------------------------------------- rectangles */

static bool add_place(void *ctx, const tm_match *match)
{
    tmi_tile_places *places = ctx;
    if (match->address.kind != TM_KIND_LAYER || !match->rect.width)
        return true;
    places->status = tmi_grow(places->scratch, &places->list, &places->capacity, places->num + 1,
                              sizeof(*places->list), places->error);
    if (places->status)
        return false;
    places->list[places->num++] = (tmi_tile_place){match->address.index, match->address.layer, match->rect};
    return true;
}

tm_status tmi_tile_places_find(tmi_tile_places *out, const tmi_edit *edit, const char *text,
                               const tmi_edit_value *layers, tm_error *error)
{
    tm_find_options options = TM_FIND_OPTIONS_INIT;
    tm_layer_choice *chosen = NULL;
    tm_pattern *pattern;
    *out = (tmi_tile_places){.scratch = edit->scratch, .error = error};
    TM_TRY(tm_pattern_parse(&pattern, text, edit->scratch, error));
    if (!tmi_pattern_of_tiles(pattern))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a tile pattern", text);
    if (layers && layers->text) {
        TM_TRY(tmi_edit_choose_layers(&chosen, edit, layers->text, layers->set_size, error));
        options.layers = chosen;
        options.region = (tm_rect){layers->x, layers->y, layers->width, layers->height};
    }
    const tm_status status = tm_map_find(edit->map, &pattern, 1, &options, add_place, out, error);
    return out->status ? out->status : status;
}

/* --------------------------------------------------------------------------------------------- writing */

/* Changes the tiles of one layer. If none changes, the layer stays as it is in the file. */
static tm_status change_layer(tmi_edit *edit, const tmi_tile_changer *changer, const tmi_tile_place *places,
                              size_t num, tm_error *error)
{
    const tm_address address = tmi_edit_address(TM_KIND_LAYER, places->group, places->layer);
    const tm_layer *layer = tmi_edit_layer_at(edit, &address);
    uint8_t before[sizeof(tm_speedup_tile)], after[sizeof(tm_speedup_tile)];
    bool known = false; /* what `before` becomes: most tiles equal the one before */
    uint64_t count = 0;
    tm_grid grid;
    tm_edit_grid writable;
    TM_TRY(tm_map_tiles(&grid, edit->map, layer, error));
    const uint8_t *tiles = grid.tiles;
    uint8_t *out = NULL;
    const size_t size = grid.tile_size;
    for (size_t i = 0; tiles && i < num; i++) {
        const tm_rect *rect = &places[i].rect;
        for (size_t y = (size_t)rect->y; y < (size_t)tmi_bottom(rect); y++) {
            size_t to = y * grid.row_stride + (size_t)rect->x * size;
            for (uint32_t x = 0; x < rect->width; x++, to += size) {
                if (!known || !tmi_same_element(before, tiles + to, size)) {
                    tmi_copy_element(before, tiles + to, size);
                    tmi_copy_element(after, before, size);
                    changer->change(changer->ctx, layer->kind, after);
                    known = true;
                }
                if (tmi_same_element(after, tiles + to, size))
                    continue;
                if (!count++) {
                    TM_TRY(tm_map_edit_tiles(&writable, edit->map, address.index, address.layer, error));
                    tiles = out = writable.tiles;
                }
                tmi_copy_element(out + to, after, size);
            }
        }
    }
    if (!count)
        tmi_map_drop_data(edit->map, layer->as.tiles.tiles);
    else
        tmi_edit_changed(edit, address, count, "%llu tile%s %s", (unsigned long long)count,
                         count == 1 ? "" : "s", changer->done);
    return TM_OK;
}

tm_status tmi_tile_places_change(tmi_edit *edit, const tmi_tile_changer *changer,
                                 const tmi_tile_places *places, tm_error *error)
{
    for (size_t from = 0, to; from < places->num; from = to) {
        for (to = from + 1; to < places->num && places->list[to].group == places->list[from].group &&
                            places->list[to].layer == places->list[from].layer;)
            to++;
        const tmi_tile_place *first = &places->list[from];
        TM_TRY(tmi_fail_at_address(error, change_layer(edit, changer, first, to - from, error), edit->map,
                                   tmi_edit_address(TM_KIND_LAYER, first->group, first->layer)));
    }
    return TM_OK;
}

tm_status tmi_tiles_change(tmi_edit *edit, const char *pattern, const tmi_edit_value *layers,
                           const tmi_tile_changer *changer, tm_error *error)
{
    tmi_tile_places places;
    TM_TRY(tmi_tile_places_find(&places, edit, pattern, layers, error));
    return tmi_tile_places_change(edit, changer, &places, error);
}

/* ---------------------------------------------------------------------------------------------- replace */

static void paint_tile(const void *ctx, tm_layer_kind kind, uint8_t *tile)
{
    tmi_paint_put(ctx, kind, tile);
}

/* Removes places in layers that cannot have the tile, and reports it per layer. */
static void leave_out_unfit(tmi_edit *edit, tmi_tile_places *places, const tmi_paint *paint, const char *text)
{
    size_t kept = 0;
    for (size_t i = 0; i < places->num;) {
        const tmi_tile_place first = places->list[i];
        const tm_layer_kind kind = edit->map->groups[first.group].layers[first.layer].kind;
        const bool suits = tmi_paint_suits(paint, kind);
        uint64_t count = 0;
        for (;
             i < places->num && places->list[i].group == first.group && places->list[i].layer == first.layer;
             i++) {
            count += (uint64_t)places->list[i].rect.width * places->list[i].rect.height;
            if (suits)
                places->list[kept++] = places->list[i];
        }
        if (!suits)
            tmi_edit_report(edit, TM_FINDING_TILE_UNFIT,
                            tmi_edit_address(TM_KIND_LAYER, first.group, first.layer),
                            "%llu tile%s stay%s: a %s layer cannot have '%.60s'", (unsigned long long)count,
                            count == 1 ? "" : "s", count == 1 ? "s" : "", tm_game_layer(kind)->name, text);
    }
    places->num = kept;
}

tm_status tmi_edit_replace(tmi_edit *edit, tm_error *error)
{
    const char *pattern = edit->values[0].text, *tile = edit->values[2].text;
    tmi_tile_places places;
    tmi_paint paint;
    const tmi_tile_changer changer = {paint_tile, &paint, "replaced"};
    TM_TRY(tmi_paint_parse(&paint, tile, error));
    TM_TRY(tmi_tile_places_find(&places, edit, pattern, &edit->values[3], error));
    if (!places.num)
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map, "no tile fits '%.100s'", pattern);
    leave_out_unfit(edit, &places, &paint, tile);
    return tmi_tile_places_change(edit, &changer, &places, error);
}

/* ------------------------------------------------------------------------------------------------- fill */

/* Which of the layers can have the tile; it is an error if none can. */
static tm_status check_fill(const tmi_edit *edit, const tmi_paint *paint, const tmi_edit_value *layers,
                            const char *text, tm_error *error)
{
    tmi_edit_objects objects;
    bool any = false;
    TM_TRY(tmi_edit_layers_find(&objects, edit, layers, error));
    for (size_t i = 0; i < objects.num; i++)
        any |= tmi_paint_suits(paint,
                               edit->map->groups[objects.list[i].index].layers[objects.list[i].layer].kind);
    if (any)
        return TM_OK;
    const int size = layers->set_size < 60 ? (int)layers->set_size : 60;
    if (!objects.num && strcspn(layers->text, ":*,/") < (size_t)size)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "no layer fits '%.*s'", size, layers->text);
    if (!objects.num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has no layer '%.*s'; 'add layer' makes one",
                        size, layers->text);
    return tmi_fail(error, TM_ERROR_USAGE, -1, "none of the layers '%.60s' can have the tile '%.60s'",
                    layers->text, text);
}

void tmi_edit_write_tile(const void *paint, tm_layer_kind kind, uint8_t *tile)
{
    memset(tile, 0, tm_game_layer(kind)->element_size);
    tmi_paint_put(paint, kind, tile);
}

/* "clear Game" selects the group of that name with all its physics; users often mean the game layer. */
static void report_whole_group(tmi_edit *edit, const tmi_edit_value *layers, const tmi_tile_places *places)
{
    char set[64];
    tm_address address;
    uint32_t num = 0;
    tmi_format(set, sizeof(set), "%.*s", layers->set_size < sizeof(set) ? (int)layers->set_size : 0,
               layers->text ? layers->text : "");
    if (!set[0] || tm_address_parse(&address, edit->map, set, NULL) || address.kind != TM_KIND_GROUP)
        return;
    for (size_t i = 0; i < places->num; i++)
        if (i == 0 || places->list[i].layer != places->list[i - 1].layer)
            num += tm_game_layer(edit->map->groups[address.index].layers[places->list[i].layer].kind)
                       ->is_physics;
    if (num > 1)
        tmi_edit_report(edit, TM_FINDING_WHOLE_GROUP, address,
                        "'%s' is a group, of which %u physics layers are meant; 'game' is the game layer "
                        "alone, '%s/*' all of them without this warning",
                        set, (unsigned)num, set);
}

/* Writes a tile to all places of the layers of the first argument, or to those at which the mask fits. */
static tm_status fill_with(tmi_edit *edit, const tmi_paint *paint, const char *tile, const char *mask,
                           const char *done, tm_error *error)
{
    const tmi_edit_value *layers = &edit->values[0];
    const tmi_tile_changer changer = {tmi_edit_write_tile, paint, done};
    tmi_tile_places places;
    char *masked = NULL;
    if (mask) {
        const size_t size = sizeof("0..255 where ") + strlen(mask);
        TM_TRY(tmi_reserve(&masked, edit->scratch, size, 1, "pattern", error));
        tmi_format(masked, size, "0..255 where %s", mask);
    }
    TM_TRY(tmi_tile_places_find(&places, edit, mask ? masked : "0..255", layers, error));
    if (mask && !places.num)
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map, "no place fits '%.100s'", mask);
    leave_out_unfit(edit, &places, paint, tile);
    report_whole_group(edit, layers, &places);
    return tmi_tile_places_change(edit, &changer, &places, error);
}

tm_status tmi_edit_fill(tmi_edit *edit, tm_error *error)
{
    const tmi_edit_value *layers = &edit->values[0];
    const char *tile = edit->values[1].text, *mask = edit->values[3].text;
    tmi_paint paint;
    TM_TRY(tmi_paint_parse(&paint, tile, error));
    TM_TRY(tmi_paint_check_whole(&paint, error));
    TM_TRY(check_fill(edit, &paint, layers, tile, error));
    return fill_with(edit, &paint, tile, mask, "written", error);
}

/* ------------------------------------------------------------------------------------------------ clear */

static tm_status drop_element(void *ctx, void *element, bool *kept, tm_error *error)
{
    (void)ctx, (void)element, (void)error;
    *kept = false;
    return TM_OK;
}

/* Removes the quads or sound sources of a layer, if there is a region, only those in it. */
static tm_status clear_elements(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    uint32_t num;
    TM_TRY(tmi_edit_elements_change(&num, edit, address, drop_element, NULL, error));
    if (num)
        tmi_edit_changed(edit, *address, num, "%u %s%s removed", (unsigned)num,
                         tmi_edit_layer_at(edit, address)->kind == TM_LAYER_QUADS ? "quad" : "sound source",
                         num == 1 ? "" : "s");
    return TM_OK;
}

tm_status tmi_edit_clear(tmi_edit *edit, tm_error *error)
{
    tmi_paint air;
    TM_TRY(tmi_paint_parse(&air, "air", error));
    TM_TRY(fill_with(edit, &air, "air", edit->values[2].text, "cleared", error));
    return edit->values[2].text ? TM_OK : tmi_edit_each(edit, TM_KIND_LAYER, clear_elements, NULL, error);
}
