/* SPDX-License-Identifier: Zlib */
/*
 * Finds the changes of a patch that fit a map: the map has the object, with the content that the patch knows
 * from BEFORE. Nothing is changed here. Elements and settings are searched around their old position.
 */
#include "apply.h"

#include <stdarg.h>

/* Adds a finding: a change does not fit. */
static void misfit(tmi_apply *apply, const tmi_delta *delta, tm_finding_id id, const char *format, ...)
    TMI_PRINTF(4, 5);
static void misfit(tmi_apply *apply, const tmi_delta *delta, tm_finding_id id, const char *format, ...)
{
    const int side = delta->number[TMI_BEFORE] != TMI_NOWHERE ? TMI_BEFORE : TMI_AFTER;
    const uint32_t number = delta->number[side];
    const tm_address address = delta->type == TMI_DELTA_SETTING
                                   ? (tm_address){TM_KIND_SETTINGS, 0, 0}
                                   : tmi_side_address(&apply->patch->match.side[side], delta->list, number);
    const char *name =
        delta->list == TM_KIND_MAP ? NULL : apply->patch->match.side[side].labels[delta->list][number].name;
    char text[TM_ADDRESS_SIZE], why[TM_ERROR_TEXT_SIZE];
    tmi_line place = {{0}, 0};
    va_list list;
    va_start(list, format);
    tmi_vformat(why, sizeof(why), format, list);
    va_end(list);
    apply->fits[delta - apply->patch->deltas].fits = false;
    apply->num_misfits++;
    tm_address_format(&address, text, sizeof(text));
    tmi_line_object(&place, &address, name);
    tm_findings_add(apply->report ? &apply->report->findings : NULL, TM_MODE_GAME, id, -1, text, place.text,
                    why);
}

/* Whether a layer has the field, the elements or the tiles that a change is about. */
static bool layer_has(const tm_layer *layer, const tmi_delta *delta)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    if (delta->type == TMI_DELTA_OBJECT)
        return true;
    if (delta->type == TMI_DELTA_ELEMENT)
        return tm_kind_of_elements(layer->kind) == delta->owner;
    if (delta->grid && delta->field->flags & TM_FIELD_ELEMENTS && info->element_size != delta->grid->size)
        return false;
    return delta->owner == TM_KIND_LAYER || delta->owner == tm_kind_of_layer(layer->kind);
}

static bool image_has(const tm_image *image, const tmi_delta *delta)
{
    return !delta->grid || delta->grid->size == tmi_pixel_size(image);
}

/* The object of this map that a change is about; NULL: there is none. */
static const void *object_in_map(const tmi_apply *apply, const tmi_delta *delta)
{
    if (delta->list == TM_KIND_MAP)
        return apply->map;
    const int32_t here = apply->place[delta->list].other[TMI_BEFORE][delta->number[TMI_BEFORE]];
    return here == TM_NONE ? NULL
                           : tmi_object_at(apply->map, &apply->current->match.side[TMI_BEFORE], delta->list,
                                           (uint32_t)here);
}

/* The object of this map that a change is about; reports it if there is none, or one without the part. */
static const void *require_target(tmi_apply *apply, const tmi_delta *delta)
{
    const void *object = object_in_map(apply, delta);
    const bool has = object && (delta->list == TM_KIND_LAYER   ? layer_has(object, delta)
                                : delta->list == TM_KIND_IMAGE ? image_has(object, delta)
                                                               : true);
    if (has)
        return object;
    misfit(apply, delta, TM_FINDING_PATCH_OBJECT,
           !object                        ? "the map has no such object"
           : delta->list == TM_KIND_LAYER ? "is a layer of another kind"
                                          : "is an image with pixels of another size");
    return NULL;
}

/* Whether the map has another size than in the patch, and it is unknown on which sides it grew or shrank. */
static bool map_is_lost(const tmi_apply *apply)
{
    return (apply->wider[0] || apply->wider[1]) && apply->map_place != TMI_PLACE_FOUND;
}

static void misfit_place(tmi_apply *apply, const tmi_delta *delta)
{
    const tmi_grid *game = apply->patch->game;
    const uint32_t width = game->width[TMI_BEFORE], height = game->height[TMI_BEFORE];
    misfit(apply, delta, TM_FINDING_PATCH_VALUE,
           "the map is %u x %u large, not %u x %u, and it is not certain where this belongs",
           (unsigned)(width + apply->wider[0]), (unsigned)(height + apply->wider[1]), (unsigned)width,
           (unsigned)height);
}

/* ------------------------------------------------------------------------------------------------ objects */

/* Whether the map will have the group that is `after` in the patch. */
static bool will_have_group(const tmi_apply *apply, uint32_t after)
{
    const int32_t before = apply->patch->match.pairs[TM_KIND_GROUP].other[TMI_AFTER][after];
    if (before != TM_NONE)
        return apply->place[TM_KIND_GROUP].other[TMI_BEFORE][before] != TM_NONE;
    for (size_t i = 0; i < apply->patch->num; i++) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        if (delta->type == TMI_DELTA_OBJECT && delta->list == TM_KIND_GROUP && delta->content[TMI_AFTER] &&
            delta->number[TMI_AFTER] == after)
            return true;
    }
    return false;
}

static tm_status fit_of_object(tmi_apply *apply, const tmi_delta *delta)
{
    if (delta->list == TM_KIND_LAYER && delta->number[TMI_AFTER] != TMI_NOWHERE &&
        !will_have_group(
            apply,
            apply->patch->match.side[TMI_AFTER].labels[TM_KIND_LAYER][delta->number[TMI_AFTER]].group)) {
        misfit(apply, delta, TM_FINDING_PATCH_OBJECT, "the map has no group for it");
        return TM_OK;
    }
    if (delta->number[TMI_BEFORE] == TMI_NOWHERE) {
        if (map_is_lost(apply) && (delta->list == TM_KIND_GROUP || delta->list == TM_KIND_LAYER))
            misfit_place(apply, delta);
        return TM_OK;
    }
    const void *const objects[2] = {delta->content[TMI_BEFORE], require_target(apply, delta)};
    tmi_differ differ = {.map = {apply->patch->home, apply->map},
                         .pairs = apply->place,
                         .patch = apply->current,
                         .error = apply->error};
    bool same;
    if (!objects[0] || !objects[1]) /* it only moves, or is not there */
        return TM_OK;
    if (delta->list == TM_KIND_LAYER &&
        ((const tm_layer *)objects[0])->kind != ((const tm_layer *)objects[1])->kind) {
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "is a layer of another kind than the one to be removed");
        return TM_OK;
    }
    TM_TRY(tmi_same_objects(&same, &differ, delta->list, objects));
    if (!same) /* the patch could not restore what is new in it */
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "is not as it was, so it is not removed");
    return TM_OK;
}

/* A group is only removed if all of its layers are removed or move to other groups. */
static tm_status check_removed_groups(tmi_apply *apply)
{
    const tmi_side *current = &apply->current->match.side[TMI_BEFORE];
    bool *leaves = NULL; /* of each layer here whether it is removed, or goes to another group */
    TM_TRY(
        tmi_patch_alloc(apply->current, &leaves, current->num[TM_KIND_LAYER], sizeof(*leaves), apply->error));
    for (size_t i = 0; i < apply->patch->num; i++) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        if (delta->type == TMI_DELTA_OBJECT && delta->list == TM_KIND_LAYER && apply->fits[i].fits &&
            delta->number[TMI_BEFORE] != TMI_NOWHERE)
            leaves[apply->place[TM_KIND_LAYER].other[TMI_BEFORE][delta->number[TMI_BEFORE]]] = true;
    }
    for (size_t i = 0; i < apply->patch->num; i++) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        if (delta->type != TMI_DELTA_OBJECT || delta->list != TM_KIND_GROUP || !delta->content[TMI_BEFORE] ||
            !apply->fits[i].fits)
            continue;
        const int32_t group = apply->place[TM_KIND_GROUP].other[TMI_BEFORE][delta->number[TMI_BEFORE]];
        uint32_t stay = 0;
        for (uint32_t l = current->first_layer[group]; l < current->first_layer[group + 1]; l++)
            stay += !leaves[l];
        if (stay)
            misfit(apply, delta, TM_FINDING_PATCH_VALUE, "has %u other layers, so it is not removed",
                   (unsigned)stay);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ fields, data */

/* A reference BEFORE as one of the unchanged map; a number without an object stays as it is. */
static void bring_before(void *ctx, const tm_field *field, int32_t *index)
{
    const tmi_apply *apply = ctx;
    if (*index >= 0 && (uint32_t)*index < apply->patch->match.side[TMI_BEFORE].num[field->refers])
        *index = apply->place[field->refers].other[TMI_BEFORE][*index];
}

static tm_status fit_of_field(tmi_apply *apply, const tmi_delta *delta)
{
    const void *object = require_target(apply, delta);
    if (!object)
        return TM_OK;
    if (delta->owner == TM_KIND_INFO)
        object = &((const tm_map *)object)->info;
    if (tmi_delta_is_unread(delta)) {
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "%s could not be read, so the patch does not hold it",
               delta->field->name);
        return TM_OK;
    }
    const tm_value current = tm_field_get(delta->field, object, delta->index);
    tm_value want = delta->value[TMI_BEFORE];
    if (delta->field->type == TM_TYPE_REFERENCE) {
        int32_t index = (int32_t)want.as.number;
        bring_before(apply, delta->field, &index);
        want.as.number = index;
    }
    if (tm_value_same(&current, &want))
        return TM_OK;
    char is[80], was[80];
    tm_value_format(is, sizeof(is), delta->field, &current, NULL);
    tm_value_format(was, sizeof(was), delta->field, &want, NULL);
    misfit(apply, delta, TM_FINDING_PATCH_VALUE, "%s is %s, not %s", delta->field->name, is, was);
    return TM_OK;
}

static const tm_block *block_of(const tmi_delta *delta, const void *object)
{
    return tm_field_get(delta->field, object, 0).as.block;
}

static tm_status fit_of_data(tmi_apply *apply, const tmi_delta *delta)
{
    const void *object = require_target(apply, delta);
    bool same;
    if (!object)
        return TM_OK;
    TM_TRY(tmi_block_same(&same, &apply->work, (const tm_map *const[2]){apply->patch->home, apply->map},
                          (const tm_block *const[2]){delta->block[TMI_BEFORE], block_of(delta, object)},
                          apply->error));
    if (!same)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "%s are not as they were", delta->field->name);
    return TM_OK;
}

/* Opens the tiles or pixels of an object of this map; out->tiles NULL: they are fewer than its size says. */
static tm_status open_grid(tm_grid *out, tmi_apply *apply, const tmi_delta *delta, const void *object)
{
    const tm_block *block = block_of(delta, object);
    tmi_grid_size(&out->width, &out->height, delta->list, object);
    TM_TRY(tm_map_data(&out->tiles, NULL, apply->map, block, apply->error));
    if (!block || block->size / delta->grid->size < (uint64_t)out->width * out->height)
        out->tiles = NULL;
    return TM_OK;
}

/*
 * Counts the elements of the runs that are not as they were; outside of the grid they are zero. *is_inside:
 * the runs put nothing outside of it.
 */
static uint64_t wrong_elements(bool *is_inside, const tmi_grid *grid, const tm_grid *map_grid,
                               const int32_t by[2])
{
    static const uint8_t nothing[16];
    const tm_rect bounds = {0, 0, map_grid->width, map_grid->height};
    uint64_t wrong = 0;
    *is_inside = true;
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        for (uint32_t i = 0; i < run->num; i++) {
            const int64_t x = (int64_t)run->x + by[0] + i, y = (int64_t)run->y + by[1];
            const size_t at = (size_t)(run->first + i) * grid->size;
            const bool in = tmi_rect_has(&bounds, x, y);
            const void *element =
                in ? (const uint8_t *)map_grid->tiles + ((size_t)y * map_grid->width + (size_t)x) * grid->size
                   : nothing;
            wrong += memcmp(element, grid->bytes[TMI_BEFORE] + at, grid->size) != 0;
            *is_inside = *is_inside && (in || tmi_all_zero(grid->bytes[TMI_AFTER] + at, grid->size));
        }
    }
    return wrong;
}

/*
 * Finds the positions of tiles in this map. If the game layer does not tell how the map has moved, but all
 * layers agree, the map has moved like them.
 */
static tm_status place_grids(tmi_apply *apply)
{
    TM_TRY(tmi_apply_find_map(apply));
    const bool known = apply->map_place == TMI_PLACE_FOUND;
    bool agree = true;
    for (size_t i = 0; i < apply->patch->num; i++) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        tmi_fit *fit = &apply->fits[i];
        tm_grid map_grid;
        if (delta->type != TMI_DELTA_GRID || delta->list != TM_KIND_LAYER || tmi_grid_reshaped(delta->grid))
            continue;
        const tm_layer *layer = object_in_map(apply, delta);
        if (!layer || !layer_has(layer, delta))
            continue;
        TM_TRY(open_grid(&map_grid, apply, delta, layer));
        if (map_grid.tiles)
            fit->place = tmi_grid_find_place(delta->grid, &map_grid, fit->by);
        if (fit->place != TMI_PLACE_FOUND || known)
            continue;
        agree = agree &&
                (apply->map_place == TMI_PLACE_UNKNOWN || memcmp(apply->by, fit->by, sizeof(apply->by)) == 0);
        apply->map_place = agree ? TMI_PLACE_FOUND : TMI_PLACE_LOST;
        memcpy(apply->by, fit->by, sizeof(apply->by));
    }
    return TM_OK;
}

static tm_status fit_of_grid(tmi_apply *apply, const tmi_delta *delta)
{
    const tmi_grid *grid = delta->grid;
    const unsigned width = grid->width[TMI_BEFORE], height = grid->height[TMI_BEFORE];
    const unsigned long long num = grid->num;
    const bool reshaped = tmi_grid_reshaped(grid);
    const char *elements = delta->field->name;
    tmi_fit *fit = &apply->fits[delta - apply->patch->deltas];
    const void *object = require_target(apply, delta);
    tm_grid map_grid;
    bool inside = true;
    if (!object)
        return TM_OK;
    tmi_grid_size(&map_grid.width, &map_grid.height, delta->list, object);
    const bool same_size = map_grid.width == width && map_grid.height == height;
    if (reshaped && !same_size)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "is %u x %u large, not %u x %u",
               (unsigned)map_grid.width, (unsigned)map_grid.height, width, height);
    if (num == 0 || (reshaped && !same_size))
        return TM_OK;
    TM_TRY(open_grid(&map_grid, apply, delta, object));
    if (!same_size && !reshaped && fit->place == TMI_PLACE_UNKNOWN && apply->map_place == TMI_PLACE_FOUND) {
        memcpy(fit->by, apply->by, sizeof(fit->by));
        fit->place = TMI_PLACE_FOUND;
    }
    const unsigned long long wrong = map_grid.tiles ? wrong_elements(&inside, grid, &map_grid, fit->by) : 0;
    const bool certain = reshaped || delta->list != TM_KIND_LAYER || fit->place == TMI_PLACE_FOUND ||
                         (same_size && (wrong || fit->place == TMI_PLACE_UNKNOWN));
    if (!map_grid.tiles)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "has no %s of that size", elements);
    else if (!certain && same_size)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "what was around the %llu %s is not there", num,
               elements);
    else if (!certain)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE,
               "is %u x %u large, not %u x %u, and it is not certain where the %llu %s belong",
               (unsigned)map_grid.width, (unsigned)map_grid.height, width, height, num, elements);
    else if (!reshaped && !inside)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "is only %u x %u large", (unsigned)map_grid.width,
               (unsigned)map_grid.height);
    else if (wrong)
        misfit(apply, delta, TM_FINDING_PATCH_VALUE, "%llu of %llu %s are not as they were", wrong, num,
               elements);
    return TM_OK;
}

/* --------------------------------------------------------------------------------- elements and settings */

/* A list of this map in which elements are looked for. */
typedef struct claims {
    tmi_apply *apply;
    tmi_elements elements;
    bool *taken;
} claims;

enum { ELEMENTS_FAR = 4096 };

/* By how many tiles elements of a layer here moved with the map, each way; false if that is not certain. */
static bool elements_moved_by(int32_t by[2], const tmi_apply *apply, const tmi_delta *delta)
{
    bool along = false;
    by[0] = by[1] = 0;
    if (delta->type != TMI_DELTA_ELEMENT || delta->list != TM_KIND_LAYER)
        return true;
    const tmi_side *current = &apply->current->match.side[TMI_BEFORE];
    const int32_t layer = apply->place[TM_KIND_LAYER].other[TMI_BEFORE][delta->number[TMI_BEFORE]];
    const tm_group *group = &apply->map->groups[current->labels[TM_KIND_LAYER][layer].group];
    for (int axis = 0; axis < 2; axis++) {
        const bool goes = tmi_goes_along(apply, group, axis);
        along = along || goes;
        by[axis] = goes && apply->map_place == TMI_PLACE_FOUND ? apply->by[axis] : 0;
    }
    return !along || !map_is_lost(apply);
}

/* Searches an element or command, starting at its old position. */
static bool claim_nearest(claims *list, const tmi_delta *delta, const void *want)
{
    const bool setting = delta->type == TMI_DELTA_SETTING;
    const size_t size = tm_kind_size(delta->owner);
    for (int64_t i = 0; i < 2 * ELEMENTS_FAR - 1; i++) {
        const int64_t at = (int64_t)delta->at[TMI_BEFORE] - tmi_outward(i);
        if (at < 0 || at >= list->elements.num || list->taken[at] ||
            (setting ? strcmp(list->elements.items[at], want) : memcmp(list->elements.items[at], want, size)))
            continue;
        list->apply->fits[delta - list->apply->patch->deltas].claim = (uint32_t)at;
        return list->taken[at] = true;
    }
    return false;
}

static void claim(claims *list, const tmi_delta *delta)
{
    tmi_any_element element;
    tmi_fit *fit = &list->apply->fits[delta - list->apply->patch->deltas];
    const void *want = delta->bytes[TMI_BEFORE];
    int32_t by[2];
    const bool certain = elements_moved_by(by, list->apply, delta), moves = by[0] || by[1];
    if (want && delta->type == TMI_DELTA_ELEMENT) {
        memcpy(&element, want, tm_kind_size(delta->owner));
        tmi_visit_element(delta->owner, &element, bring_before, list->apply);
        want = &element;
    }
    if (want && claim_nearest(list, delta, want))
        return;
    memcpy(fit->by, by, sizeof(fit->by));
    if (moves && want)
        tmi_element_move(&element, delta->owner, by);
    if (!certain) {
        misfit_place(list->apply, delta);
        return;
    }
    if (!want || (moves && claim_nearest(list, delta, want)))
        return;
    if (delta->type == TMI_DELTA_SETTING)
        misfit(list->apply, delta, TM_FINDING_PATCH_VALUE, "there is no command \"%.100s\"",
               (const char *)want);
    else
        misfit(list->apply, delta, TM_FINDING_PATCH_VALUE, "there is no %s as number %u was",
               tm_kind_name(delta->owner), (unsigned)delta->at[TMI_BEFORE]);
}

size_t tmi_end_of_list(const tm_patch *patch, size_t first)
{
    const tmi_delta *a = &patch->deltas[first];
    size_t end = first + 1;
    for (; end < patch->num && (a->type == TMI_DELTA_ELEMENT || a->type == TMI_DELTA_SETTING); end++) {
        const tmi_delta *b = &patch->deltas[end];
        if (a->type != b->type || a->list != b->list || a->number[TMI_BEFORE] != b->number[TMI_BEFORE] ||
            a->owner != b->owner)
            break;
    }
    return end;
}

/* ------------------------------------------------------------------------------------------- all changes */

static tm_status (*const checks[])(tmi_apply *apply, const tmi_delta *delta) = {
    [TMI_DELTA_OBJECT] = fit_of_object,
    [TMI_DELTA_FIELD] = fit_of_field,
    [TMI_DELTA_GRID] = fit_of_grid,
    [TMI_DELTA_DATA] = fit_of_data,
};

tm_status tmi_apply_check(tmi_apply *apply)
{
    for (size_t i = 0; i < apply->patch->num; i++)
        apply->fits[i] = (tmi_fit){.fits = true};
    TM_TRY(place_grids(apply));
    for (size_t i = 0, end; i < apply->patch->num; i = end) {
        const tmi_delta *delta = &apply->patch->deltas[i];
        end = tmi_end_of_list(apply->patch, i);
        if (delta->type != TMI_DELTA_ELEMENT && delta->type != TMI_DELTA_SETTING) {
            TM_TRY(checks[delta->type](apply, delta));
            continue;
        }
        claims list = {.apply = apply};
        const void *object = require_target(apply, delta);
        if (object) {
            TM_TRY(tmi_elements_copy(&list.elements, apply->current, apply->map, delta->owner, object,
                                     apply->error));
            TM_TRY(
                tmi_patch_alloc(apply->current, &list.taken, list.elements.num, sizeof(bool), apply->error));
        }
        for (size_t k = i; k < end; k++)
            if (list.taken)
                claim(&list, &apply->patch->deltas[k]);
            else
                apply->fits[k].fits = false;
    }
    return check_removed_groups(apply);
}
