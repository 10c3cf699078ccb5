/* SPDX-License-Identifier: Zlib */
/*
 * Reads patches from JSON. Everything is checked: numbers of objects against the sides, pairs against each
 * other, values against their fields, sizes against the limits. Unknown changes are an error, as a patch that
 * is only understood in part must not be applied.
 */
#include "patch_text.h"

/* ------------------------------------------------------------------------------------------------ changes */

/* Whether an object of a list, and of layers one of this kind, has fields of an owner. */
static bool has_fields(tm_kind list, tm_layer_kind kind, tm_kind owner)
{
    if (list == TM_KIND_MAP)
        return owner == TM_KIND_MAP || owner == TM_KIND_INFO;
    return owner == list || (list == TM_KIND_LAYER && owner == tm_kind_of_layer(kind));
}

/* Whether it has a list of elements of an owner; tiles are grids. */
static bool has_elements(tm_kind list, tm_layer_kind kind, tm_kind owner)
{
    if (list == TM_KIND_ENVELOPE)
        return owner == TM_KIND_ENVELOPE_POINT;
    return list == TM_KIND_LAYER && !tm_game_layer(kind)->is_tiles && owner == tm_kind_of_elements(kind);
}

static tm_status read_owner(const tmi_patch_reader *r, const tm_json *node, tmi_delta *delta)
{
    const tm_json *name;
    TM_TRY(tmi_want_member(r, node, "owner", TM_JSON_TEXT, &name));
    for (tm_kind owner = 0; owner < TM_KINDS; owner++)
        if (strcmp(tm_kind_name(owner), name->text) == 0)
            delta->owner = owner;
    const bool element = delta->type == TMI_DELTA_ELEMENT;
    const tm_layer_kind kind = tmi_delta_layer_kind(r->patch, delta);
    if (delta->owner == TM_KINDS || !(element ? has_elements(delta->list, kind, delta->owner)
                                              : has_fields(delta->list, kind, delta->owner)))
        return tmi_json_fail(name, r->error, "'%.40s' is not of such an object", name->text);
    if (element)
        return TM_OK;
    TM_TRY(tmi_want_member(r, node, "field", TM_JSON_TEXT, &name));
    delta->field = tm_field_find(delta->owner, name->text);
    if (!delta->field)
        return tmi_json_fail(name, r->error, "there is no field '%.40s'", name->text);
    return TM_OK;
}

/* The content of an object is of the kind that its name has: a kind of layer, or channels of an envelope. */
static tm_status check_content(const tmi_patch_reader *r, const tm_json *node, const tmi_delta *delta,
                               int side)
{
    const void *object = delta->content[side];
    const tmi_label *label = &r->patch->match.side[side].labels[delta->list][delta->number[side]];
    const int32_t kind = delta->list == TM_KIND_LAYER      ? (int32_t)((const tm_layer *)object)->kind
                         : delta->list == TM_KIND_ENVELOPE ? ((const tm_envelope *)object)->channels
                                                           : label->kind;
    return kind == label->kind
               ? TM_OK
               : tmi_json_fail(node, r->error, "the object is of another kind than its name says");
}

static tm_status read_object_change(tmi_patch_reader *r, const tm_json *node, tmi_delta *delta)
{
    const bool before = delta->number[TMI_BEFORE] != TMI_NOWHERE,
               after = delta->number[TMI_AFTER] != TMI_NOWHERE;
    if (delta->list == TM_KIND_MAP || (!before && !after))
        return tmi_json_fail(node, r->error, "the change says nothing");
    if (before && after)
        return TM_OK;
    const int side = after ? TMI_AFTER : TMI_BEFORE;
    TM_TRY(tmi_read_content(r, node, after ? "is" : "was", delta, side));
    return check_content(r, node, delta, side);
}

static tm_status read_field_change(tmi_patch_reader *r, const tm_json *node, tmi_delta *delta)
{
    int64_t index;
    TM_TRY(read_owner(r, node, delta));
    if (!tmi_field_in_patch(delta->field))
        return tmi_json_fail(node, r->error, "'%s' does not change by itself", delta->field->name);
    TM_TRY(tmi_want_number(r, tm_json_get(node, "index"), 0, (int64_t)delta->field->num_values - 1, &index));
    delta->index = (uint32_t)index;
    TM_TRY(tmi_read_value(r, node, "was", delta->field, &delta->value[TMI_BEFORE]));
    return tmi_read_value(r, node, "is", delta->field, &delta->value[TMI_AFTER]);
}

/* Reads the change of a setting or an element: its places, whether it moved, and both versions. */
static tm_status read_item_change(tmi_patch_reader *r, const tm_json *node, tmi_delta *delta)
{
    static const uint32_t below[2] = {INT32_MAX, INT32_MAX};
    static const char *const names[2] = {"was", "is"};
    const bool setting = delta->type == TMI_DELTA_SETTING;
    const tm_json *moved;
    delta->owner = setting ? TM_KIND_INFO : TM_KINDS;
    if (setting && delta->list != TM_KIND_MAP)
        return tmi_json_fail(node, r->error, "settings are of the whole map");
    if (!setting)
        TM_TRY(read_owner(r, node, delta));
    TM_TRY(tmi_read_pair(r, node, "at", below, delta->at));
    TM_TRY(tmi_want_member(r, node, "moved", TM_JSON_BOOL, &moved));
    delta->moved = moved->number;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const tm_json *element = tm_json_get(node, names[side]);
        tm_value value;
        void *content;
        if (setting) {
            TM_TRY(tmi_read_value(r, node, names[side], tm_field_find(TM_KIND_INFO, "settings"), &value));
            delta->bytes[side] = value.as.text;
        } else if (element && element->kind != TM_JSON_NULL) {
            TM_TRY(tmi_patch_alloc(r->patch, &content, 1, tm_kind_size(delta->owner), r->error));
            TM_TRY(tmi_read_fields(r, element, delta->owner, TM_KINDS, content));
            delta->bytes[side] = content;
        }
        if (!delta->bytes[side] != (delta->at[side] == TMI_NOWHERE))
            return tmi_json_fail(node, r->error, "an element is where there is none, or has no place");
    }
    return delta->bytes[0] || delta->bytes[1] ? TM_OK
                                              : tmi_json_fail(node, r->error, "the change says nothing");
}

/* -------------------------------------------------------------------------------------------------- grids */

/* Reads the elements of a run in hex: all of them, or one for all. */
static tm_status read_hex(const tmi_patch_reader *r, const tm_json *node, const tmi_grid *grid,
                          const tmi_grid_run *run, tmi_encoding view, uint8_t *out)
{
    const size_t digits = node && node->kind == TM_JSON_TEXT ? strlen(node->text) : 0;
    const size_t one = 2 * (size_t)grid->size, all = one * run->num;
    if (digits != one && (digits < all || digits >= all + one))
        return tmi_json_fail(node, r->error, "%u or one element of %u bytes were expected",
                             (unsigned)run->num, (unsigned)grid->size);
    if (digits != one && digits != all)
        return tmi_json_fail(node, r->error, "the last element is cut");
    if (tmi_hex_parse(out, node->text, digits / 2) != digits)
        return tmi_json_fail(node, r->error, "elements are written in hexadecimal digits");
    tmi_encoding_swap(out, digits / 2, view);
    for (uint32_t i = 1; digits == one && i < run->num; i++)
        memcpy(out + (size_t)i * grid->size, out, grid->size);
    return TM_OK;
}

enum { GRID_FAR = INT32_MAX / 8 };

/* Reads the places of runs, which must be sorted by rows and not overlap. */
static tm_status read_run_places(tmi_patch_reader *r, const tm_json *runs, tmi_grid *grid)
{
    const tm_json *row = runs->first;
    for (uint32_t i = 0; i < runs->num; i++, row = row->next) {
        const tm_json *number = row->first;
        int64_t x, y, num;
        if (row->kind != TM_JSON_ARRAY || row->num != 5)
            return tmi_json_fail(row, r->error, "a run has x, y, how many, what was, what is");
        TM_TRY(tmi_want_number(r, number, -GRID_FAR, GRID_FAR, &x));
        TM_TRY(tmi_want_number(r, number->next, -GRID_FAR, GRID_FAR, &y));
        TM_TRY(tmi_want_number(r, number->next->next, 1, GRID_FAR, &num));
        const tmi_grid_run *last = i ? &grid->runs[i - 1] : NULL;
        if (last && (y < last->y || (y == last->y && x < (int64_t)last->x + last->num)))
            return tmi_json_fail(row, r->error, "runs must stand in order, and none on another");
        if ((uint64_t)num * grid->size * 2 > r->room)
            return tmi_fail(r->error, TM_ERROR_LIMIT, -1, "the patch holds more than the limits allow");
        r->room -= (uint64_t)num * grid->size * 2;
        grid->runs[i] = (tmi_grid_run){(int32_t)x, (int32_t)y, (uint32_t)num, grid->num};
        grid->num += (uint64_t)num;
    }
    grid->num_runs = runs->num;
    return TM_OK;
}

/* Whether the elements of a grid may have this size in bytes; false for a field that is no grid. */
static bool element_size_fits(const tmi_delta *delta, tm_layer_kind kind, int64_t size)
{
    if (delta->field->type != TM_TYPE_BLOCK)
        return false;
    if (delta->list == TM_KIND_IMAGE)
        return size == 3 || size == 4;
    if (delta->owner != TM_KIND_TILE_LAYER || !tm_game_layer(kind)->is_tiles)
        return false;
    return size == (int64_t)(delta->field->flags & TM_FIELD_ELEMENTS ? tm_game_layer(kind)->element_size
                                                                     : sizeof(tm_tile));
}

/*
 * Whether each element of the runs has a place on one of the sides, and is zero on a side that has none for
 * it. With the regions it is known whether any lies outside.
 */
static bool runs_fit(const tmi_grid *grid)
{
    if (!grid->outside[TMI_BEFORE] && !grid->outside[TMI_AFTER])
        return true;
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        for (uint32_t i = 0; i < run->num; i++) {
            bool there[2];
            for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
                const tm_rect bounds = tmi_grid_rect(grid, side);
                there[side] = tmi_rect_has(&bounds, (int64_t)run->x + i, run->y);
                if (!there[side] &&
                    !tmi_all_zero(grid->bytes[side] + (size_t)(run->first + i) * grid->size, grid->size))
                    return false;
            }
            if (!there[TMI_BEFORE] && !there[TMI_AFTER])
                return false;
        }
    }
    return true;
}

/* Reads the squares around the runs; older patches have none. */
static tm_status read_around(tmi_patch_reader *r, const tm_json *node, tmi_encoding view, tmi_grid *grid)
{
    const tm_json *list = tm_json_get(node, "around");
    tmi_grid *squares;
    if (!list)
        return TM_OK;
    if (list->kind != TM_JSON_ARRAY || list->num > TMI_SQUARES_MAX)
        return tmi_json_fail(list, r->error, "'around' is an array of at most %d squares", TMI_SQUARES_MAX);
    TM_TRY(tmi_grid_new(r->patch, &squares, &(tmi_grid){.size = grid->size}, list->num,
                        (size_t)list->num * TMI_SQUARE, r->error));
    for (const tm_json *square = list->first; square; square = square->next) {
        int64_t x, y;
        if (square->kind != TM_JSON_ARRAY || square->num != 3)
            return tmi_json_fail(square, r->error, "a square has x, y and its elements");
        TM_TRY(tmi_want_number(r, square->first, 0, GRID_FAR, &x));
        TM_TRY(tmi_want_number(r, square->first->next, 0, GRID_FAR, &y));
        tmi_grid_run *run = &squares->runs[squares->num_runs++];
        *run = (tmi_grid_run){(int32_t)x, (int32_t)y, TMI_SQUARE, squares->num};
        TM_TRY(read_hex(r, square->first->next->next, squares, run, view,
                        squares->bytes[TMI_BEFORE] + (size_t)squares->num * grid->size));
        squares->num += TMI_SQUARE;
    }
    grid->surroundings = squares;
    return TM_OK;
}

static tm_status read_grid_change(tmi_patch_reader *r, const tm_json *node, tmi_delta *delta)
{
    const tm_json *size, *shift, *runs;
    int64_t bytes, sizes[4], by[2];
    tmi_grid *grid;
    TM_TRY(read_owner(r, node, delta));
    const tm_layer_kind kind = tmi_delta_layer_kind(r->patch, delta);
    const tmi_encoding view = tmi_view_of_data(delta->field, kind);
    TM_TRY(tmi_want_member(r, node, "size", TM_JSON_ARRAY, &size));
    TM_TRY(tmi_want_member(r, node, "shift", TM_JSON_ARRAY, &shift));
    TM_TRY(tmi_want_member(r, node, "runs", TM_JSON_ARRAY, &runs));
    TM_TRY(tmi_want_numbers(r, size, 0, GRID_FAR, sizes, 4));
    TM_TRY(tmi_want_numbers(r, shift, -GRID_FAR, GRID_FAR, by, 2));
    TM_TRY(tmi_want_number(r, tm_json_get(node, "bytes"), 1, 16, &bytes));
    if (!element_size_fits(delta, kind, bytes) ||
        (delta->list == TM_KIND_IMAGE && (sizes[0] != sizes[2] || sizes[1] != sizes[3] || by[0] || by[1])))
        return tmi_json_fail(node, r->error, "'%s' is not a grid of this form", delta->field->name);
    TM_TRY(tmi_patch_alloc(r->patch, &grid, 1, sizeof(*grid), r->error));
    *grid = (tmi_grid){.width = {(uint32_t)sizes[0], (uint32_t)sizes[2]},
                       .height = {(uint32_t)sizes[1], (uint32_t)sizes[3]},
                       .dx = (int32_t)by[0],
                       .dy = (int32_t)by[1],
                       .size = (uint32_t)bytes};
    TM_TRY(tmi_patch_alloc(r->patch, &grid->runs, runs->num, sizeof(*grid->runs), r->error));
    TM_TRY(read_run_places(r, runs, grid));
    TM_TRY(tmi_patch_alloc(r->patch, &grid->bytes[TMI_BEFORE], (size_t)grid->num, grid->size, r->error));
    TM_TRY(tmi_patch_alloc(r->patch, &grid->bytes[TMI_AFTER], (size_t)grid->num, grid->size, r->error));
    const tm_json *row = runs->first;
    for (uint32_t i = 0; i < runs->num; i++, row = row->next) {
        const tm_json *was = row->first->next->next->next;
        const size_t first = (size_t)grid->runs[i].first * grid->size;
        TM_TRY(read_hex(r, was, grid, &grid->runs[i], view, grid->bytes[TMI_BEFORE] + first));
        TM_TRY(read_hex(r, was->next, grid, &grid->runs[i], view, grid->bytes[TMI_AFTER] + first));
    }
    delta->grid = grid;
    TM_TRY(read_around(r, node, view, grid));
    TM_TRY(tmi_grid_find_regions(r->patch, grid, r->error));
    return runs_fit(grid) ? TM_OK : tmi_json_fail(runs, r->error, "a run lies where the grid has nothing");
}

static tm_status read_data_change(tmi_patch_reader *r, const tm_json *node, tmi_delta *delta)
{
    TM_TRY(read_owner(r, node, delta));
    const tmi_encoding view = tmi_view_of_data(delta->field, tmi_delta_layer_kind(r->patch, delta));
    const bool list = delta->owner == TM_KIND_QUAD_LAYER || delta->owner == TM_KIND_SOUND_LAYER;
    if (delta->field->type != TM_TYPE_BLOCK || list)
        return tmi_json_fail(node, r->error, "'%s' is not data", delta->field->name);
    TM_TRY(tmi_read_block(r, node, "was", view, &delta->block[TMI_BEFORE]));
    return tmi_read_block(r, node, "is", view, &delta->block[TMI_AFTER]);
}

/* -------------------------------------------------------------------------------------------- all changes */

/*
 * The grids of a layer have one size on each side, and that of the game layer is the one that the patch knows
 * of the map.
 */
static bool grids_agree(const tm_patch *patch)
{
    const tmi_grid *last = NULL; /* of the layer at hand */
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        const tmi_grid *grid = delta->list == TM_KIND_LAYER ? delta->grid : NULL;
        if (i && (delta->list != delta[-1].list || delta->number[0] != delta[-1].number[0]))
            last = NULL;
        if (!grid)
            continue;
        if (tmi_delta_layer_kind(patch, delta) == TM_LAYER_GAME && patch->game)
            last = patch->game;
        if (last && (memcmp(last->width, grid->width, sizeof(grid->width)) != 0 ||
                     memcmp(last->height, grid->height, sizeof(grid->height)) != 0))
            return false;
        last = grid;
    }
    return true;
}

/* Changes are about paired objects; those that are added or removed have no pair. */
static tm_status read_paired(const tmi_patch_reader *r, const tm_json *node, tm_kind list, uint32_t number[2])
{
    const tmi_pairs *pairs = &r->patch->match.pairs[list];
    int32_t other[2];
    TM_TRY(tmi_read_pair(r, node, "objects", pairs->num, number));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        other[side] = number[side] == TMI_NOWHERE ? TM_NONE : pairs->other[side][number[side]];
    const bool both = number[TMI_BEFORE] != TMI_NOWHERE && number[TMI_AFTER] != TMI_NOWHERE;
    if (both ? other[TMI_BEFORE] == (int32_t)number[TMI_AFTER]
             : other[TMI_BEFORE] == TM_NONE && other[TMI_AFTER] == TM_NONE)
        return TM_OK;
    return tmi_json_fail(node, r->error, "the change does not go with the pairs");
}

static tm_status read_one_change(tmi_patch_reader *r, const tm_json *node)
{
    static tm_status (*const readers[])(tmi_patch_reader * r, const tm_json *node, tmi_delta *delta) = {
        [TMI_DELTA_OBJECT] = read_object_change, [TMI_DELTA_FIELD] = read_field_change,
        [TMI_DELTA_SETTING] = read_item_change,  [TMI_DELTA_ELEMENT] = read_item_change,
        [TMI_DELTA_GRID] = read_grid_change,     [TMI_DELTA_DATA] = read_data_change};
    const tm_json *word;
    tmi_delta *delta;
    tm_kind list = TM_KIND_MAP;
    uint32_t number[2] = {0, 0};
    size_t type = 0;
    TM_TRY(tmi_want_member(r, node, "change", TM_JSON_TEXT, &word));
    while (type < TMI_COUNT_OF(readers) && strcmp(tmi_patch_delta_names[type], word->text) != 0)
        type++;
    if (type == TMI_COUNT_OF(readers))
        return tmi_json_fail(word, r->error, "there is no change '%.40s'", word->text);
    const tm_json *name = tm_json_get(node, "list");
    const bool whole = !name || name->kind == TM_JSON_NULL;
    for (tm_kind at = TM_KIND_IMAGE; at <= TM_KIND_LAYER && !whole && name->kind == TM_JSON_TEXT; at++)
        if (strcmp(tmi_patch_list_names[at], name->text) == 0)
            list = at;
    if (!whole && list == TM_KIND_MAP)
        return tmi_json_fail(name, r->error, "there is no such list");
    if (!whole)
        TM_TRY(read_paired(r, node, list, number));
    if (type != TMI_DELTA_OBJECT && (number[0] == TMI_NOWHERE || number[1] == TMI_NOWHERE))
        return tmi_json_fail(node, r->error, "the change needs an object on both sides");
    for (int side = TMI_BEFORE; side <= TMI_AFTER && list == TM_KIND_LAYER; side++)
        if (number[side] != TMI_NOWHERE && !r->patch->match.side[side].labels[list][number[side]].used)
            return tmi_json_fail(node, r->error, "'names' does not say of what kind the layer is");
    TM_TRY(tmi_patch_add(r->patch, &delta, (tmi_delta_type)type, list, number, r->error));
    return readers[type](r, node, delta);
}

/* ---------------------------------------------------------------------------------------- sides and pairs */

static tm_status read_counts(tmi_patch_reader *r, const tm_json *node, uint32_t num[TM_KIND_GROUP + 1],
                             uint32_t **counts)
{
    const tm_limits *limits = &r->patch->home->priv->limits;
    const int64_t most = limits->items < INT32_MAX ? (int64_t)limits->items : INT32_MAX;
    const tm_json *layers, *entry;
    int64_t count, all = 0;
    for (tm_kind list = TM_KIND_IMAGE; list < TM_KIND_GROUP; list++) {
        TM_TRY(tmi_want_number(r, tm_json_get(node, tmi_patch_list_names[list]), 0, most, &count));
        num[list] = (uint32_t)count;
    }
    TM_TRY(tmi_want_member(r, node, "layers", TM_JSON_ARRAY, &layers));
    TM_TRY(tmi_patch_alloc(r->patch, counts, layers->num, sizeof(**counts), r->error));
    num[TM_KIND_GROUP] = layers->num;
    entry = layers->first;
    for (uint32_t g = 0; g < layers->num; g++, entry = entry->next) {
        TM_TRY(tmi_want_number(r, entry, 0, most, &count));
        (*counts)[g] = (uint32_t)count;
        all += count + 1;
    }
    return all <= most ? TM_OK
                       : tmi_fail(r->error, TM_ERROR_LIMIT, -1,
                                  "the patch has more than %lld layers and groups", (long long)most);
}

static tm_status read_name(const tmi_patch_reader *r, const tm_json *node, tmi_side *side, tm_kind list)
{
    int64_t number, kind;
    if (node->kind != TM_JSON_ARRAY || node->num < 3 || node->num > 4)
        return tmi_json_fail(node, r->error, "a name has a number, a kind and a text");
    TM_TRY(tmi_want_number(r, node->first, 0, (int64_t)side->num[list] - 1, &number));
    tmi_label *label = &side->labels[list][number];
    const tm_json *word = node->first->next;
    if (list == TM_KIND_LAYER) {
        tm_layer_kind named;
        if (word->kind != TM_JSON_TEXT || !tmi_layer_kind_named(&named, word->text, strlen(word->text)))
            return tmi_json_fail(word, r->error, "there is no such kind of layer");
        label->kind = (int32_t)named;
    } else {
        TM_TRY(tmi_want_number(r, word, INT32_MIN, INT32_MAX, &kind));
        label->kind = (int32_t)kind;
    }
    label->used = true;
    return tmi_read_name(r, word->next, &label->name);
}

static tm_status read_side(tmi_patch_reader *r, const tm_json *node, int which)
{
    uint32_t num[TM_KIND_GROUP + 1] = {0}, *counts;
    const tm_json *names;
    TM_TRY(read_counts(r, node, num, &counts));
    TM_TRY(tmi_side_new(&r->patch->match.side[which], num, counts, &r->patch->match.arena, r->error));
    TM_TRY(tmi_want_member(r, node, "names", TM_JSON_OBJECT, &names));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tm_json *list_names = tm_json_get(names, tmi_patch_list_names[list]);
        for (const tm_json *entry = list_names && list_names->kind == TM_JSON_ARRAY ? list_names->first
                                                                                    : NULL;
             entry; entry = entry->next)
            TM_TRY(read_name(r, entry, &r->patch->match.side[which], list));
    }
    return TM_OK;
}

static tm_status read_pairs(const tmi_patch_reader *r, const tm_json *list, tmi_pairs *pairs)
{
    const tm_json *entry = list && list->kind == TM_JSON_ARRAY ? list->first : NULL;
    for (; entry; entry = entry->next) {
        int64_t range[3];
        TM_TRY(tmi_want_numbers(r, entry, 0, INT32_MAX, range, 3));
        if (range[0] + range[2] > pairs->num[TMI_BEFORE] || range[1] + range[2] > pairs->num[TMI_AFTER])
            return tmi_json_fail(entry, r->error, "the pairs are of more objects than there are");
        for (uint32_t i = 0; i < range[2]; i++) {
            const uint32_t a = (uint32_t)range[0] + i, b = (uint32_t)range[1] + i;
            if (pairs->other[TMI_BEFORE][a] != TM_NONE || pairs->other[TMI_AFTER][b] != TM_NONE)
                return tmi_json_fail(entry, r->error, "an object is paired twice");
            tmi_pair(pairs, a, b);
        }
    }
    return TM_OK;
}

/* A layer is of one kind on both sides: what a change has of it is read once, and shown as that of either. */
static tm_status check_kinds(const tmi_patch_reader *r, const tm_json *node)
{
    const tmi_match *match = &r->patch->match;
    const tmi_pairs *pairs = &match->pairs[TM_KIND_LAYER];
    for (uint32_t i = 0; i < pairs->num[TMI_BEFORE]; i++) {
        const int32_t other = pairs->other[TMI_BEFORE][i];
        const tmi_label *before = &match->side[TMI_BEFORE].labels[TM_KIND_LAYER][i];
        const tmi_label *after =
            other == TM_NONE ? NULL : &match->side[TMI_AFTER].labels[TM_KIND_LAYER][other];
        if (after && before->used && after->used && before->kind != after->kind)
            return tmi_json_fail(node, r->error, "layer %u is of kind %s before, and of kind %s after",
                                 (unsigned)i, tm_game_layer((tm_layer_kind)before->kind)->name,
                                 tm_game_layer((tm_layer_kind)after->kind)->name);
    }
    return TM_OK;
}

static tm_status read_whole_patch(tmi_patch_reader *r, const tm_json *root)
{
    const tm_json *sides, *pairs, *changes, *size, *game = tm_json_get(root, "game_layer");
    int64_t version, sizes[2];
    if (!tm_json_get(root, "teemap_patch"))
        return tmi_json_fail(root, r->error,
                             "not a patch of 'teemap diff -o FILE': 'teemap_patch' is missing");
    TM_TRY(tmi_want_number(r, tm_json_get(root, "teemap_patch"), TMI_PATCH_VERSION, TMI_PATCH_VERSION,
                           &version));
    TM_TRY(tmi_want_member(r, root, "sides", TM_JSON_ARRAY, &sides));
    TM_TRY(tmi_want_member(r, root, "pairs", TM_JSON_OBJECT, &pairs));
    TM_TRY(tmi_want_member(r, root, "changes", TM_JSON_ARRAY, &changes));
    if (sides->num != 2)
        return tmi_json_fail(sides, r->error, "there must be two sides");
    TM_TRY(read_side(r, sides->first, TMI_BEFORE));
    TM_TRY(read_side(r, sides->first->next, TMI_AFTER));
    TM_TRY(tmi_match_pairs(&r->patch->match, r->error));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(read_pairs(r, tm_json_get(pairs, tmi_patch_list_names[list]), &r->patch->match.pairs[list]));
    TM_TRY(check_kinds(r, pairs));
    if (game) { /* its size, and squares of its tiles */
        TM_TRY(tmi_want_member(r, game, "size", TM_JSON_ARRAY, &size));
        TM_TRY(tmi_want_numbers(r, size, 0, GRID_FAR, sizes, 2));
        const tmi_grid grid = {.width = {(uint32_t)sizes[0], (uint32_t)sizes[0]},
                               .height = {(uint32_t)sizes[1], (uint32_t)sizes[1]},
                               .size = sizeof(tm_tile)};
        TM_TRY(tmi_patch_copy(r->patch, &r->patch->game, &grid, sizeof(grid), r->error));
        TM_TRY(read_around(r, game, TMI_ENCODING_BYTES, r->patch->game));
    }
    for (const tm_json *change = changes->first; change; change = change->next)
        TM_TRY(read_one_change(r, change));
    tmi_patch_sort(r->patch);
    for (size_t i = 1; i < r->patch->num; i++)
        if (tmi_delta_compare(&r->patch->deltas[i - 1], &r->patch->deltas[i]) == 0)
            return tmi_json_fail(changes, r->error, "two changes are about the same thing");
    return grids_agree(r->patch) ? TM_OK
                                 : tmi_json_fail(changes, r->error, "two grids of a layer have other sizes");
}

tm_status tm_patch_read(tm_patch **out, const void *bytes, size_t size, const tm_patch_options *options,
                        tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_patch *patch;
    tmi_arena arena;
    tm_json *root;
    *out = NULL;
    TM_TRY(tmi_need(bytes, "bytes", error));
    TM_TRY(tmi_patch_new(&patch, options, error));
    const tm_limits *limits = &patch->home->priv->limits;
    tmi_patch_reader r = {.patch = patch, .room = limits->unpacked_bytes, .error = error};
    tmi_arena_init(&arena, tmi_patch_allocator(patch));
    tm_status status = tmi_json_tree(&root, bytes, size, limits->unpacked_bytes, &arena, error);
    if (status == TM_OK)
        status = read_whole_patch(&r, root);
    tmi_inflater_free(r.inflater);
    tmi_arena_release(&arena);
    return tmi_patch_give(out, patch, status);
}
